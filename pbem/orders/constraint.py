"""The grammar of a game's orders in the form that llguidance reads, for servers that hold the answer of a language
model to a grammar.

llguidance (https://github.com/guidance-ai/llguidance, docs/syntax.md) has a lexer that always takes the longest token
and never goes back, and its regular expressions know nothing of what stands around a token. So the terminals of a game
become rules of single words here, without conditions on what stands around them. The result accepts everything that is
written as orders usually are, and more than the game's own grammar, which decides in the end.
"""

import re
from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from pbem.orders.grammar import ORDERS

if TYPE_CHECKING:
    from lark import Lark

_PIECE = re.compile(
    r"""(?P<around>\(\?<?[=!]) | (?P<open>\((?:\?(?:P<\w+>|[a-z]*:|>))?) | (?P<close>\)) | (?P<bar>\|)
    | (?P<times>[?*+]|\{[\d,]+\}) | (?P<edge>\\[bB]|\$|\^) | (?P<one>\[\^?\]?(?:\\.|[^\]])*\]|\\?.)""",
    re.X | re.S,
)
_SLASH = re.compile(r"(?<!\\)/")
_BLANK = re.compile(r"\\?[ \n]|\\[sn]")  # llguidance skips blanks between tokens, and no answer contains a line break
_SIGNS = ",.:;!?&+=<>()-"  # the last one is no range in a class of characters


class _Part(NamedTuple):
    """A translated part of a terminal: a regular expression without blanks if `is_word` is true, otherwise an
    expression for a rule."""

    text: str
    is_word: bool = True

    def in_rule(self) -> str:
        """This part as an expression for a rule."""
        if not self.is_word:
            return self.text
        text = _SLASH.sub(r"\\/", self.text)
        return f"/(?i:{text})/" if text else '""'


class _Terminal:
    """The translation of the regular expression of a terminal."""

    def __init__(self, expression: str) -> None:
        self._pieces = [(str(hit.lastgroup), hit[0]) for hit in _PIECE.finditer(expression)]
        self._at = 0

    def choice(self) -> _Part:
        """Translate the alternatives up to the end of the group or of the expression."""
        rows = [self._row()]
        while self._next("bar"):
            rows.append(self._row())
        self._next("close")
        words = list(dict.fromkeys(row.text for row in rows if row.is_word))
        word, rules = _Part("|".join(words)), [row for row in rows if not row.is_word]
        return _Part(" | ".join(part.in_rule() for part in (*[word] * bool(words), *rules)), False) if rules else word

    def _row(self) -> _Part:
        parts = [_Part("")]
        while (part := self._part()) is not None:
            if part.is_word and parts[-1].is_word:
                part = _Part(parts.pop().text + part.text)
            parts.append(part)
        rule = " ".join(part.in_rule() for part in parts if part.text)
        return _Part(rule, False) if any(not part.is_word for part in parts) and rule else parts[0]

    def _part(self) -> _Part | None:
        """Translate a character, a class of characters or a group, with the number of its repetitions."""
        if self._next("around"):
            self.choice()
            self._next("times")
            return _Part("")
        if self._next("edge"):
            return _Part("")
        if self._next("open"):
            part = self.choice()
            times = self._next("times")
            is_word = part.is_word and times[:1] not in ("*", "+")  # the lexer would not leave words that repeat
            return _Part(f"(?:{part.text}){times}" if is_word else f"({part.in_rule()}){times}", is_word)
        one = self._next("one")
        times = self._next("times")
        if not one:
            return None
        if one.startswith("[^"):
            one = rf'{one[:-1]}"\\\n]'
        elif (one := _BLANK.sub("", one).replace('"', "")) in ("", "[]"):
            return _Part("", False)
        return _Part(one + times)

    def _next(self, kind: str) -> str:
        """Return the next piece, if it is of this kind, and go on behind it; otherwise ""."""
        if self._at == len(self._pieces) or self._pieces[self._at][0] != kind:
            return ""
        self._at += 1
        return self._pieces[self._at - 1][1]


def constraint(lark: "Lark", words: Mapping[str, str]) -> str:
    """Return the grammar in `lark` for llguidance. It begins with the rule `orders`, for a text that contains orders,
    on one line and without quotation marks, so that it can be a string in JSON. `words` are regular expressions for
    the words in place of which the game's own terminals have characters (`Game.written`)."""
    terminals = {one.name: one.pattern.to_regexp() for one in lark.terminals}
    lines = [f"{ORDERS}: {_name(ORDERS)}"]
    for name, rules in groupby(lark.rules, key=lambda rule: rule.origin.name):
        rows = (" ".join(_name(one.name) for one in rule.expansion) or '""' for rule in rules)
        lines.append(f"{_name(name)}: {' | '.join(rows)}")
    used = {one.name for rule in lark.rules for one in rule.expansion if one.is_term}
    lines += [f"{_name(name)}: {_translated(terminals[name], words)}" for name in sorted(used)]
    ignored = [re.compile(terminals[name]) for name in lark.ignore_tokens]
    signs = "".join(sign for sign in _SIGNS if any(one.fullmatch(sign) for one in ignored))
    return "\n".join((*lines, f"%ignore /[ {signs}]/", ""))


def _translated(expression: str, words: Mapping[str, str]) -> str:
    for signs, spelled in words.items():
        expression = expression.replace(signs, spelled)
    return _Terminal(expression).choice().in_rule()


def _name(name: str) -> str:
    return f"{'t' if name.isupper() else 'r'}_{name.lower()}"
