"""Parts of letters that several kinds of letter have: where a match stands, what a turn came to."""

from collections.abc import Mapping
from typing import Any

from pbem.games.base import Seat
from pbem.match import Entry, Match, Section


def position(
    match: Match, seat: Seat | None, *, since: Any | None = None, standing: Mapping[Seat, Entry] | None = None
) -> Section:
    """Where a match stands for one seat, or for everybody: the board, the count, what it may do now and until when."""
    game = match.game
    view = game.view(match.state, seat)
    awaited = match.result is None and seat is not None and seat in game.awaiting(match.state)
    prospects, example = game.prospects(view, seat) if awaited and seat else ("", "")
    entry = (match.standing if standing is None else standing).get(seat) if seat else None
    return Section(
        "position",
        {
            "match": match,
            "seat": seat,
            "picture": game.picture(view, None if since is None else game.view(since, seat)),
            "changes": since is not None,
            "summary": game.summary(view),
            "prospects": prospects,
            "example": example,
            "entry": entry,
            "missing": match.missing(standing),
            "deadline": match.deadline and match.deadline.moment,
        },
    )
