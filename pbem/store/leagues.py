"""Leagues in the store: who takes part, which rounds there are, and how all that is shown.

Functions on a Store; whoever calls them holds the transaction.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pbem import PbemError
from pbem.games import find_game
from pbem.games.base import seats_of
from pbem.leagues import season as seasons
from pbem.leagues.league_file import League, dump_league, read_league
from pbem.leagues.season import Division, Fixture, FixtureOutcome, Member, Stage, State, table
from pbem.match.identity import Person, Player
from pbem.store import players
from pbem.store.database import Store
from pbem.store.ratings import strengths
from pbem.times.moments import parse_moment, stamp
from pbem.tournament.pairing import Round
from pbem.tournament.ratings import Rating, Strength
from pbem.tournament.standings import TableRow


class LeagueError(PbemError):
    """There is no such league or member, or what is asked for cannot be done now."""


class LeagueSeason(NamedTuple):
    """A league in its current season: its number, what its file says, and its divisions, the highest first.

    `season` is 0 before the first; `begun` is when it did. `standby` are those who wait, longest first.
    """

    id: int
    league: League
    season: int
    begun: str
    divisions: tuple[Division, ...]
    standby: tuple[Member, ...]

    def division_of(self, player: int) -> int:
        """The number of a player's division, 0 if he has none."""
        numbered = enumerate(self.divisions, start=1)
        return next((at for at, one in numbered if player in {member.player for member in one.members}), 0)

    @property
    def members(self) -> dict[int, Member]:
        """All who take part in the season or wait to, by their numbers."""
        return {one.player: one for part in (*(one.members for one in self.divisions), self.standby) for one in part}


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


def club(store: Store, name: str) -> LeagueSeason:
    """A league with all of its current season, by its name. Raises LeagueError."""
    return load_club(store, find_league(store, name))


def league_name(store: Store, number: int) -> str:
    """What people call a league: the inverse of `find_league`."""
    (name,) = store.conn.execute("SELECT name FROM leagues WHERE id = ?", (number,)).fetchone()
    return str(name)


def league_names(store: Store) -> list[str]:
    """All leagues, by name."""
    return [name for (name,) in store.conn.execute("SELECT name FROM leagues ORDER BY name")]


def load_club(store: Store, number: int, season: int | None = None) -> LeagueSeason:
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
    stages = _stages(store, number, season, seats_of(find_game(league.game), league.options))
    divisions = tuple(Division(tuple(members[at]), tuple(stages.get(at, ()))) for at in sorted(members))
    return LeagueSeason(number, league, season, begun or "", divisions, tuple(waiting))


def _stages(store: Store, league: int, season: int, seats: Sequence[str]) -> dict[int, list[Stage]]:
    """The rounds of a season by division."""
    fixtures = _fixtures(store, league, season, seats)
    stages: dict[int, list[Stage]] = {}
    for division, number, byes, notes, begun, ended in store.conn.execute(
        """SELECT division, round, byes, notes, begun IS NOT NULL, ended IS NOT NULL FROM rounds
           WHERE league = ? AND season = ? ORDER BY division, round""",
        (league, season),
    ):
        games = tuple(fixtures.get((division, number), ()))
        stages.setdefault(division, []).append(
            Stage(number, games, tuple(json.loads(byes)), tuple(json.loads(notes)), bool(begun), bool(ended))
        )
    return stages


def _fixtures(store: Store, league: int, season: int, seats: Sequence[str]) -> dict[tuple[int, int], list[Fixture]]:
    """The games of a season by division and round."""
    found: dict[tuple[int, int], list[Fixture]] = {}
    for division, number, *row in store.conn.execute(
        """SELECT p.division, p.round, p.red, p.blue, p.id, m.id, m.name, m.phase, m.winner, m.forfeit, m.ended,
                  r.score, r.accepted IS NOT NULL, b.score, b.accepted IS NOT NULL
           FROM pairings p LEFT JOIN matches m ON m.id = p.match
           LEFT JOIN seats r ON r.match = m.id AND r.seat = ? LEFT JOIN seats b ON b.match = m.id AND b.seat = ?
           WHERE p.league = ? AND p.season = ? ORDER BY p.id""",
        (*seats, league, season),
    ):
        found.setdefault((division, number), []).append(_fixture(*row))
    return found


