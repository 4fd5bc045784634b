"""What a letter says: lines of words and signs, and what is read in them."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pbem.games.base import Sentence
from pbem.games.ozz.orders import Item
from pbem.values import NamedTuple


class Token(Protocol):
    """A word or a sign of a line; `type` as the terminals of orders.lark are called."""

    @property
    def type(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def start_pos(self) -> int: ...


class Word(NamedTuple):
    """Words as they were written, and where in the text they start."""

    value: str
    start_pos: int = 0


class Line(NamedTuple):
    """What stands between two separators: one item or several."""

    tokens: tuple[Token, ...]


class Nothing(NamedTuple):
    """A letter that says that it orders nothing."""


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


SHAPES: Mapping[str, Callable[[list[Any]], Any]] = {
    "orders": tuple,
    "line": lambda tokens: Line(tuple(tokens)),
}
"""What each rule of orders.lark becomes."""
