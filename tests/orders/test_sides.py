"""A letter with orders for several sides is divided by the names of the sides."""

import pytest

from pbem.games import find_game
from pbem.orders.sides import by_side
from support.each import each

OZYMANDIA, ROCKNROLL, OZZ = (find_game(name) for name in ("ozymandia", "rocknroll", "ozz"))


def divided(text, game=OZYMANDIA, seats=("red", "blue")):
    """The words for each side, and those above the first heading, on one line each."""
    sides, rest = by_side(game, seats, text)
    return {seat: " ".join(part.split()) for seat, part in sides.items()}, " ".join(rest.split())


@each(
    "text",
    [
        "Red:\n3 A to M\n\nBlue:\n2 H to S",
        "Red: 3 A to M\nBlue: 2 H to S",
        "RED\n3 A to M\nblue\n2 H to S",
        "*Red:* 3 A to M\n**Blue**\n2 H to S",
        "== Red ==\n3 A to M\n== Blue ==\n2 H to S",
        "Red orders: 3 A to M\nBlue's orders:\n2 H to S",
        "Rot:\n3 A to M\nBlau:\n2 H to S",
        "Красные:\n3 A to M\nСиние:\n2 H to S",
        "Blue: 2 H to S\nRed: 3 A to M",
        "Red: 3 A to M; Blue: 2 H to S",
        "Red: 3 A to M. Blue's orders: 2 H to S",
        "Red: 3 A to M / Blau: 2 H to S",
        "RED - 3 A to M\nBLUE – 2 H to S",
        "1. Red: 3 A to M\n2) Blue: 2 H to S",
        "For Red: 3 A to M\nOrders for Blue:\n2 H to S",
        "Für Rot: 3 A to M\nBefehle für Blau:\n2 H to S",
        "Приказы для красных:\n3 A to M\nДля синих: 2 H to S",
        "Red (me): 3 A to M\nBlue (the other side)\n2 H to S",
    ],
)
def test_each_side_gets_what_is_below_its_name(text):
    assert divided(text) == ({"red": "3 A to M", "blue": "2 H to S"}, "")


def test_what_is_above_all_names_is_for_no_side():
    assert divided("Hello,\n\nRed: 3 A to M\nand Bomb EC") == ({"red": "3 A to M and Bomb EC"}, "Hello,")


def test_a_side_that_is_named_twice_gets_both_parts():
    assert divided("Red: 3 A to M\nBlue: Pass\nRed: Bomb EC")[0] == {"red": "3 A to M Bomb EC", "blue": "Pass"}


def test_words_stay_in_their_lines():
    text = "Red: 3 A to M\n\nBlue:\n2 H to S"
    assert by_side(OZYMANDIA, ("red", "blue"), text).sides == {
        "red": "     3 A to M\n\n\n",
        "blue": "\n\n     \n2 H to S",
    }


@pytest.mark.parametrize(
    "text",
    ["Red hits Blue", "if Red 3 A to M and Blue Pass", "Redhead:\n3 A to M", "Green: 3 A to M", "Look, Red: a trap"],
)
def test_a_name_within_a_sentence_is_no_heading(text):
    assert divided(text) == ({}, " ".join(text.split()))


def test_a_side_that_does_not_play_has_no_heading():
    assert divided("Gillikins: Pass\nWinkies: Pass", OZZ, ("winkies", "munchkins")) == (
        {"winkies": "Pass"},
        "Gillikins: Pass",
    )


def test_sides_of_every_game_are_known_by_their_names():
    assert divided("VPA: Deploy Rook A\nVietnam: Pass", ROCKNROLL, ("vpa", "vietnam"))[0] == {
        "vpa": "Deploy Rook A",
        "vietnam": "Pass",
    }
