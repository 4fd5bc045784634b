"""The players that a Tournament Report File lists (FIDE Handbook C.04, annex 2: TRF16), to enter them in a league.

`py4swiss`, which pairs, reads such files as well, but only whole tournaments: it wants the points and the place of
everybody, knows only FIDE's titles, and stops at the first wrong line. A list drawn up before the first round has
neither points nor places, and whoever corrects it wants to know all wrong lines at once.
"""

import io
import re
from typing import NamedTuple

from pbem.leagues.league_file import LeagueFileError

_RANK, _NAME, _RATING = slice(4, 8), slice(14, 47), slice(48, 52)
_BLANK = (4, 9, 14, 48, 53)  # the columns, from 1, that keep these fields and their neighbours apart

LONGEST = _NAME.stop - _NAME.start
"""The number of characters of a name in a TRF; longer names are cut off."""


class ListedPlayer(NamedTuple):
    """A player of a TRF, and the line on which they stand, from 1."""

    name: str  # as in the file: often `Brown, Alice`
    line: int
    rank: int  # the starting rank
    rating: int = 0  # 0: none


def is_trf(text: str) -> bool:
    """Return whether `text` is a TRF rather than a table with a heading: whether its first line begins with a code,
    such as `012`, `001` or `XXR`, or with `###`, a comment."""
    return re.match(r"\s*(?:\d{3}|XX[A-Z]|###)(?:[ \t]|$)", text, re.M) is not None


def parse_trf(text: str) -> list[ListedPlayer]:
    """Read the players of a TRF, its lines `001`, in the order of their starting ranks. All other lines, and columns
    from 54 on, say nothing about that.

    Raises LeagueFileError with a sentence for each line that is wrong.
    """
    problems, ranks, players = list[str](), dict[int, int](), list[ListedPlayer]()
    for number, line in enumerate(io.StringIO(text, newline=None), start=1):
        if not line.startswith("001"):
            continue
        try:
            player = _player(line.rstrip("\n"), number)
        except ValueError as error:
            problems.append(f"line {number}: {error}")
            continue
        if (first := ranks.setdefault(player.rank, number)) != number:
            problems.append(f"line {number}: the starting rank {player.rank} stands at line {first} already.")
        players.append(player)
    if not players and not problems:
        problems.append("There is no player in it: lines that begin with 001 name them.")
    if problems:
        raise LeagueFileError(problems)
    return sorted(players, key=lambda player: player.rank)


def _player(line: str, number: int) -> ListedPlayer:
    """Return the player of a line `001`. Raises ValueError, with a sentence, if it is wrong."""
    if "\t" in line[: _BLANK[-1]]:
        raise ValueError("there is a tab in it: a TRF goes by columns, so write blanks.")
    for column in _BLANK:
        if line[column - 1 : column].strip():
            raise ValueError(
                f"column {column} has to be blank: the starting rank stands in columns 5 to 8, the name in 15 to 47, "
                "the rating in 49 to 52."
            )
    rank, name, rating = (line[field].strip() for field in (_RANK, _NAME, _RATING))
    if not rank:
        raise ValueError("there is no starting rank in columns 5 to 8: write a whole number.")
    if not _is_number(rank):
        raise ValueError(f'"{rank}", in columns 5 to 8, is no starting rank: write a whole number.')
    if not name:
        raise ValueError("there is no name in columns 15 to 47.")
    if rating and not _is_number(rating):
        raise ValueError(f'"{rating}", in columns 49 to 52, is no rating: write a whole number, or nothing.')
    return ListedPlayer(name, number, int(rank), int(rating or 0))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()
