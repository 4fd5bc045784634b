"""Letters that stand for several turns of a battle, and battles that both sides would fight fast (§3.9, §5.38)."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.base import Seat
from pbem.games.chance import GivenChance
from pbem.games.ozz import rules
from pbem.games.ozz.interpret import faults_of
from pbem.games.ozz.loading import load
from pbem.games.ozz.orders import Lasting, Orders
from pbem.games.ozz.state import State, dump
from support.ozz_battles import battle_of, read, state_of
from support.ozz_campaigns import GAME, RandomChance
from support.ozz_letters import letter

APART = battle_of("SOU 1L, MCA 1L", "HER 4R, THI 4R", at="R1", origin="M4")
"""Two sides that are out of each other's reach."""
BOTH = ("munchkins", "winkies")


def resolved(state: State, munchkins: str | None, winkies: str | None, seed: int = 1) -> tuple[State, list[Any]]:
    letters = {seat: read(text) for seat, text in zip(BOTH, (munchkins, winkies), strict=True) if text is not None}
    ruling = rules.resolve(state, letters, RandomChance(Random(seed)))
    return ruling.state, [*ruling.events]


def turn_of(state: State) -> int:
    assert state.battle is not None
    return state.battle.turn


def reasons(events: list[Any]) -> list[tuple[Seat, str]]:
    return [(event["seat"], event["why"]) for event in events if event["type"] == "unforeseen"]


def test_turns_follow_each_other_while_all_orders_stand() -> None:
    state, events = resolved(state_of(APART), "Orders stand for 3 rounds", "Orders stand")
    assert turn_of(state) == 5
    assert [event["turn"] for event in events if event["type"] == "turn"] == [3, 4]
    assert rules.awaiting(state) == ("munchkins",)


def test_who_wrote_nothing_that_stands_is_asked_alone_and_new_orders_replace_old_ones() -> None:
    state, _ = resolved(state_of(APART), "Orders stand for 3 rounds", "Order HER: stand")
    assert (turn_of(state), rules.awaiting(state), rules.accepts_orders_from(state)) == (3, ("winkies",), BOTH)
    moved, events = resolved(state, "Order SOU: advance", "Order HER: stand")
    assert moved.battle is not None
    assert moved.battle.units["SOU"].space == "2L"
    assert rules.awaiting(moved) == BOTH
    assert not [event for event in events if event["type"] == "missed"]


def test_a_way_that_is_behind_a_force_is_left_out_so_that_it_goes_straight_on() -> None:
    state, _ = resolved(
        state_of(APART), "Order SOU: advance 2L; Order MCA: stand; Orders stand for 2 rounds", "Orders stand"
    )
    assert state.battle is not None
    assert (state.battle.units["SOU"].space, state.battle.units["MCA"].space) == ("3L", "1L")


def test_the_battle_may_end_while_orders_stand() -> None:
    state, _ = resolved(state_of(APART), "Orders stand", "Orders stand")
    assert state.battle is None  # after turn 8 the attacker has to retreat (§5.36)


@pytest.mark.parametrize(
    ("attackers", "defenders", "letters", "why"),
    [
        ("SOU 2C, HAR 1L", "HER 3C", ("Orders stand", "Order HER: advance; Orders stand"), ("munchkins", "melee")),
        (
            "SOU 1L, HAR 1L, ZOR 3L",
            "HER 3L",
            ("Orders stand", None),
            ("munchkins", "leader"),
        ),
    ],
)
def test_what_orders_cannot_have_foreseen_ends_them(
    attackers: str, defenders: str, letters: tuple[str, str | None], why: tuple[Seat, str]
) -> None:
    battle = battle_of(attackers, defenders, at="R1", origin="M4")
    for seed in range(40):
        state, events = resolved(state_of(battle), *letters, seed)
        if found := reasons(events):
            assert found[0] == why
            assert why[0] in rules.awaiting(state) or state.battle is None
            return
    raise AssertionError("it never happened")


def test_half_of_the_units_gone_ends_them() -> None:
    battle = battle_of("SOU 2C, HAR 2C", "HER 3C, THI 3C, SLA 3C", at="R1", origin="M4")
    found = [
        reason
        for seed in range(40)
        for reason in reasons(
            resolved(state_of(battle), "Order SOU: advance 3C, attack 3C; Orders stand", "Orders stand", seed)[1]
        )
    ]
    assert ("munchkins", "losses") in found


def test_a_standing_line_is_no_letter_in_place_of_one_that_stands() -> None:
    state, _ = resolved(state_of(APART), "Orders stand", "Order HER: stand")
    assert GAME.joined(state, "munchkins", None, "Standing Retreat below 2") is None


def test_what_stands_is_seen_by_its_writer_and_told_to_others_when_it_stands_no_longer() -> None:
    before, text = state_of(APART), "Order SOU: advance 2L; Orders stand for 2 rounds"
    after, _ = resolved(before, text, "Order HER: stand")
    own, other = GAME.view(after, "munchkins").battle, GAME.view(after, "winkies").battle
    assert own.plans["munchkins"].orders == read(text)
    assert other.plans == {"munchkins": None}
    assert GAME.redact_orders(text, "munchkins", "winkies", before, after) is None
    assert GAME.redact_orders(text, "munchkins", "munchkins", before, after) == text
    later, _ = resolved(after, None, "Order HER: stand")
    assert GAME.redact_orders(text, "munchkins", "winkies", before, later) == text
    assert GAME.unseals(after, later)


