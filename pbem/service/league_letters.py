"""Letters about leagues to their members and game masters. The functions run in the caller's transaction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from pbem.config.config import Address
from pbem.leagues import rounds
from pbem.leagues.anonymous import anonymity
from pbem.leagues.dates import Coming
from pbem.leagues.effects import BeginRound, LeagueEffect, TellStandings
from pbem.leagues.promotion import coming, is_over
from pbem.leagues.season import LeagueSeason, Member, Round
from pbem.match.effects import Direct, Effect, NewMatch, Section, Send, notice
from pbem.match.gm_letters import lines_of
from pbem.match.model import Match
from pbem.match.reports import News
from pbem.match.terms import Terms
from pbem.service.leagues_shown import all_told, begun_round, moves_section, standings_section
from pbem.service.team_leagues import without_game
from pbem.store import leagues, masters, players
from pbem.store.database import Store


class Host(Protocol):
    """The parts of a desk that leagues need to play their games."""

    store: Store
    now: datetime

    @property
    def terms(self) -> Terms:
        """The terms of games in leagues that have no terms of their own."""

    @property
    def game_master(self) -> Address:
        """The game master of the whole desk, who hears of leagues that name none."""

    @property
    def moment(self) -> str:
        """`now` in a form that fits into a Message-ID."""

    def agreed(self, terms: Terms) -> Terms:
        """Return `terms` unchanged. Raises ConfigError if they require a public beacon but this desk has none."""

    def check_people(self, people: Iterable[tuple[str, str]]) -> None:
        """Raise ConfigError if any of `people`, given by name and address, has the desk's own address."""

    def set_up(self, opening: NewMatch, news: News) -> Match:
        """Set up a match and queue its first letters, adding the sections in `news` to the letters of their seats.

        Raises GameError if the options are impossible.
        """

    def apply(self, done: Iterable[Effect]) -> None:
        """Write effects to the store and queue the letters that they send."""


def tell_round(desk: Host, season: LeagueSeason, waiting: Coming) -> None:
    """Tell a division, and the game masters of the league, who meets whom in a round that waits for its date; of an
    anonymous one only the date."""
    place = waiting.division, waiting.number
    leagues.mark_round(desk.store, (season.id, season.number), place, "told", desk.now)
    hidden = anonymity(season.league, waiting.division) != "no"
    date = notice("round to come", league=season.league.name, round=waiting.number, start=waiting.start, untold=hidden)
    sections = (date,) if hidden else (date, begun_round(season, *place, sees=False))
    readers = [member.player for member in season.divisions[waiting.division - 1].playing]
    directs = [reader.id for reader in masters.listeners(desk.store, season.id, desk.game_master, desk.now)]
    key = f"to-come-{season.number}-{waiting.division}-{waiting.number}"
    tell(desk, season, key, dict.fromkeys((*readers, *directs), sections))


def tell_taken_in(desk: Host, season: LeagueSeason, member: Member) -> None:
    """Tell a member that they will take part from the next round on."""
    number = 1 + len(season.rounds_of(season.division_of(member.player)))
    points = sum(
        request.points for request in season.requests if request.player == member.player and request.other is None
    )
    section = notice("taken in", league=season.league.name, round=number, points=f"{points:g}" if points else "")
    sections = (section, *terms_section(season, member.player, number))
    key = f"taken-in-{season.number}-{number}"
    tell(desk, season, key, {member.player: sections})


def tell_put_in(desk: Host, season: LeagueSeason, members: Iterable[Member]) -> None:
    """Tell members that a game master has put them into a league."""
    for member in members:
        section = notice("put in", league=season.league.name, waits=member.state == "standby")
        tell(desk, season, f"put-in-{season.number}-{desk.moment}", {member.player: (section,)})


def tell_without_game(desk: Host, season: LeagueSeason, place: tuple[int, int]) -> None:
    """Tell the members of teams who have no game in a round that is just beginning, if it is the first of the season or
    their team has a bye. `place` is (division, round)."""
    number = place[1]
    letters = {
        player: (section, *terms_section(season, player, number))
        for player, section in without_game(season, place).items()
    }
    tell(desk, season, f"no-game-{season.number}-{number}", letters)


