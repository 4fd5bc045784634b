"""Players and matches in the store: load what a letter touches, and write effects down.

Functions on a Store; whoever calls them holds the transaction.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.accounts import Holder, Player
from pbem.games import find_game
from pbem.games.base import Result, Seat
from pbem.match import (
    Effect,
    Entry,
    Hold,
    MarkFailing,
    Match,
    Play,
    Propose,
    Release,
    Seated,
    TakeOrders,
    WithdrawOrders,
)
from pbem.schedule import parse_moment, stamp
from pbem.store import Store, StoreError


def player_by_address(store: Store, address: str | None) -> Player | None:
    """Whoever has confirmed this address, in lower case; None for a stranger."""
    row = store.conn.execute(
        """SELECT player, name, written FROM addresses JOIN players ON players.id = player WHERE address = ?""",
        (address,),
    ).fetchone()
    return row and Player(*row)


def add_player(store: Store, name: str, address: str, now: datetime) -> Player:
    """The player with this address, made if he is new."""
    player = player_by_address(store, address.lower())
    if player is None:
        cursor = store.conn.execute("INSERT INTO players (name, since) VALUES (?, ?)", (name, stamp(now)))
        store.conn.execute("INSERT INTO addresses VALUES (?, ?, ?)", (address.lower(), address, cursor.lastrowid))
        player = player_by_address(store, address.lower())
    assert player is not None
    return player


def add_match(store: Store, row: Mapping[str, Any], seats: Mapping[Seat, tuple[Player, str]]) -> int:
    """A new match and who sits where, under which name; its number. `row` has the columns of `matches`."""
    number = int(store.conn.execute("SELECT coalesce(max(id), 0) + 1 FROM matches").fetchone()[0])
    store.conn.execute(
        """INSERT INTO matches (id, name, game, options, rules, state, waiting, every, deadline, since)
           VALUES (:id, :name, :game, :options, :rules, :state, :waiting, :every, :deadline, :since)""",
        {**row, "id": number, "name": f"{row['name']}-{number}"},
    )
    for seat, (player, name) in seats.items():
        store.conn.execute(
            "INSERT INTO seats (match, seat, player, name) VALUES (?, ?, ?, ?)",
            (number, seat, player.id, name),
        )
    return number


def find_match(store: Store, name: str) -> int:
    """The number of a match from what people call it. Raises StoreError."""
    row = store.conn.execute("SELECT id FROM matches WHERE name = ?", (name.lower(),)).fetchone()
    if row is None:
        raise StoreError(f'There is no game "{name}": `pbem game list` shows all.')
    return int(row[0])


def match_name(store: Store, number: int) -> str:
    """What people call a match: the inverse of `find_match`."""
    (name,) = store.conn.execute("SELECT name FROM matches WHERE id = ?", (number,)).fetchone()
    return str(name)


def holders(store: Store, match: int) -> dict[Seat, Holder]:
    """Who holds the seats of a match; empty if there is no such match."""
    rows = store.conn.execute(
        """SELECT seat, player, players.name, seats.name, epoch,
                  (SELECT written FROM addresses WHERE player = players.id ORDER BY rowid LIMIT 1),
                  (SELECT json_group_array(address) FROM addresses WHERE player = players.id), failing
           FROM seats JOIN players ON players.id = player WHERE match = ?""",
        (match,),
    ).fetchall()
    return {
        seat: Holder(
            seat, Player(player, known_as, written), name, epoch, frozenset(json.loads(addresses)), failing is not None
        )
        for seat, player, known_as, name, epoch, written, addresses, failing in rows
    }


def load_match(store: Store, number: int) -> Match:
    """A match with the orders of its current turn."""
    name, game_name, state, turn, phase, every, deadline, winner, reason = store.conn.execute(
        "SELECT name, game, state, turn, phase, every, deadline, winner, reason FROM matches WHERE id = ?",
        (number,),
    ).fetchone()
    game = find_game(game_name)
    sitting = holders(store, number)
    standing, numbers, proposals = _orders(store, number, turn)
    held, stuck = _stuck(store, number, turn)
    return Match(
        id=number,
        name=name,
        game=game,
        state=game.load(json.loads(state)),
        turn=turn,
        holders={seat: sitting[seat] for seat in game.seats},
        every=timedelta(seconds=every) if every else None,
        deadline=parse_moment(deadline) if deadline else None,
        standing=standing,
        numbers=numbers,
        proposals=proposals,
        held=held,
        stuck=stuck,
        result=Result(winner, reason) if phase == "finished" else None,
    )


def _orders(
    store: Store, match: int, turn: int
) -> tuple[dict[Seat, Entry], dict[Seat, int], dict[Seat, dict[int, str]]]:
    """What stands, the highest receipt number, and the proposals of a turn, by seat."""
    standing: dict[Seat, Entry] = {}
    numbers: dict[Seat, int] = {}
    proposals: dict[Seat, dict[int, str]] = {}
    for seat, state, number, letter, written, canonical in store.conn.execute(
        "SELECT seat, state, number, letter, written, canonical FROM orders WHERE match = ? AND turn = ?",
        (match, turn),
    ):
        if state == "proposed":
            proposals.setdefault(seat, {})[letter] = canonical
        else:
            numbers[seat] = max(number, numbers.get(seat, 0))
        if state == "standing":
            standing[seat] = Entry(number, letter, written, canonical)
    return standing, numbers, proposals


def _stuck(store: Store, match: int, turn: int) -> tuple[dict[Seat, tuple[int, ...]], frozenset[Seat]]:
    """The letters of a turn that are held, by seat, and the seats whose letters were set aside or are held."""
    rows = store.conn.execute(
        """SELECT seat, id, state FROM letters WHERE match = ? AND turn = ? AND state IN ('held', 'set aside')
           ORDER BY id""",
        (match, turn),
    ).fetchall()
    held: dict[Seat, tuple[int, ...]] = {}
    for seat, number, state in rows:
        if state == "held":
            held[seat] = (*held.get(seat, ()), number)
    return held, frozenset(seat for seat, _, _ in rows)


def match_numbers(store: Store, *, running: bool = False) -> list[int]:
    """All matches there are, or all that are still played, oldest first."""
    rows = store.conn.execute("SELECT id FROM matches WHERE phase = 'running' OR NOT ? ORDER BY id", (running,))
    return [number for (number,) in rows]


def seated(store: Store, player: int) -> tuple[Seated, ...]:
    """A player's games for his `status`: all that are running, and the last five that ended."""
    rows = store.conn.execute(
        """SELECT m.name, m.game, m.state, s.seat, m.turn, m.deadline, m.reason,
                  (SELECT group_concat(o.name, ', ') FROM seats o WHERE o.match = m.id AND o.seat <> s.seat),
                  (SELECT canonical FROM orders o WHERE o.match = m.id AND o.turn = m.turn AND o.seat = s.seat
                          AND o.state = 'standing')
           FROM seats s JOIN matches m ON m.id = s.match WHERE s.player = ?
           ORDER BY m.phase = 'finished', CASE m.phase WHEN 'finished' THEN -m.id ELSE m.id END""",
        (player,),
    ).fetchall()
    running = sum(row[6] is None for row in rows)
    return tuple(_seated(*row) for row in rows[: running + 5])


