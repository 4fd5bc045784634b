"""Commands as values, and readers that make them from the words after a command's first word.

A reader takes those words, or "" if there are none. It returns None if they make no sense, in which case the line is
not a command.
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
    """A message to the other players, or to those that `to` names, as written. If no line marks its end, it is `open`:
    the text below may then have been meant as something else."""

    text: str
    to: str = ""
    open: bool = False
    word: ClassVar = "press"

    @property
    def argument(self) -> str:
        return f"{self.to}{_BEHIND_NAMES}{self.text}" if self.to else self.text


def press_of(argument: str) -> Press:
    """Make the message whose `argument` is given: the inverse of `Press.argument`."""
    to, mark, text = argument.partition(_BEHIND_NAMES)
    return Press(text, to) if mark else Press(argument)


@dataclass(frozen=True, slots=True)
class Decision:
    """A game master's command: its match ("" for the match of the letter), its argument, and the reason. In a command
    about a league, the league's name may take the place of the match or begin the argument.

    `understood` is false for a command that cannot be read, but is taken for one because it names a match.
    """

    word: str
    match: str
    argument: str
    reason: str
    understood: bool = True


@dataclass(frozen=True, slots=True)
class LookUp:
    """A question to the game itself: an English word and the name of a thing, such as `card` and "Bao". `game` is set
    if the question is not about one of its matches."""

    word: str
    argument: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about the match: its kind; the names in it, as the game spells them, or the texts of orders by seat;
    and the text of the question."""

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
    """Turns to try out one after the other: the orders, as written, that each seat would give in each turn; the line of
    each turn; and the number of lines beyond the limit."""

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


@dataclass(frozen=True, slots=True)
class Later:
    """Orders for a later turn, as written. Turn 0 is the next one."""

    turn: int
    text: str
    word: ClassVar = "later"

    @property
    def argument(self) -> str:
        return f"{self.turn or 'next'}: {self.text}"


Command = Help | Simple | Asking | Press | Decision | LookUp | Inquiry | Suppose | Later
"""Any command. Each kind has a `word` that identifies it, and an `argument`, which may be ""."""


def in_words(command: Command) -> str:
    """Write a command as we understood it, for a question to its writer."""
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
    """Find the name of the league that a league file would create; "" if it contains none."""
    parts = re.search(r"(?m)^name *= *\W*([\w -]*\w)", text)
    return parts[1] if parts else ""


CUT = "cut at 250 lines or 16 kB"
"""The problem with a letter that is too long to be read to its end."""


class LetterText(NamedTuple):
    """A letter's own words, read once.

    `commands` are all commands in the letter. `rest` is the text with blanks in their place, which is searched for
    orders. `match` names the match that the letter is about, or is ""; `people` are the names of the holders of its
    seats. `turn` is the match's turn, or 0 if it is unknown; `round` and `first` name this round and the turn's first
    round, if rounds have names. `aside` lists lines that were taken for signatures or quotations although nothing marks
    them, and `worth_telling` those of them that the receipt quotes. `undone` is a command below orders that takes them
    back. `halves` lists lines that look like orders and appear in only one form of the letter, as text or as HTML.
    `subject` is what the writer put into the subject; it ends in "…" if it was cut. `unread` lists the lines of a very
    long letter that are not read.
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
        """The reason why not all of the letter is read, if there is one."""
        return (CUT,) if self.unread else ()

    def lines(self) -> tuple[str, ...]:
        """Return the non-empty lines without commands."""
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
"""The people who may use a command, and how certain we must be of who they are.

