"""The words that letters consist of: names of counters and points in every form in which people write them (§14), and
the order words of all languages, which come from the patterns in `words/*.toml`.

People may write the code of a counter, its name, a word or a prefix of its name, or its kind. A `Speller` turns a
letter into the text that the grammar reads. As words and names can be spelled in several thousand ways, each spelling
is replaced with a character that stands for it alone, and a <name> in orders.lark means a class of such characters.
Each character is padded with blanks, so that the rest of the text keeps its position.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import chain, combinations, dropwhile, takewhile
from pathlib import Path
from typing import NamedTuple

from pbem.games.base import Terminals
from pbem.games.ozz.data import Data
from pbem.games.ozz.wording import CALLED
from pbem.games.spelling import folded, latin
from pbem.games.words import word_files, words_in

LEAST = 3  # shortest prefix that can stand for a name, in characters
_WORD = 4  # shortest word of a name that can stand for the whole name, in characters
_SLIPS = 2  # largest difference in length between a misspelt name and the right one, in letters
LONGEST = 7  # the maximum number of words and symbols in a name, including articles
_SILENT = frozenset(("the", "of", "unit", "units", "regiment", "regiments", "my", "our"))
_ORDINALS = {
    f"{number}{ending}": str(number) for number in range(1, 10) for ending in ("st", "nd", "rd", "th", "te", "")
}


class Meant(NamedTuple):
    """The counters that a text may mean: `whole` contains the counter with the text as its code or full name, and
    `less` contains the counters with the text as a part of their name or as their kind. `several` is true if the text
    is a plural, which can mean more than one counter."""

    whole: tuple[str, ...] = ()
    less: tuple[str, ...] = ()
    several: bool = False


NOBODY = Meant()


class Names:
    """The names of the counters and points in a data set, with methods to find what a text means."""

    def __init__(self, data: Data) -> None:
        self.counters, self.points = data.counters, data.points
        self.same = _same_names({code: card.name for code, card in data.counters.items()})
        """For each counter, all counters with the same name apart from the number, including the counter itself."""
        self._whole: dict[str, str] = {}
        self._less: dict[str, set[str]] = {}
        for code, card in data.counters.items():
            words, number = _split(card.name)
            self._whole[_joined(words, number)] = code
            for part in _parts(words, _long_words(card.name)):
                self._less.setdefault(_joined(part, ""), set()).add(code)
                if number:
                    self._less.setdefault(_joined(part, number), set()).add(code)
        for phrase, kind in kinds().items():
            of_kind = {code for code, card in data.counters.items() if card.kind == kind and not card.intrinsic}
            self._less.setdefault(_joined(*_split(phrase)), set()).update(of_kind)
        self._points: dict[str, set[str]] = {}
        for point in data.points.values():
            words, number = _split(point.name)
            for part in _parts(words, _long_words(point.name)):
                self._points.setdefault(_joined(part, number), set()).add(point.code)
            self._points[_joined(words, number)] = {point.code}
        self.find = lru_cache(maxsize=8192)(self._find)
        self.nearest = lru_cache(maxsize=2048)(self._nearest)
        self.find_points = lru_cache(maxsize=4096)(self._find_points)

    def spellings(self) -> Iterator[str]:
        """Yield all texts that mean counters, in lower case and without genitives. Only the last word of a text can be
        in the plural."""
        for key in (*self._whole, *self._less):
            yield key
            yield f"{key[:-2]}en" if key.endswith("man") else f"{key}s"
        for name in self._whole:
            yield from _beginnings(name.split()[0], LEAST)
        yield from map(str.casefold, self.counters)

    def point_spellings(self) -> Iterator[str]:
        """Yield all texts that mean points, in the same form as `spellings`."""
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
        """Return the code of the counter in `among` whose name `text` probably misspells; None if no counter or more
        than one fits."""
        words, number = _split(text)
        name = _joined(words, number)
        keys = {key: code for key, code in self._keys(among) if abs(len(key) - len(name)) <= _SLIPS}
        codes = {keys[key] for key in get_close_matches(name, keys, 3, 0.75)}
        return codes.pop() if len(codes) == 1 else None

    def _keys(self, among: Iterable[str]) -> Iterator[tuple[str, str]]:
        for code in among:
            words, number = _split(self.counters[code].name)
            yield _joined(words, number), code
            for part in _parts(words, _long_words(self.counters[code].name)):
                yield _joined(part, ""), code
            yield code.casefold(), code

    def _find_points(self, text: str) -> tuple[str, ...]:
        code = latin(text.upper())
        if code in self.points:
            return (code,)
        words, number = _split(text)
        if not words:
            return ()
        key = _joined(words, number)
        points = self._points.get(key, set())
        if not points and len(words) == 1 and len(key) >= _WORD and not words_of(key):  # "recruit" is not a point
            points = {code for name, codes in self._points.items() if name.startswith(key) for code in codes}
        return tuple(code for code in self.points if code in points)

    def nearest_point(self, text: str) -> str | None:
        """Return the code of the point whose name `text` probably misspells; None if no single point fits."""
        keys = get_close_matches(_joined(*_split(text)), self._points, 1, 0.75)
        codes = self._points[keys[0]] if keys else set()
        return next(iter(codes)) if len(codes) == 1 else None


def _same_names(names: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    base = {code: " ".join(_split(name)[0]) for code, name in names.items()}
    return {code: frozenset(twin for twin in base if base[twin] == base[code]) for code in base}


def _split(name: str) -> tuple[tuple[str, ...], str]:
    """Return the normalized words of `name`, and the number in it that distinguishes counters of the same name, or ""
    if `name` has no such number."""
    words, number = list[str](), ""
    for word in folded(name.replace("-", " ")).split():
        if not number and (ordinal := _ordinal(word)):
            number = ordinal
        elif word not in _SILENT:
            words.append(_stem(word))
    return tuple(words), number


@lru_cache(maxsize=4096)
def _ordinal(word: str) -> str:
    """Return the digit of a number such as `1st`, `first` or `2`, which distinguishes equal names; "" if `word` is not
    such a number."""
    if number := _ORDINALS.get(word.rstrip(".")):
        return number
    names = words_of(word)
    return next((name[-1] for name in sorted(names) if name.startswith("nth") and name[-1].isdigit()), "")


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    """Return `word` without genitive and plural endings."""
    word = word.removesuffix("'s").removesuffix("'")
    if word.endswith("men"):
        return word[:-2] + "an"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > LEAST else word


def _long_words(name: str) -> frozenset[str]:
    """Return the stems of the words, such as `Apes`, that are long enough as written in `name` to stand for the whole
    name."""
    return frozenset(_stem(word) for word in folded(name.replace("-", " ")).split() if len(word) >= _WORD)


def _parts(words: Sequence[str], long: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield all selections of `words` that can stand for the whole name: `words` itself, and any that contain at least
    one of the `long` words."""
    yield tuple(words)
    for size in range(1, len(words)):
        for part in combinations(words, size):
            if not long.isdisjoint(part):
                yield part


