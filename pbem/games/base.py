"""The seam between the service and a game: what every game can do, in words that fit any of them.

Nothing here knows pieces, areas or how many seats there are. Games are functions of values, without I/O or a clock.
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
"""The templates that letters need from each game, in the folder that it names, and what each says."""


class Rules(Protocol[State, Orders_contra]):
    """How a game is played. A smallest game says `seats`, `new`, `awaiting`, `resolve` and `result`."""

    name: str
    rules_version: str = "1"
    chance: bool = False  # whether its rules ask for chance at all

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.name.capitalize()

    @property
    def short(self) -> str:
        """What the names of its matches begin with: oz-17."""
        return self.name[:3]

    def __hash__(self) -> int:
        """Games are told apart by identity: what is made of one once, such as its grammar's tables, is kept for it."""
        return id(self)

    def seats(self, options: Mapping[str, Any], /) -> tuple[Chair, ...]:
        """The seats of a match with these options, in the order in which they are always listed."""

    def options(self, chosen: Mapping[str, Any], /) -> tuple[Option, ...]:
        """What can be chosen of a match: `chosen` is so far, and may change what can be chosen besides. Raises
        GameError if there is no such thing as what is chosen."""
        return ()

    def settle_options(self, options: Mapping[str, Any], state: State, /) -> Mapping[str, Any]:
        """The options that a new match is stored with, made of those chosen: with them `seats` reads no file, which may
        change or go."""
        return options

    def new(self, options: Mapping[str, Any], chance: Chance, /) -> State:
        """The state a game starts from. Raises GameError for options that make no sense."""

    def awaiting(self, state: State, /) -> frozenset[Seat]:
        """Who must write before the turn can be played; empty when the game is over."""

    def may_order(self, state: State, /) -> frozenset[Seat]:
        """Whose orders count: of all who must write, and of whose earlier orders stand, which new ones replace."""
        return self.awaiting(state)

    def resolve(self, state: State, orders: Mapping[Seat, Orders_contra], chance: Chance, /) -> Ruling[State]:
        """The turn played; a seat that is absent from `orders` has missed it. All that chance answers is in the events:
        every roll and every draw with its purpose."""

    def resigned(self, state: State, seat: Seat, /) -> Departure[State]:
        """What follows when a seat gives up; one that has done so is never awaited again. As it stands, who is left
        of two seats wins; a game of more says how the others play on."""
        others = [chair for chair in self.seats({}) if chair.seat != seat]
        if len(others) != 1:
            raise NotImplementedError(f"{self.name} does not say what follows when one of several seats gives up")
        why = Sentence("{seat} has resigned.", seat=seat.capitalize())
        return Departure(state, Result(others[0].side, why))

    def result(self, state: State, /) -> Result | None:
        """How the game ended, or None while it goes on."""

    def scores(self, state: State, /) -> Mapping[Seat, int]:
        """What each seat holds, to tell players with equal points apart."""
        return dict.fromkeys(seats_of(self, {}), 0)


class Secrecy(Protocol[State_contra]):
    """What is hidden of a game from whom: all that leaves a match goes through here. As it stands, nothing is but
    orders until they are played; a game that `hides` something says itself what of it may be seen."""

    hides: bool = False  # whether states, events or orders that were played hold anything that not everybody may see

    def view(self, state: State_contra, reader: Reader, /) -> Any:
        """What a reader may see of a state: all that leaves a match of it, with `redact_events` and `redact_orders`."""
        if self.hides:
            raise NotImplementedError("a game that hides something says what a reader may see")
        return state

    def redact_events(self, events: tuple[Event, ...], reader: Reader, /) -> tuple[Event, ...]:
        """The events of a turn that a reader may know: as it stands, all but those whose `seen` does not name him."""
        return seen_by(events, reader)

    def redact_orders(
        self, orders: str, seat: Seat, reader: Reader, before: State_contra, now: State_contra, /
    ) -> str | None:
        """The part of a seat's orders for `before` that a reader may know when the game has come to `now`, None for
        nothing: as it stands, all, or what is not his own only when a game that hides something is over."""
        return None if self.hides and reader not in (seat, OPEN) else orders


