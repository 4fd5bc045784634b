"""A command of the operator's, and what it prints: bounded in time and size."""

import os
import signal
from contextlib import suppress
from pathlib import Path

from pbem import PbemError


class CommandError(PbemError):
    """A command that gives nothing: the end of the sentence that begins with it."""


def output_of(words: list[str], folder: Path, *, seconds: float, most: int) -> bytes:
    """What a command prints when it is run in a folder: without a shell, and in a session of its own, so that all of it
    can be ended. Raises CommandError."""
    from subprocess import DEVNULL, PIPE, Popen  # every run reads the configuration, and few need this
    from threading import Timer

    try:
        process = Popen(  # noqa: S603 - the operator's own command
            words, cwd=folder, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL, start_new_session=True
        )
    except OSError as error:
        raise CommandError(f"cannot be run: {error.strerror}.") from None
    timer = Timer(seconds, _end, [process.pid])
    timer.start()
    try:
        with process:
            assert process.stdout is not None
            said = process.stdout.read(most + 1)
            if len(said) > most:
                _end(process.pid)
    except BaseException:
        _end(process.pid)
        raise
    finally:
        in_time = timer.is_alive()
        timer.cancel()
    if not in_time:
        raise CommandError(f"did not end within {seconds:.0f} seconds.")
    if len(said) > most:
        raise CommandError(f"printed more than {most} bytes.")
    if process.returncode:
        raise CommandError(f"ended with status {process.returncode}: try it by hand.")
    return said


def _end(session: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(session, signal.SIGKILL)
