"""Deployment, groups, initiative, who acts when, coordination and changes of order (§5.1-5.3, §5.9-5.12)."""

import pytest

from pbem.games.ozz.board import forces
from pbem.games.ozz.state import Battle
from support.ozz_battles import DATA, MINE, THEIRS, Played, battle_of, fight

FAR = "THI 4R"


def fresh(attackers: str, defenders: str, **said: object) -> Battle:
    return battle_of(attackers, defenders, turn=1, **said)


# §5.1


def test_who_is_not_named_stands_in_the_middle_of_the_first_row() -> None:
    played = fight(fresh("ZOR, SOU, HAR", "HER, THI"), "Deploy 1L: SOU ZOR", "Deploy 4R: THI")
    assert played.spaces == {"ZOR": "1L", "SOU": "1L", "HAR": "1C", "HER": "4C", "THI": "4R"}


def test_intrinsic_units_stand_in_the_middle_and_the_bell_with_its_carrier() -> None:
    played = fight(fresh("SOU", "HER, IN1, IB1", bell="winkies 4C HER"), "Pass", "Deploy 4L: HER")
    assert played.spaces == {"SOU": "1C", "HER": "4L", "IN1": "4C", "IB1": "4C"}
    assert played.battle.bell is not None
    assert played.battle.bell.space == "4L"


# §5.2


def test_a_force_is_a_leader_with_his_group_or_a_unit_or_a_leader_alone() -> None:
    battle = battle_of("ZOR 1C, MAY 1C, SOU 1C ZOR, HAR 1C ZOR, GUA 1C", FAR)
    assert forces(battle, DATA, "munchkins") == {"ZOR": ("ZOR", "SOU", "HAR"), "MAY": ("MAY",), "GUA": ("GUA",)}


def test_a_group_is_made_anew_and_takes_units_of_another() -> None:
    battle = battle_of("ZOR 1C, MAY 1C, SOU 1C ZOR, HAR 1C ZOR, GUA 1C MAY", FAR)
    assert fight(battle, "Group MAY: SOU", "Pass").groups == {"SOU": "MAY", "HAR": "ZOR"}
    assert fight(battle, "Group ZOR: none", "Pass").groups == {"GUA": "MAY"}


def test_groups_that_are_not_mentioned_stay() -> None:
    assert fight(battle_of("ZOR 1C, SOU 1C ZOR", FAR), None, None).groups == {"SOU": "ZOR"}


# §5.9


def test_the_higher_die_moves_first_with_heroes_added() -> None:  # J3
    battle = battle_of("ZOR 1C, MAY 1C, SOU 1C", "HER 4C")
    assert fight(battle, "Pass", "Pass", first=(4, 5)).of("first")[0]["seat"] == "munchkins"
    assert fight(battle, "Pass", "Pass", first=(3, 6)).of("first")[0]["seat"] == "winkies"


def test_a_witch_is_no_hero() -> None:
    assert fight(battle_of("WIT 1C, SOU 1C", "HER 4C"), "Pass", "Pass", first=(5, 5, 5, 6)).of("first")[0]["seat"] == (
        "winkies"
    )


def test_equal_results_are_rolled_again_by_both() -> None:
    played = fight(battle_of("SOU 1C", "HER 4C"), "Pass", "Pass", first=(4, 4, 7, 7, 2, 9))
    assert played.of("first")[0]["seat"] == "winkies"


def test_the_winner_may_choose_to_move_second() -> None:
    battle = battle_of("SOU 2C", "MAR 3C, THI 4R")
    letters = ("Order SOU: stand, attack 3C; Initiative second", "Order MAR: stand, attack 2C")
    assert fight(battle, *letters, 9, 9, 9, 9).rolls()[0] == ("MAR", "SOU")
    assert fight(battle, *letters, 9, 9, 9, 9, initiative=False).rolls()[0] == ("SOU", "MAR")


# §5.10


def acting(played: Played) -> list[tuple[str, ...]]:
    """The forces that executed an order, one after the other."""
    return [tuple(event["units"]) for event in played.of("acts")]


def test_the_sides_act_in_turns_and_who_has_no_more_waits() -> None:  # J2
    played = fight(battle_of("SOU 1L, HAR 1C, GUA 1R", "HER 4C"), None, None, first=THEIRS)
    assert acting(played) == [("HER",), ("GUA",), ("SOU",), ("HAR",)]


