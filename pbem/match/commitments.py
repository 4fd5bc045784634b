"""Commitments to order lists. A player who has been given the commitment to a list can check later that the list is
unchanged, but learns nothing about the list before then.

Letters call a commitment a seal. It is the SHA-256 of one line: game, turn, seat, nonce and orders, separated by
spaces. The nonce prevents the orders from being guessed and is printed in the receipt. The report of a turn opens the
seals of all orders that its reader may see. Hashes of the sources of chance are announced in the same way.
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
from pbem.match.time_control import deadline_for
from pbem.times.moments import stamp


def make_secret(key: bytes, letter: int, now: datetime) -> bytes:
    """Return the secret from which the nonces of a letter's order lists are made. `key` is the desk's key."""
    return hmac.digest(key, f"pbem orders\n{letter}\n{stamp(now)}".encode(), hashlib.sha256)


def make_root(key: bytes, deck: str) -> str:
    """Return the root of a match, made from the desk's key and the match's first secret, `deck`; "" for a match without
    chance. If the match goes on after this secret was revealed, its new secrets are made from the root."""
    return hmac.digest(key, f"pbem root\n{deck}".encode(), hashlib.sha256).hex() if deck else ""


def make_nonce(secret: bytes, match: Match, seat: Seat, number: int) -> str:
    """Return the nonce for an order list of `seat` in the current turn, in 32 hexadecimal digits. `number` is the
    number of the list's receipt."""
    return hmac.digest(secret, f"{match.name} {match.turn} {seat} {number}".encode(), hashlib.sha256)[:16].hex()


def new_entry(secret: bytes, match: Match, seat: Seat, orders: str, came: tuple[int | None, str]) -> Entry:
    """Return the entry for new orders of a seat. `orders` is their canonical form; `came` consists of the number of
    their letter (None if a game master entered them) and their original wording."""
    number = match.numbers.get(seat, 0) + 1
    return Entry(number, *came, orders, make_nonce(secret, match, seat, number))


def committed_line(game: str, turn: int, seat: Seat, entry: Entry) -> str:
    """Return the line whose SHA-256 is the seal of an order list: match, turn, seat, nonce and orders."""
    return f"{game} {turn} {seat} {entry.nonce} {entry.canonical}"


def order_commitment(game: str, turn: int, seat: Seat, entry: Entry) -> str:
    """Return the seal of an order list, in 64 hexadecimal digits; "" if the list was never sealed, for example in an
    imported game."""
    return hashlib.sha256(committed_line(game, turn, seat, entry).encode()).hexdigest() if entry.nonce else ""


def published_hashes(match: Match) -> dict[str, str]:
    """Return the hashes that are published before the secrets are revealed: `turn hash` of the turn's secret, and `deck
    hash` of the match's newest secret. Return {} for a match that is over or uses no chance."""
    if not match.game.chance or match.over:
        return {}
    return {"turn hash": commitment(match.secret), "deck hash": commitment(match.deck)}


def opened_secrets(match: Match) -> list[str]:
    """Return the secrets of a match, oldest first; [] until the match is over."""
    is_open = match.deck and match.over
    return [read_source(source).secret for source in match.deck.split(" ")] if is_open else []


def receipt(match: Match, seat: Seat, entry: Entry) -> Section:
    """Return the section that shows a seat the seal of its own orders, together with the line from which the seal is
    computed."""
    seals = _opened(match, match.turn, {seat: entry})
    return Section(
        "seals", {**_NO_SEALS, "match": match, "own": True, "seals": seals, "words": match.words.get(seat, "")}
    )


_NO_SEALS: Mapping[str, Any] = {"own": False, "words": "", "again": (), "source": None, "opening": None, "late": ()}


def report(match: Match, turn: Turn, seat: Seat | None) -> Section:
    """Return the section with all seals of a played turn and the secret of its dice, for `seat` or, if None, for the
    public. A seal is opened only if the reader may see the orders. The desk adds the newest hash of its record."""
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
    """Return the seals from `earlier` turns that the report of `turn` is the first to open for `seat`: for each seal,
    the seat that gave the orders, the seal, and the line from which it is computed."""
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
    """Return an effect that tells the others, at the end of the run, that `seat` has given new orders; [] if the orders
    have not changed."""
    entry = after.standing.get(seat)
    open_still = after.turn == before.turn and may(after, "orders come")
    return [Announce(after, seat)] if open_still and entry and entry != before.standing.get(seat) else []


def notices(match: Match, seat: Seat) -> list[Send]:
    """Return letters that tell the other seats the seal of the orders of `seat`. They are sent only once per turn, so
    that the others do not hear of every change of mind. If all orders are in, there are no such letters, because the
    report follows soon."""
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
    """Return the section that tells `reader`, another seat, the seal of the orders of `seat`, together with the
    reader's own situation."""
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
            "deadline": deadline_for(match, reader),
        },
    )
