"""Throws and attacks: adding RD to a throw, paying for rerolls, entering a Point, and the features that all these
trigger (§6: CHECK, POUR, PAYERS, PAY, ENTER, ATTACK, FALL, GOTO).
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from pbem.games.base import Seat, Side
from pbem.games.rocknroll.cards import opponent
from pbem.games.rocknroll.events import AttackWhy, Check, FellWhy, Throw
from pbem.games.rocknroll.orders import ALWAYS, ORDERS, amount, values
from pbem.games.rocknroll.state import neighbours
from pbem.games.rocknroll.table import ECHO, Table

_STAR_ATTACKS = ("blocker", "raid", "avenge")
_REPLIES = ("riposte", "avenge")


def enter(table: Table, units: Sequence[str], point: str) -> None:
    """ENTER: let each enemy blocker and raider on `point` attack one of `units`, which have just entered it together
    (R42, R43)."""
    side, _ = table.lies_at(units[0])
    enemy = opponent(side)
    waiting = [unit for unit in table.alive(enemy, point) if table.kind(unit) in ("blocker", "raider")]
    for blocker in table.in_sequence(waiting):
        if not table.stands(blocker, enemy, point):
            continue
        there = [unit for unit in units if table.stands(unit, side, point) and not table.is_guarded(unit)]
        if there:
            _block(table, blocker, there, units)


def _block(table: Table, blocker: str, targets: list[str], entrants: Sequence[str]) -> None:
    """Let `blocker` attack one of `targets`, unless its feature requires a check and that check fails (J12). `entrants`
    are all units that entered the Point together."""
    side, _ = table.lies_at(blocker)
    value = table.rule(table.decider(side), f"Block {blocker}")
    target = next((unit for unit in values(value) if unit in targets), targets[0]) if value else targets[0]
    feature = table.card(blocker).feature
    if feature.check and not check(table, Checking("trap", side, feature.check, blocker, target=target)).success:
        return  # the check has failed (R41)
    Attack(table, blocker, target, "raid" if feature.kind == "raider" else "blocker", entrants).carry_out()


def goto(table: Table, unit: str) -> str:
    """GOTO: return the neighbouring Point to which `unit` goes when its own feature moves it."""
    side, point = table.lies_at(unit)
    near = neighbours(table.row, point)
    value = table.rule(table.decider(side), f"Goto {unit}")
    wished = next((wish for wish in values(value) if wish in near), None) if value else None
    return wished or min(near, key=lambda neighbour: len(table.alive(opponent(side), neighbour)))


def fall(table: Table, unit: str, why: FellWhy) -> None:
    """FALL: let a unit fall as a result of its own action. It is lost unless a medic on its Point saves it."""
    side, point = table.lies_at(unit)
    table.fell(unit, why)
    for medic in table.in_sequence(_medics(table, side, point)):
        if unit in table.fallen and table.stands(medic, side, point):
            _save(table, medic, unit)
    if unit in table.fallen:
        table.bury(unit)


def _medics(table: Table, side: Side, point: str) -> list[str]:
    return [unit for unit in table.alive(side, point) if table.kind(unit) == "medic"]


def _save(table: Table, medic: str, unit: str) -> None:
    side, _ = table.lies_at(medic)
    if check(table, Checking("save", side, table.card(medic).feature.check, medic, target=unit)).success:
        table.saved(unit, medic)


class Attack:
    """ATTACK: one attack with everything that it triggers. `entrants` are the units whose entry into a Point led to the
    attack; their features come first (R36)."""

    def __init__(self, table: Table, unit: str, target: str, why: AttackWhy, entrants: Collection[str] = ()) -> None:
        self.table, self.unit, self.target, self.why, self.entrants = table, unit, target, why, entrants
        self.side, self.point = table.lies_at(unit)
        self.enemy, self.target_point = table.lies_at(target)
        self.card = table.card(unit)
        armour = table.card(target).armour if table.switches.armour and not self.card.ace else 0
        self.need = max(self.card.chance, armour)  # armour may require more than the card (J19)
        self.is_rocked = False
        self.values: list[int] = []

    def carry_out(self) -> bool:
        """Carry out the attack; return whether it hit the target, even if a medic then saved the target."""
        table, unit, target = self.table, self.unit, self.target
        hit = self._throw()
        if not hit:
            table.add_rd(self.side, 1, "miss")
        else:
            table.fell(target, "attack")
        if self.is_rocked:
            fall(table, unit, "rocknroll")
        elif not hit and self.values == [1, 1] and self.card.feature.explodes:
            fall(table, unit, "explosion")
        ride = goto(table, unit) if self.why == "raid" and hit else None
        if ride:
            table.move(unit, ride, "ride")
        for defender in table.in_sequence(self._raised(hit), self.entrants):
            if table.stands(defender, self.enemy, self.target_point):
                self._react(defender)
        if target in table.fallen:
            table.bury(target)
        if ride and table.stands(unit, self.side, ride):
            enter(table, [unit], ride)
        return hit

    def _throw(self) -> bool:
        """Throw the dice, then keep the result, pay for rerolls, or gamble (R16-R25); return whether the attack hit."""
        table, side, need = self.table, self.side, self.need
        bonus = self.bonus()
        poured = pour(table, side, (self.unit, "attack"), need - bonus, (self.unit,))
        table.tell(
            {
                "type": "attack",
                "unit": self.unit,
                "target": self.target,
                "side": side,
                "why": self.why,
                "need": need,
                "bonus": bonus,
                "poured": poured,
            }
        )
        least = need - bonus - poured
        star = self.card.star and self.why in _STAR_ATTACKS
        able = payers(table, side, (self.unit, "attack"), star=star)
        for number in range(1, self.card.dice + 1):
            value = roll(table, side, None, "first", least)
            last_die = number == self.card.dice
            while value < least and pay(table, able, last_die=last_die, barred=(self.unit,)):
                value = roll(table, side, None, "reroll", least)
            self.values.append(value)
            if value >= least:
                return True
        return self._gamble(least)

    def _gamble(self, least: int) -> bool:
        """ROCK'N'ROLL: take the free reroll if a standing order says so (R23-R25, J9); return whether the attack hit
        after all. `least` is the natural value needed."""
        table = self.table
        value = table.rule(table.decider(self.side), f"Rocknroll {self.unit}", "Rocknroll all")
        if value is None or (value != ALWAYS and self.target not in values(value)):
            return False
        least -= pour(table, self.side, ("rocknroll",), least, (self.unit,))
        self.values[-1] = roll(table, self.side, None, "rocknroll", least)
        self.is_rocked = self.values[-1] < least
        return not self.is_rocked

    def bonus(self) -> int:
        """Return the bonus to each throw from other units and from Echo."""
        table = self.table
        others = (unit for unit in table.alive(self.side, self.point) if unit != self.unit)
        auras = sum(table.card(unit).feature.bonus for unit in others if table.kind(unit) == "aura")
        return auras + (held_effect(table, self.side, "attack") if self.point == ECHO else 0)

    def _raised(self, hit: bool) -> list[str]:
        """Return the units whose features the attack triggers, in order of arrival. They can be medics, avengers or the
        attacked unit itself (J11)."""
        table, target = self.table, self.target
        is_reply = self.why in _REPLIES

        def is_raised(defender: str) -> bool:
            match table.kind(defender):
                case "medic":
                    return hit
                case "riposte":
                    return not is_reply and not hit and defender == target
                case "avenger":
                    return not is_reply
                case _:
                    return False

        return [defender for defender in table.alive(self.enemy, self.target_point) if is_raised(defender)]

    def _react(self, defender: str) -> None:
        """Carry out the feature of `defender`, which this attack has triggered."""
        table, unit = self.table, self.unit
        how = table.rule(table.decider(self.enemy), f"React {defender}")
        can_be_attacked = table.stands(unit, self.side) and not table.is_guarded(unit)
        match table.kind(defender):
            case "medic":
                if self.target in table.fallen:
                    _save(table, defender, self.target)
            case "riposte":
                if how != "no" and can_be_attacked and table.stands(unit, self.side, self.target_point):
                    Attack(table, defender, unit, "riposte", self.entrants).carry_out()
            case _:
                if how != "move" and can_be_attacked:
                    Attack(table, defender, unit, "avenge", self.entrants).carry_out()
                else:
                    point = goto(table, defender)
                    table.move(defender, point, "avenge")
                    enter(table, [defender], point)


_FEATURE_CHECKS = ("save", "lure", "trap")
_MOST_POURED = 6


class Payer:
    """A seat that may pay for rerolls. `rerolls` is the number of rerolls left, `each` says whether the first of two
    dice may be rerolled, too, and `cards` lists the cards to give for a reroll, in order of preference."""

    __slots__ = ("cards", "each", "rerolls", "seat")

    def __init__(self, seat: Seat, rule: str | None) -> None:
        self.seat = seat
        payment = amount(rule or "0")
        self.rerolls, self.each, self.cards = payment.number, payment.each, payment.cards or (ORDERS,)


def payers(table: Table, side: Side, keys: tuple[str, ...], *, star: bool) -> list[Payer]:
    """Return the seats that may pay for rerolls: the seat that decides for `side` and, if the throw belongs to a star
    feature, also its allies (R39). `keys` are the words after `Reroll` in the standing orders that apply."""
    first = table.decider(side)
    seats = [first, *(seat for seat in table.seats_of(side) if seat != first)] if star else [first]
    return [Payer(seat, table.rule(seat, *(f"Reroll {key}" for key in keys))) for seat in seats]


def pay(table: Table, able: list[Payer], *, last_die: bool, barred: Collection[str]) -> bool:
    """Let the first seat in `able` that can pay for a reroll do so (R21); return whether a seat has paid. If the die is
    not the last one of its throw, only seats with `each` can pay. Units in `barred` cannot be given."""
    for payer in able:
        if payer.rerolls and (last_die or payer.each):
            card = table.choose(payer.seat, payer.cards, barred)
            if card is not None:
                payer.rerolls -= 1
                table.give(payer.seat, card, "reroll")
                return True
    return False


def pour(table: Table, side: Side, keys: tuple[str, ...], missing: int, barred: Collection[str]) -> int:
    """Add RD to a throw as the command or the standing orders require (R78); return the number of RD. `missing` is the
    natural value that the throw needs without RD."""
    if not table.switches.rd:
        return 0
    seat = table.decider(side)
    rule = table.rule(seat, *(f"Pour {key}" for key in keys))
    if table.to_pour is not None and seat == table.on_turn:
        rule, table.to_pour = str(table.to_pour), None
    if rule is None:
        return 0
    payment = amount(rule)
    want = min(max(0, missing - payment.number) if payment.upto else payment.number, _MOST_POURED)
    while table.rd[side] < want:
        card = table.choose(seat, payment.cards, barred)
        if card is None:
            break
        table.give(seat, card, "sell")
        table.add_rd(side, 1, "sell")
    poured = min(want, table.rd[side])
    if poured:
        table.add_rd(side, -poured, "pour")
    return poured


def roll(table: Table, side: Side, purpose: Check | None, throw: Throw, least: int) -> int:
    """Roll a die, which succeeds with `least` or more, and return its value. If `purpose` is None, the die belongs to
    an attack."""
    value = table.die()
    success, cause = value >= least, purpose or "attack"
    table.tell({"type": "roll", "side": side, "for": cause, "throw": throw, "value": value, "success": success})
    return value


class Checking(NamedTuple):
    """A check to be made: its kind, the side that makes it, the number needed, and the cards and the Point that it
    concerns."""

    kind: Check
    side: Side
    need: int
    unit: str | None = None
    card: str | None = None
    target: str | None = None
    point: str | None = None


class CheckResult(NamedTuple):
    """Whether a check succeeded, and the natural value of its last die."""

    success: bool
    value: int


def check(table: Table, checking: Checking) -> CheckResult:
    """CHECK: make a throw that does not belong to an attack. Rerolls are possible only if the throw belongs to a
    feature (J14)."""
    kind, side, need, unit, card, target, point = checking
    is_feature = kind in _FEATURE_CHECKS
    family = "feature" if is_feature else "order" if kind == "order" else "captive"
    bonus = held_effect(table, side, "feature") if is_feature else 0
    barred = [name for name in (unit, target) if name is not None]
    keys = (family,) if unit is None else (unit, family)
    poured = pour(table, side, keys, need - bonus, barred)
    table.tell(
        {
            "type": "check",
            "what": kind,
            "side": side,
            "unit": unit,
            "card": card,
            "target": target,
            "point": point,
            "need": need,
            "bonus": bonus,
            "poured": poured,
        }
    )
    least = need - bonus - poured
    value = roll(table, side, kind, "first", least)
    if is_feature and unit is not None:
        able = payers(table, side, keys, star=table.card(unit).star)
        while value < least and pay(table, able, last_die=True, barred=barred):
            value = roll(table, side, kind, "reroll", least)
    if value < least:
        table.add_rd(side, 1, "miss")
    return CheckResult(value >= least, value)


def held_effect(table: Table, side: Side, effect: str) -> int:
    """Return the bonus that `side` gets now if Echo has the black effect called `effect`; 0 if it gets none (R71)."""
    echo = table.echo
    if echo is None or echo.colour != "black" or echo.effect != effect or ECHO not in table.points:
        return 0
    return echo.value if table.control(ECHO) == side else 0
