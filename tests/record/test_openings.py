"""Openings are counted by what a seat ordered first, with the points that it got."""

from dataclasses import replace

from pbem.games.base import Result
from pbem.record.history import History
from pbem.record.openings import openings
from support.archives import played


def game(*orders: str, winner: str | None, forfeit: bool = False) -> History:
    """A game in which Red ordered this in its first turns."""
    history = played(len(orders), winner="red")
    steps = tuple(
        turn._replace(orders={"red": one or None, "blue": "Pass"})
        for turn, one in zip(history.turns(), orders, strict=True)
    )
    return replace(history, steps=steps, result=Result(winner, "", forfeit))


def test_openings_are_a_tree_with_games_and_points_the_most_frequent_first():
    some = (
        game("1 A to AC", "Pass", "2 M to S", winner="red"),
        game("1 A to AC", "Pass", "2 W to U", winner=None),
        game("1 A to AC", "2 A to Z", "Pass", winner="blue"),
        game("3 W to M", "Pass", "Pass", winner="blue"),
    )
    first, second = openings(some, "red", 2)
    assert first[:3] == ("1 A to AC", 3, 0.5)
    assert [one[:3] for one in first.then] == [("Pass", 2, 0.75), ("2 A to Z", 1, 0.0)]
    assert not first.then[0].then
    assert second[:3] == ("3 W to M", 1, 0.0)
    (blue,) = openings(some, "blue", 1)
    assert blue[:3] == ("Pass", 4, 0.625)


def test_missed_turns_and_games_that_go_on_do_not_count():
    late = game("", "1 A to AC", winner="red")
    assert [one.orders for one in openings([late, replace(late, result=None), game("", winner="red")], "red", 3)] == [
        "1 A to AC"
    ]


def test_a_game_that_both_have_forfeited_brings_nobody_points():
    (one,) = openings([game("Pass", winner=None, forfeit=True)], "red", 1)
    assert one.share == 0
