"""What somebody can say for himself, in a game or in none: invitations, vacations, addresses, his own data."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date

from pbem import PbemError
from pbem.games import GAMES
from pbem.games.base import Sentence
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
from pbem.match.identity import Person, Player, parse_language, parse_person
from pbem.match.model import Case, Invitee, Match, Section
from pbem.match.reply import Reply
from pbem.orders import reader
from pbem.orders.command import Asking, Command, Help, Simple
from pbem.orders.commands import player_usage
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


def obey(answer: Reply, command: Command) -> None:
    """Do what somebody's own command says."""
    try:
        match command:
            case Help():
                answer.tell("help", topic=command.topic, match=answer.match, seat=answer.seat)
            case Asking(word, "") if word not in _ALONE:
                answer.notice("incomplete", word=word, usage=player_usage(word))
            case Asking(word, argument):
                _ASKING[word](answer, argument)
            case Simple(word):
                _SIMPLE[word](answer)
    except PbemError as error:
        answer.notice("not understood", why=sections.why(error))


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


def invitee(answer: Reply, written: str) -> Invitee | None:
    """Whom a command names, if a letter may go to him; else the writer is told why not. Raises PersonError."""
    address, case = parse_person(written).address.lower(), answer.case
    found = case.invitees.get(address) or Invitee(address, None)
    if found.player and found.player.id == person(answer).id:
        answer.notice("yourself")
    elif found.refuses or found.banned:
        answer.notice("refuses", address=address)  # the same words for all, so that they tell nothing
    elif found.asked:
        answer.notice("asked already", address=address)
    elif case.invited >= INVITATIONS:
        answer.notice("too many invitations", limit=INVITATIONS)
    else:
        answer.case = replace(case, invited=case.invited + 1)
        return found
    return None


def person(answer: Reply) -> Player:
    """Who writes, as we know him by now."""
    player = answer.case.writer.player
    assert player is not None
    return player


# Taking part


def _join(answer: Reply, league: str) -> None:
    case, player = answer.case, person(answer)
    name = _one_of(case.leagues, league) if league else ""
    if name is None:
        answer.notice("no such league", league=league, word="joined", names=case.leagues)
    elif name in case.joined:
        answer.notice("joined already", league=name)
    else:
        answer.done.append(Join(player, name))
        answer.case = replace(case, joined=case.joined | {name})
        answer.notice("joined", league=name)


def _leave(answer: Reply, league: str) -> None:
    case, player = answer.case, person(answer)
    name = _one_of(case.joined, league)
    if name is None:
        answer.notice("not joined", league=league, names=sorted(filter(None, case.joined)))
    else:
        answer.done.append(Leave(player, name))
        answer.case = replace(case, joined=case.joined - {name})
        answer.notice("left", league=name)


def _one_of(names: tuple[str, ...] | frozenset[str], written: str) -> str | None:
    return next((name for name in names if name.casefold() == written.casefold()), None)


def _challenge(answer: Reply, written: str) -> None:
    """The other one is invited: by the same letter whoever invites, with no words of his."""
    if "@" not in written:
        _challenge_in_league(answer, written)
        return
    found = invitee(answer, written)
    if found:
        other = found.player or Player(0, "", parse_person(written).address)
        answer.done.append(Invite(GAMES[0], (person(answer), other), {}, answer.case.terms))
        asked = found._replace(asked=True)
        answer.case = replace(answer.case, invitees={**answer.case.invitees, found.address: asked})
        answer.notice("invited", address=found.address)


def _challenge_in_league(answer: Reply, written: str) -> None:
    """In a ladder nobody is asked whether he would like to defend his place."""
    case, (rival, _, league) = answer.case, written.rpartition(" in ")
    possible = case.rivals.get(league.casefold())
    name = _one_of(frozenset(possible or ()), rival)
    if possible is None:
        answer.notice("no such league", league=league, word="played for", names=case.leagues)
    elif name is None:
        answer.notice("no such rival", league=league, name=rival, names=sorted(possible))
    else:
        answer.done.append(Challenge(person(answer), possible[name], league))
        answer.case = replace(case, rivals={**case.rivals, league.casefold(): {}})
        answer.notice("challenged", league=league, name=name)


