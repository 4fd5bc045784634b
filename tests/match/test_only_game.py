"""New letters that answer none of ours, from somebody who plays one game here."""

import pytest

from pbem.cli.demo import DemoDesk
from support.correspondents import ALICE, BOB, Correspondents


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    return Correspondents(table)


def test_they_are_asked_about_and_count_after_a_yes_to_that_question(people):
    (question,) = people.write_anew(ALICE, "2 A to AC\nIt rains here.", subject="Re: Ozymandia oz-1")[ALICE]
    assert "Are these your orders for oz-1" in question
    assert "2 A to AC" in question
    assert 'Taken as remarks, not as orders: "It rains here."' in question
    assert not people.match().standing
    _, receipt = people.write(ALICE, "yes")[ALICE]
    assert "Your orders for turn 1 are in: receipt 1-1. 2 A to AC" in receipt


def test_a_yes_to_another_letter_does_not_mean_them_for_a_sender_can_be_forged(people):
    report = people.got[ALICE][-1]
    people.write_anew(ALICE, "Pass")
    people.write(ALICE, "yes", to=report)
    assert not people.match().standing


def test_a_yes_after_the_turn_was_played_offers_them_for_the_next_one(people):
    people.write_anew(ALICE, "3 M to S")
    question = people.got[ALICE][-1]
    people.write(BOB, "Pass")
    people.write(ALICE, "Pass", to=people.got[ALICE][0])
    assert people.match().turn == 2
    *_, offer = people.write(ALICE, "yes", to=question)[ALICE]
    assert "3 M to S" in offer
    assert not people.match().standing
    people.write(ALICE, "yes")
    assert people.match().standing["red"].canonical == "3 M to S"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("who holds Mu?", "Mu (M): Red, 3 pieces."),
        ("resign", "Do you really want to resign oz-1?"),
        ("Ich gebe auf", "Do you really want to resign oz-1?"),
        ("next turn: 3 M to S", "Your orders for turn 2 are kept until it begins: 3 M to S"),
        ("9 A to AC", "There are 3 pieces in Atlantea (A), not 9."),
        ("2 A to AC or 3 M to S", "what does this mean for your orders?"),
        ("check: 3 M to S", "Your orders can be carried out."),
        ("Отозвать", "There was nothing to withdraw"),
        ("language english\n3 M to S", "Your orders for turn 1 are in: receipt 1-1. 3 M to S"),
        ("I want to complain about Bob", "What you wrote has gone to the game master"),
    ],
)
def test_whatever_is_about_the_game_is_asked_about_and_answered_after_a_yes(people, text, answer):
    (question,) = people.write_anew(ALICE, text)[ALICE]
    assert "Did you mean oz-1, the game you play here? If so, answer `yes`, and your letter counts there:" in question
    assert " | ".join(text.splitlines()) in question
    assert not people.match().standing
    assert answer in people.write(ALICE, "yes")[ALICE][-1]


def test_what_is_about_no_game_needs_no_question(people):
    assert "Your games" in people.write_anew(ALICE, "status")[ALICE][0]
    assert "Did you write this? `language deutsch`" in people.write_anew(ALICE, "language deutsch")[ALICE][0]


def test_who_plays_several_or_says_nothing_of_it_is_told_that_the_letter_says_no_game(people):
    assert "does not say which game" in people.write_anew(ALICE, "How are you all?")[ALICE][0]
    people.table.begin({})
    people.poll()
    assert "does not say which game" in people.write_anew(ALICE, "2 A to AC")[ALICE][0]


def test_a_complaint_about_no_game_goes_to_the_game_master_after_a_yes(people):
    people.table.begin({})
    people.poll()
    assert "Did you write this? `gm I want to complain." in people.write_anew(ALICE, "I want to complain.")[ALICE][0]
    news = people.write(ALICE, "yes")
    assert "Alice, alice@example.net, writes to you: | I want to complain." in news["operator@example.org"][0]
