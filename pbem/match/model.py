"""The matches and people that the service core works with, as plain values."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, Protocol

from pbem.games.base import OPEN, AnyGame, Event, Reader, Result, Seat, Side
from pbem.games.capabilities import round_name, turn_name, within_turn
from pbem.games.chance import Source, newest, read_source, set_up_source
from pbem.match.identity import Holder, Player
from pbem.match.terms import USUAL, Terms
from pbem.orders.command import Command
from pbem.orders.situation import AnySituation, AnyStandpoint, Situation, Standpoint
from pbem.times.banks import Bank, Span, left_at, spans_of
from pbem.times.deadlines import Deadline, Pace
from pbem.times.moments import Beacon

Phase = Literal["offered", "running", "paused", "review", "finished", "annulled"]
"""The stage that a match has reached; `lifecycle.TRANSITIONS` lists the steps from one stage to the next.

In the phase "offered", not everybody has accepted yet. In "review", a turn has been played, and the game master checks
its report before the players get it.
"""

Wish = Literal["wait", "go", "draw", "rematch"]
"""Something that a seat can wish for. One seat is enough for "wait"; any other wish is granted once all seats that it
concerns share it. Wishes lapse when the turn is played, except those for a rematch."""

Matter = Literal["rollback", "extend", "pause", "resume", "annul", "replace"]
"""Something that the players of a match can decide together, by a vote. Each is called by the command with which a game
master makes the same decision."""


class Motion(NamedTuple):
    """A vote that is open: the seat that asked for it, what it is about in detail, and how the seats have voted so far.

    `argument` is the new deadline, as text, of a motion to "extend", the name of the turn of a "rollback", and what a
    game master would write to "replace" somebody: `blue with computer level 2`. The vote ends at `until`; None if it
    has no time limit. `key` is that of the letters that ask the others for their votes: an answer to a letter about an
    earlier vote is no vote in this one. It is "" if a version without such keys stored the vote.
    """

    by: Seat
    votes: Mapping[Seat, bool]
    argument: str = ""
    until: datetime | None = None
    key: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """The orders that stand for a seat in a turn: they will be played unless they are replaced or withdrawn."""

    number: int  # the number of their receipt
    letter: int | None  # the letter that brought them; None if a game master entered them
    written: str
    canonical: str
    nonce: str = ""  # hides the orders behind their seal; "" for imported orders and for standing orders alone
    joined: str = ""  # the orders as they were played, if standing orders were added

    @property
    def came(self) -> bool:
        """Whether the seat has orders of its own for this turn. If not, the entry consists of standing orders alone."""
        return bool(self.canonical)

    @property
    def played(self) -> str:
        """The orders from which the turn was played, including any standing orders that were added."""
        return self.joined or self.canonical


class LaterOrders(NamedTuple):
    """Orders for a later turn: the turn, the letter that brought them, their wording, and the nonce of their seal. At
    `ANY_TURN`, they are a wish with a condition, and `nonce` is the mark of the letter instead."""

    turn: int
    letter: int
    written: str
    nonce: str


class OpenCommand(NamedTuple):
    """A command that is carried out once somebody answers `yes` to the desk's answer to `letter`. `match` says whether
    the command concerns the match or only its writer."""

    letter: int
    command: Command
    match: bool


class Master(NamedTuple):
    """A game master of a match, and the decisions that they may make: all of them if `rights` is empty."""

    name: str
    address: str
    rights: tuple[str, ...] = ()


class Turn(NamedTuple):
    """A turn that was played."""

    turn: int
    before: Any  # the state before the turn
    orders: Mapping[Seat, "Entry | None"]  # None if a seat missed the turn
    after: Any  # the state after the turn
    events: tuple[Event, ...]
    secret: str = ""  # the source of its chance, as text; "" for a game without chance
    banks: Mapping[Seat, timedelta] = MappingProxyType({})  # what was left in the banks of time after it


class Former(NamedTuple):
    """The phase and result that a match had before it was annulled or reopened."""

    phase: Phase
    result: Result | None = None


class Place(NamedTuple):
    """The place of a match in its league."""

    season: int
    round: int
    over: bool  # the next season has begun
    later: bool  # a later round of its division has begun
    has: bool  # the round still has this match: no other game has replaced it
    swiss: bool  # rounds are paired one by one
    left: tuple[tuple[str, str], ...] = ()  # players who have left, each with their successor, or ""


class Past(Protocol):
    """The history of a match before its current turn. A desk reads each part from its store only when the part is
    needed."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that count, oldest first."""

    @property
    def last(self) -> Turn | None:
        """The newest turn that counts, or None. Reading it costs less than reading all turns."""

    @property
    def undone(self) -> frozenset[int]:
        """The numbers of the turns that were undone, whether or not they were played again."""

    @property
    def claims(self) -> Mapping[int, Seat]:
        """The seats whose claims are undecided, keyed by the number of the claim."""

    @property
    def place(self) -> Place | None:
        """The place of the match in its league; None if it is not part of a round of a league."""

    @property
    def looked(self) -> bool:
        """Whether a game master has looked at the letters of the match since it ended, including those for the turn
        that was open at the end."""


