"""The package as a whole: no circles in it, and what is shipped of it works without the checkout."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import grimp
import networkx
import pytest
from babel.messages.mofile import write_mo

import hatch_build
from pbem import __version__
from pbem.cli.main import main
from support.commands import commands
from support.paths import ROOT


def test_no_modules_import_each_other_in_a_circle_not_even_for_types():
    graph = grimp.build_graph("pbem", cache_dir=None)
    imports = networkx.DiGraph(
        (module, other) for module in graph.modules for other in graph.find_modules_directly_imported_by(module)
    )
    assert imports.has_edge("pbem.service.handling", "pbem.match.model")  # for types only
    assert [circle for circle in networkx.strongly_connected_components(imports) if len(circle) > 1] == []


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source archive and the wheel built from what is in it."""
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def test_several_may_make_the_catalogues_at_the_same_time(monkeypatch):
    another = [sys.executable, "-c", "import hatch_build; hatch_build.make_catalogues()"]

    def write(file, catalogue):
        subprocess.run(another, cwd=ROOT, check=True)
        write_mo(file, catalogue)

    monkeypatch.setattr(hatch_build, "write_mo", write)
    hatch_build.make_catalogues()
    made = {path.suffix for path in (ROOT / "locale").glob("*/LC_MESSAGES/*")}
    assert made == {".po", ".mo"}


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
    assert set(shipped) <= names
    # The wheel was built from this, and has them.
    assert not any(name.endswith(".mo") for name in names)


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

    assert [*site.glob("pbem/_data/templates/made/*.py")]
    where = run(sys.executable, "-c", "import pbem; print(pbem.__file__)")
    assert Path(where.strip()) == site / "pbem" / "__init__.py"
    pbem = str(site / "bin" / "pbem")
    assert run(pbem, "check", "3 A to M, Bomb EC").startswith("3 A to M; Bomb EC\n")
    assert json.loads(run(pbem, "board", "triangles", "--json"))["name"] == "triangles"
    assert "You have won" in run(pbem, "demo")
    assert run(sys.executable, "-c", SAYS_GERMAN) == "Montag Rot []\n"
    run(pbem, "init", "desk")
    assert run(pbem, "--config", "desk/config.ini", "check-config").startswith("All is well")
    assert [path.name for path in empty.iterdir()] == ["desk"]


def test_an_index_of_packages_would_take_both(built):
    check = [sys.executable, "-m", "twine", "check", "--strict", *built.iterdir()]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASSED") == 2


@pytest.mark.long
def test_the_wheel_is_installed_with_all_that_it_needs_and_no_compiler(built, tmp_path):
    """In an environment of its own; `--only-binary` refuses whatever would have to be built."""
    (wheel,) = built.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "pbem"], check=True)
    programs = tmp_path / "pbem" / "bin"
    install = [programs / "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:", wheel]
    subprocess.run(install, check=True)
    environment = {name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "CC", "CXX")}

    def run(*words: str) -> str:
        command = [programs / "pbem", *words]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == ""
        return done.stdout

    assert run("--version") == f"pbem, version {__version__}\n"
    assert "You have won" in run("demo")


def test_the_wheel_holds_a_manual_page_for_each_command(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        folder = f"pbem-{__version__}.data/data/share/man/man1/"
        pages = {
            name.removeprefix(folder): archive.read(name).decode()
            for name in archive.namelist()
            if name.startswith(folder)
        }
    assert {*pages} == {f"{command.replace(' ', '-')}.1" for command, _ in commands(main, "pbem")}
    assert "\npbem \\- Games by e-mail, adjudicated.\n" in pages["pbem.1"]
    assert "\n\\fB\\-\\-turn\\-limit\\fP N\nThe game is a draw after this many turns.\n" in pages["pbem-game-new.1"]


SAYS_GERMAN = """
from pbem.i18n.languages import say_in, unmade
print(say_in("de")("Monday"), say_in("de")("Red"), unmade())
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A fresh clone of what is here: nothing in it that was made."""
    if not (ROOT / ".git").exists():
        pytest.skip("there is nothing to clone")
    folder = tmp_path / "clone"
    shipped = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in shipped.splitlines():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    assert not [*folder.rglob("*.mo"), *folder.rglob("made")]
    return folder


def said_in_german(package: Path) -> str:
    environment = {**os.environ, "PYTHONPATH": str(package)}
    command = [sys.executable, "-c", SAYS_GERMAN]
    done = subprocess.run(command, cwd="/", env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("how", [pytest.param("anew", marks=pytest.mark.long), "editable"])
def test_what_is_installed_from_a_fresh_clone_speaks_german(clone, tmp_path, how):
    site = tmp_path / "site"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    quietly = ["--disable-pip-version-check", "--no-warn-script-location", "--ignore-installed"]
    what = ["--prefix", site, "--editable", clone] if how == "editable" else ["--target", site, clone]
    subprocess.run([*install, *quietly, *what], check=True)
    assert said_in_german(clone if how == "editable" else site) == "Montag Rot []"


def test_a_checkout_in_which_nothing_was_made_speaks_english_and_knows_it(clone):
    assert said_in_german(clone) == "Monday Red ['de', 'ru']"


def test_the_wheel_holds_types_licence_and_nothing_of_the_tests(built):
    (wheel,) = built.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"pbem/games/ozymandia/words/de.toml", "pbem/_data/locale/en/words.toml"} <= {*names}
    assert {"pbem/py.typed", "pbem/games/ozymandia/orders.lark", "pbem/_data/grammar/orders.lark"} <= {*names}
    assert any(name.endswith("/LICENSE") for name in names)
    assert not any(name.startswith(("tests", "benchmarks")) for name in names)
