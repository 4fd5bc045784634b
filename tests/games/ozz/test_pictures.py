"""What people see of a campaign and of a battle: as lines of text (§15) and as SVG."""

import re
from collections.abc import Mapping
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from pbem import ENGLISH
from pbem.games.ozz import drawing, svg
from pbem.games.ozz.dataset import SHIPPED, find_data
from pbem.games.ozz.state import (
    Battle,
    BoardBell,
    Counter,
    Fighter,
    MapBell,
    Marker,
    Options,
    State,
)

DATA = find_data(SHIPPED)


def campaign(places: Mapping[str, str], seats: tuple[str, ...] = ("munchkins", "winkies")) -> State:
    """A campaign with counters at points."""
    return State(
        data=DATA,
        scenario="meeting",
        seats=seats,
        options=Options("great", 10, DATA.switches),
        turn=3,
        phase="orders",
        units={code: Counter(DATA.counters[code].nation or "winkies", at) for code, at in places.items()},
        control={"M4": "munchkins", "W4": "winkies", "H1": None},
        razed={},
        pools={},
        fallen={},
        spells={},
        bell=None,
        queue=None,
        battle=None,
        result=None,
    )


START = campaign({"ZOR": "M1", "SOU": "M4", "GUA": "M4", "HER": "R1", "ZEP": "R1", "WI1": "R1", "HAR": "M3"})

FIGHT = Battle(
    at="R1", origin="M4", terrain="open", walls=0, fort=False, turn=3, attacker="munchkins", defender="winkies",
    units={
        "ZOR": Fighter("munchkins", "2C"),
        "GUA": Fighter("munchkins", "2C", "ZOR"),
        "SOU": Fighter("munchkins", "2C", "ZOR"),
        "MCA": Fighter("munchkins", "3R", spent=True),
        "EVO": Fighter("winkies", "4C"),
        "WBA": Fighter("winkies", "4C"),
        "ZEP": Fighter("winkies", "3C"),
        **{code: Fighter("winkies", "3C", "ZEP") for code in ("WI1", "HER", "OOG", "MAR")},
        "THI": Fighter("winkies", None),
    },
    spells=(Marker("poppies", "EVO", "SOU"), Marker("healing", "ZOR", None)),
    cast=(), raised=(), exit={}, left={"winkies": ("SLA",)}, bell=BoardBell("winkies", "4C", "WBA", silent=True),
)  # fmt: skip
BOARD = replace(START, battle=FIGHT, phase="battle")


def lines(state: State, since: State | None = None) -> list[str]:
    return ["".join(span.text for span in line).rstrip() for line in drawing.picture(state, since, ENGLISH)]


def test_the_map_has_at_each_point_who_holds_it_and_how_many_units() -> None:
    told = "\n".join(lines(START))
    for sign in ("{M1}m0", "M4m2--", "R1w2--", "M3m1"):
        assert sign in told
    assert "W4-" not in told or "W4w" not in told


def test_what_is_written_over_the_map_moves_nothing() -> None:
    drawn = lines(START)[: len(DATA.drawing)]
    for line, bare in zip(drawn, DATA.drawing, strict=True):
        plain = "".join(
            new if not new.isalnum() and new != "*" else old for new, old in zip(line, bare.ljust(72), strict=False)
        )
        assert plain.rstrip() == bare[: len(plain)].rstrip()


def test_a_razed_center_stands_in_small_letters_and_in_the_list() -> None:
    told = "\n".join(lines(replace(START, razed={"W2": "munchkins"}, fallen={"EVO": 2})))
    assert re.search(r"\bw2\b", told)
    assert "W2 Herku: razed by the Munchkins." in told
    assert "Evora fell in turn 2." in told


def test_the_list_names_holder_counters_and_value_of_each_point() -> None:
    assert "R1 Recruiting Grounds  Winkies  ZEP WI1 HER (10)" in lines(START)
    assert "Population centers: Munchkins M4; Winkies W4; unclaimed H1." in lines(START)


def test_the_list_tells_what_the_drawing_means() -> None:
    told = " ".join(line.strip() for line in lines(START))
    assert "A stack has 3 movement points; a road (- | / \\) costs 1 and a trail (. :) 2." in told
    assert "In braces: a Castle, with a small letter if razed." in told
    assert "Nobody is at" not in told  # the drawing shows that


def test_who_cannot_see_the_drawing_is_told_free_points_their_walls_and_all_ways() -> None:
    state = replace(START, razed={"W3": "munchkins"})
    listed = drawing.in_lists(state, None, ENGLISH)
    told = " ".join("".join(span.text for span in line).strip() for line in listed)
    for said in (
        "Nobody is at M2 Sourdough (walls 2), W1 Evora's Castle (walls 4), W2 Herku (walls 2), W3 Thi, W4 Oogaboo,",
        "Roads: M1-M2 M1-M3 M2-M4",
        "Trails: M2-H1 M3-H4",
    ):
        assert said in told


