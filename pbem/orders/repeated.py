"""The same move on two lines of a letter: nothing is added up unseen."""

import re
from collections.abc import Sequence
from typing import Any

from pbem.games.base import AnyGame, Seat
from pbem.games.extras import Suggests
from pbem.orders.doubt import Doubt
from pbem.orders.lines import BULLET, Reading, read_text

_DIGITS = re.compile(r"\d+")
_ITEM = re.compile(r"[,;] ")


def unless_repeated(game: AnyGame, state: Any, seat: Seat, reading: Reading, lines: Sequence[str]) -> Reading:
    """A reading, but one in doubt if the same move stands on two lines: once or twice is meant. One with mistakes is
    so if each line by itself has none."""
    written = [line for line in lines if line.strip()]
    said = "" if reading.orders is None else str(reading.orders)
    if len(written) < 2 or not _may_repeat(game, written, said):
        return reading
    whole = set(_ITEM.split(said))
    alone = {line: read_text(game, state, seat, line).orders for line in _unlike(written, said)}
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
    if not twice or (not said and None in alone.values()):
        return reading
    orders = read_text(game, state, seat, "\n".join(once)).orders
    ways = dict.fromkeys(("" if orders is None else str(orders), said))
    return Reading(doubts=tuple(dict.fromkeys(twice)), readings=tuple(filter(None, ways)), remarks=reading.remarks)


def _may_repeat(game: AnyGame, lines: Sequence[str], canonical: str) -> bool:
    """A quick look: lines that are added up have other numbers than their sum, and else they are written alike."""
    alike = [_DIGITS.sub("", line).strip().casefold() for line in lines]
    if len(set(alike)) < len(alike):
        return True
    written = sorted(_DIGITS.findall("\n".join(lines)))
    return isinstance(game, Suggests) and written != sorted(_DIGITS.findall(canonical))


def _unlike(lines: Sequence[str], said: str) -> list[str]:
    """The lines that are not written as orders in canonical form are: what the others say alone is in these, and need
    not be read once more."""
    known = {*said.casefold().split("; "), *_ITEM.split(said.casefold())} if said else set()
    return [line for line in lines if BULLET.sub("", line).strip(" ;.").casefold() not in known]
