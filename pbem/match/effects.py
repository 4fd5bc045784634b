"""The values that the service core returns: effects, and the sections of letters that report them. The store applies
either all effects of a letter or none. The sentences of notices are in `templates/notices`, one block for each name.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from pbem.games.base import Result, Ruling, Seat
from pbem.match.identity import Holder, MailWishes, Player
from pbem.match.model import Claim, Entry, Invitee, Match, OpenCommand
from pbem.match.terms import Terms
from pbem.times.deadlines import Absence

Notice = Literal[
    "accepted", "address agreed", "address answered",
    "address asked", "address asked for", "address dropped", "address known",
    "address yours", "agreed", "another address", "another game",
    "another turn", "apart no longer", "asked already", "asked by another",
    "away", "back", "begun", "beside yes", "bye", "bye given", "bye taken", "challenged", "claimed", "closed",
    "computer begins", "computer draw", "confirm", "confirm first", "confirmed", "decided",
    "declined", "digest", "directed", "directed why", "dropped", "empty press", "enough analyses", "enough commands",
    "enough computer", "enough puzzles", "enough records", "enough resent", "enough unanswered", "enough what if",
    "forget later", "forgotten", "gm empty", "gm sent", "gm too often", "going", "handed over", "held", "incomplete",
    "invited", "joined", "joined already", "kept apart", "language", "last answer", "last question", "later",
    "later checked", "later withdrawn", "league decides", "left", "letters come here", "mail digest", "mail fails",
    "mail settings", "mail wishes", "master asks", "master says", "muted", "nearly", "no advice", "no analysis",
    "no longer observing", "no press", "no record", "no rematch", "no seat", "no sender", "no show", "no such game",
    "no such league", "no such puzzle", "no such rival", "no such turn", "no such wish", "no token", "no what if",
    "no words wanted", "not accepted", "not awaited", "not decided", "not joined", "not mine", "not now",
    "not observing", "not over",
    "not paused", "not so called", "not understood", "not yours", "nothing asked", "nothing found", "nothing later",
    "nothing open", "nothing readable", "nothing to check", "nothing to do", "nothing to solve", "nothing to undo",
    "nothing to withdraw", "observing", "offered", "only game", "our own", "over", "own game", "paired by hand",
    "paired no longer", "paused already", "points", "press asked", "press muted", "press of ours", "press offered",
    "press sent", "press to whom", "press with orders", "put back", "put back for master", "put in", "really forget",
    "really hand over", "really leave", "really resign", "refused", "rekey", "released", "reminders", "reopened",
    "resigned", "review", "same impossible", "same stands", "seat declined", "seat gone", "seat set aside",
    "sent before", "set aside", "sounds like", "standing", "standing checked",
    "stands in", "still playing", "stopping", "stranger", "taken in", "taken out",
    "taken over", "too long away", "too many invitations", "too many today", "too many words", "two seats",
    "undo orders", "undo there", "undelivered", "undo turn", "undone", "undone for master", "unmuted", "unsigned",
    "usage", "vacation by a wrong clock", "waiting", "who are you", "wish taken back", "wished", "withdrawn",
    "withdrawn before", "words brought", "wrong token", "yes and orders", "your language", "your new address",
    "yourself", "zone",
]  # fmt: skip
"""The names of notices about the outcome of a letter or command. Each is a `reason` in the section `notice`, and a
block in `notice.j2`."""

Course = Literal[
    "accepted", "annul", "away", "banned", "begin", "claim decided", "claim made", "clock", "closed", "decided",
    "declined", "end", "extended", "late", "missing", "no show", "no wish", "offer", "offer declined", "orders",
    "outage", "pause", "position", "process", "readjudicate", "reminder", "reopen", "replace", "replaced", "replay",
    "resigned", "resume", "review", "rollback", "say", "silent", "stuck", "tell", "unanswered", "wish", "wish declined",
    "words",
]  # fmt: skip
"""The names of changes in the course of a match. Each is a `what` in the section `course`, and a block in
`course.j2`."""


class Section(NamedTuple):
    """A part of a letter: the name of its template and the values to fill in.

    A `partial` as a value is a game's own text that still needs the `say` of the reader's language.
    """

    template: str
    values: Mapping[str, Any]


def notice(reason: Notice, **values: Any) -> Section:
    """Make a notice of a sentence or two, given its name."""
    return Section("notice", {"reason": reason, **values})


def course(change: Course, match: Match, seat: Seat | None, **values: Any) -> Section:
    """Make the section about a change in the course of a match, as told to a seat or, if None, to a reader without a
    seat."""
    return Section("course", {"what": change, "match": match, "seat": seat, **values})


class Outcome(NamedTuple):
    """The outcome of a letter, in a few words, for the desk's own records."""

    text: str


