"""A game master's overview: the decisions that are waiting for the game master, everything that is late, and everything
that has happened since the game master last looked.

The overview shows no orders, and nothing from games in which the game master plays.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import Sentence
from pbem.config.config import Address, Config, game_master_of
from pbem.games.base import Seat
from pbem.match.anonymous import sees_names, with_names
from pbem.match.effects import Section, Send
from pbem.match.model import Match
from pbem.match.sections import listed
from pbem.match.terms import CLAIM
from pbem.store import decisions, masters, matches, news, players
from pbem.store.database import Store
from pbem.store.news import OPERATOR, News
from pbem.times.moments import load_zone, parse_moment, stamp

if TYPE_CHECKING:
    from pbem.leagues.season import LeagueSeason

_PRIVATE = frozenset(("orders", "tell", "say", "position", "letters"))
"""The command words of decisions that other game masters are shown without the argument, which not all of them may
see."""


_OF_ALL = frozenset(("annul", "pause", "resume", "reopen"))
"""Kinds of entries in the record that concern a match as a whole rather than a single seat."""

_SENTENCES: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], Sentence]] = {
    "annul": lambda _, content: Sentence("the game was annulled: {reason}", reason=content["reason"]),
    "pause": lambda _, content: Sentence("the game pauses"),
    "resume": lambda _, content: Sentence("the game goes on"),
    "reopen": lambda _, content: Sentence("the game goes on"),
    "resign": lambda who, _: Sentence("{name} ({side}) has resigned", **who),
    "replace": lambda who, _: (
        Sentence("someone new has the seat {side}", side=who["side"])
        if who["name"] == who["side"]  # nobody is told who plays
        else Sentence("{name} now has the seat {side}", **who)
    ),
    "stand in": lambda who, content: (
        _stands_in_untold(who, content)
        if who["name"] == who["side"]
        else Sentence("the computer (level {level}) plays {side} for {name}", level=content["level"], **who)
        if content["level"]
        else Sentence("{name} plays {side} again", **who)
    ),
    "mail fails": lambda who, _: Sentence("letters to {name} ({side}) bounce", **who),
    "gm": lambda who, _: Sentence("{name} ({side}) has written to the game master", **who),
}
"""Functions that return the sentence for an entry of the record, keyed by the kind of the entry. Their arguments are
the values that name the person concerned, and the content of the entry."""


def _stands_in_untold(who: Mapping[str, Any], content: Mapping[str, Any]) -> Sentence:
    """Return the sentence for a stand-in, or for its end, in a game in which the reader is not told who plays."""
    if content["level"]:
        return Sentence("the computer (level {level}) plays {side} for its player", level=content["level"], **who)
    return Sentence("the player of {side} plays again", **who)


_ENTERED: Mapping[str, Callable[[str], Sentence]] = {
    "playing": lambda name: Sentence("{name} has joined", name=name),
    "standby": lambda name: Sentence("{name} is on standby", name=name),
    "withdrawn": lambda name: Sentence("{name} has left", name=name),
}
"""Functions that return the sentence about a member of a league, keyed by the member's new state."""


class Waiting(NamedTuple):
    """Something that is waiting for a decision: since when it has been waiting, the name of its game or league, a
    sentence about it, and the lines that a game master can send to settle it."""

    since: datetime
    name: str
    sentence: Sentence
    lines: tuple[str, ...]


class Happened(NamedTuple):
    """Something in a game or league that is late or has happened.

    For a claim, `due` is the moment by which it should have been decided, and `line` is the line that a game master can
    send to settle it.
    """

    name: str
    sentence: Sentence
    due: datetime | None = None
    line: str = ""


_PATIENCE = timedelta(days=1)
"""How long an invitation may stay unanswered before the desk mentions it."""

_HOUR = 18
"""The hour, in the reader's time zone, at which daily and weekly news is sent."""

_NEVER, _SUNDAY = "never", 6


