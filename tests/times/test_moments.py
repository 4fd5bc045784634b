"""Lengths of time and deadlines, as people write and read them."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.times.moments import (
    DurationError,
    deadline_in_words,
    format_duration,
    outage,
    parse_duration,
    parse_moment,
    stamp,
    whole_minute,
)
from support.each import each

NOW = datetime(2026, 11, 26, 15, 0, tzinfo=UTC)


@each(
    ("text", "span"),
    [
        ("3 days", timedelta(days=3)),
        ("1 day", timedelta(days=1)),
        ("36 Hours", timedelta(hours=36)),
        ("2 weeks", timedelta(weeks=2)),
        ("1 week 12 hours", timedelta(weeks=1, hours=12)),
        ("1 day, 2 hours and 5 minutes", timedelta(days=1, hours=2, minutes=5)),
        ("90minutes", timedelta(minutes=90)),
        ("3 Tage", timedelta(days=3)),
        ("1 Woche und 36 Stunden", timedelta(weeks=1, hours=36)),
    ],
)
def test_a_length_of_time_is_read(text, span):
    assert parse_duration(text) == span


@each("text", ["", "three days", "3", "days", "-3 days", "0 days", "3 days!", "3 months", "999999 weeks"])
def test_what_is_no_length_of_time_is_told_with_an_example(text):
    with pytest.raises(DurationError, match="3 days"):
        parse_duration(text)


def test_a_length_of_time_is_told_in_its_two_largest_units():
    assert format_duration(timedelta(days=3, hours=4, minutes=7)) == "3 days 4 hours"
    assert format_duration(timedelta(hours=1, minutes=1)) == "1 hour 1 minute"
    assert format_duration(timedelta(seconds=59)) == "less than a minute"
    assert format_duration(timedelta(days=3, hours=4, minutes=7), units=3) == "3 days 4 hours 7 minutes"


def test_an_error_keeps_its_sentence_and_what_stands_in_it_apart():
    with pytest.raises(DurationError) as caught:
        parse_duration("a {while}\n\0" + "x" * 500)
    assert caught.value.sentence.startswith('"{text}" is not a length of time')
    assert caught.value.values == {"text": "a {while} " + "x" * 110}
    assert str(caught.value) == caught.value.sentence.format(**caught.value.values)


@pytest.mark.parametrize(
    ("every", "gap", "down"),
    [
        (timedelta(minutes=1), timedelta(minutes=15), False),
        (timedelta(minutes=1), timedelta(minutes=16), True),
        (timedelta(minutes=10), timedelta(minutes=30), False),
        (timedelta(minutes=10), timedelta(minutes=31), True),
        (timedelta(hours=1), timedelta(hours=-2), False),
    ],
)
def test_a_desk_was_down_if_it_missed_three_runs_and_a_quarter_of_an_hour(every, gap, down):
    assert outage(NOW, NOW + gap, every) == (gap if down else None)


def test_a_deadline_falls_on_a_whole_minute_and_is_never_early():
    assert whole_minute(NOW.replace(second=1)) == NOW + timedelta(minutes=1)
    assert whole_minute(NOW) == NOW


def test_a_deadline_is_told_with_weekday_zone_and_time_left():
    due = datetime(2026, 11, 29, 19, 0, tzinfo=UTC)
    assert deadline_in_words(due, NOW, ZoneInfo("Europe/Berlin")) == (
        "Sunday 29 November 2026, 20:00 Berlin time (in 3 days 4 hours)"
    )
    assert deadline_in_words(due, NOW, ZoneInfo("America/Los_Angeles")).startswith(
        "Sunday 29 November 2026, 11:00 Los Angeles time"
    )
    assert deadline_in_words(due, NOW, ZoneInfo("UTC")) == "Sunday 29 November 2026, 19:00 UTC (in 3 days 4 hours)"


def test_a_moment_needs_its_zone():
    assert parse_moment("2026-11-21T20:00Z") == datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    assert parse_moment("2026-11-21T20:00+01:00") == datetime(2026, 11, 21, 19, 0, tzinfo=UTC)
    assert parse_moment(stamp(NOW)) == NOW
    for text in ("2026-11-21T20:00", "yesterday", ""):
        with pytest.raises(DurationError, match="2026-11-21T20:00Z"):
            parse_moment(text)
