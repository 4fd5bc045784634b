"""Commands in ordinary words: whole lines that come to one though they do not begin with its word. The words are data:
`[sentences]` and `agreeing` in `locale/<language>/words.toml`."""

import re
from collections.abc import Callable, Sequence

from pbem.i18n import words
from pbem.orders.command import Asking, Command, Simple
from pbem.orders.commands import find_command

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 80  # of a line that says no more than a command
_YES = frozenset(words.words("commands", "yes")) | {"yes"}
_SAID_OF_ALL = (Simple("yes"), Asking("decline"))
_AGREEING = frozenset(words.words("around", "agreeing"))
_SENTENCES = {
    sentence: command
    for command in dict.fromkeys(command for file in words.files().values() for command in file.get("sentences", ()))
    for sentence in words.words("sentences", command)
}


def in_ordinary_words(line: str) -> Command | None:
    """The command that a whole line comes to which does not name it by its first word, as "I give up"; or a `yes` with
    more words that agree. None if that is not certain."""
    if len(line) > _LONGEST:
        return None
    said = _WORD.findall(line.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "").replace("'", ""))
    if command := _SENTENCES.get(" ".join(said)):
        word, _, rest = command.partition(" ")
        return find_command(word, rest)
    return Simple("yes") if said and said[0] in _YES and _AGREEING.issuperset(said[1:]) else None


def said_alone(lines: Sequence[str], number: int, may_be_order: Callable[[str], bool]) -> Command | None:
    """The same of a line of a letter; beside orders or commands, words of agreement are about those and no command."""
    command = in_ordinary_words(lines[number])
    if command in _SAID_OF_ALL and any(map(may_be_order, (*lines[:number], *lines[number + 1 :]))):
        return None
    return command
