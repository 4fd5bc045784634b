"""The variations of a letter that the computer player tries in its search."""

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
    """Yield legal variations of `orders` in random order. Each changes one item, or a few items that belong together.
    In the first turn of a battle, also yield letters with other formations."""
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
    """Return a copy of `orders` in which the items of `change` replace all items about the same counters or places.

    If a move in `change` has a way of only one point, the counters of that move are removed from all moves, and the
    move itself is not added.
    """
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
    """Return a key for the counter, place or matter that `item` is about. A letter contains at most one item for each
    key."""
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
        """Yield the parts of the stack `codes` that are tried as a moving group: the whole stack, all its units without
        leaders, its least valuable unit, all units but that one, its most valuable unit and, for each leader, the stack
        without that leader and the leader alone."""
        cards = self.data.counters
        units = [code for code in codes if not cards[code].leader]
        units.sort(key=lambda code: cards[code].value)
        leaders = [code for code in codes if cards[code].leader]
        parts: list[Sequence[str]] = [codes, units, units[:1], units[1:], units[-1:]]
        parts += [[code for code in codes if code != leader] for leader in leaders]
        parts += [[leader] for leader in leaders]
        yield from dict.fromkeys(tuple(part) for part in parts if part)

    def _together(self) -> Iterator[tuple[Item, ...]]:
        """For each point that two or more stacks can reach, yield two joint moves to that point: one of the whole
        stacks, and one of their units without leaders."""
        cards = self.data.counters
        for end in self.data.points:
            able = [point for point in self.stacks if end in self.ways[point]]
            if len(able) < 2:
                continue
            yield tuple(Move(self.stacks[point], self.ways[point][end]) for point in able)
            units = {point: tuple(code for code in self.stacks[point] if not cards[code].leader) for point in able}
            yield tuple(Move(units[point], self.ways[point][end]) for point in able if units[point])


def _lines(view: State, seat: Seat, orders: Orders) -> Iterator[tuple[Item, ...]]:
    """Yield changes to the items about recruiting, retreats, honours of war and batteries."""
    yield from ((Recruit(hero, "special"),) for hero in recruiters(view, seat))
    switches = view.options.switches
    targets = dict.fromkeys(item.way[-1] for item in orders.items if isinstance(item, Move | Fly))  # in letter order
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
"""The maximum number of units of each side on which a spell is tried."""
_FORMATIONS = 12


class _Forces:
    """The changes to try on the board: orders, spells, flank guards, retreats, initiative and withdrawals."""

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
        """Yield the orders that are tried for `force`: standing still, each possible step and, for cavalry, charges.
        After standing still or taking a step, the force attacks the nearest spaces with enemies."""
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
        """If `spell` is Transport, yield the spaces to which it can bring a unit; otherwise yield a single None."""
        if spell == "transport":
            yield from (space for space in self.grid.spaces if space not in self.hostile)
        else:
            yield None

    def _guards(self) -> Iterator[tuple[Item, ...]]:
        """For each space that contains units of the side, yield two flank guards: the unit with the highest melee
        strength on the left, and the same unit on the right."""
        own = [code for code in self.units if self._is_unit(code, own=True)]
        for space in dict.fromkeys(self.units[code].space or "" for code in own):
            there = [code for code in own if self.units[code].space == space]
            guard = max(there, key=lambda code: self.cards[code].melee)
            yield from ((Guard(space, left=guard),), (Guard(space, right=guard),))

    def _nearest(self, space: str) -> Codes:
        near = sorted(self.hostile, key=lambda end: (self.grid.distance(space, end), end))
        return tuple(near[:_MOST_ATTACKED])

    def _targets(self, spell: str) -> list[str]:
        """Return the units on which `spell` is tried: the most valuable ones of the side itself, of the enemy or of
        both, depending on the spell."""
        sides = [True] if spell in ("healing", "transport") else [False] if spell == "fireball" else [False, True]
        targets: list[str] = []
        for own in sides:
            codes = [code for code in self.units if self._is_unit(code, own=own)]
            codes.sort(key=lambda code: -self.cards[code].value)
            targets += codes[:_TARGETS]
        return targets


def _formations(view: State, battle: Battle, seat: Seat, chance: Chance) -> list[Orders]:
    """Return letters that deploy the forces in random columns in the first turn of a battle. Some of these letters form
    the usual groups, and others form no groups."""
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
