"""Standing orders: lines that hold in every letter that does not say otherwise, also in a missed one (§12)."""

import pytest

from pbem.games import find_game
from pbem.games.ozz.state import State
from pbem.orders.reader import Reading, read
from pbem.orders.situation import Standpoint
from support.each import each
from support.ozz_reading import on_board, on_map

GAME = find_game("ozz")
MAP = on_map("M1 ZOR GUA M2 MAY SOU MCA M3 JIN W1 EVO")
BOARD = on_board("1L HAR MCA BAL MBA 2C ZOR SOU/ZOR 3L THI 4C HER EVO ZIL", "munchkins", "winkies")


def reading(text: str, state: State = MAP) -> Reading:
    return read(Standpoint(GAME, state, "munchkins"), text)


def joined(letter: str | None, standing: str, state: State = MAP) -> str | None:
    """What a letter comes to with standing orders; None: it was missed."""
    orders = None if letter is None else reading(letter, state).orders
    found = GAME.joined(state, "munchkins", orders, standing)
    return None if found is None else str(found)


def refusal(text: str, state: State = MAP) -> str:
    found = reading(text, state)
    assert found.orders is None
    assert not found.standing
    return " ".join(str(mistake.sentence) for mistake in found.mistakes)


# What may stand


@each(
    "line",
    [
        "Recruit MAY: pool",
        "Retreat below 3",
        "Retreat never",
        "Retreat to M4 M2",
        "Losses SOU GUA",
        "Return M2",
        "Keep skeletons",
        "Evade MCA",
        "Join BAL",
        "Shoot none",
        "Initiative second",
    ],
)
@each("state", [MAP, BOARD], ids=["map", "board"])
def test_every_decision_in_the_middle_of_a_turn_may_stand_in_either_phase(line: str, state: State) -> None:
    found = reading(f"Standing {line}", state)
    assert found.mistakes == ()
    assert found.orders is None
    assert found.standing == (f"Standing {line}",)


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("Move SOU: M2-M4", MAP),
        ("Garrison M1: 2", MAP),
        ("Honors accept M2", MAP),
        ("Retreat below 3 at M4", MAP),
        ("Order HAR: stand", BOARD),
        ("Cast ZOR: good luck on SOU", BOARD),
        ("Sequence ZOR HAR", BOARD),
    ],
)
def test_no_other_line_may(line: str, state: State) -> None:
    assert "This cannot be a standing order" in refusal(f"Standing {line}", state)


def test_what_never_can_be_done_cannot_stand() -> None:
    assert "EVO (Evora) is not yours." in refusal("Standing Recruit EVO: pool")
    assert "cannot use `Evade`" in refusal("Standing Evade SOU")
    assert "cannot use `Join`" in refusal("Standing Join MCA")


def test_standing_orders_of_several_lines_and_orders_are_read_from_one_letter() -> None:
    found = reading("Standing Evade MCA; Standing Retreat below 3\nMove SOU: M2-M4")
    assert str(found.orders) == "Move SOU: M2-M4"
    assert found.standing == ("Standing Evade MCA", "Standing Retreat below 3")


# The list


def test_of_two_lines_for_one_thing_the_last_holds_and_none_takes_all_back() -> None:
    before = GAME.with_standing("", ("Standing Evade MCA", "Standing Retreat below 3"))
    assert before == "Standing Evade MCA; Standing Retreat below 3"
    assert GAME.with_standing(before, ("Standing Evade ZIL",)) == "Standing Retreat below 3; Standing Evade ZIL"
    assert GAME.with_standing(before, reading("Standing none").standing) == ""
    assert GAME.with_standing(before, ("Standing none", "Standing Keep others")) == "Standing Keep others"


def test_each_hero_recruits_by_a_line_of_its_own_and_retreat_to_is_another_thing_than_retreat() -> None:
    lines = (
        "Standing Recruit MAY: pool",
        "Standing Recruit JIN: none",
        "Standing Retreat always",
        "Standing Retreat to M4",
    )
    assert GAME.with_standing("", lines) == "; ".join(lines)


# What they come to


def test_they_are_joined_to_a_letter_that_does_not_use_their_words_itself() -> None:
    standing = "Standing Retreat below 3; Standing Recruit MAY: pool"
    assert joined("Move SOU: M2-M4", standing) == "Move SOU: M2-M4; Retreat below 3; Recruit MAY: pool"
    assert joined("Retreat never", standing) == "Retreat never; Recruit MAY: pool"
    assert joined("Recruit JIN: pool", standing) == "Recruit JIN: pool; Retreat below 3"


def test_they_hold_in_a_missed_letter_too() -> None:
    assert joined(None, "Standing Retreat below 3") == "Retreat below 3"
    assert joined(None, "") is None
    assert joined("Pass", "") == "Pass"


def test_they_are_joined_only_where_they_are_legal_now() -> None:
    standing = "Standing Evade MCA; Standing Retreat below 3; Standing Recruit MAY: pool"
    assert joined(None, standing) == "Retreat below 3; Recruit MAY: pool"
    assert joined(None, standing, BOARD) == "Evade MCA; Retreat below 3"
    assert joined(None, "Standing Evade MCA", MAP) is None
    assert joined(None, "Standing Recruit MAY: pool", on_map("M1 ZOR GUA W1 EVO")) is None


def test_of_a_list_only_those_are_named_who_are_on_the_board_now() -> None:
    fewer = on_board("1L HAR MCA 4C HER", "munchkins", "winkies")
    assert joined(None, "Standing Shoot HAR SOU", fewer) == "Shoot HAR"
    assert joined(None, "Standing Join BAL", fewer) is None
