"""Values are changed one by one, nothing else is, and the fairest is named."""

import json

import pytest

from pbem.games import find_game
from pbem.games.base import GameError
from pbem.lab.figures import figures_of
from pbem.lab.play import Experiment, LabError
from pbem.lab.tuning import MARK, advice, candidates, file_name, tuned
from support.commands import pbem
from support.paths import ROOT

CARDS = ROOT / "pbem" / "games" / "rocknroll" / "sets" / "base.json"
HOUSE = ROOT / "pbem" / "games" / "ozz" / "house-2"


def made(folder, game, name, *values, **chosen):
    return candidates(find_game(game), chosen, name, values, folder)


def test_an_option_takes_one_value_after_the_other(tmp_path):
    found = made(tmp_path, "ozz", "dissipation", "0", "3", scenario="hill")
    assert [(one["scenario"], one["dissipation"]) for one in found.values()] == [("hill", 0), ("hill", 3)]
    found = made(tmp_path, "ozymandia", "trades", "A/V,M/H", "W/E")
    assert [one["trades"] for one in found.values()] == [("A/V", "M/H"), ("W/E",)]
    assert [*made(tmp_path, "ozymandia", "turn-limit", "20")] == ["20"]
    assert [*tmp_path.iterdir()] == []


def test_a_number_of_a_file_is_changed_and_marked_and_nothing_else_is(tmp_path):
    found = made(tmp_path, "rocknroll", "numbers.opening_units", "3", "5", set="base")
    shipped = json.loads(CARDS.read_text("utf-8"))
    for value, options in found.items():
        copy = json.loads((tmp_path / f"numbers.opening_units={value}.json").read_text("utf-8"))
        assert options["set"] == str(tmp_path / f"numbers.opening_units={value}.json")
        assert copy["numbers"].pop("opening_units") == {"value": int(value), "mark": MARK}
        copy["numbers"]["opening_units"] = shipped["numbers"]["opening_units"]
        assert copy == shipped


def test_a_number_of_a_folder_is_changed_in_its_file_alone(tmp_path):
    found = made(tmp_path, "ozz", "counters.units.GUA.melee", "9", scenario="forest")
    (copy,) = (tmp_path / "counters.units.GUA.melee=9",)
    assert found["9"]["data"] == str(copy)
    for file in ("map", "values", "scenarios"):
        assert (copy / f"{file}.json").read_bytes() == (HOUSE / f"{file}.json").read_bytes()
    units = json.loads((copy / "counters.json").read_text("utf-8"))["units"]
    shipped = json.loads((HOUSE / "counters.json").read_text("utf-8"))["units"]
    shipped["GUA"]["melee"] = 9
    shipped["GUA"]["marks"]["melee"] = MARK
    assert units == shipped


def test_a_file_of_ones_own_is_what_is_changed(tmp_path):
    (tmp_path / "mine.json").write_text(CARDS.read_text("utf-8").replace('"value": 30', '"value": 12'), "utf-8")
    found = made(tmp_path, "rocknroll", "numbers.opening_units", "3", set=str(tmp_path / "mine.json"))
    numbers = json.loads((tmp_path / "numbers.opening_units=3.json").read_text("utf-8"))["numbers"]
    assert (numbers["limit"]["value"], found["3"]["set"]) == (12, str(tmp_path / "numbers.opening_units=3.json"))


@pytest.mark.parametrize(
    ("game", "name", "value", "said"),
    [
        ("ozymandia", "bombs", "1", 'Ozymandia has no option "bombs", and no JSON files of numbers'),
        ("rocknroll", "numbers.bombs", "1", 'There is no value "numbers.bombs" in the files'),
        ("rocknroll", "numbers.limit.value.x", "1", 'There is no value "numbers.limit.value.x"'),
        ("ozz", "units", "1", 'There is no option "units", and a way to a value begins with counters or map or scen'),
        ("ozz", "values", "1", 'There is no option "values", and a way'),
        ("rocknroll", "numbers.limit", "many", "limit"),
        ("ozz", "turns", "many", "turns must be a number from 1 to"),
    ],
)
def test_what_cannot_be_is_said_and_no_game_is_played(tmp_path, game, name, value, said):
    with pytest.raises((LabError, GameError)) as error:
        made(tmp_path, game, name, value)
    assert said in str(error.value)


def test_no_two_values_share_a_file():
    values = ("1", "10", "a/b", "a,b", "a b", "x" * 50, "x" * 51, '["ZOR"]')
    names = {file_name("name", value) for value in values}
    assert len(names) == len(values)
    assert all("/" not in one for one in names)


def played(wins, number=1000):
    of = Experiment("rocknroll", {"set": "base", "length": "full"}, ("simple",), 1)
    return figures_of(
        of,
        [
            {
                "number": at,
                "played": {"vpa": "simple", "vietnam": "simple"},
                "winner": "vpa" if at < wins else "vietnam",
                "best": ["vpa"] if at < wins else ["vietnam"],
                "turns": 9,
                "why": "",
                "took": {"vpa": 1.0, "vietnam": 1.0},
                "decisions": {"vpa": 1, "vietnam": 1},
                "game": f"{at}",
            }
            for at in range(number)
        ],
    )


def test_the_fairest_value_is_named_and_those_that_may_be_as_fair():
    said = advice("numbers.limit", {"10": played(600), "20": played(510), "30": played(480), "40": played(300)})
    assert said.startswith("The sides are fairest with numbers.limit 20. It is fair: VPA has 51.0 % (47.9-54.1)")
    assert said.endswith(" These may be as fair: 30.")


def test_one_value_after_the_other_is_a_row():
    lines = tuned("numbers.limit", {"10": played(600), "20": played(500)}).splitlines()
    assert lines[:3] == [
        "numbers.limit       points of vpa   points of vietnam  drawn  turns",
        "10             60.0 % (56.9-63.0)  40.0 % (37.0-43.1)      0      9  It is not fair",
        "20             50.0 % (46.9-53.1)  50.0 % (46.9-53.1)      0      9      It is fair",
    ]


def test_games_of_each_value_are_kept_and_gone_on_with(tmp_path):
    words = ("lab", "tune", "--game", "ozz", "--scenario", "hill", "--level", "simple", "--games", 5, "--workers", 1)
    words = (*words, "--results", tmp_path / "r", "values.battle_turns", "2", "8")
    told = pbem(*words).output
    before = {path.name: path.read_bytes() for path in (tmp_path / "r").glob("*.jsonl")}
    assert sorted(before) == ["values.battle_turns=2.jsonl", "values.battle_turns=8.jsonl"]
    assert pbem(*words).output == told
    assert {path.name: path.read_bytes() for path in (tmp_path / "r").glob("*.jsonl")} == before
    assert {*json.loads(pbem(*words, "--json").output)} == {"2", "8"}
