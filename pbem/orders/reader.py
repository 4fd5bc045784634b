"""A letter's own words to orders, commands and remarks, or to mistakes that are shown in their place.

A text is read as a whole first; only where that fails, line by line and item by item.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice, pairwise, starmap
from typing import Any, NamedTuple

from pbem import PbemError
from pbem.games.base import ENGLISH, AnyGame, Mistake, Say, Seat, Sentence, Unread
from pbem.games.extras import KeepsStandingOrders
from pbem.i18n import words
from pbem.orders.command import Asking, Command, Decision, Press, Simple, Words
from pbem.orders.commands import BLOCKS, COMMAND_WORDS, find_command
from pbem.orders.grammar import grammar_of, is_order, line_start_of, parse_command
from pbem.orders.lookups import may_be_lookup, take_lookups
from pbem.orders.sentences import said_alone

_WIDTH = 72  # columns of a letter
_MAX_ITEM = 200  # characters; what is longer is no item, and not searched for one
_MAX_TRIES = 3  # places where a good item may begin behind a bad beginning
_LINE = re.compile(r"[^\n]+")
_BLOCK = re.compile(
    rf"\s*({'|'.join(sorted(BLOCKS))})(?:\s+([a-z]{{1,8}}-\d{{1,9}}))?(?:\s+([a-z][a-z0-9]{{0,11}}))?\s*:(.*)", re.I
)
_END = re.compile(rf"\s*{words.pattern('around', 'end')} +({'|'.join(sorted(BLOCKS))})[ .]*", re.I)
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_LINE_START = re.compile(rf"\W{{0,3}}(?:{words.pattern('around', 'polite')}\b\W{{1,3}})?(\w+)", re.I)
_YES = ("yes", *words.words("commands", "yes"))
_POLITE = words.words("around", "polite")


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
    form, or no attempt at orders at all. `remarks` are the lines that were not read as orders, without the commands.
    """

    orders: Any | None = None
    mistakes: tuple[LineMistake, ...] = ()
    proposal: str | None = None
    commands: tuple[Command, ...] = ()
    standing: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


class IllegalOrders(PbemError):  # noqa: N818 - the rules' own word
    """A text that is no legal orders; `mistakes` are all that is wrong with it."""

    def __init__(self, mistakes: tuple[LineMistake, ...]) -> None:
        super().__init__(" ".join(map(str, mistakes)))
        self.mistakes = mistakes


def read(game: AnyGame, state: Any, seat: Seat, text: str) -> Reading:
    """What a text says to a game: its commands and its orders. Never raises, whatever the text."""
    return read_orders(game, state, seat, take_lookups(game, state, read_words(text, at=(game, state))))


def read_orders(game: AnyGame, state: Any, seat: Seat, words: Words) -> Reading:
    """What a letter says to a game, whose words are read already."""
    return _read(game, state, seat, words.rest)._replace(commands=words.commands)


def parse(game: AnyGame, state: Any, seat: Seat, text: str) -> Any:
    """The orders that a text says, remarks aside: the inverse of `str(orders)`. Raises IllegalOrders."""
    return parse_all(game, state, seat, text)[0]


def parse_all(game: AnyGame, state: Any, seat: Seat, text: str) -> tuple[Any | None, tuple[str, ...]]:
    """The same, and the standing orders of the text; if there is nothing else, the orders are None."""
    items = game.items(text)  # most texts here are our own, and need no grammar
    if items is not None and not (meant := game.interpret(state, seat, items)).mistakes:
        return meant.orders, meant.standing
    reading = _read(game, state, seat, _normalised(text))
    if reading.orders is not None or reading.standing:
        return reading.orders, reading.standing
    nothing = game.interpret(state, seat, ()).mistakes
    raise IllegalOrders(reading.mistakes or tuple(LineMistake(1, "", 0, 1, "", one.sentence) for one in nothing))


def parse_played(game: AnyGame, state: Any, seat: Seat, text: str) -> Any | None:
    """The orders that a text says, joined by the standing ones among them, as a turn is played from them; None if that
    comes to nothing. Raises IllegalOrders."""
    keeper = keeps_standing_orders(game)
    if keeper is None:
        return parse(game, state, seat, text)
    orders, standing = parse_all(game, state, seat, text)
    return keeper.joined(state, seat, orders, keeper.with_standing("", standing)) if standing else orders


def parse_turn(game: AnyGame, state: Any, texts: Mapping[Seat, str]) -> dict[Seat, Any]:
    """What `resolve` was given in a turn whose orders are told by seat. Raises IllegalOrders."""
    found = {seat: parse_played(game, state, seat, text) for seat, text in texts.items()}
    return {seat: orders for seat, orders in found.items() if orders is not None}


@cache
def keeps_standing_orders(game: AnyGame) -> KeepsStandingOrders | None:
    """A game as one that keeps standing orders; None if it does not."""
    return game if isinstance(game, KeepsStandingOrders) else None


