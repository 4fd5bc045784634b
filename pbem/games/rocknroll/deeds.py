"""Sentences that say what units do: `Bao moves to B and shoots Zulu there` (rnr §8, Tolerance).

They name no order, so nothing of them is played: each deed is Wrong, with the order that was probably meant.
"""

from collections.abc import Sequence

from pbem.games.base import Sentence
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.cursor import Cursor
from pbem.games.rocknroll.items import AloneItem, CommandItem, DeployItem, ItemPart, PartItem, PlayItem, StepItem
from pbem.games.rocknroll.items import StrikeItem as Strike
from pbem.games.rocknroll.lookup import Wrong
from pbem.games.rocknroll.names import Names, is_word
from pbem.games.rocknroll.plays import skip_origin

_BEHIND = ("filler", "polite", "there", "stands")


def read_sentence(cards: CardSet, cursor: Cursor, unit: ItemPart) -> Wrong | None:
    """What a unit does, and what it or others do besides; its name is read already. None if this is no such sentence.

    Where words are left over that cannot be read, nothing is proposed.
    """
    first = deed = _deed(cards, cursor, unit)
    if first is None:
        return None
    more = list[Wrong]()
    while deed is not None:
        cursor.skip(*_BEHIND)
        at = cursor.at
        while cursor.listing() or cursor.sign("COMMA") or cursor.word("then", "and"):
            pass
        cursor.skip(*_BEHIND)
        unit = unit if _is_deed(cursor) else (cursor.name() or unit)
        deed = None if cursor.at_end else _deed(cards, cursor, unit)
        if deed is None:
            cursor.at = at
        else:
            more.append(deed)
    if not cursor.ends():
        first.instead = None
    first.more = tuple(more)
    return first


def _is_deed(cursor: Cursor) -> bool:
    at = cursor.at
    found = cursor.word("goes", "against") is not None
    cursor.at = at
    return found


def _deed(cards: CardSet, cursor: Cursor, unit: ItemPart) -> Wrong | None:
    """A unit and what it does; None, and nothing passed over, if that is no deed."""
    found = cursor.names.find(unit.value)
    if len(found) != 1 or found[0] not in cards.units or cursor.ends():
        return None
    at = cursor.at
    part = _by_order(cards, cursor, unit) or _part(cursor, unit)
    kind = "move" if isinstance(part, StepItem) else "attack"
    card = next((name for name, one in cards.orders.items() if one.kind == kind and one.number == 1), None)
    if part is None or card is None:
        cursor.at = at
        return None
    instead = PlayItem(ItemPart(card, unit.start_pos), (part,))
    wrong = Wrong(unit, Sentence("By which order? `{card}: ...`, for example.", card=card), instead)
    wrong.is_deed = True
    return wrong


def _by_order(cards: CardSet, cursor: Cursor, unit: ItemPart) -> PartItem | None:
    """What a unit does by an order whose name stands as a verb: `Zulu attack Bao`, `Zulu to move to B`."""
    at = cursor.at
    cursor.skip("filler")
    cursor.place_sign()
    name = cursor.name()
    orders = [cards.orders.get(one) for one in cursor.names.find(name.value)] if name else []
    kinds = [one.kind for one in orders if one and one.number == 1]
    sign = cursor.place_sign()
    point = cursor.point() if kinds == ["move"] and not (sign and sign[1] == "target") else None
    other = cursor.name() if kinds == ["attack"] and len(orders) == 1 else None
    if point or other:
        return StepItem(unit, point) if point else Strike(unit, other) if other else None
    cursor.at = at
    return None


def _part(cursor: Cursor, unit: ItemPart) -> PartItem | None:
    cursor.skip("filler")
    goes = None if "against" in cursor.kinds() else cursor.word("goes")  # "goes after" is no way to go
    cursor.skip("there")
    if goes or "from" in cursor.kinds():
        skip_origin(cursor)
    sign = cursor.place_sign()
    if sign is None and goes is None:
        behind = cursor.name()  # the verb comes last: Zulu soll Bao angreifen
        return Strike(unit, behind) if behind and cursor.word("against") and cursor.ends() else None
    cursor.skip("there")
    if point := cursor.point():
        return None if sign and sign[1] == "target" else StepItem(unit, point)
    other = None if goes else cursor.name()
    return Strike(unit, other) if other else None


def named_behind(cards: CardSet, cursor: Cursor, units: Sequence[ItemPart]) -> PlayItem | None:
    """A march whose units stand before its name: `Zulu and Doc march to C`. None, and nothing passed over, if none."""
    at, march = cursor.at, next((name for name, one in cards.orders.items() if one.kind == "march"), None)
    name = cursor.word("marches") or cursor.name()
    if name and march and (is_word(name.value, "marches") or cursor.names.find(name.value) == (march,)):
        skip_origin(cursor)
        sign = cursor.place_sign()
        point = cursor.point(behind_sign=sign is not None)
        if point and all(cursor.names.find(unit.value) for unit in units):
            return PlayItem(ItemPart(march, name.start_pos), (*map(AloneItem, units[:-1]), StepItem(units[-1], point)))
    cursor.at = at
    return None


def meant_by(wrong: Wrong, names: Names, hand: Sequence[str]) -> CommandItem | None:
    """What was probably meant; of a sentence in which a unit of the hand goes to a Point, that it is deployed there."""
    match wrong.instead:
        case PlayItem(_, (StepItem(unit, point),)) if wrong.is_deed and not {*names.find(unit.value)}.isdisjoint(hand):
            return DeployItem(unit, point)
        case item:
            return item
