"""The lines of a game record, parsed with `grammar/record.lark`, and the mistakes in them; also the escaping of text,
so that it fits on one line.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from pbem.resources import resource
from pbem.typed import unseen

MAX_PROBLEMS = 20
"""The largest number of mistakes that are reported for one game, because nobody reads more."""

_MAX_JOINED = 100  # the largest number of lines into which a comment may have been broken
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|U(000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4})|(.))")
_MOMENT = re.compile(r"(?:19|[2-9][0-9])[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


class Problem(NamedTuple):
    """A mistake in a record, with the number of its line in the file, counted from 1."""

    line: int
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.sentence}"


class Header(NamedTuple):
    """A line above the moves: a header's name and its value."""

    name: str
    value: str


class RecordMove(NamedTuple):
    """A move, which is a line below the headers. `kind` is its keyword, such as `award`, and `words` contains its
    arguments.

    The other fields are None if the line lacks them, and include their marks: `check` is the hash of the resulting
    position (`#…`), `secret` the secret of the turn (`##…`), `moment` the time of the move (`@…`), and `text` the
    comment at the end (`{…}`).
    """

    kind: str
    words: tuple[str, ...]
    check: str | None
    secret: str | None
    moment: str | None
    text: str | None


class Lines:
    """The lines of a record, read one by one: headers and moves with their line numbers, and all mistakes found."""

    def __init__(self, lines: Sequence[str], first: int) -> None:
        self.headers: list[tuple[int, Header]] = []
        self.moves: list[tuple[int, RecordMove | None]] = []
        self.problems: list[Problem] = []
        self.first = first
        skip = 0
        for at, line in enumerate(lines):
            if len(self.problems) > MAX_PROBLEMS:
                break
            if at < skip or not line.strip():
                continue
            entry: Any = _parse(line)
            if isinstance(entry, str) and "{" in line:
                joined, length = _joined(lines, at)
                whole = _parse(joined) if length > 1 else entry
                entry, skip = (entry, skip) if isinstance(whole, str) else (whole, at + length)
            self._take(first + at, entry)

    def problem(self, line: int, sentence: str) -> None:
        """Add a mistake in the line with the number `line`, described by `sentence`."""
        self.problems.append(Problem(line, sentence))

    def _take(self, line: int, entry: Header | RecordMove | str) -> None:
        match entry:
            case Header():
                if self.moves:
                    self.problem(line, "headers stand before the first move.")
                self.headers.append((line, entry))
            case RecordMove():
                self.moves.append((line, entry))
            case str():
                self.problem(line, entry)
                self.moves.append((line, None))


def _joined(lines: Sequence[str], at: int) -> tuple[str, int]:
    """Join `lines[at]` with the lines that follow it, up to the first that contains a closing brace: some people break
    comments into several lines. Return the joined line and the number of lines in it; if there is no closing brace
    before the next blank line, these are `lines[at]` and 1."""
    for end in range(at + 1, min(len(lines), at + _MAX_JOINED)):
        if not lines[end].strip():
            break
        if "}" in lines[end]:
            return " ".join(line.strip() for line in lines[at : end + 1]), end + 1 - at
    return lines[at], 1


@cache
def _parser() -> Any:
    from types import SimpleNamespace

    from lark import Lark

    def move(kind: str) -> Callable[[list[Any]], RecordMove]:
        def build(words: list[Any]) -> RecordMove:
            return RecordMove(kind, tuple(words[:-4]), *words[-4:])

        return build

    kinds = ("turn", "position", "resign", "rollback", "award", "forfeit", "annul", "press")
    shapes: Any = SimpleNamespace(
        name=lambda words: Header("Game", unescaped(words[0][1:-1])),
        header=lambda words: Header(str(words[0]), unescaped(words[1][1:-1])),
        comment=lambda words: RecordMove("comment", (), None, None, *words),
        **{kind: move(kind) for kind in kinds},
    )
    source = resource("grammar/record.lark").read_text("utf-8")
    return Lark(source, parser="lalr", start="line", transformer=shapes)


def _parse(line: str) -> Header | RecordMove | str:
    """Parse `line` with the grammar. If `line` does not match the grammar, or contains an invisible character that
    changes how text is displayed, return a sentence that describes the mistake."""
    from lark import UnexpectedInput, UnexpectedToken

    if char := unseen(unescaped(line)):
        return f"it holds the character {char}, which cannot be seen: take it out."
    try:
        entry: Header | RecordMove = _parser().parse(line)
    except UnexpectedInput as error:
        if isinstance(error, UnexpectedToken) and error.token.type == "$END":
            return "it ends too early."
        rest = line[error.pos_in_stream or 0 :].strip()
        return f'it cannot be read from {quoted(rest)} on; a turn looks like "1. 3 A to M | 3 H to S".'
    return entry


def quoted(text: str) -> str:
    """Return `text` in quotes, shortened if it is long, with `?` in place of each unprintable character."""
    printable = "".join(char if char.isprintable() else "?" for char in text[:41])
    return f'"{printable if len(printable) <= 40 else printable[:37] + "..."}"'


def read_moment(text: str) -> datetime | None:
    """Read a moment such as 2026-11-25T15:58:00Z; return None if the text is anything else."""
    try:
        return datetime.fromisoformat(text) if _MOMENT.fullmatch(text) else None
    except ValueError:
        return None


def escaped(text: str, marks: str) -> str:
    """Return `text` on one line: unprintable characters are written as escapes, and a backslash precedes each backslash
    and each of the characters in `marks`."""
    if text.isprintable() and not any(mark in text for mark in f"\\{marks}"):
        return text
    return "".join(_escaped_char(char, f"\\{marks}") for char in text)


def _escaped_char(char: str, marks: str) -> str:
    if char in marks:
        return f"\\{char}"
    if char.isprintable():
        return char
    if char == "\n":
        return r"\n"
    code = ord(char)
    if 0xD800 <= code < 0xE000:
        return "\ufffd"  # half of a surrogate pair is not a character
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def unescaped(text: str) -> str:
    """Return the text from which `escaped` made `text`."""
    return _ESCAPE.sub(_meant, text) if "\\" in text else text


def _meant(escape: re.Match[str]) -> str:
    digits = escape[1] or escape[2]
    if digits:
        char = chr(int(digits, 16))
        return char if char.isprintable() or not 0xD800 <= ord(char) < 0xE000 else "\ufffd"
    return "\n" if escape[3] == "n" else escape[3]
