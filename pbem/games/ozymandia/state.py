"""The state at the start of a turn: the pieces of both sides, and the bombardments left."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from pbem import Sentence
from pbem.games.base import GameError, Seat
from pbem.games.options import Option, with_defaults
from pbem.games.ozymandia.board import SHIPPED, Board, find_board, is_shipped, parse_board, trade
from pbem.typed import quote

SEATS: tuple[Seat, Seat] = ("red", "blue")
NAMES: Mapping[Seat, Sentence] = {"red": Sentence("Red"), "blue": Sentence("Blue")}
"""The names of the sides."""
COLOURS: Mapping[Seat, Sentence] = {"red": Sentence("red"), "blue": Sentence("blue")}
"""The adjective for the pieces of each side, as in `3 red`."""
MAX_BOMBS = 3  # bombardments of a side at the start (§2.7)
MAX_NUMBER = 999_999  # the highest number of turns, and of pieces in one area
_NO_SIDES: Mapping[Seat, Any] = {}

Pieces = Mapping[str, int]
"""The number of pieces in each area; areas without pieces are left out."""


class PositionError(GameError):
    """The error for an impossible position."""

    def __init__(self, problems: Iterable[str]) -> None:
        self._problems = tuple(problems)
        values = {f"problem{number}": problem for number, problem in enumerate(self._problems)}
        template = " ".join(f"{{{name}}}" for name in values)
        super().__init__(Sentence(template, **values))

    @property
    def problems(self) -> tuple[str, ...]:
        return self._problems


def opponent(seat: Seat) -> Seat:
    """Return the other side."""
    return "blue" if seat == "red" else "red"


@dataclass(frozen=True, slots=True)
class State:
    """The position at the start of a turn: what the previous turn left on the board, before new pieces (§2.2).

    `bombs` are the bombardments that each side has left. If the game has not ended after `turn_limit` turns, it is a
    draw (J10).
    """

    board: Board
    turn: int
    pieces: Mapping[Seat, Pieces] = field(hash=False)
    bombs: Mapping[Seat, int] = field(hash=False)
    turn_limit: int | None = None

    def __str__(self) -> str:
        """Write the state on one line in the form that `parse_state` reads (docs/record.md):
        `7 red A3 M2 MC1 bombs 3 blue H4 E2 bombs 2`."""
        sides = (
            " ".join([seat, *(f"{area}{self.pieces[seat][area]}" for area in self.areas(seat))])
            + f" bombs {self.bombs[seat]}"
            for seat in SEATS
        )
        return f"{self.turn} {' '.join(sides)}"

    def areas(self, seat: Seat) -> list[str]:
        """Return the areas where a side has pieces, in board order."""
        return sorted(self.pieces[seat], key=self.board.order.__getitem__)

    def held_cities(self, seat: Seat) -> list[str]:
        """Return the cities that a side occupies, in board order."""
        pieces = self.pieces[seat]
        return [city for city in self.board.cities if city in pieces]

    def placements(self, seat: Seat, areas: Collection[str] = ()) -> list[tuple[str, str]]:
        """Return a side's new pieces, one for each city that the side occupies: the city, and the area that gets the
        piece.

        The area is the city's province if `areas` contains it, otherwise the city itself (§2.2, J2).
        """
        return [(city, city[0] if city[0] in areas else city) for city in self.held_cities(seat)]

    def with_new_pieces(self, seat: Seat, areas: Collection[str] = ()) -> dict[str, int]:
        """Return a side's pieces by area, including its new pieces, which are placed as in `placements`."""
        pieces = dict(self.pieces[seat])
        for _, area in self.placements(seat, areas):
            pieces[area] = pieces.get(area, 0) + 1
        return pieces


class _Problems(list[Sentence]):
    """The problems with a position, one sentence for each."""

    def say(self, template: str, **values: object) -> None:
        self.append(Sentence(template, **values))


