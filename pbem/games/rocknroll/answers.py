"""What a player asks about the row of Points and the cards: who stands on one, where a unit is, what a card does."""

from collections.abc import Iterator, Sequence

from pbem.games.base import Say, Seat
from pbem.games.rocknroll import cardtext, wording
from pbem.games.rocknroll.names import names_of
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.views import View


def asked_about(state: State, kind: str, gaps: Sequence[str]) -> tuple[str, ...] | None:
    """The Points or units that gaps name, or the seat whose units are meant."""
    names = names_of(state.cards)
    if kind == "where":
        found = names.find(gaps[-1]) if gaps else ()
        return found if len(found) == 1 and found[0] in state.cards.units else None
    if kind == "card":
        found = names.find(gaps[-1]) if gaps else ()
        return found if len(found) == 1 else None
    if kind == "units":
        return tuple(gaps[-1:]) if gaps and gaps[-1] in state.hands else None
    number = 2 if kind == "far" else 1
    points = [names.point(gap) for gap in gaps[-number:]]
    known = tuple(point for point in points if point in state.row)
    return known if len(known) == number else None


def answer(view: View, kind: str, names: Sequence[str], say: Say) -> tuple[str, ...]:
    """The answer to a question of a kind about some Points, or a card."""
    state = view.state
    if kind == "where":
        return (_where(state, names[0], say),)
    if kind == "card":
        told = cardtext.look_up(state.cards, names[0], say) or ()
        return tuple(f"{one.heading}. {one.text}" for one in told)
    if kind == "units":
        nobody = say("{side}: no unit is to be seen.", side=say(wording.CALLED[names[0]]))
        return tuple(_where(state, unit, say) for unit in _units(state, names[0])) or (nobody,)
    if kind == "far":
        first, last = (wording.point(one, say) for one in names)
        number = abs(state.row.index(names[0]) - state.row.index(names[1]))
        return (
            say.many(
                "Point {first} and Point {last} are neighbours: {number} step.",
                "From Point {first} to Point {last}: {number} steps.",
                number,
                first=first,
                last=last,
            ),
        )
    return (_on(state, names[0], say),)


def _on(state: State, point: str, say: Say) -> str:
    """Who stands on a Point."""
    units = {side: cards for side, cards in state.points[point].items() if cards}
    if not units:
        return say("Point {point}: nobody is there.", point=wording.point(point, say))
    told = "; ".join(
        f"{say(wording.CALLED[side])}: {wording.listed(state.cards, cards, say)}" for side, cards in units.items()
    )
    return say("Point {point}: {units}.", point=wording.point(point, say), units=told)


def _units(state: State, seat: Seat) -> Iterator[str]:
    """The units of a seat's side on the Points, and those of its hand that are to be seen."""
    side = state.side_of(seat)
    for sides in state.points.values():
        yield from sides.get(side, ())
    yield from (unit for unit in state.hands[seat].units if unit in state.cards.units)


def _where(state: State, unit: str, say: Say) -> str:
    """Where a unit is, if that can be seen."""
    name = wording.card(state.cards, unit, say)
    return next(_places(state, unit, name, say), say("{unit}: not to be seen.", unit=name))


def _places(state: State, unit: str, name: str, say: Say) -> Iterator[str]:
    for point, sides in state.points.items():
        if any(unit in cards for cards in sides.values()):
            yield say("{unit}: on Point {point}.", unit=name, point=wording.point(point, say))
    if any(unit in hand.units for hand in state.hands.values()):
        yield say("{unit}: in hand.", unit=name)
    for side, cards in state.reserve.items():
        if unit in cards:
            yield say("{unit}: in the reserve of {side}.", unit=name, side=say(wording.CALLED[side]))
    for side, cards in state.captives.items():
        if unit in cards:
            yield say("{unit}: captive of {side}.", unit=name, side=say(wording.CALLED[side]))
    if any(unit in cards for cards in state.graveyard.values()):
        yield say("{unit}: fallen.", unit=name)
