"""What holds in every campaign (§19), whatever the letters: played at random, battles on the board by default."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.games.capabilities import ROUND, means_round
from pbem.games.chance import GivenChance, SecretChance
from pbem.games.ozz import rules, setting
from pbem.games.ozz.loading import load, restored, stored
from pbem.games.ozz.orders import Honors, Item, Losses, Move, Orders, Recruit, Retreat
from pbem.games.ozz.position import placed, position
from pbem.games.ozz.state import Counter as Standing
from pbem.games.ozz.state import State, dump
from pbem.games.ozz.table import strength
from pbem.games.ozz.views import view
from pbem.orders.reader import read
from pbem.orders.situation import Standpoint
from support.ozz_campaigns import GAME, RandomChance, at_random
from support.ozz_events import SHAPES
from support.ozz_letters import mirrored, swapped


class Noted(SecretChance):
    """Chance that keeps what it has answered."""

    def __init__(self, secret: bytes) -> None:
        super().__init__(secret)
        self.values: list[int] = []

    def die(self, sides: int) -> int:
        self.values.append(super().die(sides))
        return self.values[-1]


def letter(state: State, seat: str, random: Random) -> Orders | None:
    """Some moves along links, and answers to what may come; None is a letter that was missed."""
    if state.battle or random.random() < 0.1:
        return None
    items: list[Item] = []
    for point in sorted({one.at for one in state.units.values() if one.seat == seat and one.at}):
        way, here = [point], [code for code, one in state.units.items() if (one.seat, one.at) == (seat, point)]
        for _ in range(random.randint(0, 3)):
            way.append(random.choice([*state.data.links[way[-1]]]))
        if len(way) > 1:
            items.append(Move(tuple(here), tuple(way), tuple(here[:1]) if len(way) > 2 else ()))
    heroes = [code for code, one in state.units.items() if one.seat == seat and state.data.counters[code].leader]
    items += [Recruit(code, random.choice(("pool", "special", "none"))) for code in heroes]
    items += [Retreat(random.choice((0, 2, None))), Losses(tuple(random.sample([*state.units], 3)))]
    return Orders(tuple(items))


def check(state: State) -> None:
    """The laws of a state."""
    places = Counter((*state.units, *state.fallen, *(code for codes in state.pools.values() for code in codes)))
    assert max(places.values(), default=1) == 1
    battle_at = state.battle.at if state.battle else None
    for one in state.units.values():
        if one.at != battle_at:
            assert {other.seat for other in state.units.values() if other.at == one.at} == {one.seat}
            assert not strength(state, one.at or "") or state.data.points[one.at or ""].nation == one.seat
    assert (not rules.awaiting(state)) == (state.result is not None)
    assert dump(load(dump(state))) == dump(state)
    assert restored(stored(state)) == state
    if state.phase != "battle":
        assert dump(placed(position(state), state)) == dump(state)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_every_campaign_ends_and_keeps_the_laws(seed: int) -> None:
    random = Random(seed)
    options = {
        "nations": tuple(random.sample(("munchkins", "winkies", "quadlings", "gillikins"), random.randint(2, 4)))
    }
    options |= {"battles": random.choice(("fast", "great")), "turns": 5}  # type: ignore[dict-item]
    state = setting.set_up(options, SecretChance(seed.to_bytes(32)))
    for number in range(100):
        check(state)
        if state.result:
            break
        letters = {seat: letter(state, seat, random) for seat in rules.awaiting(state)}
        chance = Noted((seed + number + 1).to_bytes(32))
        ruling = rules.resolve(state, letters, chance)
        again = rules.resolve(state, dict(reversed(letters.items())), GivenChance(chance.values))
        assert again == ruling
        for event in ruling.events:
            shape = SHAPES[event["type"]]
            assert set(shape["required"]) <= set(event) <= set(shape["properties"])
        state = ruling.state
    assert state.result


@given(st.integers(0, 10**9))
@settings(max_examples=10, deadline=None)
def test_a_view_is_the_same_whatever_is_hidden(seed: int) -> None:
    state = setting.set_up({}, SecretChance(bytes(32)))
    pools = {owner: tuple(Random(seed).sample(codes, len(codes))) for owner, codes in state.pools.items()}
    other = load({**dump(state), "pools": {owner: [*codes] for owner, codes in pools.items()}})
    assert view(other, "winkies") == view(state, "winkies")


def rounds_on_the_board(seed: int) -> Iterator[tuple[State, Mapping[str, Orders], Noted, Any]]:
    """The rounds of a campaign of players who write anything legal, every battle on the board."""
    random = Random(seed)
    nations = tuple(random.sample(("munchkins", "winkies", "quadlings", "gillikins"), random.randint(2, 4)))
    without = tuple(random.sample(setting.SWITCHES, random.randint(0, 4)))
    options = {"nations": nations, "battles": "board", "turns": 3, "without": without, "dissipation": seed % 4}
    state = setting.set_up(options, RandomChance(random))
    while asked := rules.awaiting(state):
        letters = {seat: at_random(random, state, seat) for seat in asked}
        chance = Noted(random.randbytes(32))
        ruling = rules.resolve(state, letters, chance)
        yield state, letters, chance, ruling
        state = ruling.state


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_every_campaign_with_battles_on_the_board_keeps_the_laws(seed: int) -> None:
    for *_, ruling in rounds_on_the_board(seed):
        check(ruling.state)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
@example(7)  # four battles for a point in one turn
@example(35)  # two for each of three points
def test_no_two_rounds_of_a_campaign_bear_one_name(seed: int) -> None:
    names = [state.round for state, *_ in rounds_on_the_board(seed)]
    assert len({*names}) == len(names)
    assert all(re.fullmatch(ROUND, name, re.IGNORECASE) for name in names)
    assert all(not means_round(name, another) for name in names for another in names if another != name)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**9))
def test_left_and_right_of_a_battle_make_no_difference_to_the_campaign(seed: int) -> None:
    """Except where the rules say L before R: who withdraws, and where leaders alone go (§5.25, §5.34)."""
    for state, letters, chance, ruling in rounds_on_the_board(seed):
        if not state.battle or any(event["type"] in ("evades", "falls back") for event in ruling.events):
            continue
        others = {seat: mirrored(orders) for seat, orders in letters.items()}
        assert rules.resolve(swapped(state), others, GivenChance(chance.values)).state == swapped(ruling.state)


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**9))
def test_letters_mean_the_same_in_any_case_and_spacing(seed: int) -> None:
    random = Random(seed)
    for state, letters, *_ in rounds_on_the_board(seed):
        seat, orders = random.choice([*letters.items()])
        written = random.choice((str.lower, str.upper, str.title))(str(orders))
        text = written.replace("; ", random.choice((";", " ;\n", "\n"))).replace(" ", random.choice((" ", "  ")))
        found = read(Standpoint(GAME, state, seat), text)
        assert (found.mistakes, found.orders) == ((), orders)


def test_who_has_no_regulars_left_hands_over_a_center_from_which_nobody_goes() -> None:  # §3.8
    state = GAME.new({"nations": ("munchkins", "winkies")}, RandomChance(Random(1)))
    places = {"SOU": "W4", "MAY": "W4", "HER": "W1", "ZIL": "W1", "ZEP": "W1"}
    regulars = {code: Standing("winkies", "W1") for code in ("WR1", "WR2", "WR3", "WR4")}
    moved = {code: replace(one, at=places.get(code, one.at)) for code, one in state.units.items()}
    offer, accept = Honors("offer", "W2"), Honors("accept", "W2")
    letters = {"munchkins": Orders((Move(("MAY", "SOU"), ("W4", "W2")), offer)), "winkies": Orders((accept,))}
    ruling = rules.resolve(replace(state, units={**moved, **regulars}), letters, RandomChance(Random(1)))
    told = [event["type"] for event in ruling.events]
    assert told.index("honors") < told.index("razed")
    assert "retreat" not in told
    assert ruling.state.units["SOU"].at == "W2"
