"""What a letter in doubt may mean, each a whole turn: what it says without the words that turn it, and each of two
things of which it offers one in the place of the other."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from pbem.games.base import AnyGame, Seat
from pbem.games.extras import Suggests
from pbem.i18n.words import words
from pbem.orders import doubt, judge
from pbem.orders.lines import read_text

_MOST = 3
_SIGNS = " \t,;.:!?()-–—"


def ways(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str]) -> tuple[str, ...]:
    """The orders that lines may mean, in canonical form, the likeliest first; none if the words that turn them count or
    name anything."""
    read = partial(_read, game, state, seat)
    said = [part for line in lines for part in judge.sentences(line)]
    pieces = [piece for one in said for piece in _pieces(one)]
    kept = [piece for piece in pieces if read(piece)]
    unread = [piece for piece in pieces if piece not in kept]
    if any(doubt.counts_or_names(game, state, piece) for piece in unread) or any(_forbids(one, kept) for one in said):
        return ()
    return tuple(dict.fromkeys(filter(None, map(read, _texts(said, kept)))))[:_MOST]


def _forbids(sentence: str, kept: Sequence[str]) -> bool:
    """Whether a sentence says what shall not be: "don't bomb EC"."""
    said = doubt.WORD.findall(doubt.folded(sentence).replace("'", ""))
    return not frozenset(words("around", "negating")).isdisjoint(said) and any(one in kept for one in _pieces(sentence))


def _read(game: AnyGame, state: Any, seat: Seat, text: str) -> str:
    """The orders that a text says, in notation or in everyday sentences; "" if that is not one thing."""
    orders = read_text(game, state, seat, text).orders
    if orders is not None:
        return str(orders)
    said = ",".join(part for part in text.split(",") if not doubt.is_kind(part))
    found = game.suggestion(state, seat, said) if isinstance(game, Suggests) else None
    return found.orders if found and found.sure else ""


def _pieces(sentence: str) -> list[str]:
    """What stands before, between and behind the words of a sentence that turn orders."""
    said = doubt.folded(sentence)
    text = sentence if len(said) == len(sentence) else said  # folding may change how long a text is
    ends = [0, *(place for found in doubt.hard_words(said) for place in found.span()), None]
    pieces = (text[start:end].strip(_SIGNS) for start, end in zip(ends[::2], ends[1::2], strict=True))
    return [piece for piece in pieces if piece]


def _texts(said: Sequence[str], kept: Sequence[str]) -> Iterator[str]:
    """All that is kept; or, of two things in one sentence or on both sides of it, each with all the others."""
    turning = next((one for one in said if doubt.is_hard(one) and any(piece in kept for piece in _pieces(one))), None)
    here = [piece for piece in _pieces(turning) if piece in kept] if turning else []
    if len(here) == 1 and (at := kept.index(here[0])):
        here = [kept[at - 1], *here]
    if len(here) > 1:
        others = [piece for piece in kept if piece not in here]
        yield from ("\n".join((*others, piece)) for piece in here)
    else:
        yield "\n".join(kept)
