"""What a dispute is decided by: a game master's look at letters, and words between a player and the game master."""

import re

from pbem.match.reply import Reply
from pbem.orders.command import Decision


def turn_asked(decision: Decision) -> int | None:
    """The turn that `letters` names, None for all that are played."""
    digits = re.sub(r"\D", "", decision.argument)
    return int(digits) if digits else None


def look(reply: Reply, decision: Decision) -> None:
    """The letters of turns that are played; that somebody has looked stands in the record as any decision does."""
    reply.tell("letters", match=reply.table, turn=turn_asked(decision))
