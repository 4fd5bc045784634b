"""Deletion of personal data: the data of players who want to be forgotten, and old letters from strangers. Letters from
both groups are deleted from the mailbox, too."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.store.database import Connection, Store, recall, remember
from pbem.times.moments import stamp

if TYPE_CHECKING:
    from pbem.match.effects import Forget

NOBODY = "a player"
"""The name under which a forgotten player appears."""


def forget(store: Store, effect: "Forget", now: datetime) -> None:
    """Delete a player's name, addresses and words, and what others wrote and received in the player's games. The
    player's moves are kept under the name `NOBODY`.

    Letters that are still in the outbox are deleted as soon as they have been sent. The player's letters are deleted
    from the mailbox after the transaction is committed.
    """
    conn = store.conn
    (name,) = conn.execute("SELECT name FROM players WHERE id = ?", (effect.player.id,)).fetchone()
    values = {"player": effect.player.id, "name": name, "nobody": NOBODY}
    conn.execute(_THEIR_GAMES, values)
    conn.execute(_REMOVALS, values)
    content = {"player": effect.player.id, "contents": _drop_contents(store, values)}
    for statement in (*_BLANKING, *_FORGETTING):
        conn.execute(statement, values)
    for number, orders in conn.execute("SELECT id, orders FROM turns WHERE match IN their_games").fetchall():
        blanked = {
            seat: entry and {**entry, "written": entry["canonical"]} for seat, entry in json.loads(orders).items()
        }
        conn.execute("UPDATE turns SET orders = ? WHERE id = ?", (json.dumps(blanked), number))
    conn.execute("DROP TABLE their_games")
    store.note("forget", content, now)


def _drop_contents(store: Store, values: Mapping[str, Any]) -> list[int]:
    """Delete the contents of those entries in the record that contain messages or reasons in the games of a player who
    is being forgotten, messages to everyone in that player's leagues, or that player's messages to game masters.
    Returns the numbers of these entries. `values` are the parameters of the SQL statement."""
    return store.column(
        """DELETE FROM record_contents WHERE record IN (
               SELECT record FROM record JOIN record_contents ON record = id WHERE (match IN their_games
               AND (kind IN ('press', 'say', 'gm', 'appeal') OR json_extract(content, '$.decision') IN ('say', 'tell')
                    OR coalesce(json_extract(content, '$.reason'), '') <> ''))
               OR (match IS NULL AND kind = 'gm' AND json_extract(content, '$.player') = :player)
               OR (match IS NULL AND json_extract(content, '$.decision') = 'tell' AND json_extract(content, '$.league')
                   IN (SELECT league FROM entrants WHERE player = :player))) RETURNING record""",
        values,
    )


_THEIR_GAMES = """
    CREATE TEMP TABLE their_games AS
    SELECT match FROM seats WHERE player = :player UNION SELECT match FROM attendance WHERE player = :player
    UNION SELECT match FROM outbox WHERE player = :player AND seat IS NOT NULL"""

_REMOVALS = """
    INSERT OR REPLACE INTO removals SELECT id, '' FROM letters
    WHERE vouched = :player OR sender IN (SELECT address FROM addresses WHERE player = :player)"""

_BLANKING = (
    "UPDATE letters SET raw = NULL WHERE state = 'handled' AND match IN their_games",
    """UPDATE letters SET raw = NULL, sender = NULL, message_id = NULL
       WHERE vouched = :player OR sender IN (SELECT address FROM addresses WHERE player = :player)""",
    """UPDATE outbox SET message_id = 'forgotten-' || id, recipient = '', raw = x''
       WHERE (player = :player OR match IN their_games OR message_id LIKE '%.gm-' || :player || '-%'
              OR id IN (SELECT within FROM gathered g JOIN outbox o ON o.id = g.letter WHERE o.match IN their_games))
       AND (sent IS NOT NULL OR refused IS NOT NULL)""",
    "UPDATE orders SET written = canonical WHERE match IN their_games",
    "DELETE FROM interpretations WHERE letter IN (SELECT id FROM letters WHERE raw IS NULL)",
    "UPDATE letters SET state = 'handled', rank = 0 WHERE state = 'kept' AND raw IS NULL",
)

_FORGETTING = (
    "UPDATE matches SET reason = replace(reason, :name || ' (', :nobody || ' (') WHERE id IN their_games",
    """UPDATE matches SET reason = replace(reason, '"name": ' || json_quote(s.name), '"name": ' || json_quote(:nobody))
       FROM seats s WHERE s.match = matches.id AND s.player = :player""",  # as `dump_sentence` writes it
    "UPDATE seats SET untold = :nobody WHERE player = :player AND untold <> ''",
    """UPDATE seats SET name = iif(untold = '', :nobody, name), later = NULL, epoch = epoch + 1, oldest = epoch + 1
       WHERE player = :player""",
    """UPDATE entrants SET name = :nobody, state = iif(state IN ('playing', 'leaving'), 'leaving', 'withdrawn')
       WHERE player = :player AND league IS NOT NULL""",
    "DELETE FROM entrants WHERE player = :player AND league IS NULL",
    "DELETE FROM wishes WHERE (match, seat) IN (SELECT match, seat FROM seats WHERE player = :player)",
    "DELETE FROM offers WHERE player = :player",
    """DELETE FROM questions WHERE player = :player
       OR (match IN their_games AND word IN ('press', 'gm'))""",  # other people's words, which may be about the player
    "DELETE FROM lists WHERE player = :player",
    "DELETE FROM observers WHERE player = :player",
    "DELETE FROM absences WHERE player = :player",
    """DELETE FROM refusals WHERE address IN (SELECT address FROM addresses WHERE player = :player)
       OR address NOT IN (SELECT lower(recipient) FROM outbox)""",
    "DELETE FROM addresses WHERE player = :player",
    "DELETE FROM claims WHERE player = :player",
    "UPDATE players SET name = :nobody, zone = '', language = '', mail = '' WHERE id = :player",
)


_STEP = 1_000
"""The maximum number of letters that one statement deletes."""


def prune(store: Store, before: datetime, now: datetime) -> int:
    """Delete letters from strangers that arrived before `before`, old answers to such letters, and the names and
    addresses of people who asked to join before then but never answered `yes`. Returns the number of deleted letters.

    The hashes of the strangers' letters are kept; these letters are deleted from the mailbox after the transaction is
    committed. Letters about a game and letters from known people are not deleted.
    """
    conn, pruned, values = store.conn, 0, {"before": stamp(before)}
    with store.transaction():
        conn.execute(_GONE, values)
        answers = store.conn.execute(_ANSWERS, values).rowcount
        while rows := conn.execute(_STRANGERS, {**values, "step": _STEP}).fetchall():
            numbers = (json.dumps([number for (number,) in rows]),)
            conn.execute(_BLANK, numbers)
            conn.execute("INSERT OR REPLACE INTO removals SELECT value, '' FROM json_each(?)", numbers)
            pruned += len(rows)
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

# `+id` makes SQLite sort the result; with plain `id` SQLite would go through all letters of the desk.
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


_MOST = 200
"""The maximum number of letters deleted from the mailbox at a time. Each letter is read again before it is deleted, to
make sure that it is the right one."""


class Removal(NamedTuple):
    """A letter to delete from the mailbox: its number, its hash, its size on the server in bytes, its arrival, and when
    to try to delete it next."""

    id: int
    sha256: str
    size: int
    arrived: str
    due: str


def pending_removals(conn: Connection) -> list[Removal]:
    """Return the oldest letters that have to be deleted from the mailbox, at most `_MOST` of them. A letter whose
    content is still stored is never among them."""
    rows = conn.execute(
        """SELECT id, sha256, size, arrived, r.due FROM removals r JOIN letters ON id = letter
           WHERE raw IS NULL AND sender IS NULL ORDER BY id LIMIT ?""",
        (_MOST,),
    )
    return [Removal(*row) for row in rows]


def mark_removed(conn: Connection, letters: Sequence[Removal]) -> None:
    """Remove `letters` from the list of letters to delete from the mailbox, because the mailbox no longer contains
    them."""
    with Store(conn).transaction():
        conn.executemany("DELETE FROM removals WHERE letter = ?", ((letter.id,) for letter in letters))
        remember(conn, removal="")


def postpone_removal(conn: Connection, letters: Sequence[Removal], why: str, due: datetime) -> None:
    """Schedule another attempt to delete letters from the mailbox, and remember why the last one failed."""
    with Store(conn).transaction():
        conn.executemany(
            "UPDATE removals SET due = ? WHERE letter = ?", ((stamp(due), letter.id) for letter in letters)
        )
        remember(conn, removal=why)


def removal_failure(conn: Connection) -> str:
    """Return why the last attempt to delete letters from the mailbox failed; "" if it succeeded."""
    return recall(conn, "removal")
