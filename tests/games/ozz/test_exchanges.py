"""Combat on the board (§5.14, §5.20-5.28)."""

import pytest

from support.ozz_battles import THEIRS, battle_of, fight

FAR = "THI 4R"
WITH_FLYERS = ("munchkins", "gillikins")


# §5.14


def test_nothing_but_an_order_or_entering_starts_combat() -> None:
    assert fight(battle_of("SOU 2C, MBA 1C", "MAR 2C, WBA 3C"), None, None).rolls() == []


def test_the_first_space_of_the_list_that_can_be_attacked() -> None:
    battle = battle_of("SOU 2C", "MAR 3R, HER 4C, THI 3C")
    played = fight(battle, "Order SOU: stand, attack 3L 4C 3R", None, 9, 9)
    assert played.rolls() == [("SOU", "MAR"), ("MAR", "SOU")]


def test_it_attacks_once() -> None:
    battle = battle_of("SOU 2C", "HER 3L, THI 3C")
    assert fight(battle, "Order SOU: stand, attack 3C 3L", None, 9).rolls() == [("SOU", "THI")]


def test_no_fire_with_enemy_units_in_its_own_space() -> None:
    battle = battle_of("SOU 2C", "HER 2C, MAR 3C")
    assert fight(battle, "Order SOU: stand, attack 3C", None).rolls() == []
    assert fight(battle, "Order SOU: stand, attack 3C 2C", None, 9, 9).rolls() == [("SOU", "HER"), ("HER", "SOU")]


def test_a_leader_without_units_attacks_nobody() -> None:
    assert fight(battle_of("ZOR 2C, SOU 2C", "HER 3C"), "Order ZOR: stand, attack 3C", None).rolls() == []


# §5.20, §5.22


def test_all_enemy_units_of_the_space_take_part_and_none_elsewhere() -> None:  # J14
    battle = battle_of("SOU 2C", "MAR 3C, WBA 3C, GI1 4C")
    played = fight(battle, "Order SOU: stand, attack 3C", "Losses WBA", 9, 9, 9)
    assert played.rolls() == [("SOU", "WBA"), ("MAR", "SOU"), ("WBA", "SOU")]


def test_a_giant_answers_when_its_own_space_is_attacked_even_after_it_moved() -> None:  # J14
    battle = battle_of("SOU 2C", "GI1 4C, THI 4R")
    played = fight(battle, "Order SOU: stand, attack 3C", "Order GI1: advance", 9, 9, first=THEIRS)
    assert played.rolls() == [("SOU", "GI1"), ("GI1", "SOU")]


def test_dice_fall_in_roster_order_and_who_was_hit_rolls_all_the_same() -> None:
    battle = battle_of("ZOR 2C, SOU 2C ZOR, GUA 2C ZOR", "MAR 3C, THI 4R")
    played = fight(battle, "Order ZOR: stand, attack 3C", None, 1, 1)
    assert played.rolls() == [("GUA", "MAR"), ("MAR", "SOU")]
    assert played.gone == ["MAR", "SOU"]


def test_each_die_is_aimed_at_the_first_of_the_losses_order_that_is_not_hit_yet() -> None:  # §7.1
    battle = battle_of("ZOR 2C, GUA 2C ZOR, SOU 2C ZOR, HAR 2C ZOR", "WI1 3C, MAR 3C, WBA 3C")
    played = fight(battle, "Order ZOR: stand, attack 3C", None, 1, 9, 1, 9, 9)
    assert [target for _, target in played.rolls()] == ["MAR", "WBA", "WBA", "SOU", "SOU"]
    played = fight(battle, "Order ZOR: stand, attack 3C", "Losses WI1 WBA", 1, 1, 1, 9, 9)
    assert [target for _, target in played.rolls()][:3] == ["WI1", "WBA", "MAR"]


