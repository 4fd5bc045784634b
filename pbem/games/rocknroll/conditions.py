"""Conditions of commands: what stands where, how many, how the last throw ended (rnr §8)."""

from pbem.games.base import Sentence
from pbem.games.rocknroll.cursor import Cursor
from pbem.games.rocknroll.items import (
    ConditionItem,
    CountItem,
    ItemPart,
    LastItem,
    StandsItem,
    StandsNotItem,
    StockItem,
)
from pbem.games.rocknroll.lookup import Wrong

_COMPARE = {"=<": "<=", "≤": "<=", "≥": ">=", "=>": ">="}


def read_condition(cursor: Cursor) -> ConditionItem:
    """What stands behind `If`. Raises Wrong."""
    for outcome in ("missed", "hit"):
        if word := cursor.word(outcome):
            return LastItem(word)
    if cursor.word("rd"):
        return StockItem(*_compared(cursor))
    for side in ("mine", "enemy"):
        if word := cursor.word(side):
            return _count(cursor, word)
    return _stands(cursor)


def _count(cursor: Cursor, whose: ItemPart) -> CountItem:
    """`enemy B >= 2`, `врагов в Б >= 2`, `enemies >= 2 in B`."""
    point = _point(cursor)
    if point:
        return CountItem(whose, point, *_compared(cursor))
    compare, number = _compared(cursor)
    point = _point(cursor)
    if point is None:
        raise Wrong(whose, Sentence("In which Point? `If enemy B >= 2: ...`, for example."))
    return CountItem(whose, point, compare, number)


def _point(cursor: Cursor) -> ItemPart | None:
    cursor.skip("stands")
    cursor.word("in", "to")
    return cursor.point()


def _compared(cursor: Cursor) -> tuple[ItemPart, ItemPart]:
    here = cursor.here()
    compare = _compare(cursor)
    number = cursor.sign("NUMBER")
    if compare is None or number is None or len(number.value) > 1:
        raise Wrong(here, Sentence("A number 0-9 is needed here behind `>=` or `<=`, such as `If RD >= 2: ...`."))
    return compare, ItemPart(number.value, number.start_pos)


def _compare(cursor: Cursor) -> ItemPart | None:
    if word := cursor.word("least"):
        return ItemPart(">=", word.start_pos)
    if word := cursor.word("most"):
        return ItemPart("<=", word.start_pos)
    token = cursor.sign("COMPARE") or cursor.sign("ARROW")
    if token is None or _COMPARE.get(token.value, token.value) not in (">=", "<="):
        return None
    return ItemPart(_COMPARE.get(token.value, token.value), token.start_pos)


def _stands(cursor: Cursor) -> ConditionItem:
    """`Bao in A`, `Bao is not in A`, `в А нет Бао`."""
    negated = cursor.word("not") is not None
    point = _point(cursor)
    cursor.skip("stands")
    negated |= cursor.word("not") is not None
    unit = cursor.name()
    if unit is None:
        raise _unclear(cursor)
    if point is None:
        cursor.skip("stands")
        negated |= cursor.word("not") is not None
        point = _point(cursor)
    if point is None:
        raise _unclear(cursor)
    return StandsNotItem(unit, point) if negated else StandsItem(unit, point)


def _unclear(cursor: Cursor) -> Wrong:
    told = Sentence("Conditions are: Bao in A, Bao not in A, enemy B >= 2, mine B >= 2, RD >= 2, hit, missed.")
    return Wrong(cursor.here(), told)
