"""Unread letters that may contain orders, for which a turn waits beyond its deadline."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from pbem.games.base import Seat
from pbem.match import reports
from pbem.match.effects import Effect, Save, course
from pbem.match.model import Match

HELD = timedelta(days=1)
"""How long a turn waits for a player to confirm a letter. Without this limit, a letter from an unknown address could
stop a game forever."""

_LOOK_AGAIN = timedelta(hours=1)
"""How often to check whether a letter that a turn is waiting for has been dealt with."""

_ASIDE = timedelta(hours=12)
"""How long a turn waits for the operator to deal with an unreadable letter. Without this limit, anyone could stop a
game with such letters."""


def waited_for(match: Match, missing: Iterable[Seat], waited: timedelta) -> dict[Seat, timedelta]:
    """Return the seats among `missing` with an unread letter that may contain orders, each with the total time that the
    turn waits for such a letter. Seats for which the turn has `waited` that long are left out. Unreadable letters do
    not count if a seat has sent more than one."""
    waits = dict.fromkeys(missing, _ASIDE if match.unfetched else timedelta())
    for seat in waits:
        if match.quarantined.get(seat) == 1:
            waits[seat] = _ASIDE
        if seat in match.held:
            waits[seat] = HELD
    return {seat: longest for seat, longest in waits.items() if waited < longest}


def wait(match: Match, now: datetime, seats: Mapping[Seat, timedelta]) -> list[Effect]:
    """Let the turn wait for letters from `seats` that the operator or a player must deal with, and tell the other
    seats. If `seats` is empty, the turn merely goes on waiting."""
    after = replace(match, due=now + _LOOK_AGAIN)
    if not seats or match.deadline is None:
        return [Save(after)]
    until = max(match.deadline.moment + match.terms.grace + max(seats.values()), now + _LOOK_AGAIN)
    key, stuck = f"stuck-{match.turn}-{now:%Y%m%d%H%M}", partial(course, "stuck", match, until=until)
    stuck = partial(stuck, holders=[match.holders[seat] for seat in seats])
    letters = [
        reports.to_seat(match, holder, "course", key, stuck(seat))
        for seat, holder in match.holders.items()
        if seat not in seats
    ]
    return [Save(after), *letters, reports.to_master(match, f"{key}-{match.name}", stuck(None))]
