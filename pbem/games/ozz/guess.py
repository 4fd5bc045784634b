"""Find what is wrong with a line that the grammar cannot read, and guess what it means. A guess is only proposed to the
player, never carried out.

A guess is based on the counters, points, spaces, numbers and spells in a line and on a few verbs; unknown words are
ignored. All readings of the line that use all of these names are built, and a proposal is made only if exactly one of
them is legal. The guess is never that nothing is ordered, and no proposal is made if a word such as `not`, `if` or `or`
may reverse the meaning.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import NamedTuple

from pbem import Sentence
from pbem.games.base import Unread
from pbem.games.kit.reading import Word, Wrong, quoted
from pbem.games.ozz import naming, orders
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.hints import example
from pbem.games.ozz.legality import codes_of
from pbem.games.ozz.names import AS_WORD, ORDINARY, Seen, alike, choose, scan
from pbem.games.ozz.naming import Side
from pbem.games.ozz.orders import Item
from pbem.games.ozz.wording import noted

_TURNING = ("if", "not", "or", "never", "n0", "but", "always", "more", "turning", "l_side", "r_side")
_UNMADE = {True: ("pass", "alone", "off", "coordinate", "change"), False: ("pass", "stack")}
"""The order words that rule out a guess during a battle on the board (True) and otherwise (False)."""
_ASIDE = ("?", "/", "(", ")", "[", "]")
_KIND = ("good luck", "healing", "fleet feet", "transport")  # spells for one's own units
_LEAST = 3  # shorter words are not corrected
_COUNTS = tuple(map(str, range(2, 11)))  # without `one` and `a`, which are rarely counts
_MOST = 12  # no guess is made for a line with more names

Items = tuple[Item, ...]


class NamesInLine(NamedTuple):
    """The names in a line by kind, each kind in the order of the line: the seat's own counters, other seats' counters,
    points, spaces, numbers and spells. `words` contains the kinds of all order words in the line."""

    own: tuple[str, ...]
    others: tuple[str, ...]
    points: tuple[str, ...]
    spaces: tuple[str, ...]
    numbers: tuple[str, ...]
    spells: tuple[str, ...]
    taken: tuple[str, ...]
    """The seat's counters that follow a word such as `take`; they are not included in `own`."""
    dropped: tuple[str, ...]
    words: frozenset[str]


def named_in(side: Side, text: str) -> NamesInLine | None:
    """Return the names in a line. Return None if a name fits several counters or points, if a word may reverse the
    meaning, or if there are too many names."""
    things: dict[str, list[str]] = {kind: [] for kind in NamesInLine._fields if kind != "words"}
    words, to = set[str](), "own"
    for word in (_righted(side, seen) for seen in scan(side.data, text)):
        words |= word.kinds
        kind, codes = _thing(side, word)
        if word.value in _ASIDE or (kind and not codes) or (not kind and _turns(word)):
            return None
        to = "dropped" if word.may_be("drop") else "taken" if word.may_be("take") and things["points"] else to
        for code in codes:
            things[to if kind == "own" else kind].append(code)
    if sum(map(len, things.values())) > _MOST or not words.isdisjoint(_UNMADE[side.battle is not None]):
        return None
    return NamesInLine(words=frozenset(words), **{kind: tuple(dict.fromkeys(codes)) for kind, codes in things.items()})


def _turns(word: Seen) -> bool:
    """Return whether a word may reverse the meaning of a line, or may refer to a counter without naming it, as `her`
    does."""
    condition = word.may_be("when") and not word.may_be("with", "at", "inside")
    someone = word.may_be("them") and word.spelled in map(AS_WORD.format, ORDINARY)
    return condition or someone or (word.may_be(*_TURNING) and not word.may_be("filler"))


