"""Jinja at work: it makes Python of templates for the build, and runs those that the build has not made.

The user of jinja2.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_context, select_autoescape
from jinja2.runtime import Context

from pbem.render import templates
from pbem.render.blocks import wrap
from pbem.resources import resource

_HEAD = re.compile(r"from jinja2\.runtime import .*\n")
_ASKED = re.compile(
    r"( +)try:\n +(t_\d+) = environment\.(filters|tests)\['(\w+)'\]\n +except KeyError:\n"
    r" +@internalcode\n +def t_\d+\(\*unused\):\n +raise TemplateRuntimeError\(.*\)\n"
)
_DEBUG = re.compile(r"\ndebug_info = .*$")


class _Plain(Context):
    """Calls functions as they are, for none of ours wants the context; and knows no globals, for values have them all.
    Both are looked at for each sentence and each template."""

    def __init__(self, environment: Environment, parent: dict[str, Any], name: str | None, blocks: Any, **_: Any):
        super().__init__(environment, parent, name, blocks)

    def call(self, function: Callable[..., Any], /, *args: Any, **values: Any) -> Any:
        return templates.Context.call(function, *args, **values)


class Adapted:
    """A template that Jinja runs, where the code of one that the build has made may include it."""

    def __init__(self, name: str) -> None:
        self._template = environment().get_template(name)
        self.root_render_func, self.blocks = self._run, self._template.blocks

    def new_context(self, values: Mapping[str, Any], _: object = True, here: Any = None) -> Context:
        """What it is filled with: values, and what the template that includes it has set `here`."""
        given = {name: value for name, value in (here or {}).items() if value is not templates.missing}
        own = {name: value for name, value in environment().globals.items() if name in templates.GLOBALS}
        return self._template.new_context({**values, **own, **given}, shared=True)

    def _run(self, context: Context) -> Iterator[str]:
        try:
            yield from self._template.root_render_func(context)
        except Exception:  # noqa: BLE001 - raised again, with the lines of the template in its traceback
            environment().handle_exception()


@cache
def environment() -> Environment:
    """How our templates are read."""

    def written(kind: str) -> Callable[[Context, str], str]:
        return pass_context(lambda context, words: getattr(context["b"], kind)(words))

    made = Environment(
        loader=FunctionLoader(templates.source),
        optimized=False,  # a run uses most templates once: what this would spare them costs more to find out
        autoescape=select_autoescape(["html.j2"]),  # the others leave blocks and no text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.context_class = _Plain
    made.filters |= {kind: written(kind) for kind in ("lead", "p", "small")}
    made.filters |= {"opening": templates.opening, "wrap": wrap}
    return made


def names() -> list[str]:
    """All templates of letters: those of all games, and those of each game."""
    own = [f"games/{path.parent.name}/{path.name}" for path in sorted(resource("templates/games").glob("*/*.j2"))]
    return [*templates.shared_sources(), *own]


def written(name: str) -> str:
    """A template as Python, for the build. Raises ValueError if it asks for what `templates.py` does not have."""
    text = templates.source(name) or ""
    code: Any = environment().compile(text, name, raw=True)
    asked = [(kind, one) for _, _, kind, one in _ASKED.findall(code)]
    known = {"filters": templates.FILTERS, "tests": templates.TESTS}
    if unknown := sorted({one for kind, one in asked if one not in known[kind]}):
        raise ValueError(f"{name} asks for {', '.join(unknown)}, which templates.py does not have.")
    code = _ASKED.sub(lambda found: f"{found[1]}{found[2]} = environment.{found[3]}['{found[4]}']\n", code)
    return f"OF = {templates.digest(name)!r}\n{_DEBUG.sub('', _HEAD.sub('', code))}\n"
