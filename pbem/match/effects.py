"""What the service core gives back: effects, and the sections of the letters that tell them. The store applies all
effects of one letter or none. The sentences of notices stand in `templates/notices`, a block for each name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from pbem.games.base import Result, Ruling, Seat
from pbem.match.identity import Holder, MailWishes, Player
from pbem.match.model import Claim, Entry, Invitee, Match, OpenCommand
from pbem.match.terms import Terms
from pbem.times.deadlines import Absence

Notice = Literal[
    "accepted", "address agreed", "address answered", "address asked", "address dropped", "address known",
    "address yours", "agreed", "another address", "another game", "another turn", "apart no longer", "asked already",
    "away", "back", "begun", "beside yes", "bye", "bye given", "bye taken", "challenged", "claimed", "closed",
    "computer begins", "computer draw", "confirm", "confirm first", "confirmed", "decided", "decided by another",
    "declined", "digest", "directed", "directed why", "dropped", "empty press", "enough analyses", "enough commands",
    "enough computer", "enough puzzles", "enough records", "enough resent", "enough unanswered", "enough what if",
    "forget later", "forgotten", "gm empty", "gm sent", "gm too often", "going", "handed over", "held", "incomplete",
    "invited", "joined", "joined already", "kept apart", "language", "last answer", "last question", "later",
    "later checked", "later withdrawn", "league decides", "left", "letters come here", "mail digest", "mail fails",
    "mail settings", "mail wishes", "master says", "muted", "nearly", "no advice", "no analysis",
    "no longer observing", "no press", "no record", "no rematch", "no seat", "no show", "no such game",
    "no such league", "no such puzzle", "no such rival", "no such turn", "no such wish", "no token", "no what if",
    "no words wanted", "not awaited", "not decided", "not joined", "not mine", "not now", "not observing", "not over",
    "not paused", "not so called", "not understood", "not yours", "nothing asked", "nothing found", "nothing later",
    "nothing open", "nothing readable", "nothing to check", "nothing to do", "nothing to solve", "nothing to undo",
    "nothing to withdraw", "observing", "offered", "only game", "our own", "over", "own game", "paired by hand",
    "paired no longer", "paused already", "points", "press asked", "press muted", "press of ours", "press offered",
    "press sent", "press to whom", "press with orders", "put back", "put back for master", "really forget",
    "really hand over", "really leave", "really resign", "refused", "rekey", "released", "reminders", "reopened",
    "resigned", "review", "same impossible", "same stands", "seat declined", "seat gone", "seat set aside",
    "sent before", "set aside", "standing", "standing checked", "still playing", "stopping", "stranger", "taken in",
    "taken over", "too long away", "too many invitations", "too many words", "two seats", "undo orders", "undo there",
    "undo turn", "undone", "undone for master", "unmuted", "unsigned", "usage", "waiting", "who are you",
    "wish taken back", "wished", "withdrawn", "withdrawn before", "words brought", "wrong token", "yes and orders",
    "your new address", "yourself", "zone",
]  # fmt: skip
"""What became of a letter or of a command: `reason` in the section `notice`, a block in `notice.j2`."""

Course = Literal[
    "accepted", "annul", "away", "banned", "begin", "claim decided", "claim made", "closed", "decided", "declined",
    "end", "extended", "late", "missing", "no show", "no wish", "offer", "offer declined", "orders", "outage",
    "pause", "position", "process", "readjudicate", "reminder", "reopen", "replace", "replaced", "replay", "resigned",
    "resume", "review", "rollback", "say", "silent", "stuck", "tell", "unanswered", "wish", "wish declined", "words",
]  # fmt: skip
"""What has changed the course of a match: `what` in the section `course`, a block in `course.j2`."""


class Section(NamedTuple):
    """A part of a letter: the name of its template and the values that go in.

    A value that is a `partial` is what a game tells, and lacks only the `say` of the reader's language.
    """

    template: str
    values: Mapping[str, Any]


def notice(reason: Notice, **values: Any) -> Section:
    """A sentence or two by their name."""
    return Section("notice", {"reason": reason, **values})


def course(change: Course, match: Match, seat: Seat | None, **values: Any) -> Section:
    """What has changed the course of a match, told to a seat, or to whoever has none in it."""
    return Section("course", {"what": change, "match": match, "seat": seat, **values})


class Outcome(NamedTuple):
    """What became of a letter, in a few words, for the record."""

    text: str


class Save(NamedTuple):
    """A match is in another state of its course: phase, turn, deadline, wishes, result."""

    match: Match


def result_content(result: Result) -> dict[str, Any]:
    """What the record says of how a match ended; places only where that is more than who has won."""
    places = {"ranking": result.ranking} if result.ranking else {}
    return {"winner": result.winner, "reason": result.reason, **places}


class Note(NamedTuple):
    """Something for the record: its kind, what there is to say of it, and of which match."""

    kind: str
    content: Mapping[str, Any]
    match: Match | None = None


class TakeOrders(NamedTuple):
    """Legal orders that replace the seat's earlier ones as a whole; `match` is as it is with them."""

    match: Match
    seat: Seat
    entry: Entry


