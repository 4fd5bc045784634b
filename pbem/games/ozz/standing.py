"""Standing orders: lines that hold in every letter that does not say otherwise (ozz §12)."""

from collections.abc import Iterable
from dataclasses import replace

from pbem.games.base import Seat, Sentence
from pbem.games.ozz.board_legality import BoardChecker
from pbem.games.ozz.canonical import read_item
from pbem.games.ozz.items import Forget, Nothing
from pbem.games.ozz.legality import WORDS, Fault, codes_of, word_of
from pbem.games.ozz.map_legality import MapChecker
from pbem.games.ozz.orders import (
    Evade,
    FightFast,
    Initiative,
    Item,
    Join,
    Keep,
    Losses,
    Orders,
    Recruit,
    Retreat,
    RetreatTo,
    Return,
    Shoot,
)
from pbem.games.ozz.state import State

WORD = "Standing"
NONE = f"{WORD} none"
"""Takes all standing orders back."""
_MAY_STAND = (Recruit, Retreat, RetreatTo, Losses, Return, Keep, Evade, Join, Shoot, Initiative, FightFast)
_WORDS = tuple(WORDS.get(kind, kind.__name__) for kind in _MAY_STAND)


def written(item: Item | Nothing | Forget) -> str:
    """A standing order in canonical form."""
    return NONE if isinstance(item, Forget) else f"{WORD} {item}"


def refused(state: State, seat: Seat, item: Item | Nothing | Forget) -> Fault | None:
    """Why an item cannot stand; whether it is legal now does not matter, but what it names must exist."""
    if isinstance(item, Forget):
        return None
    if not isinstance(item, _MAY_STAND) or (isinstance(item, Retreat) and item.at):
        return Fault(0, None, Sentence("This cannot stand: {words} can.", words=_WORDS))
    checker = (BoardChecker if state.battle and state.phase == "battle" else MapChecker)(state, seat, (item,))
    faults = [fault for fault in checker.named(item) if fault]
    return faults[0] if faults else _not_able(state, seat, item)


def _not_able(state: State, seat: Seat, item: Item) -> Fault | None:
    """Counters that can never do what the line is about."""
    cards = state.data.counters
    for code in codes_of(item)[0]:
        card = cards[code]
        if card.nation not in (seat, None):
            return Fault(0, code, Sentence("{code} ({name}) is not yours.", code=code, name=card.name))
        able = {
            Recruit: card.kind == "hero",
            Losses: not card.leader and card.kind != "bell",
            Evade: card.kind in ("cavalry", "flying"),
            Join: card.kind == "flying",
            Shoot: card.kind != "flying" and card.ranged > 0,
        }
        if not able.get(type(item), True):
            told = Sentence("{name} can do nothing by `{word}`.", name=card.name, word=word_of(item))
            return Fault(0, code, told)
    return None


def merged(lines: Iterable[str]) -> tuple[str, ...]:
    """Standing orders in canonical form, of which the last for one thing holds."""
    found: dict[str, str] = {}
    for line in filter(None, lines):
        if line == NONE:
            found.clear()
            continue
        key = _key(line.removeprefix(f"{WORD} "))
        found.pop(key, None)
        found[key] = line
    return tuple(found.values())


def _key(line: str) -> str:
    """What an item in canonical form is about: a word, and a Hero."""
    first, _, rest = line.partition(" ")
    return line.partition(":")[0] if first == "Recruit" else f"{first} to" if rest.startswith("to ") else first


def joined(state: State, seat: Seat, orders: Orders | None, lines: str) -> Orders | None:
    """A letter with the standing lines of words that it does not use itself and that are legal now; none in place of
    one that stands."""
    if orders is None and state.battle and seat in state.battle.plans:
        return None
    items = orders.items if orders else ()
    used = {word_of(item) for item in items}
    for line in merged(lines.split("; ")):
        item = read_item(state.data, line.removeprefix(f"{WORD} "))
        if item is None or word_of(item) in used:
            continue
        if not _faults(state, seat, (*items, now := _now(state, seat, item))):
            items = (*items, now)
    return Orders(items) if items or orders is not None else None


def _now(state: State, seat: Seat, item: Item) -> Item:
    """A list of counters without those that are not on the board now."""
    if isinstance(item, Evade | Join | Shoot) and item.units and state.battle:
        here = state.battle.units
        left = tuple(code for code in item.units if code in here and here[code].seat == seat)
        return replace(item, units=left) if left else item
    return item


def _faults(state: State, seat: Seat, items: tuple[Item, ...]) -> list[Fault]:
    checker = BoardChecker if state.phase == "battle" and state.battle else MapChecker
    return checker(state, seat, items).check()
