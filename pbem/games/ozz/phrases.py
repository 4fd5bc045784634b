"""Lines read by the names in them: what people write around orders (ozz §14, Tolerance).

What has one meaning is read; where there is doubt a line is Wrong, if possible with what it probably means.
"""

from collections.abc import Callable, Iterator, Mapping

from pbem.games.base import Sentence
from pbem.games.ozz import board_phrases, lists, map_phrases
from pbem.games.ozz.canonical import read_item
from pbem.games.ozz.cursor import Cursor, words_of
from pbem.games.ozz.items import Forget, Line, Nothing, Said, Token, Word, Wrong
from pbem.games.ozz.legality import codes_of
from pbem.games.ozz.lexicon import lexicon
from pbem.games.ozz.names import LONGEST
from pbem.games.ozz.orders import Carry, Item, Losses, Retreat, RetreatTo
from pbem.games.ozz.sayings import at_point, saying
from pbem.games.ozz.sides import Side
from pbem.games.spelling import folded

Found = Said | Wrong


def read_line(side: Side, line: Line) -> Iterator[Found]:
    """What a line says, one item after the other. Behind a mistake it goes on where another item begins."""
    if (written := read_item(_canonical(line))) and (said := _as_written(side, line, written)):
        yield said
        return
    try:
        for sentence in sentences(line.tokens):
            cursor = Cursor(sentence, side)
            if not is_remark(cursor) and not cursor.is_news():
                yield from _items(cursor)
    except Wrong as wrong:
        yield wrong


def sentences(tokens: tuple[Token, ...]) -> Iterator[tuple[Token, ...]]:
    """A line taken apart at its full stops; that behind a single digit is none: 1. Winkies."""
    start = 0
    for at, token in enumerate(tokens):
        if token.type == "DOT" and not (at and at + 1 < len(tokens) and _is_digit(tokens[at - 1])):
            if at > start:
                yield tokens[start:at]
            start = at + 1
    if start < len(tokens):
        yield tokens[start:]


def _is_digit(token: Token) -> bool:
    return token.value.isdigit() and len(token.value) == 1


def is_remark(cursor: Cursor) -> bool:
    """Whether a sentence has nothing of orders in it: thanks, wishes, signs. Who speaks to the others may name
    points."""
    said = frozenset[str]().union(*cursor.kinds)
    if cursor.side.battle and not said.isdisjoint(("us", "them")) and not said.isdisjoint(("first", "second")):
        return False
    return not any(
        token.value == "?" or (token.type == "WORD" and _tells(cursor, token.value, kinds, points="you" not in said))
        for token, kinds in zip(cursor.tokens, cursor.kinds, strict=True)
    )


def _tells(cursor: Cursor, text: str, kinds: frozenset[str], *, points: bool) -> bool:
    """Whether a word may be of orders: of their grammar, a name, a spell, a number."""
    said = folded(text)
    if not kinds.isdisjoint(_TELLING) or any(map(str.isdigit, said)) or said in lexicon().spells:
        return True
    if points and cursor.names.find_points(text):
        return True
    meant = cursor.names.find(text)
    return bool(meant.whole or meant.less) and said not in ENGLISH


def _items(cursor: Cursor) -> Iterator[Found]:
    """The items of a sentence."""
    _skip_head(cursor)
    _between(cursor)
    while not cursor.at_end:
        begun, cursor.places = cursor.here(), {}
        try:
            found = read_one(cursor)
            if not ends(cursor):
                raise cursor.unreadable()
            for item in found:
                yield Said(item, begun, dict(cursor.places))
        except Wrong as wrong:
            yield wrong.with_traceback(None)
            _to_next(cursor)
        _between(cursor)


def _canonical(line: Line) -> str:
    """A line as canonical orders have their signs, whatever blanks stand in it."""
    text = ""
    for token in line.tokens:
        if token.type == "WORD" and text and text[-1] != "-":
            text += " "
        text += token.value
    return text


def _as_written(side: Side, line: Line, item: Item) -> Said | None:
    """A canonical item, if all its codes are known."""
    counters, points, _ = codes_of(item)
    if not side.data.counters.keys() >= set(counters) or not side.data.points.keys() >= set(points):
        return None
    if not side.staying.isdisjoint((*getattr(item, "units", ()), *getattr(item, "take", ()))):
        return None  # it is said to be wrong
    side.moved.update(getattr(item, "units", ()), getattr(item, "take", ()))
    places = {token.value: Word(token.value, token.start_pos) for token in line.tokens}
    return Said(item, Word(line.tokens[0].value, line.tokens[0].start_pos), places)


