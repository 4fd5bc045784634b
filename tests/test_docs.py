"""The docs are true: what they show is what the program does, and nothing of the program is left out of them.

What stands between `<!-- generated: ... -->` and `<!-- end -->` is written by `python tests/test_docs.py`.
"""

import ast
import hashlib
import importlib
import json
import re
import shlex
import sqlite3
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import get_args

import click
import pytest
from test_season import GOLDEN, LEAGUE

from pbem.cli.decisions import parse_decision
from pbem.cli.demo import Table, letter_text
from pbem.cli.flags import flag
from pbem.cli.main import main
from pbem.config.config import _KEYS
from pbem.games import GAMES, find_game
from pbem.games.base import Game
from pbem.games.ozymandia.board import SHIPPED, find_board
from pbem.games.ozymandia.demo import LETTERS
from pbem.games.ozymandia.drawing import describe
from pbem.games.ozymandia.events import TurnEvent
from pbem.games.ozymandia.mistakes import MISTAKES, Example, Kind
from pbem.games.ozymandia.rules import fight
from pbem.games.ozymandia.state import State, parse_state
from pbem.match.lifecycle import decisions_by_phase, diagram
from pbem.match.model import Phase
from pbem.match.terms import USUAL, Terms, read_terms
from pbem.orders.command import HELP_TOPICS, Asking, Command, Decision, Press
from pbem.orders.commands import COMMANDS, DECISIONS, CommandRow
from pbem.orders.reader import parse, read, read_words
from pbem.store.database import connect
from pbem.times.dates import parse_dates, parse_pace

ROOT = Path(__file__).parents[1]
GRAMMARS = sorted(path for folder in ("grammar", "pbem") for path in (ROOT / folder).rglob("*.lark"))
PAGES = sorted(
    path.relative_to(ROOT) for folder in ("", "docs", "docs/decisions") for path in (ROOT / folder).glob("*.md")
)
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
OZYMANDIA = find_game("ozymandia")
LATTICE = find_board("lattice")
USUAL_POSITION = Example("", "").position
SET_UP: State = OZYMANDIA.new({"board": "lattice"})

TRUST = {
    "anybody": "any letter",
    "address": "any letter of yours",
    "person": "an answer to us; else we ask back",
    "seat": "an answer in the game",
    "asked": "an answer to the letter that asks",
}
"""What a player's word must stand in, by how sure of him we must be."""

WORDS = {
    "turn": ("check", "withdraw", "wait", "no", "yes"),
    "game": ("draw", "pause", "resume", "resign", "press", "mute", "unmute", "hand", "rematch"),
    "look": ("help", "status", "resend", "history", "record"),
    "begin": ("join", "leave", "challenge", "accept", "decline"),
    "watch": ("observe", "unobserve"),
    "you": ("vacation", "zone", "language", "address", "my", "forget"),
}
"""The players' words as the manual groups them."""

IN_GERMAN = {
    "check": "prüfe: ...", "withdraw": "zurückziehen", "wait": "warten", "no": "kein Remis", "yes": "ja",
    "draw": "Remis", "pause": "Pause", "resume": "weiter", "resign": "aufgeben", "press": "Presse: ...",
    "mute": "stumm", "unmute": "laut", "hand": "übergebe an carl@example.org", "rematch": "Revanche",
    "help": "Hilfe Züge", "status": "Status", "resend": "nochmal 6", "history": "Verlauf", "record": "Protokoll",
    "join": "mitspielen", "leave": "austreten Winter", "challenge": "fordere bob@example.org heraus",
    "accept": "annehmen", "decline": "ablehnen immer", "observe": "beobachte oz-17",
    "unobserve": "beobachte oz-17 nicht mehr", "vacation": "Urlaub 24.12. bis 6.1.", "zone": "Zeitzone Wien",
    "language": "Sprache deutsch", "address": "Adresse alice@example.org", "my": "meine Daten",
    "forget": "vergiss mich",
}  # fmt: skip


