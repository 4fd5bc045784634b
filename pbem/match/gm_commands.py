"""Decisions of a game master, by mail or on the command line. Most need a reason, and all are noted in the record."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem import PbemError, Sentence
from pbem.games.base import Result, Seat, seats_of
from pbem.match import (
    addresses,
    appeals,
    clock,
    commitments,
    effects,
    gm_letters,
    reports,
    rollback,
    sections,
    stand_ins,
)
from pbem.match.case import Case
from pbem.match.clock import ending
from pbem.match.effects import Effect, Section, Send, course
from pbem.match.extending import later_deadline
from pbem.match.identity import GAME_MASTER, MASTER, Player, hide_tokens, parse_person
from pbem.match.lifecycle import refusal
from pbem.match.mail_wishes import set_mail
from pbem.match.model import Match, without
from pbem.match.names import named_person
from pbem.match.player_commands import show_after
from pbem.match.reply import Reply
from pbem.match.seats import by_seat, seat_and_person, seat_called, side_called
from pbem.match.sections import DecisionError, listed
from pbem.match.time_control import with_orders
from pbem.orders import reader
from pbem.orders.command import Command, Decision, Simple, TrustLevel, name_in_file
from pbem.orders.commands import row_of
from pbem.orders.wanted import computers_level, parse_wanted, split_people

WITHOUT_REASON = frozenset(
    ("release", "say", "invite", "letters", "tell", "decide", "desk", "league", "join", "next", "season", "challenge")
)
"""Decisions that need no reason, because they change nothing that was settled before."""

OFTEN = {"at once": "now", "daily": "", "weekly": "weekly", "never": "never"}
"""The words that set how often the list of open matters is sent, and their values in `MailWishes`."""


def carry_out(reply: Reply, decision: Decision) -> None:
    """Carry out a decision in a letter, and report the outcome in the reply."""
    count = len(reply.sections)
    before = reply.match_named(decision.match) if decision.match else reply.about
    try:
        name = (_list if decision.word == "decisions" else decide)(reply, decision)
    except PbemError as error:
        refuse(reply, decision, sections.why(error))
    else:
        if count == len(reply.sections):  # otherwise the decision has written its own answer
            after = reply.match_named(name) if name else None
            changed = after if before and after and _stage(before) != _stage(after) else None
            reply.notice("decided", word=decision.word, argument=decision.argument, name=name, changed=changed)


def _stage(match: Match) -> tuple[Any, ...]:
    """Return the values that show whether a decision has changed the course of a match."""
    return match.phase, match.turn, match.deadline, match.result


def _list(reply: Reply, decision: Decision) -> str:
    """List past decisions: those about a match, those about a league and its games, or all those about matters that the
    writer directs."""
    match = None if _asks_for_all(reply, decision) else _may_decide(reply, decision)
    league = _of_league(reply.case, decision)[0] if _is_of_league(reply, decision) else ""
    reply.tell("decisions", match=match, league=league, address="" if reply.case.master else reply.case.address)
    return ""


def _asks_for_all(reply: Reply, decision: Decision) -> bool:
    return decision.word == "decisions" and not (decision.match or decision.argument or reply.about)


def _is_of_league(reply: Reply, decision: Decision) -> bool:
    """Return whether `decision` is about a league; `decisions` and `tell` may be about a match or about a league."""
    if decision.word == "tell":
        return gm_letters.is_for_league(reply, decision)
    of_league = row_of(decision).trust == "game master of the league"
    return of_league or (decision.word == "decisions" and bool(decision.argument))


def refuse(reply: Reply, decision: Decision, why: str) -> None:
    """Report that `decision` was not carried out, and why. The decision is quoted."""
    reply.notice("not decided", word=decision.word, argument=decision.argument, name=decision.match, why=why)


def decide(reply: Reply, decision: Decision) -> str:
    """Carry out a decision; return the name of the match that it is about, or "" if it is not about a match.

    Raises PbemError, and changes nothing, if the writer may not make the decision or if it cannot be carried out.
    """
    decision = addresses.by_address(reply, decision)
    match = _may_decide(reply, decision)
    argument, reason = hide_tokens(decision.argument), hide_tokens(decision.reason)  # players will read them
    decision = replace(decision, argument=argument, reason=reason)
    if not decision.understood:
        raise DecisionError("This could not be read: write `{usage}`.", usage=_usage(decision))
    if not decision.reason and decision.word not in WITHOUT_REASON:
        raise DecisionError(
            'Give a reason: "{word} ... because ..."; everyone in the game is told it.', word=decision.word
        )
    if match:
        decision = by_seat(match, decision, reply.case.address)
        if gm_letters.asks_about_names(reply, match, decision):
            return ""
    place = len(reply.done)
    if _is_of_league(reply, decision):
        return _direct(reply, decision)
    if decision.word == "desk":
        return _look_over(reply, decision)
    if match is None:
        DECIDED[decision.word](reply, decision)
        reply.done.insert(place, _note(reply.case, decision, None))
        return ""
    if why := refusal(match, decision.word):
        raise DecisionError(why)
    about, reply.about = reply.about, match
    try:
        DECIDED[decision.word](reply, decision)
        reply.done.insert(place, _note(reply.case, decision, match))
        reply.done.append(_to_other_masters(reply, decision))
    finally:
        reply.changed[match.name] = reply.match
        reply.about = about and reply.changed[about.name]
    return match.name


def as_decision(command: Command, about: Match) -> Command:
    """Return `command` as a game master's decision, if it can be one; during a review, a `yes` means `release`."""
    word = "release" if command == Simple("yes") and about.phase == "review" else command.word
    return Decision(word, "", "", "") if isinstance(command, Simple) and word in DECIDED else command


