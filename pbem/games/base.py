"""The interface between the service and a game: everything that a game can do, in terms that fit any game.

Nothing here knows about pieces, areas or the number of seats. Games are pure functions of values, without I/O or a
clock.
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
    "OPEN", "TEMPLATES", "AnyGame", "Chair", "Departure", "Event", "Game", "GameError", "Interpretation",
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


class Rules(Protocol[State, Orders_contra]):
    """How a game is played. A minimal game defines `seats`, `new`, `awaiting`, `resolve` and `result`."""

    name: str
    rules_version: str = "1"
    chance: bool = False  # whether the rules ever use chance

    @property
    def title(self) -> str:
        """The name of the game as people see it."""
        return self.name.capitalize()

    @property
    def short(self) -> str:
        """The prefix of the names of the game's matches, such as "oz" in oz-17."""
        return self.name[:3]

    def __hash__(self) -> int:
        """Hash by identity, so that caches such as the tables of a grammar are kept per game object."""
        return id(self)

    def seats(self, options: Mapping[str, Any], /) -> tuple[Chair, ...]:
        """List the seats of a match with these options, always in the same order."""

    def options(self, chosen: Mapping[str, Any], /) -> tuple[Option, ...]:
        """List the options of a match. `chosen` are those chosen so far, which may change what else can be chosen.
        Raises GameError if a chosen value does not exist."""
        return ()

    def settle_options(self, options: Mapping[str, Any], state: State, /) -> Mapping[str, Any]:
        """Complete the chosen options for storage with a new match, so that `seats` can be computed later without
        reading files, which may change or disappear."""
        return options

    def new(self, options: Mapping[str, Any], chance: Chance, /) -> State:
        """Create the first state of a game. Raises GameError for options that make no sense."""

    def awaiting(self, state: State, /) -> frozenset[Seat]:
        """Return the seats that must send orders before the turn can be played; empty when the game is over."""

    def may_order(self, state: State, /) -> frozenset[Seat]:
        """Return the seats whose orders count: all that must send orders, and those that may replace earlier orders
        that still stand."""
        return self.awaiting(state)

    def resolve(self, state: State, orders: Mapping[Seat, Orders_contra], chance: Chance, /) -> Ruling[State]:
        """Play a turn. A seat that is absent from `orders` has missed it. The events record every use of chance: each
        roll and each draw, with its purpose."""

    def resigned(self, state: State, seat: Seat, /) -> Departure[State]:
        """Return the consequences of a seat's resignation; a seat that has resigned is never awaited again. By default,
        the other of two seats wins; a game with more seats defines how the rest play on."""
        others = [chair for chair in self.seats({}) if chair.seat != seat]
        if len(others) != 1:
            raise NotImplementedError(f"{self.name} does not say what follows when one of several seats gives up")
        why = Sentence("{seat} has resigned.", seat=seat.capitalize())
        return Departure(state, Result(others[0].side, why))

    def result(self, state: State, /) -> Result | None:
        """Return the result of a game that is over; None if it goes on."""

    def scores(self, state: State, /) -> Mapping[Seat, int]:
        """Return the final score of each seat, which breaks ties between players with equal points."""
        return dict.fromkeys(seats_of(self, {}), 0)


class Secrecy(Protocol[State_contra]):
    """What a game hides, and from whom: everything that leaves a match passes through here. By default only orders are
    hidden, until they are played. A game that sets `hides` must itself define what may be seen."""

    hides: bool = False  # whether states, events or played orders contain anything that some readers may not see

    def view(self, state: State_contra, reader: Reader, /) -> Any:
        """Return what a reader may see of a state. Only this, `redact_events` and `redact_orders` decide what leaves a
        match."""
        if self.hides:
            raise NotImplementedError("a game that hides something says what a reader may see")
        return state

    def redact_events(self, events: tuple[Event, ...], reader: Reader, /) -> tuple[Event, ...]:
        """Return the events of a turn that a reader may know: by default all except those whose `seen` does not name
        the reader."""
        return seen_by(events, reader)

    def redact_orders(
        self, orders: str, seat: Seat, reader: Reader, before: State_contra, now: State_contra, /
    ) -> str | None:
        """Return the part of a seat's orders for `before` that a reader may know once the game has reached `now`, or
        None. By default that is everything; if the game hides something, other seats' orders are revealed only when it
        is over."""
        return None if self.hides and reader not in (seat, OPEN) else orders


