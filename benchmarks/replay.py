"""Records that are read, replayed and written, compared with bare Lark parses of the orders in them."""

import io
import json
from collections.abc import Callable, Iterator
from random import Random
from time import perf_counter

from benchmarks.positions import some_orders
from benchmarks.report import Row
from benchmarks.wars import wars
from pbem.cli.adjudicate import run
from pbem.games import find_game
from pbem.games.ozymandia import Ozymandia
from pbem.games.ozymandia.board import SHIPPED
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozymandia.state import SEATS
from pbem.games.rocknroll.state import dump
from pbem.orders.grammar import open_grammar
from pbem.record.history import History, Played
from pbem.record.notation import read_games, write_record

GAMES, LONGEST, WARS, ROUNDS = 60, 40, 20, 15


def measure() -> Iterator[Row]:
    """Turns per second on one core for a file of whole games, including checks of checksums and positions."""
    games = _games()
    file = "\n".join(map(write_record, games)).encode()
    turns = sum(len(game.steps) for game in games)
    texts = [text for game in games for turn in game.turns() for text in turn.orders.values() if text]
    grammar = open_grammar(Ozymandia.grammar, ["orders"])

    def replay() -> None:
        assert not any(found.problems for found in read_games(io.BytesIO(file))), "all games are as they were written"

    def write() -> None:
        for game in games:
            write_record(game)

    def bare_lark() -> None:
        for text in texts:
            grammar.parse(text)

    replayed, written, parsed = (turns / seconds for seconds in _best(replay, write, bare_lark))
    lark = "both texts by bare Lark"
    yield Row("records replayed", replayed, "turns/s", lark, parsed, ">= 4,000", replayed >= 4_000)
    yield Row("records written", written, "turns/s", lark, parsed)
    yield _of_wars()


def _of_wars() -> Row:
    """The same for Rock'n'Roll, compared with the same turns through `pbem adjudicate --json`."""
    games = wars(WARS)
    file = "\n".join(map(write_record, games)).encode()
    played = [turn for game in games for turn in game.turns()]
    lines = [_question(number, turn) for number, turn in enumerate(played)]

    def replay() -> None:
        assert not any(found.problems for found in read_games(io.BytesIO(file))), "all wars are as they were written"

    def adjudicate() -> None:
        assert run(lines, io.BytesIO(), as_json=True, game_name="rocknroll") == 0, "all scripts are legal"

    replayed, adjudicated = (len(played) / seconds for seconds in _best(replay, adjudicate))
    target = replayed >= 0.6 * adjudicated
    return Row("records replayed, rocknroll", replayed, "turns/s", "adjudicate", adjudicated, ">= 0.6 x", target)


def _question(number: int, turn: Played) -> bytes:
    orders = {seat: text for seat, text in turn.orders.items() if text}
    question = {"id": number, "state": dump(turn.before), "orders": orders, "seed": turn.secret}
    return json.dumps(question).encode() + b"\n"


def _games() -> list[History]:
    """Games on both boards in which both sides give random orders."""
    random, game = Random(1981), find_game("ozymandia")
    found = []
    for number in range(GAMES):
        options = {"board": SHIPPED[number % len(SHIPPED)]}
        start = state = game.new(options)
        turns: list[Played] = []
        while not game.result(state) and len(turns) < LONGEST:
            given = {seat: some_orders(random, state, seat, range(4)) or Orders() for seat in SEATS}
            ruling = game.resolve(state, given)
            told = {seat: str(orders) for seat, orders in given.items()}
            turns.append(Played(state.turn, state, told, ruling.state, ruling.events))
            state = ruling.state
        players = {"red": "Alice", "blue": "Bob"}
        result = game.result(state)
        found.append(History(f"oz-{number + 1}", game, options, "1", players, start, state, tuple(turns), result))
    return found


def _best(*works: Callable[[], None]) -> list[float]:
    """The best time of each kind of work in seconds. They alternate, so that a busy moment does not affect just one of
    them."""
    rounds = [[_seconds(work) for work in works] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def _seconds(work: Callable[[], None]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start
