"""What announces the orders of a letter: "My orders:", "Hi Bob, here are my new orders: ..."; and of which game.

The words are data: `[heading]` in `locale/<language>/doubt.toml`.
"""

import re
from typing import Any

from pbem.games.base import AnyGame
from pbem.i18n.words import pattern
from pbem.orders.command import Words
from pbem.orders.doubt import is_kind
from pbem.orders.doubt_words import WORD, folded, phrases
from pbem.orders.grammar import is_order
from pbem.orders.lines import Reading
from pbem.patterns import compiled

_APART = compiled(r"[,.!]")
_HEADING = compiled(r"[^:\d\n]{3,80}:(?!\S?\))")  # no face


def without_heading(game: AnyGame, state: Any, words: Words) -> Words:
    """Words without a heading of all the orders of a letter: only greetings stand above it. Blanks take its place, so
    that all else stays where it is."""
    if ":" not in words.rest:
        return words
    lines = words.rest.split("\n")
    number = next((at for at, line in enumerate(lines) if line.strip() and not is_kind(line)), 0)
    found = _HEADING.match(lines[number])
    if not found or not _announces(found[0]) or is_order(game, state, lines[number]):
        return words
    lines[number] = " " * found.end() + lines[number][found.end() :]
    return words._replace(rest="\n".join(lines))


def _announces(heading: str) -> bool:
    *before, title = _APART.split(heading.rstrip(":"))
    said = frozenset(WORD.findall(folded(title)))
    alone = frozenset(phrases("heading", "alone"))
    names = alone.union(phrases("heading", "names"))
    if said.isdisjoint(names) or not said <= names.union(phrases("heading", "beside")):
        return False
    # "Move:" may begin an order.
    return all(map(is_kind, before)) and (len(said) > 1 or not said.isdisjoint(alone))


def another_game(reading: Reading, name: str) -> str:
    """Which other game a line beside the orders names, alone or with a colon: so many play two, and answer a letter of
    the wrong one. "" if none does."""
    kind = re.escape(name.rpartition("-")[0])
    heading = compiled(rf"\W*(?:{pattern('around', 'game')}\b\W*)*({kind}-\d{{1,9}})\W*(?::|$)", re.I)
    lines = (*reading.remarks, *(one.text for one in reading.mistakes), *(one.text for one in reading.doubts))
    named = (found[1].lower() for line in lines if (found := heading.match(line)))
    return next((one for one in named if one != name), "")
