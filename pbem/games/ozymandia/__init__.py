"""Ozymandia (R. Wayne Schmittberger, 1981): two sides, simultaneous secret orders, no dice."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem.games.base import (
    ENGLISH,
    Chair,
    Departure,
    Event,
    Game,
    GameError,
    Interpretation,
    Paragraph,
    Phrases,
    Picture,
    Reader,
    Result,
    Ruling,
    Say,
    Seat,
    Sentence,
    Sign,
)
from pbem.games.chance import NO_CHANCE, Chance
from pbem.games.extras import (
    Adjudicable,
    Answers,
    Boarded,
    Bot,
    Demonstrated,
    Grid,
    Positioned,
    Suggestion,
    Suggests,
    Supposing,
    Tabled,
)
from pbem.games.options import Option
from pbem.games.ozymandia import areas, cells, drawing, guess, interpret, prose, records, rules, svg, telling
from pbem.games.ozymandia.areas import names_of
from pbem.games.ozymandia.board import SHIPPED, board_data, find_board
from pbem.games.ozymandia.demo import LETTERS
from pbem.games.ozymandia.orders import SHAPES, Orders, read_canonical
from pbem.games.ozymandia.state import NAMES, SEATS, State, dump, load, opponent, options, parse_state, set_up
from pbem.resources import resource


class Ozymandia(
    Game[State, Orders],
    Tabled[State],
    Bot[State, Orders],
    Boarded,
    Positioned[State],
    Adjudicable[State],
    Answers,
    Supposing[State],
    Suggests,
    Demonstrated,
):
    """The game as the service sees it: what each method does is said in `pbem.games.base` and `pbem.games.extras`."""

    name = "ozymandia"
    title = "Ozymandia"
    short = "oz"
    rules_version = rules.RULES_VERSION
    chance = False
    templates = resource("templates/games/ozymandia")
    hides = False
    grammar = Path(__file__).with_name("orders.lark")
    shapes = SHAPES
    svg_style = svg.STYLE
    signs: Mapping[Seat, Sign] = {"red": Sign("#a33600", "#ff9a5e"), "blue": Sign("#00568f", "#7cc0f5", round=True)}
    called = NAMES
    phrases = Phrases(
        board=Sentence("the board"),
        missed=Sentence("no orders came: no move, new pieces in their cities"),
        unasked=Sentence("nothing left to order"),
        idle=Sentence("You have neither pieces nor bombardments; the game goes on without waiting for you."),
        forecast=Sentence("If nobody else did anything, the board would be (* = changed)"),
    )
    demonstration = LETTERS

    def seats(self, options: Mapping[str, Any]) -> tuple[Chair, ...]:
        return tuple(Chair(seat, seat) for seat in SEATS)

    def new(self, options: Mapping[str, Any], chance: Chance = NO_CHANCE) -> State:
        return set_up(options)

    def options(self, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
        return options(chosen)

    def awaiting(self, state: State) -> frozenset[Seat]:
        return rules.awaiting(state)

    def resolve(self, state: State, orders: Mapping[Seat, Orders], chance: Chance = NO_CHANCE) -> Ruling[State]:
        return rules.resolve(state, orders)

    def items(self, text: str) -> Sequence[Any] | None:
        return read_canonical(text)

    def is_complete(self, state: State, items: Sequence[Any]) -> bool:
        return interpret.is_complete(state, items)

    def is_attempt(self, state: State, line: str, items: Sequence[Any]) -> bool:
        return prose.is_attempt(state, line, items)

    def names_in(self, state: State, text: str) -> tuple[str, ...]:
        return names_of(state.board).within(text)

    def things_in(self, state: State, text: str) -> tuple[str, ...]:
        return names_of(state.board).codes_within(text)

    def is_about(self, state: State, text: str) -> bool:
        return prose.is_about(text)

    def suggestion(self, state: State, seat: Seat, text: str) -> Suggestion:
        return guess.suggestion(state, seat, text)

    def interpret(self, state: State, seat: Seat, items: Sequence[Any]) -> Interpretation[Orders]:
        return interpret.interpret(state, seat, items)

    def resigned(self, state: State, seat: Seat) -> Departure[State]:
        why = Sentence("{side} resigned.", side=NAMES[seat])
        return Departure(state, Result(opponent(seat), why))

    def result(self, state: State) -> Result | None:
        return rules.result(state)

    def scores(self, state: State) -> dict[Seat, int]:
        """The cities that each side holds."""
        return {seat: len(state.held_cities(seat)) for seat in SEATS}

    def view(self, state: State, reader: Reader) -> State:
        """The whole state: only orders are secret, and they are not in it."""
        return state

    def told_orders(self, orders: str, seat: Seat, reader: Reader, before: State, now: State) -> str:
        """All orders stand in the report."""
        return orders

    def forecast(self, state: State, seat: Seat, orders: Orders) -> State:
        after: State = rules.resolve(state, {seat: orders, opponent(seat): Orders()}).state
        return after

    def dump(self, state: State) -> dict[str, Any]:
        return dump(state)

    def load(self, data: Mapping[str, Any]) -> State:
        return load(data)

    def placed(self, state: State, text: str) -> State:
        """One line, as a record has it (docs/record.md): `7 red A3 M2 MC1 bombs 3 blue H4 E2 bombs 2`."""
        found = parse_state(text, state.board)
        if text.strip()[:1].isdigit() and found.turn != state.turn:
            values = {"found": found.turn, "turn": state.turn}
            raise GameError(Sentence("The position is one of turn {found}, but this is turn {turn}.", **values))
        return replace(found, turn=state.turn, turn_limit=state.turn_limit)

    def position(self, state: State) -> str:
        return str(state)

    def headers(self, start: State, options: Mapping[str, Any]) -> dict[str, str]:
        return records.headers(start, options)

    def from_headers(self, found: Mapping[str, str], chance: Chance = NO_CHANCE) -> tuple[State, dict[str, Any]]:
        return records.from_headers(found)

    def picture(self, view: State, since: State | None = None, *, say: Say = ENGLISH) -> Picture:
        return drawing.picture(view, since, say)

    def cells(self, view: State, since: State | None = None, *, say: Say = ENGLISH) -> Grid:
        return cells.cells(view, since, say)

    def plan(self, view: State, *, say: Say = ENGLISH) -> str:
        return svg.plan(view, say)

    def overlay(
        self, view: State, since: State | None = None, events: Sequence[Event] = (), *, say: Say = ENGLISH
    ) -> str:
        return svg.overlay(view, since, events, say)

    def svg(self, view: State, since: State | None = None, events: Sequence[Event] = (), *, say: Say = ENGLISH) -> str:
        return svg.svg(view, since, events, say)

    def story(self, before: State, events: Sequence[Event], *, say: Say = ENGLISH) -> tuple[Paragraph, ...]:
        return telling.story(before, events, say)

    def words(self, view: State, seat: Seat, orders: Orders, *, say: Say = ENGLISH) -> str:
        return telling.words(view, seat, orders, say)

    def summary(self, view: State, *, say: Say = ENGLISH) -> tuple[str, ...]:
        return telling.summary(view, say)

    def prospects(self, view: State, seat: Seat, *, say: Say = ENGLISH) -> tuple[str, str]:
        return telling.prospects(view, seat, say)

    def notes(self, state: State, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """What the foot of a letter says about the board."""
        return (say("This board is a reconstruction"),) if state.board.reconstructed else ()

    def show(self, view: State) -> dict[str, Any]:
        """Board, pieces and bombardments left, as `pbem adjudicate --json` has them."""
        return {"board": view.board.name, "pieces": dump(view)["pieces"], "bombs": dict(view.bombs)}

    # What only some games have

    def choose(self, view: State, seat: Seat) -> Orders:
        from pbem.games.ozymandia.bot import choose

        return choose(view, seat)

    def board_shown(self, name: str) -> str:
        return drawing.describe(find_board(name or SHIPPED[0]))

    def board_data(self, name: str) -> dict[str, Any]:
        return board_data(find_board(name or SHIPPED[0]))

    def at(self, options: Mapping[str, Any], text: str) -> State:
        return parse_state(text, find_board(options.get("board", SHIPPED[0])))

    def asked(self, question: Mapping[str, Any]) -> tuple[State, tuple[Seat, ...]]:
        return records.asked(question), SEATS

    def asked_about(self, state: State, kind: str, gaps: Sequence[str]) -> tuple[str, ...] | None:
        return areas.asked_about(state, kind, gaps)

    def answer(
        self, view: State, seat: Seat, kind: str, names: Sequence[str], *, say: Say = ENGLISH
    ) -> tuple[str, ...]:
        return areas.answer(view, kind, names, say)

    def supposed(self, state: State, orders: Mapping[Seat, Orders]) -> Ruling[State]:
        return rules.resolve(state, {seat: Orders() for seat in SEATS} | dict(orders))

    def answered(self, state: State) -> dict[str, Any]:
        return records.answered(state)

    def titles(self, before: State, after: State) -> tuple[str, str]:
        return records.titles(before, after)
