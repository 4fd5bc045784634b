"""The interface between the service and a game: everything that a game can do, in terms that fit any game.

Nothing here knows about pieces, areas or the number of seats. The methods of a game are pure functions: they neither do
I/O nor read a clock.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar, get_type_hints

from pbem import ENGLISH, Say, Sentence
from pbem.games import plain
from pbem.games.chance import Chance
from pbem.games.options import Option
from pbem.games.values import (
    OPEN,
    Chair,
    Departure,
    Event,
    GameError,
    Interpretation,
    Mistake,
    Orders,
    Paragraph,
    Phrases,
    Picture,
    Reader,
    Result,
    Ruling,
    Seat,
    Side,
    Sign,
    Span,
    State,
    Terminals,
    Unread,
)
from pbem.resources import resource

__all__ = [
    "OPEN", "REQUIRED", "TEMPLATES", "AnyGame", "Chair", "Departure", "Event", "Game", "GameError", "Interpretation",
    "Letters", "Mistake", "Notation", "Orders", "Paragraph", "Phrases", "Picture", "Pictures", "Reader", "Records",
    "Result", "Rules", "Ruling", "Seat", "Secrecy", "Side", "Sign", "Span", "State", "Terminals",
    "Unread", "seats_of", "seen_by",
]  # fmt: skip

State_contra = TypeVar("State_contra", contravariant=True)
Orders_contra = TypeVar("Orders_contra", contravariant=True)

TEMPLATES: Mapping[str, str] = {
    "aim": "what a game is about, in an invitation: what it takes to decide whether one would like to play it",
    "help": "the rules if `topic` begins with `rule`, else how orders are written, in the answer to `help`",
}
"""The letter templates that each game provides in its own folder, with a description of each."""

REQUIRED = ("name", "seats", "new", "awaiting", "resolve", "result", "grammar", "shapes", "interpret")
"""The members of a game that have no default."""


class Rules(Protocol[State, Orders_contra]):
    """How a game is played. A minimal game defines `seats`, `new`, `awaiting`, `resolve` and `result`."""

    name: str
    rules_version: str = "1"
    chance: bool = False  # whether the rules ever use chance

    @property
    def title(self) -> str:
        """The name of the game as it is shown to people."""
        return self.name.capitalize()

    @property
    def short(self) -> str:
        """The prefix of the names of the game's matches, such as "oz" in oz-17."""
        return self.name[:3]

    def __hash__(self) -> int:
        """Return a hash of the object's identity, so that caches, such as those of grammar tables, are kept per game
        object."""
        return id(self)

    def seats(self, options: Mapping[str, Any], /) -> tuple[Chair, ...]:
        """List the seats of a match with the given options, always in the same order."""

    def options(self, chosen: Mapping[str, Any], /) -> tuple[Option, ...]:
        """List the options of a match. The list may depend on `chosen`, which contains the values chosen so far. Raises
        GameError if a chosen value does not exist."""
        return ()

    def settle_options(self, options: Mapping[str, Any], state: State, /) -> Mapping[str, Any]:
        """Complete `options` for storage with a new match that starts in `state`, so that `seats` can be computed later
        without reading files, which may change or disappear."""
        return options

    def new(self, options: Mapping[str, Any], chance: Chance, /) -> State:
        """Create the first state of a game. Raises GameError for options that make no sense."""

    def awaiting(self, state: State, /) -> frozenset[Seat]:
        """Return the seats that must send orders before the turn can be played. The result is empty if the game is
        over."""

    def may_order(self, state: State, /) -> frozenset[Seat]:
        """Return the seats whose orders are accepted: those that must send orders, and those that may replace earlier
        orders that still stand."""
        return self.awaiting(state)

    def resolve(self, state: State, orders: Mapping[Seat, Orders_contra], chance: Chance, /) -> Ruling[State]:
        """Play a turn. A seat that is absent from `orders` has missed the turn. The events in the result record every
        use of chance: each roll and each draw, with its purpose."""

    def resigned(self, state: State, seat: Seat, /) -> Departure[State]:
        """Return the consequences of the resignation of `seat`, which is never awaited again. By default, the other of
        two seats wins; a game with more seats must define how the others play on."""
        others = [chair for chair in self.seats({}) if chair.seat != seat]
        if len(others) != 1:
            raise NotImplementedError(f"{self.name} does not say what follows when one of several seats gives up")
        why = Sentence("{seat} has resigned.", seat=seat.capitalize())
        return Departure(state, Result(others[0].side, why))

    def result(self, state: State, /) -> Result | None:
        """Return the result of the game, or None if the game is not over."""

    def scores(self, state: State, /) -> Mapping[Seat, int]:
        """Return the final score of each seat. In standings, scores break ties between players with equal points."""
        return dict.fromkeys(seats_of(self, {}), 0)


