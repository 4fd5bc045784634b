"""Dates, hours and the pace of turns as people write them, and what they are told of what cannot be read."""

from datetime import UTC, date, datetime, time, timedelta
from itertools import cycle
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.i18n.languages import say_in
from pbem.i18n.words import zone_name
from pbem.orders.command import Asking
from pbem.orders.reader import read_words
from pbem.times.dates import DateError, PaceError, parse_dates, parse_pace, parse_when
from pbem.times.deadlines import EVERY_DAY, LEAST, Deadline, Pace
from pbem.times.moments import day_in_words, deadline_in_words, soon_in_words, stamp
from support.each import each

TODAY = date(2026, 11, 22)  # a Sunday
NOW = datetime(2026, 11, 22, 15, 30, tzinfo=UTC)  # half past four in the afternoon in Berlin
BERLIN = "Europe/Berlin"
MON, TUE, WED, THU, FRI, SAT, SUN = range(7)


def days(*names: int) -> frozenset[int]:
    return frozenset(names)


# How long turns take


@each(
    ("text", "pace"),
    [
        *((text, Pace()) for text in ("none", "None", "no deadline", "for ever", "keine")),
        *((text, Pace(every=timedelta(days=3))) for text in ("3 days", "every 3 days", "3 Tage", "alle 3 Tage")),
        ("36 hours", Pace(every=timedelta(hours=36))),
        *(
            (text, Pace(hour=time(20), weekdays=EVERY_DAY))
            for text in ("daily 20:00", "every day at 8 pm", "täglich 20 Uhr")
        ),
        *((text, Pace(hour=time(18, 30), weekdays=days(MON, TUE, WED, THU, FRI))) for text in ("weekdays 18:30",)),
        *((text, Pace(hour=time(0), weekdays=days(SAT, SUN))) for text in ("weekends 00:00", "Sat+Sun 12 am")),
        *(
            (text, Pace(hour=time(20), weekdays=days(MON, WED, FRI)))
            for text in (
                *("Mon, Wed and Fri 20:00", "mondays, wednesdays, fridays at 8 p.m.", "Mon/Wed/Fri, 20:00"),
                *("Mo, Mi und Fr 20:00", "Mo. Mi. Fr. um 20.00 Uhr", "montags, mittwochs und freitags 20 Uhr"),
            )
        ),
        *(
            (text, Pace(hour=time(20, 15), weekdays=days(*range(5))))
            for text in ("Mon-Fri 20:15", "Mo bis Fr 20.15 Uhr")
        ),
        ("Sat-Mon 9 am", Pace(hour=time(9), weekdays=days(SAT, SUN, MON))),
        (
            "every Sunday 20:00, at least 2 days",
            Pace(hour=time(20), weekdays=days(SUN), least=timedelta(days=2)),
        ),
        (
            "jeden Sonntag 20 Uhr, mindestens 2 Tage",
            Pace(hour=time(20), weekdays=days(SUN), least=timedelta(days=2)),
        ),
        ("Tue 12 pm (at least 6 hours)", Pace(hour=time(12), weekdays=days(TUE), least=timedelta(hours=6))),
    ],
)
def test_a_pace_is_read_in_english_and_german(text, pace):
    assert parse_pace(text) == pace
    assert parse_pace(str(pace)) == pace


@each(
    "text",
    [
        *("", "20:00", "Mon", "Mon 25:00", "Mon 20:60", "Mon 20", "Mon 20.00", "Mon 13 pm", "Mon 0 am", "Xyz 20:00"),
        *("Mon and Xyz 20:00", "every 2 days at 20:00", "0 days", "3 days, at least 1 day", "Mon 20:00, at least soon"),
        *("daily", "m 20:00", "Mon 20:00 at least", "Mon 20:00, at least 0 days", "-" * 50 + " 20:00", "Mon ٢٠:٠٠ x"),
    ],
)
def test_what_is_no_pace_is_told_with_examples(text):
    with pytest.raises(PaceError, match='write, for example, "3 days", "daily 20:00" or "Mon, Wed and Fri 20:00'):
        parse_pace(text)


