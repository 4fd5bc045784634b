"""`pbem poll`: all of it without click, which a run would import for nothing."""

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pbem.cli.errors import TROUBLE, printable, progress, status_of, tell

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
