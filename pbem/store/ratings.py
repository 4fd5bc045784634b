"""Ratings: how strong and reliable players are. If an old game changes, all games rated after it are recalculated.

The caller opens the transaction.
"""

import json
from collections import Counter
from collections.abc import Iterable

from pbem.games import find_game
from pbem.games.base import Result
from pbem.store.database import Store
from pbem.tournament.ratings import Rating, Strength, after_game, after_table, reliability


def ratings_of(store: Store, players: Iterable[int]) -> dict[int, Strength]:
    """Return the strength and reliability of each of `players`, keyed by the player's number."""
    return {player: rating_of(store, player) for player in players}


def rating_of(store: Store, player: int) -> Strength:
    """Return the strength and reliability of a player. Games whose players have yet to be told do not count."""
    rated = store.conn.execute(
        "SELECT mu, sigma FROM ratings WHERE player = ? ORDER BY id DESC LIMIT 1", (player,)
    ).fetchone()
    on_time, turns = store.conn.execute(
        """SELECT coalesce(sum(NOT missed), 0), count(*) FROM attendance a
           WHERE player = ? AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.match = a.match AND s.untold <> '')""",
        (player,),
    ).fetchone()
    return Strength(rated and Rating(*rated), reliability(on_time, turns))


def rate(store: Store, match: int, *, unplayed: bool = False) -> None:
    """Bring the ratings up to date after a game has ended or has been annulled or reopened. All games rated after it
    are then rated again, in their original order.

    A game without a single played turn counts only if `unplayed` is set, and a game whose players have yet to be told
    not at all.
    """
    first = store.value("SELECT min(id) FROM ratings WHERE match = ?", (match,))
    later = [] if first is None else _rated(store, first)
    if first is not None:
        store.conn.execute("DELETE FROM ratings WHERE id >= ?", (first,))
    played = store.value("SELECT 1 FROM turns WHERE match = ? AND undone IS NULL", (match,))
    untold = store.value("SELECT 1 FROM seats WHERE match = ? AND untold <> ''", (match,))
    for number in later or [match]:
        if number != match or ((played or unplayed) and not untold):
            _rate_one(store, number)


def _rated(store: Store, since: int) -> list[int]:
    return store.column("SELECT match FROM ratings WHERE id >= ? GROUP BY match ORDER BY min(id)", (since,))


def _rate_one(store: Store, match: int) -> None:
    """Store the ratings that the players of a game have after it. Sandboxes and forfeited games are not rated, because
    they show nothing about skill; neither are seats that were given up while the others played on, or that the computer
    played for somebody. If one of two seats is not rated, the other cannot be."""
    sitting = store.conn.execute(
        """SELECT player, winner IS NULL, winner = seat, unrated FROM seats JOIN matches ON id = match
           WHERE match = ? AND phase = 'finished' AND NOT forfeit ORDER BY seat""",
        (match,),
    ).fetchall()
    if store.value("SELECT sandbox FROM matches WHERE id = ?", (match,)):
        return
    if len(sitting) > 2:
        _rate_table(store, match)
    elif len({player for player, *_ in sitting}) == 2 and not any(unrated for *_, unrated in sitting):
        (first, drawn, won, _), (second, *_) = sitting
        now = ratings_of(store, (first, second))
        after = after_game(now[first].rating or Rating(), now[second].rating or Rating(), 0.5 if drawn else float(won))
        _write(store, match, zip((first, second), after, strict=True))


def _rate_table(store: Store, match: int) -> None:
    """Rate a game with more than two players, some of whom may be on the same side. A player with several seats is not
    rated."""
    from pbem.leagues.placing import places_of

    name, options, winner, ranking = store.conn.execute(
        "SELECT game, options, winner, ranking FROM matches WHERE id = ?", (match,)
    ).fetchone()
    chairs = find_game(name).seats(json.loads(options))
    rows = store.conn.execute(
        "SELECT seat, player, gone IS NOT NULL, unrated FROM seats WHERE match = ?", (match,)
    ).fetchall()
    order = tuple(map(tuple, json.loads(ranking))) if ranking else ()
    ranks, _ = places_of(chairs, Result(winner, "", ranking=order), [seat for seat, _, gone, _ in rows if gone])
    seats = Counter(player for _, player, *_ in rows)
    sides: dict[str, list[int]] = {}
    places: dict[str, int] = {}
    playing = {seat: player for seat, player, gone, unrated in rows if not (gone or unrated) and seats[player] == 1}
    for chair in chairs:
        if chair.seat in playing:
            sides.setdefault(chair.side, []).append(playing[chair.seat])
            places[chair.side] = ranks[chair.seat]
    if len(sides) > 1:
        now = ratings_of(store, playing.values())
        before = [[now[player].rating or Rating() for player in side] for side in sides.values()]
        after = after_table(before, [*places.values()])
        for side, rated in zip(sides.values(), after, strict=True):
            _write(store, match, zip(side, rated, strict=True))


def _write(store: Store, match: int, rated: Iterable[tuple[int, Rating]]) -> None:
    for player, rating in rated:
        store.insert("ratings", match=match, player=player, **rating._asdict())