def _thing(side: Side, word: Seen) -> tuple[str, tuple[str, ...]]:
    """Return the kind of thing that a word names, which is the name of a field of `NamesInLine`, and the codes of the
    named things. There are no codes if the word fits several things; the kind is "" if the word is not a name."""
    if word.may_be("spell", "transport"):
        return "spells", (naming.spell_of(word.spelled),)
    if word.may_be("counter"):
        meant = side.names.find(word.spelled)
        codes = choose(meant, *side.pools)
        if word.may_be("point") and side.battle is None and not any(code in side.own for code in codes):
            return "points", side.names.find_points(word.spelled)
        own = "own" if all(code in side.own for code in codes) else "others"
        return own, codes if len(codes) == 1 or meant.several else ()
    if numbered := _numbered(side, word):
        return "own", numbered
    if word.may_be("point") and not (side.battle and word.may_be("space")):
        points = side.names.find_points(word.spelled)
        return "points", points if len(points) == 1 else ()
    if word.may_be("space"):
        return "spaces", (naming.space_of(naming.Places(side), naming.SpelledToken("SPACE", word.spelled, 0)),)
    number = word.value if word.value.isdigit() else next((count for count in _COUNTS if f"n{count}" in word.kinds), "")
    return ("numbers", (number,)) if number else ("", ())


def _numbered(side: Side, word: Seen) -> tuple[str, ...]:
    """Return the code of the seat's counter whose name begins with the ordinal `word`, such as `5th` for the 5th
    Winkies; () unless there is exactly one such counter."""
    if not word.value[:1].isdigit() or not any(kind.startswith("nth") for kind in word.kinds):
        return ()
    codes = tuple(code for code in side.own if side.data.counters[code].name.startswith(f"{word.value} "))
    return codes if len(codes) == 1 else ()


def _righted(side: Side, word: Seen) -> Seen:
    """Return `word`, with a typo corrected if it probably means one of the seat's counters, a verb, or a point."""
    if word.kinds or len(word.value) < _LEAST:
        return word
    if code := side.names.nearest(word.value, tuple(side.own)):
        return word._replace(spelled=code.casefold(), kinds=frozenset(("counter",)))
    if kinds := alike(word.value):
        return word._replace(kinds=kinds)
    point = side.names.nearest_point(word.value)
    return word._replace(spelled=point.casefold(), kinds=frozenset(("point",))) if point else word


def guessed(side: Side, text: str, is_legal: Callable[[Items], bool]) -> Items:
    """Return the only legal reading of `text` that uses everything named there; () if there is no such reading, or more
    than one."""
    named = named_in(side, text)
    if named is None or side.seat is None:
        return ()
    words = [kind for kind in _VERBS if kind in named.words]
    makers = _ON_BOARD if side.battle else _ON_MAP
    candidates = {
        items
        for kind in words or ("",)
        if kind in makers
        for items in makers[kind](side, named)
        if items and _uses_all(named, items) and is_legal(items)
    }
    return candidates.pop() if len(candidates) == 1 else ()


def _uses_all(named: NamesInLine, items: Items) -> bool:
    used = [set[str]().union(*codes) for codes in zip(*map(codes_of, items), strict=True)]
    moves = any(isinstance(item, orders.Move) for item in items)
    if ("all" in named.words and (named.own or not moves)) or ("back" in named.words and moves):
        return False
    counters = {*named.own, *named.others, *named.taken, *named.dropped}
    counts = len(named.numbers) <= sum(isinstance(item, orders.Retreat | orders.Garrison) for item in items)
    cast = {item.spell for item in items if isinstance(item, orders.Cast)}
    return (
        counters <= used[0] and {*named.points} <= used[1] and {*named.spaces} <= used[2] and counts
        and {*named.spells} <= cast
    )  # fmt: skip


# Readings of a line, depending on its verb


_Maker = Callable[[Side, NamesInLine], Iterable[Items]]


def _moves(side: Side, named: NamesInLine) -> Iterator[Items]:
    """Yield readings that move stacks from where they are through the named points, with one move for each starting
    point."""
    units = side.in_point(named.points[0]) if "all" in named.words and named.points else named.own
    starts = [(point, tuple(codes)) for point, codes in groupby(sorted(units, key=_order(side)), side.location)]
    if not starts or not named.points:
        return
    ways = []
    has_start = any(start == named.points[0] for start, _ in starts)
    for start, codes in starts:
        points = named.points[has_start:] if len(starts) == 1 or not has_start else named.points[-1:]
        cheapest = naming.ways_of(side, start, points) if start and points else []
        ways.append([orders.Move(codes, way, named.dropped, named.taken) for way in cheapest])
    if len(ways) == 1 or "take" not in named.words:
        yield from product(*ways)
    elif (start := side.location(units[0])) and not named.taken:
        for way in naming.ways_of(side, start, named.points):
            yield (orders.Move(units[:1], way, named.dropped, units[1:]),)


def _order(side: Side) -> Callable[[str], tuple[str, int]]:
    return lambda code: (side.location(code) or "", side.data.roster[code])


