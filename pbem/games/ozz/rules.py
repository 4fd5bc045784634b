"""The rules of Campaigns of Ozz: a pure function plays a round of letters. § and J refer to docs/games/ozz.md.

A letter can stand for several turns of a battle (§5.38). Nothing here does I/O, reads a clock, or changes its
arguments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from pbem import Sentence
from pbem.games.base import Departure, Event, Result, Ruling, Seat
from pbem.games.chance import Chance
from pbem.games.ozz import battle, campaign, orders
from pbem.games.ozz.board_legality import BoardChecker
from pbem.games.ozz.data import Data
from pbem.games.ozz.orders import Codes, Item, Orders
from pbem.games.ozz.state import Battle, Plan, State
from pbem.games.ozz.table import Table, active, scores
from pbem.games.ozz.wording import CALLED

RULES_VERSION = "1"  # a published version never changes; another interpretation of the rules gets a new number

REASONS = {
    "castle": Sentence("The enemy's Castle is razed."),
    "points": Sentence("The winner has the most points after the last turn."),
    "alone": Sentence("No other nation is left."),
    "field": Sentence("Only the winner is left on the battlefield."),
    "strength": Sentence("Most strength on the board."),
}
"""Sentences about why a game was won, keyed by the `reason` of the game's end."""
_DRAWN = Sentence("Everything is equal at the end.")


def awaiting(state: State) -> tuple[Seat, ...]:
    """Return the seats that must send orders, in seat order: during a battle on the board, each side whose orders do
    not stand; otherwise, every nation that is not out.

    If one side of a battle has resigned and the orders of the other side stand, no seat is awaited, and the turn is
    played without new letters.
    """
    plans = state.battle.plans if state.battle else {}
    return tuple(seat for seat in accepts_orders_from(state) if seat not in plans)


def accepts_orders_from(state: State) -> tuple[Seat, ...]:
    """Return the seats whose letters count, in seat order: the seats that must write, and those whose orders stand in a
    battle."""
    if state.phase == "over":
        return ()
    if state.battle:
        sides = (state.battle.attacker, state.battle.defender)
        writers = tuple(seat for seat in state.seats if seat in sides and seat not in state.resigned)
        if writers:
            return writers
    return tuple(seat for seat in active(state) if seat not in state.resigned)


def resolve(state: State, letters: Mapping[Seat, Orders | None], chance: Chance) -> Ruling[State]:
    """Play a round with legal `letters`. A seat without a letter has missed the round."""
    if state.phase == "over":
        return Ruling(state, ())
    table = Table(state, chance)
    for seat in awaiting(state):
        if letters.get(seat) is None:
            table.tell({"type": "missed", "seat": seat})
    if state.phase == "orders":
        campaign.play(table, letters)
    elif _fight(table, letters) and state.battle and state.battle.at:
        campaign.resume(table, state.battle.at)
    return Ruling(table.state(), tuple(table.events))


def _fight(table: Table, letters: Mapping[Seat, Orders | None]) -> bool:
    """Play a turn of the battle, and further turns as long as nobody has to write (§5.38); return whether the battle is
    over."""
    while table.battle:
        before, start = table.battle, len(table.events)
        if battle.play_turn(table, in_force(table, letters)):
            return True
        go_on(table, before, letters, table.events[start:])
        letters = {}
        if not table.battle.plans or not table.battle.plans.keys() >= {*accepts_orders_from(table.state())}:
            break
        table.tell({"type": "turn", "turn": table.battle.turn})
    return False


def result(state: State) -> Result | None:
    """Return the result if the game is over, otherwise None. The ranking is by points, with resigned seats last."""
    outcome = state.result
    if outcome is None:
        return None
    reason = REASONS[outcome.reason] if outcome.winner else _DRAWN
    return Result(outcome.winner, reason, ranking=ranking(state, outcome.winner))


def ranking(state: State, winner: Seat | None) -> tuple[tuple[Seat, ...], ...]:
    """Return the ranking of more than two seats, place by place: the winner, then the other nations in play by points,
    then those that are out, and last, in a shared place, those that have resigned. Return () for two seats."""
    if len(state.seats) < 3:
        return ()
    points, playing = scores(state), set(active(state))

    def key(seat: Seat) -> tuple[bool, bool, bool, int]:
        resigned = seat in state.resigned
        return seat != winner, resigned, resigned or seat not in playing, 0 if resigned else -points[seat]

    places: dict[tuple[bool, bool, bool, int], list[Seat]] = {}
    for seat in state.seats:
        places.setdefault(key(seat), []).append(seat)
    return tuple(tuple(places[place]) for place in sorted(places))


def resigned(state: State, seat: Seat) -> Departure[State]:
    """Return the consequences of the resignation of `seat` (J34): if only one nation remains, it has won; otherwise the
    resigned nation acts by the default orders and is ranked last."""
    after = replace(state, resigned=(*state.resigned, seat))
    if after.battle and seat in after.battle.plans:
        plans = {side: plan for side, plan in after.battle.plans.items() if side != seat}
        after = replace(after, battle=replace(after.battle, plans=plans))
    remaining = [nation for nation in active(after) if nation not in after.resigned]
    if len(remaining) > 1:
        return Departure(after, None)
    winner = remaining[0] if remaining else None
    values = {"nation": CALLED[seat]}
    why = Sentence("{nation} have given up.", **values)
    return Departure(after, Result(winner, why, forfeit=True, ranking=ranking(after, winner)))


Reason = Literal["leader", "losses", "chaos", "skeleton", "melee"]
"""The unforeseen developments that end a standing letter. Each is a value of `why` in an event of the type
`unforeseen`."""

