"""Copies of a desk's database: backups that can be made during runs, exports of the whole desk, and the restoration of
a desk from either; also the epoch that begins when a copy is restored.

No copy contains the key or a password, because the database contains neither. Existing files are never overwritten, and
an interrupted copy never appears under its final name. Letters sent after a copy was made may have numbers that the
restored database uses again, so Message-IDs contain the epoch, and tokens from earlier epochs are void.
"""

import base64
import fcntl
import glob
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, TypeGuard

from pbem import PbemError
from pbem.record.notation import add_checksum, intact
from pbem.store.database import ERASE, VERSION, Store, StoreError, connect, remember
from pbem.times.moments import stamp

Progress = Callable[[str], None]
"""A function that a long operation calls from time to time with a line of text about its progress."""

MANIFEST, SCHEMA = "manifest.json", "schema.sql"
_PAGES = 2_000
_ROWS = 2_000
_MARK = '"checksum": "'


class BackupError(PbemError):
    """Raised when a copy cannot be made or used; the message says why, and what to do."""


def back_up(database: Path, target: Path, progress: Progress) -> None:
    """Copy `database` into the new file `target` (mode 0600), and check the copy before it appears under that name.

    The copy shows the database at the moment when copying began, even if runs write in the meantime. Raises BackupError
    if the copy cannot be made, and StoreError if the database is damaged or cannot be used.
    """

    def tell(status: int, remaining: int, total: int) -> None:
        progress(f"{total - remaining} of {total} pages copied")

    with closing(connect(database)) as conn, new_file(target) as part:
        conn.execute("BEGIN")
        conn.execute("SELECT 1 FROM desk").fetchone()  # the snapshot begins with the first read
        with closing(sqlite3.connect(part)) as copy:
            conn.backup(copy, pages=_PAGES, progress=tell)
            problem = damage(copy)
            if not problem:
                _mark_copied(copy)
        if problem:
            raise StoreError(f"The database {database} is damaged ({problem}): no backup was made; use an older one.")


def note_backup(database: Path, now: datetime) -> None:
    """Remember that a backup was made at the moment `now`. If the database cannot be written to, nothing happens,
    because the backup is good all the same."""
    with suppress(sqlite3.Error), closing(connect(database)) as conn:
        remember(conn, backup=stamp(now))


def damage(conn: sqlite3.Connection) -> str:
    """Return a short description of what is wrong with a database file; "" if the file is intact."""
    try:
        return next(iter(all_damage(conn, 1)), "")
    except sqlite3.Error as error:
        return str(error)


def all_damage(conn: sqlite3.Connection, most: int = 5) -> list[str]:
    """Return the first problems found in a database file, at most `most` of them; an empty list if the file is intact.

    `PRAGMA quick_check` would be faster, but in SQLite 3.40 it reports sound tables as damaged.
    """
    problems = conn.execute(f"PRAGMA integrity_check({most:d})").fetchall()
    return [" ".join(problem.replace("*", " ").split()) for (problem,) in problems if problem != "ok"]


def orphans(conn: sqlite3.Connection) -> list[tuple[str, int]]:
    """Return the tables in which rows refer to missing rows, each with the number of such references."""
    return conn.execute('SELECT "table", count(*) FROM pragma_foreign_key_check GROUP BY 1').fetchall()


def export_desk(database: Path, folder: Path, now: datetime, progress: Progress) -> None:
    """Write everything in the database into a new or empty folder as JSON lines, one file per table.

    The manifest contains the SHA-256 of every file. Raises BackupError if the folder cannot be used, and StoreError if
    the database is damaged or cannot be used.
    """
    with closing(connect(database)) as conn, _new_folder(folder) as part:
        conn.execute("BEGIN")
        if problem := damage(conn):
            raise StoreError(f"The database {database} is damaged ({problem}): put back a backup that is whole.")
        schema = _schema(conn)
        files = {SCHEMA: _write(part / SCHEMA, (f"{sql};\n" for _, sql in schema))}
        for table in _tables(conn):
            lines = _lines(conn, table, progress)
            files[f"{table}.jsonl"] = _write(part / f"{table}.jsonl", lines)
        (version,) = conn.execute("PRAGMA user_version").fetchone()
        manifest = {"format": "pbem desk", "checksum": "", "tables": version, "made": stamp(now), "files": files}
        _write(part / MANIFEST, [add_checksum(json.dumps(manifest, indent=1) + "\n", _MARK)])


