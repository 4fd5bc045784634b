"""Commands as values, and readers that create them from the words after a command's first word.

A reader takes these words as one text, which is "" if there are none. It returns None if the text makes no sense; the
line is then not a command.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from pbem.games.capabilities import ROUND
from pbem.games.spelling import caseless
from pbem.i18n import words
from pbem.mail.addresses import ADDRESS

_BEHIND_NAMES = "\x1f"  # cannot occur in a letter that has been normalised
HELP_TOPICS = ("orders", "rules", "commands", "game master")


@dataclass(frozen=True, slots=True)
class Help:
    """A request for help. `topic` is one of HELP_TOPICS, or empty for help with the present situation."""

    topic: str = ""
    word: ClassVar = "help"

    @property
    def argument(self) -> str:
        return self.topic


@dataclass(frozen=True, slots=True)
class Simple:
    """A command that consists of its word alone, such as `withdraw` or `no draw`."""

    word: str
    argument: ClassVar = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """A command with its argument as written, such as `zone Europe/Berlin`; the argument may be ""."""

    word: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Press:
    """A message, as written, to all other players or only to those that `to` names.

    If no line marks its end, the message is `open`: its last lines may have been meant as something else.
    """

    text: str
    to: str = ""
    open: bool = False
    word: ClassVar = "press"

    @property
    def argument(self) -> str:
        return f"{self.to}{_BEHIND_NAMES}{self.text}" if self.to else self.text


def press_of(argument: str) -> Press:
    """Return the message that has the given `argument`. This is the inverse of `Press.argument`."""
    to, mark, text = argument.partition(_BEHIND_NAMES)
    return Press(text, to) if mark else Press(argument)


@dataclass(frozen=True, slots=True)
class Decision:
    """A game master's command.

    `match` is the name of its match, or "" for the match that the letter is about. `reason` is the reason that it
    states, or "". In a command about a league, the league's name may take the place of the match or begin the argument.
    `understood` is false for a command that cannot be read and counts as a command only because it names a match.
    """

    word: str
    match: str
    argument: str
    reason: str
    understood: bool = True


@dataclass(frozen=True, slots=True)
class LookUp:
    """A question about the material of a game: an English word and the name of a thing, such as `card` and "Bao".
    `game` is the name of the game if the letter is about no match, otherwise ""."""

    word: str
    argument: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about the match.

    `names` are the names in the question, as the game spells them. If the question is about orders, `orders` are pairs
    of a seat and the text of its orders. `text` is the question as written.
    """

    kind: str
    names: tuple[str, ...] = ()
    orders: tuple[tuple[str, str], ...] = ()
    text: str = ""
    word: ClassVar = "question"

    @property
    def argument(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Suppose:
    """Turns to try out one after the other.

    For each turn, `turns` contains pairs of a seat and the orders, as written, that the seat would give; `lines`
    contains the line of the letter. `over_limit` is the number of lines beyond the limit.
    """

    turns: tuple[tuple[tuple[str, str], ...], ...]
    lines: tuple[str, ...]
    over_limit: int = 0
    word: ClassVar = "if"

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def argument(self) -> str:
        return self.text


ANY_TURN = -1
"""The turn of a wish with a condition, which is looked at whenever a turn begins."""


@dataclass(frozen=True, slots=True)
class Later:
    """Orders for a later turn, as written. Turn 0 means the next turn; at `ANY_TURN`, the text is a wish with a
    condition instead, such as `if I lose Mu I resign`."""

    turn: int
    text: str
    word: ClassVar = "later"

    @property
    def argument(self) -> str:
        return self.text if self.turn == ANY_TURN else f"{self.turn or 'next'}: {self.text}"


Command = Help | Simple | Asking | Press | Decision | LookUp | Inquiry | Suppose | Later
"""Any command. Each kind has a `word` that identifies it, and an `argument`, which may be ""."""


def in_words(command: Command) -> str:
    """Return `command` in words, as the program understood it, for example to ask its writer about it."""
    about, because = "", ""
    if isinstance(command, Press) and command.to:
        return f"press {command.to}: {command.text}"
    if isinstance(command, Decision) and command.word == "league":
        return f"league {name_in_file(command.argument)}"
    if isinstance(command, Decision):
        because = "" if not command.reason or re.match(_OF, command.reason, re.I) else "because"
        about, because = command.match, f"{because} {command.reason}".strip()
    word = "hand over to" if command.word == "hand" else command.word
    return " ".join(filter(None, (word, about, command.argument, because)))


def name_in_file(text: str) -> str:
    """Return the name of the league that the league file `text` would create; "" if `text` contains no name."""
    parts = re.search(r"(?m)^name *= *\W*([\w -]*\w)", text)
    return parts[1] if parts else ""


CUT = "cut at 250 lines or 16 kB"
"""The entry in `LetterText.problems` for a letter that is too long to be read to its end."""


class Checked(NamedTuple):
    """A condition in a player's words, and whether it is met."""

    condition: str
    is_met: bool


class Choice(NamedTuple):
    """What follows from orders with conditions at the start of a turn: the conditions that were checked, in order, and
    the `orders` that apply; "" if none were given for this case."""

    checked: tuple[Checked, ...]
    orders: str


class LetterText(NamedTuple):
    """The writer's own words in a letter, in which the commands have already been found.

    `commands` are all commands in the letter. `rest` is the text with blanks in place of the commands; it is searched
    for orders. `match` is the name of the match that the letter is about, or "". `people` are pairs of a player's name
    and the player's seat. `turn` is the number of the match's turn, or 0 if it is unknown. If rounds have names,
    `round` is the name of the present round, and `first` is the name of the turn's first round.

    `aside` are lines that were taken for signatures or quotations although nothing marks them as such; `worth_telling`
    are those of them that the receipt quotes. `undone` is the line of a command that takes back the orders above it.
    `halves` are lines that look like orders and appear in only one form of the letter, text or HTML. `subject` is the
    writer's own part of the subject; it ends in "…" if it was cut. `unread` are the lines at the end of a very long
    letter, which are not read.
    """

    commands: tuple[Command, ...] = ()
    rest: str = ""
    match: str = ""
    people: tuple[tuple[str, str], ...] = ()
    turn: int = 0
    round: str = ""
    first: str = ""
    aside: tuple[str, ...] = ()
    worth_telling: tuple[str, ...] = ()
    undone: str = ""
    halves: tuple[str, ...] = ()
    subject: str = ""
    unread: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[str, ...]:
        """The reason why the end of the letter is not read; empty if all of the letter is read."""
        return (CUT,) if self.unread else ()

    def lines(self) -> tuple[str, ...]:
        """Return the lines of `rest` that are not empty, without blanks around them."""
        return tuple(filter(None, map(str.strip, self.rest.splitlines())))


Read = Callable[[str], Command | None]

Group = Literal["turn", "game", "look", "begin", "you", ""]
"""The subject of a player's command, by which the manual groups commands; "" if the command is explained in another row
of `COMMANDS`."""

TrustLevel = Literal[
    "anybody",
    "address",
    "person",
    "asked",
    "seat",
    "lapsed seat",
    "game master",
    "game master of the desk",
    "game master of the player",
    "game master of the league",
    "game master of any",
]
"""The people who may use a command, and the proof of their identity that it requires.

"anybody": anyone. "address": anyone who writes from an address that the desk knows; the answer goes only to the address
on file. "person": a person who has proved their identity by a token of their own, or by a `yes` to a letter from the
desk. "asked": the recipient of a question from the desk, identified by the question's token: a seat, a person, or
somebody whose address is not confirmed yet. "seat": somebody with a proven token of the seat and with any further proof
that the desk requires. "lapsed seat": the same, or somebody who has only an old token of the seat, because the command
changes nothing. "game master": a game master of the match, who is identified in the same way as a person. "game master
of the desk": a game master who decides on all matches. "game master of the player": a game master of the desk, or of a
league in which the player plays. "game master of the league": a game master of the desk, or of the league. "game master
of any": a game master of the desk, or of any league.
"""


class CommandRow(NamedTuple):
    """A command in the table of commands: its word, its usage, its effect (`help`), the trust that it requires, and its
    reader. `also` contains its names in other languages."""

    word: str
    usage: str
    help: str
    trust: TrustLevel
    read: Read
    group: Group = ""  # the group of commands in the manual
    also: tuple[str, ...] = ()

    @property
    def of_seat(self) -> bool:
        """Whether only the holder of a seat may use the command."""
        return self.trust in ("seat", "lapsed seat")

    @property
    def complete(self) -> bool:
        """Whether the word alone is a complete command: its argument, if it has any, is in brackets or explained in
        another row."""
        return self.usage in ("", self.word) or "[" in self.usage


GAME = r"[a-z]{1,8}-\d{1,9}"
"""A pattern for the name of a match."""

TURN = rf"(?:{ROUND}|\d{{1,6}}(?:\.\d{{1,3}})?)"
"""A pattern for the number or the name of a turn. An example of a name is B3.Q4.2."""

_OF = rf"\b{words.pattern('around', 'because_of')}\s"
_REASON = rf"[\s,.;:]*(?:(?={_OF})|\b{words.pattern('around', 'because')}\s+)(?P<reason>.+?)"
_DECISION = re.compile(rf"(?:(?P<match>{GAME})\b)?(?P<argument>.*?)(?:{_REASON})?", re.I | re.S)


def reason_in(text: str) -> str:
    """Return the reason that `text` gives behind a word such as "because"; "" if it gives none."""
    parts = _DECISION.fullmatch(text)
    return (parts["reason"] or "").strip() if parts else ""


def simple(word: str, *endings: str) -> Read:
    """Return a reader for a command that consists of its word alone, or of its word and one of the `endings`."""
    return lambda rest: Simple(word) if caseless(rest) in ("", *endings) else None


def asking(word: str, pattern: str) -> Read:
    """Return a reader for a command that consists of its word and an argument that matches `pattern`, a regular
    expression."""
    return lambda rest: Asking(word, rest) if re.fullmatch(pattern, rest, re.I) else None


def without_reason(read: Read) -> Read:
    """Return a reader like `read` that leaves lines with a reason (`... because ...`) to other readers."""

    def read_plain(rest: str) -> Command | None:
        parts = _DIRECTED.fullmatch(rest)
        return None if parts and parts["reason"] else read(rest)

    return read_plain


def with_address(word: str, *openings: str) -> Read:
    """Return a reader for a command that consists of its word and, optionally, an address. If `openings` are given, one
    of these phrases must come after the word."""

    def read(rest: str) -> Command | None:
        begun = next((words for words in openings if rest.casefold().startswith(f"{words} ")), "")
        if openings and not begun:
            return None
        rest = rest[len(begun) :].strip()
        return Asking(word, rest) if "@" in rest or not rest else None

    return read


def decision(word: str, pattern: str, *, bare: str = "") -> Read:
    """Return a reader for a game master's command that names a match, gives a reason, or does both. Without either, the
    command's word could begin any sentence.

    The argument is understood if it matches `pattern`. `bare` is a pattern for words that belong to the command itself,
    such as `back` in `roll back`.
    """

    def read(rest: str) -> Command | None:
        if bare and not re.match(rf"(?:{bare})\b", rest, re.I):
            return None
        rest = re.sub(rf"^(?:{bare})\b\s*", "", rest, flags=re.I) if bare else rest
        parts = _DECISION.fullmatch(rest)
        if not parts or not (parts["match"] or parts["reason"]):
            return None
        match, argument, reason = parts["match"] or "", parts["argument"].strip(" ,:"), parts["reason"] or ""
        understood = re.fullmatch(pattern, argument, re.I | re.S) is not None
        return Decision(word, match.lower(), argument, reason.strip(), understood) if match or understood else None

    return read


_DIRECTED = re.compile(rf"(?P<argument>.*?)(?:{_REASON})?", re.I | re.S)


def directed(word: str, pattern: str, *, because: bool) -> Read:
    """Return a reader for a game master's command about a league, with an argument that matches `pattern`. The argument
    begins with the league's name, which is not split off because it may contain blanks.

    If `because` is true, a reason is required, because the other words alone could begin any sentence.
    """

    def read(rest: str) -> Command | None:
        parts = _DIRECTED.fullmatch(rest)
        if not parts or (because and not parts["reason"]):
            return None
        argument = parts["argument"].strip(" ,:")
        understood = re.fullmatch(pattern, argument, re.I) is not None
        return Decision(word, "", argument, (parts["reason"] or "").strip()) if understood else None

    return read


_LONGEST_NAME = 40  # the maximum number of characters of the name of a league


def of_game(word: str) -> Read:
    """Return a reader for a game master's command whose only argument, if any, is the name of a match."""
    return lambda rest: Decision(word, rest.lower(), "", "") if re.fullmatch(rf"(?:{GAME})?", rest, re.I) else None


def listing(rest: str) -> Command | None:
    """Read `rest`, the words after `decisions`: a match, a league, or nothing."""
    if command := of_game("decisions")(rest):
        return command
    is_name = re.fullmatch(r"[\w][\w-]*(?: [\w-]+){0,2}", rest) and len(rest) <= _LONGEST_NAME
    return Decision("decisions", "", rest, "") if is_name else None


def look(rest: str) -> Command | None:
    """Read `rest`, the words after `letters`: a match, a turn, or both."""
    parts = re.fullmatch(rf"(?P<match>{GAME})?\s*(?P<turn>(?:turn )?{TURN})?", rest, re.I)
    return Decision("letters", (parts["match"] or "").lower(), parts["turn"] or "", "") if rest and parts else None


MOVED = re.compile(rf"<?(?P<old>{ADDRESS})>? (?P<verb>is|also|no longer)(?: <?(?P<new>{ADDRESS})>?)?", re.I)
"""A pattern for a change of addresses: `OLD is NEW`, `OLD also NEW` or `OLD no longer`. Only the operator can use the
last two, which add or remove an address."""

MOVED_BY_NAME = re.compile(rf"(?P<name>[^<>@]{{1,60}}?) is <?(?P<new>{ADDRESS})>?", re.I)
"""A pattern for a change of addresses that names the player instead of the old address: `NAME is NEW`."""


def moved(rest: str) -> Command | None:
    """Read `rest`, the words after `address`: `OLD is NEW`, with or without a reason, or `NAME is NEW` with a
    reason, without which anybody might write so about their own address."""
    parts = _DECISION.fullmatch(rest)
    if not parts:
        return None
    argument = parts["argument"].strip(" ,:")
    change = MOVED.fullmatch(argument)
    if change is None and parts["reason"] and (named := MOVED_BY_NAME.fullmatch(argument)):
        return Decision("address", "", named[0], parts["reason"].strip())
    if not change or not change["new"] or caseless(change["verb"]) == "also":
        return None
    return Decision("address", "", change[0], (parts["reason"] or "").strip())


def either(*reads: Read) -> Read:
    """Return a reader that tries `reads` one after the other, and returns the first command that any of them finds."""

    def read(rest: str) -> Command | None:
        return next((command for reader in reads if (command := reader(rest))), None)

    return read


def help_topic(rest: str) -> Command | None:
    """Read `rest`, the words after `help`: a topic, or nothing."""
    return Help(caseless(rest)) if caseless(rest) in ("", *HELP_TOPICS) else None


def meaning(commands: Mapping[str, Command]) -> Read:
    """Return a reader that looks up the words after a command's first word in `commands`."""
    return lambda rest: commands.get(caseless(rest))
