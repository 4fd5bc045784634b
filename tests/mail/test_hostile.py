"""Letters made to do harm: none costs more than a second or 200 MB, stops the next, or gets anything into our own."""

import fcntl
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import suppress
from email import message_from_bytes
from email.header import decode_header, make_header
from email.policy import default
from pathlib import Path
from threading import Timer

import pytest
from click.testing import CliRunner

from pbem import PbemError
from pbem.cli.demo import DemoDesk, letter_text
from pbem.cli.main import main
from pbem.mail import letters, sandbox
from pbem.mail.sandbox import Reader, Unreadable
from pbem.orders.reader import may_be_order
from pbem.store.matches import load_match
from support.each import each
from support.hostile import DEEP, ENDLESS, HOSTILE, SOME_HOSTILE, all_texts, escapes, hold_up, is_clean, letter

ORDINARY = letter("3 A to M\n")


@pytest.fixture(autouse=True)
def held_up(monkeypatch: pytest.MonkeyPatch):
    """One letter keeps its reader busy for ever."""
    hold_up(monkeypatch)
    yield
    sandbox.shared_reader(may_be_order).close()


@pytest.fixture
def reader():
    one = Reader(may_be_order)
    yield one
    one.close()


# --- what it costs -----------------------------------------------------------------------------------------------


