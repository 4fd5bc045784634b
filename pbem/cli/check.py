"""Checks of letters that arrive as a stream of lines: an interface for other programs (docs/checker.md).

Each line of input is answered with one line of output, in order. Nothing is remembered from one line to the next.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Any, BinaryIO

from pbem.cli.adjudicate import DONE, MAX_TEXT, NOTHING_READ, SOME_ERRORS, LineError, encode, read_json
from pbem.games import find_game
from pbem.games.base import AnyGame, GameError, Seat, seats_of
from pbem.games.capabilities import Adjudicable, AdjudicatesSetUp, ParsesPositions
from pbem.games.chance import SECRET, SecretChance
from pbem.mail.phrases import below, marked, without_lines
from pbem.mail.plaintext import normalise
from pbem.mail.quotes import left_away, own_words, worth_telling
from pbem.orders.command import LetterText
from pbem.orders.lookups import take_lookups
from pbem.orders.reader import LineMistake, Reading, may_be_order, read_orders, read_words
from pbem.orders.situation import AnyStandpoint, Standpoint
from pbem.typed import Reader, Right, keys_of, quote


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A line of input: a letter from a seat in a game. At most one of `position`, `state` and `new` gives the state of
    the game; by default, the game has just been set up."""

    id: Any = None
    game: str
    options: Mapping[str, Any] | None = None
    board: str | None = None
    seat: str
    text: Annotated[str, Right(lambda text: len(text) <= MAX_TEXT, f"a letter of at most {MAX_TEXT} characters")]
    answers: str | None = None
    position: str | None = None
    state: dict[str, Any] | None = None
    new: Mapping[str, Any] | None = None


_NOTHING = LetterText()
KEYS = keys_of(Question)
_MAY_BE_QUOTED = re.compile(r"^[^\S\n]*(?:[>|]|--|__)", re.M)
_TRIES = 64  # the number of set-ups that are tried to find one in which a seat begins


def run(lines: Iterable[bytes], out: BinaryIO) -> int:
    """Write an answer to each of `lines`, as a line of JSON, to `out`; return the exit status.

    Exit status 0: every letter has valid orders. 1: some letters have no orders, or orders with mistakes. 2: there were
    lines, but none of them could be read.
    """
    total = wrong = unreadable = 0
    for line in lines:
        total += 1
        answer = check_line(line)
        wrong += answer.get("orders") is None
        unreadable += "input" in answer.get("errors", ())
        out.write(f"{encode(answer)}\n".encode())
        out.flush()  # so that a program that writes one line and waits gets its answer
    if total and unreadable == total:
        return NOTHING_READ
    return SOME_ERRORS if wrong else DONE


def read_letter(
    question: Mapping[str, Any], aside: tuple[str, ...] = (), halves: tuple[str, ...] = (), subject: str = ""
) -> dict[str, Any]:
    """Check a letter for a caller within this program, and return the reading as plain data. Raises LineError.

    `question` has no `id`. `aside` lists lines of the letter that have been set aside already, and `halves` lines that
    appear in only one of its two forms, text and HTML. `subject` is the subject of the letter.
    """
    read = _question(question)
    besides = LetterText(aside=aside, halves=halves, subject=subject)
    return reading_as_json(_read(_standpoint(_game(read), read), read, besides))


def check_line(line: str | bytes) -> dict[str, Any]:
    """Return the answer to `line` as plain data: how its letter is read, or what is wrong with the line."""
    echo = None
    try:
        line_read = read_json(line)
        echo = line_read.get("id")
        question = _question(line_read)
        return {"id": echo, **reading_as_json(_read(_standpoint(_game(question), question), question))}
    except LineError as error:
        return error.as_json()
    except RecursionError:
        return LineError({"input": ["The line cannot be read: it is nested too deeply."]}, echo).as_json()


def _question(line: Mapping[str, Any]) -> Question:
    """Return the question that `line` asks. Raises LineError if the question cannot be read."""
    reader = Reader()
    question = reader.read(Question, dict(line))
    if sum(place is not None for place in (question.position, question.state, question.new)) > 1:
        reader.problem((), 'say where the game stands once: by "position", "state" or "new".')
    if reader.problems:
        raise LineError({"input": reader.problems}, line.get("id"))
    return question


def _game(question: Question) -> AnyGame:
    """Return the game that `question` is about. Raises LineError if there is no such game."""
    try:
        return find_game(question.game)
    except GameError as error:
        raise LineError({"input": list(error.problems)}, question.id) from None


def _standpoint(game: AnyGame, question: Question) -> AnyStandpoint:
    """Return the standpoint of the letter's writer: the state of the game and the writer's seat. Raises LineError, for
    example for an unknown seat."""
    echo, seat = question.id, question.seat
    options = {**(question.options or {}), **(question.new or {})}
    if question.board is not None:
        options["board"] = question.board
    try:
        if (data := question.state) is not None:
            state, seats = _adjudicable(game).read_question(
                {"state": data} if isinstance(game, AdjudicatesSetUp) else options | data
            )
        else:
            where = question.position, question.new is None
            state, seats = _begun(game, json.dumps(options), seat, *where)
    except GameError as error:
        at = "input" if question.state is None and question.position is None else "position"
        raise LineError({at: list(error.problems)}, echo) from None
    if seat not in seats:
        raise LineError({"input": [f"{game.title} has no seat {quote(seat)}; there are {', '.join(seats)}."]}, echo)
    return Standpoint(game, state, seat)


