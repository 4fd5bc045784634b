"""What may be chosen where a writer offers something in the place of his orders: `3 A to M or 2 A to Z`.

Only what is written is offered: each way whole, and none where a part of it is not read, or is conditioned, negated or
asked about as well.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from pbem.games.base import AnyGame, Seat
from pbem.orders import doubt
from pbem.orders.lines import read_text
from pbem.patterns import compiled

_MOST = 4  # of what is offered
_ITEM = compiled(r"[,;\n]\s*")


def choices(game: AnyGame, state: Any, seat: Seat, lines: Sequence[str]) -> tuple[str, ...]:
    """The orders to choose from, in canonical form; nothing unless one sentence of these lines offers others."""
    sentences = [one for line in lines for one in doubt.sentences(line)]
    offering = [one for one in sentences if doubt.turns(one)]
    if len(offering) != 1 or doubt.turns(offering[0]) not in ("alternative", "correction", "negation"):
        return ()
    place = sentences.index(offering[0])
    before, after = ("\n".join(map(_bare, some)) for some in (sentences[:place], sentences[place + 1 :]))
    begun, *others = map(_bare, doubt.ways(offering[0]))
    others = [way for way in others if way]
    if not others or any(map(doubt.turns, filter(None, (begun, *others)))):
        return ()

    def can_be_read(text: str) -> bool:
        return read_text(game, state, seat, text).orders is not None

    first = begun
    if begun and not can_be_read(begun):
        kept, last = _parted(begun)
        last = _completed(last, others[0], can_be_read)
        first = last and kept + last
    said = "\n".join(filter(None, (before, first)))
    ways = [_completed(way, _parted(said)[1], can_be_read) for way in others]
    if not (said and all(ways)) or (begun and not first):
        return ()
    texts = _texts(said, ways, after)
    if not begun:  # a sentence of its own may say what comes to the others
        texts = chain(texts, (f"{said}\n{way}\n{after}" for way in ways))
    meant = (read_text(game, state, seat, text).orders for text in texts)
    return tuple(dict.fromkeys(str(orders) for orders in meant if orders is not None))[:_MOST]


def _parted(text: str) -> tuple[str, str]:
    """A text in two, the second its last item."""
    start = max((found.end() for found in _ITEM.finditer(text)), default=0)
    return text[:start], text[start:]


def _completed(way: str, other: str, can_be_read: Callable[[str], bool]) -> str:
    """A way that can be read, one with the words that it shares with the other if need be: `or WC`; "" for none."""
    if can_be_read(way):
        return way
    words, model = way.split(), other.split()
    longer = (" ".join(words + model[len(words) :]), " ".join(model[: -len(words)] + words))
    found = [text for text in dict.fromkeys(longer) if len(text.split()) == len(model) and can_be_read(text)]
    return found[0] if len(found) == 1 else ""


def _texts(said: str, ways: Sequence[str], after: str) -> Iterator[str]:
    """What may be meant, the likeliest first: what was said first, or another way in the place of its last item or of
    all of it."""
    yield f"{said}\n{after}"
    for way in ways:
        yield f"{_parted(said)[0]}{way}\n{after}"
        yield way


def _bare(text: str) -> str:
    return text.strip(" \t,;.:!?-–—")
