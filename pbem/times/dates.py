"""Parsing of dates, hours and the pace of turns, as people write them in any language that has a word file."""

import re
from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import NamedTuple

from pbem import Sentence
from pbem.i18n import words
from pbem.i18n.words import alternatives, fold, folded, folded_rows, pattern
from pbem.times.deadlines import EVERY_DAY, LEAST, Deadline, Pace, deadline_at, extended
from pbem.times.moments import (
    LONGEST,
    DurationError,
    TimeError,
    ZoneError,
    load_zone,
    parse_duration,
    parse_moment,
    whole_minute,
)

# All words below are in lower case and without accents, as `fold` returns them.
_WEEKDAYS, _MONTHS = folded_rows("weekdays"), folded_rows("months")
_DAY_SETS = {
    **dict.fromkeys(folded("daily"), EVERY_DAY),
    **dict.fromkeys(folded("workdays"), frozenset(range(5))),
    **dict.fromkeys(folded("weekends"), frozenset((5, 6))),
}
_FILLERS = frozenset(("", *folded("every"), *folded("on"), *folded("at"), *folded("and")))
_FOR_EVER = folded("no_deadline")
_NEAR_DAYS = {**dict.fromkeys(folded("today"), 0), **dict.fromkeys(folded("tomorrow"), 1)}
_AM, _PM, _OCLOCK = folded("am"), folded("pm"), folded("oclock")
_NAME = r"([^\W\d_]+)"
_HOUR = rf"([0-9]{{1,2}})(?:([:.])([0-9]{{2}}))?\s*({alternatives((*_AM, *_PM, *_OCLOCK, 'h'))})?"
_ORDINAL = rf"(?:-?{pattern('times', 'ordinals')}|\.)?"
_FROM = re.compile(rf"^{alternatives((*folded('from'), *folded('on')))} ")
_BETWEEN = re.compile(rf"\s*(?:\b{pattern('times', 'to')}\b|[-\u2010-\u2015])\s*")
_GAP = re.compile(rf"[,;/&\s]+(?:{pattern('times', 'and')}\s)?\s*")
_UNTIL = re.compile(rf"^{alternatives(word for kind in ('to', 'by', 'at', 'on') for word in folded(kind))} ")
_ONLY_UNTIL = re.compile(rf"^{pattern('times', 'until')} ")
_AT_LEAST = re.compile(rf"[,;]? \(?{pattern('times', 'at_least')} ")
_EVERY = re.compile(rf"^{pattern('times', 'every')} ")
_AT_HOUR = re.compile(rf"(?:^|[,\s]|(?<=[0-9])t)\s*(?:{pattern('times', 'at')} )?{_HOUR}$")
_DAY_FIRST = re.compile(rf"([0-9]{{1,2}}){_ORDINAL}(?: ?(?:{pattern('times', 'of')} )?{_NAME}\.?,? ?(20[0-9]{{2}})?)?")
_MONTH_FIRST = re.compile(rf"{_NAME}\.? ?([0-9]{{1,2}}){_ORDINAL},?(?: (20[0-9]{{2}}))?")
_YEAR = re.compile(rf"(?<=20[0-9]{{2}}) {pattern('times', 'year')}(?:\.|\b)")
_BEFORE_DAY, _BEHIND_DAY = re.compile(rf"{_NAME}[.,]* (.+)"), re.compile(rf"(.+) \({_NAME}\)")
_IN_BRACKETS = re.compile(r" \([^()]*[0-9][^()]*\)$")
_PLACE = re.compile(
    rf"(.*{_HOUR})(?:, ?| {pattern('times', 'in_place')} | )"
    rf"\(?([^\W\d][\w/+ -]*?)(?: {pattern('times', 'place_time')})?\)?"
)
_DAY = timedelta(days=1)
_EIGHT_YEARS = 2923  # days; enough to reach another 29 February even though 2100 has none


class PaceError(TimeError):
    """Raised when a pace of turns cannot be read."""


class DateError(TimeError):
    """Raised when a date or hour cannot be read, or lies outside the allowed range."""


