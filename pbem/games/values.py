"""The values that games and the service give each other: seats, events, sentences, pictures, what orders come to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from pbem import PbemError, Sentence

State = TypeVar("State")
"""A position: plain values that only the game looks into."""
Orders = TypeVar("Orders")
"""What a seat orders for a turn; `str(orders)` is the canonical form that the order reader reads back."""

Seat = str
"""The name of a seat, such as "red" or "west2"; seats are always listed in the order of `Game.seats`."""

Reader = Seat | None
"""Who looks: a seat, None for everybody, or `OPEN`."""

OPEN: Seat = "*"
"""Whoever looks when nothing is hidden any more: a match that has ended is open to all."""

Side = str
"""Seats that win and lose together; the name of a seat that is alone is that of its side, too."""


class Sign(NamedTuple):
    """What a seat is known by at a glance: a colour such as `#a33600` on light ground and one on dark, with a contrast
    of 4.5 at least; and whether its mark on the pages of the archive is round, which shows without colours, too.
    """

    light: str
    dark: str
    round: bool = False


class Chair(NamedTuple):
    """A seat of a match to be: what it is called, and on whose side it is."""

    seat: Seat
    side: Side


Event = Mapping[str, Any]
"""One thing that happened in a turn, as plain data: JSON in and out, `type` says which. One with `seen`, a list of
seats, is for these alone while anything is hidden. docs/games/ lists them."""


class Phrases(NamedTuple):
    """What letters say of a game in its own words, where each game has its own."""

    board: "Sentence"  # where it is played, as the subject of a sentence: "the board"
    missed: "Sentence"  # a turn's orders, of a seat that gave none: "no orders came: no move"
    unasked: "Sentence"  # in a report, of a seat that was not waited for and gave no orders
    idle: "Sentence"  # to somebody who has nothing left to order, and yet sent orders
    forecast: "Sentence"  # above the picture that `forecast` gives: what has to happen that it comes to be so


class GameError(PbemError):
    """What a game cannot accept: an unknown board, an impossible position, options that make no sense."""

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is wrong, a sentence each."""
        return tuple(str(self).splitlines())


class Span(NamedTuple):
    """A piece of a line of a picture: its text, and a style such as "red", "changed red" or ""."""

    text: str
    style: str = ""


Picture = tuple[tuple[Span, ...], ...]
"""Lines of spans. The texts joined are the plain picture; the styles colour it where colours can be had."""


class Paragraph(NamedTuple):
    """One step of a turn's story: a heading, "" if it goes on; what happened there; the dice of it, a line each."""

    heading: str
    text: str
    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the winning seat, or None for a draw; and why, in one sentence.

    `winner` is a side. `forfeit`: not on the board, but because a side would not play on; without one no side would.
    `ranking` has the seats by places, best first and equal ones together, where that tells more than who has won.
    """

    winner: Seat | None
    reason: str
    forfeit: bool = False
    ranking: tuple[tuple[Seat, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Departure(Generic[State]):
    """What follows when a seat plays on no longer: the state in which the others do, or how the game ends by it."""

    state: State
    result: Result | None


MAX_ITEMS = 200
"""Far more orders than any turn needs."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong with an order list: where in the text, as offsets into what was read, and a sentence that says
    what would be right and stands on its own."""

    start: int
    end: int
    sentence: Sentence


class Unread(NamedTuple):
    """Words that stand where the grammar has an item and could not read one; `start_pos` is an offset.

    Without any words: an item begins there, with nothing that separates it from the one before. Where the grammar has
    gone wrong is `stop`, an offset, too: there one of the terminals `expected` would fit.
    """

    value: str
    start_pos: int
    stop: int | None = None
    expected: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Interpretation(Generic[Orders]):
    """What items come to: legal orders, or mistakes in the order of the text and, if there is one, a correction.

    `standing` are standing orders among them, each in canonical form, which without others are no turn."""

    orders: Orders | None
    mistakes: tuple[Mistake, ...]
    proposal: Orders | None = None
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling(Generic[State]):
    """What a turn comes to: the state after it and all that happened, in the order it happened."""

    state: State
    events: tuple[Event, ...]


Terminals = tuple[tuple[str, str], ...]
"""Regular expressions by the <names> that they stand for in a grammar."""