def why_not(reply: Reply, decision: Decision) -> str:
    """Return a sentence that explains why the writer may not ask for `decision`, or "" if the writer may."""
    try:
        if not _asks_for_all(reply, decision):
            _may_decide(reply, addresses.by_address(reply, decision))
    except DecisionError as error:
        return sections.why(error)
    return ""


def open_orders(reply: Reply) -> tuple[list[Section], list[effects.Note]]:
    """Return sections with the orders that stand in matches of which the writer is a game master but not a player, if
    the terms let game masters see orders; also return notes for the record that these orders were shown."""
    case = reply.case
    matches = [
        match
        for match in case.facts.master_of
        if match.terms.open_orders and match.standing and not match.concerns(case.address)
    ]
    return [Section("standing", {"match": match}) for match in matches], [
        effects.Note("orders shown", {"turn": match.turn, "seats": [*match.standing], "by": _who(case)}, match)
        for match in matches
    ]


def _may_decide(reply: Reply, decision: Decision) -> Match | None:
    """Return the match that `decision` is about, or None if it is not about a match. Raises DecisionError if the writer
    may not make the decision; the error does not reveal whether the match exists."""
    case = reply.case
    if _is_of_league(reply, decision):
        _may_direct(reply, decision)
        return None
    if row_of(decision).trust in _OF_NO_MATCH:
        _OF_NO_MATCH[row_of(decision).trust](reply, decision)
        return None
    match = reply.match_named(decision.match) if decision.match else reply.about
    if match is None and not decision.match:
        raise DecisionError("Say which game: `{usage}`.", usage=_usage(decision))
    own = [master for master in match.masters if master.address.lower() == case.address] if match else []
    if match and (case.master or own) and match.concerns(case.address):
        name = match.name if match.plays(case.address) else match.league
        raise DecisionError(
            "You play in {match} yourself: another game master, or the operator, decides there.", match=name
        )
    rights = [master.rights for master in own]
    if match is None or not (case.master or rights):
        name = decision.match or reply.match.name
        raise DecisionError('You are not the game master of a game "{match}".', match=name)
    has_right = case.master or decision.word in ("uphold", "overturn")  # on which `appeals` decides itself
    if not has_right and all(words and decision.word not in words for words in rights):
        raise DecisionError("You do not have this right in {match}.", match=match.name)
    return match


def _may_decide_on_all(reply: Reply, _: Decision) -> None:
    if not reply.case.master:
        raise DecisionError("Only a game master of the whole desk can ask for this.")


