"""Names of counters and points as people write them: codes, names, words of names, kinds, beginnings (ozz §14); and the
order words of all languages as phrases, from the patterns of `words/*.toml`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from pbem.games.ozz.data import Data
from pbem.games.spelling import folded, latin
from pbem.games.words import word_files, words_in

LEAST = 3  # characters of a beginning that stands for a name
_WORD = 4  # characters of a word that stands for the name it is of
_SLIPS = 2  # letters that a misspelt name has too many or too few
LONGEST = 7  # words and signs of a name, articles included
_SILENT = frozenset(("the", "of", "unit", "units", "regiment", "regiments", "my", "our"))
_ORDINALS = {
    f"{number}{ending}": str(number) for number in range(1, 10) for ending in ("st", "nd", "rd", "th", "te", "")
}


class Meant(NamedTuple):
    """The counters that a text may mean: by its whole name, and by less; `several` where the plural stands for all."""

    whole: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    several: bool = False


NOBODY = Meant()


class Names:
    """The names of a data set."""

    def __init__(self, data: Data) -> None:
        self.counters, self.points = data.counters, data.points
        self.same = _same_names({code: card.name for code, card in data.counters.items()})
        """The counters of the same name, but for its number."""
        self._whole: dict[str, str] = {}
        self._less: dict[str, set[str]] = {}
        for code, card in data.counters.items():
            words, number = _split(card.name)
            self._whole[_joined(words, number)] = code
            for some in _parts(words, _long_words(card.name)):
                self._less.setdefault(_joined(some, ""), set()).add(code)
                if number:
                    self._less.setdefault(_joined(some, number), set()).add(code)
        for phrase, kind in kinds().items():
            of_kind = {code for code, card in data.counters.items() if card.kind == kind and not card.intrinsic}
            self._less.setdefault(_joined(*_split(phrase)), set()).update(of_kind)
        self._points: dict[str, set[str]] = {}
        for point in data.points.values():
            words, number = _split(point.name)
            for some in _parts(words, _long_words(point.name)):
                self._points.setdefault(_joined(some, number), set()).add(point.code)
            self._points[_joined(words, number)] = {point.code}
        self.find = lru_cache(maxsize=8192)(self._find)
        self.nearest = lru_cache(maxsize=2048)(self._nearest)
        self.find_points = lru_cache(maxsize=4096)(self._find_points)

    def spellings(self) -> Iterator[str]:
        """All texts that mean counters, in small letters, without genitives, plurals but for the last word."""
        for key in (*self._whole, *self._less):
            yield key
            yield f"{key[:-2]}en" if key.endswith("man") else f"{key}s"
        for name in self._whole:
            yield from _beginnings(name.split()[0], LEAST)
        yield from map(str.casefold, self.counters)

    def point_spellings(self) -> Iterator[str]:
        """The same for points."""
        for key in self._points:
            yield from (key, f"{key}s")
            yield from _beginnings(key, _WORD) if " " not in key else ()
        yield from map(str.casefold, self.points)

    def _find(self, text: str) -> Meant:
        code = latin(text.upper())
        if code in self.counters:
            return Meant((code,))
        words, number = _split(text)
        if not words:
            return NOBODY
        key = _joined(words, number)
        whole = (self._whole[key],) if key in self._whole else ()
        less = set(self._less.get(key, ()))
        if not number and len(words[0]) >= LEAST and len(words) == 1:
            less |= {code for name, code in self._whole.items() if name.startswith(words[0])}
        bare = [word for word in folded(text).split() if word not in _SILENT]
        several = not number and any(word.endswith(("s", "men")) and not word.endswith("'s") for word in bare)
        return Meant(whole, tuple(code for code in self.counters if code in less), several)

    def _nearest(self, text: str, among: tuple[str, ...]) -> str | None:
        """The one of some counters whose name a text is probably a slip of."""
        words, number = _split(text)
        said = _joined(words, number)
        keys = {key: code for key, code in self._keys(among) if abs(len(key) - len(said)) <= _SLIPS}
        found = {keys[key] for key in get_close_matches(said, keys, 3, 0.75)}
        return found.pop() if len(found) == 1 else None

    def _keys(self, among: Iterable[str]) -> Iterator[tuple[str, str]]:
        for code in among:
            words, number = _split(self.counters[code].name)
            yield _joined(words, number), code
            for some in _parts(words, _long_words(self.counters[code].name)):
                yield _joined(some, ""), code
            yield code.casefold(), code

    def _find_points(self, text: str) -> tuple[str, ...]:
        code = latin(text.upper())
        if code in self.points:
            return (code,)
        words, number = _split(text)
        if not words:
            return ()
        key = _joined(words, number)
        found = self._points.get(key, set())
        if not found and len(words) == 1 and len(key) >= _WORD and not words_of(key):  # "recruit" is no point
            found = {code for name, codes in self._points.items() if name.startswith(key) for code in codes}
        return tuple(code for code in self.points if code in found)

    def nearest_point(self, text: str) -> str | None:
        """The point whose name a text is probably a slip of."""
        found = get_close_matches(_joined(*_split(text)), self._points, 1, 0.75)
        codes = self._points[found[0]] if found else set()
        return next(iter(codes)) if len(codes) == 1 else None


def _same_names(names: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    base = {code: " ".join(_split(name)[0]) for code, name in names.items()}
    return {code: frozenset(other for other in base if base[other] == base[code]) for code in base}


def _split(name: str) -> tuple[tuple[str, ...], str]:
    """The words of a name as they are compared, and its number among equal ones."""
    words, number = list[str](), ""
    for word in folded(name.replace("-", " ")).split():
        if not number and (found := _ordinal(word)):
            number = found
        elif word not in _SILENT:
            words.append(_stem(word))
    return tuple(words), number


@lru_cache(maxsize=4096)
def _ordinal(word: str) -> str:
    """The number that a word is in a row of equal names: `1st`, `first`, `2`; or none."""
    if found := _ORDINALS.get(word.rstrip(".")):
        return found
    names = words_of(word)
    return next((name[-1] for name in sorted(names) if name.startswith("nth") and name[-1].isdigit()), "")


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """A word without the genitive and the plural."""
    word = word.removesuffix("'s").removesuffix("'")
    if word.endswith("men"):
        return word[:-2] + "an"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > LEAST else word


def _long_words(name: str) -> frozenset[str]:
    """The words of a name that stand for it alone: long as they are written, `Apes`."""
    return frozenset(_stem(word) for word in folded(name.replace("-", " ")).split() if len(word) >= _WORD)


def _parts(words: Sequence[str], long: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """What stands for a name of several words: some of them, one that is long enough among them."""
    yield tuple(words)
    for size in range(1, len(words)):
        for some in combinations(words, size):
            if not long.isdisjoint(some):
                yield some


def _joined(words: Sequence[str], number: str) -> str:
    return " ".join((*words, number)) if number else " ".join(words)


@lru_cache(maxsize=8)
def names_of(data: Data) -> Names:
    """The names of a data set, collected once."""
    return Names(data)


def _beginnings(word: str, least: int) -> Iterator[str]:
    return (word[:end] for end in range(least, len(word)))


@lru_cache(maxsize=8192)
def as_spelled(text: str) -> str:
    """A name as `spellings` has it, whatever articles, genitives and kinds of numbers are in it."""
    words, number = _split(text)
    bare = [word for word in folded(text.replace("-", " ")).split() if word not in _SILENT]
    several = not number and any(word.endswith(("s", "men")) and not word.endswith(("'s", "ss")) for word in bare)
    key = _joined(words, number)
    return key if not several else f"{key[:-2]}en" if key.endswith("man") else f"{key}s"


def choose(names: Names, meant: Meant, *pools: Collection[str]) -> tuple[str, ...]:
    """The counters that are meant, of the first of several sets that has any: one if it is clear, all of a name in
    the plural, several if they cannot be told apart.
    """
    if meant.whole:
        return meant.whole
    for pool in pools:
        found = tuple(code for code in meant.less if code in pool)
        if found:
            return found
    return ()


FOLDER = Path(__file__).parent
STARTS = (
    *("retreat", "fallback", "losses", "carry", "move", "fly", "recruit", "garrison", "honors", "offer", "accept"),
    *(
        "return",
        "deploy",
        "group",
        "guard",
        "cast",
        "ring",
        "order",
        "sequence",
        "initiative",
        "evade",
        "join",
        "shoot",
    ),
    *("keep", "pass", "standing", "fight_fast", "orders_stand"),
)
"""The words with which items begin."""
_LEAST, _ALIKE = 4, 0.8  # letters of a word that may be misspelt, and how much it must be like another
_NOTHING: frozenset[str] = frozenset()


@cache
def phrases() -> Mapping[str, frozenset[str]]:
    """The order words that a phrase may be, by the phrase without capitals; kinds of counters and spells are none."""
    found: dict[str, set[str]] = {}
    for file in word_files(FOLDER):
        for name, patterns in file.items():
            for phrase in [] if isinstance(patterns, Mapping) else (one for each in patterns for one in expanded(each)):
                found.setdefault(phrase, set()).add(name)
    return {phrase: frozenset(names) for phrase, names in found.items()}


def words_of(phrase: str) -> frozenset[str]:
    """The order words that a phrase may be."""
    return phrases().get(folded(phrase), _NOTHING)


@lru_cache(maxsize=4096)
def alike(word: str) -> frozenset[str]:
    """The order words that a word, which is none, may be a slip of the pen for: `moove`."""
    verbs = [phrase for phrase, names in phrases().items() if not names.isdisjoint(STARTS) and len(phrase) >= _LEAST]
    found = get_close_matches(folded(word), verbs, 1, _ALIKE) if len(word) >= _LEAST else []
    return phrases()[found[0]] if found else _NOTHING


@cache
def kinds() -> Mapping[str, str]:
    """The kinds of counters, by what stands for them."""
    return {phrase: meant for meant, said in words_in(FOLDER, "kinds").items() for phrase in said}


@cache
def spells() -> Mapping[str, str]:
    """The names of spells, by what stands for them."""
    return {phrase: meant for meant, said in words_in(FOLDER, "spells").items() for phrase in said}


def expanded(pattern: str) -> Iterator[str]:
    """All texts that a pattern stands for: `(a|b)` one of several, `?` may be missing, ` +` a blank."""
    for text in _choices(pattern, 0)[0]:
        yield " ".join(text.split())


def _choices(pattern: str, at: int) -> tuple[list[str], int]:
    """What stands from a place on up to the end of its group, and where that is."""
    found, row = list[str](), [""]
    while at < len(pattern) and pattern[at] != ")":
        if pattern[at] == "|":
            found, row, at = found + row, [""], at + 1
            continue
        if pattern[at] == "(":
            part, at = _choices(pattern, at + 1)
        else:
            part = [pattern[at].replace("+", "")]
        at += 1
        if pattern[at : at + 1] == "?":
            part, at = [*part, ""], at + 1
        row = [before + one for before in row for one in part]
    return found + row, at
