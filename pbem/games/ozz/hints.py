"""A nation's options: the reach of each stack, recruiting, dangers and chances; on the board, where each force can go
and whom it can attack; and examples of orders.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from pbem import ENGLISH, Say
from pbem.games.base import Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz import wording
from pbem.games.ozz.board import CENTRE, COLUMNS, Field, forces, grid_of
from pbem.games.ozz.combat import can_shoot
from pbem.games.ozz.orders import OFF, Codes, Deploy, Fly, Group, Item, Move, Order, Orders
from pbem.games.ozz.setting import unusual
from pbem.games.ozz.state import MERCENARIES, Battle, State
from pbem.games.ozz.table import Table, recruiters, ruler_returns


def phase(state: State, say: Say = ENGLISH) -> str:
    """Say which turn is about to be played."""
    if state.battle is None:
        return say("Turn {turn} of {turns}.", turn=state.turn, turns=state.options.turns)
    values = {"turn": state.battle.turn, "turns": state.data.values["battle_turns"]}
    if state.battle.at is None:
        return say("Battle, turn {turn} of {turns}.", **values)
    where = wording.point(state.data, state.battle.at)
    return say(
        "Turn {campaign}, battle of {point}: turn {turn} of {turns}.", campaign=state.turn, point=where, **values
    )


def holdings(state: State, seat: Seat, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
    """Return a seat's stacks or forces as pairs of a label and a text that says what the stack or force can do. On the
    map, further pairs describe recruiting and dangers."""
    if state.battle and seat in (state.battle.attacker, state.battle.defender):
        return tuple(_on_the_board(state, state.battle, seat, say))
    return (*_stacks(state, seat, say), *_recruits(state, seat, say), *_danger(state, seat, say))


# On the map


def stacks(state: State, seat: Seat) -> Mapping[str, Codes]:
    """Return a seat's counters, keyed by point. The points are in point order, and each stack is in roster order."""
    own = state.data.own(state.units, seat)
    by_point = {point: tuple(code for code in own if state.units[code].at == point) for point in state.data.points}
    return {point: codes for point, codes in by_point.items() if codes}


def ways(state: State, seat: Seat, start: str) -> Mapping[str, Codes]:
    """Return the cheapest way from `start` to every other point that a stack can reach, keyed by destination. Each way
    includes `start`. A way can end at enemies, but cannot lead past them."""
    table, data = Table(state, NO_CHANCE), state.data
    cheapest: dict[str, Codes] = {start: (start,)}
    costs = {start: 0}
    waiting = [start]
    for point in waiting:
        if point != start and table.is_enemy_to(seat, point):
            continue
        for end, kind in data.links[point].items():
            spent = costs[point] + data.cost[kind]
            if spent <= data.allowance and (end not in cheapest or spent < costs[end]):
                cheapest[end], costs[end] = (*cheapest[point], end), spent
                waiting.append(end)
    return {point: cheapest[point] for point in data.points if point in cheapest and point != start}


def reach(state: State, seat: Seat, start: str) -> Mapping[str, int]:
    """Return the points that a stack can reach from `start`, each with its cost in movement points; no way leads past
    enemies."""
    return {end: state.data.cost_of(way) for end, way in ways(state, seat, start).items()}


def threatened(state: State, seat: Seat) -> set[str]:
    """Return the points that a seat's enemies can reach with units this turn, by road or trail or by air."""
    points: set[str] = set()
    for enemy in state.seats:
        for at, codes in stacks(state, enemy).items() if enemy != seat else ():
            if any(not state.data.counters[code].leader for code in codes):
                points.update(reach(state, enemy, at))
            if flyers(state, codes):
                points.update(end for end in state.data.points if end != at and state.data.in_reach(at, end))
    return points


def flyers(state: State, codes: Codes) -> Codes:
    """Return the counters of a stack that can fly: its flyers, and its leaders if there is at least one flyer."""
    cards = state.data.counters
    if not state.options.switches.flight or not any(cards[code].kind == "flying" for code in codes):
        return ()
    return tuple(code for code in codes if cards[code].leader or cards[code].kind == "flying")


