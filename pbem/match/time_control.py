"""The time control of a match: when a turn is due, and when it can be played though its orders may still change.

All functions are pure: they take values and `now`, and return the changed match.
"""

from dataclasses import replace
from datetime import datetime

from pbem.games.base import Seat
from pbem.match.lifecycle import PLAYED, may
from pbem.match.model import Entry, Match
from pbem.match.terms import next_due
from pbem.times.deadlines import Deadline, after_outage, beyond, next_deadline
from pbem.times.moments import whole_minute


def past_outage(match: Match, deadline: Deadline, began: datetime, ended: datetime) -> Deadline:
    """Return `deadline`, postponed if it fell into the outage from `began` to `ended`. The part of an outage before the
    deadline was set does not count."""
    began = max(began, match.began or began)
    moved = after_outage(deadline, match.pace, began, ended, match.terms.grace)
    return deadline if moved == deadline else past_absences(match, moved)


def fresh_deadline(match: Match, now: datetime) -> Match:
    """Return the match with a deadline that gives the full time of a turn from `now` and avoids the vacations of
    players whose orders are missing. A match that cannot play a turn now gets no deadline."""
    deadline = next_deadline(match.pace, now) if may(match, *PLAYED) else None
    return with_deadline(replace(match, extended=0), deadline and past_absences(match, deadline), now)


def refreshed_deadline(match: Match, now: datetime) -> Match:
    """Return the match with at least the full time of a turn from `now`; a deadline that is already later is kept."""
    after, before = fresh_deadline(match, now), match.deadline
    is_earlier = before and after.deadline and after.deadline.moment < before.moment
    return with_deadline(after, before, now) if is_earlier else after


def clear_of_absences(match: Match, now: datetime) -> Match:
    """Return the match with its deadline moved past the vacations of all players whose orders are missing."""
    deadline = match.deadline and past_absences(match, match.deadline)
    return match if deadline == match.deadline else with_deadline(match, deadline, now)


def past_absences(match: Match, deadline: Deadline) -> Deadline:
    """Return `deadline`, moved past the vacations of all players whose orders are missing."""
    absent = (match.holders[seat] for seat in match.missing() if not match.holders[seat].level)
    away = [absence for holder in absent for absence in holder.player.absences]
    return beyond(deadline, away, match.pace)


def with_deadline(match: Match, deadline: Deadline | None, now: datetime) -> Match:
    """Return the match with `deadline`, which counts as set at `now`."""
    return with_next_look(replace(match, deadline=deadline, began=now, due=None), now)


def with_orders(match: Match, seat: Seat, entry: Entry, now: datetime) -> Match:
    """Return the match with `entry` as the orders of `seat`; this may start the cooling-off time."""
    standing, numbers = {**match.standing, seat: entry}, {**match.numbers, seat: entry.number}
    return cool(replace(match, standing=standing, numbers=numbers), now)


def cool(match: Match, now: datetime) -> Match:
    """Return the match with its cooling-off time started or stopped, after orders have come in or been withdrawn. The
    time starts when the last missing orders of the turn arrive, ends at the deadline at the latest, and is skipped if
    every player has waived it."""
    past = match.deadline is not None and match.deadline.moment <= now
    ends = None
    if match.terms.cooling_off and not (past or match.missing() or all_go(match)):
        ends = whole_minute(now + match.terms.cooling_off)
        ends = min(ends, match.deadline.moment) if match.deadline else ends
    return replace(match, cooling=ends)


def with_next_look(match: Match, now: datetime) -> Match:
    """Return the match with `due` set to the next moment after `now` at which its deadline or an open vote needs
    attention."""
    if match.deadline is None and (match.drawing or match.phase not in ("running", "paused")):
        return match
    ends = [motion.until for motion in match.motions.values() if motion.until and motion.until > now]
    if match.deadline:
        ends.append(next_due(match.deadline, match.terms, match.began, now))
    return replace(match, due=min(ends, default=None))


def all_go(match: Match) -> bool:
    """Return whether every player who must give orders for this turn has waived the cooling-off time."""
    awaited = {seat for seat in match.game.awaiting(match.state) if not match.holders[seat].level}
    return awaited.issubset(match.wishes.get("go", ()))