class WithdrawOrders(NamedTuple):
    """The seat's standing orders are taken back; `match` is as it is without them."""

    match: Match
    seat: Seat


class SetStanding(NamedTuple):
    """The standing orders of a seat, all of them, in canonical form; `match` is as it is with them."""

    match: Match
    seat: Seat
    canonical: str


class SetWords(NamedTuple):
    """What a seat has brought to the chance of its match, by its SHA-256; `match` is as it is with it."""

    match: Match
    seat: Seat


class Propose(NamedTuple):
    """A corrected order list that the seat may send with a plain `yes`."""

    match: Match
    seat: Seat
    letter: int
    written: str
    canonical: str


class Ask(NamedTuple):
    """A command is done only when its writer says `yes` to our answer."""

    player: Player
    open_command: OpenCommand
    match: Match | None = None
    seat: Seat = ""


class Dismiss(NamedTuple):
    """What the answer to a letter has asked, or that letter itself if it is held, is open no longer."""

    letter: int
    match: Match | None


class TellOpen(NamedTuple):
    """The answer to a letter lists what is open with its writer: the questions' keys in the order of their numbers."""

    letter: int
    player: Player
    keys: tuple[str, ...]


class Announce(NamedTuple):
    """The others are told at the end of the run that orders of a seat are in."""

    match: Match
    seat: Seat


class Hold(NamedTuple):
    """A letter waits for somebody's `yes`: it came from an address that is not the seat's, or without a token."""

    letter: int
    address: str


class Release(NamedTuple):
    """`yes` to a held letter: it is handled as if it came now. Whose its address is, that alone does not say."""

    letter: int
    player: Player


class Wait(NamedTuple):
    """A stranger's letter is answered later, when there is room; whether somebody `vouched` for it."""

    letter: int
    address: str
    vouched: bool


class MarkFailing(NamedTuple):
    """Letters to a seat come back, or come back no longer."""

    match: Match
    seat: Seat
    failing: bool


class Play(NamedTuple):
    """A turn is played: `orders` by seat, None where there were none; the match before and after it."""

    match: Match
    orders: Mapping[Seat, Entry | None]
    ruling: Ruling[Any]
    after: Match


class Undo(NamedTuple):
    """The turns from this one on count no longer; orders that wait are dropped."""

    match: Match
    turn: int


class Resend(NamedTuple):
    """The report of a turn goes out to a seat again, as a new letter that the one with this mark has asked for."""

    match: Match
    seat: Seat
    turn: int
    mark: str


class NewHolder(NamedTuple):
    """A seat has another holder: `match` is as it was; the player is made if his id is 0. Older tokens are void."""

    match: Match
    seat: Seat
    player: Player


class Anew(NamedTuple):
    """An annulled match is played anew by those who sit in it, in its place in its league; `reason` is the game
    master's."""

    match: Match
    reason: str


class NewMatch(NamedTuple):
    """A match to be; those of its players with the id 0 are made."""

    game: str
    seats: Mapping[Seat, Player]
    options: Mapping[str, Any]
    terms: Terms
    accepted: frozenset[Seat] = frozenset()  # who takes part for sure
    place: Mapping[str, int] = MappingProxyType({})  # the numbers of its league, season, division and round
    unwanted: frozenset[Seat] = frozenset()  # who wants no letters, and gets no invitation; nobody is told
    words: Mapping[Seat, str] = MappingProxyType({})  # what seats bring to chance so far
    host: Seat = ""  # who invites, "" for a game master

    @property
    def is_ready(self) -> bool:
        """Whether all take part for sure."""
        return self.accepted.issuperset(self.seats)


class Offer(NamedTuple):
    """A seat is offered to somebody, who is asked; unless they want no letters, which nobody is told."""

    match: Match
    seat: Seat
    to: Invitee
    letter: int
    unwanted: bool = False


