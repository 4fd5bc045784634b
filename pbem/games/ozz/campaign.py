"""A campaign turn (§3; §11 defines the order in which chance is used): moves, battles, recruiting and the end of the
turn.

A battle on the board interrupts the turn; the rest of the turn waits in the state's `queue` until the battle is over.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.ozz import battle
from pbem.games.ozz.battle import FastBattle
from pbem.games.ozz.data import Card
from pbem.games.ozz.orders import Fly, Move, Orders, Wishes
from pbem.games.ozz.state import MERCENARIES, Counter, GameEnd, Queue
from pbem.games.ozz.table import Table, active, can_carry, holds, ruler_returns, scores


class Campaign:
    """A campaign turn that is played on a `Table`: the nations in order of initiative, their wishes, and the moves that
    have yet to be made."""

    def __init__(self, table: Table, queue: Queue) -> None:
        self.table, self.queue = table, queue
        self.wishes = {seat: Wishes(queue.letters.get(seat)) for seat in table.seats}
        for seat, wishes in self.wishes.items():
            _garrison(table, seat, wishes)
        self.todo = [*queue.todo]

    def begin(self) -> None:
        """Queue all moves that the letters order, and give the Bell to the unit that its owner's letter names as
        carrier."""
        for seat in self.queue.seats:
            self.todo += [(seat, number) for number in range(len(self.wishes[seat].moves))]
            _carry(self.table, seat, self.wishes[seat].carry)
        self.table.take_up_bell()

    def go_on(self) -> None:
        """Play the rest of the turn, or as much of it as comes before a battle on the board."""
        table = self.table
        while self.todo and table.result is None:
            seat, number = self.todo.pop(0)
            moves = self.wishes[seat].moves
            if number < len(moves):
                self._move(seat, moves[number])
            if table.battle:
                table.queue = replace(self.queue, todo=tuple(self.todo))
                table.phase = "battle"
                return
        table.queue, table.phase = None, "orders"
        if table.result is None:
            self._recruit()
            _end_turn(table)
        if table.result is not None:
            table.phase = "over"
            table.tell({"type": "over", "winner": table.result.winner, "reason": table.result.reason})

    def _recruit(self) -> None:
        by_die = self.table.switches.ruler_return
        for seat in self.queue.seats:
            if by_die:
                return_ruler(self.table, seat, self.wishes[seat], by_die=True)
            recruit(self.table, seat, self.wishes[seat])
            self.table.take()
        for seat in () if by_die else self.queue.seats:
            return_ruler(self.table, seat, self.wishes[seat], by_die=False)

    # Moves

    def _move(self, seat: Seat, item: Move | Fly) -> None:
        stack = _Stack(self.table, seat, item)
        if not stack.can_go():
            self.table.tell({"type": "skipped", "seat": seat, "units": list(item.units), "way": list(item.way)})
            return
        fights = stack.go()
        self.table.take()
        if stack.strains:
            self.table.attrition(seat, stack.members, stack.at, self.wishes[seat].losses)
        self.table.take_up_bell()
        if fights:
            self._fight(seat, stack.at, stack.origin)
            self.table.take()

    def _fight(self, attacker: Seat, at: str, origin: str) -> None:
        table = self.table
        there = [counter.seat for counter in table.units.values() if counter.at == at and counter.seat != attacker]
        defender = there[0] if there else table.points[at].nation
        if defender is None or not _units(table, attacker, at):  # attrition has taken the last of a stack's units
            return
        if self._has_honors(attacker, defender, at, origin):
            self._march_out(attacker, defender, at, origin)
        elif self._is_for_board(attacker, defender, at):
            sides = attacker, defender
            fast = tuple(seat for seat in sides if self.wishes[seat].fights_fast(at))
            battle.begin(table, at, origin, sides, fast)
            return
        else:
            FastBattle(table, self.wishes, at, origin, (attacker, defender)).fight()

    def _is_for_board(self, attacker: Seat, defender: Seat, at: str) -> bool:
        """Return whether a battle is fought on the board. The options of the match decide this, unless both sides want
        to fight the battle fast (§3.9)."""
        table = self.table
        if self.wishes[attacker].fights_fast(at) and self.wishes[defender].fights_fast(at):
            return False
        if table.options.battles != "great":
            return table.options.battles == "board"
        sizes = len(_units(table, attacker, at)), len(_units(table, defender, at)) + table.strength(at)
        return min(sizes) >= int(table.values["great_battle"])

    # Honours of war

    def _has_honors(self, attacker: Seat, defender: Seat, at: str, origin: str) -> bool:
        """Return whether the attacker offers honours of war at a point, the defender accepts them, and the defender has
        a point to go to (§3.8)."""
        agreed = at in self.wishes[attacker].offers and at in self.wishes[defender].accepts
        if not (agreed and self.table.switches.honors and self.table.strength(at)):
            return False
        return self._refuge(defender, at, origin) is not None

    def _refuge(self, defender: Seat, at: str, origin: str) -> str | None:
        wishes = self.wishes[defender].retreat_to
        return self.table.retreat_point(defender, at, origin, attacks=False, wishes=wishes)

    def _march_out(self, attacker: Seat, defender: Seat, at: str, origin: str) -> None:
        """Let the defender march out of a Center, which is then razed (§3.8). Available regulars take the place of the
        Center's intrinsic units, and leave as in a retreat, together with all other counters there."""
        table, refuge = self.table, self._refuge(defender, at, origin)
        assert refuge is not None
        cards = table.data.counters.values()
        spare = [
            card.code for card in cards if card.reserve and card.nation == defender and card.code not in table.units
        ]
        for code in spare[: table.strength(at)]:
            table.put(code, defender, at)
        table.tell({"type": "honors", "seat": defender, "by": attacker, "at": at})
        table.raze(at, attacker)
        if leaving := tuple(table.counters_at(at, defender)):
            table.arrive(defender, leaving, refuge, self.wishes[defender].losses, attacks=False)
        table.take_up_bell()


