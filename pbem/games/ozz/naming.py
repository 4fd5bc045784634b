"""The phrases of the grammar, and the interpretation of moves and of the counters, points, spaces and numbers that the
phrases name."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.kit.reading import Token, Word, Wrong, quoted
from pbem.games.ozz.data import BELL, Data
from pbem.games.ozz.names import NOBODY, choose, names_of, speller, spells, words_of
from pbem.games.ozz.orders import OFF, Fly, Guard, Item, Move, Order
from pbem.games.ozz.state import Counter, Fighter, State
from pbem.games.ozz.wording import noted


class SpelledToken(NamedTuple):
    """A token of the grammar whose `value` is spelled out in the words of the spelling table."""

    type: str
    value: str
    start_pos: int


class Phrase(NamedTuple):
    """The part of a letter that a rule of orders.lark has matched; `type` is the name of the rule."""

    type: str
    parts: tuple[Any, ...]
    """The tokens and phrases that make up the phrase."""

    def all(self, *types: str) -> list[Any]:
        """Return all parts with one of the given `types`, in the order of the text."""
        return [part for part in self.parts if part.type in types]

    def first(self, *types: str) -> Any:
        """Return the first part with one of the given `types`; None if the phrase has no such part."""
        return next((part for part in self.parts if part.type in types), None)

    def tokens(self) -> Iterator[Token]:
        """Yield all tokens of the phrase, including those of the phrases within it."""
        for part in self.parts:
            if isinstance(part, Phrase):
                yield from part.tokens()
            else:
                yield part

    @property
    def start(self) -> Word:
        """The first word of the phrase."""
        first = next(self.tokens(), None)
        return Word(first.value, first.start_pos) if first else Word("")


class Nothing(NamedTuple):
    """A statement that orders nothing. `stays` contains the codes of the counters that, according to the statement,
    remain where they are or, if no codes are known, the first of the words that name these counters."""

    stays: tuple[str, ...] = ()


class Forget(NamedTuple):
    """An item that revokes all standing orders."""


class ReadItem(NamedTuple):
    """An item that was read from a letter: `at` is the first word of the item, `places` maps each code in the item to
    the word that names the code, and `standing` marks a standing order."""

    item: Item | Nothing | Forget
    at: Word = Word("")
    places: Mapping[str, Word] = {}
    standing: bool = False


CLAUSES = frozenset(
    ("drop", "take", "with", "but")
    + ("advance", "stand", "back", "attack", "charge", "coordinate", "alone", "leave", "off", "change")
)
"""The types of phrases that continue the item before them."""
_OTHERS = (
    ("going", "recruit", "garrison", "honors", "return", "deploy", "group", "guard", "cast", "ring", "order")
    + ("step", "sequence", "initiative", "evade", "join", "shoot", "keep", "retreat", "retreat_to", "losses", "carry")
    + ("pass", "fight_fast", "lasting")
    + ("standing", "who", "both", "grouped", "all", "way", "link", "at", "target", "by", "condition")
)
"""The types of all other phrases, which are either items or parts of phrases."""


def _phrase(kind: str, parts: list[Any]) -> Phrase:
    return Phrase(kind, tuple(parts))


SHAPES: Mapping[str, Callable[[list[Any]], Any]] = {
    "orders": tuple,
    **{kind: partial(_phrase, kind) for kind in (*sorted(CLAUSES), *_OTHERS)},
}
"""The functions that turn a match of a rule in orders.lark into a value, keyed by the name of the rule."""


_DROP = 2  # the number of points of a way up to the first point entered
_NAMING = ("COUNTER", "GUARDING", "POINT", "SPACE", "NUMBER")
_ROWS, _SEVERAL, _MAX_NUMBER = "123456789", 2, 99
_COLUMNS = {"l_side": "L", "centre": "C", "r_side": "R"}
_LETTERS = {"l": "L", "c": "C", "r": "R", "с": "C"}  # the last key is Cyrillic


class Side:
    """A seat in a position, with the part of its letter that has been read. Without a seat, all counters count as the
    side's own. If `position` is only a data set, no counter has a location."""

    def __init__(self, position: State | Data, seat: Seat | None = None) -> None:
        self.state = position if isinstance(position, State) else None
        self.seat, self.data = seat, position.data if isinstance(position, State) else position
        self.names, self.speller = names_of(self.data), speller(self.data)
        self.battle = self.state.battle if self.state and self.state.phase == "battle" else None
        self.units: Mapping[str, Counter] = self.state.units if self.state else {}
        here: Mapping[str, Counter | Fighter] = self.battle.units if self.battle else self.units
        self.everybody: Collection[str] = {*here, BELL}
        self.own: Collection[str] = {code for code, unit in here.items() if unit.seat == seat} if seat else {*here}
        self.moved: set[str] = set()
        """The counters that move according to the part of the letter that has been read."""
        self.staying: set[str] = set()
        """The counters that remain where they are according to the part of the letter that has been read."""
        self.letter: list[Item] = []
        """The items of the letter that have been read so far."""
        counters: Collection[str] = self.data.counters
        nation = {code for code, card in self.data.counters.items() if card.nation == seat} if seat else counters
        self.pools = (self.own, nation, self.everybody, counters)
        self.pools_of_all = (self.everybody, counters)

    def location(self, code: str) -> str | None:
        """Return the point where the counter `code` is; None if the counter is not on a point or belongs to another
        side."""
        counter = self.units.get(code)
        return counter.at if counter and code in self.own else None

    def in_point(self, point: str | None) -> tuple[str, ...]:
        """Return the side's counters on `point`, in roster order."""
        return tuple(code for code in self.data.in_order(self.own) if self.location(code) == point)

    def is_home(self, point: str) -> bool:
        """Return whether `point` belongs to the side, is not razed, and has no counters of other nations on it."""
        state = self.state
        others = any(counter.at == point and counter.seat != self.seat for counter in self.units.values())
        held = state is not None and state.control.get(point, self.data.points[point].nation) == self.seat
        return held and not others and not (state and point in state.razed)

    def own_points(self, points: Sequence[str]) -> tuple[str, ...]:
        """Return the `points` that belong to the side's nation."""
        return tuple(code for code in points if self.data.points[code].nation == self.seat)


