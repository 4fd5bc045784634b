"""Distinguish orders from the rest of a letter: "Hi," and "good luck" are not attempts at orders (§3 of the rules).

Order words can also be everyday words, as in German: `3 Tage nach Ostern`, `Neu ist das nicht`. A line with such a word
is an attempt only if the words in the place of an area are, or resemble, the name of an area. The everyday words, and
all other words used here, are in `words/<language>.toml`.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pbem.games.ozymandia.areas import Names, names_of
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.orders import BombItem, MoveItem, NewItem, PassItem
from pbem.games.ozymandia.state import State
from pbem.games.spelling import one_letter_apart
from pbem.games.words import words_in

_FOLDER = Path(__file__).parent
_ALONE = words_in(_FOLDER, "alone")
_OPENINGS = {**_ALONE, **words_in(_FOLDER, "with_area")}
_PROSE = {name: f"(?:{'|'.join(forms)})" if forms else "(?!)" for name, forms in words_in(_FOLDER, "prose").items()}

_LETTERS = r"[^\W\d_]+"
_EVERYDAY = re.compile(rf"\b{_PROSE['everyday']}\b", re.I)
_REMARK = re.compile(_PROSE["remarks"], re.I)
_NAMES = re.compile(_PROSE["names"], re.I)
_NO_AREA = re.compile(rf"{_PROSE['no_areas']}\b", re.I)
_VERBS = re.compile(rf"\b{_PROSE['verbs']}\b", re.I)
_SHOUTS = re.compile(rf"\b{_PROSE['shouts']}\b", re.I)
_AND = re.compile(_PROSE["and"], re.I)
_FIGURE = (
    r"\d+(?:[.,:/]\d+)+\.?"  # 3.12.   20:00   2,5   1/2
    rf"|\d{{1,2}}(?:\.|{_PROSE['ordinals']})? *{_PROSE['months']}\b"  # 3. Dezember   21 November
    rf"|\d+ *{_PROSE['lengths']}[^\W\d_]*\b"
    rf"|\b{_PROSE['before']} *\d+(?:[.,:/]\d+)*\b\.?"
    rf"|{_PROSE['figures']}"
)
"""Figures that are not numbers of pieces: dates, times of day, decimals, ordinals, durations, road numbers."""

_OPENING = re.compile(rf"[\W_]*({_LETTERS}(?:['’]{_LETTERS})*)(?: +({_LETTERS}))?")
_SURNAMES = re.compile(r"(?: +(?:and|&|[^\W\d_a-z][\w.'’-]*))+\W*")  # Bob Miller is not a misspelt bomb
_NOT_AN_AREA = ("A", "a", "А", "I", "i")


class Opening(NamedTuple):
    """The order word at the start of a text: the word that is meant, its start and end in the text, and whether it is
    spelt exactly."""

    word: str
    start: int
    end: int
    exact: bool

    @property
    def order(self) -> str:
        """The kind of order: "New", "Bomb" or "Pass"."""
        return str(_OPENINGS[self.word])

    @property
    def needs_area(self) -> bool:
        """Whether the word counts as an order word only if an area follows."""
        return self.word not in _ALONE


def opening(text: str) -> Opening | None:
    """Return the order word, spelt with at most one typo, at the start of a text; return None if there is no order
    word."""
    match = _OPENING.match(text)
    if not match:
        return None
    order_word = _order_word(match[1].casefold(), (match[2] or "").casefold())
    if order_word is None:
        return None
    word, exact = order_word
    return Opening(word, match.start(1), match.end(2 if " " in word else 1), exact)


@lru_cache(maxsize=64)
def _order_word(first: str, second: str) -> tuple[str, bool] | None:
    """Return the order word that `first`, or `first` and `second` together, spell with at most one typo, and whether it
    is spelt exactly. Return None if there is no such order word."""
    both = f"{first} {second}"
    if _REMARK.fullmatch(first) or _REMARK.fullmatch(both):
        return None
    written = {word: both if " " in word else first for word in _OPENINGS if second or " " not in word}
    exact = next((word for word, text in written.items() if text == word), None)
    near = exact or next((word for word, text in written.items() if one_letter_apart(text, word)), None)
    return (near, exact is not None) if near else None


def is_attempt(state: State, line: str, items: Sequence[Any]) -> bool:
    """Return whether `line` is meant as orders: whether one of the `items` found in it is an order, or the line has a
    number and an area, has an arrow or `to` between areas, or starts with an order word, spelt with at most one typo.

    A phrase such as "all the best" can also be read as an order, but counts only if one of its words resembles the name
    of an area.
    """
    names = names_of(state.board)
    is_order = _is_order_in_prose if _EVERYDAY.search(line) else _is_order
    if items and isinstance(items[0], PassItem):
        return True
    return any(is_order(names, item) for item in items) or _opens(names, line) or _mentions(state.board, line)


def is_about(text: str) -> bool:
    """Return whether `text`, a remark in lower case, contains a word used only in orders, such as `bomb`. Such words do
    not count in common exclamations."""
    return _VERBS.search(_SHOUTS.sub(" ", text)) is not None


def _is_order(names: Names, item: Any) -> bool:
    if not isinstance(item, MoveItem):
        return isinstance(item, NewItem | BombItem | PassItem)
    count, origin, target = item
    if count is None or origin is None:
        return False
    if target is None:
        return _is_hyphened_move(names, origin.value)
    return count.value[0].isdigit() or _may_be_area(names, origin.value) or _may_be_area(names, target.value)


def _is_order_in_prose(names: Names, item: Any) -> bool:
    match item:
        case NewItem(area) | BombItem(area):
            return _may_be_area(names, area.value)
        case MoveItem(number, origin, target) if number and origin and target:
            return _may_be_area(names, origin.value) or _may_be_area(names, target.value)
        case MoveItem(number, origin, None) if number and origin:
            return _is_hyphened_move(names, origin.value)
    return False


def _is_hyphened_move(names: Names, text: str) -> bool:
    """Return whether `text` is two areas joined by a hyphen, such as "A-Mu", rather than a word such as "e-mails"."""
    halves = names.split(text)
    if halves is None or not any(map(names.knows, halves)):
        return False
    return all(map(names.knows, halves)) or (not text.islower() and all(_may_be_area(names, half) for half in halves))


def _may_be_area(names: Names, text: str) -> bool:
    """Return whether `text` is or resembles the name of an area, or looks like a code."""
    is_code = len(text) == 1 or (len(text) == 2 and text.isupper())
    return not _NO_AREA.match(text) and (is_code or bool(names.find(text)) or names.nearest(text) is not None)


def _opens(names: Names, line: str) -> bool:
    """Return whether `line` starts with an order word. Some words count only if an area follows: everyday words, such
    as `neu` and `bombe`; first names that resemble an order word, because Bob is not a misspelt bomb; and other
    misspelt order words, if the rest of the line may be a surname."""
    start = opening(line)
    if start is not None and start.needs_area and _EVERYDAY.fullmatch(start.word):
        return _may_be_area(names, line[start.end :].strip(" .!*"))
    if start is None or start.exact or not start.needs_area:
        return start is not None
    rest = line[start.end :].rstrip(" .!*")
    if _NAMES.fullmatch(line[start.start : start.end]) or _SURNAMES.fullmatch(rest):
        return names.nearest(rest) is not None or bool(names.find(rest) or names.within(f"x {rest}"))
    return rest.startswith(" ")


class _Token(NamedTuple):
    kind: str | None
    text: str


_NOTHING = _Token("mark", "")


@lru_cache(maxsize=64)
def pattern(board: Board) -> re.Pattern[str]:
    """Return a pattern that splits a line into names of areas, numbers of pieces, other figures, arrows, and the
    rest."""
    return re.compile(
        rf"(?P<name>(?<!\w)(?:{names_of(board).pattern})(?!\w))"
        rf"|(?P<figure>{_FIGURE})"
        r"|(?P<number>\d+)"
        r"|(?P<arrow>\b(?:to|nach)\b|(?<![-–—=])[-–—=]*>|→|[-‐–—−])"
        r"|(?P<abbreviation>(?:\b[^\W\d_]\.){2,})"
        rf"|(?P<word>{_LETTERS}(?:['’‐-]{_LETTERS})*)"
        r"|(?P<mark>[^\s\w])",
        re.IGNORECASE,
    )


def _mentions(board: Board, line: str) -> bool:
    """Return whether `line` has a number and an area, or an arrow or `to` between areas."""
    names = names_of(board)
    tokens = [_NOTHING, _NOTHING]
    for match in pattern(board).finditer(line):
        tokens += _parts(names, _Token(match.lastgroup, match[0]))
    tokens.append(_NOTHING)
    areas = [0 < at < len(tokens) - 1 and _is_area(names, tokens, at) for at in range(len(tokens))]
    if any(areas) and any(token.kind == "number" for token in tokens):
        return True
    return any(token.kind == "arrow" and areas[at - 1] and areas[at + 1] for at, token in enumerate(tokens[:-1]))


def _parts(names: Names, token: _Token) -> list[_Token]:
    """Split a word at a hyphen between two areas. Other words, such as "e-mail" and "u-s", remain unchanged."""
    halves = names.split(token.text) if token.kind == "word" and not token.text.islower() else None
    if halves is None or not all(map(names.knows, halves)):
        return [token]
    return [_Token("word", halves[0]), _Token("arrow", "-"), _Token("word", halves[1])]


def _is_area(names: Names, tokens: Sequence[_Token], at: int) -> bool:
    """Return whether the token at index `at` is an area: a name, a code in capitals, or any other code next to an arrow
    or a number."""
    kind, text = tokens[at]
    if kind != "word" or not names.knows(text):
        return kind == "name"
    before, after = tokens[at - 1], tokens[at + 1]
    if text in _NOT_AN_AREA and after.kind == "word" and after.text.islower():
        return False
    if text.isupper() and len(text) < 3:
        return True
    joined = tokens[at - 2].kind == "mark" or _AND.fullmatch(tokens[at - 2].text) is not None
    counted = before.kind == "number" and joined
    return counted or "arrow" in (before.kind, after.kind)
