"""Whether words beside orders turn them: correct, negate, condition, question, postpone them, offer alternatives to
them, or name another turn or game. Then nobody knows what is meant, and the letter is asked about.

The words stand in `locale/<language>/doubt.toml`; what a game adds are the names that its orders are about, and its
verbs. A sentence is judged without what only looks as if it turned something ("no worries"). Hard words always turn,
alone or where they come together, and what names something of the game is asked about. Any other sentence is chat if it
says enough of the world beside (`weighing.py`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal

from pbem.games.base import AnyGame, Seat
from pbem.games.words import words_in
from pbem.i18n import words as languages
from pbem.i18n.words import alternatives, fold
from pbem.orders import weighing
from pbem.orders.doubt_words import (
    WORD,
    come_together,
    first_words,
    folded,
    has_stem,
    pattern,
    phrases,
    search,
    stems_of,
    word_lists,
    words_of,
)
from pbem.orders.signs import is_starred
from pbem.orders.weighing import KINDS, turns_weakly
from pbem.patterns import compiled
from pbem.values import NamedTuple

Turn = Literal[
    "correction",
    "negation",
    "condition",
    "question",
    "alternative",
    "later",
    "other",
    "twice",
    "unread",
    "unknown",
    "unclear",
    "joined",
    "beside yes",
    "aside",
]
"""How words turn orders; "twice": the same move stands on two lines; "unread": they may be orders, and are not read;
"unknown": words within orders that are not known; "unclear": all are known, and mean nothing that can be, or more than
one thing; "joined": they are moves written together; "aside": they stand where signatures and quotes do."""

_Place = Literal["heading", "above", ""]
"""Where a line stands that is judged: it ends in a colon, or stands above orders as if it announced them."""

_FEW = 5  # words of a sentence in which a number word counts
_COUNTED = 4  # words of a sentence in which a number may be one of pieces
_NAMES = 3  # beside greetings and thanks
_BY_STEMS, _BY_PHRASES = ("stems", "soft", "groups"), ("hard", "weak", "about", "numbers", "courtesy", "adds")  # tables
_MAX = 600  # characters of a sentence that are judged; a longer one is prose
_PRONOUNS = {"one", "ein", "eine", "einen", "einer", "eins"}  # number words that mostly count nothing
_SENTENCE = compiled(r"[^.!?;\n]+(?:(?:\.(?=\S)|(?<=\d)\.)[^.!?;\n]*)*[.!?;]*|\?+")
_LINK = compiled(r"https?://\S+", re.I)
_NUMBER = compiled(r"(?<![\w.,:/€$%-])\d{1,2}(?![\d.,:/]*\d)(?! ?(?:€|%|°|:))")
_SIGNED = compiled(r"[,.!] *[A-Z]\.? *$|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b")  # ..., M.   SW1A 2AA
_CONTACT = compiled(
    r"\+\d[\d ()/.-]{6,}|\bwww\.\w|https?://|\w@\w+[.\w-]*\.\w|\b\d{4,6} [A-Z]\w{2,}"
    r"|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|^\W*(?:tel|fon|phone|mobile?|mob|fax|тел)\b"
    r"|\b(?:gmbh|ltd|llc|inc|e\.\s?v|ооо)\b",
    re.I,
)
_TITLES = compiled(
    r"[A-ZÄÖÜА-Я][\w.'’-]*(?: (?:[A-ZÄÖÜА-Я][\w.'’-]*|of|for|and|und|für|im|der|de|von|van|и|по|[&|/,-])){1,6}"
)
_VERBAL = compiled(  # "Cancelled", "Verzählt", "Сомневаюсь": capitals make no names of these
    r"\w{4,}(?:ed|ing)|(?:ge|ver|uber|zuruck|abge|aufge|ausge|weg)\w{3,}t|zuruck\w+|\w{3,}(?:ть|ться|сь|ся|ено|ано|ите|аите|еите)"
)
_STRUCK = compiled(r"\s*([-~=])\1*(?=[^\s>-]).*\w ?\1+\s*")
_ADDRESS = compiled(  # what it is made of says nothing
    r"[^\s@,;]{0,64}\w@\w[\w.-]{0,80}\.\w+|\b(?:mailto:|https?://)[^\s,;]+", re.I
)
_MATCH = compiled(r"\b[a-z]{2,8}-\d{1,9}\b")
_ONLY_SIGNS = compiled(r"[^\w?]*|[^\w]*[:;=]['-]?[()dpo3]+\W*", re.I)


class Doubt(NamedTuple):
    """Words of a letter that turn its orders, as they stand there, and how."""

    text: str
    turn: Turn


def make_ready() -> None:
    """Compile what else is compiled when it is first looked for: the build keeps it."""
    for file in word_lists().values():
        for table, kind in ((table, kind) for table, kinds in file.items() for kind in kinds):
            if table in _BY_STEMS or kind == "world":
                stems_of(table, kind)
            elif table in _BY_PHRASES:
                pattern(table, kind)
    _adding(), _harmless(), _figures()
    weighing.make_ready()


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text: a line is one at least."""
    return (found for match in _SENTENCE.finditer(text) if (found := match[0].strip(" \t,;-–*_\"'")))


