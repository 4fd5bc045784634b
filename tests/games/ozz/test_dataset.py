"""Data sets (§2): what the shipped one holds, and every problem of another one at once."""

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.games.base import GameError
from pbem.games.ozz.dataset import FILES, SHIPPED, find_data, read_data
from support.each import each

DATA = find_data(SHIPPED)
SOURCE = {file: json.loads(text) for file, text in DATA.source.items()}


def problems(*changes: tuple[tuple[str | int, ...], Any]) -> tuple[str, ...]:
    """What is wrong with the shipped files after changes: where, and what is there instead."""
    files = json.loads(json.dumps(SOURCE))
    for path, value in changes:
        place = files
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = value
    with pytest.raises(GameError) as error:
        read_data({file: json.dumps(files[file]) for file in FILES}, "mine")
    return error.value.problems


def test_the_shipped_set_has_four_nations_with_a_castle_each() -> None:
    assert DATA.castles == {"munchkins": "M1", "winkies": "W1", "quadlings": "Q1", "gillikins": "G1"}
    assert (DATA.title, len(DATA.points), len(DATA.towns)) == ("house map, ozz-1", 21, 8)


def test_roster_order_is_that_of_the_file_and_point_order_too() -> None:
    assert [*DATA.roster] == [*SOURCE["counters"]["units"]]
    assert [*DATA.order] == [*SOURCE["map"]["points"]]


def test_distances_are_counted_in_links_and_flights_measured_from_centre_to_centre() -> None:
    assert (DATA.distances["M1"]["R1"], DATA.territory["winkies"]["H1"]) == (3, 4)
    assert DATA.in_reach("G4", "Q4")
    assert not DATA.in_reach("G4", "M2")


def test_a_folder_of_ones_own_is_read_as_it_is_now(tmp_path: Path) -> None:
    for file in FILES:
        (tmp_path / f"{file}.json").write_text(DATA.source[file].replace("house map", "my map"))
    assert find_data(str(tmp_path)).title == "my map, ozz-1"


def test_files_that_are_not_there_are_all_named(tmp_path: Path) -> None:
    (tmp_path / "map.json").write_text("{}")
    with pytest.raises(GameError) as error:
        find_data(str(tmp_path))
    assert len(error.value.problems) == 3


@each(
    ("path", "value", "said"),
    [
        (
            ("counters", "units", "SOU", "melee"),
            "3",
            "counters, units, SOU, melee: this should be a number from 0 to 99",
        ),
        (
            ("counters", "units", "SOU", "special"),
            ["X9"],
            'counters, units, SOU, special, entry 1: there is no point "X9".',
        ),
        (
            ("counters", "units", "lower"),
            SOURCE["counters"]["units"]["SOU"],
            "counters, units: a key should be three capitals and",
        ),
        (
            ("counters", "units", "OFF"),
            SOURCE["counters"]["units"]["SOU"],
            "counters, units, OFF: this is the code of a",
        ),
        (("map", "links", 0), ["M1", "M9", "road"], 'map, links, entry 1, entry 2: there is no point "M9".'),
        (("map", "links"), [["M1", "M2", "road"]], "map, links: no way leads to M3"),
        (("map", "points", "M1", "kind"), "fort", "map, points: the munchkins should have one castle, not 0."),
        (("map", "drawing", 0), "M1 M1", "map, drawing: M1 is there 3 times, not once."),
        (("values", "rows"), {"value": 1}, "values, rows: this should be a number from 2 to 9, not 1."),
        (
            ("values", "switches", "flight"),
            {"value": 1},
            "values, switches, flight: this should be true or false, not 1.",
        ),
        (
            ("scenarios", "hill", "attackers", 2),
            "ZZZ",
            'scenarios, hill, attackers, entry 3: there is no counter "ZZZ".',
        ),
        (("scenarios", "meeting", "pools", "munchkins", 0), "SOU", "scenarios, meeting: SOU is in 2 places."),
        (
            ("scenarios", "meeting", "start", "munchkins", "W1"),
            ["BAL"],
            "scenarios, meeting, start, munchkins: W1 belongs to another nation",
        ),
    ],
)
def test_what_can_be_wrong(path: tuple[str | int, ...], value: Any, said: str) -> None:
    assert any(said in problem for problem in problems((path, value)))


def test_all_problems_are_told_at_once() -> None:
    changes = ((("counters", "units", "SOU", "melee"), -1), (("map", "cost"), 3), (("values", "die"), None))
    assert len(problems(*changes)) >= 3


def test_a_name_that_stands_twice_in_a_file_is_a_problem() -> None:
    files = {**DATA.source, "counters": DATA.source["counters"].replace('"HAR":', '"SOU":', 1)}
    with pytest.raises(GameError, match='"SOU" stands twice in one object'):
        read_data(files, "mine")
