"""What the desk does for every game, done with wars of Rock'n'Roll: hidden hands, dice, turns one after the other."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from email.message import Message
from pathlib import Path

import pytest

from pbem import PbemError
from pbem.cli.demo import DemoDesk, answer_letter
from pbem.games.base import Seat
from pbem.games.chance import commitment
from pbem.match.model import Match
from pbem.match.terms import Terms
from pbem.record.exports import read_json, write_json
from pbem.record.notation import read_record, write_record
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from pbem.times.deadlines import Pace
from support.commands import pbem
from support.game_masters import GINA, last_to
from support.tables import history
from support.trials import NOON, add_observer, flat, match_of

CYRILLIC = re.compile("[а-яё]", re.I)


def war(folder: Path, **options: object) -> DemoDesk:
    """A desk with a war whose first letters are out."""
    table = DemoDesk(folder, NOON, "rocknroll", **{"length": "short", **options})
    table.poll()
    return table


def told(table: DemoDesk, seat: Seat, text: str) -> dict[Seat, list[Message]]:
    """A seat writes; the letters that each seat is sent then."""
    table.write(seat, text)
    found: dict[Seat, list[Message]] = {}
    for reader, letter in table.poll():
        found.setdefault(reader, []).append(letter)
    return found


def play(table: DemoDesk, turns: int = 99) -> list[Seat]:
    """So many turns, in which the computer writes for each seat; the seats that were awaited."""
    seats: list[Seat] = []
    while len(seats) < turns and not table.over():
        (seat,) = match_of(table).missing()
        told(table, seat, table.opponent_orders(seat))
        seats.append(seat)
    return seats


def command(table: DemoDesk, *words: object) -> str:
    """What a command says, all being well."""
    result = pbem("--config", table.config.path, "--now", f"{table.now:%Y-%m-%dT%H:%MZ}", *words)
    assert result.exit_code == 0, result.output
    return result.output


def turns_of(table: DemoDesk) -> Match:
    return load_match(table.store, 1)


@pytest.fixture
def four(tmp_path: Path) -> Iterator[DemoDesk]:
    """Two against two."""
    table = war(tmp_path / "desk", seats="2v2")
    yield table
    table.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[DemoDesk]:
    """One against one."""
    table = war(tmp_path / "desk")
    yield table
    table.close()


def resign(table: DemoDesk, seat: Seat) -> dict[Seat, list[Message]]:
    told(table, seat, "resign")
    return told(table, seat, "yes")


# The set-up


@pytest.mark.parametrize("cards", ["base", "expansion"])
def test_first_letters_and_the_page_tell_who_begins_and_what_was_dealt(tmp_path, cards):
    table = war(tmp_path / "desk", set=cards)
    state, letters = match_of(table).state, {seat: flat(letter) for seat, letter in table.last.items()}
    first = {"vpa": "VPA", "vietnam": "Vietnam"}[state.order[0]]
    for seat, other in (("vpa", "Vietnam"), ("vietnam", "VPA")):
        told = letters[seat].partition("Who begins")[2].partition("The row of Points")[0]
        assert f"Order of play in round 1: {first}, " in told
        assert all(unit in told for unit in state.hands[seat].units)
        assert f"{other} gets 4 units, 4 orders." in told
        assert ("Echo's die shows" in told) == (cards == "expansion")
    command(table, "verify")
    command(table, "archive", "build", tmp_path / "running")
    assert "VPA gets 4 units, 4 orders." in (tmp_path / "running" / "games" / "rnr-1.html").read_text()
    table.close()


def test_the_throws_of_the_set_up_are_thrown_again_when_the_war_is_over(desk, tmp_path):
    told = flat(desk.last["vpa"])
    thrown = re.findall(r"(?:VPA|Vietnam) rolls a (\d)\.", told.partition("Who begins")[2])
    resign(desk, "vpa")
    record = tmp_path / "war.txt"
    record.write_text(command(desk, "export", "rnr-1", "--format", "record"))
    dice = command(desk, "dice", record, "--turn", 0)
    assert re.findall(r"a die of 6: (\d)", dice) == thrown
    exported = tmp_path / "war.json"
    exported.write_text(command(desk, "export", "rnr-1", "--format", "json"))
    command(desk, "verify", exported)
    opening = read_record(record.read_text()).history.opening
    assert [event["value"] for event in opening if event["type"] == "roll"] == [*map(int, thrown)]
    assert opening == read_json(exported.read_text()).opening


def test_an_exported_war_whose_set_up_was_rewritten_is_found_out(desk, tmp_path):
    resign(desk, "vpa")
    (roll, *rest) = history(desk).opening
    other = {**roll, "value": roll["value"] % 6 + 1}
    exported = tmp_path / "war.json"
    exported.write_text(write_json(replace(history(desk), opening=(other, *rest))))
    result = pbem("verify", exported)
    assert result.exit_code
    assert "rnr-1 was set up otherwise by its secret than it says." in result.output


# A seat of several resigns


def test_allies_play_on_when_one_resigns_and_its_letters_stop(four):
    first, *later = match_of(four).state.order
    letters = resign(four, first)
    assert all("has left rnr-1" in flat(letters[seat][-1]) for seat in later)
    gone = match_of(four)
    assert (gone.phase, gone.missing()) == ("running", [later[0]])
    sent = [seat for _ in range(4) for seat in told(four, *_pass(four))]
    assert first not in sent
    assert set(later) <= set(sent)
    assert [seat for turn in turns_of(four).turns for seat, entry in turn.orders.items() if entry] == [*later, later[0]]
    command(four, "verify")


def _pass(table: DemoDesk) -> tuple[Seat, str]:
    (seat,) = match_of(table).missing()
    return seat, "Pass"


def test_the_last_seat_of_a_round_resigns_and_the_round_ends_at_once(four):
    for _ in range(3):
        told(four, *_pass(four))
    (last,) = match_of(four).missing()
    letters = resign(four, last)
    match = match_of(four)
    assert (match.state.round, match.turn) == (2, 5)
    assert match.missing() != [last]
    assert "Round 2" in flat(letters[match.missing()[0]][-1])
    command(four, "verify")


def test_it_ends_the_war_for_all_when_the_last_of_a_side_resigns(four):
    for seat in ("vpa1", "vpa2"):
        letters = resign(four, seat)
    assert match_of(four).result.winner == "vietnam"
    assert set(letters) == {"vpa1", "vpa2", "vietnam1", "vietnam2"}
    assert "VPA resigned." in flat(letters["vpa1"][-1])


def test_who_is_gone_can_change_nothing_and_is_told_so(four):
    resign(four, "vpa1")
    for text in (
        "Deploy Doc A",
        "Reroll attack: 1",
        "draw",
        "resign",
        "hand over to grace@example.org",
        "press: Hello",
    ):
        letters = told(four, "vpa1", text)
        assert set(letters) == {"vpa1"}, text
        assert "that seat has left the game" in flat(letters["vpa1"][0]), text


def test_a_seat_that_has_given_up_is_given_to_nobody(four):
    resign(four, "vpa1")
    instead = ("vpa1", "Grace <grace@example.org>", "--reason", "a friend")
    result = pbem("--config", four.config.path, "game", "replace", "rnr-1", *instead)
    assert result.exit_code
    assert "`rollback` to an earlier turn brings that seat back" in result.output


def test_whoever_misses_too_many_turns_is_out_and_the_ally_plays_on(tmp_path):
    terms = Terms(deadline=Pace(every=timedelta(days=3)), remind=(), forfeit=2)
    table = war(tmp_path / "desk", seats="1v2", terms=terms)
    for _ in range(5):
        (seat,) = match_of(table).missing()
        if seat == "vietnam1":
            table.now += timedelta(days=4)
            table.poll()
        else:
            told(table, seat, "Pass")
    match = match_of(table)
    assert (match.phase, [*match.gone], match.missing()) == ("running", ["vietnam1"], ["vietnam2"])
    assert "vietnam1" not in play(table, 4)
    command(table, "verify")
    table.close()


def test_a_war_in_which_somebody_resigned_is_recorded_replayed_and_verified(four, tmp_path):
    play(four, 5)
    resign(four, match_of(four).missing()[0])
    play(four)
    assert match_of(four).phase == "finished"
    reading = read_record(write_record(history(four)))
    assert not reading.problems
    assert reading.history.state == match_of(four).state
    record = tmp_path / "war.txt"
    record.write_text(write_record(history(four)))
    command(four, "verify")
    command(four, "verify", record)
    command(four, "replay", record)
    command(four, "archive", "build", tmp_path / "site")
    assert "has left the game" in next((tmp_path / "site" / "games").glob("*.html")).read_text()


def test_a_rollback_to_before_somebody_resigned_brings_the_seat_back(four):
    (first,) = match_of(four).missing()
    hand = match_of(four).state.hands[first]
    told(four, *_pass(four))
    resign(four, first)
    assert not match_of(four).state.hands[first].units
    command(four, "game", "rollback", "rnr-1", "1", "--reason", "a letter was lost")
    four.poll()
    match = match_of(four)
    assert (match.gone, match.missing(), match.state.hands[first]) == ({}, [first], hand)
    command(four, "verify")


# The clock


def test_a_turn_that_is_missed_is_reminded_of_noted_and_plays_the_standing_orders(desk):
    (seat,) = match_of(desk).missing()
    other = next(one for one in desk.people if one != seat)
    told(desk, seat, "Reroll attack: 2")
    assert match_of(desk).missing() == [seat]
    desk.now = match_of(desk).deadline.moment - timedelta(hours=1)
    assert desk.poll() == []
    desk.now += timedelta(days=2)
    letters = dict(desk.poll())
    match = match_of(desk)
    assert (match.missing(), match.missed[seat]) == ([other], 1)
    assert match.state.standing[seat] == {"Reroll attack": "2"}
    assert "no orders came, so nothing was done" in flat(letters[other])
    assert "Reroll attack: 2" not in flat(letters[other])


def test_a_yes_sets_standing_orders_that_were_heard_in_everyday_words(desk):
    (seat,) = match_of(desk).missing()
    told(desk, seat, "When an attack of mine goes astray I want it thrown once more and will pay with any order card.")
    told(desk, seat, "yes")
    assert match_of(desk).standing_orders[seat] == "Reroll attack: 1 with orders"
    assert match_of(desk).missing() == [seat]


def test_the_deadline_waits_for_the_vacation_of_the_seat_on_turn_alone(desk):
    (seat,) = match_of(desk).missing()
    other = next(one for one in desk.people if one != seat)
    before = match_of(desk).deadline
    told(desk, other, "vacation 22.11. to 1.12.")
    assert match_of(desk).deadline == before
    told(desk, seat, "vacation 22.11. to 1.12.")
    assert match_of(desk).deadline.moment > before.moment
    told(desk, seat, "Pass")
    assert match_of(desk).deadline.moment > before.moment  # the other is away, too


def test_orders_are_taken_while_the_war_pauses_and_played_when_it_goes_on(desk):
    for seat in desk.people:
        told(desk, seat, "pause")
    (seat,) = match_of(desk).missing()
    told(desk, seat, desk.opponent_orders(seat))
    assert (match_of(desk).phase, match_of(desk).turn) == ("paused", 1)
    for one in desk.people:
        told(desk, one, "resume")
    assert (match_of(desk).phase, match_of(desk).turn) == ("running", 2)


# People


@pytest.mark.parametrize("seats", ["1v1", "2v2"])
def test_whoever_takes_a_seat_over_sees_its_hand_and_keeps_its_standing_orders_out_of_sight(tmp_path, seats):
    table = war(tmp_path / "desk", seats=seats)
    seat = [*table.people][1]
    told(table, seat, "Reroll attack: 2")
    hand = match_of(table).state.hands[seat]
    instead = (seat, "Grace <grace@example.org>", "--reason", "Bob is away")
    command(table, "game", "replace", "rnr-1", *instead)
    letters = {str(letter["To"]): flat(letter) for _, letter in table.letters()}
    assert all(unit in letters["Grace <grace@example.org>"] for unit in hand.units)
    assert match_of(table).holders[seat].player.name == "Grace"
    play(table, len(table.people))
    command(table, "verify")
    table.close()


def test_the_page_says_who_plays_with_whom(four, tmp_path):
    command(four, "archive", "build", tmp_path / "site")
    page = (tmp_path / "site" / "games" / "rnr-1.html").read_text()
    assert "<title>rnr-1: Alice and Bob against Carla and Dan, " in page


def test_a_draw_takes_all_four(four):
    for seat in four.people:
        assert match_of(four).result is None
        letters = told(four, seat, "draw")
    assert match_of(four).result.winner is None
    assert "All sides agreed to a draw." in flat(letters["vpa1"][-1])


def test_words_of_a_seat_go_to_all_others(four):
    letters = told(four, "vpa1", "press: Good luck to you all")
    assert {seat for seat, found in letters.items() if "Good luck to you all" in flat(found[-1])} >= {
        "vpa2",
        "vietnam1",
        "vietnam2",
    }


def test_an_observer_sees_what_everybody_may_see(desk):
    add_observer(desk)
    held = match_of(desk).state.hands
    (seat,) = match_of(desk).missing()
    desk.write(seat, "Reroll attack: 2; Pass")
    report = flat(last_to(desk.poll(), "grace@example.org"))
    assert "Hand of VPA: 4 units, 4 orders" in report
    assert not [unit for hand in held.values() for unit in hand.units if unit in report]
    assert "Reroll" not in report


# Game masters


def test_a_turn_that_is_taken_back_is_thrown_again_with_a_new_secret(desk):
    (seat,) = match_of(desk).missing()
    before, secrets = match_of(desk).state, []
    for _ in range(2):
        match = match_of(desk)
        assert match.state == before
        assert commitment(match.secret) in flat(desk.last[seat]).replace(" ", "")
        told(desk, seat, "Pass")
        secrets += [turn.secret for turn in turns_of(desk).turns]
        command(desk, "game", "rollback", "rnr-1", "1", "--reason", "a letter was lost")
        desk.poll()
    assert len(set(secrets)) == 2
    command(desk, "verify")


def test_a_game_master_reads_a_report_first_and_no_cards_in_it(tmp_path):
    terms = Terms(deadline=Pace(every=timedelta(days=3)), remind=(), review=timedelta(days=1))
    table = war(tmp_path / "desk", terms=terms)
    (seat,) = match_of(table).missing()
    table.write(seat, "Pass")
    letters = table.poll()
    review = last_to(letters, "operator@example.org")
    assert match_of(table).phase == "review"
    table.write(seat, "status")
    (answer,) = [flat(letter) for to, letter in table.poll() if to == seat]
    closed = commitment(match_of(table).turns[-1].secret)
    assert f"{closed} is the SHA-256 of the secret of turn 1" in answer
    assert "Your hand" not in flat(review)
    table.deliver(answer_letter(review, GINA, "ok", table.now).as_bytes())
    assert len(table.poll()) > 1
    assert match_of(table).phase == "running"
    table.close()


@pytest.mark.parametrize(
    ("words", "winner"), [(("award", "rnr-1", "vpa2"), "vpa"), (("award", "rnr-1", "vietnam"), "vietnam")]
)
def test_a_game_master_gives_the_war_to_a_side(four, words, winner):
    command(four, "game", *words, "--reason", "it is late")
    assert match_of(four).result.winner == winner


def test_a_game_master_enters_orders_and_corrects_the_position(four):
    (seat,) = match_of(four).missing()
    command(four, "game", "orders", "rnr-1", f"{seat}: Pass", "--reason", "by telephone")
    four.poll()
    match = match_of(four)
    assert match.turn == 2
    said = match.game.position(replace(match.state, ok={"vpa": 2, "vietnam": 1}))
    command(four, "game", "position", "rnr-1", said, "--reason", "we had miscounted")
    four.poll()
    assert match_of(four).state.ok == {"vpa": 2, "vietnam": 1}
    command(four, "verify")


# Leagues, records, files


def test_a_league_is_played_and_counted(desk, tmp_path):
    (tmp_path / "league.toml").write_text(
        """
