"""The battleboard: its spaces, the counters of a side that act together (§1.6, §5.2), and the positions during a turn.

A space is a row and a column, such as "3C". Row 1 is the attacker's first row, the last row the defender's. A `Field`
is created from a table and its battle. It does not modify that battle; `Field.battle` returns the new one.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from pbem.games.base import Seat
from pbem.games.ozz.data import BELL, Card, Data
from pbem.games.ozz.orders import OFF, Codes, Orders, Wishes, Word
from pbem.games.ozz.state import Battle, Fighter, MapBell, Marker
from pbem.games.ozz.table import Table

COLUMNS = "LCR"
CENTRE = "C"

Spaces = tuple[str, ...]


class Grid:
    """The spaces of a board with `rows` rows, and their geometry. In the methods, `attacks` selects the attacker's
    point of view instead of the defender's."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.spaces: Spaces = tuple(f"{row}{column}" for row in range(1, rows + 1) for column in COLUMNS)
        self._distances = {space: {end: _distance(space, end) for end in self.spaces} for space in self.spaces}
        self._beside = {space: self._row(row_of(space), space) for space in self.spaces}
        self._ahead = {
            (space, attacks): self._row(row_of(space) + (1 if attacks else -1), space)
            for space in self.spaces
            for attacks in (True, False)
        }

    def _row(self, row: int, space: str) -> Spaces:
        """Return the spaces of `row` that touch `space`: the one in the same column first, then the one towards L, then
        the one towards R."""
        at = COLUMNS.index(space[-1])
        spaces = (f"{row}{COLUMNS[to]}" for to in (at, at - 1, at + 1) if 0 <= to < len(COLUMNS))
        return tuple(neighbour for neighbour in spaces if 1 <= row <= self.rows and neighbour != space)

    def first_row(self, *, attacks: bool) -> int:
        """Return the number of the attacker's first row, or of the defender's if `attacks` is false."""
        return 1 if attacks else self.rows

    def start(self, *, attacks: bool) -> str:
        """Return the middle space of the attacker's first row, or of the defender's if `attacks` is false."""
        return f"{self.first_row(attacks=attacks)}{CENTRE}"

    def distance(self, start: str, end: str) -> int:
        """Return the distance in spaces: the difference in rows or the difference in columns, whichever is larger."""
        return self._distances[start][end]

    def within(self, space: str, reach: int) -> Spaces:
        """Return the spaces at a distance of up to `reach` from `space`, including `space`, row by row."""
        return tuple(end for end, distance in self._distances[space].items() if distance <= reach)

    def neighbours(self, space: str) -> Spaces:
        """Return the spaces that touch `space`, including diagonally."""
        return tuple(end for end, distance in self._distances[space].items() if distance == 1)

    def beside(self, space: str) -> Spaces:
        """Return the neighbours of `space` in its own row, the one towards L first."""
        return self._beside[space]

    def ahead(self, space: str, *, attacks: bool) -> Spaces:
        """Return the neighbours of `space` one row closer to the enemy: straight ahead first, then towards L, then
        towards R."""
        return self._ahead[space, attacks]

    def behind(self, space: str, *, attacks: bool) -> Spaces:
        """Return the neighbours of `space` one row closer to the side's own first row: straight back first, then
        towards L, then towards R."""
        return self._ahead[space, not attacks]

    def steps(self, space: str, word: Word, *, attacks: bool) -> Spaces:
        """Return the steps from `space` that an order with the order word `word` may name (§5.15), regardless of the
        counters on the board: neighbouring spaces, followed by `off` if the order may lead off the board."""
        if word == "stand":
            return self.beside(space)
        if word == "advance":
            return self.ahead(space, attacks=attacks) + self.beside(space)
        back = self.behind(space, attacks=attacks)
        return (*back, OFF) if row_of(space) == self.first_row(attacks=attacks) else back


def row_of(space: str) -> int:
    return int(space[:-1])


def _distance(start: str, end: str) -> int:
    return max(abs(row_of(start) - row_of(end)), abs(COLUMNS.index(start[-1]) - COLUMNS.index(end[-1])))


@cache
def grid(rows: int) -> Grid:
    """Return the board with `rows` rows."""
    return Grid(rows)


def grid_of(data: Data) -> Grid:
    """Return the board of a data set."""
    return grid(data.values["rows"])


def forces(battle: Battle, data: Data, seat: Seat) -> Mapping[str, Codes]:
    """Return the counters of each force of a side (§5.2), keyed by the code that orders use for the force: the code of
    its leader or of its single unit.

    Forces are in roster order. So are the counters of a force, except that its leader comes first.
    """
    members: dict[str, list[str]] = {}
    own = data.own(battle.units, seat)
    for code in own:
        members[battle.units[code].group or code] = []
    for code in own:
        leader = battle.units[code].group or code
        members[leader].insert(0 if code == leader else len(members[leader]), code)
    return {leader: tuple(members[leader]) for leader in data.in_order(members)}


