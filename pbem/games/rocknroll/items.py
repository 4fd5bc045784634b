"""What a letter says, as the grammar has found it: each rule of orders.lark with what stands in it, still in the
player's words. The different ways to write one thing are one here.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

from pbem.games.rocknroll.names import is_word


class Word(Protocol):
    """Words as they were written, of which terminal of the grammar they are, and where in the text they start."""

    @property
    def type(self) -> str: ...
    @property
    def value(self) -> str: ...
    @property
    def start_pos(self) -> int: ...


class Item(NamedTuple):
    """What one rule has read, by rule:

    - `deploy` (parts), `play` (card, parts), `fire` (card, Point), `act` (card, card, part), `trade` (card, for what,
      ...), `sell` (cards), `buy` (what, or units), `capture` (unit, card), `use` (unit, target), `pass` (word);
    - parts: `alone` (unit), `strike` (unit, target), `step` (unit, Point);
    - `if` (condition, command, what joins them), `unless` (the same);
    - conditions: `stands` (unit, negated, Point), `count` (whose, Point or None, limits), `stock` (limits), `last`
      (word, whether it is to have hit), `fate` (unit, whether it is alive), `nobody` (Point);
    - `rule` and `bare`, without a colon (word, key or None, value), of which the value is words or an `Amount`;
      `negated` (word, key), `silent` (units).
    """

    rule: str
    parts: tuple[Any, ...]


Limit: TypeAlias = tuple[str, int]


class Amount(NamedTuple):
    """A number with what may stand around it; `how` is the word before the cards that are given."""

    number: int
    at: Word
    upto: Word | None
    each: Word | None
    how: Word | None
    cards: tuple[Word, ...]


def first_word(item: Any) -> Word:
    """The first words of an item, where a mistake of the whole is shown."""
    return min(words_of(item), key=lambda word: word.start_pos)


def words_of(item: Any) -> list[Word]:
    """All words of an item."""
    if isinstance(item, tuple):
        return [word for part in item for word in words_of(part)]
    return [item] if hasattr(item, "start_pos") else []


def _item(rule: str, children: list[Any]) -> Item:
    return Item(rule, tuple(children))


def _steps(units: Sequence[Word], point: Word) -> list[Item]:
    return [Item("step", (unit, point)) for unit in units]


def _march(card: Word, units: Sequence[Word], point: Word) -> Item:
    return Item("play", (card, (*(Item("alone", (unit,)) for unit in units[:-1]), Item("step", (units[-1], point)))))


def _number(word: Word) -> int:
    """The number that a word says: a digit, or a word such as `twice`."""
    if word.value.isdigit():
        return int(word.value)
    return next(number for number in range(1, 7) if is_word(word.value, f"n{number}"))


def _limits(children: list[Any]) -> tuple[Limit, ...]:
    """How many are to be there: at least, at most or exactly so many."""
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
    """Children in any sequence: whose, a Point, limits or what they are made of."""
    words = {word.type: word for word in children if not isinstance(word, tuple)}
    limits = next((one for one in children if isinstance(one, tuple)), None)
    if limits is None:
        compared = [words[kind] for kind in ("COMPARE", "NUMBER", "COUNT") if kind in words]
        limits = _limits(compared) if compared else ((">=", 1),)
    whose = words.get("WHOSE") or words["HAVE"]
    return Item("count", (whose, words.get("POINT") or words.get("NO_POINT"), limits))


def _stock(children: list[Any]) -> Item:
    limits = next((one for one in children if isinstance(one, tuple)), None)
    return Item("stock", (limits or _limits(children),))


def _amount(children: list[Any]) -> Amount:
    words = {word.type: word for word in children if not isinstance(word, tuple)}
    number = words.get("NUMBER") or words["COUNT"]
    how, *cards = next((one for one in children if isinstance(one, tuple)), (None,))
    upto = words.get("UPTO")
    if "TIMES" in words:  # up to 2 times
        upto = None
    return Amount(_number(number), number, upto, words.get("EACH"), how, tuple(cards))


SHAPES: Mapping[str, Callable[[list[Any]], Any]] = {
    "orders": tuple,
    **dict.fromkeys(("known", "names", "wishes", "given"), tuple),
    **{rule: partial(_item, rule) for rule in ("trade", "capture", "use", "act", "pass", "fire", "alone", "strike")},
    "deploy": lambda found: Item("deploy", tuple(found)),
    "deploy_at": lambda found: Item("deploy", tuple(_steps(found[1], found[0]))),
    "deploy_behind": lambda found: Item("deploy", (*_steps(found[0], found[1]), *found[2:])),
    "sell": lambda found: Item("sell", found[0] if isinstance(found[0], tuple) else tuple(found)),
    "buy": lambda found: Item("buy", found[0] if isinstance(found[0], tuple) else tuple(found)),
    "play": lambda found: Item("play", (found[0], tuple(found[1:]))),
    "march": lambda found: _march(found[0], found[-1], found[-2]),
    "march_behind": lambda found: _march(found[1], found[0], found[-1]),
    "struck": lambda found: Item("strike", tuple(reversed(found))),
    "step": lambda found: Item("step", (found[0], found[-1])),
    "step_on": lambda found: Item("step", (found[0], found[-1])),
    "so": lambda found: found[0],
    "if": lambda found: Item("if", (found[0], found[-1], *found[1:-1])),
    "unless": lambda found: Item("unless", (found[0], found[-1], *found[1:-1])),
    "only_if": lambda found: Item("if", (found[1], found[0])),
    "stands": _stands,
    "stands_there": _stands,
    **dict.fromkeys(("count", "count_first", "count_of", "count_there", "count_mine"), _count),
    "stock": _stock,
    "last": lambda found: Item("last", (found[-1], (found[-1].type == "HIT") is (len(found) == 1))),
    "limit": _limits,
    "fate": lambda found: Item("fate", (found[0], (found[-1].type == "ALIVE") is (len(found) == 2))),
    "nobody": lambda found: Item("nobody", tuple(word for word in found if word.type != "NOBODY")),
    "rule": lambda found: Item("rule", (found[0], None, found[1])),
    "bare": lambda found: Item("bare", (found[0], None, found[1])),
    "keyed": lambda found: Item("rule", (found[0], found[1], found[2] if isinstance(found[2], tuple) else (found[2],))),
    "counted": lambda found: Item("rule", (found[0], found[2], found[1])),
    "negated": partial(_item, "negated"),
    "silent": lambda found: Item("silent", found[0]),
    "amount": _amount,
}
"""What each rule of orders.lark becomes."""
