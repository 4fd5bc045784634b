"""Lines of a letter that are meant as orders, and lines that are prose."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from pbem.games.base import Unread
from pbem.games.rocknroll.cards import CardSet
from pbem.games.rocknroll.items import PlayItem, StepItem, StrikeItem, SuperItem
from pbem.games.rocknroll.names import FOLDER, names_of
from pbem.games.words import order_words

_BEGINNINGS = (
    "deploy", "trade", "use", "act", "sell", "buy", "capture", "if", "pass", "income", "reroll", "rocknroll", "pour",
    "react", "first", "block", "goto", "lose", "captives",
)  # fmt: skip
_FIRST_WORD = re.compile(r"\W*([^\W\d_]{3,})")

LINE_START = "|".join(f"<{word}>" for word in _BEGINNINGS)
"""How a line of orders may begin, but for the names of cards."""


@cache
def _beginning() -> re.Pattern[str]:
    words = order_words(FOLDER)
    return re.compile(rf"[^\w\n]*(?:\d+[.)] *)?(?:{'|'.join(words[name] for name in _BEGINNINGS)})\b", re.I)


def is_attempt(cards: CardSet, line: str, items: Sequence[Any]) -> bool:
    """Whether a line is meant as orders: something in it can be read, or it begins as a command does, or with the name
    of a card that a sign follows."""
    if any(_is_order(cards, item) for item in items) or _beginning().match(line):
        return True
    first = _FIRST_WORD.match(line)
    return bool(first and re.search("[:>]", line) and names_of(cards).find(first[1]))


def _is_order(cards: CardSet, item: Any) -> bool:
    """Whether an item can only be an order. "Note: thanks" looks like one for which no target is said."""
    if isinstance(item, Unread):
        return False
    if not isinstance(item, PlayItem | SuperItem):
        return True
    if isinstance(item, PlayItem) and any(isinstance(part, StrikeItem | StepItem) for part in item.parts):
        return True
    names = names_of(cards)
    return bool(names.find(item.card.value) or names.nearest(item.card.value))
