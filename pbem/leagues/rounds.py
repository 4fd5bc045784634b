"""The course of a league: what happens when a season begins, a game ends, or a player leaves or challenges another.

All functions are pure; most of them take a season and return effects.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games import find_game
from pbem.games.base import Seat
from pbem.leagues import effects
from pbem.leagues.anonymous import anonymity, by_lot, drawn, shuffled
from pbem.leagues.effects import LeagueEffect
from pbem.leagues.league_file import League
from pbem.leagues.placing import Placing
from pbem.leagues.promotion import next_divisions, promoted
from pbem.leagues.season import (
    NO_ROUND,
    Fixture,
    LeagueError,
    LeagueSeason,
    Member,
    Request,
    Round,
    challengeable,
    first_rounds,
    in_pairing_order,
    is_plain_round_robin,
    is_unfinished,
    options,
    pair_next_round,
    planned,
    seated,
    smaller,
    struck,
    virtual_points,
    without,
)
from pbem.leagues.team_matches import contest, encounters, free_teammate, team_season
from pbem.leagues.teams import Team
from pbem.match import clock
from pbem.match.effects import Effect, NewMatch
from pbem.match.identity import Person, Player
from pbem.match.model import Match

MOST = 128
"""The largest number of players in a division. The time needed to pair a Swiss round grows with the third power of this
number."""

MOST_TEAMS = 32
"""The largest number of teams in a division, each with up to eight boards."""

MOST_AT_TABLES = 64
"""The largest number of players in a division whose games have more than two players."""


# Seasons


class Given(NamedTuple):
    """What the pairing of a new season depends on besides its members: the requests that two players never meet, and
    the secret of a league with anonymous games, by which it draws its pairings, or ""."""

    requests: Sequence[Request] = ()
    lot: str = ""


_NOTHING_GIVEN = Given()


def begin_season(
    league: League,
    number: int,
    divisions: Sequence[Sequence[Member]],
    waiting: Iterable[Member],
    given: Given = _NOTHING_GIVEN,
) -> Iterator[LeagueEffect]:
    """Begin a season: enter the members, store the rounds whose pairings are known, and begin the first round of each
    division.

    Raises LeagueError if a division has too many players, or too few for its tables.
    """
    most = MOST_AT_TABLES if (seating := league.seating) else MOST
    if any(len(members) > most for members in divisions):
        raise LeagueError("A division has at most {most} players: make more divisions.", most=most)
    if seating and not all(seating.sizes(len(members)) for members in divisions):
        raise LeagueError("A division needs at least {most} players: more have to join first.", most=seating.most)
    yield from _enter(number, divisions, waiting)
    if given.requests:
        yield effects.SetRequests(tuple(given.requests))
    forbidden = frozenset(frozenset((request.player, request.other or 0)) for request in given.requests)
    for at, members in enumerate(divisions, start=1):
        pairings = first_rounds(league, drawn(given.lot, [member.player for member in members]), forbidden)
        for round_, pairing in enumerate(pairings, start=1):
            yield effects.AddRound(at, round_, shuffled(given.lot, round_, pairing))
        yield effects.BeginRound(at, 1)
    if league.format == "ladder":  # in other leagues, the letter about their first game informs the players
        yield effects.TellStandings(1, NO_ROUND, tuple(member.player for member in divisions[0]))


def begin_team_season(
    league: League,
    number: int,
    divisions: Sequence[Sequence[Member]],
    waiting: Iterable[Member],
    teams: Sequence[Sequence[Team]],
) -> Iterator[LeagueEffect]:
    """Begin a season of a league of teams, like `begin_season`; `teams` are those of each division, best first.

    Raises LeagueError if a division has too many teams.
    """
    if any(len(together) > MOST_TEAMS for together in teams):
        raise LeagueError("A division has at most {most} teams: make more divisions.", most=MOST_TEAMS)
    for at, together in enumerate(teams, start=1):
        for seed, team in enumerate(together, start=1):
            yield effects.EnterTeam(team._replace(seed=seed), number, at)
    yield from _enter(number, divisions, waiting)
    for at, together in enumerate(teams, start=1):
        for round_, pairing in enumerate(first_rounds(league, [team.number for team in together]), start=1):
            yield effects.AddRound(at, round_, pairing, of_teams=True)
        yield effects.BeginRound(at, 1)


def _enter(number: int, divisions: Sequence[Sequence[Member]], waiting: Iterable[Member]) -> Iterator[LeagueEffect]:
    for at, members in enumerate(divisions, start=1):
        for seed, member in enumerate(members, start=1):
            yield effects.Enter(member._replace(seed=seed, state="playing"), number, at)
    yield from wait(number, waiting)
    yield effects.BeginSeason(number)


def wait(number: int, waiting: Iterable[Member]) -> Iterator[LeagueEffect]:
    """Put the members in `waiting`, longest-waiting first, on the standby list of season `number`."""
    for seed, member in enumerate(waiting, start=1):
        yield effects.Enter(member._replace(seed=seed, state="standby"), number, 0)


def next_season(season: LeagueSeason, *, everybody: bool) -> Iterator[LeagueEffect]:
    """Begin the next season, with promotions and entries from the standby list; if `everybody` is true, all members on
    that list enter.

    Raises LeagueError while the current season goes on, or if a division would have too few players.
    """
    league = season.league
    if any(is_unfinished(league, division) for division in team_season(season).divisions):
        raise LeagueError(
            "Season {season} of {league} is not over: `rounds` shows the unfinished games.",
            season=season.number,
            league=league.name,
        )
    if league.boards:
        return _next_season_of_teams(season)
    coming = next_divisions(season, everybody=everybody)
    if any(len(players) < 2 for players in coming):
        raise LeagueError(
            "A division of {league} has fewer than two players: more have to join first.", league=league.name
        )
    members = season.members
    divisions = [in_pairing_order(league, [members[player] for player in players]) for players in coming]
    playing = {player for players in coming for player in players}
    waiting = [member for member in season.standby if member.player not in playing]
    apart = [request for request in season.requests if not request.round]
    given = Given(apart, season.lot and f"{season.lot} {season.number}")
    return begin_season(league, season.number + 1, divisions, waiting, given)


def _next_season_of_teams(season: LeagueSeason) -> Iterator[LeagueEffect]:
    """Begin the next season of a league of teams, each with the players who take part. Nobody on standby enters.

    Raises LeagueError if a division would have too few teams.
    """
    league, of_teams = season.league, team_season(season)
    numbers = promoted(league, of_teams.divisions, ())
    if any(len(division) < 2 for division in numbers):
        raise LeagueError("A division of {league} has fewer than two teams.", league=league.name)
    teams = {team.number: team._replace(by_hand=0) for division in season.divisions for team in division.teams}
    coming = [[teams[number] for number in division] for division in numbers]
    playing = [member for division in season.divisions for member in division.playing]
    divisions = [
        [member for team in together for member in playing if member.team == team.number] for together in coming
    ]
    return begin_team_season(league, season.number + 1, divisions, season.standby, coming)


# Rounds


def without_absent(season: LeagueSeason, ended: Iterable[int]) -> Iterator[LeagueEffect]:
    """If a game at a table could not begin because players were absent, restart it without them. Only games whose
    matches are in `ended` are restarted."""
    ended_matches = frozenset(ended)
    for at, division in enumerate(season.divisions, start=1):
        for round_ in division.rounds:
            for fixture in round_.fixtures:
                absent = fixture.placing.forfeit if fixture.placing and fixture.match in ended_matches else frozenset()
                if fixture.outcome == "forfeit" and absent and len(absent) + 2 <= len(fixture.players):
                    remaining: Fixture | None = fixture
                    for player in absent:
                        remaining = remaining and smaller(season.league, remaining, player)
                    if remaining:
                        remaining = Fixture(remaining.players, fixture.id, seats=remaining.seats)
                        yield effects.ChangeFixture(remaining)
                        yield effects.BeginGame(at, round_.number, remaining)


def no_shows(season: LeagueSeason, ended: Iterable[int]) -> list[tuple[Member, Fixture]]:
    """Return the members who are still playing and whose first failure to appear was in one of the matches in `ended`,
    each with the game that they missed."""
    ended_matches, members = frozenset(ended), season.members
    missed = ((members[player], fixture) for player, fixture in season.absent.items() if fixture.match in ended_matches)
    return [(member, fixture) for member, fixture in missed if member.state == "playing"]


def drops_out(season: LeagueSeason, member: Member) -> bool:
    """Return whether a member who failed to appear gets no more games. In a plain round robin, members drop out only if
    a substitute is available; in a team, others take their boards from the next round on."""
    if member.team:
        return True
    places = (0, season.division_of(member.player))
    return not is_plain_round_robin(season.league) or any(
        season.division_of(waiting.player) in places for waiting in season.standby
    )


def after_rounds(season: LeagueSeason, at: int) -> list[LeagueEffect]:
    """End the rounds of division `at` whose games are all over. If this leaves no round under way, begin the next
    one."""
    division = season.divisions[at - 1]
    going = [round_ for round_ in division.rounds if round_.begun and not round_.ended]
    over = [round_ for round_ in going if all(fixture.outcome for fixture in round_.fixtures)]
    playing = tuple(member.player for member in division.playing)
    return [
        *(effects.EndRound(at, round_.number) for round_ in over),
        *(next_round(season, at) if over and len(over) == len(going) else ()),
        *(effects.TellStandings(at, round_, playing) for round_ in over),
    ]


def resumed(season: LeagueSeason) -> Iterator[LeagueEffect]:
    """Reopen the last round of each division if that round had ended and one of its games has been resumed. When the
    round ends again, the players get the new standings."""
    for at, division in enumerate(season.divisions, start=1):
        *_, last = [None, *(round_ for round_ in division.rounds if round_.begun)]
        if last and last.ended and not all(fixture.outcome for fixture in last.fixtures):
            yield effects.EndRound(at, last.number, over=False)


def next_round(season: LeagueSeason, at: int) -> list[LeagueEffect]:
    """Begin a division's next round, whether or not earlier games are over; do nothing if no round is left."""
    division = season.divisions[at - 1]
    known_round = next((round_.number for round_ in division.rounds if not round_.begun), 0)
    if known_round:
        return [effects.BeginRound(at, known_round)]
    number, of_teams = len(division.rounds) + 1, bool(season.league.boards)
    pairing = pair_next_round(season.league, by_lot(season.lot, number, contest(season.league, division)))
    pairing = pairing and shuffled(season.lot, number, pairing)
    return [effects.AddRound(at, number, pairing, of_teams), effects.BeginRound(at, number)] if pairing else []