class Notation(Protocol[State_contra, Orders]):
    """What orders look like, and what they come to. A smallest game says `grammar`, `shapes` and `interpret`."""

    grammar: Path  # what its orders look like; the head of grammar/orders.lark says what has to be in it
    # What each rule of the grammar becomes: an item, or all items. Words come as `type`, `value` and `start_pos`.
    shapes: Mapping[str, Callable[[list[Any]], Any]]
    turning_words: bool = False  # whether orders have words such as `if`, `never`, `change`, which elsewhere turn them

    def terminals(self, state: State_contra, /) -> Terminals:
        """What stands for the <names> in its grammar that depend on what is played with, such as a set of cards."""
        return ()

    def speller(self, state: State_contra, /) -> Callable[[str], str]:
        """What makes of a text the one that its grammar reads, of the same length and with everything in its place."""
        return str

    def items(self, text: str, /) -> Sequence[Any] | None:
        """What the grammar makes of orders in canonical form, found without it; None if there is doubt."""
        return None

    def is_complete(self, state: State_contra, items: Sequence[Any], /) -> bool:
        """Whether items say all that they need to and name only what there is; not whether they are legal."""
        return not any(isinstance(item, Unread) for item in items)

    def is_attempt(self, state: State_contra, line: str, items: Sequence[Any], /) -> bool:
        """Whether a line of a letter is meant as orders and no prose; `items` are what could be read of it."""
        return any(not isinstance(item, Unread) for item in items)

    def names_in(self, state: State_contra, text: str, /) -> tuple[str, ...]:
        """The words of a text that name what orders are about, such as areas or cards: press of them may be a plan."""
        return ()

    def is_about(self, state: State_contra, text: str, /) -> bool:
        """Whether a remark, in small letters, has a word that only orders have, such as a verb of the game's."""
        return False

    def interpret(self, state: State_contra, seat: Seat, items: Sequence[Any], /) -> Interpretation[Orders]:
        """A seat's items, `Unread` among them, as orders that are legal in a state, or every mistake at once."""


class Records(Rules[State, Orders_contra], Protocol[State, Orders_contra]):
    """What is kept of a game, and read again."""

    def dump(self, state: State, /) -> dict[str, Any]:
        """The state as plain data for the store."""
        data: dict[str, Any] = plain.dumped(state)
        return data

    def load(self, data: Mapping[str, Any], /) -> State:
        """The inverse of `dump`: as it stands, a value of the dataclass that `new` says it gives."""
        state: State = plain.loaded(get_type_hints(type(self).new)["return"], data)
        return state

    def placed(self, state: State, text: str, /) -> State:
        """A state with the position that a text says, as a game master corrects it. Raises GameError."""
        return self.load(plain.data_of(text))

    def position(self, state: State, /) -> str:
        """The inverse of `placed`: a state in one line, without `|`, `#`, `@` and braces."""
        return plain.line_of(self.dump(state))

    def headers(self, start: State, options: Mapping[str, Any], /) -> dict[str, str]:
        """What the headers of a record say of a game that began from a state: whatever it takes to make it anew,
        even where nothing but this program is left. Names are letters; values may have several lines.
        """
        return {"Options": plain.line_of(options)}

    def from_headers(self, headers: Mapping[str, str], chance: Chance, /) -> tuple[State, dict[str, Any]]:
        """The state that a game began from, and its options: the inverse of `headers`. Raises GameError."""
        options = plain.data_of(headers.get("Options", "()"))
        return self.new(options, chance), options

    def show(self, view: Any, /) -> dict[str, Any]:
        """A view as plain data for other programs."""
        return self.dump(view)


class Pictures(Protocol):
    """What a position looks like. As it stands, its parts are lines of text."""

    svg_style: str = plain.SVG_STYLE  # CSS for a page with a plan and overlays: light, dark and print

    @property
    def signs(self) -> Mapping[Seat, Sign]:
        """Of every seat that any options make; a picture's spans name their style after its seat."""

    def show(self, view: Any, /) -> dict[str, Any]:
        """A view as plain data, of which a game without pictures of its own is drawn."""

    def picture(self, view: Any, since: Any | None = None, /, *, say: Say = ENGLISH) -> Picture:
        """The board at most 72 columns wide, with its legend; what differs from `since` is marked."""
        return plain.picture(self.show(view), None if since is None else self.show(since), self.signs)

    def plan(self, view: Any, /, *, say: Say = ENGLISH) -> str:
        """What every picture of a match has in common: an `<svg>` that shows nothing, to stand once on a page.

        Its ids are `board` and names that begin with `board-`, so a page has the pictures of one match.
        """
        return plain.svg(())

    def overlay(
        self, view: Any, since: Any | None = None, events: Sequence[Event] = (), /, *, say: Say = ENGLISH
    ) -> str:
        """A view as an `<svg class="board">` that uses the plan of its page; what differs from `since` and the
        `events` are marked. It needs `svg_style`, and beside it a text that says the same, such as `picture`."""
        return plain.svg(self.picture(view, since, say=say))

    def svg(self, view: Any, since: Any | None = None, events: Sequence[Event] = (), /, *, say: Say = ENGLISH) -> str:
        """The same as an SVG document that stands alone, with its style and all that it shows in words."""
        return plain.svg(self.picture(view, since, say=say), self.svg_style)


