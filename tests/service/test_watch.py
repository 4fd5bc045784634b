"""`pbem watch`: answers at once, by itself connects again, ends when it is told to, and bears cron beside it."""

import fcntl
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from pbem.config.config import Config, load_config
from pbem.service.tick import clock
from pbem.service.watch import watch
from pbem.times.moments import stamp
from pbem.transport.maildir import MaildirBell
from support.desks import Folders, Post, Servers, TestDesk, flat
from support.dovecot import Account, free_ports
from support.faulty import Proxy, Scripted
from support.sink import Sink

SOON = 15.0
"""Seconds in which a busy machine does at once what would wait for minutes otherwise."""


@pytest.fixture(params=["maildir", pytest.param("dovecot", marks=pytest.mark.long)])
def any_desk(request: pytest.FixtureRequest, tmp_path: Path) -> TestDesk:
    """A desk with a game whose invitations wait, on folders or on servers."""
    if request.param == "maildir":
        return with_game(tmp_path, Folders)
    return with_game(tmp_path, lambda folder: servers(request))


@pytest.fixture
def desk(tmp_path: Path, account: Account, sink: Sink) -> TestDesk:
    """A desk on servers with a game whose invitations wait."""
    return with_game(tmp_path, lambda folder: Servers(account, sink))


def servers(request: pytest.FixtureRequest) -> Servers:
    return Servers(request.getfixturevalue("account"), request.getfixturevalue("sink"))


def with_game(folder: Path, post: Callable[[Path], Post]) -> TestDesk:
    desk = TestDesk(folder / "desk", post)
    desk.now = clock()  # watch goes by the real clock
    desk.new_game()
    return desk


class Watcher:
    """`pbem watch` in a process of its own."""

    def __init__(self, desk: TestDesk) -> None:
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "pbem",
                "--config",
                desk.folder / "config.ini",
                "watch",
            ],
            stderr=subprocess.PIPE,
            text=True,
        )

    def end(self, number: int = signal.SIGTERM) -> list[str]:
        """Tell it to end; what it has said. It waits for no server and no pause, which take longer than is allowed here
        for a machine that is busy."""
        self._process.send_signal(number)
        _, said = self._process.communicate(timeout=30)
        assert self._process.returncode == 0, said
        return said.splitlines()

    def children(self) -> list[int]:
        pid = self._process.pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@contextmanager
def watched(desk: TestDesk, letters: int = 2) -> Iterator[Watcher]:
    """A desk under watch, which has sent its first letters."""
    watcher = Watcher(desk)
    try:
        comes(desk, letters, within=30)
        yield watcher
    finally:
        watcher.kill()


def comes(desk: TestDesk, number: int = 1, within: float = 30.0) -> float:
    """Wait until so many more letters have been sent; how long that took."""
    began, sent = time.monotonic(), desk._read + number
    while len(desk.post.sent()) < sent:
        assert time.monotonic() - began < within, desk.post.sent()
        time.sleep(0.01)
    took = time.monotonic() - began
    desk.read()
    return took


def test_a_letter_is_answered_at_once(any_desk: TestDesk) -> None:
    with watched(any_desk) as watcher:
        for text in ("help", "status", "check: 3 A to M"):
            any_desk.write("red", text)
            took = comes(any_desk)
        assert took < SOON
        time.sleep(1.5)
        assert any_desk.read() == []
        assert watcher.end() == []


def test_a_letter_that_waits_to_be_sent_goes_out_at_once(any_desk: TestDesk) -> None:
    with watched(any_desk) as watcher:
        any_desk.new_game()
        assert comes(any_desk, 2) < SOON
        assert watcher.end() == []


def test_a_deadline_is_kept_when_it_comes(any_desk: TestDesk) -> None:
    with watched(any_desk) as watcher:
        due = clock().replace(microsecond=0) + timedelta(seconds=2)
        with closing(sqlite3.connect(any_desk.folder / "pbem.db", isolation_level=None)) as db:
            db.execute("UPDATE matches SET deadline = ?, due = ?", (f"{due:%Y-%m-%dT%H:%M} UTC", stamp(due)))
        comes(any_desk, 2)
        assert timedelta() <= clock() - due < timedelta(seconds=SOON)
        assert "Turn 1 has been played" in flat(any_desk.last["red"])
        assert watcher.end() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_wait_at_once(any_desk: TestDesk, number: int) -> None:
    with watched(any_desk) as watcher:
        time.sleep(0.3)
        assert watcher.end(number) == []


def test_a_signal_ends_a_run_that_waits_for_its_server(desk: TestDesk) -> None:
    with watched(desk) as watcher:
        assert watcher.end() == []
    desk.write("red", "help")
    with Proxy(desk.post.account.server.imap, "stall", at=r"\S+ UID FETCH") as proxy:
        desk.configure(mailbox=f"imap://{desk.post.account.name}@127.0.0.1:{proxy.port}/INBOX")
        watcher = Watcher(desk)
        while proxy.lines < 1:
            time.sleep(0.01)
        time.sleep(0.5)
        assert watcher.end() == []
    desk.configure()
    assert [seat for seat, _ in desk.quiet_poll()] == ["red"]


