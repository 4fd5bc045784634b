"""Orders as values, and their canonical form (§14), which `str` produces and `meaning.read_canonical` parses. `Wishes`
groups the items of a letter by subject.

Orders contain the codes of counters, points and spaces. Whether an order is legal depends on the position; whether it
can be carried out is only decided when its turn comes (§3, §5).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from pbem.games.kit.orders import OrderLine
from pbem.games.ozz.data import Card

Codes = tuple[str, ...]
"""Codes of counters, points or spaces, in the order of the text."""

OFF = "off"
"""The code that takes the place of a space at the end of a way that leaves the board."""

NOTHING = "Pass"
"""The canonical form of a letter that orders nothing."""

Word = Literal["advance", "stand", "back"]
"""The order words of a force (L67-73)."""


def _list(codes: Sequence[str]) -> str:
    return " ".join(codes)


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a stack (§3): its way including the start, the counters that it drops at the first point entered, and
    the counters that it picks up on the way."""

    units: Codes
    way: Codes
    drop: Codes = ()
    take: Codes = ()

    def __str__(self) -> str:
        drop = f", drop {_list(self.drop)}" if self.drop else ""
        take = f", take {_list(self.take)}" if self.take else ""
        return f"Move {_list(self.units)}: {'-'.join(self.way)}{drop}{take}"


@dataclass(frozen=True, slots=True)
class Fly:
    """A straight flight (§3.5); `way` consists of its start and its end."""

    units: Codes
    way: Codes

    def __str__(self) -> str:
        return f"Fly {_list(self.units)}: {'-'.join(self.way)}"


@dataclass(frozen=True, slots=True)
class Recruit(OrderLine):
    """An order that determines what a Hero recruits (§8)."""

    form = "Recruit {hero}: {how}"
    hero: str
    how: Literal["pool", "special", "none"]


@dataclass(frozen=True, slots=True)
class Retreat:
    """An order that determines when a side retreats (§6.1): when it has fewer than `below` units left. If `below` is 0,
    it never retreats; if `below` is None, it always does. The order applies to battles at the point `at` or, if `at` is
    None, to all battles."""

    below: int | None
    at: str | None = None

    def __str__(self) -> str:
        when = "always" if self.below is None else f"below {self.below}" if self.below else "never"
        return f"Retreat {when} at {self.at}" if self.at else f"Retreat {when}"


@dataclass(frozen=True, slots=True)
class RetreatTo(OrderLine):
    """The points to retreat to, in order of preference (§6.4)."""

    form = "Retreat to {points}"
    points: Codes


@dataclass(frozen=True, slots=True)
class _OfUnits:
    """The base class of items that consist of a list of units."""

    units: Codes

    def __str__(self) -> str:
        return f"{type(self).__name__} {_list(self.units)}"


class Losses(_OfUnits):
    """The units to be lost first, in this order (§7.1)."""


@dataclass(frozen=True, slots=True)
class Garrison(OrderLine):
    """The number of batteries that replace infantry in a Fortified Center (§8.6)."""

    form = "Garrison {point}: {batteries}"
    point: str
    batteries: int


@dataclass(frozen=True, slots=True)
class Honors(OrderLine):
    """Honours of war, offered at an enemy's Fortified Center or accepted at one's own (§3.8)."""

    form = "Honors {act} {point}"
    act: Literal["offer", "accept"]
    point: str


@dataclass(frozen=True, slots=True)
class Return(OrderLine):
    """The point where a fallen Ruler returns, if there is a choice (§8.5)."""

    form = "Return {point}"
    point: str


@dataclass(frozen=True, slots=True)
class Carry(OrderLine):
    """The unit that carries the Bell (§5.29)."""

    form = "Carry {unit}"
    unit: str


@dataclass(frozen=True, slots=True)
class Keep(OrderLine):
    """The mercenaries that remain after a battle in which skeletons were raised (§5.33)."""

    form = "Keep {who}"
    who: Literal["skeletons", "others"]


