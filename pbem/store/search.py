"""Searches that are open to everybody: games by name or player, orders by content, and games to join or watch."""

import json
import re
from collections.abc import Sequence
from itertools import groupby, islice
from typing import NamedTuple

from pbem import PbemError, Sentence, load_sentence
from pbem.games import find_game
from pbem.games.base import seats_of
from pbem.games.capabilities import round_name
from pbem.match.overview import Lobby, Seated, Waiting, Watched
from pbem.store.database import Row, Store
from pbem.times.deadlines import parse_deadline
from pbem.times.moments import parse_moment

_SEPARATORS = re.compile(r"[,;\n]")
_WORDS = re.compile(r"[^\W_]+")


class SearchError(PbemError):
    """Raised when a search text contains no words to search for."""


class FoundGame(NamedTuple):
    """A game that was found by its name or by the name of a player. `players` lists the seats with their players, and
    `phase` is the phase of the game as in the view `games`."""

    game: str
    players: str
    phase: str


class FoundOrders(NamedTuple):
    """The orders of a seat for a turn. `undone` is the moment at which the turn was undone, or None if the turn still
    counts."""

    game: str
    turn: int
    seat: str
    orders: str
    undone: str | None


class Found(NamedTuple):
    """Search results, newest first. `has_more` says whether more games or more orders were found than are listed."""

    games: list[FoundGame]
    orders: list[FoundOrders]
    has_more: bool


def search(store: Store, text: str, limit: int) -> Found:
    """Find games whose name or players' names contain `text`, and orders that contain all items of `text`. Raises
    SearchError if `text` contains no words.

    Commas, semicolons and line feeds separate items. The words of an item must appear next to each other in the same
    order; case is ignored. Nothing in `text` is treated as an operator, not even quotation marks, `*` or `NEAR`.
    Returns at most `limit` results of each kind.
    """
    words = [_WORDS.findall(item) for item in _SEPARATORS.split(text)]
    items = [f'"{" ".join(item)}"' for item in words if item]
    if not items:
        raise SearchError(
            "There is no word or number in what is to be found: write orders such as 3 A to MC, or a name."
        )
    name = text.encode("utf-8", "replace").decode().strip()
    games = store.conn.execute(_GAMES, (json.dumps(_matches_named(store, name, limit + 1)),)).fetchall()
    orders = store.conn.execute(_ORDERS, (" AND ".join(items), limit + 1)).fetchall()
    return Found(
        [FoundGame(*row) for row in games[:limit]],
        [FoundOrders(*row) for row in orders[:limit]],
        len(games) > limit or len(orders) > limit,
    )


def _matches_named(store: Store, name: str, limit: int) -> list[int]:
    """Return the numbers of at most `limit` matches whose own name or a player's name contains `name`, newest first.
    Python compares the names, because SQLite ignores the case of ASCII letters only."""
    rows = store.conn.execute(
        "SELECT m.id, m.name, s.name FROM matches m LEFT JOIN seats s ON s.match = m.id ORDER BY m.id DESC"
    )
    wanted = name.casefold()
    found = (number for number, *names in rows if any(one and wanted in one.casefold() for one in names))
    return [*islice((number for number, _ in groupby(found)), limit)]


_GAMES = """
    SELECT name, players, phase FROM games WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id DESC"""

# CROSS JOIN makes SQLite begin with the newest search hits and stop at the limit.
_ORDERS = """
    SELECT game, p.turn, p.seat, p.orders, undone
    FROM order_search s CROSS JOIN turns_played p ON p.id = s.turn AND p.seat = s.seat
    WHERE order_search MATCH ? ORDER BY s.rowid DESC LIMIT ?"""


_MOST = 12


def lobby(store: Store, player: int) -> Lobby:
    """Return what a player can join or watch: everyone who is waiting for a new game, the names of all leagues, and the
    newest running games of others."""
    waiting = store.conn.execute(
        """SELECT e.game, p.name, e.since, e.player = ? FROM entrants e JOIN players p ON p.id = e.player
           WHERE e.league IS NULL ORDER BY e.game, e.since, e.rowid""",
        (player,),
    ).fetchall()
    running = store.conn.execute(
        """SELECT name, game, options, (SELECT json_group_object(seat, s.name) FROM seats s WHERE s.match = m.id), turn,
                  state, EXISTS (SELECT 1 FROM seats s WHERE s.match = m.id AND untold <> '')
           FROM matches m WHERE phase IN ('running', 'paused') AND NOT sandbox
               AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.match = m.id AND s.player = ?) ORDER BY id DESC LIMIT ?""",
        (player, _MOST),
    ).fetchall()
    return Lobby(
        tuple(
            Waiting(find_game(game).title, name, parse_moment(since), bool(mine)) for game, name, since, mine in waiting
        ),
        league_names(store),
        tuple(map(_watched, running)),
    )