def _fixture(*row: Any) -> Fixture:
    red, blue, number, match, name, phase, winner, forfeit, ended, *scored = row
    red_score, red_accepted, blue_score, blue_accepted = scored
    outcome: FixtureOutcome | None = None
    if phase == "finished":
        outcome = winner or ("forfeit" if forfeit else "draw")
    elif phase == "annulled" and red_accepted and blue_accepted:
        outcome = "annulled"
    elif phase == "annulled":  # it never began: who did not take part has forfeited it
        outcome, forfeit = "red" if red_accepted else "blue" if blue_accepted else "forfeit", True
    cities = (red_score or 0, blue_score or 0)
    return Fixture(red, blue, number, match, name, outcome, bool(forfeit), cities, ended or "")


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


def join(store: Store, club: LeagueSeason, player: Player, now: datetime) -> Member:
    """Somebody takes part as he asks to: at the foot of a ladder that is played, else on the standby list.

    Somebody else's name gets a number behind it. Who has left before keeps what he has played in the season.
    """
    taken = {one.name.casefold() for one in club.members.values() if one.player != player.id}
    names = (player.name, *(f"{player.name} {number}" for number in range(2, len(taken) + 3)))
    name = next(name for name in names if name.casefold() not in taken)
    seed = max((one.seed for one in club.members.values()), default=0) + 1
    if club.league.format == "ladder" and club.season:
        member, division = Member(player.id, name, seed), 1
    else:
        member, division = Member(player.id, name, seed, "standby"), club.division_of(player.id)
    add_entrant(store, club.id, member, (club.season, division), now)
    return member


def leave(store: Store, club: LeagueSeason, player: int, now: datetime) -> None:
    """Somebody takes part no longer; what becomes of his games is seen to when the league is settled."""
    member = club.members.get(player)
    if member and member.state in ("playing", "standby"):
        set_state(store, club, player, "leaving" if member.state == "playing" else "withdrawn", now)


def set_state(store: Store, club: LeagueSeason, player: int, state: State, now: datetime) -> None:
    """A member is in another state."""
    store.conn.execute(
        "UPDATE entrants SET state = ? WHERE league = ? AND season = ? AND player = ?",
        (state, club.id, club.season, player),
    )
    store.note("entrant", {"league": club.id, "season": club.season, "player": player, "state": state}, now)


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


def find_member(club: LeagueSeason, name: str) -> Member:
    """A member by his name, in any case. Raises LeagueError."""
    found = [one for one in club.members.values() if one.name.casefold() == name.casefold()]
    if not found or found[0].state == "withdrawn":
        raise LeagueError(f'Nobody called "{name}" takes part in {club.league.name}: `pbem league show` lists all.')
    return found[0]


# Rounds


def add_round(store: Store, club: LeagueSeason, place: tuple[int, int], found: Round, now: datetime) -> None:
    """A round that is known from now on; `place` are the numbers of division and round."""
    store.conn.execute(
        "INSERT INTO rounds (league, season, division, round, byes, notes) VALUES (?, ?, ?, ?, ?, ?)",
        (club.id, club.season, *place, json.dumps(found.byes), json.dumps(found.notes)),
    )
    for red, blue in found.games:
        add_fixture(store, club, place, Fixture(red, blue))
    content = {"league": club.id, "season": club.season, "division": place[0], "round": place[1]}
    store.note("round", {**content, "games": found.games, "byes": found.byes}, now)


def add_fixture(store: Store, club: LeagueSeason, place: tuple[int, int], fixture: Fixture) -> Fixture:
    """A game of a round, that has still to begin."""
    row = store.conn.execute(
        "INSERT INTO pairings (league, season, division, round, red, blue) VALUES (?, ?, ?, ?, ?, ?)",
        (club.id, club.season, *place, fixture.red, fixture.blue),
    )
    return fixture._replace(id=int(row.lastrowid or 0))


def set_fixture(store: Store, fixture: Fixture) -> None:
    """A game of a round has another match, or other players."""
    store.conn.execute(
        "UPDATE pairings SET red = ?, blue = ?, match = ? WHERE id = ?",
        (fixture.red, fixture.blue, fixture.match, fixture.id),
    )


