"""A run that is killed at any step is repaired by the next: nothing lost, nothing played twice, doubles told apart."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from email import message_from_bytes
from pathlib import Path

import pytest
from dovecot import PASSWORD, Account
from sink import Sink

from pbem.demo import Table
from pbem.matches import load_match
from pbem.store import Store, connect

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
KILLER = Path(__file__).with_name("killer.py")
ORDERS = (("red", "3 A to M"), ("red", "3 M to A, Bmob EC"), ("red", "help\nstatus"), ("blue", "3 H to S; Bomb M"))


def poll(desk: Path, step: int) -> int | str:
    """A run that is killed at a step: its status, minus the signal; if it was not killed, how many steps it had."""
    done = subprocess.run(
        [
            sys.executable,
            KILLER,
            "run",
            str(step),
            "--config",
            desk / "config.ini",
            "--now",
            "2026-11-21T13:00Z",
            "poll",
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, -9), done.stderr
    return done.returncode or done.stdout.strip()


def prepared(folder: Path) -> tuple[Path, list[bytes]]:
    """A desk whose invitations are out, and the letters that its players have written."""
    table = Table(folder, NOON)
    table.poll()
    letters = [table.answer(seat, text).as_bytes() for seat, text in ORDERS]
    table.close()
    return folder, letters


def check_nothing_is_lost_or_doubled(desk: Path, sent: list[bytes]) -> None:
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
    assert ids == {message_id for _, _, message_id, _ in rows}
    assert [state for (state,) in store.conn.execute("SELECT state FROM letters")] == ["handled"] * 4
    store.conn.close()


def kill_everywhere(set_up: Callable[[], Path], sent: Callable[[], list[bytes]], every: int) -> int:
    """Kill a run at each `every`-th of its steps, and let the next run mend it; how many kills there were.

    What a server says may come in one piece or in two, so that a run may end some steps before the last was counted.
    """
    steps = int(poll(set_up(), 0))
    assert steps > 30
    kills = 0
    for step in range(1, steps + 1, every):
        desk = set_up()
        kills += poll(desk, step) == -9
        poll(desk, 0)
        check_nothing_is_lost_or_doubled(desk, sent())
    assert kills * every > steps * 0.9
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


def test_a_run_killed_at_any_step_is_repaired_by_the_next_on_maildir(tmp_path):
    kill_everywhere(*on_maildir(tmp_path), every=23)


def test_a_run_killed_at_any_step_is_repaired_by_the_next_on_dovecot(tmp_path, dovecot, sink):
    kill_everywhere(*on_dovecot(tmp_path, dovecot.account, sink), every=29)


@pytest.mark.long
def test_every_step_on_maildir(tmp_path):
    print(kill_everywhere(*on_maildir(tmp_path), every=1), "kills on Maildir")


@pytest.mark.long
def test_every_step_on_dovecot(tmp_path, dovecot, sink):
    print(kill_everywhere(*on_dovecot(tmp_path, dovecot.account, sink), every=1), "kills on Dovecot")
