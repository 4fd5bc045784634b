"""A computer player that knows only what its nation sees, and writes what its nation could write.

On the map it attacks where it is stronger, takes towns, gathers its stacks near its next target, has a Hero lead the
strongest stack into its attack and leaves the other Heroes where they recruit. It breaks off attacks after losing
nearly everything, offers honours of war, and accepts them where it is too weak. `_Fighter` plays on the board. The same
view always yields the same letter.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz.board import grid_of, row_of
from pbem.games.ozz.board_legality import Positions
from pbem.games.ozz.data import Card
from pbem.games.ozz.hints import stacks, ways
from pbem.games.ozz.orders import Cast, Codes, Group, Honors, Item, Move, Order, Orders, Retreat, Ring, Word
from pbem.games.ozz.state import MERCENARIES, Battle, State
from pbem.games.ozz.table import Table, holds

_STRONGER = 1.25  # how much stronger than the defence a single attacking stack must be
_TOGETHER = 1.6  # the corresponding factor for several stacks, which arrive one after the other
_AT_HOME = 0.8  # the fraction of a Castle's intrinsic strength above which enemies near it count as a danger
_HOPELESS = 2  # honours of war are accepted when enemies nearby are this many times as strong as the whole Center
_LEAST = 2  # an attack with more units than this is broken off when fewer than this are left


class Style(NamedTuple):
    """The style in which a side fights on the board."""

    reach: int | None = None
    """The distance in spaces within which enemies must be for the side to advance on them. If None, the side advances
    at any distance if it is the attacker or the stronger side."""
    last: bool = False
    """Whether magic users try their spells in reverse order, the last one first."""


USUAL = Style()


def choose(view: State, seat: Seat, style: Style = USUAL) -> Orders:
    """Choose orders for a seat, even if no letter is due from it."""
    battle = view.battle
    if battle is None:
        return Orders(tuple(_Planner(view, seat).moves()))
    if seat in (battle.attacker, battle.defender):
        return choose_on_board(view, battle, seat, style)
    return Orders()


class _Planner:
    """A planner of a campaign letter. `free` contains the stacks that have yet to be given a move, and `ways` the
    points that each of them can reach, with the way to each point; both are keyed by the stack's point."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat, self.data = state, seat, state.data
        self.table = Table(state, NO_CHANCE)
        self.hostile = {point for point in self.data.points if self.table.is_enemy_to(seat, point)}
        self.walls = {point: self._power(self.table.intrinsic(point)) for point in self.data.centers}
        self.enemies: dict[str, int] = {}
        """The number of enemy counters on each point with enemies."""
        self.threats: dict[str, int] = {}
        """The total value of the enemies on each point."""
        for code, counter in state.units.items():
            if counter.seat != seat and counter.at is not None:
                self.enemies[counter.at] = self.enemies.get(counter.at, 0) + 1
                self.threats[counter.at] = self.threats.get(counter.at, 0) + self.data.counters[code].value
        own = stacks(state, seat)
        heroes = {code: self._power(codes) for codes in own.values() for code in codes if self._is_hero(code)}
        self.leader = max(heroes, key=lambda code: (heroes[code], code)) if len(heroes) > 1 else None
        self.free = {point: movers for point, codes in own.items() if (movers := self._movers(codes))}
        self.ways = {point: ways(state, seat, point) for point in self.free}

    def moves(self) -> Iterator[Item]:
        """Yield the orders of the letter: attacks first, because they matter most, then moves to towns, then moves that
        gather the remaining stacks; finally, retreats and honours of war."""
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
        """Yield honours of war: offers at `targets`, the points under attack, and acceptances at the nation's own forts
        that have far stronger enemies nearby."""
        for point, place in self.data.points.items():
            if point in targets and self.table.strength(point):
                yield Honors("offer", point)
            elif place.nation == self.seat and place.kind == "fort" and self.table.strength(point):
                there = (code for code, unit in self.state.units.items() if (unit.at, unit.seat) == (point, self.seat))
                if self._near(point, 1) > _HOPELESS * (self.walls[point] + self._power(tuple(there))):
                    yield Honors("accept", point)

    # Movers and values

    def _movers(self, codes: Codes) -> Codes:
        """Return the counters that go along if the stack `codes` moves: all but the Heroes who can recruit where they
        are. Return () if only leaders would go, or if the stack is needed to defend the Castle."""
        point = self.state.units[codes[0]].at or ""
        if point == self.data.castles.get(self.seat) and self._near(point, 2) > _AT_HOME * self.walls[point]:
            return ()
        staying = {code for code in codes if self._is_hero(code) and self._recruits(point)}
        movers = tuple(code for code in codes if code not in staying)
        return movers if self._power(movers) else ()

    def _recruits(self, point: str) -> bool:
        """Return whether there is a counter that a Hero on `point` could recruit (§8.1)."""
        pools = self.state.pools
        if self.data.points[point].kind == "grounds":
            return bool(pools.get(MERCENARIES))
        return holds(self.state, self.seat, point) and bool(pools.get(self.seat))

    def _near(self, point: str, most: int) -> int:
        """Return the value of all enemies within `most` links of a point."""
        distances = self.data.distances[point]
        return sum(power for end, power in self.threats.items() if distances[end] <= most)

    def _is_hero(self, code: str) -> bool:
        return self.data.counters[code].kind == "hero"

    def _power(self, codes: Codes) -> int:
        """Return the total value of the units among `codes`; leaders do not count."""
        return sum(self.data.counters[code].value for code in codes)

    def _defence(self, point: str) -> int:
        """Return the total value of the enemies that an attack on a point would face, including walls."""
        walls = self.walls.get(point, 0) if self.data.points[point].nation != self.seat else 0
        return self.threats.get(point, 0) + walls

    def _worth(self, point: str) -> int:
        """Return the value of taking a point: the number of enemy counters there, plus 1 for a town that the nation
        does not control, plus the strength of enemy walls, doubled for a Castle (§9.2)."""
        place = self.data.points[point]
        town = point in self.state.control and self.state.control[point] != self.seat
        walls = place.strength if self.walls.get(point) and place.nation != self.seat else 0
        return self.enemies.get(point, 0) + town + walls * (2 if place.kind == "castle" else 1)

    # Moves

    def _go(self, start: str, end: str) -> Move:
        return Move(self.free.pop(start), self.ways[start][end])

    def _attack(self, start: str, target: str) -> Move:
        """Return the move with which the stack at `start` attacks `target`. The Hero who leads the strongest stack goes
        along if that Hero is at `start`; the other Heroes go on recruiting."""
        move, leader = self._go(start, target), self.leader
        here = leader and leader not in move.units and self.state.units[leader].at == start
        return replace(move, units=(leader, *move.units)) if leader and here else move

    def _attacks(self) -> Iterator[Move]:
        for target in sorted(self.hostile, key=lambda point: (-self._worth(point), self.data.order[point])):
            able = [start for start in self.free if target in self.ways[start]]
            able.sort(key=lambda start: (-self._power(self.free[start]), self.data.order[start]))
            defence, power = self._defence(target), 0
            for number, start in enumerate(able, start=1):
                power += self._power(self.free[start])
                if power > defence * (_STRONGER if number == 1 else _TOGETHER):
                    for origin in able[:number]:
                        yield self._attack(origin, target)
                    break

    def _towns(self) -> Iterator[Move]:
        """Yield moves that take each undefended town with the weakest stack that can reach it."""
        for town, held in self.state.control.items():
            if held == self.seat or town in self.hostile:
                continue
            able = [start for start in self.free if town in self.ways[start]]
            if able:
                yield self._go(min(able, key=lambda start: (self._power(self.free[start]), start)), town)

    def _gathered(self) -> Iterator[Move]:
        """Yield moves of the remaining stacks towards the point where the strongest of them stops on its way to the
        cheapest goal."""
        if not self.free or not self._goals():
            return
        strongest = max(self.free, key=lambda start: (self._power(self.free[start]), -self.data.order[start]))
        power = self._power(self.free[strongest])
        goal = min(self._goals(), key=lambda point: self._price(point, strongest, power))
        meeting = self._nearest(strongest, goal)
        for start in [*self.free]:
            end = self._nearest(start, meeting)
            if end != start:
                yield self._go(start, end)

    def _goals(self) -> list[str]:
        return [point for point in self.data.points if self._worth(point)]

    def _price(self, goal: str, start: str, power: int) -> tuple[float, int]:
        """Return the price of a goal, for comparison: distance and missing strength, divided by the goal's value; ties
        are broken by point order."""
        lacking = max(0, self._defence(goal) * _STRONGER - power) / 5
        return (self.data.distances[start][goal] + lacking) / self._worth(goal), self.data.order[goal]

    def _nearest(self, start: str, goal: str) -> str:
        """Return the point nearest to `goal` among `start` and the points that the stack there can reach without a
        fight."""
        ends = [start, *(end for end in self.ways[start] if end not in self.hostile)]
        return min(ends, key=lambda end: (self.data.distances[end][goal], len(self.ways[start].get(end, ()))))


