"""Whatever has ended a game is taken back by `reopen`, and that again: who is told what, and where the game stands."""

import json
from datetime import timedelta
from email.message import Message

import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.match.model import Match
from pbem.record.history import History
from pbem.store.histories import load_history
from pbem.store.matches import load_match
from pbem.store.verify import Audit
from support.commands import pbem
from support.game_masters import say, set_terms
from support.tables import play

ALICE, BOB, GINA = "alice@example.net", "bob@example.com", "operator@example.org"


def told(letters: list[tuple[str, Message]], address: str) -> list[str]:
    return [" ".join(letter_text(letter).split()) for _, letter in letters if address in letter["To"]]


def match(table: DemoDesk) -> Match:
    return load_match(table.store, 1)


def whole(table: DemoDesk) -> None:
    """The record tells all that is in the database, and what came of it."""
    assert [*Audit(table.store.conn).differences()] == []


def resigned(table: DemoDesk) -> None:
    table.write("red", "resign")
    table.poll()
    table.write("red", "yes")
    table.poll()


def drawn(table: DemoDesk) -> None:
    table.write("red", "draw")
    table.poll()
    table.write("blue", "yes")
    table.poll()


def awarded(table: DemoDesk) -> None:
    say(table, "award oz-1 blue because of a mistake")


def annulled(table: DemoDesk) -> None:
    say(table, "annul oz-1 because of a mistake")


def overslept(table: DemoDesk) -> None:
    set_terms(table, forfeit=1)
    play(table)
    table.write("red", "Pass")
    table.poll()
    table.now += timedelta(days=4)
    table.poll()


@pytest.mark.parametrize("end", [resigned, drawn, awarded, annulled, overslept])
@pytest.mark.usefixtures("desk_table")
def test_a_game_stands_where_it_stood_when_it_ended_whatever_has_ended_it(table, end):
    before = match(table).state
    end(table)
    ended = match(table)
    assert ended.over
    letters = say(table, "reopen oz-1 because it was a mistake")
    after = match(table)
    assert (after.phase, after.result, after.turn, after.state) == ("running", None, ended.turn, ended.state)
    assert after.deadline.moment >= table.now + timedelta(days=2)
    assert (after.wishes, after.missed) == ({}, {"red": 0, "blue": 0})
    for person in (ALICE, BOB):
        (text,) = told(letters, person)
        assert "The game oz-1 goes on: the game master has reopened it." in text
        assert f"Reply to this letter with your orders for turn {after.turn}." in text
        assert "The game master's reason: | it was a mistake" in text
        assert ("Turns missed in a row are counted from zero again." in text) == (end is overslept)
    play(table, "3 A to M" if after.state == before else "Pass", "Pass")
    assert match(table).turn == ended.turn + 1
    whole(table)


def test_orders_that_were_in_are_in_still_and_their_writer_hears_which(table):
    table.write("red", "3 A to M")
    table.poll()
    awarded(table)
    letters = say(table, "reopen oz-1 because it was a mistake")
    (text,) = told(letters, ALICE)
    assert "Your orders for turn 1 are still in; a new letter replaces them." in text
    assert "3 A to M" in text
    (other,) = told(letters, BOB)
    assert "3 A to M" not in other
    table.write("blue", "Pass")
    table.poll()
    assert match(table).turn == 2


@pytest.mark.parametrize(("text", "seen"), [("3 A to M", True), ("turn 2: 1 A to M", True), ("status", False)])
def test_whose_orders_a_game_master_could_see_while_the_game_was_over_is_told_so(table, text, seen):
    table.write("red", text)
    table.poll()
    say(table, "letters oz-1")
    awarded(table)
    letters = say(table, "reopen oz-1 because it was a mistake")
    assert not any("looked at the letters" in text for text in told(letters, ALICE))
    awarded(table)
    say(table, "letters oz-1")
    letters = say(table, "reopen oz-1 because it was a mistake")
    (text,) = told(letters, ALICE)
    assert ("A game master looked at the letters of the game while it was over" in text) == seen
    assert not any("looked at the letters" in text for text in told(letters, BOB))


def test_orders_for_later_turns_are_kept(table):
    table.write("red", "turn 2: 1 A to M")
    table.poll()
    awarded(table)
    (text,) = told(say(table, "reopen oz-1 because it was a mistake"), ALICE)
    assert "The orders you kept for later turns are still kept." in text
    play(table)
    assert match(table).standing["red"].canonical == "1 A to M"


@pytest.mark.usefixtures("desk_table")
def test_a_game_that_was_over_when_it_was_annulled_is_over_again(table):
    awarded(table)
    won = match(table).result
    annulled(table)
    letters = say(table, "reopen oz-1 because it was another game")
    (text,) = told(letters, BOB)
    assert "The game oz-1 counts again: the game master has undone its annulment." in text
    assert "You have won. The game master awarded the game to Bob (Blue)." in text
    assert (match(table).phase, match(table).result) == ("finished", won)
    whole(table)