def names_another_side(game: AnyGame, seat: Seat, text: str) -> bool:
    """Whether a text has what people call a side that is not the writer's own."""
    return not _other_sides(game.grammar.parent, seat).isdisjoint(words_of(folded(text)))


@cache
def _other_sides(folder: Path, seat: Seat) -> frozenset[str]:
    """What people call the sides that are not a seat's, as `fold` leaves it."""
    sides = words_in(folder, "sides").items()
    return frozenset(fold(name) for side, names in sides if side != seat for name in names)


def turned(game: AnyGame, state: Any, line: str, name: str = "", *, above: bool = False) -> Turn | None:
    """How a line beside orders turns them; None if it is chat to nobody. `name` is that of the match itself; right
    `above` orders a line that does not end as sentences do announces them."""
    if line.strip() in ("?", "??", "???"):
        return "question"
    if is_starred(line) and counts_or_names(game, state, line):
        return "correction"
    line = _LINK.sub("http", line)  # whose question mark asks nothing
    end = line.rstrip(" *_")[-1:]
    said = folded(line)
    announces = above and end not in ".!?,;)-–—" and not _is_heading(said) and search("courtesy", "words", said) is None
    place: _Place = "heading" if end == ":" else "above" if announces else ""
    found = (_of_sentence(game, state, one, name, place) for one in sentences(line))
    return next(filter(None, found), None)


def is_signature(line: str, *, closed: bool) -> bool:
    """Whether a line is of a signature: how its writer can be reached or, where the letter is closed, what he is."""
    found = _CONTACT.search(line) or (closed and _TITLES.fullmatch(line.strip()))
    return bool(found) and _by_hard(folded(line)) is None


