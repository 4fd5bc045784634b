"""Write the generated parts of the docs: everything between `<!-- generated: ... -->` and `<!-- end -->`.

After changing anything that they show, run `.venv/bin/python -m tools.docs`.
"""

import ast
import inspect
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from email.message import Message
from functools import cache, partial
from pathlib import Path
from typing import get_args

from pbem import ENGLISH
from pbem.cli.demo import DemoDesk, letter_text
from pbem.cli.flags import flag
from pbem.games import base, find_game
from pbem.games.ozymandia.board import find_board
from pbem.games.ozymandia.demo import LETTERS
from pbem.games.ozymandia.drawing import describe
from pbem.games.ozz import dataset, wording
from pbem.games.rocknroll.cardfile import SHIPPED, find_set
from pbem.games.rocknroll.cards import Name, Order, Unit
from pbem.i18n.languages import say_in
from pbem.match.lifecycle import TRANSITIONS, Stage
from pbem.match.model import Phase
from pbem.orders.command import CommandRow
from pbem.orders.commands import COMMANDS, DECISIONS
from pbem.store.audit_log import NOT_COVERED
from tools import train, train_guess
from tools.field_tables import field_table
from tools.letter_picture import picture
from tools.ozz_letters import letters as ozz_letters

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    path.relative_to(ROOT)
    for folder in ("", "docs", "docs/decisions", "docs/games")
    for path in (ROOT / folder).glob("*.md")
)
PICTURE = ROOT / "docs" / "letter.svg"
SEASON = ROOT / "tests" / "golden"
"""The season shown in the manual: its league file and all its letters."""
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
TRUST = {
    "anybody": "in any letter",
    "address": "in any letter",
    "person": "in answers to any letter of ours",
    "seat": "in answers to a letter of the game",
    "lapsed seat": "in answers to a letter of the game",
    "asked": "in answers to the letter that asks for it",
}
"""The letters in which a player's command counts, by how sure of the player we must be."""


@cache
def letters_to_alice() -> tuple[Message, ...]:
    """The letters of the demonstration game to its first player, from a desk whose clock does not move."""
    with tempfile.TemporaryDirectory() as folder:
        table = DemoDesk(Path(folder) / "desk", NOON)
        letters = table.poll()
        for turn in LETTERS["en"]:
            for seat, text in turn:
                table.write(seat, text)
                letters += table.poll()
        table.close()
    return tuple(letter for seat, letter in letters if seat == "red" and "sealed-" not in letter["Message-ID"])


def letter_picture() -> str:
    """A picture of the report on the second turn of the demonstration, for the README."""
    return picture(letters_to_alice()[4])


def commands_table(group: str) -> str:
    """A table of a group of players' commands, and below it the letters that each must answer."""
    lines, say = ["| Write | In German | What it does |", "|---|---|---|"], say_in("de")
    by_trust: dict[str, list[str]] = {}
    for row in (row for row in COMMANDS if row.group == group):
        usage = " or ".join(f"`{one}`" for one in row.usage.split(", "))
        german = ", ".join(f"`{one}`" for one in say(row.usage).split(", "))
        lines.append(f"| {usage} | {german} | {row.help} |")
        by_trust.setdefault(TRUST[row.trust], []).append(usage.partition("`")[2].split("`")[0].split()[0].rstrip(":"))
    usual, *others = sorted(by_trust, key=lambda trust: -len(by_trust[trust]))
    exceptions = "".join(f"; `{'`, `'.join(by_trust[trust])}` {trust}" for trust in others)
    return "\n".join([*lines, "", f"Use these {usual}{exceptions}."])


def commands_in_russian() -> str:
    """All players' commands as help shows them to Russian readers."""
    say = say_in("ru")
    rows = [f"| `{'` или `'.join(say(row.usage).split(', '))}` | {say(row.help)} |" for row in COMMANDS]
    return "\n".join(["| Команда | Что она делает |", "| --- | --- |", *rows])


