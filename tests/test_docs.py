"""The docs are true: what they show is what the program does, and nothing of the program is left out of them."""

import ast
import importlib
import json
import re
import shlex
import sqlite3
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import get_args

import click
import pytest

from pbem.cli.demo import DemoDesk, letter_text
from pbem.cli.main import main
from pbem.cli.players import parse_decision
from pbem.config.config import KEYS, load_config
from pbem.games import GAMES, find_game
from pbem.games.ozymandia.board import SHIPPED, find_board
from pbem.games.ozymandia.demo import LETTERS
from pbem.games.ozymandia.rules import TurnEvent, fight
from pbem.games.ozymandia.state import State, parse_state
from pbem.i18n.languages import say_in
from pbem.match.terms import USUAL, Terms, read_terms
from pbem.orders.command import HELP_TOPICS, Asking, Decision, Group
from pbem.orders.commands import COMMANDS, DECISIONS, row_of
from pbem.orders.grammar import grammar_text
from pbem.orders.headings import is_heading
from pbem.orders.reader import may_be_order, parse, read, read_words
from pbem.orders.situation import Standpoint
from pbem.orders.supposing import may_suppose
from pbem.store.database import connect
from pbem.times.dates import parse_dates, parse_pace
from support.commands import commands, context
from support.docs import code, fenced, page, rows, section
from support.each import each
from support.paths import GOLDEN, ROOT
from tools.docs import NOON, PAGES, PICTURE, generated, letter_picture, letters_to_alice

RULES, EVENTS = "docs/games/ozymandia.md", "docs/games/ozymandia-events.md"
GRAMMARS = sorted(path for folder in ("grammar", "pbem") for path in (ROOT / folder).rglob("*.lark"))
OZYMANDIA = find_game("ozymandia")
LATTICE = find_board("lattice")
SET_UP: State = OZYMANDIA.new({"board": "lattice"})


_IMAGE = re.compile(r"data:image/png;base64,[^\"]+")
"""An image, whose bytes depend on the versions of the libraries that draw it."""


@each("name", PAGES, ids=str)
def test_what_is_generated_is_up_to_date(name):
    assert page(name) == generated(page(name)), "run `python -m tools.docs`"


@pytest.mark.parametrize("mark", ["board lattice", "cards base-2", "cards_ru base-2"])
def test_whatever_a_generated_part_is_called_it_is_brought_up_to_date(mark):
    assert "of last year" not in generated(f"<!-- generated: {mark} -->\nof last year\n<!-- end -->")


def test_the_picture_of_a_letter_is_up_to_date(images):
    letters_to_alice.cache_clear()  # those of other tests have no images
    shown, made = (_IMAGE.sub("", text) for text in (PICTURE.read_text("utf-8"), letter_picture()))
    letters_to_alice.cache_clear()
    assert shown == made, "run `python -m tools.docs`"
    assert PICTURE.read_text("utf-8") != shown


# README


def test_the_first_two_commands_of_the_readme_are_the_demo_and_the_tests():
    demo, tests = fenced(page("README.md"), "sh")[:2]
    assert demo.splitlines()[-1] == ".venv/bin/pbem demo"
    assert tests == "./tasks test\n"
    assert page(".ci/run").splitlines()[-1] == tests.strip()


def test_the_readmes_reply_is_read_as_it_says(tmp_path):
    (shown,) = fenced(section("README.md", "## A letter"), "text")
    said = section("README.md", "## A letter").rpartition("```")[2]
    table = DemoDesk(tmp_path / "desk", NOON)
    table.poll()
    for turn in LETTERS["en"][:2]:
        for seat, text in turn:
            table.write(seat, text)
        table.poll()
    table.write("red", shown)
    (receipt,) = (letter_text(letter) for seat, letter in table.poll() if seat == "red")
    table.close()
    (orders,) = code(said)[:1]
    assert f"\n  {orders}\n" in receipt
    assert "Should this go to your opponent? Nobody has seen it yet.\n\n| Good shot, Bob." in receipt


