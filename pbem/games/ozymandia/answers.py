"""What a side asks about the board: who holds an area, how far it is, what is next to it, what a side has."""

from collections.abc import Sequence

from pbem.games.base import Say, Seat
from pbem.games.ozymandia.areas import names_of
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.state import NAMES, SEATS, State

_PLACES = {"holds": 1, "next to": 1, "far": 2}
"""How many areas each kind of question names; "has" and "free" name none, whatever stands in a gap."""
_WHO = 3  # words of somebody's name


def asked_about(state: State, kind: str, gaps: Sequence[str]) -> tuple[str, ...] | None:
    """The areas that gaps name."""
    number, find = _PLACES.get(kind, 0), names_of(state.board).find
    if not number:
        sides = tuple(gap for gap in gaps if gap in SEATS)
        return sides if all(len(gap.split()) <= _WHO for gap in gaps) else None
    found = [find(gap) for gap in gaps[-number:]]
    if len(found) != number or any(len(areas) != 1 for areas in found):
        return None
    return tuple(area for (area,) in found)


def answer(state: State, kind: str, names: Sequence[str], say: Say) -> tuple[str, ...]:
    """The answer to a question of a kind about some areas."""
    match kind:
        case "holds":
            return (_held(state, names[0], say),)
        case "far":
            return (_far(state.board, names[0], names[1], say),)
        case "next to":
            return (_held(state, names[0], say), _around(state, names[0], say))
        case "free":
            return (_free(state, say),)
        case _:
            return tuple(_has(state, seat, say) for seat in SEATS if not names or seat in names)


def _title(board: Board, area: str) -> str:
    return f"{board.areas[area].name} ({area})"


def _held(state: State, area: str, say: Say) -> str:
    title = _title(state.board, area)
    for seat in SEATS:
        if number := state.pieces[seat].get(area):
            return say.many(
                "{area}: {side}, {number} piece.", "{area}: {side}, {number} pieces.", number, area=title,
                side=say(NAMES[seat]),
            )  # fmt: skip
    return say("{area}: nobody is there.", area=title)


def _free(state: State, say: Say) -> str:
    board = state.board
    held = {city for seat in SEATS for city in state.held_cities(seat)}
    free = [_title(board, city) for city in board.cities if city not in held]
    return say("Cities that nobody holds: {cities}.", cities=", ".join(free) or "-")


def _around(state: State, area: str, say: Say) -> str:
    board = state.board
    beside = sorted(board.adjacent[area], key=board.order.__getitem__)
    return say("Next to it: {areas}.", areas=", ".join(_title(board, one) for one in beside))


def _far(board: Board, origin: str, target: str, say: Say) -> str:
    way = _way(board, origin, target)
    first, last = _title(board, origin), _title(board, target)
    if way is None:
        return say("No way leads from {first} to {last}.", first=first, last=last)
    if len(way) <= 1:
        return say("{first} and {last} are next to each other: one move.", first=first, last=last)
    over = ", ".join(way[:-1])
    return say("From {first} to {last}: {number} moves, over {way}.", first=first, last=last, number=len(way), way=over)


def _way(board: Board, origin: str, target: str) -> tuple[str, ...] | None:
    """The areas of a shortest way behind the first, in board order where there are several."""
    ways: dict[str, tuple[str, ...]] = {origin: ()}
    front = [origin]
    while front and target not in ways:
        front = [one for at in front for one in sorted(board.adjacent[at], key=board.order.__getitem__)
                 if one not in ways and not ways.update({one: (*ways[at], one)})]  # fmt: skip
    return ways.get(target)


def _has(state: State, seat: Seat, say: Say) -> str:
    """All that a side has on the board and in hand."""
    return say(
        "{side}: {number} pieces ({stacks}). Cities: {cities}. Bombardments left: {bombs}.",
        side=say(NAMES[seat]),
        number=sum(state.pieces[seat].values()),
        stacks=", ".join(f"{state.pieces[seat][area]} {area}" for area in state.areas(seat)) or "-",
        cities=" ".join(state.held_cities(seat)) or "0",
        bombs=state.bombs[seat],
    )
