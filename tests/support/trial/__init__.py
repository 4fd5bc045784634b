"""A game for tests, with features that Ozymandia lacks: three seats, alternating turns, dice, hands, Cyrillic orders.

Each seat has three cards. The seat on turn lays one face down or passes, throws a die, and replaces the card it laid.
After three rounds the highest sum of cards and dice wins. In a state, 0 is a card that its reader may not see.
"""

import copy
import json
import re
from html import escape
from itertools import groupby, islice
from pathlib import Path

from pbem import ENGLISH, Sentence
from pbem.games import base
from pbem.games.base import OPEN, Result, Sign
from pbem.games.capabilities import KeepsStandingOrders
from pbem.games.chance import shuffled
from pbem.games.options import Option

SIGNS = {"amber": Sign("#8a4b00", "#ffb84d"), "birch": Sign("#23652b", "#86d98f"), "cedar": Sign("#7a1f5c", "#f08fce")}
CALLED = {"amber": Sentence("Amber"), "birch": Sentence("House Birch"), "cedar": Sentence("CDR")}
SHAPES = {"orders": tuple, "bid": lambda found: ("bid", *found), "always": lambda found: ("always", *found)}
TOLD = {"die": "{who} throws {fell}.", "lay": "{who} lays {card}.", "draw": "{who} draws {card}."}
SAID = "the table", "no orders: no card", "not their turn", "It is not your turn.", "The table then (* = changed)"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" class="board"><desc>{}</desc></svg>'