@pytest.mark.parametrize("end", [resigned, drawn, awarded, overslept])
@pytest.mark.usefixtures("desk_table")
def test_the_end_comes_back_as_it_was_by_award_again(table, end):
    end(table)
    ended = match(table)
    answer = told(say(table, "reopen oz-1 because I misread a letter"), GINA)[-1]
    assert "`award oz-1 again because ...` ends it as before." in answer
    letters = say(table, "award oz-1 again because it was the wrong game")
    assert (match(table).phase, match(table).result) == ("finished", ended.result)
    assert "it was the wrong game" in told(letters, ALICE)[0]
    whole(table)


def test_a_game_that_was_played_on_has_no_end_to_come_back_to(table):
    awarded(table)
    say(table, "reopen oz-1 because it was a mistake")
    play(table)
    text = told(say(table, "award oz-1 again because it was none"), GINA)[-1]
    assert "oz-1 was not reopened, or was played on since: say who has won." in text
    assert match(table).phase == "running"


def test_a_game_that_runs_is_not_reopened(table):
    text = told(say(table, "reopen oz-1 because I like it"), GINA)[-1]
    assert "oz-1 is running; you can only reopen a game that is over." in text


def test_a_game_that_ended_by_its_rules_is_taken_back_by_a_rollback(table):
    table.store.conn.execute("UPDATE matches SET options = json_set(options, '$.turn_limit', 1)")
    table.store.conn.execute("UPDATE matches SET state = json_set(state, '$.turn_limit', 1)")
    play(table)
    assert match(table).phase == "finished"
    text = told(say(table, "reopen oz-1 because I like it"), GINA)[-1]
    assert "oz-1 ended by its rules: `rollback oz-1 1 because ...` takes that back." in text


def test_a_report_that_waited_when_its_game_was_annulled_waits_again(table):
    set_terms(table, review=timedelta(days=1))
    play(table, "3 A to M", "3 H to S")
    annulled(table)
    letters = say(table, "reopen oz-1 because it was another game")
    assert "The report of its last turn waits for the game master again." in told(letters, ALICE)[0]
    assert match(table).phase == "review"
    say(table, "release oz-1")
    assert (match(table).phase, match(table).turn) == ("running", 2)


def test_a_game_that_did_not_begin_asks_those_again_who_have_not_accepted(table):
    say(table, "invite Carl <carl@example.net> and Dora <dora@example.org>")
    table.poll()
    say(table, "annul oz-2 because of a mistake")
    letters = say(table, "reopen oz-2 because it was oz-1")
    (text,) = told(letters, "carl@example.net")
    assert "The game oz-2 takes place after all" in text
    assert "Answer `accept`" in text
    assert load_match(table.store, 2).phase == "offered"
    assert load_match(table.store, 2).due == table.now + timedelta(days=14)


def history(table: DemoDesk) -> History:
    return load_history(table.store, 1)


def test_the_record_says_who_has_reopened_it_and_why(table):
    awarded(table)
    say(table, "reopen oz-1 because it was a mistake")
    rows = table.store.conn.execute(
        "SELECT kind, content FROM record JOIN record_contents ON record = id WHERE kind IN ('reopen', 'decision')"
        " ORDER BY id DESC LIMIT 2"
    )
    (_, came), (_, decided) = ((kind, json.loads(content)) for kind, content in rows)
    assert came == {"phase": "running", "winner": None, "reason": "it was a mistake"}
    assert (decided["decision"], decided["reason"]) == ("reopen", "it was a mistake")
    assert history(table).phase() == "running"


@pytest.mark.parametrize(("game", "name", "side"), [("rocknroll", "rnr-2", "vpa"), ("ozz", "ozz-2", "munchkins")])
@pytest.mark.usefixtures("desk_table")
def test_a_game_of_cards_that_did_not_begin_is_awarded_and_takes_place_after_all(table, game, name, side):
    say(table, f"invite Carl <carl@example.net> and Dora <dora@example.org> to {game}")
    letters = say(table, f"award {name} {side} because Dora does not answer")
    (text,) = told(letters, "dora@example.org")
    assert f"The game {name} did not begin, because not everyone had accepted." in text
    assert load_match(table.store, 2).phase == "finished"
    for words in (("game", "show", name), ("record", name), ("game", "list")):
        assert pbem("--config", table.config.path, *words).exit_code == 0, words
    say(table, f"reopen {name} because she does")
    assert load_match(table.store, 2).phase == "offered"
    whole(table)