def test_a_pace_prints_as_people_write_it():
    assert str(Pace(hour=time(20), weekdays=days(MON, WED, FRI))) == "Mon, Wed and Fri 20:00"
    assert (
        str(Pace(hour=time(9, 5), weekdays=days(SUN), least=timedelta(days=2))) == "every Sunday 09:05, at least 2 days"
    )
    assert [str(Pace(hour=time(8), weekdays=some))[:-6] for some in (EVERY_DAY, days(*range(5)), days(SAT, SUN))] == [
        *("daily", "weekdays", "weekends"),
    ]


SPANS = st.integers(1, 5_000_000).map(lambda minutes: timedelta(minutes=minutes))
PACES = st.builds(Pace, every=st.none() | SPANS) | st.builds(
    Pace,
    hour=st.builds(time, st.integers(0, 23), st.integers(0, 59)),
    weekdays=st.frozensets(st.integers(0, 6), min_size=1),
    least=SPANS | st.just(LEAST),
)


@settings(deadline=None, max_examples=60)
@given(pace=PACES)
def test_every_pace_reads_back(pace):
    assert parse_pace(str(pace), pace.zone) == pace


# Days of a vacation


@each(
    "text",
    [
        *("2026-12-20 to 2027-01-03", "2026-12-20 - 2027-01-03", "2026-12-20-2027-01-03", "2026-12-20–2027-01-03"),
        *("20 December to 3 January", "Dec 20 - Jan 3", "from Dec 20th until Jan 3rd", "20 dec 2026 - 3 jan 2027"),
        *("December 20, 2026 through January 3, 2027", "20th of December to 3rd of January", "Dec 20 - 2027-01-03"),
        *("20.12. bis 3.1.", "vom 20.12. bis zum 3.1.", "20.12.-3.1.", "20.12 - 3.1", "20.12.2026 - 3.1.2027"),
        *("20. Dezember bis 3. Januar", "20. Dez. bis 3. Jänner 2027", "20 December to 3 January 2027"),
        *("2026-12-20 2027-01-03", "20.12. 3.1.", "20 December, 3 January", "20. Dezember und 3. Januar"),
    ],
)
def test_days_are_read_in_many_ways(text):
    assert parse_dates(text, TODAY) == (date(2026, 12, 20), date(2027, 1, 3))


@each(
    ("text", "first", "last"),
    [
        ("24 December", "2026-12-24", "2026-12-24"),
        ("20 to 24 December", "2026-12-20", "2026-12-24"),
        ("Dec 20-24", "2026-12-20", "2026-12-24"),
        ("20.-24. März", "2027-03-20", "2027-03-24"),
        ("Dec 30 to 2", "2026-12-30", "2027-01-02"),
        ("30 to 2 January", "2026-12-30", "2027-01-02"),
        ("30. Dez. bis 2. Jan. 2029", "2028-12-30", "2029-01-02"),
        ("Monday to 2026-12-31", "2026-11-23", "2026-12-31"),
        ("today to Friday", "2026-11-22", "2026-11-27"),
        ("morgen bis 3.12.", "2026-11-23", "2026-12-03"),
        ("Monday to Monday", "2026-11-23", "2026-11-23"),
        ("Sunday", "2026-11-22", "2026-11-22"),
        ("22 November to 1 December", "2026-11-22", "2026-12-01"),
        ("21 November to 1 December", "2027-11-21", "2027-12-01"),
        ("29 February", "2028-02-29", "2028-02-29"),
        ("28 Feb to 1 March 2028", "2028-02-28", "2028-03-01"),
        ("20 December to 3 January 2028", "2027-12-20", "2028-01-03"),
    ],
)
def test_what_is_left_open_is_what_comes_next(text, first, last):
    assert parse_dates(text, TODAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2026-11-21 to 2026-12-01", "2026-11-21 is in the past: start today or later."),
        ("1 December 2025", "2025-12-01 is in the past: start today or later."),
        ("2026-12-20 to 2026-12-01", "2026-12-01 comes before 2026-12-20: write the first day first."),
        ("2026-12-01 to 2027-12-31", "This is 396 days, more than the limit of 366."),
        (
            "1/2/2027",
            '"1/2/2027" means different days in London and in New York: write the year first, as in 2026-12-31.',
        ),
        ("1/2 to 4/2", '"1/2" means different days in London and in New York: write the year first, as in 2026-12-31.'),
    ],
)
def test_days_that_cannot_be_are_refused_in_a_sentence(text, sentence):
    with pytest.raises(DateError) as caught:
        parse_dates(text, TODAY)
    assert str(caught.value) == sentence


