"""Leagues as plain data, for other programs."""

from collections.abc import Mapping
from typing import Any

from pbem.leagues.season import Division, Fixture, LeagueSeason


def show_rounds(season: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """The rounds as `league rounds --json` prints them; `game` is null before a game has begun.

    Each game has its players by the names of the game's seats, and `result` is the seat that has won. Those at tables
    have `places`, too: how each seat ended.
    """
    names = {player: member.name for player, member in season.members.items()}
    chairs = season.league.seats

    def shown(one: Fixture) -> dict[str, Any]:
        seats = {player: chairs[at] for player, at in zip(one.players, one.seated, strict=True)}
        sitting = {seat: names[player] for player, seat in seats.items()}
        told: dict[str, Any] = {
            "game": one.name,
            **sitting,
            "result": one.outcome if one.winner is None else seats[one.winner],
        }
        if one.placing:
            told["result"] = one.placing.winner or one.outcome
            told["places"] = {seats[player]: rank for player, rank in one.placing.ranks.items()}
        return told

    return [
        {
            "round": round_.number,
            "games": [shown(one) for one in round_.fixtures],
            "byes": [names[player] for player in round_.byes],
        }
        for round_ in division.rounds
    ]


def show_season(season: LeagueSeason) -> Mapping[str, Any]:
    """A league as `league show --json` prints it."""
    return {
        "league": season.league.name,
        "format": season.league.format,
        "season": season.number,
        "divisions": [
            [{"player": one.name, "state": one.state} for one in division.members] for division in season.divisions
        ],
        "standby": [one.name for one in season.standby],
    }
