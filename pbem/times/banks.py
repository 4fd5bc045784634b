"""Banks of time: how long a player may still let others wait. No function here reads the clock.

What is in a bank is elapsed time, so a day in it has 24 hours even when clocks go forward or back. Some spans of time,
such as those of a vacation, take nothing out of a bank. They are given as `free`, in any order, and may overlap.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.times.deadlines import Absence

Span = tuple[datetime, datetime]
"""A span of time: its first moment, and the first moment after it."""

_NOTHING = timedelta()


@dataclass(frozen=True, slots=True)
class Bank:
    """A bank with `left` in it. If `since` is not None, others wait for its owner, and `left` is what was in the bank
    at that moment."""

    left: timedelta
    since: datetime | None = None

    def __post_init__(self) -> None:
        if self.left < _NOTHING:
            raise ValueError("a bank never holds less than nothing")


def spans_of(absences: Iterable[Absence]) -> tuple[Span, ...]:
    """Return the spans of `absences`."""
    return tuple((away.begins, away.ends) for away in absences)


def left_at(bank: Bank, moment: datetime, free: Iterable[Span] = ()) -> timedelta:
    """Return what is in the bank at `moment`. A moment before `since` takes nothing out."""
    if bank.since is None:
        return bank.left
    used = moment - bank.since - sum((end - begin for begin, end in _within(free, bank.since, moment)), _NOTHING)
    return max(_NOTHING, bank.left - max(_NOTHING, used))


def empty_at(bank: Bank, free: Iterable[Span] = (), reserve: timedelta = _NOTHING) -> datetime | None:
    """Return the moment at which nothing but `reserve` is left in the bank if others wait until then; None if nobody
    waits."""
    if bank.since is None:
        return None
    moment, still = bank.since, max(_NOTHING, bank.left - reserve)
    for begin, end in _within(free, bank.since, datetime.max.replace(tzinfo=bank.since.tzinfo)):
        if moment + still <= begin:
            break
        moment, still = end, still - (begin - moment)
    return moment + still


def started(bank: Bank, moment: datetime) -> Bank:
    """Return the bank from which time is taken from `moment` on; one from which it is taken already stays as it is."""
    return bank if bank.since else replace(bank, since=moment)


def stopped(bank: Bank, moment: datetime, free: Iterable[Span] = ()) -> Bank:
    """Return the bank from which no time is taken after `moment`."""
    return Bank(left_at(bank, moment, free))


def settled(bank: Bank, moment: datetime, free: Iterable[Span] = ()) -> Bank:
    """Return the bank with what has been used until `moment` taken out. What becomes free later changes nothing about
    the time before that."""
    return bank if bank.since is None else started(stopped(bank, moment, free), moment)


def interrupted(bank: Bank, outage: Span, free: Iterable[Span] = ()) -> Bank:
    """Return the bank after an outage, which takes nothing out. To return it a second time, after the same outage or a
    longer one that began at the same moment, changes nothing about the time before the outage."""
    began, ended = outage
    if bank.since is None or bank.since >= ended:
        return bank
    return started(stopped(bank, max(began, bank.since), free), ended)


def added(bank: Bank, span: timedelta) -> Bank:
    """Return the bank with `span` put into it."""
    return replace(bank, left=bank.left + span)


def _within(spans: Iterable[Span], since: datetime, until: datetime) -> list[Span]:
    """Return the parts of `spans` between two moments, joined where they overlap, earliest first."""
    joined: list[Span] = []
    for begin, end in sorted((max(begin, since), min(end, until)) for begin, end in spans):
        if begin >= end:
            continue
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
