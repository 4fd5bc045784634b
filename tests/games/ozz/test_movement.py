"""How forces move on the board (§5.13, §5.15-5.19, §5.6)."""

import pytest

from support.each import each
from support.ozz_battles import THEIRS, Played, battle_of, fight

FAR = "THI 4R"


def space(played: Played, code: str) -> str | None:
    return played.spaces[code]


# §5.15


@each(
    ("order", "to"),
    [
        ("advance", "3C"),
        ("advance 3L", "3L"),
        ("advance 3R", "3R"),
        ("advance 2L", "3C"),
        ("back", "1C"),
        ("back 1R", "1R"),
        ("back off", "1C"),
        ("stand", "2C"),
        ("stand 2L", "2L"),
    ],
)
def test_a_unit_on_an_empty_board(order: str, to: str) -> None:
    assert space(fight(battle_of("SOU 2C", FAR), f"Order SOU: {order}", None), "SOU") == to


def test_an_advance_goes_aside_only_against_enemy_units() -> None:
    battle = battle_of("SOU 2C, HAR 2R", "HER 2L, ZEP 2R, THI 4R")
    assert space(fight(battle, "Order SOU: advance 2L", None, 9, 9, 9), "SOU") == "2L"
    assert space(fight(battle, "Order SOU: advance 2R", None, 9), "SOU") == "3C"


def test_the_defender_goes_the_other_way() -> None:
    battle = battle_of("SOU 1L", "HER 3C")
    assert space(fight(battle, None, "Order HER: advance"), "HER") == "2C"
    assert space(fight(battle, None, "Order HER: back 4R"), "HER") == "4R"


def test_an_advance_in_the_last_row_stays() -> None:  # J9
    assert space(fight(battle_of("SOU 4C", "HER 2C"), "Order SOU: advance", None), "SOU") == "4C"


def test_back_in_the_first_row_stays_without_off() -> None:  # J10
    played = fight(battle_of("SOU 1C", FAR), "Order SOU: back", None)
    assert (space(played, "SOU"), played.battle.left["munchkins"]) == ("1C", ())


def test_back_goes_into_a_space_of_enemy_units_and_fights_there() -> None:
    played = fight(battle_of("SOU 3C", "HER 2C, THI 4R"), "Order SOU: back", None, 9, 9)
    assert (space(played, "SOU"), played.rolls()) == ("2C", [("SOU", "HER"), ("HER", "SOU")])


@pytest.mark.parametrize(("others", "to"), [("", "3C"), ("HAR 3L", "3L")])
def test_a_stand_goes_to_enemy_units_only_with_own_ones_there(others: str, to: str) -> None:
    battle = battle_of(f"SOU 3C, {others}", "HER 3L, THI 4R")
    assert space(fight(battle, "Order SOU: stand 3L", None, *([9, 9] if others else [])), "SOU") == to


def test_a_stand_goes_one_space_even_if_it_is_fast() -> None:
    assert space(fight(battle_of("MCA 2L", FAR), "Order MCA: stand 2C", None), "MCA") == "2C"


# §5.16


def test_a_force_goes_at_the_speed_of_its_slowest_unit() -> None:
    battle = battle_of("MAY 1C, MCA 1C MAY, SOU 1C MAY", FAR)
    assert space(fight(battle, "Order MAY: advance 2C 3C", None), "MCA") == "2C"
    battle = battle_of("MAY 1C, MCA 1C MAY, SOU 1L", FAR)
    assert space(fight(battle, "Order MAY: advance 2C 3C", None), "MAY") == "3C"


def test_a_leader_without_units_goes_two_spaces_but_not_among_enemies() -> None:
    battle = battle_of("MAY 1C, SOU 2C", "HER 3C")
    assert fight(battle, "Order MAY: advance 2L 3L", None).of("goes")[0]["to"] == "3L"
    assert fight(battle, "Order MAY: advance 2C 3C", None).of("goes")[0]["to"] == "2C"
    battle = battle_of("MAY 2C, SOU 1C, HAR 2L", "HER 3C, THI 2L")
    assert fight(battle, "Order MAY: advance 3C", None).of("goes") == []
    assert fight(battle, "Order MAY: stand 2L", None).of("goes") == []


