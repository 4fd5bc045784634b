"""What a player meant: items in their words to legal orders, or all mistakes and a proposal (§3 of the rules)."""

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from pbem.games.base import Interpretation, Seat, Sentence, Unread
from pbem.games.ozymandia import mistakes
from pbem.games.ozymandia.areas import Names, listed, names_of
from pbem.games.ozymandia.items import AlsoItem, BombItem, ItemPart, MoveItem, NewItem, PassItem, Word
from pbem.games.ozymandia.legality import MANY, Check, Findings, Plan, Said, SaidMove
from pbem.games.ozymandia.mistakes import Kind
from pbem.games.ozymandia.orders import Orders
from pbem.games.ozymandia.prose import Opening, opening
from pbem.games.ozymandia.state import State
from pbem.games.words import words_in

_MAX_DIGITS = 6  # a longer number is not worth a conversion, which may even fail
_ORDER_WORD = re.compile(  # within what stands for an area
    rf"(?<= )(?:{'|'.join(words_in(Path(__file__).parent, 'prose')['orders'])})\b", re.I
)
_MAX_QUOTED = 40  # characters of the player's words within a sentence


def interpret(state: State, seat: Seat, items: Sequence[Any]) -> Interpretation[Orders]:
    """The orders that items come to in a position, or the mistakes in the order they stand in the text.

    `state` is what the previous turn left (§2.2 is applied here). The proposal is what the orders would be with
    the nearest names and possible numbers and without what cannot be; there is none where that would be a choice
    between things the player said (J6, §2.3).
    """
    names, findings = names_of(state.board), Findings()
    if not items:
        findings.add(mistakes.NO_ORDERS, ItemPart("", 0))
    elif len(items) > mistakes.MAX_ITEMS:
        findings.add(mistakes.TOO_LONG, ItemPart("", 0), most=mistakes.MAX_ITEMS)
    if findings.mistakes:
        return Interpretation(None, tuple(findings.mistakes))
    draft = _OrderReader(names, findings, state.pieces[seat]).draft(items)
    orders = Check(state, seat, names, findings).orders(draft)
    if not findings.mistakes:
        return Interpretation(orders, ())
    found = tuple(sorted(findings.mistakes, key=lambda mistake: mistake.start))
    if findings.undecided or (orders == Orders() and not draft.passes):
        return Interpretation(None, found)
    return Interpretation(None, found, orders if _is_legal(state, seat, orders) else None)


def _is_legal(state: State, seat: Seat, orders: Orders) -> bool:
    here = ItemPart("", 0)
    draft = Plan(
        [Said(area, here) for area in orders.new],
        [SaidMove(*move, here, here) for move in orders.moves],
        [Said(orders.bomb, here)] if orders.bomb else [],
    )
    findings = Findings()
    Check(state, seat, names_of(state.board), findings).orders(draft)
    return not findings.mistakes


