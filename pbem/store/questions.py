"""Open questions to players, the numbered lists of these questions that our letters contain, and offers of seats.
Questions about addresses, held letters and proposed orders are stored in other tables."""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime

from pbem.games.base import Seat
from pbem.match.effects import Ask, Dismiss, Offer, TellOpen
from pbem.match.model import UNDO, Match, OpenCommand
from pbem.store.database import EffectHandler, Store
from pbem.store.matches import open_command_row, playable, read_open_command
from pbem.times.moments import stamp


def of_player(store: Store, player: int, now: datetime) -> tuple[OpenCommand, ...]:
    """Return a player's commands that concern no match and are still waiting for the player's `yes`."""
    rows = store.conn.execute(
        "SELECT letter, word, argument FROM questions WHERE player = ? AND match IS NULL AND made > ? ORDER BY letter",
        (player, stamp(now - UNDO)),
    )
    return tuple(read_open_command(*row, match=False) for row in rows)


def listed(store: Store, player: int, answered: int) -> tuple[tuple[str, ...], bool]:
    """Return the keys of the open questions listed in the answer to the letter `answered`, and whether that answer has
    a list. If it has none, the keys come from the newest list that was sent to the player."""
    rows = store.conn.execute(
        "SELECT keys, letter = ?1 FROM lists WHERE player = ?2 ORDER BY letter = ?1 DESC, letter DESC LIMIT 1",
        (answered, player),
    ).fetchall()
    return next(((tuple(json.loads(keys)), bool(this)) for keys, this in rows), ((), False))


def offers(store: Store, player: int, since: datetime) -> tuple[tuple[Match, Seat, int], ...]:
    """Return the offers of seats made to a player after `since`: match, seat, and number of the letter that made the
    offer."""
    rows = store.conn.execute(
        "SELECT match, seat, letter FROM offers WHERE player = ? AND made > ? ORDER BY letter", (player, stamp(since))
    ).fetchall()
    return tuple((match, seat, letter) for number, seat, letter in rows for match in playable(store, number))


def offer_seat(store: Store, offer: Offer, player: int, now: datetime) -> None:
    """Store the offer of a seat to a player. An earlier offer of the same seat lapses."""
    store.conn.execute(
        """INSERT INTO offers (match, seat, player, made, letter) VALUES (?, ?, ?, ?, ?) ON CONFLICT (match, seat)
           DO UPDATE SET player = excluded.player, made = excluded.made, letter = excluded.letter""",
        (offer.match.id, offer.seat, player, stamp(now), offer.letter),
    )


def _ask(store: Store, effect: Ask, now: datetime) -> None:
    match, (letter, command, _) = effect.match, effect.open_command
    about = match.id if match else None
    word, argument = open_command_row(command)
    store.conn.execute(
        "INSERT OR REPLACE INTO questions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            letter,
            word,
            argument,
            effect.player.id,
            about,
            effect.seat or None,
            match.turn if match else None,
            stamp(now),
        ),
    )
    content = {"letter": letter, "word": command.word, "player": effect.player.id}
    store.note("question", content, now, about)


def _tell_open(store: Store, effect: TellOpen, now: datetime) -> None:
    store.conn.execute("DELETE FROM lists WHERE player = ? AND made < ?", (effect.player.id, stamp(now - UNDO)))
    row = (effect.letter, effect.player.id, json.dumps(effect.keys), stamp(now))
    store.conn.execute("INSERT OR REPLACE INTO lists VALUES (?, ?, ?, ?)", row)


def _dismiss(store: Store, effect: Dismiss, now: datetime) -> None:
    letter = effect.letter
    store.conn.execute("DELETE FROM questions WHERE letter = ?", (letter,))
    store.conn.execute("UPDATE orders SET state = 'withdrawn' WHERE letter = ? AND state = 'proposed'", (letter,))
    store.conn.execute("UPDATE letters SET state = 'handled' WHERE id = ? AND state = 'held'", (letter,))
    store.note("question settled", {"letter": letter}, now, effect.match.id if effect.match else None)


def drop(store: Store, match: int, seats: Iterable[Seat] | None = None) -> None:
    """Delete the open questions about a match: those to `seats` or, if `seats` is None, all of them."""
    chosen = None if seats is None else json.dumps([*seats])
    store.conn.execute(
        "DELETE FROM questions WHERE match = ?1 AND (?2 IS NULL OR seat IN (SELECT value FROM json_each(?2)))",
        (match, chosen),
    )


HANDLERS: Mapping[type, EffectHandler] = {Ask: _ask, Dismiss: _dismiss, TellOpen: _tell_open}
"""The functions that store effects about questions, keyed by the class of the effect."""