def new_match(
    season: LeagueSeason, place: tuple[int, int], fixture: Fixture, players: Sequence[Player], confirmed: frozenset[int]
) -> NewMatch:
    """Return a new match; `place` contains the numbers of its division and round, and `players` are in seat order.

    The match begins at once if all players are `confirmed`, that is, known to take part.
    """
    league, members, (division, round_) = season.league, season.members, place
    opening = len(season.divisions[division - 1].fixtures) if league.format == "ladder" else round_
    chairs = [league.seats[at] for at in fixture.seated]
    seats = {seat: replace(player, name=members[player.id].name) for seat, player in zip(chairs, players, strict=True)}
    return NewMatch(
        league.game,
        seats,
        {**options(league, opening), **(league.options_of(fixture.seated) if league.seating else {})},
        replace(league.terms, anonymous=anonymity(league, division)),
        frozenset(seat for seat, player in seats.items() if player.id in confirmed),
        {"league": season.id, "season": season.number, "division": division, "round": round_},
    )


# Members


class Leaver(NamedTuple):
    """A member who is leaving the league."""

    member: Member
    reason: str  # the game master's reason; "" if the member decided to leave
    matches: Mapping[int, Match]  # the member's unfinished league games, by match number
    standby: Mapping[int, Player]  # the players on standby and the leaver's teammates, by player number
    team_leaves: bool = False  # the whole team leaves, so that no teammate takes over