class _Stack:
    """Counters that move together. `members` are the counters that are still in the stack, `at` is its point,
    `origin` is the point before `at`, and `gone` is the way so far. `strains` is true if the way so far can lead to
    attrition."""

    def __init__(self, table: Table, seat: Seat, item: Move | Fly) -> None:
        self.table, self.seat, self.item = table, seat, item
        self.at = self.origin = item.way[0]
        self.flies = isinstance(item, Fly)
        self.strains, self.gone = False, [self.at]
        self.members = [code for code in item.units if self._is_ready(code, item.way[0])]

    def _is_ready(self, code: str, point: str) -> bool:
        counter = self.table.units.get(code)
        return counter is not None and counter.seat == self.seat and counter.at == point and not counter.done

    def can_go(self) -> bool:
        """Return whether any counter is left that can move; a flight needs a flyer (§3.5)."""
        cards = self.table.data.counters
        if not self.flies:
            return bool(self.members)
        return any(cards[code].kind == "flying" for code in self.members)

    def go(self) -> bool:
        """Move as far as possible (§3.2-3.4); return whether there is a battle to fight."""
        way, stops, cards = self.item.way, False, self.table.data.counters
        self._done(self.members)
        for number, point in enumerate(way[1:], start=1):
            units = any(not cards[code].leader for code in self.members)
            if not units and self.table.is_enemy_to(self.seat, point):
                self._tell("halted", self.members)
                break
            self._enter(point)
            if units and self._has_enemy_units(point):
                stops = True
                break
            for code in [code for code in self.table.counters_at(point) if self.table.units[code].seat != self.seat]:
                self.table.eliminate(code)  # enemy leaders without units and walls are killed (L27)
            if number < len(way) - 1:
                self._drop_and_take(number)
            if not self.members:
                break
        if self.members and self.at != way[0]:
            self._tell("move", self.members)
        return stops

    def _has_enemy_units(self, point: str) -> bool:
        """Return whether enemy units or walls are on a point."""
        table = self.table
        if table.strength(point) and table.points[point].nation != self.seat:
            return True
        cards = table.data.counters
        for code, counter in table.units.items():
            if counter.at == point and counter.seat != self.seat and not cards[code].leader:
                return True
        return False

    def _enter(self, point: str) -> None:
        table, kind = self.table, self.table.data.links[self.at].get(point)
        self.strains |= self.flies or kind == "trail"
        self.origin, self.at = self.at, point
        self.gone.append(point)
        for code in self.members:
            table.units[code] = Counter(self.seat, point, done=True)
        if table.bell and table.bell.carrier in self.members:
            table.bell = replace(table.bell, at=point)
        elif table.bell and table.bell.at == point:
            table.take_up_bell()

    def _drop_and_take(self, number: int) -> None:
        if not isinstance(self.item, Move):
            return
        dropped = [code for code in self.item.drop if code in self.members] if number == 1 else []
        picked_up = [code for code in self.item.take if self._is_ready(code, self.at)]
        self.members = [code for code in self.members if code not in dropped]
        if dropped:
            self._tell("dropped", dropped)
        if picked_up and self.members:
            self._done(picked_up)
            self.members += picked_up
            self._tell("taken", picked_up)

    def _done(self, codes: Sequence[str]) -> None:
        for code in codes:
            self.table.units[code] = Counter(self.seat, self.at, done=True)

    def _tell(self, kind: str, codes: Sequence[str]) -> None:
        units = self.table.data.in_order(codes)
        about = {"to": self.at, "way": self.gone} if kind == "move" else {"at": self.at}
        self.table.tell({"type": kind, "seat": self.seat, "units": units, **about})


