"""Looking ahead: several rounds at once, and a round that leaves others."""

import random
from itertools import combinations

import pytest

from pbem.tournament.pairing import disjoint_rounds, farsighted
from support.each import each


def all_pairs(size):
    return {*combinations(range(size), 2)}


def is_round(pairs, size):
    return sorted(sum(pairs, ())) == [*range(size)]


def test_nobody_has_the_one_round_that_there_is():
    assert farsighted(0, set(), {}, 3) == []


@each("size", range(2, 21, 2))
def test_all_rounds_of_an_even_number_are_found_at_once(size):
    found = disjoint_rounds(size, all_pairs(size), size - 1)
    assert all(is_round(one, size) for one in found)
    assert {pair for one in found for pair in one} == all_pairs(size)
    assert len(found) == size - 1


def test_of_two_triangles_there_is_no_round():
    triangles = {(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5)}
    assert disjoint_rounds(6, triangles, 1) == []
    assert farsighted(6, triangles, dict.fromkeys(triangles, 1), 1) is None


def test_a_graph_that_is_known_for_it_has_a_round_and_not_three():
    """Petersen's graph of ten: three neighbours each, a round in it, and no three apart."""
    petersen = {*((at, (at + 1) % 5) for at in range(4)), (0, 4), *((at, at + 5) for at in range(5))}
    petersen |= {(5, 7), (7, 9), (6, 9), (6, 8), (5, 8)}
    assert len(disjoint_rounds(10, petersen, 1)) == 1
    assert disjoint_rounds(10, petersen, 3) == []
    assert is_round(farsighted(10, petersen, dict.fromkeys(petersen, 1), 9), 10)


def prism():
    """Two triangles, each corner joined to one of the other: three rounds, if the joints are not one of them."""
    return {(0, 1), (0, 2), (1, 2), (3, 4), (3, 5), (4, 5), (0, 3), (1, 4), (2, 5)}


def test_the_cheapest_round_is_taken_unless_others_shall_follow_that_then_could_not():
    costs = {pair: 0 if pair[1] == pair[0] + 3 else 1 + sum(pair) for pair in prism()}
    assert farsighted(6, prism(), costs, 1) == [(0, 3), (1, 4), (2, 5)]
    found = farsighted(6, prism(), costs, 3)
    assert found == [(0, 1), (2, 5), (3, 4)]
    assert len(disjoint_rounds(6, prism() - {*found}, 2)) == 2


@pytest.mark.parametrize("size", [6, 8, 10, 12])
def test_whatever_the_costs_are_all_rounds_are_played(size):
    dice = random.Random(size)
    for _ in range(5):
        free = all_pairs(size)
        for left in range(size - 1, 0, -1):
            found = farsighted(size, free, {pair: dice.randrange(99) for pair in free}, left)
            assert is_round(found, size)
            assert {*found} <= free
            free -= {*found}
        assert not free
