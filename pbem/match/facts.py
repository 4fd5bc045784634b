"""Facts that the core may need to decide on a letter. A desk looks each one up in its store when it is first needed,
within the letter's transaction; a test supplies them as values.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from pbem.games.base import Seat
from pbem.match.identity import MailWishes
from pbem.match.model import Claim, Invitee, Lobby, Master, Match, OpenCommand, Repeats, Seated
from pbem.times.deadlines import Absence
from pbem.tournament.ratings import Strength


class Room(NamedTuple):
    """The room left for answers to strangers. `kinds` says which of "stranger" and "newcomer" may still be answered;
    while the room is `full`, their letters wait."""

    kinds: frozenset[str] = frozenset(("stranger", "newcomer"))
    full: bool = False


class Listing(NamedTuple):
    """The keys of the open questions, in the order in which a letter of ours numbers them: the letter that this one
    `answers`, or else the newest letter to the writer that lists any."""

    keys: tuple[str, ...] = ()
    answers: bool = False


class LetterFacts(Protocol):
    """Facts about the letter itself."""

    @property
    def repeats(self) -> Repeats:
        """The letters that the writer sent before this one about the same match, or about none."""

    @property
    def late(self) -> bool:
        """Whether, as far as we can see, the letter was sent before the one whose orders stand for the seat."""

    @property
    def dated_before(self) -> bool:
        """Whether its Date is earlier than that of the letter whose orders stand; this may only mean that the clocks
        differ."""

    @property
    def lapsed(self) -> bool:
        """Whether the letter's token is so old that it no longer suffices to show who writes."""

    @property
    def banned(self) -> bool:
        """Whether the letter comes from somebody who is banned, or bears the token of their seat."""

    @property
    def receipts(self) -> str:
        """The text of our answers to the seat in this turn, in the form that `press.plain` returns. Press may not
        repeat it."""

    @property
    def listing(self) -> Listing:
        """The list of open questions to which a number in the letter refers."""

    @property
    def answered_at(self) -> datetime | None:
        """The moment when we made the letter that this one answers, if we sent it to the address that this one comes
        from."""

    @property
    def masters(self) -> tuple[Master, ...]:
        """The game masters of the league, if the letter answers one from a league."""

    @property
    def language(self) -> str:
        """The code of the language that the letter seems to be written in."""

    @property
    def room(self) -> Room:
        """Whether a stranger at the letter's address may be answered."""

    @property
    def waited(self) -> bool:
        """Whether the letter has been waiting for room for an answer."""


class WriterFacts(Protocol):
    """Facts about the writer of the letter, if we know who that is."""

    @property
    def unconfirmed(self) -> bool:
        """Whether the letter's address still waits for the writer's `yes`, or is no longer theirs."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Their addresses, beginning with the one that letters go to; if the writer is unknown, those of the token's
        owner."""

    @property
    def claims(self) -> Mapping[str, Claim]:
        """The addresses that they have claimed and may still undo, in lower case."""

    @property
    def held(self) -> tuple[int, ...]:
        """The letters that are held until they answer `yes`."""

    @property
    def open_commands(self) -> tuple[OpenCommand, ...]:
        """Their own commands that wait for a `yes`; those of a seat belong to its match."""

    @property
    def offered(self) -> tuple[tuple[Match, Seat, int], ...]:
        """The seats that they have been offered, each with its match and the letter that offers it."""

    @property
    def own(self) -> tuple[Match, ...]:
        """The unfinished matches in which they play."""

    @property
    def games(self) -> tuple[Seated, ...]:
        """Their games, as `status` lists them."""

    @property
    def watched(self) -> tuple[str, ...]:
        """The names of the matches that they observe."""

    @property
    def consulted(self) -> tuple[Match, ...]:
        """The matches whose games may help in reading the letter: the one that it is about, otherwise all that concern
        them."""

    @property
    def master_of(self) -> tuple[Match, ...]:
        """The matches that they direct."""

    @property
    def spent(self) -> tuple[Absence, ...]:
        """Their past vacations for which a deadline was postponed."""

    @property
    def invited(self) -> int:
        """How many letters they have caused in the last day to people who had not asked for any."""

    @property
    def words_sent(self) -> int:
        """How many of their letters with messages or wishes were passed on to others in the last hour."""

    @property
    def words_today(self) -> int:
        """How many of their letters with messages or wishes were passed on in the last day."""

    @property
    def claims_today(self) -> int:
        """How many claims they made about the match in the last day."""

    @property
    def mail(self) -> MailWishes:
        """How they want to receive letters."""

    @property
    def data(self) -> Mapping[str, Any]:
        """Everything that the desk stores about them."""

    @property
    def strength(self) -> Strength:
        """Their rating."""

    def answered_today(self, section: str) -> int:
        """Return how many of their letters were answered with this section in the last day."""


class LeagueFacts(Protocol):
    """Facts about leagues and about the people who wait for a game."""

    @property
    def lobby(self) -> Lobby:
        """The people who wait for a game, the leagues that are open, and the matches that can be watched."""

    @property
    def awaits(self) -> frozenset[str]:
        """The names of the games for which the writer waits."""

    @property
    def leagues(self) -> tuple[str, ...]:
        """The names of all leagues."""

    @property
    def joined(self) -> frozenset[str]:
        """The leagues that the writer plays in."""

    @property
    def directs(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        """The leagues that the writer directs, with the writer's rights in each; an empty list of rights means all."""

    def rivals(self, league: str) -> Mapping[str, int] | None:
        """Return the names and numbers of the players whom the writer may challenge in a league; None if there is no
        such league."""


class OtherFacts(Protocol):
    """Facts about matches and people that a command names."""

    def match(self, name: str) -> Match | None:
        """Return the match with a name, which is given in lower case."""

    def invitee(self, address: str) -> Invitee:
        """Return the person at an address, whether we know them or not."""

    def sitting(self, address: str) -> tuple[Match, ...]:
        """Return the unfinished matches in which the person at an address plays."""

    def leads(self, address: str) -> bool:
        """Return whether the person at an address has agreed to play in a league that the writer directs but does not
        play in."""

    def leagues_of(self, address: str) -> frozenset[str]:
        """Return the leagues in which the person at an address plays."""


class Facts(LetterFacts, WriterFacts, LeagueFacts, OtherFacts, Protocol):
    """All facts that a letter may need. While a letter is being decided on, the same question always gets the same
    answer."""