def play(table: Table, letters: Mapping[Seat, Orders | None]) -> None:
    """Play a turn from its beginning to its end, or until a battle on the board interrupts it."""
    order = tuple(_initiative(table, active(table)))
    turn = Campaign(table, Queue(order, {seat: letters.get(seat) for seat in order}, ()))
    turn.begin()
    turn.go_on()


def resume(table: Table, at: str) -> None:
    """Play the rest of a turn after a battle on the board for the point `at`."""
    stopped = table.queue
    assert stopped is not None
    Campaign(table, replace(stopped, fought=(*stopped.fought, at))).go_on()
    if table.queue is None:
        for seat in stopped.seats:
            if letter := stopped.letters.get(seat):
                table.tell({"type": "letter", "seat": seat, "orders": str(letter)})


def _initiative(table: Table, seats: Sequence[Seat]) -> list[Seat]:
    """Sort nations by initiative, the highest result first; nations with equal results roll again among themselves
    (§3.1)."""
    cards, results = table.data.counters, dict[Seat, int]()
    for seat in seats:
        heroes = sum(unit.seat == seat and cards[code].kind in ("ruler", "hero") for code, unit in table.units.items())
        results[seat] = table.roll("initiative", seat=seat, added=heroes) + heroes
    order: list[Seat] = []
    for result in sorted(set(results.values()), reverse=True):
        equal = [seat for seat in seats if results[seat] == result]
        order += equal if len(equal) == 1 else _initiative(table, equal)
    return order


def _carry(table: Table, seat: Seat, code: str | None) -> None:
    """Let the unit `code` carry the Bell if it can (§5.29)."""
    bell, counter = table.bell, table.units.get(code or "")
    if (
        bell
        and counter
        and bell.seat == seat == counter.seat
        and counter.at == bell.at
        and can_carry(table.data.counters[code or ""])
    ):
        table.bell = replace(bell, carrier=code)


def _garrison(table: Table, seat: Seat, wishes: Wishes) -> None:
    """Put batteries into a nation's Fortified Centers as its letter orders (§8.6)."""
    for code, number in wishes.garrison.items() if table.switches.garrison else ():
        point = table.points.get(code)
        if point and point.nation == seat and point.center:
            table.garrison[code] = min(number, table.values["garrison_artillery"][point.kind])


def _units(table: Table, seat: Seat, at: str) -> list[str]:
    return [code for code in table.counters_at(at, seat) if not table.data.counters[code].leader]


def _end_turn(table: Table) -> None:
    """Let all counters move again, and begin the next turn or end the game (§3.10, §9)."""
    for code, counter in table.units.items():
        if counter.done:
            table.units[code] = Counter(counter.seat, counter.at)
    remaining = active(table)
    if len(remaining) < 2:
        table.result = GameEnd(remaining[0] if remaining else None, "alone")
    elif table.turn >= table.options.turns:
        points = scores(table)
        best = [seat for seat in table.seats if points[seat] == max(points.values())]
        table.result = GameEnd(best[0] if len(best) == 1 else None, "points")
    else:
        table.turn += 1


