"""The formats in which the game appears outside letters: the headers of a record, and the questions and answers of
other programs that have turns adjudicated (docs/games/ozymandia.md)."""

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from pbem.games.base import GameError
from pbem.games.kit.plan import check_same, read_plan, write_plan
from pbem.games.ozymandia.board import SHIPPED, Board, find_board, is_shipped, parse_board
from pbem.games.ozymandia.state import MAX_NUMBER, SEATS, PositionError, State, first_state, make_state, parse_state
from pbem.typed import quote

_PLAN = "BoardPlan"


def headers(start: State, options: Mapping[str, Any]) -> dict[str, str]:
    """Return the headers of a record. A board that is not shipped is included in full, because its file may no longer
    exist in thirty years; a shipped one as `board_plan`, with which people and other programs can play the game."""
    board, trades = start.board, tuple(options.get("trades", ()))
    by_name = {"Board": board.name, "BoardHash": board_hash(board)}
    if trades:
        by_name["Setup"] = " ".join(trades)
    if start.turn_limit is not None:
        by_name["TurnLimit"] = str(start.turn_limit)
    if start != first_state(board, trades, start.turn_limit):
        by_name["Position"] = str(start)
    if is_shipped(board):
        by_name[_PLAN] = board_plan(board)
    else:
        by_name["BoardFile"] = board.source
    return by_name


def from_headers(headers: Mapping[str, str]) -> tuple[State, dict[str, Any]]:
    """Read the first state and the options of a game from the headers of a record. Files named in a record are never
    opened.

    A record that includes the plan of its board is played on that if the board is not shipped, or is another one now.
    Raises GameError for a board that is neither shipped nor included, or that does not match its hash or its plan.
    """
    board, limit = _board(headers), headers.get("TurnLimit")
    trades = headers.get("Setup", "").replace(",", " ").split()
    options: dict[str, Any] = {"board": board.name}
    if trades:
        options["trades"] = trades
    if limit is not None:
        if not (limit.isascii() and limit.isdigit() and len(limit) <= len(str(MAX_NUMBER)) and int(limit)):
            raise GameError(f"A turn limit is a number from 1 to {MAX_NUMBER}, not {quote(limit)}.")
        options["turn_limit"] = int(limit)
    start = first_state(board, trades, options.get("turn_limit"))
    if "Position" in headers:
        start = replace(parse_state(headers["Position"], board), turn_limit=start.turn_limit)
    return start, options


def board_hash(board: Board) -> str:
    """Return the SHA-256 of a board's file, in hexadecimal digits."""
    return sha256(board.source.encode()).hexdigest()


def board_plan(board: Board) -> str:
    """Return a board file without the drawing and the comments: the name, links, areas, trades and set-up of a board, a
    line each."""
    names = {
        kind: {code: one.name for code, one in board.areas.items() if one.kind == kind} for kind in ("province", "city")
    }
    links = {kind: [f"{link.a}-{link.b}" for link in board.links if link.kind == kind] for kind in ("pass", "bridge")}
    values = {
        "name": board.name,
        "status": "reconstructed" if board.reconstructed else "original",
        "provinces": names["province"],
        "cities": names["city"],
        "passes": links["pass"],
        "city_bridges": links["bridge"],
        "trades": board.trades,
        "setup": board.setup,
    }
    return write_plan(values)


def _board(headers: Mapping[str, str]) -> Board:
    name, source, plan = headers.get("Board", SHIPPED[0]), headers.get("BoardFile"), headers.get(_PLAN)
    if source is not None:
        board = parse_board(source)
    elif name in SHIPPED and headers.get("BoardHash") in (None, board_hash(find_board(name))):
        board = find_board(name)
        if plan is not None and plan != (own := board_plan(board)):
            check_same(read_plan(dict[str, Any], plan, _PLAN), read_plan(dict[str, Any], own, _PLAN), _PLAN, name)
    elif plan is not None:
        return parse_board(plan)
    elif name in SHIPPED:
        board = find_board(name)
    else:
        raise GameError(f"There is no board {quote(name)} here, and the record does not carry its file.")
    if headers.get("BoardHash", board_hash(board)) != board_hash(board):
        raise GameError(f"The game was played on another board {quote(name)} than the one that is known here.")
    return board


_board_of = lru_cache(maxsize=8)(find_board)  # avoids reading a game master's board from its file each time


def read_question(question: Mapping[str, Any]) -> State:
    """Read a state from the keys `board`, `turn`, `pieces` and `bombs` of a question. Raises GameError if the position
    is impossible."""
    name = question.get("board", SHIPPED[0])
    if not isinstance(name, str):
        raise PositionError([f"A board is named by a text, not {json.dumps(name)[:40]}."])
    return make_state(_board_of(name), question)


def answered(state: State) -> dict[str, Any]:
    """Return the fields of an answer that describe a state: the turn, the pieces and the bombardments left."""
    pieces = {seat: {area: state.pieces[seat][area] for area in state.areas(seat)} for seat in SEATS}
    return {"turn": state.turn, "pieces": pieces, "bombs": {seat: state.bombs[seat] for seat in SEATS}}


def titles(before: State, after: State) -> tuple[str, str]:
    """Return the heading above a turn, and the heading above the board after that turn."""
    board = before.board
    on = f"on the board {board.name}{', a reconstruction' if board.reconstructed else ''}"
    return f"Turn {before.turn} {on}", f"The board at the start of turn {after.turn}"
