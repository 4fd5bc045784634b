"""The rules, case by case: tests/cases/ozymandia.txt says them, and what no case can say stands here."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.cli.adjudicate import adjudicate_line
from pbem.games.base import GameError, Result
from pbem.games.ozymandia.board import find_board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.rules import awaiting, fight, resolve, result
from pbem.games.ozymandia.state import SEATS, State, parse_state
from support.each import each
from support.paths import CASES, SHARED

CASE_FILES = (CASES / "ozymandia.txt", SHARED / "cases" / "ozymandia.txt")
LATTICE = find_board("lattice")


def cases():
    for file in filter(Path.exists, CASE_FILES):
        for block in file.read_text(encoding="utf-8").split("\n\n"):
            lines = [line.partition(" ")[::2] for line in block.splitlines() if line and line[0] != "#"]
            if lines:
                yield dict(lines)


@each("case", cases(), ids=lambda case: case["CASE"])
def test_case(case):
    board = case.get("BOARD", "lattice")
    before = parse_state(case["POSITION"], find_board(board))
    orders = {seat: case.get(seat.upper(), "pass") for seat in SEATS}
    answer = adjudicate_line(
        json.dumps({"board": board, "pieces": before.pieces, "bombs": before.bombs, "orders": orders})
    )
    assert sorted(answer.get("errors", {})) == sorted(case.get("REFUSED", "").split())
    if "REFUSED" not in case:
        after = parse_state(case["AFTER"], find_board(board))
        assert (answer["pieces"], answer["bombs"]) == (after.pieces, after.bombs)
        assert answer["winner"] == case.get("WINNER")


def test_every_paragraph_and_ruling_has_cases():
    text = CASE_FILES[0].read_text(encoding="utf-8")
    paragraphs = [f"2.{number}" for number in range(1, 8)] + [f"J{number}" for number in range(1, 11)] + ["3"]
    assert [paragraph for paragraph in paragraphs if f"\nCASE {paragraph}." not in text] == []
    numbers = [line.split()[1] for line in text.splitlines() if line.startswith("CASE ")]
    assert len(numbers) == len(set(numbers)) >= 110


def play(position: str, red: Orders | None = None, blue: Orders | None = None):
    given = {"red": red, "blue": blue}
    return resolve(position_of(position), {seat: one for seat, one in given.items() if one is not None})


def position_of(text: str) -> State:
    return parse_state(text, LATTICE)


@each(
    ("forces", "left"),
    [
        ((5, 3), (4, 0)),
        ((3, 5), (0, 4)),
        ((4, 2), (4, 0)),
        ((3, 2), (2, 0)),
        ((2, 1), (2, 0)),
        ((7, 4), (6, 0)),
        ((1, 1), (0, 0)),
        ((300, 500), (0, 400)),
        ((0, 3), (0, 3)),
    ],
)
def test_the_stronger_loses_what_its_superiority_does_not_cover(forces, left):  # §2.6
    assert fight(*forces) == left


def test_events_tell_the_turn_in_the_order_it_happened():
    ruling = play(
        "4 red M4 bombs 3 blue S3 HC1 bombs 2",
        Orders(moves=(Move(2, "M", "S"),)),
        Orders(new=("H",), moves=(Move(3, "S", "M"),), bomb="MC"),
    )
    assert str(ruling.state) == "5 red M1 bombs 3 blue H1 HC1 bombs 1"
    assert ruling.events == (
        {"type": "new", "seat": "blue", "city": "HC", "area": "H"},
        {"type": "move", "seat": "red", "from": "M", "to": "S", "count": 2},
        {"type": "move", "seat": "blue", "from": "S", "to": "M", "count": 3},
        {
            "type": "crossing",
            "from": {"red": "M", "blue": "S"},
            "forces": {"red": 2, "blue": 3},
            "left": {"red": 0, "blue": 2},
        },
        {
            "type": "battle",
            "area": "M",
            "occupant": "red",
            "forces": {"red": 2, "blue": 2},
            "left": {"red": 1, "blue": 0},
        },
        {
            "type": "bombardment",
            "seat": "blue",
            "area": "MC",
            "before": {"red": 0, "blue": 0},
            "after": {"red": 0, "blue": 0},
            "left": 1,
        },
    )


def test_battles_are_told_in_board_order():
    ruling = play("red S3 A3 bombs 3 blue M4 bombs 3", blue=Orders(moves=(Move(2, "M", "S"), Move(2, "M", "A"))))
    assert [event["area"] for event in ruling.events if event["type"] == "battle"] == ["A", "S"]


def test_orders_that_never_came_are_missed_which_is_not_the_same_as_pass():  # J7
    missed = play("red MC1 bombs 3 blue H1 bombs 3", blue=Orders())
    passed = play("red MC1 bombs 3 blue H1 bombs 3", Orders(), Orders())
    assert missed.state == passed.state
    assert missed.events == ({"type": "missed", "seat": "red"}, *passed.events)


def test_a_side_with_nothing_left_is_not_waited_for_and_misses_nothing():  # J9
    position = "red bombs 0 blue H1 bombs 3"
    assert awaiting(position_of(position)) == {"blue"}
    assert play(position, blue=Orders()).events == ()


def test_a_side_that_can_only_bombard_is_waited_for():  # J9
    assert awaiting(position_of("red bombs 1 blue H1 bombs 0")) == {"red", "blue"}


@pytest.mark.parametrize("over", ["red bombs 3 blue bombs 3", "red AC1 MC1 WC1 UC1 EC1 bombs 3 blue H1 bombs 3"])
def test_nobody_is_waited_for_when_the_game_is_over(over):
    assert awaiting(position_of(over)) == frozenset()


def test_the_last_event_says_how_the_game_ended():
    won = play("red AC1 ZC1 MC1 SC1 H1 bombs 3 blue V1 bombs 3", Orders(moves=(Move(1, "H", "HC"),)))
    assert won.events[-1] == {"type": "victory", "seat": "red", "cities": ["AC", "ZC", "MC", "SC", "HC"]}
    assert result(won.state) == Result(
        "red", "Red holds 5 cities (Amber City, Zodiac City, Mystery City, Shangri-La City, Harmony City)."
    )
    drawn = play("red HC1 bombs 0 blue bombs 1", blue=Orders(bomb="HC"))
    assert drawn.events[-1] == {"type": "draw", "reason": "no pieces"}
    assert result(drawn.state) == Result(None, "Neither side has a piece left.")


def test_the_turn_after_the_limit_is_not_played():  # J10
    state = replace(position_of("11 red M1 bombs 3 blue H1 bombs 3"), turn_limit=12)
    twelfth = resolve(state, {}).state
    assert result(twelfth) is None
    ruling = resolve(twelfth, {})
    assert ruling.events[-1] == {"type": "draw", "reason": "turn limit"}
    assert result(ruling.state) == Result(None, "Nobody has won by the end of turn 12, the limit of this game.")


def test_five_cities_after_the_last_turn_win():  # §2.1 comes before J10
    state = replace(position_of("12 red AC1 MC1 WC1 UC1 E1 bombs 3 blue H1 bombs 3"), turn_limit=12)
    ruling = resolve(state, {"red": Orders(moves=(Move(1, "E", "EC"),))})
    assert result(ruling.state).winner == "red"


@pytest.mark.parametrize(
    "orders",
    [
        Orders(moves=(Move(4, "M", "S"),)),
        Orders(moves=(Move(1, "A", "M"),)),
        Orders(moves=(Move(1, "M", "H"),)),
        Orders(moves=(Move(0, "M", "S"),)),
        Orders(bomb="S"),
    ],
)
def test_what_cannot_be_carried_out_is_never_played(orders):
    with pytest.raises(GameError, match="Red cannot"):
        play("red M3 bombs 0 blue H1 bombs 3", orders)
