"""What a letter can ask of the service besides orders: each command takes a line of its own.

A command is a row of `TABLE`, from which help and the command line are made, too. orders.py finds its word and its
argument by the grammar and asks `find_command`. English and German words are understood alike, whoever writes them.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

EVERYDAY = ("status", "withdraw", "check", "draw", "resign", "press", "vacation", "language")
"""The words that a short help names; the others stand in `help commands`."""

HELP_TOPICS = ("orders", "rules", "commands", "game master")
_TOPICS_IN_GERMAN = {
    "züge": "orders",
    "zuege": "orders",
    "regeln": "rules",
    "befehle": "commands",
    "worte": "commands",
    "spielleiter": "game master",
}


@dataclass(frozen=True, slots=True)
class Help:
    """How to go on; `topic` is one of HELP_TOPICS, or empty for all that matters now."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Simple:
    """A command that is its word alone, such as `withdraw` or `no draw`."""

    word: str


@dataclass(frozen=True, slots=True)
class Asking:
    """A command with an argument as it was written, such as `zone Europe/Berlin`; "" if there is none."""

    word: str
    argument: str = ""


@dataclass(frozen=True, slots=True)
class Press:
    """Words for the other players."""

    text: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A game master's command: for which match ("": the one that the letter is about), what exactly, and why.

    It is not `understood` if it names a match, and so is meant, but cannot be read.
    """

    word: str
    match: str
    argument: str
    reason: str
    understood: bool = True


Command = Help | Simple | Asking | Press | Decision

Sure = Literal["anybody", "address", "person", "seat", "game master"]
"""How sure we must be of the writer.

