"""One guess at what a line means that the grammar does not read: it only proposes, and passes over unknown words.

It takes the counters, points, spaces, numbers and spells of a line and the few words that say what is to be done,
builds all items that use them all, and speaks only if exactly one way is left that is legal. It never guesses that
nothing is ordered, and is silent where a word may turn the line: `not`, `if`, `or`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, product
from typing import NamedTuple

from pbem.games.ozz import orders as said
from pbem.games.ozz.items import Told
from pbem.games.ozz.legality import codes_of
from pbem.games.ozz.lexicon import alike
from pbem.games.ozz.names import choose
from pbem.games.ozz.orders import Item
from pbem.games.ozz.scan import Seen, scan
from pbem.games.ozz.sides import Side
from pbem.games.ozz.stacks import cheapest
from pbem.games.ozz.who import Places, space_of, spell_of

_TURNING = ("if", "not", "or", "never", "n0", "but", "always", "more", "turning", "l_side", "r_side")
_UNMADE = {True: ("pass", "alone", "off", "coordinate", "change"), False: ("pass", "stack")}
"""Words of which nothing is made here, on the board and on the map."""
_ASIDE = ("?", "/", "(", ")", "[", "]")
_KIND = ("good luck", "healing", "fleet feet", "transport")  # spells for one's own
_LEAST = 3  # letters of a name that may be misspelt
_COUNTS = tuple(map(str, range(2, 11)))  # `one` and `a` count little
_MOST = 12  # names of a line; one with more is no line of orders

Items = tuple[Item, ...]


class Named(NamedTuple):
    """What a line names, in its order: own counters, those of others, points, spaces, numbers, spells; and all `words`
    of orders that stand in it."""

    own: tuple[str, ...]
    others: tuple[str, ...]
    points: tuple[str, ...]
    spaces: tuple[str, ...]
    numbers: tuple[str, ...]
    spells: tuple[str, ...]
    taken: tuple[str, ...]
    """Own counters behind a word for taking along, which are not among the others."""
    dropped: tuple[str, ...]
    words: frozenset[str]


def named_in(side: Side, text: str) -> Named | None:
    """What a line names; None if a name fits several counters or points, or a word may turn all."""
    found: dict[str, list[str]] = {kind: [] for kind in Named._fields if kind != "words"}
    words, to = set[str](), "own"
    for one in (_righted(side, seen) for seen in scan(side.data, text)):
        words |= one.kinds
        kind, codes = _thing(side, one)
        if one.value in _ASIDE or (kind and not codes) or (not kind and _turns(one)):
            return None
        to = "dropped" if one.may_be("drop") else "taken" if one.may_be("take") and found["points"] else to
        for code in codes:
            found[to if kind == "own" else kind].append(code)
    if sum(map(len, found.values())) > _MOST or not words.isdisjoint(_UNMADE[side.battle is not None]):
        return None
    return Named(words=frozenset(words), **{kind: tuple(dict.fromkeys(codes)) for kind, codes in found.items()})


def _turns(one: Seen) -> bool:
    """Whether a word may turn what a line says."""
    condition = one.may_be("when") and not one.may_be("with", "at", "inside")
    return condition or (one.may_be(*_TURNING) and not one.may_be("filler"))


def _thing(side: Side, one: Seen) -> tuple[str, tuple[str, ...]]:
    """What a word names, by the field of `Named` that has it; no codes where it fits several."""
    if one.may_be("spell", "transport"):
        return "spells", (spell_of(one.spelled),)
    if one.may_be("counter") and not _is_word(one):
        meant = side.names.find(one.spelled)
        codes = choose(side.names, meant, *side.pools)
        if one.may_be("point") and side.battle is None and not any(code in side.own for code in codes):
            return "points", side.names.find_points(one.spelled)
        own = "own" if all(code in side.own for code in codes) else "others"
        return own, codes if len(codes) == 1 or meant.several else ()
    if numbered := _numbered(side, one):
        return "own", numbered
    if one.may_be("point") and not (side.battle and one.may_be("space")):
        points = side.names.find_points(one.spelled)
        return "points", points if len(points) == 1 else ()
    if one.may_be("space"):
        return "spaces", (space_of(Places(side), Told("SPACE", one.spelled, 0)),)
    number = one.value if one.value.isdigit() else next((n for n in _COUNTS if f"n{n}" in one.kinds), "")
    return ("numbers", (number,)) if number else ("", ())


def _numbered(side: Side, one: Seen) -> tuple[str, ...]:
    """The own counter whose name begins with an ordinal, such as `the 5th` of the 5th Winkies; () if several do."""
    if not one.value[:1].isdigit() or not any(kind.startswith("nth") for kind in one.kinds):
        return ()
    found = tuple(code for code in side.own if side.data.counters[code].name.startswith(f"{one.value} "))
    return found if len(found) == 1 else ()


def _is_word(one: Seen) -> bool:
    """Whether a word is rather one of a language than the code or beginning of a counter's name."""
    return one.value.islower() and len(one.value) <= _LEAST and one.kinds > {"counter"}


