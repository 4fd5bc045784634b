"""Orders found in everyday words: what is played, what is proposed, what is left open, and what is only talk."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pbem.games import find_game
from pbem.games.kit.talk import MODEL
from pbem.games.ozymandia.guess import MODELS, guess, suggestion
from pbem.orders.reader import read
from pbem.orders.situation import Standpoint
from support.each import each

OZYMANDIA: Any = find_game("ozymandia")
START = OZYMANDIA.placed(OZYMANDIA.new({}), "1 red A3 M3 W3 AC1 bombs 3 blue V3 H3 E3 bombs 3")
LETTERS = [
    line.replace("⏎", "\n")
    for line in Path(__file__).with_name("everyday.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@each("line", LETTERS)
def test_everyday_words_are_played_proposed_or_asked_about(line: str) -> None:
    text, mark, meant = re.fullmatch(r"(.*?) ([=?])(?: (.*))?", line, re.S).groups()  # type: ignore[union-attr]
    reading = read(Standpoint(OZYMANDIA, OZYMANDIA.new({}), "red"), text)
    if mark == "=":
        assert str(reading.orders) == meant
        return
    assert reading.orders is None
    found = reading.proposal or " or ".join(reading.readings) or " / ".join(map(str, reading.understood))
    assert found == (meant or "")
    assert reading.doubts or reading.mistakes


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Take two of the lads in Wyvernia and walk them into Ulteria.", "2 W to U"),
        ("Setze 2 Steine von A nach M und bombardiere EC", "2 A to M; Bomb EC"),
        ("leave one in A, rest to M", "2 A to M"),
        ("Двое из Mu идут в Shalomar", "2 M to S"),
        ("To Mu: one from Atlantea, two from Wyvernia", "1 A to M, 2 W to M"),
        ("all three Wyvernians to Wizard City", "3 W to WC"),
        ("2 Wyvernia (W) to Wizard City (WC)", "2 W to WC"),
    ],
)
def test_everyday_words_are_guessed_in_three_languages(text: str, orders: str) -> None:
    assert guess(START, "red", text).orders == orders


@each(
    ("text", "orders"),
    [
        ("из му все трое в шаломар", "3 M to S"),
        ("Две фишки из Атлантеи в Зефирию", "2 A to Z"),
        ("3 из Му в Мистери Сити", "3 M to MC"),
        ("Two of the men in Wivernia go to Ulteria", "2 W to U"),
    ],
)
def test_areas_are_heard_by_the_sound_of_their_names(text: str, orders: str) -> None:
    assert str(read(Standpoint(OZYMANDIA, START, "red"), text).orders) == orders


@each(
    ("text", "orders"),
    [
        ("The new piece should appear in Atlantea. One piece then moves from there to Mu.", "New A; 1 A to M"),
        ("Новую фишку ставим в Атлантею, оттуда две идут в Му", "New A; 2 A to M"),
        ("Der neue Stein kommt nach Atlantea. Von dort gehen zwei nach Mu", "New A; 2 A to M"),
        ("Zwei aus Wyvernia nach Ulteria, und dorthin auch die Bombe", "2 W to U; Bomb U"),
    ],
)
def test_there_is_the_area_named_last(text: str, orders: str) -> None:
    assert guess(START, "red", text).orders == orders


def test_every_single_piece_is_not_one_piece() -> None:
    assert guess(START, "red", "every single piece in Mu goes to Shalomar").orders == "3 M to S"


def test_no_sentence_about_an_area_is_ignored_because_another_names_it_too() -> None:
    text = "A fresh recruit may be posted to Atlantea. Out of Atlantea, two will proceed to Mu."
    assert guess(START, "red", text).orders == "New A; 2 A to M"
    assert not guess(START, "red", "Someone to Wyvernia. Out of Wyvernia, two go to Ulteria.").sure


def test_a_guess_uses_every_area_that_is_named() -> None:
    assert guess(START, "red", "Bomb EC and HC").orders == ""
    assert not guess(START, "red", "2 A to M, and what of Shalomar").sure


def test_a_number_that_nobody_wrote_is_asked_for() -> None:
    found = suggestion(START, "red", "From Wyvernia to Ulteria please")
    assert (found.orders, *map(str, found.understood)) == ("", "From Wyvernia (W) to Ulteria (U): how many?")


def test_a_number_that_may_mean_something_else_is_never_sure() -> None:
    assert guess(START, "red", "3 A to M. See you on 5 December").sure is False
    assert guess(START, "red", "keep 2 in A and send 3 to M").orders == ""


def test_a_two_that_sounds_like_to_is_one_if_others_count() -> None:
    assert guess(START, "red", "pls shift 3 from atlantea 2 mu").orders == "3 A to M"
    assert guess(START, "red", "atlantea 2 mu").orders in ("", "2 A to M")


def test_all_but_one_is_one_that_stays() -> None:
    assert guess(START, "red", "all but one from A to M").orders == "2 A to M"


def test_what_would_be_meant_and_cannot_be_is_told() -> None:
    assert suggestion(START, "red", "Both in S to M").illegal == "2 S to M"


@pytest.mark.parametrize(
    "text",
    [
        "Bob fears 2 from A to M",
        "Don't move 3 A to M",
        "We discussed bombing EC",
        "3 A to M if Bob goes to S",
        "Wer hat EC bombardiert",
    ],
)
def test_talk_of_orders_is_never_sure(text: str) -> None:
    assert not guess(START, "red", text).sure


@each(
    "text", ["I refuse to move 3 from A to M.", "I loathe to send 3 from A to M", "до двух из A в M", "up to 2 A to M"]
)
def test_a_refusal_or_a_limit_neither_is_sure_nor_stands(text: str) -> None:
    reading = read(Standpoint(OZYMANDIA, START, "red"), text)
    assert reading.orders is None
    assert all(doubt.turn != "unread" for doubt in reading.doubts)


@each(
    "text",
    [
        "3 from A to M were lost",
        "My friend says 3 A to M",
        "Almost 3 from A to M",
        "Ich wollte 3 von A nach M schicken, lasse es aber",
        "в прошлый ход я послал 3 из A в M",
    ],
)
def test_what_is_probably_talk_is_only_proposed(text: str) -> None:
    reading = read(Standpoint(OZYMANDIA, START, "red"), text)
    assert reading.orders is None
    assert all(doubt.turn != "unread" for doubt in reading.doubts)


def test_new_pieces_are_known_by_the_word_and_by_where_they_may_come() -> None:
    assert guess(START, "red", "Put the new piece in Atlantea").orders == "New A"
    assert guess(START, "red", "Put the new piece in Mu").orders == ""


def test_a_pass_is_never_guessed_and_nothing_raises() -> None:
    for text in ("", "Nothing this turn", "?" * 500, "A " * 500, "1 " * 300, "all is well", "\N{SNOWMAN}"):
        assert guess(START, "red", text).orders == ""


def test_what_no_grammar_reads_is_proposed_for_a_yes() -> None:
    reading = read(Standpoint(OZYMANDIA, START, "red"), "zwei aus W torkeln nach U")
    assert (reading.orders, reading.proposal) == (None, "2 W to U")


def test_where_nothing_can_be_proposed_the_answer_says_what_is_understood() -> None:
    reading = read(Standpoint(OZYMANDIA, START, "red"), "from Wyvernia into Wizard City")
    assert [str(one) for one in reading.understood] == ["From Wyvernia (W) to Wizard City (WC): how many?"]


@pytest.mark.parametrize(
    "text",
    [
        "If Bob goes to S, sail a pair across from W to U",
        "Do not sail a pair from W to U",
        "Sail a pair from W to U tomorrow",
    ],
)
def test_nothing_is_guessed_beside_words_that_turn_orders(text: str) -> None:
    reading = read(Standpoint(OZYMANDIA, START, "red"), text)
    assert (reading.orders, reading.proposal) == (None, None)


@pytest.mark.long
def test_the_models_are_what_training_gives() -> None:
    """Scikit-learn's versions may differ in the last digit, and so in which of the least weights are kept."""
    pytest.importorskip("sklearn")
    from tools.train_guess import guess_models, talk_model, texts, texts_of_other_games

    written, made = json.loads(MODELS.read_text(encoding="utf-8")), guess_models()
    assert written["known"] == made["known"]
    written["talk"] = json.loads(MODEL.read_text(encoding="utf-8"))
    made["talk"] = talk_model((*texts(), *texts_of_other_games()))
    for name in ("roles", "counts", "texts", "talk"):
        ours, theirs = written[name]["weights"], made[name]["weights"]
        assert len(ours.keys() & theirs.keys()) >= 0.98 * len(ours)
        assert all(
            abs(one - other) <= 0.05
            for key in ours.keys() & theirs.keys()
            for one, other in zip(ours[key], theirs[key], strict=True)
        )


def test_the_models_are_small() -> None:
    assert MODELS.stat().st_size <= 180_000
    assert MODEL.stat().st_size <= 180_000