def test_the_readmes_cron_line_is_that_of_the_operators_manual():
    (cron,) = (line for line in page("README.md").splitlines() if line.startswith("*/5"))
    assert cron in page("docs/operating.md")


PROVIDERS = ("Gmail and Google Workspace", "Microsoft 365")


def test_the_lines_for_large_providers_are_a_configuration(tmp_path):
    blocks = [block for title in PROVIDERS for block in fenced(section("docs/operating.md", f"### {title}"), "ini")]
    assert len(blocks) == 3
    for block in blocks:
        path = tmp_path / "config.ini"
        path.write_text(f"{block}\n[desk]\noperator = op@example.net\nkey_file = pbem.key\n")
        config = load_config(path)
        assert config.outgoing.sender.address == config.mailbox.place.user == config.outgoing.place.user
        assert config.mailbox.place.tls == "direct"
        assert config.mailbox.auth == config.outgoing.auth
        assert config.outgoing.a_day


# The players' manuals: that of the service, and that of Ozymandia


def test_the_manual_of_the_service_has_at_most_1350_words_beside_its_tables():
    told = re.sub(r"<!-- generated: .*?<!-- end -->", "", page("docs/playing.md"), flags=re.S)
    assert len(re.findall(r"\S*\w\S*", told)) <= 1350


def notation() -> Iterator[tuple[State, str, str]]:
    """Position, what is written, and what it is read as, of every row of the notation tables."""
    before_new, after_new = section(RULES, "## How orders are written").split("New pieces come once")
    position = parse_state(code(after_new)[0], LATTICE)
    for state, text in ((SET_UP, before_new), (position, after_new)):
        for written, canonical, *_ in rows(text):
            for way in written.split(" or "):
                yield state, "\n".join(code(way)), code(canonical)[0]


@each(("state", "written", "canonical"), list(notation()))
def test_each_row_of_the_notation_is_read_as_it_says(state, written, canonical):
    reading = read(Standpoint(OZYMANDIA, state, "red"), written)
    assert str(reading.orders) == canonical, [str(mistake) for mistake in reading.mistakes]
    assert str(parse(Standpoint(OZYMANDIA, state, "red"), canonical)) == canonical


def test_each_way_of_writing_orders_that_begins_with_no_area_may_be_orders_at_a_glance():
    ways = {written for _, written, _ in notation()}
    unseen = {written for written in ways if not may_be_order(written)}
    assert ways - unseen > {"3 A to M", "New M"}
    assert {written.split()[0] for written in unseen} == {"Hi", "EC"}


def test_every_order_word_of_the_grammar_stands_in_the_notation():
    grammar = "\n".join(map(grammar_text, (OZYMANDIA.grammar, ROOT / "grammar" / "orders.lark")))
    terminals = re.findall(r"^_?[A-Z]+[.\d-]*: +/(.+)/i\b", grammar, re.M)
    words = {word for terminal in terminals for word in re.findall(r"[a-z]{2,}", re.sub(r"\\.", " ", terminal))}
    assert {"new", "bomb", "pass", "hold", "all", "move", "and", "to"} <= words
    written = "\n".join(text for _, text, _ in notation()).casefold()
    assert [word for word in sorted(words) if word not in written] == []


def test_what_the_manual_calls_a_remark_is_one_and_what_it_calls_an_attempt_is_one():
    manual = page(RULES)
    (attempt,) = re.findall(r'So "([^"]+)" is taken for orders', manual)
    assert read(Standpoint(OZYMANDIA, SET_UP, "red"), attempt).mistakes
    (never,) = re.findall(r"\*\*Never guessed:\*\*.*?\n\n", manual, re.S)
    for text in code(never):
        assert read(Standpoint(OZYMANDIA, SET_UP, "red"), text).mistakes, text


def test_all_orders_shown_in_the_manual_for_the_beginning_are_legal():
    shown = code(section("docs/playing.md", "## The game in six letters"))
    assert shown
    for text in shown:
        assert read(Standpoint(OZYMANDIA, SET_UP, "red"), text).orders is not None


