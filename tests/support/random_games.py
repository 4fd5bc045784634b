"""Random games with everything that can happen to one, for tests of their records."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from pbem.games import find_game
from pbem.games.base import Result, Seat
from pbem.games.ozymandia.board import find_board, parse_board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.state import SEATS, State, opponent
from pbem.record.history import Ended, History, Placed, Played, Remark, RolledBack, Step

GAME = find_game("ozymandia")
ODD = 'aä{}\\"[]#@|; \n\t\u00a0\u00ad\u200d😀\U000e0001éß€'
NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
OWN_BOARD = parse_board(find_board("lattice").source.replace('name = "lattice"', 'name = "our own"'))


def random_history(random: Random) -> History:
    """A game that is running, has ended on the board or by a declaration, or was annulled."""
    table = _Table(random)
    for _ in range(random.randint(0, 9)):
        if table.result():
            break
        table.do_something()
    return table.history()


def odd_text(random: Random) -> str:
    """Words with every character that could mean something to a reader of records."""
    words = ("Good luck.", "3 A to M", "[Game", "1. Pass | Pass", "}", "rollback 1", "{{", "\\n", "nmr")
    return "".join(random.choice((random.choice(ODD), random.choice(words))) for _ in range(random.randint(1, 8)))


def some_orders(random: Random, state: State, seat: Seat) -> Orders:
    """Legal random orders: new pieces, a dispersal or a concentration, a bombardment, or none of these."""
    theirs = state.pieces[opponent(seat)]
    new = tuple(
        city[0] if random.random() < 0.5 and city[0] not in theirs else city
        for city in state.held_cities(seat)
        if random.random() < 0.5
    )
    own, board = state.with_new_pieces(seat, new), state.board
    moves: list[Move] = []
    if own and random.random() < 0.8:
        here = random.choice(sorted(own))
        near = sorted(board.adjacent[here])
        if random.random() < 0.6:
            left = own[here]
            for target in random.sample(near, min(len(near), 2)):
                if left:
                    moves.append(Move(random.randint(1, left), here, target))
                    left -= moves[-1].count
        else:
            moves = [Move(random.randint(1, own[area]), area, here) for area in near if area in own][:3]
    bomb = random.choice(sorted(board.areas)) if state.bombs[seat] and random.random() < 0.1 else None
    return Orders(new, tuple(moves), bomb)


class _Table:
    def __init__(self, random: Random) -> None:
        self.random, self.now = random, NOON
        self.timed = random.random() < 0.8
        self.options = self._options()
        self.start = GAME.new(self.options)
        if random.random() < 0.1:
            self.options["board"], self.start = "our own", replace(self.start, board=OWN_BOARD)
        self.state, self.turn = self.start, 1
        self.steps: list[Step] = []
        self.ended: Ended | None = None

    def _options(self) -> dict[str, Any]:
        random = self.random
        options: dict[str, Any] = {"board": random.choice(("lattice", "triangles"))}
        possible = next(one.choices for one in GAME.options(options) if one.name == "trades")
        if trades := random.sample(possible, random.randint(0, 2)):
            options["trades"] = trades
        if random.random() < 0.2:
            options["turn_limit"] = random.randint(1, 6)
        return options

    def result(self) -> Result | None:
        return self.ended.result if self.ended else GAME.result(self.state)

    def do_something(self) -> None:
        chance = self.random.random()
        if chance < 0.15:
            self.steps.append(self._remark())
        elif chance < 0.22 and self.turn > 1:
            self._roll_back(self.random.randint(1, self.turn - 1))
        elif chance < 0.27:
            self._correct()
        elif chance < 0.32:
            self._end()
        else:
            self._play()

    def _at(self) -> datetime | None:
        self.now += timedelta(seconds=self.random.randint(1, 400_000))
        return self.now if self.timed else None

    def _remark(self) -> Remark:
        return Remark(self.random.choice((None, *SEATS)), odd_text(self.random), self._at())

    def _play(self) -> None:
        writing = [seat for seat in SEATS if self.random.random() < 0.9]
        orders = {seat: some_orders(self.random, self.state, seat) for seat in writing}
        ruling = GAME.resolve(self.state, orders)
        told = {seat: str(orders[seat]) if seat in orders else None for seat in SEATS}
        self.steps.append(Played(self.turn, self.state, told, ruling.state, ruling.events, self._at(), "1"))
        self.state, self.turn = ruling.state, self.turn + 1

    def _roll_back(self, turn: int) -> None:
        played = (one for one in self.steps if isinstance(one, Played) and not one.undone and one.turn == turn)
        self.state, self.turn = next(played).before, turn
        self.steps = [
            one._replace(undone=True) if isinstance(one, Played) and one.turn >= turn else one for one in self.steps
        ]
        self.steps.append(RolledBack(turn, self._at(), self.random.choice(("", odd_text(self.random)))))

    def _correct(self) -> None:
        self.state = replace(self.state, pieces={"red": {"M": self.random.randint(1, 9)}, "blue": {"S": 3, "HC": 1}})
        self.steps.append(Placed(self.turn, self.state, self._at(), odd_text(self.random)))

    def _end(self) -> None:
        annulled = self.random.random() < 0.3
        winner = None if annulled else self.random.choice((None, *SEATS))
        result = Result(winner, "Somebody said so.", not annulled and self.random.random() < 0.3)
        self.ended = Ended(result, annulled, self._at())
        self.steps.append(self.ended)

    def history(self) -> History:
        random, annulled = self.random, bool(self.ended and self.ended.annulled)
        league = random.choice(("", "Winter", odd_text(random)))
        return History(
            name=f"oz-{random.randint(1, 99)}",
            game=GAME,
            options=self.options,
            rules="1",
            players={seat: odd_text(random) for seat in SEATS},
            start=self.start,
            state=self.state,
            steps=tuple(self.steps),
            result=None if annulled else self.result(),
            annulled=annulled,
            league=league,
            season=1 if league else None,
            division=1 if league else None,
            round=random.randint(1, 9) if league else None,
            began=NOON if self.timed else None,
            ended=self.now if self.timed and self.result() else None,
        )


def games(number: int, seed: int = 1981) -> Iterator[History]:
    """Yield a number of games, always the same for a seed."""
    random = Random(seed)
    return (random_history(random) for _ in range(number))
