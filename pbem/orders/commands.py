"""What a letter can ask of the service besides orders: each command takes a line of its own.

A command is a row of `TABLE`, from which help and the command line are made, too. orders/reader.py finds its word and
its argument by the grammar and asks `find_command`. Words of all languages are understood alike, whoever writes
them; what stands behind a command's word is put into English before the row reads it.
"""

import re
from functools import cache

from pbem.games.spelling import caseless
from pbem.i18n import words
from pbem.orders.command import (
    GAME,
    HELP_TOPICS,
    TURN,
    Asking,
    Command,
    CommandRow,
    Decision,
    Inquiry,
    LookUp,
    Simple,
    asking,
    either,
    help_topic,
    meaning,
    moved,
    simple,
    with_address,
)
from pbem.orders.decisions import DECISION_ROWS
from pbem.orders.wanted import AGAINST_COMPUTER

EVERYDAY = ("status", "withdraw", "check", "draw", "resign", "press", "vacation", "language")
"""The words that a short help names; the others stand in `help commands`."""

_GAME_OR_NONE = rf"|{GAME}|\S*\d\S*"
_LETTERS = ("letters", "letter", "mails", "mail", "emails", "e-mails")
_NO = {wish: Simple(f"no {wish}") for wish in ("wait", "go", "draw", "pause")}
_NUMBER = re.compile(r"\d{1,2}")
_HALF = "|".join(words.pattern("times", kind) for kind in ("am", "pm", "oclock"))
_HOUR = rf"(?:at )?(?:[01]?\d|2[0-3])(?:[:.][0-5]\d)?(?: ?(?:{_HALF}))?"
_DAILY = rf"daily(?: {_HOUR})?|{_HOUR}"
_VERBS = words.pattern("around", "verbs")
_LEAGUE = r"[\w][\w -]{0,39}"


def _declined(rest: str) -> Command | None:
    """`no 2` is no to what a list of ours has numbered."""
    return Asking("decline", rest) if _NUMBER.fullmatch(rest) else None


_ROWS = (
    CommandRow("help", "help [topic]", f"how to go on; topics are {', '.join(HELP_TOPICS)}", "address", help_topic),
    CommandRow("status", "status", "how all your games stand", "address", simple("status")),
    CommandRow("games", "games", "who waits, which leagues are open, what can be watched", "address", simple("games")),
    CommandRow(
        "yes",
        "yes [number]",
        "agrees to what is open: orders that we propose, an offer, whatever we ask; `no` declines it",
        "asked",
        either(simple("yes"), asking("yes", r"\d{1,2}")),
    ),
    CommandRow(
        "withdraw",
        "withdraw",
        "takes back the orders that wait for the turn; `withdraw turn 6` those kept for later",
        "seat",
        either(simple("withdraw"), asking("withdraw", r"(?:turn )?[a-z]?\d{1,4}|next turn|later")),
    ),
    CommandRow(
        "later", "turn 6: ..., next turn: ...", "orders for a later turn, read again then", "seat", lambda _: None
    ),
    CommandRow("check", "check: ...", "looks at the orders of the letter and stores nothing", "seat", simple("check")),
    CommandRow("wait", "wait", "the turn is not played before its deadline", "seat", simple("wait")),
    CommandRow("go", "go", "the turn waits no longer, when all players say so", "seat", simple("go")),
    CommandRow("draw", "draw", "offers a draw, until the turn is played", "seat", simple("draw")),
    CommandRow(
        "no", "no wait, no go, no draw, no pause", "takes the wish back", "seat", either(meaning(_NO), _declined)
    ),
    CommandRow("resign", "resign", "gives the game up; we ask once more", "seat", simple("resign")),
    CommandRow("pause", "pause", "stops the clock when all players wish it", "seat", simple("pause")),
    CommandRow("resume", "resume", "lets the clock run again when all players wish it", "seat", simple("resume")),
    CommandRow("press", "press: ...", "words for your opponents, up to `end press`", "seat", lambda rest: None),
    CommandRow("gm", "gm: ...", "words for the game master alone, up to `end gm`", "person", lambda rest: None),
    CommandRow("word", "word: ...", "your share in the dice: any words", "seat", lambda rest: None),
    CommandRow("mute", "mute", "you get no more press in this game", "seat", simple("mute")),
    CommandRow("unmute", "unmute", "you get press again", "seat", simple("unmute")),
    CommandRow("resend", "resend [turn]", "sends a turn's report again", "seat", asking("resend", rf"(?:{TURN})?")),
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
        "challenge ADDRESS, challenge computer, challenge NAME in LEAGUE",
        "invites others to a game, or plays for a place in a ladder",
        "person",
        either(
            asking("challenge", AGAINST_COMPUTER),
            with_address("challenge"),
            asking("challenge", rf"[^@<>]{{1,60}} in {_LEAGUE}"),
        ),
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
    CommandRow("undo", "undo", "takes a new address back, within 14 days", "asked", simple("undo")),
    CommandRow("observe", "observe GAME", "sends you a game's reports", "person", asking("observe", _GAME_OR_NONE)),
    CommandRow("unobserve", "unobserve GAME", "ends that", "person", asking("unobserve", _GAME_OR_NONE)),
    CommandRow(
        "fewer",
        "fewer letters, more letters",
        "receipt and report in one letter, if both are due",
        "person",
        meaning(dict.fromkeys(_LETTERS, Simple("fewer letters"))),
    ),
    CommandRow("more", "", "", "person", meaning(dict.fromkeys(_LETTERS, Simple("more letters")))),
    CommandRow(
        "digest",
        "digest daily, digest off",
        "news in one letter a day, as in `digest daily at 7:30`",
        "person",
        asking("digest", rf"off|{_DAILY}"),
    ),
    CommandRow(
        "text",
        "text only, html",
        "plain text alone",
        "person",
        meaning({"only": Simple("text only")}),
    ),
    CommandRow("html", "", "", "person", simple("html")),
    CommandRow(
        "calendar",
        "calendar off, calendar",
        "no calendar entries",
        "person",
        meaning({"": Simple("calendar"), "on": Simple("calendar"), "off": Simple("calendar off")}),
    ),
    CommandRow(
        "my",
        "my data, my settings",
        "all that this desk knows of you, or what you have set",
        "person",
        meaning({"": Simple("my data"), "data": Simple("my data"), "settings": Simple("my settings")}),
    ),
    CommandRow("forget", "forget me", "removes all that this desk knows of you", "person", simple("forget me", "me")),
)

