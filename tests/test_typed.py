"""Plain data read by types: values, every problem at once with its place, and what stands in for a wrong value."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import PbemError
from pbem.typed import Between, Complete, Key, Named, Parsed, Reader, Right, quote


def as_seconds(value: object) -> int:
    if not isinstance(value, str) or not value.isdecimal():
        raise ValueError(f"{quote(value)} is no number of seconds.")
    return int(value)


class Stack(NamedTuple):
    """A few pieces in an area."""

    area: Annotated[str, Named("area")]
    count: Annotated[int, Between(2, 6)] | Literal[0] = 0
    kind: Literal["fort", "town"] | None = None


@dataclass(frozen=True, slots=True)
class Position:
    """Something of every type."""

    turn: Annotated[int, Between(1, 9)]
    stacks: Mapping[Annotated[str, Named("unit")], Stack] = field(default_factory=dict)
    todo: tuple[tuple[str, int], ...] = ()
    sides: Annotated[Mapping[Literal["red", "blue"], bool], Complete()] = field(default_factory=dict)
    sender: Annotated[str, Key("from"), Right(str.isalpha, "letters")] = "Ann"
    seconds: Annotated[int, Parsed(as_seconds)] = 5
    weight: float = 1.0
    rest: Any = None


NAMES = {"area": ("A", "B"), "unit": ("SOU", "GUA")}


def read(data: object) -> tuple[Position, list[str]]:
    reader = Reader(NAMES)
    return reader.read(Position, data), reader.problems


def test_right_data_become_values_of_the_types() -> None:
    data = {
        "turn": 3,
        "stacks": {"SOU": {"area": "B", "count": 0, "kind": None}, "GUA": {"area": "A", "count": 2, "kind": "fort"}},
        "todo": [["x", 1]],
        "sides": {"blue": True, "red": False},
        "from": "Bob",
        "seconds": "7",
        "weight": 2,
        "rest": [{}],
    }
    assert read(data) == (
        Position(
            turn=3,
            stacks={"SOU": Stack("B"), "GUA": Stack("A", 2, "fort")},
            todo=(("x", 1),),
            sides={"blue": True, "red": False},
            sender="Bob",
            seconds=7,
            weight=2,
            rest=[{}],
        ),
        [],
    )


def test_what_has_a_default_may_be_left_out() -> None:
    assert read({"turn": 1}) == (Position(1), [])


def test_every_problem_is_told_at_once_with_its_place() -> None:
    wrong = {
        "turn": True,
        "stacks": {"SOU": {"area": "Z", "count": 1, "knd": "fort"}, "XYZ": 3, "GUA": {"kind": "castle"}},
        "todo": [["a", 1], ["b"], ["c", "d"], 4],
        "sides": {"red": 1, "green": True},
        "from": "3",
        "seconds": "soon",
        "weight": "heavy",
    }
    assert read(wrong)[1] == [
        "turn: this should be a number from 1 to 9, not true.",
        'stacks, SOU: unknown key "knd"; did you mean kind?',
        'stacks, SOU, area: there is no area "Z".',
        "stacks, SOU, count: this should be a number from 2 to 6, not 1.",
        'stacks: there is no unit "XYZ".',
        "stacks, GUA, area: this is missing.",
        'stacks, GUA, kind: this should be one of "fort", "town", null, not "castle".',
        'todo, entry 2: this should be a list of 2 values, not ["b"].',
        'todo, entry 3, entry 2: this should be a whole number, not "d".',
        "todo, entry 4: this should be a list of 2 values, not 4.",
        "sides, red: this should be true or false, not 1.",
        'sides: unknown key "green"; known are red, blue.',
        "sides, blue: this is missing.",
        'from: this should be letters, not "3".',
        'seconds: "soon" is no number of seconds.',
        'weight: this should be a number, not "heavy".',
    ]


def test_a_wrong_value_is_replaced_and_a_wrong_entry_left_out() -> None:
    position, _ = read({"turn": 99, "todo": [["a", 1], 4], "stacks": {"SOU": {"area": 3, "count": 1}, "XYZ": {}}})
    assert position == Position(1, {"SOU": Stack("A", 2)}, (("a", 1),))


def test_nothing_more_is_told_of_a_place_whose_value_was_replaced() -> None:
    reader = Reader(NAMES)
    reader.read(Position, {"turn": 0, "stacks": {"SOU": {"area": "A"}}})
    reader.problem(("turn",), "it is early.")
    reader.problem(("turn", "within"), "it is early.")
    reader.problem(("stacks", "SOU", "area"), "it is full.")
    assert reader.problems[1:] == ["stacks, SOU, area: it is full."]
    assert [reader.sound(*place) for place in (("turn",), ("turn", "within"), (), ("stacks",))] == [
        False, False, False, True,
    ]  # fmt: skip


def test_an_error_with_several_problems_tells_each_of_them() -> None:
    class SeveralError(PbemError):
        problems = ("one.", "two.")

    def parse(value: object) -> None:
        raise SeveralError

    class One(NamedTuple):
        value: Annotated[int, Parsed(parse)]

    reader = Reader()
    reader.read(One, {"value": 3})
    assert reader.problems == ["value: one.", "value: two."]


@pytest.mark.parametrize("data", [None, [], "turn", 3])
def test_what_is_no_object_is_told_once(data: object) -> None:
    assert read(data)[1] == [f"this should be an object, not {quote(data)}."]


def test_an_error_is_one_line_whatever_a_file_has_for_a_key_or_a_value() -> None:
    _, problems = read({"turn": "1\n2", "stacks": {"a\nb\u202e": {}}, "x\ud800": 1})
    assert len(problems) == 3
    assert all(problem.isprintable() and problem.isascii() for problem in problems)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["turn", "stacks", "todo", "sides", "from", "seconds", "weight", "rest", "other"])


@given(st.dictionaries(KEYS, JSON))
def test_whatever_data_there_are_they_are_read_or_told_of_and_the_value_is_of_its_type(data: dict[str, Any]) -> None:
    position, problems = read(data)
    assert 1 <= position.turn <= 9
    assert all(stack.area in NAMES["area"] for stack in position.stacks.values())
    assert all(isinstance(name, str) and type(number) is int for name, number in position.todo)
    assert problems or position.sides.keys() in (set(), {"red", "blue"})


def test_a_text_may_hold_no_character_that_acts_where_it_is_shown():
    reader, joined = Reader(), "Zo\u00eb \U0001f468\u200d\U0001f469\nand\ttab"
    assert reader.read(str, joined) == joined
    assert reader.read(str, "\x1b[31mRed", "name") == ""
    assert reader.problems == ['name: this should be a text without the character U+001B, not "\\u001b[31mRed".']
