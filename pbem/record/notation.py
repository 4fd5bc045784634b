"""Game records: the history of a game as text that a person can read and a program can play again.

docs/record.md says what a record looks like, grammar/record.lark how a line of it is read.
Pure: text and values in, text and values out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from pbem import PbemError
from pbem.games import GAMES, find_game
from pbem.games.base import AnyGame, GameError, Result, Seat, seats_of
from pbem.orders import reader
from pbem.record.checksum import intact, seal
from pbem.record.history import Ended, History, Placed, Played, Remark, RolledBack, Step
from pbem.record.lines import MAX_PROBLEMS, Lines, Problem, RecordMove, escaped, quoted, read_moment, unescaped
from pbem.times.moments import stamp

MISSED, NOT_AWAITED = "nmr", "-"
"""What stands in place of orders that were missed, and of a seat's that had nothing to say."""

_OWN = ("Game", "Rules", "League", "Season", "Division", "Round", "Began", "Ended", "Result", "Reason", "Checksum")
_CHECKSUM = re.compile(r"^\[Checksum ", re.M)


class RecordError(PbemError):
    """Something about a record that cannot be."""


class RecordReading(NamedTuple):
    """A game as far as its record is right; `history` is None if not even its beginning is known.

    `name` is what the record calls it, `line` where it begins. `checksum`: whether the text is as it was written; None
    if the record does not say.
    """

    name: str
    line: int
    history: History | None
    problems: tuple[Problem, ...]
    checksum: bool | None


# Writing


def write_record(history: History) -> str:
    """The record of a game, with its checksum; what is in the history is in the record, press too."""
    lines = [f'[{name} "{escaped(line, chr(34))}"]' for name, line in _headers(history)]
    lines += ['[Checksum ""]', "", *(_line(history, step) for step in history.steps)]
    return seal("\n".join(lines).rstrip("\n") + "\n", '\n[Checksum "')


def check_checksum(text: str) -> bool | None:
    """Whether the record of one game has the checksum that it says; None if it says none.

    Line ends may be LF or CRLF, and blank lines at the end do not count: every other character does.
    """
    text = _checksummed(text)
    return intact(text) if _CHECKSUM.search(text) else None


def position_hash(game: AnyGame, state: Any) -> str:
    """What a record says of the position that a turn leads to: the beginning of the SHA-256 of its line."""
    return sha256(game.position(state).encode()).hexdigest()[:8]


def result_word(history: History) -> str:
    """How a game ended, as the header Result says it: a seat, `draw`, `annulled`, or `*` while it goes on."""
    if history.annulled:
        return "annulled"
    return (history.result.winner or "draw") if history.result else "*"


