"""The leagues of a desk. Most functions load a season, let `leagues.rounds` decide what to do, and carry out that
decision.

The functions run in the caller's transaction.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime

from pbem import Sentence
from pbem.games import find_game
from pbem.leagues import requests, rounds
from pbem.leagues.anonymous import anonymity
from pbem.leagues.dates import coming_rounds, on_time
from pbem.leagues.effects import BeginGame, BeginRound, Enter, InMatch, LeagueEffect, Settle, TellStandings
from pbem.leagues.league_file import League, parse_league, parse_player
from pbem.leagues.season import Fixture, LeagueError, LeagueSeason, Member, Request
from pbem.leagues.team_matches import entered, find_team, players_of, seat_teams, team_season
from pbem.match import clock
from pbem.match.effects import Challenge, Direct, Join, Leave, Notice, notice
from pbem.match.gm_commands import without_addresses
from pbem.match.identity import Player
from pbem.match.model import Match
from pbem.match.names import apart
from pbem.orders.patterns import DIVISION, RATING
from pbem.service import league_letters
from pbem.service.failures import failures
from pbem.service.league_letters import Host
from pbem.service.team_leagues import board_section, read_substitution, told_of_line_up
from pbem.store import leagues, matches, players
from pbem.store.waiting import due_leagues


def found_league(desk: Host, league: League, by: str = "") -> LeagueSeason:
    """Found a league. If it has players, its first season begins; otherwise it is open for players to join. `by` is as
    for `carry_out`.

    Raises LeagueError, and ConfigError if a player has the desk's own address.
    """
    sizes = [len(people) for people in league.entered]
    people = [person for division in (*league.entered, league.standby) for person in division]
    desk.check_people(people)
    number = leagues.add_league(desk.store, league, desk.now)
    members = leagues.enrol(desk.store, people, desk.now, confirmed=league.confirmed)
    divisions = [members[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))]
    waiting = members[sum(sizes) :]
    numbers = {member.name: member.player for member in members}
    never = [Request(0, numbers[first], numbers[second]) for first, second in league.forbidden]
    if league.boards:
        teams, divisions = entered(league, divisions)
        begun = rounds.begin_team_season(league, 1, divisions, waiting, teams)
    else:
        given = rounds.Given(never, leagues.load_season(desk.store, number).lot)
        begun = rounds.begin_season(league, 1, divisions, waiting, given) if divisions else rounds.wait(0, waiting)
    carry_out(desk, number, on_time(league, begun, desk.now), by)
    tell_coming(desk, number)
    season = leagues.load_season(desk.store, number)
    league_letters.tell_put_in(desk, season, season.standby)
    return season


def next_season(desk: Host, number: int, *, everybody: bool = False, by: str = "") -> None:
    """Begin the next season of the league with this `number`, with promotions, relegations and players from the standby
    list. Raises LeagueError while the current season goes on, or if a division would have too few or too many players.

    Players on standby fill the vacant places in the divisions. If `everybody` is true, all of them enter the lowest
    division. `by` is as for `carry_out`.
    """
    settle(desk, number)
    season = leagues.load_season(desk.store, number)
    carry_out(desk, number, on_time(season.league, rounds.next_season(season, everybody=everybody), desk.now), by)
    tell_coming(desk, number)


def advance(desk: Host) -> dict[str, str]:
    """Settle all leagues in which something has happened. Return a sentence about each league that could not be
    settled, keyed by a phrase that names the league."""
    troubles = {}
    for number in due_leagues(desk.store, desk.now):
        with failures() as failed, desk.store.transaction():
            settle(desk, number)
        for error in failed:
            name, failure = leagues.league_name(desk.store, number), type(error).__name__
            troubles[f"the league {name}"] = f"The league {name} cannot go on ({failure}); nothing of it was changed."
    return troubles


def settle(desk: Host, number: int) -> None:
    """Act on everything that has happened in league `number`: withdraw members who are leaving, settle games that have
    ended, and end or begin rounds."""
    season = leagues.load_season(desk.store, number)
    for member in season.members.values():
        if member.state == "leaving":
            withdraw(desk, leagues.load_season(desk.store, number), member)
    ended = leagues.unsettled(desk.store, number)
    carry_out(desk, number, [Settle(game, season.league.rated, season.league.rate_unplayed) for game in ended])
    if season.league.format == "ladder" and season.number:
        carry_out(desk, number, rounds.after_challenges(leagues.load_season(desk.store, number), ended))
        return
    carry_out(desk, number, rounds.without_absent(leagues.load_season(desk.store, number), ended))
    carry_out(desk, number, rounds.resumed(leagues.load_season(desk.store, number)))
    for member, missed in rounds.no_shows(leagues.load_season(desk.store, number), ended):
        if not players.has_played(desk.store, member.player):
            _drop_no_show(desk, number, member, missed)
    leagues.tell_names(desk.store, leagues.load_season(desk.store, number))
    for at in range(1, len(season.divisions) + 1):
        begun = True
        while begun:  # a round that consists only of byes is over as soon as it begins
            follows = [
                *on_time(season.league, rounds.after_rounds(leagues.load_season(desk.store, number), at), desk.now)
            ]
            carry_out(desk, number, follows)
            begun = any(isinstance(effect, BeginRound) for effect in follows)
    tell_coming(desk, number)


def tell_coming(desk: Host, number: int) -> None:
    """Pair, tell and begin the rounds of league `number` that waited for their dates, if these have come, and note when
    to look at the league again."""
    season, later = leagues.load_season(desk.store, number), list[datetime]()
    for one in coming_rounds(season):
        if one.due(desk.now) > desk.now:
            later.append(one.due(desk.now))
            continue
        if not one.is_paired or desk.now >= one.start:
            carry_out(desk, number, on_time(season.league, rounds.next_round(season, one.division), desk.now))
        if desk.now < one.start:
            league_letters.tell_round(desk, leagues.load_season(desk.store, number), one)
            later.append(one.start)
    leagues.look_again(desk.store, number, min(later, default=None))


def withdraw(desk: Host, season: LeagueSeason, member: Member, reason: str = "", *, team_leaves: bool = False) -> None:
    """Withdraw `member` from the season, for the game master's `reason`, which is "" if the member wishes to leave. If
    `team_leaves`, no teammate takes over."""
    at, store = season.division_of(member.player), desk.store
    going = [
        fixture.match for round_ in season.rounds_of(at) for fixture in round_.open_of(member.player) if fixture.match
    ]
    teammates = players_of(season.divisions[at - 1], member.team) if member.team and at else []
    others = [other.player for other in (*season.standby, *teammates) if other != member]
    leaver = rounds.Leaver(
        member,
        reason,
        {match: matches.load_match(store, match) for match in going},
        {other: players.load_player(store, other) for other in others},
        team_leaves,
    )
    done = [*rounds.after_leaving(season, leaver, desk.now)]
    if reason:
        section = notice("taken out", league=season.league.name, why=reason)
        league_letters.tell(desk, season, f"taken-out-{season.number}-{desk.moment}", {member.player: (section,)})
    for effect in done:
        if isinstance(effect, Enter):
            section = notice("stands in", league=season.league.name, name=member.name)
            key = f"stands-in-{season.number}-{desk.moment}"
            league_letters.tell(
                desk, season, key, {effect.member.player: (section,)}
            )  # the letters about their games follow
    carry_out(desk, season.id, done)


def _drop_no_show(desk: Host, number: int, member: Member, missed: Fixture) -> None:
    """Tell `member`, who has never shown up, that they will not be paired again until they ask to play. Also withdraw
    them from the season if `rounds.drops_out` requires it."""
    season = leagues.load_season(desk.store, number)
    if leaves := rounds.drops_out(season, member):
        withdraw(desk, season, member)
    phase = matches.load_match(desk.store, missed.match or 0).phase
    section = notice("no show", league=season.league.name, name=missed.name, begun=phase != "annulled", leaves=leaves)
    league_letters.tell(desk, season, f"no-show-{season.number}-{missed.id}", {member.player: (section,)})


# Commands of game masters


def direct(desk: Host, effect: Direct) -> None:
    """Carry out a game master's command about a league. Raises PbemError if the command cannot be carried out; the
    caller must then roll back."""
    begins = effect.word == "league"  # in that case the argument is a whole file, which is kept with the letter
    season = _begin_league(desk, effect) if begins else leagues.find_season(desk.store, effect.league)
    content = {
        "decision": effect.word,
        "league": season.id,
        "argument": "" if begins else without_addresses(effect.argument),
        "reason": effect.reason,
        "by": effect.by,
        "letter": effect.letter,
    }
    desk.store.note("decision", content, desk.now)
    if season.league.boards and effect.word in OF_PLAYERS:
        raise LeagueError("{league} is a league of teams: `{word}` is for single players.",
                          league=season.league.name, word=effect.word)  # fmt: skip
    if not begins:
        DIRECTED[effect.word](desk, season, effect)


def _begin_league(desk: Host, effect: Direct) -> LeagueSeason:
    """Found a league from the league file in a letter, after replacing any typographic quotation marks, which phones
    may have put into the file, with straight ones."""
    league = parse_league(re.sub("[“”„«»]", '"', effect.argument), desk.terms)
    if find_game(league.game).chance:
        desk.agreed(league.terms)
    return found_league(desk, league, effect.by)


def _withdraw(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    """Withdraw a member or, in a league of teams, the team of that name with all its members."""
    team = find_team(season, effect.argument)
    if team is None:
        withdraw(desk, season, leagues.find_member(season, effect.argument), effect.reason)
        return
    for member in [member for member in season.members.values() if member.team == team.number]:
        if member.state in ("playing", "leaving"):
            now = leagues.load_season(desk.store, season.id)
            withdraw(desk, now, now.members[member.player], effect.reason, team_leaves=True)


def _enter(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    person, placed = _placed(effect.argument)
    newcomer = parse_player(person)
    requests.check_placed(season, placed)
    (member,) = leagues.enrol(desk.store, [newcomer], desk.now, confirmed=season.league.confirmed)
    known = season.members.get(member.player)
    placed = placed._replace(division=placed.division or (known.begins_in if known else 0))
    joined = leagues.join(desk.store, season, Player(member.player, *newcomer), desk.now, placed)
    if known is None or known.state != joined.state:
        league_letters.tell_put_in(desk, leagues.load_season(desk.store, season.id), [joined])


def _begin_round(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    """Begin the next round of each division, even if games of earlier rounds are still in progress."""
    begun = [one for at in range(1, len(season.divisions) + 1) for one in rounds.next_round(season, at)]
    carry_out(desk, season.id, begun, effect.by)
    if not begun:
        raise LeagueError("{league} has no further round: `season` begins the next season.", league=season.league.name)


def _set_against(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    names = effect.argument.partition(" against ")[::2]
    challenger, rival = (leagues.find_member(season, name.strip()).player for name in names)
    carry_out(desk, season.id, rounds.challenge(season, challenger, rival, desk.now))


_POINTS = re.compile(r"(?P<rest>.*?)(?:\s+with\s+(?P<points>\d+(?:[.,]\d)?)\s+points?)?", re.I)


def _with_points(argument: str) -> tuple[str, float | None]:
    """Split `argument` into its beginning and the points at its end, as in "Alice 3 with 0.5 points". The points are
    None if `argument` does not end with points."""
    parts = _POINTS.fullmatch(argument)
    assert parts
    return parts["rest"], float(parts["points"].replace(",", ".")) if parts["points"] else None


_PLACED = re.compile(
    rf"(?P<rest>.*?)(?:\s+in division (?P<division>{DIVISION}))?(?:\s+rating (?P<rating>{RATING}))?", re.I
)


def _placed(argument: str) -> tuple[str, requests.Placed]:
    """Split `argument` into its beginning and what it says of a newcomer at its end, as in "Alice <alice@example.net>
    in division 2 rating 1850"."""
    parts = _PLACED.fullmatch(argument)
    assert parts
    return parts["rest"], requests.Placed(int(parts["division"] or 0), int(parts["rating"] or 0))


