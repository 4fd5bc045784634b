"""What other programs ask and are answered (§18), bad input above all."""

import json
from typing import Any

import pytest

from pbem.cli.adjudicate import adjudicate_line
from support.each import each

ZEROS = "0" * 64
QUIET: dict[str, Any] = {
    "state": {"units": {"GUA": {"at": "M4"}, "WI1": {"at": "W1"}}},
    "orders": {"munchkins": "Pass", "winkies": "Pass"},
    "chance": [5, 4],
}

AT_R1 = {"at": "R1", "origin": "M4", "units": {"SOU": {"space": "1C"}, "HER": {"space": "4C"}}}


def answer(question: dict[str, Any]) -> dict[str, Any]:
    return adjudicate_line(json.dumps({"id": 7, **question}), "ozz")


def refused(**changes: Any) -> set[str]:
    """Where the errors are of a quiet turn with changes."""
    found = answer({key: value for key, value in {**QUIET, **changes}.items() if value is not ...})
    assert found.keys() == {"id", "errors"}
    return set(found["errors"])


@each(
    "new",
    [
        {"seats": ["munchkins"]},
        {"seats": []},
        {"seats": ["munchkins", "winkies", "quadlings", "gillikins", "munchkins"]},
        {"seats": ["munchkins", "munchkins"]},
        {"seats": ["munchkins", "ozma"]},
        {"seats": [["munchkins"], "winkies"]},
        {"scenario": "chess"},
        {"battles": "slow"},
        {"turns": 0},
        {"turns": True},
        {"switches": {"magic": False}},
        {"switches": {"dissipation": 4}},
        {"scenario": "hill", "seats": ["munchkins", "quadlings"]},
    ],
)
def test_a_match_that_cannot_be_is_a_fault_of_the_input(new: dict[str, Any]) -> None:
    assert set(answer({"new": new, "seed": ZEROS})["errors"]) == {"input"}


def test_all_faults_of_a_match_are_told_at_once_and_chance_is_looked_at_last() -> None:
    wrong = {"seats": ["munchkins"], "battles": "slow", "turns": 0, "magic": 1, "scenario": "", "switches": {"x": 1}}
    for chance in ({"seed": "0"}, {"chance": [99]}, {"chance": [1], "seed": ZEROS}, {}):
        found = answer({"new": wrong, **chance})["errors"]
        assert found.keys() == {"input"}
        assert len(found["input"]) == len(wrong)


@pytest.mark.parametrize("chance", [{"seed": "0"}, {"chance": []}, {"chance": [0, 0], "seed": ZEROS}, {"chance": 5}])
def test_a_match_that_can_be_and_chance_that_cannot(chance: dict[str, Any]) -> None:
    assert set(answer({"new": {}, **chance})["errors"]) == {"chance"}


def test_a_skirmish_without_random_spells_asks_nothing_of_chance_but_looks_at_it() -> None:
    assert answer({"new": {"scenario": "hill"}, "chance": []})["awaiting"] == ["munchkins", "winkies"]
    for values in ([1], [99], "1"):
        assert set(answer({"new": {"scenario": "hill"}, "chance": values})["errors"]) == {"chance"}


@each(
    "state",
    [
        {"units": {"XYZ": {"at": "M4"}}},
        {"units": {"SOU": {"at": "X9"}}},
        {"units": {"SOU": {"at": "M4"}}, "pools": {"munchkins": ["SOU"]}},
        {"units": {"SOU": {"at": "M4"}, "WI1": {"at": "M4"}}},
        {"units": {"WI1": {"at": "M1"}}},
        {"units": {"IN1": {"at": "M1", "seat": "munchkins"}}},
        {"turn": 0},
        {"phase": "battle"},
        {"phase": "over"},
        {"seats": ["munchkins"]},
        {"seats": ["munchkins", "winkies"], "units": {"SOU": {"at": "M4", "seat": "gillikins"}}},
        {"bell": {"seat": "winkies", "at": "W1", "carrier": "WI1"}},
        {"queue": {"seats": [], "letters": {}, "todo": []}},
        {"battle": AT_R1, "queue": {"fought": ["X9"]}},
        {"surprise": 1},
        [],
    ],
)
def test_a_position_that_cannot_be(state: Any) -> None:
    assert refused(state=state) == {"position"}


