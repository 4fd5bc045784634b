"""Whole turns through `pbem adjudicate --json`, and `resolve` alone, compared with bare Lark parses of the same
texts."""

import io
import json
from collections.abc import Callable, Iterator
from math import inf
from time import perf_counter
from typing import TypeVar

from benchmarks.campaigns import Round, rounds
from benchmarks.check import opened
from benchmarks.positions import Question, questions
from benchmarks.report import Row
from benchmarks.wars import Turn, turns
from pbem.cli.adjudicate import run
from pbem.games import find_game
from pbem.games.chance import SecretChance, any_chance
from pbem.games.ozymandia import Ozymandia
from pbem.games.ozymandia.rules import resolve
from pbem.games.ozz import state
from pbem.games.rocknroll import rules as rocknroll
from pbem.games.rocknroll.state import dump
from pbem.orders.grammar import open_grammar

Asked = TypeVar("Asked")

TURNS, GROUP, ROUNDS = 1_000, 50, 40


def measure() -> Iterator[Row]:
    """Turns per second on one core, without caching results."""
    asked = questions(TURNS)
    lines = [_line(number, one) for number, one in enumerate(asked)]
    grammar = open_grammar(Ozymandia.grammar, ["orders"])

    def whole(group: list[Question], lines: list[bytes]) -> None:
        assert run(lines, io.BytesIO(), as_json=True) == 0, "all generated orders are legal"

    def rules_alone(group: list[Question], lines: list[bytes]) -> None:
        for one in group:
            resolve(one.state, one.orders)

    def bare_lark(group: list[Question], lines: list[bytes]) -> None:
        for one in group:
            for text in one.texts.values():
                grammar.parse(text)

    played, resolved, parsed = (TURNS / seconds for seconds in _best(asked, lines, whole, rules_alone, bare_lark))
    lark = "both texts by bare Lark"
    yield Row("adjudicate --json", played, "turns/s", lark, parsed, ">= 6,000", played >= 6_000)
    yield Row("resolve alone", resolved, "turns/s", lark, parsed, ">= 50,000", resolved >= 50_000)
    yield from _rocknroll()
    yield _ozz()


def _rocknroll() -> Iterator[Row]:
    """The same for Rock'n'Roll, whose positions and scripts are longer."""
    asked = turns(TURNS)
    game = find_game("rocknroll")
    cards = game.new({"set": "expansion"}, any_chance())  # uses the names of both sets
    grammar = open_grammar(game.grammar, ["orders"], None, game.terminals(cards))
    lines = [_war_line(number, one) for number, one in enumerate(asked)]

    def whole(group: list[Turn], lines: list[bytes]) -> None:
        assert run(lines, io.BytesIO(), as_json=True, game_name="rocknroll") == 0, "all scripts are legal"

    def rules_alone(group: list[Turn], lines: list[bytes]) -> None:
        for one in group:
            rocknroll.resolve(one.state, {one.seat: one.orders}, SecretChance(one.secret))

    def bare_lark(group: list[Turn], lines: list[bytes]) -> None:
        for one in group:
            grammar.parse(str(one.orders))

    played, resolved, parsed = (TURNS / seconds for seconds in _best(asked, lines, whole, rules_alone, bare_lark))
    lark = "the scripts by bare Lark"
    yield Row("adjudicate, rocknroll", played, "turns/s", lark, parsed, ">= 0.5 x", played >= 0.5 * parsed)
    yield Row("  resolve alone", resolved, "turns/s", lark, parsed, ">= 1 x", resolved >= parsed)


def _ozz() -> Row:
    """The same for Ozz, for campaigns and skirmishes."""
    asked = rounds(TURNS)
    grammar, spell = opened("ozz")
    spelled = {text: spell(text) for one in asked for text in one.texts.values()}
    lines = [_round_line(number, one) for number, one in enumerate(asked)]

    def whole(group: list[Round], lines: list[bytes]) -> None:
        assert run(lines, io.BytesIO(), as_json=True, game_name="ozz") == 0, "all letters are legal"

    def bare_lark(group: list[Round], lines: list[bytes]) -> None:
        for one in group:
            for text in one.texts.values():
                grammar.parse(spelled[text])

    played, parsed = (TURNS / seconds for seconds in _best(asked, lines, whole, bare_lark))
    lark = "the letters by bare Lark"
    return Row("adjudicate, ozz", played, "rounds/s", lark, parsed, ">= 0.4 x", played >= 0.4 * parsed)


def _round_line(number: int, one: Round) -> bytes:
    question = {"id": number, "state": state.dump(one.state), "orders": one.texts, "seed": one.secret.hex()}
    return json.dumps(question).encode() + b"\n"


def _war_line(number: int, one: Turn) -> bytes:
    question = {
        "id": number,
        "state": dump(one.state),
        "orders": {one.seat: str(one.orders)},
        "seed": one.secret.hex(),
    }
    return json.dumps(question).encode() + b"\n"


def _line(number: int, one: Question) -> bytes:
    question = {
        "id": number,
        "board": one.state.board.name,
        "turn": one.state.turn,
        "pieces": one.state.pieces,
        "bombs": one.state.bombs,
        "orders": one.texts,
    }
    return json.dumps(question).encode() + b"\n"


def _best(asked: list[Asked], lines: list[bytes], *works: Callable[[list[Asked], list[bytes]], None]) -> list[float]:
    """The seconds that each kind of work takes for all questions: the sum of its best times for each group of them.

    A disturbance can only slow a round down, and short rounds often escape it.
    """
    starts = range(0, len(asked), GROUP)
    best = [[inf for _ in starts] for _ in works]
    for _ in range(ROUNDS):
        for number, start in enumerate(starts):
            group = slice(start, start + GROUP)
            for times, work in zip(best, works, strict=True):
                times[number] = min(times[number], _seconds(work, asked[group], lines[group]))
    return [*map(sum, best)]


def _seconds(work: Callable[[list[Asked], list[bytes]], None], asked: list[Asked], lines: list[bytes]) -> float:
    start = perf_counter()
    work(asked, lines)
    return perf_counter() - start
