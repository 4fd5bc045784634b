"""The worked cases of Ozz as values; the comment at the top of `tests/cases/ozz.txt` describes their format."""

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent.parent / "cases" / "ozz.txt"


def read_cases() -> list[dict[str, Any]]:
    """All cases in the order of the file."""
    lines = CASES.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line and not line.startswith("#")]


def differences(wanted: Any, found: Any, path: str = "") -> list[str]:
    """The places where an answer differs from a case: keys at any depth, but lists as a whole."""
    if not isinstance(wanted, dict) or not isinstance(found, dict):
        return [] if wanted == found else [f"{path}: {found!r} instead of {wanted!r}"]
    return [
        one
        for key in wanted
        for one in (
            differences(wanted[key], found[key], f"{path}/{key}") if key in found else [f"{path}/{key} is missing"]
        )
    ]


def everybody(state: dict[str, Any]) -> set[str]:
    """The counters on the map or on the board of a state."""
    return {*state["units"], *((state["battle"] or {}).get("units", ()))}
