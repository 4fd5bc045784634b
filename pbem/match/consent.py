"""Yes and no to what a letter of ours asks: corrections, invitations, seats, addresses, letters that are held."""

from dataclasses import replace

from pbem.games.base import Sentence
from pbem.match import addresses, clock, player_commands, press, reports
from pbem.match.effects import (
    Confirm,
    EndOffer,
    Note,
    Refuse,
    Release,
    Save,
)
from pbem.match.identity import Person, Player
from pbem.match.lifecycle import may
from pbem.match.model import Match, Section
from pbem.match.reply import Reply
from pbem.orders import reader


def yes(reply: Reply) -> None:
    """`yes` to the letter that this one answers."""
    if reply.seat:
        _yes_of_seat(reply)
    else:
        _yes_of_person(reply)


def accept(reply: Reply) -> None:
    """`accept` takes part in a game; without a seat it is as good as `yes`, for a seat may be offered."""
    if reply.seat:
        _take_part(reply)
    else:
        _yes_of_person(reply)


def decline(reply: Reply, argument: str) -> None:
    """No to a game or a seat that is offered, and with `always` to whatever else may be."""
    always = bool(argument)
    player = _decline_game(reply, always=always) if reply.seat else _decline_seat(reply, always=always)
    if always:
        reply.done.append(Refuse(replace(player, address=reply.case.address)))


# Somebody at a seat


def _yes_of_seat(reply: Reply) -> None:
    """Whether to resign, to take part, whose letter it was, or that a correction counts."""
    match, seat, case = reply.table, reply.seat, reply.case
    asked = match.resigning.get(seat)
    if claim := addresses.asked_about(reply):
        addresses.agree(reply, claim)
    if asked is not None and asked == case.answered and reply.current:
        _resign(reply)
    elif claim and case.answered not in match.proposals.get(seat, {}):
        pass
    elif may(match, "all accept"):
        _take_part(reply)
    elif reply.reading.mistakes or reply.reading.orders is not None:
        reply.notice("yes and orders")
    elif case.answered is not None and case.answered in match.held.get(seat, ()):
        reply.done.append(Release(case.answered, match.holders[seat].player))
        reply.notice("released", address=case.held_from.address if case.held_from else "")
        _ask_the_sender(reply)
    elif (words := press.asked(reply)) is not None:
        press.send(reply, words)
    elif not reply.current:
        reply.too_late()
    elif proposed := _proposed(reply):
        reply.take(reader.parse(match.game, match.state, seat, proposed))
    else:
        reply.notice("nothing proposed")


def _ask_the_sender(reply: Reply) -> None:
    """A held letter is the seat's; whether its address is, too, only that address can say."""
    case, found = reply.case, reply.case.held_from
    unwanted = found is None or found.player or found.refuses or found.banned or found.ours
    if found and not unwanted and case.invited < player_commands.INVITATIONS:
        reply.case = replace(case, invited=case.invited + 1)
        reply.done += addresses.ask_there(reply, reply.person, found.address, agreed=True)


def _proposed(reply: Reply) -> str | None:
    """The correction that is sent: that of the letter which is answered, or the newest where it cannot be seen which
    that is."""
    match, seat = reply.table, reply.seat
    proposals, standing = match.proposals.get(seat, {}), match.standing.get(seat)
    newest = max((letter for letter in proposals if not standing or letter > (standing.letter or 0)), default=None)
    letter = newest if reply.case.answered is None else reply.case.answered
    return None if letter is None else proposals.get(letter)


def _resign(reply: Reply) -> None:
    match, seat = reply.table, reply.seat
    reply.notice("resigned")
    reply.do(clock.resign(match, seat, reply.now))


def _take_part(reply: Reply) -> None:
    """The seat takes part, under the name that its holder calls himself; the game begins when all do."""
    match, seat, case = reply.table, reply.seat, reply.case
    if not may(match, "all accept") or seat in match.accepted:
        reply.notice("accepted already")
        return
    holder = match.holders[seat]
    if case.unconfirmed and case.name:
        holder = replace(holder, name=case.name, player=replace(holder.player, name=case.name))
    accepted = match.accepted | {seat}
    after = replace(match, accepted=accepted, holders={**match.holders, seat: holder})
    reply.do([Save(after), Confirm(holder.player, case.address), Note("accept", {"seat": seat}, after)])
    if accepted.issuperset(match.seats):
        reply.do(clock.begin(reply.table, reply.now))
        reply.notice("begun")
    else:
        reply.notice("accepted")


def _decline_game(reply: Reply, *, always: bool) -> Player:
    """Who does not take part."""
    match = reply.table
    if may(match, "somebody declines"):
        reply.do(clock.annul(match, reply.now, Sentence("an invitation was declined"), "the players"))
        reply.notice("declined", always=always)
    else:
        reply.notice("refused" if always else "accepted already", always=always)
    return match.holders[reply.seat].player


# Somebody without a seat


def _yes_of_person(reply: Reply) -> None:
    """That a letter or an address is theirs, or that they take a seat over."""
    case, player = reply.case, reply.person
    confirm = Confirm(replace(player, name=case.name or player.name), case.address)
    claim = case.claims.get(case.address)
    if case.confirmed:  # what somebody has owned to answers nothing by itself
        reply.notice("nothing asked")
    elif case.unconfirmed and case.address != player.address.lower():
        if claim and claim.free and not claim.taken:
            addresses.answer_there(reply, claim)
        else:
            reply.notice("nothing asked")
    elif case.answered is not None and case.answered in case.held:
        reply.done += [confirm, Release(case.answered, player)]
        reply.notice("confirmed")
    elif case.offered:
        reply.done.append(confirm)
        _take_seat(reply, *case.offered)
    elif asked := addresses.asked_about(reply):
        addresses.agree(reply, asked)
    elif case.unconfirmed:
        reply.done.append(confirm)
        reply.notice("address yours", address=case.address, old=False, instead="")
    else:
        reply.notice("nothing asked")


def _take_seat(reply: Reply, match: Match, seat: str) -> None:
    player = reply.person
    if not may(match, "somebody hands over"):
        reply.notice("not now", at=match)
        return
    if seat in match.gone:
        reply.notice("seat gone", at=match)
        return
    if any(holder.player.id == player.id for holder in match.holders.values()):
        reply.notice("own game", name=match.name)
        return
    to = Person(player.name or reply.case.name or str(match.game.called[seat]), player.address)
    reply.done += clock.change_holder(match, seat, to, reply.now, "")
    reply.notice("taken over", at=match, taken=seat)


def _decline_seat(reply: Reply, *, always: bool) -> Player:
    """Who does not take a seat over."""
    case = reply.case
    if case.offered:
        match, seat = case.offered
        told = Section("course", {"what": "offer declined", "match": match, "seat": seat})
        key = f"offer-declined-{case.letter}"
        reply.done += [EndOffer(match, seat), reports.to_seat(match, match.holders[seat], "course", key, told)]
    reply.notice("refused" if always or case.offered else "nothing asked", always=always)
    return reply.person
