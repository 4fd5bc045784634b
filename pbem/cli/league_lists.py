"""Lists of players to enter in a league, from the files that the operator names."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    from pbem.leagues.season import LeagueError
    from pbem.leagues.trf import is_trf, parse_trf

    with reading(path):
        text = decode(path.read_bytes())
        if not text.strip():
            raise LeagueError(f"{path} is empty: it must list players.")
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


def enter_all(settings: Settings, name: str, listed: "tuple[Path, list[Entry]]", how: Mapping[str, Any]) -> None:
    """Enter the players of a list, or none of them if one cannot enter. `listed` contains its file and its players,
    `how` the reason, the points, and the division for those of whom the list names none."""
    from pbem.leagues.season import LeagueError
    from pbem.orders.command import Decision
    from pbem.store import leagues

    path, entries = listed
    entries = [entry._replace(division=entry.division or how["division"] or 0) for entry in entries]
    with settings.desk() as desk, desk.store.transaction():
        season = leagues.find_season(desk.store, name)
        word, points = ("enter", how["points"]) if season.number else ("join", None)
        taken = {member.name.casefold() for member in season.members.values() if member.state in ("playing", "standby")}
        given = season.league.ratings == "external"
        for person, line, rating, division in sorted(entries, key=lambda entry: entry.division or 100):
            try:
                if not season.number and person.name.casefold() in taken:
                    raise LeagueError(f"{person.name} is in {season.league.name} already.")
                said = {"division": division, "rating": rating if given else 0, "points": points}
                words = f"{person.name} <{person.address}>{placed(said)}"
                desk.decide(Decision(word, season.league.name, words, how["reason"]))
            except PbemError as error:
                raise LeagueError(f"{path}: line {line}: {error} Nobody was entered.") from None
    done = "entered" if season.number else "on standby"
    players = f"{len(entries)} {'player is' if len(entries) == 1 else 'players are'} {done}"
    click.echo(f"{players} in {season.league.name}. Letters go out with the next poll.")


def placed(said: Mapping[str, Any]) -> str:
    """Return the words that state the `division`, the `rating` and the `points` of a player at the end of a command,
    such as " in division 2 with 0.5 points"; what is None or 0 is left out."""
    division = f" in division {said['division']}" if said["division"] else ""
    rating = f" rating {said['rating']}" if said["rating"] else ""
    return f"{division}{rating}{worth(said.get('points'))}"


def worth(points: str | None) -> str:
    """Return the words that state `points` at the end of a command, such as " with 0.5 points"; "" if `points` is
    None."""
    return f" with {points} points" if points else ""
