"""Areas as people write them: by code, by name, by the beginning of a name (§3 of the rules); and what a side asks
about them.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from pbem.games.base import Say, Seat, Sentence
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.state import NAMES, SEATS, State

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


_PLACES = {"holds": 1, "next to": 1, "far": 2}
"""How many areas each kind of question names; "has" and "free" name none, whatever stands in a gap."""
_WHO = 3  # words of somebody's name


def asked_about(state: State, kind: str, gaps: Sequence[str]) -> tuple[str, ...] | None:
    """The areas that gaps name."""
    number, find = _PLACES.get(kind, 0), names_of(state.board).find
    if not number:
        sides = tuple(gap for gap in gaps if gap in SEATS)
        return sides if all(len(gap.split()) <= _WHO for gap in gaps) else None
    found = [find(gap) for gap in gaps[-number:]]
    if len(found) != number or any(len(areas) != 1 for areas in found):
        return None
    return tuple(area for (area,) in found)


def answer(state: State, kind: str, names: Sequence[str], say: Say) -> tuple[str, ...]:
    """The answer to a question of a kind about some areas."""
    match kind:
        case "holds":
            return (_held(state, names[0], say),)
        case "far":
            return (_far(state.board, names[0], names[1], say),)
        case "next to":
            return (_held(state, names[0], say), _around(state, names[0], say))
        case "free":
            return (_free(state, say),)
        case _:
            return tuple(_has(state, seat, say) for seat in SEATS if not names or seat in names)


def _title(board: Board, area: str) -> str:
    return f"{board.areas[area].name} ({area})"


def _held(state: State, area: str, say: Say) -> str:
    title = _title(state.board, area)
    for seat in SEATS:
        if number := state.pieces[seat].get(area):
            return say.many(
                "{area}: {side}, {number} piece.", "{area}: {side}, {number} pieces.", number, area=title,
                side=say(NAMES[seat]),
            )  # fmt: skip
    return say("{area}: nobody is there.", area=title)


def _free(state: State, say: Say) -> str:
    board = state.board
    held = {city for seat in SEATS for city in state.held_cities(seat)}
    free = [_title(board, city) for city in board.cities if city not in held]
    return say("Cities that nobody holds: {cities}.", cities=", ".join(free) or "-")


def _around(state: State, area: str, say: Say) -> str:
    board = state.board
    beside = sorted(board.adjacent[area], key=board.order.__getitem__)
    return say("Next to it: {areas}.", areas=", ".join(_title(board, one) for one in beside))


def _far(board: Board, origin: str, target: str, say: Say) -> str:
    way = _way(board, origin, target)
    first, last = _title(board, origin), _title(board, target)
    if way is None:
        return say("No way leads from {first} to {last}.", first=first, last=last)
    if len(way) <= 1:
        return say("{first} and {last} are next to each other: one move.", first=first, last=last)
    over = ", ".join(way[:-1])
    return say("From {first} to {last}: {number} moves, over {way}.", first=first, last=last, number=len(way), way=over)


def _way(board: Board, origin: str, target: str) -> tuple[str, ...] | None:
    """The areas of a shortest way behind the first, in board order where there are several."""
    ways: dict[str, tuple[str, ...]] = {origin: ()}
    front = [origin]
    while front and target not in ways:
        front = [one for at in front for one in sorted(board.adjacent[at], key=board.order.__getitem__)
                 if one not in ways and not ways.update({one: (*ways[at], one)})]  # fmt: skip
    return ways.get(target)


def _has(state: State, seat: Seat, say: Say) -> str:
    """All that a side has on the board and in hand."""
    return say(
        "{side}: {number} pieces ({stacks}). Cities: {cities}. Bombardments left: {bombs}.",
        side=say(NAMES[seat]),
        number=sum(state.pieces[seat].values()),
        stacks=", ".join(f"{state.pieces[seat][area]} {area}" for area in state.areas(seat)) or "-",
        cities=" ".join(state.held_cities(seat)) or "0",
        bombs=state.bombs[seat],
    )
