"""Print the figures of all benchmarks, or of those named."""

import argparse
import os

from benchmarks import (
    adjudicate,
    archive,
    check,
    demo,
    flood,
    idle,
    lab,
    letters,
    logged,
    replay,
    searching,
    standings,
    tick,
    verify,
)
from benchmarks.report import Noise, table

BENCHMARKS = {
    "adjudicate": adjudicate,
    "check": check,
    "replay": replay,
    "poll": idle,
    "letters": letters,
    "flood": flood,
    "tick": tick,
    "demo": demo,
    "standings": standings,
    "search": searching,
    "verify": verify,
    "archive": archive,
    "lab": lab,
    "log": logged,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    names = parser.parse_args().names or [*BENCHMARKS]
    if unknown := sorted(set(names) - BENCHMARKS.keys()):
        parser.error(f"there is no benchmark {', '.join(unknown)}, only {', '.join(BENCHMARKS)}")
    rows, noise = [], Noise()
    for name in names:
        for row in BENCHMARKS[name].measure():
            noise.listen()
            rows.append(row)
    print(table(rows))
    print(f"\n{noise}\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: look at ratios and CPU seconds.")


if __name__ == "__main__":
    main()
