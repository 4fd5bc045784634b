"""The games that are installed: pbem's own, and those of other packages, which name them in the same way, by entry
points in the group `pbem.games`.

Nothing here imports a game. The metadata of packages are read on first use, because a run without work needs no game.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "pbem.games"
_OURS = "pbem"
_NAME = re.compile(r"[a-z][a-z\d]{1,29}")


class Source(NamedTuple):
    """Where a game comes from: the name of its package, as pip knows it; the module and the class in it, as entry
    points name them; and the folder of this module, which contains the game's grammar, words and catalogues."""

    package: str
    module: str
    made_by: str
    folder: Path

    @property
    def is_ours(self) -> bool:
        """Whether the game is one of pbem's own."""
        return self.package == _OURS


class Fault(NamedTuple):
    """What is wrong with the game called `name` of a package, as the end of a sentence such as "the module chess is
    not there"."""

    package: str
    name: str
    what: str


class Installed(NamedTuple):
    """The sources of all games, by name, pbem's own first, and what is wrong with the others."""

    games: Mapping[str, Source]
    faults: tuple[Fault, ...]


@cache
def installed() -> Installed:
    """Return the games that are installed. A game is refused if another package has a game of the same name; pbem's own
    games stay.

    Raises ImportError if pbem's own games are missing, because it was only partly installed.
    """
    from importlib.metadata import entry_points  # takes longer than everything else that a run without work imports

    found: dict[str, list[Source]] = {}
    faults: list[Fault] = []
    for package, point in sorted(((_package(point), point) for point in entry_points(group=GROUP)), key=_rank):
        source = _source(package, point)
        if isinstance(source, Source):
            found.setdefault(point.name, []).append(source)
        else:
            faults.append(Fault(package, point.name, source))
    if not any(source.is_ours for sources in found.values() for source in sources):
        raise ImportError("pbem was installed without its games", name="the list of games")
    for name, sources in found.items():
        faults += _refused(name, [source.package for source in sources])
    kept = {name: one for name, (one, *others) in found.items() if not others or one.is_ours}
    return Installed(kept, tuple(faults))


def folders() -> Iterator[Path]:
    """Yield the folder of each game that another package brings."""
    return (source.folder for source in installed().games.values() if not source.is_ours)


def _package(point: "EntryPoint") -> str:
    return point.dist.name if point.dist else "?"


def _rank(found: "tuple[str, EntryPoint]") -> tuple[bool, str, str]:
    package, point = found
    return package != _OURS, point.name, package


def _source(package: str, point: "EntryPoint") -> Source | str:
    """Return the source of a game, or what is wrong with its entry point."""
    if not _NAME.fullmatch(point.name):
        return "the name of a game consists of 2 to 30 small letters and digits"
    module, _, made_by = (part.strip() for part in point.value.partition(":"))
    if not made_by.isidentifier():
        return f'its entry point is to be "module:Class", and is "{point.value}"'
    folder = _folder(module)
    return f"the module {module} is not there" if folder is None else Source(package, module, made_by, folder)


def _folder(module: str) -> Path | None:
    """Return the folder of a module, which is not imported, though the packages around it are; None if the module is
    not there."""
    from importlib.util import find_spec

    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        return None
    return Path(spec.origin).parent if spec and spec.origin and spec.has_location else None


def _refused(name: str, packages: list[str]) -> Iterator[Fault]:
    """Yield the faults of `packages`, all of which have a game called `name`."""
    if len(packages) > 1:
        for package in packages:
            others = [other for other in packages if other != package]
            if package != _OURS:
                yield Fault(
                    package, name, f"{' and '.join(others)} has a game of this name, too: uninstall one of them"
                )
