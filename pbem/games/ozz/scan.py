"""The words of a text one by one, each with all that it may be: for lines that the grammar does not read."""

from typing import NamedTuple

from pbem.games.ozz.data import Data
from pbem.games.ozz.spelled import speller

THINGS = frozenset(("counter", "point", "space", "spell", "transport", "digits"))
"""What orders are about."""
ENGLISH = frozenset(("may", "are", "for", "her", "she"))
"""Codes of counters that are English words, too."""
_DIGITS, _SIGN, _NOTHING = frozenset(("digits", "number")), frozenset(("sign",)), frozenset[str]()


class Seen(NamedTuple):
    """A word, a name or a sign as it was written, and where; `kinds` are the <names> of orders.lark that it may be."""

    value: str
    start: int
    spelled: str
    kinds: frozenset[str]

    def may_be(self, *kinds: str) -> bool:
        return not self.kinds.isdisjoint(kinds)


def scan(data: Data, text: str) -> list[Seen]:
    """The words of a text, names of several words in one; quotation marks and blanks fall away."""
    words = speller(data)
    return [
        Seen(one.value, one.start, one.spelled, words.kinds.get(one.spelled) or _kinds(one.value))
        for one in words.seen(text)
    ]


def _kinds(text: str) -> frozenset[str]:
    return _DIGITS if text.isdigit() else _NOTHING if text[0].isalnum() else _SIGN
