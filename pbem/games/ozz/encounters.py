"""Leaders who stand alone where enemies come, and are killed before those have moved (L27): who comes, and where."""

from collections.abc import Sequence
from typing import NamedTuple

from pbem.games.base import Event, Seat
from pbem.games.ozz.state import State


class Encounter(NamedTuple):
    """The nation that comes upon a leader, and the point."""

    seat: Seat
    point: str


def encounter(before: State, events: Sequence[Event], at: int) -> Encounter | None:
    """What the loss of a leader, event `at` of a round, comes of; None if a battle did it."""
    lost, seen = events[at], events[:at]
    after = next((one for one in events[at:] if one["type"] != "lost"), None)
    if not before.data.counters[lost["unit"]].leader or after is None or after["type"] not in ("move", "dropped"):
        return None
    point = _stood(before, seen, lost["unit"])
    if point is None or point == _fought(before, seen) or after["seat"] == lost["seat"]:
        return None
    return Encounter(after["seat"], point) if point in (after.get("way") or (after["at"],)) else None


def _stood(before: State, events: Sequence[Event], code: str) -> str | None:
    """Where a counter stood when these events were over."""
    for event in reversed(events):
        if code in (*event.get("units", ()), event.get("unit")) and (point := event.get("to") or event.get("at")):
            return str(point)
    return before.units[code].at if code in before.units else None


def _fought(before: State, events: Sequence[Event]) -> str | None:
    """Where the last battle was."""
    began = before.battle.at if before.battle else None
    return next((event["at"] for event in reversed(events) if event["type"] == "battle"), began)
