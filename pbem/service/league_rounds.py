"""What the secretary of a league does: founds it, begins its rounds, deals with who leaves, tells its standings.

Functions on a Desk; whoever calls them holds the transaction.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.games import find_game
from pbem.games.base import Result, Sentence, seats_of
from pbem.leagues import season as seasons
from pbem.leagues.league_file import League
from pbem.leagues.season import Fixture, Member, Stage
from pbem.match import clock
from pbem.match.effects import Effect, NewMatch, Send
from pbem.match.identity import Person
from pbem.match.model import Match, Section
from pbem.resources import unread_part
from pbem.store import leagues, matches, players, ratings
from pbem.store.database import SQLiteError
from pbem.store.leagues import LeagueError, LeagueSeason

if TYPE_CHECKING:
    from pbem.service.desk import Desk


MOST = 128
"""Players of a division: the time to pair a Swiss round grows with their third power."""


# Seasons


def found(desk: "Desk", league: League) -> LeagueSeason:
    """A new league. With players its first season begins; without, it is open to who joins. Raises LeagueError."""
    number = leagues.add_league(desk.store, league, desk.now)
    sizes = [len(people) for people in league.divisions]
    people = [person for division in (*league.divisions, league.standby) for person in division]
    members = leagues.enrol(desk.store, people, desk.now, confirmed=league.confirmed)
    divisions = [members[sum(sizes[:at]) : sum(sizes[: at + 1])] for at in range(len(sizes))]
    waiting = members[sum(sizes) :]
    if divisions:
        return _begin_season(desk, number, 1, divisions, waiting)
    _wait(desk, number, 0, waiting)
    return leagues.load_club(desk.store, number)


def next_season(desk: "Desk", number: int, *, everybody: bool = False) -> LeagueSeason:
    """The next season, with who goes up and who comes in from the standby list. Raises LeagueError."""
    settle(desk, number)
    club = leagues.load_club(desk.store, number)
    if any(seasons.goes_on(club.league, division) for division in club.divisions):
        raise LeagueError(
            f"Season {club.season} of {club.league.name} is not over: `pbem league rounds` shows which games go on."
        )
    standby = [member.player for member in club.standby]
    coming = seasons.promoted(club.league, club.divisions, standby, everybody=everybody)
    if any(len(players) < 2 for players in coming):
        raise LeagueError(f"{club.league.name} has fewer than two players in a division: more have to join first.")
    members = club.members
    divisions = [[members[player] for player in players] for players in coming]
    playing = {player for players in coming for player in players}
    waiting = [member for member in club.standby if member.player not in playing]
    return _begin_season(desk, club.id, club.season + 1, divisions, waiting)


def _begin_season(
    desk: "Desk", number: int, season: int, divisions: Sequence[Sequence[Member]], waiting: Iterable[Member]
) -> LeagueSeason:
    """Members take their places, the rounds that are known are written down, and the first ones begin."""
    if any(len(members) > MOST for members in divisions):
        raise LeagueError(f"A division has at most {MOST} players: make more divisions of them.")
    store, now = desk.store, desk.now
    for at, members in enumerate(divisions, start=1):
        for seed, member in enumerate(members, start=1):
            playing = member._replace(seed=seed, state="playing")
            leagues.add_entrant(store, number, playing, (season, at), now)
    _wait(desk, number, season, waiting)
    leagues.begin_season(store, leagues.load_club(store, number)._replace(season=season), now)
    club = leagues.load_club(store, number)
    for at, division in enumerate(club.divisions, start=1):
        known = seasons.first_rounds(club.league, [member.player for member in division.members])
        for round_number, one in enumerate(known, start=1):
            leagues.add_round(store, club, (at, round_number), one, now)
        _begin_round(desk, leagues.load_club(store, number), at, 1)
    club = leagues.load_club(store, number)
    if club.league.format == "ladder":  # of any other league each hears by his first game
        nothing = {"round": 0, "coming": [], **_played(club, Stage(0, ()))}
        _tell(desk, club, 1, club.divisions[0].playing, nothing)
    return club


def _wait(desk: "Desk", number: int, season: int, waiting: Iterable[Member]) -> None:
    for seed, member in enumerate(waiting, start=1):
        standby = member._replace(seed=seed, state="standby")
        leagues.add_entrant(desk.store, number, standby, (season, 0), desk.now)


# Rounds


def advance(desk: "Desk") -> Iterator[tuple[str, str]]:
    """Draw the consequences of all that has happened in leagues; the names of those that failed at it, and why."""
    for number in leagues.due(desk.store):
        try:
            with desk.store.transaction():
                settle(desk, number)
        except SQLiteError:
            raise
        except Exception as error:  # one league that fails must not stop the others
            if unread_part(error):
                raise
            name = leagues.league_name(desk.store, number)
            yield name, f"The league {name} cannot go on ({type(error).__name__}); nothing of it was changed."


def settle(desk: "Desk", number: int) -> None:
    """Draw the consequences of all that has happened in a league: ended games, leavers, rounds that are over."""
    club = leagues.load_club(desk.store, number)
    for member in club.members.values():
        if member.state == "leaving":
            withdraw(desk, leagues.load_club(desk.store, number), member)
    ended = leagues.unsettled(desk.store, number)
    for match in ended:
        if club.league.rated:
            ratings.rate(desk.store, match)
        leagues.mark_settled(desk.store, match)
    if club.league.format == "ladder" and club.season:
        _tell_ladder(desk, leagues.load_club(desk.store, number), ended)
        return
    for at in range(1, len(club.divisions) + 1):
        while _go_on(desk, leagues.load_club(desk.store, number), at):
            pass


def _go_on(desk: "Desk", club: LeagueSeason, at: int) -> bool:
    """End a division's rounds whose games are all over; if none is left, begin the next one. Whether it has."""
    store, division = desk.store, club.divisions[at - 1]
    going = [stage for stage in division.stages if stage.begun and not stage.ended]
    over = [stage for stage in going if all(one.outcome for one in stage.fixtures)]
    for stage in over:
        leagues.mark_round(store, club, (at, stage.number), "ended", desk.now)
    begun = len(going) == len(over) and bool(over) and begin_next(desk, club, at)
    club = leagues.load_club(store, club.id)
    for stage in over:
        _tell_standings(desk, club, at, stage)
    return begun


