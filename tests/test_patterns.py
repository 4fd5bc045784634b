"""Regular expressions that the build compiles: what Python would make of them now, and left alone where they do not
fit."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import patterns
from pbem.patterns import _checksum, compiled, engine, made_file, names_in, written
from support.paths import ROOT


def made() -> Iterator[tuple[str, int]]:
    for name in names_in(made_file().read_text()):
        flags, text = name.split(" ", 1)
        yield text, int(flags)


@pytest.fixture
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A file of patterns that nothing else reads."""
    monkeypatch.setattr(patterns, "made_file", lambda: tmp_path / "patterns.json")
    patterns._made.cache_clear()
    yield tmp_path / "patterns.json"
    patterns._made.cache_clear()


def test_what_was_made_is_what_the_build_would_make_now() -> None:
    make = "import sys, hatch_build; sys.stdout.write(hatch_build.all_patterns())"
    done = subprocess.run([sys.executable, "-c", make], cwd=ROOT, capture_output=True, text=True, check=True)
    assert made_file().read_text() == done.stdout


def test_what_was_made_is_what_python_compiles() -> None:
    found = [*made()]
    assert len(found) > 300
    for text, flags in found:
        ours, theirs = compiled(text, flags), re.compile(text, flags)
        assert (ours, ours.pattern, ours.flags, ours.groups) == (theirs, text, theirs.flags, theirs.groups)
        assert ours.groupindex == theirs.groupindex


@pytest.mark.parametrize(
    "content",
    [
        None,
        "",
        "[",
        "[]",
        written([("a+", 0)], "sources").replace(engine(), "cpython-27 1 2 little"),
        written([("b+", 0)], "sources").replace(_checksum("0 b+"), _checksum("0 a+")),
        written([("a+", 0)], "sources")[:-4],
    ],
    ids=["none", "empty", "torn", "of another shape", "of another engine", "of an equal checksum", "cut off"],
)
def test_a_file_that_does_not_fit_is_left_alone(elsewhere: Path, content: str | None) -> None:
    if content is not None:
        elsewhere.write_text(content)
    assert compiled("a+") == re.compile("a+")


def test_a_pattern_that_is_not_there_is_compiled(elsewhere: Path) -> None:
    elsewhere.write_text(written([("a+", 0), ("(?P<b>b)", re.I)], "sources"))
    assert compiled("c+") == re.compile("c+")
    assert compiled("(?P<b>b)", re.I) == re.compile("(?P<b>b)", re.I)
    assert json.loads(elsewhere.read_text().partition("\n")[0])["of"] == engine()
