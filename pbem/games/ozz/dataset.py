"""Data sets: the shipped one, and folders with files of one's own; and everything that can be wrong with them (§2).

What passes here can be built and played: the rules look up no number, counter or point that may be missing.
"""

import json
import re
from collections import Counter as Tally
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any, get_args

from pbem.games.base import GameError, Seat
from pbem.games.kit.checking import Checker, read_file, read_json
from pbem.games.options import quote
from pbem.games.ozz.data import BELL, CENTERS, LEADERS, Card, Data, Kind, LinkKind, Point, PointKind, Switches

SHIPPED = "house-2"
"""The data set that people mean who name none."""
FIRST = "house"
"""What it was before: what matches, records and programs mean that name none. A data set never changes; the newest one
is whole, an earlier one has the files that were others."""
FILES = ("map", "counters", "values", "scenarios")
MAX_SIZE = 256 * 1024  # bytes of a file, ten times the largest that is shipped
_FOLDER = Path(__file__).parent


def find_data(name: str) -> Data:
    """The data set of the shipped name, or of a folder of that path as it is now. Raises GameError, every problem a
    line."""
    return _shipped(name) if is_shipped(name) else read_data(_read(Path(name)), name)


def is_shipped(name: str) -> bool:
    """Whether a name is that of a data set which comes with the program."""
    return name in (SHIPPED, FIRST)


@cache
def _shipped(name: str) -> Data:
    others = {path.stem: path.read_text("utf-8") for path in (_FOLDER / name).glob("*.json")}
    return read_data({**_read(_FOLDER / SHIPPED), **others}, name)


def _read(folder: Path) -> dict[str, str]:
    """The texts of the files of a folder, by their names. Raises GameError."""
    if not _is_folder(folder):
        files = ", ".join(f"{file}.json" for file in FILES)
        raise GameError(f"There is no folder {quote(str(folder))}: say {SHIPPED}, or the path of one with {files}.")
    texts, problems = {}, []
    for file in FILES:
        try:
            name = f"{file}.json"
            missing = f"There is no file {name}, or it cannot be read."
            texts[file] = read_file(folder / name, f"{name}: this file", missing, MAX_SIZE)
        except GameError as error:
            problems.append(str(error))
    if problems:
        raise GameError("\n".join(problems))
    return texts


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except ValueError:  # a path with a zero character
        return False


def read_data(source: Mapping[str, str], name: str) -> Data:
    """The data set of the texts of its files, for which `name` stands. Raises GameError, every problem a line."""
    return _parse(tuple(source[file] for file in FILES), name)


def described(data: Data) -> str:
    """What is in a data set, in lines: its title, how much of everything, whose values they are, its hash."""
    marks = [*_marks({file: json.loads(text) for file, text in data.source.items()})]
    house = sum(mark.startswith("house") for mark in marks)
    return (
        f"{data.title}.\n{len(data.counters)} counters, {len(data.points)} points, {len(data.nations)} nations; "
        f"scenarios: {', '.join(data.scenarios)}.\n"
        f"{house} of {len(marks)} marked values are house values.\n"
        f"SHA-256 {hash_of(data)}"
    )


def hash_of(data: Data) -> str:
    """SHA-256 of the files of a data set one after the other, in hexadecimal digits."""
    return sha256("".join(data.source[file] for file in FILES).encode()).hexdigest()


def _marks(value: Any) -> Iterator[str]:
    """Where the values come from that a file marks."""
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "marks" and isinstance(inner, dict):
            yield from map(str, inner.values())
        elif key == "mark":
            yield str(inner)
        else:
            yield from _marks(inner)


@lru_cache(maxsize=16)  # a desk reads the data of its matches again and again
def _parse(texts: tuple[str, ...], name: str) -> Data:
    files, wrong = dict[str, Any](), list[str]()
    for file, text in zip(FILES, texts, strict=True):
        try:
            files[file] = read_json(text, f"{file}.json")
        except GameError as error:
            wrong.append(str(error))
    wrong = wrong or problems(files)
    if wrong:
        raise GameError("\n".join(wrong))
    return _built(files, dict(zip(FILES, texts, strict=True)), name)


