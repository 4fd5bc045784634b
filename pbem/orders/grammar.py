"""Parsing of commands and of each game's orders with Lark.

The comment at the top of grammar/orders.lark describes what a game's grammar has to define. Each grammar is built when
it is first needed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.games import folders
from pbem.games.base import AnyGame, Terminals, Unread
from pbem.games.words import order_words, with_names, words_in
from pbem.i18n.words import alternatives, words
from pbem.resources import resource

if TYPE_CHECKING:
    from lark import Lark, UnexpectedInput, UnexpectedToken

SHARED = "grammar/orders.lark"

ORDERS = "orders"
"""The rule of each game's grammar for a whole list of orders."""

_BEGINNING, _COMMANDS = "beginning", "commands"
_SHARED_WORDS = re.compile(r"(?<!\?P)<([a-z]+)\.([a-z_]+)>")
_MOST_STATES = 1_000  # the maximum number of parser states whose accepted terminals are kept
_LINE_START = re.compile(r"(?m)^LINE_START: */(.*)/i")


def open_grammar(path: Path, starts: Sequence[str], transformer: Any = None, own: Terminals = ()) -> "Lark":
    """Build the Lark parser for the grammar in `path`, with the words of all languages and the game's `own` terminals
    filled in."""
    from lark import Lark

    def shared(_: str | None, name: str) -> tuple[str, str]:
        file = resource(SHARED).with_name(name)
        return str(file), grammar_text(file)

    text = grammar_text(path, own)
    return Lark(
        text, parser="lalr", lexer="contextual", start=list(starts), transformer=transformer, import_paths=[shared]
    )


def transformer_of(shapes: Mapping[str, Callable[[list[Any]], Any]]) -> Any:
    """Build a Lark transformer that passes the children of each rule to the function of the same name in `shapes`."""
    from lark import Transformer

    return type("Shapes", (Transformer,), {name: staticmethod(shape) for name, shape in shapes.items()})()


def grammar_text(path: Path, own: Terminals = ()) -> str:
    """Return the text of the grammar in `path`, with regular expressions in place of its <names>."""
    return _with_words(path.read_text(encoding="utf-8"), path.parent, own)


def _with_words(text: str, folder: Path, own: Terminals = ()) -> str:
    """Return the grammar `text` with regular expressions in place of its <names>.

    A name refers to words of all languages, to words of the game in `folder`, or to one of the game's `own` terminals,
    such as the cards of a set.
    """
    text = _SHARED_WORDS.sub(lambda hit: alternatives(words(hit[1], hit[2])), text)
    return with_names(text, {**order_words(folder), **dict(own)})


