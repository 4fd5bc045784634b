"""A board is data: an edge list and a drawing in a TOML file that a person can write (docs/operating.md)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pbem.games.base import GameError, Seat
from pbem.games.ozymandia.boardfile import MAX_SIZE, SIDES, drawing_lines, ends, quote, read_board_file

SHIPPED = ("lattice", "triangles")
_FOLDER = Path(__file__).parent / "boards"


class Area(NamedTuple):
    """A province or a city. `invented` tells that name or existence is ours, not the magazine's."""

    code: str
    name: str
    kind: Literal["province", "city"]
    invented: bool


class Link(NamedTuple):
    """Two adjacent areas: a pass between provinces, a gate between a city and its province, a city bridge."""

    a: str
    b: str
    kind: Literal["pass", "gate", "bridge"]
    invented: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A checked board. `areas` are in board order: each province followed by its city.

    Two boards are the same if their files are. `setup` has pieces by seat and area; `trades` are pairs of
    provinces whose occupation may be traded before the game; `drawing` has lines with slots, or is None.
    """

    source: str = field(repr=False)
    name: str = field(compare=False)
    reconstructed: bool = field(compare=False)
    areas: Mapping[str, Area] = field(compare=False, repr=False)
    links: tuple[Link, ...] = field(compare=False, repr=False)
    setup: Mapping[Seat, Mapping[str, int]] = field(compare=False, repr=False)
    trades: tuple[tuple[str, str], ...] = field(compare=False, repr=False)
    drawing: tuple[str, ...] | None = field(compare=False, repr=False)
    adjacent: Mapping[str, frozenset[str]] = field(compare=False, repr=False)
    cities: tuple[str, ...] = field(compare=False, repr=False)
    order: Mapping[str, int] = field(compare=False, repr=False)  # an area's place in board order


def find_board(name: str) -> Board:
    """A shipped board by its name, or a game master's own by the path of its file. Raises GameError."""
    if name in SHIPPED:
        return _shipped(name)
    path, shown = Path(name), quote(name, longest=400)
    try:
        if not path.is_file():  # a pipe or a device might be read for ever
            known = " and ".join(SHIPPED)
            raise GameError(f"There is no board {shown}: {known} are shipped, others are named by a path.")
        source = _read(path)
    except OSError as error:
        raise GameError(f"The board file {shown} cannot be read: {error.strerror}.") from None
    except UnicodeError:
        raise GameError(f"The board file {shown} is not text in UTF-8; save it as such.") from None
    try:
        return parse_board(source)
    except GameError as error:
        raise GameError(f"The board file {shown} cannot be used.\n{error}") from None


@cache
def _shipped(name: str) -> Board:
    return parse_board(_read(_FOLDER / f"{name}.toml"))


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(MAX_SIZE + 1).decode("utf-8-sig")  # a byte too many is left for parse_board to refuse


@lru_cache(maxsize=16)  # a desk reads its games' boards again and again
def parse_board(source: str) -> Board:
    """A board from the text of its file. Raises GameError that lists every problem at once, one a line."""
    file = read_board_file(source)
    areas: dict[str, Area] = {}
    for code, name in file.provinces.items():
        city = code + "C"
        areas[code] = Area(code, name, "province", code in file.invented)
        areas[city] = Area(city, file.cities[city], "city", city in file.invented)
    made_up = {frozenset(ends(text)) for text in file.invented_links}
    links = [Link(*ends(text), "pass", frozenset(ends(text)) in made_up) for text in file.passes]
    links += [Link(code, code + "C", "gate", False) for code in file.provinces]
    links += [Link(*ends(text), "bridge", frozenset(ends(text)) in made_up) for text in file.city_bridges]
    adjacent: dict[str, set[str]] = {code: set() for code in areas}
    for link in links:
        adjacent[link.a].add(link.b)
        adjacent[link.b].add(link.a)
    order = {code: place for place, code in enumerate(areas)}
    setup = {side: {code: n for code in areas if (n := file.setup[side].get(code))} for side in SIDES}
    return Board(
        source=source,
        name=file.name,
        reconstructed=file.status == "reconstructed",
        areas=areas,
        links=tuple(links),
        setup=setup,
        trades=tuple((a, b) for a, b in file.trades),
        drawing=drawing_lines(file.drawing) if file.drawing is not None else None,
        adjacent={code: frozenset(others) for code, others in adjacent.items()},
        cities=tuple(code for code, area in areas.items() if area.kind == "city"),
        order=order,
    )


def board_data(board: Board) -> dict[str, Any]:
    """The board as plain data, every link once, gates included, in board order, as `pbem adjudicate --json` has it."""
    rank = board.order.__getitem__
    links = [sorted((link.a, link.b), key=rank) for link in board.links]
    return {
        "name": board.name,
        "areas": {
            area.code: {"name": area.name, "kind": area.kind, "invented": area.invented}
            for area in board.areas.values()
        },
        "links": sorted(links, key=lambda link: [rank(code) for code in link]),
        "setup": {seat: dict(pieces) for seat, pieces in board.setup.items()},
    }


def trade(board: Board, pairs: Iterable[str]) -> dict[Seat, dict[str, int]]:
    """The set-up after trades such as "A/V": the pieces in both areas change sides (§1 of the rules).

    Raises GameError for a trade that the board does not know, or one named twice.
    """
    owner = {area: seat for seat, pieces in board.setup.items() for area in pieces}
    known = {frozenset(pair): pair for pair in board.trades}
    done: set[frozenset[str]] = set()
    for text in pairs:
        pair = frozenset(text.upper().replace(" ", "").split("/"))
        if pair not in known:
            possible = ", ".join("/".join(pair) for pair in board.trades) or "none"
            raise GameError(f"{quote(text)} is no trade of this board; possible are: {possible}.")
        if pair in done:
            raise GameError(f"The trade {quote(text)} is named twice; name it once.")
        done.add(pair)
        a, b = pair
        owner[a], owner[b] = owner[b], owner[a]
    numbers = {area: number for pieces in board.setup.values() for area, number in pieces.items()}
    return {
        seat: {area: numbers[area] for area in sorted(owner, key=board.order.__getitem__) if owner[area] == seat}
        for seat in board.setup
    }
