"""Random changes to a seat's orders; repeated changes can lead from any script to any other reasonable one.

A line that cannot be carried out when the rules reach it is skipped. A change therefore need not be legal; it only has
to have some prospect of being good. The search (`search`) tries changes, and finds out which of them are good.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.chance import shuffled
from pbem.games.kit.quick import QuickChance
from pbem.games.rocknroll import orders
from pbem.games.rocknroll.cards import Order, opponent
from pbem.games.rocknroll.orders import DECK, DEFAULT, Command, Orders, Pair, Rule, Step, Strike, cards_of, paired
from pbem.games.rocknroll.receipt import hidden_cards
from pbem.games.rocknroll.state import State, neighbours

_DEPLOYMENT = (orders.Deploy, orders.TradeForUnit, orders.BuyUnit, orders.Sell)
_MOST_UNSEEN = 4  # the deployment of a unit from the deck is written in advance if at most this many can come
_WISHES = 3  # the most units in a wish list for the income
_POURED = ("to 2", "to 3", "to 4", DEFAULT)

Lines = tuple[Command, ...]
Way = Callable[[Lines], Lines] | None
"""A function that changes the lines of a script; None stands for a change of standing orders."""
Places = Mapping[str, str]
"""The Points where a side's units will be, keyed by unit, disregarding everything that depends on dice."""


