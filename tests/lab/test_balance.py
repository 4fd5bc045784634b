"""What docs/balance.md calls fair is fair, game by game as it says there."""

import pytest

from pbem.games import find_game
from pbem.games.options import with_defaults
from pbem.lab.figures import figures_of, verdict
from pbem.lab.play import experiment
from pbem.lab.results import Results
from pbem.lab.run import play_all, processes
from support.docs import page

pytestmark = pytest.mark.long


@pytest.mark.parametrize(
    ("game", "options", "word", "level", "number", "side"),
    [
        ("rocknroll", {"set": "base-2"}, "base-2", "simple", 2000, "VPA"),
        ("rocknroll", {"set": "base-2"}, "base-2", "2", 2000, "VPA"),
        ("rocknroll", {"set": "expansion"}, "expansion", "simple", 1000, "VPA"),
        ("ozz", {"scenario": "hill"}, "hill", "simple", 2000, "Munchkins"),
        ("ozz", {"scenario": "siege"}, "siege", "simple", 2000, "Munchkins"),
    ],
)
def test_the_sides_are_fair(game, options, word, level, number, side):
    found = find_game(game)
    of = experiment(found, with_defaults(found.title, found.options(options), options), (level,), 1)
    results = Results()
    with processes() as workers:
        play_all(of, number, results, workers)
    told = figures_of(of, results.first(number))
    assert verdict(told).startswith("It is fair: ")
    share = next(iter(told.scores.values())).share
    assert f"| `{word}` | {level} | {number:,} | {side} {share} |" in page("docs/balance.md")
