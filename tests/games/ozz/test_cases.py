"""The public cases, each asked as another program would ask it; the head of their file says how they are written."""

import json
from typing import Any

from pbem import ENGLISH
from pbem.cli.adjudicate import adjudicate_line
from pbem.games.base import Event
from pbem.games.ozz import narrative, svg
from pbem.games.ozz.loading import load
from pbem.games.ozz.state import State
from pbem.i18n.languages import say_in
from support.each import each
from support.ozz_cases import differences, everybody, read_cases

CASES = read_cases()


def test_no_case_is_lost() -> None:
    assert len({case["case"] for case in CASES}) == len(CASES) >= 157


@each("case", CASES, ids=lambda case: f"{case['case']} {case['why']}")
def test_case(case: dict[str, Any]) -> None:
    answer = adjudicate_line(json.dumps({"id": 1, **case["in"]}), "ozz")
    if "refused" in case:
        assert sorted(answer["errors"]) == sorted(case["refused"])
        return
    assert "errors" not in answer, answer["errors"]
    assert differences(case["out"], answer) == []
    assert not everybody(answer["state"]) & set(case.get("gone", ()))
    rolls = [[event["for"], event["value"]] for event in answer["events"] if event["type"] == "roll"]
    assert rolls == case.get("rolls", rolls)
    if "state" in case["in"]:
        is_told(load(case["in"]["state"]), answer["events"], load(answer["state"]))


def is_told(before: State, events: list[Event], after: State) -> None:
    """Whatever happens can be told in all languages, and drawn."""
    for language in (ENGLISH, say_in("de"), say_in("ru")):
        told = narrative.story(before, events, language)
        assert all(paragraph.text or paragraph.dice for paragraph in told)
    svg.overlay(after, before, events, ENGLISH)
