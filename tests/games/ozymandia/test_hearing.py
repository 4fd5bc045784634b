"""Orders for Ozymandia that are heard in everyday words."""

from dataclasses import replace

import pytest

from pbem.games.ozymandia import Ozymandia
from pbem.games.ozymandia.hearing import heard
from pbem.match.effects import Propose, TakeOrders
from pbem.match.receive import receive
from pbem.orders.hearing import PROPOSED
from pbem.orders.reader import read
from support.cases import NOON, begun, letter
from support.each import each
from tools.understanding import standpoint

AT = standpoint("ozymandia")


def told(text: str) -> str:
    """The likeliest orders; "" if it is likelier that there are none."""
    readings = Ozymandia().hear(AT.state, AT.seat, text).readings
    return readings[0][0] if readings and sum(share for _, share in readings) >= PROPOSED else ""


@each(
    ("text", "orders"),
    [
        ("From Mu let one enter Mystery City and another one proceed to Shalomar.", "1 M to MC, 1 M to S"),
        ("The lads in Atlantea, all three of them, pack their things and settle in Mu.", "3 A to M"),
        ("Into Amber City I want two from Atlantea. And a bomb shall fall on Elfin City!", "2 A to AC; Bomb EC"),
        ("Lass doch bitte zwei von Mu nach Mystery City spazieren, und Ulteria wird bombardiert.", "2 M to MC; Bomb U"),
        ("Из Атлантеи пусть двое прогуляются в Эмбер Сити, а бомба летит на Эльфин Сити.", "2 A to AC; Bomb EC"),
        ("To Amber City and to Zephyria one each from Atlantea, please.", "1 A to AC, 1 A to Z"),
        ("Zwei von Mu spazieren in die Mystery City, und Bomben gibt es keine.", "2 M to MC"),
        (
            "Zwei aus Mu sollen bitte in die Stadt der Geheimnisse gehen, und einer nach Shalomar.",
            "2 M to MC, 1 M to S",
        ),
        ("Eine Bombe fällt auf die Elfenstadt, und alle drei aus Mu marschieren nach Shalomar.", "3 M to S; Bomb EC"),
        ("Трём фишкам из Атлантеи пора перейти в Му.", "3 A to M"),
        ("Vernichte Elysia", "Bomb E"),
        ("Two from Mu to Mystery City, the new man may appear in his city as ever.", "2 M to MC"),
        ("Nobody moves, only Elfin City is bombed.", "Bomb EC"),
        ("Mu insgesamt nach Shalomar.", "3 M to S"),
        ("Alle Teile bleiben in ihren Stellungen, keine Bewegungen diese Runde.", "Pass"),
        ("Этот ход я никуда не хожу и не бомблю.", "Pass"),
    ],
)
def test_areas_and_numbers_are_heard_in_three_languages(text: str, orders: str) -> None:
    assert told(text) == orders


@each(
    ("text", "orders"),
    [
        ("The new one appears in Wyvernia, not in the city, and all three in Wyvernia march to Mu.", "New W; 3 W to M"),
        ("новый спавнится в вивернии и оттуда все трое идут в му", "New W; 3 W to M"),
        ("Two from Mu to Mystery City; the new man appears as ever, in his city.", "2 M to MC"),
    ],
)
def test_new_pieces_are_heard_where_they_are_not_to_appear_by_themselves(text: str, orders: str) -> None:
    held = {**AT.state.pieces, "red": {"A": 3, "M": 3, "W": 2, "WC": 1}}
    (likeliest, _), *_ = Ozymandia().hear(replace(AT.state, pieces=held), AT.seat, text).readings
    assert likeliest == orders


@each(
    "text",
    [
        "Send some from Mu into Mystery City.",
        "From Atlantea to Amber City, please.",
        "Two go to Amber City.",
        "Never send two from Atlantea to Amber City.",
        "Two from Atlantea to Amber City if Bob stays at home.",
        "Two from Atlantea to Amber City or Zephyria.",
        "3 A to M haha just kidding",
        "My wife says 2 A to AC, I do not know",
        "Two from Atlantea to Amber City, and a bomb as last time.",
        "Nine from Atlantea to Amber City.",
        "Two from Atlantea to Elfin City.",
        "What a lovely map!",
        "",
        "?" * 500,
        "Mu " * 3_000,
        "two " * 3_000,
    ],
)
def test_nothing_is_heard_where_a_number_or_an_area_is_missing_denied_or_impossible(text: str) -> None:
    assert told(text) == ""


@each("number", ["all", "all three", "three", "3"])
def test_numbers_and_words_for_all_are_counts(number: str) -> None:
    assert told(f"The {number} standing in Atlantea wander off to Mu.") == "3 A to M"


def test_what_is_not_sure_is_only_proposed() -> None:
    text = "Something must be done! Out of Mu, where three idle, one had better slink into Mystery City and another one"
    text += " might as well totter to Shalomar."
    effects = receive(letter(text, begun()), NOON)
    assert not any(isinstance(effect, TakeOrders) for effect in effects)
    assert [effect.canonical for effect in effects if isinstance(effect, Propose)] == ["1 M to MC, 1 M to S"]


@each(
    "text",
    [
        "Last turn the three in Atlantea wandered off to Mu, what a mess.",
        "I bet Bob sends all three of his from Valhalla to Halcyonna.",
        "My brother would let two from Atlantea enter Amber City. He always loses.",
    ],
)
def test_whoever_talks_about_moves_has_not_ordered_them(text: str) -> None:
    assert read(AT, text).orders is None


@pytest.mark.parametrize("number", ["both", "half", "rest"])
def test_a_word_for_a_number_that_makes_no_sense_is_not_heard(number: str) -> None:
    assert not any(orders for orders, _ in heard(AT.state, AT.seat, f"{number} from Shalomar to Ulteria").readings)
