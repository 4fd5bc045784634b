"""The tables of leagues, with the ratings of their players."""

from typing import Any, NamedTuple

from pbem.leagues.season import Division, LeagueSeason, external_ratings, table
from pbem.leagues.team_matches import contest
from pbem.store.database import Store
from pbem.store.ratings import ratings_of
from pbem.tournament.ratings import UNKNOWN, Rating, Strength
from pbem.tournament.standings import TableRow


class StandingsRow(NamedTuple):
    """A row of a league table with the player's name and strength, whether the player has left, the points given to the
    player by hand, and in a league with external ratings the player's rating, or 0."""

    name: str
    row: TableRow
    strength: Strength
    has_left: bool
    by_hand: float = 0
    external: int | None = None


def standings(store: Store, season: LeagueSeason, division: Division, through: int = 0) -> list[StandingsRow]:
    """Return the table of a division, best first. Rounds up to `through` count, and so do all rounds that have ended;
    if `through` is 0, every round counts."""
    division = contest(season.league, division)
    rows = table(season.league, division, through)
    members = {member.player: member for member in division.members}
    strong = ratings_of(store, members if not season.league.boards else ())
    given = external_ratings(season.league, division) if not season.league.boards else {}
    return [
        StandingsRow(
            *(member.name, row, strong.get(row.player, UNKNOWN), member.state != "playing", member.by_hand),
            given.get(row.player),
        )
        for row, member in ((row, members[row.player]) for row in rows)
    ]


def show_standings(store: Store, season: LeagueSeason, division: Division) -> list[dict[str, Any]]:
    """Return the table of a division as plain data, as `league standings --json` prints it."""
    tables, of_teams = season.league.seating is not None, season.league.boards > 0
    return [
        {
            "rank": row.rank,
            "team" if of_teams else "player": name,
            **{key: getattr(row, key) for key in ("points", "played", "won", "drawn", "lost")},
            "tie_breaks": dict(zip(season.league.scoring.tie_breaks, row.tie_breaks, strict=True)),
            **({} if of_teams else _strength(strength)),
            **({} if external is None else {"rating": external}),
            "left": has_left,
            **({"given": by_hand} if by_hand else {}),
            **(
                {"places": [dict(zip(("round", "place", "of"), place, strict=True)) for place in row.places]}
                if tables
                else {}
            ),
        }
        for name, row, strength, has_left, by_hand, external in standings(store, season, division)
    ]


def _strength(strength: Strength) -> dict[str, Any]:
    return {"rating": (strength.rating or Rating()).points, "reliability": strength.reliability}
