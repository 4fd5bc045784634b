"""Facts that the core may need to decide on a letter. A desk looks each one up in its store when it is first needed, in
the letter's transaction; a test supplies them as values.
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
    """The room for answers to strangers: `kinds` holds those of "stranger" and "newcomer" that may still be answered;
    if the room is `full`, their letters wait."""

    kinds: frozenset[str] = frozenset(("stranger", "newcomer"))
    full: bool = False


class Listing(NamedTuple):
    """The keys of the open questions, in the order in which a letter of ours numbered them: the letter that this one
    `answers`, or else the newest such letter to the writer."""

    keys: tuple[str, ...] = ()
    answers: bool = False


class LetterFacts(Protocol):
    """Facts about the letter itself."""

    @property
    def repeats(self) -> Repeats:
        """The letters that the writer sent before this one about the same match, or about none."""

    @property
    def late(self) -> bool:
        """Whether the letter was sent, as far as we can see, before the one whose orders stand for the seat."""

    @property
    def dated_before(self) -> bool:
        """Whether its Date lies before that of the letter whose orders stand, though that may be due to clocks."""

    @property
    def lapsed(self) -> bool:
        """Whether the letter's token is so old that it alone no longer shows who writes."""

    @property
    def banned(self) -> bool:
        """Whether the letter comes from somebody who is banned, or with the token of their seat."""

    @property
    def receipts(self) -> str:
        """The text of our answers to the seat in this turn, in the form of `press.plain`. Press may not repeat it."""

    @property
    def listing(self) -> Listing:
        """The list of open questions to which a number in the letter refers."""

    @property
    def answered_at(self) -> datetime | None:
        """The moment at which the letter of ours that it answers was made, if that went to the same address."""

    @property
    def masters(self) -> tuple[Master, ...]:
        """The game masters of the league if it answers a league's letter."""

    @property
    def language(self) -> str:
        """The code of the language that the letter seems to be written in."""

    @property
    def room(self) -> Room:
        """Whether a stranger at the letter's address may be answered."""

    @property
    def waited(self) -> bool:
        """Whether the letter has waited for room."""


class WriterFacts(Protocol):
    """Facts about whoever wrote the letter, if we know them."""

    @property
    def unconfirmed(self) -> bool:
        """Whether the letter's address waits for their `yes`, or is no longer theirs."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Their addresses, the one where letters go first; if the writer is unknown, those of the token's owner."""

    @property
    def claims(self) -> Mapping[str, Claim]:
        """The addresses that they named and may still undo, in lower case."""

    @property
    def held(self) -> tuple[int, ...]:
        """The letters that wait for their `yes`."""

    @property
    def open_commands(self) -> tuple[OpenCommand, ...]:
        """Their own commands that wait for a `yes`; those of a seat are the match's."""

    @property
    def offered(self) -> tuple[tuple[Match, Seat, int], ...]:
        """The seats that they are offered, and the letters that offer them."""

    @property
    def own(self) -> tuple[Match, ...]:
        """Their matches that are not over."""

    @property
    def games(self) -> tuple[Seated, ...]:
        """The lines of their `status`."""

    @property
    def watched(self) -> tuple[str, ...]:
        """The names of the matches that they observe."""

    @property
    def consulted(self) -> tuple[Match, ...]:
        """The matches whose games may help to read the letter: the one that it is about, otherwise all that concern
        them."""

    @property
    def master_of(self) -> tuple[Match, ...]:
        """The matches that they direct."""

    @property
    def spent(self) -> tuple[Absence, ...]:
        """Their vacations that are over, but for which a deadline has waited."""

    @property
    def invited(self) -> int:
        """How many letters they caused in the last day to people who had not asked for any."""

    @property
    def words_sent(self) -> int:
        """How many of their letters with messages or wishes went to others in the last hour."""

    @property
    def words_today(self) -> int:
        """The same for the last day."""

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
        """How many of their letters were answered with this section in the last day."""


class LeagueFacts(Protocol):
    """Facts about leagues and about the people who wait for a game."""

    @property
    def lobby(self) -> Lobby:
        """Who waits for a game, which leagues are open and which matches can be watched."""

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
        """The leagues that the writer directs, with their rights in each: all rights where none are named."""

    def rivals(self, league: str) -> Mapping[str, int] | None:
        """The names and numbers of the players whom the writer may challenge in a league; None if there is no such
        league."""


class OtherFacts(Protocol):
    """Facts about matches and people that a command names."""

    def match(self, name: str) -> Match | None:
        """The match with a name, which is given in lower case."""

    def invitee(self, address: str) -> Invitee:
        """Whoever has an address, whether we know them or not."""

    def sitting(self, address: str) -> tuple[Match, ...]:
        """The unfinished matches in which whoever has an address plays."""

    def leads(self, address: str) -> bool:
        """Whether whoever has an address has agreed to play in a league that the writer directs without playing in
        it."""

    def leagues_of(self, address: str) -> frozenset[str]:
        """The leagues that whoever has an address plays in."""


class Facts(LetterFacts, WriterFacts, LeagueFacts, OtherFacts, Protocol):
    """All facts that a letter may need. The same question gets the same answer as long as the letter is being decided
    on."""
