"""When turns are due: lengths of time and fixed hours, through both changes of the clock, early turns and outages."""

import zoneinfo
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.times.deadlines import (
    EVERY_DAY,
    LEAST,
    Deadline,
    Milestones,
    Pace,
    after_outage,
    deadline_at,
    extended,
    milestones,
    next_deadline,
    parse_deadline,
)
from pbem.times.moments import DurationError, ZoneError
from support.decrees import island
from support.each import each

BERLIN, NEW_YORK, LORD_HOWE = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
EVENINGS = Pace(hour=time(20), weekdays=frozenset((0, 2, 4)), zone=BERLIN)  # Mondays, Wednesdays, Fridays


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)


def local(text: str, zone: str = BERLIN) -> datetime:
    """The moment in UTC at which the clock of a zone shows something."""
    return Deadline(datetime.fromisoformat(text), zone).moment


def due(pace: Pace, start: datetime) -> str:
    return str(next_deadline(pace, start))


# Lengths of time


def test_a_turn_without_limit_has_no_deadline():
    assert next_deadline(Pace(), moment("2026-11-22T20:00Z")) is None


@each(
    ("zone", "start", "days", "wall"),
    [
        (BERLIN, "2026-10-24T20:00", 3, "2026-10-27T20:00"),
        (BERLIN, "2027-03-27T20:00", 3, "2027-03-30T20:00"),
        (BERLIN, "2027-03-21T20:00", 14, "2027-04-04T20:00"),
        (NEW_YORK, "2026-10-31T20:00", 1, "2026-11-01T20:00"),
        (NEW_YORK, "2027-03-13T20:00", 1, "2027-03-14T20:00"),
        (LORD_HOWE, "2027-04-03T20:00", 1, "2027-04-04T20:00"),
        ("UTC", "2028-02-28T20:00", 1, "2028-02-29T20:00"),
        ("UTC", "2028-02-28T20:00", 2, "2028-03-01T20:00"),
        ("UTC", "2027-02-28T20:00", 1, "2027-03-01T20:00"),
    ],
)
def test_whole_days_keep_the_hour_through_every_change_of_the_clock(zone, start, days, wall):
    assert due(Pace(every=days * DAY, zone=zone), local(start, zone)) == f"{wall} {zone}"


@pytest.mark.parametrize(
    ("start", "wall"),
    [
        ("2026-10-24T20:00", "2026-10-25T19:00 Europe/Berlin"),
        ("2027-03-27T20:00", "2027-03-28T21:00 Europe/Berlin"),
    ],
)
def test_hours_are_hours_that_pass(start, wall):
    pace = Pace(every=24 * HOUR - 30 * timedelta(minutes=1), zone=BERLIN)
    assert due(pace, local(start) + timedelta(minutes=30)) == wall
    assert next_deadline(pace, local(start)).moment - local(start) == pace.every


def test_a_deadline_falls_on_a_whole_minute_and_is_never_early():
    start = moment("2026-11-22T19:00:00.000001Z")
    assert due(Pace(every=3 * DAY, zone=BERLIN), start) == "2026-11-25T20:01 Europe/Berlin"
    assert due(Pace(every=90 * timedelta(minutes=1), zone=BERLIN), start) == "2026-11-22T21:31 Europe/Berlin"


def test_the_second_of_two_equal_hours_is_said_in_utc():
    # At 01:00 UTC the clock of Berlin goes back from three to two.
    assert str(deadline_at(moment("2026-10-25T00:30Z"), BERLIN)) == "2026-10-25T02:30 Europe/Berlin"
    assert str(deadline_at(moment("2026-10-25T01:30Z"), BERLIN)) == "2026-10-25T01:30 UTC"
    assert str(deadline_at(moment("2026-10-25T00:59:30Z"), BERLIN)) == "2026-10-25T01:00 UTC"


# Fixed hours


