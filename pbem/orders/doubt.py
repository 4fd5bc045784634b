"""Whether words beside orders turn them: correct, negate, condition, question, postpone them, offer alternatives to
them, or name another turn or game. Then nobody knows what is meant, and the letter is asked about.

What is not known to be chat is asked about. The words stand in `locale/<language>/doubt.toml`; what a game adds are the
names that its orders are about, and its verbs. A sentence is judged without what only looks as if it turned something
("no worries"). Hard words always turn. Else a sentence that names nothing of the game is chat if it is about life, or
greets, asks or brags as people do, without weak words and any that point back.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pbem.games.base import AnyGame, Seat
from pbem.games.words import words_in
from pbem.i18n import words as languages
from pbem.i18n.words import alternatives, fold
from pbem.orders.doubt_words import phrases, word_lists
from pbem.patterns import compiled

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
    "beside yes",
    "aside",
]
"""How words turn orders; "twice": the same move stands on two lines; "unread": they may be orders, and are not read;
"aside": they stand where signatures and quotes do."""

_FEW = 5  # words of a sentence in which a number word counts
_COUNTED = 4  # words of a sentence in which a number may be one of pieces
_POINTED = 6  # words of a sentence in which `this` points to the orders, whatever it is about
_NAMES = 3  # beside greetings and thanks
_STEM = 5  # letters of a word's beginning that stands for the word with any ending
_MAX = 600  # characters of a sentence that are judged; a longer one is prose
_PRONOUNS = {"one", "ein", "eine", "einen", "einer", "eins"}  # number words that mostly count nothing
_WORD = compiled(r"[^\W_]+(?:['’-][^\W_]+)*")
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


@cache
def known_words() -> frozenset[str]:
    """All words of the files, one by one."""
    texts = (
        text for file in word_lists().values() for table in file.values() for some in table.values() for text in some
    )
    return frozenset(word for text in texts for word in _WORD.findall(fold(text)))


@cache
def _pattern(table: str, kind: str) -> re.Pattern[str]:
    return compiled(rf"(?<![\w'-]){alternatives(phrases(table, kind))}(?![\w'-])")


def make_ready() -> None:
    """Compile what else is compiled when it is first looked for: the build keeps it."""
    for file in word_lists().values():
        for table, kind in ((table, kind) for table, kinds in file.items() for kind in kinds):
            _pattern(table, kind), _stems(table, kind)
    _adding(), _harmless(), _figures()


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


@cache
def _stems(table: str, kind: str) -> tuple[frozenset[str], re.Pattern[str]]:
    """How words of a kind begin, and a pattern of phrases that do: those of few letters stand for themselves."""
    found = phrases(table, kind)
    together = [text for text in found if not _WORD.fullmatch(text)]
    return frozenset(found).difference(together), compiled(rf"(?<![\w'-]){alternatives(together)}")


def _has_stem(table: str, kind: str, said: str) -> bool:
    """Whether a folded text has a word that begins as one of a kind does."""
    stems, together = _stems(table, kind)
    return any(_is_of(stems, word) for word in _words(said)) or together.search(said) is not None


def _is_of(stems: frozenset[str], word: str) -> bool:
    """Whether a word is one of some, or begins as one does: two letters may follow four, and any five or more."""
    if word in stems or (_STEM <= len(word) <= _STEM + 1 and word[: _STEM - 1] in stems):
        return True
    return any(word[:length] in stems for length in range(_STEM, len(word)))


_KINDS: tuple[Turn, ...] = ("correction", "later", "other", "condition", "alternative", "question", "negation")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text: a line is one at least."""
    return (found for match in _SENTENCE.finditer(text) if (found := match[0].strip(" \t,;-–*_\"'")))


def names_another_side(game: AnyGame, seat: Seat, text: str) -> bool:
    """Whether a text has what people call a side that is not the writer's own."""
    return not _other_sides(game.grammar.parent, seat).isdisjoint(_words(_folded(text)))


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
    line = _LINK.sub("http", line)  # whose question mark asks nothing
    end = line.rstrip(" *_")[-1:]
    heading = end == ":" or (above and end not in ".!?,;)-–—" and not _has_stem("chat", "life", _folded(line)))
    found = (_of_sentence(game, state, one, name, heading=heading) for one in sentences(line))
    return next(filter(None, found), None)


def is_signature(line: str, *, closed: bool) -> bool:
    """Whether a line is of a signature: how its writer can be reached or, where the letter is closed, what he is."""
    found = _CONTACT.search(line) or (closed and _TITLES.fullmatch(line.strip()))
    return bool(found) and _by_hard(_folded(line)) is None