def test_enemy_leaders_and_the_bell_occupy_no_space() -> None:
    battle = battle_of("SOU 2C, MAY 1L, HAR 1L", "ZEP 3C, THI 4R, HER 4L")
    played = fight(battle, "Order SOU: advance", None, 5)
    assert (space(played, "SOU"), played.rolls()) == ("3C", [])


def test_intrinsic_units_do_not_move() -> None:
    battle = battle_of("SOU 1L", "IN1 4C, GLE 4C", sides=("munchkins", "quadlings"), spells="fleet feet GLE IN1")
    assert space(fight(battle, None, "Order IN1: advance"), "IN1") == "4C"


def test_entering_a_space_of_enemy_units_ends_the_movement() -> None:
    battle = battle_of("MCA 1C", "HER 2C, THI 4R")
    assert space(fight(battle, "Order MCA: advance 2C 3C", None, 9, 9), "MCA") == "2C"


# §5.17


def test_a_first_step_that_is_not_allowed_becomes_one_straight_ahead() -> None:
    battle = battle_of("MCA 1C", FAR)
    assert space(fight(battle, "Order MCA: advance 1L 2L", None), "MCA") == "2C"
    assert space(fight(battle, "Order MCA: advance", None), "MCA") == "2C"


def test_a_later_step_that_is_not_allowed_is_left_out() -> None:
    battle = battle_of("MCA 1C", FAR)
    assert space(fight(battle, "Order MCA: advance 2C 2L", None), "MCA") == "2C"


def test_a_charge_may_turn_aside_against_enemy_units() -> None:
    battle = battle_of("MCA 1C, SOU 1L", "HER 2L, THI 4R")
    assert space(fight(battle, "Order MCA: advance 2C 2L, charge", None, 5, 9), "MCA") == "2L"


# §5.15 off


def test_off_leaves_the_battle_with_the_group() -> None:
    battle = battle_of("ZOR 1C, SOU 1C ZOR, HAR 1L", FAR)
    played = fight(battle, "Order ZOR: back off", None)
    assert played.battle.left["munchkins"] == ("ZOR", "SOU")
    assert played.battle.exit == {"munchkins": "off"}
    assert played.spaces == {"HAR": "1L", "THI": "4R"}


def test_off_may_be_the_second_step() -> None:
    played = fight(battle_of("MCA 2C, SOU 1L", FAR), "Order MCA: back 1C off", None)
    assert played.battle.left["munchkins"] == ("MCA",)


def test_nobody_goes_off_without_a_point_to_go_to() -> None:
    battle = battle_of("SOU 1C, HAR 1L", FAR, at="R1", origin=None)
    assert space(fight(battle, "Order SOU: back off", None), "SOU") == "1C"


def test_nobody_goes_off_with_a_held_unit_though_fleet_feet_give_a_space() -> None:  # J20
    battle = battle_of(
        "GLE 1L, NOR 1C, CEN 1L", "HER 4C, EVO 4C", sides=("quadlings", "winkies"),
        spells="fleet feet GLE NOR, poppies EVO NOR",
    )  # fmt: skip
    assert space(fight(battle, "Order NOR: back off", None), "NOR") == "1C"


# §5.5, §5.6, §5.18


@pytest.mark.parametrize("spell", ["poppies", "confusion"])
def test_a_held_unit_does_not_move_and_holds_its_group(spell: str) -> None:  # J13
    battle = battle_of("MAY 1C, SOU 1C MAY, HAR 1C MAY", "EVO 4C, HER 4C", spells=f"{spell} EVO SOU")
    assert space(fight(battle, "Order MAY: advance", None), "HAR") == "1C"


