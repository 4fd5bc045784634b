"""What the lines of a letter come to: legal orders, or every mistake with what would be right (ozz §14).

Standing orders are lines that hold in every letter that does not say otherwise (ozz §12).
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from pbem.games.base import Interpretation, Seat, Sentence, Unread
from pbem.games.kit.reading import MAX_ITEMS, Written, Wrong, mistake, no_orders, too_many
from pbem.games.ozz.board_legality import BoardChecker
from pbem.games.ozz.guess import mistaken
from pbem.games.ozz.items import Forget, Nothing, Phrase, Said
from pbem.games.ozz.legality import WORDS, Checker, Fault, MapChecker, codes_of, word_of
from pbem.games.ozz.meaning import Found, read_item, read_letter
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
from pbem.games.ozz.prose import is_news
from pbem.games.ozz.state import State
from pbem.games.ozz.who import Side

_EVERYBODY = frozenset(("all", "everybody", "everyone", "everything", "alle", "все"))


def interpret(state: State, seat: Seat, items: Sequence[Phrase | Unread]) -> Interpretation[Orders]:
    """The orders that lines come to for a seat, or the mistakes in the order they stand in the text.

    The proposal is what the orders would be with all that was probably meant; there is none where that cannot be said.
    """
    if not items:
        return no_orders()
    if len(items) > MAX_ITEMS:
        return too_many()
    found = _read(state, seat, items)
    said = [one for one in found if isinstance(one, Said)]
    mistakes = [mistake(one.at, one.sentence) for one in found if isinstance(one, Wrong)]
    kept = [one for one in said if not one.standing and not isinstance(one.item, Nothing | Forget)]
    orders = Orders(tuple(one.item for one in kept))  # type: ignore[misc]
    faults = faults_of(state, seat, orders)
    mistakes += [mistake(_first(kept[fault.number], fault.code), fault.sentence) for fault in faults]
    for one in said:
        if one.standing and (told := refused(state, seat, one.item)):
            mistakes.append(mistake(_first(one, told.code), told.sentence))
    if mistakes:
        mistakes.sort(key=lambda one: one.start)
        return Interpretation(None, tuple(mistakes), _proposal(state, seat, found, orders, faults))
    lines = tuple(written(one.item) for one in said if one.standing)
    return Interpretation(None if len(lines) == len(said) else orders, (), standing=lines)


def is_complete(state: State, items: Sequence[Any]) -> bool:
    """Whether items say all that they need to and name only what there is, whoever writes them."""
    return all(isinstance(item, Phrase) for item in items) and all(
        isinstance(found, Said) for found in read_letter(Side(state, None), items)
    )


def _read(state: State, seat: Seat, items: Sequence[Phrase | Unread]) -> list[Found]:
    """What the phrases of a letter say, and what is wrong with what could not be read."""
    side = Side(state, seat)
    found = list(read_letter(side, [item for item in items if isinstance(item, Phrase)]))
    found = [_unless_nothing(one, found) for one in found]
    for item in items:
        if isinstance(item, Unread) and item.value and not is_news(state, item.value):
            found.append(mistaken(side, item, lambda meant: not faults_of(state, seat, Orders(meant))))
    return found


def _unless_nothing(one: Found, found: Sequence[Found]) -> Found:
    """What says that it orders nothing is wrong beside orders for the same; that somebody stays is no letter alone."""
    if isinstance(one, Wrong) or not isinstance(one.item, Nothing):
        return one
    others = [other for other in found if isinstance(other, Said) and not isinstance(other.item, Nothing)]
    stays = {*one.item.stays} - _EVERYBODY
    if stays and not others:
        return Wrong(one.at, Sentence("Who stays needs no line. If nobody is to move, write `Pass`."))
    if any(not other.places.keys().isdisjoint(stays) for other in others):
        return Wrong(one.at, Sentence("Who stays needs no line: leave it out."))
    if not one.item.stays and any(not other.standing for other in others):
        return Wrong(one.at, Sentence("`Pass` orders nothing, but there are other orders here: leave one of both out."))
    return one


def faults_of(state: State, seat: Seat, orders: Orders) -> list[Fault]:
    """Everything that is wrong with orders."""
    return _checker(state, seat, orders.items).check()


def _checker(state: State, seat: Seat, items: tuple[Item, ...]) -> Checker:
    return (BoardChecker if state.phase == "battle" and state.battle else MapChecker)(state, seat, items)


def _first(said: Said, code: str | None) -> Written:
    """Where a code stands in an item; the beginning of it if it does not."""
    return said.places.get(code or "", said.at)


def _proposal(
    state: State, seat: Seat, found: Sequence[Found], orders: Orders, faults: Sequence[Fault]
) -> Orders | None:
    """The letter as it was probably meant, if that can be said of all of it and is legal."""
    instead: dict[int, tuple[Item, ...]] = {}
    for fault in faults:
        item = orders.items[fault.number]
        idle = isinstance(item, Recruit) and state.data.counters[item.hero].leader  # a leader who cannot just does not
        if (fault.instead is None and not idle) or fault.number in instead:
            return None
        instead[fault.number] = fault.instead or ()
    items: list[Item] = []
    number = 0
    for one in found:
        if isinstance(one, Wrong):
            if not one.instead:
                return None
            items += one.instead
        elif not one.standing and not isinstance(one.item, Nothing | Forget):
            items += instead.get(number, (one.item,))
            number += 1
    meant = Orders(tuple(items))
    return meant if items and not faults_of(state, seat, meant) else None


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
    return next(iter(_checker(state, seat, (item,)).named(item)), None) or _not_able(state, seat, item)


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
        more = (*items, _now(state, seat, item))
        if not faults_of(state, seat, Orders(more)):
            items = more
    return Orders(items) if items or orders is not None else None


def _now(state: State, seat: Seat, item: Item) -> Item:
    """A list of counters without those that are not on the board now."""
    if isinstance(item, Evade | Join | Shoot) and item.units and state.battle:
        here = state.battle.units
        left = tuple(code for code in item.units if code in here and here[code].seat == seat)
        return replace(item, units=left) if left else item
    return item
