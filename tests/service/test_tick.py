"""A desk that is polled, on folders and on servers: games by letters alone, troubles told, nothing lost or betrayed."""

import fcntl
import gc
import os
import re
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from email.message import Message
from pathlib import Path
from unittest.mock import Mock

import pytest

from pbem.config.config import load_config
from pbem.games.ozymandia import Ozymandia
from pbem.orders import reader
from pbem.service import tick
from pbem.service.compose import Composer
from pbem.store.database import VERSION, StoreError
from support.desks import Folders, Post, Servers, TestDesk, Told, bound_by_modes, flat, proof
from support.dovecot import PASSWORD, free_ports
from support.faulty import Proxy

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


@pytest.fixture(params=["maildir", "dovecot"])
def post(request: pytest.FixtureRequest) -> Callable[[Path], Post]:
    if request.param == "maildir":
        return Folders
    servers = Servers(request.getfixturevalue("account"), request.getfixturevalue("sink"))
    return lambda folder: servers


@pytest.fixture
def desk(tmp_path: Path) -> TestDesk:
    """On folders, its game's invitations read."""
    return invited(TestDesk(tmp_path / "desk"))


@pytest.fixture
def server_desk(tmp_path: Path, account, sink) -> TestDesk:
    """On servers, its game's invitations read."""
    return invited(TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink)))


def invited(desk: TestDesk, *options: str) -> TestDesk:
    desk.new_game(*options)
    desk.quiet_poll()
    return desk


def texts(letters: list[tuple[str, Message]], seat: str) -> list[str]:
    return [flat(letter) for to, letter in letters if to == seat]


# Games


@pytest.mark.parametrize("reply", ["plus", "catch-all", "none"])
def test_a_game_is_played_to_its_end_by_letters_alone(tmp_path, post, reply):
    desk = TestDesk(tmp_path / "desk", post, reply)
    desk.new_game("--deadline", "3 days")
    assert [seat for seat, _ in desk.quiet_poll()] == ["red", "blue"]
    form = {"plus": r"<gm\+1-red-1-\w+@", "catch-all": r"<1-red-1-\w+@", "none": "<gm@"}
    assert re.fullmatch(form[reply] + "example.org>", desk.last["red"]["Reply-To"])

    desk.write("red", "2 A to AC")
    desk.write("blue", "Hi Alice,\nit rains here.\n\n3 H to S, Bomb M")
    letters = desk.quiet_poll()
    assert [seat for seat, _ in letters] == ["red", "blue"]
    assert "Turn 1 has been played; turn 2 is waiting" in texts(letters, "red")[0]
    assert 'Taken as remarks, not as orders: "it rains here."' in texts(letters, "blue")[0]

    desk.write("red", "1 Ambr City to MC")
    (proposal,) = texts(desk.quiet_poll(), "red")
    assert "This is how we understand your orders for turn 2: receipt 2-1. 1 AC to MC" in proposal
    desk.write("red", "yes")
    (receipt,) = texts(desk.quiet_poll(), "red")
    assert "Your orders for turn 2 are in: receipt 2-2, which replaces receipt 2-1. 1 AC to MC" in receipt
    desk.write("blue", "Pass")
    desk.quiet_poll()

    for text in ("2 W to WC", "1 WC to UC", "1 UC to EC"):
        desk.write("red", text)
        desk.write("blue", "Pass")
        letters = desk.quiet_poll()
    assert "You have won" in texts(letters, "red")[0]
    assert "Alice (Red) has won" in texts(letters, "blue")[0]
    assert desk.quiet_poll() == []


def test_a_players_whole_correspondence_about_a_game_is_one_thread(tmp_path, dovecot, sink):
    desk = invited(TestDesk(tmp_path / "desk", lambda folder: Servers(dovecot.account(), sink)))
    for text in ("2 A to AC", "help", "withdraw", "3 A to Muu", "yes"):
        desk.write("red", text)
        desk.quiet_poll()
    desk.write("blue", "Pass")
    desk.quiet_poll()
    desk.now += timedelta(days=8)
    desk.quiet_poll()

    alice = dovecot.account()
    own = [raw for raw in desk.written if b"From: Alice" in raw]
    received = [raw for raw in desk.post.sent() if b"To: Alice" in raw]
    assert (len(own), len(received)) == (5, 8)
    alice.append(*received, *own)
    with alice.client() as client:
        # REFS looks at References alone; REFERENCES would also join what has one subject.
        for algorithm in ("REFS", "REFERENCES"):
            assert len(client.thread(algorithm)) == 1


