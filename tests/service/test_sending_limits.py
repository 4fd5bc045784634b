"""Limits on how many letters are sent in an hour and in a day: what does not fit waits, the most urgent go first."""

import json
from contextlib import closing
from datetime import timedelta
from email.message import Message
from pathlib import Path

from pbem.store import outbox
from pbem.store.database import Store, connect
from pbem.times.moments import stamp
from support.desks import NOON, TestDesk

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def begin(folder: Path, *lines: str) -> TestDesk:
    """A desk with these lines in [outgoing], whose two invitations have been sent at 12:05."""
    desk = TestDesk(folder)
    config = desk.folder / "config.ini"
    config.write_text(config.read_text().replace("[desk]", "\n".join((*lines, "[desk]"))))
    desk.new_game()
    assert len(desk.quiet_poll()) == 2
    return desk


def later(desk: TestDesk, after: timedelta) -> list[tuple[str, Message]]:
    """The letters that the desk sends when it runs after some time."""
    assert desk.poll(after) == (0, [])
    return desk.read()


def test_what_does_not_fit_into_the_last_sixty_minutes_waits(tmp_path):
    desk = begin(tmp_path / "desk", "an_hour = 3")
    desk.write("red", "status")
    desk.write("red", "help")
    assert [seat for seat, _ in desk.quiet_poll()] == ["red"]
    desk.now = NOON + HOUR + 4 * MINUTE
    assert desk.run("poll").lines == []
    assert desk.read() == []
    desk.now += MINUTE
    assert desk.run("poll").lines == []
    assert [seat for seat, _ in desk.read()] == ["red"]


def sent_after(desk: TestDesk, after: timedelta) -> list[str]:
    """The kinds of the letters that the desk sends when it runs after some time, in the order in which they were
    made."""
    assert desk.poll(after) == (0, [])
    with closing(connect(desk.folder / "pbem.db")) as conn:
        rows = conn.execute("SELECT kind FROM outbox WHERE sent = ? ORDER BY id", (stamp(desk.now),))
        return [kind for (kind,) in rows]


def test_receipts_and_answers_go_before_news(tmp_path):
    desk = begin(tmp_path / "desk", "an_hour = 2")
    desk.write("red", "3 A to M")  # Blue gets the news that they are in
    assert sent_after(desk, 5 * MINUTE) == []
    desk.write("blue", "status")
    assert sent_after(desk, 5 * MINUTE) == []
    assert sent_after(desk, HOUR) == ["answer", "answer"]
    assert sent_after(desk, HOUR) == ["sealed"]


def test_without_limits_letters_go_in_their_order(tmp_path):
    desk = begin(tmp_path / "desk")
    desk.write("red", "3 A to M")
    desk.write("blue", "status")
    assert [seat for seat, _ in desk.quiet_poll()] == ["red", "blue", "blue"]


def test_nothing_is_lost_or_sent_twice_and_deadlines_stay(tmp_path):
    desk = begin(tmp_path / "desk", "a_day = 2")
    for _ in range(4):
        desk.write("red", "status")
    (deadline,) = (line for line in desk.run("game", "show", "oz-1").lines if "eadline" in line)
    got = [later(desk, DAY) for _ in range(4)]
    assert [len(letters) for letters in got] == [2, 2, 0, 0]
    assert len({letter["Message-ID"] for letters in got for _, letter in letters}) == 4
    assert deadline in desk.run("game", "show", "oz-1").lines


def test_the_operator_is_told_what_waits_why_and_until_when(tmp_path):
    desk = begin(tmp_path / "desk", "an_hour = 100", "a_day = 2")
    assert json.loads(desk.run("status", "--json").lines[0])["letters_limited"] == 0
    desk.write("red", "status")
    desk.write("red", "help")
    assert desk.quiet_poll() == []
    said = "2 letters wait because of [outgoing] a_day = 2; the next can go at 2026-11-22 12:05 UTC."
    assert any(said in line for line in desk.run("doctor").lines)
    assert "limit: [outgoing] a_day = 2 is reached; the next letter can go at 2026-11-22T12:05:00Z" in (
        desk.run("status").lines
    )
    found = json.loads(desk.run("status", "--json").lines[0])
    assert (found["letters_limited"], found["limit"]) == (2, "[outgoing] a_day = 2")
    assert "pbem_letters_limited" in " ".join(desk.run("status", "--prometheus").lines)


def test_a_limit_that_is_raised_holds_at_once(tmp_path):
    desk = begin(tmp_path / "desk", "a_day = 2")
    desk.write("red", "status")
    assert desk.quiet_poll() == []
    config = desk.folder / "config.ini"
    config.write_text(config.read_text().replace("a_day = 2", "a_day = 3"))
    assert [seat for seat, _ in desk.quiet_poll()] == ["red"]


def test_letters_that_went_within_another_are_not_counted(tmp_path):
    desk = begin(tmp_path / "desk")
    store = Store(connect(desk.folder / "pbem.db"))
    with store.transaction():
        outbox.send_within(store, [1], "", desk.now + MINUTE)
    assert sum(number for _, number in outbox.sent_since(store, NOON)) == 1
    store.conn.close()
