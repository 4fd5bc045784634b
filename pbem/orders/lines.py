"""Orders in a text: read as a whole by the grammar of its game; where that fails line by line, item by item.

grammar/orders.lark says what the reader asks of a game's grammar. Each is built when something is first read by it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, pairwise, starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem import ENGLISH, Say, Sentence
from pbem.games import folders
from pbem.games.base import AnyGame, Mistake, Seat, Terminals, Unread
from pbem.games.capabilities import Suggests
from pbem.games.spelling import caseless
from pbem.games.words import order_words, with_names
from pbem.i18n.words import alternatives, words
from pbem.orders import ambiguity
from pbem.orders.ambiguity import Doubt
from pbem.orders.command import Command, Words
from pbem.resources import resource

if TYPE_CHECKING:
    from lark import Lark


_WIDTH = 72  # columns of a letter
_MAX_ITEM = 200  # characters; what is longer is no item, and not searched for one
_MAX_TRIES = 3  # places where a good item may begin behind a bad beginning
_MAX_LEFT_OUT = 12  # parts that are looked at for what a proposal leaves out
_LINE = re.compile(r"[^\n]+")

BULLET = re.compile(r"(?m)^ *(?:\(?(?:\d{1,2}|[a-z])[.)]|\((?:\d|[a-z])\)|[-–—*•◦·§o]) +")
"""What numbers or marks the lines of a list."""


@dataclass(frozen=True, slots=True)
class LineMistake:
    """A mistake in its place: number (from 1) and text of the line, column (from 0) and width of what is wrong
    in it, the whole item, and the sentence that says what would be right."""

    line: int
    text: str
    column: int
    width: int
    item: str
    sentence: Sentence

    def __str__(self) -> str:
        return f"{self.item}: {self.sentence}" if self.item else self.sentence


class Reading(NamedTuple):
    """What a letter says. Either there are `orders`, or `mistakes`, perhaps with a legal `proposal` in canonical
    form, or `doubts` which it is that is meant, or no attempt at orders at all. `remarks` are the lines that were not
    read as orders, without the commands.

    Orders stand although they may be changed `perhaps` by some lines, about which their writer is asked.
    A proposal lacks what is `left_out`. `readings` are orders that a letter in doubt may mean, in canonical form. One
    that `adds` begins with "also" or the like: its orders come to those that stand. `everyday`: the grammar knows
    nothing of it, and the orders are those of sentences taken apart. `understood` is what is clear of a letter of which
    nothing can be proposed.
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
    understood: tuple[Sentence, ...] = ()

    @property
    def says_orders(self) -> bool:
        """Whether there is anything that is or may be orders, good or bad."""
        return self.orders is not None or bool(self.mistakes or self.doubts or self.standing or self.readings)


def render_mistakes(mistakes: Iterable[LineMistake], *, say: Say = ENGLISH) -> list[list[str]]:
    """Each mistake as `render_mistake` shows it."""
    return [render_mistake(mistake, say) for mistake in mistakes]


def render_mistake(mistake: LineMistake, say: Say = ENGLISH) -> list[str]:
    """The line with its number, a caret under the place, and the sentence: lines of at most 72 columns.

    A long line is cut on both sides of the place.
    """
    from textwrap import wrap

    number = f"{mistake.line:>3} | "
    text, column = _window(mistake.text, mistake.column, _WIDTH - len(number))
    width = max(1, min(mistake.width, len(text) - column))
    indent = " " * len(number)
    sentence = wrap(say(mistake.sentence), _WIDTH - len(number), break_on_hyphens=False)
    return [number + text, indent + " " * column + "^" * width, *(indent + line for line in sentence)]


