"""What game masters can decide by a letter or on the command line: the rows of their words."""

import re

from pbem.orders.command import GAME, TURN, CommandRow, Decision, decision, look, moved
from pbem.orders.wanted import AND, WANTED

_PERSON = re.compile(r"[^\s<>\"]+@[^\s<>\"]+\.[^\s<>\".]+|[^<>]{1,60}<[^\s<>\"]+@[^\s<>\"]+\.[^\s<>\".]+>")
_PEOPLE = re.compile(rf"(?:{_PERSON.pattern})(?:(?:{AND})(?:{_PERSON.pattern})){{1,9}}{WANTED}", re.I)

DECISION_ROWS = (
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
        "words",
        "words GAME because ...",
        "has a game wait no longer for a round of a public beacon",
        "game master",
        decision("words", ""),
    ),
    CommandRow(
        "rollback",
        "rollback GAME TURN because ...",
        "takes the game back to the start of a turn",
        "game master",
        decision("rollback", rf"(?:to )?(?:turn )?{TURN}"),
    ),
    CommandRow("roll", "", "", "game master", decision("rollback", rf"(?:to )?(?:turn )?{TURN}", bare="back")),
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
        decision("award", r"(?:to )?[a-z]+\d?(?:(?:,| and) [a-z]+\d?)*"),
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
