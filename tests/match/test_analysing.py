"""What a program thinks of a game is told when it is over, to whoever asks, and never before."""

from datetime import timedelta

import pytest

from pbem.cli.demo import DemoDesk
from pbem.match.analysing import A_DAY
from support.correspondents import ALICE, BOB, CAROL, Correspondents, come, finish
from support.game_masters import decide


@pytest.fixture
def people(table: DemoDesk) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1, of which a turn was played."""
    people = Correspondents(table)
    people.write(BOB, "3 H to S")
    people.write(ALICE, "3 M to S")
    return people


@pytest.mark.parametrize("word", ["analysis", "analysis oz-1", "Analyse", "анализ"])
def test_while_a_game_goes_on_nobody_is_told(people, word):
    come(people, CAROL)
    for who in (ALICE, CAROL):
        answer = people.say(who, word if who == ALICE else "analysis oz-1")
        assert "oz-1 is not over" in answer
        assert "100 %" not in answer


def test_the_last_letter_names_the_word_and_its_answer_says_how_it_stood(people):
    people.write(ALICE, "resign")
    (last,) = people.write(ALICE, "yes")[BOB]
    assert "`analysis` shows the computer's view of who was ahead" in last
    answer = people.say(BOB, "analysis")
    assert "How Blue stood in oz-1, turn by turn 100 % |" in answer
    assert "This is the opinion of a program" in answer


def test_a_game_that_this_letter_ends_is_over_for_the_rest_of_the_letter(people):
    people.write(ALICE, "resign")
    letters = people.write(ALICE, "yes\nanalysis oz-1")[ALICE]
    assert "How Red stood in oz-1" in "\n".join(letters)


def test_whoever_asks_is_told_of_any_game_that_is_over(people):
    come(people, CAROL)
    finish(people)
    assert "How Red stood in oz-1" in people.say(CAROL, "analysis oz-1")
    assert "oz-7" in people.say(CAROL, "analysis oz-7")


def test_an_annulled_game_is_over_too(people):
    decide(people.table, "annul oz-1 because nobody enjoys it")
    people.poll()
    assert "How Red stood in oz-1" in people.say(ALICE, "analysis")
    tried = people.say(ALICE, "if 2 S to M")
    assert "To give these orders" not in tried


def test_a_game_without_turns_has_no_analysis(table):
    people = Correspondents(table)
    finish(people)
    assert "There is no analysis of oz-1" in people.say(ALICE, "analysis")


def test_a_letter_and_a_day_have_limits(people):
    finish(people)
    answer = people.say(ALICE, "analysis\n" + "analysis oz-1\n" * 30)
    assert answer.count("turn by turn 100 %") == 1
    for number in range(A_DAY - 1):
        assert "100 %" in people.say(ALICE, f"analysis\nThanks number {number}")
        people.poll(timedelta(minutes=40))
    answer = people.say(ALICE, "analysis oz-1")
    assert "one analysis a letter and 10 a day" in answer
    assert "100 %" not in answer
