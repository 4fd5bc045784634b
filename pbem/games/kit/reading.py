"""Tools for reading letters in any game: words with their positions, mistakes in them, and letters rejected as a
whole."""

from typing import Any, NamedTuple, Protocol

from pbem import Sentence
from pbem.games.values import MAX_ITEMS, Interpretation, Mistake

_MAX_QUOTED = 40  # characters of the player's text quoted in a sentence


class Written(Protocol):
    """Words as they were written, and the offset at which they start."""

    @property
    def value(self) -> str: ...
    @property
    def start_pos(self) -> int: ...


class Token(Written, Protocol):
    """Written words together with their terminal in the grammar."""

    @property
    def type(self) -> str: ...


class Word(NamedTuple):
    """Words as they were written, without a terminal: either no grammar read them, or they were cut out of words that
    were read."""

    value: str
    start_pos: int = 0


class Wrong(Exception):  # noqa: N818 - it becomes a mistake in the letter
    """The error for an impossible item: the words that are wrong, and a sentence that explains what would be right.

    `instead` contains the items that were probably meant.
    """

    def __init__(self, at: Written, sentence: Sentence, *instead: Any) -> None:
        super().__init__(at, sentence)
        self.at, self.sentence, self.instead = at, sentence, instead


def mistake(at: Written, sentence: Sentence) -> Mistake:
    """Return a mistake in the words `at`, described by `sentence`."""
    return Mistake(at.start_pos, at.start_pos + len(at.value), sentence)


def refused(sentence: Sentence) -> Interpretation[Any]:
    """Reject a letter as a whole, for a reason that does not concern particular words."""
    return Interpretation(None, (Mistake(0, 0, sentence),))


def no_orders() -> Interpretation[Any]:
    """Reject a letter without orders."""
    return refused(Sentence("There are no orders here."))


def too_many() -> Interpretation[Any]:
    """Reject a letter with more than MAX_ITEMS orders."""
    return refused(Sentence("Orders of more than {most} lines are not accepted.", most=MAX_ITEMS))


def quoted(text: str) -> str:
    """Return `text` for use in a sentence, shortened to at most 40 characters."""
    return text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 3] + "..."
