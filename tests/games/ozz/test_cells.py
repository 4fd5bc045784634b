"""The map and the board as tables for telephones."""

from dataclasses import replace

import pytest

from pbem import ENGLISH
from pbem.games import find_game
from pbem.games.capabilities import Cell, Grid
from pbem.games.ozz import drawing
from pbem.games.ozz.state import BoardBell, MapBell, Marker, State
from support.ozz_reading import DATA, on_board, on_map

MAP = on_map("M1 ZOR M4 SOU GUA R1 ZEP WI1 HER", bell=MapBell("winkies", "R1", "WI1"))
BOARD = on_board(
    "2C ZOR GUA/ZOR SOU/ZOR 3R MCA 4C EVO WBA - THI",
    "munchkins",
    "winkies",
    spells=(Marker("poppies", "EVO", "SOU"),),
    bell=BoardBell("winkies", "4C", "WBA", silent=True),
)


def cells(state: State, since: State | None = None) -> Grid:
    return find_game("ozz").cells(state, since)


def text(cell: Cell) -> str:
    return "/".join("".join(span.text for span in line) for line in cell.lines)


def texts(grid: Grid) -> list[list[str]]:
    """What stands in the cells, row by row."""
    return [[text(cell) for cell in row] for row in grid]


def test_a_space_of_the_board_says_who_stands_in_it_the_defenders_rows_on_top() -> None:
    shown = texts(cells(BOARD))
    assert [[cell.split("/")[0] for cell in row] for row in shown[:4]] == [
        [f"{row}{column}" for column in "LCR"] for row in "4321"
    ]
    assert shown[0][1] == "4C/w: EVO WBA BEL"
    assert shown[1][2] == "3R/m: MCA"
    assert shown[2] == ["2L", "2C/m: ZOR[GUA SOU]", "2R"]


def test_both_sides_in_a_space_stand_on_lines_of_their_own_in_their_colours() -> None:
    (there,) = (
        cell for row in cells(on_board("2C SOU THI", "munchkins", "winkies")) for cell in row if "m:" in text(cell)
    )
    assert text(there) == "2C/w: THI/m: SOU"
    assert [line[0].style for line in there.lines] == ["name", "winkies", "munchkins"]


def test_a_point_of_the_map_says_who_is_there_and_where_its_ways_lead() -> None:
    shown = texts(cells(MAP))
    assert shown[0] == ["Point", "Who is there", "Ways"]
    assert ["R1/Recruiting Grounds", "Winkies/ZEP WI1 HER (10)", "-- M4 W4 Q4 G4"] in shown
    assert ["M2/Sourdough", "walls 2", "-- M1 M4/.. H1"] in shown


def test_castles_razed_centers_and_changes_are_marked() -> None:
    after = replace(on_map("M1 ZOR R1 SOU GUA"), razed={"W1": "munchkins"})
    rows = {row[0]: row[1] for row in texts(cells(after, MAP)) if len(row) == 3}
    assert rows["{M1}/Zoraster's Castle"] == "Munchkins/ZOR (0)/walls 4"
    assert "*{w1}" in {name.split("/")[0] for name in rows}
    assert rows["*M4/Tic-Tok"] == "empty"
    assert rows["*R1/Recruiting Grounds"] == "Munchkins/GUA SOU (9)"
    styles = {span.style for row in cells(after, MAP) for cell in row for line in cell.lines for span in line}
    assert "changed munchkins" in styles


@pytest.mark.parametrize("state", [MAP, BOARD], ids=["map", "board"])
def test_all_that_is_said_below_a_picture_is_said_in_the_table(state: State) -> None:
    told = {one for row in texts(cells(state, state)) for one in row}
    legend = {span.text for span in drawing.in_words(state, state, ENGLISH) if span.style == "legend"}
    assert legend
    assert legend <= told
    if state.battle:
        assert {span.text for span in drawing.in_words(state, state, ENGLISH)} <= told


def test_every_point_and_every_way_is_told() -> None:
    ways = {
        row[0].split("/")[0].strip("{}"): row[2].replace("/", " ").split() for row in texts(cells(MAP)) if len(row) == 3
    }
    for point, links in DATA.links.items():
        assert {end for end in ways[point] if end.isalnum()} == {*links}


@pytest.mark.parametrize("state", [MAP, BOARD], ids=["map", "board"])
def test_all_rows_are_three_columns_wide(state: State) -> None:
    assert {sum(cell.columns for cell in row) for row in cells(state, state)} == {3}
