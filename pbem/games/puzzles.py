"""Puzzles: positions with a task, which a player solves alone by mail. They are stored in `puzzles.toml` in the game's
folder.

The first three puzzles of a game are a tutorial: they require no prior knowledge, and a player who has solved them has
written every kind of order that a first game needs. Chance in a puzzle comes from a secret in the file, so it is the
same for every player.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.base import OPEN, AnyGame, Seat
from pbem.games.capabilities import Bot
from pbem.games.chance import SECRET, SecretChance
from pbem.resources import read_toml

FILE = "puzzles.toml"

LEVEL = 3
"""The level at which the computer opponent judges solutions of puzzles that do not list all accepted orders."""

_NEAR = 0.03  # share of the win; orders this close to the best also solve the puzzle


class Puzzle(NamedTuple):
    """A position, the seat that has to give orders in it, and its task.

    `moral` is the lesson, which the player gets after solving the puzzle. `best` contains orders that solve it.
    `accept` contains patterns for the canonical form of all orders that solve it; if there are no patterns, a program
    judges the orders. `number` is the number of the puzzle among those of the game. If the puzzle comes from a finished
    match, `match` is the name of that match, and `number` is the number of the turn.
    """

    game: AnyGame
    number: int
    state: Any
    seat: Seat
    task: Sentence
    moral: Sentence
    best: str
    accept: tuple[str, ...] = ()
    match: str = ""

    @property
    def view(self) -> Any:
        """The puzzle's position as its seat sees it."""
        return self.game.view(self.state, self.seat if self.game.hides else OPEN)

    def short_by(self, orders: Any, best: Any) -> float | None:
        """Return by how much the share of the win is smaller with `orders` than with `best`; both must be legal. Return
        0 if `orders` solve the puzzle. Return None if they do not solve a puzzle with patterns in `accept`."""
        if self.accept:
            return 0.0 if any(re.fullmatch(pattern, str(orders)) for pattern in self.accept) else None
        assert isinstance(self.game, Bot)
        worth, most = self.game.weigh(self.view, self.seat, (orders, best), LEVEL, _chance())
        return 0.0 if most - worth <= _NEAR else float(most - worth)


def _chance(secret: str = "") -> SecretChance:
    return SecretChance(bytes.fromhex(secret) or bytes(SECRET))


def texts_in(game: AnyGame) -> Sequence[Mapping[str, Any]]:
    """Return the puzzles of a game as they are stored in its file. The result is empty for a game without puzzles."""
    texts: Sequence[Mapping[str, Any]] = read_toml(game.grammar.with_name(FILE)).get("puzzles", ())
    return texts


def load_puzzle(game: AnyGame, number: int, read: Callable[[Any, Seat, str], Any]) -> Puzzle | None:
    """Load puzzle `number` of a game, counted from 1, or return None if it does not exist. `read` is a function that
    reads orders, given a state, a seat and a text."""
    texts = texts_in(game)
    if not 0 < number <= len(texts):
        return None
    table = texts[number - 1]
    chance = _chance(table.get("secret", ""))
    state = game.new(table.get("options", {}), chance)
    if "position" in table:
        state = game.placed(state, table["position"])
    for turn in table.get("turns", ()):
        orders = {seat: read(state, seat, text) for seat, text in turn.items()}
        state = game.resolve(state, orders, chance).state
    sentences = Sentence(table["task"]), Sentence(table["moral"])
    return Puzzle(game, number, state, table["seat"], *sentences, table["best"], tuple(table.get("accept", ())))
