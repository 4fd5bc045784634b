"""Standings: points, tie-breaks, and who goes up or down."""

from collections import Counter
from itertools import combinations, pairwise, takewhile
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournament.standings import TIE_BREAKS, Bye, GameResult, Scoring, Shape, TableRow, duel, moves, standings
from support.each import each

PLAIN = Scoring(tie_breaks=())


def won(winner, loser, *, forfeit=False, **more):
    return duel(1, winner, loser, winner, forfeit=forfeit)._replace(**more)


def drawn(first, second, *, forfeit=False, **more):
    return duel(1, first, second, None, forfeit=forfeit)._replace(**more)


def out(rounds=1, points=1):
    """Byes in so many rounds."""
    return [Bye(0, points)] * rounds


def ranks(rows):
    return [(row.rank, row.player) for row in rows]


def tie_breaks(rows):
    return {row.player: row.tie_breaks for row in rows}


# Points


def test_a_win_is_a_point_and_a_draw_half_a_point():
    assert standings([1, 2, 3], [won(2, 1), drawn(2, 3)], {}, PLAIN) == (
        TableRow(1, 2, points=1.5, played=2, won=1, drawn=1, lost=0, tie_breaks=()),
        TableRow(2, 3, points=0.5, played=1, won=0, drawn=1, lost=0, tie_breaks=()),
        TableRow(3, 1, points=0, played=1, won=0, drawn=0, lost=1, tie_breaks=()),
    )


def test_a_league_sets_its_own_points():
    football = Scoring(win=3, draw=1, loss=0.25, bye=2, tie_breaks=())
    rows = standings([1, 2, 3], [won(1, 2), drawn(1, 3)], {2: out(points=2)}, football)
    assert [(row.player, row.points) for row in rows] == [(1, 4), (2, 2.25), (3, 1)]


def test_a_bye_brings_points_and_is_no_game():
    (row,) = standings([1], [], {1: out(2)}, PLAIN)
    assert row == TableRow(1, 1, points=2, played=0, won=0, drawn=0, lost=0, tie_breaks=())


def test_who_forfeits_has_lost_and_may_pay_for_it():
    winner, loser = standings([1, 2], [won(1, 2, forfeit=True)], {}, PLAIN._replace(forfeit=-1))
    assert (winner.points, winner.won) == (1, 1)
    assert (loser.points, loser.lost) == (-1, 1)


def test_a_forfeit_of_both_is_no_draw():
    assert {row[2:7] for row in standings([1, 2], [drawn(1, 2, forfeit=True)], {}, PLAIN)} == {(0, 1, 0, 0, 1)}


def test_tenths_of_a_point_add_up_exactly():
    tenths = Scoring(win=0.3, draw=0.1, tie_breaks=())
    rows = standings([1, 2, 3], [drawn(1, 3)] * 3 + [won(2, 3)], {}, tenths)
    assert ranks(rows) == [(1, 1), (1, 2), (1, 3)]


def test_before_the_first_game_all_share_the_first_rank_in_their_order():
    assert ranks(standings([3, 1, 2], [], {}, Scoring())) == [(1, 3), (1, 1), (1, 2)]


def test_the_rank_after_a_shared_one_counts_all_before_it():
    assert ranks(standings([1, 2, 3, 4], [won(1, 3), won(2, 3), won(3, 4)], {}, PLAIN)) == [
        (1, 1),
        (1, 2),
        (1, 3),
        (4, 4),
    ]


# Head to head

HEAD_TO_HEAD = Scoring(tie_breaks=("head to head",))


def test_of_two_with_the_same_points_the_winner_of_their_game_is_ahead():
    rows = standings([1, 2, 3], [won(2, 1), won(1, 3)], {}, HEAD_TO_HEAD)
    assert ranks(rows) == [(1, 2), (2, 1), (3, 3)]
    assert tie_breaks(rows) == {2: (1,), 1: (0,), 3: (None,)}


