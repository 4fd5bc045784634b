"""Each die of a round in a line: what it was for, what it needed, and what it did (ozz §16)."""

from collections.abc import Mapping

from pbem.games.base import Event, Say
from pbem.games.ozz import wording
from pbem.games.ozz.data import Data

ROLLS: Mapping[str, tuple[str, str]] = {
    "attack": ("{by} at {at}, hits up to {needs}: {value}, hit", "{by} at {at}, hits up to {needs}: {value}, missed"),
    "fireball": (
        "Fireball of {by} at {at}, hits up to {needs}: {value}, hit",
        "Fireball of {by} at {at}, hits up to {needs}: {value}, missed",
    ),
    "coordinate": ("{by} joins up to {needs}: {value}, done", "{by} joins up to {needs}: {value}, not done"),
    "change": (
        "{by} changes its order up to {needs}: {value}, done",
        "{by} changes its order up to {needs}: {value}, not done",
    ),
    "chaos": ("Chaos with {by}: {value}", "Chaos with {by}: {value}"),
    "leader": ("{at} is killed up to {needs}: {value}, killed", "{at} is killed up to {needs}: {value}, gets away"),
    "attrition": (
        "Attrition, nobody is lost up to {needs}: {value}, nobody",
        "Attrition, nobody is lost up to {needs}: {value}, one unit",
    ),
    "return": ("{unit} comes back up to {needs}: {value}, back", "{unit} comes back up to {needs}: {value}, not yet"),
    "mishap": (
        "{by} finds a mercenary up to {needs}: {value}, one comes",
        "{by} finds a mercenary up to {needs}: {value}, a mishap",
    ),
    "dissipation": (
        "{marker} dissipates up to {needs}: {value}, gone",
        "{marker} dissipates up to {needs}: {value}, stays",
    ),
}
"""What a roll was for, where it succeeded and where it failed."""
SENTENCES = tuple(dict.fromkeys(told for both in ROLLS.values() for told in both))
"""The sentences of this table, for those who translate them."""

_GAPS = dict.fromkeys(("by", "at", "unit", "value", "needs"), "")


def told(data: Data, event: Event, say: Say) -> str:
    """The line of an event that is a roll, "" of another."""
    if event["type"] != "roll":
        return ""
    why = event["for"]
    if why == "initiative":
        return _initiative(event, say)
    if why == "fast":
        return _fast(event, say)
    marker = wording.marker(event, say) if why == "dissipation" else ""
    return say(ROLLS[why][not event.get("hit", True)], **{**_GAPS, **event, "marker": marker})


def _initiative(event: Event, say: Say) -> str:
    """A die for initiative, and the Rulers and Heroes that are added."""
    values = {"value": event["value"], "added": event.get("added", 0)}
    values["sum"] = values["value"] + values["added"]
    nation = wording.nation(event.get("seat"), say)
    return say("{nation}: {value} + {added} leaders = {sum}", nation=nation, **values)


def _fast(event: Event, say: Say) -> str:
    """A die of a fast battle: what it makes of the values of a side's units."""
    nation, value, total = wording.nation(event.get("seat"), say), event["value"], event.get("total", 0)
    result = f"{total * value // 10}.{total * value % 10}"
    values = {"nation": nation, "total": total, "value": value, "result": result}
    if event.get("magic"):
        return say("{nation}: {total} × {value}/10 = {result}; with magic at least that is lost", **values)
    return say("{nation}: {total} × {value}/10 = {result}; at most that is lost, one unit at least", **values)
