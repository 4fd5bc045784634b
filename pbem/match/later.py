"""Orders that a seat gives for later turns. They are kept as written, and read again when their turn begins."""

import re
from dataclasses import replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.capabilities import turn_name, turn_of, within_turn
from pbem.match import commitments, conditional
from pbem.match.commitments import make_nonce
from pbem.match.effects import Effect, Note, Propose, Save, Section, Send, TakeOrders
from pbem.match.model import Entry, LaterOrders, Match
from pbem.match.reply import Reply
from pbem.match.reports import NOTHING, News
from pbem.match.sections import read_orders, why_not
from pbem.match.time_control import with_orders
from pbem.orders import conditions, reader
from pbem.orders.ambiguity import is_courtesy
from pbem.orders.command import ANY_TURN, Choice, Later
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
    elif turn == ANY_TURN:
        if wish := conditional.kept(reply, command):
            _set(reply, (*(one for one in match.later.get(seat, ()) if one.written != wish.written), wish))
    elif any(command.word == "check" for command in reply.reading.commands):
        reply.notice("later checked", turn=called, orders=command.text, wrong=why_not(match, seat, command.text))
    else:
        nonce = make_nonce(case.secret, replace(match, turn=turn), seat, 0)
        new = LaterOrders(turn, case.letter, command.text, nonce)
        others = (orders for orders in match.later.get(seat, ()) if orders.turn != turn)
        _set(reply, (*others, new))
        standpoint, text = match.standpoint(seat), command.text
        readings = [read_orders(match, seat, case) for case in conditions.branches(standpoint, text)]
        beside = (line for reading in readings for line in (*reading.remarks, *reading.perhaps))
        unread = tuple(line for line in beside if not is_courtesy(line))
        choice = conditions.choose(standpoint, text)
        reply.notice("later", turn=called, orders=text, wrong=why_not(match, seat, text), unread=unread, choice=choice)


def take_back(reply: Reply, which: str) -> None:
    """Withdraw orders that are kept for later turns: those for the turn that `which` names, as in `withdraw turn 6`,
    the wishes with a condition, or all of them."""
    match, seat = reply.match, reply.seat
    later_orders = match.later.get(seat, ())
    number = re.search(r"\d+", which)
    turn = int(number[0]) if number else _now(match) + 1 if "next" in which.casefold() else 0
    turn = ANY_TURN if which.casefold() == "conditions" else turn
    gone = tuple(orders for orders in later_orders if turn in (0, orders.turn))
    if turn == _now(match):
        reply.withdraw()
    elif not gone:
        reply.notice("nothing later", turn=turn and (turn == ANY_TURN or turn_name(match.game, match.state, turn)))
    else:
        _set(reply, tuple(orders for orders in later_orders if orders not in gone))
        reply.notice("later withdrawn", gone=gone)


def _now(match: Match) -> int:
    """Return the number of the current turn as players count turns."""
    return turn_of(match.game, match.state, match.turn)


def _set(reply: Reply, later_orders: tuple[LaterOrders, ...]) -> None:
    match, seat = reply.match, reply.seat
    after = replace(match, later={**match.later, seat: tuple(sorted(later_orders, key=attrgetter("turn")))})
    content = {
        "turn": match.turn,
        "seat": seat,
        "for": [orders.turn for orders in later_orders if orders.turn != ANY_TURN],
    }
    reply.do([Save(after), Note("later", content, after)])


class Begun(NamedTuple):
    """The result of beginning a turn: the match after the orders kept for this turn were read, the effects of reading
    them, the news for each seat, and letters that follow the reports."""

    match: Match
    effects: list[Effect]
    news: News
    letters: list[Send]


def begin(match: Match, now: datetime, news: News = NOTHING) -> Begun:
    """Begin a turn: orders that were kept for it are taken if they are legal; otherwise, the seat that gave them is
    asked about them. A seat is also asked about a wish whose condition is met. The result also includes the sections in
    `news`."""
    begun = Begun(match, [], {**news}, [])
    for seat in () if within_turn(match.game, match.state) else match.later:
        begun = _begin_of_seat(begun, seat, now)
        if not match.result and seat not in match.gone:
            after, effects, letters = conditional.ask(begun.match, seat)
            begun = begun._replace(match=after, effects=[*begun.effects, *effects], letters=[*begun.letters, *letters])
    return begun


def _begin_of_seat(begun: Begun, seat: Seat, now: datetime) -> Begun:
    """Take the orders that `seat` has kept for the turn that begins, or ask about them."""
    match, now_at = begun.match, _now(begun.match)
    later_orders = match.later[seat]
    rest = tuple(orders for orders in later_orders if orders.turn > now_at or orders.turn == ANY_TURN)
    due = next((orders for orders in later_orders if orders.turn == now_at), None)
    if due and not match.result and seat not in (*match.gone, *match.game.awaiting(match.state)):
        # another seat is to move: keep the orders for the next turn
        rest = rest if any(orders.turn == now_at + 1 for orders in rest) else (due._replace(turn=now_at + 1), *rest)
        due = None
    match = replace(match, later={**match.later, seat: rest})
    if due is None or match.result or seat in match.gone:
        return begun._replace(match=match)
    choice = conditions.choose(match.standpoint(seat), due.written)
    written = choice.orders if choice else due.written
    reading = read_orders(match, seat, written)
    before, effects = match, list[Effect]()
    if reading.orders is not None:
        entry = Entry(1, due.letter, written, str(reading.orders), due.nonce)
        match = with_orders(match, seat, entry, now)
        effects += [TakeOrders(match, seat, entry), *commitments.changed(before, match, seat)]
    elif reading.proposal:
        match = replace(match, proposals={**match.proposals, seat: {due.letter: (reading.proposal,)}})
        effects.append(Propose(match, seat, due.letter, written, reading.proposal))
    section = _section(match, seat, written, reading, choice)
    news = {**begun.news, seat: (*begun.news.get(seat, ()), section)}
    return begun._replace(match=match, effects=[*begun.effects, *effects], news=news)


def _section(match: Match, seat: Seat, written: str, reading: Reading, choice: Choice | None) -> Section:
    game, orders = match.game, reading.orders
    view = match.view(seat)
    values = {
        "match": match,
        "seat": seat,
        "written": written,
        "choice": choice,
        "counts": reading.orders is not None,
        "mistakes": partial(reader.render_mistakes, reading.mistakes),
        "proposal": reading.proposal,
        "readings": reading.readings,
        "cautions": () if orders is None else partial(game.cautions, view, seat, orders),
        "remarks": tuple(line for line in (*reading.remarks, *reading.perhaps) if not is_courtesy(line)),
    }
    return Section("later", values)
