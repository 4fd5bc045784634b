"""The outbox, from which letters are sent, and queries about the letters that seats have written.

Letters are queued in the same transaction as the changes that they report, and sent in the order in which they were
queued.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.store.database import Store
from pbem.times.moments import parse_moment, stamp

if TYPE_CHECKING:
    from pbem.games.base import Seat
    from pbem.match.identity import Holder


@dataclass(frozen=True, slots=True)
class OutLetter:
    """A letter to send: its final bytes, the recipient, and the sender on the envelope.

    `calendar` is the deadline for the reader's calendar, "" if the letter cancels the calendar entry, or None if it
    leaves the calendar alone. If the letter may be combined with others, `body` is its content as JSON, without the
    frame that every letter has; otherwise `body` is None.
    """

    message_id: str
    kind: str
    recipient: str
    envelope: str
    raw: bytes
    match: int | None = None
    seat: "Seat | None" = None
    player: int | None = None
    calendar: str | None = None
    id: int = 0
    attempts: int = 0
    made: str = ""
    due: str = ""
    body: str | None = None


def queue(store: Store, letter: OutLetter, now: datetime, due: datetime | None = None) -> None:
    """Queue a letter, to be sent at `due` or, if that is None, at once. It must be queued in the same transaction as
    the changes that it reports. If a letter with the same Message-ID was queued before, nothing happens."""
    rows = store.conn.execute(
        """INSERT INTO outbox (message_id, match, seat, player, kind, recipient, envelope, raw, calendar, made, due)
           VALUES (:message_id, :match, :seat, :player, :kind, :recipient, :envelope, :raw, :calendar, :made, :due)
           ON CONFLICT (message_id) DO NOTHING RETURNING id""",
        {**asdict(letter), "made": stamp(now), "due": stamp(due or now)},
    )
    for (number,) in rows.fetchall():
        store.note("letter out", {"letter": number, "kind": letter.kind, "seat": letter.seat}, now, letter.match)
        if letter.body:
            store.insert("gathered", letter=number, body=letter.body)


def in_calendar(store: Store, match: int, holder: "Holder") -> tuple[datetime | None, bytes]:
    """Return the deadline that our letters have put into the calendar of a seat's holder (None if there is no entry, or
    if the entry was cancelled), and the bytes of the last letter that set or cancelled it."""
    row = store.conn.execute(
        """SELECT calendar, raw FROM outbox WHERE match = ? AND seat = ? AND player = ? AND calendar IS NOT NULL
           ORDER BY id DESC LIMIT 1""",
        (match, holder.seat, holder.player.id),
    ).fetchone() or ("", b"")
    return parse_moment(row[0]) if row[0] else None, bytes(row[1])


def sent_letter(store: Store, message_ids: Sequence[str]) -> bytes | None:
    """Look up the first five of `message_ids` in the outbox. Returns the bytes of the first letter that is found, or
    None if none is found."""
    for message_id in message_ids[:5]:
        row = store.conn.execute("SELECT raw FROM outbox WHERE message_id = ?", (message_id,)).fetchone()
        if row:
            return bytes(row[0])
    return None


def made_for(store: Store, message_id: str, address: str) -> datetime | None:
    """Return when the letter with this Message-ID was made; None if no such letter was addressed to `address`."""
    row = store.conn.execute(
        "SELECT made FROM outbox WHERE message_id = ? AND lower(recipient) = ?", (message_id, address.lower())
    ).fetchone()
    return parse_moment(row[0]) if row else None


def answers_since_report(store: Store, match: int, seat: "Seat") -> list[bytes]:
    """Return the bytes of the answers to a seat since its last report, newest first, at most 20 of them."""
    rows = store.conn.execute(
        """SELECT raw FROM outbox WHERE match = ?1 AND seat = ?2 AND kind = 'answer' AND id >
           (SELECT coalesce(max(id), 0) FROM outbox WHERE match = ?1 AND seat = ?2 AND kind = 'report')
           ORDER BY id DESC LIMIT 20""",
        (match, seat),
    )
    return [bytes(raw) for (raw,) in rows]


Place = tuple[bool, bool, int]
"""The place of a letter in the queue: whether its kind comes later, whether it has been tried, and its number."""

FIRST: Place = False, False, 0
"""The place before all letters."""


def waiting(store: Store, now: datetime, after: Place, limit: int, later: Sequence[str] = ()) -> list[OutLetter]:
    """Return up to `limit` letters that are to be sent now and have their place behind `after`: first those whose kind
    is not among `later`, and of these first those that were never tried, each group in order of creation."""
    rows = store.conn.execute(
        """SELECT message_id, kind, recipient, envelope, raw, match, seat, player, calendar, id, attempts, made, due,
                  kind IN (SELECT value FROM json_each(?1)) AS later
           FROM outbox WHERE sent IS NULL AND refused IS NULL AND due <= ?2 AND (later, attempts > 0, id) > (?3, ?4, ?5)
           ORDER BY later, attempts > 0, id LIMIT ?6""",
        (json.dumps(later), stamp(now), *after, limit),
    )
    return [OutLetter(*row[:-1]) for row in rows]


def due(store: Store, now: datetime) -> int:
    """Return the number of letters that are to be sent now."""
    waiting = "SELECT count(*) FROM outbox WHERE sent IS NULL AND refused IS NULL AND due <= ?"
    return int(store.value(waiting, (stamp(now),)))


def sent_since(store: Store, since: datetime) -> Iterator[tuple[datetime, int]]:
    """Yield how many letters the server has taken at each moment after `since`, newest first. Letters that were sent
    within another letter do not count.

    The record tells this, because finding it in the outbox would need to read every letter that was ever sent.
    """
    rows = store.conn.execute(
        """SELECT at, (SELECT count(*) FROM json_each(content ->> 'letters')
                       WHERE NOT EXISTS (SELECT 1 FROM gathered WHERE letter = value AND within IS NOT NULL))
           FROM record JOIN record_contents ON record = id
           WHERE id > coalesce((SELECT id FROM record WHERE at <= ? ORDER BY id DESC LIMIT 1), 0)
             AND kind = 'letters sent' ORDER BY id DESC""",
        (stamp(since),),
    )
    for at, number in rows:
        yield parse_moment(at), number


def mark_sent(store: Store, letters: Iterable[int], now: datetime) -> None:
    """Mark letters as sent, because the server has taken them."""
    if not (sent := [*letters]):
        return
    with store.transaction():
        numbers = json.dumps(sent)
        store.conn.execute(
            """UPDATE outbox SET sent = ?, attempts = 0, due = made
               WHERE id IN (SELECT value FROM json_each(?))""",
            (stamp(now), numbers),
        )
        alone = "DELETE FROM gathered WHERE letter IN (SELECT value FROM json_each(?)) AND within IS NULL"
        store.conn.execute(alone, (numbers,))
        _blank_if_forgotten(store, numbers)
        store.note("letters sent", {"letters": sent}, now)


class GatheredLetter(NamedTuple):
    """A letter that is waiting to be combined with others into one: its number and kind, its player, match and seat,
    whether the turn that it is about is over, and its content."""

    id: int
    kind: str
    player: int
    match: int | None
    seat: "Seat | None"
    overtaken: bool
    body: Mapping[str, Any]


def to_gather(store: Store, now: datetime) -> list[GatheredLetter]:
    """Return the due letters that are waiting to be combined with others, grouped by reader, in order of creation."""
    rows = store.conn.execute(
        """SELECT o.id, kind, player, match, seat, kind = 'sealed' AND m.turn > body ->> 'turn', body
           FROM gathered JOIN outbox o ON o.id = letter LEFT JOIN matches m ON m.id = match
           WHERE within IS NULL AND sent IS NULL AND refused IS NULL AND o.due <= ? ORDER BY player, o.id""",
        (stamp(now),),
    )
    return [
        GatheredLetter(number, kind, player, match, seat, bool(overtaken), json.loads(body))
        for number, kind, player, match, seat, overtaken, body in rows
    ]


def send_within(store: Store, letters: Sequence[int], within: str, now: datetime) -> None:
    """Mark `letters` as sent within another letter, whose Message-ID is `within`. If `within` is "", the letters were
    not sent, because they became obsolete."""
    store.conn.execute(
        """INSERT INTO gathered SELECT value, '', coalesce((SELECT id FROM outbox WHERE message_id = ?), 0)
           FROM json_each(?) WHERE true
           ON CONFLICT (letter) DO UPDATE SET body = '', within = excluded.within""",
        (within, json.dumps(letters)),
    )
    mark_sent(store, letters, now)


def unsent_number(store: Store, message_id: str) -> int | None:
    """Return the number of the letter with this Message-ID if it has yet to be sent; otherwise None."""
    waiting = "SELECT id FROM outbox WHERE message_id = ? AND sent IS NULL AND refused IS NULL"
    number: int | None = store.value(waiting, (message_id,))
    return number


def _blank_if_forgotten(store: Store, letters: str) -> None:
    """Delete the content of those of `letters` (a JSON list of numbers) that are to, from or about a forgotten player.
    Players without an address count as forgotten."""
    store.conn.execute(
        """UPDATE outbox SET message_id = 'forgotten-' || id, recipient = '', raw = x''
           WHERE id IN (SELECT value FROM json_each(?)) AND (
               (player IS NOT NULL AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = outbox.player))
               OR (kind = 'gm' AND EXISTS (SELECT 1 FROM players p WHERE outbox.message_id LIKE '%.gm-' || p.id || '-%'
                                           AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = p.id)))
               OR EXISTS (SELECT 1 FROM seats s WHERE s.match IN (
                              SELECT outbox.match UNION SELECT o.match FROM gathered g JOIN outbox o ON o.id = g.letter
                              WHERE g.within = outbox.id)
                          AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = s.player)))""",
        (letters,),
    )


def postpone(store: Store, letter: OutLetter, now: datetime, pause: timedelta, attempts: int) -> None:
    """Schedule another attempt to send a letter after `pause`, because the server would not take the letter now.
    `attempts` is the number of attempts so far."""
    store.conn.execute(
        "UPDATE outbox SET attempts = ?, due = ? WHERE id = ?", (attempts, stamp(now + pause), letter.id)
    )


def give_up(store: Store, letter: OutLetter, now: datetime, answer: str) -> None:
    """Mark a letter as refused for good, and store `answer`, the server's reply. The letter is kept, and can be queued
    again."""
    with store.transaction():
        refuse = "UPDATE outbox SET refused = ?, attempts = 0, due = made WHERE id = ?"
        store.conn.execute(refuse, (answer, letter.id))
        _blank_if_forgotten(store, f"[{letter.id}]")
        content = {"letter": letter.id, "kind": letter.kind, "seat": letter.seat}
        store.note("letter refused", content, now, letter.match)


def refuses(store: Store, address: str, now: datetime, *, nobody: bool) -> None:
    """Record that the last letter to an address was refused for good. `nobody` says whether the server reported that
    there is no such address."""
    store.conn.execute(
        """INSERT INTO refusals (address, since, nobody) VALUES (?, ?, ?)
           ON CONFLICT (address) DO UPDATE SET since = excluded.since, nobody = excluded.nobody""",
        (address.lower(), stamp(now), nobody),
    )


def dead_addresses(store: Store, since: datetime) -> set[str]:
    """Return the addresses, in lower case, that a server has reported as non-existent after `since`."""
    return {*store.column("SELECT address FROM refusals WHERE nobody AND since > ?", (stamp(since),))}


def refusing(store: Store, addresses: Iterable[str]) -> set[str]:
    """Return, in lower case, those of `addresses` for which the last letter was refused for good."""
    asked = json.dumps([address.lower() for address in addresses])
    return {*store.column("SELECT address FROM refusals WHERE address IN (SELECT value FROM json_each(?))", (asked,))}


def takes_again(store: Store, address: str, now: datetime) -> None:
    """Record that the server accepts letters to an address again."""
    store.conn.execute("DELETE FROM refusals WHERE address = ?", (address,))
    for player in store.column("SELECT player FROM addresses WHERE address = ?", (address,)):
        arrives_again(store, player, now)


def writers_of(store: Store, letter: OutLetter) -> "list[Seat]":
    """Return the seats whose message a letter passes on or, if the letter is an invitation, the seats that are waiting
    for an answer to it. For letters of other kinds, return an empty list."""
    if letter.kind == "press":
        return re.findall(r"\.press-([^-@]+)-", letter.message_id)[:1]
    if letter.kind != "invitation":
        return []
    if letter.seat is None:
        offered = "SELECT seat FROM offers WHERE match = ? AND player = ?"
        return store.column(offered, (letter.match, letter.player))
    waiting = """SELECT seat FROM seats WHERE match = ? AND seat <> ? AND accepted IS NOT NULL
                 AND EXISTS (SELECT 1 FROM matches m WHERE m.id = match AND phase = 'offered') ORDER BY seat"""
    return store.column(waiting, (letter.match, letter.seat))


def taken_since(store: Store, moment: datetime) -> bool:
    """Return whether the server has accepted a letter at or after `moment`."""
    return bool(store.value("SELECT EXISTS (SELECT 1 FROM outbox WHERE sent >= ?)", (stamp(moment),)))


class RefusedLetter(NamedTuple):
    """A letter that was refused for good but can be sent again: its number, when it was made, its kind, its addressee,
    and the server's last reply."""

    id: int
    made: str
    kind: str
    whom: str
    why: str


