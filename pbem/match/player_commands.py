"""Commands that people give for themselves, whether they are in a game or not: about leagues, invitations, vacations,
the letters that they get, and their own data.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import partial

from pbem import Sentence, games
from pbem.games import DEFAULT, find_game
from pbem.games.base import seats_of
from pbem.games.options import seats_chosen
from pbem.i18n.words import parse_language
from pbem.match import clock, effects, reports, sandboxes
from pbem.match.effects import Section, course, notice
from pbem.match.facts import Facts
from pbem.match.identity import Player, parse_person
from pbem.match.lifecycle import may
from pbem.match.mail_wishes import set_digest, set_number_of_letters, set_parts
from pbem.match.model import UNDO, Invitee, Match
from pbem.match.overview import Seated, Waiting
from pbem.match.reply import Reply
from pbem.match.time_control import clear_of_absences, deadline_for, settle
from pbem.orders import lookups
from pbem.orders.asked_leagues import SHOWING, AskedLeague, asked_league
from pbem.orders.command import Asking, LookUp, Simple
from pbem.orders.commands import DECISIONS, player_usage
from pbem.orders.wanted import Wanted, is_computer, parse_challenge, split_people
from pbem.times.dates import parse_dates, parse_zone
from pbem.times.deadlines import Absence, days_used
from pbem.times.moments import load_zone

MAX_RECORDS = 3
"""The maximum number of records that are attached to one answer."""

MAX_CONSULTED = 5
"""The maximum number of matches in which something is looked up for a letter that is about no match."""

INVITATIONS = 3
"""The maximum number of unsolicited letters that a person may cause the desk to send per day."""

UNANSWERED = 3
"""The maximum number of unsolicited letters to one address that may be unanswered, whoever caused them."""

_NO_VACATION = ("none", "end", "over")


def look_up(reply: Reply, command: LookUp) -> None:
    """Answer a question about something in a game, such as a card, using only what the writer may know."""
    if command.game:
        reply.sections += [look_up_in_game(command)]
        return
    word, name = command.word, command.argument
    for match in (reply.about,) if reply.about else reply.case.facts.consulted[-MAX_CONSULTED:]:
        game = lookups.consulted(match.game)
        seat = reply.seat or next(iter(match.held_by(reply.person)), None)
        view = match.as_told().view(seat)
        if game and game.look_up(view, word, name) is not None:
            reply.tell("lookup", of="" if reply.about else match.name, told=partial(game.look_up, view, word, name))


def look_up_in_game(command: LookUp) -> Section:
    """Return the section that looks something up in the game that `command` names, outside any match."""
    game = find_game(command.game)
    consulted = lookups.consulted(game)
    assert consulted
    look = partial(consulted.look_up, lookups.initial_view(game), command.word, command.argument)
    return Section("lookup", {"of": game.title, "told": look})


def may_write(reply: Reply, invitee: Invitee) -> bool:
    """Return whether the writer may have the desk write to `invitee`, who may not have asked for a letter. If so, count
    the letter; if not, tell the writer why, in words that reveal nothing about the invitee."""
    if invitee.player and invitee.player.id == reply.person.id:
        reply.notice("yourself")
    elif invitee.ours:
        reply.notice("our own", address=invitee.address)
    elif invitee.is_asked:
        reply.notice("asked already", address=invitee.address)
    elif invitee.unanswered >= UNANSWERED:
        reply.notice("enough unanswered", address=invitee.address, limit=UNANSWERED)
    elif not has_room(reply, invitee):
        reply.notice("too many invitations", limit=INVITATIONS)
    else:
        reply.invited += 1
        return True
    return False


def has_room(reply: Reply, invitee: Invitee) -> bool:
    """Return whether the limits allow the writer to have another letter sent to `invitee`, who has not asked for it."""
    return reply.case.facts.invited + reply.invited < INVITATIONS and invitee.unanswered < UNANSWERED


# Taking part


def join(reply: Reply, where: str) -> None:
    """Join the league that `where` names, or wait for the next match of the game that it names. If `where` is empty,
    the usual game is meant."""
    reply.introduce()
    facts, titles = reply.case.facts, {name: game.title for name, game in games.GAMES.items()}
    league, name = _one_of(facts.leagues, where), _one_of(tuple(titles), where or DEFAULT)
    if league:
        _join_league(reply, league)
    elif name is None:
        reply.notice("no such league", league=where, word="joined", names=[*titles, *facts.leagues])
    elif name in reply.awaits:
        reply.notice("joined already", league="", game=titles[name], waiting=_waiting(facts, titles[name]))
    else:
        reply.done.append(effects.Join(reply.person, "", name))
        reply.awaits |= {name}
        others = [] if where else [title for title in titles if title != name]
        waiting = [row for row in _waiting(facts, titles[name]) if not row.mine]
        values = {"game": titles[name], "name": name, "usual": name == DEFAULT}
        reply.notice("joined", league="", **values, games=others, waiting=waiting)


def _waiting(facts: Facts, title: str) -> list[Waiting]:
    return [row for row in facts.lobby.waiting if row.game == title]


def _join_league(reply: Reply, league: str) -> None:
    reply.done.append(effects.Join(reply.person, league, ""))  # also if a game master has already entered them
    reply.notice("joined already" if league in reply.joined else "joined", league=league)
    reply.joined |= {league}


def ask_bye(reply: Reply, where: str) -> None:
    """Ask for a bye in an upcoming round of a league; `where` names the league and the round."""
    _ask_of_league(reply, "bye", where, r"(?:round )?(?P<rest>\d{1,2})")


def substitute(reply: Reply, where: str) -> None:
    """Name, as the captain of a team, who plays on a board; `where` names the league, perhaps the team, the board and
    the player."""
    own = sorted(map(re.escape, reply.joined), key=len, reverse=True)
    league = "|".join((*own, ".+?(?= board)"))
    _ask_of_league(reply, "substitute", where, r"(?P<rest>(?:.+ )?board \d .+)", league)


def _ask_of_league(reply: Reply, word: str, where: str, pattern: str, league_pattern: str = ".+?") -> None:
    """Ask something of a league in which the writer takes part. `where` names the league, which matches
    `league_pattern`, followed by text that matches `pattern`, whose group `rest` is the argument of the command."""
    parts = re.fullmatch(rf"(?:in )?(?P<league>{league_pattern}) {pattern}", where, re.I)
    league = _one_of(reply.joined, parts["league"]) if parts else None
    if league is None and (led := _led_by(reply, where)):
        usage = Sentence(next(row.usage for row in DECISIONS if row.word == word))
        why = Sentence("You are game master of {league}, so give a reason: `{usage}`.", league=led, usage=usage)
        reply.notice("not decided", word=word, argument=where, name="", why=why)
        return
    if parts is None or league is None:
        reply.notice("not joined", league=parts["league"] if parts else where, names=sorted(reply.joined))
        return
    number = sum(isinstance(effect, effects.Direct) for effect in reply.done)
    letter = reply.case.letter or None
    direct = effects.Direct(league, word, parts["rest"], "", f"player {reply.person.id}", letter, number)
    reply.done.append(direct)
    reply.notice("directed", direct=direct, why="")


def _led_by(reply: Reply, where: str) -> str:
    """Return the league with whose name `where` begins, if the writer directs it and does not play in it; otherwise
    ""."""
    case = reply.case
    names = case.facts.leagues if case.master else case.facts.directs
    return next((name for name in names if re.match(rf"(?:in )?{re.escape(name)}(?!\w)", where, re.I)), "")


def leave(reply: Reply, where: str) -> None:
    """Leave the league that `where` names, or stop waiting for the game that it names; if `where` is empty, stop
    waiting for all games. Leaving a league, and with it the games still in progress there, must be confirmed with a
    `yes`."""
    player, league = reply.person, _one_of(reply.joined, where)
    waits = reply.awaits & {where.casefold()} if where else reply.awaits
    if league and not reply.sure:
        going = [match.name for match in reply.case.facts.own if match.league == league and not match.over]
        reply.ask(Asking("leave", league), of_match=False)
        reply.notice("really leave", league=league, names=going)
    elif league:
        reply.done.append(effects.Leave(player, league))
        reply.joined -= {league}
        reply.notice("left", league=league)
    elif waits:
        reply.done.append(effects.Leave(player, "", waits))
        reply.awaits -= waits
        reply.notice("left", league="")
    else:
        reply.notice("not joined", league=where, names=sorted(reply.joined))


def show_leagues(reply: Reply, where: str, *, word: str) -> None:
    """Show leagues: their tables, games or members, depending on the command `word`."""
    for section in of_leagues(reply, word, where):
        reply.tell(section.template, **section.values)


def of_leagues(reply: Reply, word: str, where: str) -> list[Section]:
    """Return the sections for `word`, a command that shows leagues. If `where` names no league, they cover the leagues
    that the writer plays in or directs, or else all leagues; but if a writer without a league asks for `standings`,
    they cover the writer's games."""
    facts, leagues, joined = reply.case.facts, reply.case.facts.leagues, reply.joined
    query = AskedLeague(where) if _one_of(leagues, where) else asked_league(where)
    name = _one_of(leagues, query.name)
    if word == "standings" and not (where or joined or facts.directs):
        return games_of(reply)
    if (query.name and name is None) or not leagues:
        return [notice("no such league", league=query.name, word="shown", names=leagues)]
    own = [league for league in leagues if league in joined or league in facts.directs]
    names = [name] if name else own if word != "leagues" and own else leagues
    return [_shown(query._replace(name=league), word, reply.person.id) for league in names]


