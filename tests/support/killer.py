"""A run of the desk that is killed at a step, or whose reader is.

A step is a moment at which the run touches the disk or a socket, or talks with its reader: before each SQL statement,
before each file is opened for writing, moved or removed, and before and after each call that syncs, sends or receives.
This file is a program, too: `python killer.py STEP STEP ARGUMENT ...` is pbem, killed at the first step, its reader at
the second.
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
    """The end of a run: whether it was killed, after how many steps, and whether its reader was killed, too."""

    killed: bool
    steps: int
    reader_killed: bool


def poll(desk: Path, step: int = 0, *, reader: int = 0, seconds: float | None = None, now: str = NOW) -> Ended:
    """Make a run, killed at a step or after some wall-clock seconds; its reader may be killed earlier, at another step.

    Whatever happens, the run must leave nothing behind and report no trouble.
    """
    steps = str(step), str(reader)
    command = [sys.executable, __file__, *steps, "--config", desk / "config.ini", "--now", now, "poll"]
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        said, told = run.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        run.kill()
        said, told = run.communicate()
    assert (run.returncode, told) in ((0, b""), (-signal.SIGKILL, b"")) or _is_put_back(told), told.decode()
    until = time.monotonic() + 5
    while left := list(processes(run.pid)):
        assert time.monotonic() < until, f"left behind: {left}"
        time.sleep(0.002)
    killed = run.returncode == -signal.SIGKILL
    return Ended(killed, 0 if killed else int(said.split()[-1]), b"reader" in said)


def _is_put_back(told: bytes) -> bool:
    """Return whether a run has reported a restored database and nothing else."""
    return told.startswith(b"pbem: The database was put back") and told.count(b"\n") == 1


def processes(session: int) -> Iterator[str]:
    """Yield the processes that are alive in a session; init takes care of dead ones without a parent."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = path.read_text().rpartition(")")
        except OSError:
            continue  # it has ended in the meantime
        state, _, _, its_session = rest.split()[:4]
        if int(its_session) == session and state != "Z":
            yield f"{name}) {state}"


class _Steps:
    """Counts steps, and kills the run at one of them and its reader at another."""

    def __init__(self, run: int, reader: int) -> None:
        self.kill_run_at, self.kill_reader_at = run, reader
        self.run, self.taken = os.getpid(), 0

    def step(self) -> None:
        if os.getpid() != self.run:
            return  # steps of the reader do not count
        self.taken += 1
        if self.taken == self.kill_run_at:
            os.kill(self.run, signal.SIGKILL)
        if 0 < self.kill_reader_at <= self.taken and (reader := _reader()):
            self.kill_reader_at = 0
            os.kill(reader, signal.SIGKILL)
            os.write(sys.stdout.fileno(), b"reader killed\n")

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


def _reader() -> int:
    """The process ID of the reader; 0 if there is none."""
    from pbem.mail.sandbox import shared_reader
    from pbem.orders.reader import may_be_order

    return shared_reader(may_be_order)._process


def _main() -> None:
    import pbem.cli.main
    import pbem.mail.sandbox
    import pbem.orders.reader
    import pbem.transport.sockets

    steps = _Steps(int(sys.argv[1]), int(sys.argv[2]))
    for name in ("recv", "recv_into", "send", "sendall"):
        setattr(pbem.transport.sockets._Socket, name, steps.around(getattr(pbem.transport.sockets._Socket, name)))
    pbem.mail.sandbox._put = steps.around(pbem.mail.sandbox._put)
    os.fsync = steps.around(os.fsync)
    sqlite3.connect = steps.connect  # type: ignore[assignment]
    sys.addaudithook(steps.audit)
    sys.argv[1:3] = []
    try:
        pbem.cli.main.main()
    finally:
        print(steps.taken)


if __name__ == "__main__":
    _main()
