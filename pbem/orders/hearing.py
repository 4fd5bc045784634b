"""Orders that a game hears in a whole letter of everyday words, when neither the grammar nor the game's mistakes tell
what is meant.

What is heard is a reading and no more: people also talk about moves, and a model cannot tell this for certain. So it is
only proposed, and the letter is shown beside it.
"""

from collections.abc import Sequence

from pbem.orders import ambiguity, beside
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import LetterText
from pbem.orders.grammar import line_start
from pbem.orders.lines import Reading, read_text
from pbem.orders.prose import sentences_of
from pbem.orders.sentences import contains_command
from pbem.orders.situation import AnySituation, AnyStandpoint

PROPOSED = 0.6
"""The likelihood from which orders are proposed."""
_CLEAR = 0.9  # the likelihood from which they are proposed in place of several readings
_PROSE, _PROSE_LIKE_NOTATION = 5, 9  # the fewest words of a sentence that is not short
_MOST_CHARACTERS, _MOST_SENTENCES = 3_000, 40


def or_heard(standpoint: AnyStandpoint, letter: LetterText, reading: Reading, attempts: Sequence[str]) -> Reading:
    """Return the reading of a letter without legal orders; if it proposes nothing, with the orders that the game hears
    in the letter. `attempts` are its lines that look like orders."""
    is_free = standpoint.hears and reading.orders is None and not (reading.standing or reading.proposal)
    if not is_free or any(map(beside.is_like_notation, attempts)) or len(letter.rest) > _MOST_CHARACTERS:
        return reading
    sentences = [one.text for one in sentences_of(letter.rest)]
    if not 0 < len(sentences) <= _MOST_SENTENCES or any(map(contains_command, sentences)):
        return reading
    if reading.mistakes and any(_is_terse(standpoint, one) for one in attempts):
        return reading  # which tells what is wrong
    orders, likelihood = standpoint.hear("\n".join(one for one in sentences if "?" not in one))
    offered = any(map(standpoint.names_within, reading.readings))  # a pass names nothing
    if not orders or likelihood < (_CLEAR if offered else PROPOSED) or read_text(standpoint, orders).mistakes:
        return reading  # a yes would not play illegal orders
    naming = [one for one in sentences if _is_about_orders(standpoint, one)] or sentences
    doubts = tuple(Doubt(one, "unsure") for one in naming)
    remarks = tuple(one for one in sentences if one not in naming)
    return Reading(doubts=doubts, proposal=orders, remarks=remarks, everyday=True)


def _is_terse(situation: AnySituation, line: str) -> bool:
    """Return whether a line is short, for a sentence in prose or for one that begins like notation."""
    begins = line_start(situation.game.grammar.parent).match(line.strip()) is not None
    return len(line.split()) < (_PROSE_LIKE_NOTATION if begins else _PROSE)


def _is_about_orders(situation: AnySituation, sentence: str) -> bool:
    return (
        ambiguity.mentions_orders(situation, sentence)
        or ambiguity.counts_or_names(situation, sentence)
        or ambiguity.is_hard(sentence)
        or "?" in sentence
    )
