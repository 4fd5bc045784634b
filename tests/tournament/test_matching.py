"""Cheapest pairs: against all that there are, and laws of their own."""

from itertools import chain, combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.tournament.pairing import cheapest_pairs


def table(size, draw):
    """Costs of all pairs."""
    costs = [[0] * size for _ in range(size)]
    for one, other in combinations(range(size), 2):
        costs[one][other] = costs[other][one] = draw()
    return costs


def cost(costs, pairs):
    return sum(costs[one][other] for one, other in pairs)


def all_matchings(left):
    if not left:
        yield []
    for other in left[1:]:
        rest = [one for one in left[1:] if one != other]
        yield from ([(left[0], other), *more] for more in all_matchings(rest))


@st.composite
def small(draw):
    size = 2 * draw(st.integers(1, 4))
    return table(size, lambda: draw(st.integers(-3, 9)))


@settings(deadline=None, max_examples=100)
@given(small())
def test_no_other_pairs_cost_less(costs):
    everybody = [*range(len(costs))]
    pairs = cheapest_pairs(costs)
    assert sorted(chain.from_iterable(pairs)) == everybody
    assert cost(costs, pairs) == min(cost(costs, some) for some in all_matchings(everybody))


@settings(deadline=None, max_examples=50)
@given(small(), st.integers(-5, 5), st.data())
def test_what_all_pairs_of_somebody_cost_more_changes_nothing_of_who_is_paired_well(costs, more, data):
    who = data.draw(st.integers(0, len(costs) - 1))
    dearer = [[cost + more * (who in (a, b)) for b, cost in enumerate(row)] for a, row in enumerate(costs)]
    assert cost(costs, cheapest_pairs(dearer)) == cost(costs, cheapest_pairs(costs))


def test_the_same_costs_give_the_same_pairs():
    costs = table(20, lambda: 1)
    assert cheapest_pairs(costs) == cheapest_pairs([row[:] for row in costs])


def test_nobody_needs_no_pairs():
    assert cheapest_pairs([]) == []


def test_an_odd_number_is_refused():
    with pytest.raises(ValueError, match="3 cannot be put into pairs"):
        cheapest_pairs(table(3, lambda: 1))