def _built(files: Mapping[str, Any], source: Mapping[str, str], name: str) -> Data:
    ground, values = files["map"], {key: _plain(value) for key, value in files["values"].items()}
    points = {code: _point(code, entry) for code, entry in ground["points"].items()}
    counters = {code: _card(code, entry) for code, entry in files["counters"]["units"].items()}
    nations = tuple(values["nations"])
    links = _links(points, ground["links"])
    distances = {point: _distances(point, links) for point in points}
    return Data(
        name=name,
        title=f"{ground['name']}, {values['rules']}",
        source=source,
        counters=counters,
        points=points,
        links=links,
        cost=ground["cost"],
        allowance=ground["allowance"],
        flight=ground["flight"],
        drawing=tuple(ground["drawing"]),
        colours=ground["colours"],
        values=values,
        spells=tuple(values["spells"]),
        switches=Switches(**{switch.name: _plain(values["switches"][switch.name]) for switch in fields(Switches)}),
        scenarios=files["scenarios"],
        roster={code: at for at, code in enumerate(counters)},
        nations=nations,
        order={code: at for at, code in enumerate(points)},
        castles={point.nation: point.code for point in points.values() if point.kind == "castle" and point.nation},
        centers=tuple(code for code, point in points.items() if point.center),
        towns=tuple(code for code, point in points.items() if point.kind == "town"),
        distances=distances,
        territory={nation: _territory(nation, points, distances) for nation in nations},
    )


def _plain(value: Any) -> Any:
    """A value without its mark."""
    return value["value"] if isinstance(value, dict) and "value" in value else value


def _point(code: str, data: Mapping[str, Any]) -> Point:
    return Point(code, **{**data, "at": tuple(data["at"])})


def _card(code: str, data: Mapping[str, Any]) -> Card:
    lists = {key: tuple(data[key]) for key in ("special", "spells") if key in data}
    return Card(code, **{**data, **lists})


def _links(points: Mapping[str, Point], pairs: list[tuple[str, str, LinkKind]]) -> dict[str, dict[str, LinkKind]]:
    """The neighbours of each point, in point order."""
    neighbours: dict[str, dict[str, LinkKind]] = {point: {} for point in points}
    for first, second, kind in pairs:
        neighbours[first][second] = neighbours[second][first] = kind
    return {point: {end: beside[end] for end in points if end in beside} for point, beside in neighbours.items()}


def _distances(point: str, links: Mapping[str, Mapping[str, LinkKind]]) -> dict[str, int]:
    distances = {point: 0}
    for at in (reached := [point]):
        new = [end for end in links[at] if end not in distances]
        distances.update(dict.fromkeys(new, distances[at] + 1))
        reached += new
    return distances


