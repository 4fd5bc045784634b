"""Whether a sentence that stands beside orders, and names nothing of the game, is about the world or about them.

What it says of the world is weighed against what makes it one of orders: both are sums. Words of chat count most, those
that nobody speaks of orders with a little, and so do idioms of chat and what is cried out or said to somebody. The more
a sentence turns, points back, and speaks of orders, the more of the world it takes.
"""

import re
from functools import cache, lru_cache
from typing import Literal

from pbem.i18n import words as languages
from pbem.orders.doubt_words import WORD, begins_as, folded, has_stem, pattern, phrases, search, stems_of, words_of
from pbem.patterns import compiled

Kind = Literal["correction", "later", "other", "condition", "alternative", "question", "negation"]
"""How words of a language turn orders."""
KINDS: tuple[Kind, ...] = ("condition", "correction", "later", "other", "alternative", "question", "negation")

_KNOWN, _IDIOM = 3, 2  # what a word of chat weighs, and an idiom; any other word that is not of orders weighs 1
_LEAST = 3  # what it takes at least
_TAKES: dict[Kind, int] = {"condition": 6, "question": 6, "correction": 4, "later": 4, "other": 4}
_STEMMED = 6  # what it takes where a word turns that mostly turns orders
_OPENS, _POINTS, _IT, _ABOUT, _BRACKETS, _ABOVE = 3, 3, 2, 2, 2, 3  # what it takes besides
_ELSEWHERE = 3  # what a condition takes less whose clauses are all of the world
_SMILEY = compiled(r"(?<!\w)[:;=8xX]['-]?[()DPpO3/*]+(?!\w)|[\U0001F300-\U0001FAFF☀-➿]")
_PAUSE = compiled(r"[,:–—]| - ")
_CLAUSE = compiled(r"[,:–—()]| - ")
_OF_THE_WORLD: tuple[Kind, ...] = ("condition", "negation")  # in which people speak of the world as well
_WHATEVER_FOLLOWS: tuple[Kind, ...] = ("condition", "later", "alternative")
_SHORT = 3  # letters; words of fewer say nothing of the world


def is_chat(sentence: str, said: str, *, above: bool) -> bool:
    """Whether a sentence is about the world; `said` is what is left of it without what is harmless, which stands as a
    semicolon. A line right `above` orders may announce them."""
    if ";" in said and "?" not in sentence and turns_weakly(said) is None and _says_nothing(said):
        return True
    if not any(map(_is_known, words_of(folded(sentence.replace("’", "'"))))) and ";" not in said:
        return False  # of a language that nobody here knows, or of none
    if hangs(said):
        return False
    turning = filter(_needs_its_own, _CLAUSE.split(said))
    if not all(";" in clause or _has_chat(_without_soft(clause)) for clause in turning):
        return False  # what stands behind the comma is said of something else: "a bit more, my dog barks"
    return _world(sentence, said) >= _needed(sentence, said) + (_ABOVE if above else 0)


def speaks_of_the_world(text: str) -> bool:
    """Whether a text has a word of chat."""
    return _has_chat(folded(text))


def hangs(said: str) -> bool:
    """Whether a sentence is all one condition, so that it can only be one of the orders: "if it stays dry"."""
    return _hanging().match(said) is not None and len(_PAUSE.split(said.strip(" ,;"))) == 1 and ";" not in said


@cache
def _hanging() -> re.Pattern[str]:
    before, words = (languages.alternatives(phrases("hanging", kind)) for kind in ("before", "words"))
    return compiled(rf"[^\w;]*(?:{before}\W+)*{words}(?![\w'-])")


@lru_cache(maxsize=64)
def turns_weakly(said: str) -> Kind | None:
    """How a text turns orders if it is about any."""
    return next((kind for kind in KINDS if search("weak", kind, said) or has_stem("soft", kind, said)), None)


def _is_soft(said: str) -> bool:
    """Whether a text has what mostly turns orders."""
    return any(has_stem("soft", kind, said) for kind in KINDS)


def _needs_its_own(clause: str) -> bool:
    """Whether a clause may turn orders, points back or speaks of them, so that it has to say something of the world."""
    if _is_soft(clause) or _points("this", clause) or _points("it", clause) or search("about", "orders", clause):
        return True
    return any(search("weak", kind, clause) for kind in KINDS if kind not in _OF_THE_WORLD)


def _has_chat(said: str) -> bool:
    return any(map(_is_of_chat, words_of(said)))


@cache
def no_names() -> frozenset[str]:
    """What nobody is called: days, months, and words that point at orders or speak of them."""
    about = (phrases("about", kind) for kind in ("orders", "it", "this"))
    return frozenset().union(*languages.folded_rows("weekdays"), *languages.folded_rows("months"), *about)


