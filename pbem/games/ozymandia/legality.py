"""Whether orders can be carried out: what was said, checked against a position (§2.2, §2.3 and §2.7 of the rules)."""

from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.games.base import Mistake, Seat, Sentence
from pbem.games.ozymandia import mistakes
from pbem.games.ozymandia.areas import Names, listed
from pbem.games.ozymandia.items import Word
from pbem.games.ozymandia.mistakes import Kind
from pbem.games.ozymandia.orders import Move, Orders
from pbem.games.ozymandia.state import State, opponent

MANY = 999_999  # pieces; more are not worth their digits


class Said(NamedTuple):
    """An area said for a new piece or a bombardment; not `clear` if a mistake in it has been named already."""

    area: str
    at: Word
    clear: bool = True


class SaidMove(NamedTuple):
    """A move as it was said: `number` None is "all"; `at` and `to` are where mistakes in it are shown."""

    number: int | None
    origin: str
    target: str
    at: Word
    to: Word
    clear: bool = True


@dataclass(slots=True)
class Plan:
    """All that was said, each kind in the order given."""

    new: list[Said] = field(default_factory=list)
    moves: list[SaidMove] = field(default_factory=list)
    bombs: list[Said] = field(default_factory=list)
    passes: list[Word] = field(default_factory=list)


@dataclass(slots=True)
class Findings:
    """The mistakes found so far, each once; `undecided` when mending them would be a choice for the player."""

    mistakes: list[Mistake] = field(default_factory=list)
    undecided: bool = False

    def add(self, kind: Kind, at: Word, **gaps: object) -> None:
        sentence = Sentence(kind.sentence, **gaps)
        if all(mistake.sentence != sentence for mistake in self.mistakes):
            self.mistakes.append(Mistake(at.start_pos, at.start_pos + len(at.value.rstrip()), sentence))


