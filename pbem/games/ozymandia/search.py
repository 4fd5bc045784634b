"""The computer opponent's thoughts: a turn is a matrix game of both sides' plans, solved by regret matching.

The plans in play grow as in the double oracle algorithm (McMahan, Gordon and Blum 2003): those that would be best
against the other side's present mix join, until none would be better. Higher levels see more plans, and solve in each
cell that matters the matrix game of the turn after. Both are told in the survey of Bosansky, Lisy, Lanctot, Cermak and
Winands, "Algorithms for computing strategies in two-player simultaneous move games" (2016).
"""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.chance import Chance
from pbem.games.extras import Thought
from pbem.games.ozymandia.candidates import plans, strikes
from pbem.games.ozymandia.evaluation import ended, outlook_of
from pbem.games.ozymandia.matrix import Solution, solve
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozymandia.state import State
from pbem.games.ozymandia.swift import Ground, Plan, Position, ground_of, plan_of, played, position_of

_SIDES = (1, -1)
_ENOUGH = 0.003  # of the win: what is not worth another thought
_RARE = 0.01  # how likely a plan is that is never chosen


class Level(NamedTuple):
    """How a level thinks: how wide its plans are, whether it bombards, how often plans join and how many at once, how
    many rounds of regret matching, and whether it looks into the turn after."""

    wide: int
    strikes: bool
    growth: int
    joining: int
    rounds: int
    deep: bool = False


LEVELS: Mapping[int, Level] = {
    1: Level(1, False, 0, 1, 20),
    2: Level(1, False, 2, 1, 40),
    3: Level(2, True, 5, 2, 100),
    4: Level(3, True, 12, 2, 200),
    5: Level(3, True, 12, 2, 200, deep=True),
}
_FIRST = Level(1, True, 0, 1, 40)
_NEXT = Level(1, True, 3, 1, 30)


class Contest:
    """A turn as a matrix game that grows: the plans of both sides, which of them are in play, and the solution."""

    def __init__(self, ground: Ground, position: Position, level: Level) -> None:
        self.ground, self.position, self.level = ground, position, level
        self._value: Callable[[Ground, Position], float] = outlook_of
        self._plans = tuple(plans(ground, position, side, level.wide) for side in _SIDES)
        self._targets = tuple(
            strikes(ground, position, side) if level.strikes and bombs > 0 else []
            for side, bombs in zip(_SIDES, position.bombs, strict=True)
        )
        self._cells: dict[tuple[int, int], float] = {}
        self._in_play: tuple[list[int], list[int]] = ([0], [0])
        for who in range(2):
            self._join(who, {0: 1.0}, 3)
        self._solve()

    def mix(self, who: int) -> list[tuple[Plan, float]]:
        """The plans that a side chooses, and how likely."""
        return [(self._plans[who][plan], part) for plan, part in self._mix(who).items()]

    def worth(self, who: int, plan: Plan, other: Plan) -> float:
        """What plans of a side and of its opponent lead to for it."""
        if who:
            return 1 - self._value(self.ground, played(self.ground, self.position, other, plan))
        return self._value(self.ground, played(self.ground, self.position, plan, other))

    def grow(self) -> bool:
        """Let each side's best answers join, and solve again; whether that was worth it."""
        sizes, value, number = [*map(len, self._in_play)], self.solution.value, self.level.joining
        mixes = self._mix(0), self._mix(1)
        gain = max(self._join(0, mixes[1], number) - value, self._join(1, mixes[0], number) - 1 + value)
        if [*map(len, self._in_play)] == sizes:
            return False
        self._solve()
        return gain > _ENOUGH

    def deepen(self) -> Iterator[None]:
        """Look into the turn after: first where both sides choose as they do now, then what else was in play."""
        self._value, self._cells = next_turn, {}
        rows, columns = [*self._mix(0)], [*self._mix(1)]
        waiting = (
            [plan for plan in self._in_play[0] if plan not in rows],
            [plan for plan in self._in_play[1] if plan not in columns],
        )
        for row in rows:
            for column in columns:
                self._cell(row, column)
            yield
        self._in_play = rows, columns
        self._solve()
        while True:
            yield
            mixes, value = (self._mix(0), self._mix(1)), self.solution.value
            better: list[tuple[float, int, int]] = []
            for who in range(2):
                bar = 1 - value if who else value
                for plan in waiting[who]:
                    better.append((self._score(who, plan, mixes[1 - who]) - bar, who, plan))
                    yield
            better = [one for one in better if one[0] > _ENOUGH]
            if not better:
                return
            for _, who, plan in sorted(better, reverse=True)[:2]:
                waiting[who].remove(plan)
                self._in_play[who].append(plan)
            self._solve()

    def _cell(self, row: int, column: int) -> float:
        found = self._cells.get((row, column))
        if found is None:
            found = self._cells[row, column] = self.worth(0, self._plans[0][row], self._plans[1][column])
        return found

    def _solve(self) -> None:
        rows, columns = self._in_play
        self.solution: Solution = solve(
            [[self._cell(row, column) for column in columns] for row in rows], self.level.rounds
        )

    def _mix(self, who: int) -> dict[int, float]:
        found = self.solution.columns if who else self.solution.rows
        likely = {plan: part for plan, part in zip(self._in_play[who], found, strict=True) if part > _RARE}
        total = sum(likely.values())
        return {plan: part / total for plan, part in likely.items()}

    def _score(self, who: int, plan: int, other: Mapping[int, float]) -> float:
        """What a plan brings its side against a mix of the other."""
        cell = self._cell
        if who:
            return 1 - sum([part * cell(one, plan) for one, part in other.items()])
        return sum([part * cell(plan, one) for one, part in other.items()])

    def _join(self, who: int, other: Mapping[int, float], number: int) -> float:
        """Let a side's best plans against a mix of the other join those in play; what the best one brings."""
        every = range(len(self._plans[who]))
        best = sorted(((self._score(who, plan, other), -plan) for plan in every), reverse=True)[:number]
        best = sorted([*best, *self._struck(who, best, other)], reverse=True)
        for _, plan in best[:number]:
            if -plan not in self._in_play[who]:
                self._in_play[who].append(-plan)
        return best[0][0]

    def _struck(
        self, who: int, best: Sequence[tuple[float, int]], other: Mapping[int, float]
    ) -> list[tuple[float, int]]:
        """The best plans with the best bombardment each, where that is better."""
        found, own, theirs = [], self._plans[who], self._plans[1 - who]
        for bar, plan in best:
            top, with_it = bar, None
            for target in self._targets[who] if own[-plan].bomb < 0 else ():
                tried = own[-plan]._replace(bomb=target)
                score = sum([part * self.worth(who, tried, theirs[one]) for one, part in other.items()])
                if score > top:
                    top, with_it = score, tried
            if with_it:
                found.append((top, -len(own)))
                own.append(with_it)
        return found


