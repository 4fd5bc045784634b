"""Ozymandia (R. Wayne Schmittberger, 1981): two sides, simultaneous secret orders, no dice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem import ENGLISH, Say, Sentence
from pbem.games.base import Chair, Departure, Game, GameError, Phrases, Result, Ruling, Seat, Sign
from pbem.games.capabilities import (
    Adjudicable,
    AnswersQuestions,
    Bot,
    HasBoards,
    HasDemonstration,
    HasGrid,
    Heard,
    HearsOrders,
    KnowsConditions,
    ParsesPositions,
    Predictable,
    Suggestion,
    SuggestsOrders,
    Thought,
    TranslatesOrders,
)
from pbem.games.chance import NO_CHANCE, Chance
from pbem.games.ozymandia import areas, cells, drawing, interpret, narrative, prose, records, rules, svg
from pbem.games.ozymandia.areas import names_of
from pbem.games.ozymandia.board import SHIPPED, board_data, find_board
from pbem.games.ozymandia.demo import LETTERS
from pbem.games.ozymandia.orders import SHAPES, Orders, read_canonical, written
from pbem.games.ozymandia.state import NAMES, SEATS, State, dump, load, opponent, options, parse_state, set_up
from pbem.resources import resource
from pbem.typed import quote


class Ozymandia(
    Game[State, Orders],
    HasGrid[State],
    Bot[State, Orders],
    HasBoards,
    ParsesPositions[State],
    Adjudicable[State],
    AnswersQuestions,
    Predictable[State],
    SuggestsOrders,
    HearsOrders,
    HasDemonstration,
    TranslatesOrders,
    KnowsConditions,
):
    """The game as the service sees it; its methods are documented in `pbem.games.base` and
    `pbem.games.capabilities`."""

    name = "ozymandia"
    title = "Ozymandia"
    short = "oz"
    rules_version = rules.RULES_VERSION
    templates = resource("templates/games/ozymandia")
    grammar = Path(__file__).with_name("orders.lark")
    shapes = SHAPES
    svg_style = svg.STYLE
    signs: Mapping[Seat, Sign] = {"red": Sign("#a33600", "#ff9a5e"), "blue": Sign("#00568f", "#7cc0f5", round=True)}
    called = NAMES
    phrases = Phrases(
        board=Sentence("the board"),
        missed=Sentence("no orders came: no move, new pieces in their cities"),
        unasked=Sentence("nothing left to order"),
        idle=Sentence("You have no pieces and no bombardments left; the game does not wait for you."),
        forecast=Sentence("The result if nobody else does anything"),
    )
    demonstration = LETTERS
    conditional_orders = Sentence("if Blue holds S: 3 M to W, else 3 M to S")

    options = staticmethod(options)
    awaiting = staticmethod(rules.awaiting)
    items = staticmethod(read_canonical)
    is_complete = staticmethod(interpret.is_complete)
    is_attempt = staticmethod(prose.is_attempt)
    result = staticmethod(rules.result)
    dump = staticmethod(dump)
    load = staticmethod(load)
    headers = staticmethod(records.headers)
    picture = staticmethod(drawing.picture)
    plan = staticmethod(svg.plan)
    overlay = staticmethod(svg.overlay)
    story = staticmethod(narrative.story)
    paraphrase = staticmethod(narrative.paraphrase)
    summary = staticmethod(narrative.summary)
    prospects = staticmethod(narrative.prospects)
    asked_about = staticmethod(areas.asked_about)
    answered = staticmethod(records.answered)
    titles = staticmethod(records.titles)
    interpret = staticmethod(interpret.interpret)
    cells = staticmethod(cells.cells)
    svg = staticmethod(svg.svg)

    def seats(self, options: Mapping[str, Any]) -> tuple[Chair, ...]:
        return tuple(Chair(seat, seat) for seat in SEATS)

    def new(self, options: Mapping[str, Any], chance: Chance = NO_CHANCE) -> State:
        return set_up(options)

    def resolve(self, state: State, orders: Mapping[Seat, Orders], chance: Chance = NO_CHANCE) -> Ruling[State]:
        return rules.resolve(state, orders)

    def names_in(self, state: State, text: str) -> tuple[str, ...]:
        return names_of(state.board).within(text)

    def is_about(self, state: State, text: str) -> bool:
        return prose.is_about(text)

    def resigned(self, state: State, seat: Seat) -> Departure[State]:
        why = Sentence("{side} resigned.", side=NAMES[seat])
        return Departure(state, Result(opponent(seat), why))

    def scores(self, state: State) -> dict[Seat, int]:
        """Return the number of cities that each side holds."""
        return {seat: len(state.held_cities(seat)) for seat in SEATS}

    def forecast(self, state: State, seat: Seat, orders: Orders) -> State:
        after: State = rules.resolve(state, {seat: orders, opponent(seat): Orders()}).state
        return after

    def placed(self, state: State, text: str) -> State:
        """Return `state` with the position in `text`, which is in the one-line form of records (docs/record.md):
        `7 red A3 M2 MC1 bombs 3 blue H4 E2 bombs 2`. Raises GameError if the position is invalid, or if its turn
        number is not that of `state`."""
        position = parse_state(text, state.board)
        if text.strip()[:1].isdigit() and position.turn != state.turn:
            values = {"found": position.turn, "turn": state.turn}
            raise GameError(Sentence("The position is from turn {found}, but this is turn {turn}.", **values))
        return replace(position, turn=state.turn, turn_limit=state.turn_limit)

    def position(self, state: State) -> str:
        return str(state)

    def from_headers(self, headers: Mapping[str, str], chance: Chance = NO_CHANCE) -> tuple[State, dict[str, Any]]:
        return records.from_headers(headers)

    def notes(self, state: State, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Return a note if the board is a reconstruction."""
        return (say("The board is our reconstruction of the original"),) if state.board.reconstructed else ()

    def show(self, view: State) -> dict[str, Any]:
        """Return the board, its pieces and the bombardments left, in the form of `pbem adjudicate --json`."""
        return {"board": view.board.name, "pieces": dump(view)["pieces"], "bombs": dict(view.bombs)}

    def choose(self, view: State, seat: Seat) -> Orders:
        from pbem.games.ozymandia.bot import choose

        return choose(view, seat)

    def think(self, view: State, seat: Seat, level: int, chance: Chance) -> Iterator[Thought]:
        from pbem.games.ozymandia.search import think

        return think(view, seat, level, chance)

    def win_share(self, view: State, seat: Seat) -> float:
        from pbem.games.ozymandia.search import win_share

        return win_share(view, seat)

    def weigh(self, view: State, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> list[float]:
        from pbem.games.ozymandia.search import weigh

        return weigh(view, seat, orders, level, chance)

    def translate_orders(self, state: State, orders: str, *, say: Say = ENGLISH) -> str:
        return written(orders, say.language)

    def describe_board(self, name: str) -> str:
        return drawing.describe(find_board(name or SHIPPED[0]))

    def board_data(self, name: str) -> dict[str, Any]:
        return board_data(find_board(name or SHIPPED[0]))

    def parse_position(self, options: Mapping[str, Any], text: str) -> State:
        name = options.get("board", SHIPPED[0])
        if not isinstance(name, str):
            raise GameError(f"A board is a name or a path, not {quote(name)}.")
        return parse_state(text, find_board(name))

    def read_question(self, question: Mapping[str, Any]) -> tuple[State, tuple[Seat, ...]]:
        return records.read_question(question), SEATS

    def answer(
        self, view: State, seat: Seat, kind: str, names: Sequence[str], *, say: Say = ENGLISH
    ) -> tuple[str, ...]:
        return areas.answer(view, kind, names, say)

    def suggestion(self, view: State, seat: Seat, text: str) -> Suggestion:
        from pbem.games.ozymandia.guess import suggestion  # imported late because it is rarely needed
        from pbem.games.ozymandia.hearing import confirmed

        return confirmed(view, seat, text, suggestion(view, seat, text))

    def hear(self, state: State, seat: Seat, text: str) -> Heard:
        from pbem.games.kit.surety import told  # imported here because it is rarely needed
        from pbem.games.ozymandia.hearing import SURETY, heard, lines_of

        return told(heard(state, seat, text), lines_of, SURETY)

        readings = heard(state, seat, text)
        return tuple((str(orders), likelihood) for orders, likelihood in readings if orders)

    def talk(self, state: State, seat: Seat, text: str) -> float:
        from pbem.games.kit.talk import share_of_talk

        return share_of_talk(areas.named_in(state, text).tokens)

    def holds(self, state: State, seat: Seat, condition: str) -> bool | None:
        from pbem.games.ozymandia.conditions import holds  # imported late because it is rarely needed

        return holds(state, seat, condition)

    def predicted(self, state: State, orders: Mapping[Seat, Orders]) -> Ruling[State]:
        return rules.resolve(state, {seat: Orders() for seat in SEATS} | dict(orders))
