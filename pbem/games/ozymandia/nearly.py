"""Sentences about orders in which only some words are not known: "Tell two from W to nip over to U".

Nothing is taken as orders of them, but what they probably mean can be proposed: where all parts stand there, and where
the words that are not known stand, nothing but the manner, or a remark, can be in them.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from pbem.games.base import Seat
from pbem.games.ozymandia.areas import names_of
from pbem.games.ozymandia.clauses import APART, ROLES, Clause, clauses_of, readings
from pbem.games.ozymandia.everyday import COUNTS, Word, endings, without_remarks, words_of
from pbem.games.ozymandia.state import State

_MOST = 5  # words that are not known beside the parts of orders
_BOMBS = frozenset(("bomb", "drop"))
_WHOLE = APART - _BOMBS | {"them", "reinforce"}  # clauses of these say nothing certain with an unknown word
_NOT_KNOWN = frozenset(("unknown", "never"))
_VERBS = frozenset(("move", "attack"))


def unknown_words(state: State, sentence: str) -> tuple[str, ...]:
    """The words of a sentence that are not known, or are names with a slip of the pen, where all else of it says what is ordered, and where they stand they
    can only say how; none for any other sentence."""
    found = words_of(names_of(state.board), sentence, tolerant=True) or []
    kept = without_remarks(found)
    if not kept or kept[-1].kind in (*ROLES, "and") or any(word.kind == "never" for word in found):
        return ()
    if _may_act(kept) or _is_said_by(found) or sum(word.kind == "unknown" for word in kept) > _MOST:
        return ()
    whole = all(map(_is_complete, clauses_of(kept))) and all(map(_says_how, _parts(kept)))
    return tuple(word.text for word in found if word.kind in ("unknown", "slip")) if whole else ()


def says_more(state: State, sentence: str) -> bool:
    """Whether a sentence has a whole move, and words that are not known beside it."""
    found = words_of(names_of(state.board), sentence, tolerant=True) or []
    return any(
        one.counts and len(one.places) > 1 and not one.kinds.isdisjoint(_NOT_KNOWN) for one in clauses_of(found)
    )


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


def _parts(words: Sequence[Word]) -> Iterator[list[Word]]:
    """What stands between commas, colons and the like."""
    for apart, part in groupby(words, lambda word: word.kind in ("and", "label")):
        if not apart:
            yield list(part)


def _says_how(part: Sequence[Word]) -> bool:
    """Whether unknown words stand where they say only how: not where a place does that the board has not ("for Bob"),
    nor as those who act ("the rules allow"), nor behind a whole move ("2 from A to M looks bad")."""
    pairs = list(pairwise(part))
    if any(word.kind in ROLES and behind.kind == "unknown" and not _leads(part, behind) for word, behind in pairs):
        return False
    if any(_acts(part, at) for at in range(len(part) - 1)):
        return False
    areas = [at for at, word in enumerate(part) if word.kind == "area"]
    counted = any(word.kind in COUNTS for word in part)
    behind = part[areas[-1] + 1 :] if len(areas) > 1 and counted else []
    tail = [word for word in behind if word.kind == "unknown"]
    return len(tail) < 2 and not any(word.text.endswith(endings("finite")) for word in tail)


def _leads(part: Sequence[Word], word: Word) -> bool:
    """Whether unknown words stand right before an area: "to dreary M"."""
    at = next(at for at, one in enumerate(part) if one is word)
    return next((one.kind for one in part[at:] if one.kind not in ("unknown", "place")), "") == "area"


def _acts(part: Sequence[Word], at: int) -> bool:
    """Whether an unknown word is right before a verb, and is neither who is moved ("2 rascals march") nor how
    ("calmly march")."""
    word, verb = part[at], part[at + 1]
    if word.kind != "unknown" or verb.kind not in _VERBS:
        return False
    moved = at > 0 and (part[at - 1].kind in COUNTS or part[at - 1].kind == "pieces")
    return not moved and not (word.text.islower() and word.text.endswith(endings("adverbs")))


def _may_act(words: Sequence[Word]) -> bool:
    """Whether an unknown word may be the name of who does it: "Bob bombs EC", "Bob fears 2 from A to M"."""
    followed = zip(words, [*words[1:], None], strict=True)
    unknown = [(word.text, behind.kind if behind else "") for word, behind in followed if word.kind == "unknown"]
    if any(text[0].isupper() and kind == "unknown" for text, kind in unknown):
        return True
    bombs = any(word.kind in _BOMBS for word in words)
    return bombs and any(text[0].isupper() or kind in _BOMBS for text, kind in unknown)


def _is_said_by(words: Sequence[Word]) -> bool:
    """Whether a sentence begins with what may be a name and a colon: "Bob: 2 from A to M"."""
    first, *others = words[:2] or [None]
    return bool(first and others and first.kind == "unknown" and first.text[0].isupper() and others[0].kind == "label")