def _flights(side: Side, named: NamesInLine) -> Iterator[Items]:
    start = side.location(named.own[0]) if named.own else None
    ends = [point for point in named.points if point != start]
    if start and len(ends) == 1:
        yield (orders.Fly(named.own, (start, ends[0])),)


def _recruits(side: Side, named: NamesInLine) -> Iterator[Items]:
    special = "special" in named.words
    yield tuple(orders.Recruit(code, "special" if special else "pool") for code in named.own)


def _retreats(side: Side, named: NamesInLine) -> Iterator[Items]:
    at = named.points[0] if len(named.points) == 1 else None
    if len(named.numbers) == 1:
        yield (orders.Retreat(int(named.numbers[0][:3]) + ("below" not in named.words), at),)
    elif named.points:
        yield (orders.RetreatTo(named.points),)
    elif side.battle:
        yield (orders.Retreat(None),)


def _honors(side: Side, named: NamesInLine) -> Iterator[Items]:
    for act in ("offer", "accept"):
        yield tuple(orders.Honors(act, point) for point in named.points)


def _returns(side: Side, named: NamesInLine) -> Iterator[Items]:
    if len(named.points) == 1 and all(side.data.counters[code].kind == "ruler" for code in named.own):
        yield (orders.Return(named.points[0]),)


def _one(make: Callable[[NamesInLine], Item], fits: Callable[[NamesInLine], bool]) -> _Maker:
    """Return a maker of readings, which yields the single item built by `make` if the names in the line pass `fits`."""
    return lambda _, named: [(make(named),)] if fits(named) else []


def _listed(make: Callable[[tuple[str, ...]], Item]) -> _Maker:
    return _one(lambda named: make(named.own), lambda named: bool(named.own))


def _casts(side: Side, named: NamesInLine) -> Iterator[Items]:
    if len(named.spells) != 1:
        return
    able = [code for code in side.own if side.state and named.spells[0] in side.state.spells.get(code, ())]
    casters = [code for code in able if code in named.own] or able
    for caster in casters:
        others = [code for code in (named.own if named.spells[0] in _KIND else named.others) if code != caster]
        if len(others) == 1:
            yield (orders.Cast(caster, named.spells[0], others[0], named.spaces[0] if named.spaces else None),)


def _orders(side: Side, named: NamesInLine) -> Iterator[Items]:
    """Yield readings that give the same order to each named force, or to a newly formed group: to move through the
    first of the named spaces, and to attack the others."""
    words = named.words
    leads = not words.isdisjoint(("lead", "take", "group")) and len(named.own) > 1
    group = (orders.Group(named.own[0], named.own[1:]),) if leads else ()
    verbs = [word for word in ("advance", "stand", "back") if word in words] or ["advance", "stand", "back"]
    attacks = not words.isdisjoint(("attack", "fire", "shoot"))
    for word, steps in product(verbs, range(min(len(named.spaces), 2) + 1)):
        way, attack = named.spaces[:steps], named.spaces[steps:]
        if bool(attack) == attacks and (way or attack or len(verbs) == 1):
            charge = "charge" in words
            forces = named.own[:1] if leads else named.own
            yield (*group, *(orders.Order(code, word, way, attack, charge) for code in forces))


_ON_BOTH: Mapping[str, _Maker] = {
    "retreat": _retreats,
    "fallback": _retreats,
    "losses": _listed(orders.Losses),
    "carry": _one(lambda named: orders.Carry(named.own[0]), lambda named: len(named.own) == 1),
}
_ON_MAP: Mapping[str, _Maker] = {
    "": _moves,
    "move": _moves,
    "take": _moves,
    "advance": _moves,
    "attack": _moves,
    "fly": _flights,
    "recruit": _recruits,
    "garrison": _one(
        lambda named: orders.Garrison(named.points[0], int(named.numbers[0][:3])),
        lambda named: len(named.points) == 1 == len(named.numbers),
    ),
    "honors": _honors,
    "return": _returns,
    **_ON_BOTH,
}
_ON_BOARD: Mapping[str, _Maker] = {
    "": _orders,
    **dict.fromkeys(("order", "move", "advance", "stand", "back", "attack", "fire", "charge"), _orders),
    "deploy": _one(
        lambda named: orders.Deploy(named.spaces[0], named.own),
        lambda named: bool(named.own) and len(named.spaces) == 1,
    ),
    **dict.fromkeys(
        ("group", "lead"),
        _one(lambda named: orders.Group(named.own[0], named.own[1:]), lambda named: len(named.own) > 1),
    ),
    "cast": _casts,
    "spell": _casts,
    "transport": _casts,
    "ring": _one(lambda _: orders.Ring(), lambda _: True),
    "sequence": _listed(orders.ActingOrder),
    "evade": _listed(orders.Evade),
    "join": _listed(orders.Join),
    "flyers": _listed(orders.Shoot),
    **_ON_BOTH,
}
_VERBS: Sequence[str] = tuple(dict.fromkeys((*_ON_MAP, *_ON_BOARD)))[1:]


