"""Banks of time: only the time for which others wait is taken out of them, whatever the clocks of zones do."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.times.banks import (
    Bank,
    added,
    empty_at,
    interrupted,
    left_at,
    settled,
    spans_of,
    started,
    stopped,
)
from pbem.times.deadlines import Absence
from support.each import each

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)

ZONES = st.sampled_from(("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC", "Pacific/Apia"))
HOURS = st.integers(0, 400).map(lambda hours: hours * HOUR)
MOMENTS = HOURS.map(lambda hours: NOON + hours)
SPANS = st.lists(st.tuples(MOMENTS, MOMENTS), max_size=4)
BANKS = st.builds(Bank, HOURS, MOMENTS)
ABSENCES = st.lists(
    st.builds(
        lambda first, days, zone: Absence(first, first + days * DAY, zone),
        st.dates(date(2026, 1, 1), date(2030, 1, 1)),
        st.integers(0, 20),
        ZONES,
    ),
    max_size=3,
)


def counted(since: datetime, until: datetime, free: list[tuple[datetime, datetime]]) -> timedelta:
    """The time from one moment to another outside of the spans in `free`, counted hour by hour."""
    hours = max(0, (until - since) // HOUR)
    moments = (since + hour * HOUR for hour in range(hours))
    return sum((HOUR for moment in moments if not any(begin <= moment < end for begin, end in free)), timedelta())


def test_a_bank_from_which_nothing_is_taken_stays_as_it_is():
    bank = Bank(3 * DAY)
    assert left_at(bank, NOON + 100 * DAY) == 3 * DAY
    assert empty_at(bank) is None
    assert stopped(bank, NOON) == settled(bank, NOON) == interrupted(bank, (NOON, NOON + DAY)) == bank


def test_a_bank_cannot_hold_less_than_nothing():
    with pytest.raises(ValueError, match="less than nothing"):
        Bank(-HOUR)
    assert stopped(Bank(HOUR, NOON), NOON + DAY) == Bank(timedelta())


@each(
    ("zone", "day"),
    [("Europe/Berlin", "2026-10-25"), ("Europe/Berlin", "2027-03-28"), ("America/New_York", "2026-11-01")],
)
def test_a_day_in_a_bank_has_24_hours_when_clocks_change(zone, day):
    away = Absence(date.fromisoformat(day), date.fromisoformat(day), zone)
    bank = Bank(2 * DAY, away.begins - DAY)
    assert empty_at(bank) == away.begins + DAY
    assert empty_at(bank, spans_of([away])) == away.ends + DAY, "a day of vacation is as long as its clock says"


def test_a_bank_that_is_empty_when_a_vacation_begins_is_not_saved_by_it():
    away = (NOON + DAY, NOON + 5 * DAY)
    assert empty_at(Bank(DAY, NOON), [away]) == NOON + DAY
    assert empty_at(Bank(DAY + HOUR, NOON), [away]) == NOON + 5 * DAY + HOUR


@settings(deadline=None)
@given(bank=BANKS, free=SPANS, moment=MOMENTS)
def test_what_is_taken_out_is_the_time_that_is_not_free(bank, free, moment):
    assert left_at(bank, moment, free) == max(timedelta(), bank.left - counted(bank.since, moment, free))


@settings(deadline=None)
@given(bank=BANKS, free=SPANS)
def test_a_bank_is_empty_at_the_first_moment_at_which_nothing_is_left(bank, free):
    moment = empty_at(bank, free)
    assert left_at(bank, moment, free) == timedelta()
    if moment > bank.since:
        assert left_at(bank, moment - HOUR, free) > timedelta()


@settings(deadline=None)
@given(bank=BANKS, absences=ABSENCES, share=st.integers(1, 4))
def test_a_reserve_is_reached_before_the_bank_is_empty_in_every_zone(bank, absences, share):
    free, reserve = spans_of(absences), bank.left / share
    moment = empty_at(bank, free, reserve)
    assert left_at(bank, moment, free) == reserve
    assert moment <= empty_at(bank, free)


@settings(deadline=None)
@given(bank=BANKS, free=SPANS, stops=st.lists(MOMENTS, max_size=5))
def test_it_makes_no_difference_how_often_somebody_looks(bank, free, stops):
    once = bank
    for moment in sorted(moment for moment in stops if moment >= bank.since):
        once = settled(once, moment, free)
        assert once.left == left_at(bank, moment, free)
    assert empty_at(once, free) == empty_at(bank, free) or not once.left


@settings(deadline=None)
@given(bank=BANKS, free=SPANS, outage=st.tuples(MOMENTS, MOMENTS).map(sorted), later=HOURS)
def test_an_outage_takes_nothing_out_also_if_it_is_given_back_twice_or_lasts_longer(bank, free, outage, later):
    began, ended = outage
    once, longer = interrupted(bank, (began, ended), free), interrupted(bank, (began, ended + later), free)
    assert interrupted(once, (began, ended), free) == once
    assert interrupted(once, (began, ended + later), free) == longer
    end = max(bank.since, ended + later)
    if bank.since < ended:
        assert left_at(longer, end, free) == max(timedelta(), bank.left - counted(bank.since, began, free))
    else:
        assert once == bank


@settings(deadline=None)
@given(bank=BANKS, free=SPANS, moves=st.lists(st.tuples(HOURS, st.booleans()), max_size=6))
def test_what_was_put_in_is_what_is_left_and_what_was_waited_for(bank, free, moves):
    now, waited, put = bank.since, timedelta(), bank.left
    for span, goes_on in moves:
        bank = added(bank, span + 400 * HOUR)
        put += span + 400 * HOUR
        if bank.since:
            waited += counted(now, now + span, free)
        now += span
        bank = started(bank, now) if goes_on else stopped(bank, now, free)
    assert left_at(bank, now, free) + waited == put