def restore_desk(
    source: Path, database: Path, progress: Progress, former: Path | None = None, *, as_it_is: bool = False
) -> None:
    """Create `database` from `source`, which is a file that `back_up` wrote or a folder that `export_desk` wrote. If
    this raises BackupError, nothing has changed.

    An existing database is moved to `former`; if `former` is None, an existing database is an error. A copy that
    differs from its own record, or whose schema is not that of its version, is refused unless `as_it_is` is set. A copy
    of an older version is upgraded by the next run, and only then can its rows be verified.
    """
    existing = [path for path in _with_its_log(database) if path.exists()]
    if existing and not former:
        raise BackupError(
            f"There is {existing[0]} already, and it was left as it is: move it away first, or say --replace, which"
            " keeps it beside the new one."
        )
    with _beside(database) as part:
        part.touch(mode=0o600)
        if source.is_dir():
            _from_export(source, part, progress)
        else:
            _from_backup(source, part)
        if not as_it_is:
            _refuse_altered(source, part, progress)
        if former:
            _refuse(former, former.exists())
            for path, place in zip(_with_its_log(database), _with_its_log(former), strict=True):
                if path.exists():
                    path.rename(place)
        part.rename(database)


def _mark_copied(conn: sqlite3.Connection) -> None:
    """Mark a database as a copy. The first run after the copy is restored then looks for everything that has arrived
    since the copy was made."""
    with conn:
        remember(conn, copied="yes")


def _with_its_log(database: Path) -> list[Path]:
    """Return the paths of a database's files: the database itself, and the files that SQLite writes next to it."""
    return [database, *(database.with_name(f"{database.name}-{end}") for end in ("wal", "shm"))]


def _refuse_altered(source: Path, part: Path, progress: Progress) -> None:
    """Raise BackupError if `part`, a copy made from `source`, has a schema that is not that of its version, or rows
    that do not match its record. The error names the alterations of the schema or, if there are none, the first
    difference from the record."""
    from pbem.store.schema import schema_differences
    from pbem.store.verify import Audit

    with closing(sqlite3.connect(part)) as conn:
        if altered := " ".join(schema_differences(conn)):
            raise BackupError(
                f"{source} is not as pbem made it: {altered} Use another backup; if this is the best one, --as-it-is"
                " puts it back, and `pbem verify` says what to do then."
            )
        if conn.execute("PRAGMA user_version").fetchone() != (VERSION,):
            return
        rows = 0

        def count(number: int) -> None:
            nonlocal rows
            rows += number
            progress(f"verifying: {rows} rows")

        difference = next(Audit(conn, None).differences(count), None)
    if difference:
        raise BackupError(
            f"{source} is not as its record says: {difference} Use another backup; if this is the best one, --as-it-is"
            " puts it back."
        )


def _from_backup(file: Path, part: Path) -> None:
    """Copy the database in the backup `file` to `part`, without writing anything next to `file`. Raises BackupError if
    the backup cannot be used."""
    how = "mode=ro" if any(path.exists() for path in _with_its_log(file)[1:]) else "mode=ro&immutable=1"
    try:
        with (
            closing(sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True)) as conn,
            closing(sqlite3.connect(part)) as copy,
        ):
            conn.backup(copy)
            (version,) = copy.execute("PRAGMA user_version").fetchone()
            problem = damage(copy)
            if version and not problem:
                _mark_copied(copy)
    except sqlite3.Error as error:
        raise BackupError(f"{file} cannot be read ({error}): use another backup.") from None
    if problem:
        raise BackupError(f"{file} is damaged ({problem}): use another backup.")
    if version == 0:
        raise BackupError(f"{file} is no database of pbem: use what `pbem backup` or `pbem export --all` has written.")
    _refuse_newer(file, version)


