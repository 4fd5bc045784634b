"""Templates as Python: what Jinja makes of each when pbem is built, so that a letter needs neither Jinja nor its time.

`template` finds one. Where the build has made it of this very text, Jinja's own code of it runs with the little here
that such code asks for; else, as in a checkout in which a template was just edited, Jinja runs it (`jinja.py`).
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from pbem.games import find_game
from pbem.resources import resource

FOLDERS = ("templates/letters", "templates/notices")

_MADE = "grammar/made/templates"


class TemplateError(Exception):
    """A template asks for something that nobody has given it."""


class _Missing:
    """What stands for a value that there is none of."""


missing = _Missing()


class Undefined:
    """What an `if` without `else` leaves where it does not hold: nothing, as a text."""

    def __init__(self, hint: str = "", obj: object = None, name: object = None) -> None:
        self._hint = hint or f"there is no {name!r}" + (f" of a {type(obj).__name__}" if obj is not None else "")

    def __str__(self) -> str:
        return ""

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        raise TemplateError(self._hint)

    def _fail(self, *_: object, **__: object) -> Any:
        raise TemplateError(self._hint)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __mod__ = __neg__ = __call__ = __getitem__ = _fail
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = _fail


class Unknown(Undefined):
    """A value that a template names and nobody has given: whatever is done with it fails, but `is defined`."""

    __slots__ = ()
    __str__ = __iter__ = __len__ = __bool__ = __eq__ = __ne__ = __hash__ = __contains__ = Undefined._fail


class Namespace:
    """What a template sets within a loop and reads behind it."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __setitem__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value


class Loop:
    """A loop, where its body asks how often it has begun."""

    def __init__(self, values: Iterable[Any], *_: object) -> None:
        self._values, self.index = iter(values), 0

    def __iter__(self) -> Iterator[tuple[Any, "Loop"]]:
        for value in self._values:
            self.index += 1
            yield value, self


class Context:
    """The values that a template is filled with, and those that it sets."""

    def __init__(self, parent: Mapping[str, Any], blocks: Mapping[str, Any], *, autoescape: bool) -> None:
        self.parent, self.vars, self.autoescape = parent, dict[str, Any](), autoescape
        self.exported_vars: set[str] = set()
        self.blocks = {name: [block] for name, block in blocks.items()}
        self.eval_ctx = self  # as filters ask for it

    def resolve_or_missing(self, name: str) -> Any:
        return self.vars[name] if name in self.vars else self.parent.get(name, missing)

    def __getitem__(self, name: str) -> Any:
        return self.vars[name] if name in self.vars else self.parent[name]

    def get_all(self) -> Mapping[str, Any]:
        return {**self.parent, **self.vars} if self.vars else self.parent

    @staticmethod
    def call(function: Callable[..., Any], /, *args: Any, **values: Any) -> Any:
        """Call a function as it is, for none of ours wants the context."""
        for of_jinja in ("_loop_vars", "_block_vars"):
            values.pop(of_jinja, None)
        return function(*args, **values)


class BlocksOf:
    """`self` in a template: its blocks, by their names."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def __getitem__(self, name: str) -> Callable[[], str]:
        block = self._context.blocks[name][0]
        return lambda: "".join(block(self._context))


class Template:
    """A template that the build has made."""

    def __init__(self, name: str, made: Mapping[str, Any]) -> None:
        self.root_render_func, self.blocks = made["root"], made["blocks"]
        self._autoescape = name.endswith("html.j2")

    def new_context(self, values: Mapping[str, Any], _: object = True, here: Any = None) -> Context:
        """What it is filled with: values, and what the template that includes it has set `here`."""
        given = {name: value for name, value in (here or {}).items() if value is not missing}
        return Context({**values, **given} if given else values, self.blocks, autoescape=self._autoescape)


def template(name: str, _: object = None) -> Any:
    """A template by its name, such as `report.j2` or `games/ozymandia/help.j2`."""
    return _template(name)


@cache
def _template(name: str) -> Any:
    path = made_file(name)
    if path.exists():
        found = dict(_KNOWN)
        code = SourceFileLoader(name, str(path)).get_code(name)
        exec(code, found) if code else None  # noqa: S102 - it is a part of the program, and lies where that lies
        if found.get("OF") == digest(name):
            return Template(name, found)
    from pbem.render import jinja

    return jinja.Adapted(name)


def made_file(name: str) -> Path:
    """Where the build puts a template."""
    return resource(_MADE) / f"{name.replace('/', '-').replace('.', '_')}.py"


def source(name: str) -> str | None:
    """The text of a template; None if there is none."""
    if name.count("/") == 2 and name.startswith("games/"):
        _, game, file = name.split("/")
        return (find_game(game).templates / file).read_text(encoding="utf-8")
    return shared_sources().get(name)


@cache
def shared_sources() -> Mapping[str, str]:
    """The templates that no game has for itself."""
    paths = [path for folder in FOLDERS for path in sorted(resource(folder).glob("*.j2"))]
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def digest(name: str) -> str:
    """SHA-256 of what a template was made of: of a game's own its text; of others all, for one may extend another."""
    return hashlib.sha256((source(name) or "").encode()).hexdigest() if "/" in name else _digest_of_shared()