def test_what_the_attacker_hit_goes_first_then_what_was_hit_of_him_each_in_roster_order() -> None:
    battle = battle_of("ZOR 2C, GUA 2C ZOR, SOU 2C ZOR", "MAR 3C, WBA 3C, THI 4R", at="R1", origin="M4")
    played = fight(battle, "Order ZOR: stand, attack 3C", "Losses WBA", 1, 1, 1, 1)
    assert played.gone == ["MAR", "WBA", "GUA", "SOU"]
    assert played.state.pools == {"munchkins": ("GUA", "SOU"), "winkies": ("MAR", "WBA"), "mercenaries": ()}


def test_leaders_are_never_aimed_at() -> None:  # §1.4, J33
    battle = battle_of("ZOR 2C, SOU 2C ZOR, HAR 2C ZOR", "ZEP 3C, MAR 3C ZEP, THI 4R")
    played = fight(battle, "Order ZOR: stand, attack 3C", None, 1, 9)
    assert played.rolls() == [("SOU", "MAR"), ("MAR", "SOU")]


def test_where_an_intrinsic_unit_is_lost_its_side_is_told() -> None:
    played = fight(battle_of("SOU 3C, HAR 3C", "IN1 4C, IN2 4C"), "Order SOU: stand, attack 4C", None, 1, 9, 9)
    assert [(event["unit"], event["seat"]) for event in played.of("lost")] == [("IN1", "winkies")]


# §5.21


def test_home_terrain_walls_and_both() -> None:
    battle = battle_of("SOU 3C", "HER 4C", terrain="hills")
    assert fight(battle, "Order SOU: advance", None, 9, 9).needed() == [2, 5]
    assert fight(battle, "Order SOU: advance", None, 9, 9, home=False).needed() == [3, 5]
    battle = battle_of("SOU 3C", "IN1 4C", walls=2)
    assert fight(battle, "Order SOU: stand, attack 4C", None, 9, 9).needed() == [2, 3]
    assert fight(battle, "Order SOU: stand, attack 4C", None, 9, 9, walls=False).needed() == [4, 3]


def test_luck_is_for_who_rolls_and_counts_once_of_a_kind() -> None:
    spells = "poor luck ZOR MAR, poor luck WIT MAR, good luck GLE SOU"
    battle = battle_of("ZOR 1L, WIT 1L, SOU 2C, HAR 1L", "MAR 3C, THI 4R", spells=spells)
    assert fight(battle, "Order SOU: stand, attack 3C", None, 9, 9).needed() == [5, 2]


# §5.23, §5.24


def test_fire_needs_the_range_and_the_answer_too() -> None:
    battle = battle_of("ZOR 2C, MBA 2C ZOR, SOU 2C ZOR", "MAR 4C, WBA 4C")
    played = fight(battle, "Order ZOR: stand, attack 4C", None, 9, 9)
    assert played.rolls() == [("MBA", "MAR"), ("WBA", "SOU")]


def test_the_answer_is_aimed_at_units_of_the_force_only() -> None:
    battle = battle_of("SOU 2C, NA1 2C", "MAR 3C, THI 4R")
    assert fight(battle, "Order SOU: stand, attack 3C", None, 9, 1).gone == ["SOU"]


@pytest.mark.parametrize(("spell", "fires", "answers"), [("poppies", True, True), ("confusion", False, True)])
def test_confusion_takes_the_attack_and_leaves_the_defence(spell: str, fires: bool, answers: bool) -> None:
    spells = f"{spell} EVO SOU, {spell} ZOR MAR"
    battle = battle_of("ZOR 1L, HAR 1L, SOU 2C", "EVO 4R, HER 4R, MAR 3C", spells=spells)
    played = fight(battle, "Order SOU: stand, attack 3C", None, *[9, 9] * fires)
    assert played.rolls() == [("SOU", "MAR"), ("MAR", "SOU")] * fires
    played = fight(battle, "Order HAR: stand", "Order MAR: stand, attack 2C", *[9, 9] * fires)
    assert played.rolls() == [("MAR", "SOU"), ("SOU", "MAR")] * (fires and answers)
    battle = battle_of("ZOR 1L, HAR 2L", "EVO 4R, HER 4R, MAR 3C", spells=f"{spell} ZOR MAR")
    assert fight(battle, "Order HAR: stand, attack 3C", None, 9, 9).rolls() == [("HAR", "MAR"), ("MAR", "HAR")]


