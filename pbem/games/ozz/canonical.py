"""Reading orders as `str(orders)` writes them, without the grammar: most of what is read is our own (ozz §14).

Only the form is looked at: whether codes are known and an order is legal says the position.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from pbem.games.ozz.orders import (
    NOTHING,
    ActingOrder,
    Carry,
    Cast,
    Change,
    Codes,
    Deploy,
    Evade,
    Fly,
    Garrison,
    Group,
    Guard,
    Honors,
    Initiative,
    Item,
    Join,
    Keep,
    Losses,
    Move,
    Order,
    Orders,
    Recruit,
    Retreat,
    RetreatTo,
    Return,
    Ring,
    Shoot,
    Word,
)
from pbem.patterns import compiled

_CODE = "[A-Z][A-Z0-9]*"
_LIST = rf"{_CODE}(?: {_CODE})*"
_WAY = rf"{_CODE}(?:-{_CODE})*"
_SPACE = "[1-9][LCR]"
_SPACES = rf"(?: (?:{_SPACE}|off))*"
_NUMBER = "[1-9][0-9]?"
_SPELL = "[a-z]+(?: [a-z]+)*?"
_WORD = "advance|stand|back"
_PLAIN_CHANGE = rf"change (?:{_WORD}){_SPACES}(?: if (?:no )?enemy in {_SPACE})?"
_CHANGE = compiled(rf"change ({_WORD})({_SPACES})(?: if (no )?enemy in ({_SPACE}))?")


def read_canonical(text: str) -> Orders | None:
    """Orders in canonical form, the inverse of `str(orders)`; None for any other text."""
    if text == NOTHING:
        return Orders()
    items = tuple(map(read_item, text.split("; ")))
    return None if None in items else Orders(items)  # type: ignore[arg-type]


@lru_cache(maxsize=65_536)
def read_item(text: str) -> Item | None:
    """One item in canonical form; None for any other text."""
    for pattern, made in _ITEMS.get(text.partition(" ")[0], ()):
        if (found := pattern.fullmatch(text)) and str(item := made(*found.groups())) == text:
            return item
    return None


def _codes(text: str | None) -> Codes:
    return tuple(text.split()) if text else ()


def _some(text: str) -> Codes:
    """A list that may be none."""
    return () if text == "none" else _codes(text)


def _move(units: str, way: str, drop: str | None, take: str | None) -> Item:
    return Move(_codes(units), tuple(way.split("-")), _codes(drop), _codes(take))


def _retreat(when: str, number: str | None, at: str | None) -> Item:
    return Retreat(int(number) if number else 0 if when == "never" else None, at)


def _order(force: str, word: Word, way: str, rest: str) -> Item:
    found: dict[str, Any] = {}
    for clause in filter(None, rest.split(", ")):
        name, _, behind = clause.partition(" ")
        match name:
            case "attack":
                found[name] = _codes(behind)
            case "coordinate":
                found[name] = int(behind or 0)
            case "change":
                changed = _CHANGE.fullmatch(clause)
                found[name] = Change(changed[1], _codes(changed[2]), changed[4], bool(changed[3])) if changed else None  # type: ignore[arg-type]
            case _:
                found[name] = True
    return Order(force, word, _codes(way), **found)


_CLAUSE = rf"attack(?: {_SPACE})+|charge|coordinate(?: {_NUMBER})?|alone|leave|{_PLAIN_CHANGE}"
_PATTERNS: tuple[tuple[str, Callable[..., Item]], ...] = (
    (rf"Move ({_LIST}): ({_WAY})(?:, drop ({_LIST}))?(?:, take ({_LIST}))?", _move),
    (rf"Fly ({_LIST}): ({_WAY})", lambda units, way: Fly(_codes(units), tuple(way.split("-")))),
    (rf"Recruit ({_CODE}): (pool|special|none)", Recruit),
    (rf"Retreat (never|always|below ({_NUMBER}))(?: at ({_CODE}))?", _retreat),
    (rf"Retreat to ({_LIST})", lambda points: RetreatTo(_codes(points))),
    (rf"Losses ({_LIST})", lambda units: Losses(_codes(units))),
    (rf"Garrison ({_CODE}): (0|{_NUMBER})", lambda point, number: Garrison(point, int(number))),
    (rf"Honors (offer|accept) ({_CODE})", Honors),
    (rf"Return ({_CODE})", Return),
    (rf"Carry ({_CODE})", Carry),
    ("Keep (skeletons|others)", Keep),
    (rf"Deploy ({_SPACE}): ({_LIST})", lambda space, units: Deploy(space, _codes(units))),
    (rf"Group ({_CODE}): (none|{_LIST})", lambda leader, units: Group(leader, _some(units))),
    (rf"Guard ({_SPACE}): (?=[lr])(?:left ({_CODE})(?:, (?=r)|$))?(?:right ({_CODE}))?", Guard),
    (rf"Cast ({_CODE}): (transport) ({_CODE}) to ({_SPACE})", Cast),
    (rf"Cast ({_CODE}): ({_SPELL}) on ({_CODE})", Cast),
    ("Ring", Ring),
    (rf"Order ({_CODE}): ({_WORD})({_SPACES})((?:, (?:{_CLAUSE}))*)", _order),
    (rf"Sequence ({_LIST})", lambda forces: ActingOrder(_codes(forces))),
    ("Initiative (first|second)", lambda place: Initiative(place == "first")),
    (rf"Evade ({_LIST})", lambda units: Evade(_codes(units))),
    (rf"Join ({_LIST})", lambda units: Join(_codes(units))),
    (rf"Shoot (none|{_LIST})", lambda units: Shoot(_some(units))),
)
_ITEMS: dict[str, list[tuple[re.Pattern[str], Callable[..., Item]]]] = {}
for _pattern, _made in _PATTERNS:
    _ITEMS.setdefault(_pattern.partition(" ")[0], []).append((compiled(_pattern), _made))
