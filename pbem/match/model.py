"""What the service core is given: matches and people. Values only."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple, Protocol

from pbem.games.base import OPEN, AnyGame, Event, Reader, Result, Seat, Side
from pbem.games.capabilities import round_name, turn_name, within_turn
from pbem.games.chance import Source, read_source
from pbem.match.identity import Holder, Player
from pbem.match.terms import USUAL, Terms
from pbem.orders.command import Command
from pbem.orders.situation import AnySituation, AnyStandpoint, Situation, Standpoint
from pbem.times.deadlines import Deadline, Pace
from pbem.times.moments import Beacon

Phase = Literal["offered", "running", "paused", "review", "finished", "annulled"]
"""Where a match is in its life; `lifecycle.TRANSITIONS` says how it gets from one to the other.

offered: not all have accepted yet. review: a turn is played, and the game master looks at its report first.
"""

Wish = Literal["wait", "go", "draw", "pause", "resume", "rematch", "resign"]
"""What a seat would like, until it is taken back or, mostly, the turn is played; what all seats wish is done."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Orders that stand for a turn."""

    number: int  # of their receipt
    letter: int | None  # in which they came, None if the game master has entered them
    written: str
    canonical: str
    nonce: str = ""  # hides them in their seal; imported orders, and standing ones alone, have neither
    joined: str = ""  # what the turn was played from where standing orders came to them

    @property
    def came(self) -> bool:
        """Whether the seat wrote for this turn; else these are standing orders alone."""
        return bool(self.canonical)

    @property
    def played(self) -> str:
        """The orders that the turn was played from: with the standing orders that joined them, if some did."""
        return self.joined or self.canonical


class LaterOrders(NamedTuple):
    """Orders for a later turn as they were written, in which letter, and the nonce of their seal."""

    turn: int
    letter: int
    written: str
    nonce: str


class OpenCommand(NamedTuple):
    """A command that is done when a `yes` answers our answer to its `letter`; of a `match`, or of its writer alone."""

    letter: int
    command: Command
    match: bool


class Master(NamedTuple):
    """A game master of a match, and the decisions that are his: all of them if none is named."""

    name: str
    address: str
    rights: tuple[str, ...] = ()


class Turn(NamedTuple):
    """A turn that was played."""

    turn: int
    before: Any  # the states before
    orders: Mapping[Seat, "Entry | None"]  # None: missed
    after: Any  # and after it
    events: tuple[Event, ...]
    secret: str = ""  # what its dice came from, in hexadecimal digits; "" where nothing asked for chance


class Former(NamedTuple):
    """What a match was before it was annulled, or the end that was taken back from it."""

    phase: Phase
    result: Result | None = None


class Place(NamedTuple):
    """Where a match counts in its league."""

    season: int
    round: int
    over: bool  # the next season has begun
    later: bool  # a later round of its division has
    has: bool  # the round still has it, and no other game in its place


class Past(Protocol):
    """A match before its current turn. A desk reads each part from its store when somebody asks for it."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that count, oldest first."""

    @property
    def last(self) -> Turn | None:
        """The newest of the turns; costs less than all of them."""

    @property
    def undone(self) -> frozenset[int]:
        """The numbers of the turns that were undone, whether they were played again or not."""

    @property
    def claims(self) -> Mapping[int, Seat]:
        """The claims that nobody has decided: whose each is, by its number."""

    @property
    def place(self) -> Place | None:
        """Where the match counts in its league; None if it is in no round of a league."""


@dataclass(frozen=True, slots=True)
class KnownPast:
    """A past of given values."""

    turns: tuple[Turn, ...] = ()
    undone: frozenset[int] = frozenset()
    claims: Mapping[int, Seat] = field(default_factory=dict)
    place: Place | None = None

    @property
    def last(self) -> Turn | None:
        """The newest of the turns."""
        return self.turns[-1] if self.turns else None