def refused_letters(store: Store) -> list[RefusedLetter]:
    """Return the letters that were refused for good and whose addresses have accepted no letter since then, oldest
    first."""
    rows = store.conn.execute(
        """SELECT o.id, o.made, o.kind, o.seat, m.name, o.player, o.refused
           FROM outbox o LEFT JOIN matches m ON m.id = o.match
           WHERE o.refused IS NOT NULL AND lower(o.recipient) IN (SELECT address FROM refusals) ORDER BY o.id"""
    )
    return [
        RefusedLetter(number, made, called(kind), whom(seat, match, player), why)
        for number, made, kind, seat, match, player, why in rows
    ]


_CALLED = {
    "course": "notice",
    "desk": "news",
    "game master": "news for a game master",
    "gathered": "news",
    "gm": "words to a game master",
    "sealed": "notice",
    "stranger": "answer",
    "unproven": "answer",
}


def called(kind: str) -> str:
    """Return what people call a letter of ours of this `kind`; other kinds are words already."""
    return _CALLED.get(kind, kind)


def whom(seat: "Seat | None", match: str | None, player: int | None) -> str:
    """Return a description of a letter's addressee that contains no address: the seat and the name of its match, or the
    number of the player."""
    if match:
        return f"{seat or 'somebody'} of {match}"
    return f"player {player}" if player else "somebody"


