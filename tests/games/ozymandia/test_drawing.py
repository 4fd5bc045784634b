"""The map as players see it: its slots, its marks, its width, its legend."""

import re
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.base import Picture, Span
from pbem.games.ozymandia.board import SHIPPED, Board, find_board, parse_board
from pbem.games.ozymandia.drawing import describe, picture
from pbem.games.ozymandia.state import SEATS, State
from support.positions import without_drawing

STYLES = {"", "red", "blue", "changed", "changed red", "changed blue", "name", "link", "legend key"}


def lines(shown: Picture) -> list[str]:
    return ["".join(span.text for span in row) for row in shown]


def state(board: Board, red: dict[str, int] | None = None, blue: dict[str, int] | None = None) -> State:
    return State(board, 7, {"red": red or {}, "blue": blue or {}}, {"red": 3, "blue": 3})


def the_map(shown: Picture) -> Picture:
    """The rows above the legend."""
    return shown[: shown.index(())]


def cells(shown: Picture) -> dict[str, Span]:
    """The cells of a map by the code of their area."""
    spans = (span for row in the_map(shown) for span in row if span.style not in ("link", "name"))
    return {span.text.split()[0]: span for span in spans}


def every_area_at(board: Board, number: int) -> State:
    codes = list(board.areas)
    return state(board, dict.fromkeys(codes[::2], number), dict.fromkeys(codes[1::2], number))


def test_the_lattice_at_the_start():
    lattice = find_board("lattice")
    assert lines(picture(state(lattice, **lattice.setup))) == [
        "+---Atlantea---+      +---Zephyria---+      +---Valhalla---+",
        "| A  Red 3     |======| Z            |======| V  Blue 3    |",
        "+--------------+      +--------------+      +--------------+",
        " ||        ::                ::                ::        ||",
        " ||    Amber City       Zodiac City       Viking City    ||",
        " || ( AC           )  ( ZC           )  ( VC           ) ||",
        " ||        ##                ##                ##        ||",
        " || ( MC           )  ( SC           )  ( HC           ) ||",
        " ||   Mystery City    Shangri-La City     Harmony City   ||",
        " ||        ::                ::                ::        ||",
        "+------Mu------+      +---Shalomar---+      +---Halcyonna--+",
        "| M  Red 3     |======| S            |======| H  Blue 3    |",
        "+--------------+      +--------------+      +--------------+",
        "       ||                    ||                    ||",
        "+---Wyvernia---+      +---Ulteria----+      +----Elysia----+",
        "| W  Red 3     |======| U            |======| E  Blue 3    |",
        "+--------------+      +--------------+      +--------------+",
        "       ::                    ::                    ::",
        "( WC           )######( UC           )######( EC           )",
        "  Wizard City           Unicorn City           Elfin City",
        "",
        "| A  Red 3   * |  a province with 3 red pieces; * = changed",
        "( AC           )  a city with nobody in it",
        "======  ||        a pass between two provinces",
        "        ::        a gate between a province and its own city",
        "######  ##        a bridge between two cities",
    ]


def test_a_turn_later_what_changed_is_marked():
    lattice = find_board("lattice")
    before = state(lattice, red={"M": 6, "U": 12, "MC": 1}, blue={"S": 1, "V": 3})
    after = state(lattice, red={"M": 4, "U": 12, "MC": 1}, blue={"S": 104})
    assert lines(picture(after, before))[10:12] == [
        "+------Mu------+      +---Shalomar---+      +---Halcyonna--+",
        "| M  Red 4   * |======| S  Blue 104* |======| H            |",
    ]
    assert cells(picture(after, before)) == {
        **cells(picture(after)),
        "M": Span("M  Red 4   *", "changed red"),
        "S": Span("S  Blue 104*", "changed blue"),
        "V": Span("V          *", "changed"),
    }