class Check:
    """One seat's draft against a state, which is what the previous turn left."""

    def __init__(self, state: State, seat: Seat, names: Names, findings: Findings) -> None:
        self.state, self.seat, self.names, self.findings = state, seat, names, findings

    def orders(self, draft: Plan) -> Orders:
        """The draft as orders, without what cannot be; legal if nothing was found, now or before."""
        placed = self._new_pieces(draft.new)
        there = dict(self.state.pieces[self.seat])
        for city in self.state.held_cities(self.seat):
            area = placed.get(city, city)
            there[area] = there.get(area, 0) + 1
        moves = self._moves(draft.moves, there)
        if draft.passes and draft.moves:
            self._undecided(mistakes.PASS_AND_MOVE, draft.passes[0], word=draft.passes[0].value)
        bomb = self._bomb(draft.bombs)
        return Orders(tuple(sorted(placed.values(), key=self.state.board.order.__getitem__)), moves, bomb)

    def _undecided(self, kind: Kind, at: Word, **gaps: object) -> None:
        self.findings.undecided = True
        self.findings.add(kind, at, **gaps)

    def _new_pieces(self, said: list[Said]) -> dict[str, str]:
        """Where the new pieces go that were said, by city."""
        title, areas = self.names.title, self.state.board.areas
        placed: dict[str, str] = {}
        for area, at, clear in said:
            province = area[0]
            city = province + "C"
            if city not in self.state.pieces[self.seat]:
                if clear:
                    self._no_new_piece(city, at)
            elif city in placed:
                self._undecided(mistakes.TWO_NEW_PIECES, at, city=title(city), province=province, code=city)
            elif areas[area].kind == "province" and area in self.state.pieces[opponent(self.seat)]:
                if clear:
                    self.findings.add(mistakes.OPPONENT_THERE, at, area=title(area), city=title(city), code=city)
                placed[city] = city
            else:
                placed[city] = area
        return placed

    def _no_new_piece(self, city: str, at: Word) -> None:
        held = self.state.held_cities(self.seat)
        choices = tuple(Sentence("New {province} or New {city}", province=one[0], city=one) for one in held)
        kind = mistakes.NO_NEW_PIECE if choices else mistakes.NO_CITIES
        self.findings.add(kind, at, city=self.names.title(city), choices=choices)

    def _moves(self, said: list[SaidMove], there: dict[str, int]) -> tuple[Move, ...]:
        """The moves that can be, those between the same two areas added up; `there` are pieces by area (§2.2)."""
        leaving: dict[str, list[SaidMove]] = {}
        possible: dict[tuple[str, str], int] = {}
        for move in said:
            if move.clear:
                leaving.setdefault(move.origin, []).append(move)
            most = there.get(move.origin, 0)
            if self._leads_on(move) and most and move.number != 0:
                way = move.origin, move.target
                possible[way] = min(most, possible.get(way, 0) + (most if move.number is None else move.number))
        for origin, group in leaving.items():
            self._count(origin, group, there)
        moves = tuple([Move(count, *way) for way, count in possible.items()])
        if len(possible) > 1:
            self._one_way([move for move in said if move.clear and (move.origin, move.target) in possible])
        if self.findings.mistakes:
            self._decide(moves, there)
        return moves

    def _leads_on(self, move: SaidMove) -> bool:
        """Whether the areas are adjacent."""
        near = self.state.board.adjacent[move.origin]
        if move.target in near:
            return True
        if move.clear:
            kind = mistakes.SAME_AREA if move.target == move.origin else mistakes.OUT_OF_REACH
            title, areas = self.names.title, self.names.titles(near)
            self.findings.add(kind, move.to, origin=title(move.origin), areas=areas, target=title(move.target))
        return False

    def _count(self, origin: str, moves: list[SaidMove], there: dict[str, int]) -> None:
        """Names what is wrong with the numbers that leave an area."""
        most = there.get(origin, 0)
        numbers = [move.number for move in moves]
        total = sum(filter(None, numbers))
        if None not in numbers and 0 not in numbers and total <= most:
            return
        first, last, area, are = moves[0], moves[-1], self.names.title(origin), _are(most)
        if not most:
            kind = mistakes.NOBODY_THERE if there else mistakes.NOBODY_LEFT
            self.findings.add(kind, first.at, area=area, areas=self.names.titles(there))
        elif None in numbers and len(numbers) > 1:
            self.findings.add(mistakes.ALL_AND_MORE, last.at, area=area)
        elif total > most:
            self.findings.add(mistakes.TOO_MANY, last.at, area=area, are=are, count=_sum(moves))
        for move in moves:
            if most and move.number == 0:
                self.findings.add(mistakes.NOT_ONE_PIECE, move.at, area=area, are=are)

    def _decide(self, moves: tuple[Move, ...], there: dict[str, int]) -> None:
        """Sees whether too many pieces leave an area for several others: which of them is the player's choice."""
        left = dict(there)
        for move in moves:
            left[move.origin] -= move.count
            if left[move.origin] < 0:
                self.findings.undecided = True

    def _one_way(self, moves: list[SaidMove]) -> None:
        """Dispersal or concentration (§2.3); the place shown is the first move that makes the list neither."""
        titles = self.names.titles
        origins, targets = {move.origin for move in moves}, {move.target for move in moves}
        if len(origins) > 1 and len(targets) > 1:
            lengths = range(2, len(moves) + 1)
            odd = next(
                n for n in lengths if len({m.origin for m in moves[:n]}) > 1 < len({m.target for m in moves[:n]})
            )
            self._undecided(mistakes.TWO_WAYS, moves[odd - 1].at, origins=titles(origins), targets=titles(targets))

    def _bomb(self, said: list[Said]) -> str | None:
        """The area to bombard (§2.7)."""
        left = self.state.bombs[self.seat]
        if not said:
            return None
        if not left:
            self.findings.add(mistakes.NO_BOMBS, said[0].at)
            return None
        if len(said) > 1:
            self._undecided(mistakes.TWO_BOMBS, said[1].at, left=str(left))
        return said[0].area


def _sum(moves: list[SaidMove]) -> Sentence:
    """How many pieces shall leave an area, and where to if it is not for one other."""
    total = sum(move.number or 0 for move in moves)
    if total > MANY:
        return Sentence("so many")
    if len(moves) == 1:
        return Sentence("{total}", total=total)
    parts = listed([Sentence("{number} to {target}", number=move.number, target=move.target) for move in moves])
    return Sentence("{total} ({parts})", total=total, parts=parts)


def _are(number: int) -> Sentence:
    return Sentence("is 1 piece") if number == 1 else Sentence("are {number} pieces", number=number)