def test_a_signal_to_all_its_processes_costs_no_letter(tmp_path: Path) -> None:
    desk = with_game(tmp_path, Folders)
    with watched(desk) as watcher:
        desk.write("red", "help")
        comes(desk)
        (reader,) = watcher.children()
        os.kill(reader, signal.SIGTERM)  # as systemd stops a service
        desk.write("red", "status")
        comes(desk)
        assert "we failed" not in flat(desk.last["red"])
        assert watcher.end() == []


def test_a_line_that_is_cut_is_built_again(desk: TestDesk) -> None:
    with Proxy(desk.post.account.server.imap) as proxy:
        desk.configure(mailbox=f"imap://{desk.post.account.name}@127.0.0.1:{proxy.port}/INBOX")
        with watched(desk) as watcher:
            for _ in range(2):
                proxy.cut()
                desk.write("red", "help")
                comes(desk)
                time.sleep(3)  # the pause before it connects again
                desk.write("red", "help")
                assert comes(desk) < SOON
            assert watcher.end() == []


def test_troubles_are_told_as_by_poll(desk: TestDesk) -> None:
    (port,) = free_ports(1)
    desk.configure(mailbox=f"imap://{desk.post.account.name}@127.0.0.1:{port}/INBOX")
    watcher = Watcher(desk)
    try:
        comes(desk, 2, within=30)  # the invitations go out all the same
        time.sleep(3)
        (line,) = watcher.end()
        told = f"The IMAP server 127.0.0.1:{port} cannot be reached: Connection refused."
        assert line.startswith(f"pbem: Letters cannot be fetched: {told}")
    finally:
        watcher.kill()
    desk.configure()
    watcher = Watcher(desk)
    try:
        desk.write("red", "help")
        comes(desk, within=30)
        time.sleep(1)  # a run that is ended early leaves it to the next to tell
        (line,) = watcher.end()
        assert "The trouble with mailbox" in line
        assert "is over." in line
    finally:
        watcher.kill()


