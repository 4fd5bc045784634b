"""How blocks look in HTML: colours, type, and pictures."""

from functools import lru_cache

from pbem.games.base import Picture, Seat, Sign, Span
from pbem.games.extras import Cell, Grid

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


def look_of(name: str, *more: str) -> str:
    """The attributes of an element that looks like something, and has more of CSS beside."""
    return f'class="{name}" style="{";".join(filter(None, (*more, LOOKS[name][0])))}"'


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
    """A line of a cell that looks like a link itself."""
    return tuple(Span(span.text) if span.style == "link" else span for span in line)


@lru_cache(maxsize=1024)  # most lines of a board are the same in every letter
def _html_line(spans: tuple[Span, ...], colours: Colours) -> str:
    return "".join(_html_span(span, colours) for span in spans)


@lru_cache(maxsize=1024)
def _html_span(span: Span, colours: Colours) -> str:
    styles = {word: (word, css) for word, (css, _) in LOOKS.items()}
    styles |= {seat: (f"seat-{seat}", f"color:{sign.light};font-weight:bold") for seat, sign in colours}
    found = [styles[word] for word in span.style.split() if word in styles]
    if not found:
        return escape(span.text)
    classes, css = (sep.join(part) for sep, part in zip((" ", ";"), zip(*found, strict=True), strict=True))
    return f'<span class="{classes}" style="{css}">{escape(span.text)}</span>'
