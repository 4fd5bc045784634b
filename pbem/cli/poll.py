"""The program `pbem`, which cron starts every few minutes to poll: nothing is imported before it is known what for."""

import atexit
import gc
import sys


def main() -> None:
    """A poll, the version, or whatever else click makes of the command's words."""
    gc.set_threshold(100_000)  # most of what a run makes lasts until its end: garbage is looked for less often,
    atexit.register(gc.freeze)  # and no more at the end, when all goes
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
    """Whether the words of a command are a poll as cron starts it."""
    return words == ["poll"] or (len(words) == 3 and words[0] == "--config" and words[2] == "poll")
