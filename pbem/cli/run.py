"""`pbem poll` without click, whose import would only slow a run down, and functions that every command needs: they
report failures in one line with an exit status, and show the progress of long work."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence, Sized
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import PbemError
from pbem.resources import unread_part

if TYPE_CHECKING:
    from pbem.config.config import Config


def run(words: Sequence[str]) -> int:
    """Run the poll that `words`, the words of the command line, ask for; return its exit status."""
    try:
        from pbem.service.tick import clock

        return poll(config_of(words[1] if len(words) == 3 else None), clock())
    except KeyboardInterrupt:
        tell("\nAborted!")
        return TROUBLE
    except Exception as error:  # noqa: BLE001 - every failure is reported in one line
        return status_of(error, words)


def config_of(path: str | None) -> "Config":
    """Load the configuration from the file at `path`. If `path` is None, load the file that the environment variable
    PBEM_CONFIG names or else `config.ini` in the current folder. Raises ConfigError."""
    from pbem.config.config import load_config

    return load_config(path or os.environ.get("PBEM_CONFIG") or "config.ini")


def poll(config: "Config", now: datetime, *, verbose: bool = False) -> int:
    """Run the desk once; return the exit status of the command. If `verbose`, show the log of the run."""
    from pbem.service.tick import poll as tick

    report = tick(config, now, progress(), show=tell if verbose else None)
    tell_lines(report.lines)
    if report.well and report.ran and config.desk.ping:
        from pbem.service.ping import ping

        ping(config.desk.ping)
    return 0 if report.well else TROUBLE


def tell_lines(lines: Iterable[str]) -> None:
    """Write `lines`, which report on a run, to standard error for the operator."""
    for line in lines:
        tell(f"pbem: {printable(line)}")


TROUBLE, WRONG_USE = 1, 2
"""The exit statuses for trouble that needs the operator, and for wrong use or configuration."""


def progress() -> Callable[[str], None]:
    """Return a function that shows the progress of long work on a terminal; under cron it shows nothing."""
    if not sys.stderr.isatty():
        return lambda text: None
    return lambda text: tell(f"\r{text:<40}\r", end="")


def tell(text: str, end: str = "\n") -> None:
    """Write a message to standard error, separate from the command's output."""
    sys.stderr.write(text + end)
    sys.stderr.flush()


def say_if_empty(rows: Sized, sentence: str) -> None:
    """If a list has no `rows`, say so on standard error, where it disturbs no program that reads the list."""
    if not rows:
        tell(sentence)


def printable(text: str) -> str:
    """Return `text` with a blank in place of each unprintable character except line feeds."""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)


def status_of(error: Exception, words: Iterable[str]) -> int:
    """Report in one line the `error` that made a command fail; return the exit status. If the environment variable
    PBEM_DEBUG is set, an unexpected error is raised again instead."""
    if isinstance(error, PbemError):
        tell(f"pbem: {printable(str(error))}")
        return TROUBLE if error.trouble else WRONG_USE
    if isinstance(error, OSError) and not error.filename:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # otherwise, writing the rest of the output would fail again at exit
    if isinstance(error, BrokenPipeError):
        return TROUBLE
    message = _message(error) or _not_text(error, words)
    if message is None and "PBEM_DEBUG" in os.environ:
        raise error
    tell(f"pbem: {printable(message or _program_error(error))}")
    return TROUBLE


def _message(error: Exception) -> str | None:
    """Return a description of `error` if it is neither a bug nor wrong use, and None otherwise. This function imports
    no module of pbem, because a module that cannot be imported may be the cause."""
    if part := unread_part(error):
        return (
            f"a part of the program cannot be read: {part}. Nothing is lost; "
            "install pbem again, or let the user who runs it read where it is installed."
        )
    if isinstance(error, OSError):
        return f"{error.filename or 'the output'}: {error.strerror}."
    database = sys.modules.get("pbem.store.database")
    if database and isinstance(error, database.SQLiteError):
        return f"the database failed: {error}. Nothing was changed."
    return None


def _not_text(error: Exception, words: Iterable[str]) -> str | None:
    """If the command failed because one of `words`, the words of the command line, is not text, return a message about
    that word; otherwise return None. Only file names may be arbitrary bytes."""
    odd = next((word for word in words if not word.isprintable() and re.search("[\udc80-\udcff]", word)), None)
    if odd is None or not isinstance(error, UnicodeEncodeError):
        return None
    return f'"{os.fsencode(odd).decode("utf-8", "replace")}" is no text in UTF-8: write it anew.'


def _program_error(error: Exception) -> str:
    """Return a message that says where and how the program failed, without any of the data that it was working on. The
    message mentions the database only if the command has used it."""
    import traceback

    at = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {Path(at.filename).name}, line {at.lineno}"
    if "pbem.store.database" not in sys.modules:
        return f"this is a mistake of ours ({where}). Nothing was lost by it; please report this."
    return (
        f"this is a mistake of ours ({where}), or the database is damaged: `pbem verify --all` says whether it is."
        " Nothing was lost by it; if it is sound, please report this."
    )
