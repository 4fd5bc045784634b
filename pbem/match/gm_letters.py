"""What game masters write to players, and what they see of players' letters."""

from dataclasses import replace

from pbem import Sentence
from pbem.games.base import Seat
from pbem.match import reports, rollback
from pbem.match.anonymous import hides_from_masters, is_named, names_in, sees_names
from pbem.match.effects import Ask, course
from pbem.match.model import ChangedPast, Match
from pbem.match.reply import Reply
from pbem.match.seats import seat_called
from pbem.match.sections import DecisionError, listed, name_of
from pbem.orders.command import Decision


def look(reply: Reply, decision: Decision) -> None:
    """Show the letters that players sent for all played turns, or only for the turn that `decision` names.

    That turn may have been undone and, if the game is over, may be the one that was never played. The record notes this
    like any other decision.
    """
    match, turn_name = reply.match, decision.argument.rpartition(" ")[2]
    number = int(turn_name) if turn_name.isdecimal() else 0
    is_undone = number >= match.turn and number in match.past.undone
    if number == match.turn and not is_undone:
        _check_open(match)
    if is_undone or number == match.turn:
        reply.tell("letters", match=match, turn=number, name=turn_name, unplayed=not is_undone)
        return
    if number > match.turn:
        values = {"match": match.name, "turn": number, "played": _played(match)}
        raise DecisionError("{match} has not come to turn {turn}. {played}", **values)
    turn = rollback.find_turn(match, turn_name) if turn_name else None
    reply.tell(
        "letters", match=match, turn=turn and turn.turn, name=name_of(match, turn) if turn else "", unplayed=False
    )


def _check_open(match: Match) -> None:
    """Raise DecisionError if the letters of the turn that has not been played yet may still count."""
    values = {"match": match.name, "turn": match.turn, "played": _played(match)}
    if match.phase == "offered":
        raise DecisionError("{match} has not begun: there are no letters of its turns yet.", **values)
    if not match.over:
        raise DecisionError(
            "Turn {turn} of {match} is still being played: its letters are shown when it is played. {played}", **values
        )


def _played(match: Match) -> Sentence:
    """Return a sentence that says which turns have been played."""
    if not match.turns:
        return Sentence("No turns have been played yet.")
    first, last = name_of(match, match.turns[0]), name_of(match, match.turns[-1])
    if first == last:
        return Sentence("Turn {turn} has been played.", turn=first)
    return Sentence("Turns {first} to {last} have been played.", first=first, last=last)


def tell(reply: Reply, decision: Decision) -> None:
    """Send a message to the player of a single seat, who may be named instead of the seat."""
    match, (name, _, text) = reply.match, decision.argument.partition(":")
    if not name.strip():
        raise DecisionError(
            "Say to whom ({seats}): `tell {match} SEAT: ...`.", seats=listed(match.seats), match=match.name
        )
    holder = match.holders[seat_called(match, name.strip())]
    section = course("tell", match, holder.seat, text=lines_of(text))
    key = f"tell-{match.turn}-{reply.now:%Y%m%d%H%M%S}"
    reply.do([reports.to_seat(match, holder, "course", key, section)])


def decide_claim(reply: Reply, decision: Decision) -> None:
    """Announce the decision on a player's claim to everyone in the match, and close the claim."""
    match, (number, _, text) = reply.match, decision.argument.partition(":")
    claim = next(
        (waiting for waiting in match.past.claims if str(waiting) == number), None
    )  # compared as text: the record would not find "07"
    if claim is None:
        raise DecisionError("No claim {number} is waiting in {match}.", number=number, match=match.name)
    values = {"text": lines_of(text), "claim": number, "of": match.past.claims[claim]}
    reply.do(reports.tell(match, "claim decided", reply.now, **values))
    reply.about = replace(match, past=ChangedPast(match.past, decided=claim))


def lines_of(text: str) -> list[str]:
    """Return the lines of a message. Raises DecisionError if there are none."""
    lines = text.strip().splitlines()
    if not lines:
        raise DecisionError("There are no words: write them after the colon.")
    return lines


def is_for_league(reply: Reply, decision: Decision) -> bool:
    """Return whether `decision`, a `tell`, contains words for the members of a league. A player or seat of the match
    that the letter is about comes before a league of the same name."""
    to = decision.match or decision.argument.partition(":")[0].strip()
    if to.casefold() not in map(str.casefold, reply.case.facts.leagues):
        return False
    if decision.match or not reply.about:
        return True
    try:
        seat_called(reply.about, to)
    except DecisionError:
        return True
    return False


# Anonymous games


def asks_about_names(reply: Reply, match: Match, decision: Decision) -> bool:
    """Return whether `decision` contains words for players that name somebody whom they are not told, and has not been
    confirmed. If so, ask the writer first.

    A game master who is not told the names is asked about all members of the league, whoever plays in the match.
    """
    if not reply.case.letter or isinstance(reply.agreed, Decision):
        return False
    seat, text = _for_players(decision)
    names = _untold_in(reply, match, seat, f"{text} {decision.reason}")
    return _asks(reply, replace(decision, match=match.name), names, match.name)


def asks_about_members(reply: Reply, decision: Decision, league: str, text: str) -> bool:
    """Return whether `text`, words of `decision` for all members of a league, names one of them while the league has
    games in which nobody is told yet who plays, and has not been confirmed. If so, ask the writer first."""
    if not reply.case.letter or isinstance(reply.agreed, Decision):
        return False
    members = (led.members for led in reply.case.facts.led_leagues if led.name == league and led.untold)
    names = [name for names in members for name in names if is_named(name, text) or is_named(name.split()[0], text)]
    return _asks(reply, decision, names, league)


def _asks(reply: Reply, decision: Decision, names: list[str], name: str) -> bool:
    """Ask the writer to confirm `decision`, whose readers are not told `names`; return whether there are any. `name`
    is the name of the match or league."""
    if names and any(isinstance(effect, Ask) for effect in reply.done):
        raise DecisionError(
            "It names {names}, but the players are not told who plays: send it in a letter of its own.",
            names=listed(names),
        )
    if names:
        reply.ask(decision, of_match=False)
        reply.notice("names untold", names=names, name=name)
    return bool(names)


def _for_players(decision: Decision) -> tuple[Seat, str]:
    """Return the words in the argument of `decision` that players will read, and the seat that alone reads them, or ""
    if all do."""
    if decision.word == "say":
        return "", decision.argument
    to, _, text = decision.argument.partition(":")
    return (to if decision.word == "tell" else "", text if decision.word in ("tell", "decide") else "")


def _untold_in(reply: Reply, match: Match, reader: Seat, text: str) -> list[str]:
    """Return the names in `text` that those who read it are not told. `reader` knows their own name."""
    if hides_from_masters(match):
        members = (led.members for led in reply.case.facts.led_leagues if led.name == match.league)
        return [name for names in members for name in names if is_named(name, text)]
    if not sees_names(match, reply.case.address):
        return []
    return [name for seat in match.seats if seat != reader for name in names_in(match, seat, text)]
