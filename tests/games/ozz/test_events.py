"""Events: manual and schema have those there are, and games have no others."""

import json
import re
from pathlib import Path
from random import Random
from typing import Any, get_args

import jsonschema
import pytest

from pbem.games.ozz.events import Purpose, RoundEvent
from support.ozz_campaigns import at_random, play, thinking

DOCS = Path(__file__).parents[3] / "docs" / "games"
MANUAL = (DOCS / "ozz-events.md").read_text(encoding="utf-8")
SCHEMA = json.loads((DOCS / "ozz-events.schema.json").read_text(encoding="utf-8"))
NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")


def known() -> dict[str, Any]:
    """The shape of every type."""
    return {name: shape for shape in get_args(RoundEvent) for name in get_args(shape.__annotations__["type"])}


def keys(shape: Any) -> set[str]:
    return set(shape.__annotations__) - {"type"}


def test_the_events_that_are_told_are_those_there_are_with_their_keys() -> None:
    rows = re.findall(r"(?m)^\| (`.+?) \| (`.+?) \| .+ \|$", MANUAL)
    told = {name: set(re.findall("`(.+?)`", named)) for names, named in rows for name in re.findall("`(.+?)`", names)}
    assert told == {name: keys(shape) for name, shape in known().items()}


def test_the_purposes_of_dice_that_are_told_are_those_there_are() -> None:
    told = MANUAL.partition("The purposes of a `roll`: ")[2].partition(".")[0]
    assert re.findall("`(.+?)`", told) == [*get_args(Purpose)]


def test_the_schema_has_the_events_there_are_with_their_keys() -> None:
    shapes = {name: one for one in SCHEMA["$defs"].values() for name in one["properties"]["type"]["enum"]}
    for name, shape in known().items():
        assert set(shapes[name]["properties"]) == {"type", *keys(shape)}
        assert set(shapes[name]["required"]) == shape.__required_keys__
    assert set(shapes) == set(known())
    assert len(SCHEMA["items"]["anyOf"]) == len(SCHEMA["$defs"])


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("player", [thinking, at_random])
@pytest.mark.parametrize(
    "options",
    [{"nations": NATIONS, "battles": "board", "turns": 3}, {"battles": "fast", "turns": 6}],
    ids=["four", "two"],
)
def test_no_event_has_other_keys_or_values_than_its_type_says(seed: int, player: Any, options: dict[str, Any]) -> None:
    shapes = known()
    validator = jsonschema.Draft202012Validator(SCHEMA)
    for one in play(Random(seed), dict.fromkeys(NATIONS, player), **options)[:25]:
        events = json.loads(json.dumps(one.events))
        assert not [*validator.iter_errors(events)]
        for event in events:
            assert set(event) - {"type"} <= keys(shapes[event["type"]])
