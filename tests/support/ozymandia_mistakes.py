"""Mistakes in orders of Ozymandia as values; `tests/cases/ozymandia-mistakes.txt` describes their format."""

from collections.abc import Iterator
from typing import NamedTuple

from pbem.games.values import MAX_ITEMS
from support.paths import ROOT

SET_UP = "1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3"


class Example(NamedTuple):
    """Red's orders on the default board with one mistake, the sentence that answers it, and the proposed orders, if
    any. `kind` describes the mistake in words."""

    kind: str
    orders: str
    sentence: str = ""
    proposal: str | None = None
    position: str = SET_UP


def _written() -> Iterator[Example]:
    kind, found = "", list[Example]()
    for line in (ROOT / "tests" / "cases" / "ozymandia-mistakes.txt").read_text(encoding="utf-8").splitlines():
        word, _, rest = line.partition(" ")
        match word:
            case "MISTAKE":
                kind = rest
            case "ORDERS":
                found.append(Example(kind, rest))
            case "SENTENCE" | "PROPOSAL" | "POSITION":
                found[-1] = found[-1]._replace(**{word.casefold(): rest})
    yield from found
    sentence = f"There are more than {MAX_ITEMS} orders here. No turn needs so many."
    yield Example("too long", "1 A to M, " * (MAX_ITEMS + 1), sentence)


EXAMPLES = tuple(_written())
"""Every example; orders that are too long are not in the file."""