class Letters(Protocol[State_contra, Orders_contra]):
    """What letters say of a game."""

    templates: Path = resource("templates/plain")  # the folder of its `TEMPLATES`
    about: Sentence = Sentence("A game that is played by letters.")  # its rules, if no template tells them
    sentences: Mapping[str, str] = {}  # templates by types of events, where `story` is no more than these
    phrases: Phrases = Phrases(
        board=Sentence("the board"),
        missed=Sentence("no orders came"),
        unasked=Sentence("not on turn"),
        idle=Sentence("Nothing is asked of you now."),
        forecast=Sentence("If nobody else did anything (* = changed)"),
    )

    @property
    def called(self) -> Mapping[Side, Sentence]:
        """In letters: every seat and every side that any options make."""

    def usage(self, *, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
        """How orders are written, each with what it means, where no template of its own tells that."""
        return ()

    def phase(self, view: Any, /, *, say: Say = ENGLISH) -> str:
        """Where in the course of the game the turn stands, as a sentence such as "Bidding, round 2."; "" if the number
        of the turn says it all.
        """
        return ""

    def story(self, before: Any, events: Sequence[Event], /, *, say: Say = ENGLISH) -> tuple[Paragraph, ...]:
        """A turn told in order, in whole sentences with numbers."""
        return (Paragraph("", plain.story(events, self.sentences, self.called, say)),)

    def paraphrase(self, view: Any, seat: Seat, orders: Orders_contra, /, *, say: Say = ENGLISH) -> str:
        """Orders in plain words, as a receipt says them, in one line or in several; "" where their canonical form is
        plain enough."""
        return ""

    def forecast(self, state: State_contra, seat: Seat, orders: Orders_contra, /) -> Any:
        """The view after the turn if nobody else did anything; what a receipt shows, None if that is nothing new."""
        return None

    def cautions(self, view: Any, seat: Seat, orders: Orders_contra, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """What a receipt warns of, a line each: orders that will come to nothing as things stand, and gambles."""
        return ()

    def holdings(self, view: Any, seat: Seat, /, *, say: Say = ENGLISH) -> tuple[tuple[str, str], ...]:
        """What only a seat has, such as the cards of its hand, each with what it is good for now."""
        return ()

    def summary(self, view: Any, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """The standing in lines: what a player would otherwise have to count."""
        return ()

    def notes(self, state: State_contra, /, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """What the foot of every letter says about this match, such as that its board is reconstructed."""
        return ()

    def prospects(self, view: Any, seat: Seat, /, *, say: Say = ENGLISH) -> tuple[str, str]:
        """What a seat has to decide now, in sentences, of which those on lines of their own become a list; and an order
        list of its own that would be legal, "" if there is none to show."""
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
    see of a state; of most games it is a state, too.

    What has an answer here is what most games say; all else, and above all what may be seen, a game says itself.
    """

    @property
    def signs(self) -> Mapping[Seat, Sign]:
        return dict(zip(seats_of(self, {}), plain.SIGNS, strict=False))

    @property
    def called(self) -> Mapping[Side, Sentence]:
        return {name: Sentence(name.capitalize()) for chair in self.seats({}) for name in chair}


AnyGame: TypeAlias = Game[Any, Any]
"""A game as whoever plays any of them knows it."""


def seen_by(events: tuple[Event, ...], reader: Reader) -> tuple[Event, ...]:
    """The events that are for a reader, without the word for whom they are."""
    return tuple(
        {key: value for key, value in event.items() if key != "seen"}
        for event in events
        if reader == OPEN or reader in event.get("seen", (reader,))
    )


def seats_of(game: Rules[Any, Any], options: Mapping[str, Any]) -> tuple[Seat, ...]:
    """What the seats of a match with these options are called."""
    return tuple(chair.seat for chair in game.seats(options))


def begun_with(game: Rules[Any, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """What is chosen of a new match, and the names of the files that are usual now: those stay what it is played with
    when others become usual."""
    schema = game.options({})
    usual = {option.name: option.default for option in schema if option.is_open and option.kind == "choice"}
    return {**usual, **chosen}
