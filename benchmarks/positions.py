"""Questions for `adjudicate`: positions from the middle of games, and legal orders as people write them."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from pbem.games.base import Seat
from pbem.games.ozymandia.board import SHIPPED, Board
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.rules import resolve, result
from pbem.games.ozymandia.state import SEATS, State, opponent, set_up

_MIDDLE = range(4, 16)  # turns


class Question(NamedTuple):
    """A position, and for each side its orders and their text."""

    state: State
    orders: dict[Seat, Orders]
    texts: dict[Seat, str]


def questions(number: int, seed: int = 1981) -> list[Question]:
    """Generate a number of questions, half of them on each shipped board, always the same for a seed."""
    random = Random(seed)
    found: list[Question] = []
    for board in SHIPPED:
        middle = _middle_positions(board, random)
        while len(found) < number * (SHIPPED.index(board) + 1) // len(SHIPPED):
            state = next(middle)
            drawn = {seat: some_orders(random, state, seat, range(2, 4)) for seat in SEATS}
            orders = {seat: given for seat, given in drawn.items() if given}
            if len(orders) == len(SEATS):
                texts = {seat: write_orders(random, state, seat, orders[seat]) for seat in SEATS}
                found.append(Question(state, orders, texts))
    return found


def some_orders(random: Random, state: State, seat: Seat, items: range) -> Orders | None:
    """Legal random orders of the given length: new pieces, then a dispersal or a concentration, then perhaps a
    bombardment.

    None if chance does not find any in a few tries.
    """
    for _ in range(20):
        cities = [city for city in state.held_cities(seat) if random.random() < 0.4]
        new = tuple(
            city[0] if random.random() < 0.5 and city[0] not in state.pieces[opponent(seat)] else city
            for city in cities
        )
        own = state.with_new_pieces(seat, new)
        moves = _moves(random, state.board, own) if own else ()
        bomb = random.choice([*state.board.areas]) if state.bombs[seat] and random.random() < 0.2 else None
        if len(new) + len(moves) + bool(bomb) in items:
            return Orders(new, moves, bomb)
    return None


def write_orders(random: Random, state: State, seat: Seat, orders: Orders) -> str:
    """Write orders in one of the ways in which people write them."""
    board, own = state.board, state.with_new_pieces(seat, orders.new)
    items = [f"{random.choice(('New', 'new in'))} {_area(random, board, area)}" for area in orders.new]
    items += [_move(random, board, move, own[move.origin]) for move in orders.moves]
    if orders.bomb:
        items.append(f"{random.choice(('Bomb', 'bombard'))} {_area(random, board, orders.bomb)}")
    separator = random.choice((", ", ", ", "; ", ". ", "\n", "\n- ", " and "))
    return ("- " if "-" in separator else "") + separator.join(items) + random.choice(("", "", "."))


def _middle_positions(board: str, random: Random) -> Iterator[State]:
    """Yield positions from games in which both sides give random orders."""
    while True:
        state = set_up({"board": board})
        while not result(state) and state.turn < _MIDDLE.stop and all(state.pieces[seat] for seat in SEATS):
            if state.turn in _MIDDLE:
                yield state
            chosen = {seat: some_orders(random, state, seat, range(4)) or Orders() for seat in SEATS}
            state = resolve(state, chosen).state


def _moves(random: Random, board: Board, own: dict[str, int]) -> tuple[Move, ...]:
    """Random moves from one area into one or two others, or the other way round (§2.3)."""
    if random.random() < 0.5:
        origin = random.choice([*own])
        near = sorted(board.adjacent[origin])
        targets = random.sample(near, k=min(len(near), own[origin], random.randint(1, 3)))
        return tuple(Move(random.randint(1, own[origin] // len(targets)), origin, target) for target in targets)
    target = random.choice([*board.areas])
    origins = [area for area in own if area in board.adjacent[target]][: random.randint(1, 3)]
    return tuple(Move(random.randint(1, own[area]), area, target) for area in origins)


def _move(random: Random, board: Board, move: Move, there: int) -> str:
    origin, target = _area(random, board, move.origin), _area(random, board, move.target)
    count = "all" if move.count == there and random.random() < 0.3 else str(move.count)
    form = random.choice(
        (
            "{count} {origin} to {target}",
            "{count} {origin} to {target}",
            "{count} {origin} to {target}",
            "{count} {origin} -> {target}",
            "{count} {origin} → {target}",
            "move {count} {origin} to {target}",
            "{count} pieces from {origin} to {target}",
        )
    )
    return form.format(count=count, origin=origin, target=target)


def _area(random: Random, board: Board, code: str) -> str:
    """An area by its code, its name, or an unambiguous beginning of its name."""
    name = board.areas[code].name
    short = next((name[:n] for n in range(3, len(name)) if _fits_once(board, name[:n])), name)
    return random.choice((code, code, code, code.lower(), name, name.lower(), short))


def _fits_once(board: Board, beginning: str) -> bool:
    return sum(area.name.lower().startswith(beginning.lower()) for area in board.areas.values()) == 1