def send_again(store: Store, letter: int, now: datetime) -> bool:
    """Put a letter that was refused for good back into the queue, addressed to the reader's current address. Returns
    whether there is such a letter."""
    with store.transaction():
        rows = store.conn.execute(
            """UPDATE outbox SET refused = NULL, due = :now, recipient = coalesce(
                   (SELECT written FROM addresses a WHERE a.player = outbox.player
                    ORDER BY confirmed IS NULL, rowid LIMIT 1), recipient)
               WHERE id = :letter AND refused IS NOT NULL AND recipient <> '' RETURNING match, recipient""",
            {"letter": letter, "now": stamp(now)},
        )
        if (row := rows.fetchone()) is None:
            return False
        store.conn.execute("UPDATE refusals SET nobody = 0 WHERE address = lower(?)", (row[1],))
        store.note("letter again", {"letter": letter}, now, row[0])
    return True


def arrives_again(store: Store, player: int, now: datetime) -> None:
    """Record that a player can be reached again at one of their addresses. Letters to their seats no longer count as
    failing, and recent letters that could not be delivered are queued again, except reminders and warnings."""
    values = {"player": player, "since": stamp(now - KEPT)}
    lately = store.column(
        """SELECT id FROM outbox WHERE player = :player AND refused IS NOT NULL AND made > :since
           AND kind NOT IN ('reminder', 'warning') ORDER BY id""",
        values,
    )
    store.conn.execute(
        """DELETE FROM refusals WHERE address IN (
               SELECT address FROM addresses WHERE player = :player
               UNION SELECT lower(recipient) FROM outbox WHERE player = :player AND refused IS NOT NULL)""",
        values,
    )
    failing = "UPDATE seats SET failing = NULL WHERE player = ? AND failing IS NOT NULL RETURNING match, seat"
    for match, seat in store.conn.execute(failing, (player,)).fetchall():
        store.note("mail arrives", {"seat": seat}, now, match)
    for letter in lately:
        send_again(store, letter, now)


