"""Everyday sentences taken apart: "Two from A to AC and the rest to M", wherever count, origin and target stand.

It stands below the grammar, which answers first. Every word of a sentence has to be known (`everyday.py`): one that is
not, such as a "not" or an "if", leaves the sentence unexplained. What the clauses come to is canonical text, every way
that they can be put together; only those are kept that are legal orders, read as any other text is.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import islice, product

from pbem.games.base import Seat
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.everyday import COUNTS, Word
from pbem.games.ozymandia.interpret import interpret
from pbem.games.ozymandia.items import read_canonical
from pbem.games.ozymandia.parts import ROLES, Clause, Place, clauses_of, kept_of, words_in
from pbem.games.ozymandia.state import State
from pbem.values import NamedTuple, dataclass

_MOST_CLAUSES, _MOST_WAYS = 12, 64
APART = frozenset(("bomb", "drop", "new", "pass", "no_move", "no_bomb", "stay"))  # clauses that are no move


class _Move(NamedTuple):
    """A move of which origin or target may be left open, "" then; `count` is as it was said."""

    pieces: Word
    origin: str
    target: str


@dataclass(slots=True)
class _Said:
    """All that the clauses of a letter say."""

    moves: list[tuple[_Move, ...]] = field(default_factory=list)  # the ways to understand each
    new: list[str] = field(default_factory=list)
    bombs: list[str] = field(default_factory=list)
    stays: list[tuple[Word, str]] = field(default_factory=list)  # so many, where; "" where the moves begin
    passes: bool = False
    still: bool = False  # nobody moves
    bombless: bool = False


class _Unclear(Exception):  # noqa: N818 - never leaves the module
    """A clause that says too little, or too much."""


def explains(state: State, sentence: str) -> bool:
    """Whether every word of a sentence is known, and it says something of orders."""
    found = words_in(state.board, sentence)
    if not found or found[-1].kind in (*ROLES, "and"):  # more was to come
        return False
    return any(word.kind in ("area", "pass", "no_move", "no_bomb", "stay") for word in found)


def readings(state: State, seat: Seat, sentences: Sequence[str], *, legal: bool = True) -> tuple[str, ...]:
    """The orders, in canonical form, that sentences can mean which are explained, or nearly, if need be illegal ones;
    none if they say too little."""
    try:
        said = _said([clause for one in sentences for clause in _clauses_nearly(state.board, one)])
    except _Unclear:
        return ()
    found: dict[str, None] = {}
    for moves in islice(product(*said.moves), _MOST_WAYS):
        text = _canonical(state, seat, said, moves)
        if text and (orders := _legal(state, seat, text) if legal else text):
            found[orders] = None
    return tuple(found)


# Clauses


def _clauses_nearly(board: Board, sentence: str) -> Iterator[Clause]:
    """The clauses of a sentence that is explained, or nearly: then without its remarks."""
    return clauses_of(words_in(board, sentence) or kept_of(words_in(board, sentence, tolerant=True)))


def _said(clauses: Sequence[Clause]) -> _Said:
    """What clauses say together. Raises _Unclear."""
    said, last = _Said(), ""
    joined = list(_joined(clauses))
    heads = [one for one in joined if _is_heading(one)]
    rest = [one for one in joined if one not in heads]
    if not 0 < len(rest) <= _MOST_CLAUSES or len(heads) > 1 or (heads and any(map(_has_origin, rest))):
        raise _Unclear
    areas = [[place for place in one.places if "bomb" not in one.kinds and "new" not in one.kinds] for one in joined]
    shared = [place for places in areas for place in places]
    for one in rest:
        if "pass" in one.kinds:
            said.passes = True
            if one.places or one.counts:
                raise _Unclear
        elif "no_move" in one.kinds or "stay" in one.kinds or (last == "stay" and _lacks_target(one)):
            _stays(said, one)
            last = "stay"
        elif "no_bomb" in one.kinds:
            said.bombless = True
        elif (
            "bomb" in one.kinds
            or ("drop" in one.kinds and not _has_origin(one))
            or (last == "bomb" and not one.counts and _is_list(one))
        ):
            said.bombs += _bombed(one)
            last = "bomb"
        elif "new" in one.kinds or _reinforces(one) or (last == "new" and _is_list(one)):
            said.new += _placed(one)
            last = "new"
        else:
            said.moves.append(_ways(one, shared))
            last = "move"
    return said


def _stays(said: _Said, clause: Clause) -> None:
    """What a clause says of pieces that stay: all of them, or so many. Raises _Unclear."""
    counts = clause.counts or ((Word("all", "", ""),) if clause.kinds & {"no_move", "pieces"} else ())
    if len(counts) != 1 or clause.kinds & {"attack", "bomb", "drop", "new", "reinforce"} or len(clause.places) > 1:
        raise _Unclear
    if counts[0].kind == "all" and not clause.places:
        said.still = True
    else:
        said.stays.append((counts[0], clause.places[0].area if clause.places else ""))


def _reinforces(clause: Clause) -> bool:
    """Whether "reinforce" means new pieces; those that come from somewhere are moved."""
    return "reinforce" in clause.kinds and "from" not in clause.kinds


def _is_list(clause: Clause) -> bool:
    """Whether a clause is mere areas, which go on with what was before."""
    return (
        bool(clause.places)
        and not clause.counts
        and not clause.kinds & {"to", "from", "move", "attack", "them", "stay"}
    )


def _is_heading(clause: Clause) -> bool:
    """Whether a clause only says from where the next ones go: "From A: ..."."""
    if clause.kinds & {*APART, "attack"} or clause.counts or len(clause.places) != 1:
        return False
    role = clause.places[0].role
    return role in ("origin", "place") or (role == "" and clause.kinds <= {"area", "move"})  # Mu splits up: ...


def _has_origin(clause: Clause) -> bool:
    """Whether a move says itself from where it goes."""
    return bool(clause.counts) and len(clause.places) > 1


def _joined(clauses: Sequence[Clause]) -> Iterator[Clause]:
    """Clauses with those that go on with the one before: "take 2 from W and move them to U", "all from A and W"."""
    waiting: list[Clause] = []
    for one in (part for clause in clauses for part in _apart(clause)):
        if not one.places and not one.counts and not one.kinds & {"pass", "no_move", "no_bomb", "stay"}:
            raise _Unclear
        if "them" in one.kinds:
            waiting.append(one if one.counts else _with(_last(waiting), one))
        elif _gathers(waiting, one):
            waiting = [_with(before, replace(one, counts=())) for before in waiting]
        elif one.counts and not one.places and waiting and waiting[-1].places and not waiting[-1].counts:
            waiting.append(replace(waiting.pop(), counts=one.counts))  # "A to M, 2 pieces", "those in A, all 3, to M"
        elif waiting and _goes_on(waiting[-1], one):
            waiting.append(_with(waiting.pop(), one))
        elif _shares_count(waiting[-1:], one):
            waiting.append(_sharing(waiting[-1], one))
        else:
            if "each" in one.kinds and waiting and _is_heading(waiting[-1]):  # from A and W one each to M
                waiting[-1] = replace(waiting[-1], counts=one.counts)
            waiting.append(one)
    yield from waiting


def _last(waiting: list[Clause]) -> Clause:
    """The clause that "them" is about, taken out. Raises _Unclear."""
    if not waiting:
        raise _Unclear
    return waiting.pop()


def _with(before: Clause, after: Clause) -> Clause:
    if after.counts or "bomb" in before.kinds | after.kinds:
        raise _Unclear
    places = tuple(place._replace(role=place.role or "target") for place in after.places)
    return Clause(before.kinds | after.kinds, before.counts, before.places + places)


def _apart(clause: Clause) -> tuple[Clause, ...]:
    """A clause in two if it gathers those before it and its own: "3 A and 2 W both to M"."""
    if [count.kind for count in clause.counts] != ["number", "both"] or len(clause.places) != 2:
        return (clause,)
    (count, both), (start, goal) = clause.counts, clause.places
    if start.role not in ("origin", "place", "") or goal.role != "target" or clause.kinds & APART:
        return (clause,)
    origin = replace(clause, counts=(count,), places=(start._replace(role="origin"),))
    return origin, replace(clause, counts=(both,), places=(goal,))


def _gathers(before: Sequence[Clause], one: Clause) -> bool:
    """Whether a clause says where the pieces of all before it go: "1 from A and 2 from W, both to M"."""
    counts = [count.kind for count in one.counts]
    if counts not in (["both"], ["all"]) or one.kinds & APART or [place.role for place in one.places] != ["target"]:
        return False
    pieces = [count.value for clause in before for count in clause.counts if _lacks_target(clause, bare=True)]
    whole = 0 < len(pieces) == len(before) and "" not in pieces
    return whole and (counts == ["all"] or len(pieces) == 2 or sum(map(int, pieces)) == 2)


def _lacks_target(clause: Clause, *, bare: bool = False) -> bool:
    """Whether a clause says how many, and from where, and no more; that it is "from" may be left out of a bare one."""
    roles = [place.role for place in clause.places]
    starts = (["origin"], ["place"], [""]) if bare else (["origin"], ["place"])
    return len(clause.counts) == 1 and roles in starts and not clause.kinds & APART


def _goes_on(before: Clause, one: Clause) -> bool:
    """Whether a clause says where the pieces of the one before go: "all of them in A, off to M", "two pieces, A to
    M"."""
    if before.kinds & APART or one.kinds & APART or one.counts or not before.counts:
        return False
    if not before.places:
        return len(one.places) > 1 and before.kinds <= COUNTS | {"pieces", "move", "label"}
    if len(before.places) != 1 or len(one.places) != 1:
        return False
    return before.places[0].role in ("origin", "place") and one.places[0].role == "target"


