"""The computer player: legal, the same every time, blind for what its seat may not see, and better than chance."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.base import Chair, Seat
from pbem.games.rocknroll.bot import Odds, board_of, example
from pbem.games.rocknroll.cardfile import SHIPPED, find_set
from pbem.games.rocknroll.cards import SIDES, opponent
from pbem.games.rocknroll.loading import placed
from pbem.games.rocknroll.orders import Deploy, Orders, PlayPairs, Strike
from pbem.games.rocknroll.rules import resolve, set_up
from pbem.games.rocknroll.state import State
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from support.rocknroll_orders import RandomOrders
from support.rocknroll_wars import TABLES, RandomChance, dense, with_hidden_things

GAME: Any = find_game("rocknroll")
ALL_TABLES = (*TABLES, (Chair("vpa", "vpa"), Chair("vietnam1", "vietnam"), Chair("vietnam2", "vietnam")))
Player = Callable[[Random, State, Seat], Orders]


def thinking(random: Random, state: State, seat: Seat) -> Orders:
    return GAME.choose(GAME.view(state, seat), seat)


def at_random(random: Random, state: State, seat: Seat) -> Orders:
    return RandomOrders(random, state, seat, wild=0.05).orders()


def played(seed: int, name: str, seats: tuple[Chair, ...], players: dict[str, Player]) -> list[State]:
    """The states of a war, each side played by one of the players."""
    random = Random(seed)
    states = [set_up(find_set(name), seats, 30, RandomChance(random)).state]
    while seat := states[-1].on_turn:
        orders = players[states[-1].side_of(seat)](random, states[-1], seat)
        states.append(resolve(states[-1], {seat: orders}, RandomChance(random)).state)
    return states


def test_it_beats_a_random_player_in_nine_wars_of_ten() -> None:
    won = 0
    for seed in range(20):
        side = SIDES[seed % 2]
        players = {side: thinking, opponent(side): at_random}
        won += played(seed, SHIPPED[seed // 2 % 2], ALL_TABLES[seed % 4], players)[-1].winner == side
    assert won >= 18


@pytest.mark.parametrize(("name", "seats"), [(SHIPPED[0], ALL_TABLES[0]), (SHIPPED[1], ALL_TABLES[-1])])
def test_whatever_it_writes_is_read_as_it_was_meant(name: str, seats: tuple[Chair, ...]) -> None:
    for state in played(1, name, seats, dict.fromkeys(SIDES, thinking)):
        assert_legal(state)
    for seed in range(3):
        assert_legal(dense(Random(seed), name))


def assert_legal(state: State) -> None:
    for seat, _ in state.seats:
        orders = thinking(Random(), state, seat)
        assert bool(orders.commands) == (seat == state.on_turn)
        if str(orders):
            read, standing = reader.parse_all(Standpoint(GAME, state, seat), str(orders))
            assert GAME.joined(state, seat, read, "; ".join(standing)) == orders


@pytest.mark.parametrize("seed", range(8))
def test_it_sees_no_hidden_card(seed: int) -> None:
    random = Random(seed)
    state = dense(random)
    for seat, _ in state.seats:
        assert thinking(random, state, seat) == thinking(random, with_hidden_things(random, state, seat), seat)


def test_it_plays_the_same_for_the_same_view() -> None:
    state = dense(Random(5))
    for seat, _ in state.seats:
        assert thinking(Random(1), state, seat) == thinking(Random(2), GAME.load(GAME.dump(state)), seat)


def test_it_attacks_whom_it_is_most_likely_to_hit_with() -> None:
    state = placed("A vpa: Doc, Chili; A vietnam: Scout; hand vpa: Attack")
    assert thinking(Random(), state, "vpa").commands == (PlayPairs("Attack", (Strike("Chili", "Scout"),)),)


def test_it_expects_a_reply_of_a_unit_that_may_answer() -> None:
    state = placed("A vpa: Johnny; A vietnam: Scout")
    after = Odds(state.cards, state.row).attacked("Scout", "Johnny", board_of(state))
    assert after["Johnny"].weight == pytest.approx(4 / 6)
    assert after["Scout"].weight == pytest.approx(1 - 4 / 6 * 2 / 6)


def test_it_passes_when_it_has_nothing() -> None:
    assert str(thinking(Random(), placed("round: 2"), "vpa")) == "Pass"


def test_an_example_fires_no_super_weapon_that_leaves_the_enemy_better_off() -> None:
    state = placed("set: expansion; D vpa: Doc; D vietnam: Matryoshka, Scout; hand vpa: Napalm; next: vpa")
    assert str(example(state, "vpa")) == "Pass"  # Matryoshka survives, and Doc would not


def test_an_example_deploys_nobody_where_that_makes_things_worse() -> None:
    state = placed("A vietnam: Bao, Mai, Scout; D vietnam: Min, Farmer, Horny; hand vpa: Private; next: vpa; round: 2")
    odds, board = Odds(state.cards, state.row), board_of(state)
    better = [
        end for end in "AD" if odds.worth(odds.put("Private", "vpa", end, board), "vpa") > odds.worth(board, "vpa")
    ]
    assert str(example(state, "vpa")) in ([f"Deploy Private {end}" for end in better] or ["Pass"])


@pytest.mark.parametrize("seed", range(20))
def test_an_example_deploys_and_plays_at_most_one_card_each_and_the_computer_would_begin_so_too(seed: int) -> None:
    state = dense(Random(seed))
    seat = state.on_turn
    assert seat
    whole, part = thinking(Random(), state, seat).commands, example(state, seat).commands
    assert len(part) <= 2
    assert [one for one in part if isinstance(one, Deploy) and one != whole[0]] == []
