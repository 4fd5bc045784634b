"""Team matches: their boards, their results, and a division of teams as the tables and the pairing see it.

All functions are pure. The teams of a division take part in a contest of their own: each of them is a member, and each
of their matches a fixture, so that tables, tie-breaks, cross tables and pairing are the same as those of players.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pbem.leagues.effects import BeginGame, Enter, LeagueEffect, SeatTeams, Substitute
from pbem.leagues.league_file import League
from pbem.leagues.season import (
    Division,
    Fixture,
    FixtureOutcome,
    LeagueError,
    LeagueSeason,
    Member,
    Round,
    State,
    rounds_to_come,
)
from pbem.leagues.teams import Substitution, Team, TeamMatch, TeamRound, boards_of, lineup


class Encounter(NamedTuple):
    """A team match with its games, the first board first, and the game points of both teams so far."""

    match: TeamMatch
    boards: tuple[Fixture, ...]
    points: tuple[float, float]


def encounters(league: League, division: Division, round_: Round) -> list[Encounter]:
    """Return the matches of a round of teams."""
    team_of = {member.player: member.team for member in division.members}
    found = []
    for match in round_.teams.matches if round_.teams else ():
        boards = tuple(
            fixture
            for fixture in round_.fixtures
            if {team_of.get(player) for player in fixture.players} & {*match.teams}
        )
        points = [0.0, 0.0]
        for at in range(2):
            if round_.begun:  # where only one team has a player, it has won by forfeit
                points[at] += max(0, min(match.seated[at], league.boards) - match.games)
            points[at] += sum(_points(fixture, match.teams[at], team_of) for fixture in boards)
        found.append(Encounter(match, boards, (points[0], points[1])))
    return found


def _points(fixture: Fixture, team: int, team_of: dict[int, int]) -> float:
    """Return the game points of a team for a game: 1 for a win, a half for a draw."""
    if fixture.outcome == "draw":
        return 0.5
    return float(fixture.winner is not None and team_of.get(fixture.winner) == team)


# The contest of teams


def contest(league: League, division: Division) -> Division:
    """Return the division whose members compete for places: in a league of teams, its teams as members and their
    matches as fixtures; otherwise `division` itself."""
    if not league.boards:
        return division
    states: dict[int, set[State]] = {}
    for member in division.members:
        states.setdefault(member.team, set()).add(member.state)
    members = tuple(
        Member(
            team.number,
            team.name,
            team.seed,
            "playing" if states.get(team.number, set()) & {"playing", "leaving"} else "withdrawn",
            team.by_hand,
        )
        for team in division.teams
    )
    return Division(members, tuple(_contested(league, division, round_) for round_ in division.rounds))


def _contested(league: League, division: Division, round_: Round) -> Round:
    fixtures = tuple(_as_fixture(round_, one) for one in encounters(league, division, round_))
    return round_._replace(fixtures=fixtures, byes=round_.teams.byes if round_.teams else (), teams=None)


def _as_fixture(round_: Round, encounter: Encounter) -> Fixture:
    """Return a team match as a fixture of two members, the teams."""
    match, boards, points = encounter
    plain = Fixture(match.teams, scores=points, ended=max((board.ended for board in boards), default=""))
    if not round_.begun or not all(board.outcome for board in boards):
        return plain
    outcome: FixtureOutcome = "won" if points[0] != points[1] else "draw"
    by_forfeit = all(board.forfeit or board.outcome == "annulled" for board in boards)
    if not any(points):
        outcome = "forfeit" if not boards or any(board.counts for board in boards) else "annulled"
    winner = None if outcome != "won" else match.teams[points[1] > points[0]]
    return plain._replace(
        outcome=outcome,
        winner=winner,
        forfeit=outcome == "forfeit" or (outcome == "won" and by_forfeit and 0 in points),
        played=any(board.played and board.counts for board in boards),
    )


# Who plays


def players_of(division: Division, team: int) -> list[Member]:
    """Return the members of a team who take part, in board order."""
    return [member for member in division.playing if member.team == team]


def seat_teams(season: LeagueSeason, at: int, number: int) -> Iterator[LeagueEffect]:
    """Begin the games of round `number` of division `at`: on each board the players whom the order of the boards and
    the wishes of the captains give."""
    division = season.divisions[at - 1]
    teams = division.rounds[number - 1].teams or TeamRound(())
    sides = {team.number: line_up(season, at, number, team) for team in division.teams}
    matches = tuple(
        TeamMatch(match.teams, (len(sides[match.teams[0]]), len(sides[match.teams[1]]))) for match in teams.matches
    )
    yield SeatTeams(at, number, TeamRound(matches, teams.byes))
    for match in matches:
        for pair in boards_of(match, [sides[team] for team in match.teams]):
            yield BeginGame(at, number, Fixture(pair))


def line_up(season: LeagueSeason, at: int, number: int, team: Team) -> list[int]:
    """Return the players of a team on the boards of round `number`, as the order of the boards and the wishes of the
    captain give them now, the first board first."""
    division = season.divisions[at - 1]
    wishes = [wish for wish in division.substitutions if (wish.round, wish.team) == (number, team.number)]
    return lineup([member.player for member in players_of(division, team.number)], season.league.boards, wishes)


def free_teammate(division: Division, round_: Round, leaver: Member) -> Member | None:
    """Return the first member of the leaver's team who has no game in a round; None if everyone has one."""
    busy = {player for fixture in round_.fixtures for player in fixture.players}
    team = players_of(division, leaver.team)
    return next((member for member in team if member.player not in busy | {leaver.player}), None)


