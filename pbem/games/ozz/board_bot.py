"""The computer player on the battleboard: each force does what is likely to cost the enemy more than itself.

It stands together in the middle, in groups; shoots or strikes where the dice promise most, and comes nearer where they
promise nothing yet; cavalry charges; spells fall on the strongest units. Far weaker than the enemy, it retreats.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.ozz.board import grid_of, row_of
from pbem.games.ozz.data import Card
from pbem.games.ozz.orders import Cast, Codes, Group, Item, Order, Orders, Retreat, Ring, Word
from pbem.games.ozz.positions import Positions
from pbem.games.ozz.state import Battle, State

_HOPELESS = 3  # how many times as strong as we the enemy is before we retreat
_OWN = 0.9  # what a unit of one's own counts beside an enemy's of the same value
_MOST_ATTACKED = 3
_ON_ENEMIES = ("fireball", "poppies", "confusion", "poor luck")
_ON_OWN = ("healing", "good luck")


class _Plan(NamedTuple):
    """What a force may do, and what that is likely to bring, in values of units."""

    gain: float
    word: Word
    way: Codes
    attack: Codes
    charge: bool = False


def choose(view: State, battle: Battle, seat: Seat) -> Orders:
    """A letter of a side of a battle."""
    return Orders(tuple(_Planner(view, battle, seat).items()))


class _Planner:
    def __init__(self, state: State, battle: Battle, seat: Seat) -> None:
        self.state, self.battle, self.seat = state, battle, seat
        self.cards, self.grid = state.data.counters, grid_of(state.data)
        self.attacks = seat == battle.attacker
        self.die: int = state.data.values["die"]
        self.charges = state.options.switches.cavalry
        groups = tuple(self._groups()) if battle.turn == 1 else ()
        self.groups: tuple[Item, ...] = groups
        placed = Positions(state.data, battle, seat, groups)
        self.units, self.forces = placed.units, placed.forces
        self.enemies: dict[str, list[Card]] = {}
        for code, one in self.units.items():
            if one.seat != seat and not self.cards[code].leader:
                self.enemies.setdefault(one.space or "", []).append(self.cards[code])

    def items(self) -> Iterator[Item]:
        yield from self.groups
        yield from self._casts()
        bell = self.battle.bell
        if bell and bell.seat == self.seat and bell.carrier and self.seat in self.state.data.values["bell_users"]:
            yield Ring()
        for force, codes in self.forces.items():
            order = self._order(force, codes)
            if order:
                yield order
        if self.battle.at and _HOPELESS * self._strength(self._own()) < self._strength(self._others()):
            yield Retreat(None)

    def _strength(self, cards: Iterable[Card]) -> int:
        return sum(card.value for card in cards)

    def _others(self) -> Iterator[Card]:
        """The enemy's units on the board."""
        return chain.from_iterable(self.enemies.values())

    def _own(self) -> list[Card]:
        return [self.cards[code] for code, one in self.battle.units.items() if one.seat == self.seat]

    def _groups(self) -> Iterator[Group]:
        """Leaders take the slow ones that strike best; batteries, riders and flyers act by themselves."""
        most = self.state.data.values["group_max"]
        slow = [card for card in self._own() if card.kind in ("infantry", "giant") and not card.intrinsic]
        slow.sort(key=lambda card: (-card.melee, self.state.data.roster[card.code]))
        for card in self._own():
            if card.kind in ("ruler", "hero") and slow:
                taken, slow = slow[:most], slow[most:]
                yield Group(card.code, tuple(one.code for one in taken))

    # Spells

    def _casts(self) -> Iterator[Cast]:
        """Each magic user casts the first of its spells that is not at work yet, on the strongest unit."""
        working = {(marker.by, marker.spell) for marker in self.battle.spells} | {*self.battle.cast}
        for card in self._own():
            for spell in self.state.spells.get(card.code, ()):
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
        """What a force can attack from where it is, and after a step."""
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
        """A charge by a space without enemies into those behind it."""
        for end in self.grid.ahead(step, attacks=self.attacks):
            if end in self.enemies:
                yield _Plan(
                    self._melee(own, end, self.state.data.values["charge_bonus"]), "advance", (step, end), (end,), True
                )

    def _attacks_from(self, own: Sequence[Card], space: str, word: Word, way: Codes) -> Iterator[_Plan]:
        if space in self.enemies:
            yield _Plan(self._melee(own, space), word, way, (space,))
            return
        gains = {one: self._ranged(own, space, one, moved=bool(way)) for one in self.enemies}
        best = sorted((one for one, gain in gains.items() if gain > 0), key=lambda one: (-gains[one], one))
        if best:
            yield _Plan(gains[best[0]], word, way, tuple(best[:_MOST_ATTACKED]))

    def _melee(self, own: Sequence[Card], space: str, bonus: int = 0) -> float:
        enemies = self.enemies[space]
        return self._exchange([one.melee + bonus for one in own], own, [one.melee for one in enemies], enemies)

    def _ranged(self, own: Sequence[Card], space: str, target: str, *, moved: bool) -> float:
        distance, enemies = self.grid.distance(space, target), self.enemies[target]
        fire = [one.ranged for one in own if one.range >= distance and not (moved and one.kind == "artillery")]
        answer = [one.ranged for one in enemies if one.range >= distance]
        return self._exchange(fire, own, answer, enemies)

    def _exchange(
        self, fire: Sequence[int], own: Sequence[Card], answer: Sequence[int], enemies: Sequence[Card]
    ) -> float:
        """What is to be expected of an exchange: the enemy's losses less one's own, in values."""
        return self._losses(fire, enemies) - _OWN * self._losses(answer, own)

    def _losses(self, strengths: Sequence[int], units: Sequence[Card]) -> float:
        hits = min(sum(strengths) / self.die, len(units))
        return hits * sum(one.value for one in units) / len(units)

    def _nearer(self, own: Sequence[Card], space: str) -> _Plan | None:
        """The step that brings the nearest enemies nearer; those who only shoot far do not go among them."""
        target = min(self.enemies, key=lambda one: (self.grid.distance(space, one), one))
        ways: dict[str, Word] = dict.fromkeys(self.grid.ahead(space, attacks=self.attacks), "advance")
        if row_of(target) == row_of(space):
            ways |= dict.fromkeys(self.grid.beside(space), "stand")
        elif (row_of(target) > row_of(space)) != self.attacks:
            ways = dict.fromkeys(self.grid.behind(space, attacks=self.attacks), "back")
        able = [one for one in ways if one not in self.enemies]
        if not able or not self._wants_to_fight(own):
            return None
        step = min(able, key=lambda one: (self.grid.distance(one, target), one[-1] != space[-1], one))
        return _Plan(0, ways[step], (step,), (target,))

    def _wants_to_fight(self, own: Sequence[Card]) -> bool:
        """Whether a force goes to the enemy: the attacker's, or the stronger side's; not guns."""
        if all(card.kind == "artillery" for card in own):
            return False
        return self.attacks or self._strength(self._own()) > self._strength(self._others())