def league_names(store: Store) -> tuple[str, ...]:
    """Return the names of all leagues, sorted. Anyone can join the standby list of any league."""
    return tuple(name for (name,) in store.conn.execute("SELECT name FROM leagues ORDER BY name"))


def joined_by(store: Store, player: int) -> frozenset[str]:
    """Return the names of the leagues in which a player takes part or is on the standby list."""
    rows = store.conn.execute(
        """SELECT l.name FROM entrants e JOIN leagues l ON l.id = league
           WHERE player = ? AND state IN ('playing', 'standby') AND e.season = l.season""",
        (player,),
    )
    return frozenset(name for (name,) in rows)


def _watched(row: tuple[str, str, str, str, int, str, int]) -> Watched:
    name, game_name, options, sitting, turn, state, untold = row
    game, names = find_game(game_name), json.loads(sitting)
    players = joined_names([names[seat] for seat in seats_of(game, json.loads(options))], untold=bool(untold))
    return Watched(name, game.title, players, round_name(game, game.load(json.loads(state)), turn))


def seated(store: Store, player: int) -> tuple[Seated, ...]:
    """Return a player's games as the command `status` shows them: all unfinished ones, and the last five that ended."""
    rows = store.rows(
        """SELECT m.name, m.game, m.state, m.phase, s.seat, s.accepted, m.turn, m.deadline, m.reason, s.stand_in,
                  s.bank IS NOT NULL AS has_banks,
                  m.sandbox,
                  (SELECT json_group_object(o.seat, o.name) FROM seats o
                   WHERE o.match = m.id AND o.seat <> s.seat) AS opponents,
                  s.untold <> '' AS untold,
                  (SELECT canonical FROM orders o WHERE o.match = m.id AND o.turn = m.turn AND o.seat = s.seat
                   AND o.state = 'standing') AS orders,
                  (m.phase = 'offered' AND m.deck LIKE '%:+%')
                  OR (m.phase = 'running' AND m.secret LIKE '%:+%') AS drawing
           FROM seats s JOIN matches m ON m.id = s.match
           WHERE s.player = ? AND NOT (m.sandbox AND EXISTS (
                     SELECT 1 FROM seats o WHERE o.match = m.id AND o.seat < s.seat))
           ORDER BY m.phase IN ('finished', 'annulled'),
                    CASE WHEN m.phase IN ('finished', 'annulled') THEN -m.id ELSE m.id END""",
        (player,),
    )
    running = sum(row["phase"] not in ("finished", "annulled") for row in rows)
    return tuple(map(_seated, rows[: running + 5]))


def _seated(row: Row) -> Seated:
    game = find_game(row["game"])
    state, names = game.load(json.loads(row["state"])), json.loads(row["opponents"])
    return Seated(
        match=row["name"],
        game=game,
        seat=row["seat"],
        opponents=joined_names([names[seat] for seat in game.signs if seat in names], untold=row["untold"]),
        round=round_name(game, state, row["turn"]),
        orders=row["orders"],
        awaited=row["reason"] is None and row["seat"] in game.awaiting(state),
        deadline=parse_deadline(row["deadline"]).moment if row["deadline"] else None,
        ended=row["reason"] and load_sentence(row["reason"]),
        phase=row["phase"],
        accepted=row["accepted"] is not None,
        drawing=bool(row["drawing"]),
        has_banks=bool(row["has_banks"]),
        stand_in=row["stand_in"],
        sandbox=bool(row["sandbox"]),
    )


def joined_names(names: Sequence[str], *, untold: bool) -> str:
    """Return names of players joined by commas. If they are `untold`, they are those of sides, which letters translate;
    the result is then a `Sentence`."""
    return Sentence("{names}", names=tuple(map(Sentence, names))) if untold else ", ".join(names)
