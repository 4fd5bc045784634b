"""What somebody can say for himself, in a game or in none: invitations, vacations, addresses, his own data."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

from pbem import PbemError
from pbem.games.base import Sentence
from pbem.i18n.words import parse_language
from pbem.match import clock, reports, sections
from pbem.match.effects import (
    Away,
    Challenge,
    Confirm,
    Effect,
    EndOffer,
    Forget,
    Hold,
    Invite,
    Join,
    Leave,
    Meet,
    NewAddress,
    Note,
    Observe,
    Outcome,
    Refuse,
    Release,
    Save,
    Send,
    SetLanguage,
    SetZone,
)
from pbem.match.identity import Person, Player, parse_person
from pbem.match.model import Case, Invitee, Match, Section
from pbem.match.reply import Reply
from pbem.orders import reader
from pbem.orders.command import Asking, Command, Help, Simple
from pbem.orders.commands import player_usage
from pbem.orders.wanted import parse_challenge
from pbem.times.dates import parse_dates
from pbem.times.moments import load_zone
from pbem.times.vacations import Absence, days_used
from pbem.times.zones import parse_zone

INVITATIONS = 3
"""How many letters to people who have not asked for them somebody may cause in a day."""

_WITHOUT_SEAT = frozenset(("yes", "accept", "decline", "status"))
_NO_VACATION = ("none", "end", "over")


def understands(command: Command) -> bool:
    """Whether a command that is usually a seat's makes sense without one, too."""
    return isinstance(command, Simple | Asking) and command.word in _WITHOUT_SEAT


def confirms(command: Command) -> bool:
    """Whether a command is an answer to a letter of ours, and so may come from an address that is not confirmed."""
    return understands(command) and command != Simple("status")


def obey(reply: Reply, command: Command) -> None:
    """Do what somebody's own command says."""
    try:
        match command:
            case Help():
                reply.tell("help", topic=command.topic, match=reply.match, seat=reply.seat)
            case Asking(word, "") if word not in _ALONE:
                reply.notice("incomplete", word=word, usage=player_usage(word))
            case Asking(word, argument):
                _ASKING[word](reply, argument)
            case Simple(word):
                _SIMPLE[word](reply)
    except PbemError as error:
        reply.notice("not understood", why=sections.why(error))


def joins(case: Case) -> list[Effect] | None:
    """A stranger who wants to join is asked whether that is really him; None if he wants something else."""
    known = case.invitees.get(case.address)
    unwelcome = known is not None and (known.refuses or known.banned)
    if unwelcome or not any(isinstance(one, Asking) and one.word == "join" for one in reader.read_commands(case.text)):
        return None
    stranger = Player(0, case.name, case.address)
    notice = Section("notice", {"reason": "who are you"})
    asked = Send("stranger", f"warning-{case.letter}", stranger, (notice,), answers=case.message_id)
    return [Outcome("a stranger who wants to join"), Meet(stranger), Hold(case.letter, case.address), asked]


def invitee(reply: Reply, written: str) -> Invitee | None:
    """Whom a command names, if a letter may go to him; else the writer is told why not. Raises PersonError."""
    address, case = parse_person(written).address.lower(), reply.case
    found = case.invitees.get(address) or Invitee(address, None)
    if found.player and found.player.id == person(reply).id:
        reply.notice("yourself")
    elif found.refuses or found.banned:
        reply.notice("refuses", address=address)  # the same words for all, so that they tell nothing
    elif found.asked:
        reply.notice("asked already", address=address)
    elif case.invited >= INVITATIONS:
        reply.notice("too many invitations", limit=INVITATIONS)
    else:
        reply.case = replace(case, invited=case.invited + 1)
        return found
    return None


def person(reply: Reply) -> Player:
    """Who writes, as we know him by now."""
    player = reply.case.writer.player
    assert player is not None
    return player


# Taking part


def _join(reply: Reply, league: str) -> None:
    case, player = reply.case, person(reply)
    name = _one_of(case.leagues, league) if league else ""
    if name is None:
        reply.notice("no such league", league=league, word="joined", names=case.leagues)
    elif name in case.joined:
        reply.notice("joined already", league=name)
    else:
        reply.done.append(Join(player, name))
        reply.case = replace(case, joined=case.joined | {name})
        reply.notice("joined", league=name)


def _leave(reply: Reply, league: str) -> None:
    case, player = reply.case, person(reply)
    name = _one_of(case.joined, league)
    if name is None:
        reply.notice("not joined", league=league, names=sorted(filter(None, case.joined)))
    else:
        reply.done.append(Leave(player, name))
        reply.case = replace(case, joined=case.joined - {name})
        reply.notice("left", league=name)


def _one_of(names: tuple[str, ...] | frozenset[str], written: str) -> str | None:
    return next((name for name in names if name.casefold() == written.casefold()), None)


