"""The computer as an opponent: whoever finds nobody plays against it. It knows no more than its seat may see."""

from datetime import datetime

from pbem.games.base import AnyGame, GameError, Sentence, seats_of
from pbem.games.extras import Bot
from pbem.games.options import seats_chosen
from pbem.match.commitments import make_nonce
from pbem.match.cooling import with_orders
from pbem.match.effects import Effect, Invite, TakeOrders
from pbem.match.identity import COMPUTER
from pbem.match.lifecycle import may
from pbem.match.model import Entry, Match
from pbem.match.reply import Reply
from pbem.orders.wanted import parse_against_computer

MOST_GAMES = 3
"""Games against the computer that somebody may have at a time."""


def challenge(reply: Reply, written: str) -> None:
    """A game against the computer begins at once; it has all seats but the first of those that were chosen."""
    wanted, case = parse_against_computer(written), reply.case
    game, options = wanted.game, wanted.options
    bot_of(game)
    running = sum(any(holder.is_computer for holder in match.holders.values()) for match in case.own)
    if running + sum(isinstance(one, Invite) for one in reply.later) >= MOST_GAMES:
        reply.notice("enough computer", limit=MOST_GAMES)
        return
    seats = seats_of(game, options)
    first = seats_chosen(game.options(options), options, seats)[0]
    players = [reply.person if seat == first else COMPUTER for seat in seats]
    reply.later.append(Invite(game, players, options, case.terms, confirmed=True))
    reply.notice("computer begins", name=game.title)


def bot_of(game: AnyGame) -> Bot[object, object]:
    """A game as one that the computer plays. Raises GameError if it does not."""
    if not isinstance(game, Bot):
        raise GameError(Sentence("The computer does not play {game}.", game=game.title))
    return game


def moves(match: Match, secret: bytes, now: datetime) -> list[Effect]:
    """The orders of all seats that the computer has and its turn waits for."""
    done: list[Effect] = []
    for seat in match.missing() if may(match, "orders come") else ():
        if match.holders[seat].is_computer:
            view = match.game.view(match.state, match.reader(seat))
            canonical = str(bot_of(match.game).choose(view, seat))
            number = match.numbers.get(seat, 0) + 1
            entry = Entry(number, None, canonical, canonical, make_nonce(secret, match, seat, number))
            match = with_orders(match, seat, entry, now)
            done.append(TakeOrders(match, seat, entry))
    return done
