"""grammar/orders.lark at work: what it makes of a text, or of a part of one."""

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from pbem.games import GAMES
from pbem.resources import resource

if TYPE_CHECKING:
    from lark.lexer import TerminalDef

COMMANDS = "commands"
"""The start symbol of commands; that of orders is the name of the game."""

_Scanner = Callable[[str, int, int], re.Match[str] | None]
"""Finds the word at a place in a text, which has to end before another place."""


class _Parser:
    """Lark's parser of all orders and commands, with a lexer of ours: it finds the words that Lark's own would find,
    but counts no lines and columns, which spares a third of the time.

    Built once in 20 ms; to keep its tables would save 17 of them, and cost a private folder and trust in what lies
    there.
    """

    def __init__(self) -> None:
        from types import SimpleNamespace

        from lark import Lark, Token, UnexpectedToken

        shapes: Any = SimpleNamespace(**{rule: shape for game in GAMES for rule, shape in game.shapes.items()})
        starts = [*(game.name for game in GAMES), COMMANDS]
        source = resource("grammar/orders.lark").read_text(encoding="utf-8")
        self._lark = Lark(source, parser="lalr", start=starts, transformer=shapes)
        self._token, self._unexpected = Token, UnexpectedToken
        self._ignored = frozenset(self._lark.ignore_tokens)
        # What the grammar drops is never looked at: one token of each kind will do.
        self._dropped = {one.name: Token(one.name, one.name) for one in self._lark.terminals if one.name[0] == "_"}
        self._scanners: dict[int, _Scanner] = {}  # by the parser's states

    def terminal(self, name: str) -> "TerminalDef":
        """A terminal of the grammar."""
        return self._lark.get_terminal(name)

    def accepted_first(self, start: str) -> list["TerminalDef"]:
        """What a text may begin with."""
        beginning: Any = self._lark.parse_interactive(start=start)
        return [self.terminal(name) for name in sorted(beginning.accepts())]

    def parse(self, start: str, text: str, at: int, end: int) -> Any:
        """What the grammar makes of a part of a text, words placed in the whole of it; None if it fits nothing."""
        parser: Any = self._lark.parse_interactive(start=start)
        state, feed, token = parser.parser_state, parser.feed_token, self._token
        ignored, dropped = self._ignored, self._dropped
        try:
            while at < end:
                scan = self._scanners.get(state.position) or self._scanner(parser)
                match: Any = scan(text, at, end)
                if match is None:
                    return None
                kind = match.lastgroup
                if kind not in ignored:
                    feed(dropped.get(kind) or token(kind, match[0], at))
                at = match.end()
            return parser.feed_eof()
        except self._unexpected:
            return None

    def _scanner(self, parser: Any) -> _Scanner:
        """What finds the words that the parser may take now, and those that are ignored."""
        names = {name for name in parser.choices() if name.isupper() and name != "$END"} | self._ignored
        terminals = sorted(map(self.terminal, names), key=_precedence)
        pattern = "|".join(f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in terminals)
        scan = self._scanners[parser.parser_state.position] = re.compile(pattern).match
        return scan


def _precedence(terminal: "TerminalDef") -> tuple[int, int, int, str]:
    """Which of several terminals is tried first: by its priority, then its length, as Lark does."""
    pattern = terminal.pattern
    return -terminal.priority, -pattern.max_width, -len(pattern.value), terminal.name


@cache
def _parser() -> _Parser:
    return _Parser()


@cache
def pattern(template: str) -> re.Pattern[str]:
    """A regular expression with terminals of the grammar in it, such as {_SEP}."""
    terminals = {name: _parser().terminal(name).pattern.to_regexp() for name in ("_SEP", "_BULLET")}
    return re.compile(template.format_map(terminals))


@cache
def beginnings(start: str) -> re.Pattern[str]:
    """Finds what an item may begin with: what the parser takes first, without areas, which have the lowest priority."""
    terminals = [one.pattern.to_regexp() for one in _parser().accepted_first(start) if one.priority >= 0]
    return re.compile(rf"(?<!\w)(?:{'|'.join(terminals)})")


def parse(start: str, text: str, at: int = 0, end: int | None = None) -> Any:
    """What the grammar makes of a part of a text, places counted from the text's beginning; None if it fits nothing."""
    return _parser().parse(start, text, at, len(text) if end is None else end)
