"""The values that the service core returns: effects, and the sections of letters that report them. The store applies
either all effects of a letter or none of them. The sentences of notices are in `templates/notices`, one block per
notice.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from pbem.games.base import Result, Ruling, Seat
from pbem.match.identity import Holder, MailWishes, Player
from pbem.match.model import Claim, Entry, Invitee, Match, OpenCommand, Placed
from pbem.match.terms import Terms
from pbem.times.deadlines import Absence

Notice = Literal[
    "accepted", "address agreed", "address answered", "address asked", "address asked for", "address dropped",
    "address known", "address yours", "agreed", "another address", "another game", "another turn", "apart no longer",
    "appealed",
    "asked already", "asked by another", "asked to watch", "away", "back", "begun", "beside yes", "board", "bye",
    "bye given", "bye taken", "came back", "challenged", "claimed", "closed", "computer begins", "computer draw",
    "computer stays", "condition checked", "condition kept", "condition met", "condition now", "conditions",
    "confirm", "confirm first", "confirmed", "decided", "declined", "digest", "directed",
    "directed why", "dropped", "empty press", "enough analyses", "enough commands", "enough computer",
    "enough conditions", "enough puzzles", "enough records", "enough resent", "enough sandboxes", "enough unanswered",
    "enough what if", "forget later", "forgotten", "gm empty", "gm sent", "gm too often", "going", "handed over",
    "held", "held back", "incomplete", "invited", "joined", "joined already", "kept apart", "language", "last answer",
    "last question", "later", "later checked", "later withdrawn", "league decides", "league told", "left", "left since",
    "letter of its own", "letters come here", "line up", "mail digest", "mail fails", "mail settings", "mail wishes",
    "master asks", "master decides", "master says", "muted", "names untold", "nearly", "no advice", "no analysis",
    "no longer observing", "no press", "no record", "no rematch", "no sandbox", "no seat", "no sender", "no show",
    "no stand in", "no such game", "no such league", "no such puzzle", "no such rival", "no such turn", "no such vote",
    "no such wish", "no taking back", "no token", "no what if", "no words wanted", "not absent", "not accepted",
    "not awaited",
    "not decided", "not ended", "not joined", "not mine", "not now", "not observing", "not over", "not paused",
    "not replaced", "not so called", "not understood", "not yours", "nothing asked", "nothing found", "nothing later",
    "nothing open",
    "nothing played", "nothing readable", "nothing to begin from", "nothing to check", "nothing to do",
    "nothing to solve", "nothing to undo", "nothing to withdraw", "observing", "offered", "only game", "other vote",
    "others vote", "overturned",
    "our own", "over", "own game", "paired by hand", "paired no longer", "paused already", "plays alone", "points",
    "press asked", "press muted", "press names you", "press of ours", "press offered", "press sent", "press to whom",
    "press with orders", "put back", "put back for master", "put in", "rating", "really forget", "really hand over",
    "really leave", "really resign", "refused", "rekey", "released", "reminders", "reopened", "resigned", "review",
    "round to come", "same impossible", "same stands", "seat declined", "seat gone", "seat set aside", "sent before",
    "set aside",
    "sides withdrawn", "standing", "standing checked", "stands in", "still playing", "stopping", "stranger",
    "taken in", "taken out", "taken over", "teacher agreed", "teacher asked", "teacher left", "teacher off",
    "teacher wrote", "team rests", "too long away", "too many invitations", "too many today", "too many words",
    "two seats", "undelivered", "undo orders", "undo there", "undo turn", "undone", "undone for master", "unmuted",
    "unsigned", "usage", "vacation by a wrong clock", "vote failed", "voted", "waiting", "watching sandbox",
    "which side", "who are you", "wish taken back", "wished", "withdrawn", "withdrawn before", "words brought",
    "wrong token", "yes and orders", "yes or no", "your language", "your new address", "yourself", "zone",
]  # fmt: skip
"""The names of notices about the outcome of a letter or command. Each is a `reason` in the section `notice`, and a
block in `notice.j2`."""

Course = Literal[
    "accepted", "annul", "appeal decided", "appeal heard", "appeal made",
    "away", "banned", "begin", "came back", "claim decided", "claim made", "clock", "closed",
    "condition", "decided", "declined", "end", "extended", "late", "missing", "no show", "no wish", "offer",
    "offer declined",
    "orders", "out of time", "outage", "pause", "position", "process", "readjudicate", "reminder", "reopen", "replace",
    "replaced", "replay", "resigned", "resume", "returned", "review", "rollback", "say", "silent", "stand in", "stuck",
    "tell", "unanswered", "vote ended", "wish", "wish declined", "words",
]  # fmt: skip
"""The names of changes in the course of a match. Each is a `what` in the section `course`, and a block in
`course.j2`."""


class Section(NamedTuple):
    """A part of a letter: the name of its template, and the values to fill in.

    A value that is a `partial` stands for a text that the game supplies. It is called with `say`, the translator into
    the reader's language, and returns the text.
    """

    template: str
    values: Mapping[str, Any]


def notice(reason: Notice, **values: Any) -> Section:
    """Return the section with the notice called `reason`, a text of a sentence or two."""
    return Section("notice", {"reason": reason, **values})


def course(change: Course, match: Match, seat: Seat | None, **values: Any) -> Section:
    """Return the section about a change in the course of a match, for `seat` or, if None, for a reader without a
    seat."""
    return Section("course", {"what": change, "match": match, "seat": seat, **values})


class Outcome(NamedTuple):
    """The outcome of a letter, in a few words, for the desk's own records."""

    text: str


