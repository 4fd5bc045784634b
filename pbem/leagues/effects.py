"""The effects of a decision about a league.

Either all effects of a decision are carried out, or none of them. Divisions and rounds are numbered from 1; effects
apply to the current season unless they name another season.
"""

from typing import NamedTuple

from pbem.leagues.season import Fixture, Member, Request, Round, State
from pbem.leagues.teams import Substitution, Team, TeamRound
from pbem.match.effects import Effect
from pbem.tournament.pairing import Pairing


class Enter(NamedTuple):
    """A player enters a season; `division` is 0 if the player is on standby."""

    member: Member
    season: int
    division: int


class EnterTeam(NamedTuple):
    """A team enters a season."""

    team: Team
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
    """The pairing of a round is decided. If it pairs teams, their games follow when the round begins."""

    division: int
    round: int
    pairing: Pairing
    of_teams: bool = False


class SeatTeams(NamedTuple):
    """It is decided how many boards each team of a round can fill."""

    division: int
    round: int
    teams: TeamRound


class Substitute(NamedTuple):
    """A player is to play on a board of a team in a round that has not begun; player 0 stands for whoever the order of
    the boards gives."""

    wish: Substitution


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


Kept = (
    Enter
    | EnterTeam
    | ChangeState
    | BeginSeason
    | AddRound
    | SeatTeams
    | Substitute
    | EndRound
    | ChangeRound
    | ChangeFixture
    | Settle
    | SetRequests
)
"""Effects that need only be stored."""

LeagueEffect = Kept | BeginRound | BeginGame | InMatch | TellStandings