def _yes(answer: Reply) -> None:
    """`yes` to a letter about no seat of his: that a letter or an address is his, or that he takes a seat over."""
    case, player = answer.case, person(answer)
    confirm = Confirm(replace(player, name=case.name or player.name), case.address)
    if case.answered is not None and case.answered in case.held:
        answer.done += [confirm, Release(case.answered, player)]
        answer.notice("confirmed")
    elif case.offered:
        answer.done.append(confirm)
        _take_seat(answer, *case.offered)
    elif case.address in case.unconfirmed:
        notice = Section("notice", {"reason": "address yours", "address": case.address})
        answer.done.append(confirm)
        if case.address != player.address.lower():
            here = replace(player, address=case.address)
            answer.done.append(Send("notice", f"confirmed-{case.letter}", here, (notice,)))
        answer.notice("address yours", address=case.address)
    else:
        answer.notice("nothing asked")


def _take_seat(answer: Reply, match: Match, seat: str) -> None:
    player = person(answer)
    if match.phase not in ("running", "paused"):
        answer.notice("not now", at=match)
        return
    if any(holder.player.id == player.id for holder in match.holders.values()):
        answer.notice("own game", name=match.name)
        return
    to = Person(player.name or answer.case.name or seat.title(), player.address)
    answer.done += clock.change_holder(match, seat, to, answer.now, "")
    answer.notice("taken over", at=match, taken=seat)


def _decline(answer: Reply, argument: str) -> None:
    """No to a seat that is offered, and with `always` to whatever else may be."""
    case, always = answer.case, bool(argument)
    if case.offered:
        match, seat = case.offered
        told = Section("course", {"what": "offer declined", "match": match, "seat": seat})
        key = f"offer-declined-{case.letter}"
        answer.done += [EndOffer(match, seat), reports.to_seat(match, match.holders[seat], "course", key, told)]
    if always:
        answer.done.append(Refuse(replace(person(answer), address=case.address)))
    answer.notice("refused" if always or case.offered else "nothing asked", always=always)


# Himself


def _zone(answer: Reply, text: str) -> None:
    player = replace(person(answer), zone=parse_zone(text))
    answer.done.append(SetZone(player, player.zone))
    _is_now(answer, player)
    answer.notice("zone", zone=player.zone)


def _language(answer: Reply, text: str) -> None:
    player = replace(person(answer), language=parse_language(text))
    answer.done.append(SetLanguage(player, player.language))
    _is_now(answer, player)
    answer.notice("language", language=player.language)
    if (match := answer.match) and answer.seat and match.phase == "offered":  # so that he can read what he is asked
        answer.tell("invitation", match=match, seat=answer.seat, others=match.others(answer.seat))
    elif answer.reading.orders is None:
        answer.position()


def _is_now(answer: Reply, player: Player) -> None:
    answer.case = replace(answer.case, writer=replace(answer.case.writer, player=player))


def _vacation(answer: Reply, text: str) -> None:
    case, player = answer.case, person(answer)
    zone = player.zone or case.zone
    today = answer.now.astimezone(load_zone(zone)).date()
    if text.casefold() in _NO_VACATION:
        waited = [match.deadline.moment for match in case.own if match.deadline]
        spent = tuple(one for one in player.absences if any(one.begins < moment for moment in waited))
        answer.case = replace(case, spent=(*case.spent, *spent))
        answer.done.append(Away(player, None, spent))
        _is_now(answer, replace(player, absences=()))
        answer.notice("back")
        return
    absence = Absence(*parse_dates(text, today), zone)
    player = replace(player, absences=(*player.absences, absence))
    limit = min((match.terms.vacation for match in case.own), default=case.terms.vacation)
    years = (absence.first.year, absence.last.year)
    away = (*case.spent, *player.absences)
    used = [days_used(away, date(year, 1, 1), date(year, 12, 31)) for year in years]
    if max(used) > limit:
        answer.notice("too long away", limit=limit, used=max(used))
        return
    answer.done.append(Away(player, absence))
    _is_now(answer, player)
    moved = [match for one in case.own if (match := _tell_away(answer, one, absence))]
    answer.notice("away", absence=absence, left=limit - used[0], year=years[0], moved=moved)


