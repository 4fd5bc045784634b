"""What a run with a clock that is far ahead has set, once somebody says that the clock is right."""

from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk
from pbem.service.maintenance import trust_clock
from pbem.store.matches import load_match, match_numbers
from support.correspondents import ALICE, BOB, Correspondents

YEAR = timedelta(days=365)


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """A game that has begun, on a desk that goes by its clock."""
    table.config = table.config._replace(desk=table.config.desk._replace(rehearsal=False))
    return Correspondents(table)


def test_a_deadline_that_a_clock_ahead_has_moved_is_that_of_a_whole_turn_and_everyone_is_told(people):
    table = people.table
    people.poll(YEAR)
    assert table.match().deadline.moment > table.now
    table.now -= YEAR - timedelta(hours=1)
    (line,) = trust_clock(table.config, table.now)
    assert line.startswith("oz-1 waited for the deadline 2027-")
    assert table.match().deadline.moment == table.now + timedelta(days=3)
    letters = people.poll()
    for who in (ALICE, BOB):
        (letter,) = letters[who]
        assert "The clock of this desk was wrong for a while and is right again." in letter
        assert "The deadline of turn 1 is now Tuesday 24 November" in letter
    assert trust_clock(table.config, table.now) == []


def test_a_vacation_put_into_a_wrong_year_is_removed_and_its_player_is_told(people):
    table = people.table
    people.write(ALICE, "vacation 24 November to 26 November")
    people.poll(YEAR)
    people.write(ALICE, "vacation 24 December to 2 January")
    table.now -= YEAR - timedelta(hours=1)
    gone, _ = trust_clock(table.config, table.now)
    assert "from 2027-12-24 to 2028-01-02 was removed" in gone
    (told,) = (letter for letter in people.poll()[ALICE] if "your vacation" in letter)
    assert "from Friday 24 December 2027 to Sunday 2 January 2028 was stored for the wrong year" in told
    (kept,) = table.match().holders["red"].player.absences
    assert kept.first.isoformat() == "2026-11-24"


def test_an_invitation_made_by_a_clock_ahead_lapses_as_if_it_had_been_made_now(people):
    table = people.table
    people.poll(YEAR)
    people.write(ALICE, "challenge dave@example.edu")
    table.now -= YEAR - timedelta(hours=1)
    assert len(trust_clock(table.config, table.now)) == 2
    (offered,) = (load_match(table.store, number) for number in match_numbers(table.store, "offered"))
    assert offered.lapses == table.now + timedelta(days=14)
    people.write(ALICE, "challenge erin@example.edu")  # those of the other year no longer count


def test_what_could_have_been_set_by_now_stays_as_it_is(people):
    table = people.table
    before = table.match()
    people.poll(timedelta(hours=2))
    table.now -= timedelta(hours=1)
    assert trust_clock(table.config, table.now) == []
    assert table.match() == before


def test_a_clock_that_was_a_little_ahead_costs_nobody_the_time_that_a_game_master_gave(people):
    table = people.table
    people.poll(timedelta(minutes=10))
    pbem_says = people.write_anew("operator@example.org", "extend oz-1 5 days because Alice moves house")
    assert pbem_says
    before = table.match().deadline
    table.now -= timedelta(minutes=10)
    assert trust_clock(table.config, table.now) == []
    assert table.match().deadline == before
