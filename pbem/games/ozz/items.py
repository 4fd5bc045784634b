"""What a letter says: phrases of the grammar, and what they come to."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from pbem.games.kit.reading import Token, Word
from pbem.games.ozz.orders import Item


class Told(NamedTuple):
    """A token in the words of the table of spellings."""

    type: str
    value: str
    start_pos: int


class Phrase(NamedTuple):
    """What a rule of orders.lark has read; `type` as the rule is called."""

    type: str
    parts: tuple[Any, ...]
    """Tokens and phrases."""

    def all(self, *types: str) -> list[Any]:
        """The parts of some types, in the order in which they were written."""
        return [part for part in self.parts if part.type in types]

    def one(self, *types: str) -> Any:
        """The first part of some types; None if there is none."""
        return next((part for part in self.parts if part.type in types), None)

    def tokens(self) -> Iterator[Token]:
        """All words within."""
        for part in self.parts:
            if isinstance(part, Phrase):
                yield from part.tokens()
            else:
                yield part

    @property
    def here(self) -> Word:
        """Where it begins."""
        first = next(self.tokens(), None)
        return Word(first.value, first.start_pos) if first else Word("")


class Nothing(NamedTuple):
    """A letter that says that it orders nothing; `stays`: of whom it says so, by code or word."""

    stays: tuple[str, ...] = ()


class Forget(NamedTuple):
    """All standing orders are taken back."""


class Said(NamedTuple):
    """An item that was read: `at` is where it begins, `places` where its codes stand; `standing`: it is to stay."""

    item: Item | Nothing | Forget
    at: Word = Word("")
    places: Mapping[str, Word] = {}
    standing: bool = False


CLAUSES = frozenset(
    ("drop", "take", "with", "but")
    + ("advance", "stand", "back", "attack", "charge", "coordinate", "alone", "leave", "off", "change")
)
"""Phrases that go on with the item before."""
ITEMS = frozenset(
    ("going", "recruit", "garrison", "honors", "return", "deploy", "group", "guard", "cast", "ring", "order")
    + ("step", "sequence", "initiative", "evade", "join", "shoot", "keep", "retreat", "retreat_to", "losses", "carry")
    + ("pass", "fight_fast", "lasting")
)
"""Phrases that are items."""
_PARTS = ("standing", "who", "both", "grouped", "all", "way", "link", "at", "target", "by", "condition")


def _phrase(kind: str, parts: list[Any]) -> Phrase:
    return Phrase(kind, tuple(parts))


SHAPES: Mapping[str, Callable[[list[Any]], Any]] = {
    "orders": tuple,
    **{kind: partial(_phrase, kind) for kind in (*sorted(CLAUSES | ITEMS), *_PARTS)},
}
"""What each rule of orders.lark becomes."""