def page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def section(name: str, heading: str) -> str:
    """A page from a heading up to the next one of its rank."""
    rank = heading.partition(" ")[0]
    found = re.search(rf"^{re.escape(heading)}\n(.*?)(?=^#{{1,{len(rank)}}} |\Z)", page(name), re.M | re.S)
    assert found, f"{name} has no heading {heading!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The cells of the tables in a text, without heads."""
    lines = [line.strip()[1:-1] for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    heads = {at + shift for at, row in enumerate(cells) if set("".join(row)) <= set("- ") for shift in (-1, 0)}
    return [row for at, row in enumerate(cells) if at not in heads]


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def fenced(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


# What is generated


@cache
def letters_to_alice() -> tuple[str, ...]:
    """The letters of the demonstration game, at a desk whose clock stands still."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder) / "desk", NOON)
        letters = table.poll()
        for turn in LETTERS:
            for seat, text in turn:
                table.write(seat, text)
            letters += table.poll()
        table.close()
    to_alice = [letter for seat, letter in letters if seat == "red" and "sealed-" not in letter["Message-ID"]]
    return tuple(steady([letter_text(letter) for letter in to_alice]))


def steady(letters: list[str]) -> list[str]:
    """Letters with seals, nonces and heads that are the same each time; the seals fit."""
    others: dict[str, str] = {}
    for letter in letters:
        for seal, below in re.findall(r"^(?:Red |Blue)  ([0-9a-f]{64})\n((?: {6}\S.*\n)+)", letter, re.M):
            line = " ".join(below.split())
            nonce = line.split()[3]
            others[nonce] = hashlib.sha256(line.replace(nonce, "").encode()).hexdigest()[:32]
            others[seal] = hashlib.sha256(line.replace(nonce, others[nonce]).encode()).hexdigest()
        for number, head in re.findall(r"^(\d+) ([0-9a-f]{64})$", letter, re.M):
            others[head] = hashlib.sha256(number.encode()).hexdigest()
    return [re.sub(r"\b[0-9a-f]{32,64}\b", lambda found: others.get(found[0], found[0]), text) for text in letters]


def list_of_mistakes() -> str:
    """A list, since a table of sentences cannot be read on a telephone."""
    lines = []
    for kind in MISTAKES:
        example = best_example(kind)
        shown = f" `{example.orders}`" if 0 < len(example.orders) < 72 else ""
        position = "" if example.position == USUAL_POSITION else f" in the position `{example.position}`"
        proposal = f" Proposed: `{example.proposal}`" if example.proposal else ""
        lines.append(f"- **{kind.name}:**{shown}{position}<br>{example.sentence}{proposal}")
    return "\n".join(lines)


def best_example(kind: Kind) -> Example:
    """The first example from the beginning of a game, if there is one."""
    return next((example for example in kind.examples if example.position == USUAL_POSITION), kind.examples[0])


def commands_table(group: str) -> str:
    lines = ["| Write | In German | What it does | Works in |", "| --- | --- | --- | --- |"]
    for word in WORDS[group]:
        row = player_row(word)
        works = TRUST[row.trust]
        usage = " or ".join(f"`{one}`" for one in row.usage.split(", "))
        lines.append(f"| {usage} | `{IN_GERMAN[word]}` | {row.help} | {works} |")
    return "\n".join(lines)


def player_row(word: str) -> CommandRow:
    return next(row for row in COMMANDS if row.word == word)


def as_text(content: str) -> str:
    return f"```text\n{content.rstrip()}\n```"


def decisions_table() -> str:
    lines = ["| Write | What it does |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| `{row.usage.replace('|', ' or ')}` | {row.help} |" for row in DECISIONS)])


def options_table(name: str) -> str:
    """What can be chosen of a game's matches: on the command line, and in a league file or by mail."""
    lines = ["| Flag | In files and letters | What for | Values | If not said |", "| --- | --- | --- | --- | --- |"]
    for one in find_game(name).options({}):
        values = (
            f"{one.least} to {one.most:,}" if one.kind == "number" else ", ".join(f"`{text}`" for text in one.choices)
        )
        usual = f"`{one.default}`" if one.default else "none"
        kind = "several of " if one.kind == "several" else ""
        lines.append(f"| `--{flag(one)}` | `{one.name}` | {one.help} | {kind}{values} | {usual} |")
    return "\n".join(lines)


def phases_table() -> str:
    """Each word of a game master's, and the phases in which he can say it."""
    phases = get_args(Phase)
    lines = [f"| | {' | '.join(phases)} |", f"| --- |{' --- |' * len(phases)}"]
    for word, possible in decisions_by_phase():
        lines.append(f"| `{word}` | {' | '.join('yes' if phase in possible else '' for phase in phases)} |")
    return "\n".join(lines)


SEASON_LETTERS = {
    "away": "is away from",
    "late": "The deadline of turn 1 is over",
    "forfeit": "missed 2 turns in a row",
    "rollback": "is taken back to the start",
    "leaver": "Somebody else plays",
    "outage": "This desk was down",
    "round": "Round 1 of the league",
    "end": "and with it the season",
}
"""What the letters say that the manual shows of the season."""


def from_the_season(name: str) -> str:
    """The league file of the season that `test_season` plays, or the first letter of its kind, without its board."""
    if name == "league":
        return as_text(LEAGUE.strip())
    letters = GOLDEN.read_text("utf-8").split("\n=== ")
    head, _, text = next(
        letter.partition("\n\n") for letter in letters if SEASON_LETTERS[name] in " ".join(letter.split())
    )
    words = re.split(r"\n\n(?:The board |-{8}\n)", text)[0].removeprefix("== Answer above this line ==\n\n")
    return as_text(f"{head}\n\n{words}")


GENERATORS: dict[str, Callable[[str], str]] = {
    "letter": lambda number: as_text(letters_to_alice()[int(number)]),
    "board": lambda name: as_text(describe(find_board(name))),
    "mistakes": lambda _: list_of_mistakes(),
    "commands": commands_table,
    "decisions": lambda _: decisions_table(),
    "life": lambda _: f"```mermaid\n{diagram()}\n```",
    "options": options_table,
    "phases": lambda _: phases_table(),
    "season": from_the_season,
}

_GENERATED = re.compile(r"(<!-- generated: (\w+) ?(\w*) -->\n).*?(<!-- end -->)", re.S)


def generated(text: str) -> str:
    """A page with its generated parts as they must be now."""
    return _GENERATED.sub(lambda part: f"{part[1]}{GENERATORS[part[2]](part[3])}\n{part[4]}", text)


@pytest.mark.parametrize("name", PAGES, ids=str)
def test_what_is_generated_is_up_to_date(name):
    assert page(name) == generated(page(name)), "run `python tests/test_docs.py`"


# README


def test_the_first_two_commands_of_the_readme_are_the_demo_and_the_tests():
    demo, tests = fenced(page("README.md"), "sh")[:2]
    assert demo.splitlines()[-1] == ".venv/bin/pbem demo"
    assert tests == "./tasks test\n"
    assert page(".ci/run").splitlines()[-1] == tests.strip()


def test_the_readmes_reply_is_read_as_it_says(tmp_path):
    _, shown = fenced(section("README.md", "## A letter"), "text")
    said = section("README.md", "## A letter").rpartition("```")[2]
    table = Table(tmp_path / "desk", NOON)
    table.poll()
    for turn in LETTERS[:2]:
        for seat, text in turn:
            table.write(seat, text)
        table.poll()
    table.write("red", shown)
    (receipt,) = (letter_text(letter) for seat, letter in table.poll() if seat == "red")
    table.close()
    (orders,) = code(said)[:1]
    assert f"\n  {orders}\n" in receipt
    assert 'Not read as orders: "Good shot, Bob."' in receipt


def test_the_readmes_cron_line_is_that_of_the_operators_manual():
    (cron,) = (line for line in page("README.md").splitlines() if line.startswith("*/5"))
    assert cron in page("docs/operating.md")


# The players' manual


def notation() -> Iterator[tuple[State, str, str]]:
    """Position, what is written, and what it is read as, of every row of the notation tables."""
    before_new, after_new = section("docs/players.md", "## How orders are written").split("New pieces come once")
    position = parse_state(code(after_new)[0], LATTICE)
    for state, text in ((SET_UP, before_new), (position, after_new)):
        for written, canonical, *_ in rows(text):
            for way in written.split(" or "):
                yield state, "\n".join(code(way)), code(canonical)[0]


@pytest.mark.parametrize(("state", "written", "canonical"), list(notation()))
def test_each_row_of_the_notation_is_read_as_it_says(state, written, canonical):
    reading = read(OZYMANDIA, state, "red", written)
    assert str(reading.orders) == canonical, [str(mistake) for mistake in reading.mistakes]
    assert str(parse(OZYMANDIA, state, "red", canonical)) == canonical


def test_every_order_word_of_the_grammar_stands_in_the_notation():
    grammar = "\n".join(path.read_text("utf-8") for path in GRAMMARS if path.name == "orders.lark")
    terminals = re.findall(r"^_?[A-Z]+[.\d-]*: +/(.+)/i\b", grammar, re.M)
    words = {word for terminal in terminals for word in re.findall(r"[a-z]{2,}", re.sub(r"\\.", " ", terminal))}
    assert {"new", "bomb", "pass", "hold", "all", "move", "and", "to"} <= words
    written = "\n".join(text for _, text, _ in notation()).casefold()
    assert [word for word in sorted(words) if word not in written] == []


def test_what_the_manual_calls_a_remark_is_one_and_what_it_calls_an_attempt_is_one():
    manual = page("docs/players.md")
    (attempt,) = re.findall(r'So "([^"]+)" is taken for orders', manual)
    assert read(OZYMANDIA, SET_UP, "red", attempt).mistakes
    (not_read,) = re.findall(r"\*\*Not read\*\*.*?\n\n", manual, re.S)
    for text in code(not_read):
        assert read(OZYMANDIA, SET_UP, "red", text).mistakes, text


def test_all_orders_shown_in_the_manual_for_the_beginning_are_legal():
    shown = code(section("docs/players.md", "## The game in six letters"))
    assert shown
    for text in shown:
        assert read(OZYMANDIA, SET_UP, "red", text).orders is not None


_NUMBER = r"§\d(?:\.\d)?|\bJ\d{1,2}\b"


def test_every_paragraph_and_ruling_is_in_the_manual():
    manual = page("docs/players.md")
    numbers = ["§1", *(f"§2.{number}" for number in range(1, 8)), *(f"J{number}." for number in range(1, 11))]
    assert [number for number in numbers if f"**{number}" not in manual] == []


def test_every_paragraph_and_ruling_that_the_source_cites_is_in_the_manuals():
    manuals = page("docs/players.md") + page("docs/operating.md")
    sources = [*(ROOT / "pbem").rglob("*.py"), *GRAMMARS]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    cited = {number for line in text.splitlines() if "RFC" not in line for number in re.findall(_NUMBER, line)}
    assert cited >= {"§2.4", "J1"}
    assert {number for number in cited if f"**{number}" not in manuals} == set()


def test_the_table_of_fights_is_right():
    for larger, *left in rows(section("docs/players.md", "## The rules")):
        for smaller, cell in enumerate(filter(None, left), start=1):
            assert cell == f"{fight(int(larger), smaller)[0]} left"


def test_the_worked_example_comes_out_as_it_says():
    position, red, blue, after = code(section("docs/players.md", "## An example: meeting on the way"))
    state = parse_state(position, LATTICE)
    orders = {seat: parse(OZYMANDIA, state, seat, text) for seat, text in (("red", red), ("blue", blue))}
    assert OZYMANDIA.resolve(state, orders).state == parse_state(after, LATTICE)


def test_every_shipped_board_is_shown():
    shown = section("docs/players.md", "## The boards")
    assert [name for name in SHIPPED if f"<!-- generated: board {name} -->" not in shown] == []


def test_every_help_topic_is_told():
    told = section("docs/players.md", "## Words the desk understands")
    assert [topic for topic in HELP_TOPICS if f"`help {topic}`" not in told] == []


def test_every_word_of_a_players_is_in_the_manual_once():
    told = [word for group in WORDS.values() for word in group]
    assert sorted(told) == sorted(row.word for row in COMMANDS)
    shown = section("docs/players.md", "## Words the desk understands")
    assert [group for group in WORDS if f"<!-- generated: commands {group} -->" not in shown] == []


def word_of(command: Command) -> str:
    """The first word of a command, by which the table knows it."""
    return "press" if isinstance(command, Press) else getattr(command, "word", "help").split()[0]


@pytest.mark.parametrize("word", IN_GERMAN)
def test_the_german_of_each_word_is_read_as_it(word):
    (command,) = read_words(IN_GERMAN[word]).commands
    assert word_of(command) == word


def test_what_the_manual_shows_of_words_is_read_as_words():
    shown = fenced(section("docs/players.md", "## Words the desk understands"), "text")
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
    assert read_terms(tomllib.loads(toml)) == replace(USUAL, deadline=parse_pace("7 days"))


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
        assert f"the game master: {word} {game} {' '.join(words)}\n" in GOLDEN.read_text("utf-8")


# The operator's manual


def commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, group
    context = click.Context(group)
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


def test_every_command_and_option_is_in_the_operators_manual_and_no_other():
    known = {
        name: {option for parameter in parameters for option in parameter.opts if option.startswith("--")}
        for name, command in commands(main, "pbem")
        if (parameters := command.get_params(click.Context(command)))[1:] or not isinstance(command, click.Group)
    }
    told = {
        " ".join(re.findall(r"^pbem|[a-z][a-z-]+", code(row[0])[0])): set(re.findall(r"--[a-z-]+", row[1]))
        for row in rows(section("docs/operating.md", "## Every command"))
    }
    assert told == {name: options - {"--help"} for name, options in known.items()}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_option_of_every_game_is_in_the_operators_manual(game):
    assert f"<!-- generated: options {game.name} -->" in section(
        "docs/operating.md", "### What can be chosen of a game"
    )


def test_every_configuration_key_is_in_the_operators_manual_and_in_the_example():
    told: set[tuple[str, str]] = set()
    where: list[str] = []
    for sections, keys, _ in rows(section("docs/operating.md", "### What the keys mean")):
        where = code(sections) or (["mailbox", "outgoing"] if sections == "both" else where)
        told |= {(name, key) for name in where for key in code(keys)}
    assert told == {(name, key) for name, keys in _KEYS.items() for key in keys}
    for name, keys in _KEYS.items():
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
    assert {name for name, length in lengths.items() if length > longest} == {"store/migrations.py"}


def test_every_package_is_in_the_design_and_no_other():
    told = {name for row in rows(section("docs/design.md", "## Packages")) for name in code(row[1])}
    inside = [path for path in (ROOT / "pbem").iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()]
    assert told == {path.stem for path in inside if not path.name.startswith("__")}


PYTHON_FILES = {path.relative_to(ROOT) for path in ROOT.glob("*/**/*.py") if not path.is_relative_to(ROOT / ".venv")}
MODULES = [
    ".".join(path.with_suffix("").parts).removesuffix(".__init__") for path in PYTHON_FILES if path.parts[0] == "pbem"
]


def mentions() -> Iterator[tuple[str, str]]:
    """Where something of ours may be mentioned, and the text: docs, grammars, comments and docstrings."""
    for name in [*PAGES, Path("tasks"), *(path.relative_to(ROOT) for path in GRAMMARS)]:
        yield str(name), (ROOT / name).read_text("utf-8")
    for file in sorted(PYTHON_FILES):
        text = (ROOT / file).read_text("utf-8")
        tree = ast.walk(ast.parse(text))
        strings = [one.value.value for one in tree if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)]
        comments = re.findall(r"(?m)#.*$", text)
        yield str(file), "\n".join(map(str, [*strings, *comments]))


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
    "key",
    "ini",
    "json",
    "ics",
    "lock",
    "txt",
    "toml",
    "service",
    "timer",
)  # of files


