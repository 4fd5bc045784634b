"""Find areas in text by code, by name, or by the beginning of a name (§3 of the rules), and answer questions about
them.

This module also finds the places in everyday text that mention areas or numbers of pieces. It computes the features of
each mention, such as the words around it, for the models that `tools/train_guess.py` trains.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple

from pbem import Say, Sentence
from pbem.games.base import Seat
from pbem.games.kit.sounds import Sounds, is_cyrillic
from pbem.games.kit.talk import NAME, NUMBER
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.state import NAMES, SEATS, State
from pbem.games.spelling import differing, one_letter_apart
from pbem.games.words import words_in

_HYPHEN = re.compile("[-‐]")
_MIN_BEGINNING = 3  # the number of letters in the shortest beginning of a name that is recognised
_MAX_HYPHENS = 8  # the most hyphens that are tried, because trying each one in a long text would take quadratic time
_LOOKALIKES = str.maketrans("АВЕКМНОРСТУХ", "ABEKMHOPCTYX")
_MIN_SLIPPED = 6  # the number of letters in the shortest name in which a typo is recognised
_MAX_LETTERS = 40  # the number of letters in the longest text that is compared with the names


@dataclass(frozen=True, slots=True)
class Names:
    """The names by which the areas of a board can be called.

    `exact` contains codes and full names, `beginnings` all prefixes of at least three letters, and `words` full names
    and their first words. All keys consist of letters only. `sounds` finds the names in `words` by their sound.
    `pattern` matches a full name in a text, and prefers longer names.
    """

    board: Board
    exact: Mapping[str, str]
    beginnings: Mapping[str, tuple[str, ...]]
    words: Mapping[str, str]
    sounds: Sounds
    pattern: str

    def find(self, text: str) -> tuple[str, ...]:
        """Return the areas that `text` may mean, in board order: one area if the text is clear, and none if it does not
        name an area.

        Case, hyphens, blanks, apostrophes and dots do not matter; a code must be a single word. Cyrillic letters that
        look Latin are read as Latin if no area has the name as written, and longer Cyrillic names are recognised by
        their sound.
        """
        code = self.exact.get(text)
        if code:
            return (code,)
        letters = _letters(text)
        if len(letters) < _MIN_BEGINNING and len(letters) != len(text.strip()):
            return ()
        code = self.exact.get(letters)
        codes = (code,) if code else self.beginnings.get(letters, ())
        if not codes and is_cyrillic(letters) and (code := self.sounds.heard(letters)):
            return (code,)
        return codes or (self.find(latin) if (latin := text.translate(_LOOKALIKES)) != text else ())

    def in_latin(self, word: str) -> str:
        """Replace Cyrillic look-alikes in a code with Latin letters; leave other words unchanged."""
        latin = word.translate(_LOOKALIKES)
        return latin if latin in self.board.areas and word not in self.board.areas else word

    def knows(self, text: str) -> bool:
        """Return whether a text names exactly one area."""
        return len(self.find(text)) == 1

    def split(self, text: str) -> tuple[str, str] | None:
        """Split `text` into origin and target at a hyphen, as in "S-H" or "S-Hmu". Return None if `text` is the name of
        an area or does not look like two areas."""
        if text in self.exact or _letters(text) in self.exact:
            return None
        hyphens = islice(_HYPHEN.finditer(text), _MAX_HYPHENS)
        halves = [(text[: hyphen.start()], text[hyphen.end() :]) for hyphen in hyphens]
        if not halves:
            return None
        named = {pair: (self.knows(pair[0]), self.knows(pair[1])) for pair in halves}
        best = max(halves, key=named.__getitem__)
        if all(named[best]):
            return best
        worth_a_guess = any(named[best]) or len(halves) == 1
        return best if worth_a_guess and not self.find(text) else None

    def within(self, text: str) -> tuple[str, ...]:
        """Return the words in `text` that name areas: full names, their first words, and codes in capitals. A
        one-letter code does not count at the beginning of a sentence, and the code I does not count anywhere. A name as
        short as a code must be capitalised."""
        words: list[str] = []
        begins = True
        for match in re.finditer(r"[^\W\d_]+(?:[-‐'’][^\W\d_]+)*|[.!?\n]", text):
            word = match[0]
            if not word[0].isalpha():
                begins = True
                continue
            is_code = self.in_latin(word) in self.board.areas and (len(word) > 1 or not (begins or word == "I"))
            is_name = len(word) >= _MIN_BEGINNING or word.istitle()
            is_named = (
                _letters(word) in self.words
                or (is_cyrillic(word) and bool(self.sounds.heard(word)))
                or (word.casefold().endswith(_CITY) and bool(_translated(self, word)))
            )
            if is_code or (is_name and is_named):
                words.append(word)
            begins = False
        return tuple(words)

    def nearest(self, text: str) -> str | None:
        """Guess which area `text` means, although it does not name an area. Return None if there is no good guess."""
        from difflib import get_close_matches

        words = text.split()[:10]
        if max(map(len, words), default=0) == 1 and len(joined := self.find("".join(words))) == 1:
            return joined[0]
        for some in (words[:1], words[-1:]) if len(words) > 1 else ():
            if self.knows(some[0]):
                return self.find(some[0])[0]
        letters = _letters(text[:_MAX_LETTERS])
        if begun := [code for code, area in self.board.areas.items() if _letters(area.name).startswith(letters)]:
            return begun[0] if letters else None
        close = get_close_matches(letters, self.words, n=1, cutoff=0.7)
        return self.words[close[0]] if close else None

    def with_a_slip(self, text: str) -> str:
        """Return the area whose name `text` misspells: with one typo, as in Elphin City, or in letters that sound like
        the name, as in Wivernia. The first word of a name is enough. Return "" if `text` resembles no area, or more
        than one."""
        if len(text) < _MIN_SLIPPED or len(_letters(text)) < _MIN_SLIPPED:
            return ""
        return self.misspelt(text) or self.sounds.heard(text)

    def misspelt(self, text: str) -> str:
        """Return the only area whose name `text` spells with one typo, as in Elphin City; "" if there is none."""
        letters = _letters(text)
        sizes = range(len(letters) - 1, len(letters) + 2)
        near = {code for name, code in self.words.items() if len(name) in sizes and _is_near(name, letters)}
        return near.pop() if len(near) == 1 and len(letters) >= _MIN_SLIPPED else ""

    def title(self, code: str) -> str:
        """Return the title of an area for use in a sentence: Mystery City (MC)."""
        return f"{self.board.areas[code].name} ({code})"

    def titles(self, codes: Iterable[str]) -> str:
        """List the titles of areas in board order for use in a sentence: Atlantea (A), Mystery City (MC) and Wyvernia
        (W)."""
        return listed([self.title(code) for code in sorted(codes, key=self.board.order.__getitem__)])


def listed(texts: Sequence[str]) -> str:
    """Join texts into a list for a sentence: a, b and c."""
    return Sentence("{first} and {last}", first=tuple(texts[:-1]), last=texts[-1]) if len(texts) > 1 else "".join(texts)


@lru_cache(maxsize=64)
def names_of(board: Board) -> Names:
    """Return the names of a board's areas."""
    exact: dict[str, str] = {}
    beginnings: defaultdict[str, list[str]] = defaultdict(list)
    words: dict[str, str] = {}
    patterns: list[str] = []
    for code, area in board.areas.items():
        letters = _letters(area.name)
        exact[letters] = words[letters] = code
        words.setdefault(_letters(area.name.split()[0]), code)
        for end in range(_MIN_BEGINNING, len(letters) + 1):
            beginnings[letters[:end]].append(code)
        patterns.append(r"[-‐ '’.]*".join(re.findall(r"[^\W\d_]+", area.name)))
    for code in board.areas:  # codes take precedence over names
        exact[code] = exact[code.casefold()] = code
    patterns.sort(key=len, reverse=True)
    whole = {begin: tuple(codes) for begin, codes in beginnings.items()}
    return Names(board, exact, whole, words, Sounds(words.items()), "|".join(filter(None, patterns)))


