"""A computer player in five levels, which tries letters out.

It starts from the letter of the simple player (`bot`) and improves it by local search, one sector of the map or one
force of the board at a time, as Portfolio Greedy Search does with the units of a skirmish (Churchill and Buro 2013,
"Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft"). What a letter is worth is the mean of
playouts by the rules in which the simple player writes for everybody else, and in battles for all, cut off after a turn
and valued by `outlook`: playouts of two turns took what they brought from the number of letters that could be tried.
All letters of a thought meet the same scenarios - dice, letters of the others, order of the pools, which nobody may
know - and one that is behind after a few of them is given up (races: Maron and Moore 1993).

The levels differ in how many playouts they make and how sure these are; the first makes none, and forgets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.chance import Chance, shuffled
from pbem.games.extras import Thought
from pbem.games.kit.quick import QuickChance, quick
from pbem.games.ozz.bot import choose
from pbem.games.ozz.manoeuvres import changes
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.outlook import outlook
from pbem.games.ozz.rules import awaiting, resolve
from pbem.games.ozz.state import State


class Level(NamedTuple):
    """How a level thinks: how many rounds it plays out, in how many scenarios; how much of a letter it forgets, in
    256ths."""

    rounds: int
    scenarios: int = 1
    forgets: int = 0


LEVELS = {
    1: Level(0, forgets=144),
    2: Level(25, 4),
    3: Level(90, 8),
    4: Level(220, 10),
    5: Level(1500, 24),
}
_A_THOUGHT = 50  # rounds between two thoughts
_PASSES = 3  # over all changes, before no better letter is looked for
_SURE = 0.5  # standard errors by which a letter has to be better
_SKIRMISH = 2  # turns of a skirmish, where one of a campaign is played
_FIRST = 4  # scenarios that every letter meets


class _Scenario(NamedTuple):
    """What a letter meets: a state as it may be, what the simple player would write for the others, dice."""

    state: State
    letters: dict[Seat, Orders]
    seed: int


class Mind:
    """A seat's thoughts about a view."""

    def __init__(self, view: State, seat: Seat, level: Level, dice: QuickChance) -> None:
        self.view, self.seat, self.level, self.dice = view, seat, level, dice
        self.played = 0
        """Rounds so far."""
        self.best = self._first()
        self._scenarios: dict[int, _Scenario] = {}
        self._values: dict[Orders, dict[int, float]] = {}
        self._end = view.turn + (_SKIRMISH if _is_skirmish(view) else 1)

    def _first(self) -> Orders:
        """The letter of the simple player, as far as the level does not forget it."""
        items = choose(self.view, self.seat).items
        return Orders(tuple(item for item in items if self.dice.pick(256) >= self.level.forgets))

    def improve(self) -> Iterator[None]:
        """Change the best letter in small steps, as long as one is found that is better and there is time."""
        told, passes = 0, 0
        while passes < _PASSES and self._has_time():
            passes += 1
            for orders in changes(self.view, self.seat, self.best, self.dice):
                if self._is_better(orders, _FIRST * passes):
                    self.best, passes = orders, 0
                    break
                if self.played // _A_THOUGHT > told:
                    told = self.played // _A_THOUGHT
                    yield
                if not self._has_time():
                    break

    def _has_time(self) -> bool:
        return self.played < self.level.rounds

    def _is_better(self, orders: Orders, start: int) -> bool:
        """Whether a letter is better than the best in the scenarios of the level, as far as it has to be looked at."""
        ahead, squares, number = 0.0, 0.0, self.level.scenarios
        for at in range(number):
            scenario = (start + at) % number
            difference = self._value(orders, scenario) - self._value(self.best, scenario)
            ahead, squares = ahead + difference, squares + difference * difference
            if at + 1 >= _FIRST and ahead <= 0:
                return False
        return ahead > _SURE * sqrt(squares)

    def mean(self, orders: Orders) -> float:
        """What a letter is worth in all scenarios of the level."""
        return sum(self._value(orders, number) for number in range(self.level.scenarios)) / self.level.scenarios

    def _value(self, orders: Orders, number: int) -> float:
        values = self._values.setdefault(orders, {})
        if number not in values:
            if number not in self._scenarios:
                self._scenarios[number] = self._scenario()
            values[number] = self._play(orders, self._scenarios[number])
        return values[number]

    def _scenario(self) -> _Scenario:
        state = replace(self.view, pools={one: shuffled(pool, self.dice) for one, pool in self.view.pools.items()})
        letters = {one: choose(state, one) for one in awaiting(state) if one != self.seat}
        return _Scenario(state, letters, self.dice.pick(1 << 31))

    def _play(self, orders: Orders, scenario: _Scenario) -> float:
        dice, state = QuickChance(scenario.seed), scenario.state
        letters = {**scenario.letters, self.seat: orders}
        while True:
            self.played += 1
            state = resolve(state, letters, dice).state
            asked = awaiting(state)
            if not asked or self._is_far(state):
                return outlook(state, self.seat)
            letters = {seat: choose(state, seat) for seat in asked}

    def _is_far(self, state: State) -> bool:
        """Whether a playout has come as far as it is to go; never within a battle on the map."""
        return state.turn >= self._end and (state.phase == "orders" or _is_skirmish(state))


def _is_skirmish(state: State) -> bool:
    return state.battle is not None and state.battle.at is None


def _mind(view: State, seat: Seat, level: int, chance: Chance) -> Mind:
    """A mind of a level. What stands and nobody sees is not there for it, as if its writers took it back."""
    battle = view.battle and replace(view.battle, plans={})
    return Mind(replace(view, battle=battle), seat, LEVELS[level], quick(chance))


def think(view: State, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
    """Better and better letters of a seat."""
    mind = _mind(view, seat, level, chance)
    yield Thought(mind.best, outlook(view, seat))
    for _ in mind.improve():
        yield Thought(mind.best, mind.mean(mind.best))
    if mind.played:
        yield Thought(mind.best, mind.mean(mind.best))


def weigh(view: State, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> Sequence[float]:
    """What each of some letters of a seat is worth in the scenarios of a level."""
    mind = _mind(view, seat, level, chance)
    return [mind.mean(one) for one in orders]
