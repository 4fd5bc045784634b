"""Checks of campaign letters, and checks that are common to all letters: the reasons why a letter is illegal (§14)."""

from collections import Counter as Tally
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import NamedTuple, get_args

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.ozz.board import Grid, grid_of
from pbem.games.ozz.data import BELL, Card, Point
from pbem.games.ozz.orders import (
    OFF,
    ActingOrder,
    BoardItem,
    Carry,
    Codes,
    Deploy,
    Evade,
    FightFast,
    Fly,
    Garrison,
    Group,
    Honors,
    Initiative,
    Item,
    Join,
    Keep,
    Lasting,
    Losses,
    MapItem,
    Move,
    Order,
    Recruit,
    Retreat,
    RetreatTo,
    Return,
    Ring,
    Shoot,
)
from pbem.games.ozz.state import BoardBell, MapBell, State
from pbem.games.ozz.wording import decimal, noted

WORDS: dict[type, str] = {
    RetreatTo: "Retreat to",
    ActingOrder: "Sequence",
    FightFast: "Fight fast",
    Lasting: "Orders stand",
}
"""The first words of items, where they differ from the name of the item's class."""
ON_MAP, ON_BOARD = get_args(MapItem), get_args(BoardItem)
_ONCE = (Losses, RetreatTo, Return, Carry, Keep, Ring, ActingOrder, Initiative, Evade, Join, Shoot, FightFast, Lasting)


class Fault(NamedTuple):
    """A fault in an item: the item's number, the code at fault, if there is one, and a sentence that says what would be
    right.

    `instead` contains the items that were probably meant instead of the faulty item; it is None if that is unclear.
    """

    number: int
    code: str | None
    sentence: Sentence
    instead: tuple[Item, ...] | None = None


def word_of(item: Item) -> str:
    """Return the word with which an item begins."""
    return WORDS.get(type(item), type(item).__name__)


_NAMING: Mapping[str, int] = {
    **dict.fromkeys(("units", "drop", "take", "hero", "unit", "leader", "left", "right", "caster", "on"), 0),
    **dict.fromkeys(("force", "forces"), 0),
    **dict.fromkeys(("at", "point", "points"), 1),
    **dict.fromkeys(("space", "attack", "enemy_in"), 2),
}
"""What each attribute of an item names: counters (0), points (1) or spaces (2). The attribute `way` is not listed,
because it names points on the map, and spaces on the board."""


def codes_of(item: Item) -> tuple[Codes, Codes, Codes]:
    """Return the counters, points and spaces that an item names."""
    named: tuple[list[str], list[str], list[str]] = [], [], []
    way = 1 if isinstance(item, Move | Fly) else 2
    for part in (item, item.change) if isinstance(item, Order) and item.change else (item,):
        for field in fields(part):
            kind, value = _NAMING.get(field.name, way), getattr(part, field.name)
            if value and (field.name in _NAMING or field.name == "way"):
                named[kind].extend((value,) if isinstance(value, str) else value)
    counters, points, spaces = named
    return (*counters,), (*points,), tuple(space for space in spaces if space != OFF or not isinstance(item, Order))


ABLE: Mapping[type[Item], Callable[[Card], bool]] = {
    Recruit: lambda card: card.kind == "hero",
    Losses: lambda card: not card.leader and card.kind != "bell",
    Evade: lambda card: card.kind in ("cavalry", "flying"),
    Join: lambda card: card.kind == "flying",
    Shoot: lambda card: card.kind != "flying" and card.ranged > 0,
}
"""For some types of item, a test of whether a counter can ever do what such an item asks of it."""


