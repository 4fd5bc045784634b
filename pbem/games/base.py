"""The seam between the service and a game: what every game can do, in words that fit any of them.

Nothing here knows pieces, areas or how many seats there are. Games are functions of values, without I/O or a clock.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Protocol, Self, TypeAlias, TypeVar

from pbem import PbemError

if TYPE_CHECKING:
    from pbem.games.chance import Chance
    from pbem.games.options import Option

State = TypeVar("State")
"""A position: plain values that only the game looks into."""
Orders = TypeVar("Orders")
"""What a seat orders for a turn; `str(orders)` is the canonical form that the order reader reads back."""

Seat = str
"""The name of a seat, such as "red" or "west2"; seats are always listed in the order of `Game.seats`."""

Reader = Seat | None
"""Who looks: a seat, None for everybody, or `OPEN`."""

OPEN: Seat = "*"
"""Whoever looks when nothing is hidden any more: a match that has ended is open to all."""

Side = str
"""Seats that win and lose together; the name of a seat that is alone is that of its side, too."""


class Sign(NamedTuple):
    """What a seat is known by at a glance: a colour such as `#a33600` on light ground and one on dark, with a contrast
    of 4.5 at least; and whether its mark on the pages of the archive is round, which shows without colours, too.
    """

    light: str
    dark: str
    round: bool = False


class Chair(NamedTuple):
    """A seat of a match to be: what it is called, and on whose side it is."""

    seat: Seat
    side: Side


Event = Mapping[str, Any]
"""One thing that happened in a turn, as plain data: JSON in and out, `type` says which. One with `seen`, a list of
seats, is for these alone while anything is hidden. docs/games/ lists them."""


class Phrases(NamedTuple):
    """What letters say of a game in its own words, where each game has its own."""

    board: "Sentence"  # where it is played, as the subject of a sentence: "the board"
    missed: "Sentence"  # a turn's orders, of a seat that gave none: "no orders came: no move"
    unasked: "Sentence"  # in a report, of a seat that was not waited for and gave no orders
    idle: "Sentence"  # to somebody who has nothing left to order, and yet sent orders
    forecast: "Sentence"  # above the picture that `forecast` gives: what has to happen that it comes to be so


TEMPLATES: Mapping[str, str] = {
    "aim": "what a game is about, in an invitation: what it takes to decide whether one would like to play it",
    "help": "the rules if `topic` begins with `rule`, else how orders are written, in the answer to `help`",
}
"""The templates that letters need from each game, in the folder that it names, and what each says."""


class GameError(PbemError):
    """What a game cannot accept: an unknown board, an impossible position, options that make no sense."""

    @property
    def problems(self) -> tuple[str, ...]:
        """All that is wrong, a sentence each."""
        return tuple(str(self).splitlines())


class Span(NamedTuple):
    """A piece of a line of a picture: its text, and a style such as "red", "changed red" or ""."""

    text: str
    style: str = ""


Picture = tuple[tuple[Span, ...], ...]
"""Lines of spans. The texts joined are the plain picture; the styles colour it where colours can be had."""


class Paragraph(NamedTuple):
    """One step of a turn's story: a heading, "" if it goes on; what happened there; the dice of it, a line each."""

    heading: str
    text: str
    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: the winning seat, or None for a draw; and why, in one sentence.

    `winner` is a side. `forfeit`: not on the board, but because a side would not play on; without one no side would.
    `ranking` has the seats by places, best first and equal ones together, where that tells more than who has won.
    """

    winner: Seat | None
    reason: str
    forfeit: bool = False
    ranking: tuple[tuple[Seat, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Departure(Generic[State]):
    """What follows when a seat plays on no longer: the state in which the others do, or how the game ends by it."""

    state: State
    result: Result | None


class Sentence(str):
    """A sentence in English that still knows its template and the values in its gaps, so that it can be said in
    another language. A value may be a sentence of its own, or a tuple of them: a list with commas.
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, **values: object) -> Self:
        self = super().__new__(cls, _filled(template, values, str))
        self.template, self.values = template, values
        return self

    def translated(self, look_up: Callable[[str], str], language: str = "") -> str:
        """The sentence from the templates of another language; `look_up` is what gettext does."""

        def say(value: object) -> str:
            return value.translated(look_up, language) if isinstance(value, Sentence) else str(value)

        return _filled(look_up(self.template), self.values, say)


