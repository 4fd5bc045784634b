"""Estimates of a side's share of the win in a war between equally strong players.

A war is modelled as a chain of rounds. For this round, the next one and each later one, a side's expected share of the
round is a logistic function of features of the row and the hands, which was fitted to games of self-play. From these
shares, the share of the win is computed exactly by the rules of scoring (R54-R61, J17).
"""

from collections.abc import Mapping
from functools import lru_cache
from math import exp
from operator import mul
from typing import NamedTuple

from pbem.games.base import Side
from pbem.games.rocknroll.bot import Odds
from pbem.games.rocknroll.cards import CardSet, opponent
from pbem.games.rocknroll.state import DRAW, UNKNOWN, State

_WEIGHTS: Mapping[str, tuple[float, ...]] = {
    "always": (-0.18, 0.50, -0.15, 0.26, -0.04, 0.14),
    "Points held": (0.52, 0.88, 0.17, 0.25, 0.03, 0.04),
    "held by two or more": (0.41, 0.49, 0.17, 0.23, 0.01, 0.01),
    "held by three or more": (0.15, 0.14, 0.12, 0.20, 0.03, 0.05),
    "units on the row": (0.07, -0.06, 0.17, 0.08, 0.14, 0.19),
    "their strength": (0.08, 0.13, 0.05, 0.08, 0.06, -0.02),
    "units in hands that have a turn": (0.48, 0.64, 0.33, 0.34, 0.14, 0.14),
    "the enemy's": (-0.59, 0.00, -0.34, 0.00, -0.10, 0.00),
    "strength of those units": (0.18, 0.23, 0.10, 0.05, 0.06, 0.09),
    "of the enemy's": (-0.05, 0.00, 0.01, 0.00, -0.12, 0.00),
    "units in hands that have none": (-0.34, -0.03, 0.37, 0.36, 0.20, 0.19),
    "the enemy's of them": (0.31, 0.07, -0.38, -0.47, -0.19, -0.19),
    "orders in hands that have a turn": (0.25, 0.32, 0.07, 0.10, 0.01, 0.00),
    "the enemy's orders": (-0.28, 0.00, -0.06, 0.00, 0.00, 0.00),
    "orders in hands that have none": (-0.03, -0.11, 0.12, 0.13, 0.05, 0.01),
    "the enemy's of those": (0.07, -0.16, -0.09, -0.14, -0.03, -0.02),
    "units in reserve and deck": (0.08, 0.04, 0.24, 0.24, 0.16, 0.18),
    "the enemy's reserve and deck": (-0.06, 0.02, -0.23, -0.22, -0.16, -0.16),
    "RD": (0.04, 0.02, 0.08, 0.02, 0.03, -0.01),
    "the enemy's RD": (-0.02, -0.05, -0.04, -0.07, -0.01, -0.02),
    "losses not made good": (-0.08, -0.01, 0.09, 0.08, 0.01, 0.01),
    "Points with a unit": (0.21, 0.28, 0.09, 0.15, 0.01, 0.00),
    "this round is won": (0.00, 0.00, 0.23, 0.08, 0.00, 0.00),
}
"""The weights of the features for the side to move: a pair each for this round, the next round, and later rounds. The
second weight of a pair is used if no enemy has a turn left in this round. The weights were fitted to 3,300 wars that
the simple player and searches had played."""
_COLUMNS = tuple(zip(*_WEIGHTS.values(), strict=True))
_TIES = 0.4
"""The probability that nobody wins a round in which both sides have equal chances."""


def share(state: State, side: Side) -> float:
    """Return the share of the win that `side` can expect, from 0 to 1; hidden cards count as average ones."""
    if state.winner:
        return 0.5 if state.winner == DRAW else float(state.winner == side)
    mover = state.side_of(state.order[state.next])
    movers = _share(state, mover)
    return movers if mover == side else 1 - movers


_FAR = 25  # the most rounds left that are counted; more make no difference
_STEPS = 40
_MOST_SUPPLY = 8  # the most units in reserve and deck that count

Score = tuple[int, int]
"""The OK of a side and of its enemy."""


class _Chain(NamedTuple):
    """The values that remain the same in all rounds: the OK needed to win, the factor by which the winner of a round
    must be behind to get 2 OK, and the side's expected share of each later round, as a multiple of 1 / `_STEPS`."""

    victory: int
    double: int
    later: int


