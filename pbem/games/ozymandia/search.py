"""The computer opponent's search: a turn is a matrix game between the plans of both sides, solved by regret matching.

The set of plans in play grows as in the double oracle algorithm (McMahan, Gordon and Blum 2003): each side's best
responses to the current mix of the other side are added until neither side gains by further additions. Higher levels
consider more plans. The highest level also solves the matrix game of the next turn in each cell that matters. Both
methods are described in the survey by Bosansky, Lisy, Lanctot, Cermak and Winands, "Algorithms for computing strategies
in two-player simultaneous move games" (2016).

The highest level also assumes that the opponent may be a simple one, and exploits this while giving little away to a
strong opponent: a restricted Nash response (Johanson, Zinkevich and Bowling, "Computing robust counter-strategies",
2007).
"""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.capabilities import Thought
from pbem.games.chance import Chance
from pbem.games.kit.quick import QuickChance, quick
from pbem.games.ozymandia.bot import choose
from pbem.games.ozymandia.candidates import plans, strikes
from pbem.games.ozymandia.evaluation import ended, win_share_of
from pbem.games.ozymandia.fast_rules import Ground, Plan, Position, ground_of, orders_of, plan_of, played, position_of
from pbem.games.ozymandia.matrix import solve
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozymandia.state import State, opponent

_SIDES = (1, -1)
_ENOUGH = 0.003  # share of the win; smaller gains are not worth more thought
_HOPELESS = 0.05  # share of the win; plans this far below the best are not examined further
_RARE = 0.01  # plans with a smaller probability are never chosen


class Level(NamedTuple):
    """The search parameters of a level.

    The larger `wide` is, the more plans are generated; each is considered with a probability of `seen` / 256. If
    `strikes` is true, bombardments are added to plans. Plans are added to those in play up to `growth` times, at most
    `joining` per side at a time, and `rounds` is the number of rounds of regret matching. After a first evaluation,
    only the `pool` best plans of each side remain; for the `deep` best ones, the next turn is searched, too. `plain` is
    the assumed probability that the opponent is a simple player, who does not mix plans.
    """

    wide: int
    seen: int = 256
    strikes: bool = True
    growth: int = 3
    joining: int = 1
    rounds: int = 40
    deep: int = 0
    pool: int = 10_000
    plain: float = 0.0


LEVELS: Mapping[int, Level] = {
    1: Level(1, seen=16, growth=0),
    2: Level(1, seen=45, growth=1),
    3: Level(1, seen=100, growth=2),
    4: Level(2, seen=180, growth=8, joining=2, rounds=150),
    5: Level(3, growth=12, joining=2, rounds=200, deep=20, plain=0.25),
}
_FIRST = Level(1, growth=0)
_NEXT = Level(1, rounds=30, pool=16)


