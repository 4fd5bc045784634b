"""The grammar by itself: which words are key words, and which are names that merely begin like one."""

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lark import Lark, TextSlice, UnexpectedInput

from pbem import Sentence
from pbem.games import find_game
from pbem.games.base import Interpretation, Mistake, Unread
from pbem.games.ozymandia import Ozymandia
from pbem.games.ozymandia.orders import SHAPES
from pbem.games.ozz import names as ozz
from pbem.games.rocknroll.guess import STARTS
from pbem.orders.grammar import open_grammar, parse_command
from pbem.orders.reader import Reading, may_be_order, read, read_text
from pbem.orders.situation import Situation, Standpoint
from support.each import each
from support.paths import ROOT

OZYMANDIA: Any = find_game("ozymandia")
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


def bare_lark(path: Path, start: str, shapes: Any = None) -> Lark:
    return open_grammar(path, [start], shapes)


@pytest.fixture(scope="module")
def grammar() -> Lark:
    return bare_lark(Ozymandia.grammar, "orders")


def shape(grammar: Lark, text: str) -> list[tuple[str, ...]]:
    """Each item as its rule and its words."""
    tree: Any = grammar.parse(text)
    return [(str(item.data), *(str(word).strip() for word in item.children)) for item in tree.children]


@each("name", NAMES)
@each("case", CASES)
@each(
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


@each("name", NAMES)
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


@each("case", CASES)
@each(
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


def test_a_command_is_a_word_and_what_follows_it() -> None:
    assert parse_command("help") == ("help",)
    assert parse_command(" Yes! ") == ("Yes",)
    assert parse_command("help orders...") == ("help", "orders")
    assert parse_command("zone Europe/Berlin") == ("zone", "Europe/Berlin")
    assert parse_command("challenge bob@example.org.") == ("challenge", "bob@example.org")
    assert parse_command("3 A to M") is None


@pytest.fixture(scope="module")
def all_of_lark() -> Lark:
    """Lark with its own lexer, making the items that orders are read from."""
    return bare_lark(Ozymandia.grammar, "orders", SimpleNamespace(**SHAPES))


@settings(deadline=None)
@given(st.lists(st.sampled_from(ITEMS + WORDS), max_size=8).map("".join), st.data())
def test_our_lexer_finds_the_words_that_larks_own_finds(all_of_lark: Lark, text: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, min(5, len(text))))
    try:
        items: Any = all_of_lark.parse(TextSlice(text, at, len(text)))
    except UnexpectedInput:
        items = None
    assert placed(Situation(OZYMANDIA, None).grammar.parse(text, at)) == placed(items)


def placed(items: Any) -> Any:
    """Each item with its words and their places."""
    return items and [(type(item), [word and (word.value, word.start_pos) for word in item]) for item in items]


MARCHES = r"""
%import orders (_BULLET, _PLEASE, _BLANKS, _MARKS)

orders: _SEP* item (_SEP+ item)* _SEP*
?item: _BULLET? _PLEASE? (move | stay)
move: _MARCH COUNT AREA
stay: STAY
beginning: _MARCH | STAY

AREA: /[^\W\d_]+/
COUNT: /[IVX]+\b/
STAY: /стоять\b/i
_MARCH: /(иду|attack)\b/i
_SEP: /[\/\n]+/
LINE_START: /иду|attack|стоять/i

%ignore _BLANKS
%ignore _MARKS
"""


class Marches:
    """A game with a rule and terminals called as some of Ozymandia's, but with words, numbers and a separator of its
    own: `иду IV Киев / стоять`."""

    short = "ma"
    turning_words = False
    called: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, grammar: Path) -> None:
        self.grammar = grammar
        self.shapes = {"orders": tuple, "move": tuple, "stay": tuple}

    def terminals(self, state: Any) -> tuple[()]:
        return ()

    def speller(self, state: Any) -> type[str]:
        return str

    def is_complete(self, state: Any, items: Sequence[Any]) -> bool:
        return not any(isinstance(item, Unread) for item in items)

    def names_in(self, state: Any, text: str) -> tuple[str, ...]:
        return ()

    def is_about(self, state: Any, text: str) -> bool:
        return False

    def is_attempt(self, state: Any, line: str, items: Sequence[Any]) -> bool:
        return any(not isinstance(item, Unread) for item in items)

    def interpret(self, state: Any, seat: str, items: Sequence[Any]) -> Interpretation:
        unread = [item for item in items if isinstance(item, Unread)]
        mistakes = [Mistake(one.start_pos, one.start_pos + len(one.value), Sentence("What?")) for one in unread]
        orders = None if unread else tuple(" ".join(word.value for word in item) for item in items)
        return Interpretation(orders, tuple(mistakes))


