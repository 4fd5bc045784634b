"""The order words of all languages as phrases that can be looked up, from the patterns of `words/*.toml`."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cache, lru_cache
from pathlib import Path

from pbem.games.spelling import folded
from pbem.games.words import word_files, words_in

FOLDER = Path(__file__).parent
STARTS = (
    *("retreat", "fallback", "losses", "carry", "move", "fly", "recruit", "garrison", "honors", "offer", "accept"),
    *(
        "return",
        "deploy",
        "group",
        "guard",
        "cast",
        "ring",
        "order",
        "sequence",
        "initiative",
        "evade",
        "join",
        "shoot",
    ),
    *("keep", "pass", "standing", "fight_fast", "orders_stand"),
)
"""The words with which items begin."""
_LEAST, _ALIKE = 4, 0.8  # letters of a word that may be misspelt, and how much it must be like another
_NOTHING: frozenset[str] = frozenset()


@cache
def phrases() -> Mapping[str, frozenset[str]]:
    """The order words that a phrase may be, by the phrase without capitals; kinds of counters and spells are none."""
    found: dict[str, set[str]] = {}
    for file in word_files(FOLDER):
        for name, patterns in file.items():
            for phrase in [] if isinstance(patterns, Mapping) else (one for each in patterns for one in expanded(each)):
                found.setdefault(phrase, set()).add(name)
    return {phrase: frozenset(names) for phrase, names in found.items()}


def words_of(phrase: str) -> frozenset[str]:
    """The order words that a phrase may be."""
    return phrases().get(folded(phrase), _NOTHING)


@lru_cache(maxsize=4096)
def alike(word: str) -> frozenset[str]:
    """The order words that a word, which is none, may be a slip of the pen for: `moove`."""
    verbs = [phrase for phrase, names in phrases().items() if not names.isdisjoint(STARTS) and len(phrase) >= _LEAST]
    found = get_close_matches(folded(word), verbs, 1, _ALIKE) if len(word) >= _LEAST else []
    return phrases()[found[0]] if found else _NOTHING


@cache
def kinds() -> Mapping[str, str]:
    """The kinds of counters, by what stands for them."""
    return {phrase: meant for meant, said in words_in(FOLDER, "kinds").items() for phrase in said}


@cache
def spells() -> Mapping[str, str]:
    """The names of spells, by what stands for them."""
    return {phrase: meant for meant, said in words_in(FOLDER, "spells").items() for phrase in said}


def expanded(pattern: str) -> Iterator[str]:
    """All texts that a pattern stands for: `(a|b)` one of several, `?` may be missing, ` +` a blank."""
    for text in _choices(pattern, 0)[0]:
        yield " ".join(text.split())


def _choices(pattern: str, at: int) -> tuple[list[str], int]:
    """What stands from a place on up to the end of its group, and where that is."""
    found, row = list[str](), [""]
    while at < len(pattern) and pattern[at] != ")":
        if pattern[at] == "|":
            found, row, at = found + row, [""], at + 1
            continue
        if pattern[at] == "(":
            part, at = _choices(pattern, at + 1)
        else:
            part = [pattern[at].replace("+", "")]
        at += 1
        if pattern[at : at + 1] == "?":
            part, at = [*part, ""], at + 1
        row = [before + one for before in row for one in part]
    return found + row, at