class Trial(base.Game, KeepsStandingOrders):
    name, title, short, rules_version, chance, hides = "trial", "Trial", "tr", "1", True, True
    grammar, templates = Path(__file__).with_name("orders.lark"), Path(__file__).with_name("templates")
    shapes, called, signs, svg_style = SHAPES, CALLED, SIGNS, ""
    phrases = base.Phrases(*map(Sentence, SAID))
    # Methods that take a single expression
    options = staticmethod(lambda chosen: (Option("seats", "number", Sentence("How many."), 3, least=2, most=3),))
    seats = staticmethod(lambda options: tuple(base.Chair(one, one) for one in [*SIGNS][: options.get("seats", 3)]))
    awaiting = staticmethod(lambda state: frozenset({state["on"]} - {""}))
    scores = staticmethod(lambda state: {one: sum(state["laid"][one]) + dice for one, dice in state["dice"].items()})
    redact_orders = staticmethod(lambda orders, seat, reader, before, now: orders if reader in (seat, OPEN) else None)
    dump = load = staticmethod(lambda data: data)
    headers = staticmethod(lambda start, options: {"Seats": str(len(start["hands"]))})
    position = staticmethod(lambda state: json.dumps(state).encode().hex())
    with_standing = staticmethod(lambda before, lines: "; ".join(lines))
    phase = staticmethod(lambda view, say=ENGLISH: say("Round {one}.", one=-(-view["turn"] // len(view["hands"]))))
    paraphrase = staticmethod(lambda view, seat, orders, say=ENGLISH: say("You say {orders}.", orders=orders))
    prospects = staticmethod(lambda view, seat, say=ENGLISH: (say("Lay a card."), _bid(max(view["hands"][seat]))))
    plan = overlay = svg = staticmethod(lambda view, *rest, say=ENGLISH: SVG.format(escape(str(view))))

    def new(self, options, chance):
        seats, cards = base.seats_of(self, options), shuffled(range(1, 31), chance)
        hands = {seat: sorted(cards[at * 3 : at * 3 + 3]) for at, seat in enumerate(seats)}
        state = {"turn": 1, "on": seats[0], "hands": hands, "gone": []}
        return {**state, "laid": {seat: [] for seat in seats}, "dice": dict.fromkeys(seats, 0)}

    def from_headers(self, headers, chance):
        return self.new(options := {"seats": int(headers["Seats"])}, chance), options

    def resolve(self, state, orders, chance):
        state, seat, events = copy.deepcopy(state), state["on"], []
        if seat in orders:
            events.append({"type": "die", "purpose": "luck", "seat": seat, "fell": chance.die(6)})
            state["dice"][seat] += events[0]["fell"]
        if card := _card(orders.get(seat, "")):
            deck = sorted({*range(1, 31)}.difference(*state["hands"].values(), *state["laid"].values()))
            drawn = deck[chance.pick(len(deck))]
            state["hands"][seat] = sorted({*state["hands"][seat], drawn} - {card})
            state["laid"][seat].append(card)
            told = (("lay", card), ("draw", drawn))
            events += [{"type": kind, "seat": seat, "card": one, "seen": [seat]} for kind, one in told]
        return base.Ruling(_passed_on({**state, "turn": state["turn"] + 1}), tuple(events))

    def dealt_anew(self, state, chance):
        laid, hands = set().union(*state["laid"].values()), {}
        cards = iter(shuffled([card for card in range(1, 31) if card not in laid], chance))
        for seat, own in state["hands"].items():
            hands[seat] = sorted(islice(cards, len(own)))
        return {**state, "hands": hands}

    def resigned(self, state, seat):
        state = {**state, "gone": [*state["gone"], seat]}
        left = [one for one in state["hands"] if one not in state["gone"]]
        over = Result(left[0], Sentence("Nobody else is left."), forfeit=True) if len(left) == 1 else None
        return base.Departure(_passed_on(state) if state["on"] == seat else state, over)

    def result(self, state):
        values = {seat: -1 if seat in state["gone"] else value for seat, value in self.scores(state).items()}
        ranking = tuple(tuple(rank) for _, rank in groupby(sorted(values, key=values.get, reverse=True), values.get))
        reason = Sentence("The highest sum is {most}.", most=max(values.values()))
        winner = ranking[0][0] if len(ranking[0]) == 1 else None
        return None if state["on"] else Result(winner, reason, ranking=ranking)

    def view(self, state, reader):
        def seen(cards):
            return {seat: own if reader in (seat, OPEN) else [0] * len(own) for seat, own in cards.items()}

        return {**state, "hands": seen(state["hands"]), "laid": seen(state["laid"])}

    def is_attempt(self, state, line, items):
        return (items and self.is_complete(state, items)) or re.match(r"\W*(ставлю|пас|всегда)\b", line, re.I)

    def interpret(self, state, seat, items):
        hand, wrong, orders, standing = state["hands"][seat], [], [], []
        for rule, word, *_ in items or [base.Unread("", 0)]:
            at, text = (word.start_pos, word.value) if rule in ("bid", "always") else (word, rule)
            if rule == "always":
                standing.append(f"Всегда {_card(text)}")
            elif rule == "bid" and not orders and _card(text) in (0, *hand):
                orders.append(_bid(_card(text)))
            else:
                told = Sentence("Lay one of your cards, which are {hand}, or write `Пас`.", hand=tuple(hand))
                wrong.append(base.Mistake(at, at + len(text), told))
        if wrong:
            return base.Interpretation(None, tuple(wrong), _bid(max(hand)))
        return base.Interpretation(orders[0] if orders else None, (), standing=tuple(standing))

    def joined(self, state, seat, orders, standing):
        known = (line for line in standing.split("; ") if _card(line) in state["hands"][seat])
        return orders or next((_bid(_card(line)) for line in known), None)

    def forecast(self, state, seat, orders):
        state, card = copy.deepcopy(self.view(state, seat)), _card(orders)
        if card:
            state["hands"][seat].remove(card)
            state["laid"][seat].append(card)
        return state

    def placed(self, state, text):
        try:
            return {**state, **json.loads(bytes.fromhex(text))}
        except (ValueError, TypeError):
            raise base.GameError(Sentence("This is no position.")) from None

    def picture(self, view, since=None, *, say=ENGLISH):
        def row(name, seat):
            return " ".join(str(card or "?") for card in view[name][seat])

        lines = {one: f" dice {n} laid {row('laid', one)} hand {row('hands', one)}" for one, n in view["dice"].items()}
        return tuple((base.Span(seat, seat), base.Span(line)) for seat, line in lines.items())

    def story(self, before, events, *, say=ENGLISH):
        told = (say(TOLD[one["type"]], **{**one, "who": say(CALLED[one["seat"]])}) for one in events)
        return (base.Paragraph("", " ".join(told)),)


def _card(words):
    return int(re.sub(r"\D", "", words) or 0)


def _bid(card):
    return f"Ставлю {card}" if card else "Пас"


def _passed_on(state):
    seats = [*state["hands"]]
    order = [*seats, *seats][seats.index(state["on"]) + 1 :]
    following = next((seat for seat in order if seat not in state["gone"]), "")
    return {**state, "on": following if state["turn"] <= 3 * len(seats) else ""}
