"""The grammar of orders in the form that llguidance reads: what becomes of a small one, word for word; and which
answers of a language model those of the games accept."""

import json
from functools import cache
from typing import Any

import pytest
from lark import Lark

from pbem.interpreter.__main__ import templates
from pbem.orders.constraint import constraint
from support.cases import begun
from tools.beside import letters
from tools.replies import HANDS

GRAMMAR = r"""
orders: item (_SEP item)*
item: COUNT? AREA _TO AREA -> move
    | PASS
COUNT: /(\d+|all)\b */i
AREA:  /(?!to\b)[^\W\d_]+( [^;"]+)?/i
_TO:   / *(to\b|on +to|[-=]*>) */i
PASS:  /pass(e|ing)?(?= *(;|$))|no +(moves?|orders)|\x00/i
_SEP:  /[;\n]([ ;\n]|and\/or)*/
_MARKS: /[ :"*]/
%ignore _MARKS
"""
TRANSLATED = r"""
orders: r_orders
r_orders: r_item r___orders_star_0 | r_item
r_item: t_count t_area t__to t_area | t_area t__to t_area | t_pass
r___orders_star_0: t__sep r_item | r___orders_star_0 t__sep r_item
t_area: (/(?i:[^\W\d_"\\\n]+)/ (/(?i:[^;""\\\n]+)/)?)
t_count: (/(?i:(?:\d+|all))/)
t_pass: (/(?i:pass(?:e|ing)?)/ | /(?i:no)/ /(?i:(?:moves?|orders))/ | /(?i:the)/ /(?i:idle)/)
t__sep: /(?i:[;])/ (/(?i:[;]|and\/or)/)*
t__to: ((/(?i:to|[-=]*>)/ | /(?i:on)/ /(?i:to)/))
%ignore /[ :]/
"""


def test_words_are_taken_apart_and_what_stands_around_them_does_not_matter() -> None:
    lark = Lark(GRAMMAR, parser="lalr", start="orders")
    assert constraint(lark, {"\0": "the idle"}).strip() == TRANSLATED.strip()


@cache
def matcher(game: str) -> Any:
    llguidance = pytest.importorskip("llguidance", reason="llguidance has no wheel for this Python")
    text = templates().get_template("answer.lark.j2").render(orders=begun(game).situation.constraint)
    return llguidance.LLMatcher(llguidance.LLTokenizer("byte"), llguidance.LLMatcher.grammar_from_lark(text))


def accepts(game: str, answer: str) -> bool:
    one = matcher(game)
    one.reset()
    tokens = list(answer.encode())
    return bool(one.try_consume_tokens(tokens) == len(tokens) and one.is_accepting())


def accepts_orders(game: str, orders: str) -> bool:
    return accepts(game, json.dumps({"orders": orders, "because": ["as I said"]}, ensure_ascii=False))


@pytest.mark.long
@pytest.mark.parametrize("game", ["ozymandia", "rocknroll", "ozz"])
def test_an_answer_with_orders_in_notation_is_accepted(game: str) -> None:
    every = (one for path in HANDS.glob("*.txt") for one in letters(path, "orders") if one.game == game)
    orders = {one.label.removeprefix("? ") for one in every} - {"none"}
    assert len(orders) > 100
    assert [one for one in orders if not accepts_orders(game, one)] == []


@pytest.mark.long
@pytest.mark.parametrize(
    "answer",
    [
        {"command": "vacation 1 December", "because": ["away", 'from the "1st"']},
        {"answer": "yes", "because": ["да, согласен"]},
        {"answer": "no", "because": ["nope"]},
        {"asks": "Which of the two?"},
        {"orders": "Pass", "because": ["I wait"]},
    ],
)
def test_all_kinds_of_answers_are_accepted(answer: dict[str, Any]) -> None:
    assert accepts("ozymandia", json.dumps(answer))
    assert accepts("ozymandia", json.dumps(answer, ensure_ascii=False, separators=(",", ":")))


@pytest.mark.long
@pytest.mark.parametrize(
    "answer",
    [
        "Sure! Here are the orders",
        "{}",
        '{"orders": "Pass"}',
        '{"orders": "Pass", "because": []}',
        '{"orders": "Pass", "command": "draw", "because": ["x"]}',
        '{"answer": "maybe", "because": ["x"]}',
        '{"asks": "Which?", "because": ["x"]}',
        '{"orders": "Pass", "because": ["I wait"]} and more',
    ],
)
def test_answers_in_another_form_are_refused(answer: str) -> None:
    assert not accepts("ozymandia", answer)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "orders"),
    [
        ("ozymandia", "the three lads"),
        ("ozymandia", "3 A to M; I resign!"),
        ("rocknroll", "Deploy 99999"),
        ("rocknroll", "the three lads stroll over"),
        ("ozz", "the three lads stroll over"),
        ("ozz", "Move SOU: M2-M99"),
        ("ozz", "Move XYZ: M2-M4"),
    ],
)
def test_what_is_no_order_is_refused(game: str, orders: str) -> None:
    assert not accepts_orders(game, orders)
