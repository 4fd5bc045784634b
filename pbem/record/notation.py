"""Game records: the history of a game as text that people can read and a program can replay.

`docs/record.md` describes the format, `grammar/record.lark` the syntax of a line. Like exported JSON, a record contains
its own checksum: the SHA-256, in 64 lower-case hexadecimal digits, of the whole text in UTF-8 without those digits and
with each CRLF as LF. The checksum follows the word `checksum`, as in `[Checksum "…"]` or `"checksum": "…"`. A file may
contain many records, and may be compressed with gzip. The content of a file is not trusted.
"""

import codecs
import gzip
import io
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from pbem.games import DEFAULT, find_game
from pbem.games.base import OPEN, AnyGame, GameError, Result, seats_of
from pbem.games.capabilities import names_rounds, opening_of, round_name
from pbem.games.chance import NO_CHANCE, SOURCES, commitment, set_up_chance
from pbem.record.history import (
    MISSED,
    NOT_AWAITED,
    Ended,
    History,
    Placed,
    Played,
    RecordError,
    Remark,
    Replay,
    Resigned,
    RolledBack,
    Step,
    position_hash,
)
from pbem.record.lines import MAX_PROBLEMS, Lines, Problem, escaped, quoted, read_moment
from pbem.times.moments import stamp

_OWN = (
    *("Game", "Rules", "Secret", "SecretHash", "League", "Season", "Division", "Round", "Began", "Ended"),
    *("Result", "Reason", "Checksum"),
)
_SECRET = re.compile(SOURCES)
_CLOSED = (
    "the secret of this game is not open: it stands in the record when the game is over, and before that nobody can"
    " play the game through."
)
_HEADER = re.compile(r"^\[Checksum ", re.M)


class RecordReading(NamedTuple):
    """A game that was read from its record, up to the first move that cannot be read or is illegal; `history` is None
    if not even the setup could be read.

    `name` is the game's name in the record, and `line` the number of the record's first line. `checksum` says whether
    the text is unchanged; it is None if the record contains no checksum.
    """

    name: str
    line: int
    history: History | None
    problems: tuple[Problem, ...]
    checksum: bool | None


# Writing


def write_record(history: History) -> str:
    """Return the record of a game with its checksum; the record contains the whole history, including press."""
    lines = [f'[{name} "{escaped(line, chr(34))}"]' for name, line in _headers(history)]
    lines += ['[Checksum ""]', "", *(_line(history, step) for step in history.steps)]
    return add_checksum("\n".join(lines).rstrip("\n") + "\n", '\n[Checksum "')


def check_checksum(text: str) -> bool | None:
    """Return whether the checksum of a single record is correct; None if the record contains no checksum.

    Lines may end with LF or CRLF, and blank lines at the end do not count; every other character counts.
    """
    text = _checksummed(text)
    return intact(text) if _HEADER.search(text) else None


def result_word(history: History) -> str:
    """Return the result as the header `Result` shows it: a seat, `draw`, `annulled`, or `*` for a running game."""
    if history.annulled:
        return "annulled"
    return (history.result.winner or "draw") if history.result else "*"


def _headers(history: History) -> Iterator[tuple[str, str]]:
    """Yield the names and values of the headers in order. A value that describes the game's setup may have several
    lines; each of these lines becomes a header with the same name."""
    game, result = history.game, history.result
    ending = next((step.result for step in history.steps[::-1] if isinstance(step, Ended)), result)
    yield "Game", history.name
    yield "Rules", f"{game.name} {history.rules}"
    for name, value in game.headers(history.start, history.options).items():
        yield from ((name, line) for line in value.split("\n"))
    yield from ((seat.capitalize(), name) for seat, name in history.players.items())
    others: Mapping[str, object] = {
        "Secret": history.secret,
        "SecretHash": "" if history.secret else history.secret_hash,
        "League": history.league,
        "Season": history.season,
        "Division": history.division,
        "Round": history.round,
        "Began": history.began and stamp(history.began),
        "Ended": history.ended and stamp(history.ended),
        "Result": result_word(history),
        "Reason": ending.reason if ending and (result or history.annulled) else "",
    }
    yield from ((name, str(value)) for name, value in others.items() if value)


