"""What a letter can ask of the service besides orders: each command takes a line of its own.

A command is a row of `TABLE`; orders.py finds its word and its argument by the grammar and asks `find_command`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

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


Sure = Literal["address", "seat"]
"""How sure we must be of the writer. "address": one that we know, for the answer goes to the address on file and
nowhere else. "seat": a proven token of the seat besides, and whatever more the desk asks for."""


class Row(NamedTuple):
    """A command: its word, how it is written, what it does in a line, how sure we must be, what it is, how it is read.

    `read` gets the words behind it in lower case, "" if there are none, and gives None if they make no sense
    there: then the line is no command.
    """

    word: str
    usage: str
    help: str
    sure: Sure
    makes: type[Command]
    read: Callable[[str], Command | None]


TABLE = (
    Row(
        "help",
        "help [topic]",
        f"how to go on; topics are {', '.join(HELP_TOPICS)}",
        "address",
        Help,
        lambda topic: Help(topic) if topic in ("", *HELP_TOPICS) else None,
    ),
    Row("status", "status", "how all your games stand", "address", Status, lambda rest: None if rest else Status()),
    Row(
        "withdraw",
        "withdraw",
        "takes back the orders that wait for the turn",
        "seat",
        Withdraw,
        lambda rest: None if rest else Withdraw(),
    ),
    Row(
        "yes",
        "yes",
        "sends the correction that we proposed, or owns to a letter that we hold",
        "seat",
        Yes,
        lambda rest: Yes() if rest in ("", "please") else None,
    ),
)

COMMAND_WORDS = frozenset(row.word for row in TABLE)
_ROWS = {row.word: row for row in TABLE}
_SURE = {row.makes: row.sure for row in TABLE}


def find_command(word: str, argument: str = "") -> Command | None:
    """The command that a line of a letter is, its first word and the rest of it given; None if it is none."""
    row = _ROWS.get(word.casefold())
    return row.read(" ".join(argument.casefold().split())) if row else None


def how_sure(command: Command) -> Sure:
    """How sure we must be of the writer before a command is obeyed."""
    return _SURE[type(command)]