def _challenge(reply: Reply, written: str) -> None:
    """The other one is invited: by the same letter whoever invites, with no words of his."""
    if "@" not in written:
        _challenge_in_league(reply, written)
        return
    wanted = parse_challenge(written)
    found = invitee(reply, wanted.people)
    if found:
        other = found.player or Player(0, "", parse_person(wanted.people).address)
        reply.done.append(Invite(wanted.game, (person(reply), other), wanted.options, reply.case.terms))
        asked = found._replace(asked=True)
        reply.case = replace(reply.case, invitees={**reply.case.invitees, found.address: asked})
        reply.notice("invited", address=found.address)


def _challenge_in_league(reply: Reply, written: str) -> None:
    """In a ladder nobody is asked whether he would like to defend his place."""
    case, (rival, _, league) = reply.case, written.rpartition(" in ")
    possible = case.rivals.get(league.casefold())
    name = _one_of(frozenset(possible or ()), rival)
    if possible is None:
        reply.notice("no such league", league=league, word="played for", names=case.leagues)
    elif name is None:
        reply.notice("no such rival", league=league, name=rival, names=sorted(possible))
    else:
        reply.done.append(Challenge(person(reply), possible[name], league))
        reply.case = replace(case, rivals={**case.rivals, league.casefold(): {}})
        reply.notice("challenged", league=league, name=name)


def _yes(reply: Reply) -> None:
    """`yes` to a letter about no seat of his: that a letter or an address is his, or that he takes a seat over."""
    case, player = reply.case, person(reply)
    confirm = Confirm(replace(player, name=case.name or player.name), case.address)
    if case.answered is not None and case.answered in case.held:
        reply.done += [confirm, Release(case.answered, player)]
        reply.notice("confirmed")
    elif case.offered:
        reply.done.append(confirm)
        _take_seat(reply, *case.offered)
    elif case.address in case.unconfirmed:
        notice = Section("notice", {"reason": "address yours", "address": case.address})
        reply.done.append(confirm)
        if case.address != player.address.lower():
            here = replace(player, address=case.address)
            reply.done.append(Send("notice", f"confirmed-{case.letter}", here, (notice,)))
        reply.notice("address yours", address=case.address)
    else:
        reply.notice("nothing asked")


def _take_seat(reply: Reply, match: Match, seat: str) -> None:
    player = person(reply)
    if match.phase not in ("running", "paused"):
        reply.notice("not now", at=match)
        return
    if any(holder.player.id == player.id for holder in match.holders.values()):
        reply.notice("own game", name=match.name)
        return
    to = Person(player.name or reply.case.name or seat.title(), player.address)
    reply.done += clock.change_holder(match, seat, to, reply.now, "")
    reply.notice("taken over", at=match, taken=seat)


def _decline(reply: Reply, argument: str) -> None:
    """No to a seat that is offered, and with `always` to whatever else may be."""
    case, always = reply.case, bool(argument)
    if case.offered:
        match, seat = case.offered
        told = Section("course", {"what": "offer declined", "match": match, "seat": seat})
        key = f"offer-declined-{case.letter}"
        reply.done += [EndOffer(match, seat), reports.to_seat(match, match.holders[seat], "course", key, told)]
    if always:
        reply.done.append(Refuse(replace(person(reply), address=case.address)))
    reply.notice("refused" if always or case.offered else "nothing asked", always=always)


# Himself


def _zone(reply: Reply, text: str) -> None:
    player = replace(person(reply), zone=parse_zone(text))
    reply.done.append(SetZone(player, player.zone))
    _is_now(reply, player)
    reply.notice("zone", zone=player.zone)


def _language(reply: Reply, text: str) -> None:
    player = replace(person(reply), language=parse_language(text))
    reply.done.append(SetLanguage(player, player.language))
    _is_now(reply, player)
    reply.notice("language", language=player.language)
    if (match := reply.match) and reply.seat and match.phase == "offered":  # so that he can read what he is asked
        reply.tell("invitation", match=match, seat=reply.seat, others=match.others(reply.seat))
    elif reply.reading.orders is None:
        reply.position()


def _is_now(reply: Reply, player: Player) -> None:
    reply.case = replace(reply.case, writer=replace(reply.case.writer, player=player))


def _vacation(reply: Reply, text: str) -> None:
    case, player = reply.case, person(reply)
    zone = player.zone or case.zone
    today = reply.now.astimezone(load_zone(zone)).date()
    if text.casefold() in _NO_VACATION:
        waited = [match.deadline.moment for match in case.own if match.deadline]
        spent = tuple(one for one in player.absences if any(one.begins < moment for moment in waited))
        reply.case = replace(case, spent=(*case.spent, *spent))
        reply.done.append(Away(player, None, spent))
        _is_now(reply, replace(player, absences=()))
        reply.notice("back")
        return
    absence = Absence(*parse_dates(text, today), zone)
    player = replace(player, absences=(*player.absences, absence))
    limit = min((match.terms.vacation for match in case.own), default=case.terms.vacation)
    years = (absence.first.year, absence.last.year)
    away = (*case.spent, *player.absences)
    used = [days_used(away, date(year, 1, 1), date(year, 12, 31)) for year in years]
    if max(used) > limit:
        reply.notice("too long away", limit=limit, used=max(used))
        return
    reply.done.append(Away(player, absence))
    _is_now(reply, player)
    moved = [match for one in case.own if (match := _tell_away(reply, one, absence))]
    reply.notice("away", absence=absence, left=limit - used[0], year=years[0], moved=moved)


