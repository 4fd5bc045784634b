"""Events: the manual has those there are, and wars at random have no others."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.rocknroll.events import Check, Reason, TurnEvent
from support.rocknroll_wars import war

DOCS = Path(__file__).parents[3] / "docs" / "games"
MANUAL = (DOCS / "rocknroll-events.md").read_text(encoding="utf-8")
SCHEMA = json.loads((DOCS / "rocknroll-events.schema.json").read_text(encoding="utf-8"))
HIDDEN = {"card", "seen"}
"""The keys that an event that only some may see lacks for the others."""


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


def test_the_schema_has_the_same_events_with_the_same_keys() -> None:
    shapes = [*SCHEMA["$defs"].values()]
    told = {name: one for one in shapes for name in one["properties"]["type"]["enum"]}
    assert {name: {*one["properties"]} for name, one in told.items()} == {
        name: {*shape.__annotations__} for name, shape in known().items()
    }
    for name, shape in known().items():
        hidden = HIDDEN if "seen" in shape.__annotations__ else set()
        assert {*told[name]["required"]} == {*shape.__required_keys__} - hidden
    assert [one["$ref"] for one in SCHEMA["items"]["oneOf"]] == [f"#/$defs/{name}" for name in SCHEMA["$defs"]]


@settings(deadline=None)
@given(st.integers(0, 10**9))
def test_no_event_has_other_keys_or_values_than_its_type_says(seed: int) -> None:
    shapes, validator = known(), jsonschema.Draft202012Validator(SCHEMA)
    for played in war(seed, turns=25):
        assert not [*validator.iter_errors(json.loads(json.dumps(played.events)))]
        for event in played.events:
            shape = shapes[event["type"]]
            assert set(shape.__required_keys__) <= set(event) <= set(shape.__annotations__)
            for key, value in event.items():
                choices = get_args(shape.__annotations__[key])
                if choices and all(isinstance(one, str) for one in choices):
                    assert value in choices