def test_artillery_that_moved_neither_fires_nor_answers() -> None:
    battle = battle_of("SOU 2C, MBA 1C", "WBA 4C, THI 4R")
    letters = ("Order MBA: advance, attack 3C; Order SOU: stand, attack 3C; Sequence MBA SOU", "Order WBA: advance 3C")
    assert fight(battle, *letters, 9, first=THEIRS).rolls() == [("SOU", "WBA")]
    assert fight(battle, *letters, 9, 9, 9, 9, first=THEIRS, limber=False).rolls() == [
        ("MBA", "WBA"), ("WBA", "MBA"), ("SOU", "WBA"), ("WBA", "SOU"),
    ]  # fmt: skip


def test_it_may_answer_before_it_moves() -> None:
    battle = battle_of("SOU 2C", "WBA 3C, THI 4R")
    played = fight(battle, "Order SOU: stand, attack 3C", "Order WBA: back", 9, 9)
    assert (played.rolls(), played.spaces["WBA"]) == ([("SOU", "WBA"), ("WBA", "SOU")], "4C")


def test_artillery_strikes_in_melee_though_it_moved() -> None:
    battle = battle_of("MBA 2C", "HER 3C, THI 4R")
    assert fight(battle, "Order MBA: advance", None, 9, 9).needed() == [1, 5]


@pytest.mark.parametrize(("way", "fires"), [("2C", True), ("2C 3C", False)])
def test_with_fleet_feet_artillery_goes_one_space_and_fires(way: str, fires: bool) -> None:
    battle = battle_of(
        "QBA 1C, CEN 1L, GLE 1L", "MAR 4C, THI 4R", sides=("quadlings", "winkies"), spells="fleet feet GLE QBA"
    )
    assert len(fight(battle, f"Order QBA: advance {way}, attack 4C", None, *[9] * fires).rolls()) == fires


# §5.25


def test_a_melee_is_of_the_whole_force_against_all_units_there() -> None:
    battle = battle_of("ZOR 2C, SOU 2C ZOR, MBA 2C ZOR, NA1 3C", "HER 3C, WBA 3C, THI 4R")
    played = fight(battle, "Order ZOR: advance", None, 9, 9, 9, 9)
    assert played.rolls() == [("SOU", "WBA"), ("MBA", "WBA"), ("HER", "SOU"), ("WBA", "SOU")]


def test_flyers_withdraw_only_from_those_on_the_ground() -> None:
    battle = battle_of("SOU 2C, BAL 2R", "AP1 3C, FI1 4R", sides=WITH_FLYERS)
    assert fight(battle, "Order SOU: advance", "Evade AP1").spaces["AP1"] == "4C"
    assert fight(battle, "Order BAL: advance 3C", "Evade AP1", 9, 9).spaces["AP1"] == "3C"


def test_cavalry_withdraws_without_the_switch_never() -> None:
    battle = battle_of("SOU 2C", "ZIL 3C, THI 4R")
    assert fight(battle, "Order SOU: advance", "Evade ZIL").spaces["ZIL"] == "4C"
    assert fight(battle, "Order SOU: advance", "Evade ZIL", 9, 9, cavalry=False).spaces["ZIL"] == "3C"


@pytest.mark.parametrize(
    ("blocking", "to"), [("", "3C"), ("HAR 3C", "3L"), ("HAR 3C, NA1 3L", "3R"), ("HAR 3C, NA1 3L, TIC 3R", "2C")]
)
def test_it_withdraws_straight_else_toward_l_else_toward_r_else_not(blocking: str, to: str) -> None:
    battle = battle_of(f"SOU 1C, {blocking}", "ZIL 2C, THI 4R")
    played = fight(battle, "Order SOU: advance", "Evade ZIL", *[9, 9] * (to == "2C"))
    assert played.spaces["ZIL"] == to


def test_nobody_withdraws_off_the_board_or_when_held() -> None:  # J17
    battle = battle_of("SOU 3C", "ZIL 4C, THI 4R")
    assert fight(battle, "Order SOU: advance", "Evade ZIL", 9, 9).spaces["ZIL"] == "4C"
    battle = battle_of("SOU 2C, ZOR 1C, HAR 1C", "ZIL 3C, THI 4R", spells="poppies ZOR ZIL")
    assert fight(battle, "Order SOU: advance", "Evade ZIL", 9, 9).spaces["ZIL"] == "3C"


