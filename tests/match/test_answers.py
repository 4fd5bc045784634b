"""Answers to a seat's questions: short, by what that seat may see, and nothing is stored by them."""

import pytest

from pbem.cli.demo import DemoDesk
from support.correspondents import ALICE, BOB, Correspondents


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def test_a_question_is_answered_by_a_sentence_and_not_by_the_help(people):
    answer = people.say(ALICE, "Who holds Mu? How far is M from EC?")
    assert 'You asked: "Who holds Mu?" Mu (M): Red, 3 pieces.' in answer
    assert "From Mu (M) to Elfin City (EC): 4 moves, via S, H, E." in answer
    assert "Atlantea---" not in answer
    assert "We found neither" not in answer


def test_orders_in_everyday_words_are_not_called_illegal_because_they_are_no_notation(people):
    assert "Yes: 3 M to S would be legal." in people.say(ALICE, "May 3 from Mu go to Shalomar?")


def test_legal_orders_are_called_so_and_are_ready_to_be_sent_but_not_stored(people):
    answer = people.say(ALICE, "Can I move 3 M to S?")
    assert "Yes: 3 M to S would be legal. Nothing is stored." in answer
    assert not people.match().standing
    assert "No: that cannot be ordered. There are 3 pieces in Mu (M), not 9." in people.say(
        ALICE, "Can I move 9 M to S?"
    )


def test_who_plays_and_which_cities_are_free_are_told(people):
    assert "You play Red. Blue: Bob." in people.say(ALICE, "Who am I?")
    assert "Cities that nobody holds: Amber City (AC)," in people.say(ALICE, "Which cities are free?")


def test_what_the_others_cannot_order_is_said_of_them(people):
    answer = people.say(ALICE, "What happens if I 3 A to M and Blue 2 S to M?")
    assert "Blue cannot order that. The answer would be: You have no pieces in Shalomar (S)" in answer


def test_what_would_happen_is_told_from_the_orders_in_the_question_alone(people):
    people.write(BOB, "3 H to S")
    answer = people.say(ALICE, "What happens if I 3 M to S?")
    assert "Red 3 M to S The result if nobody does anything else" in answer
    assert "Battle" not in answer
    answer = people.say(ALICE, "What happens if I 3 M to S and Bob 2 H to S?")
    assert "3 red against 2 blue. Blue loses both pieces" in answer
    assert not people.match().standing.keys() - {"blue"}


def test_with_only_the_others_orders_in_the_question_ones_own_stand_as_they_are(people):
    people.write(ALICE, "3 M to S")
    answer = people.say(ALICE, "What if he 2 H to S?")
    assert "Your own orders are those of receipt 1-1." in answer
    assert "3 red against 2 blue" in answer


def test_the_turn_before_is_told_as_its_report_did(people):
    assert "No turn has been played yet." in people.say(ALICE, "What did he do last turn?")
    people.write(BOB, "3 H to S")
    people.write(ALICE, "1 A to AC")
    answer = people.say(ALICE, "What did Bob do last turn?")
    assert "Turn 1: Blue, Bob 3 H to S" in answer
    assert "1 A to AC" not in answer
    assert "Blue, Bob 3 H to S Red, Alice 1 A to AC" in people.say(BOB, "What happened last turn?")


def test_deadline_missing_orders_and_ones_own_are_told(people):
    answer = people.say(ALICE, "When is the deadline?")
    assert "Still waiting for orders from you and Bob. The turn will be played on" in answer
    people.write(BOB, "3 H to S")
    answer = people.say(ALICE, "Has Bob moved?\nWhat are my orders?")
    assert "Only your orders are missing." in answer
    assert "You have no orders in for turn 1." in answer
    assert "3 H to S" not in answer


def test_orders_beside_a_question_about_them_are_not_stored_and_the_question_is_answered(people):
    answer = people.say(ALICE, "3 A to M\nWho holds Mu?")
    assert "We ask before we do anything" in answer
    assert "Mu (M): Red, 3 pieces." in answer
    assert not people.match().standing


