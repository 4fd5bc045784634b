"""An interpreter in a process of its own, with limits on its time, memory and output, and the conversation with it: one
JSON object per line in each direction (docs/interpreter.md)."""

import json
import os
import select
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, Literal, NamedTuple

from pbem import PbemError
from pbem.typed import Key, Reader

TRIES = 5
"""How many lists of orders an interpreter may try out for each letter before it answers."""

MEGABYTES = 4_000
"""The maximum number of megabytes for each process of the program, where the system can set this limit."""

_LIMITED = f'ulimit -v {MEGABYTES * 1_000} 2>/dev/null; exec "$0" "$@"'
_MARK = "PBEM_INTERPRETER"  # a variable in the environment of all processes of one program
_PATIENCE = 5.0  # the maximum number of seconds to wait for the end of the program
_LONGEST = 100_000  # the maximum number of bytes of a line from the program


class InterpreterError(PbemError):
    """Raised when the program fails. The message completes a sentence that begins with "The interpreter"."""


class Answer(NamedTuple):
    """A line from the program: orders to `attempt`, which is written `try`, a request for the `grammar` of orders, or
    an answer. An answer consists of `orders`, of a `command`, of an `answer` to an open question, or of the question
    that it `asks` because the letter is not clear. `because` contains the words of the letter on which it rests. `id`
    is that of the question."""

    id: int = 0
    attempt: Annotated[str, Key("try")] = ""
    grammar: bool = False
    orders: str = ""
    command: str = ""
    answer: Literal["", "yes", "no"] = ""
    asks: str = ""
    because: tuple[str, ...] = ()


Desk = Callable[[Answer], Mapping[str, Any]]
"""A function that tries out orders, or gives the grammar: it returns the object that the program gets in reply."""


class Program:
    """A running interpreter, which answers one question after another. After an error it must be closed."""

    def __init__(self, command: str, folder: Path) -> None:
        """Start `command` in `folder`. Raises InterpreterError."""
        try:
            words = shlex.split(command)
            found = shutil.which(str(folder / words[0]) if "/" in words[0] else words[0])
        except (ValueError, IndexError):
            found = None
        if found is None:
            raise InterpreterError("cannot be started: there is no such program.")
        self._mark = f"{os.getpid()}-{monotonic()}"
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the operator's own command
                ("/bin/sh", "-c", _LIMITED, found, *words[1:]),
                cwd=folder,
                env={**os.environ, _MARK: self._mark},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise InterpreterError(f"cannot be started: {error.strerror}.") from None
        assert self._process.stdin
        assert self._process.stdout
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        os.set_blocking(self._out, False)
        self._read, self._asked = b"", 0

    def close(self) -> None:
        """End the program and the processes that it has started, and close the pipes. If the system does not allow
        that, the program still reads the end of its input; without /proc, processes in sessions of their own go on."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for environment in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if f"{_MARK}={self._mark}\0".encode() in environment.read_bytes():
                    os.kill(int(environment.parent.name), signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)

    def ask(self, question: Mapping[str, Any], desk: Desk, seconds: float) -> Answer:
        """Ask `question`, and return the final answer of the program, which may ask for the grammar and try out orders
        first. Raises InterpreterError if there is no such answer within `seconds`."""
        self._asked += 1
        until, line = monotonic() + seconds, question
        for _ in range(TRIES + 2):
            answer = _parse(self._exchange({"id": self._asked, **line}, until))
            if answer.id != self._asked:
                raise InterpreterError("answered another question than the last one.")
            if not (answer.attempt or answer.grammar):
                return answer
            line = desk(answer)
        raise InterpreterError(f"tried out orders more than {TRIES} times.")

    def _exchange(self, line: Mapping[str, Any], until: float) -> bytes:
        """Write `line`, and return the next line that the program writes."""
        waiting = json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        poll.register(self._in, select.POLLOUT)
        while waiting or b"\n" not in self._read:
            ready = dict(poll.poll(max(0, until - monotonic()) * 1000))
            if not ready:
                raise InterpreterError("did not answer in time.")
            try:
                if self._in in ready:
                    waiting = waiting[os.write(self._in, waiting) :]
                if self._out in ready:
                    self._read += (piece := os.read(self._out, 65_536))
                    if not piece:
                        raise InterpreterError("ended before it had answered.")
            except BrokenPipeError:
                raise InterpreterError("ended before it had answered.") from None
            if self._in in ready and not waiting:
                poll.unregister(self._in)
            if len(self._read) > _LONGEST:
                raise InterpreterError(f"wrote a line of more than {_LONGEST} bytes.")
        answer, _, self._read = self._read.partition(b"\n")
        return answer


def _parse(line: bytes) -> Answer:
    """Parse a line from the program. Errors repeat nothing of it, because it may contain words of a letter."""
    reader = Reader()
    try:
        answer = reader.read(Answer, json.loads(line))
    except (ValueError, RecursionError):
        raise InterpreterError("wrote a line that is not JSON.") from None
    if reader.problems or sum(map(bool, answer[1:-1])) > 1:
        raise InterpreterError("wrote a line that is not as docs/interpreter.md has it.")
    return answer
