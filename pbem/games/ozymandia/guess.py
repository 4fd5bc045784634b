"""What a text in everyday words orders, found by two readers that share nothing but what it names.

By structure: each area and number is used; function words such as "from" and the board say for what; one way is left.
By its words: models, trained on labelled letters (`guess.json`, `tools/train_guess.py`), say of each area whether
pieces leave it, go there, whether it is bombarded or is none at all, and of each count whether so many move. Of all
ways to join these only what is legal remains. Orders are sure where both agree and a third model takes the text for
orders, not for talk of some.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product, zip_longest
from math import exp, log, prod
from pathlib import Path
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.capabilities import Suggestion
from pbem.games.kit.linear import LinearModel, loaded
from pbem.games.ozymandia.areas import (
    Mention,
    NamedAreas,
    around,
    features_of,
    function_words,
    named_in,
    names_of,
    words_of,
)
from pbem.games.ozymandia.interpret import interpret
from pbem.games.ozymandia.orders import read_canonical
from pbem.games.ozymandia.state import State
from pbem.games.words import order_words

MODELS = Path(__file__).with_name("guess.json")
ROLES = ("bomb", "none", "origin", "target")
COUNTS = ("moves", "stays")
TEXTS = ("orders", "talk")
"""What the models tell apart: what an area is named for, whether a count is of pieces that move, and whether a text
orders or only talks of it: "Bob fears 2 from A to M"."""


class Models(NamedTuple):
    """What training has found, and the words of the letters that it learnt orders from."""

    roles: LinearModel
    counts: LinearModel
    texts: LinearModel
    words: frozenset[str]


@cache
def read_models() -> Models:
    """The models as they were trained."""
    return models_of(json.loads(MODELS.read_text(encoding="utf-8")))


def models_of(data: Mapping[str, Any]) -> Models:
    """The models of plain data."""
    return Models(
        loaded(data["roles"]), loaded(data["counts"]), loaded(data["texts"]), frozenset(data["known"].split())
    )


_MOST_AREAS, _MOST_COUNTS = 8, 6
_MOST_TOKENS = 120
_MOST_CASTS = 3_000  # ways to give roles that are looked at
_CASTS = 24  # of these by the models, the likeliest of areas and of counts
_LEAST = 0.001  # share of a role that is looked at
_LIKELY, _POSSIBLE = 0.5, 0.05
_TALK, _TALK_IN_KNOWN_WORDS, _MERE_TALK = 0.09, 0.45, 0.9
_NEW_WORDS = 4  # tokens before an area within which "new" is about it

Roles = tuple[str, ...]
Shares = Mapping[str, float]
"""How likely each role of a mention is."""


class Candidates(NamedTuple):
    """Legal orders that a text may mean, in canonical form, with how likely each is, as the logarithm of a share, and
    the share of the least likely thing that it takes for granted; what would be meant and is not legal; and the ways of
    which it does not say how many go."""

    readings: Mapping[str, tuple[float, float]] = {}
    illegal: tuple[str, ...] = ()
    how_many: tuple[tuple[str, str], ...] = ()

    @property
    def only(self) -> str:
        """The one reading; "" if there are others, or none."""
        return next(iter(self.readings)) if len(self.readings) == 1 else ""


class Guess(NamedTuple):
    """What a text most likely orders, in canonical form, "" if nobody can tell; whether it may be played; and how
    likely it is talk."""

    orders: str = ""
    sure: bool = False
    talk: float = 1.0


class _Way(NamedTuple):
    """From where to where, and at which tokens that is said."""

    origin: str
    target: str
    origin_at: int
    target_at: int


class _Plan(NamedTuple):
    """Orders in canonical form, and whether all numbers that are named move pieces or are explained; "" with the ways
    of which nothing says how many."""

    text: str
    explained: bool = True
    ways: tuple[tuple[str, str], ...] = ()


def suggestion(state: State, seat: Seat, text: str) -> Suggestion:
    """The orders of a text; or those that it would give if they were legal; or the ways of which it does not say how
    many pieces go."""
    named = named_in(state, text)
    structure = by_structure(state, seat, named)
    reading = _guessed(state, seat, named, structure, read_models())
    if reading.orders:
        return Suggestion(reading.orders, sure=reading.sure)
    title = names_of(state.board).title
    ways = [{"origin": title(origin), "target": title(target)} for origin, target in structure.how_many]
    return Suggestion(
        illegal=structure.illegal[0] if len(structure.illegal) == 1 and not structure.readings else "",
        understood=tuple(Sentence("From {origin} to {target}: how many?", **way) for way in ways),
    )


def guess(state: State, seat: Seat, text: str, models: Models | None = None) -> Guess:
    """What a text orders in a position, by the models of the program or by others."""
    named = named_in(state, text)
    return _guessed(state, seat, named, by_structure(state, seat, named), models or read_models())


def _guessed(state: State, seat: Seat, named: NamedAreas, candidates: Candidates, models: Models) -> Guess:
    """What the names and numbers of a text order, by their structure and by the words around them."""
    talk = models.texts.shares(features_of(named))["talk"]
    structure, words = candidates.only, _by_words(state, seat, named, models)
    ranked = sorted(words, key=lambda text: (-words[text][0], text))
    if structure and ranked and ranked[0] == structure:
        least = _TALK_IN_KNOWN_WORDS if words_of(named) <= models.words else _TALK
        return Guess(structure, talk < least, talk)
    if talk >= _MERE_TALK or not (structure or ranked):
        return Guess(talk=talk)
    if structure:
        return Guess(structure, talk=talk)
    score, weakest = words[ranked[0]]
    share = exp(score) / sum(exp(rival) for rival, _ in words.values())
    return Guess(ranked[0] if share > _LIKELY and weakest > _POSSIBLE else "", talk=talk)


def by_structure(state: State, seat: Seat, named: NamedAreas) -> Candidates:
    """What a text orders if every name and number in it is used, as far as its function words let them."""
    areas, counts = _mentions(named)
    roles = [_roles(named, area, bombs=_says_bombs(named)) for area in areas]
    values = [area.value for area in areas]
    roles = [(*of, "none") if values.count(area.value) > 1 else of for of, area in zip(roles, areas, strict=True)]
    moving = [_count_roles(named, count) for count in counts]
    casts = product(*roles) if areas and prod(map(len, (*roles, *moving))) <= _MOST_CASTS else ()
    readings: dict[str, tuple[float, float]] = {}
    illegal, how_many = dict[str, None](), dict[tuple[str, str], None]()
    for *_, plan in _meant(state, seat, named, casts, [*product(*moving)]):
        how_many.update(dict.fromkeys(plan.ways))
        if plan.text and plan.explained and (text := _canonical(state, seat, plan.text)):
            readings[text] = 0.0, 1.0
        elif plan.text and plan.explained:
            illegal[plan.text] = None
    return Candidates(readings, tuple(illegal), tuple(how_many))


def _meant(
    state: State, seat: Seat, named: NamedAreas, casts: Iterable[Roles], moving: Sequence[Roles]
) -> Iterator[tuple[Roles, Roles, _Plan]]:
    """The orders that areas and counts make for each way to give them roles, behind the roles of both."""
    areas, counts = _mentions(named)
    bombs = _says_bombs(named)
    for roles in casts:
        if ("bomb" in roles) == bombs and (layout := _layout(state, seat, roles, areas)):
            for of_counts in moving:
                yield from ((roles, of_counts, plan) for plan in _plans(state, layout, of_counts, counts))


def _says_bombs(named: NamedAreas) -> bool:
    return _pattern("bomb").search(" ".join(named.tokens)) is not None


def _roles(named: NamedAreas, area: Mention, *, bombs: bool) -> Roles:
    """What an area may be named for, by the function word before it."""
    if _is_new(named, area):
        return ("new",)
    at = area.start - 1
    while at >= 0 and named.tokens[at] in ("", *function_words("article")):
        at -= 1
    before = named.tokens[at] if at >= 0 else ""
    by_word = next((role for role in ("origin", "target", "not origin") if before in function_words(role)), "")
    roles = ("target", "bomb") if by_word == "not origin" else (by_word,) if by_word else ("origin", "target", "bomb")
    return (*(role for role in roles if bombs or role != "bomb"), *(() if area.sure else ("none",)))


def _count_roles(named: NamedAreas, count: Mention) -> Roles:
    """Whether so many pieces go or stay: those of "all but one" stay."""
    before = named.tokens[count.start - 1] if count.start else ""
    return ("stays",) if before in function_words("except") else COUNTS


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """Finds how a word begins that orders something: that pieces are new, or bombs fall."""
    words = order_words(Path(__file__).parent)[kind] if kind == "new" else "|".join(function_words(kind))
    return re.compile(rf"(?<!\w)(?:{words})")


def _is_new(named: NamedAreas, area: Mention) -> bool:
    before = " ".join(named.tokens[max(0, area.start - _NEW_WORDS) : area.start])
    return _pattern("new").search(before) is not None


def _mentions(named: NamedAreas) -> tuple[list[Mention], list[Mention]]:
    """The areas and counts that are named; none if they are too many for orders."""
    areas = [area for area in named.mentions if area.is_area]
    counts = _without_quantifiers(named, [count for count in named.mentions if not count.is_area])
    fit = 0 < len(areas) <= _MOST_AREAS and len(counts) <= _MOST_COUNTS and len(named.tokens) <= _MOST_TOKENS
    return (areas, counts) if fit else ([], [])


def _by_words(state: State, seat: Seat, named: NamedAreas, models: Models) -> Mapping[str, tuple[float, float]]:
    """The legal orders that a text may mean by what the models say, as in `Candidates`."""
    areas, counts = _mentions(named)
    of_areas = [
        {"new": 1.0} if _is_new(named, area) else models.roles.shares(around(state, seat, named, area))
        for area in areas
    ]
    of_counts = [
        {
            role: share
            for role, share in models.counts.shares(around(state, seat, named, count)).items()
            if role in _count_roles(named, count)
        }
        for count in counts
    ]
    readings: dict[str, tuple[float, float]] = {}
    for roles, moving, plan in _meant(state, seat, named, _casts(of_areas) if areas else (), _casts(of_counts)):
        shares = [of[role] for of, role in zip((*of_areas, *of_counts), (*roles, *moving), strict=True)]
        score = sum(map(log, shares))
        text = plan.explained and plan.text and _canonical(state, seat, plan.text)
        if text and (text not in readings or readings[text][0] < score):
            readings[text] = score, min(shares)
    return readings


def _without_quantifiers(named: NamedAreas, counts: Sequence[Mention]) -> list[Mention]:
    """Counts without words that only accompany a number right behind them: "all three", "the other two"."""
    followed = zip_longest(counts, counts[1:])
    return [
        count
        for count, behind in followed
        if count.value == "each"
        or count.sure
        or behind is None
        or not isinstance(behind.value, int)
        or behind.start - count.end > 1
        or _count_roles(named, behind) != COUNTS
    ]


def _casts(shares: Sequence[Shares]) -> list[Roles]:
    """The likeliest ways to give each of some mentions a role."""
    casts: list[tuple[float, Roles]] = [(0.0, ())]
    for by_role in shares:
        wider = [
            (score + log(share), (*roles, role))
            for score, roles in casts
            for role, share in by_role.items()
            if share > _LEAST
        ]
        casts = sorted(wider, reverse=True)[:_CASTS]
    return [roles for _, roles in casts]


class _Layout(NamedTuple):
    """What areas come to, each with its role: new pieces, bombs, ways for pieces to move, one list for each way to pair
    origins with targets, and `movable`, how many pieces can move, by area (§2.2)."""

    new: Sequence[str]
    bombs: Sequence[str]
    pairings: Sequence[Sequence[_Way]] = ()
    movable: Mapping[str, int] = {}


def _layout(state: State, seat: Seat, roles: Sequence[str], areas: Sequence[Mention]) -> _Layout | None:
    """The new pieces, bombs and ways that areas make, each with its role; None if these roles cannot be."""
    by_role: dict[str, list[Mention]] = {}
    for role, area in zip(roles, areas, strict=True):
        by_role.setdefault(role, []).append(area)
    bombs = [*dict.fromkeys(f"Bomb {area.value}" for area in by_role.get("bomb", ()))]
    new = [f"New {area.value}" for area in by_role.get("new", ())]
    origins, targets = by_role.get("origin", []), by_role.get("target", [])
    used = {area.value for role in ("origin", "target", "bomb", "new") for area in by_role.get(role, ())}
    unused = any(area.sure and area.value not in used for area in by_role.get("none", ()))
    if unused or len(bombs) > 1 or bool(origins) != bool(targets):
        return None
    if not origins:
        return _Layout(new, bombs) if new or bombs else None
    pairings = [ways for ways in _pairings(origins, targets) if all(way.origin != way.target for way in ways)]
    return _Layout(new, bombs, pairings, _movable_pieces(state, seat, by_role.get("new", ()))) if pairings else None


def _plans(state: State, layout: _Layout, roles: Sequence[str], counts: Sequence[Mention]) -> Iterator[_Plan]:
    """The orders that a layout comes to with counts, each with its role."""
    moving = [count for role, count in zip(roles, counts, strict=True) if role == "moves"]
    staying = [count for role, count in zip(roles, counts, strict=True) if role == "stays"]
    new, bombs = layout.new, layout.bombs
    if not layout.pairings:
        yield _Plan(", ".join((*new, *bombs)), all(count.value == 1 for count in (*moving, *staying)))
    for ways in layout.pairings:
        if not moving and all(way.target in state.board.adjacent[way.origin] for way in ways):
            yield _Plan("", ways=tuple(way[:2] for way in ways))
        for numbers in _numbers(ways, moving, staying, layout.movable):
            moves = [f"{number} {way.origin} to {way.target}" for number, way in zip(numbers, ways, strict=True)]
            explained = _explains(numbers, ways, staying, layout.movable, bombs=len(bombs))
            yield _Plan(", ".join((*new, *moves, *bombs)), explained)


def _movable_pieces(state: State, seat: Seat, new: Sequence[Mention]) -> dict[str, int]:
    """The pieces by area that can move, new ones among them (§2.2)."""
    there = dict(state.pieces[seat])
    for city in state.held_cities(seat):
        area = next((str(province.value) for province in new if str(province.value)[0] == city[0]), city)
        there[area] = there.get(area, 0) + 1
    return there


def _pairings(origins: Sequence[Mention], targets: Sequence[Mention]) -> Iterator[list[_Way]]:
    """Ways from areas to areas: each takes part in one at least, with its neighbour before or behind it, or one by one
    in their order."""
    pairings: list[list[_Way]] = []
    for before in (True, False):
        pairs = [(_beside(origins, target, before=before), target) for target in targets]
        alone = [origin for origin in origins if all(origin is not paired for paired, _ in pairs)]
        pairs += [(origin, _beside(targets, origin, before=not before)) for origin in alone]
        pairings.append(_ways(pairs))
    if len(origins) == len(targets):
        pairings.append(_ways([*zip(origins, targets, strict=True)]))
    yield from (ways for at, ways in enumerate(pairings) if ways not in pairings[:at])


def _beside(others: Sequence[Mention], mention: Mention, *, before: bool) -> Mention:
    """The nearest of other mentions before or behind one; where there is none, on the other side."""
    above = [near for near in others if near.start < mention.start]
    below = [near for near in others if near.start > mention.start]
    return (above or below[:1])[-1] if before else (below or above[-1:])[0]


def _ways(pairs: Sequence[tuple[Mention, Mention]]) -> list[_Way]:
    """Each way once, in the order in which they are said."""
    by_ends: dict[tuple[str, str], _Way] = {}
    for origin, target in sorted(pairs, key=lambda pair: min(pair[0].start, pair[1].start)):
        way = _Way(str(origin.value), str(target.value), origin.start, target.start)
        by_ends.setdefault(way[:2], way)
    return [*by_ends.values()]


def _numbers(
    ways: Sequence[_Way], moving: Sequence[Mention], staying: Sequence[Mention], movable: Mapping[str, int]
) -> Iterator[list[int]]:
    """How many go each way, in every order in which counts may belong to ways."""
    counts = [count.value for count in moving if count.value != "each"]
    each = len(counts) < len(moving) or counts in (["all"], ["both"])
    stays = [count.value for count in staying if isinstance(count.value, int)]
    if len(counts) == len(ways):
        said_at = ([min(way[2:]) for way in ways], [way.target_at for way in ways], [way.origin_at for way in ways])
        orders = dict.fromkeys(tuple(sorted(range(len(ways)), key=places.__getitem__)) for places in said_at)
        for order in orders:
            placed = dict(zip(order, counts, strict=True))
            yield from _resolved([placed[at] for at in range(len(ways))], ways, stays, movable)
    elif len(counts) == 1 and each:
        yield from _resolved(counts * len(ways), ways, stays, movable)


def _resolved(
    counts: Sequence[str | int], ways: Sequence[_Way], stays: Sequence[int], movable: Mapping[str, int]
) -> Iterator[list[int]]:
    """Counts as numbers; nothing if they make none that can be."""
    numbers = [_number(count, movable.get(way.origin, 0)) for count, way in zip(counts, ways, strict=True)]
    for at, (count, way) in enumerate(zip(counts, ways, strict=True)):
        if count not in ("all", "rest"):
            continue
        others = [numbers[n] for n, beside in enumerate(ways) if n != at and beside.origin == way.origin]
        if None in others or (count == "rest" and not others and not stays):
            return
        used = sum(number or 0 for number in others) + (stays[0] if len(stays) == 1 else 0)
        numbers[at] = movable.get(way.origin, 0) - used
    if all(number is not None and number > 0 for number in numbers):
        yield [number or 0 for number in numbers]


def _number(count: str | int, most: int) -> int | None:
    """A count as a number, if it is one without the others of its area."""
    if count == "half":
        return most // 2 if most % 2 == 0 else None
    return 2 if count == "both" else count if isinstance(count, int) else None


def _explains(
    numbers: Sequence[int], ways: Sequence[_Way], staying: Sequence[Mention], movable: Mapping[str, int], *, bombs: int
) -> bool:
    """Whether every number that does not move is what an area had, what is left there, or that of bombs."""
    had = {way.origin: movable.get(way.origin, 0) for way in ways}
    rest = dict(had)
    for number, way in zip(numbers, ways, strict=True):
        rest[way.origin] -= number
    accounted = {*rest.values(), *((bombs,) if bombs else ())}
    counts = (count for count in staying if isinstance(count.value, int))
    return all(count.value in accounted or (count.of_them and count.value in had.values()) for count in counts)


def _canonical(state: State, seat: Seat, text: str) -> str:
    """Orders in the form in which they are stored; "" if they are not legal."""
    items = read_canonical(text)
    meant = interpret(state, seat, items) if items else None
    return str(meant.orders) if meant and not meant.mistakes else ""
