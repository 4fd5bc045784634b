"""Lists of players to enter in a league, from the files that the operator names."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem import PbemError
from pbem.cli.flags import Settings

if TYPE_CHECKING:
    from pbem.leagues.entries import Entry


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn errors in reading the file at `path` into LeagueErrors that name the file."""
    from pbem.leagues.league_file import LeagueFileError
    from pbem.leagues.season import LeagueError

    try:
        yield
    except OSError as error:
        raise LeagueError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise LeagueError(f"{path}: it is not UTF-8 text: save the file in that charset.") from None
    except LeagueFileError as error:
        raise LeagueError(f"{path}:{'' if len(error.problems) > 1 else ' '}{error}") from None


def read_entries(path: Path, addresses: Path | None) -> "list[Entry]":
    """Read the list of players in the file at `path`, which is a TRF if the list of `addresses` is needed."""
    from pbem.leagues.entries import addressed, decode, parse_addresses, parse_entries
    from pbem.leagues.trf import is_trf, parse_trf

    with reading(path):
        text = decode(path.read_bytes())
        if not is_trf(text):
            if addresses:
                raise click.UsageError("--addresses is for a TRF16: a CSV list has a column `address` instead.")
            return parse_entries(text)
        players = parse_trf(text)
        if addresses is None:
            raise click.UsageError("A TRF16 has no addresses: name a CSV list with the columns name and address "
                                   "by --addresses FILE.")  # fmt: skip
    with reading(addresses):
        people = parse_addresses(decode(addresses.read_bytes()))
    with reading(path):
        return addressed(players, people)


def enter_all(settings: Settings, name: str, listed: "tuple[Path, list[Entry]]", how: tuple[str | None, str]) -> None:
    """Enter the players of a list, or none of them if one cannot enter. `listed` contains its file and its players,
    `how` the points and the reason."""
    from pbem.leagues.season import LeagueError
    from pbem.orders.command import Decision
    from pbem.store import leagues

    path, entries = listed
    points, reason = how
    with settings.desk() as desk, desk.store.transaction():
        season = leagues.find_season(desk.store, name)
        word, behind = ("enter", worth(points)) if season.number else ("join", "")
        taken = {member.name.casefold() for member in season.members.values() if member.state in ("playing", "standby")}
        for person, line, _ in entries:
            try:
                if not season.number and person.name.casefold() in taken:
                    raise LeagueError(f"{person.name} is in {season.league.name} already.")
                desk.decide(Decision(word, season.league.name, f"{person.name} <{person.address}>{behind}", reason))
            except PbemError as error:
                raise LeagueError(f"{path}: line {line}: {error} Nobody was entered.") from None
    done = "entered" if season.number else "on standby"
    players = f"{len(entries)} {'player is' if len(entries) == 1 else 'players are'} {done}"
    click.echo(f"{players} in {season.league.name}. Letters go out with the next poll.")


def worth(points: str | None) -> str:
    """Return the words that state `points` at the end of a command, such as " with 0.5 points"; "" if `points` is
    None."""
    return f" with {points} points" if points else ""
