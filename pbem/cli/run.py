"""`pbem poll` without click, which a run would import for nothing; and what any command tells when something is wrong,
or takes long: a line, and an exit status."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pbem import PbemError
from pbem.resources import unread_part

if TYPE_CHECKING:
    from pbem.config.config import Config


def run(words: Sequence[str]) -> int:
    """The command of these words, which are a poll as cron starts it; its exit status."""
    try:
        from pbem.service.tick import clock

        return poll(config_of(words[1] if len(words) == 3 else None), clock())
    except KeyboardInterrupt:
        tell("\nAborted!")
        return TROUBLE
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told in one line
        return status_of(error, words)


def config_of(path: str | None) -> "Config":
    """The configuration in a file; else that which PBEM_CONFIG names, or the one here. Raises ConfigError."""
    from pbem.config.config import load_config

    return load_config(path or os.environ.get("PBEM_CONFIG") or "config.ini")


def poll(config: "Config", now: datetime) -> int:
    """A run of the desk; the exit status of the command."""
    from pbem.service.tick import poll as tick

    report = tick(config, now, progress())
    tell_lines(report.lines)
    return 0 if report.well else TROUBLE


def tell_lines(lines: Iterable[str]) -> None:
    """Tell an operator what a run has found."""
    for line in lines:
        tell(f"pbem: {printable(line)}")


TROUBLE, WRONG_USE = 1, 2
"""Exit statuses."""


def progress() -> Callable[[str], None]:
    """Long work shows on a terminal how far it is; under cron it is silent."""
    if not sys.stderr.isatty():
        return lambda text: None
    return lambda text: tell(f"\r{text:<40}\r", end="")


def tell(text: str, end: str = "\n") -> None:
    """Say something to whoever started the command, beside what it puts out."""
    sys.stderr.write(text + end)
    sys.stderr.flush()


def printable(text: str) -> str:
    """A text without anything that a terminal would obey."""
    return "".join(char if char.isprintable() or char == "\n" else " " for char in text)


def status_of(error: Exception, words: Iterable[str]) -> int:
    """Tell what is wrong with a command of some words; its exit status. Raises the error if it is to be debugged."""
    if isinstance(error, PbemError):
        tell(f"pbem: {printable(str(error))}")
        return TROUBLE if error.trouble else WRONG_USE
    if isinstance(error, OSError) and not error.filename:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # what is left in it would fail once more at the end
    if isinstance(error, BrokenPipeError):
        return TROUBLE
    message = _message(error) or _not_text(error, words)
    if message is None and "PBEM_DEBUG" in os.environ:
        raise error
    tell(f"pbem: {printable(message or _mistake_of_ours(error))}")
    return TROUBLE


def _message(error: Exception) -> str | None:
    """What is wrong that is nobody's mistake. It imports nothing of ours: that may be what has failed."""
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
    """Which word of the command is no text, if that is what is wrong: a file may be called so, but nothing else."""
    odd = next((word for word in words if not word.isprintable() and re.search("[\udc80-\udcff]", word)), None)
    if odd is None or not isinstance(error, UnicodeEncodeError):
        return None
    return f'"{os.fsencode(odd).decode("utf-8", "replace")}" is no text in UTF-8: write it anew.'


def _mistake_of_ours(error: Exception) -> str:
    """Where the program failed, and at what; nothing of what it worked on."""
    import traceback

    at = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{type(error).__name__} in {Path(at.filename).name}, line {at.lineno}"
    return (
        f"this is a mistake of ours ({where}), or the database is damaged: `pbem verify --all` says whether it is."
        " Nothing was lost by it; if it is sound, please report this."
    )
