"""What there is to play and to watch, looked up. Functions on a Store."""

import json

from pbem.games import find_game
from pbem.games.base import seats_of
from pbem.games.extras import round_name
from pbem.match.model import Lobby, Waiting, Watched
from pbem.store.database import Store
from pbem.times.moments import parse_moment

_MOST = 12


def lobby(store: Store, player: int) -> Lobby:
    """All that there is for a player to join or to watch; of running games only the newest."""
    waiting = store.conn.execute(
        """SELECT e.game, p.name, e.since, e.player = ? FROM entrants e JOIN players p ON p.id = e.player
           WHERE e.league IS NULL ORDER BY e.game, e.since, e.rowid""",
        (player,),
    ).fetchall()
    running = store.conn.execute(
        """SELECT name, game, options, (SELECT json_group_object(seat, s.name) FROM seats s WHERE s.match = m.id), turn,
                  state
           FROM matches m WHERE phase IN ('running', 'paused') ORDER BY id DESC LIMIT ?""",
        (_MOST,),
    ).fetchall()
    return Lobby(
        tuple(
            Waiting(find_game(game).title, name, parse_moment(since), bool(mine)) for game, name, since, mine in waiting
        ),
        league_names(store),
        tuple(map(_watched, running)),
    )


def league_names(store: Store) -> tuple[str, ...]:
    """All leagues, by name; all of them take people in, on their standby lists."""
    return tuple(name for (name,) in store.conn.execute("SELECT name FROM leagues ORDER BY name"))


def joined_by(store: Store, player: int) -> frozenset[str]:
    """The leagues that a player takes part in, or waits for."""
    rows = store.conn.execute(
        """SELECT l.name FROM entrants e JOIN leagues l ON l.id = league
           WHERE player = ? AND state IN ('playing', 'standby') AND e.season = l.season""",
        (player,),
    )
    return frozenset(name for (name,) in rows)


def _watched(row: tuple[str, str, str, str, int, str]) -> Watched:
    name, game_name, options, sitting, turn, state = row
    game, names = find_game(game_name), json.loads(sitting)
    players = ", ".join(names[seat] for seat in seats_of(game, json.loads(options)))
    return Watched(name, game.title, players, round_name(game, game.load(json.loads(state)), turn))
