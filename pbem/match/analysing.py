"""Computer analysis of finished games. Anyone may ask for it, because nothing in a finished game is hidden any more."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pbem.games.analysis import Analysis, Choice, Moment, Turning, analyse, choices, curve
from pbem.games.base import AnyGame, Seat, Side
from pbem.games.capabilities import can_be_analysed
from pbem.match.effects import Section
from pbem.match.model import Match
from pbem.match.reply import Reply
from pbem.orders import reader
from pbem.orders.commands import player_usage
from pbem.orders.situation import Standpoint

A_DAY = 10
"""The maximum number of answers with an analysis that one person gets in a day."""

SECTION = "analysis"
"""The name of the first section of an answer with an analysis. The desk uses this name to count how many analyses a
person has had in a day."""


def tell(reply: Reply, name: str) -> None:
    """Show the course of the match called `name` or, without a name, of the match that the letter is about: how each
    side stood after each turn, and where the game turned. Only finished matches are analysed, and only one per
    letter."""
    match = reply.match_named(name.lower()) if name else reply.about
    if match is None and not name:
        reply.notice("incomplete", word="analysis", usage=player_usage("analysis"))
    elif match is None:
        reply.notice("no such game", name=name)
    elif not match.over:
        reply.notice("not over", name=match.name)
    elif not can_be_analysed(match.game) or not match.turns:
        reply.notice("no analysis", name=match.name)
    elif (
        any(section.template == SECTION for section in reply.sections)
        or reply.case.facts.answered_today(SECTION) >= A_DAY
    ):
        reply.once("enough analyses", limit=A_DAY)
    else:
        _tell(reply, match)


def _tell(reply: Reply, match: Match) -> None:
    game, seats = match.game, dict(match.game.seats(match.options))
    moments = moments_of(match)
    analysis = analyse(game, seats, moments, match.state)
    assert analysis
    own, *_ = (*match.held_by(reply.person), *match.seats)
    drawn = curve(analysis.of(seats[own]), analysis.names, [turning.moment for turning in analysis.turnings])
    reply.tell(SECTION, match=match, whose=seats[own], curve=drawn, turned=len(analysis.turnings))
    better = [better_at(game, seats, moments, turning) for turning in analysis.turnings]
    for section in turning_sections(game, moments, analysis, better):
        reply.tell(section.template, **section.values)


class _Then(NamedTuple):
    """A game and its state at an earlier moment, used in place of the match in the sections about a turning point."""

    game: AnyGame
    state: Any


def turning_sections(
    game: AnyGame, moments: Sequence[Moment], analysis: Analysis, better: Sequence[Sequence[Choice]]
) -> Iterator[Section]:
    """Yield a section for each turning point of a game, with the orders that would have been better, and then a section
    that explains that the analysis is only a program's opinion. Letters and web pages use the same sections."""
    for number, (turning, chosen) in enumerate(zip(analysis.turnings, better, strict=True), start=1):
        then, shares = (
            _Then(game, moments[turning.moment].state),
            (round(100 * turning.before), round(100 * turning.after)),
        )
        values = {"turn": turning.name, "whose": turning.side, "choices": chosen, "was": shares[0], "became": shares[1]}
        yield Section("turning", {"match": then, "number": number, **values})
    yield Section("opinion", {})


def better_at(
    game: AnyGame, seats: Mapping[Seat, Side], moments: Sequence[Moment], turning: Turning
) -> tuple[Choice, ...]:
    """Return, for each seat of the side that lost ground at a turning point, the orders that the seat gave, compared
    with better orders. This takes a fraction of a second per seat."""

    def read(state: Any, seat: Seat, text: str) -> Any:
        try:
            return reader.parse_played(Standpoint(game, state, seat), text)
        except reader.IllegalOrders:  # legal only under another version of the rules
            return None

    return choices(game, seats, moments[turning.moment], turning.side, read)


def moments_of(match: Match) -> list[Moment]:
    """Return the turns of a match in the form that `analyse` requires."""
    return [
        Moment(
            turn.turn,
            turn.before,
            {seat: entry.played for seat, entry in turn.orders.items() if entry and entry.played},
        )
        for turn in match.turns
    ]


def falls_of(match: Match) -> tuple[Turning, ...]:
    """Return the turning points of a match, or () if the match cannot be analysed."""
    analysis = analyse(match.game, dict(match.game.seats(match.options)), moments_of(match), match.state)
    return analysis.turnings if analysis else ()
