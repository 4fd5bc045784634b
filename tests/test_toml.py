"""Files in TOML that are shipped: read as `tomllib` would, from what the build has made of them."""

import sys
import tomllib
from pathlib import Path

import pytest

from pbem import resources
from pbem.i18n import words
from pbem.resources import made_file, made_toml, read_made, read_toml, written
from support.paths import ROOT

FILES = sorted(path for folder in ("pbem", "locale") for path in (ROOT / folder).rglob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_build_has_read_every_file(path: Path) -> None:
    text = path.read_text("utf-8")
    assert made_toml(text).exists()
    assert read_toml(text) == tomllib.loads(text)


def test_the_build_keeps_nothing_of_files_that_are_gone() -> None:
    assert {*made_toml("").parent.glob("*.json")} == {made_toml(path.read_text("utf-8")) for path in FILES}


def test_what_is_shipped_is_read_without_tomllib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tomllib", None)
    assert read_toml(FILES[0].read_text("utf-8"))
    with pytest.raises(ImportError):
        read_toml("own = 1")


def test_any_other_text_is_read_as_ever(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert read_toml("own = 1") == {"own": 1}
    with pytest.raises(tomllib.TOMLDecodeError):
        read_toml("own = ")
    monkeypatch.setattr(resources, "made_toml", lambda text: tmp_path / "torn.json")
    (tmp_path / "torn.json").write_text('{"own": ')
    assert read_toml("own = 1") == {"own": 1}


def test_what_all_languages_have_for_a_thing_is_what_the_build_would_find_now() -> None:
    assert made_file(words.MADE).read_text() == words.written_words()


def test_every_word_is_found_whether_the_build_has_found_it_or_not(monkeypatch: pytest.MonkeyPatch) -> None:
    made = words.words("around", "to_game"), words.words("around", "nothing")
    assert made[0]
    assert made[1] == ()
    assert words._made()
    monkeypatch.setattr(words, "_made", dict)
    assert (words.words("around", "to_game"), ()) == made


@pytest.mark.parametrize("content", [None, "", "[", "[]", "{}", '{"of": "0", "made": {"a": 1}}'])
def test_what_was_made_of_other_texts_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: str | None
) -> None:
    monkeypatch.setattr(resources, "made_file", lambda name: tmp_path / name)
    if content is not None:
        (tmp_path / "words").write_text(content)
    assert read_made("words", ["a text"]) == {}
    (tmp_path / "words").write_text(written({"a": [1]}, ["a text"]))
    assert read_made("words", ["a text"]) == {"a": [1]}
    assert read_made("words", ["another"]) == {}
