"""Leagues in the store: who takes part, which rounds there are, and how all that is shown.

Functions on a Store; whoever calls them holds the transaction.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, assert_never

from pbem.games.base import Seat
from pbem.leagues.effects import (
    AddRound,
    BeginSeason,
    ChangeFixture,
    ChangeRound,
    ChangeState,
    EndRound,
    Enter,
    Kept,
    Settle,
)
from pbem.leagues.league_file import League, dump_league, read_league
from pbem.leagues.season import (
    Division,
    Fixture,
    FixtureOutcome,
    LeagueError,
    LeagueSeason,
    Member,
    Round,
    State,
    table,
)
from pbem.match.identity import Person, Player
from pbem.store import players, ratings
from pbem.store.database import Store
from pbem.store.lobby import league_names
from pbem.times.moments import stamp
from pbem.tournament.pairing import Pairing
from pbem.tournament.ratings import Rating, Strength
from pbem.tournament.standings import TableRow

# Leagues


def add_league(store: Store, league: League, now: datetime) -> int:
    """A new league, without members; its number. Raises LeagueError if there is one of that name."""
    if store.conn.execute("SELECT 1 FROM leagues WHERE name = ?", (league.name,)).fetchone():
        raise LeagueError(f'There is a league "{league.name}" already: choose another name.')
    row = store.conn.execute(
        "INSERT INTO leagues (name, settings, since) VALUES (?, ?, ?)",
        (league.name, json.dumps(dump_league(league)), stamp(now)),
    )
    store.note("league", dump_league(league) | {"masters": len(league.masters)}, now)
    return int(row.lastrowid or 0)


def find_league(store: Store, name: str) -> int:
    """The number of a league from its name, in any case. Raises LeagueError with the leagues there are."""
    row = store.conn.execute("SELECT id FROM leagues WHERE name = ?", (name,)).fetchone()
    if row:
        return int(row[0])
    names = league_names(store)
    there = f"there are {', '.join(names)}" if names else "there is none yet, `pbem league new` makes one"
    raise LeagueError(f'There is no league "{name}": {there}.')


def find_season(store: Store, name: str) -> LeagueSeason:
    """A league with all of its current season, by its name. Raises LeagueError."""
    return load_season(store, find_league(store, name))


def league_name(store: Store, number: int) -> str:
    """What people call a league: the inverse of `find_league`."""
    (name,) = store.conn.execute("SELECT name FROM leagues WHERE id = ?", (number,)).fetchone()
    return str(name)


def load_season(store: Store, number: int, season: int | None = None) -> LeagueSeason:
    """A league with all that there is of its current season, or of an earlier one; of that, `begun` is not known."""
    settings, current, begun = store.conn.execute(
        "SELECT settings, season, begun FROM leagues WHERE id = ?", (number,)
    ).fetchone()
    if season is None or season == current:
        season = current
    else:
        begun = ""
    league = read_league(json.loads(settings))
    members: dict[int, list[Member]] = {}
    for division, *member in store.conn.execute(
        "SELECT division, player, name, seed, state FROM entrants WHERE league = ? AND season = ?"
        " ORDER BY division, seed, rowid",
        (number, season),
    ):
        members.setdefault(division, []).append(Member(*member))
    waiting = sorted(
        (one for some in members.values() for one in some if one.state == "standby"), key=lambda one: one.seed
    )
    members.pop(0, None)
    rounds = _rounds(store, number, season, league.seats)
    divisions = tuple(Division(tuple(members[at]), tuple(rounds.get(at, ()))) for at in sorted(members))
    return LeagueSeason(number, league, season, begun or "", divisions, tuple(waiting))


def _rounds(store: Store, league: int, season: int, seats: Sequence[Seat]) -> dict[int, list[Round]]:
    """The rounds of a season by division."""
    fixtures = _fixtures(store, league, season, seats)
    rounds: dict[int, list[Round]] = {}
    for division, number, byes, notes, begun, ended in store.conn.execute(
        """SELECT division, round, byes, notes, begun IS NOT NULL, ended IS NOT NULL FROM rounds
           WHERE league = ? AND season = ? ORDER BY division, round""",
        (league, season),
    ):
        games = tuple(fixtures.get((division, number), ()))
        rounds.setdefault(division, []).append(
            Round(number, games, tuple(json.loads(byes)), tuple(json.loads(notes)), bool(begun), bool(ended))
        )
    return rounds


def _fixtures(store: Store, league: int, season: int, seats: Sequence[Seat]) -> dict[tuple[int, int], list[Fixture]]:
    """The games of a season by division and round."""
    found: dict[tuple[int, int], list[Fixture]] = {}
    for division, number, *row in store.conn.execute(
        """SELECT p.division, p.round, p.first, p.second, p.id, m.id, m.name, m.phase, m.winner, m.forfeit, m.ended,
                  a.score, a.accepted IS NOT NULL, b.score, b.accepted IS NOT NULL
           FROM pairings p LEFT JOIN matches m ON m.id = p.match
           LEFT JOIN seats a ON a.match = m.id AND a.seat = ? LEFT JOIN seats b ON b.match = m.id AND b.seat = ?
           WHERE p.league = ? AND p.season = ? ORDER BY p.id""",
        (*seats, league, season),
    ):
        found.setdefault((division, number), []).append(_fixture(seats, *row))
    return found


def _fixture(seats: Sequence[Seat], *row: Any) -> Fixture:
    first, second, number, match, name, phase, winning, forfeit, ended, *sat = row
    first_score, first_accepted, second_score, second_accepted = sat
    outcome: FixtureOutcome | None = None
    winner = None
    if phase == "finished":
        winner = None if winning is None else (first, second)[seats.index(winning)]
        outcome = "won" if winning is not None else "forfeit" if forfeit else "draw"
    elif phase == "annulled" and first_accepted and second_accepted:
        outcome = "annulled"
    elif phase == "annulled":  # it never began: who did not take part has forfeited it
        winner = first if first_accepted else second if second_accepted else None
        outcome, forfeit = "forfeit" if winner is None else "won", True
    scores = (first_score or 0, second_score or 0)
    return Fixture((first, second), number, match, name, outcome, winner, bool(forfeit), scores, ended or "")


# Members


def add_entrant(store: Store, league: int, member: Member, place: tuple[int, int], now: datetime) -> None:
    """A member of a season; `place` are the numbers of season and division, which is 0 for the standby list."""
    store.conn.execute(
        """INSERT INTO entrants (league, season, division, player, name, seed, state, since)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (league, season, player) DO UPDATE SET
               division = excluded.division, seed = excluded.seed, state = excluded.state""",
        (league, *place, *member, stamp(now)),
    )
    content = {"league": league, "season": place[0], "division": place[1], "player": member.player}
    store.note("entrant", {**content, "state": member.state}, now)


def join(store: Store, season: LeagueSeason, player: Player, now: datetime) -> Member:
    """Somebody takes part as he asks to: at the foot of a ladder that is played, else on the standby list.

    Somebody else's name gets a number behind it. Who has left before keeps what he has played in the season.
    """
    taken = {one.name.casefold() for one in season.members.values() if one.player != player.id}
    names = (player.name, *(f"{player.name} {number}" for number in range(2, len(taken) + 3)))
    name = next(name for name in names if name.casefold() not in taken)
    seed = max((one.seed for one in season.members.values()), default=0) + 1
    if season.league.format == "ladder" and season.number:
        member, division = Member(player.id, name, seed), 1
    else:
        member, division = Member(player.id, name, seed, "standby"), season.division_of(player.id)
    add_entrant(store, season.id, member, (season.number, division), now)
    return member


def leave(store: Store, season: LeagueSeason, player: int, now: datetime) -> None:
    """Somebody takes part no longer; what becomes of his games is seen to when the league is settled."""
    member = season.members.get(player)
    if member and member.state in ("playing", "standby"):
        _set_state(store, season.id, player, "leaving" if member.state == "playing" else "withdrawn", now)


def enrol(store: Store, people: Iterable[Person], now: datetime, *, confirmed: bool) -> list[Member]:
    """Players for people from a file, numbered from 1 on. Raises LeagueError with all who cannot take part at once."""
    members: dict[int, Member] = {}
    problems = []
    for seed, person in enumerate(people, start=1):
        known = players.invitee(store, person.address.lower())
        if known.banned or (known.refuses and not confirmed):
            problems.append(f"{person.name} cannot be invited here.")
            continue
        player = players.add_player(store, person.name, person.address, now, confirmed=confirmed)
        if player.id in members:
            problems.append(f"{person.name} and {members[player.id].name} are the same player, with two addresses.")
        members[player.id] = Member(player.id, person.name, seed)
    if problems:
        raise LeagueError("\n  ".join(["", *problems] if len(problems) > 1 else problems))
    return [*members.values()]


def find_member(season: LeagueSeason, name: str) -> Member:
    """A member by his name, in any case. Raises LeagueError."""
    found = [one for one in season.members.values() if one.name.casefold() == name.casefold()]
    if not found or found[0].state == "withdrawn":
        raise LeagueError(f'Nobody called "{name}" takes part in {season.league.name}: `pbem league show` lists all.')
    return found[0]


# What becomes of a league


def apply(store: Store, league: int, effect: Kept, now: datetime) -> None:
    """Write down what a decision about a league comes to."""
    match effect:
        case Enter(member, season, division):
            add_entrant(store, league, member, (season, division), now)
        case ChangeState(player, state):
            _set_state(store, league, player, state, now)
        case BeginSeason(season):
            begin_season(store, league, season, now)
        case AddRound(division, number, pairing):
            add_round(store, league, (division, number), pairing, now)
        case EndRound(division, number):
            mark_round(store, league, (division, number), "ended", now)
        case ChangeRound(division, round_):
            _set_round(store, league, division, round_)
        case ChangeFixture(fixture):
            set_fixture(store, fixture)
        case Settle(match, rated):
            if rated:
                ratings.rate(store, match)
            store.conn.execute("UPDATE matches SET settled = 1 WHERE id = ?", (match,))
        case _:
            assert_never(effect)


def _season_of(store: Store, league: int) -> int:
    """The number of the current season."""
    (season,) = store.conn.execute("SELECT season FROM leagues WHERE id = ?", (league,)).fetchone()
    return int(season)


def _set_state(store: Store, league: int, player: int, state: State, now: datetime) -> None:
    season = _season_of(store, league)
    store.conn.execute(
        "UPDATE entrants SET state = ? WHERE league = ? AND season = ? AND player = ?", (state, league, season, player)
    )
    store.note("entrant", {"league": league, "season": season, "player": player, "state": state}, now)


def begin_season(store: Store, league: int, season: int, now: datetime) -> None:
    """A season is the current one from now on."""
    store.conn.execute("UPDATE leagues SET season = ?, begun = ? WHERE id = ?", (season, stamp(now), league))
    store.note("season", {"league": league, "season": season}, now)


def add_round(store: Store, league: int, place: tuple[int, int], pairing: Pairing, now: datetime) -> None:
    """A round is known from now on; `place` are the numbers of division and round."""
    season = _season_of(store, league)
    store.conn.execute(
        "INSERT INTO rounds (league, season, division, round, byes, notes) VALUES (?, ?, ?, ?, ?, ?)",
        (league, season, *place, json.dumps(pairing.byes), json.dumps(pairing.notes)),
    )
    for players_ in pairing.games:
        add_fixture(store, league, place, Fixture(players_))
    content = {"league": league, "season": season, "division": place[0], "round": place[1]}
    store.note("round", {**content, "games": pairing.games, "byes": pairing.byes}, now)


def add_fixture(store: Store, league: int, place: tuple[int, int], fixture: Fixture) -> Fixture:
    """A game of a round, that has still to begin."""
    row = store.conn.execute(
        "INSERT INTO pairings (league, season, division, round, first, second) VALUES (?, ?, ?, ?, ?, ?)",
        (league, _season_of(store, league), *place, *fixture.players),
    )
    return fixture._replace(id=int(row.lastrowid or 0))


def set_fixture(store: Store, fixture: Fixture) -> None:
    """A game of a round has another match, or other players."""
    store.conn.execute(
        "UPDATE pairings SET first = ?, second = ?, match = ? WHERE id = ?",
        (*fixture.players, fixture.match, fixture.id),
    )


def mark_round(store: Store, league: int, place: tuple[int, int], what: str, now: datetime) -> None:
    """A round has `begun` or `ended`."""
    sql = {
        "begun": "UPDATE rounds SET begun = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        "ended": "UPDATE rounds SET ended = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
    }
    store.conn.execute(sql[what], (stamp(now), league, _season_of(store, league), *place))


def _set_round(store: Store, league: int, division: int, round_: Round) -> None:
    """A round has other byes, and only the games that it has now."""
    place = (league, _season_of(store, league), division, round_.number)
    store.conn.execute(
        "UPDATE rounds SET byes = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        (json.dumps(round_.byes), *place),
    )
    store.conn.execute(
        """DELETE FROM pairings WHERE league = ? AND season = ? AND division = ? AND round = ?
           AND id NOT IN (SELECT value FROM json_each(?))""",
        (*place, json.dumps([one.id for one in round_.fixtures])),
    )


# What has happened


def unsettled(store: Store, league: int) -> list[int]:
    """The matches of a league of which it has still to see how they ended, in the order they did."""
    rows = store.conn.execute("SELECT id FROM matches WHERE settled = 0 AND league = ? ORDER BY ended, id", (league,))
    return [match for (match,) in rows]


# What is shown


class Line(NamedTuple):
    """A line of the table with the name and the strength of whom it is about, and whether they have left."""

    name: str
    row: TableRow
    strength: Strength
    left: bool


def standings(store: Store, season: LeagueSeason, division: Division) -> list[Line]:
    """The table of a division, best first."""
    rows = table(season.league, division)
    members = {member.player: member for member in division.members}
    strong = ratings.ratings_of(store, members)
    return [
        Line(members[row.player].name, row, strong[row.player], members[row.player].state != "playing") for row in rows
    ]


def show_standings(store: Store, season: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """The table as `league standings --json` prints it."""
    return [
        {
            "rank": row.rank,
            "player": name,
            "points": row.points,
            "played": row.played,
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "rating": (strength.rating or Rating()).points,
            "reliability": strength.reliability,
            "left": left,
        }
        for name, row, strength, left in standings(store, season, division)
    ]
