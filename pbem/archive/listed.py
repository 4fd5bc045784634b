"""What the pages of leagues list: a season with its tables, rounds and games, as values."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.tournament.standings import TableRow


class PlayerLink(NamedTuple):
    """A person in a game or a table. `number` is the player's number if they have a page, and None otherwise."""

    number: int | None
    name: str


class ListedRow(NamedTuple):
    """A row of a season's table and cross table (see `leagues.cross_table.cells`).

    `has_left` is true if the player has left the league; `by_hand` are the points that a game master gave, `rating` is
    that of a league with external ratings, 0 for none.
    """

    player: PlayerLink
    row: TableRow
    cross: Sequence[str]
    has_left: bool
    by_hand: float = 0
    rating: int | None = None


class ListedFixture(NamedTuple):
    """A game of a round. `game` is its name, or None if it has no page; `why` is the reason for its result, or "".

    `places` is the final place of each seat in a game with more than two players.
    """

    game: str | None
    seats: Mapping[Seat, PlayerLink]
    result: str
    places: Mapping[Seat, int] = {}
    why: str = ""


class ListedMatch(NamedTuple):
    """A match of two teams: the names of the teams, their game points, and the games, the first board first."""

    teams: Sequence[str]
    points: Sequence[float]
    boards: Sequence[ListedFixture]


class ListedRound(NamedTuple):
    """A round of a league: its games, and the players who have a bye. In a league of teams, it has matches instead, and
    the byes are those of teams."""

    number: int
    fixtures: Sequence[ListedFixture]
    byes: Sequence[PlayerLink]
    matches: Sequence[ListedMatch] = ()


class ListedTeam(NamedTuple):
    """A team with its captain and its players in board order; those who have left are left out."""

    name: str
    captain: PlayerLink | None
    players: Sequence[PlayerLink]


class ListedDivision(NamedTuple):
    """A division of a season: table, rounds, names of the tie-breaks and of the cross table's columns, and winners.

    There are several winners if the tie-breaks do not separate them, and no winners until the division is over.
    """

    number: int
    table: Sequence[ListedRow]
    rounds: Sequence[ListedRound]
    tie_breaks: Sequence[str]
    columns: Sequence[str]
    winners: Sequence[PlayerLink]
    teams: Sequence[ListedTeam] = ()


class ListedSeason(NamedTuple):
    """A season of the league with the number `league`; `number` is that of the season.

    `kind` is the name of the game that is played; `tables` is true if each game has more than two players.
    """

    league: int
    name: str
    kind: str
    format: str
    number: int
    divisions: Sequence[ListedDivision]
    tables: bool
    boards: int = 0  # in each match of a league of teams

    @property
    def file(self) -> str:
        return season_file(self.league, self.number)

    @property
    def is_over(self) -> bool:
        """Whether every division has been won, so that the page changes no more."""
        return all(division.winners for division in self.divisions)

    def size(self) -> str:
        """Return the number of participants, such as "8 players" or "4 teams"."""
        number = sum(len(division.table) for division in self.divisions)
        return count(number, "team", "teams") if self.boards else count(number, "player", "players")


def season_file(league: int, season: int) -> str:
    """Return the path of a season's page."""
    return f"leagues/{league}-season-{season}.html"


def count(number: int, singular: str, plural: str) -> str:
    """Format a number with its noun: `1 game`, `10,000 games`."""
    return f"{number:,} {singular if number == 1 else plural}"