def _letters(text: str) -> str:
    return "".join(filter(str.isalpha, unicodedata.normalize("NFKC", text))).casefold()


def _is_near(name: str, letters: str) -> bool:
    """Return whether `letters` differ from `name` by at most one typo: one letter added, left out or changed; two
    letters swapped; or two letters in place of one, as in Elphin for Elfin, or one in place of two. Such a typo is not
    at the beginning, because "number" is not Amber."""
    sizes = tuple(map(len, differing(name, letters)))
    return one_letter_apart(name, letters) or (sorted(sizes) == [1, 2] and name[0] == letters[0])


_PLACES = {"holds": 1, "next to": 1, "far": 2}
"""The number of areas named in a question of each kind. Questions of the kinds `has` and `free` do not name any areas,
even if their wordings contain `...`."""
_WHO = 3  # the most words in a person's name


def asked_about(state: State, kind: str, gaps: Sequence[str]) -> tuple[str, ...] | None:
    """Return the areas that are named in `gaps`, the texts that a question contains in place of each `...` in its
    wording. If questions of this kind do not name areas, return the sides that are named there instead. Return None if
    `gaps` make no sense in a question of this kind."""
    number, find = _PLACES.get(kind, 0), names_of(state.board).find
    if not number:
        sides = tuple(gap for gap in gaps if gap in SEATS)
        return sides if all(len(gap.split()) <= _WHO for gap in gaps) else None
    meanings = [find(gap) for gap in gaps[-number:]]
    if len(meanings) != number or any(len(areas) != 1 for areas in meanings):
        return None
    return tuple(area for (area,) in meanings)


