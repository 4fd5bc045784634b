"""What announces the orders of a letter: "My orders:", "Hi Bob, here are my new orders: ..."

The words are data: `[heading]` in `locale/<language>/doubt.toml`.
"""

from typing import Any

from pbem.games.base import AnyGame
from pbem.orders.command import Words
from pbem.orders.doubt import is_kind
from pbem.orders.doubt_words import WORD, folded, phrases
from pbem.orders.grammar import is_order
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
