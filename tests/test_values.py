"""Classes of values: what they do is what `dataclasses.dataclass` and `typing.NamedTuple` would make them do."""

import copy
import dataclasses
import pickle
import typing
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from functools import partial
from typing import Any, ClassVar

import pytest

from pbem import values

Make = Callable[..., Any]


def made(dataclass: Make) -> Any:
    """A class with all that our classes have."""

    @dataclass(frozen=True, slots=True)
    class Piece:
        """A piece."""

        kind: ClassVar = "piece"
        place: str
        number: int = 1
        names: list[str] = field(default_factory=list, hash=False)
        secret: str = field(default="", repr=False)
        seen: bool = field(default=False, compare=False)
        owner: str = field(default="nobody", kw_only=True, repr=False)
        size: int = field(init=False, repr=False, compare=False)
        mark: str = field(default="x", init=False, repr=False)
        rows: list[int] = field(default_factory=list, init=False, repr=False, compare=False)

        def __post_init__(self) -> None:
            if not self.place:
                raise ValueError("nowhere")
            object.__setattr__(self, "size", len(self.place))

    return Piece


def plain(dataclass: Make, **how: Any) -> Any:
    """A class whose values may change."""

    @dataclass(**how)
    class Count:
        number: int
        marks: list[int] = field(default_factory=list)

    return Count


WHOSE = ["our first", "our others", "python's"]
DATACLASSES = [(values.dataclass, 20), (values.dataclass, 0), (dataclasses.dataclass, 0)]
TUPLES = [(values.NamedTuple, 20), (values.NamedTuple, 0), (typing.NamedTuple, 0)]


