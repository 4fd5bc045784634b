"""The blocks that letters are made of, and how each looks in the text part and in the HTML part."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pbem.games.base import Picture, Seat, Sign, Span

WIDTH = 72

STYLES = {
    "changed": "background:#fff3b0",
    "legend": "color:#5f6368",
    "link": "color:#70757a",
    "name": "color:#3c4043",
}
"""How the words of a span's style look in HTML, beside the seats of a game; other words look like plain text."""

_WRONG = "color:#b3261e;font-weight:bold;text-decoration:underline"
_SHORT = 12  # characters
_CODE = "font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace"


_Colours = tuple[tuple[Seat, str], ...]


class Block(NamedTuple):
    """A part of a letter: its kind, a method of `Blocks`, and what it holds, which is hashable."""

    kind: str
    content: Any


class Blocks:
    """What a template writes its blocks into; each method leaves nothing in the template's own text."""

    def __init__(self) -> None:
        self.written: list[Block] = []

    def _write(self, kind: str, content: Any) -> str:
        self.written.append(Block(kind, content))
        return ""

    def lead(self, words: str) -> str:
        """What a letter begins with."""
        return self._write("lead", words)

    def p(self, words: str) -> str:
        """A paragraph."""
        return self._write("p", words)

    def heading(self, words: str) -> str:
        """What stands above other blocks."""
        return self._write("heading", words)

    def orders(self, text: str) -> str:
        """Orders in their short form."""
        return self._write("orders", text)

    def rows(self, pairs: Iterable[tuple[str, str]]) -> str:
        """A table of two columns."""
        return self._write("rows", tuple(map(tuple, pairs)))

    def items(self, lines: Iterable[str]) -> str:
        """A list."""
        return self._write("items", tuple(lines))

    def lines(self, texts: Iterable[str]) -> str:
        """Lines that belong together."""
        return self._write("lines", tuple(texts))

    def quote(self, lines: Iterable[str]) -> str:
        """Lines as they are."""
        return self._write("quote", tuple(lines))

    def mistake(self, lines: Iterable[str]) -> str:
        """A line of a letter, the carets under what is wrong in it, and the sentence about it, which may be broken."""
        return self._write("mistake", tuple(lines))

    def picture(self, picture: Picture, signs: Mapping[Seat, Sign]) -> str:
        """A map, on which the seats have the colours of their signs."""
        return self._write("picture", (picture, tuple((seat, sign.light) for seat, sign in signs.items())))

    def small(self, words: str) -> str:
        """A paragraph that only some readers look at."""
        return self._write("small", words)

    def proof(self, seals: Iterable[tuple[str, str, str]], head: str = "") -> str:
        """Hashes to be compared: each side's with the line that it is of, or "", and the record's."""
        return self._write("proof", (*map(tuple, seals), ("", head, "")))


class Looks(NamedTuple):
    """A block in the text part: lines of at most 72 columns, but for those that are as they are; and in the HTML part:
    inline styles only, since mail programs drop the others."""

    text: str
    html: str


@lru_cache(maxsize=256)  # letters of one game share most of their blocks
def looks_of(block: Block) -> Looks:
    """How a block looks in both parts."""
    return Looks(_IN_TEXT[block.kind](block.content), _IN_HTML[block.kind](block.content))


# Text


def wrap(text: str, indent: str = "", hanging: str | None = None) -> str:
    """A paragraph in lines of at most 72 columns; codes, numbers and addresses are never broken."""
    text = " ".join(text.split())
    if len(indent) + len(text) <= WIDTH:
        return indent + text if text else ""
    first, *words = text.split(" ")
    lines = [indent + first]
    for word in words:
        if len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append((indent if hanging is None else hanging) + word)
    return "\n".join(lines)


