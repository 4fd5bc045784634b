"""Sentences about orders in which only some words are not known: "Tell two from W to nip over to U".

Nothing is taken as orders of them, but what they probably mean can be proposed: where all parts stand there, and where
the words that are not known stand, nothing but the manner, or a remark, can be in them.
"""

from collections.abc import Sequence

from pbem.games.base import Seat
from pbem.games.extras import Beside
from pbem.games.ozymandia.clauses import APART, readings
from pbem.games.ozymandia.everyday import COUNTS, IDLE, OF_ORDERS, Word, table
from pbem.games.ozymandia.parts import ROLES, Clause, clauses_of, kept_of, parts_of, remarks_of, words_in
from pbem.games.ozymandia.state import State

_MOST = 5  # words that are not known beside the parts of orders
_MOST_BEHIND = 3  # of these behind a whole move
_BOMBS = frozenset(("bomb", "drop"))
_WHOLE = APART - _BOMBS | {"them", "reinforce"}  # clauses of these say nothing certain with an unknown word
_NOT_KNOWN = frozenset(("unknown", "never"))
_VERBS = frozenset(("move", "attack"))


def beside(state: State, sentence: str) -> Beside | None:
    """What is not known of a sentence, where all else of it says what is ordered, and the words within stand where they
    can only say how; None for any other, and one that is explained."""
    found = words_in(state.board, sentence, tolerant=True)
    if not any(word.kind in OF_ORDERS for word in found):
        return None
    kept, remarks = kept_of(found), remarks_of(found)
    if not kept or kept[-1].kind in (*ROLES, "and") or any(word.kind == "never" for word in found):
        return None
    unknown = tuple(word.text for word in kept if word.kind in ("unknown", "slip"))
    if _may_act(kept) or _is_said_by(found) or len(unknown) > _MOST or not (unknown or remarks):
        return None
    whole = all(map(_is_complete, clauses_of(kept))) and all(map(_says_how, parts_of(found)))
    return Beside(unknown, tuple(remarks)) if whole else None


def says_more(state: State, sentence: str) -> bool:
    """Whether a sentence has a whole move, and words that are not known beside it."""
    found = words_in(state.board, sentence, tolerant=True)
    said = [word for word in found if word.kind not in IDLE]
    return any(one.counts and len(one.places) > 1 and not one.kinds.isdisjoint(_NOT_KNOWN) for one in clauses_of(said))


def is_remark(state: State, sentence: str) -> bool:
    """Whether a sentence has no word that is part of orders."""
    found = words_in(state.board, sentence, tolerant=True)
    return bool(found) and not any(word.kind in OF_ORDERS for word in found)


def said_in_full(state: State, seat: Seat, sentences: Sequence[str]) -> str:
    """What sentences order that leave nothing open, in canonical form, legal or not; "" for others."""
    found = readings(state, seat, sentences, legal=False)
    return found[0] if len(found) == 1 else ""


def _is_complete(clause: Clause) -> bool:
    """Whether a clause says so much that a word more would say only how."""
    if "unknown" not in clause.kinds:
        return True
    if clause.kinds & _BOMBS:
        return len(clause.places) == 1
    return bool(clause.counts and clause.places) and not clause.kinds & _WHOLE


def _says_how(part: Sequence[Word]) -> bool:
    """Whether unknown words stand where they say only how: not where a place does that the board has not ("for Bob"),
    nor as those who act ("the rules allow"), nor behind a whole move ("2 from A to M looks bad")."""
    if not any(word.kind == "area" for word in part) or any(_acts(part, at) for at in range(len(part) - 1)):
        return not any(word.kind == "area" for word in part)
    kept = [word for word in part if word.kind not in IDLE]
    if any(word.kind in ROLES and kept[at + 1 :] and not _leads(kept[at + 1 :]) for at, word in enumerate(kept)):
        return False
    areas = [at for at, word in enumerate(kept) if word.kind == "area"]
    later = (word for word in kept[areas[0] :] if word.kind == "unknown")
    if any(word.text.endswith(table("past")) for word in later):
        return False
    counted = any(word.kind in COUNTS for word in kept)
    behind = kept[areas[-1] + 1 :] if len(areas) > 1 and counted else []
    tail = [word for word in behind if word.kind == "unknown"]
    return len(tail) <= _MOST_BEHIND and not (tail and tail[0].text.endswith(table("finite")))


def _leads(words: Sequence[Word]) -> bool:
    """Whether unknown words that stand first stand before an area: "to dreary M"."""
    return words[0].kind != "unknown" or next(
        (word.kind for word in words if word.kind not in ("unknown", "place")), ""
    ) in ("area", "slip")


def _acts(part: Sequence[Word], at: int) -> bool:
    """Whether an unknown word is right before a verb, and is neither who is moved ("2 rascals march") nor how
    ("calmly march", "after long thought march I")."""
    word, verb = part[at], part[at + 1]
    if word.kind != "unknown" or verb.kind not in _VERBS:
        return False
    moved = at > 0 and (part[at - 1].kind in COUNTS or part[at - 1].kind == "pieces")
    mine = at + 2 < len(part) and part[at + 2].text.casefold() in table("mine")
    return not (moved or mine) and not (word.text.islower() and word.text.endswith(table("adverbs")))


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
    begun = [word.kind for word in words[:2]]
    return begun == ["unknown", "label"] and words[0].text[0].isupper()
