"""Fast combat (ozz §4, L27): rounds of a die each, until a side has gone or has retreated."""

from collections.abc import Mapping, Sequence

from pbem.games.base import Seat
from pbem.games.ozz.data import Card
from pbem.games.ozz.map_wishes import MapWishes
from pbem.games.ozz.table import Table, in_losses_order


def lost_units(cards: Sequence[Card], tenths: int, *, magic: bool) -> list[Card]:
    """Those of some units, in their owner's losses order, that a result costs (§4.2, §4.3).

    `tenths` is ten times the result: the sum of what the rolling side has, times its die. With magic the least sum
    that reaches it, else the nearest one that does not exceed it, and one unit at least.
    """
    if not magic and all(10 * card.value > tenths for card in cards):
        return [min(cards, key=lambda card: card.value)]
    sums = [1]  # bit n: the units from here on, counted from the last, have some whose values sum up to n
    for card in reversed(cards):
        sums.append(sums[-1] | sums[-1] << card.value)
    left = _least(sums[-1], -(-tenths // 10)) if magic else sums[-1].__and__((2 << tenths // 10) - 1).bit_length() - 1
    lost = []
    for card, rest in zip(cards, reversed(sums[:-1]), strict=True):
        if card.value <= left and rest >> (left - card.value) & 1:
            lost.append(card)
            left -= card.value
    return lost


def _least(sums: int, number: int) -> int:
    """The least of some sums that is not below a number; the largest if all are."""
    enough = sums >> number
    return number + (enough & -enough).bit_length() - 1 if enough else sums.bit_length() - 1


class FastBattle:
    """A battle of a stack that has come to a point."""

    def __init__(
        self, table: Table, wishes: Mapping[Seat, MapWishes], at: str, origin: str | None, sides: tuple[Seat, Seat]
    ) -> None:
        """`sides` are attacker and defender."""
        self.table, self.wishes, self.at, self.origin = table, wishes, at, origin
        self.sides = self.attacker, self.defender = sides
        cards = table.data.counters
        self.units: dict[Seat, list[Card]] = {}
        self.leaders: dict[Seat, list[str]] = {}
        for seat in sides:
            there = [cards[code] for code in table.at(at, seat)]
            self.units[seat] = [card for card in there if not card.leader]
            self.leaders[seat] = [card.code for card in there if card.leader]
        walls = table.intrinsic(at)
        self.fort = bool(walls)
        self.units[self.defender] += [cards[code] for code in walls]
        self.retreated: dict[Seat, tuple[str, list[str]]] = {}
        """Where a side has gone, and who."""

    def fight(self) -> None:
        """Play the battle to its end, arrivals included."""
        self.table.tell({"type": "battle", "at": self.at, "attacker": self.attacker, "defender": self.defender})
        while all(self.units.values()):
            self._round()
            if all(self.units.values()):
                self._decide_on_retreat()
        for seat in self.sides:
            if not self.units[seat]:
                for code in self.leaders[seat]:
                    self.table.eliminate(code)
        if self.fort and not self.units[self.defender]:
            self.table.raze(self.at, self.attacker)
        for seat in self.sides:
            if seat in self.retreated:
                to, codes = self.retreated[seat]
                attacks, losses = seat == self.attacker, self.wishes[seat].losses
                self.table.arrive(seat, tuple(codes), to, losses, attacks=attacks)
        self.table.take_up_bell()

    def _round(self) -> None:
        table, lost = self.table, dict[Seat, list[Card]]()
        for seat, enemy in (self.sides, self.sides[::-1]):
            total = sum(card.value for card in self.units[seat])
            magic = any(table.spells.get(code) for code in self.leaders[seat])
            value = table.roll("fast", seat=seat, at=self.at, total=total, magic=magic)
            units = in_losses_order(self.units[enemy], self.wishes[enemy].losses)
            lost[enemy] = lost_units(units, total * value, magic=magic)
        for seat in self.sides:
            gone, units = {card.code for card in lost[seat]}, self.units[seat]
            self.units[seat] = [card for card in units if card.code not in gone]
            for card in units:
                if card.code in gone:
                    table.eliminate(card.code, seat)

    def _decide_on_retreat(self) -> None:
        """Both sides decide at once; who stays of one fights on (§6.1, §6.2)."""
        for seat in self.sides:
            going = [card.code for card in self.units[seat] if not card.intrinsic]
            if self.wishes[seat].retreats(self.at, len(going)) and (going or self.leaders[seat]):
                self._retreat(seat, going)

    def _retreat(self, seat: Seat, units: list[str]) -> None:
        attacks, wishes = seat == self.attacker, self.wishes[seat].retreat_to
        to = self.table.retreat_point(seat, self.at, self.origin, attacks=attacks, wishes=wishes)
        if to is None:
            return
        self.retreated[seat] = to, self.table.in_roster_order(units + self.leaders[seat])
        self.units[seat] = [card for card in self.units[seat] if card.intrinsic]
        self.leaders[seat] = []
