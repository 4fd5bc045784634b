"""A season of a league: its rounds, its table, what comes when a round has ended, and who plays where next.

Functions of values; players are numbers, and the store gives them their names.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from pbem.games import find_game
from pbem.leagues.league_file import League
from pbem.tournament.pairing import Entrant, Round, round_robin, swiss_round
from pbem.tournament.standings import GameResult, TableRow, moves, standings

State = Literal["playing", "standby", "leaving", "withdrawn"]
"""Of a member: leaving is who has said so, withdrawn when his games are dealt with."""

FixtureOutcome = Literal["red", "blue", "draw", "forfeit", "annulled"]
"""How a game ended. forfeit: both sides have forfeited it. annulled: it counts for nothing."""


class Member(NamedTuple):
    """Who takes part in a season. `seed` is his place at its start, 1 for the strongest; who stands in for somebody has
    his place."""

    player: int
    name: str
    seed: int
    state: State = "playing"


class Fixture(NamedTuple):
    """A game of a round: who has which side, the number of its match once it has begun, and how it ended.

    `forfeit`: one side has forfeited it. `cities` are those that red and blue held at the end, `ended` is when. `id` is
    what the store calls it.
    """

    red: int
    blue: int
    id: int = 0
    match: int | None = None
    name: str | None = None
    outcome: FixtureOutcome | None = None
    forfeit: bool = False
    cities: tuple[int, int] = (0, 0)
    ended: str = ""

    @property
    def counts(self) -> bool:
        """Whether it stands in the table."""
        return self.outcome not in (None, "annulled")

    @property
    def winner(self) -> int | None:
        return {"red": self.red, "blue": self.blue}.get(self.outcome or "")


class Stage(NamedTuple):
    """A round of a division, from 1, and whether it has begun and ended."""

    number: int
    fixtures: tuple[Fixture, ...]
    byes: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    begun: bool = True
    ended: bool = False


class Division(NamedTuple):
    """Members in the order of their places, those on standby aside, and the rounds that are known."""

    members: tuple[Member, ...]
    stages: tuple[Stage, ...] = ()

    @property
    def playing(self) -> list[Member]:
        return [member for member in self.members if member.state == "playing"]

    @property
    def fixtures(self) -> list[Fixture]:
        return [fixture for stage in self.stages for fixture in stage.fixtures]


# Rounds


def first_rounds(league: League, players: Sequence[int]) -> tuple[Round, ...]:
    """The rounds that are known when a season begins; those of a ladder are one that grows."""
    if league.format == "round-robin":
        return round_robin(players, league.cycles)
    if league.format == "swiss":
        return (swiss_round([Entrant(player, 0, seed) for seed, player in enumerate(players, 1)], frozenset()),)
    return (Round(()),)


def next_round(league: League, division: Division) -> Round | None:
    """The next round of a Swiss season; None if there is none any more, or if all are known from the start."""
    if league.format != "swiss" or not _more_rounds(league, division):
        return None
    points = {row.player: row.points for row in table(league, division)}
    byes = Counter(player for stage in division.stages for player in stage.byes)
    met = [one for one in division.fixtures if one.outcome != "annulled"]
    reds, blues = Counter(one.red for one in met), Counter(one.blue for one in met)
    entrants = [
        Entrant(one.player, points[one.player], one.seed, byes[one.player], reds[one.player], blues[one.player])
        for one in division.playing
    ]
    return swiss_round(entrants, frozenset(frozenset((one.red, one.blue)) for one in met))


def goes_on(league: League, division: Division) -> bool:
    """Whether a season has games that are not over, or rounds to come; a ladder could be challenged for ever."""
    if any(one.outcome is None for one in division.fixtures):
        return True
    return league.format == "swiss" and _more_rounds(league, division)


def _more_rounds(league: League, division: Division) -> bool:
    """Whether a Swiss season has rounds to come: as many as the league says, or as many as a knock-out would take."""
    first = division.stages[0]
    rounds = league.rounds or (2 * len(first.fixtures) + len(first.byes) - 1).bit_length()
    return len(division.stages) < rounds and len(division.playing) > 1


def options(league: League, number: int) -> dict[str, Any]:
    """The options of a game of round `number`, from 1: unless the league says which, openings change by round."""
    schema = find_game(league.game).options(league.options)
    return {**{one.name: one.varied(number - 1) for one in schema if one.varies and one.choices}, **league.options}


def without(stage: Stage, player: int) -> Stage:
    """A round, before it begins, without somebody: who would have met him has a bye."""
    met = [one for one in stage.fixtures if player in one[:2]]
    free = tuple(one.blue if one.red == player else one.red for one in met)
    others = tuple(one for one in stage.fixtures if one not in met)
    return stage._replace(fixtures=others, byes=tuple(one for one in (*stage.byes, *free) if one != player))


# Tables


def table(league: League, division: Division) -> tuple[TableRow, ...]:
    """The table of a division, best first; that of a ladder goes by places, not by points."""
    results = [
        GameResult(
            stage.number, one.red, one.blue, one.winner, one.forfeit, {one.red: one.cities[0], one.blue: one.cities[1]}
        )
        for stage in division.stages
        for one in stage.fixtures
        if one.counts
    ]
    byes = Counter(player for stage in division.stages if stage.begun for player in stage.byes)
    rows = standings((member.player for member in division.members), results, byes, league.scoring)
    if league.format != "ladder":
        return rows
    found = {row.player: row for row in rows}
    return tuple(found[player]._replace(rank=rank) for rank, player in enumerate(ladder(division), start=1))


def ladder(division: Division) -> list[int]:
    """The places of a ladder, highest first: a winner takes the place of whom he has beaten above him."""
    order = [member.player for member in division.members]
    for one in sorted(division.fixtures, key=lambda one: one.ended):
        if one.winner is not None:
            loser = one.blue if one.winner == one.red else one.red
            above, below = order.index(loser), order.index(one.winner)
            if above < below:
                order.insert(above, order.pop(below))
    playing = {member.player for member in division.playing}
    return [player for player in order if player in playing]


def rivals(league: League, division: Division, challenger: int) -> list[Member]:
    """Whom somebody may challenge now: those above him within reach; nobody has two games at once."""
    busy = {player for one in division.fixtures if one.outcome is None for player in (one.red, one.blue)}
    order = ladder(division)
    if challenger in busy or challenger not in order:
        return []
    place = order.index(challenger)
    above = order[max(0, place - league.reach) : place]
    members = {member.player: member for member in division.members}
    return [members[player] for player in above if player not in busy]


def sides(division: Division, challenger: int, rival: int) -> tuple[int, int]:
    """Red and blue of a challenge: red is who had it less often, and of equals who is challenged."""
    reds = Counter(one.red for one in division.fixtures)
    return (challenger, rival) if reds[challenger] < reds[rival] else (rival, challenger)


# The next season


def promoted(
    league: League, divisions: Sequence[Division], standby: Iterable[int], *, everybody: bool = False
) -> tuple[tuple[int, ...], ...]:
    """Who plays in which division next season, in the order of their places.

    Gaps are filled from the standby list; with `everybody` all who are on it come into the lowest division.
    """
    tables = [_without_replaced(table(league, division), division) for division in divisions]
    playing = {member.player for division in divisions for member in division.playing}
    withdrawn = {row.player for rows in tables for row in rows} - playing
    waiting = tuple(standby)
    *higher, lowest = moves(tables, league.up, league.down, withdrawn, waiting) if tables else ((),)
    if everybody or not divisions:
        lowest = (*lowest, *(player for player in waiting if player not in lowest))
    return (*higher, lowest)


def _without_replaced(rows: Sequence[TableRow], division: Division) -> list[TableRow]:
    """The table without those whose place somebody else has taken, so that a division keeps its size."""
    taken = {member.seed for member in division.playing}
    replaced = {
        one.player
        for one in division.members
        if one.state == "standby" or (one.state != "playing" and one.seed in taken)
    }
    return [row for row in rows if row.player not in replaced]