def test_the_next_fixed_hour_that_is_far_enough_away_counts():
    assert due(EVENINGS, local("2026-11-23T20:00")) == "2026-11-25T20:00 Europe/Berlin"  # Monday to Wednesday
    assert due(EVENINGS, local("2026-11-27T20:00")) == "2026-11-30T20:00 Europe/Berlin"  # over a week-end


def test_a_turn_played_early_keeps_the_rhythm():
    assert due(EVENINGS, local("2026-11-24T09:00")) == "2026-11-25T20:00 Europe/Berlin"
    assert due(EVENINGS, local("2026-11-25T08:00")) == "2026-11-25T20:00 Europe/Berlin"  # just twelve hours
    assert due(EVENINGS, local("2026-11-25T08:01")) == "2026-11-27T20:00 Europe/Berlin"
    assert due(EVENINGS, local("2026-11-25T18:55")) == "2026-11-27T20:00 Europe/Berlin"


def test_a_run_that_comes_late_costs_no_turn_its_day():
    daily = Pace(hour=time(20), weekdays=EVERY_DAY, zone=BERLIN, least=DAY)
    assert due(daily, local("2026-11-25T20:00")) == "2026-11-26T20:00 Europe/Berlin"
    assert due(daily, local("2026-11-25T20:59")) == "2026-11-26T20:00 Europe/Berlin"
    assert due(daily, local("2026-11-25T21:00")) == "2026-11-27T20:00 Europe/Berlin"
    assert due(daily, local("2026-11-25T20:00") - timedelta(seconds=1)) == "2026-11-26T20:00 Europe/Berlin"


@pytest.mark.parametrize("sunday", ["2026-10-25", "2027-03-28"])
def test_days_at_least_are_days_of_the_calendar(sunday):
    two_days = Pace(hour=time(20), weekdays=EVERY_DAY, zone=BERLIN, least=2 * DAY)
    start = datetime.fromisoformat(f"{sunday}T20:00") - DAY
    assert due(two_days, Deadline(start, BERLIN).moment) == f"{(start + 2 * DAY).isoformat('T', 'minutes')} {BERLIN}"


@pytest.mark.parametrize(
    ("zone", "day", "hour", "utc"),
    [
        (BERLIN, "2027-03-28", "02:30", "2027-03-28T01:30Z"),  # there is none: half past three
        (BERLIN, "2026-10-25", "02:30", "2026-10-25T00:30Z"),  # there are two: the first
        (NEW_YORK, "2027-03-14", "02:30", "2027-03-14T07:30Z"),
        (NEW_YORK, "2026-11-01", "01:30", "2026-11-01T05:30Z"),
        (LORD_HOWE, "2026-10-04", "02:15", "2026-10-03T15:45Z"),  # the clock goes half an hour forward
        (LORD_HOWE, "2027-04-04", "01:45", "2027-04-03T14:45Z"),  # and back
    ],
)
def test_an_hour_that_is_left_out_comes_later_and_one_that_comes_twice_is_the_first(zone, day, hour, utc):
    slot = Pace(hour=time.fromisoformat(hour), weekdays=EVERY_DAY, zone=zone)
    deadline = next_deadline(slot, moment(utc) - 13 * HOUR)
    assert (deadline.wall.isoformat(), deadline.moment) == (f"{day}T{hour}:00", moment(utc))
    assert next_deadline(slot, moment(utc)).wall.date() == date.fromisoformat(day) + DAY


def test_a_day_that_a_zone_leaves_out_is_the_next():
    # Samoa went from the 29th of December to the 31st.
    assert Deadline(datetime(2011, 12, 30, 20), "Pacific/Apia").moment == local("2011-12-31T20:00", "Pacific/Apia")


def test_a_leap_day_is_a_day_like_any_other():
    daily = Pace(hour=time(20), weekdays=EVERY_DAY, zone=BERLIN)
    assert due(daily, local("2028-02-28T20:00")) == "2028-02-29T20:00 Europe/Berlin"
    assert due(daily, local("2028-02-29T20:00")) == "2028-03-01T20:00 Europe/Berlin"