_LIKE_A_SPACE = re.compile(r"\d[A-Za-z]|[LCRlcr]\d")
_BEFORE_NAMES = ("the", "to", "at", "inside", "on", "from", "via", "with", "and", "then", "sign", "filler")


def mistaken(side: Side, line: Unread, is_legal: Callable[[Items], bool]) -> Wrong:
    """Report the first word of `line` that does not fit what the grammar expected there, and propose what was probably
    meant."""
    words = [word._replace(start=word.start + line.start_pos) for word in scan(side.data, line.value)]
    stop = line.start_pos if line.stop is None else line.stop
    read, rest = [word for word in words if word.start < stop], [word for word in words if word.start >= stop]
    while rest and rest[0].may_be(*_BEFORE_NAMES) and not rest[0].may_be("counter", "point", "if"):
        read.append(rest.pop(0))
    instead = guessed(side, line.value, is_legal)
    if rest:
        here = Word(rest[0].value, rest[0].start)
        sentence = _no_order(side, read, rest[0]) or _unfit(side, line.expected, rest[0], read)
    else:
        here = Word(words[-1].value, words[-1].start) if words else Word(line.value, line.start_pos)
        sentence = _no_order(side, read, None) or _missing(side, line.expected, read)
    return Wrong(here, sentence or _understood(side, words, quoted(here.value), asks=not instead), *instead)


def _understood(side: Side, words: Sequence[Seen], text: str, *, asks: bool) -> Sentence:
    """Return a sentence that says that `text` cannot be read. If `asks` is true, it also asks about the names that were
    understood, with an example of a legal line."""
    names = tuple(dict.fromkeys(filter(None, (_called(side, word) for word in words))))
    line = noted(example(side.state, side.seat) if side.state and side.seat else "")
    if not (asks and names and line):
        return Sentence('"{text}" cannot be read here.', text=text)
    values = {"text": text, "names": names, "line": line}
    return Sentence('"{text}" cannot be read here. What is the order for {names}? `{line}`, for example.', **values)


def _called(side: Side, word: Seen) -> str:
    """Return the full name of the counter or point that a word names, or the space or number itself; "" for other
    words."""
    codes = choose(side.names.find(word.spelled), *side.pools) if word.may_be("counter") else ()
    points = side.names.find_points(word.spelled) if word.may_be("point") else ()
    if len(codes) == 1:
        return side.data.counters[codes[0]].name
    if len(points) == 1:
        return side.data.points[points[0]].name
    return word.value if word.may_be("space", "digits") else ""


def _no_order(side: Side, read: Sequence[Seen], word: Seen | None) -> Sentence | None:
    """Return the sentence for a line that lacks the counters for its verb, or that contains a condition; None for any
    other line."""
    if word and word.may_be("if"):
        return Sentence("There is no such condition: write an order that always holds.")
    named = any(seen.may_be("counter", "all") for seen in read)
    first = next((seen for seen in read if not seen.may_be(*_BEFORE_NAMES)), word)
    if named or first is None:
        return None
    if first.may_be("attack", "charge"):
        return naming.who_attacks(side)
    if first.may_be("move") and (word is None or word.may_be("point")):
        return naming.who_moves(side)
    return None


def _in_which_row(side: Side) -> Sentence:
    """Return the question about the row of a space, for a line that names only the column."""
    if side.battle and side.battle.turn == 1 and side.seat:
        row = grid_of(side.data).first_row(attacks=side.seat == side.battle.attacker)
        return Sentence("In which row? Your first row has the spaces {row}L, {row}C and {row}R.", row=row)
    return Sentence("In which row? A space is row and column, such as `3L`.")