def _line(history: History, step: Step) -> str:
    game, text = history.game, ""
    match step:
        case Played():
            awaited = game.awaiting(step.before)
            missed = {seat: MISSED if seat in awaited else NOT_AWAITED for seat in history.seats}
            named = f"{round_name(game, step.before, step.turn)} " if names_rounds(game) else ""
            move = f"{step.turn}. {named}" + " | ".join(step.orders.get(seat) or missed[seat] for seat in history.seats)
            move += f" #{position_hash(game, step.after)}" if history.reader == OPEN else ""
            move += f" ##{step.secret}" if step.secret else ""
        case Placed():
            move, text = f"position {game.position(step.state)}", step.reason
            if history.reader != OPEN:
                move, text = "", f"The position is another one. {text}".strip()
        case Resigned():
            move = f"resign {step.seat}"
        case RolledBack():
            move, text = f"rollback {step.turn}", step.reason
        case Ended(result, annulled):
            word = "forfeit" if result.forfeit else "award"
            move, text = "annul" if annulled else f"{word} {_result_text(result)}", result.reason
        case Remark():
            to = f" to {' '.join(step.to)}" if step.to else ""
            move, text = f"press {step.seat}{to}" if step.seat else "", step.text
    words = f"{{{escaped(text, '{}')}}}" if text or isinstance(step, Remark) else ""
    return " ".join(filter(None, (move, f"@{stamp(step.moment)}" if step.moment else "", words)))


def _result_text(result: Result) -> str:
    """Return the winner or `draw`, followed by the places of the ranking, as in `winkies munchkins and quadlings`. The
    first place is left out if the winner alone takes it."""
    places = result.ranking[1:] if result.ranking[:1] == ((result.winner,),) else result.ranking
    return " ".join((result.winner or "draw", *(" and ".join(seats) for seats in places)))


def _checksummed(text: str) -> str:
    """Normalise a record for its checksum: LF line endings, no blank lines at the end, no byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n") + "\n"


# Reading


def read_record(text: str, first_line: int = 1) -> RecordReading:
    """Read the record of one game and replay it, up to the first move that cannot be read or is illegal. Never raises.

    `first_line` is the number of the text's first line in its file.
    """
    lines = Lines(_checksummed(text).split("\n"), first_line)
    headers = _HeaderReader(lines)
    name, checksum = headers.text("Game") or "", check_checksum(text)
    if checksum is False:
        lines.problem(
            headers.line("Checksum"), "the checksum does not fit: the record was changed since it was written."
        )
    history = _history(lines, headers) if lines.headers or any(move for _, move in lines.moves) else None
    problems = sorted(lines.problems, key=lambda problem: problem.line)
    return RecordReading(name, first_line, history, tuple(problems[:MAX_PROBLEMS]), checksum)


class _HeaderReader:
    """The headers of a record, keyed by name; headers with the same name contain the lines of one value."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.by_name: dict[str, list[tuple[int, str]]] = {}
        for line, (name, value) in lines.headers:
            self.by_name.setdefault(name, []).append((line, value))
        self.check_single(_OWN)

    def line(self, name: str) -> int:
        """Return the line number of a header or, if the header is missing, of the record's first line."""
        return self.by_name[name][0][0] if name in self.by_name else self._lines.first

    def text(self, name: str) -> str | None:
        """Return the value of a header; None if the header is missing."""
        values = [value for _, value in self.by_name.get(name, ())]
        return "\n".join(values[:1] if name in _OWN else values) if values else None

    def number(self, name: str) -> int | None:
        """Return the value of a header as a number. Return None if the header is missing. If its value is not a number,
        note a problem and return None."""
        text = self.text(name)
        if text is None or re.fullmatch("[0-9]{1,9}", text):
            return int(text) if text else None
        self._lines.problem(self.line(name), f"{name} is a number, not {quoted(text)}.")
        return None

    def moment(self, name: str) -> datetime | None:
        """Return the value of a header as a moment. Return None if the header is missing. If its value is not a moment,
        note a problem and return None."""
        text = self.text(name)
        if text is None:
            return None
        moment = read_moment(text)
        if moment is None:
            self._lines.problem(self.line(name), f"{name} is a moment such as 2026-11-25T15:58:00Z.")
        return moment

    def others(self) -> dict[str, str]:
        """Return the values of the headers that this module does not interpret but the game may, keyed by header
        name."""
        return {name: self.text(name) or "" for name in self.by_name if name not in _OWN}

    def check_single(self, names: Iterable[str]) -> None:
        """Note a problem for each header in `names` that occurs more than once."""
        for name in names:
            if len(self.by_name.get(name, ())) > 1:
                self._lines.problem(self.by_name[name][1][0], f"the header {name} is there twice.")

    def check_names(self, names: Sequence[str]) -> None:
        """Note a problem for each header whose name looks like a misspelling of one of `names`; any other extra header
        is allowed."""
        from difflib import get_close_matches

        for name in self.by_name.keys() - set(names):
            if close := get_close_matches(name, names, n=1, cutoff=0.8):
                self._lines.problem(self.line(name), f"there is no header {name}: {close[0]} is probably meant.")


