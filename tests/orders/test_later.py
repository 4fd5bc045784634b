"""Orders for later turns in a letter: which are told apart from those for this turn, and when nobody can be sure."""

import pytest

from pbem.games import find_game
from pbem.orders.command import Later
from pbem.orders.reader import read, read_orders, read_words
from pbem.orders.situation import Situation, Standpoint
from support.each import each
from tools.understanding import standpoint

OZYMANDIA = find_game("ozymandia")
START = OZYMANDIA.new({})


def in_turn(turn: int, text: str):
    """How a letter of Red's is read that comes in a turn."""
    words = read_words(text, "oz-1", Situation(OZYMANDIA, START))._replace(turn=turn)
    return read_orders(Standpoint(OZYMANDIA, START, "red"), words)


@each(
    ("text", "turn", "orders"),
    [
        ("next turn: 3 M to S", 0, "3 M to S"),
        ("Turn 6: 3 M to S", 6, "3 M to S"),
        ("Orders for turn 6:\n3 M to S\nbomb EC", 6, "3 M to S\nbomb EC"),
        ("For the next turn:\n\n3 M to S\n\nBest\nAnn", 0, "3 M to S"),
        ("Nächste Runde: 3 M nach S", 0, "3 M nach S"),
        ("Naechste Runde: 3 M nach S", 0, "3 M nach S"),
        ("Befehle für Runde 6: 3 M nach S", 6, "3 M nach S"),
        ("Следующий ход: 3 M на S", 0, "3 M на S"),
        ("на ход 6: 3 M на S", 6, "3 M на S"),
    ],
)
def test_orders_under_such_a_heading_are_for_later_and_nothing_of_them_for_now(text, turn, orders):
    reading = in_turn(3, text)
    assert reading.commands == (Later(turn, orders),)
    assert reading.orders is None
    assert not reading.doubts


def test_what_stands_above_is_for_this_turn():
    reading = in_turn(3, "2 A to AC\n\nNext turn:\n1 AC to A\nturn 5: 3 M to S")
    assert str(reading.orders) == "2 A to AC"
    assert reading.commands == (Later(0, "1 AC to A"), Later(5, "3 M to S"))


@pytest.mark.parametrize("heading", ["This turn", "turn 3", "Diese Runde", "этот ход"])
def test_this_turn_may_be_named_too(heading):
    reading = in_turn(3, f"{heading}: 2 A to AC\nNext turn: 1 AC to A")
    assert str(reading.orders) == "2 A to AC"
    assert reading.commands == (Later(0, "1 AC to A"),)


@pytest.mark.parametrize(
    ("text", "turn"),
    [("T5: 3 M to S", 5), ("for turn t5:\n3 M to S", 5), ("turn 5: 3 M to S", 5), ("next turn: 3 M to S", 0)],
)
def test_where_rounds_have_names_a_turn_goes_by_its_first_one(text, turn):
    words = read_words(text, "oz-1", Situation(OZYMANDIA, START))._replace(turn=4, round="T4", first="T4")
    assert read_orders(Standpoint(OZYMANDIA, START, "red"), words).commands == (Later(turn, "3 M to S"),)


@pytest.mark.parametrize("text", ["B4.2: 3 M to S", "T4: 3 M to S", "this turn: 3 M to S"])
def test_the_name_of_the_round_is_this_one_too(text):
    words = read_words(text, "oz-1", Situation(OZYMANDIA, START))._replace(turn=4, round="B4.2", first="T4")
    assert str(read_orders(Standpoint(OZYMANDIA, START, "red"), words).orders) == "3 M to S"


@pytest.mark.parametrize("heading", ["next turn", "B4.3", "X5", "T0", "T3"])
def test_within_a_turn_the_next_one_and_rounds_to_come_are_asked_about(heading):
    words = read_words(f"{heading}: 3 M to S", "oz-1", Situation(OZYMANDIA, START))._replace(
        turn=4, round="B4.2", first="T4"
    )
    reading = read_orders(Standpoint(OZYMANDIA, START, "red"), words)
    assert reading.orders is None
    assert not reading.commands


@pytest.mark.parametrize(
    "text",
    [
        "next turn: 3 M to S\n\n2 A to AC",  # of which turn is the last line?
        "next turn: 3 M to S\n2 A to AC",
        "turn 2: 3 M to S",  # it is over
        "turn 99: 3 M to S",
        "turn 6: 3 M to S\nturn 6: 2 M to S",
        "Next turn 3 M to S",
        "2 A to AC, next turn 1 A to M",
    ],
)
def test_what_may_be_of_either_turn_is_asked_about(text):
    reading = in_turn(3, text)
    assert reading.orders is None
    assert not reading.commands
    assert reading.doubts or reading.mistakes


@each(
    "text",
    [
        "turn 8: Rocknroll Zulu: always; Deploy Rook D; Pass",
        "turn 8: Rocknroll all: always",
        "turn 8:\nReroll attack: 1\nDeploy Rook D",
        "next turn: First: Doc, Zulu; Deploy Rook D",
        "Ход 8: Rocknroll all: always; Pass",
        "Deploy Rook D\nturn 8: Reroll attack: 1; Pass",
    ],
)
def test_standing_orders_among_those_for_a_later_turn_are_asked_about_and_nothing_is_played_now(text):
    there = standpoint("rocknroll")
    reading = read_orders(there, read_words(text, "rnr-1", there)._replace(turn=1))
    assert [doubt.turn for doubt in reading.doubts] == ["lasting"]
    assert reading.orders is None
    assert not reading.standing


def test_standing_orders_among_those_for_this_turn_count():
    there = standpoint("rocknroll")
    text = "turn 1: Rocknroll all: always; Deploy Rook D"
    reading = read_orders(there, read_words(text, "rnr-1", there)._replace(turn=1))
    assert str(reading.orders) == "Rocknroll all: always; Deploy Rook D"
    assert reading.standing == ("Rocknroll all: always",)


def test_a_heading_above_what_is_no_orders_is_chat():
    assert in_turn(3, "Next turn: I shall visit my aunt").remarks == ("Next turn: I shall visit my aunt",)
    assert not in_turn(3, "3 A to M\nWell, next time: have a nice week").doubts


def test_orders_on_a_condition_are_asked_back():
    reading = read(Standpoint(OZYMANDIA, START, "red"), "If Bob bombs EC: 2 A to AC")
    assert [one.turn for one in reading.doubts] == ["turned"]
    assert not reading.mistakes  # one sentence says it all


@pytest.mark.parametrize(
    "text", ["Next turn: 1 AC to A. This turn: 1 W to WC", "This turn: 1 W to WC; next turn: 1 AC to A"]
)
def test_two_turns_may_stand_on_one_line(text):
    found = in_turn(3, text)
    assert (str(found.orders), [one.text.strip(" .;") for one in found.commands]) == ("1 W to WC", ["1 AC to A"])
