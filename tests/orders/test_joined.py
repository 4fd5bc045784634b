"""Moves that are written together, or without a "to", are offered for one `yes` where one legal reading fits."""

from pbem.cli.check import read_letter
from support.each import each


def reading(text: str) -> dict:
    return read_letter({"game": "ozymandia", "seat": "red", "text": text})


@each(
    ("text", "proposal"),
    [
        ("3 A tom", "3 A to M"),
        ("3 AtoM", "3 A to M"),
        ("3AtoM", "3 A to M"),
        ("3AM", "3 A to M"),
        ("3AM 2WM", "3 A to M, 2 W to M"),
        ("3am 2wm", "3 A to M, 2 W to M"),
        ("3 a m, 2 w m", "3 A to M, 2 W to M"),
        ("3a2m", "3 A to M"),
        ("2WtoM,1WtoWC", "2 W to M, 1 W to WC"),
        ("1AAC\n2AM", "1 A to AC, 2 A to M"),
        ("Hallo!\n3AnachM\nGruß, Al", "3 A to M"),
        ("3\u0410\u043d\u0430M", "3 A to M"),
    ],
)
def test_what_fits_in_one_way_is_proposed_and_told(text: str, proposal: str) -> None:
    found = reading(text)
    assert found["orders"] is None
    assert found["proposal"] == proposal
    assert {one["why"] for one in found["open"]["doubts"]} == {"unread"}


@each(
    "text",
    ["3 am works for me", "3AQ", "9AM", "3AV", "3 tom", "M", "3AM?", "not 3AM", "33"],
)
def test_nothing_is_proposed_of_what_is_more_or_cannot_be(text: str) -> None:
    found = reading(text)
    assert found["orders"] is None
    assert found["proposal"] is None
    assert "joined" not in {one["why"] for one in found["open"]["doubts"]}