class Save(NamedTuple):
    """Store the course of a match: phase, turn, deadline, wishes, result."""

    match: Match


def result_content(result: Result) -> dict[str, Any]:
    """Return the content of the record's entry on how a match ended. It lists the places only if they say more than the
    winner does."""
    places = {"ranking": result.ranking} if result.ranking else {}
    return {"winner": result.winner, "reason": result.reason, **places}


class Note(NamedTuple):
    """An entry for the record: its kind, its content and its match."""

    kind: str
    content: Mapping[str, Any]
    match: Match | None = None


class TakeOrders(NamedTuple):
    """Replace all earlier orders of a seat with new, legal ones; `match` is the match with them."""

    match: Match
    seat: Seat
    entry: Entry


class TakesPart(NamedTuple):
    """Note that the holder of a seat agrees to take part in the match's league, by an `accept` or by orders."""

    match: Match
    seat: Seat


class WithdrawOrders(NamedTuple):
    """Withdraw the orders of a seat; `match` is the match without them."""

    match: Match
    seat: Seat


class SetStanding(NamedTuple):
    """Replace all standing orders of a seat; they are in canonical form. `match` is the match with them."""

    match: Match
    seat: Seat
    canonical: str


class SetWords(NamedTuple):
    """Set the SHA-256 of what a seat contributes to the chance of its match; `match` is the match with it."""

    match: Match
    seat: Seat


class Propose(NamedTuple):
    """Propose a corrected order list, which the seat can give with a plain `yes`."""

    match: Match
    seat: Seat
    letter: int
    written: str
    canonical: str


class Ask(NamedTuple):
    """Ask about a command, which is carried out only when its writer answers `yes`."""

    player: Player
    open_command: OpenCommand
    match: Match | None = None
    seat: Seat = ""


class Dismiss(NamedTuple):
    """Close the question that the answer to a letter asked, or dismiss the letter itself if it is held."""

    letter: int
    match: Match | None


class TellOpen(NamedTuple):
    """Note that the answer to a letter lists the writer's open questions, given as keys in order of their numbers."""

    letter: int
    player: Player
    keys: tuple[str, ...]


class Announce(NamedTuple):
    """Tell the other players, at the end of the run, that a seat's orders are in."""

    match: Match
    seat: Seat


class Hold(NamedTuple):
    """Hold a letter until someone says `yes`, because it came from an address that is not the seat's, or without a
    token."""

    letter: int
    address: str


class Release(NamedTuple):
    """Handle a held letter as if it came now, because somebody answered `yes`. This alone does not say whose its
    address is."""

    letter: int
    player: Player


class Wait(NamedTuple):
    """Answer a stranger's letter later, when there is room; `vouched` says whether a provider confirmed its sender."""

    letter: int
    address: str
    vouched: bool


class MarkFailing(NamedTuple):
    """Note that letters to a seat bounce, or no longer do."""

    match: Match
    seat: Seat
    failing: bool


class Play(NamedTuple):
    """Play a turn. `orders` holds each seat's orders, or None if it gave none; `match` is the match before the turn and
    `after` the match after it."""

    match: Match
    orders: Mapping[Seat, Entry | None]
    ruling: Ruling[Any]
    after: Match


class Undo(NamedTuple):
    """Stop counting all turns from this one on, and drop waiting orders."""

    match: Match
    turn: int


class Resend(NamedTuple):
    """Send a turn's report to a seat again, as a new letter; `mark` stands for the letter that asked for it."""

    match: Match
    seat: Seat
    turn: int
    mark: str


class NewHolder(NamedTuple):
    """Give a seat to another holder. `match` is the match as it was; a player with id 0 is created. Older tokens become
    void."""

    match: Match
    seat: Seat
    player: Player


class Anew(NamedTuple):
    """Replay an annulled match, with the same players and in its place in the league; `reason` is the game master's."""

    match: Match
    reason: str


class NewMatch(NamedTuple):
    """Create a match, together with those of its players whose id is 0."""

    game: str
    seats: Mapping[Seat, Player]
    options: Mapping[str, Any]
    terms: Terms
    accepted: frozenset[Seat] = frozenset()  # seats that have certainly accepted
    place: Mapping[str, int] = MappingProxyType({})  # the numbers of its league, season, division and round
    unwanted: frozenset[Seat] = frozenset()  # their players want no letters and are not invited; nobody is told
    words: Mapping[Seat, str] = MappingProxyType({})  # the contributions of seats to chance so far
    host: Seat = ""  # the inviting seat, "" for a game master

    @property
    def is_ready(self) -> bool:
        """Whether every seat has certainly accepted."""
        return self.accepted.issuperset(self.seats)


class Offer(NamedTuple):
    """Offer a seat to a person, who is asked unless they want no letters; nobody learns if that is so."""

    match: Match
    seat: Seat
    to: Invitee
    letter: int
    unwanted: bool = False