def may_be_order(line: str) -> bool:
    """Whether a line may be orders in some game, or a command. It goes by the first words alone, since nobody has seen
    yet which game the letter is about: `pbem.mail` asks it before it takes a line for part of a signature."""
    from pbem.games import GAMES

    found = _LINE_START.match(line)
    if not found:
        return False
    if may_be_lookup(line) or any(line_start_of(game).match(line, found.start(1)) for game in GAMES):
        return True
    is_alone = found.end(1) == len(line.rstrip(" .!"))
    return (is_alone or found[1].casefold() in _YES) and find_command(found[1]) is not None


def attempts(game: AnyGame, state: Any, words: Words) -> tuple[str, ...]:
    """The items of all lines that are meant as orders, as they are written, legal in the state or not."""
    lines = _Lines(game, state, words.rest)
    parts = [part for _, parts, items in lines.told_apart() if items for part in parts]
    return tuple(" ".join(lines.text[part.start : part.end].split()) for part in parts)


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
    shown = text[start : start + width]
    if start:
        shown = "..." + shown[3:]
    if start + width < len(text):
        shown = shown[:-3] + "..."
    return shown, column - start


def _normalised(text: str) -> str:
    """A text as the grammar wants it: see the head of grammar/orders.lark."""
    if text.replace("\n", "").isprintable() and unicodedata.is_normalized("NFKC", text):
        return text  # as most are
    folded = unicodedata.normalize("NFKC", "".join(filter(_is_visible, text)))
    return "\n".join("".join(map(_printable, line)) for line in folded.splitlines())


def _is_visible(char: str) -> bool:
    return char.isascii() or unicodedata.category(char) != "Cf"  # zero-width characters, soft hyphens, marks


def _printable(char: str) -> str:
    """Blanks of all kinds and control characters become a space, and half characters a question mark."""
    if char.isprintable():
        return char
    return "?" if unicodedata.category(char) == "Cs" else " "


def read_words(text: str, name: str = "", at: tuple[AnyGame, Any] | None = None) -> Words:
    """The commands in a letter's own words, and the words without them. Never raises, whatever the text.

    The `name` of its match may stand before a line; an order of its game and state, if `at` tells them, is no command.
    """
    text = _normalised(_without_name(text, name) if name else text)
    commands: dict[int, Command] = {}  # by line, for they count one after the other
    lines = text.split("\n")
    if ":" in text:
        _take_blocks(lines, commands)
    for number, line in enumerate(lines):
        known = (first := _FIRST_WORD.search(line)) and first[0].casefold() in COMMAND_WORDS
        parsed = parse_command(_without_please(line)) if known else None
        command = (find_command(*parsed) if parsed else None) or said_alone(lines, number, may_be_order)
        if command and not (at and is_order(*at, line)):
            commands[number] = command
            lines[number] = " " * len(line)
    return Words(tuple(commands[number] for number in sorted(commands)), "\n".join(lines) if commands else text)


def _without_name(text: str, name: str) -> str:
    return re.sub(rf"(?im)^([^\S\n]*){re.escape(name)}[^\S\n]*:", r"\1", text)


def _without_please(line: str) -> str:
    """A command without what is polite behind it. No regular expression: a line may hold 200,000 blanks."""
    said = line.rstrip(" .!")
    for word in _POLITE:
        if said[-len(word) :].casefold() == word and said[: -len(word)].endswith((" ", ",")):
            return said[: -len(word)].rstrip(" ,")
    return line


def _take_blocks(lines: list[str], commands: dict[int, Command]) -> None:
    """What stands behind `press:`, `say:` and the like: words up to `end press`; or orders that are only looked at."""
    block: _Block | None = None
    begun = 0
    for number, line in enumerate(lines):
        if block is not None:
            end = _END.fullmatch(line)
            lines[number] = " " * len(line)
            if not end or BLOCKS[end[1].casefold()] != block.word:
                block.lines.append(line)
                continue
            commands[begun] = _words_of(block)
            block = None
        elif (found := _BLOCK.match(line)) and (BLOCKS[found[1].casefold()] == "tell" or not found[3]):
            word, rest = BLOCKS[found[1].casefold()], found[4]
            if word == "check":
                commands[number] = Simple("check")
                lines[number] = " " * (len(line) - len(rest)) + rest
            else:
                lines[number] = " " * len(line)
                begun, block = number, _Block(word, (found[2] or "").casefold(), found[3] or "", [rest])
    if block is not None:
        commands[begun] = _words_of(block)


class _Block(NamedTuple):
    """Lines of words, for whom: the command's word, and the match and the seat that are named, "" if none is."""

    word: str
    match: str
    seat: str
    lines: list[str]


def _words_of(block: _Block) -> Command:
    text = "\n".join(block.lines).strip()
    match block.word:
        case "press":
            return Press(text)
        case "gm":
            return Asking("gm", f"{block.match}: {text}" if block.match and text else text)
        case "tell":
            return Decision("tell", block.match, f"{block.seat}: {text}", "")
        case _:
            return Decision("say", block.match, text, "")


