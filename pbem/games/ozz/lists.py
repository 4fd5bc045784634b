"""Lists of counters, points and spaces, and spells."""

from pbem.games.base import Sentence
from pbem.games.ozz.cursor import Cursor
from pbem.games.ozz.items import Word, Wrong
from pbem.games.ozz.lexicon import lexicon
from pbem.games.spelling import folded


def single(cursor: Cursor, found: tuple[tuple[str, ...], Word] | None) -> str:
    """The one counter that is named. Raises Wrong."""
    if found is None or not found[0]:
        raise no_counter(cursor)
    codes, word = found
    if len(codes) > 1:
        raise Wrong(word, Sentence("One counter is needed here: {counters} are several.", counters=codes))
    return codes[0]


def no_counter(cursor: Cursor) -> Wrong:
    """What stands where a counter is needed."""
    if cursor.is_word("attack", "charge") and not cursor.at:
        return Wrong(cursor.here(), _WHO_ATTACKS_THERE if cursor.side.battle else _WHO_ATTACKS)
    cursor.skip("the")
    here = cursor.here()
    if cursor.at_end or cursor.type() != "WORD":
        return Wrong(here, Sentence('A counter is missing behind "{text}".', text=cursor_before(cursor)))
    own = tuple(cursor.side.own)
    nearest = cursor.names.nearest(here.value, own) or _exchanged(here.value, own)
    if nearest:
        values = {"text": here.value, "code": nearest, "name": cursor.side.data.counters[nearest].name}
        return Wrong(here, Sentence('There is no counter "{text}". {code} ({name})?', **values))
    if cursor.words():
        return cursor.unreadable()
    return Wrong(here, Sentence('There is no counter "{text}".', text=here.value))


def _exchanged(text: str, own: tuple[str, ...]) -> str | None:
    """The one counter whose code has these letters in another order."""
    found = [code for code in own if sorted(code) == sorted(text.upper())]
    return found[0] if len(found) == 1 else None


_WHO_ATTACKS = Sentence("Who attacks, and where? A stack fights where it comes to enemies: `Move SOU: M2-M4`.")
_WHO_ATTACKS_THERE = Sentence("Who attacks, and where? A force does: `Order SOU: advance, attack 3C`.")


def cursor_before(cursor: Cursor) -> str:
    before = cursor.token(-1)
    return before.value if before else ""


def counters(cursor: Cursor, *, ends: bool = False, enemy: bool = False) -> list[str]:
    """The counters of a list. `ends`: it is the last of its item, so a name with a colon behind it begins another.

    Raises Wrong if there is none.
    """
    found: list[str] = []
    while True:
        at, places = cursor.at, dict(cursor.places)
        apart = cursor.listing(either=False) if found else False
        cursor.word("first") if not cursor.is_name() else None
        one = cursor.name(enemy=enemy)
        if one is None or (ends and apart and cursor.type() == "COLON"):
            cursor.at, cursor.places = at, places
            break
        found += one[0]
        if not cursor.is_name():
            cursor.word("first")
    if not found:
        raise no_counter(cursor)
    return found


def points(cursor: Cursor) -> list[str]:
    """The points of a list. Raises Wrong if there is none."""
    found: list[str] = []
    while True:
        at = cursor.at
        if found:
            cursor.listing()
            cursor.word("to")
        point = cursor.point()
        if point is None:
            cursor.at = at
            break
        found.append(point)
        cursor.word("first")
    if not found:
        raise no_point(cursor)
    return found


def no_point(cursor: Cursor) -> Wrong:
    """What stands where a point is needed."""
    here = cursor.here()
    if cursor.at_end or cursor.type() != "WORD":
        return Wrong(here, Sentence("Where? A point is missing here."))
    nearest = cursor.names.nearest_point(here.value)
    if nearest:
        values = {"text": here.value, "code": nearest, "name": cursor.side.data.points[nearest].name}
        return Wrong(here, Sentence('There is no point "{text}". {code} ({name})?', **values))
    return Wrong(here, Sentence('There is no point "{text}".', text=here.value))


def spaces(cursor: Cursor, *, off: bool = False) -> list[str]:
    """The spaces of a list, perhaps none; `off` where they are a way."""
    found: list[str] = []
    while True:
        at = cursor.at
        if found:
            cursor.sign("DASH", "ARROW")
            cursor.listing()
            cursor.skip("to", "via", "or")
        space = cursor.space(off=off)
        if space is None:
            cursor.at = at
            return found
        found.append(space)


def needed_space(cursor: Cursor) -> str:
    space = cursor.space()
    if space is not None:
        return space
    here = cursor.here()
    if cursor.word("l_side", "r_side", "centre"):
        raise Wrong(here, Sentence('"{text}" of which row? A space is row and column: `3C`.', text=here.value))
    if cursor.at_end:
        raise Wrong(here, Sentence("Where? A space is missing here: row and column, such as `3C`."))
    raise Wrong(here, Sentence('"{text}" is no space: a space is row and column, such as `3C`.', text=here.value))


def spell(cursor: Cursor) -> str | None:
    """The name of a spell, which has one word or two."""
    for count in (2, 1):
        some = cursor.tokens[cursor.at : cursor.at + count]
        text = folded(" ".join(token.value for token in some if token.type == "WORD"))
        if len(some) == count and (found := lexicon().spells.get(text)):
            cursor.at += count
            return found
    return None


def is_spell(cursor: Cursor) -> bool:
    at = cursor.at
    found = spell(cursor) is not None
    cursor.at = at
    return found
