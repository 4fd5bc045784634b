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

_COUNT = """
import re._compiler as compiler, sys
asked, made = [], compiler.compile
def counted(text, flags=0):
    if "pbem/patterns.py" in sys._getframe(3).f_code.co_filename:
        asked.append(text)
    return made(text, flags)
compiler.compile = counted
from pbem.mail import letters
from pbem.orders.reader import may_be_order, read_orders, read_words
from pbem.match.receive import receive
from pbem.games import find_game
game = find_game("ozymandia")
letter = letters.read(sys.stdin.buffer.read(), is_order=may_be_order)
reading = read_orders(game, game.new({}), "red", read_words(letter.text))
print(reading.orders, len(asked))
"""
_LETTER = b"""\
From: a@example.org
Subject: Re: oz-1

Hi Bob,

3 A to M, 2 W to M

thank you

On Monday, Bob wrote:
> Where to?
"""


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


def test_names_of_groups_are_found_by_their_places() -> None:
    text = next(text for text, flags in made() if text.startswith("(?P<COUNT>"))
    match, own = compiled(text).match("3 A"), re.compile(text).match("3 A")
    assert match
    assert own
    assert (match.lastgroup, match.groupdict()) == (own.lastgroup, own.groupdict())


def test_a_letter_with_orders_is_read_without_compiling_any() -> None:
    done = subprocess.run([sys.executable, "-c", _COUNT], cwd=ROOT, input=_LETTER, capture_output=True, check=True)
    assert done.stdout == b"3 A to M, 2 W to M 0\n"


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
