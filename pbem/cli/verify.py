"""`pbem verify`: whether a desk, or a file that was exported, is as it was."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem import PbemError
from pbem.record.history import Played

if TYPE_CHECKING:
    from pbem.record.history import History


@click.command()
@click.argument("what", required=False, metavar="[ID|FILE]")
@click.option("--all", "every", is_flag=True, help="All games, as without ID.")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def verify(settings: Any, /, what: str | None, every: bool, as_json: bool) -> None:
    """Play every turn anew, and compare all with the record.

    Exit status 0: all that was looked at is as it was; the second line says what was not. 1: it is not; the first
    difference is named. The record is always read as a whole, the rows of one game alone with ID. FILE is a game record
    or JSON that was exported, with its checksum.
    """
    from pbem.store.database import StoreError

    if what and every:
        raise click.UsageError("Either ID, FILE or --all.")
    if what and not Path(what).is_file() and ("." in what or "/" in what):  # no game is called so
        raise click.UsageError(f"There is no file {what}.")
    if what and Path(what).is_file():
        counts, difference, left_out = *_audit_file(Path(what)), dict[str, list[str]]()
    else:
        counts, difference, left_out = _audit(settings.config().database, what)
    if as_json:
        told = {"intact": difference is None, "difference": difference, "counts": counts, "not_looked_at": left_out}
        click.echo(json.dumps(told))
    elif difference is None:
        click.echo(_summary(counts))
        if left_out:
            parts = (f"{why} ({', '.join(names)})" if names else why for why, names in left_out.items())
            click.echo(f"Not looked at: {'; '.join(parts)}.")
    if difference is not None:
        raise StoreError(difference)


def _audit_file(path: Path) -> tuple[dict[str, int], str | None]:
    """The same of a file of games."""
    counts = {"games": 0, "adjudicated": 0}
    try:
        for history in _histories(path):
            counts["games"] += 1
            counts["adjudicated"] += sum(isinstance(step, Played) for step in history.steps)
    except PbemError as error:
        return counts, f"{path}: {error}"
    return counts, None if counts["games"] else f"{path}: there is no game in it."


def _histories(path: Path) -> "Iterator[History]":
    """The games of a file, all that is in it, each adjudicated. Raises PbemError for whatever is wrong, OSError."""
    from pbem.record.exports import read_json
    from pbem.record.files import read_file
    from pbem.store.replay import retrace_history

    with path.open("rb") as file:
        is_json = file.read(100).lstrip().startswith(b"{")
    if is_json:
        history = read_json(path.read_bytes().decode("utf-8", "replace"))
        for difference in retrace_history(history):
            raise PbemError(difference)
        yield history
        return
    for reading in read_file(path):  # which adjudicates: a record has no other way to say what came of a turn
        if reading.problems:
            raise PbemError(str(reading.problems[0]))
        if reading.checksum is None or reading.history is None:
            raise PbemError(f"line {reading.line}: this game has no checksum, so it may have been changed.")
        yield reading.history


def _audit(path: Any, game: str | None) -> tuple[dict[str, int], str | None, dict[str, list[str]]]:
    """What there was, the first difference, and what was not looked at, with its tables. Raises StoreError."""
    from pbem.store.audit_log import NOT_COVERED
    from pbem.store.backup import damage
    from pbem.store.database import SQLiteError, Store, StoreError, connect
    from pbem.store.matches import find_match
    from pbem.store.verify import Audit

    with closing(connect(path)) as conn:
        store = Store(conn)
        try:
            with store.snapshot():
                if problem := damage(conn):
                    return {}, f"The database {path} is damaged ({problem}): restore it from a backup.", {}
                audit = Audit(conn, find_match(store, game) if game else None)
                with _progress(audit.size) as progress:
                    difference = next(audit.differences(progress), None)
        except SQLiteError as error:
            raise StoreError(f"The database {path} is damaged ({error}): restore it from a backup.") from None
    others = {"rows of other games, and of what is of no game": audit.not_read()} if game else {}
    return dict(audit.counts), difference, {why: [*names] for why, names in {**others, **NOT_COVERED}.items()}


def _summary(counts: dict[str, int]) -> str:
    """What was checked, in one line."""

    def number(key: str, one: str, many: str) -> str:
        found = counts.get(key, 0)
        return f"{found:,} {one if found == 1 else many}"

    if "entries" not in counts:
        return (
            f"All is as it was written: {number('adjudicated', 'turn', 'turns')} of {number('games', 'game', 'games')}."
        )
    removed, others = counts.get("removed", 0), counts.get("turns", 0) - counts.get("adjudicated", 0)
    told = ("entries", "heads", "games", "adjudicated", "turns", "orders", "letters", "outbox", "removed")
    rows = sum(number for key, number in counts.items() if key not in told)
    return (
        f"All is as it was: {number('entries', 'entry', 'entries')} of the record"
        + (f" ({removed:,} without content, as somebody wished)" if removed else "")
        + f", {number('adjudicated', 'turn', 'turns')}"
        + (f" ({others:,} more by other rules than these)" if others else "")
        + f" of {number('games', 'game', 'games')}, {number('orders', 'order list', 'order lists')},"
        + f" {number('letters', 'letter', 'letters')} in, {number('outbox', 'letter', 'letters')} out,"
        + f" {rows:,} rows of other tables."
    )


@contextmanager
def _progress(size: Callable[[], int]) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    with click.progressbar(length=size(), label="Verifying", file=sys.stderr) as bar:
        yield bar.update
