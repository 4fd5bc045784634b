"""Standings: ranked tables with tie-breaks, and promotion and relegation for the next season."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Literal, NamedTuple, get_args

from pbem.typed import Between

TieBreak = Literal["head to head", "buchholz", "buchholz cut 1", "sonneborn-berger", "score", "wins", "game points"]
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)


class GameResult(NamedTuple):
    """A finished game that has not been annulled."""

    round: int
    ranks: Mapping[int, int]  # the rank of each player: 1 for the best, and the same for equal players
    forfeit: frozenset[int] = frozenset()  # players who lost to all others by forfeit, whatever their rank
    scores: Mapping[int, float] = {}  # each player's score at the end; in a match of teams, their game points
    sides: Mapping[int, str] = {}  # players on the same side are not opponents; if empty, each plays alone
    # players who left: their forfeited games bring points, but do not count as played
    leavers: frozenset[int] = frozenset()
    played: bool = True  # whether a turn was played; if not, a forfeit does not count as played

    def opponents(self, player: int) -> list[int]:
        """Return the player's opponents in the game."""
        if not self.sides:
            return [rank for rank in self.ranks if rank != player]
        return [rank for rank in self.ranks if self.sides[rank] != self.sides[player]]


def duel(number: int, first: int, second: int, winner: int | None, *, forfeit: bool = False) -> GameResult:
    """Return the result of a two-player game in round `number`. Without a `winner`, the game is a draw or, with
    `forfeit`, was forfeited by both players."""
    ranks = {player: 1 if winner in (None, player) else 2 for player in (first, second)}
    return GameResult(number, ranks, frozenset(ranks.keys() - {winner}) if forfeit else frozenset())


class Bye(NamedTuple):
    """A round in which a player had no game, and the points for it. It was `requested` if the player did not want a
    game, or had left. For a team, `score` are the game points for it."""

    round: int
    points: float
    requested: bool = False
    score: float = 0


class Shape(NamedTuple):
    """The shape of a tournament: `others` is the number of opponents that a player meets at a full table; `rounds` is
    the number of rounds if an unplayed round counts as a game against a virtual opponent, otherwise 0."""

    others: int = 1
    rounds: int = 0


DUELS = Shape()


Points = Annotated[float, Between(-100, 100)]


class Scoring(NamedTuple):
    """The points for each kind of result. At a table with more than two players, a player gets points for the result
    against each opponent (see `standings`)."""

    win: Points = 1
    draw: Points = 0.5
    loss: Points = 0
    bye: Points = 1
    forfeit: Points = 0  # for the player who forfeits
    requested: Points = 0.5  # a bye that was asked for
    late: Points = 0  # for each round before the player entered
    tie_breaks: tuple[TieBreak, ...] = ("head to head", "sonneborn-berger", "score")  # for equal points, in order


class TableRow(NamedTuple):
    """A row of the standings. In games with more than two players, those who share first place have drawn, and all
    others have lost."""

    rank: int  # players with equal points and tie-breaks share a rank
    player: int
    points: float
    played: int  # includes forfeited games, which count as won or lost, but not byes
    won: int
    drawn: int
    lost: int
    tie_breaks: tuple[float | None, ...]  # in the order of the scoring; None if head to head does not apply
    places: tuple[tuple[int, int, int], ...] = ()  # for each game at a table: round, rank and number of players
    decided: frozenset[TieBreak] = frozenset()  # tie-breaks that separate the player from others


_Outcome = Literal["won", "drawn", "lost"]


class _Meeting(NamedTuple):
    """The outcome of a game between a player and one opponent, from the player's point of view."""

    opponent: int
    outcome: _Outcome
    points: float
    unplayed: bool


class _Game(NamedTuple):
    """A game from the point of view of one of its players. Its `points` are the sum of the points from its meetings,
    scaled to a full table."""

    meetings: Sequence[_Meeting]
    outcome: _Outcome
    points: float
    score: float
    place: tuple[int, int, int]
    unplayed: bool