def board_of(season: LeagueSeason, at: int, number: int, player: int) -> tuple[int, Team, Team] | None:
    """Return the board on which a player sits in a round, the player's team, and the other team; None if the player has
    no game in it."""
    division = season.divisions[at - 1]
    teams = {team.number: team for team in division.teams}
    team_of = {member.player: member.team for member in division.members}
    for encounter in encounters(season.league, division, division.rounds[number - 1]):
        for board, fixture in enumerate(encounter.boards, start=1):
            if player in fixture.players:
                first, second = encounter.match.teams
                own, other = (first, second) if team_of[player] == first else (second, first)
                return board, teams[own], teams[other]
    return None


def substitute(
    season: LeagueSeason, team: Team, board: int, member: Member | None, number: int = 0
) -> tuple[int, list[LeagueEffect]]:
    """Have `member` play on a board of a team in a round, by default the next one; None cancels that. Return the number
    of the round and the effects. Somebody on standby joins the team.

    Raises LeagueError if there is no such board or round, or if the member belongs to another team.
    """
    league, at = season.league, _division_of(season, team)
    division = season.divisions[at - 1]
    begun = sum(round_.begun for round_ in division.rounds)
    last = len(division.rounds) + (rounds_to_come(league, contest(league, division)) if league.format == "swiss" else 0)
    if not number and begun >= last:
        raise LeagueError("The last round of {league} has begun: no boards are left to set.", league=league.name)
    number = number or begun + 1
    if not 1 <= board <= league.boards:
        raise LeagueError("{league} has boards 1 to {last}.", league=league.name, last=league.boards)
    if number <= begun:
        raise LeagueError("Round {round} has begun: `replace` changes who plays a running game.", round=number)
    if number > last:
        raise LeagueError("There is no round {round}: the last is {last}.", round=number, last=last)
    if member is None:
        return number, [Substitute(Substitution(number, team.number, board, 0))]
    effects: list[LeagueEffect] = []
    if member.state == "standby" and member.team in (0, team.number):
        seed = 1 + max(one.seed for one in division.members)
        member = member._replace(seed=seed, state="playing", team=team.number)
        effects.append(Enter(member, season.number, at))
    if member.team != team.number or member.state != "playing":
        raise LeagueError("{name} does not play for {team}.", name=member.name, team=team.name)
    return number, [*effects, Substitute(Substitution(number, team.number, board, member.player))]


def _division_of(season: LeagueSeason, team: Team) -> int:
    return next(at for at, division in enumerate(season.divisions, start=1) if team in division.teams)


def captained(season: LeagueSeason, player: int) -> Team | None:
    """Return the team whose captain is `player`; None if there is none. If a captain has left, it is the first of those
    who play on."""
    for division in season.divisions:
        for team in division.teams:
            playing = [member.player for member in players_of(division, team.number)]
            if playing and player == (team.captain if team.captain in playing else playing[0]):
                return team
    return None


def teams_of(season: LeagueSeason) -> Sequence[Team]:
    """Return the teams of all divisions."""
    return [team for division in season.divisions for team in division.teams]


def find_team(season: LeagueSeason, name: str) -> Team | None:
    """Return the team with this name, ignoring case; None if there is none."""
    return next((team for team in teams_of(season) if team.name.casefold() == name.strip().casefold()), None)


def team_season(season: LeagueSeason) -> LeagueSeason:
    """Return the season of a league of teams with the teams as its members; any other season as it is."""
    if not season.league.boards:
        return season
    divisions = tuple(contest(season.league, division) for division in season.divisions)
    return season._replace(divisions=divisions, standby=(), requests=())


def entered(league: League, divisions: Sequence[Sequence[Member]]) -> tuple[list[list[Team]], list[list[Member]]]:
    """Return the teams of each division of a league file, and the members in `divisions` with their teams. Teams are
    numbered in the order of the divisions."""
    teams: list[list[Team]] = []
    members: list[list[Member]] = []
    number = 0
    for entries, people in zip(league.teams_of_divisions, divisions, strict=True):
        remaining = [*people]
        teams.append([])
        members.append([])
        for entry in entries:
            number += 1
            own = [member._replace(team=number) for member in remaining[: len(entry.people)]]
            del remaining[: len(own)]
            captains = [member for member in own if member.name.casefold() == entry.captain.casefold()]
            teams[-1].append(Team(number, entry.name, number, (captains or own)[0].player))
            members[-1] += own
    return teams, members


class ListedTeam(NamedTuple):
    """A team and the names of its players who take part, in board order; "" if it has no captain because it has
    left."""

    division: int
    name: str
    players: tuple[str, ...]
    captain: str


def listed_teams(season: LeagueSeason) -> list[ListedTeam]:
    """Return the teams of a season, the highest division first; [] for a league of single players."""
    return [
        ListedTeam(
            at,
            team.name,
            tuple(member.name for member in players_of(division, team.number)),
            next((member.name for member in division.playing if captained(season, member.player) == team), ""),
        )
        for at, division in enumerate(season.divisions, start=1)
        for team in division.teams
    ]
