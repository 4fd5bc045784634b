"""Views and events → the text and the HTML of a letter, from templates; the user of jinja2.

A section's template is written once, in blocks (`... | p`, `b.orders`, `b.picture`, ...); `text.j2` and `html.j2` each
say how a block looks. Its sentences stand in `say("...")`, which puts them into the language of the reader; what stands
between braces there is found among the values of the section, as elsewhere in a template, but for variables of loops.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from pbem.games.base import Picture, Say, Span
from pbem.languages import said, say_in
from pbem.resources import resource
from pbem.schedule import day_in_words, deadline_in_words

if TYPE_CHECKING:
    from jinja2 import Environment
    from jinja2.runtime import Context

    from pbem.match import Section

WIDTH = 72

STYLES = {
    "red": "color:#b3261e;font-weight:bold",
    "blue": "color:#1a56b0;font-weight:bold",
    "changed": "background:#fff3b0",
    "legend": "color:#5f6368",
    "link": "color:#70757a",
    "name": "color:#3c4043",
}
"""How the words of a span's style look in HTML; words without an entry look like plain text."""


def render_letter(sections: Sequence["Section"], frame: Mapping[str, Any]) -> tuple[str, str]:
    """The text part (lines of at most 72 columns) and the HTML part of a letter.

    `frame` has what every letter needs: its language, now and zone, title, run, last_run, notes for the foot.
    """
    say = say_in(frame["language"])
    common = {**_told(frame, say), **_words(say, frame["now"], frame["zone"])}
    told = [(section.template, _told(section.values, say)) for section in sections]
    parts = []
    for kind in ("txt", "html"):
        environment = _environment(kind)
        values = {**environment.globals, **common}
        rendered = [_fill(environment, template, {**values, **own}) for template, own in told]
        parts.append(_fill(environment, f"letter.{kind}", {**values, "sections": rendered}))
    return _tidy(parts[0]), parts[1]


def _told(values: Mapping[str, Any], say: Say) -> dict[str, Any]:
    """Values with what a game tells of them: a `partial` lacks only the language."""
    return {name: value(say=say) if isinstance(value, partial) else value for name, value in values.items()}


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


def plain(picture: Picture) -> str:
    """A picture as lines of plain text."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in picture)


def wrap(text: str, indent: str = "", hanging: str | None = None) -> str:
    """A paragraph in lines of at most 72 columns; codes, numbers and addresses are never broken."""
    text = " ".join(text.split())
    if len(indent) + len(text) <= WIDTH:
        return indent + text if text else ""
    first, *words = text.split(" ")
    lines = [indent + first]
    for word in words:
        if len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append((indent if hanging is None else hanging) + word)
    return "\n".join(lines)


def and_list(say: Say, words: Iterable[str]) -> str:
    """`Red`, `Red and Blue`, `Red, Blue and Green`."""
    *first, last = [*words] or [""]
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last


@lru_cache(maxsize=4096)  # most spans of a board are the same in every letter
def _span_html(span: Span) -> str:
    from markupsafe import escape

    css = ";".join(STYLES[word] for word in span.style.split() if word in STYLES)
    return f'<span style="{css}">{escape(span.text)}</span>' if css else str(escape(span.text))


def _picture_html(picture: Picture) -> str:
    from markupsafe import Markup

    return Markup("\n".join("".join(map(_span_html, line)) for line in picture))  # noqa: S704 - every span is escaped


def _code_html(text: str) -> str:
    """What stands between backticks, in the type of code."""
    from markupsafe import Markup, escape

    if "`" not in text:
        return escape(text)
    escaped = str(escape(text))  # re.sub on a Markup would escape what it puts in
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped))  # noqa: S704 - escaped before


def _tidy(text: str) -> str:
    """No blanks at line ends, never two empty lines in a row."""
    lines: list[str] = []
    for line in map(str.rstrip, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


@cache
def _environment(kind: str) -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(resource("templates")),
        autoescape=kind == "html",  # noqa: S701 - the other part is plain text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "wrap": wrap,
        "plain": plain,
        "spans": _picture_html,
        "code": _code_html,
    }
    blocks: Any = environment.get_template("html.j2" if kind == "html" else "text.j2").module
    environment.filters |= {"lead": blocks.lead, "p": blocks.p, "small": blocks.small}
    environment.globals |= {"b": blocks}
    return environment
