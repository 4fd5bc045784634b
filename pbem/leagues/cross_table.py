"""Cross tables, which show who has met whom in which round and with what result; also exports for other programs.

All functions are pure.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from pbem.leagues.league_file import League
from pbem.leagues.season import (
    Division,
    Fixture,
    LeagueError,
    LeagueSeason,
    Round,
    external_ratings,
    in_pairing_order,
    struck,
    table,
    virtual_points,
)
from pbem.leagues.team_matches import contest, team_season
from pbem.tournament.standings import Scoring, TableRow

GameOutcome = Literal["won", "drawn", "lost", "annulled", "going on", "bye", "requested", "late", "out"]
"""The outcome of a round for a player. "bye" is a bye that the pairing gave, "requested" one that was asked for; "late"
means that they were not in the league yet, "out" that they had neither a game nor a bye."""


class Met(NamedTuple):
    """A game from one player's point of view, or a round without a game, in which case `opponents` is empty."""

    round: int
    outcome: GameOutcome
    opponents: tuple[int, ...] = ()
    seat: int = 0  # the player's seat, as an index of the league's seats
    forfeit: bool = False  # decided by a forfeit
    played: bool = False  # at least one turn was played, and the game was not forfeited by somebody who left or by both
    place: str = ""  # the place at a table with more than two players: `2/4`
    points: float = 0  # for a requested bye, or for a round before the player joined
    score: float = 0  # at the end of the game; the game points of a team


class CrossTableRow(NamedTuple):
    """A line of a cross table: a player's row of the standings, and their rounds."""

    name: str
    row: TableRow
    has_left: bool
    met: tuple[Met, ...]
    by_hand: float = 0  # the points of the row that a game master gave by hand
    rating: int | None = None  # in a league of players with external ratings; 0 for none


def cross_table(league: League, division: Division) -> list[CrossTableRow]:
    """Return a line for each member of a division in the order of the standings, with the rounds that have begun. For a
    league of teams, `division` is their contest."""
    members = {member.player: member for member in division.members}
    leavers = frozenset(player for player, member in members.items() if member.state in ("withdrawn", "standby"))
    met: dict[int, list[Met]] = {player: [] for player in members}
    ratings = external_ratings(league, division) if not league.boards else {}
    for round_ in division.rounds:
        if round_.begun:
            for player in members:
                met[player] += _of_round(division, round_, player, leavers)
    return [
        CrossTableRow(
            *(members[row.player].name, row, members[row.player].state != "playing", tuple(met[row.player])),
            members[row.player].by_hand,
            ratings.get(row.player),
        )
        for row in table(league, division)
    ]


def _of_round(division: Division, round_: Round, player: int, leavers: frozenset[int]) -> Iterator[Met]:
    mine = [fixture for fixture in round_.fixtures if player in fixture.players]
    requested = division.byes_of(round_.number)
    if not mine and player in round_.byes:
        yield Met(round_.number, "bye")
    elif not mine and player in requested:
        late = player not in division.named_byes_of(round_.number)
        yield Met(round_.number, "late" if late else "requested", points=requested[player])
    elif not mine:
        yield Met(round_.number, "out")
    for fixture in mine:
        yield _game(round_.number, fixture, player, leavers)


def _game(number: int, fixture: Fixture, player: int, leavers: frozenset[int]) -> Met:
    opponents = tuple(opponent for opponent in fixture.players if opponent != player)
    seat = fixture.seated[fixture.players.index(player)]
    if not fixture.counts:
        return Met(number, "annulled" if fixture.outcome else "going on", opponents, seat)
    result = fixture.result(number)
    rank, best = result.ranks[player], min(result.ranks.values())
    first = [ranked for ranked in result.ranks if result.ranks[ranked] == best]
    outcome: GameOutcome = (
        "lost" if rank > best or player in result.forfeit else "won" if first == [player] else "drawn"
    )
    place = f"{rank}/{len(fixture.players)}" if fixture.placing else ""
    played = fixture.played and not result.forfeit & leavers and fixture.outcome != "forfeit"
    score = fixture.scores[fixture.players.index(player)]
    return Met(number, outcome, opponents, seat, bool(result.forfeit), played, place, score=score)


# As lines of text


def _is_matrix(league: League) -> bool:
    """Return whether a cross table has a column for each player rather than for each round."""
    return league.format != "swiss" and not league.seating


