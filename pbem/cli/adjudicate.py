"""Adjudication of turns from a stream of lines: an interface for other programs (docs/games/ozymandia-events.md).

Each line of input is answered in order. Nothing is remembered from one line to the next.
"""

import json
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any, BinaryIO, Literal, NamedTuple, NoReturn, TypeVar

from pbem import PbemError
from pbem.games import DEFAULT, find_game
from pbem.games.base import OPEN, AnyGame, GameError, Reader, Ruling, Seat
from pbem.games.capabilities import Adjudicable, AdjudicatesSetUp, QuestionError
from pbem.games.chance import NO_CHANCE, SECRET, Chance, ChanceError, GivenChance, SecretChance
from pbem.orders import reader
from pbem.orders.situation import Standpoint

DONE, SOME_ERRORS, NOTHING_READ = 0, 1, 2  # exit statuses
WIDTH = 72
_SEED = re.compile(r"[0-9a-fA-F]{64}")
_OF_A_NEW_MATCH = {"id", "new", "orders", "chance", "seed", "deck_seed", "as"}
_Played = TypeVar("_Played")
MAX_TEXT = 10_000  # the largest number of characters in one side's orders; far more than any turn needs


class LineError(PbemError):
    """Raised for a line that cannot be adjudicated. `errors` maps the place of each fault to sentences about it.

    The places are `input` (the line cannot be read as a question), `position` (the position is impossible), a seat (its
    orders are wrong), and `chance` (there are too few or too many values for dice and cards, or impossible ones).
    """

    def __init__(self, errors: Mapping[str, list[str]], echo: Any = None) -> None:
        super().__init__("; ".join(sentence for sentences in errors.values() for sentence in sentences))
        self.errors = dict(errors)
        self.id = echo

    def as_json(self) -> dict[str, Any]:
        """Return the answer to the faulty line as plain data."""
        return {"id": self.id, "errors": self.errors}


class TurnRequest(NamedTuple):
    """A turn that a line of input asked for, and the ruling that adjudicates it. If the game was already over in the
    state `before`, `orders` is empty, and the ruling leaves that state unchanged."""

    id: Any
    seats: tuple[Seat, ...]
    before: Any
    orders: Mapping[Seat, Any]
    ruling: Ruling[Any]
    reader: Reader | Literal["all"] = "all"  # whose view the answer shows


def run(lines: Iterable[bytes], out: BinaryIO, *, as_json: bool, game_name: str = DEFAULT) -> int:
    """Write an answer to each of `lines` to `out`; return the exit status.

    An answer is a line of JSON or, without `as_json`, a report and a map. Exit status 0: every line was adjudicated. 1:
    some lines had errors. 2: there were lines, but none of them could be read.
    """
    game = find_game(game_name)
    total = refused = unreadable = 0
    for line in lines:
        total += 1
        try:
            turn = play_line(line, game)
            answer = encode(_as_json(game, turn)) if as_json else _as_text(game, turn)
        except LineError as error:
            refused += 1
            unreadable += "input" in error.errors
            answer = encode(error.as_json()) if as_json else _errors_as_text(error, total)
        out.write(f"{answer}\n".encode())
        out.flush()  # so that a program that writes one line and waits gets its answer
    if total and unreadable == total:
        return NOTHING_READ
    return SOME_ERRORS if refused else DONE


def adjudicate_line(line: str | bytes, game_name: str = DEFAULT) -> dict[str, Any]:
    """Return the answer to `line` as plain data: the turn that was played, or the errors in `line`."""
    game = find_game(game_name)
    try:
        return _as_json(game, play_line(line, game))
    except LineError as error:
        return error.as_json()


def play_line(line: str | bytes, game: AnyGame) -> TurnRequest:
    """Play the turn that `line` asks for. Raises LineError, which lists the errors that were found."""
    try:
        question = read_json(line)
        if "new" in question and isinstance(game, AdjudicatesSetUp):
            return _begin(game, game, question)
        state, seats = _read_state(game, question)
        reader = _read_reader(game, question, seats)
        if game.result(state):
            return TurnRequest(question.get("id"), seats, state, {}, Ruling(state, ()), reader)
        orders = _read_orders(game, question, state, seats)
    except RecursionError:
        raise LineError({"input": ["The line cannot be read: it is nested too deeply."]}) from None
    ruling = _with_chance(game, question, lambda chance: game.resolve(state, orders, chance))
    return TurnRequest(question.get("id"), seats, state, orders, ruling, reader)


