"""What is refused (§14): the letter as a whole, every problem where it stands, with what would be right."""

from dataclasses import replace

import pytest

from pbem.games.base import Seat
from pbem.games.ozz.state import BoardBell, MapBell, State
from pbem.orders.reader import Reading, read
from pbem.orders.situation import Standpoint
from support.each import each
from support.ozz_reading import DATA, GAME, on_board, on_map

MAP = on_map(
    "M1 ZOR GUA BAL M2 MAY SOU MCA M3 JIN HAR M4 NA1 NA2 TIC G4 ARE AP1 FI1 W1 EVO WI1 W2 ZEP SK1=winkies",
    bell=MapBell("winkies", "W1", "WI1"),
)
BOARD = on_board(
    "1L SOU HAR MBA MCA 1C ZOR GUA/ZOR NA1/ZOR MAY BAL 2R MR1 3C HER/ZEP WI1/ZEP ZEP 4C EVO THI SK1 IN1=winkies",
    "munchkins",
    "winkies",
    bell=BoardBell("winkies", "4C", "SK1"),
    cast=(("EVO", "fireball"),),
)
FIRST = replace(BOARD, battle=replace(BOARD.battle, turn=1))  # type: ignore[type-var]


def refusals(state: State, seat: Seat, text: str) -> tuple[list[str], Reading]:
    found = read(Standpoint(GAME, state, seat), text)
    assert found.orders is None
    return [mistake.sentence for mistake in found.mistakes], found