def next_turn(ground: Ground, position: Position) -> float:
    """The value of a position by the matrix game of its turn."""
    end = ended(ground, position)
    if end is not None:
        return end
    contest = Contest(ground, position, _NEXT)
    for _ in range(_NEXT.growth):
        if not contest.grow():
            break
    return contest.solution.value


def think(state: State, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
    """Better and better orders of a level."""
    luck = (chance.pick(256) * 256 + chance.pick(256)) / 65536
    for contest in _contests(state, seat, level):
        yield Thought(_drawn(contest, luck), contest.solution.value)


def outlook(state: State, seat: Seat) -> float:
    """The share of the win that a side has between equals."""
    return outlook_of(ground_of(state.board), position_of(state, seat))


def weigh(state: State, seat: Seat, orders: Sequence[Orders], level: int) -> list[float]:
    """What each of some orders leads to against the mix that a level expects of the other side."""
    *_, contest = _contests(state, seat, level)
    tried = [plan_of(contest.ground, contest.position, 1, one) for one in orders]
    mix = contest.mix(1)
    return [sum(part * contest.worth(0, plan, other) for other, part in mix) for plan in tried]


def _contests(state: State, seat: Seat, level: int) -> Iterator[Contest]:
    """The turn as it looks from one thought to the next."""
    ground, position, how = ground_of(state.board), position_of(state, seat), LEVELS[level]
    if how.wide > 1:
        yield Contest(ground, position, _FIRST)
    contest = Contest(ground, position, how)
    yield contest
    for _ in range(how.growth):
        if not contest.grow():
            break
        yield contest
    for _ in contest.deepen() if how.deep else ():
        yield contest


def _drawn(contest: Contest, luck: float) -> Orders:
    """The orders that fall to a number from 0 to 1."""
    mix = contest.mix(0)
    plan, _ = mix[min(bisect([*accumulate(part for _, part in mix)], luck), len(mix) - 1)]
    areas = tuple(contest.ground.board.areas)
    return replace(plan.orders, bomb=areas[plan.bomb]) if plan.bomb >= 0 else plan.orders
