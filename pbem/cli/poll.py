"""The program `pbem`. Cron starts it every few minutes, so it imports nothing else of pbem before it knows its task."""

import atexit
import gc
import os
import sys


def main() -> None:
    """Poll, print the version, or leave any other command to click."""
    gc.set_threshold(100_000)  # most objects of a run live until its end, so garbage is collected less often
    atexit.register(gc.freeze)  # and not at all at exit
    if sys.stdin is None:  # it is closed, and the next file that is opened would take its place
        sys.stdin = open(os.devnull)  # noqa: SIM115 - remains open until the end
    words = sys.argv[1:]
    if words == ["--version"]:
        from pbem import __version__

        print(f"pbem, version {__version__}")
    elif is_poll(words):
        from pbem.cli.run import run

        sys.exit(run(words))
    else:
        from pbem.cli.main import main as any_command

        any_command()


def is_poll(words: list[str]) -> bool:
    """Return whether `words`, the words of the command line, ask for a poll in the way that cron does."""
    return words == ["poll"] or (len(words) == 3 and words[0] == "--config" and words[2] == "poll")
