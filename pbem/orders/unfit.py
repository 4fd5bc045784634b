"""Sentences of which every word is understood, and which are no legal orders together: what is wrong with them."""

from collections.abc import Sequence
from typing import Any

from pbem.games.base import AnyGame, Seat
from pbem.games.extras import ReadsClauses
from pbem.orders.doubt import Doubt
from pbem.orders.lines import Reading, is_in_notation, read_text
from pbem.orders.repeated import unless_repeated


def mistaken(game: AnyGame, clauses: ReadsClauses, state: Any, seat: Seat, sentences: Sequence[str]) -> Reading | None:
    """What is said of sentences that are explained and cannot be: the same move twice, or the mistakes of what they
    mean, shown in canonical form. None if the grammar knows them all, and tells itself what is wrong."""
    if all(is_in_notation(game, state, one) for one in sentences):
        return None
    alone = [clauses.readings(state, seat, [one]) for one in sentences]
    if len(alone) > 1 and all(len(found) == 1 for found in alone):
        texts = [text for (text,) in alone]
        both = read_text(game, state, seat, "\n".join(texts))
        if twice := {one.text for one in unless_repeated(game, state, seat, both, texts).doubts}:
            doubts = tuple(Doubt(one, "twice") for one, text in zip(sentences, texts, strict=True) if text in twice)
            return unless_repeated(game, state, seat, both, texts)._replace(doubts=doubts)
    said = clauses.said_in_full(state, seat, sentences)
    if said and (reading := read_text(game, state, seat, said)).mistakes:
        return Reading(mistakes=reading.mistakes)
    return Reading(doubts=tuple(Doubt(one, "unclear") for one in sentences))