def make_ready() -> None:
    """Compile what is compiled when it is first looked for: the build keeps it."""
    _idioms(), _hanging(), [_opening(kind) for kind in KINDS]


def _says_nothing(said: str) -> bool:
    """Whether a text has only words that are in every sentence."""
    return words_of(said) <= _in_every_sentence() and not _opens(said)


@cache
def _in_every_sentence() -> frozenset[str]:
    return frozenset(phrases("plain", "words"))


def _world(sentence: str, said: str) -> int:
    """What a sentence says of the world."""
    whole = _without_soft(folded(sentence.replace("’", "'")))
    words = words_of(whole)
    single = sum(map(_is_of_chat, words))
    known = single + (stems_of("chat", "world")[1].search(whole) is not None)
    other = sum(map(_is_of_the_world, words)) - single
    idioms = said.count(";") + (_idioms().search(whole) is not None)
    cried = "!" in sentence or _SMILEY.search(sentence) is not None
    return _KNOWN * known + other + _IDIOM * idioms + cried + (search("about", "you", said) is not None)


def _without_soft(whole: str) -> str:
    """A text without the phrases that mostly turn orders: "my dream" tells nothing of dreams."""
    for kind in KINDS:
        found = stems_of("soft", kind)[1]
        whole = found.sub(" ", whole) if found.search(whole) else whole
    return whole


def _needed(sentence: str, said: str) -> int:
    """How much of the world makes chat of a sentence."""
    kinds = [kind for kind in KINDS if search("weak", kind, said)]
    soft = _is_soft(said)
    need = max([_LEAST, *(_TAKES.get(kind, 0) for kind in kinds), _STEMMED if soft else 0])
    need += _OPENS if _opens(said) else 0
    need += _POINTS if _points("this", said) else _IT if _points("it", said) else 0
    need += _ABOUT if search("about", "orders", said) else 0
    need -= _ELSEWHERE if "condition" in kinds and _all_of_chat(sentence) else 0
    return need + (_BRACKETS if "(" in sentence and (kinds or soft) else 0)


def _all_of_chat(sentence: str) -> bool:
    """Whether a sentence has two clauses, and each a word of chat: "if it rains, we eat inside"."""
    clauses = folded(sentence).split(",")
    return len(clauses) > 1 and all(map(_has_chat, clauses))


@lru_cache(maxsize=4096)
def _is_known(word: str) -> bool:
    """Whether a word stands in any sentence, or in chat."""
    return word in _in_every_sentence() or begins_as("chat", "world", word)


@lru_cache(maxsize=4096)
def _is_of_chat(word: str) -> bool:
    return _is_of_the_world(word) and begins_as("chat", "world", word)


@lru_cache(maxsize=4096)
def _is_of_the_world(word: str) -> bool:
    """Whether a word is none of those in which people speak of orders, and none that is in every sentence."""
    if len(word) < _SHORT or any(map(str.isdigit, word)) or word in _said_of_orders():
        return False
    return not any(begins_as(table, kind, word) for table in ("stems", "soft") for kind in KINDS)


@cache
def _said_of_orders() -> frozenset[str]:
    tables = (("plain", "words"), ("numbers", "words"))
    turning = [(table, kind) for table in ("hard", "weak") for kind in KINDS]
    texts = (text for table, kind in (*tables, *turning) for text in phrases(table, kind))
    return no_names().union(text for text in texts if WORD.fullmatch(text))


@cache
def _idioms() -> re.Pattern[str]:
    found = languages.alternatives(phrases("chat", "openings"))
    return compiled(rf"(?:^|[,;:–—-] ?)\W*({found})(?![\w'-])")


def _opens(said: str) -> bool:
    """Whether a sentence begins with a word that turns orders there, and not right before a word of chat."""
    found = next(filter(None, (_opening(kind).match(said) for kind in KINDS)), None)
    word = found and WORD.match(said[found.end() :].lstrip(" "))
    return found is not None and not (word and _is_of_chat(word[0]))


@cache
def _opening(kind: Kind) -> re.Pattern[str]:
    return compiled(rf"[^\w;]*{languages.alternatives(phrases('first', kind))}(?![\w'-])")


def begins_to_turn(said: str) -> bool:
    """Whether a text begins with a word that turns orders there; most do whatever it says then."""
    return _opens(said) or any(_opening(kind).match(said) for kind in _WHATEVER_FOLLOWS) or hangs(said)


def _points(kind: str, said: str) -> bool:
    """Whether a word such as "this" points back; it does not right before a word of chat: "this weather"."""
    if search("about", kind, said) is None:
        return False
    if kind == "it":
        return True
    behind = (said[found.end() :] for found in pattern("about", kind).finditer(said))
    words = (WORD.match(text.lstrip(" ")) for text in behind)
    return not all(word and _is_of_chat(word[0]) for word in words)