@each(
    ("text", "answer"),
    [
        ("Move SOU: M2-R1", ("There is no link from M2 (Sourdough) to R1 (Recruiting Grounds). "
         "From M2: M1, M4 by road, H1 by trail.")),
        ("Move NA2 NA1: M4-M2, drop NA1", "NA1 cannot be dropped at M2: the stack does not go on from there."),
        ("SOU stays", "Counters that stay need no line. If nobody moves, write `Pass`."),
        ("Move SOU: M2-M4; SOU stays", "Counters that stay need no line: leave it out."),
        ("Ring", "`Ring` is for the battleboard, but no battle is being fought."),
        ("Order SOU: stand", "`Order` is for the battleboard, but no battle is being fought."),
        ("Losses SOU; Losses HAR", "`Losses` is here twice: write one line for all."),
        ("Retreat to M2; Retreat to M3", "`Retreat to` is here twice: write one line for all."),
        ("Return M2; Return M3", "`Return` is here twice: write one line for all."),
        ("Retreat always; Retreat never", "There are two `Retreat` lines: write one, and others with `at` a point."),
        ("Retreat always at H1; Retreat never at H1", "There are two `Retreat` lines for H1: one is enough."),
        ("Losses SOU HAR SOU", "SOU is named twice."),
        ("Move XYZ: M2-M4", 'There is no counter "XYZ".'),
        ("Move SUO: M2-M4", 'There is no counter "SUO". SOU (Sourdough\'s)?'),
        ("Zieh den Bürgermeister nach M4", 'There is no counter "Bürgermeister".'),
        ("Move: M2-M4", "Who moves? Write counters before the way: `Move GUA: M1-M2`, for example."),
        ("Attack the Winkies!", "Who attacks, and where? A stack fights where it comes to enemies: `Move GUA: M1-M2`."),
        ("Recruit JIN: dragons", '"dragons" cannot be recruited: write `pool`, `special` or `none`.'),
        ("Retreat below many", "Below how many units? `Retreat below 3`, for example."),
        ("Move SOU: M2-M4 if all is well", "There is no such condition: write an order that always holds."),
        ("Move SOU: M2-M9", 'There is no point "M9".'),
        ("Losses ZOR", "Zoraster is not a unit: `Losses` names only units."),
        ("Losses BEL", "The Bell is not a unit: `Losses` names only units."),
        ("Move WI1: W1-W2", "WI1 (1st Winkies) is not yours."),
        ("Move HAR SOU: M2-M4", "HAR is in M3, not in M2, where this move begins."),
        ("Move OOG: M2-M4", "OOG (Oogaboo Regiment) is not on the map."),
        ("Move SOU: M2-M4; Move SOU MCA: M2-M1", "SOU is named in two moves; it moves once in a turn."),
        ("Move MAY: M2-M4-R1, take TIC; Move TIC: M4-R1", "TIC is named in two moves; it moves once in a turn."),
        ("Move SOU: M2-M4-R1-W4-W2", "This way costs 4 movement points (road 1, trail 2); a stack has 3."),
        ("Move SOU MCA: M2-M4-R1, drop SOU MCA", ("The whole stack is dropped: its move ends there. "
         "`Move SOU MCA: M2-M4`")),
        ("Move SOU: M2-M4-R1, take WI1", "WI1 (1st Winkies) is not yours."),
        ("Move SOU: M2-M4-R1, take HAR", ("HAR is in M3; a stack picks up at points between the first and the last "
         "of its way.")),
        ("Move SOU: M2-M4-R1, drop MCA", "MCA is not in this stack and cannot be dropped."),
        ("Fly BAL: M1-M4-R1", "A flight goes straight to one point: `Fly BAL: G4-Q4`, for example."),
        ("Fly BAL GUA: M1-M2", "GUA (Zoraster's Guard) cannot fly."),
        ("Fly ZOR: M1-M2", "A flight needs a flying unit."),
        ("Fly BAL: M1-M4, drop ZOR", "A flight neither drops nor picks up anybody."),
        ("Fly BAL: M1-R1", "R1 is 14.0 inches from M1; flights go up to 8.5. In reach: M2, M3, M4."),
        ("Recruit ZOR: pool", "Zoraster is not a Hero, and only Heroes recruit. Yours: MAY, JIN."),
        ("Recruit MAY: pool; Recruit MAY: special", "There are two `Recruit` lines for MAY: one is enough."),
        ("Garrison M4: 1", "M4 (Tic-Tok) is not a Fortified Center."),
        ("Garrison W2: 1", "W2 (Herku) is not yours."),
        ("Garrison M2: 2", "At most 1 of M2 can be batteries (1 in a fort, 2 in a Castle)."),
        ("Garrison M1: 1; Garrison M1: 2", "There are two `Garrison` lines for M1: one is enough."),
        ("Honors offer M2", "M2 is your own: honours are accepted there. `Honors accept M2`"),
        ("Honors accept W2", "W2 is not yours: honours are offered there. `Honors offer W2`"),
        ("Honors offer M4", "M4 (Tic-Tok) is not a Fortified Center."),
        ("Carry SOU", "The Bell is not yours."),
    ],
)  # fmt: skip
def test_a_campaign_letter_is_refused_with_what_would_be_right(text: str, answer: str) -> None:
    assert refusals(MAP, "munchkins", text)[0] == [answer]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Fly AP1: G4-M2", "M2 is 10.0 inches from G4; flights go up to 8.5. In reach: M4, W4, Q4, G1, G2, G3, R1."),
        ("Fly AP1 FI1: G4-R1", "FI1 (1st Gillikins) cannot fly."),
    ],
)
def test_flights_are_refused_where_they_end_too_far_or_do_not_fly(text: str, answer: str) -> None:
    assert refusals(MAP, "gillikins", text)[0] == [answer]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Carry ZEP", "Zephaph the Skull Crusher is not a unit, and only a unit can carry the Bell."),
        ("Carry SK1", "SK1 is in W2, but the Bell is in W1."),
    ],
)
def test_the_bell_on_the_map_is_carried_by_a_unit_where_it_is(text: str, answer: str) -> None:
    assert refusals(MAP, "winkies", text)[0] == [answer]