class _OrderReader:
    """Looks words up, item by item, and finishes what was left out."""

    def __init__(self, names: Names, findings: Findings, own: Collection[str]) -> None:
        self._names, self._findings, self._own = names, findings, own
        self._draft = Plan()
        self._without_target: list[tuple[Word, str]] = []  # moves that may go where the next one goes
        self._after_new = False  # then a mere name is one more new piece
        self._clear = True  # nothing found in this item so far

    def draft(self, items: Sequence[Any]) -> Plan:
        for item in items:
            self._clear = True
            if isinstance(item, MoveItem):
                self._move(item)
                self._after_new = False
                continue
            if isinstance(item, NewItem):
                self._said(self._draft.new, item.area)
            elif isinstance(item, BombItem):
                self._said(self._draft.bombs, item.area)
            elif isinstance(item, PassItem):
                self._draft.passes.append(item.word)
            else:
                self._words(item.area if isinstance(item, AlsoItem) else item)
            self._after_new = isinstance(item, NewItem) or (self._after_new and isinstance(item, AlsoItem | Unread))
        for number, origin in self._without_target:
            self._where_to(number, origin, None)
            self._findings.undecided = True
        return self._draft

    def _report(self, kind: Kind, at: Word, **gaps: object) -> None:
        self._clear = False
        self._findings.add(kind, at, **gaps)

    def _area(self, word: Word, start: str | None = None) -> str | None:
        """The area that a word names, or, once that is reported, the one it probably means; pieces from `start` go
        there."""
        found = self._names.find(word.value)
        if len(found) == 1:
            return found[0]
        text = _quoted(word.value)
        if not found and (order := _ORDER_WORD.search(word.value)):
            self._report(mistakes.NO_SEPARATOR, ItemPart(order[0], word.start_pos + order.start()))
            self._findings.undecided = True  # what is behind it was never read
        elif found:
            *first, last = map(self._names.title, found)
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

    def _said(self, said: list[Said], word: Word) -> None:
        if area := self._area(word):
            said.append(Said(area, word, self._clear))

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
            self._findings.undecided = True  # a number that nobody wrote is none of ours to propose
        elif not start:
            start = self._where_from(number, goal)
        if start:
            self._add_those_waiting(goal)
            at = number or target
            self._draft.moves.append(SaidMove(_number(number), start, goal, at, target, self._clear))

    def _add_those_waiting(self, goal: str) -> None:
        """Moves without a target that stood before this one probably go where it goes."""
        for number, start in self._without_target:
            self._where_to(number, start, goal)
            self._draft.moves.append(SaidMove(_number(number), start, goal, number, number, clear=False))
        self._without_target.clear()

    def _split(self, word: Word) -> tuple[Word, Word | None]:
        """Origin and target of "S-H", each with its own place."""
        halves = self._names.split(word.value)
        if halves is None:
            return word, None
        return ItemPart(halves[0], word.start_pos), ItemPart(
            halves[1], word.start_pos + len(word.value) - len(halves[1])
        )

    def _where_from(self, number: Word, target: str) -> str | None:
        """The origin of a move that has none: probably that of the move before it."""
        start = self._draft.moves[-1].origin if self._draft.moves else None
        example = f"{number.value.strip()} {start or self._neighbour(target)} to {target}"
        self._report(mistakes.WHERE_FROM, number, example=example)
        self._findings.undecided |= start is None
        return start

    def _where_to(self, number: Word, origin: str, target: str | None) -> None:
        """The target of a move that has none: probably that of the move behind it."""
        near = self._names.board.adjacent[origin]
        example = f"{number.value.strip()} {origin} to {target if target in near else self._neighbour(origin)}"
        self._report(mistakes.WHERE_TO, number, example=example)

    def _neighbour(self, area: str) -> str:
        """An adjacent area for an example, if possible one that holds own pieces."""
        board = self._names.board
        return min(board.adjacent[area], key=lambda near: (near not in self._own, board.order[near]))

    def _words(self, words: Word) -> None:
        """A name after `New A,`, a move without a number, a misspelt order word, or nothing that is an order."""
        text, names = words.value, self._names
        origin, target = self._split(words)
        start = opening(text)
        if not text:
            self._report(mistakes.NO_SEPARATOR, words)
        elif target and names.knows(origin.value) and names.knows(target.value):
            self._move(MoveItem(None, origin, target))
        elif self._after_new and not start and (names.find(text) or names.nearest(text)):
            self._said(self._draft.new, words)
        elif not start or start.exact or not self._mended(words, start):
            self._report(mistakes.NO_ORDER, words, text=_quoted(text))
            self._findings.undecided = True  # half of what was meant may stand there

    def _mended(self, words: Word, start: Opening) -> bool:
        """Reads what follows a misspelt order word; false if that makes no order either."""
        text = words.value
        misspelt = ItemPart(text[start.start : start.end], words.start_pos + start.start)
        rest = text[start.end :].strip()
        if start.needs_area:
            near = self._names.knows(rest) or (rest and self._names.nearest(rest) is not None)
            mended = bool(near) and not opening(rest)  # nor is Bob an order to bomb in "Bob bombs EC"
        else:
            mended = not rest
        if mended:
            self._report(mistakes.NO_ORDER, misspelt, text=misspelt.value)
        if mended and start.needs_area:
            said = self._draft.new if start.order == "New" else self._draft.bombs
            self._said(said, ItemPart(rest, words.start_pos + text.rindex(rest)))
        elif mended:
            self._draft.passes.append(misspelt)
        return mended


def is_complete(state: State, items: Sequence[Any]) -> bool:
    """Whether items say all they need to and name only areas there are; legal they may still not be."""
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


def _number(word: Word | None) -> int | None:
    """The number that a word says; None is "all", and what is meant where nothing is said."""
    if word is None or not word.value[0].isdigit():
        return None
    return int(word.value) if len(word.value.rstrip()) <= _MAX_DIGITS else MANY + 1


def _quoted(text: str) -> str:
    return text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED - 3] + "..."