def test_games_against_others_say_nothing_head_to_head():
    rows = standings([1, 2, 3, 4], [drawn(1, 2), won(1, 3), won(2, 4), won(3, 4)], {}, HEAD_TO_HEAD)
    assert ranks(rows) == [(1, 1), (1, 2), (3, 3), (4, 4)]
    assert tie_breaks(rows) == {1: (0.5,), 2: (0.5,), 3: (None,), 4: (None,)}


def test_three_who_beat_each_other_in_a_ring_stay_tied():
    rows = standings([1, 2, 3], [won(1, 2), won(2, 3), won(3, 1)], {}, HEAD_TO_HEAD)
    assert ranks(rows) == [(1, 1), (1, 2), (1, 3)]


def test_head_to_head_is_silent_unless_all_who_are_tied_have_met():
    """Else player 1 would lead for having met a tied one, which player 3 had no chance to."""
    rows = standings([1, 2, 3], [won(1, 2)], {2: out(), 3: out()}, HEAD_TO_HEAD)
    assert ranks(rows) == [(1, 1), (1, 2), (1, 3)]
    assert tie_breaks(rows) == {1: (None,), 2: (None,), 3: (None,)}


def test_those_whom_head_to_head_leaves_tied_are_compared_once_more_among_themselves():
    """Among the four, 1 has two points, 2 and 3 have one and a half, and 4 has one. Then the game of 2 and 3 counts."""
    games = [drawn(1, 2), drawn(1, 3), won(1, 4), won(3, 2), won(2, 4), won(4, 3)]
    rows = standings([1, 2, 3, 4], games, {2: out(1, 0.5), 3: out(1, 0.5), 4: out(2, 0.5)}, HEAD_TO_HEAD)
    assert ranks(rows) == [(1, 1), (2, 3), (3, 2), (4, 4)]
    assert tie_breaks(rows) == {1: (2,), 3: (1.5,), 2: (1.5,), 4: (1,)}


# Other tie-breaks


def test_sonneborn_berger_is_the_points_of_the_beaten_and_half_of_those_who_drew():
    games = [won(1, 3), won(2, 4), won(3, 4), drawn(1, 4)]
    rows = standings([1, 2, 3, 4], games, {2: out(1, 0.5)}, Scoring(tie_breaks=("sonneborn-berger",)))
    assert tie_breaks(rows) == {1: (1.25,), 2: (0.5,), 3: (0.5,), 4: (0.75,)}
    assert ranks(rows) == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_scores_held_at_the_end_of_all_games_are_added_up():
    games = [drawn(1, 2, scores={1: 3, 2: 4}), drawn(2, 1, scores={1: 2, 2: 2})]
    rows = standings([1, 2], games, {}, Scoring(tie_breaks=("score",)))
    assert ranks(rows) == [(1, 2), (2, 1)]
    assert tie_breaks(rows) == {1: (5,), 2: (6,)}


def test_more_wins_can_be_better_than_more_draws():
    rows = standings([1, 2, 3], [drawn(1, 3), drawn(1, 3), won(2, 3)], {}, Scoring(tie_breaks=("wins",)))
    assert ranks(rows) == [(1, 2), (2, 1), (2, 3)]


def test_tie_breaks_are_asked_in_the_order_of_the_league_file():
    games = [won(1, 2, scores={1: 1, 2: 4}), won(2, 3)]
    by_score = standings([1, 2, 3], games, {}, Scoring(tie_breaks=("score", "head to head")))
    by_games = standings([1, 2, 3], games, {}, Scoring(tie_breaks=("head to head", "score")))
    assert ranks(by_score) == [(1, 2), (2, 1), (3, 3)]
    assert ranks(by_games) == [(1, 1), (2, 2), (3, 3)]
    assert tie_breaks(by_games) == {1: (1, 1), 2: (0, 4), 3: (None, 0)}


# Unplayed rounds, as FIDE has them (C.07, article 16)

FIDE = Scoring(tie_breaks=("buchholz", "buchholz cut 1", "sonneborn-berger"))


def by_fide(players, results, byes, rounds):
    return tie_breaks(standings(players, results, byes, FIDE, Shape(rounds=rounds)))


