"""How a position stands: the share of the win that equals would have from it, read off what everybody sees.

Each nation has some measures, their weighted sum is its score, and the shares are those of the exponentials of the
scores (Bradley and Terry 1952; of two nations the logistic function of their difference). The weights were fitted to
the results of games that computer players played against each other; what the turns that are left add to a measure was
fitted with them.
"""

from collections.abc import Mapping
from math import exp

from pbem.games.base import Seat
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.table import active, scores, strength, values

Measures = tuple[float, ...]

_LONG = 10  # turns left, from which on more make no difference
_WALL = 3  # what one of the strength of a Castle counts against that danger
_NEAR = 2  # links from a Castle, from which on enemies are a danger

_NOW: Measures = (0.55, 0.11, 0.0, 0.1, 0.1, 0.0)
"""What a point, a value of strength, a recruit to come, a Hero, the Ruler, the danger for the Castle are worth at the
end."""
_LATER: Measures = (-0.52, 0.05, 0.0, 0.4, 0.0, 0.0)
"""What is added to that when all turns are left."""

_SKIRMISH = 4.0
"""What all of the strength on the board is worth in a skirmish."""


def outlook(state: State, seat: Seat) -> float:
    """The share of the win that a seat would have among equals, from 0 to 1."""
    if state.result:
        winner = state.result.winner
        return float(winner == seat) if winner else 1 / len(state.seats)
    if state.battle and state.battle.at is None:
        return _skirmish(state, state.battle, seat)
    left = state.options.turns - state.turn + 1
    found = measures(state)
    if seat not in found:
        return 0.0
    worth = {one: exp(_score(values, left)) for one, values in found.items()}
    return worth[seat] / sum(worth.values())


def _score(values: Measures, left: int) -> float:
    share = min(left, _LONG) / _LONG
    return sum(value * (now + share * later) for value, now, later in zip(values, _NOW, _LATER, strict=True))


def measures(state: State) -> Mapping[Seat, Measures]:
    """Of each nation that is not out: points, strength, recruits to come, Heroes, its Ruler, danger for its Castle."""
    data, points = state.data, scores(state)
    cards, seats = data.counters, active(state)
    near = {seat: data.distances[data.castles[seat]] for seat in seats}
    power, heroes, rulers = (dict.fromkeys(seats, 0) for _ in range(3))
    siege = {seat: -_WALL * strength(state, data.castles[seat]) for seat in seats}
    for code, one in state.units.items():
        card = cards[code]
        if card.leader:
            heroes[one.seat] += card.kind == "hero"
            rulers[one.seat] += card.kind == "ruler"
            continue
        power[one.seat] += card.value
        for seat in seats:
            links = near[seat][one.at or ""]
            if links <= (0 if seat == one.seat else _NEAR):
                siege[seat] += -card.value if seat == one.seat else card.value
    left = state.options.turns - state.turn + 1
    return {
        seat: (
            points[seat],
            power[seat],
            min(len(state.pools.get(seat, ())), heroes[seat] * left),
            heroes[seat],
            rulers[seat],
            max(0, siege[seat]),
        )
        for seat in seats
    }


def _skirmish(state: State, battle: Battle, seat: Seat) -> float:
    """By what the units of both sides on the board are worth (§9.4), the surer the later it is."""
    worth = values(battle, state)
    own, all_ = worth.get(seat, 0), sum(worth.values())
    gone = battle.turn / state.data.values["battle_turns"]
    return 1 / (1 + exp(-_SKIRMISH * (1 + gone) * (2 * own / all_ - 1))) if all_ else 0.5