def _shown(query: AskedLeague, word: str, player: int, after: effects.Direct | None = None) -> Section:
    """Return the section in which the command `word` shows a league to a player, as the league is once everything else
    in the letter has been carried out. If `after` is given, the section shows what this decision has changed, and
    remains empty if the decision is refused."""
    return Section(word, {"query": query, "player": player, "after": after})


_SHOWN_AFTER = {
    **dict.fromkeys(("points", "rate"), "standings"),
    **dict.fromkeys(("league", "season", "next"), "rounds"),
    **dict.fromkeys(("join", "withdraw", "enter"), "leagues"),
}
"""The commands that show what a decision about a league has changed, keyed by the word of the decision."""


def show_after(reply: Reply, direct: effects.Direct) -> None:
    """Show the result of a decision about a league, but only once if several decisions in the letter have the same
    result to show."""
    if word := _SHOWN_AFTER.get(direct.word):
        shown = _shown(AskedLeague(direct.league), word, reply.person.id, direct)
        same = (word, shown.values["query"])
        others = [part for part in reply.sections if (part.template, part.values.get("query")) != same]
        reply.sections = [*others, shown]


def _one_of(names: tuple[str, ...] | frozenset[str], written: str) -> str | None:
    return next((name for name in names if name.casefold() == written.casefold()), None)


