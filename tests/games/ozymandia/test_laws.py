"""What holds in every position and for all legal orders, on both boards."""

import json
from copy import deepcopy
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import find_game
from pbem.games.ozymandia.board import SHIPPED, find_board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.rules import resolve
from pbem.games.ozymandia.state import SEATS, State, dump, load, opponent, parse_state
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from support.each import each
from support.positions import positions, turns

GAME = find_game("ozymandia")
MIRROR = dict(zip("AVMHWESUZ", "VAHMEWSUZ", strict=True))
WORDS = [("to", "Bomb"), ("nach", "Bombe"), ("в", "бомба")]
law = settings(deadline=None, max_examples=60)


@given(turns())
@law
def test_pieces_are_only_made_by_cities_and_only_lost_in_fights_and_by_lightning(turn):
    state, orders = turn
    ruling = resolve(state, orders)
    for seat in SEATS:
        made = sum(event["type"] == "new" and event["seat"] == seat for event in ruling.events)
        lost = sum(
            event.get("forces", event.get("before"))[seat] - event["after" if "after" in event else "left"][seat]
            for event in ruling.events
            if event["type"] in {"crossing", "battle", "bombardment"}
        )
        assert made == len(state.held_cities(seat))
        assert lost >= 0
        assert sum(ruling.state.pieces[seat].values()) == sum(state.pieces[seat].values()) + made - lost


@given(turns())
@law
def test_a_turn_leaves_a_position_that_can_be(turn):
    state, orders = turn
    after = resolve(state, orders).state
    assert after.turn == state.turn + 1
    assert not after.pieces["red"].keys() & after.pieces["blue"].keys()
    assert all(count > 0 for seat in SEATS for count in after.pieces[seat].values())
    for seat in SEATS:
        used = seat in orders and orders[seat].bomb is not None
        assert after.bombs[seat] == state.bombs[seat] - used


def mirrored_area(area: str) -> str:
    return MIRROR[area[0]] + area[1:]


def mirrored(state: State) -> State:
    pieces = {
        opponent(seat): {mirrored_area(area): count for area, count in state.pieces[seat].items()} for seat in SEATS
    }
    return replace(state, pieces=pieces, bombs={opponent(seat): state.bombs[seat] for seat in SEATS})


def mirrored_orders(orders: Orders) -> Orders:
    return Orders(
        tuple(map(mirrored_area, orders.new)),
        tuple(Move(count, mirrored_area(a), mirrored_area(b)) for count, a, b in orders.moves),
        orders.bomb and mirrored_area(orders.bomb),
    )


@given(turns())
@law
def test_mirroring_the_board_and_swapping_the_sides_mirrors_the_result(turn):
    state, orders = turn
    swapped = {opponent(seat): mirrored_orders(one) for seat, one in orders.items()}
    assert resolve(mirrored(state), swapped).state == mirrored(resolve(state, orders).state)


@pytest.mark.parametrize("trades", [(), ("A/V",), ("M/H", "W/E"), ("A/V", "M/H", "W/E")], ids=" ".join)
@pytest.mark.parametrize("board", SHIPPED)
def test_both_sides_begin_alike_on_a_board_that_is_its_own_mirror(board, trades):
    start = GAME.new({"board": board, "trades": trades})
    assert mirrored(start) == start
    near = start.board.adjacent
    assert all({*map(mirrored_area, near[area])} == near[mirrored_area(area)] for area in start.board.areas)


@given(turns(), st.randoms(use_true_random=False))
@law
def test_the_order_of_items_and_of_arrival_never_matters(turn, random):
    state, orders = turn
    shuffled = {
        seat: Orders(
            tuple(random.sample(one.new, len(one.new))), tuple(random.sample(one.moves, len(one.moves))), one.bomb
        )
        for seat, one in reversed(orders.items())
    }
    pieces = {seat: dict(reversed(state.pieces[seat].items())) for seat in reversed(SEATS)}
    assert resolve(replace(state, pieces=pieces), shuffled) == resolve(state, orders)


@given(turns())
@law
def test_what_goes_in_is_not_changed(turn):
    state, orders = turn
    before = deepcopy((dict(state.pieces), dict(state.bombs), orders))
    resolve(state, orders)
    assert (state.pieces, state.bombs, orders) == before


@given(turns())
@law
def test_what_is_printed_is_read_back_the_same(turn):
    state, orders = turn
    assert parse_state(str(state), state.board) == state
    assert parse_state(str(state).upper().replace(" ", ", "), state.board) == state
    for seat, one in orders.items():
        assert reader.parse(Standpoint(GAME, state, seat), str(one)) == one


@each("board", [find_board(name) for name in SHIPPED])
def test_orders_over_each_border_are_read_by_codes_and_names_in_each_language(board):
    for link in board.links:
        for start, end in ((link.a, link.b), (link.b, link.a)):
            state = parse_state(f"2 red {start}3 bombs 3 blue {end}3 bombs 3", board)
            names = [(start, end), (board.areas[start].name, board.areas[end].name)]
            written = (f"2 {one} {to} {other}; {bomb} {other}" for one, other in names for to, bomb in WORDS)
            read = {str(reader.read(Standpoint(GAME, state, "red"), text).orders) for text in written}
            assert read == {f"2 {start} to {end}; Bomb {end}"}


@given(positions(), st.none() | st.integers(1, 99))
@law
def test_a_state_loads_what_it_dumped(state, turn_limit):
    limited = replace(state, turn_limit=turn_limit)
    assert load(json.loads(json.dumps(dump(limited)))) == limited


@given(turns())
@law
def test_whatever_happens_can_be_told_in_ascii(turn):
    state, orders = turn
    ruling = resolve(state, orders)
    told = [part for heading, text, dice in GAME.story(state, ruling.events) for part in (heading, text, *dice)]
    told += [GAME.paraphrase(state, seat, one) for seat, one in orders.items()]
    told += GAME.summary(ruling.state)
    for seat in SEATS:
        text, example = GAME.prospects(state, seat)
        told.append(text)
        assert str(reader.parse(Standpoint(GAME, state, seat), example)) == example
    assert all(text.isascii() and "None" not in text and "  " not in text for text in told)