def tell_byes(desk: Host, season: LeagueSeason, played: Round) -> None:
    """Tell the members who have a bye in the round `played`, which is just beginning."""
    section = notice("bye", league=season.league.name, round=played.number)
    key = f"bye-{season.number}-{played.number}"
    tell(
        desk, season, key, {player: (section, *terms_section(season, player, played.number)) for player in played.byes}
    )


def terms_section(season: LeagueSeason, player: int, number: int) -> tuple[Section, ...]:
    """Return the section about the league's terms if round `number` is the player's first round of the season;
    otherwise return ()."""
    return (Section("terms", rounds.terms_values(season, player)),) if season.is_first(player, number) else ()


def tell_standings(desk: Host, season: LeagueSeason, effect: TellStandings) -> None:
    """Send the table after a round, and the list of games in progress, to the players named in `effect`."""
    number, section = effect.played.number, standings_section(desk.store, season, effect)
    moves = (moves_section(season),) if number and coming(season) else ()
    every = section, *all_told(season, effect.division), *moves
    begins = not (number or effect.played.fixtures)
    key = f"standings-{season.number}-{effect.division}-{number}-{desk.moment}"
    tell(
        desk,
        season,
        key,
        {player: (*every, *(terms_section(season, player, number) if begins else ())) for player in effect.players},
    )
    if moves:
        others = [member.player for at, division in enumerate(season.divisions, start=1) if at != effect.division
                  for member in division.playing]  # fmt: skip
        tell(desk, season, f"moves-{key}", dict.fromkeys(others, (moves_section(season, alone=True),)))


def tell_masters(desk: Host, league: int, done: Sequence[LeagueEffect], by: str) -> None:
    """Tell the game masters of a league, except `by`, of the rounds that have begun or ended with the effects `done`. A
    ladder has no rounds."""
    ended = [effect for effect in done if isinstance(effect, TellStandings) and effect.played.number]
    shown = {effect.division for effect in ended}  # a table also has the games that begin
    begun = [effect for effect in done if isinstance(effect, BeginRound) and effect.division not in shown]
    season = leagues.load_season(desk.store, league) if ended or begun else None
    if season is None or season.league.format == "ladder":
        return
    seeing, other = (
        (
            *(standings_section(desk.store, season, effect, directs=True, sees=sees) for effect in ended),
            *((moves_section(season, directs=True),) if ended and is_over(season) else ()),
            *(begun_round(season, effect.division, effect.round, sees=sees) for effect in begun),
        )
        for sees in (not season.league.terms.anonymous_to_masters, False)
    )
    places = [f"{effect.division}.{effect.round}" for effect in begun]
    places += [f"{effect.division}.{effect.played.number}" for effect in ended]
    key = f"league-{season.id}-directs-{season.number}-{'-'.join(places)}-{desk.moment}"
    readers = masters.listeners(desk.store, season.id, desk.game_master, desk.now)
    desk.apply(
        Send("standings", key, reader, other if reader.id in season.members else seeing)
        for reader in readers
        if f"player {reader.id}" != by
    )


def tell_words(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    """Send a game master's words to everyone who plays or is on standby, and to the other game masters of the
    league. Raises DecisionError if there are no words."""
    section = notice("league told", league=season.league.name, text=lines_of(effect.argument))
    readers = [member.player for member in season.members.values() if member.state != "withdrawn"]
    key = f"words-{season.number}-{effect.letter or 0}-{effect.number}-{desk.moment}"
    tell(desk, season, key, dict.fromkeys(readers, (section,)))
    directs = masters.listeners(desk.store, season.id, desk.game_master, desk.now)
    desk.apply(
        Send("standings", f"league-{season.id}-directs-{key}", reader, (section,))
        for reader in directs
        if f"player {reader.id}" != effect.by
    )


def tell(desk: Host, season: LeagueSeason, key: str, letters: Mapping[int, tuple[Section, ...]]) -> None:
    """Send a letter about a league to each player in `letters`, which maps the numbers of players to the sections of
    their letters. The id of each letter names the league, so that an answer reaches the league's game masters. Times
    are by the clock of the league for whoever has said no zone."""
    zone = season.league.terms.deadline.zone
    readers = {player: players.load_player(desk.store, player) for player in letters}
    desk.apply(
        Send("standings", f"league-{season.id}-{key}", replace(reader, zone=reader.zone or zone), letters[player])
        for player, reader in readers.items()
    )
