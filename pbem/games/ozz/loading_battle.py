"""The battle of a position from plain data (ozz §18)."""

from collections import Counter as Tally
from collections.abc import Mapping
from typing import Any

from pbem.games.base import Seat
from pbem.games.options import quote
from pbem.games.ozz.board import grid_of
from pbem.games.ozz.data import BELL, Switches
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import OFF, Codes, Orders
from pbem.games.ozz.plain import Plain
from pbem.games.ozz.state import Battle, BoardBell, Fighter, Marker, Plan
from pbem.games.ozz.table import can_carry

_KEYS = frozenset((
    "at", "origin", "terrain", "walls", "fort", "turn", "attacker", "defender", "units", "spells", "cast", "raised",
    "exit", "left", "bell", "fast", "plans",
))  # fmt: skip
_FIGHTER = frozenset(("seat", "space", "group", "spent"))
_MARKER = frozenset(("spell", "by", "on"))
_PLAN = frozenset(("orders", "turn", "rounds", "units"))
_BELL = frozenset(("seat", "space", "carrier", "silent"))
_TURN = 2  # of a position that does not say: everybody is deployed


def load_battle(loader: Plain, value: Any, scenario: Mapping[str, Any], switches: Switches) -> Battle:
    """The battle of a position; what is wrong with it becomes a problem of the loader's."""
    return _BattleLoader(loader, scenario, switches).battle(loader.object("battle", value, _KEYS))