KEPT = timedelta(days=30)
"""The maximum age of undelivered letters that are queued again once an address of their reader works."""


def sent_lately(store: Store, letter: OutLetter, since: datetime) -> int:
    """Return the number of letters made after `since` with the same kind, recipient, match and seat as `letter`."""
    (number,) = store.conn.execute(
        "SELECT count(*) FROM outbox WHERE recipient = ? AND made > ? AND kind = ? AND match IS ? AND seat IS ?",
        (letter.recipient, stamp(since), letter.kind, letter.match, letter.seat),
    ).fetchone()
    return int(number)


def has_had_letters(store: Store, address: str) -> bool:
    """Return whether any letter was ever queued to an address, which is written as it was then."""
    return bool(store.value("SELECT EXISTS (SELECT 1 FROM outbox WHERE recipient = ?)", (address,)))


def asked_by(store: Store, player: int, match: int | None, since: datetime, *, claims: bool = False) -> int:
    """Return the number of messages that a player has sent after `since` to the game masters of `match` or, if `match`
    is None, of the desk. If `claims` is true, only claims are counted."""
    (number,) = store.conn.execute(
        """SELECT count(*) FROM record JOIN record_contents ON record = id
           WHERE id > coalesce((SELECT id FROM record WHERE at <= :since ORDER BY id DESC LIMIT 1), 0)
             AND kind = 'gm' AND match IS :match AND content ->> 'player' = :player
             AND (NOT :claims OR content ->> 'claim' IS NOT NULL)""",
        {"since": stamp(since), "match": match, "player": player, "claims": claims},
    ).fetchone()
    return int(number)


