"""Grammars at work: what that of a game makes of a text, or of a part of one, and that of the service's commands.

grammar/orders.lark says what the reader asks of a game's grammar. Each is built when something is first read by it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.games.base import AnyGame
from pbem.games.words import order_words
from pbem.i18n.words import alternatives, words
from pbem.resources import resource

if TYPE_CHECKING:
    from lark import Lark
    from lark.lexer import TerminalDef

_SHARED = "grammar/orders.lark"
_ORDERS, _BEGINNING, _COMMANDS = "orders", "beginning", "commands"  # the rules that a text is read by

_WORDS = re.compile(r"(?<!\?P)<((?:[a-z]+\.)?[a-z_]+)>")

_END = "$END"  # what Lark calls the end of a text

_Scanner = Callable[[str, int, int], re.Match[str] | None]
"""Finds the word at a place in a text, which has to end before another place."""


def open_grammar(path: Path, starts: Sequence[str], transformer: Any = None) -> "Lark":
    """Lark's own parser of a grammar, with the words of all languages in it."""
    from lark import Lark

    def shared(_: str | None, name: str) -> tuple[str, str]:
        found = resource(_SHARED).with_name(name)
        return str(found), grammar_text(found)

    text = grammar_text(path)
    return Lark(text, parser="lalr", start=list(starts), transformer=transformer, import_paths=[shared])


def grammar_text(path: Path) -> str:
    """A grammar with regular expressions in the place of <names> that stand for words of all languages."""
    return _with_words(path.read_text(encoding="utf-8"), path.parent)


def _with_words(text: str, folder: Path) -> str:
    own = order_words(folder)

    def filled(found: re.Match[str]) -> str:
        table, _, kind = found[1].rpartition(".")
        return alternatives(words(table, kind)) if table else own[kind]

    return _WORDS.sub(filled, text)


class _Token(NamedTuple):
    """A word or a sign: what the grammar calls its kind, how it is written, and where."""

    type: str
    value: str
    start_pos: int


class _Complete(NamedTuple):
    """A rule that is complete: how many values it is made of, its name, and what becomes of them."""

    size: int
    name: str
    shape: Callable[[list[Any]], Any]


_Table = dict[int, dict[str, int | _Complete]]
"""By state and kind of the next word, or name of the rule just completed: the state to go to, or what is complete."""


