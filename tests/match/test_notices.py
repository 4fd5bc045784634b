"""Whatever a letter tells in a sentence or two has a name, and each name has its sentence."""

import re
from pathlib import Path
from typing import get_args

import pytest

import pbem
from pbem.match.effects import Course, Notice
from pbem.resources import resource

SOURCE = "".join(path.read_text("utf-8") for path in sorted(Path(pbem.__file__).parent.rglob("*.py")))


def blocks(template: str) -> list[str]:
    """The names that a template has a sentence for, in their order; a block's name has `_` for blanks."""
    text = resource(f"templates/notices/{template}.j2").read_text("utf-8")
    return [name.replace("_", " ") for name in re.findall(r"{% block (\w+) %}", text)]


@pytest.mark.parametrize(("template", "names"), [("notice", Notice), ("course", Course)])
def test_every_name_has_one_sentence_and_every_sentence_its_name(template, names):
    table = [name for name in blocks(template) if name not in blocks("named")]
    assert sorted(table) == sorted(get_args(names))


def test_the_sentences_of_a_table_are_chosen_by_their_name_alone():
    for template in ("notice", "course"):
        text = resource(f"templates/notices/{template}.j2").read_text("utf-8")
        assert not re.findall(r"if (?:reason|what) ==", text)


@pytest.mark.parametrize("name", sorted({*get_args(Notice), *get_args(Course)}))
def test_every_sentence_is_told_somewhere(name):
    assert SOURCE.count(f'"{name}"') > sum(name in get_args(names) for names in (Notice, Course))
