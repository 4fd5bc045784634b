"""What the program consists of: where grammar and templates are, what they say, and which part could not be read."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent


def resource(name: str) -> Path:
    """The path of a file or folder that is shipped outside the package, such as `grammar/orders.lark`.

    It lies beside the package in a checkout, inside it in a wheel.
    """
    in_wheel = _PACKAGE / "_data" / name
    return in_wheel if in_wheel.exists() else _PACKAGE.parent / name


@cache
def read_toml(path: Path) -> Mapping[str, Any]:
    """What a file in TOML says that is shipped, nothing if there is none; each is read once a run.

    Raises ValueError, as `tomllib.loads` does.
    """
    import tomllib  # which a run with nothing to do does not need

    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def unread_part(error: BaseException) -> str | None:
    """The module that an import did not find, or the file that it could not read; None if no import has failed.

    The program may be half installed, or belong to somebody else: nobody's letter is to blame for it.
    """
    if isinstance(error, ImportError):
        return error.name or str(error)
    tb = error.__traceback__
    while tb and tb.tb_next:
        tb = tb.tb_next
    importing = tb is not None and tb.tb_frame.f_code.co_filename.startswith("<frozen importlib")
    return str(error.filename) if importing and isinstance(error, OSError) else None
