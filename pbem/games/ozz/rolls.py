"""Die rolls, as the lines below a paragraph of the story: the purpose of each roll, the value needed, and the value
rolled (§16).

Rolls that belong together share a line: the dice of one side in an attack, those of all sides for initiative or in a
round of a fast battle, and those for spells that may fade.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from pbem import Say
from pbem.games.base import Event
from pbem.games.ozz import wording

ROLLS: Mapping[str, str] = {
    "fireball": "{by}'s fireball at {at}, hits on {needs} or less: {value}",
    "coordinate": "{by} joins on {needs} or less: {value}",
    "change": "{by} changes its order on {needs} or less: {value}",
    "chaos": "Chaos of {by}: {value}",
    "leader": "{at} would be killed on {needs} or less: {value}",
    "attrition": "Attrition, no loss on {needs} or less: {value}",
    "return": "{unit} would return on {needs} or less: {value}",
    "mishap": "{by} would find a mercenary on {needs} or less: {value}",
}
"""A sentence for each purpose of a roll that has a line of its own."""

_GAPS = dict.fromkeys(("by", "at", "unit", "value", "needs"), "")


def lines(rolls: Iterable[Event], say: Say) -> Iterator[str]:
    """Yield the lines about the rolls of a paragraph, in the order in which the dice were rolled."""
    together: list[Event] = []
    for roll in rolls:
        if together and not _joins(together, roll):
            yield _line(together, say)
            together = []
        together.append(roll)
    if together:
        yield _line(together, say)


def _joins(line: Sequence[Event], roll: Event) -> bool:
    """Return whether `roll` belongs to the line that begins with the rolls `line`."""
    why, first = roll["for"], line[0]
    if why != first["for"]:
        return False
    if why in ("initiative", "fast"):
        return all(other.get("seat") != roll.get("seat") for other in line)
    if why == "attack":
        return bool(roll.get("seat") == first.get("seat"))
    return why == "dissipation" and bool(roll.get("needs") == first.get("needs"))


def _line(rolls: Sequence[Event], say: Say) -> str:
    first = rolls[0]
    match first["for"]:
        case "initiative":
            return ", ".join(_initiative(roll, say) for roll in rolls)
        case "fast":
            return ", ".join(_fast(roll, say) for roll in rolls)
        case "attack":
            return _attack(rolls, say)
        case "dissipation":
            markers = "; ".join(f"{wording.marker(roll, say)}: {roll['value']}" for roll in rolls)
            return say("Rolls, fading on {needs} or less: {markers}", needs=first.get("needs", ""), markers=markers)
    return say(ROLLS[first["for"]], **{**_GAPS, **first})


def _attack(rolls: Sequence[Event], say: Say) -> str:
    """Describe the dice of one side, such as `WI1 at MCA, 4 or less: 9; WI5 HER at MCA, 5 or less: 9, 1 (hit)`."""
    parts = []
    for (at, needs), group in groupby(rolls, key=lambda roll: (roll.get("at", ""), roll.get("needs", ""))):
        dice = list(group)
        units = wording.listed(die.get("by", "") for die in dice)
        values = ", ".join(
            say("{value} (hit)", value=die["value"]) if die.get("hit") else str(die["value"]) for die in dice
        )
        parts.append(say("{units} at {at}, {needs} or less: {values}", units=units, at=at, needs=needs, values=values))
    return "; ".join(parts)


def _initiative(roll: Event, say: Say) -> str:
    """Describe a roll for initiative, with the number of Rulers and Heroes that is added to it."""
    value, added = roll["value"], roll.get("added", 0)
    values = {"nation": wording.nation(roll.get("seat"), say), "value": value, "added": added, "sum": value + added}
    return say.many(
        "{nation} {value} + {added} leader = {sum}", "{nation} {value} + {added} leaders = {sum}", added, **values
    )


def _fast(roll: Event, say: Say) -> str:
    """Describe a roll in a fast battle and its result: the total value of a side's units, times a tenth of the roll."""
    nation, value, total = wording.nation(roll.get("seat"), say), roll["value"], roll.get("total", 0)
    result = say(wording.decimal(total * value))
    values = {"nation": nation, "total": total, "value": value, "result": result}
    if roll.get("magic"):
        return say("{nation} {total} × {value}/10 = {result} (magic)", **values)
    return say("{nation} {total} × {value}/10 = {result}", **values)
