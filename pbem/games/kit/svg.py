"""What pictures in SVG are made of in every game: texts, groups, a page's part of a picture, a file of its own."""

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import NamedTuple

Colours = Mapping[str, str]

BURST = "M0-18l4 8 9-3-3 9 8 4-8 4 3 9-9-3-4 8-4-8-9 3 3-9-8-4 8-4-3-9 9 3z"
"""The path of a star where something is lost or fought."""


class Drawing(NamedTuple):
    """What is drawn of a position over its plan: width and height, what it is called, and elements."""

    size: tuple[int, int]
    title: str
    content: str

    def overlay(self) -> str:
        """An `<svg>` for a page that has the plan."""
        width, height = self.size
        opening = f'class="board" viewBox="0 0 {width} {height}" role="img" aria-label="{escape(self.title)}"'
        return f"<svg {opening}>{self.content}</svg>"

    def document(self, definitions: str, style: str, words: str) -> str:
        """A file of its own, with its style, the plan's definitions, and all that it shows in words."""
        width, height = self.size
        size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="board" {size} role="img" aria-labelledby="title desc">\n'
            f'<title id="title">{escape(self.title, quote=False)}</title>\n'
            f'<desc id="desc">{escape(words, quote=False)}</desc>\n'
            f"<style>{style}</style>\n{definitions}\n{self.content}\n</svg>\n"
        )


def plan_of(definitions: str) -> str:
    """What every picture of a match has in common: an `<svg>` that shows nothing, to stand once on a page."""
    return f'<svg class="board-plan" width="0" height="0" aria-hidden="true">{definitions}</svg>'


def themed(rules: str, coloured: Callable[[Colours], str], light: Colours, dark: Colours, printed: Colours) -> str:
    """CSS: rules without colours, and those that `coloured` makes for light, for dark and for paper. Colours stand in
    it as they are: many viewers of SVG know no variables."""
    return (
        f"{rules}{coloured(light)}@media (prefers-color-scheme:dark){{\n{coloured(dark)}}}\n"
        f"@media print{{\n{coloured(printed)}}}\n"
    )


def text_at(words: str, x: float, y: float, classes: str = "", length: float = 0) -> str:
    """A text; one that has a length is squeezed into it."""
    of_class = f' class="{classes}"' if classes else ""
    fit = f' textLength="{length:.0f}" lengthAdjust="spacingAndGlyphs"' if length else ""
    return f'<text x="{x:.0f}" y="{y:.0f}"{of_class}{fit}>{escape(words, quote=False)}</text>'


def group(classes: str, parts: Iterable[str]) -> str:
    """Elements of some classes; nothing of none."""
    content = "".join(parts)
    return f'<g class="{classes}">{content}</g>' if content else ""
