"""`pbem poll`, which cron starts every few minutes: all of it without click, which a run would import for nothing."""

import gc
import os
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from pbem import __version__
from pbem.cli.errors import TROUBLE, printable, progress, status_of, tell

if TYPE_CHECKING:
    from pbem.config.config import Config


def main() -> None:
    """The program `pbem`: a poll, the version, or whatever else click makes of the command's words."""
    words = sys.argv[1:]
    if words == ["--version"]:
        print(f"pbem, version {__version__}")
    elif is_poll(words):
        sys.exit(_poll(words))
    else:
        from pbem.cli.main import main as any_command

        any_command()


def is_poll(words: Sequence[str]) -> bool:
    """Whether the words of a command are a poll as cron starts it."""
    return [*words] == ["poll"] or (len(words) == 3 and words[0] == "--config" and words[2] == "poll")


def config_of(path: str | None) -> "Config":
    """The configuration in a file; else that which PBEM_CONFIG names, or the one here. Raises ConfigError."""
    from pbem.config.config import load_config

    return load_config(path or os.environ.get("PBEM_CONFIG") or "config.ini")


def poll(config: "Config", now: datetime) -> int:
    """A run of the desk; the exit status of the command."""
    from pbem.service.tick import poll as run

    gc.set_threshold(10_000)  # most of what a run makes lasts until its end: garbage is looked for less often
    report = run(config, now, progress())
    tell_lines(report.lines)
    return 0 if report.well else TROUBLE


def tell_lines(lines: Iterable[str]) -> None:
    """Tell an operator what a run has found."""
    for line in lines:
        tell(f"pbem: {printable(line)}")


def _poll(words: Sequence[str]) -> int:
    try:
        from pbem.service.tick import clock

        return poll(config_of(words[1] if len(words) == 3 else None), clock())
    except KeyboardInterrupt:
        tell("\nAborted!")
        return TROUBLE
    except Exception as error:  # noqa: BLE001 - whatever it is, it is told in one line
        return status_of(error, words)
