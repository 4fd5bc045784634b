"""How a campaign letter can be changed in one sector of the map, for who tries letters out."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.chance import Chance, shuffled
from pbem.games.ozz.counsel import flyers, stacks, ways
from pbem.games.ozz.legality import MapChecker
from pbem.games.ozz.orders import Codes, Fly, Garrison, Honors, Item, Move, Orders, Retreat
from pbem.games.ozz.state import State
from pbem.games.ozz.table import strength


def changes(view: State, seat: Seat, orders: Orders, chance: Chance) -> Iterator[Orders]:
    """Legal letters that differ from one in one thing, in an order of chance."""
    if view.battle:
        return
    for item in shuffled((*_Moves(view, seat).all(), *_lines(view, seat, orders)), chance):
        changed = _changed(orders, item)
        if changed != orders and not MapChecker(view, seat, changed.items).check():
            yield changed


def _changed(orders: Orders, change: tuple[Item, ...]) -> Orders:
    """A letter with some items in place of what it says of the same counters or places; a move without a way ends in
    its first point: nobody goes."""
    items = [*orders.items]
    for one in change:
        match one:
            case Move() | Fly():
                items = [left for item in items if (left := _without(item, one.units))]
                if len(one.way) > 1:
                    items.insert(0, one)
            case _:
                items = [item for item in items if not _same(item, one)]
                items.append(one)
    return Orders(tuple(items))


def _without(item: Item, codes: Codes) -> Item | None:
    if not isinstance(item, Move | Fly):
        return item
    units = tuple(code for code in item.units if code not in codes)
    if units == item.units:
        return item
    return replace(item, units=units) if units else None


def _same(item: Item, other: Item) -> bool:
    match item, other:
        case (Retreat(), Retreat()):
            return item.at == other.at
        case (Honors(), Honors()):
            return item.point == other.point
        case (Garrison(), Garrison()):
            return item.point == other.point
    return False


class _Moves:
    """Who may go where."""

    def __init__(self, view: State, seat: Seat) -> None:
        self.view, self.seat, self.data = view, seat, view.data
        self.stacks = stacks(view, seat)
        self.ways = {point: ways(view, seat, point) for point in self.stacks}

    def all(self) -> Iterator[tuple[Item, ...]]:
        for point, codes in self.stacks.items():
            for part in self._parts(codes):
                yield (Move(part, (point,)),)
                for way in self.ways[point].values():
                    yield (Move(part, way),)
            if winged := flyers(self.view, codes):
                for end in self.data.points:
                    if end != point and self.data.in_reach(point, end):
                        yield (Fly(winged, (point, end)),)
        yield from self._together()

    def _parts(self, codes: Codes) -> Iterator[Codes]:
        """Parts of a stack that may go by themselves: all, without a leader, one."""
        cards = self.data.counters
        units = [code for code in codes if not cards[code].leader]
        units.sort(key=lambda code: cards[code].value)
        leaders = [code for code in codes if cards[code].leader]
        found: list[Sequence[str]] = [codes, units, units[:1], units[1:], units[-1:]]
        found += [[code for code in codes if code != leader] for leader in leaders]
        found += [[leader] for leader in leaders]
        yield from dict.fromkeys(tuple(one) for one in found if one)

    def _together(self) -> Iterator[tuple[Item, ...]]:
        """All who can come to a point go there, with leaders and without."""
        cards = self.data.counters
        for end in self.data.points:
            able = [point for point in self.stacks if end in self.ways[point]]
            if len(able) < 2:
                continue
            yield tuple(Move(self.stacks[point], self.ways[point][end]) for point in able)
            units = {point: tuple(code for code in self.stacks[point] if not cards[code].leader) for point in able}
            yield tuple(Move(units[point], self.ways[point][end]) for point in able if units[point])


def _lines(view: State, seat: Seat, orders: Orders) -> Iterator[tuple[Item, ...]]:
    """Retreats, honours of war, batteries."""
    switches = view.options.switches
    targets = {item.way[-1] for item in orders.items if isinstance(item, Move | Fly)}
    for below in (0, 2, 3, 4, None):
        yield (Retreat(below),)
        for target in targets:
            yield (Retreat(below, target),)
    for point in view.data.centers:
        if not strength(view, point):
            continue
        mine = view.data.points[point].nation == seat
        if switches.honors and (mine or point in targets):
            yield (Honors("accept" if mine else "offer", point),)
        if mine and switches.garrison:
            yield (Garrison(point, view.data.values["garrison_artillery"][view.data.points[point].kind]),)
