"""What a seat, or anybody, may see of a state (ozz §16): not the order of the pools, nor letters that wait."""

from dataclasses import replace
from typing import get_args

from pbem.games.base import OPEN, Reader
from pbem.games.ozz.canonical import read_canonical
from pbem.games.ozz.orders import BoardItem
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


def is_of_battle(orders: str) -> bool:
    """Whether orders in canonical form are surely a battle's, which is played as soon as they are in."""
    read = read_canonical(orders)
    return read is not None and any(isinstance(item, get_args(BoardItem)) for item in read.items)
