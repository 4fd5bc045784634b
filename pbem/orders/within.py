"""Chat in one sentence with orders: "2 A to AC, with love from Wales".

What is joined to an order is judged more strictly than a sentence of its own: with any word that may turn orders, the
whole is asked about.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from pbem.games.base import AnyGame
from pbem.i18n.words import alternatives
from pbem.orders import doubt
from pbem.orders.doubt_words import folded, phrases, search
from pbem.patterns import compiled

_MOST_CUTS = 8  # of a sentence; one with more is prose


def without_chat(game: AnyGame, state: Any, sentence: str, explains: Callable[[str], bool]) -> str:
    """What is left of a sentence that is orders without the chat behind or before them; "" if that is not explained."""
    for orders, beside in _ways(sentence):
        if orders and beside and explains(orders) and is_chat_beside(game, state, beside):
            return orders
    return ""


def is_chat_beside(game: AnyGame, state: Any, text: str) -> bool:
    """Whether words in one sentence with orders are chat for sure: they have nothing that may turn orders."""
    if doubt.may_turn(text) or doubt.counts_or_names(game, state, text) or may_belong(text):
        return False
    return doubt.is_chat(game, state, text)


def may_belong(text: str) -> bool:
    """Whether words may belong to the order before them: when, or who says so."""
    said = folded(text)
    return search("within", "said", said) is not None or _begins("when").match(said) is not None


@cache
def _begins(kind: str) -> re.Pattern[str]:
    return compiled(rf"\W*{alternatives(phrases('within', kind))}(?![\w'-])")


def _ways(sentence: str) -> Iterator[tuple[str, str]]:
    """The ways to part a sentence in two, where people join: what may be orders, and what may be chat."""
    for cut in list(_cut().finditer(sentence))[:_MOST_CUTS]:
        before, behind = sentence[: cut.start()].strip(" ,"), sentence[cut.end() :].strip(" ,)")
        yield before, behind
        if not cut[0].startswith("(") and doubt.greets(before):  # "I fear, 2 A to AC" is no greeting
            yield behind, before


@cache
def _cut() -> re.Pattern[str]:
    return compiled(rf",?\s+{alternatives(phrases('within', 'joining'))}\b|,|\(|\s[-–—]+\s")