def _joined(words: Sequence[str], number: str) -> str:
    return " ".join((*words, number)) if number else " ".join(words)


@lru_cache(maxsize=8)
def names_of(data: Data) -> Names:
    """Return the names in `data`, which are collected only once."""
    return Names(data)


def _beginnings(word: str, least: int) -> Iterator[str]:
    return (word[:end] for end in range(least, len(word)))


@lru_cache(maxsize=8192)
def as_spelled(text: str) -> str:
    """Return a name in the form in which `Names.spellings` yields it, whatever articles, genitives and numbers `text`
    contains."""
    words, number = _split(text)
    bare = [word for word in folded(text.replace("-", " ")).split() if word not in _SILENT]
    several = not number and any(word.endswith(("s", "men")) and not word.endswith(("'s", "ss")) for word in bare)
    key = _joined(words, number)
    return key if not several else f"{key[:-2]}en" if key.endswith("man") else f"{key}s"


def choose(meant: Meant, *pools: Collection[str]) -> tuple[str, ...]:
    """Return the counters that a text means: `meant.whole` or, if it is empty, the counters of `meant.less` that are in
    the first of the `pools` to contain any of them. If the text is a plural or ambiguous, several counters may be
    returned."""
    if meant.whole:
        return meant.whole
    for pool in pools:
        codes = tuple(code for code in meant.less if code in pool)
        if codes:
            return codes
    return ()


