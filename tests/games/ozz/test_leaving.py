"""The end of a battle turn and of a battle (§5.33-5.37, §6, §9.4)."""

from dataclasses import replace

import pytest

from pbem.games.chance import GivenChance
from pbem.games.ozz.battle import begin
from pbem.games.ozz.state import BoardBell, GameEnd, MapBell
from pbem.games.ozz.table import Table
from support.ozz_battles import THEIRS, battle_of, fight, play, state_of

FIELD = {"at": "R1", "origin": "M4"}
FAR = "THI 4R"

# §5.34


@pytest.mark.parametrize(
    ("units", "to"),
    [
        ("SOU 1L", "1L"),
        ("SOU 1L, HAR 1R, NA1 1C", "1C"),
        ("SOU 1L, HAR 1R", "1L"),
        ("SOU 3C, HAR 1L", "1L"),
        ("SOU 2R, HAR 4C", "2R"),
        ("IN1 2C", "2C"),
    ],
)
def test_a_leader_alone_goes_to_the_nearest_own_units(units: str, to: str) -> None:  # J16
    assert fight(battle_of(f"MAY 2C, {units}", FAR), None, None).spaces["MAY"] == to


def test_of_equally_near_spaces_the_defenders_is_nearer_to_row_four() -> None:
    assert fight(battle_of("SOU 1L", "ZEP 3C, HER 2C, THI 4R"), None, None).spaces["ZEP"] == "4R"


def test_among_enemies_a_die_first() -> None:
    battle = battle_of("MAY 3C, SOU 1L", "HER 3C")
    assert fight(battle, None, None, 3).gone == ["MAY"]
    assert fight(battle, None, None, 4).spaces["MAY"] == "1L"


def test_attackers_first_then_defenders_in_roster_order() -> None:
    battle = battle_of("MAY 3C, ZOR 3C, SOU 1L", "HER 3C, EVO 1L")
    assert fight(battle, None, None, 9, 9, 9).rolls("leader") == [("", "ZOR"), ("", "MAY"), ("", "EVO")]


def test_without_own_units_two_rows_back_and_out_beyond_the_first() -> None:
    battle = battle_of("MAY 3L, ZOR 2C, SOU 1R", "HER 2R, THI 2R, WI1 4R")
    played = fight(battle, "Order SOU: advance 2R; Order MAY: stand; Order ZOR: stand", None, 9, 1)
    assert played.gone == ["SOU"]
    assert played.battle.left["munchkins"] == ("ZOR", "MAY")  # ZOR beyond the first row, MAY when the battle is over


def test_switched_off_he_is_killed() -> None:
    assert fight(battle_of("MAY 2C, SOU 1L", FAR), None, None, lone_leaders=False).gone == ["MAY"]


def test_beyond_the_first_row_without_a_point_to_go_to_he_is_killed() -> None:
    battle = battle_of("MAY 1L, SOU 2C", "HER 3C, THI 4R", at="R1", origin=None)
    played = fight(battle, "Order SOU: advance", None, 9, 1)
    assert (played.over, played.gone) == (True, ["SOU", "MAY"])


# §5.35, §6.2


def test_a_retreat_takes_all_who_can_move_and_the_leaders() -> None:
    battle = battle_of("ZOR 1C, SOU 1C ZOR, HAR 2C", "HER 4C, EVO 4C", spells="confusion EVO HAR")
    played = fight(battle, "Retreat always", None)
    assert (played.battle.left["munchkins"], played.over) == (("ZOR", "SOU"), False)
    assert played.spaces == {"HAR": "2C", "HER": "4C", "EVO": "4C"}


def test_held_units_stay_though_fleet_feet_would_let_them_go_and_their_group_is_no_more() -> None:
    battle = battle_of(
        "GLE 1C, NOR 1C GLE, CEN 1L", "HER 4C, EVO 4C", sides=("quadlings", "winkies"),
        spells="fleet feet GLE NOR, poppies EVO NOR",
    )  # fmt: skip
    played = fight(battle, "Retreat always", None)
    assert (played.battle.left["quadlings"], played.groups) == (("GLE", "CEN"), {})
    assert [marker.spell for marker in played.battle.spells] == ["poppies"]


def test_intrinsic_units_stay() -> None:
    played = fight(
        battle_of("SOU 1C", "IN1 4C, HER 4C", **{**FIELD, "at": "W2", "origin": "W4"}), None, "Retreat always"
    )
    assert (played.battle.left["winkies"], played.over) == (("HER",), False)


@pytest.mark.parametrize(("line", "goes"), [("never", False), ("below 2", False), ("below 3", True), ("always", True)])
def test_below_counts_own_units_that_are_not_intrinsic(line: str, goes: bool) -> None:
    battle = battle_of("SOU 1C", "IN1 4C, HER 4C, THI 4L, ZEP 4C")
    assert bool(fight(battle, None, f"Retreat {line}").battle.left["winkies"]) == goes