def _share(state: State, side: Side) -> float:
    """Return the share of the win that `side`, the side to move, can expect."""
    sides, numbers = dict(state.seats), state.cards.numbers
    last = int(all(sides[seat] == side for seat in state.order[state.next :]))
    counts = counted(state, side)
    now, soon, later = (sum(map(mul, counts, _COLUMNS[last + 2 * at])) for at in range(3))
    rounds = _FAR if state.limit is None else min(state.limit - state.round + 1, _FAR)
    chain = _Chain(numbers.victory, numbers.double, min(max(round(_logistic(later) * _STEPS), 1), _STEPS - 1))
    score, won, total = (state.ok[side], state.ok[opponent(side)]), _COLUMNS[2 + last][-1], 0.0
    for outcome, chance in _chances(_logistic(now)):
        total += chance * _won(_scored(score, outcome, chain), _logistic(soon + won * outcome), rounds - 1, chain)
    return total


def _chances(share: float) -> tuple[tuple[int, float], ...]:
    """Return each outcome of a round for a side with its probability: 1 for a win, -1 for a loss, and 0 for a tie.
    `share` is the side's expected share of that round."""
    ties = _TIES * 4 * share * (1 - share)
    return (1, share - ties / 2), (-1, 1 - share - ties / 2), (0, ties)


def _won(score: Score, share: float, rounds: int, chain: _Chain) -> float:
    """Return the share of the win that a side can expect with `rounds` rounds left. `share` is its expected share of
    the next round."""
    own, enemy = score
    if own >= chain.victory or enemy >= chain.victory or rounds <= 0:
        return 0.5 if own == enemy else float(own > enemy)
    total = 0.0
    for outcome, chance in _chances(share):
        total += chance * _won_later(_scored(score, outcome, chain), rounds - 1, chain)
    return total


@lru_cache(maxsize=1 << 16)
def _won_later(score: Score, rounds: int, chain: _Chain) -> float:
    """Return what `_won` returns if a side's expected share is the same in all remaining rounds."""
    return _won(score, chain.later / _STEPS, rounds, chain)


def _scored(score: Score, outcome: int, chain: _Chain) -> Score:
    """Return the OK of both sides after a round with the given outcome (R54, R58)."""
    own, enemy = score
    if outcome > 0:
        return own + (2 if own and own * chain.double <= enemy else 1), enemy
    if outcome < 0:
        return own, enemy + (2 if enemy and enemy * chain.double <= own else 1)
    return score


def _logistic(value: float) -> float:
    return 1 / (1 + exp(-value))


@lru_cache(maxsize=16)
def strengths(cards: CardSet) -> Mapping[str, float]:
    """Return the value that each unit has in a hand, keyed by unit. The value of an unknown unit is the average."""
    odds = Odds(cards, cards.row)
    worth = {name: odds.strength(name) for name in cards.units}
    worth[UNKNOWN] = sum(worth.values()) / len(worth)
    return worth


def counted(state: State, side: Side) -> list[float]:
    """Return the features of the state for `side`, the side to move, in the order of the weights. A feature that
    compares both sides is the difference between them."""
    strength, enemy = strengths(state.cards), opponent(side)
    ctrl = firm = solid = field = present = 0
    hits = 0.0
    for both in state.points.values():
        mine, theirs = both[side], both[enemy]
        ahead = len(mine) - len(theirs)
        field += ahead
        present += bool(mine) - bool(theirs)
        if ahead:
            sign = 1 if ahead > 0 else -1
            ctrl += sign
            if not -2 < ahead < 2:
                firm += sign
                if not -3 < ahead < 3:
                    solid += sign
        for unit in mine:
            hits += strength[unit]
        for unit in theirs:
            hits -= strength[unit]
    supply = [min(len(state.reserve[whose]) + len(state.decks.units[whose]), _MOST_SUPPLY) for whose in (side, enemy)]
    losses = state.losses[side] - state.losses[enemy]
    rest = (*supply, state.rd[side], state.rd[enemy], losses, present)
    return [1.0, ctrl, firm, solid, field, hits, *_held(state, side, strength), *rest]


def _held(state: State, side: Side, strength: Mapping[str, float]) -> list[float]:
    """Return the features of the hands. Hands of seats that still have a turn in this round are counted separately
    from all others."""
    to_play, cards = state.order[state.next :], state.cards.orders
    counts = [0.0] * 10
    for seat, on in state.seats:
        hand, of = state.hands[seat], int(on != side)
        useful = sum(not order or cards[order].side in (None, on) for order in hand.orders)
        if seat in to_play:
            counts[of] += len(hand.units)
            counts[2 + of] += sum(strength[unit] for unit in hand.units)
            counts[6 + of] += useful
        else:
            counts[4 + of] += len(hand.units)
            counts[8 + of] += useful
    return counts
