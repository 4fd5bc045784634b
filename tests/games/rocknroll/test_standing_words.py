"""Standing orders and the end of a war in words."""

import pytest

from pbem.games import find_game
from pbem.games.chance import any_chance
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.loading import placed
from pbem.games.rocknroll.orders import KEYS
from pbem.games.rocknroll.wording import describe_standing, usual
from pbem.i18n.languages import say_in
from pbem.orders.lines import read_text
from pbem.orders.situation import Standpoint
from support.each import each

BASE, EXPANSION = find_set("base"), find_set("expansion")
GAME = find_game("rocknroll")

SAID = [
    ("Reroll attack", "1 with Move, orders", "attacks: up to 1 reroll, paid for with Move, any orders"),
    ("Reroll Doc", "2 each", "Doc: up to 2 rerolls, of either die"),
    ("Rocknroll all", "always", "all units: ROCK'N'ROLL always"),
    ("Rocknroll Zulu", "Bao, Mai", "Zulu: ROCK'N'ROLL against Bao, Mai"),
    ("Pour attack", "to 4 sell orders", "attacks: RD poured in up to a natural 4, cards sold for it: any orders"),
    ("React Johny", "move", "Johny: moves away after an attack"),
    ("First", "Doc, Johny", "first in your turn: Doc, Johny"),
    ("Block Bao", "Zulu", "Bao: of several, attacks Zulu first"),
    ("Goto Mai", "B", "Mai: when it moves by itself, goes to B"),
    ("Lose", "deck", "lost if no unit is in a Point: the deck"),
    ("Captives", "recruit", "prisoners: recruit"),
    ("Income", "Doc, deck", "wanted at the next income: Doc, the deck"),
]


@each(("key", "value", "words"), SAID)
def test_every_kind_of_standing_order_is_told_in_plain_words(key, value, words):
    assert describe_standing(EXPANSION, "vpa", {key: value}, say_in("en")) == words


def test_who_wishes_for_a_unit_of_the_enemy_is_told_that_it_never_comes():
    assert describe_standing(BASE, "vpa", {"Income": "Doc, Bao"}, say_in("en")) == (
        "wanted at the next income: Doc, Bao, but enemy units never come to you: Bao"
    )


def test_the_examples_are_of_all_kinds_and_russian_readers_get_none_of_them_in_english():
    assert {key.split()[0] for key, _, _ in SAID} == {*KEYS}
    text = describe_standing(EXPANSION, "vpa", {key: value for key, value, _ in SAID}, say_in("ru"))
    assert "Бао: из нескольких атакует сначала Зулу" in text
    assert "Май по своей воле идёт в Б" in text


def test_what_is_left_open_is_told_as_far_as_the_set_has_it():
    assert "prisoners are left alone" in usual(EXPANSION, {}, say_in("en"))
    assert "prisoners" not in usual(BASE, {}, say_in("en"))
    assert "rerolls" not in usual(BASE, {"Reroll Doc": "1"}, say_in("en"))


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        ("set: base; winner: vpa; ok vpa: 5; A vpa: Doc; A vietnam: Bao", "VPA has won the war: it has 5 OK."),
        (
            "set: expansion; winner: vietnam; ok vpa: 1; A vietnam: Bao",
            "Vietnam has won the war: VPA has no units left.",
        ),
        (
            "set: base; round: 30; winner: vpa; ok vpa: 3; ok vietnam: 2; A vpa: Doc; A vietnam: Bao",
            "VPA has won the war: 3 OK to 2 after the last round.",
        ),
        (
            "set: base; winner: draw; ok vpa: 2; ok vietnam: 2; A vpa: Doc; A vietnam: Bao",
            "Neither side has won the war: 2 OK each after the last round.",
        ),
        ("set: expansion; winner: draw", "Neither side has won the war: no unit is left on either side."),
    ],
)
def test_the_end_of_a_war_says_why(position, reason):
    start = GAME.new({"set": "expansion" if "expansion" in position else "base"}, any_chance())
    result = GAME.result(GAME.placed(start, position))
    assert result is not None
    assert result.reason == reason