def answer(state: State, kind: str, names: Sequence[str], say: Say) -> tuple[str, ...]:
    """Answer a question of the given kind about the areas or sides in `names`."""
    match kind:
        case "holds":
            return (_held(state, names[0], say),)
        case "far":
            return (_far(state.board, names[0], names[1], say),)
        case "next to":
            return (_held(state, names[0], say), _around(state, names[0], say))
        case "free":
            return (_free(state, say),)
        case _:
            return tuple(_has(state, seat, say) for seat in SEATS if not names or seat in names)


def _held(state: State, area: str, say: Say) -> str:
    title = names_of(state.board).title(area)
    for seat in SEATS:
        if number := state.pieces[seat].get(area):
            return say.many(
                "{area}: {side}, {number} piece.", "{area}: {side}, {number} pieces.", number, area=title,
                side=say(NAMES[seat]),
            )  # fmt: skip
    return say("{area}: nobody is there.", area=title)


def _free(state: State, say: Say) -> str:
    board = state.board
    held = {city for seat in SEATS for city in state.held_cities(seat)}
    free = [names_of(board).title(city) for city in board.cities if city not in held]
    return say("Cities that nobody holds: {cities}.", cities=", ".join(free) or "-")


def _around(state: State, area: str, say: Say) -> str:
    board = state.board
    beside = sorted(board.adjacent[area], key=board.order.__getitem__)
    return say("Next to it: {areas}.", areas=", ".join(map(names_of(board).title, beside)))


def _far(board: Board, origin: str, target: str, say: Say) -> str:
    way = board.ways_from(origin).get(target)
    first, last = map(names_of(board).title, (origin, target))
    if way is None:
        return say("No way leads from {first} to {last}.", first=first, last=last)
    if len(way) <= 1:
        return say("{first} and {last} are next to each other: one move.", first=first, last=last)
    over = ", ".join(way[:-1])
    return say("From {first} to {last}: {number} moves, via {way}.", first=first, last=last, number=len(way), way=over)


def _has(state: State, seat: Seat, say: Say) -> str:
    """List everything that a side has: its pieces, its cities, and the bombardments left."""
    return say(
        "{side}: {number} pieces ({stacks}). Cities: {cities}. Bombardments left: {bombs}.",
        side=say(NAMES[seat]),
        number=sum(state.pieces[seat].values()),
        stacks=", ".join(f"{state.pieces[seat][area]} {area}" for area in state.areas(seat)) or "-",
        cities=" ".join(state.held_cities(seat)) or "0",
        bombs=state.bombs[seat],
    )


