"""A computer player in five levels, which tries letters out.

It starts from the letter of the simple player (`bot`) and improves it by local search, one sector of the map or one
force of the board at a time, as Portfolio Greedy Search does with the units of a skirmish (Churchill and Buro 2013,
"Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft"). What a letter is worth is the mean of
playouts by the rules in which the simple player writes for everybody else, and in battles for all. On the map they are
cut off after a turn and valued by `outlook`: playouts of two turns took what they brought from the number of letters
that could be tried. Battles are played to their end and valued by who has won and by what is left of both sides, half
and half: the one is what counts, the other is less a matter of luck.

In a battle a letter means little without what is to follow: who waits this turn and goes on the next has lost both. So
first whole styles of fighting are tried, to go to the enemy, to hold, to lie in wait, each kept up to the end of a
playout (as scripts are in Puppet Search: Barriga, Stanescu and Buro 2015), then changes of the letter that the best of
them writes. From level 3 on it begins with lying in wait, by which alone it wins about two of three skirmishes, and in
half of the scenarios the others do so, too.

All letters of a thought meet the same scenarios - dice, letters of the others, order of the pools, which nobody may
know - and one that is behind after a few of them is given up (races: Maron and Moore 1993).

The levels differ in how many playouts they make and how sure these are; the first makes none, and forgets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.capabilities import Thought
from pbem.games.chance import Chance, shuffled
from pbem.games.kit.quick import QuickChance, quick
from pbem.games.ozz.bot import USUAL, Style, choose
from pbem.games.ozz.manoeuvres import changes
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.rules import awaiting, resolve
from pbem.games.ozz.state import State
from pbem.games.ozz.win_share import outlook


class Level(NamedTuple):
    """How a level thinks: how many rounds it plays out, in how many scenarios; the same of a battle, and
    how it begins to fight there; how much of a letter it forgets, in 256ths."""

    rounds: int
    scenarios: int = 1
    on_board: tuple[int, int] = (0, 1)
    style: Style = USUAL
    forgets: int = 0


_IN_WAIT = Style(2)
LEVELS = {
    1: Level(0, forgets=144),
    2: Level(25, 4, (60, 6)),
    3: Level(90, 8, (180, 16), _IN_WAIT),
    4: Level(220, 10, (400, 24), _IN_WAIT),
    5: Level(1500, 24, (1800, 48), _IN_WAIT),
}
_A_THOUGHT = 50  # rounds between two thoughts
_PASSES = 3  # over all changes, before no better letter is looked for
_SURE = 0.5  # standard errors by which a letter has to be better
_SURE_ON_BOARD = 1.5  # by which a changed order of a battle has to be: most make no difference
_FIRST = 4  # scenarios that every letter meets
_REACHES = (None, 2, 0, 3)  # of styles that are tried


class _Plan(NamedTuple):
    """A letter, and how the side fights in the turns after it."""

    orders: Orders
    style: Style = USUAL


class _Scenario(NamedTuple):
    """What a letter meets: a state as it may be, what the simple player would write for the others in some style,
    dice."""

    state: State
    style: Style
    letters: dict[Seat, Orders]
    seed: int


class Mind:
    """A seat's thoughts about a view."""

    def __init__(self, view: State, seat: Seat, level: Level, dice: QuickChance) -> None:
        self.view, self.seat, self.level, self.dice = view, seat, level, dice
        self.played = 0
        """Rounds so far."""
        self.rounds, self.scenarios = level.on_board if view.battle else level[:2]
        self.best = self._first()
        self._scenarios: dict[int, _Scenario] = {}
        self._values: dict[_Plan, dict[int, float]] = {}

    def _first(self) -> _Plan:
        """What the simple player would write, in the style of the level, as far as it does not forget it."""
        style = self.level.style
        items = choose(self.view, self.seat, style).items
        return _Plan(Orders(tuple(item for item in items if self.dice.pick(256) >= self.level.forgets)), style)

    def improve(self) -> Iterator[None]:
        """Change the best letter in small steps, as long as one is found that is better and there is time."""
        thoughts, passes = 0, 0
        while passes < _PASSES and self._has_time():
            passes += 1
            for plan in self._plans():
                if self._is_better(plan, _FIRST * passes):
                    self.best, passes = plan, 0
                    break
                if self.played // _A_THOUGHT > thoughts:
                    thoughts = self.played // _A_THOUGHT
                    yield
                if not self._has_time():
                    break

    def _plans(self) -> Iterator[_Plan]:
        """Plans that may be better than the best: in a battle of other styles, then changes of its letter."""
        if self.view.battle:
            best = self.best.style
            others = [best._replace(reach=reach) for reach in _REACHES if reach != best.reach]
            for style in (best._replace(last=not best.last), *others):
                yield _Plan(choose(self.view, self.seat, style), style)
        for orders in changes(self.view, self.seat, self.best.orders, self.dice):
            yield _Plan(orders, self.best.style)

    def _has_time(self) -> bool:
        return self.played < self.rounds

    def _is_better(self, plan: _Plan, start: int) -> bool:
        """Whether a plan is better than the best in the scenarios of the level, as far as it has to be looked at."""
        ahead, squares, number = 0.0, 0.0, self.scenarios
        for at in range(number):
            scenario = (start + at) % number
            difference = self._value(plan, scenario) - self._value(self.best, scenario)
            ahead, squares = ahead + difference, squares + difference * difference
            if at + 1 >= _FIRST and ahead <= 0:
                return False
        is_change = self.view.battle and plan.style == self.best.style
        return ahead > (_SURE_ON_BOARD if is_change else _SURE) * sqrt(squares)

    def mean(self, plan: _Plan) -> float:
        """What a plan is worth in all scenarios of the level."""
        return sum(self._value(plan, number) for number in range(self.scenarios)) / self.scenarios

    def _value(self, plan: _Plan, number: int) -> float:
        values = self._values.setdefault(plan, {})
        if number not in values:
            if number not in self._scenarios:
                self._scenarios[number] = self._scenario(USUAL if number % 2 else self.level.style)
            values[number] = self._play(plan, self._scenarios[number])
        return values[number]

    def _scenario(self, style: Style) -> _Scenario:
        state = replace(self.view, pools={owner: shuffled(pool, self.dice) for owner, pool in self.view.pools.items()})
        letters = {seat: choose(state, seat, style) for seat in awaiting(state) if seat != self.seat}
        return _Scenario(state, style, letters, self.dice.pick(1 << 31))

    def _play(self, plan: _Plan, scenario: _Scenario) -> float:
        dice, state = QuickChance(scenario.seed), scenario.state
        letters = {**scenario.letters, self.seat: plan.orders}
        while True:
            self.played += 1
            state = resolve(state, letters, dice).state
            seats = awaiting(state)
            far = state.turn > self.view.turn and state.phase == "orders"  # never within a battle
            if far or not seats:
                worth = outlook(state, self.seat)
                return (worth + outlook(replace(state, result=None), self.seat)) / 2 if state.battle else worth
            letters = {seat: choose(state, seat, plan.style if seat == self.seat else scenario.style) for seat in seats}


def _mind(view: State, seat: Seat, level: int, chance: Chance) -> Mind:
    """A mind of a level. What stands and nobody sees is not there for it, as if its writers took it back."""
    battle = view.battle and replace(view.battle, plans={})
    return Mind(replace(view, battle=battle), seat, LEVELS[level], quick(chance))


def think(view: State, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
    """The best letter so far of a seat and its worth, again and again while better ones are looked for."""
    mind = _mind(view, seat, level, chance)
    yield Thought(mind.best.orders, outlook(view, seat))
    for _ in mind.improve():
        yield Thought(mind.best.orders, mind.mean(mind.best))
    if mind.played:
        yield Thought(mind.best.orders, mind.mean(mind.best))


def weigh(view: State, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> Sequence[float]:
    """What each of some letters of a seat is worth in the scenarios of a level."""
    mind = _mind(view, seat, level, chance)
    return [mind.mean(_Plan(letter)) for letter in orders]
