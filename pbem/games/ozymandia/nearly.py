"""Sentences about orders in which only a word or two are not known: "Tell two from W to nip over to U".

Nothing is taken as orders of them, but what they probably mean can be proposed: where all parts stand there, so that
nothing but the manner can be in the words that are not known.
"""

from collections.abc import Sequence

from pbem.games.base import Seat
from pbem.games.ozymandia.areas import names_of
from pbem.games.ozymandia.clauses import APART, ROLES, Clause, clauses_of, readings
from pbem.games.ozymandia.everyday import Word, words_of
from pbem.games.ozymandia.state import State

_MOST = 3  # words that are not known
_BOMBS = frozenset(("bomb", "drop"))
_WHOLE = APART - _BOMBS | {"them", "reinforce"}  # clauses of these say nothing certain with an unknown word


def unknown_words(state: State, sentence: str) -> tuple[str, ...]:
    """The words of a sentence that are not known, where all else of it says what is ordered; none if they are too many,
    or may change what it says."""
    found = words_of(names_of(state.board), sentence, tolerant=True) or []
    unknown = tuple(word.text for word in found if word.kind == "unknown")
    if not 0 < len(unknown) <= _MOST or found[-1].kind in (*ROLES, "and") or _may_act(found):
        return ()
    return unknown if all(map(_is_complete, clauses_of(found))) else ()


def said_in_full(state: State, seat: Seat, sentences: Sequence[str]) -> str:
    """What sentences order that leave nothing open, in canonical form, legal or not; "" for others."""
    names = names_of(state.board)
    said = [clause for one in sentences for clause in clauses_of(words_of(names, one) or [])]
    found = readings(state, seat, sentences, legal=False) if said and all(map(_says_all, said)) else ()
    return found[0] if len(found) == 1 else ""


def _says_all(clause: Clause) -> bool:
    """Whether a clause says what is bombarded, or how many go from where to where."""
    if clause.kinds & _BOMBS:
        return len(clause.places) == 1
    counts = [count.kind for count in clause.counts]
    return counts in (["number"], ["all"]) and len(clause.places) == 2 and not clause.kinds & _WHOLE


def _is_complete(clause: Clause) -> bool:
    """Whether a clause says so much that a word more would say only how."""
    if "unknown" not in clause.kinds:
        return True
    if clause.kinds & _BOMBS:
        return len(clause.places) == 1
    return bool(clause.counts and clause.places) and not clause.kinds & _WHOLE


def _may_act(words: Sequence[Word]) -> bool:
    """Whether an unknown word may be the name of who does it: "Bob bombs EC", "Bob fears 2 from A to M"."""
    followed = zip(words, [*words[1:], None], strict=True)
    unknown = [(word.text, behind.kind if behind else "") for word, behind in followed if word.kind == "unknown"]
    if any(text[0].isupper() and kind == "unknown" for text, kind in unknown):
        return True
    bombs = any(word.kind in _BOMBS for word in words)
    return bombs and any(text[0].isupper() or kind in _BOMBS for text, kind in unknown)
