"""Positions of a game with one thing to find, which are played alone by letters: `puzzles.toml` in the game's folder.

The first three of a game are a tutorial: they take no knowledge, and after them somebody has written orders of all
kinds that a first game needs. What chance decides in a position comes from a secret that stands there, so that it is
the same for everybody.
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
"""The level that judges what is no lesson."""

_NEAR = 0.03  # of the win: orders as good as that are the best ones, too


class Puzzle(NamedTuple):
    """A position, which seat has to order in it, and what for; what is to be learned, told when it is solved. `best`
    are orders that solve it; `accept` are expressions for the canonical form of all that do, without which a program
    judges. One of a `match` that is over has the number of its turn."""

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
        """What its seat sees."""
        return self.game.view(self.state, self.seat if self.game.hides else OPEN)

    def short_by(self, orders: Any, best: Any) -> float | None:
        """How much of the win legal orders are worth less than the best: 0 if they solve it, None if they do not and
        that is no matter of worth."""
        if self.accept:
            return 0.0 if any(re.fullmatch(pattern, str(orders)) for pattern in self.accept) else None
        assert isinstance(self.game, Bot)
        worth, most = self.game.weigh(self.view, self.seat, (orders, best), LEVEL, _chance())
        return 0.0 if most - worth <= _NEAR else float(most - worth)


def _chance(secret: str = "") -> SecretChance:
    return SecretChance(bytes.fromhex(secret) or bytes(SECRET))


def texts_in(game: AnyGame) -> Sequence[Mapping[str, Any]]:
    """The puzzles of a game as their file has them; none of a game without such a file."""
    texts: Sequence[Mapping[str, Any]] = read_toml(game.grammar.with_name(FILE)).get("puzzles", ())
    return texts


def load_puzzle(game: AnyGame, number: int, read: Callable[[Any, Seat, str], Any]) -> Puzzle | None:
    """A puzzle of a game, counted from 1; None if there is none. `read` gives the orders of a text in a state."""
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
