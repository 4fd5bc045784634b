"""Leagues at a desk: each function loads what it is about, has `leagues.rounds` decide, and has the desk carry it out.

Functions on a Desk; whoever calls them holds the transaction.
"""

from collections.abc import Iterator

from pbem.leagues import rounds
from pbem.leagues.effects import BeginRound
from pbem.leagues.league_file import League
from pbem.leagues.season import LeagueSeason, Member
from pbem.resources import unread_part
from pbem.service.desk import Desk
from pbem.store import leagues, matches, players
from pbem.store.database import SQLiteError


def found(desk: Desk, league: League) -> LeagueSeason:
    """A new league. With players its first season begins; without, it is open to who joins. Raises LeagueError."""
    number = leagues.add_league(desk.store, league, desk.now)
    sizes = [len(people) for people in league.divisions]
    people = [person for division in (*league.divisions, league.standby) for person in division]
    members = leagues.enrol(desk.store, people, desk.now, confirmed=league.confirmed)
    divisions = [members[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))]
    waiting = members[sum(sizes) :]
    begun = rounds.begin_season(league, 1, divisions, waiting) if divisions else rounds.wait(0, waiting)
    desk.apply_to_league(number, begun)
    return leagues.load_season(desk.store, number)


def next_season(desk: Desk, number: int, *, everybody: bool = False) -> LeagueSeason:
    """The next season of a league, with who goes up and who comes in from the standby list. Raises LeagueError."""
    settle(desk, number)
    season = leagues.load_season(desk.store, number)
    desk.apply_to_league(number, rounds.next_season(season, everybody=everybody))
    return leagues.load_season(desk.store, number)


def advance(desk: Desk) -> Iterator[tuple[str, str]]:
    """Draw the consequences of all that has happened in leagues; the names of those that failed at it, and why."""
    for number in leagues.due(desk.store):
        try:
            with desk.store.transaction():
                settle(desk, number)
        except SQLiteError:
            raise
        except Exception as error:  # one league that fails must not stop the others
            if unread_part(error):
                raise
            name = leagues.league_name(desk.store, number)
            yield name, f"The league {name} cannot go on ({type(error).__name__}); nothing of it was changed."


def settle(desk: Desk, number: int) -> None:
    """Draw the consequences of all that has happened in a league: leavers, ended games, rounds that are over."""
    season = leagues.load_season(desk.store, number)
    for member in season.members.values():
        if member.state == "leaving":
            withdraw(desk, leagues.load_season(desk.store, number), member)
    ended = leagues.unsettled(desk.store, number)
    desk.apply_to_league(number, rounds.after_games(season.league, ended))
    if season.league.format == "ladder" and season.number:
        desk.apply_to_league(number, rounds.after_challenges(leagues.load_season(desk.store, number), ended))
        return
    for at in range(1, len(season.divisions) + 1):
        begun = True
        while begun:  # a round of nothing but byes is over when it begins
            follows = rounds.after_rounds(leagues.load_season(desk.store, number), at)
            desk.apply_to_league(number, follows)
            begun = any(isinstance(effect, BeginRound) for effect in follows)


def begin_next(desk: Desk, season: LeagueSeason) -> bool:
    """Begin the next round of each division, whether or not games of earlier ones go on; False if there is none."""
    follows = [rounds.next_round(season, at) for at in range(1, len(season.divisions) + 1)]
    for effects in follows:
        desk.apply_to_league(season.id, effects)
    return any(follows)


def withdraw(desk: Desk, season: LeagueSeason, member: Member, reason: str = "") -> None:
    """Somebody leaves, for the game master's `reason` or of their own."""
    at, store = season.division_of(member.player), desk.store
    going = [fixture.match for one in season.rounds_of(at) for fixture in one.open_of(member.player) if fixture.match]
    leaver = rounds.Leaver(
        member,
        reason,
        {match: matches.load_match(store, match) for match in going},
        {one.player: players.load_player(store, one.player) for one in season.standby},
    )
    desk.apply_to_league(season.id, rounds.after_leaving(season, leaver, desk.now))


def challenge(desk: Desk, season: LeagueSeason, challenger: int, rival: int) -> str:
    """A game for a place of the ladder; its name. Raises LeagueError with whom else the challenger could play."""
    desk.apply_to_league(season.id, rounds.challenge(season, challenger, rival, desk.now))
    *_, begun = leagues.load_season(desk.store, season.id).divisions[0].fixtures
    return begun.name or ""
