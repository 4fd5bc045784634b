"""Ratings: what games tell of strength, and reliability apart from it."""

import random
from math import log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import BradleyTerryFull

from pbem.tournament.ratings import Rating, after_game, after_table, reliability

NEW = Rating()


def test_a_newcomer_has_1500_and_a_wide_margin():
    assert (NEW.points, NEW.margin) == (1500, 246)


@pytest.mark.parametrize(("odds", "points"), [(1, 1500), (3, 1691), (10, 1900)])
def test_the_scale_is_that_of_elo(odds, points):
    """Against somebody with 1500, known exactly, by the formula of Bradley and Terry with beta 25/6."""
    assert Rating(25 + log(odds) * sqrt(2) * 25 / 6, 0).points == points


def test_after_a_win_the_winner_has_more_and_both_are_better_known():
    winner, loser = after_game(NEW, NEW, 1)
    assert (winner.points, loser.points) == (1578, 1422)
    assert winner.margin == loser.margin == 238


def test_a_draw_of_equals_moves_nobody():
    one, other = after_game(NEW, NEW, 0.5)
    assert one == other
    assert one.mu == NEW.mu


def test_a_draw_brings_unequal_players_nearer():
    strong, weak = after_game(Rating(30, 2), Rating(20, 2), 0.5)
    assert weak.mu - 20 == pytest.approx(30 - strong.mu)
    assert weak.mu > 20


def test_an_upset_moves_more_than_what_was_expected():
    strong, weak = Rating(30, 4), Rating(20, 4)
    expected, _ = after_game(strong, weak, 1)
    _, upset = after_game(strong, weak, 0)
    assert upset.mu - weak.mu > expected.mu - strong.mu > 0


def test_a_newcomer_moves_more_than_who_is_well_known():
    known, newcomer = after_game(Rating(25, 2), NEW, 0)
    assert newcomer.mu - 25 > 25 - known.mu


@settings(deadline=None, max_examples=25)
@given(st.tuples(*[st.floats(0, 50), st.floats(1, 9)] * 2), st.sampled_from([0, 0.5, 1]))
def test_it_does_not_matter_who_is_named_first(numbers, score):
    one, other = Rating(*numbers[:2]), Rating(*numbers[2:])
    there, back = after_game(one, other, score), after_game(other, one, 1 - score)
    for this, that in zip(there, reversed(back), strict=True):
        assert this == pytest.approx(that)


@settings(deadline=None, max_examples=100)
@given(st.tuples(*[st.floats(-20, 80), st.floats(0.01, 15)] * 2), st.sampled_from([0, 0.5, 1]))
def test_ratings_are_those_of_openskill(numbers, score):
    model = BradleyTerryFull(mu=25, sigma=25 / 3, beta=25 / 6)
    teams = [[model.rating(*numbers[:2])], [model.rating(*numbers[2:])]]
    theirs = [number for (one,) in model.rate(teams, scores=[score, 1 - score]) for number in (one.mu, one.sigma)]
    ours = after_game(Rating(*numbers[:2]), Rating(*numbers[2:]), score)
    assert [*ours[0], *ours[1]] == pytest.approx(theirs, rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=50)
@given(st.lists(st.tuples(st.floats(-20, 80), st.floats(0.01, 15)), min_size=4, max_size=4), st.data())
def test_ratings_of_a_table_are_those_of_openskill(numbers, data):
    """Two to four, each alone or some together, with places shared or not."""
    ratings = [Rating(*one) for one in numbers]
    sides = data.draw(st.sampled_from([[1, 1], [1, 1, 1], [1, 1, 1, 1], [1, 2], [2, 2], [2, 1, 1]]))
    ranks = [data.draw(st.integers(1, len(sides))) for _ in sides]
    some = iter(ratings)
    given_sides = [[next(some) for _ in range(size)] for size in sides]
    model = BradleyTerryFull(mu=25, sigma=25 / 3, beta=25 / 6)
    theirs = model.rate([[model.rating(*one) for one in side] for side in given_sides], ranks=ranks)
    ours = after_table(given_sides, ranks)
    assert [number for side in ours for one in side for number in one] == pytest.approx(
        [number for side in theirs for one in side for number in (one.mu, one.sigma)], rel=1e-9, abs=1e-9
    )


def test_of_four_newcomers_the_second_gains_less_than_the_first_and_nothing_is_made_or_lost():
    points = [one.points for (one,) in after_table([[NEW]] * 4, [1, 2, 3, 4])]
    assert points == sorted(points, reverse=True)
    assert len(set(points)) == 4
    assert sum(points) == pytest.approx(4 * 1500, abs=2)


def test_who_wins_three_games_in_four_is_some_200_points_ahead():
    dice = random.Random(4)
    stronger = weaker = NEW
    for _ in range(800):
        stronger, weaker = after_game(stronger, weaker, dice.random() < 0.75)
    assert 140 < stronger.points - weaker.points < 300
    assert stronger.margin < 80


@pytest.mark.parametrize(("on_time", "turns", "share"), [(3, 4, 0.75), (5, 5, 1), (0, 2, 0)])
def test_reliability_is_the_share_of_turns_on_time(on_time, turns, share):
    assert reliability(on_time, turns) == share


def test_nothing_is_said_of_reliability_before_the_first_turn():
    assert reliability(0, 0) is None
