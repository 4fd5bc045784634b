"""What people write: each line of `tolerance.txt` has the orders that it means, or says that it is asked back."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.games.base import Seat
from pbem.games.ozz.state import BoardBell, MapBell, State
from pbem.orders.reader import Reading, read
from support.ozz_reading import GAME, on_board, on_map

ASKED, NOTHING = "?", "-"


class Example(NamedTuple):
    """Where everybody stands, what is written, and what it means."""

    position: str
    text: str
    meant: str


def examples() -> list[Example]:
    found, position = [], ""
    for line in Path(__file__).with_name("tolerance.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("> "):
            position = line[2:]
        elif line and not line.startswith("#"):
            text, _, meant = line.rpartition(" = ")
            found.append(Example(position, text.replace("\\n", "\n"), meant))
    return found


@cache
def placed(position: str) -> tuple[State, Seat]:
    """A position of `tolerance.txt`, and whose letter is read in it."""
    text, _, more = position.partition(" | ")
    where, seat, *others = text.split(" ", 2)
    bell = more.split()[1:]
    if where == "map":
        return on_map(" ".join(others), bell=MapBell(seat, bell[0], bell[1]) if bell else None), seat
    other, _, rest = " ".join(others).partition(" ")
    turn, _, rest = rest.partition(" ") if rest.startswith("turn") else ("turn2", "", rest)
    return on_board(rest, seat, other, int(turn[-1]), bell=BoardBell(bell[0], bell[1], bell[2]) if bell else None), seat


def meaning(reading: Reading) -> str:
    """What was read, as `tolerance.txt` has it."""
    if reading.doubts:
        return ASKED
    if reading.mistakes:
        return f"{ASKED} {reading.proposal}" if reading.proposal else ASKED
    if reading.orders is not None:
        return "; ".join((str(reading.orders), *reading.standing))
    return "; ".join(reading.standing) or NOTHING


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.text)
def test_what_people_write_is_read_as_meant_or_asked_back(example: Example) -> None:
    assert meaning(read(GAME, *placed(example.position), example.text)) == example.meant


@pytest.mark.parametrize("example", [one for one in examples() if one.meant[0] not in "?-"], ids=lambda one: one.text)
def test_what_people_write_means_the_same_in_capitals_and_among_other_lines(example: Example) -> None:
    for text in (
        example.text.upper(),
        f"  {example.text}  ",
        f"* {example.text}",
        f"Hello!\r\n{example.text}\r\n\r\nCheers",
        f"{example.text};\n",
        example.text if example.text[0].isdigit() else f"please {example.text}",
    ):
        assert meaning(read(GAME, *placed(example.position), text)) == example.meant, text


@pytest.mark.parametrize("example", [one for one in examples() if one.meant[0] not in "?-"], ids=lambda one: one.text)
def test_the_canonical_form_of_what_was_read_reads_back(example: Example) -> None:
    state, seat = placed(example.position)
    assert meaning(read(GAME, state, seat, example.meant)) == example.meant
    assert meaning(read(GAME, state, seat, example.meant.lower())) == example.meant
    items = GAME.items(example.meant)
    assert items is not None
    assert str(GAME.interpret(state, seat, items).orders or "; ".join(GAME.interpret(state, seat, items).standing))
