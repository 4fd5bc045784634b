"""Vacations: when they begin and end, what they do to deadlines, and how many days they use up."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from pbem.times.deadlines import EVERY_DAY, Absence, Deadline, Pace, beyond, days_used

BERLIN, AUCKLAND = "Europe/Berlin", "Pacific/Auckland"
THREE_DAYS = Pace(every=timedelta(days=3), zone=BERLIN)
EVENINGS = Pace(hour=time(20), weekdays=frozenset((0, 2, 4)), zone=BERLIN)
CHRISTMAS = Absence(date(2026, 12, 20), date(2027, 1, 3), BERLIN)  # up to a Sunday


def at(text: str, zone: str = BERLIN) -> Deadline:
    return Deadline(datetime.fromisoformat(text), zone)


def test_an_absence_is_of_whole_days_in_the_zone_of_the_player():
    assert CHRISTMAS.begins == datetime(2026, 12, 19, 23, tzinfo=UTC)
    assert CHRISTMAS.ends == datetime(2027, 1, 3, 23, tzinfo=UTC)
    through_the_change = Absence(date(2027, 3, 28), date(2027, 3, 28), BERLIN)
    assert through_the_change.ends - through_the_change.begins == timedelta(hours=23)
    without_midnight = Absence(date(2027, 3, 14), date(2027, 3, 14), "America/Havana")  # the day begins at one
    assert without_midnight.ends - without_midnight.begins == timedelta(hours=23)
    assert Absence(date(2028, 2, 28), date(2028, 2, 29), "UTC").ends == datetime(2028, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize("wall", ["2026-12-20T20:00", "2026-12-20T00:01", "2027-01-03T20:00"])
def test_a_deadline_moves_to_its_own_hour_on_the_day_after(wall):
    hour = wall[11:]
    day = "2027-01-04" if hour >= "12:00" else "2027-01-05"  # where that leaves less than twelve hours, a day later
    assert beyond(at(wall), [CHRISTMAS], THREE_DAYS) == at(f"{day}T{hour}")


def test_a_fixed_hour_moves_to_the_next_one_after():
    assert beyond(at("2026-12-23T20:00"), [CHRISTMAS], EVENINGS) == at("2027-01-04T20:00")
    back_on_tuesday = Absence(date(2026, 12, 20), date(2027, 1, 4), BERLIN)
    assert beyond(at("2026-12-23T20:00"), [back_on_tuesday], EVENINGS) == at("2027-01-06T20:00")
    slow = Pace(hour=time(20), weekdays=EVERY_DAY, zone=BERLIN, least=timedelta(days=7))
    assert beyond(at("2026-12-23T20:00"), [CHRISTMAS], slow) == at("2027-01-04T20:00")


def test_a_deadline_beside_an_absence_stays():
    for wall in ("2026-12-19T20:00", "2026-12-20T00:00", "2027-01-04T00:01", "2027-01-04T20:00"):
        assert beyond(at(wall), [CHRISTMAS], THREE_DAYS) == at(wall)
    assert beyond(at("2026-12-23T20:00"), [], THREE_DAYS) == at("2026-12-23T20:00")


def test_a_deadline_at_the_very_end_of_an_absence_is_in_it():
    assert beyond(at("2027-01-04T00:00"), [CHRISTMAS], THREE_DAYS) == at("2027-01-05T00:00")


def test_absences_of_both_players_are_followed_one_after_another():
    others = [
        Absence(date(2027, 1, 4), date(2027, 1, 8), AUCKLAND),
        Absence(date(2027, 1, 8), date(2027, 1, 10), BERLIN),
        Absence(date(2027, 2, 1), date(2027, 2, 10), BERLIN),
    ]
    for absences in ([CHRISTMAS, *others], [*others, CHRISTMAS]):
        assert beyond(at("2026-12-23T20:00"), absences, THREE_DAYS) == at("2027-01-11T20:00")


def test_an_absence_is_measured_in_the_zone_of_who_is_away():
    # Auckland is twelve hours ahead: at eight in the evening in Berlin it is morning there.
    away = Absence(date(2027, 1, 5), date(2027, 1, 5), AUCKLAND)
    assert beyond(at("2027-01-04T20:00"), [away], THREE_DAYS) == at("2027-01-06T20:00")
    assert beyond(at("2027-01-05T20:00"), [away], THREE_DAYS) == at("2027-01-05T20:00")


def test_days_of_a_season_count_once():
    january = (date(2027, 1, 1), date(2027, 1, 31))
    assert days_used([], *january) == 0
    assert days_used([CHRISTMAS], *january) == 3
    assert days_used([CHRISTMAS], date(2026, 9, 1), date(2027, 6, 30)) == 15
    again = Absence(date(2027, 1, 3), date(2027, 1, 5), BERLIN)
    assert days_used([CHRISTMAS, again], *january) == 5
    assert days_used([CHRISTMAS], date(2027, 3, 1), date(2027, 3, 31)) == 0
