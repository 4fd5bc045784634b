"""The standings of a big league: from its results alone, and as `pbem league standings` reads them from the store."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from benchmarks.report import Row
from pbem.games import find_game
from pbem.games.base import seats_of
from pbem.leagues.league_file import League
from pbem.leagues.season import Member
from pbem.store import leagues, players
from pbem.store.database import Store
from pbem.store.matches import add_match
from pbem.times.moments import stamp
from pbem.tournament.pairing import round_robin
from pbem.tournament.standings import TIE_BREAKS, Scoring, duel, standings

PLAYERS, ROUNDS = 64, 20
_NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
_SCORING = Scoring(tie_breaks=TIE_BREAKS)


def measure() -> Iterator[Row]:
    """A whole round robin with all tie-breaks; the best of several rounds."""
    dice = Random(64)
    results = [
        duel(1, *pair, dice.choice((*pair, None)))._replace(scores={player: dice.randrange(6) for player in pair})
        for pair in combinations(range(PLAYERS), 2)
    ]

    def whole() -> None:
        rows = standings(range(PLAYERS), results, {}, _SCORING)
        assert len(rows) == PLAYERS

    def sums() -> None:
        points: dict[int, float] = defaultdict(float)
        for result in results:
            drawn = len({*result.ranks.values()}) == 1
            for player, place in result.ranks.items():
                points[player] += 0.5 if drawn else float(place == 1)
        assert len(points) == PLAYERS

    with TemporaryDirectory(prefix="pbem-bench-") as folder:
        store = _store(Path(folder) / "pbem.db", dice)

        def stored() -> None:
            season = leagues.find_season(store, "big")
            shown = json.dumps(leagues.show_standings(store, season, season.divisions[0]))
            assert shown.count("rank") == PLAYERS

        number, kept, beside = map(_milliseconds, (whole, stored, sums))
        store.conn.close()
    yield Row("standings of 64", number, "ms", "sums of points alone", beside, "< 50", number < 50)
    yield Row("standings of 64, from the store", kept, "ms", "sums of points alone", beside, "< 50", kept < 50)


def _store(path: Path, dice: Random) -> Store:
    """A desk whose only league has finished all its games, with ratings and attendance."""
    store = Store.create(path)
    with store.transaction():
        number = leagues.add_league(store, League("Big", "round-robin", scoring=_SCORING), _NOW)
        people = [players.add_player(store, f"P{at}", f"p{at}@example.org", _NOW) for at in range(PLAYERS)]
        for seed, player in enumerate(people, start=1):
            leagues.add_entrant(store, number, Member(player.id, player.name, seed), (1, 1), _NOW)
        leagues.begin_season(store, number, 1, _NOW)
        for at, one in enumerate(round_robin([player.id for player in people]), start=1):
            leagues.add_round(store, leagues.current(store, number), (1, at), one, _NOW)
        _play(store, number, people, dice)
    return store


def _play(store: Store, number: int, people: list[players.Player], dice: Random) -> None:
    game = find_game("ozymandia")
    by_id = {player.id: player for player in people}
    row = {
        "name": "oz",
        "game": game.name,
        "options": "{}",
        "rules": game.rules_version,
        "waiting": 0,
        "terms": "{}",
        "state": json.dumps(game.dump(game.new({}))),
        "phase": "finished",
        "deadline": None,
        "due": None,
        "league": number,
        "season": 1,
        "division": 1,
        "round": 1,
        "since": stamp(_NOW),
        "began": None,
    }
    pairs = store.conn.execute("SELECT id, first, second FROM pairings ORDER BY id").fetchall()
    for pairing, *pair in pairs:
        sitting = zip(seats_of(game, {}), pair, strict=True)
        seats = {seat: (by_id[player], by_id[player].name, True) for seat, player in sitting}
        match = add_match(store, row, seats)
        winner = dice.choice((*seats, None))
        store.conn.execute("UPDATE matches SET winner = ?, reason = '', ended = since WHERE id = ?", (winner, match))
        store.conn.execute("UPDATE seats SET score = ? WHERE match = ?", (dice.randrange(6), match))
        store.conn.execute("UPDATE pairings SET match = ? WHERE id = ?", (match, pairing))
        for player in pair:
            store.conn.execute(
                "INSERT INTO ratings (match, player, mu, sigma) VALUES (?, ?, 25.0, 8.0)", (match, player)
            )
            for turn in range(1, 11):
                store.conn.execute(
                    "INSERT INTO attendance (match, turn, seat, player, missed) VALUES (?, ?, '', ?, 0)",
                    (match, turn, player),
                )


def _milliseconds(work: Callable[[], None]) -> float:
    best = float("inf")
    for _ in range(ROUNDS):
        start = perf_counter()
        work()
        best = min(best, perf_counter() - start)
    return 1000 * best
