"""The files that the pages of the archive share: the style sheet, the scripts and the icon. All functions are pure."""

from collections.abc import Sequence

from pbem.games.base import AnyGame
from pbem.resources import resource

ASSETS = ("icon.svg", "game.js", "live.js", "search.js")
"""Files that pages need and that are identical in every archive."""


def asset(name: str) -> str:
    """Return the text of the file `name`, one of `ASSETS`."""
    return (resource("templates") / "site" / name).read_text("utf-8")


def style(games: Sequence[AnyGame]) -> str:
    """Return the style sheet for all pages, with the symbols for each game's seats."""
    of_seats = {f".{game.name}-{seat}": sign for game in games for seat, sign in game.signs.items()}
    signs = {f".side{where}::before": sign for where, sign in of_seats.items()}
    shapes = [f"{where} {{ border-radius: {'50%' if sign.round else '1px'}; }}" for where, sign in signs.items()]
    both = {**signs, **{f"polyline{where}": sign for where, sign in of_seats.items()}}
    light = [f"{where} {{ color: {sign.light}; }}" for where, sign in both.items()]
    dark = [f"  {where} {{ color: {sign.dark}; }}" for where, sign in both.items()]
    black = [f"  {where} {{ color: #000; }}" for where in signs]
    lines = [*shapes, *light, "@media (prefers-color-scheme: dark) {", *dark, "}", "@media print {", *black, "}", ""]
    return asset("style.css") + "\n".join(lines)
