"""The templates of letters, which Jinja runs.

Those of all games stand in `templates/letters` and `templates/notices` and are known by their names alone, such as
`report.j2`; each game's own are called as `games/ozymandia/help.j2`. A wheel has them compiled, by `hatch_build.py`.
"""

from collections.abc import Callable
from functools import cache

from jinja2 import (
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    FunctionLoader,
    ModuleLoader,
    PrefixLoader,
    StrictUndefined,
    pass_context,
    select_autoescape,
)
from jinja2.runtime import Context

from pbem.games import find_game
from pbem.render.blocks import wrap
from pbem.resources import resource

SHARED = ("templates/letters", "templates/notices")


@cache
def environment() -> Environment:
    """How our templates are read."""
    compiled, shared = ModuleLoader(resource("templates/made")), FileSystemLoader([resource(one) for one in SHARED])
    made = Environment(
        loader=ChoiceLoader([compiled, shared, PrefixLoader({"games": FunctionLoader(_of_game)})]),
        autoescape=select_autoescape(["html.j2"]),  # the others leave blocks and no text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.filters |= {kind: _written(kind) for kind in ("lead", "p", "small")}
    made.filters |= {"opening": lambda words: words[:1].upper() + words[1:], "wrap": wrap}
    return made


def _of_game(name: str) -> str:
    """The text of a game's own template, such as `ozymandia/help.j2`."""
    game, _, file = name.partition("/")
    return (find_game(game).templates / file).read_text(encoding="utf-8")


def _written(kind: str) -> Callable[[Context, str], str]:
    """A block as a filter: `say("...") | p`."""
    return pass_context(lambda context, words: str(getattr(context["b"], kind)(words)))