def _skip_head(cursor: Cursor) -> None:
    """Passes over a greeting, and the number of a list: `1. Move ...`, but not `1. Winkies`."""
    if cursor.is_word("greeting") and "COMMA" in (cursor.type(1), cursor.type(2), cursor.type(3)):
        while not cursor.sign("COMMA"):
            cursor.at += 1
    if cursor.type(1) == "DOT" and _is_digit(cursor.tokens[0]) and not (cursor.is_name() and not cursor.is_name(2)):
        cursor.at += 2


def _between(cursor: Cursor) -> None:
    """What stands between two items."""
    while cursor.sign("COMMA", "DOT", "COLON", "PLUS", "DASH") or _is_filler(cursor):
        pass


def _is_filler(cursor: Cursor) -> bool:
    at = cursor.at
    if casts(cursor):
        return False
    if cursor.word("polite") and (cursor.at_end or cursor.type() in ("COMMA", "DOT", "WORD")):
        return True
    cursor.at = at
    if cursor.is_word("let", "first") or cursor.is_name():
        return False
    if cursor.is_word("us", "them") and cursor.is_word("first", "second", ahead=1):
        return False
    return cursor.word("filler", "then", "and") is not None


def casts(cursor: Cursor) -> bool:
    """Whether good wishes are a spell on somebody: `Good luck on SOU`."""
    if cursor.side.battle is None or not cursor.is_word("polite") or not lists.is_spell(cursor):
        return False
    at, places = cursor.at, dict(cursor.places)
    lists.spell(cursor)
    found = cursor.word("on") is not None
    cursor.skip("the")
    found = found and cursor.is_name()
    cursor.at, cursor.places = at, places
    return found


def _to_next(cursor: Cursor) -> None:
    """To where the next item begins: an order word behind a comma."""
    cursor.at += 1
    while not cursor.at_end and not (cursor.type(-1) == "COMMA" and _begins_item(cursor)):
        cursor.at += 1


def ends(cursor: Cursor) -> bool:
    """Whether an item may end here."""
    start = cursor.at
    while cursor.word("polite"):
        pass
    if cursor.at_end:
        return True
    if cursor.at > start:
        return cursor.type() in ("COMMA", "DOT")
    if cursor.sign("DOT"):
        return True
    found = cursor.sign("COMMA", "PLUS", "DASH")
    found = cursor.word("and", "then", "polite") is not None or found
    found = found and (cursor.at_end or _begins_item(cursor))
    cursor.at = start
    return found


def _begins_item(cursor: Cursor) -> bool:
    return (
        cursor.is_word(*STARTS, "all", "not", "never", "always", "let", "from", "polite")
        or cursor.is_name()
        or lists.is_spell(cursor)
    )


def read_one(cursor: Cursor) -> list[Item | Nothing | Forget]:
    """An item; of some lines several at once. Raises Wrong."""
    if (item := saying(cursor)) is not None:
        return [item]
    here = cursor.words()
    for name, read in _WORDS.items() if not here.isdisjoint(_WORDS) else ():
        at = cursor.at
        if name in here and cursor.word(name):
            if name in _DOUBTFUL and not _DOUBTFUL[name](cursor):
                cursor.at = at
                continue
            cursor.sign("COLON", "DASH")
            return [*read(cursor)]
    if cursor.side.battle:
        return [*board_phrases.read_named(cursor)]
    return [*map_phrases.read_named(cursor)]


# Words of both phases

_WHEN = Sentence("When? `Retreat never`, `Retreat always` or `Retreat below 3`, for example.")


def _retreat(cursor: Cursor) -> Iterator[Item]:
    start = cursor.here()
    if cursor.word("to"):
        yield RetreatTo(tuple(lists.points(cursor)))
        return
    found: list[int | None] = []
    at, number = None, None
    while not ends(cursor):
        if point := at_point(cursor):
            at = point
        elif number is not None and cursor.word("orfewer"):
            found.append(number + 1)
            number = None
        elif _reads_when(cursor, found) or (not cursor.is_word("more") and _passes(cursor)):
            continue
        elif number is not None or (number := cursor.number()) is None:
            raise cursor.unreadable()
    if number is not None:
        instead = Retreat(number + 1, at)
        told = Sentence("When {number} or fewer are left? Then write `{line}`.", number=number, line=str(instead))
        raise Wrong(start, told, instead)
    if len(found) != 1:
        raise Wrong(start, _WHEN)
    yield Retreat(found[0], at)


