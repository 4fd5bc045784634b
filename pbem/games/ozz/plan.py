"""What a record holds of a shipped data set: the map without its drawing, all counters and values, and the scenario
that is played (docs/record.md)."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any, NamedTuple

from pbem.games.base import GameError
from pbem.games.kit.plan import check_same, grouped, lines_of, read_plan, ungrouped, write_plan
from pbem.games.ozz.data import Data
from pbem.games.ozz.dataset import read_data

HEADER = "DataPlan"
# the columns of each table, with what stands in a row for nothing
_POINT = {"name": "", "at": [], "kind": "", "strength": 0}
_NUMBERS = dict.fromkeys(("move", "melee", "ranged", "range"), 0)
_COUNTER = {"name": "", "kind": "", **_NUMBERS, "home": "", "special": [], "spells": []}
_COLUMNS = {"points": list(_POINT), "counters": list(_COUNTER)}
# what a scenario has where its plan says nothing
_NOTHING = {"campaign": {"bell": None}, "skirmish": {"bell": None, "walls": None}}
_NOTES = ("mark", "marks")
_IN_A_LINE = 16  # how many codes the drawing of a map without one has in a line


class _Columns(NamedTuple):
    """The names of the values in the rows of a table."""

    points: tuple[str, ...]
    counters: tuple[str, ...]


class _Plan(NamedTuple):
    """The values of a plan. Roads and trails are pairs such as `M1-M2`."""

    map: Mapping[str, Any]
    columns: _Columns
    points: tuple[Mapping[str, Any], ...]
    roads: tuple[str, ...]
    trails: tuple[str, ...]
    counters: tuple[Mapping[str, Any], ...]
    values: Mapping[str, Any]
    spells: tuple[str, ...]
    switches: Mapping[str, Any]
    scenarios: Mapping[str, Mapping[str, Any]] = {}


@lru_cache(maxsize=32)  # data are part of each state whose record is written
def data_plan(data: Data, scenario: str) -> str:
    """Return the plan of a data set for matches of `scenario`."""
    files = {file: json.loads(text) for file, text in data.source.items()}
    ground, units = files["map"], files["counters"]["units"]
    links = {kind: [f"{a}-{b}" for a, b, way in ground["links"] if way == kind] for kind in ("road", "trail")}
    apart = ("spells", "switches", "sources")
    values = {
        "map": {key: ground[key] for key in ("name", "colours", "flight", "cost", "allowance")},
        "columns": _COLUMNS,
        "points": grouped(_bare(ground["points"]), _POINT),
        "roads": links["road"],
        "trails": links["trail"],
        "counters": grouped(_bare(units), _COUNTER),
        "values": {key: value for key, value in data.values.items() if key not in apart},
        "spells": data.spells,
        "switches": asdict(data.switches),
        **lines_of("scenarios", {scenario: _scenario(data.scenarios[scenario])} if scenario in data.scenarios else {}),
    }
    return write_plan(values)


def _bare(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {code: {key: entry[key] for key in entry if key not in _NOTES} for code, entry in entries.items()}


def _scenario(scenario: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in scenario.items() if key not in _NOTES and value is not None}


def data_of_plan(plan: str, name: str) -> Data:
    """Return the data set that a record holds in `plan`, called `name`. Its drawing only lists the points. Raises
    GameError with one problem per line."""
    try:
        texts = {file: json.dumps(content, ensure_ascii=False, default=str) for file, content in _files(plan).items()}
        return read_data(texts, name)
    except GameError as error:
        raise GameError(f"The map and counters in the record cannot be used: {error}") from None


def check_plan(plan: str, data: Data, scenario: str) -> None:
    """Raise GameError if `plan`, which the record of a match of `scenario` holds, differs from that of `data`."""
    if plan != (own := data_plan(data, scenario)):
        check_same(_files(plan), _files(own), HEADER, data.name)


def _files(plan: str) -> dict[str, Any]:
    """Return the content of the files of a data set (docs/own-data.md) with the values of `plan`."""
    held = read_plan(_Plan, plan, HEADER)
    points = ungrouped(held.points, held.columns.points, f"{HEADER}, points")
    counters = ungrouped(held.counters, held.columns.counters, f"{HEADER}, counters")
    return {
        "map": {
            **held.map,
            "points": {code: {"nation": None, "strength": 0, **entry} for code, entry in points.items()},
            "links": [*_links(held.roads, "road"), *_links(held.trails, "trail")],
            "drawing": _listed([*points]),
        },
        "counters": {"units": {code: {"nation": None, **entry} for code, entry in counters.items()}},
        "values": {**held.values, "spells": dict.fromkeys(held.spells), "switches": {**held.switches}},
        "scenarios": {
            name: {**_NOTHING.get(str(entry.get("kind")), {}), **entry} for name, entry in held.scenarios.items()
        },
    }


def _links(pairs: Iterable[str], kind: str) -> list[list[str]]:
    return [[*pair.split("-"), kind] for pair in pairs]


def _listed(codes: list[str]) -> list[str]:
    return ["  ".join(codes[at : at + _IN_A_LINE]) for at in range(0, len(codes), _IN_A_LINE)]
