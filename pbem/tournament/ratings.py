"""How strong players are, as far as games tell, and how reliably they write."""

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

_MU, _SIGMA = 25.0, 25 / 3
_BETA = _SIGMA / 2  # how much a player's single games differ
_TAU = _MU / 300  # what is less sure before each game, since people learn and forget
_LEAST = 0.0001  # what is left of a variance at least

# A point of mu in points as people know them, where 400 points of difference mean ten wins to one, as in Elo's scale.
# In the model of Bradley and Terry the odds between two players known exactly are exp(difference of mu / (beta √2)).
_POINTS = 400 / log(10) / (_BETA * sqrt(2))


class Rating(NamedTuple):
    """What is known of a player's strength: a normal distribution of their skill.

    People are shown `points` and a `margin` on the scale of Elo: a newcomer has 1500, the better of two wins three
    games in four at 191 points of difference and ten in eleven at 400. The margin is one standard deviation: the true
    strength lies within it two times in three. A newcomer's is 246.
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
    """Both ratings after a game in which `rating` scored 1 for a win, 0.5 for a draw or 0 for a loss."""
    (first,), (second,) = after_table([[rating], [opponent]], (1 + (score < 0.5), 1 + (score > 0.5)))
    return first, second


def after_table(sides: Sequence[Sequence[Rating]], ranks: Sequence[int]) -> list[list[Rating]]:
    """All ratings after a game of several sides, by their places: 1 for the best, equal ones together.

    R. C. Weng and C.-J. Lin, "A Bayesian Approximation Method for Online Ranking" (2011), algorithm 1: the model of
    Bradley and Terry; their gamma is sigma / c. Each pair of sides is compared once, all of them with the ratings from
    before the game; what follows from the comparisons is added up. The strength of a side is the sum of its players'.
    """
    variances = [sum(rating.sigma**2 + _TAU**2 for rating in side) for side in sides]
    strengths = [sum(rating.mu for rating in side) for side in sides]
    after = []
    for at, side in enumerate(sides):
        gain = shrinking = 0.0  # the paper's omega and delta, of the whole side
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
    """How strong a player is, None before their first rated game; and how reliable, None before their first turn."""

    rating: Rating | None = None
    reliability: float | None = None


UNKNOWN = Strength()


def reliability(on_time: int, turns: int) -> float | None:
    """The share of turns for which orders came on time, from 0 to 1; None before the first turn."""
    return on_time / turns if turns else None
