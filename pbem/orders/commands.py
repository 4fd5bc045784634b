"""The commands that a letter can contain besides orders, each on a line of its own.

Each command is a row of `COMMAND_ROWS`, from which the help and the command-line interface are also generated.
`pbem/orders/reader.py` uses the grammar to find the command's word and argument in a line, and calls `find_command`. A
letter may use the words of any language. The words after a command's word are translated into English before they are
passed to the row's reader.
"""

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import get_args

from pbem.games import game_called
from pbem.games.spelling import caseless
from pbem.i18n import words
from pbem.mail.addresses import ADDRESS
from pbem.orders.asked_leagues import WHEN
from pbem.orders.command import (
    GAME,
    HELP_TOPICS,
    TURN,
    Asking,
    Command,
    CommandRow,
    Decision,
    Group,
    Inquiry,
    LookUp,
    Read,
    Simple,
    TrustLevel,
    asking,
    decision,
    directed,
    either,
    help_topic,
    in_words,
    listing,
    look,
    meaning,
    moved,
    of_game,
    simple,
    with_address,
    without_reason,
)
from pbem.orders.patterns import (
    AGAINST_COMPUTER,
    COMPUTER,
    COMPUTER_FOR,
    PEOPLE,
    PERSON,
    PLACED,
    RATING,
    REPLACED,
    SUBSTITUTE,
    TRIED,
)

EVERYDAY = ("status", "withdraw", "check", "draw", "resign", "press", "vacation", "language")
"""The commands in the short help; `help commands` lists them all."""

_GAME_OR_NONE = rf"|{GAME}|\S*\d\S*"
_LETTERS = ("letters", "letter", "mails", "mail", "emails", "e-mails")
_NO = {wish: Simple(f"no {wish}") for wish in ("wait", "go", "draw", "pause", "take back", "vote")}
_BACK = dict.fromkeys(("back", "back turn", "back the turn", "back the last turn"), Simple("take back"))
_VOTES = {
    "pause": Simple("pause"),
    "resume": Simple("resume"),
    "annul": Simple("vote annul"),
    **_BACK,
    "take back": Simple("take back"),
}
_HALF = "|".join(words.pattern("times", kind) for kind in ("am", "pm", "oclock"))
_HOUR = rf"(?:at )?(?:[01]?\d|2[0-3])(?:[:.][0-5]\d)?(?: ?(?:{_HALF}))?"
_DAILY = rf"daily(?: {_HOUR})?|{_HOUR}"
_VERBS = words.pattern("around", "verbs")
_LEAGUE = r"[\w][\w -]{0,39}"
_LEAGUE_OR_NONE = rf"|(?!{_VERBS} ){_LEAGUE}"
_LEAGUE_THEN = rf"(?:{_LEAGUE_OR_NONE}){WHEN}"


def _row(usage: str, description: str, trust: TrustLevel, read: Read | None = None, group: Group = "") -> CommandRow:
    """Return the row of a command whose word is the first word of `usage`. If `read` is None, the command consists of
    its word alone."""
    word = re.split("[ :,]", usage)[0]
    return CommandRow(word, usage, description, trust, read or simple(word), group)


def _decision(usage: str, description: str, pattern: str = "") -> CommandRow:
    """Return the row of a game master's command about a match. `pattern` is a regular expression for its argument."""
    word = usage.split(maxsplit=1)[0]
    return CommandRow(word, usage, description, "game master", decision(word, pattern))


def _of_league(usage: str, description: str, pattern: str, *, because: bool = False) -> CommandRow:
    """Return the row of a game master's command about a league. `pattern` is a regular expression for its argument."""
    word = usage.split(maxsplit=1)[0]
    return CommandRow(word, usage, description, "game master of the league", directed(word, pattern, because=because))


def _on_or_off(word: str) -> Read:
    """Return the reader of a command that allows something, or forbids it with `off`."""
    return meaning({"": Simple(word), "on": Simple(word), "off": Simple(f"{word} off")})


def _tried(rest: str) -> Command | None:
    """Read `rest`, the words after `try`: a game, or a position. Other words begin an ordinary sentence."""
    rest = re.sub(r"^out\s+", "", rest, flags=re.I)  # try out ozymandia
    parts = re.fullmatch(TRIED, rest, re.I)
    return Asking("try", rest) if parts and (parts["match"] or game_called(parts["game"])) else None


