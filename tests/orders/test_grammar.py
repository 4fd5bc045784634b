"""The grammar by itself: which words are key words, and which are names that merely begin like one."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, TextSlice, UnexpectedInput

from pbem.games.ozymandia.items import SHAPES
from pbem.orders.grammar import parse
from pbem.resources import resource

NAMES = ("Tor", "Andes", "Allwood", "Bombay", "Passau", "Newhaven", "Shangri-La", "Holder", "Toto", "Movement", "Fromm")
CASES = (str.lower, str.upper, str.title)
WORDS = (
    "3 ",
    "all ",
    " to ",
    "->",
    "pieces",
    "from",
    "move",
    "new ",
    "please ",
    ", bitte",
    " ziehen",
    " bombardieren",
    "bomb ",
    "pass",
    " and ",
    "1) ",
    *"- *,;.&\n",
    *NAMES,
)
ITEMS = ("3 A to M", "from A 2 to W", "2 pieces from A to M", "New M", ", ", "\n- ", " and ")


@pytest.fixture(scope="module")
def grammar() -> Lark:
    source = resource("grammar/orders.lark").read_text(encoding="utf-8")
    return Lark(source, parser="lalr", start=["ozymandia", "commands"])


def shape(grammar: Lark, text: str) -> list[tuple[str, ...]]:
    """Each item as its rule and its words."""
    tree: Any = grammar.parse(text, start="ozymandia")
    return [(str(item.data), *(str(word).strip() for word in item.children)) for item in tree.children]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("3 {} to M", "move"),
        ("3 M to {}", "move"),
        ("all {} -> M", "move"),
        ("move 3 pieces from {} to M", "move"),
        ("new {}", "new"),
        ("new piece at {}", "new"),
        ("bomb {}", "bomb"),
        ("bombard {}", "bomb"),
        ("{} to M", "no_count"),
    ],
)
def test_a_name_that_begins_like_a_key_word_is_a_name(
    grammar: Lark, name: str, case: Callable[[str], str], text: str, rule: str
) -> None:
    written = case(name)
    [(found, *words)] = shape(grammar, case(text.format(name)))
    assert found == rule
    assert written in words


@pytest.mark.parametrize("name", NAMES)
def test_names_behind_a_separator_are_names_and_key_words_are_key_words(grammar: Lark, name: str) -> None:
    text = f"New {name}, {name} and {name} & bomb {name}, all {name} to {name}, pass"
    assert shape(grammar, text) == [
        ("new", name),
        ("also", name),
        ("also", name),
        ("bomb", name),
        ("move", "all", name, name),
        ("stay", "pass"),
    ]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("new a", [("new", "a")]),
        ("new pieces in a", [("new", "a")]),
        ("bomb a", [("bomb", "a")]),
        ("bombard a", [("bomb", "a")]),
        ("pass", [("stay", "pass")]),
        ("hold", [("stay", "hold")]),
        ("no move", [("stay", "no move")]),
        ("no moves", [("stay", "no moves")]),
        ("all a to m", [("move", "all", "a", "m")]),
        ("move 3 pieces from a to m", [("move", "3", "a", "m")]),
        ("from a 3 to m", [("move_from", "a", "3", "m")]),
        ("3 a to m and 2 w to m", [("move", "3", "a", "m"), ("move", "2", "w", "m")]),
    ],
)
def test_key_words_are_read_in_any_case(
    grammar: Lark, case: Callable[[str], str], text: str, items: list[tuple[str, ...]]
) -> None:
    assert shape(grammar, case(text)) == [(rule, *map(case, words)) for rule, *words in items]


def test_a_new_piece_list_ends_with_the_line(grammar: Lark) -> None:
    assert shape(grammar, "New A, M")[1:] == [("also", "M")]
    for text in ("New A\nM", "New A.\nM", "New A; M"):
        with pytest.raises(UnexpectedInput):
            shape(grammar, text)


def test_a_command_is_a_word_and_what_follows_it(grammar: Lark) -> None:
    def words(text: str) -> list[str]:
        return [str(word) for word in grammar.parse(text, start="commands").children]

    assert words("help") == ["help"]
    assert words(" Yes! ") == ["Yes"]
    assert words("help orders...") == ["help", "orders"]
    assert words("zone Europe/Berlin") == ["zone", "Europe/Berlin"]
    assert words("challenge bob@example.org.") == ["challenge", "bob@example.org"]


@pytest.fixture(scope="module")
def all_of_lark() -> Lark:
    """Lark with its own lexer, making the items that orders are read from."""
    shapes: Any = SimpleNamespace(**SHAPES)
    source = resource("grammar/orders.lark").read_text(encoding="utf-8")
    return Lark(source, parser="lalr", start="ozymandia", transformer=shapes)


@settings(deadline=None)
@given(st.lists(st.sampled_from(ITEMS + WORDS), max_size=8).map("".join), st.data())
def test_our_lexer_finds_the_words_that_larks_own_finds(all_of_lark: Lark, text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, min(5, len(text))))
    try:
        items: Any = all_of_lark.parse(TextSlice(text, at, len(text)))
    except UnexpectedInput:
        items = None
    assert placed(parse("ozymandia", text, at)) == placed(items)


def placed(items: Any) -> Any:
    """Each item with its words and their places."""
    return items and [(type(item), [word and (word.value, word.start_pos) for word in item]) for item in items]
