"""What disputes are decided by: a game master's look at letters, and words between the game master and players."""

from dataclasses import replace

from pbem.match import reports, rollback
from pbem.match.effects import Note, Send
from pbem.match.identity import GAME_MASTER, Player
from pbem.match.model import Section
from pbem.match.press import MAX_PRESS, harmless
from pbem.match.reply import Reply
from pbem.match.seat_commands import MAX_WORDS
from pbem.match.sections import DecisionError, listed, name_of
from pbem.orders import reader
from pbem.orders.command import Decision

# What game masters do


def look(reply: Reply, decision: Decision) -> None:
    """The letters of turns that are played; that somebody has looked stands in the record as any decision does."""
    said = decision.argument.rpartition(" ")[2]
    turn = rollback.find_turn(reply.table, said) if said else None
    name = name_of(reply.table, turn) if turn else ""
    reply.tell("letters", match=reply.table, turn=turn and turn.turn, name=name)


def say(reply: Reply, decision: Decision) -> None:
    """Words for all players of a match."""
    reply.do(reports.tell(reply.table, "say", reply.now, text=_lines(decision.argument)))


def tell(reply: Reply, decision: Decision) -> None:
    """Words for one seat and nobody else."""
    match, (seat, _, text) = reply.table, decision.argument.partition(":")
    holder = match.holders.get(seat.casefold())
    if holder is None:
        raise DecisionError(
            "Say to whom, to {seats}: `tell {match} SEAT: ...`.", seats=listed(match.seats), match=match.name
        )
    section = Section("course", {"what": "tell", "match": match, "seat": holder.seat, "text": _lines(text)})
    key = f"tell-{match.turn}-{reply.now:%Y%m%d%H%M%S}"
    reply.do([reports.to_seat(match, holder, "course", key, section)])


def _lines(text: str) -> list[str]:
    lines = text.strip().splitlines()
    if not lines:
        raise DecisionError("There is nothing to say: write the words behind the colon.")
    return lines


# What players do


def ask(reply: Reply, text: str) -> None:
    """A player's words for the game master whom our letters name: of the match if they have a seat there, of the league
    whose letter they answer, else of the desk."""
    case, lines = reply.case, harmless(text)
    if not lines:
        reply.notice("gm empty")
        return
    if case.said >= MAX_WORDS:
        reply.notice("gm too often", limit=MAX_WORDS)
        return
    reply.case = replace(case, said=case.said + 1)
    match, person = (reply.match if reply.seat else None), reply.person
    by = match.holders[reply.seat] if match else None
    section = Section("to_master", {"match": match, "by": by, "person": person, "text": lines})
    key = reply.key(f"gm-{person.id}")
    of_league = next((one for one in case.masters if one.address.lower() != case.address), None) if not match else None
    to = Player(0, of_league.name, of_league.address) if of_league else GAME_MASTER
    told = {"player": person.id, "seat": reply.seat or None, "letter": case.letter, "text": "\n".join(lines)}
    reply.done += [Send("gm", key, to, (section,), match=match), Note("gm", told, match)]
    like_orders = reader.attempts(match.game, match.state, reader.read_words(text)) if match else ()
    named = {"game_master": of_league.address} if of_league else {}
    reply.notice("gm sent", limit=len(text) > MAX_PRESS and MAX_PRESS, items=like_orders, **named)
