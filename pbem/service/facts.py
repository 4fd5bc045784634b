"""The facts about a letter. Each fact is looked up in the store when the core first needs it, and only once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, Literal

from pbem.config.config import Config, game_master_of, is_own
from pbem.games.base import Seat
from pbem.i18n.words import guess_language
from pbem.mail import letters
from pbem.match import clock
from pbem.match.case import Answered
from pbem.match.facts import Appeal, Listing, Room, Ruling
from pbem.match.identity import ME, Evidence, Holder, MailWishes, Player, Writer
from pbem.match.model import NO_ROOM, Claim, Invitee, Master, Match, OpenCommand, Repeats
from pbem.match.overview import Led, Lobby, Seated
from pbem.service.writers import Writers, league_of, when_written
from pbem.store import decisions, masters, matches, outbox, players, questions, ratings, search, waiting
from pbem.store.database import KeptLetter, Snapshot, Store
from pbem.times.deadlines import Absence
from pbem.tournament.ratings import Strength

POWER = timedelta(days=14)
"""How long a token alone continues to identify the writer of a letter after the token's turn or game is over. After
that, the writer is asked for confirmation."""

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)
_CLOCKS = timedelta(minutes=2)  # the largest difference to expect between the clocks of one person's devices


@dataclass
class Sent:
    """A letter as it arrived, with its apparent writer and the letter from the desk that it answers."""

    kept: KeptLetter
    letter: letters.Letter
    evidence: Evidence
    writer: Writer
    address: str
    holders: Mapping[tuple[int, Seat], Holder] = field(default_factory=dict)  # of the seats that its tokens name
    match: Match | None = None
    answered: Answered = field(default_factory=Answered)
    vouched_by: int | None = None  # the player who confirmed that the letter is theirs

    @property
    def holder(self) -> Holder | None:
        """The holder of the seat that wrote the letter."""
        return self.holders.get(self.writer.token[:2]) if self.writer.token else None


@dataclass
class StoredFacts:
    """The facts about the letter `sent`, all looked up in the same state of the store. Looking up a fact raises Stale
    if the store has changed since `snapshot` was taken."""

    config: Config
    now: datetime
    writers: Writers
    snapshot: Snapshot
    sent: Sent
    _matches: dict[str, Match | None] = field(default_factory=dict, init=False)
    _people: dict[str, Invitee] = field(default_factory=dict, init=False)
    _known: dict[str, Invitee] = field(default_factory=dict, init=False)

    @property
    def _store(self) -> Store:
        return self.snapshot.store

    @property
    def _writer(self) -> int:
        """The number of the player who wrote the letter; 0 if the writer is not a player."""
        player = self.sent.writer.player
        return player.id if player else 0

    @property
    def _seat(self) -> tuple[Match, Seat] | None:
        """The match and the seat to which the letter's token belongs; None if the token belongs to no seat."""
        match, token = self.sent.match, self.sent.writer.token
        return (match, token.seat) if match and token and token.seat in match.holders else None

    # The letter

    @cached_property
    def repeats(self) -> Repeats:
        match, token = self.sent.match, self.sent.writer.token
        return self._store.repeats(self.sent.kept.id, token.match if match and token else None)

    @property
    def late(self) -> bool:
        return self._order == "late"

    @property
    def dated_before(self) -> bool:
        return self._order == "dated before"

    @cached_property
    def _order(self) -> Literal["", "dated before", "late"]:
        """Whether this letter, although it is read later, is older than the letter with the orders that stand.

        The value is "late" if this letter is certainly older, "dated before" if only its date suggests that, and ""
        otherwise. If this letter answers a letter that the desk wrote after those orders came, it is certainly newer,
        whatever the clocks say.
        """
        standing = self._seat and self._seat[0].standing.get(self._seat[1])
        if self.sent.vouched_by or not standing or standing.letter is None:
            return ""
        if (self.sent.answered.letter or 0) >= standing.letter:
            return ""
        arrived, raw = self._store.arrival(standing.letter)
        if self.sent.kept.arrived < arrived:
            return "late"
        sent, standing_sent = when_written(self.sent.letter), when_written(letters.read_head(raw))
        if not sent or not standing_sent or sent >= standing_sent:
            return ""
        ahead = standing_sent > self.now
        if ahead == (sent > self.now) and standing_sent - sent > _CLOCKS:
            return "late"
        return "" if ahead and standing_sent - self.now > _DAY else "dated before"  # a clock far ahead proves nothing

    @cached_property
    def lapsed(self) -> bool:
        """Whether the letter's token is so old that anybody may have found it. The age of a token counts from the end
        of its turn or game. If the token belongs to a player rather than to a seat, its age counts from the day on
        which the desk sent it."""
        token = self.sent.writer.token
        if token is None or self.sent.vouched_by:
            return False
        if token.seat == ME:
            return token.turn < (self.now - POWER).toordinal()
        since = players.token_expired(self._store, token.match, token.turn)
        return since is not None and since < self.now - POWER

    @cached_property
    def banned(self) -> bool:
        welcome, number = self.sent.evidence.player, self.sent.holder.player.id if self.sent.holder else 0
        if welcome and number in (0, welcome.id):
            return False
        unwelcome = number != 0 and players.find_player(self._store, number) is None
        return unwelcome or self._known_at(self.sent.evidence.address).banned

    @cached_property
    def receipts(self) -> str:
        from pbem.match.press import plain

        if self._seat is None:
            return ""
        match, seat = self._seat
        answers = outbox.answers_since_report(self._store, match.id, seat)
        return f" {plain(' '.join(letters.with_seals(raw) for raw in answers))} "

    @cached_property
    def listing(self) -> Listing:
        return Listing(*questions.listed(self._store, self._writer, self.sent.answered.letter or 0))

    @cached_property
    def answered_at(self) -> datetime | None:
        return outbox.made_for(self._store, self.sent.answered.message_id, self.sent.address)

    @cached_property
    def masters(self) -> tuple[Master, ...]:
        return masters.masters_of(self._store, league_of(self.sent.letter.references))

    @cached_property
    def language(self) -> str:
        return guess_language(f"{self.sent.letter.text} {self.sent.letter.subject}")

    @cached_property
    def room(self) -> Room:
        return Room(*waiting.room_for(self._store, self.sent.address, self.now, vouched=self.sent.evidence.vouched))

    @cached_property
    def waited(self) -> bool:
        return self._store.outcome_of(self.sent.kept.id).endswith(NO_ROOM)

    # The writer

    @cached_property
    def unconfirmed(self) -> bool:
        return self.sent.address not in players.addresses(self._store, self._writer, confirmed=True)

    @cached_property
    def addresses(self) -> tuple[str, ...]:
        whose = self.sent.writer.player or self.sent.writer.owner
        return players.known_addresses(self._store, whose.id) if whose else ()

    @cached_property
    def claims(self) -> Mapping[str, Claim]:
        return players.claims(self._store, self._writer, self.now)

    @cached_property
    def held(self) -> tuple[int, ...]:
        return players.held_letters(self._store, self._writer)

    @cached_property
    def open_commands(self) -> tuple[OpenCommand, ...]:
        return questions.of_player(self._store, self._writer, self.now)

    @cached_property
    def offered(self) -> tuple[tuple[Match, Seat, int], ...]:
        return questions.offers(self._store, self._writer, self.now - clock.OFFER)

    @cached_property
    def own(self) -> tuple[Match, ...]:
        return self._played_by(self.sent.writer.player)

    @cached_property
    def games(self) -> tuple[Seated, ...]:
        return search.seated(self._store, self._writer)

    @cached_property
    def watched(self) -> tuple[str, ...]:
        return matches.watched(self._store, self._writer)

    @cached_property
    def asked_to_watch(self) -> tuple[str, ...]:
        return matches.asked_to_watch(self._store, self._writer)

    @cached_property
    def consulted(self) -> tuple[Match, ...]:
        if self.sent.writer.failure or not self.sent.writer.player:
            return ()
        if self.sent.match:
            return (self.sent.match,)
        return (*self.own, *filter(None, map(self.match, self.watched)))

    @cached_property
    def master_of(self) -> tuple[Match, ...]:
        return masters.games_of_master(self._store, game_master_of(self.config), self.sent.address)

    @cached_property
    def spent(self) -> tuple[Absence, ...]:
        return players.spent_absences(self._store, self._writer)

    @cached_property
    def invited(self) -> int:
        return players.invited_since(self._store, self._writer, self.now - _DAY)

    @cached_property
    def words_sent(self) -> int:
        return self._passed_on(self.now - _HOUR)

    @cached_property
    def words_today(self) -> int:
        return self._passed_on(self.now - _DAY)

    @cached_property
    def claims_today(self) -> int:
        match = self._seat[0].id if self._seat else None
        return outbox.asked_by(self._store, self._writer, match, self.now - _DAY, claims=True)

    def _passed_on(self, since: datetime) -> int:
        """Return how many messages and wishes of the writer have been passed on to other people since the moment
        `since`."""
        if self._seat is None:
            return outbox.asked_by(self._store, self._writer, None, since)
        match, seat = self._seat
        told = matches.count_press(self._store, match.id, seat, since)
        return told + outbox.asked_by(self._store, self._writer, match.id, since)

    @cached_property
    def mail(self) -> MailWishes:
        return players.mail_wishes(self._store, self._writer)

    @cached_property
    def data(self) -> Mapping[str, Any]:
        return players.data_of(self._store, self._writer)

    @cached_property
    def strength(self) -> Strength:
        return ratings.rating_of(self._store, self._writer)

    def answered_today(self, section: str) -> int:
        return players.answered_with(self._store, self._writer, section, self.now - _DAY)

    # Leagues, and the players who are waiting for a game

    @cached_property
    def lobby(self) -> Lobby:
        return search.lobby(self._store, self._writer)

    @cached_property
    def awaits(self) -> frozenset[str]:
        return players.awaited_games(self._store, self._writer)

    @cached_property
    def leagues(self) -> tuple[str, ...]:
        return search.league_names(self._store)

    @cached_property
    def joined(self) -> frozenset[str]:
        return search.joined_by(self._store, self._writer)

    @cached_property
    def directs(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        return masters.directed_by(self._store, self.sent.address)

    def directed_leagues(self) -> tuple[str, ...]:
        """Return the names of the leagues that the writer directs."""
        of_desk = game_master_of(self.config).address.lower() == self.sent.address
        return self.leagues if of_desk else tuple(self.directs)

    @cached_property
    def led_leagues(self) -> tuple[Led, ...]:
        from pbem.service.leagues_shown import led
        from pbem.store.leagues import find_season

        return tuple(map(led, (find_season(self._store, name) for name in self.directed_leagues())))

    def rivals(self, league: str) -> Mapping[str, int] | None:
        from pbem.leagues.season import challengeable
        from pbem.store.leagues import find_season

        name = next((name for name in self.leagues if name.casefold() == league.casefold()), None)
        return challengeable(find_season(self._store, name), self._writer, self.now) if name else None

    # What commands name

    def match(self, name: str) -> Match | None:
        if name not in self._matches:
            number = matches.number_of(self._store, name)
            match = self._directed(matches.load_match(self._store, number)) if number else None
            self._matches[name] = match if match and self._may_know(match) else None
        return self._matches[name]

    def _may_know(self, match: Match) -> bool:
        """Return whether the writer may know that there is this match. Only its player, those who watch it or were
        asked to, and game masters may know of a sandbox."""
        judges = {judge.address.lower() for judge in match.judges}
        return (
            not match.sandbox
            or not self.sent.kept.id  # the operator
            or any(holder.player.id == self._writer for holder in match.holders.values())
            or match.name in (*self.watched, *self.asked_to_watch)
            or self.sent.address in judges
        )

    def invitee(self, address: str) -> Invitee:
        address = address.lower()
        if address not in self._people:
            invitee = self._known_at(address)
            self._people[address] = invitee._replace(
                ours=is_own(self.config, address),
                addresses=players.known_addresses(self._store, invitee.player.id) if invitee.player else (),
                unanswered=waiting.unanswered(self._store, address, self.now),
            )
        return self._people[address]

    def sitting(self, address: str) -> tuple[Match, ...]:
        return tuple(map(self._directed, self._played_by(self.invitee(address).player)))

    def addresses_called(self, name: str) -> tuple[str, ...]:
        return players.addresses_called(self._store, name)

    def rulings(self, match: Match) -> tuple[Ruling, ...]:
        return decisions.rulings(self._store, match.id)

    def appeals(self, match: Match) -> tuple[Appeal, ...]:
        return decisions.appeals(self._store, match.id)

    def last_answered(self, match: Match, seat: Seat) -> datetime | None:
        return outbox.last_answered(self._store, match.id, seat)

    def leads(self, address: str) -> bool:
        player = self.invitee(address).player
        return player is not None and masters.may_set_address(self._store, self.sent.address, player.id)

    def leagues_of(self, address: str) -> frozenset[str]:
        player = self.invitee(address).player
        return search.joined_by(self._store, player.id) if player else frozenset()

    def _known_at(self, address: str) -> Invitee:
        """Return the person with this `address`, without the facts about them that only commands need."""
        if address not in self._known:
            self._known[address] = players.invitee(self._store, address, self._writer)
        return self._known[address]

    def _played_by(self, player: Player | None) -> tuple[Match, ...]:
        numbers = matches.unfinished(self._store, player.id) if player else ()
        return tuple(matches.playable(self._store, *numbers))

    def _directed(self, match: Match) -> Match:
        return masters.with_masters(match, game_master_of(self.config))
