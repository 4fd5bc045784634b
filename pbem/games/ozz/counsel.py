"""What a nation has and can do now: each stack's reach, who recruits what, forces on the board, an example."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from pbem.games.base import Say, Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.ozz import wording
from pbem.games.ozz.board import forces, grid_of
from pbem.games.ozz.orders import Codes, Fly, Item, Move, Order, Orders
from pbem.games.ozz.setting import unusual
from pbem.games.ozz.state import MERCENARIES, Battle, State
from pbem.games.ozz.table import Table

_FAR = 9  # points of a flight that are told


def phase(state: State, say: Say) -> str:
    """Which turn of what is to be played."""
    if state.battle is None:
        return say("Turn {turn} of {turns}.", turn=state.turn, turns=state.options.turns)
    values = {"turn": state.battle.turn, "turns": state.data.values["battle_turns"]}
    if state.battle.at is None:
        return say("Battle, turn {turn} of {turns}.", **values)
    where = wording.point(state.data, state.battle.at)
    return say(
        "Turn {campaign}, battle of {point}: turn {turn} of {turns}.", campaign=state.turn, point=where, **values
    )


def holdings(state: State, seat: Seat, say: Say) -> tuple[tuple[str, str], ...]:
    """A seat's stacks or forces, each with what it can do."""
    if state.battle and seat in (state.battle.attacker, state.battle.defender):
        return (*_forces(state, state.battle, seat, say), *_magic(state, state.battle, seat, say))
    return (*_stacks(state, seat, say), *_recruits(state, seat, say))


# On the map


def _own(state: State, seat: Seat) -> list[str]:
    return wording.in_roster_order(state.data, (code for code, one in state.units.items() if one.seat == seat))


def stacks(state: State, seat: Seat) -> Mapping[str, Codes]:
    """A seat's counters by point, in point order, each stack in roster order."""
    own = _own(state, seat)
    found = {point: tuple(code for code in own if state.units[code].at == point) for point in state.data.points}
    return {point: codes for point, codes in found.items() if codes}


def ways(state: State, seat: Seat, start: str) -> Mapping[str, Codes]:
    """A cheapest way to each point where a stack can go from one, that one first; enemies stop it."""
    table, links = Table(state, NO_CHANCE), state.data.links
    found: dict[str, Codes] = {start: (start,)}
    waiting = [start]
    for point in waiting:
        if point != start and table.is_enemy_to(seat, point):
            continue
        for end in links[point]:
            way = (*found[point], end)
            spent = cost(state, way)
            if spent <= state.data.allowance and (end not in found or spent < cost(state, found[end])):
                found[end] = way
                waiting.append(end)
    return {point: found[point] for point in state.data.points if point in found and point != start}


def cost(state: State, way: Codes) -> int:
    """What a way takes of a stack's points of movement."""
    return sum(state.data.cost[state.data.links[point][end]] for point, end in pairwise(way))


def reach(state: State, seat: Seat, start: str) -> Mapping[str, int]:
    """Where a stack can go from a point, and what it costs; enemies stop it."""
    return {end: cost(state, way) for end, way in ways(state, seat, start).items()}


def flyers(state: State, codes: Codes) -> Codes:
    """Who of a stack can fly: flyers and leaders, if there is a flyer."""
    cards = state.data.counters
    if not state.options.switches.flight or not any(cards[code].kind == "flying" for code in codes):
        return ()
    return tuple(code for code in codes if cards[code].leader or cards[code].kind == "flying")


