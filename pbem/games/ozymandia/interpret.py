"""Interpret the items of an order list: turn them into legal orders, or report all mistakes and propose corrected
orders (§3 of the rules).

Orders are checked against a position (§2.2, §2.3 and §2.7 of the rules).
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from pbem import Sentence
from pbem.games.base import Interpretation, Mistake, Seat, Unread
from pbem.games.kit.reading import Word, Written, quoted
from pbem.games.ozymandia import mistakes
from pbem.games.ozymandia.areas import Names, listed, names_of
from pbem.games.ozymandia.orders import AlsoItem, BombItem, Move, MoveItem, NewItem, Orders, PassItem, noted
from pbem.games.ozymandia.prose import Opening, opening
from pbem.games.ozymandia.state import State, opponent
from pbem.games.values import MAX_ITEMS
from pbem.games.words import words_in

MANY = 999_999  # the largest number of pieces that is taken literally


class WrittenArea(NamedTuple):
    """An area for a new piece or a bombardment. `at` is the word that names it; `clear` is false if a mistake in this
    word has already been reported."""

    area: str
    at: Written
    clear: bool = True


class WrittenMove(NamedTuple):
    """A move as it was written. A `number` of None means "all". Mistakes in the move are shown at the words `at` and
    `to`; `clear` is false if a mistake in the move has already been reported."""

    number: int | None
    origin: str
    target: str
    at: Written
    to: Written
    clear: bool = True


@dataclass(slots=True)
class Draft:
    """Everything that the player wrote, grouped by kind of order. Each group is in the order of the text."""

    new: list[WrittenArea] = field(default_factory=list)
    moves: list[WrittenMove] = field(default_factory=list)
    bombs: list[WrittenArea] = field(default_factory=list)
    passes: list[Written] = field(default_factory=list)


@dataclass(slots=True)
class Findings:
    """The mistakes found so far, without duplicates. `undecided` is true if only the player can choose how to correct
    them."""

    mistakes: list[Mistake] = field(default_factory=list)
    undecided: bool = False

    def add(self, kind: str, at: Written, **gaps: object) -> None:
        sentence = Sentence(kind, **gaps)
        if all(mistake.sentence != sentence for mistake in self.mistakes):
            self.mistakes.append(Mistake(at.start_pos, at.start_pos + len(at.value.rstrip()), sentence))


class Check:
    """The check of one seat's draft against the state at the end of the previous turn."""

    def __init__(self, state: State, seat: Seat, names: Names, findings: Findings) -> None:
        self.state, self.seat, self.names, self.findings = state, seat, names, findings

    def orders(self, draft: Draft) -> Orders:
        """Convert the draft to orders, leaving out anything impossible. The orders are legal if no mistake has been
        found."""
        placed = self._new_pieces(draft.new)
        there = dict(self.state.pieces[self.seat])
        for city in self.state.held_cities(self.seat):
            area = placed.get(city, city)
            there[area] = there.get(area, 0) + 1
        moves = self._moves(draft.moves, there)
        if draft.passes and draft.moves:
            self._undecided(mistakes.STAYS_AND_MOVES, draft.passes[0], word=draft.passes[0].value)
        bomb = self._bomb(draft.bombs)
        return Orders(tuple(sorted(placed.values(), key=self.state.board.order.__getitem__)), moves, bomb)

    def _undecided(self, kind: str, at: Written, **gaps: object) -> None:
        self.findings.undecided = True
        self.findings.add(kind, at, **gaps)

    def _new_pieces(self, written: list[WrittenArea]) -> dict[str, str]:
        """Place the new pieces. Return the area of each new piece, keyed by the city that earned it."""
        title, areas = self.names.title, self.state.board.areas
        placed: dict[str, str] = {}
        for area, at, clear in written:
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

    def _no_new_piece(self, city: str, at: Written) -> None:
        held = self.state.held_cities(self.seat)
        choices = tuple(Sentence("New {province} or New {city}", province=place[0], city=place) for place in held)
        kind = mistakes.NO_NEW_PIECE if choices else mistakes.NO_CITIES
        self.findings.add(kind, at, city=self.names.title(city), choices=choices)

    def _moves(self, written: list[WrittenMove], movable: dict[str, int]) -> tuple[Move, ...]:
        """Return the possible moves. Several moves from one area to the same target are added up. `movable` contains
        the number of pieces that may leave each area (§2.2)."""
        leaving: dict[str, list[WrittenMove]] = {}
        possible: dict[tuple[str, str], int] = {}
        for move in written:
            leaving.setdefault(move.origin, []).append(move)
            most = movable.get(move.origin, 0)
            if self._leads_on(move) and most and move.number != 0:
                way = move.origin, move.target
                possible[way] = min(most, possible.get(way, 0) + (most if move.number is None else move.number))
        for origin, group in leaving.items():
            self._count(origin, group, movable)
        moves = tuple([Move(count, *way) for way, count in possible.items()])
        if len(possible) > 1:
            self._one_way([move for move in written if move.clear and (move.origin, move.target) in possible])
        if self.findings.mistakes:
            self._decide(moves, movable)
        return moves

    def _leads_on(self, move: WrittenMove) -> bool:
        """Return whether the areas of a move are adjacent, and report a mistake if they are not."""
        near = self.state.board.adjacent[move.origin]
        if move.target in near:
            return True
        kind = mistakes.SAME_AREA if move.target == move.origin else mistakes.OUT_OF_REACH
        title, areas = self.names.title, self.names.titles(near)
        self.findings.add(kind, move.to, origin=title(move.origin), areas=areas, target=title(move.target))
        return False

    def _count(self, origin: str, moves: list[WrittenMove], movable: dict[str, int]) -> None:
        """Report mistakes in the numbers of pieces that leave an area."""
        most = movable.get(origin, 0)
        numbers = [move.number for move in moves]
        total = sum(filter(None, numbers))
        if None not in numbers and 0 not in numbers and total <= most:
            return
        first, last, area, are = moves[0], moves[-1], self.names.title(origin), _are(most)
        if not most:
            kind = mistakes.NOBODY_THERE if movable else mistakes.NOBODY_LEFT
            self.findings.add(kind, first.at, area=area, areas=self.names.titles(movable))
        elif None in numbers and len(numbers) > 1:
            self.findings.add(mistakes.ALL_AND_MORE, last.at, area=area)
        elif total > most:
            self.findings.add(mistakes.TOO_MANY, last.at, area=area, are=are, count=_sum(moves))
        for move in moves:
            if most and move.number == 0:
                self.findings.add(mistakes.NOT_ONE_PIECE, move.at, area=area, are=are)

    def _decide(self, moves: tuple[Move, ...], movable: dict[str, int]) -> None:
        """Set `undecided` if the moves take more pieces from an area than are there, because only the player can choose
        which moves to reduce."""
        remaining = dict(movable)
        for move in moves:
            remaining[move.origin] -= move.count
            if remaining[move.origin] < 0:
                self.findings.undecided = True

    def _one_way(self, moves: list[WrittenMove]) -> None:
        """Check that the moves are a dispersal or a concentration (§2.3); a mistake is shown at the first move that
        makes the list neither."""
        titles = self.names.titles
        origins, targets = {move.origin for move in moves}, {move.target for move in moves}
        if len(origins) > 1 and len(targets) > 1:
            lengths = range(2, len(moves) + 1)
            odd = next(
                n for n in lengths if len({m.origin for m in moves[:n]}) > 1 < len({m.target for m in moves[:n]})
            )
            self._undecided(mistakes.TWO_WAYS, moves[odd - 1].at, origins=titles(origins), targets=titles(targets))

    def _bomb(self, written: list[WrittenArea]) -> str | None:
        """Return the area to bombard (§2.7), or None if no area was named or if no bombardments are left."""
        bombs = self.state.bombs[self.seat]
        if not written:
            return None
        if not bombs:
            self.findings.add(mistakes.NO_BOMBS, written[0].at)
            return None
        if len(written) > 1:
            self._undecided(mistakes.TWO_BOMBS, written[1].at, left=str(bombs))
        return written[0].area