def _sharing(before: Clause, one: Clause) -> Clause:
    """A clause with the count of the one before, and the role of its area: "all from A and W to M", "one each to A and
    W"."""
    first, *others = one.places
    if not first.role and before.places:
        first = first._replace(role=before.places[0 if others else -1].role)
    return replace(one, counts=before.counts, kinds=one.kinds | before.kinds, places=(first, *others))


def _shares_count(before: Sequence[Clause], one: Clause) -> bool:
    """Whether the count of a clause holds for the next, too: all, or so many each."""
    if not before or one.counts or not one.places or one.kinds & APART:
        return False
    said = before[0]
    each = "each" in said.kinds or (len(said.counts) == 1 and said.counts[0].kind == "all")
    whole = any(place.role == "target" for place in said.places)
    return each and not said.kinds & APART and (not whole or "each" in said.kinds)


def _bombed(clause: Clause) -> list[str]:
    """The area to bombard. Raises _Unclear."""
    counted = [count.value for count in clause.counts]
    if counted not in ([], [1]) or len(clause.places) != 1 or clause.places[0].role == "origin":
        raise _Unclear
    if "bomb" not in clause.kinds and not (counted and "on" in clause.kinds):
        raise _Unclear
    return [clause.places[0].area]


def _placed(clause: Clause) -> list[str]:
    """The areas of new pieces. Raises _Unclear."""
    counted = [count.value for count in clause.counts]
    if counted not in ([], [len(clause.places)]) or not clause.places or "from" in clause.kinds:
        raise _Unclear
    return [place.area for place in clause.places]


