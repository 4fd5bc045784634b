"""Lines of a letter that are meant as orders, and lines that are prose: `John, well played` orders nothing.

A line that the grammar does not read is an attempt if it begins with an order word, a counter, `all` or `everybody`,
and holds besides what orders are about (ozz §14, Tolerance).
"""

import re
from collections.abc import Sequence
from typing import Any

from pbem.games.base import Unread
from pbem.games.ozz.items import Phrase
from pbem.games.ozz.names import NOBODY, STARTS, alike, names_of, words_of
from pbem.games.ozz.spelled import ENGLISH, THINGS, Seen, scan
from pbem.games.ozz.state import State
from pbem.games.ozz.wording import CALLED
from pbem.games.spelling import folded

_CLAUSES = ("drop", "take", "attack", "fire", "charge", "coordinate", "alone", "leave", "change")
_VERBS = frozenset((*STARTS, *_CLAUSES, "advance", "stand", "back"))
_WEAK = frozenset(
    ("to", "from", "via", "first", "second", "none", "pool", "special", "never", "always", "off", "others")
)
_GRAMMAR = _VERBS | _WEAK | {"below", "skeletons", "batteries", "flyers", "melee"}
_LEADING = ("polite", "filler", "then", "and", "the")
_NEGATIONS = ("not", "never", "always", "none", "let")
_FEW = 40  # words that are looked at


def is_attempt(state: State, items: Sequence[Any]) -> bool:
    """Whether a line of a letter is meant as orders; `items` are what could be read of it."""
    read = [item for item in items if isinstance(item, Phrase)]
    if not state.battle:
        read = [item for item in read if item.type != "initiative"]  # `We go first`, of whoever begins
    return bool(read) or any(isinstance(item, Unread) and _is_attempt(state, item.value) for item in items)


def _is_attempt(state: State, text: str) -> bool:
    if is_news(state, text):
        return False
    said = _without_leading(scan(state.data, text)[:_FEW])
    if not said:
        return False
    first, rest = said[0], said[1:]
    if any(one.may_be("you") for one in said) and not any(map(_is_thing, said)):
        return False
    if first.may_be(*_NEGATIONS) and not first.may_be("counter"):
        return _is_denied(rest) or (state.battle is not None and _names_place(rest))
    return _begins(first, rest)


def _is_denied(rest: Sequence[Seen]) -> bool:
    """Whether an order follows a negation: `Don't retreat`."""
    return bool(rest) and rest[0].may_be(*STARTS) and _holds(rest, weak=False)


def _begins(first: Seen, rest: Sequence[Seen]) -> bool:
    """Whether a first word, which is no negation, and the others are meant as orders."""
    if not first.kinds and alike(first.value):
        return any(one.may_be("counter") for one in rest) and _holds(rest, weak=False)
    if first.may_be("counter") and _is_meant(first, rest):
        return _holds(rest, weak=True)
    if first.may_be("you", "praise"):
        return False
    if first.may_be("fight_fast", "orders_stand"):
        return True
    if first.may_be(*STARTS, *_CLAUSES):
        return not (len(rest) == 1 and folded(rest[0].value) in CALLED) and _holds(rest, weak=True)
    if first.may_be("all", "from", "bell"):
        return _holds(rest, weak=False)
    if first.may_be("spell", "transport", "first", "space"):
        return any(one.may_be("counter") for one in rest)
    if first.may_be("point") and len(rest) > 1 and rest[0].value in "-–—→>":
        return rest[1].may_be("point") and any(one.may_be("counter", "all") for one in rest)
    return first.may_be("us", "them") and _names_place(rest)


