"""Orders beside a line that may change them: they stand, it is asked about, and nobody misses a turn over it."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.cli.demo import DemoDesk
from pbem.match.terms import Terms
from pbem.times.deadlines import Pace
from support.correspondents import ALICE, BOB, Correspondents

PERHAPS = "I am not sure that this is wise"
"""A hard word, in a sentence that is most likely chat."""
DAY = timedelta(days=1)


@pytest.fixture
def people(tmp_path, request) -> Correspondents:
    terms = Terms(**{"deadline": Pace(every=3 * DAY), "remind": (DAY,), **getattr(request, "param", {})})
    table = DemoDesk(tmp_path / "desk", datetime(2026, 11, 21, 12, 0, tzinfo=UTC), terms=terms)
    table.poll()
    yield Correspondents(table)
    table.close()


def ask(people: Correspondents) -> str:
    people.write(BOB, "1 H to S")
    return people.say(ALICE, f"3 A to M\n{PERHAPS}")


def test_the_receipt_quotes_the_line_and_says_what_an_answer_does(people):
    receipt = ask(people)
    assert "Your orders for turn 1 are in: receipt 1-1. 3 A to M" in receipt
    assert f'"{PERHAPS}": does this change your orders?' in receipt
    assert "If you do not answer, they are played as they stand." in receipt
    assert people.match().standing["red"].canonical == "3 A to M"


def test_the_turn_waits_for_the_answer_and_a_yes_lets_it_be_played(people):
    ask(people)
    assert people.match().turn == 1
    *_, report = people.write(ALICE, "yes")[ALICE]
    assert people.match().turn == 2
    assert "You 3 A to M" in report


def test_a_no_takes_the_orders_back(people):
    ask(people)
    assert "Your orders (receipt 1-1) have been withdrawn." in people.say(ALICE, "no")
    assert "red" not in people.match().standing
    assert "No question is open" in people.say(ALICE, "yes")


def test_new_orders_settle_it(people):
    ask(people)
    *_, report = people.write(ALICE, "2 A to AC")[ALICE]
    assert "You 2 A to AC" in report


def test_who_does_not_answer_is_reminded_and_misses_nothing(people):
    ask(people)
    (reminder,) = people.poll(2 * DAY)[ALICE]
    assert "whether these orders are right, which count until you answer: 3 A to M" in reminder
    (report,) = people.poll(DAY)[ALICE]
    assert "You 3 A to M" in report
    assert people.match().missed["red"] == 0


@pytest.mark.parametrize("people", [{"cooling_off": timedelta(minutes=10)}], indirect=True)
def test_the_turn_waits_longer_for_the_answer_than_for_second_thoughts(people):
    ask(people)
    people.poll(DAY)
    assert people.match().turn == 1
    people.write(ALICE, "yes")
    people.poll(timedelta(minutes=11))
    assert people.match().turn == 2


LIKELY = "zwei aus A torkeln nach M"
"""Everyday words that have one meaning, with a verb that no reader knows."""


def test_what_is_only_likely_stands_until_the_deadline_and_a_yes_sends_it(people):
    people.write(BOB, "1 H to S")
    receipt = people.say(ALICE, LIKELY)
    assert "This is how we understand your orders for turn 1: receipt 1-1. 2 A to M" in receipt
    assert "If you do not answer, they are played at the deadline." in receipt
    assert people.match().turn == 1
    *_, report = people.write(ALICE, "yes")[ALICE]
    assert "You 2 A to M" in report


def test_what_is_only_likely_is_played_at_the_deadline_without_an_answer(people):
    people.write(BOB, "1 H to S")
    people.write(ALICE, LIKELY)
    (report,) = people.poll(3 * DAY)[ALICE]
    assert "You 2 A to M" in report
    assert people.match().missed["red"] == 0


def test_a_no_takes_back_what_was_only_likely(people):
    people.write(ALICE, LIKELY)
    assert "Your orders (receipt 1-1) have been withdrawn." in people.say(ALICE, "no")


def test_what_is_only_likely_replaces_no_orders(people):
    people.write(ALICE, "3 A to M")
    assert "still stand: 3 A to M" in people.say(ALICE, LIKELY)
    assert people.match().standing["red"].canonical == "3 A to M"


@pytest.mark.parametrize("people", [{"deadline": Pace()}], indirect=True)
def test_without_a_deadline_what_is_only_likely_is_proposed(people):
    answer = people.say(ALICE, LIKELY)
    assert f'"{LIKELY}": what does this mean for your orders? Did you mean these orders? Answer `yes`' in answer
    assert not people.match().standing
    people.write(ALICE, "yes")
    assert people.match().standing["red"].canonical == "2 A to M"


@pytest.mark.parametrize("text", [f"Bob says: {LIKELY}?", f"nicht {LIKELY}", f"check\n{LIKELY}"])
def test_nothing_stands_that_its_own_letter_may_overturn(people, text):
    people.write(ALICE, text)
    assert not people.match().standing


def test_orders_that_are_only_checked_are_asked_about_and_not_stored(people):
    answer = people.say(ALICE, f"check: 3 A to M\n{PERHAPS}")
    assert f'"{PERHAPS}": does this change your orders?' in answer
    assert not people.match().standing
    assert not people.match().proposals
