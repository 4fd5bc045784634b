"""The battleboard: its spaces, and which of a side's counters act together (ozz §1.6, §5.2).

A space is row and column, "3C". Row 1 is the attacker's first row, the last one the defender's.
"""

from collections.abc import Mapping
from functools import cache

from pbem.games.base import Seat
from pbem.games.ozz.data import Data
from pbem.games.ozz.orders import OFF, Codes, Word
from pbem.games.ozz.state import Battle

COLUMNS = "LCR"
CENTRE = "C"

Spaces = tuple[str, ...]


class Grid:
    """The spaces of a board of so many rows, and how they lie; `attacks`: as the attacker sees them."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.spaces: Spaces = tuple(f"{row}{column}" for row in range(1, rows + 1) for column in COLUMNS)
        self._distances = {space: {other: _distance(space, other) for other in self.spaces} for space in self.spaces}
        self._beside = {space: self._row(row_of(space), space) for space in self.spaces}
        self._ahead = {
            (space, attacks): self._row(row_of(space) + (1 if attacks else -1), space)
            for space in self.spaces
            for attacks in (True, False)
        }

    def _row(self, row: int, space: str) -> Spaces:
        """The neighbours of a space in a row: straight first, then toward L, then toward R."""
        at = COLUMNS.index(space[-1])
        found = (f"{row}{COLUMNS[to]}" for to in (at, at - 1, at + 1) if 0 <= to < len(COLUMNS))
        return tuple(other for other in found if 1 <= row <= self.rows and other != space)

    def first_row(self, *, attacks: bool) -> int:
        """The row in which a side begins."""
        return 1 if attacks else self.rows

    def start(self, *, attacks: bool) -> str:
        """The middle of a side's first row."""
        return f"{self.first_row(attacks=attacks)}{CENTRE}"

    def distance(self, space: str, other: str) -> int:
        """In spaces: the larger of the differences of row and column."""
        return self._distances[space][other]

    def within(self, space: str, reach: int) -> Spaces:
        """The spaces not farther away than `reach`, itself among them, in the order of the board."""
        return tuple(other for other, distance in self._distances[space].items() if distance <= reach)

    def neighbours(self, space: str) -> Spaces:
        """The spaces that touch one."""
        return tuple(other for other, distance in self._distances[space].items() if distance == 1)

    def beside(self, space: str) -> Spaces:
        """The neighbours in its own row, toward L first."""
        return self._beside[space]

    def ahead(self, space: str, *, attacks: bool) -> Spaces:
        """The neighbours one row closer to the enemy: straight first, then toward L, then toward R."""
        return self._ahead[space, attacks]

    def behind(self, space: str, *, attacks: bool) -> Spaces:
        """The neighbours one row closer to a side's first row, in the same order."""
        return self._ahead[space, not attacks]

    def steps(self, space: str, word: Word, *, attacks: bool) -> Spaces:
        """What an order may name as a step from a space (§5.15), whoever may be there: spaces, `off` the last."""
        if word == "stand":
            return self.beside(space)
        if word == "advance":
            return self.ahead(space, attacks=attacks) + self.beside(space)
        back = self.behind(space, attacks=attacks)
        return (*back, OFF) if row_of(space) == self.first_row(attacks=attacks) else back


def row_of(space: str) -> int:
    return int(space[:-1])


def _distance(space: str, other: str) -> int:
    return max(abs(row_of(space) - row_of(other)), abs(COLUMNS.index(space[-1]) - COLUMNS.index(other[-1])))


@cache
def grid(rows: int) -> Grid:
    """The board of so many rows."""
    return Grid(rows)


def grid_of(data: Data) -> Grid:
    """The board that a data set says."""
    return grid(data.values["rows"])


def forces(battle: Battle, data: Data, seat: Seat) -> Mapping[str, Codes]:
    """Who acts together (§5.2), by the code that an order names: the leader's with his group, or the unit's own.

    Forces and the units of each in roster order, a leader before his units.
    """
    found: dict[str, list[str]] = {}
    own = data.in_order((code for code, one in battle.units.items() if one.seat == seat))
    for code in own:
        found[battle.units[code].group or code] = []
    for code in own:
        leader = battle.units[code].group or code
        found[leader].insert(0 if code == leader else len(found[leader]), code)
    return {leader: tuple(found[leader]) for leader in data.in_order(found)}
