"""Names of cards and Points as people write them, and the order words of every language."""

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from pathlib import Path

from pbem.games.base import Terminals
from pbem.games.rocknroll.cards import CardSet, Order
from pbem.games.rocknroll.spelling import cases_of
from pbem.games.spelling import folded
from pbem.games.words import order_words, word_files

FOLDER = Path(__file__).parent
NO_POINT = "в"  # the preposition, never a Point
_LETTERS = {"а": "A", "б": "B", "с": "C", "д": "D", "е": "E", "э": "E"}
_LEAST = 3  # characters of a beginning that stands for a name
_SLIPS = 3  # letters that a misspelt name has too many or too few
_ACTING = {"attack": "strike", "move": "walk", "march": "marches"}  # words that stand for the order that does so


class Names:
    """The names of a set: each is found by its whole name or another one in either language and in any case, and by a
    beginning of three letters or more that fits one card only.
    """

    def __init__(self, cards: CardSet) -> None:
        self.cards = cards
        self._spelt = {folded(name): name for _, name in _names(cards)}  # names in full, by how they are compared
        self._exact = {folded(name): card for card, name in _names(cards)}
        self._patterns = {
            **{name: "|".join(cases_of(said) for card, said in _names(cards) if card == name) for name in cards.units},
            **{name: "|".join(_of_order(cards, name, order)) for name, order in cards.orders.items()},
        }
        self._beginnings = {name: "|".join(self._begins(name)) for name in self._patterns}
        self.points = {one.id: f"{cases_of(one.name.en)}|{cases_of(one.name.ru)}" for one in cards.points}
        self.find = lru_cache(maxsize=8192)(self._find)
        self.nearest = lru_cache(maxsize=1024)(self._nearest)
        self.point = lru_cache(maxsize=1024)(self._point)

    def _find(self, text: str) -> tuple[str, ...]:
        """The cards that a text may name: one if it is clear, several where a beginning fits them, or none."""
        name = folded(text)
        if whole := self._exact.get(name):
            return (whole,)
        if found := tuple(card for card, pattern in self._compiled.items() if pattern.fullmatch(name)):
            return found
        begun = (card for one, card in self._exact.items() if len(name) >= _LEAST and one.startswith(name))
        return tuple(dict.fromkeys(begun))

    @cached_property
    def _compiled(self) -> Mapping[str, re.Pattern[str]]:
        return {card: re.compile(pattern, re.I) for card, pattern in self._patterns.items()}

    def _nearest(self, text: str) -> str | None:
        """The name that is probably meant, as it is spelt in the language of the text."""
        name = folded(text)

        def like(names: Iterable[str]) -> list[str]:
            return [one for one in names if abs(len(one) - len(name)) <= _SLIPS and one.isascii() == name.isascii()]

        found = get_close_matches(name, like(self._spelt), 1)
        return self._spelt[found[0]] if found else None

    def _point(self, text: str) -> str | None:
        """The Point that a text names."""
        name = folded(text)
        letter = _LETTERS.get(name, name.upper())
        if letter in self.points:
            return letter
        return next((point for point, said in self.points.items() if re.fullmatch(said, name, re.I)), None)

    def is_point(self, text: str) -> bool:
        """Whether a text names a Point of some set, or one of this."""
        return folded(text) in _LETTERS or self.point(text) is not None

    def _begins(self, card: str) -> Iterator[str]:
        """What fits the beginnings of a card's names that are no other card's."""
        for name in (one for one, owner in self._exact.items() if owner == card):
            least = len(name)
            while least > _LEAST and self._is_clear(name[: least - 1], card):
                least -= 1
            rest = ""
            for char in reversed(name[least:]):
                rest = f"(?:{re.escape(char)}{rest})?"
            if rest:
                yield re.escape(name[:least]) + rest

    def _is_clear(self, beginning: str, card: str) -> bool:
        """Whether a beginning stands for one card: no other is called so, nor any order word."""
        owners = {owner for one, owner in self._exact.items() if one.startswith(beginning)}
        return owners == {card} and not _any_word().fullmatch(beginning)

    @cached_property
    def terminals(self) -> Terminals:
        """What stands in the grammar for the names of the set, and for the order words."""
        orders, words = self.cards.orders, _longest_first()
        points = "|".join((*self.points.values(), "[A-EАБСДЕЭ]", *map(re.escape, self.points)))
        names = sorted((said for name, said in _names(self.cards) if name in orders), key=len, reverse=True)
        found = {
            **words,
            "unit_cards": self._any(name for name in self._patterns if name not in orders),
            "order_cards": self._any(sorted(orders, key=lambda name: -orders[name].number)),  # Attack two before Attack
            "order_names": rf"(?:{'|'.join(map(cases_of, names))})(?!\w)",
            "march_cards": self._any(name for name, order in orders.items() if order.kind == "march"),
            "point_names": rf"(?:{points})(?![\w'’])",
            "counts": "|".join(words[f"n{number}"] for number in range(1, 7)),
        }
        return tuple((name, pattern.replace("е", "[её]")) for name, pattern in found.items())

    def _any(self, cards: Iterable[str]) -> str:
        """Any of some cards, in full before the beginnings of names."""
        some = tuple(cards)
        found = (*(self._patterns[one] for one in some), *filter(None, (self._beginnings[one] for one in some)))
        return rf"(?:{'|'.join(found)})(?!\w)".replace("'", "['’]")


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile("|".join(order_words(FOLDER).values()), re.I)


