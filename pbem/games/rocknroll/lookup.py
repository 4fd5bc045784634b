"""Cards and Points that words name, or the sentence that says why they name none."""

from typing import Protocol

from pbem.games.base import Sentence
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.items import Item
from pbem.games.rocknroll.names import NO_POINT, names_of
from pbem.games.rocknroll.notation import like
from pbem.games.rocknroll.state import State
from pbem.games.spelling import folded

_MAX_QUOTED = 40  # characters of the player's words within a sentence


class Wrong(Exception):  # noqa: N818 - it becomes a mistake of the letter
    """An item that cannot be: the words that are wrong, and the sentence that says what would be right.

    `instead` is the item that was probably meant.
    """

    def __init__(self, at: "At", sentence: Sentence, instead: Item | None = None) -> None:
        super().__init__(at, sentence)
        self.at, self.sentence, self.instead = at, sentence, instead


class At(Protocol):
    """Words and where in the text they start."""

    @property
    def value(self) -> str: ...
    @property
    def start_pos(self) -> int: ...


def quoted(text: str) -> str:
    """A text as it was written, cut short."""
    return text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 3] + "..."


class Lookup:
    """Looks words up in a set of cards. Raises Wrong for those that fit nothing, or more than one card.

    `mends`, the state that they are for: takes what was probably meant instead, where that can be said.
    """

    def __init__(self, cards: CardSet, *, mends: State | None = None) -> None:
        self.cards, self.names, self.mends = cards, names_of(cards), mends

    def called(self, name: str, word: At) -> str:
        """A card, a Point or a word as the player writes it: in the alphabet of what stands here."""
        return like(self.cards, name, word.value)

    def card(self, word: At) -> str:
        found = self.names.find(word.value)
        if len(found) == 1 or (found and self.mends):
            return found[0]
        text = quoted(word.value)
        if found:
            *first, last = (self.called(one, word) for one in found)
            either = Sentence("{first} or {last}", first=tuple(first), last=last)
            raise Wrong(word, Sentence('"{text}" may be {cards}: write more of the name.', text=text, cards=either))
        nearest = self.names.nearest(word.value)
        if nearest and self.mends:
            return self.names.find(nearest)[0]
        if nearest:
            raise Wrong(word, Sentence('There is no card "{text}". {nearest}?', text=text, nearest=nearest))
        raise Wrong(word, Sentence('There is no card "{text}".', text=text))

    def unit(self, word: At) -> str:
        name = self.card(word)
        if name not in self.cards.units:
            called = self.called(name, word)
            raise Wrong(word, Sentence('"{card}" is an order, and a unit is needed here.', card=called))
        return name

    def order(self, word: At) -> str:
        name = self.card(word)
        if name not in self.cards.orders:
            called = self.called(name, word)
            raise Wrong(word, Sentence('"{card}" is a unit, and an order is needed here.', card=called))
        return name

    def point(self, word: At) -> str:
        point = self.names.point(word.value)
        if point is not None:
            return point
        points = tuple(self.called(one, word) for one in self.cards.row)
        if folded(word.value) == NO_POINT:
            if self.mends:
                return "B"
            told = Sentence('"{text}" is a preposition and no Point. Б?', text=word.value)
            raise Wrong(word, told)
        told = Sentence('There is no Point "{text}". The Points are {points}.', text=quoted(word.value), points=points)
        raise Wrong(word, told)