FOLDER = Path(__file__).parent
STARTS = (
    *("retreat", "fallback", "losses", "carry", "move", "fly", "recruit", "garrison", "honors", "offer", "accept"),
    *("return", "deploy", "group", "guard", "cast", "ring", "order", "sequence", "initiative", "evade", "join"),
    *("shoot", "keep", "pass", "standing", "fight_fast", "orders_stand"),
)
"""The order words with which an item can begin."""
_LEAST, _ALIKE = 4, 0.8  # the fewest letters in a word that may be misspelt, and the required similarity
_NOTHING: frozenset[str] = frozenset()


@cache
def phrases() -> Mapping[str, frozenset[str]]:
    """Return a mapping from each phrase, in lower case, to the order words that it may stand for. Phrases for kinds of
    counters and for spells are not included."""
    words: dict[str, set[str]] = {}
    for file in word_files(FOLDER):
        for name, patterns in file.items():
            for phrase in () if isinstance(patterns, Mapping) else chain.from_iterable(map(expanded, patterns)):
                words.setdefault(phrase, set()).add(name)
    return {phrase: frozenset(names) for phrase, names in words.items()}


def words_of(phrase: str) -> frozenset[str]:
    """Return the order words that `phrase` may stand for."""
    return phrases().get(folded(phrase), _NOTHING)


@lru_cache(maxsize=4096)
def alike(word: str) -> frozenset[str]:
    """Return the order words that an unknown word, such as `moove`, may be a misspelling of."""
    verbs = [phrase for phrase, names in phrases().items() if not names.isdisjoint(STARTS) and len(phrase) >= _LEAST]
    nearest = get_close_matches(folded(word), verbs, 1, _ALIKE) if len(word) >= _LEAST else []
    return phrases()[nearest[0]] if nearest else _NOTHING


@cache
def kinds() -> Mapping[str, str]:
    """Return a mapping from each phrase for a kind of counter to the name of that kind."""
    return {phrase: meant for meant, texts in words_in(FOLDER, "kinds").items() for phrase in texts}


@cache
def spells() -> Mapping[str, str]:
    """Return a mapping from each phrase for a spell to the name of that spell."""
    return {folded(phrase): meant for meant, texts in words_in(FOLDER, "spells").items() for phrase in texts}


def expanded(pattern: str) -> Iterator[str]:
    """Yield all texts that `pattern` matches: in a pattern, `(a|b)` is a choice, `?` makes the character or group
    before it optional, and ` +` is a blank."""
    for text in _choices(pattern, 0)[0]:
        yield " ".join(text.split())


def _choices(pattern: str, at: int) -> tuple[list[str], int]:
    """Expand `pattern` from the position `at` to the end of the group around it; return all texts that this part
    matches, and the position of its end."""
    choices, row = list[str](), [""]
    while at < len(pattern) and pattern[at] != ")":
        if pattern[at] == "|":
            choices, row, at = choices + row, [""], at + 1
            continue
        if pattern[at] == "(":
            part, at = _choices(pattern, at + 1)
        else:
            part = [pattern[at].replace("+", "")]
        at += 1
        if pattern[at : at + 1] == "?":
            part, at = [*part, ""], at + 1
        row = [before + after for before in row for after in part]
    return choices + row, at


_FIRST = 0xF0000  # the first character of a private use area that is large enough for all words
_WRITTEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")
_TRANSPORT = "transport"
_NUMBERS = tuple(f"n{number}" for number in range(11))
_NAMED = frozenset(("counter", "point"))
_DIGITS, _SIGN = frozenset(("digits", "number")), frozenset(("sign",))
THINGS = frozenset(("counter", "point", "space", "spell", "transport", "digits"))
"""The <names> in orders.lark for words that are not order words: counters, places, spells and numbers."""
ORDINARY = frozenset(
    ("are", "bal", "cap", "dir", "for", "fore", "fort", "forest", "gar", "hard", "her", "less", "mar", "may", "mer")
    + ("nation", "nor", "she", "slash", "sour", "tin", "win", "wink", "wit")
)
"""Codes of counters, and beginnings of their names, that are also words of English, German or Russian. They stand for
counters only in capitals or in notation, and therefore not in `her cavalry` or `you may`."""
AS_WORD, _OWNING = "{}*", "{}**"
"""Templates for the keys under which the spelling table lists an ordinary word that does not stand for a counter:
`_OWNING` for a word directly before a counter, `AS_WORD` for a word anywhere else."""
_LEADING = ("polite", "then", "and", "the", "sign")
_ROWS, _COLUMNS = "123456789", "lcrс"  # the last letter is Cyrillic
_CYRILLIC = re.compile("[а-я]", re.I)
_LISTS = ("losses", "carry", "evade", "join", "shoot", "sequence")
_IN_NOTATION = ("space", "sign", "and", "then", "none", "pool", "special", "drop", "take")
_AFTER_CODES = ("to", "from", "point", "space", *STARTS, "advance", "stand", "back")


