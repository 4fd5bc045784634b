"""A place in a line, and what stands there: words, signs, counters, points, spaces, lists."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from pbem.games.base import Sentence
from pbem.games.ozz.items import Token, Word, Wrong, quoted
from pbem.games.ozz.lexicon import lexicon
from pbem.games.ozz.names import LONGEST, NOBODY, choose
from pbem.games.ozz.orders import OFF
from pbem.games.ozz.sides import Side
from pbem.games.spelling import folded
from pbem.patterns import compiled

_LISTING = ("COMMA", "PLUS")
_NOTHING: frozenset[str] = frozenset()
_Phrases = tuple[tuple[int, frozenset[str]], ...]  # of how many words, and what they may be
_ROWS = "123456789"
_LETTERS = {"l": "L", "c": "C", "r": "R", "с": "C"}  # the last one is Cyrillic
_MAX_WORDS = 600  # of a line; more than any needs
_MAX_NUMBER = 2  # digits


@lru_cache(maxsize=8192)
def words_of(text: str) -> frozenset[str]:
    """The order words that a single word may be."""
    return lexicon().names(folded(text))


@lru_cache(maxsize=8192)
def _longest(text: str) -> int:
    return lexicon().longest.get(folded(text), 1)


class Cursor:
    """Reads a line from left to right. What a method looks for, it passes over if it is there."""

    def __init__(self, tokens: Sequence[Token], side: Side) -> None:
        self.tokens, self.side, self.names, self.at = tokens, side, side.names, 0
        self.size = len(tokens)
        self.kinds = [words_of(token.value) if token.type == "WORD" else _NOTHING for token in tokens]
        self.places: dict[str, Word] = {}
        self._found: list[_Phrases | None] = [None] * self.size
        if self.size > _MAX_WORDS:
            raise Wrong(self.here(), Sentence("This line is too long; write a line for each order."))

    # Words and signs

    @property
    def at_end(self) -> bool:
        return self.at >= self.size

    def token(self, ahead: int = 0) -> Token | None:
        at = self.at + ahead
        return self.tokens[at] if 0 <= at < self.size else None

    def type(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at].type if 0 <= at < self.size else ""

    def here(self) -> Word:
        """The word or sign here, where a mistake is shown; behind the end the last one."""
        token = self.token() or (self.tokens[-1] if self.tokens else None)
        return Word(token.value, token.start_pos) if token else Word("")

    def sign(self, *types: str) -> bool:
        if self.type() not in types:
            return False
        self.at += 1
        return True

    def is_word(self, *wanted: str, ahead: int = 0) -> bool:
        """Whether one of some order words begins here."""
        return any(not names.isdisjoint(wanted) for _, names in self._phrases(self.at + ahead))

    def word(self, *wanted: str) -> Word | None:
        """One of some order words, the longest way to write it."""
        for count, names in self._phrases(self.at):
            if not names.isdisjoint(wanted):
                return self.take(count)
        return None

    def words(self) -> frozenset[str]:
        """All order words that may begin here."""
        return _NOTHING.union(*(names for _, names in self._phrases(self.at)))

    def _phrases(self, at: int) -> _Phrases:
        """The phrases of order words that begin at a place, the longest first."""
        if at >= self.size:
            return ()
        found = self._found[at]
        if found is None:
            found = self._found[at] = tuple(self._look_up(at))
        return found

    def _look_up(self, at: int) -> Iterator[tuple[int, frozenset[str]]]:
        token = self.tokens[at]
        if token.type not in ("WORD", "PLUS"):
            return
        if (most := _longest(token.value)) > 1:
            texts = [folded(one.value) for one in self.tokens[at : at + most]]
            for count in range(len(texts), 1, -1):
                if names := lexicon().names(" ".join(texts[:count])):
                    yield count, names
        if names := self.kinds[at]:
            yield 1, names

    def skip(self, *wanted: str) -> None:
        while self.word(*wanted):
            pass

    def skip_to_name(self, *wanted: str) -> None:
        """The same before a counter, whose code may be one of these words: `on FOR`."""
        while self.is_word(*wanted) and not self._is_code_at_end():
            self.word(*wanted)

    def _is_code_at_end(self) -> bool:
        token = self.token()
        known = token is not None and token.value.upper() in self.side.data.counters
        return known and (self.type(1) != "WORD" or self.is_word("to", ahead=1))

    def take(self, count: int) -> Word:
        """So many words as one."""
        some = self.tokens[self.at : self.at + count]
        self.at += count
        if count == 1:
            return Word(some[0].value, some[0].start_pos)
        return Word(" ".join(token.value for token in some), some[0].start_pos)

    def unreadable(self) -> Wrong:
        here = self.here()
        if self.is_word("if"):
            return Wrong(here, Sentence("There is no such condition: write what is to be done in any case."))
        if self.is_word("l_side", "r_side"):
            return Wrong(here, Sentence("In which row? A space is row and column, such as `3L`."))
        if _LIKE_A_SPACE.fullmatch(here.value):
            told = "{space} is off the board: rows 1 to {rows}, columns L, C, R."
            return Wrong(here, Sentence(told, space=here.value, rows=self.side.data.values["rows"]))
        return Wrong(here, Sentence('"{text}" cannot be read here.', text=quoted(here.value)))

    def listing(self, *, either: bool = True) -> bool:
        """What stands between the members of a list; `or`, too, where the first that can be is meant (`either`)."""
        found = False
        joins = ("and", "or", "then") if either else ("and", "then")
        while self.sign(*_LISTING) or self.word(*joins):
            found = True
        return found

    # Counters

    def name(self, *, enemy: bool = False) -> tuple[tuple[str, ...], Word] | None:
        """The counters that a name means, several only where it is a plural, and the name."""
        start = self.at
        self.skip("the")
        both = self.word("n2") is not None and self.token() is not None  # both national guards
        for count in range(self._reach(), 0, -1):
            codes = self._named(count, enemy=enemy)
            if codes and (not both or len(codes) == _SEVERAL):
                word = self.take(count)
                for code in codes:
                    self.places[code] = word
                return codes, word
        self.at = start
        return None

    def is_name(self, ahead: int = 0) -> bool:
        at, places = self.at, dict(self.places)
        self.at += ahead
        try:
            found = self.name() is not None
        except Wrong:
            found = True
        self.at, self.places = at, places
        return found

    def _reach(self, *, point: bool = False) -> int:
        """How many tokens from here may be one name."""
        count, goes_on = 0, self.names.goes_on_in_point if point else self.names.goes_on
        for token in self.tokens[self.at : self.at + LONGEST + 2]:
            if count and token.type == "WORD" and not goes_on(token.value):
                break
            if token.type not in ("WORD", "DASH") and not (token.type == "DOT" and self._is_ordinal(count)):
                break
            count += 1
        return count

    def _is_ordinal(self, ahead: int) -> bool:
        token = self.token(ahead - 1)
        return token is not None and token.value.isdigit() and len(token.value) == 1

    def _named(self, count: int, *, enemy: bool) -> tuple[str, ...]:
        """The counters that so many tokens name. Raises Wrong where they fit two."""
        some = self.tokens[self.at : self.at + count]
        if some[-1].type != "WORD" or some[0].type != "WORD" or (count == 1 and some[0].value.isdigit()):
            return ()
        if count > 1 and "first" in self.kinds[self.at + count - 1]:
            return ()  # national guards first
        text = " ".join(token.value for token in some if token.type == "WORD")
        meant = self.names.find(text)
        if meant is NOBODY and count == _CODE_PARTS and some[1].value.isdigit():
            meant = self.names.find(some[0].value + some[1].value)
        found = choose(self.names, meant, *(self.side.pools_of_all if enemy else self.side.pools))
        if len(found) < _SEVERAL or (meant.several and set(found) <= self.names.same[found[0]]):
            return found
        told = Sentence('"{text}" may be {counters}: write the code.', text=quoted(text), counters=found)
        raise Wrong(Word(text, some[0].start_pos), told)

    def is_news(self) -> bool:
        """Whether all that a sentence says is where a counter stands, as it does: `Evora is in W1`."""
        try:
            self.skip("polite")
            found = self.name(enemy=True)
            point = self.point() if found and self.word("is") and self.word("at", "inside") else None
            told = point is not None and self.at_end
        except Wrong:
            return False
        finally:
            self.at, self.places = 0, {}
        here = self.side.state.units
        return told and found is not None and all(code in here and here[code].at == point for code in found[0])

    # Points

    def point(self) -> str | None:
        start = self.at
        self.skip("the")
        if self.type() == "WORD":
            for count in range(self._reach(point=True), 0, -1):
                if codes := self._pointed(count):
                    self.places[codes[0]] = self.take(count)
                    return codes[0]
        self.at = start
        return None

    def is_point(self, ahead: int = 0) -> bool:
        at, places = self.at, dict(self.places)
        self.at += ahead
        try:
            found = self.point() is not None
        except Wrong:
            found = True
        self.at, self.places = at, places
        return found

    def _pointed(self, count: int) -> tuple[str, ...]:
        some = self.tokens[self.at : self.at + count]
        if some[-1].type != "WORD" or some[0].value.isdigit():
            return ()
        if count == 1 and not self.kinds[self.at].isdisjoint(("never", "not")):
            return ()  # the Never Ending River has more words
        text = " ".join(token.value for token in some if token.type == "WORD")
        found = self.names.find_points(text)
        if len(found) > 1 and (own := self.side.own_points(found)):
            found = own
        if len(found) > 1:
            told = Sentence('"{text}" may be {points}: write the code.', text=quoted(text), points=found)
            raise Wrong(Word(text, some[0].start_pos), told)
        return found

    # Spaces

    def space(self, *, off: bool = False) -> str | None:
        """A space of the board, which it may lie beyond; `off` where the way may leave it."""
        start = self.at
        self.skip("the")
        if off and self.word("off"):
            return OFF
        if (found := self._space()) is None:
            self.at = start
            return None
        some = self.tokens[start : self.at]
        self.places[found] = Word(" ".join(token.value for token in some), some[0].start_pos)
        return found

    def _space(self) -> str | None:
        token = self.token()
        if token is None or token.type != "WORD":
            return None
        text = folded(token.value)
        if len(text) == len("4C") and (found := _space_of(text)):
            self.at += 1
            return found
        start = self.at
        row, column = self._row(), None
        if row is not None:
            self.sign("COMMA", "DASH")
            self.skip("the", "at")
            column = self._column()
        elif column := self._column():
            self.skip("of", "the", "inside")
            self.sign("COMMA", "DASH")
            row = self._row()
        if row is None or column is None:
            self.at = start
            return None
        return row + column

    def _row(self) -> str | None:
        """`4`, `row 4`, `4th row`."""
        start = self.at
        named = self.word("row") is not None
        token = self.token()
        if token and token.value in _ROWS and len(token.value) == 1:
            self.at += 1
            self.sign("DOT")
            self.word("nth_row")
            return token.value
        if not named:
            for number in range(1, 5):
                if self.word(f"nth{number}") and self.word("nth_row"):
                    return str(number)
        self.at = start
        return None

    def _column(self) -> str | None:
        for word, column in (("centre", "C"), ("l_side", "L"), ("r_side", "R")):
            if self.word(word):
                return column
        return None

    # Numbers

    def number(self) -> int | None:
        token = self.token()
        if token and token.type == "WORD" and token.value.isdecimal() and token.value.isascii():
            if len(token.value) > _MAX_NUMBER:
                raise Wrong(self.here(), Sentence("This number is too large."))
            self.at += 1
            self.sign("DOT")
            return int(token.value)
        return next((number for number in range(11) if self.word(f"n{number}")), None)


_LIKE_A_SPACE = compiled(r"\d[a-z]|[lcr]\d", re.I)


def _space_of(text: str) -> str | None:
    first, second = text[0], text[1]
    if first in _ROWS and second in _LETTERS:
        return first + _LETTERS[second]
    return second + _LETTERS[first] if second in _ROWS and first in _LETTERS else None


_CODE_PARTS = 2
_SEVERAL = 2