def test_a_pace_that_makes_no_sense_cannot_be_made():
    for values in (
        {"hour": time(20)},
        {"weekdays": EVERY_DAY},
        {"every": DAY, "hour": time(20), "weekdays": EVERY_DAY},
        {"every": timedelta()},
        {"least": timedelta()},
    ):
        with pytest.raises(ValueError, match=r"turn|pace"):
            Pace(**values)


ZONES = st.sampled_from((BERLIN, NEW_YORK, LORD_HOWE, "UTC", "Pacific/Apia", "America/Havana", "Asia/Kathmandu"))
STARTS = st.datetimes(datetime(2005, 1, 1), datetime(2060, 1, 1), timezones=st.just(UTC))
SPANS = st.timedeltas(timedelta(minutes=1), timedelta(days=20)).map(
    lambda span: span // timedelta(minutes=1) * HOUR / 60
)
HOURS = st.builds(time, st.integers(0, 23), st.integers(0, 59))
GRIDS = st.builds(
    Pace,
    hour=HOURS,
    weekdays=st.frozensets(st.integers(0, 6), min_size=1),
    zone=ZONES,
    least=st.sampled_from((timedelta(minutes=1), LEAST, DAY, 3 * DAY)),
)


@settings(deadline=None, max_examples=60)
@given(span=SPANS | st.sampled_from((DAY, 2 * DAY, 7 * DAY)), zone=ZONES, start=STARTS)
def test_a_turn_lasts_as_long_as_was_said(span, zone, start):
    lasted = next_deadline(Pace(every=span, zone=zone), start).moment - start
    change = HOUR if span % DAY == timedelta() and zone != "Pacific/Apia" else timedelta()
    if zone != "Pacific/Apia" or span % DAY:
        assert span - change <= lasted < span + change + timedelta(minutes=1)
    assert lasted > timedelta()


@settings(deadline=None, max_examples=60)
@given(pace=GRIDS, start=STARTS)
def test_a_fixed_hour_is_to_come_on_its_day_and_the_first_that_is_far_enough_away(pace, start):
    deadline = next_deadline(pace, start)
    assert deadline.moment > start
    assert (deadline.wall.time(), deadline.wall.weekday() in pace.weekdays) == (pace.hour, True)
    days = [deadline.wall - n * DAY for n in range(1, 9)]
    earlier = [Deadline(wall, pace.zone).moment for wall in days if wall.weekday() in pace.weekdays]
    # Those before are over, or too near: by up to an hour and a change of the clock, if the turn began late.
    assert all(slot <= start or slot - start < pace.least + 2 * HOUR for slot in earlier if slot != deadline.moment)


@settings(deadline=None, max_examples=50)
@given(pace=GRIDS, start=STARTS, early=SPANS)
def test_a_turn_that_begins_earlier_is_never_due_later(pace, start, early):
    slot = next_deadline(pace, start).moment
    assert next_deadline(pace, slot).moment > slot
    assert next_deadline(pace, slot - early).moment <= next_deadline(pace, slot + HOUR).moment


# The store, and rules that change


@settings(deadline=None, max_examples=50)
@given(wall=st.datetimes(datetime(1000, 1, 1), datetime(9000, 1, 1)), zone=ZONES)
def test_a_deadline_reads_back(wall, zone):
    deadline = Deadline(wall.replace(second=0, microsecond=0, fold=0), zone)
    assert parse_deadline(str(deadline)) == deadline


def test_a_deadline_is_stored_as_hour_and_zone():
    assert str(Deadline(datetime(2026, 11, 29, 20), BERLIN)) == "2026-11-29T20:00 Europe/Berlin"
    for text in (
        "2026-11-29T20:00",
        "2026-11-29T20:00Z",
        "2026-11-29 20:00 Europe/Berlin",
        "2026-11-29T20:00+01:00 UTC",
    ):
        with pytest.raises(DurationError, match="2026-11-29T20:00 Europe/Berlin"):
            parse_deadline(text)


