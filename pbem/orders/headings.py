"""What announces the orders of a letter: "My orders:", "Hi Bob, here are my new orders: ..."; and of which game.

The words are data: `[heading]` in `locale/<language>/doubt.toml`.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from pbem.games.base import AnyGame
from pbem.i18n.words import alternatives, pattern
from pbem.orders.command import Words
from pbem.orders.doubt import WORD, folded, is_kind, phrases
from pbem.orders.grammar import is_order

_APART = re.compile(r"[,.!]")
_MOST = 80  # characters of a heading


def without_heading(game: AnyGame, state: Any, words: Words) -> Words:
    """Words without a heading of all the orders of a letter: only greetings stand above it. Blanks take its place, so
    that all else stays where it is."""
    lines = words.rest.split("\n")
    number = next((at for at, line in enumerate(lines) if line.strip() and not is_kind(line)), 0)
    line, alone = lines[number].rstrip(), not any(map(str.strip, lines[number + 1 :]))
    ends = [found.end() for found in _end().finditer(line[: _MOST + 1])]
    whole = [len(line)] if not alone and len(line) <= _MOST else []
    end = next((end for end in (*whole, *reversed(ends)) if _announces(line[:end], words.turn)), 0)
    if not end or is_order(game, state, line):
        return words
    lines[number] = " " * end + line[end:]
    return words._replace(rest="\n".join(lines))


@cache
def _end() -> re.Pattern[str]:
    """Finds where a heading may end: at a colon that is no face, or behind a word such as "are"."""
    return re.compile(rf":(?!\S?\))|(?<!\w){alternatives(phrases('heading', 'ends'))}(?!\w|:)", re.I)


def _announces(heading: str, turn: int) -> bool:
    *before, title = _APART.split(heading.rstrip(": "))
    said = frozenset(WORD.findall(folded(title)))
    said -= {str(turn)} if turn and not said.isdisjoint(phrases("heading", "turns")) else set()
    alone = frozenset(phrases("heading", "alone"))
    names = alone.union(phrases("heading", "names"))
    beside = names.union(phrases("heading", "beside"), phrases("heading", "turns"))
    if said.isdisjoint(names) or not said <= beside:
        return False
    # "Move:" may begin an order.
    kind = (is_kind(part) or beside.issuperset(WORD.findall(folded(part))) for part in before)
    return all(kind) and (len(said) > 1 or not said.isdisjoint(alone))


def another_game(lines: Sequence[str], name: str) -> str:
    """Which other game a line of a letter with orders names, alone or with a colon: so many play two, and answer a
    letter of the wrong one. "" if none does."""
    kind = re.escape(name.rpartition("-")[0])
    heading = re.compile(rf"\W*(?:{pattern('around', 'game')}\b\W*)*({kind}-\d{{1,9}})\W*(?::|$)", re.I)
    named = (found[1].lower() for line in lines if (found := heading.match(line)))
    return next((one for one in named if one != name), "")