def _tell_away(answer: Reply, match: Match, absence: Absence) -> Match | None:
    """In each of his games the others are told; the match if its deadline has to move."""
    player = person(answer)
    before = answer.match if answer.match and answer.match.id == match.id else match  # as it is meanwhile
    mine = [seat for seat, holder in before.holders.items() if holder.player.id == player.id]
    if before.phase == "offered" or before.result:
        return None
    holders = {**before.holders, **{seat: replace(before.holders[seat], player=player) for seat in mine}}
    after = clock.clear_of_absences(replace(before, holders=holders), answer.now)
    moved = after.deadline != before.deadline
    told = {"what": "away", "match": after, "absence": absence, "moved": moved}
    key = f"away-{answer.case.letter}-{len(answer.done)}"
    if moved:
        answer.do([Save(after)])
    answer.do(
        reports.to_seat(after, other, "away", key, Section("course", {**told, "seat": other.seat, "by": holders[seat]}))
        for seat in mine
        for other in after.others(seat)
    )
    return after if moved else None


def _address(answer: Reply, written: str) -> None:
    """A new address counts when a `yes` has come from it."""
    player, address = person(answer), parse_person(written).address
    known = answer.case.invitees.get(address.lower())
    if known and known.player:
        answer.notice("address known", address=address, own=known.player.id == player.id)
    elif invitee(answer, written):
        notice = Section("notice", {"reason": "your new address"})
        new = replace(player, name="", address=address)
        key = f"address-{answer.case.letter}-{len(answer.done)}"
        answer.done += [NewAddress(player, address), Send("notice", key, new, (notice,))]
        answer.notice("address asked", address=address)


def _my_data(answer: Reply) -> None:
    answer.tell("data", data=answer.case.data)


def _forget(answer: Reply) -> None:
    """Invitations lapse; whoever still plays has to end that first."""
    playing = [match.name for match in answer.case.own if match.phase != "offered"]
    if playing:
        answer.notice("still playing", names=playing)
        return
    player = person(answer)
    for match in answer.case.own:
        told = clock.annul(match, answer.now, Sentence("an invitation was declined"), "the players")
        answer.do(one for one in told if not (isinstance(one, Send) and one.player.id == player.id))
    answer.done.append(Forget(player))
    answer.notice("forgotten")


def _status(answer: Reply) -> None:
    for section in games_of(answer.by_now()):
        answer.tell(section.template, **section.values)
    if answer.reading.orders is None:  # else the receipt has shown the board
        answer.position()


def games_of(case: Case) -> list[Section]:
    """All that `status` tells somebody, wherever he asks: of the games that he runs, and of those that he plays."""
    overseen = [Section("overseen", {"games": case.oversees})] if case.oversees else []
    if overseen and not (case.games or case.watched):
        return overseen
    return [*overseen, Section("status", {"games": case.games, "watched": case.watched, "strength": case.strength})]


# Watching


def _observe(answer: Reply, name: str) -> None:
    match, player = answer.case.named.get(name.lower()), person(answer)
    if match is None or match.phase in ("offered", "finished", "annulled"):
        answer.notice("no such game", name=name)
    elif any(holder.player.id == player.id for holder in match.holders.values()):
        answer.notice("own game", name=match.name)
    else:
        answer.done += [Observe(match, player, on=True), Note("observe", {"player": player.id}, match)]
        answer.notice("observing", name=match.name)


def _unobserve(answer: Reply, name: str) -> None:
    match, player = answer.case.named.get(name.lower()), person(answer)
    if match is None or match.name not in answer.case.watched:
        answer.notice("not observing", name=name)
    else:
        answer.done.append(Observe(match, player, on=False))
        answer.notice("no longer observing", name=match.name)


def _record(answer: Reply, name: str) -> None:
    """The record of a game that has begun, for whoever asks: what is secret in it is not in its record."""
    match = answer.named.get(name.lower()) if name else answer.match
    if match is None and not name:
        answer.notice("incomplete", word="record", usage=player_usage("record"))
    elif match is None or not match.accepted.issuperset(match.seats):
        answer.notice("no record", name=name or answer.table.name)
    else:
        answer.tell("record", match=match)


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
