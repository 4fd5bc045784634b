"""`pbem` as users have it: installed from a wheel into its own environment, and compiled."""

import os
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_CHECKOUT = Path(__file__).parents[1]
_LAUNCH = Path(__file__).with_name("launch.py")


class Run(NamedTuple):
    """The cost of a program: wall-clock seconds, CPU seconds of all its processes, and peak resident memory in MB."""

    seconds: float
    cpu: float
    megabytes: float


class Installation:
    """An environment with `python` and `pbem`."""

    def __init__(self, python: Path, pbem: Path, environ: Mapping[str, str]) -> None:
        self.python, self.pbem, self._environ = python, pbem, environ

    def run(self, program: Path, *arguments: object) -> Run:
        """Run a program that must succeed."""
        words: list[str | Path] = [sys.executable, "-IS", _LAUNCH, program, *map(str, arguments)]
        done = subprocess.run(words, check=True, env=self._environ, capture_output=True, text=True)
        seconds, cpu, megabytes, status = done.stdout.splitlines()[-1].split()
        if status != "0":
            raise RuntimeError(f"{program.name} {' '.join(map(str, arguments))} ended with {status}: {done.stderr}")
        return Run(float(seconds), float(cpu), float(megabytes))


@cache
def installation() -> Installation:
    """The installation for this run, created on first use and removed at the end. It uses the dependencies of the
    environment that runs the benchmarks."""
    folder = Path(_folder().name)
    venv.create(folder / "env", with_pip=False)
    ours = Installation(folder / "env/bin/python", folder / "env/bin/pbem", _environ())
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, _CHECKOUT]
    subprocess.run(wheel, check=True, env=_environ())
    packages = sorted(folder.glob("pbem-*.whl"))
    install = [*pip, "--python", ours.python, "install", "--no-deps", "--no-index", *packages]
    subprocess.run(install, check=True, env=_environ())
    there = Path(sysconfig.get_path("purelib"))
    (folder / "env" / there.relative_to(sys.prefix) / "dependencies.pth").write_text(f"{there}\n")
    return ours


def _environ() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


@cache
def _folder() -> TemporaryDirectory[str]:
    return TemporaryDirectory(prefix="pbem-bench-", ignore_cleanup_errors=True)