def test_points_of_a_nation_have_its_colour() -> None:  # L15
    picture = svg.svg(campaign({}), None, (), ENGLISH)
    for nation, code, colour in (("winkies", "W1", "#6b2f8f"), ("gillikins", "G1", "#f0c419")):  # purple and yellow
        assert re.search(rf'<path class="board-home {nation}"[^>]*/><text [^>]*>{code}<', picture)
        assert f".board-home.{nation}{{fill:{colour};" in svg.STYLE


def test_points_that_changed_are_marked_in_the_list_alone() -> None:
    after = campaign({"ZOR": "M1", "SOU": "M4", "GUA": "M4", "HER": "R1", "ZEP": "W4", "WI1": "R1", "HAR": "H4"})
    told = lines(after, START)
    marked = [line for line in told if line.startswith("*")]
    assert [line.split()[0] for line in marked] == ["*M3", "*W4", "*H4", "*R1", "*"]
    assert "*M3 Hardsole  walls 2" in marked
    assert not any("*" in line for line in told[: len(DATA.drawing)])


def test_the_bell_is_told_with_its_carrier_or_without_one() -> None:
    carried = lines(replace(START, bell=MapBell("winkies", "R1", "WI1")))
    left = lines(replace(START, bell=MapBell("winkies", "R1", None)))
    assert "The Bell: Winkies, R1 Recruiting Grounds, carried by WI1." in carried
    assert "The Bell: Winkies, R1 Recruiting Grounds, carried by nobody." in left


def test_the_board_has_both_sides_in_their_spaces_the_attacker_below() -> None:
    told = lines(BOARD)
    assert [line[:4].strip() for line in told if re.match(r" \d ", line)] == ["4", "3", "2", "1"]
    (row,) = (line for line in told if "EVO WBA" in line)
    assert "| w: EVO WBA BEL      |" in row
    assert "| m: ZOR[GUA SOU]     |" in "\n".join(told)
    assert "m: MCA~" in "\n".join(told)


def test_a_group_that_is_too_long_for_its_space_goes_on_below() -> None:
    told = "\n".join(lines(BOARD))
    assert "| w: ZEP[WI1 HER OOG  |" in told
    assert "|    MAR]             |" in told


def test_below_the_board_are_forces_spells_the_bell_and_the_ground() -> None:
    told = "\n".join(lines(BOARD))
    for line in (
        "SOU Sourdough's, 2C, infantry 4/3, with ZOR",
        "WBA Winkie Battery, 4C, artillery 4:2/1",
        "THI Thi Regiment, not on the board yet, infantry 0/5",
        "Left the board: SLA.",
        "EVO's poppies on SOU.",
        "ZOR's healing marker is still on the board.",
        "The Bell: Winkies, carried by WBA.",
        "It is silenced for the rest of this battle.",
        "Terrain: open ground. No walls.",
    ):
        assert line in told


@pytest.mark.parametrize("state", [START, BOARD], ids=["map", "board"])
def test_no_line_is_longer_than_72_columns(state: State) -> None:
    crowd = {code: "R1" for code, card in DATA.counters.items() if card.nation == "winkies"}
    for shown in (state, campaign(crowd)):
        assert max(map(len, lines(shown))) <= 72


@pytest.mark.parametrize("state", [START, BOARD], ids=["map", "board"])
def test_a_picture_is_well_formed_and_says_in_words_what_it_shows(state: State) -> None:
    found = ElementTree.fromstring(svg.svg(state, None, (), ENGLISH))
    (words,) = (one.text or "" for one in found.iter() if one.tag.endswith("desc"))
    assert "ZEP" in words
    assert "Winkies" in words
    assert {"munchkins", "winkies"} <= {one.get("class") for one in found.iter()}


def test_a_battle_of_the_turn_and_what_changed_are_marked_on_the_map() -> None:
    after = campaign({"ZOR": "M1", "SOU": "R1"})
    picture = svg.overlay(after, START, [{"type": "battle", "at": "R1"}], ENGLISH)
    assert picture.count("#board-swords") == 1
    assert picture.count(">*<") == 3  # M3, M4 and R1
    ElementTree.fromstring(picture)


def test_every_class_of_the_pictures_has_a_style() -> None:
    used = {
        name
        for state in (START, BOARD)
        for names in re.findall(r'class="([^"]+)"', svg.svg(state, None, (), ENGLISH))
        for name in names.split()
    }
    assert {name for name in used if f".{name}" not in svg.STYLE} == set()
