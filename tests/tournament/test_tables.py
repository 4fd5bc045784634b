"""Tables of more than two: rounds that are fair to all, and the same every time."""

from collections import Counter
from itertools import combinations, combinations_with_replacement

import pytest

from pbem.tournament.tables import Past, Seating, next_tables, past_of, rounds_of_tables
from support.each import each

OZZ = Seating(4, 4, fewer=True)
THREE_OF_FOUR = Seating(3, 4, fewer=True)
TEAMS = Seating(4, 4, fewer=False)
SHAPES = [OZZ, THREE_OF_FOUR, Seating(3, 3, fewer=True), TEAMS, Seating(3, 3, fewer=False)]


def counts(players, rounds, shape):
    """How often pairs have met, how often each had each seat, and how often each sat at a smaller table or out."""
    past = past_of(rounds, shape.most)
    return (
        [past.met.get(frozenset(pair), 0) for pair in combinations(players, 2)],
        [past.had.get((player, seat), 0) for player in players for seat in range(shape.seats)],
        [past.less.get(player, 0) for player in players],
    )


@pytest.mark.parametrize(
    ("shape", "sizes"),
    [
        (OZZ, ["", "2", "3", "4", "32", "33", "43", "44", "333", "433"]),
        (THREE_OF_FOUR, ["", "2", "3", "22", "32", "33", "322", "332", "333", "3322"]),
        (TEAMS, ["", "", "", "4", "4", "4", "4", "44", "44", "44"]),
    ],
)
def test_a_round_has_as_few_tables_as_possible_and_as_equal_ones(shape, sizes):
    assert ["".join(map(str, shape.sizes(players))) for players in range(1, 11)] == sizes


@each("shape", SHAPES)
@each("players", [2, 3, 4, 5, 6, 7, 8, 9, 13])
def test_everybody_has_one_place_a_round_and_no_seat_nor_bye_two_times_oftener_than_somebody_else(players, shape):
    everybody = [*range(players)]
    rounds = rounds_of_tables(everybody, shape, 3)
    assert len(rounds) == (3 if players >= shape.most or shape.fewer else 0)
    for one in rounds:
        assert sorted([*one.byes, *(player for game in one.games for player in game)]) == everybody
        assert sorted(map(len, one.games), reverse=True) == [*shape.sizes(players)]
        for game, seats in zip(one.games, one.seats, strict=True):
            assert len(game) == len(seats)
            assert list(seats) == sorted({*seats} & {*range(shape.seats)})
    _, had, less = counts(everybody, rounds, shape)
    assert max(had) - min(had) <= 1
    assert max(less) - min(less) <= 1


def unevenness(players, rounds, shape):
    met, _, less = counts(players, rounds, shape)
    return sum(one**2 for one in less), sum(2 * one**2 + 3 * (not one) for one in met)


@pytest.mark.parametrize(
    ("players", "shape", "number"),
    [(5, OZZ, 1), (5, OZZ, 3), (5, OZZ, 4), (5, TEAMS, 4), (6, OZZ, 3), (6, OZZ, 4), (7, OZZ, 2), (8, OZZ, 2)],
)
def test_no_other_rounds_have_meetings_more_even(players, shape, number):
    """By all the rounds that there could be, in every set of so many."""
    everybody = tuple(range(players))
    (first,) = rounds_of_tables(everybody, shape, 1)
    sizes = shape.sizes(players)

    def fill(free, left):
        if not left:
            yield ()
            return
        for table in combinations(free, left[0]):
            for others in fill([one for one in free if one not in table], left[1:]):
                yield (table, *others)

    ways = {tuple(sorted(way, key=lambda table: (-len(table), table))) for way in fill(everybody, sizes)}
    rounds = [
        first._replace(games=way, seats=(), byes=tuple({*everybody} - {player for table in way for player in table}))
        for way in sorted(ways)
    ]
    best = min(unevenness(everybody, some, shape) for some in combinations_with_replacement(rounds, number))
    assert unevenness(everybody, rounds_of_tables(everybody, shape, number), shape) == best


