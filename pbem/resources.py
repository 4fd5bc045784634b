"""The files of the program: where grammars and templates are, how to read them, and which part could not be read."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent


def resource(name: str) -> Path:
    """Return the path of a file or folder that is shipped with the package but lies outside it, such as
    `grammar/orders.lark`.

    In a checkout it is next to the package, in a wheel inside it.
    """
    in_wheel = _PACKAGE / "_data" / name
    return in_wheel if in_wheel.exists() else _PACKAGE.parent / name


@cache
def read_toml(path: Path) -> Mapping[str, Any]:
    """Read a shipped TOML file, once in each run; an empty mapping if the file does not exist.

    Raises ValueError, as `tomllib.loads` does.
    """
    import tomllib  # a run with nothing to do does not need it

    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def unread_part(error: BaseException) -> str | None:
    """Return the module that could not be imported, or the file that an import could not read; None if no import
    failed.

    The program may be only partly installed, or belong to another user; no letter is to blame for that.
    """
    if isinstance(error, ImportError):
        return error.name or str(error)
    tb = error.__traceback__
    while tb and tb.tb_next:
        tb = tb.tb_next
    importing = tb is not None and tb.tb_frame.f_code.co_filename.startswith("<frozen importlib")
    return str(error.filename) if importing and isinstance(error, OSError) else None
