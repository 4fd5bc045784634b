"""What a program thinks of a game that is over, for whoever asks: nothing is hidden of it any more."""

from dataclasses import replace
from functools import partial

from pbem.games.analysis import Moment, Turning, analyse, can_be_analysed, choices, curve
from pbem.games.base import Seat
from pbem.match.model import Match, Turn
from pbem.match.reply import Reply
from pbem.orders import reader
from pbem.orders.commands import player_usage

A_DAY = 10
"""Letters of one person in a day that are answered so."""

SECTION = "analysis"
"""The first section of such an answer, by which those of a day are counted."""


def tell(reply: Reply, name: str) -> None:
    """How a game stood turn by turn and where it turned; never of one that is not over, and of one in a letter."""
    match = reply.named.get(name.lower()) if name else reply.match
    if match is None and not name:
        reply.notice("incomplete", word="analysis", usage=player_usage("analysis"))
    elif match is None:
        reply.notice("no such game", name=name)
    elif match.phase != "finished":
        reply.notice("not over", name=match.name)
    elif not can_be_analysed(match.game) or not match.turns:
        reply.notice("no analysis", name=match.name)
    elif reply.case.analysed >= A_DAY or any(one.template == SECTION for one in reply.sections):
        reply.once("enough analyses", limit=A_DAY)
    else:
        _tell(reply, match)


def _tell(reply: Reply, match: Match) -> None:
    game, seats = match.game, dict(match.game.seats(match.options))
    moments = moments_of(match)
    found = analyse(game, seats, moments, match.state)
    assert found
    own = next((seat for seat, holder in match.holders.items() if holder.player.id == reply.person.id), match.seats[0])
    drawn = curve(found.of(seats[own]), found.names, [one.moment for one in found.turnings])
    reply.tell(SECTION, match=match, whose=seats[own], curve=drawn, turned=len(found.turnings))
    for number, one in enumerate(found.turnings, start=1):
        moment = moments[one.moment]
        told = choices(game, seats, moment, one.side, partial(reader.parse_played, game))
        then, shares = replace(match, state=moment.state), (round(100 * one.before), round(100 * one.after))
        values = {"turn": one.name, "whose": one.side, "choices": told, "was": shares[0], "became": shares[1]}
        reply.tell("turning", match=then, number=number, **values)
    reply.tell("opinion", match=match)


def moments_of(match: Match) -> list[Moment]:
    """The turns of a match, all of which are loaded."""
    return [Moment(turn.turn, turn.before, _orders(turn)) for turn in match.turns]


def falls_of(match: Match) -> tuple[Turning, ...]:
    """Where a match turned, all of whose turns are loaded; nothing if that cannot be said."""
    found = analyse(match.game, dict(match.game.seats(match.options)), moments_of(match), match.state)
    return found.turnings if found else ()


def _orders(turn: Turn) -> dict[Seat, str]:
    """What seats ordered in a turn, as it was played."""
    return {seat: entry.played for seat, entry in turn.orders.items() if entry and entry.played}
