"""Conditions that a player puts before orders: which texts are conditions, and when they are met."""

import pytest

from pbem.games.ozymandia.board import find_board
from pbem.games.ozymandia.conditions import holds
from pbem.games.ozymandia.state import State, parse_state
from support.each import each

LATTICE = find_board("lattice")
POSITION = parse_state("4 red A3 M2 EC1 bombs 0 blue S4 H1 VC2 bombs 2", LATTICE)
ELSEWHERE = parse_state("4 red U1 bombs 3 blue Z1 bombs 0", LATTICE)

MET = [
    "Blue holds S", "blue has Shalomar", "I hold Mu", "I still hold Elfin City", "he is in Viking City",
    "nobody holds Z", "Zephyria is empty", "I lose W", "Blue does not hold M", "Blue doesn't hold M",
    "Blue no longer holds M",
    "Blue has 3 or more in S", "Blue has at least four pieces in S", "I have exactly 2 in Mu",
    "Blue has fewer than 2 in H",
    "Blue has more than 3 pieces in S", "I have at most 3 in A", "Blue has no pieces in Mu", "he has any bombs left",
    "I have no bombs left", "Blue has 2 or more bombs", "Blue holds S and I hold Mu",
    "Blau S hält", "Blau hält S", "Blau Shalomar noch hält", "ich Mu halte", "ich Wyvernia verliere", "niemand Z hält",
    "Zephyria leer ist", "Blau M nicht mehr hält", "Blau in S 3 oder mehr Steine hat",
    "Blau mindestens drei Steine in S hat",
    "ich keine Bomben habe", "der Gegner noch mindestens 2 Bomben hat", "Blau S hält und ich Mu halte",
    "Синие держат S", "я держу Му", "я потеряю Виверну", "никто не держит Z", "синие не держат M",
    "у синих в S не меньше 3 фишек", "у синих больше трёх фишек в S", "у меня нет бомб",
    "у противника осталось не меньше 2 бомб",
]  # fmt: skip
UNMET = [
    "Red holds S", "Blue holds Mu", "I lose Mu", "nobody holds S", "Blue has 5 or more in S", "I have any bombs left",
    "Blue holds S and I hold H", "Rot S hält", "ich Mu verliere", "niemand S hält", "Blau höchstens 3 Steine in S hat",
    "Красные держат S", "я потеряю Му", "никто не держит S", "у синих нет бомб",
]  # fmt: skip
NONE = [
    "he bombs M", "Blue attacks S", "Blue 2 S to M", "3 A to M", "Blue holds", "Blue holds Nowhere", "Blue has 3 in S",
    "Blue holds S or M", "Blue holds S and bombs M", "Blue will hold S", "the weather holds", "S", "", "Bob holds S",
    "Blau S angreift", "Синие нападут на S", "I hold my breath", "Blue holds S 3 times",
]  # fmt: skip


@pytest.mark.parametrize("text", MET)
def test_a_condition_is_met(text):
    assert holds(POSITION, "red", text) is True


@pytest.mark.parametrize("text", UNMET)
def test_a_condition_is_not_met(text):
    assert holds(POSITION, "red", text) is False


@pytest.mark.parametrize("text", NONE)
def test_anything_else_is_no_condition(text):
    assert holds(POSITION, "red", text) is None


@each(("text", "of_blue"), [("I hold S", True), ("he holds S", False), ("Blue holds S", True), ("du S hältst", None)])
def test_i_and_he_are_the_writer_and_the_opponent(text, of_blue):
    assert holds(POSITION, "blue", text) is of_blue


@pytest.mark.parametrize("state", [POSITION, ELSEWHERE])
def test_whether_a_text_is_a_condition_does_not_depend_on_the_pieces(state: State):
    for seat in ("red", "blue"):
        assert None not in {holds(state, seat, text) for text in (*MET, *UNMET)}
        assert {holds(state, seat, text) for text in NONE} == {None}
