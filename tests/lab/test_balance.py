"""What docs/balance.md calls fair is fair, game by game as it says there."""

import json

import pytest

from pbem.games import find_game
from pbem.games.options import with_defaults
from pbem.lab.figures import figures, verdict
from pbem.lab.play import experiment
from pbem.lab.results import Results
from pbem.lab.run import play_all, processes
from pbem.lab.tuning import candidates
from support.docs import page

pytestmark = pytest.mark.long


def told(game, options, number):
    """What the laboratory says of games of the simple player, and the share as the page shows it."""
    of = experiment(game, with_defaults(game.title, game.options(options), options), ("simple",), 1)
    results = Results()
    with processes() as workers:
        play_all(of, number, results, workers)
    found = figures(of, results.first(number))
    return verdict(found), f"{next(iter(found.scores.values())).share}"


def test_the_cards_of_expansion_are_fair():
    said, share = told(find_game("rocknroll"), {"set": "expansion"}, 1000)
    assert said.startswith("It is fair: ")
    assert f"| `expansion` | simple | 1,000 | VPA {share} |" in page("docs/balance.md")


@pytest.mark.parametrize(
    ("scenario", "unit", "side"),
    [("hill", "WBA", "Munchkins"), ("sisters", "WI1", "Winkies"), ("siege", "OOG", "Munchkins")],
)
def test_a_skirmish_is_fair_with_a_unit_more_or_less(tmp_path, scenario, unit, side):
    game = find_game("ozz")
    forces = game.new({"scenario": scenario}, None).data.scenarios[scenario]["defenders"]
    value = json.dumps([one for one in forces if one != unit] if unit in forces else [*forces, unit])
    name = f"scenarios.{scenario}.defenders"
    ((_, options),) = candidates(game, {"scenario": scenario}, name, [value], tmp_path).items()
    said, share = told(game, options, 2000)
    assert said.startswith("It is fair: ")
    assert f" | {side} {share} | **fair** |" in page("docs/balance.md")