class Secrecy(Protocol[State_contra]):
    """What a game hides, and from whom. Everything that leaves a match passes through these methods. By default, only
    orders are hidden, and only until they are played. A game that sets `hides` must itself define what each reader may
    see."""

    hides: bool = False  # whether states, events or played orders contain anything that some readers may not see

    def view(self, state: State_contra, reader: Reader, /) -> Any:
        """Return the part of `state` that `reader` may see. Only this method, `redact_events` and `redact_orders`
        decide what leaves a match."""
        if self.hides:
            raise NotImplementedError("a game that hides something says what a reader may see")
        return state

    def redact_events(self, events: tuple[Event, ...], reader: Reader, /) -> tuple[Event, ...]:
        """Return the events of a turn that `reader` may know about. By default, an event with the key `seen` is only
        for the seats listed there and for `OPEN`; any other event is for everyone."""
        return seen_by(events, reader)

    def redact_orders(
        self, orders: str, seat: Seat, reader: Reader, before: State_contra, now: State_contra, /
    ) -> str | None:
        """Return the part of the given orders that `reader` may know, or None if `reader` may not know any of them.

        `orders` are the orders that `seat` gave in the state `before`; `now` is the state that the game has reached
        since. By default, everyone may know all orders; but if the game hides something, the orders of other seats are
        revealed only when the game is over.
        """
        return None if self.hides and reader not in (seat, OPEN) else orders


class Notation(Protocol[State_contra, Orders]):
    """What orders look like, and what they mean. A minimal game defines `grammar`, `shapes` and `interpret`."""

    grammar: Path  # the grammar of the orders; the comment at the top of grammar/orders.lark lists the required rules
    # A function for each rule of the grammar, which turns the parsed parts of the rule into an item or, for the rule
    # `orders`, into all items. Words among these parts have `type`, `value` and `start_pos`.
    shapes: Mapping[str, Callable[[list[Any]], Any]]
    turning_words: bool = False  # whether orders use words, such as `if` or `never`, that void orders in other games

    def terminals(self, state: State_contra, /) -> Terminals:
        """Return the replacements for the <names> in the grammar that depend on the material in play, such as a set of
        cards."""
        return ()

    def written(self, state: State_contra, /) -> Terminals:
        """Return the same as `terminals`, but for a text as it is written, before `speller` normalizes it. Names need
        not be in all their forms."""
        return self.terminals(state)

    def speller(self, state: State_contra, /) -> Callable[[str], str]:
        """Return a function that normalizes a text for the grammar without changing its length or any position in
        it."""
        return str

    def items(self, text: str, /) -> Sequence[Any] | None:
        """Read orders in canonical form without the grammar, as a shortcut. Return None if in doubt."""
        return None

    def is_complete(self, state: State_contra, items: Sequence[Any], /) -> bool:
        """Return whether all `items` are complete and name only things that exist. The orders in them need not be
        legal."""
        return not any(isinstance(item, Unread) for item in items)

    def is_attempt(self, state: State_contra, line: str, items: Sequence[Any], /) -> bool:
        """Return whether `line`, taken from a letter, is meant as orders rather than prose. `items` are the items that
        the grammar found in `line`, including `Unread` ones."""
        return any(not isinstance(item, Unread) for item in items)

    def names_in(self, state: State_contra, text: str, /) -> tuple[str, ...]:
        """Return the words in `text` that name things used in orders, such as areas or cards. Press that contains such
        words may reveal a plan."""
        return ()

    def is_about(self, state: State_contra, text: str, /) -> bool:
        """Return whether `text`, a remark in lower case, contains a word that is used only in orders, such as one of
        the game's verbs."""
        return False

    def interpret(self, state: State_contra, seat: Seat, items: Sequence[Any], /) -> Interpretation[Orders]:
        """Turn the items that `seat` wrote, including `Unread` ones, into orders that are legal in `state`, or report
        all mistakes in them."""