def test_buchholz_is_the_points_of_all_opponents_and_cut_1_leaves_out_the_weakest():
    games = [won(1, 2), won(3, 4), won(1, 3, round=2), drawn(2, 4, round=2)]
    assert by_fide([1, 2, 3, 4], games, {}, 2) == {
        1: (1.5, 1, 1.5),
        2: (2.5, 2, 0.25),
        3: (2.5, 2, 0.5),
        4: (1.5, 1, 0.25),
    }


def test_a_bye_is_a_game_against_somebody_with_as_many_points_and_no_more_than_a_draw_in_each_round():
    """16.4.2: of four rounds 2 points; 1 has 3. Who has met 1 has all of them against them: 16.3.1."""
    games = [won(1, 2), won(1, 3, round=2)]
    found = by_fide([1, 2, 3], games, {1: [Bye(3, 1)], 2: [Bye(2, 1)], 3: [Bye(1, 1)]}, 4)
    assert found[1] == (1 + 1 + 2, 3, 1 + 1 + 2)
    assert found[2] == (3 + 1, 3, 1)


def test_an_unplayed_forfeit_is_a_game_against_somebody_with_as_many_points_but_no_more_than_the_other_has():
    """16.4.1. Forfeited in its course it was played."""
    games = [won(1, 2), won(3, 4), won(1, 4, round=2, forfeit=True, played=False), won(2, 3, round=2)]
    found = by_fide([1, 2, 3, 4], games, {}, 2)
    assert found[1] == (1 + 0, 1, 1 + 0)
    assert found[4] == (1 + 0, 1, 0), "own points, since 1 has more; and it is taken away first: it was their choice"
    later = [one._replace(played=True) for one in games]
    assert by_fide([1, 2, 3, 4], later, {}, 2)[4] == (1 + 2, 2, 0)


def test_rounds_after_somebody_has_left_count_as_draws_for_those_who_met_them():
    """16.3.2: not so a round that they left out before another one, nor a forfeit."""
    games = [won(2, 1), won(1, 2, round=3), won(3, 1, round=4, forfeit=True, played=False)]
    absent = [Bye(2, 0, requested=True), Bye(5, 0, requested=True), Bye(6, 0, requested=True)]
    found = by_fide([1, 2, 3], games, {1: absent}, 6)
    assert found[2] == (2 * (1 + 0.5 + 0.5), 2, 2)
    assert found[1][0] == 1 + 1 + 1 + 3 * 1, "points of 2 twice, 3 has one, and their own for what they left out"
    half = [Bye(2, 0.5, requested=True)]
    assert by_fide([1, 2, 3], games[:2], {1: half}, 6)[2][0] == 2 * 1.5


def test_who_has_chosen_not_to_play_has_that_round_taken_away_first():
    games = [won(1, 2), won(1, 3, round=3)]
    found = by_fide([1, 2, 3], games, {1: [Bye(2, 0, requested=True)]}, 4)
    assert found[1] == (0 + 0 + 2, 0, 0)


def test_where_each_meets_each_a_bye_is_nobody_and_a_forfeit_the_one_who_was_to_play():
    games = [won(1, 2), won(3, 2, forfeit=True)]
    rows = standings([1, 2, 3], games, {1: out(), 2: out(), 3: out()}, FIDE)
    assert tie_breaks(rows) == {3: (1, 0, 1), 1: (1, 0, 1), 2: (4, 2, 0)}


def played_swiss(dice):
    """A tournament in which whoever is last without a bye has one: results and byes."""
    size, rounds = dice.randint(5, 16), dice.randint(3, 6)
    games, byes = [], {}
    for number in range(1, rounds + 1):
        order = dice.sample(range(1, size + 1), size)
        if size % 2:
            byes.setdefault(order.pop(), []).append(Bye(number, 1))
        for pair in zip(order[::2], order[1::2], strict=True):
            games.append(duel(number, *pair, dice.choice((*pair, None))))
    return size, rounds, games, byes