@cache
def _digest_of_shared() -> str:
    return hashlib.sha256("\0".join(shared_sources().values()).encode()).hexdigest()


# What the code of templates asks for


def _getattr(value: Any, name: str) -> Any:
    try:
        return getattr(value, name)
    except AttributeError:
        try:
            return value[name]
        except (TypeError, LookupError, AttributeError):
            return Unknown(obj=value, name=name)


def _getitem(value: Any, key: Any) -> Any:
    try:
        return value[key]
    except (AttributeError, TypeError, LookupError):
        if isinstance(key, str):
            return getattr(value, key, Unknown(obj=value, name=key))
        return Unknown(obj=value, name=key)


def _escape(value: Any) -> Any:
    from markupsafe import escape

    return escape(value)


def _markup(value: Any) -> Any:
    from markupsafe import Markup

    return Markup(value)  # noqa: S704 - HTML that was made and escaped by blocks


def _joined(context: Context, values: Iterable[Any], between: str = "") -> Any:
    if context.autoescape:
        return _markup(_escape(between)).join(map(_escape, values))
    return between.join(map(str, values))


def _markup_join(values: Iterable[Any]) -> Any:
    found = [*values]
    if any(hasattr(value, "__html__") for value in found):
        return _markup("").join(found)
    return "".join(map(str, found))


def _mapped(_: Context, values: Iterable[Any], name: str = "", *, attribute: str = "") -> Iterator[Any]:
    return (_getattr(value, attribute) if attribute else FILTERS[name](value) for value in values)


def _truncated(_: object, text: str, length: int = 255) -> str:
    """Not longer than that and five characters, which it may take to tell that there was more; whole words."""
    return text if len(text) <= length + 5 else text[: length - 3].rsplit(" ", 1)[0] + "..."


def _written(kind: str) -> Callable[[Context, str], str]:
    """A block as a filter: `say("...") | p`."""
    return lambda context, words: str(getattr(context["b"], kind)(words))


def _among(values: Iterable[Any], attribute: str, test: str, among: Any) -> Iterator[tuple[Any, bool]]:
    """Each value, and whether it, or an attribute of it, is among some others: our templates select by nothing else."""
    if test != "in":
        raise TemplateError(f"templates select by `in`, not by {test!r}")
    return ((value, (_getattr(value, attribute) if attribute else value) in among) for value in values)


def _selected(_: Context, values: Iterable[Any], attribute: str, test: str, among: Any) -> Iterator[Any]:
    return (value for value, found in _among(values, attribute, test, among) if found)


def _rejected(_: Context, values: Iterable[Any], attribute: str, test: str, among: Any) -> Iterator[Any]:
    return (value for value, found in _among(values, attribute, test, among) if not found)


def opening(words: str) -> str:
    """Words as they stand at the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def _wrapped(text: str, *indents: str) -> str:
    from pbem.render.blocks import wrap

    return wrap(text, *indents)


FILTERS: Mapping[str, Callable[..., Any]] = {
    "join": _joined,
    "first": lambda _, values: next(iter(values), Unknown("there is no first one")),
    "format": lambda text, *values: text % values,
    "lead": _written("lead"),
    "length": len,
    "list": lambda _, values: [*values],
    "map": _mapped,
    "opening": opening,
    "p": _written("p"),
    "reject": lambda context, values, test, among: _rejected(context, values, "", test, among),
    "rejectattr": _rejected,
    "replace": lambda _, text, old, new: str(text).replace(old, new),
    "safe": _markup,
    "selectattr": _selected,
    "small": _written("small"),
    "string": str,
    "trim": str.strip,
    "truncate": _truncated,
    "wrap": _wrapped,
}

TESTS: Mapping[str, Callable[[Any], bool]] = {
    "defined": lambda value: not isinstance(value, Undefined),
    "none": lambda value: value is None,
}

GLOBALS: Mapping[str, Any] = {"namespace": Namespace, "range": range, "dict": dict}


class _Environment:
    """What the code of a template takes for Jinja's environment."""

    filters, tests, undefined, concat = FILTERS, TESTS, Unknown, staticmethod("".join)
    getattr, getitem = staticmethod(_getattr), staticmethod(_getitem)
    get_template = get_or_select_template = staticmethod(template)


_KNOWN: Mapping[str, Any] = {
    "environment": _Environment,
    "missing": missing,
    "LoopContext": Loop,
    "Namespace": Namespace,
    "TemplateReference": BlocksOf,
    "TemplateRuntimeError": TemplateError,
    "Undefined": Undefined,
    "escape": _escape,
    "identity": lambda value: value,
    "markup_join": _markup_join,
    "str_join": lambda values: "".join(map(str, values)),
}