def tell_masters(store: Store, config: Config, now: datetime) -> Iterator[Send]:
    """Yield a letter to each game master who should get the news now, with everything that is waiting for their
    decision.

    If no game master of this desk has ever been sent news, they are all told at once what is waiting for them.
    """
    of_desk, nobody_heard = game_master_of(config), not news.anybody_heard(store)
    for director in news.directors(store, of_desk):
        invitee = players.invitee(store, director.address.lower())
        often = players.mail_wishes(store, invitee.player.id).desk if invitee.player else ""
        zone = (invitee.player and invitee.player.zone) or config.desk.zone
        _, last = news.heard(store, director.address)
        is_due = last is None or often == "now" or _due(store, often, last, zone) <= stamp(now)
        if is_due and often != _NEVER and not invitee.banned:
            directing = Directing(store, of_desk, director.address, now)
            report = directing.report()
            if report["news"] if last else report["waits"] and nobody_heard:
                player = masters.master_by_address(store, of_desk, director.address.lower(), now)
                assert player
                to = replace(player, address=director.address)
                yield Send("desk", f"desk-{now:%Y%m%d%H%M%S}", to, (Section("desk", report),))
            if last:
                news.mark(store, director.address, store.head().number, now)
            last = now
        news.hear(store, director.address, _due(store, often, last or now, zone), last or now)


def _due(store: Store, often: str, last: datetime, zone: str) -> str:
    """Return when a game master should next get the news, in the form that `news.hear` stores. `last` is the moment of
    the previous news; `often` says how often the game master wants the news."""
    if often == "now":
        return f"@{store.head().number}"
    if often == _NEVER:
        return _NEVER  # sorts after all moments
    local = last.astimezone(load_zone(zone))
    due = local.replace(hour=_HOUR, minute=0, second=0, microsecond=0)
    while due <= local or (often == "weekly" and due.weekday() != _SUNDAY):
        due += timedelta(days=1)
    return stamp(due)