@dataclass(frozen=True, slots=True)
class FightFast:
    """An offer to fight battles fast if the other side agrees (§3.9): battles at the points in `at`, or all battles if
    `at` is empty."""

    at: Codes = ()

    def __str__(self) -> str:
        return f"Fight fast at {_list(self.at)}" if self.at else "Fight fast"


@dataclass(frozen=True, slots=True)
class Lasting:
    """An order that makes the letter stand for several turns of a battle (§5.38). `rounds` is the number of turns,
    including the first; None means until the end of the battle."""

    rounds: int | None = None

    def __str__(self) -> str:
        return f"Orders stand for {self.rounds} rounds" if self.rounds else "Orders stand"


@dataclass(frozen=True, slots=True)
class Deploy(OrderLine):
    """The space where units are placed when a battle begins (§5.1)."""

    form = "Deploy {space}: {units}"
    space: str
    units: Codes


@dataclass(frozen=True, slots=True)
class Group:
    """The new group of a leader; if `units` is empty, the leader leads no units (§5.2)."""

    leader: str
    units: Codes

    def __str__(self) -> str:
        return f"Group {self.leader}: {_list(self.units) or 'none'}"


@dataclass(frozen=True, slots=True)
class Guard:
    """The flank guards of a space on its left and its right side, either of which may be missing (§5.3)."""

    space: str
    left: str | None = None
    right: str | None = None

    def __str__(self) -> str:
        sides = [f"left {self.left}"] if self.left else []
        return f"Guard {self.space}: {', '.join(sides + ([f'right {self.right}'] if self.right else []))}"


@dataclass(frozen=True, slots=True)
class Cast:
    """A spell that `caster` casts on the target `on`. For Transport, `space` is the destination of the target
    (§5.5)."""

    caster: str
    spell: str
    on: str
    space: str | None = None

    def __str__(self) -> str:
        if self.space:
            return f"Cast {self.caster}: {self.spell} {self.on} to {self.space}"
        return f"Cast {self.caster}: {self.spell} on {self.on}"


