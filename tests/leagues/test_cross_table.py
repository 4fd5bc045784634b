"""Cross tables, and the files of them that other programs read."""

import csv
from pathlib import Path
from random import Random

import pytest

from pbem.leagues.cross_table import as_csv, as_trf, cells, cross_table, show_cross_table
from pbem.leagues.league_file import League
from pbem.leagues.placing import Placing
from pbem.leagues.season import (
    Division,
    Fixture,
    LeagueError,
    LeagueSeason,
    Member,
    Request,
    Round,
    first_rounds,
    pair_next_round,
)
from pbem.tournament.standings import Scoring

SWISS = League("Winter", "swiss", rounds=3)
CIRCLE = League("Winter", "round-robin")


def members(number, **states):
    return tuple(Member(at, f"P{at}", at, states.get(f"_{at}", "playing")) for at in range(1, number + 1))


def game(first, second, winner=None, **more):
    """Of two; who has won is one of them, or nobody in a draw."""
    return Fixture((first, second), outcome="won" if winner else "draw", winner=winner, **more)


def lost_by_both(first, second):
    return Fixture((first, second), outcome="forfeit", forfeit=True)


def rounds(*games, byes=()):
    return tuple(Round(at, tuple(some), tuple(byes[at - 1 : at])) for at, some in enumerate(games, start=1))


def season(league, *divisions):
    return LeagueSeason(1, league, 1, "2026-11-01T12:00:00Z", divisions, ())


def shown(league, division):
    lines = cross_table(league, division)
    return [(line.name, *row) for line, row in zip(lines, cells(league, lines), strict=True)]


def test_a_round_robin_has_a_column_for_each_player():
    division = Division(
        members(3), rounds([game(1, 2, 1)], [game(2, 3)], [game(1, 3, 3, forfeit=True)], byes=[3, 1, 2])
    )
    assert shown(CIRCLE, division) == [("P3", ".", "+", "½"), ("P1", "-", ".", "1"), ("P2", "½", "0", ".")]


def test_who_meets_twice_has_both_games_in_one_field():
    division = Division(members(2), rounds([game(1, 2, 1)], [game(2, 1)]))
    assert shown(CIRCLE, division) == [("P1", ".", "1½"), ("P2", "0½", ".")]


def test_a_swiss_tournament_has_a_column_for_each_round_with_opponents_by_the_numbers_of_their_lines():
    division = Division(
        members(5, _4="withdrawn"),
        rounds(
            [game(1, 2, 1), game(3, 4, 3, forfeit=True)],
            [game(1, 3), Fixture((2, 5))],
            [lost_by_both(1, 5), Fixture((2, 3), outcome="annulled")],
            byes=[5, 4],
        ),
    )
    assert shown(SWISS, division) == [
        ("P3", "3+f", "2=", "(5)"),
        ("P1", "5+", "1=", "4-f"),
        ("P4", "1-f", "bye", ""),
        ("P5", "bye", "(5)", "2-f"),
        ("P2", "2-", "(4)", "(1)"),
    ]


def test_tables_of_more_than_two_have_the_places_of_each_round():
    ozz = League("Ozz", "swiss", "ozz", table=3)
    seated = Fixture((1, 2, 3), outcome="won", scores=(0, 0, 0), seats=(0, 1, 2))
    seated = seated._replace(placing=Placing({1: 2, 2: 1, 3: 2}, frozenset(), {1: "a", 2: "b", 3: "c"}))
    assert shown(ozz, Division(members(3), rounds([seated]))) == [("P2", "1/3"), ("P1", "2/3"), ("P3", "2/3")]


def test_csv_has_a_line_for_each_player_of_each_division_and_no_formula():
    names = (Member(1, "=1+1", 1), Member(2, "Anna, Eva", 2, "withdrawn"))
    division = Division(names, rounds([game(1, 2, 1)]))
    rows = [*csv.DictReader(as_csv(season(SWISS, division, division), {1: division, 2: division}).splitlines())]
    assert [(row["division"], row["rank"], row["player"], row["left"], row["round 1"]) for row in rows] == [
        ("1", "1", "'=1+1", "", "2+"),
        ("1", "2", "Anna, Eva", "yes", "1-"),
        ("2", "1", "'=1+1", "", "2+"),
        ("2", "2", "Anna, Eva", "yes", "1-"),
    ]
    assert (rows[0]["points"], rows[0]["head to head"], rows[0]["sonneborn-berger"]) == ("1", "", "0")


def read(folder: Path, text: str):
    """A TRF as py4swiss has it, which refuses what does not agree with itself."""
    pytest.importorskip("py4swiss")
    from py4swiss.trf import TrfParser

    (folder / "season.trf").write_text(text, "utf-8")
    return TrfParser.parse(folder / "season.trf", strict=True)