def after_leaving(season: LeagueSeason, leaver: Leaver, now: datetime) -> Iterator[LeagueEffect]:
    """Let a substitute from the standby list take over a leaver's place, games and byes. Without a substitute, running
    games are forfeited, opponents in games that have yet to begin play at smaller tables or have byes, and the leaver's
    own byes lapse."""
    member = leaver.member
    yield effects.ChangeState(member.player, "withdrawn")
    if member.state == "standby":
        return
    at = season.division_of(member.player)
    if member.team:
        for round_ in season.rounds_of(at):
            for fixture in round_.open_of(member.player):
                yield from _without_teammate(season, (round_, fixture), leaver, now)
        return
    substitute = _substitute(season, at, leaver)
    if substitute:
        yield effects.Enter(substitute._replace(seed=member.seed, state="playing"), season.number, at)
    for round_ in season.rounds_of(at):
        for fixture in round_.open_of(member.player):
            yield from _without_leaver(season, (round_, fixture), leaver, substitute, now)
        if member.player in round_.byes and not round_.begun:
            free = [player for player in round_.byes if player != member.player]
            yield effects.ChangeRound(at, round_._replace(byes=(*free, *([substitute.player] if substitute else []))))


def _substitute(season: LeagueSeason, at: int, leaver: Leaver) -> Member | None:
    """Return the member on standby who takes over from a leaver, or None. The substitute must not belong to another
    division, or hold another seat in any of the leaver's games. A member who already plays for the leaver has priority,
    then the member who has been waiting longest. A ladder has no substitutes."""
    if season.league.format == "ladder":
        return None
    places = [(match, _seat_of(season, leaver, match)) for match in leaver.matches.values()]
    opponents = {holder.player.id for match, own in places for seat, holder in match.holders.items() if seat != own}
    playing = {match.holders[seat].player.id for match, seat in places}
    free = [
        waiting
        for waiting in season.standby
        if season.division_of(waiting.player) in (0, at) and waiting.player not in opponents
    ]
    return min(free, key=lambda waiting: waiting.player not in playing, default=None)