@dataclass(frozen=True, slots=True)
class ChangedPast:
    """A past after a change that is not in the store yet. It asks the past before only for what it is asked itself."""

    before: Past
    until: int | None = None  # the first turn that does not count any more
    added: tuple[Turn, ...] = ()
    decided: int | None = None  # the number of a claim

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that count now, oldest first."""
        kept = (turn for turn in self.before.turns if self.until is None or turn.turn < self.until)
        return (*kept, *self.added)

    @property
    def last(self) -> Turn | None:
        """The newest of the turns."""
        if self.added:
            return self.added[-1]
        return self.before.last if self.until is None else KnownPast(self.turns).last

    @property
    def undone(self) -> frozenset[int]:
        """The numbers of the turns that were undone before the change."""
        return self.before.undone

    @property
    def claims(self) -> Mapping[int, Seat]:
        """The claims that nobody has decided yet."""
        return {number: seat for number, seat in self.before.claims.items() if number != self.decided}

    @property
    def place(self) -> Place | None:
        """Where the match counts in its league."""
        return self.before.place


NO_PAST = KnownPast()


@dataclass(frozen=True, slots=True)
class Match:
    """One game being played: the rows that a letter about it touches."""

    id: int
    name: str
    game: AnyGame
    state: Any
    turn: int
    holders: Mapping[Seat, Holder]
    phase: Phase = "running"
    terms: Terms = USUAL
    deadline: Deadline | None = None  # as the players are told
    began: datetime | None = None  # when the deadline was set
    due: datetime | None = None  # the next moment at which the clock means something to the match
    since: datetime | None = None  # when it was made
    cooling: datetime | None = None  # a turn that is complete waits so long: for second thoughts, or for the beacon
    wishes: Mapping[Wish, frozenset[Seat]] = field(default_factory=dict)  # at this turn
    extended: int = 0  # how often this turn's deadline was moved because somebody missed it
    missed: Mapping[Seat, int] = field(default_factory=dict)  # turns in a row, this one aside
    league: str = ""
    masters: tuple[Master, ...] = ()  # who decides on it
    observers: tuple[Player, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    accepted: frozenset[Seat] = frozenset()
    muted: frozenset[Seat] = frozenset()
    open_commands: Mapping[Seat, tuple[OpenCommand, ...]] = field(default_factory=dict)  # until the seat says `yes`
    standing: Mapping[Seat, Entry] = field(default_factory=dict)  # the orders of this turn
    numbers: Mapping[Seat, int] = field(default_factory=dict)  # of the receipts given so far this turn
    # Corrections that a `yes` sends, by the letter whose answer holds them, oldest first.
    proposals: Mapping[Seat, Mapping[int, tuple[str, ...]]] = field(default_factory=dict)
    # Letters from other addresses that wait for the seat's own word, and how many of a seat's letters we failed on:
    # such a seat has not missed the turn.
    held: Mapping[Seat, Mapping[int, str]] = field(default_factory=dict)
    quarantined: Mapping[Seat, int] = field(default_factory=dict)
    unfetched: bool = False  # the mailbox holds a letter back, which may hold orders of anybody
    gone: Mapping[Seat, int] = field(default_factory=dict)  # who plays on no longer, and from which turn
    standing_orders: Mapping[Seat, str] = field(default_factory=dict)  # in canonical form, for every turn
    later: Mapping[Seat, tuple[LaterOrders, ...]] = field(default_factory=dict)
    result: Result | None = None
    words: Mapping[Seat, str] = field(default_factory=dict)  # the SHA-256 of what a seat has brought to chance last
    # What the chance of this turn and of the match comes from, as `games.chance.Source` writes it, closed until turn or
    # match is over.
    secret: str = field(default="", repr=False)
    deck: str = field(default="", repr=False)
    beacon: Beacon | None = None  # where a round of it may be named now
    pulse: str = ""  # the value of the round that was named, if it has come
    former: Former | None = None  # what it was before it was annulled or reopened, until a turn is played
    past: Past = field(default=NO_PAST, compare=False, repr=False)

    def plays(self, address: str) -> bool:
        """Whether an address belongs to somebody who has a seat."""
        return any(address.lower() in holder.addresses for holder in self.holders.values())

    @property
    def chance(self) -> str:
        """Which of the kinds of chance it is played with; "" for a game without chance."""
        return read_source(self.deck).kind if self.deck else ""

    @property
    def takes_words(self) -> bool:
        """Whether chance comes from what its seats bring, too."""
        return self.chance in ("words", "beacon")

    @property
    def drawing(self) -> Source | None:
        """What waits for a round of the beacon: what the chance of the turn comes from, whose orders are closed, or of
        a match that all have accepted that of the set-up."""
        source = self.deck if self.phase == "offered" else self.secret if self.phase == "running" else ""
        return read_source(source) if ":+" in source else None

    @property
    def round(self) -> str:
        """What the turn is called."""
        return round_name(self.game, self.state, self.turn)

    def named(self, turn: int) -> str:
        """What a turn of the game is called, one to come as well."""
        return turn_name(self.game, self.state, turn)

    @property
    def pace(self) -> Pace:
        """How long this turn takes: rounds within a turn of the game may have less time."""
        within = within_turn(self.game, self.state)
        return (within and self.terms.round_deadline) or self.terms.deadline

    @property
    def lapses(self) -> datetime | None:
        """Until when its invitations can be accepted."""
        return self.due and self.since and max(self.due, self.since + self.terms.accept)

    @property
    def judges(self) -> tuple[Master, ...]:
        """The game masters who decide on it: whoever plays in a match is no master of it."""
        return tuple(master for master in self.masters if not self.plays(master.address))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Its seats, in the game's order."""
        return tuple(self.holders)

    def reader(self, seat: Seat | None) -> Reader:
        """As whom a seat, or with None everybody, reads of the match: when it has ended nothing is hidden any more."""
        return seat if self.game.hides and not self.over else OPEN

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that count, oldest first: asked for only now, all of them."""
        return self.past.turns

    @property
    def accepted_by_all(self) -> bool:
        """Whether all have accepted; a game that did not begin may be annulled or awarded."""
        return self.accepted.issuperset(self.seats)

    @property
    def is_set_up(self) -> bool:
        """Whether all have accepted, and what chance decides before the first turn is known."""
        return self.phase != "offered"

    def view(self, seat: Seat | None) -> Any:
        """What a seat, or with None everybody, sees of its state."""
        return self.game.view(self.state, self.reader(seat))

    @property
    def over(self) -> bool:
        """Whether it has ended, or was annulled: then nothing is hidden any more."""
        return self.phase in ("finished", "annulled")

    def held_by(self, player: Player) -> tuple[Seat, ...]:
        """The seats of somebody."""
        return tuple(seat for seat, holder in self.holders.items() if holder.player.id == player.id)

    def playing(self) -> tuple[Seat, ...]:
        """The seats that have not given up."""
        return tuple(seat for seat in self.seats if seat not in self.gone)

    def reading(self) -> tuple[Seat, ...]:
        """The seats that get letters of what happens: whoever has given up is told how it ends, and nothing before."""
        return self.seats if self.over else self.playing()

    def winners(self) -> tuple[Seat, ...]:
        """The seats of the side that has won."""
        won = self.result and self.result.winner
        return tuple(chair.seat for chair in self.game.seats(self.options) if chair.side == won)

    def sides(self, seats: Collection[Seat]) -> frozenset[Side]:
        """The sides that some seats are on."""
        return frozenset(chair.side for chair in self.game.seats(self.options) if chair.seat in seats)

    def can_play(self) -> bool:
        """Whether the turn can be played by the next run; one that waits for nobody always can."""
        if self.phase != "running" or self.drawing or self.missing():
            return False
        return not self.game.awaiting(self.state) or (self.plays_early() and not self.cooling)

    def plays_early(self) -> bool:
        """Whether the turn is played as soon as all orders are in: nobody waits for the deadline, or is asked about
        orders that stand; or the grace runs."""
        over = self.deadline is not None and self.due is not None and self.due > self.deadline.moment
        is_asked_about = any(map(self.is_provisional, self.standing))
        return over or (self.terms.early and not self.wishes.get("wait") and not is_asked_about)

    def is_provisional(self, seat: Seat) -> bool:
        """Whether the orders of a seat stand while we ask about a line beside them: its answer is open."""
        entry = self.standing.get(seat)
        return entry is not None and entry.letter in self.proposals.get(seat, {})

    def all_wish(self, wish: Wish) -> bool:
        """Whether every seat wishes the same; the computer does what people wish, once it was asked about a draw."""
        seats = self.seats if wish == "rematch" else self.playing()
        wishing = (seat for seat in seats if not self.holders[seat].is_computer)
        return self.wishes.get(wish, frozenset()).issuperset(wishing)

    def missing(self) -> list[Seat]:
        """The seats that must still write, in the game's order."""
        awaited = frozenset() if self.result else self.game.awaiting(self.state)
        return [seat for seat in self.seats if seat in awaited and seat not in self.standing]

    def attendance(self) -> dict[Seat, bool]:
        """Whether each seat has written, of those that had to for this turn; one without orders that has a letter with
        us has neither written nor missed the turn, and is left out."""
        awaited = self.game.awaiting(self.state) - (self.unread() - self.standing.keys())
        came = {seat for seat, entry in self.standing.items() if entry.came}
        return {seat: seat in came for seat in self.seats if seat in awaited}

    def unread(self) -> frozenset[Seat]:
        """The seats of which we have a letter that may hold orders: we failed on it, or it waits for their word."""
        return frozenset((*self.quarantined, *self.held))

    @property
    def situation(self) -> AnySituation:
        """The game in its present state, against which text about it is read."""
        return Situation(self.game, self.state)

    def standpoint(self, seat: Seat) -> AnyStandpoint:
        """The same as `situation`, for one of its seats."""
        return Standpoint(self.game, self.state, seat)

    def as_told(self) -> "Match":
        """The match as its players know it: while a report waits for the game master's word, as before that turn."""
        if self.phase != "review" or (last := self.past.last) is None:
            return self
        past = ChangedPast(self.past, until=last.turn)
        return replace(self, state=last.before, turn=last.turn, secret=last.secret, past=past)

    def at_turn(self, turn: int, state: Any) -> "Match":
        """The match at another turn, without anything that was said for this one but wishes and orders for later."""
        at = replace(self, turn=turn, state=state, cooling=None, former=None)
        return replace(at, standing={}, numbers={}, proposals={}, open_commands={})

    def without_seat(self, seat: Seat) -> "Match":
        """The match without anything that a seat has said for this turn or a later one."""
        tables = ("standing", "proposals", "open_commands", "later")
        remaining: dict[str, Any] = {name: without(getattr(self, name), seat) for name in tables}
        return replace(self, **remaining, wishes={wish: seats - {seat} for wish, seats in self.wishes.items()})

    def others(self, seat: Seat) -> list[Holder]:
        """Everybody else at the board who gets letters of it."""
        return [self.holders[reader] for reader in self.reading() if reader != seat]