@dataclass(frozen=True, slots=True)
class KnownPast:
    """A past whose parts are given as values."""

    turns: tuple[Turn, ...] = ()
    undone: frozenset[int] = frozenset()
    claims: Mapping[int, Seat] = field(default_factory=dict)
    place: Place | None = None
    looked: bool = False

    @property
    def last(self) -> Turn | None:
        """The newest turn that counts, or None."""
        return self.turns[-1] if self.turns else None


@dataclass(frozen=True, slots=True)
class ChangedPast:
    """A past with a change that is not in the store yet. The parts of `before`, the past without the change, are read
    only when they are needed."""

    before: Past
    until: int | None = None  # the first turn that no longer counts
    added: tuple[Turn, ...] = ()
    decided: int | None = None  # the number of a claim that has been decided

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that count now, oldest first."""
        kept = (turn for turn in self.before.turns if self.until is None or turn.turn < self.until)
        return (*kept, *self.added)

    @property
    def last(self) -> Turn | None:
        """The newest turn that counts now, or None."""
        if self.added:
            return self.added[-1]
        return self.before.last if self.until is None else KnownPast(self.turns).last

    @property
    def undone(self) -> frozenset[int]:
        """The numbers of the turns that were undone before the change."""
        return self.before.undone

    @property
    def claims(self) -> Mapping[int, Seat]:
        """The seats whose claims are still undecided, keyed by the number of the claim."""
        return {number: seat for number, seat in self.before.claims.items() if number != self.decided}

    @property
    def place(self) -> Place | None:
        """The place of the match in its league; None if it is not part of a round of a league."""
        return self.before.place

    @property
    def looked(self) -> bool:
        """Whether a game master has looked at the letters of the match since it ended."""
        return self.before.looked


NO_PAST = KnownPast()


@dataclass(frozen=True, slots=True)
class Match:
    """A match, with everything in the store that a letter about the match may affect."""

    id: int
    name: str
    game: AnyGame
    state: Any
    turn: int
    holders: Mapping[Seat, Holder]
    phase: Phase = "running"
    terms: Terms = USUAL
    deadline: Deadline | None = None  # as the players were told; with banks of time, when nobody is waited for longer
    latest: Deadline | None = None  # in a match with banks of time, the deadline by its pace
    banks: Mapping[Seat, Bank] = field(default_factory=dict)  # the bank of time of each person, once the match begins
    began: datetime | None = None  # when this deadline was set
    due: datetime | None = None  # the next moment at which the clock changes something in the match
    since: datetime | None = None  # when the match was created; None if an imported record does not say it
    cooling: datetime | None = None  # when the turn may be played, after the cooling-off time or the beacon round
    wishes: Mapping[Wish, frozenset[Seat]] = field(default_factory=dict)  # who shares each wish in this turn
    motions: Mapping[Matter, Motion] = field(default_factory=dict)  # the votes that are open
    extended: int = 0  # how often this turn's deadline was extended because orders were missing
    missed: Mapping[Seat, int] = field(default_factory=dict)  # turns in a row that a seat has missed before this one
    league: str = ""
    sandbox: bool = False  # one person plays all sides, and sees everything
    masters: tuple[Master, ...] = ()  # the people who make decisions about the match
    appeal: str = ""  # the name of the one of them who hears appeals against decisions of the others
    members: frozenset[str] = frozenset()  # the addresses of all who take part in its league, in lower case
    observers: tuple[Player, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    accepted: frozenset[Seat] = frozenset()
    muted: frozenset[Seat] = frozenset()
    open_commands: Mapping[Seat, tuple[OpenCommand, ...]] = field(default_factory=dict)  # waiting for a `yes`
    standing: Mapping[Seat, Entry] = field(default_factory=dict)  # the orders that stand for this turn
    numbers: Mapping[Seat, int] = field(default_factory=dict)  # the number of each seat's receipts so far this turn
    # Proposed orders, which a `yes` accepts, keyed by the letter whose answer proposed them, oldest first.
    proposals: Mapping[Seat, Mapping[int, tuple[str, ...]]] = field(default_factory=dict)
    # Letters from other addresses that the seat has not confirmed yet, with these addresses; and how many letters of a
    # seat the desk has failed to handle. A seat with any such letter has not missed the turn.
    held: Mapping[Seat, Mapping[int, str]] = field(default_factory=dict)
    quarantined: Mapping[Seat, int] = field(default_factory=dict)
    unfetched: bool = False  # a letter that the mailbox does not hand out may contain anybody's orders
    gone: Mapping[Seat, int] = field(default_factory=dict)  # the turn in which each of these seats stopped playing
    standing_orders: Mapping[Seat, str] = field(default_factory=dict)  # in canonical form, for every turn
    later: Mapping[Seat, tuple[LaterOrders, ...]] = field(default_factory=dict)
    result: Result | None = None
    words: Mapping[Seat, str] = field(default_factory=dict)  # the SHA-256 of a seat's latest contribution to chance
    # The sources of the chance of this turn and of the match, as `games.chance.Source` writes them. They stay secret
    # until the turn or the match is over. A match that goes on after that gets a new secret, made from its root.
    secret: str = field(default="", repr=False)
    deck: str = field(default="", repr=False)
    root: str = field(default="", repr=False)
    beacon: Beacon | None = None  # the beacon whose rounds this match may use now
    pulse: str = ""  # the value of the round that was named; "" until it has come
    former: Former | None = None  # before it was annulled or reopened; kept until a turn is played
    past: Past = field(default=NO_PAST, compare=False, repr=False)

    def plays(self, address: str) -> bool:
        """Return whether `address` belongs to the holder of a seat."""
        return any(address.lower() in holder.addresses for holder in self.holders.values())

    def concerns(self, address: str) -> bool:
        """Return whether the owner of `address` plays in the match or in its league."""
        return self.plays(address) or address.lower() in self.members

    @property
    def chance(self) -> str:
        """The kind of chance that the match uses; "" for a game without chance."""
        return read_source(set_up_source(self.deck)).kind if self.deck else ""

    @property
    def takes_words(self) -> bool:
        """Whether the seats contribute words to chance."""
        return self.chance in ("words", "beacon")

    @property
    def drawing(self) -> Source | None:
        """The source of chance that is waiting for a round of the beacon, or None. This is the source of the set-up
        once everybody has accepted, or the source of the turn once its orders have been closed."""
        source = newest(self.deck) if self.phase == "offered" else self.secret if self.phase == "running" else ""
        return read_source(source) if ":+" in source else None

    @property
    def round(self) -> str:
        """The name of the current turn, in the game's own terms."""
        return round_name(self.game, self.state, self.turn)

    def named(self, turn: int) -> str:
        """Return the name of turn `turn` of the game, whether it is past, present or future."""
        return turn_name(self.game, self.state, turn)

    @property
    def pace(self) -> Pace:
        """How much time players have for this turn. Rounds within a turn of the game may have less."""
        within = within_turn(self.game, self.state)
        return (within and self.terms.round_deadline) or self.terms.deadline

    def free(self, seat: Seat) -> tuple[Span, ...]:
        """Return the spans of time that take nothing out of the bank of `seat`: its holder's vacations."""
        return spans_of(self.holders[seat].player.absences)

    def time_left(self, now: datetime) -> dict[Seat, timedelta]:
        """Return what each person who is still playing has left in their bank of time at `now`; {} if the match has no
        banks."""
        seats = (seat for seat in self.playing() if seat in self.banks)
        return {seat: left_at(self.banks[seat], now, self.free(seat)) for seat in seats}

    @property
    def lapses(self) -> datetime | None:
        """The moment until which the invitations to the match can be accepted, or None if there is no such limit."""
        return self.due and self.since and max(self.due, self.since + self.terms.accept)

    @property
    def judges(self) -> tuple[Master, ...]:
        """The game masters who may decide on the match. A game master who plays in the match, or in its league, may
        not."""
        return tuple(master for master in self.masters if not self.concerns(master.address))

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, in the game's own order."""
        return tuple(self.holders)

    def reader(self, seat: Seat | None) -> Reader:
        """Return the reader whose view of the game `seat` gets; None stands for the public. After the end of the match,
        nothing is hidden any more; nothing ever is in a sandbox."""
        return seat if self.game.hides and not (self.over or self.sandbox) else OPEN

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns that count, oldest first. The first access reads all of them."""
        return self.past.turns

    @property
    def accepted_by_all(self) -> bool:
        """Whether all seats have accepted. This may be false even for a match that is over, because a match can be
        annulled or awarded before it begins."""
        return self.accepted.issuperset(self.seats)

    @property
    def is_set_up(self) -> bool:
        """Whether the match is past the phase "offered", which lasts until everybody has accepted and the outcome of
        chance in the set-up is known."""
        return self.phase != "offered"

    def view(self, seat: Seat | None) -> Any:
        """Return the state as `seat` sees it; None stands for the public."""
        return self.game.view(self.state, self.reader(seat))

    @property
    def over(self) -> bool:
        """Whether the match has ended or was annulled. Nothing is hidden from then on."""
        return self.phase in ("finished", "annulled")

    def held_by(self, player: Player) -> tuple[Seat, ...]:
        """Return the seats that a player holds."""
        return tuple(seat for seat, holder in self.holders.items() if holder.player.id == player.id)

    def playing(self) -> tuple[Seat, ...]:
        """Return the seats that are still playing, which are all seats that have not given up."""
        return tuple(seat for seat in self.seats if seat not in self.gone)

    def reading(self) -> tuple[Seat, ...]:
        """Return the seats that get letters about the match. A seat that has given up only learns how the match
        ends. In a sandbox, the first seat gets the letters for all of them."""
        return self.seats[:1] if self.sandbox else self.seats if self.over else self.playing()

    def winners(self) -> tuple[Seat, ...]:
        """Return the seats of the winning side."""
        won = self.result and self.result.winner
        return tuple(chair.seat for chair in self.game.seats(self.options) if chair.side == won)

    def sides(self, seats: Collection[Seat]) -> frozenset[Side]:
        """Return the sides to which the given seats belong."""
        return frozenset(chair.side for chair in self.game.seats(self.options) if chair.seat in seats)

    def can_play(self) -> bool:
        """Return whether the desk can play the turn in its next run. A turn that needs no orders waits for neither the
        deadline nor the cooling-off time."""
        if self.phase != "running" or self.drawing or self.missing():
            return False
        return not self.game.awaiting(self.state) or (self.plays_early() and not self.cooling)

    def plays_early(self) -> bool:
        """Return whether the turn is played as soon as all orders are in, without waiting for the deadline.

        This is the case in the grace period after a deadline, or if the terms allow early turns, no seat wishes to
        wait, and no seat has orders that stand only provisionally.
        """
        over = self.deadline is not None and self.due is not None and self.due > self.deadline.moment
        is_asked_about = any(map(self.is_provisional, self.standing))
        return over or (self.terms.early and not self.wishes.get("wait") and not is_asked_about)

    def is_provisional(self, seat: Seat) -> bool:
        """Return whether the orders of `seat` stand only provisionally, because the desk has asked something about them
        and is waiting for an answer."""
        entry = self.standing.get(seat)
        return entry is not None and entry.letter in self.proposals.get(seat, {})

    def all_wish(self, wish: Wish) -> bool:
        """Return whether all seats share `wish`. The computer counts as sharing every wish of the people; callers must
        therefore ask it about a draw first."""
        seats = self.seats if wish == "rematch" else self.playing()
        wishing = (seat for seat in seats if not self.holders[seat].is_computer)
        return self.wishes.get(wish, frozenset()).issuperset(wishing)

    @property
    def takes_back(self) -> bool:
        """Whether the players may take back a turn together. In a league that says nothing about it, they may not."""
        allowed = self.terms.take_back
        return not self.league if allowed is None else allowed

    def voters(self) -> tuple[Seat, ...]:
        """Return the seats that vote: those that are still playing, without the computer, which agrees to everything
        that the people decide, also where it plays for somebody."""
        return tuple(seat for seat in self.playing() if not self.holders[seat].level)

    def voting(self, matter: Matter, motion: Motion) -> tuple[Seat, ...]:
        """Return the seats that vote on `motion`: all voters but the one whom the computer would replace."""
        return tuple(seat for seat in self.voters() if seat != concerned(matter, motion))

    def stand_ins(self) -> tuple[Seat, ...]:
        """Return the seats that the computer plays for the people who hold them."""
        return tuple(seat for seat in self.playing() if self.holders[seat].stand_in)

    def is_deserted(self) -> bool:
        """Return whether the computer plays for somebody, and no person plays."""
        return bool(self.stand_ins()) and not self.voters()

    def missing(self) -> list[Seat]:
        """Return the seats whose orders for the turn are still missing, in the order of the game's seats."""
        awaited = frozenset() if self.result else self.game.awaiting(self.state)
        return [seat for seat in self.seats if seat in awaited and seat not in self.standing]

    def attendance(self) -> dict[Seat, bool]:
        """Return, for each seat that had to give orders for this turn, whether it did.

        A seat without orders but with an unread letter is left out, because it has neither given orders nor missed the
        turn, as is a seat that the computer plays for its holder.
        """
        awaited = self.game.awaiting(self.state) - (self.unread() - self.standing.keys()) - {*self.stand_ins()}
        came = {seat for seat, entry in self.standing.items() if entry.came}
        return {seat: seat in came for seat in self.seats if seat in awaited}

    def unread(self) -> frozenset[Seat]:
        """Return the seats with a letter that may contain orders but has not been read, because the desk failed to
        handle the letter or because the letter is waiting for confirmation."""
        return frozenset((*self.quarantined, *self.held))

    @property
    def situation(self) -> AnySituation:
        """The game in its present state, as the context in which text about the game is read."""
        return Situation(self.game, self.state)

    def standpoint(self, seat: Seat) -> AnyStandpoint:
        """Return the present situation from the standpoint of `seat`."""
        return Standpoint(self.game, self.state, seat)

    def as_told(self) -> "Match":
        """Return the match as its players know it. While a report is waiting for the game master's approval, that is
        the match before the reported turn."""
        if self.phase != "review" or (last := self.past.last) is None:
            return self
        past = ChangedPast(self.past, until=last.turn)
        return replace(self, state=last.before, turn=last.turn, secret=last.secret, past=past)

    def at_turn(self, turn: int, state: Any) -> "Match":
        """Return the match at `turn`, with `state`. Orders, proposals and open commands of the present turn are
        dropped, as are open votes; wishes and orders for later turns are kept."""
        at = replace(self, turn=turn, state=state, cooling=None, former=None, motions={})
        return replace(at, standing={}, numbers={}, proposals={}, open_commands={})

    def without_seat(self, seat: Seat) -> "Match":
        """Return the match without the wishes of `seat` and without anything that it has sent for this turn or a later
        one."""
        tables = ("standing", "proposals", "open_commands", "later")
        remaining: dict[str, Any] = {name: without(getattr(self, name), seat) for name in tables}
        return replace(self, **remaining, wishes={wish: seats - {seat} for wish, seats in self.wishes.items()})

    def others(self, seat: Seat) -> list[Holder]:
        """Return the holders of all other seats that get letters about the match."""
        return [self.holders[reader] for reader in self.reading() if reader != seat]


