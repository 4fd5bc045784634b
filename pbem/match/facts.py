"""Facts that the service core may need when it handles a letter. The desk looks up each fact in its store when it is
first needed, within the transaction for the letter; a test supplies facts as values.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from pbem.games.base import Seat
from pbem.match.identity import MailWishes
from pbem.match.model import Claim, Invitee, Master, Match, OpenCommand, Repeats
from pbem.match.overview import Led, Lobby, Seated
from pbem.times.deadlines import Absence
from pbem.tournament.ratings import Strength


class Room(NamedTuple):
    """The limits on letters to strangers. `kinds` are the kinds of letters, "stranger" or "newcomer", that may be sent
    to the stranger's address; while `full` is true, such letters must wait."""

    kinds: frozenset[str] = frozenset(("stranger", "newcomer"))
    full: bool = False


class Listing(NamedTuple):
    """The numbered list of open questions in a letter from the desk: the keys of the questions in order. `answers` says
    whether the incoming letter answers the letter with this list; if not, the list comes from the newest letter to the
    writer that has one."""

    keys: tuple[str, ...] = ()
    answers: bool = False


class Ruling(NamedTuple):
    """A decision of a game master on a match, against which a player may appeal: its number in the record, when it was
    made, its command word and argument, the reason, and what the record calls the person who made it."""

    number: int
    at: datetime
    word: str
    argument: str
    reason: str
    by: str


class Appeal(NamedTuple):
    """An appeal: the number of its match, when it was made, its own number, that of the decision, the seat and the
    player who made it, and whether it still waits."""

    match: int
    at: datetime
    number: int
    against: int
    seat: Seat
    player: int
    waits: bool


class LetterFacts(Protocol):
    """Facts about the letter itself."""

    @property
    def repeats(self) -> Repeats:
        """A summary of the writer's earlier letters about the same match or, if the letter is not about a match, of the
        writer's other letters that are not about a match."""

    @property
    def late(self) -> bool:
        """Whether the letter seems to have been sent before the letter with the orders that stand for the seat."""

    @property
    def dated_before(self) -> bool:
        """Whether the letter's Date is earlier than that of the letter with the orders that stand. This may only mean
        that the clocks differ."""

    @property
    def lapsed(self) -> bool:
        """Whether the letter's token is so old that it alone no longer proves who the writer is."""

    @property
    def banned(self) -> bool:
        """Whether the letter comes from a person who is banned, or has the token of such a person's seat."""

    @property
    def receipts(self) -> str:
        """The text of the desk's answers to the seat in this turn, in the form that `press.plain` returns. Press must
        not repeat this text."""

    @property
    def listing(self) -> Listing:
        """The list of open questions to which a number in the letter refers."""

    @property
    def answered_at(self) -> datetime | None:
        """The moment when the desk wrote the letter that this letter answers; None if that letter was not sent to the
        address from which this letter comes."""

    @property
    def masters(self) -> tuple[Master, ...]:
        """The game masters of the league from which the answered letter came; () if it did not come from a league."""

    @property
    def language(self) -> str:
        """The code of the language in which the letter seems to be written."""

    @property
    def room(self) -> Room:
        """The limits on an answer to this letter if its writer is a stranger."""

    @property
    def waited(self) -> bool:
        """Whether the letter has had to wait because the limits on answers to strangers were reached."""


