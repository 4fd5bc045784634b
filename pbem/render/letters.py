"""Views and events → the text and the HTML of a letter, from templates; the user of jinja2.

A section's template stands in `templates/letters/` or `templates/notices/` and is written once, in blocks (`... | p`,
`b.orders`, `b.picture`, ...); `pbem.render.blocks` says how each looks in both parts.

Sentences stand in `say("...")`, which puts them into the language of the reader; what stands between braces there is
found among the values of the section, as elsewhere in a template, but for what the template has set itself.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from pbem.games import find_game
from pbem.games.base import Say
from pbem.i18n.languages import said, say_in
from pbem.i18n.words import hints, language_name, language_names, zone_name
from pbem.orders.commands import usage_meant
from pbem.render.blocks import LOOKS, Blocks, dark, looks_of, wrap
from pbem.resources import resource
from pbem.times.moments import day_in_words, deadline_in_words

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from jinja2.runtime import Context

    from pbem.match.model import Section


def render_letter(sections: Sequence["Section"], frame: Mapping[str, Any]) -> tuple[str, str]:
    """The text part (lines of at most 72 columns) and the HTML part of a letter.

    `frame` has what every letter needs: its language, now and zone, title, run, last_run, notes for the foot, where
    answers go `to`, with which subject.
    """
    say, blocks = say_in(frame["language"]), Blocks(frame["to"])
    words = _words(say, frame["language"], frame["now"], frame["zone"])
    values = {**_environment().globals, **_told(frame, say), **words, "b": blocks}
    for section in sections:
        _fill(section.template, say, {**values, **_told(section.values, say)})
    looks = [looks_of(block) for block in blocks.written]
    text = _fill("letter.txt", say, {**values, "body": "\n\n".join(look.text for look in looks if look.text)})
    shown = {"body": "\n".join(look.html for look in looks if look.html), "news": blocks.news.replace("`", "")}
    html = _fill("letter.html", say, {**values, **shown, "dark": dark(blocks.written), "looks": LOOKS})
    return _tidy(text), html


def _told(values: Mapping[str, Any], say: Say) -> dict[str, Any]:
    """Values with what a game tells of them: a `partial` lacks only the language."""
    return {name: value(say=say) if isinstance(value, partial) else value for name, value in values.items()}


@lru_cache(maxsize=16)
def _words(say: Say, language: str, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """What templates tell things with, in the language of a letter, beside `say` and `many`."""
    return {
        "said": partial(said, say),
        "and_list": partial(and_list, say),
        "usages": lambda rows: [(say(row.usage), say(row.help)) for row in rows],
        "meant": lambda line: say(usage_meant(line)),
        "phrases": lambda texts: [say(text) for text in texts],
        "side": lambda game, seat: say(game.called[seat]),
        "due": lambda moment: deadline_in_words(moment, now, zone, say, zone_name(zone.key, language)),
        "day": lambda date: day_in_words(date, say),
        "pace": lambda pace: pace.in_words(say),
        "language_name": lambda code: language_name(code, language),
        "language_names": language_names(language),
        "language_hints": hints(language),
    }


def _fill(name: str, say: Say, values: Mapping[str, Any]) -> str:
    """A template filled with values, among which its sentences find what stands in their gaps."""

    def say_here(message: str, /, **given: object) -> str:
        return say(message, **_filled(message, values, given))

    def many_here(one: str, many: str, number: int, /, **given: object) -> str:
        return say.many(one, many, number, **_filled(one + many, values, given))

    template = _template(name)
    try:
        context = template.new_context({**values, "say": say_here, "many": many_here}, shared=True)
        return "".join(template.root_render_func(context))
    except Exception:  # noqa: BLE001 - raised again, with the lines of the template in its traceback
        _environment().handle_exception()


def _filled(message: str, values: Mapping[str, Any], given: dict[str, object]) -> dict[str, object]:
    """What is `given` for the gaps of a sentence, and what else there is for them among the values."""
    for gap in _gaps(message):
        if gap not in given and gap in values:
            given[gap] = values[gap]
    return given


@lru_cache(maxsize=1024)  # the sentences of all templates
def _gaps(message: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"\{(\w+)", message)))


@cache
def _template(name: str) -> "Template":
    return _environment().get_template(f"{name}.j2")


def and_list(say: Say, words: Iterable[str]) -> str:
    """`Red`, `Red and Blue`, `Red, Blue and Green`."""
    *first, last = [*words] or [""]
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last


def _opening(words: str) -> str:
    """Words as they stand at the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def _tidy(text: str) -> str:
    """No blanks at line ends, never two empty lines in a row."""
    lines: list[str] = []
    for line in map(str.rstrip, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


def _template_of_a_game(name: str) -> str | None:
    """What `games/<name>/help.j2` says, or another template of a game."""
    folder, game, template = name.split("/") if name.count("/") == 2 else ("", "", "")
    return (find_game(game).templates / template).read_text(encoding="utf-8") if folder == "games" else None


@cache
def _environment() -> "Environment":
    from jinja2 import (
        ChoiceLoader,
        Environment,
        FileSystemLoader,
        FunctionLoader,
        StrictUndefined,
        pass_context,
        select_autoescape,
    )
    from jinja2.runtime import Context

    class Plain(Context):
        """Calls functions as they are, for none of ours wants the context; and knows no globals, for values have them
        all. Both are looked at for each sentence and each template."""

        def __init__(self, environment: Environment, parent: dict[str, Any], name: str | None, blocks: Any, **_: Any):
            super().__init__(environment, parent, name, blocks)

        def call(self, function: Callable[..., Any], /, *args: Any, **values: Any) -> Any:
            for of_jinja in ("_loop_vars", "_block_vars"):
                values.pop(of_jinja, None)
            return function(*args, **values)

    def written(kind: str) -> Callable[["Context", str], str]:
        """A block as a filter: `say("...") | p`."""
        return pass_context(lambda context, words: getattr(context["b"], kind)(words))

    folder = resource("templates")
    environment = Environment(
        loader=ChoiceLoader(
            [FileSystemLoader([folder / "letters", folder / "notices"]), FunctionLoader(_template_of_a_game)]
        ),
        optimized=False,  # a run uses most templates once: what this would spare them costs more to find out
        autoescape=select_autoescape(["html.j2"]),  # the others leave blocks and no text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    environment.context_class = Plain
    environment.filters |= {"lead": written("lead"), "p": written("p"), "small": written("small")}
    environment.filters |= {"opening": _opening, "wrap": wrap}
    return environment