def concerned(matter: Matter, motion: Motion) -> Seat:
    """Return the seat that the computer would play if `motion` were carried; "" if the vote is on something else."""
    return motion.argument.partition(" ")[0] if matter == "replace" else ""


def without(table: Mapping[Any, Any], key: Any) -> dict[Any, Any]:
    """Return a copy of `table` without `key`."""
    return {name: value for name, value in table.items() if name != key}


class Invitee(NamedTuple):
    """A person to whom a command refers by address."""

    address: str  # in lower case
    player: Player | None  # None if the desk does not know them
    refuses: bool = False
    banned: bool = False
    is_asked: bool = False  # an invitation from the writer is waiting for their answer
    ours: bool = False  # letters to this address reach the desk itself
    addresses: tuple[str, ...] = ()  # their confirmed addresses; letters go to the first
    unanswered: int = 0  # how many letters that players caused the desk to send them are unanswered


UNDO = timedelta(days=14)
"""How long a claimed address has to answer, and how long an older address can undo a change."""


class Claim(NamedTuple):
    """A player's claim to an address. It needs a `yes` from one of the player's own addresses, and a `yes` from the
    claimed address itself."""

    address: str  # as the player wrote it
    letter: int  # the older address agrees by answering `yes` to the desk's answer to this letter
    agreed: bool  # the older address has agreed
    answered: int | None  # the letter with which the claimed address itself agreed
    free: bool  # the address belongs to nobody yet
    instead: str = ""  # the address that it replaces; "" if it is an additional one
    taken_at: datetime | None = None  # when it became theirs, as long as an older address can undo this
    since: datetime = datetime.min.replace(tzinfo=UTC)  # when it was taken, or else claimed


