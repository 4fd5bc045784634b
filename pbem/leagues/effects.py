"""What a decision about a league comes to: effects; and a league as plain data, for other programs.

Whoever carries them out does all of one decision or nothing. Divisions and rounds are numbered from 1; where a season
is not named it is the current one.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.leagues.season import Division, Fixture, LeagueSeason, Member, Request, Round, State
from pbem.match.effects import Effect
from pbem.tournament.pairing import Pairing


class Enter(NamedTuple):
    """Somebody takes part in a season, or waits to: `division` is 0 then."""

    member: Member
    season: int
    division: int


class ChangeState(NamedTuple):
    """A member is in another state."""

    player: int
    state: State


class BeginSeason(NamedTuple):
    """This season is the current one from now on."""

    season: int


class AddRound(NamedTuple):
    """A round is known from now on."""

    division: int
    round: int
    pairing: Pairing


class BeginRound(NamedTuple):
    """A round begins, with all its games."""

    division: int
    round: int


class EndRound(NamedTuple):
    """All games of a round are over; or one of them goes on again, and it is not."""

    division: int
    round: int
    over: bool = True


class ChangeRound(NamedTuple):
    """A round has other byes, and only the games that it has here."""

    division: int
    round: Round


class ChangeFixture(NamedTuple):
    """A game of a round has other players, or another match."""

    fixture: Fixture


class SetRequests(NamedTuple):
    """What is asked of the pairing of rounds, all of it."""

    requests: tuple[Request, ...]


class BeginGame(NamedTuple):
    """A game of a round begins; one that the round has not had so far has the id 0."""

    division: int
    round: int
    fixture: Fixture


class Settle(NamedTuple):
    """The league has seen how a match ended; `rated`: its players are rated anew, and if it is `unplayed`, too."""

    match: int
    rated: bool
    unplayed: bool = False


class InMatch(NamedTuple):
    """What becomes of a match, by the effects of the service core."""

    effects: tuple[Effect, ...]


class TellStandings(NamedTuple):
    """Players of a division hear what was played and the table after it; `played` has the number 0 if that is no whole
    round, or no game at all."""

    division: int
    played: Round
    players: tuple[int, ...]


Kept = Enter | ChangeState | BeginSeason | AddRound | EndRound | ChangeRound | ChangeFixture | Settle | SetRequests
"""What is only written down."""

LeagueEffect = Kept | BeginRound | BeginGame | InMatch | TellStandings


def show_rounds(season: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """The rounds as `league rounds --json` prints them; `game` is null before a game has begun.

    Each game has its players by the names of the game's seats, and `result` is the seat that has won. Those at tables
    have `places`, too: how each seat ended.
    """
    names = {player: member.name for player, member in season.members.items()}
    chairs = season.league.seats

    def show_game(fixture: Fixture) -> dict[str, Any]:
        seats = {player: chairs[at] for player, at in zip(fixture.players, fixture.seated, strict=True)}
        sitting = {seat: names[player] for player, seat in seats.items()}
        content: dict[str, Any] = {
            "game": fixture.name,
            **sitting,
            "result": fixture.outcome if fixture.winner is None else seats[fixture.winner],
        }
        if fixture.placing:
            content["result"] = fixture.placing.winner or fixture.outcome
            content["places"] = {seats[player]: rank for player, rank in fixture.placing.ranks.items()}
        return content

    return [
        {
            "round": round_.number,
            "games": [show_game(fixture) for fixture in round_.fixtures],
            "byes": [names[player] for player in (*round_.byes, *division.byes_of(round_.number))],
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
            [{"player": member.name, "state": member.state} for member in division.members]
            for division in season.divisions
        ],
        "standby": [member.name for member in season.standby],
    }
