"""Optional capabilities of games, each a small protocol."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from pbem import ENGLISH, Say, Sentence
from pbem.games.base import AnyGame, Event, GameError, Paragraph, Picture, Ruling, Seat, State
from pbem.games.chance import Chance, set_up_chance, shuffled
from pbem.games.spelling import caseless

Given_contra = TypeVar("Given_contra", contravariant=True)
Made_co = TypeVar("Made_co", covariant=True)


class Cell(NamedTuple):
    """A cell of a board laid out as a table: its lines, the number of columns that it spans, and its frame: "box",
    "round", "link" for the narrow cells between others, or "" for none."""

    lines: Picture = ()
    frame: str = ""
    columns: int = 1


Grid = tuple[tuple[Cell, ...], ...]
"""The rows of a board laid out as a table."""


@runtime_checkable
class HasGrid(Protocol[Given_contra]):
    """A game whose board fits on a phone as a table, which HTML letters show in place of the picture."""

    def cells(self, view: Given_contra, since: Given_contra | None = None, /, *, say: Say = ENGLISH) -> Grid:
        """Lay out everything that `picture` shows, legend included, for a screen 45 characters wide."""


LEVELS = range(1, 6)
"""The strengths of computer opponents; the weakest plays like someone who has just learned the rules."""


class Thought(NamedTuple):
    """Orders found by a computer opponent, and the share of the win that it expects from them, from 0 to 1."""

    orders: Any
    win_share: float


@runtime_checkable
class Bot(Protocol[Given_contra, Made_co]):
    """A game with a computer opponent. It knows only what its seat may see, and depends on nothing but the view and
    chance."""

    demonstrated: tuple[Mapping[str, Any], ...] = ({},)
    """The options of the matches that `pbem demo` shows or lets people play, in this order."""

    def choose(self, view: Given_contra, seat: Seat, /) -> Made_co:
        """Choose legal orders for a seat without much thought, always the same ones for the same view."""

    def think(self, view: Given_contra, seat: Seat, level: int, chance: Chance, /) -> Iterator[Thought]:
        """Yield legal orders for an awaited seat at the given level, each better than the one before. The first comes
        at once, the caller decides how long to continue, and the iterator ends when the level has nothing to add."""
        yield Thought(self.choose(view, seat), self.win_share(view, seat))

    def win_share(self, view: Given_contra, seat: Seat, /) -> float:
        """Estimate how good a position is for a seat: the share of the win, from 0 to 1, that it would get from here if
        all players were equally strong."""
        return 0.5

    def weigh(
        self, view: Given_contra, seat: Seat, orders: Sequence[Any], level: int, chance: Chance, /
    ) -> Sequence[float]:
        """Estimate the share of the win to which each of the given legal orders of a seat leads, if all others do what
        the level thinks best."""
        return [self.win_share(view, seat)] * len(orders)


@runtime_checkable
class HasBoards(Protocol):
    """A game with boards that can be looked at outside a match, with `pbem board`. "" names the default one."""

    def describe_board(self, name: str, /) -> str:
        """Describe a board in lines of text. Raises GameError."""

    def board_data(self, name: str, /) -> dict[str, Any]:
        """Return a board as plain data. Raises GameError."""


@runtime_checkable
class HasCardFiles(Protocol):
    """A game whose cards are stored in files, which `pbem cards` describes; a desk may add its own."""

    def describe_cards(self, name: str, /) -> str:
        """Describe a file of cards, shipped or given by its path, in lines of text. Raises GameError with one problem
        per line."""


@runtime_checkable
class HasDataFolders(Protocol):
    """A game whose map and counters are stored in a folder of files, which `pbem data` describes; a desk may add its
    own."""

    def describe_data(self, name: str, /) -> str:
        """Describe a folder of data, shipped or given by its path, in lines of text. Raises GameError with one problem
        per line."""


@runtime_checkable
class ParsesPositions(Protocol[Made_co]):
    """A game with a one-line notation for positions, which `pbem check --position` reads."""

    def parse_position(self, options: Mapping[str, Any], text: str, /) -> Made_co:
        """Parse a position in this notation, turn number included, for a match with these options. Raises GameError."""


class QuestionError(GameError):
    """A question with keys or options that the game does not know; any other GameError concerns the position."""


@runtime_checkable
class Adjudicable(Protocol[State]):
    """A game whose turns `pbem adjudicate` can adjudicate for other programs, with one JSON object per turn.

    For a game with chance, a question may have `chance`, a list of values, or `seed` and `deck_seed`. If the game hides
    something and the question asks `as` a seat or as "public", the answer has `view` in place of `state`.
    """

    def read_question(self, question: Mapping[str, Any], /) -> tuple[State, tuple[Seat, ...]]:
        """Read the state that a question is about, and its seats. Raises GameError with everything that is wrong with
        it."""

    def accepts_orders_from(self, state: State, /) -> frozenset[Seat] | None:
        """Return the seats whose orders are read at all; None means all seats, because they may give standing
        orders."""
        return None

    def answered(self, state: State, /) -> dict[str, Any]:
        """Return the fields of the answer that describe the state after the turn, apart from `id`, `winner` and
        `events`."""

    def titles(self, before: State, after: State, /) -> tuple[str, str]:
        """Return the headings of a report: the one above the turn, and the one above the board after it."""


@runtime_checkable
class AdjudicatesSetUp(Protocol[State]):
    """A game whose set-up can also be adjudicated for other programs: the question has `new` in place of a position."""

    def adjudicate_set_up(
        self, options: Mapping[str, Any], chance: Chance, /
    ) -> tuple[Ruling[State], tuple[Seat, ...]]:
        """Set up a match: the first state, the events of the set-up, and the seats. Raises QuestionError for impossible
        options."""


@runtime_checkable
class HasOpening(Protocol[State]):
    """A game whose set-up involves chance and is reported to the players, for example who begins or which cards are
    dealt."""

    def opening(self, start: State, chance: Chance, /) -> Ruling[State]:
        """Repeat the set-up of a match that began in a state, with the same or other chance; `Game.story` describes its
        events. This reads no files, because they may have changed since."""


def opening_of(game: AnyGame, start: Any, secret: str) -> tuple[Event, ...]:
    """Return the events of a match's set-up, recomputed from the secret of its shuffles. Empty if the game reports
    nothing about its set-up, or if the secret does not lead to this start."""
    if not isinstance(game, HasOpening) or not secret:
        return ()
    ruling: Ruling[Any] = game.opening(start, set_up_chance(secret))
    return ruling.events if ruling.state == start else ()


@runtime_checkable
class HasDecks(Protocol[State]):
    """A game with decks whose order is secret; drawing a card reveals part of it."""

    def decks(self, state: State, /) -> Mapping[str, tuple[str, ...]]:
        """Return the contents of each deck, from the top."""

    def with_decks(self, state: State, decks: Mapping[str, tuple[str, ...]], /) -> State:
        """Return a state with these decks in place of its own."""


Decks = Mapping[str, tuple[str, ...]]
"""The contents of each deck of a game, from the top."""


def decks_of(game: AnyGame, state: Any) -> Decks:
    """Return the decks of a state; empty for a game without decks."""
    return game.decks(state) if isinstance(game, HasDecks) else {}


def reshuffled(game: AnyGame, state: Any, since: Iterable[Decks], chance: Chance) -> Any:
    """Shuffle each deck from which anything has been drawn since one of the earlier moments in `since`, because whoever
    drew would know what comes next. Cards put under a deck reveal nothing about its order."""
    decks = decks_of(game, state)
    drawn = {name for then in since for name, deck in decks.items() if then[name][: len(deck)] != deck}
    if not (drawn and isinstance(game, HasDecks)):
        return state
    return game.with_decks(
        state, {name: shuffled(decks[name], chance) if name in drawn else decks[name] for name in sorted(decks)}
    )


@runtime_checkable
class DealsAnew(Protocol[State]):
    """A game with hidden things that were dealt by chance, such as hands and decks, all of which can be dealt again."""

    def dealt_anew(self, state: State, chance: Chance, /) -> State:
        """Deal everything hidden again, giving each place as many things as it had before."""


def dealt_anew(game: AnyGame, state: Any, chance: Chance) -> Any:
    """Deal everything hidden in a state again, because people have seen it."""
    return game.dealt_anew(state, chance) if isinstance(game, DealsAnew) else state


@runtime_checkable
class Unseals(Protocol[Given_contra]):
    """A game that reveals some orders later than the report of their turn."""

    def unseals(self, before: Given_contra, after: Given_contra, /) -> bool:
        """Return whether from this turn on `redact_orders` reveals orders of earlier turns that it hid before."""


@runtime_checkable
class HasDemonstration(Protocol):
    """A game that `pbem demo` can show."""

    demonstration: tuple[tuple[tuple[Seat, str], ...], ...]
    """The letters that the seats send in a short game, grouped by the run of the desk that handles them."""


@runtime_checkable
class KeepsStandingOrders(Protocol):
    """A game with standing orders: a second list of orders of a seat, in force until the seat changes it."""

    def with_standing(self, before: str, lines: tuple[str, ...], /) -> str:
        """Add lines to the list and return all of it in canonical form. If several lines are about the same thing, the
        last one counts."""

    def joined(self, state: Any, seat: Seat, orders: Any | None, standing: str, /) -> Any | None:
        """Merge the standing orders into a seat's orders, even if the seat has missed the turn; None if there are no
        orders at all."""

    def paraphrase_standing(self, view: Any, standing: str, /, *, say: Say = ENGLISH) -> str:
        """Put the whole list into plain words for a receipt; "" where its canonical form is plain enough."""
        return ""


@runtime_checkable
class NamesRounds(Protocol):
    """A game in which one turn takes several rounds of letters. The service treats each round as a turn; the game gives
    it a name."""

    def round_name(self, state: Any, /) -> str:
        """Return the name of the round that a state waits for, such as "B3.Q4.2": a single word, used in letters,
        commands and records."""

    def goes_on(self, state: Any, /) -> bool:
        """Return whether this round continues a turn of the game that has already begun."""

    def turn_of(self, state: Any, /) -> int:
        """Return the turn of the game that a state belongs to, as players count turns: they write `turn 6: ...`."""

    def turn_name(self, state: Any, turn: int, /) -> str:
        """Return the name of the round that begins a turn of the game, such as "T6"."""

    def seen_by(self, view: Any, seat: Seat | None, /) -> Any:
        """Adapt a view to a seat for its picture: for example, a seat that waits while others fight on a board sees the
        map."""

    def board_name(self, view: Any, /) -> Sentence:
        """Return the place where this round is played, as the subject of a sentence, instead of `Phrases.board`."""


# isinstance() on these protocols is slow and needed for every letter, so the answers are cached.


@cache
def as_grid_game(game: AnyGame) -> HasGrid[Any] | None:
    """Return the game if its map can be shown as a table, otherwise None."""
    return game if isinstance(game, HasGrid) else None


@cache
def unseals(game: AnyGame) -> Unseals[Any] | None:
    """Return the game if it reveals some orders later, otherwise None."""
    return game if isinstance(game, Unseals) else None


ROUND = r"[a-z][1-9]\d{0,5}(?:\.[a-z][a-z\d]{1,2}(?:\.[1-9]\d{0,2}(?=\.\d))?)?(?:\.\d{1,3})?"
"""A pattern for the names of rounds, such as `T3`, `B3.Q4.2`, `B3.Q4.2.1` or `B2`."""


def means_round(name: str, text: str) -> bool:
    """Return whether a text means the round called `name`. `B3.2` is short for `B3.Q4.2` and for `B3.Q4.2.2`, which
    used to be called that."""
    name = caseless(name)
    return caseless(text) in (name, re.sub(r"\.[a-z].*\.", ".", name))


@cache
def names_rounds(game: AnyGame) -> NamesRounds | None:
    """Return the game if it names its rounds, otherwise None."""
    return game if isinstance(game, NamesRounds) else None


def round_name(game: AnyGame, state: Any, number: int) -> str:
    """Return the name of the round that the service counts as turn `number`."""
    named = names_rounds(game)
    return named.round_name(state) if named else str(number)


def within_turn(game: AnyGame, state: Any) -> bool:
    """Return whether a state continues a turn of the game that began in an earlier round."""
    named = names_rounds(game)
    return named is not None and named.goes_on(state)


def turn_of(game: AnyGame, state: Any, number: int) -> int:
    """Return the turn of the game in which the service's turn `number` is played."""
    named = names_rounds(game)
    return named.turn_of(state) if named else number