_NUMBER = r"§\d{1,2}(?:\.\d)?|\b[RJ]\d{1,2}\b"


def test_every_paragraph_and_ruling_is_in_the_manual():
    manual = page(RULES)
    numbers = ["§1", *(f"§2.{number}" for number in range(1, 8)), *(f"J{number}." for number in range(1, 11))]
    assert [number for number in numbers if f"**{number}" not in manual] == []


def test_every_paragraph_and_ruling_that_the_source_cites_is_in_the_manuals():
    games = ROOT / "pbem" / "games"
    operators = page("docs/operating.md")
    manuals = {game.name: page(f"docs/games/{game.name}.md") + operators for game in GAMES.values()}
    sources = {*(ROOT / "pbem").rglob("*.py"), *GRAMMARS}
    own = {name: {path for path in sources if path.is_relative_to(games / name)} for name in manuals}
    assert cited(own["ozymandia"]) >= {"§2.4", "J1"}
    for name, files in own.items():
        assert missing(cited(files), manuals[name]) == set()
    of_rules = {path for path in sources if not path.is_relative_to(games) or path.parent == games}
    assert missing(cited(of_rules), "".join(manuals.values())) == set()


def cited(files):
    """The numbers of rules that files cite."""
    lines = [line for path in files for line in path.read_text("utf-8").splitlines() if "RFC" not in line]
    return {number for line in lines for number in re.findall(_NUMBER, line)}


def missing(numbers, manual):
    """The numbers that stand in no manual; `§2.4` is a paragraph of its own, J1 and R1 have a full stop or blank."""
    return {number for number in numbers if not re.search(rf"\*\*{re.escape(number)}(?!\d)", manual)}


def test_the_table_of_fights_is_right():
    for larger, *left in rows(section(RULES, "## The rules")):
        for smaller, cell in enumerate(filter(None, left), start=1):
            assert cell == f"{fight(int(larger), smaller)[0]} left"


def test_the_worked_example_comes_out_as_it_says():
    position, red, blue, after = code(section(RULES, "## An example: meeting on the way"))
    state = parse_state(position, LATTICE)
    orders = {seat: parse(Standpoint(OZYMANDIA, state, seat), text) for seat, text in (("red", red), ("blue", blue))}
    assert OZYMANDIA.resolve(state, orders).state == parse_state(after, LATTICE)


def test_every_shipped_board_is_shown():
    shown = section(RULES, "## The boards")
    assert [name for name in SHIPPED if f"<!-- generated: board {name} -->" not in shown] == []


def test_every_help_topic_is_told():
    told = section("docs/playing.md", "## Words the desk understands")
    assert [topic for topic in HELP_TOPICS if f"`help {topic}`" not in told] == []


GROUPS = [group for group in get_args(Group) if group]


def test_every_word_of_a_players_is_in_the_manual_once():
    assert [row.word for row in COMMANDS if row.group not in GROUPS] == []
    shown = section("docs/playing.md", "## Words the desk understands")
    assert [group for group in GROUPS if shown.count(f"<!-- generated: commands {group} -->") != 1] == []


EXAMPLES = {
    "ADRESSE": "carl@example.org", "PARTIE": "oz-17", "LIGA": "Winter", "SPIELTAG": "3", "RUNDE": "6", "NAME": "Bob",
    "TAG": "24.12.", "SEITE": "Blau",
}  # fmt: skip
"""What players write in the place of words in capitals."""

_SAY = say_in("de")
IN_GERMAN = [(row.word, usage) for row in COMMANDS for usage in _SAY(row.usage).split(", ")]


@each("word, usage", IN_GERMAN)
def test_what_the_manual_shows_in_german_is_read_as_its_word(word, usage):
    written = re.sub(r" ?\[.*?\]", "", usage)
    written = re.sub(r"\b[A-Z]{3,}\b", lambda found: EXAMPLES[found[0]], written)
    if word == "later":  # the orders behind it belong to it
        assert is_heading(written)
    elif word == "if":  # what stands behind it is for a game
        assert may_suppose(written)
    else:
        (command,) = read_words(written).commands
        assert row_of(command).word in (word, *_BESIDE.get(word, ()))