"anybody": we answer whoever it is. "address": one that we know, for the answer goes to the address on file and nowhere
else. "person": a proven token of his, or his `yes` to our letter. "seat": a proven token of the seat, and whatever more
the desk asks for. "game master": one of the match's game masters, sure as a person.
"""


class Row(NamedTuple):
    """A command: its word, how it is written, what it does in a line, how sure we must be, how it is read.

    `read` gets the words behind the word, "" if there are none, and gives None if they make no sense there: then
    the line is no command. `also` are its names in German.
    """

    word: str
    usage: str
    help: str
    sure: Sure
    read: Callable[[str], Command | None]
    also: tuple[str, ...] = ()


_ADDRESS = re.compile(r"[^\s<>\"]+@[^\s<>\"]+\.[^\s<>\".]+|.{1,60}<[^\s<>\"]+@[^\s<>\"]+\.[^\s<>\".]+>")
_TWO_PEOPLE = re.compile(rf"(?:{_ADDRESS.pattern})\s+and\s+(?:{_ADDRESS.pattern})", re.I)
_GAME = r"[a-z]{1,8}-\d{1,9}"
_GAME_OR_NONE = rf"|{_GAME}|\S*\d\S*"
_DECISION = re.compile(
    rf"(?:(?P<match>{_GAME})\b)?[\s,:]*(?P<argument>.*?)(?:[\s,.;:]*\bbecause\s+(?P<reason>.+?))?", re.I | re.S
)


def _simple(word: str, *endings: str) -> Callable[[str], Command | None]:
    return lambda rest: Simple(word) if rest.casefold() in ("", *endings) else None


def _asking(word: str, pattern: str) -> Callable[[str], Command | None]:
    fits = re.compile(pattern, re.I)
    return lambda rest: Asking(word, rest) if fits.fullmatch(rest) else None


def _with_address(word: str, *before: str) -> Callable[[str], Command | None]:
    def read(rest: str) -> Command | None:
        begun = next((words for words in before if rest.casefold().startswith(f"{words} ")), "")
        if before and not begun:
            return None
        rest = rest[len(begun) :].strip()
        return Asking(word, rest) if "@" in rest or not rest else None

    return read


def _decision(word: str, pattern: str, *, bare: str = "") -> Callable[[str], Command | None]:
    """A game master's word with a match or a reason, or both: else it could be the beginning of any sentence.

    `bare` are words that belong to the command itself, as `back` to `roll`.
    """
    fits = re.compile(pattern, re.I | re.S)

    def read(rest: str) -> Command | None:
        if bare and not re.match(rf"(?:{bare})\b", rest, re.I):
            return None
        rest = re.sub(rf"^(?:{bare})\b\s*", "", rest, flags=re.I) if bare else rest
        found = _DECISION.fullmatch(rest)
        if not found or not (found["match"] or found["reason"]):
            return None
        match, argument, reason = found["match"] or "", found["argument"].strip(" ,:"), found["reason"] or ""
        understood = fits.fullmatch(argument) is not None
        return Decision(word, match.lower(), argument, reason.strip(), understood) if match or understood else None

    return read


def _either(*reads: Callable[[str], Command | None]) -> Callable[[str], Command | None]:
    def read(rest: str) -> Command | None:
        return next((command for one in reads if (command := one(rest))), None)

    return read


def _help(rest: str) -> Command | None:
    topic = _TOPICS_IN_GERMAN.get(rest.casefold(), rest.casefold())
    return Help(topic) if topic in ("", *HELP_TOPICS) else None


def _before(
    ending: str, read: Callable[[str], Command | None], *, needed: bool = False
) -> Callable[[str], Command | None]:
    """What stands before the last word of a German sentence, such as `fordere ADDRESS heraus`."""

    def read_before(rest: str) -> Command | None:
        if rest.casefold().endswith(ending):
            return read(rest[: -len(ending)])
        return None if needed else read(rest)

    return read_before


def _meaning(commands: Mapping[str, Command]) -> Callable[[str], Command | None]:
    return lambda rest: commands.get(rest.casefold())


_NO_VACATION = dict.fromkeys(("keiner", "beendet", "vorbei", "zu ende"), Asking("vacation", "none"))
_NO = {
    **dict.fromkeys(("wait", "warten"), Simple("no wait")),
    **dict.fromkeys(("draw", "remis", "unentschieden"), Simple("no draw")),
    "pause": Simple("no pause"),
}
_LEAGUE = r"[\w][\w -]{0,39}"

_ROWS = (
    Row("help", "help [topic]", f"how to go on; topics are {', '.join(HELP_TOPICS)}", "address", _help),
    Row("status", "status", "how all your games stand", "address", _simple("status")),
    Row(
        "yes",
        "yes",
        "sends the correction that we proposed, or confirms what a letter of ours asks about",
        "seat",
        _simple("yes", "please", "bitte"),
    ),
    Row("withdraw", "withdraw", "takes back the orders that wait for the turn", "seat", _simple("withdraw")),
    Row("check", "check: ...", "looks at the orders of the letter and stores nothing", "seat", _simple("check")),
    Row("wait", "wait", "the turn is not played before its deadline", "seat", _simple("wait")),
    Row("draw", "draw", "offers a draw, until the turn is played", "seat", _simple("draw")),
    Row("no", "no wait, no draw, no pause", "takes the wish back", "seat", _meaning(_NO)),
    Row("resign", "resign", "gives the game up; we ask once more", "seat", _simple("resign")),
    Row("pause", "pause", "stops the clock when both sides wish it", "seat", _simple("pause")),
    Row("resume", "resume", "lets the clock run again when both sides wish it", "seat", _simple("resume")),
    Row("press", "press: ...", "words for your opponent, up to `end press`", "seat", lambda rest: None),
    Row("mute", "mute", "you get no more press in this game", "seat", _simple("mute")),
    Row("unmute", "unmute", "you get press again", "seat", _simple("unmute")),
    Row("resend", "resend [turn]", "sends a turn's report again", "seat", _asking("resend", r"\d{0,6}")),
    Row("history", "history", "all turns of the game so far", "seat", _simple("history")),
    Row(
        "record",
        "record [GAME]",
        "a game so far as a file, to keep or to play through",
        "person",
        _asking("record", _GAME_OR_NONE),
    ),
    Row("accept", "accept", "takes part in the game that you are invited to", "seat", _simple("accept")),
    Row(
        "decline",
        "decline [always]",
        "does not take part; `always` stops all invitations to you",
        "seat",
        _either(_asking("decline", "|always"), _meaning({"immer": Asking("decline", "always")})),
    ),
    Row("rematch", "rematch", "another game with sides traded, if both wish it", "seat", _simple("rematch")),
    Row(
        "hand",
        "hand over to ADDRESS",
        "gives your seat to somebody else",
        "seat",
        _with_address("hand", "over to", "an"),
    ),
    Row(
        "join",
        "join [league]",
        "takes part; without a league in the next game",
        "anybody",
        _asking("join", f"|{_LEAGUE}"),
    ),
    Row("leave", "leave [league]", "ends what `join` began", "person", _asking("leave", f"|{_LEAGUE}")),
    Row(
        "challenge",
        "challenge ADDRESS, challenge NAME in LEAGUE",
        "invites somebody to a game, or plays for a place in a ladder",
        "person",
        _before(" heraus", _either(_with_address("challenge"), _asking("challenge", rf"[^@<>]{{1,60}} in {_LEAGUE}"))),
    ),
    Row(
        "vacation",
        "vacation FROM to TO",
        "your deadlines wait while you are away; `vacation none` ends it",
        "person",
        _either(_meaning(_NO_VACATION), _asking("vacation", r"|(?!(?:was|is|war|ist|wird) )[\w. ,/-]{4,60}")),
    ),
    Row(
        "zone",
        "zone Europe/Berlin",
        "the time zone of dates in your letters",
        "person",
        _asking("zone", r"|[\w/+ -]{2,40}"),
    ),
    Row(
        "language",
        "language english, language deutsch",
        "the language of your letters; both are always understood",
        "person",
        _asking("language", r"|[^\W\d_]{2,20}"),
    ),
    Row("address", "address ADDRESS", "adds a mail address of yours", "person", _with_address("address")),
    Row(
        "observe",
        "observe GAME",
        "sends you a game's reports",
        "person",
        _either(_before(" nicht mehr", _asking("unobserve", _GAME), needed=True), _asking("observe", _GAME_OR_NONE)),
    ),
    Row("unobserve", "unobserve GAME", "ends that", "person", _asking("unobserve", _GAME_OR_NONE)),
    Row("my", "my data", "all that this desk knows of you", "person", _simple("my data", "data", "daten")),
    Row("forget", "forget me", "removes all that this desk knows of you", "person", _simple("forget me", "me", "mich")),
    Row(
        "extend",
        "extend GAME 2 days because ...",
        "moves the deadline by a time, or with `to` to a moment",
        "game master",
        _decision("extend", r"(?=.*\d|.*day).{3,60}"),
    ),
    Row("pause", "pause GAME because ...", "stops the clock", "game master", _decision("pause", "")),
    Row("resume", "resume GAME because ...", "lets it run again", "game master", _decision("resume", "")),
    Row("process", "process GAME because ...", "plays the turn now", "game master", _decision("process", "(?:now)?")),
    Row(
        "rollback",
        "rollback GAME TURN because ...",
        "takes the game back to the start of a turn",
        "game master",
        _decision("rollback", r"(?:to )?(?:turn )?\d{1,6}"),
    ),
    Row("roll", "", "", "game master", _decision("rollback", r"(?:to )?(?:turn )?\d{1,6}", bare="back")),
    Row(
        "readjudicate",
        "readjudicate GAME because ...",
        "plays the last turn again from the same orders",
        "game master",
        _decision("readjudicate", ""),
    ),
    Row(
        "replace",
        "replace GAME SEAT with NAME <ADDRESS> because ...",
        "gives a seat to somebody else",
        "game master",
        _decision("replace", rf"[a-z]+ (?:with )?(?:{_ADDRESS.pattern})"),
    ),
    Row(
        "award",
        "award GAME SEAT|draw because ...",
        "ends the game",
        "game master",
        _decision("award", "(?:to )?[a-z]+"),
    ),
    Row(
        "annul",
        "annul GAME because ...",
        "ends the game as if it had never been",
        "game master",
        _decision("annul", ""),
    ),
    Row(
        "position",
        "position GAME 7 red A3 ... because ...",
        "corrects the board",
        "game master",
        _decision("position", r"(?=.*\d).{5,2000}"),
    ),
    Row(
        "orders",
        "orders GAME SEAT: 3 A to M, ... because ...",
        "enters orders for a seat",
        "game master",
        _decision("orders", r"[a-z]+\s*:.{1,2000}"),
    ),
    Row(
        "release",
        "release GAME",
        "sends a report that waits for your word out",
        "game master",
        lambda rest: Decision("release", rest.casefold(), "", "") if re.fullmatch(_GAME, rest, re.I) else None,
    ),
    Row(
        "ok",
        "ok",
        "the same, as an answer to the report",
        "game master",
        lambda rest: None if rest else Decision("release", "", "", ""),
    ),
    Row("say", "say GAME: ...", "words for all players of a game, up to `end say`", "game master", lambda rest: None),
    Row(
        "invite",
        "invite NAME <ADDRESS> and NAME <ADDRESS>",
        "asks two people to play, the first as Red",
        "game master",
        lambda rest: Decision("invite", "", rest, "") if _TWO_PEOPLE.fullmatch(rest) else None,
    ),
    Row(
        "ban",
        "ban ADDRESS because ...",
        "shuts somebody out of this desk",
        "game master",
        _decision("ban", _ADDRESS.pattern),
    ),
    Row("unban", "unban ADDRESS because ...", "lets him in again", "game master", _decision("unban", _ADDRESS.pattern)),
)

_IN_GERMAN: Mapping[str, tuple[str, ...]] = {
    "help": ("hilfe",), "yes": ("ja",), "withdraw": ("zurückziehen", "zurücknehmen", "zurück"),
    "check": ("prüfe", "prüfen"), "wait": ("warten", "warte"), "draw": ("remis", "unentschieden"),
    "no": ("kein", "keine", "nicht"), "resign": ("aufgeben",), "resume": ("weiter", "fortsetzen"),
    "press": ("presse", "an alle"), "mute": ("stumm",), "unmute": ("laut",), "resend": ("nochmal",),
    "history": ("verlauf",), "record": ("protokoll",), "accept": ("annehmen",), "decline": ("ablehnen",),
    "rematch": ("revanche",), "hand": ("übergebe", "übergeben"), "join": ("mitmachen", "mitspielen"),
    "leave": ("austreten",), "challenge": ("fordere", "herausfordern"), "vacation": ("urlaub",),
    "zone": ("zeitzone",), "language": ("sprache",),
    "address": ("adresse",), "observe": ("beobachte", "beobachten"), "my": ("meine",), "forget": ("vergiss",),
}  # fmt: skip
TABLE = tuple(row._replace(also=_IN_GERMAN.get(row.word, ())) for row in _ROWS)


def spellings(row: Row) -> frozenset[str]:
    """All that a command may be called, in small letters; an umlaut may come as two letters or without its dots."""
    return frozenset(name.replace("ü", written) for name in (row.word, *row.also) for written in ("ü", "ue", "u"))


_BY_NAME: dict[str, tuple[Row, ...]] = {}
for _row in TABLE:
    for _name in spellings(_row):
        _BY_NAME[_name] = (*_BY_NAME.get(_name, ()), _row)
COMMAND_WORDS = frozenset(_BY_NAME)
BLOCKS = {name: row.word for row in TABLE if row.word in ("press", "check", "say") for name in spellings(row)}
"""The names of commands that words stand behind after a colon."""

DECISIONS = tuple(row for row in TABLE if row.sure == "game master" and row.usage)


def find_command(word: str, argument: str = "") -> Command | None:
    """The command that a line of a letter is, its first word and the rest of it given; None if it is none."""
    rest = " ".join(argument.split())
    meant = (row.read(rest) for row in _BY_NAME.get(word.casefold(), ()))
    return next((command for command in meant if command), None)


def how_sure(command: Command) -> Sure:
    """How sure we must be of the writer before a command is obeyed."""
    match command:
        case Help():
            return "address"
        case Press():
            return "seat"
        case Decision():
            return "game master"
    return next(row.sure for row in TABLE if row.word == command.word.split()[0])


def player_usage(word: str) -> str:
    """How a player writes a command."""
    return next(row.usage for row in TABLE if row.word == word)
