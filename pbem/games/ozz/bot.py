"""A computer player: it writes what its nation could write from what its nation sees.

On the map it attacks where it is stronger, takes towns, gathers its stacks before what it wants next, leads the
strongest stack into its attack by a Hero and leaves the others where they recruit; it breaks off attacks that have cost
it nearly all, offers honours of war, and accepts them where it is too weak. On the board it is `board_bot`. The same
view gives the same letter.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz import board_bot
from pbem.games.ozz.counsel import stacks, ways
from pbem.games.ozz.orders import Codes, Honors, Item, Move, Orders, Retreat
from pbem.games.ozz.state import MERCENARIES, State
from pbem.games.ozz.table import Table

_STRONGER = 1.25  # by how much one stack has to be stronger than whom it attacks
_TOGETHER = 1.6  # and several, which come one after the other
_AT_HOME = 0.8  # of the intrinsic strength of its Castle, from which on enemies near it are a danger
_HOPELESS = 2  # how many times as strong as all in a Center enemies near it are where honours of war are accepted
_LEAST = 2  # units, below which an attack of more is broken off


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
        own = stacks(state, seat)
        heroes = {code: self._power(codes) for codes in own.values() for code in codes if self._is_hero(code)}
        self.leader = max(heroes, key=lambda code: (heroes[code], code)) if len(heroes) > 1 else None
        self.free = {point: movers for point, codes in own.items() if (movers := self._movers(codes))}
        self.ways = {point: ways(state, seat, point) for point in self.free}

    def moves(self) -> Iterator[Item]:
        """Attacks first, since they are the dearest; towns; then whoever is left gathers."""
        attacks = [*self._attacks()]
        yield from attacks
        yield from self._towns()
        yield from self._gathered()
        for target in dict.fromkeys(attack.way[-1] for attack in attacks):
            if sum(len(attack.units) for attack in attacks if attack.way[-1] == target) > _LEAST:
                yield Retreat(_LEAST, target)
        if self.table.switches.honors:
            yield from self._honors({attack.way[-1] for attack in attacks})

    def _honors(self, targets: Collection[str]) -> Iterator[Honors]:
        """Honours are offered where it attacks, and accepted where enemies near a Center are far too many."""
        for point, place in self.data.points.items():
            if point in targets and self.table.strength(point):
                yield Honors("offer", point)
            elif place.nation == self.seat and place.kind == "fort" and self.table.strength(point):
                there = (code for code, one in self.state.units.items() if (one.at, one.seat) == (point, self.seat))
                if self._near(point, 1) > _HOPELESS * (self._walls(point) + self._power(tuple(there))):
                    yield Honors("accept", point)

    # Who may go, and what they are worth

    def _movers(self, codes: Codes) -> Codes:
        """Who of a stack goes if it goes; () for leaders alone."""
        point = self.state.units[codes[0]].at or ""
        if point == self.data.castles.get(self.seat) and self._is_in_danger(point):
            return ()
        staying = {code for code in codes if self._is_hero(code) and self._recruits(point)}
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
        return self._near(castle, 2) > _AT_HOME * self._walls(castle)

    def _near(self, point: str, most: int) -> int:
        """The value of all enemies so many links from a point or nearer."""
        return sum(self._enemies(one) for one, links in self.data.distances[point].items() if links <= most)

    def _is_hero(self, code: str) -> bool:
        return self.data.counters[code].kind == "hero"

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

    def _attack(self, start: str, target: str) -> Move:
        """The move of a stack, with the Hero who leads the strongest one; the others go on recruiting."""
        move, leader = self._go(start, target), self.leader
        here = leader and leader not in move.units and self.state.units[leader].at == start
        return replace(move, units=(leader, *move.units)) if leader and here else move

    def _attacks(self) -> Iterator[Move]:
        for target in sorted(self.hostile, key=lambda one: (-self._worth(one), self.data.order[one])):
            able = [start for start in self.free if target in self.ways[start]]
            able.sort(key=lambda start: (-self._power(self.free[start]), self.data.order[start]))
            defence, power = self._defence(target), 0
            for number, start in enumerate(able, start=1):
                power += self._power(self.free[start])
                if power > defence * (_STRONGER if number == 1 else _TOGETHER):
                    for one in able[:number]:
                        yield self._attack(one, target)
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
