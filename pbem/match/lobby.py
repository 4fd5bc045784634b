"""What there is to play and to watch at a desk, and what somebody plays there. Values only."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pbem.games.base import AnyGame, Seat


class Waiting(NamedTuple):
    """Somebody who waits for the next match of a game, by its title; since when, and whether that is the reader."""

    game: str
    name: str
    since: datetime
    mine: bool


class Watched(NamedTuple):
    """A match that is played: its name and game, who plays it, and the name of its round."""

    match: str
    game: str
    players: str
    round: str


class Lobby(NamedTuple):
    """Who waits, by game and longest first; the leagues that take people in; the newest matches that are played."""

    waiting: tuple[Waiting, ...] = ()
    leagues: tuple[str, ...] = ()
    running: tuple[Watched, ...] = ()


@dataclass(frozen=True, slots=True)
class Seated:
    """A line of a player's `status`: one of his seats, and who he plays against."""

    match: str
    game: AnyGame
    seat: Seat
    opponents: str
    round: str
    orders: str | None
    awaited: bool
    deadline: datetime | None
    ended: str | None
    phase: str = "running"
    accepted: bool = True
    drawing: bool = False  # it waits for a round of the beacon
