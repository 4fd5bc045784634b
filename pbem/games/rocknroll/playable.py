"""Put a letter's orders into a form that can be played: commands that get or deploy units come before the first order,
and lines that are certain to be skipped are left out (R4, J4).

The rules carry out a script as it is written, and skip what cannot be done. People often write in another sequence, so
letters are rearranged before they are played. If that changes more than the sequence, the player is asked.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from pbem import Sentence
from pbem.games.base import Seat
from pbem.games.capabilities import Revision
from pbem.games.rocknroll import orders, wording
from pbem.games.rocknroll.cards import opponent
from pbem.games.rocknroll.narrative import REASONS
from pbem.games.rocknroll.orders import Command, Orders, Strike, cards_of
from pbem.games.rocknroll.receipt import bare, foresee, hidden_cards, left_behind, skips
from pbem.games.rocknroll.script import FIRST
from pbem.games.rocknroll.state import State, view_of

_MANY = 96  # a line that is skipped in each of this many tries counts as certain to be skipped
_EITHER = (orders.Sell, orders.Pass)
"""The commands that never end the deployment, in whichever part of a turn they are given (J4)."""
_WAKING = ("blocker", "raider")


def revised(state: State, seat: Seat, letter: Orders) -> Revision:
    """Return a revision of `letter`: its orders in a sequence in which they can be played, and the lines about which
    the player must be asked. Lines and units that are certain to be skipped are removed from the orders."""
    if seat != state.on_turn:
        return Revision(letter)
    seen = view_of(state, seat).state
    commands = [*_units_first(letter.commands)]
    faults = [*_clashes(seen, seat, letter)] if commands != [*letter.commands] else []
    arranged = replace(letter, commands=tuple(commands))
    vain = [*_vain(seen, seat, arranged)]
    for line, unit, reason in vain:
        called = wording.noted(seen.cards, unit)
        sentence = (
            Sentence("{unit} cannot do this as things stand: {reason}.", unit=called, reason=reason)
            if unit
            else Sentence("This cannot be done as things stand: {reason}.", reason=reason)
        )
        faults.append((str(commands[line - 1]), sentence))
    left = tuple(_without(commands, vain))
    if left == (orders.Pass(),) and vain:  # a player who wanted more is not asked to agree to a turn without orders
        left = ()
    playable = replace(arranged, commands=left) if left or letter.standing else None
    return Revision(playable, tuple(faults))


def _units_first(commands: Sequence[Command]) -> Iterator[Command]:
    """Yield the commands in a new sequence. Those that get or deploy units come before the first command that ends the
    deployment, and sales come before the purchases for which they may pay."""
    end = next((at for at, command in enumerate(commands) if not isinstance(bare(command), (*FIRST, *_EITHER))), None)
    late = [at for at, command in enumerate(commands) if isinstance(bare(command), FIRST) and at > (end or 0)]
    if end is None or not late:
        yield from commands
        return
    buying = max((at for at in late if isinstance(bare(commands[at]), orders.BuyUnit)), default=0)
    late += [at for at in range(end, buying) if isinstance(bare(commands[at]), orders.Sell)]
    yield from commands[:end]
    yield from (commands[at] for at in sorted(late))
    yield from (command for at, command in enumerate(commands) if at >= end and at not in late)


# Whether the sequence matters


def _clashes(state: State, seat: Seat, letter: Orders) -> Iterator[tuple[str, Sentence]]:
    """Yield each command that has to be moved before an earlier order even though this makes a difference, and a
    sentence that explains this to the player."""
    commands = letter.commands
    vain = (skip for skip in skips(state, seat, letter) if skip.always and not skip.unit and skip.reason != "phase")
    idle = [commands[skip.line - 1] for skip in vain]
    needed = Counter(card for command in commands for card in cards_of(command))
    held = Counter((*state.hands[seat].orders, *state.hands[seat].units))
    scarce = {card for card, number in needed.items() if number > max(held[card], 1)}
    for at, later in enumerate(commands):
        if not isinstance(bare(later), FIRST):
            continue
        some = [order for order in commands[:at] if order not in idle]
        above = (order for order in some if not isinstance(bare(order), (*FIRST, *_EITHER)))
        first = next((order for order in above if _makes_a_difference(state, seat, order, later, scarce)), None)
        if first is not None:
            order = wording.noted(state.cards, str(first))
            sentence = Sentence(
                "Units deploy before the first order of a turn, so this would happen before `{order}`;"
                " here that makes a difference.",
                order=order,
            )
            yield str(later), sentence


def _makes_a_difference(state: State, seat: Seat, order: Command, later: Command, scarce: Iterable[str]) -> bool:
    if isinstance(later, orders.If) or {*cards_of(order)} & {*cards_of(later)} & {*scarce}:
        return True
    conditions = [*_conditions(order)]
    match bare(later):
        case orders.Deploy(unit, point):
            looked_at = any(getattr(condition, "point", "") == point for condition in conditions)
            return looked_at or unit in cards_of(order) or _concerns(state, seat, bare(order), point)
        case orders.TradeForUnit(unit=unit):
            return unit in cards_of(order)
        case orders.BuyUnit(unit):
            buys = 2 * state.cards.numbers.rd_price > state.rd[state.side_of(seat)]
            looked_at = any(isinstance(condition, orders.Stock) for condition in conditions)
            return looked_at or unit in cards_of(order) or (buys and isinstance(bare(order), orders.BuyOrder))
        case _:
            return False


def _conditions(command: Command) -> Iterator[orders.Condition]:
    while isinstance(command, orders.If | orders.Pour):
        if isinstance(command, orders.If):
            yield command.condition
        command = command.command


def _concerns(state: State, seat: Seat, order: orders.Plain, point: str) -> bool:
    """Return whether `order` affects a unit that is deployed to `point`: it fires a super weapon there, or does
    anything else there while an enemy blocker or raider is on the Point."""
    if isinstance(order, orders.PlaySuper):
        return order.point == point
    enemies = state.points[point][opponent(state.side_of(seat))]
    if not any(state.cards.units[unit].feature.kind in _WAKING for unit in enemies):
        return False
    there = {unit for units in state.points[point].values() for unit in units}
    match order:
        case orders.PlayMarch(units=units, point=goal):
            return goal == point or not there.isdisjoint(units)
        case orders.PlayPairs(pairs=pairs):
            return any(_takes_place(pair, point, there) for pair in pairs)
        case orders.Act(pair=pair):
            return _takes_place(pair, point, there)
        case orders.Use(target=target) | orders.Capture(target=target):
            return target in there
        case _:
            return False


def _takes_place(pair: orders.Pair, point: str, there: set[str]) -> bool:
    return pair.unit in there or (pair.target in there if isinstance(pair, Strike) else pair.point == point)


# Lines that are certain to be skipped


def _vain(seen: State, seat: Seat, letter: Orders) -> Iterator[tuple[int, str, Sentence]]:
    """Yield a line number, a unit and a reason for each line, or unit of a line, that is certain to be skipped. The
    unit is "" for a whole line. Lines that are skipped because their conditions are not met are not yielded, because
    that is what conditions are for."""
    if any(skip.always for skip in skips(seen, seat, letter)):
        drawing = _may_draw(seen, seat, letter)
        hidden = {*hidden_cards(seen)}
        for skip in skips(seen, seat, letter, _MANY):
            missing = [card for card in cards_of(letter.commands[skip.line - 1]) if card in hidden]
            may_come = skip.reason == "hand" and skip.line > drawing and missing
            if skip.always and skip.reason != "condition" and not skip.paid and not may_come:
                yield skip.line, skip.unit or "", REASONS[skip.reason]
    yield from ((line, unit, REASONS["unit"]) for line, unit in left_behind(seen, seat, letter))


def _may_draw(seen: State, seat: Seat, letter: Orders) -> int:
    """Return the number of the first line that may bring a card from a deck; the number of the last line if there is no
    such line. A line may bring a card because it takes one, or because it throws a die: the throw may lead to losses
    for which the seat gets a card as compensation."""
    die = foresee(seen, seat, letter.commands).die_in
    takes = (
        line
        for line, command in enumerate(map(bare, letter.commands), 1)
        if isinstance(command, orders.TradeForOrder | orders.BuyOrder) or getattr(command, "unit", "") == orders.DECK
    )
    return min(die or len(letter.commands), next(takes, len(letter.commands)))


def _without(commands: Sequence[Command], vain: Sequence[tuple[int, str, Sentence]]) -> Iterator[Command]:
    """Yield `commands` without the lines and units in `vain`, which come from `_vain`."""
    units: Mapping[int, set[str]] = {line: {unit for at, unit, _ in vain if at == line} for line, _, _ in vain}
    for line, command in enumerate(commands, 1):
        out = units.get(line, set())
        if "" not in out and (left := _without_units(command, out) if out else command):
            yield left


def _without_units(command: Command, out: set[str]) -> Command | None:
    """Return `command` without the units in `out`; None if no unit remains."""
    match command:
        case orders.If() | orders.Pour():
            left = _without_units(command.command, out)
            return left and replace(command, command=left)
        case orders.PlayPairs(card, pairs):
            some = [pair for pair in pairs if pair.unit not in out]
            return orders.paired(card, some) if some else None
        case orders.PlayMarch(card, units, point):
            return orders.PlayMarch(card, tuple(unit for unit in units if unit not in out), point)
        case _:
            return command
