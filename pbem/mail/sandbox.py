"""Reading letters in a separate process, so that no letter can cost this one more than a second or 200 MB.

A timer in this process would not do, because Python does not run while a C library is busy. This happened with pages of
40,000 open elements, all of which libxml2 searched at each closing tag without an element. The reader is a fork of this
process, made for the first letter and again after each letter that exceeds the limits. Such a letter makes the system
kill the reader, and counts as Unreadable.
"""

import atexit
import contextlib
import json
import os
import resource
import signal
import struct
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from pbem import PbemError
from pbem.mail import letters
from pbem.mail.quotes import IsOrder

SECONDS = 1.0
"""Seconds of processor time for one letter. Unlike real time, processor time does not pass while the machine is busy or
suspended."""

MEGABYTES = 200
"""Megabytes for one letter, in addition to those of a new reader. The limit works only where /proc exists, as on
Linux."""

_PATIENCE = 30.0  # seconds of real time, in case the reader ever hangs
_TEXTS = 2  # how many texts of our letter are sent along with each letter
_LENGTH = struct.Struct(">I")
_BY_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)  # end the reader through no fault of the letter


class Unreadable(PbemError):  # noqa: N818 - like Refused
    """Raised when a letter cannot be read within the limits, or when the reader fails on it."""


class Reader:
    """A process that reads letters. It ends with `close`, or with this process, however that ends.

    Threads must not share a reader, but each may have its own.
    """

    def __init__(self, is_order: IsOrder) -> None:
        self._is_order = is_order  # the process is a fork of this one, so it has this, too
        self._process = 0
        self._asking = self._answered = -1

    def read(self, raw: bytes, sent: str = "", page: str = "") -> letters.Letter:
        """Read a letter with `letters.read`. Raises Unreadable, after which other letters can still be read."""
        data = self._ask(raw, sent, page)
        if data is None and self.close() in _BY_OTHERS:
            data = self._ask(raw, sent, page)
        if data is None:
            self.close()
            raise Unreadable(f"To read this letter takes more than {SECONDS:g} second or {MEGABYTES} MB.")
        answer = json.loads(data)
        if isinstance(answer, str):
            raise Unreadable(f"The reader failed on this letter: {answer}.")
        return _unpack(answer)

    def close(self) -> int:
        """End the process; return the signal that had already killed it, or 0.

        The next `read` starts another process.
        """
        status = 0
        if self._process:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._process, signal.SIGKILL)
                status = os.waitpid(self._process, 0)[1]
            self._forget()
        return os.WTERMSIG(status)

    def _ask(self, raw: bytes, *texts: str) -> bytes | None:
        """Return the reader's answer, or None if the reader has died."""
        if not self._is_alive():
            self._start()
        with contextlib.suppress(OSError):
            _put(self._asking, raw[: letters.MAX_BYTES + 1], *(text.encode("utf-8", "replace") for text in texts))
            return _get(self._answered)
        return None

    def _is_alive(self) -> bool:
        """Check whether the process is still there; the system may have killed it while it was idle."""
        if self._process and os.waitpid(self._process, os.WNOHANG)[0]:
            self._forget()
        return self._process != 0

    def _forget(self) -> None:
        os.close(self._asking)
        os.close(self._answered)
        self._process = 0

    def _start(self) -> None:
        source, self._asking = os.pipe()
        self._answered, target = os.pipe()
        self._process = os.fork()
        if not self._process:
            _serve(source, target, self._is_order)
        os.close(source)
        os.close(target)
        atexit.register(self.close)  # otherwise init would have to reap it, and not every container has one


@cache
def shared_reader(is_order: IsOrder) -> Reader:
    """Return the reader that everything in this process shares."""
    return Reader(is_order)


def _serve(source: int, target: int, is_order: IsOrder) -> NoReturn:
    """Answer requests until there are no more, or a letter exceeds the limits."""
    try:
        _close_all_but(source, target)
        while (raw := _get(source)) is not None:
            texts = [(_get(source) or b"").decode() for _ in range(_TEXTS)]
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
            answer = _answer(raw, texts, is_order)
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            _put(target, json.dumps(answer).encode())
    finally:
        os._exit(0)  # must not finish, flush or close anything that belongs to the parent process


def _close_all_but(source: int, target: int) -> None:
    """Close all other files, whose locks would otherwise outlive the parent process, and set the limits."""
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)  # so that the system ends us, whatever we are doing
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(
            number, signal.SIG_IGN
        )  # for the parent process, which ends its group of letters first; we end with it
    for file in map(int, os.listdir("/dev/fd")):
        if file not in (source, target):
            with contextlib.suppress(OSError):
                os.close(file)
    with contextlib.suppress(FileNotFoundError):
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + MEGABYTES * 1_000_000
        most = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = limit if most == resource.RLIM_INFINITY else min(limit, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, most))


def _answer(raw: bytes, texts: Sequence[str], is_order: IsOrder) -> dict[str, Any] | str:
    """Return the letter as plain data, or say where the reader failed, without any of the letter's text."""
    try:
        letter = letters.read(raw, *texts, is_order=is_order)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever goes wrong with a letter, the next one must be read
        import traceback

        at = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(at.filename).name}, line {at.lineno}"
    fields = {name: getattr(letter, name) for name in letters.Letter.__slots__}
    if report := letter.report:
        fields["report"] = (report.outcome, report.status, report.names)
    return fields


def _unpack(fields: dict[str, Any]) -> letters.Letter:
    """Rebuild a letter from plain data, in which tuples have become lists."""
    if report := fields["report"]:
        from pbem.mail.bounces import DeliveryReport

        fields["report"] = DeliveryReport(report[0], report[1], tuple(report[2]))
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return letters.Letter(**(fields | lists))


def _put(file: int, *data: bytes) -> None:
    """Write data in one go, each item preceded by its length, so that the other side wakes only once."""
    rest = memoryview(b"".join(_LENGTH.pack(len(chunk)) + chunk for chunk in data))
    while rest:
        rest = rest[os.write(file, rest) :]


def _get(file: int) -> bytes | None:
    """Read one item that `_put` wrote; None if the other side is gone."""
    length = _get_exactly(file, _LENGTH.size)
    return None if length is None else _get_exactly(file, _LENGTH.unpack(length)[0])


def _get_exactly(file: int, length: int) -> bytes | None:
    pieces = []
    while length:
        piece = os.read(file, length)
        if not piece:
            return None
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)
