"""The files of a data set (§2): a type for the contents of each, and checks of the rules that span several values.

docs/own-data.md describes the files. A data set that passes the checks can be built and played: every number, counter
and point that the rules look up exists.
"""

import re
from collections import Counter as Tally
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Annotated, Any, Literal, NamedTuple

from pbem.games.ozz.data import BELL, CENTERS, LEADERS, Kind, LinkKind, PointKind, Switches
from pbem.typed import Between, Complete, Key, Named, Place, Reader, Right

NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")
SPELLS = ("poppies", "confusion", "fleet feet", "transport", "good luck", "poor luck", "fireball", "healing")
"""The spells that the rules know."""
_ORDER_WORDS = frozenset(("ADV", "ALL", "AND", "FLY", "NMR", "OFF", "YES"))
_CODE, _POINT_CODE = re.compile("[A-Z][A-Z0-9]{2}"), re.compile("[A-Z][A-Z0-9]{1,2}")
_NAME = re.compile(r"(?=.{1,40}\Z)[^\W_][^|#@{}<>\n\r\t]*")
_DRAWN = re.compile(r"\b[A-Z][A-Z0-9]{1,2}\b")
_MOST_COUNTERS, _MOST_POINTS, _WIDTH, _HEIGHT = 250, 80, 72, 60


def _different(least: int = 0) -> Right:
    wanted = f"a list of {least} different entries or more" if least else "a list of different entries"
    return Right(lambda entries: least <= len(set(entries)) == len(entries), wanted)


def _is_line(line: str) -> bool:
    return len(line) <= _WIDTH and line.isascii() and line.replace(" ", "a").isprintable()


Text40 = Annotated[str, Right(_NAME.fullmatch, "a name of at most 40 characters")]
Distance = Annotated[float, Between(0, 1000)]
Nation = Annotated[str, Named("nation")]
AnyNation = Annotated[str, Named("nation that the rules know")]
Code = Annotated[str, Named("counter")]
Percent = Annotated[int, Between(0, 100)]
From0To99 = Annotated[int, Between(0, 99)]
From1To99 = Annotated[int, Between(1, 99)]
From0To9 = Annotated[int, Between(0, 9)]
From1To9 = Annotated[int, Between(1, 9)]
From1To101 = Annotated[int, Between(1, 101)]
Spell = Literal["poppies", "confusion", "fleet feet", "transport", "good luck", "poor luck", "fireball", "healing"]


def plain(value: Any) -> Any:
    """Return a value without its mark and note, if it has them."""
    return value["value"] if isinstance(value, dict) and "value" in value else value


class ByWalls(NamedTuple):
    """A number for each kind of Fortified Center."""

    fort: Annotated[int, Between(0, 2), "in a fort"]
    castle: Annotated[int, Between(0, 2), "in a castle"]