class _Table(NamedTuple):
    """The games, byes and points of each player, and `worth`, the points that the player counts for as an opponent in
    tie-breaks."""

    games: Mapping[int, Sequence[_Game]]
    byes: Mapping[int, Sequence[Bye]]
    points: Mapping[int, float]
    worth: Mapping[int, float]
    shape: Shape
    scoring: Scoring

    def tally(self, player: int, outcome: str) -> int:
        return sum(game.outcome == outcome for game in self.games[player])

    def played(self, player: int) -> list[_Game]:
        """Return the games of `player` that count in tie-breaks."""
        return [game for game in self.games[player] if not game.unplayed]

    def met(self, player: int) -> list[_Meeting]:
        """Return the meetings of `player` that count in tie-breaks."""
        return [meeting for game in self.games[player] for meeting in game.meetings if not meeting.unplayed]

    def faced(self, player: int) -> list["_Faced"]:
        """Return the opponents that `player` faced, with unplayed rounds replaced as in the FIDE rules (C.07, 16)."""
        own, others = self.points[player], self.shape.others
        if not self.shape.rounds:
            return [self._in(game, own) for game in self.played(player)]
        faced = [self._in(game, own) for game in self.games[player]]
        virtual = min(own, self.shape.rounds * self.scoring.draw * others)
        for bye in self.byes.get(player, ()):
            share = 1 if bye.points >= self.scoring.win else 0.5 if bye.points >= self.scoring.draw else 0
            faced.append(_Faced(virtual * others, virtual * others * share, bye.requested))
        return faced

    def _in(self, game: _Game, own: float) -> "_Faced":
        """Return the opponent that a player with `own` points faced in `game`, as tie-breaks count it. All opponents at
        a table count as one opponent, whose points are their sum, scaled to a full table like the points of a game."""
        strong = share = 0.0
        for meeting in game.meetings:
            worth = self.worth[meeting.opponent]
            worth = min(own, worth) if meeting.unplayed else worth
            strong += worth
            share += worth * _SHARE[meeting.outcome]
        scale = self.shape.others / len(game.meetings)
        return _Faced(strong * scale, share * scale, game.unplayed and game.outcome == "lost")


class _Faced(NamedTuple):
    """An opponent, real or virtual, as tie-breaks count it: the opponent's points, the part of them that the player
    won, and whether the player chose not to play."""

    points: float
    won: float
    chosen: bool


_SHARE: Mapping[_Outcome, float] = {"won": 1, "drawn": 0.5, "lost": 0}


# Ranks a player by points or by one tie-break; more is better. If there are several numbers, the table shows the first.
# The empty tuple means that the tie-break does not apply; in that case, it applies to none of the players compared.
_Key = tuple[float, ...]


def standings(
    players: Iterable[int] | Mapping[int, float],
    results: Iterable[GameResult],
    byes: Mapping[int, Sequence[Bye]],
    scoring: Scoring,
    shape: Shape = DUELS,
) -> tuple[TableRow, ...]:
    """Return the standings, best first; `byes` contains the byes of each player.

    `players` are all players in the standings, including those who have left; a mapping gives each of them points in
    addition to those from games and byes. Players who share a rank keep their order in `players`.

    A game is worth the average of its points against each opponent, times the number of opponents at a full table: with
    one point for a win, the first of four players gets three points and the others two, one and none; the first of
    three at a smaller table gets three points as well. Players who share several places therefore get equal shares of
    the points for these places.
    """
    table = _table(players, results, byes, scoring, shape)
    keys: dict[int, tuple[_Key, ...]] = {player: ((points,),) for player, points in table.points.items()}
    decided: dict[int, frozenset[TieBreak]] = dict.fromkeys(keys, frozenset())
    for tie_break in scoring.tie_breaks:
        for tied in _tied(keys):
            if tie_break == "head to head":
                values = _head_to_head(tied, table)
            else:
                values = {player: (round(_WORTH[tie_break](player, table), 6),) for player in tied}
            keys |= {player: (*keys[player], values[player]) for player in tied}
            if len({values[player] for player in tied}) > 1:
                decided |= {player: decided[player] | {tie_break} for player in tied}
    rows: list[TableRow] = []
    for together in _tied(keys):
        rank = len(rows) + 1
        rows += [_row(rank, player, keys[player], table)._replace(decided=decided[player]) for player in together]
    return tuple(rows)


