"""The order words of a game in every language: `words/<language>.toml` in its folder, a file for each."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

ENGLISH = "en"


@cache
def order_words(folder: Path) -> Mapping[str, str]:
    """A regular expression for each name in the files, of what stands for it in all languages, English first."""
    paths = sorted((folder / "words").glob("*.toml"), key=lambda path: (path.stem != ENGLISH, path.stem))
    found: dict[str, list[str]] = {}
    for path in paths:
        for name, patterns in tomllib.loads(path.read_text(encoding="utf-8")).items():
            found.setdefault(name, []).extend(patterns)
    return {name: f"(?:{'|'.join(patterns)})" for name, patterns in found.items()}