@each(
    "text",
    [
        *(
            "",
            "nonsense",
            "to",
            "5",
            "5 to 7",
            "12-20",
            "31 February",
            "29 February 2027",
            "2026-13-01",
            "0.1.",
            "1.0.",
        ),
        *(
            "20 December to",
            "to 3 January",
            "20 Xyz",
            "9999-12-31",
            "1999-01-01",
            "3 days",
            "2026-12-20T20:00",
            "d" * 9_000,
        ),
    ],
)
def test_what_is_no_date_is_told_with_examples(text):
    with pytest.raises(DateError, match=r'write, for example, 2026-12-20, "20 December" or 20\.12\.'):
        parse_dates(text, TODAY)


def test_a_league_may_allow_fewer_days():
    assert parse_dates("1 to 14 December", TODAY, longest=14)
    with pytest.raises(DateError, match="15 days, more than the limit of 14"):
        parse_dates("1 to 15 December", TODAY, longest=14)


@settings(deadline=None, max_examples=60)
@given(ahead=st.integers(0, 300), length=st.integers(0, 60), today=st.dates(date(2024, 1, 1), date(2060, 1, 1)))
def test_every_way_of_writing_days_means_the_same(ahead, length, today):
    first = today + timedelta(days=ahead)
    last = first + timedelta(days=length)
    for text in (
        f"{first} to {last}",
        f"{first:%d.%m.}-{last:%d.%m.}",
        f"{first:%d %B} - {last:%d %B}",
        f"{first:%b %d} to {last:%b %d %Y}",
    ):
        assert parse_dates(text, today) == (first, last)


# Deadlines that a game master sets


@each(
    ("text", "wall"),
    [
        *(
            (text, "2026-12-01T20:00")
            for text in ("2026-12-01 20:00", "to 2026-12-01T20:00", "Dec 1 at 20:00", "1.12. 20 Uhr")
        ),
        ("auf 1. Dezember 2026, 20.15 Uhr", "2026-12-01T20:15"),
        *(
            (text, "2026-11-22T20:00")
            for text in ("20:00", "Sunday 20:00", "today 8 pm", "heute um 20 Uhr", "Sonntag 20 Uhr")
        ),
        *((text, "2026-11-23T08:00") for text in ("8 am", "tomorrow 8:00", "morgen 8 Uhr", "Mon 08:00")),
        *((text, "2026-11-29T16:30") for text in ("Sunday 16:30", "So 16:30")),
        *((text, "2026-11-24T16:30") for text in ("2 days", "by 2 days", "um 2 Tage")),
    ],
)
def test_a_deadline_to_come_is_read(text, wall):
    assert parse_when(text, NOW, BERLIN) == Deadline(datetime.fromisoformat(wall), BERLIN)


def test_a_length_of_time_goes_on_top_of_the_deadline_that_there_is():
    current = Deadline(datetime(2027, 3, 27, 20), BERLIN)
    assert parse_when("2 days", NOW, BERLIN, current) == Deadline(datetime(2027, 3, 29, 20), BERLIN)
    assert parse_when("36 hours", NOW, BERLIN, current) == Deadline(datetime(2027, 3, 29, 9), BERLIN)
    assert parse_when("2027-04-01 20:00", NOW, BERLIN, current) == Deadline(datetime(2027, 4, 1, 20), BERLIN)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("2026-11-22 16:30", "2026-11-22 16:30 Europe/Berlin is in the past: write a later time."),
        ("today 10:00", "2026-11-22 10:00 Europe/Berlin is in the past: write a later time."),
        ("2050-01-01 10:00", "2050-01-01 10:00 Europe/Berlin is more than ten years away."),
        (
            "1/2/2027 20:00",
            '"1/2/2027" means different days in London and in New York: write the year first, as in 2026-12-31.',
        ),
    ],
)
def test_a_deadline_that_cannot_be_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(DateError) as caught:
        parse_when(text, NOW, BERLIN)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "text", ["", "soon", "Sunday", "2026-12-01", "5 20:00", "Xyz 20:00", "Dec 1 25:00", "31.2. 20 Uhr"]
)
def test_what_is_no_deadline_is_told_with_an_example(text):
    with pytest.raises(DateError, match="write, for example, 2026-12-"):
        parse_when(text, NOW, BERLIN)


