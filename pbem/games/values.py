"""The values exchanged between games and the service: seats, events, sentences, pictures, and the outcome of orders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from pbem import PbemError, Sentence

State = TypeVar("State")
"""A position: a plain value that only the code of the game inspects."""
Orders = TypeVar("Orders")
"""A seat's orders for a turn. Their canonical form, `str(orders)`, can be read back by the order reader."""

Seat = str
"""The name of a seat, such as "red" or "west2"; seats are always listed in the order of `Game.seats`."""

Reader = Seat | None
"""The reader of a view: a seat, None for the public, or `OPEN`."""

OPEN: Seat = "*"
"""A reader from whom nothing is hidden. It is used when nothing is secret any more, as in a match that has ended."""

Side = str
"""The name of a side: one or more seats that win and lose together. A side with a single seat has the name of that
seat."""


class Sign(NamedTuple):
    """The marks by which a seat is recognized at a glance: its colour on light backgrounds, such as `#a33600`, and its
    colour on dark backgrounds, each with a contrast of at least 4.5; and whether its mark on archive pages is round, so
    that seats can be told apart without colours."""

    light: str
    dark: str
    round: bool = False


class Chair(NamedTuple):
    """A seat of a match, and the side that it belongs to."""

    seat: Seat
    side: Side


Event = Mapping[str, Any]
"""Something that happened in a turn, as plain data that can be stored as JSON. `type` is the kind of event. If an event
has `seen`, a list of seats, only those seats may know about the event as long as anything is hidden. docs/games/ lists
all events."""


class Phrases(NamedTuple):
    """Phrases for letters that each game words in its own way."""

    board: "Sentence"  # the place of play, as the subject of a sentence: "the board"
    missed: "Sentence"  # in place of the orders of a seat that gave none: "no orders came: no move"
    unasked: "Sentence"  # in a report, for a seat that was not awaited and gave no orders
    idle: "Sentence"  # to a player who sent orders although nothing is left for them to order
    forecast: "Sentence"  # above the picture of `Letters.forecast`: the assumption behind it


class GameError(PbemError):
    """Something that a game cannot accept: an unknown board, an impossible position, options that make no sense."""

    @property
    def problems(self) -> tuple[str, ...]:
        """The problems in the error message, one sentence each."""
        return tuple(str(self).splitlines())


class Span(NamedTuple):
    """A part of a line of a picture: its text, and a style such as "red", "changed red" or ""."""

    text: str
    style: str = ""


Picture = tuple[tuple[Span, ...], ...]
"""Lines of spans. The joined texts are the plain picture; the styles add colours where colours are available."""


class Paragraph(NamedTuple):
    """A paragraph in the story of a turn: its heading, or "" if it continues the paragraph before; its text; and the
    dice, one roll per line."""

    heading: str
    text: str
    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game: the winning side, or None for a draw; and the reason, in one sentence.

    `forfeit` means that the game was not decided on the board, but because a side refused to play on; if there is no
    winner, all sides refused. `ranking` contains a tuple of equal seats for each place, best place first; it is empty
    if naming the winner is enough.
    """

    winner: Seat | None
    reason: str
    forfeit: bool = False
    ranking: tuple[tuple[Seat, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Departure(Generic[State]):
    """The consequences of a seat's departure: the state in which the others go on, and the result if the departure ends
    the game, otherwise None."""

    state: State
    result: Result | None


MAX_ITEMS = 200
"""The maximum number of orders in an order list, far above what any turn needs."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in an order list: its start and end, as offsets into the text that was read, and a sentence that
    explains what would be right and can be understood on its own."""

    start: int
    end: int
    sentence: Sentence


class Unread(NamedTuple):
    """Words that the grammar could not read where it expected an item; `start_pos` is their offset in the text.

    If `value` is empty, an item begins at `start_pos` without a separator from the item before it. `stop` is the offset
    at which the grammar failed; any of the terminals in `expected` would fit there.
    """

    value: str
    start_pos: int
    stop: int | None = None
    expected: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Interpretation(Generic[Orders]):
    """The outcome of interpreting items: legal orders; or mistakes, in the order of the text, and a proposal of
    corrected orders if there is one.

    `standing` contains the standing orders among the items, each in canonical form. Standing orders alone do not make
    up the orders for a turn.
    """

    orders: Orders | None
    mistakes: tuple[Mistake, ...]
    proposal: Orders | None = None
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling(Generic[State]):
    """The outcome of a turn: the state after the turn, and the events of the turn in order."""

    state: State
    events: tuple[Event, ...]


Terminals = tuple[tuple[str, str], ...]
"""Pairs of a <name> in a grammar and the regular expression that replaces it."""
