"""Short games with dice or cards, played by the computer without a desk and its letters."""

from dataclasses import replace
from typing import Any

from pbem.games import find_game
from pbem.games.base import OPEN, Result, seats_of
from pbem.games.capabilities import opening_of
from pbem.games.chance import commitment, set_up_chance, turn_chance, turn_secret
from pbem.record.history import Ended, History, Played, Resigned

SECRET = "ab" * 32


def with_chance(name: str, options: dict[str, Any], turns: int) -> History:
    """A running game of chance, whose seats order what the computer would."""
    game: Any = find_game(name)
    start = state = game.new(options, set_up_chance(SECRET))
    seats, steps = seats_of(game, options), []
    for turn in range(1, turns + 1):
        orders = {seat: game.choose(game.view(state, seat), seat) for seat in game.awaiting(state)}
        secret = turn_secret(SECRET, turn)
        ruling = game.resolve(state, orders, turn_chance(secret, SECRET))
        told = {seat: str(orders[seat]) if seat in orders else None for seat in seats}
        steps.append(Played(turn, state, told, ruling.state, ruling.events, None, "1", secret=secret))
        state = ruling.state
    return History(
        f"{name}-1",
        *(game, options, "1", dict.fromkeys(seats, "Alice"), start, state, tuple(steps)),
        secret_hash=commitment(SECRET),
        opening=game.redact_events(opening_of(game, start, SECRET), None),
    )


def over(history: History) -> History:
    """The same game, after one side has left it and a word has ended it; everything of it is told."""
    game, *seats = history.game, *history.seats
    places = tuple((seat,) for seat in seats) if len(seats) > 2 else ()
    result = Result(seats[0], "The others have resigned.", forfeit=True, ranking=places)
    left = [Resigned(seats[-1], game.resigned(history.state, seats[-1]).state)] if len(seats) > 2 else []
    steps = (*history.steps, *left, Ended(result))
    opening = game.redact_events(opening_of(game, history.start, SECRET), OPEN)
    return replace(history, steps=steps, result=result, secret=SECRET, opening=opening)
