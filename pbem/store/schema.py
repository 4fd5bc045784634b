"""The schema of a desk's database, compared with that of a new database of its version.

Two statements are the same if they differ only in spaces, comments and capital letters. What SQLite and sqlite-utils
create for themselves is not compared, because it differs from version to version.
"""

import re
import sqlite3
from collections.abc import Iterator

from pbem.typed import quote

_TOKEN = re.compile(
    r"""(--[^\n]*|/\*.*?(?:\*/|\Z)|[ \t\n\f\r]+)"""
    r"""|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\x80-\U0010ffff]+|.""",
    re.ASCII | re.DOTALL,
)
"""A pattern for a token of SQL as SQLite reads it; the group matches a token that has no meaning."""

REMEDY = "Remove what is not ours with `sqlite3`; for the rest put back a backup."
"""What to do about a difference."""


def schema_differences(conn: sqlite3.Connection) -> Iterator[str]:
    """Yield a sentence about each table, view, index and trigger that is missing, was changed, or is not one of
    ours."""
    (version,) = conn.execute("PRAGMA user_version").fetchone()
    there, ours = _schema(conn), _new_schema(version)
    for kind, name in sorted({*there, *ours}):
        if (kind, name) not in there:
            yield f"The {kind} {quote(name)} is missing."
        elif (kind, name) not in ours:
            yield f"The {kind} {quote(name)} is not one of ours."
        elif there[kind, name] != ours[kind, name]:
            yield f"The {kind} {quote(name)} was changed."


def _new_schema(version: int) -> dict[tuple[str, str], list[str]]:
    """Return the schema of a new database of a version."""
    from sqlite_utils import Database

    from pbem.store.migrations import migrations

    db = Database(memory=True)
    try:
        later = [step.name for step in migrations.pending(db)[version:]]
        migrations.apply(db, stop_before=later)
        return _schema(db.conn)
    finally:
        db.close()


def _schema(conn: sqlite3.Connection) -> dict[tuple[str, str], list[str]]:
    """Return the tokens of all statements of a schema, by kind and name.

    This leaves out the indexes that a table's own statement implies, SQLite's statistics, the tables of a full-text
    index, and the table in which sqlite-utils notes the steps that were carried out, with its index.
    """
    # A foreign table may be called `pragma_table_list`, and would be read in place of SQLite's own list.
    listed = conn.execute("PRAGMA main.table_list").fetchall()
    of_words = {name for _, name, kind, *_ in listed if kind == "shadow"}
    rows = conn.execute(
        """SELECT type, name, CAST(coalesce(sql, '') AS TEXT) FROM sqlite_schema
           WHERE NOT (type = 'index' AND sql IS NULL)
             AND NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4'))
             AND NOT (type IN ('table', 'index') AND tbl_name = '_sqlite_migrations')"""
    )
    return {(kind, name): _tokens(sql) for kind, name, sql in rows if kind != "table" or name not in of_words}


def _tokens(sql: str) -> list[str]:
    """Return the tokens of a statement that have a meaning. SQLite ignores the case of ASCII letters, except in
    quotes."""
    found = [token for token in _TOKEN.finditer(sql) if not token[1]]
    return [token[0].lower() if token[0].isascii() and token[0][0] not in "'\"`[" else token[0] for token in found]