def who_moves(side: Side) -> Sentence:
    """Return the question to ask about a move for which no counters are named."""
    return Sentence("Who moves? Write counters before the way: `{line}`, for example.", line=noted(_some_move(side)))


def which_flank(side: Side) -> Sentence:
    """Return the question to ask about a flank guard whose space or side is missing."""
    units = some_units(side)[:_SEVERAL]
    return Sentence("Which space, which flank? `{line}`, for example.", line=noted(Guard("2C", *units)))


def who_attacks(side: Side) -> Sentence:
    """Return the question to ask about an attack for which no counters are named."""
    if side.battle:
        line = noted(Order(some_units(side)[0], "advance", (), ("3C",)))
        return Sentence("Who attacks, and where? A force does: `{line}`.", line=line)
    line = noted(_some_move(side))
    return Sentence("Who attacks, and where? A stack fights where it comes to enemies: `{line}`.", line=line)


def some_units(side: Side) -> list[str]:
    """Return units that can serve as examples: the side's own units in roster order and, if there are fewer than two of
    these, other counters after them."""
    cards = side.data.counters
    own = [code for code in side.data.in_order(side.own) if not cards[code].leader and not cards[code].intrinsic]
    nation = [code for code, card in cards.items() if card.nation == side.seat and not card.leader]
    return own if len(own) >= _SEVERAL else [*dict.fromkeys((*own, *(nation or cards)))]


def _some_move(side: Side) -> Move:
    """Return a move that can serve as an example, if possible one that the side can make."""
    for code in some_units(side):
        if links := side.data.links.get(side.location(code) or ""):
            return Move((code,), (str(side.location(code)), next(iter(links))))
    return Move(("SOU",), ("M2", "M4"))