class EndOffer(NamedTuple):
    """End the offer of a seat, because it was declined."""

    match: Match
    seat: Seat


class Meet(NamedTuple):
    """Add a new person, who is not confirmed yet."""

    player: Player


class Confirm(NamedTuple):
    """Note that somebody answered one of our letters from an address with `yes` or `accept`. If the player was not
    confirmed before or had no name, they get the name that they use."""

    player: Player
    address: str


class Refuse(NamedTuple):
    """Note that a person wants no more invitations."""

    player: Player


class NewAddress(NamedTuple):
    """Note that a player claims a further address. The answer to `letter` asks whether the claim is theirs; `agreed`
    says that the player has already agreed. The address counts once it has answered `yes` itself, and then replaces
    `instead`, if given."""

    player: Player
    address: str
    letter: int
    agreed: bool = False
    instead: str = ""


class Agree(NamedTuple):
    """Note one of the two answers of `yes` that a claimed address needs: that of the address itself, which came in
    `letter`, or that of an older address, in which case `letter` is None."""

    player: Player
    address: str
    letter: int | None


class TakeAddress(NamedTuple):
    """Give an address to a player, because both answers of `yes` have come; letters go there from now on."""

    player: Player
    claim: Claim


class DropAddresses(NamedTuple):
    """Remove addresses that a player no longer has or claims, and let older ones count `again`."""

    player: Player
    addresses: tuple[str, ...]
    again: tuple[str, ...] = ()


class SetZone(NamedTuple):
    """Set the time zone of the dates in a player's letters."""

    player: Player
    zone: str


class SetLanguage(NamedTuple):
    """Set the language of a player's letters, by its code."""

    player: Player
    language: str


class SetMail(NamedTuple):
    """Set how a player wants to receive letters."""

    player: Player
    mail: MailWishes


class Away(NamedTuple):
    """Record a player's vacation, or with None end all of them. The days of the vacations in `spent` are used up,
    because deadlines waited for them."""

    player: Player
    absence: Absence | None
    spent: tuple[Absence, ...] = ()


class Join(NamedTuple):
    """Note that a person wants to play in a league, or in the next match of a game. Only one of the two is named; the
    other name is ""."""

    player: Player
    league: str
    game: str


class Leave(NamedTuple):
    """Note that a person no longer wants to play in a league, or in the next match of certain games."""

    player: Player
    league: str
    games: frozenset[str] = frozenset()


class Challenge(NamedTuple):
    """Challenge another player of a ladder, given by number."""

    player: Player
    rival: int
    league: str


class Direct(NamedTuple):
    """Carry out a game master's command about a league. Whether the league allows the command is known only once that
    is tried, and the answer to the letter waits until then."""

    league: str
    word: str
    argument: str
    reason: str
    by: str
    letter: int | None  # None on the command line
    number: int  # the number of the command within the letter


class Observe(NamedTuple):
    """Start or stop sending a match's reports to a person."""

    match: Match
    player: Player
    on: bool


class Ban(NamedTuple):
    """Ban a person from the desk or, if `lifted`, admit them again."""

    player: Player
    reason: str
    lifted: bool = False


class Forget(NamedTuple):
    """Delete everything that identifies a player."""

    player: Player


class Send(NamedTuple):
    """Send a letter to one person."""

    kind: str
    key: str  # unique within a match and seat, so that nobody is told anything twice
    player: Player
    sections: tuple[Section, ...]
    holder: Holder | None = None
    match: Match | None = None
    turn: int = 0  # the turn that an answer to this letter belongs to
    answers: str | None = None  # the Message-ID of the letter answered
    besides: str = ""  # the address of a game master who knows already and gets no copy
    joins: bool = False  # it may be merged with the report of its turn into one letter
    certain: bool = False  # send it however many letters the reader has had lately
    untied: bool = False  # the letter answered does not show which letter of ours it answers


OfQuestions = Ask | Dismiss | TellOpen
OfOrders = TakeOrders | WithdrawOrders | SetStanding | SetWords | Propose | Announce
OfMatch = Save | Note | TakesPart | Play | Undo | NewHolder | EndOffer | Observe | MarkFailing
OfLetter = Outcome | Hold | Release | Wait
OfPlayer = Meet | Confirm | Refuse | Away | Ban | Forget
OfAddress = NewAddress | Agree | TakeAddress | DropAddresses
OfWishes = SetZone | SetLanguage | SetMail | Join | Leave
Following = Send | Resend | NewMatch | Anew | Offer | Join | Leave | Challenge | Direct
"""The effects that the desk carries out after everything else from a letter is stored: letters, new matches,
leagues."""

Effect = OfQuestions | OfOrders | OfMatch | OfLetter | OfPlayer | OfAddress | OfWishes | Following