LOOP = timedelta(hours=12)
"""The time within which identical letters, about the same turn of a match or about no match, suggest that a program is
answering the desk."""

WEEK = timedelta(days=7)
"""The time after which letters in which the desk found nothing are no longer counted."""
IN_VAIN = ("answered: nothing found", "answered without a game: no token")
"""The outcomes of letters that were answered although the desk found nothing in them."""
WANTS_TO_JOIN = "a stranger who wants to join"
"""The outcome of a letter from a stranger who wants to play; the letter is held until the stranger answers `yes`."""
NO_SENDER = "not used: From is not exactly one address"
"""The outcome of a letter that does not show to whom an answer should go."""
NO_ROOM = "no room yet"
"""The end of the outcome of a stranger's letter that is kept until the limits allow an answer."""
WHICH_GAME = "a letter without a game waits for the writer's yes"
"""The outcome of a letter whose writer was asked whether the letter is about their only game."""
NO_GAME = "the game cannot be played"
"""The outcome of a letter that was set aside because the package of the game that it is about is broken."""
NOT_ANSWERED = "not answered: the same words again"
"""The outcome of a letter that is not answered because it seems to come from a program."""


class Repeats(NamedTuple):
    """A summary of the earlier letters of the same writer about the same match, or about no match."""

    same: int = 0  # letters in a row with the same words, within `LOOP` and about the same turn
    in_vain: int = 0  # letters in a row, within a week, that were answered although nothing was found in them
    ago: timedelta | None = None  # the age of the last letter `in_vain`; None if there is none in this turn


class Placed(NamedTuple):
    """A position from which a sandbox begins: the state, the match from which it is taken, and the name of the turn."""

    state: Any
    match: str
    turn: str