class WriterFacts(Protocol):
    """Facts about the writer of the letter, if the writer is known."""

    @property
    def unconfirmed(self) -> bool:
        """Whether the letter came from an address that the writer has not confirmed yet, or that is no longer the
        writer's."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """The writer's confirmed addresses, beginning with the address to which letters are sent. If the writer is
        unknown, these are the addresses of the token's owner."""

    @property
    def claims(self) -> Mapping[str, Claim]:
        """The writer's claims that are still open or can still be undone, keyed by the claimed address in lower
        case."""

    @property
    def held(self) -> tuple[int, ...]:
        """The numbers of the writer's letters that are held until the writer answers `yes`."""

    @property
    def open_commands(self) -> tuple[OpenCommand, ...]:
        """The writer's personal commands that are waiting for a `yes`. Commands given for a seat are stored in the
        match."""

    @property
    def offered(self) -> tuple[tuple[Match, Seat, int], ...]:
        """The seats that the writer has been offered, each with its match and the number of the letter that made the
        offer."""

    @property
    def own(self) -> tuple[Match, ...]:
        """The unfinished matches in which the writer plays."""

    @property
    def games(self) -> tuple[Seated, ...]:
        """The writer's games, as the command `status` lists them."""

    @property
    def watched(self) -> tuple[str, ...]:
        """The names of the matches that the writer observes."""

    @property
    def asked_to_watch(self) -> tuple[str, ...]:
        """The names of the sandboxes that the writer was asked to watch and has not agreed to watch yet."""

    @property
    def consulted(self) -> tuple[Match, ...]:
        """The matches in which names in the letter may be looked up: the match that the letter is about or, if it is
        about no match, all matches in which the writer plays or that the writer observes."""

    @property
    def master_of(self) -> tuple[Match, ...]:
        """The matches of which the writer is a game master."""

    @property
    def spent(self) -> tuple[Absence, ...]:
        """The writer's past vacations for which a deadline was postponed."""

    @property
    def invited(self) -> int:
        """How many letters the writer has caused in the last day to people who had not asked for any."""

    @property
    def words_sent(self) -> int:
        """How many of the writer's letters with messages or wishes were passed on to others in the last hour."""

    @property
    def words_today(self) -> int:
        """How many of the writer's letters with messages or wishes were passed on to others in the last day."""

    @property
    def claims_today(self) -> int:
        """How many claims the writer has made about the match in the last day."""

    @property
    def mail(self) -> MailWishes:
        """How the writer wants to receive letters."""

    @property
    def data(self) -> Mapping[str, Any]:
        """Everything that the desk stores about the writer."""

    @property
    def strength(self) -> Strength:
        """The writer's rating."""

    def answered_today(self, section: str) -> int:
        """Return how many answers with a section called `section` the writer has had in the last day."""


class LeagueFacts(Protocol):
    """Facts about leagues and about the people who are waiting for a game."""

    @property
    def lobby(self) -> Lobby:
        """The people who are waiting for a game, the leagues that are open, and the matches that can be watched."""

    @property
    def awaits(self) -> frozenset[str]:
        """The names of the games for whose next match the writer is waiting."""

    @property
    def leagues(self) -> tuple[str, ...]:
        """The names of all leagues."""

    @property
    def joined(self) -> frozenset[str]:
        """The names of the leagues in which the writer plays."""

    @property
    def directs(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """The writer's rights in leagues of which the writer is a game master, keyed by league name. Each value
        contains one or more lists of permitted decisions; an empty list permits all decisions."""

    @property
    def led_leagues(self) -> tuple[Led, ...]:
        """The leagues that the writer directs, as a game master of the league or of the whole desk."""

    def rivals(self, league: str) -> Mapping[str, int] | None:
        """Return the numbers of the players whom the writer may challenge in `league`, keyed by the names of these
        players; None if there is no such league."""


class OtherFacts(Protocol):
    """Facts about matches and people that a command names."""

    def match(self, name: str) -> Match | None:
        """Return the match called `name`, which is in lower case, or None if there is no such match. For the writer,
        there is no sandbox except their own and those that they watch or were asked to watch."""

    def invitee(self, address: str) -> Invitee:
        """Return the person at `address`, whether the desk knows this person or not."""

    def sitting(self, address: str) -> tuple[Match, ...]:
        """Return the unfinished matches in which the person at `address` plays."""

    def addresses_called(self, name: str) -> tuple[str, ...]:
        """Return an address of each player called `name`, in any case: the first that is known to be theirs."""

    def rulings(self, match: Match) -> tuple[Ruling, ...]:
        """Return the decisions of game masters on `match`, oldest first."""

    def appeals(self, match: Match) -> tuple[Appeal, ...]:
        """Return the appeals about `match`, oldest first."""

    def last_answered(self, match: Match, seat: Seat) -> datetime | None:
        """Return when the desk last answered a letter of the holder of `seat` about `match`; None if it never has."""

    def leads(self, address: str) -> bool:
        """Return whether the person at `address` has agreed to play in a league that the writer directs but does not
        play in."""

    def leagues_of(self, address: str) -> frozenset[str]:
        """Return the names of the leagues in which the person at `address` plays."""


class Facts(LetterFacts, WriterFacts, LeagueFacts, OtherFacts, Protocol):
    """All facts that may be needed to handle a letter. While a letter is being handled, no fact changes its value."""