class Records(Rules[State, Orders_contra], Protocol[State, Orders_contra]):
    """How a game is stored and read back."""

    def dump(self, state: State, /) -> dict[str, Any]:
        """Convert a state to plain data for the store."""
        data: dict[str, Any] = plain.dumped(state)
        return data

    def load(self, data: Mapping[str, Any], /) -> State:
        """Load a state from the result of `dump`. By default, the result is an instance of the dataclass that is the
        annotated return type of `new`."""
        state: State = plain.loaded(get_type_hints(type(self).new)["return"], data)
        return state

    def placed(self, state: State, text: str, /) -> State:
        """Return `state` with its position replaced by the one in `text`, for a correction by a game master. Raises
        GameError if `text` is not a valid position."""
        return self.load(plain.data_of(text))

    def position(self, state: State, /) -> str:
        """Write the position of `state` as a line without `|`, `#`, `@` or braces, in the form that `placed` reads."""
        return plain.line_of(self.dump(state))

    def headers(self, start: State, options: Mapping[str, Any], /) -> dict[str, str]:
        """Return the headers of a record. They contain everything that this program needs to recreate the first state
        `start` and the options. The names of headers consist of letters; their values may span several lines."""
        return {"Options": plain.line_of(options)}

    def from_headers(self, headers: Mapping[str, str], chance: Chance, /) -> tuple[State, dict[str, Any]]:
        """Recreate the first state of a game and its options from the result of `headers`. Raises GameError if that is
        impossible."""
        options = plain.data_of(headers.get("Options", "()"))
        return self.new(options, chance), options

    def show(self, view: Any, /) -> dict[str, Any]:
        """Convert a view to plain data for other programs."""
        return self.dump(view)


class Pictures(Protocol):
    """What a position looks like. By default, its parts are listed as lines of text."""

    svg_style: str = plain.SVG_STYLE  # CSS for a page with a plan and overlays, in light and dark mode and in print

    @property
    def signs(self) -> Mapping[Seat, Sign]:
        """The sign of each seat that a match can have with any options. In a picture, a span that belongs to a seat has
        the name of the seat as its style."""

    def show(self, view: Any, /) -> dict[str, Any]:
        """Convert a view to plain data. The default pictures show these data."""

    def picture(self, view: Any, since: Any | None = None, /, *, say: Say = ENGLISH) -> Picture:
        """Draw the board as text, at most 72 columns wide, with a legend. If `since` is given, differences from that
        view are marked.

        Lines that explain the picture and hardly ever change contain a span with `key` in its style: letters show them
        only at the beginning of a match."""
        return plain.picture(self.show(view), None if since is None else self.show(since), self.signs)

    def plan(self, view: Any, /, *, say: Say = ENGLISH) -> str:
        """Draw the elements that all pictures of a match share, as an invisible `<svg>` that a page contains once.

        The ids of these elements are `board` and names that begin with `board-`. A page can therefore show the pictures
        of only one match.
        """
        return plain.svg(())

    def overlay(
        self, view: Any, since: Any | None = None, events: Sequence[Event] = (), /, *, say: Say = ENGLISH
    ) -> str:
        """Draw `view` as an `<svg class="board">` for a page that contains the result of `plan`. The `events` are
        marked and, if `since` is given, the differences from that view. The page also needs `svg_style` and a text
        equivalent, such as `picture`."""
        return plain.svg(self.picture(view, since, say=say))

    def svg(self, view: Any, since: Any | None = None, events: Sequence[Event] = (), /, *, say: Say = ENGLISH) -> str:
        """Draw the same picture as `overlay`, but as a standalone SVG document, which includes its style and a
        description of everything shown."""
        return plain.svg(self.picture(view, since, say=say), self.svg_style)


