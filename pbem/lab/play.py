"""A single game of an experiment, identified by its number. Its result is the same on every machine, in whatever order
the games are played."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from time import thread_time
from typing import Any

from pbem import PbemError, Sentence
from pbem.games import find_game
from pbem.games.base import AnyGame, Result, Seat, Side
from pbem.games.capabilities import LEVELS, Bot, turn_of
from pbem.games.chance import SecretChance

SIMPLE = "simple"
"""The level of the computer player in `pbem demo`."""
PLAYERS = (SIMPLE, *map(str, LEVELS))
"""The names of all levels of the computer player."""
MOST_ROUNDS = 500
"""The number of rounds after which a game is stopped and counted as a draw."""

PlayedGame = Mapping[str, Any]
"""The result of a game as plain data: its `number`; for each side, the player who `played` it, the milliseconds of CPU
time that they `took` and the number of `decisions` that they made; the `winner`, a side or null; the `best` sides,
which share a draw; the number of `rounds` of letters and of `turns`; `why` it ended, a sentence with placeholders; and
`game`, a hash of all orders."""


class LabError(PbemError):
    """An experiment that cannot be carried out as requested."""


class LabTrouble(LabError):  # noqa: N818 - trouble, not a mistake
    """An experiment that cannot continue now, although nothing is wrong with it."""

    trouble = True


@dataclass(frozen=True, slots=True)
class Experiment:
    """Everything that makes games comparable: the game and its options, the players, and the seed of all chance.

    A single player plays all sides. Of two players, the first plays each side in turn and the second all others; the
    games of one such cycle start from the same deal. `code` is a hash of the rules and of all other code that affects
    play.
    """

    game: str
    options: Mapping[str, Any]
    players: tuple[str, ...]
    seed: int
    code: str = field(default="", compare=True)

    def as_data(self) -> dict[str, Any]:
        """Return the experiment as data for JSON."""
        data: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return data


def experiment(game: AnyGame, options: Mapping[str, Any], players: Iterable[str], seed: int) -> Experiment:
    """Define an experiment with the rules and opponents of this installation. Raises LabError if the game has no such
    opponents, and GameError if the options are not valid."""
    if not isinstance(game, Bot):
        raise LabError(f"{game.title} has no computer opponent.")
    levels = tuple(players)
    for level in levels:
        if level not in PLAYERS:
            raise LabError(f'There is no level "{level}": there are {", ".join(PLAYERS)}.')
    draft = Experiment(game.name, dict(options), levels, seed)
    start = game.new(options, _chance(draft, 0, "game"))
    played_with = json.dumps(game.headers(start, options), sort_keys=True)
    code = hashlib.sha256(f"{code_of_games()} {played_with}".encode()).hexdigest()[:16]
    return Experiment(draft.game, draft.options, levels, seed, code)


@cache
def code_of_games() -> str:
    """Return a hash of all code and data that determine how games are played here."""
    folder = Path(__file__).parents[1] / "games"
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".py", ".toml", ".json"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def play_games(of: Experiment, code: str, numbers: Iterable[int]) -> list[PlayedGame]:
    """Play the games with the given `numbers`. Raises LabError if `code`, the result of `code_of_games` at the
    caller, differs from the result here."""
    if code != code_of_games():
        raise LabError("A worker has another version of pbem than this one: install the same on all machines.")
    return [play(of, number) for number in numbers]


def play(of: Experiment, number: int) -> PlayedGame:
    """Play the game with the given `number`, counted from 0."""
    game = find_game(of.game)
    chairs = game.seats(of.options)
    sides = tuple(dict.fromkeys(chair.side for chair in chairs))
    played = _who_plays(of, sides, number)
    deal = number // len(sides) if len(of.players) > 1 else number
    table = _Table(game, of, deal, {chair.seat: (chair.side, played[chair.side]) for chair in chairs})
    return {"number": number, "played": played, **table.play()}


def _who_plays(of: Experiment, sides: tuple[Side, ...], number: int) -> dict[Side, str]:
    first, *others = of.players
    if not others:
        return dict.fromkeys(sides, first)
    return {side: first if at == number % len(sides) else others[0] for at, side in enumerate(sides)}


class _Table:
    """A game in progress, with the thinking time and the number of decisions of each side."""

    def __init__(self, game: AnyGame, of: Experiment, deal: int, who: Mapping[Seat, tuple[Side, str]]) -> None:
        self._game, self._of, self._deal, self._who = game, of, deal, who
        self._took = dict.fromkeys((side for side, _ in who.values()), 0.0)
        self._decisions = dict.fromkeys(self._took, 0)
        self._orders = hashlib.blake2b(digest_size=8)

    def play(self) -> dict[str, Any]:
        chance = _chance(self._of, self._deal, "game")
        state, rounds = self._game.new(self._of.options, chance), 0
        while (awaited := self._game.awaiting(state)) and rounds < MOST_ROUNDS:
            orders = {seat: self._decide(state, seat, rounds) for seat in sorted(awaited)}
            state, rounds = self._game.resolve(state, orders, chance).state, rounds + 1
        result = self._game.result(state) or Result(None, f"It was not over after {rounds} rounds.")
        why = result.reason.template if isinstance(result.reason, Sentence) else result.reason
        return {
            "winner": result.winner,
            "best": self._best(result),
            "rounds": rounds,
            "turns": turn_of(self._game, state, rounds),
            "why": why,
            "took": {side: round(1000 * seconds, 1) for side, seconds in self._took.items()},
            "decisions": self._decisions,
            "game": self._orders.hexdigest(),
        }

    def _best(self, result: Result) -> list[Side]:
        if result.winner:
            return [result.winner]
        places = result.ranking or (tuple(self._who),)
        return sorted({self._who[seat][0] for seat in places[0]})

    def _decide(self, state: Any, seat: Seat, rounds: int) -> Any:
        """Return the orders for `seat`. Its player chooses them without seeing anything that is hidden from the
        seat."""
        game, (side, player), begun = self._game, self._who[seat], thread_time()
        assert isinstance(game, Bot)
        view = game.view(state, seat)
        if player == SIMPLE:
            orders = game.choose(view, seat)
        else:
            chance = _chance(self._of, self._deal, f"{seat} {rounds}")
            *_, (orders, _) = game.think(view, seat, int(player), chance)
        self._took[side] += thread_time() - begun
        self._decisions[side] += 1
        self._orders.update(f"{seat}: {orders}\n".encode())
        return orders


def _chance(of: Experiment, deal: int, purpose: str) -> SecretChance:
    return SecretChance(hashlib.sha256(f"{of.seed} {deal} {purpose}".encode()).digest())
