"""Orders among other lines, in a letter that does not consist of orders alone."""

import re
from collections.abc import Sequence

from pbem.i18n.words import alternatives, words
from pbem.orders import ambiguity, beside
from pbem.orders.ambiguity import FACE, Doubt
from pbem.orders.classifier import Verdict
from pbem.orders.command import Command, LetterText
from pbem.orders.everyday import is_refused, read_everyday
from pbem.orders.grammar import line_start
from pbem.orders.hearing import or_heard
from pbem.orders.lines import LineMistake, Reading, SeatLines, read_text
from pbem.orders.misspelt import corrected
from pbem.orders.overturned import agrees, beside_yes, is_certainly_orders
from pbem.orders.possible_readings import possible_readings
from pbem.orders.prose import joined
from pbem.orders.repeats import unless_repeated
from pbem.orders.sentences import contains_command
from pbem.orders.situation import AnySituation, AnyStandpoint

_FEW = 4  # a line of at most this many words may be an order just because it contains a name
_AGAINST_ORDERS = ("withdraw", "check", "no wait", "no go", "resign", "forget me")
_YES = re.compile(rf"\W*{alternatives(('yes', *words('commands', 'yes')))}\b", re.I)


def read_lines(standpoint: AnyStandpoint, letter: LetterText) -> Reading:
    """Read the text of a letter that does not consist only of orders."""
    letter = letter._replace(rest=FACE.sub(_blank, letter.rest))
    lines = SeatLines(standpoint, letter.rest)
    reading = lines.read()
    if agrees(letter) and not lines.attempts and (others := beside_yes(standpoint, letter)):
        return Reading(doubts=others)
    reading = _without_prose(lines, reading)
    written = "" if reading.orders is None else "\n".join((*lines.attempts, str(reading.orders)))
    doubts, perhaps = _judge_remarks(standpoint, letter, reading.remarks, written)
    if not doubts and reading.orders is not None:
        reading = unless_repeated(standpoint, reading, lines.attempts)
        return reading if reading.doubts else reading.asking_about(perhaps)
    if not doubts and reading.mistakes and unless_repeated(standpoint, reading, lines.attempts).doubts:
        return unless_repeated(standpoint, reading, lines.attempts)
    if not (lines.attempts or reading.remarks) or reading.standing:
        return reading._replace(doubts=doubts if reading.standing else ())
    everyday = None if reading.orders is not None or is_refused(lines) else read_everyday(standpoint, letter)
    in_doubt = _in_doubt(reading, lines, doubts)
    found = in_doubt if everyday is None else _with_everyday(lines, reading, in_doubt, everyday)
    return or_heard(standpoint, letter, found, lines.attempts)


def _with_everyday(lines: SeatLines, reading: Reading, in_doubt: Reading, everyday: Reading) -> Reading:
    """Return what a letter means whose lines are read as `reading`, or as `in_doubt` if some are doubtful, and whose
    sentences are read as `everyday`."""
    says = everyday.orders is not None or everyday.proposal
    if not reading.mistakes or everyday.mistakes or (says and not _is_partly_parsed(lines)):
        return everyday
    if everyday.orders is not None and _are_all_certain(lines):
        return everyday
    proposal = everyday.proposal if everyday.orders is None else str(everyday.orders)
    return reading._replace(proposal=reading.proposal or proposal) if proposal else in_doubt  # the mistakes are kept


def _is_partly_parsed(lines: SeatLines) -> bool:
    """Return whether the grammar parses at least one part of the letter completely."""
    return any(lines.is_complete(part) for _, parts, _ in lines.split_lines() for part in parts)


def _blank(face: re.Match[str]) -> str:
    """Return blanks of the same length as the picture `face`, or the picture itself if it overturns orders."""
    return face[0] if ambiguity.has_picture(face[0]) else " " * len(face[0])


def _are_all_certain(lines: SeatLines) -> bool:
    """Return whether every part that the grammar does not parse completely is certainly chat, or certainly orders in
    everyday words."""
    standpoint = lines.standpoint
    parts = (part for _, parts, items in lines.split_lines() if items for part in parts if not lines.is_complete(part))
    texts = (lines.text[part.start : part.end] for part in parts)
    return all(is_certainly_orders(standpoint, text) or ambiguity.is_chat_within(standpoint, text) for text in texts)


def _without_prose(lines: SeatLines, reading: Reading) -> Reading:
    """Return `reading`, or a reading without the lines of prose among orders in notation, if the orders are legal
    without these lines.

    Such a line becomes a remark: it mentions something that orders are about, but says too little to be an order.
    """
    prose = [line for line in lines.attempts if _is_prose(lines.standpoint, line)] if reading.mistakes else []
    if not prose or len(prose) == len(lines.attempts):
        return reading
    rest = "\n".join(line for line in lines.text.split("\n") if line not in prose)
    without = SeatLines(lines.standpoint, rest).read()
    if without.mistakes or (without.orders is None and not without.standing):
        return reading
    return without._replace(remarks=(*without.remarks, *(line.strip() for line in prose)))