def return_ruler(table: Table, seat: Seat, wishes: Wishes, *, by_die: bool) -> None:
    """Let a nation's fallen Ruler return if there is a place to return to (§8.5). If `by_die` is true, as under the
    switch `ruler_return`, this takes a die roll and is only possible in a later turn; otherwise, the Ruler returns at
    once."""
    fallen = [code for code in table.data.in_order(table.fallen) if table.data.counters[code].nation == seat]
    for code in fallen:
        place, needs = _place(table, seat, wishes.return_to), ruler_returns(table, seat)
        if place is None or (by_die and table.fallen[code] >= table.turn):
            continue
        if by_die and table.roll("return", seat=seat, unit=code, needs=needs) > needs:
            continue
        del table.fallen[code]
        bring(table, code, seat, place)
        table.tell({"type": "ruler", "seat": seat, "unit": code, "at": place})


def _place(table: Table, seat: Seat, wish: str | None) -> str | None:
    """Return the point where a Ruler can return: the Castle, otherwise a fort, otherwise a population center; None if
    no such point is available. Among points of the same kind, `wish` is preferred."""
    for kind in ("castle", "fort", "town"):
        places = [
            code
            for code, point in table.points.items()
            if point.kind == kind and holds(table, seat, code) and not table.is_enemy_to(seat, code)
        ]
        if places:
            return wish if wish in places else places[0]
    return None


def bring(table: Table, code: str, seat: Seat, point: str) -> None:
    """Bring a counter into play. A leader who has no entry in the table's `spells` gets those printed on the
    counter."""
    card = table.data.counters[code]
    if card.leader:
        table.spells.setdefault(code, tuple(spell for spell in card.spells if spell != "?"))
    table.put(code, seat, point)


def recruit(table: Table, seat: Seat, wishes: Wishes) -> None:
    """Let the Heroes of a nation who can still act this turn recruit, unless the letter forbids it (§8.1): first the
    Heroes that the letter names, in the order of the letter, then the others."""
    cards = table.data.counters
    able = (code for code, counter in table.units.items() if counter.seat == seat and not counter.done)
    heroes = table.data.in_order(code for code in able if cards[code].kind == "hero")
    recruits = wishes.recruits
    for hero in (*(code for code in recruits if code in heroes), *(code for code in heroes if code not in recruits)):
        if recruits.get(hero) != "none":
            _draw(table, seat, hero, special=recruits.get(hero) == "special")


def _draw(table: Table, seat: Seat, hero: str, *, special: bool) -> None:
    at = table.units[hero].at
    assert at is not None
    grounds = table.points[at].kind == "grounds"
    if not (grounds or holds(table, seat, at)):
        return
    if grounds and not special:
        code = _hire(table, seat, hero, at)
    else:
        cards = (table.data.counters[code] for code in table.pools[seat])
        code = next((card.code for card in cards if not special or at in card.special), None)
        if code is not None:
            table.pools[seat].remove(code)
    if code is not None:
        bring(table, code, seat, at)
        table.tell({"type": "recruit", "seat": seat, "by": hero, "unit": code, "at": at})


def _hire(table: Table, seat: Seat, hero: str, at: str) -> str | None:
    """Hire the first mercenary in the pool that a nation may have, unless a mishap prevents it (§8.3); return the code
    of the mercenary, or None."""
    cards = table.data.counters
    kinds = kinds_of(cards[code] for code, counter in table.units.items() if counter.seat == seat)
    pool = table.pools[MERCENARIES]
    able = (code for code in pool if not kinds or cards[code].leader or cards[code].mercenary in kinds)
    code = next(able, None)
    if code is None:
        return None
    needs = table.values["mishap"] - 1
    if table.roll("mishap", seat=seat, by=hero, at=at, needs=needs) > needs:
        table.tell({"type": "mishap", "seat": seat, "by": hero, "at": at})
        return None
    pool.remove(code)
    return code


def kinds_of(cards: Iterable[Card]) -> set[str]:
    """Return the kinds of mercenary units among `cards`; the witch is a leader, not a unit."""
    return {card.mercenary for card in cards if card.mercenary and not card.leader}
