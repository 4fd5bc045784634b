"""What a seat has given for later turns, as it would be read now."""

from collections.abc import Mapping

from pbem.games.base import Seat, Sentence
from pbem.games.extras import within_turn
from pbem.match.model import Match
from pbem.orders import reader
from pbem.orders.command import Words
from pbem.orders.lines import Reading


def read_kept(match: Match, seat: Seat, text: str) -> Reading:
    """How orders for later are read as things stand."""
    return reader.read_orders(match.game, match.state, seat, Words(rest=text))


def why_not(match: Match, seat: Seat, text: str) -> Sentence | None:
    """Why orders for later could not be carried out as things stand; None if they could."""
    if within_turn(match.game, match.state):
        return None  # what is kept is for another board
    reading = read_kept(match, seat, text)
    return next((one.sentence for one in reading.mistakes), None) if reading.orders is None else None


def unfit(match: Match, seat: Seat) -> Mapping[int, Sentence]:
    """Why some of what a seat has given for later could not be carried out as things stand, by turn."""
    kept = match.later.get(seat, ())
    return {one.turn: wrong for one in kept if (wrong := why_not(match, seat, one.written))}
