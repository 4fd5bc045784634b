"""The Bell on the board (§5.29-5.33)."""

from typing import Any

import pytest

from pbem.games.ozz.state import BoardBell, MapBell
from support.ozz_battles import THEIRS, Played, battle_of, fight

FAR = "THI 4R"


def bell(played: Played) -> BoardBell:
    assert played.battle.bell is not None
    return played.battle.bell


# §5.29


def test_it_goes_with_its_carrier_one_space_or_two_with_fleet_feet() -> None:
    battle = battle_of("SOU 1L", "ZIL 4C", bell="winkies 4C ZIL")
    assert bell(fight(battle, None, "Order ZIL: advance 3C 2C")).space == "3C"
    battle = battle_of("SOU 1L", "HER 4C, WIT 4C", bell="winkies 4C HER", spells="fleet feet WIT HER")
    assert bell(fight(battle, None, "Order HER: advance 3C 2C")).space == "2C"


@pytest.mark.parametrize(
    ("on", "fleet", "to"), [("BEL", "", "4C"), ("HER", "", "4C"), ("BEL", ", fleet feet WIT HER", "3C")]
)
def test_a_held_bell_or_carrier_stays(on: str, fleet: str, to: str) -> None:
    battle = battle_of("SOU 1L, GLE 1L", "HER 4C, WIT 4C", bell="winkies 4C HER", spells=f"poppies GLE {on}{fleet}")
    assert bell(fight(battle, None, "Order HER: advance 3C 2C")).space == to


def test_another_unit_takes_it_by_order() -> None:
    battle = battle_of("SOU 1L", "HER 4C, THI 4C", bell="winkies 4C HER")
    assert bell(fight(battle, None, "Carry THI")).carrier == "THI"


def test_without_a_carrier_the_first_own_unit_takes_it_else_an_enemy() -> None:
    battle = battle_of("SOU 3C", "HER 3C, AP1 3C, IN1 3C", bell="winkies 3C -")
    assert bell(fight(battle, None, None)).carrier == "HER"
    battle = battle_of("BAL 3C, SOU 3C", "EVO 3C, HER 4R", bell="winkies 3C -")
    assert bell(fight(battle, None, None, 9)) == BoardBell("munchkins", "3C", "SOU")
    battle = battle_of("BAL 3C, SOU 2C", "HER 4R", bell="winkies 3C -")
    assert bell(fight(battle, None, None)).carrier is None


def test_it_withdraws_with_its_carrier() -> None:
    battle = battle_of("SOU 2C", "ZIL 3C, THI 4R", bell="winkies 3C ZIL")
    assert bell(fight(battle, "Order SOU: advance", "Evade ZIL")).space == "4C"


# §5.30


def ring(**said: Any) -> Played:
    switches = said.pop("switches", {})
    battle = battle_of("SOU 1L, GLE 1L", said.pop("units", "HER 4C"), **{"bell": "winkies 4C HER", **said})
    return fight(battle, None, "Ring; Order HER: advance 3C 2C", **switches)


def test_it_raises_the_first_skeleton_that_is_not_in_play_and_stays() -> None:
    played = ring()
    assert (played.spaces["SK1"], played.battle.raised, bell(played).space) == ("4C", ("SK1",), "4C")
    assert (played.state.units["SK1"].done, played.state.units["SK1"].seat) == (True, "winkies")
    assert ring(units="HER 4C, SK1 4L").battle.raised == ("SK2",)


def test_no_third_one_of_those_that_it_has_raised() -> None:
    full = {"units": "HER 4C, SK1 4C, SK2 4L", "raised": ("SK1", "SK2")}
    played = ring(**full)
    assert (played.battle.raised, bell(played).space) == (("SK1", "SK2"), "3C")
    assert ring(**full, switches={"bell_limit": False}).battle.raised == ("SK1", "SK2", "SK3")


def test_one_that_is_raised_again_is_named_once() -> None:
    assert ring(raised=("SK1",)).battle.raised == ("SK1",)


def test_it_rings_under_poppies() -> None:
    assert ring(spells="poppies GLE BEL").battle.raised == ("SK1",)


