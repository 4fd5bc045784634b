"""What a force is ordered to do, as people write it: its order and way, whom it attacks, and all other clauses."""

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from pbem.games.base import Sentence
from pbem.games.ozz import lists
from pbem.games.ozz.cursor import Cursor
from pbem.games.ozz.items import Word, Wrong
from pbem.games.ozz.orders import OFF, Change, Item, Order
from pbem.games.ozz.orders import Word as Ordered
from pbem.values import dataclass

_DEEDS: tuple[Ordered, ...] = ("advance", "stand", "back")
CLAUSES = (*_DEEDS, "fallback", "attack", "fire", "charge", "coordinate", "alone", "leave", "change", "off")
"""The words with which the parts of an order begin."""


@dataclass(slots=True)
class _Deed:
    """What is read of an order so far."""

    word: Ordered | None = None
    way: list[str] = field(default_factory=list)
    attack: list[str] = field(default_factory=list)
    fires: bool = False
    clauses: dict[str, Any] = field(default_factory=dict)


def ordered(cursor: Cursor, start: Word, codes: list[str]) -> Iterator[Item]:
    """The orders of some forces, whose names are read. Raises Wrong."""
    deed = _Deed()
    while True:
        at = cursor.at
        cursor.skip("and", "then", "to", "filler")
        while cursor.sign("COMMA", "COLON", "PLUS", "DOT", "DASH"):
            cursor.skip("and", "then", "filler")
        if cursor.is_word("change") or cursor.is_word(*CLAUSES):
            _clause(cursor, deed)
        else:
            cursor.at = at
            break
    if deed.word is None and not deed.attack and not deed.way and not deed.clauses:
        if not cursor.at_end:
            raise cursor.unreadable()
        raise Wrong(start, Sentence("What is it to do? `Order {code}: advance`, `stand` or `back`.", code=codes[0]))
    if deed.word is None:
        deed.word = _word_of(deed, start, codes[0])
    if cursor.is_word("if"):
        raise Wrong(cursor.here(), Sentence("Only `change` has a condition: `change back if enemy in 3C`."))
    for code in codes:
        yield Order(code, deed.word, tuple(deed.way), tuple(deed.attack), **deed.clauses)


def _word_of(deed: _Deed, start: Word, code: str) -> Ordered:
    """The order that is not written: firing is done standing, a charge is an advance."""
    if deed.clauses.get("charge"):
        return "advance"
    if deed.way == [OFF]:
        return "back"
    if deed.fires and deed.attack:
        return "stand"
    where = " ".join(deed.attack) or "3C"
    told = Sentence(
        "Does it advance or stand? `Order {code}: stand, attack {where}` or `Order {code}: advance, attack {where}`.",
        code=code,
        where=where,
    )
    raise Wrong(start, told)


def _clause(cursor: Cursor, deed: _Deed) -> None:
    """A clause of an order, or its word and way. Raises Wrong."""
    here = cursor.here()
    if _is_flag(cursor, deed, here):
        return
    if cursor.word("change"):
        _once(deed, here, "change", _change(cursor))
    elif cursor.word("charge"):
        _once(deed, here, "charge", True)
        cursor.skip("to", "at")
        deed.way += lists.spaces(cursor)
    elif cursor.word("coordinate"):
        cursor.skip("with")
        number = cursor.number()
        if number == 0:
            raise Wrong(here, Sentence("How many forces are waited for? `coordinate 2`, or `coordinate` for all."))
        cursor.skip("stack")
        _once(deed, here, "coordinate", number or 0)
    elif word := _deed_word(cursor):
        if deed.word not in (None, word):
            raise Wrong(here, Sentence("A force has one order: advance, stand or back."))
        deed.word = word
        cursor.skip("to", "via", "inside")
        deed.way += lists.spaces(cursor, off=True)
    elif cursor.is_word("attack") or cursor.is_word("fire"):
        deed.fires = cursor.word("fire") is not None or deed.fires
        cursor.word("attack")
        cursor.skip("at", "the", "enemy_in", "inside")
        deed.attack += lists.spaces(cursor) or [lists.needed_space(cursor)]
        cursor.word("attack_end")  # greift 2C an
    else:
        raise cursor.unreadable()


def _is_flag(cursor: Cursor, deed: _Deed, here: Word) -> bool:
    """`alone`, `leave`, `off`: clauses of one word."""
    if cursor.word("alone"):
        _once(deed, here, "alone", True)
    elif deed.word is not None and cursor.word("leave"):
        _once(deed, here, "leave", True)
    elif cursor.word("off"):
        deed.way.append(OFF)
    else:
        return False
    return True


def _once(deed: _Deed, here: Word, name: str, value: object) -> None:
    if name in deed.clauses:
        raise Wrong(here, Sentence('"{text}" stands here twice.', text=here.value))
    deed.clauses[name] = value


def _deed_word(cursor: Cursor) -> Ordered | None:
    if cursor.word("fallback"):
        return "back"
    return next((word for word in _DEEDS if cursor.word(word)), None)


def _change(cursor: Cursor) -> Change:
    cursor.sign("COLON")
    cursor.skip("to")
    word = _deed_word(cursor)
    if word is None:
        raise Wrong(cursor.here(), Sentence("To what? `change back 1C if enemy in 3C`, for example."))
    cursor.skip("to")
    way = tuple(lists.spaces(cursor, off=True))
    at = cursor.at
    cursor.sign("COMMA")
    if not cursor.word("if"):
        cursor.at = at
        return Change(word, way)
    start = cursor.here()
    cursor.skip("filler", "remain")
    no = cursor.word("no_enemy_in") is not None
    some = not no and cursor.word("enemy_in") is not None
    cursor.skip("at", "inside", "the", "filler")
    space = cursor.space()
    if space and not (no or some):
        no = cursor.word("empty") is not None
        some = not no and cursor.word("occupied") is not None
    if space is None or not (no or some):
        raise Wrong(start, Sentence("There is no such condition: `if enemy in 3C` or `if no enemy in 3C`."))
    return Change(word, way, space, no)