def _may_decide_on_player(reply: Reply, decision: Decision) -> None:
    if not (reply.case.master or reply.case.facts.leads(addresses.named_in(decision)[0])):
        raise DecisionError("Nobody with that address is in a league you run.")


def _may_look_over(reply: Reply, _: Decision) -> None:
    if not reply.case.directs:
        raise DecisionError("Only a game master can ask for this.")


def _may_direct(reply: Reply, decision: Decision) -> None:
    """Raise DecisionError if the writer may not make `decision`, which is about a league."""
    if decision.word == "league":
        _may_decide_on_all(reply, decision)
        return
    case = reply.case
    league, _ = _of_league(case, decision)
    rights = case.facts.directs.get(league, ())
    if league in reply.joined and (case.master or rights):
        raise DecisionError(
            "You play in {league} yourself: another game master, or the operator, decides there.", league=league
        )
    if not case.master and not rights:
        raise DecisionError("You are not the game master of the league {league}.", league=league)
    if not case.master and all(words and decision.word not in words for words in rights):
        raise DecisionError("You do not have this right in {match}.", match=league)


_OF_NO_MATCH: Mapping[TrustLevel, Callable[[Reply, Decision], None]] = {
    "game master of the desk": _may_decide_on_all,
    "game master of the player": _may_decide_on_player,
    "game master of any": _may_look_over,
}
"""The functions that check the right to make decisions that are not about a match, keyed by trust level."""


def _of_league(case: Case, decision: Decision) -> tuple[str, str]:
    """Return the league that `decision` names, and the rest of its text. Raises DecisionError if it names none."""
    if decision.word == "league":
        return name_in_file(decision.argument), decision.argument
    text = " ".join(filter(None, (decision.match, decision.argument)))
    for name in sorted(case.facts.leagues, key=len, reverse=True):  # "Autumn B" before "Autumn"
        if prefix := re.match(rf"{re.escape(name)}(?![\w-])[ ,:]*", text, re.I):
            return name, text[prefix.end() :]
    if not case.facts.leagues:
        raise DecisionError("There is no league at this desk.")
    raise DecisionError(
        "No league has that name, only {names}: write `{usage}`.", names=case.facts.leagues, usage=_usage(decision)
    )


def _direct(reply: Reply, decision: Decision) -> str:
    """Pass on a decision about a league; the reply is completed once the outcome is known. Words that name somebody
    whom their readers are not told are asked about first."""
    league, rest = _of_league(reply.case, decision)
    if decision.word == "tell" and gm_letters.asks_about_members(reply, decision, league, rest):
        return ""
    number = sum(isinstance(effect, effects.Direct) for effect in reply.done)
    letter = reply.case.letter or None
    direct = effects.Direct(league, decision.word, rest, decision.reason, _who(reply.case), letter, number)
    reply.done.append(direct)
    reply.notice("directed", direct=direct, why="")
    show_after(reply, direct)
    return ""


def _look_over(reply: Reply, decision: Decision) -> str:
    """Show the matters that will be waiting for the writer after the rest of the letter has been handled. If the
    decision has an argument, however, set how often such a list is sent."""
    case = reply.case
    if decision.argument:
        set_mail(reply, reply.mail._replace(desk=OFTEN[decision.argument]))
    else:
        reply.tell("desk", who=case.address)
    return ""


def _usage(decision: Decision) -> Sentence:
    """Return the syntax of the decision, for use in errors."""
    return Sentence(row_of(decision).usage)


def _note(case: Case, decision: Decision, match: Match | None) -> effects.Note:
    """Return the record's entry about `decision`, without addresses. The decision's effects have their own entries."""
    content = {
        "decision": decision.word,
        "argument": without_addresses(decision.argument),
        "reason": decision.reason,
        "by": _who(case),
        "letter": case.letter or None,
    }
    return effects.Note("decision", content, match)


def without_addresses(text: str) -> str:
    """Return `text` without e-mail addresses, which the record does not store."""
    return re.sub(r"\s*<?[^\s<>]+@[^\s<>]+>?", "", text)


def _who(case: Case) -> str:
    """Return what the record calls the person who decides: `player` with a number, or `operator`."""
    player = case.writer.player
    return f"player {player.id}" if player and player.id else "operator"


