"""Matrix games: two sides secretly choose a row and a column, and the entry there is the payoff of the first side.

They are solved by regret matching (Hart and Mas-Colell 2000). The variant used is regret matching+, with alternating
updates and with averages that give later rounds more weight (Tammelin 2014). Bosansky, Lisy, Lanctot, Cermak and
Winands use it to search games with simultaneous moves ("Algorithms for computing strategies in two-player simultaneous
move games", 2016).
"""

from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

Mix = Sequence[float]
"""The probability of each choice. The probabilities add up to 1."""


class Solution(NamedTuple):
    """The mixed strategies of both sides, nearly in equilibrium, and the value for the first side."""

    rows: Mix
    columns: Mix
    value: float


def solve(payoffs: Sequence[Sequence[float]], rounds: int) -> Solution:
    """Solve the game with the given payoffs in `rounds` rounds of regret matching, or directly if it has a saddle
    point."""
    columns = [*zip(*payoffs, strict=True)]
    lows, highs = [min(row) for row in payoffs], [max(column) for column in columns]
    if max(lows) >= min(highs):
        row, column = lows.index(max(lows)), highs.index(min(highs))
        return Solution(_only(row, len(payoffs)), _only(column, len(columns)), max(lows))
    x, y = [1 / len(payoffs)] * len(payoffs), [1 / len(columns)] * len(columns)
    p, q = [0.0] * len(x), [0.0] * len(y)
    mean_x, mean_y = [0.0] * len(x), [0.0] * len(y)
    for weight in range(1, rounds + 1):
        has = [sum(map(mul, x, column)) for column in columns]
        even = sum(map(mul, has, y))
        q = [regret if (regret := old + even - value) > 0 else 0.0 for old, value in zip(q, has, strict=True)]
        y = _normal(q)
        has = [sum(map(mul, y, row)) for row in payoffs]
        even = sum(map(mul, has, x))
        p = [regret if (regret := old + value - even) > 0 else 0.0 for old, value in zip(p, has, strict=True)]
        x = _normal(p)
        mean_x = [old + weight * part for old, part in zip(mean_x, x, strict=True)]
        mean_y = [old + weight * part for old, part in zip(mean_y, y, strict=True)]
    x, y = _normal(mean_x), _normal(mean_y)
    least = min(sum(map(mul, x, column)) for column in columns)
    most = max(sum(map(mul, y, row)) for row in payoffs)
    return Solution(x, y, (least + most) / 2)


def _only(index: int, number: int) -> list[float]:
    return [float(at == index) for at in range(number)]


def _normal(weights: Sequence[float]) -> list[float]:
    total = sum(weights)
    return [weight / total for weight in weights] if total > 0 else [1 / len(weights)] * len(weights)
