"""Spaces, steps and forces (§1.6, §5.2, §5.15)."""

import pytest

from pbem.games.ozz.board import grid

BOARD = grid(4)


def test_four_rows_of_three_columns() -> None:
    assert BOARD.spaces == ("1L", "1C", "1R", "2L", "2C", "2R", "3L", "3C", "3R", "4L", "4C", "4R")


def test_the_attacker_begins_in_row_one_and_the_defender_in_the_last() -> None:
    assert (BOARD.start(attacks=True), BOARD.start(attacks=False)) == ("1C", "4C")


@pytest.mark.parametrize(
    ("space", "other", "distance"),
    [("1L", "1L", 0), ("1L", "2C", 1), ("1L", "1R", 2), ("1L", "4R", 3), ("2C", "4L", 2)],
)
def test_the_distance_is_the_larger_of_rows_and_columns(space: str, other: str, distance: int) -> None:
    assert BOARD.distance(space, other) == BOARD.distance(other, space) == distance


def test_neighbours_differ_by_one_at_most() -> None:
    assert BOARD.neighbours("1L") == ("1C", "2L", "2C")
    assert len(BOARD.neighbours("2C")) == 8
    assert BOARD.within("1L", 1) == ("1L", "1C", "2L", "2C")


@pytest.mark.parametrize(
    ("space", "word", "attacker", "defender"),
    [
        ("2C", "advance", "3C 3L 3R 2L 2R", "1C 1L 1R 2L 2R"),
        ("2C", "back", "1C 1L 1R", "3C 3L 3R"),
        ("2L", "advance", "3L 3C 2C", "1L 1C 2C"),
        ("4R", "advance", "4C", "3R 3C 4C"),
        ("1L", "back", "off", "2L 2C"),
        ("4C", "back", "3C 3L 3R", "off"),
        ("4R", "stand", "4C", "4C"),
        ("4C", "stand", "4L 4R", "4L 4R"),
    ],
)
def test_the_steps_that_an_order_may_name(space: str, word: str, attacker: str, defender: str) -> None:
    assert BOARD.steps(space, word, attacks=True) == tuple(attacker.split())  # type: ignore[arg-type]
    assert BOARD.steps(space, word, attacks=False) == tuple(defender.split())  # type: ignore[arg-type]