def _to_other_masters(reply: Reply, decision: Decision) -> Send:
    """Return the letter that tells the match's other game masters of `decision`. It leaves out orders, and the text of
    a message to one player."""
    if decision.word in ("orders", "tell"):
        decision = replace(decision, argument=decision.argument.partition(":")[0])
    key = f"decided-{decision.word}-{reply.match.turn}-{reply.now:%Y%m%d%H%M%S}"
    section = course("decided", reply.match, None, decision=decision, reason=decision.reason)
    return Send("course", key, GAME_MASTER, (section,), match=reply.match, besides=reply.case.address)


# The clock


def _extend(reply: Reply, decision: Decision) -> None:
    match = reply.match
    deadline = later_deadline(match, decision.argument, reply.now)
    reply.do(clock.set_deadline(match, deadline, reply.now, "extended", reason=decision.reason))


def _by(change: Callable[[Match, datetime, str], Iterable[Effect]]) -> Callable[[Reply, Decision], None]:
    """Return a function that carries out a decision by passing the match, the time and the reason to `change`."""
    return lambda reply, decision: reply.do(change(reply.match, reply.now, decision.reason))


# Turns


def _roll_back(reply: Reply, decision: Decision) -> None:
    match = reply.match
    turn = rollback.find_turn(match, decision.argument.rpartition(" ")[2])
    reply.do(rollback.roll_back(match, turn, reply.now, decision.reason))


def _reopen(reply: Reply, decision: Decision) -> None:
    match = reply.match
    reply.do(rollback.reopen(match, reply.now, decision.reason))
    place = reply.match.past.place
    lost = place.left if place and not place.over else ()
    if reply.match.former or lost:
        reply.notice("reopened", again=bool(reply.match.former), swiss=bool(place and place.swiss), lost=lost)


def _replay(reply: Reply, decision: Decision) -> None:
    match = reply.match
    if match.past.place and not match.past.place.has:
        raise DecisionError("Another game replaces {match} in its round.", match=match.name)
    reply.done.append(effects.Anew(match, decision.reason))


def _readjudicate(reply: Reply, decision: Decision) -> None:
    match = reply.match
    last = match.past.last
    if last is None:
        raise DecisionError("No turn of {match} has been played so far.", match=match.name)
    if match.phase == "finished" and ending(match) is None:
        values = {"match": match.name, "turn": last.turn}
        raise DecisionError("{match} was not ended by a turn: roll it back to turn {turn} instead.", **values)
    reply.do(rollback.play_again(match, last, reply.now, decision.reason))


def _release(reply: Reply, decision: Decision) -> None:
    """Release the report that is under review. A letter that answers an older report, or the report of a turn that has
    been replayed since, cannot release the new one."""
    token, match = reply.case.writer.token, reply.match
    if token and token[:2] == (match.id, MASTER) and token.turn != match.turn:
        raise DecisionError("Your letter answers an older report: reply to the waiting one.")
    reply.do(clock.release(match, reply.now))


# Seats


def _replace(reply: Reply, decision: Decision) -> None:
    match = reply.match
    if match.sandbox:
        raise DecisionError("{match} is a sandbox, in which one person plays all sides.", match=match.name)
    name, newcomer = seat_and_person(match, decision.argument)
    seat = seat_called(match, name)
    if seat in match.gone:
        raise DecisionError(
            "{side} left {match}; `rollback` to an earlier turn brings that seat back.",
            side=match.game.called[seat],
            match=match.name,
        )
    if level := computers_level(match.game, newcomer):
        reply.do(stand_ins.take_over(match, [seat], level, reply.now, decision.reason))
        return
    person = named_person(newcomer)
    address = person.address.lower()
    if match.holders[seat].stand_in and address in match.holders[seat].addresses:
        reply.do(stand_ins.come_back(match, seat, reply.now, decision.reason))
        return
    if address in frozenset().union(*(holder.addresses for holder in match.holders.values())):
        raise DecisionError("That address already has a seat in {match}.", match=match.name)
    if (invitee := reply.invitee(address)).ours:
        raise DecisionError("{address} is an address of this desk.", address=address)
    if invitee.banned:
        raise DecisionError("The person with that address is banned here.")
    reply.do(clock.change_holder(match, seat, person, reply.now, decision.reason))


