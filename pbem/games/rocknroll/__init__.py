"""Rock'n'Roll: two sides fight for a row of Points with cards, dice and hidden hands, one turn after another.

From a card file to a turn:

- `cards`: the cards of a set as values; `cardfile`: reads a set from `sets/*.json`, or from another file of the same
  form, and checks it.
- `orders`: commands and standing orders as values; `str` writes them in their canonical form, which is English.
- `orders.lark`, `words/`: the grammar and the words of written orders; `names`: the names of cards and Points in every
  grammatical case, and the value that each rule of the grammar produces.
- `interpret`: turns the parsed items of a letter into orders, or reports every mistake with a correction; `guess`:
  decides whether words that the grammar cannot read are meant as orders, and what they probably mean; `hearing`:
  understands orders in everyday words.
- `state`: where every card is, and what each seat may see.

The modules that read letters produce `orders.Orders`. The rules take these orders, and check a line against the
position only when they reach that line.

- `table`, `combat`, `script`: how a turn is carried out; `rules`: the set-up, the turn, and the end of a round.
- `loading`: reads a state from plain data or from one line of text, and checks it; `events`: the types of everything
  that can happen in a turn.
- `questions`: adjudicates turns for other programs.
- `playable`: puts the orders of a letter into a sequence in which they can be played, and leaves out orders that are
  certain to be skipped.
- `bot`: a computer player, and the expected results of orders; `search`: a computer opponent with five levels, which
  tries `variations` of its orders and judges them by `win_share`.

What people see:

- `setting`: the options of a war, and the headers of its record; `wording`: words for names, chances and standing
  orders, and orders in the reader's notation.
- `narrative`: the story of a turn; `hints`: what a seat has and can do; `receipt`: the meaning of a letter, and
  warnings about it; `answers`: answers to questions about the row and the cards.
- `drawing`, `svg`: pictures of the row of Points.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pbem import ENGLISH, Say, Sentence
from pbem.games import capabilities
from pbem.games.base import (
    Departure,
    Game,
    Paragraph,
    Phrases,
    Result,
    Ruling,
    Seat,
    Side,
    Sign,
    Terminals,
)
from pbem.games.chance import Chance
from pbem.games.options import Option
from pbem.games.rocknroll import (
    answers,
    bot,
    cardfile,
    drawing,
    guess,
    hints,
    interpret,
    loading,
    narrative,
    playable,
    questions,
    receipt,
    rules,
    search,
    setting,
    svg,
    win_share,
    wording,
)
from pbem.games.rocknroll.cards import opponent
from pbem.games.rocknroll.names import SHAPES, names_of
from pbem.games.rocknroll.orders import DEFAULT, Orders, merged
from pbem.games.rocknroll.receipt import foresee
from pbem.games.rocknroll.state import Decks, State, View, of_states, redact_events, show, view_of
from pbem.games.rocknroll.wording import CALLED
from pbem.games.spelling import in_one_alphabet
from pbem.resources import resource


class Rocknroll(
    Game[State, Orders],
    capabilities.HasGrid[View],
    capabilities.Adjudicable[State],
    capabilities.AnswersQuestions,
    capabilities.AdjudicatesSetUp[State],
    capabilities.Bot[View, Orders],
    capabilities.HasCardFiles,
    capabilities.AnswersLookups,
    capabilities.DealsAnew[State],
    capabilities.HasDecks[State],
    capabilities.KeepsStandingOrders,
    capabilities.HasOpening[State],
    capabilities.RevisesOrders,
    capabilities.TranslatesOrders,
):
    """The game Rock'n'Roll as the service sees it. Its methods are documented in `pbem.games.base` and
    `pbem.games.capabilities`."""

    name = "rocknroll"
    title = "Rock'n'Roll"
    short = "rnr"
    rules_version = rules.RULES_VERSION
    chance = True
    templates = resource("templates/games/rocknroll")
    hides = True
    turning_words = True
    grammar = Path(__file__).with_name("orders.lark")
    shapes = SHAPES
    svg_style = svg.STYLE
    signs: Mapping[Seat, Sign] = {
        "vpa": Sign("#2f5d34", "#8fd197"),
        "vpa1": Sign("#2f5d34", "#8fd197"),
        "vpa2": Sign("#5b5a10", "#d4d27a"),
        "vpa3": Sign("#0f5f63", "#7fd3d8"),
        "vietnam": Sign("#a3341f", "#f7a08e", round=True),
        "vietnam1": Sign("#a3341f", "#f7a08e", round=True),
        "vietnam2": Sign("#8a2c6b", "#f0a3d6", round=True),
        "vietnam3": Sign("#7a4a00", "#f0bd6b", round=True),
    }
    phrases = Phrases(
        board=Sentence("the row of Points"),
        missed=Sentence("no orders came, so nothing was done"),
        unasked=Sentence("not their turn"),
        idle=Sentence("It is another seat's turn; you can send standing orders."),
        forecast=Sentence("Before the first die falls"),
    )
    called: Mapping[Side, Sentence] = CALLED
    lookups = answers.LOOKUPS

    seats = staticmethod(setting.seats_of)
    new = staticmethod(setting.set_up)
    dealt_anew = staticmethod(rules.dealt_anew)
    awaiting = staticmethod(rules.awaiting)
    resolve = staticmethod(rules.resolve)
    result = staticmethod(rules.result)
    view = staticmethod(view_of)
    redact_events = staticmethod(redact_events)
    show = staticmethod(show)
    dump = staticmethod(loading.stored)
    load = staticmethod(loading.restored)
    headers = staticmethod(setting.headers)
    from_headers = staticmethod(setting.from_headers)
    choose = staticmethod(bot.choose)
    think = staticmethod(search.think)
    weigh = staticmethod(search.weigh)
    read_question = staticmethod(questions.read_question)
    adjudicate_set_up = staticmethod(questions.set_up)
    asked_about = staticmethod(answers.asked_about)
    answered = staticmethod(questions.answered)
    titles = staticmethod(questions.titles)
    interpret = staticmethod(interpret.interpret)
    revised = staticmethod(playable.revised)
    position = staticmethod(loading.position)
    phase = of_states(hints.phase)
    picture = of_states(drawing.picture)
    cells = of_states(drawing.cells)
    plan = of_states(svg.plan)
    overlay = of_states(svg.overlay)
    svg = of_states(svg.svg)
    story = of_states(narrative.story)
    paraphrase = of_states(receipt.paraphrase)
    cautions = of_states(receipt.cautions)
    holdings = of_states(hints.holdings)
    summary = of_states(hints.summary)

    def options(self, chosen: Mapping[str, Any]) -> tuple[Option, ...]:
        return setting.OPTIONS

    def win_share(self, view: View, seat: Seat) -> float:
        return win_share.share(view.state, view.state.side_of(seat))

    def opening(self, start: State, chance: Chance) -> Ruling[State]:
        return rules.set_up(start.cards, start.seats, start.limit, chance, start.standing)

    def terminals(self, state: State) -> Terminals:
        return names_of(state.cards).terminals

    def speller(self, state: State) -> Callable[[str], str]:
        return in_one_alphabet

    def is_complete(self, state: State, items: Sequence[Any]) -> bool:
        return not interpret.interpret(state, state.on_turn or state.seats[0].seat, items).mistakes

    def is_attempt(self, state: State, line: str, items: Sequence[Any]) -> bool:
        return guess.is_attempt(state, items)

    def is_about(self, state: State, text: str) -> bool:
        return guess.is_about(state.cards, text)

    def with_standing(self, before: str, lines: tuple[str, ...]) -> str:
        return "; ".join(map(str, merged((*before.split("; "), *lines))))

    def in_force(self, standing: str) -> str:
        return "; ".join(str(rule) for rule in merged(standing.split("; ")) if rule.value != DEFAULT)

    def joined(self, state: State, seat: Seat, orders: Orders | None, standing: str) -> Orders | None:
        """Return the commands of `orders` together with those orders in `standing` that are not yet in force in
        `state`; None if there are neither commands nor such standing orders."""
        in_force = state.standing[seat]
        changes = tuple(rule for rule in merged(standing.split("; ")) if in_force.get(rule.key, DEFAULT) != rule.value)
        commands = orders.commands if orders else ()
        return Orders(changes, commands) if changes or commands else None

    def paraphrase_standing(self, view: View, standing: str, *, say: Say = ENGLISH) -> str:
        rules = {rule.key: rule.value for rule in merged(standing.split("; ")) if rule.value != DEFAULT}
        side = dict(view.state.seats).get(view.reader or "")
        told = wording.describe_standing(view.state.cards, side, rules, say)
        if not rules:
            return told
        line = self.translate_orders(view.state, f"{[*rules][-1]}: {DEFAULT}", say=say)
        return say("{told}. To cancel one, write, for example, `{line}`", told=told, line=line)

    def resigned(self, state: State, seat: Seat) -> Departure[State]:
        side = state.side_of(seat)
        if any(chair.side == side and chair.seat != seat for chair in state.playing):
            return Departure(rules.resigned(state, seat), None)
        why = Sentence("{side} resigned.", side=CALLED[side])
        return Departure(state, Result(opponent(side), why))

    def scores(self, state: State) -> dict[Seat, int]:
        """Return the score of each seat, which is the OK of its side."""
        return {seat: state.ok[side] for seat, side in state.seats}

    def forecast(self, state: State, seat: Seat, orders: Orders) -> View:
        """Return the public view of the position that `orders` lead to before the first die is thrown. Cards that are
        still to be drawn remain unknown."""
        seen = view_of(state, seat).state
        return view_of(foresee(seen, seat, orders.commands).state, None)

    def placed(self, state: State, text: str) -> State:
        return loading.placed(text, state)

    def notes(self, state: State, *, say: Say = ENGLISH) -> tuple[str, ...]:
        """Return a note if the cards have house values, otherwise an empty tuple."""
        return (say("Most numbers on these cards are our own"),) if setting.is_house(state.cards) else ()

    def prospects(self, view: View, seat: Seat, *, say: Say = ENGLISH) -> tuple[str, str]:
        orders = str(bot.example(view.state, seat))
        return hints.advice(view.state, seat, say), self.translate_orders(view.state, orders, say=say)

    def decks(self, state: State) -> Mapping[str, tuple[str, ...]]:
        return {**state.decks.units, "orders": state.decks.orders}

    def with_decks(self, state: State, decks: Mapping[str, tuple[str, ...]]) -> State:
        units = {side: decks[side] for side in state.decks.units}
        return replace(state, decks=Decks(units, decks["orders"]))

    def translate_orders(self, state: State, orders: str, *, say: Say = ENGLISH) -> str:
        return wording.written(state.cards, orders, say)

    def describe_cards(self, name: str) -> str:
        return cardfile.described(cardfile.find_set(name))

    def look_up(self, view: View, word: str, name: str, *, say: Say = ENGLISH) -> tuple[Paragraph, ...] | None:
        return answers.look_up(view.state.cards, name, say)

    def hear(self, state: State, seat: Seat, text: str) -> capabilities.Heard:
        from pbem.games.kit.surety import told  # imported here because most orders use the notation
        from pbem.games.rocknroll.hearing import SURETY, heard, lines_of

        if seat != state.on_turn:
            return capabilities.Heard()
        return told(heard(state, seat, text), lines_of, SURETY)

        readings = heard(state, seat, text) if seat == state.on_turn else []
        return tuple((str(orders), likelihood) for orders, likelihood in readings if orders)

    def talk(self, state: State, seat: Seat, text: str) -> float:
        from pbem.games.kit.talk import share_of_talk
        from pbem.games.rocknroll.hearing import passage_of  # imported here because most orders use the notation

        return share_of_talk(passage_of(state, text).masked())

    def answer(self, view: View, seat: Seat, kind: str, names: Sequence[str], *, say: Say = ENGLISH) -> tuple[str, ...]:
        return answers.answer(view, kind, names, say)
