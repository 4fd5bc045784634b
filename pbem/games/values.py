"""The values exchanged between games and the service: seats, events, sentences, pictures, and the outcome of orders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from pbem import PbemError, Sentence

State = TypeVar("State")
"""A position: a plain value that only the game looks into."""
Orders = TypeVar("Orders")
"""A seat's orders for a turn. Their canonical form, `str(orders)`, can be read back by the order reader."""

Seat = str
"""The name of a seat, such as "red" or "west2"; seats are always listed in the order of `Game.seats`."""

Reader = Seat | None
"""The reader of a view: a seat, None for the public, or `OPEN`."""

OPEN: Seat = "*"
"""A reader from whom nothing is hidden any more: a match that has ended is open to all."""

Side = str
"""Seats that win and lose together; if a seat is alone on its side, both have the same name."""


class Sign(NamedTuple):
    """The marks by which a seat is recognized at a glance: a colour such as `#a33600` for light backgrounds and one for
    dark ones, each with a contrast of at least 4.5; and whether its mark on archive pages is round, which works without
    colours, too."""

    light: str
    dark: str
    round: bool = False


class Chair(NamedTuple):
    """A seat of a match, and the side that it belongs to."""

    seat: Seat
    side: Side


Event = Mapping[str, Any]
"""One thing that happened in a turn, as plain data that can be stored as JSON; `type` says what it is. An event with
`seen`, a list of seats, is only for those seats while anything is hidden. docs/games/ lists all events."""


class Phrases(NamedTuple):
    """Phrases for letters that each game words in its own way."""

    board: "Sentence"  # the place of play, as the subject of a sentence: "the board"
    missed: "Sentence"  # in place of the orders of a seat that gave none: "no orders came: no move"
    unasked: "Sentence"  # in a report, for a seat that was not awaited and gave no orders
    idle: "Sentence"  # to a player who sent orders although nothing is left for them to order
    forecast: "Sentence"  # above the picture of `forecast`: the assumption that it makes


class GameError(PbemError):
    """Something that a game cannot accept: an unknown board, an impossible position, options that make no sense."""

    @property
    def problems(self) -> tuple[str, ...]:
        """Everything that is wrong, one sentence each."""
        return tuple(str(self).splitlines())


class Span(NamedTuple):
    """A part of a line of a picture: its text, and a style such as "red", "changed red" or ""."""

    text: str
    style: str = ""


Picture = tuple[tuple[Span, ...], ...]
"""Lines of spans. The joined texts are the plain picture; the styles add colours where these are available."""


class Paragraph(NamedTuple):
    """One step in the story of a turn: a heading, "" to continue the step before; what happened; and the dice, one roll
    per line."""

    heading: str
    text: str
    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: the winning side, or None for a draw; and the reason, in one sentence.

    `forfeit` means that the game was not decided on the board, but because a side refused to play on; if there is no
    winner, all sides refused. `ranking` lists the seats by place, best first and equal ones together, if that says more
    than who won.
    """

    winner: Seat | None
    reason: str
    forfeit: bool = False
    ranking: tuple[tuple[Seat, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Departure(Generic[State]):
    """The consequences when a seat stops playing: the state in which the others go on, or the result if this ends
    the game."""

    state: State
    result: Result | None


MAX_ITEMS = 200
"""The maximum number of orders in a list, far above what any turn needs."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in an order list: its place, as offsets into the text that was read, and a sentence that says what
    would be right and makes sense by itself."""

    start: int
    end: int
    sentence: Sentence


class Unread(NamedTuple):
    """Words where the grammar expects an item but could not read one; `start_pos` is an offset.

    If there are no words, an item begins there with nothing to separate it from the one before. `stop` is the offset at
    which the grammar failed: one of the terminals `expected` would fit there.
    """

    value: str
    start_pos: int
    stop: int | None = None
    expected: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Interpretation(Generic[Orders]):
    """The outcome of reading items: legal orders; or mistakes, in the order of the text, and a correction if there is
    one.

    `standing` holds the standing orders among them, each in canonical form; by themselves they do not make up a turn.
    """

    orders: Orders | None
    mistakes: tuple[Mistake, ...]
    proposal: Orders | None = None
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling(Generic[State]):
    """The outcome of a turn: the state after it, and everything that happened, in order."""

    state: State
    events: tuple[Event, ...]


Terminals = tuple[tuple[str, str], ...]
"""Regular expressions by the <names> that they replace in a grammar."""
