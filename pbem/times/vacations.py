"""Vacations: days on which nobody is waited for, and deadlines that move beyond them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from pbem.times.deadlines import Deadline, Pace, resumed

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Absence:
    """Somebody is away from one day to another, both included, by the calendar of his zone."""

    first: date
    last: date
    zone: str

    @property
    def begins(self) -> datetime:
        """The first moment of it, in UTC."""
        return Deadline(datetime.combine(self.first, time()), self.zone).moment

    @property
    def ends(self) -> datetime:
        """The first moment after it, in UTC."""
        return Deadline(datetime.combine(self.last + _DAY, time()), self.zone).moment


def beyond(deadline: Deadline, absences: Collection[Absence], pace: Pace) -> Deadline:
    """A deadline that falls into no absence of those who are waited for: moved until none holds it.

    It goes to the next fixed hour after the absence; where the pace has none, to its own hour on the day after. Either
    way there are twelve hours left, or `pace.least` where that is less. A deadline at the very end of an absence
    falls into it, for the time up to it does; one at its very beginning does not.
    """
    while ends := [away.ends for away in absences if away.begins < deadline.moment <= away.ends]:
        deadline = resumed(deadline, pace, max(ends))
    return deadline


def days_used(absences: Collection[Absence], first: date, last: date) -> int:
    """On how many days from one to another, both included, somebody is away; no day counts twice."""
    ranges = ((max(away.first, first), min(away.last, last)) for away in absences)
    return len({start + day * _DAY for start, end in ranges for day in range((end - start).days + 1)})
