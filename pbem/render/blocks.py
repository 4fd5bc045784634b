"""The blocks that letters consist of, and their appearance in the text part and in the HTML part."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from textwrap import wrap as fold
from typing import Any, NamedTuple, TypeVar
from urllib.parse import quote

from pbem.games.base import Paragraph, Picture, Seat, Sign, Span
from pbem.games.capabilities import Cell, Grid
from pbem.render.images import Draw, Image

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
"""The CSS of each look, keyed by its name: the style on a light background, which is written inline, and the
differences on a dark background, which form a class.

The style of a span consists of names of looks and of seats of the game; unknown names have no effect.
"""

MONO = "font-family:Menlo,Consolas,'DejaVu Sans Mono',monospace"

Colours = tuple[tuple[Seat, Sign], ...]


def look_of(name: str, *css: str) -> str:
    """Return the `class` and `style` attributes for a look, with further `css` placed before the look's own CSS."""
    return f'class="{name}" style="{";".join(filter(None, (*css, LOOKS[name][0])))}"'


def escape(text: str) -> str:
    """Escape text for use in HTML."""
    from markupsafe import escape as escaped

    return str(escaped(text))


def picture_in_html(content: tuple[Picture, Grid, Colours, Image | None, str, str]) -> str:
    """Render a map: as an image with the map in words folded below it, or, if there is no image, in words alone.

    Programs that do not support `<details>` would show both at full length; `letter.html.j2` hides the words there.
    """
    picture, grid, colours, image, caption, _ = content
    if image is None:
        return _map_in_words(picture, grid, colours)
    look = "display:block;width:100%;max-width:480px;height:auto;margin:0 0 4px;font-size:13px;white-space:pre-line"
    shown = f'<img src="cid:{image.cid}" width="480" alt="{escape(image.words)}" style="{look}">'
    head = f"<summary {look_of('dim', 'font-size:13px')}>{escape(caption)}</summary>"
    return (
        f'{shown}\n<details class="folded" style="margin:0 0 12px">{head}\n'
        f"{_map_in_words(picture, grid, colours)}</details>"
    )


def _map_in_words(picture: Picture, grid: Grid, colours: Colours) -> str:
    """Render a map as a table, which fits any screen, or, if the map has no grid, as text that scrolls on small
    screens."""
    if grid:
        rows = "\n".join(_html_cells(row, colours, first=row is grid[0]) for row in grid)
        look = "width:100%;max-width:480px;margin:0 0 12px;font-size:13px;line-height:1.35;overflow-wrap:anywhere"
        table = f'<table class="map" role="presentation" cellpadding="3" cellspacing="2" style="{look}">'
        return f"{table}\n{rows}\n</table>"
    look = f"margin:0 0 12px;{MONO};font-size:13px;line-height:1.2;overflow-x:auto"
    drawn = "\n".join(_html_line(line, colours) for line in picture)
    return f'<pre class="map" style="{look}">{drawn}</pre>'


_WIDE, _NARROW = "30%", "22px"  # widths of a cell, and of a link between cells


@lru_cache(maxsize=1024)
def _html_cells(row: tuple[Cell, ...], colours: Colours, *, first: bool) -> str:
    """Render a row of a grid. The `first` row sets the widths of the columns."""
    cells = "\n".join(_html_cell(cell, colours, first=first) for cell in row)  # short lines, as mail requires
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
    """Remove the look of links from a line whose cell already has that look."""
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

_SHORT = 12  # labels of up to this many characters are never broken
_BEHIND_BAR = WIDTH - 4  # leaves room for the bar, and for the mark with which a program quotes the line


def dark(blocks: "Iterable[Block]") -> str:
    """Return the CSS for dark backgrounds, including the seats' colours in the pictures of `blocks`."""
    looks = {f".{name}": css for name, (_, css) in LOOKS.items()}
    looks |= {f".seat-{seat}": f"color:{colour}" for seat, colour in seat_colours(blocks)}
    return "".join(f"\n{name}{{{css.replace(';', ' !important;')} !important}}" for name, css in looks.items())


def seat_colours(blocks: "Iterable[Block]") -> tuple[tuple[Seat, str], ...]:
    """Return the seats in the pictures of `blocks`, each with its colour on a dark background."""
    colours: dict[Seat, str] = {}
    for block in blocks:
        if block.kind == "picture":
            colours |= {seat: sign.dark for seat, sign in block.content[2]}
        elif block.kind == "insert":
            colours |= dict(block.content.seats)
    return tuple(colours.items())