@dataclass(frozen=True, slots=True)
class Ring(OrderLine):
    """An order to ring the Bell (§5.30)."""

    form = "Ring"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of order, attempted when the force acts (§5.12). If `enemy_in` names a space, that space must contain an
    enemy for the attempt to be made or, if `no` is true, must not contain one."""

    word: Word
    way: Codes = ()
    enemy_in: str | None = None
    no: bool = False

    def __str__(self) -> str:
        condition = f" if {'no ' if self.no else ''}enemy in {self.enemy_in}" if self.enemy_in else ""
        return _list(("change", self.word, *self.way)) + condition


@dataclass(frozen=True, slots=True)
class Order:
    """The order of a force (§5.10-5.19); `force` is the code of its leader or of its only unit.

    `coordinate` is the number of forces to wait for: 0 means all forces that can join, None means no coordination.
    """

    force: str
    word: Word
    way: Codes = ()
    attack: Codes = ()
    charge: bool = False
    coordinate: int | None = None
    alone: bool = False
    leave: bool = False
    change: Change | None = None

    def __str__(self) -> str:
        clauses = [f"Order {self.force}: {_list((self.word, *self.way))}"]
        if self.attack:
            clauses.append(f"attack {_list(self.attack)}")
        if self.charge:
            clauses.append("charge")
        if self.coordinate is not None:
            clauses.append(f"coordinate {self.coordinate}" if self.coordinate else "coordinate")
        clauses += ["alone"] * self.alone + ["leave"] * self.leave
        if self.change:
            clauses.append(str(self.change))
        return ", ".join(clauses)


@dataclass(frozen=True, slots=True)
class ActingOrder(OrderLine):
    """The order in which the forces act (§5.10)."""

    form = "Sequence {forces}"
    forces: Codes


@dataclass(frozen=True, slots=True)
class Initiative:
    """An order that determines whether the side moves first if it wins the roll (§5.9)."""

    first: bool

    def __str__(self) -> str:
        return f"Initiative {'first' if self.first else 'second'}"


class Evade(_OfUnits):
    """The cavalry and flyers that withdraw from melee (§5.25)."""


class Join(_OfUnits):
    """The flyers that take part in a melee (§5.25)."""


class Shoot(_OfUnits):
    """The units that fire at flyers in melee; () means none (§5.26)."""

    def __str__(self) -> str:
        return f"Shoot {_list(self.units) or 'none'}"


MapItem = Move | Fly | Recruit | Garrison | Honors | Return
"""Items that only a letter for a campaign turn can contain."""
BoardItem = (
    Deploy | Group | Guard | Cast | Ring | Order | ActingOrder | Initiative | Evade | Join | Shoot | Keep | Lasting
)
"""Items that only a letter for a battle can contain."""
Item = MapItem | BoardItem | Retreat | RetreatTo | Losses | Carry | FightFast


@dataclass(frozen=True, slots=True)
class Orders:
    """The items of a letter, in the order of its text."""

    items: tuple[Item, ...] = ()

    def __str__(self) -> str:
        return "; ".join(map(str, self.items)) or NOTHING


_Kind = TypeVar("_Kind", bound=Item)


class Wishes:
    """The contents of a letter, grouped by subject, with defaults for everything that the letter does not mention.
    `letter` is None if the letter was missed."""

    def __init__(self, letter: Orders | None) -> None:
        self._items = letter.items if letter else ()
        self.losses = self._units(Losses)
        self.retreat_to = (self._last(RetreatTo) or RetreatTo(())).points
        self._retreats = {item.at: item for item in self._all(Retreat)}
        self.carry = next((item.unit for item in reversed(self._all(Carry))), None)
        self.fast = self._last(FightFast)
        # On the map
        self.moves = [item for item in self._items if isinstance(item, Move | Fly)]
        self.recruits = {item.hero: item.how for item in self._all(Recruit)}
        self.garrison = {item.point: item.batteries for item in self._all(Garrison)}
        self.offers = {item.point for item in self._all(Honors) if item.act == "offer"}
        self.accepts = {item.point for item in self._all(Honors) if item.act == "accept"}
        self.return_to = next((item.point for item in reversed(self._all(Return))), None)
        # On the board
        self.deploy = {code: item.space for item in self._all(Deploy) for code in item.units}
        self.groups, self.guards, self.casts = self._all(Group), self._all(Guard), self._all(Cast)
        self.orders = {item.force: item for item in self._all(Order)}
        sequence = (self._last(ActingOrder) or ActingOrder(())).forces
        self.place = {code: at for at, code in enumerate(dict.fromkeys((*sequence, *self.orders)))}
        """The position of each force in the order of acting (§5.10): first the forces in `Sequence`, then those in
        `Order` items. All other forces act after these."""
        self.evade, self.join = frozenset(self._units(Evade)), frozenset(self._units(Join))
        self.shoot = frozenset(self._units(Shoot)) if self._last(Shoot) else None
        self.keep = (self._last(Keep) or Keep("others")).who
        self.rings = self._last(Ring) is not None
        self.first = (self._last(Initiative) or Initiative(first=True)).first

    def _all(self, kind: type[_Kind]) -> list[_Kind]:
        return [item for item in self._items if isinstance(item, kind)]

    def _last(self, kind: type[_Kind]) -> _Kind | None:
        return next(iter(self._all(kind)[-1:]), None)

    def _units(self, kind: type[Losses] | type[Evade] | type[Join] | type[Shoot]) -> Codes:
        item = self._last(kind)
        return item.units if item else ()

    def shoots(self, card: Card) -> bool:
        """Return whether the unit `card` fires at flyers in melee if it can (§5.26)."""
        return card.ranged > card.melee if self.shoot is None else card.code in self.shoot

    def fights_fast(self, at: str) -> bool:
        """Return whether the letter agrees to fight a battle at the point `at` fast rather than on the board (§3.9)."""
        return self.fast is not None and (not self.fast.at or at in self.fast.at)

    def retreats(self, units_left: int, at: str | None = None) -> bool:
        """Return whether the side retreats when it has `units_left` units, not counting intrinsic ones (§6.1): from the
        point `at` on the map, or from the board if `at` is None."""
        wish = self._retreats.get(at) or self._retreats.get(None)
        return wish is not None and (wish.below is None or units_left < wish.below)
