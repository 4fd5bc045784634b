"""What words that are no orders may mean, and what is said of them: proposed, never played, nothing left out."""

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.games import find_game
from pbem.games.rocknroll.guess import guessed
from pbem.games.rocknroll.loading import placed
from pbem.orders.lines import read_text
from pbem.orders.reader import read
from pbem.orders.situation import Situation, Standpoint
from support.each import each

GAME: Any = find_game("rocknroll")
STATE = placed(
    "set: expansion; next: vpa; A vpa: Zulu, Doc, Chili; A vietnam: Bao; B vietnam: Mai; hand vpa: Rook, Attack, Move"
)
UNITS, ORDERS = ("Zulu", "Doc", "Chili", "Bao", "Mai", "Rook"), ("Attack", "Attack two", "Move", "March", "Napalm")
LINES = (
    "Deploy {u} {p}", "Attack: {u} > {u}", "Attack two: {u} > {u}, {u} > {u}", "Move two: {u} to {p}, {u} to {p}",
    "March: {u}, {u} to {p}", "Napalm: {p}", "Trade {o} for {u}", "Act {u}, {o}: {u} to {p}", "{o} {u} on {u}",
    "Capture {u} with {o}", "If {u} in {p}: Napalm: {p}", "Reroll {u}: 1 with {o}, orders", "Income: {u}, {u}, deck",
    "Goto {u}: {p}, {p}", "{u} on {p} deploy, {u} to {p}", "Napalm {p} if at least 2 enemies are there",
)  # fmt: skip
OTHERS = ("to", "on", "for", "not", "and", "then", "if", ",", ":", ";", ">", "please", "the", "at", "from", "all", "no",
          "2", "is there", "everyone else stays")  # fmt: skip


@each(
    ("text", "meant"),
    [
        ("Zulu shoots Bao", "Attack: Zulu > Bao"),
        ("Zulu schießt auf Bao", "Attack: Zulu > Bao"),
        ("Пусть Зулу ударит по Бао", "Attack: Zulu > Bao"),
        ("Rook joins us at D", "Deploy Rook D"),
        ("Doc walks over to B and Chili, too", "Move two: Doc to B, Chili to B"),
        ("Doc and Chili both march over to B", "March: Doc, Chili to B"),
        ("Zulu and Doc hit Bao", "Attack two: Zulu > Bao, Doc > Bao"),
        ("give up Doc for an order", "Trade Doc for order"),
        ("Torture the prisoners", "Captives: torture"),
        ("Doc runs to B and hits Mai", "Move: Doc to B; Attack: Doc > Mai"),
        ("Rook goes to B", ""),  # no end of the row, where a unit of the hand could come
        ("Doc goes to D", ""),  # too far
        ("Bao attacks Zulu", ""),
        ("Zulu does not attack Bao", ""),
        ("Zulu or Doc attacks Bao", ""),
        ("Zulu attacks Bao twice or 3 times", ""),
        ("Zulu and all others go to B", ""),
        ("Zulu attacks Bao, otherwise Doc", ""),
        ("I pass on Zulu", ""),
        ("nothing from Zulu", ""),
        ("Zulu", ""),
    ],
)
def test_words_with_one_meaning_are_guessed_and_no_others(text: str, meant: str) -> None:
    assert "; ".join(map(str, guessed(STATE, "vpa", text))) == meant


def test_a_guess_is_proposed_and_not_played() -> None:
    found = read(Standpoint(GAME, STATE, "vpa"), "Zulu shoots Bao\nMove: Doc to B")
    assert (found.orders, found.proposal) == (None, "Attack: Zulu > Bao; Move: Doc to B")


@pytest.mark.parametrize(
    ("text", "deck"),
    [
        ("Trade Move for a unit", "deck"),
        ("Манёвр меняю на юнит", "колода"),
        ("Tausche Move gegen eine Einheit", "deck"),
    ],
)
def test_a_card_for_just_a_unit_is_asked_about_and_the_top_of_the_deck_proposed(text: str, deck: str) -> None:
    found = read_text(Standpoint(GAME, STATE, "vpa"), text)
    expected = f"Which unit? Name one in the reserve, or write `{deck}` for the top one."
    assert ([one.sentence for one in found.mistakes], found.proposal) == ([expected], "Trade Move for deck")


@pytest.mark.parametrize(
    ("text", "proposal"),
    [
        ("Ага, понял. Рук на Д.\nЗулу и Док идут в Б.", "Deploy Rook D; Move two: Zulu to B, Doc to B"),
        ("auf ein gutes Spiel! Rook nach D.", "Deploy Rook D"),
        ("Ага, понял. Рук не на Д.\nЗулу и Док идут в Б.", None),
    ],
)
def test_words_that_name_nothing_of_the_game_keep_nothing_from_being_proposed(text: str, proposal: str | None) -> None:
    found = read_text(Standpoint(GAME, STATE, "vpa"), text)
    assert (found.orders, found.proposal) == (None, proposal)
    assert "Ага" not in str([one.text[one.column :][: one.width] for one in found.mistakes])


