"""Reading players' questions in any game: the things that the gaps of a question name, and those that a lookup
names."""

import re
from collections.abc import Callable, Collection, Sequence

from pbem.games.base import Seat

_AND = re.compile(r"\s*(?:[,;&]|\b(?:and|und|и)\b)\s*", re.I)


def parts_of(names: str) -> list[str]:
    """Split a list of names such as `Bao, Doc and Zulu`."""
    return [part for part in _AND.split(names) if part]


def things_asked(
    kind: str,
    gaps: Sequence[str],
    seats: Collection[Seat],
    things: Callable[[str], Sequence[str]],
    place: Callable[[str], str | None],
) -> tuple[str, ...] | None:
    """Find what the gaps of a question name, as `AnswersQuestions.asked_about` returns it: a thing (`where`, `card`), a
    seat (`units`), two places (`far`) or one. `things` finds all things that a text may name, `place` the single
    place."""
    if kind in ("where", "card"):
        names = tuple(things(gaps[-1])) if gaps else ()
        return names if len(names) == 1 else None
    if kind == "units":
        return tuple(gaps[-1:]) if gaps and gaps[-1] in seats else None
    number = 2 if kind == "far" else 1
    names = tuple(name for gap in gaps[-number:] if (name := place(gap)))
    return names if len(names) == number else None