def results(file):
    return [[one.to_string() for one in player.results] for player in file.player_sections]


def test_a_trf_has_unplayed_games_byes_forfeits_and_leavers_in_its_own_signs(tmp_path):
    division = Division(
        members(5, _4="withdrawn"),
        rounds(
            [game(1, 2, 1), game(3, 4, 3, forfeit=True, played=False)],
            [game(3, 1, played=False), game(2, 5, 5, forfeit=True)],
            [lost_by_both(1, 5), Fixture((2, 3), outcome="annulled")],
            [Fixture((1, 2))],
            byes=[5, 4],
        ),
    )
    file = read(tmp_path, as_trf(season(SWISS, division), division, {1: 1523}))
    assert results(file) == [
        ["   2 w 1", "   3 b D", "   5 w -"],
        ["   1 b 0", "   5 w L", "0000 - Z"],
        ["   4 w +", "   1 w D", "0000 - Z"],
        ["   3 b -", "0000 - U", "0000 - Z"],
        ["0000 - U", "   2 b W", "   1 b -"],
    ]
    first, *_, last = file.player_sections
    assert (first.name, first.fide_rating, first.points_times_ten, first.rank) == ("P1", 1523, 15, 3)
    assert (last.name, last.points_times_ten, last.fide_rating) == ("P5", 20, None)
    assert file.tournament_section.tournament_name == "Winter, season 1"
    assert (file.tournament_section.date_of_start, file.x_section.number_of_rounds) == ("2026/11/01", 3)


def test_a_trf_has_byes_that_were_asked_for_and_the_points_of_who_came_late(tmp_path):
    asked = (Request(1, 4, None, 0.5), Request(2, 4, None, 1), Request(2, 2, None, 0))
    played = rounds([game(1, 2, 1)], [game(3, 1, 3)], [game(1, 4), game(2, 3)], byes=[3])
    division = Division(members(4), played, asked)
    file = read(tmp_path, as_trf(season(SWISS, division), division, {}))
    assert [line[:2] for line in results(file)] == [
        ["   2 w 1", "   3 b 0"],
        ["   1 b 0", "0000 - Z"],
        ["0000 - U", "   1 w 1"],
        ["0000 - H", "0000 - F"],
    ]
    assert [player.points_times_ten for player in file.player_sections] == [15, 5, 25, 20]


WITHOUT_GAMES = (
    Request(1, 4, None, 0.5, late=True),
    Request(1, 5, None, 0, late=True),
    Request(2, 2, None, 0.5),
    Request(2, 5, None, 0),
)


def test_byes_are_told_from_byes_that_were_asked_for_and_from_rounds_before_somebody_came(tmp_path):
    played = rounds([game(1, 2, 1)], [game(1, 4, 1)], byes=[3, 3])
    division = Division(members(5), played, WITHOUT_GAMES)
    assert {name: cells for name, *cells in shown(SWISS, division)} == {
        "P1": ["3+", "4+"],
        "P2": ["2-", "bye 0.5"],
        "P3": ["bye", "bye"],
        "P4": ["late 0.5", "2-"],
        "P5": ["late", "bye 0"],
    }
    (row,) = [row for row in csv.DictReader(as_csv(season(SWISS, division), {1: division}).splitlines())
              if row["player"] == "P4"]  # fmt: skip
    assert (row["round 1"], row["given"]) == ("late 0.5", "")
    lines = show_cross_table(season(SWISS, division), division)
    met = {line["player"]: [(one["outcome"], one.get("points")) for one in line["rounds"]] for line in lines}
    assert met["P2"] == [("lost", None), ("requested", 0.5)]
    assert met["P5"] == [("late", 0), ("requested", 0)]
    assert "0000 - H" in as_trf(season(SWISS, division), division, {})


def test_points_by_hand_are_in_the_total_with_their_source(tmp_path):
    first, second = members(2)
    division = Division((first, second._replace(by_hand=0.5)), rounds([game(1, 2, 1)]))
    (row,) = [row for row in csv.DictReader(as_csv(season(SWISS, division), {1: division}).splitlines())
              if row["player"] == "P2"]  # fmt: skip
    assert (row["points"], row["given"]) == ("0.5", "0.5")
    assert [line.get("given") for line in show_cross_table(season(SWISS, division), division)] == [None, 0.5]
    assert as_trf(season(SWISS, division), division, {}).endswith("\n### 2 P2: +0.5 points by hand, in the total\n")


