"""The limits on how many letters are sent, which the operator sets because a provider has some."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.config.config import OutgoingConfig
from pbem.store import outbox
from pbem.store.database import Look, Store

_LATER = ("reminder", "course", "sealed", "standings", "gathered", "away", "desk", "stranger", "newcomer")
"""The kinds of letters that are sent only after all others if there is a limit: reminders, news, and answers to
strangers, of whom there may be any number."""

_HOUR, _DAY = timedelta(hours=1), timedelta(days=1)


class _Limit(NamedTuple):
    """A limit: its key in the configuration, the number of letters that may be sent within `span`, how many more may be
    sent now, and, if none may, when the next one may."""

    key: str
    most: int
    room: int
    until: datetime


class Held(NamedTuple):
    """How many letters wait because of a limit, its key and its number, and when the next letter may be sent."""

    letters: int
    key: str
    most: int
    until: datetime

    def __str__(self) -> str:
        when = f"the next can go at {self.until:%Y-%m-%d %H:%M} UTC"
        letters = "1 letter waits" if self.letters == 1 else f"{self.letters} letters wait"
        return f"{letters} because of [outgoing] {self.key} = {self.most}; {when}"


def later(config: OutgoingConfig) -> tuple[str, ...]:
    """Return the kinds of letters that are sent after all others: none, unless there is a limit."""
    return _LATER if config.an_hour or config.a_day else ()


def room(config: OutgoingConfig, store: Store, now: datetime, most: int) -> int:
    """Return how many letters may be sent now; at most `most`."""
    return min((most, *(limit.room for limit in _limits(config, store, now))))


def has_work(config: OutgoingConfig, store: Store, seen: Look, now: datetime) -> bool:
    """Return whether there is work to do, judging by the look `seen` at the store: if it is only letters to send, a
    limit may hold all of them."""
    return seen.work and not (seen.only_sends and not room(config, store, now, 1))


def held(config: OutgoingConfig, store: Store, now: datetime) -> Held | None:
    """Return which letters wait because a limit is reached; None if there are none. If both limits are reached, the one
    that holds the letters longer counts."""
    reached = max((limit for limit in _limits(config, store, now) if not limit.room), key=_end, default=None)
    waiting = outbox.due(store, now) if reached else 0
    return Held(waiting, reached.key, reached.most, reached.until) if reached and waiting else None


def _end(limit: _Limit) -> datetime:
    return limit.until


def _limits(config: OutgoingConfig, store: Store, now: datetime) -> Iterator[_Limit]:
    """Yield each limit that is configured. Each span ends now, so that an hour is the last sixty minutes."""
    for key, most, span in (("an_hour", config.an_hour, _HOUR), ("a_day", config.a_day, _DAY)):
        if not most:
            continue
        sent, until = 0, now
        for at, letters in outbox.sent_since(store, now - span):  # newest first
            sent += letters
            if sent >= most:
                until = at + span
                break
        yield _Limit(key, most, max(0, most - sent), until)
