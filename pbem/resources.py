"""Where grammar and templates are: beside the package in a checkout, inside it in a wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def resource(name: str) -> Path:
    """The path of a file or folder that is shipped outside the package, such as `grammar/orders.lark`."""
    in_wheel = _PACKAGE / "_data" / name
    return in_wheel if in_wheel.exists() else _PACKAGE.parent / name
