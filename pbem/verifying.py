"""`pbem verify`: whether a desk, or a file that was exported, is as it was."""

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click


@click.command()
@click.argument("game", required=False, metavar="[ID]")
@click.option("--all", "every", is_flag=True, help="All games, as without ID.")
@click.option("--json", "as_json", is_flag=True)
@click.pass_obj
def verify(settings: Any, /, game: str | None, every: bool, as_json: bool) -> None:
    """Adjudicate every turn anew, and check all rows against the record.

    Exit status 0: all is as it was. 1: it is not; the first difference is named. The record is always read as a whole,
    the rows of one game alone with ID.
    """
    from pbem.store import StoreError

    if game and every:
        raise click.UsageError("Either ID or --all.")
    counts, difference = _audit(settings.config().database, game)
    if as_json:
        click.echo(json.dumps({"intact": difference is None, "difference": difference, "counts": counts}))
    elif difference is None:
        click.echo(_summary(counts))
    if difference is not None:
        raise StoreError(difference)


def _audit(path: Any, game: str | None) -> tuple[dict[str, int], str | None]:
    """What there was, and the first difference. Raises StoreError."""
    from pbem.matches import find_match
    from pbem.store import Store, StoreError, connect
    from pbem.verify import Audit

    conn = connect(path)
    try:
        conn.execute("BEGIN")  # a poll that is at work meanwhile shall not be seen in part
        audit = Audit(conn, find_match(Store(conn), game) if game else None)
        with _progress(audit.size) as progress:
            difference = next(audit.differences(progress), None)
    except sqlite3.DatabaseError as error:
        raise StoreError(f"The database {path} is damaged ({error}): restore it from a backup.") from None
    finally:
        conn.close()
    return dict(audit.counts), difference


def _summary(counts: dict[str, int]) -> str:
    """What was checked, in one line."""

    def number(key: str, one: str, many: str) -> str:
        found = counts.get(key, 0)
        return f"{found:,} {one if found == 1 else many}"

    removed, others = counts.get("removed", 0), counts.get("turns", 0) - counts.get("adjudicated", 0)
    return (
        f"All is as it was: {number('entries', 'entry', 'entries')} of the record"
        + (f" ({removed:,} without content, as somebody wished)" if removed else "")
        + f", {number('adjudicated', 'turn', 'turns')}"
        + (f" ({others:,} more by other rules than these)" if others else "")
        + f" of {number('games', 'game', 'games')}, {number('orders', 'order list', 'order lists')},"
        + f" {number('letters', 'letter', 'letters')} in, {number('outbox', 'letter', 'letters')} out."
    )


@contextmanager
def _progress(size: Callable[[], int]) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield lambda rows: None
        return
    with click.progressbar(length=size(), label="Verifying", file=sys.stderr) as bar:
        yield bar.update
