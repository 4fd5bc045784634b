"""Answers to a seat's questions about its match, by what that seat may see and nothing else."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from pbem.games.base import Seat
from pbem.games.extras import Answers, Supposing
from pbem.match import reports
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.match.sections import board_of
from pbem.orders import reader
from pbem.orders.command import Inquiry, Words
from pbem.orders.commands import player_usage, row_named
from pbem.orders.inquiries import UNKNOWN, paragraph
from pbem.orders.intents import SURE
from pbem.orders.lines import Reading

_MOST_WRONG = 3  # sentences that say why orders cannot be


def answer(reply: Reply, inquiry: Inquiry) -> None:
    """A short answer to one question; it stores nothing."""
    if inquiry.kind in ("allowed", "rules", "writing") and _told_how(reply, inquiry):
        return
    match = reply.table.as_told()
    found = _KINDS.get(inquiry.kind, _of_game)(reply, match, inquiry)
    values = {"kind": inquiry.kind, "match": match, "seat": reply.seat, **found}
    reply.tell("answer", asked=" ".join(inquiry.text.split()), **values)


def _told_how(reply: Reply, inquiry: Inquiry) -> bool:
    """Whether a question is how a command is written, and no rule: then that is told."""
    intent = reply.intent((inquiry.text,))
    ruled = inquiry.kind != "writing" and paragraph(reply.table.game, inquiry.text)
    if intent is None or not intent.how or (ruled and intent.lead < SURE):
        return False
    return tell_how(reply, intent.name.removeprefix("how "))


def rule_asked(reply: Reply, text: str) -> bool:
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


def _read(match: Match, seat: Seat, text: str) -> Reading:
    return reader.read_orders(match.game, match.state, seat, Words(rest=text))


def _wrong(reading: Reading) -> tuple[str, ...]:
    return tuple(one.sentence for one in reading.mistakes[:_MOST_WRONG])


def _may(_: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """Whether orders would be legal, each side's alone."""
    told = []
    for seat, text in inquiry.orders:
        reading = _read(match, seat, text)
        idle = seat not in match.game.awaiting(match.state)
        ways = reading.readings if reading.orders is None else (str(reading.orders),)
        told.append((seat, idle, () if idle else ways, _wrong(reading)))
    return {"told": told}


def _what_if(reply: Reply, match: Match, inquiry: Inquiry) -> dict[str, Any]:
    """What a turn would come to: with the orders that the question has, and no others' that are in."""
    game, given = match.game, dict[Seat, Any]()
    for seat, text in inquiry.orders:
        reading = _read(match, seat, text)
        if reading.orders is None:
            return {"wrong": _wrong(reading), "readings": reading.readings, "whose": seat}
        given[seat] = reading.orders
    entry = match.standing.get(reply.seat) if reply.seat not in given else None
    if entry:
        given[reply.seat] = reader.parse(game, match.state, reply.seat, entry.canonical)
    told = {"wrong": (), "readings": (), "entry": entry, "given": [(seat, str(one)) for seat, one in given.items()]}
    return {**told, **_outcome(match, reply.seat, given)}


def _outcome(match: Match, seat: Seat, given: Mapping[Seat, Any]) -> dict[str, Any]:
    """The turn that some orders come to; where dice decide, what is known before they fall."""
    game, reading_as = match.game, match.reader(seat)
    view = game.view(match.state, reading_as)
    if isinstance(game, Supposing):
        ruling = game.supposed(match.state, given)
        story = partial(game.story, view, game.redact_events(ruling.events, reading_as))
        return {"story": story, "cautions": (), **board_of(game, game.view(ruling.state, reading_as), view)}
    orders = given[seat]
    cautions = partial(game.cautions, view, seat, orders)
    return {"story": (), "cautions": cautions, **board_of(game, game.forecast(match.state, seat, orders), view)}


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
    "what if": _what_if,
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
