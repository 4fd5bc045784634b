"""The words of an everyday sentence about orders, as `lexicon/*.toml` has them; one that is not there explains nothing.

Normal text comes here, of one sentence. The longest phrase that fits counts, and an area where one can stand.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import product, takewhile
from pathlib import Path
from typing import Any

from pbem.games.ozymandia.areas import Names
from pbem.patterns import compiled
from pbem.resources import read_made, read_toml, written
from pbem.values import NamedTuple

COUNTS = frozenset(("number", "all", "all_but", "both", "rest", "half"))
"""What says how many pieces."""

_COUNTING = COUNTS | {"pieces"}
IDLE = frozenset(("filler", "asking"))
"""What says nothing."""
BETWEEN = frozenset(("and", "label"))
"""What parts clauses."""
_BESIDE_COUNTS = (
    "area",
    "bomb",
    "drop",
    "new",
    "reinforce",
    "stay",
    "pass",
    "no_move",
    "no_bomb",
    "each",
    "times",
    "them",
)
OF_ORDERS = COUNTS.union(_BESIDE_COUNTS, ("never",))
"""What is in no remark."""
_MOST_WORDS = 8  # of a phrase of the lexicon
_ALTERNATIVES = compiled(r"[()]")
_TOKEN = compiled(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[-=~]*>+|[→⇒➡⟶➔➜]|[-‐–—−]|[^\w\s]")
_ARROW = compiled(r"[-=~]*>+|[→⇒➡⟶➔➜]")
_DOTTED = compiled(r"\b([A-Za-z])\. ?([Cc])\b\.?")
_RUSSIAN_A = compiled(r", a (?=[а-яё])")  # "but", which looks like an area
_COUNTED = compiled(r"\((\w+(?: \w+){0,3})\)")
_RELATIVE = compiled(r", (?=(?:was|wo|where|кто)\b)")  # a comma that parts nothing: "alle da, wo sie sind"
_SIGNS = {
    ",": "and",
    ";": "and",
    "&": "and",
    "+": "and",
    "/": "and",
    "|": "and",
    "、": "and",
    ":": "label",
    "💣": "bomb",
}
_DASHES = frozenset("-‐–—−")
_DASH = "—"  # what one between blanks becomes
_APART = compiled(r"(?<= )[-‐–−](?= )")
_DROPPED = frozenset('.!"“”„«»*_`')
_BESIDE = COUNTS | {
    "to",
    "from",
    "place",
    "on",
    "attack",
    "pieces",
    "new",
    "reinforce",
    "bomb",
    "each",
}  # before an area
_LONG = 5  # letters of an area's name at least that has people
_MOST_PIECES = 60  # of a sentence


class Word(NamedTuple):
    """A piece of a sentence: what it says, its number or area if it has one ("" if not), as it is written."""

    kind: str
    value: int | str
    text: str


MADE = "everyday"
"""What the build calls what it makes of the files."""


@cache
def lexicon() -> tuple[Mapping[str, Word], frozenset[str]]:
    """What each phrase says, in small letters with its words apart, and the first words of all phrases."""
    made = _made()
    words = ((Word(*said), phrases) for *said, phrases in made["words"])
    return {phrase: word for word, phrases in words for phrase in phrases}, frozenset(made["first"])


@cache
def _table(name: str) -> frozenset[str]:
    """Words of a table without kinds: those that close a clause, "rückt in A ein", or with which a sentence asks."""
    return frozenset(_made()["tables"].get(name, ()))


@cache
def _made() -> Mapping[str, Any]:
    """What the build has found, or what the files say where it has not: some ten thousand phrases, by what they say."""
    return read_made(MADE, _texts()) or _found()


def written_words() -> str:
    """What the files say, for the build."""
    return written(_found(), _texts())


def _texts() -> list[str]:
    paths = sorted(Path(__file__).with_name("lexicon").glob("*.toml"))
    return [path.read_text(encoding="utf-8") for path in (*paths, Path(__file__))]


def _found() -> dict[str, Any]:
    files = [*map(read_toml, _texts()[:-1])]
    names = {name for file in files for name, found in file.items() if isinstance(found, list)}
    phrases = _phrases(files)
    words: dict[Word, list[str]] = {}
    for phrase, word in phrases.items():
        words.setdefault(word, []).append(phrase)
    return {
        "words": [[*word, phrases] for word, phrases in words.items()],
        "first": sorted({text.partition(" ")[0] for text in phrases}),
        "tables": {name: [text for file in files for text in file.get(name, ())] for name in names},
    }


def _phrases(files: Sequence[Mapping[str, Any]]) -> dict[str, Word]:
    found: dict[str, Word] = {}  # the first of two tables counts
    for file in reversed(files):
        for kind, texts in reversed(file["words"].items()):
            found |= dict.fromkeys((_key(one) for text in texts for one in _spelt(text)), Word(kind, "", ""))
        found |= {_key(text): Word("number", number, text) for text, number in file["numbers"].items()}
    for text in [text for text in found if "'" in text and not text.startswith("we're")]:  # which is no "were"
        found.setdefault(text.replace("'", ""), found[text])  # as telephones have it: "im off to Mu"
    return found


def _spelt(text: str) -> Iterable[str]:
    """The phrases of one with alternatives: "walk(s/ing/)" is "walks", "walking" and "walk"."""
    if "(" not in text:
        return (text,)
    return map("".join, product(*(part.split("/") for part in _ALTERNATIVES.split(text))))


def _key(text: str) -> str:
    small = " ".join(text.casefold().split())
    return small if small.replace(" ", "").isalpha() else " ".join(_TOKEN.findall(small))


def words_of(names: Names, sentence: str, *, tolerant: bool = False) -> list[Word] | None:
    """A sentence word by word, fillers left out; None if it asks, or if a word is not known or in no orders. Where this
    is `tolerant`, all words are kept as they are written."""
    pieces = _pieces_of(sentence)
    if not 0 < len(pieces) <= _MOST_PIECES or pieces[0].casefold() in _table("asks"):
        return None
    said, whole = list[Word](), list[Word]()
    at = 0
    while at < len(pieces):
        word, size = _next(names, pieces, at, said)
        if not tolerant and (word is None or word.kind == "never"):
            return None
        here, size = ([word], size) if word else _misspelt(names, pieces, at)
        said += [one for one in here if one.kind not in IDLE]
        if tolerant:
            text = " ".join(pieces[at : at + size])
            whole += [one._replace(text=pieces[at] if one.kind == "slip" else text) for one in here]
        elif at + size == len(pieces) and here[-1].kind in IDLE and said and said[-1].text == ",":
            said.pop()  # "..., nothing else": only fillers stand behind it
        at += size
    return None if any(map(_is_limit, said, said[1:])) else whole if tolerant else said


def _pieces_of(sentence: str) -> list[str]:
    """The words and signs of a sentence; none if it asks."""
    text = _DOTTED.sub(r"\1\2", sentence.replace("’", "'").replace("×", "x").replace("\ufe0f", "")).strip()
    text = _COUNTED.sub(_opened, _RELATIVE.sub(" ", _RUSSIAN_A.sub(", а ", _APART.sub(_DASH, text))))
    if text.endswith("?"):
        if not _asking().match(text):
            return []
        text = text.rstrip("? ")
    if text[:1] == "(" and text[-1:] == ")":
        text = text[1:-1]
    return _TOKEN.findall(re.sub(r"^(?:\(?[\da-z][.)]\)?|[-–—*•◦·§]) +|^\(\d\) ?", "", text))


def _opened(bracket: re.Match[str]) -> str:
    """What stands in brackets that only says how many: "those in A (all three)"."""
    pieces = [piece for piece in bracket[1].split() if not piece.isdigit()]
    if not pieces:
        return bracket[0]
    word, size = _phrase(pieces, 0, ())
    rest, length = _phrase(pieces, size, ()) if 0 < size < len(pieces) else (word, 0)
    said = word is not None and rest is not None and {word.kind, rest.kind} <= _COUNTING
    return f" {bracket[1]} " if said and size + length == len(pieces) else bracket[0]


def _misspelt(names: Names, pieces: Sequence[str], at: int) -> tuple[list[Word], int]:
    """What is not known: an area whose name has a slip of the pen, or anything; and how many pieces it takes."""
    for size in (2, 1):
        part = pieces[at : at + size]
        if len(part) == size and all(map(str.isalpha, part)) and (area := names.with_a_slip(" ".join(part))):
            return [Word("slip", "", ""), Word("area", area, "")], size
    return [Word("unknown", "", "")], 1


def table(name: str) -> tuple[str, ...]:
    """Words or endings that stand in a table of their own."""
    return tuple(_table(name))


def _is_limit(word: Word, behind: Word) -> bool:
    """Whether words say how many at most, which looks like where to: "up to 2"."""
    return word.kind == "to" and behind.kind == "number"


@cache
def _asking() -> re.Pattern[str]:
    """Finds how a request begins that is put as a question: "Could you move ...?"."""
    found, _ = lexicon()
    asking = [text for text, word in found.items() if word.kind == "asking"]
    return compiled(rf"(?:{'|'.join(map(re.escape, sorted(asking, key=len, reverse=True)))})\b", re.I)


def holds_back(text: str) -> bool:
    """Whether any words of a text say that pieces stay where they are, that nothing is done, or speak of no orders."""
    pieces = _TOKEN.findall(text)
    found = (_phrase(pieces, at, ())[0] for at in range(len(pieces)))
    return any(word.kind in ("stay", "pass", "no_move", "no_bomb", "never", "half") for word in found if word)


def _next(names: Names, pieces: Sequence[str], at: int, before: Sequence[Word]) -> tuple[Word | None, int]:
    """The word that begins at a piece, and how many pieces it takes."""
    piece = pieces[at]
    if piece == "(" and "".join(pieces[at + 2 : at + 3]) == ")" and pieces[at + 1].isdigit():
        return _number_again(pieces[at + 1], before), 3
    if piece.isdigit() and before and "".join(pieces[at + 1 : at + 2]) == ")":
        return Word("and", "", piece), 2  # ... 2) 1 W to U
    if piece.isdigit():
        return (Word("number", int(piece), piece) if len(piece) < 4 else None), 1
    if _ARROW.fullmatch(piece):
        return Word("to", "", piece), 1
    if piece in _DASHES and at:
        return _hyphen(pieces, at, before), 1
    if piece == "(" and before and before[-1].kind == "area":
        return _repeated(names, pieces, at, before[-1])
    if piece in _DROPPED:
        return Word("filler", "", piece), 1
    if piece in _SIGNS:
        return Word(_SIGNS[piece], "", piece), 1
    phrase, length = _phrase(pieces, at, before)
    area, size = _area(names, pieces, at)
    ends = phrase is not None and phrase.kind == "and" and at + 1 == len(pieces)  # 2 W u
    if area and (not phrase or size >= length) and (ends or _may_be_area(piece, pieces, at + size, before, size)):
        return Word("area", area, piece), size
    return (phrase, max(length, 1)) if length > 1 or not _leaves(pieces, at) else (Word("stay", "", piece), 1)


def _leaves(pieces: Sequence[str], at: int) -> bool:
    """Whether a word says that so many stay: "leave one in A"; "two leave A" go away, and so do who are let go."""
    return pieces[at].casefold() in _table("leaving") and _counts(pieces, at + 1) and not _go(pieces, at + 1)


def _go(pieces: Sequence[str], at: int) -> bool:
    """Whether a verb of moving stands behind a place, in the same clause: "let 3 from A walk to M"."""
    clause = takewhile(lambda n: not _ends(pieces, n), range(at, len(pieces)))
    found = (_phrase(pieces, n, ())[0] for n in clause)
    return any(phrase is not None and phrase.kind in ("move", "to") for phrase in found)


def _counts(pieces: Sequence[str], at: int) -> bool:
    """Whether a place says how many."""
    if at == len(pieces) or pieces[at].isdigit():
        return at < len(pieces)
    phrase, _ = _phrase(pieces, at, ())
    return phrase is not None and phrase.kind in COUNTS


def _hyphen(pieces: Sequence[str], at: int, before: Sequence[Word]) -> Word | None:
    """A hyphen: that of "A-M" or of "Wyvernia-Leute" behind an area or a number, else a dash."""
    if not before or before[-1].kind not in ("area", "number"):
        return Word("and", "", pieces[at]) if pieces[at] == _DASH else None
    if at + 1 == len(pieces):
        return None
    if pieces[at + 1].isdigit() and before[-1].kind == "area" and _is_dash("".join(pieces[at + 2 : at + 3])):
        return Word("filler", "", pieces[at])  # A-3-M
    behind, _ = _phrase(pieces, at + 1, ())
    return Word("filler" if behind and behind.kind == "pieces" else "to", "", pieces[at])


def _is_dash(piece: str) -> bool:
    return piece in _DASHES or _ARROW.fullmatch(piece) is not None


def _phrase(pieces: Sequence[str], at: int, before: Sequence[Word]) -> tuple[Word | None, int]:
    """The longest phrase of the lexicon that begins at a piece."""
    found, first = lexicon()
    if (
        pieces[at].casefold() in _table("closing")
        and before
        and before[-1].kind in ("area", "move")
        and _ends(pieces, at + 1)
    ):
        return Word("filler", "", pieces[at]), 1
    words = [piece.casefold() for piece in pieces[at : at + _MOST_WORDS]]
    if words[0] not in first:
        return None, 0
    longest = ((" ".join(words[:n]), n) for n in range(len(words), 0, -1))
    return next(((found[text], n) for text, n in longest if text in found), (None, 0))


def _area(names: Names, pieces: Sequence[str], at: int) -> tuple[str, int]:
    """The area that begins at a piece: a code, a full name, or a beginning of four letters."""
    for size in (4, 3, 2, 1):
        part = list(map(names.in_latin, pieces[at : at + size]))
        text = " ".join(part).replace(" - ", "-")
        if len(part) == size and part[0][0].isalpha() and part[-1][0].isalpha() and names.knows(text):
            short = len(text) < 4 and text.casefold() not in names.exact and text not in names.exact
            return ("", 0) if short else (names.find(text)[0], size)
    if (owner := pieces[at].removesuffix("'s")) != pieces[at] and owner.isupper() and owner in names.exact:
        return names.find(owner)[0], 1  # A's three guys
    home = _people().sub("", pieces[at])
    return (names.find(home)[0], 1) if len(home) >= _LONG and names.knows(home) else ("", 0)


@cache
def _people() -> re.Pattern[str]:
    """Finds how the name of an area ends where it is that of its people: Wyvernians."""
    return compiled(rf"(?:{'|'.join(sorted(_table('people'), key=lambda end: (-len(end), end)))})$")


def _may_be_area(piece: str, pieces: Sequence[str], after: int, before: Sequence[Word], size: int) -> bool:
    """Whether a letter that could be a word, such as "a", stands where an area does."""
    if size > 1 or len(piece) > 1:
        return True
    if piece.isupper() and after > size and pieces[after - size - 1].casefold() in _table("determiners"):
        return True  # the A crew
    follows = pieces[after].casefold() if after < len(pieces) else ""
    ends = _ends(pieces, after) or follows in ("to", "nach", "-", "x")
    listed = [word.kind for word in before[-2:]] == ["area", "and"] and piece.isupper()  # all from M and W together
    if piece.isupper() and piece.isascii() and piece.casefold() not in _table("letters"):
        return True
    beside = listed or (bool(before) and before[-1].kind in _BESIDE) or (piece.isupper() and _acts(pieces, after))
    return beside or (
        piece.isupper() and (ends or bool(_ARROW.fullmatch(follows)) or follows.isdigit() or follows == "(")
    )


def _acts(pieces: Sequence[str], at: int) -> bool:
    """Whether a verb stands at a place: of an area whose pieces do something, `W sends 1 to U`, `A all to M`."""
    phrase, size = _phrase(pieces, at, ()) if at < len(pieces) else (None, 0)
    if phrase is not None and phrase.kind == "all" and pieces[at - 1].isascii():  # not "А все в M": "But all to M"
        return _acts(pieces, at + size)
    return phrase is not None and phrase.kind in ("move", "attack", "to")


def _ends(pieces: Sequence[str], at: int) -> bool:
    """Whether a clause ends before a piece."""
    follows = pieces[at].casefold() if at < len(pieces) else ""
    return not follows or follows in _SIGNS or follows in _DROPPED or follows in ("и", "and", "und")


def _number_again(number: str, before: Sequence[Word]) -> Word:
    """A number in brackets: of the pieces, or the one that stands before it in words."""
    said = any(word.kind == "number" and word.value == int(number) for word in before[-2:])
    return Word("filler" if said else "number", "" if said else int(number), number)


def _repeated(names: Names, pieces: Sequence[str], at: int, area: Word) -> tuple[Word | None, int]:
    """A code in brackets behind the name of the same area: Wyvernia (W)."""
    inside = pieces[at + 1 : at + 3]
    same = len(inside) == 2 and inside[1] == ")" and names.find(inside[0]) == (area.value,)
    return (Word("filler", "", "("), 3) if same else (None, 1)
