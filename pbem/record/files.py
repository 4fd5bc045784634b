"""Files of game records: many games one after the other, perhaps packed with gzip, read without trusting them."""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from pbem.record.lines import Problem
from pbem.record.moves import RecordError
from pbem.record.notation import RecordReading, read_record

MAX_LINE = 200_000
"""Bytes of a line: far more than press can have."""

MAX_GAME = 4_000_000
"""Bytes of a game's record."""

MAX_FILE = 1_000_000_000
"""Bytes of a file, or of what it unpacks to."""

_MAX_BLANK = 10_000  # blank lines in a row
_GZIP = b"\x1f\x8b"
_NAME = b"[Game "


class Text(NamedTuple):
    """The text of one game, where in the file it begins, and what is wrong with its charset."""

    line: int
    text: str
    problems: tuple[Problem, ...] = ()


def read_file(path: Path) -> Iterator[RecordReading]:
    """The games of a file, one after the other, each as far as it is right.

    Raises RecordError where the file is none of records, OSError where it cannot be read.
    """
    with path.open("rb") as file:
        yield from read_games(file)


def read_games(file: BinaryIO) -> Iterator[RecordReading]:
    """The games of an open file, as those of `read_file`."""
    for found in texts(file):
        reading = read_record(found.text, found.line)
        yield reading._replace(problems=(*found.problems, *reading.problems))


def texts(file: BinaryIO) -> Iterator[Text]:
    """The texts of a file's games, not read any further. Raises RecordError."""
    game: list[bytes] = []
    begun = size = 0
    named = moved = False  # whether the game has its name, and a line below its headers
    for number, line in _lines(file):
        if line.startswith(b"[") and (moved or (named and line.startswith(_NAME))):
            yield _text(game, begun)
            game, size, named, moved = [], 0, False, False
        if not game and not line.strip():
            continue
        begun = begun if game else number
        game.append(line)
        size += len(line)
        if size > MAX_GAME:
            raise RecordError(f"line {number}: no game record is longer than {MAX_GAME:,} bytes.")
        named = named or line.startswith(_NAME)
        moved = moved or not (line.startswith(b"[") or not line.strip())
    if game:
        yield _text(game, begun)


def _text(lines: list[bytes], begun: int) -> Text:
    raw = b"".join(lines)
    try:
        return Text(begun, raw.decode())
    except UnicodeDecodeError as error:
        line = begun + raw.count(b"\n", 0, error.start)
        problem = Problem(line, "it is not UTF-8 text: save the file in that charset.")
        return Text(begun, raw.decode(errors="replace"), (problem,))


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a file with their numbers, as long as they are such as records have. Raises RecordError."""
    start = io.BufferedReader(cast("io.RawIOBase", file))
    source = gzip.GzipFile(fileobj=start) if start.peek(2).startswith(_GZIP) else start
    total = blank = number = 0
    try:
        while line := source.readline(MAX_LINE + 1):
            number += 1
            total += len(line)
            blank = 0 if line.strip() else blank + 1
            if number == 1:
                _check_first(line)
                line = line.removeprefix(codecs.BOM_UTF8)
            if len(line) > MAX_LINE:
                raise RecordError(f"line {number} is longer than {MAX_LINE:,} bytes: this is no game record.")
            if blank > _MAX_BLANK:
                raise RecordError(f"line {number}: more than {_MAX_BLANK:,} lines are blank: this is no game record.")
            if total > MAX_FILE:
                raise RecordError(f"it holds more than {MAX_FILE:,} bytes: put fewer games into a file.")
            yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise RecordError(f"line {number + 1}: the packed file is damaged or cut off.") from None
    finally:
        start.detach()  # the file is the caller's to close


def _check_first(line: bytes) -> None:
    if line.lstrip().startswith(b"{"):
        raise RecordError("this is JSON, and game records are read here: `pbem record ID` writes one.")
    if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in line:
        raise RecordError("it is not UTF-8 text: save the file in that charset.")
