"""The meaning of a letter as a whole: its orders, unless something else in the letter puts them in doubt.

The grammar is tried first. The lines that it does not accept are classified (`pbem/orders/ambiguity.py`). Chat is
ignored. If a line may change the orders, the orders stand, and the writer is asked. If a line overturns the orders
("turned"), for example by denying them or making them conditional, no orders stand. In games that find orders in
everyday sentences, such orders are looked for only in text that the grammar cannot parse, never in text that it can
parse but the rules forbid.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from pbem.i18n.words import alternatives, words
from pbem.orders import ambiguity, beside, headings, inquiries, supposing
from pbem.orders.ambiguity import FACE, Doubt
from pbem.orders.classifier import Verdict
from pbem.orders.command import Asking, Command, Inquiry, LetterText, Simple, Suppose
from pbem.orders.everyday import is_refused, read_everyday
from pbem.orders.grammar import line_start
from pbem.orders.hearing import or_heard
from pbem.orders.lines import LineMistake, Reading, SeatLines, read_text, read_whole
from pbem.orders.misspelt import corrected
from pbem.orders.possible_readings import possible_readings
from pbem.orders.prose import joined
from pbem.orders.repeats import unless_repeated
from pbem.orders.run_together import or_run_together
from pbem.orders.sentences import contains_command, in_ordinary_words, names_command
from pbem.orders.situation import AnySituation, AnyStandpoint

_SENTENCE_END = re.compile(r"(?<=[.!?])[ \t]+(?=\S)")
_MOST_SENTENCES = 12  # a line with more sentences is not taken apart, because each is read several times
_FEW = 4  # a line of at most this many words may be an order just because it contains a name
_NAME_WORDS = 2  # the maximum number of words of a name after a command
_BRIEF = 2  # a line of at most this many words that was set aside is judged as if it stood alone
_EVERYDAY = ("leave", "forget", "join", "decline", "record")  # commands whose words also begin other sentences
_AGAINST_ORDERS = ("withdraw", "check", "no wait", "no go", "resign", "forget me")
_YES = re.compile(rf"\W*{alternatives(('yes', *words('commands', 'yes')))}\b", re.I)


def understand(standpoint: AnyStandpoint, letter: LetterText) -> Reading:
    """Read `letter`, which the holder of a seat wrote.

    The letter's commands are returned even if its orders cannot be read.
    """
    letter = headings.without_heading(standpoint, _with_everyday_lines(standpoint, letter))
    letter, tried = supposing.take(standpoint, letter)
    letter, later, unsure = headings.take_later(letter, partial(_read_part, standpoint))
    # Text that consists of orders alone contains no question.
    text = letter.rest
    whole = None if "?" in text else read_whole(standpoint, text)
    letter, questions = inquiries.take(standpoint, letter, _read_part) if whole is None else (letter, ())
    if "?" in text or letter.rest != text:
        whole = read_whole(standpoint, letter.rest)
    if whole is None:
        letter = _orders_apart(standpoint, letter)
    reading = _read_text(standpoint, letter, whole)
    if reading.orders is None and (bare := ambiguity.without_adding(letter.lines())):
        again = _read_text(standpoint, letter._replace(rest=bare), read_whole(standpoint, bare))
        reading = again if again.orders is not None and not reading.standing else reading
    if unsure:
        reading = Reading(doubts=unsure, remarks=reading.remarks)
    if questions or tried:
        reading = _unless_asked(reading, letter, (*questions, *tried))
    is_single = whole is None and not re.search("[,;]", str(reading.orders))  # an "also" then refers to earlier orders
    adds = (
        bool(reading.orders is not None or reading.proposal)
        and (is_single or not letter.rest[:1].isdigit())
        and ambiguity.adds(letter.rest, alone=is_single)
    )
    return reading._replace(commands=(*letter.commands, *later, *questions, *tried), adds=adds)


def _orders_apart(standpoint: AnyStandpoint, letter: LetterText) -> LetterText:
    """Return `letter` with each sentence on its own line wherever a line contains both orders in notation and chat."""
    lines = ((line, _SENTENCE_END.split(line)) for line in letter.rest.split("\n"))
    rest = ("\n".join(apart) if _is_mixed(standpoint, letter, apart) else line for line, apart in lines)
    return letter._replace(rest="\n".join(rest))


def _is_mixed(standpoint: AnyStandpoint, letter: LetterText, sentences: Sequence[str]) -> bool:
    """Return whether some of `sentences` are orders in notation, and the others do not change these orders."""
    if not 1 < len(sentences) <= _MOST_SENTENCES:
        return False
    ordering = [one for one in sentences if standpoint.is_in_notation(one.rstrip(".!"))]
    others = [one for one in sentences if one not in ordering]
    orders = "\n".join(ordering)
    return bool(ordering and others) and not any(
        any(map(str.isdigit, one)) or beside.verdict(standpoint, letter, one, orders) != "chat" for one in others
    )


def as_playable(standpoint: AnyStandpoint, reading: Reading, text: str) -> Reading:
    """Return `reading` with its orders, or with its proposal, in the form in which they can be played.

    Orders that cannot be played as written become a proposal, with a mistake for each reason. `text` is the text of the
    letter, in which the mistakes are located.
    """
    if not standpoint.revises:
        return reading
    readings = tuple(str(meant) for way in reading.readings if (meant := playable(standpoint, way)) is not None)
    orders = reading.orders
    if orders is None and reading.proposal:
        orders = read_text(standpoint, reading.proposal).orders
    if orders is None:
        return reading._replace(readings=readings)
    revision = standpoint.revised(orders)
    if reading.orders is not None and not revision.faults:
        return reading._replace(orders=revision.orders, readings=readings)
    lines = SeatLines(standpoint, text)
    return reading._replace(
        orders=None,
        proposal=None if revision.orders is None else str(revision.orders),
        standing=() if reading.orders is not None else reading.standing,
        mistakes=(*reading.mistakes, *(lines.fault(*fault) for fault in revision.faults)),
        doubts=(*reading.doubts, *(Doubt(line, "turned") for line in reading.perhaps)),
        perhaps=(),
        readings=readings,
    )


def playable(standpoint: AnyStandpoint, text: str) -> Any | None:
    """Return the orders in `text` in the form in which they can be played; None if they cannot be played as written."""
    orders = read_text(standpoint, text).orders
    revision = None if orders is None else standpoint.revised(orders)
    return None if revision is None or revision.faults else revision.orders


def _with_everyday_lines(situation: AnySituation, letter: LetterText) -> LetterText:
    """Return `letter` with lines that merely begin like a command, such as "leave one in A, the rest to M", put back
    into its text."""
    everyday = [
        command
        for command in letter.commands
        if isinstance(command, Asking) and command.word in _EVERYDAY and command.argument
    ]
    meant = [command for command in everyday if situation.suggests and situation.names_within(command.argument)]
    if not meant:
        return letter
    others = tuple(command for command in letter.commands if command not in meant)
    lines = (f"{command.word} {command.argument}" for command in meant)
    return letter._replace(commands=others, rest="\n".join((letter.rest, *lines)).strip())


def _read_part(standpoint: AnyStandpoint, text: str) -> Reading:
    """Read `text`, which is part of a letter, such as the orders in a question."""
    return _read_text(standpoint, LetterText(rest=text), read_whole(standpoint, text))


def _unless_asked(reading: Reading, letter: LetterText, questions: Sequence[Inquiry | Suppose]) -> Reading:
    """Return `reading`, with a doubt for each of the `questions` that puts the orders in doubt. If the letter contains
    a `yes`, there is a doubt for each question."""
    if _agrees(letter):
        return reading._replace(
            doubts=(*reading.doubts, *(Doubt(question.text, "beside yes") for question in questions))
        )
    orders = reading.proposal or "" if reading.orders is None else str(reading.orders)
    doubts = tuple(
        Doubt(question.text, "turned") for question in questions if orders and _puts_in_doubt(question, orders)
    )
    if not doubts:
        return reading
    readings = dict.fromkeys((*reading.readings, *([orders] if reading.orders is not None else ())))
    return reading._replace(
        orders=None, proposal=None, perhaps=(), doubts=(*reading.doubts, *doubts), readings=tuple(readings)
    )


def _puts_in_doubt(question: Inquiry | Suppose, orders: str) -> bool:
    """Return whether `question` puts the `orders` beside it in doubt. A question that supposes orders always does."""
    return isinstance(question, Suppose) or inquiries.puts_in_doubt(question, orders)


def _read_text(standpoint: AnyStandpoint, letter: LetterText, whole: Reading | None) -> Reading:
    """Read the text of `letter`. `whole` is what `read_whole` returns for that text."""
    text = letter.rest
    if Simple("yes") in letter.commands and (others := _beside_yes(standpoint, letter)):
        return Reading(doubts=others)
    for others in (_beside_orders(standpoint, letter), _struck_out(standpoint, letter)):
        if others:
            return Reading(doubts=others, remarks=letter.lines())
    if letter.halves:
        doubts = tuple(Doubt(line, "half") for line in letter.halves)
        return Reading(doubts=doubts, readings=possible_readings(standpoint, letter.lines()), remarks=letter.lines())
    aside = _judge_aside(standpoint, letter)
    if others := tuple(doubt for doubt in aside if doubt.turn == "aside"):
        lines = [*letter.lines(), *(doubt.text for doubt in others)]
        return Reading(doubts=others, readings=possible_readings(standpoint, lines), remarks=letter.lines())
    if whole is not None:
        reading = unless_repeated(standpoint, whole, text.splitlines())
    else:
        reading = or_run_together(standpoint, letter, _read_lines(standpoint, letter))
    perhaps = (*reading.perhaps, *(doubt.text for doubt in aside))
    return reading if reading.orders is None else reading._replace(perhaps=perhaps)


def _read_lines(standpoint: AnyStandpoint, letter: LetterText) -> Reading:
    """Read the text of a letter that does not consist only of orders."""
    letter = letter._replace(rest=FACE.sub(_blank, letter.rest))
    lines = SeatLines(standpoint, letter.rest)
    reading = lines.read()
    if _agrees(letter) and not lines.attempts and (others := _beside_yes(standpoint, letter)):
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
    return all(_is_certainly_orders(standpoint, text) or ambiguity.is_chat_within(standpoint, text) for text in texts)


def _agrees(letter: LetterText) -> bool:
    """Return whether `letter` says `yes`, either to all open questions or to a numbered one."""
    return any(command.word == "yes" for command in letter.commands)


def _beside_yes(situation: AnySituation, letter: LetterText) -> tuple[Doubt, ...]:
    """Return a doubt for each line that appears beside a `yes` and is more than a courtesy."""
    lines = tuple(dict.fromkeys(letter.lines()))
    named = {line for line in lines if len(situation.names_within(line)) or situation.is_about(line.casefold())}
    return tuple(Doubt(line, "beside yes") for line in lines if line in named or not ambiguity.is_courtesy(line))


def _beside_orders(situation: AnySituation, letter: LetterText) -> tuple[Doubt, ...]:
    """Return doubts about lines that were taken for commands but mention pieces or names, such as `leave one in A`, or
    `no 2` beside orders."""
    everyday = [
        command
        for command in letter.commands
        if isinstance(command, Asking) and command.word in _EVERYDAY and command.argument
    ]
    if everyday and not any(ambiguity.mentions_orders(situation, line) for line in letter.lines()):
        everyday = [command for command in everyday if command.word != "decline"]
    prose = [
        command
        for command in everyday
        if command.word in ("leave", "forget") and len(command.argument.split()) > _NAME_WORDS
    ]
    about = [
        command for command in everyday if command in prose or ambiguity.counts_or_names(situation, command.argument)
    ]
    return tuple(Doubt(f"{command.word} {command.argument}", "unread") for command in about)


def _struck_out(standpoint: AnyStandpoint, letter: LetterText) -> tuple[Doubt, ...]:
    """Return doubts about lines of orders that are struck out (by pictures or otherwise), corrected by another line, or
    meant for another side."""
    lines = [line for line in letter.lines() if any(map(str.isdigit, line))]
    struck = [line for line in lines if ambiguity.is_struck_out(line) or ambiguity.names_another_side(standpoint, line)]
    crossed = [
        line
        for line in filter(ambiguity.has_picture, letter.lines())
        if ambiguity.counts_or_names(standpoint, line) or not any(map(str.isalnum, line))
    ]
    starred = [
        line for line in letter.lines() if ambiguity.is_starred(line) and ambiguity.counts_or_names(standpoint, line)
    ]
    mended = [line for line in starred if not standpoint.is_in_notation(line)]  # otherwise it is an item of a list
    return tuple(Doubt(line, "turned") for line in dict.fromkeys((*struck, *crossed, *mended)))


def _judge_aside(standpoint: AnyStandpoint, letter: LetterText) -> list[Doubt]:
    """Return doubts about lines in `letter.aside`. A line that reads as orders or as a command, or that overturns the
    orders, gets the doubt "aside"; a line that merely may change the orders gets the doubt "turned"."""
    doubts = []
    for line in letter.aside:
        place: ambiguity.Place = "alone" if len(ambiguity.WORD.findall(line)) <= _BRIEF else "among"
        is_told = line in letter.worth_telling
        verdict = ambiguity.verdict(standpoint, line, letter.match, place=place) if is_told else "chat"
        if verdict == "turned" or _may_be_orders_or_command(standpoint, line):
            doubts.append(Doubt(line, "aside"))
        elif verdict == "perhaps":
            doubts.append(Doubt(line, "turned"))
    return doubts


def _may_be_orders_or_command(standpoint: AnyStandpoint, line: str) -> bool:
    """Return whether `line`, which was taken for a signature or quote, reads as orders or as a command."""
    return (
        read_text(standpoint, line).orders is not None
        or _is_certainly_orders(standpoint, line)
        or ambiguity.counts_between(standpoint, line)
        or in_ordinary_words(line) is not None
        or names_command(line)
    )


def _is_certainly_orders(standpoint: AnyStandpoint, line: str) -> bool:
    """Return whether `line` is certainly orders in everyday words. Names and initials alone are not enough, because
    they also sign letters."""
    return standpoint.suggests and standpoint.suggestion(line).sure


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
