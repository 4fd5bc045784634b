"""What a seat, or anybody, may see of a state (ozz §16): not the order of the pools, nor letters that wait."""

from dataclasses import replace

from pbem.games.base import OPEN, Reader, Seat
from pbem.games.ozz.canonical import read_canonical
from pbem.games.ozz.orders import Fly, Move
from pbem.games.ozz.state import Queue, State


def view(state: State, reader: Reader) -> State:
    """A state with each pool in roster order, and of what waits behind a battle only the reader's own."""
    if reader == OPEN:
        return state
    roster = state.data.roster
    pools = {owner: tuple(sorted(codes, key=roster.__getitem__)) for owner, codes in state.pools.items()}
    return replace(state, pools=pools, queue=_own(state.queue, reader) if state.queue else None)


def _own(queue: Queue, reader: Reader) -> Queue:
    letters = {seat: letter if seat == reader else None for seat, letter in queue.letters.items()}
    return replace(queue, letters=letters, todo=tuple(move for move in queue.todo if move[0] == reader))


def unseals(before: State, after: State) -> bool:
    """Whether a campaign turn that a battle had stopped is over: its letters are told then."""
    return before.queue is not None and after.queue is None


def told_orders(orders: str, seat: Seat, reader: Reader, before: State, now: State) -> str | None:
    """A letter in canonical form; of a campaign turn that a battle has stopped only the moves that are carried out.

    A turn that is to be played again after all was never told to its end.
    """
    is_told = before.battle is not None or now.turn > before.turn or now.phase == "over"
    if is_told or reader in (seat, OPEN):
        return orders
    letter = read_canonical(now.data, orders)
    if letter is None or now.queue is None or now.turn < before.turn:
        return None
    waiting = {number for other, number in now.queue.todo if other == seat}
    moves = [item for item in letter.items if isinstance(item, Move | Fly)]
    done = [str(move) for number, move in enumerate(moves) if number not in waiting]
    return "; ".join((*done, "…")) if done else None