def test_a_zone_that_the_machine_does_not_know_is_told():
    with pytest.raises(ZoneError, match='does not know the time zone "Europe/Atlantis": install the package tzdata'):
        _ = parse_deadline("2026-11-29T20:00 Europe/Atlantis").moment


@pytest.fixture
def decree(tmp_path: Path):
    with island(tmp_path) as decree:
        yield decree


def test_where_a_zone_changes_its_rules_the_hour_stays_and_the_moment_moves(decree):
    decree(1)
    stored = due(Pace(every=3 * DAY, zone="Test/Island"), moment("2026-11-22T19:00Z"))
    assert stored == "2026-11-25T20:00 Test/Island"
    assert parse_deadline(stored).moment == moment("2026-11-25T19:00Z")
    decree(2)
    zoneinfo.ZoneInfo.clear_cache()
    assert parse_deadline(stored).moment == moment("2026-11-25T18:00Z")


# What moves deadlines, and what happens around them


def test_a_deadline_is_extended_by_days_of_the_calendar_or_hours_that_pass():
    deadline = Deadline(datetime(2026, 10, 24, 20), BERLIN)
    assert str(extended(deadline, 2 * DAY)) == "2026-10-26T20:00 Europe/Berlin"
    assert str(extended(deadline, 36 * HOUR)) == "2026-10-26T07:00 Europe/Berlin"


def test_a_deadline_that_fell_into_an_outage_moves_by_its_length():
    three_days = Pace(every=3 * DAY, zone=BERLIN)
    deadline = Deadline(datetime(2026, 11, 25, 20), BERLIN)
    began, ended = local("2026-11-25T18:00"), local("2026-11-26T06:17")
    assert str(after_outage(deadline, three_days, began, ended)) == "2026-11-26T08:17 Europe/Berlin"
    for early, late in ((deadline.moment, ended), (began - DAY, deadline.moment - HOUR)):
        assert after_outage(deadline, three_days, early, late) is deadline
    assert after_outage(deadline, three_days, began, deadline.moment).moment == deadline.moment + 2 * HOUR


def test_a_fixed_hour_that_fell_into_an_outage_becomes_the_next_that_leaves_half_a_day():
    monday = Deadline(datetime(2026, 11, 23, 20), BERLIN)
    began = local("2026-11-23T18:00")
    for ended, wall in (
        ("2026-11-23T23:00", "2026-11-25T20:00"),
        ("2026-11-25T08:00", "2026-11-25T20:00"),
        ("2026-11-25T08:01", "2026-11-27T20:00"),
        ("2026-11-25T20:10", "2026-11-27T20:00"),
    ):
        assert str(after_outage(monday, EVENINGS, began, local(ended))) == f"{wall} Europe/Berlin"


def test_after_an_outage_a_long_turn_does_not_begin_anew():
    slow = Pace(hour=time(20), weekdays=EVERY_DAY, zone=BERLIN, least=7 * DAY)
    deadline = Deadline(datetime(2026, 11, 25, 20), BERLIN)
    assert str(after_outage(deadline, slow, local("2026-11-25T18:00"), local("2026-11-26T02:00"))) == (
        "2026-11-26T20:00 Europe/Berlin"
    )


def test_reminders_come_before_a_deadline_and_grace_behind_it():
    start = moment("2026-11-22T20:00Z")
    assert milestones(start, start + 3 * DAY, (4 * HOUR, DAY), 6 * HOUR) == Milestones(
        reminders=(start + 2 * DAY, start + 3 * DAY - 4 * HOUR),
        late=start + 3 * DAY,
        closes=start + 3 * DAY + 6 * HOUR,
    )


def test_nobody_is_reminded_in_the_first_half_of_a_turn():
    start = moment("2026-11-22T20:00Z")
    spans = (DAY, 2 * DAY, 12 * HOUR, 12 * HOUR, 13 * HOUR, timedelta())
    assert milestones(start, start + DAY, spans, timedelta()) == Milestones((start + 12 * HOUR,), None, start + DAY)
