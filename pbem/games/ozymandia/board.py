"""Boards: each is a TOML file with a list of links and a drawing, which a person can write (docs/own-data.md).

`boards/lattice.toml` explains every key in its comments. A file is checked as a whole before it is used, and all
problems are reported at once.

The drawing is plain text. A *slot* marks the place of an area's cell: the area's code, blanks, and a row of at least
nine dots, such as `A .........`. The dots are replaced with the owner and the number of pieces (`Blue 104`); the last
dot becomes a `*` if the area has changed. Everything else is drawn as it is. By convention, `=` and `||` stand for
passes, `::` for a gate, and `#` for a bridge between cities; provinces are in boxes, cities in round brackets.
"""

import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pbem.games.base import GameError, Seat
from pbem.games.words import words_in
from pbem.typed import TOML_WORDS, Between, Complete, Named, Reader, Right, quote

SHIPPED = ("lattice", "triangles")
_FOLDER = Path(__file__).parent / "boards"


class Area(NamedTuple):
    """A province or a city. `invented` means that its name or its existence was made up for this program, because the
    magazine that published the game does not show it."""

    code: str
    name: str
    kind: Literal["province", "city"]
    invented: bool


class Link(NamedTuple):
    """A link between two adjacent areas: a pass between provinces, a gate between a city and its province, or a bridge
    between cities. `invented` has the same meaning as for an area."""

    a: str
    b: str
    kind: Literal["pass", "gate", "bridge"]
    invented: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A checked board. `areas` are in board order: each province followed by its city.

    Two boards are equal if their files have the same text. `setup` contains the pieces by seat and area; `trades` are
    pairs of provinces whose pieces may change sides before the game; `drawing` contains lines with slots, or is None.
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

    def ways_from(self, start: str) -> dict[str, tuple[str, ...]]:
        """Return the shortest way from `start` to each area that can be reached. A way does not include `start`. Of
        several shortest ways to an area, the first in board order is chosen."""
        ways: dict[str, tuple[str, ...]] = {start: ()}
        for area in (queue := [start]):
            for near in sorted(self.adjacent[area] - ways.keys(), key=self.order.__getitem__):
                ways[near] = (*ways[area], near)
                queue.append(near)
        return ways


def find_board(name: str) -> Board:
    """Find a shipped board by its name, or a game master's own board by the path of its file. Raises GameError if the
    board cannot be found or used."""
    if name in SHIPPED:
        return _shipped(name)
    path, quoted = Path(name), quote(name, longest=400)
    try:
        if not path.is_file():  # reading a pipe or a device might never end
            shipped = " and ".join(SHIPPED)
            raise GameError(f"There is no board {quoted}: {shipped} are shipped, others are named by a path.")
        source = _read(path)
    except OSError as error:
        raise GameError(f"The board file {quoted} cannot be read: {error.strerror}.") from None
    except UnicodeError:
        raise GameError(f"The board file {quoted} is not text in UTF-8; save it as such.") from None
    try:
        return parse_board(source)
    except GameError as error:
        raise GameError(f"The board file {quoted} cannot be used.\n{error}") from None


def is_shipped(board: Board) -> bool:
    """Return whether a board comes with the program. The file of such a board need not be stored with a match."""
    return board.name in SHIPPED and find_board(board.name) == board


@cache
def _shipped(name: str) -> Board:
    return parse_board(_read(_FOLDER / f"{name}.toml"))


def _read(path: Path) -> str:
    with path.open("rb") as file:
        return file.read(MAX_SIZE + 1).decode("utf-8-sig")  # one byte more than allowed, for parse_board to refuse


@lru_cache(maxsize=16)  # a desk reads its games' boards again and again
def parse_board(source: str) -> Board:
    """Parse a board from the text of its file. Raises GameError, which lists all problems, one per line."""
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
        trades=file.trades,
        drawing=drawing_lines(file.drawing) if file.drawing is not None else None,
        adjacent={code: frozenset(others) for code, others in adjacent.items()},
        cities=tuple(code for code, area in areas.items() if area.kind == "city"),
        order=order,
    )


def board_data(board: Board) -> dict[str, Any]:
    """Return the board as plain data, in the form of `pbem adjudicate --json`. Areas and links are in board order, and
    every link, including gates, appears once."""
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
    """Return the set-up after trades such as "A/V": the pieces in both areas change sides (§1 of the rules).

    Raises GameError for a trade that the board does not allow or that is named twice.
    """
    owner = {area: seat for seat, pieces in board.setup.items() for area in pieces}
    allowed = {frozenset(pair): pair for pair in board.trades}
    done: set[frozenset[str]] = set()
    for text in pairs:
        pair = frozenset(text.upper().replace(" ", "").split("/"))
        if pair not in allowed:
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


MAX_SIZE = 16 * 1024  # bytes, four times a shipped board
MAX_WIDTH = 72  # columns of a drawing
SLOT = re.compile(r"(?<![A-Za-z])([A-Z]C?)( *)(\.{9,})")
ORDER_WORDS = tuple(words_in(Path(__file__).parent, "no_names")["words"])
"""The order words of all languages that the program reads. The name of an area must not look like any of them."""