def test_a_trf_of_a_round_robin_leaves_out_what_is_struck_out_and_has_points_for_the_byes_that_count(tmp_path):
    division = Division(
        members(5, _5="withdrawn"),
        rounds([game(5, 2, 5), game(1, 3, 1)], [game(1, 2, 1), game(3, 4)], byes=[4]),
    )
    file = read(tmp_path, as_trf(season(CIRCLE, division), division, {}))
    assert results(file)[4] == ["0000 - Z", "0000 - Z"]
    assert results(file)[3] == ["0000 - U", "   3 b ="]


def test_points_of_a_leagues_own_are_told_to_who_reads_the_file(tmp_path):
    football = League("Winter", "swiss", rounds=3, scoring=Scoring(3, 1, 0, 2, -1))
    division = Division(members(3), rounds([game(1, 2, 1)], [game(2, 3)], byes=[3, 1]))
    file = read(tmp_path, as_trf(season(football, division), division, {}))
    assert [one.points_times_ten for one in file.player_sections] == [50, 10, 30]


@pytest.mark.parametrize("seed", range(12))
def test_whole_seasons_are_read_by_py4swiss_and_can_be_paired_on_there(tmp_path, seed):
    """With draws, forfeits and games that end before a turn; it refuses files whose points or games do not fit."""
    pytest.importorskip("py4swiss")
    from py4swiss.engines.dutch import Engine

    dice = Random(seed)
    size, number = dice.randint(6, 15), dice.randint(2, 4)
    league = League("Winter", dice.choice(["swiss", "round-robin"]), rounds=5)
    division = Division(members(size))
    known = iter(first_rounds(league, range(1, size + 1)))
    for at in range(1, number + 1):
        pairing = next(known, None) or pair_next_round(league, division)
        ended = []
        for pair in pairing.games:
            winner = dice.choice((*pair, None))
            forfeit = winner is not None and dice.random() < 0.2
            ended.append(game(*pair, winner, forfeit=forfeit, played=dice.random() < 0.8))
        division = division._replace(rounds=(*division.rounds, Round(at, tuple(ended), pairing.byes)))
    file = read(tmp_path, as_trf(season(league, division), division, {1: 1500}))
    rows = {line.row.player: line.row for line in cross_table(league, division)}
    assert {one.starting_number: (one.points_times_ten / 10, one.rank) for one in file.player_sections} == {
        player: (row.points, row.rank) for player, row in rows.items()
    }
    file.x_section.number_of_rounds = number + 1
    assert len(Engine.generate_pairings(file)) == (size + 1) // 2


def test_virtual_points_are_in_the_file_and_have_other_programs_pair_as_we_do(tmp_path):
    pytest.importorskip("py4swiss")
    from py4swiss.engines.dutch import Engine

    baku = League("Winter", "swiss", rounds=5, acceleration="baku")
    division = Division(members(12))
    (first,) = first_rounds(baku, range(1, 13))
    division = division._replace(rounds=(Round(1, tuple(game(*pair, min(pair)) for pair in first.games)),))
    text = as_trf(season(baku, division), division, {})
    assert [line for line in text.splitlines() if line.startswith("XXA")] == [
        f"XXA {number:4}  1.0  1.0  0.5" for number in range(1, 7)
    ]
    file = read(tmp_path, text)
    assert file.x_section.accelerations[6] == [10, 10, 5]
    file.x_section.number_of_rounds = 5
    theirs = {frozenset((pair.white, pair.black)) for pair in Engine.generate_pairings(file)}
    assert theirs == {frozenset(pair) for pair in pair_next_round(baku, division).games}


def test_external_ratings_are_in_the_columns_of_a_trf_whose_players_are_numbered_by_them(tmp_path):
    league = League("Winter", "swiss", rounds=3, ratings="external")
    rated = tuple(one._replace(rating=rating) for one, rating in zip(members(3), (1500, 0, 2000), strict=True))
    division = Division(rated, (Round(1, (Fixture((1, 2), outcome="won", winner=1),), (3,)),))
    file = read(tmp_path, as_trf(season(league, division), division, {1: 1500, 2: 0, 3: 2000}))
    players = [(one.starting_number, one.name, one.fide_rating) for one in file.player_sections]
    assert players == [(1, "P3", 2000), (2, "P1", 1500), (3, "P2", 0)]
    assert file.tournament_section.number_of_rated_players == "2"
    assert [str(one.results[0].id) for one in file.player_sections] == ["0", "3", "2"]


def test_a_ladder_has_no_trf():
    ladder = League("Winter", "ladder")
    with pytest.raises(LeagueError, match="for round robins and Swiss tournaments"):
        as_trf(season(ladder, Division(members(2))), Division(members(2)), {})
