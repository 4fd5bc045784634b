"""Our own letter within an answer to it, where a program has put it there without marks, and broken it anew."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from pbem.mail.plaintext import normalise

_ENOUGH, _BROKEN = 3, 3  # words of our last line that are it, and lines above that it may begin on
_TAIL = 200  # characters that its end stands in
_RUN, _INNER = 24, 60  # letters of its beginning or its end that are ours, and of what stands between


class _Place(NamedTuple):
    """Where a letter of the alphabet stands in lines."""

    line: int
    column: int


def marked(lines: Sequence[str], sent: str) -> list[str]:
    """The lines of an answer with what stands in the letter that we `sent` marked as a quote, however it is broken: all
    of it on one line, in lines of another width, or with words of the writer's beside it.

    Only what begins as our letter does is taken for it and what follows from there, or its end, which must be there:
    somebody may have copied a line out of the middle, and a quote that was cut may go on in other words.
    """
    unmarked = ((number, line) for number, line in enumerate(lines) if not line.startswith(">"))
    words = [(number, found) for number, line in unmarked for found in _WORD.finditer(line)]
    kept, ends = list(lines), [*accumulate(len(found[0]) for _, found in words)]

    def place(letter: int) -> _Place:
        at = bisect_right(ends, letter)
        number, found = words[at]
        return _Place(number, found.end() - (ends[at] - letter))

    for first, end in reversed(_runs("".join(found[0] for _, found in words), sent)):
        last = ends[bisect_right(ends, end) - 1]  # of words, the last that is there as a whole
        if last > first:
            _mark(kept, place(first), place(last - 1))
    return kept


def without_lines(text: str, sent: str) -> str:
    """A text without the lines that stand in a letter of ours: programs quote it without any mark."""
    ours = {" ".join(line.split()) for line in sent.splitlines()}
    return "\n".join(line for line in text.splitlines() if " ".join(line.split()) not in ours)


def below(lines: Sequence[str], sent: str) -> list[str]:
    """The lines below the end of a letter that we sent, where it stands within others; none if it does not.

    Its last line must be there, however it is broken, or the end of it.
    """
    end = _words(next((line for line in reversed(normalise(sent)) if line), ""))
    for i in range(len(lines) - 1, -1, -1):
        if not (words := _words(lines[i])) or words != end[-len(words) :]:
            continue
        above = [word for line in lines[max(0, i - _BROKEN) : i] for word in _words(line)]
        if len(words) >= _ENOUGH or (above + words)[-min(len(end), _ENOUGH) :] == end[-_ENOUGH:]:
            return list(lines[i + 1 :])
    return []


def _letters(text: str) -> list[str]:
    """Of each line that is not blank the letters and digits."""
    return ["".join(_WORD.findall(line)) for line in normalise(text) if line]


def _words(line: str) -> list[str]:
    return _WORD.findall(line.lower())


def _runs(text: str, sent: str) -> list[tuple[int, int]]:
    """From which letter up to which our letter stands in a text of nothing but letters and digits: from its first line
    on, piece by piece, or its end alone. None unless its end is there."""
    if "".join(_letters(sent[-_TAIL:]))[-_RUN:] not in text:  # most answers, and this is fast
        return []
    first, *rest = _letters(sent) or [""]
    ours = first + "".join(rest)
    if len(ours) < _RUN or ours[-_RUN:] not in text:
        return []
    inner: dict[str, list[int]] = {}
    for at in range(len(ours) - _INNER + 1):
        inner.setdefault(ours[at : at + _INNER], []).append(at)
    heads = {ours[at : at + _RUN]: at for at in (len(first), 0)} | {ours[-_RUN:]: len(ours) - _RUN}
    runs: list[tuple[int, int]] = []
    at = done = 0
    while at <= len(text) - _RUN:
        start = heads.get(text[at : at + _RUN], -1)
        if 0 <= start < done < len(ours):  # what came before only began alike: orders that our letter repeats
            runs, done = [], 0
        elif start < done:  # it has begun
            found = inner.get(text[at : at + _INNER], [])
            start = next(iter(found[bisect_left(found, done) :]), -1) if done else -1
        if start < 0:
            at += 1
            continue
        end = at
        while end < len(text) and start < len(ours) and text[end] == ours[start]:
            end, start = end + 1, start + 1
        if not done and end - at < _INNER and start < len(ours):  # answers may begin with the writer's words
            at += 1
            continue
        runs.append((at, end))
        at, done = end, start
    return runs if done == len(ours) else []


def _mark(lines: list[str], first: _Place, last: _Place) -> None:
    """Mark what stands between two letters as a quote, with the rules below; what stands beside it on their lines gets
    lines of its own."""
    before = _SIGNS_BEFORE.sub("", lines[first.line][: first.column])
    after = _SIGNS_AFTER.sub("", lines[last.line][last.column + 1 :])
    end = last.line + 1
    while not after and end < len(lines) and lines[end] and not _WORD.search(lines[end]):
        end += 1
    inside = lines[first.line : end]
    inside[0] = inside[0][len(before) :]
    inside[-1] = inside[-1].removesuffix(after)
    quoted = [line if line.startswith(">") else f"> {line}" for line in inside]
    lines[first.line : end] = [*_some(before), *quoted, *_some(after)]


def _some(text: str) -> list[str]:
    return [text.strip()] if text.strip(" >") else []


_WORD = re.compile(r"\w+")
_SIGNS_BEFORE = re.compile(r"[^\w\s:.!?,;]*[ =|+-]*$")
_SIGNS_AFTER = re.compile(r"^[^\w\s]*(?: +[=|+-]+)*")