@each(
    ("text", "rule"),
    [
        ("Pour attack: no", "Pour attack: 0"),
        ("Влить атака: нет", "Pour attack: 0"),
        ("Zugabe Angriff: nie", "Pour attack: 0"),
        ("Reroll Zulu: never", "Reroll Zulu: 0"),
        ("do not pour for attack", "Pour attack: 0"),
    ],
)
def test_no_is_a_value_of_what_takes_a_number(text, rule):
    state = placed("set: expansion; next: vpa")
    assert read_text(Standpoint(GAME, state, "vpa"), text).standing == (rule,)


@each(
    ("language", "line"),
    [
        ("en", "`Pour attack: default`"),
        ("de", "`Zugabe Angriff: üblich`"),
        ("ru", "`Влить атака: как обычно`"),
    ],
)
def test_it_is_told_how_a_standing_order_is_taken_back(language, line):
    state = placed("set: expansion; next: vpa")
    told = GAME.paraphrase_standing(GAME.view(state, "vpa"), "Pour attack: 1", say=say_in(language))
    assert line in told
    (rule,) = read_text(Standpoint(GAME, state, "vpa"), line.strip("`")).standing
    assert GAME.paraphrase_standing(GAME.view(state, "vpa"), rule) == ""


def test_a_cancelled_standing_order_is_not_told_as_one_in_force():
    cancelled = GAME.with_standing("Reroll attack: 2 with March; Income: Zulu, deck", ("Reroll attack: default",))
    assert GAME.in_force(cancelled) == "Income: Zulu, deck"


@each(
    ("text", "orders"),
    [
        ("Pour 1: Attack: Hardman > Cobra", "Pour 1: Attack: Hardman > Cobra"),
        ("Zugabe 1: Angriff: Hardman > Cobra", "Pour 1: Attack: Hardman > Cobra"),
        ("Влить 1: Атака: Хардман > Кобра", "Pour 1: Attack: Hardman > Cobra"),
        ("Attack: Hardman > Cobra, pour 1", "Pour 1: Attack: Hardman > Cobra"),
        ("Attack: Hardman > Cobra; pour 2 into this attack", "Pour 2: Attack: Hardman > Cobra"),
        ("Angriff: Hardman > Cobra. Zugabe 1 in diesen Angriff", "Pour 1: Attack: Hardman > Cobra"),
        ("Атака: Хардман бьёт Кобру. Влить 1 РД в эту атаку", "Pour 1: Attack: Hardman > Cobra"),
        ("If hit: Pour 2: Attack: Hardman > Cobra", "If hit: Pour 2: Attack: Hardman > Cobra"),
    ],
)
def test_what_is_said_of_one_throw_is_for_that_throw(text, orders):
    found = read_text(Standpoint(GAME, placed("set: expansion; next: vpa"), "vpa"), text)
    assert (str(found.orders), found.standing) == (orders, ())


@each(
    "text",
    [
        "All six: Boomer > Cobra. Attack: Hardman > Cobra. Pour 1 for attack",
        "Все шесть: Бумер бьёт Кобру. Атака: Хардман бьёт Кобру. Влить в атаку 1 RD.",
    ],
)
def test_a_standing_order_behind_an_attack_is_asked_about(text):
    found = read_text(Standpoint(GAME, placed("set: expansion; next: vpa"), "vpa"), text)
    proposal = "All six: Boomer > Cobra; Pour 1: Attack: Hardman > Cobra"
    assert (found.orders, found.standing, found.proposal) == (None, (), proposal)
    assert "For this throw only, or for all from now on?" in str(found.mistakes[0].sentence)


@each("text", ["Pour to 4: Attack: Hardman > Cobra", "Reroll 1: Attack: Hardman > Cobra", "pour 1 into this attack"])
def test_what_cannot_be_poured_once_is_refused(text):
    found = read_text(Standpoint(GAME, placed("set: expansion; next: vpa"), "vpa"), text)
    assert (found.orders, found.standing) == (None, ())
    assert found.mistakes