def player_row(word: str) -> CommandRow:
    return next(row for row in COMMANDS if row.word == word)


def as_text(content: str) -> str:
    return f"```text\n{content.rstrip()}\n```"


def decisions_table() -> str:
    lines = ["| Write | What it does |", "| --- | --- |"]
    return "\n".join([*lines, *(f"| `{row.usage.replace('|', ' or ')}` | {row.help} |" for row in DECISIONS)])


def diagram() -> str:
    """The stages of a match and the transitions between them in Mermaid, which is readable in a terminal, too.

    Transitions that leave the stage unchanged are left out, except for turns.
    """
    lines = ["stateDiagram-v2", "    [*] --> offered: challenge, invite", "    [*] --> running: game new"]
    for (before, after), words in _changes().items():
        lines.append(f"    {before} --> {after}: {', '.join(words)}")
    return "\n".join([*lines, "    finished --> [*]", "    annulled --> [*]"])


def _changes() -> dict[tuple[Stage, Stage], list[str]]:
    found: dict[tuple[Stage, Stage], list[str]] = {}
    for (before, word), phases in TRANSITIONS.items():
        for after in phases:
            if before != after or word == "a turn is played":
                found.setdefault((before, after), []).append(word)
    return found


def decisions_by_phase() -> Iterator[tuple[str, tuple[Stage, ...]]]:
    """Yield each game master's command about a game with the stages in which it is allowed."""
    for row in DECISIONS:
        if row.trust != "game master":
            continue
        phases = tuple(phase for phase, word in TRANSITIONS if word == row.word)
        if phases:
            yield row.word, phases


def phases_list() -> str:
    """A list of the game master's commands in each phase."""
    words = {
        phase: [f"`{word}`" for word, phases in decisions_by_phase() if phase in phases] for phase in get_args(Phase)
    }
    return "\n".join(f"- **{phase}:** {', '.join(possible) or 'none'}" for phase, possible in words.items())


SEASON_LETTERS = {
    "forfeit": "missed 2 turns in a row",
    "rollback": "goes back to the start of turn",
    "round": "Round 1 of the league",
}
"""A phrase by which to find each letter of the season that the manual shows."""


TEAM_LETTERS = {
    "substitute": "You play on board 2 for Rooks in round 2",
    "round": "Round 1 of the league",
}
"""A phrase by which to find each letter of the season of teams that the manual shows."""


def from_the_season(name: str, of: str = "season", phrases: Mapping[str, str] = SEASON_LETTERS) -> str:
    """The league file of a season in the tests, or its first letter of a kind without the board."""
    if name == "league":
        return as_text((SEASON / f"{of}.toml").read_text("utf-8").strip())
    letters = (SEASON / f"{of}.txt").read_text("utf-8").split("\n=== ")
    head, _, text = next(letter.partition("\n\n") for letter in letters if phrases[name] in " ".join(letter.split()))
    words = re.split(r"\n\n(?:The board\b|-{8}\n)", text)[0].removeprefix("== Answer above this line ==\n\n")
    return as_text(f"{head}\n\n{words}")


def options_table(name: str) -> str:
    """A table of the options of a game's matches: their names on the command line, in league files and in letters."""
    lines = ["| Flag | In files and letters | What for | Values | Default |", "| --- | --- | --- | --- | --- |"]
    for one in find_game(name).options({}):
        values = (
            f"{one.least} to {one.most:,}" if one.kind == "number" else ", ".join(f"`{text}`" for text in one.choices)
        )
        usual = f"`{one.default}`" if one.default else "none"
        kind = "several of " if one.kind == "several" else ""
        lines.append(f"| `--{flag(one)}` | `{one.name}` | {one.help} | {kind}{values} | {usual} |")
    return "\n".join(lines)