HOLDING = frozenset(("poppies", "confusion"))
"""Spells that keep a unit from moving or retreating."""

_NOTHING: frozenset[str] = frozenset()


class Man:
    """A unit or leader on the board, as a mutable object."""

    __slots__ = ("attacks", "card", "code", "group", "intrinsic", "leader", "seat", "space", "spent", "unit")

    def __init__(self, card: Card, fighter: Fighter, *, attacks: bool) -> None:
        self.card, self.code, self.attacks = card, card.code, attacks
        self.leader, self.intrinsic = card.leader, card.intrinsic
        self.unit = not self.leader
        self.seat, self.group, self.spent = fighter.seat, fighter.group, fighter.spent
        self.space = fighter.space or ""


class Field:
    """The counters, the spells and the Bell while a turn of a battle is being played."""

    def __init__(self, table: Table, battle: Battle, letters: Mapping[Seat, Orders | None]) -> None:
        self.table, self.before = table, battle
        self.data, self.switches, self.values = table.data, table.switches, table.data.values
        self.grid = grid_of(table.data)
        self.attacker, self.defender = battle.attacker, battle.defender
        self.sides = (battle.attacker, battle.defender)
        self.wishes = {seat: Wishes(letters.get(seat)) for seat in self.sides}
        self.men: dict[str, Man] = {}
        """The counters on the board, keyed by code, in roster order."""
        for code in self.data.in_order(battle.units):
            self._add(code, battle.units[code])
        self.cast, self.raised = [*battle.cast], [*battle.raised]
        self.exit, self.left = dict(battle.exit), {seat: [*battle.left[seat]] for seat in self.sides}
        self.bell = battle.bell
        self.rung = False
        """Whether the Bell has raised a unit this turn. If so, the Bell is set up, which limits its carrier's movement
        (§5.30)."""
        self.acted: set[str] = set()
        self.limbered: set[str] = set()
        """Artillery that has moved this turn and so cannot fire (§5.24)."""
        self.guards: dict[tuple[Seat, str], dict[str, str]] = {}
        """Flank guards (§5.3): the units posted towards column L and column R, keyed by side and space."""
        self.markers = [*battle.spells]
        self._effects: dict[str, frozenset[str]] = {}
        self._index()

    def battle(self, turn: int) -> Battle:
        """Return the field as a battle whose turn is `turn`."""
        return replace(
            self.before,
            turn=turn,
            units={man.code: Fighter(man.seat, man.space, man.group, man.spent) for man in self.men.values()},
            spells=tuple(self.markers),
            cast=tuple(self.cast),
            raised=tuple(self.raised),
            exit=self.exit,
            left={seat: tuple(codes) for seat, codes in self.left.items()},
            bell=self.bell,
        )

    # Events

    def tell(self, event: dict[str, Any]) -> None:
        self.table.tell(event)

    def roll(self, purpose: str, **details: Any) -> int:
        """Roll a die and return the result; record the roll for the story, with its purpose and other details."""
        return self.table.roll(purpose, **details)

    # Positions

    def enemy(self, seat: Seat) -> Seat:
        return self.defender if seat == self.attacker else self.attacker

    def units(self, seat: Seat) -> list[Man]:
        """Return a side's units, in roster order."""
        return [man for man in self.men.values() if man.unit and man.seat == seat]

    def units_at(self, seat: Seat, space: str) -> list[Man]:
        """Return a side's units in a space, in roster order."""
        return [man for man in self.men.values() if man.space == space and man.unit and man.seat == seat]

    def holds(self, seat: Seat, space: str) -> bool:
        """Return whether a side has units in a space; only units occupy it (§5.15)."""
        for man in self.men.values():  # noqa: SIM110 - called more often than anything else
            if man.space == space and man.unit and man.seat == seat:
                return True
        return False

    def group(self, leader: str) -> list[Man]:
        """Return the units led by a leader, in roster order."""
        return [man for man in self.men.values() if man.group == leader]

    def force(self, code: str) -> list[Man]:
        """Return the counters of the force that `code` names (§5.2): a leader followed by their group, or a single
        unit."""
        return [self.men[code], *self.group(code)]

    def add_unit(self, code: str, seat: Seat, space: str) -> None:
        """Bring a unit into play on the board; on the map, it counts as having moved."""
        self.table.put(code, seat, self.before.at, done=True)
        self._add(code, Fighter(seat, space))
        self.men = {man: self.men[man] for man in self.data.in_order(self.men)}

    def _add(self, code: str, fighter: Fighter) -> None:
        self.men[code] = Man(self.data.counters[code], fighter, attacks=fighter.seat == self.attacker)

    def move(self, man: Man, to: str) -> None:
        """Move a counter to another space, together with the Bell if the counter carries it. A leader's group and flank
        guards are not moved."""
        man.space = to
        if self.bell and self.bell.carrier == man.code:
            self.bell = replace(self.bell, space=to)

    def move_alone(self, man: Man, to: str) -> None:
        """Move a unit to another space without its leader; if the unit is in a group, it leaves the group (§5.2)."""
        self.move(man, to)
        self.leave_group(man)

    def leave_group(self, man: Man) -> None:
        """Make a unit a force by itself; it counts as having acted if its leader has acted."""
        if man.group in self.acted:
            self.acted.add(man.code)
        man.group = None

    # Spells

    def effects(self, code: str) -> frozenset[str]:
        """Return the spells in effect on a unit or the Bell; two of the same spell count once (§5.5)."""
        return self._effects.get(code, _NOTHING)

    def is_held(self, code: str) -> bool:
        """Return whether a unit or the Bell is under Poppies or Confusion."""
        return not HOLDING.isdisjoint(self.effects(code))

    def holding(self, codes: Collection[str]) -> list[Marker]:
        """Return the spells that hold any of the units `codes`."""
        return [marker for marker in self.markers if marker.on in codes and marker.spell in HOLDING]

    def set_markers(self, markers: Iterable[Marker]) -> None:
        self.markers = list(markers)
        self._index()

    def _index(self) -> None:
        effects: dict[str, set[str]] = {}
        for marker in self.markers:
            if marker.on is not None:
                effects.setdefault(marker.on, set()).add(marker.spell)
        self._effects = {code: frozenset(spells) for code, spells in effects.items()}

    def speed(self, unit: Man) -> int:
        """Return the number of spaces that a unit may move (§5.16, §5.6, §5.29)."""
        if unit.intrinsic:
            return 0
        fleet = "fleet feet" in self.effects(unit.code)
        bell = self.bell if self.bell and self.bell.carrier == unit.code else None
        set_up = bool(bell) and self.rung and self.switches.bell_set_up
        if self.is_held(unit.code) or (bell and self.is_held(BELL)):
            return 1 if fleet and not set_up else 0
        if set_up:
            return 1 if fleet else 0
        if fleet:
            return int(self.values["fleet_feet_speed"])
        return min(unit.card.move, 1) if bell else unit.card.move

    # Departures

    def carry(self, code: str | None) -> None:
        """Let the unit `code` carry the Bell, which then belongs to the unit's side. If `code` is None, the Bell has no
        carrier, and its owner does not change."""
        assert self.bell is not None
        self.bell = replace(self.bell, carrier=code, seat=self.men[code].seat if code else self.bell.seat)

    def eliminate(self, man: Man) -> None:
        """Remove a lost unit or a killed leader, regardless of Healing (§5.28)."""
        self._take_off((man.code,))
        self.table.eliminate(man.code, man.seat)

    def hit(self, unit: Man) -> None:
        """Eliminate a unit unless Healing saves it (§5.5)."""
        healings = (marker for marker in self.markers if marker.on == unit.code and marker.spell == "healing")
        healing = next(healings, None)
        if healing is None:
            self.eliminate(unit)
            return
        used = replace(healing, on=None)
        self.set_markers(used if marker is healing else marker for marker in self.markers)
        self.tell({"type": "healed", "unit": unit.code, "seat": unit.seat, "by": healing.by})

    def leave(self, seat: Seat, gone: list[Man]) -> None:
        """Let the counters `gone`, which are in roster order, leave the board for the destination of their side (§6). A
        carrier takes the Bell along unless a spell holds the Bell."""
        if self.bell and self.bell.carrier in {man.code for man in gone}:
            if self.is_held(BELL):
                self.carry(None)
            else:
                self.table.bell = MapBell(self.bell.seat, self.before.at, self.bell.carrier)
                self.bell = None
        codes = tuple(man.code for man in gone)
        self._take_off(codes)
        self.left[seat] += codes
        self.tell({"type": "leaves", "seat": seat, "units": list(codes), "to": self.exit[seat]})

    def _take_off(self, codes: Codes) -> None:
        """Take counters off the board. This ends the spells cast on them or by them (§5.5), and dissolves the groups
        that they lead."""
        for code in codes:
            del self.men[code]
        for man in self.men.values():
            if man.group in codes:
                self.leave_group(man)
        if self.bell and self.bell.carrier in codes:
            self.carry(None)
        gone = codes if self.bell else (*codes, BELL)
        markers = [marker for marker in self.markers if marker.by not in gone and marker.on not in gone]
        if len(markers) != len(self.markers):
            self.set_markers(markers)

    def find_exit(self, seat: Seat) -> bool:
        """Determine the destination of a side when its first counters leave (§6.3-6.5); return whether there is one."""
        if seat not in self.exit:
            point = OFF if self.before.at is None else self._point_for(seat)
            if point is None:
                return False
            self.exit[seat] = point
        return True

    def can_leave(self, seat: Seat) -> bool:
        """Return whether a side has a destination for counters that leave the board."""
        return seat in self.exit or self.before.at is None or self._point_for(seat) is not None

    def _point_for(self, seat: Seat) -> str | None:
        at, attacks, wishes = self.before.at, seat == self.attacker, self.wishes[seat].retreat_to
        assert at is not None
        return self.table.retreat_point(seat, at, self.before.origin, attacks=attacks, wishes=wishes)
