"""Atom feeds of the archive's news (RFC 4287): games that have begun or ended, and seasons that were won."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import NAMESPACE_OID, uuid5

from pbem.archive.listed import ListedSeason
from pbem.archive.pages import ListedGame, Site, game_file, in_short, last_known, page, title_of, why
from pbem.times.moments import stamp

MOST = 50
"""The largest number of entries in a feed; older entries are dropped."""

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


class Entry(NamedTuple):
    """A piece of news: a key that is unique at the desk, the date, a title, a sentence or an empty text, and the path
    of the page that the news is about."""

    key: str
    at: datetime
    title: str
    text: str
    file: str


def feed_file(league: int = 0) -> str:
    """Return the path of the feed for the league with the number `league` or, if that is 0, for the whole desk."""
    return f"leagues/{league}.xml" if league else "feed.xml"


def news(games: Sequence[ListedGame], seasons: Sequence[ListedSeason]) -> list[Entry]:
    """Return the latest entries about `games` and `seasons`, newest first. An imported game whose end has no date is no
    news."""
    dated = [game for game in reversed(games) if game.ended or game.phase == "running"]
    entries = [*_won(games, seasons), *map(_game, dated)]
    return sorted(entries, key=lambda entry: entry.at, reverse=True)[:MOST]


def _game(game: ListedGame) -> Entry:
    """Return the entry about a game. It reports the end of the game or, if the game is still running, its beginning."""
    how = in_short(game) if game.ended else "has begun"
    title = f"{title_of(game)}: {how} ({game.name})"
    return Entry(_key(game.name, game), last_known(game), title, why(game), game_file(game.name))


def _key(name: str, game: ListedGame) -> str:
    """Return the key of an entry called `name` about `game`, or about a season whose first game it is."""
    return f"{name} {stamp(game.began)}" if game.began else name


def _won(games: Sequence[ListedGame], seasons: Sequence[ListedSeason]) -> Iterator[Entry]:
    for season in seasons:
        winners = [who.name for division in season.divisions for who in division.winners]
        own = [game for game in games if game.place and game.place.file == season.file]
        if winners and own:
            title = f"{season.name}, season {season.number}: won by {' and '.join(winners)}"
            yield Entry(_key(season.file, own[0]), max(map(last_known, own)), title, "", season.file)


def desk_of(games: Sequence[ListedGame]) -> str:
    """Return the text that identifies a desk in its feeds: the name of the desk's first game, and when that game began.

    A hash of the desk's record cannot serve for this, because it would change whenever games are hidden.
    """
    return _key(games[0].name, games[0]) if games else ""


def feed(site: Site, desk: str, entries: Sequence[Entry], name: str = "", league: int = 0) -> str:
    """Render a feed of `desk` (see `desk_of`) as XML. If the feed is about a single league, `name` and `league` are the
    name and the number of that league."""
    uuids = {
        key: uuid5(NAMESPACE_OID, f"{desk} {key}") for key in (f"feed {league}", *(entry.key for entry in entries))
    }
    return page(
        "feed",
        site,
        "../" if league else "",
        uuids=uuids,
        key=f"feed {league}",
        about=name,
        entries=entries,
        file=feed_file(league),
        updated=max((entry.at for entry in entries), default=_NEVER),
        rfc3339=stamp,
    )