def plain(picture: Picture) -> str:
    """A picture as lines of plain text."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in picture)


def _text_rows(pairs: Iterable[tuple[str, str]]) -> str:
    """A left side that is too wide for its column gets a line of its own."""
    width = max([4, *(len(left) for left, _ in pairs if len(left) <= 20)])
    lines = []
    for left, right in pairs:
        fits = len(left) <= width
        lines += [] if fits else [wrap(left, "  ")]
        lines.append(wrap(right, f"  {left if fits else '':<{width}}  ", " " * (width + 4)))
    return "\n".join(lines)


def _text_proof(hashes: Iterable[tuple[str, str, str]]) -> str:
    """A line for each hash, and what it is of below it; the last one has the whole line for itself."""
    lines = []
    for side, digest, line in hashes:
        beside = f"{side:<4}  {digest}" if side else digest
        lines += [*([beside] if len(beside) <= WIDTH else [side, digest]), wrap(line, " " * 6, " " * 6)]
    return "\n".join(filter(None, lines))


_IN_TEXT: Mapping[str, Callable[[Any], str]] = {
    "lead": wrap,
    "p": wrap,
    "heading": str,
    "orders": lambda text: wrap(text, "  ", "  "),
    "rows": _text_rows,
    "items": lambda lines: "\n".join(wrap(line, "- ", "  ") for line in lines),
    "lines": lambda texts: "\n".join(wrap(line, "", "  ") for line in texts),
    "quote": "\n".join,
    "mistake": "\n".join,
    "picture": lambda content: plain(content[0]),
    "small": wrap,
    "proof": _text_proof,
}


# HTML


def _escape(text: str) -> str:
    from markupsafe import escape

    return str(escape(text))


def _code(text: str) -> str:
    """Words in which what stands between backticks is in the type of code."""
    escaped = _escape(text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped) if "`" in escaped else escaped


def _html_rows(pairs: Iterable[tuple[str, str]]) -> str:
    """A short left side, such as the name of a game, is not broken on a narrow screen."""
    cell = "padding:2px 12px 2px 0;vertical-align:top;color:#5f6368"
    rows = "".join(
        f'<tr><td style="{cell}{";white-space:nowrap" if len(left) <= _SHORT else ""}">{_escape(left)}</td>'
        f'<td style="padding:2px 0;vertical-align:top">{_code(right)}</td></tr>\n'
        for left, right in pairs
    )
    look = "margin:0 0 12px;border-collapse:collapse;font-size:16px"
    return f'<table role="presentation" cellpadding="0" cellspacing="0" style="{look}">\n{rows}</table>'


def _html_items(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{_code(line)}</li>\n" for line in lines)
    return f'<ul style="margin:0 0 12px;padding-left:20px">\n{items}</ul>'


def _html_proof(hashes: Iterable[tuple[str, str, str]]) -> str:
    look = f"margin:4px 0 0;color:#5f6368;{_CODE};font-size:11px;line-height:1.35;overflow-wrap:anywhere"
    lines = [line for side, digest, below in hashes for line in (f"{side} {digest}".strip(), below) if line]
    return f'<p style="{look}">{"<br>".join(map(_escape, lines))}</p>'


def _html_quote(lines: Iterable[str]) -> str:
    look = (
        f"margin:0 0 12px;padding:8px;background:#f1f3f4;{_CODE};font-size:12px;line-height:1.35;white-space:pre-wrap"
    )
    quoted = "".join(f"{_escape(line)}\n" for line in lines)
    return f'<pre style="{look}">{quoted}</pre>'


def _html_mistake(lines: tuple[str, ...]) -> str:
    """What the carets point at is marked in the line itself, since a narrow screen breaks it."""
    line, carets, *sentence = lines
    start, end = carets.find("^"), len(carets)
    marked = f'<span style="{_WRONG}">{_escape(line[start:end])}</span>'
    look = f"margin:0 0 2px;padding:4px 8px;background:#f1f3f4;{_CODE};font-size:14px;overflow-wrap:anywhere"
    words = _escape(" ".join(map(str.strip, sentence)))
    return (
        f'<p style="{look}">{_escape(line[:start].lstrip())}{marked}{_escape(line[end:])}</p>\n'
        f'<p style="margin:0 0 12px;padding:0 8px">{words}</p>'
    )


def _html_picture(content: tuple[Picture, _Colours]) -> str:
    picture, colours = content
    look = f"margin:0 0 12px;{_CODE};font-size:13px;line-height:1.2;overflow-x:auto"
    drawn = "\n".join(_html_line(line, colours) for line in picture)
    return f'<pre class="map" style="{look}">{drawn}</pre>'


@lru_cache(maxsize=1024)  # most lines of a board are the same in every letter
def _html_line(spans: tuple[Span, ...], colours: _Colours) -> str:
    return "".join(_html_span(span, colours) for span in spans)


@lru_cache(maxsize=1024)
def _html_span(span: Span, colours: _Colours) -> str:
    styles = {**STYLES, **{seat: f"color:{colour};font-weight:bold" for seat, colour in colours}}
    css = ";".join(styles[word] for word in span.style.split() if word in styles)
    return f'<span style="{css}">{_escape(span.text)}</span>' if css else _escape(span.text)


_IN_HTML: Mapping[str, Callable[[Any], str]] = {
    "lead": lambda words: f'<p style="margin:0 0 12px;font-size:17px;font-weight:bold">{_code(words)}</p>',
    "p": lambda words: f'<p style="margin:0 0 12px">{_code(words)}</p>',
    "heading": lambda words: f'<p style="margin:16px 0 6px;font-weight:bold">{_escape(words)}</p>',
    "orders": lambda text: f'<p style="margin:0 0 12px 12px;{_CODE}">{_escape(text)}</p>',
    "rows": _html_rows,
    "items": _html_items,
    "lines": lambda texts: f'<p style="margin:0 0 12px">{"<br>".join(map(_escape, texts))}</p>',
    "quote": _html_quote,
    "mistake": _html_mistake,
    "picture": _html_picture,
    "small": lambda words: f'<p style="margin:16px 0 0;color:#5f6368;font-size:12px">{_code(words)}</p>',
    "proof": _html_proof,
}
