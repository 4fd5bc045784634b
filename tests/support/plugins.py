"""Packages that bring games, as pip leaves them in a folder of the path: their modules and their metadata."""

import sys
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from pbem import games, plugins
from pbem.games.base import AnyGame
from pbem.i18n.languages import say_in
from support.paths import EXAMPLE

_CREATED = games._created


class Plugins:
    """Installs packages for the time of a test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch, self._modules = monkeypatch, {*sys.modules}

    def install(self, folder: Path, package: str, points: Mapping[str, str]) -> None:
        """Put `folder`, which contains the modules of a package, on the path, with metadata that name its games."""
        metadata = folder / f"{package.replace('-', '_')}-1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = "".join(f"{name} = {value}\n" for name, value in points.items())
        (metadata / "entry_points.txt").write_text(f"[{plugins.GROUP}]\n{lines}")
        self._patch.syspath_prepend(folder)
        self.look_again()

    def look_again(self) -> None:
        """Let pbem look for games as a new process does, except that its own games stay the same objects, because other
        tests keep them."""
        for name in {*sys.modules} - self._modules:
            if name.startswith(("their_", "pbem_")):
                del sys.modules[name]
        for cached in (plugins.installed, say_in):
            cached.cache_clear()
        create = cache(_CREATED.__wrapped__)

        def created(name: str, source: plugins.Source) -> AnyGame | plugins.Fault:
            return _CREATED(name, source) if source.is_ours else create(name, source)

        self._patch.setattr(games, "_created", created)


@pytest.fixture
def harbours(plugged: "Plugins", tmp_path: Path) -> None:
    """The example as if it were installed: its modules are on the path, and its metadata come from its project file."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text())["project"]
    plugged.install(tmp_path / "metadata", project["name"], project["entry-points"][plugins.GROUP])


@pytest.fixture
def plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[Plugins]:
    """Packages that are installed until the test is over."""
    installed = Plugins(monkeypatch)
    yield installed
    installed.look_again()