def turn_name(game: AnyGame, state: Any, turn: int) -> str:
    """Return the name of a turn of the game."""
    named = names_rounds(game)
    return named.turn_name(state, turn) if named else str(turn)


class Lookup(NamedTuple):
    """The description of a word for looking things up: an example of a line with it, and what the answer contains."""

    usage: Sentence
    help: Sentence


@runtime_checkable
class AnswersLookups(Protocol):
    """A game that answers lines such as `card Bao` about its own things."""

    lookups: Mapping[str, Lookup]
    """The look-ups by English word. All spellings of these words, English ones included, are in the table `lookups` of
    the game's `words/`."""

    def look_up(self, view: Any, word: str, name: str, /, *, say: Say = ENGLISH) -> tuple[Paragraph, ...] | None:
        """Describe the thing called `name` to the reader of a view; `name` is "" if the word stands alone. For an
        unknown name, suggest similar ones. Return None if it is not a name at all, so that the line counts as an
        ordinary remark; this must not depend on the view."""


@runtime_checkable
class TranslatesOrders(Protocol):
    """A game whose orders have notations in more than one language."""

    def translate_orders(self, state: Any, orders: str, /, *, say: Say = ENGLISH) -> str:
        """Write orders given in canonical form in the reader's language; the order reader understands both alike."""


