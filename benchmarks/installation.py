"""`pbem` as its users have it: installed from a wheel into an environment of its own, and compiled."""

import os
import subprocess
import sys
import sysconfig
import venv
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_CHECKOUT = Path(__file__).parents[1]
_LAUNCH = Path(__file__).with_name("launch.py")


class Run(NamedTuple):
    """What a program took: wall time in seconds, and its peak of resident memory in MB."""

    seconds: float
    megabytes: float


class Installation:
    """An environment with `python` and `pbem`. Dependencies are those of the environment we run in ourselves."""

    def __init__(self, folder: Path) -> None:
        venv.create(folder / "env", with_pip=False)
        self.python, self.pbem = folder / "env/bin/python", folder / "env/bin/pbem"
        self._environ = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        pip: list[str | Path] = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, _CHECKOUT]
        subprocess.run(wheel, check=True, env=self._environ)
        packages = sorted(folder.glob("pbem-*.whl"))
        install = [*pip, "--python", self.python, "install", "--no-deps", "--no-index", *packages]
        subprocess.run(install, check=True, env=self._environ)
        ours = Path(sysconfig.get_path("purelib"))
        theirs = folder / "env" / ours.relative_to(sys.prefix)
        (theirs / "dependencies.pth").write_text(f"{ours}\n")

    def run(self, program: Path, *arguments: object) -> Run:
        """Run a program that is to end well."""
        words: list[str | Path] = [sys.executable, "-IS", _LAUNCH, program, *map(str, arguments)]
        done = subprocess.run(words, check=True, env=self._environ, capture_output=True, text=True)
        seconds, megabytes, status = done.stdout.splitlines()[-1].split()
        if status != "0":
            raise RuntimeError(f"{program.name} {' '.join(map(str, arguments))} ended with {status}: {done.stderr}")
        return Run(float(seconds), float(megabytes))


@cache
def installation() -> Installation:
    """The one of this run, made when it is first needed and removed at the end."""
    return Installation(Path(_folder().name))


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="pbem-bench-", ignore_cleanup_errors=True)