def running_seats(store: Store, player: int) -> list[tuple[int, Seat, int]]:
    """The seats a player holds in running matches: match, seat and the turn it is at."""
    return store.conn.execute(
        """SELECT match, seat, turn FROM seats JOIN matches ON matches.id = match
           WHERE player = ? AND phase = 'running' ORDER BY match, seat""",
        (player,),
    ).fetchall()


def ready(store: Store, due: datetime | None, after: int, limit: int) -> list[int]:
    """Matches above a number whose turn can be played: nobody is missing, or the deadline was up to `due`."""
    rows = store.conn.execute(
        """SELECT id FROM (SELECT id FROM matches WHERE phase = 'running' AND waiting = 0
                           UNION SELECT id FROM matches WHERE phase = 'running' AND deadline <= ?)
           WHERE id > ? ORDER BY id LIMIT ?""",
        (due and stamp(due), after, limit),
    )
    return [number for (number,) in rows]


def apply(store: Store, effects: Iterable[Effect], now: datetime) -> None:
    """Write effects down, all of them or none; letters to send are queued apart (`queue`)."""
    for effect in effects:
        match effect:
            case TakeOrders():
                _take(store, effect, now)
            case WithdrawOrders():
                _withdraw(store, effect, now)
            case Propose():
                _propose(store, effect)
            case Hold():
                _hold(store, effect)
            case Release():
                _release(store, effect, now)
            case MarkFailing():
                _mark_failing(store, effect, now)
            case Play():
                _play(store, effect, now)


def _take(store: Store, effect: TakeOrders, now: datetime) -> None:
    match, seat, entry = effect.match, effect.seat, effect.entry
    _retire(store, match.id, match.turn, seat, "replaced")
    store.conn.execute(
        """INSERT INTO orders (match, turn, seat, state, number, letter, written, canonical)
           VALUES (?, ?, ?, 'standing', ?, ?, ?, ?)""",
        (match.id, match.turn, seat, entry.number, entry.letter, entry.written, entry.canonical),
    )
    store.conn.execute("UPDATE matches SET waiting = ? WHERE id = ?", (effect.waiting, match.id))
    told = {"turn": match.turn, "seat": seat, "letter": entry.letter, "orders": entry.canonical}
    store.note("orders", {**told, "number": entry.number}, now, match.id)


