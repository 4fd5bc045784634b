"""Random orders of Rock'n'Roll, for any cards or for those that a seat can use."""

from collections.abc import Iterator
from random import Random

from pbem.games.base import Seat
from pbem.games.rocknroll import orders
from pbem.games.rocknroll.cards import CardSet, opponent
from pbem.games.rocknroll.orders import KEYS, Command, Condition, Orders, Pair, Rule, Step, Strike, is_standing
from pbem.games.rocknroll.state import State


class RandomOrders:
    """Writes orders for a seat. `wild` is the fraction of choices that ignore what is possible."""

    def __init__(self, random: Random, state: State, seat: Seat, wild: float = 0.2) -> None:
        self.random, self.state, self.seat, self.wild = random, state, seat, wild
        self.cards: CardSet = state.cards
        self.side = state.side_of(seat)
        self.hand = state.hands[seat]
        self.own = self._standing(self.side)
        self.enemies = self._standing(opponent(self.side))

    def _standing(self, side: str) -> list[str]:
        return [unit for point in self.state.row for unit in self.state.points[point][side]]

    def _is_wild(self) -> bool:
        return self.random.random() < self.wild

    def of(self, some: object, every: object) -> str:
        """Choose one of `some`, or now and then one of `every`."""
        choices = list(some)  # type: ignore[call-overload]
        return self.random.choice(list(every) if self._is_wild() or not choices else choices)  # type: ignore[call-overload]

    def unit(self) -> str:
        return self.of(self.own, self.cards.units)

    def enemy(self) -> str:
        return self.of(self.enemies, self.cards.units)

    def point(self) -> str:
        return self.random.choice(self.state.row)

    def card(self) -> str:
        return self.of((*self.hand.orders, *self.hand.units, *self.own), (*self.cards.units, *self.cards.orders))

    def order(self) -> str:
        return self.of(self.hand.orders, self.cards.orders)

    def orders(self, most: int = 6) -> Orders:
        """Write standing orders and commands, with more deployments first, as people write them."""
        rules = {rule.key: rule for rule in (self.rule() for _ in range(self.random.choice((0, 0, 1, 3))))}
        commands = [self.deployment() for _ in range(self.random.randint(0, 3))]
        commands += [self.command() for _ in range(self.random.randint(1, most))]
        return Orders(tuple(rules.values()), tuple(commands))

    def deployment(self) -> Command:
        return orders.Deploy(
            self.of(self.hand.units, self.cards.units), self.random.choice(self.state.row[:: len(self.state.row) - 1])
        )

    def command(self) -> Command:
        random, switches = self.random, self.cards.switches
        choices = [self.play] * 8 + [self.trade] * 2 + [self.deployment, self.use, self.conditional, orders.Pass]
        if switches.rd:
            choices += [self.buy, lambda: orders.Sell(self.card())]
            choices += [lambda: orders.Pour(self.random.randint(0, 3), self.command())]
        if switches.act:
            choices += [self.act]
        if switches.captives:
            choices += [lambda: orders.Capture(self.enemy(), self.card())]
        return random.choice(choices)()

    def play(self) -> Command:
        name = self.order()
        order = self.cards.orders[name]
        most = min(order.number, 3) if order.kind in ("attack", "move") else 3
        units = list(dict.fromkeys(self.unit() for _ in range(self.random.randint(1, most))))
        match order.kind:
            case "attack" | "all":
                return orders.PlayPairs(name, tuple(Strike(unit, self.target(unit)) for unit in units))
            case "move":
                return orders.PlayPairs(name, tuple(Step(unit, self.near(unit)) for unit in units))
            case "march":
                return orders.PlayMarch(name, tuple(units), self.near(units[0]))
            case _:
                return orders.PlaySuper(name, self.point())

    def where(self, unit: str) -> str | None:
        return next((one for one in self.state.row if unit in self.state.points[one][self.side]), None)

    def target(self, unit: str) -> str:
        here = self.where(unit)
        beside = self.state.points[here][opponent(self.side)] if here else ()
        return self.of(beside, self.enemies or self.cards.units)

    def near(self, unit: str) -> str:
        row, here = self.state.row, self.where(unit)
        if here is None or self._is_wild():
            return self.point()
        at = row.index(here)
        return self.random.choice([row[to] for to in (at - 1, at + 1) if 0 <= to < len(row)])

    def pair(self) -> Pair:
        unit = self.unit()
        return Strike(unit, self.target(unit)) if self.random.random() < 0.5 else Step(unit, self.near(unit))

    def trade(self) -> Command:
        if self.random.random() < 0.5:
            return orders.TradeForOrder(self.of((*self.hand.units, *self.own), self.cards.units))
        return orders.TradeForUnit(self.order(), self.unit_or_deck())

    def unit_or_deck(self) -> str:
        return self.of((*self.state.reserve[self.side], orders.DECK), self.cards.units)

    def use(self) -> Command:
        lures = [unit for unit in self.own if self.cards.units[unit].feature.kind == "lure"]
        return orders.Use(self.of(lures, self.cards.units), self.enemy())

    def buy(self) -> Command:
        return orders.BuyOrder() if self.random.random() < 0.5 else orders.BuyUnit(self.unit_or_deck())

    def act(self) -> Command:
        return orders.Act((self.card(), self.card()), self.pair())

    def conditional(self) -> Command:
        return orders.If(self.condition(), self.command())

    def condition(self) -> Condition:
        random = self.random
        compare: orders.Compare = random.choice((">=", "<="))
        return random.choice(
            (
                orders.Stands(self.unit(), self.point(), random.random() < 0.5),
                orders.Count(random.choice(("mine", "enemy")), self.point(), compare, random.randint(0, 4)),
                orders.Stock(compare, random.randint(0, 6)),
                orders.Last(random.choice(("hit", "missed"))),
            )
        )

    def rule(self) -> Rule:
        """Write a standing order that the set knows."""
        while True:
            word = self.random.choice([*KEYS])
            others = KEYS[word]
            key = word if others is None else f"{word} {self.random.choice((*others, self.unit()))}"
            rule = Rule(key, self.value(word))
            if is_standing(self.cards, rule):
                return rule

    def value(self, word: str) -> str:
        random = self.random
        units = ", ".join(self.unit() for _ in range(random.randint(1, 3)))
        match word:
            case "Reroll":
                given = random.choice(("", f" with {self._given()}"))
                return f"{random.randint(0, 4)}{random.choice(('', ' each'))}{given}"
            case "Pour":
                return (
                    f"{random.choice(('', 'to '))}{random.randint(0, 6)}{random.choice(('', f' sell {self._given()}'))}"
                )
            case "Rocknroll":
                return random.choice(("always", "never", units))
            case "React":
                return random.choice(("yes", "no", "attack", "move"))
            case "Goto":
                return ", ".join(self.point() for _ in range(random.randint(1, 3)))
            case "Captives":
                return random.choice(("torture", "execute", "recruit", "leave"))
            case "Income" | "Lose":
                return random.choice((units, orders.DECK, f"{units}, {orders.DECK}"))
            case _:
                return units

    def _given(self) -> str:
        return ", ".join(self.random.choice(("orders", "units", self.card())) for _ in range(self.random.randint(1, 3)))