def _without_leading(said: list[Seen]) -> list[Seen]:
    """Words without politeness, fillers, greetings and the number of a list before an item."""
    if said and said[0].may_be("greeting") and any(one.value == "," for one in said[1:4]):
        said = said[next(at for at, one in enumerate(said) if one.value == ",") + 1 :]
    if len(said) > 1 and said[0].may_be("number") and said[1].value == ".":
        said = said[2:]
    while said and not said[0].may_be("counter", "spell", "transport", "let", "all"):
        if said[0].may_be("us", "them") and _names_place(said[1:]):
            break
        if not said[0].may_be("sign", *_LEADING):
            break
        said = said[1:]
    return said


def _names_place(rest: Sequence[Seen]) -> bool:
    """Whether it is said who is first: `go first`, `the Munchkins go first`."""
    rest = [one for one in rest if not one.may_be("can", "filler", "the", "to")]
    behind = [one for one in rest[:2] if one.may_be("first", "second")]
    return bool(behind) and (behind[0] is rest[0] or folded(rest[0].value) in CALLED or rest[0].may_be("them", "us"))


def _is_meant(first: Seen, rest: Sequence[Seen]) -> bool:
    """Whether a name that is an English word too is meant as a name: `May I ...`, `Are you ...` are not."""
    if folded(first.value) not in ENGLISH or first.value.isupper():
        return True
    return not rest or rest[0].may_be("sign", "counter", "point", "stack", "all", "but", *_GRAMMAR)


def _holds(said: Sequence[Seen], *, weak: bool) -> bool:
    """Whether there is a counter, point, space, spell, number or word of the grammar."""
    return any(one.may_be(*(_GRAMMAR if weak else _GRAMMAR - _WEAK)) or _is_thing(one) for one in said)


def _is_thing(one: Seen) -> bool:
    if folded(one.value) in ENGLISH:
        return one.value.isupper()
    return one.may_be(*THINGS)


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ENGLISH_CODES = ENGLISH | {"nor", "wit", "cap", "mar", "pass"}
_VAGUE = frozenset(
    ("hero", "heroes", "foot", "witch", "bell", "black", "great", "north", "south", "central", "national", "lesser")
    + ("giant", "flying", "dire", "heads", "head", "skull", "captain", "horse")
)
"""Words of names that are said of much else."""
_BRIEF, _LONG, _NAME = 5, 12, 4  # words of a remark that may be an order, with a verb; letters that stand for a name


def names_in(state: State, text: str) -> tuple[str, ...]:
    """The codes of counters and points in a text: press of them may be a plan."""
    if is_news(state, text):
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
    if len(words) > _LONG or "you" in kinds or shouts or not any(_is_in_play(state, word) for word in words):
        return False
    spell = any(one.may_be("spell", "transport") for one in scan(state.data, text))
    return not is_news(state, text) and (len(words) <= _BRIEF or spell or not kinds.isdisjoint(_VERBS))


def is_news(state: State, text: str) -> bool:
    """Whether all that a text says is where a counter stands, as it does: `Evora is in W1`."""
    said = [one for one in scan(state.data, text) if one.value not in ".!" and not one.may_be("polite")]
    if len(said) != len(("Evora", "is", "in", "W1")) or not (said[0].may_be("counter") and said[3].may_be("point")):
        return False
    if not (said[1].may_be("is") and said[2].may_be("at", "inside")):
        return False
    meant = names_of(state.data).find(said[0].value)
    here = names_of(state.data).find_points(said[3].value)
    codes = meant.whole or tuple(code for code in meant.less if code in state.units)
    return bool(codes) and all(code in state.units and state.units[code].at in here for code in codes)


def _is_in_play(state: State, word: str) -> bool:
    """Whether a word stands for counters that are on the map or the board."""
    said = word.removesuffix("'s")
    if said in _VAGUE or said in CALLED or f"{said}s" in CALLED:
        return False
    if word.upper() in state.data.counters:
        return _is_code(word) and word.upper() in state.units
    meant = names_of(state.data).find(word) if len(word) >= _NAME else NOBODY
    return any(code in state.units for code in (*meant.whole, *meant.less))
