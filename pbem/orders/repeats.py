"""Doubts about a move that appears on two lines. The numbers in such moves are added up only after the writer has
been asked."""

import re
from collections.abc import Sequence

from pbem.games.values import MAX_ITEMS
from pbem.orders.ambiguity import Doubt
from pbem.orders.lines import BULLET, Reading, read_text
from pbem.orders.situation import AnySituation, AnyStandpoint

_DIGITS = re.compile(r"\d+")
_ITEM = re.compile(r"[,;] ")


def unless_repeated(standpoint: AnyStandpoint, reading: Reading, lines: Sequence[str]) -> Reading:
    """Return `reading` or, if the same move appears on two of `lines`, a reading with doubts, because it is unclear
    whether the move is meant once or twice.

    A reading with mistakes is treated in the same way if each of its lines is correct by itself.
    """
    written = [line for line in lines if line.strip()]
    canonical = "" if reading.orders is None else str(reading.orders)
    refused = not canonical and len(written) > MAX_ITEMS
    if len(written) < 2 or refused or not _may_repeat(standpoint, written, canonical):
        return reading
    whole = set(_ITEM.split(canonical))
    alone = {line: read_text(standpoint, line).orders for line in _unlike(written, canonical)}
    parts: dict[str, str] = {}
    twice, once = [], []
    for line in written:
        again = False
        for part in _ITEM.split(str(alone[line])) if alone.get(line) is not None else ():
            way = _DIGITS.sub("", part)
            if part not in whole and way in parts:
                twice += [Doubt(parts[way].strip(), "twice"), Doubt(line.strip(), "twice")]
                again = True
            if part not in whole:
                parts[way] = line
        once += [] if again else [line]
    if not twice or (not canonical and None in alone.values()):
        return reading
    orders = read_text(standpoint, "\n".join(once)).orders
    ways = dict.fromkeys(("" if orders is None else str(orders), canonical))
    return Reading(doubts=tuple(dict.fromkeys(twice)), readings=tuple(filter(None, ways)), remarks=reading.remarks)


def _may_repeat(situation: AnySituation, lines: Sequence[str], canonical: str) -> bool:
    """Return whether `lines` may repeat a move. The check is quick but not exact.

    They may if two lines differ at most in their numbers, or if the numbers in the `canonical` orders are not those in
    the lines, which is the case if moves were added up.
    """
    alike = [_DIGITS.sub("", line).strip().casefold() for line in lines]
    if len(set(alike)) < len(alike):
        return True
    written = sorted(_DIGITS.findall("\n".join(lines)))
    return situation.suggests and written != sorted(_DIGITS.findall(canonical))


def _unlike(lines: Sequence[str], orders: str) -> list[str]:
    """Return those of `lines` that are not written in the same way as in `orders`, which are in canonical form. Only
    these lines have to be read again, because `orders` contain all other lines unchanged."""
    canonical = {*orders.casefold().split("; "), *_ITEM.split(orders.casefold())} if orders else set()
    return [line for line in lines if BULLET.sub("", line).strip(" ;.").casefold() not in canonical]
