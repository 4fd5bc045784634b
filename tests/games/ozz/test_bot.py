"""The computer players, the simple one and that in levels: legal, the same every time, blind for what their nation may
not see, and each better than the one below."""

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from pbem.games.capabilities import LEVELS, Thought
from pbem.games.chance import SecretChance
from pbem.games.ozz.bot import Style, choose
from pbem.games.ozz.orders import Group, Honors, Move, Order, Orders, Retreat
from pbem.games.ozz.rules import awaiting
from pbem.games.ozz.state import Options, Queue, State
from pbem.orders import reader
from pbem.orders.situation import Standpoint
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
    found, standing = reader.parse_all(Standpoint(GAME, state, seat), str(orders))
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


def test_the_skirmish_that_is_nearest_to_even_is_offered_first_and_a_campaign_is_the_default() -> None:
    scenario = next(option for option in GAME.options({}) if option.name == "scenario")
    assert scenario.choices == ("hill", "meeting", "forest", "sisters", "siege")
    assert scenario.default == "meeting"


def thoughts(state: State, seat: str, level: int, most: int | None = None) -> list[Thought]:
    """The first so many thoughts of a level, always the same."""
    return [*islice(GAME.think(GAME.view(state, seat), seat, level, SecretChance(state.round.encode())), most)]


def of_level(level: int) -> Player:
    return lambda random, state, seat: thoughts(state, seat, level)[-1].orders


@pytest.mark.parametrize(("seats", "options"), GAMES, ids=str)
def test_whatever_a_level_thinks_is_read_as_it_was_meant(seats: tuple[str, ...], options: dict[str, Any]) -> None:
    for one, level in zip(play(Random(6), dict.fromkeys(seats, at_random), **options), LEVELS, strict=False):
        for seat in awaiting(one.before)[:2]:
            for thought in thoughts(one.before, seat, level, 2):
                assert read(one.before, seat, thought.orders) == thought.orders
                assert 0 <= thought.win_share <= 1


@pytest.mark.parametrize(("seats", "options"), GAMES, ids=str)
def test_a_level_thinks_the_same_whatever_is_hidden(seats: tuple[str, ...], options: dict[str, Any]) -> None:
    random = Random(7)
    for one, level in zip(play(random, dict.fromkeys(seats, at_random), **options), (3, 5, 1), strict=False):
        seat = awaiting(one.before)[-1]
        found = thoughts(one.before, seat, level, 2)
        assert found == thoughts(other_secrets(random, one.before, seat), seat, level, 2)


def test_a_level_has_a_letter_at_once_and_betters_it() -> None:
    gained = 0.0
    for seed in range(9, 12):
        players = dict.fromkeys(("munchkins", "winkies"), thinking)
        state = play(Random(seed), players, battles="fast", turns=6)[1].before
        first, *_, last = thoughts(state, "munchkins", 3)
        assert first.orders == thinking(Random(), state, "munchkins")
        before, after = GAME.weigh(state, "munchkins", (first.orders, last.orders), 4, SecretChance(b"other dice"))
        gained += after - before
    assert gained > 0


def test_the_first_level_loses_to_the_simple_player_and_the_fourth_beats_it() -> None:
    seats = ("munchkins", "winkies")
    for seed, seat in enumerate(seats, start=2):
        others = dict.fromkeys(seats, thinking)
        assert winner({**others, seat: of_level(1)}, seed) != seat
        assert winner({**others, seat: of_level(4)}, seed) == seat


def test_in_battles_levels_win_with_those_whom_the_simple_player_leads_into_fire() -> None:
    simple, level = (
        [
            play(Random(seed), {"quadlings": player, "gillikins": thinking}, scenario="forest")[-1].after.result
            for seed in range(5)
        ]
        for player in (thinking, of_level(3))
    )
    assert sum(bool(one and one.winner == "quadlings") for one in level) >= 3
    assert sum(bool(one and one.winner == "quadlings") for one in simple) <= 1


def test_who_lies_in_wait_goes_to_enemies_that_are_near() -> None:
    far, near = (on_board(f"1C GUA {space} WI1", "munchkins", "winkies") for space in ("4C", "3C"))
    waiting = [item for item in choose(far, "munchkins", Style(2)).items if isinstance(item, Order)]
    assert not waiting
    assert Order("GUA", "advance", ("2C",), ("3C",)) in choose(near, "munchkins", Style(2)).items


def winner(players: dict[str, Player], seed: int) -> str | None:
    result = play(Random(seed), players, battles="fast", turns=6)[-1].after.result
    return result and result.winner


def test_what_equals_may_expect_adds_up_to_one() -> None:
    for seats, options in GAMES:
        for one in play(Random(8), dict.fromkeys(seats, thinking), **options):
            assert sum(GAME.win_share(one.after, seat) for seat in seats) == pytest.approx(1)


def test_who_is_stronger_or_has_more_points_may_expect_more() -> None:
    even = on_map("M1 SOU W1 WBA", control={"H1": None}, pools={})
    stronger = on_map("M1 SOU HAR W1 WBA", control={"H1": None}, pools={})
    behind = on_map("M1 SOU W1 WBA", control={"H1": "winkies"}, pools={})
    worth = [GAME.win_share(state, "munchkins") for state in (stronger, even, behind)]
    assert worth == sorted(worth, reverse=True)
    assert len(set(worth)) == 3


def test_an_attack_that_takes_a_castle_in_the_last_turn_weighs_more_than_to_stay_behind() -> None:
    towns = dict.fromkeys(("M4", "W4", "Q4", "G4", "H1", "H2", "H3", "H4"), "winkies")
    state = on_map("W2 SOU HAR GUA TIC MCA M1 ZOR W4 EVO", razed={"W2": "munchkins"}, pools={}, control=towns)
    state = replace(state, options=replace(state.options, battles="fast", turns=state.turn))
    attack = Orders((Move(("SOU", "HAR", "GUA", "TIC", "MCA"), ("W2", "W1")),))
    best, stay = GAME.weigh(state, "munchkins", (attack, Orders()), 3, SecretChance(b"weigh"))
    assert best > stay
