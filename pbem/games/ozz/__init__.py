"""Campaigns of Ozz: two to four nations fight over a map; battles are fought fast or on a board.

The modules, from the data set to the report of a round:

- `house/`, `dataset`, `data`: counters, map, numbers and scenarios as values, read from files and checked.
- `orders`: the contents of letters as values, and their canonical form in English, which `str` produces.
- `names`, `words/`: the order words of all languages, and the names of counters and points, in the form in which the
  grammar reads them. `orders.lark`: the grammar; its rules become the phrases of `naming`.
- `meaning`: the items that the phrases of a letter stand for, given the position.
- `guess`: what is wrong with a line that the grammar cannot read, and what it probably means.
- `hearing`: orders in everyday words.
- `legality`, `board_legality`: what makes a letter illegal. `interpret`: which lines are meant as orders, and either
  legal orders or a list of all mistakes with corrections; also standing orders.
- `state`, `loading`, `position`: the position, and its conversion from and to plain data. `views`: the part of it that
  each reader may see.
- `table`: the position while a round is being played, with operations for all rules. `campaign`: a campaign turn.
- `board`: the battleboard, and the position on it while a battle turn is being played. `battle`: battles, turn by
  turn. `combat`: the actions of forces on the board.
- `rules`: a round as a pure function. `setting`: the options of a match. `questions`: adjudication for other programs.
- `bot`: a simple computer player. `thinking`: a computer player with five levels, which tries out `manoeuvres` and
  evaluates the results with `win_share`.

Output for people:

- `drawing`, `svg`, `cells`: pictures of the map and the board, also for phones. `narrative`: the story of a round,
  with its die rolls.
- `lookup`: descriptions of places, counters and rules on request.
- `hints`: what a nation has and can do. `receipt`: what a letter orders. `defaults`: what it leaves open.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem import ENGLISH, Say, Sentence
from pbem.games import capabilities
from pbem.games.base import Chair, Game, Phrases, Ruling, Seat, Side, Sign, Terminals
from pbem.games.chance import Chance, shuffled
from pbem.games.options import Option
from pbem.games.ozz import (
    cells,
    dataset,
    defaults,
    drawing,
    hints,
    interpret,
    loading,
    lookup,
    names,
    naming,
    narrative,
    position,
    questions,
    receipt,
    rules,
    setting,
    state,
    svg,
    views,
)
from pbem.games.ozz.orders import Orders
from pbem.games.ozz.state import State, set_up
from pbem.games.ozz.table import scores
from pbem.games.ozz.wording import CALLED, written
from pbem.resources import resource


class Ozz(
    Game[State, Orders],
    capabilities.Adjudicable[State],
    capabilities.AnswersQuestions,
    capabilities.AdjudicatesSetUp[State],
    capabilities.Bot[State, Orders],
    capabilities.AnswersLookups,
    capabilities.DealsAnew[State],
    capabilities.HasDecks[State],
    capabilities.KeepsStandingOrders,
    capabilities.HasDataFolders,
    capabilities.HasOpening[State],
    capabilities.HasGrid[State],
    capabilities.TranslatesOrders,
    capabilities.Unseals[State],
):
    """The game as the service sees it; its methods are documented in `pbem.games.base` and
    `pbem.games.capabilities`."""

    name = "ozz"
    title = "Campaigns of Ozz"
    short = "ozz"
    rules_version = rules.RULES_VERSION
    chance = True
    templates = resource("templates/games/ozz")
    hides = True
    turning_words = True
    grammar = Path(__file__).with_name("orders.lark")
    shapes = naming.SHAPES
    svg_style = svg.STYLE
    signs: Mapping[Seat, Sign] = {
        "munchkins": Sign("#00568f", "#8cc4f5"),
        "winkies": Sign("#6b2f8f", "#d5abf2", round=True),
        "quadlings": Sign("#a62b21", "#f7a095"),
        "gillikins": Sign("#6b5600", "#f2d04a", round=True),
    }
    phrases = Phrases(
        board=Sentence("the position"),
        missed=Sentence("no letter came, so the defaults count"),
        unasked=Sentence("not asked this turn"),
        idle=Sentence("You have nothing to order now; you can send standing orders."),
        forecast=Sentence("After your own orders alone, before any dice"),
    )
    called: Mapping[Side, Sentence] = CALLED
    lookups = lookup.LOOKUPS
    demonstrated = ({"scenario": "hill"}, {"turns": 2})

    new = staticmethod(setting.set_up)
    resolve = staticmethod(rules.resolve)
    is_complete = staticmethod(interpret.is_complete)
    names_in = staticmethod(interpret.names_in)
    is_about = staticmethod(interpret.is_about)
    joined = staticmethod(interpret.joined)
    resigned = staticmethod(rules.resigned)
    result = staticmethod(rules.result)
    scores = staticmethod(scores)
    view = staticmethod(views.view)
    redact_orders = staticmethod(views.redact_orders)
    unseals = staticmethod(views.unseals)
    dump = staticmethod(loading.stored)
    load = staticmethod(loading.restored)
    show = staticmethod(state.dump)
    from_headers = staticmethod(setting.from_headers)
    seen_by = staticmethod(drawing.seen_by)
    phase = staticmethod(hints.phase)
    picture = staticmethod(drawing.picture)
    plan = staticmethod(svg.plan)
    overlay = staticmethod(svg.overlay)
    story = staticmethod(narrative.story)
    paraphrase = staticmethod(receipt.paraphrase)
    cautions = staticmethod(defaults.cautions)
    holdings = staticmethod(hints.holdings)
    read_question = staticmethod(questions.read_question)
    adjudicate_set_up = staticmethod(questions.set_up)
    asked_about = staticmethod(lookup.asked_about)
    look_up = staticmethod(lookup.look_up)
    answered = staticmethod(questions.answered)
    titles = staticmethod(questions.titles)
    interpret = staticmethod(interpret.interpret)
    position = staticmethod(position.position)
    written_in = staticmethod(written)  # for the template of help
    svg = staticmethod(svg.svg)
    cells = staticmethod(cells.cells)

    def seats(self, options: Mapping[str, Any]) -> tuple[Chair, ...]:
        return tuple(Chair(seat, seat) for seat in setting.stored_seats(options) or setting.chosen(options).seats)

    def settle_options(self, options: Mapping[str, Any], state: State) -> Mapping[str, Any]:
        return options if dataset.is_shipped(state.data.name) else {**options, "nations": state.seats}

    def options(self, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
        return setting.schema(setting.data_of(chosen), chosen.get("scenario"))

    def opening(self, start: State, chance: Chance) -> Ruling[State]:
        return set_up(start.data, start.scenario, start.seats, start.options, chance)

    def awaiting(self, state: State) -> frozenset[Seat]:
        return frozenset(rules.awaiting(state))

    def may_order(self, state: State) -> frozenset[Seat]:
        return frozenset(rules.accepts_orders_from(state))

    def terminals(self, state: State) -> Terminals:
        return names.speller(state.data).terminals

    def written(self, state: State) -> Terminals:
        return names.speller(state.data).written

    def speller(self, state: State) -> Callable[[str], str]:
        return names.speller(state.data).spell

    def is_attempt(self, state: State, line: str, items: Sequence[Any]) -> bool:
        return interpret.is_attempt(state, items)

    def with_standing(self, before: str, lines: tuple[str, ...]) -> str:
        return "; ".join(interpret.merged((*before.split("; "), *lines)))

    def forecast(self, state: State, seat: Seat, orders: Orders) -> State | None:
        """Return the position after the seat's own moves. Return None from the second turn of a battle on, because the
        board then does not change until dice are thrown."""
        if state.battle and state.battle.turn > 1:
            return None
        return views.view(defaults.foresee(state, seat, orders), seat)

    def placed(self, state: State, text: str) -> State:
        return position.placed(text, state)

    def headers(self, start: State, options: Mapping[str, Any]) -> dict[str, str]:
        return setting.headers(start)

    def round_name(self, state: State) -> str:
        return state.round

    def goes_on(self, state: State) -> bool:
        return state.phase == "battle" and state.battle is not None and state.battle.at is not None

    def turn_of(self, state: State) -> int:
        return state.turn

    def turn_name(self, state: State, turn: int) -> str:
        return f"B{turn}" if state.battle and state.battle.at is None else f"T{turn}"

    def board_name(self, view: State) -> Sentence:
        return self.phrases.board if view.battle is None else Sentence("the battleboard")

    def summary(self, view: State, *, say: Say = ENGLISH) -> tuple[str, ...]:
        return tuple(hints.summary(view, scores(view), say))

    def notes(self, state: State, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Return notes on house values, and on switches that differ from the default (§16)."""
        return tuple(hints.notes(state, say))

    def prospects(self, view: State, seat: Seat, *, say: Say = ENGLISH) -> tuple[str, str]:
        return hints.advice(view, seat, say), written(str(hints.example(view, seat)), say.language)

    def translate_orders(self, state: State, orders: str, *, say: Say = ENGLISH) -> str:
        return written(orders, say.language)

    def decks(self, state: State) -> Mapping[str, tuple[str, ...]]:
        return state.pools

    def with_decks(self, state: State, decks: Mapping[str, tuple[str, ...]]) -> State:
        return replace(state, pools={owner: decks[owner] for owner in state.pools})

    def dealt_anew(self, state: State, chance: Chance) -> State:
        return replace(state, pools={owner: shuffled(state.pools[owner], chance) for owner in sorted(state.pools)})

    def choose(self, view: State, seat: Seat) -> Orders:
        from pbem.games.ozz.bot import choose  # rarely needed

        return choose(view, seat)

    def think(self, view: State, seat: Seat, level: int, chance: Chance) -> Iterator[capabilities.Thought]:
        from pbem.games.ozz.thinking import think  # rarely needed

        return think(view, seat, level, chance)

    def win_share(self, view: State, seat: Seat) -> float:
        from pbem.games.ozz.win_share import win_share  # rarely needed

        return win_share(view, seat)

    def weigh(self, view: State, seat: Seat, orders: Sequence[Orders], level: int, chance: Chance) -> Sequence[float]:
        from pbem.games.ozz.thinking import weigh  # rarely needed

        return weigh(view, seat, orders, level, chance)

    def hear(self, state: State, seat: Seat, text: str) -> capabilities.Heard:
        from pbem.games.kit.surety import told  # imported here because most orders use the notation
        from pbem.games.ozz.hearing import SURETY, heard, lines_of

        if state.phase != "orders":
            return capabilities.Heard()
        return told(heard(state, seat, text), lines_of, SURETY)

        readings = heard(state, seat, text) if state.phase == "orders" else []
        return tuple((str(orders), likelihood) for orders, likelihood in readings if orders)

    def talk(self, state: State, seat: Seat, text: str) -> float:
        from pbem.games.kit.talk import share_of_talk
        from pbem.games.ozz.hearing import Lexicon, passage_of  # imported here because most orders use the notation
        from pbem.games.ozz.naming import Side

        return share_of_talk(passage_of(Lexicon(Side(state, seat)), text).masked())

    def describe_data(self, name: str) -> str:
        return dataset.described(dataset.find_data(name))

    def accepts_orders_from(self, state: State) -> frozenset[Seat]:
        return self.may_order(state)

    def answer(
        self, view: State, seat: Seat, kind: str, names: Sequence[str], *, say: Say = ENGLISH
    ) -> tuple[str, ...]:
        return lookup.answer(view, kind, names, say)
