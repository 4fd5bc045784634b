"""Whether words beside orders turn them: correct, negate, condition, question, postpone them, offer alternatives to
them, or name another turn or game. Then nobody knows what is meant, and the letter is asked about.

The words stand in `locale/<language>/doubt.toml`; what a game adds are the names that its orders are about, and its
verbs. A sentence is judged without what only looks as if it turned something ("no worries"). Hard words always turn.
Weak ones do in a short sentence and in one that is about orders, as nearly every long sentence has one of them.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple

from pbem.games.base import AnyGame
from pbem.i18n import words as languages
from pbem.i18n.words import alternatives, fold
from pbem.resources import resource

Turn = Literal[
    "correction", "negation", "condition", "question", "alternative", "later", "other", "twice", "unread", "beside yes"
]
"""How words turn orders; "twice": the same move stands on two lines; "unread": they may be orders, and are not read."""

_SHORT, _FEW, _QUESTION = 3, 5, 5  # words of a sentence in which a weak word counts, with `it` counts; of a question
_COUNTED = 4  # words of a sentence in which a number may be one of pieces
_NAMED = 5  # words of a sentence in which a name may be an order
_NAMES = 3  # beside greetings and thanks
_MAX = 600  # characters of a sentence that are judged; a longer one is prose
_PRONOUNS = {"one", "ein", "eine", "einen", "einer", "eins"}  # number words that mostly count nothing
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_SENTENCE = re.compile(r"[^.!?;\n]+(?:(?:\.(?=\S)|(?<=\d)\.)[^.!?;\n]*)*[.!?;]*|\?+")
_NUMBER = re.compile(r"(?<![\w.,:/€$%-])\d{1,2}(?![\d.,:/]*\d)(?! ?(?:€|%|°|:))")
_SIGNED = re.compile(r"[,.!] *[A-Z]\.? *$|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b")  # ..., M.   SW1A 2AA
_MATCH = re.compile(r"\b[a-z]{2,8}-\d{1,9}\b")
_ONLY_SIGNS = re.compile(r"[^\w?]*|[^\w]*[:;=]['-]?[()dpo3]+\W*", re.I)


class Doubt(NamedTuple):
    """Words of a letter that turn its orders, as they stand there, and how."""

    text: str
    turn: Turn


@cache
def word_lists() -> Mapping[str, Mapping[str, Any]]:
    """What the files say, by the codes of their languages."""
    paths = {code: resource("locale") / code / "doubt.toml" for code in languages.files()}
    return {code: tomllib.loads(path.read_text(encoding="utf-8")) for code, path in paths.items() if path.is_file()}


def phrases(table: str, kind: str) -> tuple[str, ...]:
    """What any language has for a kind of words, as `fold` leaves it."""
    found = (text for file in word_lists().values() for text in file.get(table, {}).get(kind, ()))
    return tuple(dict.fromkeys(map(fold, found)))


@cache
def _pattern(table: str, kind: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){alternatives(phrases(table, kind))}(?![\w'-])")


@cache
def _first_words(table: str, kind: str) -> frozenset[str]:
    return frozenset(found[0] for text in phrases(table, kind) if (found := _WORD.search(text)))


@lru_cache(maxsize=64)
def _words(said: str) -> frozenset[str]:
    return frozenset(_WORD.findall(said))


def _search(table: str, kind: str, said: str) -> re.Match[str] | None:
    """Where a folded text has one of some phrases; a look at single words spares most texts the long pattern."""
    return None if _first_words(table, kind).isdisjoint(_words(said)) else _pattern(table, kind).search(said)


@lru_cache(maxsize=64)
def _folded(text: str) -> str:
    return fold(text)


_KINDS: tuple[Turn, ...] = ("correction", "later", "other", "condition", "alternative", "question", "negation")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text: a line is one at least."""
    return (found for match in _SENTENCE.finditer(text) if (found := match[0].strip(" \t,;-–*_\"'")))


def turned(game: AnyGame, state: Any, line: str, name: str = "") -> Turn | None:
    """How a line beside orders turns them; None if it is chat to nobody. `name` is that of the match itself."""
    if line.strip() in ("?", "??", "???"):
        return "question"
    heading = line.rstrip(" *_").endswith(":")
    found = (_of_sentence(game, state, one, name, heading=heading) for one in sentences(line))
    return next(filter(None, found), None)


def turns(text: str) -> Turn | None:
    """How a text that is about orders for sure turns them, if any of its words does."""
    said = _without_harmless(text)
    if kind := _by_hard(said) or _by_weak(said):
        return kind
    if "?" in text:
        return "question"
    return "unread" if _search("adds", "words", said) else None


def is_courtesy(line: str) -> bool:
    """Whether a line is nothing but greetings, thanks, good wishes and names: it may stand beside a `yes`."""
    said = _folded(line)
    if _ONLY_SIGNS.fullmatch(said) and "?" not in said:
        return True
    if _first_words("courtesy", "words").isdisjoint(_words(said)):
        kept = _WORD.findall(said)
    else:
        kept = _WORD.findall(_pattern("courtesy", "words").sub(" ", said))
    if len(kept) > _NAMES or "?" in line or any(map(str.isdigit, line)):
        return False
    names = {fold(word) for word in _WORD.findall(line) if word[:1].isupper()} if kept else ()
    if not all(word in names for word in kept):
        return False
    rest = _without_harmless(" ".join(kept))
    return not (_by_hard(rest) or _by_weak(rest))


def is_kind(line: str) -> bool:
    """Whether a line has a word of greeting or thanks, and nothing else but names."""
    return _search("courtesy", "words", _folded(line)) is not None and is_courtesy(line)


