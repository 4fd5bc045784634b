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
    """The room left for answers to strangers. `kinds` are those of "stranger" and "newcomer" that may still be
    answered; while the room is `full`, their letters wait."""

    kinds: frozenset[str] = frozenset(("stranger", "newcomer"))
    full: bool = False


class Listing(NamedTuple):
    """The keys of the open questions in the order of their numbers in a letter of ours: the one that this letter
    `answers`, or else the newest to the writer that lists any."""

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
        """Whether its Date is earlier than that of the letter whose orders stand, though differing clocks may explain
        that."""

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
        """The moment at which the letter of ours that this one answers was made, if that went to the same address."""

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
    """Facts about whoever wrote the letter, if we know them."""

    @property
    def unconfirmed(self) -> bool:
        """Whether the letter's address still waits for their `yes`, or is no longer theirs."""

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
        """The seats that they are offered, each with its match and the letter that offers it."""

    @property
    def own(self) -> tuple[Match, ...]:
        """The matches in which they play and that are not over."""

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
        """How many such letters were passed on in the last day."""

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
        """The leagues that the writer directs, with the writer's rights in each; an empty list of rights means all."""

    def rivals(self, league: str) -> Mapping[str, int] | None:
        """The names and numbers of the players whom the writer may challenge in a league; None if there is no such
        league."""


class OtherFacts(Protocol):
    """Facts about matches and people that a command names."""

    def match(self, name: str) -> Match | None:
        """The match with a name, which is given in lower case."""

    def invitee(self, address: str) -> Invitee:
        """The person at an address, whether we know them or not."""

    def sitting(self, address: str) -> tuple[Match, ...]:
        """The unfinished matches in which the person at an address plays."""

    def leads(self, address: str) -> bool:
        """Whether the person at an address has agreed to play in a league that the writer directs but does not play
        in."""

    def leagues_of(self, address: str) -> frozenset[str]:
        """The leagues in which the person at an address plays."""


class Facts(LetterFacts, WriterFacts, LeagueFacts, OtherFacts, Protocol):
    """All facts that a letter may need. While a letter is being decided on, the same question always gets the same
    answer."""
