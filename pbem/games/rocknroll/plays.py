"""What stands behind the name of an order: who attacks whom, who goes where, which Point."""

from collections.abc import Iterator

from pbem.games.base import Sentence
from pbem.games.rocknroll import items as said
from pbem.games.rocknroll.cards import CardSet, OrderKind
from pbem.games.rocknroll.cursor import Cursor
from pbem.games.rocknroll.items import AloneItem, CommandItem, ItemPart, PartItem, PlayItem, StepItem, StrikeItem, Token
from pbem.games.rocknroll.lookup import Wrong, quoted

_ATTACKS: tuple[OrderKind | None, ...] = ("attack", "all")
_MOVES: tuple[OrderKind | None, ...] = ("move", "march")


def read_play(cards: CardSet, cursor: Cursor, card: ItemPart) -> CommandItem:
    """An order that is played; its name is read already."""
    found = cursor.names.find(card.value)
    kind = cards.orders[found[0]].kind if found and found[0] in cards.orders else None
    if kind == "all" and not cursor.kinds().isdisjoint(("attack", "against")):
        cursor.word("attack", "against")  # All five attack: Johnny > Bao
    cursor.skip("card_word")
    colon = cursor.sign("COLON", "DASH") or _comma_before_unit(cursor, kind)
    if kind is None and not found and not (colon or _has_sign(cursor)):
        raise Wrong(card, _unknown(card, cursor))
    if kind == "super":
        return _super(cursor, card)
    at = cursor.at
    if kind in (*_MOVES, None) and (place := _place_first(cursor, kind)):
        if cursor.ends():
            return said.SuperItem(card, place)
        cursor.word("with")
        units = cursor.listed(lambda: read_part(cursor, kind, card))
        return PlayItem(card, tuple(_to(place, unit) for unit in units))
    cursor.at = at
    if cursor.ends():
        return PlayItem(card, (AloneItem(ItemPart("", card.start_pos + len(card.value))),))
    if kind in _ATTACKS and (point := cursor.point()):
        return said.SuperItem(card, point)
    parts = cursor.listed(lambda: read_part(cursor, kind, card))
    shared = PlayItem(card, _shared(kind, parts))
    if kind in _ATTACKS and isinstance(parts[0], AloneItem) and isinstance(parts[-1], StrikeItem):
        told = Sentence("Whom does {unit} attack? Write each pair: `{unit} > {target}`.", **_of_pair(shared.parts[0]))
        raise Wrong(parts[0].unit, told, shared if cursor.ends() else None)
    return shared


def _of_pair(part: PartItem) -> dict[str, str]:
    assert isinstance(part, StrikeItem)
    return {"unit": quoted(part.unit.value), "target": quoted(part.target.value)}


def _comma_before_unit(cursor: Cursor, kind: OrderKind | None) -> Token | None:
    """`Attack, Johnny on Bao`."""
    at, comma = cursor.at, cursor.sign("COMMA")
    if comma is None:
        return None
    name = cursor.name() if kind in ("attack", "move") else None
    cursor.at = at + (name is not None)
    return comma if name else None


def _has_sign(cursor: Cursor) -> bool:
    return any(token.type in ("ARROW", "COLON") for token in cursor.tokens[cursor.at :])


def _unknown(word: ItemPart, cursor: Cursor) -> Sentence:
    text = quoted(word.value)
    if nearest := cursor.names.nearest(word.value):
        return Sentence('There is no card "{text}". {nearest}?', text=text, nearest=nearest)
    return Sentence('"{text}" cannot be read.', text=text)


def _super(cursor: Cursor, card: ItemPart) -> CommandItem:
    sign = cursor.place_sign()
    if point := cursor.point(behind_sign=sign is not None):
        return said.SuperItem(card, point)
    if sign and sign[0].value.casefold() == "в" and cursor.ends():
        return said.SuperItem(card, sign[0])
    if cursor.ends():
        return PlayItem(card, (AloneItem(card), AloneItem(card)))
    parts = tuple(cursor.listed(lambda: read_part(cursor, "super")))
    return PlayItem(card, parts)


def _place_first(cursor: Cursor, kind: OrderKind | None) -> ItemPart | None:
    """The Point, where it stands before the units: March to B: Zulu, Doc."""
    if cursor.word("from"):
        cursor.point()
    sign = cursor.place_sign()
    point = cursor.point()
    if point is None or (sign is None and kind is None and not cursor.ends()):
        return None
    cursor.sign("COLON", "DASH", "COMMA")
    return point


def _to(place: ItemPart, part: PartItem) -> PartItem:
    if isinstance(part, AloneItem):
        return StepItem(part.unit, place)
    raise Wrong(part.unit, Sentence("Where does {unit} go? One Point is enough.", unit=quoted(part.unit.value)))


