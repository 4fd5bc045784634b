"""The time control of a match: when a turn is due, how much time the players have left in their banks, and when a turn
can be played though its orders may still change.

In a match with banks of time, `latest` is the deadline by the pace of the match, and `deadline` follows from it and
from the banks of those for whom the turn waits. All functions are pure: they take values and `now`.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from pbem.games.base import Seat
from pbem.match.lifecycle import PLAYED, may
from pbem.match.model import Entry, Match, Turn
from pbem.match.terms import milestones_of, next_due
from pbem.times.banks import Bank, Span, added, empty_at, interrupted, settled, started, stopped
from pbem.times.deadlines import Deadline, after_outage, beyond, deadline_at, next_deadline
from pbem.times.moments import whole_minute

# Deadlines


def fresh_deadline(match: Match, now: datetime) -> Match:
    """Return the match with a deadline that gives the full time of a turn from `now` and avoids the vacations of
    players whose orders are missing. A match that cannot play a turn now gets no deadline."""
    deadline = next_deadline(match.pace, now) if may(match, *PLAYED) else None
    return with_deadline(replace(match, extended=0), deadline and past_absences(match, deadline), now)


def refreshed_deadline(match: Match, now: datetime) -> Match:
    """Return the match with at least the full time of a turn from `now`; a deadline that is already later is kept."""
    after, before = fresh_deadline(match, now), _by_pace(match)
    is_earlier = before and (fresh := _by_pace(after)) and fresh.moment < before.moment
    return with_deadline(after, before, now) if is_earlier else after


def clear_of_absences(match: Match, now: datetime) -> Match:
    """Return the match with its deadline moved past the vacations of all players whose orders are missing."""
    before = _by_pace(match)
    deadline = before and past_absences(match, before)
    if deadline != before:
        return with_deadline(match, deadline, now)
    return _timed(match, now) if match.banks and may(match, *PLAYED) else match


def past_outage(match: Match, deadline: Deadline, began: datetime, ended: datetime) -> Deadline:
    """Return `deadline`, postponed if it fell into the outage from `began` to `ended`. The part of an outage before the
    deadline was set does not count."""
    began = max(began, match.began or began)
    moved = after_outage(deadline, match.pace, began, ended, match.terms.grace)
    return deadline if moved == deadline else past_absences(match, moved)


def past_absences(match: Match, deadline: Deadline) -> Deadline:
    """Return `deadline`, moved past the vacations of all players whose orders are missing."""
    absent = (match.holders[seat] for seat in match.missing() if not match.holders[seat].level)
    away = [absence for holder in absent for absence in holder.player.absences]
    return beyond(deadline, away, match.pace)


def with_deadline(match: Match, deadline: Deadline | None, now: datetime) -> Match:
    """Return the match with `deadline`, which counts as set at `now`. In a match with banks of time, this is the
    deadline by its pace, and what has been used until `now` is taken out of the banks."""
    if match.terms.bank:
        return _timed(replace(settle(match, now), latest=deadline, began=now, due=None), now)
    return with_next_look(replace(match, deadline=deadline, began=now, due=None), now)


def moved_to(match: Match, deadline: Deadline, now: datetime) -> Match:
    """Return the match with its deadline moved to `deadline`, because somebody has decided so. Everybody for whom the
    turn waits gets the time by which the deadline moves."""
    if not (match.banks and match.deadline):
        return with_deadline(match, deadline, now)
    span = deadline.moment - match.deadline.moment
    banks = {seat: added(bank, span) if bank.since else bank for seat, bank in settle(match, now).banks.items()}
    latest = match.latest
    if latest:
        latest = deadline if latest == match.deadline else deadline_at(latest.moment + span, latest.zone)
    return with_deadline(replace(match, banks=banks), latest, now)


def _by_pace(match: Match) -> Deadline | None:
    return match.latest if match.terms.bank else match.deadline


# Banks of time


def thinking(match: Match) -> list[Seat]:
    """Return the seats from whose banks time is taken, because the turn waits for the people who hold them: for their
    orders, for an answer to a question about these, or because they wish it to wait."""
    if not match.banks or match.phase != "running" or match.drawing or match.result:
        return []
    awaited, waiting = match.game.awaiting(match.state), match.wishes.get("wait", frozenset())
    wanted = {seat for seat in awaited if seat not in match.standing or match.is_provisional(seat)}
    return [seat for seat in match.banks if seat in wanted | waiting and not match.holders[seat].level]


def flag(match: Match, seat: Seat) -> datetime | None:
    """Return the moment at which the bank of `seat` is empty if the turn waits for it until then; None if the turn does
    not wait for it or the match has no banks."""
    bank = match.banks.get(seat)
    return empty_at(bank, match.free(seat)) if bank else None


def deadline_for(match: Match, seat: Seat | None) -> datetime | None:
    """Return the moment until which the turn certainly waits for the orders of `seat`: the deadline of the match, or
    the moment at which the bank of the seat is empty if that is earlier."""
    if match.deadline is None:
        return None
    falls = flag(match, seat) if seat and _flags_count(match) else None
    return min(match.deadline.moment, falls) if falls else match.deadline.moment


def settle(match: Match, now: datetime) -> Match:
    """Return the match with what has been used until `now` taken out of the banks. Call this before anything changes
    that says what is free, such as vacations."""
    now = _whole_second(now)
    return replace(match, banks={seat: settled(bank, now, match.free(seat)) for seat, bank in match.banks.items()})


def with_clocks(match: Match, now: datetime) -> Match:
    """Return the match with time taken out of the banks of those for whom the turn waits, and of nobody else. Nothing
    changes if that is the case already."""
    after = _timed(match, now) if match.banks else match
    return match if (after.banks, after.deadline) == (match.banks, match.deadline) else after


def stop_clocks(match: Match, now: datetime) -> Match:
    """Return the match with no time taken out of any bank after `now`, because its turn is over."""
    now = _whole_second(now)
    return replace(match, banks={seat: stopped(bank, now, match.free(seat)) for seat, bank in match.banks.items()})


def with_increments(match: Match) -> Match:
    """Return the match, whose turn is about to begin, with the increment in the bank of everybody for whom it waits."""
    awaited = match.game.awaiting(match.state)
    grows = {seat for seat in match.banks if seat in awaited and not match.holders[seat].level}
    banks = {seat: added(bank, match.terms.increment) if seat in grows else bank for seat, bank in match.banks.items()}
    return replace(match, banks=banks)


def with_banks_after(match: Match, turn: Turn | None) -> Match:
    """Return the match with the banks as they were after `turn` or, if that is None, when the match began."""
    left = turn.banks if turn else {}
    return replace(match, banks={seat: Bank(left.get(seat, match.terms.bank)) for seat in match.banks})


def with_new_bank(match: Match, seat: Seat) -> Match:
    """Return the match with a full bank for a new holder of `seat`, who has not used what the former one has."""
    if seat not in match.banks:
        return match
    left = max(match.banks[seat].left, match.terms.bank)
    return replace(match, banks={**match.banks, seat: Bank(left)})


def interrupt(match: Match, outage: Span, now: datetime) -> Match:
    """Return the match after an outage, which has taken nothing out of the banks."""
    banks = {seat: interrupted(bank, outage, match.free(seat)) for seat, bank in match.banks.items()}
    latest = match.latest and past_outage(match, match.latest, *outage)
    return _timed(replace(match, banks=banks, latest=latest), now)


def reminders(match: Match, seat: Seat) -> tuple[datetime, ...]:
    """Return the moments at which `seat` is reminded if the turn still waits for it: as long before the deadline as the
    terms say or, if the bank of the seat is empty earlier, when half and when a quarter of what was in it is left."""
    falls, deadline = flag(match, seat), _by_pace(match)
    if falls and _flags_count(match) and (deadline is None or falls < deadline.moment):
        bank = match.banks[seat]
        shares = (empty_at(bank, match.free(seat), bank.left / part) for part in (2, 4))
        return tuple(moment for moment in shares if moment and match.terms.remind)
    return milestones_of(deadline, match.terms, match.began).reminders if deadline else ()


def out_of_time(match: Match, seats: Iterable[Seat], since: datetime, now: datetime) -> list[Seat]:
    """Return those of `seats` whose banks have become empty from `since` to `now`."""
    return [seat for seat in seats if _flags_count(match) and (falls := flag(match, seat)) and since <= falls <= now]


def _flags_count(match: Match) -> bool:
    """Return whether the turn stops waiting for those whose banks are empty. It goes on waiting until the deadline if
    it has been extended for them, or is never played early."""
    return not match.extended and match.terms.early


def _timed(match: Match, now: datetime) -> Match:
    """Return the match with its clocks started and stopped, and with the deadline that follows from that. Banks are
    filled if the match has just begun."""
    if not match.banks and may(match, *PLAYED):
        full = {seat: Bank(match.terms.bank) for seat, holder in match.holders.items() if not holder.is_computer}
        match = replace(match, banks=full)
    second, running = _whole_second(now), thinking(match)
    banks = {
        seat: started(bank, second) if seat in running else stopped(bank, second, match.free(seat))
        for seat, bank in match.banks.items()
    }
    match = replace(match, banks=banks)
    return with_next_look(replace(match, deadline=_deadline(match)), now)


def _deadline(match: Match) -> Deadline | None:
    """Return the deadline of the match by its pace or, if it is earlier, the moment at which everybody for whom the
    turn waits has run out of time. So nobody misses a turn because of somebody else's bank."""
    if not may(match, *PLAYED):
        return None
    flags = [falls for seat in thinking(match) if (falls := flag(match, seat))]
    if not (flags and _flags_count(match)):
        return match.latest
    last = deadline_at(max(flags))
    return match.latest if match.latest and match.latest.moment <= last.moment else last