def _headers(history: History) -> Iterator[tuple[str, str]]:
    """Names and values in order; a value of the game's own that has several lines is a header for each of them."""
    game, result = history.game, history.result
    ending = next((step.result for step in history.steps[::-1] if isinstance(step, Ended)), result)
    yield "Game", history.name
    yield "Rules", f"{game.name} {history.rules}"
    for name, value in game.headers(history.start, history.options).items():
        yield from ((name, line) for line in value.split("\n"))
    yield from ((seat.capitalize(), name) for seat, name in history.players.items())
    others: Mapping[str, object] = {
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
            move = f"{step.turn}. " + " | ".join(step.orders.get(seat) or missed[seat] for seat in history.seats)
            move += f" #{position_hash(game, step.after)}"
        case Placed():
            move, text = f"position {game.position(step.state)}", step.reason
        case RolledBack():
            move, text = f"rollback {step.turn}", step.reason
        case Ended(result, annulled):
            word = "forfeit" if result.forfeit else "award"
            move, text = "annul" if annulled else f"{word} {result.winner or 'draw'}", result.reason
        case Remark():
            move, text = f"press {step.seat}" if step.seat else "", step.text
    words = f"{{{escaped(text, '{}')}}}" if text or isinstance(step, Remark) else ""
    return " ".join(filter(None, (move, f"@{stamp(step.at)}" if step.at else "", words)))


def _checksummed(text: str) -> str:
    """A record as its checksum sees it: lines end with LF, no blank ones at the end, no mark of its charset."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n") + "\n"


# Reading


class _Wrong(RecordError):  # noqa: N818 - what it is
    """A move that cannot be made; the reader of the record names its line."""


def read_record(text: str, first_line: int = 1) -> RecordReading:
    """The game that the record of one game tells, played anew as far as it is right. Never raises.

    `first_line` is where in its file the text begins.
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
    """The headers of a record by name; several of the same name are the lines of one value."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self.found: dict[str, list[tuple[int, str]]] = {}
        for line, (name, value) in lines.headers:
            self.found.setdefault(name, []).append((line, value))
        self.check_single(_OWN)

    def line(self, name: str) -> int:
        """Where a header stands; the first line of the record if it is not there."""
        return self.found[name][0][0] if name in self.found else self._lines.first

    def text(self, name: str) -> str | None:
        """What a header says."""
        values = [value for _, value in self.found.get(name, ())]
        return "\n".join(values[:1] if name in _OWN else values) if values else None

    def number(self, name: str) -> int | None:
        """A header that is a number."""
        text = self.text(name)
        if text is None or re.fullmatch("[0-9]{1,9}", text):
            return int(text) if text else None
        self._lines.problem(self.line(name), f"{name} is a number, not {quoted(text)}.")
        return None

    def moment(self, name: str) -> datetime | None:
        """A header that is a moment."""
        text = self.text(name)
        if text is None:
            return None
        found = read_moment(text)
        if found is None:
            self._lines.problem(self.line(name), f"{name} is a moment such as 2026-11-25T15:58:00Z.")
        return found

    def others(self) -> dict[str, str]:
        """What is the game's own to understand."""
        return {name: self.text(name) or "" for name in self.found if name not in _OWN}

    def check_single(self, names: Iterable[str]) -> None:
        """Name headers that have no business to be there twice."""
        for name in names:
            if len(self.found.get(name, ())) > 1:
                self._lines.problem(self.found[name][1][0], f"the header {name} is there twice.")

    def check_names(self, known: Sequence[str]) -> None:
        """Name headers that are nearly one that we know; whatever else somebody adds is his own."""
        from difflib import get_close_matches

        for name in self.found.keys() - set(known):
            if close := get_close_matches(name, known, n=1, cutoff=0.8):
                self._lines.problem(self.line(name), f"there is no header {name}: {close[0]} is probably meant.")


def _history(lines: Lines, headers: _HeaderReader) -> History | None:
    """The game played anew; None if nobody can know how it began."""
    name, _, version = (headers.text("Rules") or GAMES[0].name).partition(" ")
    if name not in {game.name for game in GAMES}:
        lines.problem(headers.line("Rules"), f"there is no game {quoted(name)} here.")
        return None
    game = find_game(name)
    try:
        start, options = game.from_headers(headers.others())
    except GameError as error:
        lines.problem(headers.line("Board"), " ".join(str(error).split("\n")))
        return None
    sides = {seat: seat.capitalize() for seat in seats_of(game, options)}
    headers.check_single(sides.values())
    headers.check_names([*_OWN, *sides.values(), *game.headers(start, options)])
    table = _Replay(game, start, tuple(sides), any_turn="Position" in headers.found)
    table.play(lines)
    result = _result(lines, headers, table)
    return History(
        name=headers.text("Game") or "",
        game=game,
        options=options,
        rules=version or game.rules_version,
        players={seat: headers.text(side) or "" for seat, side in sides.items()},
        start=start,
        state=table.state,
        steps=table.told(version or game.rules_version),
        result=None if table.annulled else result,
        annulled=table.annulled,
        league=headers.text("League") or "",
        season=headers.number("Season"),
        division=headers.number("Division"),
        round=headers.number("Round"),
        began=headers.moment("Began"),
        ended=headers.moment("Ended"),
    )


def _result(lines: Lines, headers: _HeaderReader, table: "_Replay") -> Result | None:
    """How the game ended, if it has; the header Result has to say the same, and Reason says why."""
    result = table.ended.result if table.ended else table.game.result(table.state)
    said = headers.text("Result")
    found = "annulled" if table.annulled else (result.winner or "draw") if result else "*"
    if said is not None and said != found and not table.stopped:
        hint = f"; if it was awarded, end with `award {said}`" if found == "*" and said in table.words else ""
        lines.problem(
            headers.line("Result"), f'the result is said to be {quoted(said)}, but the moves lead to "{found}"{hint}.'
        )
    why = headers.text("Reason")
    if result and why and why != result.reason:
        result = Result(result.winner, why, result.forfeit)
    if table.ended and result:
        table.steps[table.steps.index(table.ended)] = table.ended._replace(result=result)
    return result


class _Replay:
    """A game played again: the moves of its record are made one after the other."""

    def __init__(self, game: AnyGame, start: Any, seats: Sequence[Seat], *, any_turn: bool) -> None:
        self.game, self.state, self.seats = game, start, seats
        self.turn = 0 if any_turn else 1  # that comes next; 0: the record says
        self.steps: list[Step] = []
        self.ended: Ended | None = None
        self.stopped = False  # by a line that cannot be read or a move that cannot be made
        self._began = {1: start}
        self._counting: list[tuple[int, Played]] = []  # the turns that are not undone, with their places in the steps

    @property
    def words(self) -> tuple[str, ...]:
        """Who can be awarded the game."""
        return (*self.seats, "draw")

    @property
    def annulled(self) -> bool:
        """Whether the game counts for nothing."""
        return self.ended is not None and self.ended.annulled

    def play(self, lines: Lines) -> None:
        """Make all moves up to the first that cannot be made."""
        for line, move in lines.moves:
            if move is None:
                self.stopped = True
                return
            try:
                self._make(move)
            except PbemError as error:
                lines.problem(line, str(error))
                self.stopped = True
                return

    def told(self, rules: str) -> tuple[Step, ...]:
        """What happened, with the version of the rules."""
        return tuple(step._replace(rules=rules) if isinstance(step, Played) else step for step in self.steps)

    def _make(self, move: RecordMove) -> None:
        at, text = self._at(move), unescaped(move.text[1:-1]) if move.text else ""
        match move.kind:
            case "turn":
                self._play_turn(move, at)
                if text:
                    self.steps.append(Remark(None, text))
            case "comment":
                self.steps.append(Remark(None, text, at))
            case "press":
                self.steps.append(Remark(self._seat(move.words[0]), text, at))
            case "position":
                self._check_open()
                self.state = self.game.placed(self.state, move.words[0].strip())
                self.steps.append(Placed(self.turn or 1, self.state, at, text))
            case "rollback":
                self._roll_back(int(move.words[0]), at, text)
            case _:
                self._end(move, at, text)

    def _at(self, move: RecordMove) -> datetime | None:
        if move.at is None:
            return None
        found = read_moment(move.at[1:])
        if found is None:
            raise _Wrong(f"there is no moment {quoted(move.at[1:])}.")
        return found

    def _seat(self, word: str) -> Seat:
        if word not in self.seats:
            raise _Wrong(f"there is no side {quoted(word)}, only {' and '.join(self.seats)}.")
        return str(word)

    def _check_open(self) -> None:
        if self.ended or self.game.result(self.state):
            raise _Wrong("the game was over before this move.")

    def _play_turn(self, move: RecordMove, at: datetime | None) -> None:
        turn, texts, game = int(move.words[0][:-1]), move.words[1:], self.game
        self._check_open()
        if turn != (self.turn or turn):
            raise _Wrong(f"turn {self.turn} is to be played here, not turn {turn}.")
        if len(texts) != len(self.seats):
            raise _Wrong(f"turn {turn} has {len(texts)} order lists for {len(self.seats)} sides.")
        given = {
            seat: self._orders(turn, seat, text.strip())
            for seat, text in zip(self.seats, texts, strict=True)
            if text.strip().lower() not in (MISSED, NOT_AWAITED)
        }
        before, ruling = self.state, game.resolve(self.state, given)
        found = position_hash(game, ruling.state)
        if move.check and move.check[1:] != found:
            raise _Wrong(
                f"turn {turn} leads to another position here (#{found}) than in the record ({move.check}): "
                f"{game.position(ruling.state)}."
            )
        told = {seat: str(given[seat]) if seat in given else None for seat in self.seats}
        played = Played(turn, before, told, ruling.state, ruling.events, at)
        self._counting.append((len(self.steps), played))
        self.steps.append(played)
        self.state, self.turn = ruling.state, turn + 1
        self._began[turn] = before

    def _orders(self, turn: int, seat: Seat, text: str) -> Any:
        try:
            return reader.parse(self.game, self.state, seat, text)
        except reader.IllegalOrders as error:
            raise _Wrong(f"{seat.capitalize()}'s orders of turn {turn} cannot be carried out. {error}") from None

    def _roll_back(self, turn: int, at: datetime | None, reason: str) -> None:
        if not (turn in self._began and turn < self.turn):
            raise _Wrong(f"turn {turn} was not played before, so the game cannot go back to it.")
        while self._counting and self._counting[-1][1].turn >= turn:
            place, played = self._counting.pop()
            self.steps[place] = played._replace(undone=True)
        self.steps.append(RolledBack(turn, at, reason))
        self.state, self.turn, self.ended = self._began[turn], turn, None

    def _end(self, move: RecordMove, at: datetime | None, reason: str) -> None:
        self._check_open()
        winner = None if move.kind == "annul" or move.words[0] == "draw" else self._seat(move.words[0])
        self.ended = Ended(Result(winner, reason, move.kind == "forfeit"), move.kind == "annul", at)
        self.steps.append(self.ended)