@pytest.mark.parametrize("units", [{"ZOR": {"space": "1C"}, "SOU": {"space": "2C", "group": "ZOR"}}])
def test_groups_stand_with_their_leader(units: dict[str, Any]) -> None:
    battle = {"units": {**units, "WI1": {"space": "4C"}}}
    assert refused(state={"scenario": "hill", "battle": battle}) == {"position"}


def test_all_faults_of_a_position_are_told_at_once() -> None:
    state = {"turn": 0, "units": {"XYZ": {}}, "fallen": {"SOU": 1}, "pools": {"ozma": []}}
    assert len(answer({**QUIET, "state": state})["errors"]["position"]) >= 4


@each("values", [[5], [5, 4, 3], [5, 0], [5, 11], [5, 2.5], [5, True], [5, "5"], 5, "5, 4"])
def test_chance_is_used_up_and_in_its_range(values: Any) -> None:
    assert refused(chance=values) == {"chance"}


def test_a_seed_has_sixty_four_digits_and_no_values_beside_it() -> None:
    assert refused(seed=ZEROS) == {"chance"}
    assert refused(chance=..., seed=ZEROS[1:]) == {"chance"}


def test_without_chance_the_seed_is_zeros() -> None:
    question = {key: value for key, value in QUIET.items() if key != "chance"}
    assert answer(question) == answer({**question, "seed": ZEROS})


def test_an_empty_letter_is_an_error_and_every_wrong_letter_is_told() -> None:
    assert refused(orders={"munchkins": "Pass", "winkies": ""}) == {"winkies"}
    assert refused(orders={"munchkins": "Move WI1: W1-W2", "winkies": "Ring"}) == {"munchkins", "winkies"}


def test_letters_are_looked_at_before_chance() -> None:
    assert refused(orders={"munchkins": ""}, chance=[99]) == {"munchkins"}


def test_letters_of_nations_that_are_not_asked_are_not_looked_at() -> None:
    battle = {"at": "R1", "origin": "M4", "units": {"GUA": {"space": "1C"}, "WI1": {"space": "4C"}}}
    state = {"seats": ["munchkins", "winkies", "quadlings"], "units": {}, "battle": battle}
    found = answer({"state": state, "orders": {"quadlings": "nonsense"}, "chance": [6, 5]})
    assert found["awaiting"] == ["munchkins", "winkies"]


def test_a_game_that_is_over_comes_back_unchanged_and_asks_nothing() -> None:
    state = {"phase": "over", "result": {"winner": "winkies", "reason": "points"}}
    found = answer({**QUIET, "state": state})
    assert (found["winner"], found["awaiting"], [*found["events"]]) == ("winkies", [], [])


def test_the_places_of_a_game_of_more_than_two_that_is_over_are_told() -> None:
    state = {"phase": "over", "seats": ["munchkins", "winkies", "quadlings"]}
    over = answer({"state": {**state, "result": {"winner": "winkies", "reason": "points"}}})
    assert over["ranking"] == (("winkies",), ("munchkins", "quadlings"))
    for running in (QUIET, {**QUIET, "state": {"phase": "over", "result": {"winner": "winkies", "reason": "points"}}}):
        assert "ranking" not in answer(running)


def test_a_view_hides_the_order_of_the_pools_and_letters_that_wait() -> None:
    battle = {"at": "R1", "origin": "M4", "units": {"GUA": {"space": "1C"}, "WI1": {"space": "4C"}}}
    letters = {"munchkins": "Move SOU: M2-M1", "winkies": "Move HER: W2-W4"}
    state = {
        "pools": {"munchkins": ["BAL", "NA1"]},
        "units": {"SOU": {"at": "M2"}, "HER": {"at": "W2"}},
        "battle": battle,
        "queue": {"letters": letters, "todo": [["munchkins", 0], ["winkies", 0]]},
    }
    found = answer({"state": state, "orders": {}, "chance": [6, 5], "as": "winkies"})["view"]
    assert found["pools"]["munchkins"] == ["NA1", "BAL"]
    assert found["queue"]["letters"] == {"munchkins": None, "winkies": letters["winkies"]}
    assert found["queue"]["todo"] == [["winkies", 0]]


@pytest.mark.parametrize(
    "letter",
    ["x" * 20_000, "Order SOU: stand; " * 500, "Move SOU: M2\0M4", "Move GUA: " + "-".join(["M4", "R1"] * 1500)],
)
def test_letters_beyond_all_measure_are_refused(letter: str) -> None:
    assert refused(orders={"munchkins": letter}) == {"munchkins"}