_FIRST_TURN_ONLY = (orders.Deploy, orders.Group, orders.FightFast, orders.Lasting)
_ONCE = ("fireball", "healing", "transport")


def in_force(table: Table, written: Mapping[Seat, Orders | None]) -> dict[Seat, Orders | None]:
    """Return the letters that apply in this turn, keyed by seat: the seat's letter in `written`, or otherwise the part
    of its standing plan that still applies."""
    state = table.state()
    standing = state.battle.plans if state.battle else {}
    letters = {seat: still_holds(state, seat, plan.orders) for seat, plan in standing.items() if plan}
    return {**letters, **{seat: letter for seat, letter in written.items() if letter is not None}}


def still_holds(state: State, seat: Seat, orders: Orders) -> Orders:
    """Return the part of a letter that applies in a later turn. Items for the first turn only, spells that cannot be
    cast again, and counters that are gone are left out. The steps that a force has already taken are also left out of
    its order, so that the force continues straight on (§5.17)."""
    items: tuple[Item, ...] = ()
    for item in orders.items:
        for now in () if isinstance(item, _FIRST_TURN_ONLY) else _forms(state, seat, item):
            if not BoardChecker(state, seat, (*items, now)).check():
                items = (*items, now)
                break
    return Orders(items)


def _forms(state: State, seat: Seat, item: Item) -> Sequence[Item]:
    """Return the forms that `item` can take in a later turn. The first legal form is the one that applies."""
    battle = state.battle
    assert battle is not None
    match item:
        case orders.Order():
            ways = [replace(item, way=item.way[passed:]) for passed in range(len(item.way) + 1)]
            return (*ways, *(replace(order, change=order.change and replace(order.change, way=())) for order in ways))
        case orders.Cast() if item.spell in _ONCE or any(
            (marker.by, marker.spell, marker.on) == (item.caster, item.spell, item.on) for marker in battle.spells
        ):
            return ()
        case orders.Losses(units) | orders.Evade(units) | orders.Join(units) | orders.Shoot(units) if units:
            present = _in_battle(battle, seat, units)
            return (replace(item, units=present),) if present else ()
        case orders.ActingOrder(forces):
            return (orders.ActingOrder(_in_battle(battle, seat, forces)),)
    return (item,)


def _in_battle(battle: Battle, seat: Seat, codes: Codes) -> Codes:
    return tuple(code for code in codes if code in battle.units and battle.units[code].seat == seat)


def go_on(table: Table, before: Battle, written: Mapping[Seat, Orders | None], events: Sequence[Event]) -> None:
    """Determine which letters remain in force after a turn of the battle, and record why the others have ended.
    `before` is the battle at the start of the turn, and `events` are the events of the turn."""
    assert table.battle is not None
    plans: dict[Seat, Plan | None] = {}
    for seat in (before.attacker, before.defender):
        plan = _next_plan(table, before, seat, written.get(seat))
        if plan is None or plan.rounds < 1:
            continue
        if why := _unforeseen(table.state(), before, seat, plan, events):
            table.tell({"type": "unforeseen", "seat": seat, "why": why})
        else:
            plans[seat] = plan
    table.battle = replace(table.battle, plans=plans)


def _next_plan(table: Table, before: Battle, seat: Seat, letter: Orders | None) -> Plan | None:
    """Return the plan of `seat` after the turn. A new `letter` replaces the old plan, but becomes a plan itself only if
    it says that the orders stand. Without a letter, the old plan continues with one round fewer."""
    if letter is None:
        plan = before.plans.get(seat)
        return plan and replace(plan, rounds=plan.rounds - 1)
    lasting = next((item for item in letter.items if isinstance(item, orders.Lasting)), None)
    if lasting is None:
        return None
    rounds = lasting.rounds or table.values["battle_turns"]
    return Plan(letter, before.turn, rounds - 1, len(_units(table.data, before, seat)))


def _units(data: Data, battle: Battle, seat: Seat) -> Codes:
    return tuple(code for code, unit in battle.units.items() if unit.seat == seat and not data.counters[code].leader)


def _unforeseen(state: State, before: Battle, seat: Seat, plan: Plan, events: Sequence[Event]) -> Reason | None:
    """Return the reason why the turn ends the plan of `seat`; None if the plan continues."""
    battle, cards = state.battle, state.data.counters
    assert battle is not None
    gone = before.units.keys() - battle.units.keys()
    if any(before.units[code].seat == seat and cards[code].leader for code in gone):
        return "leader"
    if 2 * len(_units(state.data, battle, seat)) <= plan.units:
        return "losses"
    for event in events:
        if event["type"] == "roll" and event["for"] == "chaos" and event["seat"] == seat:
            return "chaos"
        if event["type"] == "skeleton" and event["unit"] and event["seat"] != seat:
            return "skeleton"
    return "melee" if _is_idle_in_melee(state, battle, seat, plan.orders) else None


def _is_idle_in_melee(state: State, battle: Battle, seat: Seat, letter: Orders) -> bool:
    """Return whether there is a space with enemies in which the side has units, but none of these units attacks the
    enemies."""
    by_force = {item.force: item for item in still_holds(state, seat, letter).items if isinstance(item, orders.Order)}
    enemy = battle.defender if seat == battle.attacker else battle.attacker
    enemies = {battle.units[code].space for code in _units(state.data, battle, enemy)}
    fights, idle = set[str | None](), set[str | None]()
    for code in _units(state.data, battle, seat):
        fighter = battle.units[code]
        order = by_force.get(fighter.group or code)
        acts = order is not None and (order.word != "stand" or fighter.space in order.attack)
        (fights if acts else idle).add(fighter.space)
    return not enemies.isdisjoint(idle - fights)