class _Parser:
    """Lark's tables of one grammar, read by a lexer and a loop of ours: they find what Lark's own would find, but count
    no lines and columns and keep nothing for the explanation of errors, which spares half of the time.

    Built in some 25 ms; to keep its tables would save most of them, and cost a private folder and trust in what lies
    there.
    """

    def __init__(self, path: Path, starts: tuple[str, ...], shapes: Mapping[str, Callable[[list[Any]], Any]]) -> None:
        from types import SimpleNamespace

        self._lark = open_grammar(path, starts, SimpleNamespace(**shapes))
        confs = {start: self._conf(start) for start in starts}
        rows, made = confs[starts[0]].states, confs[starts[0]].callbacks
        # Names are made plain here, for some are tokens of the grammar's own text, which are slow to compare.
        self._table: _Table = {
            state: {str(name): _step(arg, made) for name, (_, arg) in row.items()} for state, row in rows.items()
        }
        for conf in confs.values():
            self._table[conf.end_state][_END] = conf.end_state  # where all is read
        self._first: dict[str, int] = {start: conf.start_state for start, conf in confs.items()}
        self._ignored = frozenset(map(str, self._lark.ignore_tokens))
        # What the grammar drops is never looked at: one token of each kind will do.
        dropped = [str(one.name) for one in self._lark.terminals if one.name[0] == "_"]
        self._dropped = {name: _Token(name, name, 0) for name in dropped}
        self._scanners: dict[int, _Scanner] = {}  # by the parser's states

    def patterns(self, *names: str) -> str:
        """A regular expression for any of some terminals of the grammar, and for nothing where it has none of them."""
        found = [one.pattern.to_regexp() for one in self._lark.terminals if one.name in names]
        return f"(?:{'|'.join(found)})" if found else "(?!)"

    def ignored(self) -> str:
        """A regular expression for what is ignored."""
        return self.patterns(*self._ignored)

    def accepted_first(self, start: str) -> str:
        """A regular expression for what a text may begin with."""
        beginning: Any = self._lark.parse_interactive(start=start)
        return self.patterns(*beginning.accepts())

    def _conf(self, start: str) -> Any:
        """Lark's tables, as it uses them for texts that begin with a rule."""
        interactive: Any = self._lark.parse_interactive(start=start)
        return interactive.parser_state.parse_conf

    def parse(self, start: str, text: str, at: int, end: int) -> Any:
        """What the grammar makes of a part of a text, words placed in the whole of it; None if it fits nothing."""
        states, values = [self._first[start]], list[Any]()
        ignored, dropped, scanners = self._ignored, self._dropped, self._scanners
        while at < end:
            match: Any = (scanners.get(states[-1]) or self._scanner(states[-1]))(text, at, end)
            if match is None:
                return None
            kind = match.lastgroup
            if kind not in ignored:
                state = self._led_to(states, values, kind)
                if state is None:
                    return None
                states.append(state)
                values.append(dropped.get(kind) or _Token(kind, match[0], at))
            at = match.end()
        return None if self._led_to(states, values, _END) is None else values[-1]

    def _led_to(self, states: list[int], values: list[Any], kind: str) -> int | None:
        """The state that a word of a kind leads to, behind all that it shows to be complete; None if it fits nothing.

        `states` are those that led here, `values` what was read meanwhile: one more state than values.
        """
        table: Any = self._table
        step: int | _Complete | None = table[states[-1]].get(kind)
        while isinstance(step, _Complete):
            size, name, shape = step
            before = len(values) - size
            value = shape(values[before:])
            del values[before:], states[before + 1 :]
            values.append(value)
            states.append(table[states[-1]][name])
            step = table[states[-1]].get(kind)
        return step

    def _scanner(self, state: int) -> _Scanner:
        """What finds the words that may follow in a state, and those that are ignored."""
        names = {name for name in self._table[state] if name.isupper() and name != _END} | self._ignored
        terminals = sorted(map(self._lark.get_terminal, names), key=_precedence)
        pattern = "|".join(f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in terminals)
        scan = self._scanners[state] = re.compile(pattern).match
        return scan


def _step(arg: Any, shapes: Mapping[Any, Callable[[list[Any]], Any]]) -> "int | _Complete":
    """A step of Lark's tables: a state as it is, or a rule that is complete."""
    return arg if isinstance(arg, int) else _Complete(len(arg.expansion), str(arg.origin.name), shapes[arg])


def _precedence(terminal: "TerminalDef") -> tuple[int, int, int, str]:
    """Which of several terminals is tried first: by its priority, then its length, as Lark does."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


class Grammar:
    """How the orders of one game are read."""

    def __init__(self, game: AnyGame) -> None:
        parser = _Parser(game.grammar, (_ORDERS, _BEGINNING), game.shapes)
        self._parse = parser.parse
        ignored = parser.ignored()
        self._ignored = re.compile(ignored)
        self._separators = re.compile(parser.patterns("_SEP"))
        self._margin = re.compile(rf"{ignored}*(?:{parser.patterns('_BULLET')})?{ignored}*")
        self._beginnings = re.compile(rf"(?<!\w){parser.accepted_first(_BEGINNING)}")

    def parse(self, text: str, at: int = 0, end: int | None = None) -> Any:
        """The items of a part of a text, places counted from the text's beginning; None if it is no order list."""
        return self._parse(_ORDERS, text, at, len(text) if end is None else end)

    def beginnings(self, text: str, at: int, end: int) -> Iterator[int]:
        """Where an item may begin in a part of a text."""
        return (found.start() for found in self._beginnings.finditer(text, at, end))

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


@cache
def line_start_of(game: AnyGame) -> re.Pattern[str]:
    """Finds how a line of a game's orders may begin: a quick look, without its grammar."""
    return re.compile(rf"(?:{_with_words(game.line_start, game.grammar.parent)})\b", re.I)


@cache
def grammar_of(game: AnyGame) -> Grammar:
    """The grammar of a game, built once."""
    return Grammar(game)


@cache
def _commands() -> _Parser:
    return _Parser(resource(_SHARED), (_COMMANDS,), {_COMMANDS: tuple})


def parse_command(line: str) -> tuple[str, ...] | None:
    """The word of a line that is a command, and what stands behind it; None if it cannot be one."""
    words = _commands().parse(_COMMANDS, line, 0, len(line))
    return words and tuple(word.value for word in words)
