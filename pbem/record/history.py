"""The history of a game as an immutable value, from which its record, pages and exports are made; and the replay of
the moves in a record.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from pbem import PbemError
from pbem.games.base import OPEN, AnyGame, Event, Reader, Result, Seat, Side
from pbem.games.capabilities import ROUND, means_round, names_rounds, round_name
from pbem.games.chance import NO_CHANCE, Chance, source_behind, turn_chance
from pbem.orders import reader
from pbem.orders.situation import Standpoint
from pbem.record.lines import Lines, RecordMove, quoted, read_moment, unescaped


class Played(NamedTuple):
    """A turn: the states before and after it, each seat's orders in canonical form (None if the seat missed the turn),
    and the events.

    `moment` is when the turn was played, in UTC; like the moment of any other step, it is None if it was not recorded.
    `undone` is true if the turn was rolled back later. `secret` is the source of the turn's chance, as
    `games.chance.Source` writes it.
    """

    turn: int
    before: Any
    orders: Mapping[Seat, str | None]
    after: Any
    events: tuple[Event, ...]
    moment: datetime | None = None
    rules: str = ""
    undone: bool = False
    secret: str = ""


class Placed(NamedTuple):
    """A position set by the game master; the game goes on from `state`."""

    turn: int
    state: Any
    moment: datetime | None = None
    reason: str = ""


SHUFFLED = "What was drawn of decks since is shuffled into them anew."
"""The reason recorded for a position that the program itself set after a rollback: it reshuffled the decks."""


DEALT = "What was hidden had been told, so it is dealt anew."
"""The reason recorded for the position from which a game continues after its secret was revealed: hidden things were
dealt again."""


class RolledBack(NamedTuple):
    """A rollback to the start of a turn; that turn and all turns played after it no longer count."""

    turn: int
    moment: datetime | None = None
    reason: str = ""


class Resigned(NamedTuple):
    """The resignation of a seat; the other seats continue the game from `state`."""

    seat: Seat
    state: Any
    moment: datetime | None = None


class Ended(NamedTuple):
    """An end that was declared rather than played out: an award, an agreed draw, a resignation or an annulment."""

    result: Result
    annulled: bool = False
    moment: datetime | None = None


class Remark(NamedTuple):
    """Text between the moves: press from a seat or, if `seat` is None, a comment. `to` lists the seats that the press
    is for; if it is empty, the press is for everyone."""

    seat: Seat | None
    text: str
    moment: datetime | None = None
    to: tuple[Seat, ...] = ()


Step = Played | Placed | Resigned | RolledBack | Ended | Remark


@dataclass(frozen=True, slots=True)
class History:
    """A game from its setup to its current position or its end.

    `start` is the state after the setup, `options` are the options of the setup, and `opening` contains the public
    events of the setup. `state` is the latest public state. `players` maps seats to names. A history contains no
    addresses, and no orders that have yet to be revealed. `result` is None for a running or an annulled game.

    `secret` contains the sources of the game's chance, as `games.chance.Source` writes them, oldest first; it is ""
    until the sources are revealed. There are several sources if the game went on after one was revealed; `secret_hash`
    is the hash of the newest source. `clocks` is what people had left in their banks of time when the current turn
    began.
    """

    name: str
    game: AnyGame
    options: Mapping[str, Any]
    rules: str
    players: Mapping[Seat, str]
    start: Any
    state: Any
    steps: tuple[Step, ...] = ()
    result: Result | None = None
    annulled: bool = False
    league: str = ""
    season: int | None = None
    division: int | None = None
    round: int | None = None
    began: datetime | None = None
    ended: datetime | None = None
    secret: str = ""
    secret_hash: str = ""
    opening: tuple[Event, ...] = ()
    clocks: Mapping[Seat, timedelta] = field(default_factory=dict)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, in the game's order."""
        return tuple(self.players)

    def turns(self) -> tuple[Played, ...]:
        """Return the turns that count, in order."""
        return tuple(step for step in self.steps if isinstance(step, Played) and not step.undone)

    @property
    def reader(self) -> Reader:
        """The reader from whose point of view the game is shown. While the game is running, this reader sees no hidden
        information; afterwards, the reader sees everything."""
        return None if self.game.hides and self.phase() == "running" else OPEN

    def chance(self, turn: Played) -> Chance:
        """Return the Chance object with which `turn` was played; it yields the same dice and draws as then. Raises
        ChanceError if the secret of `turn` does not derive from a secret of the game."""
        return turn_chance(turn.secret, self.source(turn)) if self.game.chance else NO_CHANCE

    def source(self, turn: Played) -> str:
        """Return whichever of the game's sources of chance the secret of `turn` derives from; "" if it derives from
        none of them."""
        return source_behind(turn.secret, self.secret, turn.turn)

    def state_before(self, number: int) -> Any:
        """Return the state before the step with the index `number`."""
        state, began = self.start, dict[int, Any]()
        for step in self.steps[:number]:
            if isinstance(step, Played):
                began[step.turn] = step.before
                state = step.after
            elif isinstance(step, Placed | Resigned):
                state = step.state
            elif isinstance(step, RolledBack):
                state = began.get(step.turn, state)
        return state

    def phase(self) -> Literal["running", "finished", "annulled"]:
        """Return whether the game is running, finished or annulled; an annulled game counts for nothing."""
        return "annulled" if self.annulled else "finished" if self.result else "running"


