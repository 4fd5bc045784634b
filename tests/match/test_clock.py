"""Deadlines of a running desk, by letters and a clock that the test moves: nobody is hurried, blamed or blocked."""

import json
import re
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import Message
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner
from icalendar import Calendar

from pbem.cli.demo import DemoDesk, answer_letter
from pbem.cli.main import main
from pbem.config.config import Address
from pbem.match.model import Match
from pbem.match.terms import read_terms
from pbem.service.tick import RunReport, lock, poll
from pbem.store.matches import load_match
from pbem.store.waiting import renew_due
from support.decrees import island
from support.desks import TestDesk, flat

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
NOON = "2026-11-21T12:00Z"  # a Saturday
MASTER = Address("", "operator@example.org")
Letters = list[tuple[str, Message]]


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


class Clocked(DemoDesk):
    """A table whose clock the test sets; `kinds` of letters are as the outbox has them."""

    def at(self, when: str | datetime) -> Letters:
        """A run at a moment; the letters it made."""
        self.now = (moment(when) if isinstance(when, str) else when) - 5 * MINUTE
        return self.poll()

    @property
    def match(self) -> Match:
        return load_match(self.store, 1)

    @property
    def deadline(self) -> str:
        """As it is stored: the hour on the clock of its zone."""
        return str(self.match.deadline)

    def attendance(self) -> list[tuple[int, str, bool]]:
        rows = self.store.conn.execute("SELECT turn, seat, missed FROM attendance ORDER BY id")
        return [(turn, seat, bool(missed)) for turn, seat, missed in rows]

    def say(self, seat: str, text: str) -> Letters:
        """A seat writes, and the desk runs five minutes later."""
        self.write(seat, text)
        return self.poll()

    def strip(self, seat: str) -> None:
        """A side loses all it has, and is waited for no longer (J9)."""
        match = self.match
        data = match.game.dump(match.state)
        data["pieces"][seat], data["bombs"][seat] = {}, 0
        self.store.conn.execute("UPDATE matches SET state = ?", (json.dumps(data),))


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Any]:
    """Begin a game at noon, or another moment, to terms as a league's file has them; its invitations are read."""
    tables = []

    def begin(start: str = NOON, *, outages: bool = False, **terms: Any) -> Clocked:
        read = read_terms({"deadline": "3 days", "remind": [], **terms})
        table = Clocked(tmp_path / f"desk-{len(tables)}", moment(start), terms=read)
        tables.append(table)
        table.config = table.config._replace(desk=table.config.desk._replace(rehearsal=not outages))
        table.poll()
        return table

    yield begin
    for table in tables:
        table.close()


def told(letters: Letters, to: str | None) -> str:
    """The one letter that somebody got."""
    (letter,) = [letter for seat, letter in letters if seat == to]
    return flat(letter)


def seats(letters: Letters) -> list[str]:
    return [seat for seat, _ in letters]


# Hours and days


