"""Conditions of commands: what stands where, how many, how the last throw ended (rnr §8).

They are read as they are taught first; else by their parts, in whatever sequence people say them.
"""

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
from pbem.values import NamedTuple, dataclass

_COMPARE = {"=<": "<=", "≤": "<=", "≥": ">=", "=>": ">="}
_MOST = 9  # that a condition counts to


def read_condition(cursor: Cursor, place: ItemPart | None = None) -> ConditionItem:
    """What stands behind `If`; `place` is what "there" means. Raises Wrong."""
    at, found, wrong = cursor.at, None, None
    try:
        found = _as_taught(cursor)
    except Wrong as error:
        wrong = error
    if found is not None and _is_closed(cursor) and not _is_of_nobody(cursor, found):
        return found
    behind, cursor.at = cursor.at, at
    counted = _by_parts(cursor, place)
    if counted is not None and _is_closed(cursor):
        return counted
    cursor.at = behind
    if found is None:
        raise wrong or _unclear(cursor)
    return found


def _is_of_nobody(cursor: Cursor, found: ConditionItem) -> bool:
    """Whether it is where somebody stands who is no card."""
    return isinstance(found, StandsItem | StandsNotItem) and not cursor.names.find(found.unit.value)


def _is_closed(cursor: Cursor) -> bool:
    """Whether a condition ends here, and its command begins."""
    token = cursor.token()
    closed = token is None or token.type in ("COMMA", "COLON", "DASH") or cursor.is_start()
    return closed or not cursor.kinds().isdisjoint(("then", "so")) or bool(cursor.names.find(cursor.here().value))


def read_unless(cursor: Cursor) -> ConditionItem:
    """What stands behind `Unless`: where somebody is. Raises Wrong for what cannot be turned round."""
    here = cursor.here()
    match read_condition(cursor):
        case StandsItem(unit, point):
            return StandsNotItem(unit, point)
        case StandsNotItem(unit, point):
            return StandsItem(unit, point)
        case _:
            raise Wrong(here, Sentence("Say it with `If`: `If enemy B <= 1: ...`, for example."))


class _Limit(NamedTuple):
    """How many there are: at least or at most so many."""

    compare: ItemPart
    number: ItemPart


def _by_parts(cursor: Cursor, place: ItemPart | None) -> CountItem | StockItem | None:
    """`there are at least 2 enemies in B`, `в Б не меньше двух врагов`, `RD is at least 2`; None if it is none."""
    parts = _Parts()
    while not _is_closed(cursor):
        if not parts.take(cursor):
            return None
    return parts.condition(place)


@dataclass(slots=True)
class _Parts:
    """What of a condition is said so far."""

    limit: _Limit | None = None
    whose: ItemPart | None = None
    point: ItemPart | None = None
    stock: ItemPart | None = None
    there: bool = False

    def take(self, cursor: Cursor) -> bool:
        """Passes over a part; false if none stands here, or one that is said already."""
        if self.limit is None and (limit := _limit(cursor)):
            self.limit = limit
        elif self.whose is None and (word := cursor.word("enemy", "mine")):
            self.whose = word
        elif self.point is None and (point := _point_only(cursor)):
            self.point = point
        elif self.stock is None and (word := cursor.word("rd")):
            self.stock = word
        elif cursor.word("there"):
            self.there = True
        elif self.whose is None and (word := cursor.word("have")):
            self.whose = ItemPart("mine", word.start_pos)
        else:
            return cursor.word("stands", "units", "article", "filler") is not None
        return True

    def condition(self, place: ItemPart | None) -> CountItem | StockItem | None:
        """What the parts come to; `place` is what "there" means."""
        if self.stock is not None:
            return StockItem(*self.limit) if self.limit and self.point is None else None
        point = self.point or (place if self.there else None)
        if self.whose is None or point is None:
            return None
        limit = self.limit or (_Limit(ItemPart(">="), ItemPart("1")) if self.there else None)
        return CountItem(self.whose, point, *limit) if limit else None


def _point_only(cursor: Cursor) -> ItemPart | None:
    """A Point; without one nothing is passed over."""
    at = cursor.at
    point = _point(cursor)
    if point is None:
        cursor.at = at
    return point


def _limit(cursor: Cursor) -> _Limit | None:
    """`at least 2`, `2 or more`, `more than 1`, `no`: None, and nothing passed over, if it is none."""
    at = cursor.at
    for name, compare, step in (("least", ">=", 0), ("most", "<=", 0), ("more", ">=", 1), ("fewer", "<=", -1)):
        if word := cursor.word(name):
            number = read_number(cursor)
            if number is not None and 0 <= number + step <= _MOST:
                return _Limit(ItemPart(compare, word.start_pos), ItemPart(str(number + step), word.start_pos))
            cursor.at = at
            return None
    here = cursor.here()
    number = read_number(cursor)
    for name, compare in (("or_more", ">="), ("or_fewer", "<=")):
        if number is not None and (cursor.word(name) or (compare == ">=" and cursor.sign("PLUS"))):
            return _Limit(ItemPart(compare, here.start_pos), ItemPart(str(number), here.start_pos))
    cursor.at = at
    if word := cursor.word("none_of"):
        return _Limit(ItemPart("<=", word.start_pos), ItemPart("0", word.start_pos))
    return None


def read_number(cursor: Cursor) -> int | None:
    """A number of one digit, or a word for one."""
    token = cursor.token()
    if token is not None and token.type == "NUMBER":
        return int(cursor.sign("NUMBER").value) if len(token.value) == 1 else None  # type: ignore[union-attr]
    return next((number for number in range(1, 7) if cursor.word(f"n{number}")), None)


def _as_taught(cursor: Cursor) -> ConditionItem:
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
