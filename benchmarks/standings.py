"""The standings of a big league, beside a plain sum of the points."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from random import Random
from time import perf_counter

from benchmarks.report import Row
from pbem.standings import TIE_BREAKS, Result, Scoring, standings

PLAYERS, ROUNDS = 64, 20


def measure() -> Iterator[Row]:
    """A whole season in which each has met each, with all tie-breaks; the best of some rounds."""
    dice = Random(64)
    results = [
        Result(1, red, blue, dice.choice((red, blue, None)), cities={red: dice.randrange(6), blue: dice.randrange(6)})
        for red, blue in combinations(range(PLAYERS), 2)
    ]

    def whole() -> None:
        rows = standings(range(PLAYERS), results, {}, Scoring(tie_breaks=TIE_BREAKS))
        assert len(rows) == PLAYERS

    def sums() -> None:
        points: dict[int, float] = defaultdict(float)
        for result in results:
            for player in (result.red, result.blue):
                points[player] += 0.5 if result.winner is None else float(result.winner == player)
        assert len(points) == PLAYERS

    number, beside = _milliseconds(whole), _milliseconds(sums)
    yield Row("standings of 64", number, "ms", "sums of points alone", beside, "< 50", number < 50)


def _milliseconds(work: Callable[[], None]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return 1000 * best