@each(("players", "rounds"), [(2, 1), (3, 1), (4, 1), (5, 4), (6, 4), (7, 5), (8, 3), (9, 4), (12, 6)])
def test_left_alone_there_are_as_few_rounds_as_it_takes_for_each_to_meet_each(players, rounds):
    found = rounds_of_tables(range(players), OZZ)
    assert len(found) == rounds
    met, _, _ = counts(range(players), found, OZZ)
    assert min(met) >= 1


def swiss(players, shape):
    """Three rounds in which who has the smaller number is always ahead."""
    rounds, points = [], dict.fromkeys(range(players), 0.0)
    for _ in range(3):
        rounds.append(next_tables(points, past_of(rounds, shape.most), shape))
        for table in rounds[-1].games:
            for place, player in enumerate(sorted(table)):
                points[player] += 3 - 3 * place / (len(table) - 1)
    return rounds


@pytest.mark.parametrize("played", [swiss, lambda players, shape: rounds_of_tables(range(players), shape, 3)])
@pytest.mark.parametrize(
    ("players", "meetings", "again", "never"), [(5, False, 4, 2), (5, True, 2, 0), (7, False, 10, 4), (7, True, 6, 0)]
)
def test_fewest_meetings_again_can_come_before_even_tables(played, players, meetings, again, never):
    shape = OZZ._replace(meetings=meetings)
    met, _, smaller = counts(range(players), played(players, shape), shape)
    assert (sum(max(0, number - 1) for number in met), met.count(0)) == (again, never)
    assert max(smaller) - min(smaller) <= (3 if meetings else 1)


def test_nine_at_tables_of_three_meet_once_each_in_four_rounds():
    met, _, _ = counts(range(9), rounds_of_tables(range(9), Seating(3, 3, fewer=True)), OZZ)
    assert set(met) == {1}


def test_four_at_one_table_have_each_seat_once_in_four_rounds():
    rounds = rounds_of_tables([7, 5, 3, 1], OZZ, cycles=4)
    assert len(rounds) == 4
    assert {one.games[0].index(player) for one in rounds for player in (7,)} == {0, 1, 2, 3}


@pytest.mark.parametrize("players", [5, 30])
def test_the_same_players_always_have_the_same_rounds(players):
    assert rounds_of_tables(range(players), OZZ, 3) == rounds_of_tables(range(players), OZZ, 3)


def test_a_swiss_round_has_leaders_with_leaders_unless_they_have_met():
    points = {1: 3, 2: 0, 3: 3, 4: 0, 5: 3, 6: 0, 7: 3, 8: 0}
    one = next_tables(points, Past(), OZZ)
    assert {frozenset(game) for game in one.games} == {frozenset({1, 3, 5, 7}), frozenset({2, 4, 6, 8})}
    again = next_tables(points, past_of([one], 4), OZZ)
    assert Counter(len({*game} & {1, 3, 5, 7}) for game in again.games) == {2: 2}


def test_in_a_swiss_round_the_last_has_the_bye_and_nobody_has_two_before_all_have_one():
    points = {1: 0, 2: 3, 3: 0, 4: 1, 5: 2}
    first = next_tables(points, Past(), TEAMS)
    assert first.byes == (3,)
    byes, past, rounds = [3], past_of([first], 4), [first]
    for _ in range(4):
        rounds.append(next_tables(points, past, TEAMS))
        byes += rounds[-1].byes
        past = past_of(rounds, 4)
    assert sorted(byes) == [1, 2, 3, 4, 5]


def test_too_few_for_a_table_have_no_round():
    assert next_tables({1: 0}, Past(), OZZ) is None
    assert next_tables({1: 0, 2: 0, 3: 0}, Past(), TEAMS) is None
