"""Deadlines as functions of now: how long a turn may take, when it is due, and how people are told."""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem import PbemError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

_UNITS = {"minute": 60, "hour": 3600, "day": 86400, "week": 604800}
_LONGEST = timedelta(days=3660)


class DurationError(PbemError):
    """A length of time that cannot be read or makes no sense."""


def parse_duration(text: str) -> timedelta:
    """A length of time such as `3 days`, `36 hours` or `1 week 12 hours`. Raises DurationError."""
    parts = re.findall(r"(\d{1,6})\s*(minute|hour|day|week)s?\b", text.casefold())
    total = sum((int(number) * timedelta(seconds=_UNITS[unit]) for number, unit in parts), timedelta())
    left_over = re.sub(r"(\d{1,6})\s*(minute|hour|day|week)s?\b|,|\band\b", "", text.casefold()).strip()
    if left_over or not timedelta() < total <= _LONGEST:
        raise DurationError(f'"{text}" is no length of time: write for example "3 days" or "36 hours".')
    return total


def format_duration(span: timedelta) -> str:
    """A length of time in its two largest units, whole minutes: `3 days 4 hours`. Reads back if nothing was cut."""
    minutes = max(0, int(span.total_seconds()) // 60)
    words = []
    for unit, size in (("day", 1440), ("hour", 60), ("minute", 1)):
        number, minutes = divmod(minutes, size)
        if number:
            words.append(f"{number} {unit}{'' if number == 1 else 's'}")
    return " ".join(words[:2]) or "less than a minute"


def deadline_after(now: datetime, interval: timedelta | None) -> datetime | None:
    """When a turn that starts now is due, up to the next whole minute; None if it may take for ever."""
    if interval is None:
        return None
    due = (now + interval).astimezone(UTC)
    return due if due.second == due.microsecond == 0 else due.replace(second=0, microsecond=0) + timedelta(minutes=1)


def deadline_in_words(due: datetime, now: datetime, zone: "ZoneInfo") -> str:
    """`Sunday 29 November 2026, 20:00 in Berlin (in 3 days 4 hours)`."""
    local = due.astimezone(zone)
    place = zone.key.rsplit("/", 1)[-1].replace("_", " ")
    where = f"in {place}" if "/" in zone.key and not zone.key.startswith("Etc/") else place
    left = f"in {format_duration(due - now)}" if due > now else "now"
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} {where} ({left})"


def stamp(moment: datetime) -> str:
    """A moment as the store and the footers write it: `2026-11-25T15:58:00Z`, whole seconds."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def parse_moment(text: str) -> datetime:
    """A moment in UTC, with or without seconds: `2026-11-21T20:00Z`. Raises DurationError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise DurationError(f'"{text}" is no moment: write for example 2026-11-21T20:00Z.')
    return moment.astimezone(UTC)
