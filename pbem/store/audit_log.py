"""The record: the chain of its entries, and the hashes of the rows that it vouches for.

All hashes are SHA-256 of UTF-8 text in lower-case hexadecimal; docs/proof.md shows how to check them with `sha256sum`.

Functions that write rows need not report them: TEMP triggers of the connection remember the rows that each transaction
writes, and the hashes of these rows are recorded when the transaction ends. Rows that another program writes are
therefore not recorded.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import sqlite3

_STEP = 1_000
"""The maximum number of rows whose hashes are recorded in one entry."""

_encode = json.JSONEncoder().encode
_encode_content = json.JSONEncoder(sort_keys=True).encode

NOT_COVERED: Mapping[str, Sequence[str]] = {
    "what the next run wants to know, but for the record's head": ("desk",),
    "letters that were fetched and are not handled yet, but for their bytes": (),
    "how often something that waits was tried, and when it is tried next": (
        "letters.attempts",
        "letters.rank",
        "outbox.attempts",
        "outbox.due",
        "removals.due",
    ),
    "an index of what the table turns holds": ("order_search",),
    "how an interpreter has read letters": ("interpretations",),
    "which upgrades were made": ("_sqlite_migrations",),
}
"""Tables and columns that `pbem verify` does not check, keyed by a description of their content."""

_COVERED_OTHERWISE = ("record", "record_contents", "salts", "outbox.sent")
"""Tables and columns that are protected in other ways: the chain itself, the salts of the hashes, and the column whose
values the `letters sent` entries repeat."""

Key = int | str
"""An identifier by which the record refers to a row: the row's number, or its primary key as a JSON list."""


class Head(NamedTuple):
    """The last entry of the record: its number, and its hash, which also covers all entries before it."""

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number} {self.hash}"


class Covered(NamedTuple):
    """A table whose rows the record vouches for.

    `key` lists the columns of its primary key, and `numbered` says whether that key is the row's number. `columns` are
    the covered columns, with their default values in `usual`. `match` is the column that contains the number of a
    match, or None if there is no such column.
    """

    name: str
    key: Sequence[str]
    numbered: bool
    columns: Sequence[str]
    usual: Sequence[Any]
    match: str | None

    def key_in(self, row: str) -> str:
        """Return an SQL expression for the key of a row. `row` is the name that the statement uses for the row, such as
        `old`."""
        parts = [f'{row}."{column}"' for column in self.key]
        return parts[0] if self.numbered else f"json_array({', '.join(parts)})"

    def all_in(self, row: str) -> str:
        """Return an SQL expression for the covered columns of a row. `row` is the name that the statement uses for the
        row, such as `old`."""
        return ", ".join(f'{row}."{column}"' for column in self.columns)

    def digests(self, conn: "sqlite3.Connection") -> dict[Key, tuple[int | None, str]]:
        """Return a mapping from the key of each row to the row's match and the unsalted hash of its content."""
        match = self.match or "NULL"
        rows = conn.execute(f"SELECT {self.key_in(self.name)}, {match}, {self.all_in(self.name)} FROM {self.name}")  # noqa: S608
        return {key: (match, self.hash(b"", row)) for key, match, *row in rows}

    def find(self, conn: "sqlite3.Connection", keys: Iterable[Key]) -> Iterable[tuple[Any, ...]]:
        """Return the rows that exist for `keys`, each as its key followed by its covered columns."""
        parts = [f"value ->> '$[{at}]'" for at in range(len(self.key))]
        wanted = "value" if self.numbered else ", ".join(parts)
        columns = ", ".join(f'"{column}"' for column in self.key)
        return conn.execute(
            f"""SELECT {self.key_in(self.name)}, {self.all_in(self.name)} FROM {self.name}
                WHERE ({columns}) IN (SELECT {wanted} FROM json_each(?))""",  # noqa: S608
            (f"[{', '.join(map(str, keys))}]",),
        )

    def hash(self, salt: bytes, row: Sequence[Any]) -> str:
        """Return the hash of a row. It covers the salt and a JSON object of the columns that differ from their
        defaults, with bytes replaced by their hash. Adding a column with its default value therefore changes no
        hash."""
        values = {
            column: sha256(value) if type(value) is bytes else value
            for column, value, usual in zip(self.columns, row, self.usual, strict=True)
            if value != usual
        }
        return sha256(salt + _encode_content(values).encode())