@pytest.mark.parametrize(
    ("spells", "set_up", "to"),
    [
        ("", True, "4C"),
        ("", False, "3C"),
        ("fleet feet WIT HER", True, "3C"),
        ("fleet feet WIT HER", False, "2C"),
        ("fleet feet WIT HER, poppies GLE HER", True, "4C"),
        ("fleet feet WIT HER, poppies GLE BEL", True, "4C"),
        ("fleet feet WIT HER, poppies GLE BEL", False, "3C"),
    ],
)
def test_having_rung_it_moves_less(spells: str, set_up: bool, to: str) -> None:
    played = ring(units="HER 4C, WIT 4C", spells=spells, switches={"bell_set_up": set_up})
    assert bell(played).space == to


@pytest.mark.parametrize("said", ["winkies 4C HER silent", "munchkins 1L SOU"])
def test_it_does_not_ring_when_silent_or_another_s(said: str) -> None:
    assert ring(bell=said).battle.raised == ()


def test_it_does_not_ring_when_its_carrier_has_just_burnt() -> None:
    battle = battle_of("ARE 1L, FI1 1L", "HER 4C, THI 4C", sides=("gillikins", "winkies"), bell="winkies 4C HER")
    played = fight(battle, "Cast ARE: fireball on HER", "Ring", before=(1,))
    assert (played.battle.raised, bell(played).carrier) == ((), None)


# §5.31


def test_fire_reaches_it_when_all_its_units_there_are_hit() -> None:
    battle = battle_of("ZOR 2C, GUA 2C ZOR, SOU 2C ZOR, HAR 2C ZOR", "HER 3C, THI 4R", bell="winkies 3C HER")
    played = fight(battle, "Order ZOR: stand, attack 3C", None, 1, 9, 1)
    assert played.rolls() == [("GUA", "HER"), ("SOU", "BEL"), ("HAR", "BEL")]
    assert bell(played) == BoardBell("winkies", "3C", None, True)


def test_there_is_nothing_left_to_aim_at_when_it_is_hit_or_silent() -> None:
    battle = battle_of("ZOR 2C, GUA 2C ZOR, SOU 2C ZOR, HAR 2C ZOR", "HER 3C, THI 4R", bell="winkies 3C HER")
    assert len(fight(battle, "Order ZOR: stand, attack 3C", None, 1, 1).rolls()) == 2
    battle = battle_of("ZOR 2C, GUA 2C ZOR, SOU 2C ZOR", "HER 3C, THI 4R", bell="winkies 3C HER silent")
    assert len(fight(battle, "Order ZOR: stand, attack 3C", None, 1).rolls()) == 1


def test_the_answer_reaches_it_only_with_the_force_that_attacked() -> None:
    battle = battle_of("SOU 3C, HAR 3C", "MAR 2C, HER 2C, THI 4R", bell="winkies 2C HER")
    assert len(fight(battle, None, "Order MAR: stand, attack 3C", 9, 1).rolls()) == 2
    battle = battle_of("SOU 3C, HAR 3C", "MAR 2C, HER 2C, THI 4R", bell="winkies 2C MAR")
    assert fight(battle, None, "Order MAR: stand, attack 3C", 9, 1, 1).rolls()[-1] == ("HAR", "BEL")


def test_a_melee_that_leaves_no_unit_with_it_captures_it() -> None:
    battle = battle_of("ZOR 2C, BAL 2C ZOR, SOU 2C ZOR", "HER 3C, THI 4R", bell="winkies 3C HER")
    played = fight(battle, "Order ZOR: advance", None, 1, 9, 9)
    assert bell(played) == BoardBell("munchkins", "3C", "SOU")


def test_flyers_do_not_capture_it() -> None:
    battle = battle_of("BAL 2C, SOU 1L", "HER 3C, THI 4R", bell="winkies 3C HER")
    assert bell(fight(battle, "Order BAL: advance", None, 1, 9, 9)) == BoardBell("winkies", "3C", None)


