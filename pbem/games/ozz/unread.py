"""What is wrong with a line that the grammar does not read, and what would be right."""

import re
from collections.abc import Callable, Mapping, Sequence

from pbem.games.base import Sentence, Unread
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.counsel import example
from pbem.games.ozz.guess import Items, guessed
from pbem.games.ozz.items import Word, Wrong, quoted
from pbem.games.ozz.names import choose
from pbem.games.ozz.scan import Seen, scan
from pbem.games.ozz.sides import Side

_LIKE_A_SPACE = re.compile(r"\d[A-Za-z]|[LCRlcr]\d")
_BEFORE_NAMES = ("the", "to", "at", "inside", "on", "from", "via", "with", "and", "then", "sign", "filler")


def mistaken(side: Side, line: Unread, is_legal: Callable[[Items], bool]) -> Wrong:
    """The first word that does not fit, by what the grammar would have taken there, and what was probably meant."""
    said = [one._replace(start=one.start + line.start_pos) for one in scan(side.data, line.value)]
    stop = line.start_pos if line.stop is None else line.stop
    read, rest = [one for one in said if one.start < stop], [one for one in said if one.start >= stop]
    while rest and rest[0].may_be(*_BEFORE_NAMES) and not rest[0].may_be("counter", "point", "if"):
        read.append(rest.pop(0))
    instead = guessed(side, line.value, is_legal)
    if rest:
        here = Word(rest[0].value, rest[0].start)
        told = _no_order(side, read, rest[0]) or _unfit(side, line.expected, rest[0], read)
    else:
        here = Word(said[-1].value, said[-1].start) if said else Word(line.value, line.start_pos)
        told = _no_order(side, read, None) or _missing(side, line.expected, read)
    return Wrong(here, told or _understood(side, said, quoted(here.value), asks=not instead), *instead)


def _understood(side: Side, said: Sequence[Seen], text: str, *, asks: bool) -> Sentence:
    """What cannot be read, and of what it stands among that was understood, with orders that are legal now."""
    names = tuple(dict.fromkeys(filter(None, (_called(side, one) for one in said))))
    line = str(example(side.state, side.seat)) if side.state and side.seat else ""
    if not (asks and names and line):
        return Sentence('"{text}" cannot be read here.', text=text)
    values = {"text": text, "names": names, "line": line}
    return Sentence('"{text}" cannot be read here. {names}: what is to be done? `{line}`, for example.', **values)


def _called(side: Side, one: Seen) -> str:
    """What somebody has named, as it is called."""
    codes = choose(side.names, side.names.find(one.spelled), *side.pools) if one.may_be("counter") else ()
    points = side.names.find_points(one.spelled) if one.may_be("point") else ()
    if len(codes) == 1:
        return side.data.counters[codes[0]].name
    if len(points) == 1:
        return side.data.points[points[0]].name
    return one.value if one.may_be("space", "digits") else ""


def _no_order(side: Side, read: Sequence[Seen], here: Seen | None) -> Sentence | None:
    """What is to be said of a line that lacks the counters for what it says, or has a condition."""
    if here and here.may_be("if"):
        return Sentence("There is no such condition: write what is to be done in any case.")
    named = any(one.may_be("counter", "all") for one in read)
    first = next((one for one in read if not one.may_be(*_BEFORE_NAMES)), here)
    if named or first is None:
        return None
    if first.may_be("attack", "charge"):
        if side.battle:
            return Sentence("Who attacks, and where? A force does: `Order SOU: advance, attack 3C`.")
        return Sentence("Who attacks, and where? A stack fights where it comes to enemies: `Move SOU: M2-M4`.")
    if first.may_be("move") and (here is None or here.may_be("point")):
        return Sentence("Who moves? Counters stand before the way: `Move SOU: M2-M4`, for example.")
    return None