class _BattleLoader:
    """Takes a battle apart."""

    def __init__(self, loader: Plain, scenario: Mapping[str, Any], switches: Switches) -> None:
        self.plain, self.scenario, self.switches = loader, scenario, switches
        self.data, self.skirmish = loader.data, loader.skirmish
        self.spaces = grid_of(loader.data).spaces
        self.sides: tuple[Seat, Seat] = loader.seats[:2]  # type: ignore[assignment]

    def battle(self, given: Mapping[str, Any]) -> Battle:
        plain = self.plain
        attacker = plain.seat("battle, attacker", given.get("attacker", plain.seats[0]))
        defender = plain.seat("battle, defender", given.get("defender", plain.seats[1]))
        if attacker == defender:
            plain.problem("battle", "attacker and defender are two nations.")
        self.sides = attacker, defender
        at, origin = (self._point(f"battle, {key}", given.get(key), needed=key == "at") for key in ("at", "origin"))
        turn = plain.number("battle, turn", given.get("turn", _TURN), 1, self.data.values["battle_turns"])
        units = self._fighters(given.get("units", {}), turn)
        walls = plain.number("battle, walls", given.get("walls", 0), 0, 2)
        usual = self.data.points[at].terrain if at else self.scenario.get("terrain", "open")
        terrains = dict.fromkeys((usual, *(point.terrain for point in self.data.points.values())))
        found = Battle(
            at=at,
            origin=origin,
            terrain=plain.one_of("battle, terrain", given.get("terrain", usual), terrains),
            walls=walls if self.switches.walls else 0,
            fort=plain.truth(
                "battle, fort", given.get("fort", any(self.data.counters[one].intrinsic for one in units))
            ),
            turn=turn,
            attacker=attacker,
            defender=defender,
            units=units,
            spells=plain.list("battle, spells", given.get("spells", []), self._marker),
            cast=plain.list("battle, cast", given.get("cast", []), self._cast),
            raised=plain.list("battle, raised", given.get("raised", []), plain.counter),
            exit=self._exit(given.get("exit", {})),
            left=self._left(given.get("left", {})),
            bell=self._bell(given["bell"], units, turn) if given.get("bell") is not None else None,
            fast=plain.list("battle, fast", given.get("fast", []), self._side),
            plans={
                self._side("battle, plans", seat): self._plan(f"battle, plans, {seat}", plan)
                for seat, plan in plain.object("battle, plans", given.get("plans", {})).items()
            },
        )
        self._check_markers(found)
        self._check_places(found)
        return found

    def _point(self, where: str, value: Any, *, needed: bool) -> str | None:
        if value is None and (self.skirmish or not needed):
            return None
        if self.skirmish:
            self.plain.problem(where, "a skirmish is nowhere on the map.")
        return self.plain.point(where, value)

    def _side(self, where: str, value: Any) -> Seat:
        seat = self.plain.seat(where, value)
        if seat not in self.sides:
            self.plain.problem(where, f"the {seat} are not in the battle.")
            return self.sides[0]
        return seat

    def _plan(self, where: str, value: Any) -> Plan | None:
        if value is None:
            return None
        given, most = self.plain.object(where, value, _PLAN), self.data.values["battle_turns"]
        orders = read_canonical(self.data, given["orders"]) if isinstance(given.get("orders"), str) else None
        if orders is None:
            self.plain.problem(where, f"these are no orders: {quote(given.get('orders'))}.")
        turn, rounds = (self.plain.number(where, given.get(key, 1), 1, most) for key in ("turn", "rounds"))
        return Plan(orders or Orders(), turn, rounds, self.plain.number(where, given.get("units", 0), 0))

    # Who is there

    def _fighters(self, value: Any, turn: int) -> dict[str, Fighter]:
        found: dict[str, Fighter] = {}
        for code, one in self.plain.object("battle, units", value).items():
            if self.plain.counter("battle, units", code):
                found[code] = self._fighter(code, self.plain.object(f"battle, units, {code}", one, _FIGHTER), turn)
        for code, fighter in found.items():
            if fighter.group is not None:
                self._check_group(code, fighter, found)
        sizes = Tally(one.group for one in found.values() if one.group)
        most = self.data.values["group_max"]
        for leader, number in sizes.items():
            if number > most:
                self.plain.problem(f"battle, units, {leader}", f"a group has {most} units at most.")
        return found

    def _fighter(self, code: str, given: Mapping[str, Any], turn: int) -> Fighter:
        card, where = self.data.counters[code], f"battle, units, {code}"
        seat = self.plain.owner(where, card, given, self._usual_owner(code))
        if seat not in self.sides or (card.intrinsic and seat != self.sides[1]):
            self.plain.problem(where, f"{code} cannot be of the {seat} here.")
        space, group, spent = given.get("space"), given.get("group"), given.get("spent", False)
        if (space is not None or turn > 1) and space not in self.spaces:
            self.plain.problem(where, f"there is no space {quote(space)}.")
            space = None
        if not isinstance(group, str | None):
            self.plain.problem(where, f"there is no group {quote(group)}.")
            group = None
        if self.plain.truth(where, spent) and card.kind != "cavalry":
            self.plain.problem(where, "only cavalry is spent.")
        return Fighter(seat, space, group, spent is True)

    def _usual_owner(self, code: str) -> Seat | None:
        """Whose a counter of no nation is, if it is not said: walls are the defender's, others as on the map."""
        if self.data.counters[code].intrinsic:
            return self.sides[1]
        units = self.plain.position.get("units")
        on_map = units.get(code) if isinstance(units, dict) else None
        return on_map.get("seat") if isinstance(on_map, dict) else None

    def _check_group(self, code: str, one: Fighter, found: Mapping[str, Fighter]) -> None:
        where, card = f"battle, units, {code}", self.data.counters[code]
        leader = found.get(one.group) if isinstance(one.group, str) else None
        if leader is None or self.data.counters[one.group or ""].kind not in ("ruler", "hero"):
            self.plain.problem(where, f"{quote(one.group)} leads no group here.")
        elif (leader.seat, leader.space) != (one.seat, one.space):
            self.plain.problem(where, f"its leader {one.group} is elsewhere.")
        elif card.leader or card.intrinsic:
            self.plain.problem(where, f"{code} is in no group.")

    def _left(self, value: Any) -> dict[Seat, Codes]:
        given = self.plain.object("battle, left", value, self.sides)
        return {
            seat: self.plain.list(f"battle, left, {seat}", given.get(seat, []), self.plain.counter)
            for seat in self.sides
        }

    def _exit(self, value: Any) -> dict[Seat, str]:
        found: dict[Seat, str] = {}
        for key, point in self.plain.object("battle, exit", value).items():
            seat = self._side("battle, exit", key)
            if self.skirmish:
                found[seat] = self.plain.one_of("battle, exit", point, (OFF,))
            else:
                found[seat] = self.plain.point("battle, exit", point) or ""
        return found

    def _check_places(self, battle: Battle) -> None:
        """Nobody is on the board and off it, and who has left goes somewhere."""
        gone = [code for codes in battle.left.values() for code in codes]
        for code in gone:
            if code in battle.units or gone.count(code) > 1 or self.data.counters[code].intrinsic:
                self.plain.problem("battle, left", f"{code} cannot be there.")
        for seat, codes in battle.left.items():
            if codes and seat not in battle.exit:
                self.plain.problem("battle, exit", f"some of the {seat} have left, and go nowhere.")
        if len(set(battle.raised)) < len(battle.raised):
            self.plain.problem("battle, raised", "one of them is there twice.")

    # Spells and the Bell

    def _marker(self, where: str, value: Any) -> Marker | None:
        given = self.plain.object(where, value, _MARKER)
        spell, by = self.plain.spell(where, given.get("spell")), self.plain.leader(where, given.get("by"))
        return Marker(spell, by, given.get("on")) if spell and by else None

    def _cast(self, where: str, value: Any) -> tuple[str, str] | None:
        if not isinstance(value, list) or len(value) != 2:
            self.plain.problem(where, f"this is a leader and a spell, not {quote(value)}.")
            return None
        by, spell = self.plain.leader(where, value[0]), self.plain.spell(where, value[1])
        return (by, spell) if by and spell else None

    def _check_markers(self, battle: Battle) -> None:
        targets = {code for code in battle.units if not self.data.counters[code].leader}
        targets |= {BELL} if battle.bell else set()
        for one in battle.spells:
            if one.on is not None and not (isinstance(one.on, str) and one.on in targets):
                self.plain.problem("battle, spells", f"{quote(one.on)} is not on the board.")

    def _bell(self, value: Any, units: Mapping[str, Fighter], turn: int) -> BoardBell:
        given, where = self.plain.object("battle, bell", value, _BELL), "battle, bell"
        seat, space, carrier = self._side(where, given.get("seat")), given.get("space"), given.get("carrier")
        if (space is not None or turn > 1) and space not in self.spaces:
            self.plain.problem(where, f"there is no space {quote(space)}.")
        if carrier is not None and self.plain.counter(where, carrier):
            one = units.get(carrier)
            if one is None or (one.seat, one.space) != (seat, space) or not can_carry(self.data.counters[carrier]):
                self.plain.problem(where, f"{carrier} is not with the Bell, or cannot carry it.")
        return BoardBell(seat, space, carrier, self.plain.truth(where, given.get("silent", False)))
