from dataclasses import dataclass
from typing import NamedTuple

"""Orders as values, and their canonical form (§3 of the rules)."""


class Move(NamedTuple):
    """So many pieces from one area into an adjacent one (§2.3)."""

    count: int  # type: ignore[assignment]  # the word of the rules hides a method of tuples
    origin: str
    target: str

    def __str__(self) -> str:
        return f"{self.count} {self.origin} to {self.target}"


@dataclass(frozen=True, slots=True)
class Orders:
    """One seat's orders of a turn, legal and complete: what `str` writes, the order reader reads back.

    `new` are the areas that were said for new pieces, in board order (a city's code or its province's);
    `moves` has each pair of areas once, in the order given; `bomb` is the area bombarded.
    """

    new: tuple[str, ...] = ()
    moves: tuple[Move, ...] = ()
    bomb: str | None = None

    def __str__(self) -> str:
        groups = (
            ", ".join(f"New {area}" for area in self.new),
            ", ".join(map(str, self.moves)),
            f"Bomb {self.bomb}" if self.bomb else "",
        )
        return "; ".join(filter(None, groups)) or "Pass"