def make_state(board: Board, data: Mapping[str, Any], turn_limit: int | None = None) -> State:
    """Create a state from the keys `turn` (default 1), `pieces` and `bombs` of `data`, in their JSON form. Other keys
    are ignored.

    A side or an area without pieces may be left out of `pieces`; `bombs` must have both sides. Raises PositionError,
    which lists every problem.
    """
    problems = _Problems()
    turn = data.get("turn", 1)
    if not _is_count(turn) or turn == 0:
        problems.say("The turn is a number from 1 to {most}, not {found}.", most=MAX_NUMBER, found=quote(turn))
    sides = _by_seat(data, "pieces", problems)
    pieces = {seat: _side(board, seat, sides.get(seat, {}), problems) for seat in SEATS}
    for area in (area for area in pieces["red"] if area in pieces["blue"]):
        name = board.areas[area].name
        problems.say("Red and Blue cannot both stand in {area} ({code}).", area=name, code=area)
    bombs = _by_seat(data, "bombs", problems)
    for seat in SEATS if bombs is not _NO_SIDES else ():
        number = bombs.get(seat)
        if not _is_count(number) or number > MAX_BOMBS:
            values = {"side": NAMES[seat], "most": MAX_BOMBS, "found": quote(number)}
            problems.say("{side} has 0 to {most} bombs left, not {found}.", **values)
    if problems:
        raise PositionError(problems)
    return State(board, turn, pieces, {seat: bombs[seat] for seat in SEATS}, turn_limit)


def options(chosen: Mapping[str, Any]) -> tuple[Option, ...]:
    """Return the options of a match: the board, the trades that the board allows, and the turn limit (J10)."""
    name = chosen.get("board", SHIPPED[0])
    board = find_board(name if isinstance(name, str) else SHIPPED[0])
    return (
        Option(
            "board",
            "choice",
            Sentence("The board: one that is shipped, or the path of a file of your own."),
            default=SHIPPED[0],
            choices=SHIPPED,
            is_open=True,
            is_shown=False,  # every letter shows the board and the pieces
        ),
        Option(
            "trades",
            "several",
            Sentence("Provinces whose set-up changes sides."),
            default=(),
            choices=tuple("/".join(pair) for pair in board.trades),
            flag="trade",
            is_open=True,  # so that V/A, which means the same as A/V, is accepted
            varies=True,
            is_shown=False,
        ),
        Option(
            "turn_limit",
            "number",
            Sentence("The game is a draw after this many turns."),
            most=MAX_NUMBER,
            is_shown=False,
        ),
    )


def set_up(chosen: Mapping[str, Any]) -> State:
    """Return the first position of a game. Raises GameError for options that make no sense."""
    values = with_defaults("Ozymandia", options(chosen), chosen)
    return first_state(find_board(values["board"]), values["trades"], values["turn_limit"])


def first_state(board: Board, trades: Iterable[str], turn_limit: int | None) -> State:
    """Return the first position on a board after the given trades. Raises GameError for trades that make no sense."""
    return State(board, 1, trade(board, trades), dict.fromkeys(SEATS, MAX_BOMBS), turn_limit)


def dump(state: State) -> dict[str, Any]:
    """Convert a state to plain data; a board that is not shipped is included in full, because its file may change or
    disappear."""
    return {
        "board": state.board.name if is_shipped(state.board) else state.board.source,
        "turn": state.turn,
        "pieces": {seat: {area: state.pieces[seat][area] for area in state.areas(seat)} for seat in SEATS},
        "bombs": {seat: state.bombs[seat] for seat in SEATS},
        "turn_limit": state.turn_limit,
    }


def load(data: Mapping[str, Any]) -> State:
    """Load a state from the result of `dump`. Raises GameError for data that `dump` cannot have written."""
    board = find_board(data["board"]) if data["board"] in SHIPPED else parse_board(data["board"])
    return make_state(board, data, data["turn_limit"])


