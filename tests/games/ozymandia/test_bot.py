"""The computer opponent: legal, the same every time, and good enough to be a nuisance."""

import pytest

from pbem.games import find_game
from pbem.games.ozymandia.board import SHIPPED, find_board
from pbem.games.ozymandia.bot import choose
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozymandia.state import SEATS, parse_state
from pbem.orders import reader
from pbem.orders.situation import Standpoint

GAME = find_game("ozymandia")


def play(state, players, turns):
    """The states of a game in which `players` think and the others leave everything where it is."""
    while GAME.result(state) is None and turns:
        orders = {seat: choose(state, seat) if seat in players else Orders() for seat in SEATS}
        for seat, one in orders.items():
            assert reader.parse(Standpoint(GAME, state, seat), str(one)) == one
        state, turns = GAME.resolve(state, orders).state, turns - 1
    return state


@pytest.mark.parametrize("board", SHIPPED)
@pytest.mark.parametrize("seat", SEATS)
def test_it_beats_an_opponent_who_does_nothing(board, seat):
    end = play(GAME.new({"board": board}), [seat], turns=15)
    assert GAME.result(end).winner == seat


@pytest.mark.parametrize("board", SHIPPED)
@pytest.mark.parametrize("trades", [[], ["A/V"], ["M/H"], ["W/E"]])
def test_against_itself_it_comes_to_an_end(board, trades):
    assert GAME.result(play(GAME.new({"board": board, "trades": trades}), SEATS, turns=40)) is not None


def test_it_plays_the_same_in_the_same_position():
    state = GAME.new({})
    assert choose(state, "red") == choose(GAME.load(GAME.dump(state)), "red")


def test_it_takes_the_fifth_city_when_it_can():
    state = parse_state("red AC1 MC1 WC1 UC1 E2 bombs 3 blue V9 bombs 3", find_board("lattice"))
    assert GAME.result(GAME.resolve(state, {"red": choose(state, "red")}).state).winner == "red"


def test_it_strikes_rather_than_lose():
    state = parse_state("red M3 MC1 bombs 1 blue VC9 HC9 UC9 EC9 S1 bombs 0", find_board("lattice"))
    assert choose(state, "red").bomb is not None


@pytest.mark.parametrize("line", ["red bombs 2 blue H3 bombs 1", "red M1 bombs 0 blue bombs 0"])
def test_it_plays_on_when_a_side_has_nothing_left(line):
    state = parse_state(line, find_board("lattice"))
    for seat in SEATS:
        orders = choose(state, seat)
        assert reader.parse(Standpoint(GAME, state, seat), str(orders)) == orders
