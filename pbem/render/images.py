"""Images of positions in letters: the drawings of the games, converted from SVG to small PNG files.

A drawing yields the same image on every machine: the fonts come with the program, and those of the system are not used.
Where the libraries are missing, letters have no images.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from pbem import Say

if TYPE_CHECKING:
    from PIL.Image import Image as Pixels

Draw = Callable[[Say], str]
"""A function that draws a position as a standalone SVG document, with words in the language of its reader."""

WIDTH = 720
"""The width of an image in pixels: twice the width of a phone's screen, whose pixels are small."""

MAX_BYTES = 25_000
"""The maximum size of an image. One that would be larger gets fewer colours."""

MAX_DRAWN = 32
"""The number of different images that are drawn in a run.

An image takes as much time as several letters. If hundreds of letters are waiting, the desk must not take much longer
than without images, so most of these letters have none.
"""

_MAX_WORDS = 500  # characters of the text that stands for an image
_COLOURS = (24, 12, 6)
_WIDEST, _TALLEST = 2 * WIDTH, 3  # the width of a drawing, and how many times as high as wide it may be
_SIZE = re.compile(r'<svg [^>]*viewBox="0 0 (\d+) (\d+)"')
_FONTS = Path(__file__).with_name("fonts")
_TITLE = re.compile(r"<title[^>]*>(.*?)</title>\s*", re.S)
_WORDS = re.compile(r"<desc[^>]*>(.*?)</desc>\s*", re.S)


class Image(NamedTuple):
    """An image in a letter: its Content-ID, its PNG file, and the text that is shown where images are not."""

    cid: str
    png: bytes
    words: str


class Images:
    """The images in the letters of a run. Each is drawn only once, however many letters contain it."""

    def __init__(self) -> None:
        self._left = MAX_DRAWN
        self._drawn: dict[str, bytes] = {}

    def of(self, svg: str) -> Image | None:
        """Return the image for an SVG document, or None if the letter has to do without it."""
        drawing = _WORDS.sub("", _TITLE.sub("", svg))  # two readers may see the same, and know different things
        if drawing not in self._drawn:
            if self._left <= 0:
                return None
            self._left -= 1
            self._drawn[drawing] = rasterise(drawing)
        png = self._drawn[drawing]
        return Image(f"{sha256(png).hexdigest()[:24]}@pbem", png, _in_words(svg)) if png else None


def _in_words(svg: str) -> str:
    """Return the title of an SVG document and the first lines of its description, which contains all that it shows."""
    found = (pattern.search(svg) for pattern in (_TITLE, _WORDS))
    first, *lines = unescape("\n".join(match[1] for match in found if match)).splitlines() or [""]
    words = first
    for line in lines:
        if len(words) + 1 + len(line) > _MAX_WORDS:
            break
        words += f"\n{line}"
    return words


def rasterise(svg: str) -> bytes:
    """Draw an SVG document as a PNG file of at most `MAX_BYTES`. Return b"" if that is impossible, if nobody could read
    the image on a phone, or if the libraries for it are missing."""
    size = _SIZE.match(svg)
    if not size or int(size[1]) > _WIDEST or int(size[2]) > _TALLEST * int(size[1]):
        return b""
    try:
        from PIL.PngImagePlugin import PngImageFile
        from resvg_py import svg_to_bytes
    except ImportError:
        return b""
    try:
        drawn = svg_to_bytes(
            svg_string=svg,
            width=WIDTH,
            background="#ffffff",
            style_sheet="symbol{overflow:visible}",  # clipping takes a third of the time, and nothing is cut off
            shape_rendering="crisp_edges",
            skip_system_fonts=True,
            font_files=[str(_FONTS / f"{name}.ttf") for name in ("DejaVuSans", "DejaVuSans-Bold")],
            font_family="DejaVu Sans",
            serif_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans",
        )
    except ValueError:  # somebody's own data contain something that no SVG may contain; the letter must go out anyway
        return b""
    image = PngImageFile(BytesIO(drawn)).convert("RGB")
    files = (_file(image, colours) for colours in _COLOURS)
    return next((file for file in files if len(file) <= MAX_BYTES), b"")


def _file(image: "Pixels", colours: int) -> bytes:
    """Return `image` as a PNG file in its most frequent colours. The colours of all areas are among them, unlike those
    of a quantiser that mixes its own, and so are the shades at the edges of letters."""
    from PIL.Image import Dither, new

    counted = cast(list[tuple[int, tuple[int, ...]]], image.getcolors(image.width * image.height))
    palette = new("P", (1, 1))
    palette.putpalette([part for _, colour in sorted(counted, reverse=True)[:colours] for part in colour])
    file = BytesIO()
    image.quantize(palette=palette, dither=Dither.NONE).save(file, "PNG", compress_level=8)
    return file.getvalue()