def test_of_two_orders_one_of_which_is_meant_both_are_offered(people):
    answer = people.say(ALICE, "3 A to M or 2 A to Z")
    assert "as in `yes 1`, or reply with just the orders: 1. 3 A to M 2. 2 A to Z Still waiting" in answer
    assert "There is no area" not in answer
    assert not people.match().standing


def test_nothing_is_proposed_of_such_an_order_that_is_only_checked(people):
    assert "Write them without `check:`" in people.say(ALICE, "check: zwei aus A torkeln nach M")
    people.write(ALICE, "yes")
    assert not people.match().standing


def test_to_leave_all_as_it_is_changes_nothing(people):
    people.write(ALICE, "3 A to M")
    people.say(ALICE, "leave everything as is")
    assert people.match().standing["red"].canonical == "3 A to M"


def test_orders_beside_any_other_question_are_stored(people):
    answer = people.say(ALICE, "3 A to M\nWhen is the deadline?")
    assert "Your orders for turn 1 are in: receipt 1-1." in answer
    assert "Only" not in answer.partition("When is the deadline?")[2].partition("Still waiting for orders")[0]
    assert people.match().standing["red"].canonical == "3 A to M"


def test_a_yes_beside_a_question_settles_nothing(people):
    people.write(ALICE, "9 A to M")
    answer = people.say(ALICE, "yes\nWho holds Mu?")
    assert "Mu (M): Red, 3 pieces." in answer
    assert not people.match().standing


@pytest.mark.parametrize(
    ("text", "told"),
    [("Wer hält Mu?", "Mu (M): Rot, 3 Steine."), ("Darf ich 3 M nach S ziehen?", "Ja: 3 M nach S wäre erlaubt.")],
)
def test_german_is_answered_in_german(people, text, told):
    people.write(ALICE, "Sprache deutsch")
    assert told in people.say(ALICE, text)


@pytest.mark.parametrize(
    ("text", "told"),
    [("Кто держит Mu?", "Mu (M): Красные, 3 фишки."), ("Можно ли 3 M на S?", "Да, 3 M в S — допустимый приказ.")],
)
def test_russian_is_answered_in_russian(people, text, told):
    people.write(ALICE, "язык русский")
    assert told in people.say(ALICE, text)


@pytest.mark.parametrize(
    ("text", "legal", "held"),
    [
        ("Can I move 3 M to S? And who holds U?", "Yes: 3 M to S would be legal.", "Ulteria (U): nobody is there."),
        ("Can I move 3 M to S and who holds U?", "Yes: 3 M to S would be legal.", "Ulteria (U): nobody is there."),
        ("Kann ich 3 M nach S ziehen und wem gehört U?", "Yes: 3 M to S would be legal.", "Ulteria (U): nobody is"),
        ("Можно ли 3 M на S, и кто держит U?", "Yes: 3 M to S would be legal.", "Ulteria (U): nobody is there."),
        ("Can I move 3 M to S? And who holds Q?", "Yes: 3 M to S would be legal.", 'Nothing here is called "Q"'),
    ],
)
def test_a_question_behind_another_is_answered_as_well(people, text, legal, held):
    answer = people.say(ALICE, text)
    assert legal in answer
    assert held in answer
    assert not people.match().standing


@pytest.mark.parametrize("text", ["And who holds Q?", "who holds Q?", "How far is M from Q?", "Wem gehört Q?"])
def test_a_question_about_what_is_not_there_is_told_so(people, text):
    assert 'Nothing here is called "Q"' in people.say(ALICE, text)


def test_one_question_about_two_orders_is_one(people):
    answer = people.say(ALICE, "Can I bomb EC and move 2 A to AC?")
    assert "Yes: 2 A to AC; Bomb EC would be legal." in answer