def test_a_database_that_is_away_for_a_while_is_told_once(tmp_path: Path) -> None:
    desk = with_game(tmp_path, Folders)
    with watched(desk) as watcher:
        database, aside = desk.folder / "pbem.db", desk.folder / "aside.db"
        with (desk.folder / "pbem.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # not in the middle of a run, which would have its own complaint
            database.rename(aside)
        desk.write("red", "help")
        time.sleep(2)
        aside.rename(database)
        comes(desk, within=30)
        (line,) = watcher.end()
        assert "There is no database at" in line


# cron beside it


def test_poll_may_run_beside_it(any_desk: TestDesk) -> None:
    with watched(any_desk) as watcher:
        for number in range(5):
            any_desk.write("red", f"help {number}")
            any_desk.now = clock()
            assert any_desk.run("poll") == (0, [])
        any_desk.write("red", "status")
        comes(any_desk, 6)
        time.sleep(1.5)
        assert any_desk.read() == []
        assert watcher.end() == []
    with closing(sqlite3.connect(any_desk.folder / "pbem.db")) as db:
        assert db.execute("SELECT count(*) FROM letters WHERE state = 'handled'").fetchone() == (6,)


def test_a_letter_that_comes_while_cron_is_at_work_is_answered_afterwards(tmp_path: Path) -> None:
    desk = with_game(tmp_path, Folders)
    with watched(desk) as watcher:
        with (desk.folder / "pbem.lock").open("w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            desk.write("red", "help")
            time.sleep(1.5)
            assert desk.read() == []
        assert comes(desk) < SOON
        assert watcher.end() == []


# In this process, with shorter times


def watch_while(config: Config, act: Callable[[], object]) -> list[str]:
    """Watch a desk while something happens beside it; what is told."""
    told: list[str] = []
    failed: list[BaseException] = []

    def beside() -> None:
        try:
            act()
        except BaseException as error:  # noqa: BLE001
            failed.append(error)
        finally:
            os.kill(os.getpid(), signal.SIGTERM)

    thread = threading.Timer(0.1, beside)
    before = signal.getsignal(signal.SIGTERM)
    thread.start()
    watch(config, told.extend, lambda text: None)
    thread.join()
    assert signal.getsignal(signal.SIGTERM) == before
    if failed:
        raise failed[0]
    return told


def until(condition: Callable[[], bool]) -> None:
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < 60
        time.sleep(0.01)


def idling_imap(capabilities: bytes) -> Scripted:
    """An empty mailbox that can be watched."""
    tag = b""

    def answer(line: bytes) -> bytes:
        nonlocal tag
        words = line.split()
        if words == [b"DONE"]:
            return tag + b" OK done\r\n"
        if words[1] == b"IDLE":
            tag = words[0]
            return b"+ idling\r\n"
        said = {
            b"CAPABILITY": b"* CAPABILITY IMAP4rev1" + capabilities + b"\r\n",
            b"SELECT": b"* 0 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 1] ok\r\n",
        }
        return said.get(words[1], b"") + words[0] + b" OK done\r\n"

    return Scripted(b"* OK here\r\n", answer)


def hasty(folder: Path, port: int, every: float, monkeypatch: pytest.MonkeyPatch) -> Config:
    """A desk whose times are a twentieth of what they are; `every` in seconds."""
    monkeypatch.setattr("pbem.service.watch.BEAT", 0.02)
    monkeypatch.setattr("pbem.service.watch.PAUSE", 0.05)
    return fetching(folder, port, every)


def fetching(folder: Path, port: int, every: float) -> Config:
    """A desk that fetches its letters from a port; `every` in seconds."""
    desk = TestDesk(folder / "desk")
    desk.configure(mailbox=f"imap://gm@127.0.0.1:{port}/INBOX")
    config = load_config(desk.folder / "config.ini")
    return config._replace(desk=config.desk._replace(every=timedelta(seconds=every)))


def said(server: Scripted, word: bytes) -> int:
    return sum(word in line for line in server.heard)


def test_idle_is_begun_anew_before_the_server_hangs_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.service.watch._RENEWAL", 0.2)
    with idling_imap(b" IDLE") as server:
        config = hasty(tmp_path, server.port, 300, monkeypatch)
        assert watch_while(config, lambda: until(lambda: said(server, b"DONE") >= 4)) == []
        assert said(server, b"IDLE") - said(server, b"CAPABILITY") <= 5


def test_on_a_server_without_idle_letters_are_looked_for_every_so_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with idling_imap(b"") as server:
        config = hasty(tmp_path, server.port, 0.2, monkeypatch)
        assert watch_while(config, lambda: until(lambda: said(server, b"NOOP") >= 4)) == []
        assert said(server, b"IDLE") == 0
        assert said(server, b"LOGIN") >= 4


def test_systemd_hears_that_a_desk_is_ready_and_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.service.watch._ALIVE", 0.1)
    desk = with_game(tmp_path, Folders)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        heard: list[bytes] = []
        watch_while(
            load_config(desk.folder / "config.ini"),
            lambda: heard.extend(systemd.recv(100) for _ in range(12)),
        )
    assert {*heard} == {b"READY=1", b"WATCHDOG=1"}
    assert heard.count(b"READY=1") == 1
    assert heard[-1] == b"WATCHDOG=1"


def test_a_signal_lets_a_run_end_its_group_of_letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = with_game(tmp_path, Folders)
    desk.quiet_poll()
    for _ in range(250):
        desk.write("red", "3 A to M")
    monkeypatch.setattr("pbem.service.watch.GRACE", 60)
    handled = desk.folder / "mail/in/.Handled/cur"
    watch_while(
        load_config(desk.folder / "config.ini"),
        lambda: until(lambda: handled.exists() and len(list(handled.iterdir())) >= 50),
    )
    done = len(list(handled.iterdir()))
    assert 50 <= done < 250
    assert done % 50 == 0
    with closing(sqlite3.connect(desk.folder / "pbem.db")) as db:
        assert db.execute("SELECT state, count(*) FROM letters GROUP BY state").fetchall() == [("handled", done)]
    desk.now = clock()
    assert desk.poll().status == 0
    assert len(list(handled.iterdir())) == 250


def test_a_server_that_is_down_is_tried_again_after_growing_pauses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, tries = 0.0, [0.0]

    def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    def close(line: bytes) -> None:
        if now > tries[-1]:
            tries.append(now)

    monkeypatch.setattr("pbem.service.watch.monotonic", lambda: now)
    monkeypatch.setattr("pbem.service.watch.sleep", sleep)
    with Scripted(b"* OK here\r\n", close) as server:
        config = fetching(tmp_path, server.port, 10)
        told = watch_while(config, lambda: until(lambda: len(tries) >= 6))
    (line,) = told
    assert "Letters cannot be fetched" in line
    assert [after - before for before, after in pairwise(tries)][:5] == [2, 4, 8, 10, 10]


def test_a_line_that_is_being_opened_is_held_before_a_signal_ends_the_desk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[MaildirBell] = []

    def open_and_hear(config: Config) -> MaildirBell:
        os.kill(os.getpid(), signal.SIGTERM)
        held.append(MaildirBell(tmp_path))
        return held[0]

    monkeypatch.setattr("pbem.service.watch.open_bell", open_and_hear)
    before = signal.getsignal(signal.SIGTERM)
    desk = with_game(tmp_path, Folders)
    watch(load_config(desk.folder / "config.ini"), lambda lines: None, lambda text: None)
    assert held
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_desk_that_cannot_run_at_all_is_told_at_once(tmp_path: Path) -> None:
    desk = with_game(tmp_path, Folders)
    told = desk.run("watch")
    assert (told.status, told.lines[-1]) == (2, "Error: watch goes by the clock: leave --now out.")
    (desk.folder / "pbem.db").unlink()
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "--config", desk.folder / "config.ini", "watch"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
