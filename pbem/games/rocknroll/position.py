"""A position in one line: `round: 3; A vpa: Johnny; hand vpa: Attack, Doc; ok vpa: 1` (rnr §12).

What is empty, 0 or as usual is left out.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pbem.games.base import Chair, GameError
from pbem.games.options import quote
from pbem.games.rocknroll.cardfile import find_set
from pbem.games.rocknroll.cards import SIDES, VPA, CardSet
from pbem.games.rocknroll.loading import load, seats_of
from pbem.games.rocknroll.rules import interleave
from pbem.games.rocknroll.state import State

_NONE = "none"  # next, when the last seat has played and the war is over
_BY_SIDE = ("reserve", "graveyard", "captives")
_MARKS = ("losses", "ok", "rd")


def position(state: State) -> str:
    """A state in one line, which `placed` reads."""
    return "; ".join(f"{key}: {value}" for key, value in _items(state) if value)


def _items(state: State) -> Iterator[tuple[str, str]]:
    usual = interleave(state.seats, VPA)
    yield "set", "" if state.cards.id == "base" else state.cards.id
    yield "round", "" if state.round == 1 else str(state.round)
    yield (
        "seats",
        ""
        if len(state.seats) == len(SIDES) and usual == SIDES and state.seats[0].seat == VPA
        else ", ".join(f"{seat} {side}" for seat, side in state.seats),
    )
    yield "order", "" if state.order == usual else ", ".join(state.order)
    yield "next", "" if state.next == 0 else state.order[state.next] if state.next < len(state.order) else _NONE
    yield "row", "" if state.row == state.cards.row else ", ".join(state.row)
    yield "limit", str(state.limit or "")
    yield "echo", str(state.echo or "")
    yield "winner", state.winner or ""
    yield "gone", ", ".join(state.gone)
    yield from (
        (f"{point} {side}", ", ".join(state.points[point][side])) for point in state.cards.row for side in SIDES
    )
    yield from ((f"hand {seat}", ", ".join((*hand.units, *hand.orders))) for seat, hand in state.hands.items())
    yield from ((f"deck {side}", ", ".join(state.decks.units[side])) for side in SIDES)
    yield "deck orders", ", ".join(state.decks.orders)
    for key, cards in zip(_BY_SIDE, (state.reserve, state.graveyard, state.captives), strict=True):
        yield from ((f"{key} {side}", ", ".join(cards[side])) for side in SIDES)
    yield "discard", ", ".join(state.discard)
    yield "box", ", ".join(state.box)
    for key, marks in zip(_MARKS, (state.losses, state.ok, state.rd), strict=True):
        yield from ((f"{key} {side}", str(marks[side] or "")) for side in SIDES)
    for seat, rules in state.standing.items():
        yield from ((f"standing {seat} {key}", value) for key, value in rules.items())


def placed(text: str, war: State | None = None) -> State:
    """The state that a line says; what it does not say of set, seats, limit, and who is gone is as in a war whose
    position it is.

    Raises GameError, every problem a line.
    """
    found = dict(_parts(text))
    cards, pairs = _begun(found, war)
    seats = seats_of(pairs)
    if seats is None:
        raise GameError("seats: these are pairs of a seat and its side, one to three for each side.")
    order = _list(found.pop("order", "")) or [*interleave(seats, VPA)]
    following = found.pop("next", order[0])
    data: dict[str, Any] = {
        "set": cards.id,
        "round": _number(found.pop("round", "1")),
        "seats": pairs,
        "order": order,
        "next": order.index(following) if following in order else len(order) if following == _NONE else following,
        "row": _list(found.pop("row", "")) or [*cards.row],
        "points": {point: {side: _list(found.pop(f"{point} {side}", "")) for side in SIDES} for point in cards.row},
        "hands": {seat: _hand(_list(found.pop(f"hand {seat}", "")), cards.orders) for seat, _ in seats},
        "decks": {name: _list(found.pop(f"deck {name}", "")) for name in (*SIDES, "orders")},
        "discard": _list(found.pop("discard", "")),
        "box": _list(found.pop("box", "")),
        "echo": _number(found.pop("echo")) if found.get("echo") else None,
        "limit": _number(found.pop("limit")) if found.get("limit") else war and war.limit,
        "winner": found.pop("winner", "") or None,
        "standing": _standing(found, seats),
    }
    if gone := _list(found.pop("gone", ", ".join(war.gone) if war and seats == war.seats else "")):
        data["gone"] = gone
    data |= {key: {side: _list(found.pop(f"{key} {side}", "")) for side in SIDES} for key in _BY_SIDE}
    data |= {key: {side: _number(found.pop(f"{key} {side}", "") or "0") for side in SIDES} for key in _MARKS}
    unknown = [f"{quote(key)}: this is nothing that a position says." for key in found]
    if unknown:
        raise GameError("\n".join(unknown))
    return load(data, cards)


def _standing(found: dict[str, str], seats: Iterable[Chair]) -> dict[str, dict[str, str]]:
    """The standing orders of all seats, taken out of what was found."""
    told: dict[str, dict[str, str]] = {seat: {} for seat, _ in seats}
    for key in [key for key in found if key.startswith("standing ")]:
        _, seat, rule = (*key.split(" ", 2), "")[:3]
        told.setdefault(seat, {})[rule] = found.pop(key)
    return told


def _begun(found: dict[str, str], war: State | None) -> tuple[CardSet, list[list[str]]]:
    """The set and the seats of a position."""
    name, seats = found.pop("set", war.cards.id if war else "base"), found.pop("seats", None)
    usual = [[*one] for one in war.seats] if war else [[side, side] for side in SIDES]
    pairs = usual if seats is None else [one.split() for one in _list(seats)]
    return war.cards if war and name == war.cards.id else find_set(name), pairs


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The items of a line: a key, and what is said of it."""
    for part in filter(None, map(str.strip, text.split(";"))):
        key, colon, value = part.partition(":")
        if not colon:
            raise GameError(f"{quote(part)}: an item of a position is a word or two, a colon, and a value.")
        yield " ".join(key.split()), value.strip()


def _list(text: str) -> list[str]:
    return [one for one in map(str.strip, text.split(",")) if one]


def _number(text: str) -> int | str:
    """A number; anything else is left for `load` to refuse."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _hand(cards: list[str], orders: Any) -> dict[str, list[str]]:
    return {"units": [one for one in cards if one not in orders], "orders": [one for one in cards if one in orders]}