def parse_state(text: str, board: Board) -> State:
    """Parse a state: the inverse of `str(state)`. Sides and areas may be in any order and in upper or lower case, and
    the turn may be left out if it is 1.

    Raises PositionError, which lists every problem.
    """
    head, *parts = re.split(r"\b(red|blue)\b", text.replace(",", " "), flags=re.IGNORECASE)
    names = [name.lower() for name in parts[::2]]
    problems = _Problems()
    if sorted(names) != sorted(SEATS):
        problems.say('A position has "red" and "blue", each once: red M4 A1 bombs 3 blue H2 bombs 3.')
    pieces: dict[Seat, dict[str, int]] = {}
    bombs: dict[Seat, int] = {seat: 0 for seat in SEATS if seat not in names}
    for seat, side in zip(names, parts[1::2], strict=True):
        pieces[seat], bombs[seat] = _parse_side(seat, side, problems)
    turn = head.strip() or 1
    if isinstance(turn, str) and re.fullmatch("[0-9]{1,9}", turn):
        turn = int(turn)
    try:
        state = make_state(board, {"turn": turn, "pieces": pieces, "bombs": bombs})
    except PositionError as bad:
        raise PositionError([*problems, *bad.problems]) from None
    if problems:
        raise PositionError(problems)
    return state


def _parse_side(seat: Seat, text: str, problems: _Problems) -> tuple[dict[str, int], int]:
    """Parse the pieces and bombardments of a side, such as `A3 M2 bombs 3`."""
    name = NAMES[seat]
    bombs = re.findall(r"\bbombs\s+([0-9]{1,9})\b", text, flags=re.IGNORECASE)
    if len(bombs) != 1:
        problems.say('{side} has its bombardments once, as in "bombs 3".', side=name)
    pieces: dict[str, int] = {}
    for word in re.sub(r"\bbombs\s+[0-9]{1,9}\b", " ", text, flags=re.IGNORECASE).split():
        stack = re.fullmatch(r"([A-Za-z]+)([0-9]{1,9})", word)
        if not stack:
            problems.say('{side}: {found} is not an area with its pieces, such as "M4".', side=name, found=quote(word))
        elif stack[1].upper() in pieces:
            problems.say("{side} has {area} twice.", side=name, area=stack[1].upper())
        else:
            pieces[stack[1].upper()] = int(stack[2])
    return pieces, int(bombs[0]) if bombs else 0


def _by_seat(data: Mapping[str, Any], name: str, problems: _Problems) -> Mapping[Seat, Any]:
    """Return the table `name` of `data`, whose keys should be sides. Problems are added if the value is not a table, or
    if it has other keys."""
    value = data.get(name)
    if not isinstance(value, dict):
        problems.say('"{name}" must have "red" and "blue", not {found}.', name=name, found=quote(value))
        return _NO_SIDES
    for key in (key for key in value if key not in SEATS):
        problems.say('"{name}": {found} is not a side; the sides are "red" and "blue".', name=name, found=quote(key))
    return value


def _side(board: Board, seat: Seat, value: object, problems: _Problems) -> dict[str, int]:
    """Return the pieces of one side by area, without empty areas. Problems are added for invalid areas and numbers."""
    if not isinstance(value, dict):
        problems.say("{side}'s pieces are numbers by area, not {found}.", side=NAMES[seat], found=quote(value))
        return {}
    pieces: dict[str, int] = {}
    for area, count in value.items():
        if area not in board.areas:
            problems.say("There is no area {area} on the board {board}.", area=quote(area), board=board.name)
        elif not _is_count(count):
            values = {"side": NAMES[seat], "most": MAX_NUMBER, "area": area, "found": quote(count)}
            problems.say("{side} has 0 to {most} pieces in {area}, not {found}.", **values)
        elif count:
            pieces[area] = count
    return pieces


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= MAX_NUMBER  # a bool is not a number here