class Places:
    """A side, and the words in its letter that name the codes of an item."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.words: dict[str, Word] = {}
        self._used: set[int] = set()

    def note(self, token: Token, *codes: str) -> None:
        self._used.add(token.start_pos)
        for code in codes:
            self.words[code] = Word(token.value, token.start_pos)

    def see_all_used(self, phrase: Phrase) -> None:
        """Raise Wrong if `phrase` contains a name or number that was not used when the phrase was read."""
        for token in phrase.tokens():
            if token.type in _NAMING and token.start_pos not in self._used:
                raise unreadable(Word(token.value, token.start_pos))


def unreadable(word: Word) -> Wrong:
    """Return the error to raise for a word that makes no sense where it is."""
    return Wrong(word, Sentence('"{text}" cannot be read here.', text=quoted(word.value)))


# Counters


def whom(side: Side, at: Word) -> Wrong:
    """Return the error to raise where `all` is not allowed. It asks which counters are meant, with some of the side's
    own units as an example."""
    units = " ".join(some_units(side)[:_SEVERAL])
    return Wrong(at, Sentence("Who? Name the counters here: `{units}`, for example.", units=units))


def codes_of(places: Places, token: Token, *, enemy: bool = False) -> tuple[str, ...]:
    """Return the codes of the counters that the name in `token` means. Unless `enemy` is set, the side's own counters
    are preferred.

    Several counters are returned only for a plural. Raises Wrong if the name is unknown or ambiguous.
    """
    side = places.side
    names = side.names
    meant = names.find(token.value)
    if meant is NOBODY:
        meant = names.find(token.value.replace(" ", ""))
    codes = choose(meant, *(side.pools_of_all if enemy else side.pools))
    if not codes:
        raise Wrong(_word(token), Sentence('There is no counter "{text}".', text=quoted(token.value)))
    if len(codes) >= _SEVERAL and not (meant.several and set(codes) <= names.same[codes[0]]):
        sentence = Sentence('"{text}" may be {counters}: write the code.', text=quoted(token.value), counters=codes)
        raise Wrong(_word(token), sentence)
    places.note(token, *codes)
    return codes


def the_one(at: Word, codes: Sequence[str]) -> str:
    """Return the only code in `codes`. Raises Wrong if there are several."""
    if len(codes) > 1:
        raise Wrong(at, Sentence("Only one counter belongs here, not several: {counters}.", counters=tuple(codes)))
    return codes[0]


def code_of(places: Places, token: Token, *, enemy: bool = False) -> str:
    """Return the code of the single counter that the name in `token` means. Raises Wrong if the name is unknown or
    means several counters."""
    return the_one(_word(token), codes_of(places, token, enemy=enemy))


def who_of(places: Places, phrase: Phrase) -> tuple[str, ...]:
    """Return the codes of the counters that `phrase` names, in the order of the text. Raises Wrong if a name is
    unclear, or if the phrase says `all`."""
    codes: list[str] = []
    for part in phrase.parts:
        if part.type in ("who", "target", "by"):
            codes += who_of(places, part)
        elif part.type in ("COUNTER", "GUARDING"):
            codes += codes_of(places, part)
        elif part.type == "grouped":
            codes += codes_of(places, part.first("COUNTER"))
        elif part.type == "both":
            codes += both(places, part)
        elif part.type in ("all", "but"):
            raise whom(places.side, part.start)
    return tuple(codes)


def both(places: Places, phrase: Phrase) -> tuple[str, ...]:
    """Return the codes of the two counters that share the name in `phrase`. Raises Wrong if the name does not mean
    exactly two."""
    token = phrase.first("COUNTER")
    codes = codes_of(places, token)
    if len(codes) != _SEVERAL:
        raise Wrong(_word(token), Sentence("Only one counter belongs here, not several: {counters}.", counters=codes))
    return codes


# Points


def point_of(places: Places, token: Token) -> str:
    """Return the code of the point that the name in `token` means; points of the side's nation are preferred. Raises
    Wrong if the name does not mean exactly one point."""
    side = places.side
    points = side.names.find_points(token.value)
    if len(points) > 1 and (own := side.own_points(points)):
        points = own
    if len(points) != 1:
        sentence = Sentence('"{text}" may be {points}: write the code.', text=quoted(token.value), points=points)
        raise Wrong(_word(token), sentence)
    places.note(token, points[0])
    return points[0]


def points_of(places: Places, phrase: Phrase) -> tuple[str, ...]:
    """Return the codes of the points that `phrase` names. Raises Wrong if a name is ambiguous."""
    return tuple(point_of(places, token) for token in phrase.all("POINT", "PLACE"))


# Spaces, numbers, spells


def space_of(places: Places, token: Token) -> str:
    """Return the code of the space that `token` means: for example, `4C` for `4c`, `c4` or `row 4 centre`. Return `OFF`
    if `token` means the area off the board."""
    if token.type == "OFF":
        return OFF
    row = column = ""
    for word in token.value.replace(",", " ").replace("-", " ").split():
        kinds = words_of(word)
        if len(word) == len("4C") and not word.isdigit() and any(map(str.isdigit, word)):
            row, column = next(filter(str.isdigit, word)), next(_LETTERS[char] for char in word if char in _LETTERS)
        row = next((nth for nth in _ROWS if nth in (word, word[:1]) or f"nth{nth}" in kinds), row)
        column = next((letter for name, letter in _COLUMNS.items() if name in kinds), column)
    places.note(token, row + column)
    return row + column


def spaces_of(places: Places, phrase: Phrase) -> tuple[str, ...]:
    """Return the codes of the spaces that `phrase` names."""
    return tuple(space_of(places, token) for token in phrase.all("SPACE", "OFF"))


def number_of(places: Places, token: Token) -> int:
    """Return the number that `token` contains in digits or in words. Raises Wrong if the number is far too large."""
    places.note(token)
    text = token.value.rstrip(".")
    if text.isdecimal():
        if len(text) > len(str(_MAX_NUMBER)):
            raise Wrong(_word(token), Sentence("This number is too large."))
        return int(text)
    return next(number for number in range(11) if f"n{number}" in words_of(text))


def spell_of(spelled: str) -> str:
    """Return the name of the spell that is listed as `spelled` in the spelling table."""
    return spells()[spelled.replace(" - ", "-")]


def _word(token: Token) -> Word:
    return Word(token.value, token.start_pos)


@dataclass(slots=True)
class Stack:
    """The counters that a move names. If `rest` is true, all other counters on the first point of the way also move.
    The counters in `but` do not move. `start` is the first word that names the counters."""

    start: Word
    units: list[str] = field(default_factory=list)
    rest: bool = False
    but: list[str] = field(default_factory=list)


def moved(places: Places, phrase: Phrase, clauses: Sequence[Phrase]) -> Iterator[Item | Nothing]:
    """Yield the move or flight that `phrase` and its `clauses` describe. Raises Wrong if the move is unclear or
    contradicts other lines."""
    stack = Stack(phrase.start)
    drop, take, drop_at = list[str](), list[str](), None
    for part in (*(part for part in phrase.parts if isinstance(part, Phrase) and part.type != "way"), *clauses):
        who = part if part.type in ("who", "but") else part.first("who")
        if part.type == "drop":
            drop += named(places, who).units
            drop_at = _place(places, part) or drop_at
        elif part.type == "take":
            take += named(places, who).units
            _place(places, part)
        elif part.type in ("who", "with", "but"):
            added = named(places, who)
            stack = Stack(stack.start, stack.units + added.units, stack.rest or added.rest, stack.but + added.but)
        else:
            raise unreadable(part.start)
    flies = phrase.first("FLY") is not None
    if flies and (drop or take):
        raise Wrong(stack.start, Sentence("A flight neither drops nor picks up anybody."))
    points, has_start = _way(places, phrase)
    units, way = _start(places, stack, points, whole=has_start and len(points) > 1, flies=flies)
    if drop_at and (len(way) < _DROP or drop_at[1] != way[1]):
        sentence = Sentence(
            "A stack drops counters in the first point that it enters, and that is not {point}.", point=drop_at[1]
        )
        raise Wrong(drop_at[0], sentence)
    side = places.side
    if not side.staying.isdisjoint((*units, *take)):
        raise Wrong(stack.start, Sentence("Counters that stay need no line: leave it out."))
    side.moved.update(units, take)
    yield Fly(tuple(units), way) if flies else Move(tuple(units), way, tuple(drop), tuple(take))


def stays(places: Places, phrase: Phrase) -> Nothing:
    """Return the statement in `phrase` that counters stay where they are. Raises Wrong if an earlier line moves one of
    them."""
    who = phrase.first("who")
    stack = named(places, who)
    if not places.side.moved.isdisjoint(stack.units):
        raise Wrong(phrase.start, Sentence("Counters that stay need no line: leave it out."))
    places.side.staying.update(stack.units)
    return Nothing(tuple(stack.units) or (who.start.value,))


def named(places: Places, who: Phrase) -> Stack:
    """Return the counters that `who` names on the map. On the map, a leader's group consists of the counters on the
    leader's point that earlier lines do not mention. Raises Wrong if a name is unclear."""
    stack, side = Stack(who.start), places.side
    for part in who.parts:
        if part.type == "COUNTER":
            stack.units += codes_of(places, part)
        elif not isinstance(part, Phrase):
            continue
        elif part.type == "both":
            stack.units += both(places, part)
        elif part.type == "grouped":
            leader = code_of(places, part.first("COUNTER"))
            stack.units += _unmoved(places, side.location(leader)) or (leader,)
        elif part.type == "but":
            stack.but += named(places, part).units
        elif part.first("POINT"):
            stack.units += _unmoved(places, point_of(places, part.first("POINT")))
        elif part.first("COUNTER"):
            stack.units += _unmoved(places, side.location(code_of(places, part.first("COUNTER"))))
        else:
            stack.rest = True
    return stack


