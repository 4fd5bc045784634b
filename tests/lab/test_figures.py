"""What games come to, in numbers that can be looked up, and in a sentence."""

import pytest

from pbem.lab.figures import figures_of, table, verdict, wilson
from pbem.lab.play import Experiment

WAR = {"set": "base", "length": "full", "seats": "1v1", "sequence": (), "supply": (), "compensation": ()}


def games(*winners, sides=("vpa", "vietnam"), players=("simple",)):
    found = []
    for number, winner in enumerate(winners):
        played = {side: players[0] if at == number % len(sides) else players[-1] for at, side in enumerate(sides)}
        found.append(
            {
                "number": number,
                "played": played,
                "winner": winner,
                "best": [winner] if winner else [*sides],
                "turns": 10 + number % 5,
                "why": "{side} has won." if winner else "Nobody has won.",
                "took": dict.fromkeys(sides, 20.0),
                "decisions": dict.fromkeys(sides, 10),
                "game": f"{number}",
            }
        )
    return found


def of(*players, game="rocknroll", **options):
    return Experiment(game, {**WAR, **options}, players, 1)


@pytest.mark.parametrize(
    ("points", "number", "low", "high"),  # as R's binom.confint(method = "wilson") has them
    [(8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (500, 1000, 0.4691, 0.5309)],
)
def test_the_interval_is_wilsons(points, number, low, high):
    assert wilson(points, number) == pytest.approx((points / number, low, high), abs=1e-4)


def test_a_side_that_has_its_share_within_the_interval_makes_a_game_fair():
    assert verdict(figures_of(of("simple"), games(*["vpa", "vietnam"] * 1000))).startswith("It is fair: VPA has 50.0 %")


@pytest.mark.parametrize(
    ("winners", "said"),
    [
        (["vpa"] * 70 + ["vietnam"] * 30, "It is not fair: VPA has 70.0 % (60.4-78.1) of the points"),
        (["vpa"] * 30 + ["vietnam"] * 70, "It is not fair: VPA has 30.0 % (21.9-39.6) of the points"),
        (["vpa"] * 52 + ["vietnam"] * 48, "Whether it is fair cannot be told yet: VPA has 52.0 % (42.3-61.5)"),
    ],
)
def test_what_is_said_of_fairness(winners, said):
    assert verdict(figures_of(of("simple"), games(*winners))).startswith(said)


def test_a_draw_is_half_a_point_and_no_win():
    found = figures_of(of("simple"), games("vpa", None, None, "vietnam")).scores["vpa"]
    assert (found.won, found.drawn, found.lost, found.points) == (1, 2, 1, 2.0)
    assert (found.wins.value, found.share.value) == (0.25, 0.5)


def test_of_four_nations_each_has_a_quarter():
    nations = ("munchkins", "winkies", "quadlings", "gillikins")
    found = figures_of(of("simple", game="ozz"), games(*nations, None, sides=nations))
    assert found.fair == 0.25
    assert [one.points for one in found.scores.values()] == [1.25] * 4


def test_who_shares_the_first_place_shares_the_point():
    nations = ("munchkins", "winkies", "quadlings", "gillikins")
    (game,) = games(None, sides=nations)
    found = figures_of(of("simple", game="ozz"), [{**game, "best": ["munchkins", "winkies"]}]).scores
    assert [(one.points, one.drawn, one.lost) for one in found.values()] == [(0.5, 1, 0)] * 2 + [(0.0, 0, 1)] * 2


@pytest.mark.parametrize(
    ("winners", "said"),
    [
        (["vpa", "vietnam"] * 20, "Level 2 is stronger than level 1: level 2 has 100.0 % (91.2-100.0) of the points."),
        (["vietnam", "vpa"] * 20, "Level 1 is stronger than level 2: level 2 has 0.0 % (0.0-8.8) of the points."),
        (["vpa"] * 40, "Which is stronger cannot be told yet: level 2 has 50.0 % (35.2-64.8) of the points."),
    ],
)
def test_what_is_said_of_strength_with_sides_changed(winners, said):
    found = figures_of(of("2", "1"), games(*winners, players=("2", "1")))
    assert verdict(found) == said
    assert [one.games for one in found.scores.values()] == [40, 20, 20]


def test_games_that_are_all_the_same_say_nothing():
    same = [{**one, "game": "0"} for one in games(*["vpa"] * 100)]
    assert verdict(figures_of(of("simple"), same)).startswith("Only 1 of 100 games differ, so nothing can be told")


def test_the_table_tells_it_all():
    shown = table(figures_of(of("2", "1", length="short"), games("vpa", "vpa", None, "vpa", players=("2", "1"))))
    assert shown.splitlines() == [
        "Rock'n'Roll, set base, length short: level 2 against level 1, 4 games of seed 1",
        "",
        "                    games  won                     drawn  lost              points",
        "level 2                 4    1  25.0 % (4.6-69.9)      1     2   37.5 % (9.2-78.1)",
        "level 2 as vpa          2    1  50.0 % (9.5-90.5)      1     0  75.0 % (19.8-97.3)",
        "level 2 as vietnam      2    0   0.0 % (0.0-65.8)      0     2    0.0 % (0.0-65.8)",
        "",
        "Turns: 11.5, half of the games 10.75-12.25, all 10-13",
        "Decided by:      3  ... has won.",
        "Decided by:      1  Nobody has won.",
        "A decision of level 2 takes 2.00 ms",
        "A decision of level 1 takes 2.00 ms",
        "",
        "Which is stronger cannot be told yet: level 2 has 37.5 % (9.2-78.1) of the points.",
    ]
