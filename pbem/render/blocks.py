"""The blocks that letters are made of, and how each looks in the text part and in the HTML part."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pbem.games.base import Picture, Seat, Sign, Span
from pbem.games.extras import Cell, Grid
from pbem.mail.mailto import mailto

WIDTH = 72

LOOKS = {
    "page": ("color:#202124;background:#ffffff", "color:#e8eaed;background:#1b1c1e"),
    "dim": ("color:#5f6368", "color:#bdc1c6"),
    "code": ("background:#f1f3f4", "background:#303236"),
    "wrong": ("color:#b3261e;font-weight:bold;text-decoration:underline", "color:#ff9d94"),
    "act": ("color:#ffffff;background:#1a56a8", "color:#10243e;background:#a8c7fa"),
    "box": ("background:#f1f3f4;border:1px solid #80868b", "background:#303236;border-color:#9aa0a6"),
    "round": ("border:1px dashed #80868b;border-radius:14px", "border-color:#9aa0a6"),
    "changed": ("background:#fff3b0", "background:#4a3b00"),
    "legend": ("color:#5f6368", "color:#bdc1c6"),
    "link": ("color:#5f6368", "color:#bdc1c6"),
    "name": ("color:#3c4043", "color:#dadce0"),
}
"""How things look in HTML on light ground, which stands with each, and what is otherwise on dark ground, which classes
of the same names say. Words of a span's style are among them, beside the seats of a game; others look like plain
text."""

_SHORT = 12  # characters
_CODE = "font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace"


_Colours = tuple[tuple[Seat, Sign], ...]


def _look(name: str, *more: str) -> str:
    """The attributes of an element that looks like something, and has more of CSS beside."""
    return f'class="{name}" style="{";".join(filter(None, (*more, LOOKS[name][0])))}"'


def dark(blocks: "Iterable[Block]") -> str:
    """CSS of all that looks otherwise on dark ground; seats as in the pictures among some blocks."""
    looks = {f".{name}": css for name, (_, css) in LOOKS.items()}
    for block in blocks:
        if block.kind == "picture":
            looks |= {f".seat-{seat}": f"color:{sign.dark}" for seat, sign in block.content[2]}
    return "".join(f"\n{name}{{{css.replace(';', ' !important;')} !important}}" for name, css in looks.items())


class Block(NamedTuple):
    """A part of a letter: its kind, a method of `Blocks`, and what it holds, which is hashable."""

    kind: str
    content: Any


class Blocks:
    """What a template writes its blocks into; each method leaves nothing in the template's own text.

    Letters that are ready to be sent go `to` an address and with a subject by which their answer is known.
    """

    def __init__(self, to: tuple[str, str] = ("", "")) -> None:
        self.written: list[Block] = []
        self._to, self._news = to, ""

    @property
    def news(self) -> str:
        """What the line of an inbox shows of the letter: what was said to be so, else what it begins with."""
        first = (block.content for block in self.written if block.kind in ("lead", "p"))
        return self._news or next(first, "")

    def preview(self, words: str) -> str:
        """What is to be seen first, before the letter is opened; the first one counts."""
        self._news = self._news or words
        return ""

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

    def picture(self, picture: Picture, grid: Grid, signs: Mapping[Seat, Sign]) -> str:
        """A map, on which the seats have the colours of their signs; `grid` is the same for HTML, if it has any."""
        return self._write("picture", (picture, grid, tuple(signs.items())))

    def send(self, label: str, text: str) -> str:
        """A link that opens a letter to the desk with this text, in HTML only; nothing if no link can bear it."""
        address, subject = self._to
        link = mailto(address, subject, text) if address else ""
        return self._write("send", (label, link)) if link else ""

    def small(self, words: str) -> str:
        """A paragraph that only some readers look at."""
        return self._write("small", words)

    def proof(
        self, title: str, about: Iterable[str], seals: Iterable[tuple[str, str, str]] = (), head: str = ""
    ) -> str:
        """What proves that nothing was changed, folded away in HTML under a title: sentences about it, then hashes to
        be compared, each side's with the line that it is of, or "", and the record's."""
        return self._write("proof", (title, tuple(about), (*map(tuple, seals), ("", head, ""))))


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


def _text_proof(content: tuple[str, tuple[str, ...], tuple[tuple[str, str, str], ...]]) -> str:
    """A line for each hash, and what it is of below it; the last one has the whole line for itself."""
    _, about, hashes = content
    lines = []
    for side, digest, line in hashes:
        beside = f"{side:<4}  {digest}" if side else digest
        lines += [*([beside] if len(beside) <= WIDTH else [side, digest]), wrap(line, " " * 6, " " * 6)]
    return "\n\n".join(filter(None, (*map(wrap, about), "\n".join(filter(None, lines)))))


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
    "send": lambda _: "",
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
    cell = "padding:2px 12px 2px 0;vertical-align:top"
    rows = "".join(
        f"<tr><td {_look('dim', cell, 'white-space:nowrap' if len(left) <= _SHORT else '')}>{_escape(left)}</td>"
        f'<td style="padding:2px 0;vertical-align:top">{_code(right)}</td></tr>\n'
        for left, right in pairs
    )
    look = "margin:0 0 12px;border-collapse:collapse;font-size:16px"
    return f'<table role="presentation" cellpadding="0" cellspacing="0" style="{look}">\n{rows}</table>'


def _html_items(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{_code(line)}</li>\n" for line in lines)
    return f'<ul style="margin:0 0 12px;padding-left:20px">\n{items}</ul>'


def _html_proof(content: tuple[str, tuple[str, ...], tuple[tuple[str, str, str], ...]]) -> str:
    """Where a program shows no `<details>`, all of it stands there in small type."""
    title, about, hashes = content
    small = f"margin:4px 0 0;{_CODE};font-size:12px;line-height:1.35;overflow-wrap:anywhere"
    words = "".join(f"<p {_look('dim', 'margin:4px 0 0')}>{_code(sentence)}</p>\n" for sentence in about)
    lines = [line for side, digest, below in hashes for line in (f"{side} {digest}".strip(), below) if line]
    proof = f"<p {_look('dim', small)}>{'<br>'.join(map(_escape, lines))}</p>\n" if lines else ""
    head = f"<summary {_look('dim')}>{_escape(title)}</summary>"
    return f'<details style="margin:16px 0 12px;font-size:12px">{head}\n{words}{proof}</details>'


def _html_quote(lines: Iterable[str]) -> str:
    look = _look("code", f"margin:0 0 12px;padding:8px;{_CODE};font-size:13px;line-height:1.35;white-space:pre-wrap")
    quoted = "".join(f"{_escape(line)}\n" for line in lines)
    return f"<pre {look}>{quoted}</pre>"


def _html_mistake(lines: tuple[str, ...]) -> str:
    """What the carets point at is marked in the line itself, since a narrow screen breaks it."""
    line, carets, *sentence = lines
    start, end = carets.find("^"), len(carets)
    marked = f"<span {_look('wrong')}>{_escape(line[start:end])}</span>"
    look = _look("code", f"margin:0 0 2px;padding:4px 8px;{_CODE};font-size:14px;overflow-wrap:anywhere")
    words = _escape(" ".join(map(str.strip, sentence)))
    return (
        f"<p {look}>{_escape(line[:start].lstrip())}{marked}{_escape(line[end:])}</p>\n"
        f'<p style="margin:0 0 12px;padding:0 8px">{words}</p>'
    )


def _html_picture(content: tuple[Picture, Grid, _Colours]) -> str:
    """A table fits on any screen; lines of text scroll on a small one."""
    picture, grid, colours = content
    if grid:
        rows = "\n".join(_html_cells(row, colours) for row in grid)
        look = "width:100%;max-width:480px;margin:0 0 12px;border-spacing:2px;font-size:13px;line-height:1.35"
        return f'<table class="map" role="presentation" style="{look}">\n{rows}\n</table>'
    look = f"margin:0 0 12px;{_CODE};font-size:13px;line-height:1.2;overflow-x:auto"
    drawn = "\n".join(_html_line(line, colours) for line in picture)
    return f'<pre class="map" style="{look}">{drawn}</pre>'


_CELL = "padding:3px 2px;vertical-align:top;overflow-wrap:anywhere"
_WIDE, _NARROW = "30%", "22px"  # of a cell, and of one between cells


@lru_cache(maxsize=1024)
def _html_cells(row: tuple[Cell, ...], colours: _Colours) -> str:
    cells = "\n".join(_html_cell(cell, colours) for cell in row)  # no line may be long, as mail goes
    return f"<tr>{cells}</tr>"


def _html_cell(cell: Cell, colours: _Colours) -> str:
    look = f'style="{_CELL}"'
    if cell.frame:
        centred = f"{_CELL};text-align:center{';white-space:nowrap' if cell.frame == 'link' else ''}"
        look = _look(cell.frame, centred)
    span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    width = "" if span else f' width="{_NARROW if cell.frame == "link" else _WIDE}"'
    return f"<td{span}{width} {look}>{'<br>'.join(_html_line(line, colours) for line in cell.lines)}</td>"


@lru_cache(maxsize=1024)  # most lines of a board are the same in every letter
def _html_line(spans: tuple[Span, ...], colours: _Colours) -> str:
    return "".join(_html_span(span, colours) for span in spans)


@lru_cache(maxsize=1024)
def _html_span(span: Span, colours: _Colours) -> str:
    styles = {word: (word, css) for word, (css, _) in LOOKS.items()}
    styles |= {seat: (f"seat-{seat}", f"color:{sign.light};font-weight:bold") for seat, sign in colours}
    found = [styles[word] for word in span.style.split() if word in styles]
    if not found:
        return _escape(span.text)
    classes, css = (sep.join(part) for sep, part in zip((" ", ";"), zip(*found, strict=True), strict=True))
    return f'<span class="{classes}" style="{css}">{_escape(span.text)}</span>'


def _html_send(content: tuple[str, str]) -> str:
    label, link = content
    look = _look("act", "display:inline-block;padding:8px 14px;border-radius:6px;text-decoration:none;font-weight:bold")
    return f'<p style="margin:0 0 12px"><a href="{_escape(link)}" {look}>{_escape(label)}</a></p>'


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
    "small": lambda words: f"<p {_look('dim', 'margin:16px 0 0;font-size:12px')}>{_code(words)}</p>",
    "send": _html_send,
    "proof": _html_proof,
}