class Revision(NamedTuple):
    """Orders as they can be played, None if nothing is left of them, and the lines that cannot be played as written, in
    canonical form, each with the reason."""

    orders: Any | None
    faults: tuple[tuple[str, Sentence], ...] = ()


@runtime_checkable
class RevisesOrders(Protocol):
    """A game in which a line of orders may have no effect, or stand in a place where it cannot be played."""

    def revised(self, state: Any, seat: Seat, orders: Any, /) -> Revision:
        """Put the orders of a letter into the sequence in which they can be played, and leave out those certain to have
        no effect. A difference that the writer may not intend is a fault, and is asked about."""


@runtime_checkable
class AnswersQuestions(Protocol):
    """A game that answers questions about its own things, such as `who holds Mu?`.

    The wordings are in the table `questions` of its `words/`, by kind: regular expressions with `...` for a gap.
    """

    def asked_about(self, state: Any, kind: str, gaps: Sequence[str], /) -> tuple[str, ...] | None:
        """Return the things named in the gaps of a question, as orders name them; None if they make no sense there."""

    def answer(
        self, view: Any, seat: Seat, kind: str, names: Sequence[str], /, *, say: Say = ENGLISH
    ) -> tuple[str, ...]:
        """Answer a seat's question from what the seat may see, with one sentence per paragraph."""


