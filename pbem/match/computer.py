"""The computer as an opponent by mail. It knows only what its seat may see. It greets its opponents, plays, resigns
lost games, and accepts a draw unless its own position is better.
"""

import hashlib
import hmac
from collections.abc import Iterator
from datetime import datetime

from pbem import Sentence
from pbem.games.base import AnyGame, GameError, Seat, seats_of
from pbem.games.capabilities import Bot, Thought
from pbem.games.chance import SecretChance
from pbem.games.options import seats_chosen
from pbem.match import clock
from pbem.match.commitments import new_entry
from pbem.match.effects import Effect, NewMatch, TakeOrders
from pbem.match.identity import computer
from pbem.match.lifecycle import may
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.match.time_control import with_orders
from pbem.orders.wanted import parse_against_computer

MOST_GAMES = 3
"""The maximum number of games that a person may play against the computer at the same time."""

QUICK = 3
"""The highest level at which the computer answers at once. At higher levels, it thinks after all letters have been
sent."""

_BETTER = 0.52  # with a larger share of the win than this, the computer refuses a draw
_LOST = 0.02  # with at most this share of the win, the computer resigns


def challenge_computer(reply: Reply, written: str) -> None:
    """Begin a game against the computer at once. The writer gets the first of the chosen seats, and the computer gets
    all other seats."""
    wanted, case = parse_against_computer(written), reply.case
    game, options = wanted.game, {**wanted.options}
    level = options.pop("level")
    bot_of(game)
    running = sum(any(holder.is_computer for holder in match.holders.values()) for match in case.facts.own)
    if running + sum(isinstance(effect, NewMatch) for effect in reply.later) >= MOST_GAMES:
        reply.notice("enough computer", limit=MOST_GAMES)
        return
    seats = seats_of(game, options)
    first = seats_chosen(game.options(options), options, seats)[0]
    players = {seat: reply.person if seat == first else computer(level) for seat in seats}
    reply.later.append(NewMatch(game.name, players, options, case.terms, frozenset(seats)))
    reply.notice("computer begins", name=game.title, level=level, at_once=level <= QUICK)


def bot_of(game: AnyGame) -> Bot[object, object]:
    """Return `game` as a Bot, a game that the computer can play. Raises GameError if the game has no computer
    player."""
    if not isinstance(game, Bot):
        raise GameError(Sentence("The computer does not play {game}.", game=game.title))
    return game


def awaited(match: Match) -> list[Seat]:
    """Return the seats for which the computer has yet to give orders for the current turn."""
    open_seats = match.missing() if may(match, "orders come") else ()
    return [seat for seat in open_seats if match.holders[seat].level]


def thoughts(match: Match, seat: Seat, key: bytes) -> Iterator[Thought]:
    """Return an iterator over the computer's ideas for its orders, each better than the one before. Random choices are
    derived from `key`, the desk's key: nobody can predict them, but they remain the same if the computer thinks about
    the same turn again."""
    holder = match.holders[seat]
    message = f"pbem computer\n{match.name}\n{match.turn}\n{seat}\n{holder.epoch}"
    chance = SecretChance(hmac.digest(key, message.encode(), hashlib.sha256))
    return bot_of(match.game).think(match.view(seat), seat, holder.level, chance)


def orders_of(match: Match, seat: Seat, thought: Thought, secret: bytes, now: datetime) -> tuple[Match, list[Effect]]:
    """Return the match with the computer's orders for `seat`, and the effects. If the match has two seats and the
    computer resigns, return the unchanged match and the effects that end it. It does not resign for somebody else."""
    resigns = match.holders[seat].is_computer and len(match.seats) == 2
    if resigns and max(thought.win_share, bot_of(match.game).win_share(match.view(seat), seat)) <= _LOST:
        return match, clock.resign(match, seat, now)
    canonical = str(thought.orders)
    entry = new_entry(secret, match, seat, canonical, (None, canonical))
    after = with_orders(match, seat, entry, now)
    return after, [TakeOrders(after, seat, entry)]


def plays_on(match: Match) -> bool:
    """Return whether the computer refuses a draw because one of its seats has the better position."""
    mine = (seat for seat in match.playing() if match.holders[seat].is_computer)
    return any(bot_of(match.game).win_share(match.view(seat), seat) > _BETTER for seat in mine)
