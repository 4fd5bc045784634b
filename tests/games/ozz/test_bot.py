"""The computer player: legal, the same every time, blind for what its nation may not see, and better than chance."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from pbem.games.ozz.orders import Group, Honors, Move, Order, Orders, Retreat
from pbem.games.ozz.rules import awaiting
from pbem.games.ozz.state import Options, Queue, State
from pbem.orders import reader
from support.ozz_campaigns import GAME, Player, at_random, play, thinking
from support.ozz_reading import on_board, on_map

NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")
SKIRMISHES = {
    "hill": ("munchkins", "winkies"),
    "forest": ("quadlings", "gillikins"),
    "sisters": ("gillikins", "winkies"),
    "siege": ("munchkins", "winkies"),
}
CAMPAIGNS = [{"battles": battles} for battles in ("fast", "great", "board")]
GAMES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    *((("munchkins", "winkies"), {**options, "turns": 6}) for options in CAMPAIGNS),
    *((seats, {"scenario": name}) for name, seats in SKIRMISHES.items()),
    (NATIONS, {"nations": NATIONS, "turns": 6}),
    (("quadlings", "gillikins"), {"nations": ("quadlings", "gillikins"), "turns": 6, "without": ("guards", "flight")}),
]


def won(seats: tuple[str, ...], number: int, **options: Any) -> int:
    """How many of so many games the computer wins from somebody who writes any legal letter."""
    found = 0
    for seed in range(number):
        seat = seats[seed % 2]
        players: dict[str, Player] = {**dict.fromkeys(seats, at_random), seat: thinking}
        result = play(Random(seed), players, **options)[-1].after.result
        found += result is not None and result.winner == seat
    return found


@pytest.mark.parametrize("options", CAMPAIGNS, ids=str)
def test_it_beats_a_random_player_in_nine_campaigns_of_ten(options: dict[str, Any]) -> None:
    assert won(("munchkins", "winkies"), 10, **options) >= 9


@pytest.mark.parametrize(("name", "seats"), SKIRMISHES.items())
def test_it_beats_a_random_player_in_nine_skirmishes_of_ten(name: str, seats: tuple[str, ...]) -> None:
    assert won(seats, 20, scenario=name) >= 18


@pytest.mark.parametrize(("seats", "options"), GAMES, ids=str)
def test_whatever_it_writes_is_read_as_it_was_meant(seats: tuple[str, ...], options: dict[str, Any]) -> None:
    for one in play(Random(3), dict.fromkeys(seats, thinking), **options):
        for seat, orders in one.letters.items():
            assert read(one.before, seat, orders) == orders


def read(state: State, seat: str, orders: Orders) -> Orders:
    """What the desk reads of a letter."""
    found, standing = reader.parse_all(GAME, state, seat, str(orders))
    assert not standing
    return found


@pytest.mark.parametrize(("seats", "options"), GAMES, ids=str)
def test_what_chance_writes_is_legal_too(seats: tuple[str, ...], options: dict[str, Any]) -> None:
    for one in play(Random(4), dict.fromkeys(seats, at_random), **options)[:12]:
        for seat, orders in one.letters.items():
            assert read(one.before, seat, orders) == orders


@pytest.mark.parametrize(("seats", "options"), GAMES, ids=str)
def test_it_sees_nothing_that_is_hidden_and_plays_the_same_for_the_same_view(
    seats: tuple[str, ...], options: dict[str, Any]
) -> None:
    random = Random(5)
    for one in play(random, dict.fromkeys(seats, thinking), **options):
        for seat in awaiting(one.before):
            assert thinking(random, other_secrets(random, one.before, seat), seat) == one.letters[seat]
            assert thinking(random, GAME.load(GAME.dump(one.before)), seat) == one.letters[seat]


def other_secrets(random: Random, state: State, seat: str) -> State:
    """The same for a seat, but pools lie otherwise, and others have written something else."""
    pools = {owner: tuple(random.sample(codes, len(codes))) for owner, codes in state.pools.items()}
    queue = state.queue
    if queue:
        letters = {one: letter if one == seat else Orders() for one, letter in queue.letters.items()}
        queue = Queue(queue.seats, letters, tuple(move for move in queue.todo if move[0] == seat))
    return replace(state, pools=pools, queue=queue)


def test_it_attacks_whom_it_is_stronger_than_and_nobody_else() -> None:
    weak = on_map("M4 GUA SOU HAR R1 WI1", pools={})
    assert Move(("GUA", "SOU", "HAR"), ("M4", "R1")) in thinking(Random(), weak, "munchkins").items
    strong = on_map("M4 GUA R1 WI1 WI5", pools={})
    moves = [item for item in thinking(Random(), strong, "munchkins").items if isinstance(item, Move)]
    assert all(item.way[-1] != "R1" for item in moves)


def test_it_takes_a_town_that_nobody_holds() -> None:
    state = on_map("M2 SOU W1 WI1", control={"H1": None}, pools={})
    assert thinking(Random(), state, "munchkins").items == (Move(("SOU",), ("M2", "H1")),)


def test_a_hero_stays_where_there_is_somebody_to_recruit() -> None:
    state = on_map("M2 MAY SOU W1 WI1", control={"H1": None}, pools={"munchkins": ("NA1",)})
    assert thinking(Random(), state, "munchkins").items == (Move(("SOU",), ("M2", "H1")),)


def test_a_hero_leads_the_strongest_attack_and_another_goes_on_recruiting() -> None:
    state = on_map("M2 MAY SOU HAR GUA M3 JIN NA1 M4 WI1", pools={"munchkins": ("NA2",)})
    items = thinking(Random(), state, "munchkins").items
    assert items[0] == Move(("MAY", "GUA", "SOU", "HAR"), ("M2", "M4"))
    assert Retreat(2, "M4") in items
    assert not any("JIN" in item.units for item in items if isinstance(item, Move))


def test_it_offers_honours_of_war_where_it_attacks_and_accepts_them_where_it_has_no_chance() -> None:
    state = on_map("M3 SOU HAR GUA NA1 M1 JIN W2 WI1 M4 WI5 HER OOG ZIL MAR", pools={})
    assert Honors("accept", "M2") in thinking(Random(), state, "munchkins").items
    state = on_map("W4 SOU HAR GUA NA1 NA2 M1 JIN W2 WI1", pools={})
    assert Honors("offer", "W2") in thinking(Random(), state, "munchkins").items
    calm = replace(state, options=without(state, "honors"))
    assert not any(isinstance(item, Honors) for item in thinking(Random(), calm, "munchkins").items)


def without(state: State, switch: str) -> Options:
    return replace(state.options, switches=replace(state.options.switches, **{switch: False}))


def test_its_cavalry_charges_where_charges_are_played_with() -> None:
    state = on_board("1C MCA 3C MAR", "munchkins", "winkies")
    assert Order("MCA", "advance", ("2C", "3C"), ("3C",), charge=True) in thinking(Random(), state, "munchkins").items
    calm = replace(state, options=without(state, "cavalry"))
    assert not any(item.charge for item in thinking(Random(), calm, "munchkins").items if isinstance(item, Order))


def test_far_too_weak_on_the_board_it_retreats() -> None:
    state = on_board("1C GUA 3C WI1 WI5 HER 3L OOG THI", "munchkins", "winkies", at="H1", origin="M2")
    assert Retreat(None) in thinking(Random(), state, "munchkins").items
    assert Retreat(None) not in thinking(Random(), state, "winkies").items


def test_units_stay_in_a_castle_that_is_in_danger() -> None:
    state = on_map("M1 SOU M4 WI1 WI5 HER OOG", control={"H1": None}, pools={})
    assert not [item for item in thinking(Random(), state, "munchkins").items if isinstance(item, Move)]


def test_leaders_have_groups_when_a_battle_begins() -> None:
    state = play(Random(1), dict.fromkeys(("munchkins", "winkies"), thinking), scenario="hill")[0].before
    groups = [item for item in thinking(Random(), state, "winkies").items if isinstance(item, Group)]
    assert [group.leader for group in groups] == ["EVO", "ZEP"]


def test_nothing_is_written_for_a_battle_of_others() -> None:
    state = play(Random(1), dict.fromkeys(("munchkins", "winkies"), thinking), scenario="hill")[0].before
    assert thinking(Random(), state, "quadlings") == Orders()


def test_skirmishes_that_are_even_against_it_are_offered_first_and_a_campaign_is_the_default() -> None:
    scenario = next(option for option in GAME.options({}) if option.name == "scenario")
    assert scenario.choices == ("forest", "sisters", "meeting", "hill", "siege")
    assert scenario.default == "meeting"
