"""A new letter with orders that says no game, of somebody who plays one here: they are asked. A sender can be forged:
nothing of it counts, nor can a `yes` to another letter mean it, before the `yes` to this very question."""

from pbem.games.base import Seat
from pbem.match.answers import people
from pbem.match.effects import Effect, Hold, Outcome, Send
from pbem.match.lifecycle import may
from pbem.match.model import Case, Match, Section
from pbem.orders import reader


def ask(case: Case) -> list[Effect] | None:
    """The question whether the orders are theirs, with how they would be read; None if that is not certain."""
    player, seats = case.writer.player, [*_seats(case)]
    if not player or case.unconfirmed or case.words.commands or len(seats) != 1:
        return None
    match, seat = seats[0]
    words = case.words._replace(match=match.name, people=people(match), turn=match.turn)
    reading = reader.read_orders(match.game, match.state, seat, words)
    if reading.orders is None or reading.doubts or reading.commands or reading.adds:
        return None
    told = {"match": match, "seat": seat, "orders": str(reading.orders), "remarks": reading.remarks}
    question = (Section("notice", {"reason": "only game", **told}),)
    return [
        Outcome("orders without a game wait for the writer's yes"),
        Hold(case.letter, case.address),
        Send("question", f"warning-{case.letter}", player, question, answers=case.message_id),
    ]


def _seats(case: Case) -> list[tuple[Match, Seat]]:
    """The seats of the writer in matches that take orders."""
    player = case.writer.player
    return [
        (match, seat)
        for match in case.own
        for seat, holder in match.holders.items()
        if player and holder.player.id == player.id and seat not in match.gone and may(match, "orders come")
    ]