class Seen(NamedTuple):
    """A word, name or symbol in a text: its `value` as written, the position where it starts, its key in the spelling
    table ("" if it is not in the table), and all <names> in orders.lark that it may stand for."""

    value: str
    start: int
    spelled: str
    kinds: frozenset[str]

    def may_be(self, *kinds: str) -> bool:
        return not self.kinds.isdisjoint(kinds)


def _kinds(data: Data) -> Mapping[str, frozenset[str]]:
    """Return the spelling table of `data`, a mapping from each known word or name to all <names> in orders.lark that it
    may stand for."""
    table: dict[str, set[str]] = {phrase: set(names) for phrase, names in phrases().items()}
    for text, names in table.items():
        if not names.isdisjoint(_NUMBERS):
            names.add("number")
        if " " in text:  # a phrase such as `move second`, but not `second` by itself
            names |= {f"go_{name}" for name in ("first", "second") if name in names}
    spaces = [(row + column, column + row) for row in _ROWS for column in _COLUMNS]
    named: Mapping[str, Iterable[str]] = {
        "counter": names_of(data).spellings(),
        "point": names_of(data).point_spellings(),
        "space": chain(*spaces),
        "spell": (phrase for phrase, spell in spells().items() if spell != _TRANSPORT),
        "transport": (phrase for phrase, spell in spells().items() if spell == _TRANSPORT),
        "nation": (str(nation).casefold() for nation in CALLED.values()),
    }
    for kind, texts in named.items():
        for text in texts:
            if text != "this":  # `this` is a word of its own, not a form of the code THI
                table.setdefault(text, set()).add(kind)  # R1 is both a point and a space
    for names in table.values():
        if not names.isdisjoint(("never", "not")):
            names.discard("point")  # `never` alone does not mean the Never Ending River
    for text in ORDINARY & table.keys():
        table[AS_WORD.format(text)] = table[text] - {"counter", "the"}
        table[_OWNING.format(text)] = table[text] - {"counter"}
    return {text.replace("-", " - "): frozenset(kinds) for text, kinds in table.items()}


