"""What leagues of teams add to the letters and commands of leagues: boards, byes of teams, and substitutes."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from pbem import Sentence
from pbem.i18n import words
from pbem.leagues.effects import LeagueEffect
from pbem.leagues.season import LeagueError, LeagueSeason
from pbem.leagues.team_matches import board_of, captained, find_team, line_up, players_of, substitute
from pbem.leagues.teams import Team
from pbem.match.effects import Direct, Section, notice
from pbem.store.leagues import find_member


def board_section(season: LeagueSeason, place: tuple[int, int], player: int) -> tuple[Section, ...]:
    """Return the section that tells a player on which board of which team match a game is played; () in a league of
    single players. `place` is (division, round)."""
    sitting = board_of(season, *place, player)
    if sitting is None:
        return ()
    board, own, other = sitting
    captain = place[1] == 1 and captained(season, player) == own
    values = {"board": board, "team": own.name, "rivals": other.name, "captain": captain}
    return (notice("board", league=season.league.name, round=place[1], **values),)


def without_game(season: LeagueSeason, place: tuple[int, int]) -> Mapping[int, Section]:
    """Return a section for each member of a team that has a bye in the round that is just beginning and, in the first
    round, for each member who is a substitute, keyed by player. `place` is (division, round)."""
    division, number = season.divisions[place[0] - 1], place[1]
    round_ = division.rounds[number - 1]
    teams = {team.number: team for team in division.teams}
    busy = {player for fixture in round_.fixtures for player in fixture.players}
    rests = round_.teams.byes if round_.teams else ()
    return {
        member.player: notice(
            "team rests", league=season.league.name, round=number, team=teams[member.team].name,
            bye=member.team in rests, captain=captained(season, member.player) == teams[member.team],
        )
        for member in division.playing
        if member.player not in busy and (member.team in rests or number == 1)
    }  # fmt: skip


class Wish(NamedTuple):
    """A wish for the board of a team in a round, and the effects that grant it."""

    team: Team
    round: int
    effects: list[LeagueEffect]


_ROUND = rf",? (?:in )?{words.pattern('around', 'after_round')} (?P<round>\d{{1,2}})"
_WISH = re.compile(rf"(?:(?P<team>.+?) )?board (?P<board>\d) (?P<name>.+?)(?:{_ROUND})?", re.I)


def read_substitution(season: LeagueSeason, effect: Direct) -> Wish:
    """Read the argument of `substitute`: `Rooks board 2 Frank`, `board 2 Frank round 3`, `board 2 off`. Without a team,
    it is that of the writer, who must be its captain. Raises LeagueError."""
    if not season.league.boards:
        raise LeagueError("{league} is not a league of teams.", league=season.league.name)
    parts = _WISH.fullmatch(effect.argument)
    if parts is None:
        raise LeagueError(Sentence("Say which board, and who plays on it: board 2 Frank."))
    by = re.fullmatch(r"player (\d+)", effect.by)
    team = find_team(season, parts["team"]) if parts["team"] else captained(season, int(by[1])) if by else None
    if team is None and parts["team"]:
        raise LeagueError("{league} has no team {team}.", league=season.league.name, team=parts["team"])
    if by and team and not effect.reason and captained(season, int(by[1])) != team:  # game masters give a reason
        raise LeagueError("You are not the captain of {team}.", team=team.name)
    if team is None:
        raise LeagueError("You are not the captain of a team in {league}.", league=season.league.name)
    member = None if parts["name"].casefold() == "off" else find_member(season, parts["name"])
    return Wish(team, *substitute(season, team, int(parts["board"]), member, int(parts["round"] or 0)))


def told_of_line_up(before: LeagueSeason, after: LeagueSeason, wish: Wish, effect: Direct) -> Mapping[int, Section]:
    """Return a section for each player whose board in a round a wish has changed, and for the captain, keyed by player.
    Whoever wrote `effect` sees the answer to that."""
    at = next(number for number, one in enumerate(after.divisions, start=1) if wish.team in one.teams)
    were, now = (line_up(season, at, wish.round, wish.team) for season in (before, after))
    names = {member.player: member.name for member in after.members.values()}
    boards = {player: board for board, player in enumerate(now, start=1)}
    changed = {player for player in (*were, *now) if player not in were or were.index(player) + 1 != boards.get(player)}
    captain = next(
        (one.player for one in players_of(after.divisions[at - 1], wish.team.number) if captained(after, one.player)), 0
    )
    values = {"league": after.league.name, "round": wish.round, "team": wish.team.name}
    sitting = [f"{board}. {names[player]}" for player, board in boards.items()]
    return {
        player: notice("line up", **values, board=boards.get(player, 0), sitting=sitting, affected=player in changed)
        for player in sorted(changed | {captain} - {0})
        if f"player {player}" != effect.by
    }
