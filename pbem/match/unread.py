"""Letters that may hold orders and that nobody has read yet: a turn waits for them beyond its deadline, for a while."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from pbem.games.base import Seat
from pbem.match import reports
from pbem.match.effects import Effect, Save
from pbem.match.model import Match, Section

AGAIN = timedelta(hours=1)
"""After which time we look again whether a letter that a turn waits for has been seen to."""

HELD = timedelta(days=1)
"""How long a turn waits for a player's word that a letter is theirs: with a strange address it could wait for ever."""

ASIDE = timedelta(hours=12)
"""How long a turn waits for the operator to see to a letter that could not be read: with such letters anybody could
stop a game."""


def waits(match: Match, missing: Iterable[Seat], waited: timedelta) -> dict[Seat, timedelta]:
    """The seats of which a letter may hold orders, and how long a turn waits for each; none that it has waited for so
    long. A second letter of a seat that we failed on in the same turn is not waited for."""
    waits = dict.fromkeys(missing, ASIDE if match.unfetched else timedelta())
    for seat in waits:
        if match.quarantined.get(seat) == 1:
            waits[seat] = ASIDE
        if seat in match.held:
            waits[seat] = HELD
    return {seat: longest for seat, longest in waits.items() if waited < longest}


def wait(match: Match, now: datetime, seats: Mapping[Seat, timedelta]) -> list[Effect]:
    """The turn waits for letters that the operator or a player has to see to; the others are told when that begins."""
    after = replace(match, due=now + AGAIN)
    if not seats or match.deadline is None:
        return [Save(after)]
    until = max(match.deadline.moment + match.terms.grace + max(seats.values()), now + AGAIN)
    values = {"what": "stuck", "match": match, "holders": [match.holders[seat] for seat in seats], "until": until}
    key = f"stuck-{match.turn}-{now:%Y%m%d%H%M}"
    told = [
        reports.to_seat(match, holder, "course", key, Section("course", {**values, "seat": seat}))
        for seat, holder in match.holders.items()
        if seat not in seats
    ]
    to_master = reports.to_master(match, f"{key}-{match.name}", Section("course", {**values, "seat": None}))
    return [Save(after), *told, to_master]