class ValuesFile(NamedTuple):
    """The contents of `values.json`. Each number is given directly, or as the `value` of an object with a `mark` and
    perhaps a `note`."""

    rules: Annotated[Text40, "what these values are called"]
    nations: Annotated[tuple[AnyNation, ...], _different(2), "the nations, in the order of seats"]
    die: Annotated[int, Between(2, 100), "sides of the die"]
    rows: Annotated[int, Between(2, 9), "rows of the battleboard (§1.6)"]
    columns: Annotated[tuple[str, ...], Right(("L", "C", "R").__eq__, '["L", "C", "R"]'), "columns of the battleboard"]
    group_max: Annotated[From1To99, "units of a group"]
    battle_turns: Annotated[From1To99, "turns of a battle (§5.36)"]
    great_battle: Annotated[From1To99, "units of each side that make a battle great (§3.9)"]
    turns: Annotated[int, Between(1, 999), "turns of a campaign"]
    order_success: Annotated[Percent, "an order is changed with this or less (§5.12)"]
    order_chaos: Annotated[From1To101, "chaos with this or more (§5.12)"]
    ruler_order_bonus: Annotated[From0To99, "what a Ruler's group adds to both (§5.12)"]
    coordination_fails: Annotated[From1To101, "a force acts alone with this or more (§5.11)"]
    hero_alone_speed: Annotated[From0To9, "spaces that leaders alone move (§5.16)"]
    fleet_feet_speed: Annotated[From1To9, "spaces under Fleet Feet"]
    charge_bonus: Annotated[From0To99, "strength that a charge adds (§5.19)"]
    flyer_shot: Annotated[From0To99, "added to a die of fire at a flyer (§5.21)"]
    home_terrain: Annotated[From0To99, "added to a die against a unit in its home terrain (§5.21)"]
    walls: Annotated[ByWalls, "added to a die against infantry in the walls (§5.21)"]
    garrison_artillery: Annotated[ByWalls, "batteries that the walls can have"]
    luck: Annotated[From0To99, "what good and poor luck change"]
    fireball_strength: Annotated[Percent, "strength of a Fireball"]
    leader_killed: Annotated[Percent, "a leader alone is killed with this or less (§5.34)"]
    lone_leader_rows: Annotated[From1To9, "rows that such a leader goes back (§5.34)"]
    dissipates: Annotated[Percent, "a spell fades with this or less"]
    attrition_from: Annotated[int, Between(0, 999), "a die and the units of a stack that cost one of them (§3.6)"]
    attrition_units: Annotated[From1To99, "units from which a stack has attrition (§3.6)"]
    mishap: Annotated[From1To101, "a mishap of mercenaries with this or more (§8.3)"]
    ruler_returns: Annotated[Percent, "a fallen Ruler returns with this or less"]
    bell_skeletons: Annotated[From0To99, "skeletons that a Bell raises in a battle (§5.30)"]
    national_skeletons: Annotated[From0To99, "skeletons that a side keeps (§5.33)"]
    bell_users: Annotated[tuple[AnyNation, ...], _different(), "nations for which the Bell works"]
    witch_spells: Annotated[tuple[Spell, ...], _different(1), "spells that a leader with `?` can draw"]
    spells: Annotated[Mapping[Spell, Any], Complete(), "every spell, with notes"]
    switches: Annotated[Switches, "rules that can be left out, by default: see `--without`; `dissipation` from 0 to 3"]
    sources: Annotated[Any, "a note"] = None


class Cost(NamedTuple):
    """The movement points that a link costs."""

    road: Annotated[From1To99, "for a road"]
    trail: Annotated[From1To99, "for a trail"]


class PointEntry(NamedTuple):
    """A point of the map; its key in the file is its code. `at` is its position in inches from the lower left corner;
    `strength` is the number of its intrinsic units."""

    name: Annotated[Text40, "its name"]
    at: Annotated[tuple[Distance, Distance], "how far it is in inches from the left and from the bottom"]
    terrain: Annotated[Text40, "its terrain, which counts in battle and for `home`"]
    kind: Annotated[PointKind, "castle and fort are Fortified Centers, town a population center"]
    nation: Annotated[Nation | None, "whose it is; null only of what is no Center"]
    strength: Annotated[From0To99, "intrinsic units of a Center; 0 of anything else"]
    marks: Annotated[Any, "where each value comes from"] = None


class MapFile(NamedTuple):
    """The contents of `map.json`. Each line of the `drawing` is plain ASCII, and the code of every point appears in the
    drawing exactly once."""

    name: Annotated[Text40, "what the map is called"]
    colours: Annotated[Mapping[AnyNation, Text40], "a name of a colour for each nation"]
    flight: Annotated[Distance, "how far a flight goes, in inches"]
    cost: Annotated[Cost, "movement points that a link takes"]
    allowance: Annotated[From1To99, "movement points of a stack"]
    points: Annotated[
        Mapping[
            Annotated[str, Right(_POINT_CODE.fullmatch, "two or three capitals and digits, a letter first")], PointEntry
        ],
        "points by their codes, two or three capitals and digits",
    ]
    links: Annotated[
        tuple[tuple[Annotated[str, Named("point")], Annotated[str, Named("point")], LinkKind], ...],
        "two points and the kind of way; all points hang together",
    ]
    drawing: Annotated[
        tuple[Annotated[str, Right(_is_line, f"a line of plain ASCII of at most {_WIDTH} columns")], ...],
        Right(lambda lines: len(lines) <= _HEIGHT, f"at most {_HEIGHT} lines"),
        "the map as lines of plain ASCII, with each code once",
    ]
    reconstructed: Annotated[Any, "a note"] = None
    marks: Annotated[Any, "where each value comes from"] = None


