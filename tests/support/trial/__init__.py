"""A game for tests, with what Ozymandia has not: three seats, turns one after the other, dice, hands, Cyrillic orders.

Each seat has three cards. Whose turn it is lays one of them face down, or passes, and throws a die; who lays a card
draws another. After three rounds the highest sum of cards and dice wins. `pbem.games.base` says what each method does.
A state is plain data, in which 0 is a card that its reader may not see; orders are what they look like.
"""

import copy
import json
import re
from html import escape
from itertools import groupby
from pathlib import Path

from pbem.games import base
from pbem.games.base import ENGLISH, OPEN, Result, Sentence, Sign
from pbem.games.chance import shuffled

SIGNS = {"amber": Sign("#8a4b00", "#ffb84d"), "birch": Sign("#23652b", "#86d98f"), "cedar": Sign("#7a1f5c", "#f08fce")}
SHAPES = {"orders": tuple, "bid": lambda found: ("bid", *found), "always": lambda found: ("always", *found)}
TOLD = {
    "die": "{who} throws {fell}.",
    "lay": "{who} lays a card.",
    "card": "It is {card}.",
    "draw": "They draw {card}.",
}


class Trial(base.Game):
    name, title, short, rules_version, chance, hides = "trial", "Trial", "tr", "1", True, True
    grammar, templates = Path(__file__).with_name("orders.lark"), Path(__file__).with_name("templates")
    line_start, shapes, signs = "<bid>|<stay>|<always>", SHAPES, SIGNS
    phrases = base.Phrases(Sentence("the table"), Sentence("no orders: no card"), Sentence("It is not your turn."))
    svg_style = "svg.board { font: 14px sans-serif }"

    def seats(self, options):
        return tuple(base.Chair(seat, seat) for seat in [*SIGNS][: options.get("seats", 3)])

    def options(self, chosen):
        return (base.Option("seats", "number", Sentence("How many play."), 3, least=2, most=3),)

    def new(self, options, chance):
        seats, cards = base.seats_of(self, options), shuffled(range(1, 31), chance)
        hands = {seat: sorted(cards[at * 3 : at * 3 + 3]) for at, seat in enumerate(seats)}
        state = {"turn": 1, "on": seats[0], "hands": hands, "gone": []}
        return {**state, "laid": {seat: [] for seat in seats}, "dice": dict.fromkeys(seats, 0)}

    def headers(self, start, options):
        return {"Seats": str(len(start["hands"]))}

    def from_headers(self, headers, chance):
        return self.new(options := {"seats": int(headers["Seats"])}, chance), options

    def awaiting(self, state):
        return frozenset({state["on"]} - {""})

    def phase(self, state, *, say=ENGLISH):
        return say("Round {number}", number=(state["turn"] - 1) // len(state["hands"]) + 1) if state["on"] else ""

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
            events += [{"type": "lay", "seat": seat}, {"type": "card", "seat": seat, "card": card, "to": [seat]}]
            events.append({"type": "draw", "seat": seat, "card": drawn, "to": [seat]})
        return base.Ruling(_passed_on({**state, "turn": state["turn"] + 1}), tuple(events))

    def resigned(self, state, seat):
        state = {**state, "gone": [*state["gone"], seat]}
        left = [one for one in state["hands"] if one not in state["gone"]]
        over = Result(left[0], Sentence("Nobody else is left."), forfeit=True) if len(left) == 1 else None
        return base.Departure(_passed_on(state) if state["on"] == seat else state, over)

    def scores(self, state):
        return {seat: sum(cards) + state["dice"][seat] for seat, cards in state["laid"].items()}

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

    def shown(self, events, reader):
        return base.seen_by(events, reader)

    def is_complete(self, state, items):
        return not any(isinstance(item, base.Unread) for item in items)

    def told_orders(self, orders, seat, reader):
        return orders if reader in (seat, OPEN) else None

    def is_attempt(self, state, line, items):
        return (items and self.is_complete(state, items)) or re.match(r"\W*(ставлю|пас|всегда)\b", line, re.I)

    def interpret(self, state, seat, items):
        hand, wrong, orders, standing = state["hands"][seat], [], [], []
        for rule, word in items or [base.Unread("", 0)]:
            at, text = (word.start_pos, word.value) if rule in ("bid", "always") else (word, rule)
            if rule == "always":
                standing.append(f"Всегда {_card(text)}")
            elif rule == "bid" and not orders and _card(text) in (0, *hand):
                orders.append(f"Ставлю {_card(text)}" if _card(text) else "Пас")
            else:
                told = Sentence("Lay one of your cards, which are {hand}, or write `Пас`.", hand=tuple(hand))
                wrong.append(base.Mistake(at, at + len(text), told))
        if wrong:
            return base.Interpretation(None, tuple(wrong), f"Ставлю {max(hand)}")
        return base.Interpretation(orders[0] if orders else None, ())

    def with_standing(self, before, lines):
        return "; ".join(lines)

    def joined(self, state, seat, orders, standing):
        known = (line for line in standing.split("; ") if _card(line) in state["hands"][seat])
        return orders or next((f"Ставлю {_card(line)}" for line in known), None)

    def words(self, state, seat, orders, *, say=ENGLISH):
        return say("You lay {card} face down.", card=_card(orders)) if _card(orders) else say("You lay no card.")

    def forecast(self, state, seat, orders):
        state, card = copy.deepcopy(self.view(state, seat)), _card(orders)
        if card:
            state["hands"][seat].remove(card)
            state["laid"][seat].append(card)
        return state

    def show(self, view):
        return view

    dump = load = show

    def position(self, state):
        return json.dumps(state).encode().hex()

    def placed(self, state, text):
        try:
            return {**state, **json.loads(bytes.fromhex(text))}
        except (ValueError, TypeError):
            raise base.GameError(Sentence("This is no position.")) from None

    def picture(self, view, since=None, *, say=ENGLISH):
        lines = [{seat: _line(one, seat) for seat in one["hands"]} for one in (view, since or view)]
        mark = {seat: " *" * (line != lines[1][seat]) for seat, line in lines[0].items()}
        return tuple((base.Span(seat, seat), base.Span(line + mark[seat])) for seat, line in lines[0].items())

    def svg(self, view, since=None, events=(), *, say=ENGLISH):
        return f'<svg xmlns="http://www.w3.org/2000/svg" class="board"><desc>{escape(str(view))}</desc></svg>'

    plan = overlay = svg

    def story(self, before, events, *, say=ENGLISH):
        told = (say(TOLD[one["type"]], **{**one, "who": say(one["seat"].capitalize())}) for one in events)
        return (base.Paragraph("", " ".join(told)),)

    def summary(self, view, *, say=ENGLISH):
        return ()

    notes = summary

    def prospects(self, view, seat, *, say=ENGLISH):
        return say("Lay one of your cards, or pass."), f"Ставлю {max(view['hands'][seat])}"


def _card(words):
    return int(re.sub(r"\D", "", words) or 0)


def _line(view, seat):
    cards = ("  ".join(str(card or "?") for card in view[name][seat]) for name in ("laid", "hands"))
    return " dice {}  laid {}  hand {}".format(view["dice"][seat], *cards)


def _passed_on(state):
    seats = [*state["hands"]]
    order = [*seats, *seats][seats.index(state["on"]) + 1 :]
    following = next((seat for seat in order if seat not in state["gone"]), "")
    return {**state, "on": following if state["turn"] <= 3 * len(seats) else ""}