class Save(NamedTuple):
    """Store the course of a match: phase, turn, deadline, wishes, result."""

    match: Match


def result_content(result: Result) -> dict[str, Any]:
    """Return the content of the record's entry on how a match ended. It includes the ranking only if there is one."""
    places = {"ranking": result.ranking} if result.ranking else {}
    return {"winner": result.winner, "reason": result.reason, **places}


class Note(NamedTuple):
    """An entry for the record: its kind, its content and its match."""

    kind: str
    content: Mapping[str, Any]
    match: Match | None = None


class TakeOrders(NamedTuple):
    """Replace the orders of a seat with `entry`, which is legal; `match` already has the new orders."""

    match: Match
    seat: Seat
    entry: Entry


class TakesPart(NamedTuple):
    """Record that the holder of a seat has agreed to take part in the league of the match, by sending `accept` or
    orders."""

    match: Match
    seat: Seat


class WithdrawOrders(NamedTuple):
    """Withdraw the orders of a seat; `match` no longer has them."""

    match: Match
    seat: Seat


class SetStanding(NamedTuple):
    """Replace all standing orders of a seat with `canonical`; `match` already has the new ones."""

    match: Match
    seat: Seat
    canonical: str


class SetWords(NamedTuple):
    """Store the SHA-256 of a seat's contribution to chance; `match` already contains this hash."""

    match: Match
    seat: Seat


class Propose(NamedTuple):
    """Propose an order list. The seat gives these orders if it replies with a plain `yes` to the desk's answer to
    `letter`."""

    match: Match
    seat: Seat
    letter: int
    written: str
    canonical: str


class Ask(NamedTuple):
    """Store a command that is carried out only if its writer answers `yes`."""

    player: Player
    open_command: OpenCommand
    match: Match | None = None
    seat: Seat = ""


class Dismiss(NamedTuple):
    """Close the question that the answer to `letter` asked or, if `letter` is held, dismiss the letter itself."""

    letter: int
    match: Match | None


class TellOpen(NamedTuple):
    """Record that the answer to `letter` lists open questions to the player. `keys` are the keys of the questions, in
    the order of their numbers."""

    letter: int
    player: Player
    keys: tuple[str, ...]


class Announce(NamedTuple):
    """Tell the other players, at the end of the run, that a seat's orders are in."""

    match: Match
    seat: Seat