# Troubles


def lasts_and_ends(desk: TestDesk, breaks: Callable[[], object], mends: Callable[[], object]) -> str:
    """The sentence a trouble is told with, after it has come, lasted two days and gone."""
    breaks()
    told = desk.poll()
    assert told.status == 1
    assert len(told.lines) == 1
    assert desk.poll() == (1, [])
    since = f"{desk.now - 5 * MINUTE:%Y-%m-%dT%H:%M:00Z}"
    again = desk.poll(DAY)
    assert again == (1, [f"{told.lines[0]} It has been so since {since}."])
    assert desk.poll() == (1, [])
    mends()
    over = desk.poll()
    assert over.status == 0
    assert len(over.lines) == 1
    assert f"which began at {since}, is over" in over.lines[0]
    assert desk.poll() == (0, [])
    return told.lines[0]


def test_a_maildir_that_is_gone_is_told_once_a_day_and_its_letters_are_read_later(desk):
    desk.write("red", "3 A to M")
    inbox, aside = desk.post.inbox, desk.folder / "aside"
    line = lasts_and_ends(desk, lambda: inbox.rename(aside), lambda: aside.rename(inbox))
    told = f"{inbox} is no Maildir: put it back, or mend the url in config.ini."
    assert line == f"pbem: Letters cannot be fetched: {told}"
    assert "receipt 1-1" in texts(desk.read(), "red")[0]


def test_an_imap_server_that_is_down_loses_nothing(server_desk):
    desk = server_desk
    desk.write("red", "3 A to M")
    (port,) = free_ports(1)
    line = lasts_and_ends(desk, lambda: desk.configure(mailbox=f"imap://gm@127.0.0.1:{port}/INBOX"), desk.configure)
    assert line.startswith(
        f"pbem: Letters cannot be fetched: The IMAP server 127.0.0.1:{port} cannot be reached: Connection refused."
    )
    assert "receipt 1-1" in texts(desk.read(), "red")[0]


def test_an_smtp_server_that_is_down_gets_each_letter_later_and_once(server_desk):
    desk = server_desk
    desk.write("red", "3 A to M")
    (port,) = free_ports(1)
    line = lasts_and_ends(desk, lambda: desk.configure(outgoing=f"smtp://127.0.0.1:{port}"), desk.configure)
    assert line.startswith(
        f"pbem: Letters cannot be sent: The SMTP server 127.0.0.1:{port} cannot be reached: Connection refused."
    )
    (_, receipt), (_, notice) = desk.read()
    assert "receipt 1-1" in flat(receipt)
    assert "Alice (Red) has sent orders for turn 1; they are sealed" in flat(notice)


def test_a_wrong_password_is_told_without_it(server_desk):
    desk = server_desk
    line = lasts_and_ends(desk, lambda: desk.configure(password="wrong%horse"), desk.configure)
    server = f"The IMAP server 127.0.0.1:{desk.post.account.server.imap}"
    assert line.startswith(f"pbem: Letters cannot be fetched: {server} refused the login: ")
    assert "horse" not in desk.printed


def test_troubles_that_come_and_go_apart_are_told_apart(server_desk):
    desk = server_desk
    (port,) = free_ports(1)
    desk.write("red", "help")
    desk.configure(outgoing=f"smtp://127.0.0.1:{port}")
    assert len(desk.poll().lines) == 1
    desk.configure(mailbox=f"imap://gm@127.0.0.1:{port}/INBOX", outgoing=f"smtp://127.0.0.1:{port}")
    (line,) = desk.poll().lines
    assert "cannot be fetched" in line
    desk.configure(mailbox=f"imap://gm@127.0.0.1:{port}/INBOX")
    told = desk.poll()
    assert told.status == 1
    assert ["outgoing" in line and "is over" in line for line in told.lines] == [True]


