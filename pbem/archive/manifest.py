"""A folder of files that are made from something: only what has changed is written, and every file whole.

`pbem-archive.json` in the folder remembers what each file was made from. A run that is killed leaves every file either
as it was or as it is to be; what the manifest does not vouch for is made again by the next one.
"""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pbem import PbemError

NAME = "pbem-archive.json"
VERSION = 1
_KIND = "pbem archive"
_OFTEN = 500  # files written between two notes of how far we are


class FolderError(PbemError):
    """A folder that we must not write into: it is somebody else's, of a newer pbem, or in use."""


class Page(NamedTuple):
    """A file to be: its path below the folder, a mark of all that it is made from, and how its text is made."""

    path: str
    mark: str
    render: Callable[[], str]


def mark_of(*values: object) -> str:
    """A short mark of values, the same for equal ones. Who sees it can test guesses: never one of secrets."""
    return blake2b(repr(values).encode(), digest_size=8).hexdigest()


def write_pages(folder: Path, pages: Sequence[Page], tell: Callable[[str], None]) -> int:
    """Bring a folder up to date, in the order of the pages; how many files have changed or gone. Raises FolderError.

    Files of an earlier run that are no page any more are removed; files of others are left alone.
    """
    with _alone(folder):
        known = _read(folder)
        wanted = {page.path: page.mark for page in pages}
        stale = [page for page in pages if known.get(page.path) != page.mark or not (folder / page.path).exists()]
        gone = known.keys() - wanted.keys()
        if not stale and not gone and known:
            return 0
        sure = known | dict.fromkeys((page.path for page in stale), "")  # until they are written
        _save(folder, sure)
        changed = 0
        for number, page in enumerate(stale, start=1):
            changed += _write(folder / page.path, page.render())
            sure[page.path] = page.mark
            if number % _OFTEN == 0:
                _save(folder, sure)
            tell(f"{number} of {len(stale)} pages")
        for path in gone:
            _remove(folder, path)
        _save(folder, wanted)
        return changed + len(gone)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Nobody else writes into the folder meanwhile; it is made if it is not there."""
    if folder.exists() and not folder.is_dir():
        raise FolderError(f"{folder} is a file: name a folder for the archive.")
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise FolderError(f"An archive is being built in {folder} already: wait until that is done.") from None
    finally:
        os.close(lock)


def _read(folder: Path) -> dict[str, str]:
    """The marks of the files in a folder; none in one that is empty. Raises FolderError."""
    path = folder / NAME
    if not path.exists():
        if any(one.name != f"{NAME}.part" for one in folder.iterdir()):
            raise FolderError(f"{folder} is not empty and holds no archive of pbem: name one that is new or empty.")
        return {}
    with suppress(ValueError, TypeError, AttributeError, LookupError):
        found = json.loads(path.read_text("utf-8"))
        if found["kind"] == _KIND and int(found["version"]) > VERSION:
            raise FolderError(f"The archive in {folder} was built by a newer pbem: update pbem, or name another one.")
        files = {str(name): str(mark) for name, mark in found["files"].items()}
        if found["kind"] == _KIND and all(map(_is_below, files)):
            return files
    raise FolderError(f"{path} is not as pbem writes it: name another folder, or empty this one.")


def _is_below(path: str) -> bool:
    pure = PurePosixPath(path)
    return bool(pure.parts) and not pure.is_absolute() and ".." not in pure.parts


def _save(folder: Path, marks: Mapping[str, str]) -> None:
    """Vouch for files, once the disk has them."""
    os.sync()
    text = json.dumps({"kind": _KIND, "version": VERSION, "files": marks}, indent=0, sort_keys=True)
    _write(folder / NAME, text + "\n")


def _write(path: Path, text: str) -> bool:
    """A file with a text, at once; False if it had that text before, and then it is not touched."""
    data = text.encode()
    with suppress(OSError):
        if path.read_bytes() == data:
            return False
    path.parent.mkdir(exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)
    return True


def _remove(folder: Path, path: str) -> None:
    """A file goes, what a killed run has left of it too, and its folder if it was the last one there."""
    for name in (path, f"{path}.part"):
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        (folder / path).parent.rmdir()
