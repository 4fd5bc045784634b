"""What a player asks, whatever the game: what the gaps of a question name, and the things that a lookup names."""

import re
from collections.abc import Callable, Collection, Sequence

from pbem.games.base import Seat

_AND = re.compile(r"\s*(?:[,;&]|\b(?:and|und|и)\b)\s*", re.I)


def parts_of(names: str) -> list[str]:
    """The names in a text that stand side by side: `Bao, Doc and Zulu`."""
    return [part for part in _AND.split(names) if part]


def things_asked(
    kind: str,
    gaps: Sequence[str],
    seats: Collection[Seat],
    things: Callable[[str], Sequence[str]],
    place: Callable[[str], str | None],
) -> tuple[str, ...] | None:
    """What the gaps of a question name, as `Answers.asked_about` gives it: a thing (`where`, `card`), a seat (`units`),
    two places (`far`) or one. `things` are all that a text may name, `place` is the one place that it names.
    """
    if kind in ("where", "card"):
        names = tuple(things(gaps[-1])) if gaps else ()
        return names if len(names) == 1 else None
    if kind == "units":
        return tuple(gaps[-1:]) if gaps and gaps[-1] in seats else None
    number = 2 if kind == "far" else 1
    names = tuple(name for gap in gaps[-number:] if (name := place(gap)))
    return names if len(names) == number else None