_LOST = 3  # the side retreats when the enemy is more than this many times as strong
_OWN = 0.9  # the weight of one of the side's own units relative to an enemy unit of the same value
_MOST_ATTACKED = 3
_ON_ENEMIES = ("fireball", "poppies", "confusion", "poor luck")
_ON_OWN = ("healing", "good luck")


class _Plan(NamedTuple):
    """A possible action of a force, and the gain expected from it, measured in unit values."""

    gain: float
    word: Word
    way: Codes
    attack: Codes
    charge: bool = False


def choose_on_board(
    view: State, battle: Battle, seat: Seat, style: Style = USUAL, formation: tuple[Item, ...] | None = None
) -> Orders:
    """Return a letter for a side in a battle. `formation` contains the side's groups and, in the first turn, its
    deployments; if it is None, the slow units are grouped automatically in the first turn."""
    return Orders(tuple(_Fighter(view, battle, seat, style, formation).items()))


class _Fighter:
    def __init__(
        self, state: State, battle: Battle, seat: Seat, style: Style, formation: tuple[Item, ...] | None
    ) -> None:
        self.state, self.battle, self.seat, self.style = state, battle, seat, style
        self.cards, self.grid = state.data.counters, grid_of(state.data)
        self.attacks = seat == battle.attacker
        self.die: int = state.data.values["die"]
        self.charges = state.options.switches.cavalry
        if formation is None:
            formation = tuple(self._groups()) if battle.turn == 1 else ()
        self.formation = formation
        placed = Positions(state.data, battle, seat, formation)
        self.units, self.forces = placed.units, placed.forces
        self.enemies: dict[str, list[Card]] = {}
        for code, fighter in self.units.items():
            if fighter.seat != seat and not self.cards[code].leader:
                self.enemies.setdefault(fighter.space or "", []).append(self.cards[code])

    def items(self) -> Iterator[Item]:
        yield from self.formation
        yield from self._casts()
        bell = self.battle.bell
        if bell and bell.seat == self.seat and bell.carrier and self.seat in self.state.data.values["bell_users"]:
            yield Ring()
        for force, codes in self.forces.items():
            order = self._order(force, codes)
            if order:
                yield order
        if self.battle.at and _LOST * self._strength(self._own()) < self._strength(self._others()):
            yield Retreat(None)

    def _strength(self, cards: Iterable[Card]) -> int:
        return sum(card.value for card in cards)

    def _others(self) -> Iterator[Card]:
        """Return the enemy's units on the board."""
        return chain.from_iterable(self.enemies.values())

    def _own(self) -> list[Card]:
        return [self.cards[code] for code, fighter in self.battle.units.items() if fighter.seat == self.seat]

    def _groups(self) -> Iterator[Group]:
        """Yield groups that assign the slow units to leaders, the units with the best melee strength first; artillery,
        cavalry and flyers act alone."""
        most = self.state.data.values["group_max"]
        slow = [card for card in self._own() if card.kind in ("infantry", "giant") and not card.intrinsic]
        slow.sort(key=lambda card: (-card.melee, self.state.data.roster[card.code]))
        for card in self._own():
            if card.kind in ("ruler", "hero") and slow:
                members, slow = slow[:most], slow[most:]
                yield Group(card.code, tuple(member.code for member in members))

    # Spells

    def _casts(self) -> Iterator[Cast]:
        """Yield a cast for each magic user: the first of their spells that is not yet in effect, on the strongest
        possible target."""
        step = -1 if self.style.last else 1
        working = {(marker.by, marker.spell) for marker in self.battle.spells} | {*self.battle.cast}
        for card in self._own():
            for spell in self.state.spells.get(card.code, ())[::step]:
                targets = self._targets(spell)
                if (card.code, spell) not in working and targets:
                    yield Cast(card.code, spell, max(targets, key=self._rank).code)
                    break

    def _targets(self, spell: str) -> list[Card]:
        if spell in _ON_ENEMIES:
            return [card for cards in self.enemies.values() for card in cards if spell == "fireball" or card.move]
        return [card for card in self._own() if not card.leader] if spell in _ON_OWN else []

    def _rank(self, card: Card) -> tuple[int, int]:
        return card.value, -self.state.data.roster[card.code]

    # Orders

    def _order(self, force: str, codes: Codes) -> Order | None:
        own = [self.cards[code] for code in codes if not self.cards[code].leader]
        space = self.units[force].space
        if not own or space is None or not self.enemies:
            return None
        plans = [*self._plans(own, space)]
        best = max(plans, key=lambda plan: plan.gain, default=None)
        if not own[0].intrinsic and (best is None or best.gain <= 0):
            best = self._nearer(own, space) or best
        return Order(force, best.word, best.way, best.attack, best.charge) if best else None

    def _plans(self, own: Sequence[Card], space: str) -> Iterator[_Plan]:
        """Yield the attacks that a force with the units `own` can make from `space`, after one step, or by a charge."""
        yield from self._attacks_from(own, space, "stand", ())
        if own[0].intrinsic or space in self.enemies:
            return
        for step in self.grid.ahead(space, attacks=self.attacks):
            yield from self._after_step(own, step, "advance")
            if step not in self.enemies and self.charges and all(card.kind == "cavalry" for card in own):
                yield from self._charges(own, step)
        for step in self.grid.beside(space):
            yield from self._after_step(own, step, "advance" if step in self.enemies else "stand")
        for step in self.grid.behind(space, attacks=self.attacks):
            yield from self._after_step(own, step, "back")

    def _after_step(self, own: Sequence[Card], step: str, word: Word) -> Iterator[_Plan]:
        if step in self.enemies:
            if word != "stand":
                yield _Plan(self._melee(own, step), word, (step,), (step,))
        else:
            yield from self._attacks_from(own, step, word, (step,))

    def _charges(self, own: Sequence[Card], step: str) -> Iterator[_Plan]:
        """Yield charges through `step`, a space without enemies, into the spaces with enemies beyond it."""
        for end in self.grid.ahead(step, attacks=self.attacks):
            if end in self.enemies:
                yield _Plan(
                    self._melee(own, end, self.state.data.values["charge_bonus"]), "advance", (step, end), (end,), True
                )

    def _attacks_from(self, own: Sequence[Card], space: str, word: Word, way: Codes) -> Iterator[_Plan]:
        if space in self.enemies:
            yield _Plan(self._melee(own, space), word, way, (space,))
            return
        gains = {target: self._ranged(own, space, target, moved=bool(way)) for target in self.enemies}
        best = sorted((end for end, gain in gains.items() if gain > 0), key=lambda end: (-gains[end], end))
        if best:
            yield _Plan(gains[best[0]], word, way, tuple(best[:_MOST_ATTACKED]))

    def _melee(self, own: Sequence[Card], space: str, bonus: int = 0) -> float:
        enemies = self.enemies[space]
        return self._exchange([card.melee + bonus for card in own], own, [card.melee for card in enemies], enemies)

    def _ranged(self, own: Sequence[Card], space: str, target: str, *, moved: bool) -> float:
        distance, enemies = self.grid.distance(space, target), self.enemies[target]
        fire = [card.ranged for card in own if card.range >= distance and not (moved and card.kind == "artillery")]
        answer = [card.ranged for card in enemies if card.range >= distance]
        return self._exchange(fire, own, answer, enemies)

    def _exchange(
        self, fire: Sequence[int], own: Sequence[Card], answer: Sequence[int], enemies: Sequence[Card]
    ) -> float:
        """Return the expected result of an exchange: the value of the enemy's losses minus the weighted value of the
        side's own losses."""
        return self._losses(fire, enemies) - _OWN * self._losses(answer, own)

    def _losses(self, strengths: Sequence[int], units: Sequence[Card]) -> float:
        hits = min(sum(strengths) / self.die, len(units))
        return hits * sum(card.value for card in units) / len(units)

    def _nearer(self, own: Sequence[Card], space: str) -> _Plan | None:
        """Return the step that brings a force closest to the nearest enemies without entering a space with enemies;
        None if there is no such step, or if the force does not want to fight."""
        target = min(self.enemies, key=lambda end: (self.grid.distance(space, end), end))
        ways: dict[str, Word] = dict.fromkeys(self.grid.ahead(space, attacks=self.attacks), "advance")
        if row_of(target) == row_of(space):
            ways |= dict.fromkeys(self.grid.beside(space), "stand")
        elif (row_of(target) > row_of(space)) != self.attacks:
            ways = dict.fromkeys(self.grid.behind(space, attacks=self.attacks), "back")
        able = [end for end in ways if end not in self.enemies]
        if not able or not self._wants_to_fight(own, space, target):
            return None
        step = min(able, key=lambda end: (self.grid.distance(end, target), end[-1] != space[-1], end))
        return _Plan(0, ways[step], (step,), (target,))

    def _wants_to_fight(self, own: Sequence[Card], space: str, target: str) -> bool:
        """Return whether a force with the units `own` in `space` advances on the enemies in `target`. If the style has
        a reach, `target` must be within that reach; otherwise, the side must be the attacker or the stronger side.
        Artillery alone never advances."""
        if all(card.kind == "artillery" for card in own):
            return False
        if self.style.reach is not None:
            return self.grid.distance(space, target) <= self.style.reach
        return self.attacks or self._strength(self._own()) > self._strength(self._others())
