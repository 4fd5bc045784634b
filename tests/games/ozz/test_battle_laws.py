"""What holds in every battle, whatever legal letters say and whatever dice fall (§19)."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.games.base import Seat
from pbem.games.chance import GivenChance
from pbem.games.ozz.battle import play_turn
from pbem.games.ozz.data import BELL
from pbem.games.ozz.interpret import faults_of
from pbem.games.ozz.loading import load
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.state import Battle, BoardBell, State, dump
from pbem.games.ozz.table import Table
from support.ozz_battles import DATA, battle_of, state_of
from support.ozz_letters import letter, mirrored, scenario, swapped

SEEDS = st.integers(0, 2**32)
SWITCHES = ("initiative", "coordination", "guards", "lone_leaders", "cavalry", "limber", "walls", "bell_limit")
SPELLED = {"ROL": ("healing",), "WIT": ("transport",)}


class Fall:
    """Dice that a generator throws, and what they were."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.values: list[int] = []

    def die(self, sides: int) -> int:
        self.values.append(self.random.randint(1, sides))
        return self.values[-1]

    def pick(self, number: int) -> int:
        raise AssertionError(f"no battle asks for a pick, and here of {number}")


def start(random: Random) -> State:
    """A battle before its first turn: one of the skirmishes, or a battle of a campaign, with any switches."""
    switches = {name: random.random() < 0.8 for name in SWITCHES}
    name = random.choice(("hill", "forest", "sisters", "siege", "center", "field"))
    walls = {"siege": 1, "center": 2}.get(name, 0) if switches["walls"] else 0
    if name in ("center", "field"):
        attackers, defenders = "ZOR, MAY, WIT, GUA, SOU, MCA, MBA, BAL", "EVO, ZEP, HER, SLA, ZIL, WBA, SK1"
        defenders += ", IN1, IN2, IB1, IB2" if name == "center" else ""
        at, origin = ("W1", "W4") if name == "center" else ("R1", "M4")
        bell = BoardBell("winkies", None, "HER")
        battle = battle_of(attackers, defenders, at=at, origin=origin, bell=bell, turn=1, walls=walls)
    else:
        found = DATA.scenarios[name]
        carried = BoardBell("winkies", None, "SK1") if found["bell"] else None
        battle = battle_of(
            *scenario(DATA, name),
            sides=(found["attacker"], found["defender"]),
            turn=1,
            bell=carried,
            terrain=found["terrain"],
            walls=walls,
        )
    state = state_of(battle, dissipation=random.randint(0, 3), **switches)
    return replace(state, spells={code: SPELLED.get(code, spells) for code, spells in state.spells.items()})


def turn(state: State, letters: dict[Seat, Orders | None], chance: Any) -> tuple[State, Table, bool]:
    table = Table(state, chance)
    over = play_turn(table, letters)
    return table.state(), table, over


def turns(seed: int) -> Iterator[tuple[State, dict[Seat, Orders | None], Fall, State, Table, bool]]:
    """The turns of a battle with random letters: state, letters, dice, state after, table, whether it is over."""
    random = Random(seed)
    state, over = start(random), False
    while not over:
        battle = state.battle
        assert battle is not None
        letters = {seat: letter(state, seat, random) for seat in (battle.attacker, battle.defender)}
        missed = {seat: None if random.random() < 0.05 else orders for seat, orders in letters.items()}
        fall = Fall(random)
        after, table, over = turn(state, missed, fall)
        yield state, missed, fall, after, table, over
        state = after


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_every_battle_ends_after_eight_turns_at_most(seed: int) -> None:
    assert sum(1 for _ in turns(seed)) <= DATA.values["battle_turns"]


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_the_board_is_always_whole(seed: int) -> None:
    check_battle(seed)


def check_battle(seed: int) -> None:
    for *_, after, _, over in turns(seed):
        if after.battle is not None:
            check_board(after, after.battle)
        check_counters(after)
        assert over == (after.battle is None or after.result is not None)


