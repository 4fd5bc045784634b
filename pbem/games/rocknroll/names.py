"""Names of cards and Points as people write them, and the order words of every language."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from pbem.games.rocknroll.cards import CardSet, Order
from pbem.games.rocknroll.spelling import forms_of
from pbem.games.spelling import folded
from pbem.games.words import order_words
from pbem.patterns import compiled

FOLDER = Path(__file__).parent
_LEAST = 3  # characters of a beginning that stands for a name
_SLIPS = 3  # letters that a misspelt name has too many or too few
_LONGEST = 3  # words of a name, or of what stands for one
_LETTERS = {"а": "A", "б": "B", "с": "C", "д": "D", "е": "E", "э": "E"}  # В is the preposition, never a Point
NO_POINT = "в"
_DIGITS = {f"n{number}": str(number) for number in range(1, 7)}
_ACTING = {"attack": "strike", "move": "walk"}  # words that stand for the order with which one unit does so


class Names:
    """The names of a set: each is found by its whole name or another one in either language and in any case, and by a
    beginning.
    """

    def __init__(self, cards: CardSet) -> None:
        self.orders = frozenset(cards.orders)
        self._whole = {name: (name,) for name in (*cards.units, *cards.orders)}  # as in all that we write ourselves
        self._spelt: dict[str, str] = {}  # names in full as they are spelt, by how they are compared
        self._exact: dict[str, str] = {}
        self._forms: dict[str, set[str]] = {}
        for card, name in _names(cards):
            self._spelt[folded(name)] = name
            self._exact[folded(name)] = card
            for form in forms_of(name):
                self._forms.setdefault(form, set()).add(card)
        self._acting = {
            _ACTING[order.kind]: name
            for name, order in cards.orders.items()
            if order.kind in _ACTING and order.number == 1
        }
        for card, order in cards.orders.items():
            for form in _counted(cards, order):
                self._forms.setdefault(form, set()).add(card)
        self._points = {letter: one for letter, one in _LETTERS.items() if one in cards.row}
        self._letters = frozenset((*_LETTERS, *(point.id.casefold() for point in cards.points)))
        for point in cards.points:
            self._points |= {point.id: point.id, folded(point.id): point.id}
            for form in (*forms_of(point.name.en), *forms_of(point.name.ru)):
                self._points[form] = point.id
        self._find = lru_cache(maxsize=8192)(self._look_up)
        self._near = lru_cache(maxsize=8192)(self._look_near)

    def find(self, text: str) -> tuple[str, ...]:
        """The cards that a text may name: one if it is clear, several where a beginning fits them, or none."""
        return self._whole.get(text) or self._find(text)

    def _look_up(self, text: str) -> tuple[str, ...]:
        name = folded(text)
        if whole := self._exact.get(name):
            return (whole,)
        name = _with_digits(name)
        if found := self._exact.get(name) or self._forms.get(name):
            return (found,) if isinstance(found, str) else tuple(sorted(found))
        if acting := next((card for word, card in self._acting.items() if is_word(name, word)), None):
            return (acting,)
        if len(name) < _LEAST or name.replace(" ", "").isdigit():
            return ()
        begun = [card for one, card in self._exact.items() if one.startswith(name)]
        begun = begun or [card for one, cards in self._forms.items() if one.startswith(name) for card in cards]
        return tuple(dict.fromkeys(begun))

    def longest(self, words: Sequence[str]) -> int:
        """How many of the first words are a name, or the beginning of one; 0: they are none."""
        for count in range(min(_LONGEST, len(words)), 0, -1):
            if self.find(" ".join(words[:count])):
                return count
        return 0

    def nearest(self, text: str) -> str | None:
        """The name that is probably meant, as it is spelt in the language of the text."""
        return self._near(folded(text))

    def _look_near(self, name: str) -> str | None:
        def like(names: Iterable[str]) -> list[str]:
            return [one for one in names if abs(len(one) - len(name)) <= _SLIPS and one.isascii() == name.isascii()]

        found = get_close_matches(name, like(self._spelt), 1) or get_close_matches(name, like(self._forms), 1, 0.75)
        if not found:
            return None
        if found[0] in self._spelt:
            return self._spelt[found[0]]
        cards = self.find(found[0])
        return next((name for name in self._spelt.values() if self.find(name) == cards), None)

    def point(self, text: str) -> str | None:
        """The Point that a text names."""
        return self._points.get(text) or self._points.get(folded(text))

    def is_point(self, text: str) -> bool:
        """Whether a text names a Point of some set, or one of this."""
        name = folded(text)
        return name in self._points or name in self._letters


def _names(cards: CardSet) -> Iterator[tuple[str, str]]:
    """Each card with each of its names."""
    for key, unit in cards.units.items():
        for name in (key, unit.name.ru, *unit.aliases):
            yield key, name
    for key, order in cards.orders.items():
        yield key, key
        yield key, order.name.ru


def _counted(cards: CardSet, order: Order) -> Iterator[str]:
    """An order by how many it is for: `2 attacks`, `2 атаки`, `move 2`; and `All five` with a digit."""
    for name in (order.name.en, order.name.ru):
        yield _with_digits(folded(name))
    if order.kind == "all":
        yield f"all {order.number} s"  # All 5s
    single = next((one for one in cards.orders.values() if one.kind == order.kind and one.number == 1), None)
    if single is None or order.kind not in _ACTING:
        return
    for name in (single.name.en, single.name.ru):
        for form in forms_of(name):
            yield f"{order.number} {form}"
            yield f"{form} {order.number}"


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> Names:
    """The names of a set, collected once."""
    return Names(cards)


@cache
def patterns() -> Mapping[str, re.Pattern[str]]:
    return {name: compiled(pattern, re.I) for name, pattern in order_words(FOLDER).items()}


@cache
def first_words() -> re.Pattern[str]:
    """The first words of order words that have several."""
    found = set[str]()
    for pattern in order_words(FOLDER).values():
        for choice in _split(pattern.removeprefix("(?:").removesuffix(")"), "|"):
            first, *others = _split(choice, " ")
            found |= {first.removesuffix("+")} if others else set()
    return compiled("|".join(sorted(found)), re.I)


def _split(pattern: str, mark: str) -> list[str]:
    """A regular expression taken apart at a mark, but not within its groups."""
    parts, depth = [""], 0
    for char in pattern:
        depth += (char == "(") - (char == ")")
        if char == mark and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return parts


@lru_cache(maxsize=8192)
def may_go_on(word: str) -> bool:
    """Whether a word may be the first of an order word that has several."""
    return first_words().fullmatch(folded(word)) is not None


@lru_cache(maxsize=4096)
def is_word(text: str, word: str) -> bool:
    """Whether a text is an order word, called as in `words/`."""
    return patterns()[word].fullmatch(folded(text)) is not None


@lru_cache(maxsize=8192)
def kinds_of(text: str) -> frozenset[str]:
    """All order words that a single word may be."""
    said = folded(text)
    return frozenset(name for name, pattern in patterns().items() if pattern.fullmatch(said))


def word_among(text: str, words: tuple[str, ...]) -> str | None:
    """Which of some order words a text is, if any."""
    return next((word for word in words if is_word(text, word)), None)


@lru_cache(maxsize=4096)
def _with_digits(name: str) -> str:
    """A folded name with digits for its numbers."""
    return " ".join(
        next((digit for word, digit in _DIGITS.items() if is_word(part, word)), part) for part in name.split()
    )