def is_struck(line: str) -> bool:
    """Whether a line is between signs with which people strike things out."""
    return _STRUCK.fullmatch(line) is not None


def turns(text: str, *, counts: bool = True, weak: bool = True) -> Turn | None:
    """How a text that is about orders for sure turns them, if any of its words does; not `counts`: numbers in words are
    those of its orders; not `weak`: so are words that turn orders here and there."""
    said = _without_harmless(text)
    if not counts:
        said = _pattern("numbers", "words").sub(" ", said)
    if kind := _by_hard(said) or (_by_weak(said) if weak else None):
        return kind
    if "?" in text:
        return "question"
    return "unread" if _search("adds", "words", said) else None


def ways(sentence: str) -> list[str]:
    """What stands before, between and behind the words of a sentence that offer one thing in the place of another."""
    said = _folded(sentence)
    ends = [0, *(place for found in _pattern("choice", "between").finditer(said) for place in found.span()), None]
    # To fold may change how long a text is: then it is taken as it is folded.
    text = sentence if len(said) == len(sentence) else said
    return [text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)]


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
    if not all(word in names and word not in _days() and not _VERBAL.fullmatch(word) for word in kept):
        return False
    rest = _without_harmless(" ".join(kept))
    return not (_by_hard(rest) or _by_weak(rest))


@cache
def _days() -> frozenset[str]:
    """What days and months are called: nobody is."""
    return frozenset().union(*languages.folded_rows("weekdays"), *languages.folded_rows("months"))


def is_kind(line: str) -> bool:
    """Whether a line has a word of greeting or thanks, and nothing else but names."""
    return _search("courtesy", "words", _folded(line)) is not None and is_courtesy(line)


def is_chat(game: AnyGame, state: Any, text: str) -> bool:
    """Whether a text beside orders on their own line greets, thanks or is about life, and turns nothing."""
    kind = is_kind(text) or is_harmless(text) or _has_stem("chat", "life", _folded(text))
    return kind and turned(game, state, text) is None


def is_harmless(line: str) -> bool:
    """Whether nothing is left of a line but signs when what is said to be harmless is taken away."""
    said = _without_harmless(line)
    return bool(_WORD.search(line)) and not _WORD.search(_pattern("courtesy", "words").sub(" ", said))