def _in_which_row(side: Side) -> Sentence:
    """What is to be said of a column alone."""
    if side.battle and side.battle.turn == 1 and side.seat:
        row = grid_of(side.data).first_row(attacks=side.seat == side.battle.attacker)
        return Sentence("In which row? Your first one has the spaces {row}L, {row}C and {row}R.", row=row)
    return Sentence("In which row? A space is row and column, such as `3L`.")


def _unfit(side: Side, expected: frozenset[str], here: Seen, read: Sequence[Seen]) -> Sentence | None:
    """What is wrong with a word, by what may stand there."""
    text, names = quoted(here.value), side.names
    if any(one.may_be("recruit") for one in read) and read[-1].value == ":":
        return Sentence('"{text}" cannot be recruited: write `pool`, `special` or `none`.', text=text)
    if "SPACE" in expected and _LIKE_A_SPACE.fullmatch(here.value):
        values = {"space": here.value, "rows": side.data.values["rows"]}
        return Sentence("{space} is off the board: rows 1 to {rows}, columns L, C, R.", **values)
    if "SPACE" in expected and here.may_be("l_side", "r_side", "centre"):
        return _in_which_row(side)
    if read and read[-1].may_be("below"):
        return Sentence("Below how many units? `Retreat below 3`, for example.")
    if here.kinds:
        return None
    before = next((one for one in reversed(read) if not one.may_be("sign", "the")), None)
    if "COUNTER" in expected and not (before and before.may_be("point", "to", "from", "via")):
        code = names.nearest(here.value, tuple(side.own)) or _exchanged(here.value, tuple(side.own))
        if code is None:
            return None if "MOVE" in expected else Sentence('There is no counter "{text}".', text=text)
        name = side.data.counters[code].name
        return Sentence('There is no counter "{text}". {code} ({name})?', text=text, code=code, name=name)
    if "POINT" in expected:
        code = names.nearest_point(here.value)
        if code is None:
            return Sentence('There is no point "{text}".', text=text)
        name = side.data.points[code].name
        return Sentence('There is no point "{text}". {code} ({name})?', text=text, code=code, name=name)
    return None


def _missing(side: Side, expected: frozenset[str], read: Sequence[Seen]) -> Sentence | None:
    """What a line lacks at its end."""
    units = [code for one in read if one.may_be("counter") for code in side.names.find(one.spelled).whole]
    first = next((one for one in read if not one.may_be(*_BEFORE_NAMES)), read[-1]) if read else None
    if first is None:
        return None
    for word, told in _LACKING.items():
        if first.may_be(word):
            return told((units or ["ZOR"])[0], side.data.spells)
    if "ADVANCE" in expected and side.battle:
        return Sentence("What is it to do? `Order {code}: advance`, `stand` or `back`.", code=(units or ["SOU"])[0])
    if "POINT" in expected and not side.battle:
        return Sentence("Where to? `Move {units}: ...`, point by point.", units=" ".join(units) or "all")
    if "SPACE" in expected:
        return Sentence("Where? A space is missing here: row and column, such as `3C`.")
    return Sentence('A counter is missing behind "{text}".', text=read[-1].value) if "COUNTER" in expected else None


_LACKING: Mapping[str, Callable[[str, tuple[str, ...]], Sentence]] = {
    "retreat": lambda *_: Sentence("When? `Retreat never`, `Retreat always` or `Retreat below 3`, for example."),
    "group": lambda code, _: Sentence("Whom does {leader} lead? `Group {leader}: SOU HAR` or `none`.", leader=code),
    "guard": lambda *_: Sentence("Which space, which flank? `Guard 2C: left HER, right THI`, for example."),
    "cast": lambda _, spells: Sentence("Which spell? They are {spells}.", spells=spells),
    "garrison": lambda *_: Sentence("How many batteries? `Garrison {point}: 1`, for example.", point="M1"),
}


def _exchanged(text: str, own: tuple[str, ...]) -> str | None:
    """The one counter whose code has these letters in another order."""
    found = [code for code in own if sorted(code) == sorted(text.upper())]
    return found[0] if len(found) == 1 else None
