"""Who acts when on the board: the sides in turns, coordination, and changes of order (ozz §5.10-5.12)."""

from pbem.games.base import Seat
from pbem.games.ozz.field import Field, Man
from pbem.games.ozz.movement import execute
from pbem.games.ozz.orders import Codes, Order, Word

_CHAOS: tuple[tuple[int, Word], ...] = ((3, "advance"), (6, "stand"), (9, "back"))
"""The new order by chaos: up to which value of its die."""


class _Coordination:
    """A Ruler who waits for others (§5.11)."""

    def __init__(self, order: Order, eligible: frozenset[str]) -> None:
        self.order, self.eligible = order, eligible
        self.joined: list[str] = []


class Activations:
    """The activations of one turn."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._waiting: dict[Seat, _Coordination] = {}

    def run(self, first: Seat) -> None:
        """Let the sides act in turns, one force at a time; who has no more waits for the other (§5.10)."""
        both = (first, self._field.enemy(first))
        acting = True
        while acting:
            acted = [self._act(seat) for seat in both]
            acting = any(acted)

    def _act(self, seat: Seat) -> bool:
        """Let the next force of a side act; False if none is left."""
        code = self._next(seat)
        if code is not None:
            self._activate(seat, code)
            self._look(seat)
        elif seat in self._waiting:
            self._go(seat)
        else:
            return False
        return True

    def _next(self, seat: Seat) -> str | None:
        """A side's first force that has not acted: as `Sequence`, then the orders stand, then roster order."""
        field = self._field
        waits = self._waiting.get(seat)
        able = [
            one.code
            for one in field.men.values()
            if one.seat == seat
            and one.group is None
            and one.code not in field.acted
            and not (waits and one.code == waits.order.force)
        ]
        place = field.wishes[seat].place
        return min(able, key=lambda code: place.get(code, len(place)), default=None)

    def _activate(self, seat: Seat, code: str) -> None:
        field, waits = self._field, self._waiting.get(seat)
        order = field.wishes[seat].orders.get(code) or Order(code, "stand")
        members = field.force(code)
        if waits and code in waits.eligible and self._is_with(waits, code) and not order.alone:
            self._try_to_join(waits, order, members)
            return
        eligible = self._eligible(seat, order)
        if eligible:
            self._waiting[seat] = _Coordination(order, eligible)
            field.tell({"type": "coordinates", "seat": seat, "by": code, "wanted": order.coordinate})
            return
        word, way = self._changed(order, members)
        execute(field, members, order, word, way)

    # Coordination

    def _eligible(self, seat: Seat, order: Order) -> frozenset[str]:
        """The forces that may join a Ruler who is to coordinate."""
        field, ruler = self._field, self._field.men[order.force]
        if order.coordinate is None or ruler.card.kind != "ruler" or not field.switches.coordination:
            return frozenset()
        return frozenset(
            one.code
            for one in field.men.values()
            if one.seat == seat
            and one is not ruler
            and one.group is None
            and one.space == ruler.space
            and one.code not in field.acted
            and not one.intrinsic
            and self._word(seat, one.code) == order.word
        )

    def _word(self, seat: Seat, code: str) -> Word:
        order = self._field.wishes[seat].orders.get(code)
        return order.word if order else "stand"

    def _is_with(self, waits: _Coordination, code: str) -> bool:
        """Whether a force is on the board, in the Ruler's space."""
        men = self._field.men
        return code in men and men[code].space == men[waits.order.force].space

    def _try_to_join(self, waits: _Coordination, order: Order, members: list[Man]) -> None:
        field, by = self._field, members[0]
        most = field.values["coordination_fails"] - 1
        if field.roll("coordinate", seat=by.seat, by=by.code, needs=most) > most:
            execute(field, members, order, order.word, order.way)
            return
        field.acted.update(one.code for one in members)
        waits.joined.append(by.code)
        field.tell({"type": "joined", "seat": by.seat, "by": by.code, "ruler": waits.order.force})

    def _look(self, seat: Seat) -> None:
        """Let a Ruler go when enough have joined, or nobody is left who could."""
        waits = self._waiting.get(seat)
        if waits is None:
            return
        enough = waits.order.coordinate and len(waits.joined) >= waits.order.coordinate
        left = any(self._is_with(waits, code) and code not in self._field.acted for code in waits.eligible)
        if enough or not left:
            self._go(seat)

    def _go(self, seat: Seat) -> None:
        """The Ruler acts with all who have joined and still stand with him."""
        field, waits = self._field, self._waiting.pop(seat)
        members = field.force(waits.order.force)
        for code in waits.joined:
            if self._is_with(waits, code):
                members += field.force(code)
        execute(field, members, waits.order, waits.order.word, waits.order.way)

    # Changes of order

    def _changed(self, order: Order, members: list[Man]) -> tuple[Word, Codes]:
        """What a force executes after its attempt to change orders, if it makes one (§5.12)."""
        field, change = self._field, order.change
        by = members[0]
        if change is None:
            return order.word, order.way
        if change.enemy_in and field.holds(field.enemy(by.seat), change.enemy_in) == change.no:
            return order.word, order.way
        bonus = field.values["ruler_order_bonus"] if by.card.kind == "ruler" and len(members) > 1 else 0
        needs = field.values["order_success"] + bonus
        value = field.roll("change", seat=by.seat, by=by.code, needs=needs)
        if value <= needs:
            return change.word, change.way
        if value < field.values["order_chaos"] + bonus:
            return order.word, order.way
        return self._chaos(by), order.way

    def _chaos(self, by: Man) -> Word:
        while True:
            value = self._field.roll("chaos", seat=by.seat, by=by.code)
            word = next((word for most, word in _CHAOS if value <= most), None)
            if word:
                return word
