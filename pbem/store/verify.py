"""Verification that the rows of a database match its record, and that the record is intact. docs/proof.md explains what
this proves.

The record and the rows are each read once, from beginning to end. Each difference is reported as a sentence.
`audit_log.NOT_COVERED` lists what is not verified.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from pbem.games import NoGameError, find_game
from pbem.games.base import GameError
from pbem.match.model import NO_ROOM
from pbem.store.audit_log import Covered, Key, content_hash, covered, find_head, link, sha256
from pbem.store.database import recall
from pbem.store.replay import Began, MatchRow, Ordered, Retraced, TurnRow

HEAD = re.compile(rb"(?<!=\r)(?<!=)\n\* ([0-9a-f]{64})\r?\n")
"""A pattern for the line with the record's head in the file of seals attached to a report. Quoted-printable leaves this
line unchanged, because no character in it has to be encoded and the line is too short to be broken."""

_decode = json.JSONDecoder().raw_decode  # contents must be exactly as `json.dumps` wrote them, or their hash differs
_STEP = 1_000  # rows between two calls of Progress

Row = Mapping[str, Any]
"""The values of a row by column name, for all columns of its table."""

Progress = Callable[[int], None]
"""A function that is called with the number of rows read since its last call."""


class _Hashes:
    """The hashes of a table's rows, keyed by the key of the row. A hash is removed when it is taken. The storage is
    compact, because there may be millions of numbered rows."""

    def __init__(self) -> None:
        self._numbered: list[bytes | None] = []
        self._others: dict[str, bytes | None] = {}
        self.passed = 0  # one more than the number of the last row whose hash was taken

    def update(self, hashes: Mapping[str, str | None]) -> None:
        """Set the hashes of rows. `hashes` maps the keys of rows, as they appear in JSON, to the hashes, or to None for
        deleted rows."""
        numbered = self._numbered
        for row, digest in hashes.items():
            stored = bytes.fromhex(digest) if digest else None
            if not row.isdigit():
                self._others[row] = stored
                continue
            number = int(row)
            if number >= len(numbered):
                numbered.extend([None] * (number + 1 - len(numbered)))
            numbered[number] = stored

    def take(self, key: Key) -> bytes | None:
        """Remove the hash of the row with this key, and return it; None if there is no hash. Numbered rows must be
        taken in ascending order."""
        if isinstance(key, str) or key < 0:
            return self._others.pop(str(key), None)
        self.passed = key + 1
        if key >= len(self._numbered):
            return None
        digest, self._numbered[key] = self._numbered[key], None
        return digest

    def untaken(self, before: int | None = None) -> Iterator[Key]:
        """Yield the keys of rows whose hashes have not been taken. If `before` is given, yield only the numbers of
        skipped rows: those above the last number taken and below `before`."""
        last = len(self._numbered)
        for number in range(self.passed, last if before is None else min(before, last)):
            if self._numbered[number]:
                yield number
        if before is None:
            yield from (key for key, digest in self._others.items() if digest)


class Audit:
    """A verification of a whole database or, if `match` is not None, of everything that concerns this match. Afterwards
    `counts` contains the number of rows, entries and games that were verified."""

    def __init__(self, conn: sqlite3.Connection, match: int | None = None) -> None:
        self._conn, self._match = conn, match
        self.counts: Counter[str] = Counter()
        tables = covered(conn)
        self._tables = {name: tables[name] for name in [*_READ_FIRST, *tables]}
        self._hashes = {table: _Hashes() for table in tables}
        self._about: dict[str, set[str]] = {table: set() for table in tables}  # keys of rows about the audited match
        self._sent: dict[int, str] = {}
        self._links: set[str] = set()  # the hashes of all entries of the record
        self._removed: set[int] = set()  # entries whose content is missing for no known reason so far
        self._salts = 0
        matches = conn.execute(
            "SELECT id, name, game, state, phase, turn, winner, options, deck, ranking, root FROM matches"
        ).fetchall()
        self._matches = {number: MatchRow(*row) for number, *row in matches}
        self._games: dict[int, Retraced] = {}
        self.left_out: dict[str, NoGameError] = {}  # why the turns of some matches cannot be played anew, by name
        for number, row in self._matches.items():
            try:
                if game := _retraced(row):
                    self._games[number] = game
            except NoGameError as error:
                if match in (None, number):
                    self.left_out[row.name] = error

    def not_read(self) -> list[str]:
        """Return the names of the covered tables that this audit does not read because it is limited to one match."""
        return [name for name, table in self._tables.items() if self._match is not None and not table.match]

    def size(self) -> int:
        """Return the number of rows in the record and in all covered tables."""
        counts = " + ".join(f"(SELECT count(*) FROM {table})" for table in ("record", *self._tables))  # noqa: S608
        (number,) = self._conn.execute(f"SELECT {counts}").fetchone()
        return int(number)

    def differences(self, progress: Progress = lambda rows: None) -> Iterator[str]:
        """Yield a sentence about each difference, beginning with the differences in the record. Yields nothing if
        everything is right."""
        yield from self._record(progress)
        tables = [table for table in self._tables.values() if self._match is None or table.match]
        for table in tables[: len(_READ_FIRST)]:
            yield from self._table(table, progress)
        for number, row in self._matches.items():
            if self._match in (None, number):
                self.counts["games"] += 1
                yield from self._stop(number, row)
        for table in tables[len(_READ_FIRST) :]:
            yield from self._table(table, progress)
        if self._match is None and self._conn.execute("SELECT count(*) FROM salts").fetchone() != (self._salts,):
            yield "The table salts has a row for something that does not exist."

    def _stop(self, number: int, row: MatchRow) -> Iterator[str]:
        game = self._games.get(number)
        if row.name in self.left_out:
            return
        if game is None:
            yield f"What the game {row.name} is cannot be read."
            return
        self.counts["adjudicated"] += game.adjudicated
        try:
            yield from game.stop(row, self._began(number))
        except (GameError, KeyError, TypeError, ValueError, AttributeError):
            yield f"Where the game {row.name} stands cannot be read."

    # The record

    def _record(self, progress: Progress) -> Iterator[str]:
        """Check the chain of the record from its first entry to its head, and process the entries. Yields
        differences."""
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
        """Yield the differences at the end of the record: a head that is not the last one written, missing contents
        that no deletion explains, and contents without an entry."""
        last = find_head(self._conn)
        if recall(self._conn, "head") != (str(last) if last.number else ""):
            yield f"The record ends with entry {last.number}, which is not the last one that was written."
        for number in sorted(self._removed):
            yield f"The content of entry {number} of the record is missing, and nobody's wish explains it."
        for (number,) in self._conn.execute(
            "SELECT record FROM record_contents WHERE record NOT IN (SELECT id FROM record)"
        ):
            yield f"There is content for entry {number} of the record, which does not exist."

    def _take(self, number: int, entry: tuple[str, str, int | None], content: dict[str, Any] | None) -> Iterable[str]:
        """Process an entry (moment, kind, match) of the record: note the row hashes, the sent letters and the deleted
        contents that it lists, and follow the course of its match. Returns differences."""
        at, kind, match = entry
        try:
            if content is not None:
                self._take_rows(at, kind, content)
            if match is not None and match not in self._matches:
                return [f"Entry {number} of the record is about a game that is missing."]
            if match is not None and match in self._games and self._match in (None, match):
                return [*self._games[match].read(kind, at, content, self._ordered(match, number))]
        except (KeyError, TypeError, ValueError, AttributeError):
            return [f"Entry {number} of the record says what no entry says."]
        return ()

    def _take_rows(self, at: str, kind: str, content: dict[str, Any]) -> None:
        for owner, tables in content.get("matches", {}).items():
            for table, hashes in tables.items():
                self._hashes[table].update(hashes)
                if self._match is not None:
                    about = self._about[table]
                    (about.update if owner == str(self._match) else about.difference_update)(hashes)
        if kind == "letters sent":
            self._sent.update(dict.fromkeys(content["letters"], at))
        if removed := content.get("contents"):
            self.counts["removed"] += len(removed)
            self._removed.difference_update(removed)

    # The rows

    def _table(self, table: Covered, progress: Progress) -> Iterator[str]:
        """Compare the rows of a table with the record, in both directions, and yield differences."""
        name, hashes = table.name, self._hashes[table.name]
        chosen = "" if self._match is None else f"WHERE {name}.{table.match} = {self._match}"
        cursor = self._conn.execute(
            # Without the plus, the number's type would keep SQLite from using the index, whose keys have any type.
            f"""SELECT {table.key_in(name)}, salt, {name}.* FROM {name}
                LEFT JOIN salts ON tbl_name = '{name}' AND key = +{table.key_in(name)} {chosen} ORDER BY 1"""  # noqa: S608
        )
        columns = [column for column, *_ in cursor.description[2:]]
        while rows := cursor.fetchmany(_STEP):
            for key, salt, *values in rows:
                if table.numbered and key > hashes.passed:
                    yield from self._missing(table, key)
                row = dict(zip(columns, values, strict=True))
                if name in _FIRST:
                    yield from _FIRST[name](self, row)
                digest = hashes.take(key)
                self._salts += salt is not None
                if digest is None and not (name == "letters" and row["state"] == "kept"):
                    yield f"{_named(table, key)} is not in the record."
                elif digest is not None and digest.hex() != _hash(table, salt, row):
                    yield f"{_named(table, key)} is not what the record says."
                self.counts[name] += 1
                if name in _THEN:
                    yield from _THEN[name](self, row)
            progress(len(rows))
        yield from self._missing(table)

    def _missing(self, table: Covered, before: int | None = None) -> Iterator[str]:
        for key in self._hashes[table.name].untaken(before):
            if self._match is None or str(key) in self._about[table.name]:
                yield f"{_named(table, key)} is missing."

    def _look_at_letter(self, row: Row) -> Iterator[str]:
        if row["raw"] is not None and sha256(row["raw"]) != row["sha256"]:
            yield f"Letter {row['id']} is not the one that came: its hash is another one."
        waits = row["state"] == "handled" and str(row["outcome"]).endswith(NO_ROOM)
        if (row["attempts"] or (row["rank"] and not waits)) and row["state"] != "kept":
            yield f"Letter {row['id']} is dealt with, but is still tried."

    def _look_at_turn(self, row: Row) -> Iterator[str]:
        if row["match"] not in self._matches:
            yield f"Row {row['id']} of the table turns is of a game that is missing."
        elif game := self._games.get(row["match"]):
            yield from game.play(TurnRow(*(row[name] for name in _TURN)), self._began(row["match"], row["id"]))

    def _look_at_sent(self, row: Row) -> Iterator[str]:
        """Yield the differences in a row of the outbox: in the moment of sending, in the attempts to send the letter,
        and in the head of the record that a report contains."""
        number, sent = row["id"], row["sent"]
        if sent != self._sent.get(number):
            yield f"Letter {number} of the outbox was not sent when the record says."
        if (sent or row["refused"] is not None) and (row["attempts"] or row["due"] != row["made"]):
            yield f"Letter {number} of the outbox is dealt with, but is still tried."
        if row["kind"] == "report" and (head := HEAD.search(row["raw"])):
            self.counts["heads"] += 1
            if head[1].decode() not in self._links:
                yield f"No entry of the record is the one that letter {number} of the outbox tells of."

    def _began(self, match: int, before: int = 1 << 62) -> Began:
        """Return a function that looks up the state at the start of any turn of `match`, using only rows with numbers
        below `before`."""

        def began(turn: int) -> str | None:
            row = self._conn.execute(
                "SELECT before FROM turns WHERE match = ? AND turn = ? AND id < ? ORDER BY id DESC LIMIT 1",
                (match, turn, before),
            ).fetchone()
            return row and str(row[0])

        return began

    def _ordered(self, match: int, before: int) -> Ordered:
        """Return a function that looks up the orders for any turn of `match`, using only entries with numbers below
        `before`."""

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
        while rows := cursor.fetchmany(_STEP):
            yield from rows
            progress(len(rows))


_READ_FIRST = ("letters", "orders", "turns", "outbox")
"""The tables to read before the rows of `matches` are compared with the outcome of the turns."""

_TURN = ("turn", "before", "orders", "after", "events", "rules", "secret")

_FIRST: Mapping[str, Callable[[Audit, Row], Iterator[str]]] = {"letters": Audit._look_at_letter}
_THEN: Mapping[str, Callable[[Audit, Row], Iterator[str]]] = {
    "turns": Audit._look_at_turn,
    "outbox": Audit._look_at_sent,
}
"""Further checks of each row, keyed by table. The checks in `_FIRST` come before the row's hash is compared with the
record, and the checks in `_THEN` come after that."""


def _retraced(row: MatchRow) -> Retraced | None:
    """Return the match in `row`, ready to be retraced from its beginning; None if `row` is invalid. Raises NoGameError
    if its game cannot be played here."""
    try:
        json.loads(row.options)
        return Retraced(find_game(row.game), row.name, options=row.options, deck=row.deck, root=row.root)
    except NoGameError:
        raise
    except (GameError, ValueError):
        return None


def _hash(table: Covered, salt: bytes | None, row: Row) -> str:
    return table.hash(salt or b"", [row[column] for column in table.columns])


def _named(table: Covered, key: Key) -> str:
    called = key if table.numbered else " ".join(map(str, json.loads(str(key))))
    return f"Row {called} of the table {table.name}"