def begin_next(desk: "Desk", club: LeagueSeason, at: int) -> bool:
    """Begin a division's next round, whether or not games of earlier ones go on; False if there is none any more."""
    division = club.divisions[at - 1]
    number = next((stage.number for stage in division.stages if not stage.begun), 0)
    if not number:
        found = seasons.next_round(club.league, division)
        if found is None:
            return False
        number = len(division.stages) + 1
        leagues.add_round(desk.store, club, (at, number), found, desk.now)
    _begin_round(desk, leagues.load_club(desk.store, club.id), at, number)
    return True


def _begin_round(desk: "Desk", club: LeagueSeason, at: int, number: int) -> None:
    leagues.mark_round(desk.store, club, (at, number), "begun", desk.now)
    for fixture in club.divisions[at - 1].stages[number - 1].fixtures:
        _begin_game(desk, club, (at, number), fixture)


def _begin_game(desk: "Desk", club: LeagueSeason, place: tuple[int, int], fixture: Fixture) -> Match:
    """A game of the league; it begins at once if both are known to take part."""
    league, members, (division, stage) = club.league, club.members, place
    seats = {
        seat: replace(players.load_player(desk.store, player), name=members[player].name)
        for seat, player in zip(seats_of(find_game(league.game), league.options), fixture[:2], strict=True)
    }
    number = len(club.divisions[division - 1].fixtures) + 1 if league.format == "ladder" else stage
    opening = NewMatch(
        league.game,
        seats,
        seasons.options(league, number),
        league.terms,
        frozenset(seat for seat, player in seats.items() if players.addresses(desk.store, player.id, confirmed=True)),
        {"league": club.id, "season": club.season, "division": division, "round": stage},
    )
    match = desk.set_up(opening)
    leagues.set_fixture(desk.store, fixture._replace(match=match.id))
    return match


# Members


def withdraw(desk: "Desk", club: LeagueSeason, member: Member, reason: str = "") -> None:
    """Somebody leaves, for the game master's `reason` or of his own. Who has waited longest takes his place and goes on
    with his games; if nobody waits, running games are forfeited, and whoever would have met him has a bye."""
    leagues.set_state(desk.store, club, member.player, "withdrawn", desk.now)
    at = club.division_of(member.player)
    if member.state == "standby":
        return
    waiting = () if club.league.format == "ladder" else club.standby
    opponents = _opponents(desk, club, member.player)
    free = (one for one in waiting if club.division_of(one.player) in (0, at) and one.player not in opponents)
    instead = next(free, None)
    if instead:
        taken = instead._replace(seed=member.seed, state="playing")
        leagues.add_entrant(desk.store, club.id, taken, (club.season, at), desk.now)
    club = leagues.load_club(desk.store, club.id)
    for stage in club.divisions[at - 1].stages:
        for fixture in stage.fixtures:
            if member.player in fixture[:2] and fixture.outcome is None:
                _leave_game(desk, club, (at, stage), fixture, _Change(member, instead, reason))


def _opponents(desk: "Desk", club: LeagueSeason, player: int) -> set[int]:
    """Who sits in the running games of somebody's place; a seat of another place may have been handed over."""
    stages = club.divisions[club.division_of(player) - 1].stages
    games = [
        fixture.match
        for stage in stages
        for fixture in stage.fixtures
        if player in fixture[:2] and fixture.outcome is None and fixture.match
    ]
    return {holder.player.id for game in games for holder in matches.holders(desk.store, game).values()}


class _Change(NamedTuple):
    """Who leaves, who takes his place if anybody does, and why."""

    leaver: Member
    instead: Member | None
    reason: str


