"""Deadlines: how long turns take, when they are due, and what moves a deadline. No function here reads the clock.

The hour of a deadline is stored as local time in a time zone: if the zone's rules change, the hour remains the same and
the moment changes. Adding a whole number of days keeps the hour even when daylight saving time begins or ends; other
durations are elapsed time.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, NamedTuple

from pbem.times.moments import DurationError, format_duration, load_zone, whole_minute

if TYPE_CHECKING:
    from pbem import Say


LEAST = timedelta(hours=12)
"""The minimum length of a turn that ends at a fixed hour, unless the league sets another one."""

EVERY_DAY = frozenset(range(7))
_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)
_LATE = timedelta(hours=1)  # a turn that starts up to this long after a fixed hour counts as started at that hour
_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SETS = {EVERY_DAY: "daily", frozenset(range(5)): "weekdays", frozenset((5, 6)): "weekends"}


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of turns. A turn lasts for the duration `every`, or until `hour` on one of `weekdays` (Monday is 0), or
    has no limit.

    `hour` and `weekdays` are those in `zone`. A turn that ends at a fixed hour lasts at least `least`. `str` returns
    text that `dates.parse_pace` can read; this text does not contain the zone.
    """

    every: timedelta | None = None
    hour: time | None = None
    weekdays: frozenset[int] = frozenset()
    zone: str = "UTC"
    least: timedelta = LEAST

    def __post_init__(self) -> None:
        if (self.hour is not None) != bool(self.weekdays) or (self.hour is not None and self.every is not None):
            raise ValueError("a pace is a length of time, or an hour and weekdays, or neither")
        if min(self.least, self.least if self.every is None else self.every) < _MINUTE:
            raise ValueError("a turn lasts a minute or longer")

    def __str__(self) -> str:
        if self.hour is None:
            return "none" if self.every is None else format_duration(self.every, units=3)
        least = "" if self.least == LEAST else f", at least {format_duration(self.least, units=3)}"
        return f"{_days_in_words(self.weekdays)} {self.hour:%H:%M}{least}"

    def in_words(self, say: "Say") -> str:
        """Return the pace in the reader's language, into which `say` translates; in English, the same as `str`."""
        if self.hour is None:
            return say("none") if self.every is None else format_duration(self.every, 3, say)
        slots = say("{days} {hour}", days=_days_said(self.weekdays, say), hour=f"{self.hour:%H:%M}")
        if self.least == LEAST:
            return slots
        return say("{slots}, at least {span}", slots=slots, span=format_duration(self.least, 3, say))


@dataclass(frozen=True, slots=True)
class Deadline:
    """A date and hour on the clock of a time zone, in whole minutes. `str` returns the stored form. Compare deadlines
    by `moment`."""

    wall: datetime
    zone: str = "UTC"

    @property
    def moment(self) -> datetime:
        """The deadline in UTC. An hour that is skipped when clocks go forward is read on the clock from before the
        change, so that 2:30 means 3:30 (PEP 495, fold 0). If an hour occurs twice, its first occurrence counts. Raises
        ZoneError."""
        return self.wall.replace(tzinfo=load_zone(self.zone), fold=0).astimezone(UTC)

    def __str__(self) -> str:
        return f"{self.wall.isoformat(timespec='minutes')} {self.zone}"


class Milestones(NamedTuple):
    """The moments when a turn's reminders are sent, when players without orders learn that they are late, and when the
    turn closes. `late` is None if there is no grace period."""

    reminders: tuple[datetime, ...]
    late: datetime | None
    closes: datetime


def next_deadline(pace: Pace, start: datetime) -> Deadline | None:
    """Return the deadline of a turn that starts at `start`; None if the pace sets no limit.

    With fixed hours, this is the first fixed hour that is at least `pace.least` away, so that a turn played early does
    not change the rhythm. A turn that starts within an hour after a fixed hour counts as started at that hour, which
    was the deadline of the turn before it. Raises ZoneError.
    """
    if pace.hour is not None:
        return _next_slot(pace, start)
    return None if pace.every is None else _after(start, pace.every, pace.zone)


def extended(deadline: Deadline, by: timedelta) -> Deadline:
    """Postpone a deadline by a duration. Whole days keep the deadline's hour on the clock."""
    if by % _DAY:
        return deadline_at(deadline.moment + by, deadline.zone)
    return replace(deadline, wall=deadline.wall + by)


def resumed(deadline: Deadline, pace: Pace, since: datetime) -> Deadline:
    """Move a deadline to a moment after `since`: to the next fixed hour of `pace` or, if the pace has none, to the
    deadline's own hour on a later day.

    Players get at least twelve hours after `since`, or `pace.least` if that is less.
    """
    if pace.hour is None:
        pace = Pace(hour=deadline.wall.time(), weekdays=EVERY_DAY, zone=deadline.zone)
    return _next_slot(replace(pace, least=min(pace.least, LEAST)), since)


def deadline_at(moment: datetime, zone: str = "UTC") -> Deadline:
    """Return a moment as a deadline on the clock of a zone, rounded up to the minute. Raises ZoneError.

    If an hour occurs twice, local time cannot express its second occurrence; a moment in it is returned as a deadline
    in UTC.
    """
    deadline = Deadline(_wall(moment, zone), zone)
    return deadline if deadline.moment >= moment else Deadline(_wall(moment, "UTC"))


