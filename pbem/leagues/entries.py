"""Lists of players to enter in a league, as spreadsheets and tournament programs write them."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple
from unicodedata import normalize

from pbem.leagues.league_file import LeagueFileError, Seen, parse_player
from pbem.leagues.trf import LONGEST, ListedPlayer
from pbem.match.identity import Person, PersonError
from pbem.orders.patterns import DIVISION

_COLUMNS = ("name", "address", "rating", "division")


class Entry(NamedTuple):
    """A player of a list, and the line on which they stand, from 1."""

    person: Person
    line: int
    rating: int = 0  # 0: none
    division: int = 0  # 0: none is named


def decode(content: bytes) -> str:
    """Return the text of a list: UTF-8, with or without a byte order mark, or else Windows-1252, of which Latin-1 is a
    part. Raises LeagueFileError if it is neither."""
    for charset in ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(charset)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:  # as in UTF-16
            return text
    raise LeagueFileError(["It is neither UTF-8 nor Latin-1 text: save the file as UTF-8."])


def parse_entries(text: str) -> list[Entry]:
    """Read a list of players as CSV (RFC 4180): a heading with `name`, `address` and perhaps `rating` and `division`,
    in any order, and a player on each line. The highest rating comes first; players without one come last, as in the
    list.

    Raises LeagueFileError with a sentence for each line that is wrong.
    """
    headings, rows = _rows(text)
    if not {"name", "address"} <= headings <= {*_COLUMNS}:
        columns = "the columns are name, address and, if you like, rating and division: write them above."
        raise LeagueFileError([f"line 1: {columns}"])
    problems, entries = list[str](), list[Entry]()
    for row in rows:
        try:
            entries.append(_entry(row, rows.line_num))
        except (PersonError, ValueError) as error:
            problems.append(f"line {rows.line_num}: {error}")
    return sorted(_sound(entries, problems), key=lambda entry: -entry.rating)


def _rows(text: str) -> "tuple[set[str], csv.DictReader[str]]":
    """Return the headings of a table, in lower case, and its rows."""
    text = text.removeprefix("\ufeff")
    first = text.partition("\n")[0]
    rows = csv.DictReader(io.StringIO(text), delimiter=";" if ";" in first and "," not in first else ",")
    rows.fieldnames = headings = [heading.strip().casefold() for heading in rows.fieldnames or ()]
    return {*headings}, rows


def _sound(entries: Sequence[Entry], problems: Sequence[str]) -> Sequence[Entry]:
    """Return `entries`. Raises LeagueFileError with `problems`, and with a sentence for each name or address that
    occurs twice."""
    seen = Seen()
    again = [
        f"line {entry.line}: {sentence}"
        for entry in sorted(entries, key=lambda entry: entry.line)
        for sentence in seen.again(entry.person, f"line {entry.line}")
    ]
    if not entries and not problems:
        again.append("There is no player in it.")
    if again or problems:
        raise LeagueFileError(sorted([*problems, *again], key=_line))
    return entries


def _line(problem: str) -> int:
    """Return the number of the line of which a problem tells; 0 if it tells of none."""
    number = problem.removeprefix("line ").partition(":")[0]
    return int(number) if number.isdigit() else 0


def _entry(row: dict[str, str], line: int) -> Entry:
    """Return a row as an entry. Raises PersonError, or ValueError for a rating or a division that is none, or a row of
    another length."""
    if None in row or None in row.values():
        raise ValueError(f"this line has not {len([name for name in row if name])} columns, as the heading has.")
    rating = row.get("rating", "").strip()
    if rating and not (rating.isascii() and rating.isdigit() and int(rating) < 10_000):
        raise ValueError(f'"{rating}" is no rating: write a whole number, or nothing.')
    division = row.get("division", "").strip()
    if division and not re.fullmatch(DIVISION, division):
        raise ValueError(f'"{division}" is no division: write its number, 1 for the highest, or nothing.')
    person = parse_player(f"{row['name'].strip()} <{row['address'].strip()}>")
    return Entry(person, line, int(rating or 0), int(division or 0))


# Addresses for lists without them


def parse_addresses(text: str) -> list[Entry]:
    """Read a table of people as CSV, with the columns `name` and `address`; other columns, and people without an
    address, say nothing. Raises LeagueFileError with a sentence for each line that is wrong."""
    headings, rows = _rows(text)
    if not {"name", "address"} <= headings:
        raise LeagueFileError(["line 1: the columns name and address are needed: write them above."])
    problems, people = list[str](), list[Entry]()
    for row in rows:
        name, address = ((row[column] or "").strip() for column in ("name", "address"))
        try:
            people += [Entry(parse_player(f"{name} <{address}>"), rows.line_num)] if address else []
        except PersonError as error:
            problems.append(f"line {rows.line_num}: {error}")
    if problems:
        raise LeagueFileError(problems)
    return people


def addressed(players: Sequence[ListedPlayer], people: Iterable[Entry]) -> list[Entry]:
    """Return `players` with the names and addresses that they have among `people`, in their order. `Brown, Alice` is
    Alice Brown; capitals make no difference, nor does the rest of a name that a TRF has cut off.

    Raises LeagueFileError with one sentence that names everyone without an address, and with one for each name that
    several addresses have.
    """
    known: dict[str, dict[str, Entry]] = {}
    for entry in people:
        for key in _keys(entry.person.name):
            known.setdefault(key, {})[entry.person.address.casefold()] = entry
    missing, problems, entries = list[str](), list[str](), list[Entry]()
    for player in players:
        found = {address: entry for key in _keys(player.name) for address, entry in known.get(key, {}).items()}
        if len(found) == 1:
            ((name, address), *_), *_ = found.values()
            entries.append(Entry(Person(_turned(name), address), player.line, player.rating))
        elif found:
            lines = " and ".join(str(entry.line) for entry in found.values())
            problems.append(f"line {player.line}: {player.name} has several addresses, in lines {lines} of their list.")
        else:
            missing.append(player.name)
    if missing:
        problems.append(f"There is no address for {'; '.join(missing)}: add a line with name and address for each.")
    return [*_sound(entries, problems)]


def _turned(name: str) -> str:
    """Return a name as letters have it: `Alice Brown` for `Brown, Alice`."""
    last, _, first = name.partition(",")
    return " ".join((name if "," in first else f"{first} {last}").split())


def _keys(name: str) -> set[str]:
    """Return the forms by which a name in a TRF is found again."""
    whole = normalize("NFC", " ".join(name.split()))
    return {form[:LONGEST].strip().casefold() for form in (whole, _turned(whole))}