def _tell_away(reply: Reply, match: Match, absence: Absence) -> Match | None:
    """In each of his games the others are told; the match if its deadline has to move."""
    player = person(reply)
    before = reply.match if reply.match and reply.match.id == match.id else match  # as it is meanwhile
    mine = [seat for seat, holder in before.holders.items() if holder.player.id == player.id]
    if before.phase == "offered" or before.result:
        return None
    holders = {**before.holders, **{seat: replace(before.holders[seat], player=player) for seat in mine}}
    after = clock.clear_of_absences(replace(before, holders=holders), reply.now)
    moved = after.deadline != before.deadline
    told = {"what": "away", "match": after, "absence": absence, "moved": moved}
    key = f"away-{reply.case.letter}-{len(reply.done)}"
    if moved:
        reply.do([Save(after)])
    reply.do(
        reports.to_seat(after, other, "away", key, Section("course", {**told, "seat": other.seat, "by": holders[seat]}))
        for seat in mine
        for other in after.others(seat)
    )
    return after if moved else None


def _address(reply: Reply, written: str) -> None:
    """A new address counts when a `yes` has come from it."""
    player, address = person(reply), parse_person(written).address
    known = reply.case.invitees.get(address.lower())
    if known and known.player:
        reply.notice("address known", address=address, own=known.player.id == player.id)
    elif invitee(reply, written):
        notice = Section("notice", {"reason": "your new address"})
        new = replace(player, name="", address=address)
        key = f"address-{reply.case.letter}-{len(reply.done)}"
        reply.done += [NewAddress(player, address), Send("notice", key, new, (notice,))]
        reply.notice("address asked", address=address)


def _my_data(reply: Reply) -> None:
    reply.tell("data", data=reply.case.data)


def _forget(reply: Reply) -> None:
    """Invitations lapse; whoever still plays has to end that first."""
    playing = [match.name for match in reply.case.own if match.phase != "offered"]
    if playing:
        reply.notice("still playing", names=playing)
        return
    player = person(reply)
    for match in reply.case.own:
        told = clock.annul(match, reply.now, Sentence("an invitation was declined"), "the players")
        reply.do(one for one in told if not (isinstance(one, Send) and one.player.id == player.id))
    reply.done.append(Forget(player))
    reply.notice("forgotten")


def _status(reply: Reply) -> None:
    for section in games_of(reply.by_now()):
        reply.tell(section.template, **section.values)
    if reply.reading.orders is None:  # else the receipt has shown the board
        reply.position()


def games_of(case: Case) -> list[Section]:
    """All that `status` tells somebody, wherever he asks: of the games that he runs, and of those that he plays."""
    overseen = [Section("overseen", {"games": case.oversees})] if case.oversees else []
    if overseen and not (case.games or case.watched):
        return overseen
    return [*overseen, Section("status", {"games": case.games, "watched": case.watched, "strength": case.strength})]


# Watching


def _observe(reply: Reply, name: str) -> None:
    match, player = reply.case.named.get(name.lower()), person(reply)
    if match is None or match.phase in ("offered", "finished", "annulled"):
        reply.notice("no such game", name=name)
    elif any(holder.player.id == player.id for holder in match.holders.values()):
        reply.notice("own game", name=match.name)
    else:
        reply.done += [Observe(match, player, on=True), Note("observe", {"player": player.id}, match)]
        reply.notice("observing", name=match.name)


def _unobserve(reply: Reply, name: str) -> None:
    match, player = reply.case.named.get(name.lower()), person(reply)
    if match is None or match.name not in reply.case.watched:
        reply.notice("not observing", name=name)
    else:
        reply.done.append(Observe(match, player, on=False))
        reply.notice("no longer observing", name=match.name)


def _record(reply: Reply, name: str) -> None:
    """The record of a game that has begun, for whoever asks: what is secret in it is not in its record."""
    match = reply.named.get(name.lower()) if name else reply.match
    if match is None and not name:
        reply.notice("incomplete", word="record", usage=player_usage("record"))
    elif match is None or not match.accepted.issuperset(match.seats):
        reply.notice("no record", name=name or reply.table.name)
    else:
        reply.tell("record", match=match)


_ALONE = ("join", "leave", "decline", "record")

_ASKING: Mapping[str, Callable[[Reply, str], None]] = {
    "join": _join,
    "leave": _leave,
    "challenge": _challenge,
    "decline": _decline,
    "vacation": _vacation,
    "zone": _zone,
    "language": _language,
    "address": _address,
    "observe": _observe,
    "unobserve": _unobserve,
    "record": _record,
}

_SIMPLE: Mapping[str, Callable[[Reply], None]] = {
    "status": _status,
    "yes": _yes,
    "accept": _yes,
    "my data": _my_data,
    "forget me": _forget,
}