def _filled(template: str, values: Mapping[str, object], say: Callable[[object], str]) -> str:
    said = {
        name: ", ".join(map(say, value)) if isinstance(value, tuple) else say(value) for name, value in values.items()
    }
    return template.format_map(said)


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing wrong with an order list: where in the text, as offsets into what was read, and a sentence that says
    what would be right and stands on its own."""

    start: int
    end: int
    sentence: Sentence


class Unread(NamedTuple):
    """Words that stand where the grammar has an item and could not read one; `start_pos` is an offset.

    Without any words: an item begins there, with nothing that separates it from the one before. Where the grammar has
    gone wrong is `stop`, an offset, too: there one of the terminals `expected` would fit.
    """

    value: str
    start_pos: int
    stop: int | None = None
    expected: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Interpretation(Generic[Orders]):
    """What items come to: legal orders, or mistakes in the order of the text and, if there is one, a correction.

    `standing` are standing orders among them, each in canonical form, which without others are no turn."""

    orders: Orders | None
    mistakes: tuple[Mistake, ...]
    proposal: Orders | None = None
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling(Generic[State]):
    """What a turn comes to: the state after it and all that happened, in the order it happened."""

    state: State
    events: tuple[Event, ...]


class Say(Hashable, Protocol):
    """Says things in the language of a reader: looks a sentence up, then fills its gaps as `str.format` does. What no
    translation is known of is said in English, which is the sentence itself. `language` is its code (ISO 639-1)."""

    language: str

    def __call__(self, message: str, /, **values: object) -> str:
        """A sentence with gaps and the values that stand in them, or a `Sentence`, which has its own."""

    def many(self, one: str, many: str, number: int, /, **values: object) -> str:
        """The one of two sentences that fits a number, which is also the value `number`."""


class _English:
    language = "en"

    def __call__(self, message: str, /, **values: object) -> str:
        return str(message) if isinstance(message, Sentence) else message.format_map(values)

    def many(self, one: str, many: str, number: int, /, **values: object) -> str:
        return self(one if number == 1 else many, number=number, **values)


ENGLISH: Say = _English()


Terminals = tuple[tuple[str, str], ...]
"""Regular expressions by the <names> that they stand for in a grammar."""


class Game(Protocol[State, Orders]):
    """A game as the service sees it. A view is what a reader may see of a state; of most games it is a state, too.

    What has an answer here is what most games say; all else, and above all what may be seen, a game says itself.
    """

    name: str
    title: str
    short: str  # what the names of its matches begin with: oz-17
    rules_version: str
    chance: bool  # whether its rules ask for chance at all
    templates: Path  # the folder of its `TEMPLATES`
    hides: bool  # whether states, events or orders that were played hold anything that not everybody may see
    grammar: Path  # what its orders look like; the head of grammar/orders.lark says what has to be in it
    # What each rule of the grammar becomes: an item, or all items. Words come as `type`, `value` and `start_pos`.
    shapes: Mapping[str, Callable[[list[Any]], Any]]
    turning_words: bool = False  # whether orders have words such as `if`, `never`, `change`, which elsewhere turn them
    phrases: Phrases
    called: Mapping[Side, "Sentence"]  # in letters: every seat and every side that any options make
    signs: Mapping[Seat, Sign]  # of every seat that any options make; a picture's spans name their style after its seat
    svg_style: str  # CSS for a page with a plan and overlays: light, dark and print

    def seats(self, options: Mapping[str, Any]) -> tuple[Chair, ...]:
        """The seats of a match with these options, in the order in which they are always listed."""

    def __hash__(self) -> int:
        """Games are told apart by identity: what is made of one once, such as its grammar's tables, is kept for it."""
        return id(self)

    def new(self, options: Mapping[str, Any], chance: "Chance") -> State:
        """The state a game starts from. Raises GameError for options that make no sense."""

    def kept(self, options: Mapping[str, Any], state: State) -> Mapping[str, Any]:
        """The options of a new match as it keeps them: `seats` of these must not need a file that may change or go."""
        return options

    def options(self, chosen: Mapping[str, Any]) -> "tuple[Option, ...]":
        """What can be chosen of a match: `chosen` is so far, and may change what can be chosen besides. Raises
        GameError if there is no such thing as what is chosen."""

    def awaiting(self, state: State) -> frozenset[Seat]:
        """Who must write before the turn can be played; empty when the game is over."""

    def may_order(self, state: State) -> frozenset[Seat]:
        """Whose orders count: of all who must write, and of whose earlier orders stand, which new ones replace."""
        return self.awaiting(state)

    def resolve(self, state: State, orders: Mapping[Seat, Orders], chance: "Chance") -> Ruling[State]:
        """The turn played; a seat that is absent from `orders` has missed it. All that chance answers is in the events:
        every roll and every draw with its purpose."""

    def terminals(self, state: State) -> Terminals:
        """What stands for the <names> in its grammar that depend on what is played with, such as a set of cards."""
        return ()

    def speller(self, state: State) -> Callable[[str], str]:
        """What makes of a text the one that its grammar reads, of the same length and with everything in its place."""
        return str

    def items(self, text: str) -> Sequence[Any] | None:
        """What the grammar makes of orders in canonical form, found without it; None if there is doubt."""
        return None

    def is_complete(self, state: State, items: Sequence[Any]) -> bool:
        """Whether items say all that they need to and name only what there is; not whether they are legal."""
        return not any(isinstance(item, Unread) for item in items)

    def is_attempt(self, state: State, line: str, items: Sequence[Any]) -> bool:
        """Whether a line of a letter is meant as orders and no prose; `items` are what could be read of it."""

    def names_in(self, state: State, text: str) -> tuple[str, ...]:
        """The words of a text that name what orders are about, such as areas or cards: press of them may be a plan."""
        return ()

    def things_in(self, state: State, text: str) -> tuple[str, ...]:
        """What these words name, each as orders in canonical form have it."""
        return self.names_in(state, text)

    def is_about(self, state: State, text: str) -> bool:
        """Whether a remark, in small letters, has a word that only orders have, such as a verb of the game's."""
        return False

    def interpret(self, state: State, seat: Seat, items: Sequence[Any]) -> Interpretation[Orders]:
        """A seat's items, `Unread` among them, as orders that are legal in a state, or every mistake at once."""

    def resigned(self, state: State, seat: Seat) -> Departure[State]:
        """What follows when a seat gives up; one that has done so is never awaited again."""

    def phase(self, view: Any, *, say: Say = ENGLISH) -> str:
        """Where in the course of the game the turn stands, as a sentence such as "Bidding, round 2."; "" if the number
        of the turn says it all.
        """
        return ""

    def result(self, state: State) -> Result | None:
        """How the game ended, or None while it goes on."""

    def scores(self, state: State) -> Mapping[Seat, int]:
        """What each seat holds, to tell players with equal points apart."""

    def view(self, state: State, reader: Reader) -> Any:
        """What a reader may see of a state: all that leaves a match of it, with `shown` and `told_orders`."""

    def shown(self, events: tuple[Event, ...], reader: Reader) -> tuple[Event, ...]:
        """The events of a turn as a reader may know them, by their `seen` as usual."""
        return seen_by(events, reader)

    def told_orders(self, orders: str, seat: Seat, reader: Reader, before: State, now: State) -> str | None:
        """What of a seat's orders for `before`, all or a part, a reader is told when the game has come to `now`."""

    def forecast(self, state: State, seat: Seat, orders: Orders) -> Any:
        """The view after the turn if nobody else did anything; what a receipt shows, None if that is nothing new."""

    def dump(self, state: State) -> dict[str, Any]:
        """The state as plain data for the store."""

    def load(self, data: Mapping[str, Any]) -> State:
        """The inverse of `dump`."""

    def placed(self, state: State, text: str) -> State:
        """A state with the position that a text says, as a game master corrects it. Raises GameError."""

    def position(self, state: State) -> str:
        """The inverse of `placed`: a state in one line, without `|`, `#`, `@` and braces."""

    def headers(self, start: State, options: Mapping[str, Any]) -> dict[str, str]:
        """What the headers of a record say of a game that began from a state: whatever it takes to make it anew,
        even where nothing but this program is left. Names are letters; values may have several lines.
        """

    def from_headers(self, headers: Mapping[str, str], chance: "Chance") -> tuple[State, dict[str, Any]]:
        """The state that a game began from, and its options: the inverse of `headers`. Raises GameError."""

    def picture(self, view: Any, since: Any | None = None, *, say: Say = ENGLISH) -> Picture:
        """The board at most 72 columns wide, with its legend; what differs from `since` is marked."""

    def plan(self, view: Any, *, say: Say = ENGLISH) -> str:
        """What every picture of a match has in common: an `<svg>` that shows nothing, to stand once on a page.

        Its ids are `board` and names that begin with `board-`, so a page has the pictures of one match.
        """

    def overlay(self, view: Any, since: Any | None = None, events: Sequence[Event] = (), *, say: Say = ENGLISH) -> str:
        """A view as an `<svg class="board">` that uses the plan of its page; what differs from `since` and the
        `events` are marked. It needs `svg_style`, and beside it a text that says the same, such as `picture`."""

    def svg(self, view: Any, since: Any | None = None, events: Sequence[Event] = (), *, say: Say = ENGLISH) -> str:
        """The same as an SVG document that stands alone, with its style and all that it shows in words."""

    def story(self, before: Any, events: Sequence[Event], *, say: Say = ENGLISH) -> tuple[Paragraph, ...]:
        """A turn told in order, in whole sentences with numbers."""

    def words(self, view: Any, seat: Seat, orders: Orders, *, say: Say = ENGLISH) -> str:
        """Orders in plain words, as a receipt says them, in one line or in several."""

    def cautions(self, view: Any, seat: Seat, orders: Orders, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """What a receipt warns of, a line each: orders that will come to nothing as things stand, and gambles."""
        return ()

    def holdings(self, view: Any, seat: Seat, *, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
        """What only a seat has, such as the cards of its hand, each with what it is good for now."""
        return ()

    def summary(self, view: Any, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """The standing in lines: what a player would otherwise have to count."""
        return ()

    def notes(self, state: State, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """What the foot of every letter says about this match, such as that its board is reconstructed."""
        return ()

    def show(self, view: Any) -> dict[str, Any]:
        """A view as plain data for other programs."""
        return self.dump(view)

    def prospects(self, view: Any, seat: Seat, *, say: Say = ENGLISH) -> tuple[str, str]:
        """What a seat has to decide now, in sentences, of which those on lines of their own become a list; and an order
        list of its own that would be legal."""


AnyGame: TypeAlias = Game[Any, Any]
"""A game as whoever plays any of them knows it."""


def seen_by(events: tuple[Event, ...], reader: Reader) -> tuple[Event, ...]:
    """The events that are for a reader, without the word for whom they are."""
    if reader == OPEN:
        return tuple({key: value for key, value in event.items() if key != "seen"} for event in events)
    return tuple(
        {key: value for key, value in event.items() if key != "seen"}
        for event in events
        if "seen" not in event or reader in event["seen"]
    )


def seats_of(game: AnyGame, options: Mapping[str, Any]) -> tuple[Seat, ...]:
    """What the seats of a match with these options are called."""
    return tuple(chair.seat for chair in game.seats(options))