SIDES = ("red", "blue")
MAX_SHOWN = 999  # the most pieces for which a slot has room

_MAX_NAME = 40  # the most characters in a name
_IS_NAME = re.compile("[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")


class BoardFile(NamedTuple):
    """The content of a board file; `_problems` checks whether its values fit together."""

    name: Annotated[
        str, Right(_IS_NAME.fullmatch, "up to 40 letters, digits, blanks and hyphens"), "what the board is called"
    ]
    provinces: Annotated[
        Mapping[str, str], "names of the provinces by their codes, a capital letter each, in the order of lists"
    ]
    cities: Annotated[Mapping[str, str], "names of the cities by their codes: the letter of the province and `C`"]
    passes: Annotated[tuple[str, ...], "pairs of adjacent provinces, such as `A-M`"]
    setup: Annotated[
        Mapping[Annotated[Seat, Named("side")], Mapping[str, Annotated[int, Between(1, MAX_SHOWN)]]],
        Complete(),
        "for red and for blue the pieces in each area",
    ]
    status: Annotated[Literal["reconstructed", "original"], "whether parts of the board are guessed"] = "original"
    city_bridges: Annotated[
        tuple[str, ...], "pairs of adjacent cities; a city and its province are always adjacent"
    ] = ()
    invented: Annotated[tuple[str, ...], "codes of areas that are guessed"] = ()
    invented_links: Annotated[tuple[str, ...], "links that are guessed"] = ()
    trades: Annotated[
        tuple[tuple[str, str], ...], "pairs of provinces whose pieces may change sides before the game"
    ] = ()
    drawing: Annotated[str | None, "the map in ASCII, at most 72 columns wide; letters list the areas without it"] = (
        None
    )

    @property
    def areas(self) -> dict[str, str]:
        """The names of all areas, keyed by code."""
        return {**self.provinces, **self.cities}


def read_board_file(source: str) -> BoardFile:
    """Read a board file. Raises GameError, which lists all problems, one per line."""
    if len(source) > MAX_SIZE:
        raise GameError(f"The board file is longer than {MAX_SIZE // 1024} kB; a board takes a few.")
    try:
        data = tomllib.loads(source + "\n")  # the line end makes every error occur on a line
    except RecursionError:
        raise GameError("The board file cannot be read: its lists are nested too deeply.") from None
    except ValueError as error:  # a TOML error gives a line and column; an error about a huge number does not
        raise GameError(f"The board file is not correct TOML: {error}.") from None
    reader = Reader({"side": SIDES}, words=TOML_WORDS)
    file = reader.read(BoardFile, data)
    problems = [*reader.problems, *_problems(file, reader)]
    if problems:
        raise GameError("\n".join(problems))
    return file


def _problems(file: BoardFile, reader: Reader) -> Iterator[str]:
    """Yield a sentence for each way in which the values of a board file do not fit together."""
    if file.drawing is not None:
        yield from _line_problems(drawing_lines(file.drawing))
    if not file.provinces or not file.cities:
        yield "provinces, cities: a board has five to nine of each."
        return  # all further checks would fail, too
    if not 5 <= len(file.cities) <= 9:
        yield f"cities: there are {len(file.cities)}; a board has five to nine, so that one side can win."
    structure = [*_code_problems(file), *_link_problems(file)]
    yield from structure
    if not structure and reader.sound("passes") and reader.sound("city_bridges"):
        yield from _connection_problems(file)
    yield from _name_problems(file.areas)
    yield from _setup_problems(file)
    if reader.sound("setup"):
        yield from _trade_problems(file)
    yield from (f"invented: the board has no area {quote(c)}." for c in file.invented if c not in file.areas)
    if file.drawing is not None:
        yield from _slot_problems(file.drawing, file.areas)


def _code_problems(file: BoardFile) -> Iterator[str]:
    for code in file.provinces:
        if not re.fullmatch("[A-Z]", code):
            yield f"provinces: {quote(code)} should be one capital letter from A to Z."
        elif code + "C" not in file.cities:
            yield f"cities: the province {code} has no city {code}C."
    for code in file.cities:
        if not re.fullmatch("[A-Z]C", code):
            yield f"cities: {quote(code)} should be the letter of its province and C."
        elif code[0] not in file.provinces:
            yield f"provinces: the city {code} has no province {code[0]}."


def _name_problems(areas: Mapping[str, str]) -> Iterator[str]:
    owners: dict[str, str] = {}
    for code, name in areas.items():
        place, plain = f"the name of {quote(code)}, {quote(name)}", _folded(name)
        if not _is_name(name):
            yield (
                f"{place}: a name is words of letters, joined by a blank, a hyphen or an apostrophe,"
                f" at most {_MAX_NAME} characters."
            )
            continue
        if word := next((w for w in ORDER_WORDS if plain.startswith(w) or w.startswith(plain)), None):
            yield f"{place}: it could be taken for the order word {quote(word)}."
        if plain.upper() != code and plain.upper() in areas:
            yield f"{place}: it is the code of another area."
        if plain in owners:
            yield f"{place}: {quote(owners[plain])} has the same name."
        owners.setdefault(plain, code)


