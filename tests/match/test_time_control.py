"""The banks of time of a match: whatever happens in it, nobody pays for anything but the time for which the turn waits
for them."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.base import Seat
from pbem.match import clock
from pbem.match.effects import Effect, Play, Save
from pbem.match.identity import Person
from pbem.match.model import Entry, Match, without
from pbem.match.terms import Terms
from pbem.match.time_control import (
    clear_of_absences,
    cool,
    fresh_deadline,
    reminders,
    settle,
    thinking,
    with_clocks,
    with_orders,
)
from pbem.times.banks import added, spans_of
from pbem.times.deadlines import Absence, Pace, extended
from support import cases

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOON = datetime(2026, 3, 27, 12, tzinfo=UTC)  # two days before clocks go forward in Berlin
BANK, INCREMENT = 6 * DAY, DAY
SEATS = ("red", "blue")
ZONES = {"red": "Europe/Berlin", "blue": "America/New_York"}

EVENTS = st.one_of(
    st.tuples(st.just("hours"), st.integers(1, 60)),
    st.tuples(st.just("outage"), st.integers(1, 200)),
    st.tuples(st.sampled_from(("orders", "withdraw", "back", "wait", "go")), st.sampled_from(SEATS)),
    st.tuples(st.just("vacation"), st.sampled_from(SEATS), st.integers(0, 6), st.integers(0, 6)),
    st.tuples(st.sampled_from(("pause", "resume"))),
)


def begun(**terms: Any) -> Match:
    """A game of Ozymandia that begins at noon, with banks of time."""
    agreed = Terms(**{"bank": BANK, "increment": INCREMENT, "remind": (), **terms})
    return fresh_deadline(cases.begun(terms=agreed, deadline=None), NOON)


class Played:
    """A match with a desk that looks at it every hour, and the banks as a person with a notebook would keep them."""

    def __init__(self, **terms: Any) -> None:
        self.match, self.now = begun(**terms), NOON
        self.left = dict.fromkeys(SEATS, BANK)
        self.missed_with: list[timedelta] = []  # what was left in the banks of those who missed a turn

    def has_used(self, seat: Seat, span: timedelta) -> None:
        """A seat begins the game with less in its bank than the others."""
        self.left[seat] -= span
        banks = {**self.match.banks, seat: added(self.match.banks[seat], -span)}
        self.do([Save(fresh_deadline(replace(self.match, banks=banks), NOON))])

    def waits_for(self, seat: Seat) -> bool:
        match = self.match
        is_away = any(begin <= self.now < end for begin, end in spans_of(match.holders[seat].player.absences))
        is_wanted = seat not in match.standing or seat in match.wishes.get("wait", ())
        return match.phase == "running" and is_wanted and not is_away

    def do(self, effects: Iterable[Effect]) -> None:
        before = self.match
        for effect in effects:
            if isinstance(effect, Save | Play):
                self.match = effect.match if isinstance(effect, Save) else effect.after
        self.match = with_clocks(self.match, self.now)  # as a desk does in the end
        if self.match.turn > before.turn:
            self.missed_with += [self.left[seat] for seat in SEATS if self.match.missed[seat]]
            self.left = {seat: left + INCREMENT for seat, left in self.left.items()}

    def hours(self, number: int) -> None:
        for _ in range(number):
            paid = [seat for seat in SEATS if self.waits_for(seat)]
            self.left = {seat: max(timedelta(), left - HOUR * (seat in paid)) for seat, left in self.left.items()}
            self.now += HOUR
            self.do(clock.tick(self.match, self.now))

    def outage(self, number: int) -> None:
        began, self.now = self.now, self.now + number * HOUR
        self.do(clock.after_outage(self.match, (began, self.now), self.now))
        self.do(clock.tick(self.match, self.now, (began, self.now)))

    def orders(self, seat: Seat) -> None:
        entry = Entry(1, None, "", "Pass")
        self.do([Save(with_orders(self.match, seat, entry, self.now))])

    def withdraw(self, seat: Seat) -> None:
        after = replace(self.match, standing=without(self.match.standing, seat))
        self.do([Save(cool(after, self.now))])

    def wait(self, seat: Seat) -> None:
        self.do([Save(replace(self.match, wishes={"wait": frozenset((seat,))}))])

    def go(self, seat: Seat) -> None:
        self.do([Save(replace(self.match, wishes={}))])

    def vacation(self, seat: Seat, begins: int, days: int) -> None:
        first = self.now.date() + begins * DAY
        self._be_away(seat, (Absence(first, first + days * DAY, ZONES[seat]),))

    def back(self, seat: Seat) -> None:
        self._be_away(seat, ())

    def _be_away(self, seat: Seat, absences: tuple[Absence, ...]) -> None:
        holder = self.match.holders[seat]
        away = replace(holder, player=replace(holder.player, absences=absences))
        settled = settle(self.match, self.now)
        after = replace(settled, holders={**settled.holders, seat: away})
        self.do([Save(clear_of_absences(after, self.now))])

    def pause(self) -> None:
        if self.match.phase == "running":
            self.do(clock.pause(self.match, self.now, "somebody"))

    def resume(self) -> None:
        if self.match.phase == "paused":
            self.do(clock.resume(self.match, self.now, "somebody"))


@settings(deadline=None, max_examples=150)
@given(events=st.lists(EVENTS, max_size=25), deadline=st.sampled_from((None, 3 * DAY, 30 * DAY)))
def test_nobody_pays_for_a_pause_an_outage_a_vacation_or_the_thinking_of_others(events, deadline):
    played = Played(deadline=Pace(every=deadline))
    for name, *arguments in events:
        getattr(played, name)(*arguments)
        assert played.match.time_left(played.now) == played.left
        if played.match.phase == "running" and any(map(played.waits_for, SEATS)):
            assert played.match.deadline, "a turn that waits for somebody ends at some time"
            assert played.match.due


@settings(deadline=None, max_examples=60)
@given(events=st.lists(EVENTS, max_size=15), used=st.integers(1, 100))
def test_nobody_with_time_left_misses_a_turn(events, used):
    played = Played(deadline=Pace())
    played.has_used("red", used * HOUR)
    for name, *arguments in events:
        getattr(played, name)(*arguments)
    assert not any(played.missed_with)


def test_a_deadline_that_is_moved_gives_its_time_to_those_for_whom_the_turn_waits():
    played = Played(deadline=Pace())
    played.hours(48)
    played.orders("red")
    later = extended(played.match.deadline, 3 * DAY)
    played.do(clock.set_deadline(played.match, later, played.now, "extended"))
    assert played.match.time_left(played.now) == {"red": 4 * DAY, "blue": 7 * DAY}
    assert played.match.deadline.moment == NOON + 9 * DAY


def test_beside_a_deadline_the_earlier_of_both_ends_the_turn():
    played = Played(deadline=Pace(every=4 * DAY))
    assert played.match.deadline.moment == NOON + 4 * DAY
    played.hours(96)
    assert (played.match.turn, played.missed_with) == (2, [2 * DAY, 2 * DAY]), "the deadline missed them, not the bank"
    assert played.match.deadline.moment == NOON + 7 * DAY, "three days are left in both banks"


def test_a_turn_that_is_never_played_early_waits_for_its_deadline_beyond_empty_banks():
    played = Played(deadline=Pace(every=10 * DAY), early=False)
    assert played.match.deadline.moment == NOON + 10 * DAY
    played.hours(200)
    assert (played.match.turn, played.left["red"]) == (1, timedelta())


def test_who_asks_the_turn_to_wait_pays_for_it():
    played = Played(deadline=Pace())
    for seat in SEATS:
        played.match = replace(played.match, wishes={"wait": frozenset(("blue",))})
        played.orders(seat)
    played.hours(24)
    assert played.match.turn == 1
    assert played.match.time_left(played.now) == {"red": 6 * DAY, "blue": 5 * DAY}
    played.hours(5 * 24)
    assert (played.match.turn, played.match.missed["blue"]) == (2, 0)


def test_an_answer_that_the_desk_waits_for_is_paid_for_as_orders_are():
    played = Played(deadline=Pace())
    asked = {"red": {1: ("Pass",)}}
    standing = {seat: Entry(1, 1, "", "Pass") for seat in SEATS}
    played.match = cool(replace(played.match, standing=standing, proposals=asked), NOON)
    assert thinking(played.match) == ["red"]
    played.match = with_clocks(replace(played.match, proposals={}), NOON + DAY)
    assert played.match.time_left(NOON + 3 * DAY) == {"red": 5 * DAY, "blue": 6 * DAY}


def test_an_extension_for_late_orders_waits_for_them_with_empty_banks():
    played = Played(deadline=Pace(), extensions=1, extension=2 * DAY)
    played.hours(6 * 24)
    assert (played.match.turn, played.match.extended, played.match.deadline.moment) == (1, 1, NOON + 8 * DAY)
    played.hours(48)
    assert (played.match.turn, played.left) == (2, {"red": DAY, "blue": DAY})


def test_a_new_player_begins_with_a_full_bank_and_pays_for_nobody_else():
    played = Played(deadline=Pace())
    played.hours(5 * 24)
    played.do(
        clock.change_holder(played.match, "blue", Person("Carol", "carol@example.org"), played.now, "he has left")
    )
    assert played.match.time_left(played.now) == {"red": DAY, "blue": 6 * DAY}


def test_reminders_come_when_half_and_a_quarter_are_left_or_before_a_deadline_as_the_terms_say():
    played = Played(deadline=Pace(), remind=(DAY,))
    assert reminders(played.match, "red") == (NOON + 3 * DAY, NOON + 4.5 * DAY)
    played = Played(deadline=Pace(every=4 * DAY), remind=(DAY,))
    assert reminders(played.match, "red") == (NOON + 3 * DAY,)
    assert reminders(Played(deadline=Pace()).match, "red") == ()


def test_what_has_been_used_is_the_same_in_the_week_in_which_clocks_change():
    often, once = Played(deadline=Pace()), begun(deadline=Pace())
    often.hours(100)
    assert often.match.time_left(often.now) == once.time_left(often.now) == dict.fromkeys(SEATS, 44 * HOUR)
