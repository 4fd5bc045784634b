"""Orders for several sides in one letter, each below a heading with the name of its side, such as "Red:"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.games.spelling import caseless
from pbem.i18n import words
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
    texts: dict[Seat, list[str]] = {"": []}
    whose, lines = "", text.split("\n")
    for number, line in enumerate(lines):
        row: dict[Seat, str] = {}
        at, headings = 0, _headings(game, seats, line, is_below=bool(whose))
        for seat, start, end in (*headings, (whose, len(line), len(line))):
            row[whose] = row.get(whose, "").ljust(at) + line[at:start]
            if start < end:
                whose, at = seat, end
                texts.setdefault(seat, [""] * number)
        for seat, rows in texts.items():
            rows.append(row.get(seat, ""))
    rest = "\n".join(texts.pop(""))
    return OfSides({seat: "\n".join(texts[seat]) for seat in seats if seat in texts}, rest)


def _headings(game: AnyGame, seats: Sequence[Seat], line: str, *, is_below: bool) -> Iterator[tuple[Seat, int, int]]:
    """Yield the headings in `line`, each with its seat and the positions where it begins and ends. Behind orders there
    may be another one; `is_below` says whether the line is below a heading."""
    if len(line) > _MAX_LINE:
        return
    first = _heading(game).match(line)
    for heading in (first, *_inner_heading(game).finditer(line, first.end() if first else 0)):
        seat = seats_called(game).get(caseless(heading["name"]).replace("ё", "е")) if heading else None
        if heading and seat in seats and (is_below or heading is first):
            yield seat or "", heading.start(), heading.end()
            is_below = True


@cache
def _heading(game: AnyGame) -> re.Pattern[str]:
    """Return a pattern for a heading at the start of a line. Before the name of the side, a number and words such as
    "orders for" may stand, and behind it a remark in brackets; then a colon, a dash or the end of the line follows."""
    before = rf"(?:\d{{1,2}}[.)]\s*)?(?:(?:{_ORDERS}\s+)?{words.pattern('around', 'to_people')}\s+)?"
    end = r"(?:[ *_]*:[ *_]*(?=\S|$)| +[-–—]+ +(?=\S)|[\W_]*$)"
    return re.compile(rf"\W{{0,6}}\b{before}{_named(game)}(?:\s*\([^()]{{0,40}}\))?{end}", re.I)


@cache
def _inner_heading(game: AnyGame) -> re.Pattern[str]:
    """Return a pattern for a heading within a line: a mark that ends the orders before it, a name, and a colon."""
    return re.compile(rf"[.,;/|]\s*\b{_named(game)}[ *_]*:[ *_]*(?=\S|$)", re.I)


def _named(game: AnyGame) -> str:
    """Return a pattern for the name of a side, perhaps with words such as "orders" behind it."""
    return rf"(?P<name>{alternatives(seats_called(game))})(?:['’]?s)?(?:\s+{_ORDERS})?"


_ORDERS = alternatives((*phrases("heading", "alone"), *phrases("heading", "names")))