def _whole_second(moment: datetime) -> datetime:
    """Return a moment as the store keeps it, so that nothing is lost in it."""
    return moment.replace(microsecond=0)


# Looks of the clock at the match


def with_next_look(match: Match, now: datetime) -> Match:
    """Return the match with `due` set to the next moment after `now` at which its deadline, a bank of time or an open
    vote needs attention."""
    if match.deadline is None and (match.drawing or match.phase not in ("running", "paused")):
        return match
    ends = [motion.until for motion in match.motions.values() if motion.until]
    for seat in thinking(match):
        ends += [*reminders(match, seat), *filter(None, [flag(match, seat)])]
    ends = [moment for moment in ends if moment > now]
    if match.deadline:
        ends.append(next_due(match.deadline, match.terms, match.began, now))
    return replace(match, due=min(ends, default=None))


# Orders


def with_orders(match: Match, seat: Seat, entry: Entry, now: datetime) -> Match:
    """Return the match with `entry` as the orders of `seat`; this may start the cooling-off time."""
    standing, numbers = {**match.standing, seat: entry}, {**match.numbers, seat: entry.number}
    return cool(replace(match, standing=standing, numbers=numbers), now)


def cool(match: Match, now: datetime) -> Match:
    """Return the match with its cooling-off time started or stopped, after orders have come in or been withdrawn. The
    time starts when the last missing orders of the turn arrive, ends at the deadline at the latest, and is skipped if
    every player has waived it."""
    match = with_clocks(match, now)
    past = match.deadline is not None and match.deadline.moment <= now
    ends = None
    if match.terms.cooling_off and not (past or match.missing() or all_go(match)):
        ends = whole_minute(now + match.terms.cooling_off)
        ends = min(ends, match.deadline.moment) if match.deadline else ends
    return replace(match, cooling=ends)


def all_go(match: Match) -> bool:
    """Return whether every player who must give orders for this turn has waived the cooling-off time."""
    awaited = {seat for seat in match.game.awaiting(match.state) if not match.holders[seat].level}
    return awaited.issubset(match.wishes.get("go", ()))
