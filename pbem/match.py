"""What the service core is given and what it gives back: matches and cases in, effects out. Values only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pbem.accounts import Holder, Player, Writer
from pbem.games.base import Game, Result, Ruling, Seat


@dataclass(frozen=True, slots=True)
class Entry:
    """Orders that stand for a turn: the number of their receipt, the letter they came in, and their two forms."""

    number: int
    letter: int
    written: str
    canonical: str


@dataclass(frozen=True, slots=True)
class Match:
    """One game being played: the rows that a letter about it touches.

    `numbers` are the receipts given so far this turn; `proposals` are corrections that a `yes` sends, by the
    number of the letter whose answer holds them, oldest first; `held` are letters from other addresses that wait for
    the seat's own word; `stuck` seats have a letter that was set aside or is held, and so have not missed the turn.
    """

    id: int
    name: str
    game: Game
    state: Any
    turn: int
    holders: Mapping[Seat, Holder]
    every: timedelta | None = None
    deadline: datetime | None = None
    standing: Mapping[Seat, Entry] = field(default_factory=dict)
    numbers: Mapping[Seat, int] = field(default_factory=dict)
    proposals: Mapping[Seat, Mapping[int, str]] = field(default_factory=dict)
    held: Mapping[Seat, tuple[int, ...]] = field(default_factory=dict)
    stuck: frozenset[Seat] = frozenset()
    result: Result | None = None

    def missing(self, standing: Mapping[Seat, Entry] | None = None) -> list[Seat]:
        """The seats that must still write, in the game's order."""
        have = self.standing if standing is None else standing
        awaited = frozenset() if self.result else self.game.awaiting(self.state)
        return [seat for seat in self.game.seats if seat in awaited and seat not in have]

    def others(self, seat: Seat) -> list[Holder]:
        """Everybody else at the board."""
        return [self.holders[other] for other in self.game.seats if other != seat]


@dataclass(frozen=True, slots=True)
class Seated:
    """A line of a player's `status`: one of his seats, and who he plays against."""

    match: str
    title: str
    seat: Seat
    opponents: str
    turn: int
    orders: str | None
    awaited: bool
    deadline: datetime | None
    ended: str | None


@dataclass(frozen=True, slots=True)
class Case:
    """A letter and all it touches: who wrote, in which match, the writer's own words, and his other games.

    `letter` is its number in the store; `answered` the number of the letter whose answer it replies to,
    0 if it replies to another letter of ours, None if that cannot be seen.
    `address` is the one it came from, `vouched` that the provider says so, `trusting` that the desk needs no such
    word. `returned`: it is a delivery report that a letter of ours to the seat of the token could not be delivered.
    """

    letter: int
    writer: Writer
    match: Match | None
    text: str
    problems: tuple[str, ...] = ()
    automatic: str | None = None
    message_id: str | None = None
    answered: int | None = None
    address: str = ""
    vouched: bool = False
    trusting: bool = False
    returned: bool = False
    games: tuple[Seated, ...] = ()


# Effects: what is to be done. The store applies all effects of one letter or none.


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a letter, in a few words, for the record."""

    text: str


@dataclass(frozen=True, slots=True)
class TakeOrders:
    """Legal orders that replace the seat's earlier ones as a whole; `waiting` seats must still write."""

    match: Match
    seat: Seat
    entry: Entry
    waiting: int


@dataclass(frozen=True, slots=True)
class WithdrawOrders:
    """The seat's standing orders are taken back."""

    match: Match
    seat: Seat
    waiting: int


@dataclass(frozen=True, slots=True)
class Propose:
    """A corrected order list that the seat may send with a plain `yes`."""

    match: Match
    seat: Seat
    letter: int
    written: str
    canonical: str


@dataclass(frozen=True, slots=True)
class Hold:
    """A letter of a seat from an address that is not the seat's waits for the word of the seat's own."""

    letter: int
    address: str


@dataclass(frozen=True, slots=True)
class Release:
    """The seat's own said `yes` to a held letter: its address is his, and it is handled as if it came now."""

    letter: int
    player: Player


@dataclass(frozen=True, slots=True)
class MarkFailing:
    """Letters to a seat come back, or come back no longer."""

    match: Match
    seat: Seat
    failing: bool


@dataclass(frozen=True, slots=True)
class Play:
    """A turn is played: `orders` by seat, None where a turn was missed; `deadline` and `waiting` of the next one."""

    match: Match
    orders: Mapping[Seat, Entry | None]
    ruling: Ruling
    deadline: datetime | None
    waiting: int
    result: Result | None


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a letter: the name of its template and the values that go in."""

    template: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Send:
    """A letter to one person. `key` is unique for match and seat, so that nothing is ever told twice.

    `turn` is the turn that a reply belongs to; `answers` the id of the letter answered, if any.
    """

    kind: str
    key: str
    player: Player
    sections: tuple[Section, ...]
    holder: Holder | None = None
    match: Match | None = None
    turn: int = 0
    answers: str | None = None


Effect = Outcome | TakeOrders | WithdrawOrders | Propose | Hold | Release | MarkFailing | Play | Send