def _window(text: str, column: int, width: int) -> tuple[str, int]:
    """What is shown of a line, and the column of the place in it."""
    if len(text) <= width:
        return text, column
    start = max(0, min(column - width // 3, len(text) - width))
    window = text[start : start + width]
    if start:
        window = "..." + window[3:]
    if start + width < len(text):
        window = window[:-3] + "..."
    return window, column - start


def read_text(game: AnyGame, state: Any, seat: Seat, text: str) -> Reading:
    """What the grammar makes of a normalised text, whatever else its writer says in it."""
    return read_whole(game, state, seat, text) or Lines(game, state, text).read(seat)


def read_whole(game: AnyGame, state: Any, seat: Seat, text: str) -> Reading | None:
    """What a text says that is orders from the first word to the last; None for any other."""
    items = grammar_of(game, state).parse(text)
    if items is None or (meant := game.interpret(state, seat, items)).mistakes:
        return None
    return Reading(meant.orders, standing=meant.standing)


def is_in_notation(game: AnyGame, state: Any, text: str) -> bool:
    """Whether the grammar reads a text to its end, and it says all that orders need, legal or not."""
    items = grammar_of(game, state).parse(text)
    return items is not None and game.is_complete(state, items)


class Part(NamedTuple):
    """A part of a text: a line, or what stands between two separators in it."""

    start: int
    end: int


class Lines:
    """A text that is no order list as a whole: its lines are told apart, and what they hold is read item by item."""

    def __init__(self, game: AnyGame, state: Any, text: str) -> None:
        self.game, self.state, self._written = game, state, text
        self._grammar = grammar_of(game, state)
        self._parsed: dict[Part, Sequence[Any] | None] = {}
        self._complete: dict[Part, bool] = {}
        self.attempts: list[str] = []  # lines that are meant as orders, found by `read`
        self.text = text
        self.text = self._with_items_joined(text)

    def split_lines(self) -> Iterator[tuple[Part, list[Part], list[Any]]]:
        """Each line with its parts and the items in them; without items if it is not meant as orders."""
        for match in _LINE.finditer(self.text):
            line = Part(*match.span())
            parts = list(self._parts(self.text, line))
            items = [item for part in parts for item in self._items(part)]
            yield line, parts, items if self.game.is_attempt(self.state, match[0], items) else []

    def read(self, seat: Seat) -> Reading:
        items: list[Any] = []
        parts: list[Part] = []
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
        meant = self.game.interpret(self.state, seat, items)
        mistakes = tuple(self._located(mistake, parts) for mistake in meant.mistakes)
        proposal = None if meant.proposal is None else str(meant.proposal)
        left_out = self._left_out(seat, parts, proposal) if proposal else ()
        return Reading(meant.orders, mistakes, proposal, standing=meant.standing, remarks=spoken, left_out=left_out)

    def _chat(self, parts: Sequence[Part]) -> list[Part]:
        """The parts of a line that are chat, where all others are complete: `Hi Bob! Attack: Johnny > Bao`. Where a
        game finds orders in sentences, that looks for them."""
        if len(parts) == 1 or isinstance(self.game, Suggests):
            return []
        chat = [part for part in parts if self._is_chat(self.text[part.start : part.end], self._items(part))]
        return chat if all(self.says_all(part) for part in parts if part not in chat) else []

    def _is_chat(self, text: str, items: Sequence[Any]) -> bool:
        attempt = self.game.is_attempt(self.state, text, items)
        return not attempt and ambiguity.is_chat_within(self.game, self.state, text)

    def _left_out(self, seat: Seat, parts: Sequence[Part], proposal: str) -> tuple[str, ...]:
        """The parts without which a proposal would be the same: nothing of them is in it."""
        items = [self._items(part) for part in parts[:_MAX_LEFT_OUT]]
        left_out = []
        texts = [" ".join(self.text[part.start : part.end].split()) for part in parts[:_MAX_LEFT_OUT]]
        for text in dict.fromkeys(texts):
            rest = [item for item_text, here in zip(texts, items, strict=True) if item_text != text for item in here]
            without = self.game.interpret(self.state, seat, rest)
            orders = without.orders if without.proposal is None else without.proposal
            if orders is not None and str(orders) == proposal:
                left_out.append(text)
        return tuple(left_out)

    def _with_items_joined(self, text: str) -> str:
        """The text with a blank in place of each line end where a mail program broke an item in two."""
        chars = list(text)
        for above, below in pairwise(Part(*line.span()) for line in _LINE.finditer(text)):
            if below.start == above.end + 1 and self._is_broken(above, below):
                chars[above.end] = " "
        return "".join(chars)

    def _is_broken(self, above: Part, below: Part) -> bool:
        """Whether the end of a line and the beginning of the next are one item: it says what they do not say apart,
        or it could be an item and the beginning could not."""
        before, after = list(self._parts(self._written, above))[-1:], list(self._parts(self._written, below))[:1]
        if not before or not after or after[0].end - before[0].start > _MAX_ITEM:
            return False
        ends, begins = self.says_all(before[0]), self.says_all(after[0])
        text = self._written[: above.end].rstrip()
        if (ends and begins) or text.endswith(("!", "?")):  # what ends so is no item that goes on
            return False
        whole = self._grammar.parse(self._written[before[0].start : after[0].end].replace("\n", " "))
        if whole is None or (ends and not text.endswith(",") and len(whole) > len(self._parse(before[0]) or ())):
            return False  # what is complete alone gives no word of its to an item of the next line
        return self._is_complete(whole) or (self._parse(before[0]) is None and not begins)

    def _parts(self, text: str, line: Part) -> Iterator[Part]:
        return starmap(Part, self._grammar.parts(text, *line))

    def _parse(self, part: Part) -> Sequence[Any] | None:
        """What the grammar makes of a part. Each is read once: where it stands, joining changes nothing in it."""
        if part not in self._parsed:
            self._parsed[part] = self._grammar.parse(self.text, *part)
        return self._parsed[part]

    def says_all(self, part: Part) -> bool:
        """Whether a part is complete alone."""
        if part not in self._complete:
            self._complete[part] = self._is_complete(self._parse(part))
        return self._complete[part]

    def _is_complete(self, items: Sequence[Any] | None) -> bool:
        return items is not None and self.game.is_complete(self.state, items)

    def _items(self, part: Part) -> Sequence[Any]:
        """The items of a part; what cannot be read is Unread, if need be only the beginning: "I move" 3 A to M.

        An empty Unread stands where two items have nothing between them: 3 A to M 2 W to M.
        """
        items = self._parse(part)
        if items is not None:
            return tuple(items)
        for start in islice(self._grammar.beginnings(self.text, part.start + 1, part.end), _MAX_TRIES):
            items = self._grammar.parse(self.text, start, part.end)
            if self._is_complete(items):
                before = self._items(Part(part.start, len(self.text[:start].rstrip())))
                between = () if isinstance(before[-1], Unread) else (Unread("", start),)
                return *before, *between, *items
        return (self._grammar.unread(self.text, *part),)

    def _located(self, mistake: Mistake, parts: Sequence[Part]) -> LineMistake:
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


SHARED = "grammar/orders.lark"
# Grammars: what Lark makes of a text


_ORDERS, _BEGINNING, _COMMANDS = "orders", "beginning", "commands"
_SHARED_WORDS = re.compile(r"(?<!\?P)<([a-z]+)\.([a-z_]+)>")
_LINE_START = re.compile(r"(?m)^LINE_START: */(.*)/i")


def open_grammar(path: Path, starts: Sequence[str], transformer: Any = None, own: Terminals = ()) -> "Lark":
    """Lark's parser of a grammar, with the words of all languages and what its game has of its `own` in it."""
    from lark import Lark

    def shared(_: str | None, name: str) -> tuple[str, str]:
        file = resource(SHARED).with_name(name)
        return str(file), grammar_text(file)

    text = grammar_text(path, own)
    return Lark(
        text, parser="lalr", lexer="contextual", start=list(starts), transformer=transformer, import_paths=[shared]
    )


def transformer_of(shapes: Mapping[str, Callable[[list[Any]], Any]]) -> Any:
    """What Lark makes of each rule that has a shape, from the list of its children."""
    from lark import Transformer

    return type("Shapes", (Transformer,), {name: staticmethod(shape) for name, shape in shapes.items()})()


def grammar_text(path: Path, own: Terminals = ()) -> str:
    """A grammar with regular expressions in the place of the <names> in it."""
    return _with_words(path.read_text(encoding="utf-8"), path.parent, own)


def _with_words(text: str, folder: Path, own: Terminals = ()) -> str:
    """A text with regular expressions in the place of the <names> in it: for words of all languages, a game's in its
    folder, and for what the game has of its `own`, such as the cards of a set."""
    text = _SHARED_WORDS.sub(lambda hit: alternatives(words(hit[1], hit[2])), text)
    return with_names(text, {**order_words(folder), **dict(own)})


class Grammar:
    """How the orders of one game are read."""

    def __init__(self, game: AnyGame, own: Terminals = (), spelled: Callable[[str], str] = str) -> None:
        from lark import TextSlice, UnexpectedInput

        self._lark = lark = open_grammar(
            game.grammar,
            (  # Grammars: what Lark makes of a text
                _ORDERS,
                _BEGINNING,
            ),
            transformer_of(game.shapes),
            own,
        )
        self._slice, self._unexpected, self._spelled = TextSlice, UnexpectedInput, spelled
        terminals = {terminal.name: terminal.pattern.to_regexp() for terminal in lark.terminals}
        ignored = _any_of(terminals, lark.ignore_tokens)
        self._ignored = re.compile(ignored)
        self._separators = re.compile(_any_of(terminals, ["_SEP"]))
        self._margin = re.compile(rf"{ignored}*(?:{_any_of(terminals, ['_BULLET'])})?{ignored}*")
        beginning: Any = lark.parse_interactive(start=_BEGINNING)
        self._beginnings = re.compile(rf"(?<!\w){_any_of(terminals, sorted(beginning.accepts()))}")

    def parse(self, text: str, at: int = 0, end: int | None = None) -> Any:
        """The items of a part of a text, places counted from the text's beginning; None if it is no order list."""
        part = self._slice(self._spelled(text), at, len(text) if end is None else end)
        try:
            return self._lark.parse(part, start=_ORDERS)
        except self._unexpected:
            return None

    def unread(self, text: str, at: int, end: int) -> Unread:
        """A part of a text that is no order list, with the place where it ceases to be one."""
        from lark import UnexpectedCharacters, UnexpectedToken

        try:
            self._lark.parse(self._slice(self._spelled(text), at, end), start=_ORDERS)
        except UnexpectedToken as error:
            stop = end if error.token.type == "$END" else error.token.start_pos
            return Unread(text[at:end], at, stop, frozenset(error.accepts))
        except UnexpectedCharacters as error:
            return Unread(text[at:end], at, error.pos_in_stream, frozenset(error.allowed))
        return Unread(text[at:end], at)

    def beginnings(self, text: str, at: int, end: int) -> Iterator[int]:
        """Where an item may begin in a part of a text."""
        return (hit.start() for hit in self._beginnings.finditer(text, at, end))

    def parts(self, text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
        """Where what stands between the separators of a line begins and ends, without bullets, and without what is
        ignored around it."""
        while at < end:
            if margin := self._margin.match(text, at, end):
                at = margin.end()
            separator = self._separators.search(text, at, end)
            stop, following = separator.span() if separator else (end, end)
            while stop > at and self._ignored.fullmatch(text, stop - 1, stop):
                stop -= 1
            if stop > at:
                yield at, stop
            at = following


def _any_of(terminals: Mapping[str, str], names: Sequence[str]) -> str:
    """A regular expression for any of some terminals of a grammar, and for nothing where it has none of them."""
    patterns = [terminals[name] for name in names if name in terminals]
    return f"(?:{'|'.join(patterns)})" if patterns else "(?!)"


def grammar_of(game: AnyGame, state: Any) -> Grammar:
    """The grammar of a game for what it is played with in a state, such as a set of cards: each is built once."""
    return _built(game, game.terminals(state), game.speller(state))


@lru_cache(maxsize=16)
def _built(game: AnyGame, own: Terminals, spelled: Callable[[str], str]) -> Grammar:
    return Grammar(game, own, spelled)


def is_order(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line is orders from its first word to its last."""
    if not _line_start(game.grammar.parent).match(line.lstrip(" -*•")):
        return False
    items = grammar_of(game, state).parse(line)
    return items is not None and game.is_complete(state, items)


def may_begin(line: str, at: int) -> bool:
    """Whether what stands at a place of a line may begin orders of some game: a quick look, for which none is
    imported."""
    return any(_line_start(folder).match(line, at) for folder in folders())


@cache
def _line_start(folder: Path) -> re.Pattern[str]:
    """Finds how a line of a game's orders may begin: the terminal LINE_START of its grammar."""
    line_start = _LINE_START.search((folder / "orders.lark").read_text(encoding="utf-8"))
    return re.compile(rf"(?:{_with_words(line_start[1], folder)})\b" if line_start else "(?!)", re.I)


@cache
def _commands() -> "Lark":
    return open_grammar(resource(SHARED), (_COMMANDS,), transformer_of({_COMMANDS: tuple}))


def parse_command(line: str) -> tuple[str, ...] | None:
    """The word of a line that is a command, and what stands behind it; None if it cannot be one."""
    from lark import UnexpectedInput

    try:
        words: Any = _commands().parse(line)
    except UnexpectedInput:
        return None
    return tuple(word.value for word in words)


# Lists whose items are numbered within a line, or with brackets or letters: `1) ... 2) ...`, `(1)`, `a)`: they become
# lines with the numbers that the grammars know; no character moves, so that mistakes stand where they are


_MARK = re.compile(r"(?<!\S)(\()?(\d{1,2}|[a-hа-з])([).])(?= +\S)", re.I)
_SECOND = re.compile(r"(?:^|\s)(?:\(?(?:2|[bб])\)|2\.) ", re.I)
_LETTERS = ("abcdefgh", "абвгдежз")


def with_items_apart(text: str) -> str:
    """A text with a separator before each number of a list within a line."""
    if _SECOND.search(text) is None:
        return text
    marks = list(_MARK.finditer(text))
    chars = list(text)
    for at, mark in enumerate(marks):
        if _number(mark) == 1 and _begins_line(text, mark):
            for item in _list_from(marks[at:]):
                _mend(chars, text, item)
    return "".join(chars)


def _number(mark: re.Match[str]) -> int | None:
    """Which item of a list a mark is for; None if it may be a name's beginning: `A. Smith`."""
    letter = caseless(mark[2])
    if letter.isdigit():
        return int(letter)
    if mark[3] == ".":
        return None
    return next((letters.index(letter) + 1 for letters in _LETTERS if letter in letters), None)


def _begins_line(text: str, mark: re.Match[str]) -> bool:
    return not text[text.rfind("\n", 0, mark.start()) + 1 : mark.start()].strip()


def _list_from(marks: list[re.Match[str]]) -> list[re.Match[str]]:
    """The marks of a list that begins with the first: 1, 2 and so on, all written alike; none if there is no second."""
    items = marks[:1]
    for mark in marks[1:]:
        alike = (mark[1], mark[3], mark[2].isdigit()) == (items[0][1], items[0][3], items[0][2].isdigit())
        if alike and _number(mark) == len(items) + 1:
            items.append(mark)
    return items if len(items) > 1 else []


def _mend(chars: list[str], text: str, mark: re.Match[str]) -> None:
    start = mark.start()
    if mark[1]:
        chars[start] = " "
    if not mark[2].isdigit():
        chars[mark.start(2)] = "1"
    if not _begins_line(text, mark):
        chars[start - 1] = ";"


# Moves that are written together, or without a "to": `3 A tom`, `3AM 2WM`, `3a2m`, `2WtoM`. A letter of nothing else is
# taken apart at its numbers and names in every way there is; what comes of that is offered, and never played


_LONGEST = 60  # characters of such a letter
_LONGEST_NAME = 3  # letters of a name that is written so
_MOST_READINGS = 4
_MOST = 64  # ways to take it apart that are looked at
_TOKEN = re.compile(r"\d+|[^\W\d_]+")
_BETWEEN = re.compile(r"[\s,;.!/>-]*")
_TWO = "2"  # also sounds like "to"


def or_joined(game: AnyGame, state: object, seat: Seat, words: Words, reading: Reading) -> Reading:
    """A reading; of a letter that has none, what its moves may be that are written together."""
    if reading.orders is not None or reading.proposal or reading.readings or reading.standing or words.commands:
        return reading
    names = [line for line in words.lines() if game.names_in(state, f"x {line.upper()}")]
    lines = [line for line in words.lines() if line in names or not ambiguity.is_courtesy(line)]
    ways = _apart(game, state, seat, "\n".join(lines))
    if not ways or any(doubt.text not in lines for doubt in reading.doubts):
        return reading
    doubts = tuple(Doubt(line, "unread") for line in lines)
    return Reading(doubts=doubts, proposal=ways[0] if len(ways) == 1 else None, readings=ways[:_MOST_READINGS])


def _apart(game: AnyGame, state: object, seat: Seat, text: str) -> tuple[str, ...]:
    """The legal orders that a text may mean, in canonical form; none if anything else stands in it."""
    tokens = _TOKEN.findall(text)
    if len(text) > _LONGEST or not tokens or not _BETWEEN.fullmatch(_TOKEN.sub("", text)) or not tokens[0].isdigit():
        return ()
    parts = [[""]]
    for token in tokens:
        parts = [[*before, *tail] for before in parts for tail in _pieces(game, state, token)][:_MOST]
    moves = dict.fromkeys(", ".join(chain) for pieces in parts for chain in _moves(tuple(pieces[1:])))
    read = (read_text(game, state, seat, joined).orders for joined in [*moves][:_MOST])
    return tuple(dict.fromkeys(str(orders) for orders in read if orders is not None))


@cache
def _arrows() -> frozenset[str]:
    return frozenset(words("orders", "to"))


def _pieces(game: AnyGame, state: object, token: str) -> Iterator[list[str]]:
    """The ways in which a word falls into names and a "to"."""
    if not token or token.isdigit() or token.lower() in _arrows():
        yield [token] if token else []
        return
    for size in range(1, len(token) + 1):
        piece = token[:size]
        if piece.lower() in _arrows():
            yield from ([piece.lower(), *tail] for tail in _pieces(game, state, token[size:]))
        elif size <= _LONGEST_NAME and game.names_in(state, f"x {piece.upper()}"):
            yield from ([piece.upper(), *tail] for tail in _pieces(game, state, token[size:]))


def _moves(pieces: Sequence[str]) -> Iterator[list[str]]:
    """The moves that pieces make from first to last: a number, a name, perhaps a "to", a name."""
    if not pieces:
        yield []
        return
    count, origin, *rest = (*pieces[:2], *pieces[2:]) if len(pieces) > 1 else (*pieces, "")
    if not count.isdigit() or not origin.isalpha():
        return
    for between in (0, 1):
        arrow, name = rest[:between], rest[between : between + 1]
        if name and name[0].isalpha() and all(piece in _arrows() or piece == _TWO for piece in arrow):
            yield from ([f"{count} {origin} -> {name[0]}", *tail] for tail in _moves(rest[between + 1 :]))
