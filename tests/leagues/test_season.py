"""A season as values: rounds, tables, ladders, and who plays where next."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.leagues.league_file import League
from pbem.leagues.placing import Placing
from pbem.leagues.promotion import next_divisions, promoted
from pbem.leagues.season import (
    Division,
    Fixture,
    LeagueSeason,
    Member,
    Request,
    Round,
    first_rounds,
    ladder,
    options,
    pair_next_round,
    rivals,
    seated,
    struck,
    table,
    virtual_points,
    without,
)
from pbem.tournament.pairing import Pairing

ROUND_ROBIN, SWISS, LADDER = (League("L", one) for one in ("round-robin", "swiss", "ladder"))


def members(*players, **states):
    """Members by their numbers, in the order of their places; some in another state: `_3="withdrawn"`."""
    return tuple(
        Member(player, f"P{player}", seed, states.get(f"_{player}", "playing"))
        for seed, player in enumerate(players, start=1)
    )


def game(first, second, outcome=None, **more):
    """A game of two players; it was won by the one of them who is its outcome."""
    won = outcome in (first, second)
    return Fixture((first, second), outcome="won" if won else outcome, winner=outcome if won else None, **more)


def round_(number, *games, **more):
    return Round(number, games, **more)


# Rounds


def test_all_rounds_of_a_round_robin_are_known_at_its_start():
    assert [one.games for one in first_rounds(ROUND_ROBIN, [1, 2, 3, 4])] == [
        ((1, 4), (2, 3)),
        ((4, 2), (3, 1)),
        ((3, 4), (1, 2)),
    ]
    twice = League("L", "round-robin", cycles=2)
    assert len(first_rounds(twice, [1, 2, 3, 4])) == 6


def test_of_a_swiss_tournament_the_first_round_is_known_and_the_upper_half_meets_the_lower():
    (first,) = first_rounds(SWISS, [1, 2, 3, 4])
    assert {frozenset(pair) for pair in first.games} == {frozenset((1, 3)), frozenset((2, 4))}


def test_a_ladder_has_one_round_that_grows():
    assert first_rounds(LADDER, [1, 2, 3]) == (Pairing(()),)


def test_the_next_swiss_round_pairs_winners_and_has_sides_changed():
    division = Division(members(1, 2, 3, 4), (round_(1, game(1, 3, 1), game(4, 2, 2)),))
    assert pair_next_round(SWISS, division).games == ((2, 1), (3, 4))


def test_who_has_left_is_not_paired_any_more_and_an_odd_number_has_a_bye():
    division = Division(members(1, 2, 3, 4, _2="withdrawn"), (round_(1, game(1, 3, 1), game(4, 2, 2)),))
    found = pair_next_round(SWISS, division)
    assert {player for pair in found.games for player in pair} | {*found.byes} == {1, 3, 4}


def test_a_game_that_was_annulled_may_be_played_again():
    division = Division(members(1, 2), (round_(1, game(1, 2, "annulled")),))
    two = League("L", "swiss", rounds=2)
    assert pair_next_round(two, division) == Pairing(((1, 2),))
    division = Division(members(1, 2), (round_(1, game(1, 2, "draw")),))
    assert pair_next_round(two, division).notes != ()


@pytest.mark.parametrize(("size", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (64, 6)])
def test_a_swiss_season_has_as_many_rounds_as_a_knock_out_unless_the_league_says_how_many(size, rounds):
    first, *_ = first_rounds(SWISS, range(size))
    played = Round(1, tuple(game(*pair, pair[0]) for pair in first.games), first.byes)
    division = Division(members(*range(size)), (played,))
    assert (pair_next_round(SWISS, division) is None) == (rounds == 1)
    full = Division(division.members, (played,) * rounds)
    assert pair_next_round(SWISS, full) is None
    assert pair_next_round(League("L", "swiss", rounds=rounds + 1), full) is not None


BAKU = League("L", "swiss", rounds=5, acceleration="baku")


def by_halves(pairing, half):
    """The games within the upper half, between the halves, and within the lower half."""
    within = [sum(player <= half for player in pair) for pair in pairing.games]
    return within.count(2), within.count(1), within.count(0)


def test_with_acceleration_the_first_round_has_games_within_each_half_only():
    (first,) = first_rounds(BAKU, range(1, 13))
    assert by_halves(first, 6) == (3, 0, 3)
    assert {frozenset(pair) for pair in first.games if min(pair) <= 6} == {*map(frozenset, ((1, 4), (2, 5), (3, 6)))}
    (plain,) = first_rounds(SWISS, range(1, 13))
    assert by_halves(plain, 6) == (0, 6, 0)


def test_with_acceleration_winners_of_the_lower_half_meet_losers_of_the_upper_one_until_virtual_points_end():
    division = Division(members(*range(1, 13)))
    pairings = [*first_rounds(BAKU, range(1, 13))]
    for number in range(1, 6):
        pairing = pairings[-1]
        games = [game(*pair, min(pair)) for pair in pairing.games]
        division = division._replace(rounds=(*division.rounds, round_(number, *games, ended=True)))
        pairings.append(pair_next_round(BAKU, division))
    beaten, won = {4, 5, 6}, {7, 8, 9}
    mixed = [pair for pair in pairings[1].games if {*pair} & beaten and {*pair} & won]
    assert len(mixed) == 2  # all six have one point, of the pairing alone or of a game; one meets a leader
    assert pairings[5] is None
    rows = {row.player: row.points for row in table(BAKU, division)}
    assert rows[1] == max(rows.values()) == 5  # no virtual points in the table


def test_virtual_points_are_those_of_the_places_at_the_start():
    """Two who joined late have changed nothing; who took a place over has its points."""
    late = tuple(Request(1, player, late=True) for player in (13, 14))
    taken_over = members(*range(1, 15), _6="withdrawn") + (Member(99, "P99", 6),)
    expected = dict.fromkeys((1, 2, 3, 4, 5, 6, 99), (1, 1, 0.5))
    assert virtual_points(BAKU, Division(taken_over, requests=late)) == expected
    assert virtual_points(SWISS, Division(taken_over)) == {}


def test_in_a_swiss_season_nobody_has_a_side_three_times_running_or_floats_the_same_way_twice_running():
    """Thirteen players, of whom the stronger always wins; who sits out floats down."""
    league, everybody = League("L", "swiss", rounds=5), range(1, 14)
    (paired,), rounds = first_rounds(league, everybody), ()
    points, seats, floats = (dict.fromkeys(everybody, start) for start in (0, "", ""))
    while paired:
        for player, before in dict(points).items():
            pair = next((one for one in paired.games if player in one), (player,))
            others = [points[other] for other in pair if other != player] or [before - 1]
            seats[player] += str(pair.index(player)) if len(pair) > 1 else ""
            floats[player] += "=+-"[(others[0] > before) - (others[0] < before)]
        for winner in (*map(min, paired.games), *paired.byes):
            points[winner] += 1
        played = [game(*pair, min(pair)) for pair in paired.games]
        rounds += (round_(len(rounds) + 1, *played, byes=paired.byes),)
        paired = pair_next_round(league, Division(members(*everybody), rounds))
    assert len(rounds) == 5
    assert not [one for one in seats.values() if "000" in one or "111" in one]
    assert not [one for one in floats.values() if "++" in one or "--" in one]


def test_a_round_robin_makes_no_rounds_besides_those_known():
    assert pair_next_round(ROUND_ROBIN, Division(members(1, 2), (round_(1, game(1, 2, 1)),))) is None


def test_openings_change_from_round_to_round_unless_the_league_says_which():
    assert [options(ROUND_ROBIN, number)["trades"] for number in range(1, 6)] == [(), ("A/V",), ("M/H",), ("W/E",), ()]
    fixed = League("L", "swiss", options={"trades": ["A/V"], "turn_limit": 9})
    assert options(fixed, 1) == options(fixed, 2) == {"trades": ["A/V"], "turn_limit": 9}


def test_without_a_player_whoever_would_have_met_him_has_a_bye():
    before = round_(2, game(1, 2), game(4, 3), byes=(5,))
    assert without(ROUND_ROBIN, before, 4) == round_(2, game(1, 2), byes=(5, 3))
    assert without(ROUND_ROBIN, before, 5) == round_(2, game(1, 2), game(4, 3))


# Tables


OZZ, OZZ_SWISS = (League("L", one, "ozz", table=4) for one in ("round-robin", "swiss"))


def table_of(*players, seats=(0, 1, 2, 3), ranks=(), left=()):
    """A game at a table; with ranks, it is over."""
    placing = Placing(dict(zip(players, ranks, strict=True)), frozenset(left), {}) if ranks else None
    return Fixture(players, outcome="won" if ranks else None, seats=seats, scores=(0,) * len(players), placing=placing)


def test_a_table_is_made_smaller_without_a_player_as_long_as_two_are_left():
    one = round_(2, table_of(1, 2, 3, seats=(0, 2, 3)), table_of(4, 5, seats=(1, 2)))
    assert without(OZZ, one, 2).fixtures[0] == table_of(1, 3, seats=(0, 3))
    left = without(OZZ, one, 5)
    assert (left.fixtures, left.byes) == (one.fixtures[:1], (4,))


def test_the_next_swiss_round_has_those_with_equal_points_at_one_table_who_have_not_met_most():
    played = round_(1, table_of(1, 2, 3, 4, ranks=(1, 2, 3, 4)), table_of(5, 6, 7, 8, ranks=(1, 2, 3, 4)))
    paired = pair_next_round(OZZ_SWISS, Division(members(*range(1, 9)), (played,)))
    assert {frozenset(game) for game in paired.games} == {frozenset({1, 2, 5, 6}), frozenset({3, 4, 7, 8})}
    assert all(paired.seats[at][paired.games[at].index(1)] != 0 for at in (0, 1) if 1 in paired.games[at])
    over = Division(members(*range(1, 9)), (played, played))
    assert pair_next_round(OZZ_SWISS, over) is None  # two rounds tell the winner of eight


def test_who_leaves_a_league_of_tables_takes_nothing_out_of_it():
    played = round_(1, table_of(1, 2, 3, ranks=(1, 2, 3), left=(3,)))
    rows = table(OZZ, Division(members(1, 2, 3, _3="withdrawn"), (played,)))
    assert [(row.player, row.points, row.places) for row in rows] == [
        (1, 3, ((1, 1, 3),)),
        (2, 1.5, ((1, 2, 3),)),
        (3, 0, ((1, 3, 3),)),
    ]


def test_the_table_counts_games_that_are_over_and_byes_of_rounds_that_have_begun():
    division = Division(
        members(1, 2, 3),
        (
            round_(1, game(1, 2, 1), byes=(3,)),
            round_(2, game(1, 3), byes=(2,)),
            round_(3, game(2, 3), byes=(1,), begun=False),
        ),
    )
    assert [(row.player, row.points, row.played) for row in table(ROUND_ROBIN, division)] == [
        (1, 1, 1),
        (2, 1, 1),
        (3, 1, 0),
    ]


def test_an_annulled_game_counts_for_nothing_and_a_double_forfeit_for_nobody():
    division = Division(members(1, 2, 3, 4), (round_(1, game(1, 2, "annulled"), game(3, 4, "forfeit", forfeit=True)),))
    rows = {row.player: row for row in table(ROUND_ROBIN, division)}
    assert (rows[1].played, rows[3].played, rows[3].lost, rows[4].lost) == (0, 1, 1, 1)
    assert {row.points for row in rows.values()} == {0}


def test_the_score_held_at_the_end_tell_equals_apart():
    games = game(1, 2, "draw", scores=(2, 4)), game(3, 4, "draw", scores=(3, 3))
    rows = table(ROUND_ROBIN, Division(members(1, 2, 3, 4), (round_(1, *games),)))
    assert [row.player for row in rows] == [2, 3, 4, 1]


# Tables with somebody who has left


def circle_without(size, leaver, after, begun=None, **more):
    """A round robin, in which who has the smaller number wins; one has left after so many rounds."""
    rounds = [
        round_(number, *(game(*pair, min(pair)) for pair in one.games), byes=one.byes)
        for number, one in enumerate(first_rounds(ROUND_ROBIN, range(1, size + 1)), start=1)
    ]
    rounds = [one if one.number <= after else without(ROUND_ROBIN, one, leaver) for one in rounds]
    return Division(members(*range(1, size + 1), **{f"_{leaver}": "withdrawn"}, **more), tuple(rounds[:begun]))


@pytest.mark.parametrize("size", [4, 5, 6, 7])
def test_whoever_leaves_a_round_robin_and_whenever_all_the_others_are_treated_alike(size):
    for leaver in range(1, size + 1):
        for after in range(size + size % 2):
            division = circle_without(size, leaver, after)
            rows = {row.player: row for row in table(ROUND_ROBIN, division)}
            played = sum(leaver in one.players for one in division.fixtures)
            if 2 * played < size - 1:
                # Nothing of the leaver is left: the others have what they have won of each other, and a bye each.
                assert (rows[leaver].points, rows[leaver].played) == (0, 0)
                weaker = {player: sum(other > player for other in rows if other != leaver) for player in rows}
            else:
                # Everybody has met the leaver, or has won of them without.
                met = {one.opponent_of(leaver) for one in division.fixtures if leaver in one.players}
                weaker = {
                    player: sum(other > player or (other == leaver and player not in met) for other in rows)
                    for player in rows
                }
                had = sum(leaver in one.byes for one in division.rounds)
                assert rows[leaver].points == sum(other > leaver for other in met) + had
            others = {player: row.points for player, row in rows.items() if player != leaver}
            assert others == {player: weaker[player] + size % 2 for player in others}


def test_less_than_half_of_a_round_robin_counts_for_nobody_and_half_of_it_stands():
    early, late = circle_without(5, 3, after=1), circle_without(5, 3, after=3)
    assert struck(ROUND_ROBIN, early) == [(3,)]
    assert struck(ROUND_ROBIN, late) == []
    assert struck(SWISS, early) == []
    assert [row.points for row in table(ROUND_ROBIN, early)] == [4, 3, 2, 1, 0]


def test_games_that_were_forfeited_in_leaving_are_not_played():
    left = game(3, 1, 1, forfeit=True)
    division = Division(members(1, 2, 3, _3="withdrawn"), (round_(1, left, byes=(2,)), round_(2, byes=(1, 2))))
    assert struck(ROUND_ROBIN, division) == [(3,)]
    played = Division(division.members, (round_(1, game(3, 1, 1), byes=(2,)), round_(2, byes=(1, 2))))
    assert struck(ROUND_ROBIN, played) == []


def test_nothing_is_struck_out_if_somebody_else_has_taken_the_place():
    division = Division((*members(1, 2, 3, _3="withdrawn"), Member(9, "P9", 3)), (round_(1, game(1, 2, 1), byes=(3,)),))
    assert division.places == [(1,), (2,), (3, 9)]
    assert struck(ROUND_ROBIN, division) == []


def test_who_wins_of_somebody_that_leaves_a_swiss_tournament_has_not_played_that_game():
    """Against them is a virtual opponent, as in a bye: with one point, as many as the leaver; of a bye in three rounds
    with one and a half. The score that was held in a game that was not played counts for nothing."""
    division = Division(
        members(1, 2, 3, 4, 5, _5="withdrawn"),
        (
            round_(1, game(1, 5, 5), game(2, 3, 2), byes=(4,)),
            round_(2, game(5, 4, 4, forfeit=True, scores=(0, 9)), game(2, 1, 2), byes=(3,)),
        ),
    )
    rows = {row.player: row for row in table(SWISS, division)}
    assert (rows[4].points, rows[4].won, rows[5].points) == (2, 1, 1)
    assert rows[4].tie_breaks[1:] == (1 + 1.5, 0)
    assert [row.player for row in table(SWISS, division)][:2] == [4, 2]


# Ladders


def test_a_winner_from_below_takes_the_place_of_whom_he_has_beaten():
    after = Division(members(1, 2, 3, 4), (round_(1, game(4, 2, 4, ended="1")),))
    assert ladder(after) == [1, 4, 2, 3]


@pytest.mark.parametrize("outcome", [2, "draw", "annulled", "forfeit", None])
def test_any_other_end_leaves_a_ladder_as_it_is(outcome):
    assert ladder(Division(members(1, 2, 3, 4), (round_(1, game(4, 2, outcome)),))) == [1, 2, 3, 4]


def test_challenges_count_in_the_order_in_which_they_ended():
    games = game(2, 1, 2, ended="2026-02-02"), game(3, 2, 3, ended="2026-01-01")
    assert ladder(Division(members(1, 2, 3), (round_(1, *games),))) == [2, 1, 3]
    assert ladder(Division(members(1, 2, 3), (round_(1, games[0], games[1]._replace(ended="2026-03-03")),))) == [
        3,
        2,
        1,
    ]


def test_the_table_of_a_ladder_goes_by_places():
    rows = table(LADDER, Division(members(1, 2, 3, _1="withdrawn"), (round_(1, game(3, 2, 2, ended="1")),)))
    assert [(row.rank, row.player, row.points) for row in rows] == [(1, 2, 1), (2, 3, 0)]


def test_who_is_within_reach_and_plays_no_game_can_be_challenged():
    division = Division(members(*range(1, 8)), (round_(1, game(5, 2)),))
    assert [one.player for one in rivals(LADDER, division, 6)] == [3, 4]
    assert rivals(LADDER, division, 5) == rivals(LADDER, division, 1) == rivals(LADDER, division, 99) == []


def test_the_first_seat_of_a_challenge_is_for_who_had_it_less_often_and_else_for_who_is_challenged():
    assert seated(Division(members(1, 2)), 2, 1) == (1, 2)
    assert seated(Division(members(1, 2), (round_(1, game(1, 2, 1)),)), 2, 1) == (2, 1)


@settings(deadline=None, max_examples=25)
@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6), st.sampled_from([0, 1, "draw"])), max_size=12))
def test_whatever_is_played_a_ladder_keeps_its_members_and_the_last_winner_is_above_whom_he_beat(results):
    games = [
        game(one, other, (one, other)[won] if won != "draw" else won, ended=f"{at:02}")
        for at, (one, other, won) in enumerate(results)
        if one != other
    ]
    order = ladder(Division(members(*range(1, 7)), (round_(1, *games),)))
    assert sorted(order) == [*range(1, 7)]
    if games and games[-1].winner:
        loser = games[-1].opponent_of(games[-1].winner)
        assert order.index(games[-1].winner) < order.index(loser)


# The next season


def two_divisions(**states):
    first = round_(1, game(1, 2, 1), game(3, 4, 3)), round_(2, game(1, 3, 1), game(2, 4, 2))
    second = round_(1, game(5, 6, 5), game(7, 8, 7)), round_(2, game(5, 7, 5), game(6, 8, 6))
    return [
        Division(members(1, 2, 3, 4, **states), first),
        Division(members(5, 6, 7, 8, **states), second),
    ]


def test_the_best_go_up_and_the_last_go_down():
    league = League("L", "round-robin", up=1, down=1)
    assert promoted(league, two_divisions(), []) == ((1, 2, 3, 5), (4, 6, 7, 8))


def test_who_is_on_standby_fills_the_place_of_who_has_left():
    league = League("L", "round-robin", up=1, down=1)
    assert promoted(league, two_divisions(_2="withdrawn", _8="leaving"), [20, 21]) == ((1, 3, 4, 5), (6, 7, 20, 21))


def test_everybody_on_standby_can_come_in():
    assert promoted(ROUND_ROBIN, [Division(members(1, 2))], [9, 8], everybody=True) == ((1, 2, 9, 8),)


def test_with_external_ratings_a_round_is_paired_by_them_and_by_seed_among_equals():
    rated = tuple(one._replace(rating={1: 2000, 2: 1800, 3: 1900}.get(one.player, 0)) for one in members(1, 2, 3, 4))
    external, own = (League("L", "swiss", rounds=2, ratings=of) for of in ("external", "own"))
    assert {*map(frozenset, pair_next_round(external, Division(rated)).games)} == {frozenset({1, 2}), frozenset({3, 4})}
    assert {*map(frozenset, pair_next_round(own, Division(rated)).games)} == {frozenset({1, 3}), frozenset({2, 4})}


def first(**begins_in):
    """The divisions of a first season for which three people wait."""
    waiting = tuple(
        Member(player, f"P{player}", seed, "standby", begins_in=begins_in.get(f"_{player}", 0))
        for seed, player in enumerate((3, 1, 2), start=1)
    )
    return next_divisions(LeagueSeason(1, ROUND_ROBIN, 0, "", (), waiting))


def test_a_first_season_is_played_by_who_has_joined():
    assert first() == ((3, 1, 2),)


def test_a_first_season_has_the_divisions_in_which_people_are_to_begin_and_others_in_the_lowest():
    assert first(_1=2, _2=1) == ((2,), (3, 1))


def test_somebody_whose_place_another_has_taken_leaves_no_gap():
    taken = (*members(1, 2, _2="withdrawn"), Member(9, "P9", 2))
    assert promoted(ROUND_ROBIN, [Division(taken)], [8]) == ((1, 9),)