def _reads_when(cursor: Cursor, found: list[int | None]) -> bool:
    """`never`, `always`, `below 3`: adds what it reads."""
    if cursor.word("below"):
        cursor.skip("remain")
        if (least := cursor.number()) is None:
            raise Wrong(cursor.here(), Sentence("Below how many units? `Retreat below 3`, for example."))
        found.append(least)
    elif cursor.word("never"):
        found.append(0)
    elif cursor.word("always"):
        found.append(None)
    else:
        return False
    return True


def _passes(cursor: Cursor) -> bool:
    """Passes over what may stand around the number of `Retreat`."""
    return bool(cursor.word("when", "remain") or cursor.sign("COMMA"))


def _fallback(cursor: Cursor) -> Iterator[Item]:
    if not cursor.word("to"):
        raise cursor.unreadable()
    yield RetreatTo(tuple(lists.points(cursor)))


def _losses(cursor: Cursor) -> Iterator[Item]:
    yield Losses(tuple(lists.counters(cursor, ends=True)))


def _carry(cursor: Cursor) -> Iterator[Item]:
    cursor.word("it")
    cursor.word("with")
    cursor.sign("COLON")
    yield Carry(lists.single(cursor, cursor.name()))


_WORDS: Mapping[str, Callable[[Cursor], Iterator[Item]]] = {
    "retreat": _retreat,
    "fallback": _fallback,
    "losses": _losses,
    "carry": _carry,
    **map_phrases.WORDS,
    **board_phrases.WORDS,
}
STARTS = (*_WORDS, "pass", "standing")
"""The words with which items begin."""
_TELLING = frozenset(STARTS) | {
    *("drop", "take", "attack", "fire", "charge", "coordinate", "alone", "change", "advance", "stand", "back"),
    *("if", "not", "but", "all", "never", "always"),
}
ENGLISH = frozenset(("may", "are", "for", "her", "she"))
"""Codes of counters that are English words, too."""


def _is_guarding(cursor: Cursor) -> bool:
    at, places = cursor.at, cursor.places
    cursor.sign("COLON")
    cursor.skip("inside")
    found = cursor.space() is not None or cursor.is_word("l_side", "r_side", "the", "flank")
    cursor.at, cursor.places = at, places
    return found


_DOUBTFUL: Mapping[str, Callable[[Cursor], bool]] = {
    "guard": _is_guarding,
    "carry": lambda cursor: cursor.type() == "COLON" or cursor.is_name() or cursor.is_word("it", "with"),
}
"""Words that begin an item only before something of theirs."""


def read_letter(side: Side, lines: list[Line]) -> Iterator[Found]:
    """All that a letter says: a line that begins with the word of a clause goes on with the line before."""
    joined: list[tuple[Token, ...]] = []
    for line in lines:
        if joined and _begins_clause(side, line):
            joined[-1] += line.tokens
        else:
            joined.append(line.tokens)
    for tokens in joined:
        found = _standing(side, tokens) or list(read_line(side, Line(tokens)))
        here = Word(tokens[0].value, tokens[0].start_pos)
        yield from found or [Wrong(here, Sentence('"{text}" cannot be read here.', text=here.value))]


def _begins_clause(side: Side, line: Line) -> bool:
    clauses = _CLAUSES_OF_ORDERS if side.battle else _CLAUSES_OF_MOVES
    first = line.tokens[0]
    if first.type != "WORD" or words_of(first.value).isdisjoint(clauses):
        return False
    return not Cursor(line.tokens[:LONGEST], side).is_name()


_CLAUSES_OF_MOVES = frozenset(("drop", "take"))
_CLAUSES_OF_ORDERS = frozenset(("attack", "charge", "coordinate", "alone", "leave", "change"))


def _standing(side: Side, tokens: tuple[Token, ...]) -> list[Found] | None:
    """Standing orders, if a line begins so."""
    if tokens[0].type == "WORD" and len(tokens) > 1 and "polite" in words_of(tokens[0].value):
        tokens = tokens[1:]
    if tokens[0].type != "WORD" or "standing" not in words_of(tokens[0].value):
        return None
    cursor = Cursor(tokens, side)
    start = cursor.here()
    cursor.word("standing")
    cursor.sign("COLON", "DASH")
    if cursor.word("none") and ends(cursor):
        return [Said(Forget(), start, {}, standing=True)]
    rest = Line(tokens[cursor.at :])
    if not rest.tokens:
        return [Wrong(start, Sentence("What is to stand? `Standing Retreat below 3` or `Standing none`, for example."))]
    found = read_line(side, rest)
    return [one._replace(standing=True) if isinstance(one, Said) else one for one in found]


def is_readable(side: Side, line: Line) -> bool:
    """Whether a line says all that it needs to."""
    return all(isinstance(found, Said) for found in read_letter(side, [line]))