class Speller:
    """A converter between the words of orders and the characters that encode these words for the grammar. It knows the
    names in one data set. `kinds` maps each spelling to the <names> in orders.lark that it may stand for."""

    def __init__(self, data: Data) -> None:
        self.kinds = _kinds(data)
        self._longest: dict[str, int] = {}
        for text in self.kinds:
            first, *others = text.split()
            self._longest[first] = max(self._longest.get(first, 1), len(others) + 1)
        named = (text for text, kinds in self.kinds.items() if not kinds.isdisjoint(_NAMED))
        self._begun = {text.split()[0] for text in named} | set(_ROWS) | {""}
        ordered = sorted(self.kinds, key=lambda text: (sorted(self.kinds[text]), text))
        self._signs = {text: chr(_FIRST + number) for number, text in enumerate(ordered)}
        self._texts = {sign: text.rstrip("*") for text, sign in self._signs.items()}
        self._codes = {code.casefold() for code in data.counters} - ORDINARY
        self._written = {code.casefold() for code in (*data.counters, *data.points)}
        classes: dict[str, list[str]] = {}
        for text in ordered:
            for kind in self.kinds[text]:
                classes.setdefault(kind, []).append(self._signs[text])
        self.terminals: Terminals = tuple((kind, _class(signs)) for kind, signs in sorted(classes.items()))
        self._line = lru_cache(maxsize=4096)(self._spelled)

    @property
    def written(self) -> Terminals:
        """The same as `terminals`, in words instead of characters, with only the codes of counters and points."""
        texts: dict[str, list[str]] = {}
        for text, kinds in self.kinds.items():
            for kind in kinds if text in self._written else kinds - _NAMED:
                texts.setdefault(kind, []).append(re.escape(text.rstrip("*")))
        return tuple((kind, f"(?:{'|'.join(words)})") for kind, words in texts.items())

    def spell(self, text: str) -> str:
        """Replace each word in `text` with the character that encodes it, keeping the positions of all words."""
        return "\n".join(map(self._line, text.split("\n")))

    def _spelled(self, text: str) -> str:
        parts, at = list[str](), 0
        for word in self.seen(text):
            parts.append(text[at : word.start])
            at = word.start + len(word.value)
            sign = self._signs.get(word.spelled) or "".join("?" if ord(char) >= _FIRST else char for char in word.value)
            parts.append(sign.ljust(len(word.value)))
        return "".join((*parts, text[at:]))

    def spell_out(self, spelled: str) -> str:
        """Replace each character that `spell` has inserted with the word that it encodes; words are separated by single
        blanks."""
        return " ".join("".join(f" {self._texts[char]} " if char in self._texts else char for char in spelled).split())

    def seen(self, text: str) -> Iterator[Seen]:
        """Yield the words, names and symbols of `text`. Where several of them could begin, the longest is taken."""
        words = list(self._longest_matches(text))
        if all(word.spelled not in ORDINARY for word in words):
            yield from words
            return
        shouts = not any(char.islower() for char in text) and not self._is_notation(words)
        is_foreign = _CYRILLIC.search(text) is not None
        for item in _items(words):
            named = self._is_notation(item)
            for at, word in enumerate(item):
                marked = (word.value.isupper() and not shouts) or (word.value.isascii() and is_foreign)
                is_code = word.spelled not in ORDINARY or marked or named or self._is_listed(item, at)
                yield word if is_code else self._as_word(word, item[at + 1 : at + 2])

    def _as_word(self, word: Seen, behind: Sequence[Seen]) -> Seen:
        """Return a copy of the ordinary word `word` that is marked as not standing for a counter. `behind` contains the
        next word, if there is one."""
        owns = any(following.may_be("counter") for following in behind)
        spelled = (_OWNING if owns else AS_WORD).format(word.spelled)
        kinds = self.kinds.get(spelled, _NOTHING)
        return word._replace(spelled=spelled if kinds else "", kinds=kinds)

    def _is_notation(self, item: Sequence[Seen]) -> bool:
        """Return whether `item` is written in notation: only codes follow its verb, or it begins with codes and a
        colon, such as `may har: m2-m4`."""
        names = self._codes | ORDINARY
        words = list(dropwhile(lambda word: word.may_be(*STARTS, *_LEADING) and word.spelled not in names, item))
        head = [*takewhile(lambda word: word.value != ":", words)]
        if len(head) < len(words) and head and all(map(self._is_code, head)):
            return True
        lists = any(word.spelled in _LISTS for word in item[: len(item) - len(words)])  # as in `Losses HER`
        named = lists or any(not word.may_be("them", "on", "sign") for word in words)
        return named and all(map(self._is_code, words))

    def _is_code(self, word: Seen) -> bool:
        """Return whether `word` is a code or looks like one, or is a space, a sign or another word that occurs between
        codes in notation."""
        return word.spelled in self._codes | ORDINARY or word.may_be(*_IN_NOTATION) or word.value[-1:].isdigit()

    def _is_listed(self, item: Sequence[Seen], at: int) -> bool:
        """Return whether the ordinary word `item[at]` stands for a counter because of the words around it: it is next
        to a code in a list, or at the beginning of an order."""
        word, before, behind = item[at], item[:at], item[at + 1 :]
        listed, after = list(dropwhile(_joins, reversed(before))), list(dropwhile(_joins, behind))
        names, goes = after[:1], behind[:1]
        if listed and listed[0].spelled in self._codes:
            if len(listed) < len(before):
                return not _may_be(goes, "counter")  # false for `her` in `Evora, her cavalry`
            return _may_be(names, "counter") or _may_be(goes, "to", "from")
        if word.may_be("them", "on") or any(not one.may_be(*STARTS, *_LEADING) for one in before):
            return False
        return _may_be(names, "counter") or _may_be(goes, *_AFTER_CODES)

    def _longest_matches(self, text: str) -> Iterator[Seen]:
        words = list(_WRITTEN.finditer(text))
        at = 0
        while at < len(words):
            count, spelled = self._entry(text, words, at)
            start, end = words[at].start(), words[at + count - 1].end()
            yield Seen(text[start:end], start, spelled, self.kinds.get(spelled) or _kinds_of(text[start:end]))
            at += count

    def _entry(self, text: str, words: list[re.Match[str]], at: int) -> tuple[int, str]:
        """Find the longest run of words, beginning with `words[at]`, that the spelling table contains. Return the
        number of words and their spelling in the table, or 1 and "" if the table does not contain the first word."""
        first = folded(words[at][0])
        named = self._name(text, words, at)
        for count in range(min(self._longest.get(first, 0), len(words) - at), 0, -1):
            phrase = " ".join(folded(word[0]) for word in words[at : at + count])
            if phrase in self.kinds and count >= named[0] and not self._ends_in_code(words[at : at + count]):
                return count, phrase
        code = latin(words[at][0]).casefold()
        return named if named[0] else (1, code if code in self.kinds else "")

    @staticmethod
    def _ends_in_code(words: list[re.Match[str]]) -> bool:
        """Return whether `words` are several words that begin in lower case and end with a code in capitals, such as
        `with HER`."""
        last = words[-1][0]
        return len(words) > 1 and last.isupper() and words[0][0].islower() and folded(last) in ORDINARY

    def _name(self, text: str, words: list[re.Match[str]], at: int) -> tuple[int, str]:
        """Find the longest name of a counter or point that begins with `words[at]`; it may contain genitives and end in
        a plural. Return the number of words and their spelling in the table, or 0 and "" if no name is found."""
        first = words[at][0]
        if not first[0].isalnum() or as_spelled(first).partition(" ")[0] not in self._begun:
            return 0, ""
        longest = 0, ""
        for count, last in enumerate(words[at : at + LONGEST], start=1):
            if not last[0][0].isalnum():
                if last[0] not in "-.‐":
                    break
                continue
            name = text[words[at].start() : last.end()]
            if (count > 1 and _ends_before(folded(last[0]))) or (count == 1 and name.isdigit()):
                continue
            for spelled in (as_spelled(name), folded(name).replace(" ", "")):
                if not self.kinds.get(spelled, _NOTHING).isdisjoint(_NAMED):
                    longest = count, spelled
        return longest


