"""What a receipt says of a letter: its orders in plain words, the way of each stack with what it costs, and what counts
for everything that was left open, with how to write it otherwise (ozz §12, §16).
"""

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.base import Say, Seat
from pbem.games.ozz import wording
from pbem.games.ozz.orders import (
    OFF,
    ActingOrder,
    Carry,
    Cast,
    Change,
    Codes,
    Deploy,
    Evade,
    Fly,
    Garrison,
    Group,
    Guard,
    Honors,
    Initiative,
    Item,
    Join,
    Keep,
    Losses,
    Move,
    Order,
    Orders,
    Recruit,
    Retreat,
    RetreatTo,
    Return,
    Ring,
    Shoot,
)
from pbem.games.ozz.state import State


def words(state: State, seat: Seat, orders: Orders, say: Say) -> str:
    """A letter in plain words, its items by number where there are several."""
    told = [_Words(state, seat, say).item(item) for item in orders.items]
    if not told:
        return say("You order nothing: all that stands below counts.")
    if len(told) > 1:
        told = [f"{number}. {line}" for number, line in enumerate(told, start=1)]
    return " ".join(told)


class _Words:
    """Items said in sentences."""

    def __init__(self, state: State, seat: Seat, say: Say) -> None:
        self.state, self.data, self.seat, self.say = state, state.data, seat, say

    def item(self, item: Item) -> str:
        found = self._on_the_map(item) or self._on_the_board(item)
        return found or self._in_both(item)

    def _name(self, code: str) -> str:
        return wording.counter(self.data, code, self.say)

    def _names(self, codes: Codes) -> str:
        return ", ".join(map(self._name, codes))

    def _point(self, code: str) -> str:
        return self.data.points[code].name

    # What belongs to the map

    def _on_the_map(self, item: Item) -> str:
        say = self.say
        match item:
            case Move():
                return self._move(item)
            case Fly(units, way):
                inches = f"{self.data.inches(way[0], way[-1]):.1f}"
                return say(
                    "{units} fly from {start} to {end}: {inches} inches, as by trail.",
                    units=self._names(units), start=self._point(way[0]), end=self._point(way[-1]), inches=inches,
                )  # fmt: skip
            case Recruit(hero, how):
                return self._recruit(self._name(hero), how)
            case Garrison(point, number):
                values = {"point": self._point(point), "number": number}
                return say("Batteries in the walls of {point} in place of infantry: {number}.", **values)
            case Honors("offer", point):
                return say("You offer honours of war to those in {point}.", point=self._point(point))
            case Honors(_, point):
                return say("You accept honours of war in {point}.", point=self._point(point))
            case Return(point):
                return say("Your Ruler comes back in {point}, if he may.", point=self._point(point))
        return ""

    def _recruit(self, hero: str, how: str) -> str:
        if how == "pool":
            return self.say("{hero} recruits whoever is on top of the pool.", hero=hero)
        if how == "special":
            return self.say("{hero} recruits the specialist of the place, if there is one.", hero=hero)
        return self.say("{hero} recruits nobody.", hero=hero)

    def _move(self, item: Move) -> str:
        """The way of a stack, what each link costs, who is left behind and who is picked up."""
        say, links = self.say, self.data.links
        kinds = [links[start][end] for start, end in zip(item.way, item.way[1:], strict=False)]
        spent = sum(self.data.cost[kind] for kind in kinds)
        values = {
            "units": self._names(item.units),
            "way": " - ".join(map(self._point, item.way)),
            "spent": spent,
            "allowance": self.data.allowance,
        }
        told = say("{units}: {way} ({spent} of {allowance} points of movement).", **values)
        if item.drop:
            told += " " + say(
                "Left behind in {point}: {units}.", point=self._point(item.way[1]), units=self._names(item.drop)
            )
        if item.take:
            told += " " + say("Picked up on the way: {units}.", units=self._names(item.take))
        return told

    # What belongs to the board

    def _on_the_board(self, item: Item) -> str:
        say = self.say
        match item:
            case Order():
                return self._order(item)
            case Deploy(space, units):
                return say("{units}: to {space}.", units=self._names(units), space=space)
            case Group(leader, ()):
                return say("{leader} leads nobody.", leader=self._name(leader))
            case Group(leader, units):
                return say("{leader} leads {units}.", leader=self._name(leader), units=self._names(units))
            case Guard(space, left, right):
                sides = [say("left: {unit}", unit=self._name(left))] if left else []
                sides += [say("right: {unit}", unit=self._name(right))] if right else []
                return say("Flank guards of {space}: {sides}.", space=space, sides=", ".join(sides))
            case Cast(caster, spell, on, space):
                values = {"caster": self._name(caster), "spell": spell, "unit": self._name(on)}
                if space:
                    return say("{caster} casts {spell}: {unit} goes to {space}.", space=space, **values)
                return say("{caster} casts {spell} on {unit}.", **values)
            case Ring():
                return say("The Bell rings.")
        return self._besides(item)

    def _besides(self, item: Item) -> str:
        say = self.say
        match item:
            case ActingOrder(forces):
                return say("Your forces act in this order: {forces}.", forces=self._names(forces))
            case Initiative(first):
                return say("You move first if you may choose.") if first else say("You let them move first if you may.")
            case Evade(units):
                return say("They withdraw from melee where they may: {units}.", units=self._names(units))
            case Join(units):
                return say("They join a melee: {units}.", units=self._names(units))
            case Shoot(()):
                return say("Nobody shoots at flyers in melee.")
            case Shoot(units):
                return say("They shoot at flyers in melee: {units}.", units=self._names(units))
            case Keep("skeletons"):
                return say("After the battle raised skeletons stay, other mercenaries go.")
            case Keep():
                return say("After the battle other mercenaries stay, raised skeletons go.")
        return ""

    def _order(self, item: Order) -> str:
        """What a force does, a clause each."""
        say, clauses = self.say, [self._course(item.word, item.way)]
        if item.attack:
            clauses.append(
                say("attacks the first of {spaces} that it can, if anybody is there", spaces=_or(item.attack))
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
        clauses.append(self._change(item.change) if item.change else say("does not try to change its order"))
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

    def _change(self, change: Change) -> str:
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
            case Retreat(below, at):
                return self._retreat(below, at)
            case RetreatTo(points):
                return say(
                    "A retreat goes to the first of these that it may: {points}.",
                    points=", ".join(map(self._point, points)),
                )
            case Losses(units):
                return say(
                    "Units are given up in this order: {units}; then those of least value.", units=self._names(units)
                )
            case Carry(unit):
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


def _or(codes: Sequence[str]) -> str:
    return ", ".join(codes)


# What counts for what a letter leaves open


def cautions(state: State, seat: Seat, orders: Orders, say: Say) -> tuple[str, ...]:
    """What will happen by default, and how to write it otherwise; a line each."""
    lines = _of_a_battle(state, seat, orders, say) if state.battle else _of_a_campaign(state, seat, orders, say)
    return (*lines, *_of_both(orders, say))


def _has(orders: Orders, *kinds: type) -> bool:
    return any(isinstance(item, kinds) for item in orders.items)


def _of_both(orders: Orders, say: Say) -> Iterator[str]:
    if not any(isinstance(item, Retreat) and item.at is None for item in orders.items):
        yield say("Retreat: never (default). To change: `Retreat below 3`, `Retreat always`.")
    if not _has(orders, Losses):
        yield say("Losses: weakest first, the Bell last (default). To change: `Losses: …`.")


def _of_a_campaign(state: State, seat: Seat, orders: Orders, say: Say) -> Iterator[str]:
    yield from _still(state, seat, orders, say)
    yield from _fights(state, seat, orders, say)
    named = {item.hero for item in orders.items if isinstance(item, Recruit)}
    heroes = [code for code in _own(state, seat) if state.data.counters[code].kind == "hero" and code not in named]
    if heroes:
        values = {"heroes": wording.listed(heroes), "example": heroes[0]}
        yield say(
            "Recruiting: {heroes}, from the pool where they can (default). To change: `Recruit {example}: special`.",
            **values,
        )


def _own(state: State, seat: Seat) -> list[str]:
    return wording.in_roster_order(state.data, (code for code, one in state.units.items() if one.seat == seat))


def _still(state: State, seat: Seat, orders: Orders, say: Say) -> Iterator[str]:
    """Who does not move."""
    moved = {code for item in orders.items if isinstance(item, Move | Fly) for code in item.units}
    moved |= {code for item in orders.items if isinstance(item, Move) for code in item.take}
    left = [code for code in _own(state, seat) if code not in moved]
    if left:
        yield say("Staying where they are: {units}.", units=wording.listed(left))


def _fights(state: State, seat: Seat, orders: Orders, say: Say) -> Iterator[str]:
    """Where a stack meets enemies as things stand now."""
    for item in orders.items:
        if isinstance(item, Move | Fly):
            for point in item.way[1:]:
                if who := _enemy_at(state, seat, point):
                    values = {"units": wording.listed(item.units), "point": wording.point(state.data, point)}
                    yield say(
                        "{units} will fight at {point}, if nobody leaves: {nation}.",
                        nation=wording.nation(who, say),
                        **values,
                    )
                    break


def _enemy_at(state: State, seat: Seat, point: str) -> Seat | None:
    """Whose units or walls stand in a point, if they are not a seat's own."""
    for code, one in state.units.items():
        if one.at == point and one.seat != seat and not state.data.counters[code].leader:
            return one.seat
    place = state.data.points[point]
    walls = place.center and place.nation in state.seats and point not in state.razed and place.nation != seat
    return place.nation if walls else None


def _of_a_battle(state: State, seat: Seat, orders: Orders, say: Say) -> Iterator[str]:
    battle = state.battle
    assert battle
    if any(one.seat == seat and one.space is None for one in battle.units.values()):
        placed = {code for item in orders.items if isinstance(item, Deploy) for code in item.units}
        rest = [
            code for code, one in battle.units.items() if one.seat == seat and one.space is None and code not in placed
        ]
        if rest:
            rest = wording.in_roster_order(state.data, rest)
            yield say(
                "To the middle of your first row: {units} (default). To change: `Deploy …: …`.",
                units=wording.listed(rest),
            )
    idle = _without_order(state, seat, orders)
    if idle:
        yield say(
            "They stand, and attack nobody: {forces} (default). To change: `Order {example}: advance`.",
            forces=wording.listed(idle),
            example=idle[0],
        )
    casters = [code for code, one in battle.units.items() if one.seat == seat and state.spells.get(code)]
    if casters and not _has(orders, Cast):
        yield say("No spell is cast (default); those in effect stay.")
    if state.options.switches.initiative and not _has(orders, Initiative):
        yield say("You move first if you may choose (default). To change: `Initiative second`.")


def _without_order(state: State, seat: Seat, orders: Orders) -> list[str]:
    """The forces that a letter does not name, as its groups make them."""
    battle = state.battle
    assert battle
    groups: dict[str, str | None] = {code: one.group for code, one in battle.units.items() if one.seat == seat}
    for item in orders.items:
        if isinstance(item, Group):
            groups = {code: None if leader == item.leader else leader for code, leader in groups.items()}
            groups |= dict.fromkeys(item.units, item.leader)
    named = {item.force for item in orders.items if isinstance(item, Order)}
    return wording.in_roster_order(state.data, _acting(groups, named))


def _acting(groups: Mapping[str, str | None], named: set[str]) -> list[str]:
    return [code for code, leader in groups.items() if leader is None and code not in named]