def read_part(cursor: Cursor, kind: OrderKind | None, card: ItemPart | None = None) -> PartItem:
    """A unit with whom it attacks or where it goes; alone where the line says neither. `kind` is that of the `card`."""
    if cursor.kinds() & {"all"}:
        word = cursor.word("all")
        raise Wrong(word or cursor.here(), Sentence("Which units? Write their names: `March: Zulu, Doc to B`."))
    unit = cursor.name()
    if unit is None:
        raise cursor.unreadable()
    if kind not in _ATTACKS:
        skip_origin(cursor)
    sign = cursor.place_sign()
    if sign is None:
        return _without_sign(cursor, unit, kind, card)
    return _with_sign(cursor, unit, sign, kind)


def skip_origin(cursor: Cursor) -> None:
    """`from A` and `из А`, where a Point to go to follows; `A ->`, too."""
    at = cursor.at
    if cursor.is_point() and cursor.point() and cursor.sign("ARROW") and cursor.point():
        cursor.at -= 2
        return
    cursor.at = at
    if cursor.word("from") and cursor.point() and (cursor.place_sign() or cursor.point()):
        cursor.at -= 1
        return
    cursor.at = at


def _with_sign(cursor: Cursor, unit: ItemPart, sign: tuple[ItemPart, str], kind: OrderKind | None) -> PartItem:
    word, meaning = sign
    if point := cursor.point(behind_sign=True):
        return StrikeItem(unit, point) if meaning == "target" else StepItem(unit, point)
    if cursor.ends():
        if word.value.casefold() == "в":  # Зулу В
            return StepItem(unit, word)
        raise Wrong(word, Sentence('What stands behind "{text}"? A unit or a Point.', text=word.value))
    other = cursor.name()
    if other is None:
        if cursor.kinds() & {"all"}:
            raise Wrong(cursor.here(), Sentence("Which units? Write their names: `March: Zulu, Doc to B`."))
        raise cursor.unreadable()
    if meaning == "point" or (meaning == "either" and kind in _MOVES):
        return StepItem(unit, other)
    return StrikeItem(unit, other)


def _without_sign(cursor: Cursor, unit: ItemPart, kind: OrderKind | None, card: ItemPart | None) -> PartItem:
    if kind in _ATTACKS and cursor.word("by"):  # Attack Bao with Johnny
        attacker = cursor.name()
        if attacker is None:
            raise cursor.unreadable()
        return StrikeItem(attacker, unit)
    if point := cursor.point():
        return StepItem(unit, point)
    if not cursor.ends() and not _is_list(cursor):
        raise _who_whom(card if kind in _ATTACKS else None, unit, cursor)
    return AloneItem(unit)


def _is_list(cursor: Cursor) -> bool:
    at = cursor.at
    found = cursor.listing()
    cursor.at = at
    return found


def _who_whom(card: ItemPart | None, unit: ItemPart, cursor: Cursor) -> Wrong:
    """Two names, and nothing that says who attacks whom; or whatever else stands there."""
    here = cursor.here()
    cursor.sign("DASH")
    other = cursor.name()
    if other is None or not cursor.names.find(other.value):
        return Wrong(here, Sentence('"{text}" cannot be read.', text=quoted(here.value)))
    values = {"first": quoted(unit.value), "second": quoted(other.value)}
    told = Sentence("Who attacks whom? Write `{first} > {second}` or `{second} > {first}`.", **values)
    pairs = (StrikeItem(unit, other), *_more_pairs(cursor))
    wrong = Wrong(unit, told, PlayItem(card, pairs) if card and cursor.ends() else None)
    wrong.either_way = True
    return wrong


def _more_pairs(cursor: Cursor) -> Iterator[StrikeItem]:
    """The pairs that follow, as far as there are two names in each."""
    while cursor.listing() and (unit := cursor.name()):
        if not (cursor.sign("DASH") or cursor.place_sign()) and not cursor.ends():
            cursor.skip("article")
        other = cursor.name()
        if other is None:
            cursor.at -= 1  # what is left over is seen
            return
        yield StrikeItem(unit, other)


def _shared(kind: OrderKind | None, parts: list[PartItem]) -> tuple[PartItem, ...]:
    """Units without a target or Point of their own share that of the next one; a march says its Point at the end."""
    if kind not in ("attack", "all", "move") or not isinstance(parts[0], AloneItem):
        return tuple(parts)
    found: list[PartItem] = []
    for part in reversed(parts):
        last = found[-1] if found else None
        if isinstance(part, AloneItem) and isinstance(last, StepItem):
            found.append(StepItem(part.unit, last.point))
        elif isinstance(part, AloneItem) and isinstance(last, StrikeItem):
            found.append(StrikeItem(part.unit, last.target))
        else:
            found.append(part)
    return tuple(reversed(found))