def test_a_side_acts_as_its_sequence_says_then_as_its_orders_stand_then_in_roster_order() -> None:
    battle = battle_of("ZOR 1C, GUA 1C, SOU 1L, HAR 1C ZOR, NA1 1R, NA2 1R", FAR)
    letter = "Order NA2: stand; Order SOU: stand; Order NA1: stand; Sequence NA1"
    own = [one for one in acting(fight(battle, letter, None)) if one != ("THI",)]
    assert own == [("NA1",), ("NA2",), ("SOU",), ("ZOR", "HAR"), ("GUA",)]


def test_a_unit_that_left_a_group_which_has_acted_does_not_act_again() -> None:
    battle = battle_of("MAY 2C, MCA 2C MAY, SOU 1L", "HER 3C, THI 4R")
    played = fight(battle, "Order MAY: stand; Sequence MAY; Evade MCA", "Order HER: advance", 9)
    assert played.spaces["MCA"] == "1C"
    assert ("MCA",) not in acting(played)


def test_a_unit_that_left_a_group_which_has_not_acted_acts_by_itself() -> None:
    battle = battle_of("MAY 2C, MCA 2C MAY, SOU 1L", "HER 3C, THI 4R")
    played = fight(battle, "Evade MCA", "Order HER: advance", 9, first=THEIRS)
    assert (("MCA",) in acting(played), played.groups) == (True, {})


# §5.11

RULER = "EVO 4C, WI1 4C EVO, HER 4C, THI 4C"


def test_a_ruler_goes_when_so_many_have_joined_and_the_others_act_by_themselves() -> None:
    letter = "Order EVO: advance, coordinate 1; Order HER: advance; Order THI: advance 3R"
    played = fight(battle_of("SOU 1L", RULER), None, letter, 9, first=THEIRS)
    assert acting(played) == [("SOU",), ("EVO", "WI1", "HER"), ("THI",)]
    assert played.spaces["THI"] == "3R"


def test_the_joined_force_goes_at_the_speed_of_the_slowest_and_by_the_rulers_way() -> None:
    battle = battle_of("SOU 1L", "EVO 4C, ZIL 4C EVO, HER 4C")
    letter = "Order EVO: advance 3R 2R, coordinate; Order HER: advance 3L"
    played = fight(battle, None, letter, 9, first=THEIRS)
    assert (played.spaces["ZIL"], played.spaces["HER"]) == ("3R", "3R")


def test_who_is_alone_in_his_order_may_change_it_and_is_waited_for() -> None:
    battle = battle_of("SOU 1L", "EVO 4C, WI1 4C EVO, HER 4C")
    letter = "Order EVO: advance, coordinate; Order HER: advance, alone, change stand"
    played = fight(battle, None, letter, 2, first=THEIRS)
    assert acting(played) == [("SOU",), ("HER",), ("EVO", "WI1")]
    assert (played.rolls("coordinate"), played.spaces["HER"]) == ([], "4C")


def test_a_ruler_waits_and_goes_with_all_who_join() -> None:
    letter = "Order EVO: advance, coordinate; Order HER: advance; Order THI: advance"
    played = fight(battle_of("SOU 1L", RULER), None, letter, 9, 1, first=THEIRS)
    assert [played.spaces[code] for code in ("EVO", "WI1", "HER", "THI")] == ["3C"] * 4
    assert acting(played) == [("SOU",), ("EVO", "WI1", "HER", "THI")]


def test_ten_acts_at_once_and_alone_and_without_a_change() -> None:
    letter = "Order EVO: advance, coordinate; Order HER: advance 3L, change stand"
    played = fight(battle_of("SOU 1L", "EVO 4C, WI1 4C EVO, HER 4C"), None, letter, 10, first=THEIRS)
    assert acting(played) == [("SOU",), ("HER",), ("EVO", "WI1")]
    assert played.spaces["HER"] == "3L"


def test_the_ruler_never_goes_right_after_an_enemy() -> None:
    """The last eligible force is shot away by the enemy: he goes in the next turn of his side, after one that acts."""
    battle = battle_of("GUA 3C, SOU 1L", "EVO 4C, WI1 4C EVO, MAR 4C, SLA 4L")
    letter = "Order EVO: stand, coordinate; Sequence EVO SLA MAR; Order SLA: stand 4C; Losses MAR"
    played = fight(battle, "Order GUA: stand, attack 4C; Sequence GUA", letter, 5, 9, first=THEIRS)
    assert played.gone == ["MAR"]
    assert acting(played) == [("GUA",), ("SLA",), ("EVO", "WI1"), ("SOU",)]


