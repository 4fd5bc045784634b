"""What a player asks about map and battleboard: who is in a place, where a counter is, what a thing is, how far."""

from collections.abc import Iterable, Mapping, Sequence

from pbem.games.base import Say, Seat
from pbem.games.ozz import lookup, wording
from pbem.games.ozz.board import COLUMNS
from pbem.games.ozz.names import names_of
from pbem.games.ozz.state import State


def asked_about(state: State, kind: str, gaps: Sequence[str]) -> tuple[str, ...] | None:
    """The points, spaces or counters that gaps name, or the nation whose units are meant."""
    if kind in ("where", "card"):
        meant = names_of(state.data).find(gaps[-1]) if gaps else None
        points = names_of(state.data).find_points(gaps[-1]) if gaps and kind == "card" else ()
        found = points or (meant and (meant.whole or meant.less))
        return found if found and len(found) == 1 else None
    if kind == "units":
        return tuple(gaps[-1:]) if gaps and gaps[-1] in state.seats else None
    number = 2 if kind == "far" else 1
    known = [_place(state, gap, spaces=kind == "holds") for gap in gaps[-number:]]
    return tuple(filter(None, known)) if all(known) and len(known) == number else None


def _place(state: State, text: str, *, spaces: bool) -> str | None:
    """The point that a text names, or the space of the board while a battle is fought."""
    space = text.upper()
    if state.battle and spaces and len(space) == len("1C") and space[0].isdigit() and space[1] in COLUMNS:
        return space
    found = names_of(state.data).find_points(text)
    return found[0] if len(found) == 1 else None


def answer(state: State, kind: str, names: Sequence[str], say: Say) -> tuple[str, ...]:
    """The answer to a question of a kind about some places, or a counter."""
    if kind == "where":
        return (_where(state, names[0], say),)
    if kind == "card":
        found = lookup.look_up(state, "point" if names[0] in state.data.points else "card", names[0], say) or ()
        return tuple(f"{one.heading}. {one.text}" for one in found)
    if kind == "units":
        return (_units(state, names[0], say),)
    if kind == "far":
        first, last = (_point(state, one) for one in names)
        links = state.data.distances[names[0]].get(names[1])
        if links is None:
            return (say("No way leads from {first} to {last}.", first=first, last=last),)
        told = say.many(
            "From {first} to {last}: {number} link.", "From {first} to {last}: {number} links.", links, first=first,
            last=last,
        )  # fmt: skip
        return (told,)
    return (_in_space(state, names[0], say) if names[0] not in state.data.points else _in_point(state, names[0], say),)


def _point(state: State, code: str) -> str:
    return f"{state.data.points[code].name} ({code})"


def _in_point(state: State, code: str, say: Say) -> str:
    """Whose a point is, and who is there."""
    here: dict[Seat, list[str]] = {}
    for counter, one in state.units.items():
        if one.at == code:
            here.setdefault(one.seat, []).append(counter)
    owner = state.control.get(code)
    told = _counters(state, here, say)
    if owner:
        held = say("{point} is held by {nation}.", point=_point(state, code), nation=wording.nation(owner, say))
        return f"{held} {told}"
    return f"{_point(state, code)}: {told}"


def _in_space(state: State, space: str, say: Say) -> str:
    """Who is in a space of the battleboard."""
    assert state.battle
    here: dict[Seat, list[str]] = {}
    for counter, one in state.battle.units.items():
        if one.space == space:
            here.setdefault(one.seat, []).append(counter)
    return f"{space}: {_counters(state, here, say)}"


def _counters(state: State, here: Mapping[Seat, Iterable[str]], say: Say) -> str:
    """Counters by nation, in roster order."""
    order = state.data.roster.__getitem__
    told = (
        f"{wording.nation(seat, say)}: "
        + ", ".join(f"{wording.counter(state.data, one, say)} ({one})" for one in sorted(codes, key=order))
        for seat, codes in here.items()
    )
    return "; ".join(told) + "." if here else say("Nobody is there.")


def _units(state: State, seat: Seat, say: Say) -> str:
    """Where all counters of a nation are, point by point."""
    places: dict[str, list[str]] = {}
    for code, one in state.units.items():
        if one.seat == seat and one.at:
            places.setdefault(one.at, []).append(code)
    order = state.data.roster.__getitem__
    told = "; ".join(f"{point} {' '.join(sorted(codes, key=order))}" for point, codes in sorted(places.items()))
    return f"{wording.nation(seat, say)}: {told or '–'}"


def _where(state: State, code: str, say: Say) -> str:
    """Where a counter is."""
    name = f"{wording.counter(state.data, code, say)} ({code})"
    fighter = state.battle.units.get(code) if state.battle else None
    counter = state.units.get(code)
    if fighter and fighter.space:
        return say("{counter}: on the battleboard, in {space}.", counter=name, space=fighter.space)
    if counter and counter.at:
        return say("{counter}: in {point}.", counter=name, point=_point(state, counter.at))
    return say("{counter} is not in play.", counter=name)