def _leave_game(desk: "Desk", club: LeagueSeason, place: tuple[int, Stage], fixture: Fixture, change: _Change) -> None:
    """A game of somebody who leaves: it goes on with who takes his place, or comes to its end."""
    store, (division, stage), (leaver, instead, _) = desk.store, place, change
    is_red = fixture.red == leaver.player
    after = fixture
    if instead:
        after = fixture._replace(red=instead.player) if is_red else fixture._replace(blue=instead.player)
    match = matches.load_match(store, fixture.match) if fixture.match else None
    if match and match.phase != "offered":
        leagues.set_fixture(store, after)
        desk.apply(_hand_over(desk, match, change, is_red=is_red))
        return
    if match:
        after = after._replace(match=None)
        desk.apply(clock.annul(match, desk.now, Sentence("{name} does not take part", name=leaver.name)))
    leagues.set_fixture(store, after)
    if instead is None:
        leagues.set_round(store, club, division, seasons.without(stage, leaver.player))
    elif stage.begun:
        _begin_game(desk, club, (division, stage.number), after)


def _hand_over(desk: "Desk", match: Match, change: _Change, *, is_red: bool) -> list[Effect]:
    """What a running game comes to whose red or blue leaves."""
    leaver, instead, reason = change
    seat, other = match.seats if is_red else reversed(match.seats)
    if instead:
        person = Person(instead.name, players.load_player(desk.store, instead.player).address)
        return clock.change_holder(match, seat, person, desk.now, reason)
    side = Sentence(seat.capitalize())
    why = Sentence("{name} ({side}) has left the league.", name=leaver.name, side=side)
    result = Result(other, why, forfeit=True)
    return clock.finish(match, result, desk.now, "the game master" if reason else leaver.name, reason)


# Ladders


def challenge(desk: "Desk", club: LeagueSeason, challenger: int, rival: int) -> str:
    """A game for a place of the ladder; its name. Raises LeagueError with whom else he could challenge."""
    members, possible = club.members, leagues.challengeable(club, challenger, desk.now)
    if rival not in possible.values():
        name = club.league.name
        if club.league.format != "ladder":
            raise LeagueError(f"{name} is no ladder: there is no place to play for.")
        others = f", but {' or '.join(possible)}" if possible else ", nor anybody else"
        raise LeagueError(f"{members[challenger].name} cannot challenge {members[rival].name} in {name} now{others}.")
    fixture = Fixture(*seasons.sides(club.divisions[0], challenger, rival))
    return _begin_game(desk, club, (1, 1), leagues.add_fixture(desk.store, club, (1, 1), fixture)).name


# Letters


def _tell_standings(desk: "Desk", club: LeagueSeason, at: int, stage: Stage) -> None:
    """The table after a round, to everybody who plays in the division."""
    division = club.divisions[at - 1]
    coming = [one for one in division.stages if one.begun and not one.ended]
    content = {"round": stage.number, "coming": [game for one in coming for game in _games(club, one.fixtures)]}
    _tell(desk, club, at, division.playing, {**content, **_played(club, stage)})


def _tell_ladder(desk: "Desk", club: LeagueSeason, ended: Iterable[int]) -> None:
    """The ladder after challenges, to those who have played them."""
    (division,) = club.divisions
    games = {fixture.match: fixture for fixture in division.fixtures}
    for match in ended:
        fixture = games.get(match)
        if fixture and fixture.outcome:
            both = [member for member in division.playing if member.player in fixture[:2]]
            _tell(desk, club, 1, both, {"round": 0, "coming": [], **_played(club, Stage(0, (fixture,)))})


def _tell(desk: "Desk", club: LeagueSeason, at: int, members: Iterable[Member], content: Mapping[str, Any]) -> None:
    division = club.divisions[at - 1]
    values = {
        "league": club.league.name,
        "season": club.season,
        "division": at if len(club.divisions) > 1 else 0,
        "over": not seasons.goes_on(club.league, division),
        "table": leagues.standings(desk.store, club, division),
        **content,
    }
    section = Section("standings", values)
    key = f"standings-{club.id}-{club.season}-{at}-{content['round']}-{desk.now:%Y%m%d%H%M%S}"
    desk.apply(Send("standings", key, players.load_player(desk.store, member.player), (section,)) for member in members)


def _played(club: LeagueSeason, stage: Stage) -> dict[str, Any]:
    """What there is to say of a round that was played."""
    names = {player: member.name for player, member in club.members.items()}
    return {
        "games": _games(club, stage.fixtures),
        "byes": [names[player] for player in stage.byes],
        "notes": stage.notes,
    }


def _games(club: LeagueSeason, fixtures: Iterable[Fixture]) -> list[dict[str, Any]]:
    names = {player: member.name for player, member in club.members.items()}
    return [{**one._asdict(), "red": names[one.red], "blue": names[one.blue]} for one in fixtures]
