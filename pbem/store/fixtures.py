"""Rounds of leagues in the store, with their games. Functions on a Store; whoever calls them holds the transaction.

A season is named by the numbers of its league and itself, a round by those of its division and itself.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pbem.games import find_game
from pbem.games.base import Result, Seat
from pbem.leagues.league_file import League
from pbem.leagues.placing import Placing, of_nobody, places_of
from pbem.leagues.season import Fixture, FixtureOutcome, Round
from pbem.store.database import Store
from pbem.times.moments import stamp
from pbem.tournament.pairing import Pairing

# Loaded


def load_rounds(store: Store, league: League, season: tuple[int, int]) -> dict[int, list[Round]]:
    """The rounds of a season by division."""
    fixtures = _fixtures(store, league, season)
    rounds: dict[int, list[Round]] = {}
    for division, number, byes, notes, begun, ended in store.conn.execute(
        """SELECT division, round, byes, notes, begun IS NOT NULL, ended IS NOT NULL FROM rounds
           WHERE league = ? AND season = ? ORDER BY division, round""",
        season,
    ):
        games = tuple(fixtures.get((division, number), ()))
        rounds.setdefault(division, []).append(
            Round(number, games, tuple(json.loads(byes)), tuple(json.loads(notes)), bool(begun), bool(ended))
        )
    return rounds


def _fixtures(store: Store, league: League, season: tuple[int, int]) -> dict[tuple[int, int], list[Fixture]]:
    """The games of a season by division and round."""
    found: dict[tuple[int, int], list[Fixture]] = {}
    chairs, at_tables = league.seats, league.seating is not None
    said: dict[int, list[_Said]] = {}
    for match, *row in store.conn.execute(
        """SELECT match, seat, score, accepted IS NOT NULL, gone IS NOT NULL FROM seats
           WHERE match IN (SELECT match FROM pairings WHERE league = ? AND season = ?)""",
        season,
    ):
        said.setdefault(match, []).append(_Said(*row))
    for division, number, first, second, third, fourth, seats, *row in store.conn.execute(
        """SELECT p.division, p.round, p.first, p.second, p.third, p.fourth, p.seats,
                  p.id, m.id, m.name, m.phase, m.winner, m.forfeit, m.ended, m.ranking
           FROM pairings p LEFT JOIN matches m ON m.id = p.match
           WHERE p.league = ? AND p.season = ? ORDER BY p.id""",
        season,
    ):
        players = tuple([one for one in (first, second, third, fourth) if one is not None])
        fixture = Fixture(players, seats=tuple(json.loads(seats)) if seats else ())
        sitting = dict(zip([chairs[at] for at in fixture.seated], players, strict=True))
        played = _played(fixture, sitting, said.get(row[1], []), *row)
        if at_tables and played.counts:
            played = played._replace(placing=_placing(league, played, sitting, said[row[1]], *row[3:]))
        found.setdefault((division, number), []).append(played)
    return found


class _Said(NamedTuple):
    """What the store says of a seat of a match."""

    seat: Seat
    score: int | None
    accepted: int
    gone: int


def _played(fixture: Fixture, sitting: Mapping[Seat, int], said: Sequence[_Said], *row: Any) -> Fixture:
    """A game with how it ended; `sitting` are its players by their seats."""
    number, match, name, phase, winning, forfeit, ended, _ = row
    scored = {one.seat: one.score or 0 for one in said}
    outcome: FixtureOutcome | None = None
    winner = None
    if phase == "finished":
        winner = sitting.get(winning)
        outcome = "won" if winning is not None else "forfeit" if forfeit else "draw"
    elif phase == "annulled" and all(one.accepted for one in said):
        outcome = "annulled"
    elif phase == "annulled":
        winner = _present(sitting, said)
        outcome, forfeit = "won" if winner else "forfeit", True
    scores = tuple([scored.get(seat, 0) for seat in sitting])
    return Fixture(
        fixture.players, number, match, name, outcome, winner, bool(forfeit), scores, ended or "", fixture.seats
    )


def _present(sitting: Mapping[Seat, int], said: Sequence[_Said]) -> int | None:
    """The only player who took part in a game that never began: the others have forfeited it."""
    gone = any(one.gone for one in said)
    present = [sitting[one.seat] for one in said if (not one.gone if gone else one.accepted)]
    return present[0] if len(present) == 1 else None


def _placing(league: League, played: Fixture, sitting: Mapping[Seat, int], said: Sequence[_Said], *row: Any) -> Placing:
    """How a game of a league with tables ended."""
    phase, winning, forfeit, _, ranking = row
    chairs = find_game(league.game).seats(league.options_of(played.seated))
    gone = [one.seat for one in said if one.gone]
    if phase == "annulled":
        places = of_nobody({one.seat: bool(one.accepted) for one in said}, gone)
    else:
        order = tuple(map(tuple, json.loads(ranking))) if ranking else ()
        places = places_of(chairs, Result(winning, "", bool(forfeit), order), gone)
    return Placing(
        {sitting[seat]: rank for seat, rank in places.ranks.items()},
        frozenset(sitting[seat] for seat in places.forfeit),
        {sitting[chair.seat]: chair.side for chair in chairs},
        winning or "",
    )


# Written


def add_round(store: Store, season: tuple[int, int], place: tuple[int, int], pairing: Pairing, now: datetime) -> None:
    """A round is known from now on."""
    store.conn.execute(
        "INSERT INTO rounds (league, season, division, round, byes, notes) VALUES (?, ?, ?, ?, ?, ?)",
        (*season, *place, json.dumps(pairing.byes), json.dumps(pairing.notes)),
    )
    for players, seats in zip(pairing.games, pairing.seats or [()] * len(pairing.games), strict=True):
        add_fixture(store, season, place, Fixture(players, seats=seats))
    content = dict(zip(("league", "season", "division", "round"), (*season, *place), strict=True))
    seats_of = {"seats": pairing.seats} if pairing.seats else {}
    store.note("round", {**content, "games": pairing.games, "byes": pairing.byes, **seats_of}, now)


def add_fixture(store: Store, season: tuple[int, int], place: tuple[int, int], fixture: Fixture) -> Fixture:
    """A game of a round, that has still to begin."""
    row = store.conn.execute(
        "INSERT INTO pairings (league, season, division, round, first, second, third, fourth, seats)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*season, *place, *_sitting(fixture)),
    )
    return fixture._replace(id=int(row.lastrowid or 0))


def set_fixture(store: Store, fixture: Fixture) -> None:
    """A game of a round has another match, or other players."""
    store.conn.execute(
        "UPDATE pairings SET first = ?, second = ?, third = ?, fourth = ?, seats = ?, match = ? WHERE id = ?",
        (*_sitting(fixture), fixture.match, fixture.id),
    )


def _sitting(fixture: Fixture) -> tuple[int | str | None, ...]:
    """The players of a game, four columns of them, and their seats."""
    empty = (None,) * (4 - len(fixture.players))
    return (*fixture.players, *empty, json.dumps(fixture.seats) if fixture.seats else None)


def mark_round(store: Store, season: tuple[int, int], place: tuple[int, int], what: str, now: datetime) -> None:
    """A round has `begun` or `ended`."""
    sql = {
        "begun": "UPDATE rounds SET begun = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        "ended": "UPDATE rounds SET ended = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
    }
    store.conn.execute(sql[what], (stamp(now), *season, *place))


def set_round(store: Store, season: tuple[int, int], division: int, round_: Round) -> None:
    """A round has other byes, and only the games that it has now."""
    place = (*season, division, round_.number)
    store.conn.execute(
        "UPDATE rounds SET byes = ? WHERE league = ? AND season = ? AND division = ? AND round = ?",
        (json.dumps(round_.byes), *place),
    )
    store.conn.execute(
        """DELETE FROM pairings WHERE league = ? AND season = ? AND division = ? AND round = ?
           AND id NOT IN (SELECT value FROM json_each(?))""",
        (*place, json.dumps([one.id for one in round_.fixtures])),
    )