def attacks_table() -> str:
    """A table of the attacks tried against a desk and their outcomes, as recorded by the long tests."""
    rows = json.loads((SEASON / "attacks.json").read_text("utf-8"))
    lines = [f"| {' | '.join(row)} |" for row in rows.values()]
    return "\n".join(["| Tried | How often | What came of it |", "| --- | --- | --- |", *lines])


def list_of_what_is_not_covered() -> str:
    """A list of everything that `pbem verify` does not check, with its tables and columns."""

    def called(name: str) -> str:
        table, _, column = name.partition(".")
        return f"`{column}` of `{table}`" if column else f"the table `{table}`"

    points = {why: ", ".join(map(called, names)) for why, names in NOT_COVERED.items()}
    return "\n".join(f"- {why}{names and f': {names}'}" for why, names in points.items())


def seam_table() -> str:
    """A table of the protocols of a game: their subjects and their members, in bold those without a default."""
    lines = ["| protocol | what it is about | members |", "| --- | --- | --- |"]
    module = ast.parse(inspect.getsource(base))
    classes = {node.name: node for node in module.body if isinstance(node, ast.ClassDef)}
    protocols = ("Rules", "Secrecy", "Notation", "Letters", "Pictures", "Records")
    found = {name: dict(filter(None, map(_member, classes[name].body))) for name in (*protocols, "Game")}
    answered = {key for members in found.values() for key, wanted in members.items() if not wanted}
    for name in protocols:
        members = found[name]
        shown = (f"**`{key}`**" if key not in answered else f"`{key}`" for key in members)
        about = " ".join((ast.get_docstring(classes[name]) or "").partition(".")[0].split())
        lines.append(f"| {name} | {about} | {', '.join(shown)} |")
    return "\n".join(lines)


def _member(node: ast.stmt) -> tuple[str, bool] | None:
    """The name of a protocol's member, and whether every game must define it because it has neither a value nor a
    body."""
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
        return node.name, len(node.body) == 1 and isinstance(node.body[0], ast.Expr)
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return node.target.id, node.value is None
    return None


CARD_HEADS = {
    "en": (("Unit", "Side", "Attacks on", "Armour", "Feature"), ("Order", "For", "How many")),
    "ru": (("Юнит", "Сторона", "Нужно на кубике", "Броня", "Фишка"), ("Приказ", "Чей", "Сколько")),
}


def cards_tables(name: str, language: str) -> str:
    """The units, orders and Echo effects of a set of cards, with marks for house values and those of later editions.

    For EXPANSION, whatever the base set contains unchanged is left out.
    """
    units, orders, echo, numbers = _cards(name, language)
    if name != SHIPPED[0]:
        base = _cards(SHIPPED[0], language)
        units, orders, numbers = (
            [line for line in lines if line not in base[at]] for at, lines in ((0, units), (1, orders), (3, numbers))
        )
    tables = ((head, lines) for head, lines in zip(CARD_HEADS[language], (units, orders), strict=True) if lines)
    parts = ["\n".join([*_head(head), *lines]) for head, lines in tables]
    return "\n\n".join([*parts, *filter(None, ["\n".join(echo)]), f"{', '.join(numbers)}."])


def _cards(name: str, language: str) -> tuple[list[str], list[str], list[str], list[str]]:
    """The rows of a set's units and orders, and the lines of its Echo and its numbers."""
    cards = find_set(name)

    def called(one: Name) -> str:
        return one.ru if language == "ru" else one.en

    units, orders = [], []
    for unit in cards.units.values():
        number = f"{'★ ' * unit.star}{unit.chance}+{' ×2' * (unit.dice > 1)}{_marked(unit, 'chance')}"
        armour = f"{unit.armour or ''}{' ♠' * unit.ace}{_marked(unit, 'armour') if unit.armour else ''}"
        feature = f"{called(unit.text)}{_marked(unit, 'feature') if called(unit.text) else ''}"
        title = f"{called(unit.name)}{_marked(unit, 'name')}"
        units.append(f"| {title} | {called(cards.sides[unit.side])} | {number} | {armour} | {feature} |")
    for order in cards.orders.values():
        side = called(cards.sides[order.side]) if order.side else ""
        number = f" ({order.number}+{_marked(order, 'number')})" if order.kind == "super" else ""
        orders.append(f"| {called(order.name)}{number} | {side} | {order.count}{_marked(order, 'count')} |")
    echo = "Эхо" if language == "ru" else "Echo"
    effects = [f"- {echo} {die}: {called(one.text)} *h*" for die, one in cards.echo.items()]
    numbers = [
        f"`{key}` {'-' if value is None else value}{_mark(cards.marks[f'numbers.{key}'])}"
        for key, value in asdict(cards.numbers).items()
    ]
    return units, orders, effects, numbers


