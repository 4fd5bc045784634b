"""What begins with no order word and says all the same what is meant: `Don't retreat`, `Let them go first`."""

from pbem.games.ozz import lists
from pbem.games.ozz.cursor import Cursor
from pbem.games.ozz.items import Nothing
from pbem.games.ozz.orders import Carry, Initiative, Item, Recruit, Retreat
from pbem.games.ozz.wording import CALLED
from pbem.games.spelling import folded

_SAYINGS = ("first", "second", "pass", "not", "never", "always", "the", "bell", "let", "them", "us")


def saying(cursor: Cursor) -> Item | Nothing | None:
    """What begins with no order word: `Don't retreat`, `Let them go first`, `the Bell: skeletons 1 carry it`."""
    at = cursor.at
    if cursor.words().isdisjoint(_SAYINGS) and folded(cursor.here().value) not in CALLED:
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
        if cursor.word(who) or (cursor.side.battle and _is_nation(cursor, own=first)):
            cursor.skip("can", "filler", "to")
            if cursor.word("first"):
                return Initiative(first)
            return Initiative(not first) if cursor.word("second") else None
    return None


def _is_nation(cursor: Cursor, *, own: bool) -> bool:
    """Passes over the name of one's own nation, or of the other one in the battle."""
    at = cursor.at
    cursor.skip("the")
    token = cursor.token()
    nation = folded(token.value) if token else ""
    if nation in CALLED and (nation == cursor.side.seat) == own:
        cursor.at += 1
        return True
    cursor.at = at
    return False


def at_point(cursor: Cursor) -> str | None:
    """Where something is to be done, if that is said."""
    at = cursor.at
    if cursor.word("inside") and (point := cursor.point()):
        return point
    cursor.at = at
    return None
