"""Forecasts for orders that are only being tried out. They use only what the writer of the orders may see, and nothing
is stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.capabilities import Predictable
from pbem.match.model import Entry, Match
from pbem.match.reply import Reply
from pbem.match.sections import board_of, read_orders
from pbem.orders import reader
from pbem.orders.command import Suppose
from pbem.orders.lines import Reading
from pbem.orders.supposing import MOST

A_DAY = 20
"""The maximum number of letters from one person that are answered with a forecast in a day."""

SECTION = "supposed"
"""The name of the last section of an answer with a forecast. The desk uses it to count the forecasts of a day."""

_MOST_WRONG = 3  # the maximum number of sentences that explain why orders are illegal

Said = Sequence[tuple[Seat, str]]
"""The orders that are supposed for a turn: the seats, each with the text of its orders."""


class _Wrong(NamedTuple):
    """The reason why a turn cannot be tried out, because of the orders of the seat `whose`. The orders have `mistakes`,
    which are shown where they occur; they are wrong for the reasons in `sentences`; or they have several possible
    `readings`. Or else the seat is `idle`, with no orders to give, or its possible orders are `hidden` from the
    writer."""

    whose: Seat
    mistakes: Any = ()
    sentences: tuple[Sentence, ...] = ()
    readings: tuple[str, ...] = ()
    idle: bool = False
    hidden: bool = False


def may_suppose(reply: Reply) -> bool:
    """Return whether the writer may have a forecast. If not, explain why in the reply."""
    if not reply.match.terms.what_if:
        reply.once("no what if")
    elif reply.case.facts.answered_today(SECTION) >= A_DAY:
        reply.once("enough what if", limit=A_DAY)
    else:
        return True
    return False


def suppose(reply: Reply, command: Suppose) -> None:
    """Answer `command`, which asks what would happen if certain orders were given."""
    if reply.match.result or not reply.match.is_set_up:
        reply.too_late()
    elif may_suppose(reply):
        play_through(reply, command.turns, command.lines, over_limit=command.over_limit)


def play_through(
    reply: Reply, turns: Sequence[Said], lines: Sequence[str], *, over_limit: int = 0, entry: Entry | None = None
) -> None:
    """Show a forecast for several turns, one after another, from the position of the match. It stops at a turn whose
    orders cannot be used, that depends on chance, or that ends the match. Seats without supposed orders do nothing.

    `lines` contains the line of the letter for each of `turns`, and `over_limit` is the number of turns that the letter
    asks for beyond the limit. `entry` is given if the orders that stand for the writer's seat are among the supposed
    orders; other orders that stand are ignored.
    """
    match, seat = reply.match.as_told(), reply.seat
    here, tried = match, list[Mapping[str, Any]]()
    for written, line in zip(turns, lines, strict=True):
        orders = _orders(here, seat, written)
        if isinstance(orders, _Wrong):
            reply.tell("not_tried", match=here, seat=seat, asked=line, **orders._asdict())
            break
        before = here
        here, values = _played(before, seat, orders)
        reply.tell("tried", match=before, asked=line, entry=entry, **values)
        tried.append(values)
        if values["ending"] or values["dice"]:
            break
    board = board_of(match.game, tried[-1]["seen"] if tried else None, match.view(seat))
    own = dict(tried[0]["orders"]).get(seat, "") if tried and not match.sandbox else ""
    values = {"own": own, "dice": bool(tried) and tried[-1]["dice"], "limit": MOST if over_limit else 0}
    values["left"] = len(turns) > len(tried) + 1
    reply.tell(SECTION, match=match, seat=seat, **values, **board)


def _orders(match: Match, seat: Seat, written: Said) -> dict[Seat, Any] | _Wrong:
    """Return the orders that `written` supposes for a turn, keyed by seat, or, if those of a seat cannot be used, the
    reason."""
    orders: dict[Seat, Any] = {}
    for who, text in written:
        if who != seat and not isinstance(match.game, Predictable):
            return _Wrong(who, hidden=True)
        if who not in match.game.awaiting(match.state):
            return _Wrong(who, idle=True)
        reading = read_orders(match, who, text)
        ways = _ways(reading)
        if reading.orders is not None:
            orders[who] = reading.orders
        elif len(ways) == 1 and not reading.mistakes:  # the writer sees this guess, and it has no consequences
            orders[who] = reader.parse(match.standpoint(who), ways[0])
        else:
            return _why_not(who, reading, own=who == seat)
    return orders


def _ways(reading: Reading) -> tuple[str, ...]:
    """Return the complete orders that a text may mean, given its reading."""
    return tuple(dict.fromkeys((*filter(None, (reading.proposal,)), *reading.readings)))


def _why_not(seat: Seat, reading: Reading, *, own: bool) -> _Wrong:
    """Return the reason why the orders of `seat` are illegal. If they are the writer's `own`, the mistakes are shown
    where they occur."""
    ways = _ways(reading)
    if own:
        return _Wrong(seat, mistakes=partial(reader.render_mistakes, reading.mistakes), readings=ways)
    return _Wrong(seat, sentences=tuple(mistake.sentence for mistake in reading.mistakes[:_MOST_WRONG]), readings=ways)


def _played(match: Match, seat: Seat, orders: Mapping[Seat, Any]) -> tuple[Match, dict[str, Any]]:
    """Return the match after a turn with `orders`, and the values for a report of this turn to `seat`. If dice or cards
    decide the turn, return the match unchanged, and values that say what is known before chance decides."""
    game, reading_as = match.game, match.reader(seat)
    view = game.view(match.state, reading_as)
    values = {"turn": match.round, "orders": tuple((who, str(order)) for who, order in orders.items()), "ending": ""}
    if not isinstance(game, Predictable):
        cautions = partial(game.cautions, view, seat, orders[seat])
        return match, {
            **values,
            "dice": True,
            "seen": game.forecast(match.state, seat, orders[seat]),
            "beside": cautions,
        }
    ruling = game.predicted(match.state, orders)
    story = partial(game.story, view, game.redact_events(ruling.events, reading_as))
    result = game.result(ruling.state)
    values["ending"] = result.reason if result else ""
    seen = game.view(ruling.state, reading_as)
    after = replace(match, state=ruling.state, turn=match.turn + 1)
    return after, {**values, "dice": False, "seen": seen, "beside": story}
