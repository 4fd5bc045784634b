"""The changing position during a turn, and the operations on it that the rules use.

A `Table` is created from a state, which it does not modify; its method `state` returns the resulting state.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbem.games.base import Seat
from pbem.games.chance import Chance
from pbem.games.ozz.data import Card
from pbem.games.ozz.orders import Codes
from pbem.games.ozz.state import MERCENARIES, Battle, Counter, GameEnd, MapBell, State


def in_losses_order(cards: Iterable[Card], named: Codes) -> list[Card]:
    """Sort units into the order in which their owner loses them (§7.1): first the units in `named`, in that order, then
    the others by value. `cards` must be in roster order."""
    place = {code: at for at, code in enumerate(named)}
    return sorted(cards, key=lambda card: (place.get(card.code, len(place)), card.value))


def can_carry(card: Card) -> bool:
    """Return whether a counter can carry the Bell, that is, whether it is a unit that neither flies nor is intrinsic
    (§5.29)."""
    return not card.leader and not card.intrinsic and card.kind != "flying"


def strength(position: "State | Table", point: str) -> int:
    """Return the present intrinsic strength of `point` (§1.5, §8.7)."""
    place = position.data.points[point]
    return 0 if not place.center or place.nation not in position.seats or point in position.razed else place.strength


class Table:
    """The counters, points and events of one round."""

    def __init__(self, state: State, chance: Chance) -> None:
        self._before, self._chance = state, chance
        self.data, self.seats, self.options = state.data, state.seats, state.options
        self.switches, self.values, self.points = state.options.switches, state.data.values, state.data.points
        self.turn, self.phase = state.turn, state.phase
        self.units, self.control, self.razed = {**state.units}, {**state.control}, {**state.razed}
        self.pools = {owner: [*codes] for owner, codes in state.pools.items()}
        self.fallen, self.spells = {**state.fallen}, {**state.spells}
        self.bell, self.queue, self.battle, self.result = state.bell, state.queue, state.battle, state.result
        self.garrison: dict[str, int] = {}
        """The number of batteries in each Fortified Center in this turn, from the letters (§8.6)."""
        self.events: list[Mapping[str, Any]] = []

    def state(self) -> State:
        """Return the state that the table has reached."""
        return replace(
            self._before,
            turn=self.turn,
            phase=self.phase,
            units=self.units,
            control=self.control,
            razed=self.razed,
            pools={owner: tuple(codes) for owner, codes in self.pools.items()},
            fallen=self.fallen,
            spells=self.spells,
            bell=self.bell,
            queue=self.queue,
            battle=self.battle,
            result=self.result,
        )

    def tell(self, event: Mapping[str, Any]) -> None:
        self.events.append(event)

    def die(self) -> int:
        return self._chance.die(self.values["die"])

    def roll(self, purpose: str, **details: Any) -> int:
        """Roll a die, record its purpose and the other `details` for the story, and return its value. If the details
        include `needs`, a roll up to that value succeeds."""
        value = self.die()
        if "needs" in details:
            details["hit"] = value <= details["needs"]
        self.tell({"type": "roll", "for": purpose, "value": value, **details})
        return value

    # Positions

    def counters_at(self, point: str, seat: Seat | None = None) -> list[str]:
        """Return the counters on `point` in roster order, or only those of `seat` if a seat is given."""
        here = (code for code, counter in self.units.items() if counter.at == point and seat in (None, counter.seat))
        return self.data.in_order(here)

    def strength(self, point: str) -> int:
        """Return the present intrinsic strength of `point` (§1.5, §8.7)."""
        return strength(self, point)

    def intrinsic(self, point: str) -> Codes:
        """Return the units that represent a point's intrinsic strength in a battle, including batteries (§8.6)."""
        strength = self.strength(point)
        batteries = min(self.garrison.get(point, 0), strength)  # no batteries if the Center was razed (§8.7)
        cards = [card for card in self.data.counters.values() if card.intrinsic]
        infantry = [card.code for card in cards if card.kind != "artillery"][: strength - batteries]
        return (*infantry, *[card.code for card in cards if card.kind == "artillery"][:batteries])

    def is_enemy_to(self, seat: Seat, point: str) -> bool:
        """Return whether `point` contains counters of other seats, or intrinsic strength of a nation other than
        `seat`."""
        for counter in self.units.values():
            if counter.at == point and counter.seat != seat:
                return True
        return bool(self.strength(point)) and self.points[point].nation != seat

    # Retreats

    def retreat_point(self, seat: Seat, at: str, origin: str | None, *, attacks: bool, wishes: Codes) -> str | None:
        """Return the point to which `seat` retreats from a battle at the point `at`; None if it cannot retreat
        (§6.3-6.5).

        `origin` is the point from which the attacker came, `attacks` is true if `seat` is the attacker, and `wishes`
        contains the points in the seat's `Retreat to` order.
        """
        if attacks:
            return None if origin is None or self.is_enemy_to(seat, origin) else origin
        able = [end for end in self.data.links[at] if end != origin and not self.is_enemy_to(seat, end)]
        if not able:
            return None
        first = min(self.priority(seat, at, end) for end in able)
        best = [end for end in able if self.priority(seat, at, end) == first]
        return next((end for end in wishes if end in best), best[0])  # links are in point order

    def priority(self, seat: Seat, at: str, to: str) -> int:
        """Return the priority of the point `to` for the retreat of a defender from the point `at` (§6.4): 1 if `to` is
        closer to the nation's Castle and no enemies are there, 2 if `to` is in the national territory or closer to it,
        otherwise 3."""
        castle, territory = self.data.castles[seat], self.data.territory[seat]
        from_castle = self.data.distances[castle]
        if from_castle[to] < from_castle[at] and not any(
            counter.at == castle and counter.seat != seat for counter in self.units.values()
        ):
            return 1
        return 2 if territory[to] == 0 or territory[to] < territory[at] else 3

    def arrive(self, seat: Seat, codes: Codes, point: str, losses: Codes, *, attacks: bool) -> None:
        """Move the retreating counters `codes` to `point`, and roll for their attrition (§6.6)."""
        source = self.units[codes[0]].at or point
        for code in codes:
            counter = self.units[code]
            self.units[code] = replace(counter, at=point, done=counter.done or self.switches.rest)
        if self.bell and self.bell.carrier in codes:
            self.bell = replace(self.bell, at=point)
        priority = None if attacks else self.priority(seat, source, point)
        about = {"source": source, "to": point, "units": list(codes), "priority": priority}
        self.tell({"type": "retreat", "seat": seat, **about})
        self.attrition(seat, codes, point, losses)

    def attrition(self, seat: Seat, codes: Iterable[str], point: str, losses: Codes) -> None:
        """Roll for attrition if `codes` includes at least as many units as the data set requires (three in the shipped
        one). A roll above the safe value eliminates the first unit in the order of losses (§3.6)."""
        cards = [self.data.counters[code] for code in self.data.in_order(codes)]
        units = [card for card in cards if not card.leader]
        if len(units) < self.values["attrition_units"]:
            return
        safe = self.values["attrition_from"] - len(units) - 1
        if self.roll("attrition", seat=seat, at=point, needs=safe) > safe:
            self.eliminate(in_losses_order(units, losses)[0].code)

    # Losses and gains

    def eliminate(self, code: str, seat: Seat | None = None) -> None:
        """Remove a lost unit or a killed leader (§5.28, §8.5): the counter goes to the bottom of a pool, counts as
        fallen, or is gone for good. `seat` is only needed for an intrinsic unit."""
        card, counter = self.data.counters[code], self.units.pop(code, None)
        to = None
        if card.kind == "ruler":
            self.fallen[code] = self.turn
        elif card.kind != "hero" and not card.reserve and not card.intrinsic:
            to = MERCENARIES if card.mercenary else card.nation
        pool = to if to in self.pools else None
        if pool:
            self.pools[pool].append(code)
        seat = counter.seat if counter else seat
        self.tell({"type": "lost", "unit": code, "seat": seat, "to": "fallen" if code in self.fallen else pool})
        if self.bell and self.bell.carrier == code:
            self.bell = replace(self.bell, carrier=None)

    def take_up_bell(self) -> None:
        """If the Bell has no carrier, let a unit on its point take it: the first unit of the Bell's side that can carry
        it, otherwise the first enemy unit (§5.29)."""
        bell = self.bell
        if bell is None or bell.carrier is not None or bell.at is None:
            return
        able = [code for code in self.counters_at(bell.at) if can_carry(self.data.counters[code])]
        code = next((unit for unit in able if self.units[unit].seat == bell.seat), able[0] if able else None)
        if code is not None:
            seat = self.units[code].seat
            if seat != bell.seat:
                self.tell({"type": "captured", "seat": seat, "by": code})
            self.bell = MapBell(seat, bell.at, code)

    def raze(self, point: str, seat: Seat) -> None:
        """Record that `seat` has razed the Fortified Center `point`. In a game of two nations, razing the enemy's
        Castle wins at once (§9.1)."""
        self.razed[point] = seat
        self.tell({"type": "razed", "at": point, "seat": seat})
        if self.points[point].kind == "castle" and len(self.seats) == 2:
            self.result = GameEnd(seat, "castle")

    def take(self) -> None:
        """Give each population center to the nation whose units are alone in it (§3.7)."""
        cards, control, holders = self.data.counters, self.control, dict[str, Seat | None]()
        for code, counter in self.units.items():
            at = counter.at
            if at in control and not cards[code].leader and holders.setdefault(at, counter.seat) != counter.seat:
                holders[at] = None  # units of two nations
        changes = {point: seat for point, seat in holders.items() if seat and seat != control[point]}
        for point in sorted(changes, key=self.data.order.__getitem__):
            control[point] = changes[point]
            self.tell({"type": "control", "at": point, "seat": changes[point]})

    def put(self, code: str, seat: Seat, point: str | None, *, done: bool = False) -> None:
        """Bring the counter `code` into play."""
        self.units[code] = Counter(seat, point, done)


