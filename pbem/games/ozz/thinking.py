"""A computer player that tries out letters, with five levels of strength.

It starts from the letter of the simple player (`bot`) and improves that letter by local search, in one place on the map
or for one force on the board at a time, as Portfolio Greedy Search does with the units of a skirmish (Churchill and
Buro 2013, "Portfolio Greedy Search and Simulation for Large-Scale Combat in StarCraft"). The value of a letter is the
mean of playouts by the rules, in which the simple player writes all other letters: those of the opponents and, if a
battle follows, also the later letters of the player's own side. On the map, playouts are cut off after a turn and
valued by `win_share`: playouts of two turns did not make up for the smaller number of letters that could be tried.
Battles are played to their end. Half of their value depends on the winner, and half on what is left of both sides: the
winner is what counts, but the rest depends less on luck.

All letters of a search are tried in the same scenarios. A scenario consists of dice, the letters of the other seats,
and the secret order of the pools. A letter that is behind after a few scenarios is dropped, as in a race (Maron and
Moore 1993).

In a battle, a single letter means little without its continuation: a side that waits in one turn and advances in the
next has the advantages of neither. The search therefore tries whole styles of fighting first (to advance on the enemy,
to hold, or to lie in wait), and keeps each style to the end of a playout, like the scripts of Puppet Search (Barriga,
Stanescu and Buro 2015). Then it tries changes to the letter of the best style. From level 3 on, the search starts with
lying in wait, which alone wins about two out of three skirmishes; in half of the scenarios, the opponents lie in wait,
too.

The levels differ in the number of playouts, and in how reliable these are. The first level makes no playouts, and
forgets parts of its letter.
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
from pbem.games.ozz.win_share import win_share


class Level(NamedTuple):
    """The search parameters of a level: for the map, the number of rounds to play out and the number of scenarios; the
    same two numbers for a battle; the initial style in a battle; and the probability, in 256ths, with which each item
    of a letter is forgotten."""

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
_A_THOUGHT = 50  # rounds played between two reports of the best letter
_PASSES = 3  # passes over all changes without improvement before the search ends
_SURE = 0.5  # the number of standard errors by which a letter must be better
_SURE_ON_BOARD = 1.5  # the same for a changed letter in a battle, where most changes have no effect
_FIRST = 4  # the number of scenarios in which every letter is tried
_REACHES = (None, 2, 0, 3)  # the values of `Style.reach` that are tried


class _Plan(NamedTuple):
    """A letter, and the style in which the side fights in later turns."""

    orders: Orders
    style: Style = USUAL


class _Scenario(NamedTuple):
    """The circumstances in which letters are tried: a possible state, the letters of the other seats as the simple
    player would write them in a certain style, and the seed of the dice."""

    state: State
    style: Style
    letters: dict[Seat, Orders]
    seed: int


class Mind:
    """The search for the best letter of a seat, based only on what that seat can see."""

    def __init__(self, view: State, seat: Seat, level: Level, dice: QuickChance) -> None:
        self.view, self.seat, self.level, self.dice = view, seat, level, dice
        self.played = 0
        """The number of rounds that have been played out so far."""
        self.rounds, self.scenarios = level.on_board if view.battle else level[:2]
        self.best = self._first()
        self._scenarios: dict[int, _Scenario] = {}
        self._values: dict[_Plan, dict[int, float]] = {}

    def _first(self) -> _Plan:
        """Return the letter of the simple player in the level's style, without the parts that the level forgets."""
        style = self.level.style
        items = choose(self.view, self.seat, style).items
        return _Plan(Orders(tuple(item for item in items if self.dice.pick(256) >= self.level.forgets)), style)

    def improve(self) -> Iterator[None]:
        """Improve the best letter by small changes until no better letter is found or the rounds of the level are used
        up. Yield None now and then, so that the caller can report the best letter so far."""
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
        """Yield plans that may be better than the best one so far: in a battle, first plans with other styles, then
        changes to the letter of the best plan."""
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
        """Return whether `plan` beats the best plan in the scenarios of the level. The comparison begins with scenario
        `start`, and stops early if `plan` falls behind."""
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
        """Return the value of a plan, averaged over all scenarios of the level."""
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
            far = state.turn > self.view.turn and state.phase == "orders"  # never true during a battle
            if far or not seats:
                worth = win_share(state, self.seat)
                return (worth + win_share(replace(state, result=None), self.seat)) / 2 if state.battle else worth
            letters = {seat: choose(state, seat, plan.style if seat == self.seat else scenario.style) for seat in seats}


def _mind(view: State, seat: Seat, level: int, chance: Chance) -> Mind:
    """Create a search for `seat` at `level`. All standing orders are ignored, because the seat cannot see those of its
    enemy."""
    battle = view.battle and replace(view.battle, plans={})
    return Mind(replace(view, battle=battle), seat, LEVELS[level], quick(chance))


def think(view: State, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
    """While the search goes on, yield the best letter found for `seat` so far, with its value, at regular intervals."""
    mind = _mind(view, seat, level, chance)
    yield Thought(mind.best.orders, win_share(view, seat))
    for _ in mind.improve():
        yield Thought(mind.best.orders, mind.mean(mind.best))
    if mind.played:
        yield Thought(mind.best.orders, mind.mean(mind.best))


def weigh(view: State, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> Sequence[float]:
    """Return the value of each letter in `orders` for `seat`, averaged over the scenarios of `level`."""
    mind = _mind(view, seat, level, chance)
    return [mind.mean(_Plan(letter)) for letter in orders]