def _is_prose(standpoint: AnyStandpoint, line: str) -> bool:
    """Return whether `line` is prose rather than an order: the grammar cannot read it, it contains no number and at
    most one name, and the game recognises no order in it either."""
    is_about = standpoint.is_about(ambiguity.folded(line)) or line_start(standpoint.game.grammar.parent).match(line)
    if is_about or len(set(standpoint.names_within(line))) > 1 or any(map(str.isdigit, line)):
        return False
    if not (beside.may_be_prose(line) and read_text(standpoint, line).mistakes):
        return False
    meant = standpoint.suggestion(line)
    return not (meant.orders or meant.illegal or meant.understood)


def _judge_remarks(
    standpoint: AnyStandpoint, letter: LetterText, remarks: Sequence[str], orders: str
) -> tuple[tuple[Doubt, ...], list[str]]:
    """Return doubts about those of the `remarks` that overturn the orders, and a list of those that may change the
    orders.

    The pieces of a broken line are judged as one remark. If there are no `orders` in notation, a remark may be orders
    itself.
    """
    doubts, perhaps = list[Doubt](), list[str]()
    for line in joined(remarks, commas=False):
        command = corrected(line)
        if command:
            verdict = _effect_of(command)
        elif orders:
            verdict = beside.verdict(standpoint, letter, line, orders)
        else:
            verdict = ambiguity.verdict(standpoint, line, letter.match, place="alone")
        if verdict == "turned" or contains_command(line):
            doubts.append(Doubt(line, "turned"))
        elif verdict == "perhaps":
            perhaps.append(line)
    return tuple(doubts), perhaps


def _effect_of(misspelt: Command) -> Verdict:
    """Return the effect of a line on the orders beside it. The line is a misspelt form of the command `misspelt`."""
    return "turned" if misspelt.word in _AGAINST_ORDERS else "chat"


def _in_doubt(reading: Reading, lines: SeatLines, doubts: tuple[Doubt, ...]) -> Reading:
    """Return `reading` with doubts and with the complete orders that its text may mean. The text is one that cannot be
    read or that overturns its own orders.

    `doubts` are the doubts about remarks. Nothing is proposed beside words that overturn orders.
    """
    standpoint = lines.standpoint
    text = [line for line in lines.text.splitlines() if line.strip()]
    if reading.orders is not None:
        return Reading(doubts=doubts, readings=possible_readings(standpoint, text), remarks=reading.remarks)
    if not reading.mistakes:
        unread = [remark for remark in reading.remarks if _is_of_orders(standpoint, remark)]
        about = (
            *(doubt.text for doubt in doubts),
            *(remark for remark in reading.remarks if ambiguity.counts_or_names(standpoint, remark)),
        )
        agreed = [Doubt(line, "beside yes") for line in dict.fromkeys(about) if _YES.match(line)]
        questioned = [Doubt(line, "turned" if ambiguity.is_hard(line) else "unread") for line in unread]
        readings = () if agreed or not (questioned or doubts) else possible_readings(standpoint, text)
        return reading._replace(doubts=(*agreed, *questioned), readings=readings)
    within = tuple(Doubt(line, "turned") for line in dict.fromkeys(_turned_within(reading, lines)))
    if not (doubts or within):
        return reading
    readings = () if doubts and not within else possible_readings(standpoint, text)
    # Words that overturn the orders lead to a question, so they are not also shown as a mistake.
    mistakes = () if readings else tuple(mistake for mistake in reading.mistakes if not _marks_turning(mistake, lines))
    return reading._replace(mistakes=mistakes, proposal=None, left_out=(), doubts=(*doubts, *within), readings=readings)


def _turned_within(reading: Reading, lines: SeatLines) -> list[str]:
    """Return the lines of faulty orders that overturn the orders. These are lines in which the part marked as wrong
    overturns them and, unless the game's own orders use hard words, lines with a hard word or a question mark."""
    own = lines.situation.game.turning_words
    hard = [
        line for line in (*lines.attempts, *reading.left_out) if not own and (ambiguity.is_hard(line) or "?" in line)
    ]
    unread = [mistake.text for mistake in reading.mistakes if _marks_turning(mistake, lines)]
    return [" ".join(line.split()) for line in (*hard, *unread)]


def _marks_turning(mistake: LineMistake, lines: SeatLines) -> bool:
    """Return whether the text that `mistake` marks as wrong overturns the orders."""
    own = lines.situation.game.turning_words
    return ambiguity.turns(mistake.text[mistake.column :][: None if own else mistake.width], conditions=not own)


def _is_of_orders(situation: AnySituation, line: str) -> bool:
    """Return whether `line`, in which no orders can be read, is about orders. A few words that contain a name may also
    be an order."""
    if len(line.split()) <= _FEW and situation.names_in(line) and not ambiguity.is_greeting(line):
        return True
    return ambiguity.mentions_orders(situation, line)
