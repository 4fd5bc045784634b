"""The evaluation of positions from public information: the share of the win that each seat would get if all players
were equally strong.

The score of a nation is a weighted sum of several measures. The shares are proportional to the exponentials of the
scores (Bradley and Terry 1952; for two nations, this is the logistic function of the difference). The weights, and how
they change with the number of turns left, were fitted to the results of games between computer players.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from math import exp

from pbem.games.base import Seat
from pbem.games.ozz.data import Data
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.table import active, scores, strength, values

Measures = tuple[float, ...]

_LONG = 10  # the number of turns left beyond which further turns make no difference
_WALL = 3  # the defensive value of one point of a Center's strength

_NOW: Measures = (0.49, 0.13, 0.25, 0.32, 0.1, -0.38, 0.0)
"""The weights of the measures at the end of the game, in the order in which `measures` returns them: points, strength,
future recruits, Heroes, the Ruler, danger to the Castle, and danger to forts."""
_LATER: Measures = (-0.43, 0.12, -0.2, 0.3, 0.0, -0.25, -0.4)
"""The amounts that are added to the weights in `_NOW` when `_LONG` turns or more are left; with fewer turns left, a
proportionate part of them is added."""

_AMONG_MORE = 0.4
"""The factor by which scores count in games of three or four nations, where the others gang up on the leader. In games
of two nations, the factor is 1."""

_SKIRMISH = 14.0
"""The weight that the difference between the strengths of the two sides, divided by their total strength, has at the
end of a skirmish."""


def win_share(state: State, seat: Seat) -> float:
    """Estimate the share of the win, from 0 to 1, that `seat` would get if all players were equally strong."""
    if state.result:
        winner = state.result.winner
        return float(winner == seat) if winner else 1 / len(state.seats)
    if state.battle and state.battle.at is None:
        return _skirmish(state, state.battle, seat)
    turns = state.options.turns - state.turn + 1
    by_seat = measures(state)
    if seat not in by_seat:
        return 0.0
    sure = 1 if len(state.seats) == 2 else _AMONG_MORE
    worth = {nation: exp(sure * _score(values, turns)) for nation, values in by_seat.items()}
    return worth[seat] / sum(worth.values())


def _score(values: Measures, turns: int) -> float:
    share = min(turns, _LONG) / _LONG
    return sum(value * (now + share * later) for value, now, later in zip(values, _NOW, _LATER, strict=True))


def measures(state: State) -> Mapping[Seat, Measures]:
    """Return the measures of each nation that is not out: its points, strength, future recruits, Heroes and Ruler, the
    danger to its Castle, and the danger to its other Fortified Centers."""
    data, points = state.data, scores(state)
    cards, seats = data.counters, active(state)
    power: dict[str, dict[Seat, int]] = {}
    total, heroes, rulers = (dict.fromkeys(seats, 0) for _ in range(3))
    for code, counter in state.units.items():
        card, seat = cards[code], counter.seat
        heroes[seat] += card.kind == "hero"
        rulers[seat] += card.kind == "ruler"
        total[seat] += card.value
        there = power.setdefault(counter.at or "", {})
        there[seat] = there.get(seat, 0) + card.value
    castles, forts = (dict.fromkeys(seats, 0.0) for _ in range(2))
    for point in data.centers:
        if (nation := data.points[point].nation) in castles and (walls := strength(state, point)):
            danger = _danger(data, power, point, _WALL * walls)
            (castles if data.points[point].kind == "castle" else forts)[nation or ""] += danger
    turns = state.options.turns - state.turn + 1
    return {
        seat: (
            points[seat],
            total[seat],
            min(len(state.pools.get(seat, ())), heroes[seat] * turns),
            heroes[seat],
            rulers[seat],
            castles[seat],
            forts[seat],
        )
        for seat in seats
    }


def _danger(data: Data, power: Mapping[str, Mapping[Seat, int]], point: str, walls: int) -> float:
    """Estimate the danger to the Fortified Center `point`, from 0 to 1, by the square law of battles (Lanchester 1916).
    The law compares the strength that enemies can bring there in one move with the strength of the defence."""
    nation, threat = data.points[point].nation or "", 0
    for near in _reach(data)[point]:
        for seat, value in power.get(near, _NOBODY).items():
            if seat != nation:
                threat += value
    defence = walls + power.get(point, _NOBODY).get(nation, 0)
    return threat * threat / (threat * threat + defence * defence)


_NOBODY: Mapping[Seat, int] = {}


@lru_cache(maxsize=8)
def _reach(data: Data) -> Mapping[str, Collection[str]]:
    """Return, for each point, the points from which it can be reached in one move if nobody is in the way."""
    sources = {}
    for point in data.points:
        costs, waiting = {point: 0}, [point]
        for at in waiting:
            for end, kind in data.links[at].items():
                spent = costs[at] + data.cost[kind]
                if spent <= min(data.allowance, costs.get(end, spent + 1) - 1):
                    costs[end] = spent
                    waiting.append(end)
        sources[point] = frozenset(costs)
    return sources


def _skirmish(state: State, battle: Battle, seat: Seat) -> float:
    """Estimate the share of the win that `seat` would get in a skirmish, based on the total values of both sides' units
    on the board (§9.4). The same difference counts for more in later turns."""
    worth = values(battle, state)
    own, all_ = worth.get(seat, 0), sum(worth.values())
    gone = battle.turn / state.data.values["battle_turns"]
    return 1 / (1 + exp(-_SKIRMISH * gone * (2 * own / all_ - 1))) if all_ else 0.5
