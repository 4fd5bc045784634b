"""Answers to the questions that a seat asks about its match. They use only what that seat may see."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pbem.games.capabilities import AnswersQuestions
from pbem.match import reports, supposing
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.match.sections import read_orders
from pbem.orders.command import Inquiry, Suppose
from pbem.orders.commands import EXPLANATIONS, player_usage, row_named
from pbem.orders.inquiries import UNKNOWN, paragraph
from pbem.orders.intents import SURE

_MOST_WRONG = 3  # the maximum number of sentences that explain why orders are illegal


def answer(reply: Reply, inquiry: Inquiry | Suppose) -> None:
    """Add a brief answer to `inquiry` to the reply. Nothing is stored."""
    if isinstance(inquiry, Suppose):
        supposing.suppose(reply, inquiry)
        return
    if inquiry.kind in ("allowed", "rules", "writing") and _told_how(reply, inquiry):
        return
    match = reply.match.as_told()
    if inquiry.kind == "what if":
        if supposing.may_suppose(reply):
            _what_if(reply, inquiry)
        return
    details = _KINDS.get(inquiry.kind, _of_game)(reply, match, inquiry)
    values = {"kind": inquiry.kind, "match": match, "seat": reply.seat, **details}
    reply.tell("answer", asked=_heading(inquiry), **values)


def _heading(inquiry: Inquiry) -> str:
    return " ".join(inquiry.text.split())


def _told_how(reply: Reply, inquiry: Inquiry) -> bool:
    """If `inquiry` asks how to use a command rather than what a rule says, explain how the command is written and
    return True; otherwise, return False."""
    intent = reply.intent((inquiry.text,))
    ruled = inquiry.kind != "writing" and paragraph(reply.match.game, inquiry.text)
    if intent is None or not intent.how or (ruled and intent.lead < SURE):
        return False
    return tell_how(reply, intent.name.removeprefix("how "))


def answer_rule(reply: Reply, text: str) -> bool:
    """If `text` is a question about something that a paragraph of the rules explains, answer it with this paragraph;
    return whether it is such a question."""
    if "?" not in text or not paragraph(reply.match.game, text):
        return False
    answer(reply, Inquiry("allowed", text=text))
    return True


def _of_game(reply: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """Return the values for the answer to a kind of question that only this game has."""
    game, seat = match.game, reply.seat
    assert isinstance(game, AnswersQuestions)
    view = match.view(seat)
    return {"told": partial(game.answer, view, seat, inquiry.kind, inquiry.names)}


def _may(_: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """Return the values for the answer to a question about whether orders would be legal. The orders of each seat are
    judged separately."""
    verdicts = []
    for seat, text in inquiry.orders:
        reading = read_orders(match, seat, text)
        idle = seat not in match.game.awaiting(match.state)
        ways = reading.readings if reading.orders is None else (str(reading.orders),)
        if reading.proposal and not reading.mistakes:
            ways = (reading.proposal,)
        wrong = tuple(mistake.sentence for mistake in reading.mistakes[:_MOST_WRONG])
        verdicts.append((seat, idle, () if idle else ways, wrong))
    return {"told": verdicts}


def _what_if(reply: Reply, inquiry: Inquiry) -> None:
    """Forecast a turn from the orders in the question. If these do not include orders for the writer's own seat, the
    orders that stand for this seat are used. Orders that stand for other seats are never used."""
    match, orders = reply.match.as_told(), dict(inquiry.orders)
    entry = None if reply.seat in orders else match.standing.get(reply.seat)
    orders |= {reply.seat: entry.canonical} if entry else {}
    supposing.play_through(reply, [tuple(orders.items())], [_heading(inquiry)], entry=entry)


def _last_turn(reply: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """Return the values for the answer to a question about the last turn: the orders of the seats that `inquiry` names,
    or of all seats if it names none. What happened in the turn is included if no seat is named or some of these orders
    are secret."""
    turn = match.past.last
    if turn is None:
        return {"played": 0}
    values = reports.report(match, turn, reply.seat).values
    chosen = [row for row in values["orders"] if not inquiry.names or row[0] in inquiry.names]
    whole = not inquiry.names or any(came and canonical is None for _, _, came, canonical, *_ in chosen)
    return {"played": values["played"], "orders": chosen, "story": values["story"] if whole else ()}


def _pending(reply: Reply, match: Match, _: Inquiry) -> dict[str, Any]:
    return {"missing": match.missing(), "deadline": match.deadline and match.deadline.moment}


def _help(_: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """Return the values for an answer that explains how orders are written, or that quotes the paragraphs of the rules
    that the question may be about."""
    if inquiry.kind == "writing":
        return {"topic": "", "rules": ()}
    return {"topic": "rules", "rules": paragraph(match.game, inquiry.text)}


_KINDS: Mapping[str, Callable[[Reply, Match, Inquiry], dict[str, Any]]] = {
    "may": _may,
    "last turn": _last_turn,
    "deadline": _pending,
    "missing": _pending,
    "turn": _pending,
    "mine": lambda reply, match, _: {"entry": match.standing.get(reply.seat)},
    "score": lambda reply, match, _: {"summary": partial(match.game.summary, match.view(reply.seat))},
    "who": lambda _, match, __: {"players": match.seats},
    "rules": _help,
    "means": _help,
    "allowed": _help,
    "writing": _help,
    "turns": lambda *_: {"topic": "rules", "rules": (1,)},  # this rule, on how a game ends, also says how long it lasts
    UNKNOWN: lambda _, __, inquiry: {"codes": inquiry.names},
}
"""The functions that return the values for answers, keyed by kind of question. These are the kinds that exist in every
game; each game may have more kinds of its own."""


def tell_how(reply: Reply, word: str) -> bool:
    """Explain how the command `word` is written, without carrying it out. Always returns True."""
    row = row_named("help" if word == "pass" else word)
    usage = "help orders" if word == "pass" else player_usage(row.word)
    reply.notice("usage", word=word, usage=usage, help=EXPLANATIONS.get(word, row.help))
    return True