def _seat_of(season: LeagueSeason, leaver: Leaver, match: Match) -> Seat:
    """Return the seat in a match that belongs to the leaver in the league, whoever holds it now."""
    fixtures = (fixture for division in season.divisions for fixture in division.fixtures)
    fixture = next(fixture for fixture in fixtures if fixture.match == match.id)
    return match.seats[fixture.players.index(leaver.member.player)]


def _without_leaver(
    season: LeagueSeason, place: tuple[Round, Fixture], leaver: Leaver, substitute: Member | None, now: datetime
) -> Iterator[LeagueEffect]:
    """Continue a leaver's game with the substitute, continue it without the leaver, or end it. If another player now
    holds the leaver's seat, that player plays on."""
    (round_, fixture), player, at = place, leaver.member.player, season.division_of(leaver.member.player)
    after = fixture.with_player(substitute.player, player) if substitute else fixture
    match = leaver.matches[fixture.match] if fixture.match else None
    seat = match.seats[fixture.players.index(player)] if match else ""
    if match and match.holders[seat].player.id != player:
        yield effects.ChangeFixture(after)
        return
    if match and match.phase != "offered":
        if seat not in match.gone:  # a seat that has been given up is lost, and is not taken over
            yield effects.ChangeFixture(after)
            yield effects.InMatch(tuple(_hand_over(match, seat, leaver, substitute, now)))
        return
    if match:
        after = after._replace(match=None)
        name = match.holders[seat].name
        yield effects.InMatch(tuple(clock.annul(match, now, Sentence("{name} does not take part", name=name))))
    smaller_ = None if substitute else smaller(season.league, after, player)
    yield effects.ChangeFixture(smaller_ or after)
    if substitute is None:
        yield effects.ChangeRound(at, without(season.league, round_, player))
    if round_.begun and (substitute or smaller_):
        yield effects.BeginGame(at, round_.number, smaller_ or after)