class Hold(NamedTuple):
    """Hold a letter until a `yes` confirms it, because it is not certain who wrote it: for example, it has no token, or
    it came from an address that is not the seat's."""

    letter: int
    address: str


class Release(NamedTuple):
    """Handle a held letter as if it had just arrived, because `player` has answered `yes`. The `yes` alone does not
    prove whose address the letter came from."""

    letter: int
    player: Player


class Wait(NamedTuple):
    """Postpone the answer to a stranger's letter until the limits on such answers allow it. `vouched` says whether a
    mail provider confirmed the sender."""

    letter: int
    address: str
    vouched: bool


class MarkFailing(NamedTuple):
    """Record that letters to a seat bounce or, if `failing` is false, that they no longer bounce."""

    match: Match
    seat: Seat
    failing: bool


class Play(NamedTuple):
    """Play a turn. `orders` maps each seat to its orders, or to None if it gave no orders; `match` is the match before
    the turn and `after` the match after it."""

    match: Match
    orders: Mapping[Seat, Entry | None]
    ruling: Ruling[Any]
    after: Match


class Undo(NamedTuple):
    """Undo `turn` and all later turns, and drop the orders that stand."""

    match: Match
    turn: int


class Resend(NamedTuple):
    """Send the report of a turn to a seat again, in a new letter; `mark` identifies the letter that asked for it."""

    match: Match
    seat: Seat
    turn: int
    mark: str


class NewHolder(NamedTuple):
    """Give a seat to `player`, who is a new person if the id of `player` is 0. `match` is the match before the change.
    Older tokens of the seat become invalid."""

    match: Match
    seat: Seat
    player: Player


class Anew(NamedTuple):
    """Play an annulled match again, with the same players and in the same place in its league. `reason` is the game
    master's reason."""

    match: Match
    reason: str


class NewMatch(NamedTuple):
    """Create a match, and also create those of its players whose id is 0."""

    game: str
    seats: Mapping[Seat, Player]
    options: Mapping[str, Any]
    terms: Terms
    accepted: frozenset[Seat] = frozenset()  # seats that are known to have accepted
    place: Mapping[str, int] = MappingProxyType({})  # the numbers of its league, season, division and round
    unwanted: frozenset[Seat] = frozenset()  # seats whose players want no letters and are not asked; kept secret
    words: Mapping[Seat, str] = MappingProxyType({})  # the contributions of seats to chance so far
    host: Seat = ""  # the inviting seat, "" for a game master
    sandbox: bool = False  # one person plays all sides
    placed: Placed | None = None  # the position from which a sandbox begins, if it is not the usual one

    @property
    def is_ready(self) -> bool:
        """Whether every seat is known to have accepted."""
        return self.accepted.issuperset(self.seats)


class Offer(NamedTuple):
    """Offer a seat to a person, as requested in `letter`. If `unwanted` is true, the person is not asked, and this is
    kept secret."""

    match: Match
    seat: Seat
    to: Invitee
    letter: int
    unwanted: bool = False


class AskToWatch(NamedTuple):
    """Ask a person whether they would like to watch a sandbox, on behalf of its player. If `unwanted` is true, the
    person is not asked, and this is kept secret."""

    match: Match
    host: Player
    to: Invitee
    key: str
    unwanted: bool = False


class EndOffer(NamedTuple):
    """End the offer of a seat, because it was declined."""

    match: Match
    seat: Seat


class Meet(NamedTuple):
    """Add a new person, whose address is not confirmed yet."""

    player: Player


class Confirm(NamedTuple):
    """Record that a player has confirmed `address` by answering `yes` or `accept` from there. If the player was not
    confirmed before or had no name, the name in `player` is stored."""

    player: Player
    address: str


class Refuse(NamedTuple):
    """Record that a person wants no more invitations."""

    player: Player