_BESIDE = {
    "standings": ("crosstable", "rounds", "schedule", "leagues"), "text": ("html",), "fewer": ("more",),
    "challenge": ("join",), "vote": ("pause", "resume"),
}  # fmt: skip
"""Words that stand in the row of another."""


def test_what_the_manual_shows_of_words_is_read_as_words():
    shown = fenced(section("docs/playing.md", "## Words the desk understands"), "text")
    assert shown
    for text in shown:
        lines = [text] if "\nend " in text else text.splitlines()
        for line in lines:
            (command,) = read_words(line).commands
            if getattr(command, "word", "") == "vacation" and command != Asking("vacation", "none"):
                parse_dates(command.argument, NOON.date())


# The game master's manual


def test_every_term_is_in_the_game_masters_manual_as_it_is_if_nothing_is_said():
    told = {code(row[0])[0]: code(row[1])[0] for row in rows(section("docs/gamemasters.md", "### The terms"))}
    assert told.keys() == {"zone", *(field.name for field in fields(Terms))}
    toml = "\n".join(f"{key} = {value}" for key, value in told.items())
    assert read_terms(tomllib.loads(toml)) == replace(
        USUAL, deadline=parse_pace("7 days"), cooling_off=timedelta(minutes=10)
    )


def test_what_the_game_master_decides_in_the_season_is_read_alike_by_mail_and_on_the_command_line():
    season = section("docs/gamemasters.md", "## A season from start to end")
    (letter,) = (text for text in fenced(season, "text") if text.startswith("rollback"))
    (lines,) = fenced(season, "sh")
    decisions = read_words(letter).commands
    assert len(decisions) == 2
    for decision, line in zip(decisions, lines.splitlines(), strict=True):
        assert isinstance(decision, Decision)
        _, _, word, game, *words, _, reason = shlex.split(line)
        row = next(row for row in DECISIONS if row.word == word)
        assert parse_decision(row, game, tuple(words), reason) == decision
        assert f"the game master: {word} {game} {' '.join(words)}\n" in (GOLDEN / "season.txt").read_text("utf-8")


# The operator's manual


def test_every_command_and_option_is_in_the_operators_manual_and_no_other():
    """What a command cannot do without stands in its form, and all other options in brackets behind it."""
    known = {
        name: tuple(
            {option for one in parameters if one.required is must for option in one.opts if option.startswith("--")}
            for must in (True, False)
        )
        for name, command in commands(main, "pbem")
        if (parameters := command.get_params(context(command)))[1:] or not isinstance(command, click.Group)
    }
    told = {
        " ".join(re.findall(r"^pbem|(?<!-)\b[a-z][a-z-]+", command)): tuple(
            set(re.findall(r"--[a-z-]+", text)) for text in (command, options)
        )
        for command, options in re.findall(
            r"^- `(pbem[^`]*)`(?: \(([^)]*)\))?:", section("docs/operating.md", "## Every command"), re.M
        )
    }
    assert told == {name: (required, options - {"--help"}) for name, (required, options) in known.items()}


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_option_of_every_game_is_in_the_operators_manual(game):
    assert f"<!-- generated: options {game.name} -->" in section(
        "docs/operating.md", "### What can be chosen of a game"
    )


def test_every_configuration_key_is_in_the_operators_manual_and_in_the_example():
    told: set[tuple[str, str]] = set()
    where: list[str] = []
    for sections, keys, _ in rows(section("docs/operating.md", "### What the keys mean")):
        where = code(sections) or (["mailbox", "mailbox.old", "outgoing"] if sections == "all three" else where)
        told |= {(name, key) for name in where for key in code(keys)}
    assert told == {(name, key) for name, keys in KEYS.items() for key in keys}
    for name, keys in KEYS.items():
        example = page("config.example.ini").partition(f"[{name}]")[2].partition("\n[")[0]
        assert [key for key in keys if not re.search(rf"^(# )?{key} = ", example, re.M)] == []


