"""Wishes with a condition, such as `if I lose Mu I resign`. They are kept as written and looked at whenever a turn
begins. If the condition of one is met then, the seat is asked about it once; nothing happens without its `yes`.
"""

from dataclasses import replace

from pbem.games.base import Seat
from pbem.games.capabilities import KnowsConditions
from pbem.match.effects import Ask, Effect, Send, course
from pbem.match.model import LaterOrders, Match, OpenCommand
from pbem.match.reply import Reply
from pbem.match.reports import to_seat
from pbem.orders import conditions
from pbem.orders.command import ANY_TURN, Later, Simple, Suppose
from pbem.orders.conditions import Wish

MOST = 10
"""The most wishes of a seat that are kept."""


def kept(reply: Reply, command: Later) -> LaterOrders | None:
    """Return the wish that `command` asks to keep, or None if it is not kept: if its condition is met already, the
    writer is asked at once."""
    match, seat, case = reply.match, reply.seat, reply.case
    wish = conditions.wish(match.standpoint(seat), command.text)
    assert wish
    if any(command.word == "check" for command in reply.reading.commands):
        reply.notice("condition checked", conditional=wish)
    elif wish.is_met:
        reply.ask(Simple(wish.word), of_match=True)
        reply.notice("condition met", conditional=wish)
    elif len(of_seat(match, seat)) >= MOST:
        reply.notice("enough conditions", limit=MOST)
    else:
        reply.notice("condition kept", conditional=wish, line=command.text)
        return LaterOrders(ANY_TURN, case.letter, command.text, case.mark)
    return None


def of_seat(match: Match, seat: Seat) -> tuple[LaterOrders, ...]:
    """Return the wishes with a condition that `seat` has given."""
    return tuple(one for one in match.later.get(seat, ()) if one.turn == ANY_TURN)


def explain(reply: Reply) -> None:
    """If a letter from which nothing was taken seems to have a condition, say what can depend on one, and in what
    form."""
    game = reply.match.game
    is_tried = any(isinstance(command, Suppose | Later) for command in reply.reading.commands)
    if not is_tried and conditions.seem_meant(reply.match.standpoint(reply.seat), reply.case.words.rest):
        form = game.conditional_orders if isinstance(game, KnowsConditions) else None
        reply.notice("conditions", form=form)


def ask(match: Match, seat: Seat) -> tuple[Match, list[Effect], list[Send]]:
    """Ask `seat` about the first of its wishes whose condition is met at the beginning of a turn. Return the match
    without this wish, the effects, and the letter with the question. Any other wish waits for the next turn, because an
    answer is to one question."""
    for kept_wish in of_seat(match, seat):
        wish = conditions.wish(match.standpoint(seat), kept_wish.written)
        if wish and wish.is_met:
            rest = tuple(one for one in match.later[seat] if one != kept_wish)
            match = replace(match, later={**match.later, seat: rest})
            return match, *_question(match, seat, kept_wish, wish)
    return match, [], []


def _question(match: Match, seat: Seat, kept_wish: LaterOrders, wish: Wish) -> tuple[list[Effect], list[Send]]:
    holder = match.holders[seat]
    open_command = OpenCommand(kept_wish.letter, Simple(wish.word), match=True)
    # The mark shows to which letter the question belongs, so that a `yes` to it is understood.
    key = f"asked{match.turn}-{kept_wish.nonce}"
    letter = to_seat(match, holder, "course", key, course("condition", match, seat, conditional=wish))
    return [Ask(holder.player, open_command, match, seat)], [letter]