def _orders(reply: Reply, decision: Decision) -> None:
    match = reply.match
    name, _, text = decision.argument.partition(":")
    seat = seat_called(match, name.strip())
    orders, standing = reader.parse_all(match.standpoint(seat), text)
    if standing:
        raise DecisionError(
            "`{line}` is a standing order, which only the player can send: leave it out.", line=standing[0]
        )
    entry = commitments.new_entry(reply.case.secret, match, seat, str(orders), (None, text.strip()))
    after = with_orders(match, seat, entry, reply.now)
    key = f"orders-{match.turn}-{entry.number}"
    section = course("orders", after, seat, entry=entry, reason=decision.reason)
    parts = section, commitments.receipt(after, seat, entry)
    reply.do(
        [effects.TakeOrders(after, seat, entry), reports.to_seat(after, after.holders[seat], "course", key, *parts)]
    )
    reply.done += commitments.changed(match, after, seat)


def _position(reply: Reply, decision: Decision) -> None:
    match = reply.match
    state = match.game.placed(match.state, decision.argument)
    if match.game.result(state):
        raise DecisionError("The game is over in that position: award it instead.")
    reply.do(rollback.correct(match, state, reply.now, decision.reason))


# The whole desk


def _invite(reply: Reply, decision: Decision) -> None:
    """Invite one person for each seat of the game, in the order of the seats."""
    written, game, options = parse_wanted(decision.argument)
    people = [named_person(person) for person in split_people(written)]
    seats = seats_of(game, options)
    if len(people) != len(seats) or len({person.address.lower() for person in people}) < len(people):
        values = {"number": len(seats), "usage": _usage(decision)}
        raise DecisionError("The game needs {number}, with an address each: write `{usage}`.", **values)
    invitees = [reply.invitee(person.address) for person in people]
    refusing = [
        person.name
        for person, invitee in zip(people, invitees, strict=True)
        if invitee.refuses or invitee.banned or invitee.ours
    ]
    if refusing:
        raise DecisionError("{names} cannot be invited here.", names=listed(refusing))
    players = [invitee.player or Player(0, *person) for person, invitee in zip(people, invitees, strict=True)]
    reply.done.append(effects.NewMatch(game.name, dict(zip(seats, players, strict=True)), options, reply.case.terms))


def _ban(reply: Reply, decision: Decision) -> None:
    """Ban a person: nothing that they send counts any more. Their seats remain theirs until a game master gives the
    seats to others."""
    address = parse_person(decision.argument).address.lower()
    player, writer = reply.invitee(address).player, reply.case.writer.player
    if player is None:
        raise DecisionError("Nobody here has that address.")
    if writer and player.id == writer.id:
        raise DecisionError("That is your own address.")
    addresses.not_against(reply, address)
    reply.done.append(effects.Ban(player, decision.reason))
    for match in reply.case.facts.sitting(address):
        for seat in match.held_by(player):
            if not match.is_set_up:
                if match.league:  # the league ends it; ending it here might make the others forfeit
                    continue
                annulment = clock.annul(
                    match, reply.now, Sentence("one of the players is banned from this desk"), "the game master"
                )
                reply.do(
                    effect for effect in annulment if not (isinstance(effect, Send) and effect.player.id == player.id)
                )
            else:
                _leave_empty(reply, reply.changed.get(match.name, match), seat, decision.reason)


def _unban(reply: Reply, decision: Decision) -> None:
    invitee = reply.invitee(parse_person(decision.argument).address)
    if invitee.player is None or not invitee.banned:
        raise DecisionError("Nobody with that address is banned.")
    reply.done.append(effects.Ban(invitee.player, decision.reason, lifted=True))


def _leave_empty(reply: Reply, match: Match, seat: Seat, reason: str) -> None:
    after = replace(match, standing=without(match.standing, seat))
    if seat in match.standing:
        reply.do([effects.WithdrawOrders(after, seat)])
    key = f"banned-{match.name}-{seat}-{reply.now:%Y%m%d%H%M%S}"
    section = course("banned", after, seat, by=match.holders[seat], reason=reason)
    reply.do([reports.to_master(after, key, section)])


