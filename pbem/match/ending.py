"""How a match ends by what has been played, and who has missed too many turns to play on."""

from collections.abc import Sequence

from pbem.games.base import Result, Seat, Sentence
from pbem.match.model import Match
from pbem.match.sections import listed


def ending(match: Match) -> Result | None:
    """How a match ends by what has been played, if it does."""
    return match.game.result(match.state) or _forfeit(match)


def _forfeit(match: Match) -> Result | None:
    """Who has missed so many turns in a row that he has lost; a draw if that is everybody."""
    gone = too_often(match)
    left = match.sides(set(match.playing()).difference(gone))
    if not gone or len(left) > 1:
        return None
    return Result(next(iter(left), None), missed_too_many(match, gone), forfeit=True)


def too_often(match: Match) -> list[Seat]:
    """Who has missed as many turns in a row as the terms bear."""
    limit = match.terms.forfeit
    return [seat for seat in match.playing() if limit and match.missed.get(seat, 0) >= limit]


def missed_too_many(match: Match, seats: Sequence[Seat]) -> Sentence:
    """Why these seats are out."""
    names = {seat: match.holders[seat].name for seat in seats}
    who = listed([Sentence("{name} ({side})", name=names[seat], side=match.game.called[seat]) for seat in seats])
    if match.terms.forfeit == 1:
        return Sentence("{who} missed a turn.", who=who)
    return Sentence("{who} missed {number} turns in a row.", who=who, number=match.terms.forfeit)
