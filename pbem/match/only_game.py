"""A new letter that says no game, of somebody who plays one here, with orders, a question, a command of that game: they
are asked. A sender can be forged: nothing of it counts, nor can a `yes` to another letter mean it, before the `yes` to
this very question."""

from pbem.games.base import Seat
from pbem.match import quoted
from pbem.match.effects import Effect, Hold, Outcome, Send
from pbem.match.lifecycle import may
from pbem.match.model import Case, Match, Section
from pbem.match.sections import people
from pbem.orders import reader
from pbem.orders.command import Command, Inquiry, Later
from pbem.orders.commands import row_of
from pbem.orders.sentences import complains

WAITS = "a letter without a game waits for the writer's yes"
"""What became of a letter that is asked about."""

_SHOWN = 10  # lines of a letter that is asked about


def ask(case: Case) -> list[Effect] | None:
    """The question whether the game is meant, with how orders would be read if that is certain; None if nothing in the
    letter is about a game."""
    from pbem.match.press import harmless  # seldom needed: this is loaded with every case

    player, seats = case.writer.player, _seats(case)
    if not player or case.unconfirmed or len(seats) != 1:
        return None
    match, seat = seats[0]
    words = case.words._replace(match=match.name, people=people(match), turn=match.turn)
    reading = reader.read_orders(match.game, match.state, seat, words)
    if not (any(map(_is_about_a_game, reading.commands)) or reading.says_orders or _is_nearly_for_it(case)):
        return None
    certain = reading.orders is not None and not (reading.doubts or reading.perhaps or reading.commands or reading.adds)
    said = [*reading.remarks] if certain else harmless(case.text)
    shown = quoted.parts((said if certain else harmless(quoted.harmless(case.text)))[:_SHOWN])
    told = {"orders": str(reading.orders) if certain else "", "remarks": shown if certain else (), "text": shown}
    values = {"reason": "only game", "match": match, "seat": seat, "part": shown != said, **told}
    question = (Section("notice", values),)
    return [
        Outcome(WAITS),
        Hold(case.letter, case.address),
        Send("question", f"warning-{case.mark}", player, question, answers=case.message_id),
    ]


def _is_about_a_game(command: Command) -> bool:
    """Whether a command or a question says something of one game alone."""
    return isinstance(command, Inquiry | Later) or row_of(command).trust == "seat"


def _is_nearly_for_it(case: Case) -> bool:
    """Whether words that are neither orders nor a command want something of a game, or a person."""
    if case.words.commands:
        return False
    from pbem.match.intents import is_about_a_game

    return complains(case.text) or is_about_a_game(case.words.lines())


def _seats(case: Case) -> list[tuple[Match, Seat]]:
    """The seats of the writer in matches that take orders."""
    player = case.writer.player
    return [
        (match, seat)
        for match in case.own
        for seat, holder in match.holders.items()
        if player and holder.player.id == player.id and seat not in match.gone and may(match, "orders come")
    ]
