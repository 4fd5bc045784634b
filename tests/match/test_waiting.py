"""What a person has not answered yet is not forgotten: it stands in reminders, and in the report of a missed turn; and
a letter that comes too late offers its orders for the new turn."""

from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk
from support.correspondents import ALICE, BOB, CAROL, Correspondents
from support.game_masters import set_terms

LATE = timedelta(days=3, hours=1)


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


@pytest.fixture
def reminded(people: Correspondents) -> Correspondents:
    """The same in turn 2, with a reminder a day before the deadline."""
    set_terms(people.table, remind=(timedelta(days=1),))
    people.write(ALICE, "Pass")
    people.write(BOB, "Pass")
    return people


def hours_pass(people: Correspondents, after: timedelta) -> dict[str, list[str]]:
    """Time goes by with a desk that runs each hour; what people are sent meanwhile."""
    told: dict[str, list[str]] = {}
    for _ in range(int(after / timedelta(hours=1))):
        for who, letters in people.poll(timedelta(hours=1)).items():
            told.setdefault(who, []).extend(letters)
    return told


def test_a_reminder_names_the_proposal_that_waits_and_yes_to_it_takes_it(reminded):
    reminded.write(ALICE, "9 A to M")
    reminder = hours_pass(reminded, timedelta(days=2, hours=2))[ALICE][0]
    assert "You have no orders in for turn 2 yet" in reminder
    assert "We are waiting for your answer: `yes` or `no`." in reminder
    assert "orders proposed to you: 3 A to M" in reminder
    reminded.write(ALICE, "yes")
    assert reminded.match().standing["red"].canonical == "3 A to M"


def test_who_has_orders_in_is_reminded_of_what_was_asked_about_later_ones(reminded):
    reminded.write(ALICE, "3 A to M")
    reminded.write(ALICE, "2 A to M\nor 1 A to M")
    told = hours_pass(reminded, timedelta(days=2, hours=2))
    assert len(told[ALICE]) == 1
    assert "Your orders for turn 2 are in, but you have not answered our question about them" in told[ALICE][0]
    assert "orders proposed to you: 2 A to M" in told[ALICE][0]
    assert "You have no orders in for turn 2 yet" in told[BOB][0]


def test_a_held_letter_is_named_too(reminded):
    letter = reminded.answer(ALICE, "3 A to M")
    letter.replace_header("From", "Alice <alice@work.example>")
    reminded.table.deliver(letter.as_bytes())
    reminded.poll()
    assert "a held letter from alice@work.example" in hours_pass(reminded, timedelta(days=2, hours=2))[ALICE][0]


def test_a_reminder_of_somebody_with_nothing_open_has_no_such_list(reminded):
    told = hours_pass(reminded, timedelta(days=2, hours=2))[ALICE][0]
    assert "proposed to you" not in told
    assert "held letter" not in told


def test_the_report_of_a_turn_missed_by_an_unanswered_proposal_says_so(people):
    people.write(ALICE, "9 A to M")
    report = hours_pass(people, LATE)[ALICE][-1]
    assert "Turn 1 has been played" in report
    assert "None of your orders counted in turn 1. This waited for your answer, and expired with the turn:" in report
    assert "orders proposed to you: 3 A to M" in report


def test_a_letter_behind_the_deadline_offers_its_orders_for_the_new_turn_and_yes_gives_them(people):
    call = people.got[ALICE][-1]
    hours_pass(people, LATE)
    answer = people.write(ALICE, "3 A to M", to=call)[ALICE][0]
    assert "the deadline of turn 1 has passed, and turn 2 is waiting" in answer
    assert "The same orders are possible for turn 2. Answer `yes` to give them, or send new ones: 3 A to M" in answer
    assert not people.match().standing
    people.write(ALICE, "yes")
    assert people.match().standing["red"].canonical == "3 A to M"


def test_orders_that_could_not_be_given_in_the_new_turn_are_not_offered(people):
    call = people.got[ALICE][-1]
    people.write(ALICE, "3 A to M")
    people.write(BOB, "Pass")
    answer = people.write(ALICE, "3 A to M", to=call)[ALICE][0]
    assert "it answers a letter of turn 1, and turn 2 is waiting" in answer
    assert "The same orders" not in answer


def test_a_late_letter_that_is_in_doubt_is_not_offered_either(people):
    call = people.got[ALICE][-1]
    hours_pass(people, LATE)
    answer = people.write(ALICE, "3 A to M\nnot final yet", to=call)[ALICE][0]
    assert "The same orders" not in answer


def test_a_link_to_say_yes_settles_the_question_that_its_subject_names(people):
    people.write(ALICE, "resign")
    asking = people.got[ALICE][-1]
    letter = people.answer(ALICE, "yes")
    del letter["References"], letter["In-Reply-To"]
    letter.replace_header("Subject", f"Re: Ozymandia oz-1 {asking['Message-ID']}")
    people.table.deliver(letter.as_bytes())
    people.poll()
    assert people.match().phase == "finished"


def test_prose_beside_the_yes_of_somebody_without_a_seat_settles_nothing(people):
    people.write_anew(CAROL, "join")
    (told,) = people.write(CAROL, "yes\nbut only if it is free of charge")[CAROL]
    assert 'With `yes`, write only greetings, thanks and a name; this settled nothing: "but only if' in told
    assert "You are in the queue" not in told
    (told,) = people.write(CAROL, "yes\nThanks a lot!\nCarol")[CAROL]
    assert "this settled nothing" not in told


def test_what_lapses_with_a_turn_is_named_in_its_report_though_orders_came(people):
    people.write(BOB, "draw")
    people.write(ALICE, "9 A to M")
    people.write(ALICE, "3 A to M", to=people.got[ALICE][0])
    report = people.write(BOB, "Pass")[ALICE][-1]
    assert "This waited for your answer, and expired with turn 1: - a draw offered to you" in report
    assert "None of your orders" not in report
    assert "orders proposed to you" not in report  # newer ones stood
