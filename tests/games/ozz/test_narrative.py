"""What letters say of a round: the chronicle, receipts with their defaults, and what a nation can do (§16)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from pbem import ENGLISH, Say
from pbem.games.base import Event
from pbem.games.chance import GivenChance
from pbem.games.ozz import defaults, hints, narrative, receipt, rolls, rules, svg
from pbem.games.ozz.dataset import SHIPPED, find_data
from pbem.games.ozz.loading import load
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.state import Marker, State
from pbem.games.ozz.table import scores
from pbem.i18n.languages import say_in
from support.each import each
from support.ozz_reading import on_board, on_map

LANGUAGES = {"en": ENGLISH, "de": say_in("de"), "ru": say_in("ru")}

MARCH = load(
    {"units": {code: {"at": "M4"} for code in ("GUA", "SOU", "HAR")} | {"MAR": {"at": "R1"}, "WI1": {"at": "R1"}}}
)
CLASH = load(
    {
        "scenario": "hill",
        "battle": {
            "units": {
                "ZOR": {"space": "2C"},
                "SOU": {"space": "2C", "group": "ZOR"},
                "GUA": {"space": "1L"},
                "EVO": {"space": "3C"},
                "HER": {"space": "3C"},
            }
        },
    }
)


def letter(text: str) -> Orders:
    found = read_canonical(find_data(SHIPPED), text)
    assert found is not None
    return found


def played(state: State, letters: Mapping[str, str], *values: int) -> tuple[Event, ...]:
    chance = GivenChance(values)
    ruling = rules.resolve(state, {seat: letter(text) for seat, text in letters.items()}, chance)
    chance.finish()
    return ruling.events


def chronicle(state: State, events: tuple[Event, ...], say: Say = ENGLISH) -> list[str]:
    lines = []
    for heading, text, dice in narrative.story(state, events, say):
        lines += [f"{heading}: {text}".removeprefix(": ")] if text else []
        lines += [f"- {die}" for die in dice]
    return lines


def test_a_fast_battle_is_told_with_what_each_die_did() -> None:
    letters = {"munchkins": "Move GUA SOU HAR: M4-R1", "winkies": "Retreat always"}
    assert chronicle(MARCH, played(MARCH, letters, 5, 4, 3, 6)) == [
        "Initiative: Order: Munchkins, Winkies.",
        "- Munchkins 5 + 0 leaders = 5, Winkies 4 + 0 leaders = 4",
        "Munchkins move: GUA SOU HAR: from M4 to R1 Recruiting Grounds.",
        (
            "Battle of R1 Recruiting Grounds: Munchkins against Winkies."
            " Munchkins lose SOU Sourdough's to their pool. Winkies lose MAR Winkie Marksmen to their pool."
            " WI1 1st Winkies retreat to W4 Oogaboo, closer to their Castle."
        ),
        "- Munchkins 13 × 3/10 = 3.9, Winkies 8 × 6/10 = 4.8",
    ]


@pytest.mark.parametrize(
    ("leaders", "told"),
    [
        (
            {"MAY": "M4"},
            [
                "Winkies find MAY Munchkin Mayor without units at M4 Tic-Tok.",
                "Munchkins lose MAY Munchkin Mayor for good.",
            ],
        ),
        ({"ZOR": "M4"}, ["Winkies find ZOR Zoraster without units at M4 Tic-Tok.", "ZOR Zoraster falls."]),
        (
            {"JIN": "M4", "MAY": "M4"},
            [
                "Winkies find MAY Munchkin Mayor, JIN Admiral Jinjar without units at M4 Tic-Tok.",
                "Munchkins lose MAY Munchkin Mayor, JIN Admiral Jinjar for good.",
            ],
        ),
        (
            {"JIN": "R1", "MAY": "M4"},
            [
                "Winkies find JIN Admiral Jinjar without units at R1 Recruiting Grounds.",
                "Munchkins lose JIN Admiral Jinjar for good.",
                "Winkies find MAY Munchkin Mayor without units at M4 Tic-Tok.",
                "Munchkins lose MAY Munchkin Mayor for good.",
            ],
        ),
    ],
)
def test_leaders_who_are_come_upon_without_units_are_told_with_who_comes_and_where(leaders, told) -> None:
    units = {"WI1": {"at": "W4"}, "GUA": {"at": "M1"}} | {code: {"at": point} for code, point in leaders.items()}
    state = load({"units": units})
    lines = chronicle(state, played(state, {"munchkins": "Pass", "winkies": "Move WI1: W4-R1-M4"}, 3, 9))
    (moves,) = [line for line in lines if line.startswith("Winkies move")]
    assert moves.startswith(f"Winkies move: {' '.join(told)} WI1: from W4 to M4 Tic-Tok via R1.")


def test_a_leader_who_falls_in_a_battle_was_not_come_upon() -> None:
    state = load(
        {"units": {code: {"at": "R1"} for code in ("MAY", "NA1")} | {"WI1": {"at": "W1"}, "OOG": {"at": "W4"}}}
    )
    letters = {"munchkins": "Pass", "winkies": "Move OOG: W4-R1; Move WI1: W1-W3-W4"}
    told = chronicle(state, played(state, letters, 3, 9, 10, 1))
    assert "without units" not in " ".join(told)
    assert "Munchkins lose MAY Munchkin Mayor for good." in " ".join(told)


def test_each_round_of_a_fast_battle_has_its_losses_beside_its_dice() -> None:
    letters = {"munchkins": "Move GUA SOU HAR: M4-R1", "winkies": "Pass"}
    told = chronicle(MARCH, played(MARCH, letters, 5, 4, 3, 6, 9, 1))
    assert told[-2:] == [
        "Munchkins lose HAR Hardsole's to their pool. Winkies lose WI1 1st Winkies to their pool.",
        "- Munchkins 9 × 9/10 = 8.1, Winkies 5 × 1/10 = 0.5",
    ]


def test_on_the_board_every_force_has_its_paragraph_and_every_die_what_it_needed() -> None:
    orders = {"munchkins": "Order ZOR: advance 3C", "winkies": "Cast EVO: fireball on GUA; Order HER: stand, attack 2C"}
    told = chronicle(CLASH, played(CLASH, orders, 3, 2, 9, 4, 6))
    assert told[:2] == [
        ("Magic: EVO casts fireball on GUA. It hits. Munchkins lose GUA Zoraster's Guard for good."),
        "- EVO's fireball at GUA, hits on 5 or less: 3",
    ]
    assert "- SOU at HER, 3 or less: 4" in told
    assert any(
        line.startswith("ZOR Zoraster: With SOU: advances from 2C to 3C. Melee in 3C: 0 hits, ") for line in told
    )


def die(seat: str, by: str, at: str, needs: int, value: int) -> Event:
    rolled = {"type": "roll", "for": "attack", "seat": seat, "by": by, "at": at}
    return {**rolled, "needs": needs, "value": value, "hit": value <= needs}


def test_the_dice_of_a_side_share_a_line_and_those_at_one_target_its_needed_value() -> None:
    attack = [
        die("winkies", "WI1", "MCA", 4, 9),
        die("winkies", "WI5", "MCA", 5, 9),
        die("winkies", "HER", "MCA", 5, 1),
    ]
    assert [*rolls.lines([*attack, die("munchkins", "MCA", "SK1", 4, 4)], ENGLISH)] == [
        "WI1 at MCA, 4 or less: 9; WI5 HER at MCA, 5 or less: 9, 1 (hit)",
        "MCA at SK1, 4 or less: 4 (hit)",
    ]


def test_a_tie_for_initiative_has_a_line_for_each_time_that_dice_are_rolled() -> None:
    rolled = [("munchkins", 3), ("winkies", 3), ("munchkins", 8), ("winkies", 1)]
    dice = [{"type": "roll", "for": "initiative", "seat": seat, "value": value, "added": 1} for seat, value in rolled]
    assert [*rolls.lines(dice, ENGLISH)] == [
        "Munchkins 3 + 1 leader = 4, Winkies 3 + 1 leader = 4",
        "Munchkins 8 + 1 leader = 9, Winkies 1 + 1 leader = 2",
    ]


def test_forces_that_do_nothing_are_told_together() -> None:
    told = chronicle(CLASH, played(CLASH, {"munchkins": "Pass", "winkies": "Pass"}, 3, 2))
    assert told[-1] == "Not moving: Munchkins: ZOR SOU GUA. Winkies: EVO HER."


def test_a_force_that_stood_and_was_lost_later_is_not_told_as_standing() -> None:
    events = [
        {"type": "acts", "seat": "munchkins", "units": ["ZOR", "GUA"], "word": "stand", "at": "1C"},
        {"type": "lost", "seat": "munchkins", "unit": "GUA", "to": "fallen", "at": "1C"},
    ]
    assert chronicle(CLASH, tuple(events))[-1] == "Not moving: Munchkins: ZOR."


def test_a_force_that_cannot_move_is_said_to_stay() -> None:
    orders = {"munchkins": "Pass", "winkies": "Cast EVO: poppies on GUA"}
    held = rules.resolve(CLASH, {seat: letter(text) for seat, text in orders.items()}, GivenChance((3, 2))).state
    told = chronicle(held, played(held, {"munchkins": "Order GUA: advance", "winkies": "Pass"}, 9, 3, 2))
    assert "GUA Zoraster's Guard: Cannot advance because of EVO's poppies on GUA." in told
    assert "- Rolls, fading on 3 or less: EVO's poppies on GUA: 9" in told


def receipts(state: State, seat: str, text: str, say: Say = ENGLISH) -> str:
    orders = letter(text)
    return "\n".join([receipt.paraphrase(state, seat, orders, say), *defaults.cautions(state, seat, orders, say)])


def test_a_receipt_says_the_way_with_its_cost_and_where_there_will_be_a_fight() -> None:
    told = receipts(MARCH, "munchkins", "Move GUA SOU: M4-R1; Retreat below 2 at R1")
    assert "GUA Zoraster's Guard, SOU Sourdough's: from M4 Tic-Tok to R1 Recruiting Grounds, 1 of 3 points." in told
    assert "GUA SOU will fight at R1 Recruiting Grounds if nothing changes there: Winkies, WI1 MAR (8)." in told
    assert "You retreat when you have fewer than 2 units left at R1 Recruiting Grounds." in told
    assert "Staying where they are: HAR." in told


FIELD = on_board("1L WBA 1C ZEP 2R HER WI5 4C SOU ZOR GUA MBA 3R TIC", "winkies", "munchkins")


@each(
    ("text", "warning"),
    [
        ("Order ZEP: advance 2R 3R", "ZEP is alone, and cannot go to 3R: leaders alone do not go among enemies."),
        ("Order ZEP: advance", ("ZEP is alone in 2C, and returns to your nearest units unless some come there this "
         "turn.")),
        ("Order WBA: stand, attack 2C", "Nobody is in 2C now: WBA attacks only if enemies come there before it acts."),
        ("Order WBA: advance 2L, attack 4C", "WBA moves, and artillery does not fire in a turn in which it moves."),
        ("Order HER: stand, attack 3R", "HER cannot attack as things stand: EVO's confusion on HER."),
        ("Order HER: advance 3R", "HER cannot move as things stand: EVO's confusion on HER."),
    ],
)  # fmt: skip
def test_a_receipt_warns_of_orders_that_the_rules_undo(text: str, warning: str) -> None:
    assert FIELD.battle
    held = replace(FIELD, battle=replace(FIELD.battle, spells=(Marker("confusion", "EVO", "HER"),)))
    assert warning in receipts(held, "winkies", text).splitlines()


@each("text", ["Order ZEP: advance 2R", "Order ZEP: advance 2C; Order HER: advance 2C", "Order WBA: stand, attack 3R"])
def test_a_receipt_does_not_warn_of_orders_that_can_be_done(text: str) -> None:
    told = receipts(FIELD, "winkies", text)
    assert "alone" not in told
    assert "Nobody is in" not in told


def test_a_receipt_says_where_leaders_alone_stop_on_the_map() -> None:
    told = receipts(on_map("M4 MAY SOU R1 WI1"), "munchkins", "Move MAY: M4-R1")
    assert "MAY will stop before R1 Recruiting Grounds: leaders alone do not go where enemies are." in told
    assert "fight at" not in told


def test_a_hero_who_is_picked_up_is_not_said_to_recruit() -> None:
    state = on_map("M1 SOU M2 MAY HAR")
    assert "Recruiting: MAY" in receipts(state, "munchkins", "Move SOU: M1-M2")
    assert "Recruiting" not in receipts(state, "munchkins", "Move SOU: M1-M2, take MAY")


def test_dangers_from_the_air_are_told() -> None:
    state = on_map("M2 SOU G3 AP1")  # the Apes need no road to come here
    assert ("M2", "enemies can get here in one move") in hints.holdings(state, "munchkins")
    on_foot = replace(state.options, switches=replace(state.options.switches, flight=False))
    assert "M2" not in hints.threatened(replace(state, options=on_foot), "munchkins")


def test_a_receipt_says_which_ways_are_too_long_this_turn() -> None:
    held = replace(CLASH, battle=replace(CLASH.battle, spells=(Marker("poppies", "EVO", "GUA"),)))  # type: ignore[type-var]
    told = receipts(held, "munchkins", "Order ZOR: advance 3C 4C; Order GUA: advance 2C")
    assert "ZOR gets only as far as 3C this turn." in told
    assert "GUA cannot move as things stand: EVO's poppies on GUA." in told
    assert "Keep skeletons" not in told  # nobody rose


def test_a_receipt_says_every_default_and_how_to_write_it_otherwise() -> None:
    first = replace(CLASH, battle=replace(CLASH.battle, turn=1))  # type: ignore[type-var]
    told = receipts(first, "munchkins", "Group ZOR: none; Order SOU: advance 3C, change back 1C off if enemy in 3L")
    assert "SOU Sourdough's: advances to 3C, does not start an attack, rolls to change its order if" in told
    assert "They stand, and attack nobody: ZOR GUA (default). To change: `Order ZOR: advance`." in told
    for default in ("Retreat: never (default)", "Losses: weakest first, the Bell last (default)", "You move first"):
        assert default in told
    assert "No spell is cast by ZOR (default)" in told


def test_a_receipt_of_a_later_turn_of_a_battle_tells_what_is_new() -> None:
    told = receipts(CLASH, "munchkins", "Order ZOR: stand")
    assert told.splitlines() == [
        "ZOR Zoraster: stands, does not start an attack.",
        "They stand, and attack nobody: GUA (default). To change: `Order GUA: advance`.",
        "By default, nobody retreats, no spell is cast, and the weakest units are lost first.",
    ]


def test_a_receipt_explains_defaults_in_the_first_turns_of_a_campaign_alone() -> None:
    assert "To change: `Retreat below 3`" in receipts(replace(MARCH, turn=2), "munchkins", "Pass")
    later = receipts(replace(MARCH, turn=3), "munchkins", "Pass")
    assert "To change" not in later
    assert "By default, Heroes recruit from the pool, nobody retreats" in later


def test_what_a_letter_says_itself_is_no_default() -> None:
    told = receipts(MARCH, "munchkins", "Retreat always; Retreat to M3; Losses SOU")
    assert "(default)" not in told


@each("language", LANGUAGES)
@each(
    "text",
    [
        "Move GUA SOU HAR: M4-M2-M1, drop SOU; Recruit MAY: special; Garrison M1: 2; Honors offer W2; Honors accept M3",
        "Return M2; Carry GUA; Retreat to M4 G4; Losses SOU GUA; Retreat always; Fly BAL ZOR: M1-M4",
        "Deploy 1L: ZOR SOU; Group ZOR: SOU; Guard 2C: left GUA, right SOU; Cast EVO: poppies on SOU; Ring",
        "Order ZOR: back 1C off, attack 2C 3C, coordinate 2, leave; Sequence ZOR GUA; Evade MCA; Keep others",
        "Order GUA: stand 1C, alone, change advance; Join BAL; Shoot none; Shoot MBA; Cast GLE: transport QBA to 2C",
    ],
)
def test_every_order_has_words_in_every_language(text: str, language: str) -> None:
    orders = Orders(tuple(item for part in text.split("; ") for item in letter(part).items))
    told = receipt.paraphrase(MARCH, "munchkins", orders, LANGUAGES[language])
    assert f"{len(orders.items)}. " in told
    assert "{" not in told
    assert not any(str(item) in told for item in orders.items)


def test_a_stack_knows_where_it_can_go_and_what_it_costs() -> None:
    stack = hints.holdings(MARCH, "munchkins", ENGLISH)[0]
    assert stack == ("M4 GUA SOU HAR", "M2 M3 R1! (1), M1 (2), H1 H4 (3)")


def test_a_hero_knows_whom_he_may_recruit_and_a_force_whom_it_can_reach() -> None:
    hero = load({"units": {"MAY": {"at": "M2"}, "WI1": {"at": "W1"}}, "pools": {"munchkins": ["NA1", "SOU"]}})
    assert ("MAY", "recruits in M2; 2 in the pool; specialists: SOU") in hints.holdings(hero, "munchkins", ENGLISH)
    forces = dict(hints.holdings(CLASH, "munchkins", ENGLISH))
    assert forces["2C ZOR[SOU]"] == "moves 1 space; ahead 3C 3L 3R; back 1C 1L 1R; can fire from here at 3C"
    assert forces["ZOR"] == "can cast good luck, poor luck, healing"


def test_the_summary_counts_and_warns() -> None:
    state = load(
        {"units": {"WI1": {"at": "M4"}}, "fallen": {"EVO": 1}, "razed": {"W2": "munchkins", "W3": "munchkins"}}
    )
    told = [*hints.summary(state, scores(state), ENGLISH)]
    assert ("M2 M3", "enemies can get here in one move") in hints.holdings(state, "munchkins", ENGLISH)
    assert "Evora returns with a chance of 40 % each turn, if there is a place to go." in told
    assert any(line.startswith("Points: Munchkins ") for line in told)


def test_no_ruler_comes_back_in_a_skirmish() -> None:
    state = replace(FIELD, fallen={"EVO": 1})
    assert not any("returns" in line for line in hints.summary(state, scores(state), ENGLISH))


@pytest.mark.parametrize(
    ("state", "seat"), [(MARCH, "munchkins"), (MARCH, "winkies"), (CLASH, "munchkins"), (CLASH, "winkies")]
)
def test_the_example_is_an_order_of_the_seats_own(state: State, seat: str) -> None:
    orders = hints.example(state, seat)
    assert orders.items
    units: Any = state.battle.units if state.battle else state.units
    named = [word for item in orders.items for word in str(item).replace(":", "").split() if word in units]
    assert named
    assert all(units[code].seat == seat for code in named)


def test_the_phase_says_which_turn_of_what_is_played() -> None:
    assert hints.phase(MARCH, ENGLISH) == "Turn 1 of 10."
    assert hints.phase(CLASH, ENGLISH) == "Battle, turn 2 of 8."


def test_the_board_of_a_page_shows_by_which_order_each_force_has_acted_and_where_it_has_attacked() -> None:
    orders = {seat: letter(text) for seat, text in (("munchkins", "Order ZOR: advance 3C"), ("winkies", "Pass"))}
    ruling = rules.resolve(CLASH, orders, GivenChance((9, 2, 4, 6)))
    shown = svg.overlay(ruling.state, CLASH, ruling.events, ENGLISH)
    acted = [event for event in ruling.events if event["type"] == "acts"]
    assert acted
    assert shown.count('class="board-order"') == len(acted)
    assert shown.count('class="board-way"') == 1
    assert shown.count('href="#board-burst"') == 1
    assert "board-order" not in svg.overlay(CLASH, None, (), ENGLISH)


def test_nobody_is_warned_any_more_when_the_game_is_over() -> None:
    units = {"WI1": {"at": "M4"}, "GUA": {"at": "M2"}}
    result = {"winner": "winkies", "reason": "points"}
    state = load({"units": units, "turn": 10, "phase": "over", "result": result})
    assert [*hints.summary(state, scores(state), ENGLISH)] == ["Points: Munchkins 2, Winkies 2."]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2C ZEP HER/ZEP 3C MAY SOU/MAY 2L MCA", "Order ZEP: advance 3C, attack 3C"),
        ("1C ZEP HER/ZEP 4C MAY", "Order ZEP: advance 2C"),
        ("1C ZEP MAR/ZEP 4C MAY", "Order ZEP: advance 2C, attack 3C"),
        ("2C ZEP HER/ZEP MAY SOU/MAY", "Order ZEP: stand, attack 2C"),
        ("1L ZEP 1C HER 2C MAY", "Order HER: advance 2C, attack 2C"),
    ],
)
def test_an_example_on_the_board_does_something(text: str, said: str) -> None:
    state = on_board(text, "winkies", "munchkins")
    assert str(hints.example(state, "winkies")) == said


def test_an_example_on_the_board_names_nobody_whom_a_spell_holds() -> None:
    held = replace(CLASH, battle=replace(CLASH.battle, spells=(Marker("poppies", "EVO", "SOU"),)))  # type: ignore[type-var]
    assert str(hints.example(held, "munchkins")).startswith("Order GUA: ")