class Contest:
    """A turn as a growing matrix game: the plans of both sides, the plans in play, and the solution. The first side is
    represented by 0, and the second side by 1."""

    def __init__(
        self,
        ground: Ground,
        position: Position,
        level: Level,
        chance: QuickChance | None = None,
        plain: Plan | None = None,
    ) -> None:
        self.ground, self.position, self.level = ground, position, level
        self._value: Callable[[Position], float] = partial(win_share_of, ground)
        self._plans = tuple(_thought_of(plans(ground, position, side, level.wide), level, chance) for side in _SIDES)
        self._targets = tuple(
            strikes(ground, position, side) if level.strikes and bombs > 0 else []
            for side, bombs in zip(_SIDES, position.bombs, strict=True)
        )
        self._plain = len(self._plans[1]) if plain else None
        self._plans[1].extend([plain] if plain else [])
        self._cell = self._look()
        self._pool: list[Sequence[int]] = [range(len(choices)) for choices in self._plans]
        self._in_play: tuple[list[int], list[int]] = ([0], [0])
        for who in range(2):
            self._join(who, {0: 1.0}, 3)
        self._solve()

    def mix(self, who: int) -> list[tuple[Plan, float]]:
        """Return the plans that side `who` chooses, with their probabilities."""
        return [(self._plans[who][plan], part) for plan, part in self._mix(who).items()]

    def worth(self, who: int, plan: Plan, reply: Plan) -> float:
        """Return the value of the turn to side `who` if that side plays `plan` and the other side plays `reply`."""
        if who:
            return 1 - self._value(played(self.ground, self.position, reply, plan))
        return self._value(played(self.ground, self.position, plan, reply))

    def grow(self) -> bool:
        """Add each side's best responses to the plans in play, and solve the game again. Return whether a side gained
        enough to continue."""
        sizes = [*map(len, self._in_play)]
        mixes, bars = (self._mix(0), self._mix(1)), (self._bar(0), self._bar(1))
        gain = max([self._join(who, mixes[1 - who], self.level.joining) - bars[who] for who in range(2)])
        if [*map(len, self._in_play)] == sizes:
            return False
        self._solve()
        return gain > _ENOUGH

    @property
    def value(self) -> float:
        """The value that the first side can secure, whatever the other side does."""
        return 1 - self._bar(1)

    def deepen(self) -> Iterator[None]:
        """Search the next turn: first for the plans that both sides now choose, then for plans that are nearly as good.
        Yields after each step, so that the caller can stop."""
        mixes = self._mix(0), self._mix(1)
        near = [self._near(who, mixes[1 - who]) for who in range(2)]
        self._value = cache(partial(next_turn, self.ground))
        self._first, self._cell = self._cell, self._look()
        rows, columns = [*mixes[0]], [*mixes[1]]
        waiting = [[plan for plan in near[who] if plan not in mixes[who]] for who in range(2)]
        for row in rows:
            for column in columns:
                self._cell(row, column)
            yield
        self._in_play = rows, columns
        self._solve()
        while True:
            yield
            mixes = self._mix(0), self._mix(1)
            better: list[tuple[float, int, int]] = []
            for who in range(2):
                bar = self._bar(who)
                for plan in waiting[who]:
                    better.append((self._looked_into(who, plan, mixes[1 - who], bar) - bar, who, plan))
                    yield
            better = [candidate for candidate in better if candidate[0] > _ENOUGH]
            if not better:
                return
            for _, who, plan in sorted(better, reverse=True)[:4]:
                waiting[who].remove(plan)
                self._in_play[who].append(plan)
            self._solve()

    def _looked_into(self, who: int, plan: int, mix: Mapping[int, float], bar: float) -> float:
        """Return the value of a plan against a mix of the other side, after searching the next turn. Stop as soon as
        the value appears to be too far below `bar`, and return an estimate."""
        score = self._score(who, plan, mix, self._first)
        for reply, part in sorted(mix.items(), key=itemgetter(1), reverse=True):
            if score < bar - _HOPELESS:
                break
            way = (reply, plan) if who else (plan, reply)
            gain = part * (self._cell(*way) - self._first(*way))
            score += -gain if who else gain
        return score

    def _near(self, who: int, mix: Mapping[int, float]) -> list[int]:
        """Return the plans of side `who` that score best against a mix of the other side (the number of these plans is
        the level's `deep`), followed by the plans already in play."""
        every = range(len(self._plans[who]))
        best = sorted(every, key=lambda plan: (-self._score(who, plan, mix, self._cell), plan))[: self.level.deep]
        return [*dict.fromkeys([*best, *self._in_play[who]])]

    def _look(self) -> Callable[[int, int], float]:
        """Return a cached function that computes the value of a pair of plans for the first side."""
        mine, yours = self._plans

        @cache
        def cell(row: int, column: int) -> float:
            return self.worth(0, mine[row], yours[column])

        return cell

    def _solve(self) -> None:
        (rows, columns), cell, plain = self._in_play, self._cell, self._plain
        table = [[cell(row, column) for column in columns] for row in rows]
        if plain is not None:
            part = self.level.plain
            for line, row in zip(table, rows, strict=True):
                line[:] = [(1 - part) * value + part * cell(row, plain) for value in line]
        self._solution = solve(table, self.level.rounds)

    def _mix(self, who: int) -> dict[int, float]:
        """Return the plans of side `who` with the probabilities that the other side assumes."""
        parts = self._solution.columns if who else self._solution.rows
        likely = {plan: part for plan, part in zip(self._in_play[who], parts, strict=True) if part > _RARE}
        total, plain = sum(likely.values()), self._plain if who else None
        if plain is not None:
            total /= 1 - self.level.plain
            likely[plain] = likely.get(plain, 0) + total * self.level.plain
        return {plan: part / total for plan, part in likely.items()}

    def _bar(self, who: int) -> float:
        """Return the value of the current solution for side `who`, which another plan must exceed to be an
        improvement."""
        value, part = self._solution.value, self.level.plain
        if not who:
            return value
        if self._plain is None:
            return 1 - value
        plain = sum([share * self._cell(row, self._plain) for row, share in self._mix(0).items()])
        return 1 - (value - part * plain) / (1 - part)

    def _score(self, who: int, plan: int, mix: Mapping[int, float], cell: Callable[[int, int], float]) -> float:
        """Return the value of a plan for side `who` against a mix of the other side."""
        if who:
            return 1 - sum([part * cell(reply, plan) for reply, part in mix.items()])
        return sum([part * cell(plan, reply) for reply, part in mix.items()])

    def _join(self, who: int, mix: Mapping[int, float], number: int) -> float:
        """Put `number` plans of side `who` into play, unless they already are: those that score best against a mix of
        the other side. Return the value of the best one."""
        best = sorted([(self._score(who, plan, mix, self._cell), -plan) for plan in self._pool[who]], reverse=True)
        self._pool[who] = [-plan for _, plan in best[: self.level.pool]]
        best = best[:number]
        best = sorted([*best, *self._struck(who, best, mix)], reverse=True)
        for _, plan in best[:number]:
            if -plan not in self._in_play[who]:
                self._in_play[who].append(-plan)
        return best[0][0]

    def _struck(self, who: int, best: Sequence[tuple[float, int]], mix: Mapping[int, float]) -> list[tuple[float, int]]:
        """Make a new plan from each plan in `best` that a bombardment improves, by adding the best bombardment. Return
        the new plans.

        Plans are given and returned as pairs of a value and a negated index: in descending order, the earliest of
        several equally good plans then comes first.
        """
        struck, own, theirs = [], self._plans[who], self._plans[1 - who]
        for bar, plan in best:
            top, with_it = bar, None
            for target in self._targets[who] if own[-plan].bomb < 0 else ():
                tried = own[-plan]._replace(bomb=target)
                score = sum([part * self.worth(who, tried, theirs[reply]) for reply, part in mix.items()])
                if score > top:
                    top, with_it = score, tried
            if with_it:
                struck.append((top, -len(own)))
                self._pool[who] = [*self._pool[who], len(own)]
                own.append(with_it)
        return struck


