"""Orders on the map as people write them: stacks and their ways."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from pbem.games.base import Sentence
from pbem.games.ozz import lists, siege_phrases
from pbem.games.ozz.cursor import Cursor
from pbem.games.ozz.items import Nothing, Word, Wrong
from pbem.games.ozz.orders import Carry, Fly, Item, Move, Recruit
from pbem.games.ozz.siege_phrases import read_how, read_how_word, read_return
from pbem.games.spelling import folded
from pbem.values import dataclass

_EVERYBODY = ("all", "everybody", "everyone", "everything", "alle", "все")
_SIGNS = ("DASH", "ARROW", "COMMA", "COLON")


@dataclass(slots=True)
class _Stack:
    """Who moves: counters by name, or `rest`: all that are left in the first point, as that is said, but for some; who
    is dropped, and where that is said to be, and who is picked up."""

    at: Word
    units: list[str] = field(default_factory=list)
    rest: bool = False
    said: str = ""
    but: list[str] = field(default_factory=list)
    listed: bool = False
    drop: list[str] = field(default_factory=list)
    take: list[str] = field(default_factory=list)
    drop_at: tuple[Word, str] | None = None


@dataclass(slots=True)
class _Way:
    """Points; `begun`: the first of them is where the stack stands, as far as one can say."""

    points: list[str] = field(default_factory=list)
    begun: bool = False


def read_named(cursor: Cursor) -> Iterator[Item | Nothing]:
    """An item that begins with counters, or with where they are."""
    start = cursor.here()
    way = _read_way(cursor) if cursor.is_word("from") or _is_way(cursor) else _Way()
    cursor.sign("COLON", "COMMA") if way.points else None
    stack = _read_stack(cursor)
    colon = _colon(cursor)
    if cursor.word("fly"):
        yield _moved(cursor, stack, way, flies=True)
    elif cursor.word("move", "advance"):
        yield _moved(cursor, stack, way)
    elif _recruits_not(cursor):
        yield from (Recruit(hero, "none") for hero in stack.units)
    elif cursor.word("lead", "take"):
        stack.units += lists.counters(cursor)
        yield _moved(cursor, stack, way)
    elif cursor.word("stand"):
        yield _staying(cursor, stack, start)
    elif cursor.is_word("recruit", "return", "carry", "special", "pool", "none") or not _goes(cursor, way):
        yield from _done(cursor, stack, start, colon=colon)
    else:
        yield _moved(cursor, stack, way)


def _staying(cursor: Cursor, stack: _Stack, start: Word) -> Nothing:
    """Who stays where he is does nothing. Raises Wrong if he moves by another line, or if nobody did before."""
    cursor.word("along")
    alone = not cursor.side.moved and stack.said not in _EVERYBODY
    if alone or not cursor.side.moved.isdisjoint(stack.units):
        raise Wrong(start, Sentence("Who stays needs no line: leave it out."))
    cursor.side.staying.update(stack.units)
    return Nothing()


def _recruits_not(cursor: Cursor) -> bool:
    """`does not recruit`; what else a counter does not do is no order, and "not" is left to be seen."""
    at = cursor.at
    if cursor.word("not") and cursor.word("recruit"):
        return True
    cursor.at = at
    return False


def _goes(cursor: Cursor, way: _Way) -> bool:
    """Whether a way stands here, or was read before."""
    if cursor.type() == "COMMA" and cursor.is_word("to", "from", "via", ahead=1):
        cursor.at += 1
    signs = cursor.type() in ("ARROW", "DASH")
    return bool(way.points) or signs or cursor.is_word("to", "from", "via") or cursor.is_point()


def _done(cursor: Cursor, stack: _Stack, start: Word, *, colon: bool) -> list[Item]:
    """What else counters do than move, by the word behind them. Raises Wrong."""
    if cursor.word("recruit"):
        how = read_how(cursor)
        return [Recruit(hero, how) for hero in stack.units]
    if cursor.word("return"):
        return [read_return(cursor)]
    if cursor.word("carry"):
        cursor.word("it", "bell")
        return [Carry(lists.single(cursor, _alone(stack)))]
    how_word = read_how_word(cursor)
    if how_word and (colon or cursor.at_end or cursor.type() in ("COMMA", "DOT")):
        return [Recruit(lists.single(cursor, _alone(stack)), how_word)]
    if not cursor.at_end:
        raise cursor.unreadable()
    told = Sentence("What is to be done? `Move {units}: ...`, for example.", units=" ".join(stack.units) or "all")
    raise Wrong(start, told)


def _colon(cursor: Cursor) -> bool:
    """Passes over what may stand behind names; whether it is a colon."""
    colon = False
    while not cursor.is_word("pool"):
        if cursor.word("filler") is None:
            if not cursor.sign("COLON"):
                break
            colon = True
    return colon


def _is_way(cursor: Cursor) -> bool:
    """Whether a line begins with where it goes: `M2-M4: SOU`."""
    return _is_code(cursor) and cursor.type(1) in ("DASH", "ARROW") and cursor.is_point(2)


def _alone(stack: _Stack) -> tuple[tuple[str, ...], Word]:
    return tuple(stack.units), stack.at


def _move(cursor: Cursor) -> Iterator[Item]:
    yield _either(cursor, flies=False)


def _fly(cursor: Cursor) -> Iterator[Item]:
    yield _either(cursor, flies=True)


def _either(cursor: Cursor, *, flies: bool) -> Item:
    cursor.skip("with")
    way = _read_way(cursor) if cursor.is_word("from") or _is_way(cursor) else _Way()
    cursor.sign("COLON", "COMMA") if way.points else None
    stack = _read_stack(cursor)
    cursor.sign("COLON")
    return _moved(cursor, stack, way, flies=flies)


# Stacks


def _read_stack(cursor: Cursor) -> _Stack:
    """Who moves. Raises Wrong if nobody is named."""
    stack = _Stack(cursor.here())
    while True:
        at = cursor.at
        if stack.listed:
            cursor.listing(either=False)
        if not _read_some(cursor, stack):
            cursor.at = at
            break
        stack.listed = True
        if cursor.type() == "COMMA" and cursor.is_word("but", ahead=1):
            cursor.at += 1
        if cursor.word("but"):
            stack.but += lists.counters(cursor)
    if not stack.listed and cursor.at_end:
        raise Wrong(stack.at, Sentence("Who moves? Counters stand before the way: `Move SOU: M2-M4`, for example."))
    if not stack.listed:
        raise lists.no_counter(cursor)
    if stack.units:
        stack.units = (
            [code for code in dict.fromkeys(stack.units) if code not in stack.but] if stack.but else stack.units
        )
    if not stack.units and not stack.rest:
        raise Wrong(stack.at, Sentence("Nobody is left to move there."))
    return stack


def _read_some(cursor: Cursor, stack: _Stack) -> bool:
    """A name, everybody in its point, or everybody somewhere."""
    side = cursor.side
    if everybody := cursor.word("all"):
        at, stack.said = cursor.at, folded(everybody.value)
        if cursor.word("inside") and (point := cursor.point()):
            stack.units += _left(cursor, point)
            return True
        cursor.at = at
        if cursor.word("with"):
            stack.units += _left(cursor, side.at(lists.single(cursor, cursor.name())))
            return True
        stack.rest = True
        return True
    found = cursor.name()
    if found is None:
        return False
    if cursor.word("stack"):
        leader = lists.single(cursor, found)
        stack.units += _left(cursor, side.at(leader)) or (leader,)
    else:
        stack.units += found[0]
    return True


def _left(cursor: Cursor, point: str | None) -> tuple[str, ...]:
    """Who stands in a point and is named by no earlier move."""
    here = tuple(code for code in cursor.side.in_point(point) if code not in cursor.side.moved) if point else ()
    for code in here:
        cursor.places.setdefault(code, cursor.here())
    return here


# Ways


def _read_way(cursor: Cursor) -> _Way:
    """The points of a way, each link named: `from M2 via M4 to R1`, `to R1 by way of M4`, `M2-M4-R1`."""
    found = list[tuple[str, str]]()
    while True:
        at = cursor.at
        comma = _skip_signs(cursor)
        cursor.skip("along", "back")
        if found and cursor.is_word("drop"):
            cursor.at = at  # leaving somebody on the way
            break
        dashed = cursor.type(-1) in ("DASH", "ARROW") and cursor.type() == "WORD"
        word = next((word for word in ("from", "via", "to") if cursor.word(word)), "")
        if comma and not word and cursor.is_name() and not _is_code(cursor):
            cursor.at = at  # a comma, and a name: who moves next
            break
        point = cursor.point()
        if point is None:
            if dashed or (word and not cursor.is_name()):
                raise lists.no_point(cursor)
            cursor.at = at
            break
        if comma and not word and found and found[-1][0] == "via":
            word = "via"
        found.append((word, point))
    first = [point for word, point in found if word == "from"]
    rest = [(word, point) for word, point in found if word != "from"]
    behind = list[str]()
    while rest and rest[-1][0] == "via" and any(word != "via" for word, _ in rest):
        behind.insert(0, rest.pop()[1])
    points = [point for _, point in rest]
    return _Way([*first, *points[:-1], *behind, *points[-1:]], bool(first) or bool(found and not found[0][0]))


def _skip_signs(cursor: Cursor) -> bool:
    """Passes over signs between points; whether a comma or `and` is among them, behind which more may come."""
    comma = False
    while True:
        if cursor.type() == "COMMA" or cursor.is_word("and"):
            comma = True
        if not (cursor.sign(*_SIGNS) or cursor.word("and", "then")):
            return comma
        if cursor.is_word("then"):
            comma = False


def _is_code(cursor: Cursor) -> bool:
    token = cursor.token()
    return token is not None and token.value.upper() in cursor.side.data.points


def _moved(cursor: Cursor, stack: _Stack, way: _Way, *, flies: bool = False) -> Item:
    """The rest of a move: its way, and who is dropped and picked up."""
    more = _read_way(cursor)
    points, begun = [*way.points, *more.points], bool(way.points) or more.begun
    while True:
        at = cursor.at
        cursor.skip("and", "then")
        while cursor.sign("COMMA", "DASH"):
            cursor.skip("and", "then")
        if cursor.word("along"):
            continue
        if cursor.word("drop"):
            stack.drop += lists.counters(cursor)
            cursor.skip("along")
            stack.drop_at = _where(cursor) or stack.drop_at
        elif cursor.word("take"):
            stack.take += lists.counters(cursor)
            cursor.skip("along")
            _where(cursor)
        elif cursor.word("with") and cursor.is_name():
            stack.units += lists.counters(cursor)
        elif cursor.word("but"):
            left = lists.counters(cursor)
            stack.units = [code for code in stack.units if code not in left]
            stack.but += left
        else:
            cursor.at = at
            break
    if not points:
        points += _read_way(cursor).points
    if not points:
        raise _no_way(cursor, stack)
    return _finished(cursor, stack, _Way(points, begun), flies=flies)


def _verb_behind(cursor: Cursor) -> None:
    """Passes over the verb at the end of a German order: `SOU nach M4 bewegen`."""
    at = cursor.at
    if cursor.word("move") and not cursor.at_end and cursor.type() not in ("COMMA", "DOT"):
        cursor.at = at


def _no_way(cursor: Cursor, stack: _Stack) -> Wrong:
    if not cursor.at_end and cursor.type() == "WORD":
        return lists.no_point(cursor)
    told = Sentence("Where to? `Move {units}: ...`, point by point.", units=" ".join(stack.units) or "all")
    return Wrong(stack.at, told)


def _where(cursor: Cursor) -> tuple[Word, str] | None:
    """Where somebody is dropped or picked up."""
    at = cursor.at
    if cursor.word("inside", "at") and (point := cursor.point()):
        return cursor.places[point], point
    cursor.at = at
    return None


def _finished(cursor: Cursor, stack: _Stack, way: _Way, *, flies: bool) -> Item:
    """The move of a stack whose way and companions are read. Raises Wrong."""
    if not flies:
        _verb_behind(cursor)
    points = _whole(cursor, stack, way)
    if stack.rest:
        here = [code for code in _left(cursor, points[0]) if code not in stack.but]
        stack.units = [*dict.fromkeys([*stack.units, *here])]
        if not stack.units:
            raise Wrong(stack.at, Sentence("Nobody of yours is left in {point}.", point=points[0]))
    asked = stack.drop_at
    if asked and (len(points) < _DROP or asked[1] != points[1]):
        values = {"point": asked[1]}
        told = Sentence("A stack drops counters in the first point that it enters, and that is not {point}.", **values)
        raise Wrong(asked[0], told)
    if not cursor.side.staying.isdisjoint((*stack.units, *stack.take)):
        raise Wrong(stack.at, Sentence("Who stays needs no line: leave it out."))
    cursor.side.moved.update(stack.units, stack.take)
    if not flies:
        return Move(tuple(stack.units), tuple(points), tuple(stack.drop), tuple(stack.take))
    if stack.drop or stack.take:
        raise Wrong(stack.at, Sentence("A flight neither drops nor picks up anybody."))
    return Fly(tuple(stack.units), tuple(points))


def _whole(cursor: Cursor, stack: _Stack, way: _Way) -> list[str]:
    """A way with the point where the stack stands, which may be left out."""
    places = {cursor.side.at(code) for code in stack.units}
    if way.begun and len(way.points) > 1:
        return way.points
    if stack.rest and not stack.units:
        raise Wrong(stack.at, Sentence("All from where? `Move all: M2-M4`, with the point where they stand."))
    if len(places) > 1:
        told = Sentence("They do not stand in one point: write a line for each, with the whole way.")
        raise Wrong(stack.at, told)
    stands = places.pop()
    return [stands, *way.points] if stands and way.points[0] != stands else way.points


_DROP = 2  # points of a way, of which the second is the first that is entered


WORDS: Mapping[str, Callable[[Cursor], Iterator[Item]]] = {
    "move": _move,
    "fly": _fly,
    **siege_phrases.WORDS,
}
