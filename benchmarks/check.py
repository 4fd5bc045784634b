"""Letters through `pbem check --json`, compared with bare Lark parses of the same texts with the game's grammar."""

import io
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from math import inf
from time import perf_counter
from typing import Any

from lark import Lark, UnexpectedInput

from benchmarks.positions import questions
from benchmarks.report import Row
from pbem.cli.check import run
from pbem.games import find_game
from pbem.games.chance import SECRET, SecretChance
from pbem.games.options import with_defaults
from pbem.orders.grammar import open_grammar

LETTERS, ROUNDS = 1500, 7  # more positions than the checker caches, so that it reads each one again
LONG_LETTERS = 40  # with sixty lines each
_NATIONS = ("munchkins", "winkies", "quadlings", "gillikins")
_POINTS = [f"{nation}{number}" for nation in "MWQG" for number in (1, 2, 3, 4)]
_SIXTY = (
    "Everybody in M1 but the Guard to M2",
    "Sourdough's and the cavalry from M2 via M4 to R1",
    "Admiral Jinjar recruits a specialist",
    "the Mayor recruits",
    "Casualties: national guards first, then Sourdough's",
    "Zoraster returns to Hardsole",
    *(f"retreat when {number} or fewer are left at {point}" for number, point in enumerate(_POINTS, start=1)),
    *(f"We offer honours of war at {point}" for point in _POINTS if point[0] != "M" and point[1] != "4"),
    *(f"Honours of war: accept in M{number}" for number in (1, 2, 3)),
    *(f"Garrison M{number} with one gun" for number in (1, 2, 3)),
    *["Good luck!"] * 23,
)
_SCRIPTS = (
    "Развернуть Джонни на А, Дока в точку Д\nАтака: Джонни -> Бао\nМарш: Зулу и Док в Б",
    "deploy johnny and zulu to A, Doc to D; Attack Johnny vs Bao; If hit then Move: Zulu to B",
    "Обмен Дока на приказ, потом Напалм по Браво\nПереброс для Дока 1 за приказы",
    "Trade Doc for order; Attack two: Johnny > Bao, Zulu > Mai; Move two: Doc to C, Rook to C",
    "Рок-н-ролл для всех: всегда\nЕсли Бао не в А, Марш: Зулу в Б\nМеняю Атаку на Джонни",
)


def measure() -> Iterator[Row]:
    """Letters per second on one core."""
    ozymandia = [(one.texts["red"], one) for one in questions(LETTERS)]
    lines = [
        _line("ozymandia", "red", text, board=one.state.board.name, position=str(one.state)) for text, one in ozymandia
    ]
    yield _row("ozymandia", [text for text, _ in ozymandia], lines)
    # The leading blanks differ, so that no line is found in the reader's cache.
    scripts = [" " * (number % 300) + _SCRIPTS[number % len(_SCRIPTS)] for number in range(LETTERS)]
    yield _row("rocknroll", scripts, [_line("rocknroll", "vpa", text) for text in scripts])

    # A letter as people write it; it may take at most about three times as long as bare Lark.
    letters = ["\n".join(" " * (number % 50) + line for line in _SIXTY) for number in range(LONG_LETTERS)]
    lines = [_line("ozz", "munchkins", text, new={"nations": _NATIONS}) for text in letters]
    yield _row("ozz, 60 lines", letters, lines, "ozz", 0.3)


def _line(game: str, seat: str, text: str, **place: Any) -> bytes:
    return json.dumps({"game": game, "seat": seat, "text": text, **place}).encode() + b"\n"


def _row(name: str, texts: list[str], lines: list[bytes], game: str = "", least: float = 0.4) -> Row:
    def checked() -> None:
        assert run(lines, io.BytesIO()) == 0, "all letters have orders"

    ours, bare = (len(texts) / _best(work) for work in (checked, bare_lark(game or name, texts)))
    lark = "the texts by bare Lark"
    return Row(f"check --json, {name}", ours, "letters/s", lark, bare, f">= {least} x", ours >= least * bare)


def opened(name: str) -> tuple[Lark, Callable[[str], str]]:
    """Open Lark with the grammar of a game; return it with the function that turns a text into its input."""
    game = find_game(name)
    start = game.new(with_defaults(game.title, game.options({}), {}), SecretChance(bytes(SECRET)))
    return open_grammar(game.grammar, ["orders"], own=game.terminals(start)), game.speller(start)


def bare_lark(name: str, texts: Sequence[str]) -> Callable[[], None]:
    """Make a function with the work of Lark alone: it parses each line up to the point where that is no longer an order
    list."""
    grammar, spell = opened(name)
    lines = [line for text in texts for line in spell(text).split("\n")]

    def parsed() -> None:
        for line in lines:
            with suppress(UnexpectedInput):
                grammar.parse(line)

    return parsed


def _best(work: Callable[[], None]) -> float:
    best = inf
    for _ in range(ROUNDS):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return best