def _table(
    players: Iterable[int] | Mapping[int, float],
    results: Iterable[GameResult],
    byes: Mapping[int, Sequence[Bye]],
    scoring: Scoring,
    shape: Shape,
) -> _Table:
    games: dict[int, list[_Game]] = {player: [] for player in players}
    for result in results:
        for player in result.ranks:
            games[player].append(_seen_by(player, result, scoring, shape.others))
    besides = players if isinstance(players, Mapping) else {}
    # Rounded because sums of tenths of a point differ in their last digits if they are added in different orders.
    points = {
        player: round(
            sum(game.points for game in mine)
            + sum(bye.points for bye in byes.get(player, ())) * shape.others
            + besides.get(player, 0),
            6,
        )
        for player, mine in games.items()
    }
    worth = points
    if shape.rounds:
        extra = {player: _left_out(mine, byes.get(player, ()), scoring.draw) for player, mine in games.items()}
        worth = {player: points[player] + extra[player] * shape.others for player in points}
    return _Table(games, byes, points, worth, shape, scoring)


def _left_out(games: Sequence[_Game], byes: Sequence[Bye], draw: float) -> float:
    """Return the extra points of a player that count only in the tie-breaks of opponents: byes requested after the last
    round in which the player took part or was available count as draws (FIDE C.07, 16.3.2)."""
    played = [game.place[0] for game in games if not (game.unplayed and game.outcome == "lost")]
    last = max([*played, *(bye.round for bye in byes if not bye.requested)], default=0)
    return sum(draw - bye.points for bye in byes if bye.requested and bye.round > last)


def _seen_by(player: int, result: GameResult, scoring: Scoring, others: int) -> _Game:
    met = [_meeting(player, opponent, result, scoring) for opponent in result.opponents(player)]
    place, score = (result.round, result.ranks[player], len(result.ranks)), result.scores.get(player, 0)
    outcomes = {meeting.outcome for meeting in met}
    outcome: _Outcome = "lost" if "lost" in outcomes else "drawn" if "drawn" in outcomes else "won"
    points = sum(meeting.points for meeting in met) * others / len(met)
    return _Game(met, outcome, points, score, place, all(meeting.unplayed for meeting in met))


def _meeting(player: int, opponent: int, result: GameResult, scoring: Scoring) -> _Meeting:
    forfeit, above = result.forfeit, result.ranks[opponent] - result.ranks[player]
    both = {player, opponent}
    unplayed = bool(both & forfeit and (both & result.leavers or not result.played))
    if player in forfeit:
        return _Meeting(opponent, "lost", scoring.forfeit, unplayed)
    if opponent in forfeit or above > 0:
        return _Meeting(opponent, "won", scoring.win, unplayed)
    if above:
        return _Meeting(opponent, "lost", scoring.loss, unplayed)
    return _Meeting(opponent, "drawn", scoring.draw, unplayed)


def _tied(keys: Mapping[int, tuple[_Key, ...]]) -> list[list[int]]:
    """Group players with equal keys, the best group first. Within a group, the players keep the order of `keys`."""
    ranked = sorted(keys, key=lambda player: keys[player], reverse=True)
    return [[*group] for _, group in groupby(ranked, key=lambda player: keys[player])]


def _row(rank: int, player: int, key: Sequence[_Key], table: _Table) -> TableRow:
    return TableRow(
        rank,
        player,
        table.points[player],
        played=len(table.games[player]),
        won=table.tally(player, "won"),
        drawn=table.tally(player, "drawn"),
        lost=table.tally(player, "lost"),
        tie_breaks=tuple(value[0] if value else None for value in key[1:]),
        places=tuple(sorted(game.place for game in table.games[player])) if table.shape.others > 1 else (),
    )


