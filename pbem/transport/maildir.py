"""Mailboxes and outgoing mail as Maildirs (https://cr.yp.to/proto/maildir.html), with subfolders as in Maildir++."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep
from typing import NamedTuple, Self
from urllib.parse import quote

from pbem.transport.base import BATCH, MAX_LETTER, Arrived, Batch, TransportError, Unread, Unwanted, is_among
from pbem.transport.further import Found, IsOurs, merge, told

# The time of delivery in seconds, a dot and, among other fields, M with microseconds and Q with a delivery counter.
_NAME = re.compile(r"(\d{9,10})\.(?:[^.:]*?M(\d{1,6}))?(?:[^.:]*?Q(\d{1,12}))?")

_JUNK = "Junk"
"""The name of the folder where mail systems put junk."""

_MARGIN = timedelta(days=1)
"""The margin for delivery times. It is needed because clocks differ, and because some file names contain the time at
which a letter was written."""


def make_maildir(path: Path) -> None:
    """Create a Maildir at `path`, with any parent folders that are missing. Raises OSError."""
    for part in ("tmp", "new", "cur"):
        (path / part).mkdir(mode=0o700, parents=True, exist_ok=True)


class _Entry(NamedTuple):
    """A letter's file: its time of delivery in nanoseconds of Unix time, its delivery counter, and its path in the
    Maildir."""

    delivered: int
    counter: int
    key: str


class MaildirMailbox:
    """A Maildir as a mailbox: the letters in `new` and `cur`, and the letters for the desk in further folders.

    Handled letters are moved to the subfolder `.Handled`, where people can find them.
    """

    def __init__(self, path: Path, folders: Sequence[str] = (), is_ours: IsOurs | None = None) -> None:
        self._path, self._folders, self._is_ours = path, folders, is_ours

    def __enter__(self) -> Self:
        _check(self._path)
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def fetch(self, mark: str) -> Iterator[Batch]:
        """Yield all letters in order of delivery. `mark` is not needed, because handled letters are in another
        folder."""
        return merge(self._fetch(mark), mark, self._find() if self._is_ours else Found())

    def limit(self, deadline: float) -> None:
        """Do nothing, because no file keeps anybody waiting."""

    def used(self) -> float:
        return 0.0

    def further_folders(self) -> Sequence[str]:
        for name in self._folders:
            _check(self._path / f".{name}")
        return tuple(dict.fromkeys((*self._folders, *self._junk())))

    def _junk(self) -> Sequence[str]:
        return (_JUNK,) if (self._path / f".{_JUNK}" / "cur").is_dir() else ()

    def _find(self) -> Found:
        """Find letters for the desk in further folders. All other letters there are read but left unchanged."""
        letters, troubles = list[Arrived](), list[str]()
        for name in dict.fromkeys((*self._folders, *self._junk())):
            try:
                _check(self._path / f".{name}")
                for entry in self._entries(f".{name}/"):
                    with suppress(FileNotFoundError):
                        letter = self._read(entry)._replace(folder=name)
                        letters += [letter] if self._is_ours and self._is_ours(letter.raw) else []
            except TransportError as error:
                troubles.append(str(error))
            except OSError as error:
                troubles.append(f"A file in {self._path / f'.{name}'} cannot be read: {error.strerror}.")
        return Found(letters, troubles=told(troubles))

    def _fetch(self, mark: str) -> Iterator[Batch]:
        entries = self._entries()
        unread: dict[str, str] = {}
        for start in range(0, len(entries), BATCH):
            letters = []
            for entry in entries[start : start + BATCH]:
                try:
                    letters.append(self._read(entry))
                except FileNotFoundError:
                    continue  # a mail program has just moved it; the next run finds it
                except OSError as error:
                    unread[entry.key] = f"A file in {self._path} cannot be read: {error.strerror}."
            if letters:
                yield Batch(letters, mark)
        if unread:
            raise Unread(unread)

    def look_back(self) -> None:
        """Do nothing, because `fetch` always returns all unhandled letters."""

    def overlooked(self, mark: str) -> int:
        return 0

    def again(self, since: datetime) -> None:
        """Move handled letters back into the mailbox, to be fetched again, if they were delivered after `since` or
        shortly before it.

        Letters that turn out to be known will be moved away again.
        """
        done, wanted = self._path / ".Handled" / "cur", (since - _MARGIN).timestamp() * 1_000_000_000
        try:
            for file in os.scandir(done) if done.is_dir() else ():
                if file.is_file() and _entry("cur", file).delivered >= wanted:
                    Path(file.path).rename(self._path / "cur" / file.name)
        except OSError as error:
            raise TransportError(f"Letters cannot be moved back from {done}: {error.strerror}.") from None

    def handled(self, keys: Sequence[str]) -> None:
        done = self._path / ".Handled"
        try:
            make_maildir(done)
            (done / "maildirfolder").touch()
            for key in keys:
                name, _, flags = Path(key).name.partition(":2,")
                with suppress(FileNotFoundError):
                    (self._path / key).rename(done / "cur" / f"{name}:2,{''.join(sorted({*flags, 'S'}))}")
        except OSError as error:
            raise TransportError(f"Letters cannot be moved to {done}: {error.strerror}.") from None

    def remove(self, letters: Sequence[Unwanted]) -> None:
        sizes, changed, problem = {letter.size for letter in letters}, set(), ""
        places = ("", ".Handled/", *(f".{name}/" for name in (*self._folders, *self._junk())))
        for folder in (self._path / f"{place}{part}" for place in places for part in ("new", "cur")):
            for file in _files(folder) if folder.is_dir() else ():
                try:
                    if file.stat().st_size in sizes and is_among(_beginning(Path(file.path)), letters):
                        Path(file.path).unlink()
                        changed.add(folder)
                except OSError as error:  # perhaps a mail program has moved it, so look again
                    problem = f"A file in {folder} cannot be read or removed: {error.strerror}."
        for folder in changed:
            _sync(folder)
        if problem:
            raise TransportError(problem)

    def _entries(self, place: str = "") -> list[_Entry]:
        entries = []
        try:
            for folder in (f"{place}new", f"{place}cur"):
                entries += [_entry(folder, file) for file in _files(self._path / folder)]
        except OSError as error:
            raise TransportError(f"The Maildir {self._path} cannot be read: {error.strerror}.") from None
        return sorted(entries)

    def _read(self, entry: _Entry) -> Arrived:
        with (self._path / entry.key).open("rb") as file:
            raw, size = file.read(MAX_LETTER), os.fstat(file.fileno()).st_size
        seconds, nanoseconds = divmod(entry.delivered, 1_000_000_000)
        when = datetime.fromtimestamp(seconds, UTC).replace(microsecond=nanoseconds // 1000)
        return Arrived(entry.key, when, raw, size)


def _files(folder: Path) -> list["os.DirEntry[str]"]:
    """Return the files of all letters in `folder`."""
    with os.scandir(folder) as files:
        return [file for file in files if file.name[0] != "." and file.is_file()]


def _entry(folder: str, file: "os.DirEntry[str]") -> _Entry:
    key = f"{folder}/{file.name}"
    name = _NAME.match(file.name)
    if not name:
        with suppress(FileNotFoundError):
            return _Entry(file.stat().st_mtime_ns, 0, key)
        return _Entry(0, 0, key)
    seconds, microseconds, counter = (int(part or 0) for part in name.groups())
    return _Entry(seconds * 1_000_000_000 + microseconds * 1000, counter, key)


def _beginning(path: Path) -> bytes:
    """Return the first MAX_LETTER bytes of the letter at `path`."""
    with path.open("rb") as file:
        return file.read(MAX_LETTER)


class MaildirBell:
    """A bell that rings when files have been added to a Maildir or removed from it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last_changes: list[int] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def set(self) -> None:
        _check(self._path)
        self._last_changes = self._changes()

    def wait(self, seconds: float) -> bool:
        sleep(seconds)
        return self._changes() != self._last_changes

    def _changes(self) -> list[int]:
        """Return the times at which `new` and `cur` were last changed; an empty list if the times are unknown."""
        with suppress(OSError):
            return [(self._path / part).stat().st_mtime_ns for part in ("new", "cur")]
        return []


class MaildirOutgoing:
    """Outgoing mail that is written into a Maildir, whoever its recipient is. It is meant for tests, and for trying out
    a desk without a server."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> Self:
        _check(self._path)
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def send(self, raw: bytes, recipient: str, sender: str, name: str) -> None:
        """Deliver the letter `raw` as a file called `name`. The envelope is ignored, because the header names the
        recipient."""
        file_name = quote(name, safe="@+=,")
        draft = self._path / "tmp" / file_name
        try:
            with draft.open("wb") as file:
                file.write(raw)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._path / "new" / file_name)
            _sync(self._path / "new")
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise TransportError(f"A letter cannot be written to {self._path}: {error.strerror}.") from None


def _sync(folder: Path) -> None:
    """Make sure that changes to the files in `folder` survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check(path: Path) -> None:
    if not all((path / part).is_dir() for part in ("tmp", "new", "cur")):
        raise TransportError(f"{path} is no Maildir: put it back, or mend the url in config.ini.")
