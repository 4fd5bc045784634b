"""Names of nations, counters, points and forces, for people to read; and orders in the notation of their language.

Counters and points keep the names that the data set gives them, whatever the language; codes are never translated.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pbem import Say, Sentence
from pbem.games.base import Event, Seat
from pbem.games.kit import notation
from pbem.games.ozz.data import BELL, Data, Kind
from pbem.games.ozz.state import Battle, Fighter

CALLED: Mapping[Seat, Sentence] = {
    "munchkins": Sentence("Munchkins"),
    "winkies": Sentence("Winkies"),
    "quadlings": Sentence("Quadlings"),
    "gillikins": Sentence("Gillikins"),
}
"""The names of the nations, keyed by seat."""

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

_EFFECTS: Mapping[str, Sentence] = {
    "poppies": Sentence("Poppies: the unit may not move or retreat; it still fights."),
    "confusion": Sentence(
        "Confusion: the unit may not move, retreat or roll when its own side attacks; attacked, it still fights."
    ),
    "fleet feet": Sentence("Fleet feet: the unit moves up to two spaces."),
    "transport": Sentence("Transport: a unit of your own goes at once to any space without enemy units."),
    "good luck": Sentence("Good luck: every die of the unit counts one less, which helps it."),
    "poor luck": Sentence("Poor luck: every die of the unit counts one more, which hurts it."),
    "fireball": Sentence("Fireball: at once one die at an enemy unit, with strength 5; once a battle."),
    "healing": Sentence("Healing: the next time the unit would be eliminated, it is not; once a battle."),
}

TERRAINS: Mapping[str, Sentence] = {
    "plain": Sentence("plain"),
    "hills": Sentence("hills"),
    "fields": Sentence("fields"),
    "forest": Sentence("forest"),
    "open": Sentence("open ground"),
}
"""The names of the terrains on the shipped map. Any other terrain is shown by its name in the data set."""

_FOLDER = Path(__file__).parent
_CODES = r"[A-Z][A-Z\d]*|[1-9][LCR]|[ \d:;,…-]"


def written(orders: str, language: str) -> str:
    """Return canonical orders, or a part of them, in the notation of `language`. Any other text is returned
    unchanged."""
    words = notation.words_of(_FOLDER, language)
    return notation.replaced(orders, words, _CODES) if words else orders


def noted(orders: object) -> Sentence:
    """Return orders, or a part of them, as a sentence in the notation of its reader's language."""
    return notation.noted(str(orders), written)


def decimal(tenths: int) -> Sentence:
    """Return a number of tenths as a decimal number, which is written differently in each language."""
    whole, rest = divmod(tenths, 10)
    return Sentence("{whole}.{tenths}", whole=whole, tenths=rest)


def nation(seat: Seat | None, say: Say) -> str:
    """Return the name of the nation `seat`, or "nobody" if `seat` is None."""
    return say(CALLED[seat]) if seat else say("nobody")


def counter(data: Data, code: str, say: Say) -> str:
    """Return the name of a counter."""
    return say(_BELL) if code == BELL else data.counters[code].name


def named(data: Data, code: str, say: Say) -> str:
    """Return a counter's code, as used in orders, and its name: `SOU Sourdough's`."""
    return say(_BELL) if code == BELL else f"{code} {data.counters[code].name}"


def called(data: Data, value: Any, say: Say) -> Any:
    """Return the displayed name of the counter, point, nation or spell that `value` means. For a list, return the names
    of its elements, separated by commas. Any other value is returned unchanged."""
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
    """Return the name of a spell."""
    return say(SPELLS[name])


def effect(spell: str, say: Say) -> str:
    """Return a sentence about what `spell` does."""
    return say(_EFFECTS[spell])


def marker(event: Event, say: Say) -> str:
    """Return a description of the spell in effect that `event` is about, with its target and its caster."""
    values = {"spell": spell(event["spell"], say), "caster": event["by"]}
    if event.get("on"):
        return say("{caster}'s {spell} on {unit}", unit=event["on"], **values)
    return say("{caster}'s {spell}", **values)


def kind(data: Data, code: str, say: Say) -> str:
    """Return the kind of a counter."""
    return say(KINDS[data.counters[code].kind])


def terrain(name: str, say: Say) -> str:
    """Return the name of a terrain."""
    return say(TERRAINS[name]) if name in TERRAINS else name


def initial(seat: Seat) -> str:
    """Return the letter that represents a nation in pictures."""
    return seat[0]


def point(data: Data, code: str) -> str:
    """Return a point's code and name: `R1 Recruiting Grounds`."""
    return f"{code} {data.points[code].name}"


def listed(codes: Iterable[str]) -> str:
    """List codes in the form that orders use."""
    return " ".join(codes)


def strengths(data: Data, code: str) -> str:
    """Return the ranged and the melee strength of a counter, such as `4/3`, or `4:2/1` if its range is two spaces."""
    card = data.counters[code]
    reach = f":{card.range}" if card.range > 1 else ""
    return f"{card.ranged}{reach}/{card.melee}"


def forces(data: Data, battle: Battle, space: str | None, seat: Seat) -> list[str]:
    """Return the forces of `seat` in `space`, in roster order, with the Bell last: `ZOR[GUA SOU]` means a leader with a
    group, and `MCA~` means spent cavalry."""
    here = {code: fighter for code, fighter in battle.units.items() if fighter.seat == seat and fighter.space == space}
    signs = [_force(data, here, code) for code in data.in_order(here) if here[code].group is None]
    bell = battle.bell
    return [*signs, "BEL"] if bell and bell.seat == seat and bell.space == space else signs


def _force(data: Data, fighters: Mapping[str, Fighter], code: str) -> str:
    group = [_marked(fighters, member) for member in data.in_order(fighters) if fighters[member].group == code]
    return f"{code}[{' '.join(group)}]" if group else _marked(fighters, code)


def _marked(fighters: Mapping[str, Fighter], code: str) -> str:
    return f"{code}~" if fighters[code].spent else code