def _righted(side: Side, one: Seen) -> Seen:
    """A word as it was probably meant, if it is a slip of the pen: a name of one's own, a point, a verb."""
    if one.kinds or len(one.value) < _LEAST:
        return one
    if code := side.names.nearest(one.value, tuple(side.own)):
        return one._replace(spelled=code.casefold(), kinds=frozenset(("counter",)))
    if kinds := alike(one.value):
        return one._replace(kinds=kinds)
    point = side.names.nearest_point(one.value)
    return one._replace(spelled=point.casefold(), kinds=frozenset(("point",))) if point else one


def guessed(side: Side, text: str, is_legal: Callable[[Items], bool]) -> Items:
    """The only legal items that use all that a line names; none if there are several, or none at all."""
    named = named_in(side, text)
    if named is None or side.seat is None:
        return ()
    words = [kind for kind in _SAID if kind in named.words]
    made = _ON_BOARD if side.battle else _ON_MAP
    candidates = {
        items
        for kind in words or ("",)
        for items in made.get(kind, _nothing)(side, named)
        if items and _uses_all(named, items) and is_legal(items)
    }
    return candidates.pop() if len(candidates) == 1 else ()


def _uses_all(named: Named, items: Items) -> bool:
    used = [set[str]().union(*codes) for codes in zip(*map(codes_of, items), strict=True)]
    moves = any(isinstance(item, said.Move) for item in items)
    if ("all" in named.words and (named.own or not moves)) or ("back" in named.words and moves):
        return False
    counters = {*named.own, *named.others, *named.taken, *named.dropped}
    counts = len(named.numbers) <= sum(isinstance(item, said.Retreat | said.Garrison) for item in items)
    cast = {item.spell for item in items if isinstance(item, said.Cast)}
    return (
        counters <= used[0] and {*named.points} <= used[1] and {*named.spaces} <= used[2] and counts
        and {*named.spells} <= cast
    )  # fmt: skip


# What a line may come to, by the word in it


_Made = Callable[[Side, Named], Iterator[Items]]


def _nothing(side: Side, named: Named) -> Iterator[Items]:
    return iter(())


def _moves(side: Side, named: Named) -> Iterator[Items]:
    """Stacks go from where they stand through the points that are named, a line for each point."""
    units = side.in_point(named.points[0]) if "all" in named.words and named.points else named.own
    starts = [(point, tuple(codes)) for point, codes in groupby(sorted(units, key=_order(side)), side.at)]
    if not starts or not named.points:
        return
    ways = []
    begun = any(start == named.points[0] for start, _ in starts)
    for start, codes in starts:
        points = named.points[begun:] if len(starts) == 1 or not begun else named.points[-1:]
        found = cheapest(side.data, start, points) if start and points else []
        ways.append([said.Move(codes, way, named.dropped, named.taken) for way in found])
    if len(ways) == 1 or "take" not in named.words:
        yield from product(*ways)
    elif (start := side.at(units[0])) and not named.taken:
        for way in cheapest(side.data, start, named.points):
            yield (said.Move(units[:1], way, named.dropped, units[1:]),)


def _order(side: Side) -> Callable[[str], tuple[str, int]]:
    return lambda code: (side.at(code) or "", side.data.roster[code])


def _flights(side: Side, named: Named) -> Iterator[Items]:
    start = side.at(named.own[0]) if named.own else None
    ends = [point for point in named.points if point != start]
    if start and len(ends) == 1:
        yield (said.Fly(named.own, (start, ends[0])),)


