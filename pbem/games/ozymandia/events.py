"""What can happen in a turn, as plain data: JSON as it stands. docs/games/ozymandia-events.md lists it."""

from typing import Literal, TypedDict

from pbem.games.base import Seat


class Both(TypedDict):
    """Numbers of pieces of both sides."""

    red: int
    blue: int


class Missed(TypedDict):
    """A seat that had a say in the turn and sent nothing (J7)."""

    type: Literal["missed"]
    seat: Seat


class NewPiece(TypedDict):
    """A new piece, earned by `city` and placed in `area` (§2.2)."""

    type: Literal["new"]
    seat: Seat
    city: str
    area: str


# The functional form where a key is a word of Python's.
March = TypedDict("March", {"type": Literal["move"], "seat": Seat, "from": str, "to": str, "count": int})
"""Pieces that set out from one area to another (§2.3); whether they arrive, later events tell."""


class Origins(TypedDict):
    """Where each of two crossing forces came from."""

    red: str
    blue: str


Crossing = TypedDict("Crossing", {"type": Literal["crossing"], "from": Origins, "forces": Both, "left": Both})
"""A meeting on the way between two areas (§2.4): what set out from each, and what goes on to the other."""


class Battle(TypedDict):
    """A meeting in an area (§2.5); `occupant` held it when the previous turn ended (J1)."""

    type: Literal["battle"]
    area: str
    occupant: Seat | None
    forces: Both
    left: Both


class Bombardment(TypedDict):
    """A bombardment of `area` by `seat`, which has `left` more of them (§2.7)."""

    type: Literal["bombardment"]
    seat: Seat
    area: str
    before: Both
    after: Both
    left: int


class Victory(TypedDict):
    """A seat holds five cities when the next turn starts (§2.1)."""

    type: Literal["victory"]
    seat: Seat
    cities: list[str]


class Draw(TypedDict):
    """Nobody has won and nobody will (J8, J10)."""

    type: Literal["draw"]
    reason: Literal["no pieces", "turn limit"]


Ending = Victory | Draw
TurnEvent = Missed | NewPiece | March | Crossing | Battle | Bombardment | Ending
