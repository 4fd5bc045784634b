"""What players are told: whole sentences, full names, numbers before and after, and why."""

import pytest

from pbem.games import find_game
from pbem.games.base import Paragraph
from pbem.games.ozymandia.board import find_board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.state import parse_state

GAME = find_game("ozymandia")
SET_UP = "1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3"


def position(text: str):
    return parse_state(text, find_board("lattice"))


def moves(*texts: str) -> tuple[Move, ...]:
    return tuple(Move(int(count), origin, target) for count, origin, _, target in (text.split() for text in texts))


def told(text: str, red: Orders | None = None, blue: Orders | None = None) -> list[str]:
    """A turn's story as lines "heading: text"."""
    before = position(text)
    ruling = GAME.resolve(before, {"red": red or Orders(), "blue": blue or Orders()})
    return [f"{heading}: {text}" for heading, text, _ in GAME.story(before, ruling.events)]


def test_a_whole_turn_is_told_step_by_step():
    assert told(
        "6 red A3 M6 MC1 AC1 bombs 3 blue H4 E2 U1 SC2 HC1 EC1 bombs 3",
        Orders(("M",), moves("6 M to S"), "SC"),
        Orders((), moves("3 H to S", "1 U to S")),
    ) == [
        "New pieces: Red 2: Amber City, Mu (for Mystery City).",
        ": Blue 3: Shangri-La City, Harmony City, Elfin City.",
        "Battle of Shalomar: 6 red against 4 blue. Blue loses all 4, Red loses 2; 4 red pieces are left there.",
        "Bombardment: Red bombards Shangri-La City: 3 blue destroyed. Red has 2 bombardments left.",
    ]


def test_who_meets_on_the_way_goes_on_or_does_not():
    unequal = told("red M5 A2 bombs 3 blue S3 bombs 3", Orders((), moves("5 M to S")), Orders((), moves("3 S to M")))
    assert unequal == [
        (
            "On the way: 5 red from Mu against 3 blue from Shalomar. "
            "Blue loses all 3, Red loses 1; 4 red go on to Shalomar."
        ),
    ]
    equal = told("red M2 A2 bombs 3 blue S2 bombs 3", Orders((), moves("2 M to S")), Orders((), moves("2 S to M")))
    assert equal == [
        "On the way: 2 red from Mu against 2 blue from Shalomar. Equal forces on the way: nobody survives.",
    ]


def test_equal_forces_say_why_one_is_left_or_none():
    assert told("red M3 bombs 3 blue S3 bombs 3", Orders((), moves("3 M to S")))[-1] == (
        "Battle of Shalomar: 3 red against 3 blue. "
        "Equal forces: one blue piece survives, because Blue held Shalomar the turn before."
    )
    assert told("red M3 A1 bombs 3 blue H3 bombs 3", Orders((), moves("3 M to S")), Orders((), moves("3 H to S")))[
        -1
    ] == (
        "Battle of Shalomar: 3 red against 3 blue. "
        "Equal forces: nobody survives, because nobody held Shalomar the turn before."
    )


@pytest.mark.parametrize(
    ("forces", "sentence"),
    [
        (
            "red M3 bombs 3 blue S1 bombs 3",
            "Blue loses its only piece, Red loses nothing; 3 red pieces are left there.",
        ),
        ("red M3 bombs 3 blue S2 bombs 3", "Blue loses both pieces, Red loses 1; 2 red pieces are left there."),
        ("red M3 bombs 3 blue S5 bombs 3", "Red loses all 3, Blue loses 1; 4 blue pieces are left there."),
    ],
)
def test_losses_are_counted(forces, sentence):
    assert told(forces, Orders((), moves("3 M to S")))[-1].endswith(sentence)


@pytest.mark.parametrize(
    ("area", "sentence"),
    [
        ("H", "Red bombards Halcyonna: 7 blue pieces become 4. Red has 1 bombardment left."),
        ("E", "Red bombards Elysia: the only piece there, a blue one, survives. Red has 1 bombardment left."),
        ("HC", "Red bombards Harmony City: 3 blue destroyed. Red has 1 bombardment left."),
        ("Z", "Red bombards Zephyria: nobody is there. Red has 1 bombardment left."),
        ("M", "Red bombards Mu: 4 red pieces become 2. Red has 1 bombardment left."),
    ],
)
def test_lightning_tells_what_it_did(area, sentence):
    assert told("red M4 bombs 2 blue H7 HC2 E1 bombs 3", Orders((), (), area))[-1] == f"Bombardment: {sentence}"


def test_the_last_bombardment_is_told_as_such():
    assert told("red M4 bombs 1 blue H7 bombs 3", Orders((), (), "H"))[-1].endswith("Red has no bombardments left.")