class CounterEntry(NamedTuple):
    """A counter; its key in the file is its code. Keys for features that the counter lacks are left out. `spells` lists
    the spells of a leader; "?" stands for a spell that is drawn at random."""

    name: Annotated[Text40, "its name"]
    nation: Annotated[Nation | None, "whose it is; null of mercenaries, walls, the Bell and its skeletons"]
    kind: Annotated[Kind, "what it is; ruler, hero and witch are leaders"]
    move: Annotated[From0To9, "spaces on the battleboard"] = 0
    ranged: Annotated[From0To99, "strength of its fire; 0 for none"] = 0
    range: Annotated[From0To9, "how far it fires, in spaces"] = 0
    melee: Annotated[From0To99, "strength in melee"] = 0
    home: Annotated[Text40 | None, "the terrain in which it is at home"] = None
    special: Annotated[tuple[Annotated[str, Named("point")], ...], _different(), "points where it is a specialist"] = ()
    spells: Annotated[
        tuple[Spell | Literal["?"], ...], _different(), "spells of a leader; `?` for one that is drawn"
    ] = ()
    reserve: Annotated[bool, "whether it is in play only when a rule brings it"] = False
    intrinsic: Annotated[bool, "whether it belongs to walls"] = False
    mercenary: Annotated[Text40 | None, "the kind of mercenary that it is"] = None
    marks: Annotated[Any, "where each value comes from"] = None


class CountersFile(NamedTuple):
    """The contents of `counters.json`. `units` is in roster order; `order` is a note that the program does not read."""

    units: Annotated[
        Mapping[Annotated[str, Right(_CODE.fullmatch, "three capitals and digits, a letter first")], CounterEntry],
        "counters by their codes, three capitals and digits; the Bell is `BEL`",
    ]
    order: Annotated[Any, "a note"] = None


class CampaignBell(NamedTuple):
    """The Bell of a campaign. At the start, it is in the Castle of the first of `nations` that is in play."""

    nations: Annotated[tuple[AnyNation, ...], _different(), "nations that may have it at the start, best first"]
    with_: Annotated[Code, Key("with"), "the counter that carries it"]


class Campaign(NamedTuple):
    """A campaign in `scenarios.json`: the counters at each point at the start, and the counters that may come into play
    later."""

    title: Annotated[Text40, "what it is called"]
    kind: Annotated[Literal["campaign"], "a campaign"]
    seats: Annotated[tuple[Nation, ...], _different(2), "nations that play by default"]
    start: Annotated[
        Mapping[Nation, Mapping[Annotated[str, Named("point")], tuple[Code, ...]]],
        Complete(),
        "for each nation its points with their counters",
    ]
    pools: Annotated[Mapping[Nation, tuple[Code, ...]], Complete(), "for each nation what it can recruit"]
    mercenaries: Annotated[tuple[Code, ...], "mercenaries that can be recruited"]
    bell: Annotated[CampaignBell | None, "where the Bell is; null if there is none"]
    marks: Annotated[Any, "a note"] = None
    mark: Annotated[Any, "a note"] = None


class SkirmishBell(NamedTuple):
    """The Bell of a skirmish."""

    seat: Annotated[Nation, "whose it is"]
    carrier: Annotated[Code, "the counter that carries it"]


class Skirmish(NamedTuple):
    """A skirmish in `scenarios.json`: a single battle. `strength` is the number of the defender's intrinsic units."""

    title: Annotated[Text40, "what it is called"]
    kind: Annotated[Literal["skirmish"], "one battle"]
    attacker: Annotated[Nation, "the nation that attacks"]
    defender: Annotated[Nation, "the nation that defends"]
    terrain: Annotated[Text40, "the terrain of the battle"]
    walls: Annotated[Literal["fort", "castle"] | None, "whether the defender stands in walls"]
    strength: Annotated[From0To99, "intrinsic units of the defender"]
    bell: Annotated[SkirmishBell | None, "whose the Bell is; null if there is none"]
    attackers: Annotated[tuple[Code, ...], "counters of the attacker"]
    defenders: Annotated[tuple[Code, ...], "counters of the defender"]
    marks: Annotated[Any, "a note"] = None
    mark: Annotated[Any, "a note"] = None


