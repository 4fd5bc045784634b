"""What only some games have: a small protocol each."""

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
    """A cell of a board that is laid out as a table: its lines, how many columns it takes, and its frame: "box",
    "round", "link" for the narrow ones between others, or "" for none."""

    lines: Picture = ()
    frame: str = ""
    columns: int = 1


Grid = tuple[tuple[Cell, ...], ...]
"""The rows of such a table."""


@runtime_checkable
class Tabled(Protocol[Given_contra]):
    """A game whose board fits on a telephone as a table: HTML letters show that in place of the picture."""

    def cells(self, view: Given_contra, since: Given_contra | None = None, /, *, say: Say = ENGLISH) -> Grid:
        """All that `picture` says, legend included, for a screen 45 characters wide."""


LEVELS = range(1, 6)
"""How strong a computer opponent can be, from who has just learned the rules."""


class Thought(NamedTuple):
    """Orders that a computer opponent has come to, and its outlook: which share of the win it expects, from 0 to 1."""

    orders: Any
    outlook: float


@runtime_checkable
class Bot(Protocol[Given_contra, Made_co]):
    """A game with a computer opponent. It knows what its seat may see, and the same view and chance make it think the
    same."""

    demonstrated: tuple[Mapping[str, Any], ...] = ({},)
    """The options of the matches that `pbem demo` shows or lets play, one after the other."""

    def choose(self, view: Given_contra, seat: Seat, /) -> Made_co:
        """Legal orders for a seat without much thought, always the same for the same view."""

    def think(self, view: Given_contra, seat: Seat, level: int, chance: Chance, /) -> Iterator[Thought]:
        """Legal orders of a level for a seat that is awaited, better from one thought to the next: the first comes at
        once, and whoever asks decides how long to go on; it ends when the level has nothing to add."""
        yield Thought(self.choose(view, seat), self.outlook(view, seat))

    def outlook(self, view: Given_contra, seat: Seat, /) -> float:
        """How a position stands for a seat, as the share of the win that equals would have from here, from 0 to 1."""
        return 0.5

    def weigh(
        self, view: Given_contra, seat: Seat, orders: Sequence[Any], level: int, chance: Chance, /
    ) -> Sequence[float]:
        """What outlook each of some legal orders of a seat leads to where all others do what a level thinks best."""
        return [self.outlook(view, seat)] * len(orders)


@runtime_checkable
class Boarded(Protocol):
    """A game with boards that can be looked at outside a match: `pbem board`. "" names the usual one."""

    def describe_board(self, name: str, /) -> str:
        """A board in lines of text. Raises GameError."""

    def board_data(self, name: str, /) -> dict[str, Any]:
        """A board as plain data. Raises GameError."""


@runtime_checkable
class Carded(Protocol):
    """A game whose cards stand in files, of which a desk may have its own: `pbem cards`."""

    def describe_cards(self, name: str, /) -> str:
        """What is in a file of cards, shipped or of a path, in lines. Raises GameError, every problem a line."""


@runtime_checkable
class Mapped(Protocol):
    """A game whose map and counters stand in the files of a folder, of which a desk may have its own: `pbem data`."""

    def describe_data(self, name: str, /) -> str:
        """What is in a folder, shipped or of a path, in lines. Raises GameError, every problem a line."""


@runtime_checkable
class Positioned(Protocol[Made_co]):
    """A game whose positions people write in a line: `pbem check --position`."""

    def parse_position(self, options: Mapping[str, Any], text: str, /) -> Made_co:
        """The state, turn included, that such a line describes in a match with these options. Raises GameError."""


class QuestionError(GameError):
    """A question with keys or options that a game does not know; any other GameError is about the position."""


@runtime_checkable
class Adjudicable(Protocol[State]):
    """A game whose turns other programs ask for, a JSON object each: `pbem adjudicate`.

    For a game with chance a question may have `chance`, a list of values, or `seed` and `deck_seed`. One that asks `as`
    a seat, or as "public", of a game that hides something is answered with `view` in place of `state`.
    """

    def read_question(self, question: Mapping[str, Any], /) -> tuple[State, tuple[Seat, ...]]:
        """The state that a question is about, and its seats. Raises GameError, for all that is wrong with it."""

    def heard(self, state: State, /) -> frozenset[Seat] | None:
        """Whose orders are looked at at all; None: everybody's, who may have standing orders to give, too."""
        return None

    def answered(self, state: State, /) -> dict[str, Any]:
        """What an answer says of the state after the turn, beside `id`, `winner` and `events`."""

    def titles(self, before: State, after: State, /) -> tuple[str, str]:
        """What stands above the turn in a report, and above the board after it."""


