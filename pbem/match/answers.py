"""Answers to a seat's questions about its match, by what that seat may see and nothing else."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pbem.games.capabilities import Answers
from pbem.match import reports, supposing
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.match.sections import read_orders
from pbem.orders.command import Inquiry, Suppose
from pbem.orders.commands import player_usage, row_named
from pbem.orders.inquiries import UNKNOWN, paragraph
from pbem.orders.intents import SURE

_MOST_WRONG = 3  # sentences that say why orders cannot be


def answer(reply: Reply, inquiry: Inquiry | Suppose) -> None:
    """A short answer to one question; it stores nothing."""
    if isinstance(inquiry, Suppose):
        supposing.suppose(reply, inquiry)
        return
    if inquiry.kind in ("allowed", "rules", "writing") and _told_how(reply, inquiry):
        return
    match = reply.table.as_told()
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
    """Whether a question is how a command is written, and no rule: then that is told."""
    intent = reply.intent((inquiry.text,))
    ruled = inquiry.kind != "writing" and paragraph(reply.table.game, inquiry.text)
    if intent is None or not intent.how or (ruled and intent.lead < SURE):
        return False
    return tell_how(reply, intent.name.removeprefix("how "))


def answer_rule(reply: Reply, text: str) -> bool:
    """Answer a letter that only asks with the paragraph of the rules that it is about; False if it is about none."""
    if "?" not in text or not paragraph(reply.table.game, text):
        return False
    answer(reply, Inquiry("allowed", text=text))
    return True


def _of_game(reply: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """What the game says of its own things."""
    game, seat = match.game, reply.seat
    assert isinstance(game, Answers)
    view = match.view(seat)
    return {"told": partial(game.answer, view, seat, inquiry.kind, inquiry.names)}


def _may(_: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """Whether orders would be legal, each side's alone."""
    verdicts = []
    for seat, text in inquiry.orders:
        reading = read_orders(match, seat, text)
        idle = seat not in match.game.awaiting(match.state)
        ways = reading.readings if reading.orders is None else (str(reading.orders),)
        wrong = tuple(mistake.sentence for mistake in reading.mistakes[:_MOST_WRONG])
        verdicts.append((seat, idle, () if idle else ways, wrong))
    return {"told": verdicts}


def _what_if(reply: Reply, inquiry: Inquiry) -> None:
    """What a turn would come to: with the orders that the question has and, where it has none of one's own, with those
    that stand; no others' that are in."""
    match, orders = reply.table.as_told(), dict(inquiry.orders)
    entry = None if reply.seat in orders else match.standing.get(reply.seat)
    orders |= {reply.seat: entry.canonical} if entry else {}
    supposing.play_through(reply, [tuple(orders.items())], [_heading(inquiry)], entry=entry)


def _last_turn(reply: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """What some seats ordered in the turn before, or if that is not told, what happened in it."""
    if not match.turns:
        return {"played": 0}
    turn = match.turns[-1]
    values = reports.report(match, turn, reply.seat).values
    chosen = [row for row in values["orders"] if not inquiry.names or row[0] in inquiry.names]
    whole = not inquiry.names or any(came and canonical is None for _, _, came, canonical, *_ in chosen)
    return {"played": values["played"], "orders": chosen, "story": values["story"] if whole else ()}


def _pending(reply: Reply, match: Match, _: Inquiry) -> dict[str, Any]:
    return {"missing": match.missing(), "deadline": match.deadline and match.deadline.moment}


def _help(_: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """How orders are written; or the paragraph of the rules that is asked about, all of them if that is not certain."""
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
    "who": lambda _, match, __: {"players": [(seat, match.holders[seat].name) for seat in match.seats]},
    "rules": _help,
    "means": _help,
    "allowed": _help,
    "writing": _help,
    "turns": lambda *_: {"topic": "rules", "rules": (1,)},  # how a game ends tells how long it lasts
    UNKNOWN: lambda _, __, inquiry: {"codes": inquiry.names},
}
"""What every game is asked; all else is the game's own."""


def tell_how(reply: Reply, word: str) -> bool:
    """How a command is written, to who asks; nothing is done."""
    row = row_named("help" if word == "pass" else word)
    usage = "help orders" if word == "pass" else player_usage(row.word)
    reply.notice("usage", word=word, usage=usage, help=row.help)
    return True
