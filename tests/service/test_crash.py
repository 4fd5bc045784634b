"""A run that is killed at any step is repaired by the next, and runs that meet keep out of each other's way."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.cli.demo import DemoDesk
from pbem.service.handling import DEATHS
from pbem.store.database import Store, connect
from pbem.store.matches import load_match
from support.desks import Servers, TestDesk, flat
from support.dovecot import PASSWORD, Account
from support.killer import poll
from support.sink import Sink

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
ORDERS = (("red", "3 A to M"), ("red", "3 M to A, Bmob EC"), ("red", "help\nstatus"), ("blue", "3 H to S; Bomb M"))


def prepared(folder: Path) -> tuple[Path, list[bytes]]:
    """A desk whose invitations are out, and the letters that its players have written."""
    table = DemoDesk(folder, NOON)
    table.poll()
    letters = [table.answer(seat, text).as_bytes() for seat, text in ORDERS]
    table.close()
    return folder, letters


def check_nothing_is_lost_or_doubled(desk: Path, sent: list[bytes]) -> int:
    """Check that all has been done once, and return how many receipts came in a report. A receipt whose run was killed
    before the turn was played has a letter of its own."""
    store = Store(connect(desk / "pbem.db"))
    match = load_match(store, 1)
    assert match.turn == 2
    assert str(match.state) == "2 red M3 W3 bombs 3 blue V3 S3 E3 bombs 2"
    rows = store.conn.execute("SELECT kind, seat, message_id, sent IS NOT NULL FROM outbox ORDER BY id").fetchall()
    assert sorted((kind, seat) for kind, seat, _, _ in rows) == sorted(
        [("invitation", "red"), ("invitation", "blue"), *[("answer", "red")] * 3, ("answer", "blue")]
        + [("report", "red"), ("report", "blue")]
    )
    assert all(was_sent for *_, was_sent in rows)
    ids = {message_from_bytes(raw)["Message-ID"].strip("<>") for raw in sent}
    within = store.column("SELECT message_id FROM outbox JOIN gathered ON letter = id")
    assert {message_id for kind, _, message_id, _ in rows if kind == "answer"}.issuperset(within)
    assert ids == {message_id for _, _, message_id, _ in rows}.difference(within)
    assert [state for (state,) in store.conn.execute("SELECT state FROM letters")] == ["handled"] * 4
    store.conn.close()
    return len(within)


def kill_everywhere(set_up: Callable[[], Path], sent: Callable[[], list[bytes]], every: int) -> int:
    """Kill a run at each `every`-th of its steps, and let the next run mend it; how many kills there were.

    What a server says may come in one piece or in two, so that a run may end some steps before the last was counted.
    """
    desk = set_up()
    steps = poll(desk).steps
    assert steps > 30
    assert check_nothing_is_lost_or_doubled(desk, sent()) == 2  # the last receipt of each
    kills = 0
    for step in range(1, steps + 1, every):
        desk = set_up()
        kills += poll(desk, step).killed
        poll(desk)
        check_nothing_is_lost_or_doubled(desk, sent())
    assert kills * every > steps * 0.9
    return kills


def kill_readers_everywhere(set_up: Callable[[], Path], sent: Callable[[], list[bytes]], every: int) -> int:
    """The same with the reader: the run itself goes on to its end."""
    steps = poll(set_up()).steps
    kills = 0
    for step in range(1, steps + 1, every):
        desk = set_up()
        ended = poll(desk, reader=step)
        assert not ended.killed
        kills += ended.reader_killed
        check_nothing_is_lost_or_doubled(desk, sent())
    return kills


def on_maildir(folder: Path) -> tuple[Callable[[], Path], Callable[[], list[bytes]]]:
    model, letters = prepared(folder / "model")
    desk = folder / "desk"

    def set_up() -> Path:
        shutil.rmtree(desk, ignore_errors=True)
        shutil.copytree(model, desk)
        for number, letter in enumerate(letters):
            (desk / "mail" / "in" / "new" / f"1795262400.Q{number}.test").write_bytes(letter)
        return desk

    return set_up, lambda: [path.read_bytes() for path in (desk / "mail" / "out" / "new").iterdir()]


def on_dovecot(
    folder: Path, account: Callable[[], Account], sink: Sink
) -> tuple[Callable[[], Path], Callable[[], list[bytes]]]:
    model, letters = prepared(folder / "model")
    desk = folder / "desk"
    invitations = [path.read_bytes() for path in (model / "mail" / "out" / "new").iterdir()]

    def set_up() -> Path:
        user = account()
        user.append(*letters)
        sink.reset()
        shutil.rmtree(desk, ignore_errors=True)
        shutil.copytree(model, desk)
        config = (desk / "config.ini").read_text()
        (desk / "password").write_text(PASSWORD)
        (desk / "password").chmod(0o600)
        config = config.replace("url = maildir:mail/in", f"url = {user.url()}\npassword_file = password")
        config = config.replace("url = maildir:mail/out", f"url = smtp://127.0.0.1:{sink.port}")
        (desk / "config.ini").write_text(config)
        return desk

    return set_up, lambda: [*invitations, *(kept.raw for kept in sink.letters)]


def test_a_run_killed_at_any_step_is_repaired_by_the_next(tmp_path):
    kill_everywhere(*on_maildir(tmp_path), every=397)


def test_a_reader_killed_at_any_step_costs_no_letter(tmp_path):
    assert kill_readers_everywhere(*on_maildir(tmp_path), every=211) > 0


@pytest.mark.long
def test_every_second_step_on_maildir(tmp_path):
    print(kill_everywhere(*on_maildir(tmp_path), every=2), "kills on Maildir")


@pytest.mark.long
def test_every_step_on_dovecot(tmp_path, dovecot, sink):
    print(kill_everywhere(*on_dovecot(tmp_path, dovecot.account, sink), every=1), "kills on Dovecot")


@pytest.mark.long
def test_every_second_step_of_the_reader(tmp_path):
    print(kill_readers_everywhere(*on_maildir(tmp_path), every=2), "readers killed")


def test_no_letter_is_blamed_for_a_full_disk(tmp_path):
    desk = TestDesk(tmp_path / "desk")
    desk.new_game()
    desk.quiet_poll()
    desk.write("red", "3 A to M")
    desk.write("blue", "help")
    with closing(sqlite3.connect(desk.folder / "pbem.db")) as db:
        db.execute("CREATE TRIGGER full BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'disk is full'); END")
        for _ in range(DEATHS + 1):
            assert desk.poll().status == 1
        db.execute("DROP TRIGGER full")
    assert [seat for seat, _ in desk.quiet_poll()] == ["red", "blue", "blue"]


def polls_at_once(desk: TestDesk) -> None:
    """Two runs start together, and both end well."""
    program = [sys.executable, "-m", "pbem", "--config", desk.folder / "config.ini"]
    command = [*program, "--now", f"{desk.now:%Y-%m-%dT%H:%MZ}", "poll"]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in range(2)]
    assert [(run.communicate()[0], run.returncode) for run in runs] == [(b"", 0)] * 2


@pytest.mark.parametrize("rounds", [3, pytest.param(100, marks=pytest.mark.long)])
def test_of_two_runs_started_at_once_one_does_all_the_work(tmp_path, account, sink, rounds):
    desk = TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink))
    desk.new_game()
    desk.quiet_poll()
    for turn in range(1, rounds + 1):
        for seat in ("red", "blue"):
            desk.write(seat, "Pass")
        desk.now += timedelta(minutes=5)
        polls_at_once(desk)
        letters = desk.read()
        assert sorted(seat for seat, _ in letters) == ["blue", "red"]
        assert sum(f"Turn {turn} has been played" in flat(letter) for _, letter in letters) == 2
    assert desk.quiet_poll() == []
    assert len(sink.letters) == len({message_from_bytes(kept.raw)["Message-ID"] for kept in sink.letters})