class _Day(NamedTuple):
    """A day as it was written. Parts that were left out are None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None

    def fits(self, day: date) -> bool:
        return all(
            written in (None, actual)
            for written, actual in zip(self, (day.year, day.month, day.day, day.weekday()), strict=True)
        )


def parse_pace(text: str, zone: str = "UTC") -> Pace:
    """Parse a pace of turns: `3 days`, `none`, `Mon, Wed and Fri 20:00`, `Mo-Fr 20 Uhr`, `daily 8 pm, at least 2 days`.
    Raises PaceError."""
    words = fold(text)
    if words in _FOR_EVER:
        return Pace(zone=zone)
    days, _, least = _AT_LEAST.sub("\n", words, count=1).partition("\n")
    try:
        span = parse_duration(least.rstrip(")")) if least else LEAST
        hour = re.search(rf"[,\s]*\b{_HOUR}$", days)
        at, weekdays = (_time(hour), _weekdays(_FROM.sub("", days[: hour.start()]))) if hour else (None, frozenset())
        if at is not None and weekdays:
            return Pace(hour=at, weekdays=weekdays, zone=zone, least=span)
        if not least:
            return Pace(every=parse_duration(_EVERY.sub("", words)), zone=zone)
    except DurationError:
        pass
    raise PaceError(
        '"{text}" does not say how long turns take: write, for example, "3 days", "daily 20:00"'
        ' or "Mon, Wed and Fri 20:00, at least 1 day".',
        text=text,
    )


def parse_dates(text: str, today: date, longest: int = 366) -> tuple[date, date]:
    """Parse a period of future days, and return its first and last day: `20 December to 3 January`, `20.12. bis 3.1.`,
    `Dec 24`, `until Friday`.

    A missing year or month is taken to be the next one that fits, as in `20 to 24 December`. Raises DateError if `text`
    is not a period, or if the period begins before `today`, ends before it begins, or has more than `longest` days.
    """
    words = _FROM.sub("", fold(text))
    first, last = _split(words, today, text)
    if first.weekday is None and first.year is None and (first.month is None or last.year is not None):
        end = _find(last, today, text)
        start = _find(first, end, text, step=-1)
    else:
        start = _find(first, today, text)
        end = _find(last, start, text)
    if start < today:
        raise DateError("{day} is in the past: start today or later.", day=start)
    if end < start:
        raise DateError("{last} comes before {first}: write the first day first.", first=start, last=end)
    days = (end - start).days + 1
    if days > longest:
        raise DateError("This is {days} days, more than the limit of {longest}.", days=days, longest=longest)
    return start, end


def parse_when(text: str, now: datetime, zone: str, current: Deadline | None = None) -> Deadline:
    """Parse a future deadline: `2026-12-01 20:00`, `Sunday 20 Uhr`, `tomorrow 8 pm`; `2 days` counts from `current` or,
    if that is None, from `now`. Raises DateError."""
    words = _UNTIL.sub("", fold(text))
    try:
        deadline = extended(current or deadline_at(now, zone), parse_duration(words))
    except DurationError:
        words, here = _without_place(words, zone)
        deadline = _deadline(words, now, here, (text, current))
        if here != zone:
            deadline = deadline_at(deadline.moment, zone)
    when = f"{deadline.wall:%Y-%m-%d %H:%M} {deadline.zone}"
    if deadline.moment <= now:
        raise DateError("{when} is in the past: write a later time.", when=when)
    if deadline.moment > now + LONGEST:
        raise DateError("{when} is more than ten years away.", when=when)
    return deadline


def _without_place(words: str, zone: str) -> tuple[str, str]:
    """Remove two parts from a moment that is written as in our letters: the place, and the time left in brackets.
    Return the date and hour, and the time zone that the place names, or `zone` if there is no place."""
    if iso := _moment(words):
        return f"{iso:%Y-%m-%d %H:%M}", "UTC"
    words = _IN_BRACKETS.sub("", words)
    if with_place := _PLACE.fullmatch(words):
        for place in (with_place[6], f"Etc/{with_place[6]}"):
            try:
                return with_place[1], parse_zone(place)
            except ZoneError:
                continue
    return words, zone


def _moment(words: str) -> datetime | None:
    """Parse a moment in the form that records and programs use, and round it up to the minute; None if `words` have
    another form."""
    try:
        return whole_minute(parse_moment(words.upper())) if words.endswith("z") else None
    except DurationError:
        return None


def _deadline(words: str, now: datetime, zone: str, request: tuple[str, Deadline | None]) -> Deadline:
    """Parse the deadline that `words` name. `request` is the whole text, for errors, and the current deadline, which
    supplies the hour if `words` name only a day."""
    text, current = request
    hour = _AT_HOUR.search(words)
    at = _time(hour) if hour else None
    today = now.astimezone(load_zone(zone)).date()
    if at is None and current and (alone := _day(words, today)) and (alone.month or alone.weekday is not None):
        return Deadline(datetime.combine(_find(alone, today, text), current.wall.time()), current.zone)
    if hour is None or at is None:
        raise DateError(
            '"{text}" is not a day and time: write, for example, 2026-12-01 20:00, "Sunday 20:00" or "2 days".',
            text=text,
        )
    before = words[: hour.start()]
    day = _day(before, today) if before else _Day()
    if day is None or (day.day and not day.month):
        raise _no_date(text)
    deadline = Deadline(datetime.combine(_find(day, today, text), at), zone)
    if day.year is None and deadline.moment <= now:
        deadline = Deadline(datetime.combine(_find(day, today + _DAY, text), at), zone)
    return deadline


def parse_hour(text: str) -> time | None:
    """Parse the hour in a text that has no date: `at 7.30 pm`, `19 Uhr`, `7`; None if `text` contains no hour."""
    words = fold(text).replace(".", ":")
    hour = re.search(rf"\b{_HOUR}$", words if re.search(r":|\D$", words) else f"{words}:00")
    return _time(hour) if hour else None


def _time(match: re.Match[str]) -> time | None:
    hour, mark, minute, suffix = match.groups()
    if not (mark == ":" or suffix):  # "20.12" is a date, and "20" may be a day
        return None
    number = int(hour)
    if suffix in _AM or suffix in _PM:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if suffix in _PM else 0)
    return time(number, int(minute or 0)) if number < 24 and int(minute or 0) < 60 else None


def _weekdays(words: str) -> frozenset[int]:
    """Parse a list of weekdays and ranges of weekdays, where Monday is 0. Return an empty set if any part of the list
    is not a weekday."""
    days: set[int] = set()
    for word in re.split(r"[,\s/&+]+", _BETWEEN.sub("-", words).lstrip("-")):
        first, dash, last = word.partition("-")
        if word in _FILLERS:
            continue
        if word in _DAY_SETS:
            days |= _DAY_SETS[word]
            continue
        start, end = _named(first, _WEEKDAYS, 2), _named(last if dash else first, _WEEKDAYS, 2)
        if start is None or end is None:
            return frozenset()
        days |= {(start + step) % 7 for step in range((end - start) % 7 + 1)}
    return frozenset(days)


def _named(word: str, table: tuple[frozenset[str], ...], letters: int) -> int | None:
    """Return the index of the row of `table` that contains `word`, in full or abbreviated to no fewer than `letters`
    letters; None if there is no such row. A trailing s ("mondays") is ignored."""
    word = word.rstrip(".")
    if len(word) < letters:
        return None
    return next((row for row, names in enumerate(table) if any(f"{name}s".startswith(word) for name in names)), None)


def _split(words: str, today: date, text: str) -> tuple[_Day, _Day]:
    """Parse a first and a last day, provided that at least one of them has its month, or that both are weekdays. If
    that fails, parse a single day, which is then both the first and the last, or two whole dates with nothing between
    them. `text` is the whole text, for errors."""
    until = _day(words[prefix.end() :], today) if (prefix := _ONLY_UNTIL.match(words)) else None
    if until and (until.month or until.weekday is not None):
        return _Day(today.year, today.month, today.day), until
    for between in _BETWEEN.finditer(words):
        first, last = _day(words[: between.start()], today), _day(words[between.end() :], today)
        if first and last and (first.month or last.month or None not in (first.weekday, last.weekday)):
            return first, last
    alone = _day(words, today)
    if alone and (alone.month or alone.weekday is not None):
        return alone, alone
    for gap in _GAP.finditer(words):
        first, last = _day(words[: gap.start()], today), _day(words[gap.end() :], today)
        if first and last and first.day and first.month and last.day and last.month:
            return first, last
    raise _no_date(text)


def _day(words: str, today: date) -> _Day | None:
    """Parse a single day; None if `words` are not a day. Raises DateError for `1/2/2026`, which is ambiguous."""
    words = _YEAR.sub("", words.strip(" ,")).strip(" ,")
    if (parts := _BEHIND_DAY.fullmatch(words)) and (weekday := _named(parts[2], _WEEKDAYS, 2)) is not None:
        return _on(weekday, _day(parts[1], today))
    if (parts := _BEFORE_DAY.fullmatch(words)) and (weekday := _named(parts[1], _WEEKDAYS, 2)) is not None:
        return _on(weekday, _day(parts[2], today))
    if words in _NEAR_DAYS:
        day = today + _NEAR_DAYS[words] * _DAY
        return _Day(day.year, day.month, day.day)
    if parts := re.fullmatch(r"(20\d{2})-(\d{1,2})-(\d{1,2})", words, re.A):
        return _Day(*map(int, parts.groups()))
    if parts := re.fullmatch(r"(\d{1,2})\. ?(\d{1,2})\.? ?(20\d{2})?", words, re.A):
        return _Day(int(parts[3]) if parts[3] else None, int(parts[2]), int(parts[1]))
    if parts := _DAY_FIRST.fullmatch(words):
        return _worded(parts[1], parts[2], parts[3])
    if parts := _MONTH_FIRST.fullmatch(words):
        return _worded(parts[2], parts[1], parts[3])
    if re.fullmatch(r"\d{1,2}/\d{1,2}(?:/\d{2,4})?", words, re.A):
        raise DateError(
            '"{text}" means different days in London and in New York: write the year first, as in 2026-12-31.',
            text=words,
        )
    weekday = _named(words, _WEEKDAYS, 2)
    return None if weekday is None else _Day(weekday=weekday)


def _on(weekday: int, day: _Day | None) -> _Day | None:
    """Return `day` with the given weekday; None if `day` is None or has no day of the month."""
    return day._replace(weekday=weekday) if day and day.day else None


def _worded(day: str, name: str | None, year: str | None) -> _Day | None:
    if name is None:
        return _Day(day=int(day))
    month = _named(name, _MONTHS, 3)
    return None if month is None else _Day(int(year) if year else None, month + 1, int(day))


def _find(day: _Day, since: date, text: str, step: int = 1) -> date:
    """Return the date that `day` means. If parts of `day` are missing, this is the first date that fits, searching
    forward from `since` (or back, with a negative `step`). Raises DateError, which quotes `text`, if there is no such
    date."""
    if day.day and day.month and day.weekday is not None:
        dated = _find(day._replace(weekday=None), since, text, step)
        if dated.weekday() == day.weekday:
            return dated
        raise DateError("{day} is not the weekday you named. Write which you mean.", day=dated)
    if day.year and day.month and day.day:
        try:
            return date(day.year, day.month, day.day)
        except ValueError:
            raise _no_date(text) from None
    days = (since + step * number * _DAY for number in range(_EIGHT_YEARS))
    first = next(filter(day.fits, days), None)
    if first is None:
        raise _no_date(text)
    return first


def _no_date(text: str) -> DateError:
    return DateError(
        'We cannot read "{text}" as a date: write, for example, 2026-12-20, "20 December" or 20.12.',
        text=text,
    )


_NOT_PLACES = frozenset(("Factory", "localtime", "posixrules"))


def parse_zone(text: str) -> str:
    """Return the IANA name of the time zone that `text` means: `Europe/Berlin` for `europe/berlin`, `Berlin` or `MEZ`.
    Raises ZoneError if there is no such time zone, or more than one."""
    from zoneinfo import available_timezones

    keys = sorted(available_timezones() - _NOT_PLACES)
    name = fold(text).strip(" .").replace(" ", "_")
    if re.fullmatch(r"(?:utc|gmt)?[+-]\d.*", name):
        raise ZoneError('"{text}" has no summer time: write a region and a city, such as Europe/Berlin.', text=text)
    zones = [key for key, names in _other_names().items() if name in names]
    zones = zones or [key for key in keys if key.casefold() == name]
    zones = zones or [key for key in keys if _place(key) == name and not key.startswith("Etc/")]
    if len(zones) == 1 and zones[0] in keys:
        return zones[0]
    if zones:
        raise ZoneError('"{text}" could be {zones}: write the one you mean.', text=text, zones=_listed(zones))
    near = _near(name, keys)
    if near:
        raise ZoneError('There is no time zone "{text}". Did you mean {zones}?', text=text, zones=_listed(near))
    raise ZoneError(
        'There is no time zone "{text}": write a region and a big city near you, such as Europe/Berlin.', text=text
    )


@cache
def _other_names() -> Mapping[str, frozenset[str]]:
    return {key: frozenset(name.replace(" ", "_") for name in names) for key, names in words.zones().items()}


def _place(key: str) -> str:
    return key.rsplit("/", 1)[-1].casefold()


def _near(name: str, keys: list[str]) -> list[str]:
    from difflib import get_close_matches

    places = {_place(key): key for key in keys if not key.startswith("Etc/")}
    return [places[near] for near in get_close_matches(_place(name)[:40], places, 3, 0.75)]


def _listed(zones: list[str]) -> str:
    *first, last = zones
    return Sentence("{first} or {last}", first=tuple(first), last=last) if first else last
