"""The guess proposes the only legal orders that use all that a line names, and plays nothing."""

import re

import pytest

from pbem.games.ozz.receipt import paraphrase
from pbem.games.ozz.state import State
from pbem.orders.reader import Reading, read
from pbem.orders.situation import Standpoint
from support.each import each
from support.ozz_reading import GAME, on_board, on_map

MAP = on_map("M1 ZOR GUA M2 MAY SOU MCA M3 JIN HAR MBA M4 NA1 NA2 W1 EVO W2 ZEP HER")
BOARD = on_board(
    "1L HAR MBA NA1 MCA MAY BAL 2C ZOR SOU/ZOR GUA/ZOR 2R TIC 3L THI 4C HER EVO ZIL", "munchkins", "winkies"
)


def asked(state: State, text: str) -> Reading:
    found = read(Standpoint(GAME, state, "munchkins"), text)
    assert found.orders is None
    return found


def receipt_of(state: State, text: str) -> str:
    return paraphrase(state, "munchkins", read(Standpoint(GAME, state, "munchkins"), text).orders)


@each(
    ("text", "proposal"),
    [
        ("SOU shuffles over to M4", "Move SOU: M2-M4"),
        ("SOU tanzt nach M4", "Move SOU: M2-M4"),
        ("Отправляю SOU гулять в M4", "Move SOU: M2-M4"),
        ("Moove SOUR to M4", "Move SOU: M2-M4"),
        ("Hardsole's lot go down the road M3 to M4", "Move HAR: M3-M4"),
        ("please take SOU from M2 over to M4", "Move SOU: M2-M4"),
        ("SOU and HAR to M4", "Move SOU: M2-M4; Move HAR: M3-M4"),
        ("Move SOU: M2-M4, HAR too", "Move SOU: M2-M4; Move HAR: M3-M4"),
        ("Zoraster picks up the Mayor at M2 and goes on to M4", "Move ZOR: M1-M2-M4, take MAY"),
        ("recrut JIN", "Recruit JIN: pool"),
        ("Move MAY: M2-M4\nSOU tanzt nach M4", "Move MAY: M2-M4; Move SOU: M2-M4"),
    ],
)
def test_on_the_map_the_only_way_is_played_or_proposed(text: str, proposal: str) -> None:
    found = read(Standpoint(GAME, MAP, "munchkins"), text)
    assert proposal == (found.proposal or str(found.orders))


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("HAR sneaks to 2L", "Order HAR: advance 2L"),
        ("HAR 2L", "Order HAR: advance 2L"),
        ("the battery pounds away, attack 3L standing", "Order MBA: stand, attack 3L"),
        ("Zoraster whispers good luck upon his SOU", "Cast ZOR: good luck on SOU"),
    ],
)
def test_on_the_board_the_only_order_is_proposed(text: str, proposal: str) -> None:
    assert asked(BOARD, text).proposal == proposal


@each(
    "text",
    [
        "SOU dances to M4 or M1",
        "SOU does not dance to M4",
        "SOU dances to M4 if it is free",
        "SOU dances to M4?",
        "Move SOU to M4 and back",
        "National Guard dances to R1",
        "SOU dances to H3",
        "nothing dances today, SOU",
        "Pass Zoraster",
        "mayor and his in M1 men -> M4",
    ],
)
def test_what_turns_a_line_or_fits_two_or_is_against_the_rules_is_not_proposed(text: str) -> None:
    assert asked(MAP, text).proposal is None


@each(
    "text",
    [
        "SOU to M4 tomorrow",
        "SOU tanzt morgen nach M4",
        "SOU пошёл бы танцевать в M4",
        "SOU would dance to M4",
        "Everyone follows Zoraster to M2",
    ],
)
def test_what_may_be_meant_otherwise_is_asked_about_and_does_not_stand(text: str) -> None:
    found = asked(MAP, text)
    assert found.proposal or found.readings
    assert all(doubt.turn == "unsure" for doubt in found.doubts)


@pytest.mark.parametrize("text", ["TIC: with 3R forward, alone", "HAR back almost off", "HAR advance left"])
def test_a_clause_is_not_left_out_of_what_is_proposed(text: str) -> None:
    assert asked(BOARD, text).proposal is None


def test_what_was_understood_is_said_with_orders_that_are_legal_now() -> None:
    told = str(asked(MAP, "Move SOU to M4 and back").mistakes[0].sentence)
    assert told.startswith('"back" cannot be read here. What is the order for Sourdough\'s, Tic-Tok? `')
    assert read(Standpoint(GAME, MAP, "munchkins"), told.split("`")[1]).orders is not None


