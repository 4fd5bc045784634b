"""Numbered lists within a line, with a mark such as `1)`, `(1)` or `a)` before each item.

Separators are put between the items of such a list, and its numbers are replaced by numbers that the grammars accept.
No character changes its position, so that mistakes are still shown in the right place.
"""

import re

from pbem.games.spelling import caseless

_MARK = re.compile(r"(?<!\S)(\()?(\d{1,2}|[a-hа-з])([).])(?= +\S)", re.I)
_SECOND = re.compile(r"(?:^|\s)(?:\(?(?:2|[bб])\)|2\.) ", re.I)
_LETTERS = ("abcdefgh", "абвгдежз")


def with_items_apart(text: str) -> str:
    """Return `text` with plain numbers in numbered lists, and with a separator before each item inside a line."""
    if _SECOND.search(text) is None:
        return text
    marks = list(_MARK.finditer(text))
    chars = list(text)
    for at, mark in enumerate(marks):
        if _number(mark) == 1 and _begins_line(text, mark):
            for item in _list_from(marks[at:]):
                _mend(chars, text, item)
    return "".join(chars)


def _number(mark: re.Match[str]) -> int | None:
    """Return the number that `mark` gives its item; None if `mark` may begin a name, as in `A. Smith`."""
    letter = caseless(mark[2])
    if letter.isdigit():
        return int(letter)
    if mark[3] == ".":
        return None
    return next((letters.index(letter) + 1 for letters in _LETTERS if letter in letters), None)


def _begins_line(text: str, mark: re.Match[str]) -> bool:
    return not text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()].strip()


def _list_from(marks: list[re.Match[str]]) -> list[re.Match[str]]:
    """Return the marks of the list that starts at the first of `marks`: 1, 2 and so on, all in the same style. The
    result is empty if the list has no second mark."""
    items = marks[:1]
    for mark in marks[1:]:
        alike = (mark[1], mark[3], mark[2].isdigit()) == (items[0][1], items[0][3], items[0][2].isdigit())
        if alike and _number(mark) == len(items) + 1:
            items.append(mark)
    return items if len(items) > 1 else []


def _mend(chars: list[str], text: str, mark: re.Match[str]) -> None:
    start = mark.start()
    if mark[1]:
        chars[start] = " "
    if not mark[2].isdigit():
        chars[mark.start(2)] = "1"
    if not _begins_line(text, mark):
        chars[start - 1] = ";"