@each(
    ("text", "answer"),
    [
        ("Order MAY: advance 2D, attack 3C", "2D is off the board: rows 1 to 4, columns L, C, R."),
        ("Order MAY: advance left", "In which row? A space is row and column, such as `3L`."),
        ("Attack 3C", "Who attacks, and where? A force does: `Order GUA: advance, attack 3C`."),
        ("Move SOU: M2-M4", "`Move` is for the map, but a battle is being fought: write orders for it."),
        ("Deploy 1L: SOU", "Units deploy only in the first turn of a battle."),
        ("Group GUA: SOU", "Zoraster's Guard cannot lead: only Rulers and Heroes can."),
        ("Group MAY: BAL; Group MAY: none", "There are two `Group` lines for MAY: one is enough."),
        ("Group MAY: HAR", "HAR is in 1L, but MAY is in 1C."),
        ("Group MAY: BAL; Group ZOR: BAL", "BAL is named in two groups."),
        ("Guard 1C: left SOU", "SOU stands in 1L, not in 1C."),
        ("Guard 1L: left SOU", "1L is the left column: it has a right flank only."),
        ("Guard 2R: right MR1", "2R is the right column: it has a left flank only."),
        ("Guard 1C: left BAL, right BAL", "BAL guards one flank, not both."),
        ("Guard 1C: left BAL; Guard 1C: right GUA", "There are two `Guard` lines for 1C: one is enough."),
        ("Cast ZOR: poppies on HER", "Zoraster knows good luck, poor luck and healing."),
        ("Cast MAY: poppies on HER", "Munchkin Mayor knows no spell."),
        ("Cast ZOR: good luck on SOU; Cast ZOR: healing on SOU", "There are two `Cast` lines for ZOR: one is enough."),
        ("Cast ZOR: poor luck on ZEP", "Zephaph the Skull Crusher is a leader: spells are cast on units."),
        ("Cast ZOR: healing on HER", "Healing is for your own units."),
        ("Cast ZOR: good luck on BEL", "On the Bell only poppies and confusion can be cast."),
        ("Ring", "You do not hold the Bell."),
        ("Order HER: stand", "HER (Herku Regiment) is not yours."),
        ("Order GUA: advance", "Zoraster's Guard is led by Zoraster: order ZOR, or `Group ZOR: NA1` first."),
        ("Order SOU: stand; Order SOU: advance", "There are two `Order` lines for SOU: one is enough."),
        ("Order SOU: advance 2R", "2R is not next to 1L. Ahead of it: 2L, 2C."),
        ("Order SOU: advance 2L 3L 4L", "A way has at most 2 steps here."),
        ("Order SOU: back 2L", "`back` cannot go from 1L to 2L, only to: off."),
        ("Order MR1: back off", "Nobody can leave the board from 2R: only from the first row, with `back`."),
        ("Order SOU: back off 1C", "`off` is the last step of a way."),
        ("Order SOU: stand 2L", "`stand` cannot go from 1L to 2L, only to: 1C."),
        ("Order SOU: stand, attack 2L 2C 3C 3L", "Up to 3 spaces can be named to attack."),
        ("Order SOU: stand, attack 5C", "5C is off the board: rows 1 to 4, columns L, C, R."),
        ("Order SOU: advance 2L 3L, charge", "Only a force that is all cavalry can charge."),
        ("Order MCA: advance 2L, charge", ("A charge is an advance of two spaces: "
         "`Order MCA: advance 2L 3L, charge`.")),
        ("Order MAY: advance, coordinate", "Only a Ruler can coordinate, and Munchkin Mayor is not one."),
        ("Order ZOR: advance, coordinate, change back",
         ("A Ruler who coordinates cannot also change orders: choose one.")),
        ("Order ZOR: advance, leave", "`leave` is for the leader of a single unit, who leaves it if it cannot move."),
        ("Order SOU: advance, change back 3C", "3C is not next to 1L. Behind it: off."),
        ("Sequence GUA", "Zoraster's Guard is led by Zoraster: order ZOR, or `Group ZOR: NA1` first."),
        ("Sequence HER", "HER (Herku Regiment) is not yours."),
        ("Evade SOU", "Sourdough's cannot evade: only cavalry and flyers can."),
        ("Join SOU", "Sourdough's cannot fly: `Join` is for flyers."),
        ("Shoot BAL", "Munchkin Balloon cannot shoot at flyers: only units with ranged strength that do not fly can."),
        ("Retreat always at H1", "There is only one battle on the board: write `Retreat` without `at`."),
        ("Initiative first; Initiative second", "`Initiative` is here twice: write one line for all."),
    ],
)  # fmt: skip
def test_a_battle_letter_is_refused_with_what_would_be_right(text: str, answer: str) -> None:
    assert refusals(BOARD, "munchkins", text)[0] == [answer]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Cast EVO: fireball on SOU", "Evora has already cast fireball, which works once in a battle."),
        ("Order IN1: advance", "Garrison 1 stays in its walls: `Order IN1: stand`."),
        ("Group EVO: IN1", "Garrison 1 stays in its walls and cannot join a group."),
        ("Carry IN1", "Garrison 1 stays in its walls and cannot carry the Bell."),
        ("Carry WI1", "WI1 is in 3C, but the Bell is in 4C."),
    ],
)
def test_the_other_side_is_refused_likewise(text: str, answer: str) -> None:
    assert refusals(BOARD, "winkies", text)[0] == [answer]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Deploy 2L: SOU", "You deploy in your first row: 1L, 1C, 1R."),
        ("Deploy 1L: SOU; Deploy 1R: SOU", "SOU is deployed twice."),
    ],
)
def test_the_deployment_is_in_the_first_row_and_once(text: str, answer: str) -> None:
    assert refusals(FIRST, "munchkins", text)[0] == [answer]
    assert refusals(FIRST, "winkies", "Deploy 4C: IN1")[0] == ["Garrison 1 stays in its walls and is not deployed."]


