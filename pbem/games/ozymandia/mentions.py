"""What a text in everyday words names: areas, and how many pieces; and what surrounds each, for a model to judge.

All other words stand for themselves: which of them matter, training has found (`tools/train_guess.py`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.ozymandia.areas import Names, names_of
from pbem.games.ozymandia.state import State
from pbem.games.words import words_in

_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[-=~]*>+|[→⇒➡⟶➔➜]|[-‐–—−]+|[^\w\s]")
_DOTTED = re.compile(r"\b([A-Za-z])\. ?([Cc])\b\.?")
_PEOPLE = re.compile(r"(?:'s|n|ns|ans|ian|ians|s|er|ern|ы|и|у|е|ю|ой|ом|ам|ах)$")
"""How the name of an area ends where it is declined, or is that of its people: Wyvernians."""
_FAR = 6  # words on either side that may tell what an area is named for
_ROOT = 4  # letters of a word that tell it by its root
_MOST_DIGITS = 2
_TO = 2
_LONG = 5  # letters of a name that may be declined
_WIDE = 3  # tokens of a name
_PARTS = (3, 4, 5)  # letters of a part of a word


class Mention(NamedTuple):
    """An area (its code) or a count (a number, or `all`, `both`, `half`, `rest`, `each`) and which tokens name it.

    Whether one that is not `sure` is named at all is for the model to say: "a", "one", "all" are words, too. A count
    `of_them` may be of those from whom some are taken: two of the three.
    """

    value: str | int
    start: int
    end: int
    sure: bool
    is_area: bool
    of_them: bool = False


class Named(NamedTuple):
    """The tokens of a text, in small letters and with areas and numbers in one form each, and what it names."""

    tokens: tuple[str, ...]
    mentions: tuple[Mention, ...]


def named_in(state: State, text: str) -> Named:
    """What a text names, in its order."""
    written = _TOKEN.findall(_DOTTED.sub(r"\1\2", text.replace("’", "'")))
    found = _without_to([*_mentions(names_of(state.board), written)])
    tokens = [token.casefold() for token in written]
    for one in found:
        if one.is_area or isinstance(one.value, int):
            form = "<area>" if one.is_area else "<number>"
            tokens[one.start : one.end] = [form, *[""] * (one.end - one.start - 1)]
    return Named(tuple(tokens), found)


def _without_to(found: Sequence[Mention]) -> tuple[Mention, ...]:
    """Mentions without a 2 between two areas that sounds like "to", if others count: "1 w 2 wc"."""
    counts = [one for one in found if not one.is_area]
    between = [
        one
        for before, one, behind in zip(found, found[1:], found[2:], strict=False)
        if one.value == _TO
        and before.is_area
        and behind.is_area
        and before.end == one.start
        and one.end == behind.start
    ]
    return tuple(one for one in found if one not in between or len(between) == len(counts))


def _mentions(names: Names, tokens: Sequence[str]) -> Iterator[Mention]:
    at, last = 0, None
    while at < len(tokens):
        found = next((one for size in range(_WIDE, 0, -1) if (one := _area(names, tokens, at, at + size))), None)
        found = found or _count(tokens, at)
        if found and not _is_repeated(tokens, found, last):
            yield found
            last = found
        at = found.end if found else at + 1


def _area(names: Names, tokens: Sequence[str], start: int, end: int) -> Mention | None:
    part = tokens[start:end]
    if len(part) < end - start or not all(one[0].isalpha() or (one in "-‐" and part[-1] != one) for one in part):
        return None
    between = "" if all(len(one) == 1 for one in part) else " "  # W C
    text = between.join(map(names.in_latin, part)).replace(" - ", "-")
    behind = "".join(tokens[end : end + 1])
    if text == "a" and behind.isalpha() and behind not in function_words("origin", "target", "place", "and"):
        return None  # an article
    found = names.find(text)
    is_code, is_name = text.upper() in names.board.areas, text.casefold() in names.exact
    if len(found) == 1 and (is_code or is_name or len(text) > _WIDE):
        starts = start == 0 or tokens[start - 1] in ".!?"
        word = text in ("A", "I") and (starts or text == "I") and "".join(tokens[end : end + 1]).islower()
        return Mention(found[0], start, end, sure=not text.islower() and not word, is_area=True)
    if end - start > 1 or len(text) < _LONG:
        return None
    home = _PEOPLE.sub("", text)
    code = names.find(home)[0] if len(home) >= _LONG and names.knows(home) else names.with_a_slip(text)
    return Mention(code, start, end, sure=True, is_area=True) if code else None


def _is_repeated(tokens: Sequence[str], one: Mention, before: Mention | None) -> bool:
    """Whether a code in brackets only says again what stands before them: Wyvernia (W)."""
    return before is not None and before.value == one.value and tokens[before.end : one.start] == ["("]


def _count(tokens: Sequence[str], at: int) -> Mention | None:
    token, of_them = tokens[at], at > 0 and tokens[at - 1].casefold() in function_words("origin", "article")
    if token.isdigit():
        short = len(token) <= _MOST_DIGITS
        return Mention(int(token), at, at + 1, sure=True, is_area=False, of_them=of_them) if short else None
    value = _counts().get(token.casefold())
    if value is None or (value == 1 and all(not one[0].isalnum() for one in tokens[at + 1 :])):
        return None  # "... rücken in Mu ein"
    return Mention(value, at, at + 1, sure=value not in _WORDS, is_area=False, of_them=of_them)


_WORDS = (1, "all", "both", "half", "rest", "each")
"""Counts whose words say other things, too."""


@cache
def function_words(*kinds: str) -> frozenset[str]:
    """The function words of some kinds in all languages."""
    found = words_in(Path(__file__).parent, "function")
    return frozenset(word for kind in kinds for word in found[kind])


@cache
def _counts() -> Mapping[str, str | int]:
    tables = words_in(Path(__file__).parent, "counts")
    return {word: int(value) if value.isdigit() else value for value, words in tables.items() for word in words}


def around(state: State, seat: Seat, named: Named, one: Mention) -> list[str]:
    """The features of a mention: the words beside it, and, of an area, what is there and next to it."""
    before = [_at(named, at) for at in range(one.start - 1, one.start - 1 - _FAR, -1)]
    behind = [_at(named, at) for at in range(one.end, one.end + _FAR)]
    found = [
        f"{side}{at}={word}" for side, words in (("<", before), (">", behind)) for at, word in enumerate(words[:3])
    ]
    found += [f"<<{before[1]} {before[0]}", f">>{behind[0]} {behind[1]}", f"<>{before[0]} {behind[0]}"]
    for side, words in (("<", before), (">", behind)):
        for word in words:
            found += [f"{side}{word}", f"{side}{word[:_ROOT]}-"] if len(word) > _ROOT else [f"{side}{word}"]
            if word == "<area>":
                break
    return found + (_of_area(state, seat, named, one) if one.is_area else _of_count(named, one))


def _at(named: Named, at: int) -> str:
    return named.tokens[at] if 0 <= at < len(named.tokens) else "|"


def _of_area(state: State, seat: Seat, named: Named, one: Mention) -> list[str]:
    areas = [other for other in named.mentions if other.is_area]
    at, own, beside = areas.index(one), state.pieces[seat], state.board.adjacent[str(one.value)]
    found = [f"{at} of {len(areas)}", f"city {one.value in state.board.cities}", f"own {one.value in own}"]
    for name, other in (("before", areas[at - 1 : at] if at else []), ("behind", areas[at + 1 : at + 2])):
        found += [f"{name} {other[0].value in own} {one.value in own} {other[0].value in beside}"] if other else []
    return [*found, f"again {any(other.value == one.value for other in areas[:at])}", f"sure {one.sure}"]


def _of_count(named: Named, one: Mention) -> list[str]:
    counts = [other for other in named.mentions if not other.is_area]
    areas = [other for other in named.mentions if other.is_area]
    return [
        f"={one.value}",
        f"{counts.index(one)} of {len(counts)}",
        f"areas {sum(other.start < one.start for other in areas)} of {len(areas)}",
        f"counts before {[str(other.value) for other in counts if other.start < one.start][-1:]}",
    ]


def words_of(named: Named) -> frozenset[str]:
    """The words of a text, names and numbers aside."""
    return frozenset(token for token in named.tokens if token[:1].isalpha())


def said_in(named: Named) -> set[str]:
    """The features of a whole text: its words, those beside each other, parts of words, and what stands before its
    first and behind its last name."""
    tokens = [token for token in named.tokens if token]
    bounded = ["|", *tokens, "|"]
    found = {
        *tokens,
        *map(" ".join, pairwise(bounded)),
        *map(" ".join, zip(bounded, bounded[1:], bounded[2:], strict=False)),
    }
    for word in (f"^{token}$" for token in tokens if token[0].isalpha()):
        found.update(word[at : at + size] for size in _PARTS for at in range(len(word) - size + 1))
    if places := [at for at, token in enumerate(tokens) if token in ("<area>", "<number>")]:
        found.update(f"{token}|" for token in tokens[: places[0]])
        found.update(f"|{token}" for token in tokens[places[-1] + 1 :])
    return found