def test_who_withdraws_leaves_his_group() -> None:
    battle = battle_of("SOU 2C", "ZEP 3C, ZIL 3C ZEP, HER 3C ZEP")
    assert fight(battle, "Order SOU: advance", "Evade ZIL", 9, 9).groups == {"HER": "ZEP"}


def test_a_defending_flyer_that_does_not_join_neither_rolls_nor_is_struck() -> None:
    battle = battle_of("HAR 2C", "AP1 3C, FI1 3C, FI2 4R", sides=WITH_FLYERS)
    letters = ("Order HAR: advance; Shoot none", "Losses AP1")
    assert fight(battle, *letters, 9, 9).rolls() == [("HAR", "FI1"), ("FI1", "HAR")]
    letters = ("Order HAR: advance; Shoot none", "Losses AP1; Join AP1")
    assert fight(battle, *letters, 9, 9, 9).rolls() == [("HAR", "AP1"), ("FI1", "HAR"), ("AP1", "HAR")]


def test_it_takes_part_when_a_flyer_attacks() -> None:
    battle = battle_of("ZOR 2C, BAL 2C ZOR, SOU 2C ZOR", "AP1 3C, FI2 4R", sides=WITH_FLYERS)
    played = fight(battle, "Order ZOR: advance; Shoot none", None, 9, 9, 9)
    assert played.rolls() == [("SOU", "AP1"), ("BAL", "AP1"), ("AP1", "BAL")]


def test_a_confused_flyer_that_attacks_does_not_roll_and_draws_none_in() -> None:
    spells = "confusion ARE BAL, fleet feet GLE BAL"
    battle = battle_of("BAL 2C, SOU 1L", "AP1 3C, ARE 4R, FI2 4R", sides=WITH_FLYERS, spells=spells)
    assert fight(battle, "Order BAL: advance", None).rolls() == []


# §5.26


def test_the_named_shoot_at_flyers_instead_with_one_more_on_the_die() -> None:
    battle = battle_of("HAR 2C", "AP1 3C, FI1 3C, FI2 4R", sides=WITH_FLYERS)
    played = fight(battle, "Order HAR: advance; Shoot HAR", None, 9, 9)
    assert (played.rolls(), played.needed()) == ([("HAR", "AP1"), ("FI1", "HAR")], [3, 4])


def test_without_a_line_those_shoot_whose_ranged_strength_is_above_melee() -> None:
    battle = battle_of("ZOR 2C, HAR 2C ZOR, NA1 2C ZOR", "AP1 3C, FI1 3C, FI2 4R", sides=WITH_FLYERS)
    assert fight(battle, "Order ZOR: advance", None, 9, 9, 9).rolls() == [
        ("HAR", "AP1"), ("NA1", "FI1"), ("FI1", "NA1"),
    ]  # fmt: skip


def test_defenders_shoot_at_flyers_that_attack() -> None:
    battle = battle_of("BAL 2C, SOU 1L", "MAR 3C, THI 4R")
    played = fight(battle, "Order BAL: advance", None, 9, 9)
    assert (played.rolls(), played.needed()) == ([("BAL", "MAR"), ("MAR", "BAL")], [2, 2])


def test_artillery_that_moved_does_not_shoot_at_flyers() -> None:
    battle = battle_of("MBA 2C, SOU 1L", "AP1 3C, FI1 4R", sides=WITH_FLYERS)
    assert fight(battle, "Order MBA: advance", None).rolls() == []
    assert fight(battle, "Order MBA: advance", None, 9, limber=False).needed() == [4]


@pytest.mark.parametrize(("unit", "needs"), [("SOU", 3), ("BAL", 3)])
def test_fire_from_another_space_at_a_flyer(unit: str, needs: int) -> None:  # J19
    battle = battle_of(f"{unit} 2C", "AP1 3C, FI1 4R", sides=WITH_FLYERS)
    assert fight(battle, f"Order {unit}: stand, attack 3C", None, 9).needed() == [needs]