@runtime_checkable
class Begun(Protocol[State]):
    """A game of which other programs may ask for the beginning of a match, too: `new` in place of a position."""

    def begun(self, options: Mapping[str, Any], chance: Chance, /) -> tuple[Ruling[State], tuple[Seat, ...]]:
        """The first state, what happened at the set-up, and the seats. Raises QuestionError for what cannot be."""


@runtime_checkable
class Opens(Protocol[State]):
    """A game at whose set-up chance decides what its players are told: who begins, what is dealt."""

    def opening(self, start: State, chance: Chance, /) -> Ruling[State]:
        """The set-up of a match that began from a state, with other chance or the same; `Game.story` tells its events.
        It reads no files that may have changed since."""


def opening_of(game: AnyGame, start: Any, secret: str) -> tuple[Event, ...]:
    """What happened when a match was set up, by the secret of its shuffles; nothing of a game that tells nothing of it,
    and where that secret leads to another beginning."""
    if not isinstance(game, Opens) or not secret:
        return ()
    ruling: Ruling[Any] = game.opening(start, set_up_chance(secret))
    return ruling.events if ruling.state == start else ()


@runtime_checkable
class Decked(Protocol[State]):
    """A game with decks, in an order that nobody may know: what is drawn of one shows it."""

    def decks(self, state: State, /) -> Mapping[str, tuple[str, ...]]:
        """What lies in each deck, from the top."""

    def with_decks(self, state: State, decks: Mapping[str, tuple[str, ...]], /) -> State:
        """A state with these decks in place of its own."""


Decks = Mapping[str, tuple[str, ...]]
"""What lies in each deck of a game, from the top."""


def decks_of(game: AnyGame, state: Any) -> Decks:
    """The decks of a state; none of a game without."""
    return game.decks(state) if isinstance(game, Decked) else {}


def reshuffled(game: AnyGame, state: Any, since: Iterable[Decks], chance: Chance) -> Any:
    """The state with each deck shuffled anew of which something was drawn until it was as `since` then: whoever has
    drawn would know what comes. What was only laid under a deck shows nothing of it."""
    decks = decks_of(game, state)
    drawn = {name for then in since for name, deck in decks.items() if then[name][: len(deck)] != deck}
    if not (drawn and isinstance(game, Decked)):
        return state
    return game.with_decks(
        state, {name: shuffled(decks[name], chance) if name in drawn else decks[name] for name in sorted(decks)}
    )


@runtime_checkable
class Unseals(Protocol[Given_contra]):
    """A game that tells orders of some turns later than their report."""

    def unseals(self, before: Given_contra, after: Given_contra, /) -> bool:
        """Whether with this turn `redact_orders` tells orders of earlier turns that it did not tell before."""


@runtime_checkable
class Demonstrated(Protocol):
    """A game that `pbem demo` shows."""

    demonstration: tuple[tuple[tuple[Seat, str], ...], ...]
    """What the seats write in a short game, run by run."""


@runtime_checkable
class KeepsStandingOrders(Protocol):
    """A game with standing orders: a second list of a seat's, in force until it says otherwise."""

    def with_standing(self, before: str, lines: tuple[str, ...], /) -> str:
        """The whole list in canonical form after lines have come to it, of which the last for one thing holds."""

    def joined(self, state: Any, seat: Seat, orders: Any | None, standing: str, /) -> Any | None:
        """A seat's orders with what its standing ones add, also where it has missed the turn; None: nothing."""

    def paraphrase_standing(self, view: Any, standing: str, /, *, say: Say = ENGLISH) -> str:
        """The whole list in plain words, as receipts say it; "" where its canonical form is plain enough."""
        return ""


@runtime_checkable
class NamesRounds(Protocol):
    """A game of which a turn takes several rounds of letters: each is a turn to the service, and has a name."""

    def round_name(self, state: Any, /) -> str:
        """What the round that a state waits for is called, such as "B3.Q4.2": a word for letters, commands, records."""

    def goes_on(self, state: Any, /) -> bool:
        """Whether the state stands within a turn of the game, which goes on with this round."""

    def turn_of(self, state: Any, /) -> int:
        """The turn of the game that a state stands in, as players count: they write `turn 6: ...`."""

    def turn_name(self, state: Any, turn: int, /) -> str:
        """What the round is called with which a turn of the game begins, such as "T6"."""

    def seen_by(self, view: Any, seat: Seat | None, /) -> Any:
        """A view as its picture is shown to a seat, such as the map to who waits while others fight on a board."""

    def board_name(self, view: Any, /) -> Sentence:
        """Where this round is played, as the subject of a sentence, in place of `Phrases.board`."""


# What a game is more than the least is asked for every letter, and Python takes its time to tell: it is asked once.


