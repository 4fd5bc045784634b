"""A sentence cut into its parts: the clauses of its orders, and remarks that stand before them or behind."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from pbem.games.ozymandia.areas import names_of
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.everyday import BETWEEN, COUNTS, IDLE, OF_ORDERS, Word, words_of
from pbem.values import NamedTuple, dataclass

_SIGNS = frozenset(",;:-‐–—−")
_LEAST = 2  # words of a remark that stands behind orders: "3 A to M, xyz" may be one

_OPPOSITE = {"origin": "target", "target": "origin"}
ROLES = {"to": "target", "from": "origin", "place": "place", "on": "place", "attack": "target", "reinforce": "target"}
"""What role a word gives the area behind it."""


class Place(NamedTuple):
    """An area that a clause names, and its role: "origin", "target", "place" or "" if nothing tells."""

    area: str
    role: str


@dataclass(frozen=True, slots=True)
class Clause:
    """What one clause says: kinds of its words, how many pieces, and where."""

    kinds: frozenset[str] = frozenset()
    counts: tuple[Word, ...] = ()
    places: tuple[Place, ...] = ()
    begins: bool = False  # with how many, before any area


@lru_cache(maxsize=64)
def words_in(board: Board, sentence: str, *, tolerant: bool = False) -> tuple[Word, ...]:
    """What `words_of` finds in a sentence, which is looked at more than once; nothing if it finds nothing."""
    return tuple(words_of(names_of(board), sentence, tolerant=tolerant) or ())


def clauses_of(words: Sequence[Word]) -> Iterator[Clause]:
    """Words cut into clauses: at commas and the like, and where a count or a bomb begins anew behind a whole move."""
    clause: list[Word] = []
    for word in words:
        anew = _begins(word) and _is_whole(clause) and (word.kind == "bomb" or clause[-1].kind not in COUNTS)
        if word.kind == "and" or anew:
            if clause:
                yield _clause(clause)
            clause = []
        if word.kind != "and":
            clause.append(word)
    if clause:
        yield _clause(clause)


def _begins(word: Word) -> bool:
    return word.kind in COUNTS or word.kind in ("bomb", "drop", "new")


def _is_whole(clause: Sequence[Word]) -> bool:
    areas = sum(word.kind == "area" for word in clause)
    return areas == 2 and any(word.kind in COUNTS for word in clause)


def _clause(words: Sequence[Word]) -> Clause:
    role, places = "", []
    for word in words:
        if word.kind == "area":
            places.append(Place(str(word.value), role))
            role = ""
        elif word.kind in ROLES:
            role = ROLES[word.kind]
    roles = [place.role for place in places]
    if len(places) == 2 and roles.count("") == 1 and (other := _OPPOSITE.get("".join(roles))):
        places = [place._replace(role=place.role or other) for place in places]
    begins = next((word.kind in COUNTS for word in words if word.kind in COUNTS or word.kind == "area"), False)
    counts = tuple(word for word in words if word.kind in COUNTS)
    return Clause(frozenset(word.kind for word in words), counts, tuple(places), begins)


def parts_of(words: Sequence[Word]) -> list[list[Word]]:
    """What stands between commas, colons and the like, and those in turn: every second part is what parts."""
    parts = [[*part] for _, part in groupby(words, lambda word: word.kind in BETWEEN)]
    return parts if not parts or parts[0][0].kind not in BETWEEN else parts[1:]


def kept_of(words: Sequence[Word]) -> list[Word]:
    """Words of a sentence without its remarks, and what says nothing."""
    parts = parts_of(words)
    begin, end = _orders(parts)
    return [word for part in parts[begin:end] for word in part if word.kind not in IDLE]


def remarks_of(words: Sequence[Word]) -> list[str]:
    """The remarks of a sentence, as they are written."""
    parts = parts_of(words)
    begin, end = _orders(parts)
    beside = [part for part in (*parts[:begin], *parts[end:]) if _is_remark(part)]
    return [" ".join(word.text for word in part) for part in beside]


def _orders(parts: Sequence[Sequence[Word]]) -> tuple[int, int]:
    """Where the parts of orders begin, and end: remarks stand before a comma or the like, or behind one at the end."""
    begin, end = 0, len(parts)
    while begin < end and (parts[begin][0].kind in BETWEEN or _is_remark(parts[begin])):
        begin += 1
    while end - 2 > begin and _is_remark(parts[end - 1]) and len(parts[end - 1]) >= _LEAST and _is_sign(parts[end - 2]):
        end -= 2
    return begin, end


def _is_sign(part: Sequence[Word]) -> bool:
    return all(word.text in _SIGNS for word in part)


def _is_remark(part: Sequence[Word]) -> bool:
    kinds = {word.kind for word in part}
    return "unknown" in kinds and not kinds & OF_ORDERS