"anybody": anyone at all. "address": an address that we know; the answer goes only to the address on file. "person":
somebody with a proven token of theirs, or with their `yes` to our letter. "asked": the recipient of a question of ours,
by its token: a seat, a person, or somebody whose address is not confirmed yet. "seat": somebody with a proven token of
the seat and any further proof that the desk requires. "lapsed seat": the same, or somebody with just an old token of
the seat, because the command changes nothing. "game master": a game master of the match, proven in the same way as a
person. "game master of the desk": one who decides on all matches. "of the player": one of the desk, or of a league in
which that player plays. "of the league": one of the desk, or of that league. "of any": a game master of anything.
"""


class CommandRow(NamedTuple):
    """A command: its word, its usage, its effect, the trust that it requires, and its reader. `also` lists its names in
    other languages."""

    word: str
    usage: str
    help: str
    trust: TrustLevel
    read: Read
    group: Group = ""  # the group in which the manual lists it
    also: tuple[str, ...] = ()

    @property
    def of_seat(self) -> bool:
        """Whether only the holder of a seat may use it."""
        return self.trust in ("seat", "lapsed seat")

    @property
    def complete(self) -> bool:
        """Whether the word alone is a complete command, because any argument is in brackets or explained in another
        row."""
        return self.usage in ("", self.word) or "[" in self.usage


GAME = r"[a-z]{1,8}-\d{1,9}"
"""A pattern for the name of a match."""

TURN = rf"(?:{ROUND}|\d{{1,6}}(?:\.\d{{1,3}})?)"
"""A pattern for the number of a turn, or its name, such as B3.Q4.2."""

_OF = rf"\b{words.pattern('around', 'because_of')}\s"
_REASON = rf"[\s,.;:]*(?:(?={_OF})|\b{words.pattern('around', 'because')}\s+)(?P<reason>.+?)"
_DECISION = re.compile(rf"(?:(?P<match>{GAME})\b)?(?P<argument>.*?)(?:{_REASON})?", re.I | re.S)


def simple(word: str, *endings: str) -> Read:
    """Make a reader of a command that consists of its word alone, or of its word and one of the `endings`."""
    return lambda rest: Simple(word) if caseless(rest) in ("", *endings) else None


def asking(word: str, pattern: str) -> Read:
    """Make a reader of a command that consists of its word and an argument that matches a regular expression."""
    return lambda rest: Asking(word, rest) if re.fullmatch(pattern, rest, re.I) else None


def with_address(word: str, *openings: str) -> Read:
    """Make a reader of a command that consists of its word and possibly an address. If `openings` are given, one of
    them must come before the address."""

    def read(rest: str) -> Command | None:
        begun = next((words for words in openings if rest.casefold().startswith(f"{words} ")), "")
        if openings and not begun:
            return None
        rest = rest[len(begun) :].strip()
        return Asking(word, rest) if "@" in rest or not rest else None

    return read


def decision(word: str, pattern: str, *, bare: str = "") -> Read:
    """Make a reader of a game master's command with a match, a reason, or both. Without either, the command's word
    could begin any sentence.

    `bare` lists words that belong to the command itself, such as `back` in `roll back`.
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
    """Make a reader of a game master's command about a league. The league's name begins the argument, because it may
    contain blanks.

    With `because`, a reason is required, because the other words alone could begin any sentence.
    """

    def read(rest: str) -> Command | None:
        parts = _DIRECTED.fullmatch(rest)
        if not parts or (because and not parts["reason"]):
            return None
        argument = parts["argument"].strip(" ,:")
        understood = re.fullmatch(pattern, argument, re.I) is not None
        return Decision(word, "", argument, (parts["reason"] or "").strip()) if understood else None

    return read


def of_game(word: str) -> Read:
    """Make a reader of a game master's command whose only argument, if any, is a match."""
    return lambda rest: Decision(word, rest.lower(), "", "") if re.fullmatch(rf"(?:{GAME})?", rest, re.I) else None


def look(rest: str) -> Command | None:
    """Read the rest of a `letters` command: a match, a turn, or both."""
    parts = re.fullmatch(rf"(?P<match>{GAME})?\s*(?P<turn>(?:turn )?{TURN})?", rest, re.I)
    return Decision("letters", (parts["match"] or "").lower(), parts["turn"] or "", "") if rest and parts else None


MOVED = re.compile(rf"<?(?P<old>{ADDRESS})>? (?P<verb>is|also|no longer)(?: <?(?P<new>{ADDRESS})>?)?", re.I)
"""A pattern for a change from one address to another. Only the operator can add an address or remove one."""


def moved(rest: str) -> Command | None:
    """Read the rest of an `address` command, `OLD is NEW`, with or without a reason."""
    parts = _DECISION.fullmatch(rest)
    change = parts and MOVED.fullmatch(parts["argument"].strip(" ,:"))
    if not parts or not change or not change["new"] or caseless(change["verb"]) == "also":
        return None
    return Decision("address", "", change[0], (parts["reason"] or "").strip())


def either(*reads: Read) -> Read:
    """Make a reader that tries several readers in turn, and returns the command from the first that accepts the
    words."""

    def read(rest: str) -> Command | None:
        return next((command for reader in reads if (command := reader(rest))), None)

    return read


def help_topic(rest: str) -> Command | None:
    """Read the rest of a `help` command: a topic, or nothing."""
    return Help(caseless(rest)) if caseless(rest) in ("", *HELP_TOPICS) else None


def meaning(commands: Mapping[str, Command]) -> Read:
    """Make a reader that looks up the words after a command's first word in a table."""
    return lambda rest: commands.get(caseless(rest))