def challenge(reply: Reply, written: str) -> None:
    """Invite other players to a game, or begin one against the computer or in a ladder. Invitations always have the
    same words and no personal message. A person who wants no invitations gets none, but nobody learns this: the
    invitation lapses as if it were unanswered."""
    reply.introduce()
    if is_computer(written):
        from pbem.match.computer import challenge_computer

        challenge_computer(reply, written)
        return
    if "@" not in written:
        _challenge_in_league(reply, written)
        return
    wanted, before = parse_challenge(written), reply.invited
    addresses = [parse_person(person).address for person in split_people(wanted.people)]
    people = {address: reply.invitee(address) for address in addresses}
    for invitee in people.values():
        if not may_write(reply, invitee):
            reply.invited = before
            return
    _invite(reply, wanted, people)
    reply.asked |= {invitee.address for invitee in people.values()}


def _invite(reply: Reply, wanted: Wanted, people: Mapping[str, Invitee]) -> None:
    """Create a match in which the writer gets the first of the chosen seats, and `people` get the following ones."""
    game, options, case = wanted.game, wanted.options, reply.case
    seats = seats_of(game, options)
    host, *others = seats_chosen(game.options(options), options, seats)
    invited = zip(others, people.items(), strict=True)
    guests = {seat: (invitee.player or Player(0, "", address), invitee) for seat, (address, invitee) in invited}
    players = {seat: guests[seat][0] if seat in guests else reply.person for seat in seats}
    new = effects.NewMatch(
        game.name, players, options, case.terms, frozenset((host,)), words={host: case.brings}, host=host
    )
    unwanted = frozenset(seat for seat, (_, invitee) in guests.items() if invitee.refuses or invitee.banned)
    reply.done.append(new._replace(unwanted=unwanted))
    sitting = [(game.called[seat], guests[seat][1].address if seat in guests else None) for seat in seats]
    reply.notice("invited", addresses=[invitee.address for invitee in people.values()], seats=sitting)


