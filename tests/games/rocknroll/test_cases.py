"""The public cases, each asked as another program would ask it."""

import json
from typing import Any

from pbem.cli.adjudicate import adjudicate_line
from pbem.games.rocknroll.loading import load, placed, position
from pbem.games.rocknroll.state import dump
from support.each import each
from support.rocknroll_cases import Case, read_cases

ALL = read_cases()
UNSAID = ("next", "round", "order")  # these change by themselves


def items(text: str) -> dict[str, str]:
    """A position's items by key."""
    return {
        key.strip(): value.strip() for key, _, value in (one.partition(":") for one in text.split(";") if one.strip())
    }


def line(found: dict[str, str]) -> str:
    return "; ".join(f"{key}: {value}" for key, value in found.items())


def question(case: Case) -> dict[str, Any]:
    """A case as JSON; a position that cannot be is left to the answer."""
    start = items(case.position)
    if case.error == "position":
        hand = start.pop("hand vpa")
        state: dict[str, Any] = {**dump(placed(line({"set": case.set, **start})))}
        state["hands"]["vpa"]["units"] = [hand]
    else:
        state = {**dump(placed(line({"set": case.set, **start})))}
    return {"id": case.number, "state": state, "orders": case.orders, "chance": case.chance}


def test_there_are_all_cases() -> None:
    assert len(ALL) >= 135
    assert sorted(case.number for case in ALL) == [*range(1, len(ALL) + 1)]


@each("case", ALL, ids=lambda case: f"{case.number} {case.title}")
def test_case(case: Case) -> None:
    answer = adjudicate_line(json.dumps(question(case)), "rocknroll")
    if case.error or case.refused:
        assert [*answer["errors"]] == (case.refused or [case.error])
        return
    assert "errors" not in answer, answer["errors"]
    after = load(answer["state"])
    skipped = [f"{one['line']} {one['reason']}" for one in answer["events"] if one["type"] == "skipped"]
    assert (line(items(position(after))), skipped) == (line(expected(case, items(position(after)))), case.skipped)
    assert answer["winner"] == case.winner


def expected(case: Case, found: dict[str, str]) -> dict[str, str]:
    """The position that a case ends with; of what it need not say what was found."""
    wanted = items(case.position) | items(case.after)
    for key in UNSAID:
        if key not in items(case.after):
            wanted[key] = found.get(key, "")
    if "standing" not in case.after:
        wanted |= {key: value for key, value in found.items() if key.startswith("standing")}
    if "next" not in found:
        del wanted["next"]
    return items(position(placed(line({"set": case.set, **{key: value for key, value in wanted.items() if value}}))))