_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+|[-=~]*>+|[→⇒➡⟶➔➜]|[-‐–—−]+|[^\w\s]")
_DOTTED = re.compile(r"\b([A-Za-z])\. ?([Cc])\b\.?")
_PEOPLE = re.compile(r"(?:'s|n|ns|ans|ian|ians|s|er|ern|ы|и|у|е|ю|ой|ом|ам|ах)$")
"""Endings that the name of an area has if it is inflected, or if it is turned into a name for the people who live
there, such as Wyvernians."""
_FAR = 6  # the number of words on each side of an area that are features of its role
_ROOT = 4  # the number of letters that serve as the root of a word
_MOST_DIGITS = 2
_TO = 2
_LONG = 5  # the fewest letters in a name that may be inflected
_CITY = ("stadt", "city", "сити", "град")  # the ends of words that can only be names of cities
_MOST_TRANSLATED = 18  # the most letters of a word that translates a city's name
_WIDE = 3  # the number of tokens in the longest name
_ROLES = {"thence": "origin", "thither": "target", "there": "there"}
"""The kinds of words, such as "there", that refer to the most recently named area, and the role that each kind gives
this area."""


class Mention(NamedTuple):
    """A place in a text that names an area or a count: the tokens from `start` up to, but not including, `end`. `value`
    is the code of the area; for a count, it is a number, or `all`, `both`, `half`, `rest` or `each`.

    If `sure` is false, the tokens may be ordinary words instead, such as "a", "one" and "all", and the model decides
    whether they name anything. If `of_them` is true, a count may be the size of the group from which pieces are taken,
    as in "two of the three". If the token only refers to the most recently named area, as in "from there", `role` is
    what the token means: "origin" (thence), "target" (thither) or "there".
    """

    value: str | int
    start: int
    end: int
    sure: bool
    is_area: bool
    of_them: bool = False
    role: str = ""


class NamedAreas(NamedTuple):
    """The tokens of a text in lower case, with one placeholder in place of every area and another in place of every
    number; and the mentions in the text."""

    tokens: tuple[str, ...]
    mentions: tuple[Mention, ...]


def named_in(state: State, text: str) -> NamedAreas:
    """Find the mentions of areas and counts in `text`, in order."""
    written = _TOKEN.findall(_DOTTED.sub(r"\1\2", text.replace("’", "'")))
    mentions = _without_to([*_mentions(names_of(state.board), written)])
    tokens = [token.casefold() for token in written]
    for mention in mentions:
        if mention.is_area or isinstance(mention.value, int):
            form = NAME if mention.is_area else NUMBER
            tokens[mention.start : mention.end] = [form, *[""] * (mention.end - mention.start - 1)]
    return NamedAreas(tuple(tokens), mentions)


def _without_to(mentions: Sequence[Mention]) -> tuple[Mention, ...]:
    """Drop a 2 that stands for "to" between two areas, as in "1 w 2 wc", if there are other counts."""
    counts = [mention for mention in mentions if not mention.is_area]
    between = [
        mention
        for before, mention, behind in zip(mentions, mentions[1:], mentions[2:], strict=False)
        if mention.value == _TO
        and before.is_area
        and behind.is_area
        and before.end == mention.start
        and mention.end == behind.start
    ]
    return tuple(mention for mention in mentions if mention not in between or len(between) == len(counts))


def _mentions(names: Names, tokens: Sequence[str]) -> Iterator[Mention]:
    at, last, place = 0, None, None
    while at < len(tokens):
        mention = next((area for size in range(_WIDE, 0, -1) if (area := _area(names, tokens, at, at + size))), None)
        mention = mention or _count(tokens, at) or _there(tokens, at, place)
        place = mention if mention and mention.is_area else place
        if mention and not _is_repeated(tokens, mention, last):
            yield mention
            last = mention
        at = mention.end if mention else at + 1