class NewAddress(NamedTuple):
    """Record that a player claims another address. Unless `agreed` is true, the answer to `letter` asks the player to
    agree from an older address. The claim takes effect once the new address has answered `yes`, too. The new address
    then replaces `instead`, if given."""

    player: Player
    address: str
    letter: int
    agreed: bool = False
    instead: str = ""


class Agree(NamedTuple):
    """Record one of the two `yes` answers that a claim to an address needs. The `yes` from the claimed address itself
    came in `letter`; for the `yes` from an older address, `letter` is None."""

    player: Player
    address: str
    letter: int | None


class TakeAddress(NamedTuple):
    """Give the claimed address to a player, because both it and an older address have answered `yes`. From now on,
    letters to the player go to the claimed address."""

    player: Player
    claim: Claim


class DropAddresses(NamedTuple):
    """Remove addresses that a player no longer has or claims, and restore the older addresses in `again`."""

    player: Player
    addresses: tuple[str, ...]
    again: tuple[str, ...] = ()


class SetZone(NamedTuple):
    """Set the time zone of the dates in a player's letters."""

    player: Player
    zone: str


class SetLanguage(NamedTuple):
    """Set the language of a player's letters; `language` is its code."""

    player: Player
    language: str


class SetMail(NamedTuple):
    """Set how a player wants to receive letters."""

    player: Player
    mail: MailWishes


class Away(NamedTuple):
    """Record a player's vacation or, if `absence` is None, end all vacations of the player. The vacations in `spent`
    still count as used, because deadlines waited for them."""

    player: Player
    absence: Absence | None
    spent: tuple[Absence, ...] = ()


class Join(NamedTuple):
    """Record that a person wants to play in a league, or in the next match of a game. Only one of `league` and `game`
    is named; the other is ""."""

    player: Player
    league: str
    game: str


class Leave(NamedTuple):
    """Record that a person no longer wants to play in `league`, or in the next match of each of `games`."""

    player: Player
    league: str
    games: frozenset[str] = frozenset()


class Challenge(NamedTuple):
    """Challenge another player on a ladder; `rival` is that player's number."""

    player: Player
    rival: int
    league: str


class Direct(NamedTuple):
    """Carry out a game master's command about a league. Whether the command is possible is known only when it is tried,
    so the answer to the letter is completed after that."""

    league: str
    word: str
    argument: str
    reason: str
    by: str
    letter: int | None  # None on the command line
    number: int  # the number of the command within the letter


class Observe(NamedTuple):
    """Start sending a match's reports to a person or, if `on` is false, stop sending them: to this person or, if its id
    is 0, to everybody who watches the match or was asked to."""

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
    key: str  # unique within a match and seat, so that no letter is sent twice
    player: Player
    sections: tuple[Section, ...]
    holder: Holder | None = None
    match: Match | None = None
    turn: int = 0  # the turn to which an answer to this letter belongs
    answers: str | None = None  # the Message-ID of the letter answered
    besides: str = ""  # the address of a game master who already knows and gets no copy
    joins: bool = False  # it may be merged with the report of its turn into one letter
    certain: bool = False  # no limit on the reader's recent letters applies
    untied: bool = False  # the letter answered does not show which letter of the desk it answers


OfQuestions = Ask | Dismiss | TellOpen
OfOrders = TakeOrders | WithdrawOrders | SetStanding | SetWords | Propose | Announce
OfMatch = Save | Note | TakesPart | Play | Undo | NewHolder | EndOffer | Observe | MarkFailing
OfLetter = Outcome | Hold | Release | Wait
OfPlayer = Meet | Confirm | Refuse | Away | Ban | Forget
OfAddress = NewAddress | Agree | TakeAddress | DropAddresses
OfWishes = SetZone | SetLanguage | SetMail | Join | Leave
Following = Send | Resend | NewMatch | Anew | Offer | AskToWatch | Join | Leave | Challenge | Direct
"""The effects that the desk carries out after all other effects of a letter have been stored: letters, new matches,
leagues."""

Effect = OfQuestions | OfOrders | OfMatch | OfLetter | OfPlayer | OfAddress | OfWishes | Following
