"""A computer player in five levels, which tries letters out.

It starts from the letter of the simple player (`bot`) and improves it by local search, one sector of the map or one
force of the board at a time, as Portfolio Greedy Search does with the units of a skirmish (Churchill and Buro 2013,
"Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft"). What a letter is worth is the mean of
playouts by the rules in which the simple player writes for everybody, cut off after some turns and valued by `outlook`.
All letters of a thought meet the same scenarios - dice, letters of the others, order of the pools, which nobody may
know - and one that is behind after a few of them is given up (races: Maron and Moore 1993).

The levels differ in how many playouts they make and how far these go.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.chance import Chance, shuffled
from pbem.games.extras import Thought
from pbem.games.ozz.bot import choose
from pbem.games.ozz.manoeuvres import changes
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.outlook import outlook
from pbem.games.ozz.rules import awaiting, resolve
from pbem.games.ozz.state import State


class Level(NamedTuple):
    """How a level thinks: how many rounds it plays out, in how many scenarios, how many turns far; how much of a letter
    it forgets, in 256ths."""

    rounds: int
    scenarios: int = 1
    turns: int = 1
    forgets: int = 0


LEVELS = {
    1: Level(0, forgets=128),
    2: Level(30, 4),
    3: Level(250, 8, 2),
    4: Level(1000, 16, 2),
    5: Level(3000, 32, 2),
}
_A_THOUGHT = 50  # rounds between two thoughts
_FIRST = 4  # scenarios that every letter meets


class Dice:
    """A generator of chance that is fast, from a number (Knuth's MMIX)."""

    def __init__(self, seed: int) -> None:
        self._state = seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019

    def die(self, sides: int) -> int:
        return 1 + self.pick(sides)

    def pick(self, number: int) -> int:
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        return (self._state >> 33) * number >> 31


def dice_of(chance: Chance) -> Dice:
    """Dice that follow from chance."""
    seed = 0
    for _ in range(8):
        seed = seed << 8 | chance.pick(256)
    return Dice(seed)


class _Scenario(NamedTuple):
    """What a letter meets: a state as it may be, the letters of the others, dice."""

    state: State
    letters: dict[Seat, Orders]
    seed: int


class Mind:
    """A seat's thoughts about a view."""

    def __init__(self, view: State, seat: Seat, level: int, chance: Chance) -> None:
        self.view, self.seat, self.level = _guessed(view), seat, LEVELS[level]
        self.dice = dice_of(chance)
        self.played = 0
        """Rounds so far."""
        self._scenarios: list[_Scenario] = []
        self._values: dict[Orders, list[float]] = {}
        end = view.turn + self.level.turns
        self._end = min(end, view.options.turns + 1)

    def has_time(self) -> bool:
        return self.played < self.level.rounds

    def first(self) -> Orders:
        """The letter of the simple player, as far as the level does not forget it."""
        items = choose(self.view, self.seat).items
        return Orders(tuple(item for item in items if self.dice.pick(256) >= self.level.forgets))

    def scenario(self, number: int) -> _Scenario:
        while len(self._scenarios) <= number:
            state = replace(self.view, pools={one: shuffled(pool, self.dice) for one, pool in self.view.pools.items()})
            letters = {one: choose(state, one) for one in awaiting(state) if one != self.seat}
            self._scenarios.append(_Scenario(state, letters, self.dice.pick(1 << 31)))
        return self._scenarios[number]

    def value(self, orders: Orders, number: int) -> float:
        """What a letter is worth in a scenario."""
        values = self._values.setdefault(orders, [])
        while len(values) <= number:
            values.append(self._play(orders, self.scenario(len(values))))
        return values[number]

    def mean(self, orders: Orders) -> float:
        values = self._values[orders]
        return sum(values) / len(values)

    def _play(self, orders: Orders, scenario: _Scenario) -> float:
        dice, state = Dice(scenario.seed), scenario.state
        letters = {**scenario.letters, self.seat: orders}
        while True:
            self.played += 1
            state = resolve(state, letters, dice).state
            asked = awaiting(state)
            if not asked or (state.turn >= self._end and state.phase == "orders"):
                return outlook(state, self.seat)
            letters = {seat: choose(state, seat) for seat in asked}

    def is_better(self, orders: Orders, best: Orders) -> bool:
        """Whether a letter is better than another in the scenarios of the level, as far as it has to be looked at."""
        ahead = 0.0
        for number in range(self.level.scenarios):
            ahead += self.value(orders, number) - self.value(best, number)
            if number + 1 >= _FIRST and ahead <= 0:
                return False
        return ahead > 0


def _guessed(view: State) -> State:
    """A view without what stands and nobody sees: letters of a battle that its writers may take back."""
    return replace(view, battle=replace(view.battle, plans={})) if view.battle else view


def think(view: State, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
    """Better and better letters of a seat."""
    mind = Mind(view, seat, level, chance)
    best, told = mind.first(), 0
    yield Thought(best, outlook(view, seat))
    while mind.has_time():
        before = mind.played
        for orders in changes(view, seat, best, mind.dice):
            if mind.is_better(orders, best):
                best = orders
                break
            if mind.played // _A_THOUGHT > told:
                told = mind.played // _A_THOUGHT
                yield Thought(best, mind.mean(best))
            if not mind.has_time():
                break
        if mind.played == before:
            break
    if mind.played:
        yield Thought(best, mind.mean(best))


def weigh(view: State, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> Sequence[float]:
    """What each of some letters of a seat is worth in the scenarios of a level."""
    mind = Mind(view, seat, level, chance)
    for one in orders:
        mind.value(one, mind.level.scenarios - 1)
    return [mind.mean(one) for one in orders]
