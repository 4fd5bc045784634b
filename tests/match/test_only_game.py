"""New letters with orders that answer none of ours, from somebody who plays one game here."""

import pytest

from pbem.cli.demo import Table
from support.correspondents import ALICE, BOB, Correspondents


@pytest.fixture
def people(table: Table) -> Correspondents:
    return Correspondents(table)


def test_they_are_asked_about_and_count_after_a_yes_to_that_question(people):
    (question,) = people.write_anew(ALICE, "2 A to AC\nIt rains here.", subject="Re: Ozymandia oz-1")[ALICE]
    assert "Are these your orders for oz-1" in question
    assert "2 A to AC" in question
    assert 'Not read as orders: "It rains here."' in question
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


def test_who_plays_several_or_writes_what_cannot_be_is_told_that_it_says_no_game(people):
    assert "does not say which game" in people.write_anew(ALICE, "9 A to AC")[ALICE][0]
    people.table.begin({})
    people.poll()
    assert "does not say which game" in people.write_anew(ALICE, "2 A to AC")[ALICE][0]