# §5.27

GUARDED = "HER 2C, THI 2C, MAR 2C, ZIL 4R"


def test_the_guard_of_the_attacked_side_alone_rolls_and_is_the_first_target() -> None:
    battle = battle_of("ZOR 2L, SOU 2L ZOR, HAR 2L ZOR", GUARDED)
    played = fight(battle, "Order ZOR: advance 2C", "Guard 2C: left HER, right THI", 1, 9, 9)
    assert played.rolls() == [("SOU", "HER"), ("HAR", "MAR"), ("HER", "SOU")]
    battle = battle_of("ZOR 2R, SOU 2R ZOR, HAR 2R ZOR", GUARDED)
    played = fight(battle, "Order ZOR: advance 2C", "Guard 2C: left HER, right THI", 9, 9, 9)
    assert played.rolls() == [("SOU", "THI"), ("HAR", "THI"), ("THI", "SOU")]


def test_no_guard_for_that_side_is_as_any_attack() -> None:  # J15
    battle = battle_of("SOU 2R", GUARDED)
    assert len(fight(battle, "Order SOU: advance 2C", "Guard 2C: left HER", 9, 9, 9, 9).rolls()) == 4


def test_no_guard_against_another_row_or_without_the_switch() -> None:
    battle = battle_of("SOU 1L", GUARDED)
    assert len(fight(battle, "Order SOU: advance 2C", "Guard 2C: left HER", 9, 9, 9, 9).rolls()) == 4
    battle = battle_of("SOU 2L", GUARDED)
    assert len(fight(battle, "Order SOU: advance 2C", "Guard 2C: left HER", 9, 9, 9, 9, guards=False).rolls()) == 4


def test_a_guard_answers_fire_from_its_side_if_it_can() -> None:
    battle = battle_of("MBA 2L", "MAR 2R, WBA 2R, THI 4R")
    played = fight(battle, "Order MBA: stand, attack 2R", "Guard 2R: left WBA", 9, 9)
    assert played.rolls() == [("MBA", "WBA"), ("WBA", "MBA")]
    played = fight(battle, "Order MBA: stand, attack 2R", "Guard 2R: left MAR", 9)
    assert played.rolls() == [("MBA", "MAR")]


def test_a_guard_that_has_gone_elsewhere_guards_no_more() -> None:
    battle = battle_of("SOU 2L", "HER 2C, THI 2C, ZIL 4R")
    played = fight(battle, "Order SOU: advance 2C", "Guard 2C: left HER; Order HER: advance 1C", 9, 9, first=THEIRS)
    assert played.rolls() == [("SOU", "THI"), ("THI", "SOU")]


def test_a_flyer_on_guard_fights_and_is_struck() -> None:
    battle = battle_of("HAR 2L", "AP1 2C, FI1 2C, FI2 4R", sides=WITH_FLYERS)
    played = fight(battle, "Order HAR: advance 2C; Shoot none", "Guard 2C: left AP1", 9, 9)
    assert played.rolls() == [("HAR", "AP1"), ("AP1", "HAR")]


def test_the_last_step_of_a_way_is_where_an_attack_comes_from() -> None:
    battle = battle_of("MCA 1L", "HER 2C, THI 2C, ZIL 4R")
    played = fight(battle, "Order MCA: advance 2L 2C", "Guard 2C: left HER", 9, 9)
    assert played.rolls() == [("MCA", "HER"), ("HER", "MCA")]


# §5.28


def test_where_the_eliminated_go() -> None:
    battle = battle_of(
        "ZOR 2C, SOU 2C ZOR, HAR 2C ZOR, GUA 2C ZOR, TIC 2C ZOR", "WI1 3C, GI1 3C, WR1 3C, SK1 3C, THI 4R",
        at="R1", origin="M4",
    )  # fmt: skip
    played = fight(battle, "Order ZOR: advance", None, *[1] * 4, *[10] * 4)
    assert played.state.pools == {"munchkins": (), "winkies": ("WI1",), "mercenaries": ("GI1",)}
