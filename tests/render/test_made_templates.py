"""Templates that the build makes Python of: what Jinja makes of each now, told as Jinja itself would tell it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import TemplateError as JinjaError

from pbem.cli import demo
from pbem.games.base import Sentence
from pbem.render import jinja, templates
from pbem.render.blocks import Blocks
from pbem.render.templates import GLOBALS, Template, TemplateError, Undefined, made_file

HERE = "here.j2"

SNIPPETS = {
    "a value": "{{ word }} {{ piece.kind }} {{ piece['kind'] }} {{ rows[0][1] }} {{ rows[-1:] | length }}",
    "an item before an attribute": "{{ table.items }} {{ table['keys'] }} {{ table['one'] }}",
    "a loop": "{% for one in rows %}{{ loop.index }} {{ one[0] }}{% else %}none{% endfor %} {{ one is defined }}",
    "no round of a loop": "{% for one in nothing %}{{ one }}{% else %}none{% endfor %}",
    "a namespace": "{% set all = namespace(list=[]) %}{% for one in rows %}{% set all.list = all.list + [one[0]] %}"
    "{% endfor %}{{ all.list | join(', ') }}",
    "what a loop sets is its own": "{% set at = 1 %}{% for one in rows %}{% set at = 2 %}{% endfor %}{{ at }}",
    "what an if sets": "{% if word %}{% set at = 2 %}{% endif %}{{ at }}",
    "an if without else": "[{{ 'here' if not word }}]",
    "a name that may be unknown": "{{ nobody is defined }} {{ word is not none }} {{ piece.nothing is defined }}",
    "an unknown name": "{{ nobody }}",
    "an unknown name that is looked at": "{% if nobody %}a{% endif %}",
    "an unknown attribute": "{{ piece.nothing }}",
    "an unknown attribute of another": "{{ piece.nothing.more }}",
    "an unknown item": "{{ table['nothing'] ~ '' }}",
    "an unknown name in a loop": "{% for one in nobody %}a{% endfor %}",
    "an unknown name that is compared": "{{ nobody == 1 }}",
    "an unknown name in a list": "{{ [nobody] | join }}",
    "lists": "{{ people | map(attribute='name') | list | join(' and ') }} {{ words | map('trim') | join('-') }}",
    "the first of a list": "{{ words | first }}",
    "the first of none, unknown": "{{ nothing | first }}",
    "some of a list": "{{ people | selectattr('seat', 'in', ['red']) | map(attribute='name') | join }}"
    "{{ people | rejectattr('seat', 'in', ['red']) | map(attribute='name') | join }}"
    "{{ words | reject('in', [' b']) | join }}",
    "texts": "{{ '%.1f' | format(2.25) }} {{ 'a_b' | replace('_', ' ') }} {{ 12 | string ~ 'x' }} {{ word | opening }}",
    "a long text": "{{ ('word ' * 40) | truncate(60) }}|{{ ('x' * 64) | truncate(60) }}"
    "|{{ ('x' * 70) | truncate(60) }}",
    "sums": "{{ 2 * 3 - 1 }} {{ -(rows | length) }} {{ word ~ 1 ~ none }} {{ 1 if word and not nothing else 2 }}",
    "a list without end": "{{ range(3) | list }} {{ dict(a=1) }}",
    "a block": "{{ word | lead }}{{ word | p }}{{ b.items(words) }}",
    "an included one": "{% set at = 3 %}{% include 'other.j2' %}",
    "one that another extends": "{% extends 'frame.j2' %}{% block first %}1 {{ word }}{% endblock %}",
    "HTML": "{{ markup }} {{ markup | safe }} {{ [markup, '&'] | join('<') }} {{ '<' ~ markup }}",
}


class Piece:
    kind = "city"


VALUES: dict[str, Any] = {
    "word": "word",
    "piece": Piece(),
    "rows": [("a", 1), ("b", 2)],
    "table": {"one": 1},
    "nothing": [],
    "people": [{"name": "Ann", "seat": "red"}, {"name": "Bob", "seat": "blue"}],
    "words": [" a ", " b", "c"],
    "markup": "<b>",
    "said": Sentence("a {b}", b=1),
}


@pytest.fixture
def fresh() -> Iterator[None]:
    """Templates are found anew."""
    for found in (templates._template, templates.shared_sources, templates._digest_of_shared, jinja.environment):
        found.cache_clear()
    yield
    for found in (templates._template, templates.shared_sources, templates._digest_of_shared, jinja.environment):
        found.cache_clear()


def told(how: Any) -> Any:
    blocks = Blocks()
    try:
        text = "".join(how.root_render_func(how.new_context({**GLOBALS, **VALUES, "b": blocks})))
    except (TemplateError, JinjaError):
        return "an error"
    return text, blocks.written


@pytest.mark.parametrize("name", jinja.names())
def test_what_was_made_of_a_template_is_what_jinja_makes_now(name: str) -> None:
    assert made_file(name).read_text() == jinja.written(name)
    assert isinstance(templates.template(name), Template)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("name", [HERE, "here.html.j2"])
@pytest.mark.parametrize("snippet", SNIPPETS)
def test_what_was_made_tells_what_jinja_tells(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, snippet: str, name: str
) -> None:
    if "html" in name and "join" in SNIPPETS[snippet] and "markup" not in SNIPPETS[snippet]:
        pytest.skip("our pages join plain words alone")
    sources = {
        name: SNIPPETS[snippet],
        "other.j2": "{{ at }}{{ word }}",
        "frame.j2": "{{ self['first']() }}{% block second %}2{% endblock %}",
    }
    monkeypatch.setattr(templates, "shared_sources", lambda: sources)
    monkeypatch.setattr(templates, "made_file", lambda name: tmp_path / name.replace(".j2", ".py").replace(".", "_", 1))
    run_by_jinja = told(templates.template(name))
    for one in sources:
        templates.made_file(one).write_text(jinja.written(one))
    templates._template.cache_clear()
    made = templates.template(name)
    assert isinstance(made, Template)
    assert told(made) == run_by_jinja
    assert (run_by_jinja == "an error") == ("unknown" in snippet and "may be" not in snippet)


def told_by_the_demo(capsys: pytest.CaptureFixture[str]) -> str:
    """All letters of a game, but for moments and hashes."""
    demo.run(None, play=False)
    return re.sub(r"[0-9a-f]{8,}|\d\d+", "", capsys.readouterr().out)


@pytest.mark.usefixtures("fresh")
def test_letters_are_the_same_whoever_runs_their_templates(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = told_by_the_demo(capsys)
    monkeypatch.setattr(templates, "made_file", lambda name: tmp_path / "none")
    templates._template.cache_clear()
    assert told_by_the_demo(capsys) == made
    assert not isinstance(templates.template("receipt.j2"), Template)


@pytest.mark.usefixtures("fresh")
def test_a_template_that_was_edited_counts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    edited = {**templates.shared_sources(), "receipt.j2": "{{ 'edited' }}"}
    monkeypatch.setattr(templates, "shared_sources", lambda: edited)
    found = templates.template("receipt.j2")
    assert "".join(found.root_render_func(found.new_context({}))) == "edited"


@pytest.mark.usefixtures("fresh")
def test_the_build_refuses_what_templates_cannot_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "shared_sources", lambda: {HERE: "{{ 'a' | upper }}"})
    with pytest.raises(ValueError, match=r"here\.j2 asks for upper, which templates\.py does not have"):
        jinja.written(HERE)


def test_nothing_is_made_of_what_is_unknown() -> None:
    nothing = Undefined()
    assert (str(nothing), [*nothing], len(nothing), bool(nothing)) == ("", [], 0, False)
    with pytest.raises(TemplateError):
        nothing.more  # noqa: B018
