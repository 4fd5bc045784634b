"""A game in one of its states, and a seat there: the context in which text is read.

Readers of text take one of these values, never a game and a state apart, so a state cannot meet another game's rules.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeAlias

from pbem.games.base import AnyGame, Game, Interpretation, Seat, State
from pbem.games.capabilities import Suggestion, SuggestsOrders
from pbem.orders.grammar import Grammar, build_grammar, line_start


@dataclass(frozen=True, slots=True)
class Situation(Generic[State]):
    """A game in one of its states."""

    game: Game[State, Any]
    state: State

    def standpoint(self, seat: Seat) -> "Standpoint[State]":
        """This situation with one of its seats."""
        return Standpoint(self.game, self.state, seat)

    @property
    def grammar(self) -> Grammar:
        """The game's grammar for what it is played with here, such as a set of cards. Each is built once."""
        return build_grammar(self.game, self.game.terminals(self.state), self.game.speller(self.state))

    @property
    def suggests(self) -> bool:
        """Whether the game finds orders in everyday sentences."""
        return _suggesting(self.game) is not None

    def parse(self, text: str) -> Sequence[Any] | None:
        """The items of an order list; None if `text` is anything else."""
        items: Sequence[Any] | None = self.grammar.parse(text)
        return items

    def is_complete(self, items: Sequence[Any]) -> bool:
        """Whether items say all that orders need and name only what exists, legal or not."""
        return self.game.is_complete(self.state, items)

    def is_in_notation(self, text: str) -> bool:
        """Whether the grammar reads all of `text`, and it is complete, legal or not."""
        items = self.parse(text)
        return items is not None and self.is_complete(items)

    def is_order(self, line: str) -> bool:
        """Whether a line is orders from its first word to its last. Most others fail by their first word alone."""
        may_begin = line_start(self.game.grammar.parent).match(line.lstrip(" -*•")) is not None
        return may_begin and self.is_in_notation(line)

    def is_attempt(self, line: str, items: Sequence[Any]) -> bool:
        """Whether a line, of which `items` could be read, is meant as orders."""
        return self.game.is_attempt(self.state, line, items)

    def names_in(self, text: str) -> tuple[str, ...]:
        """Words of `text` that name what orders are about, such as areas or cards."""
        return self.game.names_in(self.state, text)

    def names_within(self, text: str) -> tuple[str, ...]:
        """The same for text inside a sentence, where even the first word may be a name of one letter."""
        return self.game.names_in(self.state, f"x {text}")

    def is_about(self, text: str) -> bool:
        """Whether text in small letters has a word that only orders have, such as a verb of the game's."""
        return self.game.is_about(self.state, text)


@dataclass(frozen=True, slots=True)
class Standpoint(Situation[State]):
    """A seat in a situation, for which a letter is read."""

    seat: Seat

    def interpret(self, items: Sequence[Any]) -> Interpretation[Any]:
        """The seat's items as orders, or every mistake in them at once."""
        return self.game.interpret(self.state, self.seat, items)

    def suggestion(self, text: str) -> Suggestion:
        """The orders in everyday sentences, where the game finds any."""
        suggesting = _suggesting(self.game)
        return suggesting.suggestion(self.state, self.seat, text) if suggesting else Suggestion()


AnySituation: TypeAlias = Situation[Any]
AnyStandpoint: TypeAlias = Standpoint[Any]


@cache
def _suggesting(game: AnyGame) -> SuggestsOrders | None:
    """The game as one that finds orders in everyday sentences, else None. Kept because the check is slow."""
    return game if isinstance(game, SuggestsOrders) else None
