"""Rendering of letters as text and HTML with Jinja templates.

Templates of sections are in `templates/letters/` and `templates/notices/` or, if only one game uses them, in that
game's folder (for example `games/ozymandia/help.j2`). Each template is written once, in blocks (`... | p`, `b.orders`,
`b.picture`), which `pbem.render.blocks` renders both as text and as HTML.

Sentences are written as `say("...")`, which translates them. Their placeholders are filled in with the section's values
of the same names; variables that the template itself sets have to be passed by name.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple
from zoneinfo import ZoneInfo

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

from pbem import Say, Sentence
from pbem.games import find_game
from pbem.games.capabilities import as_translator
from pbem.games.options import describe_option
from pbem.i18n.languages import say_in, translate
from pbem.i18n.words import hints, language_name, language_names, zone_name
from pbem.match.anonymous import for_reader, once
from pbem.orders.misspelt import similar_usage
from pbem.render.blocks import (
    LOOKS,
    Block,
    Blocks,
    Body,
    changes_in,
    dark,
    key_of,
    looks_of,
    seat_colours,
    without_key,
    wrap,
)
from pbem.resources import resource
from pbem.times.moments import day_in_words, deadline_in_words, format_duration, soon_in_words

if TYPE_CHECKING:
    from pbem.match.effects import Section
    from pbem.match.model import Match


class Rendered(NamedTuple):
    """A letter as it is shown: its text part in lines of at most 72 columns, its HTML part, its file of seals, or "" if
    it needs no such file, and the images in its HTML, PNG files keyed by their Content-IDs."""

    text: str
    html: str
    seals: str
    images: Mapping[str, bytes]


def render_letter(sections: Sequence["Section"], frame: Mapping[str, Any]) -> Rendered:
    """Render a letter.

    `frame` contains the values that every letter needs, such as `language`, `now`, `zone`, `title`, `run`, `last_run`,
    `notes` on the match, `secrets` for the file of seals, and `to`, the address and subject for answers.
    If it contains `sees`, a function, this says of which anonymous matches the reader is told the names.
    If it contains `images`, which are those of the run, maps are shown as images. If it contains `contact`, an address,
    the letter asks to add that to the reader's contacts.
    """
    say, values = say_in(frame["language"]), {"contact": "", **_values(frame)}
    blocks = _blocks(sections, frame, values)
    looks = [looks_of(block) for block in blocks.written]
    pieces = [*blocks.seals, *filter(None, ["\n".join(frame["secrets"])])]
    seals = "\n\n".join(dict.fromkeys((frame["title"], *pieces))) if pieces else ""
    values["sealed"] = bool(seals)
    text = _fill("letter.txt", say, {**values, "body": "\n\n".join(look.text for look in looks if look.text)})
    content = {"body": "\n".join(look.html for look in looks if look.html), "news": blocks.news.replace("`", "")}
    images = blocks.images
    look = {"dark": dark(blocks.written), "looks": LOOKS, "folds": bool(images)}
    return Rendered(_tidy(text), _fill("letter.html", say, {**values, **content, **look}), seals, images)


def render_body(sections: Sequence["Section"], frame: Mapping[str, Any]) -> Body:
    """Render sections without the frame of a letter, for a letter that combines the contents of several others."""
    blocks = _blocks(sections, frame, _values(frame))
    looks = [looks_of(block) for block in blocks.written]
    text = "\n\n".join(look.text for look in looks if look.text)
    html = "\n".join(look.html for look in looks if look.html)
    return Body(text, html, seat_colours(blocks.written), (frame["title"], *blocks.seals) if blocks.seals else ())


def blocks_of(sections: Sequence["Section"], language: str, now: datetime, zone: ZoneInfo) -> list[Block]:
    """Return the blocks that make up `sections`, for callers that render the blocks in their own way."""
    frame = {"language": language, "now": now, "zone": zone, "to": ("", "")}
    return _blocks(sections, frame, _values(frame)).written


def _values(frame: Mapping[str, Any]) -> dict[str, Any]:
    say = say_in(frame["language"])
    words = _words(say, frame["language"], frame["now"], frame["zone"])
    return {**_localized(frame, say), **words}


def _blocks(sections: Sequence["Section"], frame: Mapping[str, Any], values: dict[str, Any]) -> Blocks:
    say, images = say_in(frame["language"]), frame.get("images")
    blocks = values["b"] = Blocks(frame["to"], (lambda draw: images.of(draw(say))) if images else None)
    for section in sections:
        noted = partial(_noted, section.values.get("match"), say=say)
        own = for_reader(_localized(section.values, say), frame.get("sees", _nobody), say)
        _fill(section.template, say, {**values, "noted": noted, **own})
    return blocks


def _nobody(_: object) -> bool:
    return False


def _localized(values: Mapping[str, Any], say: Say) -> dict[str, Any]:
    """Return a copy of `values`, replacing each `partial` among them with its result in the reader's language."""
    return {name: value(say=say) if isinstance(value, partial) else value for name, value in values.items()}


