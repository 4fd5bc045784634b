"""Files of cards: the shipped ones, and everything that can be wrong with one."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.games.base import GameError
from pbem.games.rocknroll.cardfile import SHIPPED, find_set, parse_set
from support.each import each

Data = dict[str, Any]


def data(name: str = "expansion") -> Data:
    found: Data = json.loads(find_set(name).source)
    return found


def problems(change: Callable[[Data], object], name: str = "expansion") -> tuple[str, ...]:
    """What is said of a shipped set after a change."""
    changed = copy.deepcopy(data(name))
    change(changed)
    with pytest.raises(GameError) as error:
        parse_set(json.dumps(changed), "mine")
    return error.value.problems


@pytest.mark.parametrize("name", SHIPPED)
def test_the_shipped_sets_are_right_and_have_forty_orders(name: str) -> None:
    cards = find_set(name)
    assert cards.id == name
    assert sum(order.count for order in cards.orders.values()) == 40
    assert cards.units["Bao"].feature.explodes
    assert cards.switches.rd == cards.switches.echo == bool(cards.echo) == (name == "expansion")


def test_a_set_keeps_the_order_of_its_file() -> None:
    base = find_set("base")
    assert base.row == ("A", "B", "C", "D")
    assert base.units_of("vpa")[:3] == ["Johnny", "Doc", "Zulu"]
    assert [*base.orders][:3] == ["Attack", "Attack two", "All five"]
    assert find_set("expansion").row == ("A", "B", "E", "C", "D")


def test_every_value_of_a_shipped_set_has_its_mark() -> None:
    cards = find_set("expansion")
    assert cards.marks["numbers.limit"] == "house"
    assert cards.marks["points.E"] == "seed L117"
    assert cards.marks["echo.6"] == "house"
    assert cards.units["Doc"].marks["check"] == "house"


def test_a_file_of_that_form_is_a_set_too(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text("\ufeff" + find_set("base").source, encoding="utf-8")
    assert find_set(str(path)).units == find_set("base").units
    assert find_set(str(path)).id == str(path)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(GameError, match=r'There is no set of cards "nowhere": say base-2 or expansion'):
        find_set("nowhere")
    path = tmp_path / "bad"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(GameError, match="not UTF-8"):
        find_set(str(path))
    path = tmp_path / "long"
    path.write_bytes(b" " * 300_000)
    with pytest.raises(GameError, match="longer than 256 kB"):
        find_set(str(path))


@pytest.mark.parametrize("source", ["", "[", '{"game": 1,}', "[" * 100_000, '{"a": 1, "a": 2}', "{" * 5000])
def test_what_is_no_json_is_told(source: str) -> None:
    with pytest.raises(GameError, match="The file of cards"):
        parse_set(source, "mine")


@pytest.mark.parametrize("source", ["{}", '{"units": [], "orders": 3, "points": [1, {}]}'])
def test_what_is_no_set_is_told_in_full(source: str) -> None:
    with pytest.raises(GameError) as error:
        parse_set(source, "mine")
    assert len(error.value.problems) > 5


@pytest.mark.parametrize(("source", "found"), [("[]", "[]"), ('"base"', '"base"'), ("null", "null")])
def test_a_file_that_holds_no_object_is_told_so(source: str, found: str) -> None:
    with pytest.raises(GameError) as error:
        parse_set(source, "mine")
    assert error.value.problems == (f"The file of cards should hold an object, not {found}.",)


WRONG: dict[str, tuple[Callable[[Data], object], str]] = {
    "another game": (lambda one: one.update(game="chess"), 'game: this should be "rocknroll", not "chess".'),
    "a key too many": (lambda one: one.update(extra=1), 'unknown key "extra"; known are title, sides,'),
    "a key too few": (lambda one: one.pop("title"), "title: this is missing."),
    "one Point": (lambda one: one.update(points=one["points"][:1]), "points: these are two to five different Points."),
    "a Point twice": (lambda one: one["points"].append(one["points"][0]), "points: these are two to five different"),
    "a Point without a letter": (
        lambda one: one["points"][0].update(id="Z"),
        'points, entry 1, id: this should be one of "A", ',
    ),
    "a number that is none": (
        lambda one: one["numbers"]["deal"].update(value="14"),
        "numbers, deal: this should be a number from 0 to 999999",
    ),
    "a number out of range": (
        lambda one: one["numbers"]["rd_max"].update(value=9),
        "numbers, rd_max: this should be 6, not 9.",
    ),
    "a number unknown": (
        lambda one: one["numbers"].update(luck={"value": 1, "mark": ""}),
        'numbers: unknown key "luck"; known are victory,',
    ),
    "a check of 7": (
        lambda one: one["numbers"]["capture_check"].update(value=7),
        "numbers, capture_check: this should be a number from 2 to 6",
    ),
    "a limit of 0": (lambda one: one["numbers"]["limit"].update(value=0), "numbers, limit: this should be a number"),
    "a switch that is none": (
        lambda one: one["switches"]["rd"].update(value=1),
        "switches, rd: this should be true",
    ),
    "no mark": (lambda one: one["numbers"]["limit"].pop("mark"), "numbers, limit, mark: this is missing."),
    "a side unknown": (
        lambda one: one["units"]["Bao"].update(side="usa"),
        'units, Bao, side: this should be one of "vpa", "vietnam"',
    ),
    "a chance of 1": (
        lambda one: one["units"]["Bao"].update(chance=1),
        "units, Bao, chance: this should be a number from 2 to 6, not 1.",
    ),
    "a chance of true": (
        lambda one: one["units"]["Bao"].update(chance=True),
        "units, Bao, chance: this should be a number from 2 to 6, not true.",
    ),
    "three dice": (lambda one: one["units"]["Bao"].update(dice=3), "units, Bao, dice: this should be a number"),
    "armour of 1": (
        lambda one: one["units"]["Bao"].update(armour=1),
        "units, Bao, armour: this should be a number from 2 to 6",
    ),
    "a feature unknown": (
        lambda one: one["units"]["Bao"]["feature"].update(kind="fly"),
        "units, Bao, feature, kind: this",
    ),
    "a feature without its check": (
        lambda one: one["units"]["Doc"]["feature"].pop("check"),
        "units, Doc, feature, check",
    ),
    "a feature with what it has not": (
        lambda one: one["units"]["Doc"]["feature"].update(range=2),
        "units, Doc, feature: a feature of kind medic has no range.",
    ),
    "an order of no kind": (lambda one: one["orders"]["Move"].update(kind="fly"), "orders, Move, kind: this should be"),
    "an order for nobody": (
        lambda one: one["orders"]["Move"].update(number=0),
        "orders, Move, number: this should be a number",
    ),
    "a suit unknown": (lambda one: one["orders"]["Move"].update(suit="hearts"), "orders, Move, suit: this should be"),
    "an effect of Echo too few": (lambda one: one["echo"].pop("3"), "echo, 3: this is missing."),
    "an effect of the wrong colour": (
        lambda one: one["echo"]["2"].update(colour="black"),
        'echo, 2, colour: an effect "rd"',
    ),
    "an alias that is none": (
        lambda one: one["units"]["Bao"].update(alias=[3]),
        "units, Bao, alias, entry 1: this should be a text",
    ),
    "an order word for a name": (lambda one: one["units"]["Bao"].update(ru="Если"), '"Если" holds an order word (if)'),
    "a command before a name": (
        lambda one: one["units"]["Bao"].update(ru="Пас Бао"),
        '"Пас Бао" holds an order word (pass)',
    ),
    "a word between names": (
        lambda one: one["units"]["Bao"].update(ru="Бао за лесом"),
        '"Бао за лесом" holds an order word (with)',
    ),
    "a name of one letter": (lambda one: one["units"]["Bao"].update(ru="Б"), '"Б" cannot be read as a name'),
    "a sign in a name": (lambda one: one["units"].update({"A > B": one["units"].pop("Bao")}), '"A > B" cannot be read'),
}


@each("name", WRONG)
def test_each_mistake_in_a_file_is_told_where_it_is(name: str) -> None:
    change, sentence = WRONG[name]
    assert any(sentence in one for one in problems(change)), problems(change)


def test_all_mistakes_are_told_at_once() -> None:
    def change(one: Data) -> None:
        one["units"]["Bao"].update(chance=9, dice=0)
        one["orders"]["Move"].update(count=0)

    assert len(problems(change)) == 3


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda one: one["units"]["Bao"].update(ru="Май"), '"май" is the name of Bao and of Mai.'),
        (lambda one: one["units"]["Bao"].update(alias=["ZULU"]), '"zulu" is the name of Zulu and of Bao.'),
        (lambda one: one["units"]["Bao"].update(ru="Матрешка"), '"матрешка" is the name of Bao and of Matryoshka.'),
        (lambda one: one["orders"]["Move"].update(ru="Бао"), '"бао" is the name of Bao and of Move.'),
        (lambda one: one["points"][0].update(en="Bao"), '"bao" is the name of Bao and of Point A.'),
    ],
)
def test_two_cards_of_one_name_are_told(change: Callable[[Data], object], told: str) -> None:
    assert problems(change) == (told,)
