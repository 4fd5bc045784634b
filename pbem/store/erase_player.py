"""A player forgotten: what goes, what stays, and what the record says of it."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbem.match.effects import Forget
from pbem.store.database import Store

NOBODY = "a player"
"""What a player who wants to be forgotten is called."""


def forget(store: Store, effect: Forget, now: datetime) -> None:
    """Name, addresses and words go, from what others wrote and got in their games as well; the moves stay, by `NOBODY`.

    What waits in the outbox goes when it is sent, and their letters go from the mailbox once all this is committed.
    """
    conn = store.conn
    conn.execute("PRAGMA secure_delete = ON")  # or the words would still lie in the file
    (name,) = conn.execute("SELECT name FROM players WHERE id = ?", (effect.player.id,)).fetchone()
    told = {"player": effect.player.id, "name": name, "nobody": NOBODY}
    conn.execute(_HIS_GAMES, told)
    conn.execute(_REMOVALS, told)
    content = {"player": effect.player.id, "contents": _drop_contents(store, told)}
    for statement in (*_BLANKING, *_FORGETTING):
        conn.execute(statement, told)
    for number, orders in conn.execute("SELECT id, orders FROM turns WHERE match IN his_games").fetchall():
        said = {seat: one and {**one, "written": one["canonical"]} for seat, one in json.loads(orders).items()}
        conn.execute("UPDATE turns SET orders = ? WHERE id = ?", (json.dumps(said), number))
    conn.execute("DROP TABLE his_games")
    store.note("forget", content, now)


def _drop_contents(store: Store, told: Mapping[str, Any]) -> list[int]:
    """The entries of the record whose words are removed."""
    dropped = store.conn.execute(
        """DELETE FROM record_contents WHERE record IN (
               SELECT record FROM record JOIN record_contents ON record = id WHERE (match IN his_games
               AND (kind IN ('press', 'say', 'gm') OR json_extract(content, '$.decision') IN ('say', 'tell')
                    OR coalesce(json_extract(content, '$.reason'), '') <> ''))
               OR (match IS NULL AND kind = 'gm' AND json_extract(content, '$.player') = :player)) RETURNING record""",
        told,
    )
    return [number for (number,) in dropped]


_HIS_GAMES = """
    CREATE TEMP TABLE his_games AS
    SELECT match FROM seats WHERE player = :player UNION SELECT match FROM attendance WHERE player = :player
    UNION SELECT match FROM outbox WHERE player = :player AND seat IS NOT NULL"""

_REMOVALS = """
    INSERT OR REPLACE INTO removals SELECT id, '' FROM letters
    WHERE vouched = :player OR sender IN (SELECT address FROM addresses WHERE player = :player)"""

_BLANKING = (
    "UPDATE letters SET raw = NULL WHERE state = 'handled' AND match IN his_games",
    """UPDATE letters SET raw = NULL, sender = NULL, message_id = NULL
       WHERE vouched = :player OR sender IN (SELECT address FROM addresses WHERE player = :player)""",
    """UPDATE outbox SET message_id = 'forgotten-' || id, recipient = '', raw = x''
       WHERE (player = :player OR match IN his_games OR message_id LIKE '%.gm-' || :player || '-%'
              OR id IN (SELECT within FROM gathered g JOIN outbox o ON o.id = g.letter WHERE o.match IN his_games))
       AND (sent IS NOT NULL OR refused IS NOT NULL)""",
    "UPDATE orders SET written = canonical WHERE match IN his_games",
)

_FORGETTING = (
    "UPDATE matches SET reason = replace(reason, :name || ' (', :nobody || ' (') WHERE id IN his_games",
    """UPDATE matches SET reason = replace(reason, '"name": ' || json_quote(s.name), '"name": ' || json_quote(:nobody))
       FROM seats s WHERE s.match = matches.id AND s.player = :player""",  # as `dump_sentence` writes it
    "UPDATE seats SET name = :nobody, later = NULL, epoch = epoch + 1, oldest = epoch + 1 WHERE player = :player",
    """UPDATE entrants SET name = :nobody, state = iif(state IN ('playing', 'leaving'), 'leaving', 'withdrawn')
       WHERE player = :player AND league IS NOT NULL""",
    "DELETE FROM entrants WHERE player = :player AND league IS NULL",
    "DELETE FROM wishes WHERE (match, seat) IN (SELECT match, seat FROM seats WHERE player = :player)",
    "DELETE FROM offers WHERE player = :player",
    "DELETE FROM questions WHERE player = :player",
    "DELETE FROM lists WHERE player = :player",
    "DELETE FROM observers WHERE player = :player",
    "DELETE FROM absences WHERE player = :player",
    "DELETE FROM addresses WHERE player = :player",
    "DELETE FROM claims WHERE player = :player",
    "UPDATE players SET name = :nobody, zone = '', language = '', mail = '' WHERE id = :player",
)