def _stacks(state: State, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    table = Table(state, NO_CHANCE)
    for point, codes in stacks(state, seat).items():
        ways = [
            f"{end}{'!' if table.is_enemy_to(seat, end) else ''} ({spent})"
            for end, spent in reach(state, seat, point).items()
        ]
        told = say("goes to {points}", points=", ".join(ways))
        if winged := flyers(state, codes):
            ends = [end for end in state.data.points if end != point and state.data.in_reach(point, end)]
            told += "; " + say("{units} fly to {points}", units=wording.listed(winged), points=", ".join(ends[:_FAR]))
        yield f"{point} {wording.listed(codes)}", told


def _recruits(state: State, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    """Which Heroes can recruit where they stand, and how many counters lie in the pool."""
    table, data = Table(state, NO_CHANCE), state.data
    number = len(state.pools.get(seat, ()))
    for code in _own(state, seat):
        at = state.units[code].at
        if data.counters[code].kind != "hero" or at is None:
            continue
        place = data.points[at]
        if place.kind == "grounds":
            yield (
                code,
                say("recruits mercenaries here; {number} in their pool", number=len(state.pools.get(MERCENARIES, ()))),
            )
        elif (place.nation == seat and table.strength(at)) or state.control.get(at) == seat:
            kinds = [one for one in state.pools.get(seat, ()) if at in data.counters[one].special]
            told = say("recruits here; {number} in the pool", number=number)
            if kinds:
                told += "; " + say(
                    "specialists of this place: {units}", units=wording.listed(wording.in_roster_order(data, kinds))
                )
            yield code, told


def summary(state: State, scores: Mapping[Seat, int], say: Say) -> Iterator[str]:
    """What a player would otherwise have to count."""
    if state.battle:
        yield from _battle(state, state.battle, say)
    if state.scenario and state.control:
        told = ", ".join(f"{wording.nation(seat, say)} {number}" for seat, number in scores.items())
        yield say("Points so far: {points}.", points=told)
    for seat in state.seats:
        yield from _danger(state, seat, say)
    for ruler in state.fallen:
        if state.options.switches.ruler_return and state.phase != "over":
            yield _return(state, ruler, say)


def _danger(state: State, seat: Seat, say: Say) -> Iterator[str]:
    """Own Fortified Centers that enemies can reach."""
    table = Table(state, NO_CHANCE)
    enemies = [
        (one.at, one.seat)
        for code, one in state.units.items()
        if one.seat != seat and one.at and not state.data.counters[code].leader
    ]
    threats = {end for at, other in dict.fromkeys(enemies) for end in reach(state, other, at)}
    for point, place in state.data.points.items():
        if place.nation == seat and table.strength(point) and point in threats and not state.battle:
            values = {"nation": wording.nation(seat, say), "point": wording.point(state.data, point)}
            yield say("{nation}: enemies can reach {point}.", **values)


def _return(state: State, ruler: str, say: Say) -> str:
    """A fallen Ruler's chances (§8.5)."""
    data, card = state.data, state.data.counters[ruler]
    razed = [data.points[point] for point in state.razed if data.points[point].nation == card.nation]
    added = sum(place.kind == "castle" for place in razed) + sum(place.kind == "fort" for place in razed) // 2
    chance = max(0, data.values["ruler_returns"] - added) * 100 // data.values["die"]
    return say("{ruler} comes back with {chance} % in each turn, if there is a place.", ruler=card.name, chance=chance)


def _battle(state: State, battle: Battle, say: Say) -> Iterator[str]:
    """Where each side would retreat to, and what waits behind the battle."""
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
            yield say("{nation} cannot retreat: there is no point to go to.", **values)
    if state.queue and state.queue.todo:
        yield say("Moves that wait for the end of this battle: {number}.", number=len(state.queue.todo))


# On the board


def _forces(state: State, battle: Battle, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    data, board, attacks = state.data, grid_of(state.data), seat == battle.attacker
    enemies = {one.space for one in battle.units.values() if one.seat != seat and one.space}
    for leader, codes in forces(battle, data, seat).items():
        space = battle.units[leader].space
        told = f"{leader}[{wording.listed(codes[1:])}]" if len(codes) > 1 else leader
        if space is None:
            yield told, say("has to be deployed: {spaces}", spaces=_first_row(state, attacks=attacks))
            continue
        ahead = ", ".join(board.steps(space, "advance", attacks=attacks))
        reaches = max((data.counters[code].range for code in codes), default=0)
        targets = [one for one in board.within(space, reaches) if one in enemies] if reaches else []
        does = [say("advances to {spaces}", spaces=ahead)] if ahead else []
        does += [say("can fire at {spaces}", spaces=", ".join(targets))] if targets else []
        does += [say("is in melee if it attacks {space}", space=space)] if space in enemies else []
        yield f"{space} {told}", "; ".join(does) or say("stands")


def _first_row(state: State, *, attacks: bool) -> str:
    row = grid_of(state.data).first_row(attacks=attacks)
    return ", ".join(f"{row}{column}" for column in state.data.values["columns"])


def _magic(state: State, battle: Battle, seat: Seat, say: Say) -> Iterator[tuple[str, str]]:
    """Spells that can still be cast."""
    for code in _own(state, seat):
        if code in battle.units:
            left = [spell for spell in state.spells.get(code, ()) if (code, spell) not in battle.cast]
            if left:
                yield code, say("can cast {spells}", spells=", ".join(left))


def notes(state: State, say: Say) -> Iterator[str]:
    """What the foot of every letter says: the house values, and the switches that are not as usual."""
    yield say("Map, counter values and base rules are house values: the printed ones are not known to us")
    switches = unusual(state.data.switches, state.options.switches)
    if switches:
        yield say("Options that are not as usual: {switches}", switches=", ".join(switches))


# What to write


def advice(state: State, seat: Seat, say: Say) -> str:
    """What a seat has to decide now."""
    battle = state.battle
    if battle is None:
        return say(
            "Move your stacks, once each; Heroes who stay where they can recruit do so. What you leave open has a usual"
            " answer."
        )
    if battle.turn == 1:
        return say(
            "Deploy your units in your first row, make groups, and order each force to advance, stand or fall back."
        )
    return say(
        "Order each force to advance, stand or fall back, and what it attacks. Forces that you do not name stand."
    )


def example(state: State, seat: Seat) -> Orders:
    """Orders of a seat's own that would be legal."""
    return Orders(tuple(_on_the_board(state, state.battle, seat) if state.battle else _on_the_map(state, seat)))


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


def _on_the_board(state: State, battle: Battle, seat: Seat) -> Iterator[Item]:
    attacks, board = seat == battle.attacker, grid_of(state.data)
    for leader, codes in forces(battle, state.data, seat).items():
        if all(state.data.counters[code].intrinsic for code in codes):
            continue
        space = battle.units[leader].space or board.start(attacks=attacks)
        ahead = board.ahead(space, attacks=attacks)
        if ahead:
            yield Order(leader, "advance", ahead[:1])
            return
