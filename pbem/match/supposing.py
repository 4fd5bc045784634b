"""What would come of orders that are only tried: by what their writer may see, and nothing of it is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.extras import Supposing
from pbem.match.model import Entry, Match
from pbem.match.reply import Reply
from pbem.match.sections import board_of, read_orders
from pbem.orders import reader
from pbem.orders.command import Suppose
from pbem.orders.lines import Reading
from pbem.orders.supposing import MOST

A_DAY = 20
"""Letters of one person in a day that are answered with what would be."""

SECTION = "supposed"
"""The last section of such an answer, by which those of a day are counted."""

_MOST_WRONG = 3  # sentences that say why orders cannot be

Said = Sequence[tuple[Seat, str]]
"""What seats would order in a turn, as it is written."""


class _Wrong(NamedTuple):
    """Why a turn cannot be tried: whose orders, and their mistakes in their place, or sentences that say what is wrong,
    or the ways in which they may be meant; or that the seat is `idle`, or what it could order is `hidden`."""

    whose: Seat
    mistakes: Any = ()
    sentences: tuple[Sentence, ...] = ()
    readings: tuple[str, ...] = ()
    idle: bool = False
    hidden: bool = False


def may_suppose(reply: Reply) -> bool:
    """Whether a letter may ask what would be; else it is told why not."""
    if not reply.table.terms.what_if:
        reply.once("no what if")
    elif reply.case.supposed >= A_DAY:
        reply.once("enough what if", limit=A_DAY)
    else:
        return True
    return False


def suppose(reply: Reply, command: Suppose) -> None:
    """Answer the lines of a letter that suppose something."""
    if reply.table.result or not reply.table.is_set_up:
        reply.too_late()
    elif may_suppose(reply):
        play_through(reply, command.turns, command.lines, more=command.more)


def play_through(
    reply: Reply, turns: Sequence[Said], lines: Sequence[str], *, more: int = 0, entry: Entry | None = None
) -> None:
    """Tell of turns that are played one after the other from where a match stands, as far as they can be. Whoever is
    not named does nothing, and no orders that are in play a part; but the `entry` of the seat's own, if it is given."""
    match, seat = reply.table.as_told(), reply.seat
    here, tried = match, list[Mapping[str, Any]]()
    for said, line in zip(turns, lines, strict=True):
        given = _orders(here, seat, said)
        if isinstance(given, _Wrong):
            reply.tell("not_tried", match=here, seat=seat, asked=line, **given._asdict())
            break
        before = here
        here, told = _played(before, seat, given)
        reply.tell("tried", match=before, asked=line, entry=entry, **told)
        tried.append(told)
        if told["ending"] or told["dice"]:
            break
    shown = board_of(match.game, tried[-1]["seen"], match.view(seat)) if tried else {"picture": (), "cells": ()}
    own = dict(tried[0]["orders"]).get(seat, "") if tried else ""
    told = {"own": own, "dice": bool(tried) and tried[-1]["dice"], "limit": MOST if more else 0}
    told["left"] = len(turns) > len(tried) + 1
    reply.tell(SECTION, match=match, seat=seat, **told, **shown)


def _orders(match: Match, seat: Seat, said: Said) -> dict[Seat, Any] | _Wrong:
    """The orders of a turn as they are read for it; or why one of them cannot be."""
    given: dict[Seat, Any] = {}
    for who, text in said:
        if who != seat and not isinstance(match.game, Supposing):
            return _Wrong(who, hidden=True)
        if who not in match.game.awaiting(match.state):
            return _Wrong(who, idle=True)
        reading = read_orders(match, who, text)
        if reading.orders is None:
            return _why_not(who, reading, own=who == seat)
        given[who] = reading.orders
    return given


def _why_not(seat: Seat, reading: Reading, *, own: bool) -> _Wrong:
    """Why orders cannot be: one's own mistakes are shown in their place."""
    ways = tuple(dict.fromkeys((*filter(None, (reading.proposal,)), *reading.readings)))
    if own:
        return _Wrong(seat, mistakes=partial(reader.render_mistakes, reading.mistakes), readings=ways)
    return _Wrong(seat, sentences=tuple(one.sentence for one in reading.mistakes[:_MOST_WRONG]), readings=ways)


def _played(match: Match, seat: Seat, given: Mapping[Seat, Any]) -> tuple[Match, dict[str, Any]]:
    """The match after a turn with some orders, and what is told of that; where dice or cards decide, the match as it
    is, and what is known before they fall."""
    game, reading_as = match.game, match.reader(seat)
    view = game.view(match.state, reading_as)
    told = {"turn": match.round, "orders": tuple((who, str(one)) for who, one in given.items()), "ending": ""}
    if not isinstance(game, Supposing):
        cautions = partial(game.cautions, view, seat, given[seat])
        return match, {**told, "dice": True, "seen": game.forecast(match.state, seat, given[seat]), "beside": cautions}
    ruling = game.supposed(match.state, given)
    story = partial(game.story, view, game.redact_events(ruling.events, reading_as))
    result = game.result(ruling.state)
    told["ending"] = result.reason if result else ""
    seen = game.view(ruling.state, reading_as)
    after = replace(match, state=ruling.state, turn=match.turn + 1)
    return after, {**told, "dice": False, "seen": seen, "beside": story}