def _stacks(state: State, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    table = Table(state, NO_CHANCE)
    for point, codes in stacks(state, seat).items():
        ends = {end: f"{end}!" if table.is_enemy_to(seat, end) else end for end in state.data.points}
        spent: dict[int, list[str]] = {}
        for end, points in reach(state, seat, point).items():
            spent.setdefault(points, []).append(ends[end])
        parts = [f"{' '.join(there)} ({points})" for points, there in sorted(spent.items())]
        if winged := flyers(state, codes):
            there = [sign for end, sign in ends.items() if end != point and state.data.in_reach(point, end)]
            parts.append(say("{units} by air: {ends}", units=wording.listed(winged), ends=" ".join(there)))
        yield f"{point} {wording.listed(codes)}", ", ".join(parts)


def _recruits(state: State, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    """Say which Heroes can recruit where they are, and what is in the pool."""
    data, cards = state.data, state.data.counters
    for code, at in recruiters(state, seat).items():
        if data.points[at].kind == "grounds":
            number = len(state.pools.get(MERCENARIES, ()))
            yield code, say("recruits mercenaries at {point}; {number} in their pool", number=number, point=at)
            continue
        kinds = [unit for unit in state.pools.get(seat, ()) if at in cards[unit].special]
        text = say("recruits in {point}; {number} in the pool", number=len(state.pools.get(seat, ())), point=at)
        if kinds:
            special = wording.listed(data.in_order(kinds))
            text += "; " + say("specialists: {units}", units=special)
        yield code, text


def summary(state: State, scores: Mapping[Seat, int], say: Say) -> Iterator[str]:
    """Yield figures that players would otherwise have to work out. Figures that do not change during a battle are only
    included in its first turn."""
    if state.battle:
        yield from _plans(state.battle, say)
        if state.battle.at and state.battle.turn > 1:
            return
        yield from _battle(state, state.battle, say)
    points = ", ".join(f"{wording.nation(seat, say)} {number}" for seat, number in scores.items())
    if state.control:
        yield say("Points: {points}.", points=points)
    elif any(scores.values()):
        yield say("Value of the units: {points}.", points=points)
    for ruler in state.fallen:
        in_campaign = state.battle is None or state.battle.at is not None
        if in_campaign and state.options.switches.ruler_return and state.phase != "over":
            yield _return(state, ruler, say)
    if state.resigned:
        gone = ", ".join(wording.nation(seat, say) for seat in state.resigned)
        yield say("Given up, and played by default orders: {nations}.", nations=gone)


def _danger(state: State, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    """List the seat's Fortified Centers that enemies can reach."""
    table, threats = Table(state, NO_CHANCE), threatened(state, seat)
    centers = [
        point
        for point, place in state.data.points.items()
        if place.nation == seat and table.strength(point) and point in threats
    ]
    if centers and not state.battle:
        yield wording.listed(centers), say("enemies can get here in one move")


def _return(state: State, ruler: str, say: Say) -> str:
    """Describe the chance that a fallen Ruler returns (§8.5)."""
    card = state.data.counters[ruler]
    chance = max(0, ruler_returns(state, card.nation)) * 100 // state.data.values["die"]
    return say(
        "{ruler} returns with a chance of {chance} % each turn, if there is a place to go.",
        ruler=card.name,
        chance=chance,
    )


def _battle(state: State, battle: Battle, say: Say) -> Iterator[str]:
    """Say where each side would retreat to, and which moves are waiting for the end of the battle."""
    if battle.at is None:
        return
    table = Table(state, NO_CHANCE)
    for seat in (battle.attacker, battle.defender):
        attacks = seat == battle.attacker
        to = battle.exit.get(seat) or table.retreat_point(seat, battle.at, battle.origin, attacks=attacks, wishes=())
        values = {"nation": wording.nation(seat, say)}
        if to:
            yield say("{nation} would retreat to {point}.", point=wording.point(state.data, to), **values)
        else:
            yield say("{nation} cannot retreat: they have no point to go to.", **values)
    if state.queue and state.queue.todo:
        waiting = "; ".join(
            wording.written(str(_moves(state.queue.letters[seat])[number]), say.language)
            for seat, number in state.queue.todo
        )
        yield say("Moves that wait for the end of this battle: {moves}.", moves=waiting)


def _plans(battle: Battle, say: Say) -> Iterator[str]:
    """Say whose orders remain in force for further turns of the battle, and quote those that `battle` reveals."""
    for seat, plan in battle.plans.items():
        if plan is None:
            yield say("The orders of the {nation} stand.", nation=wording.nation(seat, say))
        else:
            values = {"nation": wording.nation(seat, say), "orders": wording.written(str(plan.orders), say.language)}
            text = say.many(
                "The orders of the {nation} stand for one more turn: {orders}.",
                "The orders of the {nation} stand for {number} more turns: {orders}.",
                plan.rounds,
                **values,
            )
            yield text + " " + say("New orders replace them.")


def _moves(letter: Orders | None) -> list[Item]:
    return [item for item in letter.items if isinstance(item, Move | Fly)] if letter else []


def notes(state: State, say: Say) -> Iterator[str]:
    """Yield the notes on a match: on house values, and on switches that differ from the default."""
    yield say("Map, counter values and base rules are house values: the printed ones are not known to us")
    switches = unusual(state.data.switches, state.options.switches)
    if switches:
        yield say("Unusual options: {switches}", switches=", ".join(switches))


# What to write


def advice(state: State, seat: Seat, say: Say) -> str:
    """Say what a seat has to decide now."""
    battle = state.battle
    if battle is None:
        return say(
            "You may move each stack once, to points listed above (cost in brackets, ! = enemies). Heroes"
            " who do not move recruit if they can."
        )
    if battle.turn == 1:
        text = say(
            "Deploy your units in your first row, form groups, and order each force to advance, stand or fall back."
        )
    else:
        text = say(
            "Order each force to advance, stand or fall back, and say what it attacks."
            " Any force you do not mention stands."
        )
    if battle.turn == 1 and battle.at:
        fast = say(
            "To write fewer letters, add `Orders stand for 3 rounds`. `Fight fast` decides the battle at once"
            " if both sides write it, in this first turn only."
        )
        return f"{text} {fast}"
    return text + " " + say("To write fewer letters, add `Orders stand for 3 rounds`.")


def example(state: State, seat: Seat) -> Orders:
    """Return an example of legal orders for a seat."""
    return Orders(tuple(_in_battle(state, state.battle, seat) if state.battle else _on_the_map(state, seat)))


def _on_the_map(state: State, seat: Seat) -> Iterator[Item]:
    table = Table(state, NO_CHANCE)
    for point, codes in stacks(state, seat).items():
        for end in state.data.links[point]:
            if end in reach(state, seat, point) and not table.is_enemy_to(seat, end):
                yield Move(codes, (point, end))
                return
    for point, codes in stacks(state, seat).items():
        if winged := flyers(state, codes):
            ends = [end for end in state.data.points if end != point and state.data.in_reach(point, end)]
            if ends:
                yield Fly(winged, (point, ends[0]))
                return


_FOLLOWERS = 2  # the number of units that follow the leader in an example


def _on_the_board(state: State, battle: Battle, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    """Yield a side's forces with what they can do, and the spells that can still be cast."""
    field, attacks = Field(Table(state, NO_CHANCE), battle, {}), seat == battle.attacker
    centre, row = field.grid.start(attacks=attacks), field.grid.first_row(attacks=attacks)
    waiting = [man.code for man in field.men.values() if man.seat == seat and not man.space and not man.intrinsic]
    if waiting:
        spaces = " ".join(f"{row}{column}" for column in COLUMNS)
        values = {"centre": centre, "units": wording.listed(waiting)}
        yield spaces, say("where you deploy {units}; any that you do not name start in {centre}", **values)
    walls = [man.code for man in field.men.values() if man.seat == seat and not man.space and man.intrinsic]
    if walls:
        yield centre, say("the walls hold {units}, who may stand and fire", units=wording.listed(walls))
    for leader, codes in forces(battle, state.data, seat).items():
        if battle.units[leader].space:
            yield _force(field, leader, codes, say)
    for code, fighter in battle.units.items():
        spells = [spell for spell in state.spells.get(code, ()) if (code, spell) not in battle.cast]
        if fighter.seat == seat and spells:
            yield code, say("can cast {spells}", spells=", ".join(wording.spell(spell, say) for spell in spells))


def _force(field: Field, leader: str, codes: Codes, say: Say) -> tuple[str, str]:
    """Say where a force can go, and what it can attack from where it is."""
    man, attacks = field.men[leader], field.men[leader].attacks
    enemy = field.enemy(man.seat)
    units = [member for member in field.force(leader) if member.unit]
    speed = min((field.speed(unit) for unit in units), default=int(field.values["hero_alone_speed"]))
    beside = [space for space in field.grid.beside(man.space) if field.holds(enemy, space)] if units else []
    ahead = [*field.grid.ahead(man.space, attacks=attacks), *beside]
    back = [space for space in field.grid.steps(man.space, "back", attacks=attacks) if space != OFF]
    targets = [
        space
        for space in field.grid.spaces
        if field.holds(enemy, space) and space != man.space and any(can_shoot(field, unit, space) for unit in units)
    ]
    does = []
    if speed:
        does.append(say.many("moves {speed} space", "moves {speed} spaces", speed, speed=speed))
        does += [say("ahead {spaces}", spaces=" ".join(ahead))] if ahead else []
        does += [say("back {spaces}", spaces=" ".join(back))] if back else []
    else:
        spells = ", ".join(wording.marker(asdict(marker), say) for marker in field.holding(codes))
        does.append(say("cannot move because of {spells}", spells=spells) if spells else say("cannot move"))
    if units and field.holds(enemy, man.space):
        does.append(say("fights a melee if it attacks {space}", space=man.space))
    elif targets:
        does.append(say("can fire from here at {spaces}", spaces=" ".join(targets)))
    label = f"{leader}[{wording.listed(codes[1:])}]" if len(codes) > 1 else leader
    return f"{man.space} {label}", "; ".join(does)


def _in_battle(state: State, battle: Battle, seat: Seat) -> Iterator[Item]:
    """Yield legal example orders for a side: before the first turn a group and a deployment; then an order for one
    force, which attacks enemies in its own or the next space, or otherwise fires ahead if it can."""
    grid, cards, attacks = grid_of(state.data), state.data.counters, seat == battle.attacker
    own = forces(battle, state.data, seat)
    field = Field(Table(state, NO_CHANCE), battle, {})
    able = [code for code in own if not cards[code].intrinsic and not any(map(field.is_held, own[code]))]
    if not able:
        return
    first = next((code for code in able if len(own[code]) > 1 or not cards[code].leader), able[0])
    units: Sequence[str] = own[first]
    space = battle.units[first].space or grid.start(attacks=attacks)
    if battle.units[first].space is None:
        first = able[0]
        units = [code for code in able if not cards[code].leader]
        if cards[first].kind in ("ruler", "hero") and units:
            yield Group(first, tuple(units[:_FOLLOWERS]))
        if units[_FOLLOWERS:]:
            row = grid.first_row(attacks=attacks)
            yield Deploy(f"{row}{COLUMNS.replace(CENTRE, '')[0]}", (units[-1],))
    held = {fighter.space for fighter in battle.units.values() if fighter.seat != seat}
    if space in held:
        yield Order(first, "stand", (), (space,))
    elif ahead := grid.ahead(space, attacks=attacks):
        step = next((end for end in ahead if end in held), ahead[0])
        # artillery that has moved cannot fire
        fires = any(cards[code].ranged and cards[code].kind != "artillery" for code in units)
        beyond = grid.ahead(step, attacks=attacks)[:1] if fires else ()
        yield Order(first, "advance", (step,), (step,) if step in held else beyond)
