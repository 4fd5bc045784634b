"""Moments and durations, as people and the store write them, and the rounds of a public beacon. A run of the desk that
has nothing to do imports no other module of `pbem.times`.
"""

import re
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pbem import PbemError

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from pbem import Say


LONGEST = timedelta(days=3660)

_SECONDS = {"minutes": 60, "hours": 3600, "days": 86400, "weeks": 604800}
_IN_ENGLISH = {word: seconds for unit, seconds in _SECONDS.items() for word in (unit, unit[:-1])}


class TimeError(PbemError):
    """An error concerning a date, a time or a duration. The message is `sentence`, with its placeholders filled in from
    `values`."""

    def __init__(self, sentence: str, **values: object) -> None:
        from pbem import Sentence

        self.sentence = sentence
        self.values = {
            name: value if isinstance(value, Sentence) else _one_line(str(value)) for name, value in values.items()
        }
        super().__init__(Sentence(sentence, **self.values))


class DurationError(TimeError):
    """Raised when a duration or moment cannot be read, or makes no sense."""


class ZoneError(TimeError):
    """Raised when a time zone does not exist, or when a name fits several time zones."""


def parse_duration(text: str) -> timedelta:
    """Parse a duration: `3 days`, `1 week 12 hours` or `36 Stunden`. Raises DurationError if `text` is not a duration,
    or if the duration is zero or longer than `LONGEST`."""
    total = _length(text.casefold(), _IN_ENGLISH, ("and",)) or _length(*_in_any_language(text))
    if total is None or not timedelta() < total <= LONGEST:
        raise DurationError('"{text}" is not a length of time: write, for example, "3 days" or "36 hours".', text=text)
    return total


def parse_pause(text: str) -> timedelta:
    """Parse a duration that may be zero, which is written `0` or `none`. Raises DurationError."""
    return timedelta() if text in ("0", "none") else parse_duration(text)


def _length(words: str, units: Mapping[str, int], between: Collection[str]) -> timedelta | None:
    """Parse a duration. `units` are the words for units, with their seconds, and `between` are the words that may join
    parts of the duration. Return None if `words` contain anything else."""
    length = rf"(\d{{1,6}})\s*({'|'.join(map(re.escape, units))})\b"
    if re.sub(rf"{length}|,|\b(?:{'|'.join(map(re.escape, between))})\b", "", words).strip():
        return None
    return sum(
        (int(number) * timedelta(seconds=units[unit]) for number, unit in re.findall(length, words)), timedelta()
    )


def _in_any_language(text: str) -> tuple[str, Mapping[str, int], Collection[str]]:
    """Return the arguments that make `_length` parse a text in any language. Configurations, which every run reads, are
    in English and do without this."""
    from pbem.i18n.words import fold, folded

    units = {word: seconds for unit, seconds in _SECONDS.items() for word in folded(unit)}
    return fold(text), _IN_ENGLISH | units, folded("and")


def format_duration(span: timedelta, units: int = 2, say: "Say | None" = None) -> str:
    """Write a duration in whole minutes, in its largest units, at most `units` of them: `3 days 4 hours`.
    `parse_duration` can read the result, which is exact unless smaller units were cut off."""
    say = say or _english()
    days, hours, minutes = _parts(span)
    words = (
        days and say.many("{number} day", "{number} days", days),
        hours and say.many("{number} hour", "{number} hours", hours),
        minutes and say.many("{number} minute", "{number} minutes", minutes),
    )
    return " ".join([word for word in words if word][:units]) or say("less than a minute")


