"""Reading letters in a separate process, so that no letter can cost the main process more than a second or 200 MB.

A timer in the main process would not be enough, because Python does not run while a C library is busy. This happened
with pages of 40,000 open elements, all of which libxml2 searched at each unmatched closing tag. The reader is a fork of
the main process, made for the first letter and again after each letter that exceeds the limits. When a letter exceeds
them, the system kills the reader, and the letter counts as Unreadable.
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
"""The maximum number of seconds of processor time for one letter. Unlike real time, processor time does not pass while
the machine is busy or suspended."""

MEGABYTES = 200
"""The maximum number of megabytes for one letter, in addition to those that a new reader uses anyway. The limit works
only where /proc exists, as on Linux."""

_PATIENCE = 30.0  # seconds of real time, in case the reader ever hangs
_TEXTS = 2  # how many texts of the answered letter are sent to the reader with each letter
_LENGTH = struct.Struct(">I")
_BY_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)  # signals that are not the letter's fault


class Unreadable(PbemError):  # noqa: N818 - like Refused
    """Raised when a letter cannot be read within the limits, or when the reader fails on it."""


class Reader:
    """A separate process that reads letters. It ends with `close`, or when the main process ends for any reason.

    Threads must not share a reader, but each may have its own.
    """

    def __init__(self, is_order: IsOrder) -> None:
        self._is_order = is_order  # the reader is a fork of this process, so it has this, too
        self._process = 0
        self._asking = self._answered = -1

    def read(self, raw: bytes, sent: str = "", page: str = "") -> letters.Letter:
        """Read the letter `raw` in the separate process, as `letters.read` does.

        Raises Unreadable if the letter exceeds the limits, or if the reader fails on it; other letters can still be
        read after that.
        """
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
        """Send the letter `raw` and the other texts to the reader; return its answer, or None if the reader has
        died."""
        if not self._is_alive():
            self._start()
        with contextlib.suppress(OSError):
            _put(self._asking, raw[: letters.MAX_BYTES + 1], *(text.encode("utf-8", "replace") for text in texts))
            return _get(self._answered)
        return None

    def _is_alive(self) -> bool:
        """Return whether the process still exists. The system may have killed it while it was idle."""
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
    """Return the reader that all code in this process shares."""
    return Reader(is_order)


def _serve(source: int, target: int, is_order: IsOrder) -> NoReturn:
    """Run the reader: answer requests until there are no more, or until a letter exceeds the limits."""
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
    """Prepare the reader's process: close all files except `source` and `target`, and set the limits.

    Otherwise, locks on the other files would outlive the parent process.
    """
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)  # so that the system ends the reader, whatever it is doing
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(
            number, signal.SIG_IGN
        )  # meant for the parent process, which first finishes its letters and then ends the reader
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
    """Read the letter `raw`; return it as plain data, or a text that says where the reader failed. That text contains
    none of the letter's words."""
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
    """Write all items of `data` in one go, so that the other side wakes only once. The length of each item precedes
    it."""
    rest = memoryview(b"".join(_LENGTH.pack(len(chunk)) + chunk for chunk in data))
    while rest:
        rest = rest[os.write(file, rest) :]


def _get(file: int) -> bytes | None:
    """Return one item that `_put` wrote; None if the other side is gone."""
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
