"""How a match ended for its seats: places, and who has forfeited."""

import pytest

from pbem.games.base import Chair, Result
from pbem.leagues.placing import places_if_not_begun, places_of

FOUR = [Chair(seat, seat) for seat in "abcd"]
TEAMS = [Chair("a1", "a"), Chair("a2", "a"), Chair("b1", "b"), Chair("b2", "b")]


@pytest.mark.parametrize(
    ("result", "gone", "ranks", "forfeit"),
    [
        (Result("b", "", ranking=(("b",), ("a", "d"), ("c",))), "", {"b": 1, "a": 2, "d": 2, "c": 4}, ""),
        (Result("b", ""), "", {"b": 1, "a": 2, "c": 2, "d": 2}, ""),  # awarded
        (Result(None, ""), "", dict.fromkeys("abcd", 1), ""),  # a draw
        (Result(None, ""), "c", {"a": 1, "b": 1, "d": 1, "c": 4}, "c"),  # agreed by those who were left
        (Result("b", "", ranking=(("b",), ("a",), ("c", "d"))), "c", {"b": 1, "a": 2, "d": 3, "c": 4}, "c"),
        (Result("b", "", True, (("b",), ("a",), ("c", "d"))), "c", {"b": 1, "a": 2, "c": 3, "d": 3}, "cd"),
        (Result("b", "", True), "ac", {"b": 1, "a": 2, "c": 2, "d": 2}, "acd"),  # the others missed too many turns
        (Result(None, "", True), "", dict.fromkeys("abcd", 1), "abcd"),  # all did
    ],
)
def test_places_are_those_of_the_ranking_else_the_winner_is_first_and_who_gave_up_last(result, gone, ranks, forfeit):
    assert places_of(FOUR, result, gone) == (ranks, frozenset(forfeit))


def test_a_side_wins_together():
    assert places_of(TEAMS, Result("b", ""), ["b2"]) == ({"b1": 1, "a1": 2, "a2": 2, "b2": 4}, {"b2"})


def test_of_a_game_that_never_began_those_are_last_who_declined_it_or_did_not_answer():
    assert places_if_not_begun({"a": True, "b": False, "c": False}, []) == ({"a": 1, "b": 2, "c": 2}, {"b", "c"})
    assert places_if_not_begun({"a": True, "b": False, "c": False}, ["c"]) == ({"a": 1, "b": 1, "c": 3}, {"c"})
