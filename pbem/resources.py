"""Access to the files that are shipped with the program, and the diagnosis of imports that fail."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent


def resource(name: str) -> Path:
    """Return the path of the shipped file or folder called `name`, such as `grammar/orders.lark`.

    In a checkout, it is next to the package; in an installed wheel, it is inside the package.
    """
    in_wheel = _PACKAGE / "_data" / name
    return in_wheel if in_wheel.exists() else _PACKAGE.parent / name


@cache
def read_toml(path: Path) -> Mapping[str, Any]:
    """Return the content of a shipped TOML file, or an empty mapping if the file does not exist. Each file is read only
    once per run.

    Raises ValueError if the file is not valid TOML.
    """
    import tomllib  # imported here because a run without work does not need it

    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def unread_part(error: BaseException) -> str | None:
    """Return the name of the module or file that a failed import could not load, or None if `error` has another cause.

    An import fails if the program is only partly installed, or if the current user may not read its files. Such an
    error is not the fault of the letter that was being handled.
    """
    if isinstance(error, ImportError):
        return error.name or str(error)
    tb = error.__traceback__
    while tb and tb.tb_next:
        tb = tb.tb_next
    importing = tb is not None and tb.tb_frame.f_code.co_filename.startswith("<frozen importlib")
    return str(error.filename) if importing and isinstance(error, OSError) else None