def test_a_change_of_owner_alone_is_marked():
    lattice = find_board("lattice")
    shown = picture(state(lattice, blue={"M": 3}), state(lattice, red={"M": 3}))
    assert cells(shown)["M"] == ("M  Blue 3  *", "changed blue")


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("drawn", [True, False])
def test_nothing_is_marked_if_nothing_changed_or_nothing_came_before(name, drawn):
    board = find_board(name) if drawn else without_drawing(find_board(name))
    now = state(board, **board.setup)
    assert picture(now) == picture(now, now)
    assert "*" not in "".join(lines(the_map(picture(now, now))))


@pytest.mark.parametrize("name", SHIPPED)
def test_every_area_is_once_on_the_map(name):
    board = find_board(name)
    numbers = dict(zip(board.areas, count(101)))
    shown = "\n".join(lines(the_map(picture(state(board, red=numbers)))))
    for code, number in numbers.items():
        assert re.findall(rf"(?<!\w){code} +Red (\d+)", shown) == [str(number)]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_name_is_on_the_map_once_in_the_column_of_its_cell(name):
    board = find_board(name)
    rows = lines(the_map(picture(state(board))))
    for code, area in board.areas.items():
        at = [(y, m.start(), m.end()) for y, row in enumerate(rows) for m in re.finditer(area.name, row)]
        [(y, left, right)] = at
        cell = re.compile(rf"[|(] {code} +[|)]")
        near = [m for row in rows[max(y - 1, 0) : y + 2] for m in cell.finditer(row)]
        assert any(m.start() - 1 <= left and right <= m.end() + 1 for m in near), area.name


@pytest.mark.parametrize("name", SHIPPED)
def test_numbers_up_to_999_never_move_anything(name):
    board = find_board(name)
    rows = {number: lines(picture(every_area_at(board, number))) for number in (1, 10, 999)}

    def blank(text: str) -> str:
        return re.sub(r"(Red|Blue) (\d+) *", lambda match: " " * len(match[0]), text)

    assert [blank(row) for row in rows[1]] == [blank(row) for row in rows[999]]
    assert [blank(row) for row in rows[10]] == [blank(row) for row in rows[999]]
    assert [len(row) for row in rows[1]] == [len(row) for row in lines(picture(state(board)))]


def test_more_than_999_pieces_are_told_without_moving_anything():
    lattice = find_board("lattice")
    shown = lines(picture(state(lattice, blue={"A": 123456})))
    assert shown[1] == "| A  Blue>999  |======| Z            |======| V            |"


PIECES = st.dictionaries(st.sampled_from(list(find_board("lattice").areas)), st.integers(1, 2000))


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(SHIPPED), st.booleans(), PIECES, PIECES, st.none() | PIECES)
def test_a_map_is_ascii_and_narrow_and_tidy(name, drawn, red, blue, before):
    board = find_board(name) if drawn else without_drawing(find_board(name))
    now = state(board, red, {code: number for code, number in blue.items() if code not in red})
    shown = picture(now, None if before is None else state(board, before))
    for row in lines(shown):
        assert len(row) <= 64 if drawn else len(row) <= 72
        assert row.isascii()
        assert row == row.rstrip()
    assert {span.style for row in shown for span in row} <= STYLES


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(SHIPPED), PIECES, PIECES)
def test_changes_are_marked_and_only_changes(name, red, earlier):
    board = find_board(name)
    shown = cells(picture(state(board, red=red), state(board, red=earlier)))
    for code in board.areas:
        changed = red.get(code) != earlier.get(code)
        assert shown[code].text.endswith("*") == changed
        assert shown[code].style.startswith("changed") == changed


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_drawing_is_its_own_mirror_image(name):
    drawing = find_board(name).drawing or ()
    width = max(map(len, drawing))
    assert width <= 60
    for line in drawing:
        for sign, mirrored in zip("=|#:+'()", "=|#:+')(", strict=True):
            places = {at for at, char in enumerate(line) if char == sign}
            assert places == {width - 1 - at for at, char in enumerate(line) if char == mirrored}, line