def _read(game: AnyGame, state: Any, seat: Seat, text: str) -> Reading:
    return read_whole(game, state, seat, text) or _Lines(game, state, text).read(seat)


def read_whole(game: AnyGame, state: Any, seat: Seat, text: str) -> Reading | None:
    """What a text says that is orders from the first word to the last; None for any other."""
    items = grammar_of(game).parse(text)
    if items is None or (meant := game.interpret(state, seat, items)).mistakes:
        return None
    return Reading(meant.orders, standing=meant.standing)


class _Part(NamedTuple):
    """A part of a text: a line, or what stands between two separators in it."""

    start: int
    end: int


class _Lines:
    """A text that is no order list as a whole: its lines are told apart, and what they hold is read item by item."""

    def __init__(self, game: AnyGame, state: Any, text: str) -> None:
        self._game, self._state, self._written = game, state, text
        self._grammar = grammar_of(game)
        self._parsed: dict[_Part, Sequence[Any] | None] = {}
        self._complete: dict[_Part, bool] = {}
        self.text = text
        self.text = self._with_items_joined(text)

    def told_apart(self) -> Iterator[tuple[_Part, list[_Part], list[Any]]]:
        """Each line with its parts and the items in them; without items if it is not meant as orders."""
        for match in _LINE.finditer(self.text):
            line = _Part(*match.span())
            parts = list(self._parts(self.text, line))
            items = [item for part in parts for item in self._items(part)]
            yield line, parts, items if self._game.is_attempt(self._state, match[0], items) else []

    def read(self, seat: Seat) -> Reading:
        items: list[Any] = []
        parts: list[_Part] = []
        remarks: list[str] = []
        for line, here, found in self.told_apart():
            if found:
                items += found
                parts += here
            else:
                remarks += self._written[line.start : line.end].split("\n")
        said = tuple(filter(None, map(str.strip, remarks)))
        if not items:
            return Reading(remarks=said)
        meant = self._game.interpret(self._state, seat, items)
        mistakes = tuple(self._located(mistake, parts) for mistake in meant.mistakes)
        proposal = None if meant.proposal is None else str(meant.proposal)
        return Reading(meant.orders, mistakes, proposal, standing=meant.standing, remarks=said)

    def _with_items_joined(self, text: str) -> str:
        """The text with a blank in place of each line end where a mail program broke an item in two."""
        chars = list(text)
        for left, right in pairwise(_Part(*line.span()) for line in _LINE.finditer(text)):
            if right.start == left.end + 1 and self._is_broken(left, right):
                chars[left.end] = " "
        return "".join(chars)

    def _is_broken(self, left: _Part, right: _Part) -> bool:
        """Whether the end of a line and the beginning of the next are one item: it says what they do not say apart,
        or it could be an item and the beginning could not."""
        before, after = list(self._parts(self._written, left))[-1:], list(self._parts(self._written, right))[:1]
        if not before or not after or after[0].end - before[0].start > _MAX_ITEM:
            return False
        ends, begins = self._says_all(before[0]), self._says_all(after[0])
        if ends and begins:
            return False
        whole = self._grammar.parse(self._written[before[0].start : after[0].end].replace("\n", " "))
        if whole is None:
            return False
        return self._is_complete(whole) or (self._parse(before[0]) is None and not begins)

    def _parts(self, text: str, line: _Part) -> Iterator[_Part]:
        return starmap(_Part, self._grammar.parts(text, *line))

    def _parse(self, part: _Part) -> Sequence[Any] | None:
        """What the grammar makes of a part. Each is read once: where it stands, joining changes nothing in it."""
        if part not in self._parsed:
            self._parsed[part] = self._grammar.parse(self.text, *part)
        return self._parsed[part]

    def _says_all(self, part: _Part) -> bool:
        """Whether a part is complete alone."""
        if part not in self._complete:
            self._complete[part] = self._is_complete(self._parse(part))
        return self._complete[part]

    def _is_complete(self, items: Sequence[Any] | None) -> bool:
        return items is not None and self._game.is_complete(self._state, items)

    def _items(self, part: _Part) -> Sequence[Any]:
        """The items of a part; what cannot be read is Unread, if need be only the beginning: "I move" 3 A to M.

        An empty Unread stands where two items have nothing between them: 3 A to M 2 W to M.
        """
        items = self._parse(part)
        if items is not None:
            return tuple(items)
        for start in islice(self._grammar.beginnings(self.text, part.start + 1, part.end), _MAX_TRIES):
            items = self._grammar.parse(self.text, start, part.end)
            if self._is_complete(items):
                before = self._items(_Part(part.start, len(self.text[:start].rstrip())))
                between = () if isinstance(before[-1], Unread) else (Unread("", start),)
                return *before, *between, *items
        return (Unread(self.text[part.start : part.end], part.start),)

    def _located(self, mistake: Mistake, parts: Sequence[_Part]) -> LineMistake:
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
