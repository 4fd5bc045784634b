"""What a run leaves behind is gone on with: nothing is lost, nothing counted twice, and nothing is mixed."""

import json

import pytest

from pbem.lab.play import Experiment, LabError
from pbem.lab.results import open_results
from support.each import each

OF = Experiment("rocknroll", {"set": "base"}, ("simple", "1"), 1, "c0de")


def game(number, **more):
    return {
        "number": number,
        "played": {"vpa": "1", "vietnam": "1"},
        "winner": "vpa",
        "best": ["vpa"],
        "rounds": 9,
        "turns": 5,
        "why": "Vietnam has no unit left.",
        "took": {"vpa": 1.0, "vietnam": 2.0},
        "decisions": {"vpa": 5, "vietnam": 4},
        "game": "c0ffee",
        **more,
    }


def numbers(path, of=OF):
    with open_results(path, of) as results:
        assert results.took == 3 * len(results.games)
        return sorted(results.games)


def test_games_are_there_again_whatever_their_order(tmp_path):
    with open_results(tmp_path / "r", OF) as results:
        results.add([game(2), game(0)])
        results.add([game(1)])
        assert [one["number"] for one in results.first(3)] == [0, 1, 2]
    assert numbers(tmp_path / "r") == [0, 1, 2]


def test_a_game_is_kept_once(tmp_path):
    with open_results(tmp_path / "r", OF) as results:
        results.add([game(0), game(0)])
        results.add([game(0)])
    assert (tmp_path / "r").read_text().count("number") == 1


def test_what_is_left_of_a_line_is_played_again_wherever_the_run_was_killed(tmp_path):
    path = tmp_path / "r"
    with open_results(path, OF) as results:
        results.add([game(0), game(1)])
    whole = path.read_bytes()
    ends = [at for at, byte in enumerate(whole, start=1) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        there = max(0, sum(end <= length for end in ends) - 1)
        with open_results(path, OF) as results:
            assert sorted(results.games) == [*range(there)]
            results.add([game(0), game(1)])
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (Experiment("rocknroll", {"set": "base"}, ("simple", "1"), 2, "c0de"), "other settings (seed: 1, not 2)"),
        (
            Experiment("rocknroll", {"set": "base"}, ("simple", "2"), 1, "c0de"),
            'other settings (players: ["simple", "1"], not ["simple", "2"])',
        ),
        (Experiment("rocknroll", {"set": "base"}, ("simple", "1"), 1, "d1fe"), "another version of the rules"),
    ],
)
def test_a_file_of_other_settings_is_refused_and_left_as_it_is(tmp_path, other, said):
    numbers(tmp_path / "r")
    before = (tmp_path / "r").read_bytes()
    with pytest.raises(LabError) as error, open_results(tmp_path / "r", other):
        pass
    assert said in str(error.value)
    assert str(error.value).endswith("; name another file.")
    assert (tmp_path / "r").read_bytes() == before


@pytest.mark.parametrize("text", ["Dear diary", "Dear diary\n", '{"number": 1}\n', "[]\n", "\n"])
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path, text):
    (tmp_path / "r").write_text(text)
    with (
        pytest.raises(LabError, match=r"r: has no results of `pbem lab`; name another file\."),
        open_results(tmp_path / "r", OF),
    ):
        pass
    assert (tmp_path / "r").read_text() == text


def test_a_line_that_is_no_game_is_told(tmp_path):
    with open_results(tmp_path / "r", OF) as results:
        results.add([game(0)])
    with (tmp_path / "r").open("a") as file:
        file.write("what?\n" + json.dumps(game(1)) + "\n")
    with pytest.raises(LabError, match="line 3 is no game: 'what\\?'; delete the line"):
        numbers(tmp_path / "r")


@each(
    "change, said",
    [
        ({"took": None}, "took: this should be an object"),
        ({"took": {"vpa": "long", "vietnam": 1.0}}, "took, vpa: this should be a number"),
        ({"took": {"vpa": 1.0}}, "took: these are not the sides that were played"),
        ({"number": [1]}, "number: this should be a whole number"),
        ({"number": -1}, "number: this should be a number that is 0 or more"),
        ({"winner": "france"}, "winner: this is no side that was played"),
        ({"best": ["france"]}, "best: this is no side that was played"),
        ({"turns": "many"}, "turns: this should be a whole number"),
        ({"decisions": {}}, "decisions: these are not the sides that were played"),
    ],
)
def test_a_broken_line_is_named_with_what_is_wrong_in_it(tmp_path, change, said):
    with open_results(tmp_path / "r", OF) as results:
        results.add([game(0)])
    with (tmp_path / "r").open("a") as file:
        file.write(json.dumps(game(1) | change) + "\n")
    with pytest.raises(LabError) as caught:
        numbers(tmp_path / "r")
    assert f": line 3 is no game: {said}" in str(caught.value)
    (tmp_path / "r").unlink()


def test_a_line_without_a_part_of_a_game_is_named(tmp_path):
    with open_results(tmp_path / "r", OF) as results:
        results.add([{key: value for key, value in game(0).items() if key != "winner"}])
    with pytest.raises(LabError, match="line 2 is no game: winner: this is missing; delete the line"):
        numbers(tmp_path / "r")


def test_two_runs_never_write_to_one_file(tmp_path):
    with open_results(tmp_path / "r", OF), pytest.raises(LabError, match="another run writes to it"):
        numbers(tmp_path / "r")
