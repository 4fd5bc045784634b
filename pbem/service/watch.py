"""`pbem watch`, which runs the desk as soon as there is something to do, rather than at fixed times, as cron would.

A bell announces new letters; it uses IMAP IDLE, or watches a Maildir for changes. The store shows whether a deadline
has been reached, and whether a letter is waiting to be sent. Runs also take place at regular intervals, so nothing
depends on the bell.
"""

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from time import monotonic, sleep
from types import FrameType
from typing import NoReturn, Self

from pbem import PbemError
from pbem.config.config import Config
from pbem.service.notify import notify
from pbem.service.run import Progress, Stopped
from pbem.service.sending_limits import has_work
from pbem.service.tick import RunReport, clock, poll
from pbem.store.database import Connection, SQLiteError, Store, StoreError, connect, look
from pbem.transport.base import Bell
from pbem.transport.open import open_bell

BEAT = 0.5
"""The number of seconds between two checks of the store."""

PAUSE = 1.0
"""The minimum number of seconds between two runs. It doubles with each consecutive failure."""

GRACE = 1.5
"""The number of seconds that a run gets to finish its group of letters after SIGTERM or SIGINT."""

_ALIVE = 30.0
"""The number of seconds after which systemd is told again that the desk is alive. Its units wait for 15 minutes."""

_RENEWAL = 28 * 60
"""The number of seconds after which IDLE is renewed, because servers hang up after half an hour (RFC 2177)."""

Tell = Callable[[Sequence[str]], None]


def watch(config: Config, tell: Tell, progress: Progress, show: Progress | None = None) -> None:
    """Run a desk again and again until SIGTERM or SIGINT is received. If `show` is given, it is called with each line
    of the log. Raises PbemError if the first run cannot take place or cannot be completed."""
    with _Stop() as stop, closing(_Watch(config, tell, progress, stop)) as desk:
        desk.show = show
        try:
            desk.run_forever()
        except Stopped:
            return


class _Stop:
    """Handles SIGTERM and SIGINT. A signal that is received during a wait ends the wait at once. Other work ends at its
    next check or wait; if it reaches neither within GRACE seconds, or if a second signal is received, it is interrupted
    wherever it is.

    The next run repairs whatever an interrupted run leaves unfinished. But an interruption may leak a connection that
    has just been opened, so a run is given GRACE seconds to end by itself.
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
        """Interrupt the `with` block with Stopped as soon as SIGTERM or SIGINT is received. If one of them has already
        been received, raise Stopped before the block begins."""
        self._waits = True
        try:
            self.look()
            yield
        finally:
            self._waits = False

    def look(self) -> None:
        """Raise Stopped if SIGTERM or SIGINT has been received."""
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
        self.show: Progress | None = None
        self._failures = 0  # the number of failures in a row
        self._complaint = ""
        self._began = 0.0  # the value of `monotonic` when the last run began
        self._alive = monotonic()  # its value when systemd was last told that the desk is alive
        self._conn: Connection | None = None

    def close(self) -> None:
        """Close the database."""
        if self._conn:
            self._conn.close()

    def run_forever(self) -> NoReturn:
        """Run the desk again and again, with a new bell whenever the old bell fails."""
        self._poll()
        notify("READY=1")
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
        """Run the desk once, and wait until it is time for the next run. Return True if the run took place, went well,
        and left no work in the store; otherwise return False.

        The wait ends early when `bell` rings. The caller must set `bell` beforehand, so that it also rings for letters
        that arrive during the run. If `bell` is None, new letters do not end the wait.
        """
        well = self._run() and not self._has_work()
        pause = min(PAUSE * 2 ** min(self._failures, 20), self._every)
        until = monotonic() + (self._every if well and bell else pause)
        wait = bell.wait if bell else _wait_in_silence
        while monotonic() < until:
            self._tell_alive()
            with self._stop.wait():
                rang = wait(BEAT)
            if rang or (well and self._has_work()):
                break
        with self._stop.wait():
            sleep(max(0.0, self._began + PAUSE - monotonic()))
        return well

    def _run(self) -> bool:
        """Run the desk once; return whether the run took place and went well. No run takes place while another is in
        progress."""
        try:
            report = self._poll()
        except PbemError as error:
            self._complain(str(error))
            return False
        return report.well and report.ran

    def _poll(self) -> RunReport:
        """Run the desk once, as `pbem poll` does, and return the report of the run. Raises PbemError if the run cannot
        take place or cannot be completed, and Stopped if SIGTERM or SIGINT has been received."""
        self._began = monotonic()
        report = poll(self._config, clock(), self._progress, show=self.show)
        self._tell(report.lines)
        if report.well and report.ran and self._config.desk.ping:
            from pbem.service.ping import ping

            ping(self._config.desk.ping)
        self._stop.look()
        return report

    def _progress(self, text: str) -> None:
        """Show `text`, the progress after a group of letters or turns. If SIGTERM or SIGINT has been received, raise
        Stopped instead."""
        self._stop.look()
        self._tell_alive()
        self._show(text)

    def _tell_alive(self) -> None:
        if monotonic() - self._alive > _ALIVE:
            self._alive = monotonic()
            notify("WATCHDOG=1")

    def _has_work(self) -> bool:
        """Return whether there is work for a run: for example, a deadline has been reached, or a letter is waiting to
        be handled or sent, unless a limit holds it."""
        try:
            self._conn = self._conn or connect(self._config.database)
            now = clock()
            return has_work(self._config.outgoing, Store(self._conn), look(self._conn, now), now)
        except (StoreError, SQLiteError):
            return True  # the next run reports the trouble

    def _complain(self, text: str) -> None:
        """Report the problem `text`, unless it is the problem that was reported last."""
        if text != self._complaint:
            self._complaint = text
            self._tell([text])


def _wait_in_silence(seconds: float) -> bool:
    sleep(seconds)
    return False
