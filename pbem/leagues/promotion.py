"""Who plays in which division in the next season of a league. All functions are pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.leagues.league_file import League
from pbem.leagues.season import Division, LeagueSeason, Member, is_unfinished, table
from pbem.leagues.team_matches import team_season
from pbem.tournament.standings import TableRow, moves


def promoted(
    league: League, divisions: Sequence[Division], standby: Iterable[int], *, everybody: bool = False
) -> tuple[tuple[int, ...], ...]:
    """Return the divisions of the season after one with `divisions`, each in order of its places.

    Vacant places are filled from the standby list; if `everybody` is true, everyone on it enters the lowest division.
    """
    tables = [_without_replaced(table(league, division), division) for division in divisions]
    playing = {member.player for division in divisions for member in division.playing}
    withdrawn = {row.player for rows in tables for row in rows} - playing
    waiting = tuple(standby)
    *higher, lowest = moves(tables, league.up, league.down, withdrawn, waiting)
    if everybody:
        lowest = (*lowest, *(player for player in waiting if player not in lowest))
    return (*higher, lowest)


def _without_replaced(rows: Sequence[TableRow], division: Division) -> list[TableRow]:
    """Return the standings without members whose place someone else has taken, so that a division keeps its size."""
    seeds = {member.seed for member in division.playing}
    replaced = {
        member.player
        for member in division.members
        if member.state == "standby" or (member.state != "playing" and member.seed in seeds)
    }
    return [row for row in rows if row.player not in replaced]


def next_divisions(season: LeagueSeason, *, everybody: bool = False) -> tuple[tuple[int, ...], ...]:
    """Return the divisions of the next season, as `promoted` does. Those of the first season have everyone on standby,
    in that order; whoever has no division in which to begin enters the lowest one."""
    if season.divisions:
        standby = [member.player for member in season.standby]
        return promoted(season.league, season.divisions, standby, everybody=everybody)
    number = known_divisions(season.standby)
    at = {member.player: member.begins_in or number for member in season.standby}
    return tuple(tuple(player for player in at if at[player] == division) for division in range(1, number + 1))


def known_divisions(standby: Iterable[Member]) -> int:
    """Return the number of divisions with which the first season would begin now."""
    return max((member.begins_in for member in standby), default=0) or 1


class Coming(NamedTuple):
    """The players who would enter division `division` from another one or from the standby list if the next season
    began now, or such teams. `way` is "up", "down" or, from the standby list, "new"."""

    division: int
    way: str
    names: tuple[str, ...]


def is_over(season: LeagueSeason) -> bool:
    """Return whether all rounds of a season are over and none is left; the season of a ladder never is."""
    season = team_season(season)
    going = any(not round_.ended for division in season.divisions for round_ in division.rounds)
    unfinished = any(is_unfinished(season.league, division) for division in season.divisions)
    return season.league.format != "ladder" and not (going or unfinished)


def coming(season: LeagueSeason) -> list[Coming]:
    """Return who would change divisions or come in from the standby list if the next season began now, the highest
    division first. The list is empty unless the season is over."""
    season = team_season(season)
    members = season.members
    if not is_over(season):
        return []
    found: dict[tuple[int, str], list[str]] = {}
    divisions = next_divisions(season)
    for at, players in enumerate(divisions, start=1):
        for player in players:
            before = 0 if members[player].state == "standby" else season.division_of(player)
            way = "new" if not before else "up" if before > at else "down"
            if before != at:
                found.setdefault((at, way), []).append(members[player].name)
    return [Coming(at, way, tuple(names)) for (at, way), names in found.items()]
