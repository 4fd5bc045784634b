"""Moves that are run together or lack a "to": `3 A tom`, `3AM 2WM`, `3a2m`, `2WtoM`.

A letter that consists only of such moves is split into numbers and names in every possible way. The results are offered
to the writer, and none is played without an answer.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from pbem.i18n.words import words
from pbem.orders import ambiguity
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import LetterText
from pbem.orders.lines import Reading, read_text
from pbem.orders.situation import AnySituation, AnyStandpoint

_LONGEST = 60  # the maximum number of characters in a letter that is read in this way
_LONGEST_NAME = 3  # the maximum number of letters in a name that is run together with other words
_MOST_READINGS = 4
_MOST = 64  # the maximum number of ways of splitting the letter that are tried
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_BETWEEN = re.compile(r"[\s,;.!/>-]*")
_TWO = "2"  # sounds like "to"


def or_run_together(standpoint: AnyStandpoint, letter: LetterText, reading: Reading) -> Reading:
    """Return `reading` or, if it contains no orders, a reading of the letter as moves that are run together."""
    if reading.orders is not None or reading.proposal or reading.readings or reading.standing or letter.commands:
        return reading
    names = [line for line in letter.lines() if standpoint.names_within(line.upper())]
    lines = [line for line in letter.lines() if line in names or not ambiguity.is_courtesy(line)]
    ways = _apart(standpoint, "\n".join(lines))
    if not ways or any(doubt.text not in lines for doubt in reading.doubts):
        return reading
    doubts = tuple(Doubt(line, "unread") for line in lines)
    return Reading(doubts=doubts, proposal=ways[0] if len(ways) == 1 else None, readings=ways[:_MOST_READINGS])


def _apart(standpoint: AnyStandpoint, text: str) -> tuple[str, ...]:
    """Return the legal orders that `text` may mean if its moves are run together, in canonical form. The result is
    empty if `text` contains anything else."""
    tokens = _TOKEN.findall(text)
    if len(text) > _LONGEST or not tokens or not _BETWEEN.fullmatch(_TOKEN.sub("", text)) or not tokens[0].isdigit():
        return ()
    parts = [[""]]
    for token in tokens:
        parts = [[*before, *tail] for before in parts for tail in _pieces(standpoint, token)][:_MOST]
    moves = dict.fromkeys(", ".join(chain) for pieces in parts for chain in _moves(tuple(pieces[1:])))
    read = (read_text(standpoint, joined).orders for joined in [*moves][:_MOST])
    return tuple(dict.fromkeys(str(orders) for orders in read if orders is not None))


@cache
def _arrows() -> frozenset[str]:
    return frozenset(words("orders", "to"))


def _pieces(situation: AnySituation, token: str) -> Iterator[list[str]]:
    """Yield each way to split `token` into names and words for "to". A number is not split."""
    if not token or token.isdigit() or token.lower() in _arrows():
        yield [token] if token else []
        return
    for size in range(1, len(token) + 1):
        piece = token[:size]
        if piece.lower() in _arrows():
            yield from ([piece.lower(), *tail] for tail in _pieces(situation, token[size:]))
        elif size <= _LONGEST_NAME and situation.names_within(piece.upper()):
            yield from ([piece.upper(), *tail] for tail in _pieces(situation, token[size:]))


def _moves(pieces: Sequence[str]) -> Iterator[list[str]]:
    """Yield each way to arrange all `pieces`, in their order, as moves: a number, a name, perhaps a "to", and a
    name."""
    if not pieces:
        yield []
        return
    count, origin, *rest = (*pieces[:2], *pieces[2:]) if len(pieces) > 1 else (*pieces, "")
    if not count.isdigit() or not origin.isalpha():
        return
    for between in (0, 1):
        arrow, name = rest[:between], rest[between : between + 1]
        if name and name[0].isalpha() and all(piece in _arrows() or piece == _TWO for piece in arrow):
            yield from ([f"{count} {origin} -> {name[0]}", *tail] for tail in _moves(rest[between + 1 :]))
