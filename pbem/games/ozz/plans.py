"""Letters that stand for several turns of a battle (ozz §5.38): what of them holds in a later one, and what ends it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pbem.games.base import Event, Seat
from pbem.games.ozz.board_legality import BoardChecker
from pbem.games.ozz.data import Data
from pbem.games.ozz.orders import (
    ActingOrder,
    Cast,
    Codes,
    Deploy,
    Evade,
    FightFast,
    Group,
    Item,
    Join,
    Lasting,
    Losses,
    Order,
    Orders,
    Shoot,
)
from pbem.games.ozz.state import Battle, Plan, State
from pbem.games.ozz.table import Table

Reason = Literal["leader", "losses", "chaos", "skeleton", "melee"]
"""What a letter that stands cannot have foreseen, by the word of the event that tells it."""

_FIRST_TURN_ONLY = (Deploy, Group, FightFast, Lasting)
_ONCE = ("fireball", "healing", "transport")


def in_force(table: Table, written: Mapping[Seat, Orders | None]) -> dict[Seat, Orders | None]:
    """The letters of a turn: what was written for it, and of who wrote nothing what stands."""
    state = table.state()
    standing = state.battle.plans if state.battle else {}
    kept = {seat: still_holds(state, seat, plan.orders) for seat, plan in standing.items() if plan}
    return {**kept, **{seat: letter for seat, letter in written.items() if letter is not None}}


def still_holds(state: State, seat: Seat, orders: Orders) -> Orders:
    """What of a letter holds in a later turn: all but what is for the first one only, without those who are gone. A way
    that is behind a force is left out of its order, so that it goes straight on (§5.17)."""
    items: tuple[Item, ...] = ()
    for item in orders.items:
        for now in () if isinstance(item, _FIRST_TURN_ONLY) else _forms(state, seat, item):
            if not BoardChecker(state, seat, (*items, now)).check():
                items = (*items, now)
                break
    return Orders(items)


def _forms(state: State, seat: Seat, item: Item) -> Sequence[Item]:
    """What an item may be in a later turn, the first that is legal then."""
    battle = state.battle
    assert battle is not None
    match item:
        case Order():
            ways = [replace(item, way=item.way[passed:]) for passed in range(len(item.way) + 1)]
            return (*ways, *(replace(one, change=one.change and replace(one.change, way=())) for one in ways))
        case Cast() if item.spell in _ONCE or any(
            (one.by, one.spell, one.on) == (item.caster, item.spell, item.on) for one in battle.spells
        ):
            return ()
        case Losses(units) | Evade(units) | Join(units) | Shoot(units) if units:
            left = _there(battle, seat, units)
            return (replace(item, units=left),) if left else ()
        case ActingOrder(forces):
            return (ActingOrder(_there(battle, seat, forces)),)
    return (item,)


def _there(battle: Battle, seat: Seat, codes: Codes) -> Codes:
    return tuple(code for code in codes if code in battle.units and battle.units[code].seat == seat)


def go_on(table: Table, before: Battle, written: Mapping[Seat, Orders | None], events: Sequence[Event]) -> None:
    """After a turn, of which `before` is the beginning: whose letters stand in the next one. Of those that do no longer
    it is told why."""
    assert table.battle is not None
    plans: dict[Seat, Plan | None] = {}
    for seat in (before.attacker, before.defender):
        plan = _left(table, before, seat, written.get(seat))
        if plan is None or plan.rounds < 1:
            continue
        if why := _unforeseen(table.state(), before, seat, plan, events):
            table.tell({"type": "unforeseen", "seat": seat, "why": why})
        else:
            plans[seat] = plan
    table.battle = replace(table.battle, plans=plans)


def _left(table: Table, before: Battle, seat: Seat, letter: Orders | None) -> Plan | None:
    """What is left of a plan: of a new letter's, if it says that it stands, else of the old one's."""
    if letter is None:
        plan = before.plans.get(seat)
        return plan and replace(plan, rounds=plan.rounds - 1)
    lasting = next((item for item in letter.items if isinstance(item, Lasting)), None)
    if lasting is None:
        return None
    rounds = lasting.rounds or table.values["battle_turns"]
    return Plan(letter, before.turn, rounds - 1, len(_units(table.data, before, seat)))


def _units(data: Data, battle: Battle, seat: Seat) -> Codes:
    return tuple(code for code, one in battle.units.items() if one.seat == seat and not data.counters[code].leader)


def _unforeseen(state: State, before: Battle, seat: Seat, plan: Plan, events: Sequence[Event]) -> Reason | None:
    """What has happened that ends a plan, if anything has."""
    battle, cards = state.battle, state.data.counters
    assert battle is not None
    if any(one.seat == seat and cards[code].leader and code not in battle.units for code, one in before.units.items()):
        return "leader"
    if 2 * len(_units(state.data, battle, seat)) <= plan.units:
        return "losses"
    for event in events:
        if event["type"] == "roll" and event["for"] == "chaos" and event["seat"] == seat:
            return "chaos"
        if event["type"] == "skeleton" and event["unit"] and event["seat"] != seat:
            return "skeleton"
    return "melee" if _is_idle_in_melee(state, battle, seat, plan.orders) else None


def _is_idle_in_melee(state: State, battle: Battle, seat: Seat, orders: Orders) -> bool:
    """Whether enemies are where units of a side stand and none attacks them."""
    given = {item.force: item for item in still_holds(state, seat, orders).items if isinstance(item, Order)}
    enemy = battle.defender if seat == battle.attacker else battle.attacker
    enemies = {battle.units[code].space for code in _units(state.data, battle, enemy)}
    fights, idle = set[str | None](), set[str | None]()
    for code in _units(state.data, battle, seat):
        one = battle.units[code]
        order = given.get(one.group or code)
        acts = order is not None and (order.word != "stand" or one.space in order.attack)
        (fights if acts else idle).add(one.space)
    return not enemies.isdisjoint(idle - fights)
