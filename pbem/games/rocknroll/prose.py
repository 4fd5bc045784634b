"""Lines of a letter that are meant as orders, and lines that are prose: "Good luck, Doc was great" orders nothing.

Whoever writes of cards writes their names, too, so that a name alone is no order.
"""

import re
from collections.abc import Sequence
from functools import cache

from pbem.games.base import Unread
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.guess import guessed, idle_words, said_in
from pbem.games.rocknroll.names import FOLDER, Amount, Item, names_of, words_of
from pbem.games.rocknroll.state import State
from pbem.games.words import order_words

STARTS = (
    "deploy", "trade", "use", "act", "sell", "buy", "capture", "if", "unless", "pass", "play",
    "income", "reroll", "rocknroll", "pour", "react", "first", "block", "goto", "lose", "captives",
)  # fmt: skip
"""The words that a line of orders may begin with, besides the names of cards."""
_FEW = 6  # words of an order
_LONG = 12  # words of a remark that may be an order


def is_attempt(state: State, items: Sequence[Item | Unread]) -> bool:
    """Whether a line of a letter is meant as orders; `items` are what could be read of it."""
    return any(
        _looks_like_orders(state, item.value) if isinstance(item, Unread) else _is_order(state.cards, item)
        for item in items
    )


def _is_order(cards: CardSet, item: Item) -> bool:
    """Whether what was read can only be an order: "Use force" and "Note: thanks" name nothing."""
    if item.rule in ("pass", "rule", "negated", "if", "unless") or any(isinstance(part, Amount) for part in item.parts):
        return True
    names, words = names_of(cards), words_of(item)
    known = [
        word
        for word in words
        if word.type in ("UNIT", "CARD", "POINT", "NO_POINT", "ORDER", "DECK", "VALUE")
        or (word.type == "WORD" and item.rule != "bare" and names.nearest(word.value))
    ]
    return len(known) > (item.rule == "play")


def _looks_like_orders(state: State, text: str) -> bool:
    """Whether words that are no order begin as one does, and name what it would be about; or could be guessed."""
    found = said_in(state.cards, text)
    kinds = [one.kind for one in found]
    named = sum(bool(one.name) for one in found)
    if _begins().match(text):
        return named > 0 or bool({"w_deck", "w_order", "w_unit"} & {*kinds[1:]})
    if named > 1 and ("card" in kinds or (kinds[-1] == "point" and len(text.split()) <= _FEW)):
        return True
    if {"w_all", "point"} <= {*kinds} and len(text.split()) <= _FEW:
        return True
    if "point" in kinds and named > 1 and 2 * idle_words(state.cards, text) <= named:
        return True
    if "sign" in kinds and named > 1 and re.search("[>→⇒➔➜➡]", text):
        return True
    return any(guessed(state, seat, text) for seat, _ in state.seats)


@cache
def _begins() -> re.Pattern[str]:
    words = order_words(FOLDER)
    leading = "|".join(words[one] for one in ("filler", "polite", "then", "and"))
    return re.compile(rf"\W*(?:(?:{leading})\b\W*)*(?:{'|'.join(words[one] for one in STARTS)})\b", re.I)


def is_about(cards: CardSet, text: str) -> bool:
    """Whether a remark, in small letters, may be an order that is not read: what a unit does, or all do at a Point."""
    if len(text.split()) > _LONG:
        return False
    found = said_in(cards, text)
    kinds = {one.kind for one in found}
    verbs = kinds & {"w_goes", "w_against", "w_marches"}
    if verbs and kinds & {"w_all", "w_others"} and "point" in kinds:
        return True
    deeds = {f"w_{one}" for one in ("deploy", "trade", "use", "act", "sell", "buy", "capture")}
    return bool(verbs or deeds & kinds) and bool(kinds & {"unit", "card"})
