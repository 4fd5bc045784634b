"""The table that is printed: a row for each figure, next to its yardstick."""

from collections.abc import Iterable
from time import process_time
from typing import NamedTuple


class Row(NamedTuple):
    """The subject, its figure, the yardstick with its figure, and the target with whether it is met."""

    what: str
    number: float
    unit: str = ""
    yardstick: str = ""
    beside: float | None = None
    target: str = ""
    met: bool | None = None


def table(rows: Iterable[Row]) -> str:
    """The rows as plain text in columns."""
    head = ("what", "ratio", "target", "", "yardstick of the same run", "its number", "number")
    cells = [head, *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "\n".join("  ".join(map(_aligned, row, widths, _SIDES)).rstrip() for row in cells)


_SIDES = "<><<<>>"


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.what,
        "" if row.beside is None else f"{row.number / row.beside:.2f}",
        row.target,
        {None: "", True: "met", False: "MISSED"}[row.met],
        row.yardstick,
        "" if row.beside is None else f"{_short(row.beside)} {row.unit}".strip(),
        f"{_short(row.number)} {row.unit}".strip(),
    )


class Noise:
    """The variation between equal pieces of work: the same loop, measured now and then."""

    def __init__(self) -> None:
        self._taken: list[float] = []

    def listen(self) -> None:
        """Measure the loop once more, in CPU time."""
        began = process_time()
        sum(number * number for number in range(1_000_000))
        self._taken.append(process_time() - began)

    def __str__(self) -> str:
        least, most = min(self._taken) * 1000, max(self._taken) * 1000
        spread = (most / least - 1) * 100
        return f"The same loop took {least:.0f} to {most:.0f} ms of CPU: less than {spread:.0f} % apart may be noise."


def _short(number: float) -> str:
    """A number with about three digits: 7,712 and 41.3 and 0.62."""
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:.3g}"


def _aligned(text: str, width: int, side: str) -> str:
    return f"{text:{side}{width}}"
