"""What the program consists of: where grammar and templates are, what they say, and which part could not be read."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

_PACKAGE = Path(__file__).parent
_MADE = "grammar/made/toml"


def resource(name: str) -> Path:
    """The path of a file or folder that is shipped outside the package, such as `grammar/orders.lark`.

    It lies beside the package in a checkout, inside it in a wheel.
    """
    in_wheel = _PACKAGE / "_data" / name
    return in_wheel if in_wheel.exists() else _PACKAGE.parent / name


def read_toml(text: str) -> dict[str, Any]:
    """What a text in TOML says. The build has read the files that are shipped: JSON takes a tenth of the time.

    Raises ValueError, as `tomllib.loads` does.
    """
    try:
        found: dict[str, Any] = json.loads(made_toml(text).read_bytes())
    except (OSError, ValueError):
        import tomllib

        return tomllib.loads(text)
    return found


def read_made(name: str, texts: Iterable[str]) -> dict[str, Any]:
    """What the build has made of some texts and keeps under a name; nothing if it was of others."""
    try:
        found = json.loads(made_file(name).read_bytes())
        made: dict[str, Any] = found["made"] if found["of"] == _hash("\0".join(texts)) else {}
    except (OSError, ValueError, LookupError, TypeError):
        return {}
    return made


def written(made: Mapping[str, Any], texts: Iterable[str]) -> str:
    """What was made of some texts, as a file for `read_made`."""
    return json.dumps({"of": _hash("\0".join(texts)), "made": made}, ensure_ascii=False, sort_keys=True) + "\n"


def made_file(name: str) -> Path:
    """Where the build puts what it makes of some texts."""
    return resource("grammar/made") / f"{name}.json"


def made_toml(text: str) -> Path:
    """Where the build keeps what a text in TOML says, if it is one that is shipped: by the hash of its lines."""
    return resource(_MADE) / f"{_hash(text.rstrip(chr(10)))}.json"


def _hash(text: str) -> str:
    import hashlib  # which a run with nothing to do does not need

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


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
