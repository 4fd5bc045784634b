"""Spells on the board (§5.4-5.7)."""

import pytest

from pbem.games.ozz.state import Marker
from support.ozz_battles import battle_of, fight

QUADLINGS = ("quadlings", "winkies")
EVORA = "EVO 4R, HER 4R"


# §5.4

ALL = "poppies EVO SOU, fireball EVO -, healing ZOR SOU, good luck ZOR SOU"


@pytest.mark.parametrize(
    ("option", "dice", "kept"),
    [
        (0, (), ["poppies", "fireball", "healing", "good luck"]),
        (1, (3, 4), ["fireball", "healing", "good luck"]),
        (2, (4, 3, 3, 4), ["poppies", "good luck"]),
        (3, (4, 3, 4, 1), ["poppies", "healing"]),
    ],
)
def test_a_die_for_each_marker_the_oldest_first(option: int, dice: tuple[int, ...], kept: list[str]) -> None:
    battle = battle_of("ZOR 1L, SOU 1L", EVORA, spells=ALL)
    played = fight(battle, None, None, before=dice, dissipation=option)
    assert [marker.spell for marker in played.battle.spells] == kept


@pytest.mark.parametrize(("option", "left"), [(2, ()), (3, (("EVO", "fireball"),))])
def test_what_dissipates_may_be_cast_again_under_suboption_two_only(option: int, left: tuple[object, ...]) -> None:
    battle = battle_of("SOU 1L", EVORA, spells="fireball EVO -", cast=(("EVO", "fireball"),))
    assert fight(battle, None, None, before=(1,), dissipation=option).battle.cast == left


def test_a_marker_of_what_has_worked_is_rolled_for_too() -> None:  # J32
    battle = battle_of("ZOR 1L, SOU 1L", EVORA, spells="healing ZOR -", cast=(("ZOR", "healing"),))
    assert fight(battle, None, None, before=(3,), dissipation=3).battle.spells == ()


# §5.5


def test_a_spell_cast_anew_leaves_its_old_unit_and_no_other() -> None:
    battle = battle_of("GLE 1L, NOR 1L, CEN 1L", EVORA, sides=QUADLINGS, spells="good luck GLE NOR, confusion GLE HER")
    assert fight(battle, "Cast GLE: good luck on CEN", None).battle.spells == (
        Marker("confusion", "GLE", "HER"),
        Marker("good luck", "GLE", "CEN"),
    )


def test_a_spell_cast_again_on_the_same_unit_is_the_newest() -> None:
    battle = battle_of("ZOR 1L, SOU 1L", EVORA, spells="good luck ZOR SOU, poppies EVO SOU")
    played = fight(battle, "Cast ZOR: good luck on SOU", None)
    assert [marker.spell for marker in played.battle.spells] == ["poppies", "good luck"]


def test_casts_of_the_attacker_then_of_the_defender() -> None:
    battle = battle_of("ZOR 1L, SOU 1L", EVORA)
    played = fight(battle, "Cast ZOR: poor luck on HER", "Cast EVO: poppies on SOU")
    assert played.battle.spells == (Marker("poor luck", "ZOR", "HER"), Marker("poppies", "EVO", "SOU"))


def test_spells_end_with_their_unit_and_with_their_caster() -> None:
    battle = battle_of("ZOR 1L, SOU 1L, HAR 1R", EVORA, spells="good luck ZOR SOU, poor luck ZOR HER")
    played = fight(battle, None, "Cast EVO: fireball on SOU", before=(1,))
    assert [marker.spell for marker in played.battle.spells] == ["poor luck", "fireball"]
    played = fight(battle, "Order ZOR: back off", None)
    assert played.battle.spells == ()


def test_a_killed_casters_spells_end() -> None:
    battle = battle_of("ZOR 3C, SOU 1L", "HER 3C", spells="good luck ZOR SOU")
    played = fight(battle, None, None, 3)
    assert (played.battle.spells, played.state.fallen) == ((), {"ZOR": 2})


@pytest.mark.parametrize(("die", "gone"), [(5, ["SOU"]), (6, [])])
def test_fireball_is_a_die_of_strength_five_at_once(die: int, gone: list[str]) -> None:
    played = fight(battle_of("SOU 1L, HAR 1L", EVORA), None, "Cast EVO: fireball on SOU", before=(die,))
    assert played.gone == gone
    assert (played.battle.spells, played.battle.cast) == ((Marker("fireball", "EVO", None),), (("EVO", "fireball"),))


