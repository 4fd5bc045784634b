"""A seat of several that resigns: its allies play on (J25)."""

from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.base import GameError
from pbem.games.chance import GivenChance
from pbem.games.rocknroll.loading import load, placed, position
from pbem.games.rocknroll.rules import resolve
from pbem.games.rocknroll.state import Hand, State, dump
from pbem.orders import reader
from pbem.orders.situation import Standpoint

GAME: Any = find_game("rocknroll")
FOUR = "seats: vpa1 vpa, vpa2 vpa, vietnam1 vietnam, vietnam2 vietnam"
DECK = "deck orders: Attack, Move, March, Napalm, Move, Move"
HELD = f"{FOUR}; {DECK}; B vpa: Johnny; hand vpa1: Doc, Attack; reserve vpa: Rook; standing vpa1 Reroll attack: 1"


def left(state: State, seat: str) -> State:
    departure = GAME.resigned(state, seat)
    assert departure.result is None
    return departure.state


def played(state: State, text: str = "Pass", chance: tuple[int, ...] = ()) -> State:
    """The turn of the seat that is awaited, or one that waits for nobody."""
    orders = {seat: reader.parse(Standpoint(GAME, state, seat), text) for seat in GAME.awaiting(state)}
    return resolve(state, orders, GivenChance(chance)).state


def test_its_hand_goes_to_the_open_piles_and_is_no_loss() -> None:
    state = left(placed(HELD), "vpa1")
    assert state.hands["vpa1"] == Hand()
    assert state.reserve["vpa"] == ("Rook", "Doc")
    assert state.discard == ("Attack",)
    assert state.losses["vpa"] == 0
    assert not state.standing["vpa1"]


def test_its_turn_passes_and_it_is_never_awaited_again() -> None:
    state, seen = left(placed(HELD), "vpa1"), []
    for _ in range(5):
        seen += GAME.awaiting(state)
        state = played(state)
    assert seen == ["vietnam1", "vpa2", "vietnam2", "vietnam1", "vpa2"]
    assert state.round == 2


def test_a_turn_at_the_end_of_the_round_is_played_without_anybody() -> None:
    state = left(placed(f"{HELD}; next: vietnam2"), "vietnam2")
    assert GAME.awaiting(state) == frozenset()
    ruling = resolve(state, {}, GivenChance(()))
    assert not {"turn", "missed"}.intersection(event["type"] for event in ruling.events)
    assert (ruling.state.round, GAME.awaiting(ruling.state)) == (2, {"vpa1"})


def test_who_is_left_takes_what_a_single_seat_against_two_takes() -> None:
    state = left(placed(f"{HELD}; next: vietnam2; reserve vietnam: Bao, Mai, Min"), "vpa1")
    hands = played(state, "Pass").hands
    assert {seat: (len(hand.units), len(hand.orders)) for seat, hand in hands.items()} == {
        "vpa1": (0, 0),
        "vpa2": (2, 2),
        "vietnam1": (1, 1),
        "vietnam2": (1, 1),
    }


def test_the_next_seat_decides_for_its_side() -> None:
    text = f"{HELD}; hand vpa2: Move; B vietnam: Bao; hand vietnam1: Attack; standing vpa2 Reroll attack: 1"
    after = played(left(placed(text), "vpa1"), "Attack: Bao > Johnny", (1, 2, 1, 6))
    assert after.points["B"] == {"vpa": ("Johnny",), "vietnam": ()}
    assert not after.hands["vpa2"].orders  # it paid for the reroll of Johnny's answer


def test_a_side_has_lost_with_its_last_seat() -> None:
    state = left(placed(HELD), "vpa1")
    result = GAME.resigned(state, "vpa2").result
    assert (result.winner, result.reason) == ("vietnam", "VPA resigned.")


def test_letters_of_who_is_gone_count_for_nothing() -> None:
    state = left(placed(HELD), "vpa1")
    orders = {"vpa1": GAME.joined(state, "vpa1", None, "Reroll attack: 1")}
    assert not resolve(state, orders, GivenChance(())).state.standing["vpa1"]


def test_a_state_says_who_is_gone_only_where_somebody_is() -> None:
    before, after = placed(HELD), left(placed(HELD), "vpa1")
    assert "gone" not in dump(before)
    assert dump(after)["gone"] == ["vpa1"]
    assert load(dump(after)) == placed(position(after)) == after
    assert placed(position(before), after).gone == ("vpa1",)


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (["vpa1", "vpa2"], "gone: these are seats of sides that others play on for"),
        (["vpa1", "vpa1"], "gone: these are seats of sides that others play on for"),
        (["vpa3"], 'gone, entry 1: there is no seat "vpa3".'),
        ([["vpa1"]], "gone, entry 1: there is no seat"),
        ([{}], "gone, entry 1: there is no seat {}."),
        ("vpa1", 'gone: this should be a list, not "vpa1".'),
        (None, "gone: this should be a list, not null."),
    ],
)
def test_gone_are_seats_of_sides_that_others_play_on_for(gone: object, said: str) -> None:
    with pytest.raises(GameError, match=said):
        load({**dump(placed(HELD)), "gone": gone})
