"""The same move on two lines of a letter: nothing is added up unseen."""

from collections.abc import Sequence
from typing import Any

from pbem.games.base import AnyGame, Seat
from pbem.games.extras import reads_clauses
from pbem.orders.choices import offered
from pbem.orders.doubt import Doubt
from pbem.orders.lines import BULLET, Reading, read_text
from pbem.patterns import compiled

_DIGITS = compiled(r"\d+")
_ITEM = compiled(r"[,;] ")


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
    twice = []
    for line, orders in ((line, alone[line]) for line in written if line in alone):
        for part in _ITEM.split(str(orders)) if orders is not None else ():
            way = _DIGITS.sub("", part)
            if part not in whole and way in parts:
                twice += [Doubt(parts[way].strip(), "twice"), Doubt(line.strip(), "twice")]
            if part not in whole:
                parts[way] = line
    if not twice or (not said and None in alone.values()):
        return reading
    ways = dict.fromkeys((*offered(game, state, seat, written), said))
    return Reading(doubts=tuple(dict.fromkeys(twice)), readings=tuple(filter(None, ways)), remarks=reading.remarks)


def _may_repeat(game: AnyGame, lines: Sequence[str], canonical: str) -> bool:
    """A quick look: lines that are added up have other numbers than their sum, and else they are written alike."""
    alike = [_DIGITS.sub("", line).strip().casefold() for line in lines]
    if len(set(alike)) < len(alike):
        return True
    written = sorted(_DIGITS.findall("\n".join(lines)))
    return reads_clauses(game) is not None and written != sorted(_DIGITS.findall(canonical))


def _unlike(lines: Sequence[str], said: str) -> list[str]:
    """The lines that are not written as orders in canonical form are: what the others say alone is in these, and need
    not be read once more."""
    known = {*said.casefold().split("; "), *_ITEM.split(said.casefold())} if said else set()
    return [line for line in lines if BULLET.sub("", line).strip(" ;.").casefold() not in known]
