"""Reading the writer's own words in a letter as orders, commands and remarks, and finding the mistakes in them.

A text is first read as a whole; only if that fails is it read line by line and item by item.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from pbem import PbemError
from pbem.games.base import AnyGame, Seat
from pbem.games.capabilities import KeepsStandingOrders
from pbem.games.spelling import caseless
from pbem.i18n import words
from pbem.mail.plaintext import normalise
from pbem.orders.ambiguity import Doubt, is_greeting
from pbem.orders.command import Asking, Command, Decision, LetterText, Press, Simple
from pbem.orders.commands import BLOCKS, COMMAND_WORDS, DECISIONS, find_command
from pbem.orders.grammar import may_begin, parse_command
from pbem.orders.lines import LineMistake, Lines, Reading, read_text, read_whole, render_mistake, render_mistakes
from pbem.orders.lookups import is_lookup_of_all, may_be_lookup, take_lookups
from pbem.orders.numbered_lists import with_items_apart
from pbem.orders.people import are_named, is_to_somebody, means
from pbem.orders.sentences import PLEASE, command_in_line, without_please
from pbem.orders.situation import AnySituation, AnyStandpoint
from pbem.orders.understanding import as_playable, playable, understand

_BLOCK = re.compile(
    rf"\s*({'|'.join(sorted(BLOCKS))})(?:\s+([a-z]{{1,8}}-\d{{1,9}}))?(?:\s+([^\s:][^:]{{0,99}}?))?\s*:(.*)", re.I
)
_SEAT = re.compile(r"[a-z][a-z0-9]{0,11}", re.I)
_NAME = 4  # the maximum number of words of the name of a player whom a message is for
_END = re.compile(rf"\s*{words.pattern('around', 'end')} +({'|'.join(sorted(BLOCKS))})[ .]*", re.I)
_CHECK = re.compile(  # but "check whether ..." is a question
    rf"\s*{words.alternatives(name for name, word in BLOCKS.items() if word == 'check')} +(?=\S)"
    rf"(?!{words.pattern('around', 'whether')}\b)",
    re.I,
)
REPLY = re.compile(
    r"(?:\s*(?:re|aw|antw(?:ort)?|fwd?|wg|wtr|ha|sv|vs|отв(?:ет)?|пересл)\s*(?:\[\d{1,3}\]|\(\d{1,3}\))?\s*:"
    r"|\s*\[[^\]]{1,60}\])*\s*",
    re.I,
)
"""A pattern for the marks before a subject: those of replies and forwarded letters in several languages, such as "Re:",
and the names of mailing lists in square brackets."""
_BETWEEN = r"[\s:;,.|–—-]*"  # marks between a title, a name and orders
_FIRST_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LINE_START = re.compile(rf"\W{{0,3}}(?:{words.pattern('around', 'polite')}\b\W{{1,3}})?(\w+)", re.I)
_YES = ("yes", *words.words("commands", "yes"))
_NO_WAIT = re.compile(r"\W*no\W+wait\W*", re.I)
_ONE_WORD = re.compile(r"\W*\w+\W*")
_TAKE_BACK = (Simple("withdraw"), Simple("undo"))
_MOST_LINES, _MOST_CHARACTERS = 250, 16_000
"""The maximum numbers of lines and characters of a letter that are read, not counting messages and empty lines.

