"""The meaning of a letter as a whole: its orders, unless something else in the letter puts them in doubt.

A letter is read in passes (`PASSES`). Each takes what is known of the letter and returns it with more known. The first
passes take out of the letter what does not order anything in this turn: suppositions, orders for later turns, and
questions. What is left is read: as orders alone, if the grammar can parse all of it, or else as orders among other
lines (`mixed.py`), unless the letter puts all of them in doubt (`overturned.py`). The last passes weigh what has been
taken out against the orders.

The grammar is tried first. The lines that it does not accept are classified (`ambiguity.py`). Chat is ignored. If a
line may change the orders, the orders stand, and the writer is asked. If a line overturns the orders ("turned"), for
example by denying them or making them conditional, no orders stand. In games that find orders in everyday sentences,
such orders are looked for only in text that the grammar cannot parse, never in text that it can parse but the rules
forbid.
"""

import re
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any, NamedTuple

from pbem.orders import ambiguity, beside, conditions, headings, inquiries, supposing
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import Choice, Inquiry, Later, LetterText, Suppose
from pbem.orders.lines import Reading, SeatLines, read_text, read_whole
from pbem.orders.mixed import read_lines
from pbem.orders.overturned import agrees, everyday_commands, judged_aside, overturned
from pbem.orders.repeats import unless_repeated
from pbem.orders.run_together import or_run_together
from pbem.orders.situation import AnyStandpoint

_SENTENCE_END = re.compile(r"(?<=[.!?])[ \t]+(?=\S)")
_MOST_SENTENCES = 12  # a line with more sentences is not taken apart, because each is read several times


class Progress(NamedTuple):
    """What the passes know of a letter that is written from `standpoint`.

    `letter` is what they have left of it. They have taken out `later`, the orders for later turns and the wishes with a
    condition, of which `unsure` are in doubt, and `asked`, its questions and suppositions. `choices` say which orders
    with a condition apply now. `whole` is what the rest says if it consists of orders alone, and `reading` what the
    letter says.
    """

    standpoint: AnyStandpoint
    letter: LetterText
    later: tuple[Later, ...] = ()
    unsure: tuple[Doubt, ...] = ()
    asked: tuple[Inquiry | Suppose, ...] = ()
    choices: tuple[Choice, ...] = ()
    whole: Reading | None = None
    reading: Reading = Reading()


def understand(standpoint: AnyStandpoint, letter: LetterText) -> Reading:
    """Read `letter`, which the holder of a seat wrote.

    The letter's commands are returned even if its orders cannot be read.
    """
    read = reduce(lambda known, one: one(known), PASSES, Progress(standpoint, letter))
    commands = (*read.letter.commands, *read.later, *read.asked)
    return read.reading._replace(commands=commands, choices=read.choices)


# The passes


def put_everyday_lines_back(known: Progress) -> Progress:
    """Put lines that merely begin like a command, such as "leave one in A, the rest to M", back into the text."""
    situation, letter = known.standpoint, known.letter
    meant = [
        command
        for command in everyday_commands(letter)
        if situation.suggests and situation.names_within(command.argument)
    ]
    if not meant:
        return known
    others = tuple(command for command in letter.commands if command not in meant)
    lines = (f"{command.word} {command.argument}" for command in meant)
    return known._replace(letter=letter._replace(commands=others, rest="\n".join((letter.rest, *lines)).strip()))


def put_turns_before_conditions(known: Progress) -> Progress:
    """Put all orders with a condition on one line each, behind the turn that they are for."""
    read = partial(_read_part, known.standpoint)
    return known._replace(letter=conditions.with_turns(known.standpoint, known.letter, read))


def take_heading(known: Progress) -> Progress:
    """Take out the line above the orders that only says what they are."""
    return known._replace(letter=headings.without_heading(known.standpoint, known.letter))


def take_wishes(known: Progress) -> Progress:
    """Take out the wishes with a condition, such as "if I lose Mu I resign"."""
    letter, wishes = conditions.take_wishes(known.standpoint, known.letter)
    return known._replace(letter=letter, later=wishes)


def take_suppositions(known: Progress) -> Progress:
    """Take out the orders that the writer only wants to try out."""
    letter, tried = supposing.take(known.standpoint, known.letter)
    return known._replace(letter=letter, asked=tried)


def take_later_orders(known: Progress) -> Progress:
    """Take out the orders for later turns."""
    letter, later, unsure = headings.take_later(known.letter, partial(_read_cases, known.standpoint))
    return known._replace(letter=letter, later=(*known.later, *later), unsure=unsure)


def decide_conditions(known: Progress) -> Progress:
    """Put the orders that apply now in place of orders with a condition for this turn."""
    letter, choices = conditions.decided(known.standpoint, known.letter, partial(_read_part, known.standpoint))
    return known._replace(letter=letter, choices=choices)


def take_questions(known: Progress) -> Progress:
    """Take out the questions; find out whether the rest consists of orders alone. Orders alone contain no question."""
    standpoint, text = known.standpoint, known.letter.rest
    whole = None if "?" in text else read_whole(standpoint, text)
    letter, questions = inquiries.take(standpoint, known.letter, _read_part) if whole is None else (known.letter, ())
    if "?" in text or letter.rest != text:
        whole = read_whole(standpoint, letter.rest)
    return known._replace(letter=letter, asked=(*questions, *known.asked), whole=whole)


def set_orders_apart(known: Progress) -> Progress:
    """Put each sentence on its own line wherever a line contains both orders in notation and chat."""
    standpoint, letter = known.standpoint, known.letter
    if known.whole is not None:
        return known
    lines = ((line, _SENTENCE_END.split(line)) for line in letter.rest.split("\n"))
    rest = ("\n".join(apart) if _is_mixed(standpoint, letter, apart) else line for line, apart in lines)
    return known._replace(letter=letter._replace(rest="\n".join(rest)))


