"""Sentences about orders of which a word or two are not known: whether what they seem to say may be proposed.

The game says whether all parts are there. Here the words that it does not know are judged: one that may turn orders, or
that stands in sentences of any kind ("he", "already", "almost"), is more than the manner in which something is done.
"""

from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import Any

from pbem.games.base import AnyGame
from pbem.games.extras import reads_clauses
from pbem.i18n.words import fold
from pbem.orders import doubt
from pbem.orders.doubt_words import WORD, begins_as, pattern, phrases
from pbem.orders.weighing import KINDS

_SHORT = 3  # letters; a word of fewer is an abbreviation, or a misspelt number


def unknown_words(game: AnyGame, state: Any, sentence: str) -> tuple[str, ...]:
    """The words that are not known of a sentence which says in full what is ordered; none if any may turn it."""
    clauses = reads_clauses(game)
    if not clauses or not (found := clauses.unknown_words(state, sentence)):
        return ()
    harmless = all(map(_says_how, found)) and not doubt.turns(" ".join(found))
    return found if harmless and not _turns(sentence, frozenset(map(fold, found))) else ()


def is_refused(game: AnyGame, state: Any, sentence: str) -> bool:
    """Whether a sentence says in full what is ordered, and more that is not known and may turn it."""
    clauses = reads_clauses(game)
    return bool(clauses and clauses.says_more(state, sentence)) and not unknown_words(game, state, sentence)


def _turns(sentence: str, unknown: AbstractSet[str]) -> bool:
    """Whether a sentence asks, or an unknown word is within a phrase that turns orders; one of known words says what
    the game knows."""
    if "?" in sentence:
        return True
    found = (match[0] for kind in KINDS for match in pattern("hard", kind).finditer(fold(sentence)))
    return any(not unknown.isdisjoint(WORD.findall(phrase)) for phrase in found)


@lru_cache(maxsize=1024)
def _says_how(word: str) -> bool:
    said = fold(word)
    if said in _of_no_weight():
        return True
    if len(said) < _SHORT or not WORD.fullmatch(said) or any(map(str.isdigit, said)) or said in _of_any_sentence():
        return False
    turning = any(begins_as(table, kind, said) for table in ("stems", "soft") for kind in KINDS)
    return not (turning or begins_as("remarks", "talk", said))


@cache
def _of_no_weight() -> frozenset[str]:
    """The words of any sentence that turn no orders, wherever they stand."""
    return frozenset(phrases("remarks", "idle"))


@cache
def _of_any_sentence() -> frozenset[str]:
    """The words that turn orders, point at them or count, and those that stand in sentences whatever they are about."""
    tables = [("plain", "words"), ("numbers", "words"), ("adds", "words"), ("choice", "between")]
    tables += [("about", kind) for kind in ("orders", "it", "you", "this")]
    tables += [(table, kind) for table in ("hard", "weak", "first") for kind in KINDS]
    return frozenset(text for table, kind in tables for text in phrases(table, kind) if WORD.fullmatch(text))
