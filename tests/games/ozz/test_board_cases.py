"""The worked cases of a battle turn, as far as the turn goes; what follows on the map is not played here."""

from typing import Any

import pytest

from pbem.games.chance import GivenChance
from pbem.games.ozz.loading import load
from pbem.games.ozz.state import dump
from support.ozz_battles import play
from support.ozz_cases import differences, everybody, read_cases

ON_THE_MAP = ("phase", "turn", "queue")
"""What a battle that is over leaves to the campaign turn."""


def is_of_a_turn(case: dict[str, Any]) -> bool:
    """Whether a case is about a turn of a battle, without moves that wait behind it."""
    state = case["in"].get("state", {})
    return bool(state.get("battle")) and "queue" not in state and "refused" not in case


TURNS = [case for case in read_cases() if is_of_a_turn(case)]


def test_there_are_all_cases() -> None:
    assert len(TURNS) == 77


@pytest.mark.parametrize("case", TURNS, ids=lambda case: f"{case['case']} {case['why']}")
def test_case(case: dict[str, Any]) -> None:
    asked, out = case["in"], {**case["out"].get("state", {})}
    chance = GivenChance(asked["chance"])
    played = play(load(asked["state"]), asked["orders"], chance)
    chance.finish()
    after = dump(played.state)
    if played.over and played.state.result is None:
        out = {key: value for key, value in out.items() if key not in ON_THE_MAP}
    assert differences(out, after) == []
    assert not {*case.get("gone", ())} & everybody(after)
    rolls = [[event["for"], event["value"]] for event in played.events if event["type"] == "roll"]
    assert rolls == case.get("rolls", rolls)
