"""The map or the battleboard as lines of text, with an equivalent list below it (§15).

The style of a span is either the name of the nation to which its content belongs, possibly preceded by `changed`, or
one of `name`, `link` and `legend`, followed by `key` if the line is the same in every position, or almost.
"""

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from pbem import ENGLISH, Say
from pbem.games.base import Picture, Seat, Span
from pbem.games.ozz import wording
from pbem.games.ozz.data import Data, LinkKind
from pbem.games.ozz.state import Battle, State

_WIDTH = 72
_CELL = 21  # columns in a space of the board
_POINT = re.compile(r"\{?\b([A-Z][A-Z0-9]{1,2})\b\}?")

_Line = tuple[Span, ...]


def picture(state: State, since: State | None = None, say: Say = ENGLISH) -> Picture:
    """Draw the board during a battle, otherwise the map, with a list below that marks differences from `since`."""
    picture = _board(state) if state.battle else _map(state)
    return (*picture, (), *_in_lines(in_words(state, since, say)))


def in_lists(state: State, since: State | None, say: Say) -> Iterator[tuple[Span, ...]]:
    """Describe everything that a picture shows, its empty points and its ways included, for somebody who cannot see the
    drawing, in lines that are no wider than the picture."""
    drawn = () if state.battle else _drawn(state, since, say)
    return _in_lines((*in_words(state, since, say), *drawn))


def _in_lines(spans: Iterable[Span]) -> Iterator[tuple[Span, ...]]:
    for text, look in spans:
        indent = "  " if look.startswith("legend") else "   "
        for line in textwrap.wrap(text, _WIDTH, subsequent_indent=indent, break_on_hyphens=False):
            yield (Span(line, look),)


def in_words(state: State, since: State | None, say: Say) -> Iterator[Span]:
    """Describe what stands on the map or the board, and explain the signs, with each statement in a single span."""
    return _forces(state, since, say) if state.battle else _points(state, since, say)


def seen_by(state: State, seat: Seat | None) -> State:
    """Return `state` without the battle of a campaign if `seat` does not fight in the battle, or no longer does, so
    that a picture shows the map."""
    battle = state.battle
    sides = (None, *({battle.attacker, battle.defender}.difference(state.resigned))) if battle else ()
    fights = battle and (battle.at is None or (not state.result and seat in sides))
    return state if fights else replace(state, battle=None)


# The map


def held(state: State, point: str) -> tuple[Seat, list[str]] | None:
    """Return the seat that has counters on a point, and these counters in roster order; None if no counters are there.
    During a battle for the point, return the first of the two seats."""
    return next(iter(holders(state, point)), None)


def holders(state: State, point: str) -> list[tuple[Seat, list[str]]]:
    """Return each seat that has counters on a point, with these counters, in seat order. During a battle for the point,
    there are two such seats."""
    here = state.data.in_order((code for code, counter in state.units.items() if counter.at == point))
    stacks = ((seat, [code for code in here if state.units[code].seat == seat]) for seat in state.seats)
    return [(seat, codes) for seat, codes in stacks if codes]


def size(data: Data, codes: Iterable[str]) -> str:
    """Return the number of units among `codes`, which is 0 if all of them are leaders."""
    return str(sum(not data.counters[code].leader for code in codes))


def _map(state: State) -> Iterator[_Line]:
    signs = {point: _sign(state, point) for point in state.data.points}
    return (tuple(_filled(line, state, signs)) for line in state.data.drawing)


def _sign(state: State, point: str) -> Span:
    stack = held(state, point)
    if not stack:
        return Span("")
    seat, codes = stack
    return Span(wording.initial(seat) + size(state.data, codes), seat)


def _filled(line: str, state: State, signs: Mapping[str, Span]) -> Iterator[Span]:
    """Draw a line of the map, with the symbol of each point written over the characters after its code."""
    at = 0
    for match in _POINT.finditer(line):
        if match[1] not in signs or match.start() < at:
            continue
        yield Span(line[at : match.start()], "link")
        text = match[0].lower() if match[1] in state.razed else match[0]
        sign = signs[match[1]]
        yield Span(text, "name")
        yield sign
        at = match.end() + len(sign.text)
    yield Span(line[at:], "link")


def _points(state: State, since: State | None, say: Say) -> Iterator[Span]:
    """List each point that has counters or has changed, then everything else on the map, then explain the signs."""
    for point in state.data.points:
        there: list[tuple[Seat | None, list[str]]] = [*holders(state, point)]
        changed = since is not None and differs(state, since, point)
        if there or changed:
            for seat, codes in there or [(state.control.get(point), [])]:
                yield Span(_point_line(state, point, codes, "*" * changed, say), style(seat, changed=changed))
    yield from legend(state, since, say)
    costs = {"road": state.data.cost["road"], "trail": state.data.cost["trail"], "points": state.data.allowance}
    ways = say(
        "A stack has {points} movement points; a road (- | / \\) costs {road} and a trail (. :) {trail}.", **costs
    )
    signs = say(
        "At a point: who holds it, with how many units; 0: leaders alone. In braces: a Castle,"
        " with a small letter if razed."
    )
    yield Span(f"{ways} {signs}", "link key")