class Notation(Protocol[State_contra, Orders]):
    """What orders look like, and what they mean. A minimal game defines `grammar`, `shapes` and `interpret`."""

    grammar: Path  # the grammar of its orders; the comment at the top of grammar/orders.lark says what it must contain
    # Turns each rule of the grammar into an item, or into all items. Words come with `type`, `value` and `start_pos`.
    shapes: Mapping[str, Callable[[list[Any]], Any]]
    turning_words: bool = False  # whether orders use words such as `if`, `never`, `change`, which elsewhere void them

    def terminals(self, state: State_contra, /) -> Terminals:
        """Fill in the <names> in the grammar that depend on the material in play, such as a set of cards."""
        return ()

    def speller(self, state: State_contra, /) -> Callable[[str], str]:
        """Return a function that normalizes a text for the grammar, keeping its length and all positions."""
        return str

    def items(self, text: str, /) -> Sequence[Any] | None:
        """Read orders in canonical form without the grammar, as a shortcut. Return None if in doubt."""
        return None

    def is_complete(self, state: State_contra, items: Sequence[Any], /) -> bool:
        """Return whether the items are complete and name only things that exist; they need not be legal."""
        return not any(isinstance(item, Unread) for item in items)

    def is_attempt(self, state: State_contra, line: str, items: Sequence[Any], /) -> bool:
        """Return whether a line of a letter is meant as orders, not as prose; `items` are the parts of it that could be
        read."""
        return any(not isinstance(item, Unread) for item in items)

    def names_in(self, state: State_contra, text: str, /) -> tuple[str, ...]:
        """Find words in `text` that name things used in orders, such as areas or cards. Press with such words may
        reveal a plan."""
        return ()

    def is_about(self, state: State_contra, text: str, /) -> bool:
        """Return whether a remark, in lower case, has a word used only in orders, such as one of the game's verbs."""
        return False

    def interpret(self, state: State_contra, seat: Seat, items: Sequence[Any], /) -> Interpretation[Orders]:
        """Turn a seat's items, `Unread` ones included, into orders that are legal in a state, or report every mistake
        at once."""


class Records(Rules[State, Orders_contra], Protocol[State, Orders_contra]):
    """How a game is stored and read back."""

    def dump(self, state: State, /) -> dict[str, Any]:
        """Convert a state to plain data for the store."""
        data: dict[str, Any] = plain.dumped(state)
        return data

    def load(self, data: Mapping[str, Any], /) -> State:
        """Load a state from what `dump` returned; by default this builds the dataclass that `new` is annotated to
        return."""
        state: State = plain.loaded(get_type_hints(type(self).new)["return"], data)
        return state

    def placed(self, state: State, text: str, /) -> State:
        """Replace the position of a state with one given as text, for a correction by a game master. Raises
        GameError."""
        return self.load(plain.data_of(text))

    def position(self, state: State, /) -> str:
        """Write a state on one line, without `|`, `#`, `@` and braces; the inverse of `placed`."""
        return plain.line_of(self.dump(state))

    def headers(self, start: State, options: Mapping[str, Any], /) -> dict[str, str]:
        """Write the headers of a record, from which this program can recreate the first state of a game without any
        other source. Names consist of letters; values may span several lines."""
        return {"Options": plain.line_of(options)}

    def from_headers(self, headers: Mapping[str, str], chance: Chance, /) -> tuple[State, dict[str, Any]]:
        """Recreate the first state of a game and its options from what `headers` wrote. Raises GameError."""
        options = plain.data_of(headers.get("Options", "()"))
        return self.new(options, chance), options

    def show(self, view: Any, /) -> dict[str, Any]:
        """Convert a view to plain data for other programs."""
        return self.dump(view)


class Pictures(Protocol):
    """What a position looks like. By default its parts are shown as lines of text."""

    svg_style: str = plain.SVG_STYLE  # CSS for a page with a plan and overlays, for light, dark and print

    @property
    def signs(self) -> Mapping[Seat, Sign]:
        """The sign of every seat that any options can produce. In pictures, the name of a seat is the style of its
        spans."""

    def show(self, view: Any, /) -> dict[str, Any]:
        """Convert a view to plain data, from which a game without pictures of its own is drawn."""

    def picture(self, view: Any, since: Any | None = None, /, *, say: Say = ENGLISH) -> Picture:
        """Draw the board as text, at most 72 columns wide, with its legend; differences from `since` are marked."""
        return plain.picture(self.show(view), None if since is None else self.show(since), self.signs)

    def plan(self, view: Any, /, *, say: Say = ENGLISH) -> str:
        """Draw what all pictures of a match share, as an invisible `<svg>` to put once on a page.

        Its ids are `board` and names that begin with `board-`, so a page can show the pictures of one match only.
        """
        return plain.svg(())

    def overlay(
        self, view: Any, since: Any | None = None, events: Sequence[Event] = (), /, *, say: Say = ENGLISH
    ) -> str:
        """Draw a view as an `<svg class="board">` that uses the plan of its page; differences from `since` and the
        `events` are marked. The page needs `svg_style`, and a text equivalent such as `picture`."""
        return plain.svg(self.picture(view, since, say=say))

    def svg(self, view: Any, since: Any | None = None, events: Sequence[Event] = (), /, *, say: Say = ENGLISH) -> str:
        """Draw the same picture as `overlay` as a standalone SVG document, which includes its style and a description
        of everything shown."""
        return plain.svg(self.picture(view, since, say=say), self.svg_style)