def lines_of(path: Path) -> int:
    return path.read_text("utf-8").count("\n")


def last_part(module: str) -> str:
    return module.rpartition(".")[2]


def test_every_part_of_the_seam_is_in_the_design_and_no_other():
    told = {name for row in rows(section("docs/design.md", "## The seam")) for name in code(row[0])}
    methods = {name for name, value in vars(Game).items() if callable(value) and not name.startswith("_")}
    assert told == methods | set(Game.__annotations__)


_TABLES = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')"


def test_every_table_of_the_database_is_in_the_design_and_no_other(tmp_path):
    table = Table(tmp_path / "desk", NOON)
    tables = {name for (name,) in table.store.conn.execute(_TABLES)}
    table.close()
    told = {name for row in rows(section("docs/design.md", "## The database")) for name in code(row[0])}
    assert told == {name for name in tables if not name.startswith(("sqlite_", "_"))}


def test_the_recipe_for_the_record_finds_a_whole_chain_whole_and_a_changed_one_broken(tmp_path):
    table = Table(tmp_path / "desk", NOON)
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
    told = {code(row[0])[0]: set(code(row[1])) for row in rows(page("docs/events.md").partition("## An example")[0])}
    assert told == known


def test_the_schema_has_the_same_events_with_the_same_keys():
    shapes = json.loads(page("docs/events.schema.json"))["$defs"]
    told = {
        code(row[0])[0]: {"type", *code(row[1])} for row in rows(page("docs/events.md").partition("## An example")[0])
    }
    assert {name: set(shapes[name]["required"]) for name in told} == told
    assert {name: set(shapes[name]["properties"]) for name in told} == told