def last_answered(store: Store, match: int, seat: "Seat") -> datetime | None:
    """Return when a letter of the holder of `seat` about `match` was last answered; None if none was."""
    made = store.value("SELECT max(made) FROM outbox WHERE match = ? AND seat = ? AND kind = 'answer'", (match, seat))
    return parse_moment(str(made)) if made else None


def made_after(store: Store, number: int) -> "list[tuple[int, Seat, bytes]]":
    """Return the number, seat and bytes of each letter with a number above `number`, in order of creation. A letter
    that was sent within another one is left out."""
    return store.conn.execute(
        """SELECT id, seat, raw FROM outbox WHERE id > ? AND id NOT IN (SELECT letter FROM gathered WHERE body = '')
           ORDER BY id""",
        (number,),
    ).fetchall()


def unsent(store: Store, before: datetime) -> list[int]:
    """Return the numbers of the letters made before `before` that have yet to be sent."""
    return store.column(
        "SELECT id FROM outbox WHERE sent IS NULL AND refused IS NULL AND made < ? ORDER BY id", (stamp(before),)
    )


def refused_since(store: Store, since: datetime) -> list[tuple[str, int]]:
    """Return the recipients of letters that were made after `since` and refused for good, each with the number of such
    letters. Recipients are described without their addresses. A letter is left out if its address has accepted a later
    one."""
    return store.conn.execute(
        """SELECT coalesce(o.seat || ' of ' || m.name, 'player ' || o.player, 'somebody'), count(*)
           FROM outbox o LEFT JOIN matches m ON m.id = o.match
           WHERE o.refused IS NOT NULL AND o.made > ? AND NOT EXISTS (
               SELECT 1 FROM outbox n WHERE n.recipient = o.recipient AND n.id > o.id AND n.sent IS NOT NULL)
           GROUP BY 1 ORDER BY min(o.id)""",
        (stamp(since),),
    ).fetchall()