def _ways(clause: Clause, shared: Sequence[Place]) -> tuple[_Move, ...]:
    """The moves that a clause can mean; an origin or target that it lacks may be any that the letter names. Raises
    _Unclear."""
    said = _count(clause)
    counts = [said, said._replace(kind="larger_half")] if said.kind == "half" else [said]
    found = []
    for count, (origin, target) in product(counts, _roles(clause)):
        origins = [origin] if origin else [one.area for one in shared if one.role != "target"]
        targets = [target] if target else [one.area for one in shared if one.role in ("target", "place")]
        found += [_Move(count, start, goal) for start in origins for goal in targets if start != goal]
    if not found:
        raise _Unclear
    return tuple(dict.fromkeys(found))


def _count(clause: Clause) -> Word:
    """How many pieces a clause moves. Raises _Unclear."""
    counts = list({(count.kind, count.value): count for count in clause.counts}.values())
    kinds = [count.kind for count in counts]
    if kinds in (["all", "number"], ["number", "all"]):
        counts.sort(key=lambda word: word.kind)
        return counts[1]._replace(kind="all_of")
    if kinds == ["rest", "number"]:  # "the other two"
        return counts[1]._replace(kind="rest_of")
    if kinds == ["all_but", "number"]:
        return counts[1]._replace(kind="all_but")
    if len(counts) != 1 or kinds[0] == "all_but":
        raise _Unclear
    return counts[0]