def read_rest(known: Progress) -> Progress:
    """Read what is left of the letter."""
    return known._replace(reading=_read_text(known.standpoint, known.letter, known.whole))


def read_without_also(known: Progress) -> Progress:
    """If nothing else is read, read the letter without words for "also"."""
    standpoint, letter, reading = known.standpoint, known.letter, known.reading
    if reading.orders is not None or not (bare := ambiguity.without_adding(letter.lines())):
        return known
    again = _read_text(standpoint, letter._replace(rest=bare), read_whole(standpoint, bare))
    return known._replace(reading=again) if again.orders is not None and not reading.standing else known


def weigh_later_orders(known: Progress) -> Progress:
    """If it is in doubt for which turn orders are meant, let none stand."""
    if not known.unsure:
        return known
    return known._replace(reading=Reading(doubts=known.unsure, remarks=known.reading.remarks), choices=())


def weigh_questions(known: Progress) -> Progress:
    """Doubt the orders if a question or supposition puts them in doubt. If the letter contains a `yes`, each does."""
    reading = known.reading
    if not known.asked:
        return known
    if agrees(known.letter):
        beside_yes = (Doubt(question.text, "beside yes") for question in known.asked)
        return known._replace(reading=reading._replace(doubts=(*reading.doubts, *beside_yes)))
    orders = reading.proposal or "" if reading.orders is None else str(reading.orders)
    doubts = tuple(
        Doubt(question.text, "turned") for question in known.asked if orders and _puts_in_doubt(question, orders)
    )
    if not doubts:
        return known
    readings = dict.fromkeys((*reading.readings, *([orders] if reading.orders is not None else ())))
    doubtful = reading._replace(
        orders=None, proposal=None, perhaps=(), doubts=(*reading.doubts, *doubts), readings=tuple(readings)
    )
    return known._replace(reading=doubtful)


def note_addition(known: Progress) -> Progress:
    """Note whether the orders are to be added to those that already stand. In a single order, an "also" anywhere refers
    to these."""
    reading, text = known.reading, known.letter.rest
    is_single = known.whole is None and not re.search("[,;]", str(reading.orders))
    says = bool(reading.orders is not None or reading.proposal)
    adds = says and (is_single or not text[:1].isdigit()) and ambiguity.adds(text, alone=is_single)
    return known._replace(reading=reading._replace(adds=adds))


PASSES: tuple[Callable[[Progress], Progress], ...] = (
    put_everyday_lines_back, put_turns_before_conditions, take_heading, put_turns_before_conditions, take_wishes,
    take_suppositions, take_later_orders, decide_conditions, take_questions, set_orders_apart, read_rest,
    read_without_also, weigh_later_orders, weigh_questions, note_addition,
)  # fmt: skip
"""The passes in the order in which a letter takes them. A heading that names this turn must be found before it is taken
for one that announces orders."""


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


def _puts_in_doubt(question: Inquiry | Suppose, orders: str) -> bool:
    """Return whether `question` puts the `orders` beside it in doubt. A question that supposes orders always does."""
    return isinstance(question, Suppose) or inquiries.puts_in_doubt(question, orders)


def _read_part(standpoint: AnyStandpoint, text: str) -> Reading:
    """Read `text`, which is part of a letter, such as the orders in a question."""
    return _read_text(standpoint, LetterText(rest=text), read_whole(standpoint, text))


def _read_cases(standpoint: AnyStandpoint, text: str) -> Reading:
    """Read `text`, which is part of a letter. If it is orders with conditions, return the reading of the first case
    that is not orders, otherwise that of the first case."""
    readings = [_read_part(standpoint, case) for case in conditions.branches(standpoint, text)]
    return next((reading for reading in readings if not headings.is_orders(reading)), readings[0])


def _read_text(standpoint: AnyStandpoint, letter: LetterText, whole: Reading | None) -> Reading:
    """Read the text of `letter`. `whole` is what `read_whole` returns for that text."""
    if (reading := overturned(standpoint, letter)) is not None:
        return reading
    if whole is not None:
        reading = unless_repeated(standpoint, whole, letter.rest.splitlines())
    else:
        reading = or_run_together(standpoint, letter, read_lines(standpoint, letter))
    if reading.orders is None:
        return reading
    aside = (doubt.text for doubt in judged_aside(standpoint, letter))
    return reading._replace(perhaps=(*reading.perhaps, *aside))


def as_playable(standpoint: AnyStandpoint, reading: Reading, text: str) -> Reading:
    """Return `reading` with its orders, or with its proposal, in the form in which they can be played.

    Orders that cannot be played as written become a proposal, with a mistake for each reason. `text` is the text of the
    letter, in which the mistakes are located.
    """
    if not standpoint.revises:
        return reading
    readings = tuple(filter(None, (_offered(standpoint, way) for way in reading.readings)))
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


def _offered(standpoint: AnyStandpoint, text: str) -> str:
    """Return the orders in `text` in the form in which they can be played, or `text` itself if it contains nothing but
    standing orders; "" if they cannot be played as written."""
    meant, read = playable(standpoint, text), read_text(standpoint, text)
    return str(meant) if meant is not None else text if read.standing and read.orders is None else ""


def playable(standpoint: AnyStandpoint, text: str) -> Any | None:
    """Return the orders in `text` in the form in which they can be played; None if they cannot be played as written."""
    orders = read_text(standpoint, text).orders
    revision = None if orders is None else standpoint.revised(orders)
    return None if revision is None or revision.faults else revision.orders