class Checker:
    """A checker of letters, which examines their items one after another and collects all faults."""

    def __init__(self, state: State, seat: Seat, items: Sequence[Item]) -> None:
        self.state, self.seat, self.data, self.items = state, seat, state.data, items
        self.switches = state.options.switches
        self.grid: Grid = grid_of(state.data)
        self.faults: list[Fault] = []
        self._number = 0
        self._named: set[str] = set()  # subjects that only one line may be about

    def fault(self, code: str | None, sentence: Sentence, *instead: Item) -> None:
        self.faults.append(Fault(self._number, code, sentence, instead or None))

    def check(self) -> list[Fault]:
        """Check all items, and return everything that is wrong with them."""
        wrong_phase, foreign = (ON_BOARD, False) if self.state.phase != "battle" else (ON_MAP, True)
        seen: set[type] = set()
        general: set[str | None] = set()
        for number, item in enumerate(self.items):
            self._number = number
            if isinstance(item, wrong_phase):
                self._foreign(item, on_board=foreign)
            elif type(item) in seen and isinstance(item, _ONCE):
                self.fault(None, Sentence("`{word}` is here twice: write one line for all.", word=noted(word_of(item))))
            elif isinstance(item, Retreat) and item.at in general:
                self.fault(item.at, _twice_retreat(item.at))
            elif self._exist(item) and self._single(item):
                self.look(item)
            seen.add(type(item))
            if isinstance(item, Retreat):
                general.add(item.at)
        return self.faults

    def named(self, item: Item) -> list[Fault]:
        """Check the names in an item, regardless of where its counters are, and return the faults."""
        self._exist(item) and self._single(item)
        return self.faults

    def look(self, item: Item) -> None:
        """Check an item that names only existing counters, points and spaces."""
        raise NotImplementedError

    def seat_of(self, code: str) -> Seat | None:
        """Return the seat that owns a counter; None if the counter is not on the map or, during a battle, on the
        board."""
        raise NotImplementedError

    def place_of(self, code: str) -> str | None:
        """Return the point of a counter or, during a battle, its space."""
        raise NotImplementedError

    def not_there(self, code: str) -> Sentence:
        """Return the sentence about a counter that is not on the map or, during a battle, on the board."""
        raise NotImplementedError

    def _foreign(self, item: Item, *, on_board: bool) -> None:
        word = word_of(item)
        if on_board:
            sentence = Sentence(
                "`{word}` is for the map, but a battle is being fought: write orders for it.", word=noted(word)
            )
        else:
            sentence = Sentence("`{word}` is for the battleboard, but no battle is being fought.", word=noted(word))
        self.fault(None, sentence)

    def _exist(self, item: Item) -> bool:
        """Return whether all codes in an item exist; report the codes that do not exist."""
        before = len(self.faults)
        counters, points, spaces = codes_of(item)
        for code in counters:
            if code not in self.data.counters:
                self.fault(code, Sentence('There is no counter "{text}".', text=code))
        for code in points:
            if code not in self.data.points:
                self.fault(code, Sentence('There is no point "{text}".', text=code))
        for space in spaces:
            if space not in self.grid.spaces:
                values = {"space": space, "rows": self.grid.rows}
                self.fault(space, Sentence("{space} is off the board: rows 1 to {rows}, columns L, C, R.", **values))
        return len(self.faults) == before

    def _single(self, item: Item) -> bool:
        """Return whether no list in an item contains a code twice; report codes that occur more than once."""
        before = len(self.faults)
        for codes in _lists_of(item):
            for code, number in Tally(codes).items() if len(set(codes)) < len(codes) else ():
                if number > 1:
                    self.fault(code, Sentence("{code} is named twice.", code=code))
        return len(self.faults) == before

    def card(self, code: str) -> Card:
        return self.data.counters[code]

    def place(self, code: str) -> Point:
        return self.data.points[code]

    def called(self, code: str) -> str:
        """Return the name of a counter, with a capital first letter for the beginning of a sentence."""
        name = self.data.counters[code].name
        return name[0].upper() + name[1:]

    def is_own(self, code: str) -> bool:
        """Return whether a counter is in play and belongs to the seat; if not, report a fault."""
        owner = self.seat_of(code)
        if owner is None:
            self.fault(code, self.not_there(code))
        elif owner != self.seat:
            self.fault(code, Sentence("{code} ({name}) is not yours.", code=code, name=self.called(code)))
        return owner == self.seat

    def is_only(self, word: str, code: str) -> bool:
        """Return whether no earlier line that begins with `word` is about `code`; if there is such a line, report a
        fault."""
        if f"{word} {code}" in self._named:
            self.fault(
                code, Sentence("There are two `{word}` lines for {code}: one is enough.", word=noted(word), code=code)
            )
            return False
        self._named.add(f"{word} {code}")
        return True

    def check_carrier(self, code: str, bell: MapBell | BoardBell | None, where: str | None) -> None:
        """Check that a unit can carry the Bell, which is on the point or in the space `where` (§5.29)."""
        if bell is None or bell.seat != self.seat:
            self.fault(code, Sentence("The Bell is not yours."))
        elif self.is_own(code):
            place = self.place_of(code)
            if sentence := self._cannot_carry(code):
                self.fault(code, sentence)
            elif where is not None and place != where:
                values = {"code": code, "place": place or "-", "point": where}
                self.fault(code, Sentence("{code} is in {place}, but the Bell is in {point}.", **values))

    def _cannot_carry(self, code: str) -> Sentence | None:
        """Return the reason why a counter can never carry the Bell; None if the counter can carry it."""
        card = self.card(code)
        if card.leader or code == BELL:
            return Sentence("{name} is not a unit, and only a unit can carry the Bell.", name=card.name)
        if card.kind == "flying":
            return Sentence("{name} flies: the Bell is too heavy for it.", name=card.name)
        if card.intrinsic:
            return Sentence("{name} stays in its walls and cannot carry the Bell.", name=card.name)
        return None

    def check_losses(self, item: Losses) -> None:
        for code in item.units:
            if not ABLE[Losses](self.card(code)):
                self.fault(code, Sentence("{name} is not a unit: `Losses` names only units.", name=self.called(code)))


