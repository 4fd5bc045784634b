"""The context in which text is read: a game in one of its states, and possibly a seat.

Functions that read text take a `Situation` or a `Standpoint` instead of a game and a state, so that a state cannot be
combined with the rules of another game.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeAlias

from pbem.games.base import AnyGame, Game, Interpretation, Seat, State
from pbem.games.capabilities import Heard, HearsOrders, RevisesOrders, Revision, Suggestion, SuggestsOrders
from pbem.orders.constraint import constraint
from pbem.orders.grammar import Grammar, build_grammar, line_start


@dataclass(frozen=True, slots=True)
class Situation(Generic[State]):
    """A game in one of its states."""

    game: Game[State, Any]
    state: State

    def standpoint(self, seat: Seat) -> "Standpoint[State]":
        """Return this situation as seen from `seat`."""
        return Standpoint(self.game, self.state, seat)

    @property
    def grammar(self) -> Grammar:
        """The game's grammar for the material in use, such as a set of cards. Grammars are cached."""
        return build_grammar(self.game, self.game.terminals(self.state), self.game.speller(self.state))

    @property
    def constraint(self) -> str:
        """The grammar in the form that llguidance reads, for language models."""
        game, state = self.game, self.state
        own, written = (dict(one) for one in (game.terminals(state), game.written(state)))
        return constraint(self.grammar.lark, {own[name]: words for name, words in written.items()})

    @property
    def suggests(self) -> bool:
        """Whether the game recognises orders in everyday sentences."""
        return _suggesting(self.game) is not None

    @property
    def hears(self) -> bool:
        """Whether the game can hear orders, that is, recognise them in a whole letter of everyday words."""
        return _hearing(self.game) is not None

    @property
    def revises(self) -> bool:
        """Whether the game puts orders into the sequence in which they can be played."""
        return _revising(self.game) is not None

    def parse(self, text: str) -> Sequence[Any] | None:
        """Return the items of the order list in `text`; None if `text` is not an order list."""
        items: Sequence[Any] | None = self.grammar.parse(text)
        return items

    def is_complete(self, items: Sequence[Any]) -> bool:
        """Return whether `items` contain everything that orders need, and name only things that exist. The orders need
        not be legal."""
        return self.game.is_complete(self.state, items)

    def is_in_notation(self, text: str) -> bool:
        """Return whether the grammar accepts the whole `text`, and the items in it are complete. The orders need not be
        legal."""
        items = self.parse(text)
        return items is not None and self.is_complete(items)

    def is_order(self, line: str) -> bool:
        """Return whether `line` consists only of orders. Most other lines are ruled out by their first word alone."""
        may_begin = line_start(self.game.grammar.parent).match(line.lstrip(" -*•")) is not None
        return may_begin and self.is_in_notation(line)

    def is_attempt(self, line: str, items: Sequence[Any]) -> bool:
        """Return whether `line` was meant as orders, given that `items` are all that could be read in it."""
        return self.game.is_attempt(self.state, line, items)

    def names_in(self, text: str) -> tuple[str, ...]:
        """Return the words of `text` that name things that orders are about, such as areas or cards."""
        return self.game.names_in(self.state, text)

    def names_within(self, text: str) -> tuple[str, ...]:
        """Return the names in `text`, as `names_in` does, for a text from the middle of a sentence. There, even the
        first word may be a name of one letter."""
        return self.game.names_in(self.state, f"x {text}")

    def is_about(self, text: str) -> bool:
        """Return whether `text`, in lower case, contains a word that occurs only in orders, such as a verb of the
        game."""
        return self.game.is_about(self.state, text)


@dataclass(frozen=True, slots=True)
class Standpoint(Situation[State]):
    """A situation with the seat for which a letter is read."""

    seat: Seat

    def interpret(self, items: Sequence[Any]) -> Interpretation[Any]:
        """Turn the items that the seat wrote into orders, or report every mistake in them at once."""
        return self.game.interpret(self.state, self.seat, items)

    def revised(self, orders: Any) -> Revision:
        """Return `orders` in the form in which they can be played, with the faults about which the writer should be
        asked."""
        revising = _revising(self.game)
        return revising.revised(self.state, self.seat, orders) if revising else Revision(orders)

    def suggestion(self, text: str) -> Suggestion:
        """Return the orders that the game finds in `text`, which is in everyday sentences; an empty suggestion if the
        game cannot find any in such text."""
        suggesting = _suggesting(self.game)
        return suggesting.suggestion(self.state, self.seat, text) if suggesting else Suggestion()

    def hear(self, text: str) -> Heard:
        """Return the orders that the game may hear in `text`, a whole letter; none if the game cannot hear orders."""
        hearing = _hearing(self.game)
        return hearing.hear(self.state, self.seat, text) if hearing else Heard()

    def talk(self, text: str) -> float:
        """Return the probability that `text` only talks about the game and orders nothing; 1 if the game cannot hear
        orders."""
        hearing = _hearing(self.game)
        return hearing.talk(self.state, self.seat, text) if hearing else 1.0


AnySituation: TypeAlias = Situation[Any]
AnyStandpoint: TypeAlias = Standpoint[Any]


@cache
def _suggesting(game: AnyGame) -> SuggestsOrders | None:
    """Return the game if it recognises orders in everyday sentences, otherwise None. Cached because the check is
    slow."""
    return game if isinstance(game, SuggestsOrders) else None


@cache
def _hearing(game: AnyGame) -> HearsOrders | None:
    """Return the game if it can hear orders in whole letters, otherwise None."""
    return game if isinstance(game, HearsOrders) else None


@cache
def _revising(game: AnyGame) -> RevisesOrders | None:
    """Return the game if it revises orders, otherwise None."""
    return game if isinstance(game, RevisesOrders) else None
