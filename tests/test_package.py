"""What is shipped works without the checkout: the source archive, and the wheel that is built from it."""

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive and the wheel built from what is in it."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_source_archive_holds_all_that_the_project_is(built):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    shipped = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    assert names >= {
        "grammar/orders.lark",
        "pbem/games/ozymandia/orders.lark",
        "templates/letters/report.j2",
        "config.example.ini",
        "LICENSE",
        "tests/conftest.py",
    }
    assert set(shipped) - names <= {".gitignore"}


def test_the_wheel_works_from_an_empty_folder(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    site, empty = tmp_path / "site", tmp_path / "empty"
    empty.mkdir()
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", site, wheel]
    subprocess.run([*install, "--disable-pip-version-check", "--no-warn-script-location"], check=True)
    environment = {**os.environ, "PYTHONPATH": str(site)}

    def run(*command: str) -> str:
        done = subprocess.run(command, cwd=empty, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = run(sys.executable, "-c", "import pbem; print(pbem.__file__)")
    assert Path(where.strip()) == site / "pbem" / "__init__.py"
    pbem = str(site / "bin" / "pbem")
    assert run(pbem, "check", "3 A to M, Bomb EC").startswith("3 A to M; Bomb EC\n")
    assert json.loads(run(pbem, "board", "triangles", "--json"))["name"] == "triangles"
    assert "You have won" in run(pbem, "demo")
    german = "from pbem.i18n.languages import say_in; print(say_in('de')('Monday'))"
    assert run(sys.executable, "-c", german) == "Montag\n"
    run(pbem, "init", "desk")
    assert run(pbem, "--config", "desk/config.ini", "check-config").startswith("All is well")
    assert [path.name for path in empty.iterdir()] == ["desk"]


def test_the_wheel_holds_types_licence_and_nothing_of_the_tests(built):
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"pbem/py.typed", "pbem/games/ozymandia/orders.lark", "pbem/_data/grammar/orders.lark"} <= {*names}
    assert any(name.endswith("/LICENSE") for name in names)
    assert not any(name.startswith(("tests", "benchmarks")) for name in names)