def _thought_of(all_plans: list[Plan], level: Level, chance: QuickChance | None) -> list[Plan]:
    """Return the plans that a level considers, always including the first plan."""
    if chance is None or level.seen >= 256:
        return all_plans
    return [all_plans[0], *[plan for plan in all_plans[1:] if chance.pick(256) < level.seen]]


def next_turn(ground: Ground, position: Position) -> float:
    """Return the value of a position, found by solving the matrix game of its turn."""
    end = ended(ground, position)
    if end is not None:
        return end
    contest = Contest(ground, position, _NEXT)
    for _ in range(_NEXT.growth):
        if not contest.grow():
            break
    return contest.value


def think(state: State, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
    """Yield ever better orders, as a search at the given level finds them."""
    luck = quick(chance)
    drawn = luck.pick(1 << 30) / (1 << 30)
    for contest in _contests(state, seat, level, luck):
        yield Thought(_drawn(contest, drawn), contest.value)


def win_share(state: State, seat: Seat) -> float:
    """Return the share of the win that a side would get if both players were equally strong."""
    return win_share_of(ground_of(state.board), position_of(state, seat))


def weigh(state: State, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> list[float]:
    """Return the value of each of the given orders against the mix of plans that the search at this level expects from
    the other side."""
    *_, contest = _contests(state, seat, level, quick(chance))
    thoughts = [plan_of(contest.ground, contest.position, 1, letter) for letter in orders]
    mix = contest.mix(1)
    return [sum(part * contest.worth(0, plan, reply) for reply, part in mix) for plan in thoughts]


def _contests(state: State, seat: Seat, level: int, luck: QuickChance) -> Iterator[Contest]:
    """Yield the contest of a turn at each stage of the search."""
    ground, position, how = ground_of(state.board), position_of(state, seat), LEVELS[level]
    if how.wide > 1:
        yield Contest(ground, position, _FIRST)
    plain = plan_of(ground, position, -1, choose(state, opponent(seat))) if how.plain else None
    contest = Contest(ground, position, how, luck, plain)
    yield contest
    for _ in range(how.growth):
        if not contest.grow():
            break
        yield contest
    for _ in contest.deepen() if how.deep else ():
        yield contest


def _drawn(contest: Contest, drawn: float) -> Orders:
    """Choose orders at random from the mix of a contest. `drawn`, a random number from 0 to 1, decides the choice."""
    mix = contest.mix(0)
    plan, _ = mix[min(bisect([*accumulate(part for _, part in mix)], drawn), len(mix) - 1)]
    return orders_of(contest.ground, plan)
