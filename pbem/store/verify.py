"""Whether a desk's database is what its record says, and the record what it was: docs/proof.md says what that proves.

Both are read once from beginning to end. The record tells what every row has to be; whatever is not so is a sentence.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.store.audit_log import AUDITED, content_hash, find_head, link, row_hash, sha256
from pbem.store.replay import TOLD, Began, MatchRow, Ordered, TurnRow, retraced

HEAD = re.compile(rb"\n(\*|[0-9]{1,9}) ([0-9a-f]{64})\r?\n")
"""The record's head as it stands at the foot of a report; older ones have its number. The same
in letters that are quoted-printable: nothing of it is quoted."""

_decode = json.JSONDecoder().raw_decode  # what the record holds is as `json.dumps` wrote it, or its hash is another one
_STEP = 1_000  # rows between two looks at the progress
_BESIDES = {
    "letters": "raw, attempts, rank",
    "orders": "NULL",
    "turns": "secret",
    "outbox": "sent, attempts, due = made",
}
"""What of a row is looked at besides what its hash covers."""

Progress = Callable[[int], None]
"""Is told how many rows were read since it was told last."""


class _Hashes:
    """The hashes of a table's rows, by number: there may be millions."""

    def __init__(self) -> None:
        self._hashes: list[bytes | None] = []

    def update(self, hashes: Mapping[str, str]) -> None:
        """Rows, by their numbers as JSON has them, have these hashes from now on."""
        known = self._hashes
        for row, digest in hashes.items():
            number = int(row)
            if number >= len(known):
                known.extend([None] * (number + 1 - len(known)))
            known[number] = bytes.fromhex(digest)

    def __getitem__(self, number: int) -> bytes | None:
        return self._hashes[number] if 0 <= number < len(self._hashes) else None

    def numbers(self) -> Iterator[int]:
        """The rows that are known, in order."""
        return (number for number, digest in enumerate(self._hashes) if digest)


