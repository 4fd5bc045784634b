"""Orders that a seat gives for later turns. They are kept as written, and read again when their turn begins."""

import re
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.capabilities import turn_name, turn_of, within_turn
from pbem.match import commitments
from pbem.match.commitments import make_nonce
from pbem.match.effects import Effect, Note, Propose, Save, Section, TakeOrders
from pbem.match.model import Entry, LaterOrders, Match
from pbem.match.reply import Reply
from pbem.match.reports import NOTHING, News
from pbem.match.sections import read_orders, why_not
from pbem.match.time_control import with_orders
from pbem.orders import reader
from pbem.orders.ambiguity import is_courtesy
from pbem.orders.command import Later
from pbem.orders.lines import Reading


def keep(reply: Reply, command: Later) -> None:
    """Keep orders for a later turn, in place of any orders that the seat has already given for that turn."""
    match, seat, case = reply.match, reply.seat, reply.case
    turn = command.turn or _now(match) + 1
    called = turn_name(match.game, match.state, turn)
    if seat in match.gone:
        reply.notice("seat gone", at=match)
    elif not reply.current:
        reply.too_late()
    elif any(command.word == "check" for command in reply.reading.commands):
        reply.notice("later checked", turn=called, orders=command.text, wrong=why_not(match, seat, command.text))
    else:
        nonce = make_nonce(case.secret, replace(match, turn=turn), seat, 0)
        new = LaterOrders(turn, case.letter, command.text, nonce)
        others = (orders for orders in match.later.get(seat, ()) if orders.turn != turn)
        _set(reply, (*others, new))
        reading = read_orders(match, seat, command.text)
        unread = tuple(line for line in (*reading.remarks, *reading.perhaps) if not is_courtesy(line))
        reply.notice("later", turn=called, orders=command.text, wrong=why_not(match, seat, command.text), unread=unread)


def take_back(reply: Reply, which: str) -> None:
    """Withdraw orders that are kept for later turns: those for the turn that `which` names, as in `withdraw turn 6`, or
    all of them."""
    match, seat = reply.match, reply.seat
    later_orders = match.later.get(seat, ())
    number = re.search(r"\d+", which)
    turn = int(number[0]) if number else _now(match) + 1 if "next" in which.casefold() else 0
    gone = tuple(orders for orders in later_orders if turn in (0, orders.turn))
    if turn == _now(match):
        reply.withdraw()
    elif not gone:
        reply.notice("nothing later", turn=turn and turn_name(match.game, match.state, turn))
    else:
        _set(reply, tuple(orders for orders in later_orders if orders not in gone))
        reply.notice("later withdrawn", gone=gone)


def _now(match: Match) -> int:
    """Return the number of the current turn as players count turns."""
    return turn_of(match.game, match.state, match.turn)


def _set(reply: Reply, later_orders: tuple[LaterOrders, ...]) -> None:
    match, seat = reply.match, reply.seat
    after = replace(match, later={**match.later, seat: tuple(sorted(later_orders))})
    content = {"turn": match.turn, "seat": seat, "for": [orders.turn for orders in later_orders]}
    reply.do([Save(after), Note("later", content, after)])


class Begun(NamedTuple):
    """The result of beginning a turn: the match after the orders kept for this turn were read, the effects of reading
    them, and the news for each seat."""

    match: Match
    effects: list[Effect]
    news: News


def begin(match: Match, now: datetime, news: News = NOTHING) -> Begun:
    """Begin a turn: orders that were kept for it are taken if they are legal; otherwise, the seat that gave them is
    asked about them. The result also includes the sections in `news`."""
    effects: list[Effect] = []
    sections = {**news}
    now_at = _now(match)
    for seat, later_orders in () if within_turn(match.game, match.state) else match.later.items():
        rest = tuple(orders for orders in later_orders if orders.turn > now_at)
        match = replace(match, later={**match.later, seat: rest})
        due = next((orders for orders in later_orders if orders.turn == now_at), None)
        if due is None or match.result or seat in match.gone:
            continue
        if seat not in match.game.awaiting(match.state):  # another seat is to move: keep the orders for the next turn
            rest = rest if any(orders.turn == now_at + 1 for orders in rest) else (due._replace(turn=now_at + 1), *rest)
            match = replace(match, later={**match.later, seat: rest})
            continue
        reading = read_orders(match, seat, due.written)
        before = match
        if reading.orders is not None:
            entry = Entry(1, due.letter, due.written, str(reading.orders), due.nonce)
            match = with_orders(match, seat, entry, now)
            effects += [TakeOrders(match, seat, entry), *commitments.changed(before, match, seat)]
        elif reading.proposal:
            proposals = {**match.proposals, seat: {due.letter: (reading.proposal,)}}
            match = replace(match, proposals=proposals)
            effects.append(Propose(match, seat, due.letter, due.written, reading.proposal))
        sections[seat] = (*sections.get(seat, ()), _section(match, seat, due, reading))
    return Begun(match, effects, sections)


def _section(match: Match, seat: Seat, due: LaterOrders, reading: Reading) -> Section:
    game, orders = match.game, reading.orders
    view = match.view(seat)
    values = {
        "match": match,
        "seat": seat,
        "written": due.written,
        "counts": reading.orders is not None,
        "mistakes": partial(reader.render_mistakes, reading.mistakes),
        "proposal": reading.proposal,
        "readings": reading.readings,
        "cautions": () if orders is None else partial(game.cautions, view, seat, orders),
        "remarks": tuple(line for line in (*reading.remarks, *reading.perhaps) if not is_courtesy(line)),
    }
    return Section("later", values)