class _Beginning(NamedTuple):
    """The game of a record, the version of its rules, its setup, and the secret from which its chance derives."""

    game: AnyGame
    version: str
    start: Any
    options: Mapping[str, Any]
    secret: str


def _begun(lines: Lines, headers: _HeaderReader) -> _Beginning | None:
    """Return the beginning of the game. If it cannot be read, note a problem and return None."""
    name, _, version = (headers.text("Rules") or DEFAULT).partition(" ")
    try:
        game = find_game(name)
    except GameError:
        lines.problem(headers.line("Rules"), f"there is no game {quoted(name)} here.")
        return None
    secret = headers.text("Secret") or ""
    if game.chance and not _SECRET.fullmatch(secret):
        lines.problem(headers.line("Secret"), _CLOSED)
        return None
    try:
        start, options = game.from_headers(headers.others(), set_up_chance(secret) if game.chance else NO_CHANCE)
    except GameError as error:
        lines.problem(headers.line("Board"), " ".join(str(error).split("\n")))
        return None
    return _Beginning(game, version or game.rules_version, start, options, secret)


def _history(lines: Lines, headers: _HeaderReader) -> History | None:
    """Replay the game and return its history; None if the game's beginning cannot be read."""
    begun = _begun(lines, headers)
    if begun is None:
        return None
    game, version, start, options, secret = begun
    sides = {seat: seat.capitalize() for seat in seats_of(game, options)}
    headers.check_single(sides.values())
    headers.check_names([*_OWN, *sides.values(), *game.headers(start, options)])
    table = Replay(game, start, tuple(sides), any_turn="Position" in headers.by_name, secret=secret)
    table.play(lines)
    result = _result(lines, headers, table)
    return History(
        name=headers.text("Game") or "",
        game=game,
        options=options,
        rules=version,
        players={seat: headers.text(side) or "" for seat, side in sides.items()},
        start=start,
        state=table.state,
        steps=table.steps_by(version),
        result=None if table.annulled else result,
        annulled=table.annulled,
        league=headers.text("League") or "",
        season=headers.number("Season"),
        division=headers.number("Division"),
        round=headers.number("Round"),
        began=headers.moment("Began"),
        ended=headers.moment("Ended"),
        secret=secret,
        secret_hash=commitment(secret) if game.chance else "",
        opening=game.redact_events(opening_of(game, start, secret if game.chance else ""), OPEN),
    )


