"""Lines that are nearly commands: the first word is misspelt by one letter, or the words after it make no sense.

These lines are compared with the command words of all languages before any trained model reads them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache

from pbem.games.spelling import caseless
from pbem.i18n import words
from pbem.orders.classifier import read_model
from pbem.orders.command import Command
from pbem.orders.commands import COMMAND_WORDS, COMMANDS, find_command, rows_named
from pbem.orders.grammar import parse_command
from pbem.orders.sentences import without_please

_LEAST, _MOST = 4, 20  # the fewest and most letters of a misspelt word; shorter words resemble too many others
_FEW = 3  # an argument of this many words makes a line a sentence, unless it contains a number or an address
_FEW_WORDS = 4  # the maximum number of words of a remark that is compared with commands
_ANSWERS = ("yes", "accept", "decline")  # answers; only the question shows whether an answer is meant
_AROUND = frozenset((*words.words("around", "polite"), *words.words("around", "subject")))
_IN_ANY_SENTENCE = frozenset(words.words("around", "prose"))


@lru_cache(maxsize=4096)
def neighbours(word: str) -> frozenset[str]:
    """Return the command words that differ from `word` by one added, missing or wrong letter, or by two swapped
    letters."""
    word = caseless(word)
    if word in COMMAND_WORDS or len(word) > _MOST:
        return frozenset()
    known = frozenset[str]().union(*(_by_shorter().get(shorter, ()) for shorter in _shorter(word)))
    return frozenset(one for one in known if _is_slip(word, one))


@cache
def _by_shorter() -> Mapping[str, frozenset[str]]:
    """Return a mapping from keys to command words. The keys of a word are the word itself and each text that is left if
    one of its letters is removed; words that differ by one slip share a key."""
    by_shorter = defaultdict[str, set[str]](set)
    for word in COMMAND_WORDS:
        for shorter in _shorter(word) if len(word) >= _LEAST else ():
            by_shorter[shorter].add(word)
    return {shorter: frozenset(words) for shorter, words in by_shorter.items()}


def _shorter(word: str) -> tuple[str, ...]:
    return (word, *(word[:at] + word[at + 1 :] for at in range(len(word))))


def nearest(word: str) -> frozenset[str]:
    """Return the command words of which `word` may be a misspelling. The result is empty if `word` is very short or a
    frequent word itself."""
    is_word = len(word) < _LEAST or caseless(word) in read_model().frequent
    return frozenset() if is_word else neighbours(word)


def nearest_word(word: str) -> str:
    """Return one of the command words nearest to `word` if all of these belong to the same command; otherwise ""."""
    near = sorted(nearest(word))
    return near[0] if len({rows_named(known)[0].word for known in near}) == 1 else ""


def corrected(line: str) -> Command | None:
    """Return the command that `line` would be if its first word were spelt like the nearest command word.

    Return None if several commands are possible, or if `line` looks like a sentence.
    """
    first, *rest = without_please(line).strip(" \t.!,;:").split(maxsplit=1)[:2] or [""]
    argument = rest[0] if rest else ""
    is_sentence = len(argument.split()) >= _FEW and not any(char.isdigit() or char == "@" for char in argument)
    if "?" in line or is_sentence:
        return None
    read = (parse_command(f"{known} {argument}".strip()) for known in sorted(nearest(first)))
    commands = {find_command(*parts) if parts else None for parts in read}
    command = commands.pop() if len(commands) == 1 else None
    return None if command and command.word in _ANSWERS else command


def similar_usage(line: str) -> str:
    """Return the usage of the player's command that `line`, a short remark, resembles; "" if it resembles no command.

    Such a remark begins with the command's word, perhaps misspelt, but the rest of the remark makes no sense.
    """
    said = [word for word in re.findall(r"[^\W\d_]+", line.casefold()) if word not in _AROUND]
    if not 0 < len(said) <= _FEW_WORDS or said[0] in _IN_ANY_SENTENCE:
        return ""
    if find_command(said[0], " ".join(said[1:])):
        return ""
    word = said[0] if said[0] in COMMAND_WORDS else nearest_word(said[0])
    rows = (row for row in rows_named(word) if row in COMMANDS)
    return next((row.usage for row in rows if len(said) < _FEW_WORDS or row.usage != row.word), "")


def _is_slip(word: str, known: str) -> bool:
    """Return whether `word` becomes `known` if one letter is added, removed or replaced, or if two neighbouring letters
    are swapped."""
    if abs(len(word) - len(known)) > 1:
        return False
    while word and known and word[0] == known[0]:
        word, known = word[1:], known[1:]
    while word and known and word[-1] == known[-1]:
        word, known = word[:-1], known[:-1]
    return max(len(word), len(known)) == 1 or (len(word) == 2 and word == known[::-1])
