"""Orders that a game hears in a whole letter of everyday words: it recognises them, but cannot parse them.

How sure the game is decides what becomes of them. They are played at once, stand until the deadline unless the writer
answers otherwise, or are only proposed, up to three readings if several are likely. Orders that are only proposed give
way to what other readers find or propose.
"""

import re
from collections.abc import Sequence

from pbem.games.capabilities import Heard
from pbem.orders import ambiguity, beside
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import LetterText
from pbem.orders.grammar import line_start
from pbem.orders.lines import Reading, read_text
from pbem.orders.prose import sentences_of
from pbem.orders.sentences import contains_command
from pbem.orders.situation import AnySituation, AnyStandpoint

PROPOSED = 0.5
"""The minimum likelihood, all readings together, at which orders are proposed."""
_CLEAR = 0.9  # the minimum likelihood of orders that are proposed in place of other readings
_SURE, _LIKELY = 0.94, 0.8
"""The minimum probability that orders are meant exactly as they are heard, if they are played at once, and if they
stand until the deadline."""
_TALK, _MAY_BE_TALK = 0.2, 0.3
"""The maximum probability that a letter is mere talk if its orders are played at once, and if they stand."""
_RIVAL, _MOST_READINGS = 0.08, 3
"""The minimum share, compared with the likeliest reading, of another reading that is offered beside it; and the maximum
number of readings."""
_PROSE_LIKE_NOTATION = 9  # the minimum number of words in a line of prose that begins like notation
_MOST_CHARACTERS, _MOST_SENTENCES = 3_000, 40
_LINE_END = re.compile(r"[;,] ")
_FEW_SENTENCES = 12  # in a letter with fewer sentences, each is tried to be left out


def or_heard(standpoint: AnyStandpoint, letter: LetterText, reading: Reading, attempts: Sequence[str]) -> Reading:
    """Return `reading` or, if it contains no orders, a reading with the orders that the game hears in `letter`, if they
    are sure, or if `reading` does not propose as much. `attempts` are the lines of `letter` that look like orders."""
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
    heard = _heard(standpoint, sentences)
    naming = [one for one in sentences if is_about_orders(standpoint, one)] or sentences
    remarks = tuple(one for one in sentences if one not in naming)
    talk = standpoint.talk("\n".join(sentences))
    orders = _undoubted(standpoint, sentences, heard) if heard.sure >= _LIKELY and talk <= _MAY_BE_TALK else ""
    if orders and _agree(orders, reading):
        left_out = tuple(one for one in naming if _says_nothing(standpoint, one, sentences, orders))
        read = read_text(standpoint, orders)
        if heard.sure >= _SURE and heard.uses_all and talk <= _TALK and not left_out:
            return Reading(read.orders, standing=read.standing, remarks=remarks, everyday=True)
        doubts = tuple(Doubt(one, "unread" if read.orders is not None else "unsure") for one in naming)
        return Reading(doubts=doubts, proposal=orders, remarks=remarks, left_out=left_out, everyday=True)
    offered = any(one != "Pass" for one in (*reading.readings, reading.proposal or "Pass"))  # that orders nothing
    readings = _likely(standpoint, heard, _CLEAR if offered else PROPOSED)
    if (
        not readings
        or (offered and len(readings) > 1)
        or (len(reading.readings) > 1 and readings[0] in reading.readings)
    ):
        return reading
    if reading.proposal and not _lines_of(reading.proposal) < _lines_of(readings[0]):
        return reading
    doubts = tuple(Doubt(one, "unsure") for one in naming)
    if len(readings) > 1:
        return Reading(doubts=doubts, readings=readings, remarks=remarks, everyday=True)
    left_out = tuple(one for one in naming if _says_nothing(standpoint, one, sentences, readings[0]))
    return Reading(doubts=doubts, proposal=readings[0], remarks=remarks, left_out=left_out, everyday=True)


def _heard(standpoint: AnyStandpoint, sentences: Sequence[str]) -> Heard:
    """Return what is heard in a letter that consists of `sentences`, apart from its questions. Orders in notation must
    be among what is heard."""
    heard = standpoint.hear("\n".join(one for one in sentences if "?" not in one))
    written = [one for one in sentences if standpoint.is_in_notation(one)]
    whole = [one for one in heard.readings if all(_has_lines(standpoint, one[0], sentence) for sentence in written)]
    is_first = whole[:1] == [*heard.readings[:1]]
    return heard._replace(readings=tuple(whole), sure=heard.sure if is_first else 0.0)


def _likely(standpoint: AnyStandpoint, heard: Heard, least: float) -> tuple[str, ...]:
    """Return the likely orders of what is heard, best first; () if it is less likely than `least` that the letter gives
    any of them."""
    if sum(likelihood for _, likelihood in heard.readings) < least:
        return ()
    _, most = heard.readings[0]
    rivals = [orders for orders, likelihood in heard.readings if likelihood >= _RIVAL * most]
    return tuple(one for one in rivals if not read_text(standpoint, one).mistakes)[:_MOST_READINGS]


def _undoubted(standpoint: AnyStandpoint, sentences: Sequence[str], heard: Heard) -> str:
    """Return the likeliest orders that are heard, if they order something, can be played, and come from a letter that
    asks nothing; otherwise ""."""
    orders, _ = heard.readings[0]
    asks = any("?" in one for one in sentences)
    return "" if asks or orders == "Pass" or read_text(standpoint, orders).mistakes else orders


def _agree(orders: str, reading: Reading) -> bool:
    """Return whether `reading` proposes nothing else than the heard `orders` or a part of them."""
    offered = [one for one in (*reading.readings, reading.proposal or "Pass") if one != "Pass"]
    return not offered or any(_lines_of(one) <= _lines_of(orders) for one in offered)


def _says_nothing(standpoint: AnyStandpoint, sentence: str, sentences: Sequence[str], orders: str) -> bool:
    """Return whether the game would hear the same `orders` in a letter without `sentence`. In a letter with many
    sentences this is not tried out."""
    others = [one for one in sentences if one != sentence and "?" not in one]
    if not 0 < len(others) < _FEW_SENTENCES:
        return False
    return _likely(standpoint, _heard(standpoint, others), PROPOSED) == (orders,)


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