def test_moves_that_meet_nobody_need_no_words_because_the_orders_tell_them():
    assert told(SET_UP) == []
    assert told("red bombs 1 blue H3 bombs 3", None, Orders((), moves("1 H to S"))) == []


def test_a_step_has_its_heading_once():
    story = GAME.story(before := position("red A1 AC1 bombs 3 blue V1 VC1 bombs 3"), GAME.resolve(before, {}).events)
    assert story[:2] == (Paragraph("New pieces", "Red 1: Amber City."), Paragraph("", "Blue 1: Viking City."))


@pytest.mark.parametrize(
    ("orders", "words"),
    [
        (Orders(), "All pieces stay where they are. No bombardment."),
        (
            Orders((), moves("1 M to MC", "2 M to A")),
            "From Mu one piece goes to Mystery City and two to Atlantea; none stay behind. No bombardment.",
        ),
        (
            Orders((), moves("3 A to M", "2 W to M"), "EC"),
            (
                "Into Mu go three pieces from Atlantea and two from Wyvernia. Left behind: none in Atlantea, one in "
                "Wyvernia. You bombard Elfin City; you have two bombardments left after that."
            ),
        ),
        (
            Orders((), moves("1 A to Z"), "Z"),
            (
                "From Atlantea one piece goes to Zephyria; two stay. "
                "You bombard Zephyria, your own pieces there included; you have two bombardments left after that."
            ),
        ),
    ],
)
def test_orders_in_plain_words(orders, words):
    assert GAME.paraphrase(position(SET_UP), "red", orders) == words


def test_plain_words_say_where_new_pieces_go_said_or_not():
    state = position("red S3 AC1 MC1 WC1 bombs 1 blue H1 bombs 3")
    assert GAME.paraphrase(state, "red", Orders(("M",), moves("2 S to SC", "1 S to M"), "HC")) == (
        "One new piece goes to Amber City, one to Mu and one to Wizard City. "
        "From Shalomar two pieces go to Shangri-La City and one to Mu; none stay behind. "
        "You bombard Harmony City; this is your last bombardment."
    )


def test_the_standing_is_counted():
    assert GAME.summary(position("7 red AC1 MC1 S7 bombs 2 blue HC1 EC1 E3 bombs 3")) == (
        "Cities: Red 2 (AC MC), Blue 2 (HC EC). Five cities win.",
        "Pieces: Red 9, Blue 5.",
        "Bombardments left: Red 2, Blue 3.",
    )


def test_bombardments_are_counted_from_the_first_one_on():
    assert len(GAME.summary(position(SET_UP))) == 2


def test_who_is_near_to_winning_is_said():
    lines = GAME.summary(position("red AC1 MC1 WC1 UC1 bombs 0 blue VC1 HC1 EC1 bombs 0"))
    assert lines[3:] == ("Red needs one more city to win.", "Blue needs two more cities to win.")


def test_a_turn_limit_is_said_until_it_is_reached():
    assert (
        GAME.summary(GAME.new({"turn_limit": 9}))[-1] == "If nobody has won by the end of turn 9, the game is a draw."
    )


@pytest.mark.parametrize(
    ("text", "prospects", "example"),
    [
        (
            SET_UP,
            "You hold no cities, so you get no new pieces.",
            "1 A to AC, 1 A to Z",
        ),
        (
            "red MC1 bombs 1 blue H1 bombs 3",
            "You get one new piece, in Mystery City (or in Mu: New M).",
            "New M; 1 M to A",
        ),
        (
            "red AC1 MC1 bombs 0 blue M1 bombs 3",
            (
                "You get two new pieces: in Amber City (or in Atlantea: New A) and in Mystery City (not in Mu, "
                "which Blue holds)."
            ),
            "New A; 1 MC to AC",
        ),
        (
            "red S4 bombs 2 blue H1 HC2 EC5 bombs 3",
            "You hold no cities, so you get no new pieces.",
            "1 S to SC, 1 S to M",
        ),
        (
            "red bombs 2 blue H1 bombs 3",
            "You have no pieces left, but you may still bombard.",
            "Pass",
        ),
        ("red bombs 1 blue EC1 bombs 3", "You have no pieces left, but you may still bombard.", "Bomb EC"),
        (
            "red bombs 0 blue H1 bombs 3",
            "You have no pieces and no bombardments left; the game does not wait for you.",
            "Pass",
        ),
    ],
)
def test_prospects_say_what_a_side_gets_and_show_how_orders_are_written(text, prospects, example):
    assert GAME.prospects(position(text), "red") == (prospects, example)
