"""Conditions on the position, such as `Blue holds S` or `I have 3 or more in Mu`, in the words of any language.

Everything here is public at the start of a turn: who holds an area, the number of pieces in it, and the bombardments
left. The wordings are data: the table `conditions` in `words/<language>.toml`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from operator import eq, ge, gt, le, lt
from pathlib import Path
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.ozymandia.areas import count_words, named_in
from pbem.games.ozymandia.state import SEATS, State, opponent
from pbem.games.words import words_in

_COUNTS: Mapping[str, Callable[[int, int], bool]] = {
    "least": ge, "most": le, "more": gt, "fewer": lt, "exactly": eq, "none": eq, "some": gt,
}  # fmt: skip
"""How the number of pieces or bombardments is compared with the number in a wording of each kind, or with 0 if the
wording has none."""


class _Wording(NamedTuple):
    """A way to put a condition of a kind: `holds`, `lacks`, `free`, `pieces` or `bombs`."""

    kind: str
    pattern: re.Pattern[str]


def holds(state: State, seat: Seat, text: str) -> bool | None:
    """Return whether the condition in `text`, which `seat` wrote, is met in `state`. Return None if `text` is not a
    condition, which does not depend on the pieces in `state`."""
    text = " ".join(text.split())
    parts = _and().split(text)
    results = [_holds(state, seat, part) for part in (parts if len(parts) > 1 else (text,))]
    return None if None in results else all(results)


def _holds(state: State, seat: Seat, text: str) -> bool | None:
    for kind, pattern in _wordings():
        parts = pattern.fullmatch(text)
        if not parts:
            continue
        found = parts.groupdict()
        who = _side(found.get("who") or "", seat)
        area = _area(state, found["area"]) if "area" in found else ""
        counted = _count(found["count"]) if "count" in found else None
        if area is None or ("count" in found and counted is None):
            continue
        if kind in ("holds", "lacks"):
            return (area in state.pieces[who]) == (kind == "holds")
        if kind == "free":
            return not any(area in state.pieces[side] for side in SEATS)
        assert counted
        number = state.pieces[who].get(area, 0) if kind == "pieces" else state.bombs[who]
        return _COUNTS[counted[0]](number, counted[1])
    return None


def _side(name: str, seat: Seat) -> Seat:
    """Return the side that `name`, a word of the table, means when `seat` writes it; without a name, that is `seat`."""
    word = name.casefold()
    if not word or word in _table()["me"]:
        return seat
    return next((side for side, words in _sides().items() if word in words), opponent(seat))


def _area(state: State, text: str) -> str | None:
    """Return the only area that `text` names, with nothing else beside it; None if there is no such area."""
    named = named_in(state, text)
    (mention, *others) = named.mentions or (None,)
    if mention is None or others or not mention.is_area or mention.role or mention.start:
        return None
    return str(mention.value) if mention.end == len(named.tokens) else None


def _count(text: str) -> tuple[str, int] | None:
    """Return the kind of comparison in `text`, such as `least` in `3 or more`, with its number, or 0 without one; None
    if `text` is no number of pieces."""
    for kind, pattern in _comparisons():
        if parts := pattern.fullmatch(text):
            number = parts.groupdict().get("number") or "0"
            value = int(number) if number.isdecimal() else count_words()[number.casefold()]
            return (kind, value) if isinstance(value, int) else None
    return None


@cache
def _table() -> Mapping[str, list[str]]:
    return words_in(Path(__file__).parent, "conditions")


@cache
def _sides() -> Mapping[Seat, list[str]]:
    return words_in(Path(__file__).parent, "sides")


@cache
def _and() -> re.Pattern[str]:
    """Return a pattern for the word between two conditions that must both be met."""
    return re.compile(rf",? {_any(_table()['and'])} ", re.I)


@cache
def _wordings() -> tuple[_Wording, ...]:
    return tuple(
        _Wording(kind, _compiled(text))
        for kind in ("pieces", "bombs", "lacks", "holds", "free")
        for text in _table()[kind]
    )


@cache
def _comparisons() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((kind, _compiled(text)) for kind in _COUNTS for text in _table()[kind])


def _any(texts: Iterable[str]) -> str:
    """Return a regular expression for any of `texts`, preferring the longest."""
    return f"(?:{'|'.join(map(re.escape, sorted(texts, key=len, reverse=True)))})"


def _compiled(wording: str) -> re.Pattern[str]:
    return re.compile("".join(_with_gaps(wording)), re.I)


def _with_gaps(wording: str) -> Iterator[str]:
    """Yield the parts of a regular expression for `wording`, with groups in place of WHO, AREA, COUNT and NUMBER."""
    people = [*_table()["me"], *_table()["other"], *(word for words in _sides().values() for word in words)]
    numbers = [word for word, value in count_words().items() if isinstance(value, int)]
    gaps = {
        "WHO": rf"(?P<who>{_any(people)})",
        "AREA": r"(?P<area>[^\W\d_][^,;]{0,39}?)",
        "COUNT": r"(?P<count>[^,;]{1,40}?)",
        "NUMBER": rf"(?P<number>\d{{1,6}}|{_any(numbers)})",
    }
    yield from (gaps.get(part, part) for part in re.split(r"\b(WHO|AREA|COUNT|NUMBER)\b", wording))
