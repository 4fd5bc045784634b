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
    "name": ("color:#3c4043", "color:#dadce0"),
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
        rows = "\n".join(_html_cells(row, colours) for row in grid)
        look = "width:100%;max-width:480px;margin:0 0 12px;border-spacing:2px;font-size:13px;line-height:1.35"
        return f'<table class="map" role="presentation" style="{look}">\n{rows}\n</table>'
    look = f"margin:0 0 12px;{MONO};font-size:13px;line-height:1.2;overflow-x:auto"
    drawn = "\n".join(_html_line(line, colours) for line in picture)
    return f'<pre class="map" style="{look}">{drawn}</pre>'


_CELL = "padding:3px 2px;vertical-align:top;overflow-wrap:anywhere"
_WIDE, _NARROW = "30%", "22px"  # of a cell, and of one between cells


@lru_cache(maxsize=1024)
def _html_cells(row: tuple[Cell, ...], colours: Colours) -> str:
    cells = "\n".join(_html_cell(cell, colours) for cell in row)  # no line may be long, as mail goes
    return f"<tr>{cells}</tr>"


def _html_cell(cell: Cell, colours: Colours) -> str:
    look = f'style="{_CELL}"'
    if cell.frame:
        centred = f"{_CELL};text-align:center{';white-space:nowrap' if cell.frame == 'link' else ''}"
        look = look_of(cell.frame, centred)
    span = f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    width = "" if span else f' width="{_NARROW if cell.frame == "link" else _WIDE}"'
    return f"<td{span}{width} {look}>{'<br>'.join(_html_line(line, colours) for line in cell.lines)}</td>"


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