class Variations:
    """Changes to the orders of the seat to move."""

    def __init__(self, state: State, seat: Seat, chance: QuickChance) -> None:
        self.state, self.seat, self.chance = state, seat, chance
        self.cards, self.row, self.hand = state.cards, state.row, state.hands[seat]
        self.side = state.side_of(seat)
        enemy = opponent(self.side)
        self.enemies = {unit: point for point in self.row for unit in state.points[point][enemy]}
        self.reserve = state.reserve[self.side]
        self.unseen = [unit for unit in hidden_cards(state) if unit in self.cards.units_of(self.side)]
        self.ways = self._ways()

    def _ways(self) -> tuple[Way, ...]:
        """Return all kinds of changes. A kind that is worth more tries is listed several times."""
        switches = self.cards.switches
        ways: list[Way] = [*[self._played] * 4, *[self._altered] * 3, *[self._deployed] * 2, *[self._traded] * 2]
        ways += [self._dropped, self._moved_up, None, self._traded_back]
        if any(self.cards.units[unit].feature.kind == "lure" for unit in (*self._places(()), *self.hand.units)):
            ways.append(self._lured)
        if switches.act:
            ways += [self._acted] * 2
        if switches.rd:
            ways += [self._bought] * 2
        if switches.captives:
            ways.append(self._captured)
        return tuple(ways)

    def changed(self, letter: Orders) -> Orders:
        """Return `letter` after one or two random changes."""
        for _ in range(1 + self.chance.pick(2)):
            way = self.chance.of(self.ways)
            letter = replace(letter, commands=way(letter.commands)) if way else self._ruled(letter)
        return letter

    def simple(self) -> Orders:
        """Return the orders of a player who knows the rules and nothing more: all units are deployed, and as many
        orders as possible are played."""
        lines: Lines = tuple(orders.Deploy(unit, self._end()) for unit in self.hand.units)
        for _ in self.hand.orders:
            lines = self._played(lines)
        return Orders((), lines or (orders.Pass(),))

    # Deployment

    def _end(self) -> str:
        return self.chance.of((self.row[0], self.row[-1]))

    def _deployed(self, lines: Lines) -> Lines:
        """Return `lines` with one more unit deployed, or with a deployment moved to the other end of the row."""
        ordered = {command.unit for command in lines if isinstance(command, orders.Deploy)}
        waiting = [unit for unit in self.hand.units if unit not in ordered]
        if waiting and (not ordered or self.chance.pick(2)):
            return (orders.Deploy(self.chance.of(waiting), self._end()), *lines)
        at = [at for at, command in enumerate(lines) if isinstance(command, orders.Deploy)]
        if not at:
            return lines
        chosen = self.chance.of(at)
        command = lines[chosen]
        assert isinstance(command, orders.Deploy)
        end = self.row[-1] if command.point == self.row[0] else self.row[0]
        return (*lines[:chosen], orders.Deploy(command.unit, end), *lines[chosen + 1 :])

    def _traded(self, lines: Lines) -> Lines:
        """Return `lines` with an order traded for a unit, which is deployed at once. If the unit comes from the deck,
        and only a few units can come, a deployment is added for each of these."""
        free = self._free(lines)
        if not free:
            return lines
        if (units := self._to_have(lines)) and self.chance.pick(4):
            unit = self.chance.of(units)
            both = (orders.TradeForUnit(self.chance.of(free), unit), orders.Deploy(unit, self._end()))
            return (*both, *lines)
        if not self.state.decks.units[self.side]:
            return lines
        cut, end = _deployment_of(lines), self._end()
        trade = orders.TradeForUnit(self.chance.of(free), DECK)
        come = [orders.Deploy(unit, end) for unit in self.unseen] if len(self.unseen) <= _MOST_UNSEEN else []
        return (*lines[:cut], trade, *come, *lines[cut:])

    def _bought(self, lines: Lines) -> Lines:
        """Return `lines` with a unit or an order bought for RD, or with an order sold."""
        units = self._to_have(lines)
        way = self.chance.pick(4)
        if way < 2 and units:
            unit = self.chance.of(units)
            return (orders.BuyUnit(unit), orders.Deploy(unit, self._end()), *lines)
        if way == 2 and (free := self._free(lines)):
            return self._inserted(lines, orders.Sell(self.chance.of(free)))
        return self._inserted(lines, orders.BuyOrder())

    def _to_have(self, commands: Sequence[Command]) -> list[str]:
        """Return the units in the reserve that no line asks for yet."""
        wanted = {command.unit for command in commands if isinstance(command, orders.TradeForUnit | orders.BuyUnit)}
        return [unit for unit in self.reserve if unit not in wanted]

    # Any line

    def _dropped(self, lines: Lines) -> Lines:
        """Return `lines` without one random line. If that line gets a unit, the deployment of that unit is dropped,
        too."""
        if len(lines) < 2:
            return lines
        at = self.chance.pick(len(lines))
        gone = lines[at]
        rest = (*lines[:at], *lines[at + 1 :])
        if isinstance(gone, orders.TradeForUnit | orders.BuyUnit):
            rest = tuple(line for line in rest if not (isinstance(line, orders.Deploy) and line.unit == gone.unit))
        return rest or lines

    def _moved_up(self, lines: Lines) -> Lines:
        """Return `lines` with a line moved to another place within its phase."""
        commands = [*lines]
        cut = _deployment_of(commands)
        first, last = self.chance.of(((0, cut), (cut, len(commands))))
        if last - first < 2:
            return lines
        command = commands.pop(first + self.chance.pick(last - first))
        commands.insert(first + self.chance.pick(last - first), command)
        return tuple(commands)

    def _inserted(self, lines: Lines, command: Command) -> Lines:
        """Return `lines` with `command` inserted at a random place in the orders phase."""
        at = self._somewhere(lines)
        return (*lines[:at], command, *lines[at:])

    def _somewhere(self, commands: Sequence[Command]) -> int:
        cut = _deployment_of(commands)
        return cut + self.chance.pick(len(commands) - cut + 1)

    def _free(self, commands: Sequence[Command]) -> list[str]:
        """Return the orders in the hand that no line needs."""
        free = [*self.hand.orders]
        for command in commands:
            for card in cards_of(command):
                if card in free:
                    free.remove(card)
        return free

    # Orders that are played

    def _played(self, lines: Lines) -> Lines:
        """Return `lines` with a new command that plays one more order from the hand."""
        free = self._free(lines)
        if not free:
            return lines
        at = self._somewhere(lines)
        command = self._play(self.chance.of(free), self._places(lines[:at]))
        return (*lines[:at], command, *lines[at:]) if command else lines

    def _altered(self, lines: Lines) -> Lines:
        """Return `lines` with one command of the orders phase altered."""
        at = [at for at, command in enumerate(lines) if isinstance(command, orders.Act | orders.Play)]
        if not at:
            return lines
        chosen = self.chance.of(at)
        altered = self._alternative(lines[chosen], self._places(lines[:chosen]))
        return (*lines[:chosen], altered, *lines[chosen + 1 :]) if altered else lines

    def _alternative(self, command: Command, places: Places) -> Command | None:
        match command:
            case orders.Act():
                pair = self._pair(places)
                return orders.Act(command.cards, pair) if pair else None
            case orders.PlayPairs() if self.chance.pick(4):
                return self._other_pairs(command, places)
            case orders.PlayMarch() if self.chance.pick(2):
                return self._other_march(command, places)
            case orders.PlayPairs() | orders.PlayMarch() | orders.PlaySuper():
                return self._play(command.card, places)
            case _:
                return None

    def _play(self, card: str, places: Places) -> orders.Play | None:
        """Return a random command that plays the order `card`; None if the order cannot be played."""
        order = self.cards.orders[card]
        if order.side not in (None, self.side):
            return None
        if order.kind == "super":
            return orders.PlaySuper(card, self.chance.of(self.row))
        units = self._able(order, places)
        if not units:
            return None
        if order.kind == "march":
            source = places[self.chance.of(units)]
            some = tuple(unit for unit in units if places[unit] == source and self.chance.pick(3))
            return orders.PlayMarch(card, some, self.chance.of(neighbours(self.row, source))) if some else None
        pairs: list[Pair] = []
        for unit in shuffled(units, self.chance):
            if (order.kind == "all" or len(pairs) < order.number) and (pair := self._does(order, unit, places)):
                pairs.append(pair)
        return paired(card, pairs) if pairs else None

    def _able(self, order: Order, places: Places) -> list[str]:
        """Return the units in `places` that an order can command."""
        every = order.kind != "all"
        return [unit for unit in places if every or self.cards.units[unit].chance == order.number]

    def _other_pairs(self, command: orders.PlayPairs, places: Places) -> orders.Play | None:
        """Return `command` with a pair added, removed, replaced or moved at random; None if the change is
        impossible."""
        order, pairs = self.cards.orders[command.card], [*command.pairs]
        at, way = self.chance.pick(len(pairs)), self.chance.pick(4)
        if way < 2 and len(pairs) > 1:
            pair = pairs.pop(at)
            if way == 0:
                pairs.insert(self.chance.pick(len(pairs) + 1), pair)
            return paired(command.card, pairs)
        rest = [unit for unit in self._able(order, places) if all(unit != pair.unit for pair in pairs)]
        again = pairs[at].unit in places and self.chance.pick(2)
        if not rest and not again:
            return None
        pair = self._does(order, pairs[at].unit if again else self.chance.of(rest), places)
        if pair is None:
            return None
        is_more = not again and (order.kind == "all" or len(pairs) < order.number)
        pairs[at : at + (not is_more)] = [pair]
        return paired(command.card, pairs)

    def _other_march(self, command: orders.PlayMarch, places: Places) -> orders.Play | None:
        """Return `command` with a unit added or removed at random; None if no unit would be left."""
        source = places.get(command.units[0])
        there = [unit for unit, point in places.items() if point == source and unit not in command.units]
        if there and self.chance.pick(2):
            return replace(command, units=(*command.units, self.chance.of(there)))
        gone = self.chance.of(command.units)
        rest = tuple(unit for unit in command.units if unit != gone)
        return replace(command, units=rest) if rest else None

    def _does(self, order: Order, unit: str, places: Places) -> Pair | None:
        return self._step(unit, places) if order.kind == "move" else self._strike(unit, places)

    def _pair(self, places: Places) -> Pair | None:
        if not places:
            return None
        unit = self.chance.of([*places])
        return self._step(unit, places) if self.chance.pick(2) else self._strike(unit, places)

    def _strike(self, unit: str, places: Places) -> Strike | None:
        here, reach = self.row.index(places[unit]), self.cards.units[unit].feature.range
        targets = [enemy for enemy, point in self.enemies.items() if abs(self.row.index(point) - here) <= reach]
        return Strike(unit, self.chance.of(targets)) if targets else None

    def _step(self, unit: str, places: Places) -> Step:
        return Step(unit, self.chance.of(neighbours(self.row, places[unit])))

    def _places(self, commands: Sequence[Command]) -> Places:
        """Return the Points where the side's units are after `commands`, keyed by unit."""
        places = {unit: point for point in self.row for unit in self.state.points[point][self.side]}
        for command in commands:
            match command:
                case orders.Deploy():
                    places[command.unit] = command.point
                case orders.PlayMarch():
                    places.update((unit, command.point) for unit in command.units if unit in places)
                case orders.PlayPairs():
                    places.update((pair.unit, pair.point) for pair in command.pairs if isinstance(pair, Step))
                case orders.Act(pair=Step() as step):
                    places[step.unit] = step.point
                case orders.TradeForOrder():
                    places.pop(command.unit, None)
        return places

    # Rarer changes

    def _lured(self, lines: Lines) -> Lines:
        at = self._somewhere(lines)
        places = self._places(lines[:at])
        lures = [unit for unit in places if self.cards.units[unit].feature.kind == "lure"]
        pairs = [
            (lure, enemy)
            for lure in lures
            for enemy, at in self.enemies.items()
            if at in neighbours(self.row, places[lure])
        ]
        return self._inserted(lines, orders.Use(*self.chance.of(pairs))) if pairs else lines

    def _acted(self, lines: Lines) -> Lines:
        """Return `lines` with a new Current Action, for which two spare orders are given."""
        free = self._free(lines)
        pair = self._pair(self._places(lines))
        if len(free) < self.cards.numbers.act_cards or pair is None:
            return lines
        first, second = shuffled(free, self.chance)[:2]
        return self._inserted(lines, orders.Act((first, second), pair))

    def _captured(self, lines: Lines) -> Lines:
        free = self._free(lines)
        if not free or not self.enemies:
            return lines
        return self._inserted(lines, orders.Capture(self.chance.of([*self.enemies]), self.chance.of(free)))

    def _traded_back(self, lines: Lines) -> Lines:
        """Return `lines` with a new command that trades a unit for an order."""
        units = [*self._places(()), *self.hand.units]
        return self._inserted(lines, orders.TradeForOrder(self.chance.of(units))) if units else lines

    # Standing orders

    def _ruled(self, letter: Orders) -> Orders:
        """Return `letter` with a change to one of its standing orders about dice or the income."""
        key = self.chance.of(("Income", "Reroll attack", "Reroll feature", "Rocknroll all", "Pour attack"))
        value = self._value(key, [*dict.fromkeys(self._free(letter.commands))])
        if value is None:
            return letter
        rules = {rule.key: rule.value for rule in letter.standing}
        if self.state.standing.get(self.seat, {}).get(key, DEFAULT) == value:
            rules.pop(key, None)
        else:
            rules[key] = value
        return replace(letter, standing=tuple(Rule(*rule) for rule in rules.items()))

    def _value(self, key: str, free: Sequence[str]) -> str | None:
        match key:
            case "Income":
                return ", ".join((*shuffled(self.reserve, self.chance)[:_WISHES], DECK))
            case "Rocknroll all":
                return self.chance.of((orders.ALWAYS, DEFAULT))
            case "Pour attack":
                return self.chance.of(_POURED) if self.cards.switches.rd else None
            case _ if free and self.chance.pick(3):
                return f"{self.chance.of((1, 2, 9))} with {', '.join(free)}"
            case _:
                return DEFAULT


def _deployment_of(commands: Sequence[Command]) -> int:
    """Return the number of lines at the beginning that belong to the deployment phase."""
    return next((at for at, command in enumerate(commands) if not isinstance(command, _DEPLOYMENT)), len(commands))
