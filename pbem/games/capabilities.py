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
    """A cell of a board laid out as a table: its lines; its frame, which is "box", "round", "link" (for the narrow
    cells between others) or "" (no frame); and the number of columns that it spans."""

    lines: Picture = ()
    frame: str = ""
    columns: int = 1


Grid = tuple[tuple[Cell, ...], ...]
"""The rows of a board laid out as a table."""


@runtime_checkable
class HasGrid(Protocol[Given_contra]):
    """A game whose board can be laid out as a table that fits on a phone. HTML letters show this table instead of the
    picture."""

    def cells(self, view: Given_contra, since: Given_contra | None = None, /, *, say: Say = ENGLISH) -> Grid:
        """Lay out everything that `picture` shows, including the legend, as a table for a screen 45 characters wide."""


LEVELS = range(1, 6)
"""The levels of computer opponents, from weak to strong. At level 1, a computer opponent plays like someone who has
just learned the rules."""


class Thought(NamedTuple):
    """Orders found by a computer opponent, and the share of the win that it expects from them, from 0 to 1."""

    orders: Any
    win_share: float


@runtime_checkable
class Bot(Protocol[Given_contra, Made_co]):
    """A game with a computer opponent. The computer opponent knows only what its seat may see, and its orders depend
    only on the view and on chance."""

    demonstrated: tuple[Mapping[str, Any], ...] = ({},)
    """The options of the matches that `pbem demo` shows or lets people play, in this order."""

    def choose(self, view: Given_contra, seat: Seat, /) -> Made_co:
        """Choose legal orders for `seat` without much thought. The same view always leads to the same orders."""

    def think(self, view: Given_contra, seat: Seat, level: int, chance: Chance, /) -> Iterator[Thought]:
        """Yield better and better legal orders for an awaited seat, as found at the given level. The first orders come
        at once. The caller decides how long to continue; the iterator ends when it cannot find better orders at this
        level."""
        yield Thought(self.choose(view, seat), self.win_share(view, seat))

    def win_share(self, view: Given_contra, seat: Seat, /) -> float:
        """Estimate the share of the win, from 0 to 1, that `seat` would get from the position in `view` if all players
        were equally strong."""
        return 0.5

    def weigh(
        self, view: Given_contra, seat: Seat, orders: Sequence[Any], level: int, chance: Chance, /
    ) -> Sequence[float]:
        """Estimate, for each of the given legal orders, the share of the win that `seat` would get with them if all
        other seats played as well as the given level can."""
        return [self.win_share(view, seat)] * len(orders)


@runtime_checkable
class HasBoards(Protocol):
    """A game with boards that people can look at outside a match, with `pbem board`. The name "" means the default
    board."""

    def describe_board(self, name: str, /) -> str:
        """Describe the board called `name` in lines of text. Raises GameError if the board cannot be used."""

    def board_data(self, name: str, /) -> dict[str, Any]:
        """Return the board called `name` as plain data. Raises GameError if the board cannot be used."""


@runtime_checkable
class HasCardFiles(Protocol):
    """A game whose cards are stored in files, which `pbem cards` describes. A desk may add files of its own."""

    def describe_cards(self, name: str, /) -> str:
        """Describe a card file in lines of text. `name` is the name of a shipped file or the path of another file.
        Raises GameError, which lists the problems in the file, one per line."""


@runtime_checkable
class HasDataFolders(Protocol):
    """A game whose map and counters are stored in a folder of files, which `pbem data` describes. A desk may add
    folders of its own."""

    def describe_data(self, name: str, /) -> str:
        """Describe a data folder in lines of text. `name` is the name of a shipped folder or the path of another
        folder. Raises GameError, which lists the problems in the folder, one per line."""


@runtime_checkable
class ParsesPositions(Protocol[Made_co]):
    """A game with a one-line notation for positions, which `pbem check --position` reads."""

    def parse_position(self, options: Mapping[str, Any], text: str, /) -> Made_co:
        """Parse `text`, a position with its turn number, for a match with the given options. Raises GameError if `text`
        is not a valid position."""


class QuestionError(GameError):
    """The error for a question with keys or options that the game does not know. If only the position in a question is
    wrong, a GameError of another class is raised."""


@runtime_checkable
class Adjudicable(Protocol[State]):
    """A game whose turns `pbem adjudicate` can adjudicate for other programs. The question and the answer are JSON
    objects, each of which describes one turn.

    For a game with chance, a question may have `chance`, a list of values, or `seed` and `deck_seed`. If the game hides
    something, a question may have `as`, which is a seat or "public"; the answer then has `view` in place of `state`.
    """

    def read_question(self, question: Mapping[str, Any], /) -> tuple[State, tuple[Seat, ...]]:
        """Return the state that `question` describes, and the seats of the match. Raises GameError, which lists
        everything that is wrong with the question."""

    def accepts_orders_from(self, state: State, /) -> frozenset[Seat] | None:
        """Return the seats whose orders in a question are read. None means that the orders of all seats are read,
        because any seat may give standing orders."""
        return None

    def answered(self, state: State, /) -> dict[str, Any]:
        """Return the fields of an answer that describe `state`, the state after the turn. The fields `id`, `winner` and
        `events` are not among them."""

    def titles(self, before: State, after: State, /) -> tuple[str, str]:
        """Return two headings for a report: the heading above the turn, and the heading above the board after the
        turn."""


