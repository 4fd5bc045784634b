"""The levels of the computer opponent: legal orders in every position, mixed, and better from level to level."""

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games import find_game
from pbem.games.capabilities import LEVELS
from pbem.games.chance import SecretChance
from pbem.games.ozymandia import search
from pbem.games.ozymandia.board import find_board
from pbem.games.ozymandia.bot import choose
from pbem.games.ozymandia.fast_rules import ground_of, plan_of, position_of
from pbem.games.ozymandia.matrix import solve
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.rules import resolve, result
from pbem.games.ozymandia.search import Contest
from pbem.games.ozymandia.state import SEATS, opponent, parse_state
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from support.positions import positions

GAME = find_game("ozymandia")
ODD = [
    "red bombs 2 blue H3 bombs 1",
    "red M1 bombs 0 blue bombs 0",
    "red bombs 3 blue bombs 3",
    "red AC1 MC1 WC1 UC1 E2 bombs 3 blue V9 bombs 3",
    "red M999999 MC999999 bombs 1 blue VC9 HC9 UC9 EC9 S400 bombs 0",
    "red A40 M40 W40 S40 bombs 3 blue V30 H30 E30 U30 bombs 3",
]


def chance(seed=0):
    return SecretChance(f"seed {seed}".encode())


def thoughts(state, seat, level, seed=0):
    return [*GAME.think(state, seat, level, chance(seed))]


def position(line):
    return parse_state(line, find_board("lattice"))


@given(positions(), st.sampled_from([1, 2, 3, 4]))
@settings(deadline=None, max_examples=20)
def test_every_thought_of_every_level_is_legal_orders(state, level):
    for seat in SEATS:
        for thought in thoughts(state, seat, level):
            assert reader.parse(Standpoint(GAME, state, seat), str(thought.orders)) == thought.orders
            assert 0 <= thought.win_share <= 1


@pytest.mark.parametrize("line", ODD)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_finds_orders_in_odd_positions(line, level):
    state = position(line)
    for seat in SEATS:
        orders = next(GAME.think(state, seat, level, chance())).orders
        assert reader.parse(Standpoint(GAME, state, seat), str(orders)) == orders


@pytest.mark.parametrize("level", [3, 4, 5])
def test_it_cannot_be_read_where_the_sides_are_even_and_is_the_same_for_the_same_chance(level):
    state = position("5 red A3 M3 AC2 MC2 W1 bombs 2 blue V3 H3 VC2 HC2 E1 bombs 2")

    def chosen(seed, state=state):
        return [*islice(GAME.think(state, "red", level, chance(seed)), 6)][-1]

    assert len({chosen(seed).orders for seed in range(5)}) >= 2
    assert chosen(1, GAME.load(GAME.dump(state))) == chosen(1)


@pytest.mark.parametrize("level", [4, 5])
def test_it_takes_the_fifth_city_where_nothing_can_be_done_against_it(level):
    state = position("red AC1 MC1 WC1 UC1 A2 Z2 bombs 3 blue V9 bombs 0")
    assert result(resolve(state, {"red": thoughts(state, "red", level)[-1].orders}).state).winner == "red"


def test_it_strikes_rather_than_lose():
    state = position("red M3 MC1 bombs 1 blue VC9 HC9 UC9 EC9 S1 bombs 0")
    assert thoughts(state, "red", 4)[-1].orders.bomb is not None


def test_what_both_may_win_is_even_between_equals_and_what_is_won_is_one():
    assert GAME.win_share(GAME.new({}), "red") == pytest.approx(0.5)
    won = position("red AC1 MC1 WC1 UC1 EC1 bombs 0 blue V9 bombs 3")
    assert (GAME.win_share(won, "red"), GAME.win_share(won, "blue")) == (1, 0)
    over = replace(GAME.new({"turn_limit": 3}), turn=4)
    assert GAME.win_share(over, "red") == 0.5


def test_who_has_nothing_left_has_nearly_lost_and_who_faces_nothing_goes_for_cities():
    assert GAME.win_share(position("red bombs 0 blue H3 bombs 1"), "red") < 0.02
    state, seen = position("red M1 bombs 0 blue bombs 0"), 0
    while result(state) is None and seen < 20:
        state, seen = resolve(state, {"red": thoughts(state, "red", 4)[-1].orders}).state, seen + 1
    assert result(state).winner == "red"


def test_the_better_side_has_less_of_it_the_fewer_turns_are_left():
    line = "{} red AC1 MC1 WC1 A2 bombs 3 blue V9 bombs 0"
    found = [GAME.win_share(replace(position(line.format(turn)), turn_limit=30), "red") for turn in (1, 20, 25, 29)]
    assert found[0] == found[1] > found[2] > found[3] > 0.5


@given(positions())
@settings(deadline=None, max_examples=40)
def test_what_one_side_has_the_other_has_not(state):
    assert GAME.win_share(state, "red") + GAME.win_share(state, "blue") == pytest.approx(1)


def test_orders_that_win_weigh_more_than_those_that_do_not():
    state = position("red AC1 MC1 WC1 UC1 A2 Z2 bombs 3 blue V9 bombs 0")
    wins, waits, blunders = GAME.weigh(
        state,
        "red",
        [Orders((), (Move(1, "Z", "ZC"),)), Orders(), Orders((), (), "AC")],
        3,
        chance(),
    )
    assert wins == 1
    assert wins > waits > blunders


def test_that_the_other_may_play_plainly_is_expected_and_little_is_given_away_for_it():
    state = position("5 red A3 M3 AC2 MC2 W1 bombs 2 blue V3 H3 VC2 HC2 E1 bombs 2")
    ground, seen = ground_of(state.board), position_of(state, "red")
    plain, how = plan_of(ground, seen, -1, choose(state, "blue")), search.LEVELS[4]
    wary, bold = Contest(ground, seen, how), Contest(ground, seen, how._replace(plain=0.3), plain=plain)
    for contest in (wary, bold):
        while contest.grow():
            pass
    expected = sum(part for plan, part in bold.mix(1) if plan == plain)
    assert 0.3 - 0.001 <= expected < 1
    assert sum(part for _, part in bold.mix(1)) == pytest.approx(1)
    assert wary.value - 0.1 < bold.value <= wary.value + 0.01
    [brings] = GAME.weigh(state, "red", [Orders()], 4, chance())
    assert brings < wary.value


@pytest.mark.parametrize("seat", SEATS)
def test_who_looks_at_what_the_other_may_do_beats_who_does_not(seat):
    state = GAME.new({"turn_limit": 30})
    while result(state) is None:
        levels = {seat: 3, opponent(seat): 1}
        state = resolve(state, {one: thoughts(state, one, level)[-1].orders for one, level in levels.items()}).state
    assert result(state).winner == seat


def test_a_game_with_a_saddle_is_solved_without_mixing():
    assert solve([[0.2, 0.4], [0.5, 0.6]], 10) == ([0, 1], [1, 0], 0.5)


def test_stone_scissors_paper_is_played_evenly_and_a_biased_one_as_it_should_be():
    rows, columns, value = solve([[0.5, 1, 0], [0, 0.5, 1], [1, 0, 0.5]], 50)
    assert [*rows, *columns] == pytest.approx([1 / 3] * 6, abs=0.01)
    rows, columns, value = solve([[1, 0], [0, 0.5]], 500)
    assert (rows[0], columns[0], value) == pytest.approx((1 / 3, 1 / 3, 1 / 3), abs=0.01)