def _begin(game: AnyGame, starter: AdjudicatesSetUp[Any], question: Mapping[str, Any]) -> TurnRequest:
    """Set up the new match that `question` asks for. `starter` is `game` itself, passed again under the type that
    declares `adjudicate_set_up`. Raises LineError."""
    echo, options = question.get("id"), question["new"]
    if "state" in question or not isinstance(options, dict):
        raise LineError({"input": ['A question has a position, or else the options of a "new" match.']}, echo)
    if unknown := sorted(question.keys() - _OF_A_NEW_MATCH):
        raise LineError({"input": [f"A question for a new match has no {', '.join(map(repr, unknown))}."]}, echo)
    try:
        ruling, seats = _with_chance(game, question, lambda chance: starter.adjudicate_set_up(options, chance))
    except GameError as error:
        raise LineError({"input": list(error.problems)}, echo) from None
    _texts(question, seats)  # no seat can give orders yet, but every key must be a seat
    return TurnRequest(echo, seats, ruling.state, {}, ruling, _read_reader(game, question, seats))


def _with_chance(game: AnyGame, question: Mapping[str, Any], play: Callable[[Chance], _Played]) -> _Played:
    """Call `play` with the source of chance in `question`, and return the result. Raises LineError if that source is
    invalid, or has too few or too many values; any other error that `play` raises takes precedence."""
    fault: ChanceError | None = None
    chance = NO_CHANCE
    try:
        try:
            chance = _read_chance(question) if game.chance else NO_CHANCE
        except ChanceError as error:
            fault = error  # reported only if nothing else is wrong
        played = play(chance)
        if fault:
            raise fault
        if isinstance(chance, GivenChance):
            chance.finish()
    except ChanceError as error:
        error = fault or error
        raise LineError({"chance": list(error.problems)}, question.get("id")) from None
    return played


def _read_chance(question: Mapping[str, Any]) -> Chance:
    """Return the source of chance that `question` gives: a list of values, or a seed, which is 64 zeros by default.
    Raises ChanceError."""
    values, seeds = question.get("chance"), [question.get(key) for key in ("seed", "deck_seed")]
    if values is not None:
        if not isinstance(values, list) or any(seed is not None for seed in seeds):
            raise ChanceError('Chance is a list of values, or else a "seed" and perhaps a "deck_seed".')
        return GivenChance(values)
    if not all(seed is None or (isinstance(seed, str) and _SEED.fullmatch(seed)) for seed in seeds):
        raise ChanceError("A seed has 64 hexadecimal digits.")
    seed, deck = (None if seed is None else bytes.fromhex(seed) for seed in seeds)
    return SecretChance(seed or bytes(SECRET), deck)


def _read_reader(game: AnyGame, question: Mapping[str, Any], seats: tuple[Seat, ...]) -> Reader | Literal["all"]:
    """Return the reader for whom the answer to `question` is intended: a seat, None for the public, or "all" for a
    reader who sees everything. Raises LineError."""
    reader = question.get("as") if game.hides else None
    if reader is None:
        return "all"
    if reader not in (*seats, "public"):
        names = ", ".join(f'"{seat}"' for seat in seats)
        raise LineError({"input": [f'"as" is one of {names} or "public".']}, question.get("id"))
    return None if reader == "public" else str(reader)