def _award(reply: Reply, decision: Decision) -> None:
    """Award a game: to one seat by `award GAME SEAT`, as a draw by `award GAME draw`, or by places, the first place
    first, by `award GAME SEAT, SEAT and SEAT, SEAT`. Seats joined by `and` share a place, and seats not named share the
    last place. `award GAME again` restores the result that the game had before it was reopened."""
    match = reply.match
    if decision.argument.casefold() == "again":
        if not (match.former and match.former.result):
            raise DecisionError("{match} was not reopened, or was played on since: say who has won.", match=match.name)
        reply.do(clock.finish(match, match.former.result, reply.now, "the game master", decision.reason))
        return
    words = re.sub(r"^to\s+", "", decision.argument, flags=re.I)
    named = [re.split(r"\s+and\s+", place.strip()) for place in words.casefold().split(",")]
    ranking = _places(match, named) if "," in words or len(named[0]) > 1 else ()
    (first, *others), *_ = named
    winner = None if others or first == "draw" else side_called(match, first)
    if winner:
        won = [holder for seat, holder in match.holders.items() if winner in match.sides([seat])]
        side = match.game.called[winner]
        names = listed([holder.name for holder in won])
        why = Sentence("The game master awarded the game to {name} ({side}).", name=names, side=side)
        if any(holder.untold for holder in won):
            why = Sentence("The game master awarded the game to {side}.", side=Sentence(side))
    else:
        why = Sentence("The game master awarded the game as a draw.")
    lost = ranking[-1] if ranking else [seat for seat in match.seats if winner and winner not in match.sides([seat])]
    result = Result(winner, why, forfeit=bool(lost) and match.accepted.isdisjoint(lost), ranking=ranking)
    reply.do(clock.finish(match, result, reply.now, "the game master", decision.reason))


def _places(match: Match, named: list[list[str]]) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats, grouped by place, the first place first; () in a match of two seats, where only the winner
    matters. Raises DecisionError if a seat is named twice, or if several seats form a side."""
    places = [tuple(seat_called(match, name) for name in place) for place in named]
    placed = [seat for place in places for seat in place]
    if len(set(placed)) < len(placed):
        raise DecisionError("Each side has one place: name each only once.")
    if len(match.sides(match.seats)) < len(match.seats):
        raise DecisionError("Several sides win together: award the game to one of them, or as a draw.")
    unplaced = tuple(seat for seat in match.seats if seat not in placed)
    return tuple(filter(None, (*places, unplaced))) if len(match.seats) > 2 else ()


DECIDED: Mapping[str, Callable[[Reply, Decision], None]] = {
    "extend": _extend,
    "pause": _by(lambda match, now, reason: clock.pause(match, now, Sentence("the game master"), reason)),
    "resume": _by(lambda match, now, reason: clock.resume(match, now, Sentence("the game master"), reason)),
    "process": _by(
        lambda match, now, reason: [*reports.tell(match, "process", now, reason=reason), *clock.play(match, now)]
    ),
    "words": _by(clock.go_on_without),
    "rollback": _roll_back,
    "readjudicate": _readjudicate,
    "reopen": _reopen,
    "replay": _replay,
    "replace": _replace,
    "award": _award,
    "annul": _by(lambda match, now, reason: clock.annul(match, now, reason, "the game master")),
    "position": _position,
    "orders": _orders,
    "release": _release,
    "say": lambda reply, decision: reply.do(
        reports.tell(reply.match, "say", reply.now, text=gm_letters.lines_of(decision.argument))
    ),
    "tell": gm_letters.tell,
    "decide": gm_letters.decide_claim,
    "uphold": appeals.uphold,
    "overturn": appeals.overturn,
    "letters": gm_letters.look,
    "invite": _invite,
    "address": addresses.change,
    "ban": _ban,
    "unban": _unban,
}
"""The functions that carry out decisions, keyed by command word; for a match, `lifecycle` must allow them first."""
