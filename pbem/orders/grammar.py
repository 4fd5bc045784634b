"""Grammars at work: what that of a game makes of a text, or of a part of one, and that of the service's commands.

grammar/orders.lark says what the reader asks of a game's grammar. Each is built when something is first read by it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from pbem.games.base import AnyGame
from pbem.orders.starts import line_start_of
from pbem.orders.tables import COMMAND_STARTS, END, GAME_STARTS, SHARED, Completion, tables_of
from pbem.patterns import compiled
from pbem.resources import resource
from pbem.values import NamedTuple

_ORDERS, _BEGINNING = GAME_STARTS
(_COMMANDS,) = COMMAND_STARTS

_Shape = Callable[[list[Any]], Any]

_Scanner = Callable[[str, int, int], re.Match[str] | None]
"""Finds the word at a place in a text, which has to end before another place."""


class _Token(NamedTuple):
    """A word or a sign: what the grammar calls its kind, how it is written, and where."""

    type: str
    value: str
    start_pos: int


class _Complete(NamedTuple):
    """A rule that is complete: how many values it is made of, its name, and what becomes of them."""

    size: int
    name: str
    shape: _Shape


class _Parser:
    """The tables of a grammar, read by a lexer and a loop of ours: they find what Lark's own would find, but count no
    lines and columns and keep nothing for the explanation of errors, which spares half of the time."""

    def __init__(self, path: Path, starts: tuple[str, ...], shapes: Mapping[str, _Shape]) -> None:
        tables = tables_of(path, starts)
        made = [_Complete(rule.size, rule.name, _shaped(rule, shapes)) for rule in tables.rules]
        self._table: dict[int, dict[str, int | _Complete]] = {
            state: {name: step if step >= 0 else made[-1 - step] for name, step in row.items()}
            for state, row in tables.steps.items()
        }
        for state in tables.ends:
            self._table[state][END] = state  # where all is read
        self._first, self._terminals, self._opening = tables.first, tables.terminals, tables.opening
        self._ignored = frozenset(tables.ignored)
        # What the grammar drops is never looked at: one token of each kind will do.
        self._dropped = {name: _Token(name, name, 0) for name in tables.terminals if name[0] == "_"}
        self._scanners: dict[int, _Scanner] = {}  # by the parser's states

    def patterns(self, *names: str) -> str:
        """A regular expression for any of some terminals of the grammar, and for nothing where it has none of them."""
        found = [pattern for name, pattern in self._terminals.items() if name in names]
        return f"(?:{'|'.join(found)})" if found else "(?!)"

    def ignored(self) -> str:
        """A regular expression for what is ignored."""
        return self.patterns(*self._ignored)

    def accepted_first(self, start: str) -> str:
        """A regular expression for what a text may begin with."""
        return self.patterns(*self._opening[start])

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
        return None if self._led_to(states, values, END) is None else values[-1]

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
        row = self._table[state]
        words = {name: said for name, said in self._terminals.items() if name in row or name in self._ignored}
        pattern = "|".join(f"(?P<{name}>{said})" for name, said in words.items())
        scan = self._scanners[state] = compiled(pattern or "(?!)").match
        return scan

    def make_ready(self) -> None:
        """Compile what finds the words of every state: the build keeps it."""
        for state in self._table:
            self._scanner(state)


def _shaped(rule: Completion, shapes: Mapping[str, _Shape]) -> _Shape:
    """What becomes of the values of a rule, in one function."""
    shape = shapes.get(rule.shape, list)
    kept, behind, single = rule.kept, rule.behind, rule.single
    plain = not behind and not any(joined or nones for _, joined, nones in kept)
    if plain and len(kept) == 1 and (single or rule.size == 1):
        place = kept[0][0]
        return (lambda values: values[place]) if single else shape
    if plain and not single:
        if len(kept) == rule.size:
            return shape
        places = [place for place, _, _ in kept]
        return lambda values: shape([values[place] for place in places])

    # Of what is repeated the list so far stands first: it goes on, for a copy of it each time would take too long.
    grows = shape is list and not single and bool(kept) and kept[0][1] and not kept[0][2]
    others = kept[1:] if grows else kept

    def shaped(values: list[Any]) -> Any:
        found: list[Any] = values[kept[0][0]] if grows else []
        for place, joined, nones in others:
            found += [None] * nones
            if joined:
                found += values[place]
            else:
                found.append(values[place])
        found += [None] * behind
        if grows:
            return found
        return found[0] if single and len(found) == 1 else shape(found)

    return shaped


class Grammar:
    """How the orders of one game are read."""

    def __init__(self, game: AnyGame) -> None:
        parser = _Parser(game.grammar, GAME_STARTS, game.shapes)
        self._parse, self.make_ready = parser.parse, parser.make_ready
        ignored = parser.ignored()
        self._ignored = compiled(ignored)
        self._separators = compiled(parser.patterns("_SEP"))
        self._margin = compiled(rf"{ignored}*(?:{parser.patterns('_BULLET')})?{ignored}*")
        self._beginnings = compiled(rf"(?<!\w){parser.accepted_first(_BEGINNING)}")

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
def grammar_of(game: AnyGame) -> Grammar:
    """The grammar of a game, built once."""
    return Grammar(game)


def is_order(game: AnyGame, state: Any, line: str) -> bool:
    """Whether a line is orders from its first word to its last."""
    if not line_start_of(game).match(line.lstrip(" -*•")):
        return False
    items = grammar_of(game).parse(line)
    return items is not None and game.is_complete(state, items)


@cache
def _commands() -> _Parser:
    return _Parser(resource(SHARED), COMMAND_STARTS, {_COMMANDS: tuple})


def make_ready(games: Iterable[AnyGame]) -> None:
    """Compile all that reading by the grammars of some games, and by that of the commands, compiles on first use."""
    _commands().make_ready()
    for game in games:
        grammar_of(game).make_ready()
        line_start_of(game)


def parse_command(line: str) -> tuple[str, ...] | None:
    """The word of a line that is a command, and what stands behind it; None if it cannot be one."""
    words = _commands().parse(_COMMANDS, line, 0, len(line))
    return words and tuple(word.value for word in words)
