"""Letters of strangers, who have nothing to do with any game: what goes when they are old. Functions on a Store."""

import json
from datetime import datetime

from pbem.store.database import Store
from pbem.times.moments import stamp

_STEP = 1_000
"""Letters of which one entry of the record tells."""


def prune(store: Store, before: datetime, now: datetime) -> int:
    """Remove what strangers wrote before a moment, and those who wanted to join and never said yes; how many letters.

    What came is known by its hash still, and goes from the mailbox once this is committed. A game's letter stays, and
    so does one of anybody whom the desk knows.
    """
    conn, pruned, told = store.conn, 0, {"before": stamp(before)}
    with store.transaction():
        conn.execute(_GONE, told)
        answers = store.conn.execute(_ANSWERS, told).rowcount
        while found := conn.execute(_STRANGERS, {**told, "step": _STEP}).fetchall():
            numbers = (json.dumps([number for (number,) in found]),)
            conn.execute(_BLANK, numbers)
            conn.execute("INSERT OR REPLACE INTO removals SELECT value, '' FROM json_each(?)", numbers)
            pruned += len(found)
        if pruned or answers:
            store.note("prune", {"letters": pruned, "answers": answers}, now)
        conn.execute("DELETE FROM addresses WHERE player IN gone")
        conn.execute("UPDATE players SET name = '' WHERE id IN gone")
        conn.execute("DROP TABLE gone")
    return pruned


_GONE = """
    CREATE TEMP TABLE gone AS SELECT id FROM players p
    WHERE confirmed IS NULL AND refuses IS NULL AND banned IS NULL AND since < :before
          AND EXISTS (SELECT 1 FROM outbox o WHERE o.player = p.id AND o.kind = 'newcomer')
          AND NOT EXISTS (SELECT 1 FROM seats s WHERE s.player = p.id)
          AND NOT EXISTS (SELECT 1 FROM offers o WHERE o.player = p.id)
          AND NOT EXISTS (SELECT 1 FROM addresses a WHERE a.player = p.id AND a.confirmed IS NOT NULL)
          AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.player = p.id AND o.made >= :before)"""

# The order is made (`+id`): of letters by their numbers, SQLite would look at all that the desk has.
_STRANGERS = """
    SELECT id FROM letters l WHERE arrived < :before AND raw IS NOT NULL AND state <> 'kept'
        AND match IS NULL AND vouched IS NULL
        AND NOT EXISTS (SELECT 1 FROM addresses a WHERE address = sender AND a.player NOT IN gone)
        AND NOT EXISTS (SELECT 1 FROM claims WHERE address = sender)
    ORDER BY +id LIMIT :step"""

_BLANK = """
    UPDATE letters SET state = 'handled', raw = NULL, sender = NULL, message_id = NULL
    WHERE id IN (SELECT value FROM json_each(?))"""

_ANSWERS = """
    UPDATE outbox SET message_id = 'forgotten-' || id, recipient = '', raw = x''
    WHERE kind IN ('stranger', 'newcomer') AND made < :before AND raw <> x''
          AND (sent IS NOT NULL OR refused IS NOT NULL) AND (player IS NULL OR player IN gone)"""