def _unnamed(pattern: str) -> str:
    """Return `pattern` with groups that have no names, so that it can stand beside another one with the same names."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


def _by_reader(_: str) -> None:
    """Return None, as a placeholder for the reader of a command that cannot be read from its line alone.

    Such a command is read elsewhere, with the lines that belong to it or the letter that it answers.
    """


_turn, _game, _look, _begin, _you = (partial(_row, group=group) for group in get_args(Group) if group)


_DECISION_ROWS = (
    _decision(
        "extend GAME 2 days because ...",
        "moves the deadline by some time, or `to` a date",
        r"(?=.*\d|.*day).{3,100}",
    ),
    _decision("pause GAME because ...", "stops the clock"),
    _decision("resume GAME because ...", "restarts the clock"),
    _decision("process GAME because ...", "plays the turn now", "(?:now)?"),
    _decision("words GAME because ...", "plays on without waiting for the public beacon"),
    _decision(
        "rollback GAME TURN because ...", "takes the game back to the start of a turn", rf"(?:to )?(?:turn )?{TURN}"
    ),
    CommandRow("roll", "", "", "game master", decision("rollback", rf"(?:to )?(?:turn )?{TURN}", bare="back")),
    _decision("readjudicate GAME because ...", "plays the last turn again from the same orders"),
    _decision(
        "replace GAME SEAT with NAME <ADDRESS> because ...",
        'gives a seat to someone else, or to "computer level 2"',
        rf"(?:[a-z]+\d?|[^<>@]{{1,60}}?(?= with )) (?:with )?(?:{COMPUTER}|{PERSON.pattern})",
    ),
    _decision(
        "award GAME SEAT|draw because ...",
        "ends the game with this winner, or as a draw",
        r"(?:to )?[a-z]+\d?(?:(?:,| and) [a-z]+\d?)*",
    ),
    _decision("annul GAME because ...", "ends the game as if it had never been played"),
    _decision("reopen GAME because ...", "reopens a game that has ended"),
    _decision("replay GAME because ...", "starts an annulled game again"),
    _decision("position GAME 7 red A3 ... because ...", "corrects the position", r"(?=.*[\d:]).{5,6000}"),
    _decision("orders GAME SEAT: 3 A to M, ... because ...", "enters orders for a seat", r"[a-z]+\d?\s*:.{1,2000}"),
    _row(
        "release GAME",
        "sends out a report that is waiting for you",
        "game master",
        lambda rest: of_game("release")(rest) if rest else None,
    ),
    _row("ok", "does the same, in reply to the report", "game master", _by_reader),
    _row(
        "desk [daily]",
        "shows what is waiting, late or new; `desk at once`, `daily`, `weekly` or `never` sets how often you get it",
        "game master of any",
        meaning({often: Decision("desk", "", often, "") for often in ("", "at once", "daily", "weekly", "never")}),
    ),
    _row("say GAME: ...", "writes to all players of a game, up to the line `end say`", "game master", _by_reader),
    _row(
        "tell GAME SEAT: ...",
        "writes to one player of a game, up to the line `end tell`",
        "game master",
        _by_reader,
    ),
    _row("decide GAME NUMBER: ...", "decides a claim; everyone in the game gets your words", "game master", _by_reader),
    _decision("uphold GAME NUMBER because ...", "dismisses an appeal: the decision stands", r"\d{1,9}"),
    _decision("overturn GAME NUMBER because ...", "allows an appeal; that alone changes nothing", r"\d{1,9}"),
    _row(
        "letters GAME [TURN]", "shows the letters of played turns, as received and as understood", "game master", look
    ),
    _row("decisions [GAME|LEAGUE]", "shows what was decided, when, by whom and why", "game master", listing),
    _row(
        "invite NAME <ADDRESS> and NAME <ADDRESS>",
        "invites people to a game; name them in the order of the seats",
        "game master of the desk",
        lambda rest: Decision("invite", "", rest, "") if PEOPLE.fullmatch(rest) else None,
    ),
    _row(
        "address OLD is NEW because ...",
        "replaces a player's lost address with a new one",
        "game master of the player",
        moved,
    ),
    _row(
        "ban ADDRESS because ...",
        "bans someone from this desk",
        "game master of the desk",
        decision("ban", PERSON.pattern),
    ),
    _row("unban ADDRESS because ...", "lifts the ban", "game master of the desk", decision("unban", PERSON.pattern)),
    _row(
        "league: ...",
        "creates a league: write what its file would hold, up to a line `end league`",
        "game master of the league",
        _by_reader,
    ),
    _row(
        "tell LEAGUE: ...",
        "writes to everyone who plays or is on standby in a league, up to the line `end tell`",
        "game master of the league",
        _by_reader,
    ),
    _of_league(
        "join LEAGUE NAME <ADDRESS>",
        "puts someone on standby, or at the bottom of a ladder",
        rf"[^<>@]{{1,80}}<{ADDRESS}>{PLACED}",
    ),
    _of_league(
        "withdraw LEAGUE NAME because ...",
        "removes someone; the first on standby takes their place, or else they forfeit their games",
        r"[^<>@]{3,90}",
        because=True,
    ),
    _of_league(
        "points LEAGUE NAME 0.5 because ...",
        "gives someone points by hand; a negative number takes points away",
        r"[^<>@]{3,90} [-+]?\d{1,3}(?:[.,]\d{1,2})?",
        because=True,
    ),
    _of_league(
        "rate LEAGUE NAME 1850 because ...",
        "corrects the rating of someone in a league with external ratings; 0 means no rating",
        rf"[^<>@]{{3,90}} {RATING}",
        because=True,
    ),
    _of_league(
        "next LEAGUE because ...", "begins the next round now, even if this one is not over", _LEAGUE, because=True
    ),
    _of_league(
        "season LEAGUE [with everybody]",
        "begins the next season, with everyone on standby if you wish",
        rf"(?!{_VERBS} |s |greetings){_LEAGUE}(?: with everybody)?",
    ),
    _of_league(
        "challenge LEAGUE NAME against NAME",
        "lets someone play for another's place in a ladder",
        r"[^<>@]{3,90} against [^<>@]{1,60}",
    ),
    _of_league(
        "enter LEAGUE NAME <ADDRESS> because ...",
        "adds someone to a Swiss season from the next round on; `in division 1 rating 1850 with 1 point` may follow",
        rf"[^<>@]{{1,80}}(?:<{ADDRESS}>|computer,? level \d){PLACED}(?: with \d+(?:[.,]\d)? points?)?",
        because=True,
    ),
    _of_league(
        "bye LEAGUE NAME ROUND because ...",
        "leaves someone without a game in an upcoming round; `with 0 points` or `off` may follow",
        r"[^<>@]{3,90} (?:round )?\d{1,2}(?: off| with \d+(?:[.,]\d)? points?)?",
        because=True,
    ),
    _of_league(
        "pair LEAGUE ROUND NAME - NAME, ... because ...",
        "pairs players for a round before its games begin; the program pairs the others",
        r"[^<>@]{1,60}? (?:round )?\d{1,2}(?: [^<>@]{3,900})?",
        because=True,
    ),
    _of_league(
        "substitute LEAGUE TEAM board 2 NAME because ...",
        "puts someone on one of a team's boards for the next round; `round 3` or `off` may follow",
        rf"[^<>@]{{3,90}} board \d {SUBSTITUTE}",
        because=True,
    ),
    _of_league("forbid LEAGUE NAME - NAME because ...", "keeps these two apart", r"[^<>@]{5,120}", because=True),
    _of_league("allow LEAGUE NAME - NAME because ...", "lets these two meet again", r"[^<>@]{5,120}", because=True),
)
"""Decisions that game masters can make by letter or on the command line."""

_ROWS = (
    _look("help [topic]", f"explains how to play; topics are {', '.join(HELP_TOPICS)}", "address", help_topic),
    _look("status", "shows the state of all your games", "address"),
    _begin("games", "shows waiting players, open leagues and games to watch", "address"),
    _begin(
        "standings [LEAGUE], crosstable, rounds, schedule, leagues",
        "shows a league's table, its crosstable, all its games, or your own; `leagues` lists leagues and their players",
        "address",
        asking("standings", _LEAGUE_THEN),
    ),
    CommandRow("crosstable", "", "", "address", asking("crosstable", _LEAGUE_THEN)),
    CommandRow("rounds", "", "", "address", asking("rounds", _LEAGUE_THEN)),
    CommandRow("schedule", "", "", "address", asking("schedule", _LEAGUE_OR_NONE)),
    CommandRow("leagues", "", "", "address", asking("leagues", _LEAGUE_OR_NONE)),
    _turn(
        "yes [number]",
        "says yes to orders we propose, an offer, or a question (give its number if several are open); `no` declines",
        "asked",
        either(simple("yes"), asking("yes", r"\d{1,2}")),
    ),
    _turn(
        "withdraw",
        "takes back your orders for this turn; `withdraw turn 6` takes back those for a later one",
        "seat",
        either(simple("withdraw"), asking("withdraw", r"(?:turn )?[a-z]?\d{1,4}|next turn|later|conditions")),
    ),
    CommandRow(
        "later",
        "turn 6: ..., next turn: ...",
        "gives orders for a later turn; we check them again when it begins",
        "seat",
        _by_reader,
        group="turn",
    ),
    _turn("check: ...", "shows the effect of your orders and stores nothing", "lapsed seat"),
    _turn(
        "if 3 A to M and Blue 2 S to M",
        "shows the resulting board and stores nothing; for several turns, write a line for each",
        "seat",
        _by_reader,
    ),
    _turn("wait", "makes the turn wait for its deadline", "seat"),
    _turn("go", "skips the pause that follows the last orders in some games, if all players write it", "seat"),
    _game("draw", "offers a draw; the offer stands until the turn is played", "seat"),
    _turn(
        "no wait, no go, no draw, no take back, no vote",
        "takes back what you asked for",
        "seat",
        either(meaning(_NO), asking("decline", r"\d{1,2}")),
    ),
    _game("resign", "gives up the game; we ask you first", "seat"),
    _game("take back", "asks the others to agree to replay the last turn", "seat", meaning(_BACK)),
    _game(
        "vote extend 2 days, vote pause, vote resume, vote annul, vote computer for SEAT",
        "asks all players to vote on a later deadline, on pausing, resuming or annulling the game, or on the computer "
        "playing for an absent player",
        "seat",
        either(
            meaning(_VOTES),
            asking(
                "vote", rf"extend(?: (?=.*\d|.*day).{{3,90}})?|computer|{_unnamed(COMPUTER_FOR)}|{_unnamed(REPLACED)}"
            ),
        ),
    ),
    CommandRow("pause", "", "", "seat", simple("pause")),
    CommandRow("resume", "", "", "seat", simple("resume")),
    _game("press: ...", "writes to your opponents, up to the line `end press`", "seat", _by_reader),
    _game("gm: ...", "writes to the game master alone, up to the line `end gm`", "person", _by_reader),
    _game("claim: ...", "asks the game master to settle a dispute; we tell you by when", "seat", _by_reader),
    _game("appeal: ...", "appeals to another of the league's game masters against a decision", "seat", _by_reader),
    _game("word: ...", "mixes your words into the dice rolls, so that not even we can rig them", "seat", _by_reader),
    _game("mute", "stops press from other players in this game", "seat"),
    _game("unmute", "lets press reach you again", "seat"),
    _look("resend [turn]", "sends a turn's report again", "lapsed seat", asking("resend", rf"(?:{TURN})?")),
    _look("history", "lists all turns so far", "lapsed seat"),
    _look(
        "record [GAME]",
        "sends the game so far as a file, to keep or replay",
        "person",
        asking("record", _GAME_OR_NONE),
    ),
    _look(
        "analysis [GAME]",
        "shows who was ahead in a finished game, turn by turn, and what decided it",
        "person",
        asking("analysis", _GAME_OR_NONE),
    ),
    _begin(
        "puzzle [GAME] [NUMBER]",
        "gives you a position to solve; the first three teach the game",
        "person",
        asking("puzzle", rf"|{GAME}|(?:[\w'’-]{{1,20}})?(?: ?\d{{1,2}})?"),
    ),
    _begin("accept", "accepts an invitation to a game", "asked"),
    _begin(
        "decline [always]",
        "declines; `always` stops all invitations to you",
        "asked",
        asking("decline", r"|always|\d{1,2}"),
    ),
    _game("rematch", "starts another game with sides swapped, if everyone agrees", "seat"),
    _game("back", "takes your seat back from the computer", "seat"),
    _game("hand over to ADDRESS", "gives your seat to someone else", "seat", with_address("hand", "over to")),
    _begin(
        "join [name]",
        "enters you in a league, or puts you in the queue for a game",
        "anybody",
        asking("join", f"|{_LEAGUE}"),
    ),
    _begin(
        "bye LEAGUE ROUND",
        "skips a round, once a season",
        "person",
        asking("bye", rf"(?:in )?{_LEAGUE} (?:round )?\d{{1,2}}"),
    ),
    _begin(
        "substitute LEAGUE board 2 NAME",
        "for team captains: names the player for a board in the next round; `off` cancels that",
        "person",
        without_reason(asking("substitute", rf"(?:in )?{_LEAGUE} board \d {SUBSTITUTE}")),
    ),
    _begin("leave [name]", "leaves a league, or the queue for a game", "person", asking("leave", f"|{_LEAGUE}")),
    _begin(
        "challenge ADDRESS, challenge computer, challenge NAME in LEAGUE",
        "invites others to a game, or challenges a player for a place in a ladder",
        "person",
        either(
            asking("challenge", AGAINST_COMPUTER),
            with_address("challenge"),
            asking("challenge", rf"[^@<>]{{1,60}} in {_LEAGUE}"),
        ),
    ),
    _begin(
        "try ozymandia, try from GAME TURN",
        "begins a sandbox, in which you play all sides, from the opening position or from a turn of a finished game",
        "person",
        _tried,
    ),
    _game(
        "teacher ADDRESS",
        "asks someone to watch your sandbox and send orders in it; `teacher off` cancels this",
        "seat",
        either(meaning({"off": Simple("teacher off")}), with_address("teacher")),
    ),
    _you(
        "vacation FROM to TO",
        "puts off your deadlines while you are away; `vacation none` cancels this",
        "person",
        asking("vacation", rf"|(?!{_VERBS} )[\w. ,/()-]{{4,90}}"),
    ),
    _you("zone Europe/Berlin", "sets the time zone used in our letters", "person", asking("zone", r"|[\w/+ -]{2,40}")),
    _you(
        "language english, language deutsch",
        "sets the language of our letters; you may write in any language we know",
        "person",
        asking("language", r"|[^\W\d_]{2,20}"),
    ),
    _you(
        "address ADDRESS",
        "sends our letters to another address; you can still write from the old one",
        "person",
        lambda rest: None if moved(rest) else with_address("address")(rest),
    ),
    _you("undo", "removes an address that was added in the last 14 days", "asked"),
    _look("observe GAME", "sends you a game's reports", "person", asking("observe", _GAME_OR_NONE)),
    _look("unobserve GAME", "stops sending you a game's reports", "person", asking("unobserve", _GAME_OR_NONE)),
    _you(
        "fewer letters, more letters",
        "combines receipt and report, and collects news in one letter a day; `more letters` sends each separately",
        "person",
        meaning(dict.fromkeys(_LETTERS, Simple("fewer letters"))),
    ),
    CommandRow("more", "", "", "person", meaning(dict.fromkeys(_LETTERS, Simple("more letters")))),
    _you(
        "digest daily, digest off",
        "collects news in one letter a day, for example with `digest daily at 7:30`; `digest off` sends it immediately",
        "person",
        asking("digest", rf"off|{_DAILY}"),
    ),
    _you(
        "text only, html", "sends you plain text only, or HTML again", "person", meaning({"only": Simple("text only")})
    ),
    CommandRow("html", "", "", "person", simple("html")),
    _you("pictures off, pictures", "turns pictures of the position off or on", "person", _on_or_off("pictures")),
    _you("calendar off, calendar", "turns calendar entries off or on", "person", _on_or_off("calendar")),
    _you(
        "interpreter off, interpreter",
        "stops a program from interpreting your unclear letters, or lets it do so",
        "person",
        _on_or_off("interpreter"),
    ),
    _you(
        "my data, my settings",
        "shows everything we have stored about you, or just your settings",
        "person",
        meaning({"": Simple("my data"), "data": Simple("my data"), "settings": Simple("my settings")}),
    ),
    _you("forget me", "removes everything that identifies you", "person", simple("forget me", "me")),
)

COMMAND_ROWS = tuple(row._replace(also=words.words("commands", row.word)) for row in (*_ROWS, *_DECISION_ROWS))


def spellings(row: CommandRow) -> frozenset[str]:
    """Return all names of the command in `row`, in lower case."""
    return frozenset((row.word, *row.also))


@cache
def _phrases_behind(word: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    phrases = words.phrases(word).items()
    return tuple(
        (re.compile(re.escape(phrase).replace(r"\.\.\.", "(.+)"), re.I), english) for phrase, english in phrases
    )


_BY_NAME: dict[str, tuple[CommandRow, ...]] = {}
for _one in COMMAND_ROWS:
    for _name in spellings(_one):
        _BY_NAME[_name] = (*_BY_NAME.get(_name, ()), _one)
COMMAND_WORDS = frozenset(_BY_NAME)
BLOCKS = {
    name: row.word
    for row in COMMAND_ROWS
    if row.word in ("press", "check", "gm", "claim", "appeal", "say", "tell", "decide", "word", "league")
    for name in spellings(row)
}
"""The names of commands that take a text after a colon, each with the command's English word."""