def test_nothing_is_proposed_to_a_seat_that_is_not_on_turn_but_standing_orders() -> None:
    found = read_text(Standpoint(GAME, STATE, "vietnam"), "Bao shoots Zulu")
    assert found.proposal is None
    assert "It is VPA's turn; you can send standing orders." in [one.sentence for one in found.mistakes]
    assert (
        read_text(Standpoint(GAME, STATE, "vietnam"), "as income Scout, then the deck").proposal
        == "Income: Scout, deck"
    )


@pytest.mark.parametrize(
    ("text", "marked", "sentence"),
    [
        ("Deploy Rook A or D", "or D", '"or D" cannot be read.'),
        ("Attack: Zulu > ?", "?", '"?" cannot be read: a unit belongs here.'),
        ("Reroll Doc: 12", "12", '"12" cannot be read: a number 0-9 belongs here.'),
        ("Trade Doc", "Trade Doc", "What for what? `Trade Doc for order` or `Trade Attack for deck`, for example."),
        ("Let Doc go to D", "Doc go to D", "Doc, D: which order? `Deploy Rook D`, for example."),
        ("Пусть Док пойдёт на Д", "Док пойдёт на Д", "Док, Д: which order? `Развернуть Рук Д`, for example."),
        ("Attack Bao Zulu", "Attack Bao Zulu", "Who attacks whom? Write `Bao > Zulu` or `Zulu > Bao`."),
        ("Deploy Rook A - Pass", "-", "Another order begins here: put a semicolon or a new line before it."),
    ],
)  # fmt: skip
def test_what_is_not_read_is_told_in_its_place_with_what_would_be_right(text: str, marked: str, sentence: str) -> None:
    (wrong,) = read_text(Standpoint(GAME, STATE, "vpa"), f"Move: Doc to B\n{text}").mistakes
    assert (wrong.line, wrong.text[wrong.column :][: wrong.width], wrong.sentence) == (2, marked, sentence)


@given(st.integers(0, 2**32))
def test_what_a_line_names_is_in_its_orders_or_nothing_is_read_of_it(seed: int) -> None:
    random, names = Random(seed), list[str]()

    def name(found: re.Match[str]) -> str:
        names.append(random.choice({"u": UNITS, "o": ORDERS, "p": ("A", "B", "C", "D")}[found[1]]))
        return names[-1]

    words = re.sub(r"\{(.)\}", name, random.choice(LINES)).split(" ")
    for _ in range(random.randint(0, 3)):
        at = random.randrange(len(words) + 1)
        words[at:at] = [random.choice(OTHERS)]
    items = Situation(GAME, STATE).grammar.parse(" ".join(words))
    found = GAME.interpret(STATE, "vpa", items) if items is not None else None
    if found and not found.mistakes:
        made = f"{found.orders} {found.standing}"
        assert [one for one in names if not re.search(rf"\b{one}\b", made)] == [], " ".join(words)


@pytest.mark.parametrize(
    "text",
    [
        "Рук, Зулу на Д, Чили и Док на А",
        "Rook and Zulu to D, Chili and Doc to A",
        "Rook, Zulu nach D, Chili, Doc nach A",
    ],
)
def test_units_that_go_to_several_points_are_told_apart_by_what_stands_before_each(text: str) -> None:
    state = placed("next: vpa; hand vpa: Doc, Zulu, Rook, Chili")
    assert "; ".join(map(str, guessed(state, "vpa", text))) == (
        "Deploy Rook D; Deploy Zulu D; Deploy Chili A; Deploy Doc A"
    )