def test_an_extension_that_ends_in_the_past_is_refused():
    with pytest.raises(DateError, match="is in the past"):
        parse_when("2 hours", NOW, BERLIN, Deadline(datetime(2026, 11, 20, 20), BERLIN))


def sentence_about(text: str) -> str:
    """What people are told of a text that may be a pace, days or a deadline; nothing if it is all three."""
    told = ""
    for read in (parse_pace, lambda text: parse_dates(text, TODAY), lambda text: parse_when(text, NOW, BERLIN)):
        try:
            read(text)
        except (PaceError, DateError) as error:
            told += str(error)
    return told


WORDS = st.sampled_from(
    (
        "Mon",
        "to",
        "-",
        "20:00",
        "20",
        "Dec",
        ".",
        "1",
        "every",
        "at least",
        "2 days",
        "2026-12-01",
        "Uhr",
        "pm",
        ",",
        "/",
    )
)


@settings(deadline=None, max_examples=60)
@given(text=st.text(max_size=60) | st.lists(WORDS, max_size=8).map(" ".join) | st.lists(WORDS, max_size=8).map("".join))
def test_no_text_raises_anything_but_a_sentence(text):
    assert len(sentence_about(text)) < 1_000


# What our own letters tell


MOMENTS = [datetime(2026, month, day, 19, 5, tzinfo=UTC) for month in (11, 12) for day in (23, 24, 25, 26, 27, 28, 29)]
MOMENTS += [datetime(2027, month, 3, 7, 30, tzinfo=UTC) for month in range(1, 13)]
LANGUAGES = ("en", "de", "ru")


ZONES = ("Europe/Berlin", "Europe/Vienna", "America/New_York", "UTC", "Etc/GMT+3")


@each("language", LANGUAGES)
@each(("moment", "zone"), [*zip(MOMENTS, cycle(ZONES), strict=False)])
def test_a_moment_is_read_as_every_letter_tells_it(moment, zone, language):
    check_moment(moment, zone, language)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("zone", ZONES)
def test_every_moment_is_read_as_letters_of_any_zone_tell_it(zone, language):
    for moment in MOMENTS:
        check_moment(moment, zone, language)


def check_moment(moment, zone, language):
    say, place = say_in(language), zone_name(zone, language)
    for words in (deadline_in_words, soon_in_words):
        told = words(moment, NOW, ZoneInfo(zone), say, place)
        for text in (told, told.rpartition(" (")[0], f"to {told}"):
            assert parse_when(text, NOW, "Europe/Moscow").moment == moment, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_hour_alone_is_read_as_letters_tell_it(language):
    moment = NOW + timedelta(hours=2)
    text = soon_in_words(moment, NOW, ZoneInfo(BERLIN), say_in(language), zone_name(BERLIN, language))
    assert parse_when(text, NOW, "America/New_York").moment == moment, text


@each("language", LANGUAGES)
@each("first", [one.date() for one in MOMENTS])
def test_days_of_a_vacation_are_read_as_letters_tell_them(first, language):
    say, last = say_in(language), first + timedelta(days=9)
    told = say("{first} to {last}", first=day_in_words(first, say), last=day_in_words(last, say))
    assert parse_dates(told, TODAY) == (first, last), told
    assert read_words(f"vacation {told}").commands == (Asking("vacation", told),)


@each("moment", MOMENTS)
def test_a_moment_is_read_as_records_and_commands_print_it(moment):
    for text in (stamp(moment), f"{moment:%Y-%m-%d %H:%M} UTC", str(Deadline(moment.replace(tzinfo=None)))):
        assert parse_when(text, NOW, BERLIN).moment == moment, text


@pytest.mark.parametrize("text", ["29 November", "to Sunday 29 November 2026", "bis zum 29.11.", "Sunday, November 29"])
def test_a_day_without_an_hour_has_that_of_the_deadline_so_far(text):
    current = Deadline(datetime(2026, 11, 25, 20, 0), BERLIN)
    assert parse_when(text, NOW, BERLIN, current) == Deadline(datetime(2026, 11, 29, 20, 0), BERLIN)


@pytest.mark.parametrize("text", ["Monday 29 November 2026, 20:00", "29 November 2026 (Montag) 20:00"])
def test_a_day_of_the_week_that_is_not_that_of_the_date_is_asked_about(text):
    with pytest.raises(DateError, match="2026-11-29 is not the weekday you named"):
        parse_when(text, NOW, BERLIN)
