"""Single changes to a letter, for the search: in one sector of the map, or for one force on the board."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.chance import Chance, shuffled
from pbem.games.ozz.board import COLUMNS, grid_of
from pbem.games.ozz.board_legality import BoardChecker, Positions
from pbem.games.ozz.bot import choose_on_board
from pbem.games.ozz.hints import flyers, stacks, ways
from pbem.games.ozz.legality import MapChecker
from pbem.games.ozz.orders import (
    OFF,
    Cast,
    Codes,
    Deploy,
    Evade,
    Fly,
    Garrison,
    Group,
    Guard,
    Honors,
    Initiative,
    Item,
    Move,
    Order,
    Orders,
    Recruit,
    Retreat,
    Word,
)
from pbem.games.ozz.state import Battle, State
from pbem.games.ozz.table import recruiters, strength


def changes(view: State, seat: Seat, orders: Orders, chance: Chance) -> Iterator[Orders]:
    """Yield legal letters that differ from the given one in one item, in random order."""
    battle = view.battle
    if battle:
        letters = [_changed(orders, item) for item in _Forces(view, battle, seat, orders).all()]
        if battle.turn == 1:
            letters += _formations(view, battle, seat, chance)
    else:
        letters = [_changed(orders, item) for item in (*_Moves(view, seat).all(), *_lines(view, seat, orders))]
    checker = BoardChecker if battle else MapChecker
    for changed in shuffled(letters, chance):
        if changed != orders and not checker(view, seat, changed.items).check():
            yield changed


def _changed(orders: Orders, change: tuple[Item, ...]) -> Orders:
    """Replace what a letter says about the same counters or places with other items; a move whose way has a single
    point means that nobody goes."""
    items = [*orders.items]
    for item in change:
        if isinstance(item, Move | Fly):
            items = [rest for old in items if (rest := _without(old, item.units))]
            if len(item.way) > 1:
                items.insert(0, item)
        else:
            items = [old for old in items if _subject(old) != _subject(item)]
            items.append(item)
    return Orders(tuple(items))


def _without(item: Item, codes: Codes) -> Item | None:
    if not isinstance(item, Move | Fly):
        return item
    units = tuple(code for code in item.units if code not in codes)
    if units == item.units:
        return item
    return replace(item, units=units) if units else None


def _subject(item: Item) -> tuple[object, ...]:
    """Return the subject of an item; a letter has one item for each subject."""
    match item:
        case Move() | Fly():
            return (item.units,)
        case Retreat(at=about) | Honors(point=about) | Garrison(point=about) | Guard(space=about):
            return type(item), about
        case Order(force=about) | Cast(caster=about) | Recruit(hero=about) | Deploy(space=about) | Group(leader=about):
            return type(item), about
        case _:
            return (type(item),)


class _Moves:
    """The moves and flights to try in a campaign turn."""

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
        """Yield the parts of a stack that may move by themselves: all of it, all but a leader, or a single counter."""
        cards = self.data.counters
        units = [code for code in codes if not cards[code].leader]
        units.sort(key=lambda code: cards[code].value)
        leaders = [code for code in codes if cards[code].leader]
        parts: list[Sequence[str]] = [codes, units, units[:1], units[1:], units[-1:]]
        parts += [[code for code in codes if code != leader] for leader in leaders]
        parts += [[leader] for leader in leaders]
        yield from dict.fromkeys(tuple(part) for part in parts if part)

    def _together(self) -> Iterator[tuple[Item, ...]]:
        """Yield joint moves of all stacks that can reach a point, with leaders and without."""
        cards = self.data.counters
        for end in self.data.points:
            able = [point for point in self.stacks if end in self.ways[point]]
            if len(able) < 2:
                continue
            yield tuple(Move(self.stacks[point], self.ways[point][end]) for point in able)
            units = {point: tuple(code for code in self.stacks[point] if not cards[code].leader) for point in able}
            yield tuple(Move(units[point], self.ways[point][end]) for point in able if units[point])


def _lines(view: State, seat: Seat, orders: Orders) -> Iterator[tuple[Item, ...]]:
    """Yield changes to recruiting, retreats, honours of war and batteries."""
    yield from ((Recruit(hero, "special"),) for hero in recruiters(view, seat))
    switches = view.options.switches
    targets = dict.fromkeys(item.way[-1] for item in orders.items if isinstance(item, Move | Fly))  # in order
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


_MOST_ATTACKED = 3
_TARGETS = 3
"""The most units on which a spell is tried."""
_FORMATIONS = 12


class _Forces:
    """The actions to try on the board for forces, magic users and cavalry."""

    def __init__(self, view: State, battle: Battle, seat: Seat, orders: Orders) -> None:
        self.view, self.battle, self.seat, self.data = view, battle, seat, view.data
        self.cards, self.grid, self.attacks = view.data.counters, grid_of(view.data), seat == battle.attacker
        placed = Positions(view.data, battle, seat, orders.items)
        self.units, self.forces = placed.moved, placed.forces
        self.hostile = {fighter.space or "" for code, fighter in self.units.items() if self._is_unit(code, own=False)}

    def _is_unit(self, code: str, *, own: bool) -> bool:
        return not self.cards[code].leader and (self.units[code].seat == self.seat) == own

    def all(self) -> Iterator[tuple[Item, ...]]:
        for force, codes in self.forces.items():
            for order in self._orders(force, codes):
                yield (order,)
        for caster in self.forces:
            for spell in self.view.spells.get(caster, ()):
                for target in self._targets(spell):
                    yield from ((Cast(caster, spell, target, space),) for space in self._ends(spell))
        yield from self._guards()
        yield from ((Retreat(below),) for below in (0, 3, None))
        yield from ((Initiative(first=first),) for first in (True, False))
        riders = tuple(code for code in self.units if self._is_unit(code, own=True) and self.cards[code].move > 1)
        if riders:
            yield (Evade(riders),)
            yield from ((Evade((code,)),) for code in riders)

    def _orders(self, force: str, codes: Codes) -> Iterator[Order]:
        """Yield every step, with attacks on the spaces nearest to its end."""
        space, cards = self.units[force].space or "", [self.cards[code] for code in codes]
        yield Order(force, "stand", (), self._nearest(space))
        if cards[0].intrinsic:
            return
        words: tuple[Word, ...] = ("advance", "stand", "back")
        for word in words:
            for step in self.grid.steps(space, word, attacks=self.attacks):
                yield Order(force, word, (step,), () if step == OFF else self._nearest(step))
        units = [card for card in cards if not card.leader]
        if self.view.options.switches.cavalry and units and all(card.kind == "cavalry" for card in units):
            for step in self.grid.ahead(space, attacks=self.attacks):
                for end in self.grid.ahead(step, attacks=self.attacks):
                    if end in self.hostile:
                        yield Order(force, "advance", (step, end), (end,), charge=True)

    def _ends(self, spell: str) -> Iterator[str | None]:
        """Yield the spaces to which a spell may bring a unit, or None for other spells."""
        if spell == "transport":
            yield from (space for space in self.grid.spaces if space not in self.hostile)
        else:
            yield None

    def _guards(self) -> Iterator[tuple[Item, ...]]:
        """Yield flank guards, posting the strongest unit of each space."""
        own = [code for code in self.units if self._is_unit(code, own=True)]
        for space in dict.fromkeys(self.units[code].space or "" for code in own):
            there = [code for code in own if self.units[code].space == space]
            guard = max(there, key=lambda code: self.cards[code].melee)
            yield from ((Guard(space, left=guard),), (Guard(space, right=guard),))

    def _nearest(self, space: str) -> Codes:
        near = sorted(self.hostile, key=lambda end: (self.grid.distance(space, end), end))
        return tuple(near[:_MOST_ATTACKED])

    def _targets(self, spell: str) -> list[str]:
        """Return the strongest units on either side that a spell may be cast on."""
        sides = [True] if spell in ("healing", "transport") else [False] if spell == "fireball" else [False, True]
        targets: list[str] = []
        for own in sides:
            codes = [code for code in self.units if self._is_unit(code, own=own)]
            codes.sort(key=lambda code: -self.cards[code].value)
            targets += codes[:_TARGETS]
        return targets


def _formations(view: State, battle: Battle, seat: Seat, chance: Chance) -> list[Orders]:
    """Return letters for the beginning of a battle, with forces in other columns and either the usual groups or
    none."""
    row = grid_of(view.data).first_row(attacks=seat == battle.attacker)
    usual = tuple(item for item in choose_on_board(view, battle, seat).items if isinstance(item, Group))
    letters = []
    for number in range(_FORMATIONS):
        groups = () if number % 3 == 0 else usual
        columns: dict[str, list[str]] = {}
        for force, codes in Positions(view.data, battle, seat, groups).forces.items():
            if not view.data.counters[force].intrinsic:
                columns.setdefault(COLUMNS[chance.pick(len(COLUMNS))], []).extend(codes)
        places = (Deploy(f"{row}{column}", tuple(codes)) for column, codes in sorted(columns.items()))
        letters.append(choose_on_board(view, battle, seat, formation=(*places, *groups)))
    return letters
