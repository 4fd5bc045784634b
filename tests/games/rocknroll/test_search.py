"""The opponent of five levels: legal, the same every time, blind for what its seat may not see, and the better the
higher its level."""

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.base import Seat
from pbem.games.capabilities import LEVELS, Thought
from pbem.games.chance import SecretChance
from pbem.games.rocknroll.cardfile import SHIPPED, find_set
from pbem.games.rocknroll.cards import SIDES, opponent
from pbem.games.rocknroll.loading import placed
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.rules import resolve, set_up
from pbem.games.rocknroll.setting import SEATS, chairs
from pbem.games.rocknroll.state import State
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from support.rocknroll_wars import TABLES, RandomChance, dense, war, with_hidden_things

GAME: Any = find_game("rocknroll")
QUICK = (1, 2, 3)


def thoughts(state: State, seat: Seat, level: int, seed: int = 0) -> Iterator[Thought]:
    return GAME.think(GAME.view(state, seat), seat, level, SecretChance(bytes([seed] * 32)))


def thought(state: State, seat: Seat, level: int, seed: int = 0) -> Thought:
    *_, last = thoughts(state, seat, level, seed)
    return last


def on_turn(state: State) -> Seat:
    assert state.on_turn
    return state.on_turn


def assert_read_as_meant(state: State, seat: Seat, orders: Orders) -> None:
    assert orders.commands
    read, standing = reader.parse_all(Standpoint(GAME, state, seat), str(orders))
    assert GAME.joined(state, seat, read, "; ".join(standing)) == orders


@pytest.mark.parametrize("level", LEVELS)
def test_whatever_a_level_writes_is_read_as_it_was_meant(level: int) -> None:
    for seed in range(4):
        state = dense(Random(seed), SHIPPED[seed % 2])
        for one in islice(thoughts(state, on_turn(state), level), 3):
            assert_read_as_meant(state, on_turn(state), one.orders)


@pytest.mark.parametrize("seed", range(4))
def test_it_writes_legal_orders_in_wars_of_all_kinds(seed: int) -> None:
    for played in islice(war(seed), 3, 15, 4):
        if seat := played.after.on_turn:
            assert_read_as_meant(played.after, seat, thought(played.after, seat, QUICK[seed % 2]).orders)


@pytest.mark.parametrize("seats", SEATS)
def test_it_plays_for_any_number_of_seats(seats: str) -> None:
    state = set_up(find_set(SHIPPED[1]), chairs(seats), 6, SecretChance(bytes(32))).state
    for _ in state.seats:
        seat = on_turn(state)
        state = resolve(state, {seat: thought(state, seat, 2).orders}, SecretChance(bytes(32))).state
    assert state.round == 2


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", SHIPPED)
def test_it_sees_nothing_that_is_hidden_from_its_seat(name: str, level: int) -> None:
    random = Random(level)
    state = dense(random, name)
    other = with_hidden_things(random, state, on_turn(state))
    assert other != state
    seen, changed = (list(islice(thoughts(one, on_turn(state), level), 3)) for one in (state, other))
    assert seen == changed
    for seat, _ in state.seats:
        hidden = with_hidden_things(random, state, seat)
        assert GAME.win_share(GAME.view(state, seat), seat) == GAME.win_share(GAME.view(hidden, seat), seat)


def test_the_same_view_and_chance_make_it_think_the_same_and_other_chance_otherwise() -> None:
    state = dense(Random(3), SHIPPED[0])
    same = [thought(state, on_turn(state), 2, seed) for seed in (0, 0, 1, 2)]
    assert same[0] == same[1]
    assert len({str(one.orders) for one in same}) > 1


def test_a_seat_that_is_not_on_turn_sends_standing_orders_alone() -> None:
    state = dense(Random(1))
    for seat, _ in state.seats:
        if seat != state.on_turn:
            assert thought(state, seat, 3).orders.commands == ()


def test_a_higher_level_wins_against_the_lowest() -> None:
    won = 0
    for seed in range(8):
        random, side = Random(seed), SIDES[seed % 2]
        level = {side: 3, opponent(side): 1}
        state = set_up(find_set(SHIPPED[seed // 4]), TABLES[0], 8, RandomChance(random)).state
        while seat := state.on_turn:
            orders = thought(state, seat, level[state.side_of(seat)], seed).orders
            state = resolve(state, {seat: orders}, RandomChance(random)).state
        won += state.winner == side
    assert won >= 6


def test_it_goes_where_the_round_is_decided() -> None:
    """One move of three wins the round, and with it the war; the simple player sees no more than units and Points."""
    state = placed("A vpa: Doc, Chili; C vietnam: Scout; hand vpa: Move; ok vpa: 4; order: vietnam, vpa; next: vpa")
    found = thought(state, "vpa", 3)
    assert str(found.orders.commands[0]) in ("Move: Doc to B", "Move: Chili to B")
    assert found.win_share == 1


def test_orders_are_weighed_by_what_they_lead_to() -> None:
    state = placed("A vpa: Doc, Chili; C vietnam: Scout; hand vpa: Move; ok vpa: 4; order: vietnam, vpa; next: vpa")
    texts = ("Pass", "Move: Doc to B", "Move: Chili to B")
    orders = [reader.parse_all(Standpoint(GAME, state, "vpa"), text)[0] for text in texts]
    nothing, *moves = GAME.weigh(GAME.view(state, "vpa"), "vpa", orders, 3, SecretChance(bytes(32)))
    assert moves == [1, 1]
    assert 0.5 < nothing < 1


def test_the_outlook_is_certain_when_the_war_is_over_and_better_with_more_on_the_board() -> None:
    won, even, ahead = (
        placed(text)
        for text in (
            "A vpa: Doc; D vietnam: Scout; ok vpa: 5; winner: vpa",
            "A vpa: Doc; D vietnam: Scout",
            "A vpa: Doc, Chili; C vpa: Zulu; D vietnam: Scout",
        )
    )
    assert [GAME.win_share(GAME.view(won, seat), seat) for seat in SIDES] == [1, 0]
    mine = [GAME.win_share(GAME.view(state, "vpa"), "vpa") for state in (even, ahead)]
    assert mine[0] < mine[1]
    assert GAME.win_share(GAME.view(ahead, "vietnam"), "vietnam") == pytest.approx(1 - mine[1])