class Body(NamedTuple):
    """The rendered blocks of a letter: their text and their HTML, the seats' colours on a dark background, and pieces
    of the file of seals (see `Blocks`)."""

    text: str
    html: str
    seats: tuple[tuple[Seat, str], ...]
    seals: tuple[str, ...] = ()


class Block(NamedTuple):
    """A part of a letter: its kind, which is the name of a method of `Blocks`, and its content, which is hashable."""

    kind: str
    content: Any


class Blocks:
    """A collector of the blocks that a template writes. Each method returns "", so that the template itself yields no
    text.

    `to` is the address and the subject for links that answer the letter; the desk recognises the answer by this
    subject. `show` draws the images of maps; without it, maps are written in words. `seals` are pieces of the file of
    seals, with which players can prove that nothing was changed.
    """

    def __init__(self, to: tuple[str, str] = ("", ""), show: Callable[[Draw], Image | None] | None = None) -> None:
        self.written: list[Block] = []
        self.seals: list[str] = []
        self._to, self._show, self._news = to, show, ""

    @property
    def images(self) -> dict[str, bytes]:
        """The PNG files of the images in the letter, keyed by their Content-IDs."""
        shown = (block.content[3] for block in self.written if block.kind == "picture")
        return {image.cid: image.png for image in shown if image}

    @property
    def news(self) -> str:
        """The preview text of the letter: the text given to `preview`, or else the letter's first paragraph."""
        first = (block.content for block in self.written if block.kind in ("lead", "p"))
        return self._news or next(first, "")

    def preview(self, words: str) -> str:
        """Set the preview text that an inbox shows; only the first call counts."""
        self._news = self._news or words
        return ""

    def _write(self, kind: str, content: Any) -> str:
        self.written.append(Block(kind, content))
        return ""

    def lead(self, words: str) -> str:
        """Write the opening line of the letter."""
        return self._write("lead", words)

    def p(self, words: str) -> str:
        """Write a paragraph."""
        return self._write("p", words)

    def heading(self, words: str) -> str:
        """Write a heading."""
        return self._write("heading", words)

    def orders(self, text: str) -> str:
        """Write orders in short form."""
        return self._write("orders", text)

    def rows(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Write a table of two columns."""
        return self._write("rows", tuple(map(tuple, pairs)))

    def letters(self, pairs: Iterable[tuple[str, str]]) -> str:
        """Write the orders of several seats, given as pairs of a seat's label and its orders."""
        return self._write("letters", tuple(map(tuple, pairs)))

    def story(self, paragraphs: Iterable[Paragraph], dice: str) -> str:
        """Write what happened in a turn. In HTML the dice are folded away under the caption `dice`."""
        return self._write("story", (dice, tuple(paragraphs)))

    def items(self, lines: Iterable[str]) -> str:
        """Write a list with bullets."""
        return self._write("items", tuple(lines))

    def lines(self, texts: Iterable[str]) -> str:
        """Write lines that belong together, without bullets."""
        return self._write("lines", tuple(texts))

    def quote(self, lines: Iterable[str]) -> str:
        """Write preformatted lines."""
        return self._write("quote", tuple(lines))

    def words(self, lines: Iterable[str], end: str) -> str:
        """Write another person's words with a mark on each line, and then the sentence `end`, which says where these
        words end.

        The caller must already have written whose words they are.
        """
        return self._write("words", ("\n".join(lines), end))

    def mistake(self, lines: Iterable[str]) -> str:
        """Write a mistake in a letter: `lines` are the faulty line, the carets under the fault, and one or more lines
        with a sentence about it."""
        return self._write("mistake", tuple(lines))

    def picture(
        self, picture: Picture, grid: Grid, signs: Mapping[Seat, Sign], draw: Draw | None = None, caption: str = ""
    ) -> str:
        """Write a map, in which the seats have the colours of their signs. `grid`, if not empty, is the same map for
        HTML, and `draw` draws it as an image. Below an image, the map in words is folded under `caption`."""
        return self._picture(plain(picture), (picture, grid, tuple(signs.items()), draw, caption))

    def changes(
        self, picture: Picture, grid: Grid, signs: Mapping[Seat, Sign], draw: Draw | None = None, caption: str = ""
    ) -> str:
        """Write a map of which the reader knows all but the changes: the text part shows these alone, and the HTML part
        the same as for `picture`."""
        return self._picture("\n".join(changes_in(picture)), (picture, grid, tuple(signs.items()), draw, caption))

    def _picture(self, text: str, shown: tuple[Picture, Grid, Colours, Draw | None, str]) -> str:
        picture, grid, colours, draw, caption = shown
        image = self._show(draw) if self._show and draw else None
        return self._write("picture", (picture, grid, colours, image, caption, text))

    def send(self, label: str, text: str) -> str:
        """Write a link that opens a new letter to the desk with the body `text`.

        The link appears only in HTML, and is left out if `text` is too long for a link.
        """
        address, subject = self._to
        link = mailto(address, subject, text) if address else ""
        return self._write("send", (label, link)) if link else ""

    def link(self, label: str, address: str) -> str:
        """Write a link to a page. The text part shows its address."""
        return self._write("link", (label, address))

    def insert(self, body: Body) -> str:
        """Write the body of another letter, which has already been rendered."""
        self.seals += body.seals
        return self._write("insert", body)

    def small(self, words: str) -> str:
        """Write a paragraph in small type."""
        return self._write("small", words)

    def proof(self, about: Iterable[str], seals: Iterable[tuple[str, str, str]] = (), head: str = "") -> str:
        """Add sentences, hashes and the head of the record to the file of seals, which is attached to the letter.

        Each of `seals` is a side, a hash, and the line that was hashed, which is "" while it is secret. Lines are never
        broken, so that a copied line still has the same hash.
        """
        hashes = ("\n".join(filter(None, (f"{side:<4}  {digest}", line))) for side, digest, line in seals)
        self.seals += filter(None, ("\n".join(about), *hashes, head))
        return ""


def key_of(picture: Picture) -> tuple[str, ...]:
    """Return the lines of a picture that explain it."""
    return tuple(plain((line,)) for line in picture if _explains(*line))


def changes_in(picture: Picture) -> tuple[str, ...]:
    """Return what is marked as changed in a picture: its lines or, of a drawing with links, the areas themselves, such
    as `W Red 2, M 0`."""
    areas, lines = list[str](), list[str]()
    for line in picture:
        changed = [span.text.strip("* ") for span in line if "changed" in span.style.split()]
        if changed and any(span.style == "link" for span in line):
            areas += ("\xa0".join(text.split()) if " " in text else f"{text}\xa00" for text in changed)
        elif changed:
            lines.append(plain((line,)))
    together = (line.replace("\xa0", " ") for line in fold(", ".join(areas), WIDTH, break_on_hyphens=False))
    return (*together, *lines)


_Line = TypeVar("_Line", tuple[Span, ...], tuple[Cell, ...])


def without_key(picture: tuple[_Line, ...]) -> tuple[_Line, ...]:
    """Return a map without the lines that explain it."""
    lines = [line for line in picture if not _explains(*_spans_of(line))]
    while lines and not lines[-1]:
        del lines[-1]
    return tuple(lines)


def _spans_of(line: tuple[Span, ...] | tuple[Cell, ...]) -> Iterator[Span]:
    for part in line:
        if isinstance(part, Span):
            yield part
        else:
            yield from (span for spans in part.lines for span in spans)


def _explains(*spans: Span) -> bool:
    """Return whether a line with these `spans` explains a picture (see `Pictures.picture`)."""
    return any("key" in span.style.split() for span in spans)


class Looks(NamedTuple):
    """A block as it appears in the text part, in lines of at most 72 columns unless preformatted, and in the HTML part.

    All styles in the HTML are inline, because many mail programs drop any others.
    """

    text: str
    html: str


@lru_cache(maxsize=256)  # letters about one match share most of their blocks
def looks_of(block: Block) -> Looks:
    """Render a block both as text and as HTML."""
    return Looks(_IN_TEXT[block.kind](block.content), _IN_HTML[block.kind](block.content))


# Text


def wrap(text: str, indent: str = "", hanging: str | None = None) -> str:
    """Wrap a paragraph to 72 columns without ever breaking a word. `indent` begins the first line, and `hanging`, by
    default the same, begins all others."""
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
    """Return a picture as plain text."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in picture)


def _text_rows(pairs: Iterable[tuple[str, str]]) -> str:
    """Lay out pairs in two columns. A label too wide for its column goes on a line of its own."""
    return _text_table((label, (text,)) for label, text in pairs)


def _text_table(rows: Iterable[tuple[str, tuple[str, ...]]]) -> str:
    """Lay out rows in two columns: the label on the left, and its texts on the right, each beginning on a line of its
    own."""
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
    """Split orders into lines: one line if they fit into `width`, otherwise one line per order."""
    if len(orders) <= width:
        return (orders,)
    *first, last = orders.split("; ")
    return *(f"{part};" for part in first), last


def _text_orders(orders: str) -> str:
    return "\n".join(wrap(part, "  ", "      ") for part in parts_of(orders))


def _text_letters(pairs: Iterable[tuple[str, str]]) -> str:
    return _text_table((label, parts_of(text, WIDTH - 24)) for label, text in pairs)


def _text_story(content: tuple[str, tuple[Paragraph, ...]]) -> str:
    """Lay out a story in two columns or, if there are dice, in paragraphs of full width with one line per die."""
    _, story = content
    if not any(paragraph.dice for paragraph in story):
        return _text_rows((paragraph.heading, paragraph.text) for paragraph in story)
    lines = []
    for heading, text, dice in story:
        lines += [wrap(heading, "  "), wrap(text, "    ", "    "), *(wrap(die, "      - ", "        ") for die in dice)]
    return "\n".join(filter(None, lines))


def _text_words(content: tuple[str, str]) -> str:
    """Put a bar before each line of another person's words. If a line is too long, each of the parts into which it is
    broken gets a bar.

    Bars at the ends of lines are removed, because with them the lines would look like a table.
    """
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
    "picture": lambda content: content[5],
    "small": wrap,
    "insert": lambda body: body.text,
    "send": lambda _: "",
    "link": "\n".join,
}


# HTML


def _code(text: str) -> str:
    """Escape text for use in HTML, and mark up words between backticks as code."""
    escaped = escape(text)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped) if "`" in escaped else escaped


def _html_rows(pairs: Iterable[tuple[str, str]]) -> str:
    """Render pairs as a table. Short labels are not broken even on a narrow screen."""
    return _html_table((label, _code(text)) for label, text in pairs)


def _html_letters(pairs: Iterable[tuple[str, str]]) -> str:
    return _html_table((label, "<br>".join(map(escape, parts_of(text)))) for label, text in pairs)


def _html_table(rows: Iterable[tuple[str, str]]) -> str:
    """Render a table. Each row consists of a label, given as text, and its content, given as HTML."""
    lines = "".join(
        f'<tr valign="top"><td{" nowrap" if len(label) <= _SHORT else ""} {look_of("dim", "padding-right:12px")}>'
        f"{escape(label)}</td><td>{html}</td></tr>\n"
        for label, html in rows
    )
    look = "margin:0 0 12px;font-size:16px"
    return f'<table role="presentation" cellpadding="2" cellspacing="0" style="{look}">\n{lines}</table>'


def _html_story(content: tuple[str, tuple[Paragraph, ...]]) -> str:
    """Render a story as a table or, if there are dice, as paragraphs with the dice folded away.

    Programs that do not support `<details>` show the dice in small type.
    """
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
    """Render another person's words as a quotation with a bar on the left, which can be recognised even without
    colours."""
    text, end = content
    div = '<div style="white-space:pre-wrap">{}</div>'.format
    lines = "\n".join(div(escape(line) or "&nbsp;") for line in text.splitlines())
    look = look_of("said", "margin:0 0 4px;padding:8px 12px;overflow-wrap:anywhere")
    ends = f"<p {look_of('dim', 'margin:0 0 12px;font-size:13px')}>{escape(end)}</p>"
    return f"<blockquote {look}>\n{lines}\n</blockquote>\n{ends}"


def _html_mistake(lines: tuple[str, ...]) -> str:
    """Render a faulty line with its fault highlighted, because carets below the line would be misplaced where a narrow
    screen breaks it."""
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


def _html_link(content: tuple[str, str]) -> str:
    label, address = content
    look = look_of("dim", "margin:0 0 12px;font-size:13px")
    return f'<p {look}><a href="{escape(address)}" {look_of("dim")}>{escape(label)}</a></p>'


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
    "link": _html_link,
}


LONGEST = 1_900
"""The maximum number of characters in a link. Windows cuts off links at 2,048 characters or earlier when one program
hands them to another."""


def mailto(address: str, subject: str, text: str) -> str:
    """Return a `mailto:` link, or "" if it would be too long.

    `+` is escaped, because some programs read it as a space.
    """
    local, _, domain = address.rpartition("@")
    body = "\r\n".join(text.splitlines())
    link = f"mailto:{quote(local, safe='')}@{domain}?subject={quote(subject, safe='')}&body={quote(body, safe='')}"
    return link if len(link) <= LONGEST else ""
