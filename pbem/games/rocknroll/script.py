"""Carry out a seat's script line by line, and record why lines are skipped (§6: TURN, COMMAND, PAIR)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, assert_never

from pbem.games.base import Seat
from pbem.games.rocknroll import orders
from pbem.games.rocknroll.cards import SIDES, opponent
from pbem.games.rocknroll.combat import Attack, Checking, check, enter
from pbem.games.rocknroll.events import Reason
from pbem.games.rocknroll.table import Table

_FOR_UNITS = (orders.TradeForUnit, orders.BuyUnit)
FIRST = (orders.Deploy, *_FOR_UNITS)
"""The commands that are allowed only in the deployment phase (R4)."""
_ANYWHERE = 9  # the range of a unit that reaches any Point


class Script:
    """The turn of one seat. Each method that carries out a command returns None, or the reason why the command is
    impossible; in the latter case the method has changed nothing."""

    def __init__(self, table: Table, seat: Seat) -> None:
        self.table, self.seat = table, seat
        self.side = table.side_of(seat)
        self.enemy = opponent(self.side)
        self.is_deployment = True  # True until a line of the orders phase is carried out (R4)
        self.last: bool | None = None  # the outcome of the seat's last throw
        self.used: set[str] = set()
        self.line = 0

    def play(self, commands: Sequence[orders.Command]) -> None:
        """Carry out the commands of a script in order, and record those that are skipped."""
        needed = Counter(card for command in commands for card in orders.cards_of(command))
        for self.line, command in enumerate(commands, start=1):
            needed.subtract(orders.cards_of(command))
            self.table.needed = needed
            reason = self._carry_out(command)
            if reason:
                self._skip(reason)

    def _skip(self, reason: Reason, unit: str | None = None) -> None:
        seat = self.seat
        line = self.line
        self.table.tell({"type": "skipped", "seat": seat, "line": line, "unit": unit, "reason": reason, "seen": [seat]})

    def _carry_out(self, command: orders.Command) -> Reason | None:
        if isinstance(command, orders.If):
            return self._carry_out(command.command) if self._is_so(command.condition) else "condition"
        if isinstance(command, orders.Pour):
            return self._with_rd(command)
        if isinstance(command, FIRST) and not self.is_deployment:
            return "phase"
        return _DEEDS[type(command)](self, command)

    def _with_rd(self, command: orders.Pour) -> Reason | None:
        """Carry out the command inside `command`, with RD for its first throw (J28)."""
        table = self.table
        if not table.switches.rd or table.rd[self.side] < command.number:
            return "rd"
        table.to_pour = command.number
        reason = self._carry_out(command.command)
        table.to_pour = None
        return reason

    def _is_so(self, condition: orders.Condition) -> bool:
        """Return whether `condition` holds now, when its line is reached (§8)."""
        table = self.table
        match condition:
            case orders.Stands():
                place = table.place(condition.unit)
                return (place is not None and place[1] == condition.point) != condition.negated
            case orders.Count():
                side = self.side if condition.whose == "mine" else self.enemy
                return _compared(len(table.alive(side, condition.point)), condition.compare, condition.number)
            case orders.Stock():
                return _compared(table.rd[self.side], condition.compare, condition.number)
            case orders.Last():
                return self.last is (condition.outcome == "hit")
            case _:
                assert_never(condition)

    # Deployment

    def _deploy(self, command: orders.Deploy) -> Reason | None:
        table, unit, point = self.table, command.unit, command.point
        hand = table.hands[self.seat].units
        if unit not in hand:
            return "hand"
        if point not in (table.row[0], table.row[-1]):
            return "point"
        hand.remove(unit)
        table.put(unit, self.side, point)
        table.tell({"type": "deploy", "seat": self.seat, "unit": unit, "point": point})
        enter(table, [unit], point)
        return None

    def _sell(self, command: orders.Sell) -> Reason | None:
        table = self.table
        if not table.has(self.seat, command.card):
            return "hand"
        if table.rd[self.side] >= table.numbers.rd_max:
            return "rd"
        table.give(self.seat, command.card, "sell")
        table.add_rd(self.side, 1, "sell")
        return None

    def _exchange(self, command: orders.Exchange) -> Reason | None:
        """Exchange a card for another card, or buy a card for RD."""
        table, seat, offered = self.table, self.seat, next(iter(orders.cards_of(command)), None)
        is_order = not isinstance(command, _FOR_UNITS)
        wanted = command.unit if isinstance(command, _FOR_UNITS) and command.unit != orders.DECK else None
        if offered and not table.has(seat, offered):
            return "hand"
        if not offered and table.rd[self.side] < table.numbers.rd_price:
            return "rd"
        if not (table.orders if is_order else table.can_take_unit(self.side, wanted)):
            return "supply"
        why: Literal["trade", "buy"] = "trade" if offered else "buy"
        if offered:
            table.give(seat, offered, "trade")
        else:
            table.add_rd(self.side, -table.numbers.rd_price, "buy")
        if is_order:
            self.is_deployment = False
            table.take_order(seat, why)
        else:
            table.take_unit(seat, wanted, why)
        return None

    # Orders

    def _use(self, command: orders.Use) -> Reason | None:
        table, unit, target = self.table, command.unit, command.target
        place = table.place(unit)
        if place is None or place[0] != self.side or table.kind(unit) != "lure":
            return "unit"
        if unit in self.used:
            return "used"
        there = table.place(target)
        if there is None or there[0] != self.enemy:
            return "target"
        here = place[1]
        if table.distance(here, there[1]) != 1:
            return "range"
        self.is_deployment = False
        self.used.add(unit)
        checking = Checking("lure", self.side, table.card(unit).feature.check, unit, target=target)
        self.last = check(table, checking).success
        if self.last:
            table.move(target, here, "lure")
            enter(table, [target], here)
        return None

    def _act(self, command: orders.Act) -> Reason | None:
        table, pair = self.table, command.pair
        if reason := self.pair_reason(pair):
            return reason
        first, second = command.cards
        if not all(table.has(self.seat, card, (pair.unit,)) for card in command.cards):
            return "hand"
        if first == second and table.hands[self.seat].orders.count(first) < table.numbers.act_cards:
            return "hand"
        self.is_deployment = False
        table.tell({"type": "act", "seat": self.seat})
        for card in command.cards:
            table.give(self.seat, card, "act")
        self._do(pair, is_act=True)
        return None

    def _capture(self, command: orders.Capture) -> Reason | None:
        table, target = self.table, command.target
        place = table.place(target)
        if place is None or place[0] != self.enemy:
            return "target"
        point = place[1]
        if len(table.alive(self.side, point)) <= len(table.alive(self.enemy, point)):
            return "number"
        if not table.has(self.seat, command.card):
            return "hand"
        self.is_deployment = False
        table.give(self.seat, command.card, "capture")
        self.last = check(table, Checking("capture", self.side, table.numbers.capture_check, target=target)).success
        if self.last:
            table.take_off(target)
            table.captives[self.side].append(target)
            table.tell({"type": "captured", "unit": target, "by": self.side})
            table.mark_loss(self.enemy)
        return None

    # Orders that are played

    def _play(self, command: orders.Play) -> Reason | None:
        table = self.table
        if table.cards.orders[command.card].side not in (None, self.side):
            return "side"
        hand = table.hands[self.seat].orders
        if command.card not in hand:
            return "hand"
        if reason := self._play_reason(command):
            return reason
        self.is_deployment = False
        hand.remove(command.card)
        table.discard.append(command.card)
        table.tell({"type": "play", "seat": self.seat, "card": command.card})
        match command:
            case orders.PlaySuper():
                self._destroy(command)
            case orders.PlayMarch():
                self._march(command)
            case _:
                self._pairs(command)
        return None

    def _play_reason(self, command: orders.Play) -> Reason | None:
        """Return the reason why an order cannot be played, or None. An order with pairs can be played if at least one
        of the pairs can be carried out (J6)."""
        match command:
            case orders.PlaySuper():
                return None
            case orders.PlayMarch():
                return self._march_reason(command)
            case _:
                number = self._corner(command)
                reasons = [self.pair_reason(pair, number) for pair in command.pairs]
                return reasons[0] if all(reasons) else None

    def _corner(self, command: orders.PlayPairs) -> int | None:
        """Return the number that all units of an order must have in the corner (J5); None if any number will do."""
        order = self.table.cards.orders[command.card]
        return order.number if order.kind == "all" else None

    def _destroy(self, command: orders.PlaySuper) -> None:
        """Fire a super weapon (R46, J14). If it hits, all units on the Point except survivors fall at the same time,
        and none of them can be saved."""
        table, point = self.table, command.point
        need = table.cards.orders[command.card].number
        self.last = check(table, Checking("order", self.side, need, card=command.card, point=point)).success
        if not self.last:
            return
        there = [unit for side in SIDES for unit in table.alive(side, point) if table.kind(unit) != "survivor"]
        for unit in there:
            table.fell(unit, "super")
        for unit in there:
            table.bury(unit)

    def _marching(self, command: orders.PlayMarch) -> list[str]:
        """Return the units of a march that are present on a Point (J7)."""
        return [unit for unit in command.units if self.table.stands(unit, self.side)]

    def _march_reason(self, command: orders.PlayMarch) -> Reason | None:
        table = self.table
        sources = {table.lies_at(unit)[1] for unit in self._marching(command)}
        if not sources:
            return "unit"
        if len(sources) > 1 or table.distance(sources.pop(), command.point) != 1:
            return "point"
        return None

    def _march(self, command: orders.PlayMarch) -> None:
        units = self._marching(command)
        for unit in units:
            self.table.move(unit, command.point, "march")
        enter(self.table, units, command.point)

    def _pairs(self, command: orders.PlayPairs) -> None:
        number = self._corner(command)
        for pair in command.pairs:
            reason = self.pair_reason(pair, number)
            if reason:
                self._skip(reason, pair.unit)
            else:
                self._do(pair)

    def _do(self, pair: orders.Pair, *, is_act: bool = False) -> None:
        """Carry out the action of one unit; `is_act` says whether it is a Current Action."""
        why: Literal["act", "order"] = "act" if is_act else "order"
        if isinstance(pair, orders.Strike):
            self.last = Attack(self.table, pair.unit, pair.target, why).carry_out()
        else:
            self.table.move(pair.unit, pair.point, why)
            enter(self.table, [pair.unit], pair.point)

    def pair_reason(self, pair: orders.Pair, number: int | None = None) -> Reason | None:
        """PAIR: return the reason why `pair` cannot be carried out, or None. If `number` is given, the unit must have
        that number in its corner."""
        table = self.table
        place = table.place(pair.unit)
        if place is None or place[0] != self.side:
            return "unit"
        here = place[1]
        if not isinstance(pair, orders.Strike):
            return None if table.distance(here, pair.point) == 1 else "point"
        there = table.place(pair.target)
        if there is None or there[0] != self.enemy:
            return "target"
        card = table.card(pair.unit)
        reach = card.feature.range
        if reach != _ANYWHERE and table.distance(here, there[1]) > reach:
            return "range"
        if table.is_guarded(pair.target):
            return "guarded"
        return "chance" if number not in (None, card.chance) else None


def _compared(count: int, compare: str, number: int) -> bool:
    return count >= number if compare == ">=" else count <= number


_DEEDS: Mapping[type[orders.Command], Callable[[Script, Any], Reason | None]] = {
    orders.Pass: lambda script, command: None,
    orders.Deploy: Script._deploy,
    **dict.fromkeys((orders.TradeForUnit, orders.TradeForOrder, orders.BuyUnit, orders.BuyOrder), Script._exchange),
    orders.Sell: Script._sell,
    orders.Use: Script._use,
    orders.Act: Script._act,
    orders.Capture: Script._capture,
    **dict.fromkeys((orders.PlayPairs, orders.PlayMarch, orders.PlaySuper), Script._play),
}
"""The method that carries out each kind of command."""