def _recruits(side: Side, named: Named) -> Iterator[Items]:
    special = "special" in named.words
    yield tuple(said.Recruit(code, "special" if special else "pool") for code in named.own)


def _retreats(side: Side, named: Named) -> Iterator[Items]:
    at = named.points[0] if len(named.points) == 1 else None
    if len(named.numbers) == 1:
        yield (said.Retreat(int(named.numbers[0][:3]) + ("below" not in named.words), at),)
    elif named.points:
        yield (said.RetreatTo(named.points),)


def _garrisons(side: Side, named: Named) -> Iterator[Items]:
    if len(named.points) == 1 == len(named.numbers):
        yield (said.Garrison(named.points[0], int(named.numbers[0][:3])),)


def _honors(side: Side, named: Named) -> Iterator[Items]:
    for what in ("offer", "accept"):
        yield tuple(said.Honors(what, point) for point in named.points)


def _returns(side: Side, named: Named) -> Iterator[Items]:
    if len(named.points) == 1 and all(side.data.counters[code].kind == "ruler" for code in named.own):
        yield (said.Return(named.points[0]),)


def _carries(side: Side, named: Named) -> Iterator[Items]:
    if len(named.own) == 1:
        yield (said.Carry(named.own[0]),)


def _listed(made: Callable[[tuple[str, ...]], Item]) -> _Made:
    def items(side: Side, named: Named) -> Iterator[Items]:
        if named.own:
            yield (made(named.own),)

    return items


def _deploys(side: Side, named: Named) -> Iterator[Items]:
    if named.own and len(named.spaces) == 1:
        yield (said.Deploy(named.spaces[0], named.own),)


def _groups(side: Side, named: Named) -> Iterator[Items]:
    if len(named.own) > 1:
        yield (said.Group(named.own[0], named.own[1:]),)


def _casts(side: Side, named: Named) -> Iterator[Items]:
    if len(named.spells) != 1:
        return
    able = [code for code in side.own if side.state and named.spells[0] in side.state.spells.get(code, ())]
    casters = [code for code in able if code in named.own] or able
    for caster in casters:
        others = [code for code in (named.own if named.spells[0] in _KIND else named.others) if code != caster]
        if len(others) == 1:
            yield (said.Cast(caster, named.spells[0], others[0], named.spaces[0] if named.spaces else None),)


def _orders(side: Side, named: Named) -> Iterator[Items]:
    """Each force that is named does the same: it goes through some of the spaces, and attacks the others."""
    words = named.words
    told = [word for word in ("advance", "stand", "back") if word in words] or ["advance", "stand", "back"]
    attacks = not words.isdisjoint(("attack", "fire", "shoot"))
    for word, steps in product(told, range(min(len(named.spaces), 2) + 1)):
        way, attack = named.spaces[:steps], named.spaces[steps:]
        if bool(attack) == attacks and (way or attack or len(told) == 1):
            charge = "charge" in words
            yield tuple(said.Order(code, word, way, attack, charge) for code in named.own)


def _rings(side: Side, named: Named) -> Iterator[Items]:
    yield (said.Ring(),)


_ON_BOTH: Mapping[str, _Made] = {
    "retreat": _retreats,
    "fallback": _retreats,
    "losses": _listed(said.Losses),
    "carry": _carries,
}
_ON_MAP: Mapping[str, _Made] = {
    "": _moves,
    "move": _moves,
    "take": _moves,
    "advance": _moves,
    "attack": _moves,
    "fly": _flights,
    "recruit": _recruits,
    "garrison": _garrisons,
    "honors": _honors,
    "return": _returns,
    **_ON_BOTH,
}
_ON_BOARD: Mapping[str, _Made] = {
    "": _orders,
    **dict.fromkeys(("order", "move", "advance", "stand", "back", "attack", "fire", "charge"), _orders),
    "deploy": _deploys,
    "group": _groups,
    "lead": _groups,
    "cast": _casts,
    "spell": _casts,
    "transport": _casts,
    "ring": _rings,
    "sequence": _listed(said.ActingOrder),
    "evade": _listed(said.Evade),
    "join": _listed(said.Join),
    "flyers": _listed(said.Shoot),
    **_ON_BOTH,
}
_SAID: Sequence[str] = tuple(dict.fromkeys((*_ON_MAP, *_ON_BOARD)))[1:]
