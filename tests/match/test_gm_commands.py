"""What a game master decides by mail: every word of his, who may say it, who is told, what stands in the record."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import Message

import pytest

from pbem.cli.demo import BOB, DemoDesk, answer_letter, letter_text
from pbem.config.config import Address
from pbem.games.ozymandia.bot import choose
from pbem.match import clock
from pbem.match.model import Entry, Master, Match
from pbem.orders.reader import parse
from pbem.store.matches import load_match
from support.commands import pbem
from support.game_masters import GINA, fresh, in_league, last_to, say, set_terms
from support.tables import play

HUGO = Address("Hugo", "hugo@example.org")
CARL = Address("Carl", "carl@example.net")
DAY = timedelta(days=1)
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def told(letters: list[tuple[str, Message]], address: str) -> list[str]:
    """The texts of the letters to an address, each in one line."""
    return [" ".join(letter_text(letter).split()) for _, letter in letters if address in letter["To"]]


def answered(letters: list[tuple[str, Message]], who: Address = GINA) -> str:
    """The answer to a letter that a game master has just written."""
    return told(letters, who.address)[-1]


def match(table: DemoDesk):
    return load_match(table.store, 1)


def record(table: DemoDesk, kind: str = "decision") -> list[dict]:
    rows = table.store.conn.execute(
        "SELECT content FROM record JOIN record_contents ON record = id WHERE kind = ? ORDER BY id", (kind,)
    )
    return [json.loads(content) for (content,) in rows]


def test_a_fresh_letter_of_the_game_master_is_asked_back_and_done_on_yes(table):
    before = match(table).deadline
    fresh(table, "extend oz-1 2 days because Bob is ill")
    (question,) = table.poll()
    assert "`extend oz-1 2 days because Bob is ill`" in " ".join(letter_text(question[1]).split())
    assert match(table).deadline == before
    table.deliver(answer_letter(question[1], GINA, "yes", table.now).as_bytes())
    letters = table.poll()
    assert match(table).deadline.moment == before.moment + 2 * DAY
    for person in ("alice@example.net", "bob@example.com"):
        (text,) = told(letters, person)
        assert "The game master has moved the deadline of turn 1" in text
        assert "The game master's reason: | Bob is ill" in text
    assert any("Done: extend oz-1 2 days." in text for text in told(letters, "operator@example.org"))
    (note,) = record(table)
    assert note["decision"] == "extend"
    assert note["reason"] == "Bob is ill"
    assert re.fullmatch(r"player \d+", note["by"])


# Who may


def test_a_player_is_told_that_it_is_not_his_to_decide_and_nothing_changes(table):
    before = match(table).deadline
    table.write("red", "award red because I am the best\nextend oz-1 2 days because I am ill")
    (text,) = told(table.poll(), "alice@example.net")
    assert '`award red` was not done. You are not the game master of a game "oz-1".' in text
    assert '`extend oz-1 2 days` was not done. You are not the game master of a game "oz-1".' in text
    assert (match(table).phase, match(table).deadline) == ("running", before)
    assert record(table) == []


def test_a_player_who_writes_afresh_is_refused_at_once_and_not_asked_whether_it_was_him(table):
    fresh(table, "annul oz-1 because I lose", BOB)
    (text,) = told(table.poll(), "bob@example.com")
    assert "`annul oz-1` was not done" in text
    assert "Did you write this" not in text


def test_a_stranger_who_decides_hears_nothing(table):
    fresh(table, "annul oz-1 because I lose", Address("X", "x@example.net"))
    assert table.poll() == []


def test_the_word_ok_of_a_player_settles_what_is_open_with_them(table):
    table.write("red", "ok")
    (text,) = told(table.poll(), "alice@example.net")
    assert "No question is open" in text


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("extend oz-99 2 days because of me", 'You are not the game master of a game "oz-99".'),
        ("extend 2 days because of me", "Say which game: `extend GAME 2 days because ...`."),
        ("extend oz-1 2 days", 'Give a reason: "extend ... because ..."; everyone in the game is told it.'),
        ("extend oz-1 because of me", "This could not be read: write `extend GAME 2 days because ...`."),
        ("extend oz-1 to 2026-11-20 20:00 because of me", "2026-11-20 20:00 UTC is in the past: write a later time."),
        ("extend oz-1 to 2026-11-22 20:00 because of me", "and can only be moved to a later time."),
        ("extend oz-1 90 days because of me", "is more than 60 days from now: pause the game instead."),
        ("extend oz-1 to 2028-11-22 20:00 because of me", "is more than 60 days from now: pause the game instead."),
        ("resume oz-1 because we go on", "oz-1 is running; you can only resume a paused game."),
        ("release oz-1", "oz-1 has no report waiting for your release."),
        ("rollback oz-1 7 because of me", "There is no turn 7 of oz-1: no turn has been played so far."),
        ("rollback oz-1 0 because of me", "There is no turn 0 of oz-1: no turn has been played so far."),
        ("readjudicate oz-1 because of me", "No turn of oz-1 has been played so far."),
        ("award oz-1 green because of me", 'There is no side "green" in oz-1, only red and blue.'),
        ("replace oz-1 green with Carl <carl@example.net> because he left", 'There is no side "green" in oz-1'),
        ("replace oz-1 red with Bob <bob@example.com> because he left", "That address already has a seat in oz-1."),
        (
            "replace oz-1 red with Carl <GM@example.org> because he left",
            "gm@example.org is an address of this desk.",
        ),
        ("replace oz-1 red because he left", "This could not be read: write `replace GAME SEAT with NAME <ADDRESS>"),
        ("orders oz-1 red: 9 A to M because he asked", "9 A to M: There are 3 pieces in Atlantea (A), not 9."),
        ("orders oz-1 green: 3 A to M because he asked", 'There is no side "green" in oz-1'),
        ("position oz-1 5 red A3 bombs 3 blue H2 bombs 3 because of me", "from turn 5, but this is turn 1"),
        ("say oz-1:", "There are no words: write them after the colon."),
        ("ban nobody@example.net because of me", "Nobody here has that address."),
        ("invite Ann <a@example.net> and Ann <a@example.net>", "The game needs 2, with an address each"),
        ("invite Ann <a@a.example>, Ben <b@b.example> and c@c.example", "The game needs 2, with an address each"),
        ("invite Ann <a@a.example> and Dora <gm+x@example.org>", "Dora cannot be invited here."),
        ("invite Ann <a@a.example> and b@b.example to chess", 'There is no game "chess". You can play'),
        ("invite a@a.example and b@b.example with board mars", 'board must be one of lattice, triangles, not "mars".'),
    ],
)
def test_what_cannot_be_done_is_answered_with_the_reason_and_changes_nothing(table, line, why):
    before = match(table)
    letters = say(table, line)
    assert why in answered(letters)
    assert "was not done" in answered(letters)
    assert [letter["To"] for _, letter in letters if "operator@example.org" not in letter["To"]] == []
    assert match(table) == before
    assert record(table) == []


def test_all_problems_of_a_position_are_told_at_once(table):
    text = answered(say(table, "position oz-1 1 red A3 XX2 blue H2 bombs 9 because a piece was lost"))
    assert "XX" in text
    assert text.count("bombs") >= 2


# Several game masters


def test_each_game_master_of_a_league_gets_the_letters_and_may_do_what_his_rights_name(table):
    in_league(table, Master(*CARL), Master(*HUGO, ("extend", "say")))
    assert "`pause oz-1` was not done. You do not have this right in oz-1." in answered(
        say(table, "pause oz-1 because of snow", who=HUGO), HUGO
    )
    letters = say(table, "extend oz-1 1 day because of snow", who=HUGO)
    assert "Done: extend oz-1 1 day." in answered(letters, HUGO)
    (text,) = told(letters, CARL.address)
    assert "Decided in oz-1: extend 1 day." in text
    assert len(told(letters, "alice@example.net")) == 1
    say(table, "pause oz-1 because of snow", who=CARL)
    assert match(table).phase == "paused"


def test_the_desks_game_master_may_decide_in_every_league_and_others_only_in_their_own(table):
    in_league(table, Master(*HUGO))
    say(table, "pause oz-1 because of snow")
    assert match(table).phase == "paused"
    table.store.conn.execute("UPDATE matches SET league = NULL")
    assert "You are not the game master of a game" in answered(
        say(table, "resume oz-1 because of thaw", who=HUGO), HUGO
    )
    assert "Only a game master of the whole desk" in answered(
        say(table, "ban alice@example.net because of thaw", who=HUGO), HUGO
    )


# The clock


@pytest.mark.parametrize(
    "moment",
    [
        *("2026-11-27 20:00", "27 November", "Friday 27 November 2026, 20:00 Berlin time (in 5 days 4 hours)"),
        *(
            "Freitag, 27. November 2026, 20:00 Uhr in Berlin (in 5 Tagen und 3 Stunden)",
            "27 November 2026 14:00 in New York",
        ),
    ],
)
def test_a_deadline_is_moved_to_a_moment_in_the_games_zone(table, moment):
    table.store.conn.execute("UPDATE matches SET deadline = '2026-11-24T20:00 Europe/Berlin'")
    say(table, f"extend oz-1 to {moment} because of the fair")
    assert str(match(table).deadline) == "2026-11-27T20:00 Europe/Berlin"


def test_a_paused_game_takes_orders_but_plays_no_turn_and_has_its_whole_time_when_it_goes_on(table):
    letters = say(table, "pause oz-1 because of Christmas")
    assert "The game oz-1 has been paused by the game master" in told(letters, "bob@example.com")[0]
    play(table, "3 A to M", "3 H to S")
    table.now += 30 * DAY
    table.poll()
    assert (match(table).turn, match(table).phase, match(table).deadline) == (1, "paused", None)
    say(table, "resume oz-1 because it is over")
    assert match(table).turn == 2


def test_process_plays_the_turn_now_and_tells_why(table):
    table.write("red", "3 A to M")
    table.poll()
    letters = say(table, "process oz-1 because Bob will not write")
    said, report = told(letters, "bob@example.com")
    assert "The game master plays turn 1 of oz-1 now" in said
    assert "Bob will not write" in said
    assert "Turn 1 has been played" in report
    assert match(table).turn == 2


def test_who_observes_a_game_is_told_as_the_players_are(table):
    table.store.conn.execute("INSERT INTO players (name, since, confirmed) VALUES ('Carl', '2026', '2026')")
    table.store.conn.execute("INSERT INTO addresses VALUES (3, 'carl@example.net', 'carl@example.net', 3, '2026')")
    table.store.conn.execute("INSERT INTO observers VALUES (1, 3, 0)")
    (text,) = told(say(table, "pause oz-1 because of snow"), "carl@example.net")
    assert "The game oz-1 has been paused" in text
    assert "snow" in text
    say(table, "resume oz-1 because it has melted")
    assert "Turn 1 has been played" in " ".join(told(play(table), "carl@example.net"))
    say(table, "rollback oz-1 1 because of an error")
    assert "Turn 1 has been played" in " ".join(told(play(table), "carl@example.net"))


# Turns


def test_rolling_back_and_playing_the_same_orders_again_gives_the_same_state(table):
    orders = [("3 A to M", "3 H to S"), ("Pass", "Pass"), ("1 M to MC", "Pass")]
    states = [match(table).state]
    for red, blue in orders:
        play(table, red, blue)
        states.append(match(table).state)
    letters = say(table, "roll back oz-1 to turn 2 because of a lost letter")
    assert "goes back to the start of turn 2" in told(letters, "alice@example.net")[0]
    assert (match(table).turn, match(table).state) == (2, states[1])
    for number, (red, blue) in enumerate(orders[1:], start=2):
        reports = play(table, red, blue)
        assert f"Turn {number} has been played" in told(reports, "alice@example.net")[-1]
        assert match(table).state == states[number]


def played(match: Match, choices: tuple[str, str]) -> Match:
    """The match after a turn in which each side passed, did what its letter showed, or what the computer would."""
    ways: dict[str, Callable[[str], str]] = {
        "pass": lambda seat: "Pass",
        "shown": lambda seat: match.game.prospects(match.state, seat)[1],
        "best": lambda seat: str(choose(match.state, seat)),
    }
    chosen = dict(zip(match.seats, choices, strict=True))
    written = {seat: ways[chosen[seat]](seat) for seat in match.game.awaiting(match.state)}
    standing = {seat: Entry(1, None, text, str(parse(match.standpoint(seat), text))) for seat, text in written.items()}
    return clock.play(replace(match, standing=standing), NOON)[0].after


def test_answers_to_letters_of_undone_turns_count_for_no_turn(table):
    play(table)
    old = table.last["red"]
    play(table)
    say(table, "rollback oz-1 2 because of a lost letter")
    table.deliver(table.answer("red", "3 A to M", to=old).as_bytes())
    (text,) = told(table.poll(), "alice@example.net")
    assert "it answers a letter from before the game was set back or corrected, and turn 2 is waiting" in text
    assert not match(table).standing


def test_what_was_missed_before_a_turn_is_known_again_when_the_game_goes_back_to_it(table):
    set_terms(table, forfeit=3)
    for _ in range(2):
        table.write("blue", "Pass")
        table.now += 4 * DAY
        table.poll()
    assert match(table).missed["red"] == 2
    say(table, "rollback oz-1 2 because the mail was down")
    assert match(table).missed["red"] == 1


def test_a_finished_game_can_be_taken_back_and_a_paused_one_stays_paused(table):
    play(table)
    say(table, "award oz-1 red because Bob cannot go on")
    assert match(table).result.winner == "red"
    say(table, "rollback oz-1 1 because he can")
    assert (match(table).phase, match(table).result) == ("running", None)
    play(table)
    say(table, "pause oz-1 because of snow", "rollback oz-1 1 because of snow")
    assert (match(table).phase, match(table).turn, match(table).deadline) == ("paused", 1, None)


def test_the_last_turn_is_played_again_from_the_same_orders_and_its_report_sent_anew(table):
    play(table, "3 A to M", "3 H to S")
    state = match(table).state
    table.write("red", "Pass")
    letters = say(table, "readjudicate oz-1 because the rules were mended")
    assert [
        ("has played turn 1 of oz-1 again" in text, "Turn 1 has been played" in text)
        for text in told(letters, "bob@example.com")
    ] == [
        (True, False),
        (False, True),
    ]
    assert (match(table).turn, match(table).state, match(table).standing) == (2, state, {})
    missed = table.store.conn.execute("SELECT count(*) FROM attendance").fetchone()
    assert missed == (2,)


def test_a_game_that_no_turn_has_ended_is_not_reopened_by_adjudicating_again(table):
    play(table)
    say(table, "award oz-1 draw because both asked")
    text = answered(say(table, "readjudicate oz-1 because of me"))
    assert "oz-1 was not ended by a turn: roll it back to turn 1 instead." in text
    assert match(table).phase == "finished"


def test_a_corrected_board_drops_the_orders_that_were_in(table):
    table.write("red", "3 A to M")
    table.poll()
    old = table.last["red"]
    letters = say(table, "position oz-1 1 red A9 bombs 3 blue H2 bombs 2 because a piece was lost")
    assert "The game master has corrected the position" in told(letters, "bob@example.com")[0]
    assert str(match(table).state) == "1 red A9 bombs 3 blue H2 bombs 2"
    assert not match(table).standing
    table.deliver(table.answer("red", "3 A to M", to=old).as_bytes())
    table.poll()
    assert not match(table).standing


# Seats


@pytest.mark.parametrize(
    "line",
    [
        "replace oz-1 red with Carl <carl@example.net> because Alice has no time",
        "position oz-1 1 red A3 bombs 3 blue H2 bombs 3 because it was mistyped",
    ],
)
def test_a_deadline_that_was_extended_is_never_shortened(table, line):
    say(table, "extend oz-1 5 days because Bob is away")
    extended = match(table).deadline
    assert "not done" not in answered(say(table, line))
    assert match(table).deadline == extended


def test_a_replaced_player_reads_nothing_more_and_his_orders_are_dropped(table):
    table.write("red", "3 A to M")
    table.poll()
    old = table.last["red"]
    letters = say(table, "replace oz-1 red with Carl <carl@example.net> because Alice has no time")
    (gone,), (told_bob,), (told_carl,) = (
        told(letters, who) for who in ("alice@example.net", "bob@example.com", "carl@example.net")
    )
    assert "Someone else plays Red in oz-1" in gone
    assert "Carl plays Red in oz-1 from now on" in told_bob
    assert "You play oz-1 from now on, as Red" in told_carl
    assert "five" in told_carl.lower()
    assert "The board, turn 1" in told_carl
    assert "a gate between a province and its own city" in told_carl
    assert not match(table).standing
    table.deliver(table.answer("red", "status\n3 A to M", to=old).as_bytes())
    table.write("blue", "Pass")
    letters = table.poll()
    (text,) = told(letters, "alice@example.net")
    assert "You are not in any game" in text
    assert "oz-1" not in text
    assert set(match(table).standing) == {"blue"}
    table.deliver(answer_letter(last_to(letters, "bob@example.com"), CARL, "3 A to M", table.now).as_bytes())
    assert not match(table).standing.get("red")


def test_a_player_may_be_replaced_by_name(table):
    say(table, "replace oz-1 alice with Carl Gustav <carl@example.net> because Alice has no time")
    assert match(table).holders["red"].name == "Carl Gustav"
    say(table, "replace oz-1 Carl Gustav with Eve <eve@example.net> because he has no time")
    assert match(table).holders["red"].name == "Eve"
    letters = say(table, "replace oz-1 Dmitri with Ida <ida@example.net> because he has no time")
    assert 'There is no side "Dmitri" in oz-1, only red and blue.' in answered(letters)


def test_a_name_that_two_players_share_replaces_nobody(table):
    say(table, "replace oz-1 red with Ann Brown <ann@example.net> because Alice has no time")
    say(table, "replace oz-1 blue with Bob Brown <brown@example.net> because Bob has no time")
    letters = say(table, "replace oz-1 Brown with Eve <eve@example.net> because so")
    assert 'Several players of oz-1 are called "Brown": name the side, red and blue.' in answered(letters)
    say(table, "replace oz-1 bob with Eve <eve@example.net> because so")
    assert match(table).holders["blue"].name == "Eve"


def test_help_names_the_help_for_game_masters_to_them_alone(table):
    said = answered(say(table, "help"))
    assert said.count("`help game master` lists what you can decide.") == 1
    assert "If you have questions, write to the game master" not in said
    table.write("red", "help")
    (said,) = told(table.poll(), "alice@example.net")
    assert "help game master" not in said
    assert "If you have questions, write to the game master" in said


def test_the_new_holder_plays_and_the_leaver_gets_no_report(table):
    letters = say(table, "replace oz-1 red with Carl <carl@example.net> because Alice has no time")
    table.deliver(answer_letter(last_to(letters, "carl@example.net"), CARL, "3 A to M", table.now).as_bytes())
    table.write("blue", "Pass")
    letters = table.poll()
    assert match(table).turn == 2
    assert told(letters, "alice@example.net") == []
    assert any("Turn 1 has been played" in text for text in told(letters, "carl@example.net"))


def test_the_new_holders_yes_sends_no_correction_that_the_leaver_was_offered(table):
    table.write("red", "9 A to M")
    assert "yes" in told(table.poll(), "alice@example.net")[0]
    letters = say(table, "replace oz-1 red with Carl <carl@example.net> because Alice has no time")
    table.deliver(answer_letter(last_to(letters, "carl@example.net"), CARL, "yes", table.now).as_bytes())
    table.poll()
    assert not match(table).standing


def test_orders_entered_for_a_seat_are_told_to_that_seat_alone_and_sealed_to_the_other(table):
    letters = say(table, "orders oz-1 red: 3 A to M because her mail is broken")
    (text,) = told(letters, "alice@example.net")
    assert "The game master has entered orders for you: receipt 1-1" in text
    (sealed,) = told(letters, "bob@example.com")
    assert "Alice (Red) has sent orders for turn 1; they are sealed" in sealed
    assert "3 A to M" not in sealed
    assert match(table).standing["red"].canonical == "3 A to M"
    table.write("red", "2 W to M")
    table.poll()
    assert match(table).standing["red"].canonical == "2 W to M"


def test_other_game_masters_are_not_told_which_orders_were_entered(table):
    in_league(table, Master(*CARL), Master(*HUGO))
    (text,) = told(say(table, "orders oz-1 red: 3 A to M because she asked", who=HUGO), CARL.address)
    assert "Decided in oz-1: orders red." in text


def test_say_reaches_all_players_word_for_word(table):
    letters = say(table, "say oz-1:", "There is a fair on Sunday.", "No turn before that.", "end say", "status")
    for who in ("alice@example.net", "bob@example.com"):
        (text,) = told(letters, who)
        assert "The game master writes to all players of oz-1: | There is a fair on Sunday. | No turn" in text
    assert "The games you run" in answered(letters)


# The end


def test_an_award_and_an_annulment_end_the_game_and_tell_why(table):
    letters = say(table, "award oz-1 to blue because Alice has left")
    text = told(letters, "bob@example.com")[0]
    assert "You have won. The game master awarded the game to Bob (Blue)." in text
    assert "Alice has left" in text
    letters = say(table, "annul oz-1 because of a quarrel")
    assert "The game oz-1 is annulled and does not count." in told(letters, "alice@example.net")[0]
    assert match(table).phase == "annulled"
    assert "oz-1 is annulled." in answered(say(table, "rollback oz-1 1 because of a quarrel"))


# Moderated games


def moderated(table: DemoDesk) -> Message:
    """A turn is played and waits for the game master; the letter that he gets."""
    set_terms(table, review=DAY)
    letters = play(table, "3 A to M", "3 H to S")
    assert not any("Turn 1 has been played" in text for text in told(letters, "alice@example.net"))
    return last_to(letters, "operator@example.org")


def test_the_game_master_sees_a_report_first_and_releases_it_by_answering_ok(table):
    review = moderated(table)
    assert "its report is waiting for your release" in letter_text(review)
    assert "Still waiting for orders" not in letter_text(review)
    assert "Turn 1 of oz-1 has been played" in letter_text(review)
    table.write("red", "Pass")
    (text,) = told(table.poll(), "alice@example.net")
    assert "the turn is closed" in text
    table.deliver(answer_letter(review, GINA, "ok", table.now).as_bytes())
    table.now += timedelta(hours=5)
    letters = table.poll()
    assert any("Turn 1 has been played; turn 2 is waiting" in text for text in told(letters, "alice@example.net"))
    assert match(table).deadline.moment >= table.now + 3 * DAY - timedelta(minutes=1)
    assert match(table).phase == "running"


@pytest.mark.usefixtures("desk_table")
def test_a_game_is_shown_as_its_players_know_it_while_the_game_master_looks_at_a_report(table):
    def shown() -> str:
        commands = (("game", "show", "oz-1"), ("game", "show", "oz-1", "--json"), ("game", "list"))
        return "\n".join(pbem("--config", table.config.path, *words).output for words in commands)

    before = shown()
    moderated(table)
    assert "H  Blue 3" in before
    assert "H  Blue 3" in shown()
    assert '"turn": 1' in shown()
    assert "turn 1, in review" in shown()


def test_a_report_that_nobody_releases_goes_out_in_time(table):
    moderated(table)
    table.now += DAY + timedelta(minutes=1)
    assert any("Turn 1 has been played; turn 2 is waiting" in text for text in told(table.poll(), "bob@example.com"))


def test_an_ok_to_an_older_report_releases_nothing(table):
    first = moderated(table)
    table.deliver(answer_letter(first, GINA, "ok", table.now).as_bytes())
    table.poll()
    play(table)
    assert match(table).phase == "review"
    table.deliver(answer_letter(first, GINA, "ok", table.now + timedelta(minutes=1)).as_bytes())
    assert "Your letter answers an older report" in answered(table.poll())
    assert match(table).phase == "review"


def test_a_report_can_be_rolled_back_instead_of_being_released(table):
    review = moderated(table)
    table.deliver(answer_letter(review, GINA, "rollback 1 because red was read wrongly", table.now).as_bytes())
    letters = table.poll()
    assert (match(table).turn, match(table).phase) == (1, "running")
    assert "goes back to the start of turn 1" in told(letters, "alice@example.net")[0]


def test_in_an_answer_to_a_letter_about_a_game_it_need_not_be_named_but_the_reason_must(table):
    review = moderated(table)
    table.deliver(answer_letter(review, GINA, "annul because of a quarrel\npause\ndraw", table.now).as_bytes())
    text = answered(table.poll())
    assert "Done: annul oz-1." in text
    assert "`pause` was not done." in text
    assert "`draw` is for the players of oz-1" in text
    assert match(table).phase == "annulled"


def test_the_last_report_of_a_game_goes_to_the_game_master_first_too(table):
    set_terms(table, review=DAY, forfeit=1)
    table.write("blue", "Pass")
    table.now += 4 * DAY
    letters = table.poll()
    assert told(letters, "bob@example.com")[-1].find("has won") == -1
    assert match(table).phase == "review"
    letters = say(table, "release oz-1")
    assert any("You have won." in text for text in told(letters, "bob@example.com"))
    assert (match(table).phase, match(table).result.winner) == ("finished", "blue")


# What he sees


def test_status_lists_the_games_that_he_runs_and_never_what_was_ordered(table):
    table.write("red", "3 A to M")
    table.poll()
    text = answered(say(table, "status"))
    assert "oz-1 Alice (Red) against Bob (Blue): turn 1, waiting for Blue; it will be played by" in text
    assert "3 A to M" not in text


def test_where_the_terms_say_so_status_shows_orders_and_the_record_says_that_it_did(table):
    set_terms(table, open_orders=True)
    table.write("red", "3 A to M")
    table.poll()
    text = answered(say(table, "status"))
    assert "Orders of Red for turn 1 of oz-1, as the terms let you see: 3 A to M" in text
    (note,) = record(table, "orders shown")
    assert note["seats"] == ["red"]


def test_a_game_master_who_plays_sees_no_orders_even_where_the_terms_show_them(table):
    in_league(table, Master(*BOB))
    set_terms(table, open_orders=True)
    table.write("red", "3 A to M")
    table.poll()
    text = answered(say(table, "status", who=BOB), BOB)
    assert "The games you run" in text
    assert "3 A to M" not in text


def test_help_game_master_has_every_word(table):
    from pbem.orders.commands import DECISIONS

    text = answered(say(table, "help game master"))
    assert [row.usage for row in DECISIONS if row.usage not in text] == []


# The whole desk


def test_two_decisions_in_one_letter_count_one_after_the_other(table):
    before = match(table).deadline.moment
    letters = say(
        table, "extend oz-1 1 day because of snow", "extend oz-1 1 day because of ice", "annul oz-2 because no"
    )
    assert match(table).deadline.moment == before + 2 * DAY
    snow, ice = told(letters, "alice@example.net")
    assert "snow" in snow
    assert "ice" in ice
    text = answered(letters)
    assert text.count("Done: extend oz-1 1 day.") == 2
    assert '`annul oz-2` was not done. You are not the game master of a game "oz-2"' in text
    assert [note["reason"] for note in record(table)] == ["because of snow", "because of ice"]


def test_a_turn_that_is_played_by_one_line_is_taken_back_by_the_next(table):
    say(table, "process oz-1 because of snow", "rollback oz-1 1 because of thaw", "say oz-1: Hello.")
    assert match(table).turn == 1
    assert [note["decision"] for note in record(table)] == ["process", "rollback", "say"]


def test_an_invitation_by_a_game_master_may_name_the_game_and_what_is_chosen_of_it(table):
    say(table, "invite Carl <carl@example.net> and Hugo <hugo@example.org> to ozymandia with board triangles")
    other = load_match(table.store, 2)
    assert (other.options, other.state.board.name) == ({"board": "triangles"}, "triangles")


def test_an_invitation_by_a_game_master_asks_both(table):
    letters = say(table, "invite Carl <carl@example.net> and Hugo <hugo@example.org>")
    assert len(told(letters, CARL.address)) == len(told(letters, HUGO.address)) == 1
    other = load_match(table.store, 2)
    assert (other.phase, other.accepted) == ("offered", frozenset())
    for who in (CARL, HUGO):
        table.deliver(answer_letter(last_to(letters, who.address), who, "accept", table.now).as_bytes())
    table.poll()
    assert load_match(table.store, 2).phase == "running"


def test_nothing_of_somebody_banned_counts_and_his_letters_are_not_answered(table):
    table.write("red", "3 A to M")
    table.poll()
    letters = say(table, "ban alice@example.net because of threats")
    assert told(letters, "alice@example.net") == []
    assert any("who plays Red in oz-1, is banned" in text for text in told(letters, "operator@example.org"))
    assert not match(table).standing
    table.write("red", "3 A to M")
    fresh(table, "status", Address("Alice", "alice@example.net"))
    table.deliver(answer_letter(table.last["red"], CARL, "3 A to M", table.now).as_bytes())
    assert table.poll() == []
    assert not match(table).standing
    say(table, "replace oz-1 red with Carl <carl@example.net> because Alice is banned")
    text = answered(say(table, "replace oz-1 blue with Alice <alice@example.net> because Bob has left"))
    assert "The person with that address is banned here." in text


def test_what_somebody_banned_wished_and_whom_he_challenged_comes_to_nothing(table):
    table.write("red", "draw\nchallenge carl@example.net")
    table.poll()
    say(table, "ban alice@example.net because of threats")
    assert match(table).wishes == {}
    assert load_match(table.store, 2).phase == "annulled"


def test_every_ban_is_told(table):
    for _ in range(2):
        letters = say(table, "ban alice@example.net because of threats")
        assert any("is banned from this desk" in text for text in told(letters, "operator@example.org"))
        say(table, "unban alice@example.net because it was a mistake")


def test_a_ban_can_be_lifted(table):
    assert "Nobody with that address is banned" in answered(
        say(table, "unban alice@example.net because it was a mistake")
    )
    say(table, "ban alice@example.net because of threats")
    say(table, "unban alice@example.net because it was a mistake")
    table.write("red", "3 A to M")
    table.poll()
    assert match(table).standing["red"].canonical == "3 A to M"


def test_addresses_do_not_stand_in_the_record_of_a_decision(table):
    say(table, "replace oz-1 red with Carl <carl@example.net> because Alice has no time")
    (note,) = record(table)
    assert note["argument"] == "red with Carl"


# Decisions


def test_what_was_decided_is_told_with_who_when_and_why_and_no_word_that_was_for_one_alone(table):
    say(table, "extend oz-1 2 days because Bob is ill", "tell oz-1 red:", "Only for you.", "end tell")
    say(table, "orders oz-1 red: 3 A to M because her mail is broken")
    text = answered(say(table, "decisions oz-1"))
    assert "Decisions in oz-1" in text
    assert "2026-11-21 12:15 UTC, Gina extend oz-1 2 days: Bob is ill" in text
    assert "Gina tell oz-1 red" in text
    assert "Gina orders oz-1 red: her mail is broken" in text
    assert "Only for you" not in text
    assert "3 A" not in text


def test_masters_of_a_league_see_what_was_decided_there_and_players_nothing(table):
    say(table, "extend oz-1 2 days because Bob is ill", "invite Ann <a@a.example> and Ben <b@b.example>")
    in_league(table, Master(*HUGO))
    text = answered(say(table, "decisions", who=HUGO), HUGO)
    assert "extend oz-1 2 days: Bob is ill" in text
    assert "invite" not in text
    assert "invite Ann and Ben" in answered(say(table, "decisions"))
    text = answered(say(table, "decisions oz-1", who=BOB), BOB)
    assert 'You are not the game master of a game "oz-1".' in text


@pytest.mark.usefixtures("desk_table")
def test_the_command_line_lists_what_was_decided(table):
    say(table, "pause oz-1 because of snow")
    shown = pbem("--config", table.config.path, "decisions", "oz-1")
    assert shown.stdout == "2026-11-21T12:15:01Z  Gina  pause oz-1: because of snow\n"
    (one,) = json.loads(pbem("--config", table.config.path, "decisions", "--json").stdout)
    assert (one["about"], one["word"], one["reason"], one["by"]) == ("oz-1", "pause", "because of snow", "Gina")