class Grammar:
    """A parser for the orders of one game."""

    def __init__(self, game: AnyGame, own: Terminals = (), spelled: Callable[[str], str] = str) -> None:
        from lark import TextSlice, UnexpectedInput

        self.lark = lark = open_grammar(
            game.grammar,
            (ORDERS, _BEGINNING),
            transformer_of(game.shapes),
            own,
        )
        self._fitting: dict[tuple[int, ...], frozenset[str]] = {}
        self._slice, self._unexpected, self._spelled = TextSlice, UnexpectedInput, spelled
        terminals = {terminal.name: terminal.pattern.to_regexp() for terminal in lark.terminals}
        ignored = _any_of(terminals, lark.ignore_tokens)
        self._ignored = re.compile(ignored)
        self._separators = re.compile(_any_of(terminals, ["_SEP"]))
        self._margin = re.compile(rf"{ignored}*(?:{_any_of(terminals, ['_BULLET'])})?{ignored}*")
        beginning: Any = lark.parse_interactive(start=_BEGINNING)
        self._beginnings = re.compile(rf"(?<!\w){_any_of(terminals, sorted(beginning.accepts()))}")

    def parse(self, text: str, at: int = 0, end: int | None = None) -> Any:
        """Return the items in `text` from `at` to `end`; None if that part of `text` is not an order list. Positions in
        the items are counted from the start of `text`."""
        items, _ = self.attempt(text, at, len(text) if end is None else end)
        return items

    def attempt(self, text: str, at: int, end: int) -> "tuple[Any, UnexpectedInput | None]":
        """Return the items in `text` from `at` to `end`, and None; if parsing fails, return None and the error that
        shows where it failed."""
        try:
            return self.lark.parse(self._slice(self._spelled(text), at, end), start=ORDERS), None
        except self._unexpected as error:
            return None, error

    def unread(self, text: str, at: int, end: int, failure: "UnexpectedInput | None") -> Unread:
        """Return the part of `text` from `at` to `end`, which is not an order list, as an `Unread` with the position at
        which parsing fails."""
        from lark import UnexpectedCharacters, UnexpectedToken

        if isinstance(failure, UnexpectedToken):
            stop = end if failure.token.type == "$END" else failure.token.start_pos
            return Unread(text[at:end], at, stop, self._accepted(failure))
        if isinstance(failure, UnexpectedCharacters):
            return Unread(text[at:end], at, failure.pos_in_stream, frozenset(failure.allowed))
        return Unread(text[at:end], at)

    def _accepted(self, failure: "UnexpectedToken") -> frozenset[str]:
        """Return the terminals that the parser would accept at the place of `failure`.

        Lark tries all terminals to find this out, so the result is cached for each state of the parser.
        """
        state = tuple(failure.interactive_parser.parser_state.state_stack)
        if state not in self._fitting:
            if len(self._fitting) >= _MOST_STATES:
                self._fitting.clear()
            self._fitting[state] = frozenset(failure.accepts)
        return self._fitting[state]

    def beginnings(self, text: str, at: int, end: int) -> Iterator[int]:
        """Return the positions in `text`, from `at` to `end`, at which an item may begin."""
        return (hit.start() for hit in self._beginnings.finditer(text, at, end))

    def parts(self, text: str, at: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each part of `text` between separators, from `at` to `end`, without bullets and
        without any ignored characters around the part."""
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
    """Return a regular expression for any of the terminals in `names`. If the grammar has none of these terminals, the
    expression matches nothing."""
    patterns = [terminals[name] for name in names if name in terminals]
    return f"(?:{'|'.join(patterns)})" if patterns else "(?!)"


@lru_cache(maxsize=16)
def build_grammar(game: AnyGame, own: Terminals, spelled: Callable[[str], str]) -> Grammar:
    """Build the parser for the orders of `game`, with the game's `own` terminals. The parser passes each text through
    `spelled` first. Building takes 0.1 to 1 s of CPU time, so the most recently used parsers are cached."""
    return Grammar(game, own, spelled)


def may_begin(line: str, at: int) -> bool:
    """Return whether orders of some game may begin at position `at` of `line`. This quick check imports no game."""
    return any(line_start(folder).match(line, at) for folder in sound_folders())


def sound_folders() -> tuple[Path, ...]:
    """Return the folder of each game whose grammar and words can be read, because one game must not stop the letters of
    another."""
    return tuple(folder for folder in folders().values() if not fault_in(folder))


@cache
def fault_in(folder: Path) -> str:
    """Return what is wrong with the words or the grammar in the folder of a game; "" if both can be read."""
    try:
        line_start(folder)
        words_in(folder, "lookups")
    except Exception as error:  # noqa: BLE001 - whatever the files of another package contain
        return f"its grammar or its words cannot be read, {type(error).__name__}: {error}"
    return ""


@cache
def line_start(folder: Path) -> re.Pattern[str]:
    """Return a pattern for the beginning of a line of orders of the game in `folder`: the terminal LINE_START of its
    grammar."""
    terminal = _LINE_START.search((folder / "orders.lark").read_text(encoding="utf-8"))
    return re.compile(rf"(?:{_with_words(terminal[1], folder)})\b" if terminal else "(?!)", re.I)


@cache
def _commands() -> "Lark":
    return open_grammar(resource(SHARED), (_COMMANDS,), transformer_of({_COMMANDS: tuple}))


def parse_command(line: str) -> tuple[str, ...] | None:
    """Return the command's word in `line` and the text after it; None if `line` cannot be a command."""
    from lark import UnexpectedInput

    try:
        words: Any = _commands().parse(line)
    except UnexpectedInput:
        return None
    return tuple(word.value for word in words)
