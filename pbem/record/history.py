"""The history of a game as a value: what its record, its pages and its exports are made from."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from pbem.games.base import OPEN, AnyGame, Event, Reader, Result, Seat
from pbem.games.chance import NO_CHANCE, Chance, turn_chance
from pbem.games.extras import round_name
from pbem.i18n.languages import load_sentence


class Played(NamedTuple):
    """A turn: the states before and after it, what each seat ordered in canonical form (None: missed), what happened.

    `undone`: it was taken back later. `secret` is what its chance came from, as `games.chance.Source`
    writes it.
    """

    turn: int
    before: Any
    orders: Mapping[Seat, str | None]
    after: Any
    events: tuple[Event, ...]
    at: datetime | None = None
    rules: str = ""
    undone: bool = False
    secret: str = ""


class Placed(NamedTuple):
    """The game master has corrected the position; `state` is the one from which the game goes on."""

    turn: int
    state: Any
    at: datetime | None = None
    reason: str = ""


SHUFFLED = "What was drawn of decks since is shuffled into them anew."
"""The reason of a position that follows a turn that is taken back, where nobody has chosen it."""


class RolledBack(NamedTuple):
    """The game stands again where it stood when this turn began; the turns played since count no longer."""

    turn: int
    at: datetime | None = None
    reason: str = ""


class Resigned(NamedTuple):
    """A seat has given up, and the others play on; `state` is the one in which they do."""

    seat: Seat
    state: Any
    at: datetime | None = None


class Ended(NamedTuple):
    """The game ended by a word and not on the board: an award, a draw agreed, a resignation, or it was annulled."""

    result: Result
    annulled: bool = False
    at: datetime | None = None


class Remark(NamedTuple):
    """Words between the moves: press of a seat, or of nobody's seat what else is to be told. `to` are the seats that
    press is for, if it is not for everybody."""

    seat: Seat | None
    text: str
    at: datetime | None = None
    to: tuple[Seat, ...] = ()


Step = Played | Placed | Resigned | RolledBack | Ended | Remark


@dataclass(frozen=True, slots=True)
class History:
    """A game from its set-up to where it stands now, or to its end.

    `start` is the state it began from, `options` what it was set up with, `state` the last one that everybody may know.
    `opening` is what happened at its set-up, as far as everybody may know it.
    `players` are names, by seat; nothing here holds an address or orders that are not revealed. `result` is None while
    the game goes on, and for one that was annulled. `secret` is what its chance comes from, as `games.chance.Source`
    writes it, "" while that is closed; `secret_hash` the hash of its secret.
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

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Its seats, in the game's order."""
        return tuple(self.players)

    def turns(self) -> tuple[Played, ...]:
        """The turns that count, in order."""
        return tuple(step for step in self.steps if isinstance(step, Played) and not step.undone)

    @property
    def reader(self) -> Reader:
        """As whom everybody reads it: what is hidden while the game goes on is open when it is over."""
        return None if self.game.hides and self.phase() == "running" else OPEN

    def chance(self, turn: int, secret: str) -> Chance:
        """What a turn asked, from its secret and that of the game."""
        if not self.game.chance:
            return NO_CHANCE
        return turn_chance(secret, self.secret, turn)

    def phase(self) -> Literal["running", "finished", "annulled"]:
        """Whether the game goes on."""
        return "annulled" if self.annulled else "finished" if self.result else "running"


def load_result(winner: str | None, reason: str | None, forfeit: int, ranking: str | None) -> Result:
    """How a match ended, from the columns of its row."""
    places = tuple(map(tuple, json.loads(ranking))) if ranking else ()
    return Result(winner, load_sentence(reason or ""), bool(forfeit), places)


def show_result(result: Result | None) -> dict[str, Any]:
    """How a game ended, as plain data: who has won, and the places where there is more to tell."""
    places = {"ranking": result.ranking} if result and result.ranking else {}
    return {"winner": result and (result.winner or "draw"), **places}


def show_history(history: History, played: Played | None = None) -> dict[str, Any]:
    """A game as plain data, with the keys of `game show --json`: as it stands, or as it stood after a turn of it."""
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