def _may_be(words: Sequence[Seen], *kinds: str) -> bool:
    return any(word.may_be(*kinds) for word in words)


def _joins(word: Seen) -> bool:
    """Return whether `word` separates the names in a list."""
    return word.may_be("sign", "and")


def _items(words: Sequence[Seen]) -> Iterator[list[Seen]]:
    """Yield the words of each item in a line."""
    item: list[Seen] = []
    for word in words:
        item.append(word)
        if word.value in ";.!?":
            yield item
            item = []
    yield item


def _kinds_of(unknown: str) -> frozenset[str]:
    return _DIGITS if unknown.isdigit() else _NOTHING if unknown[0].isalnum() else _SIGN


def _ends_before(word: str) -> bool:
    """Return whether `word`, like `first` in `national guards first` or `the` in `May the best win`, cannot be the last
    word of a longer name."""
    return word in ("the", "of", "my", "our") or "first" in phrases().get(word, ())


def _class(signs: list[str]) -> str:
    """Return a regular expression that matches any one of the characters in `signs`, which must be sorted."""
    ranges: list[list[str]] = []
    for sign in signs:
        if ranges and ord(ranges[-1][1]) + 1 == ord(sign):
            ranges[-1][1] = sign
        else:
            ranges.append([sign, sign])
    return f"[{''.join(first if first == last else f'{first}-{last}' for first, last in ranges)}]"


@lru_cache(maxsize=8)
def speller(data: Data) -> Speller:
    """Return the speller for `data`, which is created only once."""
    return Speller(data)


def scan(data: Data, text: str) -> list[Seen]:
    """Return the words and symbols of `text` without the blanks between them. A name of several words is returned as
    one word."""
    return list(speller(data).seen(text))