def test_nobody_misses_a_turn_while_letters_cannot_be_fetched(desk):
    desk.write("red", "3 A to M")
    inbox, aside = desk.post.inbox, desk.folder / "aside"
    inbox.rename(aside)
    assert desk.poll(8 * DAY).status == 1
    assert desk.read() == []
    aside.rename(inbox)
    desk.poll()
    report = texts(desk.read(), "red")[-1]
    assert "You 3 A to M" in report
    assert "Blue, Bob no orders came" in report


def test_a_recipient_who_cannot_be_served_now_is_tried_again_with_growing_pauses(server_desk, sink):
    desk = server_desk
    desk.write("blue", "help")
    sink.refuse["bob@example.com"] = "451 4.7.1 come back later"
    tries = []
    for minute in range(80):
        before = attempts(desk)
        assert desk.poll(MINUTE) == (0, [])
        if attempts(desk) > before:
            tries.append(minute)
    assert tries == [0, 5, 15, 35, 75]
    sink.refuse.clear()
    assert desk.poll(76 * MINUTE) == (0, [])
    assert [seat for seat, _ in desk.read()] == ["blue"]


def attempts(desk: TestDesk) -> int:
    """How often the desk has been told to come back later."""
    with closing(sqlite3.connect(desk.folder / "pbem.db")) as db:
        return int(db.execute("SELECT sum(attempts) FROM outbox").fetchone()[0])


# Two runs, and the database


