"""`pbem watch`: the same runs as cron's, each as soon as there is something to do.

A bell tells of letters: IMAP IDLE, or changes of a Maildir. Whether a deadline is due or a letter waits to be sent is
looked up in the store. And every so often a run is made anyway, so that nothing depends on a bell that is silent.
"""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from time import monotonic, sleep
from types import FrameType
from typing import NoReturn, Self

from pbem import PbemError
from pbem.config.config import Config
from pbem.service.run import Progress, Stopped
from pbem.service.tick import RunReport, clock, poll
from pbem.store.database import Connection, SQLiteError, StoreError, connect, look
from pbem.transport.base import Bell
from pbem.transport.open import open_bell

BEAT = 0.5
"""Seconds between two looks into the store."""

PAUSE = 1.0
"""Seconds from one run to the next at least; after trouble twice as many each time."""

GRACE = 1.5
"""Seconds in which a run may end its group of letters when we are told to end."""

_RENEWAL = 28 * 60
"""Seconds after which IDLE is begun anew; servers hang up after half an hour (RFC 2177)."""

Tell = Callable[[Sequence[str]], None]


def watch(config: Config, tell: Tell, progress: Progress) -> None:
    """Run a desk until SIGTERM or SIGINT. Raises PbemError if its first run cannot be made."""
    with _Stop() as stop, closing(_Watch(config, tell, progress, stop)) as desk:
        try:
            desk.go_on()
        except Stopped:
            return


class _Stop:
    """Hears SIGTERM and SIGINT. They end a wait at once, and all else where it next looks or waits, or after GRACE.

    A run may indeed be ended anywhere: the next one mends it. But what is ended anywhere may leave a line open that
    nobody holds yet, so only a server that hangs is left like that.
    """

    def __init__(self) -> None:
        self.must_end = self._waits = False

    def __enter__(self) -> Self:
        self._before = {number: signal.signal(number, self._hear) for number in (signal.SIGTERM, signal.SIGINT)}
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before.items():
            signal.signal(number, handler)

    @contextmanager
    def wait(self) -> Iterator[None]:
        """What is done here is broken off at once, and not begun once we have been told to end."""
        self._waits = True
        try:
            self.look()
            yield
        finally:
            self._waits = False

    def look(self) -> None:
        """Raises Stopped if we have been told to end."""
        if self.must_end:
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise Stopped

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self.must_end or self._waits:
            raise Stopped
        self.must_end = True
        signal.signal(signal.SIGALRM, self._hear)
        signal.setitimer(signal.ITIMER_REAL, GRACE)


class _Watch:
    """A desk under watch."""

    def __init__(self, config: Config, tell: Tell, progress: Progress, stop: _Stop) -> None:
        self._config, self._tell, self._show, self._stop = config, tell, progress, stop
        self._every = min(config.desk.every.total_seconds(), _RENEWAL)
        self._failures = 0  # in a row
        self._complaint = ""
        self._began = 0.0  # the last run
        self._conn: Connection | None = None

    def close(self) -> None:
        """Let go of the database."""
        if self._conn:
            self._conn.close()

    def go_on(self) -> NoReturn:
        """Run after run; a bell that fails is replaced."""
        self._poll()
        while True:
            try:
                with open_bell(self._config) as bell:
                    bell.set()
                    while True:
                        well = self._round(bell)
                        bell.set()
                        self._failures = 0 if well else self._failures + 1
            except PbemError as error:
                self._failures += 1
                if self._round(None) and self._failures > 1:
                    self._complain(f"New letters are noticed only now and then: {error}")

    def _round(self, bell: Bell | None) -> bool:
        """A run, then a wait for the next; whether all is well. The bell, set before, rings for what comes now."""
        well = self._run() and not self._work()
        pause = min(PAUSE * 2 ** min(self._failures, 20), self._every)
        until = monotonic() + (self._every if well and bell else pause)
        wait = bell.wait if bell else _wait_in_silence
        while monotonic() < until:
            with self._stop.wait():
                rang = wait(BEAT)
            if rang or (well and self._work()):
                break
        with self._stop.wait():
            sleep(max(0.0, self._began + PAUSE - monotonic()))
        return well

    def _run(self) -> bool:
        """One run; whether it went well. One that another process kept from its work did not."""
        try:
            report = self._poll()
        except PbemError as error:
            self._complain(str(error))
            return False
        return report.well and report.ran

    def _poll(self) -> RunReport:
        """One run, as `pbem poll` makes it. Raises PbemError."""
        self._began = monotonic()
        report = poll(self._config, clock(), self._progress)
        self._tell(report.lines)
        self._stop.look()
        return report

    def _progress(self, text: str) -> None:
        """What a run calls after each group of letters."""
        self._stop.look()
        self._show(text)

    def _work(self) -> bool:
        """Whether a deadline is due, or a letter waits to be handled or sent."""
        try:
            self._conn = self._conn or connect(self._config.database)
            return look(self._conn, clock()).work
        except (StoreError, SQLiteError):
            return True  # the next run tells what is the matter

    def _complain(self, text: str) -> None:
        """Tell of a trouble, but not again as long as it is the same."""
        if text != self._complaint:
            self._complaint = text
            self._tell([text])


def _wait_in_silence(seconds: float) -> bool:
    sleep(seconds)
    return False
