"""What a receipt says of a letter's orders, in plain words: the way of each stack with what it costs, what each force
is to do (ozz §16).
"""

from collections.abc import Sequence
from itertools import pairwise

from pbem import ENGLISH, Say
from pbem.games.base import Seat
from pbem.games.ozz import orders, wording
from pbem.games.ozz.counsel import cost
from pbem.games.ozz.orders import OFF, Codes, Item, Orders
from pbem.games.ozz.state import State


def words(state: State, seat: Seat, orders: Orders, say: Say = ENGLISH) -> str:
    """A letter in plain words, a line for each item, by number where there are several."""
    told = [_Words(state, seat, say).item(item) for item in orders.items]
    if not told:
        return say("You order nothing: all that stands below counts.")
    if len(told) > 1:
        told = [f"{number}. {line}" for number, line in enumerate(told, start=1)]
    return "\n".join(told)


class _Words:
    """Items said in sentences."""

    def __init__(self, state: State, seat: Seat, say: Say) -> None:
        self.state, self.data, self.seat, self.say = state, state.data, seat, say

    def item(self, item: Item) -> str:
        found = self._on_the_map(item) or self._on_the_board(item)
        return found or self._in_both(item)

    def _name(self, code: str) -> str:
        return wording.named(self.data, code, self.say)

    def _names(self, codes: Codes) -> str:
        return ", ".join(map(self._name, codes))

    def _point(self, code: str) -> str:
        return wording.point(self.data, code)

    # What belongs to the map

    def _on_the_map(self, item: Item) -> str:
        say = self.say
        match item:
            case orders.Move():
                return self._move(item)
            case orders.Fly(units, way):
                inches = f"{self.data.inches(way[0], way[-1]):.1f}"
                values = {"units": self._names(units), "start": self._point(way[0]), "end": self._point(way[-1])}
                told = say("{units} fly from {start} to {end}: {inches} inches.", inches=inches, **values)
                return told + self._attrition(units)
            case orders.Recruit(hero, how):
                return self._recruit(self._name(hero), how)
            case orders.Garrison(point, number):
                where = self._point(point)
                return say(
                    "Batteries in the walls of {point} in place of infantry: {number}.", point=where, number=number
                )
            case orders.Honors("offer", point):
                return say("You offer honours of war to those in {point}.", point=self._point(point))
            case orders.Honors(_, point):
                return say("You accept honours of war in {point}.", point=self._point(point))
            case orders.Return(point):
                return say("Your Ruler comes back in {point}, if he may.", point=self._point(point))
        return ""

    def _recruit(self, hero: str, how: str) -> str:
        if how == "pool":
            return self.say("{hero} recruits whoever is on top of the pool.", hero=hero)
        if how == "special":
            return self.say("{hero} recruits the specialist of the place, if there is one.", hero=hero)
        return self.say("{hero} recruits nobody.", hero=hero)

    def _move(self, item: orders.Move) -> str:
        """The way of a stack, what each link costs, who is left behind and who is picked up."""
        say, way, data = self.say, item.way, self.data
        spent = [cost(self.state, way[: number + 2]) for number in range(len(way) - 1)]
        passed = ", ".join(f"{point} ({so_far})" for point, so_far in zip(way[1:-1], spent, strict=False))
        values: dict[str, object] = {
            "units": self._names(item.units),
            "start": self._point(way[0]),
            "end": self._point(way[-1]),
            "spent": spent[-1],
            "allowance": data.allowance,
        }
        if passed:
            told = say(
                "{units}: from {start} by {passed} to {end}, {spent} of {allowance} points.", passed=passed, **values
            )
        else:
            told = say("{units}: from {start} to {end}, {spent} of {allowance} points.", **values)
        if item.drop:
            told += " " + say(
                "Left behind in {point}: {units}.", point=self._point(item.way[1]), units=self._names(item.drop)
            )
        if item.take:
            told += " " + say("Picked up on the way: {units}.", units=self._names(item.take))
        kept = [code for code in (*item.units, *item.take) if code not in item.drop]
        strains = any(data.links[start][end] == "trail" for start, end in pairwise(way))
        return told + (self._attrition(kept) if strains else "")

    def _attrition(self, codes: Sequence[str]) -> str:
        """From which die on a stack that goes by trail or by air loses a unit (§3.6)."""
        units, values = sum(not self.data.counters[code].leader for code in codes), self.data.values
        if units < values["attrition_units"]:
            return ""
        told = self.say("Attrition: a die of {least} or more costs a unit.", least=values["attrition_from"] - units)
        return f" {told}"

    # What belongs to the board

    def _on_the_board(self, item: Item) -> str:
        say = self.say
        match item:
            case orders.Order():
                return self._order(item)
            case orders.Deploy(space, units):
                return say("{units}: to {space}.", units=self._names(units), space=space)
            case orders.Group(leader, ()):
                return say("{leader} leads nobody.", leader=self._name(leader))
            case orders.Group(leader, units):
                return say("{leader} leads {units}.", leader=self._name(leader), units=self._names(units))
            case orders.Guard(space, left, right):
                sides = [say("left: {unit}", unit=self._name(left))] if left else []
                sides += [say("right: {unit}", unit=self._name(right))] if right else []
                return say("Flank guards of {space}: {sides}.", space=space, sides=", ".join(sides))
            case orders.Cast(caster, spell, on, space):
                values = {"caster": self._name(caster), "spell": wording.spell(spell, say), "unit": self._name(on)}
                if space:
                    return say("{caster} casts {spell}: {unit} goes to {space}.", space=space, **values)
                return say("{caster} casts {spell} on {unit}.", **values)
            case orders.Ring():
                return say("The Bell rings.")
        return self._besides(item)

    def _besides(self, item: Item) -> str:
        say = self.say
        match item:
            case orders.ActingOrder(forces):
                return say("Your forces act in this order: {forces}.", forces=self._names(forces))
            case orders.Initiative(first):
                return say("You move first if you may choose.") if first else say("You let them move first if you may.")
            case orders.Evade(units):
                return say("They withdraw from melee where they may: {units}.", units=self._names(units))
            case orders.Join(units):
                return say("They join a melee: {units}.", units=self._names(units))
            case orders.Shoot(()):
                return say("Nobody shoots at flyers in melee.")
            case orders.Shoot(units):
                return say("They shoot at flyers in melee: {units}.", units=self._names(units))
            case orders.Keep("skeletons"):
                return say("After the battle raised skeletons stay, other mercenaries go.")
            case orders.Lasting(rounds):
                return self._lasting(rounds)
            case orders.Keep():
                return say("After the battle other mercenaries stay, raised skeletons go.")
        return ""

    def _lasting(self, rounds: int | None) -> str:
        """How long orders stand (§5.38)."""
        say = self.say
        told = (
            say("They stand for {number} turns", number=rounds)
            if rounds
            else say("They stand to the end of the battle")
        )
        unless = say(
            "unless a leader of yours or half of your units are gone, a force of yours falls into chaos, the enemy"
            " raises skeletons, or enemies stand where your units attack nobody"
        )
        rest = say("A force whose way is behind it goes straight on; new orders replace these.")
        return f"{told}, {unless}. {rest}"

    def _order(self, item: orders.Order) -> str:
        """What a force does, a clause each."""
        say, clauses = self.say, [self._course(item.word, item.way)]
        if item.attack:
            clauses.append(
                say("attacks the first of {spaces} where anybody is", spaces=", ".join(item.attack))
                if len(item.attack) > 1
                else say("attacks {space} if anybody is there", space=item.attack[0])
            )
        else:
            clauses.append(say("attacks nobody of its own accord"))
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
        return say("{force}: {clauses}.", force=self._name(item.force), clauses=", ".join(clauses))

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

    # What belongs to both

    def _in_both(self, item: Item) -> str:
        say = self.say
        match item:
            case orders.Retreat(below, at):
                return self._retreat(below, at)
            case orders.RetreatTo(points):
                return say(
                    "A retreat goes to the first of these that it may: {points}.",
                    points=", ".join(map(self._point, points)),
                )
            case orders.Losses(units):
                return say(
                    "Units are given up in this order: {units}; then those of least value.", units=self._names(units)
                )
            case orders.FightFast(points):
                where = ", ".join(map(self._point, points)) or say("wherever there is a battle")
                return say("You would fight fast, {where}: it is done if the other side says so, too.", where=where)
            case orders.Carry(unit):
                return say("{unit} carries the Bell.", unit=self._name(unit))
        return str(item)

    def _retreat(self, below: int | None, at: str | None) -> str:
        say = self.say
        if below is None:
            told = say("You retreat after the first round or turn of a battle")
        elif below == 0:
            told = say("You never retreat")
        else:
            told = say("You retreat when you have fewer units left than {number}", number=below)
        return say("{what} at {point}.", what=told, point=self._point(at)) if at else f"{told}."
