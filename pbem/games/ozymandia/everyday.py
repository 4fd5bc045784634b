"""The words of an everyday sentence about orders, as `lexicon/*.toml` has them; one that is not there explains nothing.

Normal text comes here, of one sentence. The longest phrase that fits counts, and an area where one can stand.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pbem.games.ozymandia.areas import Names
from pbem.patterns import compiled
from pbem.resources import read_toml

COUNTS = frozenset(("number", "all", "all_but", "both", "rest"))
"""What says how many pieces."""

_MOST_WORDS = 8  # of a phrase of the lexicon
_TOKEN = compiled(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[-=~]*>+|[→⇒➡⟶➔➜]|[-‐–—−]|[^\w\s]")
_ARROW = compiled(r"[-=~]*>+|[→⇒➡⟶➔➜]")
_DOTTED = compiled(r"\b([A-Za-z])\. ?([Cc])\b\.?")
_RUSSIAN_A = compiled(r", a (?=[а-яё])")  # "but", which looks like an area
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
_MOST_PIECES = 60  # of a sentence


class Word(NamedTuple):
    """A piece of a sentence: what it says, its number or area if it has one ("" if not), as it is written."""

    kind: str
    value: int | str
    text: str


@cache
def lexicon() -> tuple[Mapping[tuple[str, ...], Word], frozenset[str]]:
    """What each phrase says, word by word in small letters, and the first words of all phrases."""
    found: dict[tuple[str, ...], Word] = {}
    for path in sorted(Path(__file__).with_name("lexicon").glob("*.toml")):
        file = read_toml(path.read_text(encoding="utf-8"))
        for text, number in file["numbers"].items():
            found.setdefault(_key(text), Word("number", number, text))
        for kind, texts in file["words"].items():
            for text in texts:
                found.setdefault(_key(text), Word(kind, "", text))
    return found, frozenset(key[0] for key in found)


@cache
def _closing() -> frozenset[str]:
    """The words that close a clause and belong to its verb: "rückt in A ein"."""
    files = (path.read_text(encoding="utf-8") for path in Path(__file__).with_name("lexicon").glob("*.toml"))
    return frozenset(text for file in files for text in read_toml(file).get("closing", ()))


def _key(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text.casefold().replace("’", "'")))


def words_of(names: Names, sentence: str) -> list[Word] | None:
    """A sentence word by word, fillers left out; None if a word is not known."""
    text = _DOTTED.sub(r"\1\2", sentence.replace("’", "'").replace("\ufe0f", "")).strip()
    text = _RELATIVE.sub(" ", _RUSSIAN_A.sub(", а ", text))
    if text.endswith("?"):
        if not _asking().match(text):
            return None
        text = text.rstrip("? ")
    if text[:1] == "(" and text[-1:] == ")":
        text = text[1:-1]
    pieces = _TOKEN.findall(re.sub(r"^(?:\(?[\da-z][.)]\)?|[-–—*•◦·§]) +|^\(\d\) ?", "", text))
    if not 0 < len(pieces) <= _MOST_PIECES:
        return None
    found: list[Word] = []
    at = 0
    while at < len(pieces):
        word, size = _next(names, pieces, at, found)
        if word is None or word.kind == "never":
            return None
        if word.kind not in ("filler", "asking"):
            found.append(word)
        elif at + size == len(pieces) and found and found[-1].text == ",":
            found.pop()  # "..., nothing else": only fillers stand behind it
        at += size
    return found


@cache
def _asking() -> re.Pattern[str]:
    """Finds how a request begins that is put as a question: "Could you move ...?"."""
    found, _ = lexicon()
    asking = [" ".join(key) for key, word in found.items() if word.kind == "asking"]
    return compiled(rf"(?:{'|'.join(map(re.escape, sorted(asking, key=len, reverse=True)))})\b", re.I)


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
    if piece in "-‐–—−" and before and before[-1].kind in ("area", "number"):
        return (Word("to", "", piece) if at + 1 < len(pieces) else None), 1
    if piece == "(" and before and before[-1].kind == "area":
        return _repeated(names, pieces, at, before[-1])
    if piece in _DROPPED:
        return Word("filler", "", piece), 1
    if piece in _SIGNS:
        return Word(_SIGNS[piece], "", piece), 1
    phrase, length = _phrase(pieces, at, before)
    area, size = _area(names, pieces, at)
    if area and (not phrase or size >= length) and _may_be_area(piece, pieces, at + size, before, size):
        return Word("area", area, piece), size
    return phrase, max(length, 1)


def _phrase(pieces: Sequence[str], at: int, before: Sequence[Word]) -> tuple[Word | None, int]:
    """The longest phrase of the lexicon that begins at a piece."""
    found, first = lexicon()
    if pieces[at].casefold() in _closing() and before and before[-1].kind in ("area", "move") and _ends(pieces, at + 1):
        return Word("filler", "", pieces[at]), 1
    words = tuple(piece.casefold() for piece in pieces[at : at + _MOST_WORDS])
    if words[0] not in first:
        return None, 0
    return next(((found[words[:n]], n) for n in range(len(words), 0, -1) if words[:n] in found), (None, 0))


def _area(names: Names, pieces: Sequence[str], at: int) -> tuple[str, int]:
    """The area that begins at a piece: a code, a full name, or a beginning of four letters."""
    for size in (4, 3, 2, 1):
        part = pieces[at : at + size]
        text = " ".join(part).replace(" - ", "-")
        if len(part) == size and part[0][0].isalpha() and part[-1][0].isalpha() and names.knows(text):
            short = len(text) < 4 and text.casefold() not in names.exact and text not in names.exact
            return ("", 0) if short else (names.find(text)[0], size)
    return "", 0


def _may_be_area(piece: str, pieces: Sequence[str], after: int, before: Sequence[Word], size: int) -> bool:
    """Whether a letter that could be a word, such as "a", stands where an area does."""
    if size > 1 or len(piece) > 1:
        return True
    follows = pieces[after].casefold() if after < len(pieces) else ""
    ends = _ends(pieces, after) or follows in ("to", "nach", "-", "x")
    listed = [word.kind for word in before[-2:]] == ["area", "and"] and piece.isupper()  # all from M and W together
    beside = listed or (bool(before) and before[-1].kind in _BESIDE)
    return beside or (piece.isupper() and (ends or bool(_ARROW.fullmatch(follows)) or follows.isdigit()))


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