def _noted(match: "Match | None", canonical: str, say: Say) -> str:
    """Translate canonical orders into the language of the letter's reader."""
    game = as_translator(match.game) if match else None
    return game.translate_orders(match.state, canonical, say=say) if match and game else canonical


@lru_cache(maxsize=16)
def _words(say: Say, language: str, now: datetime, zone: ZoneInfo) -> dict[str, Any]:
    """Return the functions and lists that templates use in the language of a letter, apart from `say` and `many`."""
    return {
        "translate": lambda text: once(translate(say, text)) if isinstance(text, Sentence) else text,
        "and_list": partial(and_list, say),
        "usages": lambda rows: [(say(row.usage), say(row.help)) for row in rows],
        "meant": lambda line: say(similar_usage(line)).replace(", ", say("` or `")),
        "phrases": lambda texts: [say(text) for text in texts],
        "side": lambda game, seat: say(game.called[seat]),
        "option": lambda game, word: describe_option(game.grammar.parent, str(word), language),
        "due": lambda moment: deadline_in_words(moment, now, zone, say, zone_name(zone.key, language)),
        "span": lambda since: format_duration(now - since, 1, say),
        "length": lambda span: format_duration(span, 2, say),
        "hour": lambda moment: soon_in_words(moment, now, zone, say, zone_name(zone.key, language)),
        "day": lambda day: day_in_words(day.astimezone(zone) if isinstance(day, datetime) else day, say),
        "pace": lambda pace: pace.in_words(say),
        "language_name": lambda code: language_name(code, language),
        "language_names": language_names(language),
        "language_hints": hints(language),
        "key_of": key_of,
        "changes_in": changes_in,
        "without_key": without_key,
    }


def _fill(name: str, say: Say, values: Mapping[str, Any]) -> str:
    """Render a template. The placeholders in its sentences are filled in from `values`."""

    def say_here(message: str, /, **gaps: object) -> str:
        return once(say(message, **_filled(message, values, gaps)))

    def many_here(singular: str, plural: str, number: int, /, **gaps: object) -> str:
        return once(say.many(singular, plural, number, **_filled(singular + plural, values, gaps)))

    return environment().get_template(f"{name}.j2").render(values, say=say_here, many=many_here)


def _filled(message: str, values: Mapping[str, Any], gaps: dict[str, object]) -> dict[str, object]:
    """Return `gaps`, the values for placeholders of the sentence `message`, completed with those of the letter's
    `values` that the sentence names."""
    for gap in _gaps(message):
        if gap not in gaps and gap in values:
            gaps[gap] = values[gap]
    return gaps


@lru_cache(maxsize=1024)  # enough for the sentences of all templates
def _gaps(message: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"\{(\w+)", message)))


def and_list(say: Say, words: Iterable[str]) -> str:
    """Join words into a list: `Red`, `Red and Blue`, `Red, Blue and Green`."""
    *first, last = [*words] or [""]
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last


def _tidy(text: str) -> str:
    """Remove spaces at the ends of lines, and repeated empty lines."""
    lines: list[str] = []
    for line in map(str.rstrip, text.splitlines()):
        if line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


SHARED = ("templates/letters", "templates/notices")


@cache
def environment() -> Environment:
    """Create the Jinja environment for our templates."""
    compiled = ModuleLoader(resource("templates/made"))
    shared = FileSystemLoader([resource(folder) for folder in SHARED])
    templates = Environment(
        loader=ChoiceLoader([compiled, shared, PrefixLoader({"games": FunctionLoader(_of_game)})]),
        autoescape=select_autoescape(["html.j2"]),  # the other templates write blocks and yield no text
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    templates.filters |= {kind: _written(kind) for kind in ("lead", "p", "small")}
    templates.filters |= {"opening": lambda words: words[:1].upper() + words[1:], "wrap": wrap}
    return templates


def _of_game(name: str) -> str:
    """Return the source of a game's own template, such as `ozymandia/help.j2`."""
    game, _, file = name.partition("/")
    return (find_game(game).templates / file).read_text(encoding="utf-8")


def _written(kind: str) -> Callable[[Context, str], str]:
    """Create the filter that writes a block: `say("...") | p`."""
    return pass_context(lambda context, words: str(getattr(context["b"], kind)(words)))