def _challenge_in_league(reply: Reply, written: str) -> None:
    """Begin a game in a ladder; the rival is not asked for consent."""
    rival, _, league = written.rpartition(" in ")
    possible = {} if league.casefold() in reply.challenged else reply.case.facts.rivals(league)
    name = _one_of(frozenset(possible or ()), rival)
    if possible is None:
        reply.notice("no such league", league=league, word="played for", names=reply.case.facts.leagues)
    elif name is None:
        reply.notice("no such rival", league=league, name=rival, names=sorted(possible))
    else:
        reply.done.append(effects.Challenge(reply.person, possible[name], league))
        reply.challenged.add(league.casefold())
        reply.notice("challenged", league=league, name=name)


# The writer's own settings and data


def zone(reply: Reply, text: str) -> None:
    """Set the time zone of the dates in the writer's letters."""
    player = replace(reply.person, zone=parse_zone(text))
    reply.done.append(effects.SetZone(player, player.zone))
    reply.become(player)
    reply.notice("zone", zone=player.zone)


def language(reply: Reply, text: str) -> None:
    """Set the language of the writer's letters."""
    player = replace(reply.person, language=parse_language(text))
    reply.done.append(effects.SetLanguage(player, player.language))
    reply.become(player)
    reply.notice("language", language=player.language)
    if (match := reply.about) and reply.seat and not match.is_set_up:  # they may not have understood the first letter
        reply.tell("invitation", match=match, seat=reply.seat, others=match.others(reply.seat))
    elif reply.reading.orders is None:
        reply.position()


def vacation(reply: Reply, text: str) -> None:
    """Record a vacation, or the end of one."""
    case, player = reply.case, reply.person
    own, zone = case.facts.own, player.zone or case.zone
    today = reply.now.astimezone(load_zone(zone)).date()
    if text.casefold() in _NO_VACATION:
        waited = [match.deadline.moment for match in own if match.deadline]
        spent = tuple(absence for absence in player.absences if any(absence.begins < moment for moment in waited))
        reply.spent = (*reply.spent, *spent)
        reply.done.append(effects.Away(player, None, spent))
        reply.become(replace(player, absences=()))
        reply.notice("back", moved=[match for played in own if (match := _tell_back(reply, played))])
        return
    absence = Absence(*parse_dates(text, today), zone)
    player = replace(player, absences=(*player.absences, absence))
    limit = min((match.terms.vacation for match in own), default=case.terms.vacation)
    years = (absence.first.year, absence.last.year)
    away = (*reply.spent, *player.absences)
    used = [days_used(away, date(year, 1, 1), date(year, 12, 31)) for year in years]
    if max(used) > limit:
        reply.notice("too long away", limit=limit, used=max(used))
        return
    reply.done.append(effects.Away(player, absence))
    reply.become(player)
    moved = [match for played in own if (match := _tell_away(reply, played, absence))]
    reply.notice("away", absence=absence, left=limit - used[0], year=years[0], moved=moved)


def _tell_away(reply: Reply, match: Match, absence: Absence) -> Match | None:
    """Tell the other players in one of the writer's matches about a vacation; return the changed match if the vacation
    moves its deadline, otherwise None."""
    player = reply.person
    before = reply.changed.get(match.name, match)
    mine = before.held_by(player)
    if not before.is_set_up or before.result or before.sandbox:
        return None
    after = _with_absences(reply, before)
    holders, moved = after.holders, after.deadline != before.deadline
    section = partial(course, "away", after, absence=absence, moved=moved)
    key = reply.key("away")
    if moved or after.banks:
        reply.do([effects.Save(after)])
    reply.do(
        reports.to_seat(after, holder, "away", key, section(holder.seat, by=holders[seat]))
        for seat in mine
        for holder in after.others(seat)
    )
    return after if moved else None


