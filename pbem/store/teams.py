"""The teams of leagues: who plays for them, their matches, and the wishes for their boards.

A season is identified by the pair (league, season), and a round by (division, round). The caller opens the transaction.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from pbem.leagues.effects import EnterTeam, SeatTeams, Substitute
from pbem.leagues.teams import Substitution, Team, TeamMatch, TeamRound
from pbem.store.database import Store
from pbem.tournament.pairing import Pairing


def load_teams(store: Store, season: tuple[int, int]) -> tuple[Mapping[int, Sequence[Team]], tuple[Substitution, ...]]:
    """Return the teams of a season by division, in order of seed, and the substitutions of all its rounds."""
    teams: dict[int, list[Team]] = {}
    for division, *team in store.conn.execute(
        "SELECT division, number, name, seed, captain, given FROM teams WHERE league = ? AND season = ?"
        " ORDER BY division, seed",
        season,
    ):
        teams.setdefault(division, []).append(Team(*team))
    wishes = store.conn.execute(
        "SELECT round, team, board, player FROM substitutions WHERE league = ? AND season = ?"
        " ORDER BY round, team, board",
        season,
    )
    return teams, tuple(Substitution(*wish) for wish in wishes)


def apply_to_teams(
    store: Store, season: tuple[int, int], effect: EnterTeam | SeatTeams | Substitute, now: datetime
) -> None:
    """Store an effect of a decision about the teams of a season."""
    match effect:
        case EnterTeam(team, number, division):
            content = {"league": season[0], "season": number, "division": division}
            columns = {"number": team.number, "name": team.name, "seed": team.seed, "captain": team.captain}
            store.insert("teams", **content, **columns)
            store.note("team", {**content, "team": team.number, "captain": team.captain}, now)
        case SeatTeams(division, number, teams):
            _set_team_round(store, season, (division, number), teams)
        case Substitute(wish):
            _set_substitution(store, season, wish, now)


def give_team(store: Store, season: tuple[int, int], team: int, points: float) -> None:
    """Add `points`, which may be negative, to the match points of a team."""
    store.conn.execute(
        "UPDATE teams SET given = round(given + ?, 6) WHERE league = ? AND season = ? AND number = ?",
        (points, *season, team),
    )


def add_team_round(
    store: Store, season: tuple[int, int], place: tuple[int, int], pairing: Pairing, now: datetime
) -> None:
    """Insert a round of teams, whose games follow when it begins."""
    content = dict(zip(("league", "season", "division", "round"), (*season, *place), strict=True))
    store.insert("rounds", **content, byes="[]", notes=json.dumps(pairing.notes))
    matches = tuple(TeamMatch((first, second)) for first, second in pairing.games)
    _set_team_round(store, season, place, TeamRound(matches, pairing.byes))
    store.note("round", {**content, "teams": pairing.games, "byes": pairing.byes}, now)


def read_team_round(text: str | None) -> TeamRound | None:
    """Return the matches of a round from the column `teams`."""
    if text is None:
        return None
    content = json.loads(text)
    matches = (TeamMatch((first, second), (own, others)) for first, second, own, others in content["matches"])
    return TeamRound(tuple(matches), tuple(content["byes"]))


def _set_team_round(store: Store, season: tuple[int, int], place: tuple[int, int], teams: TeamRound) -> None:
    """Store the matches of a round of teams: the inverse of `read_team_round`."""
    matches = [(*match.teams, *match.seated) for match in teams.matches]
    store.conn.execute(
        "UPDATE rounds SET teams = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        (json.dumps({"matches": matches, "byes": teams.byes}), *season, *place),
    )


def _set_substitution(store: Store, season: tuple[int, int], wish: Substitution, now: datetime) -> None:
    """Store who is to play on a board in a round; player 0 deletes what was wished before."""
    place = (*season, wish.round, wish.team)
    store.conn.execute(  # nobody sits on two boards
        "DELETE FROM substitutions WHERE league = ? AND season = ? AND round = ? AND team = ?"
        " AND (board = ? OR player = ?)",
        (*place, wish.board, wish.player),
    )
    if wish.player:
        store.conn.execute("INSERT INTO substitutions VALUES (?, ?, ?, ?, ?, ?)", (*place, wish.board, wish.player))
    store.note("substitution", {"league": season[0], "season": season[1], **wish._asdict()}, now)
