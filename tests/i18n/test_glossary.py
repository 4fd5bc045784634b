"""The glossary of each language: no sentence uses another word for a term. See `docs/wording.md`."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from tools.catalogues import DOMAINS, ROOT

GLOSSARIES = sorted((ROOT / "locale").glob("*/glossary.toml"))
NOT_COUNTED = re.compile(r'`[^`]*`|\{[^{}]*\}|"[^"]*"|„[^“”]*[“”]|“[^”]*”|«[^»]*»')
"""Parts of a sentence that people type, that are filled in, or that are quoted."""


def spoken(sentence: str) -> str:
    """`sentence` without the parts that are not counted."""
    return NOT_COUNTED.sub(" ", sentence)


def finder(word: str) -> re.Pattern[str]:
    """A pattern for a word or stem of a glossary: whole, in any case."""
    return re.compile(rf"\b{re.escape(word.removesuffix('*'))}" + (r"" if word.endswith("*") else r"\b"), re.I)


@cache
def sentences(language: str, domain: str) -> tuple[str, ...]:
    """The sentences of a catalogue in `language`: for English, those that the others translate."""
    folder = "de" if language == "en" else language
    with (ROOT / "locale" / folder / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        catalog = read_po(file, locale=folder, domain=domain)
    texts = [message.id if language == "en" else message.string for message in catalog if message.id]
    return tuple(form for text in texts for form in ([text] if isinstance(text, str) else text))


def terms(path: Path) -> Iterator[tuple[str, str, dict[str, object]]]:
    """The section, the name and the entry of every term in a glossary."""
    for section, entries in tomllib.loads(path.read_text(encoding="utf-8")).items():
        for name, entry in entries.items():
            yield section, name, entry


def language_of(path: Path) -> str:
    return path.parent.name


@pytest.mark.parametrize("path", GLOSSARIES, ids=language_of)
def test_no_sentence_uses_another_word_for_a_term(path):
    wrong = [
        f"{section}.{name}: {word!r} in {sentence!r}"
        for section, name, entry in terms(path)
        for word in entry.get("not", ())
        for domain in (DOMAINS if section == "pbem" else (section,))
        for sentence in sentences(language_of(path), domain)
        if finder(word).search(spoken(sentence))
    ]
    assert not wrong


@pytest.mark.parametrize("path", GLOSSARIES, ids=language_of)
def test_a_glossary_has_sections_of_catalogues_and_entries_of_a_word_and_of_those_it_replaces(path):
    for section, name, entry in terms(path):
        assert section in DOMAINS, section
        assert {"use"} <= entry.keys() <= {"use", "not"}, name
        assert not any(finder(word).fullmatch(entry["use"]) for word in entry.get("not", ())), name


def test_english_has_a_glossary():
    assert "en" in map(language_of, GLOSSARIES)


@pytest.mark.parametrize(
    ("word", "sentence", "found"),
    [
        ("anew", "Write it anew.", True),
        ("anew", "Anew, please", True),
        ("tie", "It is tied", False),
        ("lapse*", "The offer lapses now.", True),
        ("left away", "It was left away.", True),
        ("anew", "Write `anew` for {anew}.", False),
        ("anew", '"anew", „anew“ und «anew»', False),
    ],
)
def test_a_word_is_found_whole_and_a_stem_at_the_beginning_outside_of_what_is_typed_or_quoted(word, sentence, found):
    assert bool(finder(word).search(spoken(sentence))) == found
