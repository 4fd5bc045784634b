"""What letters say of a round: the chronicle, receipts with their defaults, and what a nation can do (ozz §16)."""

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.games.base import ENGLISH, Event, Say
from pbem.games.chance import GivenChance
from pbem.games.ozz import counsel, receipt, rules, telling
from pbem.games.ozz.canonical import read_canonical
from pbem.games.ozz.loading import load
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.scoring import scores
from pbem.games.ozz.state import State
from pbem.i18n.languages import say_in

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
    found = read_canonical(text)
    assert found is not None
    return found


def played(state: State, letters: Mapping[str, str], *values: int) -> tuple[Event, ...]:
    chance = GivenChance(values)
    ruling = rules.resolve(state, {seat: letter(text) for seat, text in letters.items()}, chance)
    chance.finish()
    return ruling.events


def chronicle(state: State, events: tuple[Event, ...], say: Say = ENGLISH) -> str:
    return "\n".join(f"{one.heading}: {one.text}" for one in telling.story(state, events, say))


def test_a_fast_battle_is_told_with_what_each_die_did() -> None:
    told = chronicle(
        MARCH, played(MARCH, {"munchkins": "Move GUA SOU HAR: M4-R1", "winkies": "Retreat always"}, 5, 4, 3, 6)
    )
    assert told.splitlines() == [
        "Initiative: Munchkins: 5 + 0 leaders = 5. Winkies: 4 + 0 leaders = 4.",
        "Munchkins: moves: Zoraster's Guard, Sourdough's, Hardsole's to R1 Recruiting Grounds.",
        (
            "Battle of R1 Recruiting Grounds: Munchkins against Winkies. Munchkins: 13 × 3/10 = 3.9."
            " Winkies: 8 × 6/10 = 4.8. Sourdough's is lost, and goes under its pool."
            " Winkie Marksmen is lost, and goes under its pool."
            " 1st Winkies retreat to W4 Oogaboo: closer to their Castle."
        ),
    ]


def test_on_the_board_every_force_has_its_paragraph_and_every_die_what_it_needed() -> None:
    orders = {"munchkins": "Order ZOR: advance 3C", "winkies": "Cast EVO: fireball on GUA; Order HER: stand, attack 2C"}
    told = chronicle(CLASH, played(CLASH, orders, 3, 2, 9, 4, 6))
    assert "Magic: Evora: fireball on Zoraster's Guard. Evora's Fireball at Zoraster's Guard: 3 against 5, hit." in told
    assert "Zoraster: With Sourdough's: advances. From 2C to 3C. Sourdough's: melee in 3C." in told
    assert "Sourdough's at Herku Regiment: 4 against 3, missed." in told


def receipts(state: State, seat: str, text: str, say: Say = ENGLISH) -> str:
    orders = letter(text)
    return "\n".join([receipt.words(state, seat, orders, say), *receipt.cautions(state, seat, orders, say)])


def test_a_receipt_says_the_way_with_its_cost_and_where_there_will_be_a_fight() -> None:
    told = receipts(MARCH, "munchkins", "Move GUA SOU: M4-R1; Retreat below 2 at R1")
    assert "Zoraster's Guard, Sourdough's: Tic-Tok - Recruiting Grounds (1 of 3 points of movement)." in told
    assert "GUA SOU will fight at R1 Recruiting Grounds, if nobody leaves: Winkies." in told
    assert "You retreat when you have fewer units left than 2 at Recruiting Grounds." in told
    assert "Staying where they are: HAR." in told


def test_a_receipt_says_every_default_and_how_to_write_it_otherwise() -> None:
    told = receipts(CLASH, "munchkins", "Group ZOR: none; Order SOU: advance 3C, change back 1C off if enemy in 3L")
    assert (
        "Sourdough's: advances to 3C, attacks nobody of its own accord, rolls to change its order if enemies are in 3L:"
        in told
    )
    assert "They stand, and attack nobody: ZOR GUA (default). To change: `Order ZOR: advance`." in told
    for default in ("Retreat: never (default)", "Losses: weakest first, the Bell last (default)", "You move first"):
        assert default in told
    assert "No spell is cast" in told


def test_what_a_letter_says_itself_is_no_default() -> None:
    told = receipts(MARCH, "munchkins", "Retreat always; Losses SOU")
    assert "(default)" not in told


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
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
    told = receipt.words(MARCH, "munchkins", orders, LANGUAGES[language])
    assert f"{len(orders.items)}. " in told
    assert "{" not in told
    assert not any(str(item) in told for item in orders.items)


def test_a_stack_knows_where_it_can_go_and_what_it_costs() -> None:
    (stack,) = counsel.holdings(MARCH, "munchkins", ENGLISH)
    assert stack == ("M4 GUA SOU HAR", "goes to M1 (2), M2 (1), M3 (1), H1 (3), H4 (3), R1! (1)")


def test_a_hero_knows_whom_he_may_recruit_and_a_force_whom_it_can_reach() -> None:
    hero = load({"units": {"MAY": {"at": "M2"}, "WI1": {"at": "W1"}}, "pools": {"munchkins": ["NA1", "SOU"]}})
    assert ("MAY", "recruits here; 2 in the pool; specialists of this place: SOU") in counsel.holdings(
        hero, "munchkins", ENGLISH
    )
    forces = dict(counsel.holdings(CLASH, "munchkins", ENGLISH))
    assert forces["2C ZOR[SOU]"] == "advances to 3C, 3L, 3R, 2L, 2R; can fire at 3C"
    assert forces["ZOR"] == "can cast good luck, poor luck, healing"


def test_the_summary_counts_and_warns() -> None:
    state = load(
        {"units": {"WI1": {"at": "M4"}}, "fallen": {"EVO": 1}, "razed": {"W2": "munchkins", "W3": "munchkins"}}
    )
    told = [*counsel.summary(state, scores(state), ENGLISH)]
    assert "Munchkins: enemies can reach M2 Sourdough." in told
    assert "Evora comes back with 40 % in each turn, if there is a place." in told
    assert any(line.startswith("Points so far: Munchkins ") for line in told)


@pytest.mark.parametrize(
    ("state", "seat"), [(MARCH, "munchkins"), (MARCH, "winkies"), (CLASH, "munchkins"), (CLASH, "winkies")]
)
def test_the_example_is_an_order_of_the_seats_own(state: State, seat: str) -> None:
    orders = counsel.example(state, seat)
    assert orders.items
    units: Any = state.battle.units if state.battle else state.units
    named = [word for item in orders.items for word in str(item).replace(":", "").split() if word in units]
    assert named
    assert all(units[code].seat == seat for code in named)


def test_the_phase_says_which_turn_of_what_is_played() -> None:
    assert counsel.phase(MARCH, ENGLISH) == "Turn 1 of 10."
    assert counsel.phase(CLASH, ENGLISH) == "Battle, turn 2 of 8."
