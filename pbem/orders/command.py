"""A command as a value, and how one is read from the words behind its first word.

Each reader gets those words, "" if there are none, and gives None if they make no sense there: then the line is no
command.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from pbem.games.capabilities import ROUND
from pbem.games.spelling import caseless
from pbem.i18n import words

_BEHIND_NAMES = "\x1f"  # no letter's words hold it when they are read
HELP_TOPICS = ("orders", "rules", "commands", "game master")


@dataclass(frozen=True, slots=True)
class Help:
    """How to go on; `topic` is one of HELP_TOPICS, or empty for all that matters now."""

    topic: str = ""
    word: ClassVar = "help"

    @property
    def argument(self) -> str:
        return self.topic


@dataclass(frozen=True, slots=True)
class Simple:
    """A command that is its word alone, such as `withdraw` or `no draw`."""

    word: str
    argument: ClassVar = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """A command with an argument as it was written, such as `zone Europe/Berlin`; "" if there is none."""

    word: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Press:
    """Words for the other players, or for those of them whom `to` names, as it was written. They are `open` if no line
    says where they end: then what stands below may have been meant as something else."""

    text: str
    to: str = ""
    open: bool = False
    word: ClassVar = "press"

    @property
    def argument(self) -> str:
        return f"{self.to}{_BEHIND_NAMES}{self.text}" if self.to else self.text


def press_of(argument: str) -> Press:
    """The inverse of `Press.argument`."""
    to, mark, text = argument.partition(_BEHIND_NAMES)
    return Press(text, to) if mark else Press(argument)


@dataclass(frozen=True, slots=True)
class Decision:
    """A game master's command: for which match ("": the one that the letter is about), what exactly, and why. Of a
    league the name may stand in the place of the match's, or first in the argument.

    It is not `understood` if it names a match, and so is meant, but cannot be read.
    """

    word: str
    match: str
    argument: str
    reason: str
    understood: bool = True


@dataclass(frozen=True, slots=True)
class LookUp:
    """A question to the game itself, by its English word and the name of a thing: `card`, "Bao"; about a `game` by its
    name where no match of it is meant."""

    word: str
    argument: str
    game: str = ""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about the match: its kind, the names in it as the game has them, or texts of orders by seat; and how
    it was put."""

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
    """Turns that are only tried, one after the other: what each seat would order in each, as it is written; the line
    with each; and how many more there were than are tried."""

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
    """Orders for a later turn as they are written, 0 for the next one."""

    turn: int
    text: str
    word: ClassVar = "later"

    @property
    def argument(self) -> str:
        return f"{self.turn or 'next'}: {self.text}"


Command = Help | Simple | Asking | Press | Decision | LookUp | Inquiry | Suppose | Later
"""Each has a `word`, by which it is known, and an `argument`, "" if there is none."""


def in_words(command: Command) -> str:
    """A command as it was understood, to be asked about."""
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
    """How a league is called that a file would make; "" if it does not say."""
    parts = re.search(r"(?m)^name *= *\W*([\w -]*\w)", text)
    return parts[1] if parts else ""


class Words(NamedTuple):
    """A letter's own words, read once.

    `commands` are those found anywhere in it, `rest` the text with blanks in their place, in which orders are looked
    for. `match` is the name of the match that it is about, "" for none; `people` what those at its seats are called;
    `turn` the one that the game is at, 0 if nobody says; `round` and `first` the names of this round and of the turn's
    first one, where rounds have names. `aside` are lines that were taken for signatures or quotes, though nothing marks
    them, `worth_telling` those that the receipt quotes. `undone` is a word below orders that takes them back.
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

    def lines(self) -> tuple[str, ...]:
        """All that is no command, line by line."""
        return tuple(filter(None, map(str.strip, self.rest.splitlines())))


Read = Callable[[str], Command | None]

TrustLevel = Literal[
    "anybody",
    "address",
    "person",
    "asked",
    "seat",
    "game master",
    "game master of the desk",
    "game master of the player",
    "game master of the league",
    "game master of any",
]
"""Who may use a command, and how sure we must be of them.

"anybody": we answer whoever it is. "address": one that we know, for the answer goes to the address on file and nowhere
else. "person": a proven token of theirs, or their `yes` to our letter. "asked": whom a letter of ours asks something,
by its token: a seat, a person, or somebody whose address is not confirmed yet. "seat": a proven token of the seat, and
whatever more the desk asks for. "game master": one of the match's game masters, sure as a person; "of the desk": who
decides on all matches; "of the player": that one, or who is game master of a league in which somebody plays; "of the
league": that one, or one of the league's own; "of any": whoever
is one at all.
"""


class CommandRow(NamedTuple):
    """A command: its word, how it is written, what it does in a line, how sure we must be, how it is read.

    `also` are its names in other languages.
    """

    word: str
    usage: str
    help: str
    trust: TrustLevel
    read: Read
    also: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether the word alone says enough: what may be left out stands in brackets, or another row tells."""
        return self.usage in ("", self.word) or "[" in self.usage