def _unmoved(places: Places, point: str | None) -> tuple[str, ...]:
    """Return the side's counters on `point` without those that, according to earlier lines, move or stay."""
    named = places.side.moved | places.side.staying
    return tuple(code for code in places.side.in_point(point) if code not in named) if point else ()


def _place(places: Places, part: Phrase) -> tuple[Word, str] | None:
    """Return the point where counters are dropped or picked up, as a pair: the word that names the point, and the code
    of the point. Return None if `part` names no point."""
    token = part.first("POINT")
    if token is None:
        return None
    point = point_of(places, token)
    return places.words[point], point


def _way(places: Places, phrase: Phrase) -> tuple[list[str], bool]:
    """Return the points of the way in `phrase`, and whether the first of them seems to be the start. The way may be
    written as `M2-M4-R1`, `from M2 via M4 to R1` or `to R1 by way of M4`."""
    steps = list[tuple[str, str]]()
    for link in phrase.first("way").parts:
        sign, token = link.first("TO", "FROM", "VIA"), link.first("POINT")
        steps.append((sign.type if sign else "", point_of(places, token)))
    first = [point for kind, point in steps if kind == "FROM"]
    rest = [(kind, point) for kind, point in steps if kind != "FROM"]
    behind = list[str]()
    while rest and rest[-1][0] == "VIA" and any(kind != "VIA" for kind, _ in rest):
        behind.insert(0, rest.pop()[1])
    points = [point for _, point in rest]
    return [*first, *points[:-1], *behind, *points[-1:]], bool(first) or not steps[0][0]


