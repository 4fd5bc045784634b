"""The part of a state that a seat or the public may see (§16). It reveals neither the order of the pools nor the
letters of other seats that have yet to be carried out in full."""

from dataclasses import replace

from pbem.games.base import OPEN, Reader, Seat
from pbem.games.ozz.meaning import read_canonical
from pbem.games.ozz.orders import Fly, Move
from pbem.games.ozz.state import Battle, Queue, State


def view(state: State, reader: Reader) -> State:
    """Return what `reader` may see of `state`. The pools are in roster order, and letters and moves that stand or are
    waiting for the end of a battle are hidden unless they are the reader's own. The reader `OPEN` sees everything."""
    if reader == OPEN:
        return state
    pools = {owner: tuple(state.data.in_order(codes)) for owner, codes in state.pools.items()}
    queue = _own(state.queue, reader) if state.queue else None
    return replace(state, pools=pools, queue=queue, battle=state.battle and _with_own_plan(state.battle, reader))


def _with_own_plan(battle: Battle, reader: Reader) -> Battle:
    """Return `battle` with None in place of all standing letters except the reader's own."""
    return replace(battle, plans={seat: plan if seat == reader else None for seat, plan in battle.plans.items()})


def _own(queue: Queue, reader: Reader) -> Queue:
    letters = {seat: letter if seat == reader else None for seat, letter in queue.letters.items()}
    return replace(queue, letters=letters, todo=tuple(move for move in queue.todo if move[0] == reader))


def unseals(before: State, after: State) -> bool:
    """Return whether hidden letters are revealed between `before` and `after`, because a campaign turn that a battle
    interrupted has ended, or because standing letters of a battle no longer apply."""
    stood, stand = (state.battle.plans if state.battle else {} for state in (before, after))
    return (before.queue is not None and after.queue is None) or any(stood[seat] != stand.get(seat) for seat in stood)


def redact_orders(orders: str, seat: Seat, reader: Reader, before: State, now: State) -> str | None:
    """Return the part of `orders`, a letter of `seat` in canonical form, that `reader` may know; None if there is no
    such part.

    `before` is the state for which the letter was written, and `now` is the present state. If a battle has interrupted
    the campaign turn, others see only the moves that have been carried out. They see nothing of a battle letter that
    still stands. If the match has been taken back to an earlier turn, they see nothing of the letters for a campaign
    turn.
    """
    if reader in (seat, OPEN):
        return orders
    if before.battle and seat not in (before.battle.attacker, before.battle.defender):
        return None  # the standing orders of a seat that takes no part in the battle
    if _is_told(seat, before, now):
        return orders
    letter = None if before.battle else read_canonical(now.data, orders)
    if letter is None or now.queue is None or now.turn < before.turn:
        return None
    waiting = {number for mover, number in now.queue.todo if mover == seat}
    moves = [item for item in letter.items if isinstance(item, Move | Fly)]
    done = [str(move) for number, move in enumerate(moves) if number not in waiting]
    return "; ".join((*done, "…")) if done else None


def _is_told(seat: Seat, before: State, now: State) -> bool:
    """Return whether the letter that `seat` wrote in the state `before` is public now."""
    if before.battle is None or now.phase == "over":
        return now.turn > before.turn or now.phase == "over"
    same = now.battle is not None and (now.queue, now.battle.at) == (before.queue, before.battle.at)
    plan = now.battle.plans.get(seat) if now.battle and same else None
    return plan is None or plan.turn != before.battle.turn