def _parts(span: timedelta) -> tuple[int, int, int]:
    """Return the days, hours and minutes of a duration."""
    minutes = max(0, int(span.total_seconds()) // 60)
    return minutes // 1440, minutes // 60 % 24, minutes % 60


def _english() -> "Say":
    from pbem import ENGLISH

    return ENGLISH


def outage(last_tick: datetime, now: datetime, every: timedelta) -> timedelta | None:
    """Return how long a desk that runs at intervals of `every` was down; None unless that exceeds both three intervals
    and a quarter of an hour."""
    gap = now - last_tick
    return gap if gap > max(3 * every, timedelta(minutes=15)) else None


def whole_minute(moment: datetime) -> datetime:
    """Convert a moment to UTC, rounded up to the minute."""
    minute = moment.astimezone(UTC).replace(second=0, microsecond=0)
    return minute + timedelta(minutes=minute < moment)


@lru_cache(maxsize=256)  # the letters of a run mention the same moments again and again
def deadline_in_words(due: datetime, now: datetime, zone: "ZoneInfo", say: "Say | None" = None, place: str = "") -> str:
    """Write a deadline: `Sunday 29 November 2026, 20:00 in Berlin (in 3 days 4 hours)`; `place` is the reader's name
    for the zone."""
    say = say or _english()
    local = due.astimezone(zone)
    place = place or zone.key.rsplit("/", 1)[-1].replace("_", " ")
    values = {"day": day_in_words(local, say), "hour": f"{local:%H:%M}", "place": place, "left": _wait(due - now, say)}
    if "/" in zone.key and not zone.key.startswith("Etc/"):
        return say("{day}, {hour} {place} time ({left})", **values)
    return say("{day}, {hour} {place} ({left})", **values)


def soon_in_words(moment: datetime, now: datetime, zone: "ZoneInfo", say: "Say | None" = None, place: str = "") -> str:
    """Write a moment. If it is at most six hours away, leave out the day, as in `20:15 in Berlin`; otherwise, write it
    in full, as `deadline_in_words` does."""
    if moment - now > timedelta(hours=6):
        return deadline_in_words(moment, now, zone, say, place)
    say = say or _english()
    place = place or zone.key.rsplit("/", 1)[-1].replace("_", " ")
    hour = f"{moment.astimezone(zone):%H:%M}"
    if "/" in zone.key and not zone.key.startswith("Etc/"):
        return say("{hour} {place} time", hour=hour, place=place)
    return say("{hour} {place}", hour=hour, place=place)


def day_in_words(day: date, say: "Say | None" = None) -> str:
    """Write a day: `Sunday 29 November 2026`."""
    say = say or _english()
    weekdays = (
        *(say("Monday"), say("Tuesday"), say("Wednesday"), say("Thursday"), say("Friday"), say("Saturday")),
        say("Sunday"),
    )
    months = (
        *(say("January"), say("February"), say("March"), say("April"), say("May"), say("June"), say("July")),
        *(say("August"), say("September"), say("October"), say("November"), say("December")),
    )
    values = {"weekday": weekdays[day.weekday()], "month": months[day.month - 1]}
    return say("{weekday} {day} {month} {year}", day=day.day, year=day.year, **values)


def _wait(span: timedelta, say: "Say") -> str:
    """Write the time left: `in 3 days 4 hours`. Because other languages have grammatical cases, the sentence for each
    unit includes the word "in", and the second unit has a sentence of its own, which begins with a space."""
    days, hours, minutes = _parts(span)
    if span <= timedelta():
        return say("now")
    if days:
        rest = say.many(" {number} hour", " {number} hours", hours) if hours else ""
        return say.many("in {number} day", "in {number} days", days) + rest
    if hours:
        rest = say.many(" {number} minute", " {number} minutes", minutes) if minutes else ""
        return say.many("in {number} hour", "in {number} hours", hours) + rest
    if minutes:
        return say.many("in {number} minute", "in {number} minutes", minutes)
    return say("in less than a minute")


def stamp(moment: datetime) -> str:
    """Write a moment as in the store and in the footers of letters: `2026-11-25T15:58:00Z`, in whole seconds."""
    return moment.astimezone(UTC).isoformat(timespec="seconds")[:19] + "Z"


def parse_moment(text: str) -> datetime:
    """Parse an ISO 8601 moment with its offset from UTC, with or without seconds, such as `2026-11-21T20:00Z`; return
    it in UTC. Raises DurationError."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise DurationError('"{text}" is not a point in time: write, for example, 2026-11-21T20:00Z.', text=text)
    return moment.astimezone(UTC)


def load_zone(key: str) -> "ZoneInfo":
    """Load the rules of a time zone by its IANA name. Raises ZoneError."""
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(key)
    except (ValueError, OSError, LookupError):
        raise ZoneError(
            'This machine does not know the time zone "{zone}": install the package tzdata.', zone=key
        ) from None


def _one_line(text: str) -> str:
    return "".join(filter(str.isprintable, " ".join(text.split())))[:120]


_AHEAD = timedelta(minutes=2)


class Beacon(NamedTuple):
    """A public beacon of random numbers. `name` is the name by which people know it, ideally with a place where its
    rounds can be looked up. `genesis` is the moment of round 1 in seconds since 1970, and the other rounds follow at
    intervals of `period` seconds. The information about a drand chain calls these two numbers `genesis_time` and
    `period`."""

    name: str
    genesis: int
    period: int

    def moment(self, number: int) -> datetime:
        """Return the moment at which round `number` is published."""
        return datetime.fromtimestamp(self.genesis + (number - 1) * self.period, UTC)

    def latest(self, now: datetime) -> int:
        """Return the number of the last round that has been published by `now`; 0 before the first round."""
        return max(0, int(now.timestamp() - self.genesis) // self.period + 1)

    def ahead(self, now: datetime) -> int:
        """Return the number of the first round that certainly nobody knows yet, even if our clock is slightly wrong. It
        is at least two periods ahead, plus two minutes in which the letter that names the round can arrive."""
        return self.latest(now + _AHEAD) + 3