def _enter_late(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    argument, points = _with_points(effect.argument)
    person, placed = _placed(argument)
    newcomer = parse_player(person)
    (member,) = leagues.enrol(desk.store, [newcomer], desk.now, confirmed=season.league.confirmed)
    name = apart(newcomer.name, [rival.name for rival in season.members.values() if rival.player != member.player])
    carry_out(desk, season.id, requests.enter(season, member._replace(name=name), points, placed))
    after = leagues.load_season(desk.store, season.id)
    league_letters.tell_taken_in(desk, after, after.members[member.player])


def _give_bye(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    """Give or cancel a bye, depending on the argument of the command.

    `Alice 3` gives Alice a bye in round 3, `Alice 3 with 0.5 points` also says what the bye is worth, and `Alice 3 off`
    cancels it. A round without a name (`3`) requests a bye for the writer of the command.
    """
    argument, points = _with_points(effect.argument)
    parts = re.fullmatch(r"(?P<name>.*?)\s*(?:round )?(?P<round>\d{1,2})(?P<off>\s+off)?", argument, re.I)
    if parts is None:
        raise LeagueError(Sentence("Say who, and which round."))
    number = int(parts["round"])
    if parts["name"]:
        member = leagues.find_member(season, parts["name"])
        carry_out(desk, season.id, (requests.take_bye(season, member, number) if parts["off"] else
                                    requests.give_bye(season, member, number, points)))  # fmt: skip
        _tell_pairing(desk, season, [member], ("bye taken" if parts["off"] else "bye given", number), effect)
    else:
        mine = season.members.get(int(effect.by.removeprefix("player ")))
        if mine is None:
            raise LeagueError("You do not play in {league}.", league=season.league.name)
        carry_out(desk, season.id, requests.ask_bye(season, mine, number))


def _keep_apart(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    pair = [leagues.find_member(season, name.strip()) for name in _PAIR.split(effect.argument)]
    if len(pair) != 2:
        raise LeagueError(Sentence("Name two players, with a hyphen between them: Alice - Bob."))
    carry_out(desk, season.id, requests.keep_apart(season, *pair, apart=effect.word == "forbid"))
    _tell_pairing(desk, season, pair, ("kept apart" if effect.word == "forbid" else "apart no longer", 0), effect)


def _pair_by_hand(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    """Pair players by hand: `3 Alice - Bob, Carla - Dora` fixes two games of round 3. The number of the round alone
    (`3`) cancels the pairings made by hand for that round."""
    number, _, pairings = effect.argument.removeprefix("round ").partition(" ")
    pairs = []
    for words in filter(None, (pairing.strip() for pairing in pairings.split(","))):
        pair = [leagues.find_member(season, name.strip()) for name in _PAIR.split(words)]
        if len(pair) != 2:
            raise LeagueError(Sentence("Name two players, with a hyphen between them: Alice - Bob."))
        pairs.append((pair[0], pair[1]))
    games = [
        fixture.match
        for division in season.divisions
        for fixture in division.fixtures
        if fixture.match and not fixture.outcome
    ]
    offered = {game: match for game in games if (match := matches.load_match(desk.store, game)).phase == "offered"}
    carry_out(desk, season.id, requests.pair_by_hand(season, int(number), pairs, offered, desk.now))
    if any(round_.number == int(number) for division in season.divisions for round_ in division.rounds):
        return
    before, after = set(season.requests), set(leagues.load_season(desk.store, season.id).requests)
    for request in sorted(before ^ after, key=lambda request: (request in after, request.player)):
        both = [season.members[request.player], season.members[request.other or 0]]
        if anonymity(season.league, season.division_of(request.player)) != "no":
            continue  # they are told whom they have played when names are told
        name: Notice = "paired by hand" if request in after else "paired no longer"
        _tell_pairing(desk, season, both, (name, request.round), effect)


_PAIR = re.compile(r"\s+(?:-|\u2013|against)\s+", re.I)
"""The separator between the names of two players."""


def _tell_pairing(
    desk: Host, season: LeagueSeason, members: Sequence[Member], decided: tuple[Notice, int], effect: Direct
) -> None:
    """Tell `members` what was decided about their pairing. `decided` is the notice and the number of the round;
    `effect` contains the game master's reason."""
    name, number = decided
    for member in members:
        people = [partner.name for partner in members if partner != member]
        division = leagues.load_season(desk.store, season.id).divisions[season.division_of(member.player) - 1]
        points = f"{division.byes_of(number).get(member.player, 0):g}"
        section = notice(name, league=season.league.name, round=number, people=people, points=points)
        sections = (section, notice("directed why", why=effect.reason)) if effect.reason else (section,)
        key = f"asked-{season.number}-{name.replace(' ', '-')}-{number}-{desk.moment}"
        league_letters.tell(desk, season, key, {member.player: sections})


def _substitute(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    """Name a substitute, depending on the argument of the command.

    `Rooks board 2 Frank` has Frank play on board 2 of the Rooks in the next round, and `Rooks board 2 Frank round 3` in
    round 3; `Rooks board 2 off` cancels that. Without a team, it is that of the writer, who must be its captain.
    """
    wish = read_substitution(season, effect)
    carry_out(desk, season.id, wish.effects)
    after = leagues.load_season(desk.store, season.id)
    why = (notice("directed why", why=effect.reason),) if effect.reason else ()
    told = told_of_line_up(season, after, wish, effect)
    key = f"line-up-{season.number}-{wish.team.number}-{wish.round}-{desk.moment}"
    league_letters.tell(desk, season, key, {player: (section, *why) for player, section in told.items()})


def _give_points(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    """Add points to a member's score by hand, or take some away, and tell the whole division."""
    name, _, amount = effect.argument.rpartition(" ")
    points, of_teams = float(amount.replace(",", ".")), team_season(season)
    league = season.league.name
    if season.league.boards and find_team(season, name) is None:
        raise LeagueError("{league} has no team {team}.", league=league, team=name)
    member = leagues.find_member(of_teams, name)
    at = of_teams.division_of(member.player)
    if season.league.format == "ladder" or not at:
        raise LeagueError("{name} has no points in {league}.", name=member.name, league=league)
    leagues.give(desk.store, season, member.player, points)
    section = notice("points", league=league, name=member.name, more=points, because=effect.reason)
    key = f"points-{season.number}-{member.player}-{desk.moment}"
    league_letters.tell(desk, season, key, {reader.player: (section,) for reader in season.divisions[at - 1].playing})


def _rate(desk: Host, season: LeagueSeason, effect: Direct) -> None:
    """Correct the rating that was given with a member, and tell them; 0 is none."""
    name, _, number = effect.argument.rpartition(" ")
    member, rating = leagues.find_member(season, name), int(number)
    requests.check_rating(season, rating or 1)
    leagues.set_rating(desk.store, season, member.player, rating)
    section = notice("rating", league=season.league.name, rating=rating, because=effect.reason)
    key = f"rating-{season.number}-{member.player}-{desk.moment}"
    league_letters.tell(desk, season, key, {member.player: (section,)})


OF_PLAYERS = ("bye", "enter", "pair", "forbid", "allow", "challenge")
"""The commands that are for leagues of single players only."""

DIRECTED: Mapping[str, Callable[[Host, LeagueSeason, Direct], object]] = {
    "join": _enter,
    "withdraw": _withdraw,
    "next": _begin_round,
    "season": lambda desk, season, effect: next_season(
        desk, season.id, everybody=bool(effect.argument) or not season.number, by=effect.by
    ),
    "challenge": _set_against,
    "enter": _enter_late,
    "bye": _give_bye,
    "forbid": _keep_apart,
    "allow": _keep_apart,
    "pair": _pair_by_hand,
    "points": _give_points,
    "rate": _rate,
    "substitute": _substitute,
    "tell": league_letters.tell_words,
}
"""The functions that carry out commands about leagues, keyed by command word."""


# Effects


def follow(desk: Host, effect: Join | Leave | Challenge) -> None:
    """Carry out a player's wish to join a league, to leave it, or to challenge another member."""
    season = leagues.find_season(desk.store, effect.league) if effect.league else None
    if season is None:
        return
    match effect:
        case Join(player):
            member = season.members.get(player.id)
            if member is None or member.state not in ("playing", "standby"):
                joined = leagues.join(desk.store, season, player, desk.now)
                if joined.state == "playing" and season.league.format != "ladder":
                    league_letters.tell_taken_in(desk, season, joined)
            leagues.agree(desk.store, season, player.id, desk.now)
        case Leave(player):
            leagues.leave(desk.store, season, player.id, desk.now)
        case Challenge(player, rival):
            carry_out(desk, season.id, rounds.challenge(season, player.id, rival, desk.now))


def carry_out(desk: Host, league: int, effects: Iterable[LeagueEffect], by: str = "") -> None:
    """Carry out the effects of a decision about a league, and tell its game masters of the rounds that begin and end.
    `by` is the game master who made the decision, as in `Direct`; the answer to that game master shows the rounds."""
    done = []
    for effect in effects:
        done.append(effect)
        match effect:
            case BeginRound(division, number):
                _open_round(desk, league, (division, number))
            case BeginGame(division, number, fixture):
                if not fixture.id:
                    current = leagues.current(desk.store, league)
                    fixture = leagues.add_fixture(desk.store, current, (division, number), fixture)
                _begin_game(desk, leagues.load_season(desk.store, league), (division, number), fixture)
            case InMatch(inside):
                desk.apply(inside)
            case TellStandings():
                league_letters.tell_standings(desk, leagues.load_season(desk.store, league), effect)
            case _:
                leagues.apply(desk.store, league, effect, desk.now)
    league_letters.tell_masters(desk, league, done, by)


def _open_round(desk: Host, league: int, place: tuple[int, int]) -> None:
    """Begin all games of a round, and tell those who have a bye. `place` is (division, round)."""
    leagues.mark_round(desk.store, leagues.current(desk.store, league), place, "begun", desk.now)
    season, (division, number) = leagues.load_season(desk.store, league), place
    played = season.divisions[division - 1].rounds[number - 1]
    if played.teams:
        carry_out(desk, league, seat_teams(season, division, number))
        league_letters.tell_without_game(desk, leagues.load_season(desk.store, league), place)
    for fixture in played.fixtures:
        _begin_game(desk, season, place, fixture)
    if played.fixtures:
        league_letters.tell_byes(desk, season, played)


def _begin_game(desk: Host, season: LeagueSeason, place: tuple[int, int], fixture: Fixture) -> None:
    sitting = [players.load_player(desk.store, player) for player in fixture.players]
    confirmed = frozenset(player.id for player in sitting if players.addresses(desk.store, player.id, confirmed=True))
    opening = rounds.new_match(season, place, fixture, sitting, confirmed)
    absent = [
        seat for seat, player in opening.seats.items() if player.id in season.absent and player.id not in confirmed
    ]
    terms = {
        seat: (*board_section(season, place, player.id), *league_letters.terms_section(season, player.id, place[1]))
        for seat, player in opening.seats.items()
    }
    match = desk.set_up(opening._replace(unwanted=frozenset(opening.seats)) if absent else opening, terms)
    if absent:
        desk.apply(clock.no_show(match, absent, desk.now))
    leagues.set_fixture(desk.store, fixture._replace(match=match.id))


def replace_in_round(desk: Host, match: Match, new: Match) -> None:
    """Put the match `new` in the place of `match` in its round. If that was the last round and was already over, the
    league continues."""
    league = leagues.take_place(desk.store, match.id, new.id)
    if league:
        carry_out(desk, league, rounds.resumed(leagues.load_season(desk.store, league)))
