"""A game of an experiment is the same wherever and whenever it is played."""

import os
import subprocess
import sys

import pytest

from pbem.games import find_game
from pbem.lab.play import LabError, code_of_games, experiment, play, play_games
from support.paths import ROOT

SHORT = {"length": "short"}


def of_wars(*players, seed=1, **options):
    return experiment(find_game("rocknroll"), {**SHORT, **options}, players or ("simple",), seed)


def lasting(outcome):
    """All of an outcome but what the machine has to do with."""
    return {key: value for key, value in outcome.items() if key != "took"}


@pytest.mark.parametrize(
    ("name", "options"), [("ozymandia", {}), ("rocknroll", SHORT), ("ozz", {"battles": "fast", "turns": 3})]
)
def test_a_game_is_played_to_its_end_and_counted(name, options):
    game = find_game(name)
    found = play(experiment(game, options, ("simple", "1"), 1), 1)
    assert found["played"] == dict(zip((one.side for one in game.seats(options)), ("1", "simple"), strict=True))
    assert found["winner"] in (None, *found["played"])
    assert found["best"] == ([found["winner"]] if found["winner"] else sorted(found["played"]))
    assert 0 < found["turns"] <= found["rounds"]
    assert all(found["decisions"][side] and found["took"][side] for side in found["played"])
    assert found["why"]


def test_a_game_hangs_on_its_seed_and_number_alone():
    first, again, other, another = (
        lasting(play(of_wars(seed=seed), number)) for seed, number in ((1, 3), (1, 3), (1, 4), (2, 3))
    )
    assert first == again
    assert len({one["game"] for one in (first, other, another)}) == 3


def test_it_is_the_same_in_another_process_whatever_its_hashes_are_and_whatever_was_played_before():
    said = (
        "import sys; from pbem.lab.play import *; from pbem.games import find_game\n"
        "for name, options in (('ozymandia', {}), ('ozz', {'battles': 'fast', 'turns': 4}), "
        "('ozz', {'scenario': 'hill'}), ('rocknroll', {'length': 'short'})):\n"
        "    of = experiment(find_game(name), options, ('2',), 1)\n"
        "    print(*([play(of, int(number))['game'] for number in sys.argv[1:]][-1:]))"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", said, *map(str, numbers)],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed, numbers in (("0", (25,)), ("1", (0, 25)), ("2", (25,)))
    ]
    assert len(told[0].split()) == 4
    assert told[0] == told[1] == told[2]


def test_two_players_change_sides_over_the_same_deal():
    first, second, third = (play(of_wars("simple", "1"), number)["played"] for number in range(3))
    assert [one["vpa"] for one in (first, second, third)] == ["simple", "1", "simple"]
    first, second, third = (play(of_wars("simple", "simple"), number)["game"] for number in range(3))
    assert first == second != third


def test_a_game_that_does_not_end_is_stopped(monkeypatch):
    monkeypatch.setattr("pbem.lab.play.MOST_ROUNDS", 2)
    found = play(of_wars(), 0)
    assert (found["winner"], found["rounds"], found["why"]) == (None, 2, "It was not over after 2 rounds.")
    assert found["best"] == ["vietnam", "vpa"]


def test_of_four_the_first_player_has_each_side_in_turn():
    nations = ("munchkins", "winkies", "quadlings", "gillikins")
    of = experiment(find_game("ozz"), {"nations": nations, "battles": "fast", "turns": 1}, ("simple", "1"), 1)
    for number, nation in enumerate((*nations, nations[0])):
        assert [side for side, player in play(of, number)["played"].items() if player == "simple"] == [nation]


def test_of_four_who_have_the_first_place_share_a_draw():
    nations = ("munchkins", "winkies", "quadlings", "gillikins")
    of = experiment(find_game("ozz"), {"nations": nations, "battles": "fast", "turns": 2}, ("simple",), 1)
    drawn = next(one for one in (play(of, number) for number in range(50)) if one["winner"] is None)
    assert 1 < len(drawn["best"]) <= 4


def test_a_level_that_is_none_and_a_game_without_opponents_are_refused():
    with pytest.raises(LabError, match='There is no level "6": there are simple, 1, 2, 3, 4, 5'):
        of_wars("simple", "6")


def test_a_worker_with_other_rules_is_refused():
    of = of_wars()
    assert play_games(of, code_of_games(), [0])
    with pytest.raises(LabError, match="another version of pbem"):
        play_games(of, "0" * 64, [0])


def test_other_cards_make_another_experiment(tmp_path):
    shipped = ROOT / "pbem" / "games" / "rocknroll" / "sets" / "base.json"
    mine = tmp_path / "mine.json"
    mine.write_text(shipped.read_text("utf-8"), "utf-8")
    before = of_wars(set=str(mine))
    assert before == of_wars(set=str(mine))
    mine.write_text(shipped.read_text("utf-8").replace("house", "mine", 1), "utf-8")
    assert before.code != of_wars(set=str(mine)).code