def _area(names: Names, tokens: Sequence[str], start: int, end: int) -> Mention | None:
    part = tokens[start:end]
    if len(part) < end - start or not all(word[0].isalpha() or (word in "-‐" and part[-1] != word) for word in part):
        return None
    between = "" if all(len(word) == 1 for word in part) else " "  # the code WC may be written W C
    text = between.join(map(names.in_latin, part)).replace(" - ", "-")
    behind = "".join(tokens[end : end + 1])
    opens = part == ["А"] and (start == 0 or tokens[start - 1] in ".!?") and behind.islower()
    is_little = text == "a" or opens  # an article, or the Russian conjunction
    if is_little and behind.isalpha() and behind not in function_words("origin", "target", "place", "and"):
        return None
    codes = names.find(text)
    is_code, is_name = text.upper() in names.board.areas, text.casefold() in names.exact or is_cyrillic(text)
    if len(codes) == 1 and (is_code or is_name or len(text) > _WIDE):
        starts = start == 0 or tokens[start - 1] in ".!?"
        word = text in ("A", "I") and (starts or text == "I") and "".join(tokens[end : end + 1]).islower()
        return Mention(codes[0], start, end, sure=not text.islower() and not word, is_area=True)
    if len(text) < _LONG:
        is_beginning = len(codes) == 1 and len(text) == _MIN_BEGINNING and end - start == 1
        return Mention(codes[0], start, end, sure=False, is_area=True) if is_beginning else None
    if end - start > 1:
        is_name = len(part[0]) > 1 and not names.find(part[-1])
        slipped = names.misspelt(text) if is_name else ""
        return Mention(slipped, start, end, sure=True, is_area=True) if slipped else None
    if translated := _translated(names, text):
        return Mention(translated, start, end, sure=text.casefold().endswith(_CITY), is_area=True)
    home = _PEOPLE.sub("", text)
    code = names.find(home)[0] if len(home) >= _LONG and names.knows(home) else names.with_a_slip(text)
    code, sure = code or names.sounds.derived(text), bool(code)
    return Mention(code, start, end, sure=sure, is_area=True) if code else None


def _translated(names: Names, word: str) -> str:
    """Return the city whose name `word` translates, in any case and with or without "city": Elfenstadt, волшебников.
    Return "" if the board has no such city."""
    folded_word = word.casefold()
    stems = ((stem, name) for name, stems in _translations().items() for stem in stems)
    name = next((name for stem, name in stems if folded_word.startswith(stem)), "")
    return names.words.get(name, "") if len(folded_word) <= _MOST_TRANSLATED else ""


@cache
def _translations() -> Mapping[str, tuple[str, ...]]:
    """The first words of cities' names, each with the beginnings of its translations."""
    return words_in(Path(__file__).parent, "translated")


def _there(tokens: Sequence[str], at: int, place: Mention | None) -> Mention | None:
    """Return a mention of `place`, the most recently named area, if the token at index `at` is a word that refers to
    it, such as "there". Return None otherwise."""
    word = tokens[at].casefold()
    kind = next((kind for kind in _ROLES if word in function_words(kind)), None)
    if place is None or kind is None:
        return None
    return Mention(place.value, at, at + 1, sure=False, is_area=True, role=_ROLES[kind])


def _is_repeated(tokens: Sequence[str], mention: Mention, before: Mention | None) -> bool:
    """Return whether `mention` is a code in brackets that only repeats `before`, as in Wyvernia (W)."""
    return before is not None and before.value == mention.value and tokens[before.end : mention.start] == ["("]