def _tell_back(reply: Reply, match: Match) -> Match | None:
    """Let the writer's clock in a match run again after a vacation that was ended. If that moves the deadline, tell the
    other players and return the changed match, otherwise None."""
    before = reply.changed.get(match.name, match)
    after = _with_absences(reply, before)
    if after.banks:
        reply.do([effects.Save(after)])
    if after.deadline == before.deadline:
        return None
    section = partial(course, "returned", after)
    reply.do(
        reports.to_seat(after, holder, "away", reply.key("away"), section(holder.seat, by=after.holders[seat]))
        for seat in before.held_by(reply.person)
        for holder in after.others(seat)
    )
    return after


def _with_absences(reply: Reply, match: Match) -> Match:
    """Return one of the writer's matches with the vacations that the writer has now. Its deadline moves past them, and
    they stop the writer's clock from now on."""
    before = reply.changed.get(match.name, match)
    changed = {seat: replace(before.holders[seat], player=reply.person) for seat in before.held_by(reply.person)}
    return clear_of_absences(replace(settle(before, reply.now), holders={**before.holders, **changed}), reply.now)


def my_data(reply: Reply) -> None:
    """Show the writer everything that the desk knows about them."""
    stored = reply.case.facts.data
    seats = [(match, find_game(game).called[seat], name) for match, seat, name, game in stored["games"]]
    awaited = [find_game(game).title for (game,) in stored["awaited"]]
    now = {(absence.first.isoformat(), absence.last.isoformat()) for absence in away(reply)}
    over = [days for days in stored["absences"] if days not in now]
    data = {**stored, "games": seats, "awaited": awaited, "absences": over}
    reply.tell("data", data=data, rating=reply.case.facts.strength.rating)
    settings(reply, alone=False)


def forget_me(reply: Reply) -> None:
    """Ask whether to delete all the writer's data. After a `yes` to this question, decline the writer's open
    invitations, end the writer's sandboxes and delete the data. Other games in progress must be ended first."""
    playing = [
        match.name for match in reply.case.facts.own if not match.sandbox and not may(match, "somebody declines")
    ]
    if playing:
        reply.notice("still playing", names=playing)
        return
    player = reply.person
    if newer := [claim.taken_at for claim in reply.claims.values() if claim.taken_at]:
        _put_off(reply, max(newer) + UNDO)
        return
    if not reply.sure:
        reply.ask(Simple("forget me"), of_match=False)
        reply.notice("really forget")
        return
    for match in reply.case.facts.own:
        ended = (
            sandboxes.close(match, reply.now, Sentence("The sandbox was closed."))
            if match.sandbox
            else clock.decline(match, match.held_by(player)[0], reply.now)
        )
        reply.do(effect for effect in ended if not (isinstance(effect, effects.Send) and effect.player.id == player.id))
    reply.done.append(effects.Forget(player))
    reply.notice("forgotten")


def _put_off(reply: Reply, until: datetime) -> None:
    """Postpone the deletion of data while an older address can still undo a change of address. This applies whichever
    address asks for the deletion, because a sender can be forged. All addresses are told, so that the owner of the
    older address can act."""
    player, section = reply.person, notice("forget later", until=until)
    own_address = player.address.lower()
    others = (address for address in reply.case.facts.addresses if address.lower() != own_address)
    replaced = (claim.instead for claim in reply.claims.values() if claim.taken_at and claim.instead)
    for address in dict.fromkeys((*others, *replaced)):
        recipient = replace(player, address=address)
        reply.done.append(effects.Send("notice", reply.key("forget"), recipient, (section,)))
    reply.once("forget later", until=until)


def status(reply: Reply) -> None:
    """Show the state of all the writer's games."""
    for section in games_of(reply):
        reply.tell(section.template, **section.values)
    if reply.reading.orders is None:  # otherwise the receipt shows the board
        reply.position()