class EndOffer(NamedTuple):
    """The offer of a seat is declined."""

    match: Match
    seat: Seat


class Meet(NamedTuple):
    """Somebody new, who is not confirmed yet."""

    player: Player


class Confirm(NamedTuple):
    """An address has answered a letter of ours with `yes` or `accept`; if nobody had before, or the player had no name
    yet, it is the one that he calls himself."""

    player: Player
    address: str


class Refuse(NamedTuple):
    """Somebody wants no more invitations."""

    player: Player


class NewAddress(NamedTuple):
    """A further address that a player claims, and the letter whose answer asks whether they do; `agreed`, where that
    is known. It counts when a `yes` has come from there, too; then `instead` of another one, if that is given."""

    player: Player
    address: str
    letter: int
    agreed: bool = False
    instead: str = ""


class Agree(NamedTuple):
    """One `yes` of the two that a claimed address takes: from itself in a `letter`, or None from an older one."""

    player: Player
    address: str
    letter: int | None


class TakeAddress(NamedTuple):
    """Both have come: the address is the player's, and letters go there."""

    player: Player
    claim: Claim


class DropAddresses(NamedTuple):
    """Addresses that are a player's no longer, or that they claim no longer; and older ones that count `again`."""

    player: Player
    addresses: tuple[str, ...]
    again: tuple[str, ...] = ()


class SetZone(NamedTuple):
    """Where a player's dates are."""

    player: Player
    zone: str


class SetLanguage(NamedTuple):
    """The language of a player's letters, by its code."""

    player: Player
    language: str


class SetMail(NamedTuple):
    """How a player likes their letters."""

    player: Player
    mail: MailWishes


class Away(NamedTuple):
    """A player's vacation; None ends all there are. The days of those `spent`, which deadlines waited for, are used."""

    player: Player
    absence: Absence | None
    spent: tuple[Absence, ...] = ()


class Join(NamedTuple):
    """Somebody wants to play: in a league, or the next match of a game, by its name; the other one is ""."""

    player: Player
    league: str
    game: str


class Leave(NamedTuple):
    """Somebody wants that no longer: in a league, or else the next match of some games."""

    player: Player
    league: str
    games: frozenset[str] = frozenset()


class Challenge(NamedTuple):
    """Somebody challenges another player of a ladder, by his number."""

    player: Player
    rival: int
    league: str


class Direct(NamedTuple):
    """A game master's word about a league. What the league has to say against it is known only when it is carried out;
    the answer to the letter waits for that."""

    league: str
    word: str
    argument: str
    reason: str
    by: str
    letter: int | None  # None on the command line
    number: int  # that of the word in the letter


class Observe(NamedTuple):
    """Somebody gets a match's reports, or gets them no longer."""

    match: Match
    player: Player
    on: bool


class Ban(NamedTuple):
    """Somebody is shut out of the desk; `lifted`: or let in again."""

    player: Player
    reason: str
    lifted: bool = False


class Forget(NamedTuple):
    """All that tells who a player is goes."""

    player: Player


class Send(NamedTuple):
    """A letter to one person."""

    kind: str
    key: str  # unique for match and seat, so that nothing is ever told twice
    player: Player
    sections: tuple[Section, ...]
    holder: Holder | None = None
    match: Match | None = None
    turn: int = 0  # that a reply belongs to
    answers: str | None = None  # the Message-ID of the letter answered
    besides: str = ""  # the address of a game master who knows it already
    joins: bool = False  # it may go in one with the report of its turn


OfQuestions = Ask | Dismiss | TellOpen
OfOrders = TakeOrders | WithdrawOrders | SetStanding | SetWords | Propose | Announce
OfMatch = Save | Note | Play | Undo | NewHolder | EndOffer | Observe | MarkFailing
OfLetter = Outcome | Hold | Release | Wait
OfPlayer = Meet | Confirm | Refuse | Away | Ban | Forget
OfAddress = NewAddress | Agree | TakeAddress | DropAddresses
OfWishes = SetZone | SetLanguage | SetMail | Join | Leave
Following = Send | Resend | NewMatch | Anew | Offer | Join | Leave | Challenge | Direct
"""What the desk does when all else of a letter is written down: letters, new matches, leagues."""

Effect = OfQuestions | OfOrders | OfMatch | OfLetter | OfPlayer | OfAddress | OfWishes | Following
