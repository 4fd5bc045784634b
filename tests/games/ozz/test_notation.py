"""orders.lark defines the notation: each of its examples is read as it says, and each of its rules has one."""

import re
from collections.abc import Iterator

from pbem.games.ozz.naming import SHAPES, Phrase
from pbem.orders.reader import read
from pbem.orders.situation import Situation
from support.each import each
from support.ozz_reading import GAME, Example, meaning, placed
from support.paths import ROOT

GRAMMAR = ROOT / "pbem" / "games" / "ozz" / "orders.lark"


def examples() -> Iterator[Example]:
    """The comments of the grammar that have `=` in them."""
    position = ""
    for comment in re.findall(r"// (.+)", GRAMMAR.read_text(encoding="utf-8").partition("// ---- Words")[0]):
        text, sign, meant = comment.rpartition(" =")
        if comment.startswith("> "):
            position = comment[2:]
        elif sign and position and not meant.startswith("`"):
            yield Example(position, text, meant.strip() or text)


@each("example", list(examples()), ids=lambda example: example.text)
def test_each_example_of_the_grammar_is_read_as_it_says(example: Example) -> None:
    assert meaning(read(placed(example.position), example.text)) == example.meant


def kinds(phrase: Phrase) -> Iterator[str]:
    yield phrase.type
    for part in phrase.parts:
        if isinstance(part, Phrase):
            yield from kinds(part)


def test_each_rule_of_the_grammar_has_an_example() -> None:
    found = {"orders"}
    for example in examples():
        state = placed(example.position).state
        for phrase in Situation(GAME, state).grammar.parse(example.text) or ():
            found |= {*kinds(phrase)}
    assert found >= SHAPES.keys()
