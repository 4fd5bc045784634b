"""What a letter asks of its desk. A desk looks each fact up in its store when it is asked, in the letter's transaction;
a test gives the answers as values."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from pbem.games.base import Seat
from pbem.match.identity import MailWishes
from pbem.match.model import Claim, Invitee, Lobby, Master, Match, OpenCommand, Repeats, Seated
from pbem.times.deadlines import Absence
from pbem.tournament.ratings import Strength


class Room(NamedTuple):
    """Which letters a stranger may still be answered: of the kinds "stranger" and "newcomer" those in `kinds`; if the
    room is `full` they wait."""

    kinds: frozenset[str] = frozenset(("stranger", "newcomer"))
    full: bool = False


class Listing(NamedTuple):
    """The open questions that a list of ours has numbered, by their keys: the list that the letter `answers`, or else
    the newest that its writer got."""

    keys: tuple[str, ...] = ()
    answers: bool = False


class LetterFacts(Protocol):
    """Facts about the letter itself."""

    @property
    def repeats(self) -> Repeats:
        """What the writer sent before it about the same match, or about none."""

    @property
    def late(self) -> bool:
        """Whether it was sent, as far as we can see, before the letter whose orders stand for the seat."""

    @property
    def dated_before(self) -> bool:
        """Whether its Date lies before that of the letter whose orders stand, though that may be due to clocks."""

    @property
    def lapsed(self) -> bool:
        """Whether its token is so old that it alone no longer shows who writes."""

    @property
    def banned(self) -> bool:
        """Whether it comes from somebody who is banned, or with the token of their seat."""

    @property
    def receipts(self) -> str:
        """What our answers told the seat in this turn, as `press.plain` writes it: press may not repeat it."""

    @property
    def listing(self) -> Listing:
        """The list of open questions to which a number in the letter refers."""

    @property
    def answered_at(self) -> datetime | None:
        """When the letter of ours that it answers was made, if that went to the same address."""

    @property
    def masters(self) -> tuple[Master, ...]:
        """The game masters of the league whose letter it answers."""

    @property
    def language(self) -> str:
        """The code of the language that it seems to be written in."""

    @property
    def room(self) -> Room:
        """Whether a stranger at its address may be answered."""

    @property
    def waited(self) -> bool:
        """Whether it has waited for room."""


class WriterFacts(Protocol):
    """Facts about whoever wrote the letter, if we know them."""

    @property
    def unconfirmed(self) -> bool:
        """Whether its address waits for their `yes`, or is theirs no longer."""

    @property
    def addresses(self) -> tuple[str, ...]:
        """Their addresses, the one where letters go first; of an unknown writer those of the token's owner."""

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
        """The matches whose games the letter may consult: the one that it is about, else all that concern them."""

    @property
    def master_of(self) -> tuple[Match, ...]:
        """The matches that they direct."""

    @property
    def spent(self) -> tuple[Absence, ...]:
        """Their vacations that are over, but for which a deadline has waited."""

    @property
    def invited(self) -> int:
        """How many letters to people who had not asked for them they caused in the last day."""

    @property
    def words_sent(self) -> int:
        """How many of their letters with words or wishes went to others in the last hour."""

    @property
    def mail(self) -> MailWishes:
        """How they want their letters."""

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
        """Whom the writer may challenge in a league, names and numbers; None if there is no such league."""


class OtherFacts(Protocol):
    """Facts about matches and people that a command names."""

    def match(self, name: str) -> Match | None:
        """The match of a name, in lower case."""

    def invitee(self, address: str) -> Invitee:
        """Whoever has an address, whether we know them or not."""

    def sitting(self, address: str) -> tuple[Match, ...]:
        """The matches that whoever has an address plays and that are not over."""

    def leads(self, address: str) -> bool:
        """Whether the writer directs a league, without playing there, in which whoever has an address takes part by
        their own word."""

    def leagues_of(self, address: str) -> frozenset[str]:
        """The leagues that whoever has an address plays in."""


class Facts(LetterFacts, WriterFacts, LeagueFacts, OtherFacts, Protocol):
    """All that a letter may ask. The same question gets the same answer as long as the letter is decided on."""