def _drawn(state: State, since: State | None, say: Say) -> Iterator[Span]:
    """List what the map shows by its drawing alone: the points where nobody stands, and each link once."""
    data = state.data
    free = [
        wording.point(data, point) + (f" ({walls})" if (walls := walled(state, point, say)) else "")
        for point in data.points
        if not held(state, point) and not (since and differs(state, since, point))
    ]
    if free:
        yield Span(say("Nobody is at {points}.", points=", ".join(free)), "name")
    by: dict[LinkKind, list[str]] = {"road": [], "trail": []}
    for start, links in data.links.items():
        for end, kind in links.items():
            if data.order[start] < data.order[end]:
                by[kind].append(f"{start}-{end}")
    yield Span(say("Roads: {ways}.", ways=" ".join(by["road"])), "link")
    yield Span(say("Trails: {ways}.", ways=" ".join(by["trail"])), "link")


def legend(state: State, since: State | None, say: Say) -> Iterator[Span]:
    """Yield those lines of the list below a map that do not describe individual points."""
    for line in standing(state, say):
        yield Span(line, "legend")
    yield Span(
        say("In brackets: total value. Walls: how many infantry they fight as."),
        "legend key",
    )
    if since:
        yield Span(say("* = changed."), "legend key")


def differs(state: State, since: State, point: str) -> bool:
    """Return whether `state` and `since` differ in the counters on a point, in its owner, or in whether it is razed."""
    return _content(state, point) != _content(since, point)


def _content(state: State, point: str) -> object:
    return holders(state, point), state.control.get(point), state.razed.get(point)


def _point_line(state: State, point: str, codes: list[str], mark: str, say: Say) -> str:
    """Return a line about a point and the counters there, such as `R1 Recruiting Grounds Winkies ZEP HER WI1 (10)`."""
    where = mark + wording.point(state.data, point)
    walls = walled(state, point, say)
    if not codes:
        empty = say("empty")
        return f"{where}  {walls or empty}"
    seat = state.units[codes[0]].seat
    text = f"{where}  {wording.nation(seat, say)}  {counted(state.data, codes)}"
    return f"{text}  {walls}".rstrip()


def walled(state: State, point: str, say: Say) -> str:
    """Return the walls of a point, such as `walls 2`, if the point is a Fortified Center that has not been razed and
    belongs to a nation in play; otherwise ""."""
    place = state.data.points[point]
    stands = place.center and place.nation in state.seats and point not in state.razed
    return say("walls {strength}", strength=place.strength) if stands else ""


def counted(data: Data, codes: Iterable[str]) -> str:
    """List counters with their total value, such as `ZEP WI1 HER (10)`."""
    codes = tuple(codes)
    return f"{wording.listed(codes)} ({sum(data.counters[code].value for code in codes)})"


def standing(state: State, say: Say) -> Iterator[str]:
    """List the population centers of each nation and those without a nation, razed Centers, fallen Rulers and the
    Bell."""
    towns: dict[Seat | None, list[str]] = {seat: [] for seat in (*state.seats, None)}
    for point, owner in state.control.items():
        towns.setdefault(owner, []).append(point)
    owners = {seat: wording.nation(seat, say) if seat else say("unclaimed") for seat in towns}
    listed = [f"{owners[seat]} {' '.join(points)}" for seat, points in towns.items() if points]
    if listed:
        yield say("Population centers: {towns}.", towns="; ".join(listed))
    for point, by in state.razed.items():
        values = {"point": wording.point(state.data, point), "nation": wording.nation(by, say)}
        yield say("{point}: razed by the {nation}.", **values)
    for ruler, turn in state.fallen.items():
        yield say("{name} fell in turn {turn}.", name=state.data.counters[ruler].name, turn=turn)
    if state.bell:
        where = wording.point(state.data, state.bell.at) if state.bell.at else say("off the board")
        bell = {"point": where, "nation": wording.nation(state.bell.seat, say)}
        if state.bell.carrier:
            yield say("The Bell: {nation}, {point}, carried by {unit}.", **bell, unit=state.bell.carrier)
        else:
            yield say("The Bell: {nation}, {point}, carried by nobody.", **bell)


def style(seat: Seat | None, *, changed: bool) -> str:
    """Return the style for anything that belongs to the nation `seat` or, if `seat` is None, to no nation."""
    return f"changed {seat or ''}".rstrip() if changed else seat or ""


# The battleboard


