"""Teams of players, their matches, and who plays on which board. All functions are pure.

A team match consists of games on several boards; its result is the sum of their results.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Team(NamedTuple):
    """A team of a season. Its players are the members of the division that have its number, in board order."""

    number: int  # the same in every season
    name: str
    seed: int  # the rank at the start of the season, 1 for the strongest
    captain: int  # the number of a player
    by_hand: float = 0  # match points that a game master has added


class TeamMatch(NamedTuple):
    """A match of two teams. The first team has the first seat on odd boards, and the second one on even boards."""

    teams: tuple[int, int]
    seated: tuple[int, int] = (0, 0)  # how many boards each team could fill when the match began

    @property
    def games(self) -> int:
        """The number of boards with a game. On the boards after these, only one team has a player, or none has."""
        return min(self.seated)


class TeamRound(NamedTuple):
    """The matches of a round of teams, and the teams without a match."""

    matches: tuple[TeamMatch, ...]
    byes: tuple[int, ...] = ()


class Substitution(NamedTuple):
    """The wish of a captain or game master that `player` plays on `board`, from 1, in a round."""

    round: int
    team: int
    board: int
    player: int


def lineup(players: Sequence[int], boards: int, wishes: Iterable[Substitution]) -> list[int]:
    """Return the players of a team on the boards of a round, the first board first; fewer if the team has fewer.

    `players` are those of the team who take part, in board order. A substitute takes the place of the player on a
    board; if the substitute would have played on another board, the two change places.
    """
    sitting = [*players[:boards]]
    for wish in sorted(wishes, key=lambda wish: wish.board):
        at = wish.board - 1
        if wish.player not in players or at >= len(sitting):
            continue
        if wish.player in sitting:
            sitting[sitting.index(wish.player)] = sitting[at]
        sitting[at] = wish.player
    return sitting


def boards_of(match: TeamMatch, lineups: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the players of each game of `match` in the order of their seats, the first board first."""
    return [pair[::-1] if board % 2 else pair for board, pair in enumerate(zip(*lineups, strict=False))]
