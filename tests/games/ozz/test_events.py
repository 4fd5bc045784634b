"""Events: the schema says which there are; the manual tells the same, and games have no others."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest

from support.ozz_campaigns import at_random, play, thinking
from support.ozz_events import SCHEMA, SHAPES, keys

DOCS = Path(__file__).parents[3] / "docs" / "games"
MANUAL = (DOCS / "ozz-events.md").read_text(encoding="utf-8")
NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")
NOT_ALWAYS = {
    "roll": {"seat", "by", "at", "unit", "needs", "hit", "added", "total", "magic", "spell", "on"},
    "battle": {"fast"},
    "acts": {"held"},
}
"""The keys that an event of a type may lack; the manual says so in words."""


def test_the_events_that_are_told_are_those_there_are_with_their_keys() -> None:
    rows = re.findall(r"(?m)^\| (`.+?) \| (`.+?) \| .+ \|$", MANUAL)
    told = {name: set(re.findall("`(.+?)`", named)) for names, named in rows for name in re.findall("`(.+?)`", names)}
    assert told == {name: keys(name) for name in SHAPES}


def test_the_purposes_of_dice_that_are_told_are_those_there_are() -> None:
    told = MANUAL.partition("The purposes of a `roll`: ")[2].partition(".")[0]
    assert re.findall("`(.+?)`", told) == SHAPES["roll"]["properties"]["for"]["enum"]


def test_the_schema_has_each_type_once_and_says_which_keys_are_always_there() -> None:
    named = [name for one in SCHEMA["$defs"].values() for name in one["properties"]["type"]["enum"]]
    assert sorted(named) == sorted(SHAPES)
    for name, shape in SHAPES.items():
        assert set(shape["required"]) == {"type"} | keys(name) - NOT_ALWAYS.get(name, set())
    assert sorted(one["$ref"] for one in SCHEMA["items"]["anyOf"]) == sorted(
        f"#/$defs/{one}" for one in SCHEMA["$defs"]
    )


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("player", [thinking, at_random])
@pytest.mark.parametrize(
    "options",
    [{"nations": NATIONS, "battles": "board", "turns": 3}, {"battles": "fast", "turns": 6}],
    ids=["four", "two"],
)
def test_no_event_has_other_keys_or_values_than_its_type_says(seed: int, player: Any, options: dict[str, Any]) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for one in play(Random(seed), dict.fromkeys(NATIONS, player), **options)[:25]:
        events = json.loads(json.dumps(one.events))
        assert not [*validator.iter_errors(events)]
        for event in events:
            assert set(event) - {"type"} <= keys(event["type"])