class _Kind(NamedTuple):
    """The key that all kinds of scenarios have in common."""

    kind: Literal["campaign", "skirmish"]


class _Anything(frozenset[str]):
    """A set that contains every name. It replaces a list of names that could not be read, so that only the unreadable
    list is reported, and not every use of a name."""

    def __contains__(self, name: object) -> bool:
        return True


class DataReader(Reader):
    """A reader of the files of a data set, which also checks rules that span several values."""

    def __init__(self, files: Mapping[str, Any]) -> None:
        super().__init__()
        self.files = files
        points, units = (files[file].get(key) if isinstance(files[file], dict) else None for file, key in _PARTS)
        self.names = {
            "nation that the rules know": NATIONS,
            "nation": self._nations(),
            "point": points if isinstance(points, dict) else _Anything(),
            "counter": units if isinstance(units, dict) else _Anything(),
        }

    def _nations(self) -> tuple[str, ...]:
        """Return the nations that the values file names, apart from any that the rules do not know. If fewer than two
        are left, return all nations that the rules know."""
        values = self.files["values"]
        named = plain(values.get("nations")) if isinstance(values, dict) else None
        texts = [name for name in named if isinstance(name, str) and name in NATIONS] if isinstance(named, list) else []
        return tuple(dict.fromkeys(texts)) if len(set(texts)) > 1 else NATIONS

    def check(self) -> list[str]:
        """Check all files; return every problem as a sentence."""
        values = self._values(self.files["values"])
        ground = self.read(MapFile, self.files["map"], "map")
        self._check_map(ground)
        units = self.read(CountersFile, self.files["counters"], "counters").units
        self._check_counters(units, ground.points)
        self._check_walls(values, ground, units)
        self._check_scenarios(ground, units)
        return self.problems

    def _values(self, entries: Any) -> ValuesFile:
        if not isinstance(entries, dict):
            return self.read(ValuesFile, entries, "values")
        bare = {key: value if key in _AS_WRITTEN else plain(value) for key, value in entries.items()}
        switches = entries.get("switches")
        if isinstance(switches, dict):
            bare["switches"] = {key: plain(value) for key, value in switches.items()}
            for switch in fields(Switches):
                if switch.name not in switches:
                    self.replace(("values", "switches", switch.name), "this is missing.")
        return self.read(ValuesFile, bare, "values")

    # The map

    def _check_map(self, ground: MapFile) -> None:
        if self.sound("map", "points") and not 2 <= len(ground.points) <= _MOST_POINTS:
            self.problem(("map", "points"), f"there should be 2 to {_MOST_POINTS} of them, not {len(ground.points)}.")
        for nation in self.names["nation"]:
            if nation not in ground.colours:
                self.problem(("map", "colours", nation), "this is missing.")
        for code, point in ground.points.items():
            self._check_point(("map", "points", code), point)
        self._check_links(ground)
        if self.sound("map", "drawing") and self.sound("map", "points"):
            self._check_drawing(ground)
        for nation in self.names["nation"]:
            castles = [point for point in ground.points.values() if (point.kind, point.nation) == ("castle", nation)]
            if len(castles) != 1 and self.sound("map", "points"):
                self.problem(("map", "points"), f"the {nation} should have one castle, not {len(castles)}.")

    def _check_point(self, where: Place, point: PointEntry) -> None:
        if not self.sound(*where):
            return
        if point.kind not in CENTERS:
            if point.strength:
                self.problem((*where, "strength"), "only a castle or a fort has a strength; this should be 0.")
            return
        if point.nation is None:
            self.problem((*where, "nation"), f"a {point.kind} belongs to a nation.")
        if not point.strength:
            self.mistaken((*where, "strength"), "a number from 1 to 99", 0)

    def _check_links(self, ground: MapFile) -> None:
        reached: dict[str, set[str]] = {point: set() for point in ground.points}
        for at, (first, second, _) in enumerate(ground.links, start=1):
            if not self.sound("map", "links", at) or not {first, second} <= reached.keys():
                continue
            if first == second:
                self.problem(("map", "links", at), f"{first} is linked with itself.")
            elif second in reached[first]:
                self.problem(("map", "links", at), f"{first} and {second} are linked twice.")
            reached[first].add(second)
            reached[second].add(first)
        visited, todo = set[str](), [*reached][:1]
        while todo:
            at_point = todo.pop()
            visited.add(at_point)
            todo += reached[at_point] - visited
        lost = [point for point in reached if point not in visited]
        if lost and self.sound("map", "links") and self.sound("map", "points"):
            self.problem(("map", "links"), f"no way leads to {', '.join(lost)}.")

    def _check_drawing(self, ground: MapFile) -> None:
        drawn = Tally(code for line in ground.drawing for code in _DRAWN.findall(line))
        for code in ground.points:
            if drawn[code] != 1:
                self.problem(("map", "drawing"), f"{code} is there {drawn[code]} times, not once.")
        for code in drawn:
            if code not in ground.points:
                self.problem(("map", "drawing"), f"{code} is not a point of the map.")

    # Counters

    def _check_counters(self, units: Mapping[str, CounterEntry], points: Collection[str]) -> None:
        if len(units) > _MOST_COUNTERS:
            self.problem(("counters", "units"), f"there are more than {_MOST_COUNTERS}.")
        if self.sound("counters", "units") and [code for code, card in units.items() if card.kind == "bell"] != [BELL]:
            self.problem(("counters", "units"), f"the Bell should be {BELL}, and nothing else.")
        for code, card in units.items():
            where = ("counters", "units", code)
            if code in points or code in _ORDER_WORDS:
                self.problem(where, "this is the code of a point, or an order word.")
            if self.sound(*where):
                self._check_owner(where, code, card)
                if card.kind not in LEADERS:
                    self._check_strength(where, card)

    def _check_owner(self, where: Place, code: str, card: CounterEntry) -> None:
        loose = card.nation is None and not card.mercenary and not card.intrinsic
        if loose and code != BELL and not (card.reserve and code.startswith("SK")):
            self.problem(where, "this belongs to no nation, and is neither a mercenary nor a skeleton of the Bell.")
        if card.nation is not None and card.mercenary:
            self.problem(where, "a mercenary belongs to no nation.")

    def _check_strength(self, where: Place, card: CounterEntry) -> None:
        if not (card.ranged or card.melee):
            self.problem(where, "a unit needs a strength, ranged or melee.")
        if bool(card.ranged) != bool(card.range):
            self.problem(where, "a ranged strength and a range go together.")

    def _check_walls(self, values: ValuesFile, ground: MapFile, units: Mapping[str, CounterEntry]) -> None:
        """Report a problem if there are fewer intrinsic units than the strongest walls of the map require, or fewer
        intrinsic batteries than `garrison_artillery` allows."""
        if not self.sound("counters", "units"):
            return
        within = [card.kind == "artillery" for card in units.values() if card.intrinsic]
        strongest = max((point.strength for point in ground.points.values()), default=0)
        if within.count(False) < strongest and self.sound("map", "points"):
            self.problem(("counters", "units"), "there are not enough intrinsic units for the strongest walls.")
        if within.count(True) < max(values.garrison_artillery) and self.sound("values", "garrison_artillery"):
            self.problem(("counters", "units"), "there are not enough intrinsic batteries for the values.")

    # Scenarios

    def _check_scenarios(self, ground: MapFile, units: Mapping[str, CounterEntry]) -> None:
        scenarios = self.read(dict[Text40, Any], self.files["scenarios"], "scenarios")
        if not scenarios and self.sound("scenarios"):
            self.problem(("scenarios",), "there are none.")
        for name, entries in scenarios.items():
            where = ("scenarios", name)
            codes: list[str] = []
            if not isinstance(entries, dict) or entries.get("kind") not in ("campaign", "skirmish"):
                self.read(_Kind, {"kind": entries.get("kind")} if isinstance(entries, dict) else entries, *where)
            elif entries["kind"] == "campaign":
                codes = [*self._campaign(where, self.read(Campaign, entries, *where), ground, units)]
            else:
                codes = [*self._skirmish(where, self.read(Skirmish, entries, *where), units)]
            for code, number in Tally(codes).items():
                if number > 1:
                    self.problem(where, f"{code} is in {number} places.")

    def _own(
        self, where: Place, codes: Iterable[str], units: Mapping[str, CounterEntry], nation: str | None
    ) -> Iterator[str]:
        """Yield the known counters among `codes`, and report each counter that `nation` may not have. If `nation` is
        None, all counters must be mercenaries."""
        for code in codes:
            card = units.get(code)
            if card is None or not self.sound("counters", "units", code):
                continue
            right = card.mercenary if nation is None else card.nation in (None, nation)
            if not right or card.intrinsic or code == BELL:
                owner = f"a counter of the {nation}" if nation else "a mercenary"
                self.problem(where, f"{code} is not {owner}.")
            yield code

    def _campaign(
        self, where: Place, campaign: Campaign, ground: MapFile, units: Mapping[str, CounterEntry]
    ) -> Iterator[str]:
        """Check a campaign; yield every counter that it names."""
        holders: dict[str, str] = {}
        for nation, stacks in campaign.start.items():
            for code, stack in stacks.items():
                point = ground.points.get(code)
                holder = point.nation if point and point.strength else None
                if holder not in (None, nation) or holders.setdefault(code, nation) != nation:
                    self.problem((*where, "start", nation), f"{code} belongs to another nation, or has its counters.")
                yield from self._own((*where, "start", nation, code), stack, units, nation)
            yield from self._own((*where, "pools", nation), campaign.pools.get(nation, ()), units, nation)
        yield from self._own((*where, "mercenaries"), campaign.mercenaries, units, None)
        if campaign.bell and self.sound(*where, "bell"):
            self._check_carrier((*where, "bell", "with"), campaign.bell.with_, units)
            yield campaign.bell.with_

    def _check_carrier(self, where: Place, code: str, units: Mapping[str, CounterEntry]) -> None:
        card = units.get(code)
        if card and (card.kind in (*LEADERS, "flying", "bell") or card.intrinsic):
            self.problem(where, f"{code} cannot carry the Bell.")

    def _skirmish(self, where: Place, skirmish: Skirmish, units: Mapping[str, CounterEntry]) -> Iterator[str]:
        """Check a skirmish; yield every counter that it names."""
        if not (self.sound(*where, "attacker") and self.sound(*where, "defender")):
            return
        if skirmish.attacker == skirmish.defender:
            self.problem((*where, "defender"), "attacker and defender are the same nation.")
        within = sum(card.intrinsic and card.kind != "artillery" for card in units.values())
        if skirmish.strength > within:
            self.problem((*where, "strength"), f"there are {within} intrinsic units, not {skirmish.strength}.")
        sides = (skirmish.attacker, skirmish.attackers), (skirmish.defender, skirmish.defenders)
        for key, (nation, codes) in zip(("attackers", "defenders"), sides, strict=True):
            yield from self._own((*where, key), codes, units, nation)
            if self.sound(*where, key) and not any(units[code].kind not in LEADERS for code in codes if code in units):
                self.problem((*where, key), "there are no units.")
        if skirmish.bell and self.sound(*where, "bell"):
            own = dict(sides).get(skirmish.bell.seat)
            if own is None:
                self.problem((*where, "bell", "seat"), "the Bell belongs to the attacker or the defender.")
            elif skirmish.bell.carrier not in own:
                self.problem((*where, "bell", "carrier"), f"{skirmish.bell.carrier} is not among its side's units.")
            self._check_carrier((*where, "bell", "carrier"), skirmish.bell.carrier, units)


_PARTS = (("map", "points"), ("counters", "units"))
_AS_WRITTEN = ("rules", "spells", "switches", "sources")  # keys of `values.json` without a mark of their own
