"""What a person sees of the games of a desk: their own seats, and the people and games that they may join or watch."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from pbem.games.base import AnyGame, Seat


class Waiting(NamedTuple):
    """A person who is waiting for the next match of a game: the title of the game, the person's name, the beginning of
    the wait, and whether this person is the reader."""

    game: str
    name: str
    since: datetime
    mine: bool


class Watched(NamedTuple):
    """A match in progress: its name, its game, its players, and the name of its round."""

    match: str
    game: str
    players: str
    round: str


class Lobby(NamedTuple):
    """The people who are waiting for a game, sorted by game and then by how long they have waited; the leagues that are
    open; and the newest matches in progress."""

    waiting: tuple[Waiting, ...] = ()
    leagues: tuple[str, ...] = ()
    running: tuple[Watched, ...] = ()


class Led(NamedTuple):
    """A league that the reader directs: its name, whether people can enter its season late, the names of those who take
    part or are on standby, the names of those who are playing, and whether it has games in which nobody is told yet who
    plays."""

    name: str
    takes_late: bool = False
    members: tuple[str, ...] = ()
    playing: frozenset[str] = frozenset()
    untold: bool = False


@dataclass(frozen=True, slots=True)
class Seated:
    """A line of the answer to a player's `status`: one of the player's seats, and the opponents."""

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
    drawing: bool = False  # the match is waiting for a round of the beacon
    has_banks: bool = False  # whether the match has banks of time
    clocks: tuple[tuple[str, timedelta], ...] = ()  # what each person has left, by name; "" stands for the player
    stand_in: int = 0  # the level of the computer that plays for the player
    sandbox: bool = False
