"""What a letter can ask of the service besides orders: each command takes a line of its own.

A command is a row of `TABLE`; orders.py finds its word and its argument by the grammar and asks `find_command`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

HELP_TOPICS = ("orders", "rules", "commands")


@dataclass(frozen=True, slots=True)
class Help:
    """How to go on; `topic` is one of HELP_TOPICS, or empty for all that matters now."""

    topic: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """How the writer's games stand."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back the orders that wait for the turn."""


@dataclass(frozen=True, slots=True)
class Yes:
    """Send the proposed correction."""


Command = Help | Status | Withdraw | Yes


class Row(NamedTuple):
    """A command: its word, how it is written, what it does in a line, who may use it, and how it is read.

    `read` gets the words behind it in lower case, "" if there are none, and gives None if they make no sense
    there: then the line is no command.
    """

    word: str
    usage: str
    help: str
    who: str
    read: Callable[[str], Command | None]


TABLE = (
    Row(
        "help",
        "help [topic]",
        f"how to go on; topics are {', '.join(HELP_TOPICS)}",
        "everybody",
        lambda topic: Help(topic) if topic in ("", *HELP_TOPICS) else None,
    ),
    Row("status", "status", "how all your games stand", "players", lambda rest: None if rest else Status()),
    Row(
        "withdraw",
        "withdraw",
        "takes back the orders that wait for the turn",
        "players",
        lambda rest: None if rest else Withdraw(),
    ),
    Row(
        "yes",
        "yes",
        "sends the correction that we proposed",
        "players",
        lambda rest: Yes() if rest in ("", "please") else None,
    ),
)

_ROWS = {row.word: row for row in TABLE}


def find_command(word: str, argument: str = "") -> Command | None:
    """The command that a line of a letter is, its first word and the rest of it given; None if it is none."""
    row = _ROWS.get(word.casefold())
    return row.read(" ".join(argument.casefold().split())) if row else None
