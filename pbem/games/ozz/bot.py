"""A computer player: it writes what its nation could write from what its nation sees.

On the map it attacks where it is stronger, takes towns, gathers its stacks before what it wants next, and leaves Heroes
where they recruit. On the board it is `board_bot`. The same view gives the same letter.
"""

from collections.abc import Iterator

from pbem.games.base import Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz import board_bot
from pbem.games.ozz.counsel import stacks, ways
from pbem.games.ozz.orders import Codes, Item, Move, Orders
from pbem.games.ozz.state import MERCENARIES, State
from pbem.games.ozz.table import Table

_STRONGER = 1.25  # by how much one stack has to be stronger than whom it attacks
_TOGETHER = 1.6  # and several, which come one after the other
_AT_HOME = 0.8  # of the intrinsic strength of its Castle, from which on enemies near it are a danger


def choose(view: State, seat: Seat) -> Orders:
    """Orders of a seat, which is awaited or may be."""
    battle = view.battle
    if battle is None:
        return Orders(tuple(_Planner(view, seat).moves()))
    if seat in (battle.attacker, battle.defender):
        return board_bot.choose(view, battle, seat)
    return Orders()


class _Planner:
    """A campaign letter: stacks that have no move yet, and where they can go."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat, self.data = state, seat, state.data
        self.table = Table(state, NO_CHANCE)
        self.hostile = {point for point in self.data.points if self.table.is_enemy_to(seat, point)}
        self.free = {point: movers for point, codes in stacks(state, seat).items() if (movers := self._movers(codes))}
        self.ways = {point: ways(state, seat, point) for point in self.free}

    def moves(self) -> Iterator[Item]:
        """Attacks first, since they are the dearest; towns; then whoever is left gathers."""
        yield from self._attacks()
        yield from self._towns()
        yield from self._gathered()

    # Who may go, and what they are worth

    def _movers(self, codes: Codes) -> Codes:
        """Who of a stack goes if it goes; () for leaders alone."""
        cards = self.data.counters
        point = self.state.units[codes[0]].at or ""
        if point == self.data.castles.get(self.seat) and self._is_in_danger(point):
            return ()
        staying = {code for code in codes if cards[code].kind == "hero" and self._recruits(point)}
        found = tuple(code for code in codes if code not in staying)
        return found if self._power(found) else ()

    def _recruits(self, point: str) -> bool:
        """Whether a Hero has somebody to recruit in a point (§8.1)."""
        place, state = self.data.points[point], self.state
        if place.kind == "grounds":
            return bool(state.pools.get(MERCENARIES))
        own = place.nation == self.seat and self.table.strength(point)
        return bool((own or state.control.get(point) == self.seat) and state.pools.get(self.seat))

    def _is_in_danger(self, castle: str) -> bool:
        """Whether enemies two links from the Castle are a match for its walls."""
        near = [point for point, links in self.data.distances[castle].items() if links <= 2]
        enemies = sum(self._enemies(point) for point in near)
        return enemies > _AT_HOME * self._walls(castle)

    def _power(self, codes: Codes) -> int:
        """The sum of the values of units; leaders have none."""
        return sum(self.data.counters[code].value for code in codes)

    def _walls(self, point: str) -> int:
        return self._power(self.table.intrinsic(point))

    def _enemies(self, point: str) -> int:
        others = (code for code, one in self.state.units.items() if one.at == point and one.seat != self.seat)
        return self._power(tuple(others))

    def _defence(self, point: str) -> int:
        """The value of all that an attack on a point meets."""
        return self._enemies(point) + (self._walls(point) if self.data.points[point].nation != self.seat else 0)

    def _worth(self, point: str) -> int:
        """What a point brings: that of its strength or town (§9.2), most of all a Castle, and what stands there."""
        place = self.data.points[point]
        held = self.state.control.get(point)
        enemies = sum(one.at == point and one.seat != self.seat for one in self.state.units.values())
        town = point in self.state.control and held != self.seat
        walls = self.table.strength(point) if place.nation != self.seat else 0
        return enemies + town + walls * (2 if place.kind == "castle" else 1)

    # What they do

    def _go(self, start: str, end: str) -> Move:
        return Move(self.free.pop(start), self.ways[start][end])

    def _attacks(self) -> Iterator[Move]:
        for target in sorted(self.hostile, key=lambda one: (-self._worth(one), self.data.order[one])):
            able = [start for start in self.free if target in self.ways[start]]
            able.sort(key=lambda start: (-self._power(self.free[start]), self.data.order[start]))
            defence, power = self._defence(target), 0
            for number, start in enumerate(able, start=1):
                power += self._power(self.free[start])
                if power > defence * (_STRONGER if number == 1 else _TOGETHER):
                    for one in able[:number]:
                        yield self._go(one, target)
                    break

    def _towns(self) -> Iterator[Move]:
        """Each town that nobody holds against us is taken by the weakest stack that can."""
        for town, held in self.state.control.items():
            if held == self.seat or town in self.hostile:
                continue
            able = [start for start in self.free if town in self.ways[start]]
            if able:
                yield self._go(min(able, key=lambda start: (self._power(self.free[start]), start)), town)

    def _gathered(self) -> Iterator[Move]:
        """All others come to where the strongest of them waits for what is wanted next."""
        if not self.free or not self._goals():
            return
        strongest = max(self.free, key=lambda start: (self._power(self.free[start]), -self.data.order[start]))
        power = self._power(self.free[strongest])
        goal = min(self._goals(), key=lambda one: self._price(one, strongest, power))
        meeting = self._nearest(strongest, goal)
        for start in [*self.free]:
            end = self._nearest(start, meeting)
            if end != start:
                yield self._go(start, end)

    def _goals(self) -> list[str]:
        return [point for point in self.data.points if self._worth(point)]

    def _price(self, goal: str, start: str, power: int) -> tuple[float, int]:
        """How far a goal is, and how much too strong, for what it brings."""
        lacking = max(0, self._defence(goal) * _STRONGER - power) / 5
        return (self.data.distances[start][goal] + lacking) / self._worth(goal), self.data.order[goal]

    def _nearest(self, start: str, goal: str) -> str:
        """Where a stack stands, or can go without a fight, nearest to a goal."""
        ends = [start, *(end for end in self.ways[start] if end not in self.hostile)]
        return min(ends, key=lambda end: (self.data.distances[end][goal], self._length(start, end)))

    def _length(self, start: str, end: str) -> int:
        return len(self.ways[start].get(end, ()))