def test_orders_count_on_deployment_groups_and_transports_of_their_letter() -> None:
    letter = "Deploy 1R: SOU MAY; Group MAY: SOU; Order MAY: advance 2R 3R, attack 4C"
    assert read(Standpoint(GAME, FIRST, "munchkins"), letter).orders is not None
    state = on_board("1C GLE QBA NOR/ROL ROL 4C FI1", "quadlings", "gillikins")
    letter = "Cast GLE: transport NOR to 3L; Order ROL: advance 4L; Order NOR: stand"
    assert refusals(state, "quadlings", letter)[0] == [
        "North Province is led by Rolf Guuf: order ROL, or `Group ROL: none` first."
    ]


def test_a_group_has_four_units_at_most() -> None:
    state = on_board("1C MAY SOU HAR GUA NA1 NA2 4R THI", "munchkins", "winkies")
    assert refusals(state, "munchkins", "Group MAY: SOU HAR GUA NA1 NA2")[0] == [
        "A group has at most 4 units; you named 5."
    ]


def test_who_holds_no_use_of_the_bell_does_not_ring_it() -> None:
    state = on_board("2C SOU 4R THI", "munchkins", "winkies", bell=BoardBell("munchkins", "2C", "SOU"))
    assert refusals(state, "munchkins", "Ring")[0] == ["Only Winkies and Gillikins can ring the Bell."]


@pytest.mark.parametrize(
    ("switch", "text", "told"),
    [
        ("flight", "Fly BAL: M1-M4", "This match is played without flights."),
        ("garrison", "Garrison M1: 1", "This match is played without batteries in the walls."),
        ("honors", "Honors offer W2", "This match is played without honours of war."),
        ("guards", "Guard 1C: left BAL", "This match is played without flank guards."),
        ("cavalry", "Order MCA: advance 2L 3L, charge", "This match is played without charges."),
        ("coordination", "Order ZOR: advance, coordinate", "This match is played without coordination."),
    ],
)
def test_what_a_match_is_played_without_is_refused(switch: str, text: str, told: str) -> None:
    state = BOARD if text.startswith(("Order", "Guard")) else MAP
    switches = replace(DATA.switches, **{switch: False})
    assert refusals(replace(state, options=replace(state.options, switches=switches)), "munchkins", text)[0] == [told]