@lru_cache(maxsize=1024)
def _begun(
    game: AnyGame, written: str, seat: Seat, position: str | None, whoever: bool
) -> tuple[Any, tuple[Seat, ...]]:
    """Return the state of a question's game, and the seats of the game.

    The state is `position` or, if that is None, a new set-up. `written` has the options of the game as JSON. `whoever`
    is true if the question has no `new`. In that case, the new set-up is one in which `seat` is among the first to
    move, if such a set-up is found.
    """
    options = json.loads(written)
    if not whoever and isinstance(game, AdjudicatesSetUp) and (set_up := _as_adjudicated(game, options)):
        return set_up
    if position is not None and isinstance(game, ParsesPositions):
        return game.parse_position(options, position), seats_of(game, options)
    seats = seats_of(game, options)
    state = game.new(options, SecretChance(bytes(SECRET)))
    if position is not None:
        return game.placed(state, position), seats
    if whoever and seat in seats:
        others = (game.new(options, SecretChance(bytes([number] * SECRET))) for number in range(1, _TRIES))
        while seat not in game.awaiting(state) and (another := next(others, None)) is not None:
            state = another
    return state, seats


def _as_adjudicated(game: AdjudicatesSetUp[Any], options: Mapping[str, Any]) -> tuple[Any, tuple[Seat, ...]] | None:
    """Return the first state and the seats of a match that is set up as by `pbem adjudicate --json`; None if that
    command rejects `options`."""
    try:
        ruling, seats = game.adjudicate_set_up(options, SecretChance(bytes(SECRET)))
    except GameError:
        return None
    return ruling.state, seats


@cache
def _adjudicable(game: AnyGame) -> Adjudicable[Any]:
    if not isinstance(game, Adjudicable):
        raise GameError(f"{game.title} has no states that other programs can write.")
    return game


def _read(standpoint: AnyStandpoint, question: Question, besides: LetterText = _NOTHING) -> Reading:
    """Read the letter in `question`. `besides` contains further facts about that letter, such as its subject.

    A text that consists of nothing but orders contains no quotations, so nothing is cut from it.
    """
    text, answers = question.text, question.answers or ""
    if besides == _NOTHING and not (answers or "\n" in text or _MAY_BE_QUOTED.search(text)):
        items = standpoint.game.items(text)  # orders in the form in which many programs write them
        if items is not None and not (meant := standpoint.interpret(items)).mistakes:
            return Reading(meant.orders, standing=meant.standing)
    own, left_out = _own_words(text, answers)
    aside = (*besides.aside, *left_out)
    words = read_words(own, at=standpoint)._replace(aside=aside, worth_telling=worth_telling(aside))
    words = words._replace(halves=besides.halves, subject=besides.subject)
    return read_orders(standpoint, take_lookups(standpoint, words))


def _own_words(text: str, answers: str) -> tuple[str, tuple[str, ...]]:
    """Return the writer's own words in `text`, without quotations, and the lines that were left out. `answers` is the
    text of the letter that the writer answered, or ""."""
    lines = marked(normalise(text), answers) if answers else normalise(text)
    own = own_words(lines, may_be_order)
    if answers:
        own = without_lines(own, answers) or own_words(below(lines, answers), may_be_order)
    return own, left_away(lines, own, answers)


def reading_as_json(reading: Reading) -> dict[str, Any]:
    """Return `reading` as plain data, in the form of an answer without `id`."""
    orders = [] if reading.orders is None else [str(reading.orders)]
    # A game may list standing orders among the orders, too.
    standing = [line for line in reading.standing if line not in "".join(orders).split("; ")]
    return {
        "orders": None if reading.mistakes else "; ".join((*standing, *orders)) or None,
        "proposal": reading.proposal,
        "mistakes": [_mistake(mistake) for mistake in reading.mistakes],
        "remarks": list(reading.remarks),
        "commands": [f"{command.word} {command.argument}".strip() for command in reading.commands],
        "open": {
            "doubts": [{"text": doubt.text, "why": doubt.turn} for doubt in reading.doubts],
            "readings": list(reading.readings),
            "left_out": list(reading.left_out),
            "perhaps": list(reading.perhaps),
            "adds": reading.adds,
        },
    }


def _mistake(mistake: LineMistake) -> dict[str, Any]:
    """Return `mistake` as plain data: its place in the writer's own text, with lines counted from 1 and columns from 0,
    and a sentence about what would be right."""
    return {
        "line": mistake.line,
        "column": mistake.column,
        "width": mistake.width,
        "text": mistake.text,
        "item": mistake.item,
        "sentence": mistake.sentence,
    }