class Audit:
    """One reading of a database, of one `match` or of all; `counts` says afterwards how much there was."""

    def __init__(self, conn: sqlite3.Connection, match: int | None = None) -> None:
        self._conn, self._match = conn, match
        self.counts: Counter[str] = Counter()
        self._hashes = {table: _Hashes() for table in AUDITED}
        self._about: dict[str, set[int]] = {table: set() for table in AUDITED}  # rows of the one match
        self._sent: dict[int, str] = {}
        self._links: set[str] = set()  # the hashes of all entries
        self._removed: set[int] = set()  # entries without content that nothing explains yet
        matches = conn.execute(
            "SELECT id, name, game, state, phase, turn, winner, options, deck, ranking FROM matches"
        ).fetchall()
        self._matches = {number: MatchRow(*row) for number, *row in matches}
        self._games = {number: retraced(row) for number, row in self._matches.items()}

    def size(self) -> int:
        """How many rows there are to read."""
        counts = " + ".join(f"(SELECT count(*) FROM {table})" for table in ("record", *AUDITED))  # noqa: S608
        (number,) = self._conn.execute(f"SELECT {counts}").fetchone()
        return int(number)

    def differences(self, progress: Progress = lambda rows: None) -> Iterator[str]:
        """All that is not as it was, the record first; nothing if all is right."""
        yield from self._record(progress)
        for table in AUDITED:
            yield from self._table(table, progress)
        for number, game in self._games.items():
            if self._match in (None, number):
                self.counts["games"] += 1
                self.counts["adjudicated"] += game.adjudicated
                yield from game.stop(self._matches[number], self._began(number))

    # The record

    def _record(self, progress: Progress) -> Iterator[str]:
        """The chain from its first entry to its head, and what the entries say."""
        before, expected = "", 1
        for number, at, kind, match, digest, hashed, nonce, content in self._rows(
            """SELECT id, at, kind, match, digest, hash, nonce, content
               FROM record LEFT JOIN record_contents ON record = id ORDER BY id""",
            progress,
        ):
            if number != expected:
                yield f"Entry {expected} of the record is missing."
            elif link(before, number, (at, kind, match), digest) != hashed:
                yield f"Entry {number} of the record was changed: its hash is another one."
            self._links.add(hashed)
            before, expected = hashed, number + 1
            self.counts["entries"] += 1
            if content is None:
                self._removed.add(number)
            elif content_hash(nonce, content) != digest:
                yield f"The content of entry {number} of the record was changed: its hash is another one."
                continue
            yield from self._take(number, (at, kind, match), content and _decode(content)[0])
        yield from self._end()

    def _end(self) -> Iterator[str]:
        """Whether the record is whole: its end, and the contents that are not there."""
        head = self._conn.execute("SELECT value FROM desk WHERE key = 'head'").fetchone()
        last = find_head(self._conn)
        if (head[0] if head else "") != (str(last) if last.number else ""):
            yield f"The record ends with entry {last.number}, which is not the last one that was written."
        for number in sorted(self._removed):
            yield f"The content of entry {number} of the record is missing, and nobody's wish explains it."
        for (number,) in self._conn.execute(
            "SELECT record FROM record_contents WHERE record NOT IN (SELECT id FROM record)"
        ):
            yield f"There is content for entry {number} of the record, which does not exist."

    def _take(self, number: int, entry: tuple[str, str, int | None], content: dict[str, Any] | None) -> Iterable[str]:
        """What an entry says: hashes of rows, letters sent, contents removed, and what happened in its match."""
        at, kind, match = entry
        try:
            if content is not None:
                self._take_rows(at, kind, match, content)
            if match is not None and match not in self._games:
                return [f"Entry {number} of the record is about a game that is missing."]
            if match is not None and kind in TOLD and self._match in (None, match):
                return [*self._games[match].read(kind, at, content, self._ordered(match, number))]
        except (KeyError, TypeError, ValueError, AttributeError):
            return [f"Entry {number} of the record says what no entry says."]
        return ()

    def _take_rows(self, at: str, kind: str, match: int | None, content: dict[str, Any]) -> None:
        for table, hashes in content.get("rows", {}).items():
            self._hashes[table].update(hashes)
            if match is not None and match == self._match:
                self._about[table].update(map(int, hashes))
        if kind == "letters sent":
            self._sent.update(dict.fromkeys(content["letters"], at))
        elif kind == "letter again":  # of desks from when `resend` sent the same bytes
            del self._sent[content["letter"]]
        elif kind == "upgrade":
            self._sent.update({int(letter): sent for letter, sent in content.get("sent", {}).items()})
        if removed := content.get("contents"):
            self.counts["removed"] += len(removed)
            self._removed.difference_update(removed)

    # The rows

    def _table(self, table: str, progress: Progress) -> Iterator[str]:
        """The rows of a table against what the record says of them, both ways."""
        known = self._hashes[table]
        wanted = known.numbers() if self._match is None else iter(sorted(self._about[table]))
        expected = next(wanted, None)
        chosen = "" if self._match is None else f"WHERE match = {self._match}"
        statement = f"SELECT {AUDITED[table]}, {_BESIDES[table]} FROM {table} {chosen} ORDER BY id"  # noqa: S608
        covered = AUDITED[table].count(",") + 1
        for row in self._rows(statement, progress):
            number, digest = row[0], known[row[0]]
            while expected is not None and expected < number:
                yield f"Row {expected} of the table {table} is missing."
                expected = next(wanted, None)
            if expected == number:
                expected = next(wanted, None)
            if digest is None and not (table == "letters" and row[5] == "kept"):
                yield f"Row {number} of the table {table} is not in the record."
            elif digest is not None and bytes.fromhex(row_hash(row[:covered])) != digest:
                yield f"Row {number} of the table {table} is not what the record says."
            self.counts[table] += 1
            yield from _LOOKS[table](self, row[:covered], row[covered:])
        if expected is not None:
            yield f"Row {expected} of the table {table} is missing."

    def _look_at_letter(self, row: tuple[Any, ...], besides: tuple[Any, ...]) -> Iterator[str]:
        raw, attempts, rank = besides
        if raw is not None and sha256(raw) != row[1]:
            yield f"Letter {row[0]} is not the one that came: its hash is another one."
        if (attempts or rank) and row[5] != "kept":
            yield f"Letter {row[0]} is dealt with, but is still tried."

    def _look_at_orders(self, row: tuple[Any, ...], besides: tuple[Any, ...]) -> Iterator[str]:
        return iter(())

    def _look_at_turn(self, row: tuple[Any, ...], besides: tuple[Any, ...]) -> Iterator[str]:
        number, match, *rest = row
        game = self._games.get(match)
        if game is None:
            yield f"Row {number} of the table turns is of a game that is missing."
            return
        yield from game.play(TurnRow(*rest[:6], *besides), self._began(match, number))

    def _look_at_sent(self, row: tuple[Any, ...], besides: tuple[Any, ...]) -> Iterator[str]:
        """A letter of ours: when it was sent, and the head of the record that a report holds."""
        sent, attempts, fresh = besides
        number, kind, raw, refused = row[0], row[5], row[8], row[10]
        if sent != self._sent.get(number):
            yield f"Letter {number} of the outbox was not sent when the record says."
        if (sent or refused is not None) and (attempts or not fresh):
            yield f"Letter {number} of the outbox is dealt with, but is still tried."
        if kind == "report" and (told := HEAD.search(raw)):
            self.counts["heads"] += 1
            entry, hashed = told[1].decode(), told[2].decode()
            if entry != "*":
                found = self._conn.execute("SELECT hash FROM record WHERE id = ?", (int(entry),)).fetchone()
                if found is None or found[0] != hashed:
                    yield f"Entry {entry} of the record is not the one that letter {number} of the outbox tells of."
            elif hashed not in self._links:
                yield f"No entry of the record is the one that letter {number} of the outbox tells of."

    def _began(self, match: int, before: int = 1 << 62) -> Began:
        """The states at the start of turns of a match, of the rows before one."""

        def began(turn: int) -> str | None:
            row = self._conn.execute(
                "SELECT before FROM turns WHERE match = ? AND turn = ? AND id < ? ORDER BY id DESC LIMIT 1",
                (match, turn, before),
            ).fetchone()
            return row and str(row[0])

        return began

    def _ordered(self, match: int, before: int) -> Ordered:
        """The orders of turns of a match, by the entries before one."""

        def ordered(turn: int) -> dict[str, str | None]:
            row = self._conn.execute(
                """SELECT content ->> '$.orders' FROM record JOIN record_contents ON record = id
                   WHERE match = ? AND kind = 'turn' AND id < ? AND content ->> '$.turn' = ?
                   ORDER BY id DESC LIMIT 1""",
                (match, before, turn),
            ).fetchone()
            return dict(json.loads(row[0])) if row else {}

        return ordered

    def _rows(self, statement: str, progress: Progress) -> Iterator[tuple[Any, ...]]:
        cursor = self._conn.execute(statement)
        while found := cursor.fetchmany(_STEP):
            yield from found
            progress(len(found))


_LOOKS: Mapping[str, Callable[[Audit, tuple[Any, ...], tuple[Any, ...]], Iterator[str]]] = {
    "letters": Audit._look_at_letter,
    "orders": Audit._look_at_orders,
    "turns": Audit._look_at_turn,
    "outbox": Audit._look_at_sent,
}