def every_line(cards: CardSet) -> Iterator[Command | Rule]:
    """Every unit, order and Point of a set in every kind of line that can name it."""
    switches, units = cards.switches, [*cards.units]
    for unit, other in zip(units, units[1:] + units[:1], strict=True):
        yield from _lines_of_unit(cards, unit, other)
        if switches.rd:
            yield from (orders.BuyUnit(unit), orders.Sell(unit), Rule(f"Pour {unit}", f"to 3 sell {other}, units"))
        if switches.last_unit:
            yield Rule("Lose", f"{unit}, deck")
        if switches.captives:
            yield orders.Capture(unit, other)
    for name in cards.orders:
        yield from _lines_of_order(cards, name, units)
    for point in cards.row:
        yield from (orders.If(orders.Count("enemy", point, ">=", number), orders.Pass()) for number in range(10))
        yield orders.If(orders.Count("mine", point, "<=", 1), orders.Deploy(units[0], point))


def _lines_of_unit(cards: CardSet, unit: str, other: str) -> Iterator[Command | Rule]:
    yield from (orders.TradeForOrder(unit), orders.Use(unit, other))
    for point in cards.row:
        yield from (orders.Deploy(unit, point), Rule(f"Goto {unit}", point))
        yield from (orders.If(orders.Stands(unit, point, negated), orders.Pass()) for negated in (False, True))
    yield from (Rule(f"React {unit}", value) for value in ("yes", "no", "attack", "move", orders.DEFAULT))
    yield from (Rule(f"Block {unit}", other), Rule("First", f"{unit}, {other}"), Rule("Income", f"{unit}, deck"))
    yield from (Rule(f"Rocknroll {unit}", value) for value in (other, orders.ALWAYS, orders.NEVER))
    yield Rule(f"Reroll {unit}", f"1 each with {other}, orders")


def _lines_of_order(cards: CardSet, name: str, units: list[str]) -> Iterator[Command]:
    order, first, second = cards.orders[name], units[0], units[1]
    yield orders.TradeForUnit(name, orders.DECK)
    if cards.switches.rd:
        yield from (orders.Sell(name), orders.BuyOrder(), orders.Pour(2, orders.Pass()))
    if cards.switches.captives:
        yield orders.Capture(first, name)
    for unit in units:
        yield orders.TradeForUnit(name, unit)
        if order.kind in ("attack", "all"):
            yield orders.PlayPairs(name, (Strike(unit, first),))
        if cards.switches.act:
            yield orders.Act((name, second), Strike(unit, first))
    for unit, point in ((unit, point) for unit in units for point in cards.row):
        if order.kind == "move":
            others = (Step(first, point),) if order.number > 1 and unit != first else ()
            yield orders.PlayPairs(name, (Step(unit, point), *others))
        if order.kind == "march":
            yield orders.PlayMarch(name, (second, unit) if unit != second else (unit,), point)
    if order.kind == "super":
        yield from (orders.PlaySuper(name, point) for point in cards.row)