_LOOK_UP = CommandRow("look up", "", "", "address", lambda rest: None)
"""The row for questions about a match or about the material of a game. The game defines their words, so the row has
none."""
_OF_PLAYERS = tuple(row for row in COMMAND_ROWS if not row.trust.startswith("game master"))
COMMANDS = tuple(row for row in _OF_PLAYERS if row.usage)
DECISIONS = tuple(row for row in COMMAND_ROWS if row.trust.startswith("game master") and row.usage)


def find_command(word: str, argument: str = "") -> Command | None:
    """Return the command in a line whose first word is `word` and whose other words are `argument`; None if the line is
    not a command."""
    rows, rest = _BY_NAME.get(caseless(word), ()), " ".join(argument.split())
    for phrase, english in _phrases_behind(rows[0].word) if rows else ():
        if gaps := phrase.fullmatch(rest):
            for part in gaps.groups():
                english = english.replace("...", part, 1)  # noqa: PLW2901 - replaces one `...` after the other
            word, _, rest = english.partition(" ")
            rows = _BY_NAME[word]
            break
    return next((command for row in rows if (command := row.read(rest))), None)


def rows_named(word: str) -> tuple[CommandRow, ...]:
    """Return the rows of the commands that are called `word` in any language."""
    return _BY_NAME.get(word, ())


