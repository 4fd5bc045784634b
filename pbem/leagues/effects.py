"""The effects of a decision about a league, and a league as plain data for other programs.

Either all effects of a decision are carried out, or none of them. Divisions and rounds are numbered from 1; effects
apply to the current season unless they name another season.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pbem.leagues.season import Division, Fixture, LeagueSeason, Member, Request, Round, State
from pbem.match.effects import Effect
from pbem.tournament.pairing import Pairing


class Enter(NamedTuple):
    """A player enters a season; `division` is 0 if the player is on standby."""

    member: Member
    season: int
    division: int


class ChangeState(NamedTuple):
    """A member's state changes."""

    player: int
    state: State


class BeginSeason(NamedTuple):
    """The season with the number `season` becomes the current one."""

    season: int


class AddRound(NamedTuple):
    """The pairing of a round is decided."""

    division: int
    round: int
    pairing: Pairing


class BeginRound(NamedTuple):
    """A round begins, along with all its games."""

    division: int
    round: int


class EndRound(NamedTuple):
    """A round ends because all its games are over. If `over` is false, the round goes on instead, because one of its
    games has been resumed."""

    division: int
    round: int
    over: bool = True


class ChangeRound(NamedTuple):
    """A round gets the byes in `round`, and loses all games that are not in `round`."""

    division: int
    round: Round


class ChangeFixture(NamedTuple):
    """A game of a round gets other players, or another match."""

    fixture: Fixture


class SetRequests(NamedTuple):
    """The requests for the pairing of rounds are replaced with `requests`, the complete new list."""

    requests: tuple[Request, ...]


class BeginGame(NamedTuple):
    """A game of a round begins. If the game is new in the round, the fixture has the id 0."""

    division: int
    round: int
    fixture: Fixture


class Settle(NamedTuple):
    """The league has dealt with the end of a match. `rated` says whether the ratings of the match's players are
    updated, and `unplayed` whether they are updated even if no turn was played."""

    match: int
    rated: bool
    unplayed: bool = False


class InMatch(NamedTuple):
    """Effects that the service core carries out on a match."""

    effects: tuple[Effect, ...]


class TellStandings(NamedTuple):
    """The `players` of a division are to be told the results in `played` and the new standings. If `played` is not a
    whole round, its number is 0."""

    division: int
    played: Round
    players: tuple[int, ...]


Kept = Enter | ChangeState | BeginSeason | AddRound | EndRound | ChangeRound | ChangeFixture | Settle | SetRequests
"""Effects that need only be stored."""

LeagueEffect = Kept | BeginRound | BeginGame | InMatch | TellStandings


def show_rounds(season: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """Return the rounds of a division as plain data, as `league rounds --json` prints them; `game` is null until the
    game has begun.

    Each game lists its players, keyed by seat; a game whose players have yet to be told has `untold` instead.
    `result` is the winner's seat (at a table, the winning side) or, without a winner, the outcome. Games at tables
    also have `places`, which maps each seat to the place in which it finished.
    """
    names = {player: member.name for player, member in season.members.items()}
    chairs = season.league.seats

    def show_game(fixture: Fixture) -> dict[str, Any]:
        if not fixture.players:
            return {"game": fixture.name, "result": None, "untold": True}
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
            "byes": [names[player] for player in (*round_.byes, *division.named_byes_of(round_.number))],
        }
        for round_ in division.rounds
    ]


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
        "standby": [member.name for member in season.standby],
    }