def _result(lines: Lines, headers: _HeaderReader, table: "Replay") -> Result | None:
    """Return the result to which the moves lead; None if the game has no result. If the header `Result` disagrees with
    that result, note a problem. The header `Reason`, if there is one, replaces the reason for the result."""
    result = table.ended.result if table.ended else table.game.result(table.state)
    claim = headers.text("Result")
    ending = "annulled" if table.annulled else (result.winner or "draw") if result else "*"
    if claim is not None and claim != ending and not table.stopped:
        hint = f"; if it was awarded, end with `award {claim}`" if ending == "*" and claim in table.words else ""
        lines.problem(
            headers.line("Result"), f'the result is said to be {quoted(claim)}, but the moves lead to "{ending}"{hint}.'
        )
    why = headers.text("Reason")
    if result and why and why != result.reason:
        result = replace(result, reason=why)
    if table.ended and result:
        table.steps[table.steps.index(table.ended)] = table.ended._replace(result=result)
    return result


MAX_LINE = 200_000
"""The maximum length of a line in bytes, far more than press needs."""

MAX_GAME = 4_000_000
"""The maximum size of a game's record in bytes."""

MAX_FILE = 1_000_000_000
"""The maximum size of a file in bytes, after decompression if it is compressed."""

_MAX_BLANK = 10_000  # the largest number of successive blank lines
_GZIP = b"\x1f\x8b"
_NAME = b"[Game "


class Text(NamedTuple):
    """The text of one game, the number of its first line in the file, and any problems with its encoding."""

    line: int
    text: str
    problems: tuple[Problem, ...] = ()


def read_file(path: Path) -> Iterator[RecordReading]:
    """Yield the games in a file one by one, each read as by `read_record`.

    Raises RecordError if the file is damaged or cannot contain game records, OSError if it cannot be read.
    """
    with path.open("rb") as file:
        yield from read_games(file)


def read_games(file: BinaryIO) -> Iterator[RecordReading]:
    """Yield the games in an open file, like `read_file`."""
    for game in texts(file):
        reading = read_record(game.text, game.line)
        yield reading._replace(problems=(*game.problems, *reading.problems))


def texts(file: BinaryIO) -> Iterator[Text]:
    """Yield the text of each game in a file without parsing it. Raises RecordError like `read_file`."""
    game: list[bytes] = []
    begun = size = 0
    named = moved = False  # whether the game has a name, and a line below its headers
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
    """Yield the lines of a file with their numbers. Raises RecordError for lines that cannot be in any record."""
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
        start.detach()  # so that the caller can close the file


def _check_first(line: bytes) -> None:
    if line.lstrip().startswith(b"{"):
        raise RecordError("this is JSON, and game records are read here: `pbem record ID` writes one.")
    if line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\0" in line:
        raise RecordError("it is not UTF-8 text: save the file in that charset.")


_CHECKSUM = re.compile(r"(?<=checksum)[\" :=]{1,4}([0-9a-f]{64})(?![0-9a-f])", re.IGNORECASE)
_CANDIDATES = 5  # how many checksums are tried: press may look like one, and each trial hashes the whole text


def add_checksum(text: str, mark: str) -> str:
    """Return `text` with its checksum inserted after the first `mark`, such as `[Checksum "`. Raises ValueError if
    `text` does not contain `mark`."""
    head, has_mark, tail = text.partition(mark)
    if not has_mark:
        raise ValueError(f"no {mark!r} in the text")
    return f"{head}{mark}{_sum(head + mark + tail)}{tail}"


def intact(text: str) -> bool:
    """Return whether a text still matches the checksum that it contains; False if it contains no checksum."""
    candidates = (checksum.span(1) for _, checksum in zip(range(_CANDIDATES), _CHECKSUM.finditer(text), strict=False))
    return any(text[start:end] == _sum(text[:start] + text[end:]) for start, end in candidates)


def _sum(text: str) -> str:
    return sha256(text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")).hexdigest()
