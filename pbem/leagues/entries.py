"""Lists of players to enter in a league, as spreadsheets and tournament programs write them."""

import csv
import io
from typing import NamedTuple

from pbem.leagues.league_file import LeagueFileError, Seen, parse_player
from pbem.match.identity import Person, PersonError

_COLUMNS = ("name", "address", "rating")


class Entry(NamedTuple):
    """A player of a list, and the line on which they stand, from 1."""

    person: Person
    line: int
    rating: int = 0  # 0: none


def parse_entries(text: str) -> list[Entry]:
    """Read a list of players as CSV (RFC 4180): a heading with `name`, `address` and perhaps `rating`, in any order,
    and a player on each line. The highest rating comes first; players without one come last, as in the list.

    Raises LeagueFileError with a sentence for each line that is wrong.
    """
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text), delimiter=";" if ";" in first and "," not in first else ",")
    rows.fieldnames = [heading.strip().casefold() for heading in rows.fieldnames or ()]
    if not {"name", "address"} <= {*rows.fieldnames} <= {*_COLUMNS}:
        raise LeagueFileError(["line 1: the columns are name, address and, if you like, rating: write them above."])
    problems, seen, entries = list[str](), Seen(), list[Entry]()
    for row in rows:
        where = f"line {rows.line_num}"
        try:
            entry = _entry(row, rows.line_num)
        except (PersonError, ValueError) as error:
            problems.append(f"{where}: {error}")
        else:
            problems += [f"{where}: {sentence}" for sentence in seen.again(entry.person, where)]
            entries.append(entry)
    if not entries and not problems:
        problems.append("There is no player in it.")
    if problems:
        raise LeagueFileError(problems)
    return sorted(entries, key=lambda entry: -entry.rating)


def _entry(row: dict[str, str], line: int) -> Entry:
    """Return a row as an entry. Raises PersonError, or ValueError for a rating that is none or a row of another
    length."""
    if None in row or None in row.values():
        raise ValueError(f"this line has not {len([name for name in row if name])} columns, as the heading has.")
    rating = row.get("rating", "").strip()
    if rating and not (rating.isascii() and rating.isdigit() and int(rating) < 10_000):
        raise ValueError(f'"{rating}" is no rating: write a whole number, or nothing.')
    return Entry(parse_player(f"{row['name'].strip()} <{row['address'].strip()}>"), line, int(rating or 0))
