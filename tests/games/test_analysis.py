"""What a program thinks of a game that is over: by views alone, always the same, and better orders are legal."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.analysis import Analysis, Moment, analyse, choices, curve
from pbem.games.base import OPEN, AnyGame, Seat
from pbem.games.capabilities import Bot
from pbem.games.chance import SecretChance
from pbem.orders.reader import parse_played
from pbem.orders.situation import Standpoint

OZYMANDIA = find_game("ozymandia")
SEATS = dict(OZYMANDIA.seats({}))
EVEN = "red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3"
THREATENED = "red AC2 ZC2 MC2 SC2 W2 bombs 0 blue HC4 EC4 VC4 S6 bombs 0"
LOST = "red A1 M1 bombs 0 blue HC2 EC2 VC2 SC2 Z1 bombs 1"


def at(position: str) -> Any:
    return OZYMANDIA.placed(OZYMANDIA.new({}), position)


def read_at(game: AnyGame) -> Callable[[Any, Seat, str], Any]:
    return lambda state, seat, text: parse_played(Standpoint(game, state, seat), text)


def game_of(*positions: str) -> Analysis:
    """What is thought of positions that followed each other."""
    states = [at(one) for one in positions]
    moments = [Moment(number, state, {}) for number, state in enumerate(states[:-1], start=1)]
    found = analyse(OZYMANDIA, SEATS, moments, states[-1])
    assert found
    return found


def test_an_even_game_that_is_lost_falls_from_the_middle_to_nothing():
    red = game_of(
        "red A3 M3 W3 bombs 3 blue V3 H3 E3 bombs 3", LOST, "red A1 bombs 0 blue HC2 EC2 VC2 SC2 ZC1 bombs 0"
    ).of("red")
    assert red[0] == pytest.approx(0.5)
    assert red[1] < 0.2
    assert red[2] == 0


def test_the_turns_in_which_it_turned_are_told_in_order_with_whose_share_fell():
    found = game_of(EVEN, EVEN, LOST, LOST, EVEN)
    assert [(one.moment, one.name, one.side) for one in found.turnings] == [(1, "2", "red"), (3, "4", "blue")]


def test_nothing_is_said_of_a_game_of_which_no_turn_was_played():
    assert analyse(OZYMANDIA, SEATS, [], OZYMANDIA.new({})) is None


def test_a_city_that_should_have_been_guarded_is_found_with_what_that_was_worth():
    moment = Moment(5, at(THREATENED), {"red": "Pass"})
    (choice,) = choices(OZYMANDIA, SEATS, moment, "red", read_at(OZYMANDIA))
    assert choice.played == "Pass"
    assert "to SC" in choice.better
    assert choice.gain > 0.05


def test_best_orders_are_not_said_to_have_better_ones_and_who_gave_none_is_told_so():
    state = at(THREATENED)

    read = read_at(OZYMANDIA)
    (first,) = choices(OZYMANDIA, SEATS, Moment(5, state, {"red": "Pass"}), "red", read)
    (again,) = choices(OZYMANDIA, SEATS, Moment(5, state, {"red": first.better}), "red", read)
    assert (again.better, again.gain) == ("", 0)
    (missed,) = choices(OZYMANDIA, SEATS, Moment(5, state, {}), "red", read)
    assert (missed.played, missed.better) == ("", "")


def test_better_orders_are_judged_by_the_view_of_the_seat_alone():
    game: AnyGame = find_game("rocknroll")
    assert isinstance(game, Bot)
    state = game.new({}, SecretChance(bytes(32)))
    (seat,) = game.awaiting(state)
    seats: Mapping[Seat, str] = dict(game.seats({}))
    told = []
    for shuffle in (b"a", b"b"):  # what the seat cannot see differs
        hidden = game.with_decks(
            state, {name: deck[::-1] if shuffle == b"b" else deck for name, deck in game.decks(state).items()}
        )
        assert game.view(hidden, seat) == game.view(state, seat)
        moment = Moment(1, hidden, {seat: "Pass"})
        told.append(choices(game, seats, moment, seats[seat], read_at(game)))
    assert told[0] == told[1]


def test_a_drawing_is_narrow_enough_for_a_telephone_however_long_the_game_was():
    for number in (2, 3, 17, 40, 41, 300):
        shares = [at / (number - 1) for at in range(number)]
        lines = [
            "".join(span.text for span in line)
            for line in curve(shares, [f"B{n}.Q4.2" for n in range(number - 1)], [0])
        ]
        assert max(map(len, lines)) <= 56
        assert lines[0].startswith("100 % |")
        assert lines[10].startswith("  0 % |")
        assert "*" in lines[10] + lines[9]
        assert lines[0].endswith(("*", "1"))
        assert sum(line.count("1") for line in lines[:11]) - lines[0].count("100") == 1


def test_positions_of_all_games_have_an_outlook_of_which_sides_share_the_whole():
    for name in ("ozymandia", "rocknroll", "ozz"):
        game = find_game(name)
        state = game.new({}, SecretChance(bytes(32)))
        found = analyse(game, dict(game.seats({})), [Moment(1, state, {})], state)
        assert found
        assert all(sum(shares) == pytest.approx(1) for shares in found.shares)
        assert game.view(state, OPEN) is not None
