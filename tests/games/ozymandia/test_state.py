"""Positions in one line, as plain data, and at the start of a game."""

from dataclasses import replace

import pytest

from pbem.games import find_game
from pbem.games.base import GameError
from pbem.games.ozymandia.board import find_board, parse_board
from pbem.games.ozymandia.state import PositionError, State, dump, load, make_state, parse_state
from support.each import each

LATTICE = find_board("lattice")
LINE = "7 red A3 M2 MC1 bombs 3 blue H4 E2 bombs 2"
STATE = State(LATTICE, 7, {"red": {"A": 3, "M": 2, "MC": 1}, "blue": {"H": 4, "E": 2}}, {"red": 3, "blue": 2})


def test_a_position_is_one_line_in_both_directions():
    assert parse_state(LINE, LATTICE) == STATE
    assert str(STATE) == LINE


@pytest.mark.parametrize(
    "text",
    [
        "7 red MC1 M2 A3 bombs 3 blue E2 H4 bombs 2",
        "7 blue bombs 2 E2 H4 red bombs 3 A3 M2 MC1",
        "7 RED a3, m2, mc1, Bombs 3\n  BLUE h4 e2 bombs 2",
        "7 red A3 M2 MC1 S0 bombs 3 blue H4 E2 bombs 2",
    ],
)
def test_it_is_read_in_any_order_and_case(text):
    assert parse_state(text, LATTICE) == STATE


def test_areas_are_written_in_board_order():
    assert str(parse_state("red E1 AC2 W3 A4 bombs 0 blue bombs 3", LATTICE)) == (
        "1 red A4 AC2 W3 E1 bombs 0 blue bombs 3"
    )


def test_without_a_turn_it_is_the_first():
    assert parse_state("red M1 bombs 3 blue bombs 3", LATTICE).turn == 1


@each(
    ("text", "problem"),
    [
        ("", 'A position has "red" and "blue", each once'),
        ("red M1 bombs 3", 'A position has "red" and "blue", each once'),
        ("red M1 bombs 3 red A1 bombs 3 blue bombs 3", 'A position has "red" and "blue", each once'),
        ("red M1 blue bombs 3", 'Red has its bombardments once, as in "bombs 3".'),
        ("red M1 bombs 3 bombs 2 blue bombs 3", 'Red has its bombardments once, as in "bombs 3".'),
        ("red M1 bombs 4 blue bombs 3", "Red has 0 to 3 bombs left, not 4."),
        ("red M bombs 3 blue bombs 3", 'Red: "M" is not an area with its pieces, such as "M4".'),
        ("red M-1 bombs 3 blue bombs 3", 'Red: "M-1" is not an area with its pieces, such as "M4".'),
        ("red M1 M2 bombs 3 blue bombs 3", "Red has M twice."),
        ("red Q1 bombs 3 blue bombs 3", 'There is no area "Q" on the board lattice.'),
        ("red M1 bombs 3 blue M1 bombs 3", "Red and Blue cannot both stand in Mu (M)."),
        ("red M1000000 bombs 3 blue bombs 3", "Red has 0 to 999999 pieces in M, not 1000000."),
        ("0 red M1 bombs 3 blue bombs 3", "The turn is a number from 1 to 999999, not 0."),
        ("turn 2 red M1 bombs 3 blue bombs 3", 'The turn is a number from 1 to 999999, not "turn 2".'),
    ],
)
def test_what_is_wrong_is_said(text, problem):
    with pytest.raises(PositionError) as caught:
        parse_state(text, LATTICE)
    assert any(one.startswith(problem) for one in caught.value.problems)


def test_all_problems_are_said_at_once():
    with pytest.raises(PositionError) as caught:
        parse_state("red Q1 S2 bombs 9 blue S3 X", LATTICE)
    assert len(caught.value.problems) == 5
    assert str(caught.value) == " ".join(caught.value.problems)


@each(
    ("change", "problem"),
    [
        ({"pieces": None}, '"pieces" must have "red" and "blue", not null.'),
        ({"pieces": {"Red": {"M": 1}}}, '"pieces": "Red" is not a side; the sides are "red" and "blue".'),
        ({"pieces": {"red": ["M"]}}, 'Red\'s pieces are numbers by area, not ["M"].'),
        ({"pieces": {"red": {"M": -1}}}, "Red has 0 to 999999 pieces in M, not -1."),
        ({"pieces": {"red": {"M": 1.0}}}, "Red has 0 to 999999 pieces in M, not 1.0."),
        ({"pieces": {"red": {"M": True}}}, "Red has 0 to 999999 pieces in M, not true."),
        ({"pieces": {"red": {"m": 1}}}, 'There is no area "m" on the board lattice.'),
        ({"bombs": {}}, "Blue has 0 to 3 bombs left, not null."),
        ({"bombs": 3}, '"bombs" must have "red" and "blue", not 3.'),
        ({"turn": "4"}, 'The turn is a number from 1 to 999999, not "4".'),
    ],
)
def test_plain_data_is_checked(change, problem):
    data = {"turn": 1, "pieces": {"red": {"M": 1}}, "bombs": {"red": 3, "blue": 3}}
    with pytest.raises(PositionError) as caught:
        make_state(LATTICE, data | change)
    assert problem in caught.value.problems


def test_sides_and_areas_without_pieces_may_be_left_out():
    data = {"pieces": {"red": {"M": 1, "S": 0}}, "bombs": {"red": 3, "blue": 3}}
    assert make_state(LATTICE, data).pieces == {"red": {"M": 1}, "blue": {}}


def test_a_state_loads_what_it_dumped():
    assert dump(STATE)["board"] == "lattice"
    assert load(dump(STATE)) == STATE
    assert load(dump(replace(STATE, turn_limit=20))).turn_limit == 20


def test_a_state_keeps_a_board_that_is_not_shipped():
    own = parse_board(LATTICE.source.replace("Zephyria", "Zanzara"))
    assert load(dump(replace(STATE, board=own))).board.areas["Z"].name == "Zanzara"


def test_a_game_starts_from_the_set_up_with_three_bombardments():
    assert str(find_game("ozymandia").new({})) == "1 red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3"


def test_the_board_the_trades_and_a_turn_limit_are_options():
    state = find_game("ozymandia").new({"board": "triangles", "trades": ["A/V", "E/W"], "turn_limit": 30})
    assert (state.board.name, state.turn_limit) == ("triangles", 30)
    assert state.pieces == {"red": {"M": 3, "V": 3, "E": 3}, "blue": {"A": 3, "H": 3, "W": 3}}


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"board": "atlantis"}, "atlantis"),
        ({"trades": ["A/M"]}, "A/M"),
        ({"turn_limit": 0}, "turn_limit must be a number from 1"),
        ({"turn_limit": "ten"}, "turn_limit must be a number from 1"),
        ({"bombs": 5}, "Ozymandia has no option bombs"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, problem):
    with pytest.raises(GameError, match=problem):
        find_game("ozymandia").new(options)


def test_a_game_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(GameError, match='no game "chess"'):
        find_game("chess")
