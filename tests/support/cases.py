"""Cases for the core, made only of values: a letter of a seat as it was read, and the facts that it may ask for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from pbem.games import DEFAULT, find_game
from pbem.games.base import Seat, seats_of
from pbem.games.chance import any_chance
from pbem.match.case import Case
from pbem.match.effects import Effect, Section, Send
from pbem.match.facts import Appeal, Listing, Room, Ruling
from pbem.match.identity import Holder, MailWishes, Player, Token, Writer
from pbem.match.model import Claim, Invitee, Master, Match, OpenCommand, Repeats
from pbem.match.overview import Led, Lobby, Seated
from pbem.match.receive import receive
from pbem.match.terms import Terms
from pbem.orders import reader
from pbem.service.load_case import at_turn
from pbem.times.deadlines import Absence, Deadline, Pace
from pbem.tournament.ratings import UNKNOWN, Strength

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
PEOPLE = (Player(1, "Alice", "alice@example.net"), Player(2, "Bob", "bob@example.com"))


@dataclass(frozen=True)
class KnownFacts:
    """Facts that are given in advance. By default they are those of a desk with a single match."""

    repeats: Repeats = field(default_factory=Repeats)
    late: bool = False
    dated_before: bool = False
    lapsed: bool = False
    banned: bool = False
    receipts: str = ""
    listing: Listing = field(default_factory=Listing)
    answered_at: datetime | None = None
    masters: tuple[Master, ...] = ()
    language: str = ""
    room: Room = field(default_factory=Room)
    waited: bool = False
    unconfirmed: bool = False
    addresses: tuple[str, ...] = ()
    claims: Mapping[str, Claim] = field(default_factory=dict)
    held: tuple[int, ...] = ()
    open_commands: tuple[OpenCommand, ...] = ()
    offered: tuple[tuple[Match, Seat, int], ...] = ()
    own: tuple[Match, ...] = ()
    games: tuple[Seated, ...] = ()
    watched: tuple[str, ...] = ()
    consulted: tuple[Match, ...] = ()
    master_of: tuple[Match, ...] = ()
    spent: tuple[Absence, ...] = ()
    invited: int = 0
    words_sent: int = 0
    words_today: int = 0
    claims_today: int = 0
    mail: MailWishes = field(default_factory=MailWishes)
    data: Mapping[str, Any] = field(default_factory=dict)
    strength: Strength = UNKNOWN
    answered: Mapping[str, int] = field(default_factory=dict)
    lobby: Lobby = field(default_factory=Lobby)
    awaits: frozenset[str] = frozenset()
    leagues: tuple[str, ...] = ()
    joined: frozenset[str] = frozenset()
    directs: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    led_leagues: tuple[Led, ...] = ()
    may_challenge: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    matches: Mapping[str, Match] = field(default_factory=dict)
    people: Mapping[str, Invitee] = field(default_factory=dict)
    played: Mapping[str, tuple[Match, ...]] = field(default_factory=dict)
    led: frozenset[str] = frozenset()
    last_answers: Mapping[Seat, datetime] = field(default_factory=dict)
    leagues_by_address: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def answered_today(self, section: str) -> int:
        return self.answered.get(section, 0)

    def rivals(self, league: str) -> Mapping[str, int] | None:
        return self.may_challenge.get(league)

    def match(self, name: str) -> Match | None:
        return self.matches.get(name)

    def invitee(self, address: str) -> Invitee:
        return self.people.get(address, Invitee(address, None))

    def sitting(self, address: str) -> tuple[Match, ...]:
        return self.played.get(address, ())

    def addresses_called(self, name: str) -> tuple[str, ...]:
        return ()

    def rulings(self, match: Match) -> tuple[Ruling, ...]:
        return ()

    def appeals(self, match: Match) -> tuple[Appeal, ...]:
        return ()

    def last_answered(self, match: Match, seat: Seat) -> datetime | None:
        return self.last_answers.get(seat)

    def leads(self, address: str) -> bool:
        return address in self.led

    def leagues_of(self, address: str) -> frozenset[str]:
        return self.leagues_by_address.get(address, frozenset())


def begun(game_name: str = DEFAULT, **changes: Any) -> Match:
    """A match between Alice and Bob that has just begun, with optional changes."""
    game = find_game(game_name)
    holders = {
        seat: Holder(seat, player, player.name, 1, frozenset((player.address,)))
        for seat, player in zip(seats_of(game, {}), PEOPLE, strict=False)
    }
    terms = Terms(deadline=Pace(every=timedelta(days=3)), remind=(), cooling_off=timedelta())
    deadline = Deadline(NOON + timedelta(days=3), "UTC")
    match = Match(1, f"{game.short}-1", game, game.new({}, any_chance()), 1, holders, terms=terms, deadline=deadline)
    return replace(match, accepted=frozenset(holders), **changes)


def letter(text: str, match: Match | None = None, seat: Seat = "red", **facts: Any) -> Case:
    """The case of a letter from a seat that answers a letter of the current turn. `facts` replace the default ones."""
    match = match or begun()
    holder = match.holders[seat]
    words = at_turn(reader.read_words(text, match.name, match.situation), match)
    writer = Writer(Token(match.id, seat, match.turn, "a" * 16), holder.player, None)
    known = KnownFacts(**facts)
    address, problems = holder.player.address, words.problems
    return Case(100, writer, match, text, known, words, problems=problems, address=address, secret=b"s" * 32)


def told(effects: Sequence[Effect]) -> list[Section]:
    """The sections of the answer to the writer."""
    return [section for effect in effects if isinstance(effect, Send) and effect.kind == "answer"
            for section in effect.sections]  # fmt: skip


def reasons(case: Case, now: datetime = NOON) -> list[str]:
    """Answer a case, and return the names of notices and of other sections in order."""
    return [section.values.get("reason", section.template) for section in told(receive(case, now))]
