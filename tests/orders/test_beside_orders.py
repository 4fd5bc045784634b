"""What `python -m tools.beside` says of letters with something beside orders whose fate is known."""

from pathlib import Path

from support.each import each
from tools.beside import Beside, letters, outcome


@each(
    ("label", "text", "expected"),
    [
        ("1 WC to UC + nothing", "1 WC to UC", {"stand", "no question", "seen to"}),
        ("1 WC to UC + nothing", "1 WC to UC, 1 WC to Z", set()),
        ("1 WC to UC + press", "1 WC to UC\npress: Good luck!", {"stand", "no question", "seen to"}),
        ("1 WC to UC + ask", "1 WC to UC\nWhen is the deadline?", {"stand", "no question", "seen to"}),
        ("1 WC to UC + ask", "1 WC to UC", {"stand", "no question", "silent"}),
        ("1 WC to UC + nothing", "1 WC to UC\nPlease hold these until I write again.", set()),
    ],
)
def test_the_outcome_of_a_letter(label: str, text: str, expected: set[str]) -> None:
    found = outcome(Beside("en", "ozymandia", label, text))
    assert found is not None
    assert found == expected


def test_impossible_orders_have_no_outcome() -> None:
    assert outcome(Beside("en", "ozymandia", "3 V to Z + nothing", "3 V to Z")) is None


def test_letters_are_read_with_what_they_mean(tmp_path: Path) -> None:
    hand = tmp_path / "en3.txt"
    hand.write_text("== en ozz draw\nyes | Fine.\n\n== en ozz beside\nPass + ask | Pass⏎Why is it raining?\n")
    (one,) = letters(hand)
    assert (one.orders, one.other, one.text) == ("Pass", "ask", "Pass\nWhy is it raining?")
