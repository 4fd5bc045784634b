"""Sentences about orders of which a word or two are not known: whether what they seem to say may be proposed.

The game says whether all parts are there. Here the words that it does not know are judged: one that may turn orders, or
that stands in sentences of any kind ("he", "already", "almost"), is more than the manner in which something is done.
"""

from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import Any

from pbem.games.base import AnyGame
from pbem.games.extras import Beside, reads_clauses
from pbem.i18n.words import fold
from pbem.orders import doubt
from pbem.orders.doubt_words import WORD, begins_as, pattern, phrases
from pbem.orders.weighing import KINDS
from pbem.orders.within import may_belong

_SHORT = 3  # letters; a word of fewer is an abbreviation, or a misspelt number


def beside(game: AnyGame, state: Any, sentence: str) -> Beside | None:
    """What is not known of a sentence which says in full what is ordered; None if any of it may turn that."""
    clauses = reads_clauses(game)
    if not clauses or not (found := clauses.beside(state, sentence)):
        return None
    harmless = all(map(_says_how, found.words)) and not doubt.turns(" ".join(found.words))
    if not harmless or not all(map(_is_harmless, found.remarks)):
        return None
    words = frozenset(WORD.findall(fold(" ".join((*found.words, *found.remarks)))))
    return None if _turns(sentence, words) else found


def is_refused(game: AnyGame, state: Any, sentence: str) -> bool:
    """Whether a sentence says in full what is ordered, and more that is not known and may turn it."""
    clauses = reads_clauses(game)
    return bool(clauses and clauses.says_more(state, sentence)) and not beside(game, state, sentence)


def is_remark(game: AnyGame, state: Any, sentence: str) -> bool:
    """Whether a sentence has nothing of orders, and nothing that may turn those beside it."""
    clauses = reads_clauses(game)
    return bool(clauses and clauses.is_remark(state, sentence)) and _is_harmless(sentence)


def _is_harmless(remark: str) -> bool:
    """Whether no word of a remark may turn the orders beside it, speaks to somebody, or talks about moves."""
    said = WORD.findall(fold(remark))
    if not said or doubt.turns(remark) or may_belong(remark) or any(any(map(str.isdigit, word)) for word in said):
        return False
    return not any(word in phrases("about", "you") or _talks(word) for word in said)


@lru_cache(maxsize=4096)
def _talks(word: str) -> bool:
    """Whether a word begins as those do that turn orders, or with which one talks about moves and orders none."""
    turning = any(begins_as(table, kind, word) for table in ("stems", "soft") for kind in KINDS)
    return word not in _of_no_weight() and (turning or begins_as("remarks", "talk", word))


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
    return not _talks(said)


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