class Letters(Protocol[State_contra, Orders_contra]):
    """What letters say about a game."""

    templates: Path = resource("templates/plain")  # the folder with the game's `TEMPLATES`
    about: Sentence = Sentence("A game played by letter.")  # what the default templates say about the rules
    sentences: Mapping[str, str] = {}  # sentence templates by event type, for the default `story`
    phrases: Phrases = Phrases(
        board=Sentence("the board"),
        missed=Sentence("no orders came"),
        unasked=Sentence("not their turn"),
        idle=Sentence("You have nothing to order now."),
        forecast=Sentence("The result if nobody else does anything"),
    )

    @property
    def called(self) -> Mapping[Side, Sentence]:
        """The display name of each seat and each side that a match can have with any options."""

    def usage(self, *, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
        """List the forms of orders, each with its meaning. The default help template shows this list."""
        return ()

    def phase(self, view: Any, /, *, say: Say = ENGLISH) -> str:
        """Return the phase of the game to which the turn belongs, as a sentence such as "Bidding, round 2."; return ""
        if the number of the turn is enough."""
        return ""

    def story(self, before: Any, events: Sequence[Event], /, *, say: Say = ENGLISH) -> tuple[Paragraph, ...]:
        """Tell the story of a turn in the order of its events, in complete sentences that include all numbers. `before`
        is the view before the turn."""
        return (Paragraph("", plain.story(events, self.sentences, self.called, say)),)

    def paraphrase(self, view: Any, seat: Seat, orders: Orders_contra, /, *, say: Say = ENGLISH) -> str:
        """Return `orders` in plain words for a receipt, on one line or several; return "" if their canonical form is
        plain enough."""
        return ""

    def forecast(self, state: State_contra, seat: Seat, orders: Orders_contra, /) -> Any:
        """Return the view after the turn, for the receipt of `orders`, on the assumption that nobody but `seat` does
        anything. Return None if this view would show nothing new."""
        return None

    def cautions(self, view: Any, seat: Seat, orders: Orders_contra, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Return the warnings for a receipt, one per line: gambles, and orders that would have no effect in the current
        position."""
        return ()

    def holdings(self, view: Any, seat: Seat, /, *, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
        """List the things that belong to `seat` alone, such as the cards in its hand, each with its present use."""
        return ()

    def summary(self, view: Any, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Summarize the state of play in a few lines, so that players need not count for themselves."""
        return ()

    def notes(self, state: State_contra, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Return notes on this match that the invitation and `help rules` tell, without a full stop: for example, that
        its board is a reconstruction."""
        return ()

    def prospects(self, view: Any, seat: Seat, /, *, say: Say = ENGLISH) -> tuple[str, str]:
        """Return two texts. The first explains what `seat` has to decide now; letters show all its lines but the first
        as a list. The second is an example of a legal order list, or "" if there is no example."""
        return say("Write your orders."), ""


class Game(
    Records[State, Orders],
    Notation[State, Orders],
    Letters[State, Orders],
    Secrecy[State],
    Pictures,
    Protocol[State, Orders],
):
    """A game as the service sees it: rules, secrecy, notation, letters, pictures, records. A view is the part of a
    state that a reader may see; in most games, a view is itself a state.

    The defaults suit most games. A game must define everything that has no default and, if it hides something, what
    each reader may see.
    """

    @property
    def signs(self) -> Mapping[Seat, Sign]:
        return dict(zip(seats_of(self, {}), plain.SIGNS, strict=False))

    @property
    def called(self) -> Mapping[Side, Sentence]:
        return {name: Sentence(name.capitalize()) for chair in self.seats({}) for name in chair}


AnyGame: TypeAlias = Game[Any, Any]
"""A game of any kind, for code that works with all of them."""


def seen_by(events: tuple[Event, ...], reader: Reader) -> tuple[Event, ...]:
    """Return the events that `reader` may know about. The key `seen`, which names the seats that may know about an
    event, is removed."""
    return tuple(
        {key: value for key, value in event.items() if key != "seen"}
        for event in events
        if reader == OPEN or reader in event.get("seen", (reader,))
    )


def seats_of(game: Rules[Any, Any], options: Mapping[str, Any]) -> tuple[Seat, ...]:
    """List the names of the seats of a match with the given options."""
    return tuple(chair.seat for chair in game.seats(options))


def with_default_files(game: Rules[Any, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Complete the options chosen for a new match with the current default files, so that the match keeps using these
    files even if the defaults change later."""
    schema = game.options({})
    usual = {option.name: option.default for option in schema if option.is_open and option.kind == "choice"}
    return {**usual, **chosen}