def test_a_destination_without_its_way_is_reached_by_the_cheapest_way() -> None:
    assert str(read(Standpoint(GAME, MAP, "munchkins"), "Move MAY: R1").orders) == "Move MAY: M2-M4-R1"
    letter = "the Mayor with Sourdough's and the cavalry to the recruiting grounds"
    assert str(read(Standpoint(GAME, MAP, "munchkins"), letter).orders) == "Move MAY SOU MCA: M2-M4-R1"


@each(
    ("position", "text", "meant"),
    [
        ("M1 ZOR GUA", "ZOR GUA to M4", "Move ZOR GUA: M1-M2-M4"),
        ("M1 ZOR GUA M2 WI1", "ZOR GUA to M4", "Move ZOR GUA: M1-M3-M4"),
        ("M1 ZOR GUA", "ZOR, GUA nach M4", "Move ZOR GUA: M1-M2-M4"),
        ("M1 ZOR GUA", "ZOR GUA to R1", "Move ZOR GUA: M1-M2-M4-R1"),
    ],
)
def test_of_ways_that_are_as_cheap_one_through_own_points_is_taken(position: str, text: str, meant: str) -> None:
    assert str(read(Standpoint(GAME, on_map(position), "munchkins"), text).orders) == meant


def test_ways_that_are_as_cheap_are_listed_if_none_is_through_own_points() -> None:
    state = on_map("Q1 SOU")
    (mistake,) = asked(state, "Move SOU: Q4").mistakes
    assert str(mistake.sentence) == "Which way? There are Q1-Q2-Q4, Q1-Q3-Q4."


def test_the_receipt_names_ways_that_are_as_cheap() -> None:
    told = [receipt_of(MAP, line) for line in ("Move ZOR: M1-M3-M4", "Move ZOR: M1-M2", "Move MAY: M2-M4-R1")]
    assert [line.partition("The way by ")[2] for line in told] == ["M2 would cost the same.", "", ""]


def test_who_stays_is_a_remark_beside_orders_and_wrong_beside_a_move_of_his() -> None:
    for remark in ("EVO stays", "the rest stays", "GUA stays."):
        assert str(read(Standpoint(GAME, MAP, "munchkins"), f"Move SOU: M2-M4\n{remark}").orders) == "Move SOU: M2-M4"
    assert str(read(Standpoint(GAME, MAP, "munchkins"), "Jinjar stays and recruits").orders) == "Recruit JIN: pool"
    assert asked(MAP, "Move SOU: M2-M4\nSOU stays").mistakes


def test_a_letter_that_passes_and_orders_something_is_asked_about() -> None:
    assert [str(one.sentence) for one in asked(MAP, "Move SOU: M2-M4\nPass").mistakes] == [
        "`Pass` orders nothing, but there are other orders here: leave out one or the other."
    ]


def test_who_cannot_shoot_is_told_where_to_go_and_who_charges_gets_a_way_that_is_legal() -> None:
    told = asked(on_board("2L MCA 3L HER", "munchkins", "winkies"), "Cavalry attacks 3L")
    assert told.proposal == "Order MCA: advance 3L"
    sentence = str(asked(BOARD, "MCA charges 2L").mistakes[0].sentence)
    assert read(Standpoint(GAME, BOARD, "munchkins"), sentence.split("`")[1]).orders is not None


@each("text", ["Move: M2-M4", "Attack the Munchkins!", "Everybody else carry", "Losses all"])
def test_examples_on_the_map_name_counters_of_the_writer_and_are_legal(text: str) -> None:
    state = on_map("W2 ZEP HER ZIL M2 SOU")
    told = " ".join(str(mistake.sentence) for mistake in read(Standpoint(GAME, state, "winkies"), text).mistakes)
    line = told.split("`")[1]
    again = read(Standpoint(GAME, state, "winkies"), line if " " in line and line[0] == "M" else f"Losses {line}")
    assert again.orders is not None


@each("text", ["Group ZEP", "Guard 1C", "Attack 3C", "Order HER", "Guard: left HER"])
def test_examples_on_the_board_name_counters_of_the_writer_and_are_legal(text: str) -> None:
    state = on_board("1C ZEP HER ZIL 4C SOU", "winkies", "munchkins")
    told = " ".join(str(mistake.sentence) for mistake in read(Standpoint(GAME, state, "winkies"), text).mistakes)
    assert not {"SOU", "HAR", "ZOR", "THI"} & {*re.findall(r"[A-Z]{3}", told)}
