"""Lines of a letter that are meant as orders, and lines that are prose: `John, well played` orders nothing.

A line is an attempt if it begins with an order word, a counter, `all` or `everybody`, and holds besides what orders are
about (ozz §14, Tolerance).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from pbem.games.ozz import lists
from pbem.games.ozz.cursor import Cursor, words_of
from pbem.games.ozz.items import Line, Token, Wrong
from pbem.games.ozz.lexicon import lexicon
from pbem.games.ozz.names import NOBODY, names_of
from pbem.games.ozz.phrases import ENGLISH, STARTS, casts, sentences
from pbem.games.ozz.sides import Side
from pbem.games.ozz.state import State
from pbem.games.ozz.wording import CALLED
from pbem.games.spelling import folded
from pbem.patterns import compiled
from pbem.values import NamedTuple

_CLAUSES = ("drop", "take", "attack", "fire", "charge", "coordinate", "alone", "leave", "change")
_VERBS = frozenset((*STARTS, *_CLAUSES, "advance", "stand", "back", "fallback", "offer", "accept"))
_GRAMMAR = frozenset(
    (*_VERBS, "always", "never", "pool", "special", "none", "first", "second", "below", "off", "skeletons", "others")
    + ("batteries", "flyers", "melee", "to", "from", "via", "yes")
)
_WEAK = frozenset(
    ("to", "from", "via", "first", "second", "none", "pool", "special", "never", "always", "off", "yes", "others")
)
_ALONE = frozenset(("ring", "pass", "alone", "charge", "leave", "coordinate"))
_NEGATIONS = ("not", "never", "always", "none", "let")
_NAME = 4  # letters of a word that stands for a name
_FEW = 40  # words that are looked at


def is_attempt(state: State, items: Sequence[Any]) -> bool:
    """Whether a line of a letter is meant as orders; `items` are what could be read of it."""
    return any(
        not isinstance(item, Line) or any(_is_attempt(state, one) for one in sentences(item.tokens)) for item in items
    )


def _is_attempt(state: State, tokens: tuple[Token, ...]) -> bool:
    try:
        cursor = Cursor(tokens[:_FEW], Side(state, None))
    except Wrong:
        return True
    if cursor.is_news():
        return False
    _skip_leading(cursor)
    if cursor.at_end:
        return False
    named = _is_named(cursor)
    if cursor.is_word(*_NEGATIONS) and not named and not (cursor.is_word("pass") and _is_short(cursor)):
        return _is_negated(cursor)
    if cursor.is_word(*STARTS, *_CLAUSES, "fallback", "offer", "accept"):
        if _is_shout(cursor):
            return False
        return _is_short(cursor) or (cursor.size - cursor.at > 1 and _holds(cursor, 1, weak=True))
    if named:
        return _goes_on(cursor) and _holds(cursor, named, weak=True)
    return _begins_otherwise(cursor)


def _is_negated(cursor: Cursor) -> bool:
    """Whether it is an order that is denied: `Don't retreat`, `No one shoots at flyers`."""
    cursor.word(*_NEGATIONS)
    cursor.skip("not")
    cursor.at -= 1  # what is behind is looked at
    if cursor.side.battle and says_who_is_first(cursor):
        return True
    return _holds(cursor, 1, weak=False) and cursor.is_word(*STARTS, "them", "us", ahead=1)


def says_who_is_first(cursor: Cursor) -> bool:
    """Whether a nation and `first` or `second` follow: `Let the Munchkins go first`."""
    rest = cursor.tokens[cursor.at : cursor.at + _FEW]
    words = frozenset[str]().union(*cursor.kinds[cursor.at :])
    return not words.isdisjoint(("first", "second")) and any(folded(token.value) in CALLED for token in rest)


def _begins_otherwise(cursor: Cursor) -> bool:
    """Whether a line is meant as orders that begins with none of their words, and no counter."""
    if cursor.is_word("all", "from", "bell"):
        return _holds(cursor, 1, weak=cursor.is_word("all"))
    if lists.is_spell(cursor) or cursor.is_word("first") or cursor.space() is not None:
        return _has_counter(cursor)
    if not cursor.at_end and cursor.type(1) in ("DASH", "ARROW") and cursor.is_point():
        return cursor.is_point(2) and (_has_counter(cursor) or cursor.is_word("all", ahead=cursor.size - cursor.at - 1))
    return bool(cursor.word("us", "them")) and _is_place(cursor)


def _is_place(cursor: Cursor) -> bool:
    cursor.skip("can", "filler", "to")
    return cursor.is_word("first", "second")


def _is_shout(cursor: Cursor) -> bool:
    """`Go Munchkins!`: a verb and a nation."""
    last = cursor.token(1)
    return cursor.size - cursor.at == len(("go", "nation")) and last is not None and folded(last.value) in CALLED


def _is_short(cursor: Cursor) -> bool:
    """Whether a line says all with its first words: `Ring`, `ring it`, `Pass this turn`."""
    rest = cursor.size - cursor.at
    if cursor.is_word("pass"):
        return rest <= _longest(cursor)
    short = rest == 1 or (rest == len(("ring", "it")) and cursor.is_word("ring"))
    return short and not cursor.kinds[cursor.at].isdisjoint(_ALONE)


def _longest(cursor: Cursor) -> int:
    at = cursor.at
    word = cursor.word("pass")
    cursor.at = at
    return len(word.value.split()) if word else 0


def _skip_leading(cursor: Cursor) -> None:
    """Politeness, fillers, greetings and the number of a list before an item."""
    if cursor.is_word("greeting") and "COMMA" in (cursor.type(1), cursor.type(2), cursor.type(3)):
        while not cursor.sign("COMMA"):
            cursor.at += 1
    if cursor.type(1) == "DOT" and cursor.tokens[0].value.isdigit() and not _is_named(cursor):
        cursor.at += 2
    while not cursor.at_end:
        if cursor.sign("COMMA", "DOT", "COLON", "PLUS", "DASH", "OTHER"):
            continue
        if cursor.is_word("let", "all") or casts(cursor) or _is_named(cursor):  # `the rest` is no filler before a name
            return
        if cursor.is_word("us", "them") and cursor.is_word("first", "second", ahead=1):
            return
        if not cursor.word("polite", "filler", "then", "and", "the"):
            return


def _is_named(cursor: Cursor) -> int:
    """How many words the counter here has."""
    at = cursor.at
    try:
        found = cursor.name()
        count = cursor.at - at if found else 0
    except Wrong:
        count = 1
    cursor.at = at
    return count


def _goes_on(cursor: Cursor) -> bool:
    """Whether a name that is an English word too is meant as a name: `May I ...`, `Are you ...` are not."""
    token = cursor.token()
    if token is None or folded(token.value) not in ENGLISH or token.value.isupper():
        return True
    return cursor.type(1) != "WORD" or _is_grammar(cursor, 1)


def _is_grammar(cursor: Cursor, ahead: int) -> bool:
    at = cursor.at
    cursor.at += ahead
    token = cursor.token()
    found = not cursor.kinds[cursor.at].isdisjoint(_GRAMMAR | {"stack", "all", "but"}) or (
        token is not None and (token.value.upper() in cursor.side.data.counters or cursor.point() is not None)
    )
    cursor.at = at
    return found


def _holds(cursor: Cursor, ahead: int, *, weak: bool) -> bool:
    """Whether behind the first words stands a counter, point, space, spell, number or word of the grammar."""
    start = cursor.at
    words = _GRAMMAR if weak else _GRAMMAR - _WEAK
    found = False
    cursor.at += ahead
    while not cursor.at_end and not found:
        found = _is_thing(cursor) or not cursor.words().isdisjoint(words)
        cursor.at += 1
    cursor.at = start
    return found


def _is_thing(cursor: Cursor) -> bool:
    token = cursor.token()
    if token is None or token.type != "WORD":
        return False
    at = cursor.at
    text = folded(token.value)
    if text in ENGLISH:
        return token.value.isupper() or cursor.type(1) != "WORD"
    if text.isdigit() or text.upper() in cursor.side.data.counters or lists.is_spell(cursor):
        return True
    try:
        found = cursor.space() is not None or cursor.point() is not None or cursor.name() is not None
    except Wrong:
        found = True
    cursor.at = at
    return found


def _has_counter(cursor: Cursor) -> bool:
    while not cursor.at_end:
        if _is_named(cursor):
            return True
        cursor.at += 1
    return False


_WORD = compiled(r"[^\W_]+(?:['’][^\W_]+)*")
_ENGLISH_CODES = ENGLISH | {"nor", "wit", "cap", "mar", "pass"}
_VAGUE = frozenset(
    ("hero", "heroes", "foot", "witch", "bell", "black", "great", "north", "south", "central", "national", "lesser")
    + ("giant", "flying", "dire", "heads", "head", "skull", "captain", "horse")
)
"""Words of names that are said of much else."""
_BRIEF, _LONG = 5, 12  # words of a remark: one that names a counter may be an order; one that also has a verb


def names_in(state: State, text: str) -> tuple[str, ...]:
    """The codes of counters and points in a text: press of them may be a plan."""
    if _is_news(state, text):
        return ()
    known = {*state.data.counters, *state.data.points}
    codes = (word.upper() if _is_code(word) else word for word in _WORD.findall(text))
    return tuple(dict.fromkeys(word for word in codes if word in known))


def _is_code(word: str) -> bool:
    """Whether a word in small letters is rather a code than a word of a language."""
    return word.islower() and word not in _ENGLISH_CODES


def is_about(state: State, text: str) -> bool:
    """Whether a remark, in small letters, may be an order that is not read: it names a counter in play, and says little
    else, or what one does. Who speaks to the others gives no orders."""
    words = _WORD.findall(text)
    kinds = frozenset[str]().union(*map(words_of, words))
    shouts = bool(words) and "praise" in words_of(words[0])
    if (
        len(words) > _LONG
        or "you" in kinds
        or shouts
        or _is_news(state, text)
        or not any(_is_in_play(state, word) for word in words)
    ):
        return False
    spell = any(" ".join(pair) in lexicon().spells for pair in (*zip(words), *pairwise(words)))
    return len(words) <= _BRIEF or spell or not kinds.isdisjoint(_VERBS)


class _Said(NamedTuple):
    """A word of a remark, as tokens of a line are."""

    type: str
    value: str
    start_pos: int


def _is_news(state: State, text: str) -> bool:
    """Whether a remark says where a counter stands, as it does."""
    words = [_Said("WORD", found[0], found.start()) for found in _WORD.finditer(text)]
    return "?" not in text and 1 < len(words) <= _LONG and Cursor(words, Side(state, None)).is_news()


def _is_in_play(state: State, word: str) -> bool:
    """Whether a word stands for counters that are on the map or the board."""
    said = word.removesuffix("'s")
    if said in _VAGUE or said in CALLED or f"{said}s" in CALLED:
        return False
    if word.upper() in state.data.counters:
        return _is_code(word) and word.upper() in state.units
    meant = names_of(state.data).find(word) if len(word) >= _NAME else NOBODY
    return any(code in state.units for code in (*meant.whole, *meant.less))