def turns_from_aside(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line where signatures stand turns the orders above it: with any words beside a name or, where it is
    short, a number; or with hard ones and nothing of the world, of which mottos tell."""
    said = _without_harmless(line)
    if _by_hard(said) not in (None, "condition", "question") and not weighing.speaks_of_the_world(line):
        return True
    counted = len(WORD.findall(line)) <= _COUNTED and counts_or_names(game, state, line)
    return turns(line) is not None and (counted or bool(game.names_in(state, _unsigned(line))))


def is_struck(line: str) -> bool:
    """Whether a line is between signs with which people strike things out."""
    return _STRUCK.fullmatch(line) is not None


def turns(text: str, *, counts: bool = True, weak: bool = True) -> Turn | None:
    """How a text that is about orders for sure turns them, if any of its words does; not `counts`: numbers in words are
    those of its orders; not `weak`: so are words that turn orders here and there."""
    said = _without_harmless(text)
    if not counts:
        said = pattern("numbers", "words").sub(" ", said)
    if kind := _by_hard(said) or (turns_weakly(said) if weak else None):
        return kind
    if "?" in text:
        return "question"
    return "unread" if search("adds", "words", said) else None


def ways(sentence: str) -> list[str]:
    """What stands before, between and behind the words of a sentence that offer one thing in the place of another."""
    said = folded(sentence)
    ends = [0, *(place for found in pattern("choice", "between").finditer(said) for place in found.span()), None]
    # To fold may change how long a text is: then it is taken as it is folded.
    text = sentence if len(said) == len(sentence) else said
    return [text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)]


@lru_cache(maxsize=64)
def is_courtesy(line: str) -> bool:
    """Whether a line is nothing but greetings, thanks, good wishes and names: it may stand beside a `yes`."""
    said = folded(line)
    if _ONLY_SIGNS.fullmatch(said) and "?" not in said:
        return True
    if first_words("courtesy", "words").isdisjoint(words_of(said)):
        kept = WORD.findall(said)
    else:
        kept = WORD.findall(pattern("courtesy", "words").sub(" ", said))
    if len(kept) > _NAMES or "?" in line or any(map(str.isdigit, line)):
        return False
    names = {fold(word) for word in WORD.findall(line) if word[:1].isupper()} if kept else ()
    if not all(word in names and word not in weighing.no_names() and not _VERBAL.fullmatch(word) for word in kept):
        return False
    rest = _without_harmless(" ".join(kept))
    return not (_by_hard(rest) or turns_weakly(rest))


def is_kind(line: str) -> bool:
    """Whether a line has a word of greeting or thanks, and nothing else but names."""
    return search("courtesy", "words", folded(line)) is not None and is_courtesy(line)


def greets(text: str) -> bool:
    """Whether a text begins with a greeting or thanks."""
    return pattern("courtesy", "words").match(folded(text).lstrip()) is not None


def is_chat(game: AnyGame, state: Any, text: str) -> bool:
    """Whether a text beside orders on their own line greets, thanks or is about life, and turns nothing."""
    kind = is_kind(text) or is_harmless(text) or weighing.speaks_of_the_world(text)
    return kind and turned(game, state, text) is None


def is_harmless(line: str) -> bool:
    """Whether nothing is left of a line but signs when what is said to be harmless is taken away."""
    said = _without_harmless(line)
    if "?" in line and ";" not in said:
        return False  # "ok?"
    return bool(WORD.search(line)) and not WORD.search(pattern("courtesy", "words").sub(" ", said))


def mentions_orders(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line that is nowhere near orders may be some for a person: it has a verb of the game's, two names, or
    one beside a number or a word that turns orders."""
    said = folded(line)
    counted = _NUMBER.search(said) or search("numbers", "words", said)
    named = set(game.names_in(state, line))
    turned = len(named) > 1 or (named and (counted or turns(line)))
    return not is_kind(line) and (game.is_about(state, said) or bool(turned))


def may_turn(text: str) -> bool:
    """Whether a text has anything that turns orders here and there, or could begin a condition or a correction."""
    said = _without_harmless(text)
    return "?" in text or bool(_by_hard(said) or turns_weakly(said)) or weighing.begins_to_turn(said)


def adds(text: str, *, alone: bool = False) -> bool:
    """Whether the first line that is no greeting begins with a word such as "also", or of an order `alone` has one
    anywhere: then its orders come to others."""
    first = folded(next((line for line in text.splitlines() if line.strip() and not is_kind(line)), ""))
    return _adding().match(first) is not None or (alone and _adding_inside().search(first) is not None)


def without_adding(lines: Sequence[str]) -> str:
    """The one line of a letter that is no courtesy, without the words in it that have its orders come to others: "I'd
    also like to"; "" if it has none of these, or there are more lines."""
    said = [line for line in lines if not is_courtesy(line)]
    return _adding_inside().sub("", said[0]) if len(said) == 1 and _adding_inside().search(said[0]) else ""


@cache
def _adding() -> re.Pattern[str]:
    return compiled(rf"\W*{alternatives((*phrases('adds', 'words'), *phrases('adds', 'joining')))}\b")


@cache
def _adding_inside() -> re.Pattern[str]:
    inside, ending = (alternatives(phrases("adds", kind)) for kind in ("inside", "ending"))
    end = rf"(?=\W*(?:{alternatives(languages.words('around', 'polite'))}\W*)?$)"
    return compiled(rf"(?<!\w)(?:{inside}\b|{ending}\b{end})", re.I | re.M)


def counts_between(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line has a number of pieces and two names: "Sent from A to M: 3"."""
    return bool(_NUMBER.search(folded(line))) and len(set(game.names_in(state, line))) > 1


def counts_or_names(game: AnyGame, state: Any, text: str) -> bool:
    """Whether a text has a number of pieces, or a name that orders are about."""
    said, kept = folded(text), _without_harmless(text)
    counted = _NUMBER.search(kept) or search("numbers", "words", kept)
    return bool(counted or game.names_in(state, f"x {text}") or game.is_about(state, said))


@lru_cache(maxsize=64)
def _without_harmless(text: str) -> str:
    said = folded(_ADDRESS.sub(" ", text).replace("’", "'"))
    if not first_words("chat", "harmless").isdisjoint(words_of(said)):
        harmless, found = _harmless()
        turning = _turning_phrases(said)
        said = found.sub(
            lambda one: " ; " if one[0] in harmless and not _is_crossed(one.span(), turning) else one[0], said
        )
    return _figures().sub(" ", said) if any(map(str.isdigit, said)) else said


def _turning_phrases(said: str) -> list[tuple[int, int]]:
    """Where the phrases of a text stand that turn orders for sure, or are conditions."""
    tables = [("weak", "condition"), *(("hard", kind) for kind in KINDS)]
    found = (one for table, kind in tables if search(table, kind, said) for one in pattern(table, kind).finditer(said))
    return [one.span() for one in found if " " in one[0]]


def _is_crossed(harmless: tuple[int, int], turning: Iterable[tuple[int, int]]) -> bool:
    """Whether a phrase that turns orders shares a word with something harmless, and goes on: "only in case"."""
    start, end = harmless
    return any(start < one < end < last for one, last in turning)


@cache
def _harmless() -> tuple[frozenset[str], re.Pattern[str]]:
    """What is harmless, and a pattern of it and of all that is not: the longest that fits counts, "take that back"."""
    hard = [text for kind in KINDS for text in phrases("hard", kind)]
    harmless = frozenset(phrases("chat", "harmless"))
    return harmless, compiled(rf"(?<![\w'-]){alternatives((*harmless, *hard))}(?![\w'-])")


@cache
def _figures() -> re.Pattern[str]:
    """Finds what is no number of pieces: days, hours, lengths of time, ordinals."""
    months = alternatives(fold(name) for names in languages.folded_rows("months") for name in names)
    behind, before = (alternatives(phrases("figures", kind)) for kind in ("behind", "before"))
    number = r"\d{1,4}(?:[.:,/–-]\d{1,4})*[.:]?"
    return compiled(rf"\b{before} {number}(?!\w)|\b{number} ?(?:{months}|{behind})\w{{0,3}}|\b\d{{1,2}}\. ?\d{{1,2}}\.")


def _of_sentence(game: AnyGame, state: Any, sentence: str, name: str, place: _Place) -> Turn | None:
    kind_words = is_kind(sentence) and not game.names_in(state, f"x {_unsigned(sentence)}")
    if len(sentence) > _MAX or kind_words or (_ONLY_SIGNS.fullmatch(sentence) and "?" not in sentence):
        return None
    said = _without_own(_without_harmless(sentence), name)
    if (kind := _by_hard(said)) or (kind := _by_name(game, said, name)):
        return kind
    if place == "heading":
        return None if _is_heading(said) else "unread"
    if "?" not in sentence and not WORD.search(pattern("courtesy", "words").sub(" ", said)):
        return None
    named = game.names_in(state, _unsigned(sentence))
    if _only_claims(sentence, said) or (not named and is_courtesy(sentence)):
        return None
    about = bool(named) or game.is_about(state, said)
    how: Turn = turns_weakly(said) or ("question" if "?" in sentence else "unread")
    if about or _counts(said, len(WORD.findall(sentence)), about=about):
        return how
    return None if weighing.is_chat(sentence, said, above=place == "above") else how


def _unsigned(text: str) -> str:
    """A text without initials at its end, unless it does nothing but offer these in the place of others: "sorry, W"."""
    found = _SIGNED.search(text)
    return text[: found.start()] if found and WORD.search(" ".join(ways(text[: found.start()]))) else text


def _without_own(said: str, name: str) -> str:
    """A text without the name of the match itself, which turns nothing."""
    return re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", said) if name and name in said else said


def _only_claims(sentence: str, said: str) -> bool:
    """Whether something harmless is said of whole names, and nothing else: "Mu is mine!"."""
    rest = WORD.findall(pattern("courtesy", "words").sub(" ", said))
    named = {fold(word) for word in WORD.findall(sentence) if word[:1].isupper() and not word.isupper()}
    return ";" in said and len(rest) <= _NAMES and all(word in named for word in rest)


def _is_heading(said: str) -> bool:
    """Whether a line that announces orders says nothing else of them."""
    return set(WORD.findall(pattern("courtesy", "words").sub(" ", said))) <= frozenset(phrases("chat", "heading"))


@lru_cache(maxsize=64)
def _by_hard(said: str) -> Turn | None:
    together = come_together(said)
    hard = (kind for kind in KINDS if search("hard", kind, said) or has_stem("stems", kind, said) or kind == together)
    return next(hard, None)


def _by_name(game: AnyGame, said: str, name: str) -> Turn | None:
    """Whether a sentence names another match, and says little else or nothing of the world: `this is for oz-9`."""
    others = [one for one in _MATCH.findall(said) if one.startswith(f"{game.short}-") and one != name]
    short = len(WORD.findall(said)) <= _COUNTED
    return "other" if others and (short or not weighing.speaks_of_the_world(said)) else None


def _counts(said: str, length: int, *, about: bool) -> bool:
    """Whether a number in a sentence may be one of pieces: `2*`, `3 -> 2`."""
    if _NUMBER.search(said) and (length <= _COUNTED or about):
        return True
    words = set(pattern("numbers", "words").findall(said))
    return bool(words) and (length <= 2 or about or (length <= _FEW and bool(words - _PRONOUNS)))
