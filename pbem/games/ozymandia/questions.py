"""Turns that other programs ask for: what a question and its answer say in JSON (ozymandia §5)."""

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from pbem.games.ozymandia.board import SHIPPED, find_board
from pbem.games.ozymandia.state import SEATS, PositionError, State, make_state

_board = lru_cache(maxsize=8)(find_board)  # a game master's own board is a file, not to be read for every question


def asked(question: Mapping[str, Any]) -> State:
    """The state of `board`, `turn`, `pieces` and `bombs`. Raises GameError."""
    name = question.get("board", SHIPPED[0])
    if not isinstance(name, str):
        raise PositionError([f"A board is named by a text, not {json.dumps(name)[:40]}."])
    return make_state(_board(name), question)


def answered(state: State) -> dict[str, Any]:
    """Turn, pieces and bombardments left."""
    pieces = {seat: {area: state.pieces[seat][area] for area in state.areas(seat)} for seat in SEATS}
    return {"turn": state.turn, "pieces": pieces, "bombs": {seat: state.bombs[seat] for seat in SEATS}}


def titles(before: State, after: State) -> tuple[str, str]:
    """What stands above a turn, and above the board after it."""
    board = before.board
    on = f"on the board {board.name}{', a reconstruction' if board.reconstructed else ''}"
    return f"Turn {before.turn} {on}", f"The board at the start of turn {after.turn}"