@each("seed", range(20))
def test_buchholz_and_sonneborn_berger_are_those_of_py4swiss(seed):
    """Which knows neither the limit of 16.4.2, as if there were many rounds, nor who has left."""
    pytest.importorskip("py4swiss")
    from py4swiss.engines.burstein.player import get_player_infos_from_trf
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import RoundResult
    from py4swiss.trf.sections import PlayerSection, XSection

    size, rounds, games, byes = played_swiss(Random(seed))
    rows = {row.player: row for row in standings(range(1, size + 1), games, byes, FIDE, Shape(rounds=99))}
    said = {(one, number): "0000 - U" for one, some in byes.items() for number in [bye.round for bye in some]}
    for game in games:
        (one, first), (other, second) = game.ranks.items()
        results = "==" if first == second else "10" if first < second else "01"
        said[one, game.round] = f"{other:4} w {results[0]}"
        said[other, game.round] = f"{one:4} b {results[1]}"
    sections = [
        PlayerSection(
            code=PlayerCode.PLAYER,
            starting_number=one,
            points_times_ten=int(10 * rows[one].points),
            rank=one,
            results=[RoundResult.from_string(said[one, number]) for number in range(1, rounds + 1)],
        )
        for one in rows
    ]
    known = get_player_infos_from_trf(ParsedTrf(player_sections=sections, x_section=XSection(number_of_rounds=rounds)))
    found = {one: (10 * row.tie_breaks[0], 100 * row.tie_breaks[2]) for one, row in rows.items()}
    assert found == {one.number: (one.buchholz, one.sonneborn_berger) for one in known}


def test_what_has_decided_is_what_tells_equal_points_apart():
    games = [won(1, 3), won(2, 4), drawn(1, 4, round=2), drawn(2, 3, round=2), drawn(3, 4, round=3)]
    rows = standings([1, 2, 3, 4, 5], games, {}, Scoring(tie_breaks=("wins", "head to head", "score")))
    assert [(row.player, *row.decided) for row in rows] == [(1,), (2,), (3,), (4,), (5,)]
    rows = standings([1, 2, 3], [won(2, 1), won(1, 3), won(3, 2, scores={3: 4, 2: 1})], {}, Scoring())
    assert [(row.player, {*row.decided}) for row in rows] == [(3, {"score"}), (2, {"score"}), (1, {"score"})]


# Tables of more than two


def points(rows):
    return {row.player: row.points for row in rows}


@pytest.mark.parametrize(
    ("ranks", "scored"),
    [
        ((1, 2, 3, 4), (3, 2, 1, 0)),
        ((1, 2, 2, 4), (3, 1.5, 1.5, 0)),
        ((1, 1, 1, 1), (1.5, 1.5, 1.5, 1.5)),
        ((1, 2, 2, 2), (3, 1, 1, 1)),
        ((1, 2, 3), (3, 1.5, 0)),
        ((1, 2), (3, 0)),
    ],
)
def test_a_table_has_a_point_for_each_left_behind_and_a_smaller_one_as_many_for_its_first(ranks, scored):
    result = GameResult(1, dict(enumerate(ranks)))
    found = points(standings(range(len(ranks)), [result], {}, PLAIN, Shape(3)))
    assert tuple(found[player] for player in range(len(ranks))) == scored


def test_who_gives_a_table_up_has_what_a_forfeit_is_worth_and_the_others_have_beaten_them():
    result = GameResult(1, {1: 1, 2: 2, 3: 3, 4: 3}, forfeit=frozenset({3, 4}))
    table = standings([1, 2, 3, 4], [result], {}, Scoring(forfeit=-1, tie_breaks=()), Shape(3))
    assert points(table) == {1: 3, 2: 2, 3: -3, 4: -3}


def test_who_wins_with_others_has_beaten_only_the_other_side():
    sides = {1: "a", 2: "b", 3: "b"}
    lone = standings([1, 2, 3], [GameResult(1, {1: 1, 2: 2, 3: 2}, sides=sides)], {}, PLAIN, Shape(2))
    both = standings([1, 2, 3], [GameResult(1, {1: 3, 2: 1, 3: 1}, sides=sides)], {}, PLAIN, Shape(2))
    assert (points(lone), points(both)) == ({1: 2, 2: 0, 3: 0}, {1: 0, 2: 2, 3: 2})
    assert [(row.won, row.drawn, row.lost) for row in both] == [(1, 0, 0), (1, 0, 0), (0, 0, 1)]


