"""Leagues: their members, rounds and games, and their tables.

A season is identified by the pair (league, season), and a round by (division, round). The caller opens the transaction.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from secrets import token_hex
from typing import Any, NamedTuple, assert_never

from pbem import Sentence
from pbem.games import DEFAULT, find_game
from pbem.games.base import Result, Seat
from pbem.leagues import effects
from pbem.leagues.anonymous import anonymity, to_tell
from pbem.leagues.league_file import League, dump_league, read_league
from pbem.leagues.placing import Placing, places_if_not_begun, places_of
from pbem.leagues.requests import UNPLACED, Placed
from pbem.leagues.season import (
    Division,
    Fixture,
    FixtureOutcome,
    LeagueError,
    LeagueSeason,
    Member,
    Round,
    State,
    returning_member,
)
from pbem.match.identity import Person, Player, computers_level
from pbem.match.names import apart
from pbem.store import matches, players
from pbem.store.database import Store
from pbem.store.ratings import rate
from pbem.store.requests import load_requests, set_requests
from pbem.store.search import league_names
from pbem.store.teams import add_team_round, apply_to_teams, give_team, load_teams, read_team_round
from pbem.times.moments import stamp
from pbem.tournament.pairing import Pairing

# Leagues


def add_league(store: Store, league: League, now: datetime) -> int:
    """Insert a league without members and return its number. Raises LeagueError if its name is taken."""
    if store.conn.execute("SELECT 1 FROM leagues WHERE name = ?", (league.name,)).fetchone():
        raise LeagueError(f'There is a league "{league.name}" already: choose another name.')
    settings = dump_league(league)
    lot = token_hex(16) if league.terms.anonymous != "no" else ""
    number = store.insert("leagues", name=league.name, settings=json.dumps(settings), lot=lot)
    store.note("league", settings | {"masters": len(league.masters)}, now)
    return number


def find_league(store: Store, name: str) -> int:
    """Return the number of the league with this name, ignoring case. Raises LeagueError, which lists all leagues, if
    there is no such league."""
    row = store.conn.execute("SELECT id FROM leagues WHERE name = ?", (name,)).fetchone()
    if row:
        return int(row[0])
    names = league_names(store)
    listing = f"this desk has {', '.join(names)}" if names else "there is none yet, `pbem league new` makes one"
    raise LeagueError(f'There is no league "{name}": {listing}.')


def find_season(store: Store, name: str, number: int | None = None) -> LeagueSeason:
    """Load the league with this name, with its season `number` or, if that is None, its current season. Raises
    LeagueError if there is no such league or season."""
    season = load_season(store, find_league(store, name))
    if number is None or number == season.number:
        return season
    if not 1 <= number < season.number:
        values = {"league": season.league.name, "number": number, "last": season.number}
        raise LeagueError("{league} has no season {number}: the last one is {last}.", **values)
    return load_season(store, season.id, number)


def games_of_leagues(store: Store) -> dict[str, tuple[int, str]]:
    """Return the number and the game of each league, by the name of the league."""
    rows = store.conn.execute("SELECT name, id, settings ->> 'game' FROM leagues ORDER BY name")
    return {name: (number, game or DEFAULT) for name, number, game in rows}


def league_name(store: Store, number: int) -> str:
    """Return the name of a league: the inverse of `find_league`."""
    return str(store.value("SELECT name FROM leagues WHERE id = ?", (number,)))


def load_season(store: Store, number: int, season: int | None = None) -> LeagueSeason:
    """Load the league with this number, with the given `season` or, if that is None, the current one. For an earlier
    season, the field `begun` is left empty."""
    settings, current, begun, lot = store.conn.execute(
        "SELECT settings, season, begun, lot FROM leagues WHERE id = ?", (number,)
    ).fetchone()
    if season is None or season == current:
        season = current
    else:
        begun = ""
    league = read_league(json.loads(settings))
    members: dict[int, list[Member]] = {}
    for division, *member in store.conn.execute(
        "SELECT division, player, name, seed, state, given, team, rating FROM entrants WHERE league = ? AND season = ?"
        " ORDER BY division, seed, rowid",
        (number, season),
    ):
        entrant = Member(*member) if season else Member(*member)._replace(begins_in=division)
        members.setdefault(division if season else 0, []).append(entrant)
    waiting = sorted(
        (member for group in members.values() for member in group if member.state == "standby"),
        key=lambda member: member.seed,
    )
    members.pop(0, None)
    rounds = load_rounds(store, league, (number, season))
    requests = load_requests(store, (number, season))
    teams, substitutions = load_teams(store, (number, season))
    divisions = []
    for at in sorted(members):
        playing = {member.player for member in members[at]}
        about = tuple(request for request in requests if request.player in playing)
        of_teams = tuple(teams.get(at, ())), substitutions
        divisions.append(Division(tuple(members[at]), tuple(rounds.get(at, ())), about, *of_teams))
    return LeagueSeason(number, league, season, begun or "", tuple(divisions), tuple(waiting), requests, lot)


# Members


def add_entrant(store: Store, league: int, member: Member, place: tuple[int, int], now: datetime) -> None:
    """Add a member to a season, or move a member within it. `place` is (season, division), where division 0 is the
    standby list."""
    store.conn.execute(
        """INSERT INTO entrants (league, season, division, player, name, seed, state, since, agreed, team, rating)
           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,
                   (SELECT agreed FROM entrants WHERE league = ?1 AND player = ?4 ORDER BY season DESC LIMIT 1),
                   ?9, ?10)
           ON CONFLICT (league, season, player) DO UPDATE SET
               division = excluded.division, seed = excluded.seed, state = excluded.state, team = excluded.team,
               rating = iif(excluded.rating, excluded.rating, rating)""",
        (league, *place, *member[:4], stamp(now), member.team, member.rating),
    )
    content = {"league": league, "season": place[0], "division": place[1], "player": member.player}
    more = {key: value for key, value in (("team", member.team), ("rating", member.rating)) if value}
    store.note("entrant", {**content, "state": member.state, **more}, now)


def join(store: Store, season: LeagueSeason, player: Player, now: datetime, placed: Placed = UNPLACED) -> Member:
    """Add a player to a season, and return the corresponding member. The player joins at the foot of a ladder if it is
    under way; in all other cases, the player goes on the standby list, before the first season with the division in
    which they are to begin it.

    If the name is similar to another member's, a number is added to it. Former members keep their results in the
    season. Former members who merely failed to show up get their place back, provided that it is free and rounds are
    paired one at a time.
    """
    if member := returning_member(season, player.id):
        _set_state(store, season.id, player.id, "playing", now)
        return member
    name = apart(
        player.name or "Player", [rival.name for rival in season.members.values() if rival.player != player.id]
    )
    seed = max((rival.seed for rival in season.members.values()), default=0) + 1
    if season.league.format == "ladder" and season.number:
        member, division = Member(player.id, name, seed, rating=placed.rating), 1
    else:
        team = former.team if (former := season.members.get(player.id)) else 0  # earlier results stay those of the team
        division = season.division_of(player.id) if season.number else placed.division
        member = Member(player.id, name, seed, "standby", team=team, rating=placed.rating, begins_in=placed.division)
    add_entrant(store, season.id, member, (season.number, division), now)
    return member


def give(store: Store, season: LeagueSeason, player: int, points: float) -> None:
    """Add `points`, which may be negative, to a member's total, independently of the results of games. In a league of
    teams, `player` is the number of a team."""
    if season.league.boards:
        give_team(store, (season.id, season.number), player, points)
        return
    store.conn.execute(
        "UPDATE entrants SET given = round(given + ?, 6) WHERE league = ? AND season = ? AND player = ?",
        (points, season.id, season.number, player),
    )


def set_rating(store: Store, season: LeagueSeason, player: int, rating: int) -> None:
    """Replace the rating that was given with a member; 0 for none."""
    store.conn.execute(
        "UPDATE entrants SET rating = ? WHERE league = ? AND season = ? AND player = ?",
        (rating, season.id, season.number, player),
    )


def agree(store: Store, season: LeagueSeason, player: int, now: datetime) -> None:
    """Record that a member has agreed to take part."""
    store.conn.execute(
        "UPDATE entrants SET agreed = coalesce(agreed, ?) WHERE league = ? AND season = ? AND player = ?",
        (stamp(now), season.id, season.number, player),
    )


def leave(store: Store, season: LeagueSeason, player: int, now: datetime) -> None:
    """Record that a member is leaving the season. The member's unfinished games are decided the next time the league is
    settled."""
    member = season.members.get(player)
    if member and member.state in ("playing", "standby"):
        _set_state(store, season.id, player, "leaving" if member.state == "playing" else "withdrawn", now)


def enrol(store: Store, people: Iterable[Person], now: datetime, *, confirmed: bool) -> list[Member]:
    """Turn the people listed in a file into players, and return them as members with seeds from 1 in the order of the
    list. Raises LeagueError, which names everyone who cannot take part."""
    members: dict[int, Member] = {}
    problems = []
    for seed, person in enumerate(people, start=1):
        invitee = players.invitee(store, person.address.lower())
        if invitee.banned or (invitee.refuses and not confirmed):
            problems.append(Sentence("{names} cannot be invited here.", names=person.name))
            continue
        sure = confirmed or computers_level(person.address) > 0
        player = players.add_player(store, person.name, person.address, now, confirmed=sure)
        if player.id in members:
            both = {"name": person.name, "other": members[player.id].name}
            problems.append(Sentence("{name} and {other} are the same player, with two addresses.", **both))
        members[player.id] = Member(player.id, person.name, seed)
    if problems:
        raise LeagueError("\n  ".join(["", *problems]) if len(problems) > 1 else problems[0])
    return [*members.values()]


def find_member(season: LeagueSeason, name: str) -> Member:
    """Return the member with this name, ignoring case and those who have withdrawn. Raises LeagueError if there is no
    such member; its message lists similar names or, failing that, all names."""
    by_name = {member.name.casefold(): member for member in season.members.values() if member.state != "withdrawn"}
    if member := by_name.get(name.casefold()):
        return member
    from difflib import get_close_matches

    parts = [known_name for known_name in by_name if name.casefold() in known_name.split()]
    near = parts or get_close_matches(name.casefold(), by_name)
    values = {
        "name": name,
        "league": season.league.name,
        "names": tuple(by_name[known_name].name for known_name in near or by_name),
    }
    if near:
        raise LeagueError('Nobody called "{name}" is in {league}. Did you mean {names}?', **values)
    raise LeagueError('Nobody called "{name}" is in {league}, only {names}.', **values)


# Effects


def apply(store: Store, league: int, effect: effects.Kept, now: datetime) -> None:
    """Store an effect of a decision about a league."""
    match effect:
        case effects.Enter() | effects.ChangeState():
            _apply_to_member(store, league, effect, now)
        case effects.BeginSeason(season):
            begin_season(store, league, season, now)
        case effects.AddRound():
            _add_round(store, league, effect, now)
        case effects.EnterTeam() | effects.SeatTeams() | effects.Substitute():
            apply_to_teams(store, current(store, league), effect, now)
        case effects.EndRound(division, number, over):
            mark_round(store, current(store, league), (division, number), "ended", now if over else None)
        case effects.ChangeRound(division, round_):
            set_round(store, current(store, league), division, round_)
        case effects.ChangeFixture(fixture):
            set_fixture(store, fixture)
        case effects.SetRequests(requests):
            set_requests(store, current(store, league), requests, now)
        case effects.Settle():
            _settle(store, effect)
        case _:
            assert_never(effect)


def _apply_to_member(store: Store, league: int, effect: effects.Enter | effects.ChangeState, now: datetime) -> None:
    match effect:
        case effects.Enter(member, season, division):
            add_entrant(store, league, member, (season, division), now)
        case effects.ChangeState(player, state):
            _set_state(store, league, player, state, now)


def _add_round(store: Store, league: int, effect: effects.AddRound, now: datetime) -> None:
    division, number, pairing, of_teams = effect
    add = add_team_round if of_teams else add_round
    add(store, current(store, league), (division, number), pairing, now)


def _settle(store: Store, effect: effects.Settle) -> None:
    if effect.rated:
        rate(store, effect.match, unplayed=effect.unplayed)
    store.conn.execute("UPDATE matches SET settled = 1 WHERE id = ?", (effect.match,))


def current(store: Store, league: int) -> tuple[int, int]:
    """Return the current season of a league as (league, season)."""
    return league, store.value("SELECT season FROM leagues WHERE id = ?", (league,))


def _set_state(store: Store, league: int, player: int, state: State, now: datetime) -> None:
    _, season = current(store, league)
    store.conn.execute(  # anyone who has left takes part again only after agreeing
        "UPDATE entrants SET state = ?1, agreed = iif(?1 IN ('leaving', 'withdrawn'), NULL, agreed)"
        " WHERE league = ?2 AND season = ?3 AND player = ?4",
        (state, league, season, player),
    )
    store.note("entrant", {"league": league, "season": season, "player": player, "state": state}, now)


def begin_season(store: Store, league: int, season: int, now: datetime) -> None:
    """Make `season` the current season of a league."""
    store.conn.execute("UPDATE leagues SET season = ?, begun = ? WHERE id = ?", (season, stamp(now), league))
    store.note("season", {"league": league, "season": season}, now)


# News


def unsettled(store: Store, league: int) -> list[int]:
    """Return the numbers of the league's matches that have ended or have been reopened and have not been settled since,
    in the order in which they ended."""
    return store.column("SELECT id FROM matches WHERE settled = 0 AND league = ? ORDER BY ended, id", (league,))


def tell_names(store: Store, season: LeagueSeason) -> None:
    """Tell the names of the players of anonymous games whose time has come, and rate these games."""
    for fixture in to_tell(season):
        if fixture.match and matches.tell_names(store, fixture.match) and season.league.rated:
            rate(store, fixture.match, unplayed=season.league.rate_unplayed)


# Loading


def load_rounds(store: Store, league: League, season: tuple[int, int]) -> dict[int, list[Round]]:
    """Return the rounds of a season, keyed by division."""
    fixtures = _fixtures(store, league, season)
    rounds: dict[int, list[Round]] = {}
    for division, number, byes, notes, begun, ended, told, teams in store.conn.execute(
        """SELECT division, round, byes, notes, begun IS NOT NULL, ended IS NOT NULL, told IS NOT NULL, teams
           FROM rounds WHERE league = ? AND season = ? ORDER BY division, round""",
        season,
    ):
        games = tuple(fixtures.get((division, number), ()))
        rounds.setdefault(division, []).append(
            Round(
                *(number, games, tuple(json.loads(byes)), tuple(json.loads(notes)), bool(begun), bool(ended)),
                *(bool(told), read_team_round(teams)),
            )
        )
    return rounds


def _fixtures(store: Store, league: League, season: tuple[int, int]) -> dict[tuple[int, int], list[Fixture]]:
    """Return the games of a season, keyed by (division, round)."""
    fixtures: dict[tuple[int, int], list[Fixture]] = {}
    chairs, at_tables = league.seats, league.seating is not None
    silent = league.terms.no_show == "forfeit"
    seat_rows: dict[int, list[_SeatRow]] = {}
    for match, *row in store.conn.execute(
        """SELECT match, seat, score, accepted IS NOT NULL, gone, untold <> '' FROM seats
           WHERE match IN (SELECT match FROM pairings WHERE league = ? AND season = ?)""",
        season,
    ):
        seat_rows.setdefault(match, []).append(_SeatRow(*row))
    for division, number, first, second, third, fourth, seats, *row in store.conn.execute(
        """SELECT p.division, p.round, p.first, p.second, p.third, p.fourth, p.seats,
                  p.id, m.id, m.name, m.phase, m.winner, m.forfeit, m.ended, m.ranking,
                  EXISTS (SELECT 1 FROM turns t WHERE t.match = m.id AND t.undone IS NULL)
           FROM pairings p LEFT JOIN matches m ON m.id = p.match
           WHERE p.league = ? AND p.season = ? ORDER BY p.id""",
        season,
    ):
        players = tuple([player for player in (first, second, third, fourth) if player is not None])
        fixture = Fixture(players, seats=tuple(json.loads(seats)) if seats else ())
        sitting = dict(zip([chairs[at] for at in fixture.seated], players, strict=True))
        anonymous = row[1] is None and anonymity(league, division) != "no"
        fixture = fixture._replace(untold=anonymous or any(one.untold for one in seat_rows.get(row[1], [])))
        played = _played(fixture, sitting, seat_rows.get(row[1], []), silent, *row)
        if at_tables and played.counts:
            played = played._replace(placing=_placing(league, played, sitting, seat_rows[row[1]], *row[3:]))
        fixtures.setdefault((division, number), []).append(played)
    return fixtures


class _SeatRow(NamedTuple):
    """The columns of a row of `seats` that are needed for the result of a game."""

    seat: Seat
    score: int | None
    accepted: int
    gone: int | None
    untold: int


def _played(fixture: Fixture, sitting: Mapping[Seat, int], seat_rows: Sequence[_SeatRow], *row: Any) -> Fixture:
    """Return `fixture` with the result of its match. `sitting` maps the seats to their players, and `row` contains the
    remaining values that `_fixtures` has read."""
    silent, number, match, name, phase, winning, forfeit, ended, _, turns = row
    scored = {seat_row.seat: seat_row.score or 0 for seat_row in seat_rows}
    outcome: FixtureOutcome | None = None
    winner = None
    if phase == "finished":
        winner = sitting.get(winning)
        outcome = "won" if winning is not None else "forfeit" if forfeit else "draw"
    elif phase == "annulled" and all(seat_row.accepted for seat_row in seat_rows):
        outcome = "annulled"
    elif phase == "annulled":
        winner = _present(sitting, seat_rows)
        outcome, forfeit = "won" if winner else "forfeit", True
    scores = tuple([scored.get(seat, 0) for seat in sitting])
    absent: Iterable[int] = ()
    if phase == "annulled" and outcome != "annulled":
        absent = (sitting[seat_row.seat] for seat_row in seat_rows if seat_row.gone is not None)
    elif phase == "finished" and forfeit and not turns and len(sitting) == 2:
        absent = (
            sitting[seat_row.seat]
            for seat_row in seat_rows
            if seat_row.seat != winning and (silent or not seat_row.accepted)
        )
    return fixture._replace(
        id=number,
        match=match,
        name=name,
        outcome=outcome,
        winner=winner,
        forfeit=bool(forfeit),
        scores=scores,
        ended=ended or "",
        played=bool(turns),
        absent=frozenset(absent),
    )


def _present(sitting: Mapping[Seat, int], seat_rows: Sequence[_SeatRow]) -> int | None:
    """Return the only player who showed up for a game that the others forfeited because it never began; None if nobody
    or more than one player showed up."""
    gone = any(seat_row.gone is not None for seat_row in seat_rows)
    present = [
        sitting[seat_row.seat] for seat_row in seat_rows if (seat_row.gone is None if gone else seat_row.accepted)
    ]
    return present[0] if len(present) == 1 else None


def _placing(
    league: League, played: Fixture, sitting: Mapping[Seat, int], seat_rows: Sequence[_SeatRow], *row: Any
) -> Placing:
    """Return the outcome of a game at a table, that is, in a league whose games have more than two players. `sitting`
    maps the seats to their players, and `row` contains the last six values of the `row` that `_played` is given."""
    phase, winning, forfeit, _, ranking, _ = row
    chairs = find_game(league.game).seats(league.options_of(played.seated))
    gone = [seat_row.seat for seat_row in seat_rows if seat_row.gone is not None]
    if phase == "annulled":
        places = places_if_not_begun({seat_row.seat: bool(seat_row.accepted) for seat_row in seat_rows}, gone)
    else:
        order = tuple(map(tuple, json.loads(ranking))) if ranking else ()
        places = places_of(chairs, Result(winning, "", bool(forfeit), order), gone)
    return Placing(
        {sitting[seat]: rank for seat, rank in places.ranks.items()},
        frozenset(sitting[seat] for seat in places.forfeit),
        {sitting[chair.seat]: chair.side for chair in chairs},
        winning or "",
    )


# Writing


def add_round(store: Store, season: tuple[int, int], place: tuple[int, int], pairing: Pairing, now: datetime) -> None:
    """Insert a round with its games."""
    content = dict(zip(("league", "season", "division", "round"), (*season, *place), strict=True))
    store.insert("rounds", **content, byes=json.dumps(pairing.byes), notes=json.dumps(pairing.notes))
    for sitting, seats in zip(pairing.games, pairing.seats or [()] * len(pairing.games), strict=True):
        add_fixture(store, season, place, Fixture(sitting, seats=seats))
    seats_of = {"seats": pairing.seats} if pairing.seats else {}
    store.note("round", {**content, "games": pairing.games, "byes": pairing.byes, **seats_of}, now)


def add_fixture(store: Store, season: tuple[int, int], place: tuple[int, int], fixture: Fixture) -> Fixture:
    """Add a game to a round, without a match because the game has not begun; return the game with its number."""
    row = store.conn.execute(
        "INSERT INTO pairings (league, season, division, round, first, second, third, fourth, seats)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*season, *place, *_sitting(fixture)),
    )
    return fixture._replace(id=int(row.lastrowid or 0))


def set_fixture(store: Store, fixture: Fixture) -> None:
    """Store the match and the players of `fixture`, a game of a round."""
    store.conn.execute(
        "UPDATE pairings SET first = ?, second = ?, third = ?, fourth = ?, seats = ?, match = ? WHERE id = ?",
        (*_sitting(fixture), fixture.match, fixture.id),
    )


def take_place(store: Store, match: int, new: int) -> int:
    """Replace `match` in its round with the match `new`; return the league's number, or 0 if `match` belongs to no
    league."""
    row = store.conn.execute("UPDATE pairings SET match = ? WHERE match = ? RETURNING league", (new, match)).fetchone()
    return int(row[0]) if row else 0


def _sitting(fixture: Fixture) -> tuple[int | str | None, ...]:
    """Return the values of a fixture's columns: its players, padded with None to four, and its seats as JSON, or None
    if it lists no seats."""
    empty = (None,) * (4 - len(fixture.players))
    return (*fixture.players, *empty, json.dumps(fixture.seats) if fixture.seats else None)


def mark_round(store: Store, season: tuple[int, int], place: tuple[int, int], mark: str, now: datetime | None) -> None:
    """Store `now` as the moment at which a round began or ended, or at which its pairings were told; `mark` is `begun`,
    `ended` or `told`. If `now` is None, the stored moment is deleted."""
    sql = {
        "told": "UPDATE rounds SET told = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        "begun": "UPDATE rounds SET begun = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        "ended": "UPDATE rounds SET ended = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
    }
    store.conn.execute(sql[mark], (now and stamp(now), *season, *place))


def look_again(store: Store, league: int, moment: datetime | None) -> None:
    """Have a league settled at `moment` even if none of its games has ended by then; at None, not."""
    due = moment and stamp(moment)
    store.conn.execute("UPDATE leagues SET due = ?1 WHERE id = ?2 AND due IS NOT ?1", (due, league))


def set_round(store: Store, season: tuple[int, int], division: int, round_: Round) -> None:
    """Store the byes of `round_`, and delete the games of this round that `round_` no longer contains."""
    place = (*season, division, round_.number)
    store.conn.execute(
        "UPDATE rounds SET byes = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        (json.dumps(round_.byes), *place),
    )
    store.conn.execute(
        """DELETE FROM pairings WHERE league = ? AND season = ? AND division = ? AND round = ?
           AND id NOT IN (SELECT value FROM json_each(?))""",
        (*place, json.dumps([fixture.id for fixture in round_.fixtures])),
    )