def show_result(result: Result | None) -> dict[str, Any]:
    """Return the result of a game as plain data: the winner, `draw` or None, and the ranking if there is one."""
    places = {"ranking": result.ranking} if result and result.ranking else {}
    return {"winner": result and (result.winner or "draw"), **places}


def show_history(history: History, played: Played | None = None) -> dict[str, Any]:
    """Return a game as plain data with the keys of `game show --json`: the current position or, if `played` is given,
    the position after that turn."""
    state = played.after if played else history.state
    now = state == history.state
    last = history.turns()[-1].turn if history.turns() else 0
    turn = (played.turn if played else last) + 1
    awaited = frozenset() if history.result or history.annulled else history.game.awaiting(state)
    return {
        "id": history.name,
        "game": history.game.name,
        **history.game.show(history.game.view(state, history.reader)),
        "status": history.phase() if now else "running",
        "turn": turn,
        "turn_name": round_name(history.game, state, turn),
        "waiting": [seat for seat in history.seats if seat in awaited],
        **show_result(history.result if now else None),
        "deadline": None,
    }


SEALED = "sealed"
"""The word that precedes the hash of sealed orders, in place of orders that stay hidden while the game is running."""

MISSED, NOT_AWAITED = "nmr", "-"
"""The words in place of orders for a seat that missed the turn, and for a seat from which no orders were expected."""


class RecordError(PbemError):
    """A record that is not valid."""


class _IllegalMove(RecordError):  # noqa: N818 - describes the move
    """An illegal move in a record; the reader of the record adds the line number."""


def position_hash(game: AnyGame, state: Any) -> str:
    """Return the hash with which a record confirms the position after a turn: the first 8 hexadecimal digits of the
    SHA-256 of the position in the game's notation."""
    return sha256(game.position(state).encode()).hexdigest()[:8]