def test_every_mistake_of_a_letter_is_told_at_once_in_its_place() -> None:
    text = "Move SOU: M2-R1\nRecruit ZOR: pool\nGarrison M4: 1"
    mistakes = refusals(MAP, "munchkins", text)[1].mistakes
    assert [(one.line, one.text[one.column : one.column + one.width]) for one in mistakes] == [
        (1, "R1"),
        (2, "ZOR"),
        (3, "M4"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Order MAY: stand, change",
        "Order XYZ: stand; Retreat never",
        "Order MAY: stand, change back if no enemy in 3C and no enemy in 4C",
    ],
)
def test_words_of_orders_are_not_asked_about_beside_a_mistake(text: str) -> None:
    mistakes, reading = refusals(BOARD, "munchkins", text)
    assert mistakes
    assert not reading.doubts


def test_what_takes_orders_back_is_asked_about_beside_a_mistake() -> None:
    assert refusals(BOARD, "munchkins", "Order MAY: advance 2C, never mind")[1].doubts


@pytest.mark.parametrize("chat", ["thanks!", "Hi Bob, see you at the river"])
def test_chat_behind_a_semicolon_is_chat(chat: str) -> None:
    assert str(read(Standpoint(GAME, MAP, "munchkins"), f"Move SOU: M2-M4; {chat}").orders) == "Move SOU: M2-M4"


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("Move SOU: M2-R1; Retreat always", "Move SOU: M2-M4-R1; Retreat always"),
        ("Move SOU: M4-R1", "Move SOU: M2-M4-R1"),
        ("Honors offer M2", "Honors accept M2"),
        ("Garrison M2: 2", "Garrison M2: 1"),
        ("Retreat 3", "Retreat below 4"),
        ("Move SOU: M2-W1", None),
    ],
)
def test_where_one_line_is_right_it_is_proposed(text: str, proposal: str | None) -> None:
    assert refusals(MAP, "munchkins", text)[1].proposal == proposal


@pytest.mark.parametrize(
    "text",
    [
        "x" * 20_000,
        "Order SOU: stand\n" * 500,
        "Order SOU: stand; " * 500,
        "Move SOU: M2\0-M4",
        "Move SOU: " + "-".join(("M2", "M4") * 1500),
        "Move SOU: M2-M4, " + "drop SOU, " * 2000,
    ],
)
def test_letters_beyond_all_measure_are_refused_in_one_sentence(text: str) -> None:
    found = read(Standpoint(GAME, MAP, "munchkins"), text)
    assert found.orders is None or "\0" in text
    assert len(found.mistakes) <= 1


def test_a_column_alone_is_asked_for_its_row_and_in_the_first_turn_told_which_it_is() -> None:
    answer = "In which row? Your first row has the spaces 1L, 1C and 1R."
    assert refusals(FIRST, "munchkins", "Put the cavalry on the left")[0] == [answer]


def test_a_group_in_which_somebody_fires_is_not_told_that_it_has_no_ranged_strength() -> None:
    assert refusals(BOARD, "munchkins", "Zoraster attacks 3C")[0] == [
        "Does it advance or stand? `Order ZOR: stand, attack 3C` or `Order ZOR: advance, attack 3C`."
    ]


def test_who_is_not_on_the_board_yet_moves_from_where_it_will_stand() -> None:
    start = on_board("- SOU MCA 4C HER", "munchkins", "winkies")
    standpoint = Standpoint(GAME, replace(start, battle=replace(start.battle, turn=1)), "munchkins")  # type: ignore[type-var]
    assert str(read(standpoint, "SOU moves to 2C").orders) == "Order SOU: advance 2C"