@runtime_checkable
class AdjudicatesSetUp(Protocol[State]):
    """A game whose set-up can also be adjudicated for other programs. A question about a set-up has `new` in place of a
    position."""

    def adjudicate_set_up(
        self, options: Mapping[str, Any], chance: Chance, /
    ) -> tuple[Ruling[State], tuple[Seat, ...]]:
        """Set up a match. Return a ruling with the first state and the events of the set-up, and the seats. Raises
        QuestionError for impossible options."""


@runtime_checkable
class HasOpening(Protocol[State]):
    """A game whose set-up involves chance and is reported to the players, for example who begins or which cards are
    dealt."""

    def opening(self, start: State, chance: Chance, /) -> Ruling[State]:
        """Repeat the set-up of a match whose first state was `start`, with `chance`, which need not be the original
        source of chance. `Game.story` describes the events of the result. No files are read, because they may have
        changed since the match began."""


def opening_of(game: AnyGame, start: Any, secret: str) -> tuple[Event, ...]:
    """Return the events of a match's set-up, recomputed from `secret`, the sources of the match's chance. The result is
    empty if the game does not report its set-up, or if `secret` does not lead to the state `start`."""
    if not isinstance(game, HasOpening) or not secret:
        return ()
    ruling: Ruling[Any] = game.opening(start, set_up_chance(secret))
    return ruling.events if ruling.state == start else ()


@runtime_checkable
class HasDecks(Protocol[State]):
    """A game with decks whose order is secret. Drawing a card reveals part of that order."""

    def decks(self, state: State, /) -> Mapping[str, tuple[str, ...]]:
        """Return the contents of each deck, from the top card down, keyed by the name of the deck."""

    def with_decks(self, state: State, decks: Mapping[str, tuple[str, ...]], /) -> State:
        """Return `state` with the given decks in place of its own decks."""


Decks = Mapping[str, tuple[str, ...]]
"""The contents of each deck of a game, from the top card down, keyed by the name of the deck."""


def decks_of(game: AnyGame, state: Any) -> Decks:
    """Return the decks of `state`. The result is empty for a game without decks."""
    return game.decks(state) if isinstance(game, HasDecks) else {}


def reshuffled(game: AnyGame, state: Any, since: Iterable[Decks], chance: Chance) -> Any:
    """Return `state`, to which a match is taken back, with some of its decks shuffled. `since` contains the decks after
    each turn that was taken back.

    A deck is shuffled if cards were drawn from it in one of these turns, because a player who drew them knows what
    comes next. Cards that were put under a deck reveal nothing about its order.
    """
    decks = decks_of(game, state)
    drawn = {name for then in since for name, deck in decks.items() if then[name][: len(deck)] != deck}
    if not (drawn and isinstance(game, HasDecks)):
        return state
    return game.with_decks(
        state, {name: shuffled(decks[name], chance) if name in drawn else decks[name] for name in sorted(decks)}
    )


@runtime_checkable
class DealsAnew(Protocol[State]):
    """A game with hidden things that were dealt at random, such as hands and decks, all of which can be dealt again."""

    def dealt_anew(self, state: State, chance: Chance, /) -> State:
        """Return `state` with everything hidden dealt again. Each hand or deck gets as many things as it had before."""


def dealt_anew(game: AnyGame, state: Any, chance: Chance) -> Any:
    """Return `state` with everything hidden dealt again, because people have seen it. If the game cannot deal again,
    `state` is returned unchanged."""
    return game.dealt_anew(state, chance) if isinstance(game, DealsAnew) else state


@runtime_checkable
class Unseals(Protocol[Given_contra]):
    """A game that reveals some orders later than in the report of the turn in which they were played."""

    def unseals(self, before: Given_contra, after: Given_contra, /) -> bool:
        """Return whether `redact_orders` reveals, in the state `after`, orders of earlier turns that it hid in the
        state `before`."""


@runtime_checkable
class HasDemonstration(Protocol):
    """A game that `pbem demo` can show."""

    demonstration: Mapping[str, tuple[tuple[tuple[Seat, str], ...], ...]]
    """The letters of a short game, keyed by their language, each with the seat that sends it, grouped by the run of the
    desk that handles them."""