@cache
def tabled(game: AnyGame) -> Tabled[Any] | None:
    """A game as one that has its map as a table; None if it has none."""
    return game if isinstance(game, Tabled) else None


@cache
def unseals(game: AnyGame) -> Unseals[Any] | None:
    """A game as one that tells some orders later; None if it tells all at once."""
    return game if isinstance(game, Unseals) else None


ROUND = r"[a-z][1-9]\d{0,5}(?:\.[a-z][a-z\d]{1,2})?(?:\.\d{1,3})?"
"""How the names of rounds look, such as `T3`, `B3.Q4.2` or `B2`: a pattern."""


def is_called(name: str, text: str) -> bool:
    """Whether somebody means the round of a name; `B3.2` is short for `B3.Q4.2`, and was its name before."""
    name = caseless(name)
    return caseless(text) in (name, re.sub(r"\.\w+\.", ".", name))


@cache
def names_rounds(game: AnyGame) -> NamesRounds | None:
    """A game as one that names its rounds; None if their numbers say all."""
    return game if isinstance(game, NamesRounds) else None


def round_name(game: AnyGame, state: Any, number: int) -> str:
    """What a round is called, which is the service's turn of this number."""
    named = names_rounds(game)
    return named.round_name(state) if named else str(number)


def within_turn(game: AnyGame, state: Any) -> bool:
    """Whether a state stands within a turn of the game, which has begun in an earlier round."""
    named = names_rounds(game)
    return named is not None and named.goes_on(state)


def turn_of(game: AnyGame, state: Any, number: int) -> int:
    """The turn of the game that stands at the service's turn of this number."""
    named = names_rounds(game)
    return named.turn_of(state) if named else number


def turn_name(game: AnyGame, state: Any, turn: int) -> str:
    """What a turn of the game is called."""
    named = names_rounds(game)
    return named.turn_name(state, turn) if named else str(turn)


class Lookup(NamedTuple):
    """A word with which letters consult a game: a line of it, for example, and what the answer tells."""

    usage: Sentence
    help: Sentence


@runtime_checkable
class Consulted(Protocol):
    """A game that answers lines such as `card Bao` about its own things."""

    lookups: Mapping[str, Lookup]
    """By the English word; all its spellings, this one too, stand in the table `lookups` of the game's `words/`."""

    def look_up(self, view: Any, word: str, name: str, /, *, say: Say = ENGLISH) -> tuple[Paragraph, ...] | None:
        """What there is to tell of a thing to whom a view is for, "" if no name stands behind the word. Of a name that
        there is not, which ones are near; None for what is no name at all, so that the line is a remark as any other:
        this has to be the same for every view."""


@runtime_checkable
class Written(Protocol):
    """A game whose orders have a notation in more than one language."""

    def written(self, state: Any, orders: str, /, *, say: Say = ENGLISH) -> str:
        """Orders in canonical form as a reader writes them in his language; the order reader makes the same of both."""


@runtime_checkable
class Answers(Protocol):
    """A game that answers questions about its own things, such as `who holds Mu?`.

    Their wordings stand in the table `questions` of its `words/`, by kind: regular expressions with `...` for a gap.
    """

    def asked_about(self, state: Any, kind: str, gaps: Sequence[str], /) -> tuple[str, ...] | None:
        """The things that the gaps of a question name, as orders name them; None if they make no sense in it."""

    def answer(
        self, view: Any, seat: Seat, kind: str, names: Sequence[str], /, *, say: Say = ENGLISH
    ) -> tuple[str, ...]:
        """The answer to a seat by what it may see: sentences, a paragraph each."""


@runtime_checkable
class Supposing(Protocol[State]):
    """A game in which nothing hangs on chance, and no orders on what is hidden: what would happen can be told."""

    def supposed(self, state: State, orders: Mapping[Seat, Any], /) -> Ruling[State]:
        """The turn played from some orders; whoever is not among them does nothing."""


class Suggestion(NamedTuple):
    """What a text in everyday words orders, in canonical form, "" if that is not one thing, and whether that is sure;
    what it would be and is not legal; and what is understood of it else."""

    orders: str = ""
    sure: bool = False
    illegal: str = ""
    understood: tuple[Sentence, ...] = ()


@runtime_checkable
class Suggests(Protocol):
    """A game that finds orders in what no grammar reads; never that nothing is done."""

    def suggestion(self, state: Any, seat: Seat, text: str, /) -> Suggestion:
        """What a text orders: sure where two independent readers agree on it."""


@cache
def can_be_analysed(game: AnyGame) -> bool:
    """Whether there is a program that has an opinion of a game's positions."""
    return isinstance(game, Bot)


@cache
def written_by(game: AnyGame) -> Written | None:
    """A game as one with more than one notation; None if it has one."""
    return game if isinstance(game, Written) else None