@each(
    ("text", "meant"),
    [
        ("Deploy all A", "Deploy Rook A; Deploy Doc A; Deploy Zulu A"),
        ("Всех на А!", "Deploy Rook A; Deploy Doc A; Deploy Zulu A"),
        ("Рук в А, остальные в Д", "Deploy Rook A; Deploy Doc D; Deploy Zulu D"),
        ("All to A: Zulu, Doc, Rook", "Deploy Zulu A; Deploy Doc A; Deploy Rook A"),
        ("Rook nach A, der Rest nach D", "Deploy Rook A; Deploy Doc D; Deploy Zulu D"),
        ("Рук и Док в А. Рук потом идёт в Б", "Deploy Rook A; Deploy Doc A; Move: Rook to B"),
        ("Rook to A, then Rook walks to B", "Deploy Rook A; Move: Rook to B"),
        ("Всё понятно. Рук в А", "Deploy Rook A"),
        ("Всё не так. Рук в А", None),
        ("Развернуть Рук А, затем Рук идёт в Б", "Deploy Rook A; Move: Rook to B"),
        ("Rook to A, the others stay", None),
        ("Rook to A, nobody else", None),
        ("Good luck!", None),
        ("Hi! Rook to A, the others to D", "Deploy Rook A; Deploy Doc D; Deploy Zulu D"),
    ],
)
def test_all_and_the_others_are_proposed_by_name_and_who_has_come_may_go_on(text: str, meant: str | None) -> None:
    state = placed("set: expansion; next: vpa; hand vpa: Rook, Doc, Zulu, Attack, Move; A vietnam: Bao")
    assert read_text(Standpoint(GAME, state, "vpa"), text).proposal == meant


def test_of_a_name_of_two_words_the_last_is_enough() -> None:
    state = placed("set: expansion; next: vpa; hand vpa: Pink Nipple, Attack; A vietnam: Bao")
    assert str(read_text(Standpoint(GAME, state, "vpa"), "Ставлю Соска на А").orders) == "Deploy Pink Nipple A"


def test_a_line_of_hardly_anything_but_names_is_never_left_out_as_a_remark() -> None:
    state = placed("next: vpa; hand vpa: Rook, Doc, Boomer, Zulu, Attack; A vietnam: Bao")
    found = read(Standpoint(GAME, state, "vpa"), "Всех на Д: Рук, Зулу, Док, Бумер.\nПотом атака: Бумер бьёт Бао.")
    deployed = "; ".join(f"Deploy {unit} D" for unit in ("Rook", "Zulu", "Doc", "Boomer"))
    assert (found.orders, found.proposal) == (None, f"{deployed}; Attack: Boomer > Bao")


@pytest.mark.parametrize(
    ("cards", "meant"),
    [
        ("Attack, Attack two", "Attack: Doc > Bao"),
        ("Attack two, All five", "Attack two: Doc > Bao"),
        ("All five, All six", "All six: Doc > Bao"),
        ("All five, Move", "Attack: Doc > Bao"),  # which may yet be drawn
    ],
)
def test_an_order_of_the_hand_is_proposed_where_one_fits(cards: str, meant: str) -> None:
    state = placed(f"next: vpa; A vpa: Doc; A vietnam: Bao; hand vpa: {cards}")
    assert "; ".join(map(str, guessed(state, "vpa", "Doc shoots Bao"))) == meant


def test_units_that_go_one_after_the_other_are_proposed_by_one_order_that_is_for_all() -> None:
    state = placed("next: vpa; A vpa: Doc, Zulu; hand vpa: Move two, Move two")
    assert (
        "; ".join(map(str, guessed(state, "vpa", "Doc goes to B, Zulu goes to B"))) == "Move two: Doc to B, Zulu to B"
    )


def test_who_comes_in_one_line_may_go_on_in_the_next() -> None:
    state = placed("next: vpa; A vpa: Zulu; A vietnam: Bao; hand vpa: Doc, Rook, Move, Move two")
    found = read(
        Standpoint(GAME, state, "vpa"), "Doc to A, Rook to D\nZulu goes to B\nthen Doc walks to B, Rook walks to C"
    )
    assert found.proposal == "Deploy Doc A; Deploy Rook D; Move: Zulu to B; Move two: Doc to B, Rook to C"


def test_the_last_card_of_a_line_is_no_order_for_the_next_line() -> None:
    state = placed("next: vpa; A vietnam: Bao; hand vpa: Doc, Move, Move two")
    found = read(Standpoint(GAME, state, "vpa"), "Reroll feature: 2 with Move two, Move\nDoc to A")
    assert (found.orders, found.proposal) == (None, "Reroll feature: 2 with Move two, Move; Deploy Doc A")


def test_a_unit_of_two_words_is_known_by_the_second() -> None:
    state = placed("set: expansion; next: vpa; A vpa: Pink Nipple; hand vpa: Move, Attack")
    for text in ("Манёвр: Сосок в Б", "Move: Nipple to B"):
        assert str(read_text(Standpoint(GAME, state, "vpa"), text).orders) == "Move: Pink Nipple to B"


def test_a_greeting_on_a_line_of_its_own_is_a_remark() -> None:
    state = placed("next: vpa; hand vpa: Doc")
    found = read(Standpoint(GAME, state, "vpa"), "Привет!\nРазвернуть Док А")
    assert (str(found.orders), found.remarks) == ("Deploy Doc A", ("Привет!",))