def _without_teammate(
    season: LeagueSeason, place: tuple[Round, Fixture], leaver: Leaver, now: datetime
) -> Iterator[LeagueEffect]:
    """Continue the game of a leaver with a teammate who has none in that round, or else let the leaver's team lose it
    by forfeit. If another player now holds the leaver's seat, that player plays on."""
    (round_, fixture), member, at = place, leaver.member, season.division_of(leaver.member.player)
    match = leaver.matches[fixture.match or 0]
    seat = match.seats[fixture.players.index(member.player)]
    teammate = None if leaver.team_leaves else free_teammate(season.divisions[at - 1], round_, member)
    after = fixture.with_player(teammate.player, member.player) if teammate else fixture
    if match.holders[seat].player.id != member.player or seat in match.gone:
        return
    if match.phase != "offered":
        yield effects.ChangeFixture(after)
        yield effects.InMatch(tuple(_hand_over(match, seat, leaver, teammate, now)))
    elif teammate:
        why = Sentence("{name} does not take part", name=member.name)
        yield effects.InMatch(tuple(clock.annul(match, now, why)))
        yield effects.ChangeFixture(after._replace(match=None))
        yield effects.BeginGame(at, round_.number, after._replace(match=None))
    else:
        yield effects.InMatch(tuple(clock.decline(match, seat, now)))


def _hand_over(match: Match, seat: Seat, leaver: Leaver, substitute: Member | None, now: datetime) -> list[Effect]:
    """Return the effects on a running game when the holder of a seat leaves."""
    if substitute:
        person = Person(substitute.name, leaver.standby[substitute.player].address)
        return clock.change_holder(match, seat, person, now, leaver.reason)
    holder, side = match.holders[seat], match.game.called[seat]
    why = Sentence("{name} ({side}) has left the league.", name=holder.name, side=side)
    if holder.untold:
        why = Sentence("{side} has left the league.", side=Sentence(side))
    by = "the game master" if leaver.reason else holder.name
    return clock.give_up(match, seat, now, by, (why, leaver.reason))


# Ladders


def challenge(season: LeagueSeason, challenger: int, rival: int, now: datetime) -> list[LeagueEffect]:
    """Begin a game between two players for a place on the ladder. Raises LeagueError if `challenger` cannot challenge
    `rival` now; the error names the rivals whom the challenger could choose instead."""
    members, possible = season.members, challengeable(season, challenger, now)
    if rival not in possible.values():
        name = season.league.name
        if season.league.format != "ladder":
            raise LeagueError("{league} is not a ladder, so there is no place to play for.", league=name)
        values = {"name": members[challenger].name, "rival": members[rival].name, "league": name}
        if not possible:
            raise LeagueError("{name} cannot challenge {rival} in {league} now, nor anyone else.", **values)
        others = tuple(possible)
        raise LeagueError(
            "{name} cannot challenge {rival} in {league} now, but can challenge {others}.", **values, others=others
        )
    return [effects.BeginGame(1, 1, Fixture(seated(season.divisions[0], challenger, rival)))]


def after_challenges(season: LeagueSeason, ended: Iterable[int]) -> Iterator[LeagueEffect]:
    """Send the new standings to both players of each finished ladder match in `ended`."""
    (division,) = season.divisions
    games = {fixture.match: fixture for fixture in division.fixtures}
    for match in ended:
        fixture = games.get(match)
        if fixture and fixture.outcome:
            both = tuple(member.player for member in division.playing if member.player in fixture.players)
            yield effects.TellStandings(1, Round(0, (fixture,)), both)


# Letters


def terms_values(season: LeagueSeason, player: int) -> dict[str, Any]:
    """Return the template values for a letter to `player` about the terms of the league, including the player's
    opponents in each known round."""
    at, player = season.division_of(player), season.members[player].team or player
    season = team_season(season)
    league, names = season.league, {number: member.name for number, member in season.members.items()}
    division = season.divisions[at - 1]
    schedule = [
        (round_.number, [names[who] for who in game.players if who != player])
        for round_ in division.rounds
        for game in (*round_.fixtures, *(Fixture((who,)) for who in round_.byes))
        if player in game.players
    ]
    return {
        "league": league.name,
        "boards": league.boards,
        "terms": league.terms,
        "confirmed": league.confirmed,
        "planned": planned(league, division) if league.format != "ladder" else 0,
        "accelerated": max(map(len, virtual_points(league, division).values()), default=0),
        "turn_limit": league.options.get("turn_limit", 0),
        "anonymous": anonymity(league, at),
        "schedule": schedule if league.format == "round-robin" and anonymity(league, at) == "no" else [],
    }