def _start(
    places: Places, stack: Stack, points: list[str], *, whole: bool, flies: bool
) -> tuple[list[str], tuple[str, ...]]:
    """Return the counters that move, and their way including its start, which the letter may omit. If `whole` is true,
    `points` already include the start. Raises Wrong if the counters or their way are unclear."""
    side = places.side
    units = [code for code in stack.units if code not in stack.but]
    if not whole:
        stand = {point for code in units if (point := side.location(code))}
        if stack.rest and not units:
            raise Wrong(stack.start, Sentence("All from where? `Move all: M2-M4`, with the point where they stand."))
        if len(stand) > 1:
            sentence = Sentence("They are not all at one point: write a line for each, with the whole way.")
            raise Wrong(stack.start, sentence, *_moves_apart(places, units, points))
        start = stand.pop() if stand else None
        points = _whole_way(places, start, points, flies=flies) if start and points[0] != start else points
    if stack.rest:
        here = [code for code in _unmoved(places, points[0]) if code not in stack.but]
        units = [*dict.fromkeys([*units, *here])]
        if not units:
            raise Wrong(stack.start, Sentence("None of your counters is left in {point}.", point=points[0]))
    if not units:
        raise Wrong(stack.start, Sentence("Nobody is left to move there."))
    return units, tuple(points)


def _whole_way(places: Places, start: str, points: list[str], *, flies: bool) -> list[str]:
    """Return the cheapest way from `start` through `points`; if there is none, or for a flight, return `start` and
    `points` as given. Raises Wrong if several ways are equally cheap."""
    ways = [] if flies else ways_of(places.side, start, points)
    if len(ways) > 1:
        sentence = Sentence("Which way? There are {ways}.", ways=tuple("-".join(way) for way in ways))
        raise Wrong(places.words[points[-1]], sentence)
    return [*ways[0]] if ways else [start, *points]


def _moves_apart(places: Places, units: list[str], points: list[str]) -> list[Move]:
    """Return a separate move for the counters on each point; return an empty list unless there is exactly one way for
    each of these stacks."""
    at = places.side.location
    stacks = {at(code): tuple(unit for unit in units if at(unit) == at(code)) for code in units}
    ways = {start: ways_of(places.side, start, points) if start else [] for start in stacks}
    clear = all(len(way) == 1 for way in ways.values())
    return [Move(stacks[start], way) for start, (way,) in ways.items()] if clear else []


def ways_of(side: Side, start: str, points: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cheapest ways from `start` through `points`. If some of these ways lead only through the side's own
    points, return only the one of them with the fewest trails."""
    ways = cheapest(side.data, start, points)
    safe = [way for way in ways if all(map(side.is_home, way[1:-1]))]
    return (
        sorted(safe, key=lambda way: sum(side.data.links[one][end] == "trail" for one, end in pairwise(way)))[:1]
        or ways
    )


def cheapest(data: Data, start: str, points: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the cheapest ways on which a stack can go from `start` through `points`, in this order, in one turn;
    return an empty list if there is no such way."""
    ways: dict[tuple[str, ...], int] = {(start,): 0}
    for point in points:
        ended, row = dict[tuple[str, ...], int](), ways
        while row:
            row = {
                (*way, end): cost + data.cost[kind]
                for way, cost in row.items()
                for end, kind in data.links[way[-1]].items()
                if end not in way and cost + data.cost[kind] <= data.allowance
            }
            ended |= {way: cost for way, cost in row.items() if way[-1] == point}
        ways = ended
    return [way for way, cost in ways.items() if cost == min(ways.values())]
