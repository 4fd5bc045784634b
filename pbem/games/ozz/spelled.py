"""A letter as the grammar reads it: each word that an order may have is one character, whatever language it is of.

There are some thousand ways to write the words of orders, and names of counters and points. Each has a character of its
own, and a <name> in orders.lark stands for a class of them. Blanks behind it keep every other thing in its place.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from pbem.games.base import Terminals
from pbem.games.ozz.data import Data
from pbem.games.ozz.names import LONGEST, as_spelled, names_of, phrases, spells
from pbem.games.ozz.wording import CALLED
from pbem.games.spelling import folded, latin

_FIRST = 0xF0000  # of the characters for private use: more than there are words
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")
_TRANSPORT = "transport"
_NUMBERS = tuple(f"n{number}" for number in range(11))
_NAMES, _NOTHING = frozenset(("counter", "point")), frozenset[str]()
_DIGITS, _SIGN = frozenset(("digits", "number")), frozenset(("sign",))
THINGS = frozenset(("counter", "point", "space", "spell", "transport", "digits"))
"""What orders are about."""
ENGLISH = frozenset(("may", "are", "for", "her", "she"))
"""Codes of counters that are English words, too."""
_ROWS, _COLUMNS = "123456789", "lcrс"  # the last one is Cyrillic


class Seen(NamedTuple):
    """A word, a name or a sign: as it was written, where, how it is spelled in the table ("" if it is not there), and
    all <names> of orders.lark that it may be.
    """

    value: str
    start: int
    spelled: str
    kinds: frozenset[str]

    def may_be(self, *kinds: str) -> bool:
        return not self.kinds.isdisjoint(kinds)


def _kinds(data: Data) -> Mapping[str, frozenset[str]]:
    """What each text stands for that orders may have with a data set."""
    found: dict[str, set[str]] = {phrase: set(names) for phrase, names in phrases().items()}
    for text, names in found.items():
        if not names.isdisjoint(_NUMBERS):
            names.add("number")
        if " " in text:  # `move second`, but not `second` alone
            names |= {f"go_{name}" for name in ("first", "second") if name in names}
    spaces = [(row + column, column + row) for row in _ROWS for column in _COLUMNS]
    named: Mapping[str, Iterable[str]] = {
        "counter": names_of(data).spellings(),
        "point": names_of(data).point_spellings(),
        "space": chain(*spaces),
        "spell": (phrase for phrase, spell in spells().items() if spell != _TRANSPORT),
        "transport": (phrase for phrase, spell in spells().items() if spell == _TRANSPORT),
        "nation": (str(nation).casefold() for nation in CALLED.values()),
    }
    for kind, texts in named.items():
        for text in texts:
            if text != "this":  # no genitive of Thi
                found.setdefault(text, set()).add(kind)  # R1 is a point and a space
    for names in found.values():
        if not names.isdisjoint(("never", "not")):
            names.discard("point")  # the Never Ending River has more words
    return {text.replace("-", " - "): frozenset(kinds) for text, kinds in found.items()}


class Speller:
    """The words that orders may have with a data set: `kinds` are the <names> that each stands for, by its spelling."""

    def __init__(self, data: Data) -> None:
        self.kinds = _kinds(data)
        self._longest: dict[str, int] = {}
        for text in self.kinds:
            first, *others = text.split()
            self._longest[first] = max(self._longest.get(first, 1), len(others) + 1)
        named = (text for text, kinds in self.kinds.items() if not kinds.isdisjoint(_NAMES))
        self._begun = {text.split()[0] for text in named} | set(_ROWS) | {""}
        ordered = sorted(self.kinds, key=lambda text: (sorted(self.kinds[text]), text))
        self._signs = {text: chr(_FIRST + number) for number, text in enumerate(ordered)}
        self._texts = {sign: text for text, sign in self._signs.items()}
        classes: dict[str, list[str]] = {}
        for text in ordered:
            for kind in self.kinds[text]:
                classes.setdefault(kind, []).append(self._signs[text])
        self.terminals: Terminals = tuple((kind, _class(signs)) for kind, signs in sorted(classes.items()))
        self._line = lru_cache(maxsize=4096)(self._spelled)

    def spell(self, text: str) -> str:
        """A text with the characters of its words in their place."""
        return "\n".join(map(self._line, text.split("\n")))

    def _spelled(self, text: str) -> str:
        found, at = list[str](), 0
        for one in self.seen(text):
            found.append(text[at : one.start])
            at = one.start + len(one.value)
            found.append(self._signs[one.spelled].ljust(len(one.value)) if one.spelled else self._kept(one.value))
        return "".join((*found, text[at:]))

    def _kept(self, text: str) -> str:
        return "".join("?" if ord(char) >= _FIRST else char for char in text)

    def said(self, spelled: str) -> str:
        """What characters stand for, with a blank between words."""
        return " ".join("".join(f" {self._texts[char]} " if char in self._texts else char for char in spelled).split())

    def seen(self, text: str) -> Iterator[Seen]:
        """The words, names and signs of a text, those of most words first."""
        words = list(_WORD.finditer(text))
        at = 0
        while at < len(words):
            count, spelled = self._known(text, words, at)
            start, end = words[at].start(), words[at + count - 1].end()
            yield Seen(text[start:end], start, spelled, self.kinds.get(spelled) or _kinds_of(text[start:end]))
            at += count

    def _known(self, text: str, words: list[re.Match[str]], at: int) -> tuple[int, str]:
        """How many words from one on are in the table together, and how they are spelled there."""
        first = folded(words[at][0])
        named = self._named(text, words, at)
        for count in range(min(self._longest.get(first, 0), len(words) - at), 0, -1):
            said = " ".join(folded(word[0]) for word in words[at : at + count])
            if said in self.kinds and count >= named[0]:
                return count, said
        code = latin(words[at][0]).casefold()
        return named if named[0] else (1, code if code in self.kinds else "")

    def _named(self, text: str, words: list[re.Match[str]], at: int) -> tuple[int, str]:
        """The same for a name of a counter or a point, with genitives, and its last word in the plural."""
        first = words[at][0]
        if not first[0].isalnum() or as_spelled(first).partition(" ")[0] not in self._begun:
            return 0, ""
        found = 0, ""
        for count, last in enumerate(words[at : at + LONGEST], start=1):
            if not last[0][0].isalnum():
                if last[0] not in "-.‐":
                    break
                continue
            said = text[words[at].start() : last.end()]
            if (count > 1 and _ends_before(folded(last[0]))) or (count == 1 and said.isdigit()):
                continue
            for spelled in (as_spelled(said), folded(said).replace(" ", "")):
                if not self.kinds.get(spelled, _NOTHING).isdisjoint(_NAMES):
                    found = count, spelled
        return found


def _kinds_of(unknown: str) -> frozenset[str]:
    return _DIGITS if unknown.isdigit() else _NOTHING if unknown[0].isalnum() else _SIGN


def _ends_before(word: str) -> bool:
    """Whether a name of several words has ended before a word: `national guards first`, `May the best win`."""
    return word in ("the", "of", "my", "our") or "first" in phrases().get(word, ())


def _class(signs: list[str]) -> str:
    """A regular expression for one of some characters, which are in order."""
    ranges: list[list[str]] = []
    for sign in signs:
        if ranges and ord(ranges[-1][1]) + 1 == ord(sign):
            ranges[-1][1] = sign
        else:
            ranges.append([sign, sign])
    return f"[{''.join(first if first == last else f'{first}-{last}' for first, last in ranges)}]"


@lru_cache(maxsize=8)
def speller(data: Data) -> Speller:
    """The words for a data set, collected once."""
    return Speller(data)


def scan(data: Data, text: str) -> list[Seen]:
    """The words of a text, names of several words in one; quotation marks and blanks fall away."""
    return list(speller(data).seen(text))