def mentions_orders(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line that is nowhere near orders may be some for a person: it has a verb of the game's, two names, or
    one beside a number or a word that turns orders."""
    said = _folded(line)
    counted = _NUMBER.search(said) or _search("numbers", "words", said)
    named = set(game.names_in(state, line))
    turned = len(named) > 1 or (named and (counted or turns(line)))
    return not is_kind(line) and (game.is_about(state, said) or bool(turned))


def adds(text: str) -> bool:
    """Whether the first line that is no greeting begins with a word such as "also": then its orders come to others."""
    first = next((line for line in text.splitlines() if line.strip() and not is_kind(line)), "")
    return _adding().match(_folded(first)) is not None


@cache
def _adding() -> re.Pattern[str]:
    return compiled(rf"\W*{alternatives((*phrases('adds', 'words'), *phrases('adds', 'joining')))}\b")


def counts_between(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line has a number of pieces and two names: "Sent from A to M: 3"."""
    return bool(_NUMBER.search(_folded(line))) and len(set(game.names_in(state, line))) > 1


def counts_or_names(game: AnyGame, state: Any, text: str) -> bool:
    """Whether a text has a number of pieces, or a name that orders are about."""
    said = _folded(text)
    counted = _NUMBER.search(said) or _search("numbers", "words", said)
    return bool(counted or game.names_in(state, f"x {text}") or game.is_about(state, said))


@lru_cache(maxsize=64)
def _without_harmless(text: str) -> str:
    said = _folded(_ADDRESS.sub(" ", text).replace("’", "'"))
    if not _first_words("chat", "harmless").isdisjoint(_words(said)):
        harmless, found = _harmless()
        said = found.sub(lambda one: " ; " if one[0] in harmless else one[0], said)
    return _figures().sub(" ", said) if any(map(str.isdigit, said)) else said


@cache
def _harmless() -> tuple[frozenset[str], re.Pattern[str]]:
    """What is harmless, and a pattern of it and of all that is not: the longest that fits counts, "take that back"."""
    hard = [text for kind in _KINDS for text in phrases("hard", kind)]
    harmless = frozenset(phrases("chat", "harmless"))
    return harmless, compiled(rf"(?<![\w'-]){alternatives((*harmless, *hard))}(?![\w'-])")


@cache
def _figures() -> re.Pattern[str]:
    """Finds what is no number of pieces: days, hours, lengths of time, ordinals."""
    months = alternatives(fold(name) for names in languages.folded_rows("months") for name in names)
    behind, before = (alternatives(phrases("figures", kind)) for kind in ("behind", "before"))
    number = r"\d{1,4}(?:[.:,/]\d{1,4})*[.:]?"
    return compiled(rf"\b{before} {number}(?!\w)|\b{number} ?(?:{months}|{behind})\w{{0,3}}|\b\d{{1,2}}\. ?\d{{1,2}}\.")


def _of_sentence(game: AnyGame, state: Any, sentence: str, name: str, *, heading: bool) -> Turn | None:
    kind_words = is_kind(sentence) and not game.names_in(state, f"x {_SIGNED.sub('', sentence)}")
    if len(sentence) > _MAX or kind_words or (_ONLY_SIGNS.fullmatch(sentence) and "?" not in sentence):
        return None
    said = _without_own(_without_harmless(sentence), name)
    if (kind := _by_hard(said)) or (kind := _by_name(game, said, name)):
        return kind
    if heading:
        return None if _is_heading(said) else "unread"
    if not _WORD.search(_pattern("courtesy", "words").sub(" ", said)):
        return None
    named = game.names_in(state, _SIGNED.sub("", sentence))
    if _only_claims(sentence, said) or (not named and is_courtesy(sentence)):
        return None
    weak = _by_weak(said)
    about = bool(named) or game.is_about(state, said)
    if about or (_search("about", "orders", said) and (weak or not _has_stem("chat", "life", said))):
        return weak or ("question" if "?" in sentence else "unread")
    length = len(_WORD.findall(sentence))
    if _counts(said, length, about=about):
        return weak or "unread"
    return None if _is_chat(sentence, said, length, weak) else weak or ("question" if "?" in sentence else "unread")


def _without_own(said: str, name: str) -> str:
    """A text without the name of the match itself, which turns nothing."""
    return re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", " ", said) if name and name in said else said


def _only_claims(sentence: str, said: str) -> bool:
    """Whether something harmless is said of whole names, and nothing else: "Mu is mine!"."""
    rest = _WORD.findall(_pattern("courtesy", "words").sub(" ", said))
    named = {fold(word) for word in _WORD.findall(sentence) if word[:1].isupper() and not word.isupper()}
    return ";" in said and len(rest) <= _NAMES and all(word in named for word in rest)


def _is_heading(said: str) -> bool:
    """Whether a line that announces orders says nothing else of them."""
    return set(_WORD.findall(_pattern("courtesy", "words").sub(" ", said))) <= frozenset(phrases("chat", "heading"))


def _is_chat(sentence: str, said: str, length: int, weak: Turn | None) -> bool:
    """Whether a sentence that names nothing of the game is known to be about something else: about life, whatever weak
    words it has, or as people greet, ask each other and brag, without any word that points back."""
    whole = _folded(sentence.replace("’", "'"))
    if _has_stem("chat", "life", whole):
        return length > _POINTED or not _points("this", said)
    if opening := _opening().search(whole):
        rest = said.replace(opening[1], " ", 1)
        return not _points("it", rest) and _by_weak(rest) in (None, "negation")
    if _points("it", said):
        return False
    if ";" in said and weak is None and _is_heading(said):
        return True  # nothing of weight beside what is harmless: "That's all for today"
    return weak in (None, "negation" if _search("about", "you", said) else None) and _has_stem("chat", "moods", said)


def _points(kind: str, said: str) -> bool:
    """Whether a word such as "this" points back; it does not where it stands before a word of chat: "this weather"."""
    if _search("about", kind, said) is None:
        return False
    behind = (said[found.end() :] for found in _pattern("about", kind).finditer(said))
    words = (_WORD.search(text) for text in behind)
    return not all(word and (_is_of(_stems("chat", "life")[0] | _stems("chat", "moods")[0], word[0])) for word in words)


@cache
def _opening() -> re.Pattern[str]:
    return compiled(rf"(?:^|[,;:–—-] ?)\W*({alternatives(phrases('chat', 'openings'))})(?![\w'-])")


def _by_hard(said: str) -> Turn | None:
    return next((kind for kind in _KINDS if _search("hard", kind, said) or _has_stem("stems", kind, said)), None)


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


def _counts(said: str, length: int, *, about: bool) -> bool:
    """Whether a number in a sentence may be one of pieces: `2*`, `3 -> 2`."""
    if _NUMBER.search(said) and (length <= _COUNTED or about):
        return True
    words = set(_pattern("numbers", "words").findall(said))
    return bool(words) and (length <= 2 or about or (length <= _FEW and bool(words - _PRONOUNS)))