def test_a_ruler_with_nobody_else_left_goes_in_the_last_turn_of_his_side() -> None:
    battle = battle_of("GUA 3C, SOU 1L", "EVO 4C, WI1 4C EVO, MAR 4C")
    letter = "Order EVO: stand, coordinate; Sequence EVO MAR; Losses MAR"
    played = fight(battle, "Order GUA: stand, attack 4C; Sequence GUA", letter, 5, 9, first=THEIRS)
    assert acting(played) == [("GUA",), ("EVO", "WI1"), ("SOU",)]


def test_a_different_order_or_intrinsic_units_are_not_waited_for() -> None:
    battle = battle_of("SOU 1L", "EVO 4C, WI1 4C EVO, HER 4C, IN1 4C")
    played = fight(battle, None, "Order EVO: stand, coordinate; Order HER: back", first=THEIRS)
    assert played.of("coordinates") == []
    played = fight(battle, None, "Order EVO: advance, coordinate; Order HER: advance", first=THEIRS, coordination=False)
    assert played.of("coordinates") == []


def test_a_hero_does_not_coordinate() -> None:
    played = fight(battle_of("SOU 1L", "ZEP 4C, WI1 4C ZEP, HER 4C"), None, "Order ZEP: stand, coordinate")
    assert played.of("coordinates") == []


def test_who_joined_and_is_in_another_space_by_then_stays_there_and_has_acted() -> None:  # J12
    battle = battle_of("SOU 2C, HAR 1L", "EVO 3C, WI1 3C EVO, ZIL 3C, HER 3C")
    letter = "Order EVO: stand, coordinate; Sequence EVO ZIL HER; Evade ZIL; Losses WI1"
    played = fight(battle, "Order SOU: advance; Sequence HAR SOU", letter, 2, 9, 9, 9, 5, first=THEIRS)
    assert played.spaces["ZIL"] == "4C"
    assert acting(played) == [("HAR",), ("SOU",), ("EVO", "WI1", "HER")]


# §5.12


@pytest.mark.parametrize(
    ("dice", "space"),
    [
        ((3,), "1C"),
        ((4,), "2C"),
        ((7,), "2C"),
        ((8, 3), "3C"),
        ((8, 4), "2C"),
        ((8, 6), "2C"),
        ((10, 10, 10, 9), "1C"),
    ],
)
def test_a_change_of_order(dice: tuple[int, ...], space: str) -> None:
    played = fight(battle_of("HAR 2C", FAR), "Order HAR: stand, change back", None, *dice)
    assert played.spaces["HAR"] == space


@pytest.mark.parametrize(("die", "space"), [(4, "1C"), (5, "2C"), (8, "2C")])
def test_one_less_for_a_rulers_group(die: int, space: str) -> None:
    battle = battle_of("ZOR 2C, HAR 2C ZOR", FAR)
    assert fight(battle, "Order ZOR: stand, change back", None, die).spaces["HAR"] == space


def test_the_bonus_is_not_for_a_ruler_who_leads_nobody() -> None:
    battle = battle_of("ZOR 2C, HAR 2C", FAR)
    assert fight(battle, "Order ZOR: stand, change back", None, 4).spaces["ZOR"] == "2C"


@pytest.mark.parametrize(("condition", "asked"), [("if enemy in 3C", True), ("if no enemy in 3C", False)])
def test_the_attempt_is_made_only_if_its_condition_holds(condition: str, asked: bool) -> None:
    played = fight(battle_of("HAR 2C", "HER 3C"), f"Order HAR: stand, change back {condition}", None, *[3] * asked)
    assert played.spaces["HAR"] == ("1C" if asked else "2C")


def test_a_new_order_has_its_own_way_and_one_by_chaos_that_of_the_line() -> None:  # J11
    battle = battle_of("HAR 2C", FAR)
    assert fight(battle, "Order HAR: advance 3L, change back 1R", None, 1).spaces["HAR"] == "1R"
    assert fight(battle, "Order HAR: advance 3L, change back 1R", None, 9, 1).spaces["HAR"] == "3L"


def test_attack_stays_with_a_changed_order() -> None:
    battle = battle_of("HAR 2C", "HER 3C, THI 4R")
    played = fight(battle, "Order HAR: advance, attack 3C, change stand", None, 2, 9)
    assert (played.spaces["HAR"], played.rolls()) == ("2C", [("HAR", "HER")])


def test_a_missed_letter_stands() -> None:
    assert fight(battle_of("SOU 2C", "HER 3C"), None, None).spaces == {"SOU": "2C", "HER": "3C"}


def test_who_moves_first_is_told() -> None:
    assert fight(battle_of("SOU 2C", "HER 3C"), None, None, first=MINE).of("first")[0]["seat"] == "munchkins"