class Replay:
    """A game that is being replayed from the moves of its record, one by one."""

    def __init__(self, game: AnyGame, start: Any, seats: Sequence[Seat], *, any_turn: bool, secret: str = "") -> None:
        self.game, self.state, self.seats, self._secret = game, start, seats, secret
        self.turn = 0 if any_turn else 1  # the next turn, or 0 if the record says which it is
        self.steps: list[Step] = []
        self.ended: Ended | None = None
        self.stopped = False  # whether an unreadable line or an illegal move ended the replay
        self._began = {1: start}
        self._counting: list[tuple[int, Played]] = []  # the turns that still count, with their indexes in `steps`

    @property
    def words(self) -> tuple[str, ...]:
        """The words that can name the winner in an award: each seat, and `draw`."""
        return (*self.seats, "draw")

    @property
    def annulled(self) -> bool:
        """Whether the game was annulled and counts for nothing."""
        return self.ended is not None and self.ended.annulled

    def play(self, lines: Lines) -> None:
        """Play the moves in `lines`, stopping at the first line that could not be read or contains an illegal move. An
        illegal move is added to the problems in `lines`."""
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

    def steps_by(self, rules: str) -> tuple[Step, ...]:
        """Return the steps so far, with `rules` as the version of the rules for each turn."""
        return tuple(step._replace(rules=rules) if isinstance(step, Played) else step for step in self.steps)

    def _make(self, move: RecordMove) -> None:
        at, text = self._moment(move), unescaped(move.text[1:-1]) if move.text else ""
        match move.kind:
            case "turn":
                self._play_turn(move, at)
                if text:
                    self.steps.append(Remark(None, text))
            case "comment":
                self.steps.append(Remark(None, text, at))
            case "press":
                seat, *to = map(self._seat, move.words)
                self.steps.append(Remark(seat, text, at, tuple(to)))
            case "position":
                self._check_open()
                self.state = self.game.placed(self.state, move.words[0].strip())
                self.steps.append(Placed(self.turn or 1, self.state, at, text))
            case "resign":
                self._check_open()
                seat = self._seat(move.words[0])
                self.state = self.game.resigned(self.state, seat).state
                self.steps.append(Resigned(seat, self.state, at))
            case "rollback":
                self._roll_back(int(move.words[0]), at, text)
            case _:
                self._end(move, at, text)

    def _moment(self, move: RecordMove) -> datetime | None:
        if move.moment is None:
            return None
        moment = read_moment(move.moment[1:])
        if moment is None:
            raise _IllegalMove(f"there is no moment {quoted(move.moment[1:])}.")
        return moment

    def _seat(self, word: str) -> Seat:
        if word not in self.seats:
            raise _IllegalMove(f"there is no side {quoted(word)}, only {' and '.join(self.seats)}.")
        return str(word)

    def _side(self, word: str) -> Side:
        return word if word in self.game.called else self._seat(word)

    def _check_open(self) -> None:
        if self.ended or self.game.result(self.state):
            raise _IllegalMove("the game was over before this move.")

    def _play_turn(self, move: RecordMove, at: datetime | None) -> None:
        turn, texts, game = int(move.words[0][:-1]), move.words[1:], self.game
        self._check_open()
        if turn != (self.turn or turn):
            raise _IllegalMove(f"turn {self.turn} is to be played here, not turn {turn}.")
        if len(texts) != len(self.seats):
            raise _IllegalMove(f"turn {turn} has {len(texts)} order lists for {len(self.seats)} sides.")
        if named := names_rounds(game):
            texts = (_without(named.round_name(self.state), turn, texts[0]), *texts[1:])
        orders = {
            seat: order_list
            for seat, text in zip(self.seats, texts, strict=True)
            if text.strip().lower() not in (MISSED, NOT_AWAITED)
            if (order_list := self._orders(turn, seat, text.strip())) is not None
        }
        before, ruling = self.state, game.resolve(self.state, orders, self._chance(move, turn))
        digest = position_hash(game, ruling.state)
        if move.check and move.check[1:] != digest:
            raise _IllegalMove(
                f"turn {turn} leads to another position here (#{digest}) than in the record ({move.check}): "
                f"{game.position(ruling.state)}."
            )
        written = {seat: str(orders[seat]) if seat in orders else None for seat in self.seats}
        played = Played(turn, before, written, ruling.state, ruling.events, at, secret=(move.secret or "")[2:])
        self._counting.append((len(self.steps), played))
        self.steps.append(played)
        self.state, self.turn = ruling.state, turn + 1
        self._began[turn] = before

    def _chance(self, move: RecordMove, turn: int) -> Chance:
        if not self.game.chance:
            return NO_CHANCE
        if not move.secret:
            raise _IllegalMove(f"turn {turn} has no secret, from which its dice come: ## and 64 hexadecimal digits.")
        source = source_behind(move.secret[2:], self._secret, turn)
        if not source:
            raise _IllegalMove(f"turn {turn} has a secret that does not follow from that of the game.")
        return turn_chance(move.secret[2:], source)

    def _orders(self, turn: int, seat: Seat, text: str) -> Any:
        if text.startswith(SEALED):
            raise _IllegalMove(
                f"{self.game.called[seat]}'s orders of turn {turn} are sealed; when the game is over, its record tells."
            )
        try:
            return reader.parse_played(Standpoint(self.game, self.state, seat), text)
        except reader.IllegalOrders as error:
            raise _IllegalMove(
                f"{self.game.called[seat]}'s orders of turn {turn} cannot be carried out. {error}"
            ) from None

    def _roll_back(self, turn: int, at: datetime | None, reason: str) -> None:
        if not (turn in self._began and turn < self.turn):
            raise _IllegalMove(f"turn {turn} was not played before, so the game cannot go back to it.")
        while self._counting and self._counting[-1][1].turn >= turn:
            place, played = self._counting.pop()
            self.steps[place] = played._replace(undone=True)
        self.steps.append(RolledBack(turn, at, reason))
        self.state, self.turn, self.ended = self._began[turn], turn, None

    def _end(self, move: RecordMove, at: datetime | None, reason: str) -> None:
        self._check_open()
        winner = None if move.kind == "annul" or move.words[0] == "draw" else self._side(move.words[0])
        places = self._places(winner, move.words[1:])
        self.ended = Ended(Result(winner, reason, move.kind == "forfeit", places), move.kind == "annul", at)
        self.steps.append(self.ended)

    def _places(self, winner: Side | None, words: Sequence[str]) -> tuple[tuple[Seat, ...], ...]:
        """Return all places of a game that was awarded, best first. `words` name the places below the `winner`, or all
        places if there is no winner; tied seats are joined by `and`."""
        if not words:
            return ()
        rest = [tuple(place.split("+")) for place in " ".join(words).replace(" and ", "+").split()]
        places = (*([(winner,)] if winner else []), *rest)
        if sorted(seat for place in places for seat in place) != sorted(self.seats):
            raise _IllegalMove("the places have to name each seat once.")
        return places


def _without(name: str, turn: int, text: str) -> str:
    """Return `text`, the first order list of turn number `turn`, without the turn's `name` if `text` begins with that.
    Raises _IllegalMove if `text` begins with the name of another turn."""
    first, _, rest = text.strip().partition(" ")
    if means_round(name, first):
        return rest
    if re.fullmatch(ROUND, first, re.I):
        raise _IllegalMove(f"turn {turn} is {name}, not {first}.")
    return text