name = "Winter"
format = "round-robin"
game = "rocknroll"
confirmed = true
options = { length = "short" }
divisions = [{ players = ["Alice <alice@example.net>", "Bob <bob@example.com>"] }]
"""
    )
    command(desk, "league", "new", "--file", tmp_path / "league.toml")
    desk.poll()
    command(desk, "game", "award", "rnr-2", "vietnam", "--reason", "it is late")
    desk.poll()
    assert "Bob" in command(desk, "league", "standings", "Winter")
    assert "Bob" in command(desk, "player", "show", "bob@example.com")


def test_a_war_that_is_over_leaves_the_desk_and_comes_back(desk, tmp_path):
    play(desk)
    assert match_of(desk).phase == "finished"
    kept, found = history(desk), match_of(desk)
    assert read_json(write_json(kept)).state == kept.state
    record = tmp_path / "war.txt"
    record.write_text(command(desk, "export", "rnr-1", "--format", "record"))
    assert found.result.reason in command(desk, "replay", record) or "has won" in command(desk, "replay", record)
    command(desk, "import", record)
    assert "rnr-1" in command(desk, "search", "Alice")
    command(desk, "archive", "build", tmp_path / "site")
    page = (tmp_path / "site" / "games" / "rnr-1.html").read_text()
    assert page.count("<svg") > len(kept.steps)
    assert "<em>not their turn</em>" in page
    for words in (("export", "rnr-1", "--format", "mbox"), ("export", "rnr-1", "--format", "svg"), ("dice", record)):
        assert command(desk, *words)


def test_a_backup_is_restored_and_the_war_played_on(desk, tmp_path):
    play(desk, 2)
    told(desk, "vpa", "Reroll attack: 2")
    kept = match_of(desk)
    command(desk, "backup", tmp_path / "copy.db")
    play(desk, 2)
    desk.store.conn.close()
    command(desk, "restore", tmp_path / "copy.db", "--replace")
    desk.store = Store(connect(desk.config.database))
    again = match_of(desk)
    assert (again.state, again.standing_orders, again.secret) == (kept.state, kept.standing_orders, kept.secret)
    with pytest.raises(PbemError, match="The database was put back to what it was"):
        desk.poll()
    desk._seen = 0
    list(desk.letters())
    play(desk, 2)
    command(desk, "verify")


def test_whoever_is_forgotten_leaves_no_name_and_the_war_is_verified_all_the_same(desk, tmp_path):
    play(desk)
    told(desk, "vpa", "forget me")
    told(desk, "vpa", "yes")
    assert "Alice" not in command(desk, "game", "show", "rnr-1")
    command(desk, "verify")
    command(desk, "archive", "build", tmp_path / "site")
    assert "Alice" not in (tmp_path / "site" / "games" / "rnr-1.html").read_text()


def test_a_russian_and_a_german_fight_each_other(desk):
    told(desk, "vpa", "язык русский")
    told(desk, "vietnam", "Sprache deutsch")
    play(desk, 4)
    assert "Раунд" in flat(desk.last["vpa"])
    assert "Runde" in flat(desk.last["vietnam"])
    assert not CYRILLIC.search(re.sub("rnr-.*?: ", "", flat(desk.last["vietnam"])))
    letters = told(desk, "vpa", "Переброс атаки: 1 за приказы")
    assert "Переброс атака: 1 за приказы" in flat(letters["vpa"][0])
    assert "Reroll" not in flat(letters["vpa"][0])
    command(desk, "verify")


def test_who_gets_news_once_a_day_gets_reports_with_the_head_of_the_record_and_holds_nobody_up(tmp_path):
    table = war(tmp_path / "desk")
    for seat in table.people:
        table.write(seat, "digest 18:00")
    table.poll()
    play(table, 4)
    assert match_of(table).turn == 5
    table.now = table.now.replace(hour=18, minute=5)
    (gathered,) = [flat(letter) for seat, letter in table.poll() if "News since the last such letter" in flat(letter)][
        :1
    ]
    heads = re.findall(r"\* ([0-9a-f]{64})", gathered)
    known = {one for (one,) in table.store.conn.execute("SELECT hash FROM record")}
    assert heads
    assert known.issuperset(heads)
    command(table, "verify")
