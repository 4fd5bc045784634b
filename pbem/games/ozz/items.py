"""What a letter says: phrases of the grammar, and what they come to."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol

from pbem.games.base import Sentence
from pbem.games.ozz.orders import Item


class Token(Protocol):
    """Words of a letter; `type` as the terminals of orders.lark are called."""

    @property
    def type(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def start_pos(self) -> int: ...


class Told(NamedTuple):
    """The same, in the words of the table of spellings."""

    type: str
    value: str
    start_pos: int


class Word(NamedTuple):
    """Words as they were written, and where in the text they start."""

    value: str
    start_pos: int = 0


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


class Wrong(Exception):  # noqa: N818 - it becomes a mistake of the letter
    """An item that cannot be read: the words that are wrong, and the sentence that says what would be right.

    `instead` are the items that were probably meant.
    """

    def __init__(self, at: Word, sentence: Sentence, *instead: Item) -> None:
        super().__init__(at, sentence)
        self.at, self.sentence, self.instead = at, sentence, instead


_MAX_QUOTED = 40  # characters of the player's words within a sentence


def quoted(text: str) -> str:
    """A text as it was written, cut short."""
    return text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 3] + "..."


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
