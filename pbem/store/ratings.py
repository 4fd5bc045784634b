"""How strong and reliable players are, in the store. Functions on a Store; whoever calls them holds the transaction."""

from collections.abc import Iterable

from pbem.store.database import Store
from pbem.tournament.ratings import Rating, Strength, after_game, reliability


def ratings_of(store: Store, some: Iterable[int]) -> dict[int, Strength]:
    """How strong and reliable players are, by their numbers."""
    found = {}
    for player in some:
        rated = store.conn.execute(
            "SELECT mu, sigma FROM ratings WHERE player = ? ORDER BY id DESC LIMIT 1", (player,)
        ).fetchone()
        on_time, turns = store.conn.execute(
            "SELECT coalesce(sum(NOT missed), 0), count(*) FROM attendance WHERE player = ?", (player,)
        ).fetchone()
        found[player] = Strength(rated and Rating(*rated), reliability(on_time, turns))
    return found


def rate(store: Store, match: int) -> None:
    """Rate a game anew: it ended, was annulled or goes on. Games rated after it are rated again, in their order."""
    first = store.conn.execute("SELECT min(id) FROM ratings WHERE match = ?", (match,)).fetchone()[0]
    later = [] if first is None else _rated(store, first)
    if first is not None:
        store.conn.execute("DELETE FROM ratings WHERE id >= ?", (first,))
    for one in later or [match]:
        _rate_one(store, one)


def rate_all(store: Store) -> None:
    """Rate every game again, in the order in which they were rated."""
    matches = _rated(store, 0)
    store.conn.execute("DELETE FROM ratings")
    for one in matches:
        _rate_one(store, one)


def _rated(store: Store, since: int) -> list[int]:
    rows = store.conn.execute("SELECT match FROM ratings WHERE id >= ? GROUP BY match ORDER BY min(id)", (since,))
    return [match for (match,) in rows]


def _rate_one(store: Store, match: int) -> None:
    """The ratings of both players after a game that was played to its end; a forfeit tells nothing of skill."""
    sitting = store.conn.execute(
        """SELECT player, winner IS NULL, winner = seat FROM seats JOIN matches ON id = match
           WHERE match = ? AND phase = 'finished' AND NOT forfeit ORDER BY seat""",
        (match,),
    ).fetchall()
    if len({player for player, _, _ in sitting}) < 2:
        return
    (one, drawn, won), (other, _, _) = sitting
    now = ratings_of(store, (one, other))
    after = after_game(now[one].rating or Rating(), now[other].rating or Rating(), 0.5 if drawn else float(won))
    for player, rating in zip((one, other), after, strict=True):
        store.conn.execute(
            "INSERT INTO ratings (match, player, mu, sigma) VALUES (?, ?, ?, ?)", (match, player, *rating)
        )
