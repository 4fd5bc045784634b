"""Turns played from a stream of lines: what other programs rely on (docs/games/ozymandia-events.md).

Every line is answered by one line, in order, and nothing is remembered from one line to the next.
"""

import json
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, BinaryIO, NamedTuple, NoReturn

from pbem import PbemError
from pbem.games import DEFAULT, find_game
from pbem.games.base import AnyGame, GameError, Ruling, Seat
from pbem.games.chance import NO_CHANCE
from pbem.games.extras import Adjudicable
from pbem.orders import reader

DONE, SOME_ERRORS, NOTHING_READ = 0, 1, 2  # exit statuses
WIDTH = 72
MAX_TEXT = 10_000  # characters of one side's orders; far more than any turn needs


class LineError(PbemError):
    """A line that cannot be adjudicated; `errors` has sentences by where the fault is.

    `input`: the line is no question. `position`: it cannot be. A seat: its orders are wrong.
    """

    def __init__(self, errors: Mapping[str, list[str]], echo: Any = None) -> None:
        super().__init__("; ".join(sentence for sentences in errors.values() for sentence in sentences))
        self.errors = dict(errors)
        self.id = echo

    def as_json(self) -> dict[str, Any]:
        """The answer to the line."""
        return {"id": self.id, "errors": self.errors}


class TurnRequest(NamedTuple):
    """A line adjudicated. A position already won or drawn has no orders, and its ruling leaves it as it is."""

    id: Any
    seats: tuple[Seat, ...]
    before: Any
    orders: Mapping[Seat, Any]
    ruling: Ruling[Any]


def run(lines: Iterable[bytes], out: BinaryIO, *, as_json: bool, game_name: str = DEFAULT) -> int:
    """Answer each line with a line of JSON, or else with report and map. Returns the exit status.

    0: every line was adjudicated. 1: some had errors. 2: there were lines, and none could be read.
    """
    game = find_game(game_name)
    total = refused = unreadable = 0
    for line in lines:
        total += 1
        try:
            turn = play_line(line, game)
            answer = _encode(_as_json(game, turn)) if as_json else _as_text(game, turn)
        except LineError as error:
            refused += 1
            unreadable += "input" in error.errors
            answer = _encode(error.as_json()) if as_json else _errors_as_text(error, total)
        out.write(f"{answer}\n".encode())
        out.flush()  # whoever writes a line and waits gets an answer
    if total and unreadable == total:
        return NOTHING_READ
    return SOME_ERRORS if refused else DONE


def adjudicate_line(line: str | bytes, game_name: str = DEFAULT) -> dict[str, Any]:
    """The answer to one line as plain data: the turn played, or its errors."""
    game = find_game(game_name)
    try:
        return _as_json(game, play_line(line, game))
    except LineError as error:
        return error.as_json()


def play_line(line: str | bytes, game: AnyGame) -> TurnRequest:
    """Play the turn that a line asks for. Raises LineError with every error in it."""
    try:
        question = _read_json(line)
        state, seats = _read_state(game, question)
        if game.result(state):
            return TurnRequest(question.get("id"), seats, state, {}, Ruling(state, ()))
        orders = _read_orders(game, question, state, seats)
    except RecursionError:
        raise LineError({"input": ["The line cannot be read: it is nested too deeply."]}) from None
    return TurnRequest(question.get("id"), seats, state, orders, game.resolve(state, orders, NO_CHANCE))