@dataclass
class Directing:
    """A desk as seen by a game master or by the operator. `who` is the address of that game master, or OPERATOR; `desk`
    is the game master of the whole desk."""

    store: Store
    desk: Address
    who: str
    now: datetime
    _known: dict[int, Match | None] = field(default_factory=dict, init=False)

    def look(self) -> dict[str, Any]:
        """Return the values of the section `desk`, and note that the reader has seen the news."""
        report = self.report()
        news.mark(self.store, self.who, self.store.head().number, self.now)
        return report

    def report(self) -> dict[str, Any]:
        """Return the values of the section `desk`, but do not note that the reader has seen the news."""
        mark = news.mark_of(self.store, self.who) or news.first_mark(self.store, self.now)
        happened = [*self._news(mark)]
        names = [*dict.fromkeys(event.name for event in happened)]
        return {
            "waits": sorted(
                [*self._of_matches(), *self._claims(late=False), *self._appeals(), *self._words(), *self._of_leagues()]
            ),
            "late": [*self._late()],
            "news": sorted(happened, key=lambda event: names.index(event.name)),
            "since": mark.at,
        }

    # Responsibility

    def _match(self, number: int) -> Match | None:
        """Return the match with this `number` if the reader may make decisions about it and its game can be
        played, otherwise None."""
        if number not in self._known:
            self._known[number] = None
            for loaded in matches.playable(self.store, number):
                match = masters.with_masters(loaded, self.desk)
                judges = [judge.address.lower() for judge in match.judges]
                if self.who == OPERATOR or self.who.lower() in judges:
                    sees = self.who == OPERATOR or sees_names(match, self.who)
                    self._known[number] = with_names(match) if sees else match
        return self._known[number]

    @cached_property
    def _leagues(self) -> dict[int, "LeagueSeason"]:
        """The current seasons of the leagues that the reader directs, keyed by the number of the league."""
        from pbem.store.leagues import find_season
        from pbem.store.search import league_names

        seasons = (find_season(self.store, name) for name in league_names(self.store))
        return {
            season.id: season
            for season in seasons
            if self.who == OPERATOR
            or self.who.lower() in [who.address.lower() for who in season.league.masters or (self.desk,)]
        }

    # What waits

    @cached_property
    def _in_question(self) -> list[Match]:
        return [match for number in news.in_question(self.store, self.now) if (match := self._match(number))]

    def _of_matches(self) -> Iterator[Waiting]:
        for match in self._in_question:
            name = match.name
            if match.phase == "review":
                since = news.since_when(self.store, match.id, "turn")
                sentence = Sentence("the report of turn {turn} is waiting for your release", turn=match.as_told().round)
                yield Waiting(since, name, sentence, (f"release {name}",))
            elif match.phase == "paused":
                since = news.since_when(self.store, match.id, "pause")
                yield Waiting(since, name, Sentence("the game is paused"), (f"resume {name} because ...",))
            elif match.phase == "offered":
                yield from self._offered(match)
            yield from self._seats(match)

    def _offered(self, match: Match) -> Iterator[Waiting]:
        since = news.since_when(self.store, match.id, "game")
        if since + _PATIENCE > self.now:
            return
        silent = [seat for seat in match.seats if seat not in match.accepted]
        accepting = [seat for seat in match.seats if seat in match.accepted]
        names = listed([match.holders[seat].name for seat in silent])
        award = (f"award {match.name} {accepting[0]} because ...",) if len(accepting) == 1 == len(silent) else ()
        sentence = Sentence("no answer to the invitation yet: {names}", names=names)
        yield Waiting(since, match.name, sentence, (*award, f"annul {match.name} because ..."))

    def _seats(self, match: Match) -> Iterator[Waiting]:
        """Yield an entry for each seat to which letters cannot be delivered, or whose player has left."""
        for seat, (failing, gone) in news.seats_in_question(self.store, match.id).items():
            holder = match.holders[seat]
            if holder.level or seat in match.gone:
                continue
            who = self._who(match, seat)
            replace = f"replace {match.name} {seat} with NAME <ADDRESS> because ..."
            if gone:
                since = news.since_when(self.store, match.id, "turn")
                yield Waiting(since, match.name, Sentence("{name} ({side}) has left the game", **who), (replace,))
            elif failing:
                sentence = Sentence("letters to {name} ({side}) bounce", **who)
                lines = ("address OLD is NEW because ...", replace)
                yield Waiting(parse_moment(failing), match.name, sentence, lines)

    def _claims(self, *, late: bool) -> Iterator[Waiting]:
        for claim in matches.waiting_claims(self.store):
            if (claim.at + CLAIM <= self.now) is late and (match := self._match(claim.match)):
                sentence = Sentence(
                    "claim {number} of {name} ({side})", number=claim.number, **self._who(match, claim.seat)
                )
                yield Waiting(claim.at, match.name, sentence, (f"decide {match.name} {claim.number}: ...",))

    def _appeals(self) -> Iterator[Waiting]:
        """Yield the appeals that wait for the reader, who hears them, or for anybody if the reader is the operator."""
        from pbem.match.appeals import second_instance

        for appeal in decisions.appeals(self.store):
            match = self._match(appeal.match) if appeal.waits else None
            instance = match and second_instance(match)
            if match and instance and self.who.lower() in (OPERATOR, instance.address.lower()):
                who = self._who(match, appeal.seat)
                sentence = Sentence("appeal {number} of {name} ({side})", number=appeal.number, **who)
                lines = (f"{word} {match.name} {appeal.number} because ..." for word in ("uphold", "overturn"))
                yield Waiting(appeal.at, match.name, sentence, tuple(lines))

    def _words(self) -> Iterator[Waiting]:
        for number, seat, entry, at in news.unanswered_words(self.store, self.now):
            match = self._match(number)
            if match and not match.over:
                who, gone = self._who(match, seat, entry), news.name_then(self.store, number, seat, entry)
                sentence = Sentence("{name} ({side}) has written to you, with no decision since", **who)
                lines = () if gone else (f"tell {match.name} {seat}: ...",)  # the answer would go to somebody else
                yield Waiting(at, match.name, sentence, lines)

    def _of_leagues(self) -> Iterator[Waiting]:
        from pbem.leagues.season import is_unfinished

        for season in self._leagues.values():
            name, over = (
                season.league.name,
                not any(is_unfinished(season.league, division) for division in season.divisions),
            )
            ended = [at for league, of, _, _, at in self._rounds if (league, of) == (season.id, season.number)]
            if season.number and over and season.league.format != "ladder" and ended:
                sentence = Sentence("season {season} is over", season=season.number)
                yield Waiting(max(ended), name, sentence, (f"season {name}",))
            elif not season.number and len(season.standby) > 1:
                sentence = Sentence("the first season has not begun; on standby: {number}", number=len(season.standby))
                yield Waiting(self.now, name, sentence, (f"season {name}",))

    @cached_property
    def _rounds(self) -> list[tuple[int, int, int, int, datetime]]:
        return news.rounds_over(self.store, news.BEGINNING)

    def _late(self) -> Iterator[Happened]:
        for since, name, sentence, (line,) in self._claims(late=True):
            yield Happened(name, sentence, since + CLAIM, line)
        for match in self._in_question:
            if match.phase != "running":
                continue
            if match.deadline and match.deadline.moment <= self.now and (missing := match.missing()):
                names = listed([match.holders[seat].name for seat in missing])
                sentence = Sentence("turn {turn} is overdue, missing orders: {names}", turn=match.round, names=names)
                yield Happened(match.name, sentence)
            for seat, number in match.missed.items():
                if number and seat not in match.gone:
                    who = self._who(match, seat)
                    sentence = Sentence("turns missed in a row by {name} ({side}): {number}", number=number, **who)
                    yield Happened(match.name, sentence)

    # What has happened

    def _news(self, mark: news.Mark) -> Iterator[Happened]:
        entries = news.news_since(self.store, mark.record)
        begun = {(entry.at, entry.content["league"]) for entry in entries if entry.kind == "season"}
        for entry in entries:
            if entry.kind == "entrant" and (entry.at, entry.content["league"]) in begun:
                continue  # the season that has just begun has an entry of its own
            if entry.match is None:
                yield from self._of_league(entry)
            elif (match := self._match(entry.match)) and not match.sandbox:
                yield from (Happened(match.name, sentence) for sentence in self._sentences(match, entry))
        for league, season, division, number, at in self._rounds:
            if at > mark.at and (league_season := self._leagues.get(league)) and season == league_season.number:
                sentence = Sentence("round {round} is over", round=number)
                if len(league_season.divisions) > 1:
                    sentence = Sentence("round {round} of division {division} is over", round=number, division=division)
                yield Happened(league_season.league.name, sentence)

    def _sentences(self, match: Match, entry: News) -> Iterator[Sentence]:
        """Yield sentences for `entry`, an entry of the record about `match`."""
        content, who = entry.content, self._who(match, entry.content.get("seat"), entry.id)
        if entry.kind == "turn" and None in content["orders"].values():
            missed = news.missed(self.store, match.id, content["turn"])
            for seat in filter(missed.__contains__, match.seats):
                missing = self._who(match, seat, entry.id)
                yield Sentence("{name} ({side}) has missed turn {turn}", turn=content["turn"], **missing)
        elif entry.kind == "decision":
            yield from self._decided(content)
        elif entry.kind == "end":
            last = match.result and match.result.reason  # this can be shown in the reader's language
            yield Sentence("the game is over. {why}", why=last if last == content["reason"] else content["reason"])
        elif entry.kind == "mail fails" and who and not match.holders[content["seat"]].failing:
            return  # letters reach them again
        elif entry.kind in _SENTENCES and (who or entry.kind in _OF_ALL):
            yield _SENTENCES[entry.kind](who, content)

    def _who(self, match: Match, seat: Seat | None, entry: int = 0) -> dict[str, Any]:
        """Return the name and the side of the holder of `seat` as values for a sentence, or {} if there is no such
        seat. If `entry` is the number of an entry of the record, the holder at the time of that entry is named."""
        if seat is None or seat not in match.holders:
            return {}
        then = news.name_then(self.store, match.id, seat, entry) if entry and not match.holders[seat].untold else ""
        return {"name": then or match.holders[seat].name, "side": match.game.called[seat]}

    def _of_league(self, entry: News) -> Iterator[Happened]:
        content = entry.content
        season = self._leagues.get(content.get("league") or 0)
        if season is None:
            return
        sentences: list[Sentence] = []
        if entry.kind == "season":
            sentences.append(Sentence("season {season} has begun", season=content["season"]))
        elif entry.kind == "entrant":
            who, state = season.members.get(content["player"]), content["state"]
            sentences += [_ENTERED[state](who.name)] if who and state in _ENTERED else []
        elif entry.kind == "decision":
            sentences += self._decided(content)
        yield from (Happened(season.league.name, sentence) for sentence in sentences)

    def _decided(self, content: Mapping[str, Any]) -> Iterator[Sentence]:
        """Yield a sentence about the decision in `content`, unless the reader made that decision."""
        by = content.get("by", "")
        if by == self._me or (by == OPERATOR == self.who):
            return
        argument = "" if content["decision"] in _PRIVATE else content["argument"]
        command = " ".join(filter(None, (content["decision"], argument)))
        name = self._called(by)
        if by == "players":
            yield Sentence("the players have decided: {what}", what=command)
        elif content["reason"]:
            yield Sentence(
                "{name} has decided: {what}. Reason: {reason}", name=name, what=command, reason=content["reason"]
            )
        else:
            yield Sentence("{name} has decided: {what}", name=name, what=command)

    @cached_property
    def _me(self) -> str:
        player = players.invitee(self.store, self.who.lower()).player if self.who != OPERATOR else None
        return f"player {player.id}" if player else ""

    def _called(self, by: str) -> str:
        word, _, number = by.partition(" ")
        if word == "player" and number.isdecimal():
            return players.load_player(self.store, int(number)).name or "?"
        return Sentence("The operator")