@runtime_checkable
class KeepsStandingOrders(Protocol):
    """A game with standing orders. A seat's standing orders are a second list of orders, which remains in force until
    the seat changes it."""

    def with_standing(self, before: str, lines: tuple[str, ...], /) -> str:
        """Add `lines` to the standing orders `before`, and return the resulting list in canonical form. If several
        lines are about the same thing, the last of these lines counts."""

    def joined(self, state: Any, seat: Seat, orders: Any | None, standing: str, /) -> Any | None:
        """Merge the standing orders `standing` into `orders`, the orders of `seat`, which are None if the seat missed
        the turn. Return None if no orders result."""

    def in_force(self, standing: str, /) -> str:
        """Return the standing orders `standing` without those that only cancel others."""
        return standing

    def paraphrase_standing(self, view: Any, standing: str, /, *, say: Say = ENGLISH) -> str:
        """Return the standing orders `standing` in plain words for a receipt; return "" if their canonical form is
        plain enough."""
        return ""


@runtime_checkable
class NamesRounds(Protocol):
    """A game in which one turn takes several rounds of letters. The service treats each round as a turn; the game gives
    each round a name."""

    def round_name(self, state: Any, /) -> str:
        """Return the name of the round that is to be played in `state`, such as "B3.Q4.2". The name is a single word,
        which is used in letters, commands and records."""

    def goes_on(self, state: Any, /) -> bool:
        """Return whether the round that is to be played in `state` continues a turn of the game that began in an
        earlier round."""

    def turn_of(self, state: Any, /) -> int:
        """Return the number of the turn of the game to which `state` belongs, as players count turns when they write
        `turn 6: ...`."""

    def turn_name(self, state: Any, turn: int, /) -> str:
        """Return the name of the round that begins turn `turn` of the game, such as "T6"."""

    def seen_by(self, view: Any, seat: Seat | None, /) -> Any:
        """Return the view from which the picture for `seat` is drawn; a `seat` of None means the public. For example, a
        seat that does not fight in the current battle sees the map instead of the battle."""

    def board_name(self, view: Any, /) -> Sentence:
        """Return the name of the place where the current round is played, as the subject of a sentence. It replaces
        `Phrases.board`."""


# isinstance() on these protocols is slow and needed for every letter, so the answers are cached.


@cache
def as_grid_game(game: AnyGame) -> HasGrid[Any] | None:
    """Return the game if its board can be shown as a table, otherwise None."""
    return game if isinstance(game, HasGrid) else None


@cache
def unseals(game: AnyGame) -> Unseals[Any] | None:
    """Return the game if it reveals some orders later than in the report of their turn, otherwise None."""
    return game if isinstance(game, Unseals) else None


ROUND = r"[a-z][1-9]\d{0,5}(?:\.[a-z][a-z\d]{1,2}(?:\.[1-9]\d{0,2}(?=\.\d))?)?(?:\.\d{1,3})?"
"""A pattern for the names of rounds, such as `T3`, `B3.Q4.2`, `B3.Q4.2.1` or `B2`."""


def means_round(name: str, text: str) -> bool:
    """Return whether `text` means the round called `name`. `B3.2` is short for the round `B3.Q4.2`, and also for the
    round `B3.Q4.2.2`, whose name used to be `B3.2`."""
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
    """Return whether `state` continues a turn of the game that began in an earlier round."""
    named = names_rounds(game)
    return named is not None and named.goes_on(state)


def turn_of(game: AnyGame, state: Any, number: int) -> int:
    """Return the number of the turn of the game in which the service's turn `number` is played."""
    named = names_rounds(game)
    return named.turn_of(state) if named else number


def turn_name(game: AnyGame, state: Any, turn: int) -> str:
    """Return the name of turn `turn` of the game."""
    named = names_rounds(game)
    return named.turn_name(state, turn) if named else str(turn)


class Lookup(NamedTuple):
    """The help text for a word that looks something up: an example of a line with the word, and a description of the
    answer."""

    usage: Sentence
    help: Sentence


@runtime_checkable
class AnswersLookups(Protocol):
    """A game that answers lines such as `card Bao` about its own things."""

    lookups: Mapping[str, Lookup]
    """The look-ups, keyed by English word. The table `lookups` in the game's `words/` contains all spellings of these
    words, including the English ones."""

    def look_up(self, view: Any, word: str, name: str, /, *, say: Say = ENGLISH) -> tuple[Paragraph, ...] | None:
        """Describe the thing called `name` for the reader of `view`; `name` is "" if `word` is alone on its line. For
        an unknown name, suggest similar names.

        Returns None if `name` does not look like a name, so that the line counts as an ordinary remark. Whether the
        result is None must not depend on `view`.
        """