def after_outage(
    deadline: Deadline, pace: Pace, began: datetime, ended: datetime, grace: timedelta = timedelta()
) -> Deadline:
    """Move a deadline if it or its grace period falls within an outage: to the next fixed hour or, if the pace has
    none, by the length of the outage. Any other deadline is returned unchanged."""
    if deadline.moment > ended or deadline.moment + grace <= began:
        return deadline
    if pace.hour is not None:
        return resumed(deadline, pace, ended)
    return deadline_at(deadline.moment + (ended - began), deadline.zone)


def milestones(start: datetime, due: datetime, remind: tuple[timedelta, ...], grace: timedelta) -> Milestones:
    """Return the milestones of a turn that is due at `due`. There is a reminder for each duration in `remind`, which
    says how long before `due` it is sent; the turn closes at the end of the grace period after `due`.

    Reminders in the first half of a turn are left out, because the players have only just been told about the turn.
    """
    reminders = {due - span for span in remind if timedelta() < span <= (due - start) / 2}
    return Milestones(tuple(sorted(reminders)), due if grace else None, due + grace)


def parse_deadline(text: str) -> Deadline:
    """Parse a deadline in the form that its `str` returns: `2026-11-29T20:00 Europe/Berlin`. Raises DurationError."""
    wall, _, zone = text.partition(" ")
    if not zone or not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", wall, re.A):
        raise DurationError(
            '"{text}" is not a deadline: write, for example, 2026-11-29T20:00 Europe/Berlin.', text=text
        )
    return Deadline(datetime.fromisoformat(wall), zone)


def _after(start: datetime, span: timedelta, zone: str) -> Deadline:
    if span % _DAY:
        return deadline_at(start + span, zone)
    return Deadline(_wall(start, zone) + span, zone)


def _next_slot(pace: Pace, start: datetime) -> Deadline:
    slot = next(_slots(pace, start - _LATE)).moment
    earliest = _after(slot if slot <= start else start, pace.least, pace.zone).moment
    return next(_slots(pace, max(start, earliest - timedelta(seconds=1))))


def _slots(pace: Pace, since: datetime) -> Iterator[Deadline]:
    """Yield the fixed hours of a pace that come after `since`."""
    assert pace.hour is not None
    day = _wall(since, pace.zone).date() - 2 * _DAY  # a skipped hour may fall on the next day
    while True:
        day += _DAY
        slot = Deadline(datetime.combine(day, pace.hour), pace.zone)
        if day.weekday() in pace.weekdays and slot.moment > since:
            yield slot


def _wall(moment: datetime, zone: str) -> datetime:
    """Return the local time in a zone at the given moment, rounded up to the minute."""
    return whole_minute(moment).astimezone(load_zone(zone)).replace(tzinfo=None, fold=0)


def _days_in_words(weekdays: frozenset[int]) -> str:
    if weekdays in _SETS:
        return _SETS[weekdays]
    names = [_NAMES[day] for day in sorted(weekdays)]
    if len(names) == 1:
        return f"every {names[0]}"
    return f"{', '.join(name[:3] for name in names[:-1])} and {names[-1][:3]}"


def _days_said(weekdays: frozenset[int], say: "Say") -> str:
    """Return a description of `weekdays` in the reader's language, which may have its own words for joining them."""
    if weekdays in _SETS:
        return {"daily": say("daily"), "weekdays": say("weekdays"), "weekends": say("weekends")}[_SETS[weekdays]]
    full = (
        *(say("every Monday"), say("every Tuesday"), say("every Wednesday"), say("every Thursday")),
        *(say("every Friday"), say("every Saturday"), say("every Sunday")),
    )
    short = (say("Mon"), say("Tue"), say("Wed"), say("Thu"), say("Fri"), say("Sat"), say("Sun"))
    *first, last = sorted(weekdays)
    if not first:
        return full[last]
    return say("{first} and {last}", first=", ".join(short[day] for day in first), last=short[last])


@dataclass(frozen=True, slots=True)
class Absence:
    """A person's absence from the day `first` to the day `last`, both included, by the calendar of the time zone
    `zone`."""

    first: date
    last: date
    zone: str

    @property
    def begins(self) -> datetime:
        """The first moment of the absence, in UTC."""
        return Deadline(datetime.combine(self.first, time()), self.zone).moment

    @property
    def ends(self) -> datetime:
        """The first moment after the absence, in UTC."""
        return Deadline(datetime.combine(self.last + _DAY, time()), self.zone).moment


def beyond(deadline: Deadline, absences: Collection[Absence], pace: Pace) -> Deadline:
    """Move a deadline so that it falls outside `absences`, which are those of all players for whom the turn is waiting.

    The deadline moves to the next fixed hour after the absence or, if the pace has none, to its own hour on a later
    day. In either case, at least twelve hours remain after the absence, or `pace.least` if that is less. A deadline at
    the very end of an absence counts as inside it, because the player is away during the time before the deadline; a
    deadline at the very beginning does not.
    """
    while ends := [away.ends for away in absences if away.begins < deadline.moment <= away.ends]:
        deadline = resumed(deadline, pace, max(ends))
    return deadline


def days_used(absences: Collection[Absence], first: date, last: date) -> int:
    """Return the number of days from `first` to `last`, both included, on which a person with these absences is away.
    Each day counts once."""
    ranges = ((max(away.first, first), min(away.last, last)) for away in absences)
    return len({start + day * _DAY for start, end in ranges for day in range((end - start).days + 1)})
