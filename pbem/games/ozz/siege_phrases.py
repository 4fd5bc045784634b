"""Recruiting, sieges and the Ruler's return as people write them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from pbem.games.base import Sentence
from pbem.games.ozz import lists
from pbem.games.ozz.cursor import Cursor
from pbem.games.ozz.items import Wrong
from pbem.games.ozz.orders import Garrison, Honors, Item, Recruit, Return

How = Literal["pool", "special", "none"]
"""What a Hero recruits."""

_HOWS: tuple[How, ...] = ("special", "none", "pool")


def _recruit(cursor: Cursor) -> Iterator[Item]:
    cursor.skip("with", "of")
    heroes = lists.counters(cursor)
    for hero in heroes:
        at = cursor.at
        how = read_how(cursor)
        if hero != heroes[-1]:
            cursor.at = at
        yield Recruit(hero, how)


def read_how(cursor: Cursor) -> How:
    """What a Hero recruits; `pool` where nothing is said."""
    colon = cursor.type() == "COLON"
    cursor.sign("COLON", "DASH", "COMMA") if not cursor.at_end else None
    cursor.skip("filler")
    how = read_how_word(cursor) or ("none" if cursor.word("not") else None)
    if how is None and colon and cursor.type() == "WORD":
        told = Sentence('"{text}" cannot be recruited: write `pool`, `special` or `none`.', text=cursor.here().value)
        raise Wrong(cursor.here(), told)
    return how or "pool"


def read_how_word(cursor: Cursor) -> How | None:
    """What a Hero recruits, if it is said."""
    return next((how for how in _HOWS if cursor.word(how)), None)


def _garrison(cursor: Cursor) -> Iterator[Item]:
    number = cursor.number()  # one gun in M1
    cursor.word("batteries")
    cursor.skip("inside")
    point = lists.points(cursor)[0]
    cursor.sign("COLON", "DASH", "COMMA")
    cursor.word("with", "batteries")
    number = cursor.number() if number is None else number
    if number is None:
        raise Wrong(cursor.here(), Sentence("How many batteries? `Garrison {point}: 1`, for example.", point=point))
    cursor.word("batteries")
    yield Garrison(point, number)


def _honors(cursor: Cursor) -> Iterator[Item]:
    what = "offer" if cursor.word("offer") else "accept" if cursor.word("accept") else None
    cursor.sign("COLON")
    cursor.skip("inside", "on", "to")
    points = lists.points(cursor)
    if what is None:
        what = "offer" if cursor.word("offer") else "accept" if cursor.word("accept") else None
    if what is None:
        own = all(cursor.side.data.points[point].nation == cursor.side.seat for point in points)
        word = "accept" if own else "offer"
        instead = (Honors("accept" if own else "offer", points[0]),)
        told = Sentence("Offered or accepted? `Honors {what} {point}`, for example.", what=word, point=points[0])
        raise Wrong(cursor.here(), told, *instead)
    for point in points:
        yield Honors(what, point)  # type: ignore[arg-type]


def _offer(cursor: Cursor) -> Iterator[Item]:
    yield from _honors_with(cursor, "offer")


def _accept(cursor: Cursor) -> Iterator[Item]:
    yield from _honors_with(cursor, "accept")


def _honors_with(cursor: Cursor, what: str) -> Iterator[Item]:
    """`offer honours at Herku`: the verb is read."""
    cursor.skip("the")
    if not cursor.word("honors"):
        raise cursor.unreadable()
    cursor.sign("COLON")
    cursor.skip("inside", "on", "to", "of")
    points = lists.points(cursor)
    cursor.word("attack_end")  # biete ... an
    for point in points:
        yield Honors(what, point)  # type: ignore[arg-type]


def _return(cursor: Cursor) -> Iterator[Item]:
    at = cursor.at
    if cursor.name() is None or cursor.at_end:
        cursor.at = at
    yield read_return(cursor)


def read_return(cursor: Cursor) -> Item:
    """Where the Ruler returns, behind the word for it."""
    cursor.skip("to", "inside")
    cursor.sign("COLON", "ARROW")
    point = lists.points(cursor)[0]
    cursor.skip("along")
    return Return(point)


WORDS: Mapping[str, Callable[[Cursor], Iterator[Item]]] = {
    "recruit": _recruit,
    "garrison": _garrison,
    "honors": _honors,
    "offer": _offer,
    "accept": _accept,
    "return": _return,
}