def mark_round(store: Store, club: LeagueSeason, place: tuple[int, int], what: str, now: datetime) -> None:
    """A round has `begun` or `ended`."""
    sql = {
        "begun": "UPDATE rounds SET begun = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        "ended": "UPDATE rounds SET ended = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
    }
    store.conn.execute(sql[what], (stamp(now), club.id, club.season, *place))


def set_round(store: Store, club: LeagueSeason, division: int, stage: Stage) -> None:
    """A round has other byes, and only the games that it has now."""
    place = (club.id, club.season, division, stage.number)
    store.conn.execute(
        "UPDATE rounds SET byes = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        (json.dumps(stage.byes), *place),
    )
    store.conn.execute(
        """DELETE FROM pairings WHERE league = ? AND season = ? AND division = ? AND round = ?
           AND id NOT IN (SELECT value FROM json_each(?))""",
        (*place, json.dumps([one.id for one in stage.fixtures])),
    )


def begin_season(store: Store, club: LeagueSeason, now: datetime) -> None:
    """The season that `club` says is the current one."""
    store.conn.execute(
        "UPDATE leagues SET season = ?, begun = ? WHERE id = ?",
        (club.season, stamp(now), club.id),
    )
    store.note("season", {"league": club.id, "season": club.season}, now)


def due(store: Store) -> list[int]:
    """The leagues in which something has happened: games ended or were reopened, or somebody leaves."""
    rows = store.conn.execute(
        """SELECT league FROM matches WHERE settled = 0
           UNION SELECT l.id FROM entrants e JOIN leagues l ON l.id = e.league AND l.season = e.season
           WHERE e.state = 'leaving'"""
    )
    return [league for (league,) in rows]


def unsettled(store: Store, league: int) -> list[int]:
    """The matches of a league of which it has still to see how they ended, in the order they did."""
    rows = store.conn.execute("SELECT id FROM matches WHERE settled = 0 AND league = ? ORDER BY ended, id", (league,))
    return [match for (match,) in rows]


def mark_settled(store: Store, match: int) -> None:
    """The league has seen how a match ended."""
    store.conn.execute("UPDATE matches SET settled = 1 WHERE id = ?", (match,))


# What is shown


class Line(NamedTuple):
    """A line of the table with the name and the strength of whom it is about."""

    name: str
    row: TableRow
    strength: Strength


def standings(store: Store, club: LeagueSeason, division: Division) -> list[Line]:
    """The table of a division, best first."""
    rows = table(club.league, division)
    names = {member.player: member.name for member in division.members}
    strong = strengths(store, names)
    return [Line(names[row.player], row, strong[row.player]) for row in rows]


def show_standings(store: Store, club: LeagueSeason, division: Division) -> list[dict[str, Any]]:
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
        }
        for name, row, strength in standings(store, club, division)
    ]


def show_rounds(club: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """The rounds as `league rounds --json` prints them; `game` is null before a game has begun."""
    names = {player: member.name for player, member in club.members.items()}
    return [
        {
            "round": stage.number,
            "games": [
                {"game": one.name, "red": names[one.red], "blue": names[one.blue], "result": one.outcome}
                for one in stage.fixtures
            ],
            "byes": [names[player] for player in stage.byes],
        }
        for stage in division.stages
    ]


def show_club(club: LeagueSeason) -> Mapping[str, Any]:
    """A league as `league show --json` prints it."""
    return {
        "league": club.league.name,
        "format": club.league.format,
        "season": club.season,
        "divisions": [
            [{"player": one.name, "state": one.state} for one in division.members] for division in club.divisions
        ],
        "standby": [one.name for one in club.standby],
    }


def challengeable(club: LeagueSeason, challenger: int, now: datetime) -> dict[str, int]:
    """Whom somebody may challenge in a league now, names and numbers: nobody if it is no ladder, or its season over."""
    league = club.league
    if league.format != "ladder" or not club.season:
        return {}
    if league.length and now >= parse_moment(club.begun) + league.length:
        return {}
    return {member.name: member.player for member in seasons.rivals(league, club.divisions[0], challenger)}