def test_both_go_at_once() -> None:  # J35
    played = fight(battle_of("SOU 1C", "HER 4C", **FIELD), "Retreat always", "Retreat always")
    assert (played.over, played.state.battle) == (True, None)
    assert {code: one.at for code, one in played.state.units.items()} == {"SOU": "M4", "HER": "W4"}


def test_a_unit_held_by_a_side_that_leaves_at_once_with_it_stays() -> None:  # §5.35, L117-121
    """As both reveal it together, spells of the one still hold the other's units: which side is first tells nothing."""
    battle = battle_of("EVO 1C, WI1 1C", "SOU 4C, HAR 4L", sides=("winkies", "munchkins"), spells="poppies EVO SOU")
    played = fight(battle, "Retreat always", "Retreat always")
    assert (played.over, played.spaces) == (True, {"SOU": "4C"})


def test_who_has_won_retreats_all_the_same_if_the_letter_says_so() -> None:
    """The decision comes before it is seen whether the battle is over (§5.35, §5.36)."""
    battle = battle_of("SOU 2C", "HER 3C, ZEP 4C", **FIELD)
    played = fight(battle, "Order SOU: advance; Retreat below 2", None, 1, 9)
    assert {code: one.at for code, one in played.state.units.items()} == {"SOU": "M4", "ZEP": "W4"}


def test_no_retreat_without_a_point() -> None:  # §6.5
    battle = battle_of("SOU 1C", "HER 4C", at="R1", origin=None)
    assert fight(battle, "Retreat always", None).spaces["SOU"] == "1C"


def test_all_of_a_side_go_where_the_first_went() -> None:
    battle = battle_of(
        "SOU 1C", "HER 4C, THI 4L", **FIELD, exit={"winkies": "G4"}, left={"munchkins": (), "winkies": ()}
    )
    assert fight(battle, None, "Order HER: back off; Retreat to Q4").battle.exit == {"winkies": "G4"}


# §5.36


def test_a_side_without_units_has_lost_and_its_leaders_leave() -> None:
    played = fight(battle_of("SOU 2C", "HER 3C, ZEP 4C", **FIELD), "Order SOU: advance", None, 1, 9)
    assert played.over
    assert {code: one.at for code, one in played.state.units.items()} == {"SOU": "R1", "ZEP": "W4"}
    assert (played.state.units["SOU"].done, played.state.units["ZEP"].done) == (True, True)


def test_without_the_switch_who_retreated_is_as_he_was() -> None:  # §6.6
    played = fight(battle_of("SOU 1C", "HER 4C", **FIELD), None, "Retreat always", rest=False)
    assert played.state.units["HER"].done is False


def test_after_the_last_turn_the_attacker_goes_and_who_cannot_is_eliminated() -> None:
    battle = battle_of(
        "ZOR 1C, SOU 1C, HAR 1L", "HER 4C, EVO 4C", **FIELD, turn=8, spells="poppies EVO SOU, healing ZOR SOU"
    )
    played = fight(battle, None, None)
    assert (played.over, played.gone) == (True, ["SOU"])
    assert {code: one.at for code, one in played.state.units.items()} == {
        "ZOR": "M4", "HAR": "M4", "HER": "R1", "EVO": "R1",
    }  # fmt: skip


def test_without_a_point_all_of_his_are_eliminated_in_roster_order() -> None:
    battle = battle_of("MAY 1C, SOU 1C, HAR 1L", "HER 4C", at="R1", origin=None, turn=8)
    assert fight(battle, None, None).gone == ["MAY", "SOU", "HAR"]


# §5.37


def test_a_center_whose_defenders_are_gone_is_razed() -> None:
    battle = battle_of("SOU 3C", "IN1 4C", at="W2", origin="W4", walls=1)
    played = fight(battle, "Order SOU: stand, attack 4C", None, 1, 9)
    assert (played.over, played.state.razed) == (True, {"W2": "munchkins"})


def test_a_center_with_own_units_or_walls_left_stands() -> None:
    battle = battle_of("SOU 3C", "IN1 4C, HER 4C", at="W2", origin="W4", walls=1)
    assert fight(battle, "Retreat always", None).state.razed == {}
    battle = battle_of("SOU 3C", "IN1 4C", at="W2", origin="W4", walls=1)
    assert fight(battle, "Retreat always", None).state.razed == {}


def test_who_left_arrives_with_one_attrition_die_a_side_attackers_first() -> None:
    battle = battle_of("SOU 1C, HAR 1C, NA1 1C", "HER 4C, THI 4C, WI1 4C, OOG 4C", **FIELD)
    played = fight(battle, "Retreat always; Losses HAR", "Retreat always", 10, 8)
    assert played.rolls("attrition") == [("", "M4"), ("", "W4")]
    assert (played.gone, played.state.pools["munchkins"]) == (["HAR"], ("HAR",))