def _sum(moves: list[WrittenMove]) -> Sentence:
    """Describe how many pieces were ordered to leave an area; if there are several moves, also describe how many go to
    each target."""
    total = sum(move.number or 0 for move in moves)
    if total > MANY:
        return Sentence("so many")
    if len(moves) == 1:
        return Sentence("{total}", total=total)
    parts = listed([Sentence("{number} to {target}", number=move.number, target=move.target) for move in moves])
    return Sentence("{total} ({parts})", total=total, parts=parts)


def _are(number: int) -> Sentence:
    return Sentence("is 1 piece") if number == 1 else Sentence("are {number} pieces", number=number)


_MAX_DIGITS = 6  # longer numbers are not converted; Python may even refuse to convert them
_ORDER_WORD = re.compile(  # an order word among the words of an area
    rf"(?<= )(?:{'|'.join(words_in(Path(__file__).parent, 'prose')['orders'])})\b", re.I
)


def interpret(state: State, seat: Seat, items: Sequence[Any]) -> Interpretation[Orders]:
    """Interpret items as orders in a position, or report the mistakes in the order of the text.

    `state` is the state at the end of the previous turn (§2.2 is applied here). The proposal corrects names to the
    nearest ones and numbers to possible ones, and leaves out whatever is impossible; there is no proposal if that would
    mean choosing between things that the player wrote (J6, §2.3).
    """
    names, findings = names_of(state.board), Findings()
    if not items:
        findings.add(mistakes.NO_ORDERS, Word("", 0))
    elif len(items) > MAX_ITEMS:
        findings.add(mistakes.TOO_LONG, Word("", 0), most=MAX_ITEMS)
    if findings.mistakes:
        return Interpretation(None, tuple(findings.mistakes))
    draft = _OrderReader(names, findings, state.pieces[seat]).draft(items)
    orders = Check(state, seat, names, findings).orders(draft)
    if not findings.mistakes:
        return Interpretation(orders, ())
    in_order = tuple(sorted(findings.mistakes, key=lambda mistake: mistake.start))
    if findings.undecided or (orders == Orders() and not draft.passes):
        return Interpretation(None, in_order)
    return Interpretation(None, in_order, orders if _is_legal(state, seat, orders) else None)


