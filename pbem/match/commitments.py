"""Commitments to order lists: whoever is told that of a list sees later that it is the same, and nothing of it now.

Letters call it a seal. It is the SHA-256 of one line: game, turn, seat, nonce and the orders, with a space between
each. The nonce keeps the orders from being guessed, and stands in the receipt; the report opens all seals of its turn.
What chance will come from is told by hashes, too.
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
    """What the nonces of the order lists in a letter are made from; nobody without the desk's key can."""
    return hmac.digest(key, f"pbem orders\n{letter}\n{stamp(now)}".encode(), hashlib.sha256)


def make_nonce(secret: bytes, match: Match, seat: Seat, number: int) -> str:
    """The nonce of an order list, by the number of its receipt: 32 hexadecimal digits."""
    return hmac.digest(secret, f"{match.name} {match.turn} {seat} {number}".encode(), hashlib.sha256)[:16].hex()


def new_entry(secret: bytes, match: Match, seat: Seat, orders: str, came: tuple[int | None, str]) -> Entry:
    """Orders in canonical form as they stand from now on; in which letter they `came`, and how they were written."""
    number = match.numbers.get(seat, 0) + 1
    return Entry(number, *came, orders, make_nonce(secret, match, seat, number))


def committed_line(game: str, turn: int, seat: Seat, entry: Entry) -> str:
    """The line whose hash is the seal of an order list: match, turn, seat, nonce and orders."""
    return f"{game} {turn} {seat} {entry.nonce} {entry.canonical}"


def order_commitment(game: str, turn: int, seat: Seat, entry: Entry) -> str:
    """The seal of an order list, in 64 hexadecimal digits; "" for one from before there were seals."""
    return hashlib.sha256(committed_line(game, turn, seat, entry).encode()).hexdigest() if entry.nonce else ""


def published_hashes(match: Match) -> dict[str, str]:
    """What is told of a match's closed secrets: the hash of the turn's, and of that of the match; once it is over, the
    latter itself."""
    if not match.game.chance:
        return {}
    if match.over:
        return {"deck": read_source(match.deck).secret}
    return {"turn hash": commitment(match.secret), "deck hash": commitment(match.deck)}


def receipt(match: Match, seat: Seat, entry: Entry) -> Section:
    """The seal of a seat's own orders, opened for it."""
    seals = _opened(match, match.turn, {seat: entry})
    return Section(
        "seals", {**_NO_SEALS, "match": match, "own": True, "seals": seals, "words": match.words.get(seat, "")}
    )


_NO_SEALS: Mapping[str, Any] = {"own": False, "words": "", "again": (), "source": None, "opening": None, "late": ()}


def report(match: Match, turn: Turn, seat: Seat | None) -> Section:
    """The seals of all orders of a turn that was played, opened, and the secret of its dice; and the record's head,
    which the desk fills in."""
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
    """The seals of orders of earlier turns that a reader is told with this turn, and was not before."""
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
    """What follows when a seat has other orders than before: the others are told at the end of the run."""
    entry = after.standing.get(seat)
    open_still = after.turn == before.turn and may(after, "orders come")
    return [Announce(after, seat)] if open_still and entry and entry != before.standing.get(seat) else []


def notices(match: Match, seat: Seat) -> list[Send]:
    """The others are told the seal of a seat's orders, once in a turn: nobody hears of each second thought. Nothing is
    told if all orders are in: the report comes soon."""
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
    """What another seat is told, and how things stand for itself; nothing of the orders."""
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