def _unfit(side: Side, expected: frozenset[str], word: Seen, read: Sequence[Seen]) -> Sentence | None:
    """Return a sentence that says what is wrong with `word` at a place where the grammar allows only the terminals in
    `expected`; None if that is unclear."""
    text, names = quoted(word.value), side.names
    if any(seen.may_be("recruit") for seen in read) and read[-1].value == ":":
        return Sentence('"{text}" cannot be recruited: write `pool`, `special` or `none`.', text=text)
    if "SPACE" in expected and _LIKE_A_SPACE.fullmatch(word.value):
        values = {"space": word.value, "rows": side.data.values["rows"]}
        return Sentence("{space} is off the board: rows 1 to {rows}, columns L, C, R.", **values)
    if "SPACE" in expected and word.may_be("l_side", "r_side", "centre"):
        return _in_which_row(side)
    if read and read[-1].may_be("below"):
        return Sentence("Below how many units? `Retreat below 3`, for example.")
    if word.kinds:
        return None
    before = next((seen for seen in reversed(read) if not seen.may_be("sign", "the")), None)
    if "COUNTER" in expected and not (before and before.may_be("point", "to", "from", "via")):
        code = names.nearest(word.value, tuple(side.own)) or _exchanged(word.value, tuple(side.own))
        if code is None:
            return None if "MOVE" in expected else Sentence('There is no counter "{text}".', text=text)
        name = side.data.counters[code].name
        return Sentence('There is no counter "{text}". {code} ({name})?', text=text, code=code, name=name)
    if "POINT" in expected:
        code = names.nearest_point(word.value)
        if code is None:
            return Sentence('There is no point "{text}".', text=text)
        name = side.data.points[code].name
        return Sentence('There is no point "{text}". {code} ({name})?', text=text, code=code, name=name)
    return None


def _missing(side: Side, expected: frozenset[str], read: Sequence[Seen]) -> Sentence | None:
    """Return a sentence that says what is missing at the end of a line; None if that is unclear."""
    units = [code for word in read if word.may_be("counter") for code in side.names.find(word.spelled).whole]
    first = next((word for word in read if not word.may_be(*_BEFORE_NAMES)), read[-1]) if read else None
    if first is None:
        return None
    for word, sentence_of in _LACKING.items():
        if first.may_be(word):
            return sentence_of(side, units)
    if "ADVANCE" in expected and side.battle:
        return Sentence(
            "What is it to do? `Order {code}: advance`, `stand` or `back`.", code=(units or naming.some_units(side))[0]
        )
    if "POINT" in expected and not side.battle:
        return Sentence("Where to? `Move {units}: ...`, point by point.", units=" ".join(units) or "all")
    if "SPACE" in expected:
        return Sentence("Where? A space is missing here: row and column, such as `3C`.")
    return Sentence('A counter is missing after "{text}".', text=read[-1].value) if "COUNTER" in expected else None


def _whom(side: Side, units: Sequence[str]) -> Sentence:
    """Return the question about the units of a group, for a line that does not name them."""
    cards = side.data.counters
    leaders = [code for code in (*units, *side.data.in_order(side.own)) if cards[code].leader]
    line = noted(orders.Group(leaders[0] if leaders else "ZOR", tuple(naming.some_units(side)[:2])))
    return Sentence("Whom does {leader} lead? `{line}` or `none`.", leader=line.split()[1].rstrip(":"), line=line)


def _how_many_guns(side: Side, _: Sequence[str]) -> Sentence:
    points = [*side.own_points(side.data.centers), "M1"]
    return Sentence("How many batteries? `Garrison {point}: 1`, for example.", point=points[0])


_LACKING: Mapping[str, Callable[[Side, Sequence[str]], Sentence]] = {
    "retreat": lambda *_: Sentence("When? `Retreat never`, `Retreat always` or `Retreat below 3`, for example."),
    "group": _whom,
    "guard": lambda side, _: naming.which_flank(side),
    "cast": lambda side, _: Sentence("Which spell? They are {spells}.", spells=side.data.spells),
    "garrison": _how_many_guns,
}


def _exchanged(text: str, own: tuple[str, ...]) -> str | None:
    """Return the only code in `own` that is an anagram of `text`; None if there is no such code, or more than one."""
    codes = [code for code in own if sorted(code) == sorted(text.upper())]
    return codes[0] if len(codes) == 1 else None