@runtime_checkable
class Predictable(Protocol[State]):
    """A game whose turns can be predicted: nothing depends on chance, and no orders depend on hidden information."""

    def predicted(self, state: State, orders: Mapping[Seat, Any], /) -> Ruling[State]:
        """Play a turn with the given orders; seats that are missing from them do nothing."""


class Suggestion(NamedTuple):
    """The result of reading a text in everyday words: its orders in canonical form, "" if it is ambiguous; whether they
    are certain; an order that it seems to mean but that is illegal; and anything else that was understood."""

    orders: str = ""
    sure: bool = False
    illegal: str = ""
    understood: tuple[Sentence, ...] = ()


@runtime_checkable
class SuggestsOrders(Protocol):
    """A game that can find orders in text that no grammar reads. It never concludes that a seat wants to do nothing."""

    def suggestion(self, state: Any, seat: Seat, text: str, /) -> Suggestion:
        """Find the orders in a text; they are certain if two independent readers agree on them."""


@cache
def can_be_analysed(game: AnyGame) -> bool:
    """Return whether a game has a program that can judge its positions."""
    return isinstance(game, Bot)


@cache
def as_translator(game: AnyGame) -> TranslatesOrders | None:
    """Return the game if it has notations in several languages, otherwise None."""
    return game if isinstance(game, TranslatesOrders) else None
