"""Leagues with anonymous games: what their members and the public may know of a season before the names are told.

A round counts in tables, cross tables and exports once the players of all its games have been told. Otherwise anybody
could work out who has played from the points that a game brings to two of the names.
"""

from collections.abc import Iterator
from hashlib import sha256

from pbem.leagues.league_file import League
from pbem.leagues.season import Division, Fixture, LeagueSeason, Round, is_unfinished
from pbem.tournament.pairing import Pairing


def anonymity(league: League, at: int) -> str:
    """Return the term `anonymous` of the games in the division with the number `at`."""
    chosen = league.anonymous_divisions
    return league.terms.anonymous if not chosen or at in chosen else "no"


def told(season: LeagueSeason) -> LeagueSeason:
    """Return a season as everybody may know it: without the pairings, byes and results of rounds in which players have
    yet to be told."""
    return season._replace(divisions=tuple(map(_told_division, season.divisions)))


def _told_division(division: Division) -> Division:
    untold = {round_.number for round_ in division.rounds if _is_untold(round_)}
    return division._replace(
        rounds=tuple(told_round(round_)._replace(begun=False, ended=False) if _is_untold(round_) else round_
                     for round_ in division.rounds),
        requests=tuple(request for request in division.requests if request.round not in untold),
    )  # fmt: skip


def told_round(round_: Round) -> Round:
    """Return a round with only the names of the games whose players have yet to be told. If there are any, the byes and
    the reasons for its pairing are left out, too."""
    if not _is_untold(round_):
        return round_
    fixtures = tuple(
        Fixture((), fixture.id, fixture.match, fixture.name, untold=True) if fixture.untold else fixture
        for fixture in round_.fixtures
    )
    return round_._replace(fixtures=fixtures, byes=(), notes=())


def _is_untold(round_: Round) -> bool:
    return any(fixture.untold for fixture in round_.fixtures)


def to_tell(season: LeagueSeason) -> Iterator[Fixture]:
    """Yield the games whose players can be told now, in the order in which they ended: all games of a division whose
    season is over or, if the terms say so, every game that is over."""
    ended = []
    for at, division in enumerate(season.divisions, start=1):
        over = season.league.format != "ladder" and not is_unfinished(season.league, division)
        if over or anonymity(season.league, at) == "game":
            ended += [fixture for fixture in division.fixtures if fixture.untold and fixture.outcome]
    yield from sorted(ended, key=lambda fixture: fixture.ended)


def by_lot(lot: str, number: int, division: Division) -> Division:
    """Return the division with its seeds exchanged by lot for the pairing of round `number`, so that nobody can work
    the pairing out. `lot` is the secret of the league; if it is "", nothing changes."""
    if not lot:
        return division
    seeds = sorted({member.seed for member in division.members})
    drawn = dict(zip(seeds, sorted(seeds, key=lambda seed: _draw(lot, number, seed)), strict=True))
    members = sorted(
        (member._replace(seed=drawn[member.seed]) for member in division.members), key=lambda one: one.seed
    )
    return division._replace(members=tuple(members))


def shuffled(lot: str, number: int, pairing: Pairing) -> Pairing:
    """Return the pairing of round `number` with its games in an order drawn by lot, because games are numbered in that
    order."""
    if not lot:
        return pairing
    order = sorted(range(len(pairing.games)), key=lambda at: _draw(lot, number, str(pairing.games[at])))
    seats = tuple(pairing.seats[at] for at in order) if pairing.seats else pairing.seats
    return pairing._replace(games=tuple(pairing.games[at] for at in order), seats=seats)


def drawn(lot: str, players: list[int]) -> list[int]:
    """Return the players in an order drawn by lot; `lot` is as for `by_lot`."""
    return sorted(players, key=lambda player: _draw(lot, 0, player)) if lot else players


def _draw(lot: str, number: int, what: object) -> bytes:
    return sha256(f"pbem lot\n{lot}\n{number}\n{what}".encode()).digest()
