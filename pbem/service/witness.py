"""Witnesses: copies of the head of the record, stored outside the database.

There is one in the file `pbem.head` beside the database, and also one in the mailbox if that is a Maildir, so that it
is found after the desk has moved to another machine. A record that lacks the entry a witness names is older than
letters that the desk has sent.
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
"""The name of the file. Its only line holds the number and hash of the record's head, and the time of writing."""

_LINE = re.compile(r"(\d{1,15}) ([0-9a-f]{64}) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\n")


def _places(config: Config) -> list[Path]:
    mailbox = config.mailbox.place
    return [config.database.with_name(WITNESS), *([mailbox.path / WITNESS] if isinstance(mailbox, Maildir) else [])]


def read_witnesses(config: Config) -> Iterator[tuple[Head, str]]:
    """Yield the head in each witness and when it was written. Malformed files are ignored. Raises StoreError."""
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
    """Replace a file atomically: after a power cut, it is entirely the old one or entirely the new one."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}.") from None
