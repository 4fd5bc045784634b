"""Reading letters in a process of its own, so that no letter can cost this one more than a second or 200 MB.

A timer in this process would not do: what keeps a library in C busy lets no Python run meanwhile, as pages did of
40,000 open elements, all of which libxml2 looked through for each tag that closed none. So the reader is a copy of
this process, made once, when the first letter comes, and again only after a letter that was too much for it: the
system ends it then, and the letter is Unreadable.
"""

import atexit
import contextlib
import json
import os
import resource
import signal
import struct
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from pbem import PbemError
from pbem.mail import letters
from pbem.mail.quotes import IsOrder

SECONDS = 1.0
"""Of the processor, for one letter: a machine that is busy or was suspended takes nothing from them."""

MEGABYTES = 200
"""Above what the process has when it begins to read; only where /proc tells that, which is on Linux."""

_PATIENCE = 30.0  # seconds of the clock, should the reader ever wait for something
_LENGTH = struct.Struct(">I")
_BY_OTHERS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP)  # what ends the reader through no fault of the letter


class Unreadable(PbemError):  # noqa: N818 - like Refused
    """A letter that cannot be read within the limits, or on which the reader fails."""


class Reader:
    """A process that reads letters; it ends with `close`, or when this process does, in whatever way.

    It is not to be shared by threads; each may have its own.
    """

    def __init__(self, is_order: IsOrder) -> None:
        self._is_order = is_order  # the process is a copy of this one, and has it as well
        self._process = 0
        self._asking = self._answered = -1

    def read(self, raw: bytes, sent: str = "") -> letters.Letter:
        """What `letters.read` makes of a letter. Raises Unreadable; the next letter is read as ever."""
        data = self._ask(raw, sent)
        if data is None and self.close() in _BY_OTHERS:
            data = self._ask(raw, sent)
        if data is None:
            self.close()
            raise Unreadable(f"To read this letter takes more than {SECONDS:g} second or {MEGABYTES} MB.")
        answer = json.loads(data)
        if isinstance(answer, str):
            raise Unreadable(f"The reader failed on this letter: {answer}.")
        return _unpack(answer)

    def close(self) -> int:
        """End the process; the signal that had ended it before, if one did. The next `read` starts another."""
        status = 0
        if self._process:
            with contextlib.suppress(ProcessLookupError, ChildProcessError):
                os.kill(self._process, signal.SIGKILL)
                status = os.waitpid(self._process, 0)[1]
            self._forget()
        return os.WTERMSIG(status)

    def _ask(self, raw: bytes, sent: str) -> bytes | None:
        """The reader's answer, or None if it has come to its end."""
        if not self._is_alive():
            self._start()
        with contextlib.suppress(OSError):
            _put(self._asking, raw[: letters.MAX_BYTES + 1], sent.encode("utf-8", "replace"))
            return _get(self._answered)
        return None

    def _is_alive(self) -> bool:
        """Whether there is a process; the system may have ended it while it had nothing to do."""
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
        atexit.register(self.close)  # or it would be left for init to bury, which not every container has


@cache
def shared_reader(is_order: IsOrder) -> Reader:
    """The one reader of this process."""
    return Reader(is_order)


def _serve(source: int, target: int, is_order: IsOrder) -> NoReturn:
    """Answer letters until nobody asks any more, or one is too much."""
    try:
        _leave_all_but(source, target)
        while (raw := _get(source)) is not None and (sent := _get(source)) is not None:
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            signal.setitimer(signal.ITIMER_REAL, _PATIENCE)
            answer = _answer(raw, sent.decode(), is_order)
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            _put(target, json.dumps(answer).encode())
    finally:
        os._exit(0)  # nothing of the process that we are a copy of is finished, flushed or closed


def _leave_all_but(source: int, target: int) -> None:
    """Let go of all files, or the locks on them would outlive the other process; set the limits."""
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)  # then the system ends us, whatever we are doing
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(
            number, signal.SIG_IGN
        )  # for the other process, which ends its group of letters first; its end is ours
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


def _answer(raw: bytes, sent: str, is_order: IsOrder) -> dict[str, Any] | str:
    """The letter as plain data, or where the reader failed, without a word of the letter."""
    try:
        letter = letters.read(raw, sent, is_order=is_order)
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a letter does to us, the next one is read
        import traceback

        at = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(at.filename).name}, line {at.lineno}"
    fields = {name: getattr(letter, name) for name in letters.Letter.__slots__}
    if report := letter.report:
        fields["report"] = (report.outcome, report.status, report.names)
    return fields


def _unpack(fields: dict[str, Any]) -> letters.Letter:
    """The letter of plain data, in which tuples have become lists."""
    if report := fields["report"]:
        from pbem.mail.bounces import DeliveryReport

        fields["report"] = DeliveryReport(report[0], report[1], tuple(report[2]))
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return letters.Letter(**(fields | lists))


def _put(file: int, *data: bytes) -> None:
    """Write data, each with its length before it; all in one piece, which wakes the other side once."""
    rest = memoryview(b"".join(_LENGTH.pack(len(chunk)) + chunk for chunk in data))
    while rest:
        rest = rest[os.write(file, rest) :]


def _get(file: int) -> bytes | None:
    """One of the data that `_put` has written, or None if the other side is gone."""
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
