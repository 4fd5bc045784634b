"""The orders that a letter in doubt may mean, each as a complete turn.

They are the orders that remain when the words that overturn them are left out. If the letter offers one thing in place
of another, one turn contains the first thing, and another turn the second.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from pbem.games.values import MAX_ITEMS
from pbem.orders import ambiguity, classifier
from pbem.orders.lines import read_text
from pbem.orders.situation import AnyStandpoint

_MOST = 3
_SIGNS = " \t,;.:!?()-–—"


def possible_readings(standpoint: AnyStandpoint, lines: Sequence[str]) -> tuple[str, ...]:
    """Return the orders that `lines` may mean, in canonical form, likeliest first.

    The result is empty if text that is not orders contains a name or a number, or if a sentence forbids orders.
    """
    read = partial(_read, standpoint)
    sentences = [part for line in lines for part in classifier.sentences(line)]
    pieces = [piece for sentence in sentences for piece in _pieces(sentence)]
    if len(pieces) > MAX_ITEMS:  # more pieces than any game accepts as orders
        return ()
    allowed = [piece for piece in pieces if read(piece)]
    unread = [piece for piece in pieces if piece not in allowed]
    if any(ambiguity.counts_or_names(standpoint, piece) for piece in unread) or any(
        _forbids(sentence, allowed) for sentence in sentences
    ):
        return ()
    return tuple(dict.fromkeys(filter(None, map(read, _texts(sentences, allowed)))))[:_MOST]


def _forbids(sentence: str, allowed: Sequence[str]) -> bool:
    """Return whether `sentence` forbids an order that is in `allowed`, as in "don't bomb EC"."""
    return ambiguity.negates(sentence) and any(piece in allowed for piece in _pieces(sentence))


def _read(standpoint: AnyStandpoint, text: str) -> str:
    """Return the orders in `text`, in notation or in everyday sentences; "" if their meaning is not certain."""
    orders = read_text(standpoint, text).orders
    if orders is not None:
        return str(orders)
    orders_text = ",".join(part for part in text.split(",") if not ambiguity.is_greeting(part))
    suggestion = standpoint.suggestion(orders_text)
    return suggestion.orders if suggestion.sure else ""


def _pieces(sentence: str) -> list[str]:
    """Return the pieces of `sentence` before, between and after words that overturn orders."""
    folded = ambiguity.folded(sentence)
    text = sentence if len(folded) == len(sentence) else folded  # folding may change the length
    ends = [0, *(place for hit in ambiguity.hard_words(folded) for place in hit.span()), None]
    pieces = (text[start:end].strip(_SIGNS) for start, end in zip(ends[::2], ends[1::2], strict=True))
    return [piece for piece in pieces if piece]


def _texts(sentences: Sequence[str], allowed: Sequence[str]) -> Iterator[str]:
    """Yield texts of orders that the `sentences` may mean. `allowed` are those pieces of the sentences that are orders.

    If a word that overturns orders makes some of these pieces alternatives, there is a text for each alternative, with
    all other pieces. Otherwise there is one text with all pieces.
    """
    turning = next(
        (
            sentence
            for sentence in sentences
            if ambiguity.is_hard(sentence) and any(piece in allowed for piece in _pieces(sentence))
        ),
        None,
    )
    beside = [piece for piece in _pieces(turning) if piece in allowed] if turning else []
    if len(beside) == 1 and (at := allowed.index(beside[0])):
        beside = [allowed[at - 1], *beside]
    if len(beside) > 1:
        others = [piece for piece in allowed if piece not in beside]
        yield from ("\n".join((*others, piece)) for piece in beside)
    else:
        yield "\n".join(allowed)
