"""What begins with no order word and says all the same what is meant: `Don't retreat`, `Let them go first`."""

from pbem.games.ozz import lists
from pbem.games.ozz.cursor import Cursor
from pbem.games.ozz.items import Nothing
from pbem.games.ozz.orders import Carry, Initiative, Item, Recruit, Retreat

_SAYINGS = ("first", "second", "pass", "not", "never", "always", "the", "bell", "let", "them", "us")


def saying(cursor: Cursor) -> Item | Nothing | None:
    """What begins with no order word: `Don't retreat`, `Let them go first`, `the Bell: skeletons 1 carry it`."""
    at = cursor.at
    if cursor.words().isdisjoint(_SAYINGS):
        return None
    if cursor.word("pass"):
        if cursor.at_end:
            return Nothing()
        cursor.at = at
    if cursor.word("not") and cursor.word("recruit"):
        cursor.skip("with", "of")
        return Recruit(lists.single(cursor, cursor.name()), "none")
    cursor.at = at
    for word, below in (("not", 0), ("never", 0), ("always", None)):
        if cursor.word(word) and cursor.word("retreat"):
            return Retreat(below, at_point(cursor))
        cursor.at = at
    cursor.skip("the")
    if cursor.word("bell"):
        cursor.sign("COLON", "COMMA", "DASH")
        if (found := cursor.name()) and cursor.word("carry"):
            cursor.word("it")
            return Carry(lists.single(cursor, found))
    cursor.at = at
    item = _who_is_first(cursor) or _place(cursor)
    if item is None:
        cursor.at = at
    return item


def _place(cursor: Cursor) -> Initiative | None:
    """`move second`, said of one's own side, and nothing else."""
    at = cursor.at
    for word, first in (("first", True), ("second", False)):
        cursor.at = at
        if cursor.side.battle and cursor.word(word) and cursor.at - at > 1 and cursor.at_end:
            return Initiative(first)
    return None


def _who_is_first(cursor: Cursor) -> Initiative | None:
    """`Let them go first`, `we go second`."""
    cursor.word("let")
    for who, first in (("them", False), ("us", True)):
        if cursor.word(who):
            cursor.skip("can", "filler", "to")
            if cursor.word("first"):
                return Initiative(first)
            return Initiative(not first) if cursor.word("second") else None
    return None


def at_point(cursor: Cursor) -> str | None:
    """Where something is to be done, if that is said."""
    at = cursor.at
    if cursor.word("inside") and (point := cursor.point()):
        return point
    cursor.at = at
    return None