@contextmanager
def lock_held(desk: TestDesk) -> Iterator[None]:
    with (desk.folder / "pbem.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_a_second_run_does_nothing_while_the_first_is_at_work(desk):
    desk.write("red", "3 A to M")
    with lock_held(desk):
        assert desk.poll() == (0, [])
    assert desk.read() == []
    assert [seat for seat, _ in desk.quiet_poll()] == ["red", "blue"]


def test_a_run_that_hangs_on_its_server_does_not_hold_up_cron(server_desk):
    desk = server_desk
    with Proxy(desk.post.account.server.imap, "stall", 0) as proxy:
        desk.configure(mailbox=desk.post.mailbox.replace(str(desk.post.account.server.imap), str(proxy.port)))
        program = [sys.executable, "-m", "pbem"]
        first = subprocess.Popen([*program, "--config", desk.folder / "config.ini", "poll"])
        try:
            while not is_locked(desk.folder / "pbem.lock"):
                time.sleep(0.01)
            assert desk.poll() == (0, [])
        finally:
            first.kill()
            first.wait()
    desk.configure()
    assert desk.poll() == (0, [])


def is_locked(path: Path) -> bool:
    with path.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def one_sentence(told: Told) -> str:
    """What the operator is told of a database that cannot be used."""
    assert told.status == 1
    (line,) = told.lines
    return line


def test_a_database_that_another_process_holds_for_too_long(desk, monkeypatch):
    monkeypatch.setattr("pbem.store.database.PATIENCE", 0.05)
    desk.write("red", "3 A to M")
    with closing(sqlite3.connect(desk.folder / "pbem.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "(database is locked); nothing is lost, the next run goes on." in one_sentence(desk.poll())
        assert "database is locked" in one_sentence(desk.run("game", "new", "--red", "a@b.c", "--blue", "d@e.f"))
        other.execute("ROLLBACK")
    assert "receipt 1-1" in texts(desk.quiet_poll(), "red")[0]
    assert desk.run("game", "list").lines == ["oz-1  ozymandia, turn 1, waits for blue, deadline 2026-11-28T12:00:00Z"]


def test_a_run_lets_another_process_write_between_its_letters(desk, monkeypatch):
    monkeypatch.setattr("pbem.service.handling._HELD", 0.0)
    monkeypatch.setattr("pbem.store.database.PATIENCE", 0.0)
    written = []

    def write(seconds: float) -> None:
        with closing(sqlite3.connect(desk.folder / "pbem.db", isolation_level=None, timeout=0)) as other:
            other.execute("BEGIN IMMEDIATE")
            written.append(other.execute("SELECT COUNT(*) FROM letters WHERE state = 'handled'").fetchone()[0])
            other.execute("ROLLBACK")

    monkeypatch.setattr("pbem.service.handling.sleep", write)
    for number in range(3):
        desk.write("red", f"help\n\nThis is letter {number}.")
    assert [seat for seat, _ in desk.quiet_poll()] == ["red"] * 3
    assert [done - written[0] for done in written] == [0, 1]


def test_a_run_that_fails_holds_neither_lock_nor_database_even_where_nobody_collects_garbage(desk, monkeypatch):
    """Its error keeps the whole run alive, and `pbem watch` goes on in the same process."""
    desk.write("red", "help")
    with monkeypatch.context() as full:
        full.setattr("pbem.store.database.Store.close_letter", Mock(side_effect=sqlite3.OperationalError("it is full")))
        gc.disable()
        try:
            with pytest.raises(StoreError, match="it is full") as failed:
                tick.poll(load_config(desk.folder / "config.ini"), desk.now + timedelta(minutes=5), lambda text: None)
        finally:
            gc.enable()
    assert [path for path in map(os.path.realpath, Path("/dev/fd").iterdir()) if str(desk.folder) in path] == []
    assert failed.value.__traceback__  # which still holds the run
    assert [seat for seat, _ in desk.quiet_poll()] == ["red"]


def test_a_letter_whose_answer_cannot_be_composed_costs_its_group_nothing(desk, monkeypatch):
    compose, made = Composer._compose, []

    def fails_at_the_second(*args):
        made.append(args)
        if len(made) == 2:
            raise ValueError
        return compose(*args)

    monkeypatch.setattr(Composer, "_compose", fails_at_the_second)
    for number in range(3):
        desk.write("red", f"help\n\nThis is letter {number}.")
    (line,) = desk.poll().lines
    assert "Letter 2 of red in oz-1 was set aside" in line
    names = [letter["Message-ID"] for _, letter in desk.read()]
    assert len(names) == len({*names}) == 4  # two answers, an apology, and a word to the game master


def test_a_database_that_is_missing(desk):
    desk.write("red", "3 A to M")
    database, aside = desk.folder / "pbem.db", desk.folder / "aside.db"
    database.rename(aside)
    assert one_sentence(desk.poll()) == (
        f"pbem: There is no database at {database}: restore it from a backup; `pbem init` makes new desks elsewhere."
    )
    assert not database.exists()
    (desk.folder / "pbem.lock").unlink()
    desk.poll()
    assert not (desk.folder / "pbem.lock").exists()
    aside.rename(database)
    assert "receipt 1-1" in texts(desk.quiet_poll(), "red")[0]


def test_a_database_of_a_newer_version(desk):
    desk.write("red", "3 A to M")
    with closing(sqlite3.connect(desk.folder / "pbem.db")) as db:
        db.execute("PRAGMA user_version = 99")
    assert f"made by a newer pbem (tables 99, known here {VERSION}): update pbem." in one_sentence(desk.poll())
    with closing(sqlite3.connect(desk.folder / "pbem.db")) as db:
        db.execute(f"PRAGMA user_version = {VERSION}")
    assert "receipt 1-1" in texts(desk.quiet_poll(), "red")[0]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not a database of pbem: restore yours from a backup."),
        (b"3 A to M\n" * 1000, "cannot be read: file is not a database."),
        (None, "cannot be read: unable to open database file."),
    ],
)
def test_something_else_in_the_place_of_the_database(tmp_path, content, sentence):
    desk = TestDesk(tmp_path / "desk")
    database = desk.folder / "pbem.db"
    database.unlink()
    database.write_bytes(content) if content is not None else database.mkdir()
    assert one_sentence(desk.poll()).endswith(sentence)
    if content is not None:
        assert database.read_bytes() == content


def test_a_damaged_database(desk):
    database = desk.folder / "pbem.db"
    size = database.stat().st_size
    with database.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    assert "The database" in one_sentence(desk.poll())


def test_a_database_that_may_only_be_read(desk):
    desk.write("red", "3 A to M")
    (desk.folder / "pbem.db").chmod(0o400)
    with bound_by_modes():
        assert "readonly database" in one_sentence(desk.poll())
    for path in desk.folder.glob("pbem.db*"):
        path.chmod(0o600)
    assert "receipt 1-1" in texts(desk.quiet_poll(), "red")[0]


# Letters and games that we fail on


def fail_on(monkeypatch: pytest.MonkeyPatch, words: str, error: BaseException) -> None:
    """Have the program fail on every letter with these words."""
    read = reader.read_orders

    def reads(standpoint, letter):
        if words in letter.rest:
            raise error
        return read(standpoint, letter)

    monkeypatch.setattr("pbem.match.receive.reader.read_orders", reads)


def test_a_letter_that_we_fail_on_is_set_aside_and_stops_nobody_else(desk, monkeypatch):
    fail_on(monkeypatch, "3 A to M", ValueError("3 A to M"))
    desk.write("red", "3 A to M")
    desk.write("blue", "3 H to S")
    told = desk.poll()
    letters = desk.read()
    assert told.status == 0  # the desk itself is well
    (line,) = told.lines
    assert re.fullmatch(r"pbem: Letter 1 of red in oz-1 was set aside \(.* ValueError\): `pbem letters .*", line)
    assert "3 A to M" not in line
    assert "Your letter arrived, but we failed to process it. It is kept" in texts(letters, "red")[0]
    assert "receipt 1-1" in texts(letters, "blue")[0]
    assert desk.poll() == (0, [])


def test_no_letter_is_blamed_for_a_part_of_the_program_that_cannot_be_read(desk, monkeypatch):
    with monkeypatch.context() as half_installed:
        fail_on(half_installed, "3 A to M", ModuleNotFoundError(name="pbem.match.reports"))
        desk.write("red", "3 A to M")
        for _ in range(10):
            told = desk.poll()
            assert told.status == 1
            assert one_sentence(told).startswith("pbem: a part of the program cannot be read: pbem.match.reports.")
    assert "receipt 1-1" in texts(desk.quiet_poll(), "red")[0]


def test_no_game_is_blamed_for_a_part_of_the_program_that_cannot_be_read(desk, monkeypatch):
    def tick(*_: object) -> None:
        raise ModuleNotFoundError(name="pbem.match.reports")

    desk.write("red", "3 A to M")
    desk.write("blue", "3 H to S")
    with monkeypatch.context() as half_installed:
        half_installed.setattr("pbem.match.clock.tick", tick)
        assert "a part of the program cannot be read: pbem.match.reports." in one_sentence(desk.poll())
    assert "Turn 1 has been played" in texts(desk.quiet_poll(), "red")[-1]


def test_a_seat_whose_letter_is_set_aside_has_not_missed_its_turn(desk, monkeypatch):
    fail_on(monkeypatch, "3 A to M", ValueError())
    desk.write("red", "3 A to M")
    desk.write("blue", "3 H to S")
    desk.poll()
    desk.read()
    assert desk.poll(7 * DAY) == (0, [])
    (seat, other), (to, notice) = desk.read()
    assert (seat, to) == ("blue", "game master")
    for letter in (other, notice):
        assert "A letter from Alice (Red) was set aside or is held, and may contain orders." in flat(letter)
        assert (
            "The turn waits for it until Sunday 29 November 2026, 00:00 UTC (in 11 hours 50 minutes) at most."
            in flat(letter)
        )
    assert "`process` plays the turn without them" in flat(notice)
    assert "`process`" not in flat(other)
    desk.write("red", "2 A to M")
    (report,) = texts(desk.quiet_poll(), "red")
    assert "Turn 1 has been played" in report
    assert "You 2 A to M" in report


def test_a_turn_waits_twelve_hours_for_a_letter_that_is_set_aside_and_no_longer(desk, monkeypatch):
    fail_on(monkeypatch, "3 A to M", ValueError())
    for turn in range(1, 4):  # every turn again
        desk.write("red", "3 A to M")
        desk.write("blue", "Pass")
        desk.poll()
        desk.read()
        assert desk.poll(7 * DAY) == (0, [])
        desk.read()
        assert desk.poll(11 * HOUR) == (0, [])
        assert desk.read() == []
        assert desk.poll(HOUR) == (0, [])
        assert f"Turn {turn} has been played" in texts(desk.read(), "blue")[-1]


def test_a_second_letter_that_is_set_aside_in_the_same_turn_is_not_waited_for(desk, monkeypatch):
    fail_on(monkeypatch, "3 A to M", ValueError())
    desk.write("blue", "Pass")
    for _ in range(2):
        desk.write("red", "3 A to M")
        desk.poll()
    desk.read()
    assert desk.poll(7 * DAY) == (0, [])
    assert "Turn 1 has been played" in texts(desk.read(), "blue")[-1]


class HoldsBack:
    """A mailbox that has one letter which it does not give, besides those of the desk's own."""

    def __init__(self, desk: TestDesk) -> None:
        self.path = desk.post.inbox / "new" / "1795262399.M1.host"
        self.path.symlink_to("/proc/self/mem")  # reads as an input/output error


def test_a_letter_that_the_mailbox_does_not_give_is_named_until_it_is_gone_and_the_others_are_read(desk):
    hidden = HoldsBack(desk).path
    desk.write("red", "3 A to M")
    told = desk.poll()
    assert told.status == 1
    assert " ".join(told.lines) == (
        f"pbem: Letters cannot be fetched: A file in {desk.post.inbox} cannot be read: Input/output error. That is the"
        " letter new/1795262399.M1.host; all others are read, and each run asks for this one again. See what is wrong"
        " with it there, or delete it."
    )
    assert "receipt 1-1" in texts(desk.read(), "red")[0]
    assert desk.poll() == (1, [])
    assert desk.run("letters").lines == [
        "new/1795262399.M1.host  2026-11-21T12:10:00Z  in the mailbox, not read: `pbem poll` says why"
    ]
    inbox, aside = desk.post.inbox, desk.folder / "aside"
    inbox.rename(aside)
    assert ["cannot be fetched" in line for line in desk.poll().lines] == [True]
    aside.rename(inbox)
    assert ["The trouble with mailbox" in line for line in desk.poll().lines] == [True]
    hidden.unlink()
    assert desk.poll() == (
        0,
        ["pbem: The trouble with letter new/1795262399.M1.host, which began at 2026-11-21T12:10:00Z, is over."],
    )
    assert desk.run("letters").lines == ["No letter waits for anybody."]


def test_a_turn_waits_twelve_hours_for_a_letter_that_the_mailbox_does_not_give_and_no_longer(desk):
    desk.write("red", "3 A to M")
    desk.quiet_poll()
    HoldsBack(desk)
    assert desk.poll(7 * DAY).status == 1
    (seat, other), (to, notice) = desk.read()
    assert (seat, to) == ("red", "game master")
    for letter in (other, notice):
        assert "The mail server holds back a letter that may contain orders from Bob (Blue)." in flat(letter)
    assert desk.poll(11 * HOUR) == (1, [])
    assert desk.read() == []
    assert desk.poll(HOUR) == (1, [])
    assert "Turn 1 has been played" in texts(desk.read(), "red")[-1]
    desk.write("red", "Pass")
    assert desk.poll(7 * DAY).status == 1  # the same letter stops no other turn
    assert "Turn 2 has been played" in texts(desk.read(), "red")[-1]


def test_letters_of_strangers_that_we_fail_on_are_told_once_a_day(desk, monkeypatch):
    monkeypatch.setattr("pbem.match.persons.reply_to_stranger", lambda case: 1 / 0)

    def runs(number: int) -> list[str]:
        """What the operator is told in so many hours, with three such letters in each."""
        told = []
        for hour in range(number):
            desk.now += timedelta(hours=1)
            for one in range(3):
                desk.post.deliver(f"From: {one}@example.edu\nTo: gm@example.org\n\nhelp {desk.now} {hour}\n".encode())
            told += desk.poll().lines
        return told

    (line,) = runs(22)
    assert re.fullmatch(
        r"pbem: Letter \d+ was set aside \(.*\), and so were 2 more: `pbem letters --set-aside` .*", line
    )
    assert len(runs(22)) == 1
    desk.now += timedelta(days=3)
    assert desk.poll().lines == []
    assert len(runs(1)) == 1


def test_many_letters_of_a_seat_that_we_fail_on_are_told_in_one_line(desk, monkeypatch):
    fail_on(monkeypatch, "3 A to M", ValueError())
    for number in range(9):
        desk.write("red", f"3 A to M{' ' * number}\nbest wishes {number}")
    (line,) = desk.poll().lines
    assert "Letter 1 of red in oz-1 was set aside" in line
    assert "and so were 8 more" in line


def test_a_letter_that_eight_runs_died_over_is_set_aside(desk, monkeypatch):
    fail_on(monkeypatch, "3 A to M", KeyboardInterrupt())
    desk.write("red", "3 A to M")
    desk.write("blue", "3 H to S")
    for _ in range(8):
        with pytest.raises(KeyboardInterrupt):
            tick.poll(load_config(desk.folder / "config.ini"), desk.now, lambda text: None)
    told = desk.poll()
    assert told.status == 0
    assert "Letter 1 of red in oz-1 was set aside" in told.lines[0]
    letters = desk.read()
    assert "we failed to process it" in texts(letters, "red")[0]
    assert "receipt 1-1" in texts(letters, "blue")[0]


def test_a_game_that_cannot_be_played_on_stops_no_other(desk, monkeypatch):
    resolve = Ozymandia.resolve

    def fails(game, state, given, chance):
        if any(str(one) == "3 A to M" for one in given.values()):
            raise ValueError("3 A to M")
        return resolve(game, state, given, chance)

    monkeypatch.setattr(Ozymandia, "resolve", fails)
    monkeypatch.setattr(Ozymandia, "forecast", lambda game, state, seat, given: state)
    first = dict(desk.last)
    desk.new_game()
    desk.quiet_poll()
    for seat, text in (("red", "2 A to M"), ("blue", "Pass")):
        desk.write(seat, text)
    desk.last = first
    for seat, text in (("red", "3 A to M"), ("blue", "Pass")):
        desk.write(seat, text)
    told = desk.poll()
    assert told == (1, ["pbem: oz-1 cannot be played on (ValueError); nothing of it was changed."])
    reports = [letter["Subject"] for _, letter in desk.read() if "Turn 1 has been played" in flat(letter)]
    assert reports == ["Ozymandia oz-2, turn 1: the report"] * 2
    assert desk.poll() == (1, [])
    monkeypatch.setattr(Ozymandia, "resolve", resolve)
    told = desk.poll()
    assert told.status == 0
    assert "The trouble with oz-1" in told.lines[0]
    assert "Turn 1 has been played" in texts(desk.read(), "red")[0]


# Secrets


def test_nothing_that_is_printed_logged_or_sent_to_another_betrays_a_secret(tmp_path, dovecot, sink, caplog):
    account = dovecot.account()
    desk = invited(TestDesk(tmp_path / "desk", lambda folder: Servers(account, sink)))
    desk.write("red", "2 W to U\nmy secret plan")
    desk.write("red", "status\nhelp")
    desk.write("red", "3 A to Muu")
    desk.quiet_poll()
    alice = desk.last["red"]
    asked = (("list",), ("list", "--json"), ("show", "oz-1"), ("show", "oz-1", "--json"))
    shown = [desk.run("game", *words) for words in asked]
    assert {told.status for told in shown} == {0}
    assert "2 W to U" not in desk.printed
    stolen = desk.answer("red", "withdraw")
    del stolen["From"]
    stolen["From"] = "bob@example.com"
    desk.send(stolen)
    desk.write("blue", "status\nhelp\n3 H to Sala")
    desk.poll()
    desk.configure(password="wrong%horse")
    desk.poll()
    desk.run("check-config")
    desk.configure()
    desk.poll()
    sink.refuse["bob@example.com"] = "550 <bob@example.com> is unknown"
    desk.write("blue", "Pass")
    letters = desk.read()
    desk.poll()
    desk.run("game", "show", "oz-9")

    key = (desk.folder / "pbem.key").read_text().strip()
    tokens = {proof(letter) for letter in desk.last.values()} | {proof(alice)}
    everywhere = [PASSWORD, "wrong%horse", key, bytes.fromhex(key).hex()]
    printed = desk.printed + caplog.text
    for secret in (*everywhere, *tokens, "alice@", "bob@", "3 A to Muu", "secret plan", "2 W to U"):
        assert secret not in printed, secret
    sent = [(seat, letter.as_string()) for seat, letter in letters]
    assert {seat for seat, _ in sent} == {"red", "blue"}
    for seat, text in sent:
        other = {"red": ("bob@", proof(desk.last["blue"])), "blue": ("alice@", proof(alice), "2 W to U", "secret plan")}
        for secret in (*everywhere, *other[seat]):
            assert secret not in text, secret
