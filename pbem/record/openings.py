"""Statistics on how archived games began and ended: the orders in a seat's first turns as a tree, with results."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.record.history import History


class Opening(NamedTuple):
    """Orders that a seat gave in one of its first turns, in canonical form, with statistics: the number of games, the
    seat's share of the points in these games (a draw is half a win), and the orders that followed, most frequent
    first."""

    orders: str
    games: int
    share: float
    then: tuple["Opening", ...]


class _Line(NamedTuple):
    """A seat's orders in its first turns of a game, and the points that the seat scored."""

    orders: tuple[str, ...]
    points: float


def openings(histories: Iterable[History], seat: Seat, depth: int) -> tuple[Opening, ...]:
    """Return the openings of `seat` in finished games, as a tree of up to `depth` turns. Turns and games in which the
    seat gave no orders do not count."""
    return _tree([_line(history, seat, depth) for history in histories if history.result and seat in history.seats])


def _line(history: History, seat: Seat, depth: int) -> _Line:
    texts = (turn.orders.get(seat) for turn in history.turns())
    orders = [text for text in texts if text][:depth]
    result, sides = history.result, dict(history.game.seats(history.options))
    assert result
    points = 0.0 if result.forfeit and result.winner is None else 0.5
    return _Line(tuple(orders), points if result.winner is None else float(result.winner == sides[seat]))


def _tree(lines: Sequence[_Line]) -> tuple[Opening, ...]:
    branches: dict[str, list[_Line]] = {}
    for orders, points in lines:
        if orders:
            branches.setdefault(orders[0], []).append(_Line(orders[1:], points))
    nodes = [
        Opening(orders, len(rest), sum(line.points for line in rest) / len(rest), _tree(rest))
        for orders, rest in branches.items()
    ]
    return tuple(sorted(nodes, key=lambda opening: (-opening.games, opening.orders)))