@pytest.fixture(scope="module")
def marches(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("marches") / "orders.lark"
    path.write_text(MARCHES, "utf-8")
    return Marches(path)


def test_two_games_with_the_same_names_in_their_grammars_are_read_beside_each_other(marches: Any) -> None:
    state = OZYMANDIA.new({})
    assert read(Standpoint(marches, None, "red"), "иду IV Киев / стоять").orders == ("IV Киев", "стоять")
    assert str(read(Standpoint(OZYMANDIA, state, "red"), "1 A to AC, 1 A to Z").orders) == "1 A to AC, 1 A to Z"
    assert read(Standpoint(marches, None, "red"), "1 A to AC, 1 A to Z") == Reading(remarks=("1 A to AC, 1 A to Z",))
    assert read(Standpoint(OZYMANDIA, state, "red"), "иду IV Киев / стоять").orders is None


def test_each_game_has_separators_and_openings_of_its_own(marches: Any) -> None:
    reading = read_text(
        Standpoint(marches, None, "red"), "Hello!\n- please ИДУ II Киев / I say: attack X Тверь/жду / стоять\nBye"
    )
    assert [(one.item, one.column) for one in reading.mistakes] == [("I say: attack X Тверь", 23), ("жду", 45)]
    assert reading.remarks == ("Hello!", "Bye")
    assert read(Standpoint(marches, None, "red"), '"иду II Киев" / *стоять*\nБольше ничего').orders == (
        "II Киев",
        "стоять",
    )


def test_lines_that_may_be_orders_are_those_of_all_games(marches: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["3 A to M", "Attack Bravo", "> Стоять, Киев"]
    assert [*map(may_be_order, lines)] == [True, False, False]
    monkeypatch.setattr("pbem.games.GAMES", {"ozymandia": OZYMANDIA, "marches": marches})
    assert [*map(may_be_order, lines)] == [True, True, True]


def test_a_grammar_without_bullets_needs_none(marches: Any, tmp_path: Path) -> None:
    path = tmp_path / "orders.lark"
    path.write_text(MARCHES.replace("_BULLET, ", "").replace("_BULLET? ", ""), "utf-8")
    bare: Any = Marches(path)
    assert read(Standpoint(bare, None, "red"), "Hi\nиду II Киев").orders == ("II Киев",)
    assert read(Standpoint(bare, None, "red"), "- иду II Киев").orders is None


def test_a_line_is_looked_at_without_importing_a_game() -> None:
    look = (
        "import sys; from pbem.orders.reader import may_be_order;"
        "lines = ('3 A to M', 'Order ZOR: advance', 'Разверни Johnny A', 'card Bao', 'Best wishes, Ann');"
        "print([may_be_order(line) for line in lines], [name for name in sys.modules if name in "
        "('pbem.games.ozymandia', 'pbem.games.rocknroll', 'pbem.games.ozz', 'lark')])"
    )
    done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[True, True, True, True, False] []\n"


@each(("folder", "starts"), [("ozz", ozz.STARTS), ("rocknroll", STARTS)])
def test_a_line_may_begin_with_every_order_word_of_a_game(folder: str, starts: Sequence[str]) -> None:
    (line,) = re.findall(r"LINE_START: +/(.*)/i", (ROOT / "pbem/games" / folder / "orders.lark").read_text())
    assert line.split("|") == [f"<{word}>" for word in starts]