def _lists_of(item: Item) -> tuple[Codes, ...]:
    match item:
        case Move():
            return item.units, item.drop, item.take
        case Order():
            return (item.attack,)
        case RetreatTo() | FightFast():
            return (codes_of(item)[1],)
        case Fly() | Losses() | Deploy() | Group() | ActingOrder() | Evade() | Join() | Shoot():
            return (codes_of(item)[0],)
        case _:
            return ()


def _twice_retreat(at: str | None) -> Sentence:
    if at:
        return Sentence("There are two `Retreat` lines for {point}: one is enough.", point=at)
    return Sentence("There are two `Retreat` lines: write one, and others with `at` a point.")


_WITH_BETWEEN = 3  # a way of at least this number of points goes on after the first point entered
_LONGEST_TOLD = 30  # the maximum number of points of a way that are examined; no legal way is longer


class MapChecker(Checker):
    """A checker of campaign letters."""

    def __init__(self, state: State, seat: Seat, items: Sequence[Item]) -> None:
        super().__init__(state, seat, items)
        self._movers: set[str] = set()

    def look(self, item: Item) -> None:
        match item:
            case Move():
                self._stack(item)
                if self._links(item):
                    self._dropped(item)
                self._taken(item)
            case Fly():
                self._stack(item)
                self._flight(item)
            case Recruit():
                self._recruit(item.hero)
            case Garrison():
                self._garrison(item)
            case Honors():
                self._honors(item)
            case Carry():
                self.check_carrier(item.unit, self.state.bell, self.state.bell.at if self.state.bell else None)
            case Losses():
                self.check_losses(item)
            case _:
                pass

    def seat_of(self, code: str) -> Seat | None:
        return self.state.units[code].seat if code in self.state.units else None

    def place_of(self, code: str) -> str | None:
        return self.state.units[code].at

    def not_there(self, code: str) -> Sentence:
        return Sentence("{code} ({name}) is not on the map.", code=code, name=self.called(code))

    # Stacks

    def _once(self, code: str) -> None:
        if code in self._movers:
            self.fault(code, Sentence("{code} is named in two moves; it moves once in a turn.", code=code))
        self._movers.add(code)

    def _stack(self, item: Move | Fly) -> None:
        start = item.way[0]
        away = [code for code in item.units if self.is_own(code) and self.state.units[code].at != start]
        for code in item.units:
            self._once(code)
        if not away:
            return
        places = {self.state.units[code].at for code in item.units if code in self.state.units}
        here = self.state.units[away[0]].at
        instead: tuple[Move, ...] = ()
        if len(places) == 1 and here and isinstance(item, Move) and self._is_affordable((here, *item.way)):
            instead = (Move(item.units, (here, *item.way), item.drop, item.take),)
        values = {"code": away[0], "place": here or "-", "start": start}
        self.fault(
            away[0], Sentence("{code} is in {place}, not in {start}, where this move begins.", **values), *instead
        )

    def _is_affordable(self, way: Codes) -> bool:
        return (
            all(end in self.data.links[start] for start, end in pairwise(way))
            and self.data.cost_of(way) <= self.data.allowance
        )

    def _links(self, item: Move) -> bool:
        """Return whether the way of a move is connected and not too long; if not, report a fault."""
        way = item.way
        if len(way) == 1:
            self.fault(way[0], Sentence("Where to? A way has two points or more: `{line}-...`.", line=noted(item)))
            return False
        if len(way) > _LONGEST_TOLD:
            sentence = Sentence(
                "This way has too many points ({number}); a stack has {allowance} movement points.",
                number=len(way),
                allowance=self.data.allowance,
            )
            self.fault(None, sentence)
            return False
        for start, end in pairwise(way):
            if end not in self.data.links[start]:
                self.fault(end, self._no_link(start, end), *self._joined(item))
                return False
        cost = self.data.cost_of(way)
        if cost > self.data.allowance:
            sentence = Sentence(
                "This way costs {cost} movement points (road 1, trail 2); a stack has {allowance}.",
                cost=cost,
                allowance=self.data.allowance,
            )
            self.fault(way[-1], sentence)
            return False
        return True

    def _no_link(self, start: str, end: str) -> Sentence:
        roads = tuple(code for code, kind in self.data.links[start].items() if kind == "road")
        trails = tuple(code for code, kind in self.data.links[start].items() if kind == "trail")
        values = {
            "one": start, "name": self.place(start).name, "other": end, "other_name": self.place(end).name,
            "roads": roads, "trails": trails,
        }  # fmt: skip
        if roads and trails:
            return Sentence(
                "There is no link from {one} ({name}) to {other} ({other_name}). "
                "From {one}: {roads} by road, {trails} by trail.",
                **values,
            )
        if roads:
            return Sentence(
                "There is no link from {one} ({name}) to {other} ({other_name}). From {one}: {roads} by road.", **values
            )
        return Sentence(
            "There is no link from {one} ({name}) to {other} ({other_name}). From {one}: {trails} by trail.", **values
        )

    def _joined(self, item: Move) -> tuple[Move, ...]:
        """Return the move with missing points filled in, if there is exactly one affordable way to do so; otherwise
        ()."""
        ways: list[Codes] = [(item.way[0],)]
        for point in item.way[1:]:
            ways = [longer for way in ways for longer in self._between(way, point)]
        return (Move(item.units, ways[0], item.drop, item.take),) if len(ways) == 1 else ()

    def _between(self, way: Codes, point: str) -> list[Codes]:
        """Return the affordable extensions of `way` to `point`: directly, or through as few other points as
        possible."""
        ways, row = list[Codes](), [way]
        while row and not ways:
            row = [(*path, code) for path in row for code in self.data.links[path[-1]]]
            row = [path for path in row if self.data.cost_of(path) <= self.data.allowance]
            ways = [path for path in row if path[-1] == point]
        return ways

    def _dropped(self, item: Move) -> None:
        for code in item.drop:
            if code not in item.units:
                self.fault(code, Sentence("{code} is not in this stack and cannot be dropped.", code=code))
            elif len(item.way) < _WITH_BETWEEN:
                values = {"code": code, "point": item.way[-1]}
                self.fault(
                    code,
                    Sentence("{code} cannot be dropped at {point}: the stack does not go on from there.", **values),
                )
        if item.drop and set(item.drop) >= set(item.units) and len(item.way) >= _WITH_BETWEEN:
            short = Move(item.units, item.way[:2])
            self.fault(
                item.drop[0],
                Sentence("The whole stack is dropped: its move ends there. `{line}`", line=noted(short)),
                short,
            )

    def _taken(self, item: Move) -> None:
        between = item.way[1:-1]
        for code in item.take:
            if self.is_own(code) and (at := self.state.units[code].at) not in between:
                sentence = Sentence(
                    "{code} is in {point}; a stack picks up at points between the first and the last of its way.",
                    code=code,
                    point=at or "-",
                )
                self.fault(code, sentence)
            self._once(code)

    def _flight(self, item: Fly) -> None:
        if not self.switches.flight:
            self.fault(None, Sentence("This match is played without flights."))
            return
        kinds = {code: self.card(code) for code in item.units}
        for code, card in kinds.items():
            if not card.leader and card.kind != "flying":
                self.fault(code, Sentence("{code} ({name}) cannot fly.", code=code, name=card.name))
        if not any(card.kind == "flying" for card in kinds.values()):
            self.fault(item.units[0], Sentence("A flight needs a flying unit."))
        if len(item.way) != len(("from", "to")) or item.way[0] == item.way[1]:
            self.fault(
                item.way[-1],
                Sentence(
                    "A flight goes straight to one point: `Fly {units}: G4-Q4`, for example.",
                    units=" ".join(item.units),
                ),
            )
            return
        start, end = item.way
        if not self.data.in_reach(start, end):
            reach = tuple(code for code in self.data.points if code != start and self.data.in_reach(start, code))
            values = {
                "end": end,
                "start": start,
                "inches": decimal(round(self.data.inches(start, end) * 10)),
                "most": self.data.flight,
                "reach": reach,
            }
            self.fault(
                end,
                Sentence(
                    "{end} is {inches} inches from {start}; flights go up to {most}. In reach: {reach}.", **values
                ),
            )

    # Recruiting and sieges

    def _recruit(self, code: str) -> None:
        if not self.is_only("Recruit", code) or not self.is_own(code):
            return
        if not ABLE[Recruit](self.card(code)):
            own = (counter for counter, unit in self.state.units.items() if unit.seat == self.seat)
            heroes = tuple(hero for hero in own if ABLE[Recruit](self.card(hero)))
            self.fault(
                code,
                Sentence(
                    "{name} is not a Hero, and only Heroes recruit. Yours: {heroes}.",
                    name=self.called(code),
                    heroes=heroes or ("-",),
                ),
            )

    def _standing(self, code: str) -> bool:
        """Return whether a point is a Fortified Center with intrinsic strength; if not, report a fault."""
        point = self.place(code)
        if not point.center:
            self.fault(code, Sentence("{code} ({name}) is not a Fortified Center.", code=code, name=point.name))
        elif code in self.state.razed:
            self.fault(code, Sentence("{code} ({name}) is razed.", code=code, name=point.name))
        elif point.nation not in self.state.seats:
            self.fault(
                code, Sentence("{code} ({name}) belongs to a nation that is not in play.", code=code, name=point.name)
            )
        else:
            return True
        return False

    def _garrison(self, item: Garrison) -> None:
        point = self.place(item.point)
        if not self.switches.garrison:
            self.fault(None, Sentence("This match is played without batteries in the walls."))
        elif self.is_only("Garrison", item.point) and self._standing(item.point):
            most = self.data.values["garrison_artillery"][point.kind]
            if point.nation != self.seat:
                self.fault(item.point, Sentence("{code} ({name}) is not yours.", code=item.point, name=point.name))
            elif item.batteries > most:
                sentence = Sentence(
                    "At most {most} of {point} can be batteries (1 in a fort, 2 in a Castle).",
                    most=most,
                    point=item.point,
                )
                self.fault(item.point, sentence, Garrison(item.point, most))

    def _honors(self, item: Honors) -> None:
        if not self.switches.honors:
            self.fault(None, Sentence("This match is played without honours of war."))
            return
        own = self.place(item.point).nation == self.seat
        if not self._standing(item.point) or own == (item.act == "accept"):
            return
        if own:
            sentence = Sentence(
                "{point} is your own: honours are accepted there. `Honors accept {point}`", point=item.point
            )
            self.fault(item.point, sentence, Honors("accept", item.point))
        else:
            sentence = Sentence(
                "{point} is not yours: honours are offered there. `Honors offer {point}`", point=item.point
            )
            self.fault(item.point, sentence, Honors("offer", item.point))