def _head_to_head(tied: Sequence[int], table: _Table) -> dict[int, _Key]:
    """Return for each player the points from games among the `tied` players, followed by those from games among the
    players who are still tied after that.

    The tie-break does not apply unless all tied players have met each other, as in the FIDE rules; otherwise a player
    who met more of the others would be ahead.
    """
    members = {*tied}
    among = {player: [meeting for meeting in table.met(player) if meeting.opponent in members] for player in tied}
    if len(tied) == 1 or any(len({meeting.opponent for meeting in among[player]}) < len(tied) - 1 for player in tied):
        return dict.fromkeys(tied, ())
    scores: dict[int, _Key] = {player: (round(sum(meeting.points for meeting in among[player]), 6),) for player in tied}
    parts = _tied({player: (scores[player],) for player in tied})
    if len(parts) == 1:
        return scores
    again = {player: key for part in parts for player, key in _head_to_head(part, table).items()}
    return {player: (*scores[player], *again[player]) for player in tied}


def _buchholz(player: int, table: _Table) -> float:
    """Return the sum of the points of all opponents of `player` (FIDE C.07, 8.1)."""
    return sum(opponent.points for opponent in table.faced(player))


def _buchholz_cut(player: int, table: _Table) -> float:
    """Return the Buchholz score without the weakest opponent. If there are rounds that the player chose not to play,
    the weakest of the opponents that stand for these rounds is left out instead (16.5)."""
    faced = table.faced(player)
    chosen = [opponent.points for opponent in faced if opponent.chosen]
    return _buchholz(player, table) - min(chosen or [opponent.points for opponent in faced], default=0)


_WORTH: Mapping[TieBreak, Callable[[int, _Table], float]] = {
    "buchholz": _buchholz,
    "buchholz cut 1": _buchholz_cut,
    # The points of beaten opponents, and half the points of drawn ones (9.1)
    "sonneborn-berger": lambda player, table: sum(opponent.won for opponent in table.faced(player)),
    "score": lambda player, table: sum(game.score for game in table.played(player)),
    "wins": lambda player, table: sum(game.outcome == "won" for game in table.played(player)),
    # The points of a team on all boards, also on those whose opponents did not appear
    "game points": lambda player, table: (
        sum(game.score for game in table.games[player]) + sum(bye.score for bye in table.byes.get(player, ()))
    ),
}
"""The functions that return the value of a tie-break for one player. The value does not depend on the players who are
tied with that player."""


def moves(
    divisions: Sequence[Sequence[TableRow]], up: int, down: int, withdrawn: Collection[int], standby: Iterable[int]
) -> tuple[tuple[int, ...], ...]:
    """Return the players of each division for the next season, in seeding order; `divisions` contains the final
    standings, the highest division first.

    The first `up` players of a division rise, and the last `down` players of the division above fall, so divisions keep
    their sizes if both numbers are equal. For each player who withdraws from a division, one player fewer falls from
    it; once nobody falls, one player more rises into it instead. The first players in `standby` fill the lowest
    division up to its size. Where players share a rank, the order of the rows decides.
    """
    remaining = [[row.player for row in rows if row.player not in withdrawn] for rows in divisions]
    ready = [player for player in standby if player not in withdrawn]
    coming: list[tuple[int, ...]] = []
    fallen: list[int] = []
    for at, rows in enumerate(divisions):
        here, lowest = remaining[at], at == len(divisions) - 1
        below = ready if lowest else remaining[at + 1]
        gaps = max(0, len(rows) - len(here) - (up if at else 0))
        falling = 0 if lowest else min(len(here), max(0, down - gaps))
        staying = here[: len(here) - falling]
        rising = max(0, len(rows) - len(fallen) - len(staying)) if lowest else up + max(0, gaps - down)
        coming.append((*fallen, *staying, *below[:rising]))
        fallen = here[len(staying) :]
        del below[:rising]
    return tuple(coming)
