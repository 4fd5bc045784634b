"""Commitments to order lists. A player who is told the commitment of a list can check later that the list is unchanged,
and learns nothing of it before then.

Letters call a commitment a seal. It is the SHA-256 of one line: game, turn, seat, nonce and orders, separated by
spaces. The nonce keeps the orders from being guessed and is printed in the receipt; the report opens all seals of its
turn. The sources of chance are announced by hashes, too.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from pbem.games.base import Seat
from pbem.games.capabilities import unseals
from pbem.games.chance import commitment, read_source
from pbem.match.effects import Announce, Effect, Section, Send
from pbem.match.lifecycle import may
from pbem.match.model import Entry, Match, Turn
from pbem.match.sections import name_of
from pbem.times.moments import stamp


def make_secret(key: bytes, letter: int, now: datetime) -> bytes:
    """Make the secret behind the nonces of a letter's order lists, using the desk's key."""
    return hmac.digest(key, f"pbem orders\n{letter}\n{stamp(now)}".encode(), hashlib.sha256)


def make_root(key: bytes, deck: str) -> str:
    """Make the root of a match that uses chance, from the desk's key. If the match goes on after its first secret, in
    `deck`, was revealed, its new secrets are made from this root."""
    return hmac.digest(key, f"pbem root\n{deck}".encode(), hashlib.sha256).hex() if deck else ""


def make_nonce(secret: bytes, match: Match, seat: Seat, number: int) -> str:
    """Return the nonce of an order list, given the number of its receipt: 32 hexadecimal digits."""
    return hmac.digest(secret, f"{match.name} {match.turn} {seat} {number}".encode(), hashlib.sha256)[:16].hex()


def new_entry(secret: bytes, match: Match, seat: Seat, orders: str, came: tuple[int | None, str]) -> Entry:
    """Make the entry for new orders of a seat, given in canonical form. `came` holds the number of their letter and
    their original wording."""
    number = match.numbers.get(seat, 0) + 1
    return Entry(number, *came, orders, make_nonce(secret, match, seat, number))


def committed_line(game: str, turn: int, seat: Seat, entry: Entry) -> str:
    """Return the line whose hash is the seal of an order list: match, turn, seat, nonce and orders."""
    return f"{game} {turn} {seat} {entry.nonce} {entry.canonical}"


def order_commitment(game: str, turn: int, seat: Seat, entry: Entry) -> str:
    """Return the seal of an order list, in 64 hexadecimal digits; "" if it was never sealed, as in an imported game."""
    return hashlib.sha256(committed_line(game, turn, seat, entry).encode()).hexdigest() if entry.nonce else ""


def published_hashes(match: Match) -> dict[str, str]:
    """Return the hashes that players are told before a match's secrets are opened: that of the turn's secret, and that
    of the match's newest secret."""
    if not match.game.chance or match.over:
        return {}
    return {"turn hash": commitment(match.secret), "deck hash": commitment(match.deck)}


def opened_secrets(match: Match) -> list[str]:
    """Return the secrets of a match, oldest first; none until it is over."""
    is_open = match.deck and match.over
    return [read_source(source).secret for source in match.deck.split(" ")] if is_open else []


def receipt(match: Match, seat: Seat, entry: Entry) -> Section:
    """Return a section with the seal of a seat's own orders, opened for that seat."""
    seals = _opened(match, match.turn, {seat: entry})
    return Section(
        "seals", {**_NO_SEALS, "match": match, "own": True, "seals": seals, "words": match.words.get(seat, "")}
    )


_NO_SEALS: Mapping[str, Any] = {"own": False, "words": "", "again": (), "source": None, "opening": None, "late": ()}


def report(match: Match, turn: Turn, seat: Seat | None) -> Section:
    """Return a section with all seals of a played turn, opened as far as a seat may see the orders, and with the secret
    of the turn's dice. The desk adds the head of the record."""
    reader, redact = match.reader(seat), match.game.redact_orders
    seals = [
        (name, seal, line if redact(entry.canonical, name, reader, turn.before, turn.after) == entry.canonical else "")
        for name, seal, line in _opened(match, turn.turn, turn.orders)
        if (entry := turn.orders[name])
    ]
    again = [name for name, entry in turn.orders.items() if entry and entry.number > 1 and name != seat]
    game = unseals(match.game)
    values = {
        "match": match,
        "seals": seals,
        "again": again,
        "source": read_source(turn.secret) if turn.secret else None,
        "played": name_of(match, turn),
        "opening": (turn, seat) if game and game.unseals(turn.before, turn.after) else None,
    }
    return Section("seals", {**_NO_SEALS, **values})


def opened_late(match: Match, turn: Turn, seat: Seat | None, earlier: Iterable[Turn]) -> list[tuple[Seat, str, str]]:
    """Return the seals of orders from earlier turns that this turn's report is the first to open for a seat."""
    reader = match.reader(seat)
    opened: list[tuple[Seat, str, str]] = []
    for earlier_turn in earlier:
        for name, entry in earlier_turn.orders.items():
            tells = [
                entry
                and match.game.redact_orders(entry.canonical, name, reader, earlier_turn.before, now) == entry.canonical
                for now in (turn.before, turn.after)
            ]
            opened += _opened(match, earlier_turn.turn, {name: entry}) if tells == [False, True] else []
    return opened


def _opened(match: Match, turn: int, orders: Mapping[Seat, Entry | None]) -> list[tuple[Seat, str, str]]:
    return [
        (seat, order_commitment(match.name, turn, seat, entry), committed_line(match.name, turn, seat, entry))
        for seat, entry in orders.items()
        if entry and entry.nonce
    ]


def changed(before: Match, after: Match, seat: Seat) -> list[Effect]:
    """Have the others told, at the end of the run, that a seat's orders have changed."""
    entry = after.standing.get(seat)
    open_still = after.turn == before.turn and may(after, "orders come")
    return [Announce(after, seat)] if open_still and entry and entry != before.standing.get(seat) else []


def notices(match: Match, seat: Seat) -> list[Send]:
    """Tell the others the seal of a seat's orders, but only once a turn, so that they do not hear of every change of
    mind. Nothing is sent if all orders are in, because the report follows soon."""
    entry = match.standing.get(seat)
    is_told = match.terms.sealed and may(match, "orders come") and not (match.can_play() or match.cooling)
    if not entry or not is_told:
        return []
    key = f"sealed-{match.turn}-{seat}"
    return [
        Send("sealed", key, holder.player, (_notice(match, seat, entry, holder.seat),), holder, match, match.turn)
        for holder in match.others(seat)
    ]


def _notice(match: Match, seat: Seat, entry: Entry, reader: Seat) -> Section:
    """Return the section for another seat: that seat's own situation, and nothing about the orders."""
    game = match.game
    awaited, view = reader in game.awaiting(match.state), match.view(reader)
    return Section(
        "sealed",
        {
            "match": match,
            "seat": reader,
            "by": match.holders[seat],
            "seal": order_commitment(match.name, match.turn, seat, entry),
            "entry": match.standing.get(reader),
            "prospects": partial(game.prospects, view, reader) if awaited else ("", ""),
            "missing": match.missing(),
            "deadline": match.deadline and match.deadline.moment,
        },
    )