def test_the_example_of_events_is_what_happens():
    (shown,) = fenced(page("docs/events.md"), "json")
    state = parse_state("4 red M4 bombs 3 blue S3 HC1 bombs 2", LATTICE)
    orders = {"red": "2 M to S", "blue": "New H; 3 S to M; Bomb MC"}
    ruling = OZYMANDIA.resolve(state, {seat: parse(OZYMANDIA, state, seat, text) for seat, text in orders.items()})
    assert list(ruling.events) == json.loads(shown)


# All pages


def anchors(text: str) -> set[str]:
    """The headings of a page as links to them are written."""
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", PAGES, ids=str)
def test_links_lead_somewhere(name):
    text = re.sub(r"^```.*?^```$", "", page(name), flags=re.M | re.S)
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert "://" not in target, "pages link only to what is in the repository"
        path, _, anchor = target.partition("#")
        linked = (ROOT / name).parent / path if path else ROOT / name
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked.read_text("utf-8")), target


@pytest.mark.parametrize("name", PAGES, ids=str)
def test_no_page_names_somebodys_machine(name):
    text = page(name)
    assert re.findall(r"(?<![\w.])/(?:work|tmp|home|root|Users|mnt)\b", text) == []
    hosts = re.findall(r"[@/.]([a-z0-9-]+\.(?:com|org|net|io|dev|de))\b", text)
    assert [host for host in hosts if not host.startswith("example.")] == []


@pytest.mark.parametrize("name", PAGES, ids=str)
def test_prose_has_no_exclamation_marks_and_lines_that_can_be_read(name):
    text = re.sub(r"^```.*?^```$|`[^`]*`|<!--|!\[", "", page(name), flags=re.M | re.S)
    assert "!" not in text


if __name__ == "__main__":
    for each in PAGES:
        (ROOT / each).write_text(generated(page(str(each))), "utf-8")
