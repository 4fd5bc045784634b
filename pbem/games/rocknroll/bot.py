"""A computer player that knows only what its seat sees, and plays greedily by the odds of the dice.

It deploys all its units, plays orders as long as they improve the expected board, keeps some of the remaining orders to
pay for rerolls, and trades the rest for units. The expected board is computed without throwing dice, and ignores rare
events such as explosions and rerolls. The same view always leads to the same orders. If the player is given a source of
chance, however, it misjudges some things at random, and so finds other reasonable plans.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from pbem.games.base import Seat, Side
from pbem.games.kit.quick import QuickChance
from pbem.games.rocknroll import orders
from pbem.games.rocknroll.cards import SIDES, CardSet, Kind, at_least, opponent
from pbem.games.rocknroll.orders import DECK, DEFAULT, Command, Orders, Pair, Rule, Step, Strike, cards_of, paired
from pbem.games.rocknroll.state import State, View, neighbours

LITTLE = 0.1
"""The smallest expected gain, in Points, for which an order is played."""

_CLEAR = 0.8  # the value of a Point held with a lead of one unit; with a lead of two or three it is a little higher
_SURER = 0.95 - _CLEAR
_SUREST = 1 - 0.95
_ROLES: Mapping[str, tuple[Kind, ...]] = {
    "aura": ("aura",),
    "guard": ("guard",),
    "reaction": ("medic", "riposte", "avenger"),
    "trap": ("blocker", "raider"),
}


class Piece(NamedTuple):
    """A unit on the board: its side, its Point, and the probability that it is still standing."""

    side: Side
    point: str
    weight: float


Board = Mapping[str, Piece]
"""The units on the Points, keyed by name, in order of arrival."""


def board_of(state: State) -> Board:
    """Return the board of `state`, on which every unit is certain to be standing."""
    return {
        unit: Piece(side, point, 1.0) for point in state.row for side in SIDES for unit in state.points[point][side]
    }


class Odds:
    """The odds of actions with a set of cards. Methods do not modify boards, but return changed copies. `material` is
    the value of a unit in itself, on a scale on which holding a Point is worth 1."""

    def __init__(self, cards: CardSet, row: tuple[str, ...]) -> None:
        self.cards, self.row = cards, row
        self.material = 0.25 if cards.switches.graveyard else 0.12
        self.kind = {name: unit.feature.kind for name, unit in cards.units.items()}
        self.kinds = {
            role: [unit for unit, kind in self.kind.items() if kind in kinds] for role, kinds in _ROLES.items()
        }

    def hit(self, unit: str, target: str, board: Board) -> float:
        """Return the probability that an attack of `unit` on `target` hits."""
        card, piece = self.cards.units[unit], board[unit]
        armour = self.cards.units[target].armour if self.cards.switches.armour and not card.ace else 0
        beside = self._with("aura", piece, board)
        bonus = sum(self.cards.units[aura].feature.bonus for aura in beside if aura != unit)
        return at_least(max(card.chance, armour) - bonus, card.dice)

    def is_guarded(self, unit: str, board: Board) -> bool:
        """Return whether another unit protects `unit` from attacks."""
        return self.kind[unit] != "guard" and bool(self._with("guard", board[unit], board))

    def reaches(self, unit: str, target: str, board: Board) -> bool:
        """Return whether `unit` may attack `target` from where both are now."""
        far = abs(self.row.index(board[unit].point) - self.row.index(board[target].point))
        return far <= self.cards.units[unit].feature.range and not self.is_guarded(target, board)

    def attacked(self, unit: str, target: str, board: Board) -> Board:
        """Return the expected board after `unit` has attacked `target`: medics may save the target, and the target or
        another unit may strike back."""
        hit = self.hit(unit, target, board)
        own, its = board[unit], board[target]
        there = self._with("reaction", its, board)
        saved = 1.0
        for defender in there:
            if defender != target and self.kind[defender] == "medic":
                saved *= 1 - board[defender].weight * at_least(self.cards.units[defender].feature.check)
        board = self._less(board, target, own.weight * hit * saved)
        for defender in there:
            kind = self.kind[defender]
            if (kind == "riposte" and defender == target and own.point == its.point) or kind == "avenger":
                missed = 1 - hit if defender == target else 1.0
                board = self._less(board, unit, its.weight * missed * self.hit(defender, unit, board))
        return board

    def entered(self, units: Sequence[str], board: Board) -> Board:
        """Return the expected board after `units` have entered the Point where they are, and each enemy blocker or
        raider there has attacked one of them."""
        side, point, _ = board[units[0]]
        for blocker in self._with("trap", Piece(opponent(side), point, 1.0), board):
            feature = self.cards.units[blocker].feature
            open_ones = [unit for unit in units if not self.is_guarded(unit, board)]
            if open_ones:
                chance = at_least(feature.check) if feature.check else 1.0
                target = max(open_ones, key=lambda unit: board[unit].weight)
                board = self._less(board, target, board[blocker].weight * chance * self.hit(blocker, target, board))
        return board

    def put(self, unit: str, side: Side, point: str, board: Board) -> Board:
        """Return the expected board after `unit` has been deployed to `point`."""
        return self.entered((unit,), {**board, unit: Piece(side, point, 1.0)})

    def moved(self, units: Sequence[str], point: str, board: Board) -> Board:
        """Return the expected board after `units` have moved to `point` together."""
        gone = {unit: board[unit]._replace(point=point) for unit in units}
        stayed = {unit: piece for unit, piece in board.items() if unit not in gone}
        return self.entered(units, {**stayed, **gone})

    def destroyed(self, point: str, chance: float, board: Board) -> Board:
        """Return the expected board after a super weapon, which hits with the probability `chance`, has been fired at
        `point`."""
        return {
            unit: piece._replace(weight=piece.weight * (1 - chance))
            if piece.point == point and self.kind[unit] != "survivor"
            else piece
            for unit, piece in board.items()
        }

    def without(self, units: Iterable[str], board: Board) -> Board:
        """Return the board after `units` have been given away."""
        return {unit: piece for unit, piece in board.items() if unit not in units}

    def worth(self, board: Board, side: Side) -> float:
        """Return the value of the expected lead of `side` over its enemy: its lead in Points, plus a little for its
        lead in units."""
        ahead = dict.fromkeys(self.row, 0.0)
        total = 0.0
        for own, point, weight in board.values():
            if own == side:
                ahead[point] += weight
                total += weight
            else:
                ahead[point] -= weight
                total -= weight
        return sum(map(_held, ahead.values())) + self.material * total

    def strength(self, unit: str) -> float:
        """Return the value of a unit in a hand: the probability that it hits, plus a little for its feature and its
        armour."""
        card = self.cards.units[unit]
        return at_least(card.chance, card.dice) + 0.25 * (card.feature.kind != "none") + 0.05 * card.armour

    def _with(self, kind: str, piece: Piece, board: Board) -> list[str]:
        """Return the units on the Point of `piece` that belong to its side and whose features have the role `kind`, a
        key of `_ROLES`. The units are in order of arrival."""
        side, point, _ = piece
        able = self.kinds[kind]
        units = [unit for unit in able if (at := board.get(unit)) and at.side == side and at.point == point]
        return units if len(units) < 2 else [unit for unit in board if unit in units]

    def _less(self, board: Board, unit: str, chance: float) -> Board:
        """Return the board after an event in which `unit` falls with the probability `chance`."""
        side, point, weight = board[unit]
        return {**board, unit: Piece(side, point, weight * (1 - chance))}


def _held(ahead: float) -> float:
    """Return the value of a Point to a side that leads there by `ahead` units, interpolated between whole numbers."""
    if ahead < 0:
        return -_held(-ahead)
    if ahead < 1:
        return _CLEAR * ahead
    if ahead < 2:
        return _CLEAR + _SURER * (ahead - 1)
    return 0.95 + _SUREST * (ahead - 2) if ahead < 3 else 1.0


_MUCH = 0.25  # the value, in Points, of the two cards given for a Current Action; each could be traded for a unit
_SPARE = 1  # the number of useless orders that are kept for rerolls
_MOODS = 5  # given a source of chance: how many values the number of spare orders and the least gain can take
_SWAY = 0.6  # given a source of chance: the largest error of a judgement, as a fraction or in Points
_MOST_WISHES = 3


class _Option(NamedTuple):
    """A command, the gain in value that it brings, and the expected board after it."""

    gain: float
    command: Command
    board: Board


def choose(view: View, seat: Seat, chance: QuickChance | None = None) -> Orders:
    """Choose orders for the seat to move, or only standing orders for any other seat. If `chance` is given, the orders
    vary from call to call."""
    planner = _Planner(view, seat, chance)
    commands = planner.script() if view.state.on_turn == seat else ()
    return Orders(tuple(planner.standing()), commands)


def example(state: State, seat: Seat) -> Orders:
    """Make example orders for a letter: deploy one unit and play one order, each only if it improves the seat's
    expected position; otherwise trade something, or pass."""
    planner = _Planner(View(state, seat), seat)
    return Orders((), planner.beginning())


class _Planner:
    """A planner of one seat's turn. It keeps track of the expected board, and of the orders, units and RD that are
    left."""

    def __init__(self, view: View, seat: Seat, chance: QuickChance | None = None) -> None:
        state = view.state
        self.chance = chance
        self.spare = chance.pick(_MOODS) if chance else _SPARE
        self.little = LITTLE * (1 + chance.pick(_MOODS)) if chance else LITTLE
        self.state, self.seat, self.side = state, seat, state.side_of(seat)
        self.enemy = opponent(self.side)
        self.cards, self.odds = state.cards, Odds(state.cards, state.row)
        self.board = board_of(state)
        self.orders = [*state.hands[seat].orders]
        self.reserve = self._best_first(state.reserve[self.side])
        self.deck = len(state.decks.units[self.side])
        self.rd = state.rd[self.side]

    def script(self) -> tuple[Command, ...]:
        """Plan the seat's turn: first units, then orders."""
        first = self._deployed(self._best_first(self.state.hands[self.seat].units))
        bought = self._bought()
        plays, idle = self._played(self.board, self.orders)
        if traded := self._traded(idle):
            plays, idle = self._played(self.board, self.orders)
        self.orders = idle
        return (*first, *bought, *traded, *self._lured(), *plays) or (orders.Pass(),)

    def beginning(self) -> tuple[Command, ...]:
        """Plan a turn with only the best unit and the best order."""
        before, board = self._worth(self.board), self.board
        best = self._best_first(self.state.hands[self.seat].units)
        commands = self._deployed(best[:1])
        if self._worth(self.board) <= before:
            commands, self.board = [], board
        plays, idle = self._played(self.board, self.orders)
        return (*commands, *plays[:1]) or (*self._traded(idle)[:1],) or (orders.Pass(),)

    def _mood(self) -> float:
        """Return the random error of one judgement; 0 if there is no source of chance."""
        return _SWAY * (self.chance.pick(255) / 127 - 1) if self.chance else 0.0

    # Units

    def _deployed(self, units: Sequence[str]) -> list[Command]:
        """Return commands that deploy `units`, each at the end of the row where it is worth more."""
        commands: list[Command] = []
        for unit in units:
            boards = {end: self.odds.put(unit, self.side, end, self.board) for end in self._ends()}
            end = max(boards, key=lambda point: self._worth(boards[point]) + self._mood())
            self.board = boards[end]
            commands.append(orders.Deploy(unit, end))
        return commands

    def _best_first(self, units: Sequence[str]) -> list[str]:
        return sorted(units, key=lambda unit: self.odds.strength(unit) + self._mood(), reverse=True)

    def _ends(self) -> tuple[str, str]:
        return self.state.row[0], self.state.row[-1]

    def _bought(self) -> list[Command]:
        """Return commands that buy units from the reserve for RD and deploy them."""
        commands: list[Command] = []
        price = self.cards.numbers.rd_price
        while self.cards.switches.rd and self.rd >= price + 2 and self.reserve:
            self.rd -= price
            commands += [orders.BuyUnit(self.reserve[0]), *self._deployed([self.reserve.pop(0)])]
        return commands

    def _traded(self, idle: Sequence[str]) -> list[Command]:
        """Return commands that trade the orders in `idle` for units, except the first few, which are kept for rerolls.
        Units from the reserve are deployed at once; units from the deck can be deployed only next turn."""
        commands: list[Command] = []
        for order in idle[self.spare :]:
            if self.reserve:
                unit = self.reserve.pop(0)
                commands += [orders.TradeForUnit(order, unit), *self._deployed([unit])]
            elif self.deck:
                self.deck -= 1
                commands.append(orders.TradeForUnit(order, DECK))
            else:
                break
            self.orders.remove(order)
        return commands

    # Orders

    def _played(self, board: Board, held: Sequence[str]) -> tuple[list[Command], list[str]]:
        """Choose commands that play orders from `held` and improve the board, the best command first. Return the
        commands, and the orders that remain."""
        commands: list[Command] = []
        idle = [*held]
        while option := max(self._options(board, idle), key=lambda use: use.gain * (1 + self._mood()), default=None):
            if option.gain < self.little:
                break
            board = option.board
            commands.append(option.command)
            for card in cards_of(option.command):
                idle.remove(card)
        return commands, idle

    def _options(self, board: Board, held: Sequence[str]) -> Iterator[_Option]:
        """Yield possible uses of each order in `held`, and the best Current Action, which costs two orders."""
        for card in dict.fromkeys(held):
            yield from self._uses(card, board)
        if self.cards.switches.act and len(held) > 1:
            ways: list[tuple[float, Pair, Board]] = [*self._strikes(board, None, ()), *self._steps(board, ())]
            gain, pair, after = max(ways, default=(0.0, None, board), key=lambda way: way[0])
            if pair and gain > _MUCH:
                yield _Option(gain - _MUCH, orders.Act((held[0], held[1]), pair), after)

    def _uses(self, card: str, board: Board) -> Iterator[_Option]:
        order = self.cards.orders[card]
        if order.side not in (None, self.side):
            return
        match order.kind:
            case "attack" | "all":
                corner = order.number if order.kind == "all" else None
                most = order.number if order.kind == "attack" else len(board)
                yield from self._pairs(card, board, most, corner, is_move=False)
            case "move":
                yield from self._pairs(card, board, order.number, None, is_move=True)
            case "march":
                yield from self._marches(card, board)
            case _:
                yield from self._supers(card, board, order.number)

    def _pairs(self, card: str, board: Board, most: int, corner: int | None, *, is_move: bool) -> Iterator[_Option]:
        """Yield the best use of the order `card` for up to `most` units: one pair after another is added as long as it
        improves the board. If `corner` is given, only units with that number in the corner can act."""
        before, pairs = self._worth(board), list[Pair]()
        while len(pairs) < most:
            done = tuple(pair.unit for pair in pairs)
            ways = self._steps(board, done) if is_move else self._strikes(board, corner, done)
            best = max(ways, key=lambda way: way[0], default=None)
            if best is None or best[0] <= 0:
                break
            pairs.append(best[1])
            board = best[2]
        if pairs:
            yield _Option(self._worth(board) - before, paired(card, pairs), board)

    def _strikes(self, board: Board, corner: int | None, done: Sequence[str]) -> Iterator[tuple[float, Strike, Board]]:
        before = self._worth(board)
        enemies = self._units_of(self.enemy, board)
        for unit in self._units_of(self.side, board):
            if unit in done or corner not in (None, self.cards.units[unit].chance):
                continue
            for target in enemies:
                if self.odds.reaches(unit, target, board):
                    after = self.odds.attacked(unit, target, board)
                    yield self._worth(after) - before, Strike(unit, target), after

    def _steps(self, board: Board, done: Sequence[str]) -> Iterator[tuple[float, Step, Board]]:
        before = self._worth(board)
        for unit in self._units_of(self.side, board):
            if unit not in done:
                for point in neighbours(self.state.row, board[unit].point):
                    after = self.odds.moved((unit,), point, board)
                    yield self._worth(after) - before, Step(unit, point), after

    def _marches(self, card: str, board: Board) -> Iterator[_Option]:
        """Yield marches of every size from each Point to each neighbouring one. A march consists of the least valuable
        units on its Point."""
        before = self._worth(board)
        for source in self.state.row:
            units = sorted(
                (unit for unit in self._units_of(self.side, board) if board[unit].point == source), key=self._rank
            )
            for point in neighbours(self.state.row, source) if units else ():
                for number in range(1, len(units) + 1):
                    after = self.odds.moved(units[:number], point, board)
                    yield _Option(
                        self._worth(after) - before, orders.PlayMarch(card, tuple(units[:number]), point), after
                    )

    def _rank(self, unit: str) -> tuple[float, str]:
        return self.odds.strength(unit), unit

    def _supers(self, card: str, board: Board, need: int) -> Iterator[_Option]:
        before = self._worth(board)
        for point in self.state.row:
            after = self.odds.destroyed(point, at_least(need), board)
            yield _Option(self._worth(after) - before, orders.PlaySuper(card, point), after)

    def _lured(self) -> Iterator[Command]:
        """Yield commands that use voluntary features where that improves the board; these commands cost nothing."""
        before = self._worth(self.board)
        for unit in self._units_of(self.side, self.board):
            if self.cards.units[unit].feature.kind != "lure":
                continue
            here = self.board[unit].point
            boards = {
                enemy: self.odds.moved((enemy,), here, self.board)
                for enemy in self._units_of(self.enemy, self.board)
                if here in neighbours(self.state.row, self.board[enemy].point)
            }
            target = max(boards, key=lambda enemy: self._worth(boards[enemy]), default=None)
            if target and self._worth(boards[target]) > before:
                yield orders.Use(unit, target)

    def _units_of(self, side: str, board: Board) -> list[str]:
        return [unit for unit, piece in board.items() if piece.side == side]

    def _worth(self, board: Board) -> float:
        return self.odds.worth(board, self.side)

    # Standing orders

    def standing(self) -> Iterator[Rule]:
        """Yield the standing orders that the seat should change, with their new values."""
        now = self.state.standing.get(self.seat, {})
        for key, value in self._wished().items():
            if now.get(key, DEFAULT) != value:
                yield Rule(key, value)

    def _wished(self) -> dict[str, str]:
        switches = self.cards.switches
        best = [*islice(self.reserve, _MOST_WISHES)]
        rerolls = ", ".join(dict.fromkeys(self.orders))
        wished = {
            "Income": ", ".join((*best, DECK)) if best else DEFAULT,
            "Reroll attack": f"2 with {rerolls}" if rerolls else DEFAULT,
            "Reroll feature": f"2 with {rerolls}" if rerolls else DEFAULT,
        }
        if switches.rd:
            wished["Pour attack"] = "to 4"
        if switches.captives:
            wished["Captives"] = "recruit"
        return wished
