"""Witnesses: copies of the head of the record, stored in files outside the database.

There is a witness in the file `pbem.head` next to the database. If the mailbox is a Maildir, there is another in the
Maildir, which is found even after the desk has moved to another machine. If the record lacks the entry that a witness
names, the database is older than letters that the desk has sent.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from pbem.config.config import Config, Maildir
from pbem.service.run import Run
from pbem.store.audit_log import Head, find_head
from pbem.store.database import StoreError
from pbem.times.moments import stamp

WITNESS = "pbem.head"
"""The name of a witness file. The only line of such a file contains the number and the hash of the record's head, and
the time of writing."""

_LINE = re.compile(r"(\d{1,15}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n")


def _places(config: Config) -> list[Path]:
    mailbox = config.mailbox.place
    return [config.database.with_name(WITNESS), *([mailbox.path / WITNESS] if isinstance(mailbox, Maildir) else [])]


def read_witnesses(config: Config) -> Iterator[tuple[Head, str]]:
    """Yield the head in each witness, and the time at which the witness was written. Malformed files are ignored.
    Raises StoreError if a file cannot be read."""
    for path in _places(config):
        try:
            parts = _LINE.fullmatch(path.read_text("ascii", "replace"))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise StoreError(f"{path} cannot be read: {error.strerror}.") from None
        if parts:
            yield Head(int(parts[1]), parts[2]), parts[3]


def write_witness(run: Run) -> None:
    """Write the head of the record to each witness. Call this before anything leaves the desk. Raises StoreError."""
    head = find_head(run.conn)
    if head.number and head != run.witness:
        for path in _places(run.config):
            if path.parent.is_dir():  # a missing Maildir is reported elsewhere
                _replace(path, f"{head} {stamp(run.now)}\n")
        run.witness = head


def _replace(path: Path, text: str) -> None:
    """Replace the content of the file at `path` with `text` atomically: after a power cut, the file has either all of
    its old content or all of the new content. Raises StoreError."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from None
