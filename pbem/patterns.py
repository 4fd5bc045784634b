"""Regular expressions that were compiled when pbem was built: to compile those of one run takes longer than the run.

What is kept is what Python's own compiler makes of each, for the engine of one version of Python. Under another, and
for an expression that is not among them, Python compiles it as ever: `compiled` gives what `re.compile` gives.
"""

import json
import re
import sys
from array import array
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any
from zlib import compress, crc32, decompress

from pbem.resources import resource

_MADE = "grammar/made/patterns.json"

asked: dict[tuple[str, int], None] | None = None
"""What this process asks for, a text and its flags; the build wants to know."""


def compiled(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` makes of a text; at once, if the build has done its work."""
    if asked is not None:
        asked[text, int(flags)] = None
    made = _found(_name(text, flags))
    if made is None:
        return re.compile(text, flags)
    import _sre  # type: ignore[import-not-found]

    _, all_flags, groups, names, codes = made
    numbers = array("I", decompress(a2b_base64(codes))).tolist()
    of_groups = [None, *[None] * groups]
    for name, number in names.items():
        of_groups[number] = name
    found: re.Pattern[str] = _sre.compile(text, all_flags, numbers, groups, names, tuple(of_groups))
    return found


def made_file() -> Path:
    """Where the build writes them down."""
    return resource(_MADE)


def written(patterns: Iterable[tuple[str, int]], sources: str) -> str:
    """A file of patterns, which says by a hash of which sources it was made.

    Its first line tells where below it each stands, from which letter on and how many, by the checksum of its name: a
    run takes out those that it needs. Of two with one checksum the first is kept, and Python compiles the other.
    """
    try:
        made = [(_name(text, flags), *_as_made(text, flags)) for text, flags in sorted(patterns)]
        of = engine()
    except (ImportError, AttributeError, TypeError, ValueError):  # another Python's compiler: it works as ever
        made, of = [], ""
    lines, places, start = [json.dumps(one) + "\n" for one in made], dict[str, tuple[int, int]](), 0
    for one, line in zip(made, lines, strict=True):
        places.setdefault(_checksum(one[0]), (start, len(line)))
        start += len(line)
    return "".join((json.dumps({"of": of, "sources": sources, "places": places}), "\n", *lines))


def names_in(file: str) -> list[str]:
    """The name of each pattern of a file, which is its flags and its text."""
    return [json.loads(line)[0] for line in file.splitlines()[1:]]


def engine() -> str:
    """For which regular expression engine something is compiled: another one may understand it otherwise."""
    import _sre

    return f"{sys.implementation.cache_tag} {_sre.MAGIC} {_sre.CODESIZE} {sys.byteorder}"


@cache
def _made() -> tuple[Mapping[str, Any], bytes]:
    """Where each stands, and all of them."""
    try:
        head, _, patterns = made_file().read_bytes().partition(b"\n")
        found = json.loads(head)
        return (found["places"], patterns) if found["of"] == engine() else ({}, b"")
    except (OSError, ValueError, LookupError, TypeError, ImportError, AttributeError):
        return {}, b""


def _found(name: str) -> list[Any] | None:
    """What was made of the pattern of a name."""
    places, patterns = _made()
    try:
        start, length = places[_checksum(name)]
        found: list[Any] = json.loads(patterns[start : start + length])
    except (ValueError, LookupError, TypeError):
        return None
    return found if found[:1] == [name] else None


def _checksum(name: str) -> str:
    return f"{crc32(name.encode('utf-8', 'surrogatepass')):x}"


def _name(text: str, flags: int) -> str:
    return f"{int(flags)} {text}"


def _as_made(text: str, flags: int) -> tuple[int, int, dict[str, int], str]:
    """All flags, the number of groups, the names of some, and the engine's own code."""
    from re import _compiler, _parser  # type: ignore[attr-defined]

    parsed = _parser.parse(text, flags)
    codes = array("I", map(int, _compiler._code(parsed, flags)))
    pattern = re.compile(text, flags)
    coded = b2a_base64(compress(codes.tobytes(), 9), newline=False).decode()
    return pattern.flags, pattern.groups, dict(pattern.groupindex), coded