def _from_export(folder: Path, part: Path, progress: Progress) -> None:
    """Create the database `part` from the exported `folder`. Raises BackupError if the export cannot be used."""
    manifest = _manifest(folder)
    _compare(folder, manifest["files"], progress)
    try:
        with closing(sqlite3.connect(part, isolation_level=None)) as conn:
            conn.execute(ERASE)
            _fill(conn, folder, manifest, progress)
            _mark_copied(conn)
    except (sqlite3.Error, ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupError(f"{folder} does not fit together ({error}): use another export.") from None


# Writing


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """Yield the temporary path of a new file of mode 0600, which is moved to `path` if the block ends without an error.
    Raises BackupError if `path` already exists."""
    _refuse(path, path.exists())
    with _beside(path) as part:
        part.touch(mode=0o600)
        yield part
        _refuse(path, path.exists())
        part.rename(path)


@contextmanager
def _new_folder(path: Path) -> Iterator[Path]:
    """Yield the temporary path of a new folder of mode 0700, which is moved to `path` if the block ends without an
    error. Raises BackupError if `path` already exists and is not an empty folder."""
    _refuse(path, path.exists() and not (path.is_dir() and not any(path.iterdir())))
    with _beside(path) as part:
        part.mkdir(mode=0o700)
        yield part
        part.rename(path)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Yield a path with the same name as `path`, in a temporary folder next to it that is deleted at the end. Temporary
    folders left behind by killed runs are deleted first. Raises BackupError if the folder cannot be created."""
    for folder in leftovers(path):
        rmtree(folder, ignore_errors=True)
    try:
        folder = Path(mkdtemp(prefix=f".{path.name}.part-", dir=path.parent))
    except OSError as error:
        raise BackupError(f"{path} cannot be made: {error.strerror}.") from None
    with _locked(folder):
        try:
            yield folder / path.name
        finally:
            rmtree(folder, ignore_errors=True)


def leftovers(path: Path) -> list[Path]:
    """Return the temporary folders left behind by runs that were killed while they were writing `path`."""
    return [folder for folder in sorted(path.parent.glob(f".{glob.escape(path.name)}.part-*")) if _is_left(folder)]


def _is_left(folder: Path) -> bool:
    """Return whether a temporary folder was left behind, that is, whether no run is working in it any more."""
    try:
        with _locked(folder):
            return True
    except OSError:  # BlockingIOError: a run is working in it
        return False


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder until the block ends. Raises OSError if another process has locked the folder, or if it is not a
    folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _refuse(path: Path, there: bool) -> None:
    if there:
        raise BackupError(f"{path} is there already and was left as it is: name one that is new.")


def _write(path: Path, lines: Iterable[str]) -> str:
    """Write a new file that only its owner can read, and return its SHA-256."""
    digest = sha256()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        for line in lines:
            data = line.encode()
            digest.update(data)
            file.write(data)
    return digest.hexdigest()


def _schema(conn: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the name and the SQL statement of each object in the schema, in order of creation."""
    return conn.execute(
        """SELECT name, sql FROM sqlite_schema
           WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
           AND name NOT IN (SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow')
           ORDER BY rowid"""
    ).fetchall()


def _tables(conn: sqlite3.Connection) -> dict[str, bool]:
    """Return the names of the tables that contain data. Each is mapped to whether the table is declared WITHOUT ROWID,
    which means that its rows are ordered by their primary key.

    Virtual tables are left out, because they are filled from other tables.
    """
    rows = conn.execute(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    return {name: bool(keyed) for name, keyed in sorted(rows)}


def _lines(conn: sqlite3.Connection, table: str, progress: Progress) -> Iterator[str]:
    """Yield the rows of a table as lines of JSON, in order of creation or, if the table is declared WITHOUT ROWID, in
    order of the primary key."""
    order = "" if _tables(conn)[table] else " ORDER BY rowid"
    rows = conn.execute(f'SELECT * FROM "{table}"{order}')  # noqa: S608 - a name from the database's own schema
    names = [column[0] for column in rows.description]
    for number, row in enumerate(rows):
        if number % _ROWS == 0:
            progress(f"{table}: {number} rows")
        yield json.dumps(dict(zip(names, map(_as_json, row), strict=True)), ensure_ascii=False) + "\n"


def _as_json(value: Any) -> Any:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


# Reading


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        text = path.read_text("utf-8")
        manifest = json.loads(text)
    except (OSError, ValueError, RecursionError):
        raise BackupError(f"{folder} is no desk that `pbem export --all` has written: it has no {MANIFEST}.") from None
    if not isinstance(manifest, dict) or manifest.get("format") != "pbem desk" or not intact(text):
        raise BackupError(f"{path} is not as `pbem export --all` has written it: use another export.")
    _refuse_newer(folder, manifest["tables"])
    return manifest


def _refuse_newer(source: Path, version: int) -> None:
    if version > VERSION:
        raise BackupError(f"{source} was made by a newer pbem (tables {version}, known here {VERSION}): update pbem.")


def _compare(folder: Path, files: Mapping[str, str], progress: Progress) -> None:
    """Raise BackupError if any of `files`, which maps names to SHA-256 hashes, is missing from the folder or has been
    changed."""
    for name, expected in files.items():
        progress(f"comparing {name}")
        path = folder / name
        if not re.fullmatch(r"[a-z_0-9]+\.(jsonl|sql)", name) or not path.is_file():
            raise BackupError(f"{path} is missing: use another export.")
        with path.open("rb") as file:
            if file_digest(file, "sha256").hexdigest() != expected:
                raise BackupError(f"{path} is not as it was written: use another export.")


def _fill(conn: sqlite3.Connection, folder: Path, manifest: Mapping[str, Any], progress: Progress) -> None:
    conn.execute("BEGIN")
    for statement in _statements((folder / SCHEMA).read_text("utf-8")):
        conn.execute(statement)
    for table in _tables(conn):
        names = [name for (name,) in conn.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        columns, gaps = ", ".join(f'"{name}"' for name in names), ", ".join("?" * len(names))
        statement = f'INSERT INTO "{table}" ({columns}) VALUES ({gaps})'  # noqa: S608 - names from the schema
        with (folder / f"{table}.jsonl").open(encoding="utf-8") as lines:
            conn.executemany(statement, _rows(table, lines, names, progress))
    conn.execute("COMMIT")
    conn.execute("PRAGMA journal_mode = WAL")
    conn.execute(f"PRAGMA user_version = {int(manifest['tables'])}")
    if astray := conn.execute("PRAGMA foreign_key_check").fetchone():
        raise ValueError(f"a row of {astray[0]} has lost what it belongs to")


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of a schema. Raises ValueError if a statement is not a CREATE statement."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            if not statement.startswith("CREATE "):
                raise ValueError(f"{SCHEMA} does more than to make tables")
            yield statement
            statement = ""


def _rows(table: str, lines: Iterable[str], names: list[str], progress: Progress) -> Iterator[list[Any]]:
    """Yield the rows of a table, read from lines of JSON: the inverse of `_lines`. Raises ValueError if a row has
    columns other than `names`."""
    for number, line in enumerate(lines):
        if number % _ROWS == 0:
            progress(f"{table}: {number} rows")
        row = json.loads(line)
        if [*row] != names:
            raise ValueError(f"a row of {table} has other columns")
        yield [base64.b64decode(value["base64"]) if _is_bytes(value) else value for value in row.values()]


def _is_bytes(value: object) -> TypeGuard[dict[str, str]]:
    return isinstance(value, dict)


def begin_epoch(store: Store, now: datetime) -> None:
    """Begin a new epoch. Its number is the Unix time in seconds, or one more than the number of the last epoch if that
    is larger, so that no earlier epoch of this desk has the same number."""
    last = int(store.epoch().removeprefix("e") or 0)
    remember(store.conn, epoch=str(max(int(now.astimezone(UTC).timestamp()), last + 1)))
