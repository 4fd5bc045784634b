"""What people write: each line of `tolerance.txt` has the orders that it means, or says that it is asked back."""

from pathlib import Path

import pytest

from pbem.orders.reader import read
from support.each import each
from support.ozz_reading import ASKED, Example, meaning, placed


def examples() -> list[Example]:
    found, position = [], ""
    for line in Path(__file__).with_name("tolerance.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("> "):
            position = line[2:]
        elif line and not line.startswith("#"):
            text, _, meant = line.rpartition(" = ")
            found.append(Example(position, text.replace("\\n", "\n"), meant))
    return found


@each("example", examples(), ids=lambda example: example.text)
def test_what_people_write_is_read_as_meant_or_asked_back(example: Example) -> None:
    assert meaning(read(placed(example.position), example.text)) == example.meant


@each("example", [one for one in examples() if one.meant[0] not in "?-"][::2], ids=lambda one: one.text)
def test_what_people_write_means_the_same_in_capitals_and_among_other_lines(example: Example) -> None:
    for text in (
        example.text.upper(),
        f"  {example.text}  ",
        f"* {example.text}",
        f"Hello!\r\n{example.text}\r\n\r\nCheers",
        f"{example.text};\n",
        example.text if example.text[0].isdigit() else f"please {example.text}",
    ):
        assert meaning(read(placed(example.position), text)) == example.meant, text


@each("example", [one for one in examples() if one.meant[0] not in "?-"], ids=lambda one: one.text)
def test_the_canonical_form_of_what_was_read_reads_back(example: Example) -> None:
    assert meaning(read(placed(example.position), example.meant)) == example.meant
    assert meaning(read(placed(example.position), example.meant.lower())) == example.meant


@pytest.mark.parametrize(
    ("position", "text"),
    [
        ("board munchkins winkies 1L HAR MBA 2C ZOR 4C EVO", "EVO all stand"),
        ("board munchkins winkies 1L HAR MBA 2C ZOR 4C EVO", "HAR MBA everybody stands"),
        ("map munchkins M2 MAY SOU MCA M4 NA1", "Move SOU: M2-M4, drop MAY at R1"),
        ("map munchkins M2 MAY SOU MCA M4 NA1", "Recruit MAY special 3"),
        ("map munchkins M2 MAY SOU MCA M4 NA1", "Retreat below 3 2"),
    ],
)
def test_nothing_that_a_line_names_is_dropped_in_silence(position: str, text: str) -> None:
    assert meaning(read(placed(position), text))[0] == ASKED
