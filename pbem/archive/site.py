"""The archive of a desk, built as a folder of pages: the list of the pages, and the data from which each page is made.

Only facts that the players already know are published. The archive contains no game before everybody has agreed to it,
no orders before their turn has been played, no turn that the game master has yet to review, no press, no addresses, and
no people who want to be forgotten.
"""

import fcntl
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cache, partial
from hashlib import blake2b
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import pbem
import pbem.games
from pbem import PbemError, __version__, load_sentence
from pbem.archive import assets, pages
from pbem.archive.curve import thoughts_file, thoughts_of
from pbem.archive.feed import desk_of, feed, feed_file, news
from pbem.archive.listed import ListedSeason, PlayerLink
from pbem.archive.seasons import seasons_of
from pbem.games import LeftOutError, NoGameError, find_game
from pbem.games.base import GameError, Result, seats_of
from pbem.games.capabilities import can_be_analysed, names_rounds, round_name
from pbem.record.exports import write_json
from pbem.record.history import History
from pbem.record.notation import write_record
from pbem.resources import resource
from pbem.store.database import Store
from pbem.store.histories import PublishedMatch, load_history, published
from pbem.store.leagues import games_of_leagues
from pbem.store.players import player_names
from pbem.times.moments import parse_moment

NAME = "pbem-archive.json"
VERSION = 1
_KIND = "pbem archive"
_OFTEN = 500  # the marks are saved each time this many files have been written


_PACKAGE = Path(pbem.__file__).parent

THOUGHTS = 100
"""The largest number of games that a program analyses in one run. Analysing a game takes as long as writing ten to
thirty pages."""


class FolderError(PbemError):
    """Raised if the archive cannot be written to a folder, because the folder is in use, contains something else, or
    was written by a newer pbem."""


class Page(NamedTuple):
    """A file of the archive.

    `path` is relative to the folder of the archive. `mark` changes whenever the data from which the file is made
    changes. `render` returns the text of the file.
    """

    path: str
    mark: str
    render: Callable[[], str]


def mark_of(*values: object) -> str:
    """Return a short hash of `values`. Never pass secrets: readers of the archive can test guesses against the hash."""
    return blake2b(repr(values).encode(), digest_size=8).hexdigest()


