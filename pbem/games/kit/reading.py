"""What is read of a letter, whatever the game: words and where they stand, what is wrong with them, and a letter
that is refused as a whole.
"""

from typing import Any, NamedTuple, Protocol

from pbem import Sentence
from pbem.games.values import MAX_ITEMS, Interpretation, Mistake

_MAX_QUOTED = 40  # characters of the player's words within a sentence


class Written(Protocol):
    """Words as they were written, and where in the text they start."""

    @property
    def value(self) -> str: ...
    @property
    def start_pos(self) -> int: ...


class Token(Written, Protocol):
    """The same, with the terminal of the grammar that they are."""

    @property
    def type(self) -> str: ...


class Word(NamedTuple):
    """Written words that no grammar has read, or a part of those that it has."""

    value: str
    start_pos: int = 0


class Wrong(Exception):  # noqa: N818 - it becomes a mistake of the letter
    """An item that cannot be: the words that are wrong, and the sentence that says what would be right.

    `instead` are the items that were probably meant.
    """

    def __init__(self, at: Written, sentence: Sentence, *instead: Any) -> None:
        super().__init__(at, sentence)
        self.at, self.sentence, self.instead = at, sentence, instead


def mistake(at: Written, sentence: Sentence) -> Mistake:
    """What is wrong with words, shown where they stand."""
    return Mistake(at.start_pos, at.start_pos + len(at.value), sentence)


def refused(sentence: Sentence) -> Interpretation[Any]:
    """A letter with something wrong that is wrong with no word of it."""
    return Interpretation(None, (Mistake(0, 0, sentence),))


def no_orders() -> Interpretation[Any]:
    """A letter that says nothing."""
    return refused(Sentence("There are no orders here."))


def too_many() -> Interpretation[Any]:
    """A letter of more than MAX_ITEMS orders."""
    return refused(Sentence("Orders of more than {most} lines are not read.", most=MAX_ITEMS))


def quoted(text: str) -> str:
    """A text as it was written, cut short."""
    return text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 3] + "..."
