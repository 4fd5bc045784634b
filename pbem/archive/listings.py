"""What an archive lists, as values: games, people and seasons, how long lists are divided, and where each has its page.

Paths are below the archive.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from unicodedata import normalize

from pbem.games import find_game
from pbem.games.base import Result, Seat, Side

CHUNK = 100
"""Games on a page of a list: the older ones, in hundreds from the first, never move to another page."""

MOST_PEOPLE = 300
"""Players on one page; if there are more, each initial has a page of its own."""


class PlayerLink(NamedTuple):
    """Somebody in a game or a table; `number` is that of their page, None if they have none."""

    number: int | None
    name: str


class Place(NamedTuple):
    """Where a league game belongs; `league` is the number of the league."""

    league: int
    name: str
    season: int
    round: int

    @property
    def file(self) -> str:
        return season_file(self.league, self.season)


class ListedGame(NamedTuple):
    """A game as lists show it: `kind` is the name of what is played, `title` how it is written. `phase` is "running",
    "finished" or "annulled"; `turns` are those that count, and `round` what the one that is played is
    called; `result` is None while it goes on; `winners` are the seats of the side that has won."""

    number: int
    name: str
    kind: str
    title: str
    phase: str
    seats: Mapping[Seat, PlayerLink]
    turns: int
    result: Result | None
    place: Place | None
    began: datetime
    ended: datetime | None
    winners: frozenset[Seat] = frozenset()
    round: str = ""


class ListedPlayer(NamedTuple):
    """Somebody with a page, and their games, oldest first."""

    number: int
    name: str
    games: Sequence[ListedGame]

    def tally(self) -> Counter[str]:
        """How many games they have won, drawn, lost and still play; annulled ones are not counted."""
        return Counter(filter(None, (_outcome(game, self.number) for game in self.games)))

    def seasons(self) -> list[Place]:
        """The seasons they have played in, newest first, each as the place of a game there."""
        found = {game.place.file: game.place for game in self.games if game.place}
        return [*found.values()][::-1]

    @property
    def initial(self) -> str:
        """What their name begins with, as lists of names have it: a letter from A to Z, else `#`."""
        first = normalize("NFD", self.name)[:1].upper()
        return first if "A" <= first <= "Z" else "#"


class ListedRow(NamedTuple):
    """A line of a season's table; at tables of more than two `places` has a text for each round, such as `2/4`."""

    rank: int
    player: PlayerLink
    points: float
    played: int
    won: int
    drawn: int
    lost: int
    places: Sequence[str] = ()


class ListedFixture(NamedTuple):
    """A game of a round; `game` is the name of its page, None if there is none. At a table `places` say more."""

    game: str | None
    seats: Mapping[Seat, PlayerLink]
    result: str
    places: Mapping[Seat, int] = {}


class ListedRound(NamedTuple):
    """A round with its games, and who had none."""

    number: int
    fixtures: Sequence[ListedFixture]
    byes: Sequence[PlayerLink]


class ListedDivision(NamedTuple):
    """A division of a season: its table and its rounds."""

    number: int
    table: Sequence[ListedRow]
    rounds: Sequence[ListedRound]


class ListedSeason(NamedTuple):
    """A season of a league, which has a number of its own; `kind` is the name of the game that is played."""

    league: int
    name: str
    kind: str
    format: str
    number: int
    divisions: Sequence[ListedDivision]

    @property
    def file(self) -> str:
        return season_file(self.league, self.number)

    def players(self) -> int:
        """How many take part."""
        return sum(len(division.table) for division in self.divisions)


def season_file(league: int, season: int) -> str:
    """Where the page of a season is."""
    return f"leagues/{league}-season-{season}.html"


def game_file(name: str) -> str:
    """Where the page of a game is."""
    return f"games/{name}.html"


def chunks(games: Sequence[ListedGame]) -> int:
    """How many pages of older games a list has: all but the newest hundred or two, in hundreds."""
    return max(0, len(games) // CHUNK - 1)


def list_file(base: str, number: int) -> str:
    """Where a page of a list is; number 0 is its first one, see `chunk_of`."""
    return f"{base}-{number}.html" if number else f"{base}.html"


def chunk_of(games: Sequence[ListedGame], number: int) -> Sequence[ListedGame]:
    """The games on a page of a list, newest first: number 1 is the oldest hundred, 0 the newest that there are."""
    part = games[(number - 1) * CHUNK : number * CHUNK] if number else games[chunks(games) * CHUNK :]
    return part[::-1]


def initials(people: Sequence[ListedPlayer]) -> tuple[str, ...]:
    """The letters that the list of players is divided by: none while it is short."""
    return tuple(sorted({one.initial for one in people})) if len(people) > MOST_PEOPLE else ()


def players_file(letter: str) -> str:
    """Where the players with an initial are listed; "": where the list begins."""
    return f"players-{letter.lower() if letter != '#' else 'other'}.html" if letter else "players.html"


# In words


def in_short(game: ListedGame) -> str:
    """How a game stands, in a few words: `Red won`, `Draw`, `Turn 5`."""
    if game.phase == "annulled":
        return "Annulled"
    if game.result is None:
        return f"Turn {game.round}"
    return outcome_in_words(game.kind, game.result.winner, forfeit=game.result.forfeit)


def outcome_in_words(kind: str, winner: Side | None, *, forfeit: bool) -> str:
    """`Red won`, `Red won by forfeit`, `Draw`, `Forfeited by all`."""
    if winner is None:
        return "Forfeited by all" if forfeit else "Draw"
    return f"{find_game(kind).called[winner]} won{' by forfeit' * forfeit}"


def _outcome(game: ListedGame, player: int) -> str:
    """What a game is to one of its players: "won", "drawn", "lost", "running", or "" if it counts for nothing."""
    if game.phase != "finished" or game.result is None:
        return "running" if game.phase == "running" else ""
    if game.result.winner is None:
        return "lost" if game.result.forfeit else "drawn"
    return "won" if any(game.seats[seat].number == player for seat in game.winners) else "lost"