def test_of_a_table_the_first_has_won_who_shares_that_place_has_drawn_and_a_bye_counts_as_often_as_there_are_others():
    results = [GameResult(1, {1: 1, 2: 1, 3: 3}), GameResult(2, {3: 1, 2: 2, 1: 3})]
    rows = {row.player: row for row in standings([1, 2, 3, 4], results, {4: out()}, PLAIN, Shape(2))}
    assert [(one.played, one.won, one.drawn, one.lost) for one in map(rows.get, (1, 2, 3, 4))] == [
        (2, 0, 1, 1),
        (2, 0, 1, 1),
        (2, 1, 0, 1),
        (0, 0, 0, 0),
    ]
    assert rows[1].places == ((1, 1, 3), (2, 3, 3))
    assert rows[4].points == 2


def test_tie_breaks_of_tables_count_each_meeting_once_and_each_score_once():
    results = [
        GameResult(1, {1: 1, 2: 2, 3: 3}, scores={1: 5, 2: 4, 3: 1}),
        GameResult(2, {2: 1, 1: 2, 3: 3}, scores={1: 2, 2: 7, 3: 1}),
    ]
    rows = standings(
        [1, 2, 3], results, {}, Scoring(tie_breaks=("head to head", "wins", "sonneborn-berger", "score")), Shape(2)
    )
    assert {row.player: (row.points, row.tie_breaks) for row in rows} == {
        1: (3, (1, 1, 3, 7)),
        2: (3, (1, 1, 3, 11)),
        3: (0, (None, 0, 0, 2)),
    }


def test_sonneborn_berger_is_no_better_for_who_beats_two_than_for_who_beats_one_at_a_smaller_table():
    results = [GameResult(1, {1: 1, 2: 2, 3: 2}), GameResult(1, {4: 1, 5: 2}), duel(2, 2, 3, None), duel(2, 5, 3, 5)]
    rows = standings([1, 2, 3, 4, 5], results, {}, Scoring(tie_breaks=("sonneborn-berger",)), Shape(2))
    assert {row.player: row.points for row in rows} == {1: 2, 2: 1.5, 3: 1.5, 4: 2, 5: 2}
    assert {row.player: row.tie_breaks for row in rows if row.player in (1, 4)} == {1: (3,), 4: (4,)}


def test_a_table_of_two_is_a_game_of_two():
    games = [(1, 2, 2, False), (2, 3, None, False), (3, 1, 3, True), (1, 3, None, True)]
    plain = [duel(1, *one, forfeit=forfeit) for *one, forfeit in games]
    sided = [one._replace(sides={player: str(player) for player in one.ranks}) for one in plain]
    assert standings([1, 2, 3], plain, {2: out()}, Scoring()) == standings([1, 2, 3], sided, {2: out()}, Scoring())


# Laws


@st.composite
def seasons(draw):
    size = draw(st.integers(1, 7))
    games = []
    for first, second in combinations(range(size), 2):
        if draw(st.booleans()):
            winner = draw(st.sampled_from([first, second, None]))
            scores = {first: draw(st.integers(0, 2)), second: draw(st.integers(0, 2))}
            games.append(duel(1, first, second, winner, forfeit=draw(st.booleans()))._replace(scores=scores))
    byes = {player: out(draw(st.integers(0, 1))) for player in range(size)}
    order = tuple(draw(st.permutations(TIE_BREAKS)))
    return size, games, byes, Scoring(tie_breaks=order)


@settings(deadline=None, max_examples=50)
@given(seasons(), st.integers(0, 2**32))
def test_the_order_of_results_never_matters(season, seed):
    size, games, byes, scoring = season
    shuffled = Random(seed).sample(games, len(games))
    assert standings(range(size), shuffled, byes, scoring) == standings(range(size), games, byes, scoring)


