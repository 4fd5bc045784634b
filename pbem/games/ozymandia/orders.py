"""Orders as values and in canonical form; and the items that the grammar finds in an order list, which still contain
the player's words (§3 of the rules)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.kit import notation
from pbem.games.kit.reading import Word, Written


class Move(NamedTuple):
    """Pieces that move from one area to an adjacent one (§2.3)."""

    count: int  # type: ignore[assignment]  # the term of the rules hides a method of tuples
    origin: str
    target: str

    def __str__(self) -> str:
        return f"{self.count} {self.origin} to {self.target}"


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of one seat for a turn, legal and complete. The order reader can read the result of `str` back.

    `new` contains, in board order, the area for each new piece that was ordered: the code of a city or of its province.
    `moves` contains each pair of areas once, in the order given. `bomb` is the area bombarded, or None.
    """

    new: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    bomb: str | None = None

    def __str__(self) -> str:
        groups = (
            ", ".join(f"New {area}" for area in self.new),
            ", ".join(map(str, self.moves)),
            f"Bomb {self.bomb}" if self.bomb else "",
        )
        return "; ".join(filter(None, groups)) or "Pass"


class MoveItem(NamedTuple):
    """A move. A part that the player left out is None; such an item is read only so that the omission can be
    reported."""

    number: Written | None
    origin: Written | None
    target: Written | None


class NewItem(NamedTuple):
    """A new piece and the area where it should be placed."""

    area: Written


class AlsoItem(NamedTuple):
    """A name after a comma or an `and`. It means one more new piece in `New A, M and W`; anywhere else it is not an
    order."""

    area: Written


class BombItem(NamedTuple):
    """An area to bombard."""

    area: Written


class PassItem(NamedTuple):
    """An order not to move."""

    word: Written


SHAPES: Mapping[str, Callable[[list[Any]], Any]] = {
    "orders": tuple,
    "move": MoveItem._make,
    "move_from": lambda words: MoveItem(words[1], words[0], words[2]),
    "no_target": lambda words: MoveItem(words[0], words[1], None),
    "no_origin": lambda words: MoveItem(words[0], None, words[1]),
    "no_count": lambda words: MoveItem(None, words[0], words[1]),
    "new": NewItem._make,
    "also": AlsoItem._make,
    "bomb": BombItem._make,
    "stay": PassItem._make,
}
"""For each rule of orders.lark, the function that makes a value from its parsed parts."""

_CANONICAL = re.compile(
    r"(?P<count>[0-9]{1,6}) (?P<origin>[A-Z]C?) to (?P<target>[A-Z]C?)"
    r"|New (?P<new>[A-Z]C?)|Bomb (?P<bomb>[A-Z]C?)|(?P<stay>Pass)"
)
Item = MoveItem | NewItem | BombItem | PassItem


def read_canonical(text: str) -> tuple[Item, ...] | None:
    """Read orders in the form of `str(orders)` into items, whose words do not have positions. Return None for any other
    text."""
    items = tuple(map(_item, text.replace("; ", ", ").split(", ")))
    return None if None in items else items  # type: ignore[return-value]


@lru_cache(maxsize=4096)  # more than the number of different orders that are usual on a board
def _item(text: str) -> Item | None:
    parts = _CANONICAL.fullmatch(text)
    if not parts:
        return None
    word = {name: Word(value, 0) for name, value in parts.groupdict().items() if value}
    if "count" in word:
        return MoveItem(word["count"], word["origin"], word["target"])
    if "new" in word:
        return NewItem(word["new"])
    return BombItem(word["bomb"]) if "bomb" in word else PassItem(word["stay"])


def written(orders: str, language: str) -> str:
    """Return canonical orders in the notation of `language`. Any other text is returned unchanged."""
    words = notation.words_of(Path(__file__).parent, language)
    return notation.replaced(orders, words, r"[A-Z]C?|[ \d,;]") if words else orders


def noted(orders: object) -> Sentence:
    """Return orders as a sentence in the notation of its reader's language."""
    return notation.noted(str(orders), written)
