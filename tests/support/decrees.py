"""A time zone whose government changes its mind."""

import zoneinfo
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import pack


@contextmanager
def island(folder: Path) -> Iterator[Callable[[int], None]]:
    """Yield a function that decrees how many hours the zone `Test/Island`, below a folder, is east of Greenwich all
    year."""
    path = folder / "Test" / "Island"
    path.parent.mkdir()
    before = zoneinfo.TZPATH
    zoneinfo.reset_tzpath(to=[str(folder), *before])
    yield lambda hours: _decree(path, hours)
    zoneinfo.reset_tzpath(to=before)
    zoneinfo.ZoneInfo.clear_cache()


def _decree(path: Path, hours: int) -> None:
    """Write the file of a zone (RFC 8536)."""
    block = pack(">4sc15x6l", b"TZif", b"2", 0, 0, 0, 0, 1, 4) + pack(">lbb", hours * 3600, 0, 0) + b"XST\0"
    path.write_bytes(block + block + f"\nXST-{hours}\n".encode("ascii"))