GAME = r"[a-z]{1,8}-\d{1,9}"
"""A match's name."""

TURN = rf"(?:{ROUND}|\d{{1,6}}(?:\.\d{{1,3}})?)"
"""A turn's number, or its name, such as B3.Q4.2."""

_OF = rf"\b{words.pattern('around', 'because_of')}\s"
_REASON = rf"[\s,.;:]*(?:(?={_OF})|\b{words.pattern('around', 'because')}\s+)(?P<reason>.+?)"
_DECISION = re.compile(rf"(?:(?P<match>{GAME})\b)?(?P<argument>.*?)(?:{_REASON})?", re.I | re.S)


def simple(word: str, *endings: str) -> Read:
    """Reads a command that is its word alone, or has one of some endings behind it."""
    return lambda rest: Simple(word) if caseless(rest) in ("", *endings) else None


def asking(word: str, pattern: str) -> Read:
    """Reads a command that is its word and an argument, which a regular expression describes."""
    return lambda rest: Asking(word, rest) if re.fullmatch(pattern, rest, re.I) else None


def with_address(word: str, *openings: str) -> Read:
    """The word with somebody's address, or none; some words have to stand before it, if there are `openings`."""

    def read(rest: str) -> Command | None:
        begun = next((words for words in openings if rest.casefold().startswith(f"{words} ")), "")
        if openings and not begun:
            return None
        rest = rest[len(begun) :].strip()
        return Asking(word, rest) if "@" in rest or not rest else None

    return read


def decision(word: str, pattern: str, *, bare: str = "") -> Read:
    """A game master's word with a match or a reason, or both: else it could be the beginning of any sentence.

    `bare` are words that belong to the command itself, as `back` to `roll`.
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
    """A game master's word about a league, which stands first in its argument: names may have blanks. Where the words
    alone could begin any sentence, the reason shows what they are: `because` it has to be there."""

    def read(rest: str) -> Command | None:
        parts = _DIRECTED.fullmatch(rest)
        if not parts or (because and not parts["reason"]):
            return None
        argument = parts["argument"].strip(" ,:")
        understood = re.fullmatch(pattern, argument, re.I) is not None
        return Decision(word, "", argument, (parts["reason"] or "").strip()) if understood else None

    return read


def of_game(word: str) -> Read:
    """A game master's word with a match and nothing else, or without one."""
    return lambda rest: Decision(word, rest.lower(), "", "") if re.fullmatch(rf"(?:{GAME})?", rest, re.I) else None


def look(rest: str) -> Command | None:
    """`letters` with a game, a turn, or both."""
    parts = re.fullmatch(rf"(?P<match>{GAME})?\s*(?P<turn>(?:turn )?{TURN})?", rest, re.I)
    return Decision("letters", (parts["match"] or "").lower(), parts["turn"] or "", "") if rest and parts else None


ADDRESS = r"[^\s<>\",;]+@[^\s<>\",;]+"
MOVED = re.compile(rf"<?(?P<old>{ADDRESS})>? (?P<verb>is|also|no longer)(?: <?(?P<new>{ADDRESS})>?)?", re.I)
"""That an address takes another one's place. Only the operator can say that it is one more, or theirs no longer."""


def moved(rest: str) -> Command | None:
    """`OLD is NEW` behind `address`, with a reason or without."""
    parts = _DECISION.fullmatch(rest)
    change = parts and MOVED.fullmatch(parts["argument"].strip(" ,:"))
    if not parts or not change or not change["new"] or caseless(change["verb"]) == "also":
        return None
    return Decision("address", "", change[0], (parts["reason"] or "").strip())


def either(*reads: Read) -> Read:
    """Reads a command in one of several ways: in the first that makes sense."""

    def read(rest: str) -> Command | None:
        return next((command for reader in reads if (command := reader(rest))), None)

    return read


def help_topic(rest: str) -> Command | None:
    """`help`, alone or with a topic."""
    return Help(caseless(rest)) if caseless(rest) in ("", *HELP_TOPICS) else None


def meaning(commands: Mapping[str, Command]) -> Read:
    """Reads a command from the words behind its word, by a table of these."""
    return lambda rest: commands.get(caseless(rest))