def read_json(line: str | bytes) -> dict[str, Any]:
    """Parse the JSON object in `line`, and make sure that its id can be written as JSON. Raises LineError."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        question = _decode(text.removeprefix("\ufeff"))
        if isinstance(question, dict):
            if not isinstance(question.get("id"), str | int):
                encode({"id": question.get("id")})
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
encode = json.JSONEncoder(allow_nan=False, check_circular=False).encode  # answers are never circular


def _read_state(game: AnyGame, question: Mapping[str, Any]) -> tuple[Any, tuple[Seat, ...]]:
    """Return the state in `question`, and the seats of its game. Raises LineError."""
    adjudicable = _adjudicable(game)
    try:
        return adjudicable.read_question(question)
    except QuestionError as error:
        raise LineError({"input": list(error.problems)}, question.get("id")) from None
    except GameError as error:
        raise LineError({"position": list(error.problems)}, question.get("id")) from None


@cache
def _adjudicable(game: AnyGame) -> Adjudicable[Any]:
    if not isinstance(game, Adjudicable):
        raise GameError(f"{game.title} has no turns that other programs can ask for.")
    return game


def _read_orders(game: AnyGame, question: Mapping[str, Any], state: Any, seats: tuple[Seat, ...]) -> dict[Seat, Any]:
    """Return the orders in `question`, keyed by seat. A seat whose orders are absent or null misses the turn; an empty
    text is an error. Raises LineError."""
    texts, echo = _texts(question, seats), question.get("id")
    orders: dict[Seat, Any] = {}
    errors: dict[str, list[str]] = {}
    accepted = _adjudicable(game).accepts_orders_from(state)
    for seat in seats:
        text = texts.get(seat) if accepted is None or seat in accepted else None
        if text is None:
            continue
        if not isinstance(text, str):
            errors[seat] = [f"Orders are a text or null, not {json.dumps(text)[:40]}."]
            continue
        if len(text) > MAX_TEXT:
            errors[seat] = [f"Orders of more than {MAX_TEXT} characters are not read."]
            continue
        try:
            parsed = reader.parse_played(Standpoint(game, state, seat), text)
        except reader.IllegalOrders as error:
            errors[seat] = [str(mistake) for mistake in error.mistakes]
            continue
        if parsed is not None:
            orders[seat] = parsed
    if errors:
        raise LineError(errors, echo)
    return orders


def _texts(question: Mapping[str, Any], seats: tuple[Seat, ...]) -> Mapping[Seat, Any]:
    """Return the texts of the orders in `question`, keyed by seat. Raises LineError if any key is not in `seats`."""
    texts = question.get("orders")
    if texts is None:
        return {}
    if not isinstance(texts, dict) or not texts.keys() <= set(seats):
        names = " and ".join(f'"{seat}"' for seat in seats)
        raise LineError({"input": [f'"orders" has the texts of {names}, and nothing else.']}, question.get("id"))
    return texts


def _as_json(game: AnyGame, turn: TurnRequest) -> dict[str, Any]:
    after, events = turn.ruling.state, turn.ruling.events
    result, answer = game.result(after), {**_adjudicable(game).answered(after)}
    if turn.reader != "all":
        answer = {key: value for key, value in answer.items() if key != "state"}
        answer["view"] = game.show(game.view(after, turn.reader))
        events = game.redact_events(events, turn.reader)
    answer["winner"] = (result.winner or "draw") if result else None
    if result and result.ranking:
        answer["ranking"] = result.ranking
    return {"id": turn.id, **answer, "events": events}


def _as_text(game: AnyGame, turn: TurnRequest) -> str:
    """Return the report of `turn` as players receive it, in lines of at most 72 columns."""
    before, after = turn.before, turn.ruling.state
    events, seen, since = game.redact_events(turn.ruling.events, OPEN), game.view(after, OPEN), game.view(before, OPEN)
    rows = [(game.called[seat], str(turn.orders.get(seat, "no orders"))) for seat in turn.seats]
    above, below = _adjudicable(game).titles(before, after)
    lines = [above]
    if after is not before:
        lines += ["", *_rows(rows), ""]
        for heading, text, dice in game.story(since, events):
            lines += _rows([(heading, text)])
            lines += [line for die in dice for line in _wrapped(f"{'':<22}- {die}", 24)]
    lines += ["", below, ""]
    lines += ["".join(span.text for span in line).rstrip() for line in game.picture(seen, since)]
    lines += ["", *game.summary(seen)]
    if result := game.result(after):
        verdict = f"{game.called[result.winner]} has won." if result.winner else "The game is a draw."
        lines.append(f"{verdict} {result.reason}")
    return "\n".join(lines) + "\n"


def _rows(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of a table with two columns; text in the second column is wrapped."""
    for heading, text in pairs:
        yield from _wrapped(f"  {heading:<18}  {text}", 22)


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)


def _errors_as_text(error: LineError, number: int) -> str:
    lines = [f"Line {number} was not adjudicated."]
    for where, sentences in error.errors.items():
        for sentence in sentences:
            lines += textwrap.wrap(f"{where}: {sentence}", WIDTH, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"