def test_a_state_keeps_what_stands() -> None:
    state, _ = resolved(state_of(APART), "Order SOU: advance 2L; Orders stand", "Order HER: stand")
    assert load(dump(state)) == state
    assert load(dump(GAME.view(state, "winkies"))).battle.plans == {"munchkins": None}  # type: ignore[union-attr]


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32))
def test_orders_that_stand_lead_to_the_same_as_what_holds_of_them_written_each_turn(seed: int) -> None:
    random = Random(seed)
    start = state_of(battle_of("ZOR 1C, SOU 1C ZOR, MCA 1L, MBA 1R", "EVO 4C, HER 4C, ZIL 4L, WBA 4R", turn=3))
    letters = {seat: Orders((*_once(letter(start, seat, random)), Lasting())) for seat in BOTH}
    dice = RandomChance(Random(seed))
    whole = rules.resolve(start, letters, dice)
    thrown = [event["value"] for event in whole.events if event["type"] == "roll"]
    state, chance = start, GivenChance(thrown)
    written = {seat: Orders(_once(orders)) for seat, orders in letters.items()}
    for _ in range(1 + sum(event["type"] == "turn" for event in whole.events)):
        state = rules.resolve(replace(state, battle=replace(_battle(state), plans={})), written, chance).state
        if state.battle is None or state.phase == "over":
            break
        written = {seat: rules.still_holds(state, seat, letters[seat]) for seat in BOTH}
        assert all(faults_of(state, seat, orders) == [] for seat, orders in written.items())
    chance.finish()
    assert _bare(state) == _bare(whole.state)


def _once(orders: Orders) -> tuple[Any, ...]:
    return tuple(item for item in orders.items if not isinstance(item, Lasting))


def _battle(state: State) -> Any:
    assert state.battle is not None
    return state.battle


def _bare(state: State) -> State:
    return replace(state, battle=state.battle and replace(state.battle, plans={}))


# Fighting fast


def march(munchkins: str, winkies: str) -> tuple[State, list[Any]]:
    """The first turn of a campaign on the board, with two stacks that meet at R1."""
    state = GAME.new({"nations": BOTH, "battles": "board"}, RandomChance(Random(1)))
    return resolved(state, f"Move MAY SOU MCA: M2-M4-R1; {munchkins}", f"Move ZEP HER ZIL: W2-W4-R1; {winkies}")


@pytest.mark.parametrize(
    ("munchkins", "winkies"), [("Fight fast", "Fight fast at R1"), ("Fight fast at R1", "Fight fast")]
)
def test_a_battle_is_fought_fast_where_both_sides_say_so(munchkins: str, winkies: str) -> None:
    state, events = march(munchkins, winkies)
    assert state.battle is None
    assert [event["for"] for event in events if event["type"] == "roll" and event["for"] == "fast"]


def test_who_would_fight_it_fast_is_told_when_it_begins_and_the_other_side_may_agree() -> None:
    state, events = march("Fight fast", "Retreat never")
    assert [event["fast"] for event in events if event["type"] == "battle"] == [["munchkins"]]
    fast, events = resolved(state, "Retreat never", "Fight fast")
    assert fast.battle is None
    assert fast.turn == 2
    assert [event for event in events if event["type"] == "roll" and event["for"] == "fast"]
    board, _ = resolved(state, "Fight fast", "Retreat never")
    assert turn_of(board) == 2
    assert faults_of(board, "munchkins", read("Fight fast"))


def test_elsewhere_it_is_fought_on_the_board() -> None:
    state, _ = march("Fight fast at W4", "Fight fast")
    assert turn_of(state) == 1


def test_it_may_be_a_standing_order() -> None:
    state = GAME.new({"nations": BOTH, "battles": "board"}, RandomChance(Random(1)))
    joined = GAME.joined(state, "munchkins", read("Move MAY: M2-M4"), "Standing Fight fast")
    assert str(joined) == "Move MAY: M2-M4; Fight fast"


def test_where_a_first_battle_letter_says_nothing_of_retreat_the_letter_of_the_campaign_turn_does() -> None:
    state, _ = march("Fight fast; Retreat always", "Retreat never")

    def retreats(letter: str | None) -> int:
        found = (resolved(state, letter, "Fight fast", seed)[1] for seed in range(6))
        return sum(event["type"] == "retreat" and event["seat"] == "munchkins" for events in found for event in events)

    assert retreats(None) > 0
    assert retreats("Retreat never") == 0


def test_who_has_given_up_leaves_no_orders_that_stand_and_nobody_else_is_asked_for_what_stands() -> None:
    state, _ = resolved(state_of(APART), "Orders stand", "Order HER: stand")
    three = replace(state, seats=(*state.seats, "quadlings"))
    assert rules.resigned(three, "munchkins").state.battle.plans == {}  # type: ignore[union-attr]
    left = rules.resigned(three, "winkies").state
    assert rules.awaiting(left) == ()
    after = rules.resolve(left, {}, RandomChance(Random(1)))
    assert not [event for event in after.events if event["type"] == "missed"]