def sha256(data: bytes) -> str:
    """Return the SHA-256 hash of `data`, in hexadecimal digits."""
    from hashlib import sha256  # a poll without work never needs this module

    return sha256(data).hexdigest()


def content_hash(nonce: bytes, content: str) -> str:
    """Return the hash of an entry's content; this hash becomes part of the entry. The nonce prevents anyone from
    guessing deleted content."""
    return sha256(nonce + content.encode())


def link(before: str, number: int, entry: tuple[str, str, int | None], digest: str) -> str:
    """Return the hash of an entry, which covers the hash of the previous entry, the entry's number, the entry itself
    (moment, kind, match), and the hash of its content."""
    at, kind, match = entry
    return sha256(f"{before}\n{number}\n{at}\n{kind}\n{'' if match is None else match}\n{digest}\n".encode())


def find_head(conn: "sqlite3.Connection") -> Head:
    """Return the head of the record, or a head with number 0 and an empty hash if the record is empty."""
    row = conn.execute("SELECT id, hash FROM record ORDER BY id DESC LIMIT 1").fetchone()
    return Head(*row) if row else Head(0, "")


def holds(conn: "sqlite3.Connection", head: Head) -> bool:
    """Return whether the record contains `head`, which is known to have been its head at an earlier time. If it does
    not, the record has been replaced by an older copy or by a different record."""
    return conn.execute("SELECT 1 FROM record WHERE id = ? AND hash = ?", head).fetchone() is not None


def append(
    conn: "sqlite3.Connection", head: Head, entry: tuple[str, str, int | None], content: Mapping[str, Any]
) -> Head:
    """Add an entry (moment, kind, match) to the record, and return the new head."""
    from secrets import token_bytes

    nonce, text, number = token_bytes(16), _encode_content(content), head.number + 1
    digest = content_hash(nonce, text)
    new = Head(number, link(head.hash, number, entry, digest))
    conn.execute("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?)", (number, *entry, digest, new.hash))
    conn.execute("INSERT INTO record_contents VALUES (?, ?, ?)", (number, nonce, text))
    return new


# Rows


def covered(conn: "sqlite3.Connection") -> dict[str, Covered]:
    """Return the tables whose rows the record vouches for, keyed by name."""
    left_out = {*_COVERED_OTHERWISE, *(name for names in NOT_COVERED.values() for name in names)}
    tables: dict[str, list[tuple[str, str, str | None, int]]] = {}
    for table, *column in conn.execute(
        """SELECT t.name, c.name, c.type, c.dflt_value, c.pk FROM pragma_table_list t JOIN pragma_table_info(t.name) c
           WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
           ORDER BY t.name, c.cid"""
    ):
        if table not in left_out:
            tables.setdefault(table, []).append(tuple(column))
    return {table: _covered(conn, table, columns, left_out) for table, columns in tables.items()}


def _covered(
    conn: "sqlite3.Connection", table: str, columns: list[tuple[str, str, str | None, int]], left_out: set[str]
) -> Covered:
    key = tuple([name for _, name in sorted((pk, name) for name, _, _, pk in columns if pk)])
    numbered = len(key) == 1 and next(kind for name, kind, _, _ in columns if name == key[0]) == "INTEGER"
    defaults = {name: usual for name, _, usual, _ in columns if f"{table}.{name}" not in left_out}
    usual = conn.execute(f"SELECT {', '.join(default or 'NULL' for default in defaults.values())}").fetchone()
    match = "id" if table == "matches" else "match" if "match" in defaults else None
    return Covered(table, key, numbered, tuple(defaults), usual, match)


def watch(conn: "sqlite3.Connection") -> dict[str, Covered]:
    """Make a connection remember, in memory, which covered rows it writes; return the watched tables, keyed by name."""
    tables = covered(conn)
    if conn.execute("SELECT 1 FROM sqlite_temp_schema WHERE name = 'written'").fetchone() is None:
        conn.execute("PRAGMA temp_store = MEMORY")
        conn.execute("PRAGMA recursive_triggers = ON")  # otherwise rows deleted by REPLACE would go unnoticed
        triggers = [trigger for table in tables.values() for trigger in _triggers(table)]
        script = ["BEGIN", "CREATE TEMP TABLE written (tbl_name, key, match)", *triggers, "COMMIT"]
        conn.executescript(";".join(script))
    return tables


