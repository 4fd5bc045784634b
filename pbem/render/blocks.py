"""The blocks that letters are made of, and how each looks in the text part and in the HTML part."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from textwrap import wrap as fold
from typing import Any, NamedTuple
from urllib.parse import quote

from pbem.games.base import Paragraph, Picture, Seat, Sign, Span
from pbem.games.capabilities import Cell, Grid

LOOKS = {
    "page": ("color:#202124;background:#ffffff", "color:#e8eaed;background:#1b1c1e"),
    "dim": ("color:#5f6368", "color:#bdc1c6"),
    "code": ("background:#f1f3f4", "background:#303236"),
    "said": ("border-left:4px solid #1a56a8;background:#f1f3f4", "border-color:#a8c7fa;background:#303236"),
    "wrong": ("color:#b3261e;font-weight:bold;text-decoration:underline", "color:#ff9d94"),
    "act": ("color:#ffffff;background:#1a56a8", "color:#10243e;background:#a8c7fa"),
    "box": ("background:#f1f3f4;border:1px solid #80868b", "background:#303236;border-color:#9aa0a6"),
    "round": ("border:1px dashed #80868b;border-radius:14px", "border-color:#9aa0a6"),
    "changed": ("background:#fff3b0", "background:#4a3b00"),
    "legend": ("color:#5f6368", "color:#bdc1c6"),
    "link": ("color:#5f6368", "color:#bdc1c6"),
}
"""How things look in HTML on light ground, which stands with each, and what is otherwise on dark ground, which classes
of the same names say. Words of a span's style are among them, beside the seats of a game; others look like plain
text."""

MONO = "font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace"

Colours = tuple[tuple[Seat, Sign], ...]


def look_of(name: str, *css: str) -> str:
    """The attributes of an element that looks as `LOOKS` says for a name, with more CSS before that."""
    return f'class="{name}" style="{";".join(filter(None, (*css, LOOKS[name][0])))}"'


def escape(text: str) -> str:
    """A text as it stands in HTML."""
    from markupsafe import escape as escaped

    return str(escaped(text))


def picture_in_html(content: tuple[Picture, Grid, Colours]) -> str:
    """A table fits on any screen; lines of text scroll on a small one."""
    picture, grid, colours = content
    if grid:
        rows = "\n".join(_html_cells(row, colours, first=row is grid[0]) for row in grid)
        look = "width:100%;max-width:480px;margin:0 0 12px;font-size:13px;line-height:1.35;overflow-wrap:anywhere"
        table = f'<table class="map" role="presentation" cellpadding="3" cellspacing="2" style="{look}">'
        return f"{table}\n{rows}\n</table>"
    look = f"margin:0 0 12px;{MONO};font-size:13px;line-height:1.2;overflow-x:auto"
    drawn = "\n".join(_html_line(line, colours) for line in picture)
    return f'<pre class="map" style="{look}">{drawn}</pre>'


_WIDE, _NARROW = "30%", "22px"  # of a cell, and of one between cells


@lru_cache(maxsize=1024)
def _html_cells(row: tuple[Cell, ...], colours: Colours, *, first: bool) -> str:
    """A row; the first one has the widths of the columns."""
    cells = "\n".join(_html_cell(cell, colours, first=first) for cell in row)  # no line may be long, as mail goes
    centred = ' align="center"' if all(cell.frame for cell in row) else ""
    return f'<tr{centred} valign="top">{cells}</tr>'


def _html_cell(cell: Cell, colours: Colours, *, first: bool) -> str:
    link = cell.frame == "link"
    look = f"{' nowrap' if link else ''} {look_of(cell.frame)}" if cell.frame and (cell.lines or not link) else ""
    span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    width = f' width="{_NARROW if link else _WIDE}"' if first and not span else ""
    lines = (_bare(line) for line in cell.lines) if link else cell.lines
    return f"<td{span}{width}{look}>{'<br>'.join(_html_line(line, colours) for line in lines)}</td>"


def _bare(line: tuple[Span, ...]) -> tuple[Span, ...]:
    """A line without the look of links, for a cell that has this look itself."""
    return tuple(Span(span.text) if span.style == "link" else span for span in line)


@lru_cache(maxsize=1024)  # most lines of a board are the same in every letter
def _html_line(spans: tuple[Span, ...], colours: Colours) -> str:
    return "".join(_html_span(span, colours) for span in spans)


@lru_cache(maxsize=1024)
def _html_span(span: Span, colours: Colours) -> str:
    styles = {word: (word, css) for word, (css, _) in LOOKS.items()}
    styles |= {seat: (f"seat-{seat}", f"color:{sign.light};font-weight:bold") for seat, sign in colours}
    looks = [styles[word] for word in span.style.split() if word in styles]
    if not looks:
        return escape(span.text)
    classes, css = (sep.join(part) for sep, part in zip((" ", ";"), zip(*looks, strict=True), strict=True))
    return f'<span class="{classes}" style="{css}">{escape(span.text)}</span>'


WIDTH = 72

_SHORT = 12  # characters
_BEHIND_BAR = WIDTH - 4  # of the bar, and of what a program puts before a line that it quotes


def dark(blocks: "Iterable[Block]") -> str:
    """CSS of all that looks otherwise on dark ground; seats as in the pictures among some blocks."""
    looks = {f".{name}": css for name, (_, css) in LOOKS.items()}
    looks |= {f".seat-{seat}": f"color:{colour}" for seat, colour in seat_colours(blocks)}
    return "".join(f"\n{name}{{{css.replace(';', ' !important;')} !important}}" for name, css in looks.items())


def seat_colours(blocks: "Iterable[Block]") -> tuple[tuple[Seat, str], ...]:
    """The colours of seats on dark ground, as in the pictures among some blocks."""
    colours: dict[Seat, str] = {}
    for block in blocks:
        if block.kind == "picture":
            colours |= {seat: sign.dark for seat, sign in block.content[2]}
        elif block.kind == "insert":
            colours |= dict(block.content.seats)
    return tuple(colours.items())


class Body(NamedTuple):
    """Blocks as they look in both parts, with the colours of seats on dark ground, and pieces of the file of seals."""

    text: str
    html: str
    seats: tuple[tuple[Seat, str], ...]
    seals: tuple[str, ...] = ()


class Block(NamedTuple):
    """A part of a letter: its kind, a method of `Blocks`, and what it holds, which is hashable."""

    kind: str
    content: Any


class Blocks:
    """What a template writes its blocks into; each method leaves nothing in the template's own text.

    Letters that are ready to be sent go `to` an address and with a subject by which their answer is known. `seals` are
    pieces of the file that proves that nothing was changed.
    """

    def __init__(self, to: tuple[str, str] = ("", "")) -> None:
        self.written: list[Block] = []
        self.seals: list[str] = []
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

    def letters(self, pairs: Iterable[tuple[str, str]]) -> str:
        """The orders of each of several seats: who gave them, and what they are."""
        return self._write("letters", tuple(map(tuple, pairs)))

    def story(self, paragraphs: Iterable[Paragraph], dice: str) -> str:
        """What happened in a turn; its dice are folded away in HTML under what they are called."""
        return self._write("story", (dice, tuple(paragraphs)))

    def items(self, lines: Iterable[str]) -> str:
        """A list."""
        return self._write("items", tuple(lines))

    def lines(self, texts: Iterable[str]) -> str:
        """Lines that belong together."""
        return self._write("lines", tuple(texts))

    def quote(self, lines: Iterable[str]) -> str:
        """Lines as they are."""
        return self._write("quote", tuple(lines))

    def words(self, lines: Iterable[str], end: str) -> str:
        """What a person has written, set off from our own words line by line, with a sentence that says where it ends;
        whose it is stands before."""
        return self._write("words", ("\n".join(lines), end))

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

    def insert(self, body: Body) -> str:
        """The body of another letter, rendered before, in this one."""
        self.seals += body.seals
        return self._write("insert", body)

    def small(self, words: str) -> str:
        """A paragraph that only some readers look at."""
        return self._write("small", words)

    def proof(self, about: Iterable[str], seals: Iterable[tuple[str, str, str]] = (), head: str = "") -> str:
        """What proves that nothing was changed, for the file that goes along: sentences about it, then hashes to be
        compared, each side's with the line that it is of, or "", and the record's. No line is broken: whoever copies
        one has what its hash is of."""
        hashes = ("\n".join(filter(None, (f"{side:<4}  {digest}", line))) for side, digest, line in seals)
        self.seals += filter(None, ("\n".join(about), *hashes, head))
        return ""


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
    """A label that is too wide for its column gets a line of its own."""
    return _text_table((label, (text,)) for label, text in pairs)


def _text_table(rows: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    """Labels on the left, and on the right of each its texts, a line each."""
    rows = tuple(rows)
    width = max([4, *(len(label) for label, _ in rows if len(label) <= 20)])
    lines = []
    for label, texts in rows:
        fits = len(label) <= width
        lines += [] if fits else [wrap(label, "  ")]
        first, *rest = texts
        lines.append(wrap(first, f"  {label if fits else '':<{width}}  ", " " * (width + 4)))
        lines += [wrap(line, " " * (width + 4), " " * (width + 6)) for line in rest]
    return "\n".join(lines)


def parts_of(orders: str, width: int = WIDTH - 2) -> tuple[str, ...]:
    """Orders in lines: those that one line holds stand in it, others have a line each."""
    if len(orders) <= width:
        return (orders,)
    *first, last = orders.split("; ")
    return *(f"{part};" for part in first), last


def _text_orders(orders: str) -> str:
    return "\n".join(wrap(part, "  ", "      ") for part in parts_of(orders))


def _text_letters(pairs: Iterable[tuple[str, str]]) -> str:
    return _text_table((label, parts_of(text, WIDTH - 24)) for label, text in pairs)


def _text_story(content: tuple[str, tuple[Paragraph, ...]]) -> str:
    """Two columns where all is short; with dice a paragraph has the whole width, and each die a line."""
    _, story = content
    if not any(paragraph.dice for paragraph in story):
        return _text_rows((paragraph.heading, paragraph.text) for paragraph in story)
    lines = []
    for heading, text, dice in story:
        lines += [wrap(heading, "  "), wrap(text, "    ", "    "), *(wrap(die, "      - ", "        ") for die in dice)]
    return "\n".join(filter(None, lines))


def _text_words(content: tuple[str, str]) -> str:
    """A bar before each line, also before those that were too long; none at its end, where it would be a table."""
    text, end = content
    lines = [fold(line.rstrip(" |"), _BEHIND_BAR, break_on_hyphens=False) or [""] for line in text.splitlines()]
    return "\n".join((*(f"| {part}".rstrip() for parts in lines for part in parts), "", wrap(end)))


_IN_TEXT: Mapping[str, Callable[[Any], str]] = {
    "lead": wrap,
    "p": wrap,
    "heading": wrap,
    "orders": _text_orders,
    "rows": _text_rows,
    "letters": _text_letters,
    "story": _text_story,
    "items": lambda lines: "\n".join(wrap(line, "- ", "  ") for line in lines),
    "lines": lambda texts: "\n".join(wrap(line, "", "  ") for line in texts),
    "quote": "\n".join,
    "words": _text_words,
    "mistake": "\n".join,
    "picture": lambda content: plain(content[0]),
    "small": wrap,
    "insert": lambda body: body.text,
    "send": lambda _: "",
}


# HTML


def _code(text: str) -> str:
    """Words in which what stands between backticks is in the type of code."""
    escaped = escape(text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped) if "`" in escaped else escaped


def _html_rows(pairs: Iterable[tuple[str, str]]) -> str:
    """A short label, such as the name of a game, is not broken on a narrow screen."""
    return _html_table((label, _code(text)) for label, text in pairs)


def _html_letters(pairs: Iterable[tuple[str, str]]) -> str:
    return _html_table((label, "<br>".join(map(escape, parts_of(text)))) for label, text in pairs)


def _html_table(rows: Iterable[tuple[str, str]]) -> str:
    """Labels on the left, as text, and on the right HTML."""
    lines = "".join(
        f'<tr valign="top"><td{" nowrap" if len(label) <= _SHORT else ""} {look_of("dim", "padding-right:12px")}>'
        f"{escape(label)}</td><td>{html}</td></tr>\n"
        for label, html in rows
    )
    look = "margin:0 0 12px;font-size:16px"
    return f'<table role="presentation" cellpadding="2" cellspacing="0" style="{look}">\n{lines}</table>'


def _html_story(content: tuple[str, tuple[Paragraph, ...]]) -> str:
    """Two columns where there are no dice, else paragraphs with their dice folded away; a program that knows no
    `<details>` shows them in small type."""
    summary, story = content
    if not any(paragraph.dice for paragraph in story):
        return _html_rows((paragraph.heading, paragraph.text) for paragraph in story)
    return "\n".join(_html_paragraph(paragraph, summary) for paragraph in story)


def _html_paragraph(paragraph: Paragraph, summary: str) -> str:
    heading = f"<span {look_of('dim')}>{escape(paragraph.heading)}</span>" if paragraph.heading else ""
    words = "<br>".join(filter(None, (heading, _code(paragraph.text))))
    html = f'<p style="margin:0 0 4px">{words}</p>\n' if words else ""
    if not paragraph.dice:
        return html.replace("0 0 4px", "0 0 12px")
    head = f"<summary {look_of('dim')}>{escape(summary)} ({len(paragraph.dice)})</summary>"
    dice = "".join(f"<li>{escape(die)}</li>\n" for die in paragraph.dice)
    folded = f'<ul style="margin:4px 0 0;padding-left:20px">\n{dice}</ul>'
    return f'{html}<details style="margin:0 0 12px;font-size:13px">{head}\n{folded}</details>'


def _html_items(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{_code(line)}</li>\n" for line in lines)
    return f'<ul style="margin:0 0 12px;padding-left:20px">\n{items}</ul>'


def _html_quote(lines: Iterable[str]) -> str:
    look = look_of("code", f"margin:0 0 12px;padding:8px;{MONO};font-size:13px;line-height:1.35;white-space:pre-wrap")
    quoted = "".join(f"{escape(line)}\n" for line in lines)
    return f"<pre {look}>{quoted}</pre>"


def _html_words(content: tuple[str, str]) -> str:
    """A bar beside all of it; where a program shows no colours, it is indented as a quote is."""
    text, end = content
    div = '<div style="white-space:pre-wrap">{}</div>'.format
    lines = "\n".join(div(escape(line) or "&nbsp;") for line in text.splitlines())
    look = look_of("said", "margin:0 0 4px;padding:8px 12px;overflow-wrap:anywhere")
    ends = f"<p {look_of('dim', 'margin:0 0 12px;font-size:13px')}>{escape(end)}</p>"
    return f"<blockquote {look}>\n{lines}\n</blockquote>\n{ends}"


def _html_mistake(lines: tuple[str, ...]) -> str:
    """What the carets point at is marked in the line itself, since a narrow screen breaks it."""
    line, carets, *sentence = lines
    start, end = carets.find("^"), len(carets)
    marked = f"<span {look_of('wrong')}>{escape(line[start:end])}</span>"
    look = look_of("code", f"margin:0 0 2px;padding:4px 8px;{MONO};font-size:14px;overflow-wrap:anywhere")
    words = escape(" ".join(map(str.strip, sentence)))
    return (
        f"<p {look}>{escape(line[:start].lstrip())}{marked}{escape(line[end:])}</p>\n"
        f'<p style="margin:0 0 12px;padding:0 8px">{words}</p>'
    )


def _html_send(content: tuple[str, str]) -> str:
    label, link = content
    look = look_of(
        "act", "display:inline-block;padding:8px 14px;border-radius:6px;text-decoration:none;font-weight:bold"
    )
    return f'<p style="margin:0 0 12px"><a href="{escape(link)}" {look}>{escape(label)}</a></p>'


_IN_HTML: Mapping[str, Callable[[Any], str]] = {
    "lead": lambda words: f'<p style="margin:0 0 12px;font-size:17px;font-weight:bold">{_code(words)}</p>',
    "p": lambda words: f'<p style="margin:0 0 12px">{_code(words)}</p>',
    "heading": lambda words: f'<p style="margin:16px 0 6px;font-weight:bold">{escape(words)}</p>',
    "orders": lambda text: f'<p style="margin:0 0 12px 12px;{MONO}">{"<br>".join(map(escape, parts_of(text)))}</p>',
    "rows": _html_rows,
    "letters": _html_letters,
    "story": _html_story,
    "items": _html_items,
    "lines": lambda texts: f'<p style="margin:0 0 12px">{"<br>".join(map(escape, texts))}</p>',
    "quote": _html_quote,
    "words": _html_words,
    "mistake": _html_mistake,
    "picture": picture_in_html,
    "small": lambda words: f"<p {look_of('dim', 'margin:16px 0 0;font-size:12px')}>{_code(words)}</p>",
    "insert": lambda body: body.html,
    "send": _html_send,
}


LONGEST = 1_900
"""Characters of a link: more are cut off by what Windows hands from one program to another, 2,048 at most."""


def mailto(address: str, subject: str, text: str) -> str:
    """The link, or "" if programs would not take all of it. A `+` stands for a blank in some, so it is never bare."""
    local, _, domain = address.rpartition("@")
    body = "\r\n".join(text.splitlines())
    link = f"mailto:{quote(local, safe='')}@{domain}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
    return link if len(link) <= LONGEST else ""
