"""Leagues of teams as values: files, line-ups, results, tables and pairing."""

import csv
from pathlib import Path

import pytest

from pbem.leagues.cross_table import as_csv, as_trf, cells, cross_table
from pbem.leagues.league_file import League, LeagueFileError, dump_league, parse_league, read_league
from pbem.leagues.season import Division, Fixture, LeagueSeason, Member, Round, pair_next_round, struck, table
from pbem.leagues.team_matches import contest, encounters
from pbem.leagues.teams import Substitution, Team, TeamMatch, TeamRound, boards_of, lineup

SWISS, CIRCLE = (read_league({"name": "Cup", "format": shape, "boards": 2}) for shape in ("swiss", "round-robin"))
TEAMS = tuple(
    Team(number, name, number, number * 10 + 1) for number, name in enumerate(("Rooks", "Knights", "Pawns"), 1)
)


def member(team: int, board: int, state="playing") -> Member:
    player = team * 10 + board
    return Member(player, f"P{player}", player, state, team=team)


MEMBERS = tuple(member(team, board) for team in (1, 2, 3) for board in (1, 2, 3))


def game(first, second, winner=None, **more):
    """A game that is over: a draw if there is no winner."""
    return Fixture((first, second), outcome="won" if winner else "draw", winner=winner, **more)


def match(*games, teams=(1, 2), seated=(2, 2), byes=(), number=1):
    return Round(number, games, teams=TeamRound((TeamMatch(teams, seated),), byes))


def division(*rounds, members=MEMBERS, teams=TEAMS):
    return Division(members, rounds, teams=teams)


def season(league, *divisions) -> LeagueSeason:
    return LeagueSeason(1, league, 1, "2026-01-01T12:00:00Z", divisions, ())


# The file


def team(name, *players, **more):
    settings = "".join(f"{key} = {value}\n" for key, value in more.items())
    people = ", ".join(f'"{one} <{one.lower()}@example.net>"' for one in players)
    return f'[[teams]]\nname = "{name}"\nplayers = [{people}]\n{settings}'


TWO = team("Rooks", "Ann", "Ben") + team("Pawns", "Dan", "Eve")
"""Two teams for two boards."""


