"""`pbem` that is killed at a step: python killer.py STEP ARGUMENT ...; with step 0 it prints how many steps there are.

A step is where the run touches the disk or a socket: before each statement of SQL, each file moved, each line sent.
"""

import os
import signal
import sqlite3
import sys

import pbem.line
import pbem.store

_at = int(sys.argv[1])
_steps = 0


def step(*_: object) -> None:
    global _steps  # noqa: PLW0603
    _steps += 1
    if _steps == _at:
        os.kill(os.getpid(), signal.SIGKILL)


def _connect(*args: object, **options: object) -> sqlite3.Connection:
    conn = sqlite3.Connection(*args, **options)  # type: ignore[arg-type]
    conn.set_trace_callback(lambda sql: None if sql.startswith(("SELECT", "PRAGMA")) else step())
    return conn


def _sendall(line: pbem.line._Socket, *args: object) -> None:
    step()
    _plain_sendall(line, *args)  # type: ignore[arg-type]
    step()


pbem.store.sqlite3.connect = _connect  # type: ignore[assignment]
_plain_sendall = pbem.line._Socket.sendall
pbem.line._Socket.sendall = _sendall  # type: ignore[method-assign,assignment]
sys.addaudithook(lambda event, args: step() if event == "os.rename" else None)

if __name__ == "__main__":
    from pbem.cli import main

    sys.argv[1:2] = []
    try:
        main()
    finally:
        if not _at:
            print(_steps)