def _roles(clause: Clause) -> list[tuple[str, str]]:
    """Origin and target in every way that the words leave open, "" where a clause has none. Raises _Unclear."""
    places = clause.places
    if len(places) == 1:
        (area, role) = places[0]
        if role == "":
            return [(area, "")]
        return [("", area)] if role == "target" else [(area, "")]
    if len(places) != 2:
        raise _Unclear
    first, second = places
    if first.role == second.role == "" and clause.begins and "each" not in clause.kinds:  # 2 A M
        return [(first.area, second.area)]
    if "target" in (first.role, second.role) and first.role != second.role:
        return [(second.area, first.area) if first.role == "target" else (first.area, second.area)]
    does = clause.kinds & {"move", "attack", "drop", "unknown"}
    if does and (first.role, second.role) in (("", "place"), ("place", "place")):  # all of W meet in M
        return [(first.area, second.area)]
    if "origin" in (first.role, second.role) and {first.role, second.role} & {"place", ""}:
        return [(first.area, second.area) if first.role == "origin" else (second.area, first.area)]
    raise _Unclear


# Orders


def _canonical(state: State, seat: Seat, said: _Said, moves: Sequence[_Move]) -> str | None:
    """What was said in canonical form; None if its parts do not agree."""
    ways = [(move.origin, move.target) for move in moves]
    if len(set(ways)) < len(ways) or len(said.bombs) > 1 or (said.bombless and said.bombs):
        return None
    if (said.passes and (moves or said.bombs or said.new)) or (said.still and moves):
        return None
    there = _there(state, seat, said.new)
    if not all(_agrees(stay, moves, there) for stay in said.stays):
        return None
    numbers = [_number(move, moves, there, said.stays) for move in moves]
    if None in numbers:
        return None
    texts = [f"New {area}" for area in said.new]
    texts += [f"{number} {origin} to {target}" for number, (origin, target) in zip(numbers, ways, strict=True)]
    texts += [f"Bomb {area}" for area in said.bombs]
    return ", ".join(texts) or ("Pass" if said.passes or said.still else None)


def _there(state: State, seat: Seat, new: Sequence[str]) -> dict[str, int]:
    """The pieces by area that can move, new ones among them (§2.2)."""
    there = dict(state.pieces[seat])
    for city in state.held_cities(seat):
        area = next((one for one in new if one[0] == city[0]), city)
        there[area] = there.get(area, 0) + 1
    return there


def _agrees(stay: tuple[Word, str], moves: Sequence[_Move], there: Mapping[str, int]) -> bool:
    """Whether so many stay as was said."""
    count, area = stay
    if not area and len({move.origin for move in moves}) != 1:
        return count.kind == "rest"
    area = area or moves[0].origin
    numbers = [_number(move, moves, there, [stay]) for move in moves if move.origin == area]
    left = there.get(area, 0) - sum(number or 0 for number in numbers)
    return left == count.value if count.kind == "number" else left > 0 and (count.kind == "rest" or not numbers)


def _number(
    move: _Move, moves: Sequence[_Move], there: Mapping[str, int], stays: Sequence[tuple[Word, str]]
) -> int | None:
    """How many pieces a move takes; None if what was said does not agree with those that are there, or stay."""
    count, most = move.pieces, there.get(move.origin, 0)
    said = int(count.value) if count.value != "" else 0
    others = [one for one in moves if one.origin == move.origin and one is not move]
    match count.kind:
        case "number":
            return said
        case "all":
            return None if others else most or None
        case "half" | "larger_half":
            return (most + (count.kind != "half")) // 2 or None if not others else None
        case "all_of" | "both":
            return said or 2 if most in (said or 2, 0) and not others else None  # of none there it tells how many
        case "rest_of":
            return said if others else None
        case "all_but":
            return most - said if most > said and not others else None
    if stays and {one.origin for one in moves} | {area for _, area in stays} != {move.origin}:  # of which?
        return None
    said_of = [one.pieces for one in others] + [count for count, _ in stays]
    taken = [int(one.value) for one in said_of if one.kind == "number"]
    left = most - sum(taken)
    return left if len(taken) == len(said_of) > 0 and left > 0 else None


def _legal(state: State, seat: Seat, text: str) -> str | None:
    items = read_canonical(text)
    meant = interpret(state, seat, items) if items else None
    return str(meant.orders) if meant and not meant.mistakes else None
