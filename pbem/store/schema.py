"""Comparison of the schema of a desk's database with the schema of a new database of the same version.

Two statements count as equal if they differ only in white space, comments and the case of letters. Tables and indexes
that SQLite and sqlite-utils create for their own use are not compared, because they differ from version to version.
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
"""A pattern that matches a token of SQL as SQLite reads it. The group captures a token without meaning: white space or
a comment."""

REMEDY = "Remove what is not ours with `sqlite3`; for the rest put back a backup."
"""Advice on what to do about differences."""


def schema_differences(conn: sqlite3.Connection) -> Iterator[str]:
    """Yield a sentence about each table, view, index and trigger that is missing, was changed, or does not belong to
    pbem."""
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
    """Return the schema that a new database of the given `version` has."""
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
    """Return the tokens of each statement in a database's schema, keyed by the kind and name of the object that the
    statement creates.

    The result leaves out the indexes that SQLite creates itself for the constraints of a table, SQLite's own tables,
    the internal tables of a full-text index, and the table in which sqlite-utils notes the steps that were carried out,
    with its index.
    """
    # A PRAGMA statement, because a table that is not ours could be called `pragma_table_list` and hide SQLite's list.
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
    """Return the tokens of a statement, without white space and comments. Unquoted ASCII tokens are put in lower case,
    because SQLite ignores their case."""
    found = [token for token in _TOKEN.finditer(sql) if not token[1]]
    return [token[0].lower() if token[0].isascii() and token[0][0] not in "'\"`[" else token[0] for token in found]
