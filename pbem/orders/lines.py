"""Reading the orders in a text with the grammar: as a whole or, if that fails, line by line and item by item."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import ENGLISH, Say, Sentence
from pbem.games.base import Mistake, Unread
from pbem.orders import ambiguity
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import Choice, Command
from pbem.orders.situation import AnySituation, AnyStandpoint

if TYPE_CHECKING:
    from lark import UnexpectedInput


_WIDTH = 72  # the number of columns in a letter
_MAX_ITEM = 200  # the maximum number of characters of a text that is tried as one item
_MAX_TRIES = 3  # the maximum number of places at which a readable item may begin after an unreadable start
_MAX_LEFT_OUT = 12  # the maximum number of parts that are checked for whether a proposal leaves them out
_LINE = re.compile(r"[^\n]+")

BULLET = re.compile(r"(?m)^ *(?:\(?(?:\d{1,2}|[a-z])[.)]|\((?:\d|[a-z])\)|[-–—*•◦·§o]) +")
"""A pattern for the number or mark before a line in a list."""


@dataclass(frozen=True, slots=True)
class LineMistake:
    """A mistake and its place: the number (from 1) and the text of the line, the column (from 0) and the width of the
    wrong part, the whole item that contains it, and a sentence that says what would be right."""

    line: int
    text: str
    column: int
    width: int
    item: str
    sentence: Sentence

    def __str__(self) -> str:
        return f"{self.item}: {self.sentence}" if self.item else self.sentence


class Reading(NamedTuple):
    """The meaning of a letter.

    A reading has `orders`; or it has `mistakes`, or `doubts` about which of several things is meant, perhaps with a
    legal `proposal` in canonical form; or it has none of these, if the letter makes no attempt at orders. `commands`
    are the letter's commands, and `standing` its standing orders. `remarks` are the other lines, which were not read as
    orders.

    `perhaps` are lines that may change the orders: the orders stand, and the writer is asked. `left_out` are the parts
    of the letter that a proposal ignores. `readings` are orders, in canonical form, that a letter in doubt may mean.
    `adds` is true if the orders are to be added to those that already stand, because of a word such as "also".
    `everyday` is true if the orders come from sentences that the grammar cannot read, and `guessed` if the orders are
    likely but not certain. `understood` is the clear part of a letter for which nothing can be proposed. `choices` say
    which orders apply of those with a condition for this turn.
    """

    orders: Any | None = None
    mistakes: tuple[LineMistake, ...] = ()
    proposal: str | None = None
    commands: tuple[Command, ...] = ()
    standing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    readings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    perhaps: tuple[str, ...] = ()
    adds: bool = False
    everyday: bool = False
    guessed: bool = False
    understood: tuple[Sentence, ...] = ()
    choices: tuple[Choice, ...] = ()

    @property
    def says_orders(self) -> bool:
        """Whether anything in the letter is or may be orders, correct or not."""
        return self.orders is not None or bool(self.mistakes or self.doubts or self.standing or self.readings)

    @property
    def in_subject(self) -> bool:
        """Whether the letter has orders in its subject, but no orders, not even doubtful ones, in its text."""
        return any(doubt.turn == "subject" for doubt in self.doubts)

    def asking_about(self, lines: Sequence[str]) -> "Reading":
        """Return a copy of this reading in which the orders stand, and the writer is asked about `lines` beside
        them."""
        remarks = tuple(remark for remark in self.remarks if not any(remark in line for line in lines))
        return self._replace(perhaps=tuple(lines), remarks=remarks)


def render_mistakes(mistakes: Iterable[LineMistake], *, say: Say = ENGLISH) -> list[list[str]]:
    """Return, for each mistake, the lines that `render_mistake` returns."""
    return [render_mistake(mistake, say) for mistake in mistakes]


def render_mistake(mistake: LineMistake, say: Say = ENGLISH) -> list[str]:
    """Return lines that show a mistake in at most 72 columns: its line with the line's number, carets under the wrong
    part, and the sentence that says what would be right.

    A long line is cut on both sides of the mistake.
    """
    from textwrap import wrap

    number = f"{mistake.line:>3} | "
    text, column = _window(mistake.text, mistake.column, _WIDTH - len(number))
    width = max(1, min(mistake.width, len(text) - column))
    indent = " " * len(number)
    sentence = wrap(say(mistake.sentence), _WIDTH - len(number), break_on_hyphens=False)
    return [number + text, indent + " " * column + "^" * width, *(indent + line for line in sentence)]


def _window(text: str, column: int, width: int) -> tuple[str, int]:
    """Return the part of the line `text` that is shown in `width` characters, and the column of the mistake in that
    part."""
    if len(text) <= width:
        return text, column
    start = max(0, min(column - width // 3, len(text) - width))
    window = text[start : start + width]
    if start:
        window = "..." + window[3:]
    if start + width < len(text):
        window = window[:-3] + "..."
    return window, column - start


def read_text(standpoint: AnyStandpoint, text: str) -> Reading:
    """Read the normalised `text` by the grammar alone, without checking whether other words put the orders in doubt."""
    return read_whole(standpoint, text) or SeatLines(standpoint, text).read()


def read_whole(standpoint: AnyStandpoint, text: str) -> Reading | None:
    """Read `text` if it consists only of legal orders; return None for any other text."""
    items = standpoint.parse(text)
    if items is None or (meant := standpoint.interpret(items)).mistakes:
        return None
    return Reading(meant.orders, standing=meant.standing)


class Segment(NamedTuple):
    """The start and end of a part of a text: of a line, or of the text between two separators in a line."""

    start: int
    end: int


class Lines:
    """The lines of a text that is not simply one list of orders. They are classified, and read item by item."""

    def __init__(self, situation: AnySituation, text: str) -> None:
        self.situation, self._written = situation, text
        self._grammar = situation.grammar
        self._parsed: dict[Segment, tuple[Sequence[Any] | None, UnexpectedInput | None]] = {}
        self._items_in: dict[Segment, Sequence[Any]] = {}
        self._complete: dict[Segment, bool] = {}
        self.text = text
        self.text = self._with_items_joined(text)

    def split_lines(self) -> Iterator[tuple[Segment, list[Segment], list[Any]]]:
        """Yield each line with its parts and the items in these parts. There are no items if the line is not meant as
        orders."""
        for match in _LINE.finditer(self.text):
            line = Segment(*match.span())
            parts = list(self._parts(self.text, line))
            items = [item for part in parts for item in self._items(part)]
            yield line, parts, items if self.situation.is_attempt(match[0], items) else []

    def _with_items_joined(self, text: str) -> str:
        """Return `text` with a blank in place of each line end at which a mail program broke an item in two."""
        chars = list(text)
        for above, below in pairwise(Segment(*line.span()) for line in _LINE.finditer(text)):
            if below.start == above.end + 1 and self._is_broken(above, below):
                chars[above.end] = " "
        return "".join(chars)

    def _is_broken(self, above: Segment, below: Segment) -> bool:
        """Return whether the end of the line `above` and the start of the line `below` belong to the same item.

        They do if they form a complete item together and are not both complete by themselves. They also do if they form
        an incomplete item together, the first cannot be read by itself, and the second is not complete by itself.
        """
        before, after = list(self._parts(self._written, above))[-1:], list(self._parts(self._written, below))[:1]
        if not before or not after or after[0].end - before[0].start > _MAX_ITEM:
            return False
        ends, begins = self.is_complete(before[0]), self.is_complete(after[0])
        text = self._written[: above.end].rstrip()
        if (ends and begins) or text.endswith(("!", "?")):  # an unfinished item does not end like this
            return False
        whole = self._grammar.parse(self._written[before[0].start : after[0].end].replace("\n", " "))
        if whole is None or (ends and not text.endswith(",") and len(whole) > len(self._parse(before[0]) or ())):
            return False  # a complete item does not extend into the next line
        return self._are_complete(whole) or (self._parse(before[0]) is None and not begins)

    def _parts(self, text: str, line: Segment) -> Iterator[Segment]:
        return starmap(Segment, self._grammar.parts(text, *line))

    def _parse(self, part: Segment) -> Sequence[Any] | None:
        """Return the items of `part`, or None if it cannot be parsed. Each part is parsed only once, because joining
        lines changes nothing in it."""
        return self._attempt(part)[0]

    def _attempt(self, part: Segment) -> "tuple[Sequence[Any] | None, UnexpectedInput | None]":
        if part not in self._parsed:
            self._parsed[part] = self._grammar.attempt(self.text, *part)
        return self._parsed[part]

    def is_complete(self, part: Segment) -> bool:
        """Return whether `part` by itself contains everything that orders need."""
        if part not in self._complete:
            self._complete[part] = self._are_complete(self._parse(part))
        return self._complete[part]

    def _are_complete(self, items: Sequence[Any] | None) -> bool:
        return items is not None and self.situation.is_complete(items)

    def _items(self, part: Segment) -> Sequence[Any]:
        """Return the items of `part`, which are looked for only once.

        Text that cannot be read becomes an `Unread`. If possible, this is only the start of `part`, such as "I move" in
        "I move 3 A to M". An empty `Unread` separates two items with nothing between them: "3 A to M 2 W to M".
        """
        if part not in self._items_in:
            self._items_in[part] = self._find_items(part)
        return self._items_in[part]

    def _find_items(self, part: Segment) -> Sequence[Any]:
        items, failure = self._attempt(part)
        if items is not None:
            return tuple(items)
        for start in islice(self._grammar.beginnings(self.text, part.start + 1, part.end), _MAX_TRIES):
            items = self._parse(Segment(start, part.end))
            if items is not None and self._are_complete(items):
                before = self._items(Segment(part.start, len(self.text[:start].rstrip())))
                between = () if isinstance(before[-1], Unread) else (Unread("", start),)
                return *before, *between, *items
        return (self._grammar.unread(self.text, *part, failure),)


class SeatLines(Lines):
    """The lines of a seat's letter, read as that seat's orders."""

    def __init__(self, standpoint: AnyStandpoint, text: str) -> None:
        super().__init__(standpoint, text)
        self.standpoint = standpoint
        self.attempts: list[str] = []
        """The lines that `read` found to be meant as orders."""

    def read(self) -> Reading:
        """Read all lines that are meant as orders as one list of orders. The other lines become remarks."""
        items: list[Any] = []
        parts: list[Segment] = []
        remarks: list[str] = []
        for line, here, line_items in self.split_lines():
            if line_items:
                chat = self._chat(here)
                items += (
                    [item for part in here if part not in chat for item in self._items(part)] if chat else line_items
                )
                parts += here
                self.attempts.append(self.text[line.start : line.end])
                remarks += [self.text[part.start : part.end] for part in chat]
            else:
                remarks += self._written[line.start : line.end].split("\n")
        spoken = tuple(filter(None, map(str.strip, remarks)))
        if not items:
            return Reading(remarks=spoken)
        meant = self.standpoint.interpret(items)
        mistakes = tuple(self._located(mistake, parts) for mistake in meant.mistakes)
        proposal = None if meant.proposal is None else str(meant.proposal)
        left_out = self._left_out(parts, proposal) if proposal else ()
        return Reading(meant.orders, mistakes, proposal, standing=meant.standing, remarks=spoken, left_out=left_out)

    def fault(self, order: str, sentence: Sentence) -> LineMistake:
        """Return a mistake at the part of the text that means `order`, which is in canonical form. If no part means
        that order by itself, the mistake shows `order` instead of the text."""
        for _, parts, _ in self.split_lines():
            for part in parts:
                meant = self.standpoint.interpret(self._items(part))
                found = meant.proposal if meant.orders is None else meant.orders
                if order in str(found).split("; "):
                    return self._located(Mistake(part.start, part.end, sentence), [part])
        return LineMistake(1, order, 0, len(order), order, sentence)

    def _chat(self, parts: Sequence[Segment]) -> list[Segment]:
        """Return those of the `parts` of a line that are chat, if all other parts are complete: `Hi Bob! Attack: Johnny
        > Bao`.

        The result is empty for games that find orders in everyday sentences, because these games look for chat
        themselves.
        """
        if len(parts) == 1 or self.situation.suggests:
            return []
        chat = [part for part in parts if self._is_chat(self.text[part.start : part.end], self._items(part))]
        return chat if all(self.is_complete(part) for part in parts if part not in chat) else []

    def _is_chat(self, text: str, items: Sequence[Any]) -> bool:
        attempt = self.situation.is_attempt(text, items)
        return not attempt and ambiguity.is_chat_within(self.situation, text)

    def _left_out(self, parts: Sequence[Segment], proposal: str) -> tuple[str, ...]:
        """Return the texts of those `parts` without which the proposal would be the same."""
        items = [self._items(part) for part in parts[:_MAX_LEFT_OUT]]
        left_out = []
        texts = [" ".join(self.text[part.start : part.end].split()) for part in parts[:_MAX_LEFT_OUT]]
        for text in dict.fromkeys(texts):
            rest = [item for item_text, here in zip(texts, items, strict=True) if item_text != text for item in here]
            without = self.standpoint.interpret(rest)
            orders = without.orders if without.proposal is None else without.proposal
            if orders is not None and str(orders) == proposal:
                left_out.append(text)
        return tuple(left_out)

    def _located(self, mistake: Mistake, parts: Sequence[Segment]) -> LineMistake:
        start = self._written.rfind("\n", 0, mistake.start) + 1
        line = self._written[start:].partition("\n")[0]
        item = next((self.text[part.start : part.end] for part in parts if part.start <= mistake.start < part.end), "")
        return LineMistake(
            line=self._written.count("\n", 0, start) + 1,
            text=line,
            column=mistake.start - start,
            width=max(1, min(mistake.end - start, len(line)) - (mistake.start - start)),
            item=item,
            sentence=mistake.sentence,
        )
