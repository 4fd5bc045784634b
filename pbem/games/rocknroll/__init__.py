"""Rock'n'Roll: two sides fight for a row of Points with cards, dice and hidden hands, their turns one after the other.

From the file of cards to a turn:

- `cards`, `cardfile`: the cards of a set as values, read from `sets/*.json` or a file of that form, and checked.
- `orders`: commands and standing orders as values; their canonical form is English, as `str` writes it.
- `standing`: what keys and values of standing orders can be, and what they say to the rules.
- `orders.lark`, `words/`: a letter as lines of words and signs; `cursor`, `phrases`, `plays`, `conditions`, `wishes`:
  lines as `items`, by the names in them; `canonical`: items of our own texts, quickly.
- `spelling`, `names`, `lookup`, `interpret`: items as orders, or every mistake with what would be right.
- `state`: where every card lies.

Whatever reads letters ends in `orders.Orders`; the rules begin there, and look at the position only when a line's turn
comes.

- `table`, `dice`, `combat`, `script`, `closing`: a turn; `rules`: the set-up and the turn as functions of values.
- `loading`: a state from plain data, checked; `views`: what a seat may see; `events`: what can happen.
- `questions`: turns that other programs ask for; `prose`: which lines of a letter are meant as orders.
- `odds`: what is to be expected of a plan; `bot`: a computer player.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.games.base import (
    Chair,
    Event,
    Game,
    Interpretation,
    Phrases,
    Reader,
    Result,
    Ruling,
    Seat,
    Sentence,
    Side,
    Sign,
)
from pbem.games.chance import Chance
from pbem.games.extras import Adjudicable, Begun, Bot, Carded, KeepsStandingOrders
from pbem.games.rocknroll import (
    canonical,
    cardfile,
    interpret,
    items,
    loading,
    position,
    prose,
    questions,
    rules,
    views,
)
from pbem.games.rocknroll.orders import Orders
from pbem.games.rocknroll.standing import merged
from pbem.games.rocknroll.state import State
from pbem.games.rocknroll.views import View
from pbem.resources import resource


class Rocknroll(Game[State, Orders], Adjudicable[State], Begun[State], Bot[View, Orders], Carded, KeepsStandingOrders):
    """The game as the service sees it: what each method does is said in `pbem.games.base` and `pbem.games.extras`."""

    name = "rocknroll"
    title = "Rock'n'Roll"
    short = "rnr"
    rules_version = rules.RULES_VERSION
    chance = True
    templates = resource("templates/games/rocknroll")
    hides = True
    grammar = Path(__file__).with_name("orders.lark")
    line_start = prose.LINE_START
    shapes = items.SHAPES
    svg_style = ""
    signs: Mapping[Seat, Sign] = {}
    phrases = Phrases(
        board=Sentence("the row of Points"),
        missed=Sentence("no script came: nothing is done"),
        idle=Sentence("The war is over."),
    )
    called: Mapping[Side, Sentence] = {"vpa": Sentence("VPA"), "vietnam": Sentence("Vietnam")}

    def seats(self, options: Mapping[str, Any]) -> tuple[Chair, ...]:
        _, seats, _ = questions.chosen(options)
        return seats

    def new(self, options: Mapping[str, Any], chance: Chance) -> State:
        return rules.set_up(*questions.chosen(options), chance).state

    def awaiting(self, state: State) -> frozenset[Seat]:
        return rules.awaiting(state)

    def resolve(self, state: State, orders: Mapping[Seat, Orders], chance: Chance) -> Ruling[State]:
        return rules.resolve(state, orders, chance)

    def items(self, text: str) -> Sequence[Any] | None:
        return canonical.read_canonical(text)

    def is_complete(self, state: State, items: Sequence[Any]) -> bool:
        return not interpret.interpret(state, state.on_turn or state.seats[0].seat, items).mistakes

    def is_attempt(self, state: State, line: str, items: Sequence[Any]) -> bool:
        return prose.is_attempt(state.cards, items)

    def interpret(self, state: State, seat: Seat, items: Sequence[Any]) -> Interpretation[Orders]:
        return interpret.interpret(state, seat, items)

    def with_standing(self, before: str, lines: tuple[str, ...]) -> str:
        return "; ".join(map(str, merged((*before.split("; "), *lines))))

    def joined(self, state: State, seat: Seat, orders: Orders | None, standing: str) -> Orders | None:
        kept = merged(standing.split("; "))
        commands = orders.commands if orders else ()
        return Orders(kept, commands) if kept or commands else None

    def result(self, state: State) -> Result | None:
        return rules.result(state)

    def scores(self, state: State) -> dict[Seat, int]:
        """The OK of each seat's side."""
        return {seat: state.ok[side] for seat, side in state.seats}

    def view(self, state: State, reader: Reader) -> View:
        return views.view(state, reader)

    def shown(self, events: tuple[Event, ...], reader: Reader) -> tuple[Event, ...]:
        return views.shown(events, reader)

    def show(self, view: View) -> dict[str, Any]:
        return views.show(view)

    def dump(self, state: State) -> dict[str, Any]:
        return loading.stored(state)

    def load(self, data: Mapping[str, Any]) -> State:
        return loading.restored(data)

    def placed(self, state: State, text: str) -> State:
        return position.placed(text, state.cards.id)

    def position(self, state: State) -> str:
        return position.position(state)

    # What only some games have

    def choose(self, view: View, seat: Seat) -> Orders:
        from pbem.games.rocknroll.bot import choose  # rarely asked for

        return choose(view, seat)

    def cards_shown(self, name: str) -> str:
        return cardfile.described(cardfile.find_set(name))

    def asked(self, question: Mapping[str, Any]) -> tuple[State, tuple[Seat, ...]]:
        return questions.asked(question)

    def begun(self, options: Mapping[str, Any], chance: Chance) -> tuple[Ruling[State], tuple[Seat, ...]]:
        return questions.begun(options, chance)

    def answered(self, state: State) -> dict[str, Any]:
        return questions.answered(state)
