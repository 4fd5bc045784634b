"""Views and events → the text and the HTML of a letter, from templates; the user of jinja2.

A section's template is written once, in blocks (`... | p`, `b.orders`, `b.picture`, ...); `pbem.blocks` says how each
looks in both parts. Its sentences stand in `say("...")`, which puts them into the language of the reader; what stands
between braces there is found among the values of the section, as elsewhere in a template, but for variables of loops.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from pbem.blocks import Blocks, html_of, text_of, wrap
from pbem.commands import usage_meant
from pbem.games.base import Say
from pbem.languages import said, say_in
from pbem.resources import resource
from pbem.schedule import day_in_words, deadline_in_words

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context

    from pbem.match import Section


def render_letter(sections: Sequence["Section"], frame: Mapping[str, Any]) -> tuple[str, str]:
    """The text part (lines of at most 72 columns) and the HTML part of a letter.

    `frame` has what every letter needs: its language, now and zone, title, run, last_run, notes for the foot.
    """
    say = say_in(frame["language"])
    common = {**_told(frame, say), **_words(say, frame["now"], frame["zone"])}
    environment, blocks = _environment(), Blocks()
    values = {**environment.globals, **common, "b": blocks}
    for section in sections:
        _fill(environment, section.template, {**values, **_told(section.values, say)})
    text = _fill(environment, "letter.txt", {**values, "body": "\n\n".join(map(text_of, blocks.written))})
    html = _fill(environment, "letter.html", {**values, "body": "\n".join(map(html_of, blocks.written))})
    return _tidy(text), html


def _told(values: Mapping[str, Any], say: Say) -> dict[str, Any]:
    """Values with what a game tells of them: a `partial` lacks only the language."""
    return {name: value(say=say) if isinstance(value, partial) else value for name, value in values.items()}


@lru_cache(maxsize=16)
def _words(say: Say, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """What templates say things with, in the language of a letter."""
    from jinja2 import pass_context

    @pass_context
    def say_here(context: "Context", message: str, /, **values: object) -> str:
        return say(message, **{**_filled(context, message), **values})

    @pass_context
    def many_here(context: "Context", one: str, many: str, number: int, /, **values: object) -> str:
        return say.many(one, many, number, **{**_filled(context, one + many), **values})

    return {
        "say": say_here,
        "many": many_here,
        "said": partial(said, say),
        "and_list": partial(and_list, say),
        "usages": lambda rows: [(say(row.usage), say(row.help)) for row in rows],
        "meant": lambda line: say(usage_meant(line)),
        "phrases": lambda texts: [say(text) for text in texts],
        "side": lambda seat: say(seat.capitalize()),
        "due": lambda moment: deadline_in_words(moment, now, zone, say),
        "day": lambda date: day_in_words(date, say),
        "pace": lambda pace: pace.in_words(say),
    }


def _filled(context: "Context", message: str) -> dict[str, Any]:
    """What a template's values have for the gaps of a sentence."""
    return {name: context[name] for name in _gaps(message) if name in context}


@lru_cache(maxsize=1024)  # the sentences of all templates
def _gaps(message: str) -> frozenset[str]:
    return frozenset(re.findall(r"\{(\w+)", message))


def _fill(environment: "Environment", name: str, values: dict[str, Any]) -> str:
    """What `Template.render` does, but for values that hold the environment's globals already."""
    template = environment.get_template(f"{name}.j2")
    try:
        return "".join(template.root_render_func(template.new_context(values, shared=True)))
    except Exception:  # noqa: BLE001 - raised again, with the lines of the template in its traceback
        environment.handle_exception()


def and_list(say: Say, words: Iterable[str]) -> str:
    """`Red`, `Red and Blue`, `Red, Blue and Green`."""
    *first, last = [*words] or [""]
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last


def _tidy(text: str) -> str:
    """No blanks at line ends, never two empty lines in a row."""
    lines: list[str] = []
    for line in map(str.rstrip, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, pass_context, select_autoescape

    def written(kind: str) -> Callable[["Context", str], str]:
        """A block as a filter: `say("...") | p`."""
        return pass_context(lambda context, words: getattr(context["b"], kind)(words))

    environment = Environment(
        loader=FileSystemLoader(resource("templates")),
        autoescape=select_autoescape(["html.j2"]),  # the others leave blocks and no text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    environment.filters |= {"wrap": wrap, "lead": written("lead"), "p": written("p"), "small": written("small")}
    return environment
