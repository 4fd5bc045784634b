"""The pages of seasons of leagues: what they show, collected from the store."""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from pbem.archive import pages
from pbem.archive.listed import (
    ListedDivision,
    ListedFixture,
    ListedMatch,
    ListedRound,
    ListedRow,
    ListedSeason,
    ListedTeam,
    PlayerLink,
)
from pbem.leagues.anonymous import told
from pbem.leagues.cross_table import cells, columns, cross_table
from pbem.leagues.season import Division, Fixture, LeagueSeason, Round, is_unfinished
from pbem.leagues.team_matches import captained, contest, encounters, players_of
from pbem.store.database import Store
from pbem.store.leagues import find_season, load_season


def seasons_of(
    store: Store, name: str, games: Sequence[pages.ListedGame], people: Sequence[pages.ListedPlayer]
) -> Iterator[list[ListedSeason]]:
    """Yield a list of the seasons of the league called `name`, newest first, if it has begun."""
    published, with_page = {game.name: game for game in games}, {person.number for person in people}
    newest = find_season(store, name)
    if newest.number:
        earlier = [load_season(store, newest.id, at) for at in range(newest.number - 1, 0, -1)]
        yield [_season(season, published, with_page, last=season is newest) for season in (newest, *earlier)]


class _Shown(NamedTuple):
    """A season to be shown, with the people in it and the games that have pages. `last` says whether the league has no
    later season."""

    season: LeagueSeason
    people: Mapping[int, PlayerLink]
    published: Mapping[str, pages.ListedGame]
    last: bool

    def fixtures(self, those: Iterable[Fixture]) -> list[ListedFixture]:
        return [_fixture(self.season, fixture, self.people, self.published) for fixture in those]


def _season(
    season: LeagueSeason, published: Mapping[str, pages.ListedGame], with_page: Set[int], *, last: bool
) -> ListedSeason:
    season = told(season)
    league = season.league
    people = {
        number: PlayerLink(number if number in with_page else None, member.name)
        for number, member in season.members.items()
    }
    shown = _Shown(season, people, published, last)
    divisions = [_division(shown, number, division) for number, division in enumerate(season.divisions, start=1)]
    shape = league.name, league.game, league.format
    at_tables = league.seating is not None
    return ListedSeason(season.id, *shape, season.number, divisions, at_tables, league.boards)


def _division(shown: _Shown, number: int, division: Division) -> ListedDivision:
    league = shown.season.league
    of_teams = contest(league, division)
    called = {team.number: PlayerLink(None, team.name) for team in division.teams} or shown.people
    lines = cross_table(league, of_teams)
    over = bool(division.rounds) and not is_unfinished(league, of_teams)
    is_won = over and not (shown.last and league.format == "ladder")
    return ListedDivision(
        number,
        [
            ListedRow(called[line.row.player], line.row, cross, line.has_left, line.by_hand, line.rating)
            for line, cross in zip(lines, cells(league, lines), strict=True)
        ],
        [
            _round(shown, division, round_, [called[player] for player in of_round.byes], called)
            for round_, of_round in zip(division.rounds, of_teams.rounds, strict=True)
        ],
        league.scoring.tie_breaks,
        columns(league, lines),
        [called[line.row.player] for line in lines if is_won and line.row.rank == 1],
        _teams(shown, division),
    )


def _round(
    shown: _Shown,
    division: Division,
    round_: Round,
    byes: list[PlayerLink],
    called: Mapping[int, PlayerLink],
) -> ListedRound:
    """Return a round of a division; `called` has those who compete, players or teams."""
    league = shown.season.league
    matches = [
        ListedMatch([called[team].name for team in match.teams], points, shown.fixtures(boards))
        for match, boards, points in encounters(league, division, round_)
    ]
    asked = [called[player] for player in division.named_byes_of(round_.number)]
    fixtures = shown.fixtures(round_.fixtures if not league.boards else ())
    return ListedRound(round_.number, fixtures, [*byes, *asked], matches)


def _teams(shown: _Shown, division: Division) -> list[ListedTeam]:
    """Return the teams of a division; a team that has left has no captain and no players."""
    return [
        ListedTeam(
            team.name,
            next(
                (shown.people[one.player] for one in division.playing if captained(shown.season, one.player) == team),
                None,
            ),
            [shown.people[member.player] for member in players_of(division, team.number)],
        )
        for team in division.teams
    ]


def _fixture(
    season: LeagueSeason,
    fixture: Fixture,
    people: Mapping[int, PlayerLink],
    published: Mapping[str, pages.ListedGame],
) -> ListedFixture:
    chairs = season.league.seats
    seats = {chairs[at]: player for player, at in zip(fixture.players, fixture.seated, strict=True)}
    places = {seat: fixture.placing.ranks[player] for seat, player in seats.items()} if fixture.placing else {}
    if fixture.untold:
        result = "not told yet who plays"
    elif fixture.outcome is None:
        result = "being played" if fixture.name in published else ""
    elif fixture.outcome == "annulled":
        result = "annulled"
    else:
        winner = next((seat for seat, player in seats.items() if player == fixture.winner), None)
        winner = fixture.placing.winner or None if fixture.placing else winner
        result = pages.outcome_in_words(season.league.game, winner, forfeit=fixture.forfeit)
    sitting = {seat: people[seats[seat]] for seat in sorted(seats, key=lambda seat: places.get(seat, 0))}
    game = published.get(fixture.name or "")
    absent = " and ".join(people[player].name for player in fixture.players if player in fixture.absent)
    why = pages.why(game) if game else f"{absent} did not show up" if absent else ""
    return ListedFixture(game.name if game else None, sitting, result, places, why)
