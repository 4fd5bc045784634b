"""Events: the manual has those there are, and wars at random have no others."""

import re
from pathlib import Path
from typing import Any, get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.rocknroll.events import Check, Reason, TurnEvent
from support.rocknroll_wars import war

MANUAL = (Path(__file__).parents[3] / "docs" / "games" / "rocknroll-events.md").read_text(encoding="utf-8")


def known() -> dict[str, Any]:
    """The shape of every type."""
    return {name: shape for shape in get_args(TurnEvent) for name in get_args(shape.__annotations__["type"])}


def test_the_events_that_are_told_are_those_there_are_with_their_keys() -> None:
    rows = re.findall(r"(?m)^\| (`.+?) \| (`.+?) \| .+ \|$", MANUAL)
    told = {name: set(re.findall("`(.+?)`", keys)) for names, keys in rows for name in re.findall("`(.+?)`", names)}
    assert told == {name: set(shape.__annotations__) - {"type"} for name, shape in known().items()}


def test_the_reasons_that_are_told_are_those_there_are() -> None:
    told = MANUAL.partition("The reasons of `skipped`: ")[2].partition(".")[0]
    assert re.findall("`(.+?)`", told) == [*get_args(Reason)]


def test_the_checks_that_are_told_are_those_there_are() -> None:
    (told,) = re.findall(r"(?m)^\| `check` \| .+: (`save`.+) \|$", MANUAL)
    assert re.findall("`(.+?)`", told) == [*get_args(Check)]


@settings(deadline=None)
@given(st.integers(0, 10**9))
def test_no_event_has_other_keys_or_values_than_its_type_says(seed: int) -> None:
    shapes = known()
    for played in war(seed, turns=25):
        for event in played.events:
            shape = shapes[event["type"]]
            assert set(shape.__required_keys__) <= set(event) <= set(shape.__annotations__)
            for key, value in event.items():
                choices = get_args(shape.__annotations__[key])
                if choices and all(isinstance(one, str) for one in choices):
                    assert value in choices