def write_pages(folder: Path, pages: Sequence[Page], tell: Callable[[str], None], kept: tuple[str, ...] = ()) -> int:
    """Write the pages that have changed to `folder`, in the order of `pages`; return how many files were changed or
    removed.

    Raises FolderError. Files from an earlier run that are not among `pages` are removed, unless their paths begin with
    one of `kept`; other files are left alone.
    `tell` is called with a text about the progress after each page.
    """
    with _locked(folder):
        marks = _read(folder)
        wanted = {path: mark for path, mark in marks.items() if path.startswith(kept)}
        wanted |= {page.path: page.mark for page in pages}
        stale = [page for page in pages if marks.get(page.path) != page.mark or not (folder / page.path).exists()]
        gone = marks.keys() - wanted.keys()
        if not stale and not gone and marks:
            return 0
        sure = marks | dict.fromkeys((page.path for page in stale), "")  # unknown until the files are written
        _save(folder, sure)
        changed = 0
        for number, page in enumerate(stale, start=1):
            changed += _write(folder / page.path, page.render())
            sure[page.path] = page.mark
            if number % _OFTEN == 0:
                _save(folder, sure)
            tell(f"{number} of {len(stale)} pages")
        for path in gone:
            _remove(folder, path)
        _save(folder, wanted)
        return changed + len(gone)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock `folder` during the `with` block, creating the folder if it is missing. Raises FolderError if another
    process has locked it, or if it is a file."""
    if folder.exists() and not folder.is_dir():
        raise FolderError(f"{folder} is a file: name a folder for the archive.")
    folder.mkdir(parents=True, exist_ok=True)
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError:
        raise FolderError(f"An archive is being built in {folder} already: wait until that is done.") from None
    finally:
        os.close(lock)


def _read(folder: Path) -> dict[str, str]:
    """Return the marks of the files that earlier runs have written to `folder`, keyed by path. Raises FolderError if
    the folder contains anything but an archive."""
    path = folder / NAME
    if not path.exists():
        if any(entry.name != f"{NAME}.part" for entry in folder.iterdir()):
            raise FolderError(f"{folder} is not empty and holds no archive of pbem: name one that is new or empty.")
        return {}
    with suppress(ValueError, TypeError, AttributeError, LookupError):
        content = json.loads(path.read_text("utf-8"))
        if content["kind"] == _KIND and int(content["version"]) > VERSION:
            raise FolderError(f"The archive in {folder} was built by a newer pbem: update pbem, or name another one.")
        files = {str(name): str(mark) for name, mark in content["files"].items()}
        if content["kind"] == _KIND and all(map(_is_below, files)):
            return files
    raise FolderError(f"{path} is not as pbem writes it: name another folder, or empty this one.")


def _is_below(path: str) -> bool:
    pure = PurePosixPath(path)
    return bool(pure.parts) and not pure.is_absolute() and ".." not in pure.parts


def _save(folder: Path, marks: Mapping[str, str]) -> None:
    """Save `marks` in `folder`, after the files that they describe have been synced to disk."""
    os.sync()
    text = json.dumps({"kind": _KIND, "version": VERSION, "files": marks}, indent=0, sort_keys=True)
    _write(folder / NAME, text + "\n")


def _write(path: Path, text: str) -> bool:
    """Write `text` to the file at `path` atomically; if the file already contains it, leave it alone and return
    False."""
    data = text.encode()
    with suppress(OSError):
        if path.read_bytes() == data:
            return False
    path.parent.mkdir(exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(data)
    part.replace(path)
    return True


def _remove(folder: Path, path: str) -> None:
    """Remove the file `path` from `folder`, with any partial copy that a killed run left behind. Also remove the folder
    in which the file was, if that folder is then empty."""
    for name in (path, f"{path}.part"):
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        (folder / path).parent.rmdir()


class ArchiveError(PbemError):
    """Raised if a page cannot be made because the data in the store is damaged."""


class _Archive(NamedTuple):
    """Everything to be published: the games, the people, and the seasons of each league.

    `marks` and `thoughts` map the numbers of games to marks. The mark in `marks` changes whenever the data from which
    the page of the game is made changes. The mark in `thoughts` identifies a program's analysis of the game; games
    without an analysis are absent.

    `left_out` maps the names of games and leagues of which no page can be made to the reasons; files whose paths begin
    with one of `kept` stay as they are because of that.
    """

    games: Sequence[pages.ListedGame]
    marks: Mapping[int, str]
    thoughts: Mapping[int, str]
    people: Sequence[pages.ListedPlayer]
    leagues: Sequence[Sequence[ListedSeason]]
    left_out: Mapping[str, NoGameError]
    kept: tuple[str, ...]


def build(store: Store, folder: Path, site: pages.Site, now: datetime, tell: Callable[[str], None]) -> int:
    """Bring the archive in `folder` up to date; return how many files have changed.

    Raises FolderError and ArchiveError, and LeftOutError after all else is done if games of some matches cannot be
    played here. `tell` is called repeatedly with a text about the progress.
    """
    tell("Looking up what has changed")
    archive = _find(store, _read(folder) if folder.is_dir() else {})
    changed = write_pages(folder, [*_pages(store, folder, site, archive, now)], tell, archive.kept)
    if archive.left_out:
        raise LeftOutError(
            archive.left_out, "Their pages stay as they were, and the rest of the archive is up to date."
        )
    return changed


def _pages(store: Store, folder: Path, site: pages.Site, archive: _Archive, now: datetime) -> Iterator[Page]:
    """Yield all files of the archive. Files from which pages are made come first; the front page, which links to the
    others, comes last."""
    for game in archive.games:
        if mark := archive.thoughts.get(game.number):
            yield Page(thoughts_file(game.name), mark, partial(_of_game, store, game, thoughts_of))
    made_by = (_program(), site)
    all_marks = []
    for path, source, render in _plan(store, folder, site, archive):
        page = Page(path, mark_of(made_by, source), render)
        all_marks.append(page.mark)
        yield page
    facts = {"players": len(archive.people), "built": f"{now:%Y-%m-%d %H:%M} UTC by pbem {__version__}"}
    newest = [seasons[0] for seasons in archive.leagues]
    yield Page("index.html", mark_of(all_marks), partial(pages.index_page, site, archive.games, newest, **facts))


_Plan = tuple[str, object, Callable[[], str]]


def _plan(store: Store, folder: Path, site: pages.Site, archive: _Archive) -> Iterator[_Plan]:
    """Yield the path, the source data and the render function of each page, except for the front page and the analyses
    of games."""
    for name in assets.ASSETS:
        yield name, name, partial(assets.asset, name)
    yield "style.css", "style.css", partial(assets.style, tuple(pbem.games.GAMES.values()))
    for played in pbem.games.GAMES.values():
        yield f"{played.name}.css", "", partial(str, played.svg_style)
    for game in archive.games:
        mark, thoughts = archive.marks[game.number], archive.thoughts.get(game.number, "")
        page = partial(_page_of, site, game, folder / thoughts_file(game.name) if thoughts else None)
        yield pages.game_file(game.name), (mark, thoughts), partial(_of_game, store, game, page)
        for end, write in (("txt", write_record), ("json", write_json)):
            yield f"games/{game.name}.{end}", mark, partial(_of_game, store, game, partial(_public, write))
    for number, source in _chunks(archive.games, archive.marks):
        yield pages.list_file("games", number), source, partial(pages.games_page, site, archive.games, number)
    for person in archive.people:
        for number, source in _chunks(person.games, archive.marks):
            path = pages.list_file(f"players/{person.number}", number)
            tallies = () if number else (person.by_game(), person.by_opponent())
            yield path, (person.name, source, tallies), partial(pages.player_page, site, person, number)
    letters = pages.initials(archive.people)
    for letter in ("", *letters):
        rows = [
            (person.number, person.name, person.tally()) for person in archive.people if letter in ("", person.initial)
        ]
        yield pages.players_file(letter), (letters, rows), partial(pages.players_page, site, archive.people, letter)
    for season in chain(*archive.leagues):
        yield season.file, season, partial(pages.page, "season", site, "../", season=season)
    yield "leagues.html", archive.leagues, partial(pages.page, "leagues", site, "", leagues=archive.leagues)
    yield "search.html", "", partial(pages.page, "search", site, "")
    names = [(person.number, person.name) for person in archive.people]
    data = partial(pages.search_data, archive.games, archive.people, archive.leagues)
    yield "search-data.js", (archive.marks, names, archive.leagues), data
    yield from _feeds(site, archive)


def _feeds(site: pages.Site, archive: _Archive) -> Iterator[_Plan]:
    """Yield the path, the source data and the render function of the desk's feed and of each league's feed."""
    desk = desk_of(archive.games)
    entries = news(archive.games, [*chain(*archive.leagues)])
    yield feed_file(), (desk, entries), partial(feed, site, desk, entries)
    for seasons in archive.leagues:
        number, name = seasons[0].league, seasons[0].name
        entries = news([game for game in archive.games if game.place and game.place.league == number], seasons)
        yield feed_file(number), (desk, name, entries), partial(feed, site, desk, entries, name, number)


def _chunks(games: Sequence[pages.ListedGame], marks: Mapping[int, str]) -> Iterator[tuple[int, object]]:
    """Yield the number of each page of a list of `games`, and the data from which that page is made. The first page,
    which has the number 0, links to all others."""
    last = pages.chunks(games)
    for number in range(last + 1):
        chunk = pages.chunk_of(games, number)
        yield number, (number or last, number == last, [marks[game.number] for game in chunk])


def _of_game(store: Store, game: pages.ListedGame, write: Callable[[History], str]) -> str:
    """Return the text that `write` makes from the history of `game`. Raises ArchiveError if its data is damaged."""
    try:
        with store.snapshot():
            return write(load_history(store, game.number))
    except (GameError, LookupError, TypeError, ValueError):
        raise ArchiveError(
            f"What the database holds of {game.name} is damaged, so that it has no page: restore it from a backup."
        ) from None


def _page_of(site: pages.Site, game: pages.ListedGame, thoughts: Path | None, history: History) -> str:
    return pages.game_page(site, game, history, thoughts.read_text("utf-8") if thoughts else "")


def _public(write: Callable[[History], str], history: History) -> str:
    return write(pages.public(history))


@cache
def _program() -> str:
    """Return a mark that changes with the program, because other versions may make other pages from the same data."""
    return mark_of(__version__, [(path.name, path.read_bytes()) for path in _sources()])


def _sources() -> list[Path]:
    """Return all files of the program that may affect pages."""
    folders = (_PACKAGE, *pbem.games.folders().values())
    code = (path for folder in folders for kind in ("*.py", "*.toml", "*.j2") for path in folder.rglob(kind))
    return sorted({*code, *resource("templates").rglob("*.*")})


@cache
def _thinker(kind: str) -> str:
    """Return a mark that changes with the code that analyses games of this `kind`, because another version may come to
    different conclusions."""
    folders = pbem.games.folders()
    others = {folder for name, folder in folders.items() if name != kind}
    sources = {*(_PACKAGE / "games").rglob("*.py"), *folders[kind].rglob("*.py")}
    files = (path for path in sources if others.isdisjoint(path.parents))
    return mark_of([(path.name, path.read_bytes()) for path in sorted(files)])


# Games, people and leagues


def _find(store: Store, known_marks: Mapping[str, str]) -> _Archive:
    """Collect everything to be published. `known_marks` maps the paths of files from an earlier run to their marks."""
    with store.snapshot():
        games, marks, left_out, kept = [], {}, dict[str, NoGameError](), set[str]()
        for match in published(store):
            try:
                game = _listed(match)
            except NoGameError as error:
                left_out[match.name] = error
                kept |= {f"games/{match.name}.", thoughts_file(match.name), f"{match.game}.css"}
                continue
            games.append(game)
            marks[game.number] = mark_of(game, _known_state(match), match.last_turn, match.notes)
        people = _people(store, games)
        thoughts = _thoughts(games, marks, known_marks)
        leagues = list[list[ListedSeason]]()
        for name, (number, kind) in games_of_leagues(store).items():
            try:
                find_game(kind)
            except NoGameError as error:
                left_out[name] = error
                kept |= {f"leagues/{number}-", feed_file(number)}
            else:
                leagues += seasons_of(store, name, games, people)
        return _Archive(games, marks, thoughts, people, leagues, left_out, tuple(kept))


def _thoughts(
    games: Sequence[pages.ListedGame], marks: Mapping[int, str], known_marks: Mapping[str, str]
) -> dict[int, str]:
    """Return the mark of a program's analysis of each game that has one, keyed by the number of the game.

    A run analyses the `THOUGHTS` games that ended most recently and have no current analysis yet. Other games keep an
    earlier analysis, even one by another version of the program.
    """
    thoughts, remaining = dict[int, str](), THOUGHTS
    over = [game for game in games if game.phase == "finished" and game.turns and can_be_analysed(find_game(game.kind))]
    for game in sorted(over, key=pages.last_known, reverse=True):
        had = known_marks.get(thoughts_file(game.name), "")
        new = f"{marks[game.number]} {_thinker(game.kind)}"
        mark = new if had == new or remaining > 0 else had
        if had != new:
            remaining -= 1
        if mark.startswith(marks[game.number]):
            thoughts[game.number] = mark
    return thoughts


def _known_state(match: PublishedMatch) -> object:
    """Return a value that changes whenever the public state of `match` changes.

    The value contains only public facts, because a mark is made from it, and readers can test guesses against a mark.
    """
    game = find_game(match.game)
    if not (game.hides and match.state) or match.phase in ("finished", "annulled"):
        return match.state
    return game.show(game.view(game.load(json.loads(match.state)), None))


def _listed(match: PublishedMatch) -> pages.ListedGame:
    game = find_game(match.game)
    people = {seat: PlayerLink(None if nobody else player, name) for seat, player, name, nobody in match.seats}
    over = match.phase in ("finished", "annulled")
    turns = match.turns - (match.phase == "review")
    named = names_rounds(game) and match.state and not over
    state = game.load(json.loads(match.state)) if named else None
    return pages.ListedGame(
        match.number,
        match.name,
        game.name,
        game.title,
        match.phase if over else "running",
        {seat: people[seat] for seat in seats_of(game, match.options)},
        turns,
        Result(match.winner, load_sentence(match.reason or ""), bool(match.forfeit)) if over else None,
        pages.Place(match.league, match.league_name, match.season, match.round) if match.league else None,
        parse_moment(match.since) if match.since else None,
        parse_moment(match.ended) if over and match.ended else None,
        frozenset(chair.seat for chair in game.seats(match.options) if chair.side == match.winner),
        round_name(game, state, turns + 1) if named else str(turns + 1),
    )


def _people(store: Store, games: Sequence[pages.ListedGame]) -> list[pages.ListedPlayer]:
    """Return everyone who plays or has played one of `games`, in the order in which they joined the desk."""
    played: dict[int, list[pages.ListedGame]] = {}
    for game in games:
        for number in {person.number for person in game.seats.values() if person.number is not None}:
            played.setdefault(number, []).append(game)
    return [
        pages.ListedPlayer(number, name, played[number]) for number, name in player_names(store) if number in played
    ]