No game accepts orders that need more lines than this. The limits are low because reading a line as orders may take a
thousand times as long as reading it as mail.
"""
_MOST_ALONE = 4_000  # lines of a message to players are read singly only within this many characters from its start


__all__ = [
    "LineMistake",
    "Reading",
    "as_playable",
    "playable",
    "read_text",
    "read_whole",
    "render_mistake",
    "render_mistakes",
]


class IllegalOrders(PbemError):  # noqa: N818 - the term of the rules
    """Raised for a text that is not legal orders; `mistakes` contains all the mistakes in it."""

    def __init__(self, mistakes: tuple[LineMistake, ...]) -> None:
        super().__init__(" ".join(map(str, mistakes)))
        self.mistakes = mistakes


def read(standpoint: AnyStandpoint, text: str) -> Reading:
    """Read the commands and orders in `text`, which the holder of a seat wrote. Never raises, whatever `text`
    contains."""
    letter = read_words(text, at=standpoint)
    return read_orders(standpoint, take_lookups(standpoint, letter))


def read_orders(standpoint: AnyStandpoint, letter: LetterText) -> Reading:
    """Read the orders of `letter`, from which `read_words` has already taken the commands.

    If a command below the orders takes something back, the orders are in doubt, because the command may refer to them
    or to earlier orders. Lines that exceed the maximum length of a letter become remarks without being read.
    """
    reading = _or_of_subject(standpoint, letter, understand(standpoint, letter))
    if letter.unread:
        reading = reading._replace(remarks=(*reading.remarks, *letter.unread))
    written = reading.proposal if reading.orders is None else str(reading.orders)
    if not letter.undone or not written:
        return reading
    offered = (written,)
    return reading._replace(
        orders=None,
        proposal=None,
        mistakes=(),
        perhaps=(),
        doubts=(Doubt(letter.undone, "turned"),),
        readings=offered,
        adds=False,
    )


def own_subject(subject: str, name: str, title: str) -> tuple[str, bool]:
    """Return the writer's own part of `subject`, and whether `subject` is marked as a reply.

    The writer's own part does not include the marks of replies and mailing lists, or the title and name of the match,
    which the desk's letters put into the subject.
    """
    subject = " ".join(normalise(subject))
    marks = REPLY.match(subject)
    ours = re.compile(rf"(?:{re.escape(title)}\b{_BETWEEN})?(?:{re.escape(name)}\b{_BETWEEN})?", re.I)
    is_answer = marks is not None and marks.end() > 0
    return ours.sub("", REPLY.sub("", subject, count=1), count=1).strip(), is_answer


def _or_of_subject(standpoint: AnyStandpoint, letter: LetterText, reading: Reading) -> Reading:
    """Return `reading`, with a doubt about the subject of `letter` if the subject may contain orders but the text does
    not.

    A command in the subject counts only if the text is empty, because any subject may happen to look like a command.
    """
    if not letter.subject or reading.says_orders or reading.proposal:
        return reading
    within = understand(standpoint, read_words(letter.subject, letter.match, standpoint))
    is_alone = not (letter.commands or letter.lines())
    attempted = within.orders is not None or within.mistakes or within.standing or within.proposal or within.readings
    if not attempted and not (within.commands and is_alone):
        return reading
    ways = (
        tuple(filter(None, (within.proposal,))) or within.readings if within.orders is None else (str(within.orders),)
    )
    is_whole = not (letter.subject.endswith("…") or within.commands or within.standing)
    return reading._replace(doubts=(Doubt(letter.subject, "subject"),), readings=ways if is_whole else ())


def parse(standpoint: AnyStandpoint, text: str) -> Any:
    """Parse the orders in `text`, ignoring remarks. This is the inverse of `str(orders)`. Raises IllegalOrders if
    `text` is not legal orders."""
    return parse_all(standpoint, text)[0]


def parse_all(standpoint: AnyStandpoint, text: str) -> tuple[Any | None, tuple[str, ...]]:
    """Return the orders and the standing orders in `text`; the orders are None if there are only standing orders.
    Raises IllegalOrders."""
    items = standpoint.game.items(text)  # most texts here are in canonical form and need no grammar
    if items is not None and not (meant := standpoint.interpret(items)).mistakes:
        return meant.orders, meant.standing
    reading = read_text(standpoint, with_items_apart(_normalised(text)))
    if reading.orders is not None or reading.standing:
        return reading.orders, reading.standing
    nothing = standpoint.interpret(()).mistakes
    raise IllegalOrders(
        reading.mistakes or tuple(LineMistake(1, "", 0, 1, "", mistake.sentence) for mistake in nothing)
    )


def parse_played(standpoint: AnyStandpoint, text: str) -> Any | None:
    """Return the orders in `text`, joined with the standing orders in it, as they are used when the turn is played;
    None if there is nothing to play. Raises IllegalOrders."""
    keeper = keeps_standing_orders(standpoint.game)
    if keeper is None:
        return parse(standpoint, text)
    orders, standing = parse_all(standpoint, text)
    if not standing:
        return orders
    return keeper.joined(standpoint.state, standpoint.seat, orders, keeper.with_standing("", standing))


def parse_turn(situation: AnySituation, texts: Mapping[Seat, str]) -> dict[Seat, Any]:
    """Return the orders of a turn, in the form that `resolve` takes, from the text of each seat. Raises
    IllegalOrders."""
    parsed = {seat: parse_played(situation.standpoint(seat), text) for seat, text in texts.items()}
    return {seat: orders for seat, orders in parsed.items() if orders is not None}


@cache
def keeps_standing_orders(game: AnyGame) -> KeepsStandingOrders | None:
    """Return `game`, typed as one that keeps standing orders; None if it does not."""
    return game if isinstance(game, KeepsStandingOrders) else None


def may_be_order(line: str) -> bool:
    """Return whether `line` may be an order in some game, or a command.

    Only the first words count, because it is not yet known which game the letter is about: `pbem.mail` calls this
    function before it takes a line for part of a signature.
    """
    beginning = _LINE_START.match(line)
    if not beginning:
        return False
    if may_be_lookup(line) or may_begin(line, beginning.start(1)):
        return True
    is_lookup_of_all = beginning.end(1) == len(line.rstrip(" .!"))
    return (is_lookup_of_all or caseless(beginning[1]) in _YES) and find_command(beginning[1]) is not None


def attempts(situation: AnySituation, letter: LetterText) -> tuple[str, ...]:
    """Return the items, as written, of all lines of `letter` that are meant as orders, legal or not.

    A line does not count if it begins like orders but is incomplete and names nothing that orders are about, such as `I
    will take the grounds`.
    """
    lines = Lines(situation, letter.rest)
    written: list[str] = []
    for line, parts, items in lines.split_lines():
        line_text = lines.text[line.start : line.end]
        is_about = situation.names_within(line_text) or situation.is_about(line_text.casefold())
        if items and (is_about or any(map(lines.is_complete, parts))):
            written += (" ".join(lines.text[part.start : part.end].split()) for part in parts)
    return tuple(written)


def complete_orders(standpoint: AnyStandpoint, text: str) -> tuple[str, ...]:
    """Return the lines of `text`, a message to players, that are orders nevertheless.

    Such a line either contains everything that an order needs, whether it is legal or not, or would be read as orders
    if it stood alone. The second condition is checked only at the beginning of the message.
    """
    read_lines = text.split("\n")
    _take_unread(read_lines)
    written = "\n".join(read_lines)
    lines = Lines(standpoint, written)
    complete = []
    for line, parts, _ in lines.split_lines():
        line_text = lines.text[line.start : line.end].strip()
        pieces = written[line.start : line.end].split("\n")  # the lines as written, before any of them were joined
        singly = dict.fromkeys((line_text, *pieces)) if line.end <= _MOST_ALONE else ()
        readings = {one: read(standpoint, one) for one in map(str.strip, singly) if one}
        complete += [one for one, reading in readings.items() if reading.orders is not None or reading.standing]
        if line_text not in complete and any(map(lines.is_complete, parts)):
            complete.append(line_text)
    return tuple(dict.fromkeys(complete))


def _normalised(text: str) -> str:
    """Return `text` normalised for the grammar, as the comment at the top of grammar/orders.lark describes."""
    if text.replace("\n", "").isprintable() and unicodedata.is_normalized("NFKC", text):
        return text  # most texts are like this
    folded = unicodedata.normalize("NFKC", "".join(filter(_is_visible, text)))
    return "\n".join("".join(map(_printable, line)) for line in folded.splitlines())


def _is_visible(char: str) -> bool:
    return char.isascii() or unicodedata.category(char) != "Cf"  # Cf: zero-width characters, soft hyphens, marks


def _printable(char: str) -> str:
    """Return `char` if it is printable, a question mark if it is half of a surrogate pair, and a space if it is
    anything else, such as a control character or an unusual blank."""
    if char.isprintable():
        return char
    return "?" if unicodedata.category(char) == "Cs" else " "


def read_words(
    text: str, name: str = "", at: AnySituation | None = None, leagues: Callable[[], Collection[str]] = tuple
) -> LetterText:
    """Find the commands in `text`, the writer's own words; return them with the text that is left. Never raises,
    whatever `text` contains.

    The name of the match, `name`, may precede a command on a line. A line that is an order in the situation `at` is not
    a command. `leagues` returns the names of the leagues to which the writer may address a message.
    """
    text = _normalised(_without_name(text, name) if name else text)
    commands: dict[int, Command] = {}  # by line number, because their order matters
    lines = text.split("\n")
    if ":" in text:
        _take_blocks(lines, commands, at.game if at else None, leagues)
    unread = _take_unread(lines)
    whole, may_be_ordered = tuple(lines), cache(may_be_order)  # asked about every line for each line that agrees
    for number, line in enumerate(lines):
        polite = please.end() if (please := PLEASE.match(line)) else 0
        if (checked := _CHECK.match(line, polite)) and may_be_order(line[checked.end() :]):
            commands[number] = Simple("check")
            lines[number] = line = " " * checked.end() + line[checked.end() :]  # noqa: PLW2901 - removes the command
        request = without_please(line)
        is_command = (first := _FIRST_WORD.search(request)) and caseless(first[0]) in COMMAND_WORDS
        parsed = parse_command(request) if is_command else None
        command = (find_command(*parsed) if parsed else None) or command_in_line(whole, number, may_be_ordered)
        is_game_s = at is not None and (at.is_order(request) or is_lookup_of_all(at.game, request))
        if command and not is_game_s and not _is_correction(command, whole, number):
            commands[number] = command
            lines[number] = " " * len(line)
    in_order = tuple(commands[number] for number in sorted(commands))
    rest = with_items_apart("\n".join(lines) if commands or unread else text)
    return LetterText(in_order, rest, name, undone=_undone(commands, whole), unread=unread)


def _take_unread(lines: list[str]) -> tuple[str, ...]:
    """Cut `lines` off where they exceed the limits of what is read, and return the removed lines that are not empty."""
    number = characters = 0
    for at, line in enumerate(lines):
        text = line.strip()
        number, characters = number + bool(text), characters + len(text)
        if number > _MOST_LINES or characters > _MOST_CHARACTERS:
            unread = tuple(filter(None, map(str.strip, lines[at:])))
            del lines[at:]
            return unread
    return ()


def _undone(commands: Mapping[int, Command], lines: Sequence[str]) -> str:
    """Return the line of the command that takes orders back, if lines other than greetings come before it and nothing
    that may be orders comes after it; otherwise ""."""
    for number, command in commands.items():
        if command in _TAKE_BACK and not any(map(may_be_order, lines[number + 1 :])):
            above = (line for at, line in enumerate(lines[:number]) if at not in commands and line.strip())
            return "" if all(map(is_greeting, above)) else lines[number].strip()
    return ""


def _is_correction(command: Command, lines: Sequence[str], number: int) -> bool:
    """Return whether `command`, in line `number`, is `no wait` or a mere "forget" directly below what may be orders. It
    may then refer to the orders, and does not count as a command.

    Orders of some games begin with a name, so any line other than a greeting may be an order.
    """
    pattern = _NO_WAIT if command == Simple("no wait") else _ONE_WORD if command == Simple("forget me") else None
    if number == 0 or pattern is None or not pattern.fullmatch(lines[number]):
        return False
    return bool(lines[number - 1].strip()) and not is_greeting(lines[number - 1])


def _without_name(text: str, name: str) -> str:
    if name.casefold() not in text.casefold():
        return text  # true of most letters; this saves compiling an expression for each match
    return re.sub(rf"(?im)^([^\S\n]*){re.escape(name)}[^\S\n]*:", r"\1", text)


def _take_blocks(
    lines: list[str], commands: dict[int, Command], game: AnyGame | None, leagues: Callable[[], Collection[str]]
) -> None:
    """Take blocks such as `press:` or `say:`, with the text down to `end press` or `end say`, out of `lines` and put
    them into `commands`.

    In the case of `check:`, only the word is taken out, because the orders after it are read.
    """
    block: _Block | None = None
    begun = 0
    for number, line in enumerate(lines):
        if block is not None:
            end = _END.fullmatch(line)
            lines[number] = " " * len(line)
            if not end or BLOCKS[caseless(end[1])] != block.word:
                block.lines.append(line)
                continue
            commands[begun] = _words_of(block)
            block = None
        elif (opening := _BLOCK.match(line)) and _begins(BLOCKS[caseless(opening[1])], opening, game, leagues):
            word, rest = BLOCKS[caseless(opening[1])], opening[4]
            if word == "league" and (rest.strip() or not _is_file("\n".join(lines[number + 1 :]))):
                continue
            if word == "check":
                commands[number] = Simple("check")
                lines[number] = " " * (len(line) - len(rest)) + rest
            elif word == "word":
                commands[number] = Asking(word, " ".join(rest.split()))
                lines[number] = " " * len(line)
            else:
                lines[number] = " " * len(line)
                begun, block = number, _Block(word, (opening[2] or "").casefold(), opening[3] or "", [rest])
    if block is not None:
        commands[begun] = _words_of(block, is_open=True)


def _is_file(text: str) -> bool:
    """Return whether `text` begins like a league file. Other text may follow "league:" in an ordinary sentence."""
    return re.match(r"\s*(?:#.*\s*)*(?:\w+ *=|\[)", text) is not None


def _begins(word: str, opening: re.Match[str], game: AnyGame | None, leagues: Callable[[], Collection[str]]) -> bool:
    """Return whether a line with the command `word`, perhaps a match and an addressee, and a colon begins a block. It
    does only if `word` can be addressed to this addressee; otherwise, the line is an ordinary sentence with a colon."""
    to = opening[3] or ""
    if word == "decide":
        return to.isdecimal()
    if word == "appeal":
        return not to or any(row.word == to.casefold() for row in DECISIONS)
    if word == "tell":
        is_name = opening[2] is not None and len(to.split()) <= _NAME
        is_seat = not to or is_name or _SEAT.fullmatch(to) is not None
        return is_seat or to.casefold() in map(str.casefold, leagues())
    if word != "press":
        return not to
    groups = any(means(group, to) for group in ("everybody", "allies", "opponents"))
    return not to or is_to_somebody(to) or groups or (game is not None and are_named(game, to))


class _Block(NamedTuple):
    """A block of lines that belongs to a command: the command's word, the match and the addressee that it names ("" if
    it names none), and the lines."""

    word: str
    match: str
    to: str
    lines: list[str]


def _words_of(block: _Block, *, is_open: bool = False) -> Command:
    text = "\n".join(block.lines).strip()
    match block.word:
        case "press":
            return Press(text, block.to, is_open)
        case "gm" | "claim" | "appeal" as word:
            about = filter(None, (block.match, block.to))
            return Asking(word, ": ".join((*about, text)) if text else text)
        case "tell" | "decide" as word:
            return Decision(word, block.match, f"{block.to}: {text}", "")
        case word:
            return Decision(word, block.match, text, "")
