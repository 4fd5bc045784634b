"""Sections that show leagues on request: tables, rounds, a player's own games, and members."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.leagues.anonymous import anonymity, told, told_round
from pbem.leagues.cross_table import cells, columns, cross_table
from pbem.leagues.effects import TellStandings
from pbem.leagues.promotion import coming
from pbem.leagues.rounds import standings_values
from pbem.leagues.season import LeagueError, LeagueSeason, Round, is_unfinished, rounds_to_come
from pbem.leagues.team_matches import contest, listed_teams
from pbem.leagues.teams import TeamRound
from pbem.match.effects import Section, notice
from pbem.match.overview import Led
from pbem.orders.asked_leagues import SHOWING, AskedLeague
from pbem.store import leagues
from pbem.store.database import Store
from pbem.store.standings import standings


def show_league(store: Store, query: AskedLeague, player: int) -> Mapping[str, tuple[Section, ...]]:
    """Return the sections that answer each of the commands that show a league, keyed by command word. `player` is the
    number of the player who asks."""
    try:
        season = leagues.find_season(store, query.name, query.season)
        season = season.until(query.round) if query.round else season
    except LeagueError as error:
        return dict.fromkeys(SHOWING, (notice("no such league", word="season", why=error.args[0]),))
    whole, season = season, told(season)
    divisions = range(1, len(season.divisions) + 1)
    own = season.division_of(player)
    listed = Section("league", _listed(season, player))
    return {
        "standings": tuple(_table(store, season, at, query.round) for at in divisions) or (listed,),
        "crosstable": tuple(_cross_table(season, at) for at in divisions) or (listed,),
        "rounds": tuple(_rounds(whole, at, 0, query.round) for at in divisions) or (listed,),
        "schedule": (_rounds(whole, own, player),) if own else (listed,),
        "leagues": (listed,),
    }


def _table(store: Store, season: LeagueSeason, at: int, after: int | None) -> Section:
    """Return the table of division `at` in the form used in letters about a round. `after` is the number of the last
    round that counts, or None if all rounds count."""
    table = standings(store, season, season.divisions[at - 1])
    return Section("standings", {**standings_values(season, at), "table": table, "asked": True, "after": after})


def _cross_table(season: LeagueSeason, at: int) -> Section:
    """Return the cross table of division `at`; in a league of teams, that of the teams."""
    lines = cross_table(season.league, contest(season.league, season.divisions[at - 1]))
    heads = columns(season.league, lines)
    rows = [*zip(lines, cells(season.league, lines), strict=True)]
    by_rounds = heads[:1] != ["1"]
    return Section(
        "crosstable",
        {**standings_values(season, at), "heads": heads, "rows": rows, "by_rounds": by_rounds},
    )


def _rounds(season: LeagueSeason, at: int, player: int = 0, after: int | None = None) -> Section:
    """Return the rounds of division `at` with all games or, if `player` is not 0, with the games of that player only.
    In a Swiss season, the number of rounds yet to come is included, unless `after` names a round."""
    division = season.divisions[at - 1]
    shown = [told_round(_of_player(season, round_, player) if player else round_) for round_ in division.rounds]
    of_teams = contest(season.league, division)
    to_come = rounds_to_come(season.league, of_teams) if season.league.format == "swiss" and not after else 0
    return _rounds_section(season, at, shown, own=player, to_come=to_come)


def all_rounds(season: LeagueSeason, at: int) -> Section:
    """Return the section about all rounds of division `at`, with the games whose players have been told."""
    return _rounds(season, at)


def begun_round(season: LeagueSeason, at: int, number: int, *, sees: bool) -> Section:
    """Return the section about round `number` of division `at`, which has just begun: who plays whom, who has a bye,
    and why a rule of pairing gave way. `sees` says whether its reader is told the names of players in anonymous
    games."""
    round_ = season.divisions[at - 1].rounds[number - 1]
    return _rounds_section(season, at, [round_ if sees else told_round(round_)], own=0, to_come=0)


def _rounds_section(season: LeagueSeason, at: int, rounds: Sequence[Round], *, own: int, to_come: int) -> Section:
    rows = [
        {
            **standings_values(season, at, round_),
            "notes": round_.notes if round_.begun and not own else (),
            "begun": round_.begun,
            "ended": round_.ended,
        }
        for round_ in rounds
    ]
    return Section("rounds", {**standings_values(told(season), at), "rounds": rows, "own": own, "to_come": to_come})


def _of_player(season: LeagueSeason, round_: Round, player: int) -> Round:
    """Return a round with the games of a player or, in a league of teams, with the match of the player's team."""
    if round_.teams:
        team = season.members[player].team
        matches = tuple(match for match in round_.teams.matches if team in match.teams)
        return round_._replace(teams=TeamRound(matches, (team,) if team in round_.teams.byes else ()))
    fixtures = tuple(fixture for fixture in round_.fixtures if player in fixture.players)
    return round_._replace(fixtures=fixtures, byes=tuple(bye for bye in round_.byes if bye == player))


def _listed(season: LeagueSeason, player: int) -> dict[str, Any]:
    """Return the values of the section about a league: its members by division, the members on standby, and the state
    of `player` if they are a member."""
    mine = season.members.get(player)
    playing = [[member.name for member in division.playing] for division in season.divisions]
    return {
        "league": season.league.name,
        "shape": season.league.format,
        "season": season.number,
        "divisions": playing,
        "teams": listed_teams(season),
        "boards": season.league.boards,
        "standby": [member.name for member in season.standby],
        "mine": mine.state if mine else "",
    }


def all_told(season: LeagueSeason, at: int) -> tuple[Section, ...]:
    """Return the section with all games of division `at` if its season is over and tells now who has played them;
    otherwise return ()."""
    over = not is_unfinished(season.league, season.divisions[at - 1])
    return (all_rounds(season, at),) if over and anonymity(season.league, at) == "season" else ()


def standings_section(
    store: Store, season: LeagueSeason, effect: TellStandings, *, directs: bool = False, sees: bool = False
) -> Section:
    """Return the section about the table after a round; `directs` says whether its reader is a game master, and `sees`
    whether they are told the names of players in anonymous games."""
    if not sees:
        season, effect = told(season), effect._replace(played=told_round(effect.played))
    table = standings(store, season, season.divisions[effect.division - 1], effect.played.number)
    values = standings_values(season, effect.division, effect.played)
    return Section("standings", {**values, "table": table, "directs": directs})


def moves_section(season: LeagueSeason, *, alone: bool = False, directs: bool = False) -> Section:
    """Return the section about who changes divisions in the next season; `alone` says whether it is a letter of its
    own."""
    values = {"league": season.league.name, "season": season.number, "moves": coming(season)}
    return Section("moves", {**values, "alone": alone, "directs": directs})


def led(season: LeagueSeason) -> Led:
    """Return what a game master's words about a league may be about."""
    league, members = season.league, season.members.values()
    takes_late = league.format == "swiss" and not league.boards and bool(season.divisions)
    takes_late = takes_late and rounds_to_come(league, season.divisions[-1]) > 0
    playing = frozenset(member.name for member in members if member.state == "playing")
    untold = any(fixture.untold for division in season.divisions for fixture in division.fixtures)
    return Led(league.name, takes_late, tuple(member.name for member in members), playing, untold)