class Letters(Protocol[State_contra, Orders_contra]):
    """What letters say about a game."""

    templates: Path = resource("templates/plain")  # the folder of its `TEMPLATES`
    about: Sentence = Sentence("A game that is played by letters.")  # the rules, unless a template gives them
    sentences: Mapping[str, str] = {}  # templates by event type, enough for the default `story`
    phrases: Phrases = Phrases(
        board=Sentence("the board"),
        missed=Sentence("no orders came"),
        unasked=Sentence("not on turn"),
        idle=Sentence("Nothing is asked of you now."),
        forecast=Sentence("If nobody else did anything (* = changed)"),
    )

    @property
    def called(self) -> Mapping[Side, Sentence]:
        """The display name of every seat and side that any options can produce."""

    def usage(self, *, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
        """List the forms of orders, each with its meaning, for games without a template of their own for that."""
        return ()

    def phase(self, view: Any, /, *, say: Say = ENGLISH) -> str:
        """Return the phase of the game that the turn belongs to, as a sentence such as "Bidding, round 2."; "" if the
        number of the turn says enough."""
        return ""

    def story(self, before: Any, events: Sequence[Event], /, *, say: Say = ENGLISH) -> tuple[Paragraph, ...]:
        """Tell the story of a turn in order, in complete sentences with figures."""
        return (Paragraph("", plain.story(events, self.sentences, self.called, say)),)

    def paraphrase(self, view: Any, seat: Seat, orders: Orders_contra, /, *, say: Say = ENGLISH) -> str:
        """Put orders into plain words for a receipt, in one line or several; "" where their canonical form is plain
        enough."""
        return ""

    def forecast(self, state: State_contra, seat: Seat, orders: Orders_contra, /) -> Any:
        """Return the view as it would be after the turn if nobody else did anything, for the receipt to show; None if
        it would show nothing new."""
        return None

    def cautions(self, view: Any, seat: Seat, orders: Orders_contra, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Return the warnings in a receipt, one per line: gambles, and orders that will have no effect as things stand
        now."""
        return ()

    def holdings(self, view: Any, seat: Seat, /, *, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
        """List what belongs to one seat alone, such as the cards in its hand, each with its present use."""
        return ()

    def summary(self, view: Any, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Summarize the state of play in a few lines, so that players need not count for themselves."""
        return ()

    def notes(self, state: State_contra, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Return notes for the foot of every letter about this match, such as that its board is reconstructed."""
        return ()

    def prospects(self, view: Any, seat: Seat, /, *, say: Say = ENGLISH) -> tuple[str, str]:
        """Say in sentences what a seat has to decide now; sentences on lines of their own become a list. Also give an
        example of a legal order list, "" if there is none."""
        return say("Write your orders."), ""


class Game(
    Records[State, Orders],
    Notation[State, Orders],
    Letters[State, Orders],
    Secrecy[State],
    Pictures,
    Protocol[State, Orders],
):
    """A game as the service sees it: rules, secrecy, notation, letters, pictures, records. A view is what a reader may
    see of a state; in most games, a view is itself a state.

    The defaults here suit most games. A game must define everything else itself, above all what may be seen.
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
    """Filter the events for a reader, and strip the key `seen` that names their readers."""
    return tuple(
        {key: value for key, value in event.items() if key != "seen"}
        for event in events
        if reader == OPEN or reader in event.get("seen", (reader,))
    )


def seats_of(game: Rules[Any, Any], options: Mapping[str, Any]) -> tuple[Seat, ...]:
    """List the names of the seats of a match with these options."""
    return tuple(chair.seat for chair in game.seats(options))


def with_default_files(game: Rules[Any, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Complete the options chosen for a new match with today's default files, so that the match keeps using these files
    even if the defaults change later."""
    schema = game.options({})
    usual = {option.name: option.default for option in schema if option.is_open and option.kind == "choice"}
    return {**usual, **chosen}
