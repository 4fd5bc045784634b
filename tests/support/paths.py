"""The paths of everything that is not code: the checkout, its docs, the files beside it, and expected results."""

import os
from pathlib import Path

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DOCS = ROOT / "docs"
EXAMPLE = ROOT / "examples" / "harbours"
"""The example of a package that brings a game."""
SHARED = ROOT.parent / "shared"
"""Public mails, boards and cases that are not ours to ship; tests that need them are skipped where they are missing."""
CASES = TESTS / "cases"
GOLDEN = TESTS / "golden"


_ROOM = 4 << 30
"""Bytes that a RAM disk must have free."""


def ram_disk() -> Path | None:
    """Find a RAM disk for temporary files, with enough room and where programs can be run.

    A desk syncs its files several times per letter, which costs nothing there.
    """
    folder = Path("/dev/shm")
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    usable = os.access(folder, os.W_OK) and not disk.f_flag & os.ST_NOEXEC
    return folder if usable and disk.f_bavail * disk.f_frsize > _ROOM else None