def test_home_terrain_and_walls_count_against_fireball_luck_and_height_do_not() -> None:
    def needs(defenders: str, on: str, **said: object) -> int:
        battle = battle_of("ARE 1L, FI1 1L", defenders, sides=("gillikins", "munchkins"), **said)
        played = fight(battle, f"Cast ARE: fireball on {on}", None, before=(10,))
        return int(next(event for event in played.events if event.get("for") == "fireball")["needs"])

    assert needs("SOU 4C", "SOU", terrain="plain") == 4
    assert needs("IN1 4C", "IN1", walls=2) == 3
    assert needs("BAL 4C", "BAL") == 5


def test_healing_saves_once_and_then_lies_on_nobody() -> None:
    battle = battle_of("ZOR 1L, SOU 2C, HAR 1L", "MAR 3C, WBA 4C, THI 4R", spells="healing ZOR SOU")
    letter = "Order MAR: stand, attack 2C; Order WBA: stand, attack 2C"
    played = fight(battle, None, letter, 1, 9, 1, first=(1, 10))
    assert (played.gone, [event["unit"] for event in played.of("healed")]) == (["SOU"], ["SOU"])


def test_healing_waits_on_its_unit() -> None:
    battle = battle_of("ZOR 1L, SOU 1L", EVORA)
    played = fight(battle, "Cast ZOR: healing on SOU", "Cast EVO: fireball on SOU", before=(1,))
    assert played.battle.spells == (Marker("healing", "ZOR", None), Marker("fireball", "EVO", None))
    assert played.battle.cast == (("ZOR", "healing"), ("EVO", "fireball"))
    assert played.gone == []


# §5.6


def test_transport_brings_a_unit_out_of_its_group_or_its_leader_along() -> None:
    battle = battle_of("GLE 1L, ROL 1C, NOR 1C ROL, CEN 1C ROL", EVORA, sides=QUADLINGS)
    played = fight(battle, "Cast GLE: transport NOR to 3L", None)
    assert (played.spaces["NOR"], played.spaces["ROL"], played.groups) == ("3L", "1C", {"CEN": "ROL"})
    battle = battle_of("GLE 1L, SPR 1L, ROL 1C, NOR 1C ROL", EVORA, sides=QUADLINGS)
    played = fight(battle, "Cast GLE: transport NOR to 3L", None)
    assert (played.spaces["NOR"], played.spaces["ROL"], played.groups) == ("3L", "3L", {"NOR": "ROL"})
    assert (played.battle.spells, played.battle.cast) == ((), ())


def test_transport_moves_what_is_held_and_leaves_artillery_fit_to_fire() -> None:
    battle = battle_of("GLE 1L, NOR 1L, QBA 1C", "MAR 4C, EVO 4R, HER 4R", sides=QUADLINGS, spells="poppies EVO QBA")
    played = fight(battle, "Cast GLE: transport QBA to 2C; Order QBA: stand, attack 4C", None, 9)
    assert (played.spaces["QBA"], played.rolls()) == ("2C", [("QBA", "MAR")])


def test_the_bell_goes_with_its_carrier_and_may_ring_before() -> None:
    battle = battle_of("WIT 1L, FI1 1L", "HER 4C", sides=("gillikins", "winkies"), bell="gillikins 1L FI1")
    played = fight(battle, "Cast WIT: transport FI1 to 2C; Ring", None)
    assert (played.battle.bell and played.battle.bell.space, played.spaces["SK1"]) == ("2C", "2C")


# §5.7


def test_a_cast_on_who_is_gone_fizzles() -> None:
    battle = battle_of("ARE 1L, WIT 1L, FI1 1L", "HER 4R, THI 4R", sides=("gillikins", "winkies"))
    played = fight(battle, "Cast ARE: fireball on HER; Cast WIT: poppies on HER", None, before=(1,))
    assert [event["spell"] for event in played.of("fizzle")] == ["poppies"]
    assert [marker.spell for marker in played.battle.spells] == ["fireball"]


def test_transport_fizzles_where_enemy_units_are() -> None:
    battle = battle_of("GLE 1L, NOR 1L", "WIT 4R, HER 4R, THI 3C", sides=QUADLINGS)
    played = fight(battle, "Cast GLE: transport NOR to 3C", None)
    assert (played.spaces["NOR"], len(played.of("fizzle"))) == ("1L", 1)


def test_a_fireball_on_who_is_gone_may_be_cast_later() -> None:
    battle = battle_of("ARE 1L, WIT 1L, FI1 1L", "HER 4R, THI 4R", sides=("gillikins", "winkies"))
    played = fight(battle, "Cast ARE: fireball on HER; Cast WIT: fireball on HER", None, before=(1,))
    assert played.battle.cast == (("ARE", "fireball"),)
