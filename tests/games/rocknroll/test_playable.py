"""A letter is played in the sequence in which it can be: units first, and nothing that is certain to be in vain."""

from dataclasses import replace

from pbem.games import find_game
from pbem.games.rocknroll.loading import placed
from pbem.match.effects import Propose, TakeOrders
from pbem.match.model import Entry, Match
from pbem.match.receive import receive
from pbem.orders import reader
from pbem.orders.lines import Reading
from support.cases import NOON, begun, letter
from support.each import each

GAME = find_game("rocknroll")
ROW = (
    "order: vpa, vietnam; A vietnam: Bao; B vpa: Johnny; C vietnam: Scout; C vpa: Gunner; D vietnam: Farmer;"
    " hand vpa: Move, March, Attack, Napalm, Doc, Rook, Zulu; reserve vpa: Chili; deck vpa: Boomer; deck orders: Move"
)
EXPANSION = (
    "set: expansion; order: vpa, vietnam; A vietnam: Bao; B vpa: Hardman; hand vpa: Move, Attack, Doc, Zulu;"
    " reserve vpa: Chili; rd vpa: 1; deck orders: March"
)


def war(position: str = ROW) -> Match:
    return replace(begun("rocknroll"), state=placed(position))


def read(text: str, position: str = ROW) -> Reading:
    standpoint = war(position).standpoint("vpa")
    return reader.as_playable(standpoint, reader.read(standpoint, text), text)


@each(
    ("text", "orders"),
    [
        ("Napalm: C! Deploy Doc and Rook on D, Zulu on A.", "Deploy Doc D; Deploy Rook D; Deploy Zulu A; Napalm: C"),
        (
            "Move: Johnny to C; Trade March for Chili; Deploy Chili D",
            "Trade March for Chili; Deploy Chili D; Move: Johnny to C",
        ),
        ("Напалм: С. Развернуть Дока на Д", "Deploy Doc D; Napalm: C"),
        ("Napalm: C. Aufstellen: Doc D", "Deploy Doc D; Napalm: C"),
        ("Move: Doc to C; Deploy Doc D", "Deploy Doc D; Move: Doc to C"),
        ("Deploy Rook D; Napalm: C; Deploy Doc D; Pass", "Deploy Rook D; Deploy Doc D; Napalm: C; Pass"),
        ("Trade Gunner for order; Deploy Doc A", "Deploy Doc A; Trade Gunner for order"),
        ("Deploy Doc D; Napalm: C", "Deploy Doc D; Napalm: C"),
    ],
)
def test_units_come_before_orders_wherever_they_are_written(text: str, orders: str) -> None:
    found = read(text)
    assert (str(found.orders), found.mistakes) == (orders, ())


def test_a_sale_comes_before_the_purchase_that_it_pays_for() -> None:
    orders = read("Attack: Hardman > Bao; Sell Move; Buy unit Chili", f"{EXPANSION}; B vietnam: Mai").proposal
    assert orders == "Sell Move; Buy unit Chili"


@each(
    ("text", "proposal"),
    [
        ("Napalm: D; Deploy Doc D", "Deploy Doc D; Napalm: D"),  # Doc would be under fire
        ("Move: Johnny to A; Deploy Doc A", "Deploy Doc A; Move: Johnny to A"),  # Bao attacks whoever comes
        ("Attack: Gunner > Scout; If hit: Deploy Doc D", "If hit: Deploy Doc D; Attack: Gunner > Scout"),
        ("If mine D <= 0: Napalm: C; Deploy Doc D", "Deploy Doc D; If mine D <= 0: Napalm: C"),
        ("Attack: Gunner > Scout; Trade Attack for Chili", "Trade Attack for Chili"),
        ("Trade Gunner for order; Trade Napalm for Gunner", "Trade Gunner for order"),
    ],
)
def test_where_the_sequence_matters_it_is_asked(text: str, proposal: str) -> None:
    found = read(text)
    assert (found.orders, found.proposal) == (None, proposal)
    assert "here that makes a difference" in " ".join(map(str, found.mistakes))


@each(
    ("text", "proposal", "why"),
    [
        ("Move: Johnny to D; Napalm: C", "Napalm: C", "move to a neighbour"),
        ("Attack: Gunner > Bao; Deploy Doc D", "Deploy Doc D", "the target is out of reach"),
        ("Deploy Doc B", None, "units deploy on the two end Points"),
        ("Attack two: Gunner > Scout, Johnny > Bao; Deploy Doc D", "Deploy Doc D", "the card is not available"),
        ("March: Gunner, Doc to D", "March: Gunner to D", "the unit is not in a Point"),
        ("Reroll attack: 1; Move: Johnny to D", "Reroll attack: 1", "move to a neighbour"),
        ("Gunner shoots Bao with the Attack!", None, "the target is out of reach"),
    ],
)
def test_a_line_that_is_certain_to_be_skipped_is_asked_about(text: str, proposal: str | None, why: str) -> None:
    found = read(text)
    assert (found.orders, found.proposal) == (None, proposal)
    assert why in " ".join(map(str, found.mistakes))


@each(
    "text",
    [
        "Trade Gunner for order; Move: Johnny to C; Move: Johnny to B",  # a second Move may be drawn
        "Attack: Gunner > Scout; If hit: Napalm: D",
        "If Bao not in A: Deploy Doc D; Napalm: C",
        "Trade March for deck; Deploy Boomer D",
        "Reroll attack: 1; Napalm: C",
    ],
)
def test_what_may_be_played_is_played_as_written(text: str) -> None:
    assert "; ".join((*read(text).standing, *map(str, read(text).orders.commands))) == text


def test_the_place_of_a_line_in_vain_is_shown() -> None:
    (mistake,) = read("Napalm: C\nGunner and others are fine. Move: Johnny to D").mistakes
    assert (mistake.line, mistake.text[mistake.column :][: mistake.width]) == (2, "Move: Johnny to D")


def test_nothing_in_vain_is_played_unasked_and_a_yes_plays_the_rest() -> None:
    done = receive(letter("Move: Johnny to D; Napalm: C", war(), "vpa"), NOON)
    assert not any(isinstance(effect, TakeOrders) for effect in done)
    assert [effect.canonical for effect in done if isinstance(effect, Propose)] == ["Napalm: C"]


def test_records_and_other_programs_are_read_as_they_are_written() -> None:
    text = "Move: Johnny to C; Deploy Doc D"
    assert str(reader.parse(war().standpoint("vpa"), text)) == text


def test_units_that_are_added_to_orders_come_before_them() -> None:
    stands = Entry(1, 1, "Napalm: C", "Napalm: C")
    for text, expected in (("Also deploy Doc to D", ["Deploy Doc D; Napalm: C"]), ("Also deploy Doc to B", [])):
        done = receive(letter(text, replace(war(), standing={"vpa": stands}), "vpa"), NOON)
        assert [effect.canonical for effect in done if isinstance(effect, Propose)] == expected
