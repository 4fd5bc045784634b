"""The one seat that somebody has here, for letters that do not say which game they mean."""

from pbem.match.identity import MASTER, ME, Writer, make_token
from pbem.match.model import WHICH_GAME
from pbem.orders import reader
from pbem.store import matches, players
from pbem.store.database import KeptLetter, Store
from pbem.times.moments import stamp


def with_only_seat(store: Store, key: bytes, writer: Writer) -> Writer:
    """A writer at the one running seat that they have, if they have just one."""
    assert writer.player is not None
    seats = matches.running_seats(store, writer.player.id)
    if len(seats) != 1:
        return writer
    match, seat, turn = seats[0]
    token = make_token(key, match, matches.holders(store, match)[seat], turn)
    return Writer(token, writer.player, None)


def vouched_for(store: Store, writer: Writer, number: int) -> Writer:
    """The writer of a letter that a player has said is theirs: at their seat if it has the token of one."""
    player, token = players.load_player(store, number), writer.token
    if token and token.seat not in (ME, MASTER) and writer.owner and writer.owner.id == number:
        return Writer(token, player, None, player)
    return Writer(None, player, "no token")


def as_owned_to(store: Store, key: bytes, writer: Writer, kept: KeptLetter, text: str) -> Writer:
    """The writer of a letter that they have said is theirs, if that means their only game. What came before the turn
    began that is played now belongs to the turn before."""
    if reader.read_words(text).commands and store.outcome_of(kept.id) != WHICH_GAME:
        return writer
    found = with_only_seat(store, key, writer)
    if not found.token or not found.player:
        return writer
    match = matches.load_match(store, found.token.match)
    if match.began is None or kept.arrived >= stamp(match.began):
        return found
    token = make_token(key, match.id, match.holders[found.token.seat], found.token.turn - 1)
    return Writer(token, found.player, None)