def _longest_first() -> Mapping[str, str]:
    """The order words, those of several words before their beginnings."""
    found: dict[str, list[str]] = {}
    for file in word_files(FOLDER):
        for name, said in file.items():
            if not isinstance(said, Mapping):
                found.setdefault(name, []).extend(said)
    return {
        name: f"(?:{'|'.join(sorted(said, key=lambda one: (-one.count(' '), -len(one))))})"
        for name, said in found.items()
    }


def _names(cards: CardSet) -> Iterator[tuple[str, str]]:
    """Each card with each of its names; of two words the last may be enough."""
    for key, unit in cards.units.items():
        for name in (key, unit.name.ru, *unit.aliases):
            yield key, name
            if len(last := name.split()[-1]) > _LEAST and last != name:
                yield key, last
    for key, order in cards.orders.items():
        yield from ((key, name) for name in (key, order.name.ru, order.name.de) if name)


def _of_order(cards: CardSet, card: str, order: Order) -> Iterator[str]:
    """How an order is called: in full, by a verb, by how many it is for: `2 attacks`, `move 2`, `All 5 attack`."""
    words, number = order_words(FOLDER), _any_number(order.number)
    names = (*filter(None, (card, order.name.ru, order.name.de)),)
    if order.kind == "all":
        counted = "|".join(
            " +".join(number if is_word(one, f"n{order.number}") else cases_of(one) for one in name.split())
            for name in names
        )
        yield rf"(?:{counted})(?: +(?!(?:{words['for']})\b)(?:{words['attack']}|{words['against']}))?"
    single = next((one for one in cards.orders.values() if (one.kind, one.number) == (order.kind, 1)), order)
    if order.kind in _ACTING and single != order:
        said = "|".join(map(cases_of, filter(None, (single.name.en, single.name.ru, single.name.de))))
        yield f"{number} +(?:{said})|(?:{said}) *{number}"
    elif order.kind in _ACTING:
        yield words[_ACTING[order.kind]]
    yield from map(cases_of, names)


def _any_number(number: int) -> str:
    """A number as a digit or in words."""
    return rf"(?:{number}s?|{order_words(FOLDER).get(f'n{number}', number)})(?!\w)"


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> Names:
    """The names of a set, collected once."""
    return Names(cards)


@cache
def patterns() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(pattern, re.I) for name, pattern in order_words(FOLDER).items()}


@lru_cache(maxsize=8192)
def is_word(text: str, word: str) -> bool:
    """Whether a text is an order word, called as in `words/`."""
    return patterns()[word].fullmatch(folded(text)) is not None


def word_among(text: str, words: Iterable[str]) -> str | None:
    """Which of some order words a text is, if any."""
    return next((word for word in words if is_word(text, word)), None)
