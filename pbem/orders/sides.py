"""Orders for several sides in one letter, each below a heading with the name of its side, such as "Red:"."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.games.spelling import caseless
from pbem.i18n.words import alternatives
from pbem.orders.ambiguity import phrases
from pbem.orders.inquiries import seats_called

_MAX_LINE = 200  # the maximum number of characters in a line with a heading


class OfSides(NamedTuple):
    """A text, divided by its headings: the text for each side, and `rest`, the text above the first heading. Blanks
    take the place of everything else, so that all words stay in their lines."""

    sides: Mapping[Seat, str]
    rest: str


def by_side(game: AnyGame, seats: Sequence[Seat], text: str) -> OfSides:
    """Divide `text` by the headings that name one of `seats`, in any language. If a side has several headings, the text
    below all of them belongs to it."""
    lines, whose = text.split("\n"), ""
    owners: list[Seat] = []
    for number, line in enumerate(lines):
        heading = _heading(game).match(line) if len(line) <= _MAX_LINE else None
        seat = seats_called(game).get(caseless(heading["name"]).replace("ё", "е")) if heading else None
        if heading and seat in seats:
            whose = seat or ""
            lines[number] = " " * heading.end() + line[heading.end() :]
        owners.append(whose)
    texts = {
        seat: "\n".join(line if owner == seat else "" for line, owner in zip(lines, owners, strict=True))
        for seat in ("", *seats)
        if seat in owners or not seat
    }
    rest = texts.pop("")
    return OfSides(texts, rest)


@cache
def _heading(game: AnyGame) -> re.Pattern[str]:
    """Return a pattern for a heading at the start of a line. Behind the name of the side, words such as "orders" may
    follow, and then a colon or the end of the line."""
    names, words = (
        alternatives(seats_called(game)),
        alternatives((*phrases("heading", "alone"), *phrases("heading", "names"))),
    )
    of = rf"(?:['’]?s)?(?:\s+{words})?"
    return re.compile(rf"\W{{0,6}}\b(?P<name>{names}){of}(?:[ *_]*:[ *_]*(?=\S|$)|[\W_]*$)", re.I)