def columns(data: Data) -> tuple[str, ...]:
    """Return the columns of the board, from the left."""
    return tuple(data.values["columns"])


def rows(data: Data) -> range:
    """Return the rows of the board from top to bottom as a picture shows them: the defender's first row is at the
    top."""
    return range(data.values["rows"], 0, -1)


def _board(state: State) -> Iterator[_Line]:
    battle, data = state.battle, state.data
    assert battle
    names = columns(data)
    yield (Span("     " + " ".join(name.center(_CELL) for name in names).rstrip(), "name"),)
    rule = (Span("    +" + "+".join("-" * _CELL for _ in names) + "+", "link"),)
    for row in rows(data):
        yield rule
        cells = [_space(data, battle, f"{row}{column}") for column in names]
        for number in range(max(1, *map(len, cells))):
            yield tuple(_row(str(row) if number == 0 else " ", cells, number))
    yield rule


def _row(label: str, cells: list[list[Span]], number: int) -> Iterator[Span]:
    yield Span(f" {label}  ", "name")
    for cell in cells:
        text, style = cell[number] if number < len(cell) else Span("")
        yield Span("|", "link")
        yield Span(f" {text:<{_CELL - 1}}", style)
    yield Span("|", "link")


def _space(data: Data, battle: Battle, space: str) -> list[Span]:
    """Return the contents of a space, line by line."""
    lines = []
    for text, seat in in_space(data, battle, space):
        wrapped = textwrap.wrap(text, _CELL - 2, subsequent_indent="   ", break_on_hyphens=False)
        lines += [Span(line, seat) for line in wrapped]
    return lines


def in_space(data: Data, battle: Battle, space: str) -> Iterator[Span]:
    """Yield the forces of each side in a space, such as `w: EVO WBA`. The defender's forces come first, because the
    defender's side of the board is at the top."""
    for seat in (battle.defender, battle.attacker):
        forces = wording.forces(data, battle, space, seat)
        if forces:
            yield Span(f"{wording.initial(seat)}: {' '.join(forces)}", seat)


def _forces(state: State, since: State | None, say: Say) -> Iterator[Span]:
    """List each counter on the board, with the strengths of units, then the spells and other things in effect."""
    battle, data = state.battle, state.data
    assert battle
    old = since.battle.units if since and since.battle else battle.units
    for seat in (battle.attacker, battle.defender):
        yield Span(f"{wording.nation(seat, say)}:", seat)
        for code in data.own(battle.units, seat):
            fighter = battle.units[code]
            changed = code not in old or old[code].space != fighter.space
            text = _fighter(state, code, say, "*" if changed else " ")
            yield Span(text, style(seat, changed=changed))
        gone = battle.left.get(seat)
        if gone:
            yield Span(say("Left the board: {units}.", units=wording.listed(gone)), "legend")
    for line in in_effect(state, say):
        yield Span(line, "legend")


def _fighter(state: State, code: str, say: Say, mark: str) -> str:
    battle, data = state.battle, state.data
    assert battle
    fighter, card = battle.units[code], data.counters[code]
    where = fighter.space or (say("not on the board yet") if battle.turn > 1 else "")
    parts = [f"{mark}{code} {card.name}", *filter(None, [where])]
    kind = wording.kind(data, code, say)
    parts.append(kind if card.leader else f"{kind} {wording.strengths(data, code)}")
    if fighter.group:
        parts.append(say("with {leader}", leader=fighter.group))
    if fighter.spent:
        parts.append(say("spent"))
    if card.home == battle.terrain and state.options.switches.home:
        parts.append(say("at home: +1 on a die against it"))
    return ", ".join(parts)


def in_effect(state: State, say: Say) -> Iterator[str]:
    """List what is in effect in a battle: spells with their casters, the Bell, the terrain and walls."""
    battle = state.battle
    assert battle
    for marker in battle.spells:
        values = {"spell": wording.spell(marker.spell, say), "caster": marker.by}
        if marker.on:
            yield say("{caster}'s {spell} on {unit}.", unit=marker.on, **values)
        else:
            yield say("{caster}'s {spell} marker is still on the board.", **values)
    bell = battle.bell
    if bell:
        values = {"nation": wording.nation(bell.seat, say), "carrier": bell.carrier or say("nobody")}
        yield say("The Bell: {nation}, carried by {carrier}.", **values)
        if bell.silent:
            yield say("It is silenced for the rest of this battle.")
    place = {"terrain": wording.terrain(battle.terrain, say)}
    if battle.walls:
        yield say(
            "Terrain: {terrain}. Walls: +{walls} on a die against those behind them.", walls=battle.walls, **place
        )
    else:
        yield say("Terrain: {terrain}. No walls.", **place)
    if battle.turn == 1:
        yield say("After each name: space, kind, ranged/melee strength (:2 = range 2); ~ = spent.")