def test_who_left_in_an_earlier_turn_arrives_with_the_rest() -> None:
    battle = battle_of(
        "SOU 1C, HAR 1C", "HER 4C", **FIELD, exit={"munchkins": "M4"}, left={"munchkins": ("NA1",), "winkies": ()}
    )
    state = state_of(battle)
    units = {**state.units, "NA1": state.units["SOU"]}
    chance = GivenChance((10, 1, 9))
    played = play(replace(state, units=units), {"munchkins": "Retreat always", "winkies": None}, chance)
    chance.finish()
    assert [event["units"] for event in played.of("retreat")] == [["NA1", "SOU", "HAR"]]


def test_a_bell_left_behind_is_taken_by_who_holds_the_point() -> None:
    battle = battle_of("SOU 2C, GUA 1C", "HER 3C, THI 4R", **FIELD, bell="winkies 3C HER silent")
    played = fight(battle, "Order SOU: advance; Order GUA: stand", "Retreat always", 1, 9)
    assert played.state.bell == MapBell("munchkins", "R1", "SOU")


# §5.33


def test_raised_skeletons_go_or_the_other_mercenaries() -> None:
    battle = battle_of("SOU 1C", "GI1 4C, SK1 4C, SK2 4C, MS1 4C", **FIELD, raised=("SK2",))
    played = fight(battle, "Retreat always", None)
    assert sorted(played.state.units) == ["GI1", "MS1", "SK1", "SOU"]
    played = fight(battle, "Retreat always", "Keep skeletons")
    assert sorted(played.state.units) == ["MS1", "SK1", "SK2", "SOU"]
    assert played.state.pools["mercenaries"] == ("GI1",)


def test_a_witch_and_mercenary_skeletons_are_no_other_mercenaries() -> None:  # J31
    battle = battle_of("SOU 1C", "WIT 4C, MS1 4C, SK1 4C", **FIELD, raised=("SK1",))
    assert sorted(fight(battle, "Retreat always", None).state.units) == ["MS1", "SK1", "SOU", "WIT"]


def test_two_skeletons_stay() -> None:
    battle = battle_of("SOU 1C", "HER 4C, SK1 4C, SK2 4C, SK4 4C", **FIELD)
    assert sorted(fight(battle, "Retreat always", None).state.units) == ["HER", "SK1", "SK2", "SOU"]


# §9.4


def test_a_skirmish_is_won_by_value_on_the_board() -> None:
    played = fight(battle_of("SOU 1C, MAY 1C", "HER 4C", turn=8), None, None)
    assert (played.state.result, played.state.phase) == (GameEnd("winkies", "strength"), "over")
    assert played.state.battle is not None
    assert played.spaces == {"SOU": "1C", "MAY": "1C", "HER": "4C"}


def test_equal_value_is_a_draw() -> None:
    assert fight(battle_of("SOU 1C", "SLA 4C", turn=8), None, None).state.result == GameEnd(None, "strength")


def test_a_side_that_has_left_has_nothing_on_the_board() -> None:
    played = fight(battle_of("SOU 1C, ZOR 1C", "HER 4C"), "Retreat always", None)
    assert played.state.result == GameEnd("winkies", "field")
    both = fight(battle_of("SOU 1C", "HER 4C"), "Retreat always", "Retreat always")
    assert both.state.result == GameEnd(None, "field")


def test_a_skirmish_counts_its_turns() -> None:
    played = fight(battle_of("SOU 1C", "HER 4C"), None, None)
    assert (played.state.turn, played.battle.turn, played.over) == (3, 3, False)


def test_a_ruler_killed_in_a_skirmish_falls() -> None:
    battle = battle_of("SOU 1L", "EVO 1L, HER 4R")
    assert fight(battle, None, None, 1, first=THEIRS).state.fallen == {"EVO": 2}


# §5.1: begin


def test_everybody_in_the_point_takes_part_with_its_walls_and_its_bell() -> None:
    state = state_of(battle_of("SOU 1C, ZOR 1C", "HER 4C", at="W2", origin="W4"))
    state = replace(state, battle=None, phase="orders", bell=MapBell("winkies", "W2", "HER"))
    table = Table(state, GivenChance(()))
    table.garrison["W2"] = 1
    begin(table, "W2", "W4", ("munchkins", "winkies"))
    battle = table.state().battle
    assert battle is not None
    assert sorted(battle.units) == ["HER", "IB1", "IN1", "SOU", "ZOR"]
    assert (battle.walls, battle.fort, battle.terrain, battle.turn) == (1, True, "hills", 1)
    assert (battle.bell, table.state().bell) == (BoardBell("winkies", None, "HER"), None)


def test_a_bell_that_nobody_carries_stays_out() -> None:
    state = state_of(battle_of("AP1 1C", "BAL 4C", at="R1", origin="G4", sides=("gillikins", "munchkins")))
    table = Table(replace(state, battle=None, bell=MapBell("munchkins", "R1", None)), GivenChance(()))
    begin(table, "R1", "G4", ("gillikins", "munchkins"))
    assert table.battle is not None
    assert (table.battle.bell, table.bell) == (None, MapBell("munchkins", "R1", None))
