"""Names of cards and Points as people write them, in every grammatical case and language; the order words of every
language; and the value that each rule of orders.lark produces.

Grammatical cases are derived from the spelling of a name, so that the names in any card file can be declined.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from pbem import Sentence
from pbem.games.base import Terminals
from pbem.games.kit.reading import Token, Written, Wrong, quoted
from pbem.games.rocknroll.cards import CardSet, Order
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.wording import like
from pbem.games.spelling import folded
from pbem.games.words import order_words, word_files

FOLDER = Path(__file__).parent
NO_POINT = "в"  # a Russian preposition, which never means a Point
_LETTERS = {"а": "A", "б": "B", "с": "C", "д": "D", "е": "E", "э": "E"}
_LEAST = 3  # the length of the shortest prefix that can stand for a name, in characters
_SLIPS = 3  # the largest difference in length between a misspelt name and the right one, in letters
_ACTING = {"attack": "strike", "move": "walk", "march": "marches"}  # verbs that can replace an order's name


class Names:
    """The names in a set. A card is found by its full name or an alias, in any language and grammatical case, or by an
    unambiguous prefix of at least three letters."""

    def __init__(self, cards: CardSet) -> None:
        self.cards = cards
        self._spelt = {folded(name): name for _, name in _names(cards)}  # full names by their normalized form
        self._exact = {folded(name): card for card, name in _names(cards)}
        self._patterns = {
            **{unit: "|".join(cases_of(name) for card, name in _names(cards) if card == unit) for unit in cards.units},
            **{name: "|".join(_of_order(cards, name, order)) for name, order in cards.orders.items()},
        }
        self._beginnings = {name: "|".join(self._begins(name)) for name in self._patterns}
        self.points = {point.id: f"{cases_of(point.name.en)}|{cases_of(point.name.ru)}" for point in cards.points}
        self.find = lru_cache(maxsize=8192)(self._find)
        self.nearest = lru_cache(maxsize=1024)(self._nearest)
        self.point = lru_cache(maxsize=1024)(self._point)

    def _find(self, text: str) -> tuple[str, ...]:
        """Return the cards that `text` may name: one card if `text` is unambiguous, several cards if `text` is a prefix
        of several names; empty if `text` fits no card."""
        name = folded(text)
        if whole := self._exact.get(name):
            return (whole,)
        if cards := self.exactly(name):
            return cards
        prefixed = (card for spelling, card in self._exact.items() if len(name) >= _LEAST and spelling.startswith(name))
        return tuple(dict.fromkeys(prefixed))

    @property
    def spelt(self) -> Iterable[str]:
        """All full names, normalized."""
        return self._spelt

    def exactly(self, name: str) -> tuple[str, ...]:
        """Return the cards that `name`, a normalized text, names in full, in any grammatical case."""
        return tuple(card for card, pattern in self._compiled.items() if pattern.fullmatch(name))

    @cached_property
    def _compiled(self) -> Mapping[str, re.Pattern[str]]:
        return {card: re.compile(pattern, re.I) for card, pattern in self._patterns.items()}

    def _nearest(self, text: str) -> str | None:
        """Return the name, in the alphabet of `text`, that `text` probably means; None if no name resembles it."""
        name = folded(text)

        def like(names: Iterable[str]) -> list[str]:
            alike = (spelling for spelling in names if spelling.isascii() == name.isascii())
            return [spelling for spelling in alike if abs(len(spelling) - len(name)) <= _SLIPS]

        matches = get_close_matches(name, like(self._spelt), 1)
        return self._spelt[matches[0]] if matches else None

    def _point(self, text: str) -> str | None:
        """Return the Point that `text` names; None if it does not name a Point."""
        name = folded(text)
        letter = _LETTERS.get(name, name.upper())
        if letter in self.points:
            return letter
        return next((point for point, pattern in self.points.items() if re.fullmatch(pattern, name, re.I)), None)

    def _begins(self, card: str) -> Iterator[str]:
        """Yield a pattern for the unambiguous prefixes of each name of `card`."""
        for name in (spelling for spelling, owner in self._exact.items() if owner == card):
            least = len(name)
            while least > _LEAST and self._is_clear(name[: least - 1], card):
                least -= 1
            rest = ""
            for char in reversed(name[least:]):
                rest = f"(?:{re.escape(char)}{rest})?"
            if rest:
                yield re.escape(name[:least]) + rest

    def _is_clear(self, beginning: str, card: str) -> bool:
        """Return whether only `card` has a name with the prefix `beginning`, and the prefix is not an order word."""
        owners = {owner for spelling, owner in self._exact.items() if spelling.startswith(beginning)}
        return owners == {card} and not _any_word().fullmatch(beginning)

    @cached_property
    def terminals(self) -> Terminals:
        """The terminals of the grammar for the names of the set and for the order words."""
        orders, words = self.cards.orders, _longest_first()
        points = "|".join((*self.points.values(), "[A-EАБСДЕЭ]", *map(re.escape, self.points)))
        names = sorted((spelling for name, spelling in _names(self.cards) if name in orders), key=len, reverse=True)
        terminals = {
            **words,
            "unit_cards": self._any(name for name in self._patterns if name not in orders),
            "order_cards": self._any(sorted(orders, key=lambda name: -orders[name].number)),  # Attack two before Attack
            "order_names": rf"(?:{'|'.join(map(cases_of, names))})(?!\w)",
            "march_cards": self._any(name for name, order in orders.items() if order.kind == "march"),
            "point_names": rf"(?:{points})(?![\w'’])",
            "counts": "|".join(words[f"n{number}"] for number in range(1, 7)),
        }
        return tuple((name, pattern.replace("е", "[её]")) for name, pattern in terminals.items())

    def _any(self, cards: Iterable[str]) -> str:
        """Return a pattern for any of the given cards; full names come before prefixes."""
        some = tuple(cards)
        whole, prefixed = (self._patterns[card] for card in some), (self._beginnings[card] for card in some)
        return rf"(?:{'|'.join((*whole, *filter(None, prefixed)))})(?!\w)".replace("'", "['’]")


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile("|".join(order_words(FOLDER).values()), re.I)


def _longest_first() -> Mapping[str, str]:
    """Return a pattern for each order word. In the pattern, phrases come before their own prefixes."""
    by_name: dict[str, list[str]] = {}
    for file in word_files(FOLDER):
        for name, forms in file.items():
            if not isinstance(forms, Mapping):
                by_name.setdefault(name, []).extend(forms)
    return {
        name: f"(?:{'|'.join(sorted(forms, key=lambda form: (-form.count(' '), -len(form))))})"
        for name, forms in by_name.items()
    }


def _names(cards: CardSet) -> Iterator[tuple[str, str]]:
    """Yield each card with each of its names. If a unit's name has several words, the last word is also yielded as a
    name, unless it is too short."""
    for key, unit in cards.units.items():
        for name in (key, unit.name.ru, *unit.aliases):
            yield key, name
            if len(last := name.split()[-1]) > _LEAST and last != name:
                yield key, last
    for key, order in cards.orders.items():
        yield from ((key, name) for name in (key, order.name.ru, order.name.de) if name)


def _of_order(cards: CardSet, card: str, order: Order) -> Iterator[str]:
    """Yield patterns for the ways to name `order`: in full, by a verb, or with its number, as in `2 attacks`, `move 2`
    or `All 5 attack`."""
    words, number = order_words(FOLDER), _any_number(order.number)
    names = (*filter(None, (card, order.name.ru, order.name.de)),)
    if order.kind == "all":
        counted = "|".join(
            " +".join(number if is_word(word, f"n{order.number}") else cases_of(word) for word in name.split())
            for name in names
        )
        yield rf"(?:{counted})(?: +(?!(?:{words['for']})\b)(?:{words['attack']}|{words['against']}))?"
    alike = [like for like in cards.orders.values() if like.kind == order.kind]
    single = next((like for like in alike if like.number == 1), order)
    if order.kind in _ACTING and single != order:
        singulars = "|".join(map(cases_of, filter(None, (single.name.en, single.name.ru, single.name.de))))
        yield f"{number} +(?:{singulars})|(?:{singulars}) *{number}"
    elif order.kind in _ACTING:
        yield words[_ACTING[order.kind]]
    yield from map(cases_of, names)


def _any_number(number: int) -> str:
    """Return a pattern for `number`, as a digit or in words."""
    return rf"(?:{number}s?|{order_words(FOLDER).get(f'n{number}', number)})(?!\w)"


@lru_cache(maxsize=16)
def names_of(cards: CardSet) -> Names:
    """Return the cached names of a set of cards."""
    return Names(cards)


@cache
def patterns() -> Mapping[str, re.Pattern[str]]:
    return {name: re.compile(pattern, re.I) for name, pattern in order_words(FOLDER).items()}


@lru_cache(maxsize=8192)
def is_word(text: str, word: str) -> bool:
    """Return whether `text` is a form of an order word; `word` is the name of that order word in `words/`."""
    return patterns()[word].fullmatch(folded(text)) is not None


def word_among(text: str, words: Iterable[str]) -> str | None:
    """Return the first order word in `words` that can take the form `text`; None if there is no such word."""
    return next((word for word in words if is_word(text, word)), None)


_VOWELS = "аеиоуыэюя"
_NOUN = "а|у|ом|ем|е|ы|и|ов|ам|ами|ах"  # includes plural endings, because the plural means the same card
_ADJECTIVE = "ый|ий|ой|ого|его|ому|ему|ым|им|ом|ем|ые|ие|ых|их|ыми"

# For each ending of a word, the endings that replace it in all cases.
_ENDINGS = {
    "ая": "ая|яя|ой|ей|ую|юю|ою|ею|ые|ие|ых|их|ыми",
    "ый": _ADJECTIVE,
    "ий": _ADJECTIVE,
    "ой": f"{_ADJECTIVE}|оя|ою|оем|ое",
    "й": "й|я|ю|ем|е|и|ев|ям|ями|ях",
    "ь": "ь|я|ю|ем|е|и|ей|ям|ями|ях|ью",
    "а": "а|ы|и|е|у|ой|ою||ам|ами|ах",
    "я": "я|и|е|ю|ей|ею|й|ям|ями|ях",
}
_FLEETING = ("ок", "ек", "ец")  # endings that lose their vowel in other cases: Стрелок, Стрелка


def cases_of(name: str) -> str:
    """Return a pattern for `name` in any grammatical case; for an English name, also in the plural and the genitive. In
    `name`, ё counts as е."""
    return " +".join(map(_word, folded(name).split()))


@lru_cache(maxsize=1024)
def _word(word: str) -> str:
    if word.isascii():
        return f"{word}(?:'?s)?"
    for ending, others in _ENDINGS.items():
        if word.endswith(ending):
            return f"{word.removesuffix(ending)}(?:{others})"
    if word[-1] in _VOWELS:
        return word  # Бао, Зулу and Чили do not change
    if word.endswith(_FLEETING) and sum(char in _VOWELS for char in word) > 1:
        return f"(?:{word}(?:{_NOUN})?|{word[:-2]}{word[-1]}(?:{_NOUN}))"
    return f"{word}(?:{_NOUN})?"


class Item(NamedTuple):
    """The result of one rule of the grammar. Its parts depend on the rule:

    - `deploy` (parts), `play` (card, parts), `fire` (card, Point), `act` (card, card, part), `trade` (a card and what
      it is traded for, any number of times), `sell` (cards), `buy` (units, or the word for an order), `capture` (unit,
      card), `use` (unit, target), `pass` (word);
    - these parts are items, too: `alone` (unit), `strike` (unit, target), `step` (unit, Point);
    - `if` and `unless` (condition, command, any words that join them);
    - conditions: `stands` (unit, whether negated, Point), `count` (whose, Point or None, limits), `stock` (limits),
      `last` (word, whether it must have hit), `fate` (unit, whether it is alive), `nobody` (Point);
    - `pour` (word, `Amount`, command);
    - standing orders: `rule` and, without a colon, `loose` and `bare` (word, key or None, value), where the value is
      words or an `Amount`; `negated` (word, key), `silent` (units).
    """

    rule: str
    parts: tuple[Any, ...]


Limit: TypeAlias = tuple[str, int]


class Amount(NamedTuple):
    """A number and the words around it. `at` is the word for the number itself, and `how` is the word before `cards`,
    the cards to be given."""

    number: int
    at: Token
    upto: Token | None
    each: Token | None
    how: Token | None
    cards: tuple[Token, ...]


def first_word(item: Any) -> Token:
    """Return the first word of an item; mistakes that concern the whole item are shown there."""
    return min(words_of(item), key=lambda word: word.start_pos)


def words_of(item: Any) -> list[Token]:
    """Return all words of an item."""
    if isinstance(item, tuple):
        return [word for part in item for word in words_of(part)]
    return [item] if hasattr(item, "start_pos") else []


def _item(rule: str, children: list[Any]) -> Item:
    return Item(rule, tuple(children))


def _steps(units: Sequence[Token], point: Token) -> list[Item]:
    return [Item("step", (unit, point)) for unit in units]


def _march(card: Token, units: Sequence[Token], point: Token) -> Item:
    return Item("play", (card, (*(Item("alone", (unit,)) for unit in units[:-1]), Item("step", (units[-1], point)))))


def _number(word: Token) -> int:
    """Return the number that `word` means. The word is a digit or, for example, `twice`."""
    if word.value.isdigit():
        return int(word.value)
    return next(number for number in range(1, 7) if is_word(word.value, f"n{number}"))


def _limits(children: list[Any]) -> tuple[Limit, ...]:
    """Return the bounds on a count that `children` express: at least, at most or exactly a number."""
    words = {word.type: word for word in children}
    number = next((_number(word) for word in children if word.type in ("NUMBER", "COUNT")), 0)
    if sign := words.get("COMPARE"):
        return _COMPARED[sign.value](number)
    kind = next(kind for kind in _LIMITS if kind in words)
    return _COMPARED[_LIMITS[kind]](number)


_COMPARED: Mapping[str, Callable[[int], tuple[Limit, ...]]] = {
    **dict.fromkeys((">=", "=>", "≥"), lambda number: ((">=", number),)),
    **dict.fromkeys(("<=", "=<", "≤"), lambda number: (("<=", number),)),
    ">": lambda number: ((">=", number + 1),),
    "<": lambda number: (("<=", number - 1),),
    "=": lambda number: ((">=", number), ("<=", number)) if number else (("<=", 0),),
}
_LIMITS = {"LEAST": ">=", "OR_MORE": ">=", "MOST": "<=", "OR_FEWER": "<=", "MORE": ">", "FEWER": "<", "NOT": "="}


def _stands(children: list[Any]) -> Item:
    words = {word.type: word for word in children}
    return Item("stands", (words["UNIT"], "NOT" in words, words.get("POINT") or words["NO_POINT"]))


def _count(children: list[Any]) -> Item:
    """Return the condition on a number of units that `children` express. They come in any order: whose units are
    counted, a Point, and the limits or their parts."""
    words = {word.type: word for word in children if not isinstance(word, tuple)}
    limits = next((child for child in children if isinstance(child, tuple)), None)
    if limits is None:
        compared = [words[kind] for kind in ("COMPARE", "NUMBER", "COUNT") if kind in words]
        limits = _limits(compared) if compared else ((">=", 1),)
    whose = words.get("WHOSE") or words["HAVE"]
    return Item("count", (whose, words.get("POINT") or words.get("NO_POINT"), limits))


def _stock(children: list[Any]) -> Item:
    limits = next((child for child in children if isinstance(child, tuple)), None)
    return Item("stock", (limits or _limits(children),))


def _amount(children: list[Any]) -> Amount:
    words = {word.type: word for word in children if not isinstance(word, tuple)}
    number = words.get("NUMBER") or words["COUNT"]
    how, *cards = next((child for child in children if isinstance(child, tuple)), (None,))
    upto = words.get("UPTO")
    if "TIMES" in words:  # in "up to 2 times", `up to` does not mean a natural value
        upto = None
    return Amount(_number(number), number, upto, words.get("EACH"), how, tuple(cards))


SHAPES: Mapping[str, Callable[[list[Any]], Any]] = {
    "orders": tuple,
    **dict.fromkeys(("known", "names", "wishes", "given"), tuple),
    **{rule: partial(_item, rule) for rule in ("trade", "capture", "use", "act", "pass", "fire", "alone", "strike")},
    "deploy": lambda parts: Item("deploy", tuple(parts)),
    "deploy_at": lambda parts: Item("deploy", tuple(_steps(parts[1], parts[0]))),
    "deploy_behind": lambda parts: Item("deploy", (*_steps(parts[0], parts[1]), *parts[2:])),
    "sell": lambda parts: Item("sell", parts[0] if isinstance(parts[0], tuple) else tuple(parts)),
    "buy": lambda parts: Item("buy", parts[0] if isinstance(parts[0], tuple) else tuple(parts)),
    "play": lambda parts: Item("play", (parts[0], tuple(parts[1:]))),
    "march": lambda parts: _march(parts[0], parts[-1], parts[-2]),
    "march_behind": lambda parts: _march(parts[1], parts[0], parts[-1]),
    "struck": lambda parts: Item("strike", tuple(reversed(parts))),
    "step": lambda parts: Item("step", (parts[0], parts[-1])),
    "step_on": lambda parts: Item("step", (parts[0], parts[-1])),
    "so": lambda parts: parts[0],
    "if": lambda parts: Item("if", (parts[0], parts[-1], *parts[1:-1])),
    "unless": lambda parts: Item("unless", (parts[0], parts[-1], *parts[1:-1])),
    "only_if": lambda parts: Item("if", (parts[1], parts[0])),
    "stands": _stands,
    "stands_there": _stands,
    **dict.fromkeys(("count", "count_first", "count_of", "count_there", "count_mine"), _count),
    "stock": _stock,
    "last": lambda parts: Item("last", (parts[-1], (parts[-1].type == "HIT") is (len(parts) == 1))),
    "limit": _limits,
    "fate": lambda parts: Item("fate", (parts[0], (parts[-1].type == "ALIVE") is (len(parts) == 2))),
    "nobody": lambda parts: Item("nobody", tuple(word for word in parts if word.type != "NOBODY")),
    "rule": lambda parts: Item("rule", (parts[0], None, parts[1])),
    "bare": lambda parts: Item("bare", (parts[0], None, parts[1])),
    "keyed": lambda parts: Item("rule", (parts[0], parts[1], parts[2])),
    "loose": lambda parts: Item(
        "loose", (parts[0], parts[1], parts[2] if isinstance(parts[2], tuple) else (parts[2],))
    ),
    "counted": lambda parts: Item("loose", (parts[0], parts[2], parts[1])),
    "this": lambda parts: Item("bare", (parts[0], None, parts[1])),
    "pour": partial(_item, "pour"),
    "negated": partial(_item, "negated"),
    "silent": lambda parts: Item("silent", parts[0]),
    "amount": _amount,
}
"""For each rule of orders.lark, the function that makes the rule's value from the values of its parts."""