def test_a_file_has_teams_with_captains_and_substitutes_each_in_its_division():
    text = 'name = "Cup"\nformat = "swiss"\nboards = 2\nup = 1\ndown = 1\n'
    text += team("Pawns", "Ann", "Ben", division=2) + team("Rooks", "Cid", "Dan", captain='"dan"')
    text += team("Knights", "Eve", "Fay", substitutes='["Gil <gil@example.net>"]') + team(
        "Kings", "Hal", "Ida", division=2
    )
    league = parse_league(text)
    assert [[one.name for one in teams] for teams in league.teams_of_divisions] == [
        ["Rooks", "Knights"],
        ["Pawns", "Kings"],
    ]
    assert [[person.name for person in people] for people in league.entered] == [
        ["Cid", "Dan", "Eve", "Fay", "Gil"],
        ["Ann", "Ben", "Hal", "Ida"],
    ]
    assert (league.scoring.win, league.scoring.draw, league.scoring.bye) == (2, 1, 1)
    assert league.scoring.tie_breaks[0] == "game points"
    assert read_league(dump_league(league)).scoring == league.scoring


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("boards = 2\n", "a league with boards is one of teams: write [[teams]] above each of them."),
        (
            team("Rooks", "Ann", "Ben") + team("Pawns", "Cid", "Dan"),
            "boards: say on how many boards two teams play each other, from 2 to 8.",
        ),
        ("boards = 2\n" + team("Rooks", "Ann", "Ben"), "teams: division 1 needs at least 2 teams, not 1."),
        (
            "boards = 3\n" + team("Rooks", "Ann", "Ben", "Cid") + team("Pawns", "Dan", "Eve"),
            "[[teams]] 2, players: 3 boards need as many players, not 2.",
        ),
        (
            "boards = 2\n" + team("Rooks", "Ann", "Ben", captain='"Zoe"') + team("Pawns", "Dan", "Eve"),
            '[[teams]] 1, captain: "Zoe" is no player of the team.',
        ),
        (
            "boards = 2\n" + team("Rooks", "Ann", "Ben") + team("rooks", "Dan", "Eve"),
            '[[teams]] 2, name: another team is called "rooks" already.',
        ),
        (
            "boards = 2\n" + team("Rooks", "Ann", "Ben") + team("Pawns", "Ann", "Eve"),
            "[[teams]] 2, players, entry 1: this address stands at [[teams]] 1, players, entry 1 already.",
        ),
        (
            'boards = 2\ngame = "ozz"\ntable = 3\n' + TWO,
            "game: teams play games of two; Campaigns of Ozz is for 3 here.",
        ),
        (
            'boards = 2\nforbidden = [["Ann", "Dan"]]\n' + TWO,
            "forbidden: this is for single players, not for teams.",
        ),
        (
            "boards = 2\nup = 1\n" + TWO
            + team("Kings", "Fay", "Gus", division=2) + team("Bishops", "Hal", "Ida", division=2),
            (
                "up: after a season division 2 would have 1 left, and needs 2: set `down` to the same number, or make "
                "the division bigger."
            ),
        ),
        (
            "boards = 9\n" + TWO,
            "boards: this should be a number from 2 to 8, not 9.",
        ),
        (
            'boards = 2\nscoring = { tie_breaks = ["score"] }\n' + team("Rooks", "Al", "Bo") + team("Pawns", "C", "D"),
            '[scoring] tie_breaks: "score" is for leagues of single players.',
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_teams_is_told_with_its_place(text, problem):
    with pytest.raises(LeagueFileError) as told:
        parse_league(f'name = "Cup"\nformat = "swiss"\n{text}')
    assert problem in told.value.problems


def test_teams_play_no_ladder_and_have_no_divisions_of_players():
    with pytest.raises(LeagueFileError, match="teams play a round-robin or a swiss tournament, no ladder"):
        parse_league(f'name = "Cup"\nformat = "ladder"\nboards = 2\n{TWO}')
    with pytest.raises(LeagueFileError, match="teams and their boards are known to all"):
        parse_league(f'name = "Cup"\nformat = "swiss"\nboards = 2\n{TWO}\n[terms]\nanonymous = "season"')
    divisions = 'divisions = [{ players = ["A <a@x.org>", "B <b@x.org>"] }]'
    with pytest.raises(LeagueFileError, match=r"a league of teams has \[\[teams\]\] instead"):
        parse_league(f'name = "Cup"\nformat = "swiss"\nboards = 2\n{divisions}\n{TWO}')
    with pytest.raises(LeagueFileError, match='"game points" is for leagues of teams'):
        read_league({"name": "L", "format": "swiss", "scoring": {"tie_breaks": ["game points"]}})


# Who plays


def test_the_boards_are_in_order_and_a_substitute_takes_the_place_of_one_player():
    assert lineup([1, 2, 3, 4], 3, []) == [1, 2, 3]
    assert lineup([1, 2, 3, 4], 3, [Substitution(1, 1, 2, 4)]) == [1, 4, 3]
    assert lineup([1, 2, 3], 3, [Substitution(1, 1, 3, 1)]) == [3, 2, 1]  # they change places
    assert lineup([1, 2], 3, [Substitution(1, 1, 3, 2)]) == [1, 2]  # nobody plays below an empty board
    assert lineup([1, 2, 3], 3, [Substitution(1, 1, 1, 9)]) == [1, 2, 3]  # has left since


def test_sides_alternate_from_board_to_board_and_boards_without_an_opponent_have_no_game():
    assert boards_of(TeamMatch((1, 2)), [[11, 12, 13], [21, 22, 23]]) == [(11, 21), (22, 12), (13, 23)]
    assert boards_of(TeamMatch((1, 2)), [[11, 12], [21]]) == [(11, 21)]


# Results


@pytest.mark.parametrize(
    ("games", "seated", "points", "outcome", "winner", "forfeit"),
    [
        ([game(11, 21, 11), game(22, 12)], (2, 2), (1.5, 0.5), "won", 1, False),
        ([game(11, 21, 11), game(22, 12, 22)], (2, 2), (1, 1), "draw", None, False),
        ([game(11, 21, 21, forfeit=True), game(22, 12, 22, forfeit=True)], (2, 2), (0, 2), "won", 2, True),
        ([game(11, 21, 21)], (2, 1), (1, 1), "draw", None, False),  # board 2 is won without an opponent
        ([], (2, 0), (2, 0), "won", 1, True),
        ([], (0, 0), (0, 0), "forfeit", None, True),
        ([Fixture((11, 21), outcome="annulled")] * 2, (2, 2), (0, 0), "annulled", None, False),
        ([game(11, 21, 11), Fixture((22, 12), outcome="annulled")], (2, 2), (1, 0), "won", 1, False),
        ([Fixture((11, 21), outcome="forfeit", forfeit=True)] * 2, (2, 2), (0, 0), "forfeit", None, True),
    ],
)  # fmt: skip
def test_a_match_is_the_sum_of_its_boards(games, seated, points, outcome, winner, forfeit):
    (fixture,) = contest(SWISS, division(match(*games, seated=seated))).rounds[0].fixtures
    assert (fixture.scores, fixture.outcome, fixture.winner, fixture.forfeit) == (points, outcome, winner, forfeit)


def test_a_match_is_not_over_before_its_last_game():
    one = division(match(game(11, 21, 11), Fixture((22, 12))))
    assert [encounter.points for encounter in encounters(SWISS, one, one.rounds[0])] == [(1, 0)]
    assert contest(SWISS, one).fixtures[0].outcome is None
    assert [row.points for row in table(SWISS, contest(SWISS, one))] == [0, 0, 0]


def test_a_player_who_has_left_and_a_new_one_both_played_for_the_team():
    members = (*MEMBERS[1:], member(1, 1, "withdrawn"))
    one = division(match(game(11, 21, 11), game(22, 12, 12)), members=members)
    assert contest(SWISS, one).fixtures[0].scores == (2, 0)


# Tables


def test_teams_are_ranked_by_match_points_then_game_points_and_a_bye_counts_half():
    one = division(
        match(game(11, 21, 11), game(22, 12, 12), byes=(3,)),
        match(game(31, 11), game(12, 32), teams=(3, 1), byes=(2,), number=2),
    )
    rows = table(SWISS, contest(SWISS, one))
    assert [(row.rank, row.player, row.points, row.tie_breaks[0], row.won, row.drawn) for row in rows] == [
        (1, 1, 3, 3, 1, 1),
        (2, 3, 2, 2, 0, 1),
        (3, 2, 1, 1, 0, 0),
    ]


def test_direct_encounter_and_sonneborn_berger_are_those_of_matches():
    one = division(
        match(game(11, 21), game(22, 12, 12), byes=(3,)),
        match(game(21, 31), game(32, 22, 22), teams=(2, 3), byes=(1,), number=2),
        match(game(31, 11), game(12, 32, 32), teams=(3, 1), byes=(2,), number=3),
    )
    rows = table(CIRCLE, contest(CIRCLE, one))
    assert [(row.rank, row.points, row.tie_breaks) for row in rows] == [(1, 3, (3, 2, 3))] * 3


def test_match_points_given_by_hand_count():
    teams = (TEAMS[0], TEAMS[1]._replace(by_hand=3), TEAMS[2])
    one = division(match(game(11, 21, 11), game(22, 12, 12)), teams=teams)
    first, *_ = cross_table(SWISS, contest(SWISS, one))
    assert (first.name, first.row.points, first.by_hand) == ("Knights", 3, 3)


def test_cross_tables_have_the_game_points_by_round_or_by_opponent():
    one = division(match(game(11, 21, 11), game(22, 12), byes=(3,)))
    assert cells(SWISS, cross_table(SWISS, contest(SWISS, one))) == [["3+ 1.5"], ["bye"], ["1- 0.5"]]
    assert cells(CIRCLE, cross_table(CIRCLE, contest(CIRCLE, one))) == [
        [".", "", "1.5"],
        ["", ".", ""],
        ["0.5", "", "."],
    ]
    gone = division(match(seated=(2, 0)))
    assert cells(CIRCLE, cross_table(CIRCLE, contest(CIRCLE, gone)))[0] == [".", "2f", ""]


def test_a_team_that_left_before_half_its_matches_is_struck_from_a_round_robin():
    members = tuple(one._replace(state="withdrawn") if one.team == 3 else one for one in MEMBERS)
    one = division(
        match(game(11, 21, 11), game(22, 12), byes=(3,)),
        match(seated=(2, 0), teams=(1, 3), byes=(2,), number=2),
        match(seated=(0, 2), teams=(3, 2), byes=(1,), number=3),
        members=members,
    )
    of_teams = contest(CIRCLE, one)
    assert struck(CIRCLE, of_teams) == [(3,)]
    assert next((row.player, row.played, row.points) for row in table(CIRCLE, of_teams)) == (1, 1, 3)


# Pairing


def test_a_swiss_round_pairs_teams_by_match_points_and_gives_one_a_bye():
    first = match(game(11, 21, 11), game(22, 12, 12), byes=(3,))
    second = pair_next_round(SWISS, contest(SWISS, division(first)))
    assert {frozenset(pair) for pair in second.games} == {frozenset((1, 3))}
    assert second.byes == (2,)
    assert second.games == ((3, 1),)  # the Rooks had the first seat on board 1 before


def test_a_team_of_which_everybody_has_left_is_not_paired():
    members = tuple(one._replace(state="withdrawn") if one.team == 2 else one for one in MEMBERS)
    second = pair_next_round(
        SWISS, contest(SWISS, division(match(game(11, 21), game(22, 12), byes=(3,)), members=members))
    )
    assert {*second.games[0]} == {1, 3}


# For other programs


def test_a_csv_has_a_line_for_each_team():
    one = division(match(game(11, 21, 11), game(22, 12), byes=(3,)))
    rows = [*csv.DictReader(as_csv(season(SWISS, one), {1: one}).splitlines())]
    assert [(row["team"], row["points"], row["game points"], row["round 1"]) for row in rows] == [
        ("Rooks", "2", "1.5", "3+ 1.5"),
        ("Pawns", "1", "1", "bye"),
        ("Knights", "0", "0.5", "1- 0.5"),
    ]


def test_a_trf_has_the_players_with_their_boards_and_the_teams(tmp_path: Path):
    pytest.importorskip("py4swiss")
    from py4swiss.trf import TrfParser

    one = division(
        match(game(11, 21, 11), game(22, 12), byes=(3,)),
        match(game(31, 11), teams=(3, 1), seated=(1, 2), byes=(2,), number=2),
    )
    text = as_trf(season(SWISS, one), one, {11: 1600})
    (tmp_path / "cup.trf").write_text(text, "utf-8")
    file = TrfParser.parse(tmp_path / "cup.trf", strict=True)
    assert [(section.team_name, section.players) for section in file.team_sections] == [
        ("Rooks", [1, 2, 3]),
        ("Knights", [4, 5, 6]),
        ("Pawns", [7, 8, 9]),
    ]
    players = [(one.points_times_ten, [result.to_string() for result in one.results]) for one in file.player_sections]
    assert players[0] == (15, ["   4 w 1", "   7 b ="])
    assert players[1] == (5, ["   5 b =", "0000 - Z"])
    assert "092 Team: Swiss-System\n" in text
    assert "082 3\n" in text
    assert text.endswith(
        "### 1 Rooks: match points 4, game points 3\n"
        "### 2 Knights: match points 1, game points 1.5\n"
        "### 2 Pawns: match points 1, game points 1.5\n"
    )


def test_leagues_of_single_players_are_as_before():
    assert contest(League("L", "swiss"), Division(MEMBERS)) == Division(MEMBERS)
