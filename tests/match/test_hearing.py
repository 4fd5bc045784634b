"""What is heard in everyday words is played if it is sure, and otherwise told as a reading."""

from dataclasses import replace

import pytest

from pbem.games.capabilities import Heard
from pbem.games.rocknroll import Rocknroll
from pbem.match.effects import Effect, Propose, TakeOrders
from pbem.match.receive import receive
from support.cases import NOON, begun, letter, told
from support.each import each

WAR = (
    "set: base-2; next: vpa; hand vpa: Doc, Gunner, Chili, Zulu, Move, March, Napalm; reserve vpa: Boomer;"
    " deck vpa: Johnny; deck orders: Attack; A vietnam: Horny; B vietnam: Bao"
)


def answered(text: str, position: str = WAR) -> list[Effect]:
    match = begun("rocknroll")
    return receive(letter(text, replace(match, state=match.game.placed(match.state, position)), "vpa"), NOON)


def taken(effects: list[Effect]) -> list[str]:
    return [effect.entry.canonical for effect in effects if isinstance(effect, TakeOrders)]


def proposed(effects: list[Effect]) -> list[str]:
    return [effect.canonical for effect in effects if isinstance(effect, Propose)]


@each(
    ("text", "orders"),
    [
        ("I should like Doc and Zulu to make a stand at Delta this time.", "Deploy Doc D; Deploy Zulu D"),
        ("Den Doc und den Zulu hätte ich gern auf Delta stehen.", "Deploy Doc D; Deploy Zulu D"),
        ("Дока и Зулу высаживаем пока в Дельте.", "Deploy Doc D; Deploy Zulu D"),
        ("The doctor and Zulu come in at Delta.", "Deploy Doc D; Deploy Zulu D"),
        ("Der Arzt geht mit Zulu nach Delta.", "Deploy Doc D; Deploy Zulu D"),
        ("Доктора и Зулу на Дельту.", "Deploy Doc D; Deploy Zulu D"),
        ("My doctor said I should rest. Zulu to D, please.", "Deploy Zulu D"),
        ("Everybody to Delta, please, but not Zulu.", "Deploy Doc D; Deploy Gunner D; Deploy Chili D"),
        ("Doc, not Zulu, to Delta.", "Deploy Doc D"),
    ],
)
def test_what_is_heard_is_played_or_told_as_a_reading(text: str, orders: str) -> None:
    effects = answered(text)
    assert orders in (*taken(effects), *proposed(effects)[:1])


def test_thanks_beside_what_is_heard_are_no_wish_of_their_own() -> None:
    effects = answered("I should like Doc and Zulu to make a stand at Delta this time. Thank you.")
    assert proposed(effects) == ["Deploy Doc D; Deploy Zulu D"]


@each(
    ("text", "orders"),
    [
        (
            "Deploy Doc D. And of course I should like Zulu to keep him company over there at Delta.",
            "Deploy Doc D; Deploy Zulu D",
        ),
    ],
)
def test_a_sentence_in_notation_does_not_hide_the_orders_of_the_others(text: str, orders: str) -> None:
    effects = answered(text)
    assert orders in (*taken(effects), *proposed(effects))


@each(
    ("shares", "orders"),
    [
        ((0.5, 0.3, 0.01), ["Deploy Doc D", "Deploy Doc A"]),
        ((0.8, 0.05, 0.01), ["Deploy Doc D"]),
        ((0.1, 0.1, 0.05), []),
    ],
)
def test_likely_readings_are_offered_to_choose_from(shares: tuple[float, ...], orders: list[str]) -> None:
    heard = Heard(tuple(zip(("Deploy Doc D", "Deploy Doc A", "Deploy Zulu A"), shares, strict=True)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rocknroll, "hear", lambda *_: heard)
        effects = answered("It falls to good old Doc, wherever he may be needed most.")
    assert taken(effects) == []
    assert proposed(effects) == orders


def test_a_sentence_that_adds_nothing_to_what_is_heard_is_told_to_be_left_out() -> None:
    effects = answered("I should like Doc and Zulu to make a stand at Delta this time. The Move has been a nuisance.")
    assert proposed(effects) == ["Deploy Doc D; Deploy Zulu D"]
    (doubt,) = (section for section in told(effects) if section.template == "doubt")
    assert doubt.values["left_out"] == ("The Move has been a nuisance.",)


def test_a_standing_order_that_is_heard_is_proposed_and_never_stands_alone() -> None:
    effects = answered(
        "When an attack of mine goes astray I want it thrown once more and will pay with any order card."
    )
    assert taken(effects) == []
    assert proposed(effects) == ["Reroll attack: 1 with orders"]


@each(
    "text", ["Bob will put Doc and Zulu on Delta, I bet!?", "never Doc and Zulu to Delta, that would be mad, you know"]
)
def test_nothing_stands_that_is_asked_or_denied(text: str) -> None:
    effects = answered(text)
    assert taken(effects) == []


def test_a_letter_without_orders_is_not_heard_as_one() -> None:
    effects = answered("What a mess. My brother played this in the navy and never won a single war with Doc.")
    assert taken(effects) == proposed(effects) == []
    assert told(effects)
