"""A place in a line, and what stands there: words, signs, names, Points, lists."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, TypeVar

from pbem.games.base import Sentence
from pbem.games.rocknroll.items import ItemPart, Token
from pbem.games.rocknroll.lookup import Wrong, quoted
from pbem.games.rocknroll.names import Names, is_word, kinds_of, may_go_on

RULES = ("income", "reroll", "rocknroll", "pour", "react", "first", "block", "goto", "lose", "captives")
COMMANDS = ("deploy", "trade", "use", "act", "sell", "buy", "capture", "if", "unless", "pass", "play")
_STARTS = frozenset((*RULES, *COMMANDS))
_PAUSES = frozenset(("then", "polite"))
_NEGATED = ("none_of", "never", "without", "not", "denied")
_NO_KINDS: frozenset[str] = frozenset()
_LONGEST = 6  # words of an order word
_STOPS = _STARTS | {"at", "against", "to", "from", "for", "with", "by", "and", "then", "not", "each", "point"}

Sign = Literal["target", "point", "either"]
_Read = TypeVar("_Read")


class Cursor:
    """Reads a line from left to right. What a method looks for, it passes over if it is there."""

    def __init__(self, tokens: Sequence[Token], names: Names) -> None:
        self.tokens, self.names, self.at = tokens, names, 0
        self._size = len(tokens)
        self.says_no = any(not kinds_of(token.value).isdisjoint(_NEGATED) for token in tokens)
        self._last_colon = max((at for at, token in enumerate(tokens) if token.type == "COLON"), default=-1)
        self._kinds = [kinds_of(token.value) if token.type == "WORD" else _NO_KINDS for token in tokens]

    # Words and signs

    @property
    def at_end(self) -> bool:
        return self.at >= self._size

    def token(self, ahead: int = 0) -> Token | None:
        at = self.at + ahead
        return self.tokens[at] if at < self._size else None

    def kinds(self, ahead: int = 0) -> frozenset[str]:
        """The order words that the word here may be."""
        at = self.at + ahead
        return self._kinds[at] if at < self._size else _NO_KINDS

    def sign(self, *types: str) -> Token | None:
        token = self.token()
        if token is None or token.type not in types:
            return None
        self.at += 1
        return token

    def may_be(self, wanted: Iterable[str]) -> bool:
        """Whether one of some order words may begin here: a quick look, which no word that is one fails."""
        return not self.kinds().isdisjoint(wanted) or (not self.at_end and may_go_on(self.tokens[self.at].value))

    def word(self, *wanted: str) -> ItemPart | None:
        """One of some order words, the longest way to write it."""
        if self.at >= self._size or self.tokens[self.at].type != "WORD":
            return None
        if may_go_on(self.tokens[self.at].value):
            words = self._run()
            for count in range(len(words), 1, -1):
                text = " ".join(words[:count])
                if any(is_word(text, name) for name in wanted):
                    return self._take(count)
        if not self._kinds[self.at].isdisjoint(wanted):
            return self._take(1)
        return None

    def skip(self, *wanted: str) -> None:
        while self.word(*wanted):
            pass

    def _run(self) -> list[str]:
        """The words that follow one another here, as many as an order word may have."""
        words = list[str]()
        for token in self.tokens[self.at : self.at + _LONGEST]:
            if token.type != "WORD":
                break
            words.append(token.value)
        return words

    def _take(self, count: int) -> ItemPart:
        """So many words as one: as they are written, but for their blanks."""
        first = self.tokens[self.at]
        if count == 1:
            self.at += 1
            return ItemPart(first.value, first.start_pos)
        some = self.tokens[self.at : self.at + count]
        self.at += count
        return ItemPart(" ".join(token.value for token in some), first.start_pos)

    def here(self) -> ItemPart:
        """The word or sign here, where a mistake is shown; behind the end the last one."""
        token = self.token() or self.tokens[-1]
        return ItemPart(token.value, token.start_pos)

    def unreadable(self) -> Wrong:
        here = self.here()
        return Wrong(here, Sentence('"{text}" cannot be read.', text=quoted(here.value)))

    # Where a line or an item of it ends

    def is_start(self, ahead: int = 0) -> bool:
        """Whether a command or a standing order begins here, by its word."""
        return not self.kinds(ahead).isdisjoint(_STARTS)

    def ends(self, *, of_cards: bool = False) -> bool:
        """Whether the item is complete here: nothing follows, or what separates it from the next. Where cards are
        named, the last one may have a colon behind it (`of_cards`)."""
        if self.at_end or "then" in self.kinds():
            return True
        ahead = 0
        while self._is_listing(ahead):
            ahead += 1
        if ahead == 0:
            return False
        is_last = self.at + ahead >= self._size
        is_next = is_last or self.is_start(ahead) or not self.kinds(ahead).isdisjoint(_PAUSES)
        return is_next or (not of_cards and self._is_play(ahead)) or self.is_of_others(ahead)

    def is_of_others(self, ahead: int = 0) -> bool:
        """Whether it is said here that all others stay where they are."""
        if self.kinds(ahead).isdisjoint(("others", "article", "all")):
            return False
        at = self.at
        self.at = at + ahead
        found = self.word("stays") is not None
        self.at = at
        return found

    def _is_play(self, ahead: int) -> bool:
        """Whether an order is played here: its name, and a colon."""
        if self._last_colon < self.at + ahead:
            return False
        count = self.order_card(ahead)
        token = self.token(ahead + count)
        return count > 0 and token is not None and token.type == "COLON"

    def order_card(self, ahead: int = 0) -> int:
        """How many words of the name of an order stand here; 0: it is none."""
        words = [token.value for token in self._words(ahead)]
        count = self.names.longest(words)
        return 0 if self.names.orders.isdisjoint(self.names.find(" ".join(words[:count]))) else count

    def between(self) -> None:
        """Passes over what separates two items."""
        while self._is_listing(0) or "then" in self.kinds():
            self.at += 1

    def _is_listing(self, ahead: int) -> bool:
        token = self.token(ahead)
        return token is not None and (token.type in ("COMMA", "PLUS") or "and" in self.kinds(ahead))

    def listing(self, *, of_cards: bool = False) -> bool:
        """A comma, an `and` or the like, and no end of the item."""
        if self.ends(of_cards=of_cards) or not self._is_listing(0):
            return False
        while self._is_listing(0):
            self.at += 1
        return True

    def listed(self, read: Callable[[], _Read]) -> list[_Read]:
        """What is read one by one with commas between."""
        found = [read()]
        while self.listing():
            found.append(read())
        return found

    # Names and Points

    def name(self) -> ItemPart | None:
        """The words that are a name, or stand where one belongs."""
        self._skip_before_name()
        words = [token.value for token in self._words()]
        if count := self.names.longest(words):
            return self._take(count)
        if not words or not words[0][0].isalpha() or self.is_point() or not self.kinds().isdisjoint(_STOPS):
            return None
        count = 1
        while count < len(words) and self._goes_on(count, words[count:]):
            count += 1
        return self._take(count)

    def says_unit(self) -> bool:
        """Whether the name of one card stands here that is no order."""
        words = [token.value for token in self._words()]
        found = self.names.find(" ".join(words[: self.names.longest(words)]))
        return len(found) == 1 and found[0] not in self.names.orders

    def _skip_before_name(self) -> None:
        """`the`, `my` and `unit` before a name."""
        while (
            not self.kinds().isdisjoint(("article", "own", "filler", "unit"))
            and self.names.longest([self.here().value]) == 0
            and (after := self.token(1)) is not None
            and after.type in ("WORD", "NUMBER")
            and self.kinds(1).isdisjoint(_STOPS - _STARTS)
        ):
            self.at += 1

    def _words(self, ahead: int = 0) -> Iterator[Token]:
        """The words and numbers that follow one another here."""
        at = self.at + ahead
        for token in self.tokens[at : at + _LONGEST]:
            if token.type not in ("WORD", "NUMBER"):
                return
            yield token

    def _goes_on(self, count: int, rest: Sequence[str]) -> bool:
        """Whether words that are no name may go on with the next one."""
        return (
            rest[0][0].isalpha()
            and not self.is_point(count)
            and self.kinds(count).isdisjoint(_STOPS)
            and not self.names.longest(rest)
        )

    def is_point(self, ahead: int = 0) -> bool:
        token = self.token(ahead)
        return token is not None and token.type == "WORD" and self.names.is_point(token.value)

    def point(self, *, behind_sign: bool = False) -> ItemPart | None:
        """A Point, or a single letter where one belongs; behind a sign also the one that is a preposition."""
        at = self.at
        self.skip("point")
        token = self.token()
        if token is not None and token.type == "WORD":
            is_letter = len(token.value) == 1 and (behind_sign or not self.kinds())
            if is_letter or self.names.is_point(token.value):
                return self._take(1)
        self.at = at
        return None

    def place_sign(self) -> tuple[ItemPart, Sign] | None:
        """What leads from a unit to its target or to a Point."""
        if token := self.sign("ARROW"):
            return ItemPart(token.value, token.start_pos), "either"
        kinds = self.kinds()
        for name, meaning in _SIGNS:
            if name in kinds and (said := self.word(name)):
                return said, meaning
        if self._is_v_in_latin():
            return self._take(1), "point"
        said = self.word("against")
        return (said, "target") if said else None

    def _is_v_in_latin(self) -> bool:
        """Whether a Latin B is the Russian preposition: a Russian word stands before it, and a Point follows."""
        token = self.token()
        before = self.tokens[self.at - 1].value if self.at else ""
        return token is not None and token.value in ("B", "b") and not before.isascii() and self.is_point(1)


_SIGNS: tuple[tuple[str, Sign], ...] = (("at", "either"), ("to", "point"), ("against", "target"))
