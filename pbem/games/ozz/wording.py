"""Names of nations, counters, points and forces as people are told them.

Names of counters and points are those of the data set, in any language; codes stay as they are.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from pbem import Say, Sentence
from pbem.games.base import Event, Seat
from pbem.games.ozz.data import BELL, Data, Kind
from pbem.games.ozz.state import Battle, Fighter

CALLED: Mapping[Seat, Sentence] = {
    "munchkins": Sentence("Munchkins"),
    "winkies": Sentence("Winkies"),
    "quadlings": Sentence("Quadlings"),
    "gillikins": Sentence("Gillikins"),
}
"""Every nation."""

_BELL = Sentence("the Bell")

KINDS: Mapping[Kind, Sentence] = {
    "ruler": Sentence("Ruler"),
    "hero": Sentence("Hero"),
    "witch": Sentence("witch"),
    "infantry": Sentence("infantry"),
    "cavalry": Sentence("cavalry"),
    "artillery": Sentence("artillery"),
    "flying": Sentence("flyers"),
    "giant": Sentence("giants"),
    "bell": _BELL,
}

SPELLS: Mapping[str, Sentence] = {
    "poppies": Sentence("poppies"),
    "confusion": Sentence("confusion"),
    "fleet feet": Sentence("fleet feet"),
    "transport": Sentence("transport"),
    "good luck": Sentence("good luck"),
    "poor luck": Sentence("poor luck"),
    "fireball": Sentence("fireball"),
    "healing": Sentence("healing"),
}

TERRAINS: Mapping[str, Sentence] = {
    "plain": Sentence("plain"),
    "hills": Sentence("hills"),
    "fields": Sentence("fields"),
    "forest": Sentence("forest"),
    "open": Sentence("open ground"),
}
"""What the terrains of the shipped map are called; another data set may have others, which are told as they are."""


def nation(seat: Seat | None, say: Say) -> str:
    """What a nation is called; None is nobody."""
    return say(CALLED[seat]) if seat else say("nobody")


def counter(data: Data, code: str, say: Say) -> str:
    """What a counter is called."""
    return say(_BELL) if code == BELL else data.counters[code].name


def named(data: Data, code: str, say: Say) -> str:
    """`SOU Sourdough's`: a counter by its code, with which orders name it, and its name."""
    return say(_BELL) if code == BELL else f"{code} {data.counters[code].name}"


def called(data: Data, value: Any, say: Say) -> Any:
    """What is meant by a value of an event or of an order: counters, points, nations, spells; others as they stand."""
    if isinstance(value, list | tuple):
        return ", ".join(called(data, part, say) for part in value)
    if value in CALLED:
        return nation(value, say)
    if value in SPELLS:
        return spell(value, say)
    if value in data.counters:
        return named(data, value, say)
    return point(data, value) if value in data.points else value


def spell(name: str, say: Say) -> str:
    """What a spell is called."""
    return say(SPELLS[name])


def marker(event: Event, say: Say) -> str:
    """A spell in effect, on whom it lies and who has cast it."""
    values = {"spell": spell(event["spell"], say), "caster": event["by"]}
    if event.get("on"):
        return say("{spell} on {unit} of {caster}", unit=event["on"], **values)
    return say("{spell} of {caster}", **values)


def kind(data: Data, code: str, say: Say) -> str:
    """What kind of counter one is."""
    return say(KINDS[data.counters[code].kind])


def terrain(name: str, say: Say) -> str:
    """What a terrain is called."""
    return say(TERRAINS[name]) if name in TERRAINS else name


def initial(seat: Seat) -> str:
    """The letter by which pictures tell a nation."""
    return seat[0]


def point(data: Data, code: str) -> str:
    """`R1 Recruiting Grounds`."""
    return f"{code} {data.points[code].name}"


def listed(codes: Iterable[str]) -> str:
    """Codes as orders list them."""
    return " ".join(codes)


def strengths(data: Data, code: str) -> str:
    """`4/3`: ranged and melee; with a range of more than one space `4:2/1`."""
    card = data.counters[code]
    reach = f":{card.range}" if card.range > 1 else ""
    return f"{card.ranged}{reach}/{card.melee}"


def forces(data: Data, battle: Battle, space: str | None, seat: Seat) -> list[str]:
    """A side's forces in a space, in roster order: `ZOR[GUA SOU]`, `MCA~` if it is spent, the Bell last."""
    here = {code: fighter for code, fighter in battle.units.items() if fighter.seat == seat and fighter.space == space}
    signs = [_force(data, here, code) for code in data.in_order(here) if here[code].group is None]
    bell = battle.bell
    return [*signs, "BEL"] if bell and bell.seat == seat and bell.space == space else signs


def _force(data: Data, fighters: Mapping[str, Fighter], code: str) -> str:
    group = [_marked(fighters, member) for member in data.in_order(fighters) if fighters[member].group == code]
    return f"{code}[{' '.join(group)}]" if group else _marked(fighters, code)


def _marked(fighters: Mapping[str, Fighter], code: str) -> str:
    return f"{code}~" if fighters[code].spent else code
