"""Random orders of Rock'n'Roll, for any cards or for those that a seat can use."""

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