def is_harmless(line: str) -> bool:
    """Whether nothing is left of a line but signs when what is said to be harmless is taken away."""
    said = _without_harmless(line)
    return bool(_WORD.search(line)) and not _WORD.search(_pattern("courtesy", "words").sub(" ", said))


def mentions_orders(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line that is nowhere near orders may be some for a person: it has a verb of the game's, or a number
    beside a name."""
    said = _folded(line)
    counted = _NUMBER.search(said) or _search("numbers", "words", said)
    return not is_kind(line) and (game.is_about(state, said) or bool(counted and game.names_in(state, line)))


def adds(text: str) -> bool:
    """Whether the first line that is no greeting begins with a word such as "also": then its orders come to others."""
    first = next((line for line in text.splitlines() if line.strip() and not is_kind(line)), "")
    return _adding().match(_folded(first)) is not None


@cache
def _adding() -> re.Pattern[str]:
    return re.compile(rf"\W*{alternatives((*phrases('adds', 'words'), *phrases('adds', 'joining')))}\b")


def counts_or_names(game: AnyGame, state: Any, text: str) -> bool:
    """Whether a text has a number of pieces, or a name that orders are about."""
    said = _folded(text)
    counted = _NUMBER.search(said) or _search("numbers", "words", said)
    return bool(counted or game.names_in(state, f"x {text}") or game.is_about(state, said))


@lru_cache(maxsize=64)
def _without_harmless(text: str) -> str:
    said = _folded(text.replace("’", "'"))
    if not _first_words("chat", "harmless").isdisjoint(_words(said)):
        harmless, found = _harmless()
        said = found.sub(lambda one: " ; " if one[0] in harmless else one[0], said)
    return _figures().sub(" ", said) if any(map(str.isdigit, said)) else said


@cache
def _harmless() -> tuple[frozenset[str], re.Pattern[str]]:
    """What is harmless, and a pattern of it and of all that is not: the longest that fits counts, "take that back"."""
    hard = [text for kind in _KINDS for text in phrases("hard", kind)]
    harmless = frozenset(phrases("chat", "harmless"))
    return harmless, re.compile(rf"(?<![\w'-]){alternatives((*harmless, *hard))}(?![\w'-])")


@cache
def _figures() -> re.Pattern[str]:
    """Finds what is no number of pieces: days, hours, lengths of time, ordinals."""
    months = alternatives(fold(name) for names in languages.folded_rows("months") for name in names)
    behind, before = (alternatives(phrases("figures", kind)) for kind in ("behind", "before"))
    number = r"\d{1,4}(?:[.:,/]\d{1,4})*[.:]?"
    return re.compile(
        rf"\b{before} {number}(?!\w)|\b{number} ?(?:{months}|{behind})\w{{0,3}}|\b\d{{1,2}}\. ?\d{{1,2}}\."
    )


def _of_sentence(game: AnyGame, state: Any, sentence: str, name: str, *, heading: bool) -> Turn | None:
    kind_words = is_kind(sentence) and not game.names_in(state, f"x {_SIGNED.sub('', sentence)}")
    if len(sentence) > _MAX or kind_words or (_ONLY_SIGNS.fullmatch(sentence) and "?" not in sentence):
        return None
    said = _without_harmless(sentence)
    if (kind := _by_hard(said)) or (kind := _by_name(game, said, name)):
        return kind
    length = len(_WORD.findall(sentence))
    named = game.names_in(state, _SIGNED.sub("", sentence))
    about = bool(named) or bool(_search("about", "orders", said)) or game.is_about(state, said)
    pointing = length <= _FEW and _search("about", "it", said) is not None
    close = about or heading or pointing or length <= _SHORT or _NUMBER.search(said) is not None
    if close and (kind := _by_weak(said)):
        return kind
    if "?" in sentence and _questions(said, length, about=about):
        return "question"
    adding = _pattern("adds", "words").match(said.lstrip())
    sure = _search("about", "sure", said) and not (heading and length <= 1)
    return (
        "unread"
        if sure or adding or _counts(said, length, about=about) or _is_order_like(game, state, said, named, length)
        else None
    )


def _by_hard(said: str) -> Turn | None:
    return next((kind for kind in _KINDS if _search("hard", kind, said)), None)


def _by_weak(said: str) -> Turn | None:
    return next((kind for kind in _KINDS if _search("weak", kind, said)), None)


def _by_name(game: AnyGame, said: str, name: str) -> Turn | None:
    """Whether a sentence names another match, and says little else: `this is for oz-9`."""
    return (
        "other"
        if len(_WORD.findall(said)) <= _COUNTED
        and any(one != name for one in _MATCH.findall(said) if one.startswith(f"{game.short}-"))
        else None
    )


def _questions(said: str, length: int, *, about: bool) -> bool:
    """Whether a question is one about the orders: it names them, or it is so short that it could be."""
    pointing = length <= _QUESTION and _search("about", "it", said) is not None
    return about or pointing or length == 0 or (length == 1 and _WORD.search(said) is not None)


def _counts(said: str, length: int, *, about: bool) -> bool:
    """Whether a number in a sentence may be one of pieces: `2*`, `3 -> 2`."""
    if _NUMBER.search(said) and (length <= _COUNTED or about):
        return True
    words = set(_pattern("numbers", "words").findall(said))
    return bool(words) and (length <= 2 or about or (length <= _FEW and bool(words - _PRONOUNS)))


def _is_order_like(game: AnyGame, state: Any, said: str, named: tuple[str, ...], length: int) -> bool:
    """Whether a sentence may be an order that nobody can read: a mere name, or a verb of the game's."""
    return (bool(named) and length <= _NAMED and ";" not in said) or game.is_about(state, said)