def test_a_game_is_played_to_fixed_hours_on_weekdays_in_the_zone_of_the_desk(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    config = desk.folder / "config.ini"
    config.write_text(config.read_text() + "zone = Europe/Berlin\n")
    desk.new_game("--deadline", "Mon, Wed, Fri 20:00")
    with sqlite3.connect(desk.folder / "pbem.db") as db:
        stored = db.execute("SELECT deadline, due FROM matches").fetchone()
    assert stored == ("2026-11-23T20:00 Europe/Berlin", "2026-11-22T19:00:00Z")  # the reminder comes a day before
    letters = dict(desk.quiet_poll())
    assert "by Monday 23 November 2026, 20:00 Berlin time (in 2 days 7 hours)" in flat(letters["red"])


def test_a_turn_played_early_keeps_the_grid(begin):
    table = begin(deadline="Mon, Wed, Fri 20:00", zone="Europe/Berlin")
    assert table.deadline == "2026-11-23T20:00 Europe/Berlin"
    table.write("red", "Pass")
    table.say("blue", "Pass")
    assert (table.match.turn, table.deadline) == (2, "2026-11-23T20:00 Europe/Berlin")
    table.now = moment("2026-11-23T16:00Z")
    table.write("red", "Pass")
    table.say("blue", "Pass")
    assert (table.match.turn, table.deadline) == (3, "2026-11-25T20:00 Europe/Berlin")


@pytest.mark.parametrize("pace", ["daily 20:00", "1 day"])
@pytest.mark.parametrize(
    ("start", "moments"),
    [
        ("2026-10-23T20:00+02:00", ["2026-10-24T18:00Z", "2026-10-25T19:00Z", "2026-10-26T19:00Z"]),
        ("2027-03-26T20:00+01:00", ["2027-03-27T19:00Z", "2027-03-28T18:00Z", "2027-03-29T18:00Z"]),
        ("2028-02-27T20:00+01:00", ["2028-02-28T19:00Z", "2028-02-29T19:00Z", "2028-03-01T19:00Z"]),
    ],
)
def test_the_hour_stays_through_changes_of_the_clock_and_a_leap_day(begin, pace, start, moments):
    table = begin(start, deadline=pace, zone="Europe/Berlin")
    for turn, due in enumerate(moments, 1):
        assert not any(seats(table.at(moment(due) - MINUTE)))
        assert table.match.turn == turn
        table.at(due)
        assert table.match.turn == turn + 1
        assert table.deadline.endswith("T20:00 Europe/Berlin")


def test_where_a_zone_changes_its_rules_deadlines_keep_their_hour(tmp_path, begin):
    with island(tmp_path) as decree:
        decree(1)
        table = begin(deadline="3 days", zone="Test/Island")
        assert table.deadline == "2026-11-24T13:00 Test/Island"
        table.at("2026-11-22T23:00Z")
        decree(2)
        table.at("2026-11-23T00:05Z")
        assert table.match.due == moment("2026-11-24T11:00Z")
        table.at("2026-11-24T11:00Z")
        assert table.match.turn == 2


def test_a_zone_that_moves_a_deadline_on_its_very_day_hurries_nobody(tmp_path, begin):
    with island(tmp_path) as decree:
        decree(1)
        table = begin(zone="Test/Island", remind=["2 hours"])
        table.at("2026-11-24T10:00Z")
        decree(0)
        ZoneInfo.clear_cache()  # as in a process of its own
        assert table.at("2026-11-24T12:00Z") == []
        assert table.match.due == moment("2026-11-24T13:00Z")
        table.at("2026-11-24T13:00Z")
        assert table.match.turn == 2


def test_deadlines_are_looked_up_anew_once_a_day_and_not_where_there_is_no_zone(begin):
    for zone, again in (("UTC", "11:00"), ("Europe/Berlin", "12:00")):
        table = begin(zone=zone)
        table.store.conn.execute("UPDATE matches SET due = '2026-11-24T11:00:00Z'")
        table.at("2026-11-21T23:55Z")
        assert table.match.due == moment("2026-11-24T11:00Z")
        table.at("2026-11-22T00:05Z")
        assert table.match.due == moment(f"2026-11-24T{again}Z")


def test_of_matches_with_one_deadline_each_that_was_off_is_looked_up_anew(begin):
    table = begin(zone="Europe/Berlin")
    right = table.store.conn.execute("SELECT due FROM matches").fetchone()[0]
    columns = [name for (name,) in table.store.conn.execute("SELECT name FROM pragma_table_info('matches')")]
    others = [name for name in columns if name not in ("id", "name", "due", "began")]
    due = ["2026-11-24T09:00:00Z", "2026-11-24T10:00:00Z", "2026-11-24T09:00:00Z", right]
    began = [None, None, "2026-11-21T13:00:00Z", None]
    for number, (off, since) in enumerate(zip(due, began, strict=True), start=2):
        table.store.conn.execute(
            f"INSERT INTO matches (id, name, due, began, {', '.join(others)})"
            f" SELECT ?1, 'oz-' || ?1, ?2, ?3, {', '.join(others)} FROM matches WHERE id = 1",
            (number, off, since),
        )
    assert renew_due(table.store, moment("2026-11-22T00:05Z"))
    rows = table.store.conn.execute("SELECT due, began FROM matches WHERE id > 1 ORDER BY id").fetchall()
    assert [since for _, since in rows] == began
    assert {due for due, _ in rows} == {right}
    assert not renew_due(table.store, moment("2026-11-22T00:05Z"))


# Reminders and grace


def test_who_has_not_written_is_reminded_once_at_each_moment_and_nobody_else(begin):
    table = begin(remind=["1 day", "2 hours"])
    table.say("red", "Pass")
    assert table.at("2026-11-23T11:55Z") == []
    reminder = told(table.at("2026-11-23T12:00Z"), "blue")
    assert "You have no orders in for turn 1 yet. The deadline is Tuesday 24 November 2026, 12:00 UTC (in 1 day)" in (
        reminder
    )
    assert table.at("2026-11-23T12:05Z") == []
    assert seats(table.at("2026-11-24T10:00Z")) == ["blue"]
    assert table.at("2026-11-24T11:55Z") == []


def test_a_reminder_can_be_answered_with_orders(begin):
    table = begin(remind=["1 day"])
    table.at("2026-11-23T12:00Z")
    assert "receipt 1-1" in told(table.say("blue", "3 H to S"), "blue")


def test_reminders_that_a_run_finds_together_are_one(begin):
    table = begin(remind=["1 day", "2 hours"])
    assert seats(table.at("2026-11-24T11:00Z")) == ["red", "blue"]
    assert table.at("2026-11-24T11:05Z") == []


def test_nobody_is_reminded_of_a_turn_that_has_just_begun(begin):
    table = begin(deadline="1 day", remind=["1 day", "12 hours", "1 hour"])
    assert table.at("2026-11-21T12:05Z") == []
    assert seats(table.at("2026-11-22T00:00Z")) == ["red", "blue"]
    assert seats(table.at("2026-11-22T11:00Z")) == ["red", "blue"]


def test_a_letter_within_the_grace_counts_and_the_late_one_was_told_so(begin):
    table = begin(grace="2 hours")
    table.say("red", "3 A to M")
    late = told(table.at("2026-11-24T12:00Z"), "blue")
    assert "The deadline of turn 1 has passed, and you have no orders in." in late
    assert "orders that arrive by Tuesday 24 November 2026, 14:00 UTC (in 2 hours) still count" in late
    assert "Reply with your orders by Tuesday 24 November 2026, 14:00 UTC (in 2 hours)" in late
    assert table.at("2026-11-24T12:05Z") == []
    table.say("blue", "3 H to S")
    assert table.match.turn == 2
    assert table.attendance() == [(1, "red", False), (1, "blue", False)]


def test_when_the_grace_is_over_the_turn_is_played_without_them(begin):
    table = begin(grace="2 hours")
    table.say("red", "3 A to M")
    table.at("2026-11-24T12:00Z")
    assert table.at("2026-11-24T13:55Z") == []
    table.at("2026-11-24T14:00Z")
    assert table.match.turn == 2
    assert table.attendance() == [(1, "red", False), (1, "blue", True)]


# Missed turns


def test_a_missed_turn_is_recorded_once_and_never_changed(begin):
    table = begin()
    table.say("red", "Pass")
    table.at("2026-11-24T12:00Z")
    table.at("2026-11-24T12:05Z")
    once = [(1, "red", False), (1, "blue", True)]
    assert table.attendance() == once
    for change in ("UPDATE attendance SET missed = 0", "DELETE FROM attendance"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            table.store.conn.execute(change)


def test_a_turn_that_is_undone_and_played_again_is_not_recorded_again(begin):
    table = begin(forfeit=2)
    table.say("red", "Pass")
    table.at("2026-11-24T12:00Z")
    decide(table, "readjudicate oz-1 because the rules are newer")
    assert (table.match.turn, table.match.missed, table.match.phase) == (2, {"red": 0, "blue": 1}, "running")
    assert table.attendance() == [(1, "red", False), (1, "blue", True)]


def decide(table: DemoDesk, words: str) -> None:
    """The game master writes, in an answer to his last letter or in one that the address on file confirms."""
    from pbem.config.config import read_key
    from pbem.orders.command import Decision
    from pbem.orders.commands import find_command
    from pbem.service.desk import Desk

    word, _, rest = words.partition(" ")
    decision = find_command(word, rest)
    assert isinstance(decision, Decision)
    Desk(table.config, table.store, table.now, "", read_key(table.config.desk.key_file)).decide(decision)


def test_extensions_have_an_end(begin):
    table = begin(extensions=2, extension="1 day")
    table.say("red", "Pass")
    for day in (25, 26):
        letters = table.at(f"2026-11-{day - 1}T12:00Z")
        assert seats(letters) == ["red", "blue"]
        assert "Orders for turn 1 are missing, so its deadline is later: " in told(letters, "red")
        assert table.deadline == f"2026-11-{day}T12:00 UTC"
        assert table.attendance() == []
    table.at("2026-11-26T12:00Z")
    assert (table.match.turn, table.match.extended) == (2, 0)
    assert table.attendance() == [(1, "red", False), (1, "blue", True)]


def test_a_fixed_hour_that_is_extended_keeps_its_hour_however_late_the_run_is(begin):
    table = begin(deadline="daily 20:00", zone="Europe/Berlin", extensions=1, extension="1 day")
    table.at("2026-11-22T19:07Z")
    assert table.deadline == "2026-11-23T20:00 Europe/Berlin"


def test_who_misses_n_turns_in_a_row_has_lost_and_was_warned(begin):
    table = begin(deadline="1 day", forfeit=2)
    table.say("red", "Pass")
    report = told(table.at("2026-11-22T12:00Z"), "blue")
    assert "You have missed 1 of 2 turns: anyone who misses that many in a row loses." in report
    table.say("red", "Pass")
    letters = table.at("2026-11-23T12:05Z")
    assert "You have won. Bob (Blue) missed 2 turns in a row." in told(letters, "red")
    assert (table.match.phase, table.match.result.winner) == ("finished", "red")


def test_a_turn_in_between_that_was_not_missed_begins_the_count_anew(begin):
    table = begin(deadline="1 day", forfeit=2)
    for day in (22, 23, 24):
        table.say("red", "Pass")
        if day == 23:
            table.write("blue", "Pass")
        table.at(f"2026-11-{day}T13:00Z")
    assert [missed for _, seat, missed in table.attendance() if seat == "blue"] == [True, False, True]
    assert table.match.phase == "running"


def test_if_both_miss_so_many_turns_the_game_is_a_draw(begin):
    table = begin(deadline="1 day", forfeit=2)
    table.at("2026-11-22T12:00Z")
    letters = table.at("2026-11-23T12:05Z")
    assert "The game is a draw. Alice (Red) and Bob (Blue) missed 2 turns in a row." in told(letters, "red")
    assert table.match.result.winner is None


def test_a_side_that_can_do_nothing_blocks_nothing_and_misses_nothing(begin):
    table = begin(forfeit=1, remind=["1 day"])
    table.strip("blue")
    table.say("blue", "vacation 22 November to 30 November")
    assert seats(table.at("2026-11-23T12:00Z")) == ["red"]
    table.say("red", "Pass")
    assert table.match.turn == 2
    assert table.attendance() == [(1, "red", False)]
    assert table.deadline == "2026-11-26T12:05 UTC"


def test_a_seat_whose_letter_is_held_has_not_missed_its_turn(begin):
    table = begin(forfeit=1)
    table.say("red", "Pass")
    letter = table.answer("blue", "3 H to S")
    letter.replace_header("From", "Bob <bob@elsewhere.example>")
    table.deliver(letter.as_bytes())
    table.poll()
    notice = told(table.at("2026-11-24T12:00Z"), None)
    assert "A letter from Bob (Blue) was set aside or is held" in notice
    assert table.at("2026-11-24T12:05Z") == []
    assert table.at("2026-11-25T11:55Z") == []
    assert (table.match.turn, table.attendance()) == (1, [])
    table.say("blue", "yes")
    table.poll()
    assert table.match.turn == 2
    assert table.attendance() == [(1, "red", False), (1, "blue", False)]


def test_a_letter_that_stays_held_puts_a_turn_off_for_a_day_and_no_longer(begin):
    table = begin(forfeit=2)
    table.say("red", "Pass")
    letter = table.answer("blue", "3 H to S")
    letter.replace_header("From", "Bob <bob@elsewhere.example>")
    table.deliver(letter.as_bytes())
    table.poll()
    table.at("2026-11-24T12:05Z")
    assert seats(table.at("2026-11-25T12:10Z")) == ["red", "blue", None]
    assert table.match.turn == 2
    assert table.attendance() == [(1, "red", False), (1, "blue", True)]


def test_a_turn_that_the_game_master_plays_without_a_held_letter_was_not_missed(begin):
    table = begin(forfeit=1)
    letter = table.answer("blue", "3 H to S")
    letter.replace_header("From", "Bob <bob@elsewhere.example>")
    table.deliver(letter.as_bytes())
    table.say("red", "Pass")
    decide(table, "process oz-1 because he does not answer")
    assert (table.match.turn, table.match.phase, table.attendance()) == (2, "running", [(1, "red", False)])


# Waiting for the deadline


@pytest.mark.parametrize("grace", ["none", "1 day"])
def test_wait_makes_the_turn_wait_for_its_deadline_and_not_longer(begin, grace):
    table = begin(grace=grace)
    assert "The turn will not be played before its deadline" in told(table.say("red", "wait\n3 A to M"), "red")
    assert "All orders are in. The turn will be played on Tuesday 24 November" in told(
        table.say("blue", "Pass"), "blue"
    )
    assert table.at("2026-11-24T11:59Z") == []
    table.at("2026-11-24T12:00Z")
    assert table.match.turn == 2
    assert not table.match.wishes.get("wait")


def test_who_is_late_is_waited_for_alone(begin):
    table = begin(grace="1 day")
    table.say("red", "wait\n3 A to M")
    table.at("2026-11-24T12:00Z")
    table.say("blue", "Pass")
    assert table.match.turn == 2


def test_no_wait_plays_the_turn_at_once(begin):
    table = begin()
    table.say("red", "wait\n3 A to M")
    table.say("blue", "Pass")
    table.say("red", "no wait")
    assert table.match.turn == 2


def test_wait_lapses_with_a_deadline_that_somebody_missed(begin):
    table = begin(extensions=1)
    table.say("red", "wait\n3 A to M")
    table.at("2026-11-24T12:00Z")
    table.say("blue", "Pass")
    assert table.match.turn == 2


def test_where_no_turn_is_played_early_it_is_played_at_its_deadline(begin):
    table = begin(early=False)
    table.write("red", "Pass")
    table.say("blue", "Pass")
    assert table.at("2026-11-24T11:55Z") == []
    table.at("2026-11-24T12:00Z")
    assert table.match.turn == 2


# Vacations


def test_a_vacation_moves_the_deadline_and_both_are_told(begin):
    table = begin()
    letters = table.say("blue", "vacation 24 November to 26 November")
    assert table.deadline == "2026-11-27T12:00 UTC"
    assert "away from Tuesday 24 November 2026 to Thursday 26 November 2026" in told(letters, "red")
    assert "it is now Friday 27 November 2026, 12:00 UTC" in told(letters, "red")


def test_who_has_written_already_may_go_away(begin):
    table = begin()
    table.say("blue", "Pass")
    table.say("blue", "vacation 24 November to 26 November")
    assert table.deadline == "2026-11-24T12:00 UTC"


def test_a_vacation_moves_the_deadlines_of_turns_that_begin_later(begin):
    table = begin(deadline="Mon, Wed, Fri 20:00", zone="Europe/Berlin")
    table.say("blue", "vacation 25 November to 30 November")
    assert table.deadline == "2026-11-23T20:00 Europe/Berlin"
    table.at("2026-11-23T19:00Z")
    assert (table.match.turn, table.deadline) == (2, "2026-12-02T20:00 Europe/Berlin")


def test_vacations_one_after_the_other_are_both_waited_for(begin):
    table = begin()
    table.say("blue", "vacation 24 November to 26 November")
    table.say("red", "vacation 27 November to 28 November")
    assert table.deadline == "2026-11-29T12:00 UTC"


def test_an_extension_waits_for_a_vacation_too(begin):
    table = begin(extensions=1, extension="1 day")
    table.say("blue", "vacation 25 November to 26 November")
    table.at("2026-11-24T12:00Z")
    assert table.deadline == "2026-11-27T12:00 UTC"


# Outages


def test_a_deadline_that_fell_into_an_outage_moves_by_its_length_and_both_are_told(begin):
    table = begin(outages=True)
    table.say("red", "Pass")
    table.at("2026-11-24T10:00Z")
    letters = table.at("2026-11-24T16:00Z")
    assert seats(letters) == ["red", "blue"]
    for seat in ("red", "blue"):
        assert (
            "This desk was down for a while, so the deadline of turn 1 is later: Tuesday 24 November 2026, 18:00"
            in (told(letters, seat))
        )
    assert table.at("2026-11-24T16:05Z") == []
    assert table.deadline == "2026-11-24T18:00 UTC"
    for quarter in range(1, 8):
        table.at(moment("2026-11-24T16:05Z") + quarter * 15 * MINUTE)
    table.at("2026-11-24T18:00Z")
    assert table.match.turn == 2


def test_a_gap_of_a_quarter_of_an_hour_is_no_outage(begin):
    table = begin(outages=True)
    table.at("2026-11-24T11:55Z")
    table.at("2026-11-24T12:10Z")
    assert table.match.turn == 2


def test_a_fixed_hour_that_fell_into_an_outage_moves_to_the_next(begin):
    table = begin(deadline="daily 20:00", zone="Europe/Berlin", outages=True)
    table.at("2026-11-22T18:00Z")
    table.at("2026-11-22T19:30Z")
    assert table.deadline == "2026-11-23T20:00 Europe/Berlin"


def test_an_outage_in_the_grace_gives_all_of_it_back(begin):
    table = begin(grace="2 hours", outages=True)
    for when in ("11:50", "12:00", "12:15", "12:30", "12:45", "13:00"):
        table.at(f"2026-11-24T{when}Z")
    table.at("2026-11-24T20:00Z")
    assert table.deadline == "2026-11-24T19:00 UTC"
    assert table.match.due == moment("2026-11-24T21:00Z")


def test_letters_that_came_in_an_outage_count_and_complete_the_turn(begin):
    table = begin(outages=True)
    table.write("red", "3 A to M")
    table.write("blue", "Pass")
    table.at("2026-11-25T12:00Z")
    assert table.match.turn == 2
    assert table.attendance() == [(1, "red", False), (1, "blue", False)]


def test_a_reminder_due_in_an_outage_comes_when_it_ends(begin):
    table = begin(remind=["1 day", "12 hours", "1 hour"], outages=True)
    assert seats(table.at("2026-11-24T06:00Z")) == ["red", "blue"]
    assert table.at("2026-11-24T06:05Z") == []
    assert table.deadline == "2026-11-24T12:00 UTC"


def failing(table: Clocked, when: str) -> RunReport:
    """A run that finds no mailbox."""
    table.now = moment(when)
    inbox = table.config.mailbox.place.path
    inbox.rename(inbox.with_name("gone"))
    report = poll(table.config, table.now, lambda text: None)
    inbox.with_name("gone").rename(inbox)
    assert not report.well
    return report


def test_while_the_mailbox_cannot_be_read_the_desk_is_down(begin):
    table = begin(outages=True)
    table.at("2026-11-24T11:50Z")
    for when in ("2026-11-24T11:55Z", "2026-11-24T12:05Z", "2026-11-24T12:45Z", "2026-11-24T12:47Z"):
        failing(table, when)
    assert list(table.letters()) == []
    letters = table.at("2026-11-24T12:50Z")
    assert "was down for a while" in told(letters, "blue")
    assert table.deadline == "2026-11-24T13:00 UTC"
    assert table.at("2026-11-24T12:55Z") == []


def test_an_outage_is_not_forgotten_by_a_run_that_cannot_read_the_mailbox(begin):
    table = begin(outages=True)
    table.at("2026-11-24T10:00Z")
    failing(table, "2026-11-24T13:00Z")
    table.at("2026-11-24T13:05Z")
    assert table.deadline == "2026-11-24T15:05 UTC"


def test_a_deadline_that_the_game_master_moves_in_an_outage_loses_only_what_is_left_of_it(begin):
    table = begin(outages=True)
    table.at("2026-11-24T10:00Z")
    table.now = moment("2026-11-24T14:00Z")
    decide(table, "extend oz-1 2026-11-24 15:00 because the machine is mended")
    table.at("2026-11-24T16:00Z")
    assert table.deadline == "2026-11-24T17:00 UTC"


# The clock


def test_a_clock_that_goes_backwards_plays_nothing(begin):
    table = begin(outages=True)
    table.write("red", "Pass")
    table.write("blue", "Pass")
    report = poll(table.config, moment("2026-11-20T12:00Z"), lambda text: None)
    assert (len(report.lines), report.well) == (1, False)
    assert "The clock says 2026-11-20T12:00:00Z, but the last run was at 2026-11-21T12:05:00Z" in report.lines[0]
    assert table.match.turn == 1
    assert not poll(table.config, moment("2026-11-20T12:05Z"), lambda text: None).well
    assert list(table.letters()) == []


def test_deadlines_that_passed_while_the_clock_was_set_back_move(begin):
    table = begin(deadline="2 hours", outages=True)
    table.store.conn.execute("UPDATE desk SET value = '2026-11-21T20:00:00Z' WHERE key = 'last_run'")
    assert not poll(table.config, moment("2026-11-21T12:05Z"), lambda text: None).well
    table.now = moment("2026-11-21T20:00Z")
    assert "is over" in poll(table.config, table.now, lambda text: None).lines[0]
    assert table.deadline == "2026-11-21T21:55 UTC"


def test_a_poll_whose_clock_went_back_ends_with_status_1_and_one_line(tmp_path):
    config = tmp_path / "desk" / "config.ini"
    assert CliRunner().invoke(main, ["init", str(config.parent)]).exit_code == 0
    assert CliRunner().invoke(main, ["--config", str(config), "poll"]).exit_code == 0
    with sqlite3.connect(config.with_name("pbem.db")) as db:
        db.execute("UPDATE desk SET value = '2999-01-01T00:00:00Z' WHERE key = 'last_run'")
    result = CliRunner().invoke(main, ["--config", str(config), "poll"])
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert "nothing was done" in result.output


def test_the_operator_can_say_that_the_clock_is_right_though_the_last_run_was_later(tmp_path):
    config = tmp_path / "desk" / "config.ini"
    assert CliRunner().invoke(main, ["init", str(config.parent)]).exit_code == 0
    with sqlite3.connect(config.with_name("pbem.db")) as db:
        db.execute("INSERT INTO desk VALUES ('last_run', '2999-01-01T00:00:00Z')")
    result = CliRunner().invoke(main, ["--config", str(config), "poll", "--clock-is-right"])
    assert (result.exit_code, result.output) == (0, "")
    with sqlite3.connect(config.with_name("pbem.db")) as db:
        assert db.execute("SELECT kind FROM record").fetchall() == [("clock",)]
    assert CliRunner().invoke(main, ["--config", str(config), "poll"]).exit_code == 0


@pytest.mark.parametrize("words", [["poll", "--clock-is-right"], ["rekey", "--yes"]])
def test_what_needs_the_desk_alone_is_refused_while_a_run_is_at_work(tmp_path, words):
    config = tmp_path / "desk" / "config.ini"
    assert CliRunner().invoke(main, ["init", str(config.parent)]).exit_code == 0
    with lock(config.with_name("pbem.lock")) as free:
        assert free
        result = CliRunner().invoke(main, ["--config", str(config), *words])
    assert (result.exit_code, result.output) == (1, "pbem: A poll is at work: try again when it is done.\n")


# Moderated games


def master_says(table: Clocked, words: str) -> Letters:
    """The game master answers his last letter."""
    table.deliver(answer_letter(table.last[None], MASTER, words, table.now).as_bytes())  # type: ignore[index]
    return table.poll()


def test_a_moderated_turn_goes_out_when_the_game_master_says_ok_and_the_next_runs_from_then(begin):
    table = begin(review="1 day")
    table.write("red", "3 A to M")
    letters = table.say("blue", "Pass")
    review = told([(seat, letter) for seat, letter in letters if letter["Subject"].startswith("For the game")], None)
    assert "its report is waiting for your release" in review
    assert "3 A to M" in review
    assert sorted(seats(letters), key=str) == [None, "blue", "red"]  # nothing but receipts for the players
    assert (table.match.phase, table.match.deadline) == ("review", None)
    assert "the turn is closed" in told(table.say("red", "2 A to AC"), "red")
    table.now = moment("2026-11-21T22:00Z")
    letters = master_says(table, "ok")
    assert "Turn 1 has been played; turn 2 is waiting for your orders." in told(letters, "red")
    assert table.deadline == "2026-11-24T22:05 UTC"


def test_a_report_that_nobody_looks_at_goes_out_when_its_time_is_over(begin):
    table = begin(review="1 day")
    table.write("red", "3 A to M")
    table.say("blue", "Pass")
    assert table.at("2026-11-22T12:05Z") == []
    assert seats(table.at("2026-11-22T12:10Z")) == ["red", "blue"]
    assert table.deadline == "2026-11-25T12:10 UTC"


def test_the_last_turn_of_a_moderated_game_is_looked_at_too(begin):
    table = begin(review="1 day", deadline="1 day", forfeit=1)
    table.say("red", "Pass")
    review = " ".join(flat(letter) for seat, letter in table.at("2026-11-22T12:00Z") if seat is None)
    assert "Bob (Blue) missed a turn." in review
    assert table.match.phase == "review"
    letters = master_says(table, "release oz-1")
    assert "You have won. Bob (Blue) missed a turn." in told(letters, "red")
    assert table.match.phase == "finished"


# The readers' clocks and calendars


def test_every_letter_with_a_deadline_gives_it_in_its_readers_zone(begin):
    table = begin(remind=["1 day"])
    table.say("red", "zone Europe/Berlin")
    hour = "Tuesday 24 November 2026, 13:00 Berlin time"
    for words in ("status", "3 A to M", "withdraw", "3 A to Muu", "wait", "no wait"):
        table.write("red", words)
        letter = told(table.poll(), "red")
        assert (hour in letter) == (words != "no wait"), words
    reminders = table.at("2026-11-23T12:00Z")
    assert f"{hour} (in 1 day)" in told(reminders, "red")
    assert "12:00 UTC (in 1 day)" in told(reminders, "blue")


def entry(letter: Message) -> Any:
    """What a letter says to the calendar; None if nothing."""
    parts = [part for part in letter.walk() if part.get_content_type() == "text/calendar"]
    if not parts:
        return None
    (part,) = parts
    calendar = Calendar.from_ical(part.get_payload(decode=True))
    assert (part.get_param("method"), calendar["METHOD"]) == ("PUBLISH", "PUBLISH")
    (event,) = calendar.walk("VEVENT")
    return event


def entries(letters: Letters, to: str) -> list[tuple[str, datetime]]:
    found = [entry(letter) for seat, letter in letters if seat == to]
    return [(str(event["STATUS"]), event["DTSTART"].dt) for event in found if event]


def test_a_games_one_entry_in_the_calendar_follows_its_deadline(begin):
    table = begin(deadline="Mon, Wed, Fri 20:00", zone="Europe/Berlin", remind=["1 day"])
    invitation = entry(table.last["red"])
    assert invitation["UID"] == "oz-1.red@example.org"
    assert (invitation["SUMMARY"], invitation["DTSTART"].dt) == ("Ozymandia oz-1: turn 1", moment("2026-11-23T19:00Z"))
    table.write("red", "Pass")
    letters = [*table.say("blue", "Pass"), *table.at("2026-11-22T19:00Z")]
    events = [invitation, *filter(None, (entry(letter) for seat, letter in letters if seat == "red"))]
    assert {str(event["UID"]) for event in events} == {"oz-1.red@example.org"}
    numbers = [int(event["SEQUENCE"]) for event in events]
    assert numbers == sorted(set(numbers))
    assert [str(event["SUMMARY"])[-6:] for event in events] == ["turn 1", "turn 2", "turn 2"]


def test_only_who_is_waited_for_gets_an_entry(begin):
    table = begin()
    assert entries(table.say("red", "3 A to M"), "red") == []
    assert entries(table.say("red", "withdraw"), "red") == [("CONFIRMED", moment("2026-11-24T12:00Z"))]
    assert entries(table.say("red", "press: Good luck."), "blue") == []


def test_an_entry_is_struck_out_once_when_the_game_pauses_and_comes_back_with_it(begin):
    table = begin()
    decide(table, "pause oz-1 because of the holidays")
    assert entries(table.poll(), "red") == [("CANCELLED", moment("2026-11-24T12:00Z"))]
    assert entries(table.say("red", "status"), "red") == []
    decide(table, "resume oz-1 because they are over")
    ((status, due),) = entries(table.poll(), "red")
    assert (status, due) == ("CONFIRMED", table.match.deadline.moment)


def test_an_entry_is_struck_out_when_the_game_ends(begin):
    table = begin(deadline="1 day", forfeit=1)
    letters = table.at("2026-11-22T12:00Z")
    for seat in ("red", "blue"):
        assert entries(letters, seat) == [("CANCELLED", moment("2026-11-22T12:00Z"))]
        (event,) = [entry(letter) for to, letter in letters if to == seat]
        assert event["SEQUENCE"] > 1


def test_a_game_without_deadlines_has_no_entry(begin):
    table = begin(deadline="none")
    assert entry(table.last["red"]) is None
    decide(table, "pause oz-1 because of the holidays")
    assert entries(table.poll(), "red") == []


def test_an_answer_does_not_tell_how_many_letters_others_have_written_and_got(begin):
    """Neither its entry for the calendar nor its Message-ID: both bore the desk's own numbers of letters once."""
    table = begin()
    for _ in range(3):
        table.say("blue", "check: Pass")
    ((_, letter),) = table.say("red", "status")
    assert entry(letter)["SEQUENCE"] == 2
    assert not re.search(r"answer-\d+\.", letter["Message-ID"])
    (passed_on,) = [letter for to, letter in table.say("blue", "status\npress: Good luck!") if to == "red"]
    assert (entry(passed_on) or {}).get("SEQUENCE", 3) == 3
    assert not re.search(r"press-blue-\d+-\d", passed_on["Message-ID"])