@settings(deadline=None, max_examples=50)
@given(seasons(), st.integers(0, 2**32))
def test_the_order_of_players_decides_only_where_a_rank_is_shared(season, seed):
    size, games, byes, scoring = season
    shuffled = Random(seed).sample(range(size), size)
    assert {*standings(shuffled, games, byes, scoring)} == {*standings(range(size), games, byes, scoring)}


@settings(deadline=None, max_examples=50)
@given(seasons())
def test_rows_fall_by_points_then_by_each_tie_break(season):
    size, games, byes, scoring = season
    rows = standings(range(size), games, byes, scoring)
    assert sorted(row.player for row in rows) == [*range(size)]
    for place, row in enumerate(rows, start=1):
        assert row.won + row.drawn + row.lost == row.played
        assert row.rank <= place
    for row, following in pairwise(rows):
        names = ("points", *scoring.tie_breaks)
        told = [*zip(names, (row.points, *row.tie_breaks), (following.points, *following.tie_breaks), strict=True)]
        same = [*takewhile(lambda one: one[1] == one[2], told)]
        if row.rank == following.rank:
            assert same == told
        elif not any(name == "head to head" and value is not None for name, value, _ in same):
            _, value, next_value = told[len(same)]
            assert value > next_value
        # Else games among fewer of those tied, which the table does not show, may have decided head to head.


# Divisions


def tables(*divisions):
    return [
        [TableRow(rank, player, 0, 0, 0, 0, 0, ()) for rank, player in enumerate(division, start=1)]
        for division in divisions
    ]


def test_the_first_go_up_and_the_last_go_down():
    assert moves(tables([1, 2, 3, 4], [5, 6, 7, 8]), 1, 1, (), ()) == ((1, 2, 3, 5), (4, 6, 7, 8))


def test_a_division_in_the_middle_gives_and_takes_both_ways():
    assert moves(tables([1, 2, 3], [4, 5, 6], [7, 8, 9]), 1, 1, (), ()) == ((1, 2, 4), (3, 5, 7), (6, 8, 9))


def test_who_withdraws_spares_one_who_would_fall():
    assert moves(tables([1, 2, 3, 4], [5, 6, 7, 8]), 1, 1, {2}, ()) == ((1, 3, 4, 5), (6, 7, 8))


def test_if_more_withdraw_than_would_fall_more_rise():
    assert moves(tables([1, 2, 3, 4], [5, 6, 7, 8]), 1, 1, {1, 2, 4}, ()) == ((3, 5, 6, 7), (8,))


def test_who_has_withdrawn_does_not_rise_and_the_next_does():
    assert moves(tables([1, 2], [3, 4, 5]), 1, 1, {3}, ()) == ((1, 4), (2, 5))


def test_standby_players_fill_the_lowest_division_in_their_order():
    assert moves(tables([1, 2], [3, 4, 5]), 1, 1, {5, 8}, [8, 9, 10]) == ((1, 3), (2, 4, 9))


def test_a_single_division_only_replaces_who_has_left():
    assert moves(tables([1, 2, 3]), 1, 1, {2}, [4, 5]) == ((1, 3, 4),)


def test_no_divisions_stay_none():
    assert moves([], 1, 1, (), [1]) == ()


@settings(deadline=None, max_examples=60)
@given(
    sizes=st.lists(st.integers(2, 6), min_size=1, max_size=4),
    places=st.integers(0, 3),
    leavers=st.sets(st.integers(0, 23)),
)
def test_divisions_keep_their_sizes_and_nobody_is_lost_or_doubled(sizes, places, leavers):
    players = iter(range(sum(sizes)))
    divisions = [[next(players) for _ in range(size)] for size in sizes]
    standby = range(100, 130)
    coming = moves(tables(*divisions), places, places, leavers, standby)
    playing = Counter(player for division in coming for player in division)
    assert {*playing.values()} <= {1}
    assert {player for player in playing if player < 100} == {*range(sum(sizes))} - leavers
    if places <= min(sizes) // 2 and not leavers:
        assert [len(division) for division in coming] == sizes