def _read_json(line: str | bytes) -> dict[str, Any]:
    """The object that a line holds; its id can be written as JSON again."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        question = _decode(text.removeprefix("\ufeff"))
        if isinstance(question, dict):
            if not isinstance(question.get("id"), str | int):
                _encode({"id": question.get("id")})
            return question
        fault = "it is JSON, but not an object"
    except UnicodeDecodeError:
        fault = "it is not UTF-8"
    except json.JSONDecodeError as error:
        fault = f"it is not JSON ({error})"
    except ValueError:
        fault = "it holds a number that is none in JSON, or one of thousands of digits"
    raise LineError({"input": [f"The line cannot be read: {fault}."]})


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


_decode = json.JSONDecoder(parse_constant=_no_number).decode
_encode = json.JSONEncoder(allow_nan=False, check_circular=False).encode  # what is written is never circular


def _read_state(game: AnyGame, question: Mapping[str, Any]) -> tuple[Any, tuple[Seat, ...]]:
    """The state that is asked about, and its seats."""
    adjudicable = _adjudicable(game)
    try:
        return adjudicable.asked(question)
    except GameError as error:
        raise LineError({"position": list(error.problems)}, question.get("id")) from None


@cache
def _adjudicable(game: AnyGame) -> Adjudicable[Any]:
    if not isinstance(game, Adjudicable):
        raise GameError(f"{game.title} has no turns that other programs can ask for.")
    return game


def _read_orders(game: AnyGame, question: Mapping[str, Any], state: Any, seats: tuple[Seat, ...]) -> dict[Seat, Any]:
    """The orders of the seats that sent some; absent or null is a missed turn (J7), an empty text is an error."""
    texts = question.get("orders")
    if texts is None:
        return {}
    echo = question.get("id")
    if not isinstance(texts, dict) or not texts.keys() <= set(seats):
        names = " and ".join(f'"{seat}"' for seat in seats)
        raise LineError({"input": [f'"orders" has the texts of {names}, and nothing else.']}, echo)
    orders: dict[Seat, Any] = {}
    errors: dict[str, list[str]] = {}
    for seat in seats:
        text = texts.get(seat)
        if text is None:
            continue
        if not isinstance(text, str):
            errors[seat] = [f"Orders are a text or null, not {json.dumps(text)[:40]}."]
            continue
        if len(text) > MAX_TEXT:
            errors[seat] = [f"Orders of more than {MAX_TEXT} characters are not read."]
            continue
        try:
            orders[seat] = reader.parse(game, state, seat, text)
        except reader.IllegalOrders as error:
            errors[seat] = [str(mistake) for mistake in error.mistakes]
    if errors:
        raise LineError(errors, echo)
    return orders


def _as_json(game: AnyGame, turn: TurnRequest) -> dict[str, Any]:
    after = turn.ruling.state
    result = game.result(after)
    return {
        "id": turn.id,
        **_adjudicable(game).answered(after),
        "winner": (result.winner or "draw") if result else None,
        "events": turn.ruling.events,
    }


def _as_text(game: AnyGame, turn: TurnRequest) -> str:
    """A report as players get it, in lines of at most 72 columns."""
    before, (after, events) = turn.before, (turn.ruling.state, turn.ruling.events)
    rows = [(game.called[seat], str(turn.orders.get(seat, "no orders"))) for seat in turn.seats]
    above, below = _adjudicable(game).titles(before, after)
    lines = [above]
    if after is not before:
        lines += ["", *_rows(rows), "", *_rows(game.story(before, events))]
    lines += ["", below, ""]
    lines += ["".join(span.text for span in line).rstrip() for line in game.picture(after, before)]
    lines += ["", *game.summary(after)]
    if result := game.result(after):
        verdict = f"{game.called[result.winner]} has won." if result.winner else "The game is a draw."
        lines.append(f"{verdict} {result.reason}")
    return "\n".join(lines) + "\n"


def _rows(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Two columns, the second one wrapped; headings that are too long for the first get a line of their own."""
    for left, right in pairs:
        yield from textwrap.wrap(f"  {left:<18}  {right}", WIDTH, subsequent_indent=" " * 22, break_on_hyphens=False)


def _errors_as_text(error: LineError, number: int) -> str:
    lines = [f"Line {number} was not adjudicated."]
    for where, sentences in error.errors.items():
        for sentence in sentences:
            lines += textwrap.wrap(f"{where}: {sentence}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"