def test_with_fleet_feet_a_held_unit_goes_one_space() -> None:
    battle = battle_of(
        "GLE 1L, QCA 1C, CEN 1L", "HER 4C, EVO 4C", sides=("quadlings", "winkies"),
        spells="fleet feet GLE QCA, poppies EVO QCA",
    )  # fmt: skip
    assert space(fight(battle, "Order QCA: advance 2C 3C", None), "QCA") == "2C"


def test_fleet_feet_make_a_slow_unit_fast() -> None:
    battle = battle_of("GLE 1L, NOR 1C, CEN 1L", "HER 4C", sides=("quadlings", "winkies"), spells="fleet feet GLE NOR")
    assert space(fight(battle, "Order NOR: advance 2C 3C", None), "NOR") == "3C"


def test_a_leader_leaves_his_only_unit_that_cannot_move() -> None:
    battle = battle_of("MAY 1L, SOU 1L MAY, HAR 3C", "EVO 4R, HER 4R", spells="poppies EVO SOU")
    played = fight(battle, "Order MAY: advance 2C 3C, leave", None)
    assert (space(played, "MAY"), space(played, "SOU"), played.groups) == ("3C", "1L", {})
    assert [event["units"] for event in played.of("acts") if "SOU" in event["units"]] == []


def test_he_does_not_leave_two_units_or_one_that_can_move() -> None:
    battle = battle_of("MAY 1L, SOU 1L MAY, HAR 1L MAY", "EVO 4R, HER 4R", spells="poppies EVO SOU")
    assert space(fight(battle, "Order MAY: advance, leave", None), "MAY") == "1L"
    battle = battle_of("MAY 1L, SOU 1L MAY", "HER 4R")
    assert fight(battle, "Order MAY: advance, leave", None).groups == {"SOU": "MAY"}


# §5.13, §5.19


def test_a_charge_adds_one_and_leaves_the_cavalry_spent() -> None:
    battle = battle_of("MCA 1C, SOU 1L", "HER 3C, THI 4R")
    played = fight(battle, "Order MCA: advance 2C 3C, charge", None, 5, 9)
    assert (played.gone, played.needed(), played.battle.units["MCA"].spent) == (["HER"], [5, 5], True)


@pytest.mark.parametrize("order", ["advance 2C 3C", "advance 2C, charge"])
def test_no_charge_without_the_word_or_in_one_space(order: str) -> None:
    battle = battle_of("MCA 1C, SOU 1L", f"HER {'3C' if '3C' in order else '2C'}, THI 4R")
    played = fight(battle, f"Order MCA: {order}", None, 5, 9)
    assert (played.needed()[0], played.battle.units["MCA"].spent) == (4, False)


def test_a_group_charges_if_all_of_it_is_cavalry() -> None:
    battle = battle_of("MAY 1C, MCA 1C MAY, SOU 1L", "HER 3C, THI 4R")
    assert fight(battle, "Order MAY: advance 2C 3C, charge", None, 5, 9).gone == ["HER"]
    assert fight(battle, "Order MAY: advance 2C 3C, charge", None, 5, 9, cavalry=False).gone == []


def test_spent_cavalry_is_fresh_after_its_next_movement_and_may_attack_then() -> None:  # J18
    battle = battle_of("MCA 3C spent, SOU 1L", "HER 3C, THI 4R")
    played = fight(battle, "Order MCA: stand, attack 3C", None, 4, 9)
    assert (played.rolls()[0], played.battle.units["MCA"].spent) == (("MCA", "HER"), False)


def test_spent_cavalry_does_not_strike_back_before() -> None:
    battle = battle_of("MCA 3C spent, SOU 1L", "HER 3C, THI 4R")
    played = fight(battle, None, "Order HER: stand, attack 3C", 9, first=THEIRS)
    assert played.rolls() == [("HER", "MCA")]