def row_of(command: Command) -> CommandRow:
    """Return the row that defines `command`."""
    if isinstance(command, LookUp | Inquiry):
        return _LOOK_UP
    rows = DECISIONS if isinstance(command, Decision) else _OF_PLAYERS
    return next(row for row in rows if row.word == command.word.split()[0])


EXPLANATIONS: Mapping[str, str] = {
    "standings": "the table of a league",
    "crosstable": "a league's results, everyone against everyone",
    "rounds": "all games of a league, round by round",
    "schedule": "your own games in your leagues",
    "leagues": "who plays in which league",
    "no wait": "the turn no longer waits for its deadline",
    "no go": "the turn waits for its deadline again",
    "no draw": "takes back your offer of a draw, or declines the others' offer",
    "pause": "asks the others for a pause",
    "resume": "asks the others to end the pause",
    "vote annul": "asks all players to vote on annulling the game",
    "no pause": "takes back your vote for a pause",
    "no take back": "takes back your request to replay the last turn",
    "no vote": "takes back the votes that you have asked for",
    "decline always": "declines, and stops all invitations to you",
    "more letters": "receipt and report in separate letters",
    "digest off": "each piece of news in a separate letter again",
    "html": "letters with pictures and colours again, besides plain text",
    "pictures": "letters with pictures of the position",
    "pictures off": "letters without pictures of the position",
    "calendar": "deadlines as entries for your calendar",
    "calendar off": "letters without entries for your calendar",
    "interpreter": "an interpreter may read your letters if the desk is not sure what they mean",
    "interpreter off": "no interpreter reads your letters",
    "my data": "everything we have stored about you",
    "my settings": "your settings",
    "vacation none": "ends your vacation",
    "challenge computer": "a game against the computer",
}
"""The effects of commands that share a row of the manual with another command."""


def explanation(command: Command) -> tuple[str, str]:
    """Return the words under which `command` is explained, and its effect. The words are the whole command if
    `EXPLANATIONS` contains it, otherwise only the command's first word."""
    whole = in_words(command).casefold()
    word = whole if whole in EXPLANATIONS else command.word
    return word, EXPLANATIONS.get(word) or row_of(command).help


def row_named(word: str) -> CommandRow:
    """Return the row of the player's command that is called `word` in English."""
    return next(row for row in _OF_PLAYERS if row.word == word)


def player_usage(word: str) -> str:
    """Return the usage of the player's command that is called `word` in English."""
    return next(row.usage for row in COMMAND_ROWS if row.word == word)