def standings_values(season: LeagueSeason, at: int, played: Round = NO_ROUND) -> dict[str, Any]:
    """Return the template values, except the table itself, for a letter about the standings of division `at` after the
    games in `played`."""
    division, of_teams = season.divisions[at - 1], contest(season.league, season.divisions[at - 1])
    names = {player: member.name for player, member in season.members.items()}
    called = {member.player: member.name for member in of_teams.members} if season.league.boards else names
    coming = [round_ for round_ in division.rounds if round_.begun and not round_.ended] if played.number else []
    return {
        "league": season.league.name,
        "game": find_game(season.league.game),
        "seats": season.league.seats,
        "at_tables": season.league.seating is not None,
        "tie_breaks": season.league.scoring.tie_breaks,
        "season": season.number,
        "asked": False,
        "division": at if len(season.divisions) > 1 else 0,
        "over": not is_unfinished(season.league, of_teams),
        "round": played.number,
        "boards": season.league.boards,
        "games": [_game_values(season, names, fixture) for fixture in played.fixtures],
        "matches": _match_values(season, at, played),
        "byes": [called[player] for player in (*_byes(played), *division.named_byes_of(played.number))],
        "struck": [called[player] for place in struck(season.league, of_teams) for player in place],
        "notes": played.notes if played.number == 1 else (),  # those of later rounds were told when they began
        "reasons": [note for round_ in coming for note in round_.notes],
        "directs": False,
        "coming": [_game_values(season, names, fixture) for round_ in coming for fixture in round_.fixtures],
        "coming_matches": [match for round_ in coming for match in _match_values(season, at, round_)],
        "resting": [
            called[player] for round_ in coming for player in (*_byes(round_), *division.named_byes_of(round_.number))
        ],
    }


def _byes(round_: Round) -> tuple[int, ...]:
    """Return the players or, in a round of teams, the teams that have a bye."""
    return round_.teams.byes if round_.teams else round_.byes


def _match_values(season: LeagueSeason, at: int, round_: Round) -> list[dict[str, Any]]:
    """Return the template values of the team matches of a round; `points` are None until the first of its games is
    over."""
    division = season.divisions[at - 1]
    names = {player: member.name for player, member in season.members.items()}
    called = {team.number: team.name for team in division.teams}
    return [
        {
            "teams": [called[team] for team in match.teams],
            "boards": [_game_values(season, names, board) for board in boards],
            "points": points if any(points) or any(board.outcome for board in boards) else None,
            "going": not round_.begun or not all(board.outcome for board in boards),
            "missing": [called[team] for team, filled in zip(match.teams, match.seated, strict=True)
                        if round_.begun and filled < season.league.boards],
        }
        for match, boards, points in encounters(season.league, division, round_)
    ]  # fmt: skip


def _game_values(season: LeagueSeason, names: Mapping[int, str], fixture: Fixture) -> dict[str, Any]:
    """Return the template values for one game of a round. Without its players, only its name is known."""
    if not fixture.players:
        return fixture._asdict()
    seated = zip(fixture.players, fixture.seated, strict=True)
    sitting = {player: (names[player], season.league.seats[at]) for player, at in seated}
    ranks, forfeit, *_ = fixture.placing or Placing({}, frozenset(), {})
    ranked = sorted(ranks, key=ranks.__getitem__)
    return {
        **fixture._asdict(),
        "first": names[fixture.players[0]],
        "second": names[fixture.players[1]],
        "winner": fixture.winner and names[fixture.winner],
        "sitting": [*sitting.values()],
        "places": [(ranks[player], *sitting[player], player in forfeit) for player in ranked],
    }
