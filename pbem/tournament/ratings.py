"""Ratings: how strong players are, estimated from their games, and how reliably they send their orders."""

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

_MU, _SIGMA = 25.0, 25 / 3
_BETA = _SIGMA / 2  # how much a player's performance varies from game to game
_TAU = _MU / 300  # uncertainty added before each game, because people learn and forget
_LEAST = 0.0001  # the smallest share of a variance that remains after a game

# Rating points per unit of mu, so that a difference of 400 points means odds of ten to one, as on Elo's scale. In the
# Bradley-Terry model, the odds between two players of exactly known strength are exp(difference of mu / (beta √2)).
_POINTS = 400 / log(10) / (_BETA * sqrt(2))


class Rating(NamedTuple):
    """The estimate of a player's strength: a normal distribution of their skill.

    People see `points` and a `margin` on Elo's scale: a newcomer has 1500; with a difference of 191 points, the better
    of two players wins three games in four, and with 400, ten in eleven. The margin is one standard deviation: the true
    strength lies within it two times in three. A newcomer's margin is 246.
    """

    mu: float = _MU
    sigma: float = _SIGMA

    @property
    def points(self) -> int:
        return round(1500 + _POINTS * (self.mu - _MU))

    @property
    def margin(self) -> int:
        return round(_POINTS * self.sigma)


def after_game(rating: Rating, opponent: Rating, score: float) -> tuple[Rating, Rating]:
    """Return both ratings after a game in which `rating` scored 1 for a win, 0.5 for a draw or 0 for a loss."""
    (first,), (second,) = after_table([[rating], [opponent]], (1 + (score < 0.5), 1 + (score > 0.5)))
    return first, second


def after_table(sides: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
    """Return the new ratings of all players, grouped by side, after a game of several sides. `ranks` contains the rank
    of each side: 1 for the best, and the same number for equal sides.

    The method is algorithm 1 for the Bradley-Terry model in R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method
    for Online Ranking" (2011); their gamma is sigma / c. Each pair of sides is compared once, using the ratings from
    before the game, and the updates are added up. The strength of a side is the sum of its players' strengths.
    """
    variances = [sum(rating.sigma**2 + _TAU**2 for rating in side) for side in sides]
    strengths = [sum(rating.mu for rating in side) for side in sides]
    after = []
    for at, side in enumerate(sides):
        gain = shrinking = 0.0  # the paper's omega and delta, for the whole side
        for opponent in (opponent for opponent in range(len(sides)) if opponent != at):
            spread = sqrt(variances[at] + variances[opponent] + 2 * _BETA**2)  # c in the paper
            expected = 1 / (1 + exp((strengths[opponent] - strengths[at]) / spread))
            score = 0.5 if ranks[at] == ranks[opponent] else float(ranks[at] < ranks[opponent])
            gain += variances[at] / spread * (score - expected)
            shrinking += (variances[at] / spread**2) ** 1.5 * expected * (1 - expected)
        shares = [(rating.sigma**2 + _TAU**2) / variances[at] for rating in side]
        after.append(
            [
                Rating(rating.mu + share * gain, sqrt((rating.sigma**2 + _TAU**2) * max(1 - share * shrinking, _LEAST)))
                for rating, share in zip(side, shares, strict=True)
            ]
        )
    return after


class Strength(NamedTuple):
    """A player's strength, None before their first rated game, and their reliability, None before their first turn."""

    rating: Rating | None = None
    reliability: float | None = None


UNKNOWN = Strength()


def reliability(on_time: int, turns: int) -> float | None:
    """Return the share of turns, from 0 to 1, for which orders came in time; None before the first turn."""
    return on_time / turns if turns else None
