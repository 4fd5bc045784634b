"""What a letter can ask of the service besides orders: each command takes a line of its own.

A command is a row of `TABLE`, from which help and the command line are made, too. orders/reader.py finds its word and
its argument by the grammar and asks `find_command`. Words of all languages are understood alike, whoever writes
them; what stands behind a command's word is put into English before the row reads it.
"""

import re
from typing import Literal, NamedTuple

from pbem.i18n import words
from pbem.orders.command import (
    GAME,
    HELP_TOPICS,
    Asking,
    Command,
    Decision,
    LookUp,
    Read,
    Simple,
    asking,
    decision,
    either,
    help_topic,
    look,
    meaning,
    moved,
    simple,
    with_address,
)
from pbem.orders.wanted import WANTED

EVERYDAY = ("status", "withdraw", "check", "draw", "resign", "press", "vacation", "language")
"""The words that a short help names; the others stand in `help commands`."""

TrustLevel = Literal[
    "anybody",
    "address",
    "person",
    "asked",
    "seat",
    "game master",
    "game master of the desk",
    "game master of the player",
]
"""Who may use a command, and how sure we must be of them.

"anybody": we answer whoever it is. "address": one that we know, for the answer goes to the address on file and nowhere
else. "person": a proven token of theirs, or their `yes` to our letter. "asked": whom a letter of ours asks something,
by its token: a seat, a person, or somebody whose address is not confirmed yet. "seat": a proven token of the seat, and
whatever more the desk asks for. "game master": one of the match's game masters, sure as a person; "of the desk": who
decides on all matches; "of the player": that one, or who is game master of a league in which somebody plays.
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
        """Whether the word alone says enough: what may be left out stands in brackets."""
        return self.usage == self.word or "[" in self.usage


_PERSON = re.compile(r"[^\s<>\"]+@[^\s<>\"]+\.[^\s<>\".]+|[^<>]{1,60}<[^\s<>\"]+@[^\s<>\"]+\.[^\s<>\".]+>")
_AND = r"(?:,\s*|\s+)and\s+|,\s*"
_PEOPLE = re.compile(rf"(?:{_PERSON.pattern})(?:(?:{_AND})(?:{_PERSON.pattern})){{1,9}}{WANTED}", re.I)
_GAME_OR_NONE = rf"|{GAME}|\S*\d\S*"
_NO = {wish: Simple(f"no {wish}") for wish in ("wait", "draw", "pause")}
_NUMBER = re.compile(r"\d{1,2}")
_VERBS = words.pattern("around", "verbs")
_LEAGUE = r"[\w][\w -]{0,39}"


def _declined(rest: str) -> Command | None:
    """`no 2` is no to what a list of ours has numbered."""
    return Asking("decline", rest) if _NUMBER.fullmatch(rest) else None


_ROWS = (
    CommandRow("help", "help [topic]", f"how to go on; topics are {', '.join(HELP_TOPICS)}", "address", help_topic),
    CommandRow("status", "status", "how all your games stand", "address", simple("status")),
    CommandRow(
        "yes",
        "yes [number]",
        "agrees to what is open: orders that we propose, an offer, whatever we ask; `no` declines it",
        "asked",
        either(simple("yes"), asking("yes", r"\d{1,2}")),
    ),
    CommandRow("withdraw", "withdraw", "takes back the orders that wait for the turn", "seat", simple("withdraw")),
    CommandRow("check", "check: ...", "looks at the orders of the letter and stores nothing", "seat", simple("check")),
    CommandRow("wait", "wait", "the turn is not played before its deadline", "seat", simple("wait")),
    CommandRow("draw", "draw", "offers a draw, until the turn is played", "seat", simple("draw")),
    CommandRow("no", "no wait, no draw, no pause", "takes the wish back", "seat", either(meaning(_NO), _declined)),
    CommandRow("resign", "resign", "gives the game up; we ask once more", "seat", simple("resign")),
    CommandRow("pause", "pause", "stops the clock when all players wish it", "seat", simple("pause")),
    CommandRow("resume", "resume", "lets the clock run again when all players wish it", "seat", simple("resume")),
    CommandRow("press", "press: ...", "words for your opponents, up to `end press`", "seat", lambda rest: None),
    CommandRow("gm", "gm: ...", "words for the game master alone, up to `end gm`", "person", lambda rest: None),
    CommandRow("mute", "mute", "you get no more press in this game", "seat", simple("mute")),
    CommandRow("unmute", "unmute", "you get press again", "seat", simple("unmute")),
    CommandRow("resend", "resend [turn]", "sends a turn's report again", "seat", asking("resend", r"\d{0,6}")),
    CommandRow("history", "history", "all turns of the game so far", "seat", simple("history")),
    CommandRow(
        "record",
        "record [GAME]",
        "a game so far as a file, to keep or to play through",
        "person",
        asking("record", _GAME_OR_NONE),
    ),
    CommandRow("accept", "accept", "takes part in the game that you are invited to", "asked", simple("accept")),
    CommandRow(
        "decline",
        "decline [always]",
        "does not take part; `always` stops all invitations to you",
        "asked",
        asking("decline", r"|always|\d{1,2}"),
    ),
    CommandRow("rematch", "rematch", "another game with sides traded, if all wish it", "seat", simple("rematch")),
    CommandRow(
        "hand",
        "hand over to ADDRESS",
        "gives your seat to somebody else",
        "seat",
        with_address("hand", "over to"),
    ),
    CommandRow(
        "join",
        "join [name]",
        "takes part in a league, or the next match of a game",
        "anybody",
        asking("join", f"|{_LEAGUE}"),
    ),
    CommandRow("leave", "leave [name]", "ends what `join` began", "person", asking("leave", f"|{_LEAGUE}")),
    CommandRow(
        "challenge",
        "challenge ADDRESS, challenge NAME in LEAGUE",
        "invites somebody to a game, or plays for a place in a ladder",
        "person",
        either(with_address("challenge"), asking("challenge", rf"[^@<>]{{1,60}} in {_LEAGUE}")),
    ),
    CommandRow(
        "vacation",
        "vacation FROM to TO",
        "your deadlines wait while you are away; `vacation none` ends it",
        "person",
        asking("vacation", rf"|(?!{_VERBS} )[\w. ,/-]{{4,60}}"),
    ),
    CommandRow(
        "zone",
        "zone Europe/Berlin",
        "the time zone of dates in your letters",
        "person",
        asking("zone", r"|[\w/+ -]{2,40}"),
    ),
    CommandRow(
        "language",
        "language english, language deutsch",
        "the language of your letters; all are always understood",
        "person",
        asking("language", r"|[^\W\d_]{2,20}"),
    ),
    CommandRow(
        "address",
        "address ADDRESS",
        "adds a mail address of yours",
        "person",
        lambda rest: None if moved(rest) else with_address("address")(rest),
    ),
    CommandRow(
        "undo",
        "undo",
        "takes a new address back, within 14 days",
        "asked",
        simple("undo"),
    ),
    CommandRow("observe", "observe GAME", "sends you a game's reports", "person", asking("observe", _GAME_OR_NONE)),
    CommandRow("unobserve", "unobserve GAME", "ends that", "person", asking("unobserve", _GAME_OR_NONE)),
    CommandRow("my", "my data", "all that this desk knows of you", "person", simple("my data", "data")),
    CommandRow("forget", "forget me", "removes all that this desk knows of you", "person", simple("forget me", "me")),
    CommandRow(
        "extend",
        "extend GAME 2 days because ...",
        "moves the deadline by a time, or with `to` to a moment",
        "game master",
        decision("extend", r"(?=.*\d|.*day).{3,60}"),
    ),
    CommandRow("pause", "pause GAME because ...", "stops the clock", "game master", decision("pause", "")),
    CommandRow("resume", "resume GAME because ...", "lets it run again", "game master", decision("resume", "")),
    CommandRow(
        "process", "process GAME because ...", "plays the turn now", "game master", decision("process", "(?:now)?")
    ),
    CommandRow(
        "rollback",
        "rollback GAME TURN because ...",
        "takes the game back to the start of a turn",
        "game master",
        decision("rollback", r"(?:to )?(?:turn )?\d{1,6}"),
    ),
    CommandRow("roll", "", "", "game master", decision("rollback", r"(?:to )?(?:turn )?\d{1,6}", bare="back")),
    CommandRow(
        "readjudicate",
        "readjudicate GAME because ...",
        "plays the last turn again from the same orders",
        "game master",
        decision("readjudicate", ""),
    ),
    CommandRow(
        "replace",
        "replace GAME SEAT with NAME <ADDRESS> because ...",
        "gives a seat to somebody else",
        "game master",
        decision("replace", rf"[a-z]+\d? (?:with )?(?:{_PERSON.pattern})"),
    ),
    CommandRow(
        "award",
        "award GAME SEAT|draw because ...",
        "ends the game",
        "game master",
        decision("award", r"(?:to )?[a-z]+\d?"),
    ),
    CommandRow(
        "annul",
        "annul GAME because ...",
        "ends the game as if it had never been",
        "game master",
        decision("annul", ""),
    ),
    CommandRow(
        "position",
        "position GAME 7 red A3 ... because ...",
        "corrects the position",
        "game master",
        decision("position", r"(?=.*[\d:]).{5,6000}"),
    ),
    CommandRow(
        "orders",
        "orders GAME SEAT: 3 A to M, ... because ...",
        "enters orders for a seat",
        "game master",
        decision("orders", r"[a-z]+\d?\s*:.{1,2000}"),
    ),
    CommandRow(
        "release",
        "release GAME",
        "sends a report that waits for your word out",
        "game master",
        lambda rest: Decision("release", rest.casefold(), "", "") if re.fullmatch(GAME, rest, re.I) else None,
    ),
    CommandRow(
        "ok",
        "ok",
        "the same, as an answer to the report",
        "game master",
        lambda rest: None,  # it is a `yes` as any other
    ),
    CommandRow(
        "say", "say GAME: ...", "words for all players of a game, up to `end say`", "game master", lambda rest: None
    ),
    CommandRow(
        "tell",
        "tell GAME SEAT: ...",
        "words for one player of a game, up to `end tell`",
        "game master",
        lambda rest: None,
    ),
    CommandRow(
        "letters",
        "letters GAME [TURN]",
        "the letters of turns that are played, as they came and as they were read",
        "game master",
        look,
    ),
    CommandRow(
        "invite",
        "invite NAME <ADDRESS> and NAME <ADDRESS>",
        "asks people to play, in the order of the seats",
        "game master of the desk",
        lambda rest: Decision("invite", "", rest, "") if _PEOPLE.fullmatch(rest) else None,
    ),
    CommandRow(
        "address",
        "address OLD is NEW because ...",
        "has a player's new address take the place of one that is lost",
        "game master of the player",
        moved,
    ),
    CommandRow(
        "ban",
        "ban ADDRESS because ...",
        "shuts somebody out of this desk",
        "game master of the desk",
        decision("ban", _PERSON.pattern),
    ),
    CommandRow(
        "unban",
        "unban ADDRESS because ...",
        "lets them in again",
        "game master of the desk",
        decision("unban", _PERSON.pattern),
    ),
)

TABLE = tuple(row._replace(also=words.words("commands", row.word)) for row in _ROWS)


def spellings(row: CommandRow) -> frozenset[str]:
    """All that a command may be called, in small letters."""
    return frozenset((row.word, *row.also))


def _phrases_behind(word: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    found = words.phrases(word).items()
    return tuple((re.compile(re.escape(phrase).replace(r"\.\.\.", "(.+)"), re.I), english) for phrase, english in found)


_BY_NAME: dict[str, tuple[CommandRow, ...]] = {}
for _row in TABLE:
    for _name in spellings(_row):
        _BY_NAME[_name] = (*_BY_NAME.get(_name, ()), _row)
COMMAND_WORDS = frozenset(_BY_NAME)
_PHRASES = {row.word: _phrases_behind(row.word) for row in TABLE}
BLOCKS = {
    name: row.word for row in TABLE if row.word in ("press", "check", "gm", "say", "tell") for name in spellings(row)
}
"""The names of commands that words stand behind after a colon."""

_AROUND = frozenset((*words.words("around", "polite"), *words.words("around", "subject")))
_IN_ANY_SENTENCE = frozenset(words.words("around", "prose"))
_FEW_WORDS = 4


def split_people(text: str) -> list[str]:
    """The people of `invite`, each as they were written."""
    return re.sub(rf"(@[^\s,<>]+>?)(?:{_AND})", r"\1\n", text, flags=re.I).split("\n")


_LOOK_UP = CommandRow("look up", "", "", "address", lambda rest: None)
"""All words with which a game itself is consulted: which they are, the game says."""
COMMANDS = tuple(row for row in TABLE if not row.trust.startswith("game master"))
DECISIONS = tuple(row for row in TABLE if row.trust.startswith("game master") and row.usage)


def find_command(word: str, argument: str = "") -> Command | None:
    """The command that a line of a letter is, its first word and the rest of it given; None if it is none."""
    rows, rest = _BY_NAME.get(word.casefold(), ()), " ".join(argument.split())
    for phrase, english in _PHRASES.get(rows[0].word, ()) if rows else ():
        if found := phrase.fullmatch(rest):
            for part in found.groups():
                english = english.replace("...", part, 1)  # noqa: PLW2901 - each gap in its turn
            word, _, rest = english.partition(" ")
            rows = _BY_NAME[word]
            break
    return next((command for row in rows if (command := row.read(rest))), None)


def usage_meant(line: str) -> str:
    """How the player's command is written that a short remark looks like: it begins with the command's word, or nearly
    so, but what follows makes no sense. "" if it looks like none."""
    words = [word for word in re.findall(r"[^\W\d_]+", line.casefold()) if word not in _AROUND]
    if not 0 < len(words) <= _FEW_WORDS or words[0] in _IN_ANY_SENTENCE:
        return ""
    word = words[0] if words[0] in _BY_NAME else _misspelt(words[0])
    rows = (row for row in _BY_NAME.get(word, ()) if row in COMMANDS)
    return next((row.usage for row in rows if len(words) < _FEW_WORDS or row.usage != row.word), "")


def _misspelt(word: str) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, COMMAND_WORDS, 1, cutoff=0.83)), "") if 5 < len(word) < 20 else ""


def row_of(command: Command) -> CommandRow:
    """The row of a command that was found."""
    if isinstance(command, LookUp):
        return _LOOK_UP
    rows = DECISIONS if isinstance(command, Decision) else COMMANDS
    return next(row for row in rows if row.word == command.word.split()[0])


def player_usage(word: str) -> str:
    """How a player writes a command."""
    return next(row.usage for row in TABLE if row.word == word)