@pytest.mark.parametrize("name", SHIPPED)
def test_without_a_drawing_every_area_is_listed_with_its_links(name):
    board = without_drawing(find_board(name))
    rows = lines(picture(state(board, red={"M": 4}, blue={"SC": 12}), state(board, red={"M": 4})))
    for code, area in board.areas.items():
        [row] = [row for row in rows if row.split()[:1] == [code]]
        assert area.name in row
        assert set(row.partition(area.name)[2].replace(",", " ").split()) == board.adjacent[code]
    assert "M    Red 4      Mu               A, MC, S, W" in rows
    assert any(row.startswith("SC   Blue 12 *  Shangri-La City  ") for row in rows)


def test_many_long_names_and_links_stay_within_the_width():
    codes = "ABDEFGIJK"
    names = {code: f"{code}{'x' * 31}-{'y' * 7}" for code in codes} | {f"{code}C": f"{code} City" for code in codes}
    source = [
        'name = "full"',
        f"passes = {[f'{a}-{b}' for a in codes for b in codes if a < b]}",
        "[provinces]",
        *(f'{code} = "{name}"' for code, name in names.items() if len(code) == 1),
        "[cities]",
        *(f'{code} = "{name}"' for code, name in names.items() if len(code) == 2),
        "[setup]",
        "red = { A = 1 }",
        "blue = { B = 1 }",
    ]
    board = parse_board("\n".join(source))
    rows = lines(picture(state(board, red={"A": 999})))
    assert max(map(len, rows)) <= 72
    assert all(row == row.rstrip() for row in rows)
    assert max(map(len, describe(board).splitlines())) <= 72


def test_names_that_the_drawing_leaves_out_are_listed_below_it():
    source = (
        find_board("lattice").source.replace("---Atlantea---", "--------------").replace("Wizard City   ", " " * 14)
    )
    rows = lines(picture(state(parse_board(source))))
    assert rows[-1] == "A Atlantea, WC Wizard City"


def test_a_slot_at_the_end_of_a_line_leaves_no_blanks():
    drawing = "\n".join(f"{code} ........." for code in find_board("lattice").areas)
    source = re.sub(r"(?s)'''.*?'''", f"'''\n{drawing}\n'''", find_board("lattice").source)
    now = state(parse_board(source), red={"A": 3})
    assert lines(picture(now))[:2] == ["A Red 3", "AC"]
    assert lines(picture(now, state(now.board)))[:2] == ["A Red 3   *", "AC"]
    assert lines(picture(state(now.board), now))[:2] == ["A         *", "AC"]


@pytest.mark.parametrize("name", SHIPPED)
def test_a_description_shows_the_set_up_and_says_what_is_made_up(name):
    board = find_board(name)
    text = describe(board)
    assert text.startswith(f'Board "{name}" (reconstructed board)\n\n')
    assert "\n".join(lines(picture(State(board, 1, board.setup, dict.fromkeys(SEATS, 3))))) in text
    assert "\nS     Shalomar         province  M, SC, H, U\n" in text
    assert "\nTrades possible before the game: A/V, M/H, W/E.\n" in text
    flat = " ".join(text.split())
    assert f"Areas made up: {', '.join(a.code for a in board.areas.values() if a.invented)}." in flat
    assert f"Links made up: {', '.join(f'{k.a}-{k.b}' for k in board.links if k.invented)}." in flat
    assert text.isascii()
    assert all(len(row) <= 72 and row == row.rstrip() for row in text.splitlines())


def test_the_description_of_an_original_board_speaks_of_nothing_made_up():
    source = re.sub("(?m)^(status|invented|invented_links) = .*$", "", find_board("lattice").source)
    text = describe(parse_board(source))
    assert text.startswith('Board "lattice"\n')
    assert "made up" not in text
