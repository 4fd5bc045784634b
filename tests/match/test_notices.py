"""Whatever a letter tells in a sentence or two has a name, and each name has its sentence."""

import re
from pathlib import Path
from typing import get_args

import pytest

import pbem
from pbem.match.model import Section
from pbem.match.notices import Course, Notice
from pbem.resources import resource

SOURCE = "".join(path.read_text("utf-8") for path in sorted(Path(pbem.__file__).parent.rglob("*.py")))


def told(key: str, *templates: str) -> list[str]:
    """The names that templates have a sentence for, in their order."""
    texts = (resource(f"templates/notices/{name}.j2").read_text("utf-8") for name in templates)
    return re.findall(rf'if {key} == "([^"]+)"', "".join(texts))


def test_every_name_has_its_sentence_and_every_sentence_its_name():
    assert sorted(set(told("reason", "notice", "said"))) == sorted(get_args(Notice))
    assert sorted(set(told("what", "course"))) == sorted(get_args(Course))


@pytest.mark.parametrize("name", sorted({*get_args(Notice), *get_args(Course)}))
def test_every_sentence_is_told_somewhere(name):
    assert SOURCE.count(f'"{name}"') > sum(name in get_args(names) for names in (Notice, Course))


@pytest.mark.parametrize(("template", "key"), [("notice", "reason"), ("course", "what")])
@pytest.mark.parametrize("name", ["acepted", "", None])
def test_a_notice_that_has_no_sentence_is_an_error_when_it_is_made(template, key, name):
    with pytest.raises(ValueError, match=f"no {template} named"):
        Section(template, {key: name})