def check_board(state: State, battle: Battle) -> None:
    cards, units = state.data.counters, battle.units
    for code, one in units.items():
        assert one.space in ("1L", "1C", "1R", "2L", "2C", "2R", "3L", "3C", "3R", "4L", "4C", "4R")
        assert not one.spent or cards[code].kind == "cavalry"
        if one.group:
            assert cards[one.group].kind in ("ruler", "hero")
            assert (units[one.group].space, units[one.group].seat) == (one.space, one.seat)
        if cards[code].intrinsic:
            assert (one.space, one.group, code in state.units) == ("4C", None, False)
    sizes = [one.group for one in units.values() if one.group]
    assert all(sizes.count(leader) <= state.data.values["group_max"] for leader in sizes)
    for marker in battle.spells:
        assert marker.by in units
        assert marker.on in units or marker.on is None or (marker.on == BELL and battle.bell)
    if battle.bell and battle.bell.carrier:
        carrier = units[battle.bell.carrier]
        assert (carrier.seat, carrier.space) == (battle.bell.seat, battle.bell.space)
        assert cards[battle.bell.carrier].kind != "flying"
    assert not (battle.bell and state.bell)


def check_counters(state: State) -> None:
    pooled = [code for codes in state.pools.values() for code in codes]
    left = [code for codes in (state.battle.left.values() if state.battle else ()) for code in codes]
    places = [*state.units, *pooled, *state.fallen]
    assert len(places) == len(set(places))
    on_board = [code for code in state.battle.units if not DATA.counters[code].intrinsic] if state.battle else []
    assert not {*left} & {*on_board}
    if state.battle:
        assert {*left, *on_board} == {*state.units}


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_the_same_dice_lead_to_the_same_state(seed: int) -> None:
    for state, letters, fall, after, table, _ in turns(seed):
        given_chance = GivenChance(fall.values)
        again, other, _ = turn(state, letters, given_chance)
        given_chance.finish()
        assert (again, other.events) == (after, table.events)


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_every_state_of_a_battle_dumps_loads_and_dumps_the_same(seed: int) -> None:
    for *_, after, _, over in turns(seed):
        if after.battle is not None or after.phase == "over":
            assert dump(load(dump(after))) == dump(after)
        assert over == (after.battle is None or after.result is not None)


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_the_order_in_which_a_state_lists_does_not_matter(seed: int) -> None:
    random = Random(seed)
    for state, letters, fall, after, _, _ in turns(seed):
        assert state.battle is not None
        units = [*state.battle.units.items()]
        random.shuffle(units)
        shuffled = replace(
            state, battle=replace(state.battle, units=dict(units)), units=dict(reversed(state.units.items()))
        )
        again, _, _ = turn(shuffled, dict(reversed(letters.items())), GivenChance(fall.values))
        assert again == after


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_every_die_tells_its_story(seed: int) -> None:
    for *_, fall, _, table, _ in turns(seed):
        rolls = [event for event in table.events if event["type"] == "roll"]
        assert [event["value"] for event in rolls] == fall.values
        for event in rolls:
            assert event["for"] == "dissipation" or "seat" in event
            assert ("hit" in event) == ("needs" in event)


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_the_letters_of_these_battles_are_legal_and_read_back_as_written(seed: int) -> None:
    for state, letters, *_ in turns(seed):
        for seat, orders in letters.items():
            if orders:
                assert faults_of(state, seat, orders) == []
                assert read_canonical(DATA, str(orders)) == orders


@settings(deadline=None, max_examples=25)
@given(SEEDS)
def test_exchanging_left_and_right_mirrors_a_turn(seed: int) -> None:
    """Except where the rules say L before R: who withdraws, and where leaders alone go (§5.25, §5.34)."""
    for state, letters, fall, after, table, _ in turns(seed):
        if any(event["type"] in ("evades", "falls back") for event in table.events):
            continue
        others = {seat: orders and mirrored(orders) for seat, orders in letters.items()}
        assert turn(swapped(state), others, GivenChance(fall.values))[0] == swapped(after)


@pytest.mark.long
@settings(deadline=None, max_examples=2000)
@given(SEEDS)
def test_many_battles(seed: int) -> None:
    check_battle(seed)