def games_of(reply: Reply) -> list[Section]:
    """Return the sections that `status` shows: the games that the writer directs, and those that the writer plays."""
    facts = reply.case.facts
    of_master = [Section("master_status", {"games": facts.master_of})] if facts.master_of else []
    if of_master and not (facts.games or facts.watched):
        return of_master
    waits = [row for row in facts.lobby.waiting if row.mine]
    games = [_with_clocks(reply, game) for game in reply.games()]
    values = {"games": games, "watched": facts.watched, "strength": facts.strength, "waits": waits}
    return [*of_master, Section("status", values)]


def _with_clocks(reply: Reply, game: Seated) -> Seated:
    """Return a line of `status` with the time that everybody has left, if the match has banks of time."""
    match = reply.match_named(game.match) if game.has_banks and not game.ended else None
    if match is None:
        return game
    left = match.time_left(reply.now)
    own = [("", left[game.seat])] if game.seat in left else []
    others = [(match.holders[seat].name, span) for seat, span in left.items() if seat != game.seat]
    until = deadline_for(match, game.seat)
    return replace(
        game, clocks=(*own, *others), deadline=until if until and until > reply.now else deadline_for(match, None)
    )


# Records and lists


def record(reply: Reply, name: str) -> None:
    """Send the record of a match to anyone who asks, unless the match is still in the phase "offered". The record
    contains no secrets."""
    match = reply.match_named(name.lower()) if name else reply.about
    if match is None and not name:
        reply.notice("incomplete", word="record", usage=player_usage("record"))
    elif match is None or not match.is_set_up:
        reply.notice("no record", name=name or reply.match.name)
    elif (
        sum(section.template == "record" and section.values["match"] != match for section in reply.sections)
        >= MAX_RECORDS
    ):
        reply.once("enough records", limit=MAX_RECORDS)
    else:
        reply.tell("record", match=match)


def lobby(reply: Reply) -> None:
    """Show who is waiting for a game, which leagues are open, and which games can be watched."""
    usual = find_game()
    others = [name for name in games.GAMES if name != usual.name]
    reply.tell("lobby", lobby=reply.case.facts.lobby, usual=usual.title, others=others)


def settings(reply: Reply, *, alone: bool = True) -> None:
    """Show all the writer's settings, and how to change each of them. `alone` is false if the answer also shows the
    writer's data."""
    person, case = reply.person, reply.case
    values = {"person": person, "mail": reply.mail, "away": away(reply), "alone": alone}
    reply.tell("settings", **values, zone=person.zone or case.zone, usual=not person.zone)


def away(reply: Reply) -> list[Absence]:
    """Return the writer's current and future vacations, in order and without repetitions."""
    person = reply.person
    return sorted(
        {absence for absence in person.absences if absence.ends > reply.now}, key=lambda absence: absence.first
    )


SIMPLE: Mapping[str, Callable[[Reply], None]] = {
    "status": status,
    "my data": my_data,
    "my settings": settings,
    "fewer letters": lambda reply: set_number_of_letters(reply, apart=False),
    "more letters": lambda reply: set_number_of_letters(reply, apart=True),
    "text only": lambda reply: set_parts(reply, text=True),
    "html": lambda reply: set_parts(reply, text=False),
    "pictures off": lambda reply: set_parts(reply, no_pictures=True),
    "pictures": lambda reply: set_parts(reply, no_pictures=False),
    "calendar off": lambda reply: set_parts(reply, no_calendar=True),
    "calendar": lambda reply: set_parts(reply, no_calendar=False),
    "interpreter off": lambda reply: set_parts(reply, uninterpreted=True),
    "interpreter": lambda reply: set_parts(reply, uninterpreted=False),
    "forget me": forget_me,
    "games": lobby,
}
"""The function for each command that takes no argument."""

ASKING: Mapping[str, Callable[[Reply, str], None]] = {
    "join": join,
    "leave": leave,
    "bye": ask_bye,
    "substitute": substitute,
    **{word: partial(show_leagues, word=word) for word in SHOWING},
    "challenge": challenge,
    "vacation": vacation,
    "digest": set_digest,
    "zone": zone,
    "language": language,
    "record": record,
}
"""The function for each command that takes an argument."""