def without(table: Mapping[Any, Any], key: Any) -> dict[Any, Any]:
    """A table without one of its keys."""
    return {name: value for name, value in table.items() if name != key}


class Invitee(NamedTuple):
    """Somebody whom a command names by their address."""

    address: str  # in lower case
    player: Player | None  # None if we do not know them
    refuses: bool = False
    banned: bool = False
    is_asked: bool = False  # an invitation by the writer waits for their answer
    ours: bool = False  # letters there come to this desk itself
    addresses: tuple[str, ...] = ()  # all addresses that are surely theirs, the one where letters go first
    unanswered: int = 0  # letters there that wait for an answer, whoever has had them sent


UNDO = timedelta(days=14)
"""How long a claimed address may take to answer, and how long an older address can undo that it was taken."""


class Claim(NamedTuple):
    """An address that a player says is theirs: it takes a `yes` from one of theirs, and one from there."""

    address: str  # as it was written
    letter: int  # whose answer the older address agrees to
    agreed: bool  # it has
    answered: int | None  # the letter in which the address itself has
    free: bool  # it is nobody's meanwhile
    instead: str = ""  # the address whose place it takes, "" if it is one more
    taken_at: datetime | None = None  # since when it is theirs, if not long: an older address can undo it
    since: datetime = datetime.min.replace(tzinfo=UTC)  # our letters tell of it: when it was taken, or else claimed


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


LOOP = timedelta(hours=12)
"""Who says the same again within this time, to one turn of a match or to none, may be a program that answers us."""

WEEK = timedelta(days=7)
"""What was said in vain before that is forgotten."""
IN_VAIN = ("answered: nothing found", "answered without a game: no token")
"""The outcomes of letters that said nothing to us, and were answered."""
WANTS_TO_JOIN = "a stranger who wants to join"
"""What became of a letter that waits for the `yes` of whoever wants to play."""
NO_ROOM = "no room yet"
"""How the outcome of a stranger's letter ends that is answered later."""
WHICH_GAME = "a letter without a game waits for the writer's yes"
"""What became of a letter whose writer is asked whether their only game is meant."""
NOT_ANSWERED = "not answered: the same words again"
"""The outcome of a letter that looks like a program's."""


class Repeats(NamedTuple):
    """What the writer of a letter has sent before it about the same match, or about none."""

    same: int = 0  # letters in a row with the same words, `LOOP` ago or less and in the same turn
    in_vain: int = 0  # letters in a row that said nothing to us and were answered, in a week
    ago: timedelta | None = None  # the last of those, None if it was in another turn
