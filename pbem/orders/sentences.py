"""Commands in ordinary words: whole lines that mean a command without beginning with its word, and requests for a human
being.

The wordings are data: `[sentences]`, `agreeing` and similar tables in `locale/<language>/words.toml`.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache

from pbem.games.spelling import caseless
from pbem.i18n import words
from pbem.orders.ambiguity import is_courtesy, is_greeting
from pbem.orders.command import Asking, Command, Simple
from pbem.orders.commands import find_command
from pbem.orders.grammar import parse_command

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 80  # the maximum number of characters in a line that is only a command
_YES = frozenset(words.words("commands", "yes")) | {"yes"}
_PART = re.compile(r"[,;.!]")
_CLAUSE = re.compile(r"[,;:.!()…]| [-–—] ")
_SIGNS = re.compile(rf"(?:\s*{words.pattern('around', 'agreeing_signs')}[\ufe0f\U0001f3fb-\U0001f3ff]*)+\s*")
_POLITE = words.words("around", "polite")
_POSTSCRIPT = re.compile(rf"^\W*{words.pattern('around', 'postscript')}\b\W*", re.I)
PLEASE = re.compile(rf"\s*{words.pattern('around', 'polite')}\b[ ,:]{{1,3}}", re.I)
"""A pattern for a courtesy before a command or an order."""
_SAID_OF_ALL = (Simple("yes"), Asking("decline"))
_AGREEING = frozenset(words.words("around", "agreeing"))
_NAMED = {kind: frozenset(words.words("agreeing_to", kind)) for kind in ("orders", "draw", "pause", "rematch")}
_CHOSEN = {name: number for number in ("1", "2", "3", "4") for name in (number, *words.words("chosen", number))}
_SENTENCES = {
    sentence: command
    for command in dict.fromkeys(command for file in words.files().values() for command in file.get("sentences", ()))
    for sentence in words.words("sentences", command)
}


def without_please(line: str) -> str:
    """Return `line` without the courtesies before and after a command. No regular expression searches for the end of
    the line, because 200,000 blanks may come before it."""
    line = line[please.end() :] if (please := PLEASE.match(line)) else line
    text = line.rstrip(" .!")
    for word in _POLITE:
        if caseless(text[-len(word) :]) == word and text[: -len(word)].endswith((" ", ",")):
            return text[: -len(word)].rstrip(" ,")
    return line


def names_command(line: str) -> bool:
    """Return whether the whole of `line` is a command without an argument, such as `resign` or `forget me`. A "PS"
    before the command is ignored."""
    text = without_please(_POSTSCRIPT.sub("", line)).strip(" .!")
    parsed = parse_command(text)
    command = find_command(*parsed) if parsed else None
    return command is not None and (isinstance(command, Simple) or text.isalpha())


def contains_command(line: str) -> bool:
    """Return whether `line` has several parts and one of them is a command, as in "That's it, I resign". A mere `yes`
    or `decline` does not count."""
    parts = [part.strip() for part in _PART.split(line) if _words(part)]
    commands = (in_ordinary_words(part) for part in parts if len(parts) > 1)
    return any(command and command not in _SAID_OF_ALL for command in commands)


def gives_up(line: str) -> bool:
    """Return whether part of `line` says that its writer resigns, whatever the other parts say, as in "I give up, this
    is hopeless". The result is False for a question."""
    if "?" in line:
        return False
    parts = (part.strip() for part in _CLAUSE.split(line))
    parsed = ((in_ordinary_words(part), parse_command(without_please(part))) for part in parts if _words(part))
    return any(Simple("resign") in (meant, said and find_command(*said)) for meant, said in parsed)


def in_ordinary_words(line: str) -> Command | None:
    """Return the command that the whole of `line` means without beginning with the command's word, such as "I give up",
    or a `yes` with more words; None if the meaning is uncertain."""
    if len(line) > _LONGEST:
        return None
    line_words = _words(line)
    if not line_words:
        return Simple("yes") if _SIGNS.fullmatch(line) else None
    command = _SENTENCES.get(" ".join(line_words)) or _SENTENCES.get(" ".join(_without_polite(line_words)))
    if command and not (command == "yes" and "?" in line):
        return _called(command)
    return Simple("yes") if "?" not in line and _agrees(line) else None


def _without_polite(words: list[str]) -> list[str]:
    words = [*words]
    while words and words[-1] in _POLITE:
        words.pop()
    while words and words[0] in _POLITE:
        del words[0]
    return words


def _agrees(line: str) -> bool:
    """Return whether `line` is a `yes` followed by more words of agreement, and perhaps by thanks."""
    first, *parts = (part for part in _PART.split(line) if _words(part))
    first_words = _without_polite(_words(first))
    begun = first_words != [] and (first_words[0] in _YES or _SENTENCES.get(first_words[0]) == "yes")
    agrees = (begun and _AGREEING.issuperset(first_words[1:])) or (first_words != [] and _is_yes(first))
    return agrees and all(_AGREEING.issuperset(_words(part)) or _is_yes(part) or is_greeting(part) for part in parts)


def _is_yes(part: str) -> bool:
    """Return whether `part` of a line is a sentence of agreement, such as `do it` in "sure, do it"."""
    return _SENTENCES.get(" ".join(_without_polite(_words(part)))) == "yes"


def agreed_to(lines: Sequence[str]) -> str:
    """Return the kind of question that a `yes` in ordinary words in one of `lines` refers to, such as "draw" for "I
    agree to the draw"; "" if no line refers to a kind of question."""
    agreed = (set(_words(line)) for line in lines if in_ordinary_words(line) == Simple("yes"))
    return next(
        (kind for line_words in agreed for kind, names in _NAMED.items() if not names.isdisjoint(line_words)), ""
    )


def chosen_number(lines: Sequence[str]) -> str:
    """Return the number that the lines of a letter choose from a list, such as "2" for "the second one"; "" if they say
    anything else except courtesies."""
    chosen = [(number, line) for line in lines if (number := _CHOSEN.get(" ".join(_words(line))))]
    alone = len(chosen) == 1 and all(line == chosen[0][1] or is_courtesy(line) for line in lines)
    return chosen[0][0] if alone else ""


def _words(line: str) -> list[str]:
    return _WORD.findall(_without_apostrophes(caseless(line)))


def _called(command: str) -> Command | None:
    word, _, rest = command.partition(" ")
    return find_command(word, rest)


def asks_for_person(text: str) -> bool:
    """Return whether `text` certainly asks for the person in charge. The wordings are unmistakable, even in lines
    beside orders."""
    return _complaint().search(_plain(" ".join(text.split()))) is not None


@cache
def _complaint() -> re.Pattern[str]:
    return re.compile("|".join(words.words("door", "complaint")))


def plain_words(text: str) -> list[str]:
    """Return the words of `text` in lower case and without apostrophes, which is the form that the regular expressions
    in `words.toml` expect."""
    return _WORD.findall(_plain(text))


def _plain(line: str) -> str:
    return _without_apostrophes(caseless(line)).replace("ё", "е")


def _without_apostrophes(line: str) -> str:
    return line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "").replace("'", "")


def command_in_line(lines: Sequence[str], number: int, may_be_order: Callable[[str], bool]) -> Command | None:
    """Return the command that line `number` of `lines` means in ordinary words.

    Words that agree or decline count only if no other line may be orders or a command, because otherwise they refer to
    that line.
    """
    command = in_ordinary_words(lines[number])
    if command in _SAID_OF_ALL and any(map(may_be_order, (*lines[:number], *lines[number + 1 :]))):
        return None
    return command
