"""What the store knows of how sure we are of people: addresses, those that are only claimed, and how old a token is."""

from datetime import datetime
from typing import assert_never

from pbem.match.effects import Agree, DropAddresses, NewAddress, OfAddress, TakeAddress
from pbem.match.model import UNDO, Claim
from pbem.store import players
from pbem.store.database import Store
from pbem.times.moments import parse_moment, stamp


def epoch(store: Store, player: int) -> int:
    """Since which of the times that they were renewed a player's own tokens are good."""
    row = store.conn.execute("SELECT epoch FROM players WHERE id = ?", (player,)).fetchone()
    return int(row[0])


def claims(store: Store, player: int, now: datetime) -> dict[str, Claim]:
    """The addresses that a player claims or has lately taken, by their form in lower case."""
    rows = store.conn.execute(
        """SELECT address, written, letter, agreed IS NOT NULL, answered,
                  NOT EXISTS (SELECT 1 FROM addresses a WHERE a.address = claims.address), instead, taken,
                  coalesce(taken, made)
           FROM claims WHERE player = ? AND coalesce(taken, made) > ? ORDER BY taken""",
        (player, stamp(now - UNDO)),
    )
    return {
        address: Claim(
            written,
            letter,
            bool(agreed),
            answered,
            bool(free),
            instead,
            taken and parse_moment(taken),
            parse_moment(since),
        )
        for address, written, letter, agreed, answered, free, instead, taken, since in rows
    }


def known(store: Store, player: int) -> tuple[str, ...]:
    """A player's addresses as they were written, the one where letters go first."""
    rows = store.conn.execute(
        "SELECT written FROM addresses WHERE player = ? AND confirmed IS NOT NULL ORDER BY rowid", (player,)
    )
    return tuple(written for (written,) in rows)


def token_past(store: Store, match: int, turn: int) -> datetime | None:
    """Since when a token of a turn, 0 for those that were undone, belongs to nothing that goes on; None if it does."""
    row = store.conn.execute(
        """SELECT min(moment) FROM (
               SELECT ended AS moment FROM matches WHERE id = :match
               UNION ALL SELECT max(iif(:turn, played, undone)) FROM turns
               WHERE match = :match AND ((turn = :turn AND undone IS NULL) OR (NOT :turn AND undone IS NOT NULL)))""",
        {"match": match, "turn": turn},
    ).fetchone()
    return parse_moment(row[0]) if row[0] else None


def write(store: Store, effect: OfAddress, now: datetime) -> None:
    """Write down which addresses are whose."""
    match effect:
        case NewAddress():
            _claim(store, effect, now)
        case Agree():
            _agree(store, effect, now)
        case TakeAddress():
            _take(store, effect, now)
        case DropAddresses():
            _drop(store, effect, now)
        case _:
            assert_never(effect)


def _claim(store: Store, effect: NewAddress, now: datetime) -> None:
    agreed = stamp(now) if effect.agreed else None
    store.conn.execute(
        """INSERT OR REPLACE INTO claims (player, address, written, made, letter, agreed, instead)
           VALUES (?, ?, ?, ?, ?, ?, ?)""",
        (
            effect.player.id,
            effect.address.lower(),
            effect.address,
            stamp(now),
            effect.letter,
            agreed,
            effect.instead.lower(),
        ),
    )
    players.invited(store, effect.player, now)
    store.note("address", {"player": effect.player.id, "asked": True}, now)


def _agree(store: Store, effect: Agree, now: datetime) -> None:
    store.conn.execute(
        """UPDATE claims SET answered = coalesce(:letter, answered),
                             agreed = iif(:letter IS NULL, :now, agreed)
           WHERE player = :player AND address = :address""",
        {"letter": effect.letter, "now": stamp(now), "player": effect.player.id, "address": effect.address.lower()},
    )


def _take(store: Store, effect: TakeAddress, now: datetime) -> None:
    """It becomes the first one, where letters go."""
    conn, player, claim = store.conn, effect.player.id, effect.claim
    _add(store, player, claim.address, now)
    gone = conn.execute(
        "DELETE FROM addresses WHERE player = ? AND address = ? RETURNING confirmed IS NOT NULL",
        (player, claim.instead),
    ).fetchone()
    conn.execute(  # an address from which nobody has ever answered undoes nothing
        "UPDATE claims SET taken = ?, instead = iif(?, instead, '') WHERE player = ? AND address = ?",
        (stamp(now), bool(gone and gone[0]), player, claim.address.lower()),
    )
    conn.execute("UPDATE players SET confirmed = coalesce(confirmed, ?) WHERE id = ?", (stamp(now), player))
    if claim.instead:
        _renew_tokens(store, player)
    store.note("address", {"player": player, "taken": True}, now)


def _drop(store: Store, effect: DropAddresses, now: datetime) -> None:
    player, known = effect.player.id, players.addresses(store, effect.player.id, confirmed=True)
    if known.intersection(map(str.lower, effect.addresses)):
        _renew_tokens(store, player)
    for address in effect.addresses:
        for table in ("addresses", "claims"):
            store.conn.execute(
                f"DELETE FROM {table} WHERE player = ? AND address = ?",  # noqa: S608 - names of ours
                (player, address.lower()),
            )
    for address in effect.again:
        _add(store, player, address, now)
    store.note("address", {"player": player, "dropped": len(effect.addresses)}, now)


def _renew_tokens(store: Store, player: int) -> None:
    """Whoever has read a player's letters at an address that is theirs no longer can say nothing with them."""
    store.conn.execute("UPDATE seats SET epoch = epoch + 1, oldest = epoch + 1 WHERE player = ?", (player,))
    store.conn.execute("UPDATE players SET epoch = epoch + 1 WHERE id = ?", (player,))


def _add(store: Store, player: int, address: str, now: datetime) -> None:
    store.conn.execute(
        """INSERT INTO addresses (rowid, address, written, player, confirmed)
           SELECT coalesce(min(rowid), 1) - 1, ?, ?, ?, ? FROM addresses WHERE true
           ON CONFLICT (address) DO NOTHING""",
        (address.lower(), address, player, stamp(now)),
    )
