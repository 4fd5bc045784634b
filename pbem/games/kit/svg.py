"""Building blocks for SVG pictures in every game: texts, groups, the part that pictures on a page share, and standalone
files."""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import NamedTuple

Colours = Mapping[str, str]

BURST = "M0-18l4 8 9-3-3 9 8 4-8 4 3 9-9-3-4 8-4-8-9 3 3-9-8-4 8-4-3-9 9 3z"
"""The path of a star that marks a fight or a loss."""


class Drawing(NamedTuple):
    """A drawing of a position, to be shown over the plan of its board: its width and height, its title, and its
    elements."""

    size: tuple[int, int]
    title: str
    content: str

    def overlay(self) -> str:
        """Return the `<svg>` for a page that already contains the plan."""
        width, height = self.size
        opening = f'class="board" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(self.title)}"'
        return f"<svg {opening}>{self.content}</svg>"

    def document(self, definitions: str, style: str, words: str) -> str:
        """Return a standalone SVG file with its style, the definitions of the plan, and a description of everything
        shown."""
        width, height = self.size
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" {size} role="img" aria-labelledby="title desc">\n'
            f'<title id="title">{escape(self.title, quote=False)}</title>\n'
            f'<desc id="desc">{escape(words, quote=False)}</desc>\n'
            f"<style>{style}</style>\n{definitions}\n{self.content}\n</svg>\n"
        )


def plan_of(definitions: str) -> str:
    """Return an invisible `<svg>` with everything that all pictures of a match share. A page contains it once."""
    return f'<svg class="board-plan" width="0" height="0" aria-hidden="true">{definitions}</svg>'


def themed(rules: str, coloured: Callable[[Colours], str], light: Colours, dark: Colours, printed: Colours) -> str:
    """Build CSS from rules without colours, and from the rules that `coloured` makes for light, dark and printed pages.
    Colours are written out because many SVG viewers do not support variables."""
    return (
        f"{rules}{coloured(light)}@media (prefers-color-scheme:dark){{\n{coloured(dark)}}}\n"
        f"@media print{{\n{coloured(printed)}}}\n"
    )


def text_at(words: str, x: float, y: float, classes: str = "", length: float = 0) -> str:
    """Return a text element. If `length` is given, the text is fitted to that length."""
    of_class = f' class="{classes}"' if classes else ""
    fit = f' textLength="{length:.0f}" lengthAdjust="spacingAndGlyphs"' if length else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{of_class}{fit}>{escape(words, quote=False)}</text>'


def group(classes: str, parts: Iterable[str]) -> str:
    """Return a group of SVG elements with the given classes, or "" if there are no elements."""
    content = "".join(parts)
    return f'<g class="{classes}">{content}</g>' if content else ""