@each("raw", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_letter_is_read_in_its_time_and_holds_nothing_hostile(raw: bytes) -> None:
    start = time.process_time()
    seen = letters.read(raw, is_order=may_be_order)
    assert time.process_time() - start < 3  # what grows with the square of a letter takes minutes
    assert is_clean(seen)


@each("raw", SOME_HOSTILE.values(), ids=SOME_HOSTILE)
def test_its_head_is_read_at_once(raw: bytes) -> None:
    start = time.process_time()
    assert is_clean(letters.read_head(raw))
    assert time.process_time() - start < 1


def test_the_guarded_reader_reads_every_letter_as_the_plain_one_does(reader: Reader) -> None:
    for raw in (ORDINARY, *list(SOME_HOSTILE.values())[::4]):
        assert reader.read(raw) == letters.read(raw, is_order=may_be_order)


def test_the_letter_that_is_answered_goes_along(reader: Reader) -> None:
    raw = letter("-----Original Message-----\nTurn 7 is played.\n\n3 A to M\n")
    assert reader.read(raw).text == ""
    assert reader.read(raw, sent="== Answer above this line ==\nTurn 7 is played.").text == "3 A to M"


def test_a_report_comes_through_the_guard(reader: Reader) -> None:
    raw = letter("550 no such user <a@example.net>", "Return-Path: <>", "Subject: Undelivered mail")
    assert reader.read(raw) == letters.read(raw, is_order=may_be_order)
    assert reader.read(raw).report


def test_a_letter_that_takes_for_ever_is_given_up_after_a_second_and_the_next_letter_is_read(reader: Reader) -> None:
    before = _spent_by_children()
    with pytest.raises(Unreadable, match="more than 1 second or 200 MB"):
        reader.read(ENDLESS)
    # The timer goes by the kernel's ticks, which count a short time as a whole one: less than a second may be spent.
    assert 0.2 < _spent_by_children() - before < 4
    assert reader.read(ORDINARY).text == "3 A to M"


def _spent_by_children() -> float:
    """Seconds of the processor that processes of ours took until they ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_letter_that_takes_more_than_200_megabytes_is_given_up(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(letters, "read", lambda raw, sent, page, is_order: bytes(210_000_000))
    with pytest.raises(Unreadable, match="200 MB"):
        reader.read(ORDINARY)


def test_a_reader_that_fails_says_where_and_nothing_of_the_letter(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(raw: bytes, sent: str, page: str, is_order: object) -> None:
        raise ValueError(raw)

    monkeypatch.setattr(letters, "read", fail)
    with pytest.raises(Unreadable) as failure:
        reader.read(ORDINARY)
    assert "ValueError in test_hostile.py, line" in str(failure.value)
    assert "3 A to M" not in str(failure.value)


@pytest.mark.parametrize("raw", DEEP.values(), ids=DEEP)
def test_a_page_that_is_nested_too_deeply_takes_no_time_and_is_read_to_there(raw: bytes) -> None:
    head, _, html = raw.partition(b"\r\n\r\n")
    start = time.process_time()
    seen = letters.read(head + b"\r\n\r\n<p>3 A to M</p>" + html, is_order=may_be_order)
    assert time.process_time() - start < 2
    assert seen.text == "3 A to M"
    whole = () if html.startswith(b"<div>") else ("cut where its HTML is nested too deeply",)
    assert [problem for problem in seen.problems if "nested" in problem] == [*whole]


def test_a_reader_that_somebody_ends_over_a_letter_costs_no_letter(reader: Reader) -> None:
    reader.read(ORDINARY)
    os.kill(reader._process, signal.SIGSTOP)  # so that it is at the letter still
    Timer(0.1, os.kill, (reader._process, signal.SIGKILL)).start()
    assert reader.read(ORDINARY).text == "3 A to M"


# --- what the guard leaves alone ---------------------------------------------------------------------------------


def threads() -> int:
    return len(os.listdir("/proc/self/task")) if Path("/proc").exists() else 0


def test_one_process_reads_all_letters(reader: Reader) -> None:
    before = threads()
    reader.read(ORDINARY)
    process = reader._process
    for _ in range(50):
        reader.read(ORDINARY)
    assert reader._process == process
    assert threads() <= before  # one that an earlier test has left may end meanwhile


def test_a_reader_that_was_ended_while_it_had_nothing_to_do_costs_no_letter(reader: Reader) -> None:
    reader.read(ORDINARY)
    os.kill(reader._process, signal.SIGKILL)
    os.waitid(os.P_PID, reader._process, os.WEXITED | os.WNOWAIT)
    assert reader.read(ORDINARY).text == "3 A to M"


def test_letters_are_read_in_any_thread() -> None:
    seen = []

    def work() -> None:
        own = Reader(may_be_order)
        seen.append(own.read(ORDINARY).text)
        with pytest.raises(Unreadable):
            own.read(ENDLESS)
        own.close()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == ["3 A to M"]


def test_signals_limits_and_the_database_of_this_process_stay_as_they_were(reader: Reader, tmp_path: Path) -> None:
    import resource

    def state() -> tuple[object, ...]:
        handlers = [
            signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGINT, signal.SIGTERM)
        ]
        return (*handlers, resource.getrlimit(resource.RLIMIT_AS), signal.getitimer(signal.ITIMER_PROF))

    database = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("CREATE TABLE t (x)")
    before = state()
    database.execute("BEGIN IMMEDIATE")
    database.execute("INSERT INTO t VALUES (1)")
    reader.read(ORDINARY)
    reader.close()
    database.execute("INSERT INTO t VALUES (2)")
    database.execute("COMMIT")
    assert state() == before
    assert database.execute("SELECT count(*) FROM t").fetchone() == (2,)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()


def test_a_lock_of_this_process_is_not_held_by_its_reader(reader: Reader, tmp_path: Path) -> None:
    with (tmp_path / "lock").open("w") as ours:
        fcntl.flock(ours, fcntl.LOCK_EX)
        reader.read(ORDINARY)
    with (tmp_path / "lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_the_reader_ends_when_its_process_is_killed() -> None:
    script = (
        "import os, sys\nfrom pbem.mail import sandbox\nreader = sandbox.shared_reader(str.isdigit)\n"
        "reader.read(b'hi')\nprint(reader._process, flush=True)\nos.kill(os.getpid(), 9)\n"
    )
    # Until the pipe is closed by all who hold it, `run` waits.
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=20, check=False)
    process = int(done.stdout)
    deadline = time.monotonic() + 10
    while _is_running(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _is_running(process)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


# --- what gets through -------------------------------------------------------------------------------------------

ESCAPES = {
    "a colour": "\x1b[31m",
    "a title": "\x1b]0;owned\x07",
    "a link": "\x1b]8;;http://evil.example\x1b\\here\x1b]8;;\x1b\\",
    "the clipboard": "\x1b]52;c;ZXZpbA==\x07",
    "C1": "\x9b31m\x9d0;owned\x9c",
    "backspaces": "rm\x08\x08",
    "a bell": "\x07",
    "another direction": "\u202e\u2066M ot A 3\u2069\u202c",
    "marks": "\u200e\u200f\u061c",
    "a line end": "\r\nBcc: bob@example.com",
    "a line separator": "\u2028Bcc: bob@example.com",
    "a zero": "\x00",
    "half a character": "\ud800",
}


@pytest.fixture
def table(tmp_path: Path):
    desk = DemoDesk(tmp_path / "desk")
    desk.poll()
    yield desk
    desk.close()


@pytest.mark.parametrize("escape", ESCAPES.values(), ids=ESCAPES)
class TestAnEscape:
    def test_is_in_nothing_that_was_read(self, escape: str) -> None:
        from base64 import b64encode

        coded = b64encode(escape.encode("utf-8", "surrogatepass")).decode()
        raw = letter(
            f"Hi {escape} there\n",
            f"Subject: Re: =?utf-8?b?{coded}?= x",
            f"Message-ID: <a{escape}b@example.com>",
            f"References: <a{escape}b@example.com>",
            f"To: desk{escape}@example.org",
            f'Authentication-Results: mx.example.org; dkim=pass reason="{escape}"',
        ).replace(b"From: Mallory", f"From: =?utf-8?b?{coded}?= Mallory".encode())
        seen = letters.read(raw, is_order=may_be_order)
        assert is_clean(seen)
        assert not any(escapes(text) for text in all_texts(seen) if text is not seen.text)
        assert not escapes(seen.text)

    def test_is_in_nothing_that_we_print(self, escape: str, tmp_path: Path) -> None:
        path = tmp_path / "letter.eml"
        path.write_bytes(letter(f"Hi {escape} there\n3 A {escape} to M\n", f"X: {escape}", f"To: a{escape}@b"))
        for option in ((), ("--json",)):
            done = CliRunner().invoke(main, ["letter", str(path), *option])
            assert done.exit_code == 0
            assert not escapes(done.output)

    def test_is_in_nothing_that_we_send(self, escape: str, table: DemoDesk) -> None:
        answer = table.answer("red", "")
        head = [f"{name}: {answer[name]}" for name in ("From", "To", "In-Reply-To", "References")]
        raw = "\n".join([*head, f"Subject: {escape}", f"Message-ID: <a{escape}@example.com>", ""])
        body = f"\nHi {escape} Bob\n3 A {escape} to Nowhere{escape}\n{escape}\n"
        table.deliver((raw + body).encode("utf-8", "surrogatepass"))
        sent = table.poll()
        assert sent
        for _, answered in sent:
            assert not escapes(letter_text(answered))
            for name, value in answered.items():
                plain = str(make_header(decode_header(value.replace("\r\n", "").replace("\n", ""))))
                assert not escapes(plain), name
            assert "Bcc" not in answered


def test_a_hostile_letter_of_a_players_stops_neither_the_run_nor_his_next_one(table: DemoDesk) -> None:
    answer = table.answer("red", "")
    head = "".join(f"{name}: {answer[name]}\r\n" for name in ("From", "To", "In-Reply-To", "References"))
    for number, raw in enumerate((ENDLESS, *SOME_HOSTILE.values())):
        table.deliver(f"Message-ID: <{number}@example.com>\r\n{head}".encode() + raw)
    table.write("red", "2 A to AC")
    with suppress(PbemError):  # which says that a letter was set aside
        table.poll()
    for _, sent in table.letters():
        message = message_from_bytes(sent.as_bytes(), policy=default)
        assert not message.defects
    assert load_match(table.store, 1).standing["red"].canonical == "2 A to AC"


def test_the_shared_reader_is_one_for_the_whole_process() -> None:
    assert sandbox.shared_reader(may_be_order).read(ORDINARY) == letters.read(ORDINARY, is_order=may_be_order)
