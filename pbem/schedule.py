"""Moments and lengths of time, as people and the store write them. A run that finds nothing to do needs no more."""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pbem import PbemError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

LONGEST = timedelta(days=3660)

_UNITS = {"m": 60, "h": 3600, "s": 3600, "d": 86400, "t": 86400, "w": 604800}  # by the first letter
_LENGTH = r"(\d{1,6})\s*(minutes|minuten?|hours?|stunden?|days?|tagen?|tage?|weeks?|wochen?)\b"


class TimeError(PbemError):
    """Something about time that makes no sense: a sentence, and the values that stand in it.

    They are kept apart so that the sentence can be looked up in another language.
    """

    def __init__(self, sentence: str, **values: object) -> None:
        self.sentence = sentence
        self.values = {name: _one_line(str(value)) for name, value in values.items()}
        super().__init__(sentence.format(**self.values))


class DurationError(TimeError):
    """A length of time or a moment that cannot be read or makes no sense."""


class ZoneError(TimeError):
    """A time zone that there is not, or that could be several."""


def parse_duration(text: str) -> timedelta:
    """A length of time such as `3 days`, `1 week 12 hours` or `36 Stunden`. Raises DurationError."""
    words = text.casefold()
    parts = re.findall(_LENGTH, words)
    total = sum((int(number) * timedelta(seconds=_UNITS[unit[0]]) for number, unit in parts), timedelta())
    left_over = re.sub(rf"{_LENGTH}|,|\band\b|\bund\b", "", words).strip()
    if left_over or not timedelta() < total <= LONGEST:
        raise DurationError('"{text}" is no length of time: write for example "3 days" or "36 hours".', text=text)
    return total


def format_duration(span: timedelta, units: int = 2) -> str:
    """A length of time in its largest units, whole minutes: `3 days 4 hours`. Reads back if nothing was cut."""
    minutes = max(0, int(span.total_seconds()) // 60)
    words = []
    for unit, size in (("day", 1440), ("hour", 60), ("minute", 1)):
        number, minutes = divmod(minutes, size)
        if number:
            words.append(f"{number} {unit}{'' if number == 1 else 's'}")
    return " ".join(words[:units]) or "less than a minute"


def outage(last_tick: datetime, now: datetime, every: timedelta) -> timedelta | None:
    """For how long a desk that runs `every` so often was down: it missed three runs, and a quarter of an hour."""
    gap = now - last_tick
    return gap if gap > max(3 * every, timedelta(minutes=15)) else None


def deadline_after(now: datetime, interval: timedelta | None) -> datetime | None:
    """When a turn that starts now is due, up to the next whole minute; None if it may take for ever."""
    return None if interval is None else whole_minute(now + interval)


def whole_minute(moment: datetime) -> datetime:
    """The moment in UTC, or the next whole minute."""
    minute = moment.astimezone(UTC).replace(second=0, microsecond=0)
    return minute + timedelta(minutes=minute < moment)


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
        raise DurationError('"{text}" is no moment: write for example 2026-11-21T20:00Z.', text=text)
    return moment.astimezone(UTC)


def load_zone(key: str) -> "ZoneInfo":
    """The rules of a time zone by its IANA name. Raises ZoneError."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(key)
    except (ValueError, OSError, LookupError):
        raise ZoneError('This machine knows no time zone "{zone}": install the package tzdata.', zone=key) from None


def _one_line(text: str) -> str:
    return "".join(filter(str.isprintable, " ".join(text.split())))[:120]
