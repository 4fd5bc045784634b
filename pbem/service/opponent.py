"""The computer's turns: quick levels answer at once, others think when all letters are sent, so that nobody waits for
them. How long they think is ours to say; what they think is the game's."""

from collections.abc import Callable, Iterator, Mapping
from time import monotonic

from pbem.games.base import Seat
from pbem.games.capabilities import Thought
from pbem.match import computer
from pbem.match.model import Match
from pbem.service.run import Run, failures
from pbem.store.matches import load_match, match_name
from pbem.store.waiting import thinks, thinks_no_more


def thinks_long(match: Match) -> bool:
    """Whether a turn waits for a level of the computer that takes its time."""
    return any(match.holders[seat].level > computer.QUICK for seat in computer.awaited(match))


def think(match: Match, key: bytes, seconds: float) -> Mapping[Seat, Thought]:
    """What the computer comes to in so many seconds for all seats that a turn waits for, at least its first thought."""
    seats = computer.awaited(match)
    return {seat: _best(computer.thoughts(match, seat, key), seconds / len(seats)) for seat in seats}


def _best(thoughts: Iterator[Thought], seconds: float) -> Thought:
    until, best = monotonic() + seconds, next(thoughts)
    while monotonic() < until and (better := next(thoughts, None)):
        best = better
    return best


def ponder(run: Run, send: Callable[[], None]) -> None:
    """Think about the turns that wait for it, the oldest first, while there is time; what is left is the next run's.
    Letters that follow are sent at once."""
    desk, limits = run.desk, run.config.opponent
    until, played, failed = monotonic() + limits.run, 0, set[int]()
    while waiting := [number for number in thinks(desk.store) if number not in failed]:
        if (remaining := until - monotonic()) <= 0:
            break
        number = waiting[0]
        match = load_match(desk.store, number)
        with failures() as errors:
            moves = think(match, run.key, min(limits.turn, remaining))
            with desk.store.transaction():
                thinks_no_more(desk.store, number)
                now = load_match(desk.store, number)
                if (now.turn, now.state) == (match.turn, match.state):
                    desk.move(now, {seat: move for seat, move in moves.items() if seat in computer.awaited(now)})
        for error in errors:
            name = match_name(desk.store, number)
            run.troubles[name] = f"The computer cannot think about {name} ({type(error).__name__}); the turn waits."
            failed.add(number)
        if not errors:
            played += 1
            run.progress(f"{played} turns thought about")
            send()