def _withdraw(store: Store, effect: WithdrawOrders, now: datetime) -> None:
    match = effect.match
    _retire(store, match.id, match.turn, effect.seat, "withdrawn")
    store.conn.execute("UPDATE matches SET waiting = ? WHERE id = ?", (effect.waiting, match.id))
    store.note("withdraw", {"turn": match.turn, "seat": effect.seat}, now, match.id)


def _retire(store: Store, match: int, turn: int, seat: Seat, state: str) -> None:
    store.conn.execute(
        "UPDATE orders SET state = ? WHERE match = ? AND turn = ? AND seat = ? AND state = 'standing'",
        (state, match, turn, seat),
    )


def _propose(store: Store, effect: Propose) -> None:
    store.conn.execute(
        """INSERT INTO orders (match, turn, seat, state, letter, written, canonical)
           VALUES (?, ?, ?, 'proposed', ?, ?, ?)""",
        (effect.match.id, effect.match.turn, effect.seat, effect.letter, effect.written, effect.canonical),
    )


def _hold(store: Store, effect: Hold) -> None:
    store.conn.execute("UPDATE letters SET state = 'held', sender = ? WHERE id = ?", (effect.address, effect.letter))


def _release(store: Store, effect: Release, now: datetime) -> None:
    """The address is known from now on, and the letter is handled again, after all that came before the `yes`."""
    (address,) = store.conn.execute("SELECT sender FROM letters WHERE id = ?", (effect.letter,)).fetchone()
    store.conn.execute(
        "INSERT INTO addresses VALUES (?, ?, ?) ON CONFLICT (address) DO NOTHING", (address, address, effect.player.id)
    )
    store.retry(effect.letter)
    store.note("address", {"player": effect.player.id, "letter": effect.letter}, now)


def _mark_failing(store: Store, effect: MarkFailing, now: datetime) -> None:
    match = effect.match
    store.conn.execute(
        "UPDATE seats SET failing = ? WHERE match = ? AND seat = ?",
        (stamp(now) if effect.failing else None, match.id, effect.seat),
    )
    store.note("mail fails" if effect.failing else "mail arrives", {"seat": effect.seat}, now, match.id)


def _play(store: Store, effect: Play, now: datetime) -> None:
    match, game = effect.match, effect.match.game
    told = {
        seat: entry and {"written": entry.written, "canonical": entry.canonical}
        for seat, entry in effect.orders.items()
    }
    after = json.dumps(game.dump(effect.ruling.state))
    turn = {
        "match": match.id,
        "turn": match.turn,
        "before": json.dumps(game.dump(match.state)),
        "orders": json.dumps(told),
        "after": after,
        "events": json.dumps(effect.ruling.events),
        "rules": game.rules_version,
        "played": stamp(now),
    }
    store.conn.execute(
        """INSERT INTO turns (match, turn, before, orders, after, events, rules, played)
           VALUES (:match, :turn, :before, :orders, :after, :events, :rules, :played)""",
        turn,
    )
    _move_on(store, effect, after, now)
    store.conn.execute(
        "UPDATE orders SET state = 'played' WHERE match = ? AND turn = ? AND state = 'standing'",
        (match.id, match.turn),
    )
    store.note("turn", turn, now, match.id)
    if result := effect.result:
        store.note("end", {"winner": result.winner, "reason": result.reason}, now, match.id)


def _move_on(store: Store, effect: Play, after: str, now: datetime) -> None:
    """The match is at its next turn, or at its end."""
    result = effect.result
    store.conn.execute(
        """UPDATE matches SET state = ?, turn = turn + 1, waiting = ?, deadline = ?, phase = ?,
                  winner = ?, reason = ?, ended = ? WHERE id = ?""",
        (
            after,
            effect.waiting,
            effect.deadline and stamp(effect.deadline),
            "finished" if result else "running",
            result and result.winner,
            result and result.reason,
            result and stamp(now),
            effect.match.id,
        ),
    )


def _seated(name: str, game_name: str, state: str, seat: Seat, turn: int, *rest: str | None) -> Seated:

    deadline, ended, opponents, canonical = rest
    game = find_game(game_name)
    return Seated(
        match=name,
        title=game.title,
        seat=seat,
        opponents=opponents or "",
        turn=turn,
        orders=canonical,
        awaited=ended is None and seat in game.awaiting(game.load(json.loads(state))),
        deadline=parse_moment(deadline) if deadline else None,
        ended=ended,
    )
