"""Print the numbers of all benchmarks, or of those that are named."""

import argparse
import os

from benchmarks import adjudicate, archive, check, demo, idle, letters, replay, searching, standings, tick, verify
from benchmarks.report import table

BENCHMARKS = {
    "adjudicate": adjudicate,
    "check": check,
    "replay": replay,
    "poll": idle,
    "letters": letters,
    "tick": tick,
    "demo": demo,
    "standings": standings,
    "search": searching,
    "verify": verify,
    "archive": archive,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    names = parser.parse_args().names or [*BENCHMARKS]
    if unknown := sorted(set(names) - BENCHMARKS.keys()):
        parser.error(f"there is no benchmark {', '.join(unknown)}, only {', '.join(BENCHMARKS)}")
    rows = [row for name in names for row in BENCHMARKS[name].measure()]
    print(table(rows))
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}: ratios say more than numbers on a busy machine.")


if __name__ == "__main__":
    main()
