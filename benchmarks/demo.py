"""`pbem demo`, the first command that most people run."""

from collections.abc import Iterator

from benchmarks.installation import installation
from benchmarks.report import Row


def measure() -> Iterator[Row]:
    """Wall time of one game by letters, including the start of the process."""
    ours = installation()
    seconds = min(ours.run(ours.pbem, "demo").seconds for _ in range(3))
    yield Row("demo", seconds, "s", target="< 10 s", met=seconds < 10)