def holds(position: State | Table, seat: Seat, point: str) -> bool:
    """Return whether `seat` has intrinsic strength on `point`, or controls it as a population center."""
    if point in position.control:
        return position.control[point] == seat
    return position.data.points[point].nation == seat and strength(position, point) > 0


def recruiters(state: State, seat: Seat) -> Mapping[str, str]:
    """Return the Heroes of `seat` who can recruit where they are, each with the point where the Hero is."""
    cards, points = state.data.counters, state.data.points
    heroes = {code: state.units[code].at for code in state.data.own(state.units, seat) if cards[code].kind == "hero"}
    return {code: at for code, at in heroes.items() if at and (holds(state, seat, at) or points[at].kind == "grounds")}


def active(position: State | Table) -> tuple[Seat, ...]:
    """Return the nations that are not out, in seat order: those with counters or intrinsic strength (§9.3)."""
    holders = {counter.seat for counter in position.units.values()}
    for code in position.data.centers:
        if (nation := position.data.points[code].nation) not in holders and nation and strength(position, code):
            holders.add(nation)
    return tuple(seat for seat in position.seats if seat in holders)


def scores(position: State | Table) -> dict[Seat, int]:
    """Return the points of each nation so far: one for each unit on the map and each population center, and the
    strength of the Centers that it has razed (§9.2). In a skirmish, return the total value of each side's units on the
    board (§9.4)."""
    points, counters = dict.fromkeys(position.seats, 0), position.data.counters
    if position.battle and position.battle.at is None:
        return points | values(position.battle, position)
    for code, counter in position.units.items():
        points[counter.seat] += not counters[code].leader
    for holder in position.control.values():
        if holder is not None:
            points[holder] += 1
    for point, seat in position.razed.items():
        points[seat] += position.data.points[point].strength
    return points


def ruler_returns(position: State | Table, nation: Seat | None) -> int:
    """Return the highest die roll with which a nation's fallen Ruler returns (§8.5)."""
    points = position.data.points
    razed = [points[code].kind for code in position.razed if points[code].nation == nation]
    return int(position.data.values["ruler_returns"]) - razed.count("castle") - razed.count("fort") // 2


def values(battle: Battle, position: State | Table) -> dict[Seat, int]:
    """Return the total value of each side's units on the board."""
    totals = {battle.attacker: 0, battle.defender: 0}
    for code, fighter in battle.units.items():
        totals[fighter.seat] += position.data.counters[code].value
    return totals
