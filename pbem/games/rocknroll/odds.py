"""What is to be expected of a plan: where each unit stands, and how likely it is to stand there still.

A board in expectation is looked at, never thrown for: it leaves out what is rare, such as explosions and rerolls. The
computer opponent weighs its plans with it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pbem.games.base import Side
from pbem.games.rocknroll.cards import SIDES, CardSet, opponent
from pbem.games.rocknroll.state import State

LITTLE = 0.1
"""What an order has to bring at least, in Points."""

_SIDES_OF_A_DIE = 6
_CLEAR = 0.8  # what a Point is worth that a side holds by one unit; by two and more a little more
_SURE = (0.0, _CLEAR, 0.95, 1.0)


class Piece(NamedTuple):
    """A unit on the board: for which side, in which Point, and how likely it stands."""

    side: Side
    point: str
    weight: float


Board = Mapping[str, Piece]
"""The units on the Points by their names, in order of arrival."""


def board_of(state: State) -> Board:
    """The units that stand now, all of them for sure."""
    return {
        unit: Piece(side, point, 1.0) for point in state.row for side in SIDES for unit in state.points[point][side]
    }


class Odds:
    """The chances of a set of cards, on boards that are given back changed. `material` is what a unit is worth beside
    the Point that it stands in, which is worth 1."""

    def __init__(self, cards: CardSet, row: tuple[str, ...]) -> None:
        self.cards, self.row = cards, row
        self.material = 0.25 if cards.switches.graveyard else 0.12

    def hit(self, unit: str, target: str, board: Board) -> float:
        """How likely an attack of a unit hits."""
        card, piece = self.cards.units[unit], board[unit]
        armour = self.cards.units[target].armour if self.cards.switches.armour and not card.ace else 0
        beside = (one for one, its in board.items() if its[:2] == piece[:2] and one != unit)
        bonus = sum(self.cards.units[one].feature.bonus for one in beside)
        return at_least(max(card.chance, armour) - bonus, card.dice)

    def is_guarded(self, unit: str, board: Board) -> bool:
        """Whether another unit keeps a unit from being attacked."""
        if self._kind(unit) == "guard":
            return False
        piece = board[unit]
        return any(self._kind(one) == "guard" for one, its in board.items() if its[:2] == piece[:2])

    def reaches(self, unit: str, target: str, board: Board) -> bool:
        """Whether a unit may attack another one where both stand."""
        far = abs(self.row.index(board[unit].point) - self.row.index(board[target].point))
        return far <= self.cards.units[unit].feature.range and not self.is_guarded(target, board)

    def neighbours(self, point: str) -> list[str]:
        """The Points beside one."""
        at = self.row.index(point)
        return [self.row[to] for to in (at - 1, at + 1) if 0 <= to < len(self.row)]

    def attacked(self, unit: str, target: str, board: Board) -> Board:
        """The board after an attack: the target may be saved, and may strike back, or another one for it."""
        hit = self.hit(unit, target, board)
        own, its = board[unit], board[target]
        there = [one for one, piece in board.items() if piece[:2] == its[:2]]
        saved = 1.0
        for one in there:
            if one != target and self._kind(one) == "medic":
                saved *= 1 - board[one].weight * at_least(self.cards.units[one].feature.check)
        board = self._less(board, target, own.weight * hit * saved)
        for one in there:
            kind = self._kind(one)
            if (kind == "riposte" and one == target and own.point == its.point) or kind == "avenger":
                missed = 1 - hit if one == target else 1.0
                board = self._less(board, unit, its.weight * missed * self.hit(one, unit, board))
        return board

    def entered(self, units: Sequence[str], board: Board) -> Board:
        """The board after units have come to the Point where they stand: blockers attack one of them each."""
        side, point, _ = board[units[0]]
        waiting = [one for one, piece in board.items() if piece[:2] == (opponent(side), point)]
        for one in waiting:
            feature = self.cards.units[one].feature
            open_ones = [unit for unit in units if not self.is_guarded(unit, board)]
            if feature.kind in ("blocker", "raider") and open_ones:
                chance = at_least(feature.check) if feature.check else 1.0
                target = max(open_ones, key=lambda unit: board[unit].weight)
                board = self._less(board, target, board[one].weight * chance * self.hit(one, target, board))
        return board

    def put(self, unit: str, side: Side, point: str, board: Board) -> Board:
        """The board after a unit was deployed."""
        return self.entered((unit,), {**board, unit: Piece(side, point, 1.0)})

    def moved(self, units: Sequence[str], point: str, board: Board) -> Board:
        """The board after units went to a Point together."""
        gone = {unit: board[unit]._replace(point=point) for unit in units}
        stayed = {unit: piece for unit, piece in board.items() if unit not in gone}
        return self.entered(units, {**stayed, **gone})

    def destroyed(self, point: str, chance: float, board: Board) -> Board:
        """The board after a super weapon."""
        return {
            unit: piece._replace(weight=piece.weight * (1 - chance))
            if piece.point == point and self._kind(unit) != "survivor"
            else piece
            for unit, piece in board.items()
        }

    def without(self, units: Iterable[str], board: Board) -> Board:
        """The board when units were given away."""
        return {unit: piece for unit, piece in board.items() if unit not in units}

    def worth(self, board: Board, side: Side) -> float:
        """How much better a side stands than its enemy: in Points, and a little in units."""
        ahead = dict.fromkeys(self.row, 0.0)
        total = 0.0
        for own, point, weight in board.values():
            signed = weight if own == side else -weight
            ahead[point] += signed
            total += signed
        return sum(map(_held, ahead.values())) + self.material * total

    def strength(self, unit: str) -> float:
        """What a unit is worth in a hand: how often it hits, and its feature."""
        card = self.cards.units[unit]
        return at_least(card.chance, card.dice) + 0.25 * (card.feature.kind != "none") + 0.05 * card.armour

    def _kind(self, unit: str) -> str:
        return self.cards.units[unit].feature.kind

    def _less(self, board: Board, unit: str, chance: float) -> Board:
        """The board after a unit may have fallen."""
        piece = board[unit]
        return {**board, unit: piece._replace(weight=piece.weight * (1 - chance))}


def at_least(number: int, dice: int = 1) -> float:
    """How likely one of some dice shows a number or more."""
    missed = min(max(number - 1, 0), _SIDES_OF_A_DIE) / _SIDES_OF_A_DIE
    return float(1 - missed**dice)


def _held(ahead: float) -> float:
    """What a Point is worth to a side that is so many units ahead there, between whole numbers in proportion."""
    size = min(abs(ahead), len(_SURE) - 1)
    low = int(size)
    high = min(low + 1, len(_SURE) - 1)
    held = _SURE[low] + (_SURE[high] - _SURE[low]) * (size - low)
    return held if ahead > 0 else -held