@runtime_checkable
class TranslatesOrders(Protocol):
    """A game whose orders can be written in more than one language."""

    def translate_orders(self, state: Any, orders: str, /, *, say: Say = ENGLISH) -> str:
        """Return `orders`, given in canonical form, in the language of `say`. The order reader understands both
        forms."""


class Revision(NamedTuple):
    """The orders that can be played, or None if nothing is left of them; and the lines, in canonical form, that cannot
    be played as written, each with the reason."""

    orders: Any | None
    faults: tuple[tuple[str, Sentence], ...] = ()


@runtime_checkable
class RevisesOrders(Protocol):
    """A game in which a line of orders may have no effect, or may be in a place in the list where it cannot be
    played."""

    def revised(self, state: Any, seat: Seat, orders: Any, /) -> Revision:
        """Put `orders` into the sequence in which they can be played, and leave out those that are certain to have no
        effect. A change that the player may not have intended is reported as a fault, and the player is asked about
        it."""


@runtime_checkable
class AnswersQuestions(Protocol):
    """A game that answers questions about its own things, such as `who holds Mu?`.

    The table `questions` in the game's `words/` contains the wordings of each kind of question, as regular expressions
    in which each `...` stands for words of the player's choice.
    """

    def asked_about(self, state: Any, kind: str, gaps: Sequence[str], /) -> tuple[str, ...] | None:
        """Return the names of the things that a question is about, in the form used in orders. `gaps` are the texts
        that the question contains in place of each `...` in its wording; return None if they make no sense in a
        question of this kind."""

    def answer(
        self, view: Any, seat: Seat, kind: str, names: Sequence[str], /, *, say: Say = ENGLISH
    ) -> tuple[str, ...]:
        """Answer a question of `seat` about the things in `names`, using only what `view` shows. Each entry of the
        result is a paragraph of one sentence."""


@runtime_checkable
class Predictable(Protocol[State]):
    """A game whose turns can be predicted: nothing depends on chance, and no orders depend on hidden information."""

    def predicted(self, state: State, orders: Mapping[Seat, Any], /) -> Ruling[State]:
        """Play a turn with the given orders. A seat that is absent from `orders` does nothing."""


class Suggestion(NamedTuple):
    """The result of finding orders in a text of everyday words.

    `orders` is in canonical form, or "" if the text is ambiguous; `sure` is true if they are certain, and `likely` if
    the text probably orders something and does not only talk about it. `illegal` is an illegal order that the text
    seems to mean. `understood` contains sentences about anything else that was understood.
    """

    orders: str = ""
    sure: bool = False
    likely: bool = True
    illegal: str = ""
    understood: tuple[Sentence, ...] = ()


@runtime_checkable
class SuggestsOrders(Protocol):
    """A game that can find orders in a text that no grammar can read. The game never concludes from such a text that a
    seat wants to do nothing."""

    def suggestion(self, state: Any, seat: Seat, text: str, /) -> Suggestion:
        """Find the orders in `text`. They are certain if two independent methods of reading the text agree on them."""


class Heard(NamedTuple):
    """What a game hears in a letter: the likeliest orders, in canonical form, best first, each with its likelihood from
    0 to 1; the probability that the first ones are exactly what the writer means (`sure`); and whether these use
    everything that the letter names, and nothing that it does not say.

    The likelihoods compare the readings with each other; what is left of 1 is that of no orders, or of others.
    """

    readings: tuple[tuple[str, float], ...] = ()
    sure: float = 0.0
    uses_all: bool = False


@runtime_checkable
class HearsOrders(Protocol):
    """A game that can hear orders: find them in a whole letter of everyday words, including chat, if no other reader
    has found any orders in it."""

    def hear(self, state: Any, seat: Seat, text: str, /) -> Heard:
        """Return the likeliest orders in `text`. A text that orders nothing is never heard as an order to pass unless
        it says so."""

    def talk(self, state: Any, seat: Seat, text: str, /) -> float:
        """Return the probability that `text` only talks about the game and orders nothing."""


@runtime_checkable
class KnowsConditions(Protocol):
    """A game that can tell whether a condition that a player puts before orders is met.

    `conditional_orders` is an example of orders with a condition.
    """

    conditional_orders: Sentence

    def holds(self, state: Any, seat: Seat, condition: str, /) -> bool | None:
        """Return whether `condition`, in the words of `seat`, is met in `state`. Only what `seat` may see counts.

        Returns None if `condition` is not a condition, so that the line is read as any other. Whether the result is
        None must not depend on what is hidden from `seat`.
        """


@cache
def can_be_analysed(game: AnyGame) -> bool:
    """Return whether a game has a program that can judge its positions."""
    return isinstance(game, Bot)


@cache
def as_translator(game: AnyGame) -> TranslatesOrders | None:
    """Return the game if its orders can be written in several languages, otherwise None."""
    return game if isinstance(game, TranslatesOrders) else None
