"""The file of an experiment: its settings, then every game as soon as it is over, one line of JSON each."""

import fcntl
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO, NamedTuple

from pbem.lab.play import Experiment, LabError, PlayedGame
from pbem.typed import Reader, Right


class Results:
    """The finished games of an experiment, keyed by number, and the file to which further games are written."""

    def __init__(self, file: BinaryIO | None = None) -> None:
        self._file = file
        self.games: dict[int, PlayedGame] = {}
        self.took = 0.0
        """The CPU time of all finished games together, in milliseconds."""

    def add(self, outcomes: Iterable[PlayedGame]) -> None:
        """Store games in memory and in the file, except those that are already stored."""
        lines = b"".join(map(_line, self.take(outcomes)))
        if self._file:
            self._file.write(lines)
            self._file.flush()

    def take(self, outcomes: Iterable[PlayedGame]) -> list[PlayedGame]:
        """Store games in memory only; return those that were not stored before."""
        new = []
        for outcome in outcomes:
            if outcome["number"] not in self.games:
                self.games[outcome["number"]] = outcome
                self.took += sum(outcome["took"].values())
                new.append(outcome)
        return new

    def first(self, number: int) -> list[PlayedGame]:
        """Return the first `number` games, in order of their numbers. All of them must have been played."""
        return [self.games[at] for at in range(number)]


@contextmanager
def open_results(path: Path | None, of: Experiment) -> Iterator[Results]:
    """Open the results in the file `path`, or keep them only in memory if `path` is None. An incomplete last line, left
    by a killed run, is cut off, and its game is played again. Raises LabError if the file contains anything other than
    results of this experiment, or if another run is writing to it."""
    if path is None:
        yield Results()
        return
    with path.open("a+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LabError(f"{path}: another run writes to it; wait for that, or name another file.") from None
        file.seek(0)
        head, *lines = file.read().split(b"\n")
        if not lines:
            _begin(file, path, head, of)
        elif _read(head) != {"experiment": of.as_data()}:
            raise LabError(f"{path}: {_difference(_read(head), of)}; name another file.")
        else:
            file.truncate(sum(len(line) + 1 for line in (head, *lines[:-1])))
        results = Results(file)
        results.take(_game(path, number, line) for number, line in enumerate(lines[:-1], start=2))
        yield results


def _begin(file: BinaryIO, path: Path, head: bytes, of: Experiment) -> None:
    line = _line({"experiment": of.as_data()})
    if not line.startswith(head):
        raise LabError(f"{path}: has no results of `pbem lab`; name another file.")
    file.truncate(0)
    file.write(line)
    file.flush()


def _line(data: PlayedGame) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode() + b"\n"


def _read(line: bytes) -> PlayedGame:
    try:
        data = json.loads(line)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


_Number = Annotated[int, Right(lambda number: number >= 0, "a number that is 0 or more")]


class _Outcome(NamedTuple):
    """The contents of a line of the file; see `PlayedGame`."""

    number: _Number
    played: Mapping[str, str]
    winner: str | None
    best: tuple[str, ...]
    rounds: _Number
    turns: _Number
    why: str
    took: Mapping[str, float]
    decisions: Mapping[str, int]
    game: str


def _game(path: Path, number: int, line: bytes) -> PlayedGame:
    data, reader = _read(line), Reader()
    if not data:
        said = f"is no game: {os.fsdecode(line[:40])!r}"
    else:
        outcome = reader.read(_Outcome, data)
        problems = reader.problems or _contradictions(outcome)
        if not problems:
            return data
        said = f"is no game: {problems[0].rstrip('.')}"
    raise LabError(
        f"{path}: line {number} {said}; delete the line, so that its game is played again, or name another file."
    )


def _contradictions(outcome: _Outcome) -> list[str]:
    """Return a sentence for each key of `outcome` that names sides other than those that were played."""
    sides = set(outcome.played)
    others = {"winner": {outcome.winner} if outcome.winner else set(), "best": set(outcome.best)}
    problems = [f"{key}: this is no side that was played" for key, named in others.items() if not named <= sides]
    counts = {"took": set(outcome.took), "decisions": set(outcome.decisions)}
    return problems + [
        f"{key}: these are not the sides that were played" for key, named in counts.items() if named != sides
    ]


def _difference(head: PlayedGame, of: Experiment) -> str:
    """Return a description of how the experiment in `head`, the first line of a file, differs from the experiment
    `of`."""
    settings = head.get("experiment")
    if not isinstance(settings, dict):
        return "has no results of `pbem lab`"
    for key, value in of.as_data().items():
        if settings.get(key) != value and key != "code":
            return f"has results of other settings ({key}: {json.dumps(settings.get(key))}, not {json.dumps(value)})"
    return "has results of another version of the rules or of what is played with"
