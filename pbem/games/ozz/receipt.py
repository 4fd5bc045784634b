"""The orders of a letter in plain words, for a receipt: the route of each stack with its cost, and the actions of each
force (§16)."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import pairwise
from typing import Any

from pbem import ENGLISH, Say
from pbem.games.base import Seat
from pbem.games.ozz import orders, wording
from pbem.games.ozz.naming import cheapest
from pbem.games.ozz.orders import OFF, Codes, Item, Orders
from pbem.games.ozz.state import State


def paraphrase(state: State, seat: Seat, orders: Orders, say: Say = ENGLISH) -> str:
    """Return `orders` in plain words, with one line for each item; the lines are numbered if there are several."""
    lines = [_Words(state, seat, say).item(item) for item in orders.items]
    if not lines:
        return say("You give no orders, so everything below counts.")
    if len(lines) > 1:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, start=1)]
    return "\n".join(lines)


TOLD: Mapping[type[Item], str] = {
    orders.Garrison: "Batteries in the walls of {point} instead of infantry: {batteries}.",
    orders.Return: "Your Ruler returns to {point}, if possible.",
    orders.Deploy: "{units}: to {space}.",
    orders.Group: "{leader} leads {units}.",
    orders.Ring: "The Bell rings.",
    orders.ActingOrder: "Your forces act in this order: {forces}.",
    orders.Evade: "They withdraw from melee where they may: {units}.",
    orders.Join: "They join a melee: {units}.",
    orders.Shoot: "They shoot at flyers in melee: {units}.",
    orders.RetreatTo: "A retreat goes to the first of these that is possible: {points}.",
    orders.Losses: "Units are lost in this order: {units}; then the weakest.",
    orders.Carry: "{unit} carries the Bell.",
}
"""Sentences for the items that a single sentence can describe, keyed by item type. Each placeholder has the name of the
attribute that it stands for."""
CHOICES: Mapping[tuple[type[Item], object], str] = {
    (orders.Recruit, "pool"): "{hero} recruits the top counter of the pool.",
    (orders.Recruit, "special"): "{hero} recruits the specialist of the place, if there is one.",
    (orders.Recruit, "none"): "{hero} recruits nobody.",
    (orders.Honors, "offer"): "You offer honours of war to those in {point}.",
    (orders.Honors, "accept"): "You accept honours of war in {point}.",
    (orders.Group, ()): "{leader} leads nobody.",
    (orders.Initiative, True): "You move first if you may choose.",
    (orders.Initiative, False): "You let them move first if you may choose.",
    (orders.Shoot, ()): "Nobody shoots at flyers in melee.",
    (orders.Keep, "skeletons"): "After the battle raised skeletons stay, other mercenaries go.",
    (orders.Keep, "others"): "After the battle other mercenaries stay, raised skeletons go.",
}
"""Sentences for items that express a choice, keyed by item type and by the value of the attribute that contains the
choice."""
SENTENCES = (*TOLD.values(), *CHOICES.values())
"""All sentences in the two tables above, for translators."""


class _Words:
    """A writer that describes items in sentences."""

    def __init__(self, state: State, seat: Seat, say: Say) -> None:
        self.state, self.data, self.seat, self.say = state, state.data, seat, say

    def item(self, item: Item) -> str:
        values = {field.name: getattr(item, field.name) for field in fields(item)}
        chosen = (CHOICES[type(item), value] for value in values.values() if (type(item), value) in CHOICES)
        if sentence := next(chosen, TOLD.get(type(item))):
            return self.say(sentence, **{name: self._called(value) for name, value in values.items()})
        return self._particular(item)

    def _called(self, value: Any) -> str:
        return str(wording.called(self.data, value, self.say))

    def _particular(self, item: Item) -> str:
        """Describe an item for which a single sentence from a table is not enough."""
        say = self.say
        match item:
            case orders.Move():
                return self._move(item)
            case orders.Fly():
                return self._flight(item)
            case orders.Order():
                return self._order(item)
            case orders.Guard(space, left, right):
                sides = [say("left: {unit}", unit=self._called(left))] if left else []
                sides += [say("right: {unit}", unit=self._called(right))] if right else []
                return say("Flank guards of {space}: {sides}.", space=space, sides=", ".join(sides))
            case orders.Cast(caster, spell, on, space):
                values = {"caster": self._called(caster), "spell": self._called(spell), "unit": self._called(on)}
                if space:
                    return say("{caster} casts {spell}: {unit} goes to {space}.", space=space, **values)
                return say("{caster} casts {spell} on {unit}.", **values)
            case orders.Lasting(rounds):
                return self._lasting(rounds)
            case orders.Retreat(below, at):
                return self._retreat(below, at)
            case orders.FightFast(points):
                where = self._called(points) or say("wherever there is a battle")
                return say("You offer to fight fast, {where}: it happens if the other side agrees.", where=where)
        return str(item)

    # Items for the map

    def _flight(self, item: orders.Fly) -> str:
        start, end = item.way[0], item.way[-1]
        values = {"units": self._called(item.units), "start": self._called(start), "end": self._called(end)}
        inches = wording.decimal(round(self.data.inches(start, end) * 10))
        text = self.say("{units} fly from {start} to {end}: {inches} inches.", inches=inches, **values)
        return text + self._attrition(item.units)

    def _move(self, item: orders.Move) -> str:
        """Describe the route of a stack with the cost up to each point, as well as the counters left behind and picked
        up."""
        say, way, data = self.say, item.way, self.data
        spent = [data.cost_of(way[: number + 2]) for number in range(len(way) - 1)]
        passed = ", ".join(f"{point} ({so_far})" for point, so_far in zip(way[1:-1], spent, strict=False))
        values: dict[str, object] = {
            "units": self._called(item.units),
            "start": self._called(way[0]),
            "end": self._called(way[-1]),
            "spent": spent[-1],
            "allowance": data.allowance,
        }
        if passed:
            text = say(
                "{units}: from {start} by {passed} to {end}, {spent} of {allowance} points.", passed=passed, **values
            )
        else:
            text = say("{units}: from {start} to {end}, {spent} of {allowance} points.", **values)
        if others := ["-".join(other[1:-1]) for other in cheapest(data, way[0], way[-1:]) if other != way]:
            text += self._as_cheap(way, others)
        if item.drop:
            text += " " + say(
                "Left behind at {point}: {units}.", point=self._called(item.way[1]), units=self._called(item.drop)
            )
        if item.take:
            text += " " + say("Picked up on the way: {units}.", units=self._called(item.take))
        going = [code for code in (*item.units, *item.take) if code not in item.drop]
        strains = any(data.links[start][end] == "trail" for start, end in pairwise(way))
        return text + (self._attrition(going) if strains else "")

    def _as_cheap(self, way: Codes, others: Sequence[str]) -> str:
        """Return a sentence about other routes that cost the same as `way`; "" if they cost less. `others` lists the
        points between the start and the end of each of these routes, the cheapest there are."""
        if self.data.cost_of(way) > self.data.cost_of((way[0], *others[0].split("-"), way[-1])):
            return ""
        return " " + self.say("The way by {ways} would cost the same.", ways=", ".join(others))

    def _attrition(self, codes: Sequence[str]) -> str:
        """Return a sentence about the die rolls with which a stack loses a unit on a trail or in flight (§3.6); "" if
        the stack is too small for attrition."""
        units, values = sum(not self.data.counters[code].leader for code in codes), self.data.values
        if units < values["attrition_units"]:
            return ""
        text = self.say("Attrition: a die of {least} or more costs a unit.", least=values["attrition_from"] - units)
        return f" {text}"

    # Items for the board

    def _lasting(self, rounds: int | None) -> str:
        """Describe how long orders stand, and what ends them early (§5.38)."""
        say = self.say
        text = (
            say("These orders stand for {number} turns", number=rounds)
            if rounds
            else say("These orders stand until the battle ends")
        )
        unless = say(
            "unless you lose a leader or half of your units, a force of yours falls into chaos, the enemy"
            " raises skeletons, or enemies are in a space with units of yours that do not attack"
        )
        rest = say("A force that has finished its way goes straight on; new orders replace these.")
        return f"{text}, {unless}. {rest}"

    def _order(self, item: orders.Order) -> str:
        """Describe the order of a force, with one clause for each part of the order."""
        say, clauses = self.say, [self._course(item.word, item.way)]
        if item.attack:
            clauses.append(
                say("attacks the first of {spaces} where enemies are", spaces=", ".join(item.attack))
                if len(item.attack) > 1
                else say("attacks {space} if enemies are there", space=item.attack[0])
            )
        else:
            clauses.append(say("does not start an attack"))
        if item.charge:
            clauses.append(say("charges if it moves two spaces into enemies"))
        if item.coordinate is not None:
            clauses.append(self._coordination(item.coordinate))
        if item.alone:
            clauses.append(say("does not join the Ruler"))
        if item.leave:
            clauses.append(say("its leader goes alone if the unit cannot move"))
        if item.change:
            clauses.append(self._change(item.change))
        elif self.state.battle and self.state.battle.turn == 1:
            clauses.append(say("does not try to change its order"))
        return say("{force}: {clauses}.", force=self._called(item.force), clauses=", ".join(clauses))

    def _course(self, word: str, way: Codes) -> str:
        say = self.say
        spaces = ", ".join(space for space in way if space != OFF)
        if word == "stand":
            return say("goes to {space} and stands", space=spaces) if spaces else say("stands")
        if way and way[-1] == OFF:
            return say("falls back by {spaces} and off the board", spaces=spaces) if spaces else say("leaves the board")
        if word == "advance":
            return say("advances to {spaces}", spaces=spaces) if spaces else say("advances straight ahead")
        return say("falls back to {spaces}", spaces=spaces) if spaces else say("falls straight back")

    def _coordination(self, number: int) -> str:
        if number:
            return self.say.many(
                "waits for one force beside it, and acts with it",
                "waits for {number} forces beside it, and acts with them",
                number,
            )
        return self.say("waits for all forces beside it that can join, and acts with them")

    def _change(self, change: orders.Change) -> str:
        say, course = self.say, self._course(change.word, change.way)
        if change.enemy_in is None:
            return say("rolls to change its order: then it {course}", course=course)
        values = {"course": course, "space": change.enemy_in}
        if change.no:
            return say("rolls to change its order if no enemy is in {space}: then it {course}", **values)
        return say("rolls to change its order if enemies are in {space}: then it {course}", **values)

    # Items for both

    def _retreat(self, below: int | None, at: str | None) -> str:
        say = self.say
        if below is None:
            text = say("You retreat after the first round or turn of a battle")
        elif below == 0:
            text = say("You never retreat")
        else:
            text = say("You retreat when you have fewer than {number} units left", number=below)
        return say("{what} at {point}.", what=text, point=self._called(at)) if at else f"{text}."
