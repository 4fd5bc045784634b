"""Classes of values: what they do is what `dataclasses.dataclass` would make them do."""

import copy
import dataclasses
from collections.abc import Callable, Iterator
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


@pytest.fixture(params=[values.dataclass, dataclasses.dataclass], ids=["ours", "python's"])
def dataclass(request: pytest.FixtureRequest) -> Iterator[Any]:
    return request.param


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