def _link_problems(file: BoardFile) -> Iterator[str]:
    seen: set[frozenset[str]] = set()
    for key, texts, joined in (
        ("passes", file.passes, file.provinces),
        ("city_bridges", file.city_bridges, file.cities),
    ):
        for text in texts:
            fault = _link_fault(text, joined, file.areas)
            if fault or _pair(text) in seen:
                yield f"{key}, {quote(text)}: {fault or 'these two are linked already'}."
            seen.add(_pair(text))
    for text in file.invented_links:
        if _pair(text) not in seen:
            yield f"invented_links, {quote(text)}: this is neither a pass nor a city bridge of the board."


def _link_fault(text: str, joined: Mapping[str, str], areas: Mapping[str, str]) -> str | None:
    """Return what is wrong with the link `text` between two areas of the same kind, or None if it is correct. `joined`
    contains all areas of this kind."""
    a, b = ends(text)
    if not a or not b:
        return 'a link is two codes and a hyphen, such as "A-M"'
    if unknown := [quote(code) for code in (a, b) if code not in areas]:
        return f"the board has no area {' and no area '.join(unknown)}"
    if a == b:
        return "no area is linked to itself"
    if a not in joined or b not in joined:
        return (
            "passes join two provinces, city bridges two cities;"
            " the gate between a city and its province goes without saying"
        )
    return None


def _connection_problems(file: BoardFile) -> Iterator[str]:
    links = {
        *map(_pair, (*file.passes, *file.city_bridges)),
        *(frozenset((p, p + "C")) for p in file.provinces),
    }
    start, *_ = file.provinces
    reached, fresh = {start}, {start}
    while fresh:
        fresh = {code for link in links if link & fresh for code in link} - reached
        reached |= fresh
    if cut_off := [code for code in file.areas if code not in reached]:
        yield f"passes: no way leads from {start} to {', '.join(cut_off)}; the board must hang together."


def _setup_problems(file: BoardFile) -> Iterator[str]:
    for side, pieces in file.setup.items():
        yield from (f"setup, {side}: the board has no area {quote(code)}." for code in pieces if code not in file.areas)
    times = Counter(code for pieces in file.setup.values() for code in pieces)
    yield from (f"setup: {quote(code)} is given to both sides." for code, n in times.items() if n > 1)


def _trade_problems(file: BoardFile) -> Iterator[str]:
    sides = {code: side for side, pieces in file.setup.items() for code in pieces if code in file.provinces}
    traded: set[str] = set()
    for pair in file.trades:
        place = f"trades, {quote('/'.join(pair))}"
        if len({sides.get(code) for code in pair} - {None}) != 2:
            yield f"{place}: a trade is two provinces of the set-up, one of each side."
        elif not traded.isdisjoint(pair):
            yield f"{place}: a province can be in one trade only."
        traded.update(pair)


def _line_problems(lines: tuple[str, ...]) -> Iterator[str]:
    for number, line in enumerate(lines, start=1):
        place = f"drawing, line {number}"
        if odd := re.search("[^ -~]", line):
            yield f"{place}: {odd[0]!a} cannot stand there, only ASCII letters, signs and blanks."
        if len(line) > MAX_WIDTH:
            yield f"{place}: it has {len(line)} columns; there is room for {MAX_WIDTH}."
        if "..." in SLOT.sub("", line):
            yield f"{place}: dots stand only in a slot: an area's code, blanks, and nine dots or more."


def _slot_problems(drawing: str, areas: Mapping[str, str]) -> Iterator[str]:
    slots = Counter(match[1] for match in SLOT.finditer(drawing))
    for code, times in slots.items():
        if code not in areas:
            yield f"drawing: there is a slot for {code}, which is no area of the board."
        elif times > 1:
            yield f"drawing: there are {times} slots for {code}; one is enough."
    if missing := [quote(code) for code in areas if code not in slots]:
        yield f"drawing: there is no slot for {', '.join(missing)}."


def drawing_lines(drawing: str) -> tuple[str, ...]:
    """Return the lines of a drawing, without empty lines at its top and bottom, and without blanks at the ends of
    lines."""
    return tuple(line.rstrip(" ") for line in drawing.strip("\n").split("\n"))


def ends(link: str) -> tuple[str, str]:
    """Return the two codes of a link such as "A-M"."""
    a, _, b = link.partition("-")
    return a, b


def _pair(link: str) -> frozenset[str]:
    return frozenset(ends(link))


def _is_name(name: str) -> bool:
    words = re.split("[ '-]", name)
    return (
        len(name) <= _MAX_NAME
        and all(map(str.isalpha, words))
        and unicodedata.is_normalized("NFKC", name)  # because letters are normalised in this way when they are read
    )


def _folded(name: str) -> str:
    """Return a name in the form in which the order reader compares it: ignoring case, and with blanks in place of
    hyphens and apostrophes."""
    return re.sub("[ '-]+", " ", name).casefold()
