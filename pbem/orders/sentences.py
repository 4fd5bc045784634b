"""Commands in ordinary words: whole lines that come to one though they do not begin with its word. The words are data:
`[sentences]` and `agreeing` in `locale/<language>/words.toml`."""

import re
from collections.abc import Callable, Sequence
from functools import cache

from pbem.i18n import words
from pbem.orders.command import Asking, Command, Simple
from pbem.orders.commands import find_command
from pbem.orders.doubt import is_courtesy
from pbem.patterns import compiled

_WORD = compiled(r"[^\W_]+")
_MOST_WORDS = 10  # of a line that is nearly a command
_LONG, _LIKE = 5, 0.8  # letters of a word whose slips are mended, and how like it has to be
_NOT = frozenset(words.words("around", "negating"))
_LONGEST = 80  # of a line that says no more than a command
_YES = frozenset(words.words("commands", "yes")) | {"yes"}
_POLITE = frozenset(words.words("around", "polite"))
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
    while said and said[-1] in _POLITE:
        said.pop()
    while said and said[0] in _POLITE:
        del said[0]
    if command := _SENTENCES.get(" ".join(said)):
        word, _, rest = command.partition(" ")
        return find_command(word, rest)
    return Simple("yes") if said and said[0] in _YES and _AGREEING.issuperset(said[1:]) else None


def nearly(lines: Sequence[str]) -> tuple[Command, str] | None:
    """The command that a letter of one short line is nearly, slips of the pen mended, and that line; greetings and
    thanks aside. None if it is none, or speaks of something that shall not be."""
    said = [line for line in lines if not is_courtesy(line)]
    if len(said) != 1 or len(said[0]) > _LONGEST:
        return None
    found = _WORD.findall(_plain(said[0]))
    if not 0 < len(found) <= _MOST_WORDS or not _NOT.isdisjoint(found):
        return None
    text = " ".join(_mended(word) for word in found)
    command = next((command for command, finds in _nearly() if finds.search(text)), "")
    word, _, rest = command.partition(" ")
    meant = Asking("gm", said[0].strip()) if command == "gm" else find_command(word, rest) if command else None
    return (meant, said[0].strip()) if meant else None


def _plain(line: str) -> str:
    return line.casefold().replace("\N{RIGHT SINGLE QUOTATION MARK}", "").replace("'", "").replace("ё", "е")


@cache
def _nearly() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What finds each command in a line, in the order in which they are looked for."""
    every = dict.fromkeys(command for file in words.files().values() for command in file.get("nearly", ()))
    return tuple((command, compiled("|".join(words.words("nearly", command)))) for command in every)


@cache
def _known() -> frozenset[str]:
    """The words by which commands are found."""
    texts = (text for command, _ in _nearly() for text in words.words("nearly", command))
    return frozenset(word for text in texts for word in _WORD.findall(text.replace("\\b", " ")) if len(word) >= _LONG)


def _mended(word: str) -> str:
    """A word, or the one of a command that it is a slip of."""
    from difflib import get_close_matches

    if len(word) < _LONG or word in _known():
        return word
    return next(iter(get_close_matches(word, _known(), 1, cutoff=_LIKE)), word)


def said_alone(lines: Sequence[str], number: int, may_be_order: Callable[[str], bool]) -> Command | None:
    """The same of a line of a letter; beside orders or commands, words of agreement are about those and no command."""
    command = in_ordinary_words(lines[number])
    if command in _SAID_OF_ALL and any(map(may_be_order, (*lines[:number], *lines[number + 1 :]))):
        return None
    return command