@pytest.fixture(params=DATACLASSES, ids=WHOSE)
def dataclass(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    made, first = request.param
    monkeypatch.setattr(values, "_FIRST", first)
    return made


def test_a_value_says_what_it_is(dataclass: Make) -> None:
    piece = made(dataclass)("A", 2, secret="s", seen=True)
    assert repr(piece) == "made.<locals>.Piece(place='A', number=2, names=[], seen=True)"
    assert [one.name for one in fields(piece)] == [
        "place",
        "number",
        "names",
        "secret",
        "seen",
        "owner",
        "size",
        "mark",
        "rows",
    ]
    assert (piece.size, piece.mark, piece.rows) == (1, "x", [])
    assert type(piece).__match_args__ == ("place", "number", "names", "secret", "seen")
    assert type(piece).__doc__ == "A piece."
    assert dataclasses.asdict(piece)["place"] == "A"


def test_values_are_equal_if_what_they_hold_is(dataclass: Make) -> None:
    one, other = made(dataclass), made(dataclass)
    assert one("A", seen=True) == one("A", seen=False)
    assert hash(one("A", names=["a"])) == hash(one("A", names=["b"]))
    assert one("A", names=["a"]) != one("A", names=["b"])
    assert one("A") != one("B")
    assert one("A") != other("A")
    assert len({one("A"), one("A"), one("A", 2)}) == 2


def test_a_value_never_changes(dataclass: Make) -> None:
    piece = made(dataclass)("A")
    for name in ("place", "seen"):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(piece, name, "B")
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'place'"):
        del piece.place
    assert not hasattr(piece, "__dict__")


def test_another_value_is_made_of_it(dataclass: Make) -> None:
    piece = made(dataclass)("A", 2)
    assert replace(piece, place="B") == type(piece)("B", 2)
    assert copy.copy(piece) == copy.deepcopy(piece) == piece
    with pytest.raises(ValueError, match="nowhere"):
        replace(piece, place="")


def test_what_no_default_is_for_has_to_be_given(dataclass: Make) -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'place'"):
        made(dataclass)()
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        made(dataclass)("A", colour="red")


def test_what_is_given_by_its_name_alone_may_stand_anywhere_and_lack_a_default(dataclass: Make) -> None:
    @dataclass(frozen=True, slots=True)
    class Card:
        marks: str = ""
        leader: bool = field(kw_only=True)

    assert Card(leader=True) == Card("", leader=True) != Card("a", leader=True)
    with pytest.raises(TypeError, match="leader"):
        Card("a")


def test_defaults_are_made_for_each_value(dataclass: Make) -> None:
    piece = made(dataclass)
    assert piece("A").names is not piece("B").names


@pytest.mark.parametrize("how", [{}, {"slots": True}])
def test_what_may_change_has_no_hash(dataclass: Make, how: dict[str, Any]) -> None:
    one = plain(dataclass, **how)(1)
    one.number += 1
    assert one == type(one)(2)
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_values_may_be_equal_to_themselves_alone(dataclass: Make) -> None:
    alone = plain(partial(dataclass, frozen=True, slots=True, eq=False))
    one = alone(1)
    assert one == one  # noqa: PLR0124
    assert one != alone(1)
    assert hash(one) != hash(alone(1))


def place_of(named: Any) -> Any:
    """A class of tuples with all that ours have."""

    class Place(named):  # type: ignore[misc]
        """Where a piece stands."""

        column: str
        row: int = 1
        marks: tuple[str, ...] = ()

        kind = "place"

        def __str__(self) -> str:
            return f"{self.column}{self.row}"

        @property
        def is_edge(self) -> bool:
            return self.row == 1

    Place.__qualname__ = "Place"
    return Place


@pytest.fixture(params=TUPLES, ids=WHOSE)
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    named, first = request.param
    monkeypatch.setattr(values, "_FIRST", first)
    made = place_of(named)
    monkeypatch.setitem(globals(), "Place", made)  # where pickle looks for it
    return made


def test_a_tuple_has_what_its_class_says(place: Any) -> None:
    one = place("A", row=2)
    assert (one.column, one.row, one.marks) == (*one,) == one == ("A", 2, ())
    assert (str(one), one.is_edge, place("A").is_edge, place.__doc__) == ("A2", False, True, "Where a piece stands.")
    assert repr(one) == "Place(column='A', row=2, marks=())"
    assert hash(one) == hash(("A", 2, ()))
    assert place.__bases__ == (tuple,)
    assert not hasattr(one, "__dict__")


def test_a_tuple_knows_its_fields(place: Any) -> None:
    assert place._fields == place.__match_args__ == ("column", "row", "marks")
    assert place._field_defaults == {"row": 1, "marks": ()}
    assert place("A")._asdict() == {"column": "A", "row": 1, "marks": ()}


def test_another_tuple_is_made_of_it(place: Any) -> None:
    one = place("A")
    assert one._replace(row=3) == place("A", 3)
    assert place._make(one) == copy.copy(one) == copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    assert type(one._replace(row=3)) is type(place._make(one)) is type(pickle.loads(pickle.dumps(one))) is place
    with pytest.raises(ValueError, match="Got unexpected field names: \\['colour'\\]"):
        one._replace(colour="red")
    with pytest.raises(TypeError, match="Expected 3 arguments, got 1"):
        place._make("A")


def test_a_tuple_never_changes_and_lacks_nothing(place: Any) -> None:
    with pytest.raises(AttributeError):
        place("A").row = 2
    for _ in range(2):
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'column'"):
            place()
        with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
            place("A", colour="red")


def test_a_class_may_be_made_of_one_of_tuples(place: Any) -> None:
    class Corner(place):  # type: ignore[misc]
        __slots__ = ()

    assert type(Corner("A")) is Corner
    assert Corner("A") == place("A")
    assert type(place("A")) is place


@pytest.mark.parametrize("named", [values.NamedTuple, typing.NamedTuple], ids=["ours", "python's"])
def test_a_field_without_a_default_stands_before_those_that_have_one(named: Any) -> None:
    with pytest.raises(TypeError, match="default"):

        class Wrong(named):  # type: ignore[misc]
            row: int = 1
            column: str


def test_the_first_values_and_all_others_are_alike(dataclass: Make, place: Any) -> None:
    piece = made(dataclass)
    assert len({piece("A", number=2) for _ in range(50)}) == len({place("A", row=2) for _ in range(50)}) == 1


@pytest.mark.parametrize("wrong", [((), {}), (("A", 1, (), 1, 1, 1), {}), (("A",), {"column": "A"}), ((), {"row": 1})])
def test_a_value_is_made_of_each_field_once(dataclass: Make, place: Any, wrong: tuple[Any, dict[str, Any]]) -> None:
    @dataclass(frozen=True, slots=True)
    class Point:
        column: str
        row: int = 1
        marks: tuple[str, ...] = ()

    for kind in (Point, place):
        for _ in range(2):
            with pytest.raises(TypeError):
                kind(*wrong[0], **wrong[1])
            assert kind("A").column == "A"