def _triggers(table: Covered) -> Iterable[str]:
    def remember(row: str) -> str:
        match = f'{row}."{table.match}"' if table.match else "NULL"
        return f"INSERT INTO written VALUES ('{table.name}', {table.key_in(row)}, {match});"  # noqa: S608

    name, changed = table.name, f"({table.all_in('old')}) IS NOT ({table.all_in('new')})"
    yield f"CREATE TEMP TRIGGER gone_{name} AFTER DELETE ON {name} BEGIN {remember('old')} END"
    done = remember("old") + remember("new")
    yield f"CREATE TEMP TRIGGER changed_{name} AFTER UPDATE ON {name} WHEN {changed} BEGIN {done} END"
    if name != "letters":  # new letters are recorded once they are handled
        yield f"CREATE TEMP TRIGGER new_{name} AFTER INSERT ON {name} BEGIN {remember('new')} END"


def vouch_for_written(conn: "sqlite3.Connection", tables: Mapping[str, Covered], head: Head | None) -> Head | None:
    """Record the hashes of all rows written since the last call. `head` is the current head of the record; if it is
    None, the head is looked up when it is needed. Returns the new head, or `head` itself if no rows were written."""
    rows = conn.execute("SELECT tbl_name, key, match FROM written ORDER BY rowid")
    while written := rows.fetchmany(_STEP):
        head = vouch(conn, tables, head or find_head(conn), written, "rows")
    conn.execute("DELETE FROM written")
    return head


def vouch_for_upgraded(
    conn: "sqlite3.Connection", before: Mapping[str, Mapping[Key, tuple[int | None, str]]], head: Head
) -> Head:
    """Record the hashes of all rows that an upgrade has changed, and return the record's new head.

    `before` maps the name of each table to the `digests` of its rows before the upgrade. A row that the upgrade did not
    change keeps its recorded hash, so an upgrade cannot hide an alteration.
    """
    tables = covered(conn)
    for name, table in tables.items():
        was, now = before.get(name, {}), table.digests(conn)
        rows = {**was, **now}
        changed = [(name, key, match) for key, (match, _) in rows.items() if was.get(key) != now.get(key)]
        for start in range(0, len(changed), _STEP):
            head = vouch(conn, tables, head, changed[start : start + _STEP], "upgrade")
    return head


def vouch(
    conn: "sqlite3.Connection",
    tables: Mapping[str, Covered],
    head: Head,
    rows: Iterable[tuple[str, Key, int | None]],
    kind: str,
) -> Head:
    """Add an entry with the current hashes of `rows` (table, key, match) to the record, and return the new head.
    Deleted rows are entered with null in place of a hash.

    Each row gets a new salt, and its old salt is deleted, so that nobody can guess its former values. The entry takes
    its moment from the previous entry, which shows why the rows were written.
    """
    from secrets import token_bytes

    matches: dict[str, dict[Key, int | None]] = {}
    vouched: dict[str, dict[str, dict[Key, str | None]]] = {}
    for table, key, match in rows:
        matches.setdefault(table, {})[key] = match
    for table, keys in matches.items():
        hashes: dict[Key, str | None] = dict.fromkeys(keys)
        for key, *row in tables[table].find(conn, keys):
            salt = token_bytes(16)
            conn.execute("INSERT OR REPLACE INTO salts VALUES (?, ?, ?)", (table, key, salt))
            hashes[key] = tables[table].hash(salt, row)
        gone = [(table, key) for key, digest in hashes.items() if digest is None]
        conn.executemany("DELETE FROM salts WHERE tbl_name = ? AND key = ?", gone)
        for key, match in keys.items():
            vouched.setdefault("" if match is None else str(match), {}).setdefault(table, {})[key] = hashes[key]
    (at,) = conn.execute("SELECT coalesce(max(at), '') FROM record WHERE id = ?", (head.number,)).fetchone()
    return append(conn, head, (at, kind, None), {"matches": vouched})
