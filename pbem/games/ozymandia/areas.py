"""Areas as people write them: by code, by name, by the beginning of a name (§3 of the rules)."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from pbem.games.base import Sentence
from pbem.games.ozymandia.board import Board

_HYPHEN = re.compile("[-‐]")
_MIN_BEGINNING = 3  # letters
_MAX_HYPHENS = 8  # to try every hyphen of a long text would take a time that grows with its square
_LOOKALIKES = str.maketrans("АВЕКМНОРСТУХ", "ABEKMHOPCTYX")
_MIN_SLIPPED = 6  # letters of a name with a slip of the pen
_MAX_LETTERS = 40  # of what is compared with the names


@dataclass(frozen=True, slots=True)
class Names:
    """What the areas of a board may be called.

    `exact` has codes and full names, `beginnings` what three letters or more fit, `words` full names and their
    first words, each by their letters alone; `pattern` finds full names in a text, the longest first.
    """

    board: Board
    exact: Mapping[str, str]
    beginnings: Mapping[str, tuple[str, ...]]
    words: Mapping[str, str]
    pattern: str

    def find(self, text: str) -> tuple[str, ...]:
        """The areas that a text may mean, in board order: one if it is clear, none if it names no area.

        Case, hyphens, blanks, apostrophes and dots do not matter; a code is one word. Letters of Russian keyboards that
        look Latin are read as these, if no area is called so.
        """
        code = self.exact.get(text)
        if code:
            return (code,)
        letters = _letters(text)
        if len(letters) < _MIN_BEGINNING and len(letters) != len(text.strip()):
            return ()
        code = self.exact.get(letters)
        found = (code,) if code else self.beginnings.get(letters, ())
        return found or (self.find(latin) if (latin := text.translate(_LOOKALIKES)) != text else ())

    def in_latin(self, word: str) -> str:
        """A code that is typed with Russian letters that look Latin, in Latin ones; any other word as it is."""
        latin = word.translate(_LOOKALIKES)
        return latin if latin in self.board.areas and word not in self.board.areas else word

    def knows(self, text: str) -> bool:
        """Whether a text names one area."""
        return len(self.find(text)) == 1

    def split(self, text: str) -> tuple[str, str] | None:
        """Origin and target if a text is both with a hyphen between them, such as "S-H" or "S-Hmu"."""
        if text in self.exact or _letters(text) in self.exact:
            return None
        hyphens = islice(_HYPHEN.finditer(text), _MAX_HYPHENS)
        halves = [(text[: hyphen.start()], text[hyphen.end() :]) for hyphen in hyphens]
        if not halves:
            return None
        known = {pair: (self.knows(pair[0]), self.knows(pair[1])) for pair in halves}
        best = max(halves, key=known.__getitem__)
        if all(known[best]):
            return best
        worth_a_guess = any(known[best]) or len(halves) == 1
        return best if worth_a_guess and not self.find(text) else None

    def within(self, text: str) -> tuple[str, ...]:
        """The words of a text that name areas: full names, their first words, and codes as they are written; a code of
        one letter only where it does not begin a sentence, and no I; a name as short as a code as names are written."""
        found: list[str] = []
        begins = True
        for match in re.finditer(r"[^\W\d_]+(?:[-‐'’][^\W\d_]+)*|[.!?\n]", text):
            word = match[0]
            if not word[0].isalpha():
                begins = True
                continue
            is_code = self.in_latin(word) in self.board.areas and (len(word) > 1 or not (begins or word == "I"))
            is_name = len(word) >= _MIN_BEGINNING or word.istitle()
            if is_code or (is_name and _letters(word) in self.words):
                found.append(word)
            begins = False
        return tuple(found)

    def codes_within(self, text: str) -> tuple[str, ...]:
        """The same, each as the code of its area."""
        return tuple(self.words.get(_letters(word), self.in_latin(word)) for word in self.within(text))

    def nearest(self, text: str) -> str | None:
        """The area that a text which names none probably means, or None."""
        from difflib import get_close_matches

        words = text.split()[:10]
        if max(map(len, words), default=0) == 1 and len(joined := self.find("".join(words))) == 1:
            return joined[0]
        for some in (words[:1], words[-1:]) if len(words) > 1 else ():
            if self.knows(some[0]):
                return self.find(some[0])[0]
        letters = _letters(text[:_MAX_LETTERS])
        if begun := [code for code, area in self.board.areas.items() if _letters(area.name).startswith(letters)]:
            return begun[0] if letters else None
        close = get_close_matches(letters, self.words, n=1, cutoff=0.7)
        return self.words[close[0]] if close else None

    def with_a_slip(self, text: str) -> str:
        """The area whose full name has one slip of the pen in a text, such as Elphin City; "" for none."""
        if len(text) < _MIN_SLIPPED or len(letters := _letters(text)) < _MIN_SLIPPED:
            return ""
        sizes = range(len(letters) - 1, len(letters) + 2)
        near = {code for name, code in self.words.items() if len(name) in sizes and _is_near(name, letters)}
        return near.pop() if len(near) == 1 else ""

    def title(self, code: str) -> str:
        """How an area is called in a sentence: Mystery City (MC)."""
        return f"{self.board.areas[code].name} ({code})"

    def titles(self, codes: Iterable[str]) -> str:
        """Areas in board order, as a list within a sentence: Atlantea (A), Mystery City (MC) and Wyvernia (W)."""
        return listed([self.title(code) for code in sorted(codes, key=self.board.order.__getitem__)])


def listed(texts: Sequence[str]) -> str:
    """Texts as a list within a sentence: a, b and c."""
    return Sentence("{first} and {last}", first=tuple(texts[:-1]), last=texts[-1]) if len(texts) > 1 else "".join(texts)


@lru_cache(maxsize=64)
def names_of(board: Board) -> Names:
    """The names of a board's areas."""
    exact: dict[str, str] = {}
    beginnings: defaultdict[str, list[str]] = defaultdict(list)
    words: dict[str, str] = {}
    patterns: list[str] = []
    for code, area in board.areas.items():
        letters = _letters(area.name)
        exact[letters] = words[letters] = code
        words.setdefault(_letters(area.name.split()[0]), code)
        for end in range(_MIN_BEGINNING, len(letters) + 1):
            beginnings[letters[:end]].append(code)
        patterns.append(r"[-‐ '’.]*".join(re.findall(r"[^\W\d_]+", area.name)))
    for code in board.areas:  # a code goes before a name
        exact[code] = exact[code.casefold()] = code
    patterns.sort(key=len, reverse=True)
    whole = {begin: tuple(codes) for begin, codes in beginnings.items()}
    return Names(board, exact, whole, words, "|".join(filter(None, patterns)))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKC", text))).casefold()


def _is_near(name: str, letters: str) -> bool:
    """Whether a name becomes another text by one slip: a letter more, less or other, two letters swapped, or two for
    one, as in Elphin."""
    start = next((at for at, (a, b) in enumerate(zip(name, letters, strict=False)) if a != b), None)
    if start is None:
        return abs(len(name) - len(letters)) <= 1
    first, second = name[start:], letters[start:]
    while first and second and first[-1] == second[-1]:
        first, second = first[:-1], second[:-1]
    swapped = len(first) == 2 and first == second[::-1]
    return swapped or (len(first) <= 1 and len(second) <= 1) or {len(first), len(second)} == {1, 2}