class Lookup:
    """A finder of the cards and Points that words name. Its methods raise Wrong for words that fit no card or more than
    one.

    `mends` is the state in which the words were written. If it is given, the methods return what was probably meant
    instead of raising Wrong, where possible.
    """

    def __init__(self, cards: CardSet, *, mends: State | None = None) -> None:
        self.cards, self.names, self.mends = cards, names_of(cards), mends

    def called(self, name: str, word: Written) -> str:
        """Return `name` (a card, a Point or an order word) as the player would write it: in the alphabet of `word`."""
        return like(self.cards, name, word.value)

    def card(self, word: Written) -> str:
        cards = self.names.find(word.value)
        if len(cards) == 1 or (cards and self.mends):
            return cards[0]
        text = quoted(word.value)
        if cards:
            *first, last = (self.called(card, word) for card in cards)
            either = Sentence("{first} or {last}", first=tuple(first), last=last)
            raise Wrong(word, Sentence('"{text}" may be {cards}: write more of the name.', text=text, cards=either))
        nearest = self.names.nearest(word.value)
        if nearest and self.mends:
            return self.names.find(nearest)[0]
        if nearest:
            raise Wrong(word, Sentence('There is no card "{text}". {nearest}?', text=text, nearest=nearest))
        raise Wrong(word, Sentence('There is no card "{text}".', text=text))

    def unit(self, word: Written) -> str:
        name = self.card(word)
        if name not in self.cards.units:
            called = self.called(name, word)
            raise Wrong(word, Sentence('"{card}" is an order, but a unit is needed here.', card=called))
        return name

    def order(self, word: Written) -> str:
        name = self.card(word)
        if name not in self.cards.orders:
            called = self.called(name, word)
            raise Wrong(word, Sentence('"{card}" is a unit, but an order is needed here.', card=called))
        return name

    def point(self, word: Written) -> str:
        point = self.names.point(word.value)
        if point is not None:
            return point
        points = tuple(self.called(letter, word) for letter in self.cards.row)
        if folded(word.value) == NO_POINT:
            if self.mends:
                return "B"
            raise Wrong(word, Sentence('"{text}" is a preposition, not a Point. Б?', text=word.value))
        text = quoted(word.value)
        raise Wrong(word, Sentence('There is no Point "{text}". The Points are {points}.', text=text, points=points))
