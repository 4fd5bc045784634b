"""Possible positions and their legal orders for Hypothesis, and boards without a drawing."""

import re
from dataclasses import replace

from hypothesis import strategies as st

from pbem.games.ozymandia.board import SHIPPED, Board, find_board, parse_board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.rules import result
from pbem.games.ozymandia.state import SEATS, State, opponent

COUNTS = st.integers(1, 9) | st.sampled_from([100, 250, 999])


@st.composite
def positions(draw) -> State:
    """A position of an unfinished game on either board."""
    board = find_board(draw(st.sampled_from(SHIPPED)))
    pieces = {seat: {} for seat in SEATS}
    for area in board.areas:
        owner = draw(st.sampled_from([None, None, *SEATS]))
        if owner:
            pieces[owner][area] = draw(COUNTS)
    bombs = {seat: draw(st.integers(0, 3)) for seat in SEATS}
    state = State(board, draw(st.integers(1, 99)), pieces, bombs)
    for seat in SEATS:
        for city in state.held_cities(seat)[4:]:
            del pieces[seat][city]
    return state if result(state) is None else replace(state, pieces={"red": {"M": 1}, "blue": {"S": 1}})


@st.composite
def legal_orders(draw, state: State, seat: str) -> Orders:
    """Orders that are legal by construction (§2.2, §2.3, §2.7)."""
    board, theirs = state.board, state.pieces[opponent(seat)]
    choices = [[None, city, *({city[0]} - theirs.keys())] for city in state.held_cities(seat)]
    new = tuple(filter(None, (draw(st.sampled_from(choice)) for choice in choices)))
    own = state.with_new_pieces(seat, new)
    moves = []
    if own and draw(st.booleans()):
        origin = draw(st.sampled_from(sorted(own)))
        left = own[origin]
        for target in draw(st.permutations(sorted(board.adjacent[origin]))):
            if count := draw(st.integers(0, left)):
                moves.append(Move(count, origin, target))
                left -= count
    elif own:
        target = draw(st.sampled_from(sorted(board.areas)))
        for origin in draw(st.permutations(sorted(board.adjacent[target] & own.keys()))):
            if count := draw(st.integers(0, own[origin])):
                moves.append(Move(count, origin, target))
    bomb = draw(st.sampled_from([None, *board.areas])) if state.bombs[seat] else None
    return Orders(new, tuple(moves), bomb)


@st.composite
def turns(draw) -> tuple[State, dict[str, Orders]]:
    """A position, and legal orders of both sides, or only of those that did not miss the turn."""
    state = draw(positions())
    seats = draw(st.sampled_from([SEATS, SEATS, SEATS, ("red",), ("blue",), ()]))
    return state, {seat: draw(legal_orders(state, seat)) for seat in seats}


def without_drawing(board: Board) -> Board:
    return parse_board(re.sub(r"(?s)drawing = '''.*?'''\n", "", board.source))
