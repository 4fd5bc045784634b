"""The rules of Ozymandia: one turn as a pure function, and its events as plain data (docs/games/ozymandia-events.md).
Numbers such as §2.4 and J1 refer to the rules and the rulings in docs/games/ozymandia.md.

Nothing here does I/O, reads a clock, or changes its arguments.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, TypedDict

from pbem import Sentence
from pbem.games.base import GameError, Result, Ruling, Seat
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.state import NAMES, SEATS, State


class Both(TypedDict):
    """The numbers of pieces of both sides."""

    red: int
    blue: int


class Missed(TypedDict):
    """A turn missed by a seat that could have given orders but sent nothing (J7)."""

    type: Literal["missed"]
    seat: Seat


class NewPiece(TypedDict):
    """A new piece, earned by `city` and placed in `area` (§2.2)."""

    type: Literal["new"]
    seat: Seat
    city: str
    area: str


# The functional form allows keys that are Python keywords.
March = TypedDict("March", {"type": Literal["move"], "seat": Seat, "from": str, "to": str, "count": int})
"""Pieces that set out from one area for another (§2.3); later events tell whether they arrive."""


class Origins(TypedDict):
    """The origins of two crossing forces."""

    red: str
    blue: str


Crossing = TypedDict("Crossing", {"type": Literal["crossing"], "from": Origins, "forces": Both, "left": Both})
"""A fight on the way between two areas (§2.4). `forces` are the pieces that set out from the areas in `from`; `left`
are the pieces that go on to the other area."""


class Battle(TypedDict):
    """A fight in an area (§2.5). `occupant` is the side that had pieces there at the end of the previous turn, if any
    (J1)."""

    type: Literal["battle"]
    area: str
    occupant: Seat | None
    forces: Both
    left: Both


class Bombardment(TypedDict):
    """A bombardment of `area` by `seat` (§2.7), with the pieces there before and after it. `left` is the number of
    bombardments that the seat has left."""

    type: Literal["bombardment"]
    seat: Seat
    area: str
    before: Both
    after: Both
    left: int


class Victory(TypedDict):
    """The victory of a seat that holds at least five cities when the next turn starts (§2.1)."""

    type: Literal["victory"]
    seat: Seat
    cities: list[str]


class Draw(TypedDict):
    """The end of a game without a winner (J8, J10)."""

    type: Literal["draw"]
    reason: Literal["no pieces", "turn limit"]


Ending = Victory | Draw
TurnEvent = Missed | NewPiece | March | Crossing | Battle | Bombardment | Ending


RULES_VERSION = "1"  # a published ruling never changes; a different ruling gets a new version number
CITIES_TO_WIN = 5  # §2.1

_MISSED = Orders()  # J7: no move, no bombardment, new pieces in their cities
_Standing = dict[str, int]  # one side's pieces by area; may contain zeros during a turn
_March = dict[tuple[str, str], int]  # one side's moving pieces, keyed by origin and target, in board order


def resolve(state: State, orders: Mapping[Seat, Orders]) -> Ruling[State]:
    """Play one turn of a game that is not over. A seat that is absent from `orders` has missed the turn (J7).

    The orders must be legal in `state`, which the order reader ensures. Events follow the steps of a turn. Within a
    step, they are in board order, with red before blue, whatever the order in `orders`. Raises GameError for a move or
    a bombardment that cannot be carried out.
    """
    board = state.board
    events: list[TurnEvent] = []
    for seat in SEATS:
        if seat not in orders and _has_a_say(state, seat):
            events.append({"type": "missed", "seat": seat})
    red_orders, blue_orders = orders.get("red", _MISSED), orders.get("blue", _MISSED)
    red = _place_new_pieces(state, "red", red_orders.new, events)
    blue = _place_new_pieces(state, "blue", blue_orders.new, events)
    red_march = _lift(board, "red", red_orders.moves, red, events)
    blue_march = _lift(board, "blue", blue_orders.moves, blue, events)
    _meet_on_the_way(red_march, blue_march, events)
    _drop(red_march, red)
    _drop(blue_march, blue)
    _meet_in_areas(state, red, blue, events)
    bombs = dict(state.bombs)
    for seat, area in (("red", red_orders.bomb), ("blue", blue_orders.bomb)):
        if area:
            bombs[seat] = _bombard(state, seat, area, (red, blue), events)
    pieces = {
        "red": {area: count for area, count in red.items() if count},
        "blue": {area: count for area, count in blue.items() if count},
    }
    after = State(board, state.turn + 1, pieces, bombs, state.turn_limit)
    if end := ending(after):
        events.append(end)
    return Ruling(after, tuple(events))


@lru_cache(maxsize=4)  # called again and again for the same state
def awaiting(state: State) -> frozenset[Seat]:
    """Return the sides that must send orders before the turn can be played. A side with neither pieces nor
    bombardments need not send any (J9)."""
    if ending(state):
        return frozenset()
    return frozenset(seat for seat in SEATS if _has_a_say(state, seat))


def result(state: State) -> Result | None:
    """Return the result of the game, or None if the game is not over."""
    end = ending(state)
    if end is None:
        return None
    if end["type"] == "victory":
        names = ", ".join(state.board.areas[city].name for city in end["cities"])
        values = {"side": NAMES[end["seat"]], "number": len(end["cities"]), "cities": names}
        return Result(end["seat"], Sentence("{side} holds {number} cities ({cities}).", **values))
    if end["reason"] == "no pieces":
        return Result(None, Sentence("Neither side has a piece left."))
    limit = state.turn_limit
    return Result(None, Sentence("Nobody has won by the end of turn {limit}, the limit of this game.", limit=limit))


def ending(state: State) -> Ending | None:
    """Return the event that ends a game in this position, or None if the game goes on. Five cities (§2.1) are checked
    first, then J8, then J10."""
    for seat in SEATS:
        if len(state.pieces[seat]) < CITIES_TO_WIN:
            continue  # the usual case
        cities = state.held_cities(seat)
        if len(cities) >= CITIES_TO_WIN:
            return {"type": "victory", "seat": seat, "cities": cities}
    if not (state.pieces["red"] or state.pieces["blue"]):
        return {"type": "draw", "reason": "no pieces"}
    if state.turn_limit is not None and state.turn > state.turn_limit:
        return {"type": "draw", "reason": "turn limit"}
    return None


def fight(red: int, blue: int) -> tuple[int, int]:
    """Return the numbers of red and blue pieces that remain after a fight between two forces (§2.6). If the forces are
    equal, no pieces remain."""
    if red > blue:
        return min(red, 2 * (red - blue)), 0
    return 0, min(blue, 2 * (blue - red))


def _has_a_say(state: State, seat: Seat) -> bool:
    return bool(state.pieces[seat] or state.bombs[seat])


def _place_new_pieces(state: State, seat: Seat, areas: Sequence[str], events: list[TurnEvent]) -> _Standing:
    """Place a side's new pieces, one for each city that it occupies: in the city, or in its province if `areas`
    contains the province (§2.2, J2). Return all pieces of the side by area."""
    standing = dict(state.pieces[seat])
    for city, area in state.placements(seat, areas):
        standing[area] = standing.get(area, 0) + 1
        events.append({"type": "new", "seat": seat, "city": city, "area": area})
    return standing


def _lift(board: Board, seat: Seat, moves: Sequence[Move], standing: _Standing, events: list[TurnEvent]) -> _March:
    """Remove all moving pieces from the areas that they leave, before any of them arrive (§2.3). Return the moving
    pieces."""
    march: _March = {}
    if len(moves) > 1:
        moves = sorted(moves, key=lambda move: (board.order[move.origin], board.order[move.target]))
    for count, origin, target in moves:
        there = standing.get(origin, 0)
        if not 0 < count <= there or target not in board.adjacent[origin]:
            raise GameError(f"{seat.capitalize()} cannot move {count} {origin} to {target}: {there} stand there.")
        standing[origin] = there - count
        march[origin, target] = march.get((origin, target), 0) + count
        events.append({"type": "move", "seat": seat, "from": origin, "to": target, "count": count})
    return march


def _meet_on_the_way(red: _March, blue: _March, events: list[TurnEvent]) -> None:
    """Let pieces that would pass each other fight, separately for each pair of areas (§2.4, J4). Both marches are
    updated."""
    for (a, b), count in red.items():
        if (b, a) not in blue:
            continue
        forces: Both = {"red": count, "blue": blue[b, a]}
        red[a, b], blue[b, a] = fight(forces["red"], forces["blue"])
        survivors: Both = {"red": red[a, b], "blue": blue[b, a]}
        events.append({"type": "crossing", "from": {"red": a, "blue": b}, "forces": forces, "left": survivors})


def _drop(march: _March, standing: _Standing) -> None:
    """Add the remaining pieces of a march to `standing`, in their target areas."""
    for (_, target), count in march.items():
        standing[target] = standing.get(target, 0) + count


def _meet_in_areas(state: State, red: _Standing, blue: _Standing, events: list[TurnEvent]) -> None:
    """Let the pieces in every contested area fight. A side's pieces that stayed and those that arrived form one force
    (§2.5, J5)."""
    contested = [area for area in red if red[area] and blue.get(area)]
    for area in sorted(contested, key=state.board.order.__getitem__):
        forces: Both = {"red": red[area], "blue": blue[area]}
        red[area], blue[area] = fight(forces["red"], forces["blue"])
        occupant = _occupant(state, area)
        if forces["red"] == forces["blue"] and occupant:
            (red if occupant == "red" else blue)[area] = 1
        survivors: Both = {"red": red[area], "blue": blue[area]}
        events.append({"type": "battle", "area": area, "occupant": occupant, "forces": forces, "left": survivors})


def _occupant(state: State, area: str) -> Seat | None:
    """Return the side that had pieces in an area at the end of the previous turn (J1)."""
    for seat in SEATS:
        if area in state.pieces[seat]:
            return seat
    return None


def _bombard(
    state: State, seat: Seat, area: str, standing: tuple[_Standing, _Standing], events: list[TurnEvent]
) -> int:
    """Bombard an area, whichever side has pieces there (§2.7). A second bombardment hits the pieces that the first left
    (J3).

    Returns the number of bombardments that the side has left.
    """
    bombs = state.bombs[seat] - 1
    if bombs < 0:
        raise GameError(f"{seat.capitalize()} cannot bombard {area}: no bombardments are left.")
    red, blue = standing
    before: Both = {"red": red.get(area, 0), "blue": blue.get(area, 0)}
    if state.board.areas[area].kind == "city":
        red[area] = blue[area] = 0
    else:
        red[area], blue[area] = (before["red"] + 1) // 2, (before["blue"] + 1) // 2
    after: Both = {"red": red[area], "blue": blue[area]}
    events.append({"type": "bombardment", "seat": seat, "area": area, "before": before, "after": after, "left": bombs})
    return bombs
