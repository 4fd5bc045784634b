"""Time to think again: for a while after the last orders of a turn it waits for second thoughts."""

from dataclasses import replace
from datetime import datetime

from pbem.games.base import Seat
from pbem.match.model import Entry, Match
from pbem.times.moments import whole_minute


def with_orders(match: Match, seat: Seat, entry: Entry, now: datetime) -> Match:
    """The match with other orders of a seat."""
    standing, numbers = {**match.standing, seat: entry}, {**match.numbers, seat: entry.number}
    return cool(replace(match, standing=standing, numbers=numbers), now)


def cool(match: Match, now: datetime) -> Match:
    """The match when orders have come or gone: if they were the last that its turn waits for, it waits a while longer,
    up to the deadline; not if all of its players have said that they need no second thoughts."""
    past = match.deadline is not None and match.deadline.moment <= now
    ends = None
    if match.terms.cooling_off and not (past or match.missing() or all_go(match)):
        ends = whole_minute(now + match.terms.cooling_off)
        ends = min(ends, match.deadline.moment) if match.deadline else ends
    return replace(match, cooling=ends)


def all_go(match: Match) -> bool:
    """Whether nobody whose orders the turn waits for wants to think again."""
    awaited = {seat for seat in match.game.awaiting(match.state) if not match.holders[seat].is_computer}
    return awaited.issubset(match.wishes.get("go", ()))
