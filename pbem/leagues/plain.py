"""A league as plain data for other programs."""

from collections.abc import Mapping
from typing import Any

from pbem.leagues.promotion import next_divisions
from pbem.leagues.season import Division, Fixture, LeagueSeason, Round
from pbem.leagues.team_matches import encounters, listed_teams


def show_rounds(season: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """Return the rounds of a division as plain data, as `league rounds --json` prints them; `game` is null until the
    game has begun.

    Each game lists its players, keyed by seat; a game whose players have yet to be told has `untold` instead.
    `result` is the winner's seat (at a table, the winning side) or, without a winner, the outcome. Games at tables
    also have `places`, which maps each seat to the place in which it finished. In a league of teams, `matches` has
    the games of each match, the first board first, and `byes` are teams.
    """
    return [{"round": round_.number, **_round(season, division, round_)} for round_ in division.rounds]


def _round(season: LeagueSeason, division: Division, round_: Round) -> dict[str, Any]:
    """Return the games or team matches, and the byes, of a round."""
    names, called = _names(season), {team.number: team.name for team in division.teams}
    if round_.teams is None:
        byes = [names[player] for player in (*round_.byes, *division.named_byes_of(round_.number))]
        return {"games": [_game(season, fixture) for fixture in round_.fixtures], "byes": byes}
    matches = [
        {
            "teams": [called[team] for team in match.teams],
            "game_points": points,
            "boards": [_game(season, fixture) for fixture in boards],
        }
        for match, boards, points in encounters(season.league, division, round_)
    ]
    return {"matches": matches, "byes": [called[team] for team in round_.teams.byes]}


def _game(season: LeagueSeason, fixture: Fixture) -> dict[str, Any]:
    """Return a game, its players and its result."""
    if not fixture.players:
        return {"game": fixture.name, "result": None, "untold": True}
    names, chairs = _names(season), season.league.seats
    seats = {player: chairs[at] for player, at in zip(fixture.players, fixture.seated, strict=True)}
    content: dict[str, Any] = {
        "game": fixture.name,
        **{seat: names[player] for player, seat in seats.items()},
        "result": fixture.outcome if fixture.winner is None else seats[fixture.winner],
    }
    if fixture.placing:
        content["result"] = fixture.placing.winner or fixture.outcome
        content["places"] = {seats[player]: rank for player, rank in fixture.placing.ranks.items()}
    return content


def _names(season: LeagueSeason) -> dict[int, str]:
    return {player: member.name for player, member in season.members.items()}


def show_season(season: LeagueSeason) -> Mapping[str, Any]:
    """Return a league as plain data, as `league show --json` prints it."""
    return {
        "league": season.league.name,
        "format": season.league.format,
        "season": season.number,
        "divisions": [
            [{"player": member.name, "state": member.state} for member in division.members]
            for division in season.divisions
        ],
        **({"teams": [team._asdict() for team in listed_teams(season)]} if season.league.boards else {}),
        "standby": [member.name for member in season.standby],
        **({"planned": _planned(season)} if any(member.begins_in for member in season.standby) else {}),
    }


def _planned(season: LeagueSeason) -> list[list[str]]:
    """Return the players of each division with which the first season would begin now."""
    names = _names(season)
    return [[names[player] for player in division] for division in next_divisions(season)]
