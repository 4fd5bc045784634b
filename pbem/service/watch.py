"""`pbem watch`: the runs that cron would make, but each as soon as there is something to do.

A bell announces letters, by IMAP IDLE or by changes in a Maildir. The store knows whether a deadline, or a letter to be
sent, is due. A run also takes place at regular intervals, so that nothing depends on the bell.
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
"""Seconds between two checks of the store."""

PAUSE = 1.0
"""The minimum number of seconds between two runs, doubled each time after trouble."""

GRACE = 1.5
"""The number of seconds that a run gets to finish its group of letters after a signal to end."""

_RENEWAL = 28 * 60
"""Seconds after which IDLE is renewed, because servers hang up after half an hour (RFC 2177)."""

Tell = Callable[[Sequence[str]], None]


def watch(config: Config, tell: Tell, progress: Progress) -> None:
    """Run a desk until SIGTERM or SIGINT comes. Raises PbemError if the first run cannot take place."""
    with _Stop() as stop, closing(_Watch(config, tell, progress, stop)) as desk:
        try:
            desk.run_forever()
        except Stopped:
            return


class _Stop:
    """Handles SIGTERM and SIGINT. They end a wait at once, and other work at its next check or wait, or after GRACE
    seconds.

    A run may be ended anywhere, because the next one repairs what it left. But that may leak a connection that is not
    yet assigned, so only work that hangs on a server is ended this way.
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
        """Abort the `with` block as soon as we are told to end; do not even enter it if we were told before."""
        self._waits = True
        try:
            self.look()
            yield
        finally:
            self._waits = False

    def look(self) -> None:
        """Raise Stopped if a signal to end has come."""
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
    """A desk that `pbem watch` runs."""

    def __init__(self, config: Config, tell: Tell, progress: Progress, stop: _Stop) -> None:
        self._config, self._tell, self._show, self._stop = config, tell, progress, stop
        self._every = min(config.desk.every.total_seconds(), _RENEWAL)
        self._failures = 0  # the number of failures in a row
        self._complaint = ""
        self._began = 0.0  # the moment at which the last run began, by `monotonic`
        self._conn: Connection | None = None

    def close(self) -> None:
        """Close the database."""
        if self._conn:
            self._conn.close()

    def run_forever(self) -> NoReturn:
        """Make one run after another, with a new bell whenever the old one fails."""
        self._poll()
        while True:
            try:
                with open_bell(self._config) as bell:
                    bell.set()
                    while True:
                        well = self._run_and_wait(bell)
                        bell.set()
                        self._failures = 0 if well else self._failures + 1
            except PbemError as error:
                self._failures += 1
                if self._run_and_wait(None) and self._failures > 1:
                    self._complain(f"New letters are noticed only now and then: {error}")

    def _run_and_wait(self, bell: Bell | None) -> bool:
        """Make a run and wait until it is time for the next; return whether all is well.

        `bell` was set beforehand, so that it rings for new letters.
        """
        well = self._run() and not self._has_work()
        pause = min(PAUSE * 2 ** min(self._failures, 20), self._every)
        until = monotonic() + (self._every if well and bell else pause)
        wait = bell.wait if bell else _wait_in_silence
        while monotonic() < until:
            with self._stop.wait():
                rang = wait(BEAT)
            if rang or (well and self._has_work()):
                break
        with self._stop.wait():
            sleep(max(0.0, self._began + PAUSE - monotonic()))
        return well

    def _run(self) -> bool:
        """Make a run; return whether it took place and went well. It does not take place while another run is in
        progress."""
        try:
            report = self._poll()
        except PbemError as error:
            self._complain(str(error))
            return False
        return report.well and report.ran

    def _poll(self) -> RunReport:
        """Make a run as `pbem poll` does. Raises PbemError."""
        self._began = monotonic()
        report = poll(self._config, clock(), self._progress)
        self._tell(report.lines)
        self._stop.look()
        return report

    def _progress(self, text: str) -> None:
        """Report the progress after a group of letters or turns, or stop the run."""
        self._stop.look()
        self._show(text)

    def _has_work(self) -> bool:
        """Check whether a deadline is due, or a letter waits to be handled or sent."""
        try:
            self._conn = self._conn or connect(self._config.database)
            return look(self._conn, clock()).work
        except (StoreError, SQLiteError):
            return True  # the next run reports the trouble

    def _complain(self, text: str) -> None:
        """Report a problem, but do not repeat it as long as it remains the same."""
        if text != self._complaint:
            self._complaint = text
            self._tell([text])


def _wait_in_silence(seconds: float) -> bool:
    sleep(seconds)
    return False