def counters_list(_: str) -> str:
    """All counters of the shipped set by nation and kind. Strengths, moves and homes are house values unless the source
    gives them."""
    data = dataset.find_data(dataset.SHIPPED)
    lines: dict[str, dict[str, list[str]]] = {}
    for code, card in data.counters.items():
        nation = wording.nation(card.nation, ENGLISH) if card.nation else "Mercenaries"
        move = f"moves {card.move}" if (card.move or 0) > 1 else ""
        values = ", ".join(filter(None, ("" if card.leader else wording.strengths(data, code), move, card.home)))
        kinds = lines.setdefault(nation, {})
        named = kinds.setdefault(wording.kind(data, code, ENGLISH), [])
        named.append(f"`{code}` {card.name}{f' ({values})' if values else ''}")
    return "\n".join(f"- **{name}.** {' '.join(map(_of_kind, kinds, kinds.values()))}" for name, kinds in lines.items())


def _of_kind(kind: str, cards: list[str]) -> str:
    return f"{kind.capitalize()}: {'; '.join(cards)}."


def _head(cells: tuple[str, ...]) -> list[str]:
    return [f"| {' | '.join(cells)} |", "|" + " --- |" * len(cells)]


def _marked(card: Unit | Order, value: str) -> str:
    return _mark(card.marks.get(value, ""))


def _mark(source: str) -> str:
    """The mark of a house value, or of one from a later edition of the rules."""
    return " *h*" if source.startswith("house") else " °" if source.startswith("later codex") else ""


GENERATORS: dict[str, Callable[[str], str]] = {
    "options": options_table,
    "letter": lambda number: as_text(letter_text(letters_to_alice()[int(number)])),
    "board": lambda name: as_text(describe(find_board(name))),
    "cards": lambda name: cards_tables(name, "en"),
    "cards_ru": lambda name: cards_tables(name, "ru"),
    "commands": commands_table,
    "fields": field_table,
    "russian": lambda _: commands_in_russian(),
    "decisions": lambda _: decisions_table(),
    "life": lambda _: f"```mermaid\n{diagram()}\n```",
    "phases": lambda _: phases_list(),
    "ozz": lambda name: as_text(ozz_letters()[name]),
    "counters": counters_list,
    "season": from_the_season,
    "teams": partial(from_the_season, of="teams", phrases=TEAM_LETTERS),
    "attacks": lambda _: attacks_table(),
    "seam": lambda _: seam_table(),
    "uncovered": lambda _: list_of_what_is_not_covered(),
    "classifier": lambda _: train.table(),
    "guess": lambda _: train_guess.table(),
}
_GENERATED = re.compile(r"(<!-- generated: (\w+) ?(\S*) -->\n).*?(<!-- end -->)", re.S)


def generated(text: str) -> str:
    """Return a page with its generated parts brought up to date. Raises KeyError for an unknown generator."""
    return _GENERATED.sub(lambda part: f"{part[1]}{GENERATORS[part[2]](part[3])}\n{part[4]}", text)


def main() -> None:
    """Bring every page and the picture up to date."""
    PICTURE.write_text(letter_picture(), "utf-8")
    for page in PAGES:
        (ROOT / page).write_text(generated((ROOT / page).read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
