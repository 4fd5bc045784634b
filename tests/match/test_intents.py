"""What a letter wants in words of its own is offered for a `yes`, a question is answered, and chat is left alone."""

from collections import Counter

import pytest

from pbem.cli.demo import Table
from support.correspondents import Correspondents
from support.proposals import FRESH, labelled, proposed

MASTER = "operator@example.org"
_NOTHING = ("nothing", "remarks", "rules", "allowed", "writing")


@pytest.fixture
def people(table: Table) -> Correspondents:
    """Alice is Red and Bob is Blue in oz-1."""
    return Correspondents(table)


def fate(label: str, done: str) -> str:
    """Whether a letter was met rightly, wrongly, or not at all."""
    if label == "none":
        return "rightly" if done in _NOTHING or done.startswith("taken") else "wrongly"
    if done == label or (label == "pass" and done == "taken Pass"):
        return "rightly"
    return "not" if done in _NOTHING else "wrongly"


def test_most_of_120_fresh_letters_are_met_rightly_and_chat_is_left_alone(table: Table) -> None:
    rows = [*labelled(FRESH)]
    done = proposed(table, [text for _, _, text in rows])
    fates = Counter(
        ("chat" if row[1] == "none" else "wishes", fate(row[1], one)) for row, one in zip(rows, done, strict=True)
    )
    assert fates["wishes", "rightly"] >= 75
    assert fates["wishes", "wrongly"] <= 18
    assert fates["chat", "wrongly"] <= 4
