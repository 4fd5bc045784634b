"""Orders that a game hears in a whole letter of everyday words: it recognises them, but cannot parse them.

A game is asked for such orders only if no other reader finds or proposes any. They are only proposed, up to three
readings if several are likely, and the letter is shown beside them: people also talk about moves that they do not
order, and a model cannot tell the difference for certain.
"""

import re
from collections.abc import Sequence

from pbem.orders import ambiguity, beside
from pbem.orders.ambiguity import Doubt, Turn
from pbem.orders.command import LetterText
from pbem.orders.grammar import line_start
from pbem.orders.lines import Reading, read_text
from pbem.orders.prose import sentences_of
from pbem.orders.sentences import contains_command
from pbem.orders.situation import AnySituation, AnyStandpoint

PROPOSED = 0.5
"""The minimum likelihood, all readings together, at which orders are proposed."""
_CLEAR = 0.9  # the minimum likelihood of orders that are proposed in place of other readings
_LIKELY = 0.95
"""The minimum likelihood of orders that stand until the deadline if the writer does not answer."""
_TALK = 0.1  # the maximum probability that a letter whose orders stand is mere talk
_RIVAL, _MOST_READINGS = 0.08, 3
"""The minimum share, compared with the likeliest reading, of another reading that is offered beside it; and the maximum
number of readings."""
_PROSE_LIKE_NOTATION = 9  # the minimum number of words in a line of prose that begins like notation
_MOST_CHARACTERS, _MOST_SENTENCES = 3_000, 40
_LINE_END = re.compile(r"[;,] ")
_MOST_SAID = 16  # the maximum number of names and numbers in a letter whose orders may stand
_FEW_SENTENCES = 12  # in a letter with fewer sentences, each is tried to be left out


def or_heard(standpoint: AnyStandpoint, letter: LetterText, reading: Reading, attempts: Sequence[str]) -> Reading:
    """Return `reading` or, if it neither contains nor proposes orders, a reading that proposes any orders that the game
    hears in `letter`. So does it if more is clearly heard than `reading` proposes. `attempts` are the lines of `letter`
    that look like orders."""
    is_free = standpoint.hears and reading.orders is None and not reading.standing
    if not is_free or len(letter.rest) > _MOST_CHARACTERS:
        return reading
    if any(map(_is_notation, attempts)):
        return reading
    sentences = [one.text for one in sentences_of(letter.rest)]
    if not 0 < len(sentences) <= _MOST_SENTENCES or any(map(contains_command, sentences)):
        return reading
    if reading.mistakes and any(_is_terse(standpoint, one) for one in attempts):
        return reading  # its mistakes tell the writer what is wrong
    offered = any(one != "Pass" for one in (*reading.readings, reading.proposal or "Pass"))  # that orders nothing
    readings = _likely(standpoint, sentences, _CLEAR if offered else PROPOSED)
    if (
        not readings
        or (offered and len(readings) > 1)
        or (len(reading.readings) > 1 and readings[0] in reading.readings)
    ):
        return reading
    if reading.proposal and not _lines_of(reading.proposal) < _lines_of(readings[0]):
        return reading
    naming = [one for one in sentences if is_about_orders(standpoint, one)] or sentences
    remarks = tuple(one for one in sentences if one not in naming)
    if len(readings) > 1:
        doubts = tuple(Doubt(one, "unsure") for one in naming)
        return Reading(doubts=doubts, readings=readings, remarks=remarks, everyday=True)
    left_out = tuple(one for one in naming if _says_nothing(standpoint, one, sentences, readings))
    turn: Turn = "unsure" if left_out or not _is_likely(standpoint, sentences, readings) else "unread"
    doubts = tuple(Doubt(one, turn) for one in naming)
    return Reading(doubts=doubts, proposal=readings[0], remarks=remarks, left_out=left_out, everyday=True)


def _likely(standpoint: AnyStandpoint, sentences: Sequence[str], least: float = PROPOSED) -> tuple[str, ...]:
    """Return the likely orders in a letter that consists of `sentences`, best first; () if it is less likely than
    `least` that the letter gives any of the orders that are heard. Orders in notation must be among them."""
    heard = standpoint.hear("\n".join(one for one in sentences if "?" not in one))
    written = [one for one in sentences if standpoint.is_in_notation(one)]
    whole = [one for one in heard if all(_has_lines(standpoint, one[0], sentence) for sentence in written)]
    if sum(likelihood for _, likelihood in whole) < least:
        return ()
    rivals = [orders for orders, likelihood in whole if likelihood >= _RIVAL * whole[0][1]]
    return tuple(one for one in rivals if not read_text(standpoint, one).mistakes)[:_MOST_READINGS]


def _says_nothing(standpoint: AnyStandpoint, sentence: str, sentences: Sequence[str], likely: tuple[str, ...]) -> bool:
    """Return whether the game would hear the same `likely` orders in a letter without `sentence`. In a letter with many
    sentences this is not tried out."""
    others = [one for one in sentences if one != sentence and "?" not in one]
    return 0 < len(others) < _FEW_SENTENCES and _likely(standpoint, others) == likely


def _is_likely(standpoint: AnyStandpoint, sentences: Sequence[str], likely: tuple[str, ...]) -> bool:
    """Return whether the only `likely` orders are likely enough to stand until the deadline, and rest on each name and
    number of the letter: without any of these, something else would be heard. Nor may the letter ask, contain a hard
    word, or be mere talk."""
    text = "\n".join(sentences)
    if "?" in text or ambiguity.is_hard(text):
        return False
    if _likely(standpoint, sentences, _LIKELY) != likely or read_text(standpoint, likely[0]).orders is None:
        return False
    if standpoint.talk(text) > _TALK:
        return False
    said = dict.fromkeys((*standpoint.names_within(text), *ambiguity.numbers_in(text)))
    return len(said) <= _MOST_SAID and all(
        _likely(standpoint, _without(text, one).split("\n")) != likely for one in said
    )


def _without(text: str, word: str) -> str:
    """Return `text` without the first `word`, in whatever case."""
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "", text, count=1, flags=re.I)


def _has_lines(standpoint: AnyStandpoint, orders: str, sentence: str) -> bool:
    """Return whether the heard `orders` contain each line of `sentence`, which is in notation."""
    written = read_text(standpoint, sentence)
    lines = _lines_of(str(written.orders)) if written.orders is not None else {*written.standing}
    return bool(lines) and lines <= _lines_of(orders)


def _lines_of(orders: str) -> set[str]:
    return {*_LINE_END.split(orders)}


def _is_notation(line: str) -> bool:
    """Return whether `line` has an arrow, or another sign of notation and too few words to be prose."""
    return beside.is_like_notation(line) and (">" in line or len(line.split()) < _PROSE_LIKE_NOTATION)


def _is_terse(situation: AnySituation, line: str) -> bool:
    """Return whether `line` begins like notation and is too short to be prose."""
    begins = line_start(situation.game.grammar.parent).match(line.strip()) is not None
    return begins and len(line.split()) < _PROSE_LIKE_NOTATION


def is_about_orders(situation: AnySituation, sentence: str) -> bool:
    """Return whether `sentence` names or counts something that orders are about, or may overturn orders."""
    return (
        ambiguity.mentions_orders(situation, sentence)
        or ambiguity.counts_or_names(situation, sentence)
        or ambiguity.is_hard(sentence)
        or "?" in sentence
    )