class OrdersOf(NamedTuple):
    """The orders in a letter: turn, state, receipt number (None if the orders were only proposed), the writer's own
    words, and the canonical form."""

    turn: int
    state: str
    number: int | None
    written: str
    canonical: str


class CameIn(NamedTuple):
    """A letter with the token of a seat: its number, its arrival, its seat, and its sender; `raw` is None once its
    bytes have been deleted.

    `answers` is the turn of its token, or 0 if that turn was undone. `during` is the turn that was under way when the
    letter was last handled, and `played` is the number of turns played by then, including turns that have since been
    undone. `closed` says whether the turn `during` was played later, even if it was then undone. `state` and `outcome`
    say what became of the letter.
    """

    number: int
    arrived: str
    seat: "Seat"
    sender: str
    answers: int
    during: int
    played: int
    closed: bool
    state: str
    outcome: str
    raw: bytes | None
    orders: tuple[OrdersOf, ...]


def letters_of(store: Store, match: int) -> list[CameIn]:
    """Return the letters that the seats of a match have written and that were handled, held or set aside, in the order
    in which they were stored."""
    orders, letters = _orders_of(store, match), []
    for letter, (during, played, closed) in sorted(_when(store, match).items()):
        rows = store.conn.execute(
            """SELECT arrived, seat, coalesce(sender, ''), turn, state, coalesce(outcome, ''), raw FROM letters
               WHERE id = ? AND state <> 'kept' AND seat IN (SELECT seat FROM seats WHERE match = letters.match)""",
            (letter,),
        )
        for arrived, seat, sender, turn, state, outcome, raw in rows:
            held = tuple(orders.get(letter, ()))
            letters.append(
                CameIn(letter, arrived, seat, sender, turn, during, played, closed, state, outcome, raw, held)
            )
    return letters


def _when(store: Store, match: int) -> Mapping[int, tuple[int, int, bool]]:
    """Return what the record says about the moment at which each letter was handled, keyed by the number of the letter:
    the turn that was under way, the number of turns played by then, and whether the turn under way was played later."""
    during, played = 1, 0
    times: dict[int, tuple[int, int, bool]] = {}
    for kind, text in store.conn.execute(
        """SELECT kind, content FROM record JOIN record_contents ON record = id WHERE match = ?
           AND kind IN ('letter in', 'letter set aside', 'turn', 'undo') ORDER BY id""",
        (match,),
    ):
        content = json.loads(text)
        if kind == "turn":
            times |= {
                letter: (of, before, closed or of == content["turn"]) for letter, (of, before, closed) in times.items()
            }
            during, played = content["turn"] + 1, played + 1
        elif kind == "undo":
            during = content["turn"]
        else:
            times[content["letter"]] = during, played, False
    return times


def _orders_of(store: Store, match: int) -> Mapping[int, list[OrdersOf]]:
    orders: dict[int, list[OrdersOf]] = {}
    for letter, turn, state, number, written, canonical in store.conn.execute(
        """SELECT letter, turn, state, number, written, canonical FROM orders
           WHERE match = ? AND letter IS NOT NULL ORDER BY id""",
        (match,),
    ):
        orders.setdefault(letter, []).append(OrdersOf(turn, state, number, written, canonical))
    return orders


def states_before(store: Store, match: int) -> list[str]:
    """Return the state before each turn that was played, including turns that have since been undone, as JSON that the
    game can load."""
    return store.column("SELECT before FROM turns WHERE match = ? ORDER BY id", (match,))


def queried_letters(store: Store) -> list[tuple[bytes, str]]:
    """Return the bytes of letters whose orders were queried or refused, each with the name of the game. Only letters
    for turns that are over are returned."""
    rows = store.conn.execute(
        """SELECT l.raw, m.game FROM letters l JOIN matches m ON m.id = l.match
           WHERE (l.outcome LIKE '%doubt%' OR l.outcome LIKE '%perhaps%' OR l.outcome LIKE '%refusal%')
           AND l.raw IS NOT NULL AND (l.turn < m.turn OR m.phase = 'finished')"""
    )
    return [(bytes(raw), game) for raw, game in rows]