def test_the_attackers_bell_is_captured_too() -> None:
    battle = battle_of("SOU 2C, HAR 1L", "HER 3C", bell="munchkins 2C SOU")
    assert bell(fight(battle, "Order SOU: advance", None, 9, 1)) == BoardBell("winkies", "3C", "HER")


# §5.32


def test_it_strikes_last_of_its_side() -> None:  # J29, J30
    battle = battle_of("SOU 2C", "HER 3C, SK1 3C, THI 4R", bell="winkies 3C HER")
    played = fight(battle, "Order SOU: advance", None, 9, 9, 9, 2)
    assert played.rolls()[1:] == [("HER", "SOU"), ("SK1", "SOU"), ("BEL", "SOU")]
    assert played.gone == ["SOU"]


def test_it_strikes_with_the_force_of_its_carrier_only() -> None:
    battle = battle_of("SOU 3C", "HER 4C, MAR 4C", bell="winkies 4C HER")
    assert fight(battle, None, "Order MAR: advance", 9, 9).rolls() == [("MAR", "SOU"), ("SOU", "MAR")]
    battle = battle_of("SOU 3C", "HER 4C, MAR 4C", bell="winkies 4C HER")
    assert fight(battle, None, "Order HER: advance", 9, 9, 9).rolls()[1] == ("BEL", "SOU")


@pytest.mark.parametrize("said", ["winkies 3C HER silent", "winkies 3C -"])
def test_it_does_not_strike_when_silent(said: str) -> None:
    played = fight(
        battle_of("SOU 2C", "HER 3C, THI 4R", bell=said), "Order SOU: advance", None, 9, *[9] * (1 + ("-" in said))
    )
    assert (("BEL", "SOU") in played.rolls()) == ("-" in said)  # who stands there takes it up first


def test_munchkins_and_quadlings_do_not_strike_with_it() -> None:
    battle = battle_of("SOU 3C", "HER 4C", bell="munchkins 3C SOU")
    assert fight(battle, "Order SOU: advance", None, 9, 9).rolls() == [("SOU", "HER"), ("HER", "SOU")]


def test_it_does_not_strike_where_a_guard_fights() -> None:
    battle = battle_of("SOU 2L", "HER 2C, THI 2C", bell="winkies 2C HER")
    played = fight(battle, "Order SOU: advance 2C", "Guard 2C: left THI", 9, 9)
    assert played.rolls() == [("SOU", "THI"), ("THI", "SOU")]


def test_it_strikes_for_a_confused_carrier_that_attacks() -> None:
    battle = battle_of("SOU 3C, ZOR 1L, NA1 1L", "HER 3C, THI 4R", bell="winkies 3C HER", spells="confusion ZOR HER")
    played = fight(battle, None, "Order HER: stand, attack 3C", 9, 9, first=THEIRS)
    assert played.rolls() == [("BEL", "SOU"), ("SOU", "HER")]


# §5.33 and §5.37: see test_leaving for the end of battles


def test_it_leaves_with_its_carrier() -> None:
    battle = battle_of("SOU 1C", "HER 4C, WI1 4C, IN1 4C", at="R1", origin="M4", bell="winkies 4C HER")
    played = fight(battle, None, "Order HER: back off")
    assert (played.battle.bell, played.state.bell) == (None, MapBell("winkies", "R1", "HER"))


def test_it_leaves_a_skirmish_for_nowhere() -> None:
    played = fight(battle_of("SOU 1C", "HER 4C, WI1 4L", bell="winkies 4C HER"), None, "Order HER: back off")
    assert (played.battle.bell, played.state.bell) == (None, MapBell("winkies", None, "HER"))


def test_held_it_stays_when_its_carrier_leaves() -> None:
    battle = battle_of(
        "SOU 1C, ZOR 1C", "HER 4C, WI1 4C, IN1 4C", at="R1", origin="M4", bell="winkies 4C HER",
        spells="poppies ZOR BEL",
    )  # fmt: skip
    played = fight(battle, None, "Retreat always")
    assert (bell(played), played.state.bell) == (BoardBell("winkies", "4C", None), None)