def cells(league: League, lines: Sequence[CrossTableRow]) -> list[list[str]]:
    """Return the cells of each line of a cross table, column by column; players are denoted by the numbers of their
    lines.

    In a round robin or a ladder, a column shows the results against one player: `1`, `½`, `0`, `+` and `-` for
    forfeits, `.` against oneself; against a team, it shows the game points. Otherwise, a column shows one round: `5+`
    is a win against player 5, `5=` a draw, `5-` a loss, with an `f` for a forfeit, and game points behind it in a
    league of teams. With more than two players at a table, the column shows the place: `2/4`. `bye` is a bye, with its
    points if it was requested (`bye 0.5`); `late` is a round before the player joined.
    """
    at = {line.row.player: number for number, line in enumerate(lines, start=1)}
    if _is_matrix(league):
        against = _match_against if league.boards else _against
        return [[against(line, opponent.row.player) for opponent in lines] for line in lines]
    return [[_cell(league, line, number, at) for number in _rounds(lines)] for line in lines]


def columns(league: League, lines: Sequence[CrossTableRow]) -> list[str]:
    """Return the headings of the columns: line numbers, or `R1`, `R2` and so on for rounds."""
    return [str(at) for at in range(1, len(lines) + 1)] if _is_matrix(league) else [f"R{at}" for at in _rounds(lines)]


def _rounds(lines: Sequence[CrossTableRow]) -> list[int]:
    return sorted({met.round for line in lines for met in line.met})


def _against(line: CrossTableRow, opponent: int) -> str:
    plain = {"won": "1", "drawn": "½", "lost": "0"}
    forfeited = {"won": "+", "lost": "-"}
    signs = [
        (forfeited if met.forfeit else plain).get(met.outcome, "") for met in line.met if opponent in met.opponents
    ]
    return "." if opponent == line.row.player else "".join(signs)


def _match_against(line: CrossTableRow, opponent: int) -> str:
    """Return the game points of a team in its matches against `opponent`: `2.5`, or `4f` after a forfeit."""
    scores = [
        f"{met.score:g}{'f' * met.forfeit}"
        for met in line.met
        if opponent in met.opponents and met.outcome in ("won", "drawn", "lost")
    ]
    return "." if opponent == line.row.player else "/".join(scores)


def _cell(league: League, line: CrossTableRow, number: int, at: Mapping[int, int]) -> str:
    """Return the cell of a line for a round; `at` contains the numbers of the lines, keyed by player."""
    shown = []
    for met in line.met:
        if met.round == number:
            is_over = league.boards and met.outcome in ("won", "drawn", "lost")
            shown.append(f"{_in_round(met, at)} {met.score:g}" if is_over else _in_round(met, at))
    return " ".join(shown)


def _in_round(met: Met, at: Mapping[int, int]) -> str:
    if met.place or not met.opponents:
        return met.place or _without_game(met)
    numbers = ",".join(str(at[player]) for player in met.opponents)
    sign = {"won": "+", "drawn": "=", "lost": "-"}.get(met.outcome)
    return f"{numbers}{sign}{'f' * met.forfeit}" if sign else f"({numbers})"


def _without_game(met: Met) -> str:
    points = f"{met.points:g}"
    late = f"late {points}" if met.points else "late"
    return {"bye": "bye", "requested": f"bye {points}", "late": late}.get(met.outcome, "")


