"""Names of cards and Points as people write them, and the words of standing orders in every language."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from pbem.games.rocknroll.cards import CardSet
from pbem.games.words import order_words

FOLDER = Path(__file__).parent
_LEAST = 3  # characters of a beginning that stands for a name
_LETTERS = {"а": "A", "б": "B", "с": "C", "д": "D", "е": "E", "э": "E"}  # В is the preposition, never a Point


def folded(text: str) -> str:
    """A name as it is compared: without capitals, ё = е, one blank between words."""
    return " ".join(text.casefold().replace("ё", "е").split())


class Names:
    """The names of a set: each is found by its whole name or another one in either language, and by a beginning."""

    def __init__(self, cards: CardSet) -> None:
        self._exact = {name: (name,) for name in (*cards.units, *cards.orders)}
        self._cards: dict[str, str] = {}
        for name, unit in cards.units.items():
            self._cards |= dict.fromkeys(map(folded, (name, unit.name.ru, *unit.aliases)), name)
        for name, order in cards.orders.items():
            self._cards |= dict.fromkeys(map(folded, (name, order.name.ru)), name)
        self._points = {letter: one for letter, one in _LETTERS.items() if one in cards.row}
        for point in cards.points:
            self._points |= dict.fromkeys(map(folded, (point.id, point.name.en, point.name.ru)), point.id)
            self._points[point.id] = point.id
        self._spelt = {folded(name): name for name in (*cards.units, *cards.orders)} | {
            folded(name): name for unit in cards.units.values() for name in (unit.name.ru, *unit.aliases)
        }
        self._spelt |= {folded(order.name.ru): order.name.ru for order in cards.orders.values()}

    def find(self, text: str) -> tuple[str, ...]:
        """The cards that a text may name: one if it is clear, several where a beginning fits them, or none."""
        if exact := self._exact.get(text):
            return exact  # as in all that we write ourselves
        name = folded(text)
        if whole := self._cards.get(name):
            return (whole,)
        if len(name) < _LEAST:
            return ()
        return tuple(dict.fromkeys(card for one, card in self._cards.items() if one.startswith(name)))

    def nearest(self, text: str) -> str | None:
        """The name that is probably meant, as it is spelt in the language of the text."""
        found = get_close_matches(folded(text), self._spelt, 1)
        return self._spelt[found[0]] if found else None

    def point(self, text: str) -> str | None:
        """The Point that a text names."""
        return self._points.get(text) or self._points.get(folded(text))


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> Names:
    """The names of a set, collected once."""
    return Names(cards)


@cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(pattern, re.I) for name, pattern in order_words(FOLDER).items()}


@lru_cache(maxsize=1024)
def is_word(text: str, word: str) -> bool:
    """Whether a text is an order word, called as in `words/`."""
    return _patterns()[word].fullmatch(text) is not None


def word_among(text: str, words: tuple[str, ...]) -> str | None:
    """Which of some order words a text is, if any."""
    return next((word for word in words if is_word(text, word)), None)


@lru_cache(maxsize=1024)
def without_word(text: str, word: str) -> str | None:
    """What stands behind an order word at the beginning of a text; None if it does not begin so."""
    found = re.match(rf"(?:{_patterns()[word].pattern})\b *", text, re.I)
    return text[found.end() :] if found else None