def _territory(nation: Seat, points: Mapping[str, Point], distances: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    own = [code for code, point in points.items() if point.nation == nation]
    return {point: min(distances[point][home] for home in own) for point in points}


NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")
SPELLS = ("poppies", "confusion", "fleet feet", "transport", "good luck", "poor luck", "fireball", "healing")
"""The spells that the rules know."""
_NUMBERS: Mapping[str, tuple[int, int]] = {
    "die": (2, 100), "rows": (2, 9), "group_max": (1, 99), "battle_turns": (1, 99), "great_battle": (1, 99),
    "turns": (1, 999), "order_success": (0, 100), "order_chaos": (1, 101), "ruler_order_bonus": (0, 99),
    "coordination_fails": (1, 101), "hero_alone_speed": (0, 9), "fleet_feet_speed": (1, 9), "charge_bonus": (0, 99),
    "flyer_shot": (0, 99), "home_terrain": (0, 99), "luck": (0, 99), "fireball_strength": (0, 100),
    "leader_killed": (0, 100), "lone_leader_rows": (1, 9), "dissipates": (0, 100), "attrition_from": (0, 999),
    "attrition_units": (1, 99), "mishap": (1, 101), "ruler_returns": (0, 100), "bell_skeletons": (0, 99),
    "national_skeletons": (0, 99),
}  # fmt: skip
_BY_WALLS = ("walls", "garrison_artillery")
_LISTS = ("nations", "columns", "bell_users", "witch_spells")
_NOTES = ("rules", "sources")
_MAP = ("name", "reconstructed", "marks", "colours", "flight", "cost", "allowance", "points", "links", "drawing")
_POINT = ("name", "at", "terrain", "kind", "nation", "strength", "marks")
_CARD = (
    "name", "nation", "kind", "move", "ranged", "range", "melee", "home", "special", "spells", "reserve", "intrinsic",
    "mercenary", "marks",
)  # fmt: skip
_CAMPAIGN = ("title", "kind", "seats", "start", "pools", "mercenaries", "bell", "marks", "mark")
_SKIRMISH = (
    "title", "kind", "attacker", "defender", "terrain", "walls", "strength", "bell", "attackers", "defenders", "mark",
    "marks",
)  # fmt: skip
_ORDER_WORDS = frozenset(("ADV", "ALL", "AND", "FLY", "NMR", "OFF", "YES"))
_CODE, _POINT_CODE = re.compile("[A-Z][A-Z0-9]{2}"), re.compile("[A-Z][A-Z0-9]{1,2}")
_NAME = re.compile(r"(?=.{1,40}\Z)[^\W_][^|#@{}<>\n\r\t]*")
_DRAWN = re.compile(r"\b[A-Z][A-Z0-9]{1,2}\b")
_MOST_COUNTERS, _MOST_POINTS, _WIDTH, _HEIGHT = 250, 80, 72, 60


def problems(files: Mapping[str, Any]) -> list[str]:
    """Every problem of the files of a data set, by their names, as sentences; the files are JSON."""
    check = _Check(files)
    check.everything()
    return check.problems


class _Check(Checker):
    """Looks through the files; where there is nothing to look into, that is told once."""

    is_ = "this should be"

    def __init__(self, files: Mapping[str, Any]) -> None:
        super().__init__()
        self.nothing: set[str] = set()
        self.files = {name: self.object(name, data) for name, data in files.items()}
        self.points = self.object("map, points", self.files["map"].get("points"))
        self.counters = self.object("counters, units", self.files["counters"].get("units"))
        self.nations: tuple[str, ...] = NATIONS

    def everything(self) -> None:
        self.values()
        self.map()
        for code, card in self.counters.items():
            self.card(code, self.object(f"counters, {code}", card))
        self.roster()
        if not self.problems:  # what follows looks things up
            self.conflicts()
            self.scenarios()

    # Plain values

    def problem(self, where: str, sentence: str) -> None:
        if not any(where == place or where.startswith(f"{place}, ") for place in self.nothing):
            super().problem(where, sentence)

    def object(self, where: str, value: Any, keys: Container[str] | type | None = None) -> Mapping[str, Any]:
        entries = super().object(where, value, keys)
        if entries is not value:
            self.nothing.add(where)
        return entries

    def has(self, where: str, entries: Mapping[str, Any], keys: Iterable[str]) -> None:
        for key in keys:
            if key not in entries:
                self.problem(f"{where}, {key}", "this is missing.")
                self.nothing.add(f"{where}, {key}")

    def texts(self, where: str, value: Any, choices: Iterable[str], noun: str) -> tuple[str, ...]:
        """A list of different texts, each of those that are known."""
        if not isinstance(value, list):
            self.wrong(where, "a list", value)
            return ()
        allowed = tuple(choices)
        texts = tuple(text for text in value if isinstance(text, str) and text in allowed)
        for text in value:
            if not isinstance(text, str) or text not in allowed:
                self.problem(where, f"{quote(text)} is no {noun}.")
        if len(set(texts)) < len(texts):
            self.problem(where, "one of them is there twice.")
        return texts

    def name(self, where: str, value: Any) -> None:
        if not isinstance(value, str) or not _NAME.fullmatch(value):
            self.wrong(where, "a name of at most 40 characters", value)

    def plain(self, key: str) -> Any:
        """A value of `values.json` without its mark."""
        value = self.files["values"].get(key)
        return value.get("value") if isinstance(value, dict) else value

    # Values

    def values(self) -> None:
        keys = (*_NUMBERS, *_BY_WALLS, *_LISTS, *_NOTES, "spells", "switches")
        entries = self.object("values", self.files["values"], keys)
        self.has("values", entries, (key for key in keys if key != "sources"))
        for key, (least, most) in _NUMBERS.items():
            if key in entries:
                self.number(f"values, {key}", self.plain(key), least, most)
        for key in _BY_WALLS:
            walls = self.object(f"values, {key}", self.plain(key), ("fort", "castle"))
            for kind in ("fort", "castle"):
                self.number(f"values, {key}, {kind}", walls.get(kind), 0, 2)
        self.name("values, rules", entries.get("rules"))
        self.lists()
        if set(self.object("values, spells", entries.get("spells"))) != {*SPELLS}:
            self.problem("values, spells", f"these are {', '.join(SPELLS)}.")
        self.switches(self.object("values, switches", entries.get("switches")))

    def lists(self) -> None:
        nations = self.texts("values, nations", self.plain("nations"), NATIONS, "nation")
        if len(nations) < 2:
            self.problem("values, nations", f"these are two or more of {', '.join(NATIONS)}.")
        else:
            self.nations = nations
        if self.plain("columns") != ["L", "C", "R"]:
            self.problem("values, columns", "a board has L, C and R.")
        self.texts("values, bell_users", self.plain("bell_users"), NATIONS, "nation")
        if not self.texts("values, witch_spells", self.plain("witch_spells"), SPELLS, "spell"):
            self.problem("values, witch_spells", "there are none.")

    def switches(self, entries: Mapping[str, Any]) -> None:
        names = [switch.name for switch in fields(Switches)]
        self.object("values, switches", entries, names)
        for name in names:
            entry = entries.get(name)
            value = entry.get("value") if isinstance(entry, dict) else entry
            if name == "dissipation":
                self.number(f"values, switches, {name}", value, 0, 3)
            elif not isinstance(value, bool):
                self.problem(f"values, switches, {name}", "this should be true or false.")

    # The map

    def map(self) -> None:
        ground = self.object("map", self.files["map"], _MAP)
        self.name("map, name", ground.get("name"))
        for nation in self.nations:
            self.name(f"map, colours, {nation}", self.object("map, colours", ground.get("colours")).get(nation))
        cost = self.object("map, cost", ground.get("cost"), ("road", "trail"))
        for kind in ("road", "trail"):
            self.number(f"map, cost, {kind}", cost.get(kind), 1, 99)
        self.number("map, allowance", ground.get("allowance"), 1, 99)
        self.distance("map, flight", ground.get("flight"))
        if not 2 <= len(self.points) <= _MOST_POINTS:
            self.problem("map, points", f"there are 2 to {_MOST_POINTS} of them.")
        for code, point in self.points.items():
            self.point(code, self.object(f"map, {code}", point, _POINT))
        self.links(ground.get("links"))
        self.drawing(ground.get("drawing"))

    def distance(self, where: str, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1000:
            self.wrong(where, "a number from 0 to 1000", value)

    def point(self, code: str, entries: Mapping[str, Any]) -> None:
        where = f"map, {code}"
        self.has(where, entries, _POINT[:-1])
        if not _POINT_CODE.fullmatch(code):
            self.problem(where, "a point has two or three capitals and digits, a letter first.")
        self.name(f"{where}, name", entries.get("name"))
        at = entries.get("at")
        if not isinstance(at, list) or len(at) != 2:
            self.problem(f"{where}, at", f"these are two distances in inches, not {quote(at)}.")
        for value in at if isinstance(at, list) else ():
            self.distance(f"{where}, at", value)
        self.name(f"{where}, terrain", entries.get("terrain"))
        self.one_of(f"{where}, kind", entries.get("kind"), get_args(PointKind))
        center = entries.get("kind") in tuple(CENTERS)
        self.one_of(f"{where}, nation", entries.get("nation"), self.nations if center else (None, *self.nations))
        self.number(f"{where}, strength", entries.get("strength"), *((1, 99) if center else (0, 0)))

    def links(self, value: Any) -> None:
        reached: dict[str, set[str]] = {point: set() for point in self.points}
        for link in value if isinstance(value, list) else (value,):
            right = isinstance(link, list) and len(link) == 3 and all(isinstance(part, str) for part in link)
            if not right or link[2] not in ("road", "trail"):
                self.problem("map, links", f"a link is two points and road or trail, not {quote(link)}.")
            elif link[0] not in reached or link[1] not in reached or link[0] == link[1]:
                self.problem("map, links", f"{link[0]} and {link[1]} are not two points of this map.")
            elif link[1] in reached[link[0]]:
                self.problem("map, links", f"{link[0]} and {link[1]} are linked twice.")
            else:
                reached[link[0]].add(link[1])
                reached[link[1]].add(link[0])
        visited, todo = set[str](), [*reached][:1]
        while todo:
            at = todo.pop()
            visited.add(at)
            todo += reached[at] - visited
        if lost := [point for point in reached if point not in visited]:
            self.problem("map, links", f"no way leads to {', '.join(lost)}.")

    def drawing(self, value: Any) -> None:
        if not isinstance(value, list) or not all(isinstance(line, str) and line.isascii() for line in value):
            self.problem("map, drawing", "these are lines of plain ASCII.")
            return
        if len(value) > _HEIGHT or any(
            len(line) > _WIDTH or not line.replace(" ", "a").isprintable() for line in value
        ):
            self.problem("map, drawing", f"this is at most {_HEIGHT} lines of {_WIDTH} columns.")
        drawn = Tally(code for line in value for code in _DRAWN.findall(line))
        for code in self.points:
            if drawn[code] != 1:
                self.problem("map, drawing", f"{code} is there {drawn[code]} times, not once.")
        for code in drawn:
            if code not in self.points:
                self.problem("map, drawing", f"{code} is no point.")

    # Counters

    def card(self, code: str, entries: Mapping[str, Any]) -> None:
        where = f"counters, {code}"
        self.object(where, entries, _CARD)
        self.has(where, entries, ("name", "nation", "kind"))
        if not _CODE.fullmatch(code):
            self.problem(where, "a code has three capitals and digits, a letter first.")
        if code in self.points or code in _ORDER_WORDS:
            self.problem(where, "this is the code of a point, or an order word.")
        self.name(f"{where}, name", entries.get("name"))
        kind = entries.get("kind")
        self.one_of(f"{where}, kind", kind, get_args(Kind))
        self.one_of(f"{where}, nation", entries.get("nation"), (None, *self.nations))
        for key in ("reserve", "intrinsic"):
            if not isinstance(entries.get(key, False), bool):
                self.problem(f"{where}, {key}", "this should be true or false.")
        if entries.get("mercenary") is not None:
            self.name(f"{where}, mercenary", entries["mercenary"])
        if isinstance(kind, str) and kind in tuple(LEADERS):
            self.texts(f"{where}, spells", entries.get("spells", []), ("?", *SPELLS), "spell")
        else:
            self.unit(where, entries)

    def unit(self, where: str, entries: Mapping[str, Any]) -> None:
        strengths = [entries.get(key, 0) for key in ("ranged", "melee")]
        for key, most in (("move", 9), ("ranged", 99), ("range", 9), ("melee", 99)):
            self.number(f"{where}, {key}", entries.get(key, 0), 0, most)
        if not any(strengths):
            self.problem(where, "a unit without strength has no value.")
        if bool(entries.get("ranged")) != bool(entries.get("range")):
            self.problem(where, "a ranged strength has a range.")
        if entries.get("home") is not None:
            self.name(f"{where}, home", entries["home"])
        self.texts(f"{where}, special", entries.get("special", []), self.points, "point")

    def roster(self) -> None:
        cards = {code: card for code, card in self.counters.items() if isinstance(card, dict)}
        if len(cards) > _MOST_COUNTERS:
            self.problem("counters", f"there are more than {_MOST_COUNTERS}.")
        if [code for code, card in cards.items() if card.get("kind") == "bell"] != [BELL]:
            self.problem("counters", f"the Bell is {BELL}, and nothing else is.")
        for code, card in cards.items():
            loose = card.get("nation") is None and not card.get("mercenary") and not card.get("intrinsic")
            if loose and code != BELL and not (card.get("reserve") and code.startswith("SK")):
                self.problem(f"counters, {code}", "this is of no nation, no mercenary, and no skeleton of the Bell.")
            if card.get("nation") is not None and card.get("mercenary"):
                self.problem(f"counters, {code}", "a mercenary is of no nation.")

    def conflicts(self) -> None:
        """Problems that only several entries together show: missing castles, and too few units for walls."""
        points = self.points.values()
        for nation in self.nations:
            if sum(point["kind"] == "castle" and point["nation"] == nation for point in points) != 1:
                self.problem("map, points", f"the {nation} have one castle, not more or less.")
        within = [card.get("kind") == "artillery" for card in self.counters.values() if card.get("intrinsic")]
        if within.count(False) < max(point["strength"] for point in points):
            self.problem("counters", "there are not enough intrinsic units for the strongest walls.")
        if within.count(True) < max(self.plain("garrison_artillery").values()):
            self.problem("counters", "there are not enough intrinsic batteries for the values.")

    # Scenarios

    def scenarios(self) -> None:
        scenarios = self.files["scenarios"]
        if not scenarios:
            self.problem("scenarios", "there are none.")
        for name, value in scenarios.items():
            self.name(f"scenarios, {name}", name)
            scenario = self.object(f"scenarios, {name}", value)
            self.one_of(f"scenarios, {name}, kind", scenario.get("kind"), ("campaign", "skirmish"))
            self.name(f"scenarios, {name}, title", scenario.get("title"))
            check: Callable[[str, Mapping[str, Any]], Iterator[str]]
            check = self.campaign if scenario.get("kind") == "campaign" else self.skirmish
            places = Tally(check(f"scenarios, {name}", scenario))
            for code, number in places.items():
                if number > 1:
                    self.problem(f"scenarios, {name}", f"{code} is in {number} places.")

    def counters_of(self, nation: str | None) -> list[str]:
        """The counters that a nation may have; None: mercenaries."""
        return [
            code
            for code, card in self.counters.items()
            if not card.get("intrinsic")
            and code != BELL
            and (card.get("mercenary") if nation is None else card["nation"] in (None, nation))
        ]

    def campaign(self, where: str, entries: Mapping[str, Any]) -> Iterator[str]:
        """Every counter that a campaign names."""
        self.object(where, entries, _CAMPAIGN)
        self.has(where, entries, _CAMPAIGN[:-2])
        if len(self.texts(f"{where}, seats", entries.get("seats"), self.nations, "nation")) < 2:
            self.problem(f"{where}, seats", "these are two nations or more.")
        start = self.object(f"{where}, start", entries.get("start"), self.nations)
        pools = self.object(f"{where}, pools", entries.get("pools"), self.nations)
        holders: dict[str, str] = {}
        for nation in self.nations:
            own = self.counters_of(nation)
            stacks = self.object(f"{where}, start, {nation}", start.get(nation))
            for point, codes in stacks.items():
                holder = (
                    self.points.get(point, {}).get("nation") if self.points.get(point, {}).get("strength") else None
                )
                if (
                    point not in self.points
                    or holder not in (None, nation)
                    or holders.setdefault(point, nation) != nation
                ):
                    self.problem(f"{where}, start, {nation}", f"{quote(point)} is no point where they can stand.")
                yield from self.texts(f"{where}, start, {nation}, {quote(point)}", codes, own, "counter of theirs")
            yield from self.texts(f"{where}, pools, {nation}", pools.get(nation), own, "counter of theirs")
        yield from self.texts(f"{where}, mercenaries", entries.get("mercenaries"), self.counters_of(None), "mercenary")
        if entries.get("bell") is not None:
            bell = self.object(f"{where}, bell", entries["bell"], ("nations", "with"))
            self.texts(f"{where}, bell, nations", bell.get("nations"), NATIONS, "nation")
            yield from self.texts(f"{where}, bell, with", [bell.get("with")], self.carriers(), "unit that can carry it")

    def carriers(self) -> list[str]:
        kinds = (*LEADERS, "flying", "bell")
        return [code for code, card in self.counters.items() if card["kind"] not in kinds and not card.get("intrinsic")]

    def skirmish(self, where: str, entries: Mapping[str, Any]) -> Iterator[str]:
        """Every counter that a skirmish names."""
        self.object(where, entries, _SKIRMISH)
        self.has(where, entries, _SKIRMISH[:-2])
        sides = [entries.get(side) for side in ("attacker", "defender")]
        if not all(isinstance(side, str) and side in self.nations for side in sides) or sides[0] == sides[1]:
            self.problem(where, "attacker and defender are two nations.")
            return
        self.name(f"{where}, terrain", entries.get("terrain"))
        self.one_of(f"{where}, walls", entries.get("walls"), (None, "fort", "castle"))
        within = sum(bool(card.get("intrinsic")) and card["kind"] != "artillery" for card in self.counters.values())
        self.number(f"{where}, strength", entries.get("strength"), 0, within)
        for side, key in zip(sides, ("attackers", "defenders"), strict=True):
            codes = self.texts(f"{where}, {key}", entries.get(key), self.counters_of(side), "counter of theirs")
            if not any(self.counters[code]["kind"] not in LEADERS for code in codes):
                self.problem(f"{where}, {key}", "there are no units.")
            yield from codes
        if entries.get("bell") is not None:
            bell = self.object(f"{where}, bell", entries["bell"], ("seat", "carrier"))
            self.one_of(f"{where}, bell, seat", bell.get("seat"), sides)
            own = entries.get("attackers" if bell.get("seat") == sides[0] else "defenders")
            able = [code for code in self.carriers() if isinstance(own, list) and code in own]
            self.texts(f"{where}, bell, carrier", [bell.get("carrier")], able, "unit there that can carry it")