TABLE = tuple(row._replace(also=words.words("commands", row.word)) for row in (*_ROWS, *DECISION_ROWS))


def spellings(row: CommandRow) -> frozenset[str]:
    """All that a command may be called, in small letters."""
    return frozenset((row.word, *row.also))


@cache
def _phrases_behind(word: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    found = words.phrases(word).items()
    return tuple((re.compile(re.escape(phrase).replace(r"\.\.\.", "(.+)"), re.I), english) for phrase, english in found)


_BY_NAME: dict[str, tuple[CommandRow, ...]] = {}
for _row in TABLE:
    for _name in spellings(_row):
        _BY_NAME[_name] = (*_BY_NAME.get(_name, ()), _row)
COMMAND_WORDS = frozenset(_BY_NAME)
BLOCKS = {
    name: row.word
    for row in TABLE
    if row.word in ("press", "check", "gm", "say", "tell", "word")
    for name in spellings(row)
}
"""The names of commands that words stand behind after a colon."""

_AROUND = frozenset((*words.words("around", "polite"), *words.words("around", "subject")))
_IN_ANY_SENTENCE = frozenset(words.words("around", "prose"))
_FEW_WORDS = 4


_LOOK_UP = CommandRow("look up", "", "", "address", lambda rest: None)
"""All words with which a game itself is consulted, which the game says, and questions about a match."""
_OF_PLAYERS = tuple(row for row in TABLE if not row.trust.startswith("game master"))
COMMANDS = tuple(row for row in _OF_PLAYERS if row.usage)
DECISIONS = tuple(row for row in TABLE if row.trust.startswith("game master") and row.usage)


def find_command(word: str, argument: str = "") -> Command | None:
    """The command that a line of a letter is, its first word and the rest of it given; None if it is none."""
    rows, rest = _BY_NAME.get(caseless(word), ()), " ".join(argument.split())
    for phrase, english in _phrases_behind(rows[0].word) if rows else ():
        if found := phrase.fullmatch(rest):
            for part in found.groups():
                english = english.replace("...", part, 1)  # noqa: PLW2901 - each gap in its turn
            word, _, rest = english.partition(" ")
            rows = _BY_NAME[word]
            break
    return next((command for row in rows if (command := row.read(rest))), None)


def usage_meant(line: str) -> str:
    """How the player's command is written that a short remark looks like: it begins with the command's word, or nearly
    so, but what follows makes no sense. "" if it looks like none, or is one."""
    words = [word for word in re.findall(r"[^\W\d_]+", line.casefold()) if word not in _AROUND]
    if not 0 < len(words) <= _FEW_WORDS or words[0] in _IN_ANY_SENTENCE:
        return ""
    if find_command(words[0], " ".join(words[1:])):
        return ""
    word = words[0] if words[0] in _BY_NAME else _misspelt(words[0])
    rows = (row for row in _BY_NAME.get(word, ()) if row in COMMANDS)
    return next((row.usage for row in rows if len(words) < _FEW_WORDS or row.usage != row.word), "")


def _misspelt(word: str) -> str:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, COMMAND_WORDS, 1, cutoff=0.83)), "") if 5 < len(word) < 20 else ""


def row_of(command: Command) -> CommandRow:
    """The row of a command that was found."""
    if isinstance(command, LookUp | Inquiry):
        return _LOOK_UP
    rows = DECISIONS if isinstance(command, Decision) else _OF_PLAYERS
    return next(row for row in rows if row.word == command.word.split()[0])


def row_named(word: str) -> CommandRow:
    """The row of a player's command."""
    return next(row for row in _OF_PLAYERS if row.word == word)


def player_usage(word: str) -> str:
    """How a player writes a command."""
    return next(row.usage for row in TABLE if row.word == word)
