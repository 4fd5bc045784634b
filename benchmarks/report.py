"""A number beside its yardstick, as a row of the table that is printed."""

from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """What was measured, the number, the yardstick's name and number, and the target with whether it is met."""

    what: str
    number: float
    unit: str = ""
    yardstick: str = ""
    beside: float | None = None
    target: str = ""
    met: bool | None = None


def table(rows: Iterable[Row]) -> str:
    """The rows as plain text in columns."""
    head = ("what", "number", "yardstick of the same run", "number", "ratio", "target", "")
    cells = [head, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(map(_aligned, row, widths, _SIDES)).rstrip() for row in cells)


_SIDES = "<><>><<"


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.what,
        f"{_short(row.number)} {row.unit}".strip(),
        row.yardstick,
        "" if row.beside is None else f"{_short(row.beside)} {row.unit}".strip(),
        "" if row.beside is None else f"{row.number / row.beside:.2f}",
        row.target,
        {None: "", True: "met", False: "MISSED"}[row.met],
    )


def _short(number: float) -> str:
    """Three figures or so: 7,712 and 41.3 and 0.62."""
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.3g}"


def _aligned(text: str, width: int, side: str) -> str:
    return f"{text:{side}{width}}"
