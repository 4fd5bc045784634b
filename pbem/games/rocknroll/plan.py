"""What a record holds of a shipped set of cards: English names and texts, and every value (docs/record.md)."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from functools import lru_cache
from typing import Any, NamedTuple

from pbem.games.base import GameError
from pbem.games.kit.plan import check_same, is_blank, lines_of, read_plan, write_plan
from pbem.games.rocknroll.cardfile import parse_set
from pbem.games.rocknroll.cards import CardSet, Echo, Order, Switches, Unit

HEADER = "SetPlan"
_MARK = "the record of a war"


class _Plan(NamedTuple):
    """The values of a plan. `switches` are the rules of the expansion that are used."""

    title: str
    sides: Mapping[str, str]
    points: Mapping[str, str]
    numbers: Mapping[str, Any]
    switches: tuple[str, ...]
    units: Mapping[str, Mapping[str, Any]]
    orders: Mapping[str, Mapping[str, Any]]
    echo: Mapping[str, Mapping[str, Any]] = {}


@lru_cache(maxsize=16)  # a set is part of each state whose record is written
def set_plan(cards: CardSet) -> str:
    """Return the plan of a set of cards."""
    values = {
        "title": cards.title.en,
        "sides": {side: name.en for side, name in cards.sides.items()},
        "points": {point.id: point.name.en for point in cards.points},
        "numbers": {key: value for key, value in asdict(cards.numbers).items() if value is not None},
        "switches": [key for key, value in asdict(cards.switches).items() if value],
        **lines_of("units", {name: _unit(unit) for name, unit in cards.units.items()}),
        **lines_of("orders", {name: _order(order) for name, order in cards.orders.items()}),
        **lines_of("echo", {str(die): _echo(echo) for die, echo in cards.echo.items()}),
    }
    return write_plan(values)


def _unit(unit: Unit) -> dict[str, Any]:
    feature = {key: value for key, value in asdict(unit.feature).items() if value}
    entry = {
        **{key: getattr(unit, key) for key in ("side", "chance", "dice", "star", "armour", "ace")},
        "feature": None if feature == _NO_FEATURE else feature,
        "text": unit.text.en,
    }
    return {key: value for key, value in entry.items() if not is_blank(value)}


def _order(order: Order) -> dict[str, Any]:
    entry = {key: getattr(order, key) for key in ("suit", "kind", "number", "count", "side")}
    return {key: value for key, value in entry.items() if value is not None}


def _echo(echo: Echo) -> dict[str, Any]:
    return {"colour": echo.colour, "effect": echo.effect, "value": echo.value, "en": echo.text.en}


def cards_of_plan(plan: str, name: str) -> CardSet:
    """Return the set that a record holds in `plan`, with `name` as its id. All its texts are English. Raises GameError
    with one problem per line."""
    try:
        return parse_set(json.dumps(_file(plan), ensure_ascii=False, default=str), name)
    except GameError as error:
        raise GameError(f"The cards in the record cannot be used: {error}") from None


def check_plan(plan: str, cards: CardSet) -> None:
    """Raise GameError if `plan`, which a record holds, differs from that of `cards`."""
    if plan != (own := set_plan(cards)):
        check_same(_file(plan), _file(own), HEADER, cards.id)


_NO_FEATURE = {"kind": "none"}
_USUAL = {"star": False, "armour": 0, "ace": False, "feature": _NO_FEATURE, "text": ""}


def _file(plan: str) -> dict[str, Any]:
    """Return the content of a file of cards (docs/own-data.md) with the values of `plan`."""
    held = read_plan(_Plan, plan, HEADER)
    numbers = {"limit": None, **held.numbers}
    switches = {**{switch.name: False for switch in fields(Switches)}, **dict.fromkeys(held.switches, True)}
    units = {name: {**_USUAL, **entry} for name, entry in held.units.items()}
    return {
        "title": {"en": held.title, "ru": held.title},
        "sides": {side: _named(name) for side, name in held.sides.items()},
        "points": [{"id": point, **_named(name)} for point, name in held.points.items()],
        "numbers": {key: {"value": value, "mark": _MARK} for key, value in numbers.items()},
        "switches": {key: {"value": value, "mark": _MARK} for key, value in switches.items()},
        "units": {
            name: {**entry, "ru": name, "text": {"en": entry["text"], "ru": entry["text"]}, "marks": {}}
            for name, entry in units.items()
        },
        "orders": {name: {"side": None, **entry, "ru": name, "marks": {}} for name, entry in held.orders.items()},
        "echo": {die: {**entry, "ru": entry.get("en"), "mark": _MARK} for die, entry in held.echo.items()},
    }


def _named(name: str) -> dict[str, str]:
    return {"en": name, "ru": name, "mark": _MARK}
