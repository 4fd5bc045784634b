"""A run of the desk that is killed at a step, or whose reader is.

A step is where the run touches the disk or a socket, or talks with the reader: before each statement of SQL, before
each file is opened to write, moved or removed, before and after each call that syncs, sends or receives. This file
is a program, too: python killer.py {run|reader} STEP ARGUMENT ... is `pbem` that prints how many steps there were.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

NOW = "2026-11-21T13:00Z"


class Ended(NamedTuple):
    """How a run ended: killed, or after so many steps."""

    killed: bool
    steps: int


def poll(desk: Path, step: int = 0, victim: str = "run", seconds: float | None = None) -> Ended:
    """One run, killed at a step, or after some seconds of the clock. Nothing of it is left behind."""
    command = [sys.executable, __file__, victim, str(step), "--config", desk / "config.ini", "--now", NOW, "poll"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        said, told = run.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        run.kill()
        said, told = run.communicate()
    assert (run.returncode, told) in ((0, b""), (-signal.SIGKILL, b"")), told.decode()
    until = time.monotonic() + 5
    while left := list(processes(run.pid)):
        assert time.monotonic() < until, f"left behind: {left}"
        time.sleep(0.002)
    return Ended(run.returncode != 0, int(said or 0))


def processes(session: int) -> Iterator[str]:
    """What still lives in a session; who has died without a parent is init's to bury."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(")")
        except OSError:
            continue  # it has ended since we looked
        state, _, _, its_session = rest.split()[:4]
        if int(its_session) == session and state != "Z":
            yield f"{name}) {state}"


class _Steps:
    """Counts steps, and kills at one of them."""

    def __init__(self, victim: str, at: int) -> None:
        self.victim, self.at = victim, at
        self.run, self.taken = os.getpid(), 0

    def step(self) -> None:
        if os.getpid() != self.run:
            return  # the reader has no steps of its own
        self.taken += 1
        if self.at and self.taken >= self.at and (victim := self._find_victim()):
            self.at = 0
            os.kill(victim, signal.SIGKILL)

    def _find_victim(self) -> int:
        """The process to kill; 0 while there is no reader."""
        from pbem import guard

        return self.run if self.victim == "run" else guard._reader._process

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def touch(*args: Any) -> Any:
            self.step()
            result = function(*args)
            self.step()
            return result

        return touch

    def connect(self, *args: Any, **options: Any) -> sqlite3.Connection:
        conn = sqlite3.Connection(*args, **options)
        conn.set_trace_callback(lambda sql: None if sql.startswith(("SELECT", "PRAGMA")) else self.step())
        return conn

    def audit(self, event: str, args: tuple[Any, ...]) -> None:
        writes = event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR) and "__pycache__" not in str(args[0])
        if writes or event in ("os.rename", "os.remove", "socket.connect", "os.fork"):
            self.step()


def _main() -> None:
    import pbem.cli
    import pbem.guard
    import pbem.line

    steps = _Steps(sys.argv[1], int(sys.argv[2]))
    for name in ("recv", "recv_into", "send", "sendall"):
        setattr(pbem.line._Socket, name, steps.around(getattr(pbem.line._Socket, name)))
    pbem.guard._put = steps.around(pbem.guard._put)
    os.fsync = steps.around(os.fsync)
    sqlite3.connect = steps.connect  # type: ignore[assignment]
    sys.addaudithook(steps.audit)
    sys.argv[1:3] = []
    try:
        pbem.cli.main()
    finally:
        print(steps.taken)


if __name__ == "__main__":
    _main()