def test_the_configuration_shown_to_operators_is_one(tmp_path):
    from pbem.config.config import load_config

    shown = fenced(page("docs/operating.md"), "ini")[0]
    (tmp_path / "config.ini").write_text(shown)
    assert load_config(tmp_path / "config.ini").mailbox.reply == "plus"


# The design


def test_no_module_is_longer_than_contributing_says():
    longest = int(re.search(r"A module has at most (\d+) lines", page("CONTRIBUTING.md"))[1])
    lengths = {str(path.relative_to(ROOT / "pbem")): lines_of(path) for path in (ROOT / "pbem").rglob("*.py")}
    assert {name for name, length in lengths.items() if length > longest} == set()


def test_every_package_is_in_the_design_and_no_other():
    told = {name for row in rows(section("docs/design.md", "## Packages")) for name in code(row[1])}
    inside = [path for path in (ROOT / "pbem").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert told == {path.stem for path in inside if not path.name.startswith("__")}


PYTHON_FILES = {path.relative_to(ROOT) for path in ROOT.glob("[a-z]*/**/*.py")}
MODULES = [
    ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in PYTHON_FILES if path.parts[0] == "pbem"
]


@cache
def mentions() -> list[tuple[str, str]]:
    """Where something of ours may be mentioned, and the text: docs, grammars, comments and docstrings."""
    names = [*PAGES, Path("tasks"), *(path.relative_to(ROOT) for path in GRAMMARS)]
    found = [(str(name), (ROOT / name).read_text("utf-8")) for name in names]
    for file in sorted(PYTHON_FILES):
        text = (ROOT / file).read_text("utf-8")
        found.append((str(file), "\n".join([*docstrings(ast.parse(text)), *re.findall(r"(?m)#.*$", text)])))
    return found


def docstrings(node: ast.AST) -> Iterator[str]:
    """Yield the docstrings in a module, class or function, and those of its constants and fields."""
    for statement in getattr(node, "body", ()):
        match statement:
            case ast.Expr(ast.Constant(str(text))):
                yield text
            case ast.stmt():
                yield from docstrings(statement)


OF_OTHERS = ("mutt_oauth2.py",)  # programs that are not ours


def test_every_module_that_is_mentioned_exists():
    said = re.compile(r"(?<![\w/.*])[a-z]\w*(?:/\w+)*\.py\b")
    unknown = {
        (where, name)
        for where, text in mentions()
        for name in said.findall(text)
        if name not in OF_OTHERS
        and not any((ROOT / folder / name).exists() for folder in ("", "pbem", Path(where).parent))
    }
    assert not unknown, sorted(unknown)


def test_every_name_of_a_module_that_is_mentioned_exists():
    """Such as `clock.tick` or `pbem.games.base.Game`: of a module there is, something that it has."""
    by_stem = {stem: [name for name in MODULES if last_part(name) == stem] for stem in map(last_part, MODULES)}
    unknown = set()
    for where, text in mentions():
        for stem, name in re.findall(r"`(?:\w+\.)*(\w+)\.(\w+)(?:`|\(|\.)", text):
            found = [] if name in ENDINGS else by_stem.get(stem, [])
            if found and not any(hasattr(importlib.import_module(module), name) for module in found):
                unknown.add((where, f"{stem}.{name}"))
    assert not unknown, sorted(unknown)


ENDINGS = (
    "lark",
    "py",
    "po",
    "md",
    "j2",
    "db",
    "head",
    "key",
    "ini",
    "json",
    "ics",
    "lock",
    "log",
    "txt",
    "toml",
    "service",
    "sql",
    "timer",
)  # of files


def lines_of(path: Path) -> int:
    return path.read_text("utf-8").count("\n")


def last_part(module: str) -> str:
    return module.rpartition(".")[2]


def test_the_recipe_for_the_record_finds_a_whole_chain_whole_and_a_changed_one_broken(tmp_path):
    table = DemoDesk(tmp_path / "desk", NOON)
    table.poll()
    table.write("red", "Pass")
    table.poll()
    table.close()
    database = tmp_path / "desk" / "pbem.db"
    (recipe,) = fenced(section("docs/design.md", "## The record"), "python")
    names: dict[str, Callable[[sqlite3.Connection], int | None]] = {}
    exec(recipe, names)
    conn = connect(database)
    assert names["first_broken_row"](conn) is None
    conn.execute("DELETE FROM record_contents WHERE record = 2")
    assert names["first_broken_row"](conn) is None, "what a person has removed breaks nothing"
    conn.execute("UPDATE record_contents SET content = content || ' ' WHERE record = 4")
    assert names["first_broken_row"](conn) == 4
    conn.close()


def test_every_kind_of_entry_in_the_record_is_in_the_design_once_and_no_other():
    sources = "\n".join(path.read_text("utf-8") for path in (ROOT / "pbem").rglob("*.py"))
    noted = re.findall(r'(?:\bNote|\.note)\(\s*"([a-z ]+)"(?: if .+? else "([a-z ]+)")?', sources)
    told = [kind for row in rows(section("docs/design.md", "## The record")) for kind in code(row[1])]
    assert sorted(told) == sorted({kind for kinds in noted for kind in kinds if kind})


# Events


def test_the_events_that_are_told_are_those_there_are_with_their_keys():
    shapes = [one for part in get_args(TurnEvent) for one in (get_args(part) or (part,))]
    known = {get_args(shape.__annotations__["type"])[0]: set(shape.__annotations__) - {"type"} for shape in shapes}
    told = {code(row[0])[0]: set(code(row[1])) for row in rows(page(EVENTS).partition("## An example")[0])}
    assert told == known


def test_the_schema_has_the_same_events_with_the_same_keys():
    shapes = json.loads(page("docs/games/ozymandia-events.schema.json"))["$defs"]
    told = {code(row[0])[0]: {"type", *code(row[1])} for row in rows(page(EVENTS).partition("## An example")[0])}
    assert {name: set(shapes[name]["required"]) for name in told} == told
    assert {name: set(shapes[name]["properties"]) for name in told} == told


def test_the_example_of_events_is_what_happens():
    (shown,) = fenced(page(EVENTS), "json")
    state = parse_state("4 red M4 bombs 3 blue S3 HC1 bombs 2", LATTICE)
    orders = {"red": "2 M to S", "blue": "New H; 3 S to M; Bomb MC"}
    ruling = OZYMANDIA.resolve(
        state, {seat: parse(Standpoint(OZYMANDIA, state, seat), text) for seat, text in orders.items()}
    )
    assert list(ruling.events) == json.loads(shown)


# All pages


def anchors(text: str) -> set[str]:
    """The headings of a page as links to them are written."""
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@each("name", PAGES, ids=str)
def test_links_lead_somewhere(name):
    text = re.sub(r"^```.*?^```$", "", page(name), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert "://" not in target, "pages link only to what is in the repository"
        path, _, anchor = target.partition("#")
        linked = (ROOT / name).parent / path if path else ROOT / name
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked.read_text("utf-8")), target


_LARGE_PROVIDERS = {"gmail.com", "google.com", "microsoft.com", "office365.com"}
"""Whose servers the operator's manual names, because their users cannot find them out."""


@each("name", PAGES, ids=str)
def test_no_page_names_somebodys_machine(name):
    text = page(name)
    assert re.findall(r"(?<![\w.])/(?:work|tmp|home|root|Users|mnt)\b", text) == []
    hosts = re.findall(r"[@/.]([a-z0-9-]+\.(?:com|org|net|io|dev|de))\b", text)
    assert [host for host in hosts if not host.startswith("example.") and host not in _LARGE_PROVIDERS] == []


@each("name", PAGES, ids=str)
def test_prose_has_no_exclamation_marks_and_lines_that_can_be_read(name):
    text = re.sub(r"^```.*?^```$|`[^`]*`|<!--|!\[", "", page(name), flags=re.M | re.S)
    assert "!" not in text