def _is_legal(state: State, seat: Seat, orders: Orders) -> bool:
    here = Word("", 0)
    draft = Draft(
        [WrittenArea(area, here) for area in orders.new],
        [WrittenMove(*move, here, here) for move in orders.moves],
        [WrittenArea(orders.bomb, here)] if orders.bomb else [],
    )
    findings = Findings()
    Check(state, seat, names_of(state.board), findings).orders(draft)
    return not findings.mistakes


class _OrderReader:
    """A reader that looks up the words of each item, and fills in parts that the player left out."""

    def __init__(self, names: Names, findings: Findings, own: Collection[str]) -> None:
        self._names, self._findings, self._own = names, findings, own
        self._draft = Draft()
        self._without_target: list[tuple[Written, str]] = []  # moves that may share the target of the next one
        self._after_new = False  # whether a name by itself is one more new piece
        self._clear = True  # whether no mistake has been found in the current item

    def draft(self, items: Sequence[Any]) -> Draft:
        for item in items:
            self._clear = True
            if isinstance(item, MoveItem):
                self._move(item)
                self._after_new = False
                continue
            if isinstance(item, NewItem):
                self._add_area(self._draft.new, item.area)
            elif isinstance(item, BombItem):
                self._add_area(self._draft.bombs, item.area)
            elif isinstance(item, PassItem):
                self._draft.passes.append(item.word)
            else:
                self._words(item.area if isinstance(item, AlsoItem) else item)
            self._after_new = isinstance(item, NewItem) or (self._after_new and isinstance(item, AlsoItem | Unread))
        for number, origin in self._without_target:
            self._where_to(number, origin, None)
            self._findings.undecided = True
        return self._draft

    def _report(self, kind: str, at: Written, **gaps: object) -> None:
        self._clear = False
        self._findings.add(kind, at, **gaps)

    def _area(self, word: Written, start: str | None = None) -> str | None:
        """Return the area that a word names. If the word is wrong, report a mistake and return the area that was
        probably meant, or None. If the word names the target of a move, `start` is the origin of the move."""
        codes = self._names.find(word.value)
        if len(codes) == 1:
            return codes[0]
        text = quoted(word.value)
        if not codes and (order := _ORDER_WORD.search(word.value)):
            self._report(mistakes.NO_SEPARATOR, Word(order[0], word.start_pos + order.start()))
            self._findings.undecided = True  # the words after the order word have not been read
        elif codes:
            *first, last = map(self._names.title, codes)
            areas = Sentence("{first} or {last}", first=tuple(first), last=last)
            self._report(mistakes.UNCLEAR_AREA, word, text=text, areas=areas)
        elif nearest := self._names.nearest(word.value):
            self._report(mistakes.NEARLY_AN_AREA, word, text=text, nearest=self._names.title(nearest))
            return nearest
        elif start:
            near, title = self._names.board.adjacent[start], self._names.title(start)
            self._report(mistakes.NO_TARGET, word, text=text, origin=title, areas=self._names.titles(near))
        else:
            self._report(mistakes.NO_AREA, word, text=text, areas=listed(list(self._names.board.areas)))
        return None

    def _add_area(self, written: list[WrittenArea], word: Written) -> None:
        if area := self._area(word):
            written.append(WrittenArea(area, word, self._clear))

    def _move(self, item: MoveItem) -> None:
        number, origin, target = item
        if target is None and origin is not None:
            origin, target = self._split(origin)
        start = self._area(origin) if origin else None
        goal = self._area(target, start) if target else None
        if number is not None and start and not target:
            self._without_target.append((number, start))
        if not goal or target is None or (origin and not start):
            return
        if number is None:
            self._report(mistakes.HOW_MANY, origin or target, origin=start or "", target=goal)
            self._findings.undecided = True  # a proposal must not contain a number that nobody wrote
        elif not start:
            start = self._where_from(number, goal)
        if start:
            self._add_those_waiting(goal)
            at = number or target
            self._draft.moves.append(WrittenMove(_number(number), start, goal, at, target, self._clear))

    def _add_those_waiting(self, goal: str) -> None:
        """Report the missing targets of earlier moves, and add these moves to the draft with `goal`, the target of the
        current move, which they probably share."""
        for number, start in self._without_target:
            self._where_to(number, start, goal)
            self._draft.moves.append(WrittenMove(_number(number), start, goal, number, number, clear=False))
        self._without_target.clear()

    def _split(self, word: Written) -> tuple[Written, Written | None]:
        """Split "S-H" into origin and target, each with its own place in the text."""
        halves = self._names.split(word.value)
        if halves is None:
            return word, None
        return Word(halves[0], word.start_pos), Word(halves[1], word.start_pos + len(word.value) - len(halves[1]))

    def _where_from(self, number: Written, target: str) -> str | None:
        """Report a missing origin, and return the origin that was probably meant: that of the previous move, or None if
        there is no previous move."""
        start = self._draft.moves[-1].origin if self._draft.moves else None
        example = f"{number.value.strip()} {start or self._neighbour(target)} to {target}"
        self._report(mistakes.WHERE_FROM, number, example=noted(example))
        self._findings.undecided |= start is None
        return start

    def _where_to(self, number: Written, origin: str, target: str | None) -> None:
        """Report a missing target, with an example. `target` is the target of the next move, which the player probably
        meant here, too; it is None if there is no next move."""
        near = self._names.board.adjacent[origin]
        example = f"{number.value.strip()} {origin} to {target if target in near else self._neighbour(origin)}"
        self._report(mistakes.WHERE_TO, number, example=noted(example))

    def _neighbour(self, area: str) -> str:
        """Choose an area adjacent to `area` for an example, preferably one where the seat has pieces."""
        board = self._names.board
        return min(board.adjacent[area], key=lambda near: (near not in self._own, board.order[near]))

    def _words(self, words: Written) -> None:
        """Read words that are not a complete order: a name after `New A,`, a move without a number, a misspelt order
        word, or something else."""
        text, names = words.value, self._names
        origin, target = self._split(words)
        start = opening(text)
        if not text:
            self._report(mistakes.NO_SEPARATOR, words)
        elif target and names.knows(origin.value) and names.knows(target.value):
            self._move(MoveItem(None, origin, target))
        elif self._after_new and not start and (names.find(text) or names.nearest(text)):
            self._add_area(self._draft.new, words)
        elif not start or start.exact or not self._mended(words, start):
            self._report(mistakes.NO_ORDER, words, text=quoted(text))
            self._findings.undecided = True  # the words may contain an important part of the orders

    def _mended(self, words: Written, start: Opening) -> bool:
        """Read the words after a misspelt order word, and return whether they complete an order."""
        text = words.value
        misspelt = Word(text[start.start : start.end], words.start_pos + start.start)
        rest = text[start.end :].strip()
        if start.needs_area:
            near = self._names.knows(rest) or (rest and self._names.nearest(rest) is not None)
            mended = bool(near) and not opening(rest)  # `Bob` in "Bob bombs EC" is not a misspelt `bomb`
        else:
            mended = not rest
        if mended:
            self._report(mistakes.NO_ORDER, misspelt, text=misspelt.value)
        if mended and start.needs_area:
            places = self._draft.new if start.order == "New" else self._draft.bombs
            self._add_area(places, Word(rest, words.start_pos + text.rindex(rest)))
        elif mended:
            self._draft.passes.append(misspelt)
        return mended


def is_complete(state: State, items: Sequence[Any]) -> bool:
    """Return whether all items are complete and name only existing areas. The orders in them may still be illegal."""
    names = names_of(state.board)
    after_new = False
    for item in items:
        if not _says_all(names, item) or (isinstance(item, AlsoItem) and not after_new):
            return False
        after_new = isinstance(item, NewItem | AlsoItem)
    return True


def _says_all(names: Names, item: Any) -> bool:
    if isinstance(item, PassItem):
        return True
    if isinstance(item, NewItem | AlsoItem | BombItem):
        return names.knows(item.area.value)
    if not isinstance(item, MoveItem) or item.number is None or item.origin is None:
        return False
    if item.target is None:
        halves = names.split(item.origin.value)
        return halves is not None and all(map(names.knows, halves))
    return names.knows(item.origin.value) and names.knows(item.target.value)


def _number(word: Written | None) -> int | None:
    """Return the number that a word means, or None if it means "all" or if there is no word."""
    if word is None or not word.value[0].isdigit():
        return None
    return int(word.value) if len(word.value.rstrip()) <= _MAX_DIGITS else MANY + 1
