"""A simple computer opponent that plays legal, sensible moves. It looks one turn ahead and compares material."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from zlib import crc32

from pbem.games.base import Seat
from pbem.games.ozymandia.board import Board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.rules import CITIES_TO_WIN, resolve
from pbem.games.ozymandia.state import State, opponent

# The values of a victory, a city, a bombardment, and a step on the way to a city, in pieces.
_WIN, _CITY, _BOMB, _STEP = 1000.0, 8.0, 3.0, 0.5
_LOOKED_INTO = 8  # the number of best-looking plans that are tested against the opponent's replies

_Roads = Mapping[str, Mapping[str, int]]


def choose(state: State, seat: Seat) -> Orders:
    """Choose orders for a side: first the moves, then whether to bombard. The same position always leads to the same
    orders."""
    roads = {city: {area: len(way) for area, way in state.board.ways_from(city).items()} for city in state.board.cities}
    replies = [Orders(), *_attacks(state, opponent(seat))]

    def standing_still(orders: Orders) -> tuple[float, int]:
        return _score(state, seat, orders, replies[:1], roads), _mark(state, orders)

    def attacked(orders: Orders) -> tuple[float, int]:
        return _score(state, seat, orders, replies, roads), _mark(state, orders)

    plans = sorted(_plans(state, seat), key=standing_still, reverse=True)[:_LOOKED_INTO]
    best = max(plans, key=attacked)
    return max(_with_bombs(state, seat, best), key=attacked)


def _score(state: State, seat: Seat, orders: Orders, replies: Sequence[Orders], roads: _Roads) -> float:
    """Return the score of orders: the value of the position after the first of `replies`, in which the opponent does
    nothing, plus the value after the worst reply."""
    worths = [_worth(resolve(state, {seat: orders, opponent(seat): reply}).state, seat, roads) for reply in replies]
    return worths[0] + min(worths)


def _worth(state: State, seat: Seat, roads: _Roads) -> float:
    """Return how far a side is ahead of its opponent in a position, measured in pieces."""
    return _strength(state, seat, roads) - _strength(state, opponent(seat), roads)


def _strength(state: State, seat: Seat, roads: _Roads) -> float:
    """Return the value of a side's pieces, cities and bombardments, less a penalty for the distance to the cities that
    it still needs."""
    own, held = state.pieces[seat], state.held_cities(seat)
    if len(held) >= CITIES_TO_WIN:
        return _WIN
    wanted = CITIES_TO_WIN - len(held)
    ways = sorted(
        min((road[area] for area in own), default=len(road)) for city, road in roads.items() if city not in own
    )
    return sum(own.values()) + _CITY * len(held) + _BOMB * state.bombs[seat] - _STEP * sum(ways[:wanted])


def _plans(state: State, seat: Seat) -> Iterator[Orders]:
    """Yield reasonable orders: new pieces all in cities or all in provinces, and a few ways to move."""
    theirs = state.pieces[opponent(seat)]
    provinces = tuple(city[0] for city in state.held_cities(seat) if city[0] not in theirs)
    for new in dict.fromkeys(((), provinces)):
        own = state.with_new_pieces(seat, new)
        yield Orders(new)
        for origin, count in own.items():
            for moves in _dispersals(state.board, origin, count):
                yield Orders(new, moves)
        for target in state.board.areas:
            for moves in _concentrations(state.board, own, target):
                yield Orders(new, moves)


def _dispersals(board: Board, origin: str, count: int) -> Iterator[tuple[Move, ...]]:
    """Yield moves of all pieces, all but one, or half into one neighbour; or of one piece into one neighbour and the
    rest into another."""
    near = sorted(board.adjacent[origin])
    for target in near:
        for some in sorted({count, count - 1, count // 2} - {0}):
            yield (Move(some, origin, target),)
    if count > 1:
        for first, second in permutations(near, 2):
            yield (Move(1, origin, first), Move(count - 1, origin, second))


def _concentrations(board: Board, own: Mapping[str, int], target: str) -> Iterator[tuple[Move, ...]]:
    """Yield moves of all neighbouring pieces into one area, first without guards, and then with one guard left in each
    city."""
    origins = [area for area in own if target in board.adjacent[area]]
    for guard in (0, 1):
        sizes = {area: own[area] - (guard if area in board.cities else 0) for area in origins}
        moves = tuple(Move(size, area, target) for area, size in sizes.items() if size)
        if len(moves) > 1:
            yield moves


def _attacks(state: State, seat: Seat) -> Iterator[Orders]:
    """Yield attacks on cities and on areas that the opponent occupies. An attack uses all pieces next to its target."""
    own = state.with_new_pieces(seat)
    for target in state.board.areas:
        if target in state.pieces[opponent(seat)] or target in state.board.cities:
            near = state.board.adjacent[target]
            if moves := tuple(Move(count, area, target) for area, count in own.items() if area in near):
                yield Orders((), moves)


def _with_bombs(state: State, seat: Seat, orders: Orders) -> Iterator[Orders]:
    """Yield the orders without a bombardment and, if any bombardments are left, with a bombardment of each area that
    the opponent occupies."""
    yield orders
    for area in state.areas(opponent(seat)) if state.bombs[seat] else ():
        yield Orders(orders.new, orders.moves, area)


def _mark(state: State, orders: Orders) -> int:
    """Return a tie-breaker between equally good orders, which varies with the position but not between machines."""
    return crc32(f"{state} {orders}".encode())