def _count(tokens: Sequence[str], at: int) -> Mention | None:
    token, of_them = tokens[at], at > 0 and tokens[at - 1].casefold() in function_words("origin", "article")
    if token.isdigit():
        short = len(token) <= _MOST_DIGITS
        return Mention(int(token), at, at + 1, sure=True, is_area=False, of_them=of_them) if short else None
    value = count_words().get(token.casefold())
    if value == 1 and at > 0 and tokens[at - 1].casefold() in function_words("every"):
        value = "all"  # as in "every single one"
    if value == 1 and at + 1 < len(tokens) and tokens[at + 1].casefold() in function_words("turn"):
        return None  # as in "last turn"
    if value is None or (value == 1 and all(not word[0].isalnum() for word in tokens[at + 1 :])):
        return None  # as in "... rücken in Mu ein"
    return Mention(value, at, at + 1, sure=value not in _WORDS, is_area=False, of_them=of_them)


_WORDS = (1, "all", "both", "half", "rest", "each")
"""The counts that are written with words that also have other meanings, such as "one" and "all"."""


@cache
def function_words(*kinds: str) -> frozenset[str]:
    """Return the function words of the given kinds in all languages."""
    words = words_in(Path(__file__).parent, "function")
    return frozenset(word for kind in kinds for word in words[kind])


@cache
def count_words() -> Mapping[str, str | int]:
    """Return the words for numbers of pieces in all languages, each with its number, or with `all`, `both`, `half`,
    `rest` or `each`."""
    tables = words_in(Path(__file__).parent, "counts")
    return {word: int(value) if value.isdigit() else value for value, words in tables.items() for word in words}


def around(state: State, seat: Seat, named: NamedAreas, mention: Mention) -> list[str]:
    """Return the features of `mention`: the words around it; for an area, also its place on the board and among the
    areas mentioned; for a count, also its value and its place among the counts and areas."""
    before = [_token_at(named, at) for at in range(mention.start - 1, mention.start - 1 - _FAR, -1)]
    behind = [_token_at(named, at) for at in range(mention.end, mention.end + _FAR)]
    features = [
        f"{side}{at}={word}" for side, words in (("<", before), (">", behind)) for at, word in enumerate(words[:3])
    ]
    features += [f"<<{before[1]} {before[0]}", f">>{behind[0]} {behind[1]}", f"<>{before[0]} {behind[0]}"]
    for side, words in (("<", before), (">", behind)):
        for word in words:
            features += [f"{side}{word}", f"{side}{word[:_ROOT]}-"] if len(word) > _ROOT else [f"{side}{word}"]
            if word == NAME:
                break
    return features + (_of_area(state, seat, named, mention) if mention.is_area else _of_count(named, mention))


def _token_at(named: NamedAreas, at: int) -> str:
    return named.tokens[at] if 0 <= at < len(named.tokens) else "|"


def _of_area(state: State, seat: Seat, named: NamedAreas, mention: Mention) -> list[str]:
    areas = [area for area in named.mentions if area.is_area]
    at, own, beside = areas.index(mention), state.pieces[seat], state.board.adjacent[str(mention.value)]
    features = [f"{at} of {len(areas)}", f"city {mention.value in state.board.cities}", f"own {mention.value in own}"]
    for side, nearest in (("before", areas[at - 1 : at] if at else []), ("behind", areas[at + 1 : at + 2])):
        features += [f"{side} {area.value in own} {mention.value in own} {area.value in beside}" for area in nearest]
    return [*features, f"again {any(area.value == mention.value for area in areas[:at])}", f"sure {mention.sure}"]


def _of_count(named: NamedAreas, mention: Mention) -> list[str]:
    counts = [count for count in named.mentions if not count.is_area]
    areas = [area for area in named.mentions if area.is_area]
    return [
        f"={mention.value}",
        f"{counts.index(mention)} of {len(counts)}",
        f"areas {sum(area.start < mention.start for area in areas)} of {len(areas)}",
        f"counts before {[str(count.value) for count in counts if count.start < mention.start][-1:]}",
    ]


def words_of(named: NamedAreas) -> frozenset[str]:
    """Return the words of a text, without areas and numbers, and with a "+" those right before a number, which may
    limit it, as in "up to 2"."""
    counting = (f"{word}+" for word, behind in pairwise(named.tokens) if behind == NUMBER)
    return frozenset(token for token in (*named.tokens, *counting) if token[:1].isalpha())
