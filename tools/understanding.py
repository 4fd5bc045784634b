"""Show how the letters of a corpus are read: `python -m tools.understanding [FILE ...] [--list KIND]`.

The files in `tests/orders/corpus` state the meaning of each letter. The table has a line for each kind, with the number
of letters, and then the numbers of those that are read as meant; that stand as meant while the writer is asked about a
line; that are proposed for a `yes`; about which the writer is asked, rightly or with a wrong proposal; that stand as
something else while the writer is asked about a line; that are played as something else; and that are not seen at all.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pbem.games import find_game
from pbem.games.chance import SECRET, SecretChance
from pbem.games.options import with_defaults
from pbem.lab.figures import wilson
from pbem.orders import reader
from pbem.orders.command import Inquiry, Later, Simple
from pbem.orders.situation import AnyStandpoint, Standpoint

CORPUS = Path(__file__).parent.parent / "tests" / "orders" / "corpus"
FATES = (
    "as meant",
    "provisional",
    "proposed",
    "asked",
    "wrong proposal",
    "may be else",
    "something else",
    "not seen",
)
_PLACES = {
    "ozymandia": ("red", "1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3"),
    "rocknroll": (
        "vpa",
        "set: expansion; next: vpa; A vpa: Zulu, Doc, Chili; A vietnam: Bao; hand vpa: Rook, Attack, Move, Napalm",
    ),
    "ozz": ("munchkins", ""),
}
"""The seat that writes in each game, and the position; "" is the initial one."""


class Sample(NamedTuple):
    """A letter: its kind, such as "clear chat", its text, and its meaning: orders, `yes`, or "" if that is in doubt."""

    kind: str
    text: str
    meant: str


def samples(path: Path) -> Iterator[Sample]:
    """The letters of a file."""
    return (sample for _, sample in samples_by_lot(path))


def samples_by_lot(path: Path) -> Iterator[tuple[str, Sample]]:
    """Yield the letters of a file with their lots; a lot was written at one time and has a comment above it."""
    kind, lots, commented = "", 0, False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            kind, commented = line[3:], False
        elif line.startswith("# "):
            lots, commented = lots + (not commented), True
        elif line:
            meant, bar, text = line.partition(" | ") if kind.startswith("clear") else ("", " | ", line)
            meant = "yes" if kind == "yes clear" else meant
            yield f"{path.stem} {lots}", Sample(kind, text.replace("⏎", "\n"), meant if bar else "")


@cache
def standpoint(name: str) -> AnyStandpoint:
    """The standpoint from which the letters of a game's corpus are written: its state, and the seat that writes."""
    seat, position = _PLACES[name]
    game = find_game(name)
    state = game.new(with_defaults(game.title, game.options({}), {}), SecretChance(bytes(SECRET)))
    return Standpoint(game, game.placed(state, position) if position else state, seat)


def standpoint_of(sample: Sample) -> AnyStandpoint:
    """The standpoint of a letter, in the game that its kind names."""
    return standpoint(next((word for word in sample.kind.split() if word in _PLACES), "ozymandia"))


def fate(sample: Sample) -> str:
    """The fate of a letter: one of FATES."""
    reading = reader.read(standpoint_of(sample), sample.text)
    said = str(reading.orders) if reading.orders is not None else ""
    commands = tuple(one for one in reading.commands if not isinstance(one, Inquiry | Later))
    if Simple("check") in commands:
        said = ""
    elif commands and not reading.doubts:
        said = "yes" if commands == (Simple("yes"),) and not said else "a command"
    if said and reading.perhaps:
        return "provisional" if said == sample.meant else "may be else"
    if said:
        return "as meant" if said == sample.meant else "something else"
    only = reading.readings[0] if len(reading.readings) == 1 and sample.meant else None  # proposed for a `yes` as well
    proposal = only or reading.proposal
    if proposal and not reading.left_out:
        return "proposed" if proposal == sample.meant else "wrong proposal"
    return "asked" if reading.mistakes or reading.doubts or reading.commands else "not seen"


def share(some: int, of: int) -> str:
    """A percentage with its 95 % interval."""
    return str(wilson(some, of)) if of else "-"


def main(arguments: list[str]) -> None:
    """Print the table, or with `--list` the letters with a fate."""
    listed = arguments[arguments.index("--list") + 1 :] if "--list" in arguments else []
    names = arguments[: arguments.index("--list")] if listed else arguments
    paths = list(map(Path, names)) or [CORPUS / "known.txt"]
    table: dict[str, Counter[str]] = {}
    for path in paths:
        for sample in samples(path):
            found = fate(sample)
            table.setdefault(sample.kind, Counter())[found] += 1
            if listed and found in listed[0].split(","):
                print(f"{sample.kind:18} {found:15} {sample.text!r}")
    if not listed:
        print(f"{'':18} {'all':>4} {'  '.join(FATES)}")
        for kind, counts in table.items():
            numbers = "  ".join(f"{counts[one]:>{len(one)}}" for one in FATES)
            print(f"{kind:18} {counts.total():>4} {numbers}")


if __name__ == "__main__":
    main(sys.argv[1:])
