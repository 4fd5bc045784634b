"""Guess the orders in a text of everyday words, with two readers that are independent except that both start from the
same mentions of areas and numbers.

The reader by structure uses every area and every number: function words, such as "from", and the board restrict the
role of each until only one reading is left. The reader by words uses models trained on labelled letters (`guess.json`,
`tools/train_guess.py`). They predict for each area whether pieces leave it, whether pieces go there, whether it is
bombarded, or none of these, and for each count whether that many pieces move; only legal combinations of roles remain.
Orders are certain if both readers agree and a third model judges that the text gives orders rather than talking about
them.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product, zip_longest
from math import exp, log, prod
from pathlib import Path
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.capabilities import Suggestion
from pbem.games.kit.linear import LinearModel, loaded
from pbem.games.kit.talk import NAME, features_of
from pbem.games.ozymandia.areas import (
    Mention,
    NamedAreas,
    around,
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
"""`ROLES` and `COUNTS` are the classes of two models: the role of an area, and whether a count means pieces that move
or pieces that stay. The third judges whether a text is mere talk (`kit.talk`), by letters for Ozymandia alone."""


class Models(NamedTuple):
    """The trained models, and the words that occur in training letters with orders."""

    roles: LinearModel
    counts: LinearModel
    texts: LinearModel
    words: frozenset[str]


@cache
def read_models() -> Models:
    """Load the models that come with the program."""
    return models_of(json.loads(MODELS.read_text(encoding="utf-8")))


def models_of(data: Mapping[str, Any]) -> Models:
    """Create the models from plain data."""
    return Models(
        loaded(data["roles"]), loaded(data["counts"]), loaded(data["texts"]), frozenset(data["known"].split())
    )


_MOST_AREAS, _MOST_COUNTS = 8, 6
_MOST_TOKENS = 120
_MOST_CASTS = 3_000  # the most combinations of roles that the reader by structure tries
_CASTS = 24  # the most combinations of roles that the reader by words tries, for areas and for counts
_LEAST = 0.001  # the smallest probability of a role that is considered
_LIKELY, _POSSIBLE = 0.5, 0.05
_ENDS = (".", "!", "?", ";")
_MOVE = re.compile(r"(\d+) (\w+) to (\w+)")
_TALK, _TALK_IN_KNOWN_WORDS, _LIKELY_TALK, _MERE_TALK = 0.09, 0.45, 0.5, 0.9
_NEW_WORDS = 8  # the most tokens between "new" and its area, without another area between them

Roles = tuple[str, ...]
Shares = Mapping[str, float]
"""The probability of each role of a mention."""


class Candidates(NamedTuple):
    """The orders that a text may mean.

    `readings` maps legal orders in canonical form to their log probability and to the probability of the least likely
    role that they assume. `illegal` contains illegal orders. `how_many` contains routes for which the text does not
    give a number of pieces.
    """

    readings: Mapping[str, tuple[float, float]] = {}
    illegal: tuple[str, ...] = ()
    how_many: tuple[tuple[str, str], ...] = ()

    @property
    def only(self) -> str:
        """The only reading, or "" if there are several readings or no reading."""
        return next(iter(self.readings)) if len(self.readings) == 1 else ""


class Guess(NamedTuple):
    """The most likely orders of a text in canonical form, or "" if undecided; whether they are certain enough to be
    played; and the probability that the text is only talk."""

    orders: str = ""
    sure: bool = False
    talk: float = 1.0


class _Way(NamedTuple):
    """The route of a move: its origin and its target, and the indexes of the tokens that name these areas."""

    origin: str
    target: str
    origin_at: int
    target_at: int


class _Plan(NamedTuple):
    """Orders in canonical form, or "" if routes lack a number of pieces; these routes are then in `ways`. `explained`
    is true if every number in the text is a number of pieces that move, or has another explanation."""

    text: str
    explained: bool = True
    ways: tuple[tuple[str, str], ...] = ()


def suggestion(state: State, seat: Seat, text: str) -> Suggestion:
    """Suggest the orders that `text` means. If no orders are likely, the suggestion contains the illegal orders that
    the text seems to give, and a question about each route without a number of pieces."""
    named = named_in(state, text)
    structure = by_structure(state, seat, named)
    reading = _guessed(state, seat, named, structure, read_models())
    if reading.orders:
        return Suggestion(reading.orders, sure=reading.sure, likely=reading.talk < _LIKELY_TALK)
    title = names_of(state.board).title
    ways = [{"origin": title(origin), "target": title(target)} for origin, target in structure.how_many]
    return Suggestion(
        illegal=structure.illegal[0] if len(structure.illegal) == 1 and not structure.readings else "",
        understood=tuple(Sentence("From {origin} to {target}: how many?", **way) for way in ways),
    )


def guess(state: State, seat: Seat, text: str, models: Models | None = None) -> Guess:
    """Guess the orders that `text` gives in a position, with the given models or, by default, the models that come with
    the program."""
    named = named_in(state, text)
    return _guessed(state, seat, named, by_structure(state, seat, named), models or read_models())


def _guessed(state: State, seat: Seat, named: NamedAreas, candidates: Candidates, models: Models) -> Guess:
    """Guess the orders of a text from the result of the reader by structure, `candidates`, and from the result of the
    reader by words."""
    talk = models.texts.shares(features_of(named.tokens))["talk"]
    structure, words = candidates.only, _by_words(state, seat, named, models)
    ranked = sorted(words, key=lambda text: (-words[text][0], text))
    if structure and ranked and ranked[0] == structure:
        unknown = words_of(named) - models.words
        least = _TALK if unknown else _TALK_IN_KNOWN_WORDS
        if _is_governed(named, unknown) or _is_limited(unknown):
            return Guess(structure, talk=max(talk, _LIKELY_TALK))
        return Guess(structure, talk < least and _are_counted(named, structure), talk)
    if talk >= _MERE_TALK or not (structure or ranked):
        return Guess(talk=talk)
    if structure:
        return Guess(structure, talk=talk)
    score, weakest = words[ranked[0]]
    share = exp(score) / sum(exp(rival) for rival, _ in words.values())
    return Guess(ranked[0] if share > _LIKELY and weakest > _POSSIBLE else "", talk=talk)


def _heeds_numbers(named: NamedAreas, orders: str) -> bool:
    """Return whether, from each area with a number directly before its name, some move takes so many pieces: `3 A to M`
    is never one piece."""
    areas, counts = _mentions(named)
    before = {count.end: str(count.value) for count in counts if isinstance(count.value, int)}
    said, moved = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for area in areas:
        if area.start in before:
            said[str(area.value)].add(before[area.start])
    for number, origin, _ in _MOVE.findall(orders):
        moved[origin].add(number)
    return all(numbers & said.get(origin, numbers) for origin, numbers in moved.items())


def _is_governed(named: NamedAreas, words: Collection[str]) -> bool:
    """Return whether one of `words` governs an infinitive, as "refuse" does in "I refuse to move 3 from A to M"."""
    followed = zip(named.tokens, named.tokens[1:], named.tokens[2:], strict=False)
    return any(word in words and to == "to" and verb.isalpha() for word, to, verb in followed)


def _is_limited(unknown: Collection[str]) -> bool:
    """Return whether a known word never stood before a number in training letters (see `words_of`): it may limit it."""
    return any(word.endswith("+") and word[:-1] not in unknown for word in unknown)


def _are_counted(named: NamedAreas, orders: str) -> bool:
    """Return whether each move in `orders` has its count in a sentence that names its origin or its target, so that no
    other number of the text is taken for the count. It need not if there are no other numbers."""
    areas, counts = _mentions(named)
    if len(counts) <= len(_MOVE.findall(orders)):
        return True

    def sentence_of(mention: Mention) -> int:
        return sum(named.tokens[: mention.start].count(end) for end in _ENDS)

    return all(
        any(
            count.value == int(number) or not isinstance(count.value, int)
            for count in counts
            if sentence_of(count) in here
        )
        for number, *ends in _MOVE.findall(orders)
        for here in [{sentence_of(area) for area in areas if area.value in ends}]
    )


def by_structure(state: State, seat: Seat, named: NamedAreas) -> Candidates:
    """Read a text by structure: use every name and number in it, in the roles that its function words allow."""
    areas, counts = _mentions(named)
    roles = [_roles(named, area, bombs=says_of(named, "bomb")) for area in areas]
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
    """Yield each plan that is possible with a pair of role assignments: one from `casts`, for the areas, and one from
    `moving`, for the counts. Each plan is yielded together with its pair."""
    areas, counts = _mentions(named)
    bombs = says_of(named, "bomb")
    for roles in casts:
        if ("bomb" in roles) != bombs or _ignores_a_sentence(named, roles, areas):
            continue
        if layout := _layout(state, seat, roles, areas):
            for of_counts in moving:
                plans = _plans(state, layout, of_counts, counts)
                yield from ((roles, of_counts, plan) for plan in plans if _heeds_numbers(named, plan.text))


def _ignores_a_sentence(named: NamedAreas, roles: Roles, areas: Sequence[Mention]) -> bool:
    """Return whether all areas in some sentence are left without a role, although the text names an area more than
    once. Without this check, the first sentence of "Put the new one in Wyvernia. Send two from Wyvernia to Ulteria"
    could be ignored."""
    used: dict[int, bool] = {}
    for role, area in zip(roles, areas, strict=True):
        sentence = sum(named.tokens[: area.start].count(end) for end in _ENDS)
        used[sentence] = used.get(sentence, False) or role != "none"
    values = [area.value for area in areas]
    return not all(used.values()) and len({*values}) < len(values)


def says_of(named: NamedAreas, kind: str) -> bool:
    """Return whether a text contains a word that orders new pieces, if `kind` is "new", or a bombardment, if it is
    "bomb"."""
    return _pattern(kind).search(" ".join(named.tokens)) is not None


def _roles(named: NamedAreas, area: Mention, *, bombs: bool) -> Roles:
    """Return the possible roles of an area, given the function word before it."""
    if is_new(named, area):
        return ("new",)
    if area.role in ("origin", "target"):
        return area.role, "none"
    at = area.start - 1
    while at >= 0 and named.tokens[at] in ("", *function_words("article")):
        at -= 1
    before = named.tokens[at] if at >= 0 else ""
    by_word = next((role for role in ("origin", "target", "not origin") if before in function_words(role)), "")
    if area.role:
        return ("origin", "none") if by_word == "origin" else ("none",)
    roles = ("target", "bomb") if by_word == "not origin" else (by_word,) if by_word else ("origin", "target", "bomb")
    return (*(role for role in roles if bombs or role != "bomb"), *(() if area.sure else ("none",)))


def _count_roles(named: NamedAreas, count: Mention) -> Roles:
    """Return the possible roles of a count: that many pieces move, or that many stay. After "all but", they stay."""
    before = named.tokens[count.start - 1] if count.start else ""
    return ("stays",) if before in function_words("except") else COUNTS


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    """Return a pattern for the beginnings of words that order new pieces, if `kind` is "new", or a bombardment, if it
    is "bomb"."""
    words = [*function_words(kind), *([order_words(Path(__file__).parent)[kind]] if kind == "new" else [])]
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})")


def is_new(named: NamedAreas, area: Mention) -> bool:
    """Return whether a word before `area`, such as "new", says that a piece appears there."""
    before = list(named.tokens[max(0, area.start - _NEW_WORDS) : area.start])
    since = max((at for at, token in enumerate(before, 1) if token == NAME), default=0)
    return not area.role and _pattern("new").search(" ".join(before[since:])) is not None


def _mentions(named: NamedAreas) -> tuple[list[Mention], list[Mention]]:
    """Return the areas and the counts mentioned in a text. Both lists are empty if the text mentions no areas, or is
    too long or mentions too many areas or counts to be orders."""
    areas = [area for area in named.mentions if area.is_area]
    counts = _without_quantifiers(named, [count for count in named.mentions if not count.is_area])
    fit = 0 < len(areas) <= _MOST_AREAS and len(counts) <= _MOST_COUNTS and len(named.tokens) <= _MOST_TOKENS
    return (areas, counts) if fit else ([], [])


def _by_words(state: State, seat: Seat, named: NamedAreas, models: Models) -> Mapping[str, tuple[float, float]]:
    """Read a text with the models. Return the legal orders that it may mean, in the form of `Candidates.readings`."""
    areas, counts = _mentions(named)
    of_areas = [
        {"new": 1.0} if is_new(named, area) else models.roles.shares(around(state, seat, named, area)) for area in areas
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
    """Drop counts that only accompany the number right after them, as in "all three" or "the other two"."""
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
    """Return the likeliest assignments of roles to mentions, given the probabilities of the roles of each mention."""
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
    """The result of assigning roles to areas: new pieces, bombs, one list of routes for each way to pair origins with
    targets, and `movable`, the number of pieces that can leave each area (§2.2)."""

    new: Sequence[str]
    bombs: Sequence[str]
    pairings: Sequence[Sequence[_Way]] = ()
    movable: Mapping[str, int] = {}


def _layout(state: State, seat: Seat, roles: Sequence[str], areas: Sequence[Mention]) -> _Layout | None:
    """Build the layout in which `areas` have the given roles. Return None if these roles are impossible."""
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
    """Yield the plans that a layout leads to if the counts have the given roles."""
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
    """Return the number of pieces that can leave each area, including new ones (§2.2)."""
    there = dict(state.pieces[seat])
    for city in state.held_cities(seat):
        area = next((str(province.value) for province in new if str(province.value)[0] == city[0]), city)
        there[area] = there.get(area, 0) + 1
    return there


def _pairings(origins: Sequence[Mention], targets: Sequence[Mention]) -> Iterator[list[_Way]]:
    """Yield ways to pair origins with targets so that each area is in at least one pair. Each target is paired with the
    nearest origin before it, or with the nearest one after it, or origins and targets are paired one by one in the
    order of the text."""
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
    """Return the mention in `others` that is nearest to `mention`: the nearest one before it if `before` is true,
    otherwise the nearest one after it. If there is none on this side, return the nearest on the other side."""
    above = [near for near in others if near.start < mention.start]
    below = [near for near in others if near.start > mention.start]
    return (above or below[:1])[-1] if before else (below or above[-1:])[0]


def _ways(pairs: Sequence[tuple[Mention, Mention]]) -> list[_Way]:
    """Return the route of each pair once, in the order of the text."""
    by_ends: dict[tuple[str, str], _Way] = {}
    for origin, target in sorted(pairs, key=lambda pair: min(pair[0].start, pair[1].start)):
        way = _Way(str(origin.value), str(target.value), origin.start, target.start)
        by_ends.setdefault(way[:2], way)
    return [*by_ends.values()]


def _numbers(
    ways: Sequence[_Way], moving: Sequence[Mention], staying: Sequence[Mention], movable: Mapping[str, int]
) -> Iterator[list[int]]:
    """Yield the numbers of pieces on the routes, for each order in which the counts may apply to the routes."""
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
    """Yield the numbers of pieces that the counts mean, one number for each route. Yield nothing if the counts are
    impossible."""
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
    """Return the number that a count means by itself, or None if it depends on other counts or is impossible. `most` is
    the number of pieces that can leave the area."""
    if count == "half":
        return most // 2 if most % 2 == 0 else None
    return 2 if count == "both" else count if isinstance(count, int) else None


def _explains(
    numbers: Sequence[int], ways: Sequence[_Way], staying: Sequence[Mention], movable: Mapping[str, int], *, bombs: int
) -> bool:
    """Return whether each number in `staying` is explained: it is the number of pieces that an area had, the number
    that remains there, or the number of bombs."""
    had = {way.origin: movable.get(way.origin, 0) for way in ways}
    rest = dict(had)
    for number, way in zip(numbers, ways, strict=True):
        rest[way.origin] -= number
    accounted = {*rest.values(), *((bombs,) if bombs else ())}
    counts = (count for count in staying if isinstance(count.value, int))
    return all(count.value in accounted or (count.of_them and count.value in had.values()) for count in counts)


def _canonical(state: State, seat: Seat, text: str) -> str:
    """Return the orders in `text` in their canonical form, or "" if they are not legal."""
    items = read_canonical(text)
    meant = interpret(state, seat, items) if items else None
    return str(meant.orders) if meant and not meant.mistakes else ""
