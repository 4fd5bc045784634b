"""What makes a letter illegal, wherever it is about: codes, words, lists (ozz §14, What is refused)."""

from collections import Counter as Tally
from collections.abc import Sequence
from typing import NamedTuple, get_args

from pbem.games.base import Seat, Sentence
from pbem.games.ozz.board import Grid, grid_of
from pbem.games.ozz.data import Card, Point
from pbem.games.ozz.orders import (
    OFF,
    ActingOrder,
    BoardItem,
    Carry,
    Cast,
    Codes,
    Deploy,
    Evade,
    FightFast,
    Fly,
    Garrison,
    Group,
    Guard,
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
from pbem.games.ozz.state import State

WORDS: dict[type, str] = {
    RetreatTo: "Retreat to",
    ActingOrder: "Sequence",
    FightFast: "Fight fast",
    Lasting: "Orders stand",
}
"""The words of items that are not called like their classes."""
ON_MAP, ON_BOARD = get_args(MapItem), get_args(BoardItem)
_ONCE = (Losses, RetreatTo, Return, Carry, Keep, Ring, ActingOrder, Initiative, Evade, Join, Shoot, FightFast, Lasting)


class Fault(NamedTuple):
    """What is wrong with an item, by its number: the code that is, if it is one, and what would be right.

    `instead`: the items that were meant in its place, if that can be said.
    """

    number: int
    code: str | None
    sentence: Sentence
    instead: tuple[Item, ...] | None = None


def word_of(item: Item) -> str:
    """The word with which an item begins."""
    return WORDS.get(type(item), type(item).__name__)


def codes_of(item: Item) -> tuple[Codes, Codes, Codes]:  # noqa: C901, PLR0912 - a row for each kind
    """The counters, points and spaces that an item names."""
    match item:
        case Move():
            return (*item.units, *item.drop, *item.take), item.way, ()
        case Fly():
            return item.units, item.way, ()
        case Recruit(hero=code) | Carry(unit=code):
            return (code,), (), ()
        case Retreat():
            return (), (item.at,) if item.at else (), ()
        case RetreatTo(points) | FightFast(points):
            return (), points, ()
        case Garrison(point=point) | Honors(point=point) | Return(point=point):
            return (), (point,), ()
        case Losses(units=units) | Evade(units=units) | Join(units=units) | Shoot(units=units):
            return units, (), ()
        case Deploy():
            return item.units, (), (item.space,)
        case Group():
            return (item.leader, *item.units), (), ()
        case Guard():
            return tuple(filter(None, (item.left, item.right))), (), (item.space,)
        case Cast():
            return (item.caster, item.on), (), (item.space,) if item.space else ()
        case Order():
            change = item.change
            changed = (*change.way, *((change.enemy_in,) if change.enemy_in else ())) if change else ()
            return (item.force,), (), tuple(one for one in (*item.way, *item.attack, *changed) if one != OFF)
        case ActingOrder():
            return item.forces, (), ()
        case Keep() | Ring() | Initiative() | Lasting():
            return (), (), ()


class Checker:
    """Looks at the items of a letter one after the other and collects all that is wrong."""

    def __init__(self, state: State, seat: Seat, items: Sequence[Item]) -> None:
        self.state, self.seat, self.data, self.items = state, seat, state.data, items
        self.switches = state.options.switches
        self.grid: Grid = grid_of(state.data)
        self.faults: list[Fault] = []
        self._number = 0

    def fault(self, code: str | None, sentence: Sentence, *instead: Item) -> None:
        self.faults.append(Fault(self._number, code, sentence, instead or None))

    def check(self) -> list[Fault]:
        """Everything that is wrong."""
        wrong_phase, foreign = (ON_BOARD, False) if self.state.phase != "battle" else (ON_MAP, True)
        seen: set[type] = set()
        general: set[str | None] = set()
        for number, item in enumerate(self.items):
            self._number = number
            if isinstance(item, wrong_phase):
                self._foreign(item, on_board=foreign)
            elif type(item) in seen and isinstance(item, _ONCE):
                self.fault(None, Sentence("`{word}` stands here twice: one line is for all.", word=word_of(item)))
            elif isinstance(item, Retreat) and item.at in general:
                self.fault(item.at, _twice_retreat(item.at))
            elif self._known(item) and self._single(item):
                self.look(item)
            seen.add(type(item))
            if isinstance(item, Retreat):
                general.add(item.at)
        return self.faults

    def named(self, item: Item) -> list[Fault]:
        """What is wrong with the names of an item, wherever its counters are."""
        self._known(item) and self._single(item)
        return self.faults

    def look(self, item: Item) -> None:
        """Look at one item that names only what there is."""
        raise NotImplementedError

    def _foreign(self, item: Item, *, on_board: bool) -> None:
        word = word_of(item)
        if on_board:
            told = Sentence("`{word}` is for the map, and a battle is being fought: its orders are asked.", word=word)
        else:
            told = Sentence("`{word}` is for the battleboard, and no battle is being fought.", word=word)
        self.fault(None, told)

    def _known(self, item: Item) -> bool:
        """Whether all codes are of something."""
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
        """Whether no list has a code twice."""
        before = len(self.faults)
        for codes in _lists_of(item):
            for code, number in Tally(codes).items() if len(set(codes)) < len(codes) else ():
                if number > 1:
                    self.fault(code, Sentence("{code} stands here twice.", code=code))
        return len(self.faults) == before

    def card(self, code: str) -> Card:
        return self.data.counters[code]

    def place(self, code: str) -> Point:
        return self.data.points[code]

    def called(self, code: str) -> str:
        """The name of a counter, as a sentence begins with it."""
        name = self.data.counters[code].name
        return name[0].upper() + name[1:]

    def check_losses(self, item: Losses) -> None:
        for code in item.units:
            if self.card(code).leader or self.card(code).kind == "bell":
                self.fault(code, Sentence("{name} is no unit: `Losses` has units only.", name=self.called(code)))


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
    return Sentence("There are two `Retreat` lines: one is enough, and others `at` a point.")