def show_cross_table(season: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """Return a cross table as plain data, as `league crosstable --json` prints it."""
    season = team_season(season)
    names = {player: member.name for player, member in season.members.items()}
    return [
        {
            "rank": line.row.rank,
            who_in(season.league): line.name,
            "points": line.row.points,
            **({} if line.rating is None else {"rating": line.rating}),
            **({"given": line.by_hand} if line.by_hand else {}),
            "left": line.has_left,
            "rounds": [_show_met(season.league, names, met) for met in line.met],
        }
        for line in cross_table(season.league, contest(season.league, division))
    ]


def _show_met(league: League, names: Mapping[int, str], met: Met) -> dict[str, Any]:
    side = {"game_points": met.score} if league.boards else {"seat": league.seats[met.seat]}
    return {
        "round": met.round,
        "outcome": met.outcome,
        "opponents": [names[player] for player in met.opponents],
        **({**side, "forfeit": met.forfeit} if met.opponents else {}),
        **({"place": met.place} if met.place else {}),
        **({"points": met.points} if met.outcome in ("requested", "late") else {}),
    }


def who_in(league: League) -> str:
    """Return the name of the column for those who compete: `team` or `player`."""
    return "team" if league.boards else "player"


# For other programs


def as_csv(season: LeagueSeason, divisions: Mapping[int, Division]) -> str:
    """Return the standings of `divisions`, which is keyed by division number, as CSV (RFC 4180): a line for each
    player, with a column for each tie-break and round. Opponents are denoted by the numbers of their lines in the same
    division, as in `cells`."""
    league = season.league
    tables = {number: cross_table(league, contest(league, division)) for number, division in divisions.items()}
    last = max((number for lines in tables.values() for number in _rounds(lines)), default=0)
    rounds = range(1, last + 1)
    text = io.StringIO()
    writer = csv.writer(text)
    with_rating = ["rating"] if league.ratings == "external" and not league.boards else []
    columns = ("left", "points", "given", "played", "won", "drawn", "lost")
    who = ("division", "number", "rank", who_in(league))
    writer.writerow(
        [*who, *with_rating, *columns, *league.scoring.tie_breaks, *(f"round {number}" for number in rounds)]
    )
    for number, lines in tables.items():
        at = {line.row.player: place for place, line in enumerate(lines, start=1)}
        for line in lines:
            row = line.row
            met = [_cell(league, line, each, at) for each in rounds]
            values = ["" if value is None else f"{value:g}" for value in row.tie_breaks]
            given = f"{line.by_hand:g}" if line.by_hand else ""
            numbers = f"{row.points:g}", given, row.played, row.won, row.drawn, row.lost
            has_left = "yes" if line.has_left else ""
            rating = [] if line.rating is None else [line.rating]
            who_is = number, at[row.player], row.rank, _plain(line.name), *rating
            writer.writerow([*who_is, has_left, *numbers, *values, *met])
    return text.getvalue()


def _plain(name: str) -> str:
    """Return `name` in a form that no spreadsheet mistakes for a formula."""
    return f"'{name}" if name[:1] in "=+-@" else name


def as_trf(season: LeagueSeason, division: Division, ratings: Mapping[int, int]) -> str:
    """Return a division as FIDE's Tournament Report File (TRF16), with the finished rounds; the first seat is White.

    Players are numbered by their seeds, in a Swiss season with external ratings by these; `ratings` is keyed by player,
    with 0 for none. Points given by hand are in the totals; a
    comment (`###`, as in TRF26) names them, because the format has no place for them. In a league of teams, the players
    have their points on the boards, lines `013` have the players of each team in board order, and comments have the
    places and points of the teams, for which TRF16 has no place either. Raises LeagueError for what the format cannot
    express: ladders, and tables with more than two players.
    """
    league = season.league
    if league.format == "ladder" or league.seating:
        raise LeagueError(f"{league.name} has no TRF: that is for round robins and Swiss tournaments of games of two.")
    over = [
        round_ for round_ in division.rounds if round_.begun and all(fixture.outcome for fixture in round_.fixtures)
    ]
    division = division._replace(rounds=tuple(over))
    counted = _of_boards(league) if league.boards else league
    lines = {line.row.player: line for line in cross_table(counted, division)}
    started = {member.player: at for at, member in enumerate(in_pairing_order(league, division.members), start=1)}
    out = {player for place in struck(counted, division) for player in place}
    unplayed = {round_.number: _signs_of_byes(counted.scoring, division, round_) for round_ in over}
    head = [
        f"{code} {value}"
        for code, value in _facts(season, division, counted, sum(map(bool, ratings.values()))).items()
        if value
    ]
    for player, number in started.items():
        row, name = lines[player].row, lines[player].name
        results = "  ".join(_tokens(counted.scoring, lines[player], started, out, unplayed))
        who = f"001 {number:4}      {name[:33]:33} {ratings.get(player, ''):>4}{'':28}"
        head.append(f"{who}{row.points:4.1f} {row.rank:4}  {results}".rstrip())
    head += _accelerated_lines(league, division, started)
    given = [f"### {number} {lines[player].name}: {lines[player].by_hand:+g} points by hand, in the total"
             for player, number in started.items() if lines[player].by_hand]  # fmt: skip
    return "\n".join([*head, *_team_lines(league, division, started), *given, ""])


def _accelerated_lines(league: League, division: Division, started: Mapping[int, int]) -> list[str]:
    """Return the lines `XXA` of JaVaFo's extension of TRF16, which have the virtual points of players in each
    accelerated round. Those of teams have no place in the file."""
    if league.boards:
        return []
    points = virtual_points(league, division)
    return [
        f"XXA {number:4} {' '.join(f'{one:4.1f}' for one in points[player])}"
        for player, number in started.items()
        if player in points
    ]


def _of_boards(league: League) -> League:
    """Return the league in which the players of a league of teams collect points on their boards."""
    return replace(league, format="swiss", boards=0, scoring=Scoring(tie_breaks=()))


def _facts(season: LeagueSeason, division: Division, counted: League, rated: int) -> dict[str, str]:
    """Return the lines about a tournament in a TRF, keyed by their codes."""
    league, ended = season.league, max((fixture.ended for fixture in division.fixtures), default="")
    kind = "Team" if league.boards else "Individual"
    return {
        "012": f"{league.name}, season {season.number}",
        "042": season.begun[:10].replace("-", "/"),
        "052": ended[:10].replace("-", "/"),
        "062": str(len(division.members)),
        "072": str(rated),
        "082": str(len(division.teams) or ""),
        "092": f"{kind}: {'Swiss-System' if league.format == 'swiss' else 'Round-Robin'}",
        "102": ", ".join(master.name for master in league.masters),
        "XXR": str(len(division.rounds)),
        "XXS": _point_system(counted.scoring),
    }


def _team_lines(league: League, division: Division, started: Mapping[int, int]) -> list[str]:
    """Return TRF16's lines about teams, and comments about their places; [] for a league of single players."""
    teams = [
        f"013 {team.name[:31]:31} "
        + " ".join(f"{started[member.player]:4}" for member in division.members if member.team == team.number)
        for team in division.teams
    ]
    places = [
        f"### {line.row.rank} {line.name}: match points {line.row.points:g}, game points {_game_points(league, line):g}"
        for line in (cross_table(league, contest(league, division)) if teams else ())
    ]
    return [*teams, *places]


def _game_points(league: League, line: CrossTableRow) -> float:
    """Return the game points of a team, with those for its byes."""
    byes = sum(met.outcome == "bye" for met in line.met)
    return sum(met.score for met in line.met) + byes * league.boards / 2


def _signs_of_byes(scoring: Scoring, division: Division, of: Round) -> dict[int, str]:
    """Return TRF16's marks for the byes in round `of`, keyed by player. The mark of a requested bye depends on its
    points; a bye given by the pairing is marked `U`."""
    signs = {scoring.draw: "H", scoring.bye: "F"}
    signs_asked = {player: signs.get(points, "Z") for player, points in division.byes_of(of.number).items()}
    return signs_asked | dict.fromkeys(of.byes[:1], "U")


def _point_system(scoring: Scoring) -> str:
    """Return the point system in JaVaFo's extension of TRF16; "" if it is the default point system."""
    win, draw, loss, bye, forfeit, *_ = scoring
    if (win, draw, loss, bye, forfeit) == Scoring()[:5]:
        return ""
    points = {"W": win, "D": draw, "L": loss, "FPB": bye, "PAB": bye, "FL": forfeit, "ZPB": 0}
    return " ".join(f"{code}={value:.1f}" for code, value in points.items())


def _tokens(
    scoring: Scoring,
    line: CrossTableRow,
    started: Mapping[int, int],
    out: Set[int],
    unplayed: Mapping[int, Mapping[int, str]],
) -> Iterator[str]:
    """Yield TRF16's entry for each round in `line`: opponent, colour and result. `started` contains the players'
    numbers, games with a player in `out` do not count, and `unplayed` contains the marks for byes, keyed by round and
    player. A bye counts only if the player's points include it."""
    player = line.row.player
    games = {
        met.round: _result(met, scoring)
        for met in line.met
        if met.opponents and met.outcome != "annulled" and not out & {player, *met.opponents}
    }
    points_left = round(line.row.points - sum(points for _, points in games.values()), 6)
    for met in line.met:
        if met.round in games:
            yield f"{started[met.opponents[0]]:4} {'wb'[met.seat]} {games[met.round][0]}"
        elif met.outcome == "bye" and points_left >= scoring.bye:
            points_left -= scoring.bye
            yield f"0000 - {unplayed[met.round].get(player, 'F')}"
        elif met.outcome in ("requested", "late", "out"):
            yield f"0000 - {unplayed[met.round].get(player, 'Z')}"
        else:
            yield "0000 - Z"


def _result(met: Met, scoring: Scoring) -> tuple[str, float]:
    """Return the symbol for a game, and its points. `+` and `-` mark forfeits, unless the game was forfeited during
    play and a forfeit scores the same as any other loss. Such games, and games in which no turn was played, are marked
    with `W`, `D` or `L`, the symbols for unrated games."""
    won, lost = met.outcome == "won", met.outcome == "lost"
    points = scoring.win if won else scoring.draw if not lost else scoring.forfeit if met.forfeit else scoring.loss
    if met.forfeit and (not met.played or scoring.forfeit != scoring.loss):
        return "+" if won else "-", points
    signs = "1=0" if met.played and not met.forfeit else "WDL"
    return signs[0 if won else 2 if lost else 1], points
