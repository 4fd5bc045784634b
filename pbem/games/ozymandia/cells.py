"""The map as a table for a phone screen: a cell for each area, arranged as in the board's drawing, with the links
between them.

A link between cells that are not neighbours is noted in both cells. A board without a drawing, or with too many columns
for a narrow screen, becomes a list. The styles of the spans are those of `drawing`.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from pbem import ENGLISH, Say
from pbem.games.base import Seat, Span
from pbem.games.capabilities import Cell, Grid
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.drawing import kinds, occupation, short_names
from pbem.games.ozymandia.layout import columns_of, slots_of
from pbem.games.ozymandia.state import State

_MOST_COLUMNS = 4
_ACROSS = {"pass": "==", "gate": "::", "bridge": "##"}
_DOWN = {**_ACROSS, "pass": "||"}

_Place = tuple[int, int]  # row and column


class _Ways(NamedTuple):
    """The symbols for the links of a board. Links between neighbouring cells are in `across` and `down`, keyed by the
    place of the cell on the left or above; all other links are in `past`, keyed by area."""

    across: Mapping[_Place, str]
    down: Mapping[_Place, str]
    past: Mapping[str, tuple[str, ...]]


class _Cell(NamedTuple):
    """A cell of the table. If it shows an `area`, its first line, which tells who occupies the area, is still
    missing."""

    area: str
    cell: Cell


@lru_cache(maxsize=4)  # both sides get the same table
def cells(state: State, since: State | None = None, say: Say = ENGLISH) -> Grid:
    """Lay out the map of a position with its legend as a table. Areas whose owner or number of pieces differs from
    `since` are marked."""
    board, now = state.board, occupation(state)
    before = now if since is None else occupation(since)
    names = short_names(say)
    there = ((code, now.get(code), before.get(code)) for code in board.areas)
    texts = {code: _pieces(code, force, names, changed=force != earlier) for code, force, earlier in there}
    if not _places(board):
        return (*_list(board, texts, say),)
    return (*(tuple(_filled(cell, texts) for cell in row) for row in _table(board)), *_legend(board, say))


def _pieces(code: str, holding: tuple[Seat, int] | None, names: Mapping[Seat, str], *, changed: bool) -> Span:
    """Format an area as `A Red 3*`, or as its code alone if it is unoccupied."""
    seat, number = holding or ("", 0)
    text = f"{code} {names[seat]}{number}" if seat else code
    return Span(text + "*" * changed, f"changed {seat}".rstrip() if changed else seat)


def _filled(cell: _Cell, pieces: Mapping[str, Span]) -> Cell:
    return Cell(((pieces[cell.area],), *cell.cell.lines), cell.cell.frame) if cell.area else cell.cell


@lru_cache(maxsize=16)
def _places(board: Board) -> dict[_Place, str]:
    """Return the area at each place of the table. The result is empty if the board must be shown as a list."""
    slots = slots_of(board.drawing or ())
    columns = columns_of(x for _, x, _ in slots)
    xs, ys = sorted({*columns.values()}), sorted({row for _, _, row in slots})
    places = {(ys.index(row), xs.index(columns[x])): code for code, x, row in slots}
    return places if len(places) == len(slots) and len(xs) <= _MOST_COLUMNS else {}


def _width(places: Mapping[_Place, str]) -> int:
    return 1 + max(column for _, column in places)


@lru_cache(maxsize=16)
def _ways(board: Board) -> _Ways:
    at = {code: place for place, code in _places(board).items()}
    across, down = dict[_Place, str](), dict[_Place, str]()
    past: dict[str, tuple[str, ...]] = {}
    for link in board.links:
        first, (row, column) = sorted((at[link.a], at[link.b]))
        if (row, column) == (first[0], first[1] + 1):
            across[first] = _ACROSS[link.kind]
        elif (row, column) == (first[0] + 1, first[1]):
            down[first] = _DOWN[link.kind]
        else:
            for area, neighbour in ((link.a, link.b), (link.b, link.a)):
                past[area] = (*past.get(area, ()), f"{_ACROSS[link.kind]} {neighbour}")
    return _Ways(across, down, past)


@lru_cache(maxsize=16)
def _table(board: Board) -> tuple[tuple[_Cell, ...], ...]:
    """Return the part of the table that is the same in every position: alternating rows of areas and of the links below
    them."""
    places, ways = _places(board), _ways(board)
    rows, width = list[tuple[_Cell, ...]](), _width(places)
    for row in range(1 + max(row for row, _ in places)):
        areas, below = list[_Cell](), list[_Cell]()
        for column in range(width):
            place = row, column
            areas += [_area(board, places.get(place, ""), ways.past), _way(ways.across.get(place, ""))]
            below += [_way(ways.down.get(place, "")), _way("")]
        rows.append((*areas[:-1],))
        if any(way.cell.lines for way in below):
            rows.append((*below[:-1],))
    return (*rows,)


def _area(board: Board, code: str, past: Mapping[str, tuple[str, ...]]) -> _Cell:
    if not code:
        return _Cell("", Cell())
    area = board.areas[code]
    lines = ((Span(area.name, "name"),), *((Span(way, "link"),) for way in past.get(code, ())))
    return _Cell(code, Cell(lines, "box" if area.kind == "province" else "round"))


def _way(sign: str) -> _Cell:
    return _Cell("", Cell(((Span(sign, "link"),),) if sign else (), "link"))


@lru_cache(maxsize=16)
def _legend(board: Board, say: Say) -> Grid:
    columns = 2 * _width(_places(board)) - 1
    meanings = (
        ("", kinds(say)),
        ("== || ", say("a pass between two provinces")),
        (":: ", say("a gate between a province and its own city")),
        ("## ", say("a bridge between two cities")),
    )
    return tuple((Cell(((Span(sign + meaning, "legend key"),),), columns=columns),) for sign, meaning in meanings)


def _list(board: Board, pieces: Mapping[str, Span], say: Say) -> Iterator[tuple[Cell, ...]]:
    """Yield a row for each area: its pieces, its name, and the adjacent areas."""
    head = (say("Pieces"), say("Area"), say("Adjacent to"))
    yield tuple(Cell(((Span(word, "legend"),),)) for word in head)
    for code, area in board.areas.items():
        near = ", ".join(sorted(board.adjacent[code], key=board.order.__getitem__))
        yield (Cell(((pieces[code],),)), Cell(((Span(area.name, "name"),),)), Cell(((Span(near, "link"),),)))
    yield (Cell(((Span(kinds(say), "legend key"),),), columns=len(head)),)
