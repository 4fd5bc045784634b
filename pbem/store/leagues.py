"""Leagues in the store: who takes part, which rounds there are, and how all that is shown.

Functions on a Store; whoever calls them holds the transaction.
"""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple, assert_never

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
    LeagueError,
    LeagueSeason,
    Member,
    State,
    table,
)
from pbem.match.identity import Person, Player
from pbem.match.names import apart
from pbem.store import fixtures, players, ratings
from pbem.store.database import Store
from pbem.store.lobby import league_names
from pbem.times.moments import stamp
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
    there = f"this desk has {', '.join(names)}" if names else "there is none yet, `pbem league new` makes one"
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
    rounds = fixtures.load_rounds(store, league, (number, season))
    divisions = tuple(Division(tuple(members[at]), tuple(rounds.get(at, ()))) for at in sorted(members))
    return LeagueSeason(number, league, season, begun or "", divisions, tuple(waiting))


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

    A name that looks like somebody else's gets a number behind it. Who has left before keeps what he has played in the
    season.
    """
    name = apart(player.name or "Player", [one.name for one in season.members.values() if one.player != player.id])
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
            fixtures.add_round(store, current(store, league), (division, number), pairing, now)
        case EndRound(division, number):
            fixtures.mark_round(store, current(store, league), (division, number), "ended", now)
        case ChangeRound(division, round_):
            fixtures.set_round(store, current(store, league), division, round_)
        case ChangeFixture(fixture):
            fixtures.set_fixture(store, fixture)
        case Settle(match, rated):
            if rated:
                ratings.rate(store, match)
            store.conn.execute("UPDATE matches SET settled = 1 WHERE id = ?", (match,))
        case _:
            assert_never(effect)


def current(store: Store, league: int) -> tuple[int, int]:
    """The current season, by the numbers of its league and itself."""
    (season,) = store.conn.execute("SELECT season FROM leagues WHERE id = ?", (league,)).fetchone()
    return league, int(season)


def _set_state(store: Store, league: int, player: int, state: State, now: datetime) -> None:
    _, season = current(store, league)
    store.conn.execute(
        "UPDATE entrants SET state = ? WHERE league = ? AND season = ? AND player = ?", (state, league, season, player)
    )
    store.note("entrant", {"league": league, "season": season, "player": player, "state": state}, now)


def begin_season(store: Store, league: int, season: int, now: datetime) -> None:
    """A season is the current one from now on."""
    store.conn.execute("UPDATE leagues SET season = ?, begun = ? WHERE id = ?", (season, stamp(now), league))
    store.note("season", {"league": league, "season": season}, now)


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


def standings(store: Store, season: LeagueSeason, division: Division, through: int = 0) -> list[Line]:
    """The table of a division, best first, after the round `through`, 0 for now."""
    rows = table(season.league, division, through)
    members = {member.player: member for member in division.members}
    strong = ratings.ratings_of(store, members)
    return [
        Line(members[row.player].name, row, strong[row.player], members[row.player].state != "playing") for row in rows
    ]


def show_standings(store: Store, season: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """The table as `league standings --json` prints it."""
    tables = season.league.seating is not None
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
            **(
                {"places": [dict(zip(("round", "place", "of"), one, strict=True)) for one in row.places]}
                if tables
                else {}
            ),
        }
        for name, row, strength, left in standings(store, season, division)
    ]
