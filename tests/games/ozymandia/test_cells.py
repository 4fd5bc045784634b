"""The map as a table."""

import re

from pbem import ENGLISH
from pbem.games.capabilities import Grid
from pbem.games.ozymandia.board import SHIPPED, Board, find_board
from pbem.games.ozymandia.cells import cells
from pbem.games.ozymandia.state import MAX_BOMBS, SEATS, State, parse_state


def texts(grid: Grid) -> list[str]:
    """What stands in the cells, a line each."""
    return ["/".join("".join(span.text for span in line) for line in cell.lines) for row in grid for cell in row]


def start(board: Board) -> State:
    return State(board, 1, board.setup, dict.fromkeys(SEATS, MAX_BOMBS))


def test_an_area_says_who_is_there_its_name_and_the_ways_that_lead_past_others() -> None:
    board = find_board("lattice")
    before = parse_state("1 red A3 bombs 3 blue V3 bombs 3", board)
    now = parse_state("2 red A2 bombs 3 blue bombs 3", board)
    shown = texts(cells(now, before, ENGLISH))
    assert {"A Red 2*/Atlantea/== M", "V*/Valhalla/== H", "M/Mu/== A", "SC/Shangri-La City", "||", "##", "::"} <= {
        *shown
    }


def test_every_area_and_every_way_of_a_board_is_told_once() -> None:
    for name in SHIPPED:
        board = find_board(name)
        grid = cells(start(board), None, ENGLISH)
        shown = texts(grid)
        for area in board.areas.values():
            assert sum(re.match(rf"{area.code}( \w+ 3)?/{area.name}", text) is not None for text in shown) == 1
        signs = sum(text in ("==", "||", "::", "##") for text in shown)
        past = sum(text.count(f"/{sign} ") for text in shown for sign in ("==", "::", "##"))
        assert signs + past / 2 == len(board.links)


def test_rows_of_a_table_have_the_same_width() -> None:
    for name in SHIPPED:
        grid = cells(start(find_board(name)), None, ENGLISH)
        assert len({sum(cell.columns for cell in row) for row in grid}) == 1
