"""What puts all orders of a letter in doubt: a `yes` beside more than courtesies, lines that were taken for commands or
for a signature, lines that are struck out, and lines that stand in only one form of the letter."""

from collections.abc import Callable

from pbem.orders import ambiguity, classifier
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import Asking, LetterText, Simple
from pbem.orders.lines import Reading, read_text
from pbem.orders.possible_readings import possible_readings
from pbem.orders.sentences import in_ordinary_words, names_command
from pbem.orders.situation import AnySituation, AnyStandpoint

_NAME_WORDS = 2  # the maximum number of words of a name after a command
_BRIEF = 2  # a line of at most this many words that was set aside is judged as if it stood alone
_EVERYDAY = ("leave", "forget", "join", "decline", "record")  # commands whose words also begin other sentences


def overturned(standpoint: AnyStandpoint, letter: LetterText) -> Reading | None:
    """Return the doubts of the first of `WAYS` in which a letter puts all its orders in doubt; None if there is no such
    way."""
    readings = (way(standpoint, letter) for way in WAYS)
    return next((reading for reading in readings if reading is not None), None)


def more_than_yes(standpoint: AnyStandpoint, letter: LetterText) -> Reading | None:
    """A plain `yes` that stands beside more than courtesies."""
    others = beside_yes(standpoint, letter) if Simple("yes") in letter.commands else ()
    return Reading(doubts=others) if others else None


def taken_for_commands(situation: AnySituation, letter: LetterText) -> Reading | None:
    """Lines that were taken for commands but mention pieces or names, such as `leave one in A`, or `no 2` beside
    orders."""
    everyday = everyday_commands(letter)
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
    doubts = tuple(Doubt(f"{command.word} {command.argument}", "unread") for command in about)
    return Reading(doubts=doubts, remarks=letter.lines()) if doubts else None


def struck_out(standpoint: AnyStandpoint, letter: LetterText) -> Reading | None:
    """Lines of orders that are struck out (by pictures or otherwise), corrected by another line, or meant for another
    side."""
    lines = [line for line in letter.lines() if any(map(str.isdigit, line))]
    struck = [line for line in lines if ambiguity.is_struck_out(line) or _is_for_another_side(standpoint, line)]
    crossed = [
        line
        for line in filter(ambiguity.has_picture, letter.lines())
        if ambiguity.counts_or_names(standpoint, line) or not any(map(str.isalnum, line))
    ]
    starred = [
        line for line in letter.lines() if ambiguity.is_starred(line) and ambiguity.counts_or_names(standpoint, line)
    ]
    mended = [line for line in starred if not standpoint.is_in_notation(line)]  # otherwise it is an item of a list
    doubts = tuple(Doubt(line, "turned") for line in dict.fromkeys((*struck, *crossed, *mended)))
    return Reading(doubts=doubts, remarks=letter.lines()) if doubts else None


def _is_for_another_side(standpoint: AnyStandpoint, line: str) -> bool:
    """Return whether a sentence of `line` with a number names a side other than the writer's own."""
    counting = (one for one in classifier.sentences(line) if any(map(str.isdigit, one)))
    return any(ambiguity.names_another_side(standpoint, one) for one in counting)


def in_one_form(standpoint: AnyStandpoint, letter: LetterText) -> Reading | None:
    """Lines that look like orders and appear in only one form of the letter, text or HTML."""
    if not letter.halves:
        return None
    doubts = tuple(Doubt(line, "half") for line in letter.halves)
    return Reading(doubts=doubts, readings=possible_readings(standpoint, letter.lines()), remarks=letter.lines())


def set_aside(standpoint: AnyStandpoint, letter: LetterText) -> Reading | None:
    """Lines that were taken for signatures or quotations but read as orders or as a command, or overturn the orders."""
    doubts = tuple(doubt for doubt in judged_aside(standpoint, letter) if doubt.turn == "aside")
    if not doubts:
        return None
    lines = [*letter.lines(), *(doubt.text for doubt in doubts)]
    return Reading(doubts=doubts, readings=possible_readings(standpoint, lines), remarks=letter.lines())


WAYS: tuple[Callable[[AnyStandpoint, LetterText], Reading | None], ...] = (
    more_than_yes, taken_for_commands, struck_out, in_one_form, set_aside,
)  # fmt: skip
"""The ways in which a letter may put all its orders in doubt, the most telling first."""


def agrees(letter: LetterText) -> bool:
    """Return whether `letter` says `yes`, either to all open questions or to a numbered one."""
    return any(command.word == "yes" for command in letter.commands)


def beside_yes(situation: AnySituation, letter: LetterText) -> tuple[Doubt, ...]:
    """Return a doubt for each line that appears beside a `yes` and is more than a courtesy."""
    lines = tuple(dict.fromkeys(letter.lines()))
    named = {line for line in lines if len(situation.names_within(line)) or situation.is_about(line.casefold())}
    return tuple(Doubt(line, "beside yes") for line in lines if line in named or not ambiguity.is_courtesy(line))


def everyday_commands(letter: LetterText) -> list[Asking]:
    """Return the commands with an argument whose words also begin other sentences."""
    asking = (command for command in letter.commands if isinstance(command, Asking))
    return [command for command in asking if command.word in _EVERYDAY and command.argument]


def judged_aside(standpoint: AnyStandpoint, letter: LetterText) -> list[Doubt]:
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
        or is_certainly_orders(standpoint, line)
        or ambiguity.counts_between(standpoint, line)
        or in_ordinary_words(line) is not None
        or names_command(line)
    )


def is_certainly_orders(standpoint: AnyStandpoint, line: str) -> bool:
    """Return whether `line` is certainly orders in everyday words. Names and initials alone are not enough, because
    they also sign letters."""
    return standpoint.suggests and standpoint.suggestion(line).sure
